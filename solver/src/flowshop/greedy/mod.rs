//! Iterated greedy: some jobs are taken out and put back where they cost least, again and again.
//!
//! A run walks several chains side by side, all from one order: that of NEH or, for the makespan and for the flow time of many
//! jobs, the best that beams of growing width find ([`super::beam`]) in the first half of a time limit. A step of a chain
//!
//! 1. takes `removed` jobs out, drawn at random;
//! 2. improves what is left by local search: all jobs in random order, each taken out and put where it costs least, until a
//!    round finds nothing better (it is left out where `partial` is off);
//! 3. puts the jobs back one by one, each where it costs least;
//! 4. improves the whole order likewise;
//! 5. goes on from the new order if it is not worse by more than −T·ln u, u uniform, and from the old one otherwise.
//!
//! Many chains help each other where they are gathered: after every `gathering` steps the worst quarter of them goes on from the
//! orders of the best quarter.
//!
//! The temperature is constant: `temperature` · mean processing time / 10. Sums over all jobs change by far more than the
//! makespan does, and by the more the more machines there are, so theirs is higher: 1.4 for every machine. With 50 jobs, flow
//! time and 30 s of one thread, a temperature of 7 instead of 28 ends 0.4 % lower on 5 machines and 0.4 % higher on 20.
//! For sums 2. does not pay: four removed jobs without it, at 10, ended 0.45 % above the best known flow time of ta061, two
//! with it at 20 at 0.72 %, on average over three seeds of 100 s; seventeen ways were compared.
//!
//! Sources: R. Ruiz, T. Stützle, «A simple and effective iterated greedy algorithm for the permutation flowshop scheduling
//! problem», European Journal of Operational Research 177(3), 2007; J. Dubois-Lacoste, F. Pagnozzi, T. Stützle, «An iterated
//! greedy algorithm with optimization of partial solutions for the makespan permutation flowshop problem», Computers &
//! Operations Research 81, 2017 (2., and two removed jobs at 0.7); ties as in [`super::insertion`].

pub mod beginning;
pub mod chain;
pub mod cpu;
pub mod cuda;
pub mod population;

use serde::{Deserialize, Serialize};

use super::{Instance, Objective};
use crate::search::parameters::{meaning, word};
use crate::search::{Kind, Parameter, Parameters, Value};

/// What a person may choose.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct IteratedGreedyParameters {
    /// Chains; 0: several for each multiprocessor of a GPU; on the CPU one per thread under a time limit, otherwise 4.
    pub chains: u32,
    /// Jobs that a step takes out; 0: 2 for the makespan, 4 for sums over jobs.
    pub removed: u32,
    /// Temperature in tenths of the mean processing time; 0: 0.7 for the makespan, 1.4 for every machine for sums over jobs.
    pub temperature: f64,
    /// Whether the order without the removed jobs is improved, too.
    pub partial: Partial,
    /// After so many steps, again and again, the worst quarter of the chains goes on from the orders of the best; 0: never, but where the
    /// chains of a GPU are chosen this is, too.
    pub gathering: u32,
    /// Where the chains begin.
    #[serde(default)]
    pub start: Start,
    /// The widest beam; 0: as wide as fits into half of the time limit.
    #[serde(default)]
    pub width: u32,
}

/// Where the chains begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Start {
    /// Under a time limit with the best order of beams for the makespan, and for the flow time of many jobs; otherwise with that of NEH.
    #[default]
    Automatic,
    /// With the order of NEH.
    Neh,
    /// With the best order of beams.
    Beam,
}

const START: [(&str, Start); 3] = [("automatic", Start::Automatic), ("neh", Start::Neh), ("beam", Start::Beam)];

/// Whether the order without the removed jobs is improved before they are put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Partial {
    /// For the makespan.
    #[default]
    Automatic,
    /// It is.
    On,
    /// It is not.
    Off,
}

const PARTIAL: [(&str, Partial); 3] = [("automatic", Partial::Automatic), ("on", Partial::On), ("off", Partial::Off)];

impl IteratedGreedyParameters {
    /// With what is automatic decided for an instance and an objective, but for the number of chains.
    pub fn resolved(&self, instance: &Instance, objective: Objective) -> Self {
        let makespan = objective == Objective::Makespan;
        let mut parameters = self.clone();
        if parameters.temperature == 0.0 {
            parameters.temperature = if makespan { 0.7 } else { instance.machine_count() as f64 * 14.0 / 10.0 };
        }
        if parameters.removed == 0 {
            parameters.removed = if makespan { 2 } else { 4 };
        }
        if parameters.partial == Partial::Automatic {
            parameters.partial = if makespan { Partial::On } else { Partial::Off };
        }
        parameters
    }
}

impl Parameters for IteratedGreedyParameters {
    fn list() -> &'static [Parameter] {
        &[
            Parameter {
                name: "chains",
                label: "Chains",
                unit: "",
                help: "Chains side by side; 0 takes several for each multiprocessor of a GPU; on the CPU one per thread under a time limit, and 4 without one.",
                kind: Kind::Integer { min: 0, max: 65_536 },
                zero: "automatic",
            },
            Parameter {
                name: "removed",
                label: "Removed jobs",
                unit: "per step",
                help: "Jobs that a step takes out and puts back; few keep most of what was found, many forget it. 0 takes 2 for the makespan, 4 for flow time and lateness.",
                kind: Kind::Integer { min: 0, max: 64 },
                zero: "automatic",
            },
            Parameter {
                name: "temperature",
                label: "Temperature",
                unit: "tenths of the mean processing time",
                help: "How much worse an order may be to go on from it; 0 takes 0.7 for the makespan, and 1.4 for every machine for flow time and lateness.",
                kind: Kind::Real { min: 0.0, max: 1e6 },
                zero: "automatic",
            },
            Parameter {
                name: "partial",
                label: "Improve partial orders",
                unit: "",
                help: "Whether the order without the removed jobs is improved by local search before they are put back; automatic: for the makespan.",
                kind: Kind::Choice(&["automatic", "on", "off"]),
                zero: "",
            },
            Parameter {
                name: "gathering",
                label: "Gathering",
                unit: "steps",
                help: "After so many steps, again and again, the worst quarter of the chains goes on from the orders of the best; 0 never (where the number of chains of a GPU is automatic, so is this).",
                kind: Kind::Integer { min: 0, max: 1_000_000_000 },
                zero: "never",
            },
            Parameter {
                name: "start",
                label: "Start",
                unit: "",
                help: "Where the chains begin: neh with the order of that heuristic, beam with the best that beam search finds (makespan and flow time), automatic with beam search under a time limit for the makespan, and for the flow time of at least 100 jobs.",
                kind: Kind::Choice(&["automatic", "neh", "beam"]),
                zero: "",
            },
            Parameter {
                name: "width",
                label: "Width of the beam",
                unit: "partial orders",
                help: "Beams get wider until this; wider ones find better orders and take longer, in proportion. 0 takes as wide ones as fit into half of the time limit.",
                kind: Kind::Integer { min: 0, max: super::beam::MOST as i64 },
                zero: "automatic",
            },
        ]
    }

    fn get(&self, name: &str) -> Value {
        match name {
            "chains" => Value::Integer(i64::from(self.chains)),
            "removed" => Value::Integer(i64::from(self.removed)),
            "temperature" => Value::Real(self.temperature),
            "gathering" => Value::Integer(i64::from(self.gathering)),
            "start" => word(&START, self.start),
            "width" => Value::Integer(i64::from(self.width)),
            _ => word(&PARTIAL, self.partial),
        }
    }

    fn put(&mut self, name: &str, value: &Value) {
        match name {
            "chains" => self.chains = value.integer() as u32,
            "removed" => self.removed = value.integer() as u32,
            "temperature" => self.temperature = value.real(),
            "gathering" => self.gathering = value.integer() as u32,
            "start" => self.start = meaning(&START, value, self.start),
            "width" => self.width = value.integer() as u32,
            _ => self.partial = meaning(&PARTIAL, value, self.partial),
        }
    }
}
