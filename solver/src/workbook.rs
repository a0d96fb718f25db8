//! Workbooks (.xlsx) for Excel and LibreOffice: styles and blocks shared by all problems.

use rust_xlsxwriter::{Color, DocProperties, Format, FormatAlign, Workbook, Worksheet, XlsxError};

use crate::{Error, Result};

/// Largest number of rows below the head of a sheet.
pub const MAX_ROWS: usize = 1_048_575;

/// Largest number of columns of a sheet.
pub const MAX_COLUMNS: usize = 16_384;

/// Longest text of a cell in UTF-16 units.
const MAX_TEXT: usize = 32_767;

/// Cell formats.
#[derive(Debug, Clone)]
pub struct Styles {
    /// Column head.
    pub head: Format,
    /// Text in a column of numbers.
    pub words: Format,
    /// Integer.
    pub count: Format,
    /// Number with two decimals.
    pub figure: Format,
    /// Number with four decimals.
    pub cost: Format,
    /// Share of 1 as a percentage.
    pub share: Format,
    /// Name of a figure.
    pub label: Format,
    /// Title of the workbook.
    pub title: Format,
    /// Confirmed verdict.
    pub good: Format,
    /// Violation.
    pub bad: Format,
    /// Integer that marks a violation.
    pub late: Format,
}

impl Default for Styles {
    fn default() -> Self {
        let number = |form: &str| Format::new().set_num_format(form);
        Self {
            head: Format::new().set_bold().set_background_color(Color::RGB(0xE4EAF0)).set_text_wrap(),
            words: Format::new().set_align(FormatAlign::Right),
            count: number("#,##0"),
            figure: number("#,##0.00"),
            cost: number("0.0000"),
            share: number("0.0%"),
            label: Format::new().set_font_color(Color::RGB(0x5A6875)),
            title: Format::new().set_bold().set_font_size(16),
            good: Format::new().set_bold().set_font_color(Color::RGB(0x1B7A3D)),
            bad: Format::new()
                .set_bold()
                .set_font_color(Color::RGB(0xFFFFFF))
                .set_background_color(Color::RGB(0xD81E3A)),
            late: number("#,##0").set_bold().set_font_color(Color::RGB(0xB3152E)),
        }
    }
}

/// Document properties.
pub fn properties(title: &str) -> DocProperties {
    DocProperties::new().set_title(title).set_comment("Made with Gridwright")
}

/// Creates a workbook; `write` fills its sheets.
///
/// # Errors
/// [`Error::Usage`] if the workbook cannot be written.
pub fn write(
    title: &str,
    write: impl FnOnce(&mut Workbook, &Styles) -> std::result::Result<(), XlsxError>,
) -> Result<Vec<u8>> {
    let mut book = Workbook::new();
    // A fixed date makes equal plans equal files.
    let moment = rust_xlsxwriter::ExcelDateTime::from_ymd(2020, 1, 1).map_err(refused)?;
    book.set_properties(&properties(title).set_creation_datetime(&moment));
    write(&mut book, &Styles::default()).and_then(|()| book.save_to_buffer()).map_err(refused)
}

/// Converts an error of the workbook library.
#[expect(clippy::needless_pass_by_value, reason = "it is what errors are mapped by")]
pub fn refused(error: XlsxError) -> Error {
    Error::Usage(format!("the workbook could not be written ({error}); export CSV instead, which has no limits"))
}

/// Truncates text to the limit of a cell.
pub fn cell(text: &str) -> String {
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

/// Writes the heads of columns (title, width), frozen and with filters over `rows` rows.
///
/// # Errors
/// [`XlsxError`] if the sheet cannot hold them.
pub fn write_heads(
    sheet: &mut Worksheet,
    styles: &Styles,
    heads: &[(&str, f64)],
    rows: usize,
) -> std::result::Result<(), XlsxError> {
    for (column, (head, width)) in heads.iter().enumerate() {
        sheet.write_string_with_format(0, column as u16, cell(head), &styles.head)?;
        sheet.set_column_width(column as u16, *width)?;
    }
    sheet.set_freeze_panes(1, 0)?;
    sheet.autofilter(0, 0, rows as u32, heads.len() as u16 - 1)?;
    sheet.set_landscape().set_print_fit_to_pages(1, 0);
    sheet.set_repeat_rows(0, 0)?;
    Ok(())
}

/// Writes the head of a summary: title and verdict of the checker.
///
/// # Errors
/// [`XlsxError`] if the sheet cannot hold it.
pub fn write_title(
    sheet: &mut Worksheet,
    styles: &Styles,
    title: &str,
    verdict: &str,
) -> std::result::Result<(), XlsxError> {
    sheet.set_name("Summary")?;
    sheet.set_column_width(0, 44)?.set_column_width(1, 26)?;
    sheet.write_string_with_format(0, 0, cell(title), &styles.title)?;
    sheet.write_string_with_format(1, 0, verdict, &styles.good)?;
    Ok(())
}

/// Writes a row of a summary.
///
/// # Errors
/// [`XlsxError`] if the sheet cannot hold it.
pub fn write_figure(
    sheet: &mut Worksheet,
    styles: &Styles,
    row: u32,
    label: &str,
    figure: Figure<'_>,
) -> std::result::Result<(), XlsxError> {
    sheet.write_string_with_format(row, 0, cell(label), &styles.label)?;
    match figure {
        Figure::Words(text) => sheet.write_string_with_format(row, 1, cell(text), &styles.words)?,
        Figure::Count(count) => sheet.write_number_with_format(row, 1, count as f64, &styles.count)?,
        Figure::Number(number) => sheet.write_number_with_format(row, 1, number, &styles.figure)?,
        Figure::Share(share) => sheet.write_number_with_format(row, 1, share, &styles.share)?,
    };
    Ok(())
}

/// Value of a summary row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Figure<'a> {
    /// Text.
    Words(&'a str),
    /// Integer.
    Count(u64),
    /// Real number.
    Number(f64),
    /// Share of 1.
    Share(f64),
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
        let once = || write("a", |book, styles| write_heads(book.add_worksheet(), styles, &[("x", 9.0)], 1)).unwrap();
        assert_eq!(once(), once());
        assert!(once().starts_with(b"PK"));
    }
}
