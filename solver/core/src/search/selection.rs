//! Selection in evolving populations: how unequally individuals have children, and how far the genes of one of them spread
//! (*take-over*).
//!
//! A gene *descends* from the best individual of generation g₀ if it was handed on, generation by generation, from that
//! individual and kept its value on the way. The take-over curve shows the share of the population's genes that descend
//! from it, and the share of individuals with at least one such gene.
//!
//! Source of the notion: D. E. Goldberg, K. Deb, «A comparative analysis of selection schemes used in genetic
//! algorithms», Foundations of Genetic Algorithms 1, 1991: the take-over time is the number of generations in which the
//! best individual fills the whole population under selection alone. Crossover, mutation and descent slow it down.

/// Selection pressure: how unequally the individuals of a generation have children.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Offspring {
    /// Largest number of children of an individual.
    pub largest: u32,
    /// Number of individuals without children.
    pub childless: u32,
}

impl Offspring {
    /// Selection pressure from the number of children of each individual.
    pub fn of(children: &[u32]) -> Self {
        Self {
            largest: children.iter().copied().max().unwrap_or(0),
            childless: children.iter().filter(|&&count| count == 0).count() as u32,
        }
    }
}

/// Spread of the genes of one individual over the generations.
#[derive(Debug, Clone, PartialEq)]
pub struct TakeOver {
    /// Generation of the individual.
    pub from: u64,
    /// Index of the individual.
    pub individual: usize,
    /// Share of all genes that descend from the individual, 0…1, for each generation from `from` on.
    pub genes: Vec<f32>,
    /// Share of individuals with at least one such gene, 0…1, for each generation from `from` on.
    pub individuals: Vec<f32>,
    /// Genes of an individual.
    length: usize,
    /// True for each gene of the population that descends from the individual.
    marks: Vec<bool>,
}

impl TakeOver {
    /// Begins with an individual of generation `from`, one of `individuals` with `length` genes each.
    pub fn begin(from: u64, individual: usize, individuals: usize, length: usize) -> Self {
        let mut marks = vec![false; individuals * length];
        marks[individual * length..(individual + 1) * length].fill(true);
        let mut take_over = Self { from, individual, genes: Vec::new(), individuals: Vec::new(), length, marks };
        take_over.count();
        take_over
    }

    /// Follows the genes into the next generation. `source(child, gene)` is the individual from which a child has a gene
    /// unchanged; `None` for a gene with another value.
    pub fn follow(&mut self, source: impl Fn(usize, usize) -> Option<usize>) {
        let marked = |position: usize| {
            let (child, gene) = (position / self.length, position % self.length);
            source(child, gene).is_some_and(|parent| self.marks[parent * self.length + gene])
        };
        self.marks = (0..self.marks.len()).map(marked).collect();
        self.count();
    }

    fn count(&mut self) {
        let genes = self.marks.iter().filter(|&&mark| mark).count();
        let holders = self.marks.chunks(self.length).filter(|marks| marks.contains(&true)).count();
        self.genes.push(genes as f32 / self.marks.len() as f32);
        self.individuals.push((holders * self.length) as f32 / self.marks.len() as f32);
    }

    /// First generation in which the individual's genes are at least `share` of all; `None` if they never are.
    pub fn reaches(&self, share: f32) -> Option<u64> {
        let after = self.genes.iter().position(|&genes| genes >= share)?;
        Some(self.from + after as u64)
    }
}

/// Take-over time under tournament selection alone, in generations: (ln n + ln ln n) / ln s for n individuals and
/// tournaments of s, after Goldberg and Deb; `None` for tournaments of one, which select nothing.
pub fn expected_takeover(population: u32, tournament: u32) -> Option<f64> {
    let (individuals, size) = (f64::from(population.max(2)).ln(), f64::from(tournament).ln());
    (size > 0.0).then(|| (individuals + individuals.ln().max(0.0)) / size)
}
