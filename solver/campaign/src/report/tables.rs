//! Tables and tests of a section.

use std::borrow::Cow;

use gridwright_core::numbers::{self, counted, counted_as};
use gridwright_core::statistics::LEVEL;
use gridwright_core::statistics::friedman::{Friedman, critical_difference, friedman};
use gridwright_core::statistics::kruskal::{dunn, kruskal_wallis, symmetric};
use gridwright_core::statistics::pairs::{vargha_delaney, wilcoxon};
use gridwright_core::statistics::ranks::ranks;
use gridwright_core::statistics::summary::{five_numbers, summarise};
use gridwright_core::text::table::write_table;

use super::data::Section;
use crate::row::Row;

/// Smallest number of runs per algorithm for a test on one instance.
pub(crate) const LEAST_RUNS: usize = 5;

/// Smallest number of instances for Friedman's test.
pub(crate) const LEAST_INSTANCES: usize = 5;

/// Smallest number of pairs at which the signed-rank test can reach the level 0.05: 2 / 2⁶ = 0.031.
pub(crate) const LEAST_PAIRS: usize = 6;

/// A cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number with at most so many decimals where people read it.
    Number(f64, usize),
    /// A probability.
    Probability(f64),
    /// Nothing to show.
    Empty,
}

impl Cell {
    fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    fn number(value: Option<f64>, decimals: usize) -> Self {
        value.filter(|value| value.is_finite()).map_or(Self::Empty, |value| Self::Number(value, decimals))
    }

    fn count(count: usize) -> Self {
        Self::Number(count as f64, 0)
    }

    /// The cell as people read it.
    pub fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(value, decimals) => numbers::figure(*value, *decimals),
            Self::Probability(p) if *p < 1e-4 => "< 0.0001".to_owned(),
            Self::Probability(p) => numbers::figure(*p, 4),
            Self::Empty => "–".to_owned(),
        }
    }

    /// The cell with plain digits.
    pub fn plain(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(value, _) | Self::Probability(value) => value.to_string(),
            Self::Empty => String::new(),
        }
    }

    /// True for numbers, which are aligned right.
    pub fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_))
    }
}

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Word for file names, such as `summary`.
    pub name: Cow<'static, str>,
    /// Title.
    pub title: String,
    /// One line that says how to read the table, or why it is empty.
    pub reading: String,
    /// Heads of the columns.
    pub columns: Vec<&'static str>,
    /// Rows with one cell per column.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// The table as CSV with plain digits.
    pub fn csv(&self) -> String {
        write_table(&self.columns, self.rows.iter().map(|row| row.iter().map(Cell::plain).collect()))
    }
}

/// Text of a cell in one line: `write` appends the replacement of a special letter and returns `true`, or returns `false`.
pub(super) fn escaped(text: &str, write: impl Fn(char, &mut String) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if !write(letter, &mut escaped) {
            escaped.push(if matches!(letter, '\n' | '\r') { ' ' } else { letter });
        }
    }
    escaped
}

pub(crate) fn all(section: &Section<'_>) -> Vec<Table> {
    let mut tables = vec![overview(section), summary(section), tests(section)];
    tables.extend(pairs(section));
    tables.extend(super::fronts::fronts(section));
    tables.push(times(section));
    tables.extend(failures(section));
    tables
}

/// Friedman's test on the section, where there is enough to test.
///
/// # Errors
/// A sentence that says what is missing.
pub(crate) fn ranked(section: &Section<'_>) -> Result<Friedman, String> {
    let (blocks, algorithms) = (section.blocks(), section.algorithms.len());
    if algorithms < 3 {
        let what = counted_as(algorithms as u64, "algorithm is", "algorithms are");
        return Err(format!("{what} too few for a test of several; at least 3 are needed"));
    }
    if blocks.len() < LEAST_INSTANCES {
        let what = counted(blocks.len() as u64, "instance");
        return Err(format!("{what} with runs of all algorithms: at least {LEAST_INSTANCES} are needed"));
    }
    friedman(&blocks).ok_or_else(|| "there are no complete instances".to_owned())
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Gaps to the best known costs of the valid runs among the rows of one algorithm on some instances, in per cent.
fn gaps(section: &Section<'_>, instances: &[usize], algorithm: usize) -> Vec<f64> {
    let of = |&instance: &usize| {
        let rows = section.runs[instance][algorithm].iter().filter(|row| row.is_valid());
        rows.filter_map(move |row| row.gap.or(row.gap_to(section.best_known[instance]?)))
    };
    instances.iter().flat_map(of).collect()
}

/// Number of runs that reached the best cost known, by their gaps.
fn hits(gaps: &[f64]) -> usize {
    gaps.iter().filter(|gap| **gap <= 1e-9).count()
}

fn overview(section: &Section<'_>) -> Table {
    let blocks = section.blocks();
    let block_ranks: Vec<Vec<f64>> = blocks.iter().map(|block| ranks(block).0).collect();
    let instances = Vec::from_iter(0..section.instances.len());
    let row = |algorithm: usize| {
        let gaps = gaps(section, &instances, algorithm);
        let rows: Vec<&Row> = section.runs.iter().flat_map(|runs| runs[algorithm].iter().copied()).collect();
        let own: Vec<f64> = block_ranks.iter().map(|ranks| ranks[algorithm]).collect();
        let is_first =
            |block: &&Vec<f64>| block.iter().all(|value| block[algorithm] <= *value) && block[algorithm].is_finite();
        vec![
            Cell::text(&section.algorithms[algorithm]),
            Cell::count(rows.len()),
            Cell::count(rows.iter().filter(|row| row.is_valid()).count()),
            Cell::number(mean(&own), 2),
            Cell::count(blocks.iter().filter(is_first).count()),
            Cell::number(mean(&gaps), 2),
            Cell::count(hits(&gaps)),
        ]
    };
    Table {
        name: Cow::Borrowed("overview"),
        title: "Overview".to_owned(),
        reading: format!(
            "Mean rank over {}, by the mean on each (1 is the best); first: instances with the \
                best mean; hits: runs that reached the best cost known.",
            counted(blocks.len() as u64, "instance")
        ),
        columns: vec!["Algorithm", "Runs", "Feasible", "Mean rank", "First", "Mean gap, %", "Hits"],
        rows: (0..section.algorithms.len()).map(row).collect(),
    }
}

/// Marks of the algorithms on one instance: the best by mean rank, those that do not differ significantly from it, and those
/// that are worse; and the p-value of the test of Kruskal and Wallis. `None` if there are too few runs.
fn marks(section: &Section<'_>, instance: usize) -> Option<(Vec<&'static str>, f64)> {
    let samples = section.samples(instance);
    if samples.len() < 2 || samples.iter().any(|sample| sample.len() < LEAST_RUNS) {
        return None;
    }
    let overall = kruskal_wallis(&samples);
    let all = ranks(&samples.concat()).0;
    let mut from = 0;
    let means: Vec<f64> = samples
        .iter()
        .map(|sample| {
            from += sample.len();
            all[from - sample.len()..from].iter().sum::<f64>() / sample.len() as f64
        })
        .collect();
    let best = (0..means.len()).min_by(|&a, &b| means[a].total_cmp(&means[b]))?;
    let pairwise = dunn(&samples);
    let mark = |algorithm: usize| match algorithm == best {
        true => "best",
        false if overall < LEVEL && pairwise[best][algorithm] < LEVEL => "▽",
        false => "≈",
    };
    Some(((0..means.len()).map(mark).collect(), overall))
}

fn summary(section: &Section<'_>) -> Table {
    let (mut rows, mut untested) = (Vec::new(), 0);
    for (instance, name) in section.instances.iter().enumerate() {
        let marks = marks(section, instance);
        untested += u64::from(marks.is_none());
        let costs: Vec<f64> =
            section.samples(instance).iter().map(|costs| mean(costs).unwrap_or(f64::INFINITY)).collect();
        let order = ranks(&costs).0;
        for (algorithm, label) in section.algorithms.iter().enumerate() {
            let runs = &section.runs[instance][algorithm];
            if runs.is_empty() {
                continue;
            }
            let valid: Vec<&&Row> = runs.iter().filter(|row| row.is_valid()).collect();
            // The smallest cost need not be the smallest figure: some problems show what is the better the larger.
            let by_cost = |a: &&&&Row, b: &&&&Row| a.ranked_cost().total_cmp(&b.ranked_cost());
            let best = valid.iter().min_by(by_cost).and_then(|row| row.cost_display);
            let worst = valid.iter().max_by(by_cost).and_then(|row| row.cost_display);
            let shown: Vec<f64> = valid.iter().filter_map(|row| row.cost_display).collect();
            let (summary, gaps) = (summarise(&shown), gaps(section, &[instance], algorithm));
            rows.push(vec![
                Cell::text(name),
                Cell::text(label),
                Cell::count(runs.len()),
                Cell::count(valid.len()),
                Cell::number(best, 4),
                Cell::number(summary.map(|summary| summary.mean), 4),
                Cell::number(five_numbers(&shown).map(|numbers| numbers[2]), 4),
                Cell::number(summary.map(|summary| summary.deviation), 4),
                Cell::number(worst, 4),
                Cell::number(mean(&gaps), 2),
                Cell::count(hits(&gaps)),
                Cell::number(Some(order[algorithm]), 1),
                marks.as_ref().map_or(Cell::Empty, |marks| Cell::text(marks.0[algorithm])),
                marks.as_ref().map_or(Cell::Empty, |marks| Cell::Probability(marks.1)),
            ]);
        }
    }
    let direction = if section.is_maximised { "; larger is better" } else { "" };
    let mut reading = format!(
        "{}s of feasible runs, as the program shows them{direction}. Mark: best by mean rank; ≈ not \
        significantly different from it; ▽ significantly worse (Kruskal–Wallis, then Dunn with Holm, level \
        0.05).",
        section.quantity()
    );
    if untested > 0 {
        let not = counted_as(untested, "instance was", "instances were");
        reading.push_str(&format!(
            " {not} not tested: a test needs at least {LEAST_RUNS} runs of each of at least two algorithms."
        ));
    }
    Table {
        name: Cow::Borrowed("summary"),
        title: format!("{}s by instance", section.quantity()),
        reading,
        columns: vec![
            "Instance", "Algorithm", "Runs", "Feasible", "Best", "Mean", "Median", "SD", "Worst", "Gap, %", "Hits",
            "Rank", "Mark", "p",
        ],
        rows,
    }
}

fn tests(section: &Section<'_>) -> Table {
    let (rows, reading) = match ranked(section) {
        Err(why) => (Vec::new(), format!("Not tested: {why}.")),
        Ok(found) => {
            let (n, k) = (found.blocks, section.algorithms.len());
            let verdict =
                |p: f64| Cell::text(if p < LEVEL { "the algorithms differ" } else { "no difference is shown" });
            let rows = vec![
                vec![
                    Cell::text("Friedman χ²"),
                    Cell::Number(found.chi_squared, 4),
                    Cell::count(k - 1),
                    Cell::Probability(found.chi_squared_p),
                    verdict(found.chi_squared_p),
                ],
                vec![
                    Cell::text("Iman–Davenport F"),
                    Cell::number(Some(found.f), 4),
                    Cell::text(format!("{}, {}", k - 1, (k - 1) * (n - 1))),
                    Cell::Probability(found.f_p),
                    verdict(found.f_p),
                ],
                vec![
                    Cell::text("Nemenyi critical difference"),
                    Cell::Number(critical_difference(k, n, LEVEL), 4),
                    Cell::Empty,
                    Cell::Empty,
                    Cell::text("mean ranks that are further apart differ"),
                ],
            ];
            (
                rows,
                format!(
                    "Ranks of {k} algorithms on {n} instances; a block is an instance with the mean over its runs."
                ),
            )
        }
    };
    Table {
        name: Cow::Borrowed("tests"),
        title: "Tests across instances".to_owned(),
        reading,
        columns: vec!["Test", "Statistic", "Degrees of freedom", "p", "Reading"],
        rows,
    }
}

/// Difference of two costs relative to their size, (a − b) / ((|a| + |b|) / 2), so that instances of any scale count alike; the
/// larger difference of all if only one is feasible.
fn relative(a: f64, b: f64) -> f64 {
    match (a.is_finite(), b.is_finite()) {
        (false, false) => 0.0,
        (false, true) => 4.0,
        (true, false) => -4.0,
        _ if a == b => 0.0,
        _ => 2.0 * (a - b) / (a.abs() + b.abs()),
    }
}

fn pairs(section: &Section<'_>) -> Option<Table> {
    let (count, blocks) = (section.algorithms.len(), section.blocks());
    if count < 2 {
        return None;
    }
    let differences =
        |i: usize, j: usize| blocks.iter().map(|block| relative(block[i], block[j])).collect::<Vec<f64>>();
    let used = |i: usize, j: usize| differences(i, j).iter().filter(|difference| **difference != 0.0).count();
    let adjusted = symmetric(count, |i, j| wilcoxon(&differences(i, j)));
    let effect = |i: usize, j: usize| {
        let on = |runs: &Vec<Vec<&Row>>| {
            let costs = |algorithm: usize| runs[algorithm].iter().map(|row| row.ranked_cost()).collect::<Vec<f64>>();
            (!runs[i].is_empty() && !runs[j].is_empty()).then(|| vargha_delaney(&costs(i), &costs(j)))
        };
        mean(&section.runs.iter().filter_map(on).collect::<Vec<f64>>())
    };
    let size = |a12: f64| match (a12 - 0.5).abs() {
        distance if distance < 0.06 => "negligible",
        distance if distance < 0.14 => "small",
        distance if distance < 0.21 => "medium",
        _ => "large",
    };
    let mut rows = Vec::new();
    for i in 0..count {
        for j in i + 1..count {
            let a12 = effect(i, j);
            let p = if used(i, j) < LEAST_PAIRS { Cell::Empty } else { Cell::Probability(adjusted[i][j]) };
            let reading = match &p {
                Cell::Probability(p) if *p < LEVEL => "significant",
                Cell::Probability(_) => "not significant",
                _ => "too few instances that differ",
            };
            rows.push(vec![
                Cell::text(&section.algorithms[i]),
                Cell::text(&section.algorithms[j]),
                Cell::count(used(i, j)),
                p,
                Cell::text(reading),
                Cell::number(a12, 3),
                a12.map_or(Cell::Empty, |a12| Cell::text(size(a12))),
            ]);
        }
    }
    Some(Table {
        name: Cow::Borrowed("pairs"),
        title: "Pairs of algorithms".to_owned(),
        reading: format!(
            "Wilcoxon signed rank on relative differences of the mean costs of instances, adjusted by Holm; fewer \
                than {LEAST_PAIRS} different instances cannot be significant. A12: probability that a run of the \
                first algorithm is better than one of the second, mean over instances."
        ),
        columns: vec!["First", "Second", "Instances", "p (Holm)", "Reading", "A12", "Effect"],
        rows,
    })
}

fn times(section: &Section<'_>) -> Table {
    let row = |algorithm: usize| {
        let rows = || section.runs.iter().flat_map(|runs| runs[algorithm].iter()).filter(|row| row.failure.is_empty());
        let mean_of =
            |value: fn(&Row) -> f64| Cell::number(mean(&rows().map(|row| value(row)).collect::<Vec<f64>>()), 3);
        vec![
            Cell::text(&section.algorithms[algorithm]),
            mean_of(|row| row.seconds),
            mean_of(|row| row.seconds_to_best),
            Cell::number(
                mean(
                    &rows()
                        .filter(|row| row.seconds > 0.0)
                        .map(|row| row.evaluations as f64 / row.seconds)
                        .collect::<Vec<f64>>(),
                ),
                0,
            ),
        ]
    };
    Table {
        name: Cow::Borrowed("times"),
        title: "Times".to_owned(),
        reading: "Means over all runs. Runs that are limited by steps may have shared the machine.".to_owned(),
        columns: vec!["Algorithm", "Seconds", "Seconds to the best", "Evaluations per second"],
        rows: (0..section.algorithms.len()).map(row).collect(),
    }
}

fn failures(section: &Section<'_>) -> Option<Table> {
    let rows = section.runs.iter().flatten().flatten().filter(|row| !row.failure.is_empty());
    let cells = |row: &&Row| {
        vec![
            Cell::text(&row.instance),
            Cell::text(&row.label),
            Cell::text(row.seed.to_string()),
            Cell::text(&row.failure),
        ]
    };
    let rows: Vec<Vec<Cell>> = rows.map(cells).collect();
    (!rows.is_empty()).then(|| Table {
        name: Cow::Borrowed("failures"),
        title: "Failed runs".to_owned(),
        reading: "“gridwright campaign run --retry” repeats them.".to_owned(),
        columns: vec!["Instance", "Algorithm", "Seed", "Reason"],
        rows,
    })
}
