//! A table of text cells from a file, a sheet of a workbook, or the clipboard.

use std::path::{Path, PathBuf};

use super::super::TableSpec;
use super::mapping;
use crate::text::columns::{self, Column};
use crate::text::decoding::{Encoding, decode};
use crate::text::table::{self, is_blank, walk};
use crate::text::{lines, sheets};
use crate::{Error, Result, files};

/// Supported column separators and their names.
pub const DELIMITERS: [(u8, &str); 4] = [(b',', "Comma"), (b';', "Semicolon"), (b'\t', "Tab"), (b'|', "Bar")];

/// Number of rows on which guesses are based.
pub(super) const SAMPLE: usize = 60;

/// Number of rows in which the header is searched.
pub(super) const HEADER_ROWS: usize = 20;

/// Table of text: stores the offset of each row and splits it into cells on demand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    path: PathBuf,
    name: String,
    text: String,
    encoding: Option<Encoding>,
    delimiter: u8,
    /// Line, from 1, and first byte of each row.
    rows: Vec<(u32, usize)>,
    /// Cells of the first [`HEADER_ROWS`] rows.
    head: Vec<Vec<String>>,
    width: usize,
}

/// Contents of the cells of a record.
fn cells(record: &::csv::StringRecord) -> Vec<String> {
    record.iter().map(|cell| table::content(cell).to_owned()).collect()
}

impl Sheet {
    /// Reads the sheets of a workbook or the one table of a text file, whose encoding and separator are detected unless given.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::Line`] if there is no table, with the remedy.
    pub fn read(
        path: &Path, specs: &[TableSpec], encoding: Option<Encoding>, delimiter: Option<u8>,
    ) -> Result<Vec<Self>> {
        let bytes = files::read(path)?;
        if sheets::is_named_workbook(path) || sheets::is_workbook(&bytes) {
            let sheets = sheets::sheets(path, &bytes)?;
            let name = |at: &Path| at.to_string_lossy().rsplit(':').next().unwrap_or_default().to_owned();
            let sheets =
                sheets.into_iter().map(|(at, text)| Self::of_text(path, name(&at), text, None, Some(b','), specs));
            return sheets.collect();
        }
        let (text, encoding) = decode(path, bytes, encoding)?;
        Ok(vec![Self::of_text(path, lines::file_name(path), text, Some(encoding), delimiter, specs)?])
    }

    /// Table of text that was copied from a spreadsheet.
    ///
    /// # Errors
    /// [`Error::File`] if there is no row.
    pub fn of_clipboard(text: &str, specs: &[TableSpec]) -> Result<Self> {
        Self::of_text(Path::new("clipboard"), "clipboard".to_owned(), text.to_owned(), None, None, specs)
    }

    fn of_text(
        path: &Path, name: String, mut text: String, encoding: Option<Encoding>, delimiter: Option<u8>,
        specs: &[TableSpec],
    ) -> Result<Self> {
        let stated = table::stated_delimiter(&text);
        if stated.is_some() {
            // Kept as an empty line, so that line numbers stay right.
            let end = text.find(['\n', '\r']).unwrap_or(text.len());
            text.replace_range(..end, "");
        }
        let delimiter = delimiter.or(stated).unwrap_or_else(|| guess_delimiter(&text, specs));
        let (mut rows, mut head, mut width) = (Vec::new(), Vec::new(), 0);
        let walked = walk(&text, delimiter, |line, at, record| {
            if rows.len() < SAMPLE {
                width = width.max(record.len());
            }
            if head.len() < HEADER_ROWS {
                head.push(cells(record));
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
        Ok(Self { path: path.to_path_buf(), name, text, encoding, delimiter, rows, head, width })
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The cells as text with separators.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Name of the sheet in a workbook, otherwise of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Character encoding of a text file; `None` for workbooks and the clipboard.
    pub fn encoding(&self) -> Option<Encoding> {
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

    /// Number of columns of the widest of the first rows.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns `true` if there is no row; never the case for a sheet that was read.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Line, from 1, and cells of row `row`, from 0; (0, empty) if there is no such row.
    pub fn row(&self, row: usize) -> (usize, Vec<String>) {
        let Some(&(line, at)) = self.rows.get(row) else { return (0, Vec::new()) };
        if let Some(cells) = self.head.get(row) {
            return (line as usize, cells.clone());
        }
        let end = self.rows.get(row + 1).map_or(self.text.len(), |&(_, next)| next);
        let record = self.text.get(at..end).and_then(|text| table::first_record(text, self.delimiter));
        (line as usize, record.as_ref().map_or_else(Vec::new, cells))
    }

    /// The sheet with another content in a cell; all lines keep their numbers. `None` if there is no such row.
    pub fn with_cell(&self, row: usize, column: usize, content: &str) -> Option<Self> {
        let &(_, at) = self.rows.get(row)?;
        let end = self.rows.get(row + 1).map_or(self.text.len(), |&(_, next)| next);
        let (before, after) = (self.text.get(..at)?, self.text.get(end..)?);
        let line = self.text.get(at..end)?;
        let body = line.trim_end_matches(['\n', '\r']);
        let mut cells: Vec<String> = table::first_record(body, self.delimiter)?.iter().map(str::to_owned).collect();
        cells.resize(cells.len().max(column + 1), String::new());
        cells[column] = content.to_owned();
        let mut writer = ::csv::WriterBuilder::new().delimiter(self.delimiter).from_writer(Vec::new());
        writer.write_record(&cells).ok()?;
        let written = String::from_utf8(writer.into_inner().ok()?).ok()?;
        let written = written.trim_end_matches('\n');
        let breaks = |text: &str| text.matches('\n').count();
        let lost = "\n".repeat(breaks(body).saturating_sub(breaks(written)));
        let text = [before, written, &lost, &line[body.len()..], after].concat();
        Self::of_text(&self.path, self.name.clone(), text, self.encoding, Some(self.delimiter), &[]).ok()
    }

    /// Cells of the first rows, at most [`HEADER_ROWS`].
    pub(super) fn head(&self) -> &[Vec<String>] {
        &self.head
    }

    /// Row, from 0, that begins in `line` or contains it.
    pub fn row_of_line(&self, line: usize) -> Option<usize> {
        self.rows.partition_point(|&(begin, _)| begin as usize <= line).checked_sub(1)
    }

    /// Visits all rows from row `first` on with their lines.
    pub(super) fn walk_from(&self, first: usize, mut take: impl FnMut(usize, &::csv::StringRecord)) {
        let mut row = 0;
        // The text was read without an error before.
        let _ = walk(&self.text, self.delimiter, |line, _, record| {
            if row >= first {
                take(line, record);
            }
            row += 1;
            true
        });
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
}

/// Declared columns of a table, and the one that it carries for another table.
pub(super) fn declared(spec: &TableSpec) -> Vec<Column> {
    spec.columns.iter().map(|column| column.column).chain(spec.carried.map(|carried| carried.column)).collect()
}

/// Guesses the separator: most known column names in the first rows and, failing that, most columns throughout.
fn guess_delimiter(text: &str, specs: &[TableSpec]) -> u8 {
    let wanted: Vec<Vec<Column>> = specs.iter().map(declared).collect();
    let score = |delimiter: u8| {
        let (mut known, mut widths) = (0, Vec::new());
        // A parse error further down does not decide against a separator.
        let _ = walk(text, delimiter, |_, _, record| {
            if widths.len() < HEADER_ROWS {
                let found = wanted.iter().map(|wanted| columns::find(record.iter(), wanted).iter().flatten().count());
                known = known.max(found.max().unwrap_or(0));
            }
            widths.push(record.len());
            widths.len() < SAMPLE
        });
        let usual = mapping::median(&widths);
        let alike = if usual > 1 { widths.iter().filter(|&&width| width == usual).count() } else { 0 };
        (if usual > 1 { known } else { 0 }, alike, usual)
    };
    let scores = DELIMITERS.iter().rev().map(|&(delimiter, _)| (score(delimiter), delimiter));
    scores.max_by_key(|&(score, _)| score).map_or(b',', |(_, delimiter)| delimiter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_cell_is_replaced_and_everything_else_stays() {
        let text = "who;what\r\n\r\ns1;\"MAT;\na\"\r\ns2\r\n\r\ns3;PHY";
        let sheet = Sheet::of_clipboard(text, &[]).unwrap();
        let rows = |sheet: &Sheet| (0..sheet.len()).map(|row| sheet.row(row)).collect::<Vec<_>>();
        let mut expected = rows(&sheet);
        assert_eq!(expected[1], (3, vec!["s1".to_owned(), "MAT;\na".to_owned()]));
        let changed = sheet.with_cell(2, 1, "a;\"b\"").unwrap();
        expected[2].1 = vec!["s2".to_owned(), "a;\"b\"".to_owned()];
        assert_eq!((rows(&changed), changed.path(), changed.name()), (expected.clone(), sheet.path(), sheet.name()));
        let changed = changed.with_cell(1, 1, "CHE").and_then(|sheet| sheet.with_cell(3, 0, "s4")).unwrap();
        (expected[1].1[1], expected[3].1[0]) = ("CHE".to_owned(), "s4".to_owned());
        assert_eq!(rows(&changed), expected);
        assert_eq!(changed.with_cell(4, 0, "s5"), None);
    }
}
