//! Bound on the change of cost of a Kempe chain, which ends its evaluation early.
//!
//! Most chains of more than a few exams take most exams of their two periods and are far too dear at low temperatures. Pairs
//! inside a chain keep their distance, so that with the change Δ(i) of cost that exam i alone would cause
//!
//! > Δ ≥ Σ_{i reached} max(Δ(i), 0) + Σ_{i in both periods} min(Δ(i), 0).
//!
//! With rooms, Δ(i) is less what other rooms can save for exam i at most.
//!
//! At high temperatures the bound rarely ends an evaluation, so that it is computed less often there. Whether it is computed
//! changes no result.

/// Number of exams from which on a chain is likely to take most exams of its periods.
const MANY: usize = 8;

/// Failures of bounds: after n in a row, n chances (at most `MOST_SKIPPED`) are left out before the next attempt.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Experience {
    failures: u32,
    skipped: u32,
}

impl Experience {
    /// Most chances that are left out between two attempts.
    const MOST_SKIPPED: u32 = 15;

    /// Returns `true` if this chance should be taken.
    fn is_taken(&mut self) -> bool {
        let is_taken = self.skipped >= self.failures.min(Self::MOST_SKIPPED);
        self.skipped = if is_taken { 0 } else { self.skipped + 1 };
        is_taken
    }

    /// Notes whether a bound has ended an evaluation.
    fn note(&mut self, has_ended: bool) {
        self.failures = if has_ended { 0 } else { self.failures.saturating_add(1) };
    }
}

/// Bound on the change of cost of one chain.
#[derive(Debug)]
pub(crate) struct Bound {
    /// Largest acceptable change of cost.
    limit: i64,
    /// True until it is decided whether the bound is computed.
    is_open: bool,
    /// Σ_{i reached} max(Δ(i), 0).
    worse: i64,
    /// Largest such sum of an acceptable chain; `None` if the bound is not computed.
    most: Option<i64>,
}

impl Bound {
    /// The bound of a chain whose change of cost has to be at most `limit`; without `is_valid` it is never computed.
    #[inline(always)]
    pub(crate) fn new(limit: i64, is_valid: bool) -> Self {
        Self { limit, is_open: is_valid, worse: 0, most: None }
    }

    /// Adds Δ(i) of a reached exam; returns `true` if the chain is certainly not acceptable.
    #[inline(always)]
    pub(crate) fn add(&mut self, alone: i64) -> bool {
        self.worse += alone.max(0);
        self.most.is_some_and(|most| self.worse > most)
    }

    /// Returns `true`, at most once, if computing the bound is likely to pay for a chain of so many exams.
    #[inline(always)]
    pub(crate) fn is_due(&mut self, experience: &mut Experience, exams: usize) -> bool {
        let is_asked = self.is_open && exams > MANY;
        self.is_open &= !is_asked;
        is_asked && experience.is_taken()
    }

    /// Sets the bound; `saved` is Σ_{i in both periods} min(Δ(i), 0).
    #[inline(always)]
    pub(crate) fn set(&mut self, saved: i64) {
        self.most = Some(self.limit.saturating_sub(saved));
    }

    /// Notes whether this bound has ended the evaluation, if it was computed.
    #[inline(always)]
    pub(crate) fn close(self, experience: &mut Experience, has_ended: bool) {
        if self.most.is_some() {
            experience.note(has_ended);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_that_fails_is_computed_less_often_until_it_succeeds() {
        let mut experience = Experience::default();
        let mut chances_until = |has_ended: bool| {
            let chances = (1..).find(|_| {
                let mut bound = Bound::new(100, true);
                if bound.is_due(&mut experience, MANY + 1) {
                    bound.set(-30);
                }
                let is_computed = bound.add(131);
                bound.close(&mut experience, has_ended);
                is_computed
            });
            chances.unwrap()
        };
        assert_eq!([false, false, false, true, true].map(&mut chances_until), [1, 2, 3, 4, 1]);
        let waits: Vec<u32> = (0..40).map(|_| chances_until(false)).collect();
        assert_eq!(waits.iter().max(), Some(&(Experience::MOST_SKIPPED + 1)));
    }

    #[test]
    fn chains_end_above_the_limit_and_what_may_be_saved_and_no_earlier() {
        let mut experience = Experience::default();
        let mut bound = Bound::new(100, true);
        assert!(!bound.is_due(&mut experience, MANY), "short chains need no bound");
        assert!(!bound.add(1_000), "nothing is known yet");
        bound = Bound::new(100, true);
        assert!(bound.is_due(&mut experience, MANY + 1) && !bound.is_due(&mut experience, MANY + 2));
        bound.set(-30);
        assert_eq!([130, -50, 0, 1].map(|alone| bound.add(alone)), [false, false, false, true]);
        let mut invalid = Bound::new(100, false);
        assert!(!invalid.is_due(&mut experience, MANY + 1), "the bound is not valid");
        assert!(!invalid.add(1_000));
    }
}
