//! Host part of the memetic algorithm: selection, crossover and migration between annealing stages.

use std::sync::Arc;
use std::time::Instant;

use super::cycles::{Cycles, Ends};
use super::{MemeticParameters, STEP};
use crate::crossover::partially_mapped;
use crate::evaluation::{Problem, Score};
use crate::genes::to_layout;
use crate::islands::{self, BestLayout, Island, Migration};
use crate::journal::{self, Populations, SharedRecorder};
use crate::population::{Walkers, purposes, random_genes};
use crate::{Instance, Orientation};
use gridwright_core::Result;
use gridwright_core::backend::DeviceNote;
use gridwright_core::random::{Philox, happens, index, threshold};
use gridwright_core::search::{Epochs, ImprovementLog, NotedImprovement, Snapshot, digest_bytes, digest_words};

/// Number of random layouts per orientation whose mean cost is the unit of temperatures and penalties.
const SAMPLES: u32 = 64;

/// Individual number in the random address of these samples, larger than that of any individual.
const SAMPLER: u32 = u32::MAX;

/// Initial penalty weight (cost of one unit of violation), as a fraction of the mean cost of random layouts.
pub(crate) const WEIGHT: f64 = 0.02;

/// Backend of the memetic algorithm: anneals the individuals. All errors are [`gridwright_core::Error::Device`].
pub trait AnnealingBackend: Send {
    /// Loads the individuals at the beginning of a stage.
    fn set_out(&mut self, walkers: &Walkers) -> Result<()>;

    /// Anneals one step per temperature (in units of cost), beginning with step number `first_step` of the run.
    fn walk(&mut self, first_step: u64, temperatures: &[f64]) -> Result<()>;

    /// Copies the individuals back into `walkers`.
    fn fetch(&mut self, walkers: &mut Walkers) -> Result<()>;

    /// Returns the improvements of the individuals since the last call; `None` if the backend knows the best layouts at the
    /// end of an epoch only.
    fn improvements(&mut self) -> Option<Vec<WalkerImprovement>> {
        None
    }

    /// Loss of the device.
    fn device_notes(&self) -> Vec<DeviceNote> {
        Vec::new()
    }
}

/// Better layout of an individual.
#[derive(Debug, Clone, Copy)]
pub struct WalkerImprovement {
    /// Steps of the run done, the one that found it included.
    pub step: u64,
    /// Its score.
    pub score: Score,
    /// Time at which it was found.
    pub at: Instant,
}

/// Population member: the best layout that an individual has kept from its stages.
#[derive(Debug, Clone)]
struct Settled {
    genes: Vec<u16>,
    score: Score,
}

/// Memetic algorithm over a backend.
pub struct Memetic<W: AnnealingBackend> {
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
    /// Best score of each island in the whole run.
    records: Vec<Score>,
    migrations: Vec<Migration>,
    recorder: Option<SharedRecorder>,
    fetched: bool,
    improvements: ImprovementLog,
    /// Improvement of the last step, which may be followed by another one of the same step.
    latest: Option<NotedImprovement>,
    /// Best score of which the driver knows, and true while the backend tells the steps of improvements.
    noted: (Score, bool),
}

/// Evaluation problems for both orientations, vertical first, and the mean cost of random layouts.
pub(crate) type Prepared = (Arc<[Problem]>, f64);

/// Prepares an instance and samples the mean cost of random layouts with the words of `seed`.
pub fn prepared(instance: &Instance, seed: u64) -> Prepared {
    let problems: Arc<[Problem]> = Orientation::ALL.map(|orientation| Problem::new(instance, orientation)).into();
    let philox = Philox::new(seed);
    let mut genes = vec![0; instance.len()];
    let mut sum = 0.0;
    for problem in &*problems {
        let mut places = problem.places();
        for sample in 0..SAMPLES {
            random_genes(philox, sample, SAMPLER, None, &mut genes);
            sum += problem.evaluate(&genes, &mut places).cost;
        }
    }
    // Without any flow every layout costs 0; violations must count nevertheless.
    (problems, (sum / f64::from(2 * SAMPLES)).max(1e-9))
}

/// Problems that count closeness with this price for each point that a layout lacks of the best score; 0 leaves them as they are.
pub fn priced((problems, unit): Prepared, instance: &Instance, price: f64) -> Prepared {
    if price == 0.0 {
        return (problems, unit);
    }
    (problems.iter().map(|problem| problem.clone().with_closeness(instance, price)).collect(), unit)
}

impl<W: AnnealingBackend> Memetic<W> {
    /// Starts the search; `parameters.islands` must be resolved. `prepared` comes from [`prepared`], `wanted` restricts
    /// the search to one orientation, `start` is a layout that the first individual of every island of its orientation
    /// begins with.
    ///
    /// # Errors
    /// A failure of the device.
    pub fn new(
        walk: W, prepared: Prepared, parameters: &MemeticParameters, cycles: Cycles, wanted: Option<Orientation>,
        start: Option<(Orientation, &[u16])>, seed: u64,
    ) -> Result<Self> {
        let (problems, unit) = prepared;
        let islands = parameters.islands.max(1) as usize;
        let orientations = islands::orientations(islands, wanted);
        let (count, n) = (islands * parameters.individuals as usize, problems[0].len());
        let nobody = Settled { genes: vec![0; n], score: Score::WORST };
        let mut search = Self {
            walk,
            parameters: parameters.clone(),
            philox: Philox::new(seed),
            next: islands::rings(&orientations),
            walkers: Walkers::new(count, n),
            settled: vec![nobody.clone(); count],
            cycles,
            unit,
            best: nobody,
            best_orientation: orientations[0],
            records: vec![Score::WORST; islands],
            orientations,
            problems,
            migrations: Vec::new(),
            recorder: None,
            fetched: true,
            improvements: ImprovementLog::default(),
            latest: None,
            noted: (Score::WORST, true),
        };
        search.begin_cycle();
        if let Some((orientation, genes)) = start {
            search.know(orientation, genes);
        }
        search.evaluate();
        search.walk.set_out(&search.walkers)?;
        Ok(search)
    }

    /// Sets who records the migrations.
    pub(crate) fn with_recorder(mut self, recorder: Option<SharedRecorder>) -> Self {
        self.recorder = recorder;
        self
    }

    fn island(&self, individual: usize) -> usize {
        individual / self.parameters.individuals as usize
    }

    fn problem(&self, individual: usize) -> &Problem {
        &self.problems[self.orientations[self.island(individual)] as usize]
    }

    /// Starts a cycle: random layouts, empty population.
    fn begin_cycle(&mut self) {
        let (n, leg) = (self.problems[0].len(), self.cycles.leg());
        let size = self.parameters.individuals as usize;
        for (individual, genes) in self.walkers.genes.chunks_exact_mut(n).enumerate() {
            let frame = self.problems[self.orientations[individual / size] as usize].frame.as_ref();
            random_genes(self.philox, leg, individual as u32, frame, genes);
        }
        self.settled.iter_mut().for_each(|settled| settled.score = Score::WORST);
    }

    /// Gives the first individual of every island of this orientation the layout `start`.
    fn know(&mut self, orientation: Orientation, start: &[u16]) {
        let (n, size) = (start.len(), self.parameters.individuals as usize);
        for island in (0..self.orientations.len()).filter(|&island| self.orientations[island] == orientation) {
            let first = island * size * n;
            self.walkers.genes[first..first + n].copy_from_slice(start);
        }
    }

    /// Evaluates the individuals and resets their best layouts and penalty weights.
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

    /// Updates the best layout of the run and the best scores of the islands; ties keep the earlier one.
    fn take_best(&mut self) {
        let (n, size) = (self.problems[0].len(), self.parameters.individuals as usize);
        islands::raise(&mut self.records, self.walkers.best.chunks_exact(size).map(Score::best_of));
        for (individual, score) in self.walkers.best.iter().enumerate() {
            if score.is_better(&self.best.score) {
                self.best.score = *score;
                self.best.genes.copy_from_slice(&self.walkers.best_genes[individual * n..(individual + 1) * n]);
                self.best_orientation = self.orientations[individual / size];
            }
        }
        if self.best.score.is_better(&self.noted.0) {
            if self.noted.1 {
                self.note(self.cycles.done(), self.best.score, Instant::now());
            }
            self.noted.0 = self.best.score;
        }
    }

    fn note(&mut self, step: u64, score: Score, at: Instant) {
        self.noted.0 = score;
        let (evaluations, cost) = (self.evaluations(step), score.told(self.unit));
        let noted = NotedImprovement { step, evaluations, cost, at, exact: true };
        // The layouts of the next stage belong to the last step of a stage.
        let before = self.latest.replace(noted);
        before.filter(|before| before.step < step).into_iter().for_each(|before| self.improvements.push(before));
    }

    /// Notes the improvements of the individuals in the order of the steps.
    fn note_improvements(&mut self) {
        let told = self.walk.improvements();
        self.noted.1 = told.is_some();
        let mut all = told.unwrap_or_default();
        all.sort_by_key(|improvement| (improvement.step, improvement.at));
        for of_step in all.chunk_by(|one, other| one.step == other.step) {
            let best = of_step.iter().fold(None, |best: Option<&WalkerImprovement>, other| match best {
                Some(best) if !other.score.is_better(&best.score) => Some(best),
                _ => Some(other),
            });
            if let Some(&WalkerImprovement { step, score, at }) =
                best.filter(|best| best.score.is_better(&self.noted.0))
            {
                self.note(step, score, at);
            }
        }
    }

    /// Number of layouts evaluated up to a step.
    fn evaluations(&self, step: u64) -> u64 {
        step * u64::from(STEP) * self.settled.len() as u64
    }

    fn fetch(&mut self) -> Result<()> {
        if !self.fetched {
            self.walk.fetch(&mut self.walkers)?;
            self.fetched = true;
            self.take_best();
        }
        Ok(())
    }

    /// Updates the population: an individual's new best replaces its kept layout if it is better and no other member of
    /// the island has the same score.
    fn settle(&mut self) {
        let (n, size) = (self.problems[0].len(), self.parameters.individuals as usize);
        for individual in 0..self.settled.len() {
            let (score, first) = (self.walkers.best[individual], individual / size * size);
            let known = self.settled[first..first + size].iter().any(|other| other.score == score);
            // An empty member takes any layout, also a duplicate: without genes it could not be a parent. On small
            // plants duplicates are frequent.
            let is_new = !known || self.settled[individual].score == Score::WORST;
            if is_new && score.is_better(&self.settled[individual].score) {
                let genes = &self.walkers.best_genes[individual * n..(individual + 1) * n];
                self.settled[individual] = Settled { genes: genes.to_vec(), score };
            }
        }
    }

    /// Copies the best member of each island over the worst of its successor, unless the successor has the same score
    /// already.
    fn migrate(&mut self, generation: u64) {
        let (size, step) = (self.parameters.individuals as usize, self.cycles.done());
        let place = |island: usize, settled: &[Settled], best: bool| {
            let all = island * size..(island + 1) * size;
            // The first among equals.
            all.reduce(|one, other| {
                let (ours, theirs) = (settled[one].score, settled[other].score);
                let takes = if best { theirs.is_better(&ours) } else { ours.is_better(&theirs) };
                if takes { other } else { one }
            })
            .unwrap_or(island * size)
        };
        let from: Vec<usize> = (0..self.orientations.len()).map(|island| place(island, &self.settled, true)).collect();
        let before = self.recorder.as_ref().map(|_| self.settled.clone());
        let mut moves = Vec::new();
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
            moves.push([from[island] as u32, worst as u32]);
            let (from, to) = (island as u32, to as u32);
            islands::keep(&mut self.migrations, Migration { generation, step, from, to, cost });
        }
        if let Some(before) = before {
            let scores: Vec<Score> = before.iter().map(|settled| settled.score).collect();
            let genes: Vec<u16> = before.iter().flat_map(|settled| settled.genes.iter().copied()).collect();
            let (scores, genes, moves) = (&scores[..], &genes[..], &moves[..]);
            journal::tell(
                self.recorder.as_ref(),
                &Populations { generation, step, size, scores, genes, weights: None, moves },
            );
        }
    }

    /// Chooses the initial layouts of the next stage: a child of two tournament winners with probability `crossover`,
    /// else a copy of the own member or of a winner.
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

    /// Price of what the best layout lacks of the best closeness score.
    fn lacking(&self) -> f64 {
        let problem = &self.problems[self.best_orientation as usize];
        if problem.closeness.is_empty() {
            return 0.0;
        }
        let mut places = problem.places();
        problem.evaluate(&self.best.genes, &mut places);
        problem.lacking(&places)
    }

    fn islands(&self) -> Vec<Island> {
        let size = self.parameters.individuals as usize;
        let island = |(island, orientation): (usize, &Orientation)| {
            let all = island * size..(island + 1) * size;
            let settled = self.settled[all.clone()].iter().map(|one| &one.score);
            Island {
                orientation: *orientation,
                best: self.records[island],
                now: Score::best_of(self.walkers.best[all.clone()].iter().chain(settled)),
                mean: self.walkers.scores[all.clone()].iter().map(|score| score.cost).sum::<f64>() / size as f64,
                feasible: self.walkers.scores[all].iter().filter(|score| score.is_feasible()).count() as u32,
                individuals: size as u32,
            }
        };
        self.orientations.iter().enumerate().map(island).collect()
    }
}

impl<W: AnnealingBackend> Epochs for Memetic<W> {
    type Solution = BestLayout;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let mut left = u64::from(steps);
        while left > 0 {
            let steps = left.min(self.cycles.left());
            let temperatures: Vec<f64> =
                self.cycles.temperatures(steps).into_iter().map(|share| share * self.unit).collect();
            self.walk.walk(self.cycles.done(), &temperatures)?;
            self.fetched = false;
            let ends = self.cycles.advance(steps);
            self.note_improvements();
            if ends != Ends::Nothing {
                self.end_leg(ends)?;
            }
            left -= steps;
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<BestLayout>> {
        self.fetch()?;
        let step = self.cycles.done();
        let mut digest = digest_words(step ^ self.best.score.cost.to_bits(), &self.walkers.genes);
        for (score, weight) in self.walkers.scores.iter().zip(&self.walkers.weights) {
            let state = [score.cost, score.violation, *weight].map(f64::to_le_bytes);
            digest = digest_bytes(digest, &state.concat());
        }
        let costs = || self.walkers.scores.iter().map(|score| score.cost);
        let found = BestLayout {
            layout: to_layout(&self.best.genes, self.best_orientation),
            score: self.best.score,
            lacking: self.lacking(),
            islands: self.islands(),
            migrations: self.migrations.clone(),
            proven: false,
        };
        Ok(Snapshot {
            step,
            evaluations: self.evaluations(step),
            best: Arc::new(found),
            best_cost: self.best.score.told(self.unit),
            mean: costs().sum::<f64>() / self.settled.len() as f64,
            worst: costs().fold(0.0, f64::max),
            digest,
            share: None,
        })
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.latest.take().into_iter().for_each(|latest| self.improvements.push(latest));
        self.improvements.take()
    }

    fn device_notes(&self) -> Vec<DeviceNote> {
        self.walk.device_notes()
    }

    /// Steps of a leg of annealing in each cycle.
    fn stages(&self) -> Option<Vec<u64>> {
        Some(self.cycles.legs().to_vec())
    }
}
