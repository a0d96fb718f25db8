//! What all backends say of their chains: the best of all, and a snapshot with its digest.

use std::sync::Arc;

use super::Component;
use super::legs::Legs;
use crate::search::{Snapshot, digest_words};
use crate::timetabling::Timetable;

/// Where a chain stands.
#[derive(Debug, Clone, Copy)]
pub struct ChainView<'a> {
    /// The period of every exam of its component.
    pub place: &'a [u16],
    /// What that costs.
    pub cost: i64,
    /// The best that it has visited.
    pub best: &'a [u16],
    /// What that costs.
    pub best_cost: i64,
    /// Moves that it has evaluated.
    pub evaluations: u64,
}

/// Address of the random words of a chain.
pub fn individual(component: usize, number: usize) -> u32 {
    ((component as u32) << 16) | number as u32
}

/// The best timetable so far: the best of every component, put together.
#[derive(Debug, Clone)]
pub struct Best {
    timetable: Arc<Timetable>,
    cost: i64,
}

impl Best {
    /// Before any chain was looked at; exams outside all components stand as in `any`.
    pub fn new(any: Timetable) -> Self {
        Self { timetable: Arc::new(any), cost: i64::MAX }
    }

    /// The timetable.
    pub fn timetable(&self) -> &Timetable {
        &self.timetable
    }

    /// Looks at all chains, chain c of component k at k·chains + c.
    pub fn collect(&mut self, components: &[Component], chains: &[ChainView<'_>]) {
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

    /// Where a run with these chains stands.
    pub fn snapshot(&self, legs: &Legs, chains: &[ChainView<'_>]) -> Snapshot<Timetable> {
        let per = (chains.len() / legs.schedule().components.len().max(1)).max(1);
        let mut totals = vec![0_i64; per];
        let mut digest = legs.step();
        for (position, chain) in chains.iter().enumerate() {
            totals[position % per] += chain.cost;
            digest = digest_words(digest, chain.place);
            digest = digest_words(digest ^ chain.best_cost as u64, chain.best);
        }
        Snapshot {
            step: legs.step(),
            evaluations: chains.iter().map(|chain| chain.evaluations).sum(),
            best: Arc::clone(&self.timetable),
            best_cost: self.cost as f64,
            mean: totals.iter().sum::<i64>() as f64 / per as f64,
            worst: totals.iter().copied().max().unwrap_or(0) as f64,
            digest,
            share: Some(legs.share()),
        }
    }
}
