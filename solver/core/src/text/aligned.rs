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

/// Columns as wide as they need to be: words at the left, the others at the right where the first row is a head.
pub fn columns(rows: &[[String; 4]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3].map(width);
    let numbers = rows.first().is_some_and(|row| row[0].is_empty());
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            let gap = " ".repeat(width - cell.chars().count());
            let right = numbers && (column == 1 || column == 2);
            let cell = if right { format!("{gap}{cell}  ") } else { format!("{cell}{gap}  ") };
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
