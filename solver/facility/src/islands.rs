//! Snapshots of the layout searches: best layout, islands and migrations.

use super::evaluation::Score;
use super::{Layout, Orientation};

/// Best layout so far and the state of the islands.
#[derive(Debug, Clone, PartialEq)]
pub struct BestLayout {
    /// Best layout: feasible, or the least violated one if none is feasible.
    pub layout: Layout,
    /// Score of `layout` as the search computed it; the checker recomputes it at the end.
    pub score: Score,
    /// Part of the score's cost that is no transport: the price of what the layout lacks of the best closeness score.
    pub lacking: f64,
    /// State of each island, by island number; empty for searches without islands.
    pub islands: Vec<Island>,
    /// The most recent migrations, oldest first, at most [`KEPT_MIGRATIONS`].
    pub migrations: Vec<Migration>,
    /// True if the layout is proven optimal.
    pub proven: bool,
}

impl BestLayout {
    /// Material handling cost.
    pub fn cost(&self) -> f64 {
        self.score.cost - self.lacking
    }
}

/// State of an island.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Island {
    /// Orientation of its bays.
    pub orientation: Orientation,
    /// Best score that it has had in this run.
    pub best: Score,
    /// Score of the best of its present individuals.
    pub now: Score,
    /// Mean cost of its individuals.
    pub mean: f64,
    /// Number of feasible individuals.
    pub feasible: u32,
    /// Number of individuals.
    pub individuals: u32,
}

/// Raises the best scores of islands, which snapshots report as [`Island::best`]; ties keep the earlier one.
pub(crate) fn raise(records: &mut [Score], scores: impl Iterator<Item = Score>) {
    for (record, score) in records.iter_mut().zip(scores).filter(|(record, score)| score.is_better(record)) {
        *record = score;
    }
}

/// Migration of a layout from one island to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Migration {
    /// Generation of the migration, counted over the whole run.
    pub generation: u64,
    /// Steps of the run before the migration.
    pub step: u64,
    /// Source island.
    pub from: u32,
    /// Destination island.
    pub to: u32,
    /// Cost of the layout.
    pub cost: f64,
}

/// Number of migrations that a snapshot keeps.
const KEPT_MIGRATIONS: usize = 256;

/// Appends a migration and drops the oldest beyond [`KEPT_MIGRATIONS`].
pub fn keep(migrations: &mut Vec<Migration>, migration: Migration) {
    if migrations.len() == KEPT_MIGRATIONS {
        migrations.remove(0);
    }
    migrations.push(migration);
}

/// Destination island of the migrants of each island: the next island of the same orientation, in a ring; an island
/// without such a neighbour maps to itself.
pub fn rings(orientations: &[Orientation]) -> Vec<usize> {
    let count = orientations.len();
    let next = |from: usize| {
        let others = (1..=count).map(|more| (from + more) % count);
        others.into_iter().find(|&to| orientations[to] == orientations[from]).unwrap_or(from)
    };
    (0..count).map(next).collect()
}

/// Orientations of `count` islands: alternating, or all `wanted`.
pub fn orientations(count: usize, wanted: Option<Orientation>) -> Vec<Orientation> {
    (0..count).map(|island| wanted.unwrap_or(Orientation::ALL[island % 2])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrants_stay_with_their_orientation() {
        assert_eq!(rings(&orientations(4, None)), [2, 3, 0, 1]);
        assert_eq!(rings(&orientations(3, None)), [2, 1, 0], "the only one with horizontal bays stays alone");
        assert_eq!(rings(&orientations(3, Some(Orientation::Horizontal))), [1, 2, 0]);
    }
}
