//! Keyframes of a recording: complete states at some steps of a run, within a bound of memory. A step between two
//! keyframes is reconstructed from the one before it.
//!
//! Where the states exceed the bound, every second one is dropped and the distance between them doubles, so that the
//! bound holds for a run of any length and seeking slows down gradually. The first state is never dropped.

/// States at ascending steps.
#[derive(Debug)]
pub struct Keyframes<S> {
    states: Vec<(u64, S)>,
    /// Bytes of a state.
    size: fn(&S) -> usize,
    /// Bytes of all states.
    bytes: usize,
    bound: usize,
    spacing: u64,
    is_thinned: bool,
}

impl<S> Keyframes<S> {
    /// Begins with the state at step 0. The states take at most `bound` bytes, or the size of two where these are larger;
    /// `spacing` is the distance between two keyframes, in a unit of the caller's choice.
    pub fn new(first: S, size: fn(&S) -> usize, bound: usize, spacing: u64) -> Self {
        let bytes = size(&first);
        Self { states: vec![(0, first)], size, bytes, bound, spacing, is_thinned: false }
    }

    /// Present distance between two keyframes, in the caller's unit.
    pub fn spacing(&self) -> u64 {
        self.spacing
    }

    /// Returns `true` once keyframes were dropped.
    pub fn is_thinned(&self) -> bool {
        self.is_thinned
    }

    /// Number of keyframes.
    pub fn count(&self) -> usize {
        self.states.len()
    }

    /// The states in the order of their steps.
    pub fn into_states(self) -> Vec<S> {
        self.states.into_iter().map(|(_, state)| state).collect()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Stores the state at a step, which follows all earlier ones; thins out while the states exceed the bound.
    pub fn keep(&mut self, step: u64, state: S) {
        self.bytes += (self.size)(&state);
        self.states.push((step, state));
        while self.states.len() > 2 && self.bytes > self.bound {
            let mut number = 0;
            self.states.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.bytes = self.states.iter().map(|(_, state)| (self.size)(state)).sum();
            self.spacing *= 2;
            self.is_thinned = true;
        }
    }

    /// The keyframe from which step `wanted` is reached soonest by going forwards; `None` if the state at `present` is as
    /// near.
    pub fn nearer(&self, present: u64, wanted: u64) -> Option<(u64, &S)> {
        let last = self.states.iter().rev().find(|(at, _)| *at <= wanted);
        let (at, state) = last.filter(|(at, _)| present > wanted || present < *at)?;
        Some((*at, state))
    }
}

/// Message for a recording of at most `bound` bytes whose keyframes were thinned out; `step` is a step with its
/// article, such as «an iteration».
pub fn slower(bound: usize, step: &str) -> String {
    format!("the recording takes all of its {} MB, so finding {step} takes longer", bound >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_holds_and_every_step_has_a_keyframe_before_it() {
        let mut keyframes = Keyframes::new(0, |_| 10, 80, 1);
        for step in 1..=100_u64 {
            if step % keyframes.spacing() == 0 {
                keyframes.keep(step, step);
            }
            assert!(keyframes.bytes() <= 80);
        }
        assert!(keyframes.is_thinned() && keyframes.count() > 4, "{keyframes:?}");
        for wanted in 0..=100 {
            let (at, &state) = keyframes.nearer(u64::MAX, wanted).unwrap();
            assert!(at == state && at <= wanted && wanted - at < keyframes.spacing());
        }
    }

    #[test]
    fn who_is_nearer_goes_on() {
        let mut keyframes = Keyframes::new((), |()| 0, 1, 10);
        keyframes.keep(10, ());
        let from = |present, wanted| keyframes.nearer(present, wanted).map(|(at, ())| at);
        assert_eq!([from(12, 15), from(10, 10), from(3, 9)], [None; 3]);
        assert_eq!([from(12, 11), from(3, 15), from(12, 4)], [Some(10), Some(10), Some(0)]);
    }
}
