//! Islands of a run to be looked at again, recorded in a thread of its own from the result of the run.
//!
//! Recordings are not stored with the run: the same seed gives the same populations on the processor, wherever the run was
//! made.

use std::sync::Arc;

use gridwright_core::Result;
use gridwright_core::result::RunResult;
use gridwright_facility::Instance;
use gridwright_facility::journal::{DEFAULT_BYTES, IslandChange, Journal};
use gridwright_facility::run::record_migrations;

use crate::history::IslandHistory;
use gridwright_window::work::{State, Work};

/// Memory that a recording may take, in MB.
pub(crate) const BOUND: usize = DEFAULT_BYTES >> 20;

/// A complete recording.
pub struct Recorded {
    /// The migrations with both populations.
    pub journal: Journal,
    /// For each migration, how far the mean cost of the receiving island falls, 1 for the largest fall.
    pub falls: Vec<f32>,
}

impl Recorded {
    fn of(journal: Journal) -> Self {
        let fall = |index: usize| {
            let change = journal.migration(index)?.target;
            let [before, after] = [0, 1].map(|which| mean(&change, which));
            Some(((before - after) / before).max(0.0) as f32)
        };
        let mut falls: Vec<f32> = (0..journal.migrations().len()).map(|index| fall(index).unwrap_or(0.0)).collect();
        let most = falls.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        falls.iter_mut().for_each(|fall| *fall /= most);
        Self { journal, falls }
    }
}

/// Mean cost of an island before (0) or after (1) a migration.
pub fn mean(change: &IslandChange, which: usize) -> f64 {
    let population = &change.populations[which];
    population.iter().map(|standing| standing.score.cost).sum::<f64>() / population.len().max(1) as f64
}

#[derive(Default)]
struct Progress {
    step: u64,
    history: IslandHistory,
    recorded: Option<Arc<Recorded>>,
}

/// Recording of the islands of a run.
pub(crate) struct Recording {
    work: Work<Progress>,
    steps: u64,
}

impl Recording {
    /// Starts to record the run of a result on `threads` threads (0: all).
    pub fn start(
        instance: Arc<Instance>, result: Arc<RunResult>, threads: usize, wake: Arc<dyn Fn() + Send + Sync>,
    ) -> Self {
        let steps = result.generations;
        let work = Work::start("record", Progress::default(), wake, move |teller| -> Result<()> {
            let observer = &mut |progress: &gridwright_core::search::Progress<_>| {
                let snapshot = &progress.snapshot;
                teller.tell(|known| {
                    known.step = snapshot.step;
                    known.history.tell(snapshot.step, &snapshot.best);
                });
            };
            let journal = record_migrations(&instance, &result, DEFAULT_BYTES, threads, teller.control(), observer)?;
            let recorded = Arc::new(Recorded::of(journal));
            teller.tell(|known| known.recorded = Some(recorded));
            Ok(())
        });
        Self { work, steps }
    }

    /// Returns the share of the run that is recorded, 0 to 1.
    pub fn share(&self) -> f32 {
        self.work.look(|known, _| known.step) as f32 / self.steps.max(1) as f32
    }

    /// Ends the recording; the migrations up to here can be looked at.
    pub fn stop(&self) {
        self.work.stop();
    }

    /// The recording once it is complete.
    pub fn recorded(&self) -> Option<Arc<Recorded>> {
        self.work.look(|known, _| known.recorded.clone())
    }

    /// Takes the history of the islands of a complete recording, once.
    pub(crate) fn take_history(&self) -> Option<IslandHistory> {
        self.work.look(|known, _| known.recorded.is_some().then(|| std::mem::take(&mut known.history)))
    }

    /// Returns the reason why there is no recording, if there is one.
    pub(crate) fn failure(&self) -> Option<String> {
        match self.work.state() {
            State::Failed(why) => Some(why),
            _ => None,
        }
    }
}
