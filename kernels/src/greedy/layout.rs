//! Choice of kernel, block size and memory for a chain of iterated greedy.

use super::{Cost, Shop};
use crate::CudaError;
use crate::runtime::Limits;

/// Lanes of a warp, and number of jobs or positions that it evaluates at once.
const WARP: u32 = 32;

/// Largest number of warps of a block.
pub(super) const MOST_WARPS: u32 = 8;

/// Number of resident warps that keep a multiprocessor busy. More warps per chain evaluate further ahead, which is more often discarded: seven
/// instead of four warps make 264 chains of 200 × 20 a fifth slower on an H200.
const ENOUGH_WARPS: u32 = 8;

/// Largest useful number of resident blocks per multiprocessor.
const MOST_BLOCKS: u32 = 16;

/// Static shared memory of a block and the part that the driver keeps, in bytes.
const BESIDE: u32 = 1_300;

/// Largest number of machines that the kernels support.
pub const MOST_MACHINES: u32 = 128;

/// Largest number of jobs for objectives without Taillard's acceleration; beyond it one evaluation would take too long for a launch.
pub const MOST_JOBS: u32 = 4_096;

/// Kernel for up to `held` machines.
#[derive(Debug, Clone, Copy)]
struct Kernel {
    held: u32,
    kind: Kind,
    shared: bool,
    name: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Narrow,
    Wide,
    Direct,
}

const fn kernel(held: u32, kind: Kind, shared: bool, name: &'static str) -> Kernel {
    Kernel { held, kind, shared, name }
}

/// All kernels; of each kind those in shared memory by rising machines, then those in global memory.
const KERNELS: [Kernel; 14] = [
    kernel(5, Kind::Narrow, true, "greedy_5"),
    kernel(10, Kind::Narrow, true, "greedy_10"),
    kernel(20, Kind::Narrow, true, "greedy_20"),
    kernel(64, Kind::Narrow, true, "greedy_64"),
    kernel(20, Kind::Narrow, false, "greedy_global_20"),
    kernel(20, Kind::Wide, true, "greedy_wide_20"),
    kernel(20, Kind::Wide, false, "greedy_wide_global_20"),
    kernel(128, Kind::Wide, false, "greedy_wide_global_128"),
    kernel(5, Kind::Direct, true, "greedy_direct_5"),
    kernel(10, Kind::Direct, true, "greedy_direct_10"),
    kernel(20, Kind::Direct, true, "greedy_direct_20"),
    kernel(64, Kind::Direct, true, "greedy_direct_64"),
    kernel(20, Kind::Direct, false, "greedy_direct_global_20"),
    kernel(128, Kind::Direct, false, "greedy_direct_global_128"),
];

impl Kernel {
    fn row(&self) -> u32 {
        self.held.next_multiple_of(4)
    }

    /// Memory of a chain in bytes, as `Accelerated` and `Direct` divide it.
    fn bytes(&self, jobs: u32, warps: u32) -> u64 {
        let (jobs, row, warps) = (u64::from(jobs), u64::from(self.row()), u64::from(warps));
        let shared = u64::from(self.shared);
        let tables = match self.kind {
            Kind::Narrow => 2 * (2 * jobs * row * shared + 2 * (jobs + 1) * row),
            Kind::Wide => 4 * (2 * jobs * row * shared + 2 * (jobs + 1) * row),
            Kind::Direct => {
                let rows = jobs / u64::from(WARP) + 1;
                4 * jobs * row * shared + rows * (4 * row + 8) + warps * (row + 2) * 4
            }
        };
        (tables + 6 * jobs).next_multiple_of(16)
    }
}

/// Tuning of the launches; results do not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Number of warps per chain, up to 8; 0: automatic.
    pub warps: u32,
    /// Keeps tables in global memory even if they fit into shared memory.
    pub global: bool,
}

/// Kernel, block and memory of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Number of warps per chain.
    pub warps: u32,
    /// Dynamic shared memory of a block, in bytes.
    pub shared_bytes: u32,
    /// Global memory of a chain's tables in bytes; 0 if they are in shared memory.
    pub(crate) room_bytes: u32,
    /// Number of chains that the device runs at once.
    pub at_once: u32,
    /// Number of machines that the kernel computes.
    pub(super) held: u32,
    /// Numbers in a row of the tables.
    pub(super) row: u32,
    /// True if times have 16 bits.
    pub(super) narrow: bool,
}

impl Layout {
    /// Chooses kernel and warps for `chains` chains; few chains get many warps each.
    ///
    /// # Errors
    /// [`CudaError::TooManyMachines`], [`CudaError::TooManyJobs`].
    pub fn choose(limits: &Limits, shop: &Shop<'_>, chains: u32, tuning: Tuning) -> Result<Self, CudaError> {
        let (jobs, machines) = (shop.jobs(), shop.machines);
        if machines > MOST_MACHINES {
            return Err(CudaError::TooManyMachines { found: machines, most: MOST_MACHINES });
        }
        if !shop.is_accelerated() && jobs > MOST_JOBS {
            return Err(CudaError::TooManyJobs { found: jobs, most: MOST_JOBS });
        }
        let kinds = match shop.cost {
            Cost::Makespan { narrow: true } => &[Kind::Narrow, Kind::Wide][..],
            Cost::Makespan { narrow: false } => &[Kind::Wide],
            Cost::ReleasedMakespan | Cost::Tardiness { .. } => &[Kind::Direct],
        };
        // A warp evaluates 32 jobs of the round, or one without the acceleration.
        let useful = if shop.is_accelerated() { jobs.div_ceil(WARP) } else { jobs }.clamp(1, MOST_WARPS);
        let fits = |kernel: &&Kernel| {
            kinds.contains(&kernel.kind)
                && kernel.held >= machines
                && !(kernel.shared && tuning.global)
                && (!kernel.shared || kernel.bytes(jobs, useful) <= limits.shared_per_block as u64)
        };
        // The last kernel of every kind keeps its tables in global memory and supports all machines.
        let last = KERNELS.iter().rfind(|kernel| kinds.contains(&kernel.kind)).unwrap_or(&KERNELS[0]);
        let kernel = KERNELS.iter().find(fits).unwrap_or(last);
        let of_multiprocessor = limits.shared_per_multiprocessor.max(limits.shared_per_block) as u64;
        let fit = match kernel.shared {
            true => of_multiprocessor / (kernel.bytes(jobs, useful) + u64::from(BESIDE)),
            false => u64::from(MOST_BLOCKS),
        };
        let fit = fit.clamp(1, MOST_BLOCKS.into()) as u32;
        let wanted = chains.div_ceil(limits.all_multiprocessors().max(1)).clamp(1, fit);
        let warps = match tuning.warps {
            0 => (ENOUGH_WARPS / wanted).clamp(1, useful),
            asked => asked.min(MOST_WARPS),
        };
        let bytes = u32::try_from(kernel.bytes(jobs, warps)).unwrap_or(u32::MAX);
        let threads = (4 * ENOUGH_WARPS / warps).max(1);
        Ok(Self {
            kernel: kernel.name,
            warps,
            shared_bytes: if kernel.shared { bytes } else { 0 },
            room_bytes: if kernel.shared { 0 } else { bytes },
            at_once: fit.min(threads) * limits.all_multiprocessors().max(1),
            held: kernel.held,
            row: kernel.row(),
            narrow: kernel.kind == Kind::Narrow,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(jobs: u32, machines: u32, cost: Cost, chains: u32) -> Result<Layout, CudaError> {
        let limits = Limits::of_sizes(223 << 10, 228 << 10, 132);
        let (times, zeros) = (vec![1; (jobs * machines) as usize], vec![0; jobs as usize]);
        let shop = Shop { machines, times: &times, releases: &zeros, dues: &zeros, cost };
        Layout::choose(&limits, &shop, chains, Tuning::default())
    }

    #[test]
    fn tables_are_in_shared_memory_where_they_fit() {
        let narrow = Cost::Makespan { narrow: true };
        let names = |cost, sizes: &[(u32, u32)]| -> Vec<&str> {
            sizes.iter().map(|&(jobs, machines)| choose(jobs, machines, cost, 1).unwrap().kernel).collect()
        };
        let sizes = [(20, 5), (100, 10), (200, 20), (500, 20), (2_000, 20), (20, 60), (20, 100)];
        let expected = [
            "greedy_5", "greedy_10", "greedy_20", "greedy_20", "greedy_global_20", "greedy_64",
            "greedy_wide_global_128",
        ];
        assert_eq!(names(narrow, &sizes), expected);
        let wide = ["greedy_wide_20", "greedy_wide_20", "greedy_wide_20", "greedy_wide_20", "greedy_wide_global_20"];
        assert_eq!(names(Cost::Makespan { narrow: false }, &sizes[..5])[..3], wide[..3]);
        let direct = names(Cost::Tardiness { each: 0 }, &sizes);
        assert_eq!((direct[3], direct[4]), ("greedy_direct_20", "greedy_direct_20"));
        assert_eq!((direct[5], direct[6]), ("greedy_direct_64", "greedy_direct_global_128"));
        // Heads, tails and times there and back, 201 or 200 rows of 20 numbers of 16 bits; three orders.
        let layout = choose(200, 20, narrow, 132).unwrap();
        assert_eq!(layout.shared_bytes, u32::next_multiple_of(2 * 20 * (2 * 201 + 2 * 200) + 6 * 200, 16));
    }

    #[test]
    fn few_chains_get_many_warps() {
        let warps = |jobs, chains| choose(jobs, 20, Cost::Makespan { narrow: true }, chains).unwrap().warps;
        assert_eq!([132, 264, 528, 10_000].map(|chains| warps(200, chains)), [7, 4, 2, 1]);
        assert_eq!([20, 50, 500].map(|jobs| warps(jobs, 132)), [1, 2, 8]);
    }

    #[test]
    fn what_cannot_be_held_is_said() {
        let many = choose(5, 129, Cost::ReleasedMakespan, 1).unwrap_err().to_string();
        assert!(many.contains("at most 128 machines, here are 129; use the CPU"), "{many}");
        let long = choose(5_000, 5, Cost::Tardiness { each: 0 }, 1).unwrap_err().to_string();
        assert!(long.contains("at most 4096 jobs") && long.contains("use the CPU"), "{long}");
        assert_eq!(choose(65_535, 20, Cost::Makespan { narrow: false }, 1).unwrap().kernel, "greedy_wide_global_20");
    }
}
