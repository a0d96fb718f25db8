//! Published file formats of flow shops, read and written.
//!
//! * `n m`, then a line of n times for each machine; or, where a person says so, a line of m times for each job ([`matrix`]);
//! * `n m`, then a line of `machine time` pairs for each job ([`matrix`]);
//! * Taillard's files, with headers in words and several instances in one ([`taillard`]);
//! * n, m and seed, then index, due date and m times for each job, as in ParadisEO-MOEO ([`moeo`]);
//! * tables with a header: job, due date, a column for each machine ([`csv`]).
//!
//! What the rows stand for is said by the header or by the person ([`LoadOptions::orientation`]), never guessed from
//! how many there are. A reader names every bad line, not only the first.

pub mod csv;
pub mod matrix;
pub mod moeo;
mod recognition;
pub mod solution;
pub mod taillard;

use std::path::Path;

pub use self::recognition::{LOOK, looks_like, resembles};
use super::{Instance, MAX_TOTAL, library};
use crate::project::{self, Project};
use crate::text::lines::{Read, number};
use crate::text::{Source, decoding, ending, lines, stem};
use crate::{Error, Result, files};

/// What the rows of numbers stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// A row for each machine.
    Machines,
    /// A row for each job.
    Jobs,
}

impl Orientation {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Machines, Self::Jobs];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Machines => "machine-rows",
            Self::Jobs => "job-rows",
        }
    }
}

impl std::str::FromStr for Orientation {
    type Err = Error;

    /// # Errors
    /// [`Error::Usage`] that names both.
    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|orientation| orientation.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(" and ");
            Error::Usage(format!("there is no orientation «{}»; known are {known}", name.escape_debug()))
        })
    }
}

/// What a person says beyond the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// What the rows stand for; `None`: what the format says, machines where it says nothing.
    pub orientation: Option<Orientation>,
    /// Which instance of a file that holds several, counted from 1.
    pub number: Option<usize>,
}

/// How sources begin that name an instance instead of a file.
const SAMPLE: &str = "sample:";
const TAILLARD: &str = "taillard:";

/// What can be opened, for messages.
const KNOWN_KINDS: &str = "known are tables (.csv with a header: job, due date, a column for each machine) and files \
                           of numbers that begin with the number of jobs and of machines";

/// Opens `taillard:ta051`, `sample:workshop`, a file, or the instance of a project.
///
/// # Errors
/// [`Error::Usage`] for a name that does not exist, or options beside a name; otherwise as [`load`].
pub fn open(source: &str, options: &LoadOptions) -> Result<Instance> {
    if [TAILLARD, SAMPLE].iter().any(|start| source.starts_with(start)) && *options != LoadOptions::default() {
        let what = format!("{} is no file: leave its orientation and number out", source.escape_debug());
        return Err(Error::Usage(what));
    }
    if let Some(name) = source.strip_prefix(TAILLARD) {
        library::taillard(name.trim())
    } else if let Some(name) = source.strip_prefix(SAMPLE) {
        library::sample(name.trim())
    } else if project::is_project(Path::new(source)) {
        open_project(Path::new(source), options)
    } else {
        load(Path::new(source), options)
    }
}

/// The instance of a project.
fn open_project(path: &Path, options: &LoadOptions) -> Result<Instance> {
    let project = Project::load(path)?;
    if project.problem != "flowshop" {
        return Err(Error::file(path, "this is a project of another problem; name it without options of flow shops"));
    }
    let opened = project.open_source(path, |source| open(source, options), |instance| instance.hash.clone());
    opened.map(|(instance, _)| instance)
}

/// Loads an instance from a file, its kind known by its ending and content.
///
/// # Errors
/// [`Error::File`], [`Error::Line`] or [`Error::Lines`] that name every line that cannot be used.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Instance> {
    let refused = match ending(path).as_str() {
        "sol" => "this is an order of jobs, not an instance; open the instance that it belongs to",
        "ron" => "this is a result or a schedule, not an instance; open the instance that it belongs to",
        _ => "",
    };
    if !refused.is_empty() {
        return Err(Error::file(path, refused));
    }
    let bytes = files::read(path)?;
    let hash = files::hash(&[&bytes]);
    let mut warnings = Vec::new();
    let text = decoding::text(path, bytes, &mut warnings)?;
    let mut instance = parse(Source { path, text: &text }, options)?;
    instance.warnings.splice(0..0, warnings);
    instance.hash = hash;
    Ok(instance)
}

/// Reads an instance from text of any kind; the hash is the caller's.
///
/// # Errors
/// As [`load`].
pub fn parse(source: Source, options: &LoadOptions) -> Result<Instance> {
    let kind = kind(source)?;
    if kind != Kind::Taillard
        && let Some(number) = options.number.filter(|&number| number != 1)
    {
        let what = format!("there is one instance in this file, so there is no number {number}; leave the number out");
        return Err(Error::file(source.path, what));
    }
    if matches!(kind, Kind::Csv | Kind::Moeo) && options.orientation == Some(Orientation::Machines) {
        let what = "files of this kind have their rows by jobs; leave the orientation out";
        return Err(Error::file(source.path, what));
    }
    let mut instance = match kind {
        Kind::Csv => csv::parse(source)?,
        Kind::Taillard => taillard::parse(source, options)?,
        Kind::Moeo => moeo::parse(source)?,
        Kind::Matrix => matrix::parse(source, options)?,
    };
    if instance.name.is_empty() {
        instance.name = stem(source.path);
    }
    let name = format!("{}: ", instance.name);
    let mut instance = instance.named().validated().map_err(|error| match error {
        // The file says more than the name of what was read from it.
        Error::Usage(what) => Error::file(source.path, what.strip_prefix(&name).unwrap_or(&what)),
        other => other,
    })?;
    if let Some(entry) = library::recognise(&instance) {
        instance.best_known = entry.best_known;
        if kind == Kind::Taillard {
            instance.name.clone_from(&entry.name);
        }
    }
    Ok(instance)
}

/// The endings of files that [`save`] writes; a file without an ending is one of numbers.
pub const WRITTEN: [&str; 4] = ["csv", "txt", "dat", "fsp"];

/// Writes an instance: a table where the name ends in `.csv`; otherwise numbers, with due dates as [`moeo`] has them.
///
/// # Errors
/// [`Error::File`] where the file cannot be written, [`Error::Usage`] for an ending that stands for something else.
pub fn save(instance: &Instance, path: &Path) -> Result<()> {
    let text = match ending(path).as_str() {
        "csv" => csv::write(instance),
        "txt" | "dat" | "fsp" | "" if instance.has_due_dates() => moeo::write(instance, 0),
        "txt" | "dat" | "fsp" | "" => matrix::write(instance),
        other => {
            let what = format!("a flow shop is written as .csv or .txt, not as .{}; choose one", other.escape_debug());
            return Err(Error::Usage(what));
        }
    };
    files::write(path, text.as_bytes())
}

/// The kinds of files that hold an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Csv,
    Taillard,
    Moeo,
    Matrix,
}

fn kind(source: Source) -> Result<Kind> {
    let sample: Vec<(usize, &str)> = lines::of(source.text).filter(|(_, line)| !line.is_empty()).take(3).collect();
    let Some(&(line, first)) = sample.first() else {
        return Err(Error::file(source.path, "the file is empty; export it again from where it comes from"));
    };
    if taillard::is_header(first) {
        return Ok(Kind::Taillard);
    }
    if matches!(ending(source.path).as_str(), "csv" | "tsv") || csv::has_header(source) {
        return Ok(Kind::Csv);
    }
    // Numbers that are wrong are for the reader to name.
    if !first.split_whitespace().all(is_numeral) {
        let found = lines::quoted(first);
        return Err(Error::line(source.path, line, format!("{found} begins no flow shop; {KNOWN_KINDS}")));
    }
    let single = |(_, line): &(usize, &str)| line.split_whitespace().count() == 1;
    Ok(if sample.iter().all(single) { Kind::Moeo } else { Kind::Matrix })
}

/// Whether a piece of text was meant to be a number.
fn is_numeral(token: &str) -> bool {
    token.bytes().any(|byte| byte.is_ascii_digit()) && !token.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// A processing time or date, or what is wrong with it and how to put it right.
fn time(text: &str) -> Read<u32> {
    number(text, MAX_TOTAL as u32)
        .map_err(|why| format!("{why}; write whole numbers from 0, in a unit of time that has no fractions"))
}

/// A number of jobs or machines between 1 and `most`.
fn count(text: &str, what: &str, most: usize) -> Read<usize> {
    match number(text, u32::MAX).map_err(|why| format!("the number of {what}: {why}"))? as usize {
        0 => Err(format!("0 {what}; there must be at least one")),
        count if count > most => Err(format!("{count} {what}; at most {most} can be handled")),
        count => Ok(count),
    }
}
