//! Where a search stands: all its solutions, the same for every backend, and what is told of them.

use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3;

use super::evaluation::{Evaluation, Key, Sums, random_words, unpack};
use super::grid::{Flavour, Grid, Place};
use crate::random::Philox;
use crate::search::Snapshot;

/// What random words are for; the address of a word is (draw, iteration, individual, purpose).
pub(crate) mod purpose {
    /// The first populations; iteration 0.
    pub const INITIAL: u32 = 1;
    /// The solutions of random search.
    pub const RANDOM: u32 = 2;
    /// The four candidates of two tournaments.
    pub const TOURNAMENT: u32 = 3;
    /// Whether parents are crossed, and where.
    pub const CROSSOVER: u32 = 4;
    /// Which bits of a child are flipped.
    pub const MUTATION: u32 = 5;
}

/// Solutions in the order of their numbers: those of the first population, then those of the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Packed bits, solution after solution.
    pub words: Vec<u64>,
    /// Two sums of each solution.
    pub sums: Vec<Sums>,
    /// The iteration, counted from 1, in which each solution was made; 0: at the start.
    pub since: Vec<u32>,
}

/// The best solution so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// What it is worth.
    pub key: Key,
    /// Its sums.
    pub sums: Sums,
    /// The iteration, counted from 1, in which a solution of this worth was first found; 0: at the start.
    pub since: u32,
    /// Its packed bits.
    pub words: Vec<u64>,
}

impl Record {
    /// It alone.
    pub fn as_state(&self) -> State {
        State { words: self.words.clone(), sums: vec![self.sums], since: vec![self.since] }
    }
}

impl State {
    /// `count` random solutions.
    pub fn random<E: Evaluation>(evaluation: &E, seed: u64, count: usize) -> Self {
        let (each, philox) = (evaluation.words(), Philox::new(seed));
        let mut words = vec![0; count * each];
        for (individual, words) in words.chunks_mut(each).enumerate() {
            random_words::<E>(evaluation.bits(), philox, 0, individual as u32, purpose::INITIAL, words);
        }
        let sums = words.chunks(each).map(|words| evaluation.sums(words)).collect();
        Self { words, sums, since: vec![0; count] }
    }

    /// Number of solutions.
    pub fn count(&self) -> usize {
        self.sums.len()
    }

    /// The packed bits of a solution.
    pub fn solution(&self, number: usize) -> &[u64] {
        let each = self.words.len() / self.count();
        &self.words[number * each..(number + 1) * each]
    }

    /// The best solution, the first of equal ones. Where nothing is ever replaced by something worse, as on the grid, it is the
    /// best so far, and the earliest of those that are worth as much was the first.
    pub fn best<E: Evaluation>(&self, evaluation: &E) -> Record {
        let (number, key, since) = best_of(evaluation, &self.sums, &self.since);
        Record { key, sums: self.sums[number], since, words: self.solution(number).to_vec() }
    }

    /// A digest of everything.
    pub fn digest(&self, iteration: u64, record: Option<&Record>) -> u64 {
        let mut hasher = Xxh3::with_seed(iteration);
        update(&mut hasher, self.words.iter().copied());
        update(&mut hasher, self.sums.iter().flatten().map(|&sum| sum as u64));
        update(&mut hasher, self.since.iter().map(|&since| u64::from(since)));
        if let Some(record) = record {
            update(&mut hasher, record.words.iter().copied());
            update(&mut hasher, [u64::from(record.since)].into_iter());
        }
        hasher.digest()
    }
}

/// Number, worth and first iteration of the best of some solutions.
pub(crate) fn best_of<E: Evaluation>(evaluation: &E, sums: &[Sums], since: &[u32]) -> (usize, Key, u32) {
    let mut best = (0, evaluation.key(sums[0]), since[0]);
    // Most solutions are equal to one that was looked at before.
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

/// All solutions at a moment, for pictures.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Iterations done.
    pub iteration: u64,
    /// How solutions flow, where there is a grid; otherwise what follows is a population.
    pub flavour: Option<Flavour>,
    /// The grid of the instance.
    pub grid: Grid,
    /// Packed bits of all solutions, one after the other: first those of the first population, slot by slot.
    pub words: Vec<u64>,
    /// Bits in a word.
    pub per_word: usize,
    /// What each solution costs, in the search's own terms: [`super::Kind`] says what people read.
    pub costs: Vec<f64>,
    /// The iteration, counted from 1, in which each solution was made; 0: at the start.
    pub since: Vec<u32>,
    /// How many solutions have a 1 at each bit.
    pub ones: Vec<u32>,
    /// The least cost of all solutions.
    pub best: f64,
    /// The mean cost.
    pub mean: f64,
    /// The highest cost.
    pub worst: f64,
    /// The mean number of bits in which two solutions differ.
    pub diversity: f64,
}

impl Frame {
    /// Looks at all solutions.
    pub fn new<E: Evaluation>(evaluation: &E, state: State, iteration: u64, flavour: Option<Flavour>) -> Self {
        let costs: Vec<f64> = state.sums.iter().map(|&sums| evaluation.cost(sums)).collect();
        let ones = column_counts::<E>(&state.words, evaluation);
        let count = costs.len() as f64;
        let differing: f64 = ones.iter().map(|&ones| f64::from(ones) * (count - f64::from(ones))).sum();
        Self {
            iteration,
            flavour,
            grid: Grid::new(evaluation.bits()),
            per_word: E::PER_WORD,
            best: costs.iter().copied().fold(f64::INFINITY, f64::min),
            mean: costs.iter().sum::<f64>() / count,
            worst: costs.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            diversity: if count > 1.0 { differing / (count * (count - 1.0) / 2.0) } else { 0.0 },
            words: state.words,
            since: state.since,
            costs,
            ones,
        }
    }

    /// Number of solutions.
    pub fn count(&self) -> usize {
        self.costs.len()
    }

    /// The number of the solution at a place.
    pub fn number(&self, place: Place) -> usize {
        place.population * self.grid.cells() + place.slot
    }

    /// The numbers of the horizontal and the vertical solution that a cell *meets next*, in the iteration to come; `None` where
    /// there is no grid.
    pub fn meets(&self, row: usize, column: usize) -> Option<[usize; 2]> {
        self.at(self.iteration, row, column)
    }

    /// The numbers of the two solutions that a cell has *worked on last*; `None` where there is no grid, or before the first iteration.
    pub fn left(&self, row: usize, column: usize) -> Option<[usize; 2]> {
        self.at(self.iteration.checked_sub(1)?, row, column)
    }

    fn at(&self, iteration: u64, row: usize, column: usize) -> Option<[usize; 2]> {
        Some(self.grid.meeting(self.flavour?, iteration, row, column).map(|place| self.number(place)))
    }

    /// Whether a solution was made in the last iteration.
    pub fn accepted(&self, number: usize) -> bool {
        self.iteration > 0 && u64::from(self.since[number]) == self.iteration
    }

    /// The packed bits of a solution.
    pub fn packed(&self, number: usize) -> &[u64] {
        let each = self.words.len() / self.count().max(1);
        &self.words[number * each..(number + 1) * each]
    }

    /// The bits of a solution.
    pub fn bits(&self, number: usize) -> Vec<bool> {
        unpack(self.packed(number), self.per_word, self.grid.bits)
    }
}

/// How many solutions have a 1 at each bit: 64 bits are counted side by side, in binary, a word for each binary digit.
fn column_counts<E: Evaluation>(words: &[u64], evaluation: &E) -> Vec<u32> {
    let (bits, each) = (evaluation.bits(), evaluation.words());
    let mut digits = vec![[0_u64; 32]; each];
    for solution in words.chunks_exact(each) {
        for (digits, &word) in digits.iter_mut().zip(solution) {
            let mut carry = word;
            for digit in digits.iter_mut() {
                if carry == 0 {
                    break;
                }
                (*digit, carry) = (*digit ^ carry, *digit & carry);
            }
        }
    }
    let count = |bit: usize| {
        let digits = &digits[bit / E::PER_WORD];
        digits.iter().rev().fold(0, |count, digit| count << 1 | (digit >> (bit % E::PER_WORD) & 1) as u32)
    };
    (0..bits).map(count).collect()
}

/// What observers are told: the best solution, and everything at that moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The bits of the best solution so far.
    pub bits: Vec<bool>,
    /// What it costs, in the search's own terms.
    pub cost: f64,
    /// Whether it can be used; a knapsack that is too heavy cannot.
    pub feasible: bool,
    /// The iteration, counted from 1, in which so good a solution was first found; 0: at the start.
    pub since: u64,
    /// All solutions at this moment.
    pub frame: Arc<Frame>,
}

/// Everything that is told of a state after `iteration` of `iterations`.
pub(crate) fn snapshot<E: Evaluation>(
    evaluation: &E,
    state: State,
    record: Option<&Record>,
    [iteration, iterations, evaluations]: [u64; 3],
    flavour: Option<Flavour>,
) -> Snapshot<Found> {
    let digest = state.digest(iteration, record);
    let best = record.cloned().unwrap_or_else(|| state.best(evaluation));
    let frame = Frame::new(evaluation, state, iteration, flavour);
    let (mean, worst) = (frame.mean, frame.worst);
    let cost = evaluation.cost(best.sums);
    let found = Found {
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
