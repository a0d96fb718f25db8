//! CUDA device as a [`DeviceRuntime`]: one context, one stream, and all unsafe calls of launches and transfers.

use std::collections::{HashMap, HashSet};
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use cudarc::driver::sys::{CUdevice_attribute as Attribute, CUfunction_attribute as FunctionAttribute, CUresult};
use cudarc::driver::{
    CudaContext, CudaEvent, CudaFunction, CudaSlice, CudaStream, DevicePtr, DriverError, PinnedHostSlice, result,
};
use cudarc::nvrtc::Ptx;

use crate::launch::{Argument, Launch};
use crate::runtime::{DeviceRuntime, Limits, Memory, Module, Transfer};
use crate::{CudaDevice, CudaError, probe, ptx};

/// Upper bound in bytes of the shared memory of a block that kernels declare statically or that the driver keeps.
const FIXED: usize = 4 << 10;

/// Threads of a block in the resource report.
const REPORTED_BLOCK: u32 = 128;

/// Opened CUDA device.
#[derive(Debug)]
pub struct CudaRuntime {
    identity: u64,
    device: CudaDevice,
    shared_per_block: usize,
    stream: Arc<CudaStream>,
    /// Kernels by module and name: two modules may name a kernel alike.
    functions: HashMap<(Module, &'static str), CudaFunction>,
    /// Modules whose kernels are in `functions`.
    loaded: HashSet<Module>,
    memory: Vec<CudaSlice<u8>>,
    /// Host buffers of asynchronous transfers.
    slots: Vec<Option<Slot>>,
    loading_seconds: f64,
}

/// Pinned host buffer of an asynchronous transfer.
#[derive(Debug)]
struct Slot {
    memory: PinnedHostSlice<u8>,
    /// Size of the last transfer in bytes.
    bytes: usize,
    /// Event at the end of the last transfer.
    done: CudaEvent,
}

impl Drop for Slot {
    fn drop(&mut self) {
        // A lost device writes nothing any more, so its error does not matter.
        let _ = self.done.synchronize();
    }
}

/// Returns slot `number` with room for `bytes` bytes; a missing or smaller one is allocated.
fn slot<'a>(
    slots: &'a mut Vec<Option<Slot>>, number: usize, bytes: usize, context: &Arc<CudaContext>,
) -> Result<&'a mut Slot, DriverError> {
    if slots.len() <= number {
        slots.resize_with(number + 1, || None);
    }
    let place = &mut slots[number];
    let slot = match place.take().filter(|slot| slot.memory.len() >= bytes) {
        Some(slot) => slot,
        None => {
            // SAFETY: bytes are read only after a transfer has written them.
            let memory = unsafe { context.alloc_pinned_with_flags(bytes.next_power_of_two(), 0) }?;
            Slot { memory, bytes: 0, done: context.new_event(None)? }
        }
    };
    Ok(place.insert(slot))
}

/// Resources that a kernel uses.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct KernelResources {
    /// Name of the kernel.
    pub kernel: String,
    /// Registers per thread.
    pub registers: i32,
    /// Static shared memory of a block, in bytes.
    pub shared_bytes: i32,
    /// Local memory of a thread in bytes, mostly spilled registers.
    pub local_bytes: i32,
    /// Largest number of threads of a block.
    pub most_threads: i32,
    /// Number of resident blocks of 128 threads per multiprocessor, without dynamic shared memory.
    pub blocks: u32,
}

impl CudaRuntime {
    /// Opens the device with this number, counted from 0.
    ///
    /// # Errors
    /// The reason why the device cannot be used; see [`CudaError`].
    pub fn open(ordinal: usize) -> Result<Self, CudaError> {
        let devices = probe()?;
        let count = devices.len();
        let device = devices.into_iter().nth(ordinal).ok_or(CudaError::NoSuchDevice { asked: ordinal, count })?;
        device.usable()?;
        let context = CudaContext::new(ordinal).map_err(driver_error)?;
        // SAFETY: all work is ordered by the only stream, so no events are needed; no memory is reserved yet.
        unsafe { context.disable_event_tracking() };
        let attribute = |attribute| context.attribute(attribute).map_err(driver_error);
        let opt_in = attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?;
        let stream = context.new_stream().map_err(driver_error)?;
        Ok(Self {
            identity: next_identity(),
            device,
            shared_per_block: usize::try_from(opt_in).unwrap_or(0),
            stream,
            functions: HashMap::new(),
            loaded: HashSet::new(),
            memory: Vec::new(),
            slots: Vec::new(),
            loading_seconds: 0.0,
        })
    }

    /// Frees all reserved memory; earlier [`Memory`] handles are refused afterwards.
    pub fn clear(&mut self) {
        self.memory.clear();
        self.identity = next_identity();
    }

    /// Properties of the device.
    pub fn device(&self) -> &CudaDevice {
        &self.device
    }

    /// Seconds that the driver has spent compiling PTX for this device so far.
    pub fn loading_seconds(&self) -> f64 {
        self.loading_seconds
    }

    /// Loads the kernels of a module, unless they are loaded, and allows them the largest dynamic shared memory.
    ///
    /// # Errors
    /// [`CudaError::Load`] if the driver refuses the PTX, [`CudaError::DeviceTooOld`] if no PTX fits the device.
    pub fn load(&mut self, module: Module) -> Result<(), CudaError> {
        // Every launch calls this, so the common case has to be fast.
        if self.loaded.contains(&module) {
            return Ok(());
        }
        let began = Instant::now();
        let capability = self.device.compute_capability;
        let ptx = ptx::shipped(module, capability)
            .ok_or_else(|| CudaError::DeviceTooOld { name: self.device.name.clone(), found: capability })?;
        let failed = |error: DriverError| CudaError::Load(format!("{error:?}"));
        let loaded = self.stream.context().load_module(Ptx::from_src(ptx.text)).map_err(failed)?;
        for kernel in ptx.kernels() {
            let function = loaded.load_function(kernel).map_err(failed)?;
            let fixed = usize::try_from(function.shared_size_bytes().map_err(failed)?).unwrap_or(0);
            let wanted = self.shared_per_block.saturating_sub(fixed);
            let attribute = FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            if function.set_attribute(attribute, wanted as i32).is_err() {
                // Without the opt-in a block has 48 KiB.
                self.shared_per_block = self.shared_per_block.min(48 << 10);
            }
            self.functions.insert((module, kernel), function);
        }
        self.loaded.insert(module);
        self.loading_seconds += began.elapsed().as_secs_f64();
        Ok(())
    }

    /// Returns the resources of each kernel of a module.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn resources(&mut self, module: Module) -> Result<Vec<KernelResources>, CudaError> {
        self.load(module)?;
        let ptx = ptx::shipped(module, self.device.compute_capability);
        let names = ptx.into_iter().flat_map(ptx::Ptx::kernels);
        names
            .filter_map(|kernel| self.functions.get(&(module, kernel)).map(|function| (kernel, function)))
            .map(|(kernel, function)| describe(kernel, function).map_err(driver_error))
            .collect()
    }

    /// Returns the slice of a memory handle, or an error if it belongs to another runtime or was freed.
    fn of(&self, memory: Memory, operation: &'static str) -> Result<&CudaSlice<u8>, CudaError> {
        let found = self.memory.get(memory.number as usize).filter(|_| memory.runtime == self.identity);
        found.ok_or_else(|| CudaError::Launch { kernel: operation, what: "memory of another device".to_owned() })
    }
}

/// Returns a number that no runtime of this process has had before.
pub(crate) fn next_identity() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn describe(kernel: &str, function: &CudaFunction) -> Result<KernelResources, DriverError> {
    Ok(KernelResources {
        kernel: kernel.to_owned(),
        registers: function.num_regs()?,
        shared_bytes: function.shared_size_bytes()?,
        local_bytes: function.local_size_bytes()?,
        most_threads: function.max_threads_per_block()?,
        blocks: function.occupancy_max_active_blocks_per_multiprocessor(REPORTED_BLOCK, 0, None)?,
    })
}

pub(crate) fn driver_error(error: DriverError) -> CudaError {
    CudaError::Driver(format!("{error:?}"))
}

fn broke_off(kernel: &'static str) -> impl Fn(DriverError) -> CudaError {
    move |error| CudaError::Launch { kernel, what: format!("{error:?}") }
}

impl DeviceRuntime for CudaRuntime {
    fn identity(&self) -> u64 {
        self.identity
    }

    fn limits(&mut self) -> Result<Limits, CudaError> {
        let context = self.stream.context();
        let attribute = |attribute| context.attribute(attribute).map_err(driver_error);
        let shared = attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)?;
        Ok(Limits {
            name: self.device.name.clone(),
            // Each block also holds its static shared memory, and the driver keeps 1 KiB.
            shared_per_block: self.shared_per_block.saturating_sub(FIXED),
            shared_per_multiprocessor: usize::try_from(shared).unwrap_or(0),
            multiprocessors: u32::try_from(self.device.multiprocessors).unwrap_or(1),
            further: Vec::new(),
            free: context.mem_get_info().map_err(driver_error)?.0 as u64,
        })
    }

    fn prepare(&mut self, module: Module) -> Result<(), CudaError> {
        self.load(module)
    }

    fn clear(&mut self) {
        Self::clear(self);
    }

    fn runs_all_blocks_at_once(&self) -> bool {
        let attribute = Attribute::CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH;
        self.stream.context().attribute(attribute).is_ok_and(|supported| supported != 0)
    }

    fn reserve(&mut self, bytes: usize) -> Result<Memory, CudaError> {
        // Zeros: transfers may fetch more than has been written, and what other programs left there is nobody's business.
        let slice = self.stream.alloc_zeros::<u8>(bytes).map_err(|error| {
            let free = self.stream.context().mem_get_info().map_or(0, |info| info.0 as u64);
            match error.0 {
                CUresult::CUDA_ERROR_OUT_OF_MEMORY => CudaError::OutOfMemory { needed: bytes as u64, free },
                _ => driver_error(error),
            }
        })?;
        self.memory.push(slice);
        Ok(Memory { runtime: self.identity, number: self.memory.len() as u32 - 1, bytes })
    }

    fn write_at(&mut self, to: Memory, offset: usize, bytes: &[u8]) -> Result<(), CudaError> {
        let what = "a transfer to the device";
        self.of(to, what)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let stream = Arc::clone(&self.stream);
        let slice = &mut self.memory[to.number as usize];
        let mut view =
            slice.try_slice_mut(offset..offset.saturating_add(bytes.len())).ok_or_else(|| CudaError::Launch {
                kernel: what,
                what: format!("{} bytes from {offset} on do not fit into {}", bytes.len(), to.bytes),
            })?;
        stream.memcpy_htod(bytes, &mut view).map_err(broke_off(what))
    }

    fn read_at(&mut self, from: Memory, offset: usize, into: &mut [u8]) -> Result<(), CudaError> {
        let what = "a transfer from the device";
        let slice = self.of(from, what)?;
        let view = slice.try_slice(offset..offset.saturating_add(into.len())).ok_or_else(|| CudaError::Launch {
            kernel: what,
            what: format!("{} bytes from {offset} on are asked of {}", into.len(), from.bytes),
        })?;
        self.stream.memcpy_dtoh(&view, into).map_err(broke_off(what))?;
        self.wait()
    }

    fn begin_read(&mut self, from: Memory, bytes: usize, number: usize) -> Result<Transfer, CudaError> {
        let what = "a transfer from the device";
        if bytes > self.of(from, what)?.len() {
            let asked = format!("{bytes} bytes are asked of {}", from.bytes);
            return Err(CudaError::Launch { kernel: what, what: asked });
        }
        let view = self.memory[from.number as usize].slice(..bytes);
        let slot = slot(&mut self.slots, number, bytes, self.stream.context()).map_err(driver_error)?;
        // An earlier transfer into this slot may still be under way.
        slot.done.synchronize().map_err(broke_off(what))?;
        slot.bytes = bytes;
        let (source, _) = view.device_ptr(&self.stream);
        let into = &mut slot.memory.as_mut_slice().map_err(broke_off(what))?[..bytes];
        // SAFETY: `source` has as many bytes as `into`, which is neither read nor freed before `done` is reached: `end_read` and
        // `Slot::drop` wait for it.
        unsafe { result::memcpy_dtoh_async(into, source, self.stream.cu_stream()) }.map_err(broke_off(what))?;
        slot.done.record(&self.stream).map_err(broke_off(what))?;
        Ok(Transfer { slot: Some(number), bytes: Vec::new(), ticket: None })
    }

    fn end_read(&mut self, transfer: Transfer) -> Result<Vec<u8>, CudaError> {
        let Some(slot) = transfer.slot else { return Ok(transfer.bytes) };
        let Some(Some(slot)) = self.slots.get(slot) else { return Ok(Vec::new()) };
        let what = "a kernel before";
        slot.done.synchronize().map_err(broke_off(what))?;
        Ok(slot.memory.as_slice().map_err(broke_off(what))?[..slot.bytes].to_vec())
    }

    fn launch(&mut self, launch: &Launch) -> Result<(), CudaError> {
        self.load(launch.module())?;
        let function = self.functions.get(&(launch.module(), launch.kernel()));
        let function = function.ok_or_else(|| CudaError::Load(format!("there is no kernel {}", launch.kernel())))?;
        let mut addresses = Vec::with_capacity(launch.arguments().len());
        for argument in launch.arguments() {
            addresses.push(match argument {
                Argument::Memory(memory) => self.of(*memory, launch.kernel())?.device_ptr(&self.stream).0,
                Argument::Value(_) => 0,
            });
        }
        let mut parameters: Vec<*mut c_void> = launch
            .arguments()
            .iter()
            .zip(&addresses)
            .map(|(argument, address)| match argument {
                Argument::Memory(_) => std::ptr::from_ref(address).cast_mut().cast(),
                Argument::Value(bytes) => bytes.as_ptr().cast_mut().cast(),
            })
            .collect();
        self.stream.context().bind_to_thread().map_err(broke_off(launch.kernel()))?;
        let [x, y] = launch.grid();
        // SAFETY: the function and its module live in `self`. Only the typed functions of this crate create a `Launch`:
        // order, number and sizes of the arguments are the kernel's, and arrays are as long as it reads and writes.
        // `parameters` points into `addresses` and `launch`, which outlive the call; the driver copies the arguments
        // before it returns and writes nothing there. All memory belongs to this stream.
        unsafe {
            let start = if launch.is_all_at_once() { result::launch_cooperative_kernel } else { result::launch_kernel };
            start(
                function.cu_function(),
                (x, y, 1),
                (launch.block(), 1, 1),
                launch.shared(),
                self.stream.cu_stream(),
                &mut parameters,
            )
        }
        .map_err(broke_off(launch.kernel()))
    }

    fn wait(&mut self) -> Result<(), CudaError> {
        self.stream.synchronize().map_err(broke_off("a kernel before"))
    }
}

/// Runtime that several searches use one after the other, so that its kernels are loaded once.
#[derive(Clone)]
pub struct SharedCuda(Arc<Mutex<dyn DeviceRuntime>>);

impl std::fmt::Debug for SharedCuda {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedCuda").finish_non_exhaustive()
    }
}

impl SharedCuda {
    /// Wraps a runtime.
    pub fn new(runtime: impl DeviceRuntime + 'static) -> Self {
        Self(Arc::new(Mutex::new(runtime)))
    }

    /// As [`DeviceRuntime::clear`].
    pub fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, dyn DeviceRuntime + 'static> {
        // A panic elsewhere leaves the driver usable; calls that fail report it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl DeviceRuntime for SharedCuda {
    fn identity(&self) -> u64 {
        self.lock().identity()
    }

    fn limits(&mut self) -> Result<Limits, CudaError> {
        self.lock().limits()
    }

    fn prepare(&mut self, module: Module) -> Result<(), CudaError> {
        self.lock().prepare(module)
    }

    fn clear(&mut self) {
        self.lock().clear();
    }

    fn runs_all_blocks_at_once(&self) -> bool {
        self.lock().runs_all_blocks_at_once()
    }

    fn reserve(&mut self, bytes: usize) -> Result<Memory, CudaError> {
        self.lock().reserve(bytes)
    }

    fn write_at(&mut self, to: Memory, offset: usize, bytes: &[u8]) -> Result<(), CudaError> {
        self.lock().write_at(to, offset, bytes)
    }

    fn read_at(&mut self, from: Memory, offset: usize, into: &mut [u8]) -> Result<(), CudaError> {
        self.lock().read_at(from, offset, into)
    }

    fn begin_read(&mut self, from: Memory, bytes: usize, slot: usize) -> Result<Transfer, CudaError> {
        self.lock().begin_read(from, bytes, slot)
    }

    fn end_read(&mut self, transfer: Transfer) -> Result<Vec<u8>, CudaError> {
        self.lock().end_read(transfer)
    }

    fn launch(&mut self, launch: &Launch) -> Result<(), CudaError> {
        self.lock().launch(launch)
    }

    fn wait(&mut self) -> Result<(), CudaError> {
        self.lock().wait()
    }
}
