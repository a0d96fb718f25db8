//! File formats of flow shops.
//!
//! * `n m`, then n times per line for each machine, or on request m times per line for each job ([`matrix`]);
//! * `n m`, then a line of `machine time` pairs for each job ([`matrix`]);
//! * Taillard's files: several instances per file, with headers in words ([`taillard`]);
//! * the same with set-up times between the jobs ([`setup_matrices`]);
//! * n, m and seed, then index, due date and m times of each job, as in ParadisEO-MOEO ([`moeo`]);
//! * tables with a header: job, due date, a column per machine ([`csv`], [`columns`]), also as a sheet of a workbook; set-ups, working times and
//!   the like below or in sheets of their own ([`sections`]).
//!
//! The orientation comes from the header or from [`LoadOptions::orientation`] and is never guessed from the shape.
//! Readers report every bad line, not only the first.

mod columns;
pub mod csv;
pub(crate) mod headings;
mod lekin;
pub mod matrix;
pub mod moeo;
mod pieces;
mod real_time;
mod recognition;
mod sections;
mod setup_matrices;
mod setups;
pub mod solution;
mod taillard;
mod time;
mod workbook;

use std::path::Path;
use std::sync::Arc;

pub(crate) use self::lekin::explained as foreign;
pub(crate) use self::real_time::{machine_texts, machine_times};
pub use self::recognition::{LOOK, looks_like};
pub(crate) use self::recognition::{is_stranger, resembles};
use super::real_time::PlanStart;
use super::stored::rules_of;
use super::{Instance, library};
use gridwright_core::formats::{FileFormat, Write, encode, of_text};
use gridwright_core::problem::Detection;
use gridwright_core::project;
use gridwright_core::text::decoding::DecodedFile;
use gridwright_core::text::lines::{Read, number};
use gridwright_core::text::{Source, about_file, ending, lines, other_kind, sheets, stem};
use gridwright_core::{Error, Result, files};

/// Meaning of the rows of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::VariantArray)]
pub enum Orientation {
    /// One row per machine.
    Machines,
    /// One row per job.
    Jobs,
}

impl Orientation {
    /// Both of them.
    pub const ALL: [Self; 2] = gridwright_core::variants();

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
    /// [`Error::Usage`] for an unknown name; the message lists both names.
    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|orientation| orientation.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(" and ");
            Error::Usage(format!("there is no orientation «{}»; known are {known}", name.escape_debug()))
        })
    }
}

/// Options of reading an instance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Meaning of the rows; `None` for the format's own rule, which is one row per machine unless the format says
    /// otherwise.
    pub orientation: Option<Orientation>,
    /// Instance number in a file with several instances, from 1.
    pub number: Option<usize>,
    /// Start of the plan of a file that does not state it.
    pub plan_start: Option<PlanStart>,
}

/// Prefixes of sources that name a built-in instance instead of a file.
const SAMPLE: &str = "sample:";
const TAILLARD: &str = "taillard:";

/// Description of readable files for messages.
const KNOWN_KINDS: &str = "known are tables (.csv with a header: job, due date, a column for each machine) and files \
                           of numbers that begin with the number of jobs and of machines";

/// Opens a source: `taillard:ta051`, `sample:workshop`, a file, or the instance of a project.
///
/// # Errors
/// [`Error::Usage`] for an unknown built-in instance or for options beside one; otherwise see [`load`].
pub fn open(source: &str, options: &LoadOptions) -> Result<Instance> {
    if [TAILLARD, SAMPLE].iter().any(|start| source.starts_with(start)) && *options != LoadOptions::default() {
        let what = format!("{} is no file: leave its orientation, number and plan start out", source.escape_debug());
        return Err(Error::Usage(what));
    }
    if let Some(name) = source.strip_prefix(TAILLARD) {
        library::taillard(name.trim())
    } else if let Some(name) = source.strip_prefix(SAMPLE) {
        library::sample(name.trim())
    } else if project::is_project(&gridwright_core::source::path(source)) {
        open_project(&gridwright_core::source::path(source), options)
    } else {
        load(&gridwright_core::source::path(source), options)
    }
}

/// Opens the instance of a project file, with the rules of the project.
fn open_project(path: &Path, options: &LoadOptions) -> Result<Instance> {
    let (project, mut instance) = project::open_instance(path, "flowshop", |source| open(source, options))?;
    instance.warnings.extend(project::warning_of_change(&project, &instance.hash));
    instance.rules = rules_of(&instance, project.demands.as_ref());
    instance.rules.check(&instance).map_err(|error| Error::file(path, error.to_string()))?;
    Ok(instance)
}

/// Loads an instance from a file, whose format is recognised by ending and content.
///
/// # Errors
/// [`Error::File`], [`Error::Line`] or [`Error::Lines`], naming every unusable line.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Instance> {
    let refused = match ending(path).as_str() {
        "sol" => "this is an order of jobs, not an instance; open the instance that it belongs to",
        "ron" => "this is a result or a schedule, not an instance; open the instance that it belongs to",
        _ => "",
    };
    if !refused.is_empty() {
        return Err(other_kind(path, refused));
    }
    if sheets::is_named_workbook(path) {
        return workbook::load(path, options);
    }
    let file = DecodedFile::read(path)?;
    let mut instance = parse(Source { path, text: &file.text }, options)?;
    file.state(&mut instance.hash, &mut instance.warnings);
    Ok(instance)
}

/// Reader of instances.
type Reader = fn(Source<'_>, &LoadOptions) -> Result<Instance>;

/// Formats of instances.
pub(crate) static FORMATS: &[FileFormat<Reader, Write<Instance>>] = &[
    FileFormat::reading(&[], |file| Detection::certain(taillard::begins(file.source.text)), taillard::parse),
    FileFormat {
        endings: &["csv", "tsv"],
        detect: |file| Detection::certain(csv::begins_table(file.source)).or_possible(|| csv::has_header(file.source)),
        read: |source, options| by_jobs(source, options).and_then(|()| csv::parse_from(source, options.plan_start)),
        write: Some((&["csv"], |instance| Ok(Some(csv::write(instance))))),
    },
    FileFormat {
        endings: &[],
        detect: setup_matrices::detect,
        read: |source, options| by_jobs(source, options).and_then(|()| setup_matrices::parse(source, options)),
        write: Some((&NUMBERS, |instance| {
            let has_clocks = instance.real_time.is_some() || instance.clocks.is_some();
            Ok(if has_clocks { None } else { setup_matrices::write(instance) })
        })),
    },
    FileFormat {
        endings: &[],
        detect: recognition::moeo,
        read: |source, options| by_jobs(source, options).and_then(|()| moeo::parse(source)),
        write: Some((&NUMBERS, |instance| {
            Ok((instance.has_due_dates() && is_plain(instance)).then(|| moeo::write(instance, 0)))
        })),
    },
    FileFormat {
        endings: &[],
        detect: recognition::matrix,
        read: |source, options| single(source, options).and_then(|()| matrix::parse(source, options)),
        write: Some((&NUMBERS, |instance| Ok(is_plain(instance).then(|| matrix::write(instance))))),
    },
];

/// Returns `true` if files of numbers hold everything of an instance.
fn is_plain(instance: &Instance) -> bool {
    instance.setups.is_none() && instance.real_time.is_none() && instance.clocks.is_none()
}

/// Endings of files of numbers.
const NUMBERS: [&str; 4] = ["txt", "dat", "fsp", ""];

/// Refuses the number of an instance in a file that holds one.
fn single(source: Source, options: &LoadOptions) -> Result<()> {
    match options.number.filter(|&number| number != 1) {
        None => Ok(()),
        Some(number) => Err(Error::file(
            source.path,
            format!("there is one instance in this file, so there is no number {number}; leave the number out"),
        )),
    }
}

/// Refuses the options that a format with one instance and with rows by jobs does not have.
fn by_jobs(source: Source, options: &LoadOptions) -> Result<()> {
    if options.orientation == Some(Orientation::Machines) {
        let what = "files of this kind have their rows by jobs; leave the orientation out";
        return Err(Error::file(source.path, what));
    }
    single(source, options)
}

/// Parses an instance from text of any format; the caller sets the hash.
///
/// # Errors
/// See [`load`].
pub fn parse(source: Source, options: &LoadOptions) -> Result<Instance> {
    let mut instance = (format_of(source)?.read)(source, options)?;
    if let Some(start) = options.plan_start {
        begin(&mut instance, start, source.path)?;
    }
    finished(source, instance)
}

/// States the start of the plan of an instance.
///
/// # Errors
/// [`Error::File`] if its file states it.
fn begin(instance: &mut Instance, start: PlanStart, path: &Path) -> Result<()> {
    let real_time = Arc::make_mut(instance.real_time.get_or_insert_default());
    match real_time.start.replace(start) {
        None => Ok(()),
        Some(_) => Err(Error::file(path, "the file states the start of the plan; leave --plan-start out")),
    }
}

/// The instance that a reader made, with its name and the best values that are known.
fn finished(source: Source, mut instance: Instance) -> Result<Instance> {
    if instance.name.is_empty() {
        instance.name = stem(source.path);
    }
    let name = instance.name.clone();
    let mut instance = instance.named().validated().map_err(about_file(source.path, &name))?;
    if let Some(entry) = library::recognise(&instance) {
        instance.best_known = entry.best_known;
    }
    Ok(instance)
}

/// Writes an instance: as a table for `.csv`, otherwise as numbers, in the format of [`moeo`] if there are due dates.
///
/// # Errors
/// [`Error::File`] if the file cannot be written, [`Error::Usage`] for an unsupported ending.
pub fn save(instance: &Instance, path: &Path) -> Result<()> {
    let ending = ending(path);
    let unknown = || {
        let other = ending.escape_debug();
        if (instance.real_time.is_some() || instance.clocks.is_some()) && NUMBERS.contains(&ending.as_str()) {
            let what = "the start of a plan, times of machines, weights and machines that jobs do not visit are written as .csv only; \
                        choose that ending";
            return Error::file(path, what);
        }
        if instance.setups.is_some() && NUMBERS.contains(&ending.as_str()) {
            let what =
                "set-ups before the first job, and set-ups beside dates, are written as .csv only; choose that ending";
            return Error::file(path, what);
        }
        Error::Usage(format!("a flow shop is written as .csv or .txt, not as .{other}; choose one"))
    };
    let text = encode(FORMATS, instance, &ending)?.ok_or_else(unknown)?;
    files::write(path, text.as_bytes())
}

/// Format of a text; lines of numbers are read as a matrix, whose reader reports what is wrong.
fn format_of(source: Source<'_>) -> Result<&'static FileFormat<Reader, Write<Instance>>> {
    if let Some(what) = recognition::stranger(source.text) {
        return Err(Error::file(source.path, what));
    }
    let Some((line, first)) = lines::of(source.text).find(|(_, line)| !line.is_empty()) else {
        return Err(Error::file(source.path, "the file is empty; export it again from where it comes from"));
    };
    let numbers = || FORMATS.last().filter(|_| first.split_whitespace().all(is_numeral));
    of_text(FORMATS, source).or_else(numbers).ok_or_else(|| {
        let found = lines::quoted(first);
        Error::line(source.path, line, format!("{found} begins no flow shop; {KNOWN_KINDS}"))
    })
}

/// Returns `true` for a token with digits and without letters: a number, well-formed or not.
fn is_numeral(token: &str) -> bool {
    token.bytes().any(|byte| byte.is_ascii_digit()) && !token.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Parses a number of jobs or machines in 1..=`most`; `what` is its noun for messages.
fn count(text: &str, what: &str, most: usize) -> Read<usize> {
    match number(text, u32::MAX).map_err(|why| format!("the number of {what}: {why}"))? as usize {
        0 => Err(format!("0 {what}; there must be at least one")),
        count if count > most => Err(format!("{count} {what}; at most {most} can be handled")),
        count => Ok(count),
    }
}
