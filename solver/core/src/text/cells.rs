//! Cells of CSV files: writing them so that spreadsheets take text as text, and quoted line breaks.
//!
//! A spreadsheet computes a cell that begins with `=`, `+`, `-` or `@`, also after a tab or a carriage return (OWASP, «CSV
//! injection»). [`guarded`] puts an apostrophe before such a cell, and before one that already begins with apostrophes and
//! such a character; [`bare`] takes one apostrophe away again, so that every text is read back as it was written. Cells
//! that begin with `#` or white space are guarded as well: readers take the former for comments and trim the latter.
//! Numbers, negative ones included, are written as they are.

use std::borrow::Cow;

/// Returns `true` if a text, after its apostrophes, begins with a character that must not begin a cell.
fn is_special(text: &str) -> bool {
    let first = text.trim_start_matches('\'').chars().next();
    first.is_some_and(|first| matches!(first, '=' | '+' | '-' | '@' | '#') || first.is_whitespace())
}

/// Returns `true` for a decimal number with or without sign and exponent.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') && text.parse::<f64>().is_ok()
}

/// Text as the cell of a CSV file.
pub fn guarded(text: &str) -> Cow<'_, str> {
    if is_special(text) && !is_number(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// Text of a cell that [`guarded`] may have written; other cells stay as they are.
pub fn bare(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| is_special(rest)).unwrap_or(cell)
}

/// Lines of a text with their numbers from 1, without their ends; a line break inside a quoted cell does not end a line.
/// LF or, without any LF, CR ends a line; comma, semicolon and tab separate cells.
pub fn records(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let end = if text.contains('\n') { b'\n' } else { b'\r' };
    let (mut rest, mut line) = (Some(text), 1);
    std::iter::from_fn(move || {
        let (record, number) = (rest?, line);
        let length = record_length(record, |byte| matches!(byte, b',' | b';' | b'\t'), |byte| byte == end);
        let length = length.unwrap_or(record.len());
        let (record, after) = record.split_at(length);
        line += 1 + record.bytes().filter(|byte| *byte == end).count();
        rest = after.get(1..);
        Some((number, record))
    })
}

/// Returns `true` if the first record of a text has no quoted cell that is left open or continued after its quotation mark.
pub(super) fn is_well_quoted(text: &str, delimiter: u8) -> bool {
    record_length(text, |byte| byte == delimiter, |byte| matches!(byte, b'\n' | b'\r')).is_some()
}

/// Number of bytes before the end of the first record; `None` if a quotation mark is wrong.
fn record_length(text: &str, is_delimiter: impl Fn(u8) -> bool, is_end: impl Fn(u8) -> bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut begins_cell) = (0, true);
    while let Some(&byte) = bytes.get(at).filter(|byte| !is_end(**byte)) {
        if byte == b'"' && begins_cell {
            at = after_quoted(bytes, at + 1)?;
            match bytes.get(at) {
                None | Some(b'\r') => {}
                Some(&next) if is_delimiter(next) || is_end(next) => {}
                Some(_) => return None,
            }
            begins_cell = false;
        } else {
            begins_cell = is_delimiter(byte);
            at += 1;
        }
    }
    Some(at)
}

/// Position behind the closing quotation mark of a cell whose content begins at `at`; `None` if it is missing.
fn after_quoted(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == b'"')? + 1;
        if bytes.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn formulas_are_guarded_and_numbers_are_not() {
        for formula in
            ["=1+1", "+cmd|' /C calc'!A0", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "'=1", "-", "-inf", "#1", " a"]
        {
            assert_eq!(guarded(formula), format!("'{formula}"));
        }
        for plain in ["-3", "+4.5", "-1e-7", "-.5", "0", "", "'", "'tis", "O'Neil", "a=1", "1-2"] {
            assert_eq!((guarded(plain).as_ref(), bare(plain)), (plain, plain));
        }
    }

    #[test]
    fn line_breaks_end_a_record_outside_of_quotation_marks_only() {
        let found = |text| records(text).collect::<Vec<_>>();
        assert_eq!(found("a\n\"b\n\"\"#\",c\nd\n"), [(1, "a"), (2, "\"b\n\"\"#\",c"), (4, "d"), (5, "")]);
        assert_eq!(found("5\" pipe,\"x\"\r\n;\"y\nz\""), [(1, "5\" pipe,\"x\"\r"), (2, ";\"y\nz\"")]);
        assert_eq!(found("a\r\"b\rc\"\rd"), [(1, "a"), (2, "\"b\rc\""), (4, "d")]);
        assert!(is_well_quoted("a,\"b\nc\"\nd", b',') && is_well_quoted("a\",b\n\"", b','));
        assert!(!is_well_quoted("a,\"b\nc\n", b',') && !is_well_quoted("2,\"B\n3,\"C\n", b','));
    }

    proptest! {
        #[test]
        fn every_cell_is_read_back(text in "['=+@#a1 .\\-\t\r\n\u{85}]{0,8}") {
            let cell = guarded(&text);
            prop_assert_eq!(bare(&cell), text.as_str());
            let first = cell.chars().next();
            prop_assert!(is_number(&text) || !first.is_some_and(|first| "=+-@\t\r".contains(first)));
        }
    }
}
