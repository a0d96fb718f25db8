//! Block and shared memory of a chain of sessions with rooms.

use super::{CHAINS, SINGLES, Sizes};
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

/// Static shared memory of a block and the part that the driver keeps, in bytes.
const BESIDE: u32 = 1_800;

/// Order in which tables are put into shared memory while they fit: nodes of periods, rooms, students, near, durations.
const ORDER: [usize; 5] = [2, 3, 1, 0, 4];

/// Tuning of the launches; results do not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Number of warps per chain, a power of two up to 8; 0: automatic.
    pub warps: u32,
    /// Keeps all tables in global memory even if they fit into shared memory.
    pub global: bool,
}

/// Block and shared memory of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Number of warps per chain.
    pub warps: u32,
    /// Dynamic shared memory of a block, in bytes.
    pub shared_bytes: u32,
    /// Tables in shared memory: bit i for table i of [`Sizes::tables`].
    pub shared_tables: u32,
    /// Number of chains that the device runs at once.
    pub at_once: u32,
}

impl Layout {
    /// Chooses the layout of a chain.
    ///
    /// # Errors
    /// [`CudaError::SharedMemory`] if not even periods and rooms of a chain fit.
    pub fn choose(limits: &Limits, sizes: &Sizes, tuning: Tuning) -> Result<Self, CudaError> {
        let (nodes, sittings) = (sizes.nodes.div_ceil(2), sizes.sittings.div_ceil(2));
        // Chains and single moves use the same part.
        let work = (CHAINS * (nodes + sizes.words())).max(nodes.next_multiple_of(4) + SINGLES);
        let always = [nodes, sittings, sittings, sittings, sizes.sittings.div_ceil(32), work];
        let mut bytes: u32 = always.iter().map(|words| 4 * words.next_multiple_of(4)).sum();
        let offered = u32::try_from(limits.shared_per_block).unwrap_or(u32::MAX).saturating_sub(BESIDE);
        if bytes > offered {
            return Err(CudaError::SharedMemory { needed: bytes as usize, offered: offered as usize });
        }
        let (tables, mut shared_tables) = (sizes.tables(), 0);
        for table in ORDER.into_iter().filter(|_| !tuning.global) {
            if u64::from(bytes) + 4 * u64::from(tables[table]) <= u64::from(offered) {
                bytes += 4 * tables[table];
                shared_tables |= 1 << table;
            }
        }
        let of_multiprocessor = u32::try_from(limits.shared_per_multiprocessor).unwrap_or(u32::MAX);
        let fit = (of_multiprocessor.max(offered) / (bytes + BESIDE)).clamp(1, MOST_BLOCKS);
        let warps =
            if tuning.warps == 0 { WARPS[usize::from(fit > 2)] } else { 1 << tuning.warps.min(MOST_WARPS).ilog2() };
        Ok(Self { warps, shared_bytes: bytes, shared_tables, at_once: fit * limits.all_multiprocessors() })
    }

    /// Threads of a block.
    pub fn block(&self) -> u32 {
        self.warps * WARP
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(shared: usize, sizes: &Sizes) -> Result<Layout, CudaError> {
        let limits = Limits {
            name: "device".to_owned(),
            shared_per_block: shared,
            shared_per_multiprocessor: shared,
            multiprocessors: 10,
            further: Vec::new(),
            free: 1 << 30,
        };
        Layout::choose(&limits, sizes, Tuning::default())
    }

    #[test]
    fn tables_lie_in_shared_memory_as_far_as_they_fit() {
        let small = Sizes { nodes: 240, periods: 20, sittings: 250, rooms: 5, durations: 4, parts: 0 };
        let all = layout(224 << 10, &small).unwrap();
        assert_eq!((all.shared_tables, all.at_once), (0b11111, 40));
        let large = Sizes { nodes: 1_100, periods: 80, sittings: 1_100, rooms: 15, durations: 5, parts: 0 };
        let some = layout(224 << 10, &large).unwrap();
        assert_eq!((some.shared_tables, some.at_once), (0b11100, 30), "near(e, t) has 352 kB, s(e, t) 176");
        assert!(some.shared_bytes <= 224 << 10);
        assert!(layout(8 << 10, &large).unwrap_err().to_string().contains("shared memory"));
    }
}
