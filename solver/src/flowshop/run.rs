//! One solve from settings to result: search, check.

mod algorithm;
mod front;
mod greedy;
mod memory;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::check::check;
use super::multiobjective::exploration::Neighbourhood;
use super::multiobjective::weights::lattice;
use super::multiobjective::{Front, Goal};
use super::{Instance, Objective, Order};
use crate::backend::{self, Backend};
use crate::replay::{self, ReplayReport};
use crate::result::{Demands, FORMAT, InstanceReference, RunResult, Solution, StoredFront, Verdict};
use crate::search::driver::Plan;
use crate::search::{Budget, Control, Outcome, Progress, Stop};
use crate::{Error, Result};

pub use algorithm::Algorithm;
pub use memory::memory_need;

/// Everything that a run depends on beside the instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// What searches, and how.
    pub algorithm: Algorithm,
    /// What is to be minimised: an objective, or several at once.
    pub objective: Goal,
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

/// What an observer of a search for a front is told through.
pub type FrontObserver<'a> = dyn FnMut(&Progress<Front>) + 'a;

/// Operations of a schedule that an epoch computes, roughly: some 40 ms.
const EPOCH_OPERATIONS: u64 = 1 << 25;

/// Rounds of local search that a step does, roughly.
const ROUNDS: u64 = 6;

/// Solves an instance.
///
/// The observer is told after every epoch, in the calling thread; of a front it is told the member that is the best compromise
/// ([`solve_front`] tells the whole). A failure inside the search does not lose what was found: it ends the run with
/// [`crate::search::StopReason::Failed`]. The result names the instance as its own source; a caller who knows the file puts it
/// there.
///
/// # Errors
/// [`Error::Usage`] where the settings cannot be used, [`Error::Device`] where the backend is not there.
pub fn solve(
    instance: &Instance,
    settings: &Settings,
    control: &Control,
    observer: &mut Observer<'_>,
) -> Result<RunResult> {
    if let Goal::Front(_) = settings.objective {
        return solve_front(instance, settings, control, &mut |progress| observer(&compromise(progress)));
    }
    improve(instance, settings, None, control, observer)
}

/// As [`solve`] for one objective, beginning with an order of all jobs where one is given. The result says with which.
///
/// # Errors
/// As [`solve`]; [`Error::Usage`] where the order is not one of all jobs, or several objectives are to be minimised.
pub fn improve(
    instance: &Instance,
    settings: &Settings,
    start: Option<&[u16]>,
    control: &Control,
    observer: &mut Observer<'_>,
) -> Result<RunResult> {
    if let Some(violation) = start.and_then(|start| check(instance, start).violations.into_iter().next()) {
        let text = violation.text;
        return Err(Error::Usage(format!("the order to begin with is not one of all jobs: {text}")));
    }
    settings.algorithm.check(settings.objective)?;
    let run = Run::new(instance, settings.objective, settings.seed, &settings.backend, settings.threads, control)?;
    run.improve(settings, start, observer)
}

/// As [`solve`] for several objectives; the observer is told of the whole front.
///
/// # Errors
/// As [`solve`]; [`Error::Usage`] where one objective is to be minimised.
pub fn solve_front(
    instance: &Instance,
    settings: &Settings,
    control: &Control,
    observer: &mut FrontObserver<'_>,
) -> Result<RunResult> {
    let Goal::Front(objectives) = settings.objective else {
        let objective = settings.objective;
        return Err(Error::Usage(format!(
            "{objective} is one objective; a front needs several, as in makespan,flowtime"
        )));
    };
    settings.algorithm.check(settings.objective)?;
    let run = Run::new(instance, settings.objective, settings.seed, &settings.backend, settings.threads, control)?;
    let mut algorithm = settings.algorithm.clone();
    let steps = steps_of(&settings.stop);
    match &mut algorithm {
        Algorithm::ParetoLocalSearch(parameters) => {
            parameters.resolve(objectives.count(), instance.job_count(), instance.machine_count());
            if let Some(steps) = steps.filter(|_| parameters.has_phases()) {
                let half = ((steps as f64 * parameters.greedy / 2.0) as u64).max(1);
                for phase in [&mut parameters.end_steps, &mut parameters.weight_steps] {
                    *phase = if *phase == 0 { half } else { *phase };
                }
            }
        }
        Algorithm::Tabu(parameters) => parameters.resolve(objectives.count(), instance.job_count()),
        Algorithm::IteratedGreedy(_) => {}
    }
    let (plan, seconds) = run.plan(&algorithm, &settings.stop);
    run.walk_front(&objectives, &algorithm, &plan, seconds, observer)
}

/// The number of steps that was asked for.
fn steps_of(stop: &Stop) -> Option<u64> {
    match stop.budget {
        Budget::Steps(steps) => Some(steps),
        Budget::Seconds(_) => None,
    }
}

/// Progress of the one order that stands for a front.
fn compromise(progress: &Progress<Front>) -> Progress<Order> {
    progress.map(|front| Order(front.compromise().map(|order| order.to_vec()).unwrap_or_default()))
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
    let goal = goal_of(result)?;
    let run = Run::new(instance, goal, result.seed, backend, threads, control)?;
    let mut algorithm = Algorithm::named(&result.algorithm)?;
    algorithm.check(goal)?;
    algorithm.take_values(&result.parameters)?;
    let plan = replay::plan_of(result);
    let again = match goal {
        Goal::One(_) => run.improve_again(&algorithm, start_of(instance, result)?.as_deref(), &plan, observer)?,
        Goal::Front(objectives) => {
            run.walk_front(&objectives, &algorithm, &plan, None, &mut |progress| observer(&compromise(progress)))?
        }
    };
    replay::check_whole(control)?;
    let mut report = ReplayReport::of(result, &again, began.elapsed().as_secs_f64());
    report.cost_equal &= again.front == result.front;
    Ok(report)
}

/// The order that a result says it began with.
fn start_of(instance: &Instance, result: &RunResult) -> Result<Option<Vec<u16>>> {
    let Some(Demands::FlowShop { start }) = &result.demands else { return Ok(None) };
    let place = |name: &String| instance.jobs.iter().position(|job| job.name == *name).map(|place| place as u16);
    let order: Option<Vec<u16>> = start.iter().map(place).collect();
    match order.filter(|order| check(instance, order).feasible) {
        Some(order) => Ok(Some(order)),
        None => {
            let name = &instance.name;
            let what = format!("the result began with an order that is none of all jobs of {name}; use the original");
            Err(Error::Usage(what))
        }
    }
}

/// What a result was to minimise.
///
/// # Errors
/// [`Error::Usage`] where it names an objective that there is not.
pub fn goal_of(result: &RunResult) -> Result<Goal> {
    result.instance.options.get("objective").map_or(Ok(Goal::One(Objective::Makespan)), |name| name.parse())
}

/// A run on its way.
struct Run<'a> {
    instance: &'a Instance,
    goal: Goal,
    seed: u64,
    backend: Backend,
    threads: Arc<rayon::ThreadPool>,
    control: &'a Control,
    began: Instant,
}

/// What is written down at the end, whatever was searched.
struct Ended<'a> {
    algorithm: &'a Algorithm,
    plan: &'a Plan,
    time_limit: Option<f64>,
    generations: u64,
    evaluations: u64,
    order: Vec<u16>,
    verdict: Verdict,
    front: Option<StoredFront>,
    notes: Vec<String>,
}

impl<'a> Run<'a> {
    fn new(
        instance: &'a Instance,
        goal: Goal,
        seed: u64,
        backend: &str,
        threads: usize,
        control: &'a Control,
    ) -> Result<Self> {
        let began = Instant::now();
        match goal {
            Goal::One(objective) if objective.needs_due_dates() && !instance.has_due_dates() => {
                let name = &instance.name;
                return Err(Error::Usage(format!("{name}: its jobs have no due dates; choose makespan or flow time")));
            }
            Goal::One(_) => {}
            Goal::Front(objectives) => objectives.check(instance)?,
        }
        let backend = Backend::named(backend)?;
        Ok(Self { instance, goal, seed, backend, threads: backend::thread_pool(threads)?, control, began })
    }

    /// How a run with these settings proceeds, and its time limit.
    fn plan(&self, algorithm: &Algorithm, stop: &Stop) -> (Plan, Option<f64>) {
        let (steps, seconds) = match stop.budget {
            Budget::Steps(steps) => (Some(steps), None),
            Budget::Seconds(seconds) => (None, Some(seconds)),
        };
        let &Stop { target, stall, .. } = stop;
        (Plan { steps, epoch: self.epoch(algorithm), legs: Vec::new(), seconds, target, stall }, seconds)
    }

    /// Steps of an epoch, by the size of the instance and the parameters alone.
    fn epoch(&self, algorithm: &Algorithm) -> u32 {
        let (jobs, machines) = (self.instance.job_count() as u64, self.instance.machine_count() as u64);
        let round = jobs * jobs * machines;
        let step = match algorithm {
            Algorithm::IteratedGreedy(_) => {
                let again = if self.goal == Goal::One(Objective::Makespan) { 3 } else { jobs / 16 + 1 };
                round * again * ROUNDS
            }
            Algorithm::ParetoLocalSearch(parameters) => {
                // The step of a phase, which does more than one of the exploration.
                let sums = lattice(self.objectives(), parameters.divisions.max(1)).len() as u64;
                let descents = if parameters.has_phases() { sums * ROUNDS } else { 0 };
                round * (jobs / 16 + 1) * descents.max(parameters.members.into())
            }
            Algorithm::Tabu(parameters) => {
                let sums = lattice(self.objectives(), parameters.divisions.max(1)).len() as u64;
                let size = Neighbourhood::named(&parameters.neighbourhood).size(self.instance.job_count());
                size * (jobs / 16 + 1) * machines * sums
            }
        };
        (EPOCH_OPERATIONS / step.max(1)).clamp(1, 4_096) as u32
    }

    fn objectives(&self) -> usize {
        match self.goal {
            Goal::One(_) => 1,
            Goal::Front(objectives) => objectives.count(),
        }
    }

    fn names(&self, order: &[u16]) -> Vec<String> {
        order.iter().map(|&job| self.instance.jobs[usize::from(job)].name.clone()).collect()
    }

    /// Writes everything down.
    fn result<S>(&self, ended: Ended<'_>, outcome: Outcome<S>) -> RunResult {
        let Ended { algorithm, plan, time_limit, generations, evaluations, order, verdict, front, notes } = ended;
        RunResult {
            format: FORMAT,
            program: format!("gridwright {}", env!("CARGO_PKG_VERSION")),
            problem: "flowshop".to_owned(),
            instance: InstanceReference {
                name: self.instance.name.clone(),
                source: self.instance.name.clone(),
                hash: self.instance.hash.clone(),
                options: BTreeMap::from([("objective".to_owned(), self.goal.to_string())]),
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
            solution: Solution::Order(self.names(&order)),
            verdict,
            notes,
            demands: None,
            front,
        }
    }
}
