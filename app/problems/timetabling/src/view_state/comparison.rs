//! State of the comparison of two timetables.

use std::sync::Arc;

use gridwright_timetabling::comparison::{Assessment, Comparison};
use gridwright_timetabling::{Period, Timetable};

/// Timetable that can take part in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The run with this number.
    Run(usize),
    /// The timetable that is being edited.
    Draft,
    /// The edited timetable as it was before any change.
    Base,
}

/// State of the comparison: the two sides and its result.
#[derive(Default)]
pub struct State {
    pub(crate) sides: Option<[Side; 2]>,
    pub(crate) last: Option<Last>,
    /// Assessments of timetables, the two of the last comparison first.
    pub(crate) known: Vec<Known>,
    /// Revision of the shown timetable that was processed last.
    pub(crate) seen: u64,
    /// Timetable that the next report compares the shown one with.
    pub(crate) report: Option<Side>,
}

/// The last comparison: its two timetables, the periods by which they were counted, and the result.
pub(crate) struct Last {
    pub(crate) pair: [Arc<Timetable>; 2],
    pub(crate) calendar: Vec<Period>,
    pub(crate) comparison: Arc<Comparison>,
}

/// Cached assessment of a timetable by these periods; `None` if the timetable does not belong to the instance.
pub(crate) struct Known {
    pub(crate) timetable: Arc<Timetable>,
    pub(crate) calendar: Vec<Period>,
    pub(crate) assessment: Option<Arc<Assessment>>,
}
