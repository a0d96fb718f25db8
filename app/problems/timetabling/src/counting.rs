//! Counts by students take a moment with the largest instances. While a run improves its timetable many times a second
//! they are made twice a second only; what is shown between is half a second old at most.

use easy_ext::ext;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::Context;

use super::analysis::People;
use super::state::{Document, Shown};
use super::view_state::counting::Last;

/// Minimum time between two counts of a timetable that is being improved.
const EVERY: Duration = Duration::from_millis(500);

/// Counts over students.
#[ext(CountingMethods)]
impl Document {
    /// Returns the statistics for people of the shown timetable; during a run they may be half a second old; `None` if
    /// nothing is shown.
    pub fn people(&mut self, ctx: &Context) -> Option<Arc<People>> {
        let picture = Arc::clone(self.picture()?);
        let known = self.people.last.as_ref().filter(|last| Arc::ptr_eq(&last.instance, &self.instance));
        if let Some(people) = picture.counted_people() {
            if known.is_none_or(|last| !Arc::ptr_eq(&last.people, people)) {
                self.keep_people(Arc::clone(people));
            }
            return Some(Arc::clone(people));
        }
        if let Some(last) = known.filter(|_| self.shown == Shown::Live)
            && let Some(rest) = EVERY.checked_sub(last.at.elapsed())
        {
            ctx.request_repaint_after(rest);
            return Some(Arc::clone(&last.people));
        }
        let people = Arc::clone(picture.people(&self.instance));
        self.keep_people(Arc::clone(&people));
        Some(people)
    }

    /// Keeps the counts of students for the next frame.
    pub fn keep_people(&mut self, people: Arc<People>) {
        self.people.number += 1;
        self.people.last = Some(Last { at: Instant::now(), instance: Arc::clone(&self.instance), people });
    }

    /// Revision number that changes whenever [`Document::people`] returns other counts.
    pub fn people_number(&self) -> u64 {
        self.people.number
    }
}
