//! Statistics of one generation: costs by their causes, diversity, selection pressure.

use crate::evolution::cpu::{CpuEvolution, Mating};
use crate::evolution::evaluation::CostParts;
use gridwright_core::search::selection::Offspring;

/// Smallest, mean and largest value of a population.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spread {
    /// Smallest value.
    pub least: u64,
    /// Mean of all individuals.
    pub mean: f64,
    /// Largest value.
    pub most: u64,
}

impl Spread {
    /// Spread of at least one value.
    pub fn of(values: impl Iterator<Item = u64> + Clone) -> Self {
        let (count, sum) = values.clone().fold((0_u64, 0_u64), |(count, sum), value| (count + 1, sum + value));
        Self {
            least: values.clone().min().unwrap_or(0),
            mean: sum as f64 / count.max(1) as f64,
            most: values.max().unwrap_or(0),
        }
    }
}

/// Facts about one generation; costs as the search minimises them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GenerationStatistics {
    /// Cost with the weights of all violations.
    pub cost: Spread,
    /// Proximity and price: the cost without the violations.
    pub proximity: Spread,
    /// Violations: students with two exams in one period and students without a seat, plus broken rules.
    pub violations: Spread,
    /// Number of individuals without a violation.
    pub feasible: u32,
    /// As [`diversity`] computes it.
    pub diversity: f64,
    /// Selection among the individuals of this generation, from which the next one comes.
    pub offspring: Offspring,
}

impl GenerationStatistics {
    /// Statistics of the present population of a search.
    pub fn of(search: &CpuEvolution) -> Self {
        let (genes, costs) = search.population();
        let tables = search.tables();
        let parts: Vec<CostParts> = genes.chunks(tables.exams).map(|genes| CostParts::of(tables, genes)).collect();
        let children = offspring(&search.matings(), costs.len(), tables.exams);
        Self {
            cost: Spread::of(costs.iter().map(|&cost| u64::from(cost))),
            proximity: Spread::of(parts.iter().map(|parts| parts.proximity + parts.price)),
            violations: Spread::of(parts.iter().map(CostParts::violations)),
            feasible: parts.iter().filter(|parts| parts.is_feasible()).count() as u32,
            diversity: diversity(genes, tables.exams, tables.periods),
            offspring: Offspring::of(&children),
        }
    }
}

/// Mean normalised Hamming distance of two individuals that are drawn with replacement, 0 (all are equal) to below 1:
/// the mean over exams of 1 − Σ_p (n_p / N)², where n_p of the N individuals have the exam in period p.
pub fn diversity(genes: &[u8], exams: usize, periods: usize) -> f64 {
    let individuals = genes.len() / exams.max(1);
    let mut counts = vec![0_u32; exams * periods];
    for chromosome in genes.chunks(exams.max(1)) {
        for (exam, &period) in chromosome.iter().enumerate() {
            counts[exam * periods + usize::from(period)] += 1;
        }
    }
    let alike: u64 = counts.iter().map(|&count| u64::from(count) * u64::from(count)).sum();
    1.0 - alike as f64 / (individuals as f64 * individuals as f64 * exams as f64)
}

/// Number of children of each of `individuals` individuals: children that inherited at least one of their `exams` genes
/// from it.
pub(crate) fn offspring(matings: &[Mating], individuals: usize, exams: usize) -> Vec<u32> {
    let mut children = vec![0; individuals];
    for child in 0..individuals {
        let Some(mating) = matings.get(child / 2) else { break };
        // The first and the last gene come from different parents wherever genes are exchanged.
        let [begin, end] = [0, exams.saturating_sub(1)].map(|exam| mating.source(child % 2, exam));
        children[begin] += 1;
        if begin != end {
            children[end] += 1;
        }
    }
    children
}
