//! Schedule of the memetic algorithm: stage lengths per cycle and the temperature of each step.

use std::time::Instant;

use super::MemeticParameters;

/// Time limit of a run.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// Start of the run.
    pub began: Instant,
    /// Time limit in seconds.
    pub seconds: f64,
}

/// Position in the schedule and the stage lengths decided so far.
#[derive(Debug, Clone)]
pub struct Cycles {
    parameters: MemeticParameters,
    limit: Option<Limit>,
    /// Start of the first step, which is later than the start of the run by the setup of the backend.
    ready: Instant,
    /// Steps per stage, one entry per cycle; stored in the result for the replay.
    legs: Vec<u64>,
    /// Number of entries of `legs` taken from a stored result.
    given: usize,
    cycle: usize,
    /// Completed stages of this cycle; the first stage belongs to generation 0.
    generation: u32,
    /// Completed steps of this stage.
    step: u64,
    /// Completed steps of the run.
    done: u64,
}

impl Cycles {
    /// Schedule at step 0. `legs` holds the stage lengths of a stored run, empty for a new one.
    pub fn new(parameters: &MemeticParameters, legs: &[u64], limit: Option<Limit>) -> Self {
        let (legs, given) = (legs.to_vec(), legs.len());
        let parameters = parameters.clone();
        let mut cycles =
            Self { parameters, limit, ready: Instant::now(), legs, given, cycle: 0, generation: 0, step: 0, done: 0 };
        cycles.decide();
        cycles
    }

    /// Steps per stage, one entry per cycle.
    pub(crate) fn legs(&self) -> &[u64] {
        &self.legs
    }

    /// Completed stages of this cycle.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Completed steps of the run.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Remaining steps of this stage.
    pub fn left(&self) -> u64 {
        self.legs[self.cycle] - self.step
    }

    /// Number of the stage, unique within the run.
    pub fn leg(&self) -> u32 {
        self.cycle as u32 * (self.parameters.generations + 1) + self.generation
    }

    /// Temperatures of the next `steps` steps of this stage, as fractions of the mean cost of random layouts: geometric
    /// from the first temperature to `cold`.
    pub(crate) fn temperatures(&self, steps: u64) -> Vec<f64> {
        let MemeticParameters { generations, hot, warm, cold, .. } = self.parameters;
        let cold = cold / 1e3;
        let first = match self.generation {
            0 => hot / 1e3,
            generation => warm / 1e3 * (1.0 - f64::from(generation - 1) / f64::from(generations)) + cold,
        };
        let length = self.legs[self.cycle] as f64;
        let at = |step: u64| first * libm::pow(cold / first, step as f64 / length);
        (self.step..self.step + steps).map(at).collect()
    }

    /// Shares of this stage that are over before each of the next `steps` steps, 0 to below 1.
    pub(crate) fn shares(&self, steps: u64) -> Vec<f64> {
        let length = self.legs[self.cycle] as f64;
        (self.step..self.step + steps).map(|step| step as f64 / length).collect()
    }

    /// Advances by at most [`Self::left`] steps; returns what ended with them.
    pub(crate) fn advance(&mut self, steps: u64) -> Ends {
        self.step += steps;
        self.done += steps;
        if self.left() > 0 {
            return Ends::Nothing;
        }
        self.step = 0;
        self.generation += 1;
        if self.generation <= self.parameters.generations {
            return Ends::Generation;
        }
        self.generation = 0;
        self.cycle += 1;
        self.decide();
        Ends::Cycle
    }

    /// Decides the stage length of the cycle that begins: four times the previous one, or what the time limit affords
    /// if the rest would be too short for another full cycle.
    fn decide(&mut self) {
        if self.cycle < self.given {
            return;
        }
        self.legs.truncate(self.cycle);
        let farther = self.legs.last().map_or(u64::from(self.parameters.leg), |leg| leg * 4).min(1 << 31);
        let affordable = self.limit.filter(|_| self.done > 0).map(|limit| {
            let left = limit.seconds - limit.began.elapsed().as_secs_f64();
            let steps = left.max(0.0) * self.done as f64 / self.ready.elapsed().as_secs_f64().max(1e-6);
            (steps / f64::from(self.parameters.generations + 1)) as u64
        });
        self.legs.push(match affordable {
            // The time that would remain is too short for a cycle that finds more.
            Some(most) if most < farther * 5 => most.max(1),
            _ => farther,
        });
    }
}

/// End of a stage or cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// The stage goes on.
    Nothing,
    /// A stage ended within the cycle.
    Generation,
    /// The last stage of a cycle ended.
    Cycle,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_grow_and_cool() {
        let parameters =
            MemeticParameters { generations: 2, leg: 4, hot: 10.0, warm: 6.0, ..MemeticParameters::default() };
        let mut cycles = Cycles::new(&parameters, &[], None);
        let first = cycles.temperatures(4);
        assert!((first[0] - 0.01).abs() < 1e-12 && first.windows(2).all(|pair| pair[0] > pair[1]), "{first:?}");
        assert_eq!((cycles.advance(3), cycles.left(), cycles.leg()), (Ends::Nothing, 1, 0));
        assert_eq!((cycles.advance(1), cycles.leg()), (Ends::Generation, 1));
        assert!((cycles.temperatures(1)[0] - 0.0061).abs() < 1e-12);
        assert_eq!((cycles.advance(4), cycles.leg()), (Ends::Generation, 2));
        assert!((cycles.temperatures(1)[0] - 0.0031).abs() < 1e-12);
        assert_eq!((cycles.advance(4), cycles.leg(), cycles.left()), (Ends::Cycle, 3, 16));
        assert_eq!((cycles.legs(), cycles.done()), (&[4, 16][..], 12));
    }

    #[test]
    fn what_was_decided_is_taken_over() {
        let parameters = MemeticParameters { generations: 1, ..MemeticParameters::default() };
        let mut cycles = Cycles::new(&parameters, &[3, 5], None);
        assert_eq!((cycles.left(), cycles.advance(3), cycles.advance(3)), (3, Ends::Generation, Ends::Cycle));
        assert_eq!((cycles.left(), cycles.legs()), (5, &[3, 5][..]));
        cycles.advance(5);
        cycles.advance(5);
        assert_eq!(cycles.legs(), [3, 5, 20]);
    }
}
