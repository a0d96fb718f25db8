//! CUDA devices of Gridwright: detection, memory, and typed launches of the kernels.
//!
//! Nothing of CUDA is linked; the driver library is loaded at run time. This is the only crate that may contain unsafe code.
//!
//! `cuda/` holds the kernels, `ptx/` their compiled form (made by `make_ptx.py`), and `cuda_emulator/` runs them on the CPU in tests. Each search
//! has a module of typed launches. The tests are in `tests/tests/backends_agree`.

pub mod annealing;
mod cuda;
mod demands;
mod error;
pub mod evolution;
pub mod facility;
pub mod front;
pub mod greedy;
mod group;
mod launch;
pub mod makespan;
pub mod ptx;
mod runtime;
pub mod seating;
pub mod structs;
pub mod systolic;

pub use cuda::{CudaRuntime, KernelResources, SharedCuda};
pub use demands::Demands;
pub use error::{CudaError, memory_size};
pub use group::{DeviceGroup, GroupMember, Loss, Losses, group_name};
pub use launch::{Argument, Launch};
pub use runtime::{Array, DeviceRuntime, Element, Limits, Memory, Module, Transfer};

use cuda::driver_error;
use serde::{Deserialize, Serialize};

/// Properties of a CUDA device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CudaDevice {
    /// Number of the device, from 0.
    pub ordinal: usize,
    /// Name, such as `NVIDIA H200`.
    pub name: String,
    /// Memory in bytes.
    pub memory_bytes: u64,
    /// Compute capability, major and minor.
    pub compute_capability: (i32, i32),
    /// Number of multiprocessors.
    pub multiprocessors: i32,
    /// CUDA version of the driver, such as `13.0`.
    pub driver: String,
}

impl CudaDevice {
    /// Checks that the kernels run on the device.
    ///
    /// # Errors
    /// [`CudaError::DeviceTooOld`] if its compute capability is below [`ptx::LOWEST`].
    pub fn usable(&self) -> Result<(), CudaError> {
        if self.compute_capability < ptx::LOWEST {
            return Err(CudaError::DeviceTooOld { name: self.name.clone(), found: self.compute_capability });
        }
        Ok(())
    }
}

/// CUDA version of the compiled kernels in the driver's notation: 1000 · major + 10 · minor.
const NEEDED_DRIVER: i32 = 12_000;

/// Lists the CUDA devices; never panics.
///
/// # Errors
/// The reason why no device can be used: no driver, an old driver, no device.
pub fn probe() -> Result<Vec<CudaDevice>, CudaError> {
    use cudarc::driver::{result, sys};
    // SAFETY: asks only whether the library can be opened; it has no precondition.
    // Any other call would panic without it.
    if !unsafe { sys::is_culib_present() } {
        return Err(CudaError::NoDriver);
    }
    match result::init() {
        Ok(()) => {}
        Err(error) if error.0 == sys::CUresult::CUDA_ERROR_NO_DEVICE => return Err(CudaError::NoDevice),
        Err(error) => return Err(driver_error(error)),
    }
    let mut version = 0;
    // SAFETY: the pointer is valid for the call; the driver is initialised.
    unsafe { sys::cuDriverGetVersion(&mut version) }.result().map_err(driver_error)?;
    if version < NEEDED_DRIVER {
        return Err(CudaError::DriverTooOld { found: cuda_version(version), needed: cuda_version(NEEDED_DRIVER) });
    }
    let count = result::device::get_count().map_err(driver_error)?;
    if count == 0 {
        return Err(CudaError::NoDevice);
    }
    (0..count).map(|ordinal| describe(ordinal, version).map_err(driver_error)).collect()
}

fn describe(ordinal: i32, version: i32) -> Result<CudaDevice, cudarc::driver::DriverError> {
    use cudarc::driver::{result::device, sys::CUdevice_attribute as Attribute};
    let handle = device::get(ordinal)?;
    // SAFETY: the handle comes from the driver, which is initialised.
    let attribute = |attribute| unsafe { device::get_attribute(handle, attribute) };
    Ok(CudaDevice {
        ordinal: ordinal as usize,
        name: device::get_name(handle)?,
        // SAFETY: as above.
        memory_bytes: unsafe { device::total_mem(handle)? } as u64,
        compute_capability: (
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ),
        multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        driver: cuda_version(version),
    })
}

fn cuda_version(version: i32) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Passes with and without a GPU: devices, or a reason with its remedy.
    #[test]
    fn probing_never_panics() {
        match probe() {
            Ok(devices) => assert!(devices.iter().all(|device| !device.name.is_empty() && device.memory_bytes > 0)),
            Err(error) => assert!(error.to_string().contains("driver")),
        }
        assert_eq!(cuda_version(12_080), "12.8");
    }
}
