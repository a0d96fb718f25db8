//! What a timetable can be written as.

use std::path::Path;
use std::sync::Arc;

use gridwright_solver::timetabling::{Instance, Timetable};
use gridwright_solver::{Result, timetabling};

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// Its name.
    pub name: &'static str,
    /// The ending of its files.
    pub ending: &'static str,
    /// What it is for.
    pub help: &'static str,
}

/// All formats, the commonest first.
pub const FORMATS: [Format; 7] = [
    Format { name: "Excel workbook", ending: "xlsx", help: "Sheets by exam, by period and by student" },
    Format { name: "CSV table", ending: "csv", help: "One line per exam, for other programs" },
    Format { name: "Calendar", ending: "ics", help: "One event per exam; the periods need dates" },
    Format { name: "PDF document", ending: "pdf", help: "Overview and a list per period, to print" },
    Format { name: "SVG picture", ending: "svg", help: "The grid, to edit and to put on pages" },
    Format { name: "PNG picture", ending: "png", help: "The grid as pixels" },
    Format { name: "Solution file", ending: "sol", help: "Exam and period, counted from 0, as the literature has it" },
];

/// What writes a timetable; tests put another one in its place.
pub type Exporter = Arc<dyn Fn(&Instance, &Timetable, &Path) -> Result<()> + Send + Sync>;

/// The real one: the format follows from the ending.
pub fn exporter() -> Exporter {
    Arc::new(timetabling::export::export)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_that_can_be_written_is_offered() {
        let mut offered: Vec<&str> = FORMATS.iter().map(|format| format.ending).collect();
        let mut written: Vec<&str> = timetabling::export::FORMATS.iter().map(|format| format.0).collect();
        offered.sort_unstable();
        written.sort_unstable();
        assert_eq!(offered, written);
    }
}
