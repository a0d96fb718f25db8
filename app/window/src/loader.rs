//! Loads parts of a recording in a thread of its own: some take longer than the window may wait.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gridwright_core::Result;
use gridwright_core::search::driver::guarded;

/// The window waits so long for a part, and otherwise shows the one before until it comes.
const PATIENCE: Duration = Duration::from_millis(6);
/// Parts that are kept: the one that is shown, the one before it, and a few around them.
const PARTS: usize = 6;

/// Key of a part of a recording, such as the number of a frame.
pub trait PartKey: Copy + PartialEq + Send + 'static {
    /// Returns `true` if a request for `self` leaves one for `other` in place: both may be shown together.
    fn stands_beside(self, other: Self) -> bool;
}

impl PartKey for u64 {
    /// A frame is shown with the one before it.
    fn stands_beside(self, other: Self) -> bool {
        self.abs_diff(other) <= 1
    }
}

struct State<K, V> {
    /// Requested parts, the latest last.
    wanted: Vec<K>,
    /// Part that the thread loads at present.
    loading: Option<K>,
    /// Parts, the newest last.
    ready: Vec<(K, Arc<V>)>,
    failure: Option<String>,
    closed: bool,
}

struct Shared<K, V> {
    state: Mutex<State<K, V>>,
    changed: Condvar,
}

impl<K, V> Shared<K, V> {
    fn lock(&self) -> MutexGuard<'_, State<K, V>> {
        // Only whole parts are stored: a panic elsewhere cannot have left one half.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Parts of a recording by their keys.
pub(crate) struct Loader<K: PartKey, V: Send + Sync + 'static> {
    shared: Arc<Shared<K, V>>,
    /// Part that did not arrive in time; the loader does not wait for it again.
    late: Option<K>,
}

impl<K: PartKey, V: Send + Sync + 'static> Loader<K, V> {
    /// Creates a loader whose thread calls `load` for every part that is wanted; `wake` repaints the window.
    pub fn new(load: impl FnMut(K) -> Result<V> + Send + 'static, wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        let state = State { wanted: Vec::new(), loading: None, ready: Vec::new(), failure: None, closed: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let of_thread = Arc::clone(&shared);
        let spawned = std::thread::Builder::new().name("playback".to_owned()).spawn(move || {
            let ended = guarded(|| {
                serve(load, &of_thread, &*wake);
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

    /// Returns a part; `None` until it is loaded, and then the window is repainted.
    pub fn part(&mut self, key: K) -> Option<Arc<V>> {
        let mut state = self.shared.lock();
        if let Some(part) = state.take(key) {
            return Some(part);
        }
        if state.failure.is_some() {
            return None;
        }
        if !state.wanted.contains(&key) && state.loading != Some(key) {
            // Earlier requests are dropped, except for parts that are shown together with this one.
            state.wanted.retain(|wanted| key.stands_beside(*wanted));
            state.wanted.push(key);
            self.shared.changed.notify_all();
        }
        let deadline = Instant::now() + PATIENCE;
        while self.late.is_none_or(|late| !key.stands_beside(late)) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                self.late = Some(key);
                break;
            }
            state = self.shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            if let Some(part) = state.take(key) {
                self.late = None;
                return Some(part);
            }
            if state.failure.is_some() {
                return None;
            }
        }
        None
    }

    /// Returns the reason why parts can no longer be loaded, if there is one.
    pub fn failure(&self) -> Option<String> {
        self.shared.lock().failure.clone()
    }
}

impl<K: PartKey, V> State<K, V> {
    /// Returns a part from the cache and marks it as used last.
    fn take(&mut self, key: K) -> Option<Arc<V>> {
        let index = self.ready.iter().position(|(known, _)| *known == key)?;
        let part = self.ready.remove(index);
        let value = Arc::clone(&part.1);
        self.ready.push(part);
        Some(value)
    }
}

impl<K: PartKey, V: Send + Sync + 'static> Drop for Loader<K, V> {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
    }
}

/// Loads the requested parts until the loader is closed.
fn serve<K: PartKey, V>(mut load: impl FnMut(K) -> Result<V>, shared: &Shared<K, V>, wake: &dyn Fn()) {
    loop {
        let mut state = shared.lock();
        let key = loop {
            if state.closed {
                return;
            }
            if let Some(key) = state.wanted.pop() {
                break key;
            }
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        state.loading = Some(key);
        drop(state);
        let loaded = load(key);
        let mut state = shared.lock();
        state.loading = None;
        match loaded {
            Ok(part) => {
                if state.ready.len() >= PARTS {
                    state.ready.remove(0);
                }
                state.ready.push((key, Arc::new(part)));
            }
            Err(error) => state.failure = Some(error.to_string()),
        }
        drop(state);
        shared.changed.notify_all();
        wake();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(loader: &mut Loader<u64, u64>, key: u64) -> Option<Arc<u64>> {
        let deadline = Instant::now() + Duration::from_secs(10);
        while Instant::now() < deadline && loader.failure().is_none() {
            if let Some(part) = loader.part(key) {
                return Some(part);
            }
        }
        None
    }

    #[test]
    fn parts_are_loaded_once_and_kept() {
        let (sender, loads) = std::sync::mpsc::channel();
        let load = move |key: u64| {
            let _ = sender.send(key);
            std::thread::sleep(Duration::from_millis(key));
            if key > 90 { Err(gridwright_core::Error::Cancelled) } else { Ok(10 * key) }
        };
        let mut loader = Loader::new(load, Arc::new(|| {}));
        assert_eq!(loader.part(50), None, "the window does not wait so long");
        assert_eq!([50, 1, 50].map(|key| part(&mut loader, key).as_deref().copied()), [Some(500), Some(10), Some(500)]);
        assert_eq!(
            (loader.shared.lock().ready.last().map(|(_, part)| **part), loads.try_iter().collect()),
            (Some(500), vec![50, 1])
        );
        assert_eq!(part(&mut loader, 91), None);
        assert!(loader.failure().is_some());
    }
}
