//! Benchmark of iterated greedy: insertion positions evaluated per second by instance size, on one CPU thread, on all
//! threads and on each device.

use std::time::Instant;

use gridwright_kernels::DeviceRuntime;
use gridwright_kernels::greedy::Tuning;

use crate::greedy::IteratedGreedyParameters;
use crate::greedy::cpu::CpuGreedy;
use crate::greedy::cuda::{CudaGreedy, epoch, resolve};
use crate::greedy::population::GreedyInputs;
use crate::multiobjective::Goal;
use crate::{Instance, Objective};
use gridwright_core::backend::{self, Opening, openings};
use gridwright_core::numbers::counted;
use gridwright_core::search::failover::FailoverSearch;
use gridwright_core::search::report::Report;
use gridwright_core::search::{Control, Epochs};
use gridwright_core::{Error, Result};

/// Steps and chains of the runs that are compared for equality.
const COMPARED: (u32, u32) = (3, 3);

#[derive(Debug, Clone)]
pub(crate) struct Effort {
    /// Shortest duration of a measurement in seconds.
    pub seconds: f64,
    /// Parameters of the search; automatic chains are one per thread on the CPU and the device's own choice on a GPU.
    pub parameters: IteratedGreedyParameters,
    /// Warps per chain on a device; 0 for the automatic choice and for 1, 2, 4 and 8 warps.
    pub warps: u32,
}

/// Measures this machine's CPU and CUDA devices.
///
/// # Errors
/// See [`measure`]; [`Error::Device`] if a device cannot be opened.
pub(crate) fn insertion(
    instances: &[Instance], objective: Objective, threads: usize, effort: &Effort, tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let (mut devices, notes) = openings()?;
    let mut report = measure(instances, objective, threads, &mut devices, effort, tell)?;
    report.notes.extend(notes);
    Ok(report)
}

/// Measures the CPU with one and with `threads` threads, and the given devices.
///
/// # Errors
/// [`Error::Usage`] if the objective needs due dates and there are none; [`Error::Search`] if two backends differ;
/// errors of a device.
pub(crate) fn measure<M: DeviceRuntime>(
    instances: &[Instance], objective: Objective, threads: usize, devices: &mut [Opening<'_, M>], effort: &Effort,
    tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let columns = ["jobs × machines", "computed on", "chains", "steps of each", "10⁶ places/s", "ms a step of a chain"];
    let title = format!("Iterated greedy: places for a job, {}", objective.label().to_lowercase());
    let mut report = Report::new(title, &columns);
    for instance in instances {
        Goal::One(objective).check(instance)?;
        let parameters = effort.parameters.resolved(instance, objective);
        let mut case = Case { instance, objective, effort, parameters, expected: 0, report: &mut report };
        for count in super::thread_counts(threads) {
            tell(&format!("{}, {count} threads", instance.name));
            case.on_cpu(count)?;
        }
        for device in devices.iter_mut() {
            tell(&format!("{}, {}", instance.name, device.name));
            case.on_device(device)?;
        }
    }
    report.notes.push(
        "A place is an insertion neighbour: one removed job in one position. Places evaluated ahead in vain are not \
         counted. All backends and numbers of threads give the same result."
            .to_owned(),
    );
    Ok(report)
}

struct Case<'a> {
    instance: &'a Instance,
    objective: Objective,
    effort: &'a Effort,
    parameters: IteratedGreedyParameters,
    /// Digest of the run on one thread.
    expected: u64,
    report: &'a mut Report,
}

impl Case<'_> {
    /// The parameters with `chains` chains, unless the number was chosen by the user.
    fn with(&self, chains: u32) -> IteratedGreedyParameters {
        let chosen = self.parameters.chains;
        IteratedGreedyParameters { chains: if chosen == 0 { chains } else { chosen }, ..self.parameters.clone() }
    }

    fn begin<'b>(&'b self, parameters: &'b IteratedGreedyParameters) -> GreedyInputs<'b> {
        GreedyInputs { instance: self.instance, objective: self.objective, parameters, start: None, seed: 1 }
    }

    fn cpu(&self, parameters: &IteratedGreedyParameters, threads: usize) -> Result<CpuGreedy> {
        let pool = backend::thread_pool(threads)?;
        Ok(CpuGreedy::new(self.instance, self.objective, parameters, None, 1, pool))
    }

    fn on_cpu(&mut self, threads: usize) -> Result<()> {
        let (steps, chains) = COMPARED;
        let compared = IteratedGreedyParameters { chains, ..self.parameters.clone() };
        let found = digest(&mut self.cpu(&compared, threads)?, steps)?;
        if threads == 1 {
            self.expected = found;
        }
        self.same(found, "another number of threads")?;
        let parameters = self.with(threads as u32);
        let search = self.cpu(&parameters, threads)?;
        self.row(format!("CPU, {}", counted(threads, "thread")), search, parameters.chains, 1)
    }

    fn on_device<M: DeviceRuntime>(&mut self, device: &mut Opening<'_, M>) -> Result<()> {
        let (steps, chains) = COMPARED;
        let mut parameters = self.parameters.clone();
        resolve(&mut (device.open)(), self.instance, self.objective, &mut parameters)?;
        let compared = IteratedGreedyParameters { chains, ..self.parameters.clone() };
        let mut all = if self.effort.warps == 0 { vec![0, 1, 2, 4, 8] } else { vec![self.effort.warps] };
        all.retain(|&warps| warps as usize * 32 < self.instance.job_count() + 32 || warps <= 1);
        for warps in all {
            let tuning = Tuning { warps, global: false };
            let threads = backend::thread_pool(1)?;
            let search = CudaGreedy::new(&self.begin(&compared), threads, (device.open)(), tuning)?;
            let mut search = FailoverSearch::new(search, Control::new());
            let found = digest(&mut search, steps)?;
            if let Some(note) = search.device_notes().first() {
                return Err(Error::Device(note.to_string()));
            }
            self.same(found, &device.name)?;
            drop(search);
            let threads = backend::thread_pool(1)?;
            let search = CudaGreedy::new(&self.begin(&parameters), threads, (device.open)(), tuning)?;
            let layout = search.layout();
            let chosen = if warps == 0 { " (chosen)" } else { "" };
            let on = format!("{}, {}, {} warps{chosen}", device.name, layout.kernel, layout.warps);
            let epoch = epoch(self.instance, self.objective, parameters.chains);
            self.row(on, FailoverSearch::new(search, Control::new()), parameters.chains, epoch)?;
        }
        Ok(())
    }

    fn same(&self, found: u64, on: &str) -> Result<()> {
        if found == self.expected {
            return Ok(());
        }
        Err(super::fault(self.instance, &format!("{on} and one thread end differently")))
    }

    fn row(&mut self, on: String, search: impl Epochs, chains: u32, epoch: u32) -> Result<()> {
        let Advance { places, steps, seconds } = advance(search, epoch, self.effort.seconds)?;
        self.report.rows.push(vec![
            super::size(self.instance),
            on,
            chains.to_string(),
            steps.to_string(),
            format!("{:.1}", places as f64 / seconds / 1e6),
            format!("{:.3}", seconds * 1e3 / steps.max(1) as f64),
        ]);
        Ok(())
    }
}

/// Measured part of a search.
struct Advance {
    places: u64,
    steps: u64,
    seconds: f64,
}

/// Advances a search by epochs for at least so many seconds, after a first epoch that is not measured.
fn advance(mut search: impl Epochs, epoch: u32, least: f64) -> Result<Advance> {
    // Warm-up: the first epoch improves much, and a device adapts its work per launch.
    search.advance(epoch)?;
    let before = search.snapshot()?;
    let began = Instant::now();
    let seconds = loop {
        search.advance(epoch)?;
        let seconds = began.elapsed().as_secs_f64();
        if seconds >= least {
            break seconds;
        }
    };
    let after = search.snapshot()?;
    Ok(Advance { places: after.evaluations - before.evaluations, steps: after.step - before.step, seconds })
}

/// Places per second of a search on the CPU, with a chain for each thread.
pub(super) fn rate(instance: &Instance, objective: Objective, threads: usize, effort: &Effort) -> Result<f64> {
    let mut parameters = effort.parameters.resolved(instance, objective);
    if parameters.chains == 0 {
        parameters.chains = threads as u32;
    }
    let pool = backend::thread_pool(threads)?;
    let search = CpuGreedy::new(instance, objective, &parameters, None, 1, pool);
    let Advance { places, seconds, .. } = advance(search, 1, effort.seconds)?;
    Ok(places as f64 / seconds)
}

fn digest(search: &mut impl Epochs, steps: u32) -> Result<u64> {
    search.advance(steps)?;
    Ok(search.snapshot()?.digest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use gridwright_kernels::SharedCuda;

    #[test]
    fn every_size_has_a_row_for_one_thread_and_for_all() {
        let instances = ["ta001", "ta011"].map(|name| library::taillard(name).unwrap());
        let none: &mut [Opening<'_, SharedCuda>] = &mut [];
        let effort = Effort { seconds: 0.0, parameters: IteratedGreedyParameters::default(), warps: 0 };
        for objective in Objective::ALL {
            let report = measure(&instances, objective, 2, none, &effort, &mut |_| {}).unwrap();
            assert_eq!(report.rows.len(), 4);
            assert_eq!(report.rows[1][..3], ["20 × 5", "CPU, 2 threads", "2"]);
            assert!(report.rows.iter().all(|row| row.len() == report.columns.len()));
            // Rates depend on the machine's load and are not tested.
            assert!(report.rows.iter().all(|row| row[3].parse::<u64>().unwrap() > 0), "{:?}", report.rows);
            assert!(report.rows.iter().all(|row| row[4].parse::<f64>().unwrap().is_finite()), "{:?}", report.rows);
        }
    }
}
