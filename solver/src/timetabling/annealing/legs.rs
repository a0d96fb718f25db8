//! How far a run is: the legs that have begun, how long each is, and which steps come next.

use std::sync::Arc;
use std::time::Instant;

pub use gridwright_kernels::annealing::Steps;

use super::{LEGS, Pacing, RUNGS, Schedule};
use crate::Result;

/// The shortest leg under a time limit.
const SHORTEST: u64 = 8;

/// A part of a leg that is walked at once.
#[derive(Debug, Clone)]
pub struct Stretch {
    /// The leg, counted from 0.
    pub leg: usize,
    /// Whether chains are resampled before.
    pub resamples: bool,
    /// What it is for each component.
    pub steps: Vec<Steps>,
}

/// The legs of a run.
#[derive(Debug, Clone)]
pub struct Legs {
    schedule: Arc<Schedule>,
    pacing: Pacing,
    /// Lengths that somebody else has decided already, before the pacing decides.
    decided: Vec<u64>,
    lengths: Vec<u64>,
    /// First step of the current leg, for every component.
    begins: Vec<u64>,
    /// Seconds spent walking: in all, and when the current leg began.
    spent: (f64, f64),
    step: u64,
}

impl Legs {
    /// Before the first leg.
    pub fn new(schedule: Arc<Schedule>, pacing: Pacing) -> Self {
        let begins = vec![0; schedule.components.len()];
        Self { schedule, pacing, decided: Vec::new(), lengths: Vec::new(), begins, spent: (0.0, 0.0), step: 0 }
    }

    /// What the trajectory depends on.
    pub fn schedule(&self) -> &Arc<Schedule> {
        &self.schedule
    }

    /// Lengths of the legs that have begun, for the replay.
    pub fn lengths(&self) -> &[u64] {
        &self.lengths
    }

    /// Steps walked.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Takes over the lengths that another backend has decided since.
    pub fn decide(&mut self, lengths: &[u64]) {
        self.decided = lengths.to_vec();
    }

    /// Counts time that was spent between two advances, so that a time limit is met.
    pub fn spend(&mut self, seconds: f64) {
        self.spent.0 += seconds;
    }

    /// How much of the run is done, 0…1: whole legs, and the current one as far as it went.
    pub fn share(&self) -> f64 {
        let last = self.lengths.last().copied().unwrap_or(0);
        let open = if last == 0 { 0.0 } else { (self.end() - self.step) as f64 / last as f64 };
        (self.lengths.len() as f64 - open) / LEGS as f64
    }

    /// Goes on by `steps`, as far as there are legs, one stretch after the other.
    ///
    /// # Errors
    /// What `walk` reports; the stretch counts as not walked then.
    pub fn advance(&mut self, steps: u32, mut walk: impl FnMut(&Stretch) -> Result<()>) -> Result<()> {
        let (began, before) = (Instant::now(), self.spent.0);
        let end = self.step + u64::from(steps);
        while self.step < end {
            self.spent.0 = before + began.elapsed().as_secs_f64();
            let begins = self.step == self.end();
            if begins && !self.begin() {
                break;
            }
            let next = self.end().min(end);
            walk(&self.stretch(begins, next))?;
            self.step = next;
        }
        self.spent.0 = before + began.elapsed().as_secs_f64();
        Ok(())
    }

    /// Step at which the current leg ends.
    fn end(&self) -> u64 {
        self.lengths.iter().sum()
    }

    /// Decides how long the next leg is; `false`: there is none.
    fn begin(&mut self) -> bool {
        let leg = self.lengths.len();
        if leg == LEGS {
            return false;
        }
        let length = match (self.decided.get(leg), &self.pacing) {
            (Some(&length), _) => length,
            (None, Pacing::Known(lengths)) => match lengths.get(leg) {
                Some(&length) => length,
                None => return false,
            },
            (None, Pacing::Clock { seconds, rate }) => {
                let last = self.lengths.last().copied().unwrap_or(0) as f64;
                let taken = self.spent.0 - self.spent.1;
                let rate = if last > 0.0 && taken > 0.0 { last / taken } else { *rate };
                let share = (seconds - self.spent.0).max(0.0) / (LEGS - leg) as f64;
                ((rate * share) as u64).max(SHORTEST)
            }
        };
        if let Some(&last) = self.lengths.last() {
            for (begin, component) in self.begins.iter_mut().zip(&self.schedule.components) {
                *begin += component.share_of(last);
            }
        }
        self.spent.1 = self.spent.0;
        self.lengths.push(length);
        true
    }

    fn stretch(&self, begins: bool, next: u64) -> Stretch {
        let (leg, length) = (self.lengths.len() - 1, self.lengths.last().copied().unwrap_or(0));
        let leg_begin = self.end() - length;
        let of = |(component, &begin): (&super::Component, &u64)| Steps {
            from: begin + component.share_of(self.step - leg_begin),
            until: begin + component.share_of(next - leg_begin),
            leg_begin: begin,
            rung_length: component.share_of(length).div_ceil(RUNGS as u64).max(1),
        };
        Stretch {
            leg,
            resamples: begins && self.schedule.resamples_before(leg),
            steps: self.schedule.components.iter().zip(&self.begins).map(of).collect(),
        }
    }
}

/// Which chains of a component continue from which when it is resampled, given their costs: the worst quarter (at least
/// one) from copies of the best, in their order; (from, to).
pub fn resampled(costs: &[i64]) -> Vec<(usize, usize)> {
    let mut ranked: Vec<usize> = (0..costs.len()).collect();
    ranked.sort_by_key(|&chain| (costs[chain], chain));
    let few = (costs.len() / 4).max(1).min(costs.len() / 2);
    (0..few).map(|rank| (ranked[rank], ranked[costs.len() - 1 - rank])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_quarter_continues_from_the_best() {
        assert_eq!(resampled(&[5]), []);
        assert_eq!(resampled(&[5, 3]), [(1, 0)]);
        assert_eq!(resampled(&[5, 3, 5]), [(1, 2)], "of equals the later one is the worse");
        assert_eq!(resampled(&[9, 1, 8, 2, 7, 3, 6, 4]), [(1, 0), (3, 2)]);
    }
}
