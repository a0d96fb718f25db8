//! Exams without a place with their reasons, found beside the window.

use std::sync::Arc;

use egui::Ui;
use gridwright_timetabling::without_place::{LeftOver, Remedy, left_over, remedies};
use gridwright_timetabling::{Instance, Timetable};
use gridwright_window::later::Later;

/// Exams without a place of one timetable.
pub(crate) struct Found {
    instance: Arc<Instance>,
    timetable: Arc<Timetable>,
    pub(crate) left: Vec<LeftOver>,
    /// `None` until it is known what would help.
    pub(crate) remedies: Option<Vec<Remedy>>,
}

/// Exams without a place of the timetable that is shown, once a thread has found their reasons.
#[derive(Default)]
pub(crate) struct WithoutPlace {
    found: Option<Found>,
    left: Later<Found>,
    /// True if all exams are listed.
    pub(crate) all: bool,
}

impl WithoutPlace {
    /// Exams without a place of this timetable as far as they are known; starts a thread for the rest.
    pub(crate) fn of(&mut self, ui: &Ui, instance: &Arc<Instance>, timetable: &Arc<Timetable>) -> Option<&Found> {
        if let Some(found) = self.left.take() {
            self.found = Some(found);
        }
        let is_present =
            |found: &Found| Arc::ptr_eq(&found.instance, instance) && Arc::ptr_eq(&found.timetable, timetable);
        let known = self.found.take().filter(is_present);
        let begins = known.as_ref().is_none_or(|found| found.remedies.is_none());
        if begins && !self.left.is_busy() {
            let (instance, timetable) = (Arc::clone(instance), Arc::clone(timetable));
            // What would help takes longer than why: the list is shown before.
            let left = known.as_ref().map(|found| found.left.clone());
            self.left.begin(ui.ctx(), "exams without a place", move || {
                let is_second = left.is_some();
                let left = left.unwrap_or_else(|| left_over(&instance, &timetable));
                let remedies = is_second.then(|| remedies(&instance, &timetable, &left));
                Found { instance, timetable, left, remedies }
            });
        }
        self.found = known;
        self.found.as_ref()
    }
}
