//! Individuals that walk legs of annealing.

use super::{Plant, Tables, Tuning, block, launch};
use crate::CudaError;
use crate::machine::{Array, Limits, Machine, Module};

/// What a leg depends on.
#[derive(Debug, Clone, Copy)]
pub struct Leg<'a> {
    /// The number of its first step.
    pub first_step: u32,
    /// The temperature of each step, as a cost.
    pub temperatures: &'a [f64],
    /// The seed of the run.
    pub seed: u64,
    /// The purpose of the random words.
    pub purpose: u32,
    /// What a unit of violation costs at least and at most.
    pub weights: [f64; 2],
}

/// Individuals on a machine. Scores are violation and cost, one after the other.
#[derive(Debug)]
pub struct Walkers {
    tables: Tables,
    count: u32,
    shape: (u32, u32),
    orientations: Array<u32>,
    levels: Array<u32>,
    temperatures: Array<f64>,
    genes: Array<u16>,
    scores: Array<f64>,
    best_genes: Array<u16>,
    best: Array<f64>,
    weights: Array<f64>,
}

/// Steps of a launch, at most.
pub const MOST_STEPS: usize = 256;

impl Walkers {
    /// Bytes of the machine's memory that are needed.
    pub fn bytes(plant: &Plant<'_>, count: u32) -> u64 {
        let n = plant.areas.len() as u64;
        let tables = 8 * (6 * n + plant.flows.len() as u64) + 4 * plant.pairs.len() as u64;
        tables + u64::from(count) * (4 * n + 44) + (1 << 16)
    }

    /// Reserves room for islands of `individuals` each, with the orientation of each island, and writes the tables. `levels` are those of
    /// −ln u, in 1/4096.
    ///
    /// # Errors
    /// [`CudaError::SharedMemory`] where a layout does not fit, [`CudaError::OutOfMemory`] before anything is reserved, what the
    /// machine reports.
    pub fn new(
        machine: &mut dyn Machine,
        plant: &Plant<'_>,
        orientations: &[u32],
        individuals: u32,
        levels: &[u32],
        tuning: Tuning,
    ) -> Result<Self, CudaError> {
        machine.prepare(Module::Facility)?;
        let limits: Limits = machine.limits()?;
        let count = orientations.len() as u32 * individuals;
        let needed = Self::bytes(plant, count);
        if needed > limits.free {
            return Err(CudaError::OutOfMemory { needed, free: limits.free });
        }
        let n = plant.areas.len();
        let shape = block(&limits, n as u32, count, tuning)?;
        let all = count as usize;
        Ok(Self {
            tables: Tables::upload(machine, plant, individuals)?,
            count,
            shape,
            orientations: Array::upload(machine, orientations)?,
            levels: Array::upload(machine, levels)?,
            temperatures: Array::reserve(machine, MOST_STEPS)?,
            genes: Array::reserve(machine, all * n)?,
            scores: Array::reserve(machine, all * 2)?,
            best_genes: Array::reserve(machine, all * n)?,
            best: Array::reserve(machine, all * 2)?,
            weights: Array::reserve(machine, all)?,
        })
    }

    /// Writes individuals that set out: the best of each is itself.
    ///
    /// # Errors
    /// As [`Machine::write`].
    pub fn set_out(
        &mut self,
        machine: &mut dyn Machine,
        genes: &[u16],
        scores: &[f64],
        weights: &[f64],
    ) -> Result<(), CudaError> {
        self.genes.write(machine, genes)?;
        self.best_genes.write(machine, genes)?;
        self.scores.write(machine, scores)?;
        self.best.write(machine, scores)?;
        self.weights.write(machine, weights)
    }

    /// Walks a leg of at most [`MOST_STEPS`] steps.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn walk(&mut self, machine: &mut dyn Machine, leg: &Leg<'_>) -> Result<(), CudaError> {
        let steps = leg.temperatures.len();
        if steps > MOST_STEPS {
            return Err(CudaError::Launch { kernel: "facility_walk", what: format!("{steps} steps in one launch") });
        }
        self.temperatures.write(machine, leg.temperatures)?;
        let launch = self.tables.begin(launch("facility_walk", self.shape, self.count));
        let launch = launch.array(&self.orientations).array(&self.temperatures).array(&self.levels);
        let launch = launch.array(&self.genes).array(&self.scores).array(&self.best_genes).array(&self.best);
        let launch = launch.array(&self.weights).structure(&leg.seed.to_le_bytes()).number(leg.first_step);
        let bounds: Vec<u8> = leg.weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        machine.launch(&launch.number(steps as u32).number(self.count).structure(&bounds).number(leg.purpose))
    }

    /// Genes, scores, genes of the best, their scores, and weights, once everything before is done.
    ///
    /// # Errors
    /// As [`Machine::read`].
    #[expect(clippy::type_complexity, reason = "five arrays, each said above")]
    pub fn fetch(
        &self,
        machine: &mut dyn Machine,
    ) -> Result<(Vec<u16>, Vec<f64>, Vec<u16>, Vec<f64>, Vec<f64>), CudaError> {
        let (count, n) = (self.count as usize, self.tables.departments as usize);
        Ok((
            self.genes.read(machine, count * n)?,
            self.scores.read(machine, count * 2)?,
            self.best_genes.read(machine, count * n)?,
            self.best.read(machine, count * 2)?,
            self.weights.read(machine, count)?,
        ))
    }
}
