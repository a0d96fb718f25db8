//! One solve from settings to result, for every problem.
//!
//! A problem describes a solve as a [`Task`]: it builds the search on the CPU or on a device and checks what was found.
//! Everything else stands here once: the time limit that becomes a budget of steps, opening of the device and the reason
//! why it was not used, the CPU in place of a device that refuses, the driver loop, notes, the [`RunResult`], the replay.
//!
//! Backend rules. `cpu`: no device is opened. `cuda:N`, `cuda:N,M` and `cuda:all`: a device that cannot be opened or cannot
//! hold the run is an [`Error::Device`]. `auto`: device 0 where it is worth it; if it is present but cannot be used, a note
//! says why. A device of several that is lost during a run hands its share to the others; the last one is the matter of the
//! search, which continues on the CPU. The numbers do not depend on it.

pub mod algorithms;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::checkpoint::Clock;
use super::driver::{self, Plan};
use super::{Budget, Construction, Control, Epochs, Progress, SearchOutcome, Stop, StopReason, Value};
use crate::backend::{self, Available, Backend, DeviceNote, OpenDevice, Opener};
use crate::replay::ReplayReport;
use crate::result::{Encoded, FORMAT, InstanceReference, RunResult, StoredFront, Verdict};
use crate::{Error, Result};

pub use algorithms::{AlgorithmDescriptor, Algorithms, algorithms};

/// Everything that a run depends on beside the instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings<A, G = ()> {
    /// Algorithm and its parameters.
    pub algorithm: A,
    /// Choice of the problem that is no parameter of the algorithm, such as the objective of a flow shop; version 0.2.0
    /// stored it under the name `objective` or `orientation`.
    #[serde(default, alias = "objective", alias = "orientation")]
    pub goal: G,
    /// `auto`, `cpu` or `cuda:N`.
    pub backend: String,
    /// Threads of the CPU; 0: all.
    pub threads: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Stopping criteria.
    pub stop: Stop,
}

/// Handles of the caller that a run uses but that its numbers do not depend on.
#[derive(Clone, Copy)]
pub struct Environment<'a> {
    /// Pauses and cancels the run.
    pub control: &'a Control,
    /// Opens devices.
    pub open: &'a Opener<'a>,
}

impl<'a> From<&'a Control> for Environment<'a> {
    fn from(control: &'a Control) -> Self {
        Self { control, open: &backend::open_cuda }
    }
}

/// Extent of a run.
#[derive(Debug, Clone)]
enum Course {
    /// Until a stopping criterion holds.
    New(Stop),
    /// Exactly as far as a recorded run went.
    Recorded(Plan),
}

/// A run in progress, as a [`Task`] sees it.
pub struct Run<'a> {
    /// Seed of all random numbers.
    pub seed: u64,
    /// Threads of the CPU.
    pub threads: Arc<rayon::ThreadPool>,
    /// Pauses and cancels the run; interrupts steps that go on for [`OVERTIME`] beyond the time limit.
    pub control: Control,
    /// Limits the construction of first solutions.
    pub construction: Construction,
    /// Start of the run; the time limit counts from here.
    pub began: Instant,
    /// Time that the run was paused for before its start.
    paused_before: Duration,
    backend: Backend,
    open: &'a Opener<'a>,
    course: Course,
}

/// Time beyond the limit after which a step is abandoned. Epochs are so short that hardly a run needs it.
pub const OVERTIME: Duration = Duration::from_millis(200);

/// Reason why no device has an algorithm that is written for the CPU only, with the remedy.
pub const CPU_ONLY: &str = "only the CPU has this algorithm; choose --backend cpu";

/// Use that a run can make of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceUse {
    /// Only the CPU has this algorithm; the text says so, with the remedy.
    Never(&'static str),
    /// The CPU is done before a device is ready: `auto` leaves the run to the CPU.
    TooSmall,
    /// Worth opening a device.
    Worthwhile,
}

/// A search before its first epoch, the device that it uses (`None`: the CPU), and notes on devices that were left alone.
type StartedOn<'a, S> = (Started<'a, S>, Option<OpenDevice>, Vec<DeviceNote>);

/// A search before its first epoch.
pub struct Started<'a, S> {
    /// The search.
    pub search: Box<dyn Epochs<Solution = S> + 'a>,
    /// Budget and epochs.
    pub plan: Plan,
    /// Parameters by name, with everything automatic resolved.
    pub parameters: BTreeMap<String, Value>,
}

impl<'a, S: Send + Sync> Started<'a, S> {
    /// A search with its plan and its resolved parameters.
    pub fn new(search: impl Epochs<Solution = S> + 'a, plan: Plan, parameters: BTreeMap<String, Value>) -> Self {
        Self { search: Box::new(search), plan, parameters }
    }
}

/// Instance and algorithm as a result names them.
#[derive(Debug)]
pub struct Subject<'a> {
    /// Identifier of the problem, such as `timetabling`.
    pub problem: &'static str,
    /// Name of the instance.
    pub name: &'a str,
    /// SHA-256 of the files of the instance.
    pub hash: &'a str,
    /// Choices beyond the files and the algorithm, by name.
    pub options: BTreeMap<String, String>,
    /// Name of the algorithm.
    pub algorithm: &'static str,
}

/// Report on the best solution, by the independent checker.
#[derive(Debug)]
pub struct Judgement {
    /// The solution in terms of the instance's own names.
    pub solution: Encoded,
    /// Verdict of the checker.
    pub verdict: Verdict,
    /// Messages for the user.
    pub notes: Vec<String>,
    /// Demands beyond the instance's own constraints.
    pub demands: Option<Encoded>,
    /// All solutions of a search with several objectives.
    pub front: Option<StoredFront>,
}

impl Judgement {
    /// Report on a solution without notes, demands and front.
    pub fn new(solution: Encoded, verdict: Verdict) -> Self {
        Self { solution, verdict, notes: Vec::new(), demands: None, front: None }
    }
}

/// One solve of one problem by one of its algorithms.
pub trait Task {
    /// Type of the solutions, as the search and its observer see them.
    type Solution: Send + Sync;

    /// Returns what is solved and by which algorithm.
    fn subject(&self) -> Subject<'_>;

    /// Returns which use the run can make of a device: by default none.
    fn device_use(&self) -> DeviceUse {
        DeviceUse::Never(CPU_ONLY)
    }

    /// Does what comes before a device is opened; returns a finished search if there is nothing left to search.
    ///
    /// # Errors
    /// [`Error::Usage`] if the settings do not fit the instance.
    fn prepare<'s>(&'s self, _run: &'s Run<'_>) -> Result<Option<Started<'s, Self::Solution>>> {
        Ok(None)
    }

    /// Builds the search on `device`, or on the CPU for `None`. A new run resolves automatic parameters; a replay
    /// ([`Run::recorded`]) takes them as they are.
    ///
    /// # Errors
    /// [`Error::Usage`] if the settings do not fit the instance, [`Error::Device`] if the device cannot hold the run,
    /// [`Error::Cancelled`] if the run was interrupted before a first solution was there.
    fn start<'s>(&'s self, run: &'s Run<'_>, device: Option<&OpenDevice>) -> Result<Started<'s, Self::Solution>>;

    /// Checks the best solution. `outcome.stop_reason` may be replaced, as by a proof.
    ///
    /// # Errors
    /// [`Error::Usage`] if the solution cannot be checked at all.
    fn judge(&self, outcome: &mut SearchOutcome<Self::Solution>) -> Result<Judgement>;
}

/// Observer of a run, called after every epoch in the thread of the caller.
pub type Observer<'a, S> = dyn FnMut(&Progress<S>) + 'a;

impl<'a> Run<'a> {
    fn new(backend: &str, threads: usize, seed: u64, course: Course, environment: Environment<'a>) -> Result<Self> {
        let began = Instant::now();
        let (backend, threads) = (Backend::named(backend)?, backend::thread_pool(threads)?);
        let Environment { control, open } = environment;
        let construction = match &course {
            Course::New(_) => Construction::within(control, course.time_limit()),
            Course::Recorded(plan) => Construction::recorded(control, plan.constructed),
        };
        let limit = course.time_limit().map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
        let paused_before = control.paused_time();
        let control = limit.map_or_else(|| control.clone(), |limit| control.within(limit.saturating_add(OVERTIME)));
        Ok(Self { seed, threads, control, construction, began, paused_before, backend, open, course })
    }

    /// Plan of a run with epochs of `epoch` steps; a replay keeps the recorded plan.
    pub fn plan(&self, epoch: u32) -> Plan {
        match &self.course {
            Course::New(stop) => Plan {
                steps: self.steps(),
                evaluations: self.evaluations(),
                epoch,
                seconds: self.time_limit(),
                target: stop.target,
                stall: stop.stall,
                ..Plan::default()
            },
            Course::Recorded(plan) => plan.clone(),
        }
    }

    /// Budget of steps; `None` under another limit.
    pub fn steps(&self) -> Option<u64> {
        match &self.course {
            Course::New(Stop { budget: Budget::Steps(steps), .. }) => Some(*steps),
            Course::New(_) => None,
            Course::Recorded(plan) => plan.steps,
        }
    }

    /// Budget of evaluations; `None` under another limit. The numbers of a run with one must depend on the evaluations so far
    /// and on nothing else that differs between backends, epochs included.
    pub fn evaluations(&self) -> Option<u64> {
        match &self.course {
            Course::New(Stop { budget: Budget::Evaluations(count), .. }) => Some(*count),
            Course::New(_) => None,
            Course::Recorded(plan) => plan.evaluations,
        }
    }

    /// Time limit in seconds; `None` for another limit and for replays, which need no clock.
    pub fn time_limit(&self) -> Option<f64> {
        self.course.time_limit()
    }

    /// Time since the start, pauses left out.
    fn elapsed(&self) -> Duration {
        self.began.elapsed().saturating_sub(self.control.paused_time().saturating_sub(self.paused_before))
    }

    /// Plan of the run that is replayed; `None` for a new run.
    pub fn recorded(&self) -> Option<&Plan> {
        match &self.course {
            Course::New(_) => None,
            Course::Recorded(plan) => Some(plan),
        }
    }

    /// Opens the device that the run should use.
    fn device(&self, device_use: DeviceUse) -> Result<Available> {
        match (device_use, &self.backend) {
            (DeviceUse::Never(why), Backend::Cuda(_) | Backend::Several(_)) => Err(Error::Device(why.to_owned())),
            (DeviceUse::Never(_), _) | (DeviceUse::TooSmall, Backend::Auto) => Ok(Available::default()),
            _ => self.backend.open_through(self.open),
        }
    }

    /// Starts the task on the device that is there, or on the CPU.
    fn start<'s, T: Task>(&'s self, task: &'s T) -> Result<StartedOn<'s, T::Solution>> {
        if let Some(finished) = task.prepare(self)? {
            return Ok((finished, None, Vec::new()));
        }
        let Available { device, left_alone } = self.device(task.device_use())?;
        let mut notes = Vec::from_iter(left_alone);
        if let Some(device) = device {
            match task.start(self, Some(&device)) {
                Err(Error::Device(why)) if self.backend == Backend::Auto => {
                    notes.push(DeviceNote::left_alone(&device.name, &why));
                }
                started => return Ok((started?, Some(device), notes)),
            }
        }
        Ok((task.start(self, None)?, None, notes))
    }

    /// Runs the task to its end, checks what was found and records everything.
    fn finish<T: Task>(&self, task: &T, observer: &mut Observer<'_, T::Solution>) -> Result<RunResult> {
        let (started, device, left_alone) = match self.start(task) {
            Err(Error::Cancelled) => return self.ended_before_the_first_solution(task),
            started => started?,
        };
        let Started { mut search, mut plan, mut parameters } = started;
        plan.constructed = self.construction.cut();
        let mut clock = Clock::new(&self.control);
        let mut observe = |progress: &Progress<T::Solution>| {
            observer(progress);
            clock.observe(progress, || self.checkpoint(task, progress, (&plan, &parameters), device.as_ref()));
        };
        let mut outcome = driver::run(&mut search, &plan, &self.control, self.elapsed(), &mut observe);
        if let Some(stages) = search.stages() {
            // Under a time limit the clock allotted the steps: they are used up when the time is.
            if self.time_limit().is_some() && outcome.stop_reason == StopReason::Budget {
                outcome.stop_reason = StopReason::TimeLimit;
            }
            plan.steps = plan.steps.or(self.steps()).or(outcome.last.as_ref().map(|last| last.step));
            plan.stages = stages;
        }
        outcome.stop_reason = search.stop_reason(outcome.stop_reason);
        parameters.extend(search.decided());
        let lost = device.as_ref().map(|device| device.losses.all()).unwrap_or_default();
        let lost = search.device_notes().into_iter().chain(lost.into_iter().map(DeviceNote::from));
        let device_notes = lost.chain(left_alone).collect();
        let result = self.result(task, outcome, (plan, parameters), device.as_ref(), search.notes())?;
        Ok(RunResult { device_notes, ..result })
    }

    /// Result of a run that was interrupted while it constructed, where the problem has no simpler solution.
    fn ended_before_the_first_solution<T: Task>(&self, task: &T) -> Result<RunResult> {
        let (stop_reason, seconds) = (driver::interruption(&self.control), self.elapsed().as_secs_f64());
        let (curve, improvements, digests) = (Vec::new(), Vec::new(), Vec::new());
        let outcome = SearchOutcome { last: None, stop_reason, seconds, curve, improvements, digests };
        let note = "the run ended before its first solution was complete; allow more time";
        self.result(task, outcome, (self.plan(1), BTreeMap::new()), None, vec![note.to_owned()])
    }

    /// Checks what was found and records everything.
    fn result<T: Task>(
        &self, task: &T, mut outcome: SearchOutcome<T::Solution>, (plan, parameters): (Plan, BTreeMap<String, Value>),
        device: Option<&OpenDevice>, run_notes: Vec<String>,
    ) -> Result<RunResult> {
        let (generations, evaluations) = outcome.last.as_ref().map_or((0, 0), |last| (last.step, last.evaluations));
        let Judgement { solution, verdict, mut notes, demands, front } = task.judge(&mut outcome)?;
        notes.extend(run_notes);
        let (backend, device) = match device {
            Some(device) => (device.id.clone(), device.name.clone()),
            None => ("cpu".to_owned(), format!("CPU, {}", backend::vector_unit())),
        };
        let Subject { problem, name, hash, options, algorithm } = task.subject();
        Ok(RunResult {
            format: FORMAT,
            program: format!("gridwright {}", env!("CARGO_PKG_VERSION")),
            problem: problem.to_owned(),
            instance: InstanceReference {
                name: name.to_owned(),
                source: name.to_owned(),
                hash: hash.to_owned(),
                options,
            },
            algorithm: algorithm.to_owned(),
            parameters,
            seed: self.seed,
            backend,
            device,
            threads: self.threads.current_num_threads(),
            plan,
            time_limit: self.time_limit(),
            stop_reason: outcome.stop_reason,
            finished_at: seconds_since_1970(SystemTime::now()),
            seconds: outcome.seconds,
            generations,
            evaluations,
            curve: outcome.curve,
            improvements: outcome.improvements,
            digests: outcome.digests.iter().map(|digest| format!("{digest:016x}")).collect(),
            solution,
            verdict,
            notes,
            device_notes: Vec::new(),
            demands,
            front,
        })
    }

    /// The result that the run would have if it ended here; `None` if the solution cannot be checked.
    fn checkpoint<T: Task>(
        &self, task: &T, progress: &Progress<T::Solution>, started: (&Plan, &BTreeMap<String, Value>),
        device: Option<&OpenDevice>,
    ) -> Option<RunResult> {
        let outcome = SearchOutcome {
            last: Some(progress.snapshot.clone()),
            stop_reason: StopReason::Interrupted,
            seconds: progress.seconds,
            curve: Vec::new(),
            improvements: Vec::new(),
            digests: Vec::new(),
        };
        let (plan, parameters) = started;
        let notes = vec![UNFINISHED.to_owned()];
        let result = self.result(task, outcome, (plan.clone(), parameters.clone()), device, notes).ok()?;
        Some(RunResult { stop_reason: StopReason::Interrupted, ..result })
    }
}

impl Course {
    /// Time limit in seconds; `None` for another limit and for replays.
    fn time_limit(&self) -> Option<f64> {
        match self {
            Self::New(Stop { budget: Budget::Seconds(seconds), .. }) => Some(*seconds),
            _ => None,
        }
    }
}

/// Note of a result whose run broke off.
pub(crate) const UNFINISHED: &str = "the run did not come to its end; it cannot be replayed";

/// Whole seconds since 1970, UTC; negative where the clock of the machine stands before 1970.
fn seconds_since_1970(now: SystemTime) -> i64 {
    let whole = |span: Duration| i64::try_from(span.as_secs()).unwrap_or(i64::MAX);
    now.duration_since(UNIX_EPOCH).map_or_else(|before| -whole(before.duration()), whole)
}

/// Solves a task. The observer is called after every epoch, in the calling thread. A failure inside the search ends the run
/// with [`StopReason::Failed`] and the best solution so far. The result names the instance as its own source; a caller who
/// knows the file puts it there.
///
/// # Errors
/// [`Error::Usage`] if the settings do not fit the instance; [`Error::Device`] if the device that was requested by name
/// cannot be used.
pub fn solve<T: Task, A: Algorithms, G>(
    task: &T, settings: &Settings<A, G>, environment: Environment<'_>, observer: &mut Observer<'_, T::Solution>,
) -> Result<RunResult> {
    settings.check()?;
    let Settings { backend, threads, seed, stop, .. } = settings;
    Run::new(backend, *threads, *seed, Course::New(stop.clone()), environment)?.finish(task, observer)
}

/// Runs `result` again as far as it went, on `backend` with `threads` threads (0: all), and compares digests and solution.
/// `task` has the algorithm and the parameters of the result.
///
/// # Errors
/// As [`solve`]; [`Error::Usage`] if the replay was cancelled, or the run ended before its first solution.
pub fn replay<T: Task>(
    task: &T, result: &RunResult, (backend, threads): (&str, usize), environment: Environment<'_>,
    observer: &mut Observer<'_, T::Solution>,
) -> Result<ReplayReport> {
    let began = Instant::now();
    crate::replay::check_searched(result)?;
    let course = Course::Recorded(crate::replay::plan_of(result));
    let again = Run::new(backend, threads, result.seed, course, environment)?.finish(task, observer)?;
    crate::replay::check_whole(environment.control)?;
    Ok(ReplayReport::of(result, &again, began.elapsed().as_secs_f64()))
}

impl<A: Algorithms, G> Settings<A, G> {
    /// Checks that the algorithm can run under the budget.
    ///
    /// # Errors
    /// [`Error::Usage`] for a budget of evaluations where they cannot limit the algorithm.
    pub fn check(&self) -> Result<()> {
        match (self.stop.budget, self.algorithm.descriptor().evaluations_refused) {
            (Budget::Evaluations(_), Some(why)) => Err(Error::Usage(why.to_owned())),
            _ => Ok(()),
        }
    }
}

impl<A: Algorithms, G: Default> Settings<A, G> {
    /// Default settings of an algorithm under a budget: `auto`, all threads, seed 1.
    pub fn of(algorithm: A, budget: Budget) -> Self {
        let (goal, backend) = (G::default(), "auto".to_owned());
        Self { algorithm, goal, backend, threads: 0, seed: 1, stop: Stop::after(budget) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_before_1970_gives_negative_seconds() {
        assert_eq!(seconds_since_1970(UNIX_EPOCH + Duration::from_secs(90)), 90);
        assert_eq!(seconds_since_1970(UNIX_EPOCH - Duration::from_secs(90)), -90);
    }
}
