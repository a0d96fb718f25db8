//! State of a search (all its solutions, in one form for every backend) and the snapshots made of it.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use xxhash_rust::xxh3::Xxh3;

use super::evaluation::{Evaluation, Key, Sums, random_words, unpack};
use super::grid::{Flavour, Grid, Place};
use super::rules::FirstSolutions;
use gridwright_core::random::Philox;
use gridwright_core::search::Snapshot;

/// Purpose words of the random addresses (draw, iteration, individual, purpose).
pub(crate) mod purpose {
    /// Initial populations, iteration 0.
    pub(super) const INITIAL: u32 = 1;
    /// Solutions of random search.
    pub(crate) const RANDOM: u32 = 2;
    /// Candidates of the two tournaments of a pair.
    pub(crate) const TOURNAMENT: u32 = 3;
    /// Crossover event and points.
    pub(crate) const CROSSOVER: u32 = 4;
    /// Flipped bits of a child.
    pub(crate) const MUTATION: u32 = 5;
}

/// Solutions by number: those of the first population, then those of the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Packed bits, solution after solution.
    pub words: Vec<u64>,
    /// Sums of each solution.
    pub sums: Vec<Sums>,
    /// Iteration (from 1; 0: initial) in which each solution was created.
    pub since: Vec<u32>,
}

/// Best solution so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Quality.
    pub key: Key,
    pub sums: Sums,
    /// Iteration (from 1; 0: initial) in which this quality was first reached.
    pub since: u32,
    /// Packed bits.
    pub words: Vec<u64>,
}

impl Record {
    /// State that consists of this solution only.
    pub(crate) fn as_state(&self) -> State {
        State { words: self.words.clone(), sums: vec![self.sums], since: vec![self.since] }
    }
}

/// Solutions of a search, numbered as in a [`State`], wherever they lie.
pub(crate) trait Solutions {
    /// Passes the packed bits of all solutions on, in order, in parts of whole solutions.
    fn for_each_part(&self, take: &mut dyn FnMut(&[u64]));

    /// Packed bits of a solution.
    fn words_of(&self, number: usize) -> Vec<u64>;

    /// Sums of all solutions.
    fn sums(&self) -> Vec<Sums>;

    /// Iteration (from 1; 0: initial) in which each solution was created.
    fn since(&self) -> Vec<u32>;
}

impl Solutions for State {
    fn for_each_part(&self, take: &mut dyn FnMut(&[u64])) {
        take(&self.words);
    }

    fn words_of(&self, number: usize) -> Vec<u64> {
        self.solution(number).to_vec()
    }

    fn sums(&self) -> Vec<Sums> {
        self.sums.clone()
    }

    fn since(&self) -> Vec<u32> {
        self.since.clone()
    }
}

impl State {
    /// Memory of the solutions, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        8 * self.words.len() + 20 * self.count()
    }

    /// Draws `count` random solutions.
    pub fn random<E: Evaluation>(evaluation: &E, seed: u64, count: usize) -> Self {
        Self::first(evaluation, FirstSolutions::Random, 0, seed, 0..count, None)
    }

    /// Makes the first solutions with these numbers, of which those from `half` on are vertical; without `threads` in the
    /// calling thread.
    pub(crate) fn first<E: Evaluation>(
        evaluation: &E, rule: FirstSolutions, half: usize, seed: u64, numbers: Range<usize>,
        threads: Option<&rayon::ThreadPool>,
    ) -> Self {
        let (each, philox, count) = (evaluation.words(), Philox::new(seed), numbers.len());
        let (mut words, mut sums) = (vec![0; count * each], vec![[0; 2]; count]);
        let draw = |((at, words), sums): ((usize, &mut [u64]), &mut Sums)| {
            let number = numbers.start + at;
            let mut random = |individual: usize| {
                random_words::<E>(evaluation.bits(), philox, 0, individual as u32, purpose::INITIAL, words);
            };
            match rule {
                FirstSolutions::Random => random(number),
                FirstSolutions::Copies => random(0),
                FirstSolutions::Zeros => {}
                FirstSolutions::Opposites if number < half => {}
                FirstSolutions::Opposites => repeated::<E>(evaluation.bits(), u64::MAX, words),
                // Words hold an even number of bits, so that all of them begin with a one.
                FirstSolutions::Alternating => repeated::<E>(evaluation.bits(), u64::MAX / 3, words),
            }
            *sums = evaluation.sums(words);
        };
        match threads {
            None => words.chunks_mut(each).enumerate().zip(&mut sums).for_each(draw),
            Some(threads) => {
                threads.install(|| words.par_chunks_mut(each).enumerate().zip(&mut sums).for_each(draw));
            }
        }
        Self { words, sums, since: vec![0; count] }
    }

    /// Number of solutions.
    pub fn count(&self) -> usize {
        self.sums.len()
    }

    /// Packed bits of a solution.
    pub fn solution(&self, number: usize) -> &[u64] {
        let each = self.words.len() / self.count();
        &self.words[number * each..(number + 1) * each]
    }

    /// Best solution present, the first among equals. In searches that never replace a solution by a worse one, such as
    /// the grid, it is the best so far, and the smallest `since` among equals tells when it was found.
    pub fn best<E: Evaluation>(&self, evaluation: &E) -> Record {
        let (number, key, since) = best_of(evaluation, &self.sums, &self.since);
        Record { key, sums: self.sums[number], since, words: self.solution(number).to_vec() }
    }

    /// Digest of all solutions and the best one.
    pub fn digest(&self, iteration: u64, record: Option<&Record>) -> u64 {
        let mut hasher = Xxh3::with_seed(iteration);
        update(&mut hasher, self.words.iter().copied());
        digest_rest(hasher, &self.sums, &self.since, record)
    }
}

/// Fills all words with the same bits, 0 beyond the last bit.
fn repeated<E: Evaluation>(bits: usize, pattern: u64, words: &mut [u64]) {
    words.fill(pattern & E::FULL);
    let beyond = words.len() * E::PER_WORD - bits;
    if let Some(last) = words.last_mut() {
        *last &= E::FULL >> beyond;
    }
}

/// Completes a digest of packed bits by everything else.
fn digest_rest(mut hasher: Xxh3, sums: &[Sums], since: &[u32], record: Option<&Record>) -> u64 {
    update(&mut hasher, sums.iter().flatten().map(|&sum| sum as u64));
    update(&mut hasher, since.iter().map(|&since| u64::from(since)));
    if let Some(record) = record {
        update(&mut hasher, record.words.iter().copied());
        update(&mut hasher, [u64::from(record.since)].into_iter());
    }
    hasher.digest()
}

/// Number, quality and earliest creation iteration of the best among some solutions.
pub(crate) fn best_of<E: Evaluation>(evaluation: &E, sums: &[Sums], since: &[u32]) -> (usize, Key, u32) {
    let mut best = (0, evaluation.key(sums[0]), since[0]);
    // Skips repeated sums, which are frequent.
    let mut last = sums[0];
    for (number, (&sums, &since)) in sums.iter().zip(since).enumerate() {
        if sums == last && since >= best.2 {
            continue;
        }
        last = sums;
        let key = evaluation.key(sums);
        if key < best.1 {
            best = (number, key, since);
        } else if key == best.1 {
            best.2 = best.2.min(since);
        }
    }
    best
}

fn update(hasher: &mut Xxh3, mut words: impl Iterator<Item = u64>) {
    let mut buffer = [0_u8; 2_048];
    loop {
        let mut length = 0;
        for bytes in buffer.chunks_exact_mut(8) {
            let Some(word) = words.next() else { break };
            bytes.copy_from_slice(&word.to_le_bytes());
            length += 8;
        }
        hasher.update(&buffer[..length]);
        if length < buffer.len() {
            return;
        }
    }
}

/// Largest size in bytes of solutions that a snapshot copies for display; several snapshots exist at a time.
const MOST_KEPT: usize = 64 << 20;

/// All solutions at one iteration, for display.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Completed iterations.
    pub iteration: u64,
    /// Data flow of the grid; `None` if the solutions form a population.
    pub flavour: Option<Flavour>,
    /// Grid of the run.
    pub grid: Grid,
    /// Packed bits of all solutions; those of the first population come first, slot by slot. Empty in snapshots of
    /// searches whose solutions take more than [`MOST_KEPT`] bytes.
    pub words: Vec<u64>,
    /// Bits per word.
    pub per_word: usize,
    /// Cost of each solution; [`super::Kind::fitness`] converts it for people.
    pub costs: Vec<f64>,
    /// Iteration (from 1; 0: initial) in which each solution was created.
    pub since: Vec<u32>,
    /// Number of solutions with a 1, per bit.
    pub ones: Vec<u32>,
    /// Smallest cost.
    pub best: f64,
    /// Mean cost.
    pub mean: f64,
    /// Largest cost.
    pub worst: f64,
    /// Mean Hamming distance between two solutions, in bits.
    pub diversity: f64,
}

impl Frame {
    /// Computes the frame of a state.
    pub fn new<E: Evaluation>(evaluation: &E, state: State, iteration: u64, flow: (Grid, Option<Flavour>)) -> Self {
        let mut columns = ColumnCounts::new(evaluation.words());
        columns.add(&state.words);
        let State { words, sums, since } = state;
        Self::of(evaluation, (words, sums, since), columns.counts(evaluation), iteration, flow)
    }

    /// Computes the frame of solutions whose `words` may be left out.
    fn of<E: Evaluation>(
        evaluation: &E, (words, sums, since): (Vec<u64>, Vec<Sums>, Vec<u32>), ones: Vec<u32>, iteration: u64,
        (grid, flavour): (Grid, Option<Flavour>),
    ) -> Self {
        let costs: Vec<f64> = sums.iter().map(|&sums| evaluation.cost(sums)).collect();
        let count = costs.len() as f64;
        let differing: f64 = ones.iter().map(|&ones| f64::from(ones) * (count - f64::from(ones))).sum();
        Self {
            iteration,
            flavour,
            grid,
            per_word: E::PER_WORD,
            best: costs.iter().copied().fold(f64::INFINITY, f64::min),
            mean: costs.iter().sum::<f64>() / count,
            worst: costs.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            diversity: if count > 1.0 { differing / (count * (count - 1.0) / 2.0) } else { 0.0 },
            words,
            since,
            costs,
            ones,
        }
    }

    /// Number of solutions.
    pub fn count(&self) -> usize {
        self.costs.len()
    }

    /// Number of the solution at a place.
    pub fn number(&self, place: Place) -> usize {
        place.population * self.grid.cells() + place.slot
    }

    /// Numbers of the horizontal and the vertical solution that a cell meets in the next iteration; `None` without a
    /// grid.
    pub fn meets(&self, row: usize, column: usize) -> Option<[usize; 2]> {
        self.at(self.iteration, row, column)
    }

    /// Numbers of the two solutions that a cell worked on in the last iteration; `None` without a grid or before the
    /// first iteration.
    pub fn left(&self, row: usize, column: usize) -> Option<[usize; 2]> {
        self.at(self.iteration.checked_sub(1)?, row, column)
    }

    fn at(&self, iteration: u64, row: usize, column: usize) -> Option<[usize; 2]> {
        Some(self.grid.meeting(self.flavour?, iteration, row, column).map(|place| self.number(place)))
    }

    /// Returns `true` if the solution was created in the last iteration.
    pub fn accepted(&self, number: usize) -> bool {
        self.iteration > 0 && u64::from(self.since[number]) == self.iteration
    }

    /// Returns `true` if the frame holds the bits of its solutions.
    pub fn keeps_bits(&self) -> bool {
        !self.words.is_empty()
    }

    /// Packed bits of a solution; empty if the frame does not hold them.
    pub fn packed(&self, number: usize) -> &[u64] {
        let each = self.words.len() / self.count().max(1);
        &self.words[number * each..(number + 1) * each]
    }

    /// Bits of a solution; empty if the frame does not hold them.
    pub fn bits(&self, number: usize) -> Vec<bool> {
        if !self.keeps_bits() {
            return Vec::new();
        }
        unpack(self.packed(number), self.per_word, self.grid.bits)
    }
}

/// Counter of solutions with a 1, per bit. Counts 64 bits in parallel with vertical counters, one word per binary digit.
struct ColumnCounts {
    digits: Vec<[u64; 32]>,
    /// The four lowest digits of the solutions that are not in `digits` yet, by digit and word.
    low: [Vec<u64>; 4],
    /// Number of these solutions.
    pending: usize,
}

impl ColumnCounts {
    /// Counter for solutions of `each` words.
    fn new(each: usize) -> Self {
        Self { digits: vec![[0; 32]; each], low: std::array::from_fn(|_| vec![0; each]), pending: 0 }
    }

    /// Counts whole solutions.
    fn add(&mut self, words: &[u64]) {
        /// Largest number in four digits.
        const MOST: usize = 15;
        for solution in words.chunks_exact(self.digits.len()) {
            let [ones, twos, fours, eights] = &mut self.low;
            let places = ones.iter_mut().zip(twos).zip(fours).zip(eights).zip(solution);
            for ((((one, two), four), eight), &word) in places {
                let to_twos = *one & word;
                *one ^= word;
                let to_fours = *two & to_twos;
                *two ^= to_twos;
                let to_eights = *four & to_fours;
                *four ^= to_fours;
                *eight ^= to_eights;
            }
            self.pending += 1;
            if self.pending == MOST {
                self.flush();
            }
        }
    }

    /// Adds the lowest digits to the others.
    fn flush(&mut self) {
        self.pending = 0;
        for (word, digits) in self.digits.iter_mut().enumerate() {
            let mut carry = 0;
            for (at, digit) in digits.iter_mut().enumerate() {
                let added = self.low.get_mut(at).map_or(0, |low| std::mem::take(&mut low[word]));
                if at >= self.low.len() && carry == 0 {
                    break;
                }
                let both = *digit ^ added;
                (*digit, carry) = (both ^ carry, *digit & added | both & carry);
            }
        }
    }

    /// Number of solutions with a 1, per bit.
    fn counts<E: Evaluation>(mut self, evaluation: &E) -> Vec<u32> {
        self.flush();
        let count = |bit: usize| {
            let digits = &self.digits[bit / E::PER_WORD];
            digits.iter().rev().fold(0, |count, digit| count << 1 | (digit >> (bit % E::PER_WORD) & 1) as u32)
        };
        (0..evaluation.bits()).map(count).collect()
    }
}

/// Snapshot of a search: best solution so far and all solutions.
#[derive(Debug, Clone, PartialEq)]
pub struct BestBits {
    /// Bits of the best solution so far.
    pub bits: Vec<bool>,
    /// Cost of the best solution; [`super::Kind::fitness`] converts it for people.
    pub cost: f64,
    /// True if the best solution is feasible (a knapsack is not overweight).
    pub feasible: bool,
    /// Iteration (from 1; 0: initial) in which this cost was first reached.
    pub since: u64,
    /// All solutions.
    pub frame: Arc<Frame>,
}

impl BestBits {
    /// A solution that no search has found: the only one of its frame, which holds no bits of its own.
    pub fn alone(grid: Grid, bits: &[bool], cost: f64, feasible: bool) -> Self {
        let frame = Frame {
            iteration: 0,
            flavour: None,
            grid,
            words: Vec::new(),
            per_word: 1,
            costs: vec![cost],
            since: vec![0],
            ones: bits.iter().map(|&bit| u32::from(bit)).collect(),
            best: cost,
            mean: cost,
            worst: cost,
            diversity: 0.0,
        };
        Self { bits: bits.to_vec(), cost, feasible, since: 0, frame: Arc::new(frame) }
    }
}

/// Builds the snapshot of solutions after `iteration` of `iterations`; `record` is the best so far if the solutions need
/// not contain it.
pub(crate) fn snapshot<E: Evaluation>(
    evaluation: &E, solutions: &impl Solutions, record: Option<&Record>,
    [iteration, iterations, evaluations]: [u64; 3], flow: (Grid, Option<Flavour>),
) -> Snapshot<BestBits> {
    let (sums, since) = (solutions.sums(), solutions.since());
    let (mut hasher, mut columns) = (Xxh3::with_seed(iteration), ColumnCounts::new(evaluation.words()));
    let mut words = Vec::new();
    let is_kept = sums.len() * evaluation.words() * size_of::<u64>() <= MOST_KEPT;
    solutions.for_each_part(&mut |part| {
        update(&mut hasher, part.iter().copied());
        columns.add(part);
        if is_kept {
            words.extend_from_slice(part);
        }
    });
    let digest = digest_rest(hasher, &sums, &since, record);
    let best = record.cloned().unwrap_or_else(|| {
        let (number, key, since) = best_of(evaluation, &sums, &since);
        Record { key, sums: sums[number], since, words: solutions.words_of(number) }
    });
    let frame = Frame::of(evaluation, (words, sums, since), columns.counts(evaluation), iteration, flow);
    let (mean, worst) = (frame.mean, frame.worst);
    let cost = evaluation.cost(best.sums);
    let found = BestBits {
        bits: unpack(&best.words, E::PER_WORD, evaluation.bits()),
        cost,
        feasible: evaluation.feasible(best.sums),
        since: u64::from(best.since),
        frame: Arc::new(frame),
    };
    Snapshot {
        step: iteration,
        evaluations,
        best: Arc::new(found),
        best_cost: cost,
        mean,
        worst,
        digest,
        share: Some(if iterations == 0 { 1.0 } else { iteration as f64 / iterations as f64 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::OneMax;

    #[test]
    fn columns_are_counted_over_any_number_of_solutions() {
        let evaluation = OneMax::new(100);
        for count in [0, 1, 14, 15, 16, 400] {
            let state = State::random(&evaluation, 1, count);
            let mut columns = ColumnCounts::new(evaluation.words());
            columns.add(&state.words);
            let ones =
                |bit: usize| (0..count).filter(|&at| state.solution(at)[bit / 64] >> (bit % 64) & 1 == 1).count();
            let expected: Vec<u32> = (0..100).map(|bit| ones(bit) as u32).collect();
            assert_eq!(columns.counts(&evaluation), expected, "{count} solutions");
        }
    }
}
