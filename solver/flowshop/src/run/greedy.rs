//! Start of iterated greedy, on the CPU or on a device, and check of the result.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use gridwright_kernels::greedy::Tuning;

use super::{Algorithm, ROUNDS, epoch, is_complete, replace_best, round, subject};
use crate::beam::{self, Beams, Shop};
use crate::check::check;
use crate::greedy::beam_start::BeamThenChains;
use crate::greedy::cpu::CpuGreedy;
use crate::greedy::cuda::{self, CudaGreedy};
use crate::greedy::population::{GreedyInputs, kept};
use crate::greedy::{IteratedGreedyParameters, Start};
use crate::insertion::FlowShopProblem;
use crate::multiobjective::Goal;
use crate::neh::neh_within;
use crate::stored;
use crate::{Instance, Objective, Order, bounds, exact};
use gridwright_core::backend::OpenDevice;
use gridwright_core::replay::check_resolved;
use gridwright_core::search::failover::FailoverSearch;
use gridwright_core::search::run::{DeviceUse, Judgement, Run, Started, Subject, Task};
use gridwright_core::search::{Epochs, Parameters, SearchOutcome, StopReason, room};
use gridwright_core::{Error, Result, numbers};

/// Chains where the person does not say under a budget of steps.
const CHAINS: u32 = 4;

/// The width of a beam that is asked for without one, under a budget of steps.
const WIDTH: u32 = 1_024;

/// Memory that a beam may take.
const MEMORY: u64 = 8 << 30;

/// The share of a time limit that beams may take.
const SHARE: f64 = 0.5;

/// Beams for the flow time are worth their time from so many jobs on: below, chains that begin with them end higher than those that
/// begin with NEH and have all the time.
const WORTH_A_BEAM: usize = 100;

/// Bytes of a chain's tables per job and machine: heads, tails, times, and heads of orders side by side.
const TABLE_BYTES: usize = 3 * size_of::<u32>() + size_of::<[u32; 16]>();

/// Under `auto` the CPU does what has fewer jobs: it is done before a device is ready.
pub(super) const WORTH_A_DEVICE: usize = 20;

/// Why a device is not used where there are set-ups.
const SETUPS_ON_CPU: &str =
    "set-up times between jobs are evaluated on the CPU only; choose the CPU (--backend cpu), or auto";

/// Why a device is not used where there are rules for the order.
const RULES_ON_CPU: &str =
    "rules for the order of jobs are searched on the CPU only; choose the CPU (--backend cpu), or auto";

/// Why a device is not used in real time.
const CLOCKS_ON_CPU: &str = "working times, ready times and transport of machines are evaluated on the CPU only; choose the CPU \
                             (--backend cpu), or auto";

pub(super) struct GreedyTask<'a> {
    instance: &'a Instance,
    parameters: IteratedGreedyParameters,
    objective: Objective,
    /// Order of all jobs to begin with.
    start: Option<&'a [u16]>,
    /// True if the run ends with the comparison of all orders where the jobs are few.
    pub(super) compares_all: bool,
    /// Order of NEH and its cost, once constructed.
    neh: OnceLock<(Vec<u16>, u64)>,
}

/// Parameters with everything automatic resolved for what computes.
struct Resolved {
    parameters: IteratedGreedyParameters,
    /// Steps of an epoch.
    epoch: u32,
    /// Time for beams, where the clock decides how wide they get.
    beams_within: Option<Duration>,
}

impl<'a> GreedyTask<'a> {
    /// Checks that the algorithm fits the goal and the goal the instance.
    ///
    /// # Errors
    /// [`Error::Usage`] if it does not.
    pub(super) fn new(
        instance: &'a Instance, algorithm: &Algorithm, goal: Goal, start: Option<&'a [u16]>,
    ) -> Result<Self> {
        algorithm.check(goal)?;
        goal.check(instance)?;
        instance.rules.check(instance)?;
        let (Algorithm::IteratedGreedy(parameters), Goal::One(objective)) = (algorithm, goal) else {
            return Err(Error::Usage("this algorithm looks for a front of several objectives".to_owned()));
        };
        let compares_all = exact::is_enumerable(instance, exact::MOST_JOBS);
        Ok(Self { instance, parameters: parameters.clone(), objective, start, compares_all, neh: OnceLock::new() })
    }

    fn resolved(&self, run: &Run<'_>, device: Option<&OpenDevice>) -> Result<Resolved> {
        let (instance, objective) = (self.instance, self.objective);
        if let Some(plan) = run.recorded() {
            check_resolved("number of chains (chains)", self.parameters.chains)?;
            return Ok(Resolved { parameters: self.parameters.clone(), epoch: plan.epoch, beams_within: None });
        }
        let mut parameters = self.parameters.resolved(instance, objective);
        if let Some(device) = device {
            cuda::resolve(&mut device.runtime.clone(), instance, objective, &mut parameters)?;
        } else if parameters.chains == 0 {
            let is_timed = run.time_limit().is_some();
            parameters.chains = if is_timed { run.threads.current_num_threads() as u32 } else { CHAINS };
        }
        let beams_within = self.resolve_start(&mut parameters, run.time_limit())?;
        let epoch = if device.is_some() && run.evaluations().is_none() {
            cuda::epoch(instance, objective, parameters.chains)
        } else {
            let again = if objective == Objective::Makespan { 3 } else { instance.job_count() as u64 / 16 + 1 };
            epoch(round(instance) * again * ROUNDS)
        };
        Ok(Resolved { parameters, epoch, beams_within })
    }

    /// Decides whether there are beams, and how wide they may get; for how long, where that is left to the clock.
    ///
    /// # Errors
    /// [`Error::Usage`] where beams are asked for that there cannot be.
    fn resolve_start(
        &self, parameters: &mut IteratedGreedyParameters, seconds: Option<f64>,
    ) -> Result<Option<Duration>> {
        let objective = self.objective;
        let shop = match self.start {
            None => Shop::of(self.instance, objective),
            Some(_) => Err("there is an order to begin with already".to_owned()),
        };
        let wanted = match parameters.start {
            Start::Automatic => {
                let is_worth = objective != Objective::FlowTime || self.instance.job_count() >= WORTH_A_BEAM;
                seconds.is_some() && shop.is_ok() && is_worth
            }
            Start::Neh => false,
            Start::Beam => true,
        };
        if !wanted {
            (parameters.start, parameters.width) = (Start::Neh, 0);
            return Ok(None);
        }
        let shop = shop.map_err(|why| Error::Usage(format!("{why}; choose start=neh")))?;
        let by_clock = seconds.filter(|_| parameters.width == 0);
        parameters.start = Start::Beam;
        if parameters.width == 0 {
            parameters.width = if by_clock.is_some() { beam::widest(&shop) } else { WIDTH };
        }
        let (width, needed) = (parameters.width, beam::bytes(&shop, parameters.width));
        if needed > MEMORY {
            let (needed, limit) = (numbers::grouped(needed >> 20), numbers::grouped(MEMORY >> 20));
            return Err(Error::Usage(format!(
                "a beam of {width} partial orders would take {needed} MiB, more than {limit}; choose a smaller width"
            )));
        }
        Ok(by_clock.map(|seconds| Duration::try_from_secs_f64(SHARE * seconds).unwrap_or(Duration::MAX)))
    }

    /// Lower bound of the objective, which proves an order that meets it optimal.
    fn bound(&self) -> u64 {
        bounds::lower_bound(self.instance, self.objective)
    }

    /// Checks that the tables of all chains have room.
    fn check_memory(&self, parameters: &IteratedGreedyParameters) -> Result<()> {
        let (jobs, machines) = (self.instance.job_count(), self.instance.machine_count());
        let bytes = room::product([parameters.chains as usize, jobs, machines, TABLE_BYTES]);
        room::check("the chains", bytes, "choose fewer chains (chains)")
    }

    /// Order of NEH and its cost, as far as the time allows; constructed once.
    fn neh(&self, run: &Run<'_>) -> &(Vec<u16>, u64) {
        self.neh.get_or_init(|| {
            let problem = FlowShopProblem::new(self.instance, self.objective);
            kept(self.instance, &problem, neh_within(&problem, &run.construction))
        })
    }

    /// Compares all orders at the end of a run: the best one is proven optimal, and replaces that of the search if it is
    /// better. Returns a note in that case.
    fn compare_all(&self, outcome: &mut SearchOutcome<Order>) -> Option<String> {
        let last = outcome.last.as_ref()?;
        let verdict = check(self.instance, &last.best.0);
        let found =
            verdict.value(self.objective).filter(|&found| verdict.feasible && found as f64 == last.best_cost)?;
        outcome.stop_reason = StopReason::Proven;
        let (order, cost) = exact::order_below(self.instance, self.objective, found)?;
        replace_best(outcome, Arc::new(Order(order)), cost as f64);
        let (jobs, found) = (self.instance.job_count(), numbers::grouped(found));
        Some(format!(
            "the search ended at {found}; all orders of the {jobs} jobs were then compared, and this is the best"
        ))
    }

    /// Returns the beams whose best order the chains begin with; `None` without beams.
    fn beams(&self, resolved: &Resolved, run: &Run<'_>) -> Option<Beams> {
        if resolved.parameters.start != Start::Beam || self.start.is_some() {
            return None;
        }
        let (order, cost) = self.neh(run).clone();
        let shop = Shop::of(self.instance, self.objective).ok()?;
        let beams = Beams::new(shop, resolved.parameters.width, order, cost, Arc::clone(&run.threads));
        let beams = beams.with_control(&run.control);
        Some(match resolved.beams_within {
            Some(limit) => beams.within(limit),
            None => beams,
        })
    }
}

impl Task for GreedyTask<'_> {
    type Solution = Order;

    fn subject(&self) -> Subject<'_> {
        subject(self.instance, Goal::One(self.objective), "greedy")
    }

    fn device_use(&self) -> DeviceUse {
        match self.instance.job_count() {
            _ if !self.instance.rules.is_empty() => DeviceUse::Never(RULES_ON_CPU),
            _ if self.instance.setups.is_some() => DeviceUse::Never(SETUPS_ON_CPU),
            _ if !FlowShopProblem::new(self.instance, self.objective).fits_devices() => DeviceUse::Never(CLOCKS_ON_CPU),
            jobs if jobs < WORTH_A_DEVICE => DeviceUse::TooSmall,
            _ => DeviceUse::Worthwhile,
        }
    }

    fn start<'s>(&'s self, run: &'s Run<'_>, device: Option<&OpenDevice>) -> Result<Started<'s, Order>> {
        let &Self { instance, objective, start, .. } = self;
        let resolved = self.resolved(run, device)?;
        let (parameters, threads, seed) = (&resolved.parameters, Arc::clone(&run.threads), run.seed);
        if device.is_none() {
            self.check_memory(parameters)?;
        }
        let beams = self.beams(&resolved, run);
        let start = Some(start.unwrap_or_else(|| &self.neh(run).0));
        let search: Box<dyn Epochs<Solution = Order>> = match device {
            Some(device) => {
                let begin = GreedyInputs { instance, objective, parameters, start, seed };
                let chains = CudaGreedy::new(&begin, threads, device.runtime.clone(), Tuning::default())?;
                Box::new(BeamThenChains::new(beams, FailoverSearch::new(chains, run.control.clone())))
            }
            None => {
                let chains = CpuGreedy::new(instance, objective, parameters, start, seed, threads)
                    .with_control(run.control.clone());
                Box::new(BeamThenChains::new(beams, chains))
            }
        };
        let mut plan = run.plan(resolved.epoch);
        if run.recorded().is_none() {
            // Nothing is better than the bound: the search ends there.
            let bound = self.bound() as f64;
            plan.target = Some(plan.target.map_or(bound, |target| target.max(bound)));
        }
        Ok(Started::new(search, plan, parameters.values()))
    }

    fn judge(&self, outcome: &mut SearchOutcome<Order>) -> Result<Judgement> {
        let is_compared = self.compares_all && is_complete(&outcome.stop_reason);
        let notes = Vec::from_iter(is_compared.then(|| self.compare_all(outcome)).flatten());
        let (order, reported) = match &outcome.last {
            Some(last) => (last.best.0.clone(), last.best_cost),
            None => (Vec::new(), 0.0),
        };
        let checked = check(self.instance, &order);
        let verdict = checked.stored(self.objective);
        let confirmed = reported == verdict.cost;
        let is_end = matches!(outcome.stop_reason, StopReason::Target | StopReason::Budget | StopReason::TimeLimit);
        if is_end && verdict.feasible && confirmed && verdict.cost <= self.bound() as f64 {
            outcome.stop_reason = StopReason::Proven;
        }
        let judgement = Judgement::new(stored::encode(self.instance, &order), verdict.confirmed(confirmed));
        Ok(Judgement { demands: stored::demands(self.instance, self.start), notes, ..judgement })
    }
}

#[cfg(test)]
mod tests {
    use super::GreedyTask;
    use crate::multiobjective::Goal;
    use crate::run::{Algorithm, Settings, replay, solve};
    use crate::tests::eight_jobs;
    use crate::{Instance, Objective, bounds, library};
    use gridwright_core::result::RunResult;
    use gridwright_core::search::{Budget, Control, Stop, StopReason, run};

    fn settings(objective: Objective) -> Settings {
        let goal = Goal::One(objective);
        Settings { goal, ..Settings::of(Algorithm::for_goal(goal), Budget::Steps(5_000)) }
    }

    /// Due dates that can all be kept: nothing is better than no lateness.
    #[test]
    fn no_lateness_is_proven_optimal_and_ends_the_search() {
        let mut instance = library::sample("workshop").unwrap();
        instance.jobs.iter_mut().for_each(|job| job.due = Some(150));
        for objective in [Objective::Tardiness, Objective::Tardy] {
            let found = solve(&instance, &settings(objective), &Control::new(), &mut |_| {}).unwrap();
            assert_eq!((found.verdict.cost, found.stop_reason.clone()), (0.0, StopReason::Proven), "{objective}");
            assert!(found.generations < 5_000, "{objective}");
            let again = replay(&instance, &found, "cpu", 1, &Control::new(), &mut |_| {}).unwrap();
            assert!(again.is_equal(), "{objective}");
        }
    }

    /// A header may state any bound; only the computed one ends the search.
    #[test]
    fn a_stated_bound_proves_nothing() {
        let mut instance = Instance::of_times("example", 2, vec![3, 2, 1, 4, 2, 2]).unwrap();
        instance.best_known.makespan_lower = Some(1_000);
        let found = solve(&instance, &settings(Objective::Makespan), &Control::new(), &mut |_| {}).unwrap();
        assert_eq!(found.verdict.cost, bounds::lower_bound(&instance, Objective::Makespan) as f64);
        assert_eq!(found.stop_reason, StopReason::Proven);
    }

    fn solved(instance: &Instance, settings: &Settings) -> RunResult {
        let found = solve(instance, settings, &Control::new(), &mut |_| {}).unwrap();
        assert!(found.verdict.feasible && found.verdict.confirmed);
        let again = replay(instance, &found, "cpu", 2, &Control::new(), &mut |_| {}).unwrap();
        assert!(again.is_equal(), "{again:?}");
        found
    }

    /// Iterated greedy ends at 19,264 under each of these limits; the optimum is 19,237.
    #[test]
    fn a_run_on_few_jobs_ends_with_the_optimum_whatever_ends_its_search() {
        let instance = eight_jobs();
        let usual = settings(Objective::FlowTime);
        let [target, stall] = [(Some(1e6), None), (None, Some(1))];
        let stop = |budget, (target, stall)| Stop { budget, target, stall };
        let stops = [
            Stop::after(Budget::Steps(50)),
            Stop::after(Budget::Evaluations(5_000)),
            Stop::after(Budget::Seconds(0.05)),
            stop(Budget::Steps(5_000), target),
            stop(Budget::Steps(5_000), stall),
        ];
        let mut orders = Vec::new();
        for stop in stops {
            for (seed, threads) in [(1, 1), (2, 2), (3, 8)] {
                let settings = Settings { seed, threads, stop: stop.clone(), ..usual.clone() };
                let found = solved(&instance, &settings);
                assert_eq!(
                    (found.verdict.cost, &found.stop_reason),
                    (19_237.0, &StopReason::Proven),
                    "{stop:?}, {seed}"
                );
                assert_eq!(found.improvements.last().unwrap().cost, 19_237.0);
                assert_eq!(found.curve.last().unwrap().best, 19_237.0);
                assert!(found.notes[0].contains("19\u{2009}264; all orders of the 8 jobs"), "{:?}", found.notes);
                orders.push(found.solution);
            }
        }
        assert!(orders.windows(2).all(|two| two[0] == two[1]), "the first best order in lexicographic order");
    }

    #[test]
    fn every_objective_of_few_jobs_is_proven_the_same_on_any_number_of_threads() {
        let sources = [eight_jobs(), library::sample("workshop").unwrap()];
        for (instance, objective) in sources.iter().flat_map(|shop| Objective::ALL.map(|objective| (shop, objective))) {
            let of = |threads| {
                let stop = Stop::after(Budget::Steps(20));
                let found = solved(instance, &Settings { threads, stop, ..settings(objective) });
                assert_eq!(found.stop_reason, StopReason::Proven, "{objective}");
                (found.verdict.cost, found.solution, found.digests, found.notes)
            };
            let first = of(1);
            assert!(of(2) == first && of(8) == first, "{objective}");
        }
    }

    /// Results of earlier versions ended where the search ended, and their replays do so, too.
    #[test]
    fn a_result_without_the_comparison_of_all_orders_is_replayed_without_it() {
        let (instance, settings) = (eight_jobs(), settings(Objective::FlowTime));
        let settings = Settings { stop: Stop::after(Budget::Steps(50)), ..settings };
        let mut task = GreedyTask::new(&instance, &settings.algorithm, settings.goal, None).unwrap();
        task.compares_all = false;
        let found = run::solve(&task, &settings, (&Control::new()).into(), &mut |_| {}).unwrap();
        assert_eq!((found.verdict.cost, &found.stop_reason), (19_264.0, &StopReason::Budget));
        let again = replay(&instance, &found, "cpu", 1, &Control::new(), &mut |_| {}).unwrap();
        assert!(again.is_equal(), "{again:?}");
        assert_eq!(solved(&instance, &settings).digests, found.digests, "the search is the same");
    }

    #[test]
    fn a_cancelled_run_on_few_jobs_stays_cancelled() {
        let (instance, control) = (eight_jobs(), Control::new());
        let found = solve(&instance, &settings(Objective::FlowTime), &control, &mut |_| control.cancel()).unwrap();
        assert_eq!(found.stop_reason, StopReason::Cancelled);
        assert!(
            found.verdict.cost > 19_237.0 && found.verdict.confirmed && found.notes.is_empty(),
            "{:?}",
            found.notes
        );
        let again = replay(&instance, &found, "cpu", 1, &Control::new(), &mut |_| {}).unwrap();
        assert!(again.is_equal(), "{again:?}");
    }
}
