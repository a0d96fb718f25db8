//! Verdicts and consequences that were computed last.

use std::sync::Arc;

use gridwright_timetabling::check::Verdict;
use gridwright_timetabling::moves::Consequence;
use gridwright_timetabling::{Instance, Timetable};

/// Verdicts and consequences that were computed last.
#[derive(Default)]
pub(crate) struct Judgements {
    /// The checker's verdict on the shown timetable by the present rules.
    pub(crate) shown: Option<Judged>,
    /// Contradictions among the rules of this instance.
    pub(crate) contradictions: Option<(Arc<Instance>, Arc<Vec<String>>)>,
    pub(crate) effects: Option<Effects>,
    /// Edited timetable, number of runs, and `true` if one of these runs was solved around its changes.
    pub(crate) solved_around: Option<(Arc<Timetable>, usize, bool)>,
}

/// Verdict of the checker, with the instance and timetable that it belongs to.
pub(crate) struct Judged {
    pub(crate) instance: Arc<Instance>,
    pub(crate) timetable: Arc<Timetable>,
    pub(crate) verdict: Arc<Verdict>,
}

/// Consequences of moving an exam to each period, with the instance and timetable that they belong to.
pub(crate) struct Effects {
    pub(crate) instance: Arc<Instance>,
    pub(crate) timetable: Option<Arc<Timetable>>,
    pub(crate) exam: usize,
    pub(crate) found: Arc<Vec<Consequence>>,
}
