//! Columns of plain text for terminals.

use std::fmt::Write as _;

/// Two columns; an empty name continues the row above.
pub fn table<N: AsRef<str>, T: AsRef<str>>(rows: &[(N, T)]) -> String {
    let width = rows.iter().map(|(name, _)| name.as_ref().chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, value) in rows {
        let (name, value) = (name.as_ref(), value.as_ref());
        let gap = " ".repeat(width - name.chars().count());
        let _ = writeln!(text, "{}", format!("{name}{gap}  {value}").trim_end());
    }
    text
}

/// Columns as wide as they need to be. Below a head, which is a first row that begins with an empty cell, everything behind the first
/// column is at the right but for columns called «change»; otherwise all cells are at the left.
pub fn columns<R: AsRef<[String]>>(rows: &[R]) -> String {
    let head = rows.first().map_or(&[][..], AsRef::as_ref);
    let count = rows.iter().map(|row| row.as_ref().len()).max().unwrap_or(0);
    let length = |row: &R, column: usize| row.as_ref().get(column).map_or(0, |cell| cell.chars().count());
    let width = |column: usize| rows.iter().map(|row| length(row, column)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let has_head = head.first().is_some_and(String::is_empty);
    let is_right = |column: usize| has_head && column > 0 && head.get(column).is_some_and(|name| name != "change");
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.as_ref().iter().zip(&widths).enumerate() {
            let gap = " ".repeat(width - cell.chars().count());
            let cell = if is_right(column) { format!("{gap}{cell}  ") } else { format!("{cell}{gap}  ") };
            line.push_str(&cell);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_aligned() {
        assert_eq!(
            table(&[("name", "a"), ("", "b"), ("enrolments", "")]),
            "name        a\n            b\nenrolments\n"
        );
    }
}
