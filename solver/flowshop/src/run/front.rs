//! Start of a search for a front, and check of the result.

use std::collections::BTreeMap;
use std::sync::Arc;

use gridwright_kernels::front::Tuning;

use super::{Algorithm, ROUNDS, epoch, round, subject};
use crate::Instance;
use crate::multiobjective::cuda::{Archiving, DeviceChooser, DeviceExplorer};
use crate::multiobjective::evaluation::Shop;
use crate::multiobjective::exploration::{Admission, Neighbourhood};
use crate::multiobjective::explorer::CpuExplorer;
use crate::multiobjective::pls::{ParetoSearch, PhaseLimit};
use crate::multiobjective::tabu::TabuSearch;
use crate::multiobjective::weights::lattice_size;
use crate::multiobjective::{Front, FrontSearch, Goal, Objectives, ParetoParameters, TabuParameters, stored};
use crate::stored as names;
use gridwright_core::backend::OpenDevice;
use gridwright_core::replay::check_resolved;
use gridwright_core::result::Verdict;
use gridwright_core::search::run::{DeviceUse, Judgement, Run, Started, Subject, Task};
use gridwright_core::search::{Algorithms, Epochs, NotedImprovement, SearchOutcome, Snapshot, Value, room};
use gridwright_core::{Error, Result};

/// Operations of the neighbourhoods of a step below which `auto` leaves them to the CPU: it is done before a device has answered.
const WORTH_A_DEVICE: u64 = 1 << 20;

pub(super) struct FrontTask<'a> {
    instance: &'a Instance,
    algorithm: Algorithm,
    objectives: Objectives,
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
        [vec![self.0.shares().to_string()], self.0.notes()].concat()
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
        Ok(Self { instance, algorithm, objectives })
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
        Ok(Judgement { front, ..Judgement::new(names::encode(self.instance, &order), verdict) })
    }
}
