//! What all searches share and that knows no problem: epochs, stopping, progress, statistics, parameters.

pub mod cooling;
pub mod driver;
pub mod mapping;
pub mod parameters;
pub mod pareto;
pub mod report;
pub mod statistics;
pub mod stopping;

pub use driver::{Control, CurvePoint, Outcome, Progress, run};
pub use parameters::{Kind, Parameter, Parameters, Value};
pub use stopping::{Budget, Stop, StopReason};

use std::sync::Arc;

use crate::Result;

/// One search on one backend. Every implementation gives the same numbers.
///
/// The seam between a search and what computes it is the epoch: some generations or steps between two exchanges with
/// the host.
pub trait Epochs: Send {
    /// What the search looks for.
    type Solution: Send + Sync;

    /// Goes on by `steps` generations or steps.
    fn advance(&mut self, steps: u32) -> Result<()>;

    /// Where the search stands.
    fn snapshot(&mut self) -> Result<Snapshot<Self::Solution>>;
}

impl<E: Epochs + ?Sized> Epochs for Box<E> {
    type Solution = E::Solution;

    fn advance(&mut self, steps: u32) -> Result<()> {
        (**self).advance(steps)
    }

    fn snapshot(&mut self) -> Result<Snapshot<Self::Solution>> {
        (**self).snapshot()
    }
}

/// Where a search stands after an epoch.
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
    /// How much of its own plan is done, 0…1, where the search has one; at 1 it has nothing more to do.
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
