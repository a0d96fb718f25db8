//! File formats of binary problems, read and written.
//!
//! * tables with a header: item, profit and weight, or requirement, cost and value ([`table`]);
//! * `items capacity`, then `profit weight` for each item ([`vectors`]);
//! * `cost TAB value` for each requirement, as in the Motorola data set ([`pairs`]);
//! * levels of requirements, dependencies and customers, as J. Xuan writes them ([`xuan`]);
//! * a RON document for any kind of problem ([`document`]).
//!
//! Readers report every bad line, not only the first.

pub(crate) mod document;
mod foreign;
mod numbers;
pub(crate) mod pairs;
pub mod solution;
pub(crate) mod table;
pub(crate) mod vectors;
mod xuan;

use std::path::Path;

pub(super) use self::numbers::{readable, scaled};
use super::library::{NAMED, TENTHS};
use super::{Instance, Kind, library};
use gridwright_core::formats::{FileFormat, Write, detect, encode, of_text, written};
use gridwright_core::problem::Detection;
use gridwright_core::project;
use gridwright_core::recognition::is_document;
use gridwright_core::text::decoding::DecodedFile;
use gridwright_core::text::{Source, about_file, ending, other_kind, sheets, stem};
use gridwright_core::{Error, Result, files};

/// Overrides of the values in a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Capacity of a knapsack; `None`: from the file.
    pub capacity: Option<u64>,
    /// Weight of the omitted value of a release in tenths; `None`: from the file, else [`TENTHS`].
    pub tenths: Option<u8>,
}

impl LoadOptions {
    /// Weight of a release in a file without one.
    fn weight(&self) -> u8 {
        self.tenths.unwrap_or(TENTHS)
    }
}

const SAMPLE: &str = "sample:";

/// Error about a solution in place of an instance.
const NO_INSTANCE: &str = "this is a string of bits, not an instance; open the instance that it belongs to";

/// Supported file types, for messages.
const KNOWN_KINDS: &str = "known are tables (.csv with the columns item, profit and weight, or requirement, cost and value), \
                           files of numbers that begin with the number of items and the capacity, and pairs of cost and \
                           value with a tab between";

/// Opens a built-in instance such as `knapsack:1000-1000`, `mmdp:300` or `sample:backpack`, or a file.
///
/// # Errors
/// [`Error::Usage`] for an unknown name or an override that the problem does not have; otherwise as [`load`].
pub fn open(source: &str, options: &LoadOptions) -> Result<Instance> {
    let tenths = options.weight();
    let instance = if let Some(name) = source.strip_prefix(SAMPLE) {
        library::sample(name.trim(), tenths)?
    } else if NAMED.iter().any(|beginning| source.starts_with(beginning)) {
        library::named(source, tenths)?
    } else if project::is_project(&gridwright_core::source::path(source)) {
        let path = gridwright_core::source::path(source);
        let (project, mut instance) = project::open_instance(&path, "systolic", |source| open(source, options))?;
        instance.warnings.extend(project::warning_of_change(&project, &instance.hash));
        return overridden(instance, options);
    } else {
        return load(&gridwright_core::source::path(source), options);
    };
    if options.capacity.is_some() {
        let what = format!("{} has its own capacity; leave it out", source.escape_debug());
        return Err(Error::Usage(what));
    }
    fits(&instance, options)?;
    Ok(instance)
}

/// The instance with the given values instead of its own.
///
/// # Errors
/// [`Error::Usage`] for values that the problem does not have, or that make no sense.
fn overridden(mut instance: Instance, options: &LoadOptions) -> Result<Instance> {
    fits(&instance, options)?;
    match (&mut instance.kind, options) {
        (Kind::Knapsack { capacity, .. }, LoadOptions { capacity: Some(given), .. }) => *capacity = *given,
        (Kind::NextRelease { tenths, .. }, LoadOptions { tenths: Some(given), .. }) => *tenths = *given,
        _ => {}
    }
    instance.validated()
}

/// Rejects overrides that do not apply to the kind of problem.
fn fits(instance: &Instance, options: &LoadOptions) -> Result<()> {
    let noun = instance.kind.noun();
    let (is_knapsack, is_release) =
        (matches!(instance.kind, Kind::Knapsack { .. }), matches!(instance.kind, Kind::NextRelease { .. }));
    let overrides = [
        ("capacity", "a knapsack has", options.capacity.is_some() && !is_knapsack),
        ("weight", "a next release problem has", options.tenths.is_some() && !is_release),
    ];
    match overrides.iter().find(|(.., foreign)| *foreign) {
        None => Ok(()),
        Some((what, whose, _)) => {
            let name = &instance.name;
            Err(Error::Usage(format!("{name}: only {whose} a {what}, and this is a {noun}; leave it out")))
        }
    }
}

/// Loads an instance from a file; the format follows from ending and content.
///
/// # Errors
/// [`Error::File`], [`Error::Line`] or [`Error::Lines`] naming every line that cannot be used; [`Error::Usage`] for
/// overrides that do not apply.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Instance> {
    if ending(path) == "sol" {
        return Err(other_kind(path, NO_INSTANCE));
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
    FileFormat {
        endings: &["ron"],
        detect: |file| Detection::certain(document::begins(file.source.text.as_bytes())),
        read: |source, options| document::parse(source, options.capacity, options.tenths),
        write: Some((&["ron"], |instance| document::write(instance).map(Some))),
    },
    FileFormat {
        endings: &["csv", "tsv"],
        detect: |file| Detection::certain(table::has_header(file.source)),
        read: |source, options| table::parse(source, options.capacity, options.weight()),
        write: Some((&["csv"], |instance| Ok(instance.kind.is_list().then(|| table::write(instance))))),
    },
    FileFormat::reading(
        &[],
        |file| Detection::certain(xuan::begins(file.source.text, file.is_whole)),
        |source, options| xuan::parse(source, options.weight()),
    ),
    FileFormat {
        endings: &[],
        detect: |file| {
            let is_own = file.has_ending(&["kp", "knapsack"]);
            Detection::certain(is_own || vectors::begins(file.source.text, file.is_whole))
                .or_possible(|| begins_with_two_numbers(file.source.text))
        },
        read: |source, options| vectors::parse(source, options.capacity),
        write: Some((&["txt"], |instance| {
            Ok(matches!(instance.kind, Kind::Knapsack { .. }).then(|| vectors::write(instance)))
        })),
    },
    FileFormat {
        endings: &[],
        detect: |file| Detection::certain(file.has_ending(&["nrp"]) || pairs::begins(file.source.text, file.is_whole)),
        read: |source, options| pairs::parse(source, options.weight()),
        write: Some((&["txt"], |instance| {
            Ok(matches!(instance.kind, Kind::NextRelease { .. }).then(|| pairs::write(instance)))
        })),
    },
];

/// Number of bytes that [`looks_like`] examines; a shorter file was seen completely.
const LOOK: usize = 1 << 16;

/// Returns `true` if a source names or holds a binary problem. `start` holds the first [`LOOK`] bytes of the file,
/// empty if the source is a name such as `mmdp:300`.
pub(crate) fn looks_like(source: &str, start: &[u8]) -> bool {
    if NAMED.iter().any(|beginning| source.starts_with(beginning)) {
        return true;
    }
    if let Some(name) = source.strip_prefix(SAMPLE) {
        return library::SAMPLES.contains(&name.trim());
    }
    let path = &gridwright_core::source::path(source);
    let is_other =
        is_document(path) || sheets::is_named_workbook(path) || matches!(ending(path).as_str(), "stu" | "crs" | "exam");
    !is_other && detect(FORMATS, path, start, LOOK) == Detection::Certain
}

/// Explains a text of a related format that is not read, with the remedy; `None` for other texts.
pub(crate) fn foreign(text: &str, is_whole: bool) -> Option<String> {
    foreign::explained(text, is_whole)
}

/// Reads an instance from text of any format; the caller sets the hash.
///
/// # Errors
/// As [`load`].
pub fn parse(source: Source, options: &LoadOptions) -> Result<Instance> {
    if solution::begins(source.text.as_bytes()) {
        return Err(Error::file(source.path, NO_INSTANCE));
    }
    let unknown = || Error::file(source.path, format!("this is no binary problem; {KNOWN_KINDS}"));
    let mut instance = (of_text(FORMATS, source).ok_or_else(unknown)?.read)(source, options)?;
    if instance.name.is_empty() {
        instance.name = stem(source.path);
    }
    fits(&instance, options)?;
    let name = instance.name.clone();
    let mut instance = instance.validated().map_err(about_file(source.path, &name))?;
    instance.warnings.extend(oddities(&instance));
    Ok(instance)
}

fn begins_with_two_numbers(text: &str) -> bool {
    vectors::rows(text)
        .next()
        .is_some_and(|(_, row)| row.len() == 2 && row.iter().all(|piece| piece.parse::<f64>().is_ok()))
}

/// Warnings about trivial parts of a problem.
fn oddities(instance: &Instance) -> Vec<String> {
    let Kind::Knapsack { weights, capacity, .. } = &instance.kind else { return Vec::new() };
    let heavy = weights.iter().filter(|&&weight| weight > *capacity).count();
    let total: u64 = weights.iter().sum();
    let all =
        (total <= *capacity).then(|| format!("everything fits: all items weigh {total}, the capacity is {capacity}"));
    let heavy =
        (heavy > 0).then(|| format!("{heavy} of {} items are heavier than the capacity of {capacity}", weights.len()));
    all.into_iter().chain(heavy).collect()
}

/// Writes an instance: a table for `.csv`, numbers for `.txt`, a RON document for `.ron`.
///
/// # Errors
/// [`Error::File`] if the file cannot be written; [`Error::Usage`] for another ending, or one that cannot express the
/// problem.
pub fn save(instance: &Instance, path: &Path) -> Result<()> {
    let ending = ending(path);
    let text = encode(FORMATS, instance, &ending)?.ok_or_else(|| {
        Error::Usage(match written(FORMATS).contains(&ending.as_str()) {
            true => {
                let noun = instance.kind.noun();
                format!("a {noun} is no list of numbers; write it as .ron, or name it without a file")
            }
            false => {
                let other = ending.escape_debug();
                format!("a binary problem is written as .csv, .txt or .ron, not as .{other}; choose one")
            }
        })
    })?;
    files::write(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING_SAID: LoadOptions = LoadOptions { capacity: None, tenths: None };

    #[test]
    fn every_kind_is_saved_and_loaded_again() {
        let folder = tempfile::tempdir().unwrap();
        for (name, endings) in [
            ("knapsack:100-1000", &["csv", "txt", "ron"][..]),
            ("nrp:5-20", &["csv", "txt", "ron"]),
            ("mmdp:300", &["ron"]),
            ("onemax:100", &["ron"]),
        ] {
            let instance = open(name, &NOTHING_SAID).unwrap();
            for ending in endings {
                let path = folder.path().join(format!("a.{ending}"));
                save(&instance, &path).unwrap();
                let loaded = load(&path, &NOTHING_SAID).unwrap();
                assert_eq!((loaded.kind, loaded.hash.len()), (instance.kind.clone(), 64), "{name} {ending}");
                assert!(looks_like(path.to_str().unwrap(), &std::fs::read(&path).unwrap()), "{name} {ending}");
            }
        }
        let refused = save(&open("mmdp:300", &NOTHING_SAID).unwrap(), &folder.path().join("a.csv"));
        assert!(refused.unwrap_err().to_string().contains(".ron"));
        let refused = save(&open("mmdp:300", &NOTHING_SAID).unwrap(), &folder.path().join("a.pdf"));
        assert!(refused.unwrap_err().to_string().contains("not as .pdf"));
    }

    #[test]
    fn what_a_problem_does_not_have_is_refused() {
        let says = |source: &str, options: LoadOptions| open(source, &options).unwrap_err().to_string();
        let weighed = LoadOptions { tenths: Some(3), ..NOTHING_SAID };
        let limited = LoadOptions { capacity: Some(3), ..NOTHING_SAID };
        assert!(says("mmdp:300", weighed).contains("only a next release problem has a weight"));
        assert!(says("knapsack:100-1000", limited).contains("its own capacity"));
        assert!(matches!(open("sample:release", &weighed).unwrap().kind, Kind::NextRelease { tenths: 3, .. }));
        let read = |name: &str, text: &str, options| parse(Source { path: Path::new(name), text }, &options);
        let error = read("a.txt", "100\t3\n50\t2\n300\t1\n80\t0\n", limited).unwrap_err().to_string();
        assert!(error.contains("only a knapsack has a capacity"), "{error}");
        let error = read("a.txt", "Alice and Bob\n", NOTHING_SAID).unwrap_err().to_string();
        assert!(error.contains("no binary problem") && error.contains("item, profit and weight"), "{error}");
        let error = read("a.txt", "3 10\n5 x\n3 3\n9 8\n", NOTHING_SAID).unwrap_err().to_string();
        assert!(error.starts_with("a.txt:2: the weight of item 1"), "{error}");
        let error = read("a.txt", "4 2\n5 3\n3 3\n9 8\n1 5\n", NOTHING_SAID).unwrap_err().to_string();
        assert!(error.starts_with("a.txt: no item fits"), "{error}");
    }

    #[test]
    fn what_makes_a_problem_easy_is_said() {
        let read = |text: &str| parse(Source { path: Path::new("a.kp"), text }, &NOTHING_SAID).unwrap().warnings;
        assert_eq!(read("4 5\n1 1\n1 6\n1 7\n1 2\n"), ["2 of 4 items are heavier than the capacity of 5"]);
        assert!(read("4 50\n1 1\n1 6\n1 7\n1 2\n")[0].contains("everything fits"));
        assert!(read("4 7\n1 1\n1 6\n1 7\n1 2\n").is_empty());
    }

    #[test]
    fn binary_problems_are_known_by_name_ending_and_content() {
        for name in ["knapsack:100-1000", "mmdp:300", "onemax:100", "nrp:100-20", "sample:backpack", "a.kp"] {
            assert!(looks_like(name, b""), "{name}");
        }
        for name in ["taillard:ta001", "sample:school", "a.sol", "a.txt"] {
            assert!(!looks_like(name, b""), "{name}");
        }
        for (name, text) in [
            ("a.csv", "# capacity: 3\nitem,profit,weight\nTent,1,2\n"),
            ("a.csv", "feature;effort;value\nSearch;1;2\n"),
            ("a.txt", "3 10\n5 4\n3 3\n9 8\n"),
            ("a.txt", "1\n4\n4 6 1 3\n0\n1\n10 1 1\n"),
            ("a.txt", "100\t3\n50\t2\n300\t1\n80\t0\n"),
            ("a.ron", "(\n    binary_problem: 1,\n"),
        ] {
            assert!(looks_like(name, text.as_bytes()), "{text:?}");
        }
        for (name, text) in [
            ("a.csv", "student,exam\n1,2\n"),
            ("a.csv", "job,Saw\nDesk,4\n"),
            ("a.txt", "0001\t0002\n0003\t0004\n0001\t0004\n0002\t0003\n"),
            ("a.txt", "0001 0002\n0003\n"),
            ("a.ron", "(\n    format: 1,\n"),
        ] {
            assert!(!looks_like(name, text.as_bytes()), "{text:?}");
        }
    }
}
