//! A device that may be lost, and the CPU that goes on in its place with the same numbers.
//!
//! The host keeps the individuals as it read them last, at a snapshot, and everything that was asked for since; where the device
//! fails, the CPU takes over the individuals and does all that again.

use std::sync::{Arc, Mutex, PoisonError};

use super::evaluation::Score;
use super::genetic::cpu::CpuBreed;
use super::genetic::{Breed, Individuals, Summary};
use super::memetic::Walk;
use super::memetic::cpu::CpuWalk;
use super::population::Walkers;
use crate::{Error, Result};

/// What a person should be told of a run.
#[derive(Debug, Clone, Default)]
pub struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    /// Adds one.
    pub fn push(&self, note: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(note);
    }

    /// All of them.
    pub fn all(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn lost(&self, why: &Error, unit: &str, number: u64) {
        self.push(format!("{why}. From {unit} {number} on the CPU went on, with the same numbers"));
    }
}

/// Legs of annealing on a device, or on the CPU where that was lost.
pub struct SpareWalk<D: Walk> {
    /// `None` once it is lost.
    device: Option<D>,
    cpu: CpuWalk,
    known: Walkers,
    /// First step and temperatures of what was walked since `known`.
    since: Vec<(u64, Vec<f64>)>,
    notes: Notes,
}

impl<D: Walk> SpareWalk<D> {
    /// Before anybody sets out.
    pub fn new(device: D, cpu: CpuWalk, notes: Notes) -> Self {
        Self { device: Some(device), cpu, known: Walkers::default(), since: Vec::new(), notes }
    }

    fn leave(&mut self, why: &Error) -> Result<()> {
        self.device = None;
        self.notes.lost(why, "step", self.since.first().map_or(0, |(step, _)| *step));
        self.cpu.set_out(&self.known)?;
        for (first_step, temperatures) in self.since.drain(..) {
            self.cpu.walk(first_step, &temperatures)?;
        }
        Ok(())
    }
}

impl<D: Walk> Walk for SpareWalk<D> {
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
}

/// What changes individuals.
enum Change {
    Breed(u32, Vec<f64>),
    Migrate(Vec<[u32; 2]>),
}

impl Change {
    fn repeat(&self, breed: &mut impl Breed) -> Result<()> {
        match self {
            Self::Breed(generation, weights) => breed.breed(*generation, weights),
            Self::Migrate(moves) => breed.migrate(moves),
        }
    }
}

/// Generations on a device, or on the CPU where that was lost.
pub struct SpareBreed<D: Breed> {
    device: Option<D>,
    cpu: CpuBreed,
    known: Individuals,
    since: Vec<Change>,
    generation: u32,
    notes: Notes,
}

impl<D: Breed> SpareBreed<D> {
    /// Before the first generation.
    pub fn new(device: D, cpu: CpuBreed, notes: Notes) -> Self {
        Self { device: Some(device), cpu, known: Individuals::default(), since: Vec::new(), generation: 0, notes }
    }

    /// Asks the device, or the CPU where the device is or gets lost.
    fn ask<T>(
        &mut self,
        of_device: impl FnOnce(&mut D) -> Result<T>,
        of_cpu: impl FnOnce(&mut CpuBreed) -> Result<T>,
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
        self.notes.lost(why, "generation", self.generation.into());
        self.cpu.begin(&self.known)?;
        for change in self.since.drain(..) {
            change.repeat(&mut self.cpu)?;
        }
        Ok(())
    }
}

impl<D: Breed> Breed for SpareBreed<D> {
    fn begin(&mut self, individuals: &Individuals) -> Result<()> {
        self.known.clone_from(individuals);
        self.since.clear();
        self.ask(|device| device.begin(individuals), |cpu| cpu.begin(individuals))
    }

    fn breed(&mut self, generation: u32, weights: &[f64]) -> Result<()> {
        self.generation = generation;
        self.change(Change::Breed(generation, weights.to_vec()))
    }

    fn summaries(&mut self) -> Result<Vec<Summary>> {
        self.ask(Breed::summaries, Breed::summaries)
    }

    fn scores(&mut self) -> Result<Vec<Score>> {
        self.ask(Breed::scores, Breed::scores)
    }

    fn genes_of(&mut self, individual: usize, departments: usize) -> Result<Vec<u16>> {
        self.ask(|device| device.genes_of(individual, departments), |cpu| cpu.genes_of(individual, departments))
    }

    fn genes(&mut self) -> Result<Vec<u16>> {
        let genes = self.ask(Breed::genes, Breed::genes)?;
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facility::found::orientations;
    use crate::facility::genetic::{Genetic, GeneticParameters, first_individuals};
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

    impl Walk for Failing<CpuWalk> {
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

    impl Breed for Failing<CpuBreed> {
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

    fn digests(mut search: impl Epochs) -> Vec<u64> {
        (0..12)
            .map(|epoch| {
                search.advance(1 + epoch % 2).unwrap();
                search.snapshot().unwrap().digest
            })
            .collect()
    }

    #[test]
    fn where_a_device_is_lost_annealing_goes_on_with_the_same_numbers() {
        let instance = library::sample("layout-workshop").unwrap();
        let parameters =
            MemeticParameters { islands: 2, individuals: 2, generations: 2, leg: 2, interval: 1, ..Default::default() };
        let walk = |ready: &_| CpuWalk::new(ready, &parameters, vec![0, 1], 5, pool());
        let search = |walk: Box<dyn Walk>, ready| {
            digests(Memetic::new(walk, ready, &parameters, Cycles::new(&parameters, &[], None), None, None, 5).unwrap())
        };
        let ready = prepared(&instance, 5);
        let expected = search(Box::new(walk(&ready)), ready.clone());
        for calls_left in 0..24 {
            let (notes, inner) = (Notes::default(), walk(&ready));
            let spare = SpareWalk::new(Failing { inner, calls_left }, walk(&ready), notes.clone());
            assert_eq!(search(Box::new(spare), ready.clone()), expected, "{calls_left} calls");
            assert_eq!(notes.all().len(), 1);
        }
    }

    #[test]
    fn where_a_device_is_lost_generations_go_on_with_the_same_numbers() {
        let instance = library::sample("layout-workshop").unwrap();
        let parameters = GeneticParameters { islands: 2, individuals: 8, interval: 2, ..Default::default() };
        let islands = orientations(2, None);
        let (problems, unit) = prepared(&instance, 5);
        let first = first_individuals(&instance, &problems, &parameters, &islands, 5);
        let breed = || CpuBreed::new(Arc::clone(&problems), &parameters, islands.clone(), 5, pool());
        let search =
            |breed: Box<dyn Breed>| digests(Genetic::new(breed, &first, unit, &parameters, islands.clone()).unwrap());
        let expected = search(Box::new(breed()));
        for calls_left in 0..60 {
            let notes = Notes::default();
            let spare = SpareBreed::new(Failing { inner: breed(), calls_left }, breed(), notes.clone());
            assert_eq!(search(Box::new(spare)), expected, "{calls_left} calls");
            assert_eq!(notes.all().len(), 1);
        }
    }
}
