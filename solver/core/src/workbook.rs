//! Workbooks (.xlsx) for Excel and LibreOffice: summaries and tables as all problems write them.

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, Timelike, Utc};
use rust_xlsxwriter::{Color, DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, Worksheet, XlsxError};
use strum::VariantArray;

use crate::{Error, Result};

/// Largest number of rows below the head of a sheet.
pub const MAX_ROWS: usize = 1_048_575;

/// Largest number of columns of a sheet.
pub const MAX_COLUMNS: usize = 16_384;

/// Longest text of a cell in UTF-16 units.
const MAX_TEXT: usize = 32_767;

/// Result of writing to a sheet.
pub type Written<T = ()> = std::result::Result<T, XlsxError>;

/// Appearance of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray)]
pub enum Style {
    /// No format.
    Plain,
    /// Column head.
    Head,
    /// Text in a column of numbers.
    Words,
    /// Name of a figure.
    Label,
    /// Title of the workbook.
    Title,
    /// Confirmed verdict.
    Good,
    /// Violation.
    Bad,
    /// Integer.
    Count,
    /// Ordinal number, aligned like a date beside it.
    Ordinal,
    /// Number with two decimals.
    Figure,
    /// Number with four decimals.
    Cost,
    /// Share of 1 as a percentage.
    Share,
    /// Integer that marks a violation.
    Late,
    /// Date with the day of the week.
    Date,
    /// Time of day.
    Time,
}

impl Style {
    fn format(self) -> Format {
        let (plain, bold) = (Format::new(), Format::new().set_bold());
        match self {
            Self::Plain => plain,
            Self::Head => bold.set_background_color(Color::RGB(0xE4EAF0)).set_text_wrap(),
            Self::Words => plain.set_align(FormatAlign::Right),
            Self::Label => plain.set_font_color(Color::RGB(0x5A6875)),
            Self::Title => bold.set_font_size(16),
            Self::Good => bold.set_font_color(Color::RGB(0x1B7A3D)),
            Self::Bad => bold.set_font_color(Color::RGB(0xFFFFFF)).set_background_color(Color::RGB(0xD81E3A)),
            Self::Count => plain.set_num_format("#,##0"),
            Self::Ordinal => plain.set_align(FormatAlign::Left),
            Self::Figure => plain.set_num_format("#,##0.00"),
            Self::Cost => plain.set_num_format("0.0000"),
            Self::Share => plain.set_num_format("0.0%"),
            Self::Late => bold.set_num_format("#,##0").set_font_color(Color::RGB(0xB3152E)),
            Self::Date => plain.set_align(FormatAlign::Left).set_num_format("ddd d mmm yyyy"),
            Self::Time => plain.set_align(FormatAlign::Left).set_num_format("hh:mm"),
        }
    }
}

/// Content of a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Empty cell.
    Blank,
    /// Text, cut to what a cell holds.
    Text(String, Style),
    /// Number.
    Number(f64, Style),
    /// Date; one before 1900, which workbooks do not have, is written as text.
    Date(NaiveDate),
    /// Time of day.
    Time(NaiveTime),
}

/// Plain text.
pub fn text(text: impl Into<String>) -> Value {
    Value::Text(text.into(), Style::Plain)
}

/// Text in a column of numbers.
pub fn words(text: impl Into<String>) -> Value {
    Value::Text(text.into(), Style::Words)
}

/// Integer.
pub fn count(number: u64) -> Value {
    Value::Number(number as f64, Style::Count)
}

/// Number with two decimals.
pub fn figure(number: f64) -> Value {
    Value::Number(number, Style::Figure)
}

/// Workbook under construction.
pub struct Book {
    book: Workbook,
    /// Format of each style, by discriminant.
    formats: Vec<Format>,
}

/// Sheet of a workbook.
pub struct Sheet<'a> {
    sheet: &'a mut Worksheet,
    formats: &'a [Format],
}

impl Book {
    /// Adds an empty sheet.
    ///
    /// # Errors
    /// [`XlsxError`] for a name that a sheet cannot have.
    pub fn sheet(&mut self, name: &str) -> Written<Sheet<'_>> {
        Ok(Sheet { sheet: self.book.add_worksheet().set_name(name)?, formats: &self.formats })
    }

    /// Adds a sheet with heads of columns (title, width), frozen and with filters over `rows` rows.
    ///
    /// # Errors
    /// [`XlsxError`] if the sheet cannot hold them.
    pub fn table(&mut self, name: &str, heads: &[(&str, f64)], rows: usize) -> Written<Sheet<'_>> {
        let mut table = self.sheet(name)?;
        table.heads(0, heads.iter().map(|head| head.0))?;
        for (column, (_, width)) in (0..).zip(heads) {
            table.sheet.set_column_width(column, *width)?;
        }
        table.sheet.set_freeze_panes(1, 0)?;
        table.sheet.autofilter(0, 0, rows as u32, heads.len() as u16 - 1)?;
        table.sheet.set_landscape().set_print_fit_to_pages(1, 0);
        table.sheet.set_repeat_rows(0, 0)?;
        Ok(table)
    }

    /// Adds the sheet `Summary` with title and verdict of the checker, green if `is_good` and otherwise red; figures
    /// follow from row 3.
    ///
    /// # Errors
    /// [`XlsxError`] if the sheet cannot hold it.
    pub fn summary(&mut self, title: &str, verdict: &str, is_good: bool) -> Written<Sheet<'_>> {
        let mut summary = self.sheet("Summary")?;
        summary.sheet.set_column_width(0, 44)?.set_column_width(1, 26)?;
        summary.put(0, 0, Value::Text(title.to_owned(), Style::Title))?;
        summary.put(1, 0, Value::Text(verdict.to_owned(), if is_good { Style::Good } else { Style::Bad }))?;
        Ok(summary)
    }
}

impl Sheet<'_> {
    /// Writes a cell; rows and columns count from 0.
    ///
    /// # Errors
    /// [`XlsxError`] if the sheet cannot hold it.
    pub fn put(&mut self, row: u32, column: u16, value: Value) -> Written {
        let Self { sheet, formats } = self;
        let format = |style: Style| &formats[style as usize];
        match value {
            Value::Blank => return Ok(()),
            Value::Text(text, Style::Plain) => sheet.write_string(row, column, cell(&text))?,
            Value::Text(text, style) => sheet.write_string_with_format(row, column, cell(&text), format(style))?,
            Value::Number(number, Style::Plain) => sheet.write_number(row, column, number)?,
            Value::Number(number, style) => sheet.write_number_with_format(row, column, number, format(style))?,
            Value::Date(date) => match date_cell(date) {
                Some(date) => sheet.write_datetime_with_format(row, column, date, format(Style::Date))?,
                None => sheet.write_string(row, column, date.to_string())?,
            },
            Value::Time(time) => {
                let time = ExcelDateTime::from_hms(time.hour() as u16, time.minute() as u8, time.second() as u8)?;
                sheet.write_datetime_with_format(row, column, time, format(Style::Time))?
            }
        };
        Ok(())
    }

    /// Writes cells side by side from the first column.
    ///
    /// # Errors
    /// As [`Sheet::put`].
    pub fn row(&mut self, row: u32, values: impl IntoIterator<Item = Value>) -> Written {
        (0..).zip(values).try_for_each(|(column, value)| self.put(row, column, value))
    }

    /// Writes a row of column heads.
    ///
    /// # Errors
    /// As [`Sheet::put`].
    pub fn heads<'h>(&mut self, row: u32, heads: impl IntoIterator<Item = &'h str>) -> Written {
        self.row(row, heads.into_iter().map(|head| Value::Text(head.to_owned(), Style::Head)))
    }

    /// Writes named figures below each other; returns the row below them.
    ///
    /// # Errors
    /// As [`Sheet::put`].
    pub fn figures<L: Into<String>>(
        &mut self, first: u32, figures: impl IntoIterator<Item = (L, Value)>,
    ) -> Written<u32> {
        let mut row = first;
        for (label, value) in figures {
            self.row(row, [Value::Text(label.into(), Style::Label), value])?;
            row += 1;
        }
        Ok(row)
    }

    /// Sets the width of a column in characters.
    ///
    /// # Errors
    /// [`XlsxError`] if there is no such column.
    pub fn set_width(&mut self, column: u16, width: f64) -> Written {
        self.sheet.set_column_width(column, width).map(drop)
    }
}

fn date_cell(date: NaiveDate) -> Option<ExcelDateTime> {
    ExcelDateTime::from_ymd(u16::try_from(date.year()).ok()?, date.month() as u8, date.day() as u8).ok()
}

/// Creates a workbook; `write` fills its sheets. `now` is the time stamp: equal times give equal bytes, and `None`
/// stands for a fixed date.
///
/// # Errors
/// [`Error::Usage`] if the workbook cannot be written, for instance because a sheet would have too many rows.
pub fn write(title: &str, now: Option<DateTime<Utc>>, write: impl FnOnce(&mut Book) -> Written) -> Result<Vec<u8>> {
    let stamp = || {
        let Some(now) = now else { return ExcelDateTime::from_ymd(2020, 1, 1).ok() };
        let time = now.time();
        date_cell(now.date_naive())?.and_hms(time.hour() as u16, time.minute() as u8, time.second() as u8).ok()
    };
    let mut properties = DocProperties::new().set_title(title).set_comment(crate::MARK);
    if let Some(stamp) = stamp() {
        properties = properties.set_creation_datetime(&stamp);
    }
    let formats = Style::VARIANTS.iter().map(|style| style.format()).collect();
    let mut book = Book { book: Workbook::new(), formats };
    book.book.set_properties(&properties);
    write(&mut book).and_then(|()| book.book.save_to_buffer()).map_err(|error| {
        Error::Usage(format!("the workbook could not be written ({error}); export CSV instead, which has no limits"))
    })
}

/// Truncates text to the limit of a cell.
fn cell(text: &str) -> String {
    let mut units = 0;
    text.chars()
        .take_while(|letter| {
            units += letter.len_utf16();
            units <= MAX_TEXT
        })
        .collect()
}

/// Column width for these texts, in characters.
pub fn width<'a>(texts: impl Iterator<Item = &'a str>) -> f64 {
    texts.map(|text| text.chars().count()).max().unwrap_or(0).clamp(8, 48) as f64 + 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_to_what_a_cell_holds() {
        assert_eq!(cell("Öl"), "Öl");
        // A letter of two units that would lie across the limit is left out.
        let text = "a".repeat(MAX_TEXT - 1) + "𝄞";
        assert_eq!(cell(&text).chars().count(), MAX_TEXT - 1);
        assert!((width(["Desk", "A rather long name"].into_iter()) - 20.0).abs() < 1e-9);
    }

    #[test]
    fn the_same_is_written_twice() {
        let once = || write("a", None, |book| book.table("x", &[("x", 9.0)], 1).map(drop)).unwrap();
        assert_eq!(once(), once());
        assert!(once().starts_with(b"PK"));
    }
}
