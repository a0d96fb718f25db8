//! Recording of a run: the run is repeated in a thread of its own and then played back by its parts.
//!
//! Recordings are not stored with the run: the same seed gives the same run again.

use std::sync::Arc;

use gridwright_core::Result;
use gridwright_core::search::Control;

use crate::loader::{Loader, PartKey};
use crate::work::{State, Teller, Work};

/// Journal of a run, whose parts are computed when they are asked for.
pub trait Journal: Send + 'static {
    /// Key of a part, such as the number of a generation.
    type Key: PartKey;
    /// A part.
    type Part: Send + Sync + 'static;

    /// Computes a part.
    ///
    /// # Errors
    /// The run cannot be repeated.
    fn load(&mut self, key: Self::Key) -> Result<Self::Part>;

    /// Handle that interrupts a part that takes long; `None` if none does.
    fn interruption(&self) -> Option<Control>;
}

/// Progress of a recording.
pub struct RecordingProgress<J, T> {
    /// Number of steps that are recorded.
    pub done: u64,
    /// The complete journal, until a part is asked for.
    pub journal: Option<J>,
    /// Facts about the recorded steps.
    pub facts: T,
}

/// Recording with the facts `T`.
pub struct Recorder<J: Journal, T> {
    work: Work<RecordingProgress<J, T>>,
    steps: u64,
    wake: Arc<dyn Fn() + Send + Sync>,
    loader: Option<Loader<J::Key, J::Part>>,
    /// Interrupts a part when the recording is no longer looked at.
    interruption: Option<Control>,
}

impl<J: Journal, T: Default + Send + 'static> Recorder<J, T> {
    /// Starts a thread that records a run of `steps` steps.
    pub fn start(
        steps: u64, wake: Arc<dyn Fn() + Send + Sync>,
        record: impl FnOnce(&Teller<RecordingProgress<J, T>>) -> Result<()> + Send + 'static,
    ) -> Self {
        let progress = RecordingProgress { done: 0, journal: None, facts: T::default() };
        let work = Work::start("record", progress, Arc::clone(&wake), record);
        Self { work, steps, wake, loader: None, interruption: None }
    }

    /// Steps of the run.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the share of the steps that is recorded, 0 to 1.
    pub fn share(&self) -> f32 {
        self.work.look(|progress, _| progress.done) as f32 / self.steps.max(1) as f32
    }

    /// Ends the recording; what is recorded can be played.
    pub fn stop(&self) {
        self.work.stop();
    }

    /// Returns `true` if the recording has ended.
    pub fn is_complete(&self) -> bool {
        !self.work.is_going()
    }

    /// Changes with everything that is added.
    pub fn revision(&self) -> u64 {
        self.work.revision()
    }

    /// Looks at the facts.
    pub fn look<R>(&self, look: impl FnOnce(&mut T) -> R) -> R {
        self.work.look(|progress, _| look(&mut progress.facts))
    }

    /// Returns the reason why the recording cannot be played, if there is one.
    pub fn failure(&self) -> Option<String> {
        match self.work.state() {
            State::Failed(why) => Some(why),
            _ => self.loader.as_ref().and_then(Loader::failure),
        }
    }

    /// Returns a part of a complete recording; `None` until it is loaded, and then the window is repainted.
    pub fn part(&mut self, key: J::Key) -> Option<Arc<J::Part>> {
        if self.loader.is_none() {
            let mut journal = self.work.look(|progress, _| progress.journal.take())?;
            self.interruption = journal.interruption();
            self.loader = Some(Loader::new(move |key| journal.load(key), Arc::clone(&self.wake)));
        }
        self.loader.as_mut()?.part(key)
    }
}

impl<J: Journal, T> Drop for Recorder<J, T> {
    fn drop(&mut self) {
        if let Some(interruption) = &self.interruption {
            interruption.cancel();
        }
    }
}
