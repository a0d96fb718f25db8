//! Generators of instances, and measurements of searches, as problems declare them for the command line.

use std::path::{Path, PathBuf};

use crate::marks::described;
use crate::problem::Overrides;
use crate::search::report::Report;
use crate::text::ending;
use crate::{Error, Result, files};

/// An option of a generator or of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct CommandOption {
    /// Name without the two hyphens.
    pub name: &'static str,
    /// Placeholder of the value in the help text, such as `N`; `None` for a switch, whose value is `true` if it is given.
    pub value_name: Option<&'static str>,
    /// One sentence for the help text.
    pub help: &'static str,
    /// Value that holds if none is given.
    pub default: Option<&'static str>,
    /// The only values that are allowed, each with its meaning; empty if `check` decides alone.
    pub values: &'static [(&'static str, &'static str)],
    /// True if the option may be given several times; [`Overrides::list`] has all values.
    pub repeats: bool,
    /// Checks a value; an error is a sentence that says what is expected.
    pub check: fn(&str) -> std::result::Result<(), String>,
}

impl CommandOption {
    /// An option with a value, without a default.
    pub const fn new(
        name: &'static str, value_name: &'static str, help: &'static str,
        check: fn(&str) -> std::result::Result<(), String>,
    ) -> Self {
        Self { name, value_name: Some(value_name), help, default: None, values: &[], repeats: false, check }
    }

    /// A switch.
    pub const fn switch(name: &'static str, help: &'static str) -> Self {
        Self { value_name: None, ..Self::new(name, "", help, crate::problem::any_text) }
    }

    /// The option with a value that holds if none is given.
    #[must_use]
    pub const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    /// The option, which may be given several times.
    #[must_use]
    pub const fn repeated(self) -> Self {
        Self { repeats: true, ..self }
    }
}

/// Instance that a generator has made and written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// The files that were written.
    pub files: Vec<PathBuf>,
    /// The sizes of the instance in one line.
    pub summary: String,
    /// Warnings about the instance.
    pub warnings: Vec<String>,
}

/// One kind of instances that a problem can generate.
#[derive(Debug, Clone, Copy)]
pub struct Generator {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for the help text.
    pub about: &'static str,
    /// The options; `--out` is common to all generators.
    pub options: &'static [CommandOption],
    /// Placeholder and help of `--out`.
    pub out: (&'static str, &'static str),
    /// Makes an instance and writes it to a path; every option with a default has a value.
    pub run: fn(&Overrides, &Path) -> Result<Generated>,
}

impl Generator {
    /// Makes an instance and writes it; options that are not given have their defaults.
    ///
    /// # Errors
    /// The options contradict each other, or the files are there already or cannot be written.
    pub fn generate(&self, mut options: Overrides, out: &Path) -> Result<Generated> {
        for CommandOption { name, default, .. } in self.options {
            if let (None, Some(default)) = (options.text(name), default) {
                options.set(name, *default);
            }
        }
        (self.run)(&options, out)
    }
}

/// Checks that a new file can be written: an instance may be the only copy of somebody's data and is never overwritten.
///
/// # Errors
/// [`Error::File`] if the file exists or the folder cannot be written to.
pub fn check_new(file: &Path) -> Result<()> {
    files::check_writable(file)?;
    if let Some(found) = described(file) {
        let what = format!("{found}, is there already and is not overwritten; choose another name");
        return Err(Error::file(file, what));
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

/// Checks a share from 0 to 1.
///
/// # Errors
/// A sentence that says what is expected.
pub fn share(text: &str) -> std::result::Result<(), String> {
    let expected = || "expected a share from 0 to 1".to_owned();
    crate::problem::number_where(text, expected, |value| (0.0..=1.0).contains::<f64>(value))
}

/// A measurement that `gridwright bench PROBLEM --suite NAME` makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suite {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for the help text.
    pub help: &'static str,
}

/// Measurement of the searches of a problem.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measurement {
    /// Name of the suite; `None`: the first of the problem.
    pub suite: Option<String>,
    /// Sources of instances instead of the suite's own.
    pub instances: Vec<String>,
    /// Seconds of each run; `None`: the suite's own.
    pub seconds: Option<f64>,
    /// Threads of the CPU; 0: all.
    pub threads: usize,
    /// Options of the problem.
    pub options: Overrides,
}

impl Measurement {
    /// Number of threads of the CPU, at least 1.
    pub fn thread_count(&self) -> usize {
        if self.threads == 0 { crate::backend::available_threads() } else { self.threads }
    }

    /// Opens the instances that were named, or else those of the suite.
    ///
    /// # Errors
    /// As `open`.
    pub fn opened<T>(&self, usual: &[&str], open: impl Fn(&str) -> Result<T>) -> Result<Vec<T>> {
        match self.instances.as_slice() {
            [] => usual.iter().map(|source| open(source)).collect(),
            named => named.iter().map(|source| open(source)).collect(),
        }
    }
}

/// Measurements of a problem.
#[derive(Debug, Clone, Copy)]
pub struct Measurements {
    /// The suites; the first one is the default. Empty if the only measurement has no name.
    pub suites: &'static [Suite],
    /// Options of the suites.
    pub options: &'static [CommandOption],
    /// Measures; progress is told in lines.
    pub run: Measure,
}

/// Performs a measurement; takes a function that prints a line of progress.
pub type Measure = fn(&Measurement, &mut dyn FnMut(&str)) -> Result<Vec<Report>>;
