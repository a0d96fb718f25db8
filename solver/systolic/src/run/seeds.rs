//! Runs that differ in their seeds only, side by side on a device, with the results of single runs.
//!
//! The device computes all runs and the host keeps a snapshot of each after every epoch; then the run driver goes through the
//! snapshots of each run as if its search made them. Results therefore equal those of single runs by construction, stopping
//! criteria included, except for seconds: each run has an equal share of the time of all.

use std::time::Instant;

use super::{Algorithm, ON_DEVICE, Settings, Task, cuda, epoch};
use crate::Instance;
use crate::state::BestBits;
use gridwright_core::backend::{Backend, OpenDevice};
use gridwright_core::result::RunResult;
use gridwright_core::search::run::{self, DeviceUse, Judgement, Run, Started, Subject};
use gridwright_core::search::{
    Algorithms as _, Budget, Environment, Epochs, Improvement, NotedImprovement, Progress, SearchOutcome, Snapshot,
};
use gridwright_core::{Error, Result};

/// Largest number of snapshots of a run; a run with more is not small, and the host would have to keep too many.
const MOST_SNAPSHOTS: u64 = 512;

/// Largest number of runs whose snapshots the host keeps at a time.
const MOST_RUNS: u64 = 128;

/// Solves an instance once for each seed, in place of the seed of the settings; `observer` is called with the index of the
/// seed. `None` if the runs cannot go side by side: without a device named, without a limit of steps, with a single seed, or
/// where runs are long.
///
/// # Errors
/// As [`super::solve`]; [`Error::Device`] if the device is lost, and [`Error::Cancelled`] if the runs were cancelled: no run
/// has a result then.
pub fn solve_seeds<'a>(
    instance: &Instance, settings: &Settings, seeds: &[u64], environment: impl Into<Environment<'a>>,
    observer: &mut dyn FnMut(usize, &Progress<BestBits>),
) -> Result<Option<Vec<RunResult>>> {
    let environment = environment.into();
    let (Budget::Steps(steps), backend @ Backend::Cuda(_)) = (settings.stop.budget, Backend::named(&settings.backend)?)
    else {
        return Ok(None);
    };
    let algorithm = settings.algorithm.clone().resolved(steps);
    let epoch = epoch(instance, &algorithm, ON_DEVICE);
    let is_small = steps.div_ceil(epoch.into()) < MOST_SNAPSHOTS;
    if seeds.len() < 2 || algorithm.iterations() != steps || !is_small {
        return Ok(None);
    }
    let mut results: Vec<RunResult> = Vec::with_capacity(seeds.len());
    while let Some(rest) = seeds.get(results.len()..).filter(|rest| !rest.is_empty()) {
        let following = rest.windows(2).take_while(|pair| pair[0].checked_add(1) == Some(pair[1])).count() as u64 + 1;
        let device = backend.open_through(environment.open)?.device;
        let device = device.ok_or_else(|| Error::Device(format!("{} was not opened", settings.backend)))?;
        let (began, control) = (Instant::now(), environment.control);
        let range = [rest[0], following.min(MOST_RUNS)];
        let found = cuda::snapshots(instance, &algorithm, range, epoch, device.runtime.clone(), control)?;
        let seconds = began.elapsed().as_secs_f64() / found.len() as f64;
        for (snapshots, &seed) in found.into_iter().zip(rest) {
            let index = results.len();
            let task = Computed { task: Task { instance, algorithm: algorithm.clone() }, snapshots, epoch };
            let settings = Settings { seed, backend: "cpu".to_owned(), ..settings.clone() };
            let told = &mut |progress: &Progress<BestBits>| {
                let seconds = seconds * progress.snapshot.step as f64 / steps as f64;
                observer(index, &Progress { seconds, ..progress.clone() });
            };
            let result = run::solve(&task, &settings, environment, told)?;
            let at = |step: u64| seconds * step as f64 / steps as f64;
            let shared = |improvement: &Improvement| Improvement { seconds: at(improvement.step), ..*improvement };
            let improvements = result.improvements.iter().map(shared).collect();
            let (backend, device) = (device.id.clone(), device.name.clone());
            results.push(RunResult { seconds, backend, device, improvements, ..result });
        }
    }
    Ok(Some(results))
}

/// A run whose snapshots are known.
struct Computed<'a> {
    task: Task<'a>,
    snapshots: Vec<Snapshot<BestBits>>,
    epoch: u32,
}

impl run::Task for Computed<'_> {
    type Solution = BestBits;

    fn subject(&self) -> Subject<'_> {
        self.task.subject()
    }

    fn device_use(&self) -> DeviceUse {
        self.task.device_use()
    }

    fn start<'s>(&'s self, run: &'s Run<'_>, _: Option<&OpenDevice>) -> Result<Started<'s, BestBits>> {
        let bits = self.task.instance.bits();
        let search = Snapshots { all: &self.snapshots, now: 0, algorithm: &self.task.algorithm, bits };
        Ok(Started::new(search, run.plan(self.epoch), self.task.algorithm.values()))
    }

    fn judge(&self, outcome: &mut SearchOutcome<BestBits>) -> Result<Judgement> {
        self.task.judge(outcome)
    }
}

/// Search that goes through snapshots.
struct Snapshots<'a> {
    all: &'a [Snapshot<BestBits>],
    now: usize,
    algorithm: &'a Algorithm,
    bits: usize,
}

impl Epochs for Snapshots<'_> {
    type Solution = BestBits;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let until = self.all[self.now].step + u64::from(steps);
        self.now += 1;
        match self.all.get(self.now) {
            Some(next) if next.step == until => Ok(()),
            _ => Err(Error::Search(format!("no state is known after iteration {until}"))),
        }
    }

    fn snapshot(&mut self) -> Result<Snapshot<BestBits>> {
        Ok(self.all[self.now].clone())
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        let (now, before) = (&self.all[self.now], &self.all[self.now.saturating_sub(1)]);
        vec![cuda::noted(self.algorithm, self.bits, (now.best_cost, now.best.since), [before.step, now.step])]
    }
}
