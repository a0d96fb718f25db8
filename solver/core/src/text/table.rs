//! Tables with a header as offices export them: separated by comma, semicolon or tab, columns in any order and under
//! various names.

use std::path::Path;

use super::Source;
use super::cells::{self, guarded};
use super::columns::{self, Column, PlainNames};
use super::lines::{self, Problems, Read, counted, listed, quoted};
use super::notation::{Evidence, number_in_unit, unit_of};
use crate::{Error, Result};

/// Table with recognised columns.
pub struct Table<'a> {
    source: Source<'a>,
    delimiter: u8,
    columns: Vec<Option<usize>>,
    /// Number of records above the data: titles and the header.
    skipped: usize,
    /// The header; empty for a table whose columns the user assigned.
    pub header: Header,
    /// Number of columns of the header.
    width: usize,
    /// Smallest number of columns of a usable line.
    needed: usize,
    /// Names of unused columns.
    pub unused: Vec<String>,
}

/// Row of a table.
pub struct Row<'a> {
    /// Line number from 1.
    pub line: usize,
    record: &'a ::csv::StringRecord,
    columns: &'a [Option<usize>],
}

impl Row<'_> {
    /// Content of a wanted column; empty if the table lacks it.
    pub fn get(&self, column: usize) -> &str {
        self.position(column).map_or("", |at| self.at(at))
    }

    /// Position of a wanted column in the file; `None` if the table lacks it.
    pub fn position(&self, column: usize) -> Option<usize> {
        self.columns.get(column).copied().flatten()
    }

    /// Content of the column at this position of the file; empty if the line is shorter.
    pub fn at(&self, at: usize) -> &str {
        self.record.get(at).map_or("", content)
    }
}

/// Content of a cell, without the white space around it and the apostrophe of [`cells::guarded`].
pub fn content(cell: &str) -> &str {
    cells::bare(cell.trim())
}

/// The first content of a record; `None` if all its cells are blank.
fn first_content(record: &::csv::StringRecord) -> Option<String> {
    record.iter().map(content).find(|cell| !cell.is_empty()).map(str::to_owned)
}

/// Record reader that accepts lines of any length.
fn reader(text: &str, delimiter: u8) -> ::csv::Reader<&[u8]> {
    ::csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(text.as_bytes())
}

/// First record of a text; `None` if the text is empty or no CSV.
pub fn first_record(text: &str, delimiter: u8) -> Option<::csv::StringRecord> {
    let mut record = ::csv::StringRecord::new();
    reader(text, delimiter).read_record(&mut record).unwrap_or(false).then_some(record)
}

/// Number of records among which a header is looked for.
const HEADER_RECORDS: usize = 20;

/// Header of a table.
#[derive(Debug, Clone, Default)]
pub struct Header {
    /// Names of the columns.
    pub names: ::csv::StringRecord,
    /// Line number from 1.
    pub line: usize,
    /// Number of records above it, which are titles.
    pub above: usize,
}

impl Header {
    /// The first record that has at least two cells and all required columns, otherwise the first record of all. `None` if
    /// the text is empty or no CSV.
    pub fn of(text: &str, delimiter: u8, wanted: &[Column]) -> Option<Self> {
        let (mut found, mut first, mut above) = (None, None, 0);
        let names = PlainNames::of(wanted);
        let walked = walk(text, delimiter, |line, _, record| {
            let columns = names.find(record.iter());
            let is_whole = wanted.iter().zip(&columns).all(|(column, at)| at.is_some() || !column.required);
            let header = |above| Self { names: record.clone(), line, above };
            if is_whole && record.iter().filter(|cell| !is_blank(cell)).count() > 1 {
                found = Some(header(above));
            } else if first.is_none() {
                first = Some(header(0));
            }
            above += 1;
            found.is_none() && above < HEADER_RECORDS
        });
        walked.ok().and(found.or(first))
    }
}

/// Returns `true` if the field is blank.
pub fn is_blank(field: &str) -> bool {
    field.trim().is_empty()
}

/// Visits the records of a text with line number (from 1) and byte offset of their beginning, until `take` returns
/// `false`. Empty lines are skipped.
///
/// # Errors
/// Error of the CSV reader.
pub fn walk(
    text: &str, delimiter: u8, mut take: impl FnMut(usize, usize, &::csv::StringRecord) -> bool,
) -> std::result::Result<(), ::csv::Error> {
    let mut reader = reader(text, delimiter);
    let mut record = ::csv::StringRecord::new();
    let (bytes, mut counted_to, mut line) = (text.as_bytes(), 0, 1);
    loop {
        let start = reader.position().byte() as usize;
        if !reader.read_record(&mut record)? {
            return Ok(());
        }
        // The CSV reader's line numbers do not count the empty lines that it skips.
        let mut begin = start.min(bytes.len());
        while bytes.get(begin).is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            begin += 1;
        }
        line += line_ends(&bytes[counted_to..begin]);
        counted_to = begin;
        if !take(line, begin, &record) {
            return Ok(());
        }
    }
}

/// Separator declared by a first line `sep=;`, an Excel convention; `None` for any other line.
pub(crate) fn stated_delimiter(text: &str) -> Option<u8> {
    let first = text.lines().next()?.trim();
    let stated = first.strip_prefix("sep=").or_else(|| first.strip_prefix("SEP="))?;
    match stated.as_bytes() {
        // A declared tab was trimmed away.
        [] => Some(b'\t'),
        [byte] if byte.is_ascii_punctuation() => Some(*byte),
        _ => None,
    }
}

impl<'a> Table<'a> {
    /// Reads the header and detects the separator.
    ///
    /// # Errors
    /// [`Error::Line`] if a required column is missing.
    pub fn open(source: Source<'a>, wanted: &[Column]) -> Result<Self> {
        let mut best: Option<(usize, u8, Header)> = None;
        // A separator that the text does not contain finds no more columns than the comma, which is tried first.
        let is_possible = |&delimiter: &u8| delimiter == b',' || source.text.as_bytes().contains(&delimiter);
        for delimiter in b",;\t".iter().copied().filter(is_possible) {
            if let Some(header) = Header::of(source.text, delimiter, wanted) {
                let found = columns::find(header.names.iter(), wanted).iter().flatten().count();
                if best.as_ref().is_none_or(|best| (found, header.names.len()) > (best.0, best.2.names.len())) {
                    best = Some((found, delimiter, header));
                }
            }
        }
        let Some((_, delimiter, header)) = best else {
            return Err(Error::file(source.path, "there is no header; the first line must name the columns"));
        };
        let columns = columns::find(header.names.iter(), wanted);
        let lacking =
            |(column, at): (&Column, &Option<usize>)| (column.required && at.is_none()).then_some(column.name);
        let lacking: Vec<&str> = wanted.iter().zip(&columns).filter_map(lacking).collect();
        if !lacking.is_empty() {
            let names: Vec<&str> = wanted.iter().map(|column| column.name).collect();
            let found = listed(&header.names.iter().map(|name| quoted(name.trim())).collect::<Vec<_>>());
            let what = format!(
                "the header names no column «{}» (it has {found}); name the columns, for instance {}",
                lacking.join("» and no column «"),
                names.join(",")
            );
            return Err(Error::line(source.path, header.line, what));
        }
        let unused = header.names.iter().enumerate();
        let unused = unused.filter(|(at, name)| !is_blank(name) && !columns.contains(&Some(*at)));
        let unused = unused.map(|(_, name)| content(name).to_owned()).collect();
        let (width, skipped) = (header.names.len(), header.above + 1);
        Ok(Self { source, delimiter, columns, skipped, header, width, needed: width, unused })
    }

    /// Table with columns assigned by the user; `needed` columns suffice for a line.
    pub fn mapped(
        source: Source<'a>, delimiter: u8, columns: Vec<Option<usize>>, skipped: usize, width: usize, needed: usize,
    ) -> Self {
        Self { source, delimiter, columns, skipped, header: Header::default(), width, needed, unused: Vec::new() }
    }

    /// Returns `true` if the table has this column.
    pub fn has(&self, column: usize) -> bool {
        self.position(column).is_some()
    }

    /// Position of a wanted column in the file; `None` if the table lacks it.
    pub fn position(&self, column: usize) -> Option<usize> {
        self.columns.get(column).copied().flatten()
    }

    /// Positions and names of the columns not looked for; names may be empty.
    pub fn other_columns(&self) -> Vec<(usize, String)> {
        let others = self.header.names.iter().enumerate().filter(|(at, _)| !self.columns.contains(&Some(*at)));
        others.map(|(at, name)| (at, content(name).to_owned())).collect()
    }

    /// Line number and first content of each line above the header, but for blank lines and a stated separator.
    fn titles(&self) -> Vec<(usize, String)> {
        let (mut at, mut titles) = (0, Vec::new());
        let has_separator = stated_delimiter(self.source.text).is_some();
        let walked = walk(self.source.text, self.delimiter, |line, _, record| {
            at += 1;
            let is_title = at <= self.header.above && (at > 1 || !has_separator);
            titles.extend(first_content(record).filter(|_| is_title).map(|text| (line, text)));
            at < self.header.above
        });
        walked.map(|()| titles).unwrap_or_default()
    }

    /// Path of the table, for messages.
    pub fn path(&self) -> &Path {
        self.source.path
    }

    /// Unit that the heading of a wanted column names; empty if there is none.
    pub fn unit(&self, column: usize) -> String {
        let at = self.columns.get(column).copied().flatten();
        at.map_or_else(String::new, |at| self.unit_at(at).to_owned())
    }

    fn unit_at(&self, at: usize) -> &str {
        columns::with_unit(self.header.names.get(at).unwrap_or("")).1
    }

    /// Notation and units of the numbers in all columns.
    pub fn numbers(&self) -> Numbers {
        let units = (0..self.header.names.len()).map(|at| self.unit_at(at).to_owned());
        let mut numbers = Numbers { columns: self.columns.clone(), units: units.collect(), ..Numbers::default() };
        numbers.evidence.resize(numbers.units.len(), Evidence::default());
        self.rows(&mut Problems::up_to(self.source.path, 0), |_, row| {
            for (at, unit) in numbers.units.iter_mut().enumerate() {
                let cell = row.at(at);
                numbers.evidence[at].look(cell);
                if unit.is_empty() {
                    unit_of(cell).clone_into(unit);
                }
            }
        });
        numbers.table = numbers.evidence.iter().fold(Evidence::default(), |all, column| all.and(*column));
        numbers
    }

    /// File name without its folder.
    pub fn file_name(&self) -> String {
        lines::file_name(self.source.path)
    }

    /// Visits the rows below the header; rows that do not fit the header become problems.
    ///
    /// Returns the number of rows, including faulty ones, and the rows that are none: those that hold separators only, which
    /// spreadsheets leave at the end, totals, and repetitions of the header.
    pub fn rows(&self, problems: &mut Problems, mut take: impl FnMut(&mut Problems, Row)) -> RowCount {
        let (mut at, mut count, mut header) = (0, RowCount::default(), ::csv::StringRecord::new());
        let walked = walk(self.source.text, self.delimiter, |line, begin, record| {
            at += 1;
            if at <= self.skipped {
                header.clone_from(record);
                return true;
            }
            if record.iter().all(is_blank) {
                count.hollow += 1;
                return true;
            }
            if is_total(record) || is_repeated(&header, record) {
                count.totals.push((line, first_content(record).unwrap_or_default()));
                return true;
            }
            count.lines += 1;
            let is_open = || !cells::is_well_quoted(&self.source.text[begin..], self.delimiter);
            if record.iter().any(|field| field.contains(['\n', '\r'])) && is_open() {
                problems.line(line, "a quotation mark opens here and is not closed in this line; close or remove it");
            } else if record.len() < self.needed || !record.iter().skip(self.width).all(is_blank) {
                let found = counted(record.len(), "column");
                problems.line(line, format!("{found} where the header has {}", self.width));
            } else {
                take(problems, Row { line, record, columns: &self.columns });
            }
            true
        });
        if let Err(error) = walked {
            problems.file(format!("the table cannot be read ({error})"));
        }
        count
    }
}

/// Notation and units of the numbers of a table.
#[derive(Debug, Clone, Default)]
pub struct Numbers {
    /// Position of each wanted column.
    columns: Vec<Option<usize>>,
    /// Evidence by position.
    evidence: Vec<Evidence>,
    /// Evidence of all columns together, for those that show nothing.
    pub table: Evidence,
    /// Unit by position: that of the heading, or else the first one in a cell; empty if there is none.
    units: Vec<String>,
}

impl Numbers {
    /// Number in a wanted column of a row.
    ///
    /// # Errors
    /// As [`Self::read_at`].
    pub fn read(&self, row: &Row, column: usize) -> Read<f64> {
        self.columns
            .get(column)
            .copied()
            .flatten()
            .map_or_else(|| Err("the column is missing".to_owned()), |at| self.read_at(row, at))
    }

    /// Number in the column at this position of the file.
    ///
    /// # Errors
    /// A text without a number, one with two readings, or one with another unit than its column.
    pub fn read_at(&self, row: &Row, at: usize) -> Read<f64> {
        let cell = row.at(at);
        let number = number_in_unit(cell, ["", self.units.get(at).map_or("", String::as_str)])?;
        let read = self.evidence_at(at).read(number)?;
        read.parse().map_err(|_| format!("{} is not a number", quoted(cell)))
    }

    /// Text of a wanted column of a row, as [`Self::plain_at`]; empty if the table lacks the column.
    ///
    /// # Errors
    /// As [`Evidence::plain`].
    pub fn plain(&self, row: &Row, column: usize) -> Read<String> {
        self.columns.get(column).copied().flatten().map_or_else(|| Ok(String::new()), |at| self.plain_at(row, at))
    }

    /// Text in the column at this position of the file, a number without separators as [`Evidence::plain`] gives it.
    ///
    /// # Errors
    /// As [`Evidence::plain`].
    pub fn plain_at(&self, row: &Row, at: usize) -> Read<String> {
        self.evidence_at(at).plain(row.at(at))
    }

    /// Evidence of a wanted column, or else of the table.
    pub fn evidence(&self, column: usize) -> Evidence {
        self.columns.get(column).copied().flatten().map_or(self.table, |at| self.evidence_at(at))
    }

    /// Evidence of the column at this position of the file, or else of the table.
    pub fn evidence_at(&self, at: usize) -> Evidence {
        self.evidence.get(at).copied().unwrap_or_default().or(self.table)
    }

    /// Unit of the numbers in a wanted column; empty if there is none.
    pub fn unit(&self, column: usize) -> &str {
        self.columns.get(column).copied().flatten().map_or("", |at| self.unit_at(at))
    }

    /// Unit of the numbers in the column at this position of the file; empty if there is none.
    pub fn unit_at(&self, at: usize) -> &str {
        self.units.get(at).map_or("", String::as_str)
    }
}

/// Numbers of rows of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowCount {
    /// Rows with content.
    pub lines: usize,
    /// Rows of separators only.
    pub hollow: usize,
    /// Line and first cell of each total and each repetition of the header.
    pub totals: Vec<(usize, String)>,
}

/// Words with which a line of totals begins, without case, accents and punctuation.
const TOTALS: [&str; 16] = [
    "total", "totals", "grandtotal", "subtotal", "sum", "summe", "gesamt", "gesamtsumme", "zwischensumme", "insgesamt",
    "endsumme", "somme", "totalgeneral", "soustotal", "συνολο", "αθροισμα",
];

/// Returns `true` for a word such as «Summe», with which a line of totals begins.
pub fn names_total(cell: &str) -> bool {
    TOTALS.contains(&columns::plain(cell).as_str())
}

/// Returns `true` for a line of totals: a word such as «Summe», and numbers.
pub fn is_total(record: &::csv::StringRecord) -> bool {
    let mut cells = record.iter().map(content).filter(|cell| !cell.is_empty());
    let is_number = |cell: &str| {
        cell.chars().any(|letter| letter.is_ascii_digit())
            && cell
                .chars()
                .all(|letter| letter.is_ascii_digit() || letter.is_whitespace() || ".,'’%+-".contains(letter))
    };
    let is_word = cells.next().is_some_and(names_total);
    is_word && cells.clone().next().is_some() && cells.all(is_number)
}

/// Returns `true` if a record repeats the header.
fn is_repeated(header: &::csv::StringRecord, record: &::csv::StringRecord) -> bool {
    header.len() == record.len()
        && header.iter().zip(record).all(|(name, cell)| columns::plain(name) == columns::plain(cell))
}

/// Number of line ends; LF, CR LF and CR each end a line.
fn line_ends(bytes: &[u8]) -> usize {
    let ends = bytes.iter().filter(|&&byte| byte == b'\n').count();
    let lone = bytes.windows(2).filter(|pair| pair[0] == b'\r' && pair[1] != b'\n').count();
    ends + lone + usize::from(bytes.last() == Some(&b'\r'))
}

/// Adds warnings about lines above the header, unused columns, empty lines, totals and repeated headers.
pub fn leftovers(table: &Table, unused: &[String], count: &RowCount, warnings: &mut Vec<String>) {
    let file = table.file_name();
    let left_out = |lines: &[(usize, String)], [one, several]: [&str; 2]| {
        let named: Vec<String> = lines.iter().map(|(line, text)| format!("line {line} ({})", quoted(text))).collect();
        let what = if lines.len() == 1 { one } else { several };
        (!lines.is_empty()).then(|| format!("{file}: {what} left out: {}", listed(&named)))
    };
    warnings.extend(left_out(&table.titles(), ["a line above the header was", "lines above the header were"]));
    if !unused.is_empty() {
        let names = unused.iter().map(|name| quoted(name)).collect::<Vec<_>>();
        let verb = if unused.len() == 1 { "column is" } else { "columns are" };
        warnings.push(format!("{file}: {} {verb} not used: {}", unused.len(), listed(&names)));
    }
    if count.hollow > 0 {
        warnings.push(format!("{file}: {} without any entry skipped", counted(count.hollow, "line")));
    }
    warnings.extend(left_out(&count.totals, ["a total or repeated header was", "totals and repeated headers were"]));
}

/// Encodes a table as CSV. Cells with separators, quotation marks and line breaks are quoted, those that a spreadsheet
/// would compute are [`guarded`]; [`Row::at`] gives back the text that was written.
pub fn write_table<S: AsRef<str>>(header: &[S], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    // Writing to memory fails only for rows of different lengths, which do not occur.
    let mut written = writer.write_record(header.iter().map(|name| guarded(name.as_ref()).into_owned()));
    for row in rows {
        written = written.and_then(|()| writer.write_record(row.iter().map(|cell| guarded(cell).into_owned())));
    }
    debug_assert!(written.is_ok());
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// Encodes a table as [`write_table`] does, with a byte order mark before it, by which spreadsheets recognise UTF-8; the
/// program's own readers skip the mark.
pub fn for_people<S: AsRef<str>>(header: &[S], rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    ["\u{feff}", &write_table(header, rows)].concat().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: [Column; 2] = [Column::required("student", "studentid"), Column::required("exam", "course")];

    fn rows(text: &str) -> (Vec<(usize, String, String)>, Vec<String>, usize) {
        let source = Source { path: Path::new("a.csv"), text };
        let table = Table::open(source, &WANTED).unwrap();
        let mut problems = Problems::new(source.path);
        let mut rows = Vec::new();
        let hollow =
            table.rows(&mut problems, |_, row| rows.push((row.line, row.get(0).into(), row.get(1).into()))).hollow;
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
    fn totals_and_repeated_headers_are_no_rows() {
        let text = "student;exam;a;b\n1;A;;\nSumme;;;30000\nStudent ;Exam;A;b\nTotal:;1.234,5\nTotal;B;;\nsum;;;\n";
        let source = Source { path: Path::new("a.csv"), text };
        let table = Table::open(source, &WANTED).unwrap();
        let (mut problems, mut rows, mut warnings) = (Problems::new(source.path), Vec::new(), Vec::new());
        let count = table.rows(&mut problems, |_, row| rows.push((row.line, row.get(0).to_owned())));
        assert_eq!(rows, [(2, "1".to_owned()), (6, "Total".to_owned()), (7, "sum".to_owned())]);
        assert_eq!(count.totals.iter().map(|total| total.0).collect::<Vec<_>>(), [3, 4, 5]);
        leftovers(&table, &[], &count, &mut warnings);
        assert_eq!(
            warnings,
            [
                "a.csv: totals and repeated headers were left out: line 3 («Summe»), line 4 («Student»), line 5 («Total:»)"
            ]
        );
        assert!(problems.is_empty());
    }

    #[test]
    fn an_open_quotation_mark_is_found() {
        let (rows, errors, _) = rows("student,exam\n1,A\n2,\"B\n3,C\n");
        assert_eq!(rows.len(), 1);
        assert!(errors[0].starts_with("a.csv:3: a quotation mark"), "{errors:?}");
    }

    #[test]
    fn written_texts_are_read_back() {
        let names = ["=SUM(A1)", "-5", "#a", "two\nlines", "two\r\n# student,exam", "a \"b\", c", "'=1", "@x", "-"];
        let text = write_table(&["student", "exam"], names.iter().map(|name| vec![(*name).to_owned(), "1".to_owned()]));
        assert!(text.contains("\n'=SUM(A1),1\n-5,1\n'#a,1\n\"two\nlines\",1\n"), "{text}");
        let (rows, errors, _) = rows(&text);
        assert_eq!(rows.iter().map(|row| row.1.as_str()).collect::<Vec<_>>(), names);
        assert_eq!((errors.len(), rows[5].0), (0, 9), "line breaks count as lines");
    }

    #[test]
    fn a_header_is_found_below_titles() {
        let (rows, errors, _) = rows("Students, winter\n;;\n\nexam;student;;\nM;1;;\n");
        assert_eq!((rows, errors.len()), (vec![(5, "1".into(), "M".into())], 0));
        let titled = Source { path: Path::new("a.csv"), text: "Exam list\nstudent,exam\n1,M\n" };
        let table = Table::open(titled, &WANTED).unwrap();
        assert_eq!((table.header.above, table.header.line), (1, 2));
    }

    #[test]
    fn titles_are_told_but_not_a_stated_separator() {
        for (above, expected) in [
            ("", None),
            ("sep=;\n", None),
            (
                "sep=;\n;;\nPrinted today\n",
                Some("a.csv: a line above the header was left out: line 3 («Printed today»)"),
            ),
            (
                "Faculty;Arts\n\n;by the registry\n",
                Some("a.csv: lines above the header were left out: line 1 («Faculty»), line 3 («by the registry»)"),
            ),
        ] {
            let text = format!("{above}student;exam\n1;M\n");
            let table = Table::open(Source { path: Path::new("a.csv"), text: &text }, &WANTED).unwrap();
            let mut warnings = Vec::new();
            leftovers(&table, &[], &RowCount::default(), &mut warnings);
            assert_eq!(warnings.first().map(String::as_str), expected, "{above:?}");
        }
    }

    #[test]
    fn a_header_without_a_needed_column_says_what_there_is() {
        let source = Source { path: Path::new("a.csv"), text: "\nname,exam\n1,2\n" };
        let error = Table::open(source, &WANTED).err().unwrap().to_string();
        assert!(error.starts_with("a.csv:2: ") && error.contains("«student»") && error.contains("«name»"), "{error}");
    }
}
