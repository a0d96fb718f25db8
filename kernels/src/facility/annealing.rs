//! Simulated annealing of many layouts at once.

use super::{Plant, Tables, Tuning, block, launch, rows};
use crate::CudaError;
use crate::runtime::{Array, DeviceRuntime, Limits, Module};
use crate::structs::kernel_struct;

kernel_struct! {
    /// Smallest and largest cost of a unit of violation.
    pub(super) struct Bounds = "Bounds" {
        least: f64,
        most: f64,
    }
}

/// Parameters of an annealing stage.
#[derive(Debug, Clone, Copy)]
pub struct AnnealingStage<'a> {
    /// Number of its first step.
    pub first_step: u32,
    /// Temperature of each step, in units of the cost.
    pub temperatures: &'a [f64],
    /// Seed of the run.
    pub seed: u64,
    /// Purpose of the random words, part of their address.
    pub purpose: u32,
    /// Smallest and largest cost of a unit of violation.
    pub weights: [f64; 2],
}

/// Individuals and tables in device memory. A score is two numbers: violation and cost.
#[derive(Debug)]
pub struct Annealer {
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

/// Largest number of steps of a launch.
pub const MOST_STEPS: usize = 256;

impl Annealer {
    /// Device memory for `count` individuals, in bytes.
    pub fn bytes(plant: &Plant<'_>, count: u32) -> u64 {
        let n = plant.areas.len() as u64;
        let tables = 8 * (6 * n + plant.flows.len() as u64) + 4 * plant.pairs.len() as u64;
        tables + u64::from(count) * (4 * n + 44) + (1 << 16)
    }

    /// Reserves memory for islands of `individuals` individuals each and writes the tables. `orientations` holds the orientation of each island,
    /// `levels` −ln u at 1,024 points, in 1/4096.
    ///
    /// # Errors
    /// [`CudaError::SharedMemory`] if a layout does not fit, [`CudaError::OutOfMemory`] before anything is reserved, errors of the runtime.
    pub fn new(
        runtime: &mut dyn DeviceRuntime, plant: &Plant<'_>, orientations: &[u32], individuals: u32, levels: &[u32],
        tuning: Tuning,
    ) -> Result<Self, CudaError> {
        runtime.prepare(Module::Facility)?;
        let limits: Limits = runtime.limits()?;
        let count = orientations.len() as u32 * individuals;
        let needed = Self::bytes(plant, count);
        if needed > limits.free {
            return Err(CudaError::OutOfMemory { needed, free: limits.free });
        }
        let n = plant.areas.len();
        let shape = block(&limits, n as u32, count, tuning)?;
        let all = count as usize;
        Ok(Self {
            tables: Tables::upload(runtime, plant, individuals)?,
            count,
            shape,
            orientations: Array::upload(runtime, orientations)?,
            levels: Array::upload(runtime, levels)?,
            temperatures: Array::reserve(runtime, MOST_STEPS)?,
            genes: Array::reserve(runtime, all * n)?,
            scores: Array::reserve(runtime, all * 2)?,
            best_genes: Array::reserve(runtime, all * n)?,
            best: Array::reserve(runtime, all * 2)?,
            weights: Array::reserve(runtime, all)?,
        })
    }

    /// Writes all individuals, whose best layouts are their present ones: departments genes, a score and a weight of violation each.
    ///
    /// # Errors
    /// As [`DeviceRuntime::write`].
    pub fn write(
        &mut self, runtime: &mut dyn DeviceRuntime, genes: &[u16], scores: &[f64], weights: &[f64],
    ) -> Result<(), CudaError> {
        self.genes.write(runtime, genes)?;
        self.best_genes.write(runtime, genes)?;
        self.scores.write(runtime, scores)?;
        self.best.write(runtime, scores)?;
        self.weights.write(runtime, weights)
    }

    /// Runs a stage of at most [`MOST_STEPS`] steps on all individuals.
    ///
    /// # Errors
    /// As [`DeviceRuntime::launch`].
    pub fn anneal(&mut self, runtime: &mut dyn DeviceRuntime, stage: &AnnealingStage<'_>) -> Result<(), CudaError> {
        let steps = stage.temperatures.len();
        if steps > MOST_STEPS {
            return Err(CudaError::Launch { kernel: "facility_walk", what: format!("{steps} steps in one launch") });
        }
        self.temperatures.write(runtime, stage.temperatures)?;
        let launch = self.tables.begin(launch("facility_walk", self.shape, self.count, 1));
        let launch = launch.input(&self.orientations).input(&self.temperatures).input(&self.levels);
        let genes = || rows::<u16>(self.tables.departments);
        let launch = launch.rows(&self.genes, genes()).rows(&self.scores, rows::<f64>(2));
        let launch = launch.rows(&self.best_genes, genes()).rows(&self.best, rows::<f64>(2));
        let launch = launch.rows(&self.weights, rows::<f64>(1)).value(stage.seed).number(stage.first_step);
        let [least, most] = stage.weights;
        let launch = launch.number(steps as u32).first(0).end(self.count).value(Bounds { least, most });
        runtime.launch(&launch.number(stage.purpose))
    }

    /// Waits for all launches and reads genes, scores, genes of the best layouts, their scores, and weights of all individuals.
    ///
    /// # Errors
    /// As [`DeviceRuntime::read`].
    #[expect(clippy::type_complexity, reason = "five arrays, named in the documentation")]
    pub fn fetch(
        &self, runtime: &mut dyn DeviceRuntime,
    ) -> Result<(Vec<u16>, Vec<f64>, Vec<u16>, Vec<f64>, Vec<f64>), CudaError> {
        let (count, n) = (self.count as usize, self.tables.departments as usize);
        Ok((
            self.genes.read(runtime, count * n)?,
            self.scores.read(runtime, count * 2)?,
            self.best_genes.read(runtime, count * n)?,
            self.best.read(runtime, count * 2)?,
            self.weights.read(runtime, count)?,
        ))
    }
}
