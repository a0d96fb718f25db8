//! History of the islands of a run, as it is watched.

use gridwright_facility::{BestLayout, Island, Migration, Orientation};

/// Moments that are kept of a run; when there are more, every other one goes.
pub(super) const MOMENTS: usize = 480;

/// Migrations that are kept of a run.
pub(super) const MIGRATIONS: usize = 20_000;

/// Largest number of costs that divide the scale of colours.
const LEVELS: usize = 65;

/// State of all islands at a step.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moment {
    pub(super) step: u64,
    /// Cost and violation of the best present individual of each island.
    pub(super) best: Vec<[f64; 2]>,
}

/// History of the islands of a run.
#[derive(Debug, Clone, Default)]
pub struct IslandHistory {
    pub(super) moments: Vec<Moment>,
    pub(super) spacing: u64,
    pub(super) told: u64,
    pub(super) last: Vec<Island>,
    pub(super) migrations: Vec<Migration>,
    /// The generation up to which migrations are known.
    pub(super) known: u64,
    pub(super) count: u64,
    /// Costs at equal distances on the scale of colours, ascending.
    levels: Vec<f64>,
}

impl IslandHistory {
    /// Adds the state of the islands after `step` steps.
    pub fn tell(&mut self, step: u64, found: &BestLayout) {
        if found.islands.is_empty() {
            return;
        }
        if self.last.len() != found.islands.len() {
            *self = Self { spacing: 1, ..Self::default() };
        }
        self.last.clone_from(&found.islands);
        for migration in found.migrations.iter().filter(|migration| migration.generation > self.known) {
            self.count += 1;
            if self.migrations.len() < MIGRATIONS {
                self.migrations.push(*migration);
            }
        }
        self.known = found.migrations.iter().map(|one| one.generation).max().unwrap_or(0).max(self.known);
        if self.told.is_multiple_of(self.spacing) {
            let best = found.islands.iter().map(|island| [island.now.cost, island.now.violation]).collect();
            self.moments.push(Moment { step, best });
            self.measure();
        }
        self.told += 1;
        if self.moments.len() >= MOMENTS {
            let mut index = 0;
            self.moments.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.spacing *= 2;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    /// The islands in the order of their rings: those with vertical bays, then those with horizontal ones.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.last.len()).collect();
        order.sort_by_key(|&island| self.last[island].orientation == Orientation::Horizontal);
        order
    }

    /// The island that has had the best layout of the run.
    pub(super) fn leader(&self) -> Option<usize> {
        let mut leader: Option<usize> = None;
        for (island, known) in self.last.iter().enumerate() {
            if leader.is_none_or(|other| known.best.is_better(&self.last[other].best)) {
                leader = Some(island);
            }
        }
        leader
    }

    /// Sets the levels of the colours from the different costs of all moments.
    pub(super) fn measure(&mut self) {
        let moments = self.moments.iter().flat_map(|moment| &moment.best).map(|best| best[0]);
        let all = moments.chain(self.last.iter().map(|island| island.best.cost));
        let mut costs: Vec<f64> = all.filter(|cost| cost.is_finite()).collect();
        costs.sort_unstable_by(f64::total_cmp);
        costs.dedup();
        let count = costs.len().min(LEVELS);
        let place = |level: usize| level * (costs.len() - 1) / (count - 1).max(1);
        self.levels = (0..count).map(|level| costs[place(level)]).collect();
    }

    /// Place of a cost on the scale of colours, from 0 for the best to 1 for the highest: the share of the different costs
    /// that are lower. Costs that differ little thus have different colours, also in a short run.
    pub(super) fn share(&self, cost: f64) -> f32 {
        let above = self.levels.partition_point(|level| *level < cost);
        let last = self.levels.len().saturating_sub(1).max(1) as f64;
        let place = match (above.checked_sub(1).and_then(|below| self.levels.get(below)), self.levels.get(above)) {
            (Some(low), Some(high)) => above as f64 - (high - cost) / (high - low),
            _ => above as f64,
        };
        (place / last).min(1.0) as f32
    }

    /// The least and the greatest cost that has a colour of its own; `None` before any is known.
    pub(super) fn range(&self) -> Option<[f64; 2]> {
        Some([*self.levels.first()?, *self.levels.last()?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(costs: &[f64]) -> IslandHistory {
        let moment = |(step, cost): (usize, &f64)| Moment { step: step as u64, best: vec![[*cost, 0.0]] };
        let mut history =
            IslandHistory { moments: costs.iter().enumerate().map(moment).collect(), ..Default::default() };
        history.measure();
        history
    }

    #[test]
    fn costs_that_differ_have_colours_that_differ() {
        // Five different costs, of which four lie within 1 % of the whole range.
        let history = history(&[2_000.0, 1_003.0, 1_002.0, 1_001.0, 1_000.0, 1_000.0]);
        let shares = [1_000.0, 1_001.0, 1_002.0, 1_003.0, 2_000.0].map(|cost| history.share(cost));
        assert_eq!(shares, [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!((history.share(1_000.5), history.share(900.0), history.share(9_999.0)), (0.125, 0.0, 1.0));
        assert_eq!(history.range(), Some([1_000.0, 2_000.0]));
    }

    #[test]
    fn a_scale_of_one_cost_or_none_is_a_scale() {
        assert_eq!((history(&[7.0]).share(7.0), history(&[7.0]).range()), (0.0, Some([7.0; 2])));
        assert_eq!((history(&[]).share(7.0), history(&[]).range()), (0.0, None));
    }

    #[test]
    fn many_costs_have_few_levels() {
        let history = history(&(0..10_000).map(f64::from).collect::<Vec<_>>());
        assert_eq!((history.levels.len(), history.share(9_999.0)), (LEVELS, 1.0));
        assert!((history.share(5_000.0) - 0.5).abs() < 0.01);
    }
}
