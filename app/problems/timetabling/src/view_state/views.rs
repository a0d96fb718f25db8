//! State common to the views.

use std::ops::Range;

use gridwright_timetabling::Instance;
use gridwright_timetabling::drawing::{self, Sort};

use super::{conflicts, search, students};
use crate::analysis::Picture;

/// View state common to all views, as chosen by the user.
#[derive(Default)]
pub(crate) struct Views {
    /// Filter of the exams that are shown.
    pub filter: Filter,
    pub(crate) search: search::State,
    pub(crate) students: students::State,
    pub(crate) conflicts: conflicts::State,
}

/// Filter by the period of an exam.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Place {
    /// Anywhere or nowhere.
    #[default]
    Any,
    /// In one of these periods.
    In(Range<usize>),
    /// Without a period.
    Nowhere,
}

/// Filter of exams.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Part of the code or of the title, whatever the case.
    pub text: String,
    /// True to show only exams with a clash.
    pub clashing: bool,
    /// Shows only exams in these periods.
    pub place: Place,
    /// Shows only exams with at least so many students.
    pub at_least: u32,
}

impl Filter {
    /// Returns `true` if all exams are shown.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns a mask of the exams that pass the filter.
    pub fn admitted(&self, instance: &Instance, picture: &Picture) -> Vec<bool> {
        let wanted = self.text.trim().to_lowercase();
        (0..instance.exam_count()).map(|exam| self.admits(instance, picture, exam, &wanted)).collect()
    }

    /// Returns `true` if the filter shows an exam; `wanted` is the text in lower case.
    pub(crate) fn admits(&self, instance: &Instance, picture: &Picture, exam: usize, wanted: &str) -> bool {
        let Some(data) = instance.exams.get(exam) else { return false };
        let period = picture.timetable.period_of(exam);
        let place = match &self.place {
            Place::Any => true,
            Place::In(periods) => period.is_some_and(|period| periods.contains(&period)),
            Place::Nowhere => period.is_none(),
        };
        place
            && data.enrolment >= self.at_least
            && (!self.clashing || picture.clashes.get(exam).is_some_and(|&clashes| clashes > 0))
            && (wanted.is_empty()
                || data.code.to_lowercase().contains(wanted)
                || data.title.to_lowercase().contains(wanted))
    }
}

/// Exams in an order, some left out; made anew where anything that it depends on has changed.
#[derive(Debug, Default)]
pub struct Order {
    pub(crate) key: Option<(u64, Sort, Filter)>,
    /// The exams in their order.
    pub exams: Vec<usize>,
    pub(crate) rows: Vec<Option<u32>>,
    /// Changes whenever the order is made anew.
    pub generation: u64,
}

impl Order {
    /// Makes it up to date; `revision` is the picture's.
    pub fn update(&mut self, instance: &Instance, picture: &Picture, revision: u64, sort: Sort, filter: &Filter) {
        let fresh = self.key.as_ref().is_some_and(|key| (key.0, key.1) == (revision, sort) && key.2 == *filter);
        if fresh {
            return;
        }
        let wanted = filter.text.trim().to_lowercase();
        self.exams = drawing::sorted_exams(instance, &picture.timetable, sort);
        self.exams.retain(|&exam| filter.admits(instance, picture, exam, &wanted));
        self.rows = vec![None; instance.exam_count()];
        for (row, &exam) in self.exams.iter().enumerate() {
            self.rows[exam] = Some(row as u32);
        }
        self.key = Some((revision, sort, filter.clone()));
        self.generation += 1;
    }

    /// Returns the row of an exam in the order, if it is shown.
    pub fn row_of(&self, exam: usize) -> Option<usize> {
        self.rows.get(exam).copied().flatten().map(|row| row as usize)
    }
}
