//! What plans are written as.

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

impl Format {
    /// Whether it is a picture of the grid.
    pub fn is_picture(&self) -> bool {
        matches!(self.ending, "svg" | "png")
    }

    /// Whether it is a report, which can compare.
    pub fn is_report(&self) -> bool {
        self.ending == "report.pdf"
    }
}
