//! Simulated annealing over conflict-free timetables with Kempe chains: the default solver.
//!
//! Several independent chains of every connected component of the conflict graph are annealed side by side. The
//! trajectory of a chain is defined in steps that suit both a vector unit and a warp. The control word of a step
//! selects its kind:
//!
//! * **shift** (most steps): 256 proposed moves (512 beyond 1,024 exams) of one exam to another period, in order. Each
//!   that causes no clash and is within its acceptance limit is applied, unless its exam shares students with one that
//!   moved in this step; so all proposals can be evaluated in parallel before any is applied.
//! * **Kempe chain**: the connected component of an exam in the subgraph of its period and another one swaps the two
//!   periods. The first of eight (16) random chains within its acceptance limit is applied.
//! * **exchange**: two whole periods swap their exams; the first of eight (16) as above.
//!
//! A proposal costs one load (clash) and two 16-cell windows (cost); an accepted move updates two cells per neighbour
//! ([`board`]). Acceptance follows Metropolis: a change of cost is accepted up to a limit that an integer table gives for
//! the temperature level and a random word, so that the search uses no floating point.
//!
//! Cooling is geometric over [`STAGES`] stages of [`LEVELS`] temperature levels each, slower at first beyond 1,024
//! exams ([`plan()`]). At the beginning of up to 1,023 levels the worst quarter of the chains of a component
//! continues from copies of the best (resampling). Under a time limit the length of a stage is decided when it begins
//! ([`stages`]).
//!
//! Invariants: only conflict-free timetables that satisfy all rules are visited; CPU ([`cpu`]) and device ([`cuda`])
//! compute the same trajectory for any number of threads, because costs are integers and random words are addressed by
//! step, chain and purpose.
//!
//! Sources: S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, «Optimization by simulated annealing», Science 220, 1983; J. M.
//! Thompson, K. A. Dowsland, «A robust simulated annealing based examination timetabling system», Computers &
//! Operations Research 25(7–8), 1998 (Kempe chains).

pub mod board;
pub(crate) mod bound;
mod chains;
pub mod cpu;
pub mod cuda;
pub(crate) mod device_tables;
mod plan;
mod restricted;
pub mod stages;

pub use plan::{Component, Pacing, Schedule};

pub(crate) use plan::{
    Annealed, AnnealingPlan, BackendProfile, CHAINS, CLOSE, LEVELS, STAGES, TEMPERATURES, Trial, median_change, plan,
    sampled_median,
};

use gridwright_core::search::parameters::parameters;

parameters! {
    /// User-settable parameters of annealing; temperatures in raw cost units.
    pub struct AnnealingParameters {
        /// Independent annealing chains; 0 takes as many as a GPU walks at once; on the CPU one to four per thread, as
        /// the time limit allows, and 4 without one.
        chains: u32 = 0, label: "Chains", range: 0..=65_536, zero: "automatic";
        /// Temperature at the start; 0 takes a multiple of the median change of sampled moves. Too low is the commonest
        /// cause of poor results.
        first_temperature: f64 = 0.0,
            label: "Start temperature", unit: "cost units", range: 0.0..=1e6, zero: "automatic";
        /// Temperature at the end; 0 takes a small share of the median change of sampled moves. Too high leaves small exams
        /// where chance has put them.
        last_temperature: f64 = 0.0, label: "End temperature", unit: "cost units", range: 0.0..=1e6, zero: "automatic";
        /// Share of the steps that swap a connected group of exams between two periods; the others but the exchanges
        /// move single exams.
        kempe: f64 = 0.5, label: "Kempe chains", unit: "share of steps", range: 0.0..=1.0;
        /// Share of the steps that exchange two whole periods.
        exchange: f64 = 0.02, label: "Period exchanges", unit: "share of steps", range: 0.0..=1.0;
        /// How often during a run the worst quarter of the chains continues from copies of the best, at most twice per
        /// chain; 0 never.
        resamplings: u32 = 255, label: "Resamplings", unit: "per run", range: 0..=1_023, zero: "never";
    }
}
