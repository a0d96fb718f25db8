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

/// An order to be explored, with its point.
pub type Member = (Point, Arc<[u16]>);

/// The points of the archive that neighbours have to stand up to.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// All of them.
    pub all: &'a [Point],
    /// Those that came since the exploration before, in the order in which they came, even if they have left again; `None` where
    /// the archive was emptied in between.
    pub came: Option<&'a [Point]>,
}

/// What exploring some members left.
#[derive(Debug, Default)]
pub struct Findings {
    /// The number of the member, and points with the numbers of its neighbours: members in ascending order, for each its
    /// neighbours in ascending order, in one part or several.
    pub left: Vec<(usize, Vec<(Point, u64)>)>,
    /// Seconds for the values of neighbours.
    pub evaluation: f64,
    /// Seconds for comparing them.
    pub archiving: f64,
}

/// Explores neighbourhoods. What is left is all that an archive would take if it was offered everything in order, and perhaps
/// some that it refuses: see [`super::exploration`]. So every implementation leads to the same archive.
pub trait Explorer: Send {
    /// Explores the whole neighbourhoods of some members.
    fn explore(&mut self, members: &[Member], known: Known<'_>) -> Findings;

    /// What happened that a person should know.
    fn notes(&self) -> &[String] {
        &[]
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
    fn explore(&mut self, members: &[Member], known: Known<'_>) -> Findings {
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
            let (current, order) = &members[*member];
            let explore = Task {
                shop: &self.shop,
                objectives: &self.objectives,
                neighbourhood: self.neighbourhood,
                admission: self.admission,
                order,
                current,
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
        let left = tasks.iter().zip(explored).map(|((member, _), explored)| {
            (*member, explored.left.iter().map(|(&point, &number)| (point, number)).collect())
        });
        Findings {
            left: left.collect(),
            evaluation: seconds * evaluating / busy.max(1e-12),
            archiving: seconds * comparing / busy.max(1e-12),
        }
    }
}
