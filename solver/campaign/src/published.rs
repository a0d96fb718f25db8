//! Printed figures that a plan carries, for the section «Beside the paper» of its report.
//!
//! A plan repeats the tables of a paper row by row. A column says what of our runs its figures are compared with (a
//! [`Measure`] of the runs of one label), or why they cannot be compared. Cells are written as printed: `4.86`,
//! `1.59e3 ± 8.56e1`, `INF` for «infeasible», `-` for nothing. Times of a part of a search come from
//! [`measured`] figures of `gridwright bench` instead of runs.
//!
//! ```ron
//! published: [(
//!     table: "Table 8",
//!     title: "Costs, population 256",
//!     algorithm: "population 256",
//!     columns: [(name: "minimum", measure: best), (name: "mean", measure: mean), (name: "cell", reason: "no such figure in a row")],
//!     rows: [(name: "hec-s-92 I", instance: "published:toronto/hec-s-92.stu", cells: [11.34, 12.27, 3])],
//! )]
//! ```

use std::collections::{BTreeMap, BTreeSet};

use gridwright_core::Result;
use ron::value::RawValue;
use serde::Deserialize;

use super::plan::{Place, Source};
use super::{RunSpec, measured, row};

/// Quantity of our runs that a printed figure is compared with. «Own» runs are those of the column's label, «others» those of
/// the label that `against` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum Measure {
    /// Mean cost as it is shown.
    Mean,
    /// Cost of the best run.
    Best,
    /// Cost of the worst run.
    Worst,
    /// Mean distance of the cost from the reference of the row, as it is shown.
    Error,
    /// Mean distance of the cost from the reference of the row, in per cent.
    Distance,
    /// Mean number of solutions in the front.
    Front,
    /// Mean seconds of all steps of a run.
    Seconds,
    /// Mean steps per second on a GPU, divided by those on one CPU thread.
    Speedup,
    /// Mean cost of the others, divided by the own one.
    QualityRatio,
    /// Mean seconds, divided by those of the others on the same device.
    TimeRatio,
    /// Mean seconds on a GPU, divided by those of the others on one CPU thread.
    DeviceTimeRatio,
    /// log₂ of the quotient of [`Self::QualityRatio`] and [`Self::DeviceTimeRatio`].
    QualityTimeRatio,
}

impl Measure {
    /// True if the figure does not depend on the machine, so that it may agree or disagree.
    pub(crate) fn is_quality(self) -> bool {
        use Measure::{Best, Distance, Error, Front, Mean, QualityRatio, Worst};
        matches!(self, Mean | Best | Worst | Error | Distance | Front | QualityRatio)
    }

    fn needs_others(self) -> bool {
        use Measure::{DeviceTimeRatio, QualityRatio, QualityTimeRatio, TimeRatio};
        matches!(self, QualityRatio | TimeRatio | DeviceTimeRatio | QualityTimeRatio)
    }

    fn needs_reference(self) -> bool {
        matches!(self, Self::Error | Self::Distance)
    }
}

/// Device on which a printed figure was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum Device {
    /// One thread of a CPU.
    Cpu,
    /// A GPU.
    Gpu,
}

/// A printed figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    /// The number; infinite for «infeasible».
    pub value: f64,
    /// Standard deviation, if it is printed.
    pub deviation: Option<f64>,
    /// Largest error of rounding: half a unit of the last digit that is printed.
    pub(crate) rounding: f64,
    /// Decimals that are printed.
    pub decimals: usize,
}

impl Figure {
    /// Reads a printed figure; `Ok(None)` where nothing is printed.
    fn of(text: &str) -> std::result::Result<Option<Self>, ()> {
        let number = |text: &str| text.replace(',', "").trim().parse::<f64>().ok().filter(|value| value.is_finite());
        let (value, deviation) = match text.split_once('±') {
            Some((value, deviation)) => (value.trim(), Some(number(deviation).ok_or(())?)),
            None => (text.trim(), None),
        };
        match value {
            "-" => return Ok(None),
            "INF" => return Ok(Some(Self { value: f64::INFINITY, deviation, rounding: 0.0, decimals: 0 })),
            _ => {}
        }
        let (digits, power) = value.split_once('e').unwrap_or((value, "0"));
        let power: i32 = power.parse().map_err(|_| ())?;
        let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len()) as i32;
        let places = (fraction - power).max(0) as usize;
        let rounding = 0.5 * 10_f64.powi(power - fraction);
        Ok(Some(Self { value: number(value).ok_or(())?, deviation, rounding, decimals: places }))
    }
}

/// A cell: its figure and what it is compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedCell {
    /// Heading of the row.
    pub row: String,
    /// Heading of the column.
    pub column: String,
    /// The printed figure.
    pub figure: Figure,
    /// Runs or bench figure to compare with, or the reason why there is none.
    pub ours: std::result::Result<Ours, String>,
}

/// Own figures to which a printed one is compared.
#[derive(Debug, Clone, PartialEq)]
pub enum Ours {
    /// Runs of the campaign.
    Runs(Selection),
    /// A figure of `gridwright bench`.
    Bench(measured::Place),
}

/// Runs that a cell is compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// Quantity.
    pub measure: Measure,
    /// Source of the instance as the plan names it.
    pub source: String,
    /// Options of the problem as a row holds them.
    pub options: Option<String>,
    /// Label of the runs.
    pub label: String,
    /// Label of the other runs of a ratio.
    pub against: Option<String>,
    /// Cost from which distances are measured.
    pub reference: Option<f64>,
    /// Device on which the printed figure was measured; `None` if it does not matter.
    pub device: Option<Device>,
}

/// A printed table.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedTable {
    /// Name in the paper, such as «Table 8».
    pub name: String,
    /// Title.
    pub title: String,
    /// Sentences on the settings or the print; empty if there are none.
    pub remark: String,
    /// False if the figures were calculated from printed ones.
    pub is_printed: bool,
    /// Number of runs of a printed mean; `None` if it is not known.
    pub runs: Option<usize>,
    /// Cells with a figure, row by row.
    pub cells: Vec<PublishedCell>,
}

/// A table as it is written. What is said of the table holds for all of its columns, unless a column says otherwise.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written<'a> {
    table: String,
    title: String,
    #[serde(default)]
    remark: String,
    #[serde(default = "yes")]
    printed: bool,
    #[serde(default)]
    runs: Option<usize>,
    #[serde(borrow, default)]
    measure: Option<&'a RawValue>,
    #[serde(default)]
    algorithm: Option<&'a RawValue>,
    #[serde(default)]
    against: Option<&'a RawValue>,
    #[serde(default)]
    device: Option<&'a RawValue>,
    #[serde(default)]
    bench: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    columns: Vec<Column<'a>>,
    rows: Vec<Line<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Column<'a> {
    name: String,
    #[serde(borrow, default)]
    measure: Option<&'a RawValue>,
    #[serde(default)]
    algorithm: Option<&'a RawValue>,
    #[serde(default)]
    against: Option<&'a RawValue>,
    #[serde(default)]
    device: Option<&'a RawValue>,
    #[serde(default)]
    bench: Option<BenchColumn>,
    #[serde(default)]
    reason: Option<String>,
}

/// Column of the table of `gridwright bench`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BenchColumn {
    column: String,
    #[serde(default)]
    over: Option<String>,
    #[serde(default = "unchanged")]
    factor: f64,
}

fn unchanged() -> f64 {
    1.0
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    #[serde(borrow)]
    name: &'a RawValue,
    #[serde(default)]
    instance: Option<&'a RawValue>,
    #[serde(default)]
    options: BTreeMap<&'a RawValue, &'a RawValue>,
    #[serde(default)]
    reference: Option<f64>,
    #[serde(default)]
    bench: BTreeMap<String, String>,
    #[serde(default)]
    reason: Option<String>,
    cells: Vec<&'a RawValue>,
}

fn yes() -> bool {
    true
}

/// Reads the printed tables of a plan. With `runs`, every instance and label must be one of theirs.
///
/// # Errors
/// [`gridwright_core::Error::Line`] with the column of a cell that is no figure, or of a name that does not exist.
pub(super) fn tables(
    reading: &Source<'_>, written: &[Written<'_>], runs: Option<&[RunSpec]>,
) -> Result<Vec<PublishedTable>> {
    written.iter().map(|table| table.read(reading, runs)).collect()
}

/// A word of a fixed list.
fn word<'a, W: std::str::FromStr + strum::VariantNames>(
    reading: &Source<'a>, raw: Option<&'a RawValue>,
) -> Result<Option<W>> {
    let Some(raw) = raw else { return Ok(None) };
    let (text, place) = reading.scalar(raw)?;
    let unknown = |_| reading.error(place, format!("“{text}” is none of {}", W::VARIANTS.join(", ")));
    text.parse().map(Some).map_err(unknown)
}

impl<'a> Written<'a> {
    fn read(&self, reading: &Source<'a>, runs: Option<&[RunSpec]>) -> Result<PublishedTable> {
        let mut cells = Vec::new();
        for line in &self.rows {
            let (row, place) = reading.scalar(line.name)?;
            let (found, expected) = (line.cells.len(), self.columns.len());
            if found != expected {
                let what =
                    format!("the row has {found} cells, and the table {expected} columns; write - for an empty cell");
                return Err(reading.error(place, what));
            }
            for (column, &raw) in self.columns.iter().zip(&line.cells) {
                let (text, at) = reading.scalar(raw)?;
                let expected = "expected a printed figure: 4.86, \"1.59e3 ± 85.6\", INF or -";
                let figure = Figure::of(&text).map_err(|()| reading.error(at, format!("“{text}”: {expected}")))?;
                if let Some(figure) = figure {
                    let ours = self.ours(reading, line, column, place, runs)?;
                    cells.push(PublishedCell { row: row.clone(), column: column.name.clone(), figure, ours });
                }
            }
        }
        let Self { table, title, remark, printed, .. } = self;
        let (name, title, remark) = (table.clone(), title.clone(), remark.clone());
        Ok(PublishedTable { name, title, remark, is_printed: *printed, runs: self.runs, cells })
    }

    /// Own figures of a cell, or the reason why there are none; `row` is the place of its row.
    fn ours(
        &self, reading: &Source<'a>, line: &Line<'a>, column: &Column<'a>, row: Place<'a>, runs: Option<&[RunSpec]>,
    ) -> Result<std::result::Result<Ours, String>> {
        let of_table = self.reason.as_ref().filter(|_| column.measure.is_none() && column.bench.is_none());
        if let Some(reason) = line.reason.as_ref().or(column.reason.as_ref()).or(of_table) {
            return Ok(Err(reason.clone()));
        }
        let missing = |what: &str| {
            let (column, table) = (&column.name, &self.table);
            reading.error(row, format!("{table}, column {column}: {what}, or a reason why it cannot be compared"))
        };
        let device = word(reading, column.device.or(self.device))?;
        if let Some(bench) = &column.bench {
            let file = self.bench.clone().ok_or_else(|| missing("name the file of gridwright bench in the table"))?;
            let (column, over, factor) = (bench.column.clone(), bench.over.clone(), bench.factor);
            return Ok(Ok(Ours::Bench(measured::Place {
                file,
                cells: line.bench.clone(),
                column,
                over,
                factor,
                device,
            })));
        }
        let measure: Measure =
            word(reading, column.measure.or(self.measure))?.ok_or_else(|| missing("name a measure"))?;
        let source = line.instance.ok_or_else(|| missing("name the instance of the row"))?;
        let label = column.algorithm.or(self.algorithm).ok_or_else(|| missing("name an algorithm"))?;
        let against = column.against.or(self.against).filter(|_| measure.needs_others());
        if measure.needs_others() && against.is_none() {
            return Err(missing("name the algorithm that it is measured against"));
        }
        if measure.needs_reference() && line.reference.is_none_or(|reference| !reference.is_finite()) {
            return Err(missing("give the row the reference from which distances are measured"));
        }
        let mut options = BTreeMap::new();
        for (name, value) in &line.options {
            options.insert(reading.scalar(name)?.0, reading.scalar(value)?.0);
        }
        let (source, at_source) = reading.scalar(source)?;
        let is_run = |spec: &RunSpec| spec.source == source;
        if runs.is_some_and(|runs| !runs.iter().any(is_run)) {
            return Err(reading.error(at_source, format!("no part of the plan runs “{source}”")));
        }
        let known = |raw: &'a RawValue| {
            let (label, place) = reading.scalar(raw)?;
            if runs.is_some_and(|runs| !runs.iter().any(|spec| is_run(spec) && spec.label == label)) {
                let labels: BTreeSet<&str> =
                    runs.iter().flat_map(|runs| runs.iter()).map(|run| run.label.as_str()).collect();
                let labels = labels.into_iter().collect::<Vec<_>>().join(", ");
                return Err(reading.error(place, format!("no run of {source} is called “{label}”; there are {labels}")));
            }
            Ok(label)
        };
        Ok(Ok(Ours::Runs(Selection {
            measure,
            label: known(label)?,
            against: against.map(known).transpose()?,
            options: (!options.is_empty()).then(|| row::joined(options.iter())),
            reference: line.reference,
            device,
            source,
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_figures_keep_their_precision() {
        let figure = |text: &str| Figure::of(text).unwrap().unwrap();
        let found = figure("4.86");
        assert_eq!((found.value, found.deviation, found.decimals), (4.86, None, 2));
        assert!((found.rounding - 0.005).abs() < 1e-12);
        let found = figure("1.59e3 ± 8.56e1");
        assert_eq!((found.value, found.deviation, found.decimals), (1590.0, Some(85.6), 0));
        assert!((found.rounding - 5.0).abs() < 1e-9);
        assert_eq!((figure("1.44e-2").decimals, figure("1,054").value), (4, 1054.0));
        assert!(figure("INF").value.is_infinite());
        assert_eq!(Figure::of("-"), Ok(None));
        for wrong in ["", "x", "1 ±", "4.8.6", "NaN", "1e"] {
            assert_eq!(Figure::of(wrong), Err(()), "{wrong}");
        }
    }
}
