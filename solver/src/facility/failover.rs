//! A device that may be lost, and the CPU that goes on in its place with the same numbers.
//!
//! The host keeps the individuals as it read them last, at a snapshot, and everything that was asked for since; where the device
//! fails, the CPU takes over the individuals and does all that again.

use super::evaluation::Score;
use super::genetic::cpu::CpuGenetic;
use super::genetic::{GeneticBackend, Individuals, Summary};
use super::memetic::AnnealingBackend;
use super::memetic::cpu::CpuAnnealing;
use super::population::Walkers;
use crate::backend::continued_on_cpu;
use crate::{Error, Result};

/// Legs of annealing on a device, or on the CPU where that was lost.
pub struct FailoverAnnealing<D: AnnealingBackend> {
    /// `None` once it is lost.
    device: Option<D>,
    cpu: CpuAnnealing,
    known: Walkers,
    /// First step and temperatures of what was walked since `known`.
    since: Vec<(u64, Vec<f64>)>,
    note: Option<String>,
}

impl<D: AnnealingBackend> FailoverAnnealing<D> {
    /// Before anybody sets out.
    pub fn new(device: D, cpu: CpuAnnealing) -> Self {
        Self { device: Some(device), cpu, known: Walkers::default(), since: Vec::new(), note: None }
    }

    fn leave(&mut self, why: &Error) -> Result<()> {
        self.device = None;
        self.note = Some(continued_on_cpu(why, "step", self.since.first().map_or(0, |(step, _)| *step)));
        self.cpu.set_out(&self.known)?;
        for (first_step, temperatures) in self.since.drain(..) {
            self.cpu.walk(first_step, &temperatures)?;
        }
        Ok(())
    }
}

impl<D: AnnealingBackend> AnnealingBackend for FailoverAnnealing<D> {
    fn set_out(&mut self, walkers: &Walkers) -> Result<()> {
        let Some(device) = &mut self.device else { return self.cpu.set_out(walkers) };
        let done = device.set_out(walkers);
        self.known.clone_from(walkers);
        self.since.clear();
        done.or_else(|why| self.leave(&why))
    }

    fn walk(&mut self, first_step: u64, temperatures: &[f64]) -> Result<()> {
        let Some(device) = &mut self.device else { return self.cpu.walk(first_step, temperatures) };
        let done = device.walk(first_step, temperatures);
        self.since.push((first_step, temperatures.to_vec()));
        done.or_else(|why| self.leave(&why))
    }

    fn fetch(&mut self, walkers: &mut Walkers) -> Result<()> {
        if let Some(device) = &mut self.device {
            match device.fetch(walkers) {
                Ok(()) => {
                    self.known.clone_from(walkers);
                    self.since.clear();
                    return Ok(());
                }
                Err(why) => self.leave(&why)?,
            }
        }
        self.cpu.fetch(walkers)
    }

    fn notes(&self) -> Vec<String> {
        Vec::from_iter(self.note.clone())
    }
}

/// What changes individuals.
enum Change {
    Generation(u32, Vec<f64>),
    Migrate(Vec<[u32; 2]>),
}

impl Change {
    fn repeat(&self, breed: &mut impl GeneticBackend) -> Result<()> {
        match self {
            Self::Generation(generation, weights) => breed.breed(*generation, weights),
            Self::Migrate(moves) => breed.migrate(moves),
        }
    }
}

/// Generations on a device, or on the CPU where that was lost.
pub struct FailoverGenetic<D: GeneticBackend> {
    device: Option<D>,
    cpu: CpuGenetic,
    known: Individuals,
    since: Vec<Change>,
    generation: u32,
    note: Option<String>,
}

impl<D: GeneticBackend> FailoverGenetic<D> {
    /// Before the first generation.
    pub fn new(device: D, cpu: CpuGenetic) -> Self {
        Self { device: Some(device), cpu, known: Individuals::default(), since: Vec::new(), generation: 0, note: None }
    }

    /// Asks the device, or the CPU where the device is or gets lost.
    fn ask<T>(
        &mut self,
        of_device: impl FnOnce(&mut D) -> Result<T>,
        of_cpu: impl FnOnce(&mut CpuGenetic) -> Result<T>,
    ) -> Result<T> {
        if let Some(device) = &mut self.device {
            match of_device(device) {
                Ok(answer) => return Ok(answer),
                Err(why) => self.leave(&why)?,
            }
        }
        of_cpu(&mut self.cpu)
    }

    fn change(&mut self, change: Change) -> Result<()> {
        let Some(device) = &mut self.device else { return change.repeat(&mut self.cpu) };
        let done = change.repeat(device);
        self.since.push(change);
        done.or_else(|why| self.leave(&why))
    }

    fn leave(&mut self, why: &Error) -> Result<()> {
        self.device = None;
        self.note = Some(continued_on_cpu(why, "generation", self.generation.into()));
        self.cpu.begin(&self.known)?;
        for change in self.since.drain(..) {
            change.repeat(&mut self.cpu)?;
        }
        Ok(())
    }
}

impl<D: GeneticBackend> GeneticBackend for FailoverGenetic<D> {
    fn begin(&mut self, individuals: &Individuals) -> Result<()> {
        self.known.clone_from(individuals);
        self.since.clear();
        self.ask(|device| device.begin(individuals), |cpu| cpu.begin(individuals))
    }

    fn breed(&mut self, generation: u32, weights: &[f64]) -> Result<()> {
        self.generation = generation;
        self.change(Change::Generation(generation, weights.to_vec()))
    }

    fn summaries(&mut self) -> Result<Vec<Summary>> {
        self.ask(GeneticBackend::summaries, GeneticBackend::summaries)
    }

    fn scores(&mut self) -> Result<Vec<Score>> {
        self.ask(GeneticBackend::scores, GeneticBackend::scores)
    }

    fn genes_of(&mut self, individual: usize, departments: usize) -> Result<Vec<u16>> {
        self.ask(|device| device.genes_of(individual, departments), |cpu| cpu.genes_of(individual, departments))
    }

    fn genes(&mut self) -> Result<Vec<u16>> {
        let genes = self.ask(GeneticBackend::genes, GeneticBackend::genes)?;
        if self.device.is_some() {
            let scores = self.scores()?;
            if self.device.is_some() {
                self.known = Individuals { genes: genes.clone(), scores };
                self.since.clear();
            }
        }
        Ok(genes)
    }

    fn migrate(&mut self, moves: &[[u32; 2]]) -> Result<()> {
        self.change(Change::Migrate(moves.to_vec()))
    }

    fn notes(&self) -> Vec<String> {
        Vec::from_iter(self.note.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::facility::genetic::{Genetic, GeneticParameters, first_individuals};
    use crate::facility::islands::orientations;
    use crate::facility::library;
    use crate::facility::memetic::{Cycles, Memetic, MemeticParameters, prepared};
    use crate::search::Epochs;

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
        (digests, search.notes().len())
    }

    #[test]
    fn where_a_device_is_lost_annealing_goes_on_with_the_same_numbers() {
        let instance = library::sample("layout-workshop").unwrap();
        let parameters =
            MemeticParameters { islands: 2, individuals: 2, generations: 2, leg: 2, interval: 1, ..Default::default() };
        let walk = |ready: &_| CpuAnnealing::new(ready, &parameters, vec![0, 1], 5, pool());
        let search = |walk: Box<dyn AnnealingBackend>, ready| {
            digests(Memetic::new(walk, ready, &parameters, Cycles::new(&parameters, &[], None), None, None, 5).unwrap())
        };
        let ready = prepared(&instance, 5);
        let expected = search(Box::new(walk(&ready)), ready.clone());
        for calls_left in 0..24 {
            let failover = FailoverAnnealing::new(Failing { inner: walk(&ready), calls_left }, walk(&ready));
            assert_eq!(search(Box::new(failover), ready.clone()), (expected.0.clone(), 1), "{calls_left} calls");
        }
    }

    #[test]
    fn where_a_device_is_lost_generations_go_on_with_the_same_numbers() {
        let instance = library::sample("layout-workshop").unwrap();
        let parameters = GeneticParameters { islands: 2, individuals: 8, interval: 2, ..Default::default() };
        let islands = orientations(2, None);
        let (problems, unit) = prepared(&instance, 5);
        let first = first_individuals(&instance, &problems, &parameters, &islands, 5);
        let breed = || CpuGenetic::new(Arc::clone(&problems), &parameters, islands.clone(), 5, pool());
        let search = |breed: Box<dyn GeneticBackend>| {
            digests(Genetic::new(breed, &first, unit, &parameters, islands.clone()).unwrap())
        };
        let expected = search(Box::new(breed()));
        for calls_left in 0..60 {
            let failover = FailoverGenetic::new(Failing { inner: breed(), calls_left }, breed());
            assert_eq!(search(Box::new(failover)), (expected.0.clone(), 1), "{calls_left} calls");
        }
    }
}
