//! Beam search: orders grow job by job, a level of as many partial orders as the beam is wide after the other.
//!
//! # Makespan
//! Orders grow from both ends. A partial order has jobs at its head and jobs at its tail. With F_i when the head leaves machine i, B_i how
//! long the tail takes from there and R_i the times of the jobs that are left, no order made from it is shorter than
//!
//! ```text
//! max_i  F_i + R_i + B_i
//! ```
//!
//! Its children add one job, all of them at the head or all at the tail: at the end where fewer are below the best makespan known, where
//! both have as many at the one whose bounds have the larger sum. What is not below it is dropped. Of the rest the level keeps those with
//! the smallest
//!
//! ```text
//! bound + e · 75 p̄ · (m/n)² · (1 − k/n) · Σ_i (idle_i / F_i + idle'_i / B_i)
//! ```
//!
//! for k of n jobs placed, p̄ the mean processing time, idle the waiting of a machine in the head and idle' in the tail, as a share of the
//! time until its last job there is done. Where there are many jobs for each machine the bound says nearly all, where there are few the
//! waiting does; the factor was chosen so that the best of several emphases was near 1 on shops of 50 × 10 to 500 × 20. A search goes
//! through e = 0, ½, 1 and 2 with a narrow beam, then with one that is twice as wide, and so on.
//!
//! Where nothing was dropped but what is not below the best makespan known, that one is the least there is: it is proven.
//!
//! # Flow time
//! Orders grow at the head. A level keeps those with the smallest
//!
//! ```text
//! (k/n) · Σ_j C_j + e · (1 − k/n) · (k/m) · Σ_i idle_i
//! ```
//!
//! multiplied by 2nm/k, which is a whole number, with e = ½, 1 and 2.
//!
//! # The same everywhere
//! Shares are computed in single precision by additions and divisions in a fixed order, which IEEE 754 fixes to the bit, and a level keeps
//! what is smallest by (value, parent, job), so the search is the same on any machine and any number of threads.
//!
//! Sources: L. Libralesso, P. A. Focke, A. Secardin, V. Jost, «Iterative beam search algorithms for the permutation flowshop»,
//! European Journal of Operational Research 301(1), 2022 (beams of doubling width, both ends, the end with fewer children, bound and
//! weighted idle time as guide of the makespan, which are weighed there in another way; the guide of the flow time for e = 1);
//! C. N. Potts, «An adaptive branching rule for the permutation flow-shop problem», European Journal of Operational Research 5(1), 1980.

mod expansion;
mod level;
mod shop;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use expansion::{Candidate, Expander, Guide, Rules};
use level::{Level, Links};
pub use shop::Shop;

use crate::flowshop::{Objective, Order};
use crate::search::{Snapshot, digest_bytes, digest_words};

/// The narrowest beam of a search.
pub const NARROWEST: u32 = 64;

/// The widest that can be asked for.
pub const MOST: u32 = 1 << 20;

/// Nodes that a step expands, for each job.
const NODES_OF_A_STEP: u64 = 8;

/// What the end of a level counts, in nodes.
const END_OF_A_LEVEL: u64 = 32;

/// Nodes that a thread expands before it looks for others.
const TOGETHER: usize = 16;

/// Candidates until the best of them are chosen, for each that is kept then.
const CROWD: usize = 2;

/// Memory that the levels of a beam may take where the person does not say how wide it is.
const MEMORY: u64 = 1 << 29;

/// The widest beam whose levels do not take too much memory, a power of two.
pub fn widest(shop: &Shop) -> u32 {
    let most = (MEMORY / Level::bytes(shop).max(1)).min(MOST.into()) as u32;
    (1 << most.max(NARROWEST).ilog2()).max(NARROWEST)
}

/// What a beam of this width takes in bytes, about.
pub fn bytes(shop: &Shop, width: u32) -> u64 {
    // The links are tidied up when they are more than twice as many as were needed before.
    let each = 2 * Level::bytes(shop) + 2 * CROWD as u64 * size_of::<Candidate>() as u64 + 6 * Links::BYTES;
    u64::from(width) * each
}

/// Beams of growing width.
#[derive(Debug)]
pub struct Beams {
    shop: Shop,
    threads: Arc<rayon::ThreadPool>,
    widest: u32,
    /// How long all beams may take, and how long they have taken.
    limit_of_time: Option<Duration>,
    spent: Duration,
    /// The width and the number of the emphasis of the present beam.
    width: u32,
    emphasis: usize,
    depth: usize,
    level: Level,
    next: Level,
    links: Links,
    candidates: Vec<Candidate>,
    /// Nodes of the level whose children are among the candidates.
    expanded: usize,
    /// Children with larger values are not among the best of the level.
    limit: u64,
    /// The least that any order can have.
    least: u64,
    /// The step in which the last level ended.
    ended: u64,
    /// Whether a child below the best cost was dropped in this beam.
    has_dropped: bool,
    best: Arc<Order>,
    cost: u64,
    is_proven: bool,
    step: u64,
    units: u64,
    evaluations: u64,
    digest: u64,
}

impl Beams {
    /// Before the first beam, with an order of all jobs and what it costs.
    pub fn new(shop: Shop, widest: u32, order: Vec<u16>, cost: u64, threads: Arc<rayon::ThreadPool>) -> Self {
        let level = Level::root(&shop);
        let least = level.bounds(&shop).next().unwrap_or_default();
        Self {
            next: Level::of(&shop, 0),
            width: NARROWEST.min(widest),
            shop,
            threads,
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
        }
    }

    /// Lets beams get wider only while they are likely to be done within so long; what [`Beams::widest`] says then depends on the clock, and
    /// a search without a limit that is given this width is the same.
    pub fn within(mut self, limit: Duration) -> Self {
        self.limit_of_time = Some(limit);
        self
    }

    /// The widest beam: as was asked for, or so far as time allows.
    pub fn widest(&self) -> u32 {
        if self.limit_of_time.is_some() { self.width.min(self.widest) } else { self.widest }
    }

    /// Whether all beams have been searched, or there is nothing better.
    pub fn is_done(&self) -> bool {
        self.is_proven || self.width > self.widest
    }

    /// Whether no order costs less than the best.
    pub fn is_proven(&self) -> bool {
        self.is_proven
    }

    /// The best order so far and what it costs.
    pub fn best(&self) -> (&[u16], u64) {
        (&self.best.0, self.cost)
    }

    /// Steps done.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Children evaluated.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Goes on by so many steps, or as many as there are left; how many that were.
    pub fn advance(&mut self, steps: u32) -> u32 {
        let (threads, now) = (Arc::clone(&self.threads), Instant::now());
        let before = self.spent;
        let done = threads.install(|| {
            let of_a_step = NODES_OF_A_STEP * self.shop.jobs() as u64;
            let began = self.step;
            let until = (began + u64::from(steps)) * of_a_step;
            while self.units < until && !self.is_done() {
                let left = (self.level.len() - self.expanded) as u64;
                if left > 0 {
                    self.expand(left.min(until - self.units) as usize);
                } else {
                    self.ended = self.units / of_a_step + 1;
                    self.spent = before + now.elapsed();
                    self.end_level();
                    self.units += END_OF_A_LEVEL;
                }
            }
            let end = began + u64::from(steps);
            self.step = if self.is_done() { self.ended.clamp(began, end) } else { end };
            (self.step - began) as u32
        });
        self.spent = before + now.elapsed();
        done
    }

    fn rules(&self) -> Rules {
        let emphasis = self.emphases()[self.emphasis];
        let (jobs, placed) = (self.shop.jobs() as f64, (self.depth + 1) as f64);
        let left = (self.shop.jobs() - self.depth - 1) as u64;
        let guide = match self.shop.objective() {
            Objective::Makespan => {
                let share =
                    emphasis * self.shop.unit() * (1.0 - placed / jobs) * f64::from(1_u32 << expansion::FRACTION);
                // Rounded once, from numbers that are the same everywhere.
                Guide::Makespan { share: share as f32 }
            }
            // Emphases are multiples of ½.
            _ => Guide::FlowTime { flow: 2 * self.shop.machines() as u64, idle: (2.0 * emphasis) as u64 * left },
        };
        Rules { best: self.cost, guide, depth: self.depth, limit: self.limit }
    }

    /// How much waiting counts, in the order in which beams of a width are tried.
    fn emphases(&self) -> &'static [f64] {
        match self.shop.objective() {
            Objective::Makespan => &[0.0, 0.5, 1.0, 2.0],
            _ => &[0.5, 1.0, 2.0],
        }
    }

    /// Makes the children of so many nodes.
    fn expand(&mut self, nodes: usize) {
        let (mut rules, crowd) = (self.rules(), CROWD * self.width as usize);
        let (end, left) = (self.expanded + nodes, self.shop.jobs() - self.depth);
        // Of the first nodes all children are candidates, of later ones only those that are better than most of these.
        let mut part = (crowd / left).max(TOGETHER);
        while self.expanded < end {
            rules.limit = self.limit;
            let until = end.min(self.expanded + part);
            let (shop, level) = (&self.shop, &self.level);
            let places: Vec<usize> = (self.expanded..until).step_by(TOGETHER).collect();
            let found: Vec<(Vec<Candidate>, u64, bool)> = places
                .into_par_iter()
                .map(|from| {
                    let nodes = from..(from + TOGETHER).min(until);
                    pulp::Arch::new().dispatch(Expander { shop, level, rules: &rules, nodes })
                })
                .collect();
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
    }

    /// Keeps the best candidates, as many as the beam is wide.
    fn choose(&mut self) {
        let width = self.width as usize;
        if self.candidates.len() >= width {
            let (_, worst, rest) = self.candidates.select_nth_unstable_by_key(width - 1, Candidate::rank);
            self.limit = worst.value;
            self.has_dropped |= !rest.is_empty();
            self.candidates.truncate(width);
        }
    }

    /// Makes the next level of the best candidates; ends the beam where there is none.
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
            // All are better than the best so far; the first of the shortest is taken.
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
            // The next width takes as long as all before it.
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

    /// Where the search stands.
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
