//! Take-over: how far the genes of one individual spread.
//!
//! A gene *descends* from the best individual of generation g₀ if crossover handed it on, generation by generation, from
//! that individual, and neither mutation nor descent gave its exam another period on the way. The curve shows the share
//! of the population's genes that descend from it, and the share of individuals with at least one such gene.
//!
//! Source of the notion: D. E. Goldberg, K. Deb, «A comparative analysis of selection schemes used in genetic
//! algorithms», Foundations of Genetic Algorithms 1, 1991: the take-over time is the number of generations in which the
//! best individual fills the whole population under selection alone. Crossover, mutation and descent slow it down.

use crate::timetabling::evolution::cpu::{CpuEvolution, Mating};

/// Spread of the genes of one individual over the generations.
#[derive(Debug, Clone, PartialEq)]
pub struct TakeOver {
    /// Generation of the individual.
    pub from: u64,
    /// Index of the individual: the cheapest of its generation (ties: lowest index).
    pub individual: usize,
    /// Share of all genes that descend from the individual, 0…1, for each generation from `from` on.
    pub genes: Vec<f32>,
    /// Share of individuals with at least one such gene, 0…1, for each generation from `from` on.
    pub individuals: Vec<f32>,
    exams: usize,
    /// True for each gene of the population that descends from the individual.
    marks: Vec<bool>,
}

impl TakeOver {
    /// Begins with the best individual of the present population of a search.
    pub(super) fn begin(search: &CpuEvolution) -> Self {
        let (genes, costs) = search.population();
        let best = costs.iter().enumerate().min_by_key(|&(individual, &cost)| (cost, individual));
        let (individual, exams) = (best.map_or(0, |(individual, _)| individual), search.tables().exams);
        let mut marks = vec![false; genes.len()];
        marks[individual * exams..(individual + 1) * exams].fill(true);
        let (from, genes, individuals) = (u64::from(search.generations()), Vec::new(), Vec::new());
        let mut take_over = Self { from, individual, genes, individuals, exams, marks };
        take_over.count();
        take_over
    }

    /// Follows the genes from the population `before` through its matings to its children `after`.
    pub(super) fn follow(&mut self, matings: &[Mating], before: &[u8], after: &[u8]) {
        let exams = self.exams;
        let marked = |(position, &gene): (usize, &u8)| {
            let (child, exam) = (position / exams, position % exams);
            let inherited = matings[child / 2].source(child % 2, exam) * exams + exam;
            self.marks[inherited] && before[inherited] == gene
        };
        self.marks = after.iter().enumerate().map(marked).collect();
        self.count();
    }

    fn count(&mut self) {
        let genes = self.marks.iter().filter(|&&mark| mark).count();
        let holders = self.marks.chunks(self.exams).filter(|marks| marks.contains(&true)).count();
        self.genes.push(genes as f32 / self.marks.len() as f32);
        self.individuals.push((holders * self.exams) as f32 / self.marks.len() as f32);
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
