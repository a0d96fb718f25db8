//! Published file formats of examination timetabling, read and written.
//!
//! Each format reads text into [`InstanceParts`]; what no file of it says (a published number of periods, the name) is
//! added here. A reader names every bad line of its files, not only the first, and what it leaves out or corrects it
//! says in the warnings of the instance.

pub mod carter;
pub mod columns;
pub mod csv;
pub mod import;
pub mod itc2007;
mod sheet;
pub mod solution;
mod tables;
pub mod values;

use std::path::{Path, PathBuf};

use super::instance::{self, InstanceParts, Period};
use super::{Instance, generator, project};
pub use crate::text::{Source, decoding};
use crate::text::{ending, lines, stem, table};
use crate::{Error, Result, files};

/// What a person says beyond the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Number of periods, instead of the file's or the published one.
    pub periods: Option<usize>,
}

/// How a source begins that names an invented session instead of a file.
const SAMPLE: &str = "sample:";

/// What can be opened, for messages.
const KNOWN_KINDS: &str = "known are .stu and .crs (Toronto), .csv (one line per student and exam, with a header) \
                           and .exam (ITC-2007)";

/// Names of enrolment tables that say nothing about the session; the folder's name does.
const NAMELESS: [&str; 6] = ["enrolments", "enrollments", "enrolment", "enrollment", "registrations", "students"];

/// What a format hands over: the parts, and how many empty lines stood where students could have stood.
struct Loaded {
    parts: InstanceParts,
    empty_lines: usize,
}

/// Opens `sample:NAME` or a file, its kind known by its ending and content.
///
/// # Errors
/// [`Error::Usage`] for a sample that does not exist; otherwise as [`load`].
pub fn open(source: &str, options: &LoadOptions) -> Result<Instance> {
    match source.strip_prefix(SAMPLE) {
        Some(name) => {
            let instance = generator::sample(name.trim())?;
            match options.periods {
                Some(count) => instance.with_periods(count),
                None => Ok(instance),
            }
        }
        None => load(Path::new(source), options),
    }
}

/// Loads an instance from a file, its kind known by its ending and, failing that, its content.
///
/// A folder stands for the enrolment table in it. The number of periods is that of the options, else the file's, else
/// the published one of an instance of this name; else the instance has none yet and the caller has to ask.
///
/// # Errors
/// [`Error::File`], [`Error::Line`] or [`Error::Lines`] that name every line that cannot be used.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Instance> {
    if project::is_project(path) {
        let (_, instance, _) = project::open(path)?;
        return match options.periods {
            Some(count) => instance.with_periods(count),
            None => Ok(instance),
        };
    }
    let path = &table_in_folder(path)?;
    let loaded = match kind(path)? {
        Kind::Carter => carter::load(path)?,
        Kind::Csv => csv::load(path)?,
        Kind::Itc2007 => itc2007::load(path)?,
    };
    finish(path, loaded, options)
}

/// Gives an instance its periods and divisor and builds it.
fn finish(path: &Path, loaded: Loaded, options: &LoadOptions) -> Result<Instance> {
    let Loaded { mut parts, empty_lines } = loaded;
    if let Some((periods, divisor)) = instance::published(&parts.name) {
        if parts.periods.is_empty() {
            parts.periods = vec![Period::default(); periods];
        }
        let students = parts.students.len();
        if let Some(divisor) = divisor.filter(|&d| [students, students + empty_lines].contains(&(d as usize))) {
            parts.divisor = Some(divisor);
            if students != divisor as usize {
                parts.warnings.push(format!(
                    "costs are divided by {divisor}, as in the literature, though the file has {students} students"
                ));
            }
        }
    }
    if let Some(count) = options.periods {
        parts.periods.truncate(count);
    }
    let name = format!("{}: ", parts.name);
    let instance = Instance::build(parts).map_err(|error| match error {
        // The file says more than the name of what was read from it.
        Error::Usage(what) => Error::file(path, what.strip_prefix(&name).unwrap_or(&what)),
        other => other,
    })?;
    match options.periods {
        Some(count) => instance.with_periods(count),
        None => Ok(instance),
    }
}

/// The kinds of files that hold an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Carter,
    Csv,
    Itc2007,
}

fn kind(path: &Path) -> Result<Kind> {
    match ending(path).as_str() {
        "stu" | "crs" => Ok(Kind::Carter),
        "csv" | "tsv" => Ok(Kind::Csv),
        "exam" => Ok(Kind::Itc2007),
        "sol" => Err(Error::file(path, "this is a timetable, not an instance; open the instance that it belongs to")),
        "ron" => Err(Error::file(path, "this is the result of a run, not an instance; open or replay it as a result")),
        _ => {
            let text = files::read_text(path)?;
            sniff(&text).ok_or_else(|| {
                Error::file(
                    path,
                    format!("neither its ending nor its content says what kind of file this is; {KNOWN_KINDS}"),
                )
            })
        }
    }
}

/// Whether a source certainly names or holds an examination session: by its name, its ending, or a header that only
/// sessions have. `start` is the beginning of the file; nothing where the source is a name such as `sample:school`.
///
/// Lists of numbers without an ending of their own are certainly nothing; [`load`] may open them all the same.
pub fn looks_like(source: &str, start: &[u8]) -> bool {
    if let Some(name) = source.strip_prefix(SAMPLE) {
        return generator::PRESETS.contains(&name.trim());
    }
    let path = Path::new(source);
    if matches!(ending(path).as_str(), "stu" | "crs" | "exam") || project::is_project(path) {
        return true;
    }
    let Ok((text, _)) = decoding::decode(path, start.to_vec(), None) else { return false };
    matches!(sniff(&text), Some(Kind::Itc2007 | Kind::Csv))
}

/// The kind of a text by its first lines: a section of ITC-2007, the header of a table, or lines of padded numbers.
fn sniff(text: &str) -> Option<Kind> {
    let mut lines = lines::of(text).map(|(_, line)| line).filter(|line| !line.is_empty());
    let first = lines.next()?;
    if first.starts_with('[') && first.to_ascii_lowercase().starts_with("[exams") {
        return Some(Kind::Itc2007);
    }
    if csv::has_enrolment_header(text) {
        return Some(Kind::Csv);
    }
    // Two columns throughout are a list of courses or a timetable: nothing to begin with.
    let numbers = |line: &str| line.split_whitespace().all(|token| token.bytes().all(|byte| byte.is_ascii_digit()));
    let mut sample = std::iter::once(first).chain(lines).take(200).peekable();
    let mut pairs_only = true;
    while let Some(line) = sample.next_if(|line| numbers(line)) {
        pairs_only &= line.split_whitespace().count() == 2;
    }
    (sample.peek().is_none() && !pairs_only).then_some(Kind::Carter)
}

/// The name of the session in an enrolment table: that of the file or, where it only says what a table it is, the
/// folder's.
fn name_of_table(path: &Path) -> String {
    let own = stem(path);
    if !NAMELESS.contains(&own.to_lowercase().as_str()) {
        return own;
    }
    let whole = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = whole.parent().and_then(Path::file_name).map_or(own, |folder| folder.to_string_lossy().into_owned());
    match folder.strip_suffix(import::FOLDER_SUFFIX) {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => folder,
    }
}

/// The enrolment table of a folder, or the path itself where it is none.
fn table_in_folder(path: &Path) -> Result<PathBuf> {
    if !path.is_dir() {
        return Ok(path.to_path_buf());
    }
    enrolments_in_folder_of(&path.join("enrolments.csv")).ok_or_else(|| {
        Error::file(path, format!("this is a folder without an enrolments.csv; name a file in it ({KNOWN_KINDS})"))
    })
}

/// The enrolment table in the folder of this file.
fn enrolments_in_folder_of(path: &Path) -> Option<PathBuf> {
    NAMELESS.iter().find_map(|name| find_beside(path, name, "csv"))
}

/// The file beside `path` with this stem and ending, upper and lower case being the same; exact names win.
fn find_beside(path: &Path, stem: &str, ending: &str) -> Option<PathBuf> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let exact = path.with_file_name(format!("{stem}.{ending}"));
    if exact.is_file() {
        return Some(exact);
    }
    let wanted = format!("{stem}.{ending}").to_lowercase();
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok().map(|entry| entry.file_name()))
        .filter(|name| name.to_string_lossy().to_lowercase() == wanted)
        .collect();
    names.sort();
    names.into_iter().map(|name| path.with_file_name(name)).find(|path| path.is_file())
}
