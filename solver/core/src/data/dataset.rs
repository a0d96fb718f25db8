//! The data of an instance as a value: tables of text cells, and what no table shows.

use serde::de::DeserializeOwned;

use super::{Issue, Row, Rows, TableSpec, ValueKind, csv};
use crate::encoded::Encoded;
use crate::files;
use crate::text::notation::unmistakable;

/// Rows of a table and the names of its columns beyond the declared ones.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DataTable {
    /// Names of the further columns, which follow the declared ones in every row.
    pub further: Vec<String>,
    /// Rows; each has as many cells as there are declared and further columns.
    pub rows: Rows,
}

/// Data of an instance.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    /// Name of the instance.
    pub name: String,
    /// Identity of the data: the hash of the files that they were read from or, once they were changed, of the data
    /// themselves ([`Self::fingerprint`]).
    pub hash: String,
    /// Tables in the order of the problem's declaration.
    pub tables: Vec<DataTable>,
    /// Data that no table shows.
    pub rest: Encoded,
}

impl Dataset {
    /// Data without rows; forms have their row with its defaults.
    pub fn empty(specs: &[TableSpec], name: &str) -> Self {
        let table = |spec: &TableSpec| {
            let mut table = DataTable::default();
            if spec.is_form {
                table.rows.extend([table.new_row(spec)]);
            }
            table
        };
        let tables = specs.iter().map(table).collect();
        Self { name: name.to_owned(), hash: String::new(), tables, rest: Encoded::of(&()) }
    }

    /// The value of [`Self::rest`]; the default for data that never had one.
    ///
    /// # Errors
    /// An issue about the data as a whole that names the part which cannot be read.
    pub fn decoded_rest<T: DeserializeOwned + Default>(&self) -> Result<T, Vec<Issue>> {
        if self.rest == Encoded::of(&()) {
            return Ok(T::default());
        }
        self.rest.read().map_err(|what| vec![Issue { table: None, row: None, column: None, what }])
    }

    /// SHA-256 of the data, in hexadecimal: of the names, the cells and the rest.
    pub(crate) fn fingerprint(&self, specs: &[TableSpec]) -> String {
        let mut pieces = vec![self.name.clone(), format!("{:?}", self.rest)];
        // Data that former versions could hold keep their identity.
        let tables = specs.iter().zip(&self.tables).filter(|(spec, table)| !spec.is_later || !table.rows.is_empty());
        pieces.extend(tables.map(|(spec, table)| csv::to_csv(spec, table)));
        files::hash(&pieces.iter().map(String::as_bytes).collect::<Vec<_>>())
    }

    /// Number of cells of all tables.
    pub fn cell_count(&self, specs: &[TableSpec]) -> usize {
        let cells = |(spec, table): (&TableSpec, &DataTable)| table.rows.len() * table.width(spec);
        specs.iter().zip(&self.tables).map(cells).sum()
    }
}

impl DataTable {
    /// Number of columns.
    pub fn width(&self, spec: &TableSpec) -> usize {
        spec.columns.len() + self.further.len()
    }

    /// Row with the values that new rows have.
    pub fn new_row(&self, spec: &TableSpec) -> Row {
        Row::of((0..self.width(spec)).map(|column| spec.default(column)))
    }

    /// Heading of a column with its unit.
    pub fn heading(&self, spec: &TableSpec, column: usize) -> String {
        let further = || self.further.get(column.wrapping_sub(spec.columns.len())).cloned().unwrap_or_default();
        spec.columns.get(column).map_or_else(further, |column| column.heading())
    }

    /// Writes every number with one reading, as earlier versions did not: 1.125 becomes 1.1250.
    pub(crate) fn disambiguate(&mut self, spec: &TableSpec) {
        let is_number = |column: &usize| matches!(spec.kind(*column), ValueKind::Number { .. });
        let columns: Vec<usize> = (0..self.width(spec)).filter(is_number).collect();
        let has_doubt = |row: &Row| columns.iter().any(|&column| unmistakable(row.cell(column)) != row.cell(column));
        if columns.is_empty() || !self.rows.iter().any(has_doubt) {
            return;
        }
        let written = |row: Row, &column: &usize| row.with(column, &unmistakable(row.cell(column)));
        self.rows = self.rows.iter().map(|row| columns.iter().fold(row.clone(), written)).collect();
    }

    /// Adds a further column of this name at the end; rows get its default.
    pub fn add_column(&mut self, spec: &TableSpec, name: &str) {
        let column = self.width(spec);
        self.further.push(name.to_owned());
        self.rows = self.rows.iter().map(|row| row.with(column, spec.default(column))).collect();
    }

    /// Removes a further column, counted over all columns; declared ones stay.
    pub fn remove_column(&mut self, spec: &TableSpec, column: usize) {
        let Some(further) = column.checked_sub(spec.columns.len()).filter(|&at| at < self.further.len()) else {
            return;
        };
        self.further.remove(further);
        let without = |row: &Row| {
            let cells = row.cells().enumerate().filter(|(index, _)| *index != column);
            Row::of(cells.map(|(_, cell)| cell))
        };
        self.rows = self.rows.iter().map(without).collect();
    }
}
