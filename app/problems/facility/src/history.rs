//! History of the islands of a run, as it is watched.

use gridwright_facility::{BestLayout, Island, Migration, Orientation};

/// Moments that are kept of a run; when there are more, every other one goes.
pub(super) const MOMENTS: usize = 480;

/// Migrations that are kept of a run.
pub(super) const MIGRATIONS: usize = 20_000;

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
    /// The least and the largest cost that a colour stands for.
    pub(super) range: [f64; 2],
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

    /// Sets the colour range: from the best cost of all to the cost that nine in ten values after the first moment are below; the
    /// first layouts are so much dearer that the others of a short run would all look alike.
    pub(super) fn measure(&mut self) {
        let after_first = self.moments.iter().skip(usize::from(self.moments.len() > 1));
        let moments = after_first.flat_map(|moment| &moment.best).map(|best| best[0]);
        let all = moments.chain(self.last.iter().map(|island| island.best.cost));
        let mut costs: Vec<f64> = all.filter(|cost| cost.is_finite()).collect();
        let low = costs.iter().copied().reduce(f64::min).unwrap_or(0.0);
        let nine = costs.len() * 9 / 10;
        let high = if costs.is_empty() { low } else { *costs.select_nth_unstable_by(nine, f64::total_cmp).1 };
        self.range = [low, if high > low { high } else { low + 1.0 }];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_layouts_leave_colours_for_the_others_of_a_short_run() {
        let moment = |step: u64, costs: [f64; 4]| Moment { step, best: costs.map(|cost| [cost, 0.0]).to_vec() };
        let mut history = IslandHistory {
            moments: vec![
                moment(0, [5_000.0, 6_000.0, 5_500.0, 7_000.0]),
                moment(1, [130.0, 140.0, 150.0, 160.0]),
                moment(2, [110.0, 120.0, 130.0, 140.0]),
                moment(3, [100.0, 105.0, 110.0, 115.0]),
            ],
            ..IslandHistory::default()
        };
        history.measure();
        assert_eq!(history.range[0], 100.0);
        assert!(history.range[1] <= 160.0, "{:?}", history.range);
    }
}
