//! Iterated greedy on a weighted sum of objectives: [`crate::flowshop::greedy`] where no acceleration helps, with
//! [`Evaluator`] in its place.

use crate::random::Philox;
use crate::search::cooling::AcceptanceTable;

use super::draws::{ACCEPTED, Draws, REMOVED, ROUND};
use super::evaluation::{Evaluator, LANES, Shop, Values};
use super::weights::WeightedSum;

/// What all descents of a run know.
#[derive(Debug)]
pub struct Rules {
    /// The instance.
    pub shop: Shop,
    /// Random words.
    pub philox: Philox,
    /// Limits of acceptance.
    pub acceptance: AcceptanceTable,
    /// Jobs that a local search looks at, at most: where many jobs make a round long, the next step goes on with it.
    pub looks: usize,
}

/// Vector operations of a step, about, by which the numbers of looks and of explored members are chosen: below 0.1 s.
pub const STEP_OPERATIONS: u64 = 1 << 27;

/// How often so many jobs can be taken out and put into every position in a step that does so in `side_by_side` descents.
pub fn looks(jobs: usize, machines: usize, side_by_side: usize) -> usize {
    let one = (jobs * jobs * machines) as u64 / LANES as u64 * side_by_side as u64;
    (STEP_OPERATIONS / one.max(1)).max(16) as usize
}

/// How one descent goes.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// What it minimises.
    pub sum: WeightedSum,
    /// Jobs that a step takes out.
    pub removed: usize,
    /// Whether the order without them is improved, too.
    pub partial: bool,
    /// In 1/256 of 2^`shift` of the cost.
    pub temperature: u32,
    /// See `temperature`.
    pub shift: u32,
}

/// Where a descent stands.
#[derive(Debug, Clone)]
pub struct Descent {
    individual: u32,
    manner: Manner,
    /// The present order …
    pub order: Vec<u16>,
    /// … and its values.
    pub values: Values,
    /// Positions whose values were computed.
    pub evaluations: u64,
    evaluator: Evaluator,
    trial: Vec<u16>,
    round: Vec<u16>,
}

impl Descent {
    /// A descent that begins with an order.
    pub fn new(shop: &Shop, individual: u32, manner: Manner, order: &[u16]) -> Self {
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

    /// What it minimises.
    pub fn sum(&self) -> &WeightedSum {
        &self.manner.sum
    }

    /// Goes on from another order.
    pub fn begin(&mut self, shop: &Shop, order: &[u16]) {
        self.order.clear();
        self.order.extend_from_slice(order);
        self.values = shop.values(order);
    }

    /// Takes jobs out, improves, puts them back where the sum is least, improves, and goes on from there if it is not too
    /// much worse.
    #[inline(always)]
    pub fn step(&mut self, rules: &Rules, step: u64) {
        let jobs = self.order.len();
        let Manner { sum, removed, partial, temperature, shift } = self.manner;
        let mut drawn = Draws::new(rules.philox, step, self.individual, REMOVED);
        let mut rounds = Draws::new(rules.philox, step, self.individual, ROUND);
        self.trial.clone_from(&self.order);
        let mut out = Vec::with_capacity(removed);
        // Where all were taken out, nothing would be left of what was found.
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
        let word = Draws::new(rules.philox, step, self.individual, ACCEPTED).word();
        let worse = sum.cost(&values).saturating_sub(sum.cost(&self.values)) >> shift;
        if i64::try_from(worse).is_ok_and(|worse| worse <= rules.acceptance.limit(temperature, word)) {
            std::mem::swap(&mut self.order, &mut self.trial);
            self.values = values;
        }
    }

    /// Where a job that is not in the trial goes best, the first of equally good places, and the values then.
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

    /// Takes every job of the trial out in random order and puts it where the sum is less, if there is such a place, round by
    /// round, until a round finds nothing or it has looked at as many as it may; the values then.
    #[inline(always)]
    fn improve(&mut self, rules: &Rules, mut values: Values, draws: &mut Draws) -> Values {
        let (mut cost, mut looks) = (self.manner.sum.cost(&values), rules.looks);
        loop {
            let before = cost;
            self.round.clone_from(&self.trial);
            draws.shuffle(&mut self.round);
            for number in 0..self.round.len().min(looks) {
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
