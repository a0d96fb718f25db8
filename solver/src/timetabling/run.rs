//! One solve from settings to result: plan, search, check.

mod annealing;
mod memory;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

pub use self::memory::memory_need;
use super::annealing::AnnealingParameters;
use super::check::check;
use super::contradictions::contradictions;
use super::evolution::EvolutionParameters;
use super::evolution::cpu::CpuEvolution;
use super::evolution::cuda::{DeviceEvolution, DeviceOptions};
use super::model::Model;
use super::{Instance, StoredRules, Timetable};
use crate::backend::{self, Available, Backend, OpenDevice, Opener};
use crate::replay;
pub use crate::replay::ReplayReport;
use crate::result::{Demands, FORMAT, InstanceReference, RunResult, SO_THE_CPU, Solution, Verdict, Violation};
use crate::search::driver::{self, Plan};
use crate::search::{Budget, Control, Epochs, Outcome, Parameters, Progress, Snapshot, Stop};
use crate::{Error, Result};

/// An algorithm with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Algorithm {
    /// Simulated annealing with Kempe chains.
    Annealing(AnnealingParameters),
    /// The hybrid evolutionary algorithm.
    Evolution(EvolutionParameters),
}

impl Default for Algorithm {
    fn default() -> Self {
        Self::Annealing(AnnealingParameters::default())
    }
}

impl Algorithm {
    /// The names for `--algorithm`.
    pub const NAMES: [&str; 2] = ["annealing", "evolution"];

    /// The name for `--algorithm` and result files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Annealing(_) => "annealing",
            Self::Evolution(_) => "evolution",
        }
    }

    /// The algorithm of this name with its default parameters.
    ///
    /// # Errors
    /// [`Error::Usage`] that lists the names.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "annealing" => Ok(Self::Annealing(AnnealingParameters::default())),
            "evolution" => Ok(Self::Evolution(EvolutionParameters::default())),
            _ => Err(Error::Usage(format!(
                "there is no algorithm “{name}” for timetables; there are {}",
                Self::NAMES.join(" and ")
            ))),
        }
    }
}

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
    /// When to stop.
    pub stop: Stop,
}

/// What an observer is told through.
pub type Observer<'a> = dyn FnMut(&Progress<Timetable>) + 'a;

/// Solves an instance.
///
/// The observer is told after every epoch, in the calling thread. A failure inside the search does not lose what was
/// found: it ends the run with [`crate::search::StopReason::Failed`]. The result names the instance as its own source; a caller who
/// knows the file puts it there.
///
/// # Errors
/// [`Error::Usage`] where the instance has no number of periods or the settings cannot be used,
/// [`Error::Device`] where the backend is not there.
pub fn solve(
    instance: &Instance,
    settings: &Settings,
    control: &Control,
    observer: &mut Observer<'_>,
) -> Result<RunResult> {
    solve_with(instance, settings, &backend::open_cuda, control, observer)
}

/// The same on devices that `open` opens.
///
/// # Errors
/// As [`solve`].
pub fn solve_with(
    instance: &Instance,
    settings: &Settings,
    open: &Opener<'_>,
    control: &Control,
    observer: &mut Observer<'_>,
) -> Result<RunResult> {
    let backend = Backend::named(&settings.backend)?;
    let run = Run::new(instance, settings.seed, (backend, open), settings.threads, control)?;
    let found = match &settings.algorithm {
        Algorithm::Annealing(parameters) => run.anneal(parameters, &settings.stop, observer)?,
        Algorithm::Evolution(parameters) => run.evolve(parameters, &settings.stop, observer)?,
    };
    let time_limit = match settings.stop.budget {
        Budget::Seconds(seconds) => Some(seconds),
        Budget::Steps(_) => None,
    };
    Ok(run.result(found, time_limit))
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
    replay::check_data(result, &instance.name, &instance.file_hash)?;
    let instance = &with_demands(instance, result)?;
    let backend = Backend::named(backend)?;
    let run = Run::new(instance, result.seed, (backend, &backend::open_cuda), threads, control)?;
    let mut algorithm = Algorithm::named(&result.algorithm)?;
    algorithm.take_values(&result.parameters)?;
    let plan = replay::plan_of(result);
    let found = match &algorithm {
        Algorithm::Annealing(parameters) => run.anneal_again(parameters, &plan, observer)?,
        Algorithm::Evolution(parameters) => run.evolve_as(parameters, &plan, observer)?,
    };
    replay::check_whole(control)?;
    Ok(ReplayReport::of(result, &run.result(found, None), began.elapsed().as_secs_f64()))
}

impl Algorithm {
    /// Takes parameters by name, as a result file holds them.
    fn take_values(&mut self, values: &BTreeMap<String, crate::search::Value>) -> Result<()> {
        match self {
            Self::Annealing(parameters) => *parameters = AnnealingParameters::from_values(values)?,
            Self::Evolution(parameters) => *parameters = EvolutionParameters::from_values(values)?,
        }
        Ok(())
    }

    /// Sets one parameter from text, as in `--set name=value`.
    ///
    /// # Errors
    /// [`Error::Usage`] where there is no such parameter or the value is out of range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        match self {
            Self::Annealing(parameters) => parameters.set(name, value),
            Self::Evolution(parameters) => parameters.set(name, value),
        }
    }

    /// All parameters by name, as a result file holds them.
    pub fn values(&self) -> BTreeMap<String, crate::search::Value> {
        match self {
            Self::Annealing(parameters) => parameters.values(),
            Self::Evolution(parameters) => parameters.values(),
        }
    }
}

/// What a search hands back before it is checked.
struct Found {
    algorithm: Algorithm,
    plan: Plan,
    outcome: Outcome<Timetable>,
    /// Backend and device, where it was not the CPU.
    device: Option<(String, String)>,
    /// What a person should know of the device.
    notes: Vec<String>,
}

impl Found {
    fn on_cpu(algorithm: Algorithm, plan: Plan, outcome: Outcome<Timetable>) -> Self {
        Self { algorithm, plan, outcome, device: None, notes: Vec::new() }
    }
}

/// Under `auto` the CPU does what has fewer exams: it is done before a device is ready.
const WORTH_A_DEVICE: usize = 32;

/// A run on its way.
struct Run<'a> {
    instance: &'a Instance,
    model: Model,
    /// Whether demands contradict each other, so that no search could succeed.
    impossible: bool,
    seed: u64,
    backend: Backend,
    /// Opens devices.
    open: &'a Opener<'a>,
    threads: Arc<rayon::ThreadPool>,
    control: &'a Control,
    began: Instant,
}

impl<'a> Run<'a> {
    fn new(
        instance: &'a Instance,
        seed: u64,
        (backend, open): (Backend, &'a Opener<'a>),
        threads: usize,
        control: &'a Control,
    ) -> Result<Self> {
        let began = Instant::now();
        if instance.period_count() == 0 {
            return Err(Error::Usage(format!(
                "{}: the number of periods is not in the file; give it (--periods N, at least {})",
                instance.name,
                instance.conflicts.greedy_clique().len().max(1)
            )));
        }
        let threads = backend::thread_pool(threads)?;
        let (model, impossible) = (Model::new(instance), !contradictions(instance).is_empty());
        Ok(Self { instance, model, impossible, seed, backend, open, threads, control, began })
    }

    /// Lets a search over the nodes of a model run; what the observer and the caller see are exams.
    fn drive(
        &self,
        model: &Model,
        search: &mut impl Epochs<Solution = Timetable>,
        plan: &Plan,
        observer: &mut Observer<'_>,
    ) -> Outcome<Timetable> {
        let expand =
            |snapshot: &Snapshot<Timetable>| Snapshot { best: model.expand(&snapshot.best), ..snapshot.clone() };
        let mut tell = |progress: &Progress<Timetable>| {
            observer(&Progress {
                snapshot: expand(&progress.snapshot),
                seconds: progress.seconds,
                share: progress.share,
            });
        };
        let mut outcome = driver::run(search, plan, self.control, self.began.elapsed(), &mut tell);
        outcome.last = outcome.last.as_ref().map(expand);
        outcome
    }

    /// What there is to compute on.
    fn device(&self) -> Result<Available> {
        if self.backend == Backend::Auto && self.model.nodes() < WORTH_A_DEVICE {
            return Ok(Available { device: None, left_alone: None });
        }
        self.backend.open_through(self.open)
    }

    fn evolve(&self, parameters: &EvolutionParameters, stop: &Stop, observer: &mut Observer<'_>) -> Result<Found> {
        let (steps, seconds) = match stop.budget {
            Budget::Steps(steps) => (Some(steps), None),
            Budget::Seconds(seconds) => (None, Some(seconds)),
        };
        let plan = Plan { steps, epoch: 1, legs: Vec::new(), seconds, target: stop.target, stall: stop.stall };
        self.evolve_as(parameters, &plan, observer)
    }

    fn evolve_as(&self, parameters: &EvolutionParameters, plan: &Plan, observer: &mut Observer<'_>) -> Result<Found> {
        let Available { device, left_alone } = self.device()?;
        let mut notes = Vec::from_iter(left_alone);
        let model = parameters.model(self.instance);
        if let Some(OpenDevice { id, name, machine }) = device {
            let (threads, options) = (Arc::clone(&self.threads), DeviceOptions::default());
            match DeviceEvolution::new(self.instance, parameters, self.seed, threads, machine, options) {
                Ok(mut search) => {
                    let outcome = self.drive(&model, &mut search, plan, observer);
                    let algorithm = Algorithm::Evolution(parameters.clone());
                    let (device, notes) = (Some((id, name)), search.notes().to_vec());
                    return Ok(Found { algorithm, plan: plan.clone(), outcome, device, notes });
                }
                Err(Error::Device(why)) if self.backend == Backend::Auto => {
                    notes.push(format!("{name}: {why}{SO_THE_CPU}"));
                }
                Err(error) => return Err(error),
            }
        }
        let mut search = CpuEvolution::new(self.instance, parameters, self.seed, Arc::clone(&self.threads))?;
        let outcome = self.drive(&model, &mut search, plan, observer);
        Ok(Found { notes, ..Found::on_cpu(Algorithm::Evolution(parameters.clone()), plan.clone(), outcome) })
    }

    /// Checks what was found and writes everything down.
    fn result(&self, found: Found, time_limit: Option<f64>) -> RunResult {
        let Found { algorithm, plan, outcome, device, notes: device_notes } = found;
        let (backend, device) =
            device.unwrap_or_else(|| ("cpu".to_owned(), format!("CPU, {}", backend::vector_unit())));
        let (timetable, generations, evaluations, reported) = match outcome.last {
            Some(last) => (Arc::clone(&last.best), last.step, last.evaluations, last.best_cost),
            None => (Arc::new(Timetable::unplaced(self.instance.exam_count())), 0, 0, 0.0),
        };
        let checked = check(self.instance, &timetable);
        let cost = timetable.cost(self.instance);
        // A search may weigh violations into its cost; without any, its cost is the checker's.
        let confirmed = checked.raw == cost.proximity && (!checked.feasible || reported == checked.objective as f64);
        let mut notes = if checked.feasible { Vec::new() } else { reasons(self.instance, &timetable) };
        notes.extend(device_notes);
        let solution = self.instance.exams.iter().enumerate();
        RunResult {
            format: FORMAT,
            program: format!("gridwright {}", env!("CARGO_PKG_VERSION")),
            problem: "timetabling".to_owned(),
            instance: InstanceReference {
                name: self.instance.name.clone(),
                source: self.instance.name.clone(),
                hash: self.instance.file_hash.clone(),
                options: BTreeMap::from([("periods".to_owned(), self.instance.period_count().to_string())]),
            },
            algorithm: algorithm.name().to_owned(),
            parameters: algorithm.values(),
            seed: self.seed,
            backend,
            device,
            threads: self.threads.current_num_threads(),
            plan,
            time_limit,
            stop_reason: outcome.stop_reason,
            finished_at: chrono::Utc::now().timestamp(),
            seconds: outcome.seconds,
            generations,
            evaluations,
            curve: outcome.curve,
            digests: outcome.digests.iter().map(|digest| format!("{digest:016x}")).collect(),
            solution: Solution::Timetable(
                solution.map(|(exam, data)| (data.code.clone(), timetable.period_of(exam).map(|p| p as u16))).collect(),
            ),
            verdict: Verdict {
                feasible: checked.feasible,
                cost: checked.raw as f64,
                cost_display: crate::numbers::cost(checked.shown),
                confirmed,
                violations: checked.violations,
            },
            notes,
            demands: demands(self.instance),
            front: None,
        }
    }
}

/// What is demanded of timetables of an instance, as results keep it.
pub fn demands(instance: &Instance) -> Option<Demands> {
    let stored = StoredRules::of(instance);
    (!stored.is_empty()).then_some(Demands::Timetabling(stored))
}

/// The instance with the rules and seats under which a result was found.
///
/// # Errors
/// [`Error::Usage`] where a rule names an exam that is not there.
pub fn with_demands(instance: &Instance, result: &RunResult) -> Result<Instance> {
    match &result.demands {
        Some(Demands::Timetabling(stored)) => stored.apply(instance.clone()),
        _ => StoredRules::default().apply(instance.clone()),
    }
}

/// Why a timetable is not feasible, as far as a reason is found: exams that all clash, and too few periods for them.
pub fn reasons(instance: &Instance, timetable: &Timetable) -> Vec<String> {
    const NAMED: usize = 20;
    let mut notes = contradictions(instance);
    let unplaced = timetable.unplaced_exams();
    let names = |exams: &[usize]| {
        let mut text: Vec<&str> = exams.iter().take(NAMED).map(|&exam| instance.exams[exam].code.as_str()).collect();
        let more = format!("and {} more", exams.len().saturating_sub(NAMED));
        if exams.len() > NAMED {
            text.push(&more);
        }
        text.join(", ")
    };
    if !unplaced.is_empty() {
        notes.push(format!(
            "no place was found for {} of {} exams: {}",
            unplaced.len(),
            instance.exam_count(),
            names(&unplaced)
        ));
    }
    let clashing: Vec<usize> = (0..instance.exam_count())
        .filter(|&exam| timetable.period_of(exam).is_some_and(|at| timetable.share_at(instance, exam, at).0 > 0))
        .collect();
    if !clashing.is_empty() {
        notes.push(format!(
            "{} of {} exams stand in the same period as an exam with which they share students: {}",
            clashing.len(),
            instance.exam_count(),
            names(&clashing)
        ));
    }
    let violations = check(instance, timetable).violations;
    let told = |violation: &&Violation| violation.kind != "unplaced" && violation.kind != "clash";
    let broken: Vec<&str> = violations.iter().filter(told).map(|violation| violation.text.as_str()).collect();
    if !broken.is_empty() {
        let listed = broken.iter().take(NAMED).copied().collect::<Vec<_>>().join("; ");
        let more = if broken.len() > NAMED { "; and others" } else { "" };
        notes.push(format!("this was not met: {listed}{more}. Allow more time, or ease the rules or the seats"));
    }
    let clique = instance.conflicts.greedy_clique();
    if clique.len() > instance.period_count() {
        notes.push(format!(
            "{} exams share students with each other, every pair of them, and need as many periods; there are only {}: {}",
            clique.len(),
            instance.period_count(),
            names(&clique)
        ));
    } else if !unplaced.is_empty() || !clashing.is_empty() {
        notes.push(format!(
            "at least {} periods are needed; whether {} suffice is not known: allow more time or more periods",
            clique.len(),
            instance.period_count()
        ));
    }
    notes
}

/// The timetable of a result, in the order of the instance's exams.
///
/// # Errors
/// [`Error::Usage`] where the result is of another problem, or names exams that the instance does not have.
pub fn timetable_of(instance: &Instance, result: &RunResult) -> Result<Timetable> {
    let Solution::Timetable(rows) = &result.solution else {
        return Err(Error::Usage(format!(
            "the result holds {}, not a timetable of {}; open the instance that it was made of",
            result.solution.noun(),
            instance.name
        )));
    };
    let numbers: std::collections::HashMap<&str, usize> =
        instance.exams.iter().enumerate().map(|(number, exam)| (exam.code.as_str(), number)).collect();
    let mut timetable = Timetable::unplaced(instance.exam_count());
    for (code, period) in rows {
        let exam = numbers.get(code.as_str()).ok_or_else(|| {
            Error::Usage(format!(
                "the result names exam {code}, which {} does not have; open its own instance",
                instance.name
            ))
        })?;
        timetable.periods[*exam] = period.unwrap_or(super::UNPLACED);
    }
    Ok(timetable)
}
