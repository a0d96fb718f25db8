//! Tables 3 and 2 of Kolonias et al. 2014 (speed of the hybrid evolutionary algorithm), measured on this machine: evaluation with
//! full and sparse matrices (Table 3), and a whole generation (Table 2) phase by phase; CPU with one thread, with all threads, and
//! every CUDA device.

mod cpu;
mod device;

use std::fmt;

use gridwright_kernels::SharedCuda;

use super::devices::machines;
use crate::evolution::EvolutionParameters;
use crate::{Instance, Rules};
use gridwright_core::numbers::counted;
use gridwright_core::search::report::Report;
use gridwright_core::{Error, Result};

/// Number of generations that the CPU runs per figure; a device is compared after as many.
const GENERATIONS: u32 = 2;

/// Seconds after which the CPU begins no further generation, and time limit of an evaluation on it.
const ENOUGH: f64 = 3.0;

/// Heads of the columns before the figures.
const WHERE: [&str; 3] = ["instance", "population", "computed on"];

const EVALUATION: [&str; 8] = [
    "full, by chromosome", "full, by exam", "sparse, by chromosome", "sparse, by exam", "half sparse, by chromosome",
    "half sparse, by exam", "the fastest, times one thread", "published, times one core",
];

const GENERATION: [&str; 10] = [
    "reproduction, one kernel", "two kernels", "mutation", "descent", "evaluation, half sparse",
    "generation, in stages", "in one kernel", "times one thread", "times all threads", "published, times one core",
];

const APART: [&str; 5] = [
    "initial population on the host", "tables and population to the device", "population from the device",
    "MiB of a population", "GB/s from the device",
];

/// Duration in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Milliseconds {
    value: f64,
    /// True if it was extrapolated from a part of the population.
    scaled: bool,
}

impl Milliseconds {
    fn of_seconds(seconds: f64) -> Self {
        Self { value: seconds * 1e3, scaled: false }
    }
}

impl fmt::Display for Milliseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:.3}", if self.scaled { "≈" } else { "" }, self.value)
    }
}

/// Durations of one generation and its phases.
#[derive(Debug, Clone, Default)]
struct Figures {
    /// By matrix (full, compressed sparse rows, half of them) and unit of work (chromosome, exam).
    evaluation: [[Option<Milliseconds>; 2]; 3],
    /// In one pass or kernel, and in two.
    reproduction: [Option<Milliseconds>; 2],
    mutation: Option<Milliseconds>,
    descent: Option<Milliseconds>,
    /// Whole generation in one kernel or pass.
    fused: Option<Milliseconds>,
}

impl Figures {
    fn fastest_evaluation(&self) -> Option<f64> {
        let all = self.evaluation.iter().flatten().flatten().map(|figure| figure.value);
        all.min_by(f64::total_cmp)
    }

    /// The faster of the two half sparse evaluations.
    fn half_sparse(&self) -> Option<Milliseconds> {
        self.evaluation[2].iter().flatten().copied().min_by(|a, b| a.value.total_cmp(&b.value))
    }

    /// Sum of the phases, with one-pass reproduction and the half sparse evaluation.
    fn in_stages(&self) -> Option<Milliseconds> {
        let stages = [self.reproduction[0], self.mutation, self.descent, self.half_sparse()];
        let value = stages.into_iter().map(|stage| stage.map(|figure| figure.value)).sum::<Option<f64>>()?;
        Some(Milliseconds { value, scaled: false })
    }

    /// Duration of the fastest variant of a generation, in milliseconds.
    fn generation(&self) -> Option<f64> {
        let ways = [self.in_stages(), self.fused].into_iter().flatten().map(|figure| figure.value);
        ways.min_by(f64::total_cmp)
    }
}

/// Measures Tables 3 and 2 of the paper and the transfers on the CPU and every device of this machine.
///
/// # Errors
/// As [`measure`]; [`Error::Device`] if a present device cannot be opened.
pub fn tables(
    instances: &[Instance], populations: &[u32], threads: usize, generations: u32, tell: &mut dyn FnMut(&str),
) -> Result<Vec<Report>> {
    let (machines, notes) = machines()?;
    let mut reports = measure(instances, populations, threads, generations, &machines, tell)?;
    if let Some(apart) = reports.last_mut() {
        apart.notes.extend(notes);
    }
    Ok(reports)
}

/// As [`tables`] on the given devices; a device figure is the mean of at most `generations` generations.
///
/// # Errors
/// Errors of a search; [`Error::Search`] if two of them give different populations or costs.
pub fn measure(
    instances: &[Instance], populations: &[u32], threads: usize, generations: u32, machines: &[SharedCuda],
    tell: &mut dyn FnMut(&str),
) -> Result<Vec<Report>> {
    let report = |title: &str, columns: &[&str]| Report::new(title, &[&WHERE[..], columns].concat());
    let mut reports = [
        report("Table 3: evaluation of a population, milliseconds", &EVALUATION),
        report("Table 2: a generation stage by stage, milliseconds", &GENERATION),
        report("Apart from the tables: transfers, milliseconds", &APART),
    ];
    let mut counts = vec![1, threads.max(1)];
    counts.dedup();
    for instance in instances {
        let instance = &without_demands(instance, &mut reports[0].notes)?;
        for &population in populations {
            let parameters =
                EvolutionParameters { population, constructed: 0, mutation: 0.005, ..EvolutionParameters::default() };
            let mut case = Case {
                instance,
                parameters,
                generations,
                digests: Vec::new(),
                one_thread: None,
                all_threads: None,
                tell,
            };
            for &count in &counts {
                let figures = case.cpu(count)?;
                case.one_thread.get_or_insert_with(|| figures.clone());
                case.all_threads = (counts.last() == Some(&count)).then(|| figures.clone());
                case.rows(&mut reports, &format!("CPU, {}", counted(count, "thread")), &figures);
            }
            for (ordinal, runtime) in machines.iter().enumerate() {
                let on = format!("cuda:{ordinal}");
                let figures = case.device(runtime, &on)?;
                case.rows(&mut reports, &on, &figures);
                let transfers = case.transfers(runtime)?;
                let cells = transfers.iter().map(|number| format!("{number:.3}"));
                case.row(&mut reports[2], &on, cells.collect());
            }
        }
    }
    explain(&mut reports, generations);
    Ok(reports.to_vec())
}

/// Removes rules and seats, which the separate kernels of the phases do not know, and adds a note if there were any.
fn without_demands(instance: &Instance, notes: &mut Vec<String>) -> Result<Instance> {
    if !instance.is_restricted() {
        return Ok(instance.clone());
    }
    notes.push(format!("{}: measured without its rules and seats, which the paper does not know.", instance.name));
    let (mut plain, count) = (instance.clone(), instance.period_count());
    (plain.rules, plain.periods) = (Rules::default(), Vec::new());
    plain.with_periods(count)
}

/// Benchmark case: one instance with one population.
struct Case<'a, 'b> {
    instance: &'a Instance,
    parameters: EvolutionParameters,
    /// Maximum number of generations per device figure.
    generations: u32,
    /// Digests after each generation that a CPU has computed.
    digests: Vec<u64>,
    /// Durations on the CPU with one thread, once measured.
    one_thread: Option<Figures>,
    /// Durations on the CPU with all threads, once measured.
    all_threads: Option<Figures>,
    tell: &'a mut (dyn FnMut(&str) + 'b),
}

impl Case<'_, '_> {
    fn tell(&mut self, what: &str) {
        let text = format!("{}, population {}, {what}", self.instance.name, self.parameters.population);
        (self.tell)(&text);
    }

    fn differs(&self, on: &str) -> Error {
        Error::Search(format!(
            "{}, population {}: {on} ended with another population or other costs; please report this",
            self.instance.name, self.parameters.population
        ))
    }

    fn row(&self, report: &mut Report, on: &str, cells: Vec<String>) {
        let first = [self.instance.name.clone(), self.parameters.population.to_string(), on.to_owned()];
        report.rows.push(first.into_iter().chain(cells).collect());
    }

    /// Appends a row to each table.
    fn rows(&self, reports: &mut [Report; 3], on: &str, figures: &Figures) {
        let cell = |figure: Option<Milliseconds>| figure.map_or_else(String::new, |figure| figure.to_string());
        // The published column is empty: see the notes.
        let published = String::new();
        let times = |of: fn(&Figures) -> Option<f64>, than: &Option<Figures>| {
            let figures = of(figures).zip(than.as_ref().and_then(of));
            figures.map_or_else(String::new, |(here, there)| format!("{:.1}", there / here))
        };
        let evaluations = figures.evaluation.iter().flatten().map(|&figure| cell(figure));
        let faster = times(Figures::fastest_evaluation, &self.one_thread);
        self.row(&mut reports[0], on, evaluations.chain([faster, published.clone()]).collect());
        let stages = [
            figures.reproduction[0],
            figures.reproduction[1],
            figures.mutation,
            figures.descent,
            figures.half_sparse(),
            figures.in_stages(),
            figures.fused,
        ];
        let (one, all) = (times(Figures::generation, &self.one_thread), times(Figures::generation, &self.all_threads));
        self.row(&mut reports[1], on, stages.into_iter().map(cell).chain([one, all, published]).collect());
    }
}

fn explain(reports: &mut [Report; 3], generations: u32) {
    let published = "The last column is left empty: the paper measured other hardware (GTX 580, Core i7). It reports that a GPU \
                     computed a generation 21 to 26 times as fast as one core (Table 2, populations of 8,192 and more).";
    reports[0].notes.extend([
        format!(
            "Crossover 0.5, mutation 0.005, nothing constructed; “by chromosome” is one thread for a chromosome, “by exam” \
             one for an exam and a sum over them. On the CPU, sparse rows have a single evaluator. ≈: where an evaluation on \
             the CPU would take more than {ENOUGH} s, as many chromosomes are evaluated as that allows, and the time is \
             scaled to all. All evaluators give equal costs."
        ),
        published.to_owned(),
    ]);
    reports[1].notes.extend([
        format!(
            "Mean of {GENERATIONS} generations on the CPU (of one where that took more than {ENOUGH} s) and of at most \
             {generations} on a device; stages there include the launch of each and the wait for it. “One kernel” on the \
             CPU is one pass. A generation in stages is reproduction in one, mutation, descent and the faster half sparse \
             evaluation. “Times” compares the faster way to a generation. Digests of all populations are equal."
        ),
        published.to_owned(),
    ]);
    reports[2].notes.push(
        "These durations are not part of the tables above. Tables and population are copied to a device once per run; the \
         population is copied back from time to time as a checkpoint for the case that the device is lost."
            .to_owned(),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::sample;

    #[test]
    fn the_cpu_fills_both_tables() {
        let reports = measure(&[sample("school").unwrap()], &[16, 33], 2, 3, &[], &mut |_| {}).unwrap();
        let [evaluation, generation, apart] = reports.as_slice() else { panic!("three tables") };
        // Table 3 of the paper compares full with sparse matrices, Table 2 whole generations.
        assert!(evaluation.title.starts_with("Table 3: evaluation") && evaluation.columns[3].starts_with("full"));
        assert!(generation.title.starts_with("Table 2: a generation"), "{}", generation.title);
        for report in [evaluation, generation] {
            assert_eq!(report.rows.len(), 4, "two populations, one thread and two");
            assert!(report.rows.iter().all(|row| row.len() == report.columns.len()));
            assert_eq!((report.rows[1][1].as_str(), report.rows[1][2].as_str()), ("16", "CPU, 2 threads"));
            assert!(report.notes.iter().any(|note| note.contains("21 to 26")));
        }
        assert!(apart.rows.is_empty());
        assert!(evaluation.notes[0].contains("without its rules"), "{:?}", evaluation.notes);
        let number = |report: &Report, row: usize, column: usize| report.rows[row][column].parse::<f64>().unwrap();
        for row in 0..4 {
            assert!([3, 4, 5, 7].iter().all(|&column| number(evaluation, row, column) > 0.0));
            assert_eq!((evaluation.rows[row][6].as_str(), evaluation.rows[row][8].as_str()), ("", ""));
            let stages: f64 = [3, 5, 6, 7].iter().map(|&column| number(generation, row, column)).sum();
            assert!((stages - number(generation, row, 8)).abs() < 0.01, "{:?}", generation.rows[row]);
        }
        assert_eq!((generation.rows[0][10].as_str(), generation.rows[0][11].as_str()), ("1.0", ""));
        assert_eq!(generation.rows[1][11], "1.0");
    }

    #[test]
    fn a_part_of_a_population_is_said_to_be_one() {
        assert_eq!(Milliseconds { value: 70_000.0, scaled: true }.to_string(), "≈70000.000");
        assert_eq!(Milliseconds::of_seconds(0.0015).to_string(), "1.500");
    }
}
