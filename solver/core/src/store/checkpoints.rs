//! The best solution so far of a run: on disk from the first second until the result of the run is, so that nothing is lost
//! if the program ends abruptly.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Running;
use crate::result::RunResult;
use crate::search::Control;

/// Checkpoints of one run: the result that it would have if it ended now.
#[derive(Clone, Default)]
pub struct Checkpoints(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    /// The file of the run; `None` if nothing can be written.
    running: Option<Running>,
    last: Option<RunResult>,
}

impl Checkpoints {
    /// Checkpoints that are written to the file of a run, if there is one.
    pub fn of(running: Option<Running>) -> Self {
        Self(Arc::new(Mutex::new(Kept { running, last: None })))
    }

    /// Receives the checkpoints of the run that `control` belongs to; its results name this source and these options.
    pub fn receive(&self, control: &Control, source: String, options: BTreeMap<String, String>) {
        let kept = self.clone();
        control.keep_checkpoints(move |mut result| {
            result.instance.source.clone_from(&source);
            result.instance.options.extend(options.clone());
            let mut kept = kept.lock();
            if let Some(running) = &kept.running {
                // A full disk shows when the result of the run is written.
                let _ = running.save(&result);
            }
            kept.last = Some(result);
        });
    }

    /// Takes the last checkpoint; `None` if there is none yet.
    pub fn take_last(&self) -> Option<RunResult> {
        self.lock().last.take()
    }

    /// Removes the file, because the result of the run is on disk or was printed.
    pub fn discard(&self) {
        if let Some(running) = self.lock().running.take() {
            running.discard();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        // Only whole values are stored: a panic elsewhere cannot have left them half-changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
