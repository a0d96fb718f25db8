//! The interface of a problem towards everything that knows no problem: names, recognition of sources, options, checks of
//! results.
//!
//! Each problem implements [`Problem`] in its own crate, and the program registers it once ([`crate::registry::register`]).
//! Command line, window, results and projects ask the registry; they do not name a problem.

mod options;

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::Result;
use crate::export::stamp::Noun;
use crate::planning::generators::{Generator, Measurements};
use crate::planning::{Planning, ProblemDescriptor};
use crate::project::Project;
use crate::result::{Encoded, RunResult};

pub use options::{OptionScope, OptionSpec, Overrides, any_text, number_where, parses};

/// Number of bytes at the beginning of a file that [`Problem::detect`] is shown; a shorter file is shown whole.
pub(crate) const DETECTION_BYTES: usize = 1 << 16;

/// The prefix of sources that name a shipped or generated sample, as in `sample:school`.
pub const SAMPLE: &str = "sample:";

/// The words for a problem in messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nouns {
    /// An instance with its article, such as «a flow shop».
    pub instance: &'static str,
    /// Several instances, such as «flow shops».
    pub instances: &'static str,
    /// Heading of a list of instances, such as «Flow shops».
    pub heading: &'static str,
    /// A solution with its article, such as «an order of jobs».
    pub solution: &'static str,
    /// The solution as the office calls it, such as «timetable» or «layout».
    pub plan: &'static str,
}

/// How certain a problem is that a source belongs to it, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detection {
    /// Nothing indicates that the source belongs to the problem.
    No,
    /// The source could be a damaged file of the problem, but also one of another problem.
    Possible,
    /// The source is probably a damaged file of the problem, whose reader should report the errors.
    Likely,
    /// The name, the ending or the content shows that the source belongs to the problem.
    Certain,
    /// As [`Self::Certain`], against another problem that would accept the source as well.
    Exclusive,
}

/// Constants of a problem: names, words, options, and what follows from its types.
#[derive(Clone, Copy)]
pub struct Profile {
    /// Identifier in results, projects and JSON, such as `flowshop`.
    pub id: &'static str,
    /// The words for it in messages.
    pub nouns: Nouns,
    /// Names of the samples that `sample:NAME` opens.
    pub samples: &'static [&'static str],
    /// Prefixes of sources that name an instance which is made without a file, such as `taillard:`; `sample:` is common to
    /// all problems and not listed.
    pub prefixes: &'static [&'static str],
    /// A clause that says what a file of the problem looks like, for the error about an unknown file; begins with the noun.
    pub description: &'static str,
    /// A clause that tells how to open a list of numbers as an instance of this problem, if that is possible.
    pub hint_for_numbers: Option<&'static str>,
    /// Words for the kinds of violations that its checker finds, the most serious first.
    pub violation_nouns: &'static [Noun],
    /// Options that the problem adds to the command line.
    pub options: &'static [OptionSpec],
    /// Data, algorithms and the way to open an instance.
    pub descriptor: ProblemDescriptor,
    /// The generators of instances.
    pub generators: &'static [Generator],
    /// The measurements of its searches; `None` if there are none.
    pub measurements: Option<&'static Measurements>,
    /// True if runs that differ in their seeds only can go side by side on a device.
    pub has_side_by_side_runs: bool,
    /// Checks that a value is a solution of the problem; the error names the part that cannot be read.
    pub check_solution: fn(&Encoded) -> std::result::Result<(), String>,
}

impl Profile {
    /// Profile with an identifier, nouns and a description; `descriptor` and `check_solution` follow from the types.
    pub const fn new(
        id: &'static str, nouns: Nouns, description: &'static str, descriptor: ProblemDescriptor,
        check_solution: fn(&Encoded) -> std::result::Result<(), String>,
    ) -> Self {
        Self {
            id,
            nouns,
            samples: &[],
            prefixes: &[],
            description,
            hint_for_numbers: None,
            violation_nouns: &[],
            options: &[],
            descriptor,
            generators: &[],
            measurements: None,
            has_side_by_side_runs: false,
            check_solution,
        }
    }

    /// Profile of a problem with these types of [`Planning`] and of stored solutions.
    pub const fn of<P: Planning, S: DeserializeOwned>(
        id: &'static str, nouns: Nouns, description: &'static str,
    ) -> Self {
        Self::new(id, nouns, description, ProblemDescriptor::of::<P>(), |solution| solution.read::<S>().map(drop))
    }
}

/// A family of planning problems.
pub trait Problem: Sync {
    /// Names, words and options, which are constants.
    fn profile(&self) -> &'static Profile;

    /// [`Profile::id`].
    fn id(&self) -> &'static str {
        self.profile().id
    }

    /// [`Profile::nouns`].
    fn nouns(&self) -> &'static Nouns {
        &self.profile().nouns
    }

    /// [`Profile::violation_nouns`].
    fn violation_nouns(&self) -> &'static [Noun] {
        self.profile().violation_nouns
    }

    /// [`Profile::options`].
    fn options(&self) -> &'static [OptionSpec] {
        self.profile().options
    }

    /// [`Profile::descriptor`].
    fn descriptor(&self) -> &'static ProblemDescriptor {
        &self.profile().descriptor
    }

    /// [`Profile::generators`].
    fn generators(&self) -> &'static [Generator] {
        self.profile().generators
    }

    /// Sources of generated instances whose prefix may be left out, such as `taillard:ta051`.
    fn generated(&self) -> Vec<String> {
        Vec::new()
    }

    /// Judges a source other than a sample by its name and the first [`DETECTION_BYTES`] bytes of the file; `start` is empty
    /// if there is no file.
    fn detect(&self, source: &str, start: &[u8]) -> Detection;

    /// Explains a text file of a related kind that the problem does not read, with the remedy; `None` for other files. `text` is
    /// the beginning of the file, of [`DETECTION_BYTES`] bytes unless it `is_whole`.
    fn foreign(&self, _text: &str, _is_whole: bool) -> Option<String> {
        None
    }

    /// Values of options under which a result was found, where the result does not name them among its options.
    fn options_of_result(&self, _result: &RunResult) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Files that are read for a source, beginning with the source's own file.
    fn input_files(&self, source: &str) -> Vec<PathBuf> {
        vec![crate::source::path(source)]
    }

    /// True if a file that begins with these bytes holds a solution of the problem and neither an instance nor the result of a
    /// run.
    fn is_solution(&self, _start: &[u8]) -> bool {
        false
    }

    /// Reads a project in a format that only this problem had in version 0.2.0; `None` if the file is none.
    fn load_old_project(&self, _path: &Path) -> Option<Result<Project>> {
        None
    }

    /// Checks that demands can be read: those of a project, or of one of its runs.
    ///
    /// # Errors
    /// The part that cannot be read, and why.
    fn check_demands(&self, _demands: &Encoded, _is_of_run: bool) -> std::result::Result<(), String> {
        Ok(())
    }

    /// Checks what only the problem knows of a result that was read from a file.
    ///
    /// # Errors
    /// [`crate::Error::File`] with `path` if its numbers contradict each other.
    fn check_result(&self, _result: &RunResult, _path: &Path) -> Result<()> {
        Ok(())
    }
}
