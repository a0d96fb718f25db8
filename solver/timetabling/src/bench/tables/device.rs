//! A generation on a device: one kernel per phase, one kernel per generation, and the transfers.

use std::time::Instant;

use gridwright_kernels::evolution::{Population, Sum, Tuning, Worker};
use gridwright_kernels::{DeviceRuntime, SharedCuda};

use super::{Case, Figures, Milliseconds};
use crate::bench::devices::{search_on, seconds_per_generation};
use crate::evolution::cuda::{DeviceEvolution, PhaseKernels};
use crate::evolution::device_tables::{graph, shape};
use crate::evolution::{Tables, initial};
use gridwright_core::Result;
use gridwright_core::backend::thread_pool;
use gridwright_core::random::Philox;
use gridwright_core::search::Construction;
use gridwright_core::search::failover::DeviceEpochs;

/// Seconds per figure after the first generations.
const A_FIGURE: f64 = 1.0;

/// Number of copies of a population, of which the fastest counts.
const COPIES: u32 = 5;

impl Case<'_, '_> {
    /// Measures all phases with every evaluator, and the generation in one kernel.
    ///
    /// # Errors
    /// Errors of the device; [`Error::Search`] if digests differ from the CPU's.
    pub(super) fn device(&mut self, runtime: &SharedCuda, on: &str) -> Result<Figures> {
        let mut figures = Figures::default();
        for (row, sum) in [Sum::Full, Sum::Sparse, Sum::HalfSparse].into_iter().enumerate() {
            for (column, worker) in [Worker::Chromosome, Worker::Exam].into_iter().enumerate() {
                let in_two = worker == Worker::Exam;
                self.tell(&format!("{on}, {sum:?} by {worker:?}").to_lowercase());
                let phase_kernels = Some(PhaseKernels { sum, worker, in_two });
                let mut search = search_on(runtime, self.instance, &self.parameters, phase_kernels, Tuning::default())?;
                let generations = self.warm_up(&mut search, on)?;
                let seconds = seconds_per_generation(&mut search, generations)?;
                figures.evaluation[row][column] = Some(Milliseconds::of_seconds(seconds.evaluation));
                // The last of several measurements of the same phase counts: caches are warm.
                figures.reproduction[column] = Some(Milliseconds::of_seconds(seconds.reproduction));
                figures.mutation = Some(Milliseconds::of_seconds(seconds.mutation));
                figures.descent = Some(Milliseconds::of_seconds(seconds.descent));
            }
        }
        self.tell(&format!("{on}, one kernel"));
        let mut search = search_on(runtime, self.instance, &self.parameters, None, Tuning::default())?;
        self.warm_up(&mut search, on)?;
        // The number of generations per launch adapts within the first ones.
        let generations = self.warm_up_further(&mut search)?;
        let before = search.device_seconds();
        search.advance(generations)?;
        let seconds = (search.device_seconds() - before) / f64::from(generations);
        figures.fused = Some(Milliseconds::of_seconds(seconds));
        Ok(figures)
    }

    /// Runs as many generations as the CPU and compares the digests; returns the number of generations that the
    /// measurement may have.
    fn warm_up(&self, search: &mut DeviceEvolution<SharedCuda>, on: &str) -> Result<u32> {
        let count = (self.digests.len() as u32).max(1);
        let began = Instant::now();
        search.advance(count)?;
        let found = search.snapshot()?.digest;
        if self.digests.last().is_some_and(|&digest| digest != found) {
            return Err(self.differs(on));
        }
        Ok(self.allowed(began, count))
    }

    fn warm_up_further(&self, search: &mut DeviceEvolution<SharedCuda>) -> Result<u32> {
        let (began, count) = (Instant::now(), 8.min(self.generations));
        search.advance(count)?;
        Ok(self.allowed(began, count))
    }

    /// Number of generations that fit into [`A_FIGURE`] seconds, at the rate of `count` since `began`.
    fn allowed(&self, began: Instant, count: u32) -> u32 {
        let per_generation = began.elapsed().as_secs_f64().max(1e-6) / f64::from(count);
        ((A_FIGURE / per_generation) as u32).clamp(1, self.generations)
    }

    /// Measures the one-time costs of a run in milliseconds: initial population, tables and population to the device,
    /// population from the device; then the size of the population in MiB and the rate of the last copy in GB/s.
    ///
    /// # Errors
    /// Errors of the device.
    pub(super) fn transfers(&self, runtime: &SharedCuda) -> Result<[f64; 5]> {
        runtime.clear();
        let model = self.parameters.model(self.instance);
        let tables = Tables::new(&self.instance.name, &model, &self.parameters)?;
        let (graph, shape) = (graph(&tables)?, shape(&tables, &self.parameters, 1));
        let pool = thread_pool(0)?;
        let began = Instant::now();
        let genes =
            initial::population((&model, None), &self.parameters, Philox::new(1), &pool, &Construction::unlimited());
        let host = began.elapsed().as_secs_f64();
        let (runtime, mut rows) = (&mut runtime.clone(), Vec::new());
        let began = Instant::now();
        let population = Population::new(runtime, shape, &graph, Tuning::default())?;
        population.write_genes(runtime, &genes)?;
        runtime.wait()?;
        let to = began.elapsed().as_secs_f64();
        let mut from = f64::INFINITY;
        for _ in 0..COPIES {
            let began = Instant::now();
            population.read_rows(runtime, &mut rows)?;
            from = from.min(began.elapsed().as_secs_f64());
        }
        if population.without_padding(&rows) != genes {
            return Err(self.differs("a copy from the device"));
        }
        let bytes = rows.len() as f64;
        Ok([host * 1e3, to * 1e3, from * 1e3, bytes / f64::from(1 << 20), bytes / from.max(1e-9) / 1e9])
    }
}
