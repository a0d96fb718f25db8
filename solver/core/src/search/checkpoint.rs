//! Results of a run that goes on, so that its best solution survives an abrupt end of the program.

use std::fmt;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::{Control, Progress};
use crate::result::RunResult;

/// Receives the result that a run would have if it ended now; called in the thread of the run, which waits meanwhile.
pub(crate) type Sink = Box<dyn Fn(RunResult) + Send + Sync>;

/// Receiver of checkpoints, set once at most.
#[derive(Default)]
pub(super) struct Receiver(OnceLock<Sink>);

impl fmt::Debug for Receiver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.get().is_some() { "Receiver(set)" } else { "Receiver(none)" })
    }
}

impl Receiver {
    pub(super) fn set(&self, sink: Sink) {
        // A run has one owner, who sets the receiver before the run begins.
        let _ = self.0.set(sink);
    }

    pub(super) fn get(&self) -> Option<&Sink> {
        self.0.get()
    }
}

/// Time until the first checkpoint.
const FIRST: Duration = Duration::from_millis(500);

/// Time from one checkpoint to the next.
const EVERY: Duration = Duration::from_secs(1);

/// Largest share of the time that checkpoints may take: one in fifty.
const SHARE: u32 = 50;

/// Decides when a run makes a checkpoint: about once a second, if its best solution has become better.
pub(super) struct Clock<'a> {
    sink: Option<&'a Sink>,
    due: Instant,
    best: f64,
}

impl<'a> Clock<'a> {
    pub(super) fn new(control: &'a Control) -> Self {
        Self { sink: control.receiver().get(), due: Instant::now() + FIRST, best: f64::INFINITY }
    }

    /// Makes a checkpoint with the result that `result` returns, if one is due and there is a receiver.
    pub(super) fn observe<S>(&mut self, progress: &Progress<S>, result: impl FnOnce() -> Option<RunResult>) {
        let Some(sink) = self.sink else { return };
        let began = Instant::now();
        if began < self.due || progress.snapshot.best_cost >= self.best {
            return;
        }
        self.best = progress.snapshot.best_cost;
        if let Some(result) = result() {
            sink(result);
        }
        self.due = Instant::now() + EVERY.max(began.elapsed() * SHARE);
    }
}
