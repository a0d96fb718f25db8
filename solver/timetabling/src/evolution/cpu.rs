//! The hybrid evolutionary algorithm on the CPU: one rayon task per pair of children. Defines the populations that the
//! device reproduces.

mod explain;

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

pub use self::explain::{Candidate, ChildSteps, GeneChange, Tournament};
use super::digest::{population_sum, state_digest};
use super::evaluation::{descend, evaluate};
use super::initial::Origin;
use super::{EvolutionParameters, Reproduction, Tables, initial};
use crate::Timetable;
use crate::model::Model;
use gridwright_core::random::{Philox, happens, index, threshold};
use gridwright_core::search::{Construction, Control, Epochs, ImprovementLog, NotedImprovement, Snapshot};
use gridwright_core::{Error, Result};

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
pub(crate) struct PhaseSeconds {
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
    improvements: ImprovementLog,
    phase_seconds: PhaseSeconds,
}

impl CpuEvolution {
    /// Creates and evaluates the initial population.
    ///
    /// # Errors
    /// As [`Tables::new`].
    pub fn new<'a>(
        origin: impl Into<Origin<'a>>, parameters: &EvolutionParameters, seed: u64, threads: Arc<rayon::ThreadPool>,
        construction: &Construction,
    ) -> Result<Self> {
        let Origin { instance, first } = origin.into();
        let model = parameters.model(&instance);
        let tables = Tables::new(&instance.name, &model, parameters)?;
        let genes = initial::population((&model, first), parameters, Philox::new(seed), &threads, construction);
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
            improvements: ImprovementLog::default(),
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
    pub(crate) fn with_control(mut self, control: Control) -> Self {
        self.control = control;
        self
    }

    /// Chromosomes and costs: (`genes[i · exams + e]` = period of exam e in individual i, `costs[i]`).
    pub fn population(&self) -> (&[u8], &[u32]) {
        (&self.genes, &self.costs)
    }

    /// Parents and crossover points of the next generation: `matings()[k]` belongs to the children 2k and 2k + 1.
    pub(crate) fn matings(&self) -> Vec<Mating> {
        let pairs = self.costs.len().div_ceil(2);
        self.threads.install(|| (0..pairs).into_par_iter().map(|pair| self.mate(pair as u32)).collect())
    }

    /// Tables of the model, as the search reads them.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Number of generations since the initial population.
    pub fn generations(&self) -> u32 {
        self.generation
    }

    /// Replaces the population by that of a generation whose costs are known (layout as in
    /// [`population`](Self::population)); the best timetable so far stays.
    pub(crate) fn restore(&mut self, generation: u32, genes: &[u8], costs: &[u32]) {
        self.generation = generation;
        self.genes.copy_from_slice(genes);
        self.costs.copy_from_slice(costs);
    }

    /// Seconds spent so far in each phase of the generations.
    pub(crate) fn phase_seconds(&self) -> PhaseSeconds {
        self.phase_seconds
    }

    /// Computes a generation, incompletely if the run is interrupted meanwhile.
    fn generation(&mut self) {
        let mut clock = Instant::now();
        let mut lap = || std::mem::replace(&mut clock, Instant::now()).elapsed().as_secs_f64();
        self.reproduce();
        self.phase_seconds.reproduction += lap();
        self.each_chromosome(|this, individual, chromosome| this.mutate(individual, chromosome, |_, _, _| {}));
        self.phase_seconds.mutation += lap();
        if self.parameters.descent {
            self.each_chromosome(|this, _, chromosome| descend(&this.tables, chromosome));
        }
        self.phase_seconds.descent += lap();
        self.evaluate();
        self.phase_seconds.evaluation += lap();
        self.generation += 1;
        self.keep_best();
    }

    /// Selection and crossover: pair k of parents gives the children 2k and 2k + 1.
    fn reproduce(&mut self) {
        let exams = self.tables.exams;
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
                let matings = this.matings();
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
        self.genes[mating.source(child, exam) * self.tables.exams + exam]
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
        let mut best = u64::MAX;
        self.draw_candidates(pair, purpose, |individual| {
            if Some(individual) != other {
                best = best.min((u64::from(self.costs[individual]) << 32) | individual as u64);
            }
        });
        match other {
            Some(other) if best == u64::MAX => (other + 1) % self.costs.len(),
            _ => (best & u64::from(u32::MAX)) as usize,
        }
    }

    /// Calls `visit` with each of the `tournament_size` individuals that a tournament draws, with repetitions.
    #[inline(always)]
    fn draw_candidates(&self, pair: u32, purpose: u32, mut visit: impl FnMut(usize)) {
        let population = self.costs.len() as u32;
        let size = self.parameters.tournament_size();
        for block in 0..size.div_ceil(4) {
            let words = self.philox.words(block, self.generation, pair, purpose);
            for &word in &words[..(size - block * 4).min(4) as usize] {
                visit(index(word, population) as usize);
            }
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

    /// Gives each gene a random period with probability pm; calls `drawn` with the exam and its periods before and after,
    /// which may be equal.
    #[inline(always)]
    fn mutate(&self, individual: u32, chromosome: &mut [u8], mut drawn: impl FnMut(usize, u8, u8)) {
        for (block, genes) in chromosome.chunks_mut(4).enumerate() {
            let words = self.philox.words(block as u32, self.generation, individual, MUTATION);
            for (lane, gene) in genes.iter_mut().enumerate() {
                if happens(words[lane], self.mutation) {
                    let exam = block * 4 + lane;
                    let word = self.philox.words(exam as u32, self.generation, individual, MUTATED_PERIOD)[0];
                    let before = std::mem::replace(gene, initial::random_period(&self.model, exam, word) as u8);
                    drawn(exam, before, *gene);
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
            self.improvements.note(self.generation.into(), self.evaluations, cost.into());
        }
    }
}

/// Two parents and the crossover point of a pair of children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mating {
    /// Individual whose genes before the point go to the even child.
    pub first: usize,
    /// Individual whose genes before the point go to the odd child.
    pub second: usize,
    /// Index of the first exchanged gene; the number of exams without crossover.
    pub point: usize,
}

impl Mating {
    /// The parent from which a child (0 even, 1 odd) inherits a gene.
    #[inline(always)]
    pub(crate) fn source(&self, child: usize, exam: usize) -> usize {
        if (exam < self.point) == (child == 0) { self.first } else { self.second }
    }
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

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.improvements.take()
    }
}
