//! Costs that both algorithms reach, on the CPU or on a device, beside published ones.

use std::time::Instant;

use super::run;
use crate::result::RunResult;
use crate::search::report::Report;
use crate::search::{Budget, Parameters as _};
use crate::statistics::summary::{Summary, gap_percent, summarise};
use crate::timetabling::Instance;
use crate::timetabling::annealing::AnnealingParameters;
use crate::timetabling::evolution::EvolutionParameters;
use crate::timetabling::instance::{best_known, published_mean};
use crate::timetabling::run::Algorithm;
use crate::{Error, Result, numbers};

/// Number of generations of the published quality runs.
pub const PUBLISHED_GENERATIONS: u32 = 200;

/// Largest population with published means.
pub const PUBLISHED_POPULATION: u32 = 16_384;

/// Backend of a benchmark.
#[derive(Debug, Clone, Copy)]
pub struct On<'a> {
    /// `auto`, `cpu` or `cuda:N`.
    pub backend: &'a str,
    /// Number of CPU threads; 0: all.
    pub threads: usize,
}

/// Runs of one instance with the seeds 1 to n.
struct Runs {
    /// Costs per student of the feasible results, by the checker.
    costs: Vec<f64>,
    results: Vec<RunResult>,
    /// Total seconds of all runs.
    seconds: f64,
}

impl Runs {
    /// Runs every seed.
    ///
    /// # Errors
    /// Errors of a run; [`Error::Search`] if the checker finds another cost than the search.
    fn of(
        instance: &Instance, algorithm: &Algorithm, (on, seeds): (On<'_>, u64), budget: Budget,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Self> {
        let began = Instant::now();
        let (mut costs, mut results) = (Vec::new(), Vec::new());
        for seed in 1..=seeds {
            tell(&format!("{}, seed {seed}", instance.name));
            let result = run(instance, algorithm.clone(), on, seed, budget)?;
            if !result.verdict.confirmed {
                return Err(Error::Search(format!(
                    "{}: the checker finds another cost than the search with seed {seed}; please report this",
                    instance.name
                )));
            }
            if result.verdict.feasible {
                costs.push(result.verdict.cost / f64::from(instance.divisor));
            }
            results.push(result);
        }
        Ok(Self { costs, results, seconds: began.elapsed().as_secs_f64() })
    }

    fn summary(&self) -> Option<Summary> {
        summarise(&self.costs)
    }

    /// Notes on the runs, such as infeasible results.
    fn notes(&self, instance: &Instance) -> Vec<String> {
        let name = &instance.name;
        let lost = self
            .results
            .iter()
            .flat_map(|result| result.device_notes().map(move |note| format!("{name}, seed {}: {note}.", result.seed)));
        let infeasible = self.results.iter().filter(|result| !result.verdict.feasible);
        let infeasible = infeasible.map(|result| {
            format!("{name}: seed {} ended without a feasible timetable and is not counted.", result.seed)
        });
        lost.chain(infeasible).collect()
    }
}

/// Appends the devices of `runs` that are not in the list yet.
fn computed_on(devices: &mut Vec<String>, runs: &Runs) {
    for result in &runs.results {
        let device = match result.backend.as_str() {
            "cpu" => format!("{}, {} threads", result.device, result.threads),
            backend => format!("{backend}, {}", result.device),
        };
        if !devices.contains(&device) {
            devices.push(device);
        }
    }
}

fn percent(gap: Option<f64>) -> String {
    gap.map_or_else(String::new, |gap| format!("{gap:+.2}"))
}

fn mean_note(what: &str, gaps: &[f64]) -> Option<String> {
    let count = gaps.len();
    summarise(gaps).map(|summary| format!("Mean {what} over {count} instances: {:+.2} %.", summary.mean))
}

/// Measures the costs of annealing under a time limit against the best known costs; every cost comes from the checker.
///
/// # Errors
/// As [`crate::timetabling::run::solve`]; [`Error::Search`] if the checker finds another cost than the search.
pub fn annealing_results(
    instances: &[Instance], parameters: &AnnealingParameters, on: On<'_>, seconds: f64, seeds: u64,
    tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let columns = [
        "instance", "chains", "million steps of each", "10⁹ proposals per second", "best", "mean",
        "published evolutionary mean", "best known", "gap of the best, %", "gap of the mean, %", "seconds",
    ];
    let mut report = Report::new(format!("Annealing, {seconds} s, seeds 1 to {seeds}"), &columns);
    let (mut gaps, mut devices) = (Vec::new(), Vec::new());
    let algorithm = Algorithm::Annealing(parameters.clone());
    for instance in instances {
        let runs = Runs::of(instance, &algorithm, (on, seeds), Budget::Seconds(seconds), tell)?;
        computed_on(&mut devices, &runs);
        report.notes.extend(runs.notes(instance));
        let Some(summary) = runs.summary() else { continue };
        let known = best_known(&instance.name);
        let gap = |cost: f64| known.map(|known| gap_percent(cost, known));
        gaps.extend(gap(summary.mean));
        let mean = |of: &dyn Fn(&RunResult) -> f64| runs.results.iter().map(of).sum::<f64>() / seeds.max(1) as f64;
        let chains = |result: &RunResult| result.parameters.get("chains").map_or(1, |value| value.integer()) as f64;
        report.rows.push(vec![
            instance.name.clone(),
            format!("{:.0}", mean(&chains)),
            format!("{:.2}", mean(&|result| result.generations as f64 / 1e6)),
            format!("{:.3}", mean(&|result| result.evaluations as f64 / result.seconds.max(1e-9) / 1e9)),
            numbers::cost(summary.best),
            numbers::cost(summary.mean),
            published_mean(&instance.name, PUBLISHED_POPULATION).map_or_else(String::new, |mean| format!("{mean:.2}")),
            known.map_or_else(String::new, numbers::cost),
            percent(gap(summary.best)),
            percent(gap(summary.mean)),
            format!("{:.1}", runs.results.iter().map(|result| result.seconds).fold(0.0, f64::max)),
        ]);
    }
    report.notes.extend(mean_note("gap to the best known", &gaps));
    report.notes.push(format!("Computed on {}. Every cost is the checker's.", devices.join("; ")));
    Ok(report)
}

/// Measures the costs of the hybrid evolutionary algorithm against the published means, if population and generations
/// are the published ones, and against the best known costs.
///
/// # Errors
/// As [`annealing_results`].
pub fn evolution_results(
    instances: &[Instance], parameters: &EvolutionParameters, on: On<'_>, generations: u32, seeds: u64,
    tell: &mut dyn FnMut(&str),
) -> Result<Report> {
    let title = format!(
        "Hybrid evolutionary algorithm, population {}, {generations} generations, crossover {}, mutation {}, seeds 1 to \
         {seeds}",
        parameters.population, parameters.crossover, parameters.mutation
    );
    let columns = [
        "instance", "best", "mean", "worst", "deviation", "published mean", "gap to the published mean, %",
        "best known", "gap of the best, %", "gap of the mean, %", "seconds a run",
    ];
    let mut report = Report::new(title, &columns);
    let (mut published_gaps, mut gaps, mut devices) = (Vec::new(), Vec::new(), Vec::new());
    let algorithm = Algorithm::Evolution(parameters.clone());
    for instance in instances {
        let budget = Budget::Steps(u64::from(generations));
        let runs = Runs::of(instance, &algorithm, (on, seeds), budget, tell)?;
        computed_on(&mut devices, &runs);
        report.notes.extend(runs.notes(instance));
        let Some(summary) = runs.summary() else { continue };
        let published =
            published_mean(&instance.name, parameters.population).filter(|_| generations == PUBLISHED_GENERATIONS);
        let to_published = published.map(|mean| gap_percent(summary.mean, mean));
        let known = best_known(&instance.name);
        let gap = |cost: f64| known.map(|known| gap_percent(cost, known));
        published_gaps.extend(to_published);
        gaps.extend(gap(summary.mean));
        report.rows.push(vec![
            instance.name.clone(),
            format!("{:.3}", summary.best),
            format!("{:.3}", summary.mean),
            format!("{:.3}", summary.worst),
            format!("{:.3}", summary.deviation),
            published.map_or_else(String::new, |mean| format!("{mean:.2}")),
            percent(to_published),
            known.map_or_else(String::new, numbers::cost),
            percent(gap(summary.best)),
            percent(gap(summary.mean)),
            format!("{:.2}", runs.seconds / seeds.max(1) as f64),
        ]);
    }
    report.notes.extend(mean_note("gap to the published mean", &published_gaps));
    report.notes.extend(mean_note("gap to the best known", &gaps));
    report.notes.extend(otherwise_set(parameters));
    report.notes.push(format!("Computed on {}. Every cost is the checker's.", devices.join("; ")));
    Ok(report)
}

/// Note on the parameters that differ from the published quality runs; `None` if none does.
fn otherwise_set(parameters: &EvolutionParameters) -> Option<String> {
    let published = EvolutionParameters { population: parameters.population, ..EvolutionParameters::default() };
    let (ours, theirs) = (parameters.values(), published.values());
    let other = |name: &&String| ours.get(*name) != theirs.get(*name);
    let names: Vec<&str> = ours.keys().filter(other).map(String::as_str).collect();
    (!names.is_empty()).then(|| format!("Set otherwise than in the published runs: {}.", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timetabling::generator::sample;

    const ON: On<'_> = On { backend: "cpu", threads: 2 };

    #[test]
    fn both_searches_are_compared_with_what_was_published() {
        let mut school = sample("school").unwrap();
        // Under the name of a published instance, so that every column is filled.
        school.name = "pur-s-93".to_owned();
        let (school, mut told) = ([school], 0);
        let mut tell = |_: &str| told += 1;
        let annealing = AnnealingParameters { chains: 3, ..AnnealingParameters::default() };
        let annealed = annealing_results(&school, &annealing, ON, 0.1, 2, &mut tell).unwrap();
        let small = EvolutionParameters { population: 40, ..EvolutionParameters::default() };
        let evolved = evolution_results(&school, &small, ON, 20, 2, &mut tell).unwrap();
        let published = evolution_results(&school, &EvolutionParameters::default(), ON, 200, 1, &mut tell).unwrap();
        assert_eq!(told, 5);
        for report in [&annealed, &evolved, &published] {
            assert_eq!(report.rows.len(), 1);
            assert_eq!(report.rows[0].len(), report.columns.len());
            assert!(report.notes.iter().any(|note| note.contains("CPU") && note.contains("2 threads")));
        }
        assert_eq!((annealed.rows[0][1].as_str(), annealed.rows[0][6].as_str()), ("3", "8.36"));
        let cost = |table: &Report, column: usize| table.rows[0][column].parse::<f64>().unwrap();
        assert!(cost(&annealed, 4) > 0.0 && cost(&evolved, 1) >= cost(&annealed, 4) * 0.95);
        assert!(annealed.rows[0][9].starts_with(['+', '-']), "{:?}", annealed.rows[0]);
        assert_eq!(evolved.rows[0][5], "", "nothing was published for this population");
        assert!(!evolved.notes.iter().any(|note| note.contains("published")), "{:?}", evolved.notes);
    }

    #[test]
    fn published_means_belong_to_a_population() {
        assert_eq!(published_mean("pur-s-93", 16_384), Some(8.36));
        assert_eq!(published_mean("hec-s-92", 256), Some(12.27));
        assert_eq!((published_mean("pur-s-93", 256), published_mean("hec-s-92", 512)), (Some(21.51), None));
        let mutated = EvolutionParameters { mutation: 0.005, tournament: 2, ..EvolutionParameters::default() };
        assert!(otherwise_set(&mutated).unwrap().ends_with("mutation, tournament."));
        assert_eq!(otherwise_set(&EvolutionParameters { population: 16_384, ..Default::default() }), None);
    }

    #[test]
    fn a_device_that_is_asked_for_and_is_not_there_ends_the_measurement() {
        let school = [sample("school").unwrap()];
        let on = On { backend: "cuda:4000", threads: 1 };
        let refused = evolution_results(&school, &EvolutionParameters::default(), on, 1, 1, &mut |_| {});
        assert!(matches!(refused, Err(Error::Device(_))));
    }
}
