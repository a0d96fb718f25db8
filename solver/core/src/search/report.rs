//! Tables of measurements, as Markdown for people and CSV or JSON for scripts.

use serde::Serialize;

use crate::text::table::write_table;

/// Table of measurements.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Title.
    pub title: String,
    /// Column heads, with units.
    pub columns: Vec<String>,
    /// Rows, with one cell per column.
    pub rows: Vec<Vec<String>>,
    /// Remarks below the table.
    pub notes: Vec<String>,
}

impl Report {
    /// Empty table.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Self { title: title.into(), columns, rows: Vec::new(), notes: Vec::new() }
    }

    /// Formats the table as Markdown; the first column is aligned left, the others right.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule: Vec<String> =
            (0..self.columns.len()).map(|column| if column == 0 { "---" } else { "---:" }.to_owned()).collect();
        let mut text = format!("### {}\n\n{}{}", self.title, line(&self.columns), line(&rule));
        for row in &self.rows {
            text.push_str(&line(row));
        }
        for note in &self.notes {
            text.push_str(&format!("\n{note}\n"));
        }
        text
    }

    /// Formats the table as CSV, without the remarks.
    pub fn csv(&self) -> String {
        write_table(&self.columns, self.rows.iter().cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_markdown() {
        let mut report = Report::new("Speed", &["what", "ms"]);
        report.rows.push(vec!["walk".to_owned(), "3.1".to_owned()]);
        report.notes.push("One thread.".to_owned());
        assert_eq!(report.markdown(), "### Speed\n\n| what | ms |\n| --- | ---: |\n| walk | 3.1 |\n\nOne thread.\n");
        report.rows.push(vec!["jump, high".to_owned(), "2".to_owned()]);
        assert_eq!(report.csv(), "what,ms\nwalk,3.1\n\"jump, high\",2\n");
    }
}
