//! Simulated annealing over conflict-free timetables with Kempe chains: the default solver.
//!
//! A run anneals several independent chains of every connected component of the conflict graph side by side. The
//! trajectory of a chain is defined by steps that suit both a vector unit and a warp:
//!
//! * The control word of a step says which kind it is.
//! * **shifts**: 256 moves (512 beyond 1,024 exams) of an exam to another period are looked at in order. Each that clashes with nothing and is
//!   within its limit is applied, unless its exam shares students with one that has moved in this step: so all can be
//!   looked at side by side.
//! * **Kempe chains**: an exam and another period; the exams of the two periods that are connected to the exam swap
//!   periods. The first of eight (16) whose change of cost is within its limit is applied.
//! * **exchanges**: two whole periods swap places; likewise.
//!
//! Only conflict-free timetables are visited. Cooling is geometric over 64 legs of 16 temperatures, beyond 1,024 exams slower at first. The steps of a leg
//! are known when it begins: under a time limit from the clock, and then they are kept for the replay. At the beginning of
//! some legs the worst quarter of the chains of a component continues from copies of the best.
//!
//! Sources: S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, «Optimization by simulated annealing», Science 220, 1983;
//! J. M. Thompson, K. A. Dowsland, «A robust simulated annealing based examination timetabling system», Computers &
//! Operations Research 25(7–8), 1998 (Kempe chains).
pub mod board;
mod chains;
pub mod cpu;
pub mod cuda;
pub(in crate::timetabling) mod device_tables;
pub mod legs;
mod plan;
mod restricted;

pub use plan::{CHAINS, Component, LEGS, Pacing, Planned, RUNGS, Schedule, Trial, Walker, plan};

use serde::{Deserialize, Serialize};

use crate::search::{Kind, Parameter, Parameters, Value};

/// What a person may choose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnnealingParameters {
    /// Independent chains; 0: as many as a GPU walks at once, on the CPU one or more per thread under a time limit, otherwise 4.
    pub chains: u32,
    /// Start temperature in raw cost units; 0: from sampled moves.
    pub first_temperature: f64,
    /// End temperature in raw cost units; 0: from sampled moves.
    pub last_temperature: f64,
    /// Share of the steps that propose a Kempe chain.
    pub kempe: f64,
    /// Share of the steps that propose to exchange two periods.
    pub exchange: f64,
    /// How often during a run the worst quarter of the chains continues from the best; at most twice per chain.
    pub resamplings: u32,
}

impl Default for AnnealingParameters {
    fn default() -> Self {
        Self { chains: 0, first_temperature: 0.0, last_temperature: 0.0, kempe: 0.25, exchange: 0.02, resamplings: 63 }
    }
}

impl Parameters for AnnealingParameters {
    fn list() -> &'static [Parameter] {
        &[
            Parameter {
                name: "chains",
                label: "Chains",
                unit: "",
                help: "Independent annealing chains; 0 takes as many as a GPU walks at once; on the CPU one to four per thread, as the time limit allows, and 4 without one.",
                kind: Kind::Integer { min: 0, max: 65_536 },
                zero: "automatic",
            },
            Parameter {
                name: "first_temperature",
                label: "Start temperature",
                unit: "cost units",
                help: "Temperature at the start; 0 finds it from sampled moves. Too low is the commonest cause of poor results.",
                kind: Kind::Real { min: 0.0, max: 1e6 },
                zero: "automatic",
            },
            Parameter {
                name: "last_temperature",
                label: "End temperature",
                unit: "cost units",
                help: "Temperature at the end; 0 finds it from sampled moves.",
                kind: Kind::Real { min: 0.0, max: 1e6 },
                zero: "automatic",
            },
            Parameter {
                name: "kempe",
                label: "Kempe chains",
                unit: "share of steps",
                help: "Share of the steps that swap a connected group of exams between two periods; the others but the exchanges move single exams.",
                kind: Kind::Real { min: 0.0, max: 1.0 },
                zero: "",
            },
            Parameter {
                name: "exchange",
                label: "Period exchanges",
                unit: "share of steps",
                help: "Share of the steps that exchange two whole periods.",
                kind: Kind::Real { min: 0.0, max: 1.0 },
                zero: "",
            },
            Parameter {
                name: "resamplings",
                label: "Resamplings",
                unit: "per run",
                help: "How often during a run the worst quarter of the chains continues from copies of the best, at most twice per chain; 0 never.",
                kind: Kind::Integer { min: 0, max: 63 },
                zero: "never",
            },
        ]
    }

    fn get(&self, name: &str) -> Value {
        match name {
            "chains" => Value::Integer(i64::from(self.chains)),
            "first_temperature" => Value::Real(self.first_temperature),
            "last_temperature" => Value::Real(self.last_temperature),
            "kempe" => Value::Real(self.kempe),
            "exchange" => Value::Real(self.exchange),
            _ => Value::Integer(i64::from(self.resamplings)),
        }
    }

    fn put(&mut self, name: &str, value: &Value) {
        match name {
            "chains" => self.chains = value.integer() as u32,
            "first_temperature" => self.first_temperature = value.real(),
            "last_temperature" => self.last_temperature = value.real(),
            "kempe" => self.kempe = value.real(),
            "exchange" => self.exchange = value.real(),
            _ => self.resamplings = value.integer() as u32,
        }
    }
}
