//! Generations of the island genetic algorithm.

use super::{Plant, Tables, Tuning, block, launch, rows};
use crate::CudaError;
use crate::launch::{Division, Launch, Rows};
use crate::runtime::{Array, DeviceRuntime, Element as _, Module};
use crate::structs::kernel_struct;

kernel_struct! {
    /// [`Breeding`] as the kernels read it.
    pub(super) struct Rules = "Rules" {
        crossover: u64,
        mutation: u64,
        tournament: u32,
        seeding: u32,
        tournament_purpose: u32,
        variation_purpose: u32,
    }
}

/// Parameters of selection, crossover and mutation.
#[derive(Debug, Clone, Copy)]
pub struct Breeding {
    /// Threshold of a crossover, ⌊p·2³²⌋ for probability p.
    pub crossover: u64,
    /// Threshold of a mutation, ⌊p·2³²⌋.
    pub mutation: u64,
    /// Number of individuals in a tournament, 1 to [`MOST_TOURNAMENT`].
    pub tournament: u32,
    /// Random sequences of the tournaments: 0 = one for all individuals and generations, 1 = one per generation, 2 = one per individual and
    /// generation.
    pub seeding: u32,
    /// Purposes of the random words: of tournaments, and of crossover and mutation.
    pub purposes: [u32; 2],
    /// Seed of the run.
    pub seed: u64,
}

/// Largest tournament: the candidates of both tournaments of a child have a lane each.
pub(crate) const MOST_TOURNAMENT: u32 = super::LANES / 2;

kernel_struct! {
    /// Statistics of an island after a generation.
    #[derive(Default)]
    pub struct Summary = "Summary" {
        /// Violation and cost of the best individual.
        pub best: [f64; 2],
        /// Number of the best individual among all islands; the lowest of equally good ones.
        pub individual: u32,
        /// Number of feasible individuals.
        pub feasible: u32,
    }
}

/// Present and next generation of all islands in device memory.
#[derive(Debug)]
pub struct Individuals {
    tables: Tables,
    breeding: Breeding,
    individuals: u32,
    islands: u32,
    shape: (u32, u32),
    orientations: Array<u32>,
    weights: Array<f64>,
    genes: [Array<u16>; 2],
    scores: [Array<f64>; 2],
    summaries: Array<Summary>,
    moves: [Array<u32>; 2],
    /// Index of the present generation in `genes` and `scores`.
    now: usize,
}

impl Individuals {
    /// Device memory for `count` individuals, in bytes.
    pub fn bytes(plant: &Plant<'_>, count: u32) -> u64 {
        let n = plant.areas.len() as u64;
        let tables = 8 * (6 * n + plant.flows.len() as u64) + 4 * plant.pairs.len() as u64;
        tables + u64::from(count) * (4 * n + 60) + (1 << 16)
    }

    /// Reserves memory for islands of `individuals` individuals each and writes the tables. `orientations` holds the orientation of each island.
    ///
    /// # Errors
    /// [`CudaError::SharedMemory`] if a layout does not fit, [`CudaError::OutOfMemory`] before anything is reserved,
    /// [`CudaError::Launch`] if a tournament is too large, errors of the runtime.
    pub fn new(
        runtime: &mut dyn DeviceRuntime, plant: &Plant<'_>, orientations: &[u32], individuals: u32, breeding: Breeding,
        tuning: Tuning,
    ) -> Result<Self, CudaError> {
        if !(1..=MOST_TOURNAMENT).contains(&breeding.tournament) {
            let what = format!("tournaments of {}, at most {MOST_TOURNAMENT} can meet", breeding.tournament);
            return Err(CudaError::Launch { kernel: "facility_breed", what });
        }
        runtime.prepare(Module::Facility)?;
        let limits = runtime.limits()?;
        let (islands, n) = (orientations.len() as u32, plant.areas.len());
        let count = islands * individuals;
        let needed = Self::bytes(plant, count);
        if needed > limits.free {
            return Err(CudaError::OutOfMemory { needed, free: limits.free });
        }
        let all = count as usize;
        let mut genes = || Array::reserve(runtime, all * n);
        let genes = [genes()?, genes()?];
        let mut scores = || Array::reserve(runtime, all * 2);
        let scores = [scores()?, scores()?];
        let mut moves = || Array::reserve(runtime, all);
        let moves = [moves()?, moves()?];
        Ok(Self {
            tables: Tables::upload(runtime, plant, individuals)?,
            breeding,
            individuals,
            islands,
            shape: block(&limits, n as u32, count, tuning)?,
            orientations: Array::upload(runtime, orientations)?,
            weights: Array::reserve(runtime, islands as usize)?,
            genes,
            scores,
            summaries: Array::reserve(runtime, islands as usize)?,
            moves,
            now: 0,
        })
    }

    fn count(&self) -> u32 {
        self.individuals * self.islands
    }

    /// Writes the first generation: departments genes per individual, and a violation and a cost each.
    ///
    /// # Errors
    /// As [`DeviceRuntime::write`].
    pub fn begin(&mut self, runtime: &mut dyn DeviceRuntime, genes: &[u16], scores: &[f64]) -> Result<(), CudaError> {
        self.now = 0;
        self.genes[0].write(runtime, genes)?;
        self.scores[0].write(runtime, scores)
    }

    /// Makes the next generation and makes it the present one; `weights` holds the cost of a unit of violation per island.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn breed(
        &mut self, runtime: &mut dyn DeviceRuntime, generation: u32, weights: &[f64],
    ) -> Result<(), CudaError> {
        self.weights.write(runtime, weights)?;
        let Breeding { crossover, mutation, tournament, seeding, purposes, seed } = self.breeding;
        let [tournament_purpose, variation_purpose] = purposes;
        let rules = Rules { crossover, mutation, tournament, seeding, tournament_purpose, variation_purpose };
        let (now, next) = (self.now, 1 - self.now);
        // Parents come from the island of their children, so islands stay together.
        let launch = self.tables.begin(launch("facility_breed", self.shape, self.count(), self.individuals));
        let launch = launch.value(rules).input(&self.orientations).input(&self.weights);
        let genes = || rows::<u16>(self.tables.departments);
        let launch = launch.rows(&self.genes[now], genes()).rows(&self.scores[now], rows::<f64>(2));
        let launch = launch.rows(&self.genes[next], genes()).rows(&self.scores[next], rows::<f64>(2));
        runtime.launch(&launch.value(seed).number(generation).first(0).end(self.count()))?;
        self.now = next;
        Ok(())
    }

    /// Computes and reads the statistics of every island.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`] and [`DeviceRuntime::read`].
    pub fn summaries(&self, runtime: &mut dyn DeviceRuntime) -> Result<Vec<Summary>, CudaError> {
        let division = Division { per_block: 4, ..Division::of(0..self.islands, self.islands) };
        let blocks = self.islands.div_ceil(division.per_block);
        let launch = Launch::new(Module::Facility, "facility_summary", [blocks, 1], 128, 0).divided(division);
        let launch = launch.rows(&self.scores[self.now], rows::<f64>(2 * self.individuals));
        let launch = launch.rows(&self.summaries, Rows::Even(Summary::BYTES));
        runtime.launch(&launch.number(self.individuals).first(0).end(self.islands))?;
        self.summaries.read(runtime, self.islands as usize)
    }

    /// Reads violation and cost of all individuals, two numbers each.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn scores(&self, runtime: &mut dyn DeviceRuntime) -> Result<Vec<f64>, CudaError> {
        self.scores[self.now].read(runtime, 2 * self.count() as usize)
    }

    /// Reads the genes of one individual.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`] and [`DeviceRuntime::read`].
    pub fn genes_of(&self, runtime: &mut dyn DeviceRuntime, individual: u32) -> Result<Vec<u16>, CudaError> {
        let departments = self.tables.departments as usize;
        self.genes[self.now].read_from(runtime, individual.min(self.count() - 1) as usize * departments, departments)
    }

    /// Copies the individuals of pairs (from, to) between generations; pairs are in the order of `to`.
    fn carry(
        &self, runtime: &mut dyn DeviceRuntime, pairs: Vec<(u32, u32)>, [source, target]: [usize; 2],
    ) -> Result<(), CudaError> {
        let count = pairs.len() as u32;
        let [from, to] = &self.moves;
        from.write(runtime, &pairs.iter().map(|&(from, _)| from).collect::<Vec<_>>())?;
        to.write(runtime, &pairs.iter().map(|&(_, to)| to).collect::<Vec<_>>())?;
        let launch = Launch::new(Module::Facility, "facility_move", [count, 1], 64, 0).input(from).input(to);
        let genes = || rows::<u16>(self.tables.departments);
        let launch = launch.brought(&self.genes[source], genes()).brought(&self.scores[source], rows::<f64>(2));
        let launch = launch.rows(&self.genes[target], genes()).rows(&self.scores[target], rows::<f64>(2));
        let division = Division { unit: self.individuals, ..Division::of(0..count, self.count()) };
        let launch = launch.number(self.tables.departments).first(0).end(count);
        runtime.launch(&launch.divided(Division { pairs: Some(pairs), ..division }))
    }

    /// Reads the genes of all individuals.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    pub fn genes(&self, runtime: &mut dyn DeviceRuntime) -> Result<Vec<u16>, CudaError> {
        self.genes[self.now].read(runtime, self.count() as usize * self.tables.departments as usize)
    }

    /// Copies individuals over others, all at once; `moves` holds (from, to).
    ///
    /// # Errors
    /// [`CudaError::Launch`] if there are more moves than individuals or a number is out of range; as [`DeviceRuntime::launch`].
    pub fn migrate(&mut self, runtime: &mut dyn DeviceRuntime, moves: &[[u32; 2]]) -> Result<(), CudaError> {
        if moves.is_empty() {
            return Ok(());
        }
        let all = self.count();
        if moves.len() > all as usize || moves.iter().flatten().any(|&individual| individual >= all) {
            return Err(CudaError::Launch {
                kernel: "facility_move",
                what: "more migrants than individuals".to_owned(),
            });
        }
        let mut pairs: Vec<(u32, u32)> = moves.iter().map(|&[from, to]| (from, to)).collect();
        pairs.sort_unstable_by_key(|&(_, to)| to);
        let destinations = pairs.iter().map(|&(_, to)| (to, to)).collect();
        let (now, next) = (self.now, 1 - self.now);
        // The memory of the next generation holds the migrants in between.
        self.carry(runtime, pairs, [now, next])?;
        self.carry(runtime, destinations, [next, now])
    }
}
