//! Both searches on a device that may be lost; see [`gridwright_core::search::failover`].

use super::evaluation::Score;
use super::genetic::cpu::CpuGenetic;
use super::genetic::{GeneticBackend, Individuals, Summary};
use super::memetic::cpu::CpuAnnealing;
use super::memetic::{AnnealingBackend, WalkerImprovement};
use super::population::Walkers;
use gridwright_core::Result;
use gridwright_core::backend::DeviceNote;
use gridwright_core::search::failover::{Failover, Restorable};

/// First step and temperatures of some steps of annealing.
type Steps = (u64, Vec<f64>);

/// Annealing on a device with failover to the CPU.
pub(crate) type FailoverAnnealing<D> = Failover<D, CpuAnnealing, Walkers, Steps>;

impl<B: AnnealingBackend> Restorable<B, Steps> for Walkers {
    fn restore(&self, backend: &mut B) -> Result<()> {
        backend.set_out(self)
    }

    fn repeat(backend: &mut B, (first_step, temperatures): &Steps) -> Result<()> {
        backend.walk(*first_step, temperatures)
    }
}

impl<D: AnnealingBackend> AnnealingBackend for FailoverAnnealing<D> {
    fn set_out(&mut self, walkers: &Walkers) -> Result<()> {
        self.start(walkers)
    }

    fn walk(&mut self, first_step: u64, temperatures: &[f64]) -> Result<()> {
        if self.is_unchanged() {
            self.at.1 = first_step;
        }
        self.change((first_step, temperatures.to_vec()))
    }

    fn fetch(&mut self, walkers: &mut Walkers) -> Result<()> {
        self.ask(walkers, |device, walkers| device.fetch(walkers), |cpu, walkers| cpu.fetch(walkers))?;
        self.keep(walkers);
        Ok(())
    }

    fn improvements(&mut self) -> Option<Vec<WalkerImprovement>> {
        self.ask(&mut (), |device, ()| Ok(device.improvements()), |cpu, ()| Ok(cpu.improvements())).ok().flatten()
    }

    fn device_notes(&self) -> Vec<DeviceNote> {
        Failover::device_notes(self)
    }
}

/// Change of the individuals of the genetic algorithm.
pub enum Change {
    /// Generation with this number and these weights.
    Generation(u32, Vec<f64>),
    /// Copies from individual to individual.
    Migration(Vec<[u32; 2]>),
}

/// Genetic algorithm on a device with failover to the CPU.
pub(crate) type FailoverGenetic<D> = Failover<D, CpuGenetic, Individuals, Change>;

impl<B: GeneticBackend> Restorable<B, Change> for Individuals {
    fn restore(&self, backend: &mut B) -> Result<()> {
        backend.begin(self)
    }

    fn repeat(backend: &mut B, change: &Change) -> Result<()> {
        match change {
            Change::Generation(generation, weights) => backend.breed(*generation, weights),
            Change::Migration(moves) => backend.migrate(moves),
        }
    }
}

impl<D: GeneticBackend> GeneticBackend for FailoverGenetic<D> {
    fn begin(&mut self, individuals: &Individuals) -> Result<()> {
        self.start(individuals)
    }

    fn breed(&mut self, generation: u32, weights: &[f64]) -> Result<()> {
        self.at.1 = generation.into();
        self.change(Change::Generation(generation, weights.to_vec()))
    }

    fn summaries(&mut self) -> Result<Vec<Summary>> {
        self.ask(&mut (), |device, ()| device.summaries(), |cpu, ()| cpu.summaries())
    }

    fn scores(&mut self) -> Result<Vec<Score>> {
        self.ask(&mut (), |device, ()| device.scores(), |cpu, ()| cpu.scores())
    }

    fn genes_of(&mut self, individual: usize, departments: usize) -> Result<Vec<u16>> {
        self.ask(
            &mut (),
            |device, ()| device.genes_of(individual, departments),
            |cpu, ()| cpu.genes_of(individual, departments),
        )
    }

    fn genes(&mut self) -> Result<Vec<u16>> {
        let genes = self.ask(&mut (), |device, ()| device.genes(), |cpu, ()| cpu.genes())?;
        if self.is_on_device() {
            let scores = self.scores()?;
            self.keep(&Individuals { genes: genes.clone(), scores });
        }
        Ok(genes)
    }

    fn migrate(&mut self, moves: &[[u32; 2]]) -> Result<()> {
        self.change(Change::Migration(moves.to_vec()))
    }

    fn device_notes(&self) -> Vec<DeviceNote> {
        Failover::device_notes(self)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::genetic::{Genetic, GeneticParameters, first_individuals};
    use crate::islands::orientations;
    use crate::library;
    use crate::memetic::{Cycles, Memetic, MemeticParameters, prepared};
    use gridwright_core::Error;
    use gridwright_core::search::Construction;
    use gridwright_core::search::Epochs;

    /// A device that breaks off at a call.
    struct Failing<T> {
        inner: T,
        calls_left: u32,
    }

    impl<T> Failing<T> {
        fn call(&mut self) -> Result<&mut T> {
            let lost = || Error::Device("the device was lost".to_owned());
            self.calls_left = self.calls_left.checked_sub(1).ok_or_else(lost)?;
            Ok(&mut self.inner)
        }
    }

    impl AnnealingBackend for Failing<CpuAnnealing> {
        fn set_out(&mut self, walkers: &Walkers) -> Result<()> {
            self.call()?.set_out(walkers)
        }

        fn walk(&mut self, first_step: u64, temperatures: &[f64]) -> Result<()> {
            self.call()?.walk(first_step, temperatures)
        }

        fn fetch(&mut self, walkers: &mut Walkers) -> Result<()> {
            self.call()?.fetch(walkers)
        }
    }

    impl GeneticBackend for Failing<CpuGenetic> {
        fn begin(&mut self, individuals: &Individuals) -> Result<()> {
            self.call()?.begin(individuals)
        }

        fn breed(&mut self, generation: u32, weights: &[f64]) -> Result<()> {
            self.call()?.breed(generation, weights)
        }

        fn summaries(&mut self) -> Result<Vec<Summary>> {
            self.call()?.summaries()
        }

        fn scores(&mut self) -> Result<Vec<Score>> {
            self.call()?.scores()
        }

        fn genes_of(&mut self, individual: usize, departments: usize) -> Result<Vec<u16>> {
            self.call()?.genes_of(individual, departments)
        }

        fn genes(&mut self) -> Result<Vec<u16>> {
            self.call()?.genes()
        }

        fn migrate(&mut self, moves: &[[u32; 2]]) -> Result<()> {
            self.call()?.migrate(moves)
        }
    }

    fn pool() -> Arc<rayon::ThreadPool> {
        Arc::new(rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap())
    }

    /// Digests of some epochs, and the number of notes.
    fn digests(mut search: impl Epochs) -> (Vec<u64>, usize) {
        let digests = (0..12).map(|epoch| {
            search.advance(1 + epoch % 2).unwrap();
            search.snapshot().unwrap().digest
        });
        let digests = digests.collect();
        (digests, search.device_notes().len())
    }

    #[test]
    fn where_a_device_is_lost_annealing_goes_on_with_the_same_numbers() {
        let instance = library::sample("layout-workshop").unwrap();
        let parameters =
            MemeticParameters { islands: 2, individuals: 2, generations: 2, leg: 2, interval: 1, ..Default::default() };
        let walk = |ready: &_| CpuAnnealing::new(ready, &parameters, vec![0, 1], 5, pool());
        let cycles = || Cycles::new(&parameters, &[], None);
        let ready = prepared(&instance, 5);
        let expected = Memetic::new(walk(&ready), ready.clone(), &parameters, cycles(), None, None, 5);
        let expected = digests(expected.unwrap());
        for calls_left in 0..24 {
            let failover = Failover::new(Some(Failing { inner: walk(&ready), calls_left }), walk(&ready), "step");
            let search = Memetic::new(failover, ready.clone(), &parameters, cycles(), None, None, 5);
            assert_eq!(digests(search.unwrap()), (expected.0.clone(), 1), "{calls_left} calls");
        }
    }

    #[test]
    fn where_a_device_is_lost_generations_go_on_with_the_same_numbers() {
        let instance = library::sample("layout-workshop").unwrap();
        let parameters = GeneticParameters { islands: 2, individuals: 8, interval: 2, ..Default::default() };
        let islands = orientations(2, None);
        let (problems, unit) = prepared(&instance, 5);
        let first =
            first_individuals(&instance, &problems, &parameters, &islands, 5, &pool(), &Construction::unlimited());
        let breed = || CpuGenetic::new(Arc::clone(&problems), &parameters, islands.clone(), 5, pool());
        let expected = Genetic::new(breed(), &first, unit, &parameters, islands.clone());
        let expected = digests(expected.unwrap());
        for calls_left in 0..60 {
            let failover = Failover::new(Some(Failing { inner: breed(), calls_left }), breed(), "generation");
            let search = Genetic::new(failover, &first, unit, &parameters, islands.clone());
            assert_eq!(digests(search.unwrap()), (expected.0.clone(), 1), "{calls_left} calls");
        }
    }
}
