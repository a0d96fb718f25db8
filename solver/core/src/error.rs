//! Errors outside of searches; every text contains a remedy.

use std::path::{Path, PathBuf};

use gridwright_kernels::CudaError;

/// Result of reading, checking and writing.
pub type Result<T> = std::result::Result<T, Error>;

/// Error that a person can act on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {what}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Cause and remedy.
        what: String,
    },
    /// A file lacks a value that an option of its problem can give.
    #[error("{}: {what}", path.display())]
    Missing {
        /// Path of the file.
        path: PathBuf,
        /// Name of the option.
        option: &'static str,
        /// Value that would do.
        proposal: String,
        /// Cause and remedy.
        what: String,
    },
    /// A line of a file violates its format.
    #[error("{}:{line}: {}{what}", path.display(), column.map(|column| format!("column {column}: ")).unwrap_or_default())]
    Line {
        /// Path of the file.
        path: PathBuf,
        /// Line number from 1.
        line: usize,
        /// Column number from 1, if the place within the line is known.
        column: Option<usize>,
        /// Found and expected content.
        what: String,
    },
    /// Several lines are wrong; each has its own error.
    #[error("{}", list_lines(.0))]
    Lines(Vec<Error>),
    /// A parameter, option or combination of them cannot be used.
    #[error("{0}")]
    Usage(String),
    /// The requested device cannot be used.
    #[error("{0}")]
    Device(String),
    /// A search failed.
    #[error("{0}")]
    Search(String),
    /// A search was cancelled in the middle of an epoch, whose steps do not count.
    #[error("cancelled; run it again")]
    Cancelled,
}

impl From<CudaError> for Error {
    fn from(error: CudaError) -> Self {
        Self::Device(error.to_string())
    }
}

impl Error {
    /// Error about a file as a whole.
    pub fn file(path: &Path, what: impl Into<String>) -> Self {
        Self::File { path: path.to_path_buf(), what: what.into() }
    }

    /// Error about one line of a file, counted from 1.
    pub fn line(path: &Path, line: usize, what: impl Into<String>) -> Self {
        Self::Line { path: path.to_path_buf(), line, column: None, what: what.into() }
    }

    /// Error at a column of a line of a file, both counted from 1.
    pub fn at(path: &Path, (line, column): (usize, usize), what: impl Into<String>) -> Self {
        Self::Line { path: path.to_path_buf(), line, column: Some(column), what: what.into() }
    }

    /// Returns `Ok` for no errors, the error itself for one, [`Error::Lines`] for several.
    ///
    /// # Errors
    /// The given errors.
    pub fn from_lines(mut errors: Vec<Error>) -> Result<()> {
        match errors.len() {
            0 => Ok(()),
            1 => Err(errors.remove(0)),
            _ => Err(Self::Lines(errors)),
        }
    }
}

/// Number of bad lines that are listed; the others are counted.
const LISTED: usize = 20;

fn list_lines(errors: &[Error]) -> String {
    let mut text: Vec<String> = errors.iter().take(LISTED).map(ToString::to_string).collect();
    if errors.len() > LISTED {
        text.push(format!("… and {} more lines with errors", errors.len() - LISTED));
    }
    text.join("\n")
}
