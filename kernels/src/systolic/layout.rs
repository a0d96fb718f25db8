//! How cells are dealt out to lanes, warps and blocks.

use super::{Problem, Worth};
use crate::machine::Limits;

/// Lanes of a warp.
const WARP: u32 = 32;

/// Most threads in a block, and those that a multiprocessor holds with as many registers as the kernels may use.
const MOST_THREADS: u32 = 1_024;

/// Fewest threads in a block that is chosen.
const LEAST_BLOCK: u32 = 128;

/// Lanes that a cell has where there are enough cells to fill the device.
const ENOUGH: u32 = 4;

/// How the device is used; results do not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Lanes that work on a cell: 1, 4, 8 or 16; 0: chosen.
    pub lanes: u32,
    /// Threads of a block, a multiple of 32 up to 1,024; 0: chosen.
    pub block: u32,
    /// Blocks of a run; 0: chosen.
    pub blocks: u32,
    /// Keep solutions in global memory even where they fit into shared memory.
    pub global: bool,
}

/// How runs are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The kernel.
    pub kernel: &'static str,
    /// Lanes that work on a cell.
    pub lanes: u32,
    /// Threads of a block.
    pub block: u32,
    /// Blocks of a run.
    pub blocks: u32,
    /// Dynamic shared memory of a block, bytes; 0: solutions are in global memory.
    pub shared_bytes: u32,
    /// Whether the blocks of a run can meet within a launch.
    pub meets: bool,
}

/// Lanes, name for items and name for blocks of six; in global and in shared memory.
const GLOBAL: [(u32, &str, &str); 4] = [
    (1, "walk_items_1", "walk_blocks_1"),
    (4, "walk_items_4", "walk_blocks_4"),
    (8, "walk_items_8", "walk_blocks_8"),
    (16, "walk_items_16", "walk_blocks_16"),
];
const SHARED: [(u32, &str, &str); 2] =
    [(1, "walk_shared_items_1", "walk_shared_blocks_1"), (4, "walk_shared_items_4", "walk_shared_blocks_4")];

impl Layout {
    /// Chooses a kernel for as many runs of a problem.
    pub(super) fn choose(limits: &Limits, meets: bool, problem: &Problem<'_>, runs: u32, tuning: Tuning) -> Self {
        let cells = problem.bits * problem.rows;
        let needed = u64::from(problem.solutions()) * (8 * u64::from(problem.words()) + 12);
        let shared = needed <= limits.shared_per_block as u64 && !tuning.global && tuning.blocks <= 1;
        // What a run has of the device: whole multiprocessors, at least one.
        let own = if shared { 1 } else { (limits.multiprocessors / runs).max(1) };
        let choice = if shared { &SHARED[..] } else { &GLOBAL[..] };
        let most = own * MOST_THREADS;
        let fits = |lanes: u32| if tuning.lanes > 0 { lanes <= tuning.lanes } else { cells * lanes <= most };
        let enough = choice.iter().find(|(lanes, ..)| *lanes == if shared { 1 } else { ENOUGH });
        let fitting = choice.iter().rev().find(|(lanes, ..)| fits(*lanes));
        // More than enough only where lanes would be idle otherwise.
        let chosen = match (fitting, enough) {
            (Some(fitting), Some(enough)) if tuning.lanes == 0 && fitting.0 < enough.0 => enough,
            (Some(fitting), _) => fitting,
            (None, enough) => enough.unwrap_or(&choice[0]),
        };
        let wanted = cells.saturating_mul(chosen.0);
        let block = match tuning.block {
            0 => wanted.div_ceil(own).next_multiple_of(WARP).clamp(LEAST_BLOCK, MOST_THREADS),
            asked => asked.next_multiple_of(WARP).min(MOST_THREADS),
        };
        let blocks = match tuning.blocks {
            0 => wanted.div_ceil(block).min(own),
            asked => asked,
        };
        Self {
            kernel: if problem.worth == Worth::Deceptive { chosen.2 } else { chosen.1 },
            lanes: chosen.0,
            block,
            blocks: if shared { 1 } else { blocks.max(1) },
            shared_bytes: if shared { needed as u32 } else { 0 },
            meets,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(bits: u32, worth: Worth, runs: u32, tuning: Tuning) -> Layout {
        let limits = Limits {
            name: "device".to_owned(),
            shared_per_block: 223 << 10,
            shared_per_multiprocessor: 228 << 10,
            multiprocessors: 132,
            free: 1 << 30,
        };
        let rows = bits.next_power_of_two().trailing_zeros();
        let problem = Problem { worth, bits, rows, cells: &[], items: &[] };
        Layout::choose(&limits, true, &problem, runs, tuning)
    }

    const ITEMS: Worth = Worth::Knapsack { capacity: 1 };

    #[test]
    fn small_runs_live_in_shared_memory() {
        let small = choose(100, ITEMS, 50, Tuning::default());
        assert_eq!((small.kernel, small.block, small.blocks), ("walk_shared_items_1", 704, 1));
        assert_eq!(small.shared_bytes, 1_400 * 28);
        let tiny = choose(35, ITEMS, 1, Tuning::default());
        assert_eq!((tiny.kernel, tiny.block), ("walk_shared_items_4", 864));
        assert_eq!(choose(200, ITEMS, 1, Tuning::default()).shared_bytes, 140_800);
        assert_eq!(choose(200, ITEMS, 1, Tuning { global: true, ..Tuning::default() }).shared_bytes, 0);
        assert_eq!(choose(300, Worth::Deceptive, 1, Tuning::default()).kernel, "walk_blocks_16");
    }

    #[test]
    fn a_large_run_has_the_whole_device_and_many_share_it() {
        let alone = choose(1_000, ITEMS, 1, Tuning::default());
        assert_eq!((alone.kernel, alone.block, alone.blocks), ("walk_items_8", 608, 132));
        let fifty = choose(1_000, ITEMS, 50, Tuning::default());
        assert_eq!((fifty.kernel, fifty.block, fifty.blocks), ("walk_items_4", 1_024, 2));
        let many = choose(1_000, ITEMS, 500, Tuning::default());
        assert_eq!((many.kernel, many.block, many.blocks), ("walk_items_4", 1_024, 1));
        let asked = choose(1_000, ITEMS, 1, Tuning { lanes: 16, block: 100, blocks: 7, global: true });
        assert_eq!((asked.kernel, asked.block, asked.blocks), ("walk_items_16", 128, 7));
    }
}
