//! Construction of first solutions under a time limit, so that a replay constructs the same ones without a clock.
//!
//! A construction consists of units: jobs that are inserted, individuals that are built. Before each unit it asks
//! [`Construction::goes_on`], and within a long one, whose work is then discarded; it reports the units that are done. In a new run
//! the answer is `false` once the run is cancelled or a share of the time limit is used up; the construction then takes
//! a simple solution for what is missing. The number of units done goes into the plan of the result
//! ([`super::driver::Plan::constructed`]), and in a replay that number decides.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use super::Control;

/// Share of the time limit that a construction may take; the search needs the rest.
const SHARE: f64 = 0.5;

/// Progress of the construction of a run.
#[derive(Debug)]
pub struct Construction {
    /// Interrupted with the run.
    run: Control,
    /// Interrupted once the share of the time limit is used up, too.
    share: Control,
    /// Units after which the construction ends; `None` while the clock decides.
    most: Option<u64>,
    done: AtomicU64,
    is_cut: AtomicBool,
}

impl Construction {
    /// Construction of a new run that may take a share of `limit`, counted from now; without a limit it takes the time
    /// that it needs.
    pub fn within(control: &Control, limit: Option<f64>) -> Self {
        let limited = |seconds: Option<f64>| {
            let limit = seconds.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
            limit.map_or_else(|| control.clone(), |limit| control.within(limit))
        };
        let (run, share) = (limited(limit), limited(limit.map(|seconds| seconds * SHARE)));
        Self { run, share, most: None, done: AtomicU64::new(0), is_cut: AtomicBool::new(false) }
    }

    /// Construction that ends after `most` units, or is complete for `None`, as recorded in a result; it can only be
    /// cancelled.
    pub fn recorded(control: &Control, most: Option<u64>) -> Self {
        let most = Some(most.unwrap_or(u64::MAX));
        let (run, share) = (control.clone(), control.clone());
        Self { run, share, most, done: AtomicU64::new(0), is_cut: AtomicBool::new(false) }
    }

    /// Construction that is always complete.
    pub fn unlimited() -> Self {
        Self::recorded(&Control::new(), None)
    }

    /// Begins to count; a construction that begins again, because a device has failed, is counted anew.
    pub fn begin(&self) {
        self.done.store(0, Ordering::Relaxed);
        self.is_cut.store(false, Ordering::Relaxed);
    }

    /// Returns `true` while the next unit may be built, and `false` for good once the construction is cut short.
    pub fn goes_on(&self) -> bool {
        self.allows(&self.share)
    }

    /// As [`Self::goes_on`], but the construction may take the whole time limit, because nothing can be searched
    /// without it.
    pub fn goes_on_to_the_limit(&self) -> bool {
        self.allows(&self.run)
    }

    fn allows(&self, control: &Control) -> bool {
        if self.is_cut.load(Ordering::Relaxed) {
            return false;
        }
        let is_due = self.most.is_some_and(|most| self.done() >= most);
        if is_due || control.is_interrupted() {
            self.is_cut.store(true, Ordering::Relaxed);
            return false;
        }
        true
    }

    /// Counts units that are done.
    pub fn finish(&self, units: u64) {
        self.done.fetch_add(units, Ordering::Relaxed);
    }

    /// Units that are done.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Units that may still be built as far as a recorded number limits them.
    pub fn left(&self) -> usize {
        self.most.map_or(usize::MAX, |most| usize::try_from(most.saturating_sub(self.done())).unwrap_or(usize::MAX))
    }

    /// Units that were done when the construction was cut short; `None` if it was not.
    pub fn cut(&self) -> Option<u64> {
        self.is_cut.load(Ordering::Relaxed).then(|| self.done())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(construction: &Construction, units: u64) -> u64 {
        while construction.done() < units && construction.goes_on() {
            construction.finish(1);
        }
        construction.done()
    }

    #[test]
    fn what_the_clock_cut_short_is_cut_there_again() {
        let control = Control::new();
        assert_eq!(build(&Construction::within(&control, None), 5), 5);
        let timed = Construction::within(&control, Some(0.02));
        let done = build(&timed, u64::MAX);
        assert_eq!(timed.cut(), Some(done));
        let again = Construction::recorded(&control, timed.cut());
        assert_eq!((build(&again, u64::MAX), again.cut()), (done, Some(done)));
        let whole = Construction::recorded(&control, None);
        assert_eq!((build(&whole, 1_000), whole.cut()), (1_000, None));
        control.cancel();
        assert_eq!(
            (build(&Construction::within(&control, None), 5), build(&Construction::recorded(&control, None), 5)),
            (0, 0)
        );
    }
}
