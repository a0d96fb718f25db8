//! Runs of iterated greedy: where they compute, and what is resolved there.

use std::sync::Arc;
use std::time::Duration;

use gridwright_kernels::greedy::Tuning;
use gridwright_kernels::{CudaMachine, SharedCuda};

use super::{Algorithm, Ended, Observer, Run, Settings, steps_of};
use crate::backend::Backend;
use crate::flowshop::beam::{self, Beams, Shop};
use crate::flowshop::check::check;
use crate::flowshop::greedy::beginning::{AfterBeams, Chains};
use crate::flowshop::greedy::cpu::CpuGreedy;
use crate::flowshop::greedy::cuda::{self, CudaGreedy};
use crate::flowshop::greedy::population::Begin;
use crate::flowshop::greedy::{IteratedGreedyParameters, Start};
use crate::flowshop::insertion::Problem;
use crate::flowshop::multiobjective::Goal;
use crate::flowshop::neh::neh;
use crate::flowshop::{Objective, Order};
use crate::result::{Demands, RunResult, SO_THE_CPU, Verdict};
use crate::search::driver::{self, Plan};
use crate::search::{Budget, Outcome, Stop, StopReason};
use crate::{Error, Result, numbers};

/// Chains where the person does not say under a budget of steps.
const CHAINS: u32 = 4;

/// The width of a beam that is asked for without one, under a budget of steps.
const WIDTH: u32 = 1_024;

/// Memory that a beam may take.
const MEMORY: u64 = 8 << 30;

/// The share of a time limit that beams may take.
const SHARE: f64 = 0.5;

/// Beams for the flow time are worth their time from so many jobs on: below, chains that begin with them end higher than those that
/// begin with NEH and have all the time.
const WORTH_A_BEAM: usize = 100;

/// Under `auto` the CPU does what has fewer jobs: it is done before a device is ready.
pub(super) const WORTH_A_DEVICE: usize = 20;

/// A device that computes.
struct Device {
    /// As for `--backend`.
    id: String,
    name: String,
    machine: SharedCuda,
}

/// What is searched, and how, with everything resolved.
struct Task<'a> {
    algorithm: &'a Algorithm,
    /// An order of all jobs to begin with.
    start: Option<&'a [u16]>,
    plan: &'a Plan,
    /// As the result says it.
    time_limit: Option<f64>,
    /// How long beams may take, where the clock decides how wide they get.
    beams_within: Option<Duration>,
}

fn only_for_fronts() -> Error {
    Error::Usage("this algorithm looks for a front of several objectives".to_owned())
}

impl Run<'_> {
    /// Searches where that is worth it and can be done, with what the person left open resolved for it.
    pub(super) fn improve(
        &self,
        settings: &Settings,
        start: Option<&[u16]>,
        observer: &mut Observer<'_>,
    ) -> Result<RunResult> {
        let algorithm = &settings.algorithm;
        self.wherever(algorithm, |device| self.improve_on(algorithm, start, &settings.stop, device, observer))
    }

    /// The same with everything known.
    pub(super) fn improve_again(
        &self,
        algorithm: &Algorithm,
        start: Option<&[u16]>,
        plan: &Plan,
        observer: &mut Observer<'_>,
    ) -> Result<RunResult> {
        let task = Task { algorithm, start, plan, time_limit: None, beams_within: None };
        self.wherever(algorithm, |device| self.walk(&task, device, observer))
    }

    /// Does something on the device that was asked for; where none was asked for by name and the one that is there cannot do it, on
    /// the CPU, with a note.
    fn wherever(
        &self,
        algorithm: &Algorithm,
        mut work: impl FnMut(Option<&Device>) -> Result<RunResult>,
    ) -> Result<RunResult> {
        let Some(device) = self.device(algorithm)? else { return work(None) };
        match work(Some(&device)) {
            Err(Error::Device(why)) if self.backend == Backend::Auto => {
                let mut result = work(None)?;
                result.notes.insert(0, format!("{}: {why}{SO_THE_CPU}", device.name));
                Ok(result)
            }
            done => done,
        }
    }

    /// The device to compute on; `None`: the CPU.
    ///
    /// # Errors
    /// [`Error::Device`] where one is asked for that is not there.
    fn device(&self, algorithm: &Algorithm) -> Result<Option<Device>> {
        let small = self.instance.job_count() < WORTH_A_DEVICE;
        if !matches!(algorithm, Algorithm::IteratedGreedy(_)) || (self.backend == Backend::Auto && small) {
            return Ok(None);
        }
        let describe = |machine: CudaMachine| Device {
            id: format!("cuda:{}", machine.device().ordinal),
            name: machine.device().name.clone(),
            machine: SharedCuda::new(machine),
        };
        Ok(self.backend.open()?.map(describe))
    }

    /// Resolves what the person left open, for what computes, and searches.
    fn improve_on(
        &self,
        algorithm: &Algorithm,
        start: Option<&[u16]>,
        stop: &Stop,
        device: Option<&Device>,
        observer: &mut Observer<'_>,
    ) -> Result<RunResult> {
        let mut algorithm = algorithm.clone();
        let (Algorithm::IteratedGreedy(parameters), Goal::One(objective)) = (&mut algorithm, self.goal) else {
            return Err(only_for_fronts());
        };
        *parameters = parameters.resolved(self.instance, objective);
        if let Some(device) = device {
            cuda::resolve(&mut device.machine.clone(), self.instance, objective, parameters)?;
        } else if parameters.chains == 0 {
            let by_steps = steps_of(stop).is_some();
            parameters.chains = if by_steps { CHAINS } else { self.threads.current_num_threads() as u32 };
        }
        let beams_within = self.resolve_start(parameters, objective, start, stop)?;
        let chains = parameters.chains;
        let (mut plan, time_limit) = self.plan(&algorithm, stop);
        if device.is_some() {
            plan.epoch = cuda::epoch(self.instance, objective, chains);
        }
        let task = Task { algorithm: &algorithm, start, plan: &plan, time_limit, beams_within };
        self.walk(&task, device, observer)
    }

    /// Decides whether there are beams, and how wide they may get; for how long, where that is left to the clock.
    ///
    /// # Errors
    /// [`Error::Usage`] where beams are asked for that there cannot be.
    fn resolve_start(
        &self,
        parameters: &mut IteratedGreedyParameters,
        objective: Objective,
        start: Option<&[u16]>,
        stop: &Stop,
    ) -> Result<Option<Duration>> {
        let seconds = match stop.budget {
            Budget::Seconds(seconds) => Some(seconds),
            Budget::Steps(_) => None,
        };
        let shop = match start {
            None => Shop::of(self.instance, objective),
            Some(_) => Err("there is an order to begin with already".to_owned()),
        };
        let wanted = match parameters.start {
            Start::Automatic => {
                let is_worth = objective != Objective::FlowTime || self.instance.job_count() >= WORTH_A_BEAM;
                seconds.is_some() && shop.is_ok() && is_worth
            }
            Start::Neh => false,
            Start::Beam => true,
        };
        if !wanted {
            (parameters.start, parameters.width) = (Start::Neh, 0);
            return Ok(None);
        }
        let shop = shop.map_err(|why| Error::Usage(format!("{why}; choose start=neh")))?;
        let by_clock = seconds.filter(|_| parameters.width == 0);
        parameters.start = Start::Beam;
        if parameters.width == 0 {
            parameters.width = if by_clock.is_some() { beam::widest(&shop) } else { WIDTH };
        }
        let (width, needed) = (parameters.width, beam::bytes(&shop, parameters.width));
        if needed > MEMORY {
            let (needed, limit) = (numbers::grouped(needed >> 20), numbers::grouped(MEMORY >> 20));
            return Err(Error::Usage(format!(
                "a beam of {width} partial orders would take {needed} MiB, more than {limit}; choose a smaller width"
            )));
        }
        Ok(by_clock.map(|seconds| Duration::try_from_secs_f64(SHARE * seconds).unwrap_or(Duration::MAX)))
    }

    /// The beams that the chains begin with the best order of.
    fn beams(&self, parameters: &IteratedGreedyParameters, objective: Objective, task: &Task<'_>) -> Option<Beams> {
        if parameters.start != Start::Beam || task.start.is_some() {
            return None;
        }
        let (order, cost) = neh(&Problem::new(self.instance, objective));
        let shop = Shop::of(self.instance, objective).ok()?;
        let beams = Beams::new(shop, parameters.width, order, cost, Arc::clone(&self.threads));
        Some(match task.beams_within {
            Some(limit) => beams.within(limit),
            None => beams,
        })
    }

    /// Searches with everything resolved, checks, and writes everything down.
    fn walk(&self, task: &Task<'_>, device: Option<&Device>, observer: &mut Observer<'_>) -> Result<RunResult> {
        let (Algorithm::IteratedGreedy(parameters), Goal::One(objective)) = (task.algorithm, self.goal) else {
            return Err(only_for_fronts());
        };
        let Walked { mut outcome, widest, notes } = self.greedy(parameters, objective, task, device, observer)?;
        let algorithm = &Algorithm::IteratedGreedy(IteratedGreedyParameters { width: widest, ..parameters.clone() });
        let &Task { start, plan, time_limit, .. } = task;
        let (order, generations, evaluations, reported) = match outcome.last.take() {
            Some(last) => (last.best.0.clone(), last.step, last.evaluations, last.best_cost),
            None => (Vec::new(), 0, 0, 0.0),
        };
        let checked = check(self.instance, &order);
        let cost = checked.value(objective).unwrap_or_default();
        let verdict = Verdict {
            feasible: checked.feasible,
            cost: cost as f64,
            cost_display: numbers::grouped(cost),
            confirmed: reported == cost as f64,
            violations: checked.violations,
        };
        let front = None;
        let ended = Ended { algorithm, plan, time_limit, generations, evaluations, order, verdict, front, notes };
        let mut result = self.result(ended, outcome);
        if let Some(Device { id, name, .. }) = device {
            (result.backend, result.device) = (id.clone(), name.clone());
        }
        result.demands = start.map(|start| Demands::FlowShop { start: self.names(start) });
        Ok(result)
    }

    /// Lets iterated greedy run where it is wanted.
    fn greedy(
        &self,
        parameters: &IteratedGreedyParameters,
        objective: Objective,
        task: &Task<'_>,
        device: Option<&Device>,
        observer: &mut Observer<'_>,
    ) -> Result<Walked> {
        let (instance, threads, beams) =
            (self.instance, Arc::clone(&self.threads), self.beams(parameters, objective, task));
        let Some(device) = device else {
            let chains = CpuGreedy::new(instance, objective, parameters, task.start, self.seed, threads);
            let walked = self.drive(&mut AfterBeams::new(beams, chains), task.plan, observer);
            return Ok(walked);
        };
        let (machine, tuning) = (device.machine.clone(), Tuning::default());
        let begin = Begin { instance, objective, parameters, start: task.start, seed: self.seed };
        let mut search = AfterBeams::new(beams, CudaGreedy::new(&begin, threads, machine, tuning)?);
        let walked = self.drive(&mut search, task.plan, observer);
        Ok(Walked { notes: search.chains().notes().to_vec(), ..walked })
    }

    /// Lets it run as planned, or until nothing is left to be found.
    fn drive<C: Chains>(&self, search: &mut AfterBeams<C>, plan: &Plan, observer: &mut Observer<'_>) -> Walked {
        let mut outcome = driver::run(search, plan, self.control, self.began.elapsed(), observer);
        if search.is_proven() && outcome.stop_reason == StopReason::Budget {
            outcome.stop_reason = StopReason::Proven;
        }
        Walked { outcome, widest: search.widest(), notes: Vec::new() }
    }
}

/// What a walk leaves.
struct Walked {
    outcome: Outcome<Order>,
    /// The widest beam; 0: there was none.
    widest: u32,
    /// What a person should know of the device.
    notes: Vec<String>,
}
