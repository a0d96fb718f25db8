//! Searches for Pareto fronts: orders of which none is better than another in all of two to four objectives.
//!
//! * **Pareto local search** ([`pls`]): a step takes `members` unexplored members of an archive, evaluates their whole
//!   neighbourhoods and offers the neighbours to the archive in order of (member, neighbour number). Admitted are all
//!   neighbours that the explored order does not dominate (PLS⊁), or only those that dominate it (PLS≻). When all
//!   members are explored, the search restarts from a random order with an empty archive, or, with two phases, runs
//!   further descents from random members until one adds a point. A second archive keeps everything found; it is the
//!   reported front.
//! * **Two phases** (`start=greedy`, [`phases`]): iterated greedy for each objective alone, then on weighted sums; the
//!   results are the initial archive of Pareto local search.
//! * **Aggregated tabu search** ([`tabu`]): one trajectory per weighted sum. A step moves to the neighbour of least
//!   (sum, neighbour number) that moves no job moved within the last `tenure` steps (randomly up to twice as many), or
//!   that improves on the trajectory's best sum (aspiration); if all are tabu, to the best of all.
//!
//! # Neighbourhood evaluation
//! A neighbour is a number, and the number determines the move ([`gridwright_core::search::mapping`]), on the host as on a
//! device. [`evaluation`] removes a job and computes sixteen of its positions side by side from their common prefix.
//!
//! # Filtering
//! Dominance is transitive: leaving out a neighbour that is covered (dominated or equalled) by the explored order, by a
//! neighbour with a smaller number of the same part or by a member of the archive changes neither the archive nor the
//! order of its members. [`exploration`] filters parts of a neighbourhood independently, and only the survivors are
//! offered to the archive one after the other. The size of the parts and the backend ([`explorer::Explorer`],
//! [`tabu::Chooser`]: the CPU, or a device in [`cuda`]) therefore do not change the result.
//!
//! # Queue and prefetching
//! Members to be explored wait in a queue ([`pool`]), so that a device can compute the next neighbourhoods in the
//! background while the host archives the survivors of the current one.
//!
//! # Determinism
//! A step depends on the state and on random words addressed by (step, trajectory or member) only. On instances with
//! many jobs, local searches visit fewer jobs and steps explore fewer members ([`descent::STEP_OPERATIONS`]), so that a
//! run can be paused and stopped at any time. Where a time limit decides, phases end at a step, and the step's number
//! goes into the parameters of the result: a replay needs no clock.
//!
//! The cost of a run is the missing share of a hypervolume that is fixed by the instance ([`weights::Extent`]), a
//! non-increasing integer. `tests.rs` compares all searches with textbook versions that filter nothing.
//!
//! Sources: T. V. Luong, N. Melab, E.-G. Talbi, «GPU-based approaches for multiobjective local search algorithms. A
//! case study: the flowshop scheduling problem», EvoCOP 2011; L. Paquete, M. Chiarandini, T. Stützle, «Pareto local
//! optimum sets in the biobjective traveling salesman problem: an experimental study», Metaheuristics for
//! Multiobjective Optimisation, 2004 (PLS); J. Dubois-Lacoste, M. López-Ibáñez, T. Stützle, «A hybrid TP+PLS algorithm
//! for bi-objective flow-shop scheduling problems», Computers & Operations Research 38(8), 2011 (two phases).

pub mod cuda;
mod descent;
mod devices;
pub mod evaluation;
pub mod exploration;
pub mod explorer;
mod front;
mod objectives;
mod parameters;
mod phases;
pub mod pls;
mod pool;
pub mod stored;
pub mod tabu;
pub mod weights;

pub use front::Front;
pub(crate) use front::{FrontArchive, Shares};
pub use objectives::{Goal, Objectives};
pub use parameters::{ParetoParameters, ParetoStart, TabuParameters, TabuStart};

use gridwright_core::search::{Control, Epochs};
use gridwright_core::{Error, Result};

/// A search for a front.
pub trait FrontSearch: Epochs<Solution = Front> {
    /// Seconds spent on the stages of the search.
    fn shares(&self) -> Shares;

    /// Statistics of prefetching on a device; `None` if nothing is prefetched.
    fn prefetch_statistics(&self) -> Option<explorer::PrefetchStatistics> {
        None
    }
}

/// Performs `steps` steps.
///
/// # Errors
/// [`Error::Cancelled`] after the step in which `control` is interrupted.
fn run_steps(steps: u32, control: &Control, mut step: impl FnMut()) -> Result<()> {
    for _ in 0..steps {
        step();
        if control.is_interrupted() {
            return Err(Error::Cancelled);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
