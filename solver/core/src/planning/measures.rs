//! Solutions of one instance side by side: a table of solutions and figures, with the differences to one of the solutions.

use std::cmp::Ordering;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::numbers::{figure, grouped, quantity, signed};
use crate::text::aligned::columns;
use crate::text::table::for_people;
use crate::workbook::{self, Style, words};
use crate::{Error, Result};

/// Seconds of a minute, an hour and a day.
const SPANS: [(u64, &str, &str); 3] = [(86_400, "day", "s"), (3_600, "h", ""), (60, "min", "")];

/// Figure of a solution by which people choose between several; less is better.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// Key in JSON and in tables for scripts.
    pub key: &'static str,
    /// Label for people.
    pub label: &'static str,
    /// One sentence that defines the figure.
    pub help: &'static str,
    /// The figure; `None` if the data do not define it.
    pub value: Option<f64>,
    /// The figure as people read it.
    pub text: String,
    /// Seconds of a unit of the figure if it is a time of clocks; `None` for other figures.
    pub unit_seconds: Option<u32>,
}

/// Solutions of one instance with their figures, of which each solution has the same ones.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MeasureTable {
    /// Name and figures of each solution.
    rows: Vec<(String, Vec<Measure>)>,
    /// Index of the solution to which the differences refer.
    reference: usize,
}

/// A time of so many seconds in its two largest units: «2 days 3 h», «45 min», «30 s».
pub fn time_span(seconds: u64) -> String {
    let mut parts = Vec::new();
    let mut rest = seconds;
    for (size, unit, plural) in SPANS {
        let count = rest / size;
        rest %= size;
        if count > 0 {
            parts.push(format!("{} {unit}{}", grouped(count), if count == 1 { "" } else { plural }));
        }
    }
    if parts.is_empty() || rest > 0 && seconds < 3_600 {
        parts.push(format!("{rest} s"));
    }
    parts.truncate(2);
    parts.join(" ")
}

impl Measure {
    /// The difference from another value of the figure.
    fn change(&self, before: f64) -> Option<f64> {
        Some(self.value? - before)
    }

    /// A difference of this figure in words: «+2 days 3 h», «−12», «0».
    fn change_text(&self, by: f64) -> String {
        match self.unit_seconds {
            Some(unit) if by != 0.0 => signed(by, |size| time_span((size * f64::from(unit)) as u64)),
            _ => signed(by, |size| figure(size, 4)),
        }
    }
}

impl MeasureTable {
    /// Table of solutions by name, with differences to the one at `reference`.
    pub fn new(rows: Vec<(String, Vec<Measure>)>, reference: usize) -> Self {
        let reference = reference.min(rows.len().saturating_sub(1));
        Self { rows, reference }
    }

    /// Name and figures of each solution.
    pub fn rows(&self) -> &[(String, Vec<Measure>)] {
        &self.rows
    }

    /// Indices of the figures that the data define.
    pub fn defined(&self) -> Vec<usize> {
        let first = self.rows.first().map_or(&[][..], |row| &row.1);
        (0..first.len()).filter(|&at| first[at].value.is_some()).collect()
    }

    /// Difference of a figure to that of the reference in words, and [`Ordering::Less`] if the figure is better; `None` for the
    /// reference itself.
    pub fn change(&self, row: usize, measure: usize) -> Option<(String, Ordering)> {
        if row == self.reference {
            return None;
        }
        let measure_of = |row: usize| self.rows.get(row)?.1.get(measure);
        let by = measure_of(row)?.change(measure_of(self.reference)?.value?)?;
        Some((measure_of(row)?.change_text(by), by.total_cmp(&0.0)))
    }

    /// Difference of a figure to that of the reference in per cent of the latter; `None` as in [`Self::change`], or if that is zero.
    pub fn change_share(&self, row: usize, measure: usize) -> Option<f64> {
        if row == self.reference {
            return None;
        }
        let value_of = |row: usize| self.rows.get(row)?.1.get(measure)?.value;
        let before = value_of(self.reference).filter(|&before| before != 0.0)?;
        Some(100.0 * (value_of(row)? - before) / before)
    }

    /// Renders the figures as lines and the solutions as columns named A, B, …, which lines above explain.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (row, (path, _)) in self.rows.iter().enumerate() {
            let _ = writeln!(out, "{}  {path}", column_name(row));
        }
        out.push('\n');
        out.push_str(&columns(&self.lines()));
        out
    }

    /// Head and lines of [`Self::text`]: the figure, and for each solution its value and, but for the reference, the change.
    fn lines(&self) -> Vec<Vec<String>> {
        let mut head = vec![String::new()];
        for row in 0..self.rows.len() {
            head.push(column_name(row));
            head.extend((row != self.reference).then(|| "change".to_owned()));
        }
        let line = |measure: usize| {
            let mut cells = vec![self.rows[0].1[measure].label.to_owned()];
            for (row, (_, measures)) in self.rows.iter().enumerate() {
                cells.push(measures[measure].text.clone());
                cells.extend(self.change(row, measure).map(|(words, order)| format!("{words}{}", verdict(order))));
            }
            cells
        };
        std::iter::once(head).chain(self.defined().into_iter().map(line)).collect()
    }

    /// Renders the table for scripts: an object per solution with its figures and their changes.
    pub fn json(&self) -> Map<String, Value> {
        let of = |row: usize| {
            let (name, measures) = &self.rows[row];
            let mut object = Map::from_iter([("file".to_owned(), json!(name))]);
            object.extend(values(measures));
            if row != self.reference {
                object.insert("changes".to_owned(), Value::Object(self.changes(row)));
            }
            Value::Object(object)
        };
        let plans: Vec<Value> = (0..self.rows.len()).map(of).collect();
        Map::from_iter([("reference".to_owned(), json!(self.reference + 1)), ("solutions".to_owned(), plans.into())])
    }

    /// Differences of a solution to the reference, by the keys of the figures; null where a figure is not defined.
    pub fn changes(&self, row: usize) -> Map<String, Value> {
        let before = &self.rows[self.reference].1;
        let pairs = self.rows[row].1.iter().zip(before);
        let change = |(after, before): (&Measure, &Measure)| {
            let by = before.value.and_then(|before| after.change(before));
            (after.key.to_owned(), by.map_or(Value::Null, whole))
        };
        Map::from_iter(pairs.map(change))
    }

    /// Checks the ending of a file for [`Self::bytes`].
    ///
    /// # Errors
    /// [`Error::Usage`] for another ending than `csv` and `xlsx`.
    pub fn check_ending(ending: &str) -> Result<()> {
        if matches!(ending, "csv" | "xlsx") {
            return Ok(());
        }
        let what = "a comparison is not written as";
        Err(Error::Usage(format!("{what} .{}; choose a name that ends with .csv or .xlsx", ending.escape_debug())))
    }

    /// Encodes the table as `csv` or `xlsx`.
    ///
    /// # Errors
    /// [`Error::Usage`] for another ending, or if the workbook cannot be written.
    pub fn bytes(&self, title: &str, ending: &str) -> Result<Vec<u8>> {
        match ending {
            "csv" => Ok(self.csv()),
            "xlsx" => self.workbook(title),
            other => Self::check_ending(other).map(|()| Vec::new()),
        }
    }

    /// A line per solution: each figure as a number, in words if it is a time of clocks, and its change.
    fn csv(&self) -> Vec<u8> {
        let measures = self.defined();
        let first = self.rows.first().map_or(&[][..], |row| &row.1);
        let heads = measures.iter().flat_map(|&at| {
            let (key, is_time) = (first[at].key, first[at].unit_seconds.is_some());
            let words = is_time.then(|| format!("{key}_text"));
            std::iter::once(key.to_owned()).chain(words).chain([format!("{key}_change")])
        });
        let heads: Vec<String> = std::iter::once("solution".to_owned()).chain(heads).collect();
        let plain = |value: Option<f64>| value.map_or_else(String::new, |value| whole(value).to_string());
        let line = |row: usize| {
            let (name, own) = &self.rows[row];
            let cells = measures.iter().flat_map(|&at| {
                let before = self.rows[self.reference].1[at].value;
                let words = own[at].unit_seconds.map(|_| own[at].text.clone());
                let change = before.filter(|_| row != self.reference).and_then(|before| own[at].change(before));
                std::iter::once(plain(own[at].value)).chain(words).chain([plain(change)])
            });
            std::iter::once(name.clone()).chain(cells).collect()
        };
        for_people(&heads, (0..self.rows.len()).map(line))
    }

    /// One sheet with a line per solution: each figure and its change.
    fn workbook(&self, title: &str) -> Result<Vec<u8>> {
        let measures = self.defined();
        let first = self.rows.first().map_or(&[][..], |row| &row.1);
        let mut heads = vec![("Solution", workbook::width(self.rows.iter().map(|row| row.0.as_str())))];
        heads.extend(measures.iter().flat_map(|&at| [(first[at].label, 20.0), ("Change", 16.0)]));
        workbook::write(title, None, |book| {
            let mut sheet = book.table("Comparison", &heads, self.rows.len())?;
            for (row, (name, own)) in self.rows.iter().enumerate() {
                let cells = measures.iter().flat_map(|&at| {
                    let value = match own[at].value.filter(|_| own[at].unit_seconds.is_none()) {
                        Some(value) if value.fract() == 0.0 => workbook::Value::Number(value, Style::Count),
                        Some(value) => workbook::Value::Number(value, Style::Cost),
                        None => words(own[at].text.clone()),
                    };
                    let change = self.change(row, at).map_or_else(String::new, |(change, _)| change);
                    [value, words(change)]
                });
                sheet.row(row as u32 + 1, std::iter::once(workbook::text(name.clone())).chain(cells))?;
            }
            Ok(())
        })
    }
}

/// A cost as JSON: integers without a decimal point, so that scripts compare them exactly.
pub fn whole(cost: f64) -> serde_json::Value {
    if cost.fract() == 0.0 && cost.abs() < 9e15 { (cost as i64).into() } else { cost.into() }
}

/// Keys and values of figures; null where a figure is not defined.
pub fn values(measures: &[Measure]) -> Map<String, Value> {
    let value = |measure: &Measure| (measure.key.to_owned(), measure.value.map_or(Value::Null, whole));
    Map::from_iter(measures.iter().map(value))
}

/// Name of a solution's column: A, B, …, Z, then numbers.
fn column_name(row: usize) -> String {
    match u8::try_from(row) {
        Ok(row @ 0..26) => char::from(b'A' + row).to_string(),
        _ => format!("{}", row + 1),
    }
}

/// Word behind a change.
pub fn verdict(order: Ordering) -> &'static str {
    match order {
        Ordering::Less => " better",
        Ordering::Greater => " worse",
        Ordering::Equal => "",
    }
}

/// The cost as the only figure, for problems that have no others.
pub(super) fn cost(value: f64) -> Measure {
    let help = "The cost by the independent checker";
    Measure { key: "cost", label: "Cost", help, value: Some(value), text: quantity(value), unit_seconds: None }
}

/// The number of items that have other places than in another solution.
pub(super) fn moved(count: usize) -> Measure {
    let (count, help) = (count as f64, "Items that have other places than in the present plan");
    Measure { key: "moved", label: "Moved", help, value: Some(count), text: quantity(count), unit_seconds: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> MeasureTable {
        let row = |name: &str, cost: f64, end: f64| {
            let end = Measure {
                key: "end",
                label: "End",
                help: "",
                value: Some(end),
                text: time_span(end as u64 * 60),
                unit_seconds: Some(60),
            };
            let missing = Measure { key: "none", value: None, ..cost_of(0.0) };
            (name.to_owned(), vec![cost_of(cost), end, missing])
        };
        fn cost_of(value: f64) -> Measure {
            super::cost(value)
        }
        let rows = vec![row("a.ron", 12.0, 60.0), row("b.ron", 10.5, 1_560.0), row("c.ron", 12.0, 0.0)];
        MeasureTable::new(rows, 0)
    }

    #[test]
    fn times_are_told_in_their_two_largest_units() {
        let told = [0, 59, 60, 90, 3_600, 3_661, 86_400, 183_600, 2_678_400].map(time_span);
        assert_eq!(told, ["0 s", "59 s", "1 min", "1 min 30 s", "1 h", "1 h 1 min", "1 day", "2 days 3 h", "31 days"]);
    }

    #[test]
    fn differences_refer_to_the_chosen_solution() {
        let mut table = table();
        assert_eq!(table.defined(), [0, 1]);
        assert_eq!(table.change(1, 0), Some(("−1.5".to_owned(), Ordering::Less)));
        assert_eq!(table.change(1, 1), Some(("+1 day 1 h".to_owned(), Ordering::Greater)));
        assert_eq!((table.change(0, 0), table.change(2, 0)), (None, Some(("0".to_owned(), Ordering::Equal))));
        table.reference = 2;
        assert_eq!(table.change(0, 1), Some(("+1 h".to_owned(), Ordering::Greater)));
        assert_eq!(table.changes(1), json!({ "cost": -1.5, "end": 1_560, "none": null }).as_object().unwrap().clone());
    }

    #[test]
    fn the_table_is_written_for_people_and_scripts() {
        let table = table();
        let text = table.text();
        assert!(text.starts_with("A  a.ron\nB  b.ron\nC  c.ron\n\n"), "{text}");
        assert!(text.contains("+1 day 1 h worse") && text.contains("−1.5 better"), "{text}");
        assert_eq!(table.json()["solutions"][1]["changes"]["end"], json!(1_500));
        let csv = String::from_utf8(table.bytes("plans", "csv").unwrap()).unwrap();
        let lines: Vec<&str> = csv.trim_start_matches('\u{feff}').lines().collect();
        assert_eq!(lines[0], "solution,cost,cost_change,end,end_text,end_change");
        assert_eq!(lines[2], "b.ron,10.5,-1.5,1560,1 day 2 h,1500");
        assert!(table.bytes("plans", "xlsx").unwrap().starts_with(b"PK"));
        assert!(table.bytes("plans", "pdf").unwrap_err().to_string().contains(".csv or .xlsx"));
    }
}
