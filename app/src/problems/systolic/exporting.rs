//! Export formats of a solution of a binary problem and of the run that found it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridwright_solver::result::RunResult;
use gridwright_solver::systolic::{Instance, export};
use gridwright_solver::{Result, files};

use crate::exporting::Format;

/// All formats, the commonest first.
pub static FORMATS: [Format; 12] = [
    Format { name: "CSV table", ending: "csv", help: "All items or requirements with what is taken" },
    Format { name: "PDF document", ending: "pdf", help: "What is taken, as a picture to print" },
    Format { name: "PNG picture", ending: "png", help: "What is taken, as pixels" },
    Format { name: "SVG picture", ending: "svg", help: "What is taken, to edit and to put on pages" },
    Format { name: "Film of the run", ending: "gif", help: "The grid from the start to the end, as an animated GIF" },
    Format { name: "PNG of the grid", ending: "grid.png", help: "The grid at the end of the run, as pixels" },
    Format { name: "SVG of the grid", ending: "grid.svg", help: "The grid at the end of the run, to edit" },
    Format { name: "PNG of the operators", ending: "operators.png", help: "Crossover and mutation points, as pixels" },
    Format { name: "SVG of the operators", ending: "operators.svg", help: "Crossover and mutation points, to edit" },
    Format { name: "Solution", ending: "ron", help: "The bits with their instance, for gridwright" },
    Format { name: "String of bits", ending: "sol", help: "The bits alone, a 0 or 1 each" },
    Format { name: "CSV of the front", ending: "front.csv", help: "Costs and values that no release beats in both" },
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
    let stem = if stem.is_empty() { "solution" } else { stem };
    path.with_file_name(format!("{stem}.{}", format.ending))
}

/// Returns `true` if a format shows the run on the grid beside the solution.
pub fn needs_grid(format: &Format) -> bool {
    format.ending == "gif" || format.ending.starts_with("grid.")
}

/// Function that writes an export; tests replace it.
pub type Exporter = Arc<dyn Fn(&Instance, &RunResult, &[bool], &Path) -> Result<()> + Send + Sync>;

/// Returns the exporter of the program; the format follows from the file's ending.
pub fn exporter() -> Exporter {
    Arc::new(|instance, result, bits, path| {
        let Some(format) = format_of(path) else { return export::write(instance, bits, path) };
        match format.ending {
            ending if ending == export::FRONT.0 => files::write(path, export::front(instance)?.as_bytes()),
            ending if export::run::FORMATS.iter().any(|(other, _)| *other == ending) => {
                files::write(path, &export::run::bytes(instance, Some(result), ending)?)
            }
            _ => export::write(instance, bits, path),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_that_can_be_written_is_offered() {
        let mut offered: Vec<&str> = endings().collect();
        let written = export::FORMATS.iter().chain(&export::run::FORMATS).map(|format| format.0);
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
        assert_eq!(to("a/run.grid.png", "gif"), "a/run.gif");
        assert_eq!(to("a/run", "operators.svg"), "a/run.operators.svg");
        assert_eq!(to("a/v1.2", "csv"), "a/v1.2.csv");
    }
}
