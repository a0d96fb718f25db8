//! «Beside the paper»: printed figures and ours, cell by cell.
//!
//! Ours come from up to three devices: one CPU thread, several CPU threads, a GPU. A figure that does not depend on the
//! machine is compared by the device with the most runs.
//!
//! Means *agree* unless a t-test shows that they differ: that of Welch where the print has a deviation and its number of runs is
//! known, else that of one sample against the printed mean. The rounding of the print is taken off the difference, and the
//! p-values of a table are adjusted by Holm. Where there is nothing to test, in single runs and runs that are all equal, figures
//! agree if they differ by the rounding at most; the best and the worst of the runs agree if they differ by at most the larger
//! standard deviation as well.

use std::borrow::Cow;
use std::collections::BTreeSet;

use gridwright_core::backend::is_device;
use gridwright_core::numbers::{self, counted};
use gridwright_core::search::Budget;
use gridwright_core::statistics::LEVEL;
use gridwright_core::statistics::means::{Mean, one_sample, welch};
use gridwright_core::statistics::pairs::holm;
use gridwright_core::statistics::summary::{Summary, gap_percent, summarise};

use super::Part;
use super::tables::{Cell, Table};
use crate::budget_of;
use crate::measured::Benches;
use crate::published::{Device, Figure, Measure, Ours, PublishedCell, PublishedTable, Selection};
use crate::row::Row;

/// Devices on which ours may have been measured, as columns.
const DEVICES: usize = 3;

/// Indices of the devices.
const ONE_THREAD: usize = 0;
const SEVERAL_THREADS: usize = 1;
const GPU: usize = 2;

/// Our figure on one device.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Measurement {
    value: f64,
    deviation: f64,
    runs: usize,
}

/// Comparison of a cell with ours.
#[derive(Debug, Clone, PartialEq)]
struct Compared<'a> {
    cell: &'a PublishedCell,
    ours: [Option<Measurement>; DEVICES],
    /// Device that is compared, if it was measured.
    device: Option<usize>,
    verdict: Verdict,
    /// p-value of the difference, adjusted by Holm; `None` if it was not tested.
    p: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Agrees,
    Above,
    Below,
    /// A figure of the machine: only a ratio is stated.
    OfTheMachine,
    NotRun,
}

impl Compared<'_> {
    /// The verdict in words, such as «differs, p = 0.0031; ours is larger».
    fn reading(&self) -> String {
        let p = match self.p.map(Cell::Probability).map(|p| p.shown()) {
            Some(p) if p.starts_with('<') => format!(", p {p}"),
            Some(p) => format!(", p = {p}"),
            None => String::new(),
        };
        match self.verdict {
            Verdict::Agrees => "agrees".to_owned(),
            Verdict::Above => format!("differs{p}; ours is larger"),
            Verdict::Below => format!("differs{p}; ours is smaller"),
            Verdict::OfTheMachine => String::new(),
            Verdict::NotRun => "not run".to_owned(),
        }
    }
}

/// The section of the report; `None` for a plan without printed figures.
pub(crate) fn part(published: &[PublishedTable], rows: &[Row], benches: &Benches) -> Option<Part> {
    if published.is_empty() {
        return None;
    }
    let compared: Vec<(&PublishedTable, Vec<Compared<'_>>)> =
        published.iter().map(|table| (table, compared(table, rows, benches))).collect();
    let mut tables = vec![counts(&compared)];
    let shown = compared.iter().enumerate().filter(|(_, (_, cells))| !cells.is_empty());
    tables.extend(shown.map(|(index, (table, cells))| printed(index, table, cells)));
    tables.push(disagreements(&compared));
    tables.push(not_comparable(published));
    Some(Part { title: "Beside the paper".to_owned(), number: 0, tables, figures: Vec::new() })
}

fn device_of(row: &Row) -> usize {
    match row.backend.as_str() {
        backend if is_device(backend) => GPU,
        _ if row.threads == 1 => ONE_THREAD,
        _ => SEVERAL_THREADS,
    }
}

/// Rows of a label on the instance of a selection, by device, one for each seed.
fn rows_of<'a>(selection: &Selection, label: &str, rows: &'a [Row]) -> [Vec<&'a Row>; DEVICES] {
    let is_meant = |row: &&Row| {
        row.source == selection.source
            && row.label == label
            && selection.options.as_ref().is_none_or(|options| row.options == *options)
            && row.failure.is_empty()
    };
    let mut found: [Vec<&Row>; DEVICES] = Default::default();
    let mut seen = BTreeSet::new();
    for row in rows.iter().filter(is_meant) {
        let device = device_of(row);
        if seen.insert((device, row.seed)) {
            found[device].push(row);
        }
    }
    found
}

/// Compares the cells of a table and adjusts their p-values.
fn compared<'a>(table: &'a PublishedTable, rows: &[Row], benches: &Benches) -> Vec<Compared<'a>> {
    let mut all: Vec<Compared<'a>> =
        table.cells.iter().filter_map(|cell| compare(cell, table.runs, rows, benches)).collect();
    let adjusted = holm(&all.iter().filter_map(|compared| compared.p).collect::<Vec<f64>>());
    for (compared, p) in all.iter_mut().filter(|compared| compared.p.is_some()).zip(adjusted) {
        compared.p = Some(p);
        if p >= LEVEL {
            compared.verdict = Verdict::Agrees;
        }
    }
    all
}

/// Compares a cell, whose figure is the mean of `printed_runs` runs if that is known, with our rows; `None` if it cannot be
/// compared at all.
fn compare<'a>(
    cell: &'a PublishedCell, printed_runs: Option<usize>, rows: &[Row], benches: &Benches,
) -> Option<Compared<'a>> {
    let (mut is_extreme, own) = (false, cell.ours.as_ref().ok()?);
    let (ours, printed_on, is_quality) = match own {
        Ours::Runs(selection) => {
            is_extreme = matches!(selection.measure, Measure::Best | Measure::Worst);
            (measured(selection, rows), selection.device, selection.measure.is_quality())
        }
        Ours::Bench(place) => {
            let figures =
                benches.figures(place).map(|found| found.map(|value| Measurement { value, deviation: 0.0, runs: 1 }));
            (figures, place.device, false)
        }
    };
    let most = (0..DEVICES)
        .filter(|&device| ours[device].is_some())
        .max_by_key(|&device| (ours[device].map_or(0, |ours| ours.runs), DEVICES - device));
    let device = match printed_on {
        Some(Device::Cpu) => Some(ONE_THREAD).filter(|&device| ours[device].is_some()),
        Some(Device::Gpu) => Some(GPU).filter(|&device| ours[device].is_some()),
        None => most,
    };
    let verdict = match device.and_then(|device| ours[device]) {
        None => Verdict::NotRun,
        Some(_) if !is_quality => Verdict::OfTheMachine,
        Some(ours) => verdict(cell.figure, ours, if is_extreme { spread(cell.figure, ours) } else { 0.0 }),
    };
    let tested = device.and_then(|device| ours[device]).filter(|_| is_quality && !is_extreme);
    let p = tested.and_then(|ours| p_value(cell.figure, printed_runs, ours));
    Some(Compared { cell, ours, device, verdict, p })
}

/// Larger one of the printed and our own standard deviation.
fn spread(figure: Figure, ours: Measurement) -> f64 {
    figure.deviation.unwrap_or(0.0).max(ours.deviation)
}

/// Verdict without a test: figures agree if they differ by at most `spread` and the rounding of the print.
fn verdict(figure: Figure, ours: Measurement, spread: f64) -> Verdict {
    let difference = ours.value - figure.value;
    match () {
        () if ours.value == figure.value || difference.abs() <= (spread + figure.rounding) * (1.0 + 1e-9) => {
            Verdict::Agrees
        }
        () if difference > 0.0 => Verdict::Above,
        () => Verdict::Below,
    }
}

/// p-value of the difference of our mean and the printed one; `None` if there is nothing to test.
fn p_value(figure: Figure, printed_runs: Option<usize>, ours: Measurement) -> Option<f64> {
    let mean = Mean { value: ours.value, deviation: ours.deviation, runs: ours.runs };
    match (figure.deviation, printed_runs) {
        (Some(deviation), Some(runs)) => welch(mean, Mean { value: figure.value, deviation, runs }, figure.rounding),
        _ => one_sample(mean, figure.value, figure.rounding),
    }
}

fn measured(selection: &Selection, rows: &[Row]) -> [Option<Measurement>; DEVICES] {
    let own = rows_of(selection, &selection.label, rows);
    let others = selection.against.as_ref().map(|label| rows_of(selection, label, rows)).unwrap_or_default();
    let seconds = |rows: &[&Row]| summary(rows, |row| Some(seconds_of_all_steps(row)));
    let rate = |rows: &[&Row]| summary(rows, |row| Some(row.steps as f64 / row.seconds));
    let ratio = |of: Option<Measurement>, over: Option<Measurement>| {
        let (of, over) = (of?, over?);
        let relative = |ours: Measurement| ours.deviation / ours.value;
        let value = of.value / over.value;
        let deviation = value * relative(of).hypot(relative(over));
        Some(Measurement { value, deviation, runs: of.runs.min(over.runs) }).filter(|ours| ours.value.is_finite())
    };
    let cost = |rows: &[&Row]| summary(rows, |row| row.cost_display.filter(|_| row.is_valid()));
    // Costs do not depend on the device: where the others did not run on the same one, any serves.
    let any = |rows: &[Vec<&Row>; DEVICES]| {
        rows.iter().map(|rows| cost(rows)).max_by_key(|ours| ours.map_or(0, |ours| ours.runs)).flatten()
    };
    let device_time = || ratio(seconds(&own[GPU]), seconds(&others[ONE_THREAD]));
    let quality = |device: usize| ratio(any(&others), cost(&own[device]));
    let on_gpu = |value: Option<Measurement>| [None, None, value];
    let each = |value: &dyn Fn(usize) -> Option<Measurement>| [value(0), value(1), value(2)];
    match selection.measure {
        Measure::Mean => each(&|device| all_feasible(&own[device], cost(&own[device]))),
        Measure::Best => each(&|device| end(&own[device], |summary| summary.best)),
        Measure::Worst => each(&|device| all_feasible(&own[device], end(&own[device], |summary| summary.worst))),
        Measure::Error => each(&|device| {
            let reference = selection.reference?;
            summary(&own[device], |row| Some((row.cost_display? - reference).abs()))
        }),
        Measure::Distance => each(&|device| {
            let reference = selection.reference?;
            let found = summary(&own[device], |row| {
                row.cost_display.filter(|_| row.is_valid()).map(|cost| gap_percent(cost, reference))
            });
            all_feasible(&own[device], found)
        }),
        Measure::Front => each(&|device| summary(&own[device], |row| row.front.map(|count| count as f64))),
        Measure::Seconds => each(&|device| seconds(&own[device])),
        Measure::Speedup => on_gpu(ratio(rate(&own[GPU]), rate(&own[ONE_THREAD]))),
        Measure::QualityRatio => each(&quality),
        Measure::TimeRatio => each(&|device| ratio(seconds(&own[device]), seconds(&others[device]))),
        Measure::DeviceTimeRatio => on_gpu(device_time()),
        Measure::QualityTimeRatio => on_gpu(ratio(quality(GPU), device_time()).map(|ours| Measurement {
            value: libm::log2(ours.value),
            deviation: ours.deviation / ours.value / std::f64::consts::LN_2,
            ..ours
        })),
    }
}

/// Seconds of a run; those of one that ended before its last step, by a proof, as if each further step took as long.
fn seconds_of_all_steps(row: &Row) -> f64 {
    match budget_of(&row.limit) {
        Some(Budget::Steps(planned)) if (1..planned).contains(&row.steps) => {
            row.seconds * planned as f64 / row.steps as f64
        }
        _ => row.seconds,
    }
}

fn summary(rows: &[&Row], value: impl Fn(&Row) -> Option<f64>) -> Option<Measurement> {
    let values: Vec<f64> = rows.iter().filter_map(|row| value(row)).collect();
    summarise(&values).map(|Summary { mean, deviation, .. }| Measurement { value: mean, deviation, runs: values.len() })
}

/// An end of the sorted costs of the feasible runs; its spread is that of the costs.
fn end(rows: &[&Row], of: impl Fn(Summary) -> f64) -> Option<Measurement> {
    let costs: Vec<f64> = rows.iter().filter(|row| row.is_valid()).filter_map(|row| row.cost_display).collect();
    let summary = summarise(&costs)?;
    Some(Measurement { value: of(summary), deviation: summary.deviation, runs: costs.len() })
}

/// A figure of costs, infinite if one of the runs found no feasible solution.
fn all_feasible(rows: &[&Row], ours: Option<Measurement>) -> Option<Measurement> {
    let is_infeasible = rows.iter().any(|row| !row.is_valid());
    let infinite = Measurement { value: f64::INFINITY, deviation: 0.0, runs: rows.len() };
    if is_infeasible { Some(infinite) } else { ours }
}

/// A figure with as many decimals as the print, and at least three significant digits of ours.
fn number(value: f64, decimals: usize) -> Cell {
    if value.is_infinite() {
        return Cell::Text("infeasible".to_owned());
    }
    let significant = match value.abs() {
        size if size >= 100.0 || size == 0.0 => 0,
        size => (2 - libm::floor(libm::log10(size)) as i32).clamp(0, 6) as usize,
    };
    Cell::Number(value, decimals.max(significant))
}

fn printed(index: usize, table: &PublishedTable, cells: &[Compared<'_>]) -> Table {
    let is_measured: [bool; DEVICES] =
        std::array::from_fn(|device| cells.iter().any(|compared| compared.ours[device].is_some()));
    let measured = (0..DEVICES).filter(|&device| is_measured[device]);
    let row = |compared: &Compared<'_>| {
        let figure = compared.cell.figure;
        let cell = |ours: Option<Measurement>| ours.map_or(Cell::Empty, |ours| number(ours.value, figure.decimals));
        let ours = compared.device.and_then(|device| compared.ours[device]);
        let ratio = ours.map(|ours| ours.value / figure.value).filter(|ratio| ratio.is_finite());
        let mut row = vec![
            Cell::Text(compared.cell.row.clone()),
            Cell::Text(compared.cell.column.clone()),
            number(figure.value, figure.decimals),
            figure.deviation.map_or(Cell::Empty, |deviation| number(deviation, figure.decimals)),
        ];
        row.extend(measured.clone().map(|device| cell(compared.ours[device])));
        row.extend([
            ours.filter(|ours| ours.runs > 1).map_or(Cell::Empty, |ours| number(ours.deviation, figure.decimals)),
            ours.map_or(Cell::Empty, |ours| Cell::Number(ours.runs as f64, 0)),
            ratio.map_or(Cell::Empty, |ratio| number(ratio, 3)),
            Cell::Text(compared.reading()),
        ]);
        row
    };
    let is_quality = cells.iter().all(|compared| compared.verdict != Verdict::OfTheMachine);
    let threads = match is_quality && is_measured[ONE_THREAD] && !is_measured[SEVERAL_THREADS] {
        true => " None of these figures depends on the number of threads, so that they were computed on one.",
        false => "",
    };
    let runs = match table.runs {
        Some(runs) => format!(
            "Welch's t-test with the {runs} runs of the print where it has a deviation, else a one-sample t-test"
        ),
        None => "a one-sample t-test against the print, whose number of runs is not known".to_owned(),
    };
    let test = format!(
        "Means agree unless they differ significantly ({runs}; the rounding of the print is taken off, Holm over the cells of \
         the table, level 0.05); equal or single runs agree within the rounding, best and worst within the standard deviation."
    );
    let origin = if table.is_printed { "" } else { " Calculated from printed figures." };
    let remark = if table.remark.is_empty() { String::new() } else { format!(" {}", table.remark) };
    let mut columns = vec!["Row", "Column", "Printed", "±"];
    columns.extend(measured.clone().map(|device| ["One thread", "Several threads", "GPU"][device]));
    columns.extend(["Our ±", "Runs", "Ratio", "Reading"]);
    Table {
        name: Cow::Owned(format!("beside-{}", index + 1)),
        title: format!("{}: {}", table.name, table.title),
        reading: format!(
            "Ratio: ours divided by the printed figure. {test} Figures of a machine have a ratio only. Runs that ended early by a proof are \
             timed as if they had gone on.{threads}{origin}{remark}"
        ),
        columns,
        rows: cells.iter().map(row).collect(),
    }
}

/// Printed tables with their comparable cells.
type Tables<'a> = [(&'a PublishedTable, Vec<Compared<'a>>)];

fn counts(compared: &Tables<'_>) -> Table {
    let row = |(table, cells): &(&PublishedTable, Vec<Compared<'_>>)| {
        let count = |verdicts: &[Verdict]| {
            Cell::Number(cells.iter().filter(|cell| verdicts.contains(&cell.verdict)).count() as f64, 0)
        };
        vec![
            Cell::Text(format!("{}: {}", table.name, table.title)),
            Cell::Number(table.cells.len() as f64, 0),
            count(&[Verdict::Agrees]),
            count(&[Verdict::Above, Verdict::Below]),
            count(&[Verdict::OfTheMachine]),
            count(&[Verdict::NotRun]),
            Cell::Number((table.cells.len() - cells.len()) as f64, 0),
        ]
    };
    Table {
        name: Cow::Borrowed("beside"),
        title: "Printed figures".to_owned(),
        reading: "Cells of each table of the paper: those in which ours agrees, those in which it differs, \
                  those that depend on the machine, those that were not run, and those that cannot be compared."
            .to_owned(),
        columns: vec!["Table", "Cells", "Agree", "Differ", "Of the machine", "Not run", "Not comparable"],
        rows: compared.iter().map(row).collect(),
    }
}

fn disagreements(compared: &Tables<'_>) -> Table {
    let differs = |cell: &&Compared<'_>| matches!(cell.verdict, Verdict::Above | Verdict::Below);
    let mut rows = Vec::new();
    for (table, cells) in compared {
        for compared in cells.iter().filter(differs) {
            let Some(ours) = compared.device.and_then(|device| compared.ours[device]) else { continue };
            let figure = compared.cell.figure;
            rows.push(vec![
                Cell::Text(table.name.clone()),
                Cell::Text(compared.cell.row.clone()),
                Cell::Text(compared.cell.column.clone()),
                number(figure.value, figure.decimals),
                number(ours.value, figure.decimals),
                number(spread(figure, ours) + figure.rounding, figure.decimals),
                Cell::Text(compared.reading()),
            ]);
        }
    }
    let reading = match rows.len() {
        0 => "No cell differs.".to_owned(),
        1 => "1 cell differs.".to_owned(),
        count => format!("{} cells differ.", numbers::grouped(count as u64)),
    };
    Table {
        name: Cow::Borrowed("differences"),
        title: "Cells that differ".to_owned(),
        reading,
        columns: vec!["Table", "Row", "Column", "Printed", "Ours", "Spread", "Reading"],
        rows,
    }
}

fn not_comparable(published: &[PublishedTable]) -> Table {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut cells = 0_usize;
    for table in published {
        let mut reasons: Vec<(&str, u64)> = Vec::new();
        for reason in table.cells.iter().filter_map(|cell| cell.ours.as_ref().err()) {
            cells += 1;
            match reasons.iter_mut().find(|(known, _)| known == reason) {
                Some((_, count)) => *count += 1,
                None => reasons.push((reason, 1)),
            }
        }
        rows.extend(reasons.into_iter().map(|(reason, count)| {
            let name = format!("{}: {}", table.name, table.title);
            vec![Cell::Text(name), Cell::Number(count as f64, 0), Cell::Text(reason.to_owned())]
        }));
    }
    Table {
        name: Cow::Borrowed("not-comparable"),
        title: "Printed figures that cannot be compared".to_owned(),
        reading: format!("{} of the plan; each with its reason.", counted(cells, "cell")),
        columns: vec!["Table", "Cells", "Reason"],
        rows,
    }
}
