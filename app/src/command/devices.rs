//! `gridwright devices`: what can solve here, and why a device cannot.

use gridwright_solver::backend::{Device, KernelReport, devices, kernel_reports};
use serde_json::json;

use super::{Exit, text};

/// Lists the devices; verbose: with the kernels and what each uses.
pub fn run(json: bool, verbose: bool) -> Exit {
    let devices = devices();
    let reports = if verbose { kernel_reports() } else { Vec::new() };
    text::answer(&match (json, verbose) {
        (true, true) => text::json(&json!({ "devices": devices, "kernels": reports })),
        (true, false) => text::json(&json!({ "devices": devices })),
        (false, _) => {
            let kernels: Vec<String> = reports.iter().map(kernel_listing).collect();
            [vec![listing(&devices)], kernels].concat().join("\n")
        }
    });
    Exit::Done
}

/// What the kernels of one problem are made from, and what each uses of a multiprocessor.
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
