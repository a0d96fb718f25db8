//! Loads the frames of a recording in a thread of its own: a large grid takes longer than the window may wait.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gridwright_solver::search::driver::guarded;
use gridwright_solver::systolic::Frame;
use gridwright_solver::systolic::journal::Journal;

/// The window waits so long for a frame, and otherwise shows the one before until it comes.
const PATIENCE: Duration = Duration::from_millis(6);
/// Frames that are kept: the one that is shown, the one before it, and a few around them.
const FRAMES: usize = 6;

#[derive(Default)]
struct State {
    /// Requested iterations, the latest last.
    wanted: Vec<u64>,
    /// Frames, the newest last.
    ready: Vec<Arc<Frame>>,
    failure: Option<String>,
    closed: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Only whole frames are stored: a panic elsewhere cannot have left one half.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Frames by iteration.
pub struct FrameLoader {
    shared: Arc<Shared>,
    /// Iteration whose frame did not arrive in time; the loader does not wait for it again.
    late: Option<u64>,
}

impl FrameLoader {
    /// Creates the loader of a recording's frames.
    pub fn new(journal: Journal, wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        let spawned = std::thread::Builder::new().name("playback".to_owned()).spawn(move || {
            let ended = guarded(|| {
                project(journal, &of_thread, &*wake);
                Ok(())
            });
            if let Err(why) = ended {
                of_thread.lock().failure = Some(why);
                of_thread.changed.notify_all();
                wake();
            }
        });
        if let Err(error) = spawned {
            shared.lock().failure = Some(format!("the system gives no thread ({error})"));
        }
        Self { shared, late: None }
    }

    /// Returns all solutions after `at` iterations; `None` until they are loaded, and then the window is repainted.
    pub fn frame(&mut self, at: u64) -> Option<Arc<Frame>> {
        let mut state = self.shared.lock();
        if let Some(frame) = state.take(at) {
            return Some(frame);
        }
        if state.failure.is_some() {
            return None;
        }
        if !state.wanted.contains(&at) {
            // What was wanted before is no longer looked at, but for the iteration before this one.
            state.wanted.retain(|wanted| wanted.abs_diff(at) <= 1);
            state.wanted.push(at);
            self.shared.changed.notify_all();
        }
        let deadline = Instant::now() + PATIENCE;
        while self.late.is_none_or(|late| late.abs_diff(at) > 1) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                self.late = Some(at);
                break;
            }
            state = self.shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            if let Some(frame) = state.take(at) {
                self.late = None;
                return Some(frame);
            }
            if state.failure.is_some() {
                return None;
            }
        }
        None
    }

    /// The frame that was found last; `None` before the first.
    pub fn newest(&self) -> Option<Arc<Frame>> {
        self.shared.lock().ready.last().map(Arc::clone)
    }

    /// Returns the reason why frames can no longer be loaded, if there is one.
    pub fn failure(&self) -> Option<String> {
        self.shared.lock().failure.clone()
    }
}

impl State {
    /// Returns a frame from the cache and marks it as used last.
    fn take(&mut self, at: u64) -> Option<Arc<Frame>> {
        let index = self.ready.iter().position(|frame| frame.iteration == at)?;
        let frame = self.ready.remove(index);
        self.ready.push(Arc::clone(&frame));
        Some(frame)
    }
}

impl Drop for FrameLoader {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
    }
}

/// Computes the requested frames until the loader is closed.
fn project(mut journal: Journal, shared: &Shared, wake: &dyn Fn()) {
    loop {
        let mut state = shared.lock();
        let at = loop {
            if state.closed {
                return;
            }
            if let Some(at) = state.wanted.pop() {
                break at;
            }
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        drop(state);
        let found = journal.frame(at);
        let mut state = shared.lock();
        match found {
            Ok(frame) => {
                if state.ready.len() >= FRAMES {
                    state.ready.remove(0);
                }
                state.ready.push(Arc::new(frame));
            }
            Err(error) => state.failure = Some(error.to_string()),
        }
        drop(state);
        shared.changed.notify_all();
        wake();
    }
}
