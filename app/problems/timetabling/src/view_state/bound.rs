//! Lower bound of the cost of the session, computed beside the window.

use std::sync::Arc;

use egui::Context;
use gridwright_timetabling::Instance;
use gridwright_timetabling::bounds::LowerBound;
use gridwright_window::later::Later;

/// Most enrolments of a session whose bound is computed within a frame: a few milliseconds.
const AT_ONCE: u64 = 5_000;

/// Session with its bound.
type Known = (Arc<Instance>, Arc<LowerBound>);

/// Lower bound of the present session, once a thread has computed it.
#[derive(Default)]
pub(crate) struct Bound {
    known: Option<Known>,
    computing: Later<Known>,
}

impl Bound {
    /// Lower bound of a session; for large ones a thread computes it, and it is `None` until then.
    pub(crate) fn of(&mut self, ctx: &Context, instance: &Arc<Instance>) -> Option<Arc<LowerBound>> {
        self.known = self.computing.take().or(self.known.take());
        if let Some((_, bound)) = self.known.as_ref().filter(|(of, _)| Arc::ptr_eq(of, instance)) {
            return Some(Arc::clone(bound));
        }
        let enrolments: u64 = instance.exams.iter().map(|exam| u64::from(exam.enrolment)).sum();
        if enrolments <= AT_ONCE {
            let bound = Arc::new(LowerBound::of(instance));
            self.known = Some((Arc::clone(instance), Arc::clone(&bound)));
            return Some(bound);
        }
        let instance = Arc::clone(instance);
        self.computing.begin(ctx, "lower bound", move || {
            let bound = Arc::new(LowerBound::of(&instance));
            (instance, bound)
        });
        None
    }
}
