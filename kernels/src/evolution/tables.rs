//! Parameters and conflict graph in the form that the kernels of the evolutionary algorithm read.

use crate::Demands;
use crate::structs::kernel_struct;

/// Parameters of a run.
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
    /// Number of individuals in a tournament.
    pub tournament: u32,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Threshold of a crossover, ⌊p·2³²⌋ for probability p.
    pub crossover: u64,
    /// Threshold of the mutation of a gene, ⌊p·2³²⌋.
    pub mutation: u64,
    /// True if there are rules, seats or prices.
    pub restricted: bool,
}

impl Shape {
    pub(super) fn restricted(mut self, restricted: bool) -> Self {
        self.restricted = restricted;
        self
    }

    /// 32-bit words of a chromosome: four genes each, the last one padded with 0.
    pub fn words(&self) -> usize {
        self.exams.div_ceil(4) as usize
    }

    /// Parameters as the kernels read them.
    pub(super) fn parameters(&self) -> Parameters {
        Parameters {
            exams: self.exams,
            periods: self.periods,
            words: self.words() as u32,
            population: self.population,
            clash: self.clash,
            tournament: self.tournament,
            key: self.seed,
            crossover: self.crossover,
            mutation: self.mutation,
        }
    }
}

kernel_struct! {
    /// [`Shape`] as the kernels read it.
    pub(super) struct Parameters = "Shape" {
        exams: u32,
        periods: u32,
        words: u32,
        population: u32,
        clash: u32,
        tournament: u32,
        key: u64,
        crossover: u64,
        mutation: u64,
    }
}

/// Conflict graph as the kernels read it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    /// Offsets into [`Self::neighbours`], exams + 1 numbers: exam e has `neighbours[offsets[e]..offsets[e + 1]]`.
    pub offsets: Vec<u32>,
    /// Per exam, the offset of its first neighbour with a larger number.
    pub later: Vec<u32>,
    /// Neighbouring exam in the lower 16 bits, number of shared students in the upper ones; ascending within a row.
    pub neighbours: Vec<u32>,
    /// Full conflict matrix, exams × exams, row-major; empty if no evaluation needs it.
    pub matrix: Vec<u32>,
    /// Rules, seats and prices; `None` if there are none.
    pub demands: Option<Demands>,
}

impl Graph {
    /// Lists every pair of neighbours once: exams in bits 0–15 and 16–31, number of shared students in the upper 32 bits.
    pub(super) fn edges(&self) -> Vec<u64> {
        let rows = self.later.iter().zip(self.offsets.iter().skip(1)).enumerate();
        let row = |(exam, (&begin, &end)): (usize, (&u32, &u32))| {
            let neighbours = self.neighbours.get(begin as usize..end as usize).unwrap_or_default().iter();
            neighbours.map(move |&word| exam as u64 | u64::from(word & 0xffff) << 16 | u64::from(word >> 16) << 32)
        };
        rows.flat_map(row).collect()
    }
}
