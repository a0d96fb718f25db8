//! Device runtime: memory, transfers and kernel launches behind one safe trait.
//!
//! [`CudaRuntime`](crate::CudaRuntime) implements [`DeviceRuntime`] for a GPU, and [`DeviceGroup`](crate::DeviceGroup) for several devices. The
//! tests have two more: the CUDA emulator, which runs the same `.cu` files on the CPU, and one that fails at a chosen call. Invariant: a
//! [`Launch`] is made by the typed functions of this crate only, which
//! know order, types and sizes of the kernel's arguments and what the kernel reads and writes.

use std::marker::PhantomData;

use crate::CudaError;
use crate::launch::Launch;

/// Name and capacities of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Name for people, such as `NVIDIA H200`.
    pub name: String,
    /// Largest shared memory of a block, in bytes.
    pub shared_per_block: usize,
    /// Shared memory of a multiprocessor, in bytes.
    pub shared_per_multiprocessor: usize,
    /// Number of multiprocessors; of a group those of its first device, which runs what cannot be divided.
    pub multiprocessors: u32,
    /// Numbers of multiprocessors of the further devices of a group; empty for a single device.
    pub further: Vec<u32>,
    /// Device memory that is free now, in bytes.
    pub free: u64,
}

#[cfg(test)]
impl Limits {
    /// Limits of a single device with 1 GiB of free memory; shared memory of a block and of a multiprocessor in bytes.
    pub(crate) fn of_sizes(shared_per_block: usize, shared_per_multiprocessor: usize, multiprocessors: u32) -> Self {
        let (name, further) = ("device".to_owned(), Vec::new());
        Self { name, shared_per_block, shared_per_multiprocessor, multiprocessors, further, free: 1 << 30 }
    }
}

impl Limits {
    /// Number of devices.
    pub fn devices(&self) -> u32 {
        1 + self.further.len() as u32
    }

    /// Number of multiprocessors of all devices, which share what can be divided.
    pub(crate) fn all_multiprocessors(&self) -> u32 {
        self.multiprocessors + self.further.iter().sum::<u32>()
    }
}

/// Handle of a piece of device memory, which is freed with its runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// [`DeviceRuntime::identity`] of the runtime that reserved the memory.
    pub runtime: u64,
    /// Number within that runtime, from 0.
    pub number: u32,
    /// Size in bytes.
    pub bytes: usize,
}

/// Transfer from a device to the host that is under way.
#[derive(Debug)]
pub struct Transfer {
    /// Slot in which the bytes arrive; `None` if they are in `bytes` already.
    pub(crate) slot: Option<usize>,
    /// Bytes of a transfer that was done at once.
    pub(crate) bytes: Vec<u8>,
    /// Number of a transfer from several devices.
    pub(crate) ticket: Option<u64>,
}

/// Value that kernels can read and write; its bytes are little-endian.
pub trait Element: Copy + Send + Sync + 'static {
    /// Size in bytes.
    const BYTES: usize;
    /// Appends the [`Self::BYTES`] little-endian bytes of the value.
    fn append(self, bytes: &mut Vec<u8>);
    /// Returns the value that [`Self::BYTES`] little-endian bytes stand for.
    fn of(bytes: &[u8]) -> Self;
}

macro_rules! element {
    ($type:ty) => {
        impl Element for $type {
            const BYTES: usize = size_of::<$type>();
            fn append(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
            fn of(bytes: &[u8]) -> Self {
                bytes.try_into().map_or(<$type>::default(), <$type>::from_le_bytes)
            }
        }
    };
}
element!(u8);
element!(u16);
element!(u32);
element!(u64);
element!(i64);
element!(f64);

impl<T: Element, const N: usize> Element for [T; N] {
    const BYTES: usize = N * T::BYTES;
    fn append(self, bytes: &mut Vec<u8>) {
        self.into_iter().for_each(|element| element.append(bytes));
    }
    fn of(bytes: &[u8]) -> Self {
        std::array::from_fn(|index| T::of(&bytes[index * T::BYTES..(index + 1) * T::BYTES]))
    }
}

/// Array of `len` elements in device memory.
#[derive(Debug)]
pub struct Array<T> {
    /// Memory of the elements.
    pub memory: Memory,
    /// Number of elements.
    pub len: usize,
    element: PhantomData<T>,
}

impl<T> Clone for Array<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Array<T> {}

impl<T: Element> Array<T> {
    /// Reserves memory for `len` elements (at least one), whose values are undefined.
    ///
    /// # Errors
    /// As [`DeviceRuntime::reserve`].
    pub fn reserve(runtime: &mut dyn DeviceRuntime, len: usize) -> Result<Self, CudaError> {
        let memory = runtime.reserve(len.max(1) * T::BYTES)?;
        Ok(Self { memory, len, element: PhantomData })
    }

    /// Reserves memory for `elements` and writes them.
    ///
    /// # Errors
    /// As [`DeviceRuntime::reserve`] and [`DeviceRuntime::write`].
    pub(crate) fn upload(runtime: &mut dyn DeviceRuntime, elements: &[T]) -> Result<Self, CudaError> {
        let array = Self::reserve(runtime, elements.len())?;
        array.write(runtime, elements)?;
        Ok(array)
    }

    /// Overwrites the first elements with `elements`.
    ///
    /// # Errors
    /// As [`DeviceRuntime::write`].
    pub fn write(&self, runtime: &mut dyn DeviceRuntime, elements: &[T]) -> Result<(), CudaError> {
        let mut bytes = Vec::with_capacity(elements.len() * T::BYTES);
        for element in elements {
            element.append(&mut bytes);
        }
        runtime.write(self.memory, &bytes)
    }

    /// Reads the first `len` elements (at most [`Self::len`]) after all earlier launches have finished.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn read(&self, runtime: &mut dyn DeviceRuntime, len: usize) -> Result<Vec<T>, CudaError> {
        let bytes = self.read_bytes(runtime, len)?;
        Ok(bytes.chunks_exact(T::BYTES).map(T::of).collect())
    }

    /// Reads `len` elements from `first` on after all earlier launches have finished.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read_at`].
    pub(crate) fn read_from(
        &self, runtime: &mut dyn DeviceRuntime, first: usize, len: usize,
    ) -> Result<Vec<T>, CudaError> {
        let mut bytes = vec![0; len * T::BYTES];
        runtime.read_at(self.memory, first * T::BYTES, &mut bytes)?;
        Ok(bytes.chunks_exact(T::BYTES).map(T::of).collect())
    }

    /// Starts an asynchronous transfer of the first `len` elements; see [`DeviceRuntime::begin_read`].
    ///
    /// # Errors
    /// As [`DeviceRuntime::begin_read`].
    pub(crate) fn begin_read(
        &self, runtime: &mut dyn DeviceRuntime, len: usize, slot: usize,
    ) -> Result<Transfer, CudaError> {
        runtime.begin_read(self.memory, len.min(self.len) * T::BYTES, slot)
    }

    /// Waits for a transfer and returns its elements.
    ///
    /// # Errors
    /// As [`DeviceRuntime::end_read`].
    pub(crate) fn end_read(&self, runtime: &mut dyn DeviceRuntime, transfer: Transfer) -> Result<Vec<T>, CudaError> {
        Ok(runtime.end_read(transfer)?.chunks_exact(T::BYTES).map(T::of).collect())
    }

    /// Reads the bytes of the first `len` elements (at most [`Self::len`]) after all earlier launches have finished.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub(crate) fn read_bytes(&self, runtime: &mut dyn DeviceRuntime, len: usize) -> Result<Vec<u8>, CudaError> {
        let mut bytes = vec![0; len.min(self.len) * T::BYTES];
        runtime.read(self.memory, &mut bytes)?;
        Ok(bytes)
    }
}

/// Kernels that are compiled together, one `.cu` file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Module {
    /// `annealing.cu`: simulated annealing for examination timetabling.
    Annealing,
    /// `evolution.cu`: hybrid evolutionary algorithm for examination timetabling.
    Evolution,
    /// `makespan.cu`: makespans of permutation flow shops.
    Makespan,
    /// `facility.cu`: annealing and genetic algorithm for facility layout.
    Facility,
    /// `front.cu`: neighbourhoods of flow shop permutations for Pareto local search and tabu search.
    Front,
    /// `systolic.cu`: systolic genetic search.
    Systolic,
    /// `greedy.cu`: iterated greedy for permutation flow shops.
    Greedy,
    /// `baselines.cu`: genetic algorithms and random search, the baselines of systolic genetic search.
    Baselines,
    /// `seating.cu`: simulated annealing for examination sessions with rooms.
    Seating,
}

impl Module {
    /// All modules.
    pub const ALL: [Module; 9] = [
        Module::Annealing,
        Module::Evolution,
        Module::Makespan,
        Module::Facility,
        Module::Front,
        Module::Systolic,
        Module::Greedy,
        Module::Baselines,
        Module::Seating,
    ];

    /// Name of the `.cu` file without its ending.
    pub fn name(self) -> &'static str {
        match self {
            Self::Annealing => "annealing",
            Self::Evolution => "evolution",
            Self::Makespan => "makespan",
            Self::Facility => "facility",
            Self::Front => "front",
            Self::Systolic => "systolic",
            Self::Greedy => "greedy",
            Self::Baselines => "baselines",
            Self::Seating => "seating",
        }
    }
}

/// Device that runs kernels one after the other, in the order of their launches.
///
/// Transfers and launches see the effects of all earlier launches. An implementor has to keep this order; nothing else may depend on timing.
pub trait DeviceRuntime: Send {
    /// Number that no other runtime of this process has.
    fn identity(&self) -> u64;

    /// Returns name and capacities of the device.
    ///
    /// # Errors
    /// [`CudaError::Driver`] if the driver does not report them.
    fn limits(&mut self) -> Result<Limits, CudaError>;

    /// Loads the kernels of a module, so that the first launch does not have to.
    ///
    /// # Errors
    /// [`CudaError::Load`] if the driver cannot load them.
    fn prepare(&mut self, _module: Module) -> Result<(), CudaError> {
        Ok(())
    }

    /// Frees reserved memory where the runtime can; no [`Memory`] may be used afterwards.
    fn clear(&mut self) {}

    /// Returns `true` if cooperative launches are supported, whose blocks may wait for each other.
    fn runs_all_blocks_at_once(&self) -> bool {
        false
    }

    /// Reserves `bytes` bytes, whose values are undefined.
    ///
    /// # Errors
    /// [`CudaError::OutOfMemory`] if the device does not have them.
    fn reserve(&mut self, bytes: usize) -> Result<Memory, CudaError>;

    /// Writes `bytes` into `to` from byte `offset` on.
    ///
    /// # Errors
    /// [`CudaError::Launch`] if the device is lost.
    fn write_at(&mut self, to: Memory, offset: usize, bytes: &[u8]) -> Result<(), CudaError>;

    /// Writes `bytes` to the beginning of `to`.
    ///
    /// # Errors
    /// As [`Self::write_at`].
    fn write(&mut self, to: Memory, bytes: &[u8]) -> Result<(), CudaError> {
        self.write_at(to, 0, bytes)
    }

    /// Waits for all earlier launches and reads `into.len()` bytes of `from` from byte `offset` on.
    ///
    /// # Errors
    /// [`CudaError::Launch`] if the device is lost or an earlier launch failed.
    fn read_at(&mut self, from: Memory, offset: usize, into: &mut [u8]) -> Result<(), CudaError>;

    /// Waits for all earlier launches and reads `into.len()` bytes from the beginning of `from`.
    ///
    /// # Errors
    /// As [`Self::read_at`].
    fn read(&mut self, from: Memory, into: &mut [u8]) -> Result<(), CudaError> {
        self.read_at(from, 0, into)
    }

    /// Starts to read `bytes` bytes from the beginning of `from`, as they are after all earlier launches; later launches do not change them.
    /// A transfer into a slot replaces an unfinished one in the same slot.
    ///
    /// # Errors
    /// [`CudaError::Launch`] if the device is lost.
    fn begin_read(&mut self, from: Memory, bytes: usize, _slot: usize) -> Result<Transfer, CudaError> {
        let mut into = vec![0; bytes];
        self.read(from, &mut into)?;
        Ok(Transfer { slot: None, bytes: into, ticket: None })
    }

    /// Waits for a transfer, but for no later launch, and returns its bytes.
    ///
    /// # Errors
    /// [`CudaError::Launch`] if the device is lost or a launch before the transfer failed.
    fn end_read(&mut self, transfer: Transfer) -> Result<Vec<u8>, CudaError> {
        Ok(transfer.bytes)
    }

    /// Starts a kernel without waiting for its end.
    ///
    /// # Errors
    /// [`CudaError::Launch`] if the kernel cannot be started.
    fn launch(&mut self, launch: &Launch) -> Result<(), CudaError>;

    /// Waits until all launches have finished.
    ///
    /// # Errors
    /// [`CudaError::Launch`] if one of them failed.
    fn wait(&mut self) -> Result<(), CudaError>;
}
