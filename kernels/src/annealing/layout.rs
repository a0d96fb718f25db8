//! Choice of kernel, block size and shared memory for an annealing chain.

use super::{Component, Graph, Shape};
use crate::CudaError;
use crate::runtime::Limits;

/// Lanes of a warp.
const WARP: u32 = 32;

/// Largest number of warps of a block.
const MOST_WARPS: u32 = 16;

/// Number of warps that hold all proposals of a step, one per thread.
const LEAST_WARPS: u32 = 4;

/// Number of resident warps that keep a multiprocessor busy.
const ENOUGH_WARPS: u32 = 32;

/// Largest useful number of resident blocks per multiprocessor; beyond it more warps per chain gain more.
const MOST_BLOCKS: u32 = 8;

/// Largest number of exams for kernels with one, three and four words of a set per lane.
const EXAMS: [u32; 3] = [1_024, 3_072, 4_096];

/// Static shared memory of a block and the part that the driver keeps, in bytes.
const BESIDE: u32 = 1_900;

/// Tuning of the launches; results do not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Number of warps per chain, a power of two up to 16; 0: automatic.
    pub warps: u32,
    /// Keeps the table of shared students in global memory even if it fits into shared memory.
    pub global: bool,
}

/// Kernel, block and shared memory of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Number of warps per chain, a power of two.
    pub warps: u32,
    /// Dynamic shared memory of a block, in bytes.
    pub shared_bytes: u32,
    /// 32-bit words of a chain's table in global memory; 0 if the table lies in shared memory.
    pub(crate) table_words: u32,
    /// Number of chains that the device runs at once.
    pub at_once: u32,
}

impl Layout {
    /// Chooses kernel and warps for `chains` chains by the largest component; few chains get many warps each.
    ///
    /// # Errors
    /// [`CudaError::TooManyExams`]; [`CudaError::SharedMemory`] if not even the sets of exams fit.
    pub fn choose(
        limits: &Limits, largest: &Component, periods: u32, restricted: bool, chains: u32, tuning: Tuning,
    ) -> Result<Self, CudaError> {
        let (exams, words) = (largest.exams(), largest.words());
        if exams > EXAMS[2] {
            return Err(CudaError::TooManyExams { found: exams, most: EXAMS[2] });
        }
        let cell_words = (exams * periods).div_ceil(2);
        let bytes = |cells: u32| {
            let load = if restricted { periods } else { 0 };
            let shifts = 5 * largest.proposals + largest.proposals / 32 + words;
            let swaps = largest.alternatives * (words + WARP / 2);
            4 * (shifts.max(swaps) + cells + periods * words + largest.row() + load)
        };
        let offered = u32::try_from(limits.shared_per_block).unwrap_or(u32::MAX);
        let few = exams <= EXAMS[0];
        let shared = !tuning.global && (few || !restricted) && bytes(cell_words) <= offered;
        let kernel = match (shared, few, restricted) {
            (true, true, false) => "anneal_1",
            (true, true, true) => "anneal_restricted_1",
            (true, false, _) if exams <= EXAMS[1] => "anneal_3",
            (true, false, _) => "anneal_4",
            (false, _, false) => "anneal_global_4",
            (false, _, true) => "anneal_restricted_global_4",
        };
        let cells = if shared { cell_words } else { 0 };
        let shared_bytes = bytes(cells);
        if shared_bytes > offered {
            return Err(CudaError::SharedMemory { needed: shared_bytes as usize, offered: offered as usize });
        }
        let of_multiprocessor = u32::try_from(limits.shared_per_multiprocessor).unwrap_or(u32::MAX);
        let fit = (of_multiprocessor.max(offered) / (shared_bytes + BESIDE)).clamp(1, MOST_BLOCKS);
        let wanted = chains.div_ceil(limits.all_multiprocessors().max(1)).clamp(1, fit);
        let warps = match tuning.warps {
            // All proposals at once, unless other blocks need the multiprocessor.
            0 => (ENOUGH_WARPS / wanted).clamp(LEAST_WARPS, (largest.proposals / WARP).min(MOST_WARPS)),
            asked => asked.min(if few && shared { 8 } else { MOST_WARPS }).max(1),
        };
        Ok(Self {
            kernel,
            // The kernels take the number of a warp from the lower bits of a rank.
            warps: 1 << warps.ilog2(),
            shared_bytes,
            table_words: if shared { 0 } else { cell_words },
            at_once: fit * limits.all_multiprocessors(),
        })
    }

    /// Chooses the layout for as many chains as the device runs at once.
    ///
    /// # Errors
    /// As [`Self::choose`].
    pub fn for_all(limits: &Limits, graph: &Graph, periods: u32) -> Result<Self, CudaError> {
        Self::choose(limits, &graph.largest(), periods, graph.demands.is_some(), u32::MAX, Tuning::default())
    }

    /// Chooses the layout for the chains of a run.
    ///
    /// # Errors
    /// As [`Self::choose`].
    pub fn for_chains(limits: &Limits, graph: &Graph, shape: &Shape, tuning: Tuning) -> Result<Self, CudaError> {
        let (count, restricted) = (graph.components.len() as u32 * shape.chains, graph.demands.is_some());
        Self::choose(limits, &graph.largest(), shape.periods, restricted, count, tuning)
    }

    /// Threads of a block.
    pub fn block(&self) -> u32 {
        self.warps * WARP
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As an H200 reports them, and as a small Turing card does.
    fn limits(multiprocessors: u32, per_block: usize, per_multiprocessor: usize) -> Limits {
        Limits::of_sizes(per_block, per_multiprocessor, multiprocessors)
    }

    fn choose(limits: &Limits, exams: u32, periods: u32, restricted: bool, chains: u32) -> Result<Layout, CudaError> {
        let (proposals, alternatives) = if exams > 1_024 { (512, 16) } else { (256, 8) };
        let offsets = vec![0; exams as usize + 1];
        let largest = Component { offsets, proposals, alternatives, ..Component::default() };
        Layout::choose(limits, &largest, periods, restricted, chains, Tuning::default())
    }

    #[test]
    fn few_chains_get_many_warps() {
        let h200 = limits(132, 224 << 10, 228 << 10);
        let layout = |chains| choose(&h200, 81, 18, false, chains).unwrap();
        assert_eq!((layout(16).warps, layout(132 * 8).warps), (8, 4));
        assert_eq!(layout(16).kernel, "anneal_1");
        assert_eq!(layout(16).at_once, 132 * 8);
    }

    #[test]
    fn every_number_of_blocks_gets_a_power_of_two_of_warps() {
        let h200 = limits(132, 224 << 10, 228 << 10);
        // A fifth of the 32 warps of a multiprocessor would be six.
        let layouts = [100, 300, 486, 543, 682, 900, 1_500, 2_419].map(|exams| {
            let layout = choose(&h200, exams, 32, false, u32::MAX).unwrap();
            assert!(layout.warps.is_power_of_two(), "{exams} exams: {layout:?}");
            layout.at_once / 132
        });
        assert!(layouts.contains(&5) && layouts.contains(&3), "{layouts:?}");
    }

    #[test]
    fn cells_leave_shared_memory_only_where_they_do_not_fit() {
        let (h200, turing) = (limits(132, 224 << 10, 228 << 10), limits(14, 61 << 10, 64 << 10));
        let large = choose(&h200, 2_419, 42, false, 132).unwrap();
        assert_eq!((large.kernel, large.table_words, large.at_once), ("anneal_3", 0, 132));
        assert!(large.shared_bytes <= 224 << 10);
        assert_eq!(choose(&turing, 682, 35, false, 14).unwrap().kernel, "anneal_1");
        let beyond = choose(&turing, 2_419, 42, false, 14).unwrap();
        assert_eq!((beyond.kernel, beyond.table_words), ("anneal_global_4", 2_419 * 21));
        assert_eq!(choose(&h200, 2_419, 42, true, 132).unwrap().kernel, "anneal_restricted_global_4");
        assert_eq!(choose(&h200, 300, 42, true, 132).unwrap().kernel, "anneal_restricted_1");
    }

    #[test]
    fn what_does_not_fit_is_refused_with_a_reason() {
        let refused = |limits: &Limits, exams| choose(limits, exams, 40, false, 4).unwrap_err().to_string();
        assert!(refused(&limits(1, 60 << 10, 64 << 10), 4_097).contains("at most 4096 exams"));
        assert!(refused(&limits(1, 4 << 10, 4 << 10), 4_000).contains("shared memory"));
    }
}
