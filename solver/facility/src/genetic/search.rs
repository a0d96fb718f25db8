//! Host part of the island genetic algorithm: best layout, penalty weights and migration between generations.

use std::sync::Arc;

use rayon::prelude::*;

use super::GeneticParameters;
use crate::evaluation::{Problem, Score};
use crate::genes::to_layout;
use crate::islands::{self, BestLayout, Island, Migration};
use crate::journal::{self, Populations, SharedRecorder};
use crate::memetic::{CHEAPER, DEARER, WEIGHT, WEIGHTS};
use crate::population::random_genes;
use crate::{Instance, Orientation};
use gridwright_core::Result;
use gridwright_core::backend::DeviceNote;
use gridwright_core::random::Philox;
use gridwright_core::search::{
    Construction, Epochs, ImprovementLog, NotedImprovement, Snapshot, digest_bytes, digest_words,
};

/// Individuals of all islands.
#[derive(Debug, Clone, Default)]
pub struct Individuals {
    /// Genes, row-major: individuals × departments.
    pub(crate) genes: Vec<u16>,
    pub(crate) scores: Vec<Score>,
}

/// Summary of an island after a generation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Score of its best individual.
    pub best: Score,
    /// Global number of its best individual; the smallest number among equals.
    pub individual: usize,
    /// Number of feasible individuals.
    pub feasible: usize,
}

impl Summary {
    /// Summarises the scores of an island whose first individual has the global number `first`.
    pub fn of(first: usize, scores: &[Score]) -> Self {
        let mut summary = Self { best: Score::WORST, individual: first, feasible: 0 };
        for (more, score) in scores.iter().enumerate() {
            summary.feasible += usize::from(score.is_feasible());
            if score.is_better(&summary.best) {
                (summary.best, summary.individual) = (*score, first + more);
            }
        }
        summary
    }
}

/// Backend of the genetic algorithm: holds the individuals and computes generations. All errors are
/// [`gridwright_core::Error::Device`], or [`gridwright_core::Error::Cancelled`] if the run is interrupted within a generation.
pub trait GeneticBackend: Send {
    /// Loads the individuals.
    fn begin(&mut self, individuals: &Individuals) -> Result<()>;

    /// Replaces every individual by a child; `weights[island]` is the cost of one unit of violation.
    fn breed(&mut self, generation: u32, weights: &[f64]) -> Result<()>;

    /// Returns the summary of each island.
    fn summaries(&mut self) -> Result<Vec<Summary>>;

    /// Returns the scores of all individuals.
    fn scores(&mut self) -> Result<Vec<Score>>;

    /// Returns the genes of one individual; length = `departments`.
    fn genes_of(&mut self, individual: usize, departments: usize) -> Result<Vec<u16>>;

    /// Returns the genes of all individuals: individuals × departments.
    fn genes(&mut self) -> Result<Vec<u16>>;

    /// Copies individuals over others simultaneously; `moves` holds pairs (source, destination), every destination
    /// occurs once.
    fn migrate(&mut self, moves: &[[u32; 2]]) -> Result<()>;

    /// Loss of the device.
    fn device_notes(&self) -> Vec<DeviceNote> {
        Vec::new()
    }
}

/// Island genetic algorithm over a backend.
pub struct Genetic<B: GeneticBackend> {
    backend: B,
    parameters: GeneticParameters,
    orientations: Vec<Orientation>,
    next: Vec<usize>,
    weights: Vec<f64>,
    unit: f64,
    generation: u32,
    best: (Vec<u16>, Score, Orientation),
    improvements: ImprovementLog,
    /// Best score of each island in the whole run.
    records: Vec<Score>,
    migrations: Vec<Migration>,
    recorder: Option<SharedRecorder>,
}

/// Individuals that a thread evaluates between two questions whether the construction goes on.
const SHARE: usize = 8;

/// Creates and evaluates the initial population: random layouts, `parameters.individuals` per island. A unit of the
/// construction is an evaluated individual; if it is cut short, the others are copies of the first individual.
pub fn first_individuals(
    instance: &Instance, problems: &[Problem], parameters: &GeneticParameters, orientations: &[Orientation], seed: u64,
    threads: &rayon::ThreadPool, construction: &Construction,
) -> Individuals {
    let (n, size) = (instance.len(), parameters.individuals as usize);
    let mut genes = vec![0; n * size * orientations.len()];
    let philox = Philox::new(seed);
    let problem = |individual: usize| &problems[orientations[individual / size] as usize];
    let mut scores = vec![Score::WORST; size * orientations.len()];
    let mut made = 0;
    construction.begin();
    while made < scores.len() && (made == 0 || construction.goes_on()) {
        let batch = (SHARE * threads.current_num_threads()).min(construction.left().max(1)).min(scores.len() - made);
        let fresh = genes[made * n..(made + batch) * n].par_chunks_exact_mut(n).zip(&mut scores[made..made + batch]);
        threads.install(|| {
            fresh.enumerate().with_max_len(SHARE).for_each_init(
                || problems[0].places(),
                |places, (number, (genes, score))| {
                    let problem = problem(made + number);
                    random_genes(philox, 0, (made + number) as u32, problem.frame.as_ref(), genes);
                    *score = problem.evaluate(genes, places);
                },
            );
        });
        made += batch;
        construction.finish(batch as u64);
    }
    let (ready, missing) = genes.split_at_mut(made * n);
    let mut places = problems[0].places();
    let copies: Vec<Score> = problems.iter().map(|problem| problem.evaluate(&ready[..n], &mut places)).collect();
    for (individual, genes) in (made..).zip(missing.chunks_exact_mut(n)) {
        genes.copy_from_slice(&ready[..n]);
        scores[individual] = copies[orientations[individual / size] as usize];
    }
    Individuals { genes, scores }
}

impl<B: GeneticBackend> Genetic<B> {
    /// Starts the search with `individuals`; `unit` is the mean cost of random layouts.
    ///
    /// # Errors
    /// A failure of the device.
    pub fn new(
        mut backend: B, individuals: &Individuals, unit: f64, parameters: &GeneticParameters,
        orientations: Vec<Orientation>,
    ) -> Result<Self> {
        backend.begin(individuals)?;
        let n = individuals.genes.len() / individuals.scores.len().max(1);
        let mut search = Self {
            backend,
            parameters: parameters.clone(),
            next: islands::rings(&orientations),
            weights: vec![WEIGHT * unit; orientations.len()],
            unit,
            generation: 0,
            best: (vec![0; n], Score::WORST, orientations[0]),
            improvements: ImprovementLog::default(),
            records: vec![Score::WORST; orientations.len()],
            migrations: Vec::new(),
            recorder: None,
            orientations,
        };
        let summaries = search.backend.summaries()?;
        search.take(&summaries, false)?;
        Ok(search)
    }

    /// Sets who records the migrations.
    pub(crate) fn with_recorder(mut self, recorder: Option<SharedRecorder>) -> Self {
        self.recorder = recorder;
        self
    }

    /// Updates the best layout and, if `adapt` is set, the penalty weight of each island.
    fn take(&mut self, summaries: &[Summary], adapt: bool) -> Result<()> {
        islands::raise(&mut self.records, summaries.iter().map(|summary| summary.best));
        let mut better = None;
        for (island, summary) in summaries.iter().enumerate() {
            if summary.best.is_better(&self.best.1) {
                self.best.1 = summary.best;
                better = Some((summary.individual, island));
            }
        }
        if let Some((individual, island)) = better {
            let n = self.best.0.len();
            let genes = self.backend.genes_of(individual, n)?;
            self.best.0 = genes;
            self.best.2 = self.orientations[island];
            self.improvements.note(self.generation.into(), self.evaluations(), self.best.1.told(self.unit));
        }
        let size = self.parameters.individuals as usize;
        for (weight, summary) in self.weights.iter_mut().zip(summaries).filter(|_| adapt) {
            if summary.feasible * 5 < size * 2 {
                *weight = (*weight * DEARER).min(WEIGHTS.1 * self.unit);
            } else if summary.feasible * 5 > size * 3 {
                *weight = (*weight * CHEAPER).max(WEIGHTS.0 * self.unit);
            }
        }
        Ok(())
    }

    /// Number of layouts evaluated up to the present generation.
    fn evaluations(&self) -> u64 {
        (u64::from(self.generation) + 1) * u64::from(self.parameters.individuals) * self.orientations.len() as u64
    }

    /// Replaces the worst `rate` individuals of each island's successor by its best.
    fn migrate(&mut self) -> Result<()> {
        let (size, count) = (self.parameters.individuals as usize, self.orientations.len());
        let rate = (self.parameters.rate as usize).min(size / 2);
        let scores = self.backend.scores()?;
        let ranked = |island: usize| {
            let worth = |one: usize| scores[one].cost + self.weights[island] * scores[one].violation;
            let mut all: Vec<usize> = (island * size..(island + 1) * size).collect();
            all.sort_by(|&one, &other| worth(one).total_cmp(&worth(other)).then(one.cmp(&other)));
            all
        };
        let ranks: Vec<Vec<usize>> = (0..count).map(ranked).collect();
        let mut moves = Vec::new();
        for island in (0..count).filter(|&island| self.next[island] != island) {
            let to = &ranks[self.next[island]];
            let cost = scores[ranks[island][0]].cost;
            moves.extend((0..rate).map(|place| [ranks[island][place] as u32, to[size - 1 - place] as u32]));
            let (from, to) = (island as u32, self.next[island] as u32);
            let generation = self.generation.into();
            islands::keep(&mut self.migrations, Migration { generation, step: generation, from, to, cost });
        }
        if self.recorder.is_some() {
            let (genes, weights, generation) = (self.backend.genes()?, Some(&self.weights[..]), self.generation.into());
            let (scores, genes, moves) = (&scores[..], &genes[..], &moves[..]);
            journal::tell(
                self.recorder.as_ref(),
                &Populations { generation, step: generation, size, scores, genes, weights, moves },
            );
        }
        self.backend.migrate(&moves)
    }

    fn islands(&self, scores: &[Score]) -> Vec<Island> {
        let size = self.parameters.individuals as usize;
        let island = |((scores, orientation), best): ((&[Score], &Orientation), &Score)| {
            let Summary { best: now, feasible, .. } = Summary::of(0, scores);
            let mean = scores.iter().map(|score| score.cost).sum::<f64>() / size as f64;
            let (orientation, best, individuals) = (*orientation, *best, size as u32);
            Island { orientation, best, now, mean, feasible: feasible as u32, individuals }
        };
        scores.chunks_exact(size).zip(&self.orientations).zip(&self.records).map(island).collect()
    }
}

impl<B: GeneticBackend> Epochs for Genetic<B> {
    type Solution = BestLayout;

    fn advance(&mut self, steps: u32) -> Result<()> {
        for _ in 0..steps {
            self.generation += 1;
            self.backend.breed(self.generation, &self.weights)?;
            let summaries = self.backend.summaries()?;
            self.take(&summaries, true)?;
            if self.generation.is_multiple_of(self.parameters.interval) {
                self.migrate()?;
            }
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<BestLayout>> {
        let (genes, scores) = (self.backend.genes()?, self.backend.scores()?);
        let mut digest = digest_words(u64::from(self.generation) ^ self.best.1.cost.to_bits(), &genes);
        let weights: Vec<u8> = self.weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        digest = digest_bytes(digest, &weights);
        for score in &scores {
            digest = digest.rotate_left(5) ^ score.cost.to_bits() ^ score.violation.to_bits().rotate_left(32);
        }
        let costs = || scores.iter().map(|score| score.cost);
        let found = BestLayout {
            layout: to_layout(&self.best.0, self.best.2),
            score: self.best.1,
            lacking: 0.0,
            islands: self.islands(&scores),
            migrations: self.migrations.clone(),
            proven: false,
        };
        Ok(Snapshot {
            step: self.generation.into(),
            evaluations: self.evaluations(),
            best: Arc::new(found),
            best_cost: self.best.1.told(self.unit),
            mean: costs().sum::<f64>() / scores.len() as f64,
            worst: costs().fold(0.0, f64::max),
            digest,
            share: None,
        })
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.improvements.take()
    }

    fn device_notes(&self) -> Vec<DeviceNote> {
        self.backend.device_notes()
    }
}
