//! CUDA backend of the genetic algorithm: half a warp per child.

use gridwright_kernels::DeviceRuntime;
use gridwright_kernels::facility::{Breeding, Individuals as DeviceIndividuals, Tuning};

use super::GeneticParameters;
use super::search::{GeneticBackend, Individuals, Summary};
use crate::Orientation;
use crate::device::{Tables, flat, scores};
use crate::evaluation::{Problem, Score};
use crate::population::purposes;
use gridwright_core::Result;
use gridwright_core::random::threshold;

/// CUDA backend of the genetic algorithm.
pub struct DeviceGenetic<M: DeviceRuntime> {
    runtime: M,
    individuals: DeviceIndividuals,
}

impl<M: DeviceRuntime> DeviceGenetic<M> {
    /// Allocates the device memory and uploads the instance.
    ///
    /// # Errors
    /// [`gridwright_core::Error::Device`] if the device lacks memory or fails.
    pub fn new(
        mut runtime: M, problems: &[Problem], parameters: &GeneticParameters, orientations: &[Orientation], seed: u64,
        tuning: Tuning,
    ) -> Result<Self> {
        let tables = Tables::new(problems);
        let islands: Vec<u32> = orientations.iter().map(|&one| one as u32).collect();
        let breeding = Breeding {
            crossover: threshold(parameters.crossover),
            mutation: threshold(parameters.mutation),
            tournament: parameters.tournament,
            seeding: parameters.seeding as u32,
            purposes: [purposes::TOURNAMENT, purposes::VARIATION],
            seed,
        };
        let plant = tables.plant(problems);
        let individuals =
            DeviceIndividuals::new(&mut runtime, &plant, &islands, parameters.individuals, breeding, tuning);
        Ok(Self { runtime, individuals: individuals? })
    }
}

impl<M: DeviceRuntime + Send> GeneticBackend for DeviceGenetic<M> {
    fn begin(&mut self, individuals: &Individuals) -> Result<()> {
        let Individuals { genes, scores } = individuals;
        self.individuals.begin(&mut self.runtime, genes, &flat(scores)).map_err(gridwright_core::Error::from)
    }

    fn breed(&mut self, generation: u32, weights: &[f64]) -> Result<()> {
        self.individuals.breed(&mut self.runtime, generation, weights).map_err(gridwright_core::Error::from)
    }

    fn summaries(&mut self) -> Result<Vec<Summary>> {
        let found = self.individuals.summaries(&mut self.runtime)?;
        let summary = |one: gridwright_kernels::facility::Summary| Summary {
            best: Score { violation: one.best[0], cost: one.best[1] },
            individual: one.individual as usize,
            feasible: one.feasible as usize,
        };
        Ok(found.into_iter().map(summary).collect())
    }

    fn scores(&mut self) -> Result<Vec<Score>> {
        self.individuals.scores(&mut self.runtime).map(|flat| scores(&flat)).map_err(gridwright_core::Error::from)
    }

    fn genes_of(&mut self, individual: usize, _departments: usize) -> Result<Vec<u16>> {
        self.individuals.genes_of(&mut self.runtime, individual as u32).map_err(gridwright_core::Error::from)
    }

    fn genes(&mut self) -> Result<Vec<u16>> {
        self.individuals.genes(&mut self.runtime).map_err(gridwright_core::Error::from)
    }

    fn migrate(&mut self, moves: &[[u32; 2]]) -> Result<()> {
        self.individuals.migrate(&mut self.runtime, moves).map_err(gridwright_core::Error::from)
    }
}
