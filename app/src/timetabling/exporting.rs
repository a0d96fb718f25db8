//! What a timetable can be written as.

use std::path::{Path, PathBuf};
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
pub const FORMATS: [Format; 11] = [
    Format { name: "Excel workbook", ending: "xlsx", help: "Sheets by exam, by period and by student" },
    Format { name: "CSV table", ending: "csv", help: "One line per exam, for other programs" },
    Format { name: "CSV by period", ending: "periods.csv", help: "The exams in the order of the session" },
    Format { name: "CSV by student", ending: "students.csv", help: "One line per student and exam" },
    Format { name: "Calendar", ending: "ics", help: "One event per exam; the periods need dates" },
    Format { name: "Calendars of students", ending: "students.zip", help: "One calendar per student; needs dates" },
    Format { name: "PDF document", ending: "pdf", help: "Overview and a page per day, to print" },
    Format { name: "PDF report", ending: "report.pdf", help: "Figures, load, check, to keep beside the plan" },
    Format { name: "SVG picture", ending: "svg", help: "The grid, to edit and to put on pages" },
    Format { name: "PNG picture", ending: "png", help: "The grid as pixels" },
    Format { name: "Solution file", ending: "sol", help: "Exam and period, counted from 0, as the literature has it" },
];

/// The format of a file by its ending, as its place in [`FORMATS`].
pub fn format_of(path: &Path) -> Option<usize> {
    let ending = timetabling::export::format_of(path)?;
    FORMATS.iter().position(|format| format.ending == ending)
}

/// The same path with the ending of another format; an ending of two parts is exchanged as a whole.
pub fn with_format(path: &Path, format: &Format) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let known = timetabling::export::format_of(path).map_or(0, str::len);
    // Known endings are ASCII, so that they are as long in either case.
    let stem = name.get(..name.len().saturating_sub(known)).unwrap_or(&name).trim_end_matches(['.', '-', '_', ' ']);
    let stem = if stem.is_empty() { "timetable" } else { stem };
    path.with_file_name(format!("{stem}.{}", format.ending))
}

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
    fn endings_of_two_parts_are_exchanged_as_a_whole() {
        let to = |path: &str, ending: &str| {
            let format = FORMATS.iter().find(|format| format.ending == ending).unwrap();
            with_format(Path::new(path), format).display().to_string()
        };
        assert_eq!(to("a/plan.csv", "students.csv"), "a/plan.students.csv");
        assert_eq!(to("a/plan.students.CSV", "report.pdf"), "a/plan.report.pdf");
        assert_eq!(to("a/plan.report.pdf", "sol"), "a/plan.sol");
        assert_eq!(to("a/v1.2", "pdf"), "a/v1.2.pdf");
        assert_eq!(to("students.csv", "csv"), "timetable.csv");
        assert_eq!(to("spring-students.zip", "periods.csv"), "spring.periods.csv");
        assert_eq!(format_of(Path::new("plan.students.csv")).map(|at| FORMATS[at].ending), Some("students.csv"));
        assert_eq!(format_of(Path::new("plan")), None);
    }

    #[test]
    fn every_format_that_can_be_written_is_offered() {
        let mut offered: Vec<&str> = FORMATS.iter().map(|format| format.ending).collect();
        let mut written: Vec<&str> = timetabling::export::FORMATS.iter().map(|format| format.0).collect();
        offered.sort_unstable();
        written.sort_unstable();
        assert_eq!(offered, written);
    }
}
