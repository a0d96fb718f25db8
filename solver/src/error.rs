//! What can go wrong outside a search, always with a remedy in the text.

use std::path::{Path, PathBuf};

/// The result of everything that reads, checks or writes.
pub type Result<T> = std::result::Result<T, Error>;

/// An error that a person can act on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {what}", path.display())]
    File {
        /// The file in question.
        path: PathBuf,
        /// What failed and what to do.
        what: String,
    },
    /// A line of a file does not say what the format asks for.
    #[error("{}:{line}: {what}", path.display())]
    Line {
        /// The file in question.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What was found, what was expected.
        what: String,
    },
    /// Several lines are wrong; each is named.
    #[error("{}", list_lines(.0))]
    Lines(Vec<Error>),
    /// A parameter, option or combination of them cannot be used.
    #[error("{0}")]
    Usage(String),
    /// The device that was asked for cannot be used here.
    #[error("{0}")]
    Device(String),
    /// A search broke off.
    #[error("{0}")]
    Search(String),
}

impl Error {
    /// An error about a whole file.
    pub fn file(path: &Path, what: impl Into<String>) -> Self {
        Self::File { path: path.to_path_buf(), what: what.into() }
    }

    /// An error about one line of a file, counted from 1.
    pub fn line(path: &Path, line: usize, what: impl Into<String>) -> Self {
        Self::Line { path: path.to_path_buf(), line, what: what.into() }
    }

    /// Nothing where there are none, the error itself where there is one, [`Error::Lines`] where there are several.
    pub fn from_lines(mut errors: Vec<Error>) -> Result<()> {
        match errors.len() {
            0 => Ok(()),
            1 => Err(errors.remove(0)),
            _ => Err(Self::Lines(errors)),
        }
    }
}

/// How many bad lines are spelled out before the rest is only counted.
const LISTED: usize = 20;

fn list_lines(errors: &[Error]) -> String {
    let mut text: Vec<String> = errors.iter().take(LISTED).map(ToString::to_string).collect();
    if errors.len() > LISTED {
        text.push(format!("… and {} more lines with errors", errors.len() - LISTED));
    }
    text.join("\n")
}
