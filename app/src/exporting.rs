//! Export formats.

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// Its name.
    pub name: &'static str,
    /// The ending of its files.
    pub ending: &'static str,
    /// Purpose of the format.
    pub help: &'static str,
}

impl Format {
    /// True for a picture of the grid.
    pub fn is_picture(&self) -> bool {
        matches!(self.ending, "svg" | "png")
    }

    /// True for a report, which can compare two solutions.
    pub fn is_report(&self) -> bool {
        self.ending == "report.pdf"
    }
}
