//! Iterated greedy for a single objective: jobs are removed and reinserted where they cost least, again and again.
//!
//! A run advances several chains in parallel, all from one start order: that of NEH or, under a time limit, the best of
//! beam search ([`super::beam`]), which then gets the first half of the time (makespan, and flow time of at least 100
//! jobs). A step of a chain
//!
//! 1. removes `removed` jobs at random;
//! 2. if `partial` is on, improves the remaining order by local search: all jobs in random order, each moved to its
//!    best position if that is better, until a round improves nothing;
//! 3. reinserts the removed jobs one by one, each at its best position;
//! 4. improves the complete order by the same local search;
//! 5. accepts the new order if it is worse by at most −T·ln u with u uniform in (0, 1), and otherwise keeps the old
//!    one.
//!
//! After every `gathering` steps the worst quarter of the chains continues from the orders of the best quarter.
//!
//! The temperature T is constant: `temperature` · mean processing time / 10. Sums over jobs vary more than the
//! makespan, and the more the more machines there are; their default is therefore 1.4 per machine, with four removed
//! jobs and without step 2. For the makespan with set-up times of machines, six jobs are removed at T = 0.5, without
//! step 2, which is left out with set-ups in any case.
//!
//! # Evaluation
//! For the makespan most jobs of a local search have no better position. [`super::neighbourhood`] therefore tests
//! sixteen removed jobs at once, one per SIMD lane, and only a job with a better position is evaluated alone
//! ([`super::insertion`], with ties broken by idle time); where there are set-ups, the sixteen are consecutive indices
//! ([`super::neighbourhood::setups`]). The result equals that of one job after the other, so that a
//! block of a GPU may look ahead further. For sums over jobs [`super::insertion`] evaluates sixteen positions side by
//! side and stops early at a lower bound.
//!
//! # Determinism
//! Random words are addressed by (draw, step, chain, purpose); chains exchange orders at multiples of `gathering` only.
//! Threads, epochs and backends ([`cpu`], [`cuda`]) therefore do not change the result. [`beam_start`] counts the steps
//! of beam search and of the chains consecutively.
//!
//! Sources: R. Ruiz, T. Stützle, «A simple and effective iterated greedy algorithm for the permutation flowshop
//! scheduling problem», European Journal of Operational Research 177(3), 2007; J. Dubois-Lacoste, F. Pagnozzi, T.
//! Stützle, «An iterated greedy algorithm with optimization of partial solutions for the makespan permutation flowshop
//! problem», Computers & Operations Research 81, 2017 (step 2, and two removed jobs at T = 0.7).

pub mod beam_start;
pub(crate) mod chain;
pub mod cpu;
pub mod cuda;
pub mod population;

use serde::{Deserialize, Serialize};

use super::{Instance, Objective};
use gridwright_core::search::parameters::parameters;

parameters! {
    /// Parameters of iterated greedy; 0 and `Automatic` stand for values that depend on instance and objective.
    pub struct IteratedGreedyParameters {
        /// Number of chains in parallel. 0: several per multiprocessor on a GPU; on the CPU one per thread under a time
        /// limit, otherwise 4.
        chains: u32 = 0, label: "Chains", range: 0..=65_536, zero: "automatic";
        /// Jobs that a step removes and reinserts; the more, the more the order changes. 0: 2 for the makespan (6 with
        /// set-ups), 4 for flow time and lateness.
        removed: u32 = 0, label: "Removed jobs", unit: "per step", range: 0..=64, zero: "automatic";
        /// How much worse a new order may be to be accepted. 0: 0.7 for the makespan (0.5 with set-ups), 1.4 per machine for
        /// flow time and lateness.
        temperature: f64 = 0.0,
            label: "Temperature", unit: "tenths of the mean processing time", range: 0.0..=1e6, zero: "automatic";
        /// Improves the order by local search before the removed jobs are reinserted. Automatic: for the makespan without set-ups.
        partial: Partial = Partial::Automatic, label: "Improve partial orders";
        /// Steps after which the worst quarter of the chains continues from the orders of the best quarter. 0: never
        /// (or automatic, if the number of chains of a GPU is automatic).
        gathering: u32 = 0, label: "Gathering", unit: "steps", range: 0..=1_000_000_000, zero: "never";
        /// Start order of the chains: neh (construction heuristic), beam (best order of beam search, for makespan and
        /// flow time) or automatic (beam search under a time limit for the makespan, and for the flow time of at least
        /// 100 jobs).
        start: Start = Start::Automatic, label: "Start";
        /// Largest width of the beam. Wider beams find better orders and take proportionally longer. 0: as wide as half
        /// of the time limit allows.
        width: u32 = 0,
            label: "Width of the beam", unit: "partial orders", range: 0..=super::beam::MOST as i64, zero: "automatic";
    }
}

/// Start order of the chains.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, strum::VariantArray, strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Start {
    /// Beam search under a time limit for the makespan, and for the flow time of at least 100 jobs; otherwise NEH.
    #[default]
    Automatic,
    /// The order of NEH.
    Neh,
    /// The best order of beam search.
    Beam,
}

/// Setting of the local search on the order without the removed jobs.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, strum::VariantArray, strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Partial {
    /// On for the makespan, off for sums over jobs and where there are set-ups.
    #[default]
    Automatic,
    /// Always on.
    On,
    /// Always off.
    Off,
}

impl IteratedGreedyParameters {
    /// Replaces automatic values by those for an instance and an objective, except for the number of chains.
    pub(crate) fn resolved(&self, instance: &Instance, objective: Objective) -> Self {
        // The rounds on the partial sequence are not worth their time where every position is evaluated job by job.
        let (makespan, has_setups) = (objective == Objective::Makespan, instance.further_times().is_some());
        let mut parameters = self.clone();
        if parameters.temperature == 0.0 {
            parameters.temperature = match makespan {
                true if has_setups => 0.5,
                true => 0.7,
                false => instance.machine_count() as f64 * 14.0 / 10.0,
            };
        }
        if parameters.removed == 0 {
            parameters.removed = match makespan {
                true if has_setups => 6,
                true => 2,
                false => 4,
            };
        }
        if parameters.partial == Partial::Automatic {
            parameters.partial = if makespan && !has_setups { Partial::On } else { Partial::Off };
        }
        parameters
    }
}
