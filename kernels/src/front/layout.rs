//! Assignment of neighbours to warps and blocks, and choice of the memory for rows of processing times.

use super::{Neighbours, Shop};
use crate::CudaError;
use crate::runtime::Limits;

/// Threads of a warp.
const WARP: u32 = 32;

/// Largest number of threads of a block.
const MOST_THREADS: u32 = 512;

/// Memory from which rows of processing times are read: the three variants of Luong, Melab and Talbi (EvoCOP 2011).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// Shared memory, to which every block copies them.
    Shared,
    /// Global memory through the read-only path, the texture memory of the publication.
    ReadOnly,
    /// Plain global memory.
    Global,
}

impl Storage {
    /// All variants.
    pub const ALL: [Self; 3] = [Self::Shared, Self::ReadOnly, Self::Global];
}

/// Tuning of the launches; results do not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
    /// Threads of a block, a multiple of 32 up to 512; 0: automatic.
    pub block: u32,
    /// Memory of the rows; `None`: shared memory if they fit, otherwise the read-only path.
    pub storage: Option<Storage>,
    /// Approximate largest number of operations of a launch; a desktop's GPU also draws its screen.
    pub operations: u64,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { block: 0, storage: None, operations: 1 << 34 }
    }
}

/// Kernel, block and shared memory of an exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Number of machines that the kernel computes, including padding machines with processing times 0.
    pub machines: u32,
    /// 32-bit words of a row.
    pub width: u32,
    /// Threads of a block.
    pub block: u32,
    /// Dynamic shared memory of a block, in bytes.
    pub shared_bytes: u32,
    /// Number of warps per neighbourhood.
    pub warps: u32,
    /// Number of blocks per neighbourhood.
    pub segments: u32,
}

/// Kernels that hold completion times in registers: number of machines, then names for shared memory, read-only path and global memory.
const KERNELS: [(u32, [&str; 3]); 3] = [
    (5, ["explore_5_shared", "explore_5_read_only", "explore_5_global"]),
    (10, ["explore_10_shared", "explore_10_read_only", "explore_10_global"]),
    (20, ["explore_20_shared", "explore_20_read_only", "explore_20_global"]),
];

impl Layout {
    /// Chooses a kernel for neighbourhoods of `warps` warps.
    ///
    /// # Errors
    /// [`CudaError::SharedMemory`] if a warp's completion times or a permutation do not fit.
    pub(super) fn choose(
        limits: &Limits, jobs: u32, machines: u32, warps: u32, narrow: bool, tuning: Tuning,
    ) -> Result<Self, CudaError> {
        let fixed = KERNELS.iter().find(|kernel| narrow && kernel.0 >= machines);
        let machines = fixed.map_or(machines, |kernel| kernel.0);
        let width = (machines + 2).next_multiple_of(4);
        let table = 8 * u64::from(jobs) * u64::from(width);
        let offered = limits.shared_per_block as u64;
        let fits = table.max(u64::from(tail(WARP))) <= offered;
        let storage = match tuning.storage {
            Some(Storage::Shared) | None if fits => Storage::Shared,
            Some(Storage::Global) => Storage::Global,
            _ => Storage::ReadOnly,
        };
        let asked = |chosen: u32| match tuning.block {
            0 => chosen,
            asked => asked.next_multiple_of(WARP).clamp(WARP, MOST_THREADS),
        };
        let (kernel, bytes): (_, Box<dyn Fn(u32) -> u64>) = match fixed {
            Some((_, names)) if storage == Storage::Shared => (names[0], Box::new(move |_| table)),
            Some((_, names)) => (names[if storage == Storage::Global { 2 } else { 1 }], Box::new(|_| 0)),
            None => {
                let each = u64::from(machines) * if narrow { 4 } else { 8 };
                (
                    if narrow { "explore_any" } else { "explore_any_wide" },
                    Box::new(move |block| each * u64::from(block)),
                )
            }
        };
        // Larger tables mean fewer resident blocks, so more threads should share one.
        let mut block = asked(match table >> 10 {
            _ if fixed.is_none() || storage != Storage::Shared => 128,
            0..40 => 128,
            40..80 => 256,
            _ => MOST_THREADS,
        });
        let needed = |block: u32| bytes(block).max(tail(block).into());
        while needed(block) > offered && block > WARP {
            block = (block / 2).next_multiple_of(WARP);
        }
        if needed(block) > offered {
            let offered = limits.shared_per_block;
            return Err(CudaError::SharedMemory { needed: needed(block) as usize, offered });
        }
        let order = 4 * jobs as usize;
        if order > limits.shared_per_block {
            return Err(CudaError::SharedMemory { needed: order, offered: limits.shared_per_block });
        }
        let shared_bytes = needed(block) as u32;
        Ok(Self { kernel, machines, width, block, shared_bytes, warps, segments: warps.div_ceil(block / WARP) })
    }

    /// Largest number of candidates of a member: two neighbours per thread, a multiple of 64.
    pub(super) fn room(&self) -> u32 {
        self.segments * 2 * self.block
    }

    /// Approximate number of additions and maxima for the neighbourhoods of `members` permutations.
    pub(super) fn operations(&self, jobs: u32, members: u32) -> u64 {
        u64::from(self.warps) * 64 * u64::from(jobs) * 2 / 3 * u64::from(self.machines) * u64::from(members)
    }
}

/// Shared memory in bytes of the filter of a block, as `sift_block` divides it.
fn tail(block: u32) -> u32 {
    4 * (4 * super::NEAREST as u32 + 2 * block / WARP + 2 * block + 2 * block * super::CANDIDATE as u32)
}

/// Returns for each warp the position a from which its neighbours differ from the permutation (lower 16 bits) and the first other position
/// (upper 16 bits); by ascending a, since neighbours with small a take longest.
pub(super) fn tasks(jobs: u32, neighbours: Neighbours) -> Vec<u32> {
    let span = if neighbours == Neighbours::Insertions { WARP } else { 2 * WARP };
    (0..jobs.saturating_sub(1)).flat_map(|a| (a + 1..jobs).step_by(span as usize).map(move |x| a | x << 16)).collect()
}

/// Returns the rows of all jobs, jobs × `layout.width`: release date, due date, a processing time per machine, and zeros.
pub(super) fn padded(shop: &Shop<'_>, layout: &Layout, narrow: bool) -> Vec<u32> {
    let mut rows = vec![0; shop.releases.len() * layout.width as usize];
    // No completion time reaches the largest number, so such a due date never counts.
    let latest = if narrow { u32::from(u16::MAX) } else { u32::MAX };
    let jobs = shop.times.chunks(shop.machines as usize).zip(shop.releases.iter().zip(shop.dues));
    for (row, (times, (&release, &due))) in rows.chunks_mut(layout.width as usize).zip(jobs) {
        row[0] = release;
        row[1] = due.min(latest);
        row[2..2 + times.len()].copy_from_slice(times);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(shared: usize) -> Limits {
        Limits::of_sizes(shared, 228 << 10, 132)
    }

    fn choose(shared: usize, jobs: u32, machines: u32, storage: Option<Storage>) -> Result<Layout, CudaError> {
        let warps = tasks(jobs, Neighbours::Insertions).len() as u32;
        Layout::choose(&limits(shared), jobs, machines, warps, true, Tuning { storage, ..Tuning::default() })
    }

    #[test]
    fn rows_lie_in_shared_memory_where_they_fit() {
        let large = 223 << 10;
        let kernel = |shared, jobs, machines, storage| choose(shared, jobs, machines, storage).unwrap().kernel;
        assert_eq!(kernel(large, 200, 20, None), "explore_20_shared");
        assert_eq!(kernel(large, 200, 8, Some(Storage::Global)), "explore_10_global");
        assert_eq!(kernel(44 << 10, 500, 20, Some(Storage::Shared)), "explore_20_read_only");
        assert_eq!(kernel(large, 200, 21, None), "explore_any");
        let layout = choose(large, 200, 20, None).unwrap();
        // Rows of 24 words of both kinds, 200 of each.
        assert_eq!((layout.width, layout.shared_bytes, layout.block), (24, 2 * 200 * 24 * 4, 128));
        let wide = Layout::choose(&limits(large), 5, 5, 4, false, Tuning::default()).unwrap();
        assert_eq!((wide.kernel, wide.shared_bytes), ("explore_any_wide", tail(128)));
    }

    #[test]
    fn many_machines_make_blocks_small_until_nothing_fits() {
        let layout = choose(44 << 10, 50, 300, None).unwrap();
        assert_eq!((layout.block, layout.shared_bytes), (32, 4 * 300 * 32));
        assert!(matches!(choose(44 << 10, 50, 400, None), Err(CudaError::SharedMemory { .. })));
        assert!(matches!(choose(44 << 10, 20_000, 5, None), Err(CudaError::SharedMemory { .. })));
    }

    /// Every pair a < x belongs to one lane: 32 of a warp for insertions, two for each lane of exchanges.
    #[test]
    fn warps_share_out_all_pairs() {
        for (neighbours, span) in [(Neighbours::Insertions, 32), (Neighbours::Exchanges, 64)] {
            for jobs in [2, 3, 33, 34, 65, 66, 130] {
                let mut pairs: Vec<(u32, u32)> = Vec::new();
                for task in tasks(jobs, neighbours) {
                    let (a, x) = (task & 0xffff, task >> 16);
                    pairs.extend((x..jobs.min(x + span)).map(|x| (a, x)));
                }
                let all: Vec<(u32, u32)> = (0..jobs).flat_map(|a| (a + 1..jobs).map(move |x| (a, x))).collect();
                assert_eq!(pairs, all);
            }
        }
    }
}
