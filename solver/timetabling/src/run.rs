//! One solve of a timetabling instance: algorithms, start of the search, check of the result.

mod annealing;
mod evolution;
pub mod failing;
pub mod holding;
mod leaving;
mod memory;
mod recording;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

pub use self::memory::memory_need;
pub use self::recording::record_evolution;
use super::annealing::AnnealingParameters;
use super::bounds::LowerBound;
use super::check::{ViolationKind, check};
use super::contradictions::{self, contradictions};
use super::evolution::EvolutionParameters;
use super::keeping_rooms::keeping_rooms;
use super::model::Model;
use super::seating::SeatingModel;
use super::smaller_rooms::in_smaller_rooms;
use super::stored::{self, Demands};
use super::{Instance, Period, StoredRules, Timetable, without_place};
use gridwright_core::backend::{DeviceNote, OpenDevice};
use gridwright_core::numbers::counted;
use gridwright_core::replay;
pub use gridwright_core::replay::ReplayReport;
use gridwright_core::result::{Encoded, RunResult, Verdict};
use gridwright_core::search::run::algorithms::algorithms;
use gridwright_core::search::run::{self, DeviceUse, Judgement, Run, Started, Subject};
use gridwright_core::search::{
    AlgorithmDescriptor, Algorithms, Budget, Environment, Epochs, NotedImprovement, SearchOutcome, Snapshot, StopReason,
};
use gridwright_core::{Error, Result};

/// An algorithm with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Algorithm {
    /// Simulated annealing with Kempe chains.
    Annealing(AnnealingParameters),
    /// The hybrid evolutionary algorithm.
    Evolution(EvolutionParameters),
}

algorithms! {
    Algorithm for "timetables";
    Annealing(AnnealingParameters) = AlgorithmDescriptor {
        name: "annealing",
        label: "Annealing",
        short_label: "Annealing",
        help: "Simulated annealing with Kempe chains: the best results for the time; a run improves most near its end, so that \
               stopping it early costs more than choosing a shorter time",
        steps: "steps",
        budget: Some(Budget::Seconds(30.0)),
        cpu_only: None,
        evaluations_refused: Some(
            "annealing cools according to its steps or its time; limit it by steps or by seconds instead of evaluations",
        ),
    };
    Evolution(EvolutionParameters) = AlgorithmDescriptor {
        name: "evolution",
        label: "Evolution",
        short_label: "Evolution",
        help: "The published hybrid evolutionary algorithm",
        steps: "generations",
        budget: Some(Budget::Steps(200)),
        cpu_only: None,
        evaluations_refused: None,
    };
}

/// Everything that a run depends on beside the instance.
pub type Settings = run::Settings<Algorithm>;

/// Observer of a run; see [`run::Observer`].
pub(crate) type Observer<'a> = run::Observer<'a, Timetable>;

/// Solves an instance; see [`run::solve`].
///
/// # Errors
/// As [`run::solve`]; [`Error::Usage`] if the instance has no number of periods.
pub fn solve<'a>(
    instance: &Instance, settings: &Settings, environment: impl Into<Environment<'a>>, observer: &mut Observer<'_>,
) -> Result<RunResult> {
    run::solve(&Task::new(instance, settings.algorithm.clone())?, settings, environment.into(), observer)
}

/// Runs a result again, on `backend` with `threads` threads (0: all); see [`run::replay`].
///
/// # Errors
/// As [`run::replay`]; [`Error::Usage`] if the result belongs to another instance.
pub fn replay<'a>(
    instance: &Instance, result: &RunResult, backend: &str, threads: usize, environment: impl Into<Environment<'a>>,
    observer: &mut Observer<'_>,
) -> Result<ReplayReport> {
    replay::check_data(result, &instance.name, &instance.file_hash)?;
    let instance = with_demands(instance, result)?;
    let task = Task::new(&instance, Algorithm::of_result(&result.algorithm, &result.parameters)?)?;
    run::replay(&task, result, (backend, threads), environment.into(), observer)
}

/// Number of exams below which `auto` chooses the CPU, which has finished before a device is ready.
const WORTH_A_DEVICE: usize = 32;

/// One solve of an instance.
struct Task<'a> {
    instance: &'a Instance,
    algorithm: Algorithm,
    model: Model,
    /// Model with rooms; `None` if the session has nothing that needs it.
    seating: Option<SeatingModel>,
    /// True if demands contradict each other, so that no search can succeed.
    impossible: bool,
    /// First conflict-free timetable, once constructed: of nodes for annealing, of exams for the evolutionary algorithm.
    first: OnceLock<Timetable>,
    /// Repairs of a timetable to stay close to, the cheapest first, once made.
    repairs: OnceLock<Vec<Timetable>>,
    /// Rounds of the search for exams to leave out, once made.
    rounds: OnceLock<u64>,
    /// Exams that are searched for, where others are left out.
    part: OnceLock<leaving::Part>,
    /// Lower bound of the cost, once computed.
    bound: OnceLock<LowerBound>,
}

/// Converts a timetable of nodes into that of all exams.
type Expand<'a> = Box<dyn Fn(&Arc<Timetable>) -> Arc<Timetable> + Send + 'a>;

/// Search over the nodes of a model; snapshots show exams.
struct Expanded<'a, E> {
    expand: Expand<'a>,
    search: E,
    /// True if exams are left out, so that no timetable is feasible.
    leaves_out: bool,
}

impl<E: Epochs<Solution = Timetable>> Epochs for Expanded<'_, E> {
    type Solution = Timetable;

    fn advance(&mut self, steps: u32) -> Result<()> {
        self.search.advance(steps)
    }

    fn snapshot(&mut self) -> Result<Snapshot<Timetable>> {
        let snapshot = self.search.snapshot()?;
        Ok(Snapshot { best: (self.expand)(&snapshot.best), ..snapshot })
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.search.improvements()
    }

    fn device_notes(&self) -> Vec<DeviceNote> {
        self.search.device_notes()
    }

    fn stages(&self) -> Option<Vec<u64>> {
        self.search.stages()
    }

    fn stop_reason(&self, reason: StopReason) -> StopReason {
        let is_end = matches!(reason, StopReason::Budget | StopReason::TimeLimit);
        if self.leaves_out && is_end { StopReason::NoFeasible } else { reason }
    }
}

impl<'a> Task<'a> {
    fn new(instance: &'a Instance, algorithm: Algorithm) -> Result<Self> {
        Ok(Self { impossible: !contradictions(instance).is_empty(), ..Self::unexamined(instance, algorithm)? })
    }

    /// A solve of demands that nobody has examined for contradictions.
    fn unexamined(instance: &'a Instance, algorithm: Algorithm) -> Result<Self> {
        if instance.period_count() == 0 {
            return Err(Error::Usage(format!(
                "{}: the number of periods is not in the file; give it (--periods N, at least {})",
                instance.name,
                instance.conflicts.greedy_clique().len().max(1)
            )));
        }
        let model = Model::new(instance);
        let seating = instance.is_session().then(|| SeatingModel::of_placeable(instance));
        let (first, repairs, rounds, part) = (OnceLock::new(), OnceLock::new(), OnceLock::new(), OnceLock::new());
        let bound = OnceLock::new();
        Ok(Self { instance, algorithm, model, seating, impossible: false, first, repairs, rounds, part, bound })
    }

    /// Lower bound of the cost, which proves a timetable that meets it optimal.
    fn bound(&self) -> f64 {
        self.bound.get_or_init(|| LowerBound::of(self.instance)).raw as f64
    }

    /// Model with rooms that is searched; `None` if the search needs none.
    fn seating(&self) -> Option<&SeatingModel> {
        self.part.get().map(|part| &part.model).or(self.seating.as_ref())
    }

    /// Number of nodes of the model that is searched.
    fn nodes(&self) -> usize {
        self.seating().map_or(self.model.nodes(), SeatingModel::nodes)
    }

    /// Converts a timetable of nodes into the timetable of all exams.
    fn expand(&self, nodes: &Arc<Timetable>) -> Arc<Timetable> {
        match self.seating() {
            Some(seating) => seating.expand(nodes),
            None => self.model.expand(nodes),
        }
    }
}

impl run::Task for Task<'_> {
    type Solution = Timetable;

    fn subject(&self) -> Subject<'_> {
        Subject {
            problem: "timetabling",
            name: &self.instance.name,
            hash: &self.instance.file_hash,
            options: BTreeMap::from([("periods".to_owned(), self.instance.period_count().to_string())]),
            algorithm: self.algorithm.name(),
        }
    }

    fn device_use(&self) -> DeviceUse {
        if let Some(why) = self.seating().and_then(SeatingModel::cpu_only) {
            return DeviceUse::Never(why);
        }
        match self.nodes() < WORTH_A_DEVICE {
            true => DeviceUse::TooSmall,
            false => DeviceUse::Worthwhile,
        }
    }

    fn prepare<'s>(&'s self, run: &'s Run<'_>) -> Result<Option<Started<'s, Timetable>>> {
        match &self.algorithm {
            Algorithm::Annealing(parameters) => {
                if run.recorded().is_some_and(|plan| !plan.stages.is_empty()) {
                    replay::check_resolved("number of chains (chains)", parameters.chains)?;
                }
                Ok(self.construct_first(run))
            }
            Algorithm::Evolution(_) if self.seating.is_some() => Err(Error::Usage(format!(
                "{}: the evolutionary algorithm plans neither rooms nor people and knows the published objective only; choose \
                 annealing",
                self.instance.name
            ))),
            Algorithm::Evolution(_) => Ok(self.prepare_evolution(run)),
        }
    }

    fn start<'s>(&'s self, run: &'s Run<'_>, device: Option<&OpenDevice>) -> Result<Started<'s, Timetable>> {
        match &self.algorithm {
            Algorithm::Annealing(parameters) => self.anneal(parameters, run, device),
            Algorithm::Evolution(parameters) => self.evolve(parameters, run, device),
        }
    }

    fn judge(&self, outcome: &mut SearchOutcome<Timetable>) -> Result<Judgement> {
        let nothing = || Timetable::unplaced(self.instance.exam_count());
        if let (Some(part), Some(last)) = (self.part.get(), &mut outcome.last) {
            last.best = self.completed(part, &last.best);
        }
        let judgement = match &outcome.last {
            Some(last) => judged(self.instance, last),
            None => judged_as(self.instance, &nothing(), 0.0),
        };
        let is_end = matches!(outcome.stop_reason, StopReason::Target | StopReason::Budget | StopReason::TimeLimit);
        let is_valid = judgement.verdict.feasible && judgement.verdict.confirmed;
        if is_end && is_valid && outcome.last.as_ref().is_some_and(|last| last.best_cost <= self.bound()) {
            outcome.stop_reason = StopReason::Proven;
        }
        let last = outcome.last.as_ref().map(|last| Arc::clone(&last.best));
        let mut notes = match judgement.verdict.feasible {
            true => Vec::new(),
            false => reasons(self.instance, &last.unwrap_or_else(|| Arc::new(nothing()))),
        };
        let is_left_out = |kind: &str| kind == ViolationKind::Unplaced.as_ref();
        let has_others = judgement.verdict.violations.iter().any(|violation| !is_left_out(&violation.kind));
        if has_others && matches!(self.algorithm, Algorithm::Evolution(_)) {
            let note = "the evolutionary algorithm found no timetable without clashes: allow more generations, or choose annealing, \
                        which gives every exam that has a place one without a clash";
            notes.push(note.to_owned());
        }
        Ok(Judgement { notes, ..judgement })
    }
}

/// The checker's verdict on the best timetable at a moment of a search.
pub(crate) fn judged(instance: &Instance, snapshot: &Snapshot<Timetable>) -> Judgement {
    let found = in_smaller_rooms(instance, &snapshot.best);
    let judged = judged_as(instance, &found, snapshot.best_cost);
    let Some(kept) = keeping_rooms(instance, &found) else { return judged };
    // The search reports the cost of what it found.
    let is_confirmed = judged.verdict.confirmed;
    let kept = judged_as(instance, &kept, check(instance, &kept).objective as f64);
    let confirmed = is_confirmed && kept.verdict.confirmed;
    Judgement { verdict: kept.verdict.confirmed(confirmed), ..kept }
}

/// The checker's verdict on a timetable of which a search reports this cost.
fn judged_as(instance: &Instance, timetable: &Timetable, reported: f64) -> Judgement {
    let checked = check(instance, timetable);
    let cost = timetable.cost(instance);
    // A search may weigh violations into its cost; without any, its cost is the checker's.
    let confirmed = checked.raw == cost.proximity && (!checked.feasible || reported == checked.objective as f64);
    let verdict = Verdict::from(checked).confirmed(confirmed);
    Judgement { demands: demands(instance), ..Judgement::new(stored::encode(instance, timetable), verdict) }
}

/// Rules, seats and dates of an instance in the form of results; `None` without any.
pub fn demands(instance: &Instance) -> Option<Encoded> {
    let is_dated = instance.periods.iter().all(|period| period.date.is_some());
    let calendar = if is_dated { instance.periods.clone() } else { Vec::new() };
    let stored = StoredRules { calendar, ..StoredRules::of(instance) };
    (!stored.is_empty()).then(|| Encoded::of(&Demands::Timetabling(stored)))
}

/// Periods with dates under which a result was found; empty if it states none.
pub fn calendar_of(result: &RunResult) -> Vec<Period> {
    rules_of(result).unwrap_or_default().calendar
}

/// Rules under which a result was found; `None` if it states none.
pub(crate) fn rules_of(result: &RunResult) -> Option<StoredRules> {
    result.demands.as_ref()?.decode().map(|Demands::Timetabling(rules)| rules)
}

/// Returns `true` if moving exams away from an earlier timetable had a price, which the curve includes and the cost does not.
pub fn has_price(result: &RunResult) -> bool {
    rules_of(result).and_then(|rules| rules.reference).is_some_and(|(weight, _)| weight > 0)
}

/// The instance with the rules, seats and dates under which a result was found.
///
/// # Errors
/// [`Error::Usage`] if a rule names an unknown exam, or there are too many periods.
pub fn with_demands(instance: &Instance, result: &RunResult) -> Result<Instance> {
    let stored = rules_of(result).unwrap_or_default();
    let mut instance = instance.clone();
    if !stored.calendar.is_empty() {
        instance = instance.with_periods(stored.calendar.len())?;
        instance = instance.with_calendar(&stored.calendar);
    }
    stored.apply(instance)
}

/// Reasons why a timetable is infeasible, as far as they are found, in sentences.
pub fn reasons(instance: &Instance, timetable: &Timetable) -> Vec<String> {
    const NAMED: usize = 20;
    let named = contradictions::found(instance);
    // Where rules contradict each other, time and periods are no remedy.
    let is_possible = named.is_empty();
    let (mut notes, mut told) = (Vec::new(), Vec::new());
    for found in named {
        notes.push(found.text);
        told.push(found.exams);
    }
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
    let clique = instance.conflicts.greedy_clique();
    if clique.len() > instance.period_count() {
        notes.push(format!(
            "{} exams share students with each other, every pair of them, and need as many periods; there are only {}: {}",
            clique.len(),
            instance.period_count(),
            names(&clique)
        ));
        told.push(clique.clone());
    }
    notes.extend(without_place::explain_together(instance, timetable, &told));
    if notes.len() <= usize::from(!unplaced.is_empty()) && (!unplaced.is_empty() || !clashing.is_empty()) {
        let verb = if clique.len() == 1 { "is" } else { "are" };
        notes.push(format!(
            "nothing proves that not all exams fit: at least {} {verb} needed, and there are {}; allow more time, or add periods, \
             seats or rooms",
            counted(clique.len() as u64, "period"),
            instance.period_count()
        ));
    }
    notes.extend(without_place::explain(instance, timetable));
    if !clashing.is_empty() {
        notes.push(format!(
            "{} of {} exams stand in the same period as an exam with which they share students: {}",
            clashing.len(),
            instance.exam_count(),
            names(&clashing)
        ));
    }
    let violations = check(instance, timetable).violations;
    let told = |kind: ViolationKind| !matches!(kind, ViolationKind::Unplaced | ViolationKind::Clash);
    let broken: Vec<&str> =
        violations.iter().filter(|violation| told(violation.kind)).map(|violation| violation.text.as_str()).collect();
    if !broken.is_empty() {
        let listed = broken.iter().take(NAMED).copied().collect::<Vec<_>>().join("; ");
        let more = if broken.len() > NAMED { "; and others" } else { "" };
        let remedy = if is_possible { ". Allow more time, or ease the rules or the seats" } else { "" };
        notes.push(format!("this was not met: {listed}{more}{remedy}"));
    }
    notes
}

/// The timetable of a result, in the order of the instance's exams.
///
/// # Errors
/// [`Error::Usage`] where the result is of another problem, or names exams that the instance does not have.
pub fn timetable_of(instance: &Instance, result: &RunResult) -> Result<Timetable> {
    stored::decode(instance, &result.solution).map_err(|what| Error::Usage(format!("the result: {what}")))
}
