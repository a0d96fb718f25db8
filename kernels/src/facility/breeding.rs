//! Generations of the island genetic algorithm.

use super::{Plant, Tables, Tuning, block, launch};
use crate::CudaError;
use crate::machine::{Array, Launch, Machine, Module};

/// What making a child depends on beside parents.
#[derive(Debug, Clone, Copy)]
pub struct Breeding {
    /// Threshold of crossover, ⌊p·2³²⌋.
    pub crossover: u64,
    /// Threshold of mutation.
    pub mutation: u64,
    /// Individuals that meet in a tournament, at most [`MOST_TOURNAMENT`].
    pub tournament: u32,
    /// 0: one sequence for all threads and generations; 1: a new one for every generation; 2: one for every thread and generation.
    pub seeding: u32,
    /// Purposes of the random words of tournaments, and of crossover and mutation.
    pub purposes: [u32; 2],
    /// The seed of the run.
    pub seed: u64,
}

/// Candidates of both tournaments have a lane each.
pub const MOST_TOURNAMENT: u32 = super::LANES / 2;

/// What there is to know of an island after a generation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Summary {
    /// Violation and cost of its best.
    pub best: [f64; 2],
    /// The number of its best among all individuals, the first of equally good ones.
    pub individual: u32,
    /// How many are feasible.
    pub feasible: u32,
}

/// The individuals of all islands on a machine, twice: one generation is made from the other.
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
    summaries: Array<u8>,
    moves: [Array<u32>; 3],
    /// Which of the two holds the present generation.
    now: usize,
}

/// Bytes of a summary.
const SUMMARY: usize = 24;

impl Individuals {
    /// Bytes of the machine's memory that are needed.
    pub fn bytes(plant: &Plant<'_>, count: u32) -> u64 {
        let n = plant.areas.len() as u64;
        let tables = 8 * (6 * n + plant.flows.len() as u64) + 4 * plant.pairs.len() as u64;
        tables + u64::from(count) * (4 * n + 60) + (1 << 16)
    }

    /// Reserves room for islands of `individuals` each, with the orientation of each island, and writes the tables.
    ///
    /// # Errors
    /// [`CudaError::SharedMemory`] where a layout does not fit, [`CudaError::OutOfMemory`] before anything is reserved,
    /// [`CudaError::Launch`] where a tournament is too large, what the machine reports.
    pub fn new(
        machine: &mut dyn Machine,
        plant: &Plant<'_>,
        orientations: &[u32],
        individuals: u32,
        breeding: Breeding,
        tuning: Tuning,
    ) -> Result<Self, CudaError> {
        if !(1..=MOST_TOURNAMENT).contains(&breeding.tournament) {
            let what = format!("tournaments of {}, at most {MOST_TOURNAMENT} can meet", breeding.tournament);
            return Err(CudaError::Launch { kernel: "facility_breed", what });
        }
        machine.prepare(Module::Facility)?;
        let limits = machine.limits()?;
        let (islands, n) = (orientations.len() as u32, plant.areas.len());
        let count = islands * individuals;
        let needed = Self::bytes(plant, count);
        if needed > limits.free {
            return Err(CudaError::OutOfMemory { needed, free: limits.free });
        }
        let all = count as usize;
        let mut genes = || Array::reserve(machine, all * n);
        let genes = [genes()?, genes()?];
        let mut scores = || Array::reserve(machine, all * 2);
        let scores = [scores()?, scores()?];
        let mut moves = || Array::reserve(machine, all);
        let moves = [moves()?, moves()?, moves()?];
        Ok(Self {
            tables: Tables::upload(machine, plant, individuals)?,
            breeding,
            individuals,
            islands,
            shape: block(&limits, n as u32, count, tuning)?,
            orientations: Array::upload(machine, orientations)?,
            weights: Array::reserve(machine, islands as usize)?,
            genes,
            scores,
            summaries: Array::reserve(machine, islands as usize * SUMMARY)?,
            moves,
            now: 0,
        })
    }

    fn count(&self) -> u32 {
        self.individuals * self.islands
    }

    /// Writes the first generation.
    ///
    /// # Errors
    /// As [`Machine::write`].
    pub fn begin(&mut self, machine: &mut dyn Machine, genes: &[u16], scores: &[f64]) -> Result<(), CudaError> {
        self.now = 0;
        self.genes[0].write(machine, genes)?;
        self.scores[0].write(machine, scores)
    }

    /// Replaces everybody by a child; `weights` is what a unit of violation costs on each island.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn breed(&mut self, machine: &mut dyn Machine, generation: u32, weights: &[f64]) -> Result<(), CudaError> {
        self.weights.write(machine, weights)?;
        let Breeding { crossover, mutation, tournament, seeding, purposes, seed } = self.breeding;
        let mut rules: Vec<u8> = [crossover, mutation].iter().flat_map(|threshold| threshold.to_le_bytes()).collect();
        for number in [tournament, seeding, purposes[0], purposes[1]] {
            rules.extend(number.to_le_bytes());
        }
        let (now, next) = (self.now, 1 - self.now);
        let launch = self.tables.begin(launch("facility_breed", self.shape, self.count()));
        let launch = launch.structure(&rules).array(&self.orientations).array(&self.weights);
        let launch = launch.array(&self.genes[now]).array(&self.scores[now]);
        let launch = launch.array(&self.genes[next]).array(&self.scores[next]);
        machine.launch(&launch.structure(&seed.to_le_bytes()).number(generation).number(self.count()))?;
        self.now = next;
        Ok(())
    }

    /// The best of every island and how many are feasible.
    ///
    /// # Errors
    /// As [`Machine::launch`] and [`Machine::read`].
    pub fn summaries(&self, machine: &mut dyn Machine) -> Result<Vec<Summary>, CudaError> {
        let blocks = self.islands.div_ceil(4);
        let launch = Launch::new(Module::Facility, "facility_summary", [blocks, 1], 128, 0);
        let launch = launch.array(&self.scores[self.now]).array(&self.summaries);
        machine.launch(&launch.number(self.individuals).number(self.islands))?;
        let bytes = self.summaries.read_bytes(machine, self.islands as usize * SUMMARY)?;
        let real = |bytes: &[u8]| bytes.try_into().map_or(0.0, f64::from_le_bytes);
        let word = |bytes: &[u8]| bytes.try_into().map_or(0, u32::from_le_bytes);
        let summary = |bytes: &[u8]| Summary {
            best: [real(&bytes[..8]), real(&bytes[8..16])],
            individual: word(&bytes[16..20]),
            feasible: word(&bytes[20..24]),
        };
        Ok(bytes.chunks_exact(SUMMARY).map(summary).collect())
    }

    /// Violation and cost of everybody.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn scores(&self, machine: &mut dyn Machine) -> Result<Vec<f64>, CudaError> {
        self.scores[self.now].read(machine, 2 * self.count() as usize)
    }

    /// The genes of one individual.
    ///
    /// # Errors
    /// As [`Machine::launch`] and [`Machine::read`].
    pub fn genes_of(&mut self, machine: &mut dyn Machine, individual: u32) -> Result<Vec<u16>, CudaError> {
        // The first place of the generation that is not there yet can be read alone.
        let (now, next) = (self.now, 1 - self.now);
        let [from, to, _] = &self.moves;
        from.write(machine, &[individual.min(self.count() - 1)])?;
        to.write(machine, &[0])?;
        self.carry(machine, [from, to], [now, next], 1)?;
        self.genes[next].read(machine, self.tables.departments as usize)
    }

    fn carry(
        &self,
        machine: &mut dyn Machine,
        [from, to]: [&Array<u32>; 2],
        [source, target]: [usize; 2],
        count: u32,
    ) -> Result<(), CudaError> {
        let launch = Launch::new(Module::Facility, "facility_move", [count, 1], 64, 0).array(from).array(to);
        let launch = launch.array(&self.genes[source]).array(&self.scores[source]);
        let launch = launch.array(&self.genes[target]).array(&self.scores[target]);
        machine.launch(&launch.number(self.tables.departments).number(count))
    }

    /// The genes of everybody.
    ///
    /// # Errors
    /// As [`Machine::read`].
    pub fn genes(&self, machine: &mut dyn Machine) -> Result<Vec<u16>, CudaError> {
        self.genes[self.now].read(machine, self.count() as usize * self.tables.departments as usize)
    }

    /// Copies individuals over others, all at once: from, to.
    ///
    /// # Errors
    /// [`CudaError::Launch`] where there are more moves than individuals; as [`Machine::launch`].
    pub fn migrate(&mut self, machine: &mut dyn Machine, moves: &[[u32; 2]]) -> Result<(), CudaError> {
        if moves.is_empty() {
            return Ok(());
        }
        let (count, all) = (moves.len() as u32, self.count());
        if count > all || moves.iter().flatten().any(|&one| one >= all) {
            return Err(CudaError::Launch {
                kernel: "facility_move",
                what: "more migrants than individuals".to_owned(),
            });
        }
        let column = |which: usize| moves.iter().map(|pair| pair[which]).collect::<Vec<u32>>();
        let [from, to, between] = &self.moves;
        from.write(machine, &column(0))?;
        to.write(machine, &column(1))?;
        between.write(machine, &(0..count).collect::<Vec<u32>>())?;
        let (now, next) = (self.now, 1 - self.now);
        // The next generation is not there yet: its place holds those who are on their way.
        self.carry(machine, [from, between], [now, next], count)?;
        self.carry(machine, [between, to], [next, now], count)?;
        Ok(())
    }
}
