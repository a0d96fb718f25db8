//! One solve from settings to result: search, check.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::check::check;
use super::greedy::IteratedGreedyParameters;
use super::greedy::cpu::CpuGreedy;
use super::{Instance, Objective, Order};
use crate::backend::{self, Backend};
use crate::replay::{self, ReplayReport};
use crate::result::{FORMAT, InstanceReference, RunResult, Solution, Verdict};
use crate::search::driver::{self, Plan};
use crate::search::{Budget, Control, Outcome, Parameters, Progress, Stop, Value};
use crate::{Error, Result, numbers};

/// An algorithm with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Algorithm {
    /// Iterated greedy.
    IteratedGreedy(IteratedGreedyParameters),
}

impl Default for Algorithm {
    fn default() -> Self {
        Self::IteratedGreedy(IteratedGreedyParameters::default())
    }
}

impl Algorithm {
    /// The names for `--algorithm`.
    pub const NAMES: [&str; 1] = ["greedy"];

    /// The name for `--algorithm` and result files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::IteratedGreedy(_) => "greedy",
        }
    }

    /// The algorithm of this name with its default parameters.
    ///
    /// # Errors
    /// [`Error::Usage`] that lists the names.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "greedy" => Ok(Self::default()),
            _ => Err(Error::Usage(format!(
                "there is no algorithm “{name}” for flow shops; there is {} (iterated greedy)",
                Self::NAMES.join(", ")
            ))),
        }
    }

    /// Takes parameters by name, as a result file holds them.
    fn take_values(&mut self, values: &BTreeMap<String, Value>) -> Result<()> {
        match self {
            Self::IteratedGreedy(parameters) => *parameters = IteratedGreedyParameters::from_values(values)?,
        }
        Ok(())
    }

    /// Sets one parameter from text, as in `--set name=value`.
    ///
    /// # Errors
    /// [`Error::Usage`] where there is no such parameter or the value is out of range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        match self {
            Self::IteratedGreedy(parameters) => parameters.set(name, value),
        }
    }

    /// All parameters by name, as a result file holds them.
    pub fn values(&self) -> BTreeMap<String, Value> {
        match self {
            Self::IteratedGreedy(parameters) => parameters.values(),
        }
    }
}

/// Everything that a run depends on beside the instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// What searches, and how.
    pub algorithm: Algorithm,
    /// What is to be minimised.
    pub objective: Objective,
    /// `auto`, `cpu` or `cuda:N`.
    pub backend: String,
    /// Threads of the CPU; 0: all.
    pub threads: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// When to stop.
    pub stop: Stop,
}

/// What an observer is told through.
pub type Observer<'a> = dyn FnMut(&Progress<Order>) + 'a;

/// Chains where the person does not say under a budget of steps.
const CHAINS: u32 = 4;

/// Operations of a schedule that an epoch computes, roughly: some 40 ms.
const EPOCH_OPERATIONS: u64 = 1 << 25;

/// Rounds of local search that a step does, roughly.
const ROUNDS: u64 = 6;

/// Solves an instance.
///
/// The observer is told after every epoch, in the calling thread. A failure inside the search does not lose what was found:
/// it ends the run with [`crate::search::StopReason::Failed`]. The result names the instance as its own source; a caller
/// who knows the file puts it there.
///
/// # Errors
/// [`Error::Usage`] where the settings cannot be used, [`Error::Device`] where the backend is not there.
pub fn solve(
    instance: &Instance,
    settings: &Settings,
    control: &Control,
    observer: &mut Observer<'_>,
) -> Result<RunResult> {
    let run = Run::new(instance, settings.objective, settings.seed, &settings.backend, settings.threads, control)?;
    let (steps, seconds) = match settings.stop.budget {
        Budget::Steps(steps) => (Some(steps), None),
        Budget::Seconds(seconds) => (None, Some(seconds)),
    };
    let Stop { target, stall, .. } = settings.stop;
    let plan = Plan { steps, epoch: run.epoch(), legs: Vec::new(), seconds, target, stall };
    let mut algorithm = settings.algorithm.clone();
    let Algorithm::IteratedGreedy(parameters) = &mut algorithm;
    if parameters.chains == 0 {
        parameters.chains = if steps.is_some() { CHAINS } else { run.threads.current_num_threads() as u32 };
    }
    if parameters.temperature == 0.0 {
        parameters.temperature = if settings.objective == Objective::Makespan { 0.7 } else { 20.0 };
    }
    run.walk(&algorithm, &plan, seconds, observer)
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
    let run = Run::new(instance, objective_of(result)?, result.seed, backend, threads, control)?;
    let mut algorithm = Algorithm::named(&result.algorithm)?;
    algorithm.take_values(&result.parameters)?;
    let again = run.walk(&algorithm, &replay::plan_of(result), None, observer)?;
    replay::check_whole(control)?;
    Ok(ReplayReport::of(result, &again, began.elapsed().as_secs_f64()))
}

/// What a result was to minimise.
///
/// # Errors
/// [`Error::Usage`] where it names an objective that there is not.
pub fn objective_of(result: &RunResult) -> Result<Objective> {
    result.instance.options.get("objective").map_or(Ok(Objective::Makespan), |name| name.parse())
}

/// A run on its way.
struct Run<'a> {
    instance: &'a Instance,
    objective: Objective,
    seed: u64,
    threads: Arc<rayon::ThreadPool>,
    control: &'a Control,
    began: Instant,
}

impl<'a> Run<'a> {
    fn new(
        instance: &'a Instance,
        objective: Objective,
        seed: u64,
        backend: &str,
        threads: usize,
        control: &'a Control,
    ) -> Result<Self> {
        let began = Instant::now();
        if objective.needs_due_dates() && !instance.has_due_dates() {
            let name = &instance.name;
            return Err(Error::Usage(format!("{name}: its jobs have no due dates; choose makespan or flow time")));
        }
        if let Backend::Cuda(_) = Backend::named(backend)? {
            let what = "flow shops are solved on the CPU so far; choose the CPU (--backend cpu)";
            return Err(Error::Device(what.to_owned()));
        }
        Ok(Self { instance, objective, seed, threads: backend::thread_pool(threads)?, control, began })
    }

    /// Steps of an epoch, by the size of the instance alone.
    fn epoch(&self) -> u32 {
        let (jobs, machines) = (self.instance.job_count() as u64, self.instance.machine_count() as u64);
        let round = jobs * jobs * machines;
        let again = if self.objective == Objective::Makespan { 3 } else { jobs / 16 + 1 };
        (EPOCH_OPERATIONS / (round * again * ROUNDS).max(1)).clamp(1, 4_096) as u32
    }

    fn walk(
        &self,
        algorithm: &Algorithm,
        plan: &Plan,
        time_limit: Option<f64>,
        observer: &mut Observer<'_>,
    ) -> Result<RunResult> {
        let Algorithm::IteratedGreedy(parameters) = algorithm;
        let threads = Arc::clone(&self.threads);
        let mut search = CpuGreedy::new(self.instance, self.objective, parameters, self.seed, threads);
        let outcome = driver::run(&mut search, plan, self.control, self.began.elapsed(), observer);
        Ok(self.result(algorithm, plan, outcome, time_limit))
    }

    /// Checks what was found and writes everything down.
    fn result(
        &self,
        algorithm: &Algorithm,
        plan: &Plan,
        outcome: Outcome<Order>,
        time_limit: Option<f64>,
    ) -> RunResult {
        let (order, generations, evaluations, reported) = match outcome.last {
            Some(last) => (last.best.0.clone(), last.step, last.evaluations, last.best_cost),
            None => (Vec::new(), 0, 0, 0.0),
        };
        let checked = check(self.instance, &order);
        let cost = checked.value(self.objective).unwrap_or_default();
        RunResult {
            format: FORMAT,
            program: format!("gridwright {}", env!("CARGO_PKG_VERSION")),
            problem: "flowshop".to_owned(),
            instance: InstanceReference {
                name: self.instance.name.clone(),
                source: self.instance.name.clone(),
                hash: self.instance.hash.clone(),
                options: BTreeMap::from([("objective".to_owned(), self.objective.name().to_owned())]),
            },
            algorithm: algorithm.name().to_owned(),
            parameters: algorithm.values(),
            seed: self.seed,
            backend: "cpu".to_owned(),
            device: format!("CPU, {}", backend::vector_unit()),
            threads: self.threads.current_num_threads(),
            plan: plan.clone(),
            time_limit,
            stop_reason: outcome.stop_reason,
            finished_at: chrono::Utc::now().timestamp(),
            seconds: outcome.seconds,
            generations,
            evaluations,
            curve: outcome.curve,
            digests: outcome.digests.iter().map(|digest| format!("{digest:016x}")).collect(),
            solution: Solution::Order(
                order.iter().map(|&job| self.instance.jobs[usize::from(job)].name.clone()).collect(),
            ),
            verdict: Verdict {
                feasible: checked.feasible,
                cost: cost as f64,
                cost_display: numbers::grouped(cost),
                confirmed: reported == cost as f64,
                violations: checked.violations,
            },
            notes: Vec::new(),
            demands: None,
        }
    }
}
