//! How far the legs of each cycle go, and how hot each step is.

use std::time::Instant;

use super::MemeticParameters;

/// When a run began, and how long it may take.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// When it began.
    pub began: Instant,
    /// Seconds that it may take.
    pub seconds: f64,
}

/// Where a step lies in the run, and the steps of a leg cycle by cycle.
#[derive(Debug, Clone)]
pub struct Cycles {
    parameters: MemeticParameters,
    limit: Option<Limit>,
    /// When the first step could begin: a device takes its time before.
    ready: Instant,
    /// Steps of a leg, cycle by cycle, as far as they are decided; what a result says where it is run again.
    legs: Vec<u64>,
    /// How many of these are from a result.
    given: usize,
    cycle: usize,
    /// Generations of this cycle that are done; the first leg is that of generation 0.
    generation: u32,
    /// Steps of this leg that are done.
    step: u64,
    /// Steps done in all.
    done: u64,
}

impl Cycles {
    /// Before the first step. `legs` is what an earlier run decided, empty for a first run.
    pub fn new(parameters: &MemeticParameters, legs: &[u64], limit: Option<Limit>) -> Self {
        let (legs, given) = (legs.to_vec(), legs.len());
        let parameters = parameters.clone();
        let mut cycles =
            Self { parameters, limit, ready: Instant::now(), legs, given, cycle: 0, generation: 0, step: 0, done: 0 };
        cycles.decide();
        cycles
    }

    /// Steps of a leg, cycle by cycle.
    pub fn legs(&self) -> &[u64] {
        &self.legs
    }

    /// Generations of this cycle that are done.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Steps done in all.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The cycle, counted from 0.
    pub fn cycle(&self) -> usize {
        self.cycle
    }

    /// Steps that are left of this leg.
    pub fn left(&self) -> u64 {
        self.legs[self.cycle] - self.step
    }

    /// Generations and cycles before this leg: no two legs of a run have the same number.
    pub fn leg(&self) -> u32 {
        self.cycle as u32 * (self.parameters.generations + 1) + self.generation
    }

    /// The temperatures of the next `steps` steps of this leg, as a fraction of the mean cost of random layouts.
    pub fn temperatures(&self, steps: u64) -> Vec<f64> {
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

    /// Goes on by `steps` steps of this leg; says what ends with them.
    pub fn advance(&mut self, steps: u64) -> Ends {
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

    /// Decides how far the legs of the cycle that begins go: four times as far as those before, and where seconds decide, so that no cycle is
    /// broken off far from its end.
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
            // What would be left afterwards is too little for a cycle that finds more.
            Some(most) if most < farther * 5 => most.max(1),
            _ => farther,
        });
    }
}

/// What ends with a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// Nothing.
    Nothing,
    /// A leg, after which individuals set out again.
    Generation,
    /// A cycle, after which all begin anew.
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
