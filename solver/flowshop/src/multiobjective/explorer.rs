//! The backend interface of Pareto local search: exploration of whole neighbourhoods, and its implementation on the
//! CPU.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use gridwright_core::backend::DeviceNote;
use gridwright_core::search::Control;
use gridwright_core::search::pareto::Point;

use super::evaluation::Shop;
use super::exploration::{Admission, ExplorationTask, Explored, Neighbourhood};
use super::objectives::Objectives;

/// Number of operations below which a step runs on one thread.
const WORTH_THREADS: u64 = 1 << 17;

/// An archive member to be explored.
#[derive(Debug, Clone)]
pub struct Member {
    /// Entry number, unique within the run.
    pub entry: u64,
    /// Objective values of the order.
    pub point: Point,
    /// Job permutation.
    pub order: Arc<[u16]>,
}

/// Points of the archive against which neighbours are filtered.
#[derive(Debug, Clone, Copy)]
pub struct ArchivePoints<'a> {
    /// Points of all members.
    pub all: &'a [Point],
    /// Points inserted since the previous exploration, in order of insertion, including members that have left again;
    /// `None` if the archive was emptied in between.
    pub arrivals: Option<&'a [Point]>,
    /// Number of members inserted in the whole run, which is the next entry number.
    pub entries: u64,
}

/// Surviving neighbours of an explored member, or of a part of its neighbourhood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survivors {
    /// Index of the member in the request.
    pub member: usize,
    /// Filter state: no archive member with an entry number below this one covers a survivor.
    pub known_entries: u64,
    /// Surviving points with their neighbour numbers, ascending by number.
    pub neighbours: Vec<(Point, u64)>,
}

/// Result of exploring several members.
#[derive(Debug, Default)]
pub struct ExplorationResult {
    /// Survivors by ascending member and neighbour number; a member may have several parts.
    pub survivors: Vec<Survivors>,
    /// Seconds for evaluating neighbours.
    pub evaluation: f64,
    /// Seconds for comparing points.
    pub archiving: f64,
    /// Seconds of evaluation that passed in the background before this request.
    pub(crate) background: f64,
}

/// Statistics of prefetching.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PrefetchStatistics {
    /// Members requested.
    pub requested: u64,
    /// Requested members that had been prefetched.
    pub prefetched: u64,
    /// Neighbourhoods computed.
    pub computed: u64,
    /// Rounds, each of which computes several neighbourhoods at once.
    pub rounds: u64,
}

impl std::fmt::Display for PrefetchStatistics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = 100.0 * self.prefetched as f64 / self.requested.max(1) as f64;
        let per_request = self.computed as f64 / self.requested.max(1) as f64;
        let at_once = self.computed as f64 / self.rounds.max(1) as f64;
        write!(
            f,
            "prefetching: {share:.1} % of the requested neighbourhoods were ready; {per_request:.2} computed per \
             request, {at_once:.1} at once"
        )
    }
}

/// Explores neighbourhoods on some backend.
///
/// An implementation returns at least the survivors that the archive would take if all neighbours were offered in
/// order; it may return more, which the archive then refuses. All implementations therefore lead to the same archive.
pub trait Explorer: Send {
    /// Explores the whole neighbourhoods of `members`. `upcoming` returns the members that are likely to be requested
    /// next, in order, so that an implementation can prefetch them.
    fn explore(
        &mut self, members: &[Member], upcoming: &dyn Fn() -> Vec<Member>, known: ArchivePoints<'_>,
    ) -> ExplorationResult;

    /// Losses of devices.
    fn device_notes(&self) -> &[DeviceNote] {
        &[]
    }

    /// Statistics of prefetching, if the backend prefetches.
    fn prefetch_statistics(&self) -> Option<PrefetchStatistics> {
        None
    }
}

impl std::fmt::Debug for dyn Explorer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Explorer").field("device_notes", &self.device_notes()).finish_non_exhaustive()
    }
}

/// Explores on the CPU, in parts on all threads of the current rayon pool.
#[derive(Debug, Clone)]
pub struct CpuExplorer {
    /// Instance.
    pub shop: Shop,
    /// Objectives of the points.
    pub objectives: Objectives,
    /// Kind of neighbourhood.
    pub neighbourhood: Neighbourhood,
    /// Admission rule.
    pub admission: Admission,
    /// Pauses and cancels the run during an exploration, whose survivors are incomplete if it is cancelled.
    pub control: Control,
}

impl Explorer for CpuExplorer {
    fn explore(
        &mut self, members: &[Member], _: &dyn Fn() -> Vec<Member>, known: ArchivePoints<'_>,
    ) -> ExplorationResult {
        let began = Instant::now();
        let jobs = self.shop.jobs;
        let work = self.neighbourhood.size(jobs) * (jobs * self.shop.machines) as u64 * members.len() as u64 / 2;
        let threads = if work < WORTH_THREADS { 1 } else { rayon::current_num_threads() };
        // Several parts per thread for load balance.
        let parts = if threads == 1 { 1 } else { (4 * threads).div_ceil(members.len().max(1)) };
        let part = jobs.div_ceil(parts).max(1);
        let tasks: Vec<(usize, Range<usize>)> = (0..members.len())
            .flat_map(|member| (0..jobs).step_by(part).map(move |from| (member, from..jobs.min(from + part))))
            .collect();
        let run = |(member, positions): &(usize, Range<usize>)| {
            let Member { point, order, .. } = &members[*member];
            let explore = ExplorationTask {
                shop: &self.shop,
                objectives: &self.objectives,
                neighbourhood: self.neighbourhood,
                admission: self.admission,
                order,
                current: point,
                positions: positions.clone(),
                known: known.all,
                control: &self.control,
            };
            pulp::Arch::new().dispatch(explore)
        };
        let explored: Vec<Explored> =
            if threads == 1 { tasks.iter().map(run).collect() } else { tasks.par_iter().map(run).collect() };
        let wall = began.elapsed().as_secs_f64();
        let evaluating: f64 = explored.iter().map(|part| part.evaluating.as_secs_f64()).sum();
        let comparing: f64 = explored.iter().map(|part| part.comparing.as_secs_f64()).sum();
        let busy = evaluating + comparing;
        // On one thread its own time; on several the wall-clock time, divided in proportion to their times.
        let seconds = if threads == 1 { busy } else { wall };
        let survivors = tasks.iter().zip(explored).map(|((member, _), explored)| Survivors {
            member: *member,
            known_entries: known.entries,
            neighbours: explored.survivors.iter().map(|(&point, &number)| (point, number)).collect(),
        });
        ExplorationResult {
            survivors: survivors.collect(),
            evaluation: seconds * evaluating / busy.max(1e-12),
            archiving: seconds * comparing / busy.max(1e-12),
            background: 0.0,
        }
    }
}
