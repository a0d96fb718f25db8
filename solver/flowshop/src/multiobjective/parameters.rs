//! Parameters of the searches for fronts.

use serde::{Deserialize, Serialize};

use gridwright_core::search::parameters::parameters;

use super::descent::STEP_OPERATIONS;
use super::evaluation::LANES;
use super::exploration::{Admission, Neighbourhood};

/// Start orders of Pareto local search.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, strum::VariantArray, strum::VariantNames,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum ParetoStart {
    /// Iterated greedy for each objective and for weighted sums.
    #[default]
    Greedy,
    /// NEH.
    Constructed,
    /// Random orders with restarts.
    Random,
}

/// Start orders of tabu search.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, strum::VariantArray, strum::VariantNames,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum TabuStart {
    /// NEH.
    #[default]
    Constructed,
    /// Random orders.
    Random,
}

parameters! {
    /// Parameters of Pareto local search.
    pub struct ParetoParameters {
        /// Start orders: from iterated greedy for each objective and for weighted sums (greedy), from the NEH heuristic
        /// (constructed), or random with restarts (random).
        start: ParetoStart = ParetoStart::Greedy, label: "Start";
        /// Neighbours that may enter the archive: all that the explored order does not dominate, or only those that
        /// dominate it.
        admission: String = Admission::NAMES[0].to_owned(), label: "Admission", range: Admission::NAMES;
        /// Move of the search: one job moves to another position (insertion), or two jobs swap positions (exchange).
        neighbourhood: String = Neighbourhood::NAMES[0].to_owned(), label: "Neighbourhood", range: Neighbourhood::NAMES;
        /// Archive members that a step explores, each with all its neighbours. 0: 1 with random start orders, otherwise
        /// 32, fewer for many jobs.
        members: u32 = 0, label: "Explored members", unit: "per step", range: 0..=4_096, zero: "automatic";
        /// Number of parts into which the weight is divided among the objectives; every division is a weighted sum. 0:
        /// 12 for two objectives, 5 for three, 3 for four.
        divisions: u32 = 0, label: "Divisions of the weights", range: 0..=64, zero: "automatic";
        /// Share of the budget for iterated greedy before the exploration: one half of it for single objectives, one
        /// for weighted sums.
        greedy: f64 = 0.5, label: "Share of iterated greedy", range: 0.01..=0.99;
        /// Chains of iterated greedy for each single objective. 0: 2.
        chains: u32 = 0, label: "Chains at the ends", unit: "per objective", range: 0..=1_024, zero: "automatic";
        /// Steps of iterated greedy for each single objective. 0: half of the share of iterated greedy.
        end_steps: u64 = 0, label: "Steps at the ends", unit: "steps", range: 0..=MOST_STEPS, zero: "automatic";
        /// Steps of iterated greedy on weighted sums. 0: half of the share of iterated greedy.
        weight_steps: u64 = 0,
            label: "Steps along the weights", unit: "steps", range: 0..=MOST_STEPS, zero: "automatic";
    }
}

/// Largest number of steps, more than any run performs.
const MOST_STEPS: i64 = 1 << 53;

impl ParetoParameters {
    /// Replaces automatic values except for the numbers of steps.
    pub fn resolve(&mut self, objectives: usize, jobs: usize, machines: usize) {
        if self.members == 0 {
            // Fewer members per step where neighbourhoods are large.
            let operations = (jobs as u64).pow(3) * machines as u64 / (2 * LANES as u64);
            let many = (STEP_OPERATIONS / operations.max(1)).clamp(1, 32) as u32;
            self.members = if self.start == ParetoStart::Random { 1 } else { many };
        }
        if self.chains == 0 {
            self.chains = 2;
        }
        self.divisions = divisions(self.divisions, objectives);
    }

    /// Number of further descents in a step that has no member to explore.
    pub(crate) fn kicks(&self) -> usize {
        self.members.max(8) as usize
    }

    /// Returns `true` if iterated greedy precedes the exploration.
    pub(crate) fn has_phases(&self) -> bool {
        self.start == ParetoStart::Greedy
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

parameters! {
    /// Parameters of aggregated tabu search.
    pub struct TabuParameters {
        /// Start orders: from the NEH heuristic (constructed) or random.
        start: TabuStart = TabuStart::Constructed, label: "Start";
        /// Move of the search: one job moves to another position (insertion), or two jobs swap positions (exchange).
        neighbourhood: String = Neighbourhood::NAMES[0].to_owned(), label: "Neighbourhood", range: Neighbourhood::NAMES;
        /// Number of parts into which the weight is divided among the objectives; every division is a weighted sum. 0:
        /// 12 for two objectives, 5 for three, 3 for four.
        divisions: u32 = 0, label: "Divisions of the weights", range: 0..=64, zero: "automatic";
        /// Steps for which a moved job is not moved again, plus a random number of up to as many. 0: a quarter of the
        /// number of jobs.
        tenure: u32 = 0, label: "Tenure", unit: "steps", range: 0..=65_535, zero: "automatic";
        /// Allows a tabu move if it gives the best sum so far.
        aspiration: bool = true, label: "Aspiration";
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
