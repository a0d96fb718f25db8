//! Which devices can solve here, and if one cannot, why not.

use std::sync::Arc;

use gridwright_kernels::ptx::SHIPPED;
use gridwright_kernels::{CudaDevice, CudaError, CudaMachine, KernelResources, Module, SharedCuda, probe};
use serde::Serialize;

use crate::{Error, Result};

/// What a person asks for with `--backend`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// A CUDA device where there is one that can do it, otherwise the CPU.
    Auto,
    /// The CPU.
    Cpu,
    /// The CUDA device of this number.
    Cuda(usize),
}

impl Backend {
    /// `auto`, `cpu`, `cuda` or `cuda:N`.
    ///
    /// # Errors
    /// [`Error::Usage`] for anything else.
    pub fn named(name: &str) -> Result<Self> {
        let number = |name: &str| name.strip_prefix("cuda:").and_then(|number| number.parse().ok());
        match name {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "cuda" => Ok(Self::Cuda(0)),
            _ => number(name).map(Self::Cuda).ok_or_else(|| {
                Error::Usage(format!("there is no backend “{name}”; there are auto, cpu, cuda and cuda:N"))
            }),
        }
    }

    /// The device to compute on; `None`: the CPU.
    ///
    /// # Errors
    /// [`Error::Device`] with the reason where a CUDA device was asked for by name and cannot be used.
    pub fn open(self) -> Result<Option<CudaMachine>> {
        match self {
            Self::Cpu => Ok(None),
            Self::Auto => Ok(CudaMachine::open(0).ok()),
            Self::Cuda(number) => CudaMachine::open(number).map(Some).map_err(|why| unusable(number, &why)),
        }
    }
}

/// A device that computes, with what people call it.
#[derive(Debug)]
pub struct OpenDevice {
    /// As for `--backend`.
    pub id: String,
    /// Such as `NVIDIA H200`.
    pub name: String,
    /// The device.
    pub machine: SharedCuda,
}

impl Backend {
    /// As [`Self::open`], for several searches one after the other.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_shared(self) -> Result<Option<OpenDevice>> {
        let describe = |machine: CudaMachine| OpenDevice {
            id: format!("cuda:{}", machine.device().ordinal),
            name: machine.device().name.clone(),
            machine: SharedCuda::new(machine),
        };
        Ok(self.open()?.map(describe))
    }
}

fn unusable(number: usize, why: &CudaError) -> Error {
    Error::Device(format!("cuda:{number} cannot be used: {why}. Use --backend cpu"))
}

/// The kernels of a problem, as they ship and as a device has compiled them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KernelReport {
    /// The device; empty where there is none.
    pub device: String,
    /// The problem's kernels, such as `evolution`.
    pub module: String,
    /// What they were made from: hash of the sources, compiler, options; one line for each PTX that ships.
    pub ptx: Vec<String>,
    /// What each kernel uses on the device.
    pub kernels: Vec<KernelResources>,
    /// Why nothing is known of them here.
    pub unknown: Option<String>,
}

/// Registers, shared memory, local memory and occupancy of every kernel on every CUDA device.
pub fn kernel_reports() -> Vec<KernelReport> {
    let shipped = |module: Module| {
        let of_module = SHIPPED.iter().filter(|ptx| ptx.module == module);
        of_module.map(|ptx| format!("{}, {} kernels", ptx.origin(), ptx.kernels().count())).collect()
    };
    let report = |device: &str, module: Module, found: std::result::Result<Vec<KernelResources>, CudaError>| {
        let (kernels, unknown) = match found {
            Ok(kernels) => (kernels, None),
            Err(why) => (Vec::new(), Some(why.to_string())),
        };
        KernelReport {
            device: device.to_owned(),
            module: module.name().to_owned(),
            ptx: shipped(module),
            kernels,
            unknown,
        }
    };
    match probe() {
        Err(why) => Module::ALL.iter().map(|&module| report("", module, Err(why.clone()))).collect(),
        Ok(devices) => devices
            .iter()
            .flat_map(|device| Module::ALL.map(|module| (device, module)))
            .map(|(device, module)| {
                let found = CudaMachine::open(device.ordinal).and_then(|mut machine| machine.resources(module));
                report(&format!("cuda:{}", device.ordinal), module, found)
            })
            .collect(),
    }
}

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
        unavailable: device.usable().err().map(|why| why.to_string()),
    }
}

/// A device to be measured: what it is called, and how it is opened with all of its memory free.
pub struct Opening<'a, M> {
    /// Such as `cuda:0`.
    pub name: String,
    /// Opens it.
    pub open: Box<dyn FnMut() -> M + 'a>,
}

/// All CUDA devices to be measured, and notes that say what they are, or why there is none.
///
/// # Errors
/// [`Error::Device`] where a device that is there cannot be opened.
pub fn openings() -> Result<(Vec<Opening<'static, SharedCuda>>, Vec<String>)> {
    let devices = probe();
    let (mut openings, mut notes) = (Vec::new(), Vec::new());
    for device in devices.iter().flatten() {
        let machine = CudaMachine::open(device.ordinal).map_err(|why| Error::Device(why.to_string()))?;
        let (name, shared) = (format!("cuda:{}", device.ordinal), SharedCuda::new(machine));
        notes.push(format!("{name} is {}.", device.name));
        let open = move || {
            shared.clear();
            shared.clone()
        };
        openings.push(Opening { name, open: Box::new(open) });
    }
    if let Err(why) = devices {
        notes.push(format!("No CUDA device was measured: {why}."));
    }
    Ok((openings, notes))
}

/// Threads for a search; 0: all that there are.
///
/// # Errors
/// [`Error::Search`] where so many cannot be started.
pub fn thread_pool(threads: usize) -> Result<Arc<rayon::ThreadPool>> {
    let threads = if threads == 0 { available_threads() } else { threads };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|number| format!("search {number}"))
        .build()
        .map(Arc::new)
        .map_err(|error| Error::Search(format!("{threads} threads cannot be started ({error}); ask for fewer")))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backends_have_names() {
        assert_eq!(Backend::named("cuda").unwrap(), Backend::Cuda(0));
        assert_eq!(Backend::named("cuda:3").unwrap(), Backend::Cuda(3));
        assert_eq!(Backend::named("auto").unwrap(), Backend::Auto);
        assert!(Backend::named("gpu").unwrap_err().to_string().contains("auto, cpu, cuda"));
    }

    /// With and without a device: what is known, or why nothing is; what was asked for by name is an error with a reason.
    #[test]
    fn a_device_that_is_not_there_is_a_reason() {
        for report in kernel_reports() {
            assert!(!report.ptx.is_empty());
            assert_eq!(report.unknown.is_some(), report.kernels.is_empty(), "{report:?}");
        }
        let error = Backend::Cuda(99).open().err().unwrap();
        assert!(matches!(error, Error::Device(_)) && error.to_string().contains("--backend cpu"), "{error}");
        assert!(Backend::Auto.open().is_ok() && Backend::Cpu.open().unwrap().is_none());
    }
}
