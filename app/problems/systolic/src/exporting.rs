//! Export formats of a solution of a binary problem and of the run that found it.

use gridwright_core::export::formats::Format;

/// Returns `true` if a format shows the run on the grid beside the solution.
pub(crate) fn needs_grid(format: &Format) -> bool {
    format.ending == "gif" || format.ending.starts_with("grid.")
}
