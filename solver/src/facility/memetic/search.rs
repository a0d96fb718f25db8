//! The islands between two legs of annealing, whatever walks the legs.

use std::sync::Arc;

use super::cycles::{Cycles, Ends};
use super::{MemeticParameters, STEP};
use crate::Result;
use crate::facility::crossover::partially_mapped;
use crate::facility::evaluation::{Problem, Score};
use crate::facility::found::{self, Found, Island, Migration};
use crate::facility::genes::to_layout;
use crate::facility::population::{Walkers, purposes, random_genes};
use crate::facility::{Instance, Orientation};
use crate::random::{Philox, happens, index, threshold};
use crate::search::{Epochs, Snapshot, digest_bytes, digest_words};

/// Random layouts whose mean cost is the unit of temperatures.
const SAMPLES: u32 = 64;

/// The individual whose random words the samples take: no population is as large.
const SAMPLER: u32 = u32::MAX;

/// What a unit of violation costs in the beginning, as a fraction of the mean cost of random layouts.
pub const WEIGHT: f64 = 0.02;

/// What walks legs: the part of the algorithm that a backend computes.
pub trait Walk: Send {
    /// Takes over individuals that set out.
    fn set_out(&mut self, walkers: &Walkers) -> Result<()>;

    /// Walks one step per temperature, which are costs.
    fn walk(&mut self, first_step: u64, temperatures: &[f64]) -> Result<()>;

    /// Brings the individuals back.
    fn fetch(&mut self, walkers: &mut Walkers) -> Result<()>;
}

impl Walk for Box<dyn Walk> {
    fn set_out(&mut self, walkers: &Walkers) -> Result<()> {
        (**self).set_out(walkers)
    }

    fn walk(&mut self, first_step: u64, temperatures: &[f64]) -> Result<()> {
        (**self).walk(first_step, temperatures)
    }

    fn fetch(&mut self, walkers: &mut Walkers) -> Result<()> {
        (**self).fetch(walkers)
    }
}

/// What the individuals of an island have settled on.
#[derive(Debug, Clone)]
struct Settled {
    genes: Vec<u16>,
    score: Score,
}

/// The memetic algorithm over a backend.
pub struct Memetic<W: Walk> {
    walk: W,
    problems: Arc<[Problem]>,
    parameters: MemeticParameters,
    philox: Philox,
    orientations: Vec<Orientation>,
    next: Vec<usize>,
    walkers: Walkers,
    settled: Vec<Settled>,
    cycles: Cycles,
    unit: f64,
    best: Settled,
    best_orientation: Orientation,
    migrations: Vec<Migration>,
    fetched: bool,
}

/// The problem for both orientations, vertical first, and the mean cost of random layouts.
pub type Prepared = (Arc<[Problem]>, f64);

/// See [`Prepared`].
pub fn prepared(instance: &Instance, seed: u64) -> Prepared {
    let problems: Arc<[Problem]> = Orientation::ALL.map(|orientation| Problem::new(instance, orientation)).into();
    let philox = Philox::new(seed);
    let mut genes = vec![0; instance.len()];
    let mut sum = 0.0;
    for problem in &*problems {
        let mut places = problem.places();
        for sample in 0..SAMPLES {
            random_genes(philox, sample, SAMPLER, &mut genes);
            sum += problem.evaluate(&genes, &mut places).cost;
        }
    }
    // Without any flow every layout costs 0, and violations have to count nevertheless.
    (problems, (sum / f64::from(2 * SAMPLES)).max(1e-9))
}

impl<W: Walk> Memetic<W> {
    /// Before the first step; `parameters.islands` is their number. `unit` is what [`prepared`] gives, `wanted` the one orientation that is
    /// searched, and `start` a layout that all islands of its orientation know from the beginning.
    pub fn new(
        walk: W,
        prepared: Prepared,
        parameters: &MemeticParameters,
        cycles: Cycles,
        wanted: Option<Orientation>,
        start: Option<(Orientation, &[u16])>,
        seed: u64,
    ) -> Result<Self> {
        let (problems, unit) = prepared;
        let islands = parameters.islands.max(1) as usize;
        let orientations = found::orientations(islands, wanted);
        let (count, n) = (islands * parameters.individuals as usize, problems[0].len());
        let nobody = Settled { genes: vec![0; n], score: Score::WORST };
        let mut search = Self {
            walk,
            parameters: parameters.clone(),
            philox: Philox::new(seed),
            next: found::rings(&orientations),
            walkers: Walkers::new(count, n),
            settled: vec![nobody.clone(); count],
            cycles,
            unit,
            best: nobody,
            best_orientation: orientations[0],
            orientations,
            problems,
            migrations: Vec::new(),
            fetched: true,
        };
        search.begin_cycle();
        if let Some((orientation, genes)) = start {
            search.know(orientation, genes);
        }
        search.evaluate();
        search.walk.set_out(&search.walkers)?;
        Ok(search)
    }

    /// Steps of a leg, cycle by cycle, as far as they are decided.
    pub fn legs(&self) -> &[u64] {
        self.cycles.legs()
    }

    fn island(&self, individual: usize) -> usize {
        individual / self.parameters.individuals as usize
    }

    fn problem(&self, individual: usize) -> &Problem {
        &self.problems[self.orientations[self.island(individual)] as usize]
    }

    /// Everybody begins with a random layout, and what was settled on is forgotten.
    fn begin_cycle(&mut self) {
        let (n, leg) = (self.problems[0].len(), self.cycles.leg());
        for (individual, genes) in self.walkers.genes.chunks_exact_mut(n).enumerate() {
            random_genes(self.philox, leg, individual as u32, genes);
        }
        self.settled.iter_mut().for_each(|settled| settled.score = Score::WORST);
    }

    /// The first individual of every island of this orientation begins with a layout.
    fn know(&mut self, orientation: Orientation, start: &[u16]) {
        let (n, size) = (start.len(), self.parameters.individuals as usize);
        for island in (0..self.orientations.len()).filter(|&island| self.orientations[island] == orientation) {
            let first = island * size * n;
            self.walkers.genes[first..first + n].copy_from_slice(start);
        }
    }

    /// Everybody sets out from the genes that it has.
    fn evaluate(&mut self) {
        let n = self.problems[0].len();
        let mut places = self.problems[0].places();
        for individual in 0..self.settled.len() {
            let score = self
                .problem(individual)
                .evaluate(&self.walkers.genes[individual * n..(individual + 1) * n], &mut places);
            self.walkers.scores[individual] = score;
            self.walkers.best[individual] = score;
        }
        self.walkers.best_genes.copy_from_slice(&self.walkers.genes);
        self.walkers.weights.fill(WEIGHT * self.unit);
        self.take_best();
    }

    /// Remembers the best that anybody has met, the first of equally good ones.
    fn take_best(&mut self) {
        let n = self.problems[0].len();
        for (individual, score) in self.walkers.best.iter().enumerate() {
            if score.is_better(&self.best.score) {
                self.best.score = *score;
                self.best.genes.copy_from_slice(&self.walkers.best_genes[individual * n..(individual + 1) * n]);
                self.best_orientation = self.orientations[individual / self.parameters.individuals as usize];
            }
        }
    }

    fn fetch(&mut self) -> Result<()> {
        if !self.fetched {
            self.walk.fetch(&mut self.walkers)?;
            self.fetched = true;
            self.take_best();
        }
        Ok(())
    }

    /// What was found takes its place where it is better and new to its island.
    fn settle(&mut self) {
        let (n, size) = (self.problems[0].len(), self.parameters.individuals as usize);
        for individual in 0..self.settled.len() {
            let (score, first) = (self.walkers.best[individual], individual / size * size);
            let known = self.settled[first..first + size].iter().any(|other| other.score == score);
            // Whoever has nothing yet takes what it has found, also where somebody else has found the same: without genes nobody can
            // be a parent. On small plants many find the same.
            let is_new = !known || self.settled[individual].score == Score::WORST;
            if is_new && score.is_better(&self.settled[individual].score) {
                let genes = &self.walkers.best_genes[individual * n..(individual + 1) * n];
                self.settled[individual] = Settled { genes: genes.to_vec(), score };
            }
        }
    }

    /// The best of every island replaces the worst of the next.
    fn migrate(&mut self, generation: u64) {
        let size = self.parameters.individuals as usize;
        let place = |island: usize, settled: &[Settled], best: bool| {
            let all = island * size..(island + 1) * size;
            // The first of equally good ones.
            all.reduce(|one, other| {
                let (ours, theirs) = (settled[one].score, settled[other].score);
                let takes = if best { theirs.is_better(&ours) } else { ours.is_better(&theirs) };
                if takes { other } else { one }
            })
            .unwrap_or(island * size)
        };
        let from: Vec<usize> = (0..self.orientations.len()).map(|island| place(island, &self.settled, true)).collect();
        let migrants: Vec<Settled> = from.iter().map(|&individual| self.settled[individual].clone()).collect();
        for (island, migrant) in migrants.into_iter().enumerate() {
            let to = self.next[island];
            let known = self.settled[to * size..(to + 1) * size].iter().any(|other| other.score == migrant.score);
            if to == island || known {
                continue;
            }
            let cost = migrant.score.cost;
            let worst = place(to, &self.settled, false);
            self.settled[worst] = migrant;
            found::keep(&mut self.migrations, Migration { generation, from: island as u32, to: to as u32, cost });
        }
    }

    /// Everybody sets out from a child or from a copy of what somebody has settled on.
    fn breed(&mut self) {
        let (n, size, leg) = (self.problems[0].len(), self.parameters.individuals as usize, self.cycles.leg());
        let often = threshold(self.parameters.crossover);
        let mut room = vec![0; n];
        for individual in 0..self.settled.len() {
            let first = individual / size * size;
            let words = |draw: u32| self.philox.words(draw, leg, individual as u32, purposes::PARENTS);
            let (candidates, cut) = (words(0).map(|word| first + index(word, size as u32) as usize), words(1));
            let winner = |one: usize, other: usize| {
                if self.settled[other].score.is_better(&self.settled[one].score) { other } else { one }
            };
            let parent = &self.settled[winner(candidates[0], candidates[1])];
            let second = &self.settled[winner(candidates[2], candidates[3])];
            let child = &mut self.walkers.genes[individual * n..(individual + 1) * n];
            if happens(cut[0], often) {
                let (a, b) = (index(cut[1], n as u32) as usize, index(cut[2], n as u32) as usize);
                partially_mapped(&parent.genes, &second.genes, a.min(b), a.max(b), &mut room, child);
            } else if cut[3] & 1 == 0 {
                child.copy_from_slice(&self.settled[individual].genes);
            } else {
                child.copy_from_slice(&parent.genes);
            }
        }
    }

    fn end_leg(&mut self, ends: Ends) -> Result<()> {
        self.fetch()?;
        if ends == Ends::Cycle {
            self.begin_cycle();
        } else {
            self.settle();
            if self.cycles.generation().is_multiple_of(self.parameters.interval) {
                self.migrate(self.cycles.leg().into());
            }
            self.breed();
        }
        self.evaluate();
        self.walk.set_out(&self.walkers)
    }

    fn islands(&self) -> Vec<Island> {
        let size = self.parameters.individuals as usize;
        let island = |(island, orientation): (usize, &Orientation)| {
            let all = island * size..(island + 1) * size;
            let met =
                self.walkers.best[all.clone()].iter().chain(self.settled[all.clone()].iter().map(|one| &one.score));
            let best = met.fold(Score::WORST, |best, score| if score.is_better(&best) { *score } else { best });
            Island {
                orientation: *orientation,
                best,
                mean: self.walkers.scores[all.clone()].iter().map(|score| score.cost).sum::<f64>() / size as f64,
                feasible: self.walkers.scores[all].iter().filter(|score| score.is_feasible()).count() as u32,
                individuals: size as u32,
            }
        };
        self.orientations.iter().enumerate().map(island).collect()
    }
}

impl<W: Walk> Epochs for Memetic<W> {
    type Solution = Found;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let mut left = u64::from(steps);
        while left > 0 {
            let steps = left.min(self.cycles.left());
            let temperatures: Vec<f64> =
                self.cycles.temperatures(steps).into_iter().map(|share| share * self.unit).collect();
            self.walk.walk(self.cycles.done(), &temperatures)?;
            self.fetched = false;
            let ends = self.cycles.advance(steps);
            if ends != Ends::Nothing {
                self.end_leg(ends)?;
            }
            left -= steps;
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Found>> {
        self.fetch()?;
        let step = self.cycles.done();
        let mut digest = digest_words(step ^ self.best.score.cost.to_bits(), &self.walkers.genes);
        for (score, weight) in self.walkers.scores.iter().zip(&self.walkers.weights) {
            let state = [score.cost, score.violation, *weight].map(f64::to_le_bytes);
            digest = digest_bytes(digest, &state.concat());
        }
        let costs = || self.walkers.scores.iter().map(|score| score.cost);
        let found = Found {
            layout: to_layout(&self.best.genes, self.best_orientation),
            score: self.best.score,
            islands: self.islands(),
            migrations: self.migrations.clone(),
            proven: false,
        };
        Ok(Snapshot {
            step,
            evaluations: step * u64::from(STEP) * self.settled.len() as u64,
            best: Arc::new(found),
            best_cost: self.best.score.told(self.unit),
            mean: costs().sum::<f64>() / self.settled.len() as f64,
            worst: costs().fold(0.0, f64::max),
            digest,
            share: None,
        })
    }
}
