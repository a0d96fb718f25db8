//! Iterated greedy on a weighted sum of objectives: the algorithm of [`crate::greedy`] with [`Evaluator`]
//! instead of Taillard's acceleration.

use gridwright_core::random::Philox;
use gridwright_core::search::Control;
use gridwright_core::search::cooling::AcceptanceTable;

use super::evaluation::{Evaluator, LANES, Shop, Values};
use super::weights::WeightedSum;
use crate::draws::{ACCEPTED, Draws, REMOVED, ROUND};

/// Data shared by all descents of a run.
#[derive(Debug)]
pub(crate) struct DescentContext {
    /// Instance.
    pub shop: Shop,
    pub philox: Philox,
    /// Thresholds of the acceptance criterion.
    pub acceptance: AcceptanceTable,
    /// Largest number of jobs a local search visits per step; it bounds the duration of a step on large instances.
    pub looks: usize,
    /// Pauses and cancels the run between parts of a step.
    pub control: Control,
}

/// Approximate SIMD operations per step, below 0.1 s, from which `looks` and the number of explored members follow.
pub(crate) const STEP_OPERATIONS: u64 = 1 << 27;

/// Number of jobs that each of `side_by_side` descents may remove and reinsert in all positions within a step.
pub(crate) fn looks(jobs: usize, machines: usize, side_by_side: usize) -> usize {
    let operations = (jobs * jobs * machines) as u64 / LANES as u64 * side_by_side as u64;
    (STEP_OPERATIONS / operations.max(1)).max(16) as usize
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct DescentConfig {
    pub sum: WeightedSum,
    /// Jobs removed per step.
    pub removed: usize,
    /// True if the order without the removed jobs is improved, too.
    pub partial: bool,
    /// Temperature in 1/256 of 2^`shift` cost units.
    pub temperature: u32,
    /// Binary scale of the temperature.
    pub shift: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Descent {
    individual: u32,
    manner: DescentConfig,
    /// Current order.
    pub order: Vec<u16>,
    /// Objective values of `order`.
    pub values: Values,
    /// Insertion positions evaluated so far.
    pub evaluations: u64,
    evaluator: Evaluator,
    trial: Vec<u16>,
    round: Vec<u16>,
}

impl Descent {
    /// Descent number `individual`, starting from an order.
    pub(crate) fn new(shop: &Shop, individual: u32, manner: DescentConfig, order: &[u16]) -> Self {
        Self {
            individual,
            manner,
            order: order.to_vec(),
            values: shop.values(order),
            evaluations: 0,
            evaluator: Evaluator::new(shop),
            trial: Vec::with_capacity(order.len()),
            round: Vec::with_capacity(order.len()),
        }
    }

    pub(crate) fn sum(&self) -> &WeightedSum {
        &self.manner.sum
    }

    pub(crate) fn begin(&mut self, shop: &Shop, order: &[u16]) {
        self.order.clear();
        self.order.extend_from_slice(order);
        self.values = shop.values(order);
    }

    /// Removes jobs, improves, reinserts them where the sum is least, improves again, and accepts the result if it is
    /// not too much worse. Without effect on the order if the run is cancelled before the end of the step.
    #[inline(always)]
    pub(crate) fn step(&mut self, rules: &DescentContext, step: u64) {
        self.evaluator.set_control(&rules.control);
        let jobs = self.order.len();
        let DescentConfig { sum, removed, partial, temperature, shift } = self.manner;
        let mut drawn = Draws::new(rules.philox, step, self.individual, REMOVED);
        let mut rounds = Draws::new(rules.philox, step, self.individual, ROUND);
        self.trial.clone_from(&self.order);
        let mut out = Vec::with_capacity(removed);
        // At least one job stays in place.
        for _ in 0..removed.min(jobs.saturating_sub(1)) {
            let position = drawn.below(self.trial.len());
            out.push(self.trial.remove(position));
        }
        if partial && !self.trial.is_empty() {
            let values = rules.shop.values(&self.trial);
            self.improve(rules, values, &mut rounds);
        }
        let mut values = self.values;
        for &job in &out {
            let (position, found) = self.place(&rules.shop, job);
            self.trial.insert(position, job);
            values = found;
        }
        let values = self.improve(rules, values, &mut rounds);
        if rules.control.is_over() {
            return;
        }
        let word = Draws::new(rules.philox, step, self.individual, ACCEPTED).word();
        let worse = sum.cost(&values).saturating_sub(sum.cost(&self.values)) >> shift;
        if i64::try_from(worse).is_ok_and(|worse| worse <= rules.acceptance.limit(temperature, word)) {
            std::mem::swap(&mut self.order, &mut self.trial);
            self.values = values;
        }
    }

    /// Best position of a job that is not in the trial, the first among equals, with the objective values there.
    #[inline(always)]
    fn place(&mut self, shop: &Shop, job: u16) -> (usize, Values) {
        self.evaluator.insert(shop, &self.trial, job);
        let values = &self.evaluator.values;
        self.evaluations += values.len() as u64;
        let (mut position, mut least) = (0, u64::MAX);
        for (number, values) in values.iter().enumerate() {
            let cost = self.manner.sum.cost(values);
            if cost < least {
                (position, least) = (number, cost);
            }
        }
        (position, values[position])
    }

    /// Local search on `trial`: every job in random order moves to its best position if that has a smaller sum, until a
    /// round improves nothing or the limit of visited jobs is reached. Returns the final objective values, or any values
    /// if the run is cancelled.
    #[inline(always)]
    fn improve(&mut self, rules: &DescentContext, mut values: Values, draws: &mut Draws) -> Values {
        let (mut cost, mut looks) = (self.manner.sum.cost(&values), rules.looks);
        loop {
            let before = cost;
            self.round.clone_from(&self.trial);
            draws.shuffle(&mut self.round);
            for number in 0..self.round.len().min(looks) {
                if rules.control.is_interrupted() {
                    return values;
                }
                let job = self.round[number];
                let Some(position) = self.trial.iter().position(|&other| other == job) else { continue };
                self.trial.remove(position);
                let (place, found) = self.place(&rules.shop, job);
                if self.manner.sum.cost(&found) < cost {
                    self.trial.insert(place, job);
                    values = found;
                    cost = self.manner.sum.cost(&found);
                } else {
                    self.trial.insert(position, job);
                }
            }
            looks = looks.saturating_sub(self.round.len());
            if cost >= before || looks == 0 {
                return values;
            }
        }
    }
}
