//! A file as a table of text, before anybody knows what its columns mean.

use std::path::{Path, PathBuf};

use super::columns::{self, Column, ENROLMENTS, EXAM, EXAMS, PERIODS};
use super::decoding::{Encoding, decode};
use super::table::{self, is_blank, walk};
use super::tables::Layout;
use super::values::{self, DateOrder};
use crate::{Error, Result, files};

/// What a table is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableKind {
    /// Who sits what.
    Enrolments,
    /// What the exams are called and how long they last.
    Exams,
    /// When the periods are.
    Periods,
}

impl TableKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Enrolments, Self::Exams, Self::Periods];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Enrolments => "Enrolments",
            Self::Exams => "Exams",
            Self::Periods => "Periods",
        }
    }

    /// The columns that are looked for.
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::Enrolments => &ENROLMENTS,
            Self::Exams => &EXAMS,
            Self::Periods => &PERIODS,
        }
    }
}

/// What the columns of a sheet mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// The row that names the columns, counted from 0; rows above it are titles. `None`: the first row is data.
    pub header: Option<usize>,
    /// For each of [`TableKind::columns`] the column of the sheet that holds it, counted from 0.
    pub columns: Vec<Option<usize>>,
    /// How enrolments stand in it.
    pub layout: Layout,
    /// The columns with exams in [`Layout::Lists`] and [`Layout::Marks`].
    pub exams: Vec<usize>,
    /// What a date such as `06/05/2026` means.
    pub dates: DateOrder,
}

/// What separates columns, and what people call it.
pub const DELIMITERS: [(u8, &str); 4] = [(b',', "Comma"), (b';', "Semicolon"), (b'\t', "Tab"), (b'|', "Bar")];

/// How many rows decide what is guessed.
const SAMPLE: usize = 60;

/// In how many rows the header is looked for.
const HEADER_ROWS: usize = 20;

/// A table of text: rows are found by number without keeping their fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    path: PathBuf,
    text: String,
    encoding: Encoding,
    delimiter: u8,
    /// Line, counted from 1, and first byte of each row.
    rows: Vec<(u32, usize)>,
    width: usize,
}

impl Sheet {
    /// Reads a file; encoding and delimiter as given, or as the file shows them.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::Line`] where it is no table of text, with what to do.
    pub fn read(path: &Path, encoding: Option<Encoding>, delimiter: Option<u8>) -> Result<Self> {
        let (text, encoding) = decode(path, files::read(path)?, encoding)?;
        Self::of_text(path, text, encoding, delimiter)
    }

    /// A table from its text; `encoding` is remembered only.
    ///
    /// # Errors
    /// [`Error::File`] where it has no row.
    pub fn of_text(path: &Path, mut text: String, encoding: Encoding, delimiter: Option<u8>) -> Result<Self> {
        let stated = table::stated_delimiter(&text);
        if stated.is_some() {
            // The line stays as an empty one, so that the others keep their numbers.
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
            return Err(Error::file(path, "there is no line in it; export it again from where it comes from"));
        }
        Ok(Self { path: path.to_path_buf(), text, encoding, delimiter, rows, width })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How its letters are written.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// What separates its columns.
    pub fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Number of rows that are not empty, titles and header among them.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has no row; no sheet that was read is so.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Number of columns of the widest of the first rows.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Line, counted from 1, and fields of a row, counted from 0; nothing where there is no such row.
    pub fn row(&self, row: usize) -> (usize, Vec<String>) {
        let Some(&(line, at)) = self.rows.get(row) else { return (0, Vec::new()) };
        let end = self.rows.get(row + 1).map_or(self.text.len(), |&(_, next)| next);
        let record = self.text.get(at..end).and_then(|text| table::first_record(text, self.delimiter));
        let fields = record.map(|record| record.iter().map(|field| field.trim().to_owned()).collect());
        (line as usize, fields.unwrap_or_default())
    }

    /// The row, counted from 0, that begins in this line or holds it.
    pub fn row_of_line(&self, line: usize) -> Option<usize> {
        self.rows.partition_point(|&(begin, _)| begin as usize <= line).checked_sub(1)
    }

    /// The names of the columns: those of the header, else «Column 3».
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

    /// Number of columns of the data: those of the header where there is one.
    pub fn data_width(&self, header: Option<usize>) -> usize {
        header.map_or(self.width, |row| self.row(row).1.len())
    }

    /// What the columns seem to mean in a table of this kind.
    pub fn guess(&self, kind: TableKind) -> Mapping {
        let header = self.guess_header(kind);
        self.guess_below(kind, header)
    }

    /// What the columns seem to mean where this row is the header.
    pub fn guess_below(&self, kind: TableKind, header: Option<usize>) -> Mapping {
        let wanted = kind.columns();
        let mut mapping = Mapping {
            header,
            columns: vec![None; wanted.len()],
            layout: Layout::Pairs,
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

    /// The rows below the header.
    fn data(&self, header: Option<usize>) -> std::ops::Range<usize> {
        header.map_or(0, |row| row + 1)..self.len()
    }

    /// How well the header says that this is a table of this kind: the number of columns that are recognised; 0 where
    /// one that is needed is not.
    pub fn likeness(&self, kind: TableKind) -> usize {
        let mapping = self.guess(kind);
        let lacking = kind.columns().iter().zip(&mapping.columns);
        let lacks = |(column, at): (&Column, &Option<usize>)| column.required && at.is_none();
        let wide = kind == TableKind::Enrolments && mapping.layout != Layout::Pairs;
        if lacking.into_iter().filter(|&pair| lacks(pair)).count() > usize::from(wide) {
            return 0;
        }
        mapping.columns.iter().flatten().count() + usize::from(wide)
    }

    /// The kind of table that this seems to be.
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
        // A header of words that are not known has neither gaps nor numbers.
        let unknown = || {
            let is_name = |field: &String| field.chars().any(char::is_alphabetic) && !field.contains(char::is_numeric);
            rows.first().filter(|row| row.len() > 1 && row.iter().all(is_name)).map(|_| 0)
        };
        named.or_else(similar).or_else(unknown)
    }

    /// Whether exams stand in several columns.
    fn guess_layout(&self, mapping: &mut Mapping) {
        let names = self.names(mapping.header);
        let student = mapping.columns.first().copied().flatten();
        let is_exam = |name: &String| {
            let plain = columns::plain(name);
            let stem = plain.trim_end_matches(char::is_numeric);
            stem.len() < plain.len()
                && std::iter::once(&EXAM.name).chain(EXAM.synonyms).any(|known| columns::plain(known) == stem)
        };
        let numbered: Vec<usize> = (0..names.len()).filter(|&at| is_exam(&names[at])).collect();
        if numbered.len() >= 2 {
            (mapping.layout, mapping.exams) = (Layout::Lists, numbered);
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
            (mapping.layout, mapping.exams) = (Layout::Marks, marks);
        }
    }
}

/// A column that a row of this length has.
fn at(column: Option<usize>, length: usize) -> Option<usize> {
    column.filter(|&at| at < length)
}

/// The separator with which the first rows have most names that are known and, failing that, most columns throughout.
fn guess_delimiter(text: &str) -> u8 {
    let score = |delimiter: u8| {
        let (mut known, mut widths) = (0, Vec::new());
        // What cannot be read on is no reason for another separator.
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
