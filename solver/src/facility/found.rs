//! What searches for layouts tell while they search.

use super::evaluation::Score;
use super::{Layout, Orientation};

/// The best so far, and how the islands stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The best layout: feasible, or else the least violated one.
    pub layout: Layout,
    /// What the search says it costs and violates.
    pub score: Score,
    /// The islands, in the order of their numbers; empty where the search has none.
    pub islands: Vec<Island>,
    /// Migrations so far, the newest last; only the newest are kept.
    pub migrations: Vec<Migration>,
    /// Whether nothing better exists.
    pub proven: bool,
}

/// How an island stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Island {
    /// How its bays lie.
    pub orientation: Orientation,
    /// Its best.
    pub best: Score,
    /// Mean cost of its individuals.
    pub mean: f64,
    /// How many of its individuals are feasible.
    pub feasible: u32,
    /// Its individuals.
    pub individuals: u32,
}

/// A layout that moved from one island to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Migration {
    /// The generation in which it did, counted over the whole run.
    pub generation: u64,
    /// The island that it came from.
    pub from: u32,
    /// The island that it went to.
    pub to: u32,
    /// Its cost.
    pub cost: f64,
}

/// Migrations that are kept for the window.
pub const KEPT_MIGRATIONS: usize = 256;

/// Keeps the newest migrations.
pub fn keep(migrations: &mut Vec<Migration>, migration: Migration) {
    if migrations.len() == KEPT_MIGRATIONS {
        migrations.remove(0);
    }
    migrations.push(migration);
}

/// The islands that migrants of each go to: the next one with bays of the same orientation, in a ring.
pub fn rings(orientations: &[Orientation]) -> Vec<usize> {
    let count = orientations.len();
    let next = |from: usize| {
        let others = (1..=count).map(|more| (from + more) % count);
        others.into_iter().find(|&to| orientations[to] == orientations[from]).unwrap_or(from)
    };
    (0..count).map(next).collect()
}

/// The orientations of so many islands: in turn, or all the same where one is asked for.
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
