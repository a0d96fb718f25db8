//! The data of an instance as tables: what a person imports, edits, keeps in a project and hands on, for every problem.
//!
//! A problem implements [`Tables`] for its instance: it declares its tables ([`TableSpec`]) with their columns
//! ([`ColumnSpec`]: name, synonyms, kind of value, unit), writes an instance as a [`Dataset`] and builds an instance from one.
//! Project files, the *Data* view and the import wizard work on datasets and know no problem.
//!
//! * A dataset holds all data of an instance: `of_data(to_data(instance))` equals the instance, its hash included. What no
//!   table shows (references, remarks of a reader) is kept as one encoded value, [`Dataset::rest`].
//! * Cells are text in a canonical form: numbers with a decimal point, without separators and with one reading (1.1250 for
//!   1.125, which is 1125 for some; [`crate::text::notation::written`]), dates as `2026-06-01`, times as `09:00`, choices and
//!   marks by their names in the specification. An empty cell is a missing value.
//! * A dataset that a person edits may hold values that make no sense. [`Reader`] reads the cells and collects an [`Issue`] for
//!   each of them; [`Tables::of_data`] returns the instance only if there is none.
//! * Copies are cheap: rows are shared in blocks, so that an undo history can hold a dataset of a million rows per step.

mod canonical;
mod column;
mod csv;
mod dataset;
mod difference;
pub mod import;
pub mod lists;
mod reading;
mod renames;
mod rows;
pub mod update;

use std::sync::Arc;

use crate::Result;
use crate::encoded::Encoded;
use crate::text::columns::{Column, plain, plain_spellings};
pub use crate::text::values::DateOrder;

pub use canonical::{NameIndex, Spellings, canonical, canonical_in, is_same_name, key, told_apart, written_time};
pub use column::{ColumnSpec, DateReader, Mentions, ReadDate, with_dates_read};
pub(crate) use csv::from_csv;
pub use csv::{pasted_lines, to_csv};
pub use dataset::{DataTable, Dataset};
pub use difference::differences;
pub use reading::{Issue, Reader, RowReader};
pub use renames::{FormerNames, Renamed, follow, renamed};
pub use rows::{Row, Rows};

/// Kind of the values in a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ValueKind {
    /// Any text.
    Text,
    /// Name that identifies the row: every row has one, and no two rows share one.
    Name,
    /// Name of a row in the table with this identifier.
    Reference(&'static str),
    /// Names of rows in the table with this identifier, in a list ([`lists::items`]).
    References(&'static str),
    /// Rows of a table by their numbers from 1, or by their dates with or without a time of day, in a list
    /// ([`lists::moments`]).
    Moments,
    /// Whole number in a range, both ends included.
    Whole {
        /// Smallest value.
        least: u64,
        /// Largest value.
        most: u64,
    },
    /// Decimal number in a range, both ends included.
    Number {
        /// Smallest value.
        least: f64,
        /// Largest value.
        most: f64,
    },
    /// Length of time in whole minutes, at most a day.
    Minutes,
    /// Date.
    Date,
    /// Time of day in hours and minutes, with seconds if they are not 0.
    Time,
    /// One of these words.
    Choice(&'static [Word]),
    /// `yes` or empty.
    Mark,
}

/// Word that a cell may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// The word as datasets hold it.
    pub text: &'static str,
    /// Other words for it, lower case, separated by blanks.
    pub synonyms: &'static str,
}

impl Word {
    /// Word without synonyms.
    pub const fn of(text: &'static str) -> Self {
        Self { text, synonyms: "" }
    }

    /// The word with these synonyms.
    #[must_use]
    pub const fn or(self, synonyms: &'static str) -> Self {
        Self { synonyms, ..self }
    }

    /// Returns `true` if a text is the word or a synonym, without regard to case, accents and everything but letters and digits.
    fn is_meant(&self, text: &str) -> bool {
        let text = plain(text);
        std::iter::once(self.text)
            .chain(self.synonyms.split_whitespace())
            .any(|word| plain_spellings(word).any(|word| word == text))
    }
}

impl ValueKind {
    /// True for the kinds of values that are numbers, whole or not.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Whole { .. } | Self::Number { .. })
    }
}

/// Columns that a table has beyond the declared ones, such as one per machine; the person names them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FurtherColumns {
    /// Noun for one of them, such as «machine».
    pub noun: &'static str,
    /// Kind of their values.
    pub kind: ValueKind,
    /// Unit of their values; empty if there is none.
    pub unit: &'static str,
    /// One sentence that says what such a column holds.
    pub help: &'static str,
    /// Value in the rows that a person adds; empty for none.
    pub default: &'static str,
    /// Main clause that says what an empty cell means; empty if the default counts.
    pub absence: &'static str,
}

impl FurtherColumns {
    /// Main clause that says what an empty cell means; `None` if it means nothing.
    pub(crate) fn absence(&self) -> Option<String> {
        match (self.absence, self.default) {
            ("", "") => None,
            ("", default) => Some(format!("{default} counts")),
            (absence, _) => Some(absence.to_owned()),
        }
    }
}

/// Columns of a table of pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wide {
    /// Column of the first item.
    pub row: usize,
    /// Column of the second item.
    pub column: usize,
    /// Column of the value of the pair; `None` if pairs have none.
    pub value: Option<usize>,
}

/// Column of imported sheets whose values belong to another table, such as the titles of the exams in a list of enrolments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// Name in files and its synonyms.
    pub column: Column,
    /// Heading for people, such as «Title of the exam».
    pub title: &'static str,
    /// Column of the table that refers to the row of the other table, or that names the row of this one.
    pub reference: usize,
    /// Place of the values.
    pub target: CarriedTo,
}

/// Place of the values of a [`Carried`] column in another table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CarriedTo {
    /// Column of the row that the sheet's row refers to; only empty cells are filled.
    Cell(usize),
    /// Table of pairs with this identifier: each name of the list becomes the first item of a pair with the sheet's row.
    Pairs(&'static str),
}

/// Column whose default counts for the rows of imported sheets that have no such column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assumed {
    /// The column.
    pub column: usize,
    /// Columns that would say something else; the default does not count if the sheet has one of them.
    pub instead: &'static [usize],
    /// Column of marks; the default does not count for marked rows.
    pub exempt: usize,
}

/// Unit of times that a table states in a unit of its own. Imports convert such times to minutes where they stand in several
/// notations.
pub const TIME_UNITS: &str = "time units";

/// Table of a problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableSpec {
    /// Identifier and file name in a project, such as `jobs`.
    pub id: &'static str,
    /// Heading for people, such as «Jobs».
    pub title: &'static str,
    /// Noun for a row, such as «job».
    pub noun: &'static str,
    /// One sentence that says what the table holds.
    pub help: &'static str,
    /// Declared columns.
    pub columns: &'static [ColumnSpec],
    /// Columns beyond the declared ones, if there may be any.
    pub further: Option<FurtherColumns>,
    /// Number of declared columns that are shown before the further ones; the other declared columns are shown behind them.
    pub(crate) leading: usize,
    /// Columns of the pairs that the table lists, if imports may arrange them as lists or as a matrix.
    pub wide: Option<Wide>,
    /// Column of imported sheets that belongs to another table, if there may be one. In a mapping it follows the declared columns.
    pub carried: Option<Carried>,
    /// Identifier of the table whose further columns take the columns of texts that imported sheets have beyond all others, if there is
    /// one; its first column refers to rows of this table.
    pub texts: Option<&'static str>,
    /// Column whose default counts for sheets without it, if there is one.
    pub assumed: Option<Assumed>,
    /// Column of the quantity by which times of one piece in further columns are multiplied, if there is one.
    pub quantity: Option<usize>,
    /// True if imports read the table before all others.
    pub is_first: bool,
    /// True if the items of a pair must differ; imports leave other pairs out.
    pub is_of_different: bool,
    /// True if the table is a form: exactly one row.
    pub is_form: bool,
    /// True if an import needs the table.
    pub is_required: bool,
    /// True if projects of former versions lack the table, which is empty then.
    pub(crate) is_later: bool,
    /// Columns whose values together tell a row from the others, for tables that are neither named nor of pairs.
    pub identity: &'static [usize],
    /// Heading that marks a sheet as an excerpt of the table, if there is one: in an update, rows that the sheet lacks stay. The column
    /// holds remarks in words.
    pub excerpt: Option<&'static str>,
}

impl TableSpec {
    /// Optional table without further columns.
    pub const fn new(
        id: &'static str, title: &'static str, noun: &'static str, help: &'static str, columns: &'static [ColumnSpec],
    ) -> Self {
        Self {
            id,
            title,
            noun,
            help,
            columns,
            further: None,
            leading: columns.len(),
            wide: None,
            carried: None,
            texts: None,
            assumed: None,
            quantity: None,
            is_first: false,
            is_of_different: false,
            is_form: false,
            is_required: false,
            is_later: false,
            identity: &[],
            excerpt: None,
        }
    }

    /// The table, whose rows are told from each other by these columns.
    #[must_use]
    pub const fn identified_by(self, columns: &'static [usize]) -> Self {
        Self { identity: columns, ..self }
    }

    /// The table, of which a sheet with a column of this heading is an excerpt.
    #[must_use]
    pub const fn excerpted_by(self, heading: &'static str) -> Self {
        Self { excerpt: Some(heading), ..self }
    }

    /// The table, which projects of former versions lack.
    #[must_use]
    pub const fn later(self) -> Self {
        Self { is_later: true, ..self }
    }

    /// The table, without which an import is not possible.
    #[must_use]
    pub const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// The table as one of pairs: columns of the first item, the second item and their value, if they have one.
    #[must_use]
    pub const fn pairs(self, row: usize, column: usize, value: Option<usize>) -> Self {
        Self { wide: Some(Wide { row, column, value }), ..self }
    }

    /// The table of pairs as one of two different items each.
    #[must_use]
    pub const fn of_different(self) -> Self {
        Self { is_of_different: true, ..self }
    }

    /// Lets the default of a column count for imported sheets without it.
    #[must_use]
    pub const fn assuming(self, assumed: Assumed) -> Self {
        Self { assumed: Some(assumed), ..self }
    }

    /// Multiplies times of one piece in further columns of imported sheets by the quantity in a column where they have decimals.
    #[must_use]
    pub const fn multiplied_by(self, quantity: usize) -> Self {
        Self { quantity: Some(quantity), ..self }
    }

    /// Reads the table before all others in an import: dates in other tables count from it.
    #[must_use]
    pub const fn read_first(self) -> Self {
        Self { is_first: true, ..self }
    }

    /// Carries columns of texts of imported sheets along in the further columns of another table.
    #[must_use]
    pub const fn with_texts(self, table: &'static str) -> Self {
        Self { texts: Some(table), ..self }
    }

    /// Allows a column in sheets of this table that fills another table.
    #[must_use]
    pub const fn carrying(self, carried: Carried) -> Self {
        Self { carried: Some(carried), ..self }
    }

    /// The table as a form of one row.
    #[must_use]
    pub const fn form(self) -> Self {
        Self { is_form: true, ..self }
    }

    /// The table with columns that the person names.
    #[must_use]
    pub const fn with_further(self, further: FurtherColumns) -> Self {
        Self { further: Some(further), ..self }
    }

    /// The table, of whose declared columns only the first ones are shown before the further columns.
    #[must_use]
    pub const fn leading_with(self, leading: usize) -> Self {
        Self { leading, ..self }
    }

    /// Columns of a table of this width in the order in which they are shown.
    pub fn shown_columns(&self, width: usize) -> Vec<usize> {
        let declared = self.columns.len().min(width);
        let leading = self.leading.min(declared);
        (0..leading).chain(declared..width).chain(leading..declared).collect()
    }

    /// Index of the column whose values name the rows; `None` if the rows have no names.
    pub fn name_column(&self) -> Option<usize> {
        self.columns.iter().position(|column| column.kind == ValueKind::Name)
    }

    /// Columns whose values together tell a row from the others; all columns if nothing else does.
    pub fn key_columns(&self) -> Vec<usize> {
        match (self.name_column(), self.wide) {
            (Some(name), _) => vec![name],
            (None, Some(wide)) => vec![wide.row, wide.column],
            (None, None) if self.identity.is_empty() => (0..self.columns.len()).collect(),
            (None, None) => self.identity.to_vec(),
        }
    }

    /// Kind of the values in column `column`, counted over declared and further columns.
    pub fn kind(&self, column: usize) -> ValueKind {
        let further = || self.further.map_or(ValueKind::Text, |further| further.kind);
        self.columns.get(column).map_or_else(further, |column| column.kind)
    }

    /// Value of column `column` in a new row, counted over declared and further columns.
    pub fn default(&self, column: usize) -> &'static str {
        let further = || self.further.map_or("", |further| further.default);
        self.columns.get(column).map_or_else(further, |column| column.default)
    }
}

/// Instance whose data can be written as tables and built from them.
///
/// A problem without tables implements none of the functions: its projects name the file of the instance, and its data cannot
/// be edited.
pub trait Tables: Sized {
    /// The tables, in the order in which the window shows them.
    const TABLES: &'static [TableSpec] = &[];

    /// All data of the instance.
    fn to_data(&self) -> Dataset {
        Self::empty_data("")
    }

    /// Builds the instance of these data, with their name and hash.
    ///
    /// # Errors
    /// Every cell that cannot be used, by table, row and column.
    fn of_data(_data: &Dataset) -> std::result::Result<Self, Vec<Issue>> {
        Err(Vec::new())
    }

    /// Data after a person changed a table, with the cells that follow from the change, and remarks about them: times that count from a
    /// date which the table states. `self` is the last sound instance, `before` has the tables before the change.
    fn with_consequences(&self, _before: &Dataset, after: Dataset, _table: usize) -> (Dataset, Vec<String>) {
        (after, Vec::new())
    }

    /// [`Dataset::rest`] without what holds for the published data only, such as best known values; for data that a person has
    /// changed.
    fn rest_of_changed(rest: &Encoded) -> Encoded {
        rest.clone()
    }

    /// Data of a small instance with which a person begins a new one; `None` if there is none.
    fn template() -> Option<Dataset> {
        None
    }

    /// Data with which an import begins, for an instance of this name: no rows, forms with their defaults.
    fn empty_data(name: &str) -> Dataset {
        Dataset::empty(Self::TABLES, name)
    }
}

/// Opens an instance from the data of a project or an import.
///
/// # Errors
/// [`crate::Error::Usage`] with the first issues and the number of the others.
pub fn open<T: Tables>(data: &Dataset) -> Result<T> {
    T::of_data(data).map_err(|issues| reading::error_of(&data.name, T::TABLES, &issues))
}

/// Changed data with their identity: that of known data that differ in nothing but the name, otherwise their own. Runs are not for
/// earlier data because of another name.
pub fn identified<T: Tables>(mut data: Dataset, known: &[&Arc<Dataset>]) -> Arc<Dataset> {
    let rest = T::rest_of_changed(&data.rest);
    let is_equal = |known: &&&Arc<Dataset>| data.tables == known.tables && rest == T::rest_of_changed(&known.rest);
    if let Some(&known) = known.iter().find(is_equal) {
        return match data.name == known.name {
            true => Arc::clone(known),
            false => Arc::new(Dataset { name: data.name, ..(**known).clone() }),
        };
    }
    data.rest = rest;
    data.hash = data.fingerprint(T::TABLES);
    Arc::new(data)
}
