//! The report as Markdown, for a folder of results: machine, commit and date in its head, then the tables.
//!
//! A campaign that carries printed figures is written as «Beside the paper» alone; any other one with all of its tables.

use gridwright_core::backend::is_device;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Report;
use super::tables::{Table, escaped};
use crate::row::Row;

pub(crate) fn write(report: &Report, rows: &[Row]) -> String {
    let mut text = format!("# {}\n\n", escape(&report.name));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}\n", head(rows));
    for remark in &report.remarks {
        let _ = writeln!(text, "{}\n", escape(remark));
    }
    let has_printed = report.sections.iter().any(|part| part.number == 0);
    for part in report.sections.iter().filter(|part| !has_printed || part.number == 0) {
        let _ = writeln!(text, "## {}\n", escape(&part.title));
        part.tables.iter().for_each(|written| table(&mut text, written));
    }
    format!("{}\n", text.trim_end())
}

/// Machines, commits and dates of the runs.
fn head(rows: &[Row]) -> String {
    let distinct = |value: &dyn Fn(&Row) -> String| {
        let values: BTreeSet<String> = rows.iter().map(value).filter(|value| !value.is_empty()).collect();
        values.into_iter().collect::<Vec<_>>()
    };
    let devices = distinct(&|row| match is_device(&row.backend) || row.device.is_empty() {
        true => row.device.clone(),
        false if row.threads == 1 => format!("{}, 1 thread", row.device),
        false => format!("{}, {} threads", row.device, row.threads),
    });
    let commits = distinct(&|row| row.commit.clone());
    let commits = if commits.is_empty() { vec!["not recorded".to_owned()] } else { commits };
    let days = distinct(&|row| row.started.get(..10).unwrap_or_default().to_owned());
    let days = match (days.first(), days.last()) {
        (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
        (Some(first), _) => first.clone(),
        _ => "unknown".to_owned(),
    };
    let lines = [("Date", days), ("Commit", commits.join(", ")), ("Computed on", devices.join("; "))];
    let lines = lines.iter().map(|(name, value)| format!("* {name}: {}", escape(value)));
    lines.collect::<Vec<_>>().join("\n")
}

fn table(text: &mut String, table: &Table) {
    let _ = writeln!(text, "### {}\n\n{}\n", escape(&table.title), escape(&table.reading));
    if table.rows.is_empty() {
        return;
    }
    let is_number = |column: usize| table.rows.iter().any(|row| row[column].is_number());
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    text.push_str(&line(table.columns.iter().map(|head| escape(head)).collect()));
    let rules = (0..table.columns.len()).map(|column| if is_number(column) { "---:" } else { "---" }.to_owned());
    text.push_str(&line(rules.collect()));
    for row in &table.rows {
        text.push_str(&line(row.iter().map(|cell| escape(&cell.shown())).collect()));
    }
    text.push('\n');
}

/// Text without letters that Markdown would take for its own, in one line.
fn escape(text: &str) -> String {
    escaped(text, |letter, escaped| {
        let is_special = matches!(letter, '|' | '*' | '_' | '`' | '<' | '[' | ']' | '\\');
        if is_special {
            escaped.extend(['\\', letter]);
        }
        is_special
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_letters_are_escaped() {
        assert_eq!(escape("a_b | <c>\n*"), "a\\_b \\| \\<c> \\*");
    }
}
