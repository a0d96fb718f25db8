//! The status of a run, by the checker.

use crate::result::Verdict;

/// Verdict of the checker when the run was listed.
#[derive(Debug, Clone, PartialEq)]
pub enum RunStatus {
    /// A plan whose cost the checker confirms.
    Valid,
    /// Not a plan: something is missing or violated. The text says what.
    Incomplete(String),
    /// The result contradicts the checker or the instance; it is not shown as a plan.
    Wrong(String),
}

impl RunStatus {
    /// Status of a result that was checked again.
    ///
    /// `feasible` and `cost` are the checker's now; `lines` says what is violated. Where the result's own names are not
    /// those of the instance, `unknown` says so.
    pub fn of(
        then: &Verdict, feasible: bool, cost: f64, lines: impl FnOnce() -> String, unknown: Option<String>,
    ) -> Self {
        if let Some(unknown) = unknown {
            return Self::Wrong(unknown);
        }
        if !then.confirmed {
            return Self::Wrong("the search reported another cost than the checker found".to_owned());
        }
        if feasible != then.feasible {
            let words = |feasible: bool| if feasible { "no violation" } else { "violations" };
            let text = format!("the checker finds {}, the result claims {}", words(feasible), words(then.feasible));
            return Self::Wrong(text);
        }
        if feasible && then.cost != cost {
            return Self::Wrong(format!("the checker counts a cost of {cost}, the result claims {}", then.cost));
        }
        if feasible { Self::Valid } else { Self::Incomplete(lines()) }
    }
}
