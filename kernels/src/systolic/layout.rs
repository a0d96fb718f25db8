//! Assignment of cells to lanes, warps and blocks.

use super::{Problem, Worth};
use crate::runtime::Limits;

/// Lanes of a warp.
const WARP: u32 = 32;

/// Largest number of threads of a block, and of resident threads of a multiprocessor.
const MOST_THREADS: u32 = 1_024;

/// Largest number of threads of a block with several lanes per cell in global memory, which need more registers.
const FEWER_THREADS: u32 = 768;

/// Threads of the warp that computes the positions of the next iteration.
const AHEAD: u32 = WARP;

/// Tuning of the launches; results do not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Lanes per cell: 1, 2, 4 or 8, in shared memory 1 or 4; 0: automatic.
    pub lanes: u32,
    /// Threads of a block, a multiple of 32 from 64 to 1,024; 0: automatic.
    pub block: u32,
    /// Largest number of blocks of a run; 0: automatic.
    pub blocks: u32,
    /// Keeps solutions in global memory even if they fit into shared memory.
    pub global: bool,
}

/// Kernel, blocks and shared memory of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Lanes per cell.
    pub lanes: u32,
    /// Threads of a block.
    pub block: u32,
    /// Number of blocks of a run.
    pub blocks: u32,
    /// Dynamic shared memory of a block, in bytes.
    pub shared_bytes: u32,
    /// True if the solutions lie in shared memory.
    pub shared: bool,
    /// True if the items are copied to shared memory.
    pub(crate) near_items: bool,
    /// True if the blocks of a run can synchronise within a launch.
    pub meets: bool,
}

/// Kernels for runs in global and in shared memory: lanes, name for items, name for the deceptive problem.
const GLOBAL: [(u32, &str, &str); 4] = [
    (1, "walk_items_1", "walk_blocks_1"),
    (2, "walk_items_2", "walk_blocks_2"),
    (4, "walk_items_4", "walk_blocks_4"),
    (8, "walk_items_8", "walk_blocks_8"),
];
const SHARED: [(u32, &str, &str); 2] =
    [(1, "walk_shared_items_1", "walk_shared_blocks_1"), (4, "walk_shared_items_4", "walk_shared_blocks_4")];

impl Layout {
    /// Chooses kernel and blocks for `runs` runs of a problem; `meets` is true on devices with cooperative launches.
    pub(super) fn choose(limits: &Limits, meets: bool, problem: &Problem<'_>, runs: u32, tuning: Tuning) -> Self {
        let blocks_of_six = problem.worth == Worth::Deceptive;
        let items = if blocks_of_six { 0 } else { 8 * u64::from(problem.bits) };
        let room = limits.shared_per_block as u64;
        let solutions = u64::from(problem.solutions()) * (16 * u64::from(problem.words()) + 4);
        let shared = items + solutions <= room && !tuning.global && tuning.blocks <= 1;
        // Each run gets whole multiprocessors, at least one.
        let own = if shared { 1 } else { (limits.multiprocessors / runs).max(1) };
        let wanted = if shared {
            1
        } else if tuning.blocks > 0 {
            tuning.blocks
        } else {
            own
        };
        // A block has some neighbouring columns; no block is empty.
        let columns = problem.bits.div_ceil(wanted.clamp(1, problem.bits));
        let blocks = problem.bits.div_ceil(columns);
        let cells = columns * problem.rows;
        let choice = if shared { &SHARED[..] } else { &GLOBAL[..] };
        // Several lanes per cell only if threads would be idle otherwise.
        let threads = if shared { MOST_THREADS } else { FEWER_THREADS };
        let most = if tuning.lanes > 0 { tuning.lanes } else { (threads - AHEAD) / cells };
        let chosen = choice.iter().rev().find(|(lanes, ..)| *lanes <= most).unwrap_or(&choice[0]);
        let block = match tuning.block {
            0 => (cells * chosen.0).next_multiple_of(WARP) + AHEAD,
            asked => asked.next_multiple_of(WARP),
        };
        let near_items = items > 0 && (shared || items <= room);
        Self {
            kernel: if blocks_of_six { chosen.2 } else { chosen.1 },
            lanes: chosen.0,
            block: block.clamp(WARP + AHEAD, if chosen.0 == 1 { MOST_THREADS } else { threads }),
            blocks,
            shared_bytes: (if near_items { items } else { 0 } + if shared { solutions } else { 0 }) as u32,
            shared,
            near_items,
            meets,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(bits: u32, worth: Worth, runs: u32, tuning: Tuning) -> Layout {
        let limits = Limits::of_sizes(223 << 10, 228 << 10, 132);
        let rows = bits.next_power_of_two().trailing_zeros();
        let problem = Problem { worth, bits, rows, cells: &[], items: &[] };
        Layout::choose(&limits, true, &problem, runs, tuning)
    }

    const ITEMS: Worth = Worth::Knapsack { capacity: 1 };

    #[test]
    fn small_runs_live_in_shared_memory() {
        let small = choose(100, ITEMS, 50, Tuning::default());
        assert_eq!((small.kernel, small.block, small.blocks), ("walk_shared_items_1", 736, 1));
        assert_eq!((small.shared_bytes, small.shared), (1_400 * 36 + 800, true));
        let tiny = choose(35, ITEMS, 1, Tuning::default());
        assert_eq!((tiny.kernel, tiny.block), ("walk_shared_items_4", 896));
        let full = choose(200, ITEMS, 1, Tuning::default());
        assert_eq!((full.shared_bytes, full.block), (219_200, 1_024));
        let global = choose(200, ITEMS, 1, Tuning { global: true, ..Tuning::default() });
        assert_eq!((global.shared, global.near_items, global.shared_bytes), (false, true, 1_600));
        let blocks = choose(300, Worth::Deceptive, 1, Tuning::default());
        assert_eq!((blocks.kernel, blocks.shared_bytes, blocks.blocks), ("walk_blocks_8", 0, 100));
    }

    #[test]
    fn a_large_run_has_the_whole_device_and_many_share_it() {
        let alone = choose(1_000, ITEMS, 1, Tuning::default());
        assert_eq!((alone.kernel, alone.block, alone.blocks), ("walk_items_8", 672, 125));
        let fifty = choose(1_000, ITEMS, 50, Tuning::default());
        assert_eq!((fifty.kernel, fifty.block, fifty.blocks), ("walk_items_1", 1_024, 2));
        let many = choose(1_000, ITEMS, 500, Tuning::default());
        assert_eq!((many.kernel, many.block, many.blocks), ("walk_items_1", 1_024, 1));
        let asked = choose(1_000, ITEMS, 1, Tuning { lanes: 3, block: 100, blocks: 7, global: true });
        assert_eq!((asked.kernel, asked.block, asked.blocks), ("walk_items_2", 128, 7));
        // Few columns, and no block without one.
        let few = choose(5, ITEMS, 1, Tuning { blocks: 4, ..Tuning::default() });
        assert_eq!((few.blocks, few.block), (3, 96));
    }
}
