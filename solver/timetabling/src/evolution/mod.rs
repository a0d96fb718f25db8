//! The hybrid evolutionary algorithm for examination timetabling, as published.
//!
//! A chromosome holds the period of every exam (direct encoding). A generation selects pairs of different parents by
//! tournament, applies one-point crossover with probability pc, gives each gene a random period with probability pm,
//! and improves every child by greedy steepest descent: each exam in turn moves to its cheapest period, the others
//! fixed. The best timetable ever seen is kept beside the population. Every published variant of evaluation and
//! reproduction is selectable; all give equal results.
//!
//! The cost of a chromosome is Σ_{i<j} c_ij · W(|t_i − t_j|) with a single weight vector W = (M, 16, 8, 4, 2, 1, 0, 0,
//! …), so that clashes need no branch; M ≤ 2²⁰ is the largest number with which no cost exceeds 32 bits. Rules are
//! penalties (`restricted.rs`).
//!
//! Details that the paper leaves open: the tournament for the second parent ignores the first parent; the last gene is
//! always among those that a crossover exchanges; a pair without crossover passes on copies; genes stand for exams by
//! descending weighted degree, which is also the order of the descent.
//!
//! Source: V. Kolonias, G. Goulas, C. Gogos, P. Alefragis, E. Housos, «Solving the examination timetabling problem in
//! GPUs», Algorithms 7(3), 2014.

pub mod cpu;
pub mod cuda;
pub(crate) mod device_tables;
pub mod digest;
pub mod evaluation;
pub mod initial;
pub mod journal;
mod restricted;

use serde::{Deserialize, Serialize};

use crate::model::{Model, Restrictions};
use crate::{Instance, PROXIMITY_WEIGHTS};
use gridwright_core::search::parameters::parameters;
use gridwright_core::{Error, Result};

/// Method of evaluating chromosomes; all give equal costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::VariantArray, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum Evaluator {
    /// Full conflict matrix, one worker per chromosome.
    FullByChromosome,
    /// Full conflict matrix, one worker per exam and a sum over them.
    FullByExam,
    /// Compressed sparse rows, each pair twice.
    Sparse,
    /// Half of the compressed sparse rows: pairs j > i only.
    HalfSparse,
}

/// Organisation of selection and crossover; both give equal children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::VariantArray, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Reproduction {
    /// Selection and crossover in one pass over the children.
    OnePass,
    /// First all selections, then crossover gene by gene.
    TwoPasses,
}

/// Order of the exams in a chromosome, in which crossover cuts and descent visits them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::VariantArray, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
pub enum GeneOrder {
    /// Order of the file.
    File,
    /// Descending degree in the conflict graph.
    Degree,
    /// Descending weighted degree Σ_j c_ij.
    WeightedDegree,
}

parameters! {
    /// User-settable parameters of the evolutionary algorithm.
    pub struct EvolutionParameters {
        /// Timetables that evolve side by side.
        population: u32 = 256, label: "Population", unit: "individuals", range: 2..=1 << 20;
        /// Number of individuals that start from the constructive heuristic; the others start random.
        constructed: u32 = 200, label: "Constructed", unit: "individuals", range: 0..=250;
        /// Probability that two parents exchange everything behind a random exam.
        crossover: f64 = 0.5, label: "Crossover", unit: "probability", range: 0.0..=1.0;
        /// Probability that an exam takes a random period.
        mutation: f64 = 0.006, label: "Mutation", unit: "probability per exam", range: 0.0..=1.0;
        /// Individuals that compete to be a parent; 0 takes a 32nd of the population, at least 2.
        tournament: u32 = 0, label: "Tournament", unit: "individuals", range: 0..=1 << 20, zero: "automatic";
        /// Every child moves each exam in turn to its cheapest period.
        descent: bool = true, label: "Greedy descent";
        /// How costs are summed; all four give the same numbers.
        evaluator: Evaluator = Evaluator::HalfSparse, label: "Evaluation";
        /// Selection and crossover in one pass or in two; both give the same children.
        reproduction: Reproduction = Reproduction::OnePass, label: "Reproduction";
        /// In which order exams take their turn in descent and stand in a chromosome: as in the file, those first that
        /// share students with most others (degree), or those that share most students with others (weighted degree).
        order: GeneOrder = GeneOrder::WeightedDegree, label: "Order of exams";
    }
}

impl EvolutionParameters {
    /// Builds the model of `instance` with its nodes in the order of the genes.
    pub fn model(&self, instance: &Instance) -> Model {
        let model = Model::new(instance);
        match self.order {
            GeneOrder::File => model,
            GeneOrder::Degree => model.by_rank(|conflicts, node| conflicts.degree(node) as u64),
            GeneOrder::WeightedDegree => {
                model.by_rank(|conflicts, node| conflicts.of(node).map(|(_, shared)| u64::from(shared)).sum())
            }
        }
    }

    /// Number of individuals in a tournament: as set, or max(2, ⌊population/32⌋).
    pub fn tournament_size(&self) -> u32 {
        if self.tournament == 0 { (self.population / 32).max(2) } else { self.tournament }
    }
}

/// Flat tables of the model, as every backend reads them.
#[derive(Debug, Clone)]
pub struct Tables {
    /// Number of exams.
    pub exams: usize,
    /// Number of periods.
    pub periods: usize,
    /// W(d) for the distances d = 0…255; W(0) = M.
    pub weights: Vec<u32>,
    /// The neighbours of exam e are `neighbours[offsets[e]..offsets[e + 1]]`.
    pub offsets: Vec<u32>,
    /// Neighbours as (exam, shared students), ascending within each exam.
    pub neighbours: Vec<(u16, u32)>,
    /// Index in `neighbours` of the first neighbour with a larger number, per exam.
    pub later: Vec<u32>,
    /// Full conflict matrix, row-major, exams × exams; empty unless the evaluator needs it.
    pub matrix: Vec<u32>,
    /// Constraints beyond «no clashes», if there are any.
    pub(crate) restrictions: Option<Restrictions>,
    /// Penalty P for breaking a rule once; each missing seat costs M.
    pub penalty: u64,
}

impl Tables {
    /// Builds the tables of a model; `name` is the name of the instance in errors.
    ///
    /// # Errors
    /// [`Error::Usage`] if the costs of the instance do not fit 32 bits.
    pub fn new(name: &str, model: &Model, parameters: &EvolutionParameters) -> Result<Self> {
        let (exams, conflicts) = (model.nodes(), &model.conflicts);
        let total = conflicts.total_shared().max(1);
        let clash = (u64::from(u32::MAX) / total).min(1 << 20) as u32;
        if clash < 2 * PROXIMITY_WEIGHTS[1] {
            return Err(Error::Usage(format!(
                "{name}: {total} student pairs of exams are too many for the evolutionary algorithm; choose annealing"
            )));
        }
        let mut weights = vec![0; 256];
        weights[..PROXIMITY_WEIGHTS.len()].copy_from_slice(&PROXIMITY_WEIGHTS);
        weights[0] = clash;
        let mut tables = Self {
            exams,
            periods: model.periods,
            weights,
            offsets: vec![0],
            neighbours: Vec::new(),
            later: Vec::new(),
            matrix: Vec::new(),
            restrictions: model.restrictions.clone(),
            penalty: u64::from(clash) * u64::from(model.largest().max(1)),
        };
        for exam in 0..exams {
            let begin = tables.neighbours.len();
            tables.neighbours.extend(conflicts.of(exam).map(|(other, shared)| (other as u16, shared)));
            let row = &tables.neighbours[begin..];
            let earlier = row.partition_point(|&(other, _)| usize::from(other) < exam);
            tables.later.push((begin + earlier) as u32);
            tables.offsets.push(tables.neighbours.len() as u32);
        }
        if matches!(parameters.evaluator, Evaluator::FullByChromosome | Evaluator::FullByExam) {
            tables.matrix = vec![0; exams * exams];
            for exam in 0..exams {
                for (other, shared) in conflicts.of(exam) {
                    tables.matrix[exam * exams + other] = shared;
                }
            }
        }
        Ok(tables)
    }

    /// Neighbours of `exam` as (exam, shared students), ascending.
    #[inline(always)]
    pub fn of(&self, exam: usize) -> &[(u16, u32)] {
        &self.neighbours[self.offsets[exam] as usize..self.offsets[exam + 1] as usize]
    }

    /// Neighbours of `exam` with a larger number.
    #[inline(always)]
    pub fn later(&self, exam: usize) -> &[(u16, u32)] {
        &self.neighbours[self.later[exam] as usize..self.offsets[exam + 1] as usize]
    }
}
