//! Fresh data from files, and the tables and columns that the files hold.

use std::collections::HashSet;

use super::super::import::{BadLines, Layout, Mapped, Request, UnknownNames};
use super::super::lists::references;
use super::super::{CarriedTo, DataTable, Dataset, Rows, TableSpec, ValueKind};
use crate::text::lines::quoted;

/// Presence of a column in the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeldColumn {
    /// The files hold the column; an empty cell is a missing value.
    Yes,
    /// The files hold some of the values; an empty cell says nothing.
    IfFilled,
    /// The files lack the column.
    No,
}

/// Data of a fresh version of the tables.
#[derive(Debug, Clone)]
pub struct FreshData {
    /// The data.
    pub data: Dataset,
    /// Presence of the declared columns in the files, by table.
    pub held: Vec<Vec<HeldColumn>>,
    /// True for tables of which the files hold some rows only.
    pub excerpts: Vec<bool>,
    /// Remarks of excerpts, which no table holds.
    pub notes: Vec<String>,
}

/// Returns `true` if a sheet holds the table.
fn has_sheet(sheets: &[Mapped], table: usize) -> bool {
    sheets.iter().any(|mapped| mapped.mapping.table == Some(table))
}

/// Returns `true` if a sheet is an excerpt of the table.
fn has_excerpt(specs: &[TableSpec], sheets: &[Mapped], table: usize) -> bool {
    sheets.iter().any(|mapped| mapped.mapping.table == Some(table) && mapped.remarks_column(specs).is_some())
}

/// Sentences that name the remarks of excerpts with sheet, line and column.
fn notes(specs: &[TableSpec], sheets: &[Mapped]) -> Vec<String> {
    let mut notes = Vec::new();
    for mapped in sheets {
        let Some(column) = mapped.remarks_column(specs) else { continue };
        let header = mapped.mapping.header;
        let heading = mapped.sheet.names(header).get(column).cloned().unwrap_or_default();
        for line in header.map_or(0, |header| header + 1)..mapped.sheet.len() {
            let (number, cells) = mapped.sheet.row(line);
            let remark = cells.get(column).map_or("", |cell| cell.trim());
            if !remark.is_empty() {
                let (sheet, remark) = (quoted(mapped.sheet.name()), quoted(remark));
                notes.push(format!("{sheet}, line {number}, column {heading}: {remark} is not read; enter it by hand"));
            }
        }
    }
    notes
}

/// Places in other tables that the sheets fill.
fn carried<'a>(specs: &'a [TableSpec], sheets: &'a [Mapped]) -> impl Iterator<Item = (usize, CarriedTo)> + 'a {
    sheets.iter().filter_map(|mapped| {
        let table = mapped.mapping.table?;
        let carried = specs[table].carried?;
        mapped.mapping.columns.get(specs[table].columns.len()).copied().flatten()?;
        let id = match (carried.target, specs[table].kind(carried.reference)) {
            (CarriedTo::Pairs(id), _) | (CarriedTo::Cell(_), ValueKind::Reference(id)) => id,
            _ => return None,
        };
        Some((specs.iter().position(|spec| spec.id == id)?, carried.target))
    })
}

/// Request to read the sheets as a fresh version of the present data. Tables without a sheet stay, apart from rows that hold
/// nothing but a name which the present version of the sheets' tables mentions: these rows follow from the sheets.
pub fn request(specs: &'static [TableSpec], present: &Dataset, sheets: Vec<Mapped>) -> Request {
    let mut base = present.clone();
    // What the rows mention that an excerpt lacks stays.
    let is_whole = |table: usize| has_sheet(&sheets, table) && !has_excerpt(specs, &sheets, table);
    let mut is_read: Vec<bool> = (0..specs.len()).map(is_whole).collect();
    for (table, target) in carried(specs, &sheets).filter(|(table, _)| !has_sheet(&sheets, *table)) {
        match target {
            CarriedTo::Pairs(_) => {
                base.tables[table] = DataTable::default();
                is_read[table] = true;
            }
            CarriedTo::Cell(column) => {
                base.tables[table].rows = base.tables[table].rows.iter().map(|row| row.with(column, "")).collect();
            }
        }
    }
    for (table, spec) in specs.iter().enumerate() {
        let Some(name) = spec.name_column().filter(|_| !has_sheet(&sheets, table)) else { continue };
        let mentioned = mentioned(specs, present, &is_read, spec.id);
        let new = base.tables[table].new_row(spec);
        let follows = |row: &super::Row| mentioned.contains(row.cell(name)) && *row == new.with(name, row.cell(name));
        let rows: Rows = base.tables[table].rows.iter().filter(|row| !follows(row)).cloned().collect();
        base.tables[table].rows = rows;
    }
    let (bad_lines, unknown) = (BadLines::Stop, UnknownNames::AreMeantOrAdded.into());
    Request { name: present.name.clone(), sheets, base, bad_lines, unknown }
}

/// Names of the table `id` that tables which are read mention.
fn mentioned<'a>(specs: &[TableSpec], data: &'a Dataset, is_read: &[bool], id: &str) -> HashSet<&'a str> {
    let mut names = HashSet::new();
    for (table, spec) in specs.iter().enumerate().filter(|(table, _)| is_read[*table]) {
        for column in 0..spec.columns.len() {
            match spec.kind(column) {
                ValueKind::Reference(of) if of == id => {
                    names.extend(data.tables[table].rows.iter().map(|row| row.cell(column)));
                }
                ValueKind::References(of) if of == id => {
                    names.extend(data.tables[table].rows.iter().flat_map(|row| references(row.cell(column))));
                }
                _ => {}
            }
        }
    }
    names
}

impl FreshData {
    /// Data whose files hold all tables and columns.
    pub fn whole(specs: &[TableSpec], data: Dataset) -> Self {
        let held = specs.iter().map(|spec| vec![HeldColumn::Yes; spec.columns.len()]).collect();
        Self { data, held, excerpts: vec![false; specs.len()], notes: Vec::new() }
    }

    /// Data that were read for this [`request`].
    pub(crate) fn of_sheets(specs: &[TableSpec], request: &Request, data: Dataset) -> Self {
        let is_sheet = |table| has_sheet(&request.sheets, table);
        let column = |table: usize, column: usize| {
            let of_table = request.sheets.iter().filter(|mapped| mapped.mapping.table == Some(table));
            let is_held = |mapped: &Mapped| {
                let wide = specs[table].wide.filter(|_| mapped.mapping.layout != Layout::Rows);
                let is_listed = wide.is_some_and(|wide| wide.column == column || wide.value == Some(column));
                is_listed || mapped.mapping.columns.get(column).copied().flatten().is_some()
            };
            let is_held = !is_sheet(table) || specs[table].is_form || of_table.into_iter().any(is_held);
            if is_held { HeldColumn::Yes } else { HeldColumn::No }
        };
        let mut held: Vec<Vec<HeldColumn>> = specs
            .iter()
            .enumerate()
            .map(|(table, spec)| (0..spec.columns.len()).map(|at| column(table, at)).collect())
            .collect();
        for (table, target) in carried(specs, &request.sheets) {
            if let CarriedTo::Cell(column) = target
                && (!is_sheet(table) || held[table][column] == HeldColumn::No)
            {
                held[table][column] = HeldColumn::IfFilled;
            }
        }
        let excerpts = (0..specs.len()).map(|table| has_excerpt(specs, &request.sheets, table)).collect();
        Self { data, held, excerpts, notes: notes(specs, &request.sheets) }
    }

    /// Data of an instance that was read from files of another kind: nothing tells a table or a column without values from one
    /// that the files lack, so that those of the present data stay.
    pub fn of_instance(specs: &[TableSpec], present: &Dataset, mut data: Dataset) -> Self {
        let mut held = Vec::with_capacity(specs.len());
        for ((spec, table), present) in specs.iter().zip(&mut data.tables).zip(&present.tables) {
            let is_empty = |column: &usize| table.rows.iter().all(|row| row.cell(*column).is_empty());
            let column = |column: usize| match () {
                () if spec.is_form => HeldColumn::IfFilled,
                () if is_empty(&column) => HeldColumn::No,
                () => HeldColumn::Yes,
            };
            held.push((0..spec.columns.len()).map(column).collect());
            if table.rows.is_empty() && !spec.is_required {
                *table = present.clone();
            }
        }
        Self { data, held, excerpts: vec![false; specs.len()], notes: Vec::new() }
    }

    /// Sentence about tables and columns that the files lack and the present data have; none if they hold all.
    pub(super) fn remarks(&self, specs: &[TableSpec], present: &Dataset) -> Vec<String> {
        let mut lacking = Vec::new();
        for ((spec, held), present) in specs.iter().zip(&self.held).zip(&present.tables) {
            let is_used = |column: &usize| present.rows.iter().any(|row| !row.cell(*column).is_empty());
            let unheld: Vec<usize> =
                (0..held.len()).filter(|column| held[*column] == HeldColumn::No).filter(is_used).collect();
            if unheld.is_empty() {
                continue;
            }
            let titles: Vec<&str> = unheld.iter().map(|column| spec.columns[*column].title).collect();
            let is_whole = held.iter().all(|held| *held == HeldColumn::No);
            lacking.push(if is_whole {
                spec.title.to_owned()
            } else {
                format!("{} ({})", spec.title, titles.join(", "))
            });
        }
        let text = || format!("The files lack {}; the project's values stay", lacking.join(", "));
        if lacking.is_empty() { Vec::new() } else { vec![text()] }
    }
}
