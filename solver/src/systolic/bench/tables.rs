//! Tables of Pedemonte, Luna, Alba, «Systolic genetic search, a systolic computing-based metaheuristic», Soft Computing
//! 19, 2015: errors and hits (Tables 3, 5, 7, 8), significance (4, 6, 9), times, reductions and solutions per second
//! (10 to 22).

use std::time::Instant;

use gridwright_kernels::systolic::Tuning;
use gridwright_kernels::{DeviceRuntime, SharedCuda};

use crate::backend::{Opening, openings};
use crate::search::report::Report;
use crate::search::{Algorithms, Control};
use crate::statistics::LEVEL;
use crate::statistics::comparison::{Sign, compare};
use crate::statistics::summary::summarise;
use crate::systolic::check::{Worth, check};
use crate::systolic::instance::{Kind, Weight};
use crate::systolic::run::Algorithm;
use crate::systolic::run::batch::{BatchRun, batch, confirm};
use crate::systolic::{Instance, cuda, exact, run};
use crate::{Error, Result};

/// Instances of the paper whose data are known, without the next release problem, whose data come from a file.
pub const INSTANCES: [&str; 13] = [
    "knapsack:100-1000", "knapsack:100-10000", "knapsack:200-1000", "knapsack:200-10000", "knapsack:500-1000",
    "knapsack:500-10000", "knapsack:1000-1000", "knapsack:1000-10000", "mmdp:300", "mmdp:600", "mmdp:900", "mmdp:1200",
    "mmdp:1500",
];

/// Number of runs below which pairs of algorithms can hardly differ significantly.
const FEWEST_RUNS: u64 = 10;

/// Number of runs in the paper.
pub const PUBLISHED_RUNS: u64 = 50;

/// Expands every next release problem to the eleven weights 0, 0.1, …, 1.
pub fn with_all_weights(instances: Vec<Instance>) -> Vec<Instance> {
    let weighed = |instance: Instance, tenths: u8| {
        let mut weighed = Instance { name: format!("{}, w = {}", instance.name, Weight(tenths)), ..instance };
        if let Kind::NextRelease { tenths: weight, .. } = &mut weighed.kind {
            *weight = tenths;
        }
        weighed
    };
    let all = |instance: Instance| match instance.kind {
        Kind::NextRelease { .. } => (0..=10).map(|tenths| weighed(instance.clone(), tenths)).collect(),
        _ => vec![instance],
    };
    instances.into_iter().flat_map(all).collect()
}

/// Computes all tables on the CPU and the first CUDA device, which, if present, computes all runs and the CPU one of
/// them for comparison.
///
/// # Errors
/// As [`measure`]; [`Error::Device`] if a present device cannot be opened.
pub fn tables(
    instances: &[Instance], algorithms: &[Algorithm], seeds: u64, threads: usize, tell: &mut dyn FnMut(&str),
) -> Result<Vec<Report>> {
    let (mut devices, notes) = openings()?;
    devices.truncate(1);
    let mut reports = measure::<SharedCuda>(instances, algorithms, seeds, threads, devices.first_mut(), tell)?;
    if let Some(times) = reports.last_mut() {
        times.notes.extend(notes);
    }
    Ok(reports)
}

/// Runs of an algorithm on an instance.
struct Sample {
    runs: Vec<BatchRun>,
    /// Mean seconds of a run in one thread.
    alone: f64,
    /// Seconds of a single run on the device, and per run of a batch.
    on_device: Option<[f64; 2]>,
}

/// Computes the tables of errors and hits, significance, and times; every result is confirmed by the checker.
///
/// # Errors
/// As [`batch`]; [`Error::Search`] if the checker rejects a result or a device deviates from the CPU.
pub fn measure<M: DeviceRuntime + std::fmt::Debug + 'static>(
    instances: &[Instance], algorithms: &[Algorithm], seeds: u64, threads: usize,
    mut device: Option<&mut Opening<'_, M>>, tell: &mut dyn FnMut(&str),
) -> Result<Vec<Report>> {
    let errors = ["instance", "algorithm", "runs", "mean error", "deviation", "worst", "hits", "mean first hit"];
    let mut errors = Report::new(format!("Errors and hits, seeds 1 to {seeds}"), &errors);
    let names: Vec<&str> = algorithms.iter().map(Algorithm::label).collect();
    let columns = [vec!["instance", "algorithm"], names.clone(), vec!["compared by", "p of all"]].concat();
    let mut signs = Report::new(format!("Significance, {:.0} %", 100.0 * (1.0 - LEVEL)), &columns);
    let times = [
        "instance", "algorithm", "iterations", "s, one thread", "10⁶ solutions/s", "10⁹ bits/s", "s, device",
        "reduction, %", "s, device, shared", "10⁶ solutions/s, shared", "10⁹ bits/s, shared",
    ];
    let mut times = Report::new("Seconds of a run and solutions per second", &times);
    let (began, all) = (Instant::now(), instances.len() * algorithms.len());
    let mut number = 0;
    for instance in instances {
        let optimum = exact::optimum(instance);
        let best = optimum.as_ref().map(|bits| run::verdict(instance, bits, 0.0).cost);
        let mut samples = Vec::new();
        for algorithm in algorithms {
            number += 1;
            let seconds = began.elapsed().as_secs_f64();
            tell(&format!("{number} of {all}: {}, {} ({seconds:.0} s so far)", instance.name, algorithm.label()));
            let sample = sample(instance, algorithm, seeds, threads, device.as_deref_mut())?;
            errors.rows.push(error_row(instance, algorithm, &sample.runs, optimum.as_deref()));
            times.rows.push(time_row(instance, algorithm, &sample));
            let reference = best.unwrap_or(0.0);
            samples.push(sample.runs.iter().map(|run| run.cost - reference).collect());
        }
        if seeds > 1 && samples.len() > 1 {
            sign_rows(&mut signs, instance, &names, &samples);
        }
    }
    errors.notes.push(
        "An error is what the fitness lacks of the optimum; a hit is an error of 0, and of a next release the very point: cost and \
         value of the cheapest of the best releases. First hits are iterations."
            .to_owned(),
    );
    signs.notes.push(
        "▲ better, ▽ worse than the algorithm of the column, – no significant difference. Kolmogorov–Smirnov and Levene; analysis of \
         variance and t (means), or Kruskal–Wallis and Wilcoxon–Mann–Whitney (ranks); Bonferroni–Dunn for pairs."
            .to_owned(),
    );
    if seeds < FEWEST_RUNS {
        let note = format!(
            "{seeds} runs of each are too few: pairs can hardly differ significantly, and “–” then says nothing. Take at least \
             {FEWEST_RUNS}."
        );
        signs.notes.push(note);
    }
    if seeds < PUBLISHED_RUNS {
        let note = format!("The paper has {PUBLISHED_RUNS} runs of each (--seeds {PUBLISHED_RUNS}); here are {seeds}.");
        errors.notes.push(note);
    }
    times.notes.push(
        "A solution is made, evaluated and compared; bits are solutions times their length, so that sizes can be compared. \
         The reduction is what a device saves of the time of one thread; “shared” is a run among as many as there are seeds."
            .to_owned(),
    );
    Ok(vec![errors, signs, times])
}

/// Runs all seeds on the device and the first one on the CPU, which must agree; without a device all on the CPU.
fn sample<M: DeviceRuntime + std::fmt::Debug + 'static>(
    instance: &Instance, algorithm: &Algorithm, seeds: u64, threads: usize, device: Option<&mut Opening<'_, M>>,
) -> Result<Sample> {
    let control = Control::new();
    let on_cpu = if device.is_some() { 1 } else { seeds };
    let runs = batch(instance, algorithm, [1, on_cpu], None, threads, &control, &|_, _| {})?;
    confirm(instance, &runs)?;
    let alone = summarise(&runs.iter().map(|run| run.seconds).collect::<Vec<_>>()).map_or(0.0, |summary| summary.mean);
    let Some(device) = device else { return Ok(Sample { runs, alone, on_device: None }) };
    let mut on_device = |count: u64| -> Result<Vec<BatchRun>> {
        let open = &mut || Ok((device.open)());
        cuda::batch(instance, algorithm, [1, count], open, Tuning::default(), &control)
    };
    // The first run loads the kernels and is not timed.
    on_device(1)?;
    let (single, shared) = (on_device(1)?, on_device(seeds)?);
    let told = |runs: &[BatchRun]| runs.iter().map(|run| (run.cost, run.since)).collect::<Vec<_>>();
    if told(&shared)[..1] != told(&runs) || told(&single) != told(&runs) {
        let what = format!(
            "{}, {}: the device has other results than the CPU, which is a fault",
            instance.name,
            algorithm.name()
        );
        return Err(Error::Search(what));
    }
    confirm(instance, &shared)?;
    Ok(Sample { on_device: Some([single[0].seconds, shared[0].seconds]), alone, runs: shared })
}

fn error_row(instance: &Instance, algorithm: &Algorithm, runs: &[BatchRun], optimum: Option<&[bool]>) -> Vec<String> {
    let best = optimum.map(|bits| (run::verdict(instance, bits, 0.0).cost, point(instance, bits)));
    let fitness = |cost: f64| instance.kind.fitness(cost);
    let most = best.map_or(0.0, |(cost, _)| fitness(cost));
    let errors: Vec<f64> = runs.iter().map(|run| (most - fitness(run.cost)).max(f64::MIN)).collect();
    let hit = |run: &BatchRun, (cost, exact): (f64, Option<(u64, u64)>)| {
        let bits: Vec<bool> = run.bits.bytes().map(|letter| letter == b'1').collect();
        run.hit(cost).filter(|_| point(instance, &bits) == exact)
    };
    let hits: Vec<f64> = best.map_or_else(Vec::new, |best| {
        runs.iter().filter_map(|run| hit(run, best)).map(|iteration| iteration as f64).collect()
    });
    let decimals = if errors.iter().all(|error| error.fract() == 0.0) { 1 } else { 4 };
    let number = |value: f64| format!("{value:.decimals$}");
    let [mean, deviation, worst] = match summarise(&errors) {
        Some(summary) if best.is_some() => [number(summary.mean), number(summary.deviation), number(summary.worst)],
        _ => Default::default(),
    };
    let first = summarise(&hits).map_or_else(String::new, |summary| format!("{:.1}", summary.mean));
    let (runs, hits) = (runs.len().to_string(), hits.len().to_string());
    vec![instance.name.clone(), algorithm.label().to_owned(), runs, mean, deviation, worst, hits, first]
}

/// Cost and value of a release; `None` for other problems.
fn point(instance: &Instance, bits: &[bool]) -> Option<(u64, u64)> {
    match check(instance, bits).worth {
        Worth::NextRelease { cost, value, .. } => Some((cost, value)),
        _ => None,
    }
}

fn sign_rows(report: &mut Report, instance: &Instance, names: &[&str], samples: &[Vec<f64>]) {
    let comparison = compare(samples, LEVEL);
    for (row, (name, signs)) in names.iter().zip(&comparison.signs).enumerate() {
        let sign = |(column, sign): (usize, &Sign)| match row == column {
            true => String::new(),
            false => sign.symbol().to_string(),
        };
        let mut cells = vec![instance.name.clone(), (*name).to_owned()];
        cells.extend(signs.iter().enumerate().map(sign));
        cells.push(if comparison.by_means { "means" } else { "ranks" }.to_owned());
        cells.push(format!("{:.2e}", comparison.overall));
        report.rows.push(cells);
    }
}

fn time_row(instance: &Instance, algorithm: &Algorithm, sample: &Sample) -> Vec<String> {
    let alone = sample.alone;
    let iterations = sample.runs.first().map_or(0, |run| run.iterations);
    let solutions = (2 * instance.cells() as u64 * iterations) as f64;
    let speed = |seconds: f64| solutions / seconds.max(1e-9);
    let bits = |seconds: f64| format!("{:.2}", speed(seconds) * instance.bits() as f64 / 1e9);
    let millions = |seconds: f64| format!("{:.1}", speed(seconds) / 1e6);
    let mut row = vec![
        instance.name.clone(),
        algorithm.label().to_owned(),
        iterations.to_string(),
        format!("{alone:.3}"),
        millions(alone),
        bits(alone),
    ];
    match sample.on_device {
        Some([one, shared]) => row.extend([
            format!("{one:.4}"),
            format!("{:.2}", 100.0 * (1.0 - one / alone.max(1e-9))),
            format!("{shared:.5}"),
            millions(shared),
            bits(shared),
        ]),
        None => row.extend(std::iter::repeat_n(String::new(), 5)),
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systolic::library;

    #[test]
    fn the_tables_have_a_row_for_every_algorithm() {
        let instances = ["knapsack:100-1000", "nrp:30-20"].map(|name| library::named(name, 5).unwrap());
        let algorithms = ["sgs-b", "sgs-t", "random"].map(|name| Algorithm::named(name).unwrap());
        let mut told = 0;
        let tell = &mut |_: &str| told += 1;
        let reports = measure::<SharedCuda>(&instances, &algorithms, 6, 2, None, tell).unwrap();
        assert_eq!((told, reports.len()), (6, 3));
        for report in &reports {
            assert_eq!(report.rows.len(), 6, "{}", report.title);
            assert!(report.rows.iter().all(|row| row.len() == report.columns.len()));
            assert!(report.csv().lines().count() == 7);
        }
        // B finds the optimum in every run, T and random search in none, and that is no accident.
        let errors = &reports[0].rows;
        assert_eq!((errors[0][3].as_str(), errors[0][6].as_str()), ("0.0", "6"));
        assert!(errors[1][3].parse::<f64>().unwrap() > 100.0 && errors[1][6] == "0", "{:?}", errors[1]);
        assert_eq!(reports[1].rows[0][2..5], ["", "▲", "▲"].map(str::to_owned));
        assert_eq!(reports[1].rows[2][2], "▽");
        assert_eq!(reports[2].rows[0][2], "700");
        assert!(
            reports[1].notes.iter().any(|note| note.starts_with("6 runs of each are too few")),
            "{:?}",
            reports[1].notes
        );
    }

    #[test]
    fn a_release_is_measured_with_every_weight_and_hits_are_points() {
        let named = ["onemax:100", "nrp:30-20"].map(|name| library::named(name, 5).unwrap());
        let instances = with_all_weights(named.to_vec());
        let names: Vec<&str> = instances.iter().map(|instance| instance.name.as_str()).collect();
        assert_eq!((names.len(), names[4], names[11]), (12, "30-20-1, w = 0.3", "30-20-1, w = 1"));
        // With all weight on what is left out, the last requirement costs and changes nothing.
        let kind = Kind::NextRelease { costs: vec![3, 1, 2, 9], values: vec![5, 1, 4, 0], value_scale: 1, tenths: 10 };
        let instance = Instance { kind, ..instances[11].clone() };
        let all = exact::optimum(&instance).unwrap();
        let hits = |bits: &str| {
            let bits = bits.to_owned();
            let run = BatchRun { seed: 1, cost: 0.0, since: 3, iterations: 9, seconds: 0.1, bits };
            error_row(&instance, &Algorithm::default(), &[run], Some(&all))[6].clone()
        };
        assert_eq!((hits("1110").as_str(), hits("1111").as_str()), ("1", "0"));
    }
}
