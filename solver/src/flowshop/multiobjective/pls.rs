//! Pareto local search, with or without the two phases before it: see [`super`].

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use crate::Result;
use crate::flowshop::Instance;
use crate::random::Philox;
use crate::search::cooling::AcceptanceTable;
use crate::search::{Epochs, Snapshot, digest_bytes};

use super::FrontSearch;
use super::descent::{Descent, Rules, looks};
use super::draws::{DESCENT, Draws, MEMBER, random_order};
use super::exploration::{Admission, Neighbourhood};
use super::explorer::{CpuExplorer, Explorer, Findings, Foresight, Member};
use super::front::{Found, Front, Shares, digest_order};
use super::objectives::Objectives;
use super::parameters::ParetoParameters;
use super::phases::{Climb, Climber, Phases};
use super::pool::Pool;
use super::weights::{Extent, lattice};

/// Jobs that a further descent takes out of a member.
const KICKED: usize = 4;

/// When phases end, where seconds decide.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// When the run began.
    pub began: Instant,
    /// How long it may take.
    pub seconds: f64,
}

/// How what was found and the archive that is explored go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// Each has to be offered what comes.
    None,
    /// Both hold the same: as long as nothing is left out of one of them, it is enough to offer it to the pool.
    Same,
    /// They would, had what was found been offered what has come to the pool.
    Pool,
}

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Ends,
    Weights,
    Explore,
}

/// Pareto local search. What explores neighbourhoods is the CPU, unless something else is given.
#[derive(Debug)]
pub struct ParetoSearch {
    rules: Rules,
    objectives: Objectives,
    neighbourhood: Neighbourhood,
    explorer: Box<dyn Explorer>,
    parameters: ParetoParameters,
    limit: Option<Limit>,
    threads: Arc<rayon::ThreadPool>,
    step: u64,
    evaluations: u64,
    /// The archive that is explored.
    pool: Pool,
    /// Everything that was found, but for what the pool is ahead.
    found: Found,
    lead: Lead,
    phases: Phases,
    begun: Option<Stage>,
    shares: Shares,
    /// What of it was spent here since a device began what it computes in the background.
    outside: Shares,
}

impl ParetoSearch {
    /// Before the first step; what is automatic in `parameters` was resolved, but for the steps of phases where a limit
    /// decides.
    pub fn new(
        instance: &Instance,
        objectives: &Objectives,
        parameters: &ParetoParameters,
        seed: u64,
        limit: Option<Limit>,
        threads: Arc<rayon::ThreadPool>,
    ) -> Self {
        let shop = super::evaluation::Shop::new(instance);
        let (extent, starts) = Extent::new(instance, &shop, objectives);
        let sums = lattice(objectives.count(), parameters.divisions.max(1)).len();
        let side_by_side = sums.max(parameters.kicks());
        let looks = looks(shop.jobs, shop.machines, side_by_side);
        let rules = Rules { shop, philox: Philox::new(seed), acceptance: AcceptanceTable::default(), looks };
        let size = (parameters.chains, parameters.divisions);
        let neighbourhood = Neighbourhood::named(&parameters.neighbourhood);
        let explorer = CpuExplorer {
            shop: rules.shop.clone(),
            objectives: *objectives,
            neighbourhood,
            admission: Admission::named(&parameters.admission),
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
            found: Found::new(*objectives, extent),
            lead: Lead::None,
            phases,
            begun: None,
            shares: Shares::default(),
            outside: Shares::default(),
        };
        let random = parameters.start == "random";
        let first = if random { vec![random_order(search.rules.philox, 0, 0, search.rules.shop.jobs)] } else { starts };
        first.iter().for_each(|order| search.offer(order));
        search
    }

    /// The same with something else that explores neighbourhoods, of the same instance by the same parameters.
    pub fn exploring_with(self, explorer: Box<dyn Explorer>) -> Self {
        Self { explorer, ..self }
    }

    /// The parameters, with the steps of phases as they were.
    pub fn parameters(&self) -> ParetoParameters {
        let mut parameters = self.parameters.clone();
        if parameters.has_phases() {
            // A phase that was on its way is as long as it got.
            let ends = &mut parameters.end_steps;
            *ends = if *ends == 0 { self.step.max(1) } else { *ends };
            let left = self.step.saturating_sub(*ends).max(1);
            let weights = &mut parameters.weight_steps;
            *weights = if *weights == 0 { left } else { *weights };
        }
        parameters
    }

    /// Shows an order to what was found.
    fn offer(&mut self, order: &[u16]) {
        let point = self.objectives.select(&self.rules.shop.values(order));
        self.found.offer(point, || Arc::from(order));
    }

    /// What the next step does. Where seconds decide, a phase ends here, and its length is kept.
    fn stage(&mut self) -> Stage {
        let parameters = &mut self.parameters;
        if !parameters.has_phases() {
            return Stage::Explore;
        }
        let late =
            |share: f64| self.limit.is_some_and(|limit| limit.began.elapsed().as_secs_f64() >= share * limit.seconds);
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
    }

    fn begin(&mut self, stage: Stage) {
        match stage {
            Stage::Ends => {}
            Stage::Weights => {
                let Self { phases, found, rules, .. } = self;
                for climber in &mut phases.inner {
                    if let Climber::Descent(descent) = climber {
                        let orders = found.archive().items().iter();
                        let cost = |order: &&Arc<[u16]>| descent.sum().cost(&rules.shop.values(order));
                        // Of equally good ones the first.
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
                self.lead = Lead::Same;
            }
        }
    }

    /// A step of all chains of a phase.
    fn climb(&mut self, ends: bool) {
        let Self { phases, rules, step, .. } = self;
        let mut climbers = std::mem::take(if ends { &mut phases.ends } else { &mut phases.inner });
        let (chain_rules, step) = (phases.chain_rules(), *step);
        let before: u64 = climbers.iter().map(Climber::evaluations).sum();
        let climb = |climber: &mut Climber| pulp::Arch::new().dispatch(Climb { climber, rules, chain_rules, step });
        climbers.par_iter_mut().for_each(climb);
        self.evaluations += climbers.iter().map(Climber::evaluations).sum::<u64>() - before;
        climbers.iter().for_each(|climber| self.offer(climber.order()));
        *if ends { &mut self.phases.ends } else { &mut self.phases.inner } = climbers;
    }

    /// The members that this step explores; none where further descents have to find some.
    fn pick(&mut self) -> Vec<Member> {
        if !self.parameters.has_phases() && !self.pool.has_unexplored() {
            // Restart from an order by chance.
            self.catch_up();
            let order = random_order(self.rules.philox, self.step, 0, self.rules.shop.jobs);
            let point = self.objectives.select(&self.rules.shop.values(&order));
            self.offer(&order);
            self.pool.clear();
            self.pool.offer(point, || order.into());
            // The first order is all that was found.
            self.lead = if self.found.archive().points() == [point] { Lead::Same } else { Lead::None };
        }
        let mut draws = Draws::new(self.rules.philox, self.step, 0, MEMBER);
        self.pool.pick(self.parameters.members.max(1) as usize, &mut draws)
    }

    /// Explores members and offers what is left of their neighbourhoods to the archive, in order; the seconds that were counted.
    fn explore(&mut self, picked: &[Member]) -> f64 {
        let findings = self.explorer.explore(picked, &|| self.pool.upcoming(), self.pool.known());
        self.pool.was_seen();
        self.evaluations += self.neighbourhood.size(self.rules.shop.jobs) * picked.len() as u64;
        self.share_out(&findings);
        let began = Instant::now();
        for part in &findings.left {
            let order = &picked[part.member].order;
            let before = self.pool.known().entries;
            self.pool.offer_all(part.known, order, &part.left);
            match self.lead {
                Lead::None => self.pool.since(before).for_each(|(point, order)| {
                    self.found.offer(point, || order);
                }),
                Lead::Same | Lead::Pool => self.lead = Lead::Pool,
            }
        }
        let seconds = began.elapsed().as_secs_f64();
        self.shares.archiving += seconds;
        self.outside.archiving += seconds;
        findings.evaluation + findings.archiving + seconds
    }

    /// Counts the seconds of an exploration. What the host did while a device evaluated in the background counts as evaluation: without
    /// it nothing would have been done earlier.
    fn share_out(&mut self, findings: &Findings) {
        let Self { shares, outside, .. } = self;
        shares.evaluation += findings.evaluation;
        shares.archiving += findings.archiving;
        if findings.background > 0.0 {
            let all = outside.total();
            let hidden = findings.background.min(all);
            shares.evaluation += hidden;
            shares.archiving -= hidden * outside.archiving / all.max(1e-12);
            shares.rest -= hidden * outside.rest / all.max(1e-12);
            *outside = Shares::default();
        }
        outside.archiving += findings.archiving;
    }

    /// What was found gets what the pool is ahead.
    fn catch_up(&mut self) {
        if self.lead == Lead::Pool {
            let neighbourhood = self.neighbourhood;
            self.found.mirror(self.pool.archive(), |member| Arc::clone(member.order(neighbourhood)));
            self.lead = Lead::Same;
        }
    }

    /// Further descents from members by chance, on sums by chance: what the archive takes is explored next.
    fn kick(&mut self) {
        self.catch_up();
        let Self { phases, found, rules, step, .. } = &*self;
        let descend = |member: u32| {
            let mut draws = Draws::new(rules.philox, *step, member, DESCENT);
            let archive = found.archive();
            let order = &archive.items()[draws.below(archive.len())];
            let manner = Phases::kick(phases.sums[draws.below(phases.sums.len())], KICKED);
            let descent = Box::new(Descent::new(&rules.shop, member, manner, order));
            let mut climber = Climber::Descent(descent);
            let chain_rules = phases.chain_rules();
            pulp::Arch::new().dispatch(Climb { climber: &mut climber, rules, chain_rules, step: *step });
            climber
        };
        let climbers: Vec<Climber> = (0..self.parameters.kicks() as u32).into_par_iter().map(descend).collect();
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
        let threads = Arc::clone(&self.threads);
        threads.install(|| (0..steps).for_each(|_| self.step()));
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Front>> {
        self.catch_up();
        let front = self.found.front(self.evaluations);
        let mut digest = self.found.digest(digest_bytes(self.step, &[]));
        for (point, member) in self.pool.archive().iter() {
            digest = digest_order(digest ^ u64::from(member.explored), point, member.order(self.neighbourhood));
        }
        for climber in self.phases.ends.iter().chain(&self.phases.inner) {
            digest = crate::search::digest_words(digest, climber.order());
        }
        let cost = front.missing as f64;
        Ok(Snapshot {
            step: self.step,
            evaluations: self.evaluations,
            best: front,
            best_cost: cost,
            mean: cost,
            worst: cost,
            digest,
            share: None,
        })
    }
}

impl FrontSearch for ParetoSearch {
    fn shares(&self) -> Shares {
        self.shares
    }

    fn notes(&self) -> Vec<String> {
        self.explorer.notes().to_vec()
    }

    fn foresight(&self) -> Option<Foresight> {
        self.explorer.foresight()
    }
}
