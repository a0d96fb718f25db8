//! Numbers in the columns of a sheet: how they are written, and in which unit.

use super::super::canonical::canonical_in;
use super::super::{DateOrder, TableSpec, ValueKind, canonical};
use super::{Mapped, Mapping};
use crate::text::columns::{is_same_unit, with_unit};
use crate::text::lines::quoted;
use crate::text::notation::{Evidence, split_unit};
use crate::text::table::content;

/// Notation and unit of the numbers in a column of a sheet.
#[derive(Debug, Clone, Default)]
pub(super) struct ColumnNumbers {
    evidence: Evidence,
    /// Unit of the heading, or else the first one in a cell; empty if there is none.
    pub(super) unit: String,
}

impl ColumnNumbers {
    /// Looks at the numbers of all columns of a sheet. Columns of one meaning count together, and those that show nothing have the
    /// notation of the others.
    pub(super) fn of(mapped: &Mapped, spec: &TableSpec, headings: &[String]) -> Vec<Self> {
        let Mapping { header, columns, listed, .. } = &mapped.mapping;
        let kind_at = |at: usize| match columns.iter().position(|column| *column == Some(at)) {
            Some(column) if column < spec.columns.len() => Some(spec.kind(column)),
            Some(_) => None,
            None => listed.contains(&at).then(|| {
                let value = spec.wide.and_then(|wide| wide.value);
                spec.kind(value.unwrap_or(spec.columns.len()))
            }),
        };
        let kinds: Vec<Option<ValueKind>> = (0..headings.len()).map(kind_at).collect();
        let of_heading = |heading: &String| Self { unit: with_unit(heading).1.to_owned(), ..Self::default() };
        let mut numbers: Vec<Self> = headings.iter().map(of_heading).collect();
        mapped.sheet.walk_from(header.map_or(0, |row| row + 1), |_, record| {
            for ((cell, column), kind) in record.iter().map(content).zip(&mut numbers).zip(&kinds) {
                if !kind.is_some_and(ValueKind::is_number) {
                    continue;
                }
                column.evidence.look(cell);
                if column.unit.is_empty() {
                    split_unit(cell).1.clone_into(&mut column.unit);
                }
            }
        });
        let all = |of: &dyn Fn(usize) -> bool| {
            let found = numbers.iter().enumerate().filter(|(at, _)| of(*at));
            found.fold(Evidence::default(), |all, (_, column)| all.and(column.evidence))
        };
        let (alike, table) = (all(&|at| listed.contains(&at)), all(&|_| true));
        for (at, column) in numbers.iter_mut().enumerate() {
            let own = if listed.contains(&at) { alike } else { column.evidence };
            column.evidence = own.or(table);
        }
        numbers
    }

    /// Content of a cell of the table's column `column` in canonical form, and why it must not be used although it may look like a
    /// value: a number with two readings, or one in another unit than its column.
    pub(super) fn read(
        &self, spec: &TableSpec, column: usize, text: &str, dates: DateOrder,
    ) -> (String, Option<String>) {
        let kind = spec.kind(column);
        if !kind.is_number() {
            return (canonical(kind, text, dates), None);
        }
        let (number, unit) = split_unit(text);
        let declared = spec.columns.get(column).map_or("", |column| column.unit);
        let is_alike = |usual: &str| is_same_unit(unit, usual);
        // Per cent are a number of their own: a quarter of something else is not 25.
        let fits = unit.is_empty() || is_alike(declared) || unit != "%" && is_alike(&self.unit);
        if !fits {
            let usual = if declared.is_empty() { self.unit.as_str() } else { declared };
            let usual = if usual.is_empty() || is_alike(usual) { String::new() } else { format!(" {usual},") };
            let what = format!("{} is not in{usual} the unit of the column; convert it", quoted(text));
            return (text.to_owned(), Some(what));
        }
        (canonical_in(kind, number, dates, self.evidence), self.evidence.doubt(number))
    }
}
