//! Runs a search epoch by epoch: stopping, pause, cancel, convergence curve, digests.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::checkpoint::Receiver;
use super::improvements::{Improvement, Improvements};
use super::{Epochs, Snapshot, StopReason};
use crate::Error;
use crate::result::RunResult;

/// The handle by which another thread pauses, resumes and cancels a run.
#[derive(Debug, Clone, Default)]
pub struct Control {
    shared: Arc<Shared>,
    deadline: Option<Deadline>,
}

/// Time limit of a run: `limit` after `began`, without the pauses since.
#[derive(Debug, Clone, Copy)]
struct Deadline {
    began: Instant,
    paused_before: Duration,
    limit: Duration,
}

#[derive(Debug, Default)]
struct Shared {
    cancelled: AtomicBool,
    /// Copy of "`pause.since` is set" that is read without the lock.
    paused: AtomicBool,
    /// Threads that wait for the end of a pause.
    waiting: AtomicUsize,
    pause: Mutex<Pause>,
    resumed: Condvar,
    checkpoints: Receiver,
}

/// Present pause and those before.
#[derive(Debug, Default)]
struct Pause {
    since: Option<Instant>,
    before: Vec<[Instant; 2]>,
}

impl Pause {
    /// Total time of the pauses up to `until`.
    fn total(&self, until: Instant) -> Duration {
        let present = self.since.map(|since| [since, until]);
        let length = |[from, to]: [Instant; 2]| to.min(until).saturating_duration_since(from);
        self.before.iter().copied().chain(present).map(length).sum()
    }
}

impl Control {
    /// Creates a handle that is neither paused nor cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Passes the result that the run would have if it ended now to `sink`, about once a second. A second call has no effect.
    pub(crate) fn keep_checkpoints(&self, sink: impl Fn(RunResult) + Send + Sync + 'static) {
        self.shared.checkpoints.set(Box::new(sink));
    }

    /// Passes a result to the receiver of checkpoints, if there is one; for searches that the driver does not run.
    pub fn offer_checkpoint(&self, result: impl FnOnce() -> RunResult) {
        if let Some(sink) = self.shared.checkpoints.get() {
            sink(result());
        }
    }

    pub(super) fn receiver(&self) -> &Receiver {
        &self.shared.checkpoints
    }

    /// Returns a handle for the searches of a run that begins now: beside a cancellation, the handle is interrupted once
    /// `limit` has passed, pauses left out.
    #[must_use]
    pub fn within(&self, limit: Duration) -> Self {
        let deadline = Deadline { began: Instant::now(), paused_before: self.paused_time(), limit };
        Self { shared: Arc::clone(&self.shared), deadline: Some(deadline) }
    }

    /// Ends the run after the current epoch, with the best solution so far.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
        self.shared.resumed.notify_all();
    }

    /// Returns `true` once [`Self::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// Suspends the run after the current epoch.
    pub fn pause(&self) {
        self.set_paused(true);
    }

    /// Resumes a paused run.
    pub fn resume(&self) {
        self.set_paused(false);
    }

    /// Returns `true` between [`Self::pause`] and [`Self::resume`].
    pub fn is_paused(&self) -> bool {
        self.lock().since.is_some()
    }

    /// Returns `true` while a thread of the run waits for the end of a pause.
    pub fn is_waiting(&self) -> bool {
        self.shared.waiting.load(Ordering::Relaxed) > 0
    }

    /// Total time between [`Self::pause`] and [`Self::resume`] so far.
    pub(crate) fn paused_time(&self) -> Duration {
        self.paused_time_until(Instant::now())
    }

    /// Total time between [`Self::pause`] and [`Self::resume`] up to a moment.
    fn paused_time_until(&self, until: Instant) -> Duration {
        self.lock().total(until)
    }

    fn set_paused(&self, paused: bool) {
        let mut pause = self.lock();
        match pause.since {
            Some(since) if !paused => {
                pause.since = None;
                pause.before.push([since, Instant::now()]);
            }
            None if paused => pause.since = Some(Instant::now()),
            _ => {}
        }
        self.shared.paused.store(paused, Ordering::Relaxed);
        drop(pause);
        self.shared.resumed.notify_all();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Pause> {
        // A plain value: a panic elsewhere cannot have left it half-changed.
        self.shared.pause.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Blocks while paused and not cancelled.
    #[inline]
    pub fn wait_while_paused(&self) {
        if self.shared.paused.load(Ordering::Relaxed) {
            self.wait();
        }
    }

    #[cold]
    fn wait(&self) {
        let mut pause = self.lock();
        self.shared.waiting.fetch_add(1, Ordering::Relaxed);
        while pause.since.is_some() && !self.is_cancelled() {
            let waited = self.shared.resumed.wait_timeout(pause, Duration::from_millis(50));
            pause = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        }
        self.shared.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    /// Returns `true` once the run is cancelled or the time limit of this handle has passed; never `false` again.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.is_cancelled() || self.deadline.is_some_and(|deadline| deadline.has_passed(self))
    }

    /// Blocks while paused; returns [`Self::is_over`] then. A search with long steps asks between parts of a step and
    /// abandons an epoch that is interrupted, see [`Epochs::advance`]. Takes about as long as reading the clock.
    #[inline]
    pub fn is_interrupted(&self) -> bool {
        self.wait_while_paused();
        self.is_over()
    }
}

impl Deadline {
    #[inline]
    fn has_passed(self, control: &Control) -> bool {
        // The lock on the pauses is taken only near the end of a run.
        self.began.elapsed() >= self.limit && self.spent(control) >= self.limit
    }

    /// Time since the beginning, pauses left out.
    fn spent(self, control: &Control) -> Duration {
        let paused = control.paused_time().saturating_sub(self.paused_before);
        self.began.elapsed().saturating_sub(paused)
    }
}

/// One point of the convergence curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurvePoint {
    /// Seconds since the run began, pauses left out.
    pub seconds: f64,
    /// Generations or steps done.
    pub step: u64,
    /// Cost of the best so far.
    pub best: f64,
    /// Mean cost of population or chains.
    pub mean: f64,
    /// Worst cost of population or chains.
    pub worst: f64,
}

/// The convergence curve holds at most this many points; when it is full, every other one goes.
pub const CURVE_POINTS: usize = 2_000;

/// Report to the observer after an epoch.
#[derive(Debug)]
pub struct Progress<S> {
    /// State of the search.
    pub snapshot: Snapshot<S>,
    /// Seconds since the run began, pauses left out.
    pub seconds: f64,
    /// Fraction of the budget that is used, 0…1.
    pub share: f64,
}

impl<S> Clone for Progress<S> {
    fn clone(&self) -> Self {
        Self { snapshot: self.snapshot.clone(), ..*self }
    }
}

impl<S> Progress<S> {
    /// Returns the report with its best solution converted by `best`.
    pub fn map<T>(&self, best: impl FnOnce(&Arc<S>) -> T) -> Progress<T> {
        let Snapshot { step, evaluations, best_cost, mean, worst, digest, share, .. } = self.snapshot;
        let best = Arc::new(best(&self.snapshot.best));
        let snapshot = Snapshot { step, evaluations, best, best_cost, mean, worst, digest, share };
        Progress { snapshot, seconds: self.seconds, share: self.share }
    }
}

/// Course of a run: budget, epochs and stopping criteria.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Total number of generations or steps; `None`: until another limit.
    pub steps: Option<u64>,
    /// Number of evaluations with which the run ends; the length of epochs then follows from the evaluations so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluations: Option<u64>,
    /// Generations or steps in an epoch.
    pub epoch: u32,
    /// Number of steps in each stage, for a search that allots its own steps; empty for others.
    #[serde(default, rename = "legs")]
    pub stages: Vec<u64>,
    /// Units of construction that were done when time limit or cancellation cut the construction short, see
    /// [`super::Construction`]; `None`: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constructed: Option<u64>,
    /// Rounds of the search for what to leave out, where not everything has a place; `None`: there was no such search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// Seconds after which the run ends at the next epoch, whatever was planned.
    pub seconds: Option<f64>,
    /// Stop as soon as the best cost is at most this.
    pub target: Option<f64>,
    /// Stop after this many generations or steps without improvement.
    pub stall: Option<u64>,
}

/// Outcome of a search, not yet checked.
#[derive(Debug)]
pub struct SearchOutcome<S> {
    /// State at the end; `None` if the search failed before the first epoch.
    pub last: Option<Snapshot<S>>,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// Seconds it took, pauses left out.
    pub seconds: f64,
    /// Best, mean and worst over time.
    pub curve: Vec<CurvePoint>,
    /// State before the first step, and each improvement.
    pub improvements: Vec<Improvement>,
    /// Digest of the state before the first and after every epoch.
    pub digests: Vec<u64>,
}

/// Advances `search` as planned; asks `control` and informs `observer` after every epoch. `already` is the time that
/// the run took before, which counts towards the time limit.
///
/// A panic or an error in the search ends the run with [`StopReason::Failed`] and the best solution so far. An epoch that
/// the search abandons because `control` was interrupted does not count.
pub fn run<E: Epochs>(
    search: &mut E, plan: &Plan, control: &Control, already: Duration, observer: &mut dyn FnMut(&Progress<E::Solution>),
) -> SearchOutcome<E::Solution> {
    let began = Instant::now();
    let paused_before = control.paused_time();
    let mut outcome = SearchOutcome {
        last: None,
        stop_reason: StopReason::Budget,
        seconds: 0.0,
        curve: Vec::new(),
        improvements: Vec::new(),
        digests: Vec::new(),
    };
    let mut curve = Curve::of_at_most(CURVE_POINTS);
    let mut improvements = Improvements::default();
    let mut improved_at = (f64::INFINITY, 0);
    let mut pace = Pace::default();
    let seconds_at = |at: Instant| {
        let paused = control.paused_time_until(at).saturating_sub(paused_before);
        (already + at.saturating_duration_since(began)).saturating_sub(paused).as_secs_f64()
    };
    let seconds = || seconds_at(Instant::now());
    outcome.stop_reason = loop {
        let snapshot = match guarded(|| search.snapshot()) {
            Ok(snapshot) => snapshot,
            Err(why) => break StopReason::Failed(why),
        };
        outcome.seconds = seconds();
        outcome.digests.push(snapshot.digest);
        curve.push(&snapshot, outcome.seconds);
        let done = snapshot.step;
        for noted in search.improvements() {
            let (step, evaluations, cost, exact) = (noted.step, noted.evaluations, noted.cost, noted.exact);
            let seconds = seconds_at(noted.at).min(outcome.seconds);
            improvements.add(Improvement { step, evaluations, seconds, cost, exact });
        }
        improvements.add(Improvement {
            step: done,
            evaluations: snapshot.evaluations,
            seconds: outcome.seconds,
            cost: snapshot.best_cost,
            exact: outcome.last.as_ref().is_none_or(|last| done <= last.step + 1),
        });
        let own_share = snapshot.share;
        let evaluated = snapshot.evaluations;
        let share = own_share.unwrap_or_else(|| plan_share(plan, [done, evaluated], outcome.seconds));
        observer(&Progress { snapshot: snapshot.clone(), seconds: outcome.seconds, share });
        if snapshot.best_cost < improved_at.0 {
            improved_at = (snapshot.best_cost, done);
        }
        let best_cost = snapshot.best_cost;
        outcome.last = Some(snapshot);
        if plan.target.is_some_and(|target| best_cost <= target) {
            break StopReason::Target;
        }
        let is_counted_out = plan.evaluations.is_some_and(|limit| evaluated >= limit);
        if is_counted_out
            || plan.steps.is_some_and(|steps| done >= steps)
            || own_share.is_some_and(|share| share >= 1.0)
        {
            break StopReason::Budget;
        }
        if plan.stall.is_some_and(|stall| done - improved_at.1 >= stall) {
            break StopReason::Stalled;
        }
        if plan.seconds.is_some_and(|seconds| outcome.seconds >= seconds) {
            break StopReason::TimeLimit;
        }
        if control.is_interrupted() {
            break interruption(control);
        }
        let left = plan.steps.map_or(u64::MAX, |steps| steps - done);
        let epoch = plan.evaluations.map_or(plan.epoch, |limit| pace.epoch([done, evaluated], limit, plan.epoch));
        let steps = u64::from(epoch.max(1)).min(left) as u32;
        let advanced = guarded(|| match search.advance(steps) {
            Err(Error::Cancelled) => Ok(false),
            result => result.map(|()| true),
        });
        match advanced {
            Ok(true) => {}
            Ok(false) => {
                outcome.seconds = seconds();
                break interruption(control);
            }
            Err(why) => break StopReason::Failed(why),
        }
    };
    outcome.curve = curve.points();
    outcome.improvements = improvements.into_list();
    outcome
}

/// Reason for the end of a run whose handle `control` was interrupted: a person, or else the time limit.
pub fn interruption(control: &Control) -> StopReason {
    if control.is_cancelled() { StopReason::Cancelled } else { StopReason::TimeLimit }
}

/// Lengths of epochs under a limit of evaluations.
///
/// They follow from the counts alone, so that a run ends with the same step on every backend and number of threads: half of
/// the steps that are left if none evaluates more than the mean of the dearest epoch so far, and at least one. The run ends
/// with the first step that reaches the limit wherever all steps evaluate equally many solutions.
#[derive(Default)]
struct Pace {
    /// Steps and evaluations before the last epoch.
    before: [u64; 2],
    /// Largest mean number of evaluations of a step in an epoch; 0 before the first one.
    dearest: u64,
}

impl Pace {
    /// Returns the length of the next epoch, at most `longest`; `done` is below `limit`.
    fn epoch(&mut self, done: [u64; 2], limit: u64, longest: u32) -> u32 {
        let [steps, evaluations] = [0, 1].map(|count| done[count] - self.before[count]);
        if steps > 0 {
            self.dearest = self.dearest.max(evaluations.div_ceil(steps));
        }
        self.before = done;
        let left = (limit - done[1]).checked_div(self.dearest).unwrap_or(0);
        (left / 2).clamp(1, u64::from(longest.max(1))) as u32
    }
}

fn plan_share(plan: &Plan, [done, evaluated]: [u64; 2], seconds: f64) -> f64 {
    let of = |done: u64, limit: Option<u64>| limit.map_or(0.0, |limit| done as f64 / limit.max(1) as f64);
    let by_steps = if plan.steps == Some(0) { 1.0 } else { of(done, plan.steps).max(of(evaluated, plan.evaluations)) };
    let by_time = match (plan.steps, plan.seconds) {
        (None, Some(limit)) => seconds / limit.max(1e-9),
        _ => 0.0,
    };
    by_steps.max(by_time).clamp(0.0, 1.0)
}

/// Calls `f`; turns an error or a panic into its message.
///
/// # Errors
/// The message of the error or of the panic.
pub fn guarded<T>(f: impl FnOnce() -> crate::Result<T>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(error.to_string()),
        Err(panic) => {
            Err(panic_text(&*panic).unwrap_or_else(|| "the search broke off for an unknown reason".to_owned()))
        }
    }
}

/// Returns the message of a panic; `None` if it carries none.
pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> Option<String> {
    let literal = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    literal.or_else(|| panic.downcast_ref::<String>().cloned())
}

/// Collects the points of a convergence curve; when there are too many, every other one goes and the spacing doubles.
#[derive(Debug, Clone)]
pub struct Curve {
    points: Vec<CurvePoint>,
    last: Option<CurvePoint>,
    most: usize,
    spacing: usize,
    seen: usize,
}

impl Curve {
    /// Creates a curve that never holds more than `most` points.
    pub fn of_at_most(most: usize) -> Self {
        Self { points: Vec::new(), last: None, most: most.max(2), spacing: 1, seen: 0 }
    }

    /// Records a state of the search, reached after `seconds`.
    pub fn push<S>(&mut self, snapshot: &Snapshot<S>, seconds: f64) {
        let point = CurvePoint {
            seconds,
            step: snapshot.step,
            best: snapshot.best_cost,
            mean: snapshot.mean,
            worst: snapshot.worst,
        };
        if self.seen.is_multiple_of(self.spacing) {
            self.points.push(point);
            if self.points.len() >= self.most {
                let mut index = 0;
                self.points.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
                self.spacing *= 2;
            }
        }
        self.seen += 1;
        self.last = Some(point);
    }

    /// Returns the kept points and the last one.
    pub fn points(&self) -> Vec<CurvePoint> {
        let mut points = self.points.clone();
        if let Some(last) = self.last
            && points.last().map(|point| point.step) != Some(last.step)
        {
            points.push(last);
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts down from 100 by one a step; breaks off where told.
    struct Countdown {
        step: u64,
        panics_at: Option<u64>,
    }

    impl Epochs for Countdown {
        type Solution = u64;

        fn advance(&mut self, steps: u32) -> crate::Result<()> {
            self.step += u64::from(steps);
            assert!(self.panics_at.is_none_or(|at| self.step < at), "injected at step {}", self.step);
            Ok(())
        }

        fn snapshot(&mut self) -> crate::Result<Snapshot<u64>> {
            let cost = 100_u64.saturating_sub(self.step);
            Ok(Snapshot {
                step: self.step,
                evaluations: self.step,
                best: Arc::new(cost),
                best_cost: cost as f64,
                mean: cost as f64,
                worst: cost as f64,
                digest: self.step,
                share: None,
            })
        }
    }

    fn plan() -> Plan {
        Plan { steps: Some(50), epoch: 8, ..Plan::default() }
    }

    fn outcome(plan: &Plan, panics_at: Option<u64>, control: &Control) -> SearchOutcome<u64> {
        run(&mut Countdown { step: 0, panics_at }, plan, control, Duration::ZERO, &mut |_| {})
    }

    #[test]
    fn stops_at_the_budget_the_target_and_the_stall() {
        let control = Control::new();
        let at_budget = outcome(&plan(), None, &control);
        assert_eq!(at_budget.stop_reason, StopReason::Budget);
        assert_eq!(at_budget.last.unwrap().step, 50);
        assert_eq!(at_budget.digests, [0, 8, 16, 24, 32, 40, 48, 50]);
        let at_target = outcome(&Plan { target: Some(80.0), ..plan() }, None, &control);
        assert_eq!(at_target.stop_reason, StopReason::Target);
        assert_eq!(at_target.last.unwrap().step, 24);
        let stalled = outcome(&Plan { steps: Some(1000), stall: Some(16), ..plan() }, None, &control);
        assert_eq!(stalled.stop_reason, StopReason::Stalled);
        assert_eq!(stalled.last.unwrap().step, 120, "the last improvement is seen at step 104");
    }

    #[test]
    fn evaluations_end_a_run_after_the_step_that_reaches_them() {
        let plan = |limit, epoch| Plan { steps: None, epoch, evaluations: Some(limit), ..plan() };
        for (limit, epoch) in [(1, 8), (41, 8), (41, 1), (100, 64)] {
            let found = outcome(&plan(limit, epoch), None, &Control::new());
            assert_eq!((found.last.unwrap().step, found.stop_reason), (limit, StopReason::Budget), "{limit}, {epoch}");
        }
        // The first epoch is a step, long ones follow, and the last ones get shorter.
        assert_eq!(outcome(&plan(41, 8), None, &Control::new()).digests[..5], [0, 1, 9, 17, 25]);
        assert_eq!(outcome(&plan(41, 8), None, &Control::new()).digests[5..], [33, 37, 39, 40, 41]);
    }

    #[test]
    fn a_panic_ends_the_run_and_keeps_the_best() {
        let broken = outcome(&plan(), Some(20), &Control::new());
        assert_eq!(broken.stop_reason, StopReason::Failed("injected at step 24".to_owned()));
        assert_eq!(*broken.last.unwrap().best, 84);
    }

    /// Hears in the middle of the second epoch that the run is interrupted.
    struct Abandoning(Countdown);

    impl Epochs for Abandoning {
        type Solution = u64;

        fn advance(&mut self, steps: u32) -> crate::Result<()> {
            let is_second = self.0.step > 0;
            self.0.advance(steps)?;
            if is_second { Err(Error::Cancelled) } else { Ok(()) }
        }

        fn snapshot(&mut self) -> crate::Result<Snapshot<u64>> {
            self.0.snapshot()
        }
    }

    #[test]
    fn an_epoch_that_the_search_abandons_does_not_count() {
        let mut search = Abandoning(Countdown { step: 0, panics_at: None });
        let found = run(&mut search, &plan(), &Control::new(), Duration::ZERO, &mut |_| {});
        assert_eq!((found.stop_reason, found.digests), (StopReason::TimeLimit, vec![0, 8]));
        assert_eq!(*found.last.unwrap().best, 92);
        let (mut search, control) = (Abandoning(Countdown { step: 0, panics_at: None }), Control::new());
        let cancel = &mut |progress: &Progress<u64>| {
            if progress.snapshot.step == 8 {
                control.cancel();
            }
        };
        assert_eq!(run(&mut search, &plan(), &control, Duration::ZERO, cancel).stop_reason, StopReason::Cancelled);
    }

    #[test]
    fn a_time_limit_interrupts_and_pauses_do_not_count() {
        let control = Control::new();
        let limited = control.within(Duration::from_millis(60));
        control.pause();
        std::thread::sleep(Duration::from_millis(80));
        assert!(!limited.is_over(), "the pause does not count");
        control.resume();
        assert!(!limited.is_interrupted());
        std::thread::sleep(Duration::from_millis(70));
        assert!(limited.is_interrupted() && !limited.is_cancelled() && !control.is_over());
        assert_eq!(interruption(&limited), StopReason::TimeLimit);
        control.cancel();
        assert_eq!(interruption(&limited), StopReason::Cancelled);
    }

    #[test]
    fn cancel_ends_a_paused_run() {
        let control = Control::new();
        control.pause();
        let other = control.clone();
        let thread = std::thread::spawn(move || outcome(&plan(), None, &other).stop_reason);
        std::thread::sleep(Duration::from_millis(20));
        assert!(!thread.is_finished());
        control.cancel();
        assert_eq!(thread.join().unwrap(), StopReason::Cancelled);
    }

    #[test]
    fn a_long_curve_keeps_first_and_last() {
        let plan = Plan { steps: Some(10_001), epoch: 1, ..plan() };
        let curve = outcome(&plan, None, &Control::new()).curve;
        assert!(curve.len() <= CURVE_POINTS + 1);
        assert_eq!((curve[0].step, curve.last().unwrap().step), (0, 10_001));
    }
}
