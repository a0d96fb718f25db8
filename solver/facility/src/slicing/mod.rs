//! Annealing on slicing trees: layouts of rectangles that are cut from wall to wall.
//!
//! * **Encoding.** A slicing tree is a sequence in postfix order of the departments and n − 1 cuts: a vertical cut puts the
//!   part before it to the left of the other one, a horizontal cut puts it below. The areas fix where every cut lies, so a
//!   tree is evaluated in O(n), and the cost in one term per pair with flow. Every layout with bays is a slicing tree.
//!   Floor that is left over lies behind the last cut, as it lies behind the last bay.
//! * **Proposal.** Two departments change places (30 %), a cut is turned (15 %), two parts change places (15 %), a part is
//!   taken out and put beside another one (32 %, of which 70 % a single department), or a cut is rotated (8 %). It is
//!   accepted if cost + weight · violation grows by at most −T·ln u, u uniform (the Metropolis rule).
//! * **Cycle.** Chains anneal independently of each other. T falls geometrically from `hot` to `cold`, while the weight of
//!   violations rises. Chains with an even number begin a cycle with a random tree at `hot`, the others with the best layout
//!   so far at `warm`. Cycles grow, and a time limit becomes a number of steps, as in the memetic algorithm
//!   ([`super::memetic::Cycles`]).
//! * **Obstacles.** Fixed things, floor outside of the outline and departments that keep their rectangle are no part of the
//!   tree: cuts go by the floor that is usable, and a department lies beside what is in its part ([`site`]).
//! * **Begin.** A short run of the memetic algorithm finds the layout with bays that the first cycle begins with.
//!
//! * **Few moves.** From a layout to begin with, at most a few departments can be allowed to move ([`few`]).
//! * **Cost of moving.** Where moving away from today's layout has a price, trees and few moves are searched side by side
//!   ([`relocating`]).
//!
//! Temperatures and weights are fractions of the mean cost of random layouts. One step is [`STEP`] proposals of every chain.
//! The order of additions in 64-bit floating point is that of the postfix sequence for areas, its reverse for cuts, and that
//! of [`super::evaluation`] for the cost.
//!
//! Sources: R. H. J. M. Otten, «Automatic floorplan design», DAC 1982 (slicing); D. F. Wong, C. L. Liu, «A new algorithm for
//! floorplan design», DAC 1986 (annealing of postfix expressions).

mod chain;
mod evaluation;
mod few;
mod moves;
mod relocating;
mod search;
mod site;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use few::{FewMoves, MOST as MOST_MOVES};
pub(crate) use relocating::Relocating;
pub(crate) use search::{Slicing, unit};

use std::sync::Arc;

use super::evaluation::Score;
use super::islands::BestLayout;
use super::{Instance, Layout, Rectangle};
use gridwright_core::search::Snapshot;
use gridwright_core::search::parameters::parameters;
use gridwright_core::{Error, Result};

/// Proposals of a chain per step.
pub(crate) const STEP: u32 = 256;

/// Numbers of chains that are annealed at least, unless the user chooses, and the largest plants with so many: small plants
/// need many begins, large ones long cycles.
const CHAINS: [(usize, u32); 3] = [(15, 16), (30, 8), (usize::MAX, 4)];

parameters! {
    /// Parameters of the annealing of slicing trees; 0 chains are replaced by [`Self::resolve`].
    pub struct SlicingParameters {
        /// Trees that are annealed independently of each other. Automatic: 16 for small plants, 8, or 4 for large
        /// ones; one for each thread if there are more.
        chains: u32 = 0, label: "Chains", range: 0..=1_024, zero: "automatic";
        /// Length of the first cycle; every further one is four times as long.
        leg: u32 = 32, label: "First cycle", unit: "steps", range: 1..=1_000_000;
        /// First temperature of chains that begin with a random tree.
        hot: f64 = 20.0, label: "Hot", unit: "‰ of a random layout's cost", range: 1e-6..=1_000.0;
        /// First temperature of chains that begin with the best layout so far.
        warm: f64 = 2.0, label: "Warm", unit: "‰ of a random layout's cost", range: 1e-6..=1_000.0;
        /// Last temperature of every cycle.
        cold: f64 = 0.002, label: "Cold", unit: "‰ of a random layout's cost", range: 1e-6..=1_000.0;
        /// Cycles of the memetic algorithm before the trees, whose layout with bays is the first to be improved.
        before: u32 = 2, label: "Bays before", unit: "cycles", range: 1..=5;
        /// Departments that may lie elsewhere than in the layout to begin with; 0 allows any number.
        moves: u32 = 0, label: "Move at most", unit: "departments", range: 0..=32, zero: "any number";
    }
}

impl SlicingParameters {
    /// Replaces an automatic number of chains: `departments` of the instance, `side` chains that the backend anneals in
    /// parallel.
    pub(crate) fn resolve(&mut self, departments: usize, side: usize) {
        let least = CHAINS.iter().find(|(most, _)| departments <= *most).map_or(1, |(_, chains)| *chains);
        if self.chains == 0 {
            self.chains = (side as u32).clamp(least, 1_024).next_multiple_of(2);
        }
    }
}

/// Memory of a chain of a plant of so many departments, in bytes.
pub(crate) fn bytes_of(departments: usize) -> usize {
    // Two trees with a rectangle, an area and four places for each token.
    4 * departments * (size_of::<Rectangle>() + size_of::<f64>() + 5 * size_of::<u32>()) + 1_024
}

/// Checks that slicing trees know the rules of an instance: departments may be kept apart or keep their rectangle, but not be
/// locked to a bay.
///
/// # Errors
/// [`Error::Usage`] with the alternative.
pub(crate) fn check(instance: &Instance) -> Result<()> {
    if !instance.rules.locks.is_empty() {
        let name = &instance.name;
        let what = "has departments that are locked to bays, which slicing trees do not keep; unlock them, or use \
                    --algorithm memetic";
        return Err(Error::Usage(format!("{name} {what}")));
    }
    Ok(())
}

/// Snapshot of a search after a number of steps and evaluations, with the best layout and the costs of all chains; `unit` is what
/// [`Score::told`] takes.
fn snapshot(
    [step, evaluations]: [u64; 2], (layout, score): (Layout, Score), unit: f64, costs: &[f64], digest: u64,
) -> Snapshot<BestLayout> {
    let (islands, migrations) = (Vec::new(), Vec::new());
    Snapshot {
        step,
        evaluations,
        best: Arc::new(BestLayout { layout, score, lacking: 0.0, islands, migrations, proven: false }),
        best_cost: score.told(unit),
        mean: costs.iter().sum::<f64>() / costs.len().max(1) as f64,
        worst: costs.iter().copied().fold(0.0, f64::max),
        digest,
        share: None,
    }
}
