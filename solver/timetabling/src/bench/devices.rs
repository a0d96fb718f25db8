//! Phases of a generation on the CPU and on each CUDA device, side by side.

use std::time::Instant;

use gridwright_kernels::evolution::{Sum, Tuning, Worker};
use gridwright_kernels::{CudaRuntime, DeviceRuntime, Module, SharedCuda, probe};

use crate::Instance;
use crate::evolution::cpu::{CpuEvolution, PhaseSeconds};
use crate::evolution::cuda::{DeviceEvolution, DeviceOptions, PhaseKernels};
use crate::evolution::{Evaluator, EvolutionParameters};
use gridwright_core::backend::thread_pool;
use gridwright_core::numbers::counted;
use gridwright_core::search::failover::DeviceEpochs;
use gridwright_core::search::report::Report;
use gridwright_core::search::{Construction, Epochs};
use gridwright_core::{Error, Result};

/// Number of generations that the CPU runs per figure; its digest after them is compared with the device's.
const ON_CPU: u32 = 2;

/// Largest full conflict matrix times population that is evaluated, in pairs of exams; more would take minutes.
const FULL_PAIRS: u64 = 1 << 36;

const COLUMNS: [&str; 15] = [
    "instance", "population", "computed on", "full, by chromosome", "full, by exam", "sparse, by chromosome",
    "sparse, by exam", "half sparse, by chromosome", "half sparse, by exam", "reproduction, one", "two", "mutation",
    "descent", "generation", "times one thread",
];

/// Measures milliseconds per generation and phase: CPU with each number of threads, every CUDA device with one kernel
/// per phase, and with one kernel per generation for several numbers of lanes and threads.
///
/// # Errors
/// Errors of a search; [`Error::Search`] if two of them end with different populations.
pub(crate) fn device_stages(
    instances: &[Instance], populations: &[u32], threads: &[usize], generations: u32, tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let mut report = Report::new("Hybrid evolutionary algorithm by device, milliseconds per generation", &COLUMNS);
    let (machines, notes) = machines()?;
    report.notes.extend(notes);
    for instance in instances {
        for &population in populations {
            let parameters =
                EvolutionParameters { population, constructed: 0, mutation: 0.005, ..EvolutionParameters::default() };
            let mut case = Case { instance, parameters, generations, reference: None, report: &mut report, tell };
            for &count in threads {
                case.cpu(count)?;
            }
            for (ordinal, runtime) in machines.iter().enumerate() {
                case.device(ordinal, runtime)?;
            }
        }
    }
    report.notes.push(format!(
        "Mean of {ON_CPU} generations on the CPU and {generations} on a device after {ON_CPU} to warm up; crossover 0.5, \
         mutation 0.005, nothing constructed. Phases on a device include the wait after each; a generation with so many \
         lanes per chromosome and threads per block is one kernel. Times one thread: against the CPU's generation with \
         one thread in the same run. Loading of kernels and the first transfer are apart; records and safety copies (at most 3 %) are \
         part of it. The digests of all are equal."
    ));
    Ok(report)
}

/// Opens every CUDA device and loads its kernels; returns the devices and notes on them, or why there is none.
///
/// # Errors
/// [`Error::Device`] if a present device cannot be opened.
pub(super) fn machines() -> Result<(Vec<SharedCuda>, Vec<String>)> {
    let devices = probe();
    let (mut machines, mut notes) = (Vec::new(), Vec::new());
    for device in devices.iter().flatten() {
        let began = Instant::now();
        let mut runtime = CudaRuntime::open(device.ordinal)?;
        runtime.prepare(Module::Evolution)?;
        notes.push(format!(
            "cuda:{} is {}: opened in {:.2} s, of which kernels took {:.2} s to load.",
            device.ordinal,
            device.name,
            began.elapsed().as_secs_f64(),
            runtime.loading_seconds()
        ));
        machines.push(SharedCuda::new(runtime));
    }
    if let Err(why) = devices {
        notes.push(format!("No CUDA device was measured: {why}."));
    }
    Ok((machines, notes))
}

/// Creates a search on a device; with `phase_kernels` it synchronises after each phase.
///
/// # Errors
/// As [`DeviceEvolution::new`].
pub(super) fn search_on(
    runtime: &SharedCuda, instance: &Instance, parameters: &EvolutionParameters, phase_kernels: Option<PhaseKernels>,
    tuning: Tuning,
) -> Result<DeviceEvolution<SharedCuda>> {
    runtime.clear();
    // Build the full matrix only if it is needed.
    let full = phase_kernels.is_some_and(|phase_kernels| phase_kernels.sum == Sum::Full);
    let evaluator = if full { Evaluator::FullByExam } else { Evaluator::HalfSparse };
    let parameters = EvolutionParameters { evaluator, ..parameters.clone() };
    let options = DeviceOptions { phase_kernels, tuning, timed: phase_kernels.is_some(), ahead: 0 };
    DeviceEvolution::new(
        instance,
        &parameters,
        1,
        thread_pool(0)?,
        runtime.clone(),
        options,
        &Construction::unlimited(),
    )
}

/// Mean seconds per generation in each phase, over `generations` generations.
///
/// # Errors
/// As [`DeviceEvolution::advance`].
pub(super) fn seconds_per_generation(
    search: &mut DeviceEvolution<SharedCuda>, generations: u32,
) -> Result<PhaseSeconds> {
    let before = search.phase_seconds();
    search.advance(generations)?;
    let (after, per) = (search.phase_seconds(), 1.0 / f64::from(generations));
    Ok(PhaseSeconds {
        reproduction: (after.reproduction - before.reproduction) * per,
        mutation: (after.mutation - before.mutation) * per,
        descent: (after.descent - before.descent) * per,
        evaluation: (after.evaluation - before.evaluation) * per,
    })
}

/// Benchmark case: one instance with one population.
struct Case<'a, 'b> {
    instance: &'a Instance,
    parameters: EvolutionParameters,
    generations: u32,
    /// Digest after [`ON_CPU`] generations, and milliseconds of a generation with one thread.
    reference: Option<(u64, f64)>,
    report: &'a mut Report,
    tell: &'a mut (dyn FnMut(&str) + 'b),
}

impl Case<'_, '_> {
    fn tell(&mut self, what: &str) {
        let text = format!("{}, population {}, {what}", self.instance.name, self.parameters.population);
        (self.tell)(&text);
    }

    /// Writes a row: instance, population, device, then figures as (column, milliseconds).
    fn row(&mut self, on: &str, figures: &[(usize, f64)]) {
        let mut row = vec![String::new(); COLUMNS.len()];
        row[0].clone_from(&self.instance.name);
        row[1] = self.parameters.population.to_string();
        on.clone_into(&mut row[2]);
        for &(column, milliseconds) in figures {
            row[column] = format!("{milliseconds:.3}");
            if let (13, Some((_, one_thread))) = (column, self.reference) {
                row[14] = format!("{:.1}", one_thread / milliseconds);
            }
        }
        self.report.rows.push(row);
    }

    fn compare(&mut self, digest: u64, milliseconds: f64, on: &str) -> Result<()> {
        let (reference, _) = *self.reference.get_or_insert((digest, milliseconds));
        if digest == reference {
            return Ok(());
        }
        Err(Error::Search(format!("{}: {on} ended with another population", self.instance.name)))
    }

    fn cpu(&mut self, threads: usize) -> Result<()> {
        let on = format!("CPU, {}", counted(threads, "thread"));
        self.tell(&on);
        let mut search =
            CpuEvolution::new(self.instance, &self.parameters, 1, thread_pool(threads)?, &Construction::unlimited())?;
        search.advance(ON_CPU)?;
        let stages = search.phase_seconds();
        let per = |seconds: f64| seconds * 1e3 / f64::from(ON_CPU);
        let whole = per(stages.reproduction + stages.mutation + stages.descent + stages.evaluation);
        self.compare(search.snapshot()?.digest, whole, &on)?;
        let figures = [
            (7, per(stages.evaluation)),
            (9, per(stages.reproduction)),
            (11, per(stages.mutation)),
            (12, per(stages.descent)),
            (13, whole),
        ];
        self.row(&on, &figures);
        Ok(())
    }

    fn device(&mut self, ordinal: usize, runtime: &SharedCuda) -> Result<()> {
        self.stages_of(ordinal, runtime)?;
        for lanes in [0, 4, 8, 16, 32] {
            for block in if lanes == 0 { &[0][..] } else { &[64, 128, 256] } {
                self.fused(ordinal, runtime, Tuning { lanes, block: *block, global: false })?;
            }
        }
        self.fused(ordinal, runtime, Tuning { lanes: 0, block: 128, global: true })
    }

    fn search(
        &self, runtime: &SharedCuda, phase_kernels: Option<PhaseKernels>, tuning: Tuning,
    ) -> Result<DeviceEvolution<SharedCuda>> {
        search_on(runtime, self.instance, &self.parameters, phase_kernels, tuning)
    }

    /// Measures one kernel per phase, with every evaluator.
    fn stages_of(&mut self, ordinal: usize, runtime: &SharedCuda) -> Result<()> {
        let on = format!("cuda:{ordinal}, stages");
        self.tell(&on);
        let exams = self.instance.exam_count() as u64;
        let mut figures = Vec::new();
        let sums = [(Sum::Full, 3), (Sum::Sparse, 5), (Sum::HalfSparse, 7)];
        for (sum, column) in sums {
            if sum == Sum::Full && exams * exams * u64::from(self.parameters.population) > FULL_PAIRS {
                continue;
            }
            for (worker, column) in [(Worker::Chromosome, column), (Worker::Exam, column + 1)] {
                let in_two = worker == Worker::Exam;
                let mut search = self.search(runtime, Some(PhaseKernels { sum, worker, in_two }), Tuning::default())?;
                search.advance(ON_CPU)?;
                self.compare(search.snapshot()?.digest, f64::INFINITY, &on)?;
                let seconds = seconds_per_generation(&mut search, self.generations)?;
                figures.push((column, seconds.evaluation * 1e3));
                if sum == Sum::HalfSparse {
                    figures.push((if in_two { 10 } else { 9 }, seconds.reproduction * 1e3));
                    figures.retain(|&(column, _)| !matches!(column, 11 | 12));
                    figures.push((11, seconds.mutation * 1e3));
                    figures.push((12, seconds.descent * 1e3));
                }
            }
        }
        let figure = |column: usize| figures.iter().find(|row| row.0 == column).map_or(0.0, |row| row.1);
        let whole = figure(9) + figure(11) + figure(12) + figure(8);
        figures.push((13, whole));
        self.row(&on, &figures);
        Ok(())
    }

    /// Measures one kernel per generation.
    fn fused(&mut self, ordinal: usize, runtime: &SharedCuda, tuning: Tuning) -> Result<()> {
        let began = Instant::now();
        let mut search = self.search(runtime, None, tuning)?;
        let start = began.elapsed().as_secs_f64();
        let layout = search.layout();
        if tuning.lanes != 0 && (!layout.shared_genes || layout.lanes != tuning.lanes) {
            return Ok(());
        }
        let genes = if layout.shared_genes { "" } else { ", genes in global memory" };
        let chosen = if tuning == Tuning::default() { ", as chosen" } else { "" };
        let on = format!("cuda:{ordinal}, {} lanes, {} threads{genes}{chosen}", layout.lanes, layout.block);
        self.tell(&on);
        search.advance(ON_CPU)?;
        self.compare(search.snapshot()?.digest, f64::INFINITY, &on)?;
        // The batch size adapts within the first generations.
        search.advance(ON_CPU)?;
        let (began, before) = (Instant::now(), search.device_seconds());
        search.advance(self.generations)?;
        let seconds = search.device_seconds() - before;
        let milliseconds = seconds * 1e3 / f64::from(self.generations);
        self.row(&on, &[(13, milliseconds)]);
        if tuning == Tuning::default() {
            self.report.notes.push(format!(
                "{}, population {}: the start (kernels, tables, initial population) took {start:.3} s; of {:.3} s of wall \
                 time {seconds:.3} s were the device's.",
                self.instance.name,
                self.parameters.population,
                began.elapsed().as_secs_f64()
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::sample;

    #[test]
    fn the_cpu_is_measured_everywhere_and_devices_where_they_are() {
        let school = [sample("school").unwrap()];
        let report = device_stages(&school, &[16], &[1, 2], 2, &mut |_| {}).unwrap();
        assert!(report.rows.len() >= 2 && report.rows.iter().all(|row| row.len() == COLUMNS.len()));
        assert_eq!(report.rows[0][14], "1.0");
        assert!(report.rows.len() > 2 || report.notes[0].contains("No CUDA device"), "{:?}", report.notes);
    }
}
