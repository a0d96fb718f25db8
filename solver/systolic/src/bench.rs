//! Benchmark: children per second on every device.

use std::time::Instant;

use gridwright_kernels::DeviceRuntime;
use gridwright_kernels::systolic::Tuning;
use rayon::prelude::*;

use super::cuda::{self, Start};
use super::run::Algorithm;
use super::{Instance, Search};
use gridwright_core::backend::{self, Opening, openings};
use gridwright_core::search::report::Report;
use gridwright_core::search::{Control, Epochs as _};
use gridwright_core::{Error, Result};

/// Instances of the benchmark: sizes that fit a multiprocessor's shared memory, and those whose speed the paper states.
pub(crate) const INSTANCES: [&str; 5] =
    ["knapsack:200-1000", "knapsack:1000-1000", "mmdp:300", "mmdp:900", "mmdp:1500"];

/// Measures children per second of SGS_B on the CPU and all CUDA devices; `tell` receives progress lines.
///
/// # Errors
/// As [`measure`]; [`Error::Device`] if a present device cannot be opened.
pub fn stages(
    instances: &[Instance], threads: usize, seconds: f64, tunings: &[Tuning], tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let (mut devices, notes) = openings()?;
    let effort = Effort { seconds, batch: BATCH, tunings };
    let mut report = measure(instances, threads, &mut devices, effort, tell)?;
    report.notes.extend(notes);
    Ok(report)
}

/// Number of parallel runs on a device: one per multiprocessor of an H200.
const BATCH: u64 = 132;

/// Extent of a benchmark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort<'a> {
    /// Time limit of each measurement on the CPU in seconds.
    pub seconds: f64,
    /// Number of parallel runs on a device.
    pub batch: u64,
    /// Kernel configurations to measure, one after the other.
    pub tunings: &'a [Tuning],
}

/// Measures on the CPU and the given devices; a device must reach the solutions of the CPU.
///
/// # Errors
/// [`Error::Search`] if a device deviates from the CPU; [`Error::Device`] if a device fails.
pub fn measure<M: DeviceRuntime + std::fmt::Debug + 'static>(
    instances: &[Instance], threads: usize, devices: &mut [Opening<'_, M>], effort: Effort<'_>,
    tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let columns =
        ["instance", "cells", "computed on", "runs", "iterations", "seconds", "10⁶ children/s", "against one thread"];
    let mut report = Report::new("Systolic genetic search (SGS_B), seed 1", &columns);
    for instance in instances {
        tell(&instance.name);
        let mut case = Case { instance, report: &mut report, alone: 0.0 };
        let all = instance.cells() as u64;
        let mut search = grid(instance, 1)?;
        let (done, seconds) = walk(&mut *search, all, effort.seconds)?;
        case.alone = case.row("CPU, one thread".to_owned(), 1, done, seconds);
        let digest = search.snapshot()?.digest;
        if threads > 1 {
            let pool = backend::thread_pool(threads)?;
            let mut search = Algorithm::default().search(instance, 1, Some(pool.clone()))?;
            let (done, seconds) = walk(&mut *search, all, effort.seconds)?;
            case.row(format!("CPU, {threads} threads, one run"), 1, done, seconds);
            let began = Instant::now();
            let runs: Result<Vec<u64>> = pool.install(|| {
                let run = |seed| walk(&mut *grid(instance, seed)?, all, effort.seconds).map(|(done, _)| done);
                (1..threads as u64 + 1).into_par_iter().map(run).collect()
            });
            let done = runs?.iter().sum::<u64>() / threads as u64;
            let seconds = began.elapsed().as_secs_f64();
            case.row(format!("CPU, {threads} threads, a run each"), threads as u64, done, seconds);
        }
        for device in &mut *devices {
            for &tuning in effort.tunings {
                case.on_device(device, [done, all], digest, effort.batch, tuning)?;
            }
        }
    }
    report.notes.push("A child is crossed, mutated, evaluated and compared with its parent; a cell makes two in an iteration. \
                       The published speed on a GTX 480: 13.8 · 10⁶ for 1,000 items, 15.3 · 10⁶ for 1,500 deceptive bits."
        .to_owned());
    Ok(report)
}

fn grid(instance: &Instance, seed: u64) -> Result<Box<dyn Search>> {
    Algorithm::default().search(instance, seed, None)
}

/// Advances by `all` iterations or for `limit` seconds; returns iterations and seconds.
fn walk(search: &mut dyn Search, all: u64, limit: f64) -> Result<(u64, f64)> {
    let (began, mut done) = (Instant::now(), 0);
    while done < all && (done == 0 || began.elapsed().as_secs_f64() < limit) {
        let steps = (all - done).min(16);
        search.advance(steps as u32)?;
        done += steps;
    }
    Ok((done, began.elapsed().as_secs_f64()))
}

/// Rows of one instance.
struct Case<'a> {
    instance: &'a Instance,
    report: &'a mut Report,
    /// Speed of one thread in 10⁶ children per second.
    alone: f64,
}

impl Case<'_> {
    /// Adds a row; returns 10⁶ children per second.
    fn row(&mut self, on: String, runs: u64, iterations: u64, seconds: f64) -> f64 {
        let cells = self.instance.cells() as u64;
        let speed = (2 * cells * iterations * runs) as f64 / seconds.max(1e-9) / 1e6;
        self.report.rows.push(vec![
            self.instance.name.clone(),
            cells.to_string(),
            on,
            runs.to_string(),
            iterations.to_string(),
            format!("{seconds:.3}"),
            format!("{speed:.1}"),
            if self.alone > 0.0 { format!("{:.1}", speed / self.alone) } else { String::new() },
        ]);
        speed
    }

    /// Measures one run and a batch; after `first` of `all` iterations the digest must be that of the CPU.
    fn on_device<M: DeviceRuntime + std::fmt::Debug + 'static>(
        &mut self, device: &mut Opening<'_, M>, [first, all]: [u64; 2], digest: u64, batch: u64, tuning: Tuning,
    ) -> Result<()> {
        let (instance, algorithm) = (self.instance, Algorithm::default());
        let mut runtime = (device.open)();
        let laid_out = [1, batch].map(|runs| cuda::laid_out(instance, &mut runtime, runs, tuning));
        let [alone, side_by_side] = laid_out;
        let start = Start { algorithm: algorithm.clone(), seed: 1, threads: None, runtime, tuning };
        let mut search = start.search(instance)?;
        let began = Instant::now();
        search.advance(first as u32)?;
        let mut seconds = began.elapsed().as_secs_f64();
        let lost = |search: &dyn Search| match search.device_notes().first() {
            Some(what) => Err(Error::Device(what.to_string())),
            None => Ok(()),
        };
        if search.snapshot()?.digest != digest {
            let name = &instance.name;
            return Err(Error::Search(format!(
                "{name}: {} has other solutions than the CPU, which is a fault",
                device.name
            )));
        }
        let began = Instant::now();
        search.advance((all - first) as u32)?;
        seconds += began.elapsed().as_secs_f64();
        lost(&*search)?;
        self.row(format!("{}, one run ({})", device.name, alone?), 1, all, seconds);
        let open = &mut || Ok((device.open)());
        // A single measurement suffices: the batch is long.
        let runs = cuda::batch(instance, &algorithm, [1, batch], open, tuning, &Control::new())?;
        super::run::batch::confirm(instance, &runs)?;
        let seconds = runs.iter().map(|run| run.seconds).sum::<f64>();
        self.row(format!("{}, runs side by side ({})", device.name, side_by_side?), batch, all, seconds);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use gridwright_kernels::SharedCuda;

    #[test]
    fn every_way_to_compute_has_a_row() {
        let instances = ["knapsack:100-1000", "mmdp:60"].map(|name| library::named(name, 5).unwrap());
        let effort = Effort { seconds: 10.0, batch: 2, tunings: &[] };
        let report = measure::<SharedCuda>(&instances, 2, &mut [], effort, &mut |_| {}).unwrap();
        assert_eq!(report.rows.len(), 6);
        for row in &report.rows {
            assert_eq!(row.len(), report.columns.len());
            println!("{}: {} 10⁶ children/s on {}", row[0], row[6], row[2]);
        }
        assert_eq!((report.rows[0][4].as_str(), report.rows[0][7].as_str()), ("700", ""));
        assert_eq!(report.rows[5][3], "2");
    }
}
