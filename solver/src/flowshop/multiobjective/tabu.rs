//! Aggregated tabu search on the CPU, a trajectory for each weighted sum: see [`super`].

use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::Result;
use crate::flowshop::Instance;
use crate::random::Philox;
use crate::search::{Epochs, Snapshot, digest_bytes, digest_words};

use super::FrontSearch;
use super::draws::{Draws, TENURE, random_order};
use super::evaluation::{Evaluator, Shop, Values};
use super::exploration::Neighbourhood;
use super::front::{Found, Front, Shares};
use super::objectives::Objectives;
use super::parameters::TabuParameters;
use super::weights::{Extent, WeightedSum, lattice};

/// What all trajectories know.
#[derive(Debug)]
struct Rules {
    shop: Shop,
    philox: Philox,
    neighbourhood: Neighbourhood,
    tenure: u32,
    aspiration: bool,
}

/// Where a trajectory stands.
#[derive(Debug, Clone)]
struct Trajectory {
    individual: u32,
    sum: WeightedSum,
    order: Vec<u16>,
    values: Values,
    /// The least sum so far.
    best: u64,
    /// The first step at which each job may be moved again.
    free: Vec<u64>,
    evaluations: u64,
    evaluating: Duration,
}

/// The best neighbour of some kind: the least (sum, number), with its values.
type Choice = Option<(u64, u64, Values)>;

fn better(choice: &Choice, sum: u64) -> bool {
    // Neighbours come in order of number: the first of equal sums stays.
    choice.as_ref().is_none_or(|(least, ..)| sum < *least)
}

impl Trajectory {
    fn new(shop: &Shop, individual: u32, sum: WeightedSum, order: Vec<u16>) -> Self {
        let values = shop.values(&order);
        Self {
            individual,
            sum,
            best: sum.cost(&values),
            free: vec![0; order.len()],
            order,
            values,
            evaluations: 0,
            evaluating: Duration::ZERO,
        }
    }

    /// Goes to the best neighbour that may be gone to.
    #[inline(always)]
    fn step(&mut self, rules: &Rules, step: u64) {
        let Some((sum, id, values)) = self.choose(rules, step) else { return };
        let moved = self.moved(rules.neighbourhood, id);
        self.order = rules.neighbourhood.apply(&self.order, id);
        self.values = values;
        self.best = self.best.min(sum);
        let more = Draws::new(rules.philox, step, self.individual, TENURE).below(rules.tenure as usize + 1);
        for job in moved {
            self.free[usize::from(job)] = step + 1 + u64::from(rules.tenure) + more as u64;
        }
    }

    /// The jobs that a neighbour moves; the same one twice where it moves one.
    fn moved(&self, neighbourhood: Neighbourhood, id: u64) -> [u16; 2] {
        let jobs = self.order.len() as u64;
        let (one, other) = match neighbourhood {
            Neighbourhood::Insertion => {
                let (from, _) = crate::search::mapping::insertion(id, jobs);
                (from, from)
            }
            Neighbourhood::Exchange => crate::search::mapping::exchange(id, jobs),
        };
        [self.order[one as usize], self.order[other as usize]]
    }

    #[inline(always)]
    fn choose(&mut self, rules: &Rules, step: u64) -> Choice {
        let Rules { shop, neighbourhood, aspiration, .. } = rules;
        let mut evaluator = Evaluator::new(shop);
        let mut base = Vec::with_capacity(self.order.len());
        if *neighbourhood == Neighbourhood::Exchange {
            evaluator.prepare(shop, &self.order);
        }
        let (mut allowed, mut any): (Choice, Choice) = (None, None);
        for position in 0..self.order.len() {
            let began = Instant::now();
            neighbourhood.evaluate(shop, &mut evaluator, &mut base, &self.order, position);
            self.evaluating += began.elapsed();
            let Self { order, free, sum, best, evaluations, .. } = &mut *self;
            let stays = |job: u16| free[usize::from(job)] > step;
            let own = stays(order[position]);
            neighbourhood.each(order.len(), position, |id, place| {
                *evaluations += 1;
                let values = &evaluator.values[place];
                let cost = sum.cost(values);
                let tabu = own || (*neighbourhood == Neighbourhood::Exchange && stays(order[position + 1 + place]));
                if (!tabu || (*aspiration && cost < *best)) && better(&allowed, cost) {
                    allowed = Some((cost, id, *values));
                }
                if better(&any, cost) {
                    any = Some((cost, id, *values));
                }
            });
        }
        allowed.or(any)
    }
}

/// A step of one trajectory, compiled for the vector unit that is there.
struct Walk<'a> {
    trajectory: &'a mut Trajectory,
    rules: &'a Rules,
    step: u64,
}

impl pulp::NullaryFnOnce for Walk<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.trajectory.step(self.rules, self.step);
    }
}

/// Aggregated tabu search on the CPU.
#[derive(Debug)]
pub struct TabuSearch {
    rules: Rules,
    objectives: Objectives,
    trajectories: Vec<Trajectory>,
    threads: Arc<rayon::ThreadPool>,
    step: u64,
    found: Found,
    shares: Shares,
}

impl TabuSearch {
    /// Before the first step; what is automatic in `parameters` was resolved.
    pub fn new(
        instance: &Instance,
        objectives: &Objectives,
        parameters: &TabuParameters,
        seed: u64,
        threads: Arc<rayon::ThreadPool>,
    ) -> Self {
        let shop = Shop::new(instance);
        let philox = Philox::new(seed);
        let (extent, starts) = Extent::new(instance, &shop, objectives);
        let mut found = Found::new(*objectives, extent);
        let weights = lattice(objectives.count(), parameters.divisions.max(1));
        let trajectories = weights.iter().enumerate().map(|(number, weights)| {
            let sum = WeightedSum::new(instance, objectives, &extent, weights);
            let order = if parameters.start == "random" {
                random_order(philox, 0, number as u32, shop.jobs)
            } else {
                // The start that is best by the sum; of equally good ones the first.
                starts.iter().min_by_key(|order| sum.cost(&shop.values(order))).cloned().unwrap_or_default()
            };
            Trajectory::new(&shop, number as u32, sum, order)
        });
        let trajectories: Vec<Trajectory> = trajectories.collect();
        for trajectory in &trajectories {
            found.offer(objectives.select(&trajectory.values), || trajectory.order.as_slice().into());
        }
        let rules = Rules {
            shop,
            philox,
            neighbourhood: Neighbourhood::named(&parameters.neighbourhood),
            tenure: parameters.tenure,
            aspiration: parameters.aspiration,
        };
        Self { rules, objectives: *objectives, trajectories, threads, step: 0, found, shares: Shares::default() }
    }

    fn step(&mut self) {
        let began = Instant::now();
        let Self { rules, trajectories, step, .. } = &mut *self;
        let (rules, step) = (&*rules, *step);
        trajectories.iter_mut().for_each(|trajectory| trajectory.evaluating = Duration::ZERO);
        let whole: Duration = trajectories
            .par_iter_mut()
            .map(|trajectory| {
                let began = Instant::now();
                pulp::Arch::new().dispatch(Walk { trajectory, rules, step });
                began.elapsed()
            })
            .sum();
        let wall = began.elapsed().as_secs_f64();
        let evaluating: Duration = self.trajectories.iter().map(|trajectory| trajectory.evaluating).sum();
        // Threads work side by side: the time on the clock is shared out as theirs was.
        let share = evaluating.as_secs_f64() / whole.as_secs_f64().max(1e-12);
        self.shares.evaluation += wall * share;
        self.shares.rest += wall * (1.0 - share);
        let archiving = Instant::now();
        for trajectory in &self.trajectories {
            self.found.offer(self.objectives.select(&trajectory.values), || trajectory.order.as_slice().into());
        }
        self.shares.archiving += archiving.elapsed().as_secs_f64();
        self.step += 1;
    }
}

impl Epochs for TabuSearch {
    type Solution = Front;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let threads = Arc::clone(&self.threads);
        threads.install(|| (0..steps).for_each(|_| self.step()));
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Front>> {
        let evaluations = self.trajectories.iter().map(|trajectory| trajectory.evaluations).sum();
        let front = self.found.front(evaluations);
        let mut digest = self.found.digest(digest_bytes(self.step, &[]));
        for trajectory in &self.trajectories {
            digest = digest_words(digest ^ trajectory.best, &trajectory.order);
            for free in &trajectory.free {
                digest = digest_bytes(digest, &free.to_le_bytes());
            }
        }
        let cost = front.missing as f64;
        Ok(Snapshot {
            step: self.step,
            evaluations,
            best: front,
            best_cost: cost,
            mean: cost,
            worst: cost,
            digest,
            share: None,
        })
    }
}

impl FrontSearch for TabuSearch {
    fn shares(&self) -> Shares {
        self.shares
    }
}
