//! Runs of iterated greedy: where they compute, and what is resolved there.

use std::sync::Arc;

use gridwright_kernels::greedy::Tuning;
use gridwright_kernels::{CudaMachine, SharedCuda};

use super::{Algorithm, Ended, Observer, Run, Settings, steps_of};
use crate::backend::Backend;
use crate::flowshop::check::check;
use crate::flowshop::greedy::IteratedGreedyParameters;
use crate::flowshop::greedy::cpu::CpuGreedy;
use crate::flowshop::greedy::cuda::{self, CudaGreedy};
use crate::flowshop::greedy::population::Begin;
use crate::flowshop::multiobjective::Goal;
use crate::flowshop::{Objective, Order};
use crate::result::{Demands, RunResult, SO_THE_CPU, Verdict};
use crate::search::driver::{self, Plan};
use crate::search::{Outcome, Stop};
use crate::{Error, Result, numbers};

/// Chains where the person does not say under a budget of steps.
const CHAINS: u32 = 4;

/// Under `auto` the CPU does what has fewer jobs: it is done before a device is ready.
pub(super) const WORTH_A_DEVICE: usize = 20;

/// A device that computes.
struct Device {
    /// As for `--backend`.
    id: String,
    name: String,
    machine: SharedCuda,
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
        self.wherever(algorithm, |device| self.walk(algorithm, start, plan, None, device, observer))
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
        *parameters = parameters.resolved(objective);
        if let Some(device) = device {
            cuda::resolve(&mut device.machine.clone(), self.instance, objective, parameters)?;
        } else if parameters.chains == 0 {
            let by_steps = steps_of(stop).is_some();
            parameters.chains = if by_steps { CHAINS } else { self.threads.current_num_threads() as u32 };
        }
        let chains = parameters.chains;
        let (mut plan, seconds) = self.plan(&algorithm, stop);
        if device.is_some() {
            plan.epoch = cuda::epoch(self.instance, objective, chains);
        }
        self.walk(&algorithm, start, &plan, seconds, device, observer)
    }

    /// Searches with everything resolved, checks, and writes everything down.
    fn walk(
        &self,
        algorithm: &Algorithm,
        start: Option<&[u16]>,
        plan: &Plan,
        time_limit: Option<f64>,
        device: Option<&Device>,
        observer: &mut Observer<'_>,
    ) -> Result<RunResult> {
        let (Algorithm::IteratedGreedy(parameters), Goal::One(objective)) = (algorithm, self.goal) else {
            return Err(only_for_fronts());
        };
        let (mut outcome, notes) = self.greedy(parameters, objective, start, plan, device, observer)?;
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

    /// Lets iterated greedy run where it is wanted; what a person should know of the device.
    fn greedy(
        &self,
        parameters: &IteratedGreedyParameters,
        objective: Objective,
        start: Option<&[u16]>,
        plan: &Plan,
        device: Option<&Device>,
        observer: &mut Observer<'_>,
    ) -> Result<(Outcome<Order>, Vec<String>)> {
        let (instance, threads) = (self.instance, Arc::clone(&self.threads));
        let Some(device) = device else {
            let mut search = CpuGreedy::new(instance, objective, parameters, start, self.seed, threads);
            return Ok((driver::run(&mut search, plan, self.control, self.began.elapsed(), observer), Vec::new()));
        };
        let (machine, tuning) = (device.machine.clone(), Tuning::default());
        let begin = Begin { instance, objective, parameters, start, seed: self.seed };
        let mut search = CudaGreedy::new(&begin, threads, machine, tuning)?;
        let outcome = driver::run(&mut search, plan, self.control, self.began.elapsed(), observer);
        Ok((outcome, search.notes().to_vec()))
    }
}
