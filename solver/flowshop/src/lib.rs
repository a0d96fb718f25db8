//! The permutation flow shop: n jobs pass m machines, all in the same order.
//!
//! With π(k) the job in position k, p_{i,j} the processing time of job j on machine i and s_{i,a,b} the set-up time of machine i
//! between jobs a and b (0 without set-ups), whole numbers throughout,
//!
//! ```text
//! C_{i,π(k)} = max(C_{i−1,π(k)}, C_{i,π(k−1)} + s_{i,π(k−1),π(k)}) + p_{i,π(k)},   C_{0,j} = r_j (release date),   C_{i,π(0)} = 0
//!
//! makespan         max_j C_{m,j}
//! total flow time  Σ_j C_{m,j}
//! total tardiness  Σ_j w_j · max(0, C_{m,j} − d_j)
//! tardy jobs       |{j : C_{m,j} > d_j}|
//! ```
//!
//! The weights w_j are 1 unless tables state them ([`orders`]). Working times, ready times of machines and transport: [`real_time`].
//!
//! Sources: E. Taillard, «Benchmarks for basic scheduling problems», European Journal of Operational Research 64(2),
//! 1993 (the instances and how they are generated); A. Liefooghe, M. Basseur, L. Jourdan, E.-G. Talbi, «Combinatorial
//! optimization of stochastic multi-objective problems: an application to the flow-shop scheduling problem», EMO 2007
//! (due dates); W. Bożejko, C. Smutnicki, M. Uchroński, «Parallel calculating of the goal function in metaheuristics
//! using GPU», ICCS 2009; T. V. Luong, N. Melab, E.-G. Talbi, «GPU-based approaches for multiobjective local search
//! algorithms. A case study: the flowshop scheduling problem», EvoCOP 2011.

pub mod beam;
pub mod bench;
mod best;
pub mod bounds;
pub mod check;
mod common_order;
pub mod comparison;
mod comparison_text;
mod data;
mod decisions;
mod doubtful_machines;
pub mod drawing;
mod draws;
pub mod effects;
mod exact;
pub mod export;
mod facts;
pub mod formats;
pub mod frozen;
mod generator;
mod generators;
pub mod greedy;
pub mod insertion;
mod instance;
pub mod library;
pub mod measures;
pub mod multiobjective;
pub mod neh;
mod neighbourhood;
mod objective;
pub mod orders;
mod planning;
pub mod problem;
pub mod real_time;
mod rule_options;
pub mod rules;
pub mod run;
mod schedule;
mod setups;
pub mod steps;
pub mod stored;
mod suites;
#[cfg(test)]
mod tests;
pub mod waiting;
pub mod wavefront;

pub use best::Best;
pub use facts::best_known_source;
pub(crate) use instance::BestKnown;
pub use instance::{Instance, Job};
pub use objective::Objective;
pub use schedule::{Order, Schedule};
pub use setups::Setups;

/// Largest number of jobs; job indices are stored as `u16`.
pub(crate) const MAX_JOBS: usize = 65_535;

/// Largest number of machines; machine indices are stored as `u16`.
pub(crate) const MAX_MACHINES: usize = 65_535;

/// Largest sum of all processing times, the latest release date and the longest set-up of each job; an upper bound on every completion
/// time.
pub(crate) const MAX_TOTAL: u64 = (1 << 31) - 1;

// Every completion time fits into 32 bits, signed or not, and the sum of the completion times of all jobs into 64.
const _: () = assert!(MAX_JOBS as u64 * MAX_TOTAL < 1 << 63);
