//! Block and shared memory of a chain of sessions with rooms.

use super::{CHAINS, LEVELS, SINGLES, Sizes};
use crate::CudaError;
use crate::runtime::Limits;

/// Lanes of a warp.
const WARP: u32 = 32;

/// Largest number of warps of a block.
const MOST_WARPS: u32 = 8;

/// Number of warps of a block unless asked otherwise, where a multiprocessor runs one or two chains, and where it runs more.
const WARPS: [u32; 2] = [8, 4];

/// Largest number of chains that a multiprocessor runs at once.
const MOST_BLOCKS: u32 = 4;

/// Number of chains of a multiprocessor beyond which more are no reason to leave tables out of shared memory.
const FEW: u32 = 2;

/// Static shared memory of a block and the part that the driver keeps, in bytes.
const BESIDE: u32 = 1_800;

/// Order in which tables are put into shared memory while they fit: nodes of periods, rooms, students, near, durations.
const ORDER: [usize; 5] = [2, 3, 1, 0, 4];

/// Tables of [`Sizes::tables`] that hold near(e, t) and s(e, t).
const NEAR: usize = 0;
const STUDENTS: usize = 1;

/// Memory of the tables of a chain. What does not fit, or has numbers that do not, is as [`Self::Wide`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Memory {
    /// The first of [`Self::Narrow`], [`Self::NarrowNear`] and [`Self::Wide`] with which a multiprocessor runs two chains at once, or
    /// as many as with any of them.
    #[default]
    Automatic,
    /// Shared memory with 16 bits for every near(e, t).
    Narrow,
    /// As [`Self::Narrow`], but s(e, t) in global memory.
    NarrowNear,
    /// Shared memory as far as the tables fit, with 32 bits for every near(e, t).
    Wide,
    /// Global memory.
    Global,
}

/// Tuning of the launches; results do not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Number of warps per chain, a power of two up to 8; 0: automatic.
    pub warps: u32,
    /// Memory of the tables.
    pub memory: Memory,
}

/// Block and shared memory of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Number of warps per chain.
    pub warps: u32,
    /// Dynamic shared memory of a block, in bytes.
    pub shared_bytes: u32,
    /// Tables in shared memory: bit i for table i of [`Sizes::tables`].
    pub(crate) shared_tables: u32,
    /// Number of chains that the device runs at once.
    pub at_once: u32,
}

impl Layout {
    /// Chooses the layout of a chain.
    ///
    /// # Errors
    /// [`CudaError::SharedMemory`] if not even periods and rooms of a chain fit.
    pub fn choose(limits: &Limits, sizes: &Sizes, tuning: Tuning) -> Result<Self, CudaError> {
        if tuning.memory != Memory::Automatic {
            return Self::of(limits, sizes, tuning.memory, tuning.warps);
        }
        let enough = FEW * limits.all_multiprocessors();
        let mut best = Self::of(limits, sizes, Memory::Narrow, tuning.warps)?;
        for memory in [Memory::NarrowNear, Memory::Wide] {
            let other = Self::of(limits, sizes, memory, tuning.warps)?;
            if other.at_once.min(enough) > best.at_once.min(enough) {
                best = other;
            }
        }
        Ok(best)
    }

    /// Layout with the tables in a memory.
    fn of(limits: &Limits, sizes: &Sizes, memory: Memory, warps: u32) -> Result<Self, CudaError> {
        let (nodes, sittings) = (sizes.nodes.div_ceil(2), sizes.sittings.div_ceil(2));
        // Chains and single moves use the same part.
        let work = (CHAINS * (nodes + sizes.words())).max(nodes.next_multiple_of(4) + SINGLES);
        let always = [nodes, sittings, sittings, sittings, sizes.sittings.div_ceil(32), work];
        let mut bytes: u32 = always.iter().map(|words| 4 * words.next_multiple_of(4)).sum();
        let offered = u32::try_from(limits.shared_per_block).unwrap_or(u32::MAX).saturating_sub(BESIDE);
        if bytes > offered {
            return Err(CudaError::SharedMemory { needed: bytes as usize, offered: offered as usize });
        }
        let mut tables = sizes.tables();
        let fits = |bytes: u32, words: u32| u64::from(bytes) + 4 * u64::from(words) <= u64::from(offered);
        let (kernel, shared_tables) = match memory {
            Memory::Narrow | Memory::NarrowNear => {
                let mut shared_tables = (1 << tables.len()) - 1;
                if memory == Memory::NarrowNear {
                    shared_tables &= !(1 << STUDENTS);
                    tables[STUDENTS] = 0;
                }
                tables[NEAR] = (tables[NEAR] / 2).next_multiple_of(4);
                // Traits of the nodes; sittings, penalties of the rooms; with 16 bits sittings by rank, choices, costs of pairs, levels.
                let halves = [sizes.sittings, sizes.choices, sizes.periods * sizes.stride(), LEVELS as u32];
                let session = [sizes.nodes, 4 * sizes.sittings, sizes.rooms].into_iter();
                let session: Vec<u32> = session.chain(halves.map(|numbers| numbers.div_ceil(2))).collect();
                let words = tables.iter().chain(&session).map(|words| words.next_multiple_of(4)).sum();
                if !sizes.is_narrow || !fits(bytes, words) {
                    return Self::of(limits, sizes, Memory::Wide, warps);
                }
                bytes += 4 * words;
                ("anneal_seating_narrow", shared_tables)
            }
            Memory::Automatic | Memory::Wide | Memory::Global => {
                let mut shared_tables = 0;
                for table in ORDER.into_iter().filter(|_| memory != Memory::Global) {
                    if fits(bytes, tables[table]) {
                        bytes += 4 * tables[table];
                        shared_tables |= 1 << table;
                    }
                }
                ("anneal_seating", shared_tables)
            }
        };
        let of_multiprocessor = u32::try_from(limits.shared_per_multiprocessor).unwrap_or(u32::MAX);
        let fit = (of_multiprocessor.max(offered) / (bytes + BESIDE)).clamp(1, MOST_BLOCKS);
        let warps = if warps == 0 { WARPS[usize::from(fit > 2)] } else { 1 << warps.min(MOST_WARPS).ilog2() };
        let at_once = fit * limits.all_multiprocessors();
        Ok(Self { kernel, warps, shared_bytes: bytes, shared_tables, at_once })
    }

    /// Threads of a block.
    pub fn block(&self) -> u32 {
        self.warps * WARP
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(shared: usize, sizes: &Sizes, memory: Memory) -> Result<Layout, CudaError> {
        let limits = Limits::of_sizes(shared, shared, 10);
        Layout::choose(&limits, sizes, Tuning { memory, ..Tuning::default() })
    }

    #[test]
    fn tables_lie_in_shared_memory_as_far_as_they_fit() {
        let small = Sizes {
            nodes: 240,
            periods: 20,
            sittings: 250,
            rooms: 5,
            durations: 4,
            choices: 5,
            parts: 0,
            is_narrow: false,
        };
        let all = layout(224 << 10, &small, Memory::Wide).unwrap();
        assert_eq!((all.kernel, all.shared_tables, all.at_once), ("anneal_seating", 0b11111, 40));
        let large = Sizes {
            nodes: 1_100,
            periods: 80,
            sittings: 1_100,
            rooms: 15,
            durations: 5,
            choices: 15,
            parts: 0,
            is_narrow: true,
        };
        let some = layout(224 << 10, &large, Memory::Wide).unwrap();
        assert_eq!((some.kernel, some.shared_tables, some.at_once), ("anneal_seating", 0b11100, 30));
        assert!(some.shared_bytes <= 224 << 10, "near(e, t) has 352 kB, s(e, t) 176");
        assert_eq!(layout(224 << 10, &large, Memory::Narrow).unwrap(), some, "both do not fit");
        assert_eq!(layout(224 << 10, &large, Memory::Global).unwrap().shared_tables, 0);
        assert!(layout(8 << 10, &large, Memory::Automatic).unwrap_err().to_string().contains("shared memory"));
    }

    #[test]
    fn sixteen_bits_for_near_leave_room_for_twice_as_many_chains() {
        let sizes = Sizes {
            nodes: 543,
            periods: 32,
            sittings: 543,
            rooms: 6,
            durations: 1,
            choices: 6,
            parts: 0,
            is_narrow: true,
        };
        let of = |sizes: &Sizes, memory| {
            let layout = layout(228 << 10, sizes, memory).unwrap();
            (layout.kernel, layout.shared_tables, layout.at_once)
        };
        assert_eq!(of(&sizes, Memory::Wide), ("anneal_seating", 0b11111, 10));
        assert_eq!(of(&sizes, Memory::Automatic), ("anneal_seating_narrow", 0b11111, 20));
        assert_eq!(of(&Sizes { is_narrow: false, ..sizes }, Memory::Automatic), of(&sizes, Memory::Wide));
        let long = Sizes { periods: 60, ..sizes };
        assert_eq!(of(&long, Memory::Narrow), ("anneal_seating_narrow", 0b11111, 10));
        assert_eq!(of(&long, Memory::Automatic), ("anneal_seating_narrow", 0b11101, 20));
    }
}
