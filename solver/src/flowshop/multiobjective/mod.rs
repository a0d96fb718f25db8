//! Fronts: orders of which none is better than another in all of several objectives.
//!
//! * **Pareto local search** (`pls`): a step picks `members` orders of an archive that it has not explored yet, by chance
//!   (some steps ahead: [`pool`]), evaluates their whole neighbourhoods, and offers the neighbours to the archive in order of (member, neighbour number).
//!   Either all enter that the explored order does not dominate (PLS⊁), or only those that dominate it (PLS≻); of equal ones
//!   the first. When all have been explored, it begins again: from random orders with an empty archive, or, where it began in
//!   two phases, with further descents from members by chance, until one finds something that is new. Everything that was found
//!   is kept in a second archive, the front that is reported.
//! * **Two phases** (`start=greedy`): first iterated greedy for each objective alone, then, from what that found, on weighted
//!   sums; what they find is the archive with which the exploration begins.
//! * **Aggregated tabu search** (`tabu`): a trajectory for each weighted sum. A step goes to the best neighbour, by (sum,
//!   neighbour number), that moves no job moved in the last `tenure` steps (by chance up to twice as many), or that is better
//!   than all before on this trajectory (aspiration); where all are tabu, to the best of them.
//!
//! Where there are many jobs a local search of a descent ends before it has looked at all of them, and fewer members are explored in
//! a step ([`descent::STEP_OPERATIONS`]): so a run can be paused and stopped.
//!
//! A step depends on nothing but the state and on random words addressed by (step, trajectory or member): the number of threads
//! and the size of the parts in which neighbourhoods are explored make no difference.
//!
//! What evaluates whole neighbourhoods is behind a seam ([`explorer::Explorer`], [`tabu::Chooser`]): the CPU, or a device
//! ([`cuda`]), which sifts what it has evaluated where it stands. Everything else is the same code for both.
//!
//! The cost of a run is what its front lacks of a hypervolume that depends on the instance alone ([`weights::Extent`]): whole
//! numbers, falling from step to step.
//!
//! Sources: T. V. Luong, N. Melab, E.-G. Talbi, «GPU-based approaches for multiobjective local search algorithms. A case study:
//! the flowshop scheduling problem», EvoCOP 2011; L. Paquete, M. Chiarandini, T. Stützle, «Pareto local optimum sets in the
//! biobjective traveling salesman problem: an experimental study», Metaheuristics for Multiobjective Optimisation, 2004
//! (PLS); J. Dubois-Lacoste, M. López-Ibáñez, T. Stützle, «A hybrid TP+PLS algorithm for bi-objective flow-shop scheduling
//! problems», Computers & Operations Research 38(8), 2011 (two phases).

pub mod cuda;
pub mod descent;
pub mod draws;
pub mod evaluation;
pub mod exploration;
pub mod explorer;
pub mod front;
pub mod objectives;
pub mod parameters;
pub mod phases;
pub mod pls;
pub mod pool;
pub mod stored;
pub mod tabu;
pub mod weights;

pub use front::{Front, Shares};
pub use objectives::{Goal, Objectives};
pub use parameters::{ParetoParameters, TabuParameters};

use crate::search::Epochs;

/// A search for a front.
pub trait FrontSearch: Epochs<Solution = Front> {
    /// Where the time went.
    fn shares(&self) -> Shares;

    /// What happened that a person should know.
    fn notes(&self) -> Vec<String>;

    /// How far a device could compute ahead.
    fn foresight(&self) -> Option<explorer::Foresight> {
        None
    }
}

#[cfg(test)]
mod tests;
