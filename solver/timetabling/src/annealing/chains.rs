//! Statistics over the chains of a run, common to all backends: best timetable, snapshot and state digest.

use std::sync::Arc;

use super::Component;
use super::stages::Stages;
use crate::Timetable;
use gridwright_core::search::{Snapshot, digest_words};

/// State of a chain, as any backend reports it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChainView<'a> {
    /// Current period of each exam of the component.
    pub place: &'a [u16],
    /// Current cost, raw.
    pub cost: i64,
    /// Best timetable visited.
    pub best: &'a [u16],
    /// Cost of the best timetable, raw.
    pub best_cost: i64,
    /// Number of moves evaluated.
    pub evaluations: u64,
}

/// Address of a chain's random words: component in the upper, number within it in the lower 16 bits.
pub(super) fn individual(component: usize, number: usize) -> u32 {
    ((component as u32) << 16) | number as u32
}

/// Best timetable so far: the best of every component combined.
#[derive(Debug, Clone)]
pub(crate) struct Best {
    timetable: Arc<Timetable>,
    cost: i64,
}

impl Best {
    /// Creates the state before any chain was collected; exams outside all components keep their periods of `any`.
    pub(crate) fn new(any: Timetable) -> Self {
        Self { timetable: Arc::new(any), cost: i64::MAX }
    }

    /// Updates the best timetable from all chains; chain c of component k is `chains[k · chains_per_component + c]`.
    pub(crate) fn collect(&mut self, components: &[Component], chains: &[ChainView<'_>]) {
        let per = (chains.len() / components.len().max(1)).max(1);
        let best: Vec<_> =
            chains.chunks(per).filter_map(|all| all.iter().min_by_key(|chain| chain.best_cost)).collect();
        let cost = best.iter().map(|chain| chain.best_cost).sum();
        if cost < self.cost {
            let mut timetable = Timetable::clone(&self.timetable);
            for (component, chain) in components.iter().zip(best) {
                for (&exam, &period) in component.exams.iter().zip(chain.best) {
                    timetable.periods[exam] = period;
                }
            }
            *self = Self { timetable: Arc::new(timetable), cost };
        }
    }

    /// Snapshot of a run: progress, costs over chains (each summed over the components), and a digest of all chains.
    pub(crate) fn snapshot(&self, stages: &Stages, chains: &[ChainView<'_>]) -> Snapshot<Timetable> {
        let per = (chains.len() / stages.schedule().components.len().max(1)).max(1);
        let mut totals = vec![0_i64; per];
        let mut digest = stages.step();
        for (position, chain) in chains.iter().enumerate() {
            totals[position % per] += chain.cost;
            digest = digest_words(digest, chain.place);
            digest = digest_words(digest ^ chain.best_cost as u64, chain.best);
        }
        Snapshot {
            step: stages.step(),
            evaluations: chains.iter().map(|chain| chain.evaluations).sum(),
            best: Arc::clone(&self.timetable),
            best_cost: self.cost as f64,
            mean: totals.iter().sum::<i64>() as f64 / per as f64,
            worst: totals.iter().copied().max().unwrap_or(0) as f64,
            digest,
            share: Some(stages.share()),
        }
    }
}
