//! What runs kernels: memory, transfers and launches behind one safe trait.
//!
//! [`CudaMachine`](crate::CudaMachine) is a device. The tests have a second machine, which runs the same `.cu` files on
//! the CPU, and one that breaks off where it is told; so everything above this trait is tested without a device. A
//! [`Launch`] can only be made by the typed functions of this crate, which know what their kernel reads and writes.

use std::marker::PhantomData;

use crate::CudaError;

/// What a machine offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// What people call it.
    pub name: String,
    /// Shared memory that a block can have, bytes.
    pub shared_per_block: usize,
    /// Shared memory of a multiprocessor, bytes.
    pub shared_per_multiprocessor: usize,
    /// Number of multiprocessors.
    pub multiprocessors: u32,
    /// Device memory that is free now, bytes.
    pub free: u64,
}

/// A piece of a machine's memory. It is freed with the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// The machine that it belongs to, by [`Machine::identity`].
    pub machine: u64,
    /// Its number there, from 0.
    pub number: u32,
    /// Its size in bytes.
    pub bytes: usize,
}

/// Bytes on their way from a machine.
#[derive(Debug)]
pub struct Transfer {
    /// Where they arrive; nowhere, where they have arrived already.
    pub(crate) slot: Option<usize>,
    pub(crate) bytes: Vec<u8>,
}

/// What an array on a machine can hold; kernels see it in little-endian order.
pub trait Element: Copy + Send + Sync + 'static {
    /// Size in bytes.
    const BYTES: usize;
    /// Appends the little-endian bytes.
    fn append(self, bytes: &mut Vec<u8>);
    /// The value of [`Self::BYTES`] little-endian bytes.
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
element!(f64);
element!(u32);
element!(u64);

/// Memory that holds `len` elements of one type.
#[derive(Debug)]
pub struct Array<T> {
    /// Where it lies.
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
    /// Reserves room for `len` elements, at least one.
    ///
    /// # Errors
    /// As [`Machine::reserve`].
    pub fn reserve(machine: &mut dyn Machine, len: usize) -> Result<Self, CudaError> {
        let memory = machine.reserve(len.max(1) * T::BYTES)?;
        Ok(Self { memory, len, element: PhantomData })
    }

    /// Reserves room and writes `elements` into it.
    ///
    /// # Errors
    /// As [`Machine::reserve`] and [`Machine::write`].
    pub fn upload(machine: &mut dyn Machine, elements: &[T]) -> Result<Self, CudaError> {
        let array = Self::reserve(machine, elements.len())?;
        array.write(machine, elements)?;
        Ok(array)
    }

    /// Writes `elements` to the beginning.
    ///
    /// # Errors
    /// As [`Machine::write`].
    pub fn write(&self, machine: &mut dyn Machine, elements: &[T]) -> Result<(), CudaError> {
        let mut bytes = Vec::with_capacity(elements.len() * T::BYTES);
        for element in elements {
            element.append(&mut bytes);
        }
        machine.write(self.memory, &bytes)
    }

    /// Reads the first `len` elements once everything before is done.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn read(&self, machine: &mut dyn Machine, len: usize) -> Result<Vec<T>, CudaError> {
        let bytes = self.read_bytes(machine, len)?;
        Ok(bytes.chunks_exact(T::BYTES).map(T::of).collect())
    }

    /// Begins to read the first `len` elements, in the background; see [`Machine::begin_read`].
    ///
    /// # Errors
    /// As [`Machine::begin_read`].
    pub fn begin_read(&self, machine: &mut dyn Machine, len: usize, slot: usize) -> Result<Transfer, CudaError> {
        machine.begin_read(self.memory, len.min(self.len) * T::BYTES, slot)
    }

    /// The elements of a transfer, once it is done.
    ///
    /// # Errors
    /// As [`Machine::end_read`].
    pub fn end_read(&self, machine: &mut dyn Machine, transfer: Transfer) -> Result<Vec<T>, CudaError> {
        Ok(machine.end_read(transfer)?.chunks_exact(T::BYTES).map(T::of).collect())
    }

    /// The bytes of the first `len` elements.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn read_bytes(&self, machine: &mut dyn Machine, len: usize) -> Result<Vec<u8>, CudaError> {
        let mut bytes = vec![0; len.min(self.len) * T::BYTES];
        machine.read(self.memory, &mut bytes)?;
        Ok(bytes)
    }
}

/// The compiled kernels of one search or computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Module {
    /// `annealing.cu`.
    Annealing,
    /// `evolution.cu`.
    Evolution,
    /// `makespan.cu`.
    Makespan,
    /// `facility.cu`.
    Facility,
    /// `front.cu`.
    Front,
    /// `systolic.cu`.
    Systolic,
    /// `greedy.cu`.
    Greedy,
    /// `rivals.cu`.
    Rivals,
}

impl Module {
    /// All of them.
    pub const ALL: [Module; 8] = [
        Module::Annealing,
        Module::Evolution,
        Module::Makespan,
        Module::Facility,
        Module::Front,
        Module::Systolic,
        Module::Greedy,
        Module::Rivals,
    ];

    /// The name of its source without the ending.
    pub fn name(self) -> &'static str {
        match self {
            Self::Annealing => "annealing",
            Self::Evolution => "evolution",
            Self::Makespan => "makespan",
            Self::Facility => "facility",
            Self::Front => "front",
            Self::Systolic => "systolic",
            Self::Greedy => "greedy",
            Self::Rivals => "rivals",
        }
    }
}

/// An argument of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// The address of a piece of memory.
    Memory(Memory),
    /// A number or a structure, as the kernel sees it.
    Value(Vec<u8>),
}

/// One launch of a kernel, ready to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    module: Module,
    kernel: &'static str,
    grid: [u32; 2],
    block: u32,
    shared: u32,
    all_at_once: bool,
    arguments: Vec<Argument>,
}

impl Launch {
    /// A launch with `grid` blocks of `block` threads and `shared` bytes of dynamic shared memory.
    ///
    /// Only for functions of this crate that know the kernel: order, types and sizes of its arguments.
    pub(crate) fn new(module: Module, kernel: &'static str, grid: [u32; 2], block: u32, shared: u32) -> Self {
        Self { module, kernel, grid, block, shared, all_at_once: false, arguments: Vec::with_capacity(20) }
    }

    /// The same with all blocks running at once, so that they can wait for each other; it fails where they do not fit.
    pub(crate) fn all_at_once(mut self) -> Self {
        self.all_at_once = true;
        self
    }

    pub(crate) fn array<T>(mut self, array: &Array<T>) -> Self {
        self.arguments.push(Argument::Memory(array.memory));
        self
    }

    pub(crate) fn number(mut self, number: u32) -> Self {
        self.arguments.push(Argument::Value(number.to_le_bytes().to_vec()));
        self
    }

    pub(crate) fn structure(mut self, bytes: &[u8]) -> Self {
        self.arguments.push(Argument::Value(bytes.to_vec()));
        self
    }

    /// The kernels that it belongs to.
    pub fn module(&self) -> Module {
        self.module
    }

    /// The name of the kernel.
    pub fn kernel(&self) -> &'static str {
        self.kernel
    }

    /// Number of blocks in two directions.
    pub fn grid(&self) -> [u32; 2] {
        self.grid
    }

    /// Threads in a block.
    pub fn block(&self) -> u32 {
        self.block
    }

    /// Dynamic shared memory of a block, bytes.
    pub fn shared(&self) -> u32 {
        self.shared
    }

    /// Whether all blocks have to run at once.
    pub fn is_all_at_once(&self) -> bool {
        self.all_at_once
    }

    /// The arguments, in the order of the kernel.
    pub fn arguments(&self) -> &[Argument] {
        &self.arguments
    }
}

/// Runs kernels, one after the other in the order in which they were launched.
pub trait Machine: Send {
    /// A number that no other machine of this process has.
    fn identity(&self) -> u64;

    /// What it offers.
    ///
    /// # Errors
    /// [`CudaError::Driver`] where the driver does not say.
    fn limits(&mut self) -> Result<Limits, CudaError>;

    /// Makes the kernels of a module ready, so that the first launch does not wait for it.
    ///
    /// # Errors
    /// [`CudaError::Load`] with what the driver says.
    fn prepare(&mut self, _module: Module) -> Result<(), CudaError> {
        Ok(())
    }

    /// Frees what can be freed of all memory that was reserved; nobody may use it after.
    fn clear(&mut self) {}

    /// Whether it can be made to run all blocks of a launch at once, so that they may wait for each other.
    fn runs_all_blocks_at_once(&self) -> bool {
        false
    }

    /// Reserves memory.
    ///
    /// # Errors
    /// [`CudaError::OutOfMemory`] where it does not suffice.
    fn reserve(&mut self, bytes: usize) -> Result<Memory, CudaError>;

    /// Writes to the beginning of a piece of memory.
    ///
    /// # Errors
    /// [`CudaError::Launch`] where the device is lost.
    fn write(&mut self, to: Memory, bytes: &[u8]) -> Result<(), CudaError>;

    /// Reads from the beginning of a piece of memory, once all launches before are done.
    ///
    /// # Errors
    /// [`CudaError::Launch`] where the device is lost or a launch before broke off.
    fn read(&mut self, from: Memory, into: &mut [u8]) -> Result<(), CudaError>;

    /// Begins to read from the beginning of a piece of memory as it will be once all launches before are done; what is launched after
    /// does not change what is read. A transfer into the same slot may take the place of one that was not asked for.
    ///
    /// # Errors
    /// [`CudaError::Launch`] where the device is lost.
    fn begin_read(&mut self, from: Memory, bytes: usize, _slot: usize) -> Result<Transfer, CudaError> {
        let mut into = vec![0; bytes];
        self.read(from, &mut into)?;
        Ok(Transfer { slot: None, bytes: into })
    }

    /// What was read, once it is there; what was launched after the transfer is not waited for.
    ///
    /// # Errors
    /// [`CudaError::Launch`] where the device is lost or a launch before the transfer broke off.
    fn end_read(&mut self, transfer: Transfer) -> Result<Vec<u8>, CudaError> {
        Ok(transfer.bytes)
    }

    /// Starts a kernel; it need not be done when this returns.
    ///
    /// # Errors
    /// [`CudaError::Launch`] where it cannot be started.
    fn launch(&mut self, launch: &Launch) -> Result<(), CudaError>;

    /// Waits until everything is done.
    ///
    /// # Errors
    /// [`CudaError::Launch`] where something broke off.
    fn wait(&mut self) -> Result<(), CudaError>;
}
