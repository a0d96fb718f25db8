//! Changes since publication, found beside the window.

use std::sync::Arc;

use egui::Ui;
use gridwright_timetabling::publication::Change;
use gridwright_timetabling::{Instance, Timetable};
use gridwright_window::later::Later;

/// Changes of one timetable since it was published.
struct Found {
    instance: Arc<Instance>,
    timetable: Arc<Timetable>,
    changes: Vec<Change>,
}

/// Changes of the timetable that is shown, once a thread has found them.
#[derive(Default)]
pub struct State {
    found: Option<Found>,
    coming: Later<Found>,
    /// True if all changed exams are listed.
    pub(crate) all: bool,
}

impl Found {
    fn is_of(&self, instance: &Arc<Instance>, timetable: &Arc<Timetable>) -> bool {
        Arc::ptr_eq(&self.instance, instance) && Arc::ptr_eq(&self.timetable, timetable)
    }
}

impl State {
    /// Changes of this timetable, if they have been found.
    pub(crate) fn known(&self, instance: &Arc<Instance>, timetable: &Arc<Timetable>) -> Option<&[Change]> {
        self.found.as_ref().filter(|found| found.is_of(instance, timetable)).map(|found| found.changes.as_slice())
    }

    /// Changes of this timetable as far as they are known; starts a thread otherwise.
    pub(crate) fn of(&mut self, ui: &Ui, instance: &Arc<Instance>, timetable: &Arc<Timetable>) -> Option<&[Change]> {
        if let Some(found) = self.coming.take() {
            self.found = Some(found);
        }
        self.found = self.found.take().filter(|found| found.is_of(instance, timetable));
        if self.found.is_none() && !self.coming.is_busy() {
            let (instance, timetable) = (Arc::clone(instance), Arc::clone(timetable));
            self.coming.begin(ui.ctx(), "changes since publication", move || {
                let changes = instance.changes_since_publication(&timetable).unwrap_or_default();
                Found { instance, timetable, changes }
            });
        }
        self.found.as_ref().map(|found| found.changes.as_slice())
    }
}
