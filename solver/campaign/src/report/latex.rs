//! The tables of a report as LaTeX, for the packages booktabs, longtable and amssymb.

use std::fmt::Write as _;

use gridwright_core::MARK;

use super::Report;
use super::tables::{Cell, Table, escaped};

/// Writes all tables, each as a `longtable` with its reading as the caption.
pub(crate) fn write(report: &Report) -> String {
    let mut text = format!("% {MARK}. Needs \\usepackage{{booktabs,longtable,amssymb}}\n");
    for part in &report.sections {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n% {}", part.title.replace('\n', " "));
        part.tables
            .iter()
            .filter(|table| !table.rows.is_empty())
            .for_each(|written| table(&mut text, &part.title, written));
    }
    text
}

fn table(text: &mut String, section: &str, table: &Table) {
    let is_number = |column: usize| table.rows.iter().any(|row| row[column].is_number());
    let columns: String = (0..table.columns.len()).map(|column| if is_number(column) { 'r' } else { 'l' }).collect();
    let heads: Vec<String> = table.columns.iter().map(|head| escape(head)).collect();
    let caption = escape(&format!("{section}. {}. {}", table.title, table.reading));
    let _ = writeln!(
        text,
        "\\begin{{longtable}}{{{columns}}}\n\\caption{{{caption}}}\\\\\n\\toprule\n{} \\\\\n\\midrule\n\\endhead",
        heads.join(" & ")
    );
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(cell).collect();
        let _ = writeln!(text, "{} \\\\", cells.join(" & "));
    }
    text.push_str("\\bottomrule\n\\end{longtable}\n");
}

/// A cell; thin spaces and minus signs as LaTeX has them.
fn cell(cell: &Cell) -> String {
    escape(&cell.shown())
}

fn escape(text: &str) -> String {
    escaped(text, |letter, escaped| {
        match letter {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', letter]),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '<' | '>' => escaped.extend(['$', letter, '$']),
            '≈' => escaped.push_str("$\\approx$"),
            '▽' => escaped.push_str("$\\triangledown$"),
            '−' => escaped.push_str("$-$"),
            '–' => escaped.push_str("--"),
            'χ' => escaped.push_str("$\\chi$"),
            '²' => escaped.push_str("$^2$"),
            '×' => escaped.push_str("$\\times$"),
            '“' => escaped.push_str("``"),
            '”' => escaped.push_str("''"),
            '\u{2009}' => escaped.push_str("\\,"),
            _ => return false,
        }
        true
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_letters_are_escaped() {
        assert_eq!(escape("a_b & 5 % < 0.1\\x"), "a\\_b \\& 5 \\% $<$ 0.1\\textbackslash{}x");
        assert_eq!(escape("1\u{2009}000 ▽ ≈ χ²"), "1\\,000 $\\triangledown$ $\\approx$ $\\chi$$^2$");
    }
}
