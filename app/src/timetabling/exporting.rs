//! What a timetable can be written as.

use std::path::Path;
use std::sync::Arc;

use gridwright_solver::timetabling::{Instance, Timetable};
use gridwright_solver::{Error, Result};

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
    Format { name: "Calendar", ending: "ics", help: "One appointment per exam, where periods have dates" },
    Format { name: "PDF picture", ending: "pdf", help: "The grid, to print" },
    Format { name: "SVG picture", ending: "svg", help: "The grid, to edit and to put on pages" },
    Format { name: "PNG picture", ending: "png", help: "The grid as pixels" },
    Format { name: "Solution file", ending: "sol", help: "Exam and period, as the literature exchanges it" },
];

/// What writes a timetable; tests put another one in its place.
pub type Exporter = Arc<dyn Fn(&Instance, &Timetable, &Path) -> Result<()> + Send + Sync>;

/// The real one: the format follows from the ending.
pub fn exporter() -> Exporter {
    Arc::new(|_, _, path| Err(Error::file(path, "not built yet")))
}
