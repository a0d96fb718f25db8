//! Numbers in the columns of a sheet: how they are written, and in which unit.

use std::rc::Rc;

use super::super::canonical::canonical_in;
use super::super::{DateOrder, TIME_UNITS, TableSpec, ValueKind, canonical, reading};
use super::{Mapped, Mapping};
use crate::text::columns::{per_piece, with_unit};
use crate::text::lines::Read;
use crate::text::notation::{Evidence, number_in_unit, unit_of};
use crate::text::table::content;
use crate::text::times::{InMinutes, TimeColumns, has_fraction, heading_of_products};
use crate::text::values::{self, hours_and_minutes};

/// Notation and unit of the numbers in a column of a sheet.
#[derive(Debug, Clone, Default)]
pub(super) struct ColumnNumbers {
    evidence: Evidence,
    /// Unit of the heading, or else the first one in a cell; empty if there is none.
    pub(super) unit: String,
    /// Position of the column and the conversion of the sheet's times, where one is needed.
    times: Option<(usize, Rc<InMinutes>)>,
    /// Why the numbers of the column cannot be used: it states no unit of time, and the other columns have several.
    lacks_unit: Option<String>,
    /// True for times of one piece with decimals, which are multiplied by the quantities of the rows.
    has_products: bool,
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
                if !kind.is_some_and(ValueKind::is_number) || is_date(cell) {
                    continue;
                }
                column.evidence.look(cell);
                if column.unit.is_empty() {
                    unit_of(cell).clone_into(&mut column.unit);
                }
            }
        });
        let columns = time_columns(mapped, spec, &numbers, &kinds);
        for at in columns.without_unit() {
            numbers[at].lacks_unit = Some(TimeColumns::lacks_unit(&headings[at]));
        }
        let times = columns.in_minutes().map(Rc::new);
        for (at, column) in numbers.iter_mut().enumerate() {
            column.times = times.clone().map(|times| (at, times));
        }
        let all = |of: &dyn Fn(usize) -> bool| {
            let found = numbers.iter().enumerate().filter(|(at, _)| of(*at));
            found.fold(Evidence::default(), |all, (_, column)| all.and(column.evidence))
        };
        let (alike, table) = (all(&|at| listed.contains(&at)), all(&|_| true));
        for (at, column) in numbers.iter_mut().enumerate() {
            let own = if listed.contains(&at) { alike } else { column.evidence };
            column.evidence = own.or(table);
        }
        mark_products(mapped, spec, &mut numbers, headings);
        numbers
    }

    /// Time of one piece in a cell of a column whose times are multiplied by quantities; `None` for other columns and empty cells.
    pub(super) fn piece(&self, text: &str) -> Option<Read<f64>> {
        (self.has_products && !text.is_empty()).then(|| self.exact(text))
    }

    /// Number in a cell, in minutes where the times of the sheet are converted.
    fn exact(&self, text: &str) -> Read<f64> {
        let minutes = self.times.as_ref().and_then(|(at, times)| times.exact(*at, text, self.evidence));
        minutes.unwrap_or_else(|| {
            let number = number_in_unit(text, ["", &self.unit])?;
            self.evidence.read(number).map(|number| number.parse().unwrap_or(f64::NAN))
        })
    }

    /// True if the times of the sheet are converted.
    pub(super) fn is_converted(&self) -> bool {
        self.times.is_some()
    }

    /// Heading of the column, with another unit where its times are converted; `None` if they are not.
    pub(super) fn converted_heading(&self, name: &str) -> Option<String> {
        let converted = self.times.as_ref().map(|(at, times)| times.heading(*at, name));
        if self.has_products { Some(heading_of_products(converted.as_deref().unwrap_or(name))) } else { converted }
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
        if let Some(why) = self.lacks_unit.clone().filter(|_| !text.is_empty() && hours_and_minutes(text).is_none()) {
            return (text.to_owned(), Some(why));
        }
        if let Some(minutes) = self.times.as_ref().and_then(|(at, times)| times.read(*at, text, self.evidence)) {
            return minutes.map_or_else(|why| (text.to_owned(), Some(why)), |minutes| (minutes.to_string(), None));
        }
        let declared = spec.columns.get(column).map_or("", |column| column.unit);
        match number_in_unit(text, [declared, &self.unit]) {
            Ok(number) => (canonical_in(kind, number, dates, self.evidence), self.evidence.doubt(number)),
            Err(why) => (text.to_owned(), Some(why)),
        }
    }
}

/// Returns `true` for a date, which says nothing about the notation and unit of numbers.
fn is_date(cell: &str) -> bool {
    cell.trim().parse::<f64>().is_err() && values::date(cell, DateOrder::DayFirst).is_ok()
}

/// Times of a sheet in the columns that are counted in units of time which the table itself states.
fn time_columns(
    mapped: &Mapped, spec: &TableSpec, numbers: &[ColumnNumbers], kinds: &[Option<ValueKind>],
) -> TimeColumns {
    let Mapping { header, columns, listed, .. } = &mapped.mapping;
    let declared =
        |at: usize| columns.iter().position(|column| *column == Some(at)).and_then(|at| spec.columns.get(at));
    let unit = |at: usize| match declared(at) {
        Some(column) => column.unit,
        None if listed.contains(&at) => spec.further.map_or("", |further| further.unit),
        None => "",
    };
    let times: Vec<usize> = (0..kinds.len()).filter(|&at| unit(at) == TIME_UNITS).collect();
    let mut found = TimeColumns::new(times.iter().map(|&at| (at, numbers[at].unit.as_str())));
    mapped.sheet.walk_from(header.map_or(0, |row| row + 1), |_, record| {
        for &at in &times {
            let cell = record.get(at).map_or("", content);
            found.look(at, if is_date(cell) { "" } else { cell });
        }
    });
    found
}

/// Finds the columns of times of one piece that have decimals; their table has a column of quantities, and the sheet assigns it.
fn mark_products(mapped: &Mapped, spec: &TableSpec, numbers: &mut [ColumnNumbers], headings: &[String]) {
    let Mapping { header, columns, listed, .. } = &mapped.mapping;
    let has_quantity = spec.quantity.is_some_and(|column| columns.get(column).is_some_and(Option::is_some));
    let is_of_piece = |at: &usize| headings.get(*at).is_some_and(|name| per_piece(with_unit(name).1).is_some());
    let of_pieces: Vec<usize> = listed.iter().copied().filter(|at| has_quantity && is_of_piece(at)).collect();
    if of_pieces.is_empty() {
        return;
    }
    mapped.sheet.walk_from(header.map_or(0, |row| row + 1), |_, record| {
        for &at in &of_pieces {
            let cell = record.get(at).map_or("", content);
            let Some(column) = numbers.get_mut(at).filter(|_| !cell.is_empty()) else { continue };
            column.has_products |= column.exact(cell).is_ok_and(has_fraction);
        }
    });
}

/// The unit in a heading as a value of this kind, that of a square as the unit of its side; `None` for other texts.
pub(super) fn unit_value(kind: ValueKind, text: &str) -> Option<String> {
    let text = text.trim();
    let side = text.strip_suffix(['²', '2']).or_else(|| text.strip_prefix("sq ")).unwrap_or(text);
    let of = |text: &str| {
        Some(canonical(kind, text, DateOrder::DayFirst)).filter(|unit| reading::wrong(unit, kind).is_none())
    };
    if text.is_empty() { None } else { of(text).or_else(|| of(side)) }
}
