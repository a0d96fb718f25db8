//! What explores whole neighbourhoods for Pareto local search: the part of it that a backend computes. Here is the CPU.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use crate::search::pareto::Point;

use super::evaluation::Shop;
use super::exploration::{Admission, Explored, Neighbourhood, Task};
use super::objectives::Objectives;

/// Operations below which a step is not worth the trouble of several threads.
const WORTH_THREADS: u64 = 1 << 17;

/// An order to be explored.
#[derive(Debug, Clone)]
pub struct Member {
    /// A number that no other member of the run has.
    pub entry: u64,
    /// Its point.
    pub point: Point,
    /// The jobs.
    pub order: Arc<[u16]>,
}

/// The points of the archive that neighbours have to stand up to.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// All of them.
    pub all: &'a [Point],
    /// Those that came since the exploration before, in the order in which they came, even if they have left again; `None` where
    /// the archive was emptied in between.
    pub came: Option<&'a [Point]>,
    /// Members that have come in the whole run: the next one has this number.
    pub entries: u64,
}

/// What exploring a member, or a part of its neighbourhood, left.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Left {
    /// The place of the member in what was asked for.
    pub member: usize,
    /// None of the archive's members that came before this one covers what is left.
    pub known: u64,
    /// Points with the numbers of the neighbours, in ascending order of number.
    pub left: Vec<(Point, u64)>,
}

/// What exploring some members left.
#[derive(Debug, Default)]
pub struct Findings {
    /// Members in ascending order, for each its neighbours in ascending order, in one part or several.
    pub left: Vec<Left>,
    /// Seconds for the values of neighbours.
    pub evaluation: f64,
    /// Seconds for comparing them.
    pub archiving: f64,
    /// Seconds of evaluation that passed in the background, before this exploration was asked for.
    pub background: f64,
}

/// How far neighbourhoods were computed ahead.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Foresight {
    /// Members that were asked for.
    pub explored: u64,
    /// Those of them that had been computed before.
    pub foreseen: u64,
    /// Neighbourhoods that were computed.
    pub evaluated: u64,
    /// How often some were computed, all at once.
    pub rounds: u64,
}

impl std::fmt::Display for Foresight {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = 100.0 * self.foreseen as f64 / self.explored.max(1) as f64;
        let each = self.evaluated as f64 / self.explored.max(1) as f64;
        let at_once = self.evaluated as f64 / self.rounds.max(1) as f64;
        write!(
            f,
            "{share:.1} % of the neighbourhoods had been computed when they were asked for; {each:.2} were computed for each \
             that was asked for, {at_once:.1} at once"
        )
    }
}

/// Explores neighbourhoods. What is left is all that an archive would take if it was offered everything in order, and perhaps
/// some that it refuses: see [`super::exploration`]. So every implementation leads to the same archive.
pub trait Explorer: Send {
    /// Explores the whole neighbourhoods of some members. `upcoming` says which are likely to be asked for next, one after the
    /// other, so that they can be computed together with these.
    fn explore(&mut self, members: &[Member], upcoming: &dyn Fn() -> Vec<Member>, known: Known<'_>) -> Findings;

    /// What happened that a person should know.
    fn notes(&self) -> &[String] {
        &[]
    }

    /// How far it has computed ahead, where it does.
    fn foresight(&self) -> Option<Foresight> {
        None
    }
}

impl std::fmt::Debug for dyn Explorer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Explorer").field("notes", &self.notes()).finish_non_exhaustive()
    }
}

/// Explores on the CPU, part by part on all threads of the pool that it is called in.
#[derive(Debug, Clone)]
pub struct CpuExplorer {
    /// The instance.
    pub shop: Shop,
    /// What counts.
    pub objectives: Objectives,
    /// Which neighbours there are.
    pub neighbourhood: Neighbourhood,
    /// Which of them may enter.
    pub admission: Admission,
}

impl Explorer for CpuExplorer {
    fn explore(&mut self, members: &[Member], _: &dyn Fn() -> Vec<Member>, known: Known<'_>) -> Findings {
        let began = Instant::now();
        let jobs = self.shop.jobs;
        let work = self.neighbourhood.size(jobs) * (jobs * self.shop.machines) as u64 * members.len() as u64 / 2;
        let threads = if work < WORTH_THREADS { 1 } else { rayon::current_num_threads() };
        // A few parts for each thread, because none takes exactly as long as another.
        let parts = if threads == 1 { 1 } else { (4 * threads).div_ceil(members.len().max(1)) };
        let part = jobs.div_ceil(parts).max(1);
        let tasks: Vec<(usize, Range<usize>)> = (0..members.len())
            .flat_map(|member| (0..jobs).step_by(part).map(move |from| (member, from..jobs.min(from + part))))
            .collect();
        let run = |(member, positions): &(usize, Range<usize>)| {
            let Member { point, order, .. } = &members[*member];
            let explore = Task {
                shop: &self.shop,
                objectives: &self.objectives,
                neighbourhood: self.neighbourhood,
                admission: self.admission,
                order,
                current: point,
                positions: positions.clone(),
                known: known.all,
            };
            pulp::Arch::new().dispatch(explore)
        };
        let explored: Vec<Explored> =
            if threads == 1 { tasks.iter().map(run).collect() } else { tasks.par_iter().map(run).collect() };
        let wall = began.elapsed().as_secs_f64();
        let evaluating: f64 = explored.iter().map(|one| one.evaluating.as_secs_f64()).sum();
        let comparing: f64 = explored.iter().map(|one| one.comparing.as_secs_f64()).sum();
        let busy = evaluating + comparing;
        // The time of the one thread, or, where threads evaluate and compare side by side, that on the clock as theirs was.
        let seconds = if threads == 1 { busy } else { wall };
        let left = tasks.iter().zip(explored).map(|((member, _), explored)| Left {
            member: *member,
            known: known.entries,
            left: explored.left.iter().map(|(&point, &number)| (point, number)).collect(),
        });
        Findings {
            left: left.collect(),
            evaluation: seconds * evaluating / busy.max(1e-12),
            archiving: seconds * comparing / busy.max(1e-12),
            background: 0.0,
        }
    }
}
