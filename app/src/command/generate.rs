//! `gridwright generate`: instances made from a seed.

use std::path::{Path, PathBuf};

use gridwright_core::text::ending;
use gridwright_core::{Error, Result, files};

use super::{Exit, text};
use crate::arguments::Generate;

/// Makes an instance and writes it.
///
/// # Errors
/// The options contradict each other, or the files cannot be written.
pub fn run(arguments: &Generate) -> anyhow::Result<Exit> {
    match arguments.generator() {
        Some(generator) => (generator.run)(&arguments.matches).map(|()| Exit::Done),
        None => anyhow::bail!("there is no generator “{}”", arguments.name),
    }
}

/// Checks that a new file can be written: an instance may be the only copy of somebody's data and is never overwritten.
///
/// # Errors
/// [`Error::File`] if the file exists or the folder cannot be written to.
pub fn check_new(file: &Path) -> Result<()> {
    files::check_writable(file)?;
    if file.exists() {
        return Err(Error::file(file, "it is there already and is not overwritten; choose another name"));
    }
    Ok(())
}

/// As [`check_new`], and checks that the ending is one of `endings`.
///
/// # Errors
/// As [`check_new`]; [`Error::File`] with the sentence `expected` for another ending.
pub fn check_target(file: &Path, endings: &[&str], expected: &str) -> Result<()> {
    let ending = ending(file);
    if !endings.contains(&ending.as_str()) {
        return Err(Error::file(file, expected));
    }
    check_new(file)
}

/// Prints the files that were written, a summary of the instance and its warnings.
pub fn written(files: &[PathBuf], summary: &str, warnings: &[String]) {
    files.iter().for_each(|file| text::answer(&format!("{}\n", file.display())));
    text::note(summary);
    warnings.iter().for_each(|warning| text::note(&format!("note: {warning}")));
}
