//! The interface of a problem with its types ([`Planning`]), and an open instance of any problem ([`Opened`]).

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::decisions::{self, Batch, Consequence, Consequences, Decision, DecisionName, NO_CHANGE, PresentSolution};
use super::{
    AssignedDuties, Compared, DutyRequest, ExportOptions, ExportOrigin, Fact, Identity, Judged, Measure, MissingData,
    OpenInstance, ProgressReport, Published, ReadSolution, SolveRequest, measures, without_duties,
};
use crate::data::{Dataset, FormerNames, Issue, TableSpec, Tables};
use crate::export::formats::Format;
use crate::numbers::{quantity, rounded};
use crate::problem::{Overrides, Problem};
use crate::project::{Project, updating};
use crate::replay::ReplayReport;
use crate::result::{Encoded, InstanceReference, RunResult};
use crate::search::run::Judgement;
use crate::search::{self, AlgorithmDescriptor, Algorithms, Budget, Control, Parameter, Progress, Snapshot};
use crate::{Error, Result};

/// Settings of a run of a problem.
pub type Settings<P> = search::Settings<<P as Planning>::Algorithm, <P as Planning>::Goal>;

/// Budget of a run whose algorithm states none: long enough for a good plan, short enough to wait for.
pub const USUAL_BUDGET: Budget = Budget::Seconds(30.0);

/// Label of [`Planning::our_best`].
pub const OUR_BEST: &str = "Best by Gridwright";

/// A problem with its types: everything that is asked of it without a window.
///
/// Each problem implements the trait once. Command line, campaigns and fuzzing hold its instances as [`Opened`]; the window
/// asks it through the views of the problem.
pub trait Planning: Sized + Send + Sync + 'static {
    /// The data of an instance, with demands.
    type Instance: Tables + Clone + Send + Sync + 'static;
    /// A solution that is checked, drawn and exported.
    type Solution: Clone + PartialEq + Send + Sync + 'static;
    /// The algorithms with their parameters.
    type Algorithm: Algorithms + Serialize + DeserializeOwned;
    /// Choice beside the algorithm, such as an objective.
    type Goal: Clone + PartialEq + Debug + Default + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// The best so far, as a search reports it.
    type Best: Send + Sync + 'static;

    /// The entry in the registry.
    const PROBLEM: &'static dyn Problem;
    /// Export formats, the commonest first.
    const FORMATS: &'static [Format];
    /// True if [`Self::decisions`] knows any.
    const HAS_DECISIONS: bool = false;

    // Instance

    /// Opens an instance.
    ///
    /// # Errors
    /// Faults of the file, by line where it has any; [`Error::Usage`] for an option that cannot be used.
    fn open(source: &str, options: &Overrides) -> Result<Self::Instance>;

    /// The goal that options name.
    ///
    /// # Errors
    /// [`Error::Usage`] if the instance lacks the data that the goal needs.
    fn goal(_instance: &Self::Instance, _options: &Overrides) -> Result<Self::Goal> {
        Ok(Self::Goal::default())
    }

    /// The goal of a run with these options of `solve`; `goal` is that of the instance.
    fn requested_goal(goal: &Self::Goal, _options: &Overrides) -> Self::Goal {
        goal.clone()
    }

    /// The name, and the SHA-256 of the files; the latter is empty for a generated instance.
    fn identity(instance: &Self::Instance) -> (&str, &str);

    /// Warnings of the reader and doubts about the data.
    fn warnings(_instance: &Self::Instance) -> Vec<String> {
        Vec::new()
    }

    /// The name.
    fn name(instance: &Self::Instance) -> &str {
        Self::identity(instance).0
    }

    /// The SHA-256 of the files.
    fn hash(instance: &Self::Instance) -> &str {
        Self::identity(instance).1
    }

    /// Reference to the instance for a result or a project.
    fn reference(instance: &Self::Instance, source: String, options: BTreeMap<String, String>) -> InstanceReference {
        let (name, hash) = Self::identity(instance);
        InstanceReference { name: name.to_owned(), source, hash: hash.to_owned(), options }
    }

    /// Options that a result stores and that its data depend on, by name.
    fn stored_options(_instance: &Self::Instance, _options: &Overrides) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    /// The sizes in one line, such as «81 exams, 2 823 students, 18 periods».
    fn summary(instance: &Self::Instance) -> String;

    /// Sizes, bounds and the like.
    fn facts(instance: &Self::Instance, goal: &Self::Goal) -> Vec<Fact>;

    /// Demands that no solution meets together, a sentence each, as far as they are found without a search.
    fn contradictions(_instance: &Self::Instance) -> Vec<String> {
        Vec::new()
    }

    /// Checks that the data suffice to solve the instance and to check solutions.
    ///
    /// # Errors
    /// [`Error::Usage`] that names the missing data, with the remedy.
    fn check_complete(_instance: &Self::Instance) -> Result<()> {
        Ok(())
    }

    // Runs

    /// The algorithm that solves the instance if none is named.
    fn usual_algorithm(_instance: &Self::Instance, _goal: &Self::Goal) -> Self::Algorithm {
        Self::Algorithm::default()
    }

    /// The budget of a run if none is given.
    fn usual_budget(_instance: &Self::Instance, algorithm: &Self::Algorithm) -> Budget {
        algorithm.descriptor().budget.unwrap_or(USUAL_BUDGET)
    }

    /// Settings whose target is a cost of the search instead of one that people read.
    ///
    /// # Errors
    /// [`Error::Usage`] for an algorithm that cannot solve the instance.
    fn fitted(_instance: &Self::Instance, settings: Settings<Self>) -> Result<Settings<Self>> {
        Ok(settings)
    }

    /// The instance with the demands that options of `solve` make, and remarks about them; `None` without such options.
    ///
    /// # Errors
    /// Faults of the options or of a file that they name.
    fn demanded(_instance: &Self::Instance, _options: &Overrides) -> Result<Option<(Self::Instance, Vec<String>)>> {
        Ok(None)
    }

    /// Budget that options of `solve` stand for where the request names neither algorithm nor budget; `None` without such options.
    fn requested_budget(_options: &Overrides) -> Option<Budget> {
        None
    }

    /// Algorithm that options of `solve` stand for where the request names none; `budget` is that of the request, or
    /// [`Self::requested_budget`]. `None` without such options.
    fn requested_algorithm(
        _instance: &Self::Instance, _options: &Overrides, _budget: Option<Budget>,
    ) -> Option<Self::Algorithm> {
        None
    }

    /// Solution to begin with that options of `solve` ask for, and remarks about it; `None` without such options.
    ///
    /// # Errors
    /// Faults of the options or of a file that they name.
    fn beginning(
        _instance: &Self::Instance, _settings: &Settings<Self>, _options: &Overrides,
    ) -> Result<Option<(Self::Solution, Vec<String>)>> {
        Ok(None)
    }

    /// Solves an instance, from a solution or anew.
    ///
    /// # Errors
    /// Settings that do not fit the instance; a device that cannot be used.
    fn solve(
        instance: &Self::Instance, settings: &Settings<Self>, start: Option<&Self::Solution>, control: &Control,
        observer: &mut dyn FnMut(&Progress<Self::Best>),
    ) -> Result<RunResult>;

    /// Solves the instance with each of `seeds`, side by side on the device, with the results of [`Self::solve`] except for
    /// times; `observer` is called with the index of the seed. `None` if there is no such way.
    ///
    /// # Errors
    /// As [`Self::solve`]; no run has a result then.
    fn solve_seeds(
        _instance: &Self::Instance, _settings: &Settings<Self>, _seeds: &[u64], _control: &Control,
        _observer: &mut dyn FnMut(usize, &Progress<Self::Best>),
    ) -> Result<Option<Vec<RunResult>>> {
        Ok(None)
    }

    /// Lets the checker judge the best solution at a moment of a run that began with `start`, which may be a solution made by
    /// hand.
    fn judge(
        instance: &Self::Instance, settings: &Settings<Self>, start: Option<&Self::Solution>,
        snapshot: &Snapshot<Self::Best>,
    ) -> Judgement;

    /// Runs a result again.
    ///
    /// # Errors
    /// The result cannot be run here.
    fn replay(
        instance: &Self::Instance, result: &RunResult, device: (&str, usize), control: &Control,
        observer: &mut dyn FnMut(&Progress<Self::Best>),
    ) -> Result<ReplayReport>;

    /// The best so far as people read it.
    fn best_text(instance: &Self::Instance, _goal: &Self::Goal, snapshot: &Snapshot<Self::Best>) -> String {
        Self::shown_text(instance, Self::shown(instance, snapshot.best_cost))
    }

    // Decisions

    /// The instance with the rules that a run was to obey, where it has none of its own.
    ///
    /// # Errors
    /// The demands of the result do not fit the instance.
    fn asked(instance: &Self::Instance, _result: &RunResult) -> Result<Self::Instance> {
        Ok(instance.clone())
    }

    /// Decisions about the data and demands that may be worth a look, given a solution.
    fn decisions(_instance: &Self::Instance, _solution: &Self::Solution) -> Vec<Decision<Self::Instance>> {
        Vec::new()
    }

    /// The instance that is solved from a solution which it may no longer allow: with what keeps its solutions close to that one.
    fn close_to(instance: &Self::Instance, _solution: &Self::Solution) -> Self::Instance {
        instance.clone()
    }

    /// Number of items that have other places in the second solution than in the first one.
    fn moved(_instance: &Self::Instance, _solutions: [&Self::Solution; 2]) -> usize {
        0
    }

    // Costs

    /// A cost as people read it.
    fn shown(_instance: &Self::Instance, cost: f64) -> f64 {
        cost
    }

    /// A displayed cost as text, such as «10.0337» or «1 278».
    fn shown_text(_instance: &Self::Instance, shown: f64) -> String {
        quantity(shown)
    }

    /// A cost with all that belongs to it, such as «10.0337 (28 325 undivided)» or «1 278 (makespan)».
    fn cost_line(instance: &Self::Instance, _goal: &Self::Goal, cost: f64) -> String {
        Self::shown_text(instance, Self::shown(instance, cost))
    }

    /// The best cost known or proven, as people read it; may take about a second.
    fn best_known(_instance: &Self::Instance, _goal: &Self::Goal) -> Option<f64> {
        None
    }

    /// Source of the best cost known: a publication with its year where that is known, or a calculation; `None` without such a cost.
    fn best_known_source(_instance: &Self::Instance, _goal: &Self::Goal) -> Option<String> {
        None
    }

    /// Why the best cost known is not to be relied on, where it is not.
    fn best_known_warning(_instance: &Self::Instance, _goal: &Self::Goal) -> Option<String> {
        None
    }

    /// The best cost that a solution in `docs/results` has, as people read it.
    fn our_best(_instance: &Self::Instance, _goal: &Self::Goal) -> Option<f64> {
        None
    }

    // Solutions

    /// Names the items of a solution.
    fn encode(instance: &Self::Instance, solution: &Self::Solution) -> Encoded;

    /// Finds the items of a stored solution, which may lack some or have some twice: that is for the checker to say.
    ///
    /// # Errors
    /// A sentence if the value is no solution of the instance.
    fn decode(instance: &Self::Instance, solution: &Encoded) -> std::result::Result<Self::Solution, String>;

    /// A stored solution with the present names of its items; `None` if it names none.
    fn renamed(_solution: &Encoded, _names: &FormerNames) -> Option<Encoded> {
        None
    }

    /// Part of a stored solution whose items the instance has, and sentences about the others; `None` if the solution names all
    /// items of the instance and no others, or hardly any, or if a part of it is no solution.
    fn carry(_instance: &Self::Instance, _solution: &Encoded) -> Option<(Encoded, Vec<String>)> {
        None
    }

    /// Demands of a project, as it stores them, whose data change from `from` to `to`, and remarks that name what they are lost
    /// with.
    ///
    /// # Errors
    /// A sentence if the value holds no demands on `from`.
    fn carry_demands(
        _from: &Self::Instance, _to: &Self::Instance, demands: &Encoded,
    ) -> std::result::Result<(Encoded, Vec<String>), String> {
        Ok((demands.clone(), Vec::new()))
    }

    /// Makes a solution the next version of what people were told; `demands` are those of the project as it stores them.
    ///
    /// # Errors
    /// [`Error::Usage`] if solutions of the problem have no versions, or the demands cannot be read.
    fn publish(
        _instance: &Self::Instance, _solution: &Self::Solution, _demands: Option<&Encoded>,
    ) -> Result<Published> {
        let problem = Self::PROBLEM.nouns().instances;
        Err(Error::Usage(format!("solutions of {problem} are not published in versions; export them")))
    }

    /// Gives people duties at a solution, or checks or changes the duties that they have.
    ///
    /// # Errors
    /// [`Error::Usage`] if solutions of the problem have no duties, data for them are missing, or a document cannot be encoded.
    fn assign_duties(
        _instance: &Self::Instance, _solution: &Self::Solution, _request: &DutyRequest<'_>,
    ) -> Result<AssignedDuties> {
        Err(without_duties(Self::PROBLEM))
    }

    /// Checks that a solution has every item once, so that it can be drawn and compared.
    ///
    /// # Errors
    /// A sentence that names the first item that is missing or there twice.
    fn check_whole(_instance: &Self::Instance, _solution: &Self::Solution) -> std::result::Result<(), String> {
        Ok(())
    }

    /// Reads a solution file; `counted_from` is the number of the first place where files differ in that (periods from 0 or
    /// from 1), `None`: as the file shows it.
    ///
    /// # Errors
    /// The file is missing, is of another kind, or does not fit the instance.
    fn read_solution(
        _instance: &Self::Instance, _goal: &Self::Goal, path: &Path, _counted_from: Option<u16>,
    ) -> Result<ReadSolution> {
        let nouns = Self::PROBLEM.nouns();
        let what = format!("{} of {} is read from the result of a run (.ron) only", nouns.solution, nouns.instance);
        Err(Error::file(path, what))
    }

    /// The independent check; what `result`, the run that made the solution, was asked to obey is checked beside what the
    /// instance itself demands.
    ///
    /// # Errors
    /// The demands of the result do not fit the instance.
    fn verify(
        instance: &Self::Instance, goal: &Self::Goal, solution: &Self::Solution, result: Option<&RunResult>,
    ) -> Result<Judged>;

    /// Checks that the instance and the origin of a solution hold the data that a format needs.
    ///
    /// # Errors
    /// The missing data, and where to add them.
    fn check_export(
        _instance: &Self::Instance, _goal: &Self::Goal, _ending: &str, _origin: ExportOrigin<'_>,
    ) -> std::result::Result<(), MissingData> {
        Ok(())
    }

    /// Encodes a solution, read from `path`, in the format with this ending.
    ///
    /// # Errors
    /// The format cannot hold the solution.
    fn export(
        instance: &Self::Instance, solution: &Self::Solution, path: &Path, ending: &str, options: &ExportOptions<'_>,
    ) -> Result<Vec<u8>>;

    /// Compares two solutions, the first as the one before; `paths` name where they are from.
    ///
    /// # Errors
    /// The solutions cannot be compared.
    fn compare(
        _instance: &Self::Instance, _goal: &Self::Goal, _solutions: [&Self::Solution; 2], _paths: [&Path; 2],
    ) -> Result<Compared> {
        Err(Error::Usage(format!("solutions of {} cannot be compared", Self::PROBLEM.nouns().instances)))
    }

    /// Figures of a solution by which people choose between several, the one that is minimised first.
    ///
    /// # Errors
    /// The solution cannot be judged.
    fn measures(instance: &Self::Instance, goal: &Self::Goal, solution: &Self::Solution) -> Result<Vec<Measure>> {
        let judged = Self::verify(instance, goal, solution, None)?;
        Ok(vec![measures::cost(judged.verdict.cost)])
    }
}

/// An open instance of a problem, with the options that it was opened with.
pub struct Opened<P: Planning> {
    instance: Arc<P::Instance>,
    goal: P::Goal,
    options: Overrides,
    warnings: Vec<String>,
    best_known: OnceLock<Option<f64>>,
}

impl<P: Planning> Opened<P> {
    /// Opens an instance.
    ///
    /// # Errors
    /// As [`Planning::open`] and [`Planning::goal`].
    pub fn open(source: &str, options: &Overrides) -> Result<Box<dyn OpenInstance>> {
        let instance = P::open(source, options)?;
        let goal = P::goal(&instance, options)?;
        let warnings = P::warnings(&instance);
        let (instance, options, best_known) = (Arc::new(instance), options.clone(), OnceLock::new());
        Ok(Box::new(Self { instance, goal, options, warnings, best_known }))
    }

    /// Settings of a requested run.
    fn settings(&self, request: &SolveRequest) -> Result<Settings<P>> {
        let goal = P::requested_goal(&self.goal, &request.options);
        let requested = P::requested_budget(&request.options).filter(|_| request.algorithm.is_none());
        let budget = request.budget.or(requested);
        let default = P::requested_algorithm(&self.instance, &request.options, budget);
        let default = default.unwrap_or_else(|| P::usual_algorithm(&self.instance, &self.goal));
        let usual = |algorithm: &P::Algorithm| P::usual_budget(&self.instance, algorithm);
        let settings = request.settings(default, goal, |algorithm| budget.unwrap_or_else(|| usual(algorithm)))?;
        P::fitted(&self.instance, settings)
    }

    /// The instance with what the run that made a solution was asked to obey.
    fn asked(&self, present: &PresentSolution<'_>) -> Result<P::Instance> {
        present.result.map_or_else(|| Ok((*self.instance).clone()), |result| P::asked(&self.instance, result))
    }

    fn decoded(&self, solution: &Encoded, path: &Path) -> Result<P::Solution> {
        P::decode(&self.instance, solution).map_err(|what| Error::file(path, what))
    }

    /// A solution that has every item once.
    fn whole(&self, solution: &Encoded, path: &Path) -> Result<P::Solution> {
        let solution = self.decoded(solution, path)?;
        P::check_whole(&self.instance, &solution).map_err(|what| {
            Error::file(path, format!("{what}; “gridwright verify” lists all that is wrong with it"))
        })?;
        Ok(solution)
    }

    /// Passes the progress of a search on.
    fn report<'s>(&'s self, observer: &'s mut dyn FnMut(&ProgressReport<'_>)) -> impl FnMut(&Progress<P::Best>) + 's {
        move |progress| {
            let best = || P::best_text(&self.instance, &self.goal, &progress.snapshot);
            observer(&ProgressReport::new(progress, &best));
        }
    }
}

impl<P: Planning> OpenInstance for Opened<P> {
    fn identity(&self) -> Identity<'_> {
        let (name, file_hash) = P::identity(&self.instance);
        Identity { problem: P::PROBLEM, name, file_hash, warnings: &self.warnings }
    }

    fn overrides(&self) -> BTreeMap<String, String> {
        P::stored_options(&self.instance, &self.options)
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = P::facts(&self.instance, &self.goal);
        facts.extend(
            self.best_known_source().map(|source| Fact::new("best_known_source", "", source.into(), String::new())),
        );
        facts
            .extend(self.our_best().map(|best| {
                Fact::new("our_best", OUR_BEST, rounded(best).into(), P::shown_text(&self.instance, best))
            }));
        facts
    }

    fn summary(&self) -> String {
        P::summary(&self.instance)
    }

    fn contradictions(&self) -> Vec<String> {
        P::contradictions(&self.instance)
    }

    fn check_request(&self, request: &SolveRequest) -> Result<()> {
        P::check_complete(&self.instance)?;
        P::demanded(&self.instance, &request.options)?;
        self.settings(request).map(drop)
    }

    fn step_noun(&self, algorithm: Option<&str>) -> &'static str {
        let named = algorithm.and_then(|name| P::Algorithm::ALL.iter().find(|descriptor| descriptor.name == name));
        let usual = || P::usual_algorithm(&self.instance, &self.goal).descriptor().steps;
        named.map_or_else(usual, |descriptor| descriptor.steps)
    }

    fn export_endings(&self) -> Vec<&'static str> {
        P::FORMATS.iter().map(|format| format.ending).collect()
    }

    fn check_export(&self, ending: &str, origin: ExportOrigin<'_>) -> Result<()> {
        Ok(P::check_export(&self.instance, &self.goal, ending, origin)?)
    }

    fn shown(&self, cost: f64) -> f64 {
        P::shown(&self.instance, cost)
    }

    fn shown_text(&self, shown: f64) -> String {
        P::shown_text(&self.instance, shown)
    }

    fn cost_line(&self, cost: f64) -> String {
        P::cost_line(&self.instance, &self.goal, cost)
    }

    fn best_known(&self) -> Option<f64> {
        *self.best_known.get_or_init(|| P::best_known(&self.instance, &self.goal))
    }

    fn best_known_source(&self) -> Option<String> {
        P::best_known_source(&self.instance, &self.goal)
    }

    fn best_known_warning(&self) -> Option<String> {
        P::best_known_warning(&self.instance, &self.goal)
    }

    fn our_best(&self) -> Option<f64> {
        P::our_best(&self.instance, &self.goal)
    }

    fn solve(
        &self, request: &SolveRequest, control: &Control, observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<RunResult> {
        P::check_complete(&self.instance)?;
        let settings = self.settings(request)?;
        let demanded = P::demanded(&self.instance, &request.options)?;
        let (instance, remarks) = match &demanded {
            Some((instance, remarks)) => (instance, remarks.as_slice()),
            None => (&*self.instance, [].as_slice()),
        };
        let begun = P::beginning(&self.instance, &settings, &request.options)?;
        let (start, told) =
            begun.as_ref().map_or((None, [].as_slice()), |(start, told)| (Some(start), told.as_slice()));
        let mut result = P::solve(instance, &settings, start, control, &mut self.report(observer))?;
        result.notes.extend(remarks.iter().map(|remark| format!("Before: {remark}")));
        result.notes.extend(told.iter().cloned());
        Ok(result)
    }

    fn solve_seeds(
        &self, request: &SolveRequest, seeds: &[u64], control: &Control,
        observer: &mut dyn FnMut(usize, &ProgressReport<'_>),
    ) -> Result<Option<Vec<RunResult>>> {
        let settings = self.settings(request)?;
        P::solve_seeds(&self.instance, &settings, seeds, control, &mut |index, progress| {
            self.report(&mut |report| observer(index, report))(progress);
        })
    }

    fn replay(
        &self, result: &RunResult, backend: &str, threads: usize, control: &Control,
        observer: &mut dyn FnMut(&ProgressReport<'_>),
    ) -> Result<ReplayReport> {
        P::check_complete(&self.instance)?;
        P::replay(&self.instance, result, (backend, threads), control, &mut self.report(observer))
    }

    fn read_solution(&self, path: &Path, counted_from: Option<u16>) -> Result<ReadSolution> {
        P::check_complete(&self.instance)?;
        P::read_solution(&self.instance, &self.goal, path, counted_from)
    }

    fn carried(&self, solution: &Encoded) -> Option<(Encoded, Vec<String>)> {
        P::carry(&self.instance, solution)
    }

    fn publish(&self, solution: &Encoded, path: &Path, demands: Option<&Encoded>) -> Result<Published> {
        P::check_complete(&self.instance)?;
        P::publish(&self.instance, &self.whole(solution, path)?, demands)
    }

    fn assign_duties(&self, solution: &Encoded, path: &Path, request: &DutyRequest<'_>) -> Result<AssignedDuties> {
        P::check_complete(&self.instance)?;
        P::assign_duties(&self.instance, &self.whole(solution, path)?, request)
    }

    fn verify(&self, solution: &Encoded, path: &Path, result: Option<&RunResult>) -> Result<Judged> {
        P::check_complete(&self.instance)?;
        let solution = self.decoded(solution, path)?;
        P::verify(&self.instance, &self.goal, &solution, result).map_err(|error| match error {
            Error::Usage(what) => Error::file(path, what),
            other => other,
        })
    }

    fn export_bytes(
        &self, solution: &Encoded, path: &Path, ending: &str, options: &ExportOptions<'_>,
    ) -> Result<Vec<u8>> {
        P::export(&self.instance, &self.whole(solution, path)?, path, ending, options)
    }

    fn compare(&self, solutions: [&Encoded; 2], paths: [&Path; 2]) -> Result<Compared> {
        P::check_complete(&self.instance)?;
        let before = self.whole(solutions[0], paths[0])?;
        let after = self.whole(solutions[1], paths[1])?;
        P::compare(&self.instance, &self.goal, [&before, &after], paths)
    }

    fn measures(&self, solution: &Encoded, path: &Path) -> Result<Vec<Measure>> {
        P::check_complete(&self.instance)?;
        P::measures(&self.instance, &self.goal, &self.whole(solution, path)?)
    }

    fn decisions(&self, present: &PresentSolution<'_>) -> Result<Vec<DecisionName>> {
        P::check_complete(&self.instance)?;
        let instance = self.asked(present)?;
        let all = decisions_about::<P>(&instance, &self.whole(present.solution, present.path)?);
        Ok(all.into_iter().map(|decision| decision.name).collect())
    }

    fn consequences(
        &self, present: &PresentSolution<'_>, keys: &[String], request: &SolveRequest, control: &Control,
        told: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Consequences> {
        P::check_complete(&self.instance)?;
        let (solution, settings) = (self.whole(present.solution, present.path)?, self.settings(request)?);
        let instance = self.asked(present)?;
        let chosen = decisions::chosen(decisions_about::<P>(&instance, &solution), keys)?;
        let told = |done| told(done, chosen.len());
        consequences_of::<P>((&instance, &self.goal), &solution, &chosen, &settings, control, &told)
    }
}

/// All decisions about a solution: to leave everything as it is, and those of the problem.
pub fn decisions_about<P: Planning>(instance: &P::Instance, solution: &P::Solution) -> Vec<Decision<P::Instance>> {
    let name = DecisionName::proposed(NO_CHANGE, "No change, improved for the same time");
    let none = Decision { name, instance: instance.clone(), is_of_weights: true };
    std::iter::once(none).chain(P::decisions(instance, solution)).collect()
}

/// Solves the instance of each decision from a solution; see [`Batch`]. `told` is called with the number of decisions that are done.
///
/// # Errors
/// Settings that do not fit an instance, or a device that cannot be used; the runs are cancelled.
pub fn consequences_of<P: Planning>(
    (instance, goal): (&P::Instance, &P::Goal), solution: &P::Solution, chosen: &[Decision<P::Instance>],
    settings: &Settings<P>, control: &Control, told: &(dyn Fn(usize) + Sync),
) -> Result<Consequences> {
    let batch = Batch::of(settings, chosen.len());
    let one = |at: usize| {
        let decision = &chosen[at];
        let close = P::close_to(&decision.instance, solution);
        let settings = P::fitted(&close, batch.settings.clone())?;
        let result = P::solve(&close, &settings, Some(solution), control, &mut |_| ())?;
        let decode = |instance| P::decode(instance, &result.solution).map_err(Error::Search);
        let moved = P::moved(&decision.instance, [solution, &decode(&decision.instance)?]);
        let judge = if decision.is_of_weights { instance } else { &decision.instance };
        let measures = P::measures(judge, goal, &decode(judge)?)?;
        Ok(Consequence::of(&decision.name, result, measures, moved))
    };
    let is_possible = P::verify(instance, goal, solution, None)?.verdict.feasible;
    let present = (P::measures(instance, goal, solution)?, is_possible);
    Ok(Consequences::of(present, batch.run(one, control, told)?))
}

/// Constants and functions that follow from the types of a problem, for callers that do not know the types.
#[derive(Clone, Copy)]
pub struct ProblemDescriptor {
    /// The tables of the data; empty if the data are no tables.
    pub tables: &'static [TableSpec],
    /// Data with which an import begins, for an instance of this name.
    pub empty_data: fn(&str) -> Dataset,
    /// The sizes of the instance that data make, in one line, or what is wrong with the data.
    pub check_data: fn(&Dataset) -> std::result::Result<String, Vec<Issue>>,
    /// Data in the form in which the problem writes what it has read of them; `None` if it cannot read them.
    pub normal_data: fn(&Dataset) -> Option<Dataset>,
    /// The data of an instance that is opened with options.
    pub read_data: fn(&str, &Overrides) -> Result<Dataset>,
    /// Gives a project other data and returns remarks about rules and edits that do not fit them; fails if the data are none of
    /// the problem or if the rules cannot be read.
    pub update_project: fn(&mut Project, &Dataset) -> Result<Vec<String>>,
    /// A small instance with which a person begins a new one; `None` if there is none.
    pub template: fn() -> Option<Dataset>,
    /// The algorithms, the default first.
    pub algorithms: &'static [AlgorithmDescriptor],
    /// Parameters of the algorithm with this name; none for an unknown name.
    pub parameters: fn(&str) -> &'static [Parameter],
    /// Opens an instance with options.
    pub open: fn(&str, &Overrides) -> Result<Box<dyn OpenInstance>>,
}

impl ProblemDescriptor {
    /// The descriptor of a problem with these types.
    pub const fn of<P: Planning>() -> Self {
        Self {
            tables: P::Instance::TABLES,
            empty_data: P::Instance::empty_data,
            check_data: |data| P::Instance::of_data(data).map(|instance| P::summary(&instance)),
            normal_data: |data| P::Instance::of_data(data).ok().map(|instance| instance.to_data()),
            read_data: |source, options| P::open(source, options).map(|instance| instance.to_data()),
            update_project: |project, data| {
                let fits = |to: &P::Instance, solution: &Encoded| {
                    P::decode(to, solution).and_then(|solution| P::check_whole(to, &solution)).is_ok()
                };
                updating::update(project, data, P::carry_demands, P::carry, fits)
            },
            template: P::Instance::template,
            algorithms: P::Algorithm::ALL,
            parameters: |name| P::Algorithm::with_defaults(name).map_or(&[], |algorithm| algorithm.list()),
            open: Opened::<P>::open,
        }
    }
}
