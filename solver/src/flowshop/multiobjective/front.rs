//! The orders that a search for a front has found.

use std::sync::Arc;

use crate::search::pareto::{Archive, MAX_OBJECTIVES, Point};
use crate::search::{digest_bytes, digest_words};

use super::objectives::Objectives;
use super::weights::{Extent, PARTS};

/// Orders of which none dominates another, sorted by their values.
#[derive(Debug, Clone)]
pub struct Front {
    /// What counts.
    pub objectives: Objectives,
    /// Where normalised values begin and end.
    pub extent: Extent,
    /// The values of the members, ascending.
    pub points: Vec<Point>,
    /// The orders of the members.
    pub orders: Vec<Arc<[u16]>>,
    /// What the front lacks of the whole hypervolume, in [`PARTS`]; see [`Found::front`].
    pub missing: u64,
}

impl Front {
    /// The hypervolume, normalised to [1, 2] by the extent, with reference 2.1.
    pub fn hypervolume(&self) -> f64 {
        self.extent.hypervolume(&self.points, self.objectives.count())
    }

    /// The additive ε against the point of the lower bounds, normalised.
    pub fn epsilon(&self) -> f64 {
        self.extent.epsilon(&self.points, self.objectives.count())
    }

    /// The member whose worst objective is best: the one to look at first.
    pub fn compromise(&self) -> Option<&Arc<[u16]>> {
        self.orders.get(self.extent.compromise(&self.points, self.objectives.count())?)
    }
}

/// All that a search has found so far, and what of it has been shown.
#[derive(Debug)]
pub struct Found {
    objectives: Objectives,
    extent: Extent,
    archive: Archive<Arc<[u16]>>,
    shown: Option<Arc<Front>>,
    /// What is lacking, and from how many evaluations on it is computed anew.
    missing: u64,
    due: u64,
}

/// Evaluations for each pair of members before the volume in four objectives is computed anew.
const PATIENCE: u64 = 4;

impl Found {
    /// Nothing yet.
    pub fn new(objectives: Objectives, extent: Extent) -> Self {
        Self { objectives, extent, archive: Archive::default(), shown: None, missing: PARTS, due: 0 }
    }

    /// Takes an order that none so far covers.
    pub fn offer(&mut self, point: Point, order: impl FnOnce() -> Arc<[u16]>) -> bool {
        let taken = self.archive.insert_with(point, order);
        if taken {
            self.shown = None;
        }
        taken
    }

    /// Becomes a copy of an archive that holds all that was found.
    pub fn mirror<T>(&mut self, archive: &Archive<T>, order: impl FnMut(&T) -> Arc<[u16]>) {
        self.archive.mirror(archive, order);
        self.shown = None;
    }

    /// The members in the order in which they came.
    pub fn archive(&self) -> &Archive<Arc<[u16]>> {
        &self.archive
    }

    /// The members as people look at them; made anew only where something has come.
    ///
    /// The volume of many points in four objectives takes long: then `missing` is that of a front before, which is more, until
    /// `evaluations` has grown enough.
    pub fn front(&mut self, evaluations: u64) -> Arc<Front> {
        let Self { objectives, extent, archive, shown, missing, due } = self;
        let front = shown.get_or_insert_with(|| {
            let mut members: Vec<(Point, Arc<[u16]>)> =
                archive.iter().map(|(point, order)| (*point, Arc::clone(order))).collect();
            members.sort_unstable_by_key(|member| member.0);
            let (points, orders): (Vec<_>, Vec<_>) = members.into_iter().unzip();
            if objectives.count() < MAX_OBJECTIVES || evaluations >= *due {
                *missing = extent.missing(&points, objectives.count());
                *due = evaluations + PATIENCE * (points.len() as u64).pow(2);
            }
            Arc::new(Front { objectives: *objectives, extent: *extent, points, orders, missing: *missing })
        });
        Arc::clone(front)
    }

    /// Values and orders, in the order in which they came.
    pub fn digest(&self, mut digest: u64) -> u64 {
        for (point, order) in self.archive.iter() {
            digest = digest_order(digest, point, order);
        }
        digest
    }
}

/// Adds an order and its values to a digest.
pub fn digest_order(digest: u64, point: &Point, order: &[u16]) -> u64 {
    let digest = point.iter().fold(digest, |digest, value| digest_bytes(digest, &value.to_le_bytes()));
    digest_words(digest, order)
}

/// Seconds that a run has spent on its stages.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Shares {
    /// Values of neighbours.
    pub evaluation: f64,
    /// Comparing points, and keeping the archive.
    pub archiving: f64,
    /// Iterated greedy, before the exploration and where nothing is left to be explored.
    pub greedy: f64,
    /// All else.
    pub rest: f64,
}

impl Shares {
    /// All seconds.
    pub fn total(&self) -> f64 {
        self.evaluation + self.archiving + self.greedy + self.rest
    }

    /// Per cent of the whole, stage by stage.
    pub fn per_cent(&self) -> [f64; 4] {
        let total = self.total().max(1e-12);
        [self.evaluation, self.archiving, self.greedy, self.rest].map(|seconds| 100.0 * seconds / total)
    }
}

impl std::fmt::Display for Shares {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [evaluation, archiving, greedy, rest] = self.per_cent();
        write!(
            f,
            "{evaluation:.0} % of the time for evaluating neighbours, {archiving:.0} % for archiving, {greedy:.0} % for \
             iterated greedy, {rest:.0} % for the rest"
        )
    }
}
