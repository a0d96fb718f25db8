//! Benchmarks of timetabling: the phases of a generation and the speed of annealing.

mod devices;
mod holding;
pub mod tables;

pub(crate) use devices::device_stages;
pub(crate) use holding::holding;

use std::sync::Arc;
use std::time::Instant;

use super::evolution::cpu::CpuEvolution;
use super::evolution::{Evaluator, EvolutionParameters, Reproduction};
use super::run::{Algorithm, Settings, solve};
use super::{Instance, annealing::AnnealingParameters};
use gridwright_core::backend::thread_pool;
use gridwright_core::result::RunResult;
use gridwright_core::search::report::Report;
use gridwright_core::search::{Budget, Construction, Control, Epochs, Stop};
use gridwright_core::{Error, Result};

/// Measures the milliseconds per generation and phase for each instance, population size and number of threads.
///
/// # Errors
/// As [`CpuEvolution::new`]; [`Error::Search`] if two variants give different results.
pub fn stages(
    instances: &[Instance], populations: &[u32], threads: &[usize], generations: u32, tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let mut report = Report::new(
        "Hybrid evolutionary algorithm, milliseconds per generation",
        &[
            "instance", "population", "threads", "full, by chromosome", "full, by exam", "sparse", "half sparse",
            "reproduction, one pass", "two passes", "mutation", "descent", "generation",
        ],
    );
    for instance in instances {
        for &population in populations {
            let mut digests = Vec::new();
            for &count in threads {
                tell(&format!("{}, population {population}, {count} threads", instance.name));
                let row = stage_row(instance, population, count, generations, &mut digests)?;
                report.rows.push(row);
            }
            if digests.windows(2).any(|pair| pair[0] != pair[1]) {
                return Err(Error::Search(format!("{}: the variants gave different populations", instance.name)));
            }
        }
    }
    report.notes.push(format!(
        "Mean of {generations} generations; crossover 0.5, mutation 0.005. The digests of all variants and all numbers of \
         threads are equal. A generation is one-pass reproduction, mutation, descent and half sparse evaluation."
    ));
    Ok(report)
}

fn stage_row(
    instance: &Instance, population: u32, threads: usize, generations: u32, digests: &mut Vec<u64>,
) -> Result<Vec<String>> {
    let pool = thread_pool(threads)?;
    let base = EvolutionParameters { population, mutation: 0.005, ..EvolutionParameters::default() };
    let variants = [
        (Evaluator::FullByChromosome, Reproduction::TwoPasses),
        (Evaluator::FullByExam, Reproduction::TwoPasses),
        (Evaluator::Sparse, Reproduction::OnePass),
        (Evaluator::HalfSparse, Reproduction::OnePass),
    ];
    let mut row = vec![instance.name.clone(), population.to_string(), threads.to_string()];
    let mut measured = Vec::new();
    for (evaluator, reproduction) in variants {
        let parameters = EvolutionParameters { evaluator, reproduction, ..base.clone() };
        let mut search = CpuEvolution::new(instance, &parameters, 1, Arc::clone(&pool), &Construction::unlimited())?;
        search.advance(generations)?;
        digests.push(search.snapshot()?.digest);
        measured.push(search.phase_seconds());
    }
    let per = |seconds: f64| format!("{:.3}", seconds * 1e3 / f64::from(generations));
    row.extend(measured.iter().map(|stages| per(stages.evaluation)));
    let last = &measured[3];
    row.push(per(last.reproduction));
    row.push(per(measured[0].reproduction));
    row.push(per(last.mutation));
    row.push(per(last.descent));
    row.push(per(last.reproduction + last.mutation + last.descent + last.evaluation));
    Ok(row)
}

/// Measures steps and proposals per second of annealing for each instance and number of threads.
///
/// # Errors
/// As [`solve`].
pub fn speed(instances: &[Instance], threads: &[usize], seconds: f64, tell: &mut dyn FnMut(&str)) -> Result<Report> {
    let mut report = Report::new(
        "Annealing, millions per second over a whole run",
        &["instance", "threads", "chains", "steps", "proposals"],
    );
    for instance in instances {
        for &count in threads {
            tell(&format!("{}, {count} threads", instance.name));
            let began = Instant::now();
            let result = anneal(instance, count, seconds)?;
            let chains = result.parameters.get("chains").map_or(1, |value| value.integer());
            let rate = |number: f64| format!("{:.2}", number / began.elapsed().as_secs_f64() / 1e6);
            report.rows.push(vec![
                instance.name.clone(),
                count.to_string(),
                chains.to_string(),
                rate(result.generations as f64 * chains as f64),
                rate(result.evaluations as f64),
            ]);
        }
    }
    Ok(report)
}

/// Runs annealing with its default parameters on the CPU.
fn anneal(instance: &Instance, threads: usize, seconds: f64) -> Result<RunResult> {
    let (algorithm, backend) = (Algorithm::Annealing(AnnealingParameters::default()), "cpu".to_owned());
    let stop = Stop::after(Budget::Seconds(seconds));
    let settings = Settings { algorithm, goal: (), backend, threads, seed: 1, stop };
    solve(instance, &settings, &Control::new(), &mut |_| {})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::sample;

    #[test]
    fn every_table_has_a_row_per_case_and_full_rows() {
        let school = [sample("school").unwrap()];
        let mut told = 0;
        let mut tell = |_: &str| told += 1;
        let tables =
            [stages(&school, &[16], &[1, 2], 2, &mut tell).unwrap(), speed(&school, &[1, 2], 0.1, &mut tell).unwrap()];
        for table in &tables {
            assert_eq!(table.rows.len(), 2);
            assert!(table.rows.iter().all(|row| row.len() == table.columns.len()));
        }
        assert_eq!(told, 4);
    }
}
