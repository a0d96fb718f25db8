//! One running solve: a thread, the latest progress, pause and cancel. Knows no problem.
//!
//! The worker never waits for the window: it overwrites one value that the window reads when it paints.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gridwright_core::Result;
use gridwright_core::search::driver::{CURVE_POINTS, Curve, guarded};
use gridwright_core::search::{Control, CurvePoint, Progress, Snapshot};

/// The search itself: told how to pause, telling how it goes.
pub(crate) type Solve<S, R> = Box<dyn FnOnce(&Control, &mut dyn FnMut(&Progress<S>)) -> Result<R> + Send>;

/// Converts the end of a search (its result, or the reason of a failure) into a value for the window; runs in the worker.
pub(crate) type Conclude<R, T> = Box<dyn FnOnce(std::result::Result<R, String>) -> T + Send>;

/// Latest state of a running search.
#[derive(Debug)]
pub struct Checkpoint<S> {
    /// The latest progress.
    pub progress: Progress<S>,
    /// Convergence so far, thinned out.
    pub curve: Vec<CurvePoint>,
    /// Solutions or moves evaluated in a second, over the last half second or more.
    pub rate: f64,
}

impl<S> Checkpoint<S> {
    /// Checkpoint of a solution that a person made, with its cost; no search and no time.
    pub fn made(best: Arc<S>, best_cost: f64) -> Self {
        let snapshot =
            Snapshot { step: 0, evaluations: 0, best, best_cost, mean: 0.0, worst: 0.0, digest: 0, share: None };
        Self { progress: Progress { snapshot, seconds: 0.0, share: 1.0 }, curve: Vec::new(), rate: 0.0 }
    }
}

impl<S> Clone for Checkpoint<S> {
    fn clone(&self) -> Self {
        Self { progress: self.progress.clone(), curve: self.curve.clone(), rate: self.rate }
    }
}

/// A search to run.
pub(crate) struct Job<S, R, T> {
    /// The name of the thread.
    pub name: String,
    /// The search.
    pub solve: Solve<S, R>,
    /// Called once at the end.
    pub(crate) conclude: Conclude<R, T>,
    /// Tells the window that there is something new; at most [`WAKES_PER_SECOND`] times a second.
    pub wake: Arc<dyn Fn() + Send + Sync>,
}

/// Number of progress messages to the window per second.
pub(crate) const WAKES_PER_SECOND: u32 = 20;

struct State<S, T> {
    latest: Option<Checkpoint<S>>,
    revision: u64,
    ended: bool,
    ending: Option<std::result::Result<T, String>>,
}

struct Shared<S, T> {
    state: Mutex<State<S, T>>,
    changed: Condvar,
}

impl<S, T> Shared<S, T> {
    fn lock(&self) -> MutexGuard<'_, State<S, T>> {
        // Only whole values are stored: a panic elsewhere cannot have left them half-changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A solve that runs in its own thread.
pub(crate) struct Session<S, T> {
    control: Control,
    shared: Arc<Shared<S, T>>,
    seen: u64,
}

/// News since the last call.
pub(crate) struct News<S, T> {
    /// Progress, where there is new one.
    pub progress: Option<Checkpoint<S>>,
    /// The end: what was concluded, or why not even that was possible.
    pub ending: Option<std::result::Result<T, String>>,
}

impl<S: Send + Sync + 'static, T: Send + 'static> Session<S, T> {
    /// Starts a thread.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub(crate) fn start<R: Send + 'static>(job: Job<S, R, T>) -> std::io::Result<Self> {
        let state = State { latest: None, revision: 0, ended: false, ending: None };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let control = Control::new();
        let session = Self { control: control.clone(), shared: Arc::clone(&shared), seen: 0 };
        std::thread::Builder::new().name(job.name.clone()).spawn(move || work(job, &control, &shared))?;
        Ok(session)
    }

    /// News since the last call; never waits for the worker.
    pub(crate) fn poll(&mut self) -> News<S, T> {
        let mut state = self.shared.lock();
        let progress = if state.revision > self.seen { state.latest.clone() } else { None };
        self.seen = state.revision;
        News { progress, ending: state.ending.take() }
    }

    /// Returns `true` once the worker has ended, for any reason.
    pub(crate) fn has_ended(&self) -> bool {
        self.shared.lock().ended
    }

    /// Waits for the end, at most so long; says whether it came.
    pub(crate) fn wait(&self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        let mut state = self.shared.lock();
        while !state.ended {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self.shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}

impl<S, T> Session<S, T> {
    /// Asks the search to wait after the current epoch.
    pub(crate) fn pause(&self) {
        self.control.pause();
    }

    /// Lets a paused run go on.
    pub(crate) fn resume(&self) {
        self.control.resume();
    }

    /// Returns `true` while the search is asked to pause.
    pub(crate) fn is_paused(&self) -> bool {
        self.control.is_paused()
    }

    /// Asks the search to end with the best so far.
    pub(crate) fn stop(&self) {
        self.control.cancel();
        self.control.resume();
    }

    /// Returns `true` once the search was asked to end.
    pub(crate) fn is_stopping(&self) -> bool {
        self.control.is_cancelled()
    }
}

/// A run in progress of any problem.
pub trait Ongoing {
    /// Asks the search to wait after the current epoch, or lets it go on.
    fn pause_or_resume(&self);
    /// Returns `true` while the search is asked to pause.
    fn is_paused(&self) -> bool;
    /// Asks the search to end with the best so far.
    fn stop(&self);
    /// Returns `true` once the search was asked to end.
    fn is_stopping(&self) -> bool;
    /// Returns `true` once the worker has ended, for any reason.
    fn has_ended(&self) -> bool;
    /// Waits for the end, at most so long; says whether it came.
    fn wait(&self, patience: Duration) -> bool;
}

impl<S: Send + Sync + 'static, T: Send + 'static> Ongoing for Session<S, T> {
    fn pause_or_resume(&self) {
        if self.is_paused() { self.resume() } else { self.pause() }
    }

    fn is_paused(&self) -> bool {
        Self::is_paused(self)
    }

    fn stop(&self) {
        Self::stop(self);
    }

    fn is_stopping(&self) -> bool {
        Self::is_stopping(self)
    }

    fn has_ended(&self) -> bool {
        Self::has_ended(self)
    }

    fn wait(&self, patience: Duration) -> bool {
        Self::wait(self, patience)
    }
}

fn work<S: Send + Sync, R, T: Send>(job: Job<S, R, T>, control: &Control, shared: &Shared<S, T>) {
    let Job { solve, conclude, wake, name: _ } = job;
    let mut live = Live::new(&*wake);
    let outcome = guarded(|| solve(control, &mut |progress| live.observe(progress, shared)));
    let ending = guarded(|| Ok(conclude(outcome)));
    let mut state = shared.lock();
    state.ending = Some(ending);
    state.ended = true;
    drop(state);
    shared.changed.notify_all();
    wake();
}

/// The worker's side: thins the curve, measures the rate, wakes the window.
struct Live<'a> {
    wake: &'a (dyn Fn() + Send + Sync),
    curve: Curve,
    rate: f64,
    rated: (f64, u64),
    woken: Option<Instant>,
}

impl<'a> Live<'a> {
    fn new(wake: &'a (dyn Fn() + Send + Sync)) -> Self {
        Self { wake, curve: Curve::of_at_most(CURVE_POINTS), rate: 0.0, rated: (0.0, 0), woken: None }
    }

    fn observe<S, T>(&mut self, progress: &Progress<S>, shared: &Shared<S, T>) {
        let snapshot = &progress.snapshot;
        self.curve.push(snapshot, progress.seconds);
        let (seconds, evaluations) = self.rated;
        if progress.seconds - seconds >= 0.5 {
            self.rate = snapshot.evaluations.saturating_sub(evaluations) as f64 / (progress.seconds - seconds);
            self.rated = (progress.seconds, snapshot.evaluations);
        }
        // The window polls 20 times a second; copying the curve more often is useless.
        let due = self.woken.is_none_or(|at| at.elapsed() >= Duration::from_secs(1) / WAKES_PER_SECOND);
        let mut state = shared.lock();
        match &mut state.latest {
            Some(latest) if !due => {
                latest.progress = progress.clone();
                state.revision += 1;
            }
            latest => {
                *latest = Some(Checkpoint { progress: progress.clone(), curve: self.curve.points(), rate: self.rate });
                state.revision += 1;
            }
        }
        drop(state);
        if due {
            self.woken = Some(Instant::now());
            (self.wake)();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_core::search::Snapshot;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn progress(step: u64) -> Progress<u64> {
        let best_cost = 1000.0 - step as f64;
        let (mean, worst) = (best_cost + 1.0, best_cost + 2.0);
        let snapshot = Snapshot {
            step,
            evaluations: step * 10,
            best: Arc::new(step),
            best_cost,
            mean,
            worst,
            digest: step,
            share: None,
        };
        Progress { snapshot, seconds: step as f64 / 1000.0, share: step as f64 / 1000.0 }
    }

    fn job(solve: Solve<u64, u64>, wakes: Arc<AtomicUsize>) -> Job<u64, u64, String> {
        Job {
            name: "test".to_owned(),
            solve,
            conclude: Box::new(|outcome| match outcome {
                Ok(value) => format!("result {value}"),
                Err(why) => why,
            }),
            wake: Arc::new(move || {
                wakes.fetch_add(1, Ordering::Relaxed);
            }),
        }
    }

    #[test]
    fn a_finished_search_is_concluded_and_wakes_the_window_rarely() {
        let wakes = Arc::new(AtomicUsize::new(0));
        let solve: Solve<u64, u64> = Box::new(|_, observer| {
            (0..=1000).for_each(|step| observer(&progress(step)));
            Ok(7)
        });
        let mut session = Session::start(job(solve, Arc::clone(&wakes))).unwrap();
        assert!(session.wait(Duration::from_secs(10)));
        let news = session.poll();
        assert_eq!(news.ending, Some(Ok("result 7".to_owned())));
        assert!(session.poll().ending.is_none(), "the end is told once");
        assert!(wakes.load(Ordering::Relaxed) < 100, "{wakes:?} wakes for 1001 epochs");
    }

    #[test]
    fn a_panic_is_concluded_with_its_reason() {
        let solve: Solve<u64, u64> = Box::new(|_, observer| {
            observer(&progress(41));
            panic!("injected");
        });
        let mut session = Session::start(job(solve, Arc::default())).unwrap();
        assert!(session.wait(Duration::from_secs(10)));
        assert_eq!(session.poll().ending, Some(Ok("injected".to_owned())));
    }

    #[test]
    fn stop_ends_a_paused_search() {
        let solve: Solve<u64, u64> = Box::new(|control, observer| {
            while !control.is_cancelled() {
                observer(&progress(1));
                control.wait_while_paused();
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(1)
        });
        let mut session = Session::start(job(solve, Arc::default())).unwrap();
        session.pause();
        assert!(!session.wait(Duration::from_millis(50)));
        assert!(session.is_paused());
        session.stop();
        assert!(session.wait(Duration::from_secs(10)));
        assert_eq!(session.poll().ending, Some(Ok("result 1".to_owned())));
    }
}
