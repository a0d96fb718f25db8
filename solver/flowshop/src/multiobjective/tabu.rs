//! Aggregated tabu search with one trajectory per weighted sum; see [`super`].

pub mod trace;

use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::Instance;
use gridwright_core::Result;
use gridwright_core::backend::DeviceNote;
use gridwright_core::random::Philox;
use gridwright_core::search::{Control, Epochs, NotedImprovement, Snapshot, digest_bytes, digest_words};

use super::evaluation::{Evaluator, Shop, Values};
use super::exploration::Neighbourhood;
use super::front::{Front, FrontArchive, Shares, front_snapshot};
use super::objectives::Objectives;
use super::parameters::{TabuParameters, TabuStart};
use super::weights::{Extent, WeightedSum, lattice};
use super::{FrontSearch, run_steps};
use crate::draws::{Draws, TENURE, random_order};

/// Data shared by all trajectories.
#[derive(Debug)]
pub struct TabuContext {
    /// Instance.
    pub shop: Shop,
    philox: Philox,
    /// Kind of neighbourhood.
    pub neighbourhood: Neighbourhood,
    tenure: u32,
    /// True if a tabu move to a new best sum is allowed.
    pub aspiration: bool,
    /// Interrupts a step.
    control: Control,
}

/// State of a trajectory.
#[derive(Debug, Clone)]
pub struct Trajectory {
    individual: u32,
    /// Weighted sum to be minimised.
    pub sum: WeightedSum,
    /// Current order.
    pub order: Vec<u16>,
    values: Values,
    /// Least sum so far.
    pub best: u64,
    /// First step at which each job may be moved again, by job index.
    pub free: Vec<u64>,
}

/// A chosen neighbour: (sum, neighbour number, objective values); `None` if there is none.
pub(crate) type Choice = Option<(u64, u64, Values)>;

fn better(choice: &Choice, sum: u64) -> bool {
    // Neighbours are visited by ascending number: the first of equal sums wins.
    choice.as_ref().is_none_or(|(least, ..)| sum < *least)
}

impl Trajectory {
    fn new(shop: &Shop, individual: u32, sum: WeightedSum, order: Vec<u16>) -> Self {
        let values = shop.values(&order);
        Self { individual, sum, best: sum.cost(&values), free: vec![0; order.len()], order, values }
    }

    /// Moves to a chosen neighbour and updates the tabu list.
    fn go(&mut self, rules: &TabuContext, step: u64, (sum, id, values): (u64, u64, Values)) {
        let moved = self.moved(rules.neighbourhood, id);
        self.order = rules.neighbourhood.apply(&self.order, id);
        self.values = values;
        self.best = self.best.min(sum);
        let more = Draws::new(rules.philox, step, self.individual, TENURE).below(rules.tenure as usize + 1);
        for job in moved {
            self.free[usize::from(job)] = step + 1 + u64::from(rules.tenure) + more as u64;
        }
    }

    /// The two jobs that neighbour `id` moves; twice the same job for an insertion.
    fn moved(&self, neighbourhood: Neighbourhood, id: u64) -> [u16; 2] {
        let (first, second) = neighbourhood.positions(id, self.order.len());
        let other = if neighbourhood == Neighbourhood::Insertion { first } else { second };
        [self.order[first], self.order[other]]
    }

    /// Best allowed neighbour, or the best of all if none is allowed, and the time for evaluating neighbours.
    #[inline(always)]
    fn choose(&self, rules: &TabuContext, step: u64) -> (Choice, Duration) {
        let TabuContext { shop, neighbourhood, aspiration, .. } = rules;
        let Self { order, free, sum, best, .. } = self;
        let mut evaluator = Evaluator::new(shop);
        evaluator.set_control(&rules.control);
        let mut base = Vec::with_capacity(order.len());
        if *neighbourhood == Neighbourhood::Exchange {
            evaluator.prepare(shop, order);
        }
        let (mut allowed, mut any): (Choice, Choice) = (None, None);
        let mut evaluating = Duration::ZERO;
        for position in 0..order.len() {
            if rules.control.is_interrupted() {
                break;
            }
            let began = Instant::now();
            neighbourhood.evaluate(shop, &mut evaluator, &mut base, order, position);
            evaluating += began.elapsed();
            let stays = |job: u16| free[usize::from(job)] > step;
            let own = stays(order[position]);
            neighbourhood.for_each(order.len(), position, |id, place| {
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

/// Choice of one trajectory's neighbour; dispatched to the best SIMD instruction set at run time.
struct ChooseBest<'a> {
    trajectory: &'a Trajectory,
    rules: &'a TabuContext,
    step: u64,
}

impl pulp::NullaryFnOnce for ChooseBest<'_> {
    type Output = (Choice, Duration);

    #[inline(always)]
    fn call(self) -> (Choice, Duration) {
        self.trajectory.choose(self.rules, self.step)
    }
}

/// Choices of all trajectories.
#[derive(Debug, Default)]
pub struct Choices {
    /// One entry per trajectory; `None` if it has no neighbours.
    pub chosen: Vec<Choice>,
    /// Seconds for evaluating neighbours.
    pub evaluation: f64,
    /// Seconds for everything else.
    pub rest: f64,
}

/// Chooses neighbours on some backend. All implementations return the same choices.
pub trait Chooser: Send {
    /// For each trajectory, the neighbour of least (sum, number) among the allowed ones, or among all if none is
    /// allowed.
    fn choose(&mut self, rules: &TabuContext, trajectories: &[Trajectory], step: u64) -> Choices;

    /// Losses of devices.
    fn device_notes(&self) -> &[DeviceNote] {
        &[]
    }
}

impl std::fmt::Debug for dyn Chooser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chooser").field("device_notes", &self.device_notes()).finish_non_exhaustive()
    }
}

/// Chooses on the CPU, one trajectory per task of the current rayon pool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CpuChooser;

impl Chooser for CpuChooser {
    fn choose(&mut self, rules: &TabuContext, trajectories: &[Trajectory], step: u64) -> Choices {
        let began = Instant::now();
        let look = |trajectory: &Trajectory| {
            let began = Instant::now();
            let (choice, evaluating) = pulp::Arch::new().dispatch(ChooseBest { trajectory, rules, step });
            (choice, evaluating, began.elapsed())
        };
        let looked: Vec<(Choice, Duration, Duration)> = trajectories.par_iter().map(look).collect();
        let evaluating: Duration = looked.iter().map(|look| look.1).sum();
        let whole: Duration = looked.iter().map(|look| look.2).sum();
        let wall = began.elapsed().as_secs_f64();
        // The wall-clock time is divided in proportion to the threads' times.
        let share = evaluating.as_secs_f64() / whole.as_secs_f64().max(1e-12);
        let chosen = looked.into_iter().map(|look| look.0).collect();
        Choices { chosen, evaluation: wall * share, rest: wall * (1.0 - share) }
    }
}

/// Aggregated tabu search; chooses on the CPU unless another backend is set.
#[derive(Debug)]
pub struct TabuSearch {
    rules: TabuContext,
    objectives: Objectives,
    trajectories: Vec<Trajectory>,
    chooser: Box<dyn Chooser>,
    threads: Arc<rayon::ThreadPool>,
    step: u64,
    evaluations: u64,
    found: FrontArchive,
    shares: Shares,
}

impl TabuSearch {
    /// Before the first step; automatic values in `parameters` must be resolved.
    pub fn new(
        instance: &Instance, objectives: &Objectives, parameters: &TabuParameters, seed: u64,
        threads: Arc<rayon::ThreadPool>,
    ) -> Self {
        let shop = Shop::new(instance);
        let philox = Philox::new(seed);
        let (extent, starts) = Extent::new(instance, &shop, objectives);
        let mut found = FrontArchive::new(*objectives, extent);
        let weights = lattice(objectives.count(), parameters.divisions.max(1));
        let trajectories = weights.iter().enumerate().map(|(number, weights)| {
            let sum = WeightedSum::new(instance, objectives, &extent, weights);
            let order = if parameters.start == TabuStart::Random {
                random_order(philox, 0, number as u32, shop.jobs)
            } else {
                // The start order with the least sum; the first among equals.
                starts.iter().min_by_key(|order| sum.cost(&shop.values(order))).cloned().unwrap_or_default()
            };
            Trajectory::new(&shop, number as u32, sum, order)
        });
        let trajectories: Vec<Trajectory> = trajectories.collect();
        for trajectory in &trajectories {
            found.offer(objectives.select(&trajectory.values), || trajectory.order.as_slice().into());
        }
        let rules = TabuContext {
            shop,
            philox,
            neighbourhood: Neighbourhood::named(&parameters.neighbourhood),
            tenure: parameters.tenure,
            aspiration: parameters.aspiration,
            control: Control::new(),
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

    /// Sets the handle that pauses and cancels a step.
    pub(crate) fn with_control(mut self, control: Control) -> Self {
        self.rules.control = control;
        self
    }

    /// Replaces the backend by one created for the same instance and parameters.
    pub fn with_chooser(self, chooser: Box<dyn Chooser>) -> Self {
        Self { chooser, ..self }
    }

    /// Number of trajectories.
    pub fn trajectories(&self) -> usize {
        self.trajectories.len()
    }

    /// Performs a step, unless it is cancelled while neighbours are evaluated.
    fn step(&mut self) {
        let Self { rules, trajectories, chooser, step, shares, evaluations, .. } = &mut *self;
        let choices = chooser.choose(rules, trajectories, *step);
        if rules.control.is_over() {
            return;
        }
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
        self.found.note_improvement(self.step, self.evaluations);
    }
}

impl Epochs for TabuSearch {
    type Solution = Front;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let (threads, control) = (Arc::clone(&self.threads), self.rules.control.clone());
        threads.install(|| run_steps(steps, &control, || self.step()))
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
        Ok(front_snapshot(self.step, evaluations, front, digest))
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.found.improvements()
    }

    fn device_notes(&self) -> Vec<DeviceNote> {
        self.chooser.device_notes().to_vec()
    }
}

impl FrontSearch for TabuSearch {
    fn shares(&self) -> Shares {
        self.shares
    }
}
