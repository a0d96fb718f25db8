//! Export formats of a solution of a binary problem and of the run that found it.

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

/// Returns `true` if a format shows the run on the grid beside the solution.
pub fn needs_grid(format: &Format) -> bool {
    format.ending == "gif" || format.ending.starts_with("grid.")
}
