//! Pareto local search, with or without the two phases before it; see [`super`].

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use crate::Instance;
use gridwright_core::Result;
use gridwright_core::backend::DeviceNote;
use gridwright_core::random::Philox;
use gridwright_core::search::cooling::AcceptanceTable;
use gridwright_core::search::{Control, Epochs, NotedImprovement, Parameters, Snapshot, Value, digest_bytes};

use super::descent::{Descent, DescentContext, looks};
use super::exploration::{Admission, Neighbourhood};
use super::explorer::{CpuExplorer, ExplorationResult, Explorer, Member, PrefetchStatistics};
use super::front::{Front, FrontArchive, Shares, digest_order, front_snapshot};
use super::objectives::Objectives;
use super::parameters::{ParetoParameters, ParetoStart};
use super::phases::{PhaseChain, PhaseStep, Phases};
use super::pool::Pool;
use super::weights::{Extent, lattice};
use super::{FrontSearch, run_steps};
use crate::draws::{DESCENT, Draws, MEMBER, random_order};

/// Jobs removed by a further descent from a member.
const KICKED: usize = 4;

/// Limit of a run from which the ends of its phases follow.
#[derive(Debug, Clone, Copy)]
pub enum PhaseLimit {
    /// Seconds since the start of the run.
    Seconds(Instant, f64),
    /// Number of evaluations.
    Evaluations(u64),
}

/// Relation between the archive of everything found and the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ArchiveSync {
    /// Independent: both archives are offered every new point.
    Independent,
    /// Equal: survivors need to be offered to the pool only.
    Equal,
    /// The pool is ahead: `found` has to be brought up to date before it is read.
    PoolAhead,
}

/// Stage of the search, which determines what a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Ends,
    Weights,
    Explore,
}

/// Pareto local search; explores on the CPU unless another backend is set.
#[derive(Debug)]
pub struct ParetoSearch {
    rules: DescentContext,
    objectives: Objectives,
    neighbourhood: Neighbourhood,
    explorer: Box<dyn Explorer>,
    parameters: ParetoParameters,
    limit: Option<PhaseLimit>,
    threads: Arc<rayon::ThreadPool>,
    step: u64,
    evaluations: u64,
    /// Archive that is explored.
    pool: Pool,
    /// Archive of everything found, up to what the pool is ahead.
    found: FrontArchive,
    sync: ArchiveSync,
    phases: Phases,
    begun: Option<Stage>,
    shares: Shares,
    /// Host seconds of `shares` since a device started its current background work.
    outside: Shares,
}

impl ParetoSearch {
    /// Before the first step. Automatic values in `parameters` must be resolved, except for the numbers of steps of
    /// phases that end by `limit`.
    pub fn new(
        instance: &Instance, objectives: &Objectives, parameters: &ParetoParameters, seed: u64,
        limit: Option<PhaseLimit>, threads: Arc<rayon::ThreadPool>,
    ) -> Self {
        let shop = super::evaluation::Shop::new(instance);
        let (extent, starts) = Extent::new(instance, &shop, objectives);
        let sums = lattice(objectives.count(), parameters.divisions.max(1)).len();
        let side_by_side = sums.max(parameters.kicks());
        let looks = looks(shop.jobs, shop.machines, side_by_side);
        let rules = DescentContext {
            shop,
            philox: Philox::new(seed),
            acceptance: AcceptanceTable::default(),
            looks,
            control: Control::new(),
        };
        let size = (parameters.chains, parameters.divisions);
        let neighbourhood = Neighbourhood::named(&parameters.neighbourhood);
        let explorer = CpuExplorer {
            shop: rules.shop.clone(),
            objectives: *objectives,
            neighbourhood,
            admission: Admission::named(&parameters.admission),
            control: Control::new(),
        };
        let phases = Phases::new(instance, &rules, objectives, &extent, &starts, size);
        let mut search = Self {
            rules,
            objectives: *objectives,
            neighbourhood,
            explorer: Box::new(explorer),
            parameters: parameters.clone(),
            limit,
            threads,
            step: 0,
            evaluations: 0,
            pool: Pool::new(neighbourhood),
            found: FrontArchive::new(*objectives, extent),
            sync: ArchiveSync::Independent,
            phases,
            begun: None,
            shares: Shares::default(),
            outside: Shares::default(),
        };
        let random = parameters.start == ParetoStart::Random;
        let first = if random { vec![random_order(search.rules.philox, 0, 0, search.rules.shop.jobs)] } else { starts };
        first.iter().for_each(|order| search.offer(order));
        search
    }

    /// Sets the handle that pauses and cancels a step, and explores on the CPU.
    pub(crate) fn with_control(mut self, control: &Control) -> Self {
        self.explorer = Box::new(CpuExplorer {
            shop: self.rules.shop.clone(),
            objectives: self.objectives,
            neighbourhood: self.neighbourhood,
            admission: Admission::named(&self.parameters.admission),
            control: control.clone(),
        });
        self.phases.set_control(control.clone());
        self.rules.control = control.clone();
        self
    }

    /// Replaces the backend by one created for the same instance and parameters.
    pub fn with_explorer(self, explorer: Box<dyn Explorer>) -> Self {
        Self { explorer, ..self }
    }

    /// Parameters, with the actual numbers of steps of the phases.
    pub fn parameters(&self) -> ParetoParameters {
        let mut parameters = self.parameters.clone();
        if parameters.has_phases() {
            // A phase in progress counts with the steps done so far.
            let ends = &mut parameters.end_steps;
            *ends = if *ends == 0 { self.step.max(1) } else { *ends };
            let left = self.step.saturating_sub(*ends).max(1);
            let weights = &mut parameters.weight_steps;
            *weights = if *weights == 0 { left } else { *weights };
        }
        parameters
    }

    /// Offers an order to the archive of everything found.
    fn offer(&mut self, order: &[u16]) {
        let point = self.objectives.select(&self.rules.shop.values(order));
        self.found.offer(point, || Arc::from(order));
    }

    /// Stage of the next step. Under a limit of seconds or evaluations, ends a phase here and fixes its number of steps.
    fn stage(&mut self) -> Stage {
        let parameters = &mut self.parameters;
        if !parameters.has_phases() {
            return Stage::Explore;
        }
        let late = |share: f64| match self.limit {
            Some(PhaseLimit::Seconds(began, seconds)) => began.elapsed().as_secs_f64() >= share * seconds,
            Some(PhaseLimit::Evaluations(count)) => self.evaluations as f64 >= share * count as f64,
            None => false,
        };
        if parameters.end_steps == 0 && self.step > 0 && late(parameters.greedy / 2.0) {
            parameters.end_steps = self.step;
        }
        let ends = parameters.end_steps;
        if ends == 0 || self.step < ends {
            return Stage::Ends;
        }
        if parameters.weight_steps == 0 && self.step > ends && late(parameters.greedy) {
            parameters.weight_steps = self.step - ends;
        }
        let weights = parameters.weight_steps;
        if weights == 0 || self.step - ends < weights { Stage::Weights } else { Stage::Explore }
    }

    fn step(&mut self) {
        let began = Instant::now();
        let stage = self.stage();
        if self.begun != Some(stage) {
            self.begin(stage);
            self.begun = Some(stage);
        }
        match stage {
            Stage::Ends | Stage::Weights => {
                self.climb(stage == Stage::Ends);
                self.shares.greedy += began.elapsed().as_secs_f64();
            }
            Stage::Explore => {
                let picked = self.pick();
                if !picked.is_empty() {
                    let counted = self.explore(&picked);
                    let rest = (began.elapsed().as_secs_f64() - counted).max(0.0);
                    self.shares.rest += rest;
                    self.outside.rest += rest;
                } else {
                    self.kick();
                    self.shares.greedy += began.elapsed().as_secs_f64();
                }
            }
        }
        self.step += 1;
        self.found.note_improvement(self.step, self.evaluations);
    }

    fn begin(&mut self, stage: Stage) {
        match stage {
            Stage::Ends => {}
            Stage::Weights => {
                let Self { phases, found, rules, .. } = self;
                for climber in &mut phases.inner {
                    if let PhaseChain::Descent(descent) = climber {
                        let orders = found.archive().items().iter();
                        let cost = |order: &&Arc<[u16]>| descent.sum().cost(&rules.shop.values(order));
                        // The first among equals.
                        if let Some(best) = orders.min_by_key(cost).cloned() {
                            descent.begin(&rules.shop, &best);
                        }
                    }
                }
            }
            Stage::Explore => {
                self.pool.clear();
                for (point, order) in self.found.archive().iter() {
                    self.pool.offer(*point, || Arc::clone(order));
                }
                self.sync = ArchiveSync::Equal;
            }
        }
    }

    /// One step of all chains of a phase.
    fn climb(&mut self, ends: bool) {
        let Self { phases, rules, step, .. } = self;
        let mut climbers = std::mem::take(if ends { &mut phases.ends } else { &mut phases.inner });
        let (chain_rules, step) = (phases.chain_rules(), *step);
        let before: u64 = climbers.iter().map(PhaseChain::evaluations).sum();
        let climb =
            |climber: &mut PhaseChain| pulp::Arch::new().dispatch(PhaseStep { climber, rules, chain_rules, step });
        climbers.par_iter_mut().for_each(climb);
        self.evaluations += climbers.iter().map(PhaseChain::evaluations).sum::<u64>() - before;
        climbers.iter().for_each(|climber| self.offer(climber.order()));
        *if ends { &mut self.phases.ends } else { &mut self.phases.inner } = climbers;
    }

    /// Members to be explored in this step; empty if further descents have to find new ones.
    fn pick(&mut self) -> Vec<Member> {
        if !self.parameters.has_phases() && !self.pool.has_unexplored() {
            // Restart from a random order.
            self.catch_up();
            let order = random_order(self.rules.philox, self.step, 0, self.rules.shop.jobs);
            let point = self.objectives.select(&self.rules.shop.values(&order));
            self.offer(&order);
            self.pool.clear();
            self.pool.offer(point, || order.into());
            // At the first restart the new order may be all that was found.
            self.sync =
                if self.found.archive().points() == [point] { ArchiveSync::Equal } else { ArchiveSync::Independent };
        }
        let mut draws = Draws::new(self.rules.philox, self.step, 0, MEMBER);
        self.pool.pick(self.parameters.members.max(1) as usize, &mut draws)
    }

    /// Explores members and offers the survivors to the archive in order; returns the seconds that were attributed to
    /// stages.
    fn explore(&mut self, picked: &[Member]) -> f64 {
        let result = self.explorer.explore(picked, &|| self.pool.upcoming(), self.pool.known());
        self.pool.mark_seen();
        self.evaluations += self.neighbourhood.size(self.rules.shop.jobs) * picked.len() as u64;
        self.attribute(&result);
        let began = Instant::now();
        for part in &result.survivors {
            let order = &picked[part.member].order;
            let before = self.pool.known().entries;
            self.pool.offer_all(part.known_entries, order, &part.neighbours);
            match self.sync {
                ArchiveSync::Independent => self.pool.since(before).for_each(|(point, order)| {
                    self.found.offer(point, || order);
                }),
                ArchiveSync::Equal | ArchiveSync::PoolAhead => {
                    self.pool.points_since(before).iter().for_each(|point| self.found.cover(point));
                    self.sync = ArchiveSync::PoolAhead;
                }
            }
        }
        let seconds = began.elapsed().as_secs_f64();
        self.shares.archiving += seconds;
        self.outside.archiving += seconds;
        result.evaluation + result.archiving + seconds
    }

    /// Attributes the seconds of an exploration to stages. Host time that passed while a device evaluated in the
    /// background counts as evaluation.
    fn attribute(&mut self, result: &ExplorationResult) {
        let Self { shares, outside, .. } = self;
        shares.evaluation += result.evaluation;
        shares.archiving += result.archiving;
        if result.background > 0.0 {
            let all = outside.total();
            let hidden = result.background.min(all);
            shares.evaluation += hidden;
            shares.archiving -= hidden * outside.archiving / all.max(1e-12);
            shares.rest -= hidden * outside.rest / all.max(1e-12);
            *outside = Shares::default();
        }
        outside.archiving += result.archiving;
    }

    /// Copies what the pool is ahead into the archive of everything found.
    fn catch_up(&mut self) {
        if self.sync == ArchiveSync::PoolAhead {
            let neighbourhood = self.neighbourhood;
            self.found.mirror(self.pool.archive(), |member| Arc::clone(member.order(neighbourhood)));
            self.sync = ArchiveSync::Equal;
        }
    }

    /// Further descents from random members on random sums; the points they add are explored next.
    fn kick(&mut self) {
        self.catch_up();
        let Self { phases, found, rules, step, .. } = &*self;
        let descend = |member: u32| {
            let mut draws = Draws::new(rules.philox, *step, member, DESCENT);
            let archive = found.archive();
            let order = &archive.items()[draws.below(archive.len())];
            let manner = Phases::kick(phases.sums[draws.below(phases.sums.len())], KICKED);
            let descent = Box::new(Descent::new(&rules.shop, member, manner, order));
            let mut climber = PhaseChain::Descent(descent);
            let chain_rules = phases.chain_rules();
            pulp::Arch::new().dispatch(PhaseStep { climber: &mut climber, rules, chain_rules, step: *step });
            climber
        };
        let climbers: Vec<PhaseChain> = (0..self.parameters.kicks() as u32).into_par_iter().map(descend).collect();
        for climber in &climbers {
            self.evaluations += climber.evaluations();
            let point = self.objectives.select(&self.rules.shop.values(climber.order()));
            let order: Arc<[u16]> = climber.order().into();
            self.found.offer(point, || Arc::clone(&order));
            self.pool.offer(point, || order);
        }
    }
}

impl Epochs for ParetoSearch {
    type Solution = Front;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let (threads, control) = (Arc::clone(&self.threads), self.rules.control.clone());
        threads.install(|| run_steps(steps, &control, || self.step()))
    }

    fn snapshot(&mut self) -> Result<Snapshot<Front>> {
        self.catch_up();
        let front = self.found.front(self.evaluations);
        let mut digest = self.found.digest(digest_bytes(self.step, &[]));
        for (point, member) in self.pool.archive().iter() {
            digest = digest_order(digest ^ u64::from(member.explored), point, member.order(self.neighbourhood));
        }
        for climber in self.phases.ends.iter().chain(&self.phases.inner) {
            digest = gridwright_core::search::digest_words(digest, climber.order());
        }
        Ok(front_snapshot(self.step, self.evaluations, front, digest))
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.found.improvements()
    }

    fn device_notes(&self) -> Vec<DeviceNote> {
        self.explorer.device_notes().to_vec()
    }

    fn decided(&self) -> BTreeMap<String, Value> {
        self.parameters().values()
    }
}

impl FrontSearch for ParetoSearch {
    fn shares(&self) -> Shares {
        self.shares
    }

    fn prefetch_statistics(&self) -> Option<PrefetchStatistics> {
        self.explorer.prefetch_statistics()
    }
}
