//! A problem as the kernels of the evolutionary algorithm read it.

use crate::{Demands, Element};

/// What does not change during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Number of exams.
    pub exams: u32,
    /// Number of periods.
    pub periods: u32,
    /// Number of individuals.
    pub population: u32,
    /// W(0), the weight of a clash.
    pub clash: u32,
    /// Individuals in a tournament.
    pub tournament: u32,
    /// The seed.
    pub seed: u64,
    /// Threshold of a crossover, ⌊p·2³²⌋.
    pub crossover: u64,
    /// Threshold of a mutation, ⌊p·2³²⌋.
    pub mutation: u64,
    /// Whether more is demanded than «no clashes».
    pub restricted: bool,
}

impl Shape {
    pub(super) fn restricted(mut self, restricted: bool) -> Self {
        self.restricted = restricted;
        self
    }

    /// 32-bit words of a chromosome: four genes each, padded by 0.
    pub fn words(&self) -> usize {
        self.exams.div_ceil(4) as usize
    }

    /// As `struct Shape` of `evolution.cuh`.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(48);
        let words = [self.exams, self.periods, self.words() as u32, self.population, self.clash, self.tournament];
        for word in words {
            word.append(&mut bytes);
        }
        for word in [self.seed, self.crossover, self.mutation] {
            word.append(&mut bytes);
        }
        bytes
    }
}

/// The conflict graph as the kernels read it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    /// Neighbours of exam e: `neighbours[offsets[e]..offsets[e + 1]]`; exams + 1 numbers.
    pub offsets: Vec<u32>,
    /// First neighbour with a larger number, per exam.
    pub later: Vec<u32>,
    /// Exam in the lower half, shared students in the upper half of each word; ascending by exam.
    pub neighbours: Vec<u32>,
    /// Full conflict matrix by rows; empty where no evaluation needs it.
    pub matrix: Vec<u32>,
    /// What is demanded beyond «no clashes»; `None`: nothing.
    pub demands: Option<Demands>,
}

impl Graph {
    /// Every pair of neighbours once: the two exams in the quarters of the lower half of a word, the shared students in
    /// the upper half.
    pub(super) fn edges(&self) -> Vec<u64> {
        let rows = self.later.iter().zip(self.offsets.iter().skip(1)).enumerate();
        let row = |(exam, (&begin, &end)): (usize, (&u32, &u32))| {
            let neighbours = self.neighbours.get(begin as usize..end as usize).unwrap_or_default().iter();
            neighbours.map(move |&word| exam as u64 | u64::from(word & 0xffff) << 16 | u64::from(word >> 16) << 32)
        };
        rows.flat_map(row).collect()
    }
}
