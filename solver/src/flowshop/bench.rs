//! Benchmarks: results of iterated greedy under a time limit, and the tables of publications.

pub mod insertion;
pub mod neighbourhoods;
pub mod tables;
pub mod wavefront;

use super::run::{Algorithm, Settings, solve};
use super::{Instance, Objective};
use crate::search::report::Report;
use crate::search::{Budget, Control, Stop};
use crate::statistics::summary::{gap_percent, summarise};
use crate::{Error, Result};

/// Runs iterated greedy on each instance and reports the deviation from the best-known value; costs are recomputed by
/// the checker. `(backend, threads)` selects where it runs; `tell` receives the name of each instance before its run.
///
/// # Errors
/// See [`solve`]; [`Error::Search`] if a result does not pass the checker.
pub fn greedy_results(
    instances: &[Instance], objective: Objective, algorithm: &Algorithm, (backend, threads): (&str, usize),
    limit: Limit, tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let on = if backend == "cpu" { format!("{threads} threads") } else { backend.to_owned() };
    let title = format!("Iterated greedy, {}, {limit}, {on}, seed 1", objective.label().to_lowercase());
    let columns = [
        "instance", "jobs", "machines", "seconds", "steps", "10⁶ evaluations/s", "cost", "best known", "deviation, %",
        "computed on", "ended",
    ];
    let mut report = Report::new(title, &columns);
    let mut classes: Vec<((usize, usize), Vec<f64>)> = Vec::new();
    for instance in instances {
        tell(&instance.name);
        let size = (instance.job_count(), instance.machine_count());
        let settings = Settings {
            algorithm: algorithm.clone(),
            goal: objective.into(),
            backend: backend.to_owned(),
            threads,
            seed: 1,
            stop: Stop::after(Budget::Seconds(limit.seconds(instance))),
        };
        let result = solve(instance, &settings, &Control::new(), &mut |_| {})?;
        if !(result.verdict.feasible && result.verdict.confirmed) {
            return Err(Error::Search(format!("{}: the result does not pass the checker", instance.name)));
        }
        let known = match objective {
            Objective::Makespan => instance.best_known.makespan,
            Objective::FlowTime => instance.best_known.flow_time,
            Objective::Tardiness | Objective::Tardy => None,
        };
        let deviation = known.map(|known| gap_percent(result.verdict.cost, known as f64));
        if let Some(deviation) = deviation {
            match classes.iter_mut().find(|class| class.0 == size) {
                Some(class) => class.1.push(deviation),
                None => classes.push((size, vec![deviation])),
            }
        }
        report.rows.push(vec![
            instance.name.clone(),
            size.0.to_string(),
            size.1.to_string(),
            format!("{:.1}", result.seconds),
            result.generations.to_string(),
            format!("{:.1}", result.evaluations as f64 / result.seconds / 1e6),
            format!("{}", result.verdict.cost),
            known.map_or_else(String::new, |known| known.to_string()),
            deviation.map_or_else(String::new, |deviation| format!("{deviation:+.2}")),
            result.backend.clone(),
            result.stop_reason.to_string(),
        ]);
    }
    let means: Vec<f64> = classes.iter().filter_map(|class| summarise(&class.1)).map(|summary| summary.mean).collect();
    for ((jobs, machines), mean) in classes.iter().map(|class| class.0).zip(&means) {
        report.notes.push(format!("{jobs} × {machines}: mean deviation {mean:+.2} %."));
    }
    if let Some(summary) = summarise(&means) {
        report.notes.push(format!("Mean of {} classes: {:+.2} %.", means.len(), summary.mean));
    }
    Ok(report)
}

/// Time limit per instance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// Milliseconds per operation: the limit is this value times n·m, as usual in the literature.
    MillisecondsPerOperation(f64),
    /// Seconds per instance.
    Seconds(f64),
}

impl Limit {
    fn seconds(self, instance: &Instance) -> f64 {
        match self {
            Self::MillisecondsPerOperation(milliseconds) => {
                milliseconds * (instance.job_count() * instance.machine_count()) as f64 / 1_000.0
            }
            Self::Seconds(seconds) => seconds,
        }
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::MillisecondsPerOperation(milliseconds) => write!(f, "{milliseconds} ms · n · m"),
            Self::Seconds(seconds) => write!(f, "{seconds} s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flowshop::library;

    #[test]
    fn classes_are_summed_up_and_rows_are_full() {
        let instances = ["ta001", "ta002", "ta011"].map(|name| library::taillard(name).unwrap());
        let (algorithm, mut told) = (Algorithm::default(), 0);
        let limit = Limit::MillisecondsPerOperation(0.5);
        let mut tell = |_: &str| told += 1;
        let report = greedy_results(&instances, Objective::Makespan, &algorithm, ("cpu", 1), limit, &mut tell).unwrap();
        assert_eq!((report.rows.len(), told, report.notes.len()), (3, 3, 3));
        assert!(report.rows.iter().all(|row| row.len() == report.columns.len()));
        let deviations = || report.rows.iter().map(|row| row[8].parse::<f64>().unwrap());
        assert!(
            deviations().all(|deviation| (0.0..5.0).contains(&deviation)),
            "{:?}",
            deviations().collect::<Vec<_>>()
        );
    }
}
