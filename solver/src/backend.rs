//! Which devices can solve here, and if one cannot, why not.

use gridwright_kernels::{CudaDevice, probe};
use serde::Serialize;

/// Something that could compute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Device {
    /// The name for `--backend`: `cpu`, `cuda:0`, …
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Facts in one line: threads, memory, driver.
    pub details: String,
    /// Why it cannot be used; `None`: it can.
    pub unavailable: Option<String>,
}

/// All devices of this machine: the CPU first, then CUDA devices, or one entry that says why there is none.
pub fn devices() -> Vec<Device> {
    let threads = available_threads();
    let mut devices = vec![Device {
        id: "cpu".to_owned(),
        name: "CPU".to_owned(),
        details: format!("{threads} thread{}, {}", if threads == 1 { "" } else { "s" }, vector_unit()),
        unavailable: None,
    }];
    match probe() {
        Ok(found) => devices.extend(found.iter().map(cuda_device)),
        Err(error) => devices.push(Device {
            id: "cuda".to_owned(),
            name: "NVIDIA GPU".to_owned(),
            details: String::new(),
            unavailable: Some(error.to_string()),
        }),
    }
    devices
}

fn cuda_device(device: &CudaDevice) -> Device {
    Device {
        id: format!("cuda:{}", device.ordinal),
        name: device.name.clone(),
        details: format!(
            "{:.0} GiB, compute capability {}.{}, {} multiprocessors, driver {}",
            device.memory_bytes as f64 / (1_u64 << 30) as f64,
            device.compute_capability.0,
            device.compute_capability.1,
            device.multiprocessors,
            device.driver
        ),
        unavailable: Some("this version solves on the CPU only; the device was found and works".to_owned()),
    }
}

/// Threads that the machine offers to this process.
pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The vector instructions that the searches use here.
pub fn vector_unit() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if pulp::x86::V3::is_available() {
        return "AVX2";
    }
    "portable vector code"
}
