//! What a plan of a flow shop can be written as.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridwright_solver::Result;
use gridwright_solver::flowshop::export::{self, Wishes};
use gridwright_solver::flowshop::{Instance, Schedule};

use crate::exporting::Format;

/// All formats, the commonest first.
pub static FORMATS: [Format; 6] = [
    Format { name: "PDF document", ending: "pdf", help: "The Gantt chart to print: the whole, then part by part" },
    Format { name: "SVG picture", ending: "svg", help: "The Gantt chart, to edit and to put on pages" },
    Format { name: "PNG picture", ending: "png", help: "The Gantt chart as pixels" },
    Format { name: "CSV table", ending: "csv", help: "One line per operation: job, machine, start, end" },
    Format { name: "Schedule", ending: "ron", help: "Order and all operations, for gridwright" },
    Format { name: "Order of jobs", ending: "sol", help: "The names of the jobs, one a line" },
];

/// The format of a file by its ending.
pub fn format_of(path: &Path) -> Option<&'static Format> {
    let ending = export::format_of(path)?;
    FORMATS.iter().find(|format| format.ending == ending)
}

/// The same path with the ending of another format.
pub fn with_format(path: &Path, format: &Format) -> PathBuf {
    match format_of(path) {
        Some(_) => path.with_extension(format.ending),
        None if path.extension().is_none() => path.with_extension(format.ending),
        None => path.with_added_extension(format.ending),
    }
}

/// What writes a plan; tests put another one in its place.
pub type Exporter = Arc<dyn Fn(&Instance, &Schedule, &Path, &Wishes) -> Result<()> + Send + Sync>;

/// The real one: the format follows from the ending.
pub fn exporter() -> Exporter {
    Arc::new(export::write_with)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_that_can_be_written_is_offered() {
        let mut offered: Vec<&str> = FORMATS.iter().map(|format| format.ending).collect();
        let mut written: Vec<&str> = export::FORMATS.iter().map(|format| format.0).collect();
        offered.sort_unstable();
        written.sort_unstable();
        assert_eq!(offered, written);
    }

    #[test]
    fn endings_are_exchanged_where_they_are_formats() {
        let to = |path: &str, ending: &str| {
            let format = FORMATS.iter().find(|format| format.ending == ending).unwrap();
            with_format(Path::new(path), format).display().to_string()
        };
        assert_eq!(to("a/plan.pdf", "svg"), "a/plan.svg");
        assert_eq!(to("a/plan", "svg"), "a/plan.svg");
        assert_eq!(to("a/v1.2", "pdf"), "a/v1.2.pdf");
    }
}
