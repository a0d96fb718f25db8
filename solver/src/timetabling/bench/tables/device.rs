//! A generation on a device: the published stages, everything in one kernel, and what is moved.

use std::time::Instant;

use gridwright_kernels::evolution::{Population, Sum, Tuning, Worker};
use gridwright_kernels::{CudaError, Machine, SharedCuda};

use super::{Case, Figures, Milliseconds};
use crate::backend::thread_pool;
use crate::random::Philox;
use crate::search::Epochs;
use crate::timetabling::bench::devices::{search_on, seconds_per_generation};
use crate::timetabling::evolution::cuda::{DeviceEvolution, Staged};
use crate::timetabling::evolution::device_tables::{graph, shape};
use crate::timetabling::evolution::{Tables, initial};
use crate::{Error, Result};

/// Seconds that a figure may take after the first generations.
const A_FIGURE: f64 = 1.0;

/// Copies of a population of which the fastest counts.
const COPIES: u32 = 5;

fn device_error(error: CudaError) -> Error {
    Error::Device(error.to_string())
}

impl Case<'_, '_> {
    /// All stages in every way, and everything in one kernel.
    ///
    /// # Errors
    /// What the device reports; [`Error::Search`] where digests differ from the CPU's.
    pub(super) fn device(&mut self, machine: &SharedCuda, on: &str) -> Result<Figures> {
        let mut figures = Figures::default();
        for (row, sum) in [Sum::Full, Sum::Sparse, Sum::HalfSparse].into_iter().enumerate() {
            for (column, worker) in [Worker::Chromosome, Worker::Exam].into_iter().enumerate() {
                let in_two = worker == Worker::Exam;
                self.tell(&format!("{on}, {sum:?} by {worker:?}").to_lowercase());
                let staged = Some(Staged { sum, worker, in_two });
                let mut search = search_on(machine, self.instance, &self.parameters, staged, Tuning::default())?;
                let generations = self.warm_up(&mut search, on)?;
                let seconds = seconds_per_generation(&mut search, generations)?;
                stays(&search)?;
                figures.evaluation[row][column] = Some(Milliseconds::of_seconds(seconds.evaluation));
                // Of several measurements of the same stage the last one counts: everything is warm.
                figures.reproduction[column] = Some(Milliseconds::of_seconds(seconds.reproduction));
                figures.mutation = Some(Milliseconds::of_seconds(seconds.mutation));
                figures.descent = Some(Milliseconds::of_seconds(seconds.descent));
            }
        }
        self.tell(&format!("{on}, one kernel"));
        let mut search = search_on(machine, self.instance, &self.parameters, None, Tuning::default())?;
        self.warm_up(&mut search, on)?;
        // So many generations are launched at once as 20 ms hold: that is found within the first ones.
        let generations = self.warm_up_further(&mut search)?;
        let before = search.device_seconds();
        search.advance(generations)?;
        stays(&search)?;
        let seconds = (search.device_seconds() - before) / f64::from(generations);
        figures.fused = Some(Milliseconds::of_seconds(seconds));
        Ok(figures)
    }

    /// As many generations as the CPU has made, compared with it; returns how many the measurement may have.
    fn warm_up(&self, search: &mut DeviceEvolution<SharedCuda>, on: &str) -> Result<u32> {
        let count = (self.digests.len() as u32).max(1);
        let began = Instant::now();
        search.advance(count)?;
        let found = search.snapshot()?.digest;
        if self.digests.last().is_some_and(|&digest| digest != found) {
            return Err(self.differs(on));
        }
        stays(search)?;
        Ok(self.allowed(began, count))
    }

    fn warm_up_further(&self, search: &mut DeviceEvolution<SharedCuda>) -> Result<u32> {
        let (began, count) = (Instant::now(), 8.min(self.generations));
        search.advance(count)?;
        Ok(self.allowed(began, count))
    }

    /// Generations that fit into the time of a figure, at the rate of `count` since `began`.
    fn allowed(&self, began: Instant, count: u32) -> u32 {
        let each = began.elapsed().as_secs_f64().max(1e-6) / f64::from(count);
        ((A_FIGURE / each) as u32).clamp(1, self.generations)
    }

    /// Milliseconds of what is done once in a run: the initial population, tables and population to the device, population
    /// from it; its size in MiB, and the rate of the last in GB/s.
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn transfers(&self, machine: &SharedCuda) -> Result<[f64; 5]> {
        machine.clear();
        let model = self.parameters.model(self.instance);
        let tables = Tables::new(&self.instance.name, &model, &self.parameters)?;
        let (graph, shape) = (graph(&tables)?, shape(&tables, &self.parameters, 1));
        let pool = thread_pool(0)?;
        let began = Instant::now();
        let genes = initial::population(&model, &self.parameters, Philox::new(1), &pool);
        let host = began.elapsed().as_secs_f64();
        let (machine, mut rows) = (&mut machine.clone(), Vec::new());
        let began = Instant::now();
        let population = Population::new(machine, shape, &graph, Tuning::default()).map_err(device_error)?;
        population.write_genes(machine, &genes).map_err(device_error)?;
        machine.wait().map_err(device_error)?;
        let to = began.elapsed().as_secs_f64();
        let mut from = f64::INFINITY;
        for _ in 0..COPIES {
            let began = Instant::now();
            population.read_rows(machine, &mut rows).map_err(device_error)?;
            from = from.min(began.elapsed().as_secs_f64());
        }
        if population.without_padding(&rows) != genes {
            return Err(self.differs("a copy from the device"));
        }
        let bytes = rows.len() as f64;
        Ok([host * 1e3, to * 1e3, from * 1e3, bytes / f64::from(1 << 20), bytes / from.max(1e-9) / 1e9])
    }
}

/// A device that was lost is not measured: the CPU would be.
fn stays(search: &DeviceEvolution<SharedCuda>) -> Result<()> {
    if search.on_cpu() { Err(Error::Device(search.notes().join("; "))) } else { Ok(()) }
}
