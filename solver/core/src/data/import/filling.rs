//! Lines of sheets become rows of tables.

mod carrying;
mod dates;
mod names;
mod products;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use self::carrying::Carry;
use super::super::lists::joined;
use super::super::{Assumed, Dataset, Row, Spellings, TableSpec, ValueKind, canonical, reading};
use super::numbers::{ColumnNumbers, unit_value};
use super::texts::CarriedTexts;
use super::{Layout, LineCount, MOST_PROBLEMS, Mapped, Mapping, Outcome, Problem, Request, UnknownCount};
use crate::text::columns;
use crate::text::lines::{self, Effect, quoted};
use crate::text::table::{content, is_blank, is_total};
use crate::text::times::InMinutes;

/// Data of an import while its sheets are read.
pub(super) struct Filling<'a> {
    specs: &'static [TableSpec],
    request: &'a Request,
    data: Dataset,
    counts: Vec<LineCount>,
    problems: Vec<Problem>,
    more_problems: usize,
    /// Spellings and lines of the names of each table.
    names: Vec<(Spellings, HashMap<String, usize>)>,
    /// True for tables that a sheet or the base fills, so that unknown names are suspicious.
    is_given: Vec<bool>,
    /// Names that tables lack, by table and [`key`]; true for those with a single similar name.
    unknown: Vec<HashMap<String, bool>>,
    /// Values for empty cells of rows, by table, column and name of the row.
    carried: HashMap<(usize, usize, String), Carry>,
    /// Texts of the rows of each table that are carried along in another one.
    texts: Vec<CarriedTexts>,
}

/// The column of a table whose default counts for the rows of a sheet, if there is one.
fn assumed(spec: &TableSpec, mapping: &Mapping) -> Option<Assumed> {
    let has = |column: &usize| mapping.columns.get(*column).copied().flatten().is_some();
    spec.assumed.filter(|assumed| !has(&assumed.column) && !assumed.instead.iter().any(has))
}

/// A sheet while it is read.
struct Reading<'a> {
    at: usize,
    table: usize,
    mapped: &'a Mapped,
    headings: Rc<[String]>,
    rows: Vec<Row>,
    /// Pairs that were read, for tables of pairs without a value.
    seen: HashSet<Row>,
    /// Notation and unit of the numbers in each column of the sheet.
    numbers: Vec<ColumnNumbers>,
    /// Columns of texts that are carried along, and their headings.
    texts: Vec<(usize, String)>,
}

impl<'a> Filling<'a> {
    pub(super) fn new(specs: &'static [TableSpec], request: &'a Request) -> Self {
        let mut data = request.base.clone();
        data.name.clone_from(&request.name);
        let is_sheet = |table| request.sheets.iter().any(|mapped| mapped.mapping.table == Some(table));
        let is_given: Vec<bool> =
            (0..specs.len()).map(|table| is_sheet(table) || !data.tables[table].rows.is_empty()).collect();
        for (table, spec) in specs.iter().enumerate() {
            if is_sheet(table) && !spec.is_form {
                data.tables[table] = super::super::DataTable::default();
            }
        }
        let mut names: Vec<(Spellings, HashMap<String, usize>)> = vec![Default::default(); specs.len()];
        for ((spec, table), names) in specs.iter().zip(&data.tables).zip(&mut names) {
            if let Some(column) = spec.name_column() {
                table.rows.iter().for_each(|row| {
                    names.0.learn(row.cell(column));
                });
            }
        }
        let counts = vec![LineCount::default(); request.sheets.len()];
        let (problems, carried) = (Vec::new(), HashMap::new());
        let texts = specs.iter().map(|_| CarriedTexts::default()).collect();
        let unknown = vec![HashMap::new(); specs.len()];
        Self { specs, request, data, counts, problems, more_problems: 0, names, is_given, unknown, carried, texts }
    }

    /// Reads a sheet into its table.
    pub(super) fn read(&mut self, at: usize, mapped: &'a Mapped, table: usize) {
        let (sheet, mapping) = (&mapped.sheet, &mapped.mapping);
        let headings: Rc<[String]> = sheet.names(mapping.header).into();
        let spec = &self.specs[table];
        let numbers = ColumnNumbers::of(mapped, spec, &headings);
        let converted = |column: usize, name: &String| numbers.get(column)?.converted_heading(name);
        if spec.further.is_some() {
            let own = &mut self.data.tables[table].further;
            let named =
                |&column: &usize| headings.get(column).map(|name| converted(column, name).unwrap_or(name.clone()));
            *own = mapping.listed.iter().filter_map(named).collect();
        }
        if numbers.first().is_some_and(ColumnNumbers::is_converted) {
            self.problem(at, 0, None, InMinutes::REMARK, Effect::Nothing);
        }
        self.take_units(spec, mapping, &numbers);
        self.tell_assumed(at, spec, mapping);
        self.tell_doubtful_dates(at, mapped, spec);
        let header: Vec<String> = mapping.header.map(|row| sheet.row(row).1).unwrap_or_default();
        let (rows, seen, texts) = (Vec::new(), HashSet::new(), mapped.text_columns(self.specs));
        let mut reading = Reading { at, table, mapped, headings, rows, seen, numbers, texts };
        let first = mapping.header.map_or(0, |row| row + 1);
        sheet.walk_from(first, |line, record| {
            if record.iter().all(is_blank) {
                return;
            }
            self.counts[at].lines += 1;
            let repeats = |(name, cell): (&String, &str)| columns::plain(name) == columns::plain(cell);
            if record.len() == header.len() && header.iter().zip(record).all(repeats) {
                self.counts[at].repeats += 1;
                return self.problem(at, line, None, "the header stands here again; left out", Effect::Nothing);
            }
            if is_total(record) {
                self.counts[at].repeats += 1;
                return self.problem(at, line, None, "this is a line of totals; left out", Effect::Nothing);
            }
            let cells: Vec<&str> = record.iter().map(content).collect();
            let width = if header.is_empty() { reading.headings.len() } else { header.len() };
            if !cells.iter().skip(width).all(|cell| cell.is_empty()) {
                self.counts[at].left_out += 1;
                let what = format!("{} cells where the header has {width}", cells.len());
                return self.problem(at, line, None, what, Effect::Line);
            }
            match mapping.layout {
                Layout::Rows => self.line(&mut reading, line, &cells),
                Layout::Lists | Layout::Matrix => self.wide_line(&mut reading, line, &cells),
            }
        });
        let rows = reading.rows;
        self.data.tables[table].rows.extend(rows);
    }

    /// Fills the cells of forms that hold the units of columns, from the units of these columns.
    fn take_units(&mut self, spec: &TableSpec, mapping: &Mapping, numbers: &[ColumnNumbers]) {
        for (column, place) in spec.columns.iter().zip(&mapping.columns) {
            let Some((cell, numbers)) = column.unit_cell.zip(place.and_then(|at| numbers.get(at))) else { continue };
            let Some(form) = self.specs.iter().position(|spec| spec.id == cell.form) else { continue };
            let unit = unit_value(self.specs[form].kind(cell.column), &numbers.unit);
            let rows = &mut self.data.tables[form].rows;
            let empty = rows.get(0).filter(|row| row.cell(cell.column).is_empty()).cloned();
            if let Some((row, unit)) = empty.zip(unit) {
                rows.set(0, row.with(cell.column, &unit));
            }
        }
    }

    /// Remarks that the default of a column counts for a sheet without this column.
    fn tell_assumed(&mut self, at: usize, spec: &TableSpec, mapping: &Mapping) {
        if let Some(assumed) = assumed(spec, mapping) {
            let (title, default) = (spec.columns[assumed.column].title, spec.default(assumed.column));
            let what = format!("no column says “{title}”; {default} counts for every {}", spec.noun);
            self.problem(at, 0, None, what, Effect::Nothing);
        }
    }

    /// Reads a line that is one row of the table.
    fn line(&mut self, reading: &mut Reading<'a>, line: usize, cells: &[&str]) {
        let spec = &self.specs[reading.table];
        let mapping = &reading.mapped.mapping;
        let further = mapping.listed.iter().filter(|_| spec.further.is_some()).map(|&at| Some(at));
        let declared = mapping.columns.iter().copied().take(spec.columns.len());
        let places: Vec<Option<usize>> = declared.chain(further).collect();
        let mut values: Vec<String> = Vec::with_capacity(places.len());
        for (column, place) in places.into_iter().enumerate() {
            let text = place.and_then(|at| cells.get(at)).copied().unwrap_or("");
            let value = match self.product(reading, line, place, text, &values) {
                Some(product) => product,
                None => self.value(reading, line, column, place, text),
            };
            match value {
                Some(value) => values.push(value),
                None => return self.counts[reading.at].left_out += 1,
            }
        }
        if let Some(assumed) = assumed(spec, mapping)
            && values[assumed.exempt].is_empty()
        {
            spec.default(assumed.column).clone_into(&mut values[assumed.column]);
        }
        self.tell_empty(reading, line, cells);
        self.carry(reading, line, &values, cells);
        if let Some(name) = spec.name_column().and_then(|column| values.get(column)) {
            self.texts[reading.table].take(name, &reading.texts, cells);
        }
        self.take(reading, line, values);
    }

    /// Remarks which further columns of a line are empty, if another value counts there.
    fn tell_empty(&mut self, reading: &Reading<'a>, line: usize, cells: &[&str]) {
        let (spec, listed) = (&self.specs[reading.table], &reading.mapped.mapping.listed);
        let Some(absence) = spec.further.and_then(|further| further.absence()) else { return };
        let empty = listed.iter().filter(|&&at| cells.get(at).is_none_or(|cell| cell.is_empty()));
        let empty = empty.filter_map(|&at| reading.headings.get(at));
        let names: Vec<String> = empty.map(|name| quoted(name)).collect();
        if !names.is_empty() {
            let what = format!("no value for {}; {absence}", lines::listed(&names));
            self.problem(reading.at, line, None, what, Effect::Nothing);
        }
    }

    /// Reads a line with the second items of several pairs.
    fn wide_line(&mut self, reading: &mut Reading<'a>, line: usize, cells: &[&str]) {
        let spec = &self.specs[reading.table];
        let mapping = &reading.mapped.mapping;
        let Some(wide) = spec.wide else { return };
        let place = mapping.columns[wide.row];
        let first = place.and_then(|at| cells.get(at)).copied().unwrap_or("");
        let Some(first) = self.value(reading, line, wide.row, place, first) else {
            return self.counts[reading.at].left_out += 1;
        };
        let headings = Rc::clone(&reading.headings);
        let heading = |at: usize| headings.get(at).cloned().unwrap_or_default();
        for &at in &mapping.listed {
            let cell = cells.get(at).copied().unwrap_or("");
            if cell.is_empty() || (wide.value.is_some() && matches!(cell, "-" | "–" | "—")) {
                continue;
            }
            let (second, value) = match (mapping.layout, wide.value) {
                (Layout::Lists, _) => (cell.to_owned(), String::new()),
                (_, Some(value)) => {
                    let Some(value) = self.value(reading, line, value, Some(at), cell) else {
                        self.counts[reading.at].values_left_out += 1;
                        continue;
                    };
                    (heading(at), value)
                }
                (_, None) => match canonical(ValueKind::Mark, cell, mapping.dates).as_str() {
                    "yes" => (heading(at), String::new()),
                    "" => continue,
                    _ => {
                        self.counts[reading.at].values_left_out += 1;
                        let what = format!("{} is no mark; write 1 or x, or leave it empty", quoted(cell));
                        self.cell_problem(reading, line, Some(at), cell, &what, Effect::Value);
                        continue;
                    }
                },
            };
            let Some(second) = self.value(reading, line, wide.column, Some(at), &second) else {
                self.counts[reading.at].values_left_out += 1;
                continue;
            };
            let mut values = vec![String::new(); spec.columns.len()];
            values[wide.row].clone_from(&first);
            values[wide.column] = second;
            if let Some(column) = wide.value {
                values[column] = value;
            }
            self.take(reading, line, values);
        }
    }

    /// Adds a row, unless it repeats an earlier pair.
    fn take(&mut self, reading: &mut Reading<'a>, line: usize, values: Vec<String>) {
        let row = Row::of(values);
        let spec = &self.specs[reading.table];
        if let Some(wide) = spec.wide.filter(|wide| spec.is_of_different && row.cell(wide.row) == row.cell(wide.column))
        {
            self.counts[reading.at].repeats += 1;
            // A matrix has zeros on its diagonal.
            if wide.value.is_none_or(|value| row.cell(value) != "0") {
                let what = format!("a {} of {} with itself; left out", spec.noun, quoted(row.cell(wide.row)));
                self.problem(reading.at, line, None, what, Effect::Nothing);
            }
            return;
        }
        let is_pair = spec.wide.is_some_and(|wide| wide.value.is_none());
        if is_pair && !reading.seen.insert(row.clone()) {
            self.counts[reading.at].repeats += 1;
            return self.problem(reading.at, line, None, "this repeats an earlier line; counted once", Effect::Nothing);
        }
        reading.rows.push(row);
    }

    /// The value of a cell; `None` if the line cannot be used. Values of optional columns that make no sense are left out.
    fn value(
        &mut self, reading: &Reading<'a>, line: usize, column: usize, place: Option<usize>, text: &str,
    ) -> Option<String> {
        let spec = &self.specs[reading.table];
        let kind = spec.kind(column);
        let is_required = spec.columns.get(column).is_some_and(|column| column.column.required);
        let dates = reading.mapped.mapping.dates;
        if let Some(value) = self.date(reading, line, column, place, text) {
            return Some(value);
        }
        let (value, doubt) = match place.and_then(|at| reading.numbers.get(at)) {
            Some(numbers) => numbers.read(spec, column, text, dates),
            None => (canonical(kind, text, dates), None),
        };
        if value.is_empty() {
            if is_required || kind == ValueKind::Name {
                let title = spec.columns.get(column).map_or("", |column| column.title);
                self.problem(reading.at, line, None, format!("“{title}” is missing"), Effect::Line);
                return None;
            }
            return Some(value);
        }
        match kind {
            ValueKind::Name => self.new_name(reading, line, place, value),
            ValueKind::Reference(id) => self.reference(reading, line, place, id, value, false),
            ValueKind::References(id) => {
                let names = self.listed(id, &value).into_iter();
                let known: Vec<Option<String>> =
                    names.map(|name| self.reference(reading, line, place, id, name, true)).collect();
                self.counts[reading.at].values_left_out += known.iter().filter(|name| name.is_none()).count();
                Some(joined(known.into_iter().flatten()))
            }
            _ => match doubt.or_else(|| reading::wrong(&value, kind)) {
                None => Some(value),
                Some(what) if is_required || spec.columns.get(column).is_some_and(|column| column.is_decisive) => {
                    self.cell_problem(reading, line, place, text, &what, Effect::Line);
                    None
                }
                Some(mut what) => {
                    self.counts[reading.at].values_left_out += 1;
                    let further = spec.further.filter(|_| column >= spec.columns.len());
                    if let Some(absence) = further.and_then(|further| further.absence()) {
                        what += &format!("; without it {absence}");
                    }
                    self.cell_problem(reading, line, place, text, &what, Effect::Value);
                    Some(String::new())
                }
            },
        }
    }

    fn cell_problem(
        &mut self, reading: &Reading<'a>, line: usize, place: Option<usize>, value: &str, what: &str, effect: Effect,
    ) {
        let column = place.and_then(|at| reading.headings.get(at)).cloned().unwrap_or_default();
        self.push(Problem { sheet: reading.at, line, column, value: value.to_owned(), what: what.to_owned(), effect });
    }

    fn problem(&mut self, sheet: usize, line: usize, column: Option<&str>, what: impl Into<String>, effect: Effect) {
        let column = column.unwrap_or_default().to_owned();
        self.push(Problem { sheet, line, column, value: String::new(), what: what.into(), effect });
    }

    fn push(&mut self, problem: Problem) {
        match self.problems.len() < MOST_PROBLEMS {
            true => self.problems.push(problem),
            false => self.more_problems += 1,
        }
    }

    /// The result; problems in the order of sheets and lines.
    pub(super) fn finish(mut self) -> Outcome {
        self.fill_carried();
        for (spec, texts) in self.specs.iter().zip(std::mem::take(&mut self.texts)) {
            if let Some(id) = spec.texts {
                texts.fill(self.specs, &mut self.data, id);
            }
        }
        self.problems.sort_by_key(|problem| (problem.sheet, problem.line));
        self.data.hash = self.data.fingerprint(self.specs);
        let unknown = self.unknown.iter().enumerate().filter(|(_, names)| !names.is_empty());
        let count = |names: &HashMap<String, bool>| UnknownCount {
            names: names.len(),
            similar: names.values().filter(|is_similar| **is_similar).count(),
        };
        let unknown = unknown.map(|(table, names)| (table, count(names))).collect();
        let Self { data, counts, problems, more_problems, .. } = self;
        Outcome { data, counts, problems, more_problems, unknown, obstacle: None }
    }
}
