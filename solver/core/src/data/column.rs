//! Declaration of a column of a table.

use super::{Dataset, TableSpec, ValueKind};
use crate::text::columns::{Column, heading};
use crate::text::lines::Read;

/// Number that a date becomes, and a remark about it, empty if there is none; or why the date cannot be used.
pub type ReadDate = Read<(String, String)>;

/// Reader of dates in a column of numbers: gets the data, from which the dates may count, and a cell; `None` for cells that are no
/// dates.
#[derive(Debug, Clone, Copy)]
pub struct DateReader(pub fn(&Dataset, &str) -> Option<ReadDate>);

impl PartialEq for DateReader {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

/// Column of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColumnSpec {
    /// Name in files and its synonyms; a required column has a value in every row.
    pub column: Column,
    /// Heading for people, such as «Due date».
    pub title: &'static str,
    /// Kind of its values.
    pub kind: ValueKind,
    /// Unit of its values, such as `min`; empty if there is none.
    pub unit: &'static str,
    /// One sentence that says what the column holds.
    pub help: &'static str,
    /// Value in the rows that a person adds; empty for none.
    pub default: &'static str,
    /// Cell of a form that takes the unit in the heading of an imported column.
    pub(crate) unit_cell: Option<UnitCell>,
    /// True if a line of an imported sheet is left out for a wrong value of this column, which would mean something else if it
    /// were missing.
    pub(crate) is_decisive: bool,
    /// Names in a column of texts that change when a row of another table is renamed; `None` if there are none.
    pub mentions: Option<Mentions>,
    /// Reader of dates in a column of numbers; `None` if there is none.
    pub dated: Option<DateReader>,
}

/// Names of rows in a column of texts: lists of names that may stand in any order, or names that mean rows only sometimes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mentions {
    /// Identifier of the table whose rows are named.
    pub table: &'static str,
    /// Column of this table; once one of its cells is filled, the texts name the values of this column instead of rows.
    pub unless: Option<usize>,
}

/// Cell of a form that holds the unit of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnitCell {
    /// Identifier of the form.
    pub form: &'static str,
    /// Column of the form.
    pub column: usize,
}

impl ColumnSpec {
    /// Column without unit and default.
    pub const fn new(column: Column, title: &'static str, kind: ValueKind, help: &'static str) -> Self {
        Self {
            column,
            title,
            kind,
            unit: "",
            help,
            default: "",
            unit_cell: None,
            is_decisive: false,
            mentions: None,
            dated: None,
        }
    }

    /// The column with a unit.
    #[must_use]
    pub const fn with_unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// The column with a value for new rows.
    #[must_use]
    pub const fn with_default(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    /// The column with a cell for the unit that the heading of an imported column names.
    #[must_use]
    pub const fn with_unit_in(self, form: &'static str, column: usize) -> Self {
        Self { unit_cell: Some(UnitCell { form, column }), ..self }
    }

    /// The column as one whose wrong values make a line unusable.
    #[must_use]
    pub const fn decisive(self) -> Self {
        Self { is_decisive: true, ..self }
    }

    /// The column of texts as one with names of rows of `table`, unless a cell of its column `unless` is filled.
    #[must_use]
    pub const fn mentioning(self, table: &'static str, unless: Option<usize>) -> Self {
        Self { mentions: Some(Mentions { table, unless }), ..self }
    }

    /// The column of numbers as one in which dates can be entered, too.
    #[must_use]
    pub const fn dated(self, read: fn(&Dataset, &str) -> Option<ReadDate>) -> Self {
        Self { dated: Some(DateReader(read)), ..self }
    }

    /// Returns `true` if the cells may hold dates.
    pub fn holds_dates(&self) -> bool {
        matches!(self.kind, ValueKind::Date | ValueKind::Moments) || self.dated.is_some()
    }

    /// Heading with the unit, such as «Duration (min)».
    pub fn heading(&self) -> String {
        heading(self.title, self.unit)
    }
}

/// Data whose dates in columns of numbers became numbers; dates that cannot be used stay, and are wrong as numbers.
pub fn with_dates_read(specs: &[TableSpec], mut data: Dataset) -> Dataset {
    for (table, spec) in specs.iter().enumerate() {
        let dated = spec.columns.iter().enumerate().filter_map(|(column, one)| Some((column, one.dated?)));
        for (column, DateReader(read)) in dated {
            for index in 0..data.tables[table].rows.len() {
                let cell = data.tables[table].rows.get(index).map_or("", |row| row.cell(column));
                if cell.is_empty() || cell.bytes().all(|byte| byte.is_ascii_digit()) {
                    continue;
                }
                let Some(Ok((number, _))) = read(&data, cell) else { continue };
                let row = data.tables[table].rows.get(index).map(|row| row.with(column, &number));
                row.into_iter().for_each(|row| data.tables[table].rows.set(index, row));
            }
        }
    }
    data
}
