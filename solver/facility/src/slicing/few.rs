//! Search for the layout in which at most a few departments of another layout have moved.
//!
//! All departments but a few keep the rectangles of the layout to begin with and are obstacles; the few are the leaves of a
//! slicing tree around them. A step of a chain draws the few (those of its best layout with one exchanged, others, or
//! neighbours; where moving has a price, also fewer than allowed), anneals their tree by [`STEP`] proposals, and keeps the layout if it is better than the best of the chain.
//! A layout that the checker finds worse than the layout to begin with, by violations and then by cost, is not reported.
//! Chains are independent of each other, so any number of threads gives the same layouts.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use super::evaluation::{Slices, Tree};
use super::moves::propose;
use super::site::Site;
use super::{STEP, SlicingParameters, tree};
use crate::check::check;
use crate::evaluation::{Places, Score};
use crate::islands::BestLayout;
use crate::{Instance, Layout, Placed, Plan};
use gridwright_core::random::{Philox, index};
use gridwright_core::search::cooling::AcceptanceTable;
use gridwright_core::search::{
    Control, Epochs, ImprovementLog, NotedImprovement, Snapshot, digest_bytes, digest_words,
};
use gridwright_core::{Error, Result};

use crate::population::purposes;

/// Largest number of departments that move.
pub(crate) const MOST: usize = 32;

/// Search for layouts with few departments moved.
pub(crate) struct FewMoves {
    context: Context,
    chains: Vec<Chain>,
    step: u64,
    unit: f64,
    best: (Layout, Score),
    improvements: ImprovementLog,
    threads: Arc<rayon::ThreadPool>,
}

/// Data that all chains share.
struct Context {
    instance: Instance,
    slices: Slices,
    /// Rectangles of the layout to begin with, by department.
    today: Vec<Placed>,
    /// Departments that may move, ascending.
    movable: Vec<u16>,
    /// Largest number of departments that move.
    most: usize,
    /// True if fewer may move in a step, because moving has a price.
    varies: bool,
    /// Violations and cost of the layout to begin with by the checker, which no layout of the search may exceed in this order.
    bound: (usize, f64),
    /// First temperature and the weight of violations, in units of cost.
    temperature: f64,
    weight: f64,
    philox: Philox,
    acceptance: AcceptanceTable,
    control: Control,
}

/// Best layout of a chain.
struct Chain {
    number: u32,
    moved: Vec<u16>,
    layout: Layout,
    score: Score,
    /// True if the layout is no worse than the one to begin with by the checker's order.
    is_admitted: bool,
    places: Places,
}

/// Number of violations and cost of a layout by the checker.
fn rank(instance: &Instance, layout: &Layout) -> (usize, f64) {
    let verdict = check(instance, layout);
    (verdict.violations.len(), verdict.cost)
}

impl FewMoves {
    /// Starts the search with a layout of all departments; `parameters` must be resolved, and `unit` is the mean cost of random
    /// layouts.
    pub fn new(
        instance: &Instance, parameters: &SlicingParameters, start: &Layout, unit: f64, seed: u64,
        threads: Arc<rayon::ThreadPool>, control: Control,
    ) -> Self {
        let plan = Plan::new(instance, start);
        let places = plan.departments.iter().zip(0..);
        let mut today: Vec<Placed> = places.map(|(&rectangle, department)| Placed { department, rectangle }).collect();
        let slices = Slices::new(instance);
        // What has a place by rule or building lies there, and does not count as moved.
        let kept = slices.site.iter().flat_map(|site| &site.kept);
        kept.for_each(|placed| today[usize::from(placed.department)] = *placed);
        let movable = slices.departments();
        let most = (parameters.moves as usize).min(movable.len()).min(MOST);
        let (temperature, weight) = (unit * parameters.hot / 1e3, unit);
        let context = Context {
            instance: instance.clone(),
            slices,
            movable,
            most,
            varies: instance.has_moving_cost(),
            bound: rank(instance, &Layout::of_rectangles(today.clone())),
            today,
            temperature,
            weight,
            philox: Philox::new(seed),
            acceptance: AcceptanceTable::default(),
            control,
        };
        let chains: Vec<Chain> = (0..parameters.chains).map(|number| context.chain(number)).collect();
        let score = chains.first().map_or(Score::WORST, |chain| chain.score);
        // The layout to begin with is the first, with its bays unless something lies elsewhere.
        let lies_so = plan.departments.iter().zip(&context.today).all(|(here, placed)| *here == placed.rectangle);
        let first = if lies_so { start.clone() } else { Layout::of_rectangles(context.today.clone()) };
        let mut improvements = ImprovementLog::default();
        let (evaluations, cost) = (1, score.told(unit));
        improvements.push(NotedImprovement { step: 0, evaluations, cost, at: Instant::now(), exact: true });
        Self { context, chains, step: 0, unit, best: (first, score), improvements, threads }
    }

    /// Score of the best layout.
    pub(super) fn best_score(&self) -> &Score {
        &self.best.1
    }

    /// Number of steps so far.
    pub(super) fn steps_done(&self) -> u64 {
        self.step
    }

    /// Number of layouts evaluated so far.
    pub(super) fn evaluations_done(&self) -> u64 {
        self.evaluations(self.step)
    }

    fn evaluations(&self, step: u64) -> u64 {
        1 + step * u64::from(STEP) * self.chains.len() as u64
    }
}

impl Context {
    /// Chain at the layout to begin with.
    fn chain(&self, number: u32) -> Chain {
        let mut places = self.slices.places();
        let site = Site::around(&self.instance, self.today.clone());
        let score = self.slices.evaluate_around(&site, &mut Tree::default(), &mut places);
        let layout = Layout::of_rectangles(self.today.clone());
        Chain { number, moved: Vec::new(), layout, score, is_admitted: true, places }
    }

    /// True if the checker finds fewer violations than in the layout to begin with, or as many and no greater cost. The search
    /// compares by how far limits are exceeded, so that several small violations are better for it than a large one.
    fn admits(&self, layout: &Layout) -> bool {
        let (violations, cost) = rank(&self.instance, layout);
        violations < self.bound.0 || violations == self.bound.0 && cost <= self.bound.1 * (1.0 + 1e-12)
    }

    /// Departments that move in a step of a chain.
    fn few(&self, step: u32, chain: &Chain) -> Vec<u16> {
        // The tree that follows draws the words before these.
        const FIRST: u32 = 1 << 20;
        let words = |draw: u32| self.philox.words(FIRST + draw, step, chain.number, purposes::TREE);
        let [kind, which, first_size, second_size] = words(0);
        let kind = index(kind, 10);
        let goes_on = kind < 5 && if self.varies { !chain.moved.is_empty() } else { chain.moved.len() == self.most };
        let size = match self.varies {
            false => self.most,
            // One less, as many, or one more.
            true if goes_on => (chain.moved.len() + index(first_size, 3) as usize).clamp(2, self.most + 1) - 1,
            true => {
                1 + [first_size, second_size]
                    .map(|word| index(word, self.most as u32))
                    .into_iter()
                    .fold(u32::MAX, u32::min) as usize
            }
        };
        let any = |draw: u32| self.movable[index(words(draw)[0], self.movable.len() as u32) as usize];
        let mut few = Vec::with_capacity(size);
        if goes_on {
            few.clone_from(&chain.moved);
            if size <= few.len() {
                few.remove(index(which, few.len() as u32) as usize);
            }
        } else if kind < 8 {
            // A department with its neighbours.
            let (x, y) = self.today[usize::from(any(1))].rectangle.centre();
            let distance = |department: &u16| {
                let (other_x, other_y) = self.today[usize::from(*department)].rectangle.centre();
                (x - other_x).abs() + (y - other_y).abs()
            };
            let mut near = self.movable.clone();
            near.sort_by(|one, other| distance(one).total_cmp(&distance(other)).then(one.cmp(other)));
            // One of them is drawn from the others.
            few.extend(near.into_iter().take(size.saturating_sub(1)));
        }
        let mut draw = 2;
        while few.len() < size {
            let next = any(draw);
            if !few.contains(&next) {
                few.push(next);
            }
            draw += 1;
        }
        few.sort_unstable();
        few
    }

    /// One step of a chain.
    fn walk(&self, step: u32, chain: &mut Chain) -> bool {
        let few = self.few(step, chain);
        let keeps = |placed: &&Placed| few.binary_search(&placed.department).is_err();
        let site = Site::around(&self.instance, self.today.iter().filter(keeps).copied().collect());
        let mut tree = Tree::of(tree::random(self.philox, step, chain.number, few.clone()));
        let mut score = self.slices.evaluate_around(&site, &mut tree, &mut chain.places);
        let mut best = (tree.tokens.clone(), score);
        let mut proposed = tree.clone();
        let worth = |score: &Score| score.cost + self.weight * score.violation;
        for draw in 0..STEP {
            let words = self.philox.words(draw, step, chain.number, purposes::CUTS);
            if few.len() < 2 || !propose(&tree, words, true, &mut proposed.tokens) {
                continue;
            }
            let next = self.slices.evaluate_around(&site, &mut proposed, &mut chain.places);
            let level = f64::from(self.acceptance.levels()[(words[3] >> 22) as usize]) / 4096.0;
            let cooled = self.temperature * (1.0 - f64::from(draw) / f64::from(STEP));
            if worth(&next) - worth(&score) <= cooled * level {
                std::mem::swap(&mut tree, &mut proposed);
                score = next;
                if score.is_better(&best.1) {
                    best = (tree.tokens.clone(), score);
                }
            }
        }
        let is_better = best.1.is_better(&chain.score);
        if is_better {
            chain.layout = self.slices.layout_around(&site, &best.0);
            (chain.moved, chain.score) = (few, best.1);
            chain.is_admitted = self.admits(&chain.layout);
        }
        is_better
    }
}

impl Epochs for FewMoves {
    type Solution = BestLayout;

    fn advance(&mut self, steps: u32) -> Result<()> {
        for _ in 0..steps {
            let (context, chains, step) = (&self.context, &mut self.chains, self.step as u32);
            if context.most > 0 {
                self.threads.install(|| {
                    chains.par_iter_mut().for_each(|chain| {
                        if !context.control.is_interrupted() {
                            context.walk(step, chain);
                        }
                    })
                });
            }
            if self.context.control.is_over() {
                return Err(Error::Cancelled);
            }
            self.step += 1;
            let mut is_better = false;
            for chain in &self.chains {
                if chain.is_admitted && chain.score.is_better(&self.best.1) {
                    self.best = (chain.layout.clone(), chain.score);
                    is_better = true;
                }
            }
            if is_better {
                let (step, at) = (self.step, Instant::now());
                let (evaluations, cost) = (self.evaluations(step), self.best.1.told(self.unit));
                self.improvements.push(NotedImprovement { step, evaluations, cost, at, exact: true });
            }
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<BestLayout>> {
        let mut digest = digest_words(self.step ^ self.best.1.cost.to_bits(), &[]);
        for chain in &self.chains {
            digest = digest_words(digest, &chain.moved);
            digest = digest_bytes(digest, &[chain.score.cost, chain.score.violation].map(f64::to_le_bytes).concat());
        }
        let costs: Vec<f64> = self.chains.iter().map(|chain| chain.score.cost).collect();
        let steps = [self.step, self.evaluations(self.step)];
        Ok(super::snapshot(steps, self.best.clone(), self.unit, &costs, digest))
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.improvements.take()
    }
}
