//! The islands between two generations, whatever breeds them.

use std::sync::Arc;

use super::GeneticParameters;
use crate::Result;
use crate::facility::evaluation::{Problem, Score};
use crate::facility::found::{self, Found, Island, Migration};
use crate::facility::genes::to_layout;
use crate::facility::memetic::{CHEAPER, DEARER, WEIGHT, WEIGHTS};
use crate::facility::population::random_genes;
use crate::facility::{Instance, Orientation};
use crate::random::Philox;
use crate::search::{Epochs, Snapshot, digest_bytes, digest_words};

/// The individuals of all islands.
#[derive(Debug, Clone, Default)]
pub struct Individuals {
    /// Genes of each: individuals × departments.
    pub genes: Vec<u16>,
    /// What they cost.
    pub scores: Vec<Score>,
}

/// What makes children: the part of the algorithm that a backend computes.
pub trait Breed: Send {
    /// Takes over the individuals.
    fn begin(&mut self, individuals: &Individuals) -> Result<()>;

    /// Replaces everybody by a child; `weights` says what a unit of violation costs on each island.
    fn breed(&mut self, generation: u32, weights: &[f64]) -> Result<()>;

    /// What everybody costs.
    fn scores(&mut self, scores: &mut Vec<Score>) -> Result<()>;

    /// The genes of one individual.
    fn genes_of(&mut self, individual: usize, genes: &mut [u16]) -> Result<()>;

    /// The genes of everybody.
    fn genes(&mut self, genes: &mut Vec<u16>) -> Result<()>;

    /// Copies individuals over others, all at once: from, to. Nobody is overwritten twice.
    fn migrate(&mut self, moves: &[[u32; 2]]) -> Result<()>;
}

/// The island genetic algorithm over a backend.
pub struct Genetic<B: Breed> {
    breed: B,
    parameters: GeneticParameters,
    orientations: Vec<Orientation>,
    next: Vec<usize>,
    scores: Vec<Score>,
    weights: Vec<f64>,
    unit: f64,
    generation: u32,
    best: (Vec<u16>, Score, Orientation),
    migrations: Vec<Migration>,
}

/// The first individuals, and everything evaluated.
pub fn first_individuals(
    instance: &Instance,
    problems: &[Problem],
    parameters: &GeneticParameters,
    orientations: &[Orientation],
    seed: u64,
) -> Individuals {
    let (n, size) = (instance.len(), parameters.individuals as usize);
    let mut genes = vec![0; n * size * orientations.len()];
    let philox = Philox::new(seed);
    let mut places = problems[0].places();
    let evaluate = |(individual, genes): (usize, &mut [u16])| {
        random_genes(philox, 0, individual as u32, genes);
        problems[orientations[individual / size] as usize].evaluate(genes, &mut places)
    };
    let scores = genes.chunks_exact_mut(n).enumerate().map(evaluate).collect();
    Individuals { genes, scores }
}

impl<B: Breed> Genetic<B> {
    /// Before the first generation, with `breed` over the same individuals.
    pub fn new(
        mut breed: B,
        individuals: &Individuals,
        unit: f64,
        parameters: &GeneticParameters,
        orientations: Vec<Orientation>,
    ) -> Result<Self> {
        breed.begin(individuals)?;
        let n = individuals.genes.len() / individuals.scores.len().max(1);
        let mut search = Self {
            breed,
            parameters: parameters.clone(),
            next: found::rings(&orientations),
            scores: individuals.scores.clone(),
            weights: vec![WEIGHT * unit; orientations.len()],
            unit,
            generation: 0,
            best: (vec![0; n], Score::WORST, orientations[0]),
            migrations: Vec::new(),
            orientations,
        };
        search.take_best()?;
        Ok(search)
    }

    /// What an individual is worth to its island: the smaller the better.
    fn worth(&self, individual: usize) -> f64 {
        let score = self.scores[individual];
        score.cost + self.weights[individual / self.parameters.individuals as usize] * score.violation
    }

    fn take_best(&mut self) -> Result<()> {
        let mut better = None;
        for (individual, score) in self.scores.iter().enumerate() {
            if score.is_better(&self.best.1) {
                self.best.1 = *score;
                better = Some(individual);
            }
        }
        if let Some(individual) = better {
            self.breed.genes_of(individual, &mut self.best.0)?;
            self.best.2 = self.orientations[individual / self.parameters.individuals as usize];
        }
        Ok(())
    }

    /// What a unit of violation costs from now on.
    fn adapt(&mut self) {
        let size = self.parameters.individuals as usize;
        for (weight, scores) in self.weights.iter_mut().zip(self.scores.chunks_exact(size)) {
            let feasible = scores.iter().filter(|score| score.is_feasible()).count();
            if feasible * 5 < size * 2 {
                *weight = (*weight * DEARER).min(WEIGHTS.1 * self.unit);
            } else if feasible * 5 > size * 3 {
                *weight = (*weight * CHEAPER).max(WEIGHTS.0 * self.unit);
            }
        }
    }

    /// The best of every island replace the worst of the next.
    fn migrate(&mut self) -> Result<()> {
        let (size, count) = (self.parameters.individuals as usize, self.orientations.len());
        let rate = (self.parameters.rate as usize).min(size / 2);
        let ranked = |island: usize| {
            let mut all: Vec<usize> = (island * size..(island + 1) * size).collect();
            all.sort_by(|&one, &other| self.worth(one).total_cmp(&self.worth(other)).then(one.cmp(&other)));
            all
        };
        let ranks: Vec<Vec<usize>> = (0..count).map(ranked).collect();
        let mut moves = Vec::new();
        for island in (0..count).filter(|&island| self.next[island] != island) {
            let to = &ranks[self.next[island]];
            let cost = self.scores[ranks[island][0]].cost;
            moves.extend((0..rate).map(|place| [ranks[island][place] as u32, to[size - 1 - place] as u32]));
            let (from, to) = (island as u32, self.next[island] as u32);
            found::keep(&mut self.migrations, Migration { generation: self.generation.into(), from, to, cost });
        }
        let before: Vec<Score> = moves.iter().map(|&[from, _]| self.scores[from as usize]).collect();
        moves.iter().zip(before).for_each(|(&[_, to], score)| self.scores[to as usize] = score);
        self.breed.migrate(&moves)
    }

    fn islands(&self) -> Vec<Island> {
        let size = self.parameters.individuals as usize;
        let island = |(scores, orientation): (&[Score], &Orientation)| Island {
            orientation: *orientation,
            best: scores.iter().fold(Score::WORST, |best, score| if score.is_better(&best) { *score } else { best }),
            mean: scores.iter().map(|score| score.cost).sum::<f64>() / size as f64,
            feasible: scores.iter().filter(|score| score.is_feasible()).count() as u32,
            individuals: size as u32,
        };
        self.scores.chunks_exact(size).zip(&self.orientations).map(island).collect()
    }
}

impl<B: Breed> Epochs for Genetic<B> {
    type Solution = Found;

    fn advance(&mut self, steps: u32) -> Result<()> {
        for _ in 0..steps {
            self.generation += 1;
            self.breed.breed(self.generation, &self.weights)?;
            self.breed.scores(&mut self.scores)?;
            self.take_best()?;
            self.adapt();
            if self.generation.is_multiple_of(self.parameters.interval) {
                self.migrate()?;
            }
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Found>> {
        let mut genes = Vec::new();
        self.breed.genes(&mut genes)?;
        let mut digest = digest_words(u64::from(self.generation) ^ self.best.1.cost.to_bits(), &genes);
        let weights: Vec<u8> = self.weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        digest = digest_bytes(digest, &weights);
        for score in &self.scores {
            digest = digest.rotate_left(5) ^ score.cost.to_bits() ^ score.violation.to_bits().rotate_left(32);
        }
        let costs = || self.scores.iter().map(|score| score.cost);
        let found = Found {
            layout: to_layout(&self.best.0, self.best.2),
            score: self.best.1,
            islands: self.islands(),
            migrations: self.migrations.clone(),
            proven: false,
        };
        Ok(Snapshot {
            step: self.generation.into(),
            evaluations: (u64::from(self.generation) + 1) * self.scores.len() as u64,
            best: Arc::new(found),
            best_cost: self.best.1.told(self.unit),
            mean: costs().sum::<f64>() / self.scores.len() as f64,
            worst: costs().fold(0.0, f64::max),
            digest,
            share: None,
        })
    }
}
