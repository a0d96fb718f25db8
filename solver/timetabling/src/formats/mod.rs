//! File formats of examination timetabling, reading and writing.
//!
//! Each format parses text into [`super::InstanceParts`]; data that no file of it contains (published number of periods, name)
//! are added here. Readers report every invalid line of their files, and name what they leave out or correct in the
//! warnings of the instance.

pub mod carter;
pub mod columns;
pub mod csv;
pub(crate) mod duties;
mod evidence;
pub mod itc2007;
mod loaded;
mod names;
pub mod solution;
mod tables;
pub use gridwright_core::text::values;

use std::path::{Path, PathBuf};

use super::{Instance, bulk, generator, project};
use super::{Period, published};
use gridwright_core::data::import;
pub use gridwright_core::text::{Source, decoding};
use gridwright_core::text::{about_file, ending, lines, other_kind, sheets};
use gridwright_core::{Error, Result, files};
use loaded::Loaded;
use names::enrolments_in_folder_of;

/// Options given beside the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Number of periods; overrides the file's and the published one.
    pub periods: Option<usize>,
}

/// Prefix of a source that names a generated session instead of a file.
const SAMPLE: &str = "sample:";

/// List of the known kinds of files, for messages.
const KNOWN_KINDS: &str = "known are .stu and .crs (Toronto), .csv, .xlsx and .ods (one line per student and exam, with a \
                           header) and .exam (ITC-2007)";

/// Opens `sample:NAME` or a file, whose kind is detected by extension and content.
///
/// # Errors
/// [`Error::Usage`] for an unknown sample; otherwise as [`load`].
pub fn open(source: &str, options: &LoadOptions) -> Result<Instance> {
    match source.strip_prefix(SAMPLE) {
        Some(name) => {
            let instance = generator::sample(name.trim())?;
            match options.periods {
                Some(count) => instance.with_periods(count),
                None => Ok(instance),
            }
        }
        None => load(&gridwright_core::source::path(source), options),
    }
}

/// Loads an instance from a file, whose kind is detected by extension and, failing that, content.
///
/// A folder stands for the enrolment table in it. The number of periods is taken from the options, else from the file,
/// else from the published instance of the same name; otherwise the instance has no periods and the caller has to ask.
///
/// # Errors
/// [`Error::File`], [`Error::Line`] or [`Error::Lines`] that name every invalid line.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Instance> {
    if gridwright_core::project::is_project(path) {
        let (_, instance, _) = project::open(path)?;
        return match options.periods {
            Some(count) => instance.with_periods(count),
            None => Ok(instance),
        };
    }
    let path = &table_in_folder(path)?;
    if sheets::is_named_workbook(path) {
        let session = workbook(path)?;
        return match options.periods {
            Some(count) => session.with_periods(count),
            None => Ok(session),
        };
    }
    let loaded = match kind(path)? {
        Kind::Carter => carter::load(path)?,
        Kind::Csv => csv::load(path)?,
        Kind::Itc2007 => itc2007::load(path)?,
    };
    finish(path, loaded, options)
}

/// Opens a workbook; a sheet of rules for many exams stands beside the tables.
fn workbook(path: &Path) -> Result<Instance> {
    let opened = import::open_tables_and_leave::<Instance>(path)?;
    let mut session = opened.instance;
    for sheet in opened.unused {
        let place = PathBuf::from(format!("{}:{}", path.display(), sheet.name()));
        match bulk::read(Source { path: &place, text: sheet.text() }, &session) {
            Ok(Some(rules)) => session.rules = rules,
            Ok(None) => session.warnings.push(import::not_used(&sheet)),
            Err(error) => return Err(error),
        }
    }
    session.warnings.extend(opened.warnings);
    Ok(session)
}

/// Adds periods and divisor and builds the instance.
fn finish(path: &Path, loaded: Loaded, options: &LoadOptions) -> Result<Instance> {
    let Loaded { mut parts, empty_lines } = loaded;
    if let Some((periods, divisor)) = published::conditions(&parts.name) {
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
    let name = parts.name.clone();
    let instance = Instance::build(parts).map_err(about_file(path, &name))?;
    match options.periods {
        Some(count) => instance.with_periods(count),
        None => Ok(instance),
    }
}

/// Kind of a file that holds an instance.
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
        "sol" => Err(other_kind(
            path,
            "this is a solution, not an instance; open the instance that it belongs to, and then this file",
        )),
        "ron" => Err(other_kind(path, "this is the result of a run, not an instance; open or replay it as a result")),
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

/// Returns `true` if `source` certainly is an examination session, by its name, its extension, or a header that only
/// sessions have. `start` is the beginning of the file; empty if the source is a name such as `sample:school`.
///
/// Plain lists of numbers without a known extension give `false`; [`load`] may open them nevertheless.
pub fn looks_like(source: &str, start: &[u8]) -> bool {
    if let Some(name) = source.strip_prefix(SAMPLE) {
        return generator::SAMPLES.contains(&name.trim());
    }
    let path = &gridwright_core::source::path(source);
    if matches!(ending(path).as_str(), "stu" | "crs" | "exam") || gridwright_core::project::is_project(path) {
        return true;
    }
    if sheets::is_named_workbook(path) {
        return import::has_required_table::<Instance>(path);
    }
    let Ok((text, _)) = decoding::decode(path, start.to_vec(), None) else { return false };
    matches!(sniff(&text), Some(Kind::Itc2007 | Kind::Csv))
}

/// Detects the kind of a text by its first lines: a section of ITC-2007, the header of a table, or lines of padded
/// numbers.
fn sniff(text: &str) -> Option<Kind> {
    let mut lines = lines::of(text).map(|(_, line)| line).filter(|line| !line.is_empty());
    let first = lines.next()?;
    if first.starts_with('[') && first.to_ascii_lowercase().starts_with("[exams") {
        return Some(Kind::Itc2007);
    }
    if csv::has_enrolment_header(text) {
        return Some(Kind::Csv);
    }
    // Exams are numbered with as many digits each, so that the first have leading zeros; other lists of numbers are of other
    // problems. Two columns throughout are a list of courses or a timetable, without students.
    let width = first.split_whitespace().next().map_or(0, str::len);
    let codes = |line: &str| {
        line.split_whitespace().all(|token| token.len() == width && token.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut sample = std::iter::once(first).chain(lines).take(200).peekable();
    let (mut pairs_only, mut is_padded) = (true, false);
    while let Some(line) = sample.next_if(|line| codes(line)) {
        pairs_only &= line.split_whitespace().count() == 2;
        is_padded |= width > 1 && line.split_whitespace().any(|token| token.starts_with('0'));
    }
    (sample.peek().is_none() && !pairs_only && is_padded).then_some(Kind::Carter)
}

/// Returns `true` if a folder holds the tables of an examination session.
pub(crate) fn is_folder(path: &Path) -> bool {
    path.is_dir() && enrolments_in_folder_of(&path.join("enrolments.csv")).is_some()
}

/// The enrolment table of a folder, or the path itself if it is a file.
fn table_in_folder(path: &Path) -> Result<PathBuf> {
    if !path.is_dir() {
        return Ok(path.to_path_buf());
    }
    enrolments_in_folder_of(&path.join("enrolments.csv")).ok_or_else(|| {
        Error::file(path, format!("this is a folder without an enrolments.csv; name a file in it ({KNOWN_KINDS})"))
    })
}
