//! Something that a thread of its own works out piece by piece, while the window shows what there is.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gridwright_core::Result;
use gridwright_core::search::Control;
use gridwright_core::search::driver::guarded;

/// Shortest time between two reports to the window.
const EVERY: Duration = Duration::from_millis(50);

/// State of the work: in progress, done or failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// In progress.
    Going,
    /// Ended normally.
    Done,
    /// Ended by an error or a panic, in words.
    Failed(String),
}

struct Shared<T> {
    value: Mutex<(T, State)>,
    revision: AtomicU64,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, (T, State)> {
        // Pieces are added whole: a panic elsewhere cannot have left one half.
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A value that grows.
pub struct Work<T> {
    control: Control,
    shared: Arc<Shared<T>>,
}

/// Handle by which the working thread adds to the value.
pub struct Teller<T> {
    control: Control,
    shared: Arc<Shared<T>>,
    wake: Arc<dyn Fn() + Send + Sync>,
    told: Mutex<Option<Instant>>,
}

impl<T> Teller<T> {
    /// Changes the value; the window hears of it soon.
    pub fn tell<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let answer = change(&mut self.shared.lock().0);
        self.shared.revision.fetch_add(1, Ordering::Relaxed);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.is_none_or(|told| told.elapsed() >= EVERY) {
            *told = Some(Instant::now());
            (self.wake)();
        }
        answer
    }

    /// Returns `true` once the value is no longer wanted.
    pub fn is_cancelled(&self) -> bool {
        self.control.is_cancelled()
    }

    /// Flag that long calls poll to know if they should go on.
    pub fn control(&self) -> &Control {
        &self.control
    }
}

impl<T: Send + 'static> Work<T> {
    /// Starts a thread that works on `value`.
    pub fn start(
        name: &str, value: T, wake: Arc<dyn Fn() + Send + Sync>,
        work: impl FnOnce(&Teller<T>) -> Result<()> + Send + 'static,
    ) -> Self {
        let control = Control::new();
        let shared = Arc::new(Shared { value: Mutex::new((value, State::Going)), revision: AtomicU64::new(1) });
        let teller = Teller {
            control: control.clone(),
            shared: Arc::clone(&shared),
            wake: Arc::clone(&wake),
            told: Mutex::new(None),
        };
        let spawned = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let outcome = guarded(|| work(&teller));
            teller.shared.lock().1 = match outcome {
                Ok(()) => State::Done,
                Err(why) => State::Failed(why),
            };
            teller.shared.revision.fetch_add(1, Ordering::Relaxed);
            wake();
        });
        if let Err(error) = spawned {
            shared.lock().1 = State::Failed(format!("the system gives no thread ({error})"));
        }
        Self { control, shared }
    }

    /// Looks at what there is.
    pub fn look<R>(&self, look: impl FnOnce(&mut T, &State) -> R) -> R {
        let mut both = self.shared.lock();
        let (value, state) = &mut *both;
        look(value, state)
    }

    /// State of the work: in progress, done or failed.
    pub fn state(&self) -> State {
        self.shared.lock().1.clone()
    }

    /// Returns `true` while the thread works.
    pub fn is_going(&self) -> bool {
        self.state() == State::Going
    }

    /// Changes with every piece that is added.
    pub fn revision(&self) -> u64 {
        self.shared.revision.load(Ordering::Relaxed)
    }

    /// Pauses, resumes and cancels the work.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Asks it to end.
    pub fn stop(&self) {
        self.control.cancel();
    }
}

/// Stops the thread of a value that is no longer looked at.
impl<T> Drop for Work<T> {
    fn drop(&mut self) {
        self.control.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_core::Error;

    fn finish<T: Send + 'static>(work: &Work<T>) -> State {
        let deadline = Instant::now() + Duration::from_secs(10);
        while work.is_going() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        work.state()
    }

    #[test]
    fn pieces_arrive_and_failures_are_told() {
        let wake: Arc<dyn Fn() + Send + Sync> = Arc::new(|| {});
        let work = Work::start("test", Vec::new(), Arc::clone(&wake), |teller| {
            (0..10).for_each(|piece| teller.tell(|pieces: &mut Vec<u32>| pieces.push(piece)));
            Ok(())
        });
        assert_eq!(finish(&work), State::Done);
        assert_eq!(work.look(|pieces, _| pieces.len()), 10);
        let failing = Work::start("test", (), wake, |_| Err(Error::Usage("too few bits".to_owned())));
        assert_eq!(finish(&failing), State::Failed("too few bits".to_owned()));
    }

    #[test]
    fn what_nobody_looks_at_ends() {
        let (sender, receiver) = std::sync::mpsc::channel();
        let work = Work::start("test", (), Arc::new(|| {}), move |teller| {
            while !teller.is_cancelled() {
                std::thread::sleep(Duration::from_millis(1));
            }
            let _ = sender.send(());
            Ok(())
        });
        drop(work);
        assert!(receiver.recv_timeout(Duration::from_secs(10)).is_ok());
    }
}
