//! Start of an annealing run: first timetables, plan, search on the CPU or on a device.

use std::ops::Range;
use std::sync::Arc;

use gridwright_kernels::annealing::Tuning;

use super::{Algorithm, Expanded, Task};
use crate::annealing::board::Cell;
use crate::annealing::cpu::CpuAnnealing;
use crate::annealing::cuda::{self, DeviceAnnealing};
use crate::annealing::stages::Stages;
use crate::annealing::{
    self, Annealed, AnnealingParameters, AnnealingPlan, BackendProfile, CHAINS, Pacing, Schedule, Trial,
};
use crate::construction::{QUESTION, construct_within};
use crate::repair::PATIENCE;
use crate::seating::{self, CpuSeating, DeviceSeating, SeatingModel};
use crate::{Instance, Timetable};
use gridwright_core::Result;
use gridwright_core::backend::OpenDevice;
use gridwright_core::random::Philox;
use gridwright_core::search::driver::Plan;
use gridwright_core::search::failover::FailoverSearch;
use gridwright_core::search::run::{OVERTIME, Run, Started};
use gridwright_core::search::{Algorithms, Budget, Epochs, Snapshot, StopReason, digest_words, room};

/// Ejections per exam after which an attempt to construct a timetable is given up, beside a fixed number.
const EJECTIONS_PER_EXAM: usize = 50;
const EJECTIONS: usize = 20_000;

/// Ejections after which an attempt to construct a timetable is given up.
pub(super) fn ejections(instance: &Instance) -> usize {
    EJECTIONS + EJECTIONS_PER_EXAM * instance.exam_count()
}

/// Repairs of a timetable to stay close to that compete to be the first timetables.
const REPAIRS: u32 = 32;
/// As many in sessions with rooms, where a repair takes longer.
const REPAIRS_WITH_ROOMS: u32 = 8;

/// Attempts to find a first feasible timetable.
pub(super) const ATTEMPTS: u32 = 32;

/// Chains beyond this many begin with the same timetables again: the start temperature forgets them.
const FIRST_TIMETABLES: u32 = 64;

/// First timetables: conflict-free for every chain, or the best partial one and the number of attempts.
enum Starts {
    Feasible(Vec<Timetable>),
    Partial(Timetable, u32),
}

/// A timetable that construction alone gave: there is nothing to search, or no feasible timetable was found.
struct Constructed {
    timetable: Arc<Timetable>,
    digest: u64,
    cost: f64,
    attempts: u64,
    reason: StopReason,
}

impl Epochs for Constructed {
    type Solution = Timetable;

    fn advance(&mut self, _steps: u32) -> Result<()> {
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Timetable>> {
        let (cost, attempts) = (self.cost, self.attempts);
        Ok(Snapshot {
            step: attempts,
            evaluations: attempts,
            digest: self.digest,
            best: Arc::clone(&self.timetable),
            best_cost: cost,
            mean: cost,
            worst: cost,
            share: Some(1.0),
        })
    }

    fn stop_reason(&self, _reason: StopReason) -> StopReason {
        self.reason.clone()
    }
}

impl Task<'_> {
    /// Constructs the first timetable; returns the finished run if none is conflict-free or nothing can be improved.
    pub(super) fn construct_first<'s>(&'s self, run: &'s Run<'_>) -> Option<Started<'s, Timetable>> {
        let recorded = run.recorded();
        if recorded.is_some_and(|plan| plan.rounds.is_some()) || (recorded.is_none() && self.is_impossible()) {
            return self.leave_out(run);
        }
        let attempts = match recorded {
            // A run without stages ended before the search: its generations are attempts to construct.
            Some(Plan { steps: Some(steps), stages, .. }) if stages.is_empty() && *steps > 0 => *steps as u32,
            _ => self.attempts(),
        };
        match self.first_of(run, attempts) {
            Starts::Partial(partial, attempts) if run.control.is_cancelled() => {
                Some(self.constructed(self.expand(&Arc::new(partial)), attempts, StopReason::Cancelled, None))
            }
            Starts::Partial(partial, attempts) if recorded.is_some() || !self.has_time_to_leave_out(run) => {
                Some(self.constructed(self.expand(&Arc::new(partial)), attempts, StopReason::NoFeasible, None))
            }
            Starts::Partial(..) => self.leave_out(run),
            Starts::Feasible(mut starts) => {
                let first = starts.swap_remove(0);
                if !self.is_trivial() {
                    let _ = self.first.set(first);
                    return None;
                }
                Some(self.constructed(self.expand(&Arc::new(first)), 0, StopReason::Trivial, None))
            }
        }
    }

    /// Finds out which exams to leave out and prepares the search for the others; returns the finished run if there is nothing to
    /// search.
    fn leave_out<'s>(&'s self, run: &'s Run<'_>) -> Option<Started<'s, Timetable>> {
        let placed = self.place_most(run);
        let (rounds, all) = (placed.rounds, self.result_of(&placed));
        let ended_here = run.recorded().is_some_and(|plan| plan.stages.is_empty());
        if run.control.is_cancelled() || ended_here {
            return Some(self.constructed(all, 0, StopReason::Cancelled, Some(rounds)));
        }
        let is_whole = all.unplaced_exams().is_empty();
        if is_whole && self.is_trivial() {
            return Some(self.constructed(all, 0, StopReason::Trivial, Some(rounds)));
        }
        // A complete timetable without rooms is improved by the search for sessions that have none.
        let first = match &self.seating {
            Some(model) if is_whole && !model.leaves_out() => Some(model.reduce(&all)),
            None if is_whole => Some(self.model.reduce(&all)),
            _ => None,
        };
        let first = match (first, self.part_of(placed)) {
            (Some(first), _) => first,
            (None, Some((part, first))) => {
                let _ = self.part.set(part);
                first
            }
            (None, None) => return Some(self.constructed(all, 0, StopReason::NoFeasible, Some(rounds))),
        };
        let _ = self.first.set(first);
        let _ = self.rounds.set(rounds);
        None
    }

    /// The run that ends with its construction.
    pub(super) fn constructed<'s>(
        &self, timetable: Arc<Timetable>, attempts: u32, reason: StopReason, rounds: Option<u64>,
    ) -> Started<'s, Timetable> {
        let attempts = u64::from(attempts);
        let digest = digest_words(attempts, &timetable.periods);
        let cost = self.instance.objective(&timetable, timetable.cost(self.instance).proximity) as f64;
        let plan = Plan { steps: Some(attempts), epoch: 1, rounds, ..Plan::default() };
        let search = Constructed { timetable, digest, cost, attempts, reason };
        Started::new(search, plan, self.algorithm.values())
    }

    pub(super) fn anneal<'s>(
        &'s self, parameters: &AnnealingParameters, run: &Run<'_>, device: Option<&OpenDevice>,
    ) -> Result<Started<'s, Timetable>> {
        let largest = self.seating().map_or(self.model.largest(), SeatingModel::largest);
        if largest <= <i16 as Cell>::MAX {
            self.anneal_with::<i16>(parameters, run, device)
        } else {
            self.anneal_with::<i32>(parameters, run, device)
        }
    }

    fn anneal_with<'s, C: Cell>(
        &'s self, parameters: &AnnealingParameters, run: &Run<'_>, device: Option<&OpenDevice>,
    ) -> Result<Started<'s, Timetable>> {
        let (planned, plan) = match run.recorded() {
            Some(plan) => (self.planned_again(parameters, run, plan), plan.clone()),
            None => {
                let planned = self.planned::<C>(parameters, run, device)?;
                // The search allots its steps; a run that was planned too long is cut.
                let seconds = run.time_limit().map(|seconds| seconds + OVERTIME.as_secs_f64());
                let rounds = self.rounds.get().copied();
                let mut plan = Plan { steps: None, seconds, rounds, ..run.plan(planned.epoch) };
                if self.seating().is_none() {
                    // Every timetable of the search is valid, and none costs less than the bound: the search ends there.
                    plan.target = Some(plan.target.map_or(self.bound(), |target| target.max(self.bound())));
                }
                (planned, plan)
            }
        };
        let AnnealingPlan { parameters, schedule, pacing, starts, .. } = planned;
        let search = self.search::<C>(Stages::new(schedule, pacing), &starts, run, device)?;
        let (expand, leaves_out) = (Box::new(|nodes: &_| self.expand(nodes)), self.part.get().is_some());
        let search = Expanded { expand, search, leaves_out };
        Ok(Started::new(search, plan, Algorithm::Annealing(parameters).values()))
    }

    /// Resolves what is automatic, for the CPU or for the device.
    fn planned<C: Cell>(
        &self, parameters: &AnnealingParameters, run: &Run<'_>, device: Option<&OpenDevice>,
    ) -> Result<AnnealingPlan> {
        let budget = run.time_limit().map_or(Budget::Steps(run.steps().unwrap_or(0)), Budget::Seconds);
        let mut trial = |stages: Stages, starts: &[Timetable]| self.search::<C>(stages, starts, run, device);
        let (chains, chains_by_steps) = match device {
            None => (run.threads.current_num_threads() as u32, CHAINS),
            Some(device) => {
                let runtime = &mut device.runtime.clone();
                let at_once = match self.seating() {
                    Some(model) => seating::cuda::capacity(model, &self.schedule(parameters), runtime)?,
                    None => cuda::capacity(&self.model, parameters, runtime)?,
                };
                (at_once, at_once)
            }
        };
        let mut backend = BackendProfile { chains, is_device: device.is_some(), chains_by_steps, trial: &mut trial };
        let starts = &|chains| self.starts_or_first(run, chains);
        let median_change = |start: &Timetable| match self.seating() {
            Some(model) => seating::median_change::<C>(model, start, run.seed),
            None => annealing::median_change::<C>(&self.model, start, run.seed),
        };
        let model = Annealed {
            cells: (self.nodes() * self.model.periods) as f64,
            highest_price: self.model.highest_price(),
            temperatures: match self.seating() {
                Some(_) => seating::temperatures(self.instance.objective.kind),
                None => annealing::TEMPERATURES,
            },
            close: if self.seating().is_some() { seating::CLOSE } else { annealing::CLOSE },
            median_change: &median_change,
            schedule: &|parameters| self.schedule(parameters),
        };
        Ok(annealing::plan(&model, parameters, budget, &mut backend, starts, run.began))
    }

    /// Plan of a run that is replayed.
    fn planned_again(&self, parameters: &AnnealingParameters, run: &Run<'_>, plan: &Plan) -> AnnealingPlan {
        AnnealingPlan {
            parameters: parameters.clone(),
            schedule: Arc::new(self.schedule(parameters)),
            pacing: Pacing::Known(plan.stages.clone()),
            epoch: plan.epoch,
            starts: self.starts_or_first(run, parameters.chains),
        }
    }

    /// Checks that the tables of all chains have room on the CPU.
    fn check_memory<C: Cell>(&self, chains: usize) -> Result<()> {
        let (exams, periods) = (self.model.nodes(), self.model.periods);
        // Cells beside the periods for windows, members of the periods as bits.
        let table = room::product([chains, exams, periods + 32, size_of::<C>()]);
        let members = room::product([chains, exams.div_ceil(8), periods, 1]);
        room::check("the chains", table + members, "choose fewer chains (chains)")
    }

    fn schedule(&self, parameters: &AnnealingParameters) -> Schedule {
        match self.seating() {
            Some(model) => model.schedule(parameters),
            None => Schedule::new(&self.model, parameters),
        }
    }

    fn search<'s, C: Cell>(
        &'s self, stages: Stages, starts: &[Timetable], run: &Run<'_>, device: Option<&OpenDevice>,
    ) -> Result<Trial<'s>> {
        let threads = Arc::clone(&run.threads);
        let (seed, control) = (run.seed, run.control.clone());
        let Some(device) = device else {
            return Ok(match self.seating() {
                Some(model) => {
                    self.check_memory::<i32>(2 * starts.len())?;
                    Box::new(CpuSeating::<C>::new(stages, model, starts, seed, threads, control))
                }
                None => {
                    self.check_memory::<C>(starts.len())?;
                    let search = CpuAnnealing::<C>::new(stages, &self.model, starts, seed, threads);
                    Box::new(search.with_control(control))
                }
            });
        };
        // What a search before has reserved is not needed any more.
        device.runtime.clear();
        let runtime = device.runtime.clone();
        Ok(match self.seating() {
            Some(model) => {
                let tuning = seating::cuda::Tuning::default();
                let search = DeviceSeating::<C, _>::new(stages, model, starts, seed, threads, runtime, tuning)?;
                Box::new(FailoverSearch::new(search, control))
            }
            None => {
                let tuning = Tuning::default();
                let search = DeviceAnnealing::<C, _>::new(stages, &self.model, starts, seed, threads, runtime, tuning)?;
                Box::new(FailoverSearch::new(search, control))
            }
        })
    }

    /// Attempts to construct a first timetable: one is enough to show what contradicts itself, unless that may be left out.
    fn attempts(&self) -> u32 {
        let leaves_out = self.seating.as_ref().is_some_and(SeatingModel::leaves_out);
        if self.impossible && !leaves_out { 1 } else { ATTEMPTS }
    }

    /// Nothing can be improved where nothing conflicts and no move has a price, or where there is only one period.
    fn is_trivial(&self) -> bool {
        if self.instance.period_count() == 1 {
            return true;
        }
        self.seating.is_none() && self.model.conflicts.pairs() == 0 && !self.model.has_prices()
    }

    /// Returns one conflict-free timetable per chain; the first timetable for a chain that finds none, and for all chains
    /// if the construction is cut short.
    fn starts_or_first(&self, run: &Run<'_>, chains: u32) -> Vec<Timetable> {
        // Where there is a timetable to stay close to, the repairs that disturb it least are begun with.
        let different = chains.min(FIRST_TIMETABLES);
        let repairs = if self.seating().is_some() { REPAIRS_WITH_ROOMS } else { REPAIRS };
        let built = if self.model.has_prices() { different.max(repairs) } else { different };
        if let (Some(_), Some(first)) = (self.rounds.get(), self.first.get()) {
            return vec![first.clone(); chains as usize];
        }
        let is_over = || !run.construction.goes_on();
        let known = self.repairs.get().filter(|known| known.len() == built as usize);
        let starts = if is_over() {
            None
        } else if let Some(known) = known {
            Some(Starts::Feasible(known.clone()))
        } else {
            Some(self.starts(run, built, 0..built, &is_over))
        };
        let mut starts = match starts {
            Some(Starts::Feasible(starts)) if !is_over() => starts,
            _ => {
                let first = self.first.get().cloned().unwrap_or_else(|| Timetable::unplaced(self.nodes()));
                vec![first; built as usize]
            }
        };
        if self.model.has_prices() {
            starts.sort_by_key(|start| self.objective(start));
            if !is_over() {
                let _ = self.repairs.set(starts.clone());
            }
        }
        starts.truncate(different as usize);
        starts.iter().cycle().take(chains as usize).cloned().collect()
    }

    /// Makes attempt `number` to construct a timetable.
    pub(super) fn attempt(&self, seed: u64, number: u32, is_over: &dyn Fn() -> bool) -> Timetable {
        let visits = if self.seating().is_some() { seating::BUDGET } else { PATIENCE };
        self.attempt_within(seed, number, visits, is_over)
    }

    /// As [`Self::attempt`]; the ejection chains of a repair visit at most so many nodes, for each exam or, with rooms, together.
    pub(super) fn attempt_within(&self, seed: u64, number: u32, visits: u32, is_over: &dyn Fn() -> bool) -> Timetable {
        let limits = (ejections(self.instance), visits);
        let philox = Philox::new(seed);
        let Some(model) = self.seating() else { return construct_within(&self.model, philox, number, limits, is_over) };
        let reference = self.instance.rules.reference.as_ref().map(|reference| model.reduce(&reference.timetable));
        let construct =
            if model.fits::<i16>() { seating::construct_within::<i16> } else { seating::construct_within::<i32> };
        construct(model, reference.as_ref(), philox, number, limits, is_over)
    }

    /// Objective of a timetable of nodes.
    fn objective(&self, start: &Timetable) -> u64 {
        match self.seating() {
            Some(model) => seating::Board::<i32>::new(model, start).cost().unsigned_abs(),
            None => self.model.objective(start),
        }
    }

    /// Makes up to `attempts` attempts at a first timetable. A unit of the construction is a question of the first
    /// attempt whether the run is over; the first attempt may so be cut short, and its partial timetable counts. It may place
    /// each exam once within the whole time limit; what comes after that leaves time to find out which exams to leave out.
    fn first_of(&self, run: &Run<'_>, attempts: u32) -> Starts {
        run.construction.begin();
        let first = self.attempt(run.seed, 0, &|| {
            let places_each = run.construction.done() * u64::from(QUESTION) <= self.nodes() as u64;
            let goes_on = match places_each {
                true => run.construction.goes_on_to_the_limit(),
                false => run.construction.goes_on(),
            };
            run.construction.finish(u64::from(goes_on));
            !goes_on
        });
        let open = first.unplaced_exams().len();
        if open == 0 {
            return Starts::Feasible(vec![first]);
        }
        if run.construction.cut().is_some() {
            return Starts::Partial(first, 0);
        }
        match self.starts(run, 1, 1..attempts, &|| !run.construction.goes_on()) {
            Starts::Partial(best, made) if best.unplaced_exams().len() >= open => Starts::Partial(first, made),
            later => later,
        }
    }

    /// Constructs until `wanted` timetables are conflict-free or all attempts have been made; missing ones are copies of
    /// the first. Attempts that are cut short do not count, so that a replay makes the same ones.
    fn starts(&self, run: &Run<'_>, wanted: u32, attempts: Range<u32>, is_over: &(dyn Fn() -> bool + Sync)) -> Starts {
        use rayon::prelude::*;
        let mut found = Vec::new();
        let mut best: Option<Timetable> = None;
        let mut made = attempts.start;
        while made < attempts.end && (found.len() as u32) < wanted {
            let batch = made..attempts.end.min(made + wanted.max(run.threads.current_num_threads() as u32));
            let built: Vec<Timetable> = run.threads.install(|| {
                batch.clone().into_par_iter().map(|number| self.attempt(run.seed, number, is_over)).collect()
            });
            if is_over() {
                break;
            }
            made = batch.end;
            for timetable in built {
                let open = timetable.unplaced_exams().len();
                if open == 0 {
                    found.push(timetable);
                } else if best.as_ref().is_none_or(|best| open < best.unplaced_exams().len()) {
                    best = Some(timetable);
                }
            }
        }
        match (found.first().cloned(), best) {
            (Some(first), _) => {
                found.resize(wanted as usize, first);
                Starts::Feasible(found)
            }
            (None, best) => Starts::Partial(best.unwrap_or_else(|| Timetable::unplaced(self.nodes())), made),
        }
    }
}
