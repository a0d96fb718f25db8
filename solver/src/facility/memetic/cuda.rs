//! Legs of annealing on a device: half a warp for each individual.

use gridwright_kernels::Machine;
use gridwright_kernels::facility::{Leg, Tuning, Walkers as DeviceWalkers};

use super::cpu::WEIGHTS;
use super::search::{Prepared, Walk};
use super::{MemeticParameters, STEP};
use crate::Result;
use crate::facility::device::{Tables, device_error, flat, scores};
use crate::facility::population::{Walkers, purposes};
use crate::search::cooling::AcceptanceTable;

/// Proposals of a launch, at most: a desktop's GPU also draws its screen.
const MOST_PROPOSALS: u64 = 1 << 23;

/// Legs of annealing on a device.
pub struct DeviceWalk<M: Machine> {
    machine: M,
    walkers: DeviceWalkers,
    seed: u64,
    unit: f64,
    /// Steps of a launch.
    steps: usize,
}

impl<M: Machine> DeviceWalk<M> {
    /// Before anybody sets out.
    ///
    /// # Errors
    /// [`crate::Error::Device`] where the device cannot hold it.
    pub fn new(
        mut machine: M,
        prepared: &Prepared,
        parameters: &MemeticParameters,
        islands: &[usize],
        seed: u64,
        tuning: Tuning,
    ) -> Result<Self> {
        let (problems, unit) = (&prepared.0, prepared.1);
        let tables = Tables::new(problems);
        let orientations: Vec<u32> = islands.iter().map(|&one| one as u32).collect();
        let levels = AcceptanceTable::default();
        let (plant, individuals) = (tables.plant(problems), parameters.individuals);
        let walkers = DeviceWalkers::new(&mut machine, &plant, &orientations, individuals, levels.levels(), tuning);
        let each = u64::from(STEP) * islands.len() as u64 * u64::from(individuals);
        let steps = (MOST_PROPOSALS / each.max(1)).clamp(1, 256) as usize;
        Ok(Self { machine, walkers: walkers.map_err(device_error)?, seed, unit, steps })
    }
}

impl<M: Machine + Send> Walk for DeviceWalk<M> {
    fn set_out(&mut self, walkers: &Walkers) -> Result<()> {
        let scores = flat(&walkers.scores);
        self.walkers.set_out(&mut self.machine, &walkers.genes, &scores, &walkers.weights).map_err(device_error)
    }

    fn walk(&mut self, first_step: u64, temperatures: &[f64]) -> Result<()> {
        let weights = [WEIGHTS.0 * self.unit, WEIGHTS.1 * self.unit];
        let mut first_step = first_step as u32;
        for temperatures in temperatures.chunks(self.steps) {
            let leg = Leg { first_step, temperatures, seed: self.seed, purpose: purposes::PROPOSAL, weights };
            self.walkers.walk(&mut self.machine, &leg).map_err(device_error)?;
            first_step += temperatures.len() as u32;
        }
        self.machine.wait().map_err(device_error)
    }

    fn fetch(&mut self, walkers: &mut Walkers) -> Result<()> {
        let (genes, now, best_genes, best, weights) = self.walkers.fetch(&mut self.machine).map_err(device_error)?;
        *walkers = Walkers { genes, scores: scores(&now), best_genes, best: scores(&best), weights };
        Ok(())
    }
}
