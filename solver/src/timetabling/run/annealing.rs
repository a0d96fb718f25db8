//! Annealing from settings to what was found: first timetables, plan, walk, on the CPU or on a device.

use std::sync::Arc;

use gridwright_kernels::SharedCuda;
use gridwright_kernels::annealing::Tuning;

use super::{Algorithm, Found, Observer, Run};
use crate::backend::{Available, Backend, OpenDevice};
use crate::random::Philox;
use crate::result::SO_THE_CPU;
use crate::search::driver::Plan;
use crate::search::{Budget, Epochs, Outcome, Progress, Snapshot, Stop, StopReason, digest_words};
use crate::timetabling::Timetable;
use crate::timetabling::annealing::board::Cell;
use crate::timetabling::annealing::cpu::CpuAnnealing;
use crate::timetabling::annealing::cuda::{self, DeviceAnnealing};
use crate::timetabling::annealing::legs::Legs;
use crate::timetabling::annealing::{self, AnnealingParameters, CHAINS, Pacing, Planned, Schedule, Trial, Walker};
use crate::timetabling::construction::construct;
use crate::{Error, Result};

/// Ejections per exam after which an attempt to construct a timetable is given up, beside a fixed number.
const EJECTIONS_PER_EXAM: usize = 50;
const EJECTIONS: usize = 20_000;

/// Repairs of a timetable to stay close to that compete to be the first timetables.
const REPAIRS: u32 = 32;

/// Attempts to find a first feasible timetable.
const ATTEMPTS: u32 = 32;

/// A run under a time limit that was planned in steps is cut at this multiple of the limit.
const OVERTIME: f64 = 1.05;

/// Chains beyond this many begin with the same timetables again: the start temperature forgets them.
const FIRST_TIMETABLES: u32 = 64;

/// First timetables: conflict-free for every chain, or the best partial one and how many attempts were made.
enum Starts {
    Feasible(Vec<Timetable>),
    Partial(Timetable, u32),
}

/// Annealing on the CPU or on a device.
enum Search<C> {
    Cpu(Box<CpuAnnealing<C>>),
    Device(Box<DeviceAnnealing<C, SharedCuda>>),
}

impl<C: Cell> Search<C> {
    fn legs(&self) -> &[u64] {
        match self {
            Self::Cpu(search) => search.legs(),
            Self::Device(search) => search.legs(),
        }
    }

    fn notes(&self) -> &[String] {
        match self {
            Self::Cpu(_) => &[],
            Self::Device(search) => search.notes(),
        }
    }
}

impl<C: Cell> Epochs for Search<C> {
    type Solution = Timetable;

    fn advance(&mut self, steps: u32) -> Result<()> {
        match self {
            Self::Cpu(search) => search.advance(steps),
            Self::Device(search) => search.advance(steps),
        }
    }

    fn snapshot(&mut self) -> Result<Snapshot<Timetable>> {
        match self {
            Self::Cpu(search) => search.snapshot(),
            Self::Device(search) => search.snapshot(),
        }
    }
}

impl Run<'_> {
    pub(super) fn anneal(
        &self,
        parameters: &AnnealingParameters,
        stop: &Stop,
        observer: &mut Observer<'_>,
    ) -> Result<Found> {
        if self.fits_small_cells() {
            self.anneal_somewhere::<i16>(parameters, stop, observer)
        } else {
            self.anneal_somewhere::<i32>(parameters, stop, observer)
        }
    }

    pub(super) fn anneal_again(
        &self,
        parameters: &AnnealingParameters,
        plan: &Plan,
        observer: &mut Observer<'_>,
    ) -> Result<Found> {
        if self.fits_small_cells() {
            self.repeat::<i16>(parameters, plan, observer)
        } else {
            self.repeat::<i32>(parameters, plan, observer)
        }
    }

    fn fits_small_cells(&self) -> bool {
        self.model.largest() <= <i16 as Cell>::MAX
    }

    fn anneal_somewhere<C: Cell>(
        &self,
        parameters: &AnnealingParameters,
        stop: &Stop,
        observer: &mut Observer<'_>,
    ) -> Result<Found> {
        let limit = match stop.budget {
            Budget::Seconds(seconds) => Some(seconds),
            Budget::Steps(_) => None,
        };
        let late = || {
            let over = limit.is_some_and(|seconds| self.began.elapsed().as_secs_f64() > seconds);
            over || self.control.is_cancelled()
        };
        let first = match self.starts(1, self.attempts(), &late) {
            Starts::Feasible(starts) => starts,
            Starts::Partial(partial, attempts) => return Ok(self.infeasible(parameters, partial, attempts, observer)),
        };
        if self.is_trivial() {
            return Ok(self.trivial(parameters, &first[0], observer));
        }
        let starts = &|chains| self.starts_or(chains, &first[0]);
        self.wherever(|device| {
            let mut trial = |legs: Legs, starts: &[Timetable]| {
                let search = self.search::<C>(legs, starts, device)?;
                Ok(Box::new(search) as Trial)
            };
            let (chains, more, chains_by_steps) = match device {
                None => (self.threads.current_num_threads() as u32, true, CHAINS),
                Some(device) => {
                    let at_once = cuda::capacity(&self.model, parameters, &mut device.machine.clone())?;
                    (at_once, false, at_once)
                }
            };
            let mut walker = Walker { chains, more, chains_by_steps, trial: &mut trial };
            let planned =
                annealing::plan::<C>(&self.model, parameters, stop.budget, self.seed, &mut walker, starts, self.began);
            let plan = Plan {
                steps: None,
                epoch: planned.epoch,
                legs: Vec::new(),
                seconds: limit.map(|seconds| seconds * OVERTIME),
                target: stop.target,
                stall: stop.stall,
            };
            self.walk::<C>(planned, plan, device, observer)
        })
    }

    fn repeat<C: Cell>(
        &self,
        parameters: &AnnealingParameters,
        plan: &Plan,
        observer: &mut Observer<'_>,
    ) -> Result<Found> {
        // A run without legs ended before the search: its generations are attempts to construct.
        let without_search = plan.legs.is_empty();
        let attempts =
            plan.steps.filter(|&steps| without_search && steps > 0).map_or(self.attempts(), |steps| steps as u32);
        let first = match self.starts(1, attempts, &|| self.control.is_cancelled()) {
            Starts::Feasible(starts) => starts,
            Starts::Partial(partial, attempts) => return Ok(self.infeasible(parameters, partial, attempts, observer)),
        };
        if self.is_trivial() {
            return Ok(self.trivial(parameters, &first[0], observer));
        }
        self.wherever(|device| {
            let planned = Planned {
                parameters: parameters.clone(),
                schedule: Arc::new(Schedule::new(&self.model, parameters)),
                pacing: Pacing::Known(plan.legs.clone()),
                epoch: plan.epoch,
                starts: self.starts_or(parameters.chains, &first[0]),
            };
            self.walk::<C>(planned, plan.clone(), device, observer)
        })
    }

    /// Does something on the device that was asked for; where none was asked for by name and the one that is there
    /// cannot do it, on the CPU, with a note.
    fn wherever(&self, mut work: impl FnMut(Option<&OpenDevice>) -> Result<Found>) -> Result<Found> {
        let Available { device, left_alone } = self.device()?;
        let Some(device) = device else {
            let mut found = work(None)?;
            found.notes.extend(left_alone);
            return Ok(found);
        };
        match work(Some(&device)) {
            Err(Error::Device(why)) if self.backend == Backend::Auto => {
                let mut found = work(None)?;
                found.notes.insert(0, format!("{}: {why}{SO_THE_CPU}", device.name));
                Ok(found)
            }
            done => done,
        }
    }

    fn search<C: Cell>(&self, legs: Legs, starts: &[Timetable], device: Option<&OpenDevice>) -> Result<Search<C>> {
        let threads = Arc::clone(&self.threads);
        let Some(device) = device else {
            let search = CpuAnnealing::new(legs, &self.model, starts, self.seed, threads);
            return Ok(Search::Cpu(Box::new(search)));
        };
        // What a search before has reserved is not needed any more.
        device.machine.clear();
        let (machine, tuning) = (device.machine.clone(), Tuning::default());
        let search = DeviceAnnealing::new(legs, &self.model, starts, self.seed, threads, machine, tuning)?;
        Ok(Search::Device(Box::new(search)))
    }

    fn walk<C: Cell>(
        &self,
        planned: Planned,
        mut plan: Plan,
        device: Option<&OpenDevice>,
        observer: &mut Observer<'_>,
    ) -> Result<Found> {
        let Planned { parameters, schedule, pacing, starts, .. } = planned;
        let mut search = self.search::<C>(Legs::new(schedule, pacing), &starts, device)?;
        let mut outcome = self.drive(&self.model, &mut search, &plan, observer);
        if plan.seconds.is_some() && outcome.stop_reason == StopReason::Budget {
            // The clock meted out the steps: what a person asked for was time.
            outcome.stop_reason = StopReason::TimeLimit;
        }
        plan.legs = search.legs().to_vec();
        plan.steps = Some(plan.legs.iter().sum());
        let device = device.map(|device| (device.id.clone(), device.name.clone()));
        let notes = search.notes().to_vec();
        Ok(Found { device, notes, ..Found::on_cpu(Algorithm::Annealing(parameters), plan, outcome) })
    }

    /// Attempts to construct a first timetable: one is enough to show what contradicts itself.
    fn attempts(&self) -> u32 {
        if self.impossible { 1 } else { ATTEMPTS }
    }

    /// Nothing can be improved where nothing conflicts and no move has a price, or where there is only one period.
    fn is_trivial(&self) -> bool {
        (self.model.conflicts.pairs() == 0 && !self.model.has_prices()) || self.instance.period_count() == 1
    }

    /// One conflict-free timetable per chain; where a chain finds none, `first`.
    fn starts_or(&self, chains: u32, first: &Timetable) -> Vec<Timetable> {
        // Where there is a timetable to stay close to, the repairs that disturb it least are begun with.
        let different = chains.min(FIRST_TIMETABLES);
        let built = if self.model.has_prices() { different.max(REPAIRS) } else { different };
        let mut starts = match self.starts(built, built, &|| false) {
            Starts::Feasible(starts) if starts.len() == built as usize => starts,
            Starts::Feasible(_) | Starts::Partial(..) => vec![first.clone(); built as usize],
        };
        if self.model.has_prices() {
            starts.sort_by_key(|start| self.model.objective(start));
        }
        starts.truncate(different as usize);
        starts.iter().cycle().take(chains as usize).cloned().collect()
    }

    /// Constructs until `wanted` timetables are conflict-free or `attempts` have been made; missing ones are copies of
    /// the first. An attempt that the clock cuts short does not count, so that a replay makes the same ones.
    fn starts(&self, wanted: u32, attempts: u32, late: &(dyn Fn() -> bool + Sync)) -> Starts {
        use rayon::prelude::*;
        let ejections = EJECTIONS + EJECTIONS_PER_EXAM * self.instance.exam_count();
        let mut found = Vec::new();
        let mut best: Option<Timetable> = None;
        let mut made = 0;
        while made < attempts && (found.len() as u32) < wanted {
            let batch = made..attempts.min(made + wanted.max(self.threads.current_num_threads() as u32));
            let built: Vec<Timetable> = self.threads.install(|| {
                let build = |number| construct(&self.model, Philox::new(self.seed), number, ejections, late);
                batch.clone().into_par_iter().map(build).collect()
            });
            if made > 0 && late() {
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
            (None, best) => Starts::Partial(best.unwrap_or_else(|| Timetable::unplaced(self.model.nodes())), made),
        }
    }

    fn infeasible(
        &self,
        parameters: &AnnealingParameters,
        partial: Timetable,
        attempts: u32,
        observer: &mut Observer<'_>,
    ) -> Found {
        let reason = if self.control.is_cancelled() { StopReason::Cancelled } else { StopReason::NoFeasible };
        self.without_search(parameters.clone(), partial, u64::from(attempts), reason, observer)
    }

    fn trivial(&self, parameters: &AnnealingParameters, only: &Timetable, observer: &mut Observer<'_>) -> Found {
        self.without_search(parameters.clone(), only.clone(), 0, StopReason::Trivial, observer)
    }

    /// A result that construction alone gave.
    fn without_search(
        &self,
        parameters: AnnealingParameters,
        timetable: Timetable,
        attempts: u64,
        stop_reason: StopReason,
        observer: &mut Observer<'_>,
    ) -> Found {
        let digest = digest_words(attempts, &timetable.periods);
        let timetable = self.model.expand(&Arc::new(timetable));
        let cost = self.instance.objective(&timetable, timetable.cost(self.instance).proximity) as f64;
        let snapshot = Snapshot {
            step: attempts,
            evaluations: attempts,
            digest,
            best: timetable,
            best_cost: cost,
            mean: cost,
            worst: cost,
            share: Some(1.0),
        };
        let seconds = self.began.elapsed().as_secs_f64();
        observer(&Progress { snapshot: snapshot.clone(), seconds, share: 1.0 });
        let digests = vec![snapshot.digest];
        let outcome = Outcome { last: Some(snapshot), stop_reason, seconds, curve: Vec::new(), digests };
        let plan = Plan { steps: Some(attempts), epoch: 1, legs: Vec::new(), seconds: None, target: None, stall: None };
        Found::on_cpu(Algorithm::Annealing(parameters), plan, outcome)
    }
}
