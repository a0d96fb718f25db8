//! CUDA backend of the memetic algorithm: half a warp per individual.

use gridwright_kernels::DeviceRuntime;
use gridwright_kernels::facility::{Annealer, AnnealingStage, Tuning};

use super::cpu::WEIGHTS;
use super::search::{AnnealingBackend, Prepared};
use super::{MemeticParameters, STEP};
use crate::device::{Tables, flat, scores};
use crate::population::{Walkers, purposes};
use gridwright_core::Result;
use gridwright_core::search::cooling::AcceptanceTable;

/// Largest number of proposals per kernel launch, so that a GPU that also drives a display stays responsive.
const MOST_PROPOSALS: u64 = 1 << 23;

/// CUDA backend of the memetic algorithm.
pub struct DeviceAnnealing<M: DeviceRuntime> {
    runtime: M,
    annealer: Annealer,
    seed: u64,
    unit: f64,
    /// Largest number of steps per launch.
    steps: usize,
}

impl<M: DeviceRuntime> DeviceAnnealing<M> {
    /// Allocates the device memory and uploads the instance; `islands` holds the orientation of each island.
    ///
    /// # Errors
    /// [`gridwright_core::Error::Device`] if the device lacks memory or fails.
    pub fn new(
        mut runtime: M, prepared: &Prepared, parameters: &MemeticParameters, islands: &[usize], seed: u64,
        tuning: Tuning,
    ) -> Result<Self> {
        let (problems, unit) = (&prepared.0, prepared.1);
        let tables = Tables::new(problems);
        let orientations: Vec<u32> = islands.iter().map(|&one| one as u32).collect();
        let levels = AcceptanceTable::default();
        let (plant, individuals) = (tables.plant(problems), parameters.individuals);
        let annealer = Annealer::new(&mut runtime, &plant, &orientations, individuals, levels.levels(), tuning);
        let each = u64::from(STEP) * islands.len() as u64 * u64::from(individuals);
        let steps = (MOST_PROPOSALS / each.max(1)).clamp(1, 256) as usize;
        Ok(Self { runtime, annealer: annealer?, seed, unit, steps })
    }
}

impl<M: DeviceRuntime + Send> AnnealingBackend for DeviceAnnealing<M> {
    fn set_out(&mut self, walkers: &Walkers) -> Result<()> {
        let scores = flat(&walkers.scores);
        self.annealer
            .write(&mut self.runtime, &walkers.genes, &scores, &walkers.weights)
            .map_err(gridwright_core::Error::from)
    }

    fn walk(&mut self, first_step: u64, temperatures: &[f64]) -> Result<()> {
        let weights = [WEIGHTS.0 * self.unit, WEIGHTS.1 * self.unit];
        let mut first_step = first_step as u32;
        for temperatures in temperatures.chunks(self.steps) {
            let stage =
                AnnealingStage { first_step, temperatures, seed: self.seed, purpose: purposes::PROPOSAL, weights };
            self.annealer.anneal(&mut self.runtime, &stage)?;
            first_step += temperatures.len() as u32;
        }
        self.runtime.wait().map_err(gridwright_core::Error::from)
    }

    fn fetch(&mut self, walkers: &mut Walkers) -> Result<()> {
        let (genes, now, best_genes, best, weights) = self.annealer.fetch(&mut self.runtime)?;
        *walkers = Walkers { genes, scores: scores(&now), best_genes, best: scores(&best), weights };
        Ok(())
    }
}
