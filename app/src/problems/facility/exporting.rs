//! Export formats of a layout, and the paths that exports are written to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridwright_solver::facility::export::{self, ExportOptions};
use gridwright_solver::facility::{Instance, Layout};
use gridwright_solver::{Result, files};

use crate::exporting::Format;

/// All formats, the commonest first.
pub static FORMATS: [Format; 8] = [
    Format {
        name: "PDF document",
        ending: "pdf",
        help: "The floor plan to print, with flows and without, and all departments",
    },
    Format {
        name: "DXF drawing",
        ending: "dxf",
        help: "For drawing programs, to scale: walls, bays, departments, names, flows",
    },
    Format { name: "SVG picture", ending: "svg", help: "The floor plan, to edit and to put on pages" },
    Format { name: "PNG picture", ending: "png", help: "The floor plan as pixels" },
    Format { name: "CSV table", ending: "csv", help: "One line per department: bay, place, position, size, shape" },
    Format { name: "Excel workbook", ending: "xlsx", help: "Sheets of departments, bays and costs by pair" },
    Format { name: "Layout", ending: "ron", help: "The departments bay by bay, for gridwright" },
    Format { name: "Layout as text", ending: "sol", help: "The names of the departments, a bay a line" },
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

/// Returns the path with the ending of another format; an ending that is no format stays a part of the name.
pub fn with_format(path: &Path, format: &Format) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let known = format_of(path).map_or(0, |format| format.ending.len());
    // Known endings are ASCII, so that they are as long in either case.
    let stem = name.get(..name.len().saturating_sub(known)).unwrap_or(&name).trim_end_matches('.');
    let stem = if stem.is_empty() { "layout" } else { stem };
    path.with_file_name(format!("{stem}.{}", format.ending))
}

/// Function that writes a layout; tests replace it.
pub type Exporter = Arc<dyn Fn(&Instance, &Layout, &Path, &ExportOptions) -> Result<()> + Send + Sync>;

/// Returns the exporter of the program; the format follows from the file's ending.
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
        assert_eq!(to("a/plan.csv", "ron"), "a/plan.ron");
        assert_eq!(to("a/plan", "sol"), "a/plan.sol");
        assert_eq!(to("a/v1.2", "csv"), "a/v1.2.csv");
    }
}
