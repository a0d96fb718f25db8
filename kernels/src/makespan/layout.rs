//! Assignment of permutations to lanes, warps and blocks.

use crate::CudaError;
use crate::runtime::Limits;

/// Lanes of a warp.
const WARP: u32 = 32;

/// Resident threads of a multiprocessor on a large device.
const THREADS: u32 = 2_048;

/// Largest useful number of resident blocks per multiprocessor.
const MOST_BLOCKS: u32 = 8;

/// Smallest block that is chosen automatically.
const LEAST_BLOCK: u32 = 128;

/// Largest number of threads of a block.
pub(super) const MOST_THREADS: u32 = 1_024;

/// Static shared memory of a block and the part that the driver keeps, in bytes.
const BESIDE: u32 = 1_024;

/// Kernel for many permutations, `orders_G_K`: `lanes` = G lanes per permutation, `per_lane` = K machines per lane.
#[derive(Debug, Clone, Copy)]
struct Kernel {
    lanes: u32,
    per_lane: u32,
    shared: bool,
    name: &'static str,
}

impl Kernel {
    const fn new(lanes: u32, per_lane: u32, shared: bool, name: &'static str) -> Self {
        Self { lanes, per_lane, shared, name }
    }

    fn machines(&self) -> u32 {
        self.lanes * self.per_lane
    }
}

/// All kernels by ascending number of lanes, then of machines.
const KERNELS: [Kernel; 11] = [
    Kernel::new(4, 5, true, "orders_4_5"),
    Kernel::new(8, 1, true, "orders_8_1"),
    Kernel::new(8, 3, true, "orders_8_3"),
    Kernel::new(16, 1, true, "orders_16_1"),
    Kernel::new(16, 2, true, "orders_16_2"),
    Kernel::new(32, 1, true, "orders_32_1"),
    Kernel::new(32, 2, true, "orders_32_2"),
    Kernel::new(32, 4, true, "orders_32_4"),
    Kernel::new(32, 1, false, "orders_global_32_1"),
    Kernel::new(32, 2, false, "orders_global_32_2"),
    Kernel::new(32, 4, false, "orders_global_32_4"),
];

/// Largest number of machines that the kernels for many permutations support.
pub const MOST_MACHINES: u32 = 128;

/// Tuning of the launches; results do not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Lanes per permutation: 4, 8, 16 or 32, more if these cannot hold the machines; 0: a warp.
    pub lanes: u32,
    /// Threads of a block, a multiple of 32 up to 1,024; 0: automatic.
    pub block: u32,
    /// Keeps the processing times in global memory even if they fit into shared memory.
    pub global: bool,
}

impl Tuning {
    /// Variants that benchmarks compare: every number of lanes, and times in global memory.
    pub const ALL: [Self; 5] =
        [Self::of(32), Self::of(16), Self::of(8), Self::of(4), Self { lanes: 32, block: 0, global: true }];

    const fn of(lanes: u32) -> Self {
        Self { lanes, block: 0, global: false }
    }
}

/// Kernel, block and shared memory of the evaluation of many permutations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Lanes per permutation.
    pub lanes: u32,
    /// Machines per lane.
    pub(crate) per_lane: u32,
    /// Threads of a block.
    pub block: u32,
    /// Dynamic shared memory of a block, in bytes.
    pub shared_bytes: u32,
    /// Number of blocks that the device holds at once; each evaluates one permutation after another.
    pub(crate) most_blocks: u32,
}

impl Layout {
    /// Chooses a kernel for a shop and `orders` permutations.
    ///
    /// # Errors
    /// [`CudaError::TooManyMachines`].
    pub fn choose(limits: &Limits, jobs: u32, machines: u32, orders: u32, tuning: Tuning) -> Result<Self, CudaError> {
        if machines > MOST_MACHINES {
            return Err(CudaError::TooManyMachines { found: machines, most: MOST_MACHINES });
        }
        let bytes = |kernel: &Kernel| match kernel.shared {
            true => u64::from(jobs) * u64::from(kernel.machines()) * 4,
            false => 0,
        };
        let wanted = if tuning.lanes == 0 { WARP } else { tuning.lanes };
        let fits = |kernel: &&Kernel| {
            kernel.lanes >= wanted.min(WARP)
                && kernel.machines() >= machines
                && !(kernel.shared && tuning.global)
                && bytes(kernel) <= limits.shared_per_block as u64
        };
        // The kernels without a table in shared memory stand last and always fit.
        let kernel = KERNELS.iter().find(fits).unwrap_or(&KERNELS[KERNELS.len() - 1]);
        let shared_bytes = bytes(kernel) as u32;
        let of_multiprocessor = u32::try_from(limits.shared_per_multiprocessor).unwrap_or(u32::MAX);
        let fit = (of_multiprocessor / (shared_bytes + BESIDE)).clamp(1, MOST_BLOCKS);
        // Few resident blocks get many threads each, but not so many that multiprocessors stay empty.
        let full = (1 << (THREADS / fit).ilog2()).min(MOST_THREADS);
        let spread = orders.saturating_mul(kernel.lanes) / limits.multiprocessors.max(1);
        let block = match tuning.block {
            0 => full.min(spread.max(1).next_power_of_two()).max(LEAST_BLOCK),
            asked => asked.next_multiple_of(WARP).min(MOST_THREADS),
        };
        Ok(Self {
            kernel: kernel.name,
            lanes: kernel.lanes,
            per_lane: kernel.per_lane,
            block,
            shared_bytes,
            most_blocks: (THREADS / block).clamp(1, fit.max(1)) * limits.multiprocessors.max(1),
        })
    }

    /// Numbers in the padded row of a job.
    pub(super) fn row(&self) -> usize {
        (self.lanes * self.per_lane) as usize
    }

    /// Position of a machine in the padded row of a job: machine K·lane + q stands at q·G + lane.
    pub(super) fn slot(&self, machine: usize) -> usize {
        let per_lane = self.per_lane as usize;
        machine % per_lane * self.lanes as usize + machine / per_lane
    }

    /// Number of blocks for `orders` permutations.
    pub(super) fn blocks(&self, orders: u32) -> u32 {
        orders.div_ceil(self.block / self.lanes).min(self.most_blocks).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(per_block: usize) -> Limits {
        Limits::of_sizes(per_block, 228 << 10, 132)
    }

    fn choose(jobs: u32, machines: u32, orders: u32, lanes: u32) -> Layout {
        Layout::choose(&limits(223 << 10), jobs, machines, orders, Tuning { lanes, ..Tuning::default() }).unwrap()
    }

    #[test]
    fn a_warp_takes_an_order_unless_fewer_lanes_are_asked_for() {
        let kernels = |lanes| [5, 10, 20, 32, 60, 128].map(|machines| choose(20, machines, 1, lanes).kernel);
        assert_eq!(kernels(0), kernels(32));
        let of = [
            (32, ["orders_32_1", "orders_32_1", "orders_32_1", "orders_32_1", "orders_32_2", "orders_32_4"]),
            (16, ["orders_16_1", "orders_16_1", "orders_16_2", "orders_16_2", "orders_32_2", "orders_32_4"]),
            (8, ["orders_8_1", "orders_8_3", "orders_8_3", "orders_16_2", "orders_32_2", "orders_32_4"]),
            (4, ["orders_4_5", "orders_4_5", "orders_4_5", "orders_16_2", "orders_32_2", "orders_32_4"]),
        ];
        for (lanes, expected) in of {
            assert_eq!(kernels(lanes), expected);
        }
    }

    #[test]
    fn times_leave_shared_memory_only_where_they_do_not_fit() {
        assert_eq!((choose(500, 20, 1, 0).shared_bytes, choose(500, 20, 1, 4).shared_bytes), (64_000, 40_000));
        let large = choose(2_000, 20, 1, 0);
        assert_eq!((large.kernel, large.shared_bytes), ("orders_global_32_1", 0));
        let turing = Layout::choose(&limits(47 << 10), 500, 20, 1, Tuning::default()).unwrap();
        assert_eq!(turing.kernel, "orders_global_32_1");
        let error = Layout::choose(&limits(1), 5, 129, 1, Tuning::default()).unwrap_err().to_string();
        assert!(error.contains("at most 128 machines, here are 129; use the CPU"), "{error}");
    }

    #[test]
    fn few_orders_are_spread_over_the_device_and_many_fill_it() {
        let blocks = |layout: Layout, orders| (layout.block, layout.blocks(orders));
        assert_eq!(blocks(choose(500, 20, 4, 0), 4), (128, 1));
        assert_eq!(blocks(choose(500, 20, 528, 0), 528), (128, 132));
        // Three tables of 64,000 bytes fit on a multiprocessor.
        assert_eq!(blocks(choose(500, 20, 100_000, 0), 100_000), (512, 3 * 132));
        assert_eq!(blocks(choose(20, 5, 100_000, 0), 100_000), (256, 8 * 132));
    }

    #[test]
    fn every_machine_has_a_place_of_its_own() {
        for kernel in KERNELS {
            let layout = Layout { lanes: kernel.lanes, per_lane: kernel.per_lane, ..choose(1, 1, 1, 0) };
            let mut places: Vec<usize> = (0..layout.row()).map(|machine| layout.slot(machine)).collect();
            places.sort_unstable();
            assert!(places.into_iter().eq(0..layout.row()), "{}", kernel.name);
        }
    }
}
