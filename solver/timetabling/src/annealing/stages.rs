//! Progress of an annealing run: stages begun, their lengths, and the steps to run next.
//!
//! A run has [`STAGES`] stages of equal share. With a known step budget their lengths are given; under a time limit the
//! length of a stage is decided when it begins, from the step rate of the previous stage and the remaining time. The
//! lengths are stored with the result, so that a replay needs no clock. Shared by the CPU and the device backend.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Instant;

pub(crate) use gridwright_kernels::annealing::StepRange;

use super::{LEVELS, Pacing, STAGES, Schedule};
use gridwright_core::Result;

/// Minimum length in steps of a stage under a time limit.
const SHORTEST: u64 = 8;

/// Part of a stage that is run without interruption.
#[derive(Debug, Clone)]
pub(crate) struct Segment {
    /// Index of the stage, from 0.
    pub stage: usize,
    /// True if chains are resampled before this segment.
    pub(crate) resamples: bool,
    /// Range of steps of each component.
    pub steps: Vec<StepRange>,
    /// First and last step of the search in this part, counted from 1.
    pub(crate) range: RangeInclusive<u64>,
    /// Steps of the search before the stage.
    before_stage: u64,
}

impl Segment {
    /// Number of steps that a component makes in this part up to a step of the search.
    pub(crate) fn steps_up_to(&self, schedule: &Schedule, component: usize, step: u64) -> usize {
        let StepRange { from, stage_begin, .. } = self.steps[component];
        (stage_begin + schedule.components[component].share_of(step - self.before_stage) - from) as usize
    }
}

/// Stages of a run and the current position in them.
#[derive(Debug, Clone)]
pub struct Stages {
    schedule: Arc<Schedule>,
    pacing: Pacing,
    /// Lengths decided by another backend, which take precedence over the pacing.
    decided: Vec<u64>,
    lengths: Vec<u64>,
    /// First step of the current stage, for each component.
    begins: Vec<u64>,
    /// Seconds of search in total, and their value when the current stage began.
    spent: (f64, f64),
    step: u64,
}

impl Stages {
    /// Creates the state before the first stage.
    pub fn new(schedule: Arc<Schedule>, pacing: Pacing) -> Self {
        let begins = vec![0; schedule.components.len()];
        Self { schedule, pacing, decided: Vec::new(), lengths: Vec::new(), begins, spent: (0.0, 0.0), step: 0 }
    }

    /// The schedule of the run.
    pub fn schedule(&self) -> &Arc<Schedule> {
        &self.schedule
    }

    /// Lengths in steps of the stages that have begun; a replay needs them.
    pub fn lengths(&self) -> &[u64] {
        &self.lengths
    }

    /// Number of steps completed.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Adopts the stage lengths that another backend has decided.
    pub(crate) fn decide(&mut self, lengths: &[u64]) {
        self.decided = lengths.to_vec();
    }

    /// Adds time spent between two calls of [`advance`](Self::advance), so that a time limit is met.
    pub(crate) fn spend(&mut self, seconds: f64) {
        self.spent.0 += seconds;
    }

    /// Completed fraction of the run, 0…1: whole stages and the completed part of the current one.
    pub fn share(&self) -> f64 {
        let last = self.lengths.last().copied().unwrap_or(0);
        let open = if last == 0 { 0.0 } else { (self.end() - self.step) as f64 / last as f64 };
        (self.lengths.len() as f64 - open) / STAGES as f64
    }

    /// Advances by `steps` steps or to the end of the last stage, calling `walk` for each segment.
    ///
    /// # Errors
    /// Errors of `walk`; its segment does not count as completed then.
    pub(crate) fn advance(&mut self, steps: u32, mut walk: impl FnMut(&Segment) -> Result<()>) -> Result<()> {
        let (began, before) = (Instant::now(), self.spent.0);
        let end = self.step + u64::from(steps);
        while self.step < end {
            self.spent.0 = before + began.elapsed().as_secs_f64();
            if self.step == self.end() && !self.begin() {
                break;
            }
            let next = self.next_resampling().min(self.end()).min(end);
            walk(&self.segment(next))?;
            self.step = next;
        }
        self.spent.0 = before + began.elapsed().as_secs_f64();
        Ok(())
    }

    /// Step at which the current stage ends.
    fn end(&self) -> u64 {
        self.lengths.iter().sum()
    }

    /// Begins the next stage and decides its length; returns `false` if there is none.
    fn begin(&mut self) -> bool {
        let stage = self.lengths.len();
        if stage == STAGES {
            return false;
        }
        let length = match (self.decided.get(stage), &self.pacing) {
            (Some(&length), _) => length,
            (None, Pacing::Known(lengths)) => match lengths.get(stage) {
                Some(&length) => length,
                None => return false,
            },
            (None, Pacing::Clock { seconds, rate }) => {
                let last = self.lengths.last().copied().unwrap_or(0) as f64;
                let taken = self.spent.0 - self.spent.1;
                let rate = if last > 0.0 && taken > 0.0 { last / taken } else { *rate };
                let share = (seconds - self.spent.0).max(0.0) / (STAGES - stage) as f64;
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

    /// Index and length in steps of the current stage, the number of steps completed in it, and the steps per temperature
    /// level.
    fn stage(&self) -> (usize, u64, u64, u64) {
        let (stage, length) = (self.lengths.len() - 1, self.lengths.last().copied().unwrap_or(0));
        (stage, length, self.step + length - self.end(), level_steps(length))
    }

    /// Step of the next resampling within the current stage after the present step; `u64::MAX` if there is none.
    fn next_resampling(&self) -> u64 {
        let (stage, _, done, per_level) = self.stage();
        let next = (done / per_level + 1..LEVELS as u64)
            .find(|&level| self.schedule.resamples_before(stage * LEVELS + level as usize));
        next.map_or(u64::MAX, |level| self.step - done + level * per_level)
    }

    /// The part of the current stage from the present step to step `next`.
    fn segment(&self, next: u64) -> Segment {
        let (stage, length, done, per_level) = self.stage();
        let stage_begin = self.step - done;
        let of = |(component, &begin): (&super::Component, &u64)| StepRange {
            from: begin + component.share_of(self.step - stage_begin),
            until: begin + component.share_of(next - stage_begin),
            stage_begin: begin,
            level_steps: level_steps(component.share_of(length)),
        };
        let level = (done / per_level) as usize;
        Segment {
            stage,
            resamples: done.is_multiple_of(per_level) && self.schedule.resamples_before(stage * LEVELS + level),
            steps: self.schedule.components.iter().zip(&self.begins).map(of).collect(),
            range: self.step + 1..=next,
            before_stage: stage_begin,
        }
    }
}

/// Steps per temperature level of a stage of `length` steps.
fn level_steps(length: u64) -> u64 {
    length.div_ceil(LEVELS as u64).max(1)
}

/// Pairs (from, to) of chains for resampling a component, given the costs of its chains: the worst quarter (at least
/// one, at most half) continues from copies of the best, in order of rank; ties by index.
pub fn resampled(costs: &[i64]) -> Vec<(usize, usize)> {
    let mut ranked: Vec<usize> = (0..costs.len()).collect();
    ranked.sort_by_key(|&chain| (costs[chain], chain));
    let few = (costs.len() / 4).max(1).min(costs.len() / 2);
    (0..few).map(|rank| (ranked[rank], ranked[costs.len() - 1 - rank])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annealing::AnnealingParameters;

    /// Steps before which a run of `per_stage` steps per stage is resampled, if it advances by `epoch` steps at a time.
    fn resampled_before(resamplings: u32, per_stage: u64, epoch: u32) -> Vec<u64> {
        let parameters = AnnealingParameters { chains: 1_000, resamplings, ..AnnealingParameters::default() };
        let components = vec![(0..10).collect(), (10..13).collect()];
        let schedule = Arc::new(Schedule::of_components(components, 5, &parameters));
        let mut stages = Stages::new(schedule, Pacing::even(per_stage * STAGES as u64));
        let (mut found, mut walked) = (Vec::new(), 0);
        while walked < per_stage * STAGES as u64 {
            let advance = stages.advance(epoch, |segment| {
                let range = segment.steps[0];
                assert_eq!(range.from, walked, "segments follow each other");
                assert!(range.until > range.from && segment.steps[1].until * 10 <= range.until * 3);
                found.extend(segment.resamples.then_some(walked));
                walked = range.until;
                Ok(())
            });
            advance.unwrap();
        }
        found
    }

    #[test]
    fn resamplings_are_spread_over_stages_and_then_over_levels() {
        assert!(resampled_before(0, 160, 1_000).is_empty());
        assert_eq!(resampled_before(3, 160, 1_000), [16, 32, 48].map(|stage| stage * 160));
        assert_eq!(resampled_before(63, 160, 1_000), (1..64).map(|stage| stage * 160).collect::<Vec<_>>());
        // Levels have ten steps.
        assert_eq!(resampled_before(255, 160, 1_000), (1..256).map(|part| part * 40).collect::<Vec<_>>());
        assert_eq!(resampled_before(1_023, 160, 1_000), (1..1_024).map(|level| level * 10).collect::<Vec<_>>());
        let uneven = resampled_before(100, 160, 1_000);
        assert_eq!((uneven.len(), uneven[0], uneven[99]), (100, 110, 10_140));
    }

    #[test]
    fn epochs_do_not_change_when_chains_are_resampled() {
        // The levels of a stage have two steps, the last one and a half.
        let expected = resampled_before(255, 31, 5_000);
        assert_eq!(expected.len(), 255);
        for epoch in [1, 7, 31, 64] {
            assert_eq!(resampled_before(255, 31, epoch), expected, "{epoch} steps at a time");
        }
        // Stages with fewer steps than levels have fewer resamplings.
        assert_eq!(resampled_before(255, 5, 64).len(), 127);
    }

    #[test]
    fn the_worst_quarter_continues_from_the_best() {
        assert_eq!(resampled(&[5]), []);
        assert_eq!(resampled(&[5, 3]), [(1, 0)]);
        assert_eq!(resampled(&[5, 3, 5]), [(1, 2)], "of equals the later one is the worse");
        assert_eq!(resampled(&[9, 1, 8, 2, 7, 3, 6, 4]), [(1, 0), (3, 2)]);
    }
}
