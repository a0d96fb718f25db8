//! The hybrid evolutionary algorithm on the CPU: one rayon task per pair of children. Defines the populations that the
//! device reproduces.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use super::digest::{population_sum, state_digest};
use super::{Evaluator, EvolutionParameters, Reproduction, Tables, initial, restricted};
use crate::random::{Philox, happens, index, threshold};
use crate::search::{Construction, Control, Epochs, Snapshot};
use crate::timetabling::model::Model;
use crate::timetabling::timetable::{WINDOW, WINDOW_PAD as PAD, WINDOW_WEIGHTS};
use crate::timetabling::{Instance, Timetable};
use crate::{Error, Result};

/// Purpose fields of the random words.
const FIRST_PARENT: u32 = 0x32;
const SECOND_PARENT: u32 = 0x33;
const CROSSOVER: u32 = 0x34;
const MUTATION: u32 = 0x35;
const MUTATED_PERIOD: u32 = 0x36;

/// Chromosomes evaluated between two questions whether the run is interrupted.
const EVALUATED: usize = 64;

/// Seconds spent in each phase of the generations.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct PhaseSeconds {
    /// Selection and crossover.
    pub reproduction: f64,
    /// Mutation.
    pub mutation: f64,
    /// Greedy descent.
    pub descent: f64,
    /// Evaluation of the population.
    pub evaluation: f64,
}

/// State of the evolutionary algorithm on the CPU.
#[derive(Debug)]
pub struct CpuEvolution {
    parameters: EvolutionParameters,
    model: Model,
    tables: Tables,
    philox: Philox,
    threads: Arc<rayon::ThreadPool>,
    control: Control,
    crossover: u64,
    mutation: u64,
    generation: u32,
    /// Population: `genes[i · exams + e]` = period of exam e in individual i.
    genes: Vec<u8>,
    children: Vec<u8>,
    costs: Vec<u32>,
    evaluations: u64,
    best: Arc<Timetable>,
    best_cost: u32,
    phase_seconds: PhaseSeconds,
}

impl CpuEvolution {
    /// Creates and evaluates the initial population.
    ///
    /// # Errors
    /// As [`Tables::new`].
    pub fn new(
        instance: &Instance, parameters: &EvolutionParameters, seed: u64, threads: Arc<rayon::ThreadPool>,
        construction: &Construction,
    ) -> Result<Self> {
        let model = parameters.model(instance);
        let tables = Tables::new(&instance.name, &model, parameters)?;
        let genes = initial::population(&model, parameters, Philox::new(seed), &threads, construction);
        let unknown = (Arc::new(Timetable::unplaced(tables.exams)), u32::MAX);
        Ok(Self::resume(parameters, (model, tables), seed, threads, (0, genes), unknown))
    }

    /// Continues from the population of a generation (layout as in [`population`](Self::population)) and the best
    /// timetable so far with its cost.
    pub fn resume(
        parameters: &EvolutionParameters, (model, tables): (Model, Tables), seed: u64, threads: Arc<rayon::ThreadPool>,
        (generation, genes): (u32, Vec<u8>), (best, best_cost): (Arc<Timetable>, u32),
    ) -> Self {
        let mut search = Self {
            crossover: threshold(parameters.crossover),
            mutation: threshold(parameters.mutation),
            parameters: parameters.clone(),
            model,
            tables,
            philox: Philox::new(seed),
            threads,
            control: Control::new(),
            generation,
            children: vec![0; genes.len()],
            costs: vec![0; parameters.population as usize],
            genes,
            evaluations: u64::from(generation) * u64::from(parameters.population),
            best,
            best_cost,
            phase_seconds: PhaseSeconds::default(),
        };
        search.evaluate();
        search.keep_best();
        search
    }

    /// The model with its nodes in the order of the genes.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Sets the handle that pauses and interrupts a generation.
    pub fn with_control(mut self, control: Control) -> Self {
        self.control = control;
        self
    }

    /// Chromosomes and costs: (`genes[i · exams + e]` = period of exam e in individual i, `costs[i]`).
    pub fn population(&self) -> (&[u8], &[u32]) {
        (&self.genes, &self.costs)
    }

    /// Seconds spent so far in each phase of the generations.
    pub fn phase_seconds(&self) -> PhaseSeconds {
        self.phase_seconds
    }

    /// Computes a generation, incompletely if the run is interrupted meanwhile.
    fn generation(&mut self) {
        let mut clock = Instant::now();
        let mut lap = || std::mem::replace(&mut clock, Instant::now()).elapsed().as_secs_f64();
        self.reproduce();
        self.phase_seconds.reproduction += lap();
        self.each_chromosome(|this, individual, chromosome| this.mutate(individual, chromosome));
        self.phase_seconds.mutation += lap();
        if self.parameters.descent {
            self.each_chromosome(|this, _, chromosome| match &this.tables.restrictions {
                None => pulp::Arch::new().dispatch(Descent { tables: &this.tables, chromosome }),
                Some(restrictions) => restricted::descend(&this.tables, restrictions, chromosome),
            });
        }
        self.phase_seconds.descent += lap();
        self.evaluate();
        self.phase_seconds.evaluation += lap();
        self.keep_best();
        self.generation += 1;
    }

    /// Selection and crossover: pair k of parents gives the children 2k and 2k + 1.
    fn reproduce(&mut self) {
        let exams = self.tables.exams;
        let pairs = self.costs.len().div_ceil(2);
        let mut children = std::mem::take(&mut self.children);
        let this = &*self;
        this.threads.install(|| match this.parameters.reproduction {
            Reproduction::OnePass => {
                children.par_chunks_mut(2 * exams).enumerate().for_each(|(pair, children)| {
                    let mating = this.mate(pair as u32);
                    for (child, chromosome) in children.chunks_mut(exams).enumerate() {
                        for (exam, gene) in chromosome.iter_mut().enumerate() {
                            *gene = this.inherited(&mating, child, exam);
                        }
                    }
                });
            }
            Reproduction::TwoPasses => {
                let matings: Vec<Mating> = (0..pairs).into_par_iter().map(|pair| this.mate(pair as u32)).collect();
                children.par_iter_mut().enumerate().for_each(|(position, gene)| {
                    let (individual, exam) = (position / exams, position % exams);
                    *gene = this.inherited(&matings[individual / 2], individual % 2, exam);
                });
            }
        });
        self.children = std::mem::replace(&mut self.genes, children);
    }

    #[inline(always)]
    fn inherited(&self, mating: &Mating, child: usize, exam: usize) -> u8 {
        let from_first = (exam < mating.point) == (child == 0);
        let parent = if from_first { mating.first } else { mating.second };
        self.genes[parent * self.tables.exams + exam]
    }

    /// Chooses two different parents and the crossover point; without crossover the point is behind the last gene, so
    /// that the children are copies.
    fn mate(&self, pair: u32) -> Mating {
        let exams = self.tables.exams;
        let first = self.tournament(pair, FIRST_PARENT, None);
        let second = self.tournament(pair, SECOND_PARENT, Some(first));
        let words = self.philox.words(0, self.generation, pair, CROSSOVER);
        let crosses = happens(words[0], self.crossover) && exams > 1;
        let point = if crosses { 1 + index(words[1], exams as u32 - 1) as usize } else { exams };
        Mating { first, second, point }
    }

    /// Tournament: index of the cheapest of `tournament_size` random individuals (ties: lowest index), ignoring
    /// `other`.
    fn tournament(&self, pair: u32, purpose: u32, other: Option<usize>) -> usize {
        let population = self.costs.len() as u32;
        let size = self.parameters.tournament_size();
        let mut best = u64::MAX;
        for block in 0..size.div_ceil(4) {
            let words = self.philox.words(block, self.generation, pair, purpose);
            for &word in &words[..(size - block * 4).min(4) as usize] {
                let individual = index(word, population) as usize;
                if Some(individual) != other {
                    best = best.min((u64::from(self.costs[individual]) << 32) | individual as u64);
                }
            }
        }
        match other {
            Some(other) if best == u64::MAX => (other + 1) % population as usize,
            _ => (best & u64::from(u32::MAX)) as usize,
        }
    }

    fn each_chromosome(&mut self, change: impl Fn(&Self, u32, &mut [u8]) + Sync) {
        let mut genes = std::mem::take(&mut self.genes);
        let this = &*self;
        let chromosomes = genes.par_chunks_mut(this.tables.exams).enumerate();
        this.threads.install(|| {
            chromosomes.for_each(|(individual, chromosome)| {
                if !this.control.is_interrupted() {
                    change(this, individual as u32, chromosome);
                }
            });
        });
        self.genes = genes;
    }

    fn mutate(&self, individual: u32, chromosome: &mut [u8]) {
        for (block, genes) in chromosome.chunks_mut(4).enumerate() {
            let words = self.philox.words(block as u32, self.generation, individual, MUTATION);
            for (lane, gene) in genes.iter_mut().enumerate() {
                if happens(words[lane], self.mutation) {
                    let exam = (block * 4 + lane) as u32;
                    let word = self.philox.words(exam, self.generation, individual, MUTATED_PERIOD)[0];
                    *gene = initial::random_period(&self.model, exam as usize, word) as u8;
                }
            }
        }
    }

    fn evaluate(&mut self) {
        let Self { tables, parameters, genes, costs, threads, control, .. } = self;
        for (costs, genes) in costs.chunks_mut(EVALUATED).zip(genes.chunks(EVALUATED * tables.exams)) {
            if control.is_interrupted() {
                return;
            }
            evaluate(tables, parameters.evaluator, genes, costs, threads);
        }
        self.evaluations += self.costs.len() as u64;
    }

    fn keep_best(&mut self) {
        let best = self.costs.iter().enumerate().map(|(index, &cost)| (cost, index)).min();
        if let Some((cost, individual)) = best
            && cost < self.best_cost
        {
            let chromosome = &self.genes[individual * self.tables.exams..(individual + 1) * self.tables.exams];
            self.best = Arc::new(Timetable::of(chromosome.iter().map(|&gene| u16::from(gene)).collect()));
            self.best_cost = cost;
        }
    }
}

/// Evaluates chromosomes: `costs[i]` = cost of `genes[i · exams..(i + 1) · exams]`. The full-matrix evaluators need
/// [`Tables::matrix`].
pub fn evaluate(tables: &Tables, evaluator: Evaluator, genes: &[u8], costs: &mut [u32], threads: &rayon::ThreadPool) {
    threads.install(|| {
        costs.par_iter_mut().zip(genes.par_chunks(tables.exams)).for_each(|(cost, chromosome)| {
            let pairs = pulp::Arch::new().dispatch(Evaluation { tables, chromosome, evaluator });
            *cost = match &tables.restrictions {
                None => pairs,
                Some(restrictions) => restricted::total(tables, restrictions, chromosome, pairs),
            };
        });
    });
}

/// Two parents and the crossover point: index of the first exchanged gene.
#[derive(Debug, Clone, Copy)]
struct Mating {
    first: usize,
    second: usize,
    point: usize,
}

impl Epochs for CpuEvolution {
    type Solution = Timetable;

    fn advance(&mut self, steps: u32) -> Result<()> {
        for _ in 0..steps {
            self.generation();
            if self.control.is_over() {
                return Err(Error::Cancelled);
            }
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Timetable>> {
        let sum: u64 = self.costs.iter().map(|&cost| u64::from(cost)).sum();
        Ok(Snapshot {
            step: u64::from(self.generation),
            evaluations: self.evaluations,
            best: Arc::clone(&self.best),
            best_cost: f64::from(self.best_cost),
            mean: sum as f64 / self.costs.len() as f64,
            worst: f64::from(self.costs.iter().copied().max().unwrap_or(0)),
            digest: state_digest(
                self.threads.install(|| population_sum(&self.genes, self.tables.exams)),
                self.generation,
                self.best_cost,
            ),
            share: None,
        })
    }
}

/// Greedy steepest descent of one chromosome: each exam in turn moves to its cheapest period (ties: lowest), the others
/// fixed.
///
/// With s(t) = Σ_{j in t} c_ej, accumulated in one pass over the neighbours, period t costs M·s(t) + Σ_{d = 1…5}
/// w(d)·(s(t−d) + s(t+d)).
struct Descent<'a> {
    tables: &'a Tables,
    chromosome: &'a mut [u8],
}

impl pulp::NullaryFnOnce for Descent<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Descent { tables, chromosome } = self;
        let clash = tables.weights[0];
        let mut students = [0_u32; 256 + PAD + WINDOW];
        let used = tables.periods + WINDOW;
        for exam in 0..tables.exams {
            students[..used].fill(0);
            for &(other, shared) in tables.of(exam) {
                students[PAD + usize::from(chromosome[usize::from(other)])] += shared;
            }
            let (mut cheapest, mut lowest) = (0, u32::MAX);
            for period in 0..tables.periods {
                let window = &students[period..period + WINDOW];
                let mut cost = clash * window[PAD];
                for lane in 0..WINDOW {
                    cost += window[lane] * WINDOW_WEIGHTS[lane] as u32;
                }
                if cost < lowest {
                    (cheapest, lowest) = (period, cost);
                }
            }
            chromosome[exam] = cheapest as u8;
        }
    }
}

/// Evaluation of one chromosome, Σ_{i<j} c_ij · W(|t_i − t_j|), by the chosen evaluator.
struct Evaluation<'a> {
    tables: &'a Tables,
    chromosome: &'a [u8],
    evaluator: Evaluator,
}

impl pulp::NullaryFnOnce for Evaluation<'_> {
    type Output = u32;

    #[inline(always)]
    fn call(self) -> u32 {
        let Evaluation { tables, chromosome, evaluator } = self;
        let exams = tables.exams;
        let weight = |a: u8, b: u8| u64::from(tables.weights[usize::from(a.abs_diff(b))]);
        let full_row = |exam: usize| -> u64 {
            let row = &tables.matrix[exam * exams..(exam + 1) * exams];
            let cell = |(&shared, &gene): (&u32, &u8)| u64::from(shared) * weight(chromosome[exam], gene);
            row.iter().zip(chromosome).map(cell).sum()
        };
        let sparse = |exam: usize, neighbours: &[(u16, u32)]| -> u64 {
            let pair = |&(other, shared): &(u16, u32)| {
                u64::from(shared) * weight(chromosome[exam], chromosome[usize::from(other)])
            };
            neighbours.iter().map(pair).sum()
        };
        let sum = match evaluator {
            Evaluator::FullByChromosome => {
                let mut sum = 0;
                for exam in 0..exams {
                    sum += full_row(exam);
                }
                sum / 2
            }
            Evaluator::FullByExam => {
                let mut partial: Vec<u64> = (0..exams).map(full_row).collect();
                // Add by halves, as the block reduction of the kernel does.
                while partial.len() > 1 {
                    let half = partial.len().div_ceil(2);
                    for lane in 0..partial.len() - half {
                        partial[lane] += partial[half + lane];
                    }
                    partial.truncate(half);
                }
                partial.first().copied().unwrap_or(0) / 2
            }
            Evaluator::Sparse => (0..exams).map(|exam| sparse(exam, tables.of(exam))).sum::<u64>() / 2,
            Evaluator::HalfSparse => (0..exams).map(|exam| sparse(exam, tables.later(exam))).sum(),
        };
        sum as u32
    }
}
