//! One solve from settings to result: search, check.

mod algorithm;
pub mod batch;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use gridwright_kernels::systolic::Tuning;
use serde::{Deserialize, Serialize};

use super::check::{self, Worth, check};
use super::{Instance, Kind, Search, cuda};
use crate::backend::{self, Backend};
use crate::replay::{self, ReplayReport};
use crate::result::{FORMAT, InstanceReference, RunResult, SO_THE_CPU, Solution, Verdict};
use crate::search::driver::{self, Plan};
use crate::search::{Budget, Control, Progress, Stop};
use crate::{Error, Result, numbers};

pub use super::state::{Found, Frame};
pub use algorithm::{Algorithm, GridParameters, ITERATIONS};

/// Everything that a run depends on beside the instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// What searches, and how.
    pub algorithm: Algorithm,
    /// `auto`, `cpu` or `cuda:N`.
    pub backend: String,
    /// Threads of the CPU; 0: all.
    pub threads: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// When to stop. A run ends after the iterations of its algorithm at the latest; where these are left open, a budget of steps
    /// is their number, and otherwise there is one for each cell.
    pub stop: Stop,
}

/// What an observer is told through.
///
/// Costs fall as solutions get better: they are the negative fitness, in millionths for the deceptive problem, and
/// what is minimised for the next release; [`Kind::fitness`] turns them into what people read.
pub type Observer<'a> = dyn FnMut(&Progress<Found>) + 'a;

/// Children of an epoch, roughly, and epochs of a whole run, at least: points of the curve. On the CPU some 40 ms.
const ON_CPU: (u64, u64) = (1 << 19, 64);

/// The same on a device, where a snapshot takes longer than what is computed between two.
const ON_DEVICE: (u64, u64) = (1 << 27, 16);

/// Solves an instance.
///
/// The observer is told after every epoch, in the calling thread. A failure inside the search does not lose what was found: it
/// ends the run with [`crate::search::StopReason::Failed`]. The result names the instance as its own source; a caller who knows
/// the file puts it there.
///
/// # Errors
/// [`Error::Usage`] where the settings cannot be used, [`Error::Device`] where the backend is not there.
pub fn solve(
    instance: &Instance,
    settings: &Settings,
    control: &Control,
    observer: &mut Observer<'_>,
) -> Result<RunResult> {
    let (steps, seconds) = match settings.stop.budget {
        Budget::Steps(steps) => (Some(steps.min(u64::from(u32::MAX) - 1)), None),
        Budget::Seconds(seconds) => (None, Some(seconds)),
    };
    let algorithm = settings.algorithm.clone().resolved(steps.unwrap_or(instance.cells() as u64));
    let run = Run::new(instance, settings.seed, &settings.backend, settings.threads, control);
    let started = run.start(&algorithm)?;
    let epoch = epoch(instance, &algorithm, if started.device.is_some() { ON_DEVICE } else { ON_CPU });
    let Stop { target, stall, .. } = settings.stop;
    let plan = Plan { steps, epoch, legs: Vec::new(), seconds, target, stall };
    Ok(run.walk(started, &algorithm, &plan, seconds, observer))
}

/// Runs a result again, as far as it went, and compares the digest of every epoch.
///
/// # Errors
/// As [`solve`]; [`Error::Usage`] where the result belongs to another instance or was cancelled here.
pub fn replay(
    instance: &Instance,
    result: &RunResult,
    backend: &str,
    threads: usize,
    control: &Control,
    observer: &mut Observer<'_>,
) -> Result<ReplayReport> {
    let began = Instant::now();
    replay::check_data(result, &instance.name, &instance.hash)?;
    let mut algorithm = Algorithm::named(&result.algorithm)?;
    algorithm.take_values(&result.parameters)?;
    let run = Run::new(instance, result.seed, backend, threads, control);
    let again = run.walk(run.start(&algorithm)?, &algorithm, &replay::plan_of(result), None, observer);
    replay::check_whole(control)?;
    Ok(ReplayReport::of(result, &again, began.elapsed().as_secs_f64()))
}

/// Iterations of an epoch, by the size of the instance and the algorithm alone.
fn epoch(instance: &Instance, algorithm: &Algorithm, (most_children, epochs): (u64, u64)) -> u32 {
    // A child of a genetic algorithm is copied and drawn for; a random solution is made from nothing.
    let weight = match algorithm {
        Algorithm::Grid(..) => 1,
        Algorithm::Generational(_) | Algorithm::Elitist(_) => 8,
        Algorithm::Random(_) => 32,
    };
    let children = 2 * weight * instance.cells() as u64;
    let at_most = (algorithm.iterations() / epochs).max(1);
    (most_children / children.max(1)).clamp(1, at_most).min(u64::from(u32::MAX)) as u32
}

/// How a cost reads: the fitness, without decimals where there are none.
pub fn cost_text(instance: &Instance, cost: f64) -> String {
    let fitness = instance.kind.fitness(cost);
    match instance.kind {
        Kind::Knapsack { .. } | Kind::OneMax { .. } => {
            let text = numbers::grouped(fitness.abs() as u64);
            if fitness < 0.0 { format!("−{text}") } else { text }
        }
        Kind::Deceptive { .. } => format!("{fitness:.6}"),
        Kind::NextRelease { .. } => format!("{cost:.6}"),
    }
}

/// What the checker says of a string of bits, as results hold it; `reported` is what the search said that it costs.
pub fn verdict(instance: &Instance, bits: &[bool], reported: f64) -> Verdict {
    let checked: check::Verdict = check(instance, bits);
    let cost = checked.cost();
    let mut cost_display = cost_text(instance, cost);
    if let (Worth::NextRelease { cost, value, .. }, Kind::NextRelease { value_scale, .. }) =
        (checked.worth, &instance.kind)
    {
        let value = match value_scale {
            0 | 1 => numbers::grouped(value),
            scale => format!("{:.2}", value as f64 / *scale as f64),
        };
        cost_display = format!("{cost_display} (cost {}, value {value})", numbers::grouped(cost));
    }
    Verdict {
        feasible: checked.feasible,
        cost,
        cost_display,
        confirmed: reported == cost,
        violations: checked.violations,
    }
}

/// One `0` or `1` for each bit.
pub fn bit_string(bits: &[bool]) -> String {
    bits.iter().map(|&bit| if bit { '1' } else { '0' }).collect()
}

/// A run on its way.
struct Run<'a> {
    instance: &'a Instance,
    seed: u64,
    backend: &'a str,
    threads: usize,
    control: &'a Control,
    began: Instant,
}

/// A search before its first iteration.
struct Started {
    search: Box<dyn Search>,
    /// The device that it runs on, unless that is the CPU.
    device: Option<String>,
    /// Threads of the CPU.
    threads: usize,
    notes: Vec<String>,
}

impl<'a> Run<'a> {
    fn new(instance: &'a Instance, seed: u64, backend: &'a str, threads: usize, control: &'a Control) -> Self {
        Self { instance, seed, backend, threads, control, began: Instant::now() }
    }

    /// Starts the search where it was asked for; `auto` takes a device, if there is one that can hold it.
    fn start(&self, algorithm: &Algorithm) -> Result<Started> {
        let pool = backend::thread_pool(self.threads)?;
        let threads = pool.current_num_threads();
        let backend = Backend::named(self.backend)?;
        let (asked, mut notes) = (matches!(backend, Backend::Cuda(_)), Vec::new());
        if let Some(machine) = backend.open()? {
            let name = machine.device().name.clone();
            let (algorithm, seed, threads_of_cpu) = (algorithm.clone(), self.seed, Some(Arc::clone(&pool)));
            let start = cuda::Start { algorithm, seed, threads: threads_of_cpu, machine, tuning: Tuning::default() };
            match start.search(self.instance) {
                Ok(search) => return Ok(Started { search, device: Some(name), threads, notes }),
                Err(error @ Error::Usage(_)) => return Err(error),
                Err(error) if asked => return Err(error),
                Err(error) => notes.push(format!("{error}{SO_THE_CPU}")),
            }
        }
        let search = algorithm.search(self.instance, self.seed, Some(pool))?;
        Ok(Started { search, device: None, threads, notes })
    }

    fn walk(
        &self,
        started: Started,
        algorithm: &Algorithm,
        plan: &Plan,
        time_limit: Option<f64>,
        observer: &mut Observer<'_>,
    ) -> RunResult {
        let Started { mut search, device, threads, mut notes } = started;
        let mut outcome = driver::run(&mut search, plan, self.control, self.began.elapsed(), observer);
        let last = outcome.last.take();
        let bits = last.as_ref().map(|last| last.best.bits.clone()).unwrap_or_default();
        let reported = last.as_ref().map_or(f64::NAN, |last| last.best_cost);
        let verdict = verdict(self.instance, &bits, reported);
        notes.extend(search.notes());
        if let Some(since) = last.as_ref().map(|last| last.best.since) {
            notes.push(format!("found in iteration {} of {}", since, algorithm.iterations()));
        }
        RunResult {
            format: FORMAT,
            program: format!("gridwright {}", env!("CARGO_PKG_VERSION")),
            problem: "systolic".to_owned(),
            instance: InstanceReference {
                name: self.instance.name.clone(),
                source: self.instance.name.clone(),
                hash: self.instance.hash.clone(),
                options: BTreeMap::new(),
            },
            algorithm: algorithm.name().to_owned(),
            parameters: algorithm.values(),
            seed: self.seed,
            backend: if device.is_some() { "cuda" } else { "cpu" }.to_owned(),
            device: device.unwrap_or_else(|| format!("CPU, {}", backend::vector_unit())),
            threads,
            plan: plan.clone(),
            time_limit,
            stop_reason: outcome.stop_reason,
            finished_at: chrono::Utc::now().timestamp(),
            seconds: outcome.seconds,
            generations: last.as_ref().map_or(0, |last| last.step),
            evaluations: last.as_ref().map_or(0, |last| last.evaluations),
            curve: outcome.curve,
            digests: outcome.digests.iter().map(|digest| format!("{digest:016x}")).collect(),
            solution: Solution::Bits(bit_string(&bits)),
            verdict,
            notes,
            demands: None,
            front: None,
        }
    }
}

#[cfg(test)]
mod tests;
