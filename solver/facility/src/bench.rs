//! Benchmarks: evaluated layouts per second on every device, and repeated comparisons of tournaments.

pub(crate) mod holding;

use std::sync::Arc;
use std::time::Instant;

use gridwright_kernels::DeviceRuntime;
use gridwright_kernels::facility::Tuning;

use super::Instance;
use super::genetic::cpu::CpuGenetic;
use super::genetic::cuda::DeviceGenetic;
use super::genetic::{self, Genetic, GeneticParameters, Operators, Seeding, first_individuals};
use super::islands::{BestLayout, orientations};
use super::memetic::cpu::CpuAnnealing;
use super::memetic::cuda::DeviceAnnealing;
use super::memetic::{Cycles, Memetic, MemeticParameters, prepared};
use gridwright_core::backend::{self, Opening, openings};
use gridwright_core::search::report::Report;
use gridwright_core::search::{Construction, Epochs};
use gridwright_core::{Error, Result};

/// Instances of the benchmark.
pub(crate) const INSTANCES: [&str; 3] = ["layout:F40", "layout:F80", "layout:F120"];

/// Islands and individuals of the published algorithm in the benchmark, the largest of the paper.
const POPULATION: [u32; 2] = [256, 1_024];

/// Extent of a benchmark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Time limit of each measurement on the CPU in seconds.
    pub seconds: f64,
    /// Generations or steps on a device.
    pub on_device: u32,
    /// Islands and individuals per island of the published algorithm.
    pub population: [u32; 2],
    /// Islands of the memetic algorithm.
    pub islands: u32,
}

/// Measures layouts per second of the genetic and the memetic algorithm on the CPU and all CUDA devices; `tell`
/// receives progress lines.
///
/// # Errors
/// As [`measure`]; [`Error::Device`] if a present device cannot be opened.
pub fn stages(instances: &[Instance], threads: usize, seconds: f64, tell: &mut dyn FnMut(&str)) -> Result<Report> {
    let (mut devices, notes) = openings()?;
    let effort = Effort { seconds, on_device: 128, population: POPULATION, islands: 512 };
    let mut report = measure(instances, threads, &mut devices, effort, tell)?;
    report.notes.extend(notes);
    Ok(report)
}

/// Search of either algorithm.
type Search = Box<dyn Epochs<Solution = BestLayout>>;

/// Algorithm with its parameters.
#[derive(Debug, Clone)]
enum Kind {
    Published(GeneticParameters),
    Memetic(MemeticParameters),
}

impl Kind {
    fn name(&self) -> String {
        match self {
            Self::Published(parameters) => format!("published, {} × {}", parameters.islands, parameters.individuals),
            Self::Memetic(parameters) => format!("memetic, {} × {}", parameters.islands, parameters.individuals),
        }
    }

    /// Layouts evaluated per generation or step.
    fn each(&self) -> u64 {
        match self {
            Self::Published(parameters) => u64::from(parameters.islands) * u64::from(parameters.individuals),
            Self::Memetic(parameters) => {
                u64::from(parameters.islands) * u64::from(parameters.individuals) * u64::from(super::memetic::STEP)
            }
        }
    }

    /// Starts the search on the CPU with these threads.
    fn on_cpu(&self, instance: &Instance, seed: u64, threads: Arc<rayon::ThreadPool>) -> Result<Search> {
        self.search::<gridwright_kernels::SharedCuda>(instance, seed, Place::Cpu(threads))
    }

    /// Starts the search at a place.
    fn search<M: DeviceRuntime + Send + 'static>(
        &self, instance: &Instance, seed: u64, place: Place<M>,
    ) -> Result<Search> {
        let (ready, tuning) = (prepared(instance, seed), Tuning::default());
        match self {
            Self::Published(parameters) => {
                let (problems, unit) = ready;
                let islands = orientations(parameters.islands as usize, None);
                let (threads, whole) = (gridwright_core::backend::thread_pool(0)?, Construction::unlimited());
                let first = first_individuals(instance, &problems, parameters, &islands, seed, &threads, &whole);
                Ok(match place {
                    Place::Cpu(threads) => {
                        let backend = CpuGenetic::new(problems, parameters, islands.clone(), seed, threads);
                        Box::new(Genetic::new(backend, &first, unit, parameters, islands)?)
                    }
                    Place::Device(runtime) => {
                        let backend = DeviceGenetic::new(runtime, &problems, parameters, &islands, seed, tuning)?;
                        Box::new(Genetic::new(backend, &first, unit, parameters, islands)?)
                    }
                })
            }
            Self::Memetic(parameters) => {
                let islands = orientations(parameters.islands as usize, None);
                let islands: Vec<usize> = islands.into_iter().map(|orientation| orientation as usize).collect();
                let cycles = Cycles::new(parameters, &[], None);
                Ok(match place {
                    Place::Cpu(threads) => {
                        let walk = CpuAnnealing::new(&ready, parameters, islands, seed, threads);
                        Box::new(Memetic::new(walk, ready, parameters, cycles, None, None, seed)?)
                    }
                    Place::Device(runtime) => {
                        let walk = DeviceAnnealing::new(runtime, &ready, parameters, &islands, seed, tuning)?;
                        Box::new(Memetic::new(walk, ready, parameters, cycles, None, None, seed)?)
                    }
                })
            }
        }
    }
}

/// Place where a search computes.
enum Place<M> {
    /// CPU with these threads.
    Cpu(Arc<rayon::ThreadPool>),
    /// Opened device.
    Device(M),
}

/// Measures on the CPU and the given devices; a device must reach the state of the CPU after the same number of steps.
///
/// # Errors
/// [`Error::Search`] if a device deviates from the CPU; [`Error::Device`] if a device fails.
pub fn measure<M: DeviceRuntime + Send + 'static>(
    instances: &[Instance], threads: usize, devices: &mut [Opening<'_, M>], effort: Effort, tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let columns = [
        "instance", "algorithm", "computed on", "generations or steps", "seconds", "10⁶ layouts/s",
        "against one thread", "against all threads",
    ];
    let mut report = Report::new("Layouts with flexible bays, seed 1", &columns);
    let [islands, individuals] = effort.population;
    let kinds = [
        Kind::Published(GeneticParameters { islands, individuals, ..GeneticParameters::default() }),
        Kind::Memetic(MemeticParameters {
            islands: effort.islands,
            individuals: 8,
            leg: 64,
            ..MemeticParameters::default()
        }),
    ];
    for instance in instances {
        for kind in &kinds {
            tell(&format!("{}, {}", instance.name, kind.name()));
            let mut speeds: Vec<f64> = Vec::new();
            let mut row = |on: String, steps: u32, seconds: f64, report: &mut Report| {
                let speed = kind.each() as f64 * f64::from(steps) / seconds.max(1e-9) / 1e6;
                let against =
                    |at: usize| speeds.get(at).map_or(String::new(), |before| format!("{:.1}", speed / before));
                let (steps, seconds) = (steps.to_string(), format!("{seconds:.3}"));
                let (one, all) = (against(0), against(1));
                let cells = [instance.name.clone(), kind.name(), on, steps, seconds, format!("{speed:.2}"), one, all];
                report.rows.push(cells.to_vec());
                speeds.push(speed);
            };
            let mut digest = (0, 0);
            let counts: &[usize] = if threads > 1 { &[1, threads] } else { &[1] };
            for &count in counts {
                let mut search = kind.on_cpu(instance, 1, backend::thread_pool(count)?)?;
                let (steps, seconds) = timed(&mut *search, u32::MAX, effort.seconds)?;
                row(format!("CPU, {count} threads"), steps, seconds, &mut report);
                digest = (steps, search.snapshot()?.digest);
            }
            for device in &mut *devices {
                let mut search = kind.search(instance, 1, Place::Device((device.open)()))?;
                let steps = digest.0.min(effort.on_device);
                search.advance(digest.0)?;
                if search.snapshot()?.digest != digest.1 {
                    let what =
                        format!("{}: {} has another state than the CPU, which is a fault", instance.name, device.name);
                    return Err(Error::Search(what));
                }
                let (steps, seconds) = timed(&mut *search, effort.on_device.max(steps), f64::INFINITY)?;
                row(device.name.clone(), steps, seconds, &mut report);
            }
        }
    }
    let what =
        "Every device has the same state as the CPU, to the bit, after as many generations or steps as the CPU did.";
    report.notes.push(what.to_owned());
    Ok(report)
}

/// Counts repeated comparisons in one generation of one island, with a fixed pseudo-random order of merit.
pub fn repeats() -> Report {
    let columns = ["individuals of a tournament", "seeding", "comparisons", "repeated", "repeated, %"];
    let mut report = Report::new("Repeated comparisons in a generation", &columns);
    let individuals = 128;
    for tournament in [2, 3, 4, 8] {
        for seeding in Seeding::ALL {
            let parameters = GeneticParameters { individuals, seeding, tournament, ..GeneticParameters::default() };
            // The individual's number times a large odd constant serves as its value.
            let worth = |index: u32| f64::from(index.wrapping_mul(0x9E37_79B9));
            let counted = genetic::repeats(&Operators::new(&parameters, 1), 1, 0, worth);
            report.rows.push(vec![
                tournament.to_string(),
                seeding.name().to_owned(),
                counted.comparisons.to_string(),
                counted.repeated.to_string(),
                format!("{:.1}", 100.0 * counted.repeated as f64 / counted.comparisons as f64),
            ]);
        }
    }
    report.notes.push(format!("One island of {individuals} individuals, each of which takes two tournaments."));
    report
}

/// Advances until `most` steps or `limit` seconds; returns steps and seconds.
fn timed(search: &mut dyn Epochs<Solution = BestLayout>, most: u32, limit: f64) -> Result<(u32, f64)> {
    let (began, mut done) = (Instant::now(), 0);
    while done < most && (done == 0 || began.elapsed().as_secs_f64() < limit) {
        let steps = if limit.is_finite() { 1 } else { most - done };
        search.advance(steps)?;
        done += steps;
    }
    Ok((done, began.elapsed().as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    #[test]
    fn every_algorithm_is_measured_on_every_number_of_threads() {
        let instance = library::sample("layout-workshop").unwrap();
        let effort = Effort { seconds: 0.0, on_device: 1, population: [2, 8], islands: 2 };
        let none: &mut [Opening<'_, gridwright_kernels::SharedCuda>] = &mut [];
        let report = measure(&[instance], 2, none, effort, &mut |_| {}).unwrap();
        let on: Vec<&str> = report.rows.iter().map(|row| row[2].as_str()).collect();
        assert_eq!(on, ["CPU, 1 threads", "CPU, 2 threads", "CPU, 1 threads", "CPU, 2 threads"]);
        // A busy machine may take so long for the few layouts that their rate is rounded to nothing.
        assert!(report.rows.iter().all(|row| row[3] == "1" && row[5].parse::<f64>().is_ok_and(|rate| rate >= 0.0)));
    }

    #[test]
    fn threads_with_one_sequence_repeat_most() {
        let report = repeats();
        let repeated = |tournament: &str, seeding: Seeding| -> f64 {
            let row = report.rows.iter().find(|row| row[0] == tournament && row[1] == seeding.name());
            row.expect("a row for every size and seeding")[4].parse().expect("a share")
        };
        for tournament in ["3", "4", "8"] {
            assert!(repeated(tournament, Seeding::Shared) > 2.0 * repeated(tournament, Seeding::Own), "{tournament}");
        }
        assert_eq!(report.rows.len(), 12);
    }
}
