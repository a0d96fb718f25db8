//! Choice of lanes, block size and memory for the chromosomes of the evolutionary algorithm.

use super::{Shape, WARP};
use crate::CudaError;
use crate::runtime::Limits;

/// Padding cells before the first and after the last period of a table over periods; as in `evolution.cuh`.
pub(super) const PAD: usize = 5;

/// Number of resident warps per multiprocessor that hide the latency of a descent.
const ENOUGH_WARPS: usize = 16;

/// Sessions with more exams than this get at least sixteen lanes per chromosome.
///
/// Eight lanes need the fewest instructions, but put twice as many chromosomes into a block, and genes of many exams fill its shared memory: an
/// H200 holds 16 warps of pur-s-93 (2,419 exams) per multiprocessor with eight lanes and 32 with sixteen, which is 17 % faster.
const MANY_EXAMS: u32 = 1_024;

/// Tuning of the launches; results do not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Lanes per chromosome: 4, 8, 16 or 32; 0: automatic.
    pub lanes: u32,
    /// Threads of a block: 64, 128 or 256; 0: automatic.
    pub block: u32,
    /// Keeps genes in global memory even if they fit into shared memory.
    pub global: bool,
}

/// Lanes, block and shared memory of chromosomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Lanes per chromosome.
    pub lanes: u32,
    /// Threads of a block.
    pub block: u32,
    /// True if genes lie in shared memory.
    pub shared_genes: bool,
    /// 32-bit words of shared memory per chromosome.
    pub(crate) group_words: u32,
}

impl Layout {
    /// Chooses the fewest lanes that still fill the device, since few lanes idle then. Blocks get fewer threads if shared memory is short, and
    /// genes go to global memory if they still do not fit.
    ///
    /// # Errors
    /// [`CudaError::SharedMemory`] if not even two tables over the periods fit.
    pub fn choose(shape: &Shape, limits: &Limits, tuning: Tuning) -> Result<Self, CudaError> {
        let fits = |layout: &Layout| layout.shared_bytes() <= limits.shared_per_block;
        // A small population is spread over all multiprocessors.
        let few = shape.population / (128 / WARP as u32) < 2 * limits.multiprocessors;
        let blocks: &[u32] = match tuning.block {
            0 if few => &[64],
            0 => &[128, 64],
            // The two children of a pair are made in one block, by a warp each at most.
            asked => &[asked.clamp(64, 256) / 64 * 64],
        };
        // Under demands there are kernels for 8 and 32 lanes.
        let choices: &[u32] = match (tuning.lanes, shape.restricted) {
            (0, false) if shape.exams > MANY_EXAMS => &[16, 32],
            (0, false) => &[8, 16, 32],
            (0, true) => &[8, 32],
            (4 | 16, false) | (8 | 32, _) => &[tuning.lanes],
            _ => &[],
        };
        let mut found = None;
        for &lanes in if tuning.global { &[] } else { choices } {
            let layouts = blocks.iter().map(|&block| Self::of(shape, lanes, block, true));
            let Some(layout) = layouts.into_iter().find(fits) else { continue };
            found = Some(layout);
            if layout.fills(shape, limits) {
                break;
            }
        }
        let layout = found.unwrap_or_else(|| Self::of(shape, WARP as u32, blocks[0], false));
        if fits(&layout) {
            return Ok(layout);
        }
        Err(CudaError::SharedMemory { needed: layout.shared_bytes(), offered: limits.shared_per_block })
    }

    fn of(shape: &Shape, lanes: u32, block: u32, shared_genes: bool) -> Self {
        let load = if shape.restricted { shape.periods as usize } else { 0 };
        let tables = 2 * (shape.periods as usize + 2 * PAD) + load;
        let mut group_words = tables + if shared_genes { shape.words() } else { 0 };
        // Groups of a warp begin in different banks.
        while lanes < WARP as u32 && group_words % WARP != lanes as usize {
            group_words += 1;
        }
        Self { lanes, block, shared_genes, group_words: group_words as u32 }
    }

    /// Returns `true` if every multiprocessor holds enough warps at once.
    fn fills(&self, shape: &Shape, limits: &Limits) -> bool {
        let warps = (shape.population.div_ceil(WARP as u32 / self.lanes)) as usize;
        let resident =
            limits.shared_per_multiprocessor / (self.shared_bytes() + (3 << 10)) * self.block as usize / WARP;
        warps >= ENOUGH_WARPS * limits.multiprocessors as usize && resident >= ENOUGH_WARPS
    }

    /// Number of chromosomes of a block.
    pub fn groups(&self) -> u32 {
        self.block / self.lanes
    }

    /// Dynamic shared memory of a block, in bytes.
    pub fn shared_bytes(&self) -> usize {
        (self.groups() * self.group_words) as usize * size_of::<u32>()
    }

    pub(super) fn generation(&self, restricted: bool) -> &'static str {
        match (self.shared_genes, self.lanes) {
            (false, _) if restricted => "generation_restricted_global_32",
            (true, 8) if restricted => "generation_restricted_8",
            (true, _) if restricted => "generation_restricted_32",
            (false, _) => "generation_global_32",
            (true, 4) => "generation_4",
            (true, 8) => "generation_8",
            (true, 16) => "generation_16",
            (true, _) => "generation_32",
        }
    }

    pub(super) fn descent(&self) -> &'static str {
        match (self.shared_genes, self.lanes) {
            (false, _) => "descend_global_32",
            (true, 4) => "descend_4",
            (true, 8) => "descend_8",
            (true, 16) => "descend_16",
            (true, _) => "descend_32",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(exams: u32, periods: u32, population: u32) -> Shape {
        let (seed, crossover, mutation) = (1, 1 << 31, 1 << 24);
        let restricted = false;
        Shape { exams, periods, population, clash: 1 << 20, tournament: 2, seed, crossover, mutation, restricted }
    }

    /// Limits of a device with these capacities.
    fn limits(multiprocessors: u32, per_block: usize, per_multiprocessor: usize) -> Limits {
        Limits::of_sizes(per_block, per_multiprocessor, multiprocessors)
    }

    #[test]
    fn a_large_population_takes_few_lanes_and_a_small_one_a_warp() {
        let h200 = limits(132, 224 << 10, 228 << 10);
        let lanes = |population| Layout::choose(&shape(682, 35, population), &h200, Tuning::default()).unwrap().lanes;
        assert_eq!((lanes(256), lanes(2_048), lanes(8_192), lanes(16_384)), (32, 32, 16, 8));
        let block = |population| Layout::choose(&shape(682, 35, population), &h200, Tuning::default()).unwrap().block;
        assert_eq!((block(256), block(2_048)), (64, 128), "256 warps are spread over 132 multiprocessors");
    }

    #[test]
    fn many_exams_take_more_lanes_so_that_shared_memory_holds_more_warps() {
        let h200 = limits(132, 224 << 10, 228 << 10);
        let chosen = |exams| Layout::choose(&shape(exams, 42, 16_384), &h200, Tuning::default()).unwrap();
        assert_eq!([682, 1_024, 1_025, 2_419].map(|exams| chosen(exams).lanes), [8, 8, 16, 16]);
        let warps = |layout: &Layout| h200.shared_per_multiprocessor / (layout.shared_bytes() + (3 << 10)) * 4;
        let eight = Tuning { lanes: 8, ..Tuning::default() };
        let eight = Layout::choose(&shape(2_419, 42, 16_384), &h200, eight).unwrap();
        assert_eq!((eight.block, warps(&eight), warps(&chosen(2_419))), (128, 16, 32));
        let asked = Layout::choose(&shape(2_419, 42, 256), &h200, Tuning::default()).unwrap();
        assert_eq!(asked.lanes, 32, "a small population takes a warp, whatever the number of exams");
    }

    #[test]
    fn genes_leave_shared_memory_only_where_they_do_not_fit() {
        let turing = limits(14, 61 << 10, 64 << 10);
        let layout = |exams| Layout::choose(&shape(exams, 42, 256), &turing, Tuning::default()).unwrap();
        assert!(layout(2_419).shared_genes && layout(20_000).shared_genes);
        let large = layout(32_000);
        assert!(!large.shared_genes && large.lanes == 32 && large.shared_bytes() < 4 << 10);
        let none = limits(14, 256, 64 << 10);
        let refused = Layout::choose(&shape(40, 255, 256), &none, Tuning::default());
        assert!(refused.unwrap_err().to_string().contains("shared memory"));
    }

    #[test]
    fn a_pair_of_children_is_made_in_one_block() {
        let h200 = limits(132, 224 << 10, 228 << 10);
        for lanes in [4, 8, 16, 32] {
            for block in [64, 128, 256] {
                let tuning = Tuning { lanes, block, global: false };
                let layout = Layout::choose(&shape(81, 18, 100), &h200, tuning).unwrap();
                assert_eq!((layout.lanes, layout.block), (lanes, block));
                assert!(layout.groups().is_multiple_of(2) && layout.groups() <= 64);
            }
        }
    }
}
