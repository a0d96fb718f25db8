//! The front found by a search, and the archive behind it.

use std::sync::Arc;

use gridwright_core::search::pareto::{Archive, MAX_OBJECTIVES, Point, Staircase};
use gridwright_core::search::{ImprovementLog, NotedImprovement, Snapshot, digest_bytes, digest_words};

use super::objectives::Objectives;
use super::weights::{Extent, PARTS};

/// Mutually non-dominated orders, sorted by their values.
#[derive(Debug, Clone)]
pub struct Front {
    /// Objectives, in the order of the values of `points`.
    pub objectives: Objectives,
    /// Bounds by which values are normalised.
    pub(crate) extent: Extent,
    /// Objective values of the members, ascending.
    pub points: Vec<Point>,
    /// Orders of the members; same length as `points`.
    pub orders: Vec<Arc<[u16]>>,
    /// Missing share of the hypervolume in [`PARTS`]; see [`FrontArchive::front`].
    pub missing: u64,
}

impl Front {
    /// Hypervolume normalised to [1, 2] by the extent, with reference point 2.1.
    pub fn hypervolume(&self) -> f64 {
        self.extent.hypervolume(&self.points, self.objectives.count())
    }

    /// Normalised additive ε against the point of the lower bounds.
    pub fn epsilon(&self) -> f64 {
        self.extent.epsilon(&self.points, self.objectives.count())
    }

    /// Order of the member whose worst normalised objective is best; shown first; `None` for an empty front.
    pub fn compromise(&self) -> Option<&Arc<[u16]>> {
        self.orders.get(self.extent.compromise(&self.points, self.objectives.count())?)
    }
}

/// Archive of everything a search has found, with a cached [`Front`].
#[derive(Debug)]
pub(crate) struct FrontArchive {
    objectives: Objectives,
    extent: Extent,
    archive: Archive<Arc<[u16]>>,
    shown: Option<Arc<Front>>,
    /// Missing hypervolume, and the number of evaluations from which on it is recomputed.
    missing: u64,
    due: u64,
    /// Area that the points cover, for two objectives.
    stairs: Staircase<u128>,
    improvements: ImprovementLog,
}

/// Evaluations per pair of members before the hypervolume in four objectives is recomputed.
const PATIENCE: u64 = 4;

impl FrontArchive {
    pub(crate) fn new(objectives: Objectives, extent: Extent) -> Self {
        Self {
            objectives,
            extent,
            archive: Archive::default(),
            shown: None,
            missing: PARTS,
            due: 0,
            stairs: Staircase::default(),
            improvements: ImprovementLog::default(),
        }
    }

    /// Counts a point whose order joins the archive later, see [`Self::mirror`].
    pub(crate) fn cover(&mut self, point: &Point) {
        if self.objectives.count() == 2 {
            let ([x, y, ..], [right, top, ..]) = (self.extent.scaled(point, 2), self.extent.reference(2));
            if x < right && y < top {
                self.stairs.add(right - x, top - y);
            }
        }
    }

    /// Notes the missing hypervolume after a step. In more than two objectives it takes too long for each step: there the
    /// ends of epochs are known only.
    pub(crate) fn note_improvement(&mut self, step: u64, evaluations: u64) {
        if self.objectives.count() == 2 {
            let missing = self.extent.missing_beside(self.stairs.area(), 2);
            self.improvements.note(step, evaluations, missing as f64);
        }
    }

    /// Returns the improvements since the last call.
    pub(crate) fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.improvements.take()
    }

    /// Offers an order; returns `true` if no member covers its point, so that it was inserted.
    pub(crate) fn offer(&mut self, point: Point, order: impl FnOnce() -> Arc<[u16]>) -> bool {
        let taken = self.archive.insert_with(point, order);
        if taken {
            self.shown = None;
            self.cover(&point);
        }
        taken
    }

    /// Becomes a copy of an archive that contains all members of this one or dominates them.
    pub(crate) fn mirror<T>(&mut self, archive: &Archive<T>, order: impl FnMut(&T) -> Arc<[u16]>) {
        self.archive.mirror(archive, order);
        self.shown = None;
    }

    /// Objectives, in the order of the values of the points.
    pub(crate) fn objectives(&self) -> &Objectives {
        &self.objectives
    }

    pub(crate) fn archive(&self) -> &Archive<Arc<[u16]>> {
        &self.archive
    }

    /// The members as a front; cached until the archive changes.
    ///
    /// The hypervolume of many points in four objectives is expensive: until `evaluations` has grown enough, `missing`
    /// is that of an earlier front, an upper bound.
    pub(crate) fn front(&mut self, evaluations: u64) -> Arc<Front> {
        let Self { objectives, extent, archive, shown, missing, due, .. } = self;
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

    /// Adds values and orders in order of insertion to a digest.
    pub(crate) fn digest(&self, mut digest: u64) -> u64 {
        for (point, order) in self.archive.iter() {
            digest = digest_order(digest, point, order);
        }
        digest
    }
}

/// Snapshot of a search whose cost is the missing hypervolume of its front.
pub(super) fn front_snapshot(step: u64, evaluations: u64, front: Arc<Front>, digest: u64) -> Snapshot<Front> {
    let cost = front.missing as f64;
    Snapshot { step, evaluations, best: front, best_cost: cost, mean: cost, worst: cost, digest, share: None }
}

/// Adds an order and its values to a digest.
pub(crate) fn digest_order(digest: u64, point: &Point, order: &[u16]) -> u64 {
    let digest = point.iter().fold(digest, |digest, value| digest_bytes(digest, &value.to_le_bytes()));
    digest_words(digest, order)
}

/// Seconds that a run spent on its stages.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Shares {
    /// Evaluation of neighbours.
    pub evaluation: f64,
    /// Comparison of points and maintenance of the archive.
    pub archiving: f64,
    /// Iterated greedy, before the exploration and once no member is left to explore.
    pub greedy: f64,
    /// Everything else.
    pub rest: f64,
}

impl Shares {
    pub(crate) fn total(&self) -> f64 {
        self.evaluation + self.archiving + self.greedy + self.rest
    }

    /// Percentage of each stage: evaluation, archiving, iterated greedy, rest.
    pub(crate) fn per_cent(&self) -> [f64; 4] {
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
