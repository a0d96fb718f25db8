//! The best solution so far of a search on the command line: on disk from the first second until its result is, so that nothing
//! is lost if the program ends abruptly.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use gridwright_core::search::Control;

use super::text;
use gridwright_core::store::{Running, Store};

/// Checkpoints of one search, in the store's folder for runs of the instance.
pub struct Checkpoints {
    running: Arc<Mutex<Option<Running>>>,
}

impl Checkpoints {
    /// Lets a run keep its checkpoints; `key` is that of the instance, `source` and `options` go into the results. Tells about
    /// runs of the instance whose program ended abruptly.
    pub fn begin(
        store: &Store, key: &str, control: &Control, source: String, options: BTreeMap<String, String>, speaks: bool,
    ) -> Self {
        for path in store.recover(key) {
            text::note(&format!(
                "a run of this instance that broke off was kept in {}; “gridwright open” shows it, “gridwright export” writes \
                 its solution",
                path.display()
            ));
        }
        // Where nothing can be kept the search runs all the same; the person is told.
        let running = store.begin(key).inspect_err(|error| {
            if speaks {
                text::note(&format!("warning: {error}; the search is lost if the program ends abruptly"));
            }
        });
        let running = Arc::new(Mutex::new(running.ok()));
        let kept = Arc::clone(&running);
        control.keep_checkpoints(move |mut result| {
            result.instance.source.clone_from(&source);
            result.instance.options.extend(options.clone());
            if let Some(running) = &*kept.lock().unwrap_or_else(PoisonError::into_inner) {
                // A full disk shows when the result is written.
                let _ = running.save(&result);
            }
        });
        Self { running }
    }

    /// Removes the checkpoint, because the result is on disk or was printed.
    pub fn discard(self) {
        if let Some(running) = self.running.lock().unwrap_or_else(PoisonError::into_inner).take() {
            running.discard();
        }
    }
}
