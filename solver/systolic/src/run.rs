//! One solve of a binary problem: start of the search, check of the result.

mod algorithm;
pub mod batch;
mod seeds;

use std::collections::BTreeMap;
use std::sync::Arc;

use gridwright_kernels::systolic::Tuning;

use super::check::{self, Violation, Worth, check};
use super::{Instance, Kind, Search, cuda, exact, stored};
use gridwright_core::backend::OpenDevice;
use gridwright_core::replay::{self, ReplayReport};
use gridwright_core::result::{RunResult, Verdict};
use gridwright_core::search::run::{self, DeviceUse, Judgement, Run, Started, Subject};
use gridwright_core::search::{Algorithms, Budget, Environment, SearchOutcome, Snapshot, StopReason};
use gridwright_core::{Result, numbers};

pub use super::rules::GridParameters;
pub use super::state::BestBits;
pub use algorithm::Algorithm;
pub use seeds::solve_seeds;

/// Everything that a run depends on beside the instance. A run ends after the iterations of its algorithm at the latest; where
/// these are left open, a budget of steps is their number, and otherwise there is one for each cell.
pub type Settings = run::Settings<Algorithm>;

/// Observer of a run; see [`run::Observer`].
///
/// Costs fall as solutions get better: they are the negative fitness, in millionths for the deceptive problem, and
/// what is minimised for the next release; [`Kind::fitness`] turns them into what people read.
type Observer<'a> = run::Observer<'a, BestBits>;

/// Children of an epoch on the CPU, roughly, and fewest epochs of a whole run (points of the curve): some 40 ms.
const ON_CPU: (u64, u64) = (1 << 19, 64);

/// Children and epochs on a device, where a snapshot takes longer than what is computed between two.
const ON_DEVICE: (u64, u64) = (1 << 27, 16);

/// Largest number of iterations of a run, as the parameter `iterations` allows.
const MOST_ITERATIONS: u64 = 1_000_000_000;

/// Solves an instance; see [`run::solve`].
///
/// # Errors
/// As [`run::solve`].
pub fn solve<'a>(
    instance: &Instance, settings: &Settings, environment: impl Into<Environment<'a>>, observer: &mut Observer<'_>,
) -> Result<RunResult> {
    let iterations = match settings.stop.budget {
        Budget::Steps(steps) => steps.min(MOST_ITERATIONS),
        // An iteration makes two solutions in each cell.
        Budget::Evaluations(count) => {
            let each = 2 * settings.algorithm.grid(instance.bits()).cells() as u64;
            count.div_ceil(each).min(MOST_ITERATIONS)
        }
        Budget::Seconds(_) => settings.algorithm.grid(instance.bits()).cells() as u64,
    };
    let task = Task { instance, algorithm: settings.algorithm.clone().resolved(iterations) };
    run::solve(&task, settings, environment.into(), observer)
}

/// Runs a result again, on `backend` with `threads` threads (0: all); see [`run::replay`].
///
/// # Errors
/// As [`run::replay`]; [`gridwright_core::Error::Usage`] if the result belongs to another instance.
pub fn replay<'a>(
    instance: &Instance, result: &RunResult, backend: &str, threads: usize, environment: impl Into<Environment<'a>>,
    observer: &mut Observer<'_>,
) -> Result<ReplayReport> {
    replay::check_data(result, &instance.name, &instance.hash)?;
    let task = Task { instance, algorithm: Algorithm::of_result(&result.algorithm, &result.parameters)? };
    run::replay(&task, result, (backend, threads), environment.into(), observer)
}

/// Iterations of an epoch, by the size of the instance and the algorithm alone.
fn epoch(instance: &Instance, algorithm: &Algorithm, (most_children, epochs): (u64, u64)) -> u32 {
    // A child of a genetic algorithm is copied and drawn for; a random solution is made from nothing.
    let weight = match algorithm {
        Algorithm::Grid(..) => 1,
        Algorithm::Generational(_) | Algorithm::Elitist(_) => 8,
        Algorithm::Random(_) => 32,
    };
    let children = 2 * weight * algorithm.grid(instance.bits()).cells() as u64;
    let at_most = (algorithm.iterations() / epochs).max(1);
    (most_children / children.max(1)).clamp(1, at_most).min(u64::from(u32::MAX)) as u32
}

/// Formats a cost as the fitness, without decimals for whole numbers.
fn cost_text(instance: &Instance, cost: f64) -> String {
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

/// Verdict of the checker on a string of bits; `reported` is the cost according to the search.
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
    Verdict::of(cost, Violation::stored(&checked.violations)).displayed(cost_display).confirmed(reported == cost)
}

/// One solve of an instance; the number of iterations is resolved.
struct Task<'a> {
    instance: &'a Instance,
    algorithm: Algorithm,
}

impl run::Task for Task<'_> {
    type Solution = BestBits;

    fn subject(&self) -> Subject<'_> {
        Subject {
            problem: "systolic",
            name: &self.instance.name,
            hash: &self.instance.hash,
            options: BTreeMap::new(),
            algorithm: self.algorithm.name(),
        }
    }

    fn device_use(&self) -> DeviceUse {
        DeviceUse::Worthwhile
    }

    fn start<'s>(&'s self, run: &'s Run<'_>, device: Option<&OpenDevice>) -> Result<Started<'s, BestBits>> {
        let Self { instance, algorithm } = self;
        let threads = Some(Arc::clone(&run.threads));
        let (mut search, size): (Box<dyn Search>, _) = match device {
            Some(device) => {
                let (algorithm, runtime) = (algorithm.clone(), device.runtime.clone());
                let start = cuda::Start { algorithm, seed: run.seed, threads, runtime, tuning: Tuning::default() };
                (start.search(instance)?, if run.evaluations().is_some() { ON_CPU } else { ON_DEVICE })
            }
            None => (algorithm.search(instance, run.seed, threads)?, ON_CPU),
        };
        search.set_control(&run.control);
        let mut plan = run.plan(epoch(instance, algorithm, size));
        if run.recorded().is_none() {
            plan.steps = Some(plan.steps.unwrap_or(u64::MAX).min(algorithm.iterations()));
        }
        Ok(Started::new(search, plan, algorithm.values()))
    }

    fn judge(&self, outcome: &mut SearchOutcome<BestBits>) -> Result<Judgement> {
        let is_end = matches!(outcome.stop_reason, StopReason::Budget | StopReason::TimeLimit);
        let judgement = judged(self.instance, outcome.last.as_ref(), self.algorithm.iterations());
        let optimum = || exact::optimum(self.instance).map(|best| check(self.instance, &best).cost());
        if is_end && judgement.verdict.feasible && optimum().is_some_and(|best| judgement.verdict.cost <= best) {
            outcome.stop_reason = StopReason::Proven;
        }
        Ok(judgement)
    }
}

/// The checker's verdict on the best bits at a moment of a run of so many iterations; `None`: before the first solution.
pub(crate) fn judged(instance: &Instance, snapshot: Option<&Snapshot<BestBits>>, iterations: u64) -> Judgement {
    let bits = snapshot.map(|last| last.best.bits.clone()).unwrap_or_default();
    let reported = snapshot.map_or(f64::NAN, |last| last.best_cost);
    let since = snapshot.map(|last| format!("found in iteration {} of {iterations}", last.best.since));
    let judgement = Judgement::new(stored::encode(&bits), verdict(instance, &bits, reported));
    Judgement { notes: Vec::from_iter(since), ..judgement }
}

#[cfg(test)]
mod tests;
