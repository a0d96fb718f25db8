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
mod numbers;
pub(crate) mod pairs;
mod recognition;
pub mod solution;
pub(crate) mod table;
pub(crate) mod vectors;
mod xuan;

use std::path::Path;

pub(super) use self::numbers::{readable, scaled};
pub(crate) use self::recognition::looks_like;
use super::library::{NAMED, TENTHS};
use super::{Instance, Kind, library};
use gridwright_core::project;
use gridwright_core::text::decoding::DecodedFile;
use gridwright_core::text::{Source, about_file, ending, other_kind, stem};
use gridwright_core::{Error, Result, files};

/// Overrides of the values in a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Capacity of a knapsack; `None`: from the file.
    pub capacity: Option<u64>,
    /// Weight of the omitted value of a release in tenths; `None`: from the file, else [`TENTHS`].
    pub tenths: Option<u8>,
}

const SAMPLE: &str = "sample:";

/// Supported file types, for messages.
const KNOWN_KINDS: &str = "known are tables (.csv with the columns item, profit and weight, or requirement, cost and value), \
                           files of numbers that begin with the number of items and the capacity, and pairs of cost and \
                           value with a tab between";

/// Opens a built-in instance such as `knapsack:1000-1000`, `mmdp:300` or `sample:backpack`, or a file.
///
/// # Errors
/// [`Error::Usage`] for an unknown name or an override that the problem does not have; otherwise as [`load`].
pub fn open(source: &str, options: &LoadOptions) -> Result<Instance> {
    let tenths = options.tenths.unwrap_or(TENTHS);
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
        let what = "this is a string of bits, not an instance; open the instance that it belongs to";
        return Err(other_kind(path, what));
    }
    let file = DecodedFile::read(path)?;
    let mut instance = parse(Source { path, text: &file.text }, options)?;
    file.state(&mut instance.hash, &mut instance.warnings);
    Ok(instance)
}

/// Reads an instance from text of any format; the caller sets the hash.
///
/// # Errors
/// As [`load`].
pub fn parse(source: Source, options: &LoadOptions) -> Result<Instance> {
    let tenths = options.tenths.unwrap_or(TENTHS);
    let mut instance = if ending(source.path) == "ron" {
        if solution::begins(source.text.as_bytes()) {
            let what = "this is a string of bits, not an instance; open the instance that it belongs to";
            return Err(Error::file(source.path, what));
        }
        document::parse(source, options.capacity, options.tenths)?
    } else if table::has_header(source) || matches!(ending(source.path).as_str(), "csv" | "tsv") {
        table::parse(source, options.capacity, tenths)?
    } else if xuan::begins(source.text, true) {
        xuan::parse(source, tenths)?
    } else if vectors::begins(source.text, true) || matches!(ending(source.path).as_str(), "kp" | "knapsack") {
        vectors::parse(source, options.capacity)?
    } else if pairs::begins(source.text, true) || ending(source.path) == "nrp" {
        pairs::parse(source, tenths)?
    } else if begins_with_two_numbers(source.text) {
        vectors::parse(source, options.capacity)?
    } else {
        return Err(Error::file(source.path, format!("this is no binary problem; {KNOWN_KINDS}")));
    };
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

/// File endings that [`save`] writes.
pub(crate) const WRITTEN: [&str; 3] = ["csv", "txt", "ron"];

/// Writes an instance: a table for `.csv`, numbers for `.txt`, a RON document for `.ron`.
///
/// # Errors
/// [`Error::File`] if the file cannot be written; [`Error::Usage`] for another ending, or one that cannot express the
/// problem.
pub fn save(instance: &Instance, path: &Path) -> Result<()> {
    let ending = ending(path);
    let text = match (ending.as_str(), &instance.kind) {
        ("ron", _) => document::write(instance)?,
        ("csv" | "txt", Kind::Deceptive { .. } | Kind::OneMax { .. }) => {
            let what = format!(
                "a {} is no list of numbers; write it as .ron, or name it without a file",
                instance.kind.noun()
            );
            return Err(Error::Usage(what));
        }
        ("csv", _) => table::write(instance),
        ("txt", Kind::Knapsack { .. }) => vectors::write(instance),
        ("txt", _) => pairs::write(instance),
        (other, _) => {
            let what = format!(
                "a binary problem is written as .csv, .txt or .ron, not as .{}; choose one",
                other.escape_debug()
            );
            return Err(Error::Usage(what));
        }
    };
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
}
