//! Reader of flows and closeness ratings, as charts (one row and column per department) or as lists.

use std::collections::HashMap;
use std::path::Path;

use super::{Sheet, promised, rating, rooms};
use crate::Instance;
use crate::data::{FLOW_COLUMN, FROM_COLUMN, RATING_COLUMN, TO_COLUMN};
use crate::formats::kinds;
use crate::names::Names;
use gridwright_core::text::Source;
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::{Problems, counted, listed, quoted};
use gridwright_core::text::notation::Evidence;
use gridwright_core::text::table::{self, Table};
use gridwright_core::{Error, Result};

const FROM: usize = 0;
const TO: usize = 1;
const FLOW: usize = 2;
const RATING: usize = 3;

const LIST: [Column; 4] = [FROM_COLUMN, TO_COLUMN, FLOW_COLUMN.or_none(), RATING_COLUMN.or_none()];

/// Returns `true` if a text begins with the header of a list of flows or ratings.
pub(super) fn is_list(source: Source) -> bool {
    Table::open(source, &LIST).is_ok_and(|table| table.has(FLOW) || table.has(RATING))
}

/// Flows and ratings collected while tables are read.
pub(super) struct Pairs {
    names: Names,
    listed: Vec<String>,
    n: usize,
    /// Directed flows, n × n, row-major.
    flows: Vec<f64>,
    has_flows: bool,
    /// Unit of the flows; empty if no table names it.
    unit: String,
    /// Rating and its line by (lower, higher) department index.
    ratings: HashMap<(usize, usize), (char, usize)>,
    warnings: Vec<String>,
}

impl Pairs {
    pub(super) fn new(instance: &Instance) -> Self {
        let n = instance.departments.len();
        let listed: Vec<String> = instance.departments.iter().map(|department| department.name.clone()).collect();
        let (names, flows) = (Names::of(&instance.departments), vec![0.0; n * n]);
        let (ratings, warnings, unit) = (HashMap::new(), Vec::new(), String::new());
        Self { names, listed, n, flows, has_flows: false, unit, ratings, warnings }
    }

    /// Reads the chart in columns of the table of departments: (column, department index).
    pub(super) fn own_chart(&mut self, sheet: &Sheet, columns: &[(usize, usize)], problems: &mut Problems) {
        let Ok(table) = rooms::open(sheet) else { return };
        let mut cells = Vec::new();
        table.rows(problems, |_, row| {
            cells.push((row.line, columns.iter().map(|&(at, _)| row.at(at).to_owned()).collect::<Vec<_>>()));
        });
        let from: Vec<usize> = (0..cells.len()).collect();
        let to: Vec<usize> = columns.iter().map(|&(_, department)| department).collect();
        self.take_cells(sheet, table.numbers().table, &cells, (&from, &to), problems);
    }

    /// Reads a separate table, as a list or as a chart.
    pub(super) fn read(&mut self, sheet: &Sheet, problems: &mut Problems) {
        match Table::open(sheet.source(), &LIST) {
            Ok(table) if table.has(FLOW) || table.has(RATING) => self.read_list(&table, problems),
            _ => self.read_chart(sheet, problems),
        }
    }

    /// Some flows are stated elsewhere: ratings do not stand in for them.
    pub(super) fn state_flows(&mut self) {
        self.has_flows = true;
    }

    /// Takes the unit of flows, unless one is known.
    pub(super) fn take_unit(&mut self, unit: &str) {
        if self.unit.is_empty() {
            unit.clone_into(&mut self.unit);
        }
    }

    /// Warnings about the tables that were read.
    pub(super) fn warnings(&mut self) -> &mut Vec<String> {
        &mut self.warnings
    }

    /// Index of a department; a problem of the line if there is none of this name.
    pub(super) fn find(&self, name: &str, line: usize, problems: &mut Problems) -> Option<usize> {
        let found = self.names.find(name);
        if found.is_none() {
            let (name, known) = (quoted(name), listed(&self.listed));
            problems.line(
                line,
                format!("{name} is no department; correct the name, or add it to the departments ({known})"),
            );
        }
        found
    }

    fn read_list(&mut self, table: &Table, problems: &mut Problems) {
        self.has_flows |= table.has(FLOW);
        let numbers = table.numbers();
        self.take_unit(numbers.unit(FLOW));
        let count = table.rows(problems, |problems, row| {
            let from = self.find(row.get(FROM), row.line, problems);
            let to = self.find(row.get(TO), row.line, problems);
            let (Some(from), Some(to)) = (from, to) else { return };
            if !row.get(FLOW).is_empty() {
                match numbers.read(&row, FLOW).and_then(kinds::flow) {
                    Ok(flow) if from != to => self.flows[from * self.n + to] += flow,
                    Ok(_) => self.warn_of_circle(from),
                    Err(why) => problems.line(row.line, format!("the flow: {why}")),
                }
            } else if table.has(FLOW) && row.get(RATING).is_empty() {
                problems.line(row.line, "the flow is missing; write a number, or remove the line");
            }
            if !row.get(RATING).is_empty() {
                self.rate(from, to, row.get(RATING), row.line, problems);
            }
        });
        table::leftovers(table, &table.unused, &count, &mut self.warnings);
    }

    fn warn_of_circle(&mut self, department: usize) {
        let name = quoted(&self.listed[department]);
        self.warnings.push(format!("a flow from department {name} to itself covers no distance and is left out"));
    }

    fn rate(&mut self, one: usize, other: usize, text: &str, line: usize, problems: &mut Problems) {
        let letter = match rating(text) {
            Some(letter) if one != other => letter,
            Some(_) => return,
            None => {
                let found = quoted(text);
                return problems.line(line, format!("{found} is no rating; write one of A E I O U X, or nothing"));
            }
        };
        let pair = (one.min(other), one.max(other));
        match self.ratings.insert(pair, (letter, line)) {
            Some((before, at)) if before != letter => {
                let [one, other] = [pair.0, pair.1].map(|at| quoted(&self.listed[at]));
                let what = format!("{one} and {other} are rated {letter} here and {before} in line {at}; keep one");
                problems.line(line, what);
            }
            _ => {}
        }
    }

    /// Reads a chart with department names in the first row and column.
    fn read_chart(&mut self, sheet: &Sheet, problems: &mut Problems) {
        let table = match Table::open(sheet.source(), &[]) {
            Ok(table) => table,
            Err(error) => return problems.file(error.to_string()),
        };
        let header = sheet.text.lines().position(|line| !line.trim().is_empty()).map_or(1, |at| at + 1);
        let mut columns = table.other_columns();
        // Sums are no flows.
        let is_total = |name: &str| table::names_total(name) && self.names.find(name).is_none();
        columns.retain(|(_, name)| !name.is_empty() && !is_total(name));
        let first = usize::from(columns.first().is_some_and(|(at, _)| *at == 0));
        let columns = &columns[first..];
        let mut to = Vec::new();
        for (_, name) in columns {
            to.extend(self.find(name, header, problems));
        }
        let (mut from, mut cells): (Vec<usize>, Cells) = (Vec::new(), Vec::new());
        table.rows(problems, |problems, row| {
            if let Some(department) = self.find(row.at(0), row.line, problems) {
                from.push(department);
                cells.push((row.line, columns.iter().map(|(at, _)| row.at(*at).to_owned()).collect::<Vec<_>>()));
            }
        });
        let last = cells.last().map_or(header, |(line, _)| *line);
        if !self.is_triangle(&from, &to, &cells) {
            let remedy = if rates(&cells) { RATINGS_MISSING } else { FLOWS_MISSING };
            self.check_whole(&to, "column", (header, remedy), problems);
            self.check_whole(&from, "row", (last, remedy), problems);
        }
        if problems.is_empty() {
            self.take_cells(sheet, Evidence::default(), &cells, (&from, &to), problems);
        }
    }

    /// Returns `true` for a triangle above or below the diagonal, which needs neither a row nor a column for the one department
    /// of which it would be empty.
    fn is_triangle(&self, from: &[usize], to: &[usize], cells: &Cells) -> bool {
        let missing = |found: &[usize]| -> Vec<usize> { (0..self.n).filter(|one| !found.contains(one)).collect() };
        let (rows, columns) = (missing(from), missing(to));
        if from.len() + rows.len() != self.n || to.len() + columns.len() != self.n {
            return false;
        }
        let is_only = |missing: &[usize], end: Option<&usize>| missing.iter().all(|department| Some(department) == end);
        let upper = [&columns[..], to].concat();
        let lower = [to, &columns[..]].concat();
        is_only(&rows, to.last()) && is_only(&columns, from.first()) && is_on_one_side(from, to, cells, &upper, true)
            || is_only(&rows, to.first())
                && is_only(&columns, from.last())
                && is_on_one_side(from, to, cells, &lower, false)
    }

    /// Reports departments that a chart lacks or repeats, at a line and with what to write where there is no value.
    fn check_whole(&self, found: &[usize], what: &str, (line, remedy): (usize, &str), problems: &mut Problems) {
        let named = |of: &dyn Fn(usize) -> bool| {
            let names: Vec<String> = (0..self.n).filter(|&one| of(one)).map(|one| quoted(&self.listed[one])).collect();
            names
        };
        let missing = named(&|one| !found.contains(&one));
        let twice = named(&|one| found.iter().filter(|&&other| other == one).count() > 1);
        if !twice.is_empty() && problems.is_empty() {
            problems.line(
                line,
                format!("the chart has more than one {what} for {}; leave one of them out", listed(&twice)),
            );
        } else if !missing.is_empty() && problems.is_empty() {
            let (has, all) = (counted(found.len(), what), counted(self.n, "department"));
            let missing = listed(&missing);
            problems.line(line, format!("the chart has {has} for {all}; add one for {missing}, {remedy}"));
        }
    }

    /// Takes the cells of a chart: letters mean ratings, otherwise numbers are flows, in the notation of the `table` if they do
    /// not show theirs.
    fn take_cells(
        &mut self, sheet: &Sheet, table: Evidence, cells: &Cells, (from, to): (&[usize], &[usize]),
        problems: &mut Problems,
    ) {
        if rates(cells) {
            for (&one, (line, row)) in from.iter().zip(cells) {
                for (&other, text) in to.iter().zip(row).filter(|(_, text)| !is_blank(text)) {
                    self.rate(one, other, text, *line, problems);
                }
            }
            return;
        }
        let mut chart = Instance { flows: vec![0.0; self.n * self.n], ..Instance::default() };
        chart.departments =
            self.listed.iter().map(|name| crate::Department { name: name.clone(), ..Default::default() }).collect();
        let mut lines = vec![0; self.n];
        let numbers = Evidence::of(cells.iter().flat_map(|(_, row)| row).map(String::as_str)).or(table);
        for (&one, (line, row)) in from.iter().zip(cells) {
            lines[one] = *line;
            for (&other, text) in to.iter().zip(row).filter(|(_, text)| !is_blank(text)) {
                match numbers.read(text).and_then(|read| read.parse().map_err(|_| quoted(text))) {
                    Ok(flow) => chart.flows[one * self.n + other] = flow,
                    Err(why) => {
                        let [one, other] = [one, other].map(|at| quoted(&self.listed[at]));
                        problems.value(*line, format!("the flow from {one} to {other}: {why}"));
                    }
                }
            }
        }
        kinds::take_chart(&mut chart, problems, promised(sheet), &lines);
        self.has_flows = true;
        self.warnings.append(&mut chart.warnings);
        self.flows.iter_mut().zip(chart.flows).for_each(|(sum, flow)| *sum += flow);
    }

    /// Stores flows, ratings and the rules that follow from them in the instance.
    ///
    /// # Errors
    /// [`Error::File`] if there are neither flows nor ratings.
    pub(super) fn finish(self, instance: &mut Instance, path: &Path) -> Result<()> {
        if !self.has_flows && self.ratings.is_empty() {
            let name = gridwright_core::text::stem(path);
            let what = format!(
                "there are no flows between the departments; put a list (from,to,flow) or a chart into {}.csv beside it, \
                 or add a column for each department",
                if name.eq_ignore_ascii_case("departments") { "flows".to_owned() } else { format!("{name}.flows") }
            );
            return Err(Error::file(path, what));
        }
        (instance.flows, instance.flow_unit) = (self.flows, self.unit);
        instance.warnings.extend(self.warnings);
        let mut ratings: Vec<((usize, usize), char)> =
            self.ratings.into_iter().map(|(pair, (letter, _))| (pair, letter)).collect();
        ratings.sort_unstable();
        for &((one, other), letter) in &ratings {
            let weight = instance.weights.of(letter);
            instance.closeness.push((one as u16, other as u16, letter));
            if letter == 'X' && weight != 0.0 {
                instance.rules.apart.push((one as u16, other as u16));
            } else if !self.has_flows {
                instance.flows[one * self.n + other] = weight;
            }
        }
        if !ratings.is_empty() {
            instance.warnings.push(effect_of_ratings(instance, self.has_flows));
        }
        Ok(())
    }
}

/// Rows of a chart: line and cells.
type Cells = Vec<(usize, Vec<String>)>;

/// Remedies for missing cells of a chart of flows, and of a chart of ratings.
const FLOWS_MISSING: &str = "with 0 where nothing flows";
const RATINGS_MISSING: &str = "with empty cells where a pair has no rating";

/// Returns `true` for the cells of a chart of ratings: some are ratings, and none begins with a digit.
fn rates(cells: &Cells) -> bool {
    let mut filled = cells.iter().flat_map(|(_, row)| row).filter(|text| !is_blank(text));
    let is_number =
        |text: &str| text.trim_start_matches(['-', '+', '−', '.', ',']).starts_with(|sign: char| sign.is_ascii_digit());
    let mut has_rating = false;
    filled.all(|text| {
        has_rating |= rating(text).is_some();
        !is_number(text)
    }) && has_rating
}

/// Returns `true` if a chart has entries on one side of its diagonal only, where its departments stand in `order`.
fn is_on_one_side(from: &[usize], to: &[usize], cells: &Cells, order: &[usize], is_upper: bool) -> bool {
    let place = |department: &usize| order.iter().position(|other| other == department);
    from.iter().zip(cells).all(|(row, (_, cells))| {
        to.iter().zip(cells).all(|(column, cell)| {
            let is_entry = if is_upper { place(column) > place(row) } else { place(column) < place(row) };
            is_entry || is_blank(cell) || cell == "0"
        })
    })
}

/// Returns `true` for a cell of a chart without a value.
fn is_blank(cell: &str) -> bool {
    matches!(cell, "" | "-" | "–" | "—")
}

/// Says how the ratings of an instance count.
fn effect_of_ratings(instance: &Instance, has_flows: bool) -> String {
    let weights = instance.weights.listed();
    let mut text = match has_flows {
        true => format!("the closeness score counts the ratings that are met ({weights}); the cost counts flows alone"),
        false => format!(
            "there are no flows: the weights of the ratings ({weights}) stand in for them, so the cost is weight × distance; \
             add flows to have the cost of transport"
        ),
    };
    let apart = instance.rules.apart.len();
    if apart > 0 {
        text.push_str(&format!(
            "; {} rated X must not share a wall (X=0 among the weights ignores that)",
            counted(apart, "pair")
        ));
    }
    text
}
