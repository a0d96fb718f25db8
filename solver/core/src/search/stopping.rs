//! Stopping criteria of a search, and reasons for its end.

use serde::{Deserialize, Serialize};

/// Work that a run may do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Budget {
    /// This many generations or steps, whatever time they take.
    Steps(u64),
    /// As many generations or steps as it takes to evaluate this many solutions or moves.
    Evaluations(u64),
    /// As many as fit into this many seconds; a search that plans ahead turns it into steps after a calibration.
    Seconds(f64),
}

/// Stopping criteria; the first that holds ends the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stop {
    /// Work that the run may do.
    pub budget: Budget,
    /// Stop as soon as the best cost is at most this.
    pub target: Option<f64>,
    /// Stop after this many generations or steps without improvement.
    pub stall: Option<u64>,
}

impl Stop {
    /// A budget and nothing else.
    pub fn after(budget: Budget) -> Self {
        Self { budget, target: None, stall: None }
    }
}

/// Reason for the end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopReason {
    /// The budget of generations or steps is used up.
    Budget,
    /// The time limit was reached.
    TimeLimit,
    /// The target cost was reached.
    Target,
    /// There was no improvement for the chosen number of generations or steps.
    Stalled,
    /// The user stopped the run.
    Cancelled,
    /// The search failed; the best solution so far is kept.
    Failed(String),
    /// The program ended during the run; the best solution so far is kept.
    Interrupted,
    /// No feasible solution was found; the best partial one is kept.
    NoFeasible,
    /// Nothing to search: every solution costs the same.
    Trivial,
    /// The user made the solution; nothing was searched.
    ByHand,
    /// The solution is proven optimal.
    Proven,
}

impl StopReason {
    /// The reason as one word for scripts; what went wrong in a failed search is left out.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Budget => "budget",
            Self::TimeLimit => "time_limit",
            Self::Target => "target",
            Self::Stalled => "stalled",
            Self::Cancelled => "cancelled",
            Self::Failed(_) => "failed",
            Self::Interrupted => "interrupted",
            Self::NoFeasible => "no_feasible",
            Self::Trivial => "trivial",
            Self::ByHand => "by_hand",
            Self::Proven => "proven",
        }
    }
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Budget => f.write_str("budget used up"),
            Self::TimeLimit => f.write_str("time limit reached"),
            Self::Target => f.write_str("target reached"),
            Self::Stalled => f.write_str("no improvement"),
            Self::Cancelled => f.write_str("stopped by hand"),
            Self::Failed(why) => write!(f, "failed: {why}"),
            Self::Interrupted => f.write_str("interrupted"),
            Self::NoFeasible => f.write_str("no feasible solution found"),
            Self::Trivial => f.write_str("nothing to search"),
            Self::ByHand => f.write_str("made by hand"),
            Self::Proven => f.write_str("proven optimal"),
        }
    }
}
