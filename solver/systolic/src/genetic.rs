//! The genetic algorithms SGA and EGA, baselines of systolic genetic search.
//!
//! A generation creates as many children as there are individuals, 2·l·τ, in pairs. Each of the two parents of a pair
//! wins a binary tournament. With probability `crossover` the children exchange the bits between two random points,
//! inclusive. Every bit is flipped with probability `mutation`/l, implemented as a binomial number of distinct random
//! bits.
//!
//! *SGA* is generational: the children replace the population. *EGA* is elitist: a child replaces the individual in its
//! slot only if it is better.
//!
//! [`journal`] records a run for playback; [`ChildSteps`] tells how one child came about.
//!
//! Source: Pedemonte, Luna, Alba (2015), section 5 (algorithms SGA and EGA).

mod explain;
pub mod journal;

use std::sync::Arc;

use rayon::prelude::*;

pub use self::explain::ChildSteps;

use super::Search;
use super::evaluation::{Evaluation, Sums};
use super::grid::Grid;
use super::rules::FirstSolutions;
use super::state::{BestBits, Record, State, purpose, snapshot};
use gridwright_core::random::{Philox, happens, index, threshold};
use gridwright_core::search::parameters::parameters;
use gridwright_core::search::{Control, Epochs, ImprovementLog, NotedImprovement, Snapshot};
use gridwright_core::{Error, Result};

/// Pairs of children per task.
const PART: usize = 128;

/// Largest number of bits of a child that are flipped.
const MOST_FLIPS: usize = 256;

parameters! {
    /// Parameters of the genetic algorithms; l is the number of bits.
    pub struct GeneticParameters {
        /// Iterations of the whole run; 0 takes as many as there are cells, bits times rows, as the paper does.
        iterations: u64 = 0, label: "Iterations", range: 0..=1_000_000_000, zero: "one per cell";
        /// Probability that two children exchange the bits between two random points.
        crossover: f64 = 0.9, label: "Crossover", range: 0.0..=1.0;
        /// Average number of flipped bits per child; 1 flips each bit with probability 1/l.
        mutation: f64 = 1.0, label: "Mutation", unit: "bits per child", range: 0.0..=100.0;
    }
}

/// Problem and operators, constant during a run.
#[derive(Debug)]
struct Operators<E> {
    evaluation: E,
    philox: Philox,
    elitist: bool,
    crossover: u64,
    /// Binomial distribution as cumulative thresholds: k bits are flipped if a random word is at least as large as k of
    /// the entries.
    flips: Vec<u32>,
    each: usize,
    count: usize,
}

/// Genetic algorithm on the CPU.
#[derive(Debug)]
pub struct Genetic<E> {
    operators: Operators<E>,
    population: State,
    children: State,
    record: Record,
    iteration: u64,
    iterations: u64,
    threads: Option<Arc<rayon::ThreadPool>>,
    control: Control,
    improvements: ImprovementLog,
}

/// Random decisions about a pair of children, before mutation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Draws {
    /// Individuals drawn for the tournaments of the first and the second parent.
    candidates: [[u32; 2]; 2],
    /// First and last bit that the children exchange, both inclusive; `None` without crossover.
    segment: Option<[usize; 2]>,
}

/// Words, sums and creation iterations of some individuals.
type Part<'a> = ((&'a mut [u64], &'a mut [Sums]), &'a mut [u32]);

/// Thresholds ⌊2³²·P(K ≤ k)⌋ for k = 0, 1, … while larger k are possible; K is binomial over `bits` trials with mean
/// `mean`.
pub(crate) fn flip_table(bits: usize, mean: f64) -> Vec<u32> {
    let p = (mean / bits as f64).min(0.5);
    // Products in a fixed order give the same table on every machine.
    let mut exactly = (0..bits).fold(1.0, |product, _| product * (1.0 - p));
    let (mut table, mut at_most) = (Vec::new(), 0.0);
    for k in 0..bits.min(MOST_FLIPS) {
        at_most += exactly;
        let scaled = at_most * 4_294_967_296.0;
        if scaled >= 4_294_967_295.0 {
            break;
        }
        table.push(scaled as u32);
        exactly *= (bits - k) as f64 / (k + 1) as f64 * (p / (1.0 - p));
    }
    table
}

impl<E: Evaluation> Genetic<E> {
    /// Starts a run with a random population, of the elitist algorithm if `elitist` and otherwise of the generational
    /// one. Without `threads` the calling thread computes everything.
    pub fn new(
        evaluation: E, elitist: bool, parameters: &GeneticParameters, seed: u64,
        threads: Option<Arc<rayon::ThreadPool>>,
    ) -> Self {
        let count = 2 * Grid::new(evaluation.bits()).cells();
        let population = State::first(&evaluation, FirstSolutions::Random, 0, seed, 0..count, threads.as_deref());
        Self::resume(evaluation, elitist, parameters, seed, population, threads)
    }

    /// Starts a run with a given population; the other arguments are those of [`Self::new`].
    pub fn resume(
        evaluation: E, elitist: bool, parameters: &GeneticParameters, seed: u64, population: State,
        threads: Option<Arc<rayon::ThreadPool>>,
    ) -> Self {
        let operators = Operators {
            philox: Philox::new(seed),
            elitist,
            crossover: threshold(parameters.crossover),
            flips: flip_table(evaluation.bits(), parameters.mutation),
            each: evaluation.words(),
            count: population.count(),
            evaluation,
        };
        Self {
            record: population.best(&operators.evaluation),
            children: population.clone(),
            population,
            operators,
            iteration: 0,
            iterations: parameters.iterations,
            threads,
            control: Control::new(),
            improvements: ImprovementLog::default(),
        }
    }

    /// Continues after `iteration` generations with this best individual.
    pub fn after(self, iteration: u64, record: Record) -> Self {
        Self { iteration, record, ..self }
    }
}

impl<E: Evaluation> Genetic<E> {
    /// Number of individuals evaluated so far, the initial ones included.
    fn evaluations(&self) -> u64 {
        self.operators.count as u64 * (self.iteration + 1)
    }
}

impl<E: Evaluation> Operators<E> {
    /// Tournament winner: the better individual, the one with the smaller number among equals.
    fn winner(&self, population: &State, one: u32, other: u32) -> usize {
        let (one, other) = (one.min(other) as usize, one.max(other) as usize);
        let key = |number: usize| self.evaluation.key(population.sums[number]);
        if key(other) < key(one) { other } else { one }
    }

    /// Draws candidates and segment of a pair.
    fn draws(&self, generation: u32, pair: u32) -> Draws {
        let [a, b, c, d] = self.philox.words(0, generation, pair, purpose::TOURNAMENT);
        let candidates = [[a, b], [c, d]].map(|words| words.map(|word| index(word, self.count as u32)));
        let [event, one, other, _] = self.philox.words(0, generation, pair, purpose::CROSSOVER);
        let segment = happens(event, self.crossover).then(|| {
            let bits = self.evaluation.bits() as u32;
            let (one, other) = (index(one, bits) as usize, index(other, bits) as usize);
            [one.min(other), one.max(other)]
        });
        Draws { candidates, segment }
    }

    /// Creates the children of a pair; `words`, `sums` and `since` hold both children.
    fn mate(
        &self, population: &State, generation: u32, pair: u32, words: &mut [u64], sums: &mut [Sums], since: &mut [u32],
    ) {
        let Draws { candidates, segment } = self.draws(generation, pair);
        let parents = candidates.map(|[one, other]| self.winner(population, one, other));
        for (words, parent) in words.chunks_exact_mut(self.each).zip(parents) {
            words.copy_from_slice(population.solution(parent));
        }
        let mut made = parents.map(|parent| population.sums[parent]);
        if let Some([first, last]) = segment {
            self.cross(first, last, words, &mut made);
        }
        for (child, words) in words.chunks_exact_mut(self.each).enumerate() {
            let number = 2 * pair + child as u32;
            self.mutate(generation, number, words, &mut made[child]);
            let place = number as usize;
            if !self.elitist || self.evaluation.better(made[child], population.sums[place]) {
                (sums[child], since[child]) = (made[child], generation);
            } else {
                words.copy_from_slice(population.solution(place));
                (sums[child], since[child]) = (population.sums[place], population.since[place]);
            }
        }
    }

    /// Exchanges the bits `first..=last` of both children and updates their sums.
    fn cross(&self, first: usize, last: usize, words: &mut [u64], sums: &mut [Sums; 2]) {
        let (one, other) = words.split_at_mut(self.each);
        let mut gains = [[0; 2]; 2];
        for word in first / E::PER_WORD..=last / E::PER_WORD {
            let begin = first.saturating_sub(word * E::PER_WORD);
            let end = (last - word * E::PER_WORD).min(E::PER_WORD - 1);
            let mask = E::FULL << begin & E::FULL >> (E::PER_WORD - 1 - end);
            let differing = (one[word] ^ other[word]) & mask;
            if differing != 0 {
                self.evaluation.exchange(word, one[word], other[word], differing, &mut gains);
                one[word] ^= differing;
                other[word] ^= differing;
            }
        }
        for (sums, gains) in sums.iter_mut().zip(gains) {
            *sums = [sums[0] + gains[0], sums[1] + gains[1]];
        }
    }

    /// Flips distinct random bits: the first random word decides how many, the following ones which.
    fn mutate(&self, generation: u32, child: u32, words: &mut [u64], sums: &mut Sums) {
        let mut drawn = self.philox.words(0, generation, child, purpose::MUTATION);
        let count = self.flips.partition_point(|&limit| limit <= drawn[0]);
        let mut flipped = [0_u32; MOST_FLIPS + 1];
        let (mut done, mut next) = (0, 1);
        while done < count {
            if next % 4 == 0 {
                drawn = self.philox.words(next / 4, generation, child, purpose::MUTATION);
            }
            let bit = index(drawn[next as usize % 4], self.evaluation.bits() as u32);
            next += 1;
            if flipped[..done].contains(&bit) {
                continue;
            }
            flipped[done] = bit;
            done += 1;
            let (word, at) = (bit as usize / E::PER_WORD, bit as usize % E::PER_WORD);
            let gain = self.evaluation.flip(bit as usize, words[word]);
            *sums = [sums[0] + gain[0], sums[1] + gain[1]];
            words[word] ^= 1 << at;
        }
    }
}

impl<E: Evaluation> Epochs for Genetic<E> {
    type Solution = BestBits;

    fn advance(&mut self, steps: u32) -> Result<()> {
        for _ in 0..steps {
            let generation = self.iteration as u32 + 1;
            let Self { operators, population, children, threads, control, .. } = self;
            let part = |(part, ((words, sums), since)): (usize, Part<'_>)| {
                let pairs = words.chunks_mut(2 * operators.each).zip(sums.chunks_mut(2)).zip(since.chunks_mut(2));
                for (number, ((words, sums), since)) in pairs.enumerate() {
                    if number.is_multiple_of(PART) && control.is_interrupted() {
                        return;
                    }
                    operators.mate(population, generation, (part * PART + number) as u32, words, sums, since);
                }
            };
            let State { words, sums, since } = children;
            match threads {
                None => part((0, ((words, sums), since))),
                Some(threads) => threads.install(|| {
                    let words = words.par_chunks_mut(2 * PART * operators.each);
                    let parts = words.zip(sums.par_chunks_mut(2 * PART)).zip(since.par_chunks_mut(2 * PART));
                    parts.enumerate().for_each(part);
                }),
            }
            if control.is_over() {
                return Err(Error::Cancelled);
            }
            std::mem::swap(&mut self.population, &mut self.children);
            let best = self.population.best(&self.operators.evaluation);
            self.iteration += 1;
            if best.key < self.record.key {
                self.record = best;
                let cost = self.operators.evaluation.cost(self.record.sums);
                self.improvements.note(self.iteration, self.evaluations(), cost);
            }
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<BestBits>> {
        let counts = [self.iteration, self.iterations, self.evaluations()];
        let grid = Grid::new(self.operators.evaluation.bits());
        Ok(snapshot(&self.operators.evaluation, &self.population, Some(&self.record), counts, (grid, None)))
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.improvements.take()
    }
}

impl<E: Evaluation> Search for Genetic<E> {
    fn reached(&mut self) -> Result<(f64, u64)> {
        Ok((self.operators.evaluation.cost(self.record.sums), self.record.since.into()))
    }

    fn state(&mut self) -> Result<State> {
        Ok(self.population.clone())
    }

    fn set_control(&mut self, control: &Control) {
        self.control = control.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{Deceptive, Knapsack};

    /// P(K = 0) = (1 − 1/4)⁴ = 81/256, P(K ≤ 1) = 189/256, P(K ≤ 2) = 243/256, P(K ≤ 3) = 255/256.
    #[test]
    fn flips_are_binomial() {
        let share = |numerator: u64| (numerator << 32) / 256;
        let found = flip_table(4, 1.0);
        for (limit, numerator) in found.iter().zip([81, 189, 243, 255]) {
            assert!(u64::from(*limit).abs_diff(share(numerator)) <= 1, "{found:?}");
        }
        assert_eq!(found.len(), 4);
        assert!(flip_table(1_000, 0.0).is_empty());
        let large = flip_table(1_000, 1.0);
        assert!(large.is_sorted() && (8..20).contains(&large.len()), "{large:?}");
    }

    fn walk<E: Evaluation>(evaluation: E, elitist: bool) {
        let parameters = GeneticParameters { iterations: 40, ..GeneticParameters::default() };
        let pool = |threads| Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
        let mut alone = Genetic::new(evaluation.clone(), elitist, &parameters, 4, None);
        let mut many = Genetic::new(evaluation.clone(), elitist, &parameters, 4, Some(pool(3)));
        let mut before = alone.reached().unwrap().0;
        for _ in 0..10 {
            alone.advance(4).unwrap();
            many.advance(1).unwrap();
            many.advance(3).unwrap();
            assert_eq!(alone.snapshot().unwrap().digest, many.snapshot().unwrap().digest);
            for number in 0..alone.population.count() {
                let sums = evaluation.sums(alone.population.solution(number));
                assert_eq!(sums, alone.population.sums[number]);
            }
            let (now, since) = alone.reached().unwrap();
            assert!(now <= before && since <= alone.iteration);
            before = now;
        }
        assert!(alone.reached().unwrap().0 < alone.operators.evaluation.cost(State::random(&evaluation, 4, 1).sums[0]));
    }

    #[test]
    fn sums_are_kept_on_any_number_of_threads() {
        for elitist in [false, true] {
            let weights: Vec<u64> = (0..131).map(|item| 1 + item * 37 % 100).collect();
            let profits: Vec<u64> = weights.iter().rev().copied().collect();
            walk(Knapsack::new(&profits, &weights, 900).unwrap(), elitist);
            walk(Deceptive::new(21), elitist);
        }
    }
}
