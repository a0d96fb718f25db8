//! State of the view of duties.

use std::sync::Arc;

use gridwright_timetabling::invigilation::Assignment;
use gridwright_timetabling::invigilation::adjust::Adjustment;
use gridwright_timetabling::invigilation::check::Fault;
use gridwright_timetabling::invigilation::open::{DutyMove, OpenPost};
use gridwright_timetabling::{Duty, Instance, Timetable};
use gridwright_window::later::Later;

use super::rooms::Of;
use crate::widgets::matrix::View;

/// View state of the duties.
#[derive(Default)]
pub struct State {
    pub(crate) view: View,
    /// Row at the keyboard's cursor.
    pub(crate) row: Option<usize>,
    /// Duty whose cell was clicked last, by index.
    pub(crate) held: Option<usize>,
    pub(crate) known: Option<Known>,
    /// Assignment in progress.
    pub(crate) assigning: Later<Assigned>,
    /// Shortages and gaps of the last assignment.
    pub(crate) told: Vec<String>,
    /// The duties that the sentences are about.
    pub(crate) told_of: Option<Arc<Vec<Duty>>>,
    /// Change that was asked for, with what speaks against it.
    pub(crate) warning: Option<(DutyMove, Vec<String>)>,
}

/// Assignment that was found for a session and a timetable.
pub(crate) struct Assigned {
    pub(crate) of: Of,
    pub(crate) found: Result<Found, String>,
}

/// Duties that were found.
pub(crate) enum Found {
    /// Anew for everybody.
    Anew(Assignment),
    /// With as many of the former duties as possible.
    Adjusted(Adjustment),
}

/// Duties by person and period, with what is missing and what is wrong.
pub(crate) struct Known {
    pub(crate) instance: Arc<Instance>,
    pub(crate) timetable: Arc<Timetable>,
    /// Indices of the duties of person r in period p at r · periods + p.
    pub(crate) cells: Vec<Vec<usize>>,
    pub(crate) open: Vec<OpenPost>,
    pub(crate) faults: Vec<Fault>,
}

impl Known {
    /// Duties of a session on a timetable.
    pub(crate) fn of(instance: &Arc<Instance>, timetable: &Arc<Timetable>) -> Self {
        use gridwright_timetabling::invigilation::{check::check, open::open_posts};
        let (people, periods) = (&instance.resources.invigilators, instance.period_count());
        let mut cells = vec![Vec::new(); people.len() * periods];
        for (index, duty) in instance.duties.iter().enumerate() {
            let person = people.iter().position(|person| person.code == duty.invigilator);
            if let Some((person, period)) = person.zip(instance.period_of(&duty.when)) {
                cells[person * periods + period].push(index);
            }
        }
        Self {
            instance: Arc::clone(instance),
            timetable: Arc::clone(timetable),
            cells,
            open: open_posts(instance, timetable, &instance.duties).unwrap_or_default(),
            faults: check(instance, timetable, &instance.duties),
        }
    }

    /// Duties of a person in a period.
    pub(crate) fn at(&self, person: usize, period: usize) -> impl Iterator<Item = &Duty> {
        let cell = self.cells.get(person * self.instance.period_count() + period);
        cell.into_iter().flatten().filter_map(|&duty| self.instance.duties.get(duty))
    }

    /// Number of duties of a person.
    pub(crate) fn load(&self, person: usize) -> usize {
        let periods = self.instance.period_count();
        self.cells.iter().skip(person * periods).take(periods).map(Vec::len).sum()
    }

    /// Posts of a period that lack people.
    pub(crate) fn open_in(&self, period: usize) -> impl Iterator<Item = &OpenPost> {
        self.open.iter().filter(move |open| open.period == period)
    }
}
