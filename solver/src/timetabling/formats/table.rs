//! Tables with a header, as offices export them: comma, semicolon or tab, columns in any order and by many names.

use super::lines::{Problems, counted, listed, quoted};
use super::{Source, lines};
use crate::{Error, Result};

/// A column by the names that it may have, the most telling first; small letters and digits only.
pub(super) struct Column {
    /// What a message calls it, and a file may.
    pub(super) name: &'static str,
    /// Other names for it.
    pub(super) synonyms: &'static [&'static str],
    /// Whether the table is of no use without it.
    pub(super) required: bool,
}

/// A table whose header has been understood.
pub(super) struct Table<'a> {
    source: Source<'a>,
    delimiter: u8,
    columns: Vec<Option<usize>>,
    width: usize,
    /// Columns that nothing was made of.
    pub(super) unused: Vec<String>,
}

/// One line of a table.
pub(super) struct Row<'a> {
    /// Counted from 1.
    pub(super) line: usize,
    record: &'a ::csv::StringRecord,
    columns: &'a [Option<usize>],
}

impl Row<'_> {
    /// What stands in a column; empty where the table lacks it.
    pub(super) fn get(&self, column: usize) -> &str {
        self.columns[column].and_then(|at| self.record.get(at)).map_or("", str::trim)
    }
}

fn reader(text: &str, delimiter: u8) -> ::csv::Reader<&[u8]> {
    ::csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(text.as_bytes())
}

fn is_blank(field: &str) -> bool {
    field.trim().is_empty()
}

/// A header as it is compared: small letters and digits only.
fn plain(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn find_columns(header: &::csv::StringRecord, wanted: &[Column]) -> Vec<Option<usize>> {
    let names: Vec<String> = header.iter().map(plain).collect();
    let find = |column: &Column| {
        std::iter::once(&column.name)
            .chain(column.synonyms)
            .find_map(|&synonym| names.iter().position(|name| name == synonym))
    };
    wanted.iter().map(find).collect()
}

impl<'a> Table<'a> {
    /// Reads the header and decides what separates the columns.
    ///
    /// # Errors
    /// [`Error::Line`] where a column that is needed is not named.
    pub(super) fn open(source: Source<'a>, wanted: &[Column]) -> Result<Self> {
        let mut best: Option<(usize, usize, u8, ::csv::StringRecord)> = None;
        for delimiter in *b",;\t" {
            let mut header = ::csv::StringRecord::new();
            if reader(source.text, delimiter).read_record(&mut header).unwrap_or(false) {
                let found = find_columns(&header, wanted).iter().flatten().count();
                if best.as_ref().is_none_or(|best| (found, header.len()) > (best.0, best.1)) {
                    best = Some((found, header.len(), delimiter, header));
                }
            }
        }
        let Some((_, width, delimiter, header)) = best else {
            return Err(Error::file(source.path, "there is no header; the first line must name the columns"));
        };
        let columns = find_columns(&header, wanted);
        let lacking =
            |(column, at): (&Column, &Option<usize>)| (column.required && at.is_none()).then_some(column.name);
        let lacking: Vec<&str> = wanted.iter().zip(&columns).filter_map(lacking).collect();
        if !lacking.is_empty() {
            let names: Vec<&str> = wanted.iter().map(|column| column.name).collect();
            let found = listed(&header.iter().map(|name| quoted(name.trim())).collect::<Vec<_>>());
            let line = lines::of(source.text).find(|(_, text)| !text.is_empty()).map_or(1, |(line, _)| line);
            let what = format!(
                "the header names no column «{}» (it has {found}); name the columns, for instance {}",
                lacking.join("» and no column «"),
                names.join(",")
            );
            return Err(Error::line(source.path, line, what));
        }
        let unused = header.iter().enumerate();
        let unused = unused.filter(|(at, name)| !is_blank(name) && !columns.contains(&Some(*at)));
        let unused = unused.map(|(_, name)| name.trim().to_owned()).collect();
        Ok(Self { source, delimiter, columns, width, unused })
    }

    /// Whether the table has this column.
    pub(super) fn has(&self, column: usize) -> bool {
        self.columns[column].is_some()
    }

    /// Walks over the lines below the header; what does not fit the header becomes a problem.
    ///
    /// Returns the number of lines that hold separators only, which spreadsheets leave at the end.
    pub(super) fn rows(&self, problems: &mut Problems, mut take: impl FnMut(&mut Problems, Row)) -> usize {
        let mut reader = reader(self.source.text, self.delimiter);
        let mut record = ::csv::StringRecord::new();
        let (mut counted_to, mut line) = (0, 1);
        let (mut header, mut hollow) = (true, 0);
        loop {
            let start = reader.position().byte() as usize;
            match reader.read_record(&mut record) {
                Ok(true) => {}
                Ok(false) => return hollow,
                Err(error) => {
                    problems.file(format!("the table cannot be read ({error})"));
                    return hollow;
                }
            }
            // The reader's own line numbers do not count the empty lines that it skips.
            let bytes = self.source.text.as_bytes();
            let mut begin = start.min(bytes.len());
            while bytes.get(begin).is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
                begin += 1;
            }
            line += line_ends(&bytes[counted_to..begin]);
            counted_to = begin;
            if std::mem::take(&mut header) {
                continue;
            }
            if record.iter().all(is_blank) {
                hollow += 1;
            } else if record.iter().any(|field| field.contains(['\n', '\r'])) {
                problems.line(line, "a quotation mark opens here and is not closed in this line; close or remove it");
            } else if record.len() < self.width || !record.iter().skip(self.width).all(is_blank) {
                let found = counted(record.len(), "column");
                problems.line(line, format!("{found} where the header has {}", self.width));
            } else {
                take(problems, Row { line, record: &record, columns: &self.columns });
            }
        }
    }
}

/// LF, CR LF and CR each end a line.
fn line_ends(bytes: &[u8]) -> usize {
    let ends = bytes.iter().filter(|&&byte| byte == b'\n').count();
    let lone = bytes.windows(2).filter(|pair| pair[0] == b'\r' && pair[1] != b'\n').count();
    ends + lone + usize::from(bytes.last() == Some(&b'\r'))
}

/// Says which columns and how many lines nothing was made of.
pub(super) fn leftovers(file: &str, unused: &[String], hollow: usize, warnings: &mut Vec<String>) {
    if !unused.is_empty() {
        let names = unused.iter().map(|name| quoted(name)).collect::<Vec<_>>();
        let verb = if unused.len() == 1 { "column is" } else { "columns are" };
        warnings.push(format!("{file}: {} {verb} not used: {}", unused.len(), listed(&names)));
    }
    if hollow > 0 {
        warnings.push(format!("{file}: {} without any entry skipped", counted(hollow, "line")));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const WANTED: [Column; 2] = [
        Column { name: "student", synonyms: &["studentid"], required: true },
        Column { name: "exam", synonyms: &["course"], required: true },
    ];

    fn rows(text: &str) -> (Vec<(usize, String, String)>, Vec<String>, usize) {
        let source = Source { path: Path::new("a.csv"), text };
        let table = Table::open(source, &WANTED).unwrap();
        let mut problems = Problems::new(source.path);
        let mut rows = Vec::new();
        let hollow = table.rows(&mut problems, |_, row| rows.push((row.line, row.get(0).into(), row.get(1).into())));
        let errors = problems.finish().err().map(|error| error.to_string()).unwrap_or_default();
        (rows, errors.lines().map(str::to_owned).collect(), hollow)
    }

    #[test]
    fn lines_keep_their_numbers_whatever_ends_them() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["", "Course;Student ID", "M;1", "", "", "\"N\"; 2 ", ";", "O"].join(end);
            let (rows, errors, hollow) = rows(&text);
            assert_eq!(rows, [(3, "1".into(), "M".into()), (6, "2".into(), "N".into())], "{end:?}");
            assert_eq!(errors, ["a.csv:8: 1 column where the header has 2"], "{end:?}");
            assert_eq!(hollow, 1, "{end:?}");
        }
    }

    #[test]
    fn an_open_quotation_mark_is_found() {
        let (rows, errors, _) = rows("student,exam\n1,A\n2,\"B\n3,C\n");
        assert_eq!(rows.len(), 1);
        assert!(errors[0].starts_with("a.csv:3: a quotation mark"), "{errors:?}");
    }

    #[test]
    fn a_header_without_a_needed_column_says_what_there_is() {
        let source = Source { path: Path::new("a.csv"), text: "\nname,exam\n1,2\n" };
        let error = Table::open(source, &WANTED).err().unwrap().to_string();
        assert!(error.starts_with("a.csv:2: ") && error.contains("«student»") && error.contains("«name»"), "{error}");
    }
}
