//! Enumeration as an epoch-wise search: tasks, incumbent, progress.

use std::sync::Arc;

use rayon::prelude::*;

use super::orders::{best_orders, permutations};
use super::sets::{Set, Sets, straight};
use super::{EnumerationParameters, PRECISION};
use crate::evaluation::{Problem, Score};
use crate::genes::{of_layout, to_layout};
use crate::islands::BestLayout;
use crate::memetic::{self, Brief};
use crate::{Instance, Layout, Orientation};
use gridwright_core::search::{
    Construction, Control, Epochs, ImprovementLog, NotedImprovement, Snapshot, digest_bytes,
};
use gridwright_core::{Error, Result};

/// Task: a choice of the first one or two bays; the remaining departments form the further bays.
#[derive(Debug, Clone, Copy)]
struct Task {
    /// Index of the tables (orientation).
    sets: usize,
    first: Set,
    /// Second bay; 0 if the first holds all departments.
    second: Set,
}

/// Incumbent: the best layout known.
#[derive(Debug, Clone)]
struct Known {
    layout: Layout,
    score: Score,
}

/// Exact search over all partitions of the departments into bays.
pub struct Enumeration {
    problems: Vec<Problem>,
    tables: Vec<Sets>,
    tasks: Vec<Task>,
    done: usize,
    looked: u64,
    known: Known,
    improvements: ImprovementLog,
    unit: f64,
    threads: Arc<rayon::ThreadPool>,
    control: Control,
}

/// Result of a task.
struct Report {
    better: Option<Known>,
    looked: u64,
}

impl Enumeration {
    /// Computes the first incumbent and the tables. [`super::check`] must have accepted the instance.
    ///
    /// # Errors
    /// A failure of the short search that finds the incumbent.
    pub fn new(
        instance: &Instance, parameters: &EnumerationParameters, wanted: Option<Orientation>, seed: u64,
        threads: Arc<rayon::ThreadPool>, construction: &Construction,
    ) -> Result<Self> {
        let Brief { layout, score, evaluations, unit } =
            memetic::brief(instance, parameters.before, wanted, seed, &threads, construction)?;
        let known = Known { layout, score };
        let all: Vec<Orientation> = wanted.map_or(Orientation::ALL.to_vec(), |one| vec![one]);
        let problems: Vec<Problem> = all.iter().map(|&orientation| Problem::new(instance, orientation)).collect();
        let tables: Vec<Sets> = problems.iter().map(|problem| Sets::new(instance, problem)).collect();
        let tasks = tables.iter().enumerate().flat_map(|(at, sets)| tasks(at, sets)).collect();
        let (looked, control, improvements) = (evaluations, Control::new(), ImprovementLog::default());
        Ok(Self { problems, tables, tasks, done: 0, looked, known, improvements, unit, threads, control })
    }

    /// Sets the handle that pauses and interrupts a step.
    pub(crate) fn with_control(mut self, control: Control) -> Self {
        self.control = control;
        self
    }
}

/// Lists all tasks. To count each partition once, the first bay holds the first department and each further bay the
/// first remaining one.
fn tasks(sets: usize, tables: &Sets) -> Vec<Task> {
    let all = (1 << tables.len()) - 1;
    let mut tasks = Vec::new();
    for first in bays(tables, all) {
        let left = all & !first;
        if left == 0 {
            tasks.push(Task { sets, first, second: 0 });
        }
        tasks.extend(bays(tables, left).into_iter().map(|second| Task { sets, first, second }));
    }
    tasks
}

/// All feasible bays that contain the first department of `left`.
fn bays(sets: &Sets, left: Set) -> Vec<Set> {
    if left == 0 {
        return Vec::new();
    }
    let first = left & left.wrapping_neg();
    let others = left & !first;
    let mut bays = Vec::new();
    let mut some = others;
    loop {
        let bay = first | some;
        if sets.fits[bay as usize] {
            bays.push(bay);
        }
        if some == 0 {
            break;
        }
        some = (some - 1) & others;
    }
    bays
}

/// State of a running task.
struct Work<'a> {
    sets: &'a Sets,
    problem: &'a Problem,
    bays: Vec<Set>,
    limit: f64,
    report: Report,
    control: &'a Control,
}

impl Work<'_> {
    /// Completes the partition in all ways, unless the run is interrupted before.
    fn go(&mut self, left: Set) {
        if self.control.is_interrupted() {
            return;
        }
        if left == 0 {
            self.partition();
            return;
        }
        for bay in bays(self.sets, left) {
            self.bays.push(bay);
            self.go(left & !bay);
            self.bays.pop();
        }
    }

    /// Evaluates one complete partition.
    fn partition(&mut self) {
        self.report.looked += 1;
        if self.sets.euclidean {
            return self.straight_partition();
        }
        let (across, order) = self.sets.across(&self.bays);
        let within: f64 = self.bays.iter().map(|&bay| self.sets.within[bay as usize]).sum();
        if across + within >= self.limit {
            return;
        }
        let k = self.bays.len();
        if k > 1 {
            let mut least = across;
            for one in 0..k {
                for other in 0..one {
                    least += self.sets.pair(self.bays[one], self.bays[other], k);
                }
            }
            if least >= self.limit {
                return;
            }
        }
        let centres = vec![0.0; k];
        let Some((_, orders)) = best_orders(self.sets, &self.bays, &centres, self.limit - across) else { return };
        self.take(&order, &orders);
    }

    /// Evaluates one complete partition with Euclidean distances: all orders of its bays whose bound is below the limit.
    ///
    /// Within a bay the distances are those along it. For the flows between bays, Minkowski's inequality bounds the cost,
    /// Σ f·√(x² + y²) ≥ √((Σ f·x)² + (Σ f·y)²): of all bays together in any order, and of each pair of bays in one order.
    fn straight_partition(&mut self) {
        let (sets, bays) = (self.sets, self.bays.clone());
        let k = bays.len();
        let within: f64 = bays.iter().map(|&bay| sets.within[bay as usize]).sum();
        let pairs: Vec<[usize; 2]> = (0..k).flat_map(|one| (0..one).map(move |other| [one, other])).collect();
        let bounds: Vec<(f64, f64)> = pairs
            .iter()
            .map(|pair| pair.map(|bay| bays[bay]))
            .map(|[one, other]| (sets.flow_between(one, other), sets.mutual(one, other)))
            .collect();
        let mutual: f64 = bounds.iter().map(|bound| bound.1).sum();
        if within + straight(sets.across(&bays).0, mutual) >= self.limit {
            return;
        }
        permutations(&mut (0..k).collect::<Vec<_>>(), &mut |order| {
            // A layout and its mirror image cost the same.
            if k > 1 && order[0] > order[k - 1] || self.control.is_interrupted() {
                return;
            }
            let (mut begin, mut centres) = (0.0, vec![0.0; k]);
            for &bay in order {
                let width = sets.width(bays[bay]);
                centres[bay] = begin + width / 2.0;
                begin += width;
            }
            let between = pairs
                .iter()
                .zip(&bounds)
                .map(|([one, other], (flow, along))| straight(flow * (centres[*one] - centres[*other]), *along));
            if within + between.sum::<f64>() >= self.limit {
                return;
            }
            if let Some((_, orders)) = best_orders(sets, &bays, &centres, self.limit) {
                self.take(order, &orders);
            }
        });
    }

    /// Takes a layout if it is better: the order of the bays, and the departments of each bay in order.
    fn take(&mut self, order: &[usize], orders: &[Vec<usize>]) {
        let bays = order.iter().map(|&bay| orders[bay].iter().map(|&one| one as u16).collect()).collect();
        let layout = Layout::of_bays(self.problem.orientation, bays);
        let score = self.problem.evaluate(&of_layout(&layout), &mut self.problem.places());
        if score.is_feasible() && score.cost < self.limit {
            self.limit = limit(score);
            self.report.better = Some(Known { layout, score });
        }
    }
}

/// Upper bound that a better layout must fall below.
fn limit(known: Score) -> f64 {
    if known.is_feasible() { known.cost * (1.0 - PRECISION) } else { f64::INFINITY }
}

impl Epochs for Enumeration {
    type Solution = BestLayout;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let until = (self.done + steps as usize).min(self.tasks.len());
        let limit = limit(self.known.score);
        let (tables, problems, control) = (&self.tables, &self.problems, &self.control);
        // All tasks of an epoch begin with the same incumbent, so that the number of threads does not affect the
        // result.
        let work = |task: &Task| {
            let (sets, problem) = (&tables[task.sets], &problems[task.sets]);
            let report = Report { better: None, looked: 0 };
            let mut work = Work { sets, problem, bays: vec![task.first], limit, report, control };
            let mut left = ((1 << sets.len()) - 1) & !task.first;
            if task.second != 0 {
                work.bays.push(task.second);
                left &= !task.second;
            }
            work.go(left);
            work.report
        };
        let reports: Vec<Report> =
            self.threads.install(|| self.tasks[self.done..until].par_iter().with_max_len(1).map(work).collect());
        if self.control.is_over() {
            return Err(Error::Cancelled);
        }
        for (step, report) in (self.done as u64 + 1..).zip(reports) {
            self.looked += report.looked;
            if let Some(better) = report.better
                && better.score.is_better(&self.known.score)
            {
                self.known = better;
                self.improvements.note(step, self.looked, self.known.score.told(self.unit));
            }
        }
        self.done = until;
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<BestLayout>> {
        let Known { layout, score } = &self.known;
        let genes = of_layout(layout);
        let finished = self.done == self.tasks.len();
        let found = BestLayout {
            layout: to_layout(&genes, layout.orientation),
            score: *score,
            lacking: 0.0,
            islands: Vec::new(),
            migrations: Vec::new(),
            proven: finished,
        };
        let words: Vec<u8> = genes.iter().flat_map(|gene| gene.to_le_bytes()).collect();
        Ok(Snapshot {
            step: self.done as u64,
            evaluations: self.looked,
            best: Arc::new(found),
            best_cost: score.told(self.unit),
            mean: score.cost,
            worst: score.cost,
            digest: digest_bytes(self.looked ^ score.cost.to_bits(), &words),
            share: Some(if finished { 1.0 } else { self.done as f64 / self.tasks.len() as f64 }),
        })
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.improvements.take()
    }
}
