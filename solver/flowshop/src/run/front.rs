//! Start of a search for a front, and check of the result.

use std::collections::BTreeMap;
use std::sync::Arc;

use gridwright_kernels::front::Tuning;

use super::{Algorithm, ROUNDS, epoch, is_complete, replace_best, round, subject};
use crate::multiobjective::cuda::{Archiving, DeviceChooser, DeviceExplorer};
use crate::multiobjective::evaluation::Shop;
use crate::multiobjective::exploration::{Admission, Neighbourhood};
use crate::multiobjective::explorer::CpuExplorer;
use crate::multiobjective::pls::{ParetoSearch, PhaseLimit};
use crate::multiobjective::tabu::TabuSearch;
use crate::multiobjective::weights::lattice_size;
use crate::multiobjective::{Front, FrontSearch, Goal, Objectives, ParetoParameters, TabuParameters, stored};
use crate::stored as names;
use crate::{Instance, exact};
use gridwright_core::backend::{DeviceNote, OpenDevice};
use gridwright_core::replay::check_resolved;
use gridwright_core::result::Verdict;
use gridwright_core::search::run::{DeviceUse, Judgement, Run, Started, Subject, Task};
use gridwright_core::search::{Algorithms, Epochs, NotedImprovement, SearchOutcome, Snapshot, StopReason, Value, room};
use gridwright_core::{Error, Result};

/// Operations of the neighbourhoods of a step below which `auto` leaves them to the CPU: it is done before a device has answered.
const WORTH_A_DEVICE: u64 = 1 << 20;

pub(super) struct FrontTask<'a> {
    instance: &'a Instance,
    algorithm: Algorithm,
    objectives: Objectives,
    /// True if the run ends with the comparison of all orders where the jobs are few.
    pub(super) compares_all: bool,
}

/// A search for a front that reports where its time went.
struct WithShares<S>(S);

impl<S: FrontSearch> Epochs for WithShares<S> {
    type Solution = Front;

    fn advance(&mut self, steps: u32) -> Result<()> {
        self.0.advance(steps)
    }

    fn snapshot(&mut self) -> Result<Snapshot<Front>> {
        self.0.snapshot()
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.0.improvements()
    }

    fn notes(&self) -> Vec<String> {
        vec![self.0.shares().to_string()]
    }

    fn device_notes(&self) -> Vec<DeviceNote> {
        self.0.device_notes()
    }

    fn decided(&self) -> BTreeMap<String, Value> {
        self.0.decided()
    }
}

impl<'a> FrontTask<'a> {
    /// Checks that the algorithm fits the goal and the goal the instance.
    ///
    /// # Errors
    /// [`Error::Usage`] if it does not.
    pub(super) fn new(instance: &'a Instance, algorithm: Algorithm, goal: Goal) -> Result<Self> {
        let Goal::Front(objectives) = goal else {
            return Err(Error::Usage(format!(
                "{goal} is one objective; a front needs several, as in makespan,flowtime"
            )));
        };
        algorithm.check(goal)?;
        goal.check(instance)?;
        let compares_all = exact::is_enumerable(instance, exact::FEW_JOBS);
        Ok(Self { instance, algorithm, objectives, compares_all })
    }

    /// Parameters of a new run with everything automatic resolved; those of a replay as they are.
    ///
    /// # Errors
    /// [`Error::Usage`] if a replay lacks a parameter that the run has resolved.
    fn resolved(&self, run: &Run<'_>) -> Result<Algorithm> {
        let (mut algorithm, instance) = (self.algorithm.clone(), self.instance);
        if run.recorded().is_some() {
            match &algorithm {
                Algorithm::ParetoLocalSearch(parameters) => {
                    check_resolved("explored members (members)", parameters.members)?;
                    check_resolved("chains at the ends (chains)", parameters.chains)?;
                    check_resolved("divisions of the weights (divisions)", parameters.divisions)?;
                }
                Algorithm::Tabu(parameters) => {
                    check_resolved("divisions of the weights (divisions)", parameters.divisions)?;
                    check_resolved("tenure (tenure)", parameters.tenure)?;
                }
                Algorithm::IteratedGreedy(_) => {}
            }
            return Ok(algorithm);
        }
        let (objectives, jobs) = (self.objectives.count(), instance.job_count());
        match &mut algorithm {
            Algorithm::ParetoLocalSearch(parameters) => {
                parameters.resolve(objectives, jobs, instance.machine_count());
                if let Some(steps) = run.steps().filter(|_| parameters.has_phases()) {
                    let half = ((steps as f64 * parameters.greedy / 2.0) as u64).max(1);
                    for phase in [&mut parameters.end_steps, &mut parameters.weight_steps] {
                        *phase = if *phase == 0 { half } else { *phase };
                    }
                }
            }
            Algorithm::Tabu(parameters) => parameters.resolve(objectives, jobs),
            Algorithm::IteratedGreedy(_) => {}
        }
        Ok(algorithm)
    }

    /// Checks that the tables of all searches side by side have room.
    fn check_memory(&self, algorithm: &Algorithm) -> Result<()> {
        let (jobs, machines, objectives) =
            (self.instance.job_count(), self.instance.machine_count(), self.objectives.count());
        let sums = |divisions: u32| lattice_size(objectives, divisions.max(1));
        let searches = match algorithm {
            Algorithm::ParetoLocalSearch(parameters) => {
                let ends = objectives * parameters.chains as usize;
                sums(parameters.divisions).saturating_add(ends).saturating_add(parameters.kicks())
            }
            Algorithm::Tabu(parameters) => sums(parameters.divisions),
            Algorithm::IteratedGreedy(_) => 0,
        };
        let bytes = room::product([searches, jobs, machines + 8, size_of::<u64>()]);
        room::check("the searches along the weights", bytes, "choose fewer divisions (divisions) or chains (chains)")
    }

    /// Operations of a step, roughly.
    fn operations(&self, algorithm: &Algorithm) -> u64 {
        let (jobs, machines) = (self.instance.job_count() as u64, self.instance.machine_count() as u64);
        let sums = |divisions: u32| lattice_size(self.objectives.count(), divisions.max(1)) as u64;
        match algorithm {
            Algorithm::ParetoLocalSearch(parameters) => {
                // The step of a phase, which does more than one of the exploration.
                let descents = if parameters.has_phases() { sums(parameters.divisions) * ROUNDS } else { 0 };
                round(self.instance) * (jobs / 16 + 1) * descents.max(parameters.members.into())
            }
            Algorithm::Tabu(parameters) => {
                let size = Neighbourhood::named(&parameters.neighbourhood).size(self.instance.job_count());
                size * (jobs / 16 + 1) * machines * sums(parameters.divisions)
            }
            Algorithm::IteratedGreedy(_) => 1,
        }
    }

    /// Compares all orders at the end of a run: their front is proven complete, and replaces that of the search if this lacks
    /// members. Returns a note.
    fn compare_all(&self, outcome: &mut SearchOutcome<Front>) -> Option<String> {
        let found = Arc::clone(&outcome.last.as_ref()?.best);
        if !stored::judge(self.instance, &stored::stored(self.instance, &found)).is_ok_and(|judged| judged.feasible) {
            return None;
        }
        outcome.stop_reason = StopReason::Proven;
        let (whole, jobs) = (exact::whole_front(self.instance, &found), self.instance.job_count());
        if whole.points == found.points {
            return Some(format!("all orders of the {jobs} jobs were compared: the front is complete"));
        }
        let known = found.points.iter().filter(|point| whole.points.contains(point)).count();
        let (members, cost) = (whole.points.len(), whole.missing as f64);
        replace_best(outcome, whole, cost);
        Some(format!(
            "the search found {known} of the {members} members of the front; all orders of the {jobs} jobs were then \
             compared: the front is complete"
        ))
    }

    fn pareto(
        &self, parameters: &ParetoParameters, run: &Run<'_>, device: Option<&OpenDevice>,
    ) -> Result<WithShares<ParetoSearch>> {
        let Self { instance, objectives, .. } = self;
        let by_time = run.time_limit().map(|seconds| PhaseLimit::Seconds(run.began, seconds));
        let limit = by_time.or(run.evaluations().map(PhaseLimit::Evaluations));
        let explorer = device.map(|device| {
            let cpu = CpuExplorer {
                shop: Shop::new(instance),
                objectives: *objectives,
                neighbourhood: Neighbourhood::named(&parameters.neighbourhood),
                admission: Admission::named(&parameters.admission),
                control: run.control.clone(),
            };
            let members = parameters.members.max(1) as usize;
            DeviceExplorer::new(instance, cpu, Archiving::Device, members, device.singly(), Tuning::default())
        });
        let explorer = explorer.transpose()?;
        let threads = Arc::clone(&run.threads);
        let search =
            ParetoSearch::new(instance, objectives, parameters, run.seed, limit, threads).with_control(&run.control);
        Ok(WithShares(match explorer {
            Some(explorer) => search.with_explorer(Box::new(explorer)),
            None => search,
        }))
    }

    fn tabu(
        &self, parameters: &TabuParameters, run: &Run<'_>, device: Option<&OpenDevice>,
    ) -> Result<WithShares<TabuSearch>> {
        let threads = Arc::clone(&run.threads);
        let search = TabuSearch::new(self.instance, &self.objectives, parameters, run.seed, threads)
            .with_control(run.control.clone());
        let Some(device) = device else { return Ok(WithShares(search)) };
        let neighbourhood = Neighbourhood::named(&parameters.neighbourhood);
        let (aspiration, trajectories) = (parameters.aspiration, search.trajectories());
        let chooser = DeviceChooser::new(
            self.instance,
            neighbourhood,
            aspiration,
            trajectories,
            device.singly(),
            Tuning::default(),
        )?;
        Ok(WithShares(search.with_chooser(Box::new(chooser))))
    }
}

impl Task for FrontTask<'_> {
    type Solution = Front;

    fn subject(&self) -> Subject<'_> {
        subject(self.instance, Goal::Front(self.objectives), self.algorithm.name())
    }

    fn device_use(&self) -> DeviceUse {
        let (jobs, machines) = (self.instance.job_count(), self.instance.machine_count());
        let mut algorithm = self.algorithm.clone();
        let (neighbourhood, side_by_side) = match &mut algorithm {
            Algorithm::ParetoLocalSearch(parameters) => {
                parameters.resolve(self.objectives.count(), jobs, machines);
                (&parameters.neighbourhood, parameters.members.max(1) as usize)
            }
            Algorithm::Tabu(parameters) => {
                parameters.resolve(self.objectives.count(), jobs);
                let trajectories = lattice_size(self.objectives.count(), parameters.divisions.max(1));
                (&parameters.neighbourhood, trajectories)
            }
            Algorithm::IteratedGreedy(_) => return DeviceUse::TooSmall,
        };
        let size = Neighbourhood::named(neighbourhood).size(jobs);
        let operations = size * (jobs * machines) as u64 / 3 * side_by_side as u64;
        if operations < WORTH_A_DEVICE { DeviceUse::TooSmall } else { DeviceUse::Worthwhile }
    }

    fn start<'s>(&'s self, run: &'s Run<'_>, device: Option<&OpenDevice>) -> Result<Started<'s, Front>> {
        let algorithm = self.resolved(run)?;
        self.check_memory(&algorithm)?;
        let search: Box<dyn Epochs<Solution = Front>> = match &algorithm {
            Algorithm::ParetoLocalSearch(parameters) => Box::new(self.pareto(parameters, run, device)?),
            Algorithm::Tabu(parameters) => Box::new(self.tabu(parameters, run, device)?),
            Algorithm::IteratedGreedy(_) => {
                let what = "greedy minimises one objective; choose pls or tabu for a front";
                return Err(Error::Usage(what.to_owned()));
            }
        };
        Ok(Started::new(search, run.plan(epoch(self.operations(&algorithm))), algorithm.values()))
    }

    /// Checks every member of the front.
    fn judge(&self, outcome: &mut SearchOutcome<Front>) -> Result<Judgement> {
        let is_compared = self.compares_all && is_complete(&outcome.stop_reason);
        let notes = Vec::from_iter(is_compared.then(|| self.compare_all(outcome)).flatten());
        let best = outcome.last.as_ref().map(|last| &last.best);
        let order = best.and_then(|best| best.compromise()).map(|order| order.to_vec()).unwrap_or_default();
        let front = best.map(|best| stored::stored(self.instance, best));
        let judged = front.as_ref().map(|front| stored::judge(self.instance, front)).transpose()?;
        let verdict = match (judged, best) {
            (Some(judged), Some(best)) => {
                // What observers were shown may be the cost of a front before.
                let Front { extent, points, objectives, .. } = &**best;
                let confirmed = extent.missing(points, objectives.count()) == judged.missing;
                Verdict::from(judged).confirmed(confirmed)
            }
            _ => {
                let none = Verdict::of(0.0, Vec::new()).displayed(String::new());
                Verdict { feasible: false, confirmed: false, ..none }
            }
        };
        Ok(Judgement { front, notes, ..Judgement::new(names::encode(self.instance, &order), verdict) })
    }
}

#[cfg(test)]
mod tests {
    use super::FrontTask;
    use crate::multiobjective::{Front, Goal, ParetoParameters, TabuParameters};
    use crate::run::{Algorithm, Settings, replay, solve_front};
    use crate::tests::eight_jobs;
    use crate::{Instance, exact, library};
    use gridwright_core::result::{RunResult, StoredFront};
    use gridwright_core::search::{Budget, Control, StopReason, run};

    fn settings(objectives: &str, algorithm: Algorithm) -> Settings {
        let goal: Goal = objectives.parse().unwrap();
        Settings { goal, threads: 1, ..Settings::of(algorithm, Budget::Steps(3)) }
    }

    fn tabu() -> Algorithm {
        Algorithm::Tabu(TabuParameters::default())
    }

    /// A run whose results are confirmed and replayed, with the points of its front.
    fn solved(instance: &Instance, settings: &Settings) -> (RunResult, StoredFront) {
        let found = solve_front(instance, settings, &Control::new(), &mut |_| {}).unwrap();
        assert!(found.verdict.feasible && found.verdict.confirmed);
        let again = replay(instance, &found, "cpu", 2, &Control::new(), &mut |_| {}).unwrap();
        assert!(again.is_equal(), "{again:?}");
        let front = found.front.clone().unwrap();
        (found, front)
    }

    #[test]
    fn a_front_of_few_jobs_is_complete_whatever_searched_for_it() {
        let pareto = Algorithm::ParetoLocalSearch(ParetoParameters::default());
        for instance in [eight_jobs(), library::sample("workshop").unwrap()] {
            for objectives in
                ["makespan,flowtime", "flowtime,tardiness", "makespan,flowtime,tardiness", "tardy,makespan"]
            {
                let of = |algorithm: &Algorithm, threads| {
                    let settings = Settings { threads, ..settings(objectives, algorithm.clone()) };
                    let (found, front) = solved(&instance, &settings);
                    assert_eq!(found.stop_reason, StopReason::Proven, "{objectives}");
                    assert!(found.notes[0].ends_with("the front is complete"), "{:?}", found.notes);
                    (front, found.digests)
                };
                let first = of(&tabu(), 1);
                assert_eq!(of(&tabu(), 2), first, "{objectives}");
                let values =
                    |front: StoredFront| front.members.into_iter().map(|member| member.values).collect::<Vec<_>>();
                assert_eq!(values(of(&pareto, 2).0), values(first.0), "{objectives}");
            }
        }
    }

    #[test]
    fn a_front_without_the_comparison_of_all_orders_is_replayed_without_it() {
        let (instance, settings) = (eight_jobs(), settings("flowtime,tardiness", tabu()));
        let mut task = FrontTask::new(&instance, tabu(), settings.goal).unwrap();
        task.compares_all = false;
        let found = run::solve(&task, &settings, (&Control::new()).into(), &mut |_| {}).unwrap();
        assert_eq!(found.stop_reason, StopReason::Budget);
        let again = replay(&instance, &found, "cpu", 1, &Control::new(), &mut |_| {}).unwrap();
        assert!(again.is_equal(), "{again:?}");
        let (whole, front) = solved(&instance, &settings);
        assert!(front.members.len() > found.front.unwrap().members.len(), "three steps miss members");
        assert!(whole.digests == found.digests && whole.verdict.cost <= found.verdict.cost);
        assert!(whole.notes[0].starts_with("the search found "), "{:?}", whole.notes);
    }

    #[test]
    fn a_cancelled_search_for_a_front_of_few_jobs_stays_cancelled() {
        let (instance, control) = (eight_jobs(), Control::new());
        let mut last: Option<std::sync::Arc<Front>> = None;
        let observer = &mut |progress: &gridwright_core::search::Progress<Front>| {
            last = Some(std::sync::Arc::clone(&progress.snapshot.best));
            control.cancel();
        };
        let found = solve_front(&instance, &settings("flowtime,tardiness", tabu()), &control, observer).unwrap();
        let shown = last.unwrap();
        assert_eq!(found.stop_reason, StopReason::Cancelled);
        assert_eq!(found.front.unwrap().members.len(), shown.points.len());
        assert!(exact::whole_front(&instance, &shown).points != shown.points, "members are missing");
    }

    #[test]
    fn nine_jobs_are_too_many_for_a_whole_front() {
        let instance = Instance::of_times("nine", 1, (1..=9).collect()).unwrap();
        let found =
            solve_front(&instance, &settings("makespan,flowtime", tabu()), &Control::new(), &mut |_| {}).unwrap();
        assert_eq!(found.stop_reason, StopReason::Budget);
    }
}
