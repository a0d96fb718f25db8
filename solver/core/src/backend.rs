//! Which devices can solve here, and if one cannot, why not.

mod device_note;

use std::fmt;
use std::sync::Arc;

pub use gridwright_kernels::Limits;
use gridwright_kernels::ptx::SHIPPED;
use gridwright_kernels::{
    CudaDevice, CudaError, CudaRuntime, DeviceGroup, DeviceRuntime as _, GroupMember, KernelResources, Losses, Module,
    SharedCuda, group_name, memory_size, probe,
};
use serde::Serialize;

pub use device_note::DeviceNote;

use crate::numbers::counted;
use crate::{Error, Result};

/// Choice of a backend, as with `--backend`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Backend {
    /// A CUDA device where there is one that can do it, otherwise the CPU.
    Auto,
    /// The CPU.
    Cpu,
    /// The CUDA device of this number.
    Cuda(usize),
    /// Several CUDA devices, which share the work of a run.
    Several(Several),
}

/// Choice of several CUDA devices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Several {
    /// All that the machine has.
    All,
    /// The devices of these numbers, at least two.
    Numbers(Vec<usize>),
}

/// Returns `true` for the name of one or several CUDA devices; `cpu` and `auto` are none.
pub fn is_device(name: &str) -> bool {
    name.starts_with("cuda")
}

/// Backends that can be named, for messages.
pub const BACKEND_NAMES: &str = "auto, cpu, cuda, cuda:N, cuda:N,M,… and cuda:all";

impl Backend {
    /// Backend of a name: one of [`BACKEND_NAMES`].
    ///
    /// # Errors
    /// [`Error::Usage`] for anything else.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "auto" => return Ok(Self::Auto),
            "cpu" => return Ok(Self::Cpu),
            "cuda" => return Ok(Self::Cuda(0)),
            "cuda:all" => return Ok(Self::Several(Several::All)),
            _ => {}
        }
        let numbers = name.strip_prefix("cuda:").unwrap_or_default().split(',');
        let numbers =
            numbers.map(|number| number.parse::<u16>().map(usize::from)).collect::<std::result::Result<Vec<_>, _>>();
        match numbers.as_deref() {
            Ok(&[number]) => Ok(Self::Cuda(number)),
            Ok(numbers) => Ok(Self::Several(Several::Numbers(numbers.to_vec()))),
            Err(_) => Err(Error::Usage(format!("there is no backend “{name}”; there are {BACKEND_NAMES}"))),
        }
    }

    /// Names of the devices of which a run of many takes one: none for a backend that names no several devices.
    pub fn single_devices(&self) -> Vec<String> {
        let numbers = match self {
            Self::Several(Several::Numbers(numbers)) => numbers.clone(),
            Self::Several(Several::All) => (0..probe().map_or(0, |devices| devices.len())).collect(),
            _ => Vec::new(),
        };
        numbers.iter().map(|number| format!("cuda:{number}")).collect()
    }

    /// Opens the device with `open`; returns none for the CPU, and under `auto` where no device can be used.
    ///
    /// # Errors
    /// [`Error::Device`] with reason and remedy if a device was requested by name and cannot be used.
    pub fn open_through(&self, open: &Opener<'_>) -> Result<Available> {
        let number = match self {
            Self::Cpu => return Ok(Available::default()),
            Self::Several(several) => {
                return several.open_through(open).map(|device| Available { device: Some(device), left_alone: None });
            }
            Self::Auto => 0,
            Self::Cuda(number) => *number,
        };
        match open(number) {
            Ok(device) => Ok(Available { device: Some(device), left_alone: None }),
            Err(why) if *self == Self::Auto => {
                // Most computers have no device: nobody has to be told.
                let left_alone = (!why.is_absence()).then(|| DeviceNote::left_alone(&format!("cuda:{number}"), &why));
                Ok(Available { device: None, left_alone })
            }
            Err(why) => Err(unusable(number, &why)),
        }
    }
}

impl Several {
    /// Opens the devices as a group.
    fn open_through(&self, open: &Opener<'_>) -> Result<OpenDevice> {
        let mut devices = Vec::new();
        match self {
            Self::Numbers(numbers) => {
                for &number in numbers {
                    devices.push(open(number).map_err(|why| unusable(number, &why))?);
                }
            }
            Self::All => loop {
                match open(devices.len()) {
                    Ok(device) => devices.push(device),
                    Err(CudaError::NoSuchDevice { .. }) if !devices.is_empty() => break,
                    Err(why) => return Err(unusable(devices.len(), &why)),
                }
            },
        }
        OpenDevice::group(devices)
    }
}

/// An open device, or several that work as one.
#[derive(Debug)]
pub struct OpenDevice {
    /// Name for `--backend`, such as `cuda:0` or `cuda:0,1`.
    pub id: String,
    /// Product name, such as `NVIDIA H200` or `2 × NVIDIA H200`.
    pub name: String,
    /// Runs kernels; clones share the device.
    pub runtime: SharedCuda,
    /// Devices of a group that are lost.
    pub losses: Losses,
    /// The devices of a group with their names; empty for a single device.
    members: Vec<(String, SharedCuda)>,
}

impl OpenDevice {
    /// A single device.
    pub fn new(id: String, name: String, runtime: SharedCuda) -> Self {
        Self { id, name, runtime, losses: Losses::default(), members: Vec::new() }
    }

    /// Each device with its name, for a search that shares its work among devices itself.
    pub fn singly(&self) -> Vec<(String, SharedCuda)> {
        match self.members.is_empty() {
            true => vec![(self.id.clone(), self.runtime.clone())],
            false => self.members.clone(),
        }
    }

    /// Several devices as one; a single one stays as it is.
    fn group(mut devices: Vec<Self>) -> Result<Self> {
        if devices.len() == 1 {
            return Ok(devices.swap_remove(0));
        }
        let numbers: Vec<&str> = devices.iter().map(|device| device.id.trim_start_matches("cuda:")).collect();
        let id = format!("cuda:{}", numbers.join(","));
        let name = group_name(devices.iter().map(|device| device.name.as_str()));
        let members: Vec<_> = devices.into_iter().map(|Self { id, runtime, .. }| (id, runtime)).collect();
        let of_group = members.iter().cloned().map(|(id, runtime)| GroupMember { id, runtime }).collect();
        let group = DeviceGroup::new(of_group)?;
        let losses = group.losses();
        Ok(Self { id, name, runtime: SharedCuda::new(group), losses, members })
    }
}

/// Opens the CUDA device with a number; tests substitute devices that fail.
pub type Opener<'a> = dyn Fn(usize) -> std::result::Result<OpenDevice, CudaError> + Send + Sync + 'a;

/// Opens the CUDA device with a number, counted from 0.
///
/// # Errors
/// The reason why the device cannot be used.
pub fn open_cuda(number: usize) -> std::result::Result<OpenDevice, CudaError> {
    let runtime = CudaRuntime::open(number)?;
    let (id, name) = (format!("cuda:{number}"), runtime.device().name.clone());
    Ok(OpenDevice::new(id, name, SharedCuda::new(runtime)))
}

/// Result of looking for a device.
#[derive(Debug, Default)]
pub struct Available {
    /// The device; `None`: the CPU.
    pub device: Option<OpenDevice>,
    /// Reason why `auto` does not use the device that is present.
    pub(crate) left_alone: Option<DeviceNote>,
}

fn unusable(number: usize, why: &CudaError) -> Error {
    Error::Device(format!("cuda:{number} cannot be used: {why}. Use --backend cpu"))
}

/// Device memory of a run, computed before it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryNeed {
    /// Bytes that the run needs.
    pub needed: u64,
    /// Bytes that are free.
    pub free: u64,
}

impl MemoryNeed {
    /// Bytes as people read them: `12.5 MiB`, `139.2 GiB`.
    pub fn size(bytes: u64) -> String {
        memory_size(bytes)
    }

    /// Returns `true` if the run fits.
    pub fn fits(&self) -> bool {
        self.needed <= self.free
    }
}

impl fmt::Display for MemoryNeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { needed, free } = *self;
        if self.fits() {
            return write!(f, "the search needs {}, {} free", memory_size(needed), memory_size(free));
        }
        CudaError::OutOfMemory { needed, free }.fmt(f)
    }
}

/// Present limits of the devices that a backend uses, free memory included; under `auto` those of the first CUDA device.
///
/// # Errors
/// [`Error::Device`] with the reason why one cannot be used; also for [`Backend::Cpu`], which has none.
pub fn limits(backend: &Backend) -> Result<Limits> {
    let named = match backend {
        Backend::Auto => &Backend::Cuda(0),
        named => named,
    };
    let device =
        named.open_through(&open_cuda)?.device.ok_or_else(|| Error::Device("the CPU needs no device".to_owned()))?;
    Ok(device.runtime.clone().limits()?)
}

/// The kernels of a problem, as they ship and as a device has compiled them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KernelReport {
    /// The device; empty where there is none.
    pub device: String,
    /// The problem's kernels, such as `evolution`.
    pub module: String,
    /// Origin: hash of the sources, compiler, options; one line for each PTX that ships.
    pub ptx: Vec<String>,
    /// Resources of each kernel on the device.
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
                let found = CudaRuntime::open(device.ordinal).and_then(|mut runtime| runtime.resources(module));
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
    /// Display name.
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
        details: format!("{}, {}", counted(threads, "thread"), vector_unit()),
        unavailable: None,
    }];
    match probe() {
        Ok(found) => {
            devices.extend(found.iter().map(cuda_device));
            let usable = || found.iter().filter(|device| device.usable().is_ok());
            if usable().count() > 1 {
                devices.push(Device {
                    id: "cuda:all".to_owned(),
                    name: group_name(usable().map(|device| device.name.as_str())),
                    details: "together, each with a share of the work".to_owned(),
                    unavailable: None,
                });
            }
        }
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
        let runtime = CudaRuntime::open(device.ordinal)?;
        let (name, shared) = (format!("cuda:{}", device.ordinal), SharedCuda::new(runtime));
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
    if pulp::x86::V4::is_available() {
        return "AVX-512";
    } else if pulp::x86::V3::is_available() {
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
        let error = Backend::Cuda(99).open_through(&open_cuda).err().unwrap();
        assert!(matches!(error, Error::Device(_)) && error.to_string().contains("--backend cpu"), "{error}");
        assert!(Backend::Auto.open_through(&open_cuda).is_ok());
    }

    #[test]
    fn a_device_that_is_there_is_not_left_alone_in_silence() {
        let through = |backend: Backend, why: &CudaError| backend.open_through(&|_| Err(why.clone()));
        let faulty = CudaError::DriverTooOld { found: "11.4".to_owned(), needed: "12.0".to_owned() };
        let auto = through(Backend::Auto, &faulty).unwrap();
        let left_alone = auto.left_alone.unwrap().to_string();
        assert!(auto.device.is_none() && left_alone.contains("11.4") && left_alone.ends_with("so the CPU was used"));
        for absent in [CudaError::NoDriver, CudaError::NoDevice, CudaError::NoSuchDevice { asked: 0, count: 0 }] {
            assert_eq!(through(Backend::Auto, &absent).unwrap().left_alone, None, "{absent}");
            let error = through(Backend::Cuda(0), &absent).unwrap_err().to_string();
            assert!(error.contains(&absent.to_string()) && error.contains("--backend cpu"), "{error}");
        }
        let never = |_: usize| panic!("the CPU needs no device");
        assert!(Backend::Cpu.open_through(&never).unwrap().device.is_none());
    }
}
