//! Parameters of the searches for fronts.

use serde::{Deserialize, Serialize};

use crate::search::{Kind, Parameter, Parameters, Value};

use super::descent::STEP_OPERATIONS;
use super::evaluation::LANES;
use super::exploration::{Admission, Neighbourhood};

/// Start orders of a search for a front, as parameter values.
pub const STARTS: [&str; 3] = ["greedy", "constructed", "random"];

/// Parameters of Pareto local search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ParetoParameters {
    /// One of [`STARTS`].
    pub start: String,
    /// One of [`Admission::NAMES`].
    pub admission: String,
    /// One of [`Neighbourhood::NAMES`].
    pub neighbourhood: String,
    /// Members explored per step; 0: 1 with random starts, otherwise 32, fewer for many jobs.
    pub members: u32,
    /// Divisions of the lattice of weights; 0: 12 for two objectives, 5 for three, 3 for four.
    pub divisions: u32,
    /// Share of the budget for iterated greedy before the exploration, 0 to 1.
    pub greedy: f64,
    /// Chains of iterated greedy per single objective; 0: 2.
    pub chains: u32,
    /// Steps of the first phase on single objectives; 0: half of `greedy`.
    pub end_steps: u64,
    /// Steps of the first phase on weighted sums; 0: half of `greedy`.
    pub weight_steps: u64,
}

impl Default for ParetoParameters {
    fn default() -> Self {
        Self {
            start: STARTS[0].to_owned(),
            admission: Admission::NAMES[0].to_owned(),
            neighbourhood: Neighbourhood::NAMES[0].to_owned(),
            members: 0,
            divisions: 0,
            greedy: 0.5,
            chains: 0,
            end_steps: 0,
            weight_steps: 0,
        }
    }
}

const NEIGHBOURHOOD: Parameter = Parameter {
    name: "neighbourhood",
    label: "Neighbourhood",
    unit: "",
    help: "Move of the search: one job moves to another position (insertion), or two jobs swap positions (exchange).",
    kind: Kind::Choice(&Neighbourhood::NAMES),
    zero: "",
};

const DIVISIONS: Parameter = Parameter {
    name: "divisions",
    label: "Divisions of the weights",
    unit: "",
    help: "Number of parts into which the weight is divided among the objectives; every division is a weighted sum. 0: 12 for two objectives, 5 for three, 3 for four.",
    kind: Kind::Integer { min: 0, max: 64 },
    zero: "automatic",
};

/// Largest number of steps, more than any run performs.
const MOST_STEPS: i64 = 1 << 53;

impl Parameters for ParetoParameters {
    fn list() -> &'static [Parameter] {
        &[
            Parameter {
                name: "start",
                label: "Start",
                unit: "",
                help: "Start orders: from iterated greedy for each objective and for weighted sums (greedy), from the NEH heuristic (constructed), or random with restarts (random).",
                kind: Kind::Choice(&STARTS),
                zero: "",
            },
            Parameter {
                name: "admission",
                label: "Admission",
                unit: "",
                help: "Neighbours that may enter the archive: all that the explored order does not dominate, or only those that dominate it.",
                kind: Kind::Choice(&Admission::NAMES),
                zero: "",
            },
            NEIGHBOURHOOD,
            Parameter {
                name: "members",
                label: "Explored members",
                unit: "per step",
                help: "Archive members that a step explores, each with all its neighbours. 0: 1 with random start orders, otherwise 32, fewer for many jobs.",
                kind: Kind::Integer { min: 0, max: 4_096 },
                zero: "automatic",
            },
            DIVISIONS,
            Parameter {
                name: "greedy",
                label: "Share of iterated greedy",
                unit: "",
                help: "Share of the budget for iterated greedy before the exploration: one half of it for single objectives, one for weighted sums.",
                kind: Kind::Real { min: 0.01, max: 0.99 },
                zero: "",
            },
            Parameter {
                name: "chains",
                label: "Chains at the ends",
                unit: "per objective",
                help: "Chains of iterated greedy for each single objective. 0: 2.",
                kind: Kind::Integer { min: 0, max: 1_024 },
                zero: "automatic",
            },
            Parameter {
                name: "end_steps",
                label: "Steps at the ends",
                unit: "steps",
                help: "Steps of iterated greedy for each single objective. 0: half of the share of iterated greedy.",
                kind: Kind::Integer { min: 0, max: MOST_STEPS },
                zero: "automatic",
            },
            Parameter {
                name: "weight_steps",
                label: "Steps along the weights",
                unit: "steps",
                help: "Steps of iterated greedy on weighted sums. 0: half of the share of iterated greedy.",
                kind: Kind::Integer { min: 0, max: MOST_STEPS },
                zero: "automatic",
            },
        ]
    }

    fn get(&self, name: &str) -> Value {
        match name {
            "start" => Value::Choice(self.start.clone()),
            "admission" => Value::Choice(self.admission.clone()),
            "neighbourhood" => Value::Choice(self.neighbourhood.clone()),
            "members" => Value::Integer(self.members.into()),
            "divisions" => Value::Integer(self.divisions.into()),
            "greedy" => Value::Real(self.greedy),
            "chains" => Value::Integer(self.chains.into()),
            "end_steps" => Value::Integer(self.end_steps as i64),
            _ => Value::Integer(self.weight_steps as i64),
        }
    }

    fn put(&mut self, name: &str, value: &Value) {
        match name {
            "start" => self.start = value.to_string(),
            "admission" => self.admission = value.to_string(),
            "neighbourhood" => self.neighbourhood = value.to_string(),
            "members" => self.members = value.integer() as u32,
            "divisions" => self.divisions = value.integer() as u32,
            "greedy" => self.greedy = value.real(),
            "chains" => self.chains = value.integer() as u32,
            "end_steps" => self.end_steps = value.integer() as u64,
            _ => self.weight_steps = value.integer() as u64,
        }
    }
}

impl ParetoParameters {
    /// Replaces automatic values except for the numbers of steps.
    pub fn resolve(&mut self, objectives: usize, jobs: usize, machines: usize) {
        if self.members == 0 {
            // Fewer members per step where neighbourhoods are large.
            let operations = (jobs as u64).pow(3) * machines as u64 / (2 * LANES as u64);
            let many = (STEP_OPERATIONS / operations.max(1)).clamp(1, 32) as u32;
            self.members = if self.start == "random" { 1 } else { many };
        }
        if self.chains == 0 {
            self.chains = 2;
        }
        self.divisions = divisions(self.divisions, objectives);
    }

    /// Number of further descents in a step that has no member to explore.
    pub fn kicks(&self) -> usize {
        self.members.max(8) as usize
    }

    /// Returns `true` if iterated greedy precedes the exploration.
    pub fn has_phases(&self) -> bool {
        self.start == STARTS[0]
    }
}

fn divisions(asked: u32, objectives: usize) -> u32 {
    match (asked, objectives) {
        (0, 2) => 12,
        (0, 3) => 5,
        (0, _) => 3,
        _ => asked,
    }
}

/// Parameters of aggregated tabu search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TabuParameters {
    /// `constructed` or `random`.
    pub start: String,
    /// One of [`Neighbourhood::NAMES`].
    pub neighbourhood: String,
    /// Divisions of the lattice of weights; 0: 12 for two objectives, 5 for three, 3 for four.
    pub divisions: u32,
    /// Steps for which a moved job stays tabu, at least; 0: a quarter of the number of jobs.
    pub tenure: u32,
    /// True if a tabu move to a new best sum is allowed.
    pub aspiration: bool,
}

impl Default for TabuParameters {
    fn default() -> Self {
        Self {
            start: STARTS[1].to_owned(),
            neighbourhood: Neighbourhood::NAMES[0].to_owned(),
            divisions: 0,
            tenure: 0,
            aspiration: true,
        }
    }
}

impl Parameters for TabuParameters {
    fn list() -> &'static [Parameter] {
        &[
            Parameter {
                name: "start",
                label: "Start",
                unit: "",
                help: "Start orders: from the NEH heuristic (constructed) or random.",
                kind: Kind::Choice(&["constructed", "random"]),
                zero: "",
            },
            NEIGHBOURHOOD,
            DIVISIONS,
            Parameter {
                name: "tenure",
                label: "Tenure",
                unit: "steps",
                help: "Steps for which a moved job is not moved again, plus a random number of up to as many. 0: a quarter of the number of jobs.",
                kind: Kind::Integer { min: 0, max: 65_535 },
                zero: "automatic",
            },
            Parameter {
                name: "aspiration",
                label: "Aspiration",
                unit: "",
                help: "Allows a tabu move if it gives the best sum so far.",
                kind: Kind::Switch,
                zero: "",
            },
        ]
    }

    fn get(&self, name: &str) -> Value {
        match name {
            "start" => Value::Choice(self.start.clone()),
            "neighbourhood" => Value::Choice(self.neighbourhood.clone()),
            "divisions" => Value::Integer(self.divisions.into()),
            "tenure" => Value::Integer(self.tenure.into()),
            _ => Value::Switch(self.aspiration),
        }
    }

    fn put(&mut self, name: &str, value: &Value) {
        match name {
            "start" => self.start = value.to_string(),
            "neighbourhood" => self.neighbourhood = value.to_string(),
            "divisions" => self.divisions = value.integer() as u32,
            "tenure" => self.tenure = value.integer() as u32,
            _ => self.aspiration = value.switch(),
        }
    }
}

impl TabuParameters {
    /// Replaces automatic values.
    pub fn resolve(&mut self, objectives: usize, jobs: usize) {
        self.divisions = divisions(self.divisions, objectives);
        if self.tenure == 0 {
            self.tenure = (jobs as u32 / 4).max(1);
        }
    }
}
