//! How a child comes about: tournaments, crossover, mutation.

use std::collections::HashSet;

use super::{GeneticParameters, Seeding};
use crate::facility::crossover::partially_mapped;
use crate::facility::genes::END;
use crate::facility::population::purposes;
use crate::random::{Philox, happens, index, threshold};

/// Everything that making a child depends on beside the parents.
#[derive(Debug, Clone)]
pub struct Rules {
    /// Random words.
    pub philox: Philox,
    /// Individuals of an island.
    pub individuals: u32,
    /// Individuals that meet in a tournament.
    pub tournament: u32,
    /// How threads get their random numbers.
    pub seeding: Seeding,
    /// Threshold of crossover.
    pub crossover: u64,
    /// Threshold of mutation.
    pub mutation: u64,
}

/// Which child is meant.
#[derive(Debug, Clone, Copy)]
pub struct Draw {
    /// The generation that it is born into, counted from 1.
    pub generation: u32,
    /// Its island.
    pub island: u32,
    /// Its place on the island: the thread of the paper.
    pub thread: u32,
}

impl Rules {
    /// The rules of a run.
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

    /// The candidate number `number` of tournament `which` (0 or 1).
    #[inline(always)]
    pub fn candidate(&self, draw: Draw, which: u32, number: u32) -> u32 {
        let Draw { generation, island, thread } = draw;
        let of = |at: u32, generation: u32, individual: u32| {
            self.philox.words(at / 4, generation, individual, purposes::TOURNAMENT)[(at % 4) as usize]
        };
        // The sequences of an island's own threads follow those that all islands' threads share.
        let shared = which * (self.individuals + self.tournament) + thread + number;
        let word = match self.seeding {
            Seeding::Shared => of(shared, 0, u32::MAX - island),
            Seeding::Renewed => of(shared, generation, u32::MAX - island),
            Seeding::Own => of(which * self.tournament + number, generation, island * self.individuals + thread),
        };
        index(word, self.individuals)
    }

    /// Who wins a tournament: the candidate with the smallest worth, the first of equally good ones.
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

    /// Makes a child. `places` is room for a number per department.
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

/// Half of the mutations exchange two departments, a quarter each flip a break and exchange two breaks.
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

/// How often the threads of an island repeat each other's comparisons in one generation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Repeats {
    /// Comparisons of two individuals that the tournaments of all threads make.
    pub comparisons: u64,
    /// Those that another thread made before, or the same thread in its other tournament.
    pub repeated: u64,
}

/// Counts the comparisons of one generation on one island. Whom a candidate is compared with depends on who is better; `worth` says so.
pub fn repeats(rules: &Rules, generation: u32, island: u32, worth: impl Fn(u32) -> f64) -> Repeats {
    let mut seen = HashSet::new();
    let mut repeats = Repeats::default();
    for thread in 0..rules.individuals {
        let draw = Draw { generation, island, thread };
        for which in 0..2 {
            let mut winner = rules.candidate(draw, which, 0);
            for number in 1..rules.tournament {
                let other = rules.candidate(draw, which, number);
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
