//! Everything that searches share, whatever the problem: epochs, runs, stopping, parameters.

pub mod checkpoint;
pub mod construction;
pub mod cooling;
pub mod driver;
pub mod failover;
pub mod improvements;
pub mod keyframes;
pub mod mapping;
pub mod parameters;
pub mod pareto;
pub mod partial;
pub mod report;
pub mod room;
pub mod run;
pub mod selection;
pub mod stopping;
pub mod timing;

pub use construction::Construction;
pub use driver::{Control, CurvePoint, Progress, SearchOutcome};
pub use improvements::{ChainTrace, ChainTraces, Improvement, ImprovementLog, NotedImprovement};
pub use parameters::{Kind, Parameter, Parameters, Value};
pub use run::{AlgorithmDescriptor, Algorithms, Environment, Settings};
pub use stopping::{Budget, Stop, StopReason};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Result;
use crate::backend::DeviceNote;

/// One search on one backend. Every implementation gives the same numbers.
///
/// An epoch is a number of generations or steps between two exchanges with the host. The provided methods tell the run
/// driver what a search has decided on the way; most searches decide nothing.
pub trait Epochs: Send {
    /// Type of the solutions.
    type Solution: Send + Sync;

    /// Performs the next `steps` generations or steps.
    ///
    /// # Errors
    /// [`crate::Error::Search`] or [`crate::Error::Device`] if the search cannot continue; [`crate::Error::Cancelled`] if
    /// [`Control::is_interrupted`] was `true` between parts of a step. The state is then undefined, and the run ends with
    /// the snapshot before.
    fn advance(&mut self, steps: u32) -> Result<()>;

    /// Returns the present state with the best solution so far.
    ///
    /// # Errors
    /// As [`Self::advance`].
    fn snapshot(&mut self) -> Result<Snapshot<Self::Solution>>;

    /// Returns the improvements of the best cost since the last call, in the order of their steps; called after
    /// [`Self::snapshot`]. The default suits a search that knows its best solution only at the end of an epoch.
    fn improvements(&mut self) -> Vec<NotedImprovement> {
        Vec::new()
    }

    /// Messages for the user.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Losses of devices during the search.
    fn device_notes(&self) -> Vec<DeviceNote> {
        Vec::new()
    }

    /// Number of steps in each stage that has begun; `None` for a search that does not allot its own steps.
    fn stages(&self) -> Option<Vec<u64>> {
        None
    }

    /// Parameters that were decided during the search; a replay is given these values.
    fn decided(&self) -> BTreeMap<String, Value> {
        BTreeMap::new()
    }

    /// Turns the driver's reason for stopping into the one to be reported, such as a proof of optimality.
    fn stop_reason(&self, reason: StopReason) -> StopReason {
        reason
    }
}

impl<E: Epochs + ?Sized> Epochs for Box<E> {
    type Solution = E::Solution;

    fn advance(&mut self, steps: u32) -> Result<()> {
        (**self).advance(steps)
    }

    fn snapshot(&mut self) -> Result<Snapshot<Self::Solution>> {
        (**self).snapshot()
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        (**self).improvements()
    }

    fn notes(&self) -> Vec<String> {
        (**self).notes()
    }

    fn device_notes(&self) -> Vec<DeviceNote> {
        (**self).device_notes()
    }

    fn stages(&self) -> Option<Vec<u64>> {
        (**self).stages()
    }

    fn decided(&self) -> BTreeMap<String, Value> {
        (**self).decided()
    }

    fn stop_reason(&self, reason: StopReason) -> StopReason {
        (**self).stop_reason(reason)
    }
}

/// State of a search after an epoch.
#[derive(Debug)]
pub struct Snapshot<S> {
    /// Generations or steps done.
    pub step: u64,
    /// Solutions or moves evaluated.
    pub evaluations: u64,
    /// The best solution so far.
    pub best: Arc<S>,
    /// Its cost in the problem's own unit (integers are exact).
    pub best_cost: f64,
    /// Mean cost of the current population or chains.
    pub mean: f64,
    /// Worst cost of the current population or chains.
    pub worst: f64,
    /// Digest of the whole state that the next epoch depends on.
    pub digest: u64,
    /// Fraction done of the search's own plan, 0…1; at 1 the run ends. `None` for a search without one.
    pub share: Option<f64>,
}

impl<S> Clone for Snapshot<S> {
    fn clone(&self) -> Self {
        Self { best: Arc::clone(&self.best), ..*self }
    }
}

/// A stable 64-bit digest (XXH3) of 16-bit words, the same on every machine.
pub fn digest_words(seed: u64, words: &[u16]) -> u64 {
    let mut hasher = xxhash_rust::xxh3::Xxh3::with_seed(seed);
    let mut buffer = [0_u8; 512];
    for chunk in words.chunks(buffer.len() / 2) {
        for (bytes, word) in buffer.chunks_exact_mut(2).zip(chunk) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        hasher.update(&buffer[..chunk.len() * 2]);
    }
    hasher.digest()
}

/// A stable 64-bit digest (XXH3) of bytes.
pub fn digest_bytes(seed: u64, bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(bytes, seed)
}
