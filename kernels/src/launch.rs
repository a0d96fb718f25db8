//! Launch of a kernel: grid, arguments, and the division of its work among several devices.
//!
//! A kernel whose blocks are independent of each other can be divided: it works on *items* (chains, individuals, islands), a block on as many
//! neighbouring items as [`Division::per_block`] says, and its arguments tell the first item of the launch. The launch then names the use of each
//! array: rows of which each belongs to one item, input that is only read, or working memory. [`DeviceGroup`](crate::DeviceGroup) runs such a
//! launch on all of its devices, a part of the items on each, and any other launch on its first device.

use std::ops::Range;
use std::sync::Arc;

use crate::runtime::{Array, Element, Memory, Module};

/// Argument of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// Address of a piece of device memory.
    Memory(Memory),
    /// Bytes of a number or a struct, little-endian.
    Value(Vec<u8>),
}

/// Use that a launch makes of a piece of device memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Access {
    /// Any block may read and write any part of it.
    Any,
    /// It is only read.
    Input,
    /// Each item reads and writes its own row.
    Rows(Rows),
    /// As [`Self::Rows`]; in a launch over pairs of items, the second item also reads the row of the first one.
    Brought(Rows),
    /// Blocks write before they read, and nothing reads it after the launch.
    Working,
}

/// Rows of an array, one per item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rows {
    /// Rows of as many bytes each.
    Even(usize),
    /// Byte at which each row begins, and the end of the last one.
    From(Arc<[usize]>),
}

impl Rows {
    /// Byte at which the row of an item begins; the end of the last row for the number of items.
    pub(crate) fn begin(&self, item: u32) -> usize {
        match self {
            Self::Even(bytes) => bytes * item as usize,
            Self::From(begins) => begins.get(item as usize).or(begins.last()).copied().unwrap_or(0),
        }
    }
}

/// Argument that holds the number of an item: index of the argument, and offset in bytes within a struct.
type Place = (usize, usize);

/// Division of a launch among devices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Division {
    /// Items of the launch; of a launch over pairs, the numbers of the pairs.
    pub items: Range<u32>,
    /// Number of items of all launches that use the same rows.
    pub total: u32,
    /// Number of neighbouring items that stay together on a device.
    pub unit: u32,
    /// Number of items that a block works on.
    pub per_block: u32,
    /// Work of the items before each item, and of all items; `None` if all have equal work.
    pub work: Option<Arc<[u64]>>,
    /// Pairs (from, to) of items in the order of `to`, for launches that bring rows from one item to another.
    pub pairs: Option<Vec<(u32, u32)>>,
}

impl Division {
    /// Division of `items` among `total`, each of which has a block and equal work.
    pub(crate) fn of(items: Range<u32>, total: u32) -> Self {
        Self { items, total, unit: 1, per_block: 1, ..Self::default() }
    }

    /// Work of the items before `item`.
    pub(crate) fn work_before(&self, item: u32) -> u64 {
        match &self.work {
            Some(work) => work.get(item as usize).or(work.last()).copied().unwrap_or(0),
            None => u64::from(item),
        }
    }
}

/// Launch of a kernel with its grid and arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    module: Module,
    kernel: &'static str,
    grid: [u32; 2],
    block: u32,
    shared: u32,
    all_at_once: bool,
    arguments: Vec<Argument>,
    /// Uses of the arguments, in their order; [`Access::Any`] for values.
    accesses: Vec<Access>,
    first: Option<Place>,
    end: Option<Place>,
    division: Option<Division>,
}

impl Launch {
    /// Creates a launch of `grid` blocks of `block` threads with `shared` bytes of dynamic shared memory.
    ///
    /// For functions of this crate that know order, types and sizes of the kernel's arguments.
    pub(crate) fn new(module: Module, kernel: &'static str, grid: [u32; 2], block: u32, shared: u32) -> Self {
        Self {
            module,
            kernel,
            grid,
            block,
            shared,
            all_at_once: false,
            arguments: Vec::with_capacity(20),
            accesses: Vec::with_capacity(20),
            first: None,
            end: None,
            division: None,
        }
    }

    /// Makes the launch cooperative: all blocks run at once, so that they can wait for each other. It fails if they do not fit.
    pub(crate) fn all_at_once(mut self) -> Self {
        self.all_at_once = true;
        self
    }

    /// Lets several devices share the launch; its memory has to be named by [`Self::rows`], [`Self::brought`], [`Self::input`] and
    /// [`Self::working`] only.
    pub(crate) fn divided(mut self, division: Division) -> Self {
        self.division = Some(division);
        self
    }

    fn memory(mut self, memory: Memory, access: Access) -> Self {
        self.arguments.push(Argument::Memory(memory));
        self.accesses.push(access);
        self
    }

    /// Appends the address of an array that any block may read and write.
    pub(crate) fn array<T>(self, array: &Array<T>) -> Self {
        self.memory(array.memory, Access::Any)
    }

    /// Appends the address of an array that is only read.
    pub(crate) fn input<T>(self, array: &Array<T>) -> Self {
        self.memory(array.memory, Access::Input)
    }

    /// Appends the address of an array with a row for each item.
    pub(crate) fn rows<T>(self, array: &Array<T>, rows: Rows) -> Self {
        self.memory(array.memory, Access::Rows(rows))
    }

    /// Appends the address of an array with a row for each item, of which the second item of a pair reads that of the first one.
    pub(crate) fn brought<T>(self, array: &Array<T>, rows: Rows) -> Self {
        self.memory(array.memory, Access::Brought(rows))
    }

    /// Appends the address of an array that holds nothing between launches.
    pub(crate) fn working<T>(self, array: &Array<T>) -> Self {
        self.memory(array.memory, Access::Working)
    }

    /// Appends a 32-bit number.
    pub(crate) fn number(self, number: u32) -> Self {
        self.value(number)
    }

    /// Appends the number of the first item.
    pub(crate) fn first(self, number: u32) -> Self {
        let place = Some((self.arguments.len(), 0));
        Self { first: place, ..self.value(number) }
    }

    /// Appends the number of the item behind the last one.
    pub(crate) fn end(self, number: u32) -> Self {
        let place = Some((self.arguments.len(), 0));
        Self { end: place, ..self.value(number) }
    }

    /// Appends a struct with the number of the first item at byte `offset`.
    pub(crate) fn value_with_first<T: Element>(self, value: T, offset: usize) -> Self {
        let place = Some((self.arguments.len(), offset));
        Self { first: place, ..self.value(value) }
    }

    /// Appends a number or a struct, passed by value.
    pub(crate) fn value<T: Element>(mut self, value: T) -> Self {
        let mut bytes = Vec::with_capacity(T::BYTES);
        value.append(&mut bytes);
        self.arguments.push(Argument::Value(bytes));
        self.accesses.push(Access::Any);
        self
    }

    /// Module of the kernel.
    pub fn module(&self) -> Module {
        self.module
    }

    /// Name of the kernel.
    pub fn kernel(&self) -> &'static str {
        self.kernel
    }

    /// Number of blocks in x and y.
    pub fn grid(&self) -> [u32; 2] {
        self.grid
    }

    /// Number of threads of a block.
    pub fn block(&self) -> u32 {
        self.block
    }

    /// Dynamic shared memory of a block, in bytes.
    pub fn shared(&self) -> u32 {
        self.shared
    }

    /// Returns `true` for a cooperative launch, whose blocks have to run all at once.
    pub(crate) fn is_all_at_once(&self) -> bool {
        self.all_at_once
    }

    /// Arguments in the order of the kernel.
    pub fn arguments(&self) -> &[Argument] {
        &self.arguments
    }

    /// Division among devices; `None` if the launch cannot be divided.
    pub(crate) fn division(&self) -> Option<&Division> {
        self.division.as_ref()
    }

    /// Each piece of memory and its use.
    pub(crate) fn memories(&self) -> impl Iterator<Item = (Memory, &Access)> {
        self.arguments.iter().zip(&self.accesses).filter_map(|(argument, access)| match argument {
            Argument::Memory(memory) => Some((*memory, access)),
            Argument::Value(_) => None,
        })
    }

    /// Returns the launch for one of several devices: with its memory, and, for a part of the items, with these items only.
    pub(crate) fn on(&self, items: Option<Range<u32>>, memory: impl Fn(Memory) -> Memory) -> Self {
        let mut own = self.clone();
        for argument in &mut own.arguments {
            if let Argument::Memory(piece) = argument {
                *piece = memory(*piece);
            }
        }
        if let (Some(items), Some(division)) = (items, &mut own.division) {
            own.grid[0] = items.len().div_ceil(division.per_block.max(1) as usize) as u32;
            for (place, number) in [(own.first, items.start), (own.end, items.end)] {
                let Some((index, offset)) = place else { continue };
                if let Some(Argument::Value(bytes)) = own.arguments.get_mut(index) {
                    bytes[offset..offset + 4].copy_from_slice(&number.to_le_bytes());
                }
            }
            division.items = items;
        }
        own
    }
}
