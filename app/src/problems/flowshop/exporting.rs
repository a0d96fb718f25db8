//! Export formats of a flow shop plan, and the paths that exports are written to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridwright_solver::flowshop::export::{self, ExportOptions};
use gridwright_solver::flowshop::{Instance, Schedule};
use gridwright_solver::result::RunResult;
use gridwright_solver::{Result, files};

use crate::exporting::Format;

/// All formats, the commonest first.
pub static FORMATS: [Format; 8] = [
    Format { name: "PDF document", ending: "pdf", help: "The Gantt chart to print: the whole, then part by part" },
    Format { name: "SVG picture", ending: "svg", help: "The Gantt chart, to edit and to put on pages" },
    Format { name: "PNG picture", ending: "png", help: "The Gantt chart as pixels" },
    Format { name: "CSV table", ending: "csv", help: "One line per operation: job, machine, start, end" },
    Format { name: "Excel workbook", ending: "xlsx", help: "Sheets by job and by machine, and a summary" },
    Format { name: "Schedule", ending: "ron", help: "Order and all operations, for gridwright" },
    Format { name: "Order of jobs", ending: "sol", help: "The names of the jobs, one a line" },
    Format { name: "CSV of the front", ending: "front.csv", help: "Values and order of every plan of the front" },
];

/// The endings of all formats.
fn endings() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.ending)
}

/// The format of a file by its ending.
pub fn format_of(path: &Path) -> Option<&'static Format> {
    let ending = files::known_ending(path, endings())?;
    FORMATS.iter().find(|format| format.ending == ending)
}

/// Returns the path with the ending of another format; an ending of two parts is replaced as a whole.
pub fn with_format(path: &Path, format: &Format) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let known = format_of(path).map_or(0, |format| format.ending.len());
    // Known endings are ASCII, so that they are as long in either case.
    let stem = name.get(..name.len().saturating_sub(known)).unwrap_or(&name).trim_end_matches('.');
    let stem = if stem.is_empty() { "plan" } else { stem };
    path.with_file_name(format!("{stem}.{}", format.ending))
}

/// Additional input of an export beside the instance and the schedule.
#[derive(Debug, Clone, Default)]
pub struct Extras {
    /// Export options, such as the kind of rows of a chart.
    pub wishes: ExportOptions,
    /// The front that is shown: for its table.
    pub front: Option<Arc<RunResult>>,
}

/// Function that writes a plan; tests replace it.
pub type Exporter = Arc<dyn Fn(&Instance, &Schedule, &Path, &Extras) -> Result<()> + Send + Sync>;

/// Returns the exporter of the program; the format follows from the file's ending.
pub fn exporter() -> Exporter {
    Arc::new(|instance, schedule, path, extras| {
        let front = extras.front.as_ref().and_then(|result| result.front.as_ref());
        match (files::known_ending(path, endings()), front) {
            (Some(ending), Some(front)) if ending == export::FRONT.0 => export::write_front(instance, front, path),
            _ => export::write_with(instance, schedule, path, &extras.wishes),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_that_can_be_written_is_offered() {
        let mut offered: Vec<&str> = FORMATS.iter().map(|format| format.ending).collect();
        let written = export::FORMATS.iter().map(|format| format.0);
        let mut written: Vec<&str> = written.chain([export::FRONT.0]).collect();
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
        assert_eq!(to("a/plan.front.csv", "sol"), "a/plan.sol");
        assert_eq!(to("a/plan.csv", "front.csv"), "a/plan.front.csv");
    }
}
