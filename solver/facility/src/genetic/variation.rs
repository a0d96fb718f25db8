//! Operators of the genetic algorithm: tournament selection, crossover, mutation.

use std::collections::HashSet;

use super::{GeneticParameters, Seeding};
use crate::crossover::partially_mapped;
use crate::genes::END;
use crate::population::purposes;
use gridwright_core::random::{Philox, happens, index, threshold};

/// Operators with their parameters; a child depends on these, its address and its parents only.
#[derive(Debug, Clone)]
pub struct Operators {
    /// Source of random words.
    pub(crate) philox: Philox,
    /// Individuals per island.
    pub individuals: u32,
    /// Tournament size.
    pub tournament: u32,
    /// Source of the random numbers of tournaments.
    pub seeding: Seeding,
    /// Probability of crossover as a threshold for [`happens`].
    pub crossover: u64,
    /// Probability of mutation as a threshold for [`happens`].
    pub mutation: u64,
}

/// Address of a child.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draw {
    /// Generation, counted from 1.
    pub generation: u32,
    pub island: u32,
    /// Place on the island; the thread number of the paper.
    pub thread: u32,
}

impl Operators {
    /// Operators of a run.
    pub fn new(parameters: &GeneticParameters, seed: u64) -> Self {
        Self {
            philox: Philox::new(seed),
            individuals: parameters.individuals,
            tournament: parameters.tournament,
            seeding: parameters.seeding,
            crossover: threshold(parameters.crossover),
            mutation: threshold(parameters.mutation),
        }
    }

    /// Draws candidate `number` of tournament `which` (0 or 1); returns its place on the island.
    #[inline(always)]
    pub fn candidate(&self, draw: Draw, which: u32, number: u32) -> u32 {
        let Draw { generation, island, thread } = draw;
        // No individual has the addresses `u32::MAX − island`: they hold the sequences that the threads of an island
        // share.
        let (at, individual) = match self.seeding {
            Seeding::Shared => (which * (self.individuals + self.tournament) + thread + number, u32::MAX - island),
            Seeding::Renewed => ((which * self.tournament + number) * self.individuals + thread, u32::MAX - island),
            Seeding::Own => (which * self.tournament + number, island * self.individuals + thread),
        };
        let word = self.philox.words(at / 4, generation, individual, purposes::TOURNAMENT)[(at % 4) as usize];
        index(word, self.individuals)
    }

    /// Winner of a tournament: the candidate with the smallest `worth`, the first among equals.
    #[inline(always)]
    pub fn winner(&self, draw: Draw, which: u32, worth: impl Fn(u32) -> f64) -> u32 {
        let mut winner = self.candidate(draw, which, 0);
        for number in 1..self.tournament {
            let other = self.candidate(draw, which, number);
            if worth(other) < worth(winner) {
                winner = other;
            }
        }
        winner
    }

    /// Writes a child of the parents into `child`. All slices have one element per department; `places` is scratch
    /// space.
    #[inline(always)]
    pub fn child(&self, draw: Draw, parents: [&[u16]; 2], places: &mut [u16], child: &mut [u16]) {
        let n = child.len() as u32;
        let individual = draw.island * self.individuals + draw.thread;
        let words = self.philox.words(0, draw.generation, individual, purposes::VARIATION);
        if happens(words[0], self.crossover) {
            let (one, other) = (index(words[1], n) as usize, index(words[2], n) as usize);
            let (first, last) = if one < other { (one, other) } else { (other, one) };
            partially_mapped(parents[0], parents[1], first, last, places, child);
        } else {
            child.copy_from_slice(parents[0]);
        }
        if happens(words[3], self.mutation) && n > 1 {
            let words = self.philox.words(1, draw.generation, individual, purposes::VARIATION);
            mutate(words, child);
        }
    }
}

/// Mutation: exchanges two departments (probability ½), flips a break (¼) or exchanges two breaks (¼).
#[inline(always)]
fn mutate(words: [u32; 4], child: &mut [u16]) {
    let n = child.len();
    let one = index(words[1], n as u32) as usize;
    let other = index(words[2], n as u32 - 1) as usize;
    let other = other + usize::from(other >= one);
    let (gene, with) = (child[one], child[other]);
    match words[0] >> 30 {
        0 | 1 => {
            child[one] = with & !END | gene & END;
            child[other] = gene & !END | with & END;
        }
        2 => child[one] ^= END,
        _ => {
            child[one] = gene & !END | with & END;
            child[other] = with & !END | gene & END;
        }
    }
    child[n - 1] |= END;
}

/// Number of repeated comparisons among the tournaments of an island in one generation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Repeats {
    /// All comparisons of two individuals.
    pub(crate) comparisons: u64,
    /// Comparisons of a pair that a tournament of the same island had compared before.
    pub repeated: u64,
}

/// Counts comparisons and repetitions of one generation on one island; `worth(individual)` is the value that
/// tournaments minimise.
pub fn repeats(operators: &Operators, generation: u32, island: u32, worth: impl Fn(u32) -> f64) -> Repeats {
    let mut seen = HashSet::new();
    let mut repeats = Repeats::default();
    for thread in 0..operators.individuals {
        let draw = Draw { generation, island, thread };
        for which in 0..2 {
            let mut winner = operators.candidate(draw, which, 0);
            for number in 1..operators.tournament {
                let other = operators.candidate(draw, which, number);
                repeats.comparisons += 1;
                repeats.repeated += u64::from(!seen.insert((winner.min(other), winner.max(other))));
                if worth(other) < worth(winner) {
                    winner = other;
                }
            }
        }
    }
    repeats
}
