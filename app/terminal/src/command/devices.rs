//! `gridwright devices`: what can solve here, and why a device cannot.

use gridwright_core::backend::{Backend, Device, KernelReport, MemoryNeed, devices, kernel_reports, limits};
use serde_json::json;

use super::{Exit, text};

/// Lists the devices, as JSON if `json`, and with the kernels and their resources if `verbose`.
pub(super) fn run(json: bool, verbose: bool) -> Exit {
    let devices = devices();
    let reports = if verbose { kernel_reports() } else { Vec::new() };
    let memory = if verbose { free_memory(&devices) } else { Vec::new() };
    text::answer(&match (json, verbose) {
        (true, true) => text::json(&json!({ "devices": devices, "free_bytes": json_of(&memory), "kernels": reports })),
        (true, false) => text::json(&json!({ "devices": devices })),
        (false, _) => {
            let kernels: Vec<String> = reports.iter().map(kernel_listing).collect();
            [vec![listing(&devices) + &room(&memory)], kernels].concat().join("\n")
        }
    });
    Exit::Done
}

/// Bytes that are free now on every CUDA device that can be used.
fn free_memory(devices: &[Device]) -> Vec<(String, u64)> {
    let usable = devices.iter().filter(|device| device.unavailable.is_none());
    let free = |device: &Device| match Backend::named(&device.id) {
        Ok(backend @ Backend::Cuda(_)) => limits(&backend).ok().map(|limits| (device.id.clone(), limits.free)),
        _ => None,
    };
    usable.filter_map(free).collect()
}

fn json_of(memory: &[(String, u64)]) -> serde_json::Map<String, serde_json::Value> {
    memory.iter().map(|(id, free)| (id.clone(), (*free).into())).collect()
}

fn room(memory: &[(String, u64)]) -> String {
    memory.iter().map(|(id, free)| format!("{id}: {} of its memory are free\n", MemoryNeed::size(*free))).collect()
}

/// Sources of the kernels of one problem, and the resources of a multiprocessor that each kernel uses.
fn kernel_listing(report: &KernelReport) -> String {
    let mut text = format!(
        "Kernels “{}”{}\n",
        report.module,
        match report.device.as_str() {
            "" => String::new(),
            device => format!(" on {device}"),
        }
    );
    for ptx in &report.ptx {
        text.push_str(&format!("  {ptx}\n"));
    }
    if let Some(why) = &report.unknown {
        text.push_str(&format!("  what they use is not known here: {why}\n"));
        return text;
    }
    text.push_str(&format!(
        "  {:<32} {:>9} {:>10} {:>9} {:>8} {:>16}\n",
        "kernel", "registers", "shared, B", "local, B", "threads", "blocks of 128"
    ));
    for kernel in &report.kernels {
        text.push_str(&format!(
            "  {:<32} {:>9} {:>10} {:>9} {:>8} {:>16}\n",
            kernel.kernel,
            kernel.registers,
            kernel.shared_bytes,
            kernel.local_bytes,
            kernel.most_threads,
            kernel.blocks
        ));
    }
    text
}

fn listing(devices: &[Device]) -> String {
    let mut rows = Vec::new();
    for device in devices {
        let facts = match device.details.as_str() {
            "" => device.name.clone(),
            details => format!("{}: {details}", device.name),
        };
        rows.push((device.id.as_str(), facts));
        rows.push((
            "",
            match &device.unavailable {
                None => "can solve".to_owned(),
                Some(why) => format!("cannot solve: {why}"),
            },
        ));
    }
    text::table(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_is_told_of_what_can_be_used() {
        let memory = [("cuda:0".to_owned(), 3 << 30)];
        assert_eq!(room(&memory), "cuda:0: 3.0 GiB of its memory are free\n");
        assert_eq!(json_of(&memory)["cuda:0"], 3_u64 << 30);
        let absent = Device {
            id: "cuda".to_owned(),
            name: "NVIDIA GPU".to_owned(),
            details: String::new(),
            unavailable: Some("no driver".to_owned()),
        };
        assert!(free_memory(&[absent]).is_empty());
    }

    #[test]
    fn a_device_that_cannot_solve_says_why() {
        let device = Device {
            id: "cuda".to_owned(),
            name: "NVIDIA GPU".to_owned(),
            details: String::new(),
            unavailable: Some("no driver".to_owned()),
        };
        assert_eq!(listing(&[device]), "cuda  NVIDIA GPU\n      cannot solve: no driver\n");
    }
}
