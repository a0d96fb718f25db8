//! Aggregated tabu search, a trajectory for each weighted sum: see [`super`].

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
pub struct Rules {
    /// The instance.
    pub shop: Shop,
    philox: Philox,
    /// Which neighbours there are.
    pub neighbourhood: Neighbourhood,
    tenure: u32,
    /// Whether a tabu move to a new best is made nevertheless.
    pub aspiration: bool,
}

/// Where a trajectory stands.
#[derive(Debug, Clone)]
pub struct Trajectory {
    individual: u32,
    /// What it minimises.
    pub sum: WeightedSum,
    /// The present order …
    pub order: Vec<u16>,
    values: Values,
    /// The least sum so far.
    pub best: u64,
    /// The first step at which each job may be moved again.
    pub free: Vec<u64>,
}

/// The best neighbour of some kind: the least (sum, number), with its values.
pub type Choice = Option<(u64, u64, Values)>;

fn better(choice: &Choice, sum: u64) -> bool {
    // Neighbours come in order of number: the first of equal sums stays.
    choice.as_ref().is_none_or(|(least, ..)| sum < *least)
}

impl Trajectory {
    fn new(shop: &Shop, individual: u32, sum: WeightedSum, order: Vec<u16>) -> Self {
        let values = shop.values(&order);
        Self { individual, sum, best: sum.cost(&values), free: vec![0; order.len()], order, values }
    }

    /// Goes to a neighbour.
    fn go(&mut self, rules: &Rules, step: u64, (sum, id, values): (u64, u64, Values)) {
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

    /// The best neighbour that may be gone to, or the best of all, and how long evaluating took.
    #[inline(always)]
    fn choose(&self, rules: &Rules, step: u64) -> (Choice, Duration) {
        let Rules { shop, neighbourhood, aspiration, .. } = rules;
        let Self { order, free, sum, best, .. } = self;
        let mut evaluator = Evaluator::new(shop);
        let mut base = Vec::with_capacity(order.len());
        if *neighbourhood == Neighbourhood::Exchange {
            evaluator.prepare(shop, order);
        }
        let (mut allowed, mut any): (Choice, Choice) = (None, None);
        let mut evaluating = Duration::ZERO;
        for position in 0..order.len() {
            let began = Instant::now();
            neighbourhood.evaluate(shop, &mut evaluator, &mut base, order, position);
            evaluating += began.elapsed();
            let stays = |job: u16| free[usize::from(job)] > step;
            let own = stays(order[position]);
            neighbourhood.each(order.len(), position, |id, place| {
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
        (allowed.or(any), evaluating)
    }
}

/// The choice of one trajectory, compiled for the vector unit that is there.
struct Look<'a> {
    trajectory: &'a Trajectory,
    rules: &'a Rules,
    step: u64,
}

impl pulp::NullaryFnOnce for Look<'_> {
    type Output = (Choice, Duration);

    #[inline(always)]
    fn call(self) -> (Choice, Duration) {
        self.trajectory.choose(self.rules, self.step)
    }
}

/// The best neighbours of all trajectories.
#[derive(Debug, Default)]
pub struct Choices {
    /// For each trajectory; `None` where it has no neighbours.
    pub chosen: Vec<Choice>,
    /// Seconds for the values of neighbours.
    pub evaluation: f64,
    /// Seconds for all else.
    pub rest: f64,
}

/// Looks for the best neighbours: the part of the search that a backend computes. Every implementation gives the same.
pub trait Chooser: Send {
    /// For each trajectory the neighbour with the least (sum, number) among those that may be gone to, or among all where none may.
    fn choose(&mut self, rules: &Rules, trajectories: &[Trajectory], step: u64) -> Choices;

    /// What happened that a person should know.
    fn notes(&self) -> &[String] {
        &[]
    }
}

impl std::fmt::Debug for dyn Chooser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chooser").field("notes", &self.notes()).finish_non_exhaustive()
    }
}

/// Looks on the CPU, at a trajectory on each thread of the pool that it is called in.
#[derive(Debug, Clone, Copy)]
pub struct CpuChooser;

impl Chooser for CpuChooser {
    fn choose(&mut self, rules: &Rules, trajectories: &[Trajectory], step: u64) -> Choices {
        let began = Instant::now();
        let look = |trajectory: &Trajectory| {
            let began = Instant::now();
            let (choice, evaluating) = pulp::Arch::new().dispatch(Look { trajectory, rules, step });
            (choice, evaluating, began.elapsed())
        };
        let looked: Vec<(Choice, Duration, Duration)> = trajectories.par_iter().map(look).collect();
        let evaluating: Duration = looked.iter().map(|one| one.1).sum();
        let whole: Duration = looked.iter().map(|one| one.2).sum();
        let wall = began.elapsed().as_secs_f64();
        // Threads work side by side: the time on the clock is shared out as theirs was.
        let share = evaluating.as_secs_f64() / whole.as_secs_f64().max(1e-12);
        let chosen = looked.into_iter().map(|one| one.0).collect();
        Choices { chosen, evaluation: wall * share, rest: wall * (1.0 - share) }
    }
}

/// Aggregated tabu search. What looks for neighbours is the CPU, unless something else is given.
#[derive(Debug)]
pub struct TabuSearch {
    rules: Rules,
    objectives: Objectives,
    trajectories: Vec<Trajectory>,
    chooser: Box<dyn Chooser>,
    threads: Arc<rayon::ThreadPool>,
    step: u64,
    evaluations: u64,
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
        Self {
            rules,
            objectives: *objectives,
            trajectories,
            chooser: Box::new(CpuChooser),
            threads,
            step: 0,
            evaluations: 0,
            found,
            shares: Shares::default(),
        }
    }

    /// The same with something else that looks for neighbours, of the same instance by the same parameters.
    pub fn choosing_with(self, chooser: Box<dyn Chooser>) -> Self {
        Self { chooser, ..self }
    }

    /// Trajectories side by side.
    pub fn trajectories(&self) -> usize {
        self.trajectories.len()
    }

    fn step(&mut self) {
        let Self { rules, trajectories, chooser, step, shares, evaluations, .. } = &mut *self;
        let choices = chooser.choose(rules, trajectories, *step);
        shares.evaluation += choices.evaluation;
        shares.rest += choices.rest;
        let began = Instant::now();
        for (trajectory, choice) in trajectories.iter_mut().zip(choices.chosen) {
            if let Some(choice) = choice {
                trajectory.go(rules, *step, choice);
            }
        }
        *evaluations += rules.neighbourhood.size(rules.shop.jobs) * trajectories.len() as u64;
        let archiving = Instant::now();
        shares.rest += (archiving - began).as_secs_f64();
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
        let evaluations = self.evaluations;
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

    fn notes(&self) -> Vec<String> {
        self.chooser.notes().to_vec()
    }
}
