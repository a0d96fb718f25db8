//! Figures of `gridwright bench` in the folder of a campaign: files of comma-separated values with one or more tables.
//!
//! Runs time whole searches only. Where a paper prints the time of a part of one, its plan names a file such as `wavefront.csv`
//! and the place of the figure in it: cells that its row must have, and a column.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gridwright_core::text::cells::bare;
use gridwright_core::{Error, Result, files};

use super::published::{Device, Ours, PublishedTable};

/// Name of the column that says on which device a row was measured.
const DEVICE: &str = "computed on";

/// Place of a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// Columns and the cells that the row has in them.
    pub cells: BTreeMap<String, String>,
    /// Column of the figure.
    pub column: String,
    /// Column by which the figure is divided.
    pub over: Option<String>,
    /// Number by which the figure is multiplied, for another unit.
    pub factor: f64,
    /// Device on which the printed figure was measured.
    pub device: Option<Device>,
}

/// One table: its columns and rows.
#[derive(Debug, Clone, Default, PartialEq)]
struct Measured {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The tables of all files of a folder, by the name of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Benches(BTreeMap<String, Vec<Measured>>);

impl Benches {
    /// Reads those files in a folder that the printed tables name; a file that is not there has no figures.
    ///
    /// # Errors
    /// [`Error::File`] if a file cannot be read, [`Error::Line`] if it is no table.
    pub fn read(folder: &Path, published: &[PublishedTable]) -> Result<Self> {
        let mut benches = Self::default();
        let cells = published.iter().flat_map(|table| &table.cells);
        let names: BTreeSet<&str> = cells
            .filter_map(|cell| match &cell.ours {
                Ok(Ours::Bench(place)) => Some(place.file.as_str()),
                _ => None,
            })
            .collect();
        for name in names {
            let path = folder.join(name);
            if path.exists() {
                benches.0.insert(name.to_owned(), tables(&path, &files::read_text(&path)?)?);
            }
        }
        Ok(benches)
    }

    /// Figures at a place by device: one CPU thread, several, a GPU.
    pub(super) fn figures(&self, place: &Place) -> [Option<f64>; 3] {
        let mut found = [None; 3];
        for table in self.0.get(&place.file).into_iter().flatten() {
            let at = |column: &str| table.columns.iter().position(|name| name == column);
            let number = |row: &[String], column: &str| {
                let text = row.get(at(column)?)?.trim_start_matches('≈');
                text.parse::<f64>().ok().filter(|value| value.is_finite())
            };
            for row in &table.rows {
                let cell = |column: &str| at(column).and_then(|column| row.get(column)).map(String::as_str);
                if !place.cells.iter().all(|(column, wanted)| cell(column) == Some(wanted)) {
                    continue;
                }
                let over = place.over.as_ref().map_or(Some(1.0), |over| number(row, over));
                let figure = number(row, &place.column).zip(over).map(|(value, over)| place.factor * value / over);
                let device = device(cell(DEVICE), place.device);
                found[device] = found[device].or(figure.filter(|figure| figure.is_finite()));
            }
        }
        found
    }
}

/// Index of the device that a row names; where it names none, that of the print.
fn device(text: Option<&str>, printed: Option<Device>) -> usize {
    match (text, printed) {
        (Some(text), _) if text.contains("CPU, 1 thread") => 0,
        (Some(text), _) if text.starts_with("CPU") => 1,
        (Some(_), _) | (None, Some(Device::Gpu)) => 2,
        (None, _) => 0,
    }
}

/// The tables of a file: blocks that empty lines part, each with its own heads.
fn tables(path: &Path, text: &str) -> Result<Vec<Measured>> {
    let mut tables = Vec::new();
    let mut line = 1;
    for block in text.replace("\r\n", "\n").split("\n\n") {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(block.as_bytes());
        let mut records = reader.records().map(|record| {
            let record = record.map_err(|error| {
                let at = error.position().map_or(1, |position| position.line() as usize);
                Error::line(path, line + at - 1, "the line has another number of cells than the one before it")
            })?;
            Ok(record.iter().map(|cell| bare(cell).to_owned()).collect::<Vec<String>>())
        });
        if let Some(columns) = records.next().transpose()? {
            let rows = records.collect::<Result<_>>()?;
            tables.push(Measured { columns, rows });
        }
        line += block.matches('\n').count() + 2;
    }
    Ok(tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_by_their_row_and_device() {
        let text = "size,computed on,\"µs, one\",\"µs, p\"\n20 × 5,CPU,0.4,8\n20 × 5,cuda:0,60,20\n20 × 5,cuda:0,99,99\n\n\
                    size,computed on,s\n20 × 5,\"CPU, 1 thread\",≈3\n";
        let benches = Benches(BTreeMap::from([("a.csv".to_owned(), tables(Path::new("a.csv"), text).unwrap())]));
        let place = |column: &str, over: Option<&str>| Place {
            file: "a.csv".to_owned(),
            cells: BTreeMap::from([("size".to_owned(), "20 × 5".to_owned())]),
            column: column.to_owned(),
            over: over.map(str::to_owned),
            factor: 0.5,
            device: None,
        };
        assert_eq!(benches.figures(&place("µs, one", None)), [None, Some(0.2), Some(30.0)]);
        assert_eq!(benches.figures(&place("µs, one", Some("µs, p"))), [None, Some(0.025), Some(1.5)]);
        assert_eq!(benches.figures(&place("s", None)), [Some(1.5), None, None]);
        assert_eq!(benches.figures(&place("ms", None)), [None; 3]);
        let said = tables(Path::new("a.csv"), "a,b\n1,2\n\nc\n1\n1,2\n").unwrap_err().to_string();
        assert!(said.contains("a.csv:6"), "{said}");
    }
}
