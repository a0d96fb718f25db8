//! A text file as a table of cells, and the guesses about its header, layout and columns.

use std::path::{Path, PathBuf};

use super::columns::{self, Column, ENROLMENTS, EXAM, EXAMS, PERIODS};
use super::decoding::{Encoding, decode};
use super::table::{self, is_blank, walk};
use super::tables::EnrolmentLayout;
use super::values::{self, DateOrder};
use crate::{Error, Result, files};

/// Kind of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr, strum::VariantArray)]
pub enum TableKind {
    /// Enrolments of students in exams.
    Enrolments,
    /// Codes, titles and durations of exams.
    Exams,
    /// Dates, times and seats of periods.
    Periods,
}

impl TableKind {
    /// All kinds.
    pub const ALL: [Self; 3] = crate::variants();

    /// Name for people.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Columns of a table of this kind.
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::Enrolments => &ENROLMENTS,
            Self::Exams => &EXAMS,
            Self::Periods => &PERIODS,
        }
    }
}

/// Meaning of the columns of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// Row that names the columns, from 0; rows above it are titles. `None`: the first row is data.
    pub header: Option<usize>,
    /// `columns[k]` = column of the sheet, from 0, that holds [`TableKind::columns`]`()[k]`.
    pub columns: Vec<Option<usize>>,
    /// EnrolmentLayout of enrolments.
    pub layout: EnrolmentLayout,
    /// Columns with exams in [`EnrolmentLayout::Lists`] and [`EnrolmentLayout::Marks`].
    pub exams: Vec<usize>,
    /// Meaning of a date such as `06/05/2026`.
    pub dates: DateOrder,
}

/// Supported column separators and their names.
pub const DELIMITERS: [(u8, &str); 4] = [(b',', "Comma"), (b';', "Semicolon"), (b'\t', "Tab"), (b'|', "Bar")];

/// Number of rows on which guesses are based.
const SAMPLE: usize = 60;

/// Number of rows in which the header is searched.
const HEADER_ROWS: usize = 20;

/// Table of text: stores the offset of each row and splits it into fields on demand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    path: PathBuf,
    text: String,
    encoding: Encoding,
    delimiter: u8,
    /// Line, from 1, and first byte of each row.
    rows: Vec<(u32, usize)>,
    width: usize,
}

impl Sheet {
    /// Reads a file; encoding and delimiter are detected unless given.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::Line`] if it is no table of text, with the remedy.
    pub fn read(path: &Path, encoding: Option<Encoding>, delimiter: Option<u8>) -> Result<Self> {
        let (text, encoding) = decode(path, files::read(path)?, encoding)?;
        Self::of_text(path, text, encoding, delimiter)
    }

    /// Creates a table from its text; `encoding` is only stored.
    ///
    /// # Errors
    /// [`Error::File`] if there is no row.
    pub fn of_text(path: &Path, mut text: String, encoding: Encoding, delimiter: Option<u8>) -> Result<Self> {
        let stated = table::stated_delimiter(&text);
        if stated.is_some() {
            // Keep it as an empty line, so that line numbers stay right.
            let end = text.find(['\n', '\r']).unwrap_or(text.len());
            text.replace_range(..end, "");
        }
        let delimiter = delimiter.or(stated).unwrap_or_else(|| guess_delimiter(&text));
        let (mut rows, mut width) = (Vec::new(), 0);
        let walked = walk(&text, delimiter, |line, at, record| {
            if rows.len() < SAMPLE {
                width = width.max(record.len());
            }
            rows.push((line as u32, at));
            true
        });
        if let Err(error) = walked {
            return Err(Error::file(path, format!("the table cannot be read ({error}); save it as CSV again")));
        }
        if rows.is_empty() {
            return Err(Error::file(path, "the file has no lines; export it again from where it comes from"));
        }
        Ok(Self { path: path.to_path_buf(), text, encoding, delimiter, rows, width })
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Character encoding of the file.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Column separator.
    pub fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Number of nonempty rows, including titles and header.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns `true` if there is no row; never the case for a sheet that was read.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Number of columns of the widest of the sampled rows.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Line, from 1, and fields of row `row`, from 0; (0, empty) if there is no such row.
    pub fn row(&self, row: usize) -> (usize, Vec<String>) {
        let Some(&(line, at)) = self.rows.get(row) else { return (0, Vec::new()) };
        let end = self.rows.get(row + 1).map_or(self.text.len(), |&(_, next)| next);
        let record = self.text.get(at..end).and_then(|text| table::first_record(text, self.delimiter));
        let fields = record.map(|record| record.iter().map(|field| table::content(field).to_owned()).collect());
        (line as usize, fields.unwrap_or_default())
    }

    /// Row, from 0, that begins in `line` or contains it; `None` for the header and lines beyond the end.
    pub fn row_of_line(&self, line: usize) -> Option<usize> {
        self.rows.partition_point(|&(begin, _)| begin as usize <= line).checked_sub(1)
    }

    /// Names of the columns: from the header, otherwise «Column 3».
    pub fn names(&self, header: Option<usize>) -> Vec<String> {
        let mut names = header.map(|row| self.row(row).1).unwrap_or_default();
        names.resize(names.len().max(self.width), String::new());
        for (at, name) in names.iter_mut().enumerate() {
            if is_blank(name) {
                *name = format!("Column {}", at + 1);
            }
        }
        names
    }

    /// Number of columns of the data: of the header if there is one.
    pub fn data_width(&self, header: Option<usize>) -> usize {
        header.map_or(self.width, |row| self.row(row).1.len())
    }

    /// Guesses header and columns for a table of this kind.
    pub fn guess(&self, kind: TableKind) -> Mapping {
        let header = self.guess_header(kind);
        self.guess_below(kind, header)
    }

    /// Guesses the columns for a given header row.
    pub fn guess_below(&self, kind: TableKind, header: Option<usize>) -> Mapping {
        let wanted = kind.columns();
        let mut mapping = Mapping {
            header,
            columns: vec![None; wanted.len()],
            layout: EnrolmentLayout::Pairs,
            exams: Vec::new(),
            dates: DateOrder::DayFirst,
        };
        if header.is_some() {
            mapping.columns = columns::guess(&self.names(header), wanted);
        }
        match kind {
            TableKind::Enrolments => self.guess_layout(&mut mapping),
            TableKind::Periods => {
                let date = mapping.columns.get(1).copied().flatten();
                let rows = self.data(header).take(SAMPLE * 10).map(|row| self.row(row).1);
                let dates: Vec<String> =
                    rows.filter_map(|mut row| Some(row.swap_remove(at(date, row.len())?))).collect();
                mapping.dates = values::order_of(dates.iter().map(String::as_str)).unwrap_or_default();
            }
            TableKind::Exams => {}
        }
        mapping
    }

    /// Rows below the header.
    fn data(&self, header: Option<usize>) -> std::ops::Range<usize> {
        header.map_or(0, |row| row + 1)..self.len()
    }

    /// Number of recognised columns if the sheet were of this kind; 0 if a required one is missing.
    pub fn likeness(&self, kind: TableKind) -> usize {
        let mapping = self.guess(kind);
        let lacking = kind.columns().iter().zip(&mapping.columns);
        let lacks = |(column, at): (&Column, &Option<usize>)| column.required && at.is_none();
        let wide = kind == TableKind::Enrolments && mapping.layout != EnrolmentLayout::Pairs;
        if lacking.into_iter().filter(|&pair| lacks(pair)).count() > usize::from(wide) {
            return 0;
        }
        mapping.columns.iter().flatten().count() + usize::from(wide)
    }

    /// Guesses the kind of the table.
    pub fn kind(&self) -> TableKind {
        let [enrolments, exams, periods] = TableKind::ALL.map(|kind| self.likeness(kind));
        match () {
            () if enrolments >= 2 => TableKind::Enrolments,
            () if periods >= 2 && periods > exams => TableKind::Periods,
            () if exams >= 2 => TableKind::Exams,
            () => TableKind::Enrolments,
        }
    }

    fn guess_header(&self, kind: TableKind) -> Option<usize> {
        let wanted = kind.columns();
        let rows: Vec<Vec<String>> = (0..self.len().min(HEADER_ROWS)).map(|row| self.row(row).1).collect();
        let best = |score: &dyn Fn(&[String]) -> usize| {
            let scores = rows.iter().map(|row| score(row)).enumerate();
            let best = scores.max_by_key(|&(at, score)| (score, std::cmp::Reverse(at)));
            best.filter(|&(_, score)| score > 0).map(|(at, _)| at)
        };
        let named = best(&|row| columns::find(row.iter().map(String::as_str), wanted).iter().flatten().count());
        let similar = || best(&|row| columns::guess(row, wanted).iter().flatten().count());
        // A header of unknown words has neither gaps nor numbers.
        let unknown = || {
            let is_name = |field: &String| field.chars().any(char::is_alphabetic) && !field.contains(char::is_numeric);
            rows.first().filter(|row| row.len() > 1 && row.iter().all(is_name)).map(|_| 0)
        };
        named.or_else(similar).or_else(unknown)
    }

    /// Guesses the layout: whether exams are in one column, in several, or marked in columns of their own.
    fn guess_layout(&self, mapping: &mut Mapping) {
        let names = self.names(mapping.header);
        let student = mapping.columns.first().copied().flatten();
        let is_exam = |name: &String| {
            let plain = columns::plain(name);
            let stem = plain.trim_end_matches(char::is_numeric);
            stem.len() < plain.len() && EXAM.names().any(|known| columns::plain(known) == stem)
        };
        let numbered: Vec<usize> = (0..names.len()).filter(|&at| is_exam(&names[at])).collect();
        if numbered.len() >= 2 {
            (mapping.layout, mapping.exams) = (EnrolmentLayout::Lists, numbered);
            mapping.columns[1..].fill(None);
            return;
        }
        let exact = mapping.columns.get(1).copied().flatten();
        if exact.is_some() || student.is_none() || names.len() < 4 {
            return;
        }
        let rows: Vec<Vec<String>> = self.data(mapping.header).take(SAMPLE).map(|row| self.row(row).1).collect();
        let marked = |at: &usize| {
            let mut fields = rows.iter().filter_map(|row| row.get(*at)).filter(|field| !field.is_empty()).peekable();
            fields.peek().is_some() && fields.all(|field| super::tables::mark(field).is_some())
        };
        let marks: Vec<usize> = (0..names.len()).filter(|at| Some(*at) != student).filter(marked).collect();
        if marks.len() >= 2 {
            (mapping.layout, mapping.exams) = (EnrolmentLayout::Marks, marks);
        }
    }
}

/// Returns `column` if it is less than `length`.
fn at(column: Option<usize>, length: usize) -> Option<usize> {
    column.filter(|&at| at < length)
}

/// Guesses the separator: most known column names in the first rows and, failing that, most columns throughout.
fn guess_delimiter(text: &str) -> u8 {
    let score = |delimiter: u8| {
        let (mut known, mut widths) = (0, Vec::new());
        // A parse error further down does not decide against a separator.
        let _ = walk(text, delimiter, |_, _, record| {
            if widths.len() < HEADER_ROWS {
                let found = TableKind::ALL
                    .map(|kind| columns::find(record.iter(), kind.columns()).iter().flatten().count())
                    .into_iter()
                    .max();
                known = known.max(found.unwrap_or(0));
            }
            widths.push(record.len());
            widths.len() < SAMPLE
        });
        let mut sorted = widths.clone();
        sorted.sort_unstable();
        let usual = sorted.get(sorted.len() / 2).copied().unwrap_or(0);
        let alike = if usual > 1 { widths.iter().filter(|&&width| width == usual).count() } else { 0 };
        (if usual > 1 { known } else { 0 }, alike, usual)
    };
    let scores = DELIMITERS.iter().rev().map(|&(delimiter, _)| (score(delimiter), delimiter));
    scores.max_by_key(|&(score, _)| score).map_or(b',', |(_, delimiter)| delimiter)
}
