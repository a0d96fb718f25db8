//! Iterative beam search for the makespan and the total flow time.
//!
//! A level holds the partial orders (nodes) with k of n jobs placed. Every node is expanded by one job, and the next
//! level keeps the best candidates, as many as the beam is wide. When all emphases e of the guide have been tried with
//! one width, the width doubles, from [`NARROWEST`] up to the widest. Under a time limit a further width begins only if
//! it is likely to end in time; the last width goes into the result as a parameter, so that a replay needs no clock.
//!
//! # Makespan
//! Orders grow from both ends. With F_i the completion of the head (jobs placed at the front) on machine i, B_i the
//! time that the tail (jobs placed at the back) needs from machine i on and R_i the times of the remaining jobs, a
//! node's lower bound is
//!
//! ```text
//! max_i  F_i + R_i + B_i
//! ```
//!
//! All children of a node extend the same end: the one with fewer children below the best known makespan, and among
//! equals the one with the larger sum of their bounds. Children that are not below the best known makespan are pruned.
//! The level keeps the smallest values of the guide
//!
//! ```text
//! bound + e · 75 p̄ · (m/n)² · (1 − k/n) · Σ_i (idle_i / F_i + idle'_i / B_i)
//! ```
//!
//! where p̄ is the mean processing time and idle, idle' are the idle times of a machine within head and tail. The bound
//! dominates where there are many jobs per machine, the idle time where there are few; the factor 75 makes e ≈ 1 the
//! best emphasis on shops of 50 × 10 to 500 × 20. The emphases are e = 0, ½, 1 and 2.
//!
//! If a beam drops nothing but children that are not below the best known makespan, that makespan is proven optimal.
//!
//! # Flow time
//! Orders grow at the head. The level keeps the smallest values of the guide
//!
//! ```text
//! (k/n) · Σ_j C_j + e · (1 − k/n) · (k/m) · Σ_i idle_i
//! ```
//!
//! multiplied by 2nm/k, which makes it an integer, with e = ½, 1 and 2.
//!
//! # Determinism
//! Idle shares are computed in single precision by additions and divisions in a fixed order, which IEEE 754 defines to
//! the bit, and candidates are totally ordered by (value, parent, job). Candidates beyond the worst of the best so far
//! are discarded where they are made. The result does not depend on the machine, the number of threads or the division
//! into epochs. A step is a fixed number of expanded nodes, about as long as a step of a greedy chain.
//!
//! Sources: L. Libralesso, P. A. Focke, A. Secardin, V. Jost, «Iterative beam search algorithms for the permutation
//! flowshop», European Journal of Operational Research 301(1), 2022 (doubling widths, bidirectional branching, guides
//! by bound and weighted idle time, with other weights for the makespan; the flow time guide with e = 1); C. N. Potts,
//! «An adaptive branching rule for the permutation flow-shop problem», European Journal of Operational Research 5(1),
//! 1980.

mod expansion;
mod level;
mod shop;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use expansion::{Candidate, Expander, Guide, LevelContext};
use level::{Level, Links};
pub use shop::Shop;

use crate::{Objective, Order};
use gridwright_core::search::{Control, ImprovementLog, NotedImprovement, Snapshot, digest_bytes, digest_words};
use gridwright_core::{Error, Result};

/// Width of the first beam.
pub(crate) const NARROWEST: u32 = 64;

/// Largest width that can be requested.
pub const MOST: u32 = 1 << 20;

/// Cost units (expanded nodes) of a step per job.
const NODES_OF_A_STEP: u64 = 8;

/// Cost units of completing a level.
const END_OF_A_LEVEL: u64 = 32;

/// Nodes per parallel task.
const TOGETHER: usize = 16;

/// Candidates are reduced to the beam width once they exceed this multiple of it.
const CROWD: usize = 2;

/// Memory in bytes for the levels of a beam of automatic width.
const MEMORY: u64 = 1 << 29;

/// Largest power of two whose levels fit into the memory limit; at least [`NARROWEST`].
pub(crate) fn widest(shop: &Shop) -> u32 {
    let most = (MEMORY / Level::bytes(shop).max(1)).min(MOST.into()) as u32;
    (1 << most.max(NARROWEST).ilog2()).max(NARROWEST)
}

/// Approximate memory of a beam of this width, in bytes.
pub fn bytes(shop: &Shop, width: u32) -> u64 {
    // Parent links are pruned when more than twice as many as were needed before have accumulated.
    let per_node = 2 * Level::bytes(shop) + 2 * CROWD as u64 * size_of::<Candidate>() as u64 + 6 * Links::BYTES;
    u64::from(width) * per_node
}

/// Iterative beam search with doubling widths; see the module description.
#[derive(Debug)]
pub struct Beams {
    shop: Shop,
    threads: Arc<rayon::ThreadPool>,
    control: Control,
    widest: u32,
    /// Time limit of all beams together, and the time used so far.
    limit_of_time: Option<Duration>,
    spent: Duration,
    /// Current width, and index of the current emphasis.
    width: u32,
    emphasis: usize,
    depth: usize,
    level: Level,
    next: Level,
    links: Links,
    candidates: Vec<Candidate>,
    /// Number of nodes of the current level that are expanded.
    expanded: usize,
    /// Guide value of the worst candidate kept so far; children beyond it are discarded.
    limit: u64,
    /// Lower bound of the objective over all orders.
    least: u64,
    /// Step in which the last level was completed.
    ended: u64,
    /// True once this beam discarded a child below the best known cost; such a beam proves nothing.
    has_dropped: bool,
    best: Arc<Order>,
    cost: u64,
    is_proven: bool,
    step: u64,
    units: u64,
    evaluations: u64,
    digest: u64,
    /// Step in which the best order was found while that step goes on.
    improved: Option<u64>,
    improvements: ImprovementLog,
}

impl Beams {
    /// Prepares the first beam; `order` is a permutation of all jobs with objective value `cost`, the initial best.
    pub fn new(shop: Shop, widest: u32, order: Vec<u16>, cost: u64, threads: Arc<rayon::ThreadPool>) -> Self {
        let level = Level::root(&shop);
        let least = level.bounds(&shop).next().unwrap_or_default();
        Self {
            next: Level::of(&shop, 0),
            width: NARROWEST.min(widest),
            shop,
            threads,
            control: Control::new(),
            widest,
            limit_of_time: None,
            spent: Duration::ZERO,
            emphasis: 0,
            depth: 0,
            level,
            links: Links::default(),
            candidates: Vec::new(),
            expanded: 0,
            limit: u64::MAX,
            least,
            ended: 0,
            has_dropped: false,
            best: Arc::new(Order(order)),
            cost,
            is_proven: least >= cost,
            step: 0,
            units: 0,
            evaluations: 0,
            digest: cost,
            improved: None,
            improvements: ImprovementLog::default(),
        }
    }

    /// Sets the handle that pauses and interrupts a step.
    pub(crate) fn with_control(mut self, control: &Control) -> Self {
        self.control = control.clone();
        self
    }

    /// Stops widening when the next width is unlikely to end within `limit`. [`Beams::widest`] then depends on the
    /// clock; a search without a limit that is given this width repeats the run.
    pub fn within(mut self, limit: Duration) -> Self {
        self.limit_of_time = Some(limit);
        self
    }

    /// Largest width: as requested, or as far as the time limit allowed.
    pub(crate) fn widest(&self) -> u32 {
        if self.limit_of_time.is_some() { self.width.min(self.widest) } else { self.widest }
    }

    /// Returns `true` if all widths are done or the best order is proven optimal.
    pub fn is_done(&self) -> bool {
        self.is_proven || self.width > self.widest
    }

    /// Returns `true` if the best order is proven optimal.
    pub fn is_proven(&self) -> bool {
        self.is_proven
    }

    /// Best order so far and its cost.
    pub fn best(&self) -> (&[u16], u64) {
        (&self.best.0, self.cost)
    }

    /// Number of steps done.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Number of children evaluated.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Advances by up to `steps` steps and returns the number actually done, which is smaller only at the end of the
    /// search.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the run is interrupted before the end of the steps; the state is then undefined.
    pub fn advance(&mut self, steps: u32) -> Result<u32> {
        let (threads, now) = (Arc::clone(&self.threads), Instant::now());
        let before = self.spent;
        let done = threads.install(|| {
            let of_a_step = NODES_OF_A_STEP * self.shop.jobs() as u64;
            let began = self.step;
            let until = (began + u64::from(steps)) * of_a_step;
            while self.units < until && !self.is_done() {
                if self.control.is_interrupted() {
                    return Err(Error::Cancelled);
                }
                // An improvement is noted with the evaluations up to the end of its step.
                let stop = self.improved.map_or(until, |step| (step * of_a_step).min(until));
                let left = (self.level.len() - self.expanded) as u64;
                if self.units >= stop {
                    self.note_improvement();
                } else if left > 0 {
                    self.expand(left.min(stop - self.units) as usize)?;
                } else {
                    self.ended = self.units / of_a_step + 1;
                    self.spent = before + now.elapsed();
                    let best = self.cost;
                    self.end_level();
                    if self.cost < best {
                        self.improved = Some(self.ended);
                    }
                    self.units += END_OF_A_LEVEL;
                }
            }
            self.note_improvement();
            let end = began + u64::from(steps);
            self.step = if self.is_done() { self.ended.clamp(began, end) } else { end };
            Ok((self.step - began) as u32)
        })?;
        self.spent = before + now.elapsed();
        Ok(done)
    }

    fn note_improvement(&mut self) {
        if let Some(step) = self.improved.take() {
            self.improvements.note(step, self.evaluations, self.cost as f64);
        }
    }

    /// Returns the improvements since the last call.
    pub(crate) fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.improvements.take()
    }

    fn rules(&self) -> LevelContext {
        let emphasis = self.emphases()[self.emphasis];
        let (jobs, placed) = (self.shop.jobs() as f64, (self.depth + 1) as f64);
        let left = (self.shop.jobs() - self.depth - 1) as u64;
        let guide = match self.shop.objective() {
            Objective::Makespan => {
                let share =
                    emphasis * self.shop.unit() * (1.0 - placed / jobs) * f64::from(1_u32 << expansion::FRACTION);
                // Rounded once, from operands that are equal on all machines.
                Guide::Makespan { share: share as f32 }
            }
            // Emphases are multiples of ½.
            _ => Guide::FlowTime { flow: 2 * self.shop.machines() as u64, idle: (2.0 * emphasis) as u64 * left },
        };
        LevelContext { best: self.cost, guide, depth: self.depth, limit: self.limit }
    }

    /// Emphases of the idle time, in the order in which the beams of one width use them.
    fn emphases(&self) -> &'static [f64] {
        match self.shop.objective() {
            Objective::Makespan => &[0.0, 0.5, 1.0, 2.0],
            _ => &[0.5, 1.0, 2.0],
        }
    }

    /// Expands the next `nodes` nodes of the level and collects the candidates.
    fn expand(&mut self, nodes: usize) -> Result<()> {
        let (mut rules, crowd) = (self.rules(), CROWD * self.width as usize);
        let (end, left) = (self.expanded + nodes, self.shop.jobs() - self.depth);
        // The first nodes contribute all children, later ones only children better than most of the candidates.
        let mut part = (crowd / left).max(TOGETHER);
        while self.expanded < end {
            rules.limit = self.limit;
            let until = end.min(self.expanded + part);
            let (shop, level, control) = (&self.shop, &self.level, &self.control);
            let places: Vec<usize> = (self.expanded..until).step_by(TOGETHER).collect();
            let found: Vec<(Vec<Candidate>, u64, bool)> = places
                .into_par_iter()
                .map(|from| {
                    if control.is_over() {
                        return (Vec::new(), 0, false);
                    }
                    let nodes = from..(from + TOGETHER).min(until);
                    pulp::Arch::new().dispatch(Expander { shop, level, rules: &rules, nodes })
                })
                .collect();
            if self.control.is_interrupted() {
                return Err(Error::Cancelled);
            }
            let before = self.candidates.len();
            for (candidates, evaluated, has_dropped) in found {
                self.candidates.extend(candidates);
                self.evaluations += evaluated;
                self.has_dropped |= has_dropped;
            }
            self.units += (until - self.expanded) as u64;
            self.expanded = until;
            if self.candidates.len() - before < crowd / 4 {
                part *= 2;
            }
            if self.candidates.len() >= crowd {
                self.choose();
            }
        }
        Ok(())
    }

    /// Reduces the candidates to the best, as many as the beam is wide.
    fn choose(&mut self) {
        let width = self.width as usize;
        if self.candidates.len() >= width {
            let (_, worst, rest) = self.candidates.select_nth_unstable_by_key(width - 1, Candidate::rank);
            self.limit = worst.value;
            self.has_dropped |= !rest.is_empty();
            self.candidates.truncate(width);
        }
    }

    /// Makes the next level from the best candidates, or ends the beam if there are none or all jobs are placed.
    fn end_level(&mut self) {
        self.choose();
        self.candidates.par_sort_unstable_by_key(Candidate::rank);
        let words: Vec<u16> = self.candidates.iter().flat_map(Candidate::words).collect();
        self.digest = digest_words(self.digest, &words);
        self.depth += 1;
        if !self.candidates.is_empty() {
            self.level.tidy(&mut self.links);
            self.next.follow(&self.shop, &self.level, &self.candidates, &mut self.links);
            std::mem::swap(&mut self.level, &mut self.next);
            self.candidates.clear();
            (self.expanded, self.limit) = (0, u64::MAX);
            if self.depth < self.shop.jobs() {
                return;
            }
            // All of them are better than the best so far; the first of the shortest is taken.
            if let Some((node, cost)) =
                self.level.bounds(&self.shop).enumerate().min_by_key(|&(node, bound)| (bound, node))
            {
                self.cost = cost;
                self.best = Arc::new(Order(self.links.order(self.level.link(node))));
            }
            self.is_proven = self.least >= self.cost;
        } else {
            self.is_proven = !self.has_dropped;
        }
        self.next_beam();
    }

    fn next_beam(&mut self) {
        self.emphasis += 1;
        if self.emphasis == self.emphases().len() {
            self.emphasis = 0;
            // The next width takes about as long as all widths before it.
            if self.limit_of_time.is_some_and(|limit| 2 * self.spent > limit) {
                (self.widest, self.limit_of_time) = (self.width, None);
            }
            let narrower = self.width;
            self.width = narrower.saturating_mul(2);
            if narrower < self.widest {
                self.width = self.width.min(self.widest);
            }
        }
        self.level = Level::root(&self.shop);
        self.links = Links::default();
        (self.depth, self.expanded, self.limit, self.has_dropped) = (0, 0, u64::MAX, false);
    }

    /// State of the search for observers, with a digest of candidates, cost and work done.
    pub fn snapshot(&self) -> Snapshot<Order> {
        let cost = self.cost as f64;
        let mut state = [0; 24];
        state[..8].copy_from_slice(&self.units.to_le_bytes());
        state[8..16].copy_from_slice(&self.cost.to_le_bytes());
        state[16..].copy_from_slice(&(self.candidates.len() as u64).to_le_bytes());
        Snapshot {
            step: self.step,
            evaluations: self.evaluations,
            best: Arc::clone(&self.best),
            best_cost: cost,
            mean: cost,
            worst: cost,
            digest: digest_bytes(self.digest, &state),
            share: self.is_proven.then_some(1.0),
        }
    }
}
