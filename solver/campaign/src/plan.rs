//! Plans of campaigns: reading, checking, expanding into runs.
//!
//! A plan is a RON file. Each part combines all of its instances with all of its algorithms, seeds and backends; a parameter
//! with several values multiplies its algorithm. Everything is checked before the first run, and an error names line and
//! column of the value that is wrong.
//!
//! ```ron
//! (
//!     format: 1,
//!     name: "first",
//!     parts: [(
//!         instances: ["sample:school", "toronto/*.stu"],
//!         algorithms: [
//!             (name: "annealing"),
//!             (name: "evolution", label: "evolution, swept", parameters: {"crossover": "0.1..=0.9 step 0.2", "population": [64, 256]}),
//!         ],
//!         seeds: "1..=10",
//!         limit: Steps(200),
//!     )],
//! )
//! ```
//!
//! A plan may carry the printed figures of a paper, see [`super::published`].

mod outline;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ron::extensions::Extensions;
use ron::value::RawValue;
use serde::Deserialize;

pub use self::outline::{Outline, Pairs, outline};
use super::published::PublishedTable;
use super::values::{expand, matches};
use super::{Opener, RunSpec, published};
use gridwright_core::backend::Backend;
use gridwright_core::planning::OpenInstance;
use gridwright_core::planning::opening::check_request;
use gridwright_core::problem::Overrides;
use gridwright_core::search::Budget;
use gridwright_core::text::ron::Fault;
use gridwright_core::{Error, Result, files, registry, source};

pub(crate) const FORMAT: u32 = 1;

/// Prefix of sources in the folder of published instances.
const PUBLISHED: &str = "published:";

/// Largest number of runs of a campaign.
const MOST_RUNS: usize = 1_000_000;

/// A campaign: all runs of a plan, in its order.
#[derive(Debug, Clone, PartialEq)]
pub struct Campaign {
    /// Name of the campaign.
    pub name: String,
    /// The text of the plan.
    pub text: String,
    /// The runs.
    pub runs: Vec<RunSpec>,
    /// Printed figures, with which a report compares the runs.
    pub published: Vec<PublishedTable>,
}

/// A plan as it is written; raw values keep their place in the text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written<'a> {
    format: u32,
    name: String,
    #[serde(borrow)]
    parts: Vec<Part<'a>>,
    #[serde(default)]
    published: Vec<published::Written<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part<'a> {
    #[serde(borrow)]
    instances: Vec<&'a RawValue>,
    #[serde(default)]
    options: BTreeMap<&'a RawValue, &'a RawValue>,
    algorithms: Vec<Algorithm<'a>>,
    seeds: &'a RawValue,
    #[serde(default)]
    limit: Option<&'a RawValue>,
    #[serde(default)]
    target: Option<f64>,
    #[serde(default)]
    stall: Option<u64>,
    #[serde(default)]
    reference: Vec<u64>,
    #[serde(default)]
    backends: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    threads: Option<&'a RawValue>,
    #[serde(default)]
    alone: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Algorithm<'a> {
    #[serde(borrow)]
    name: &'a RawValue,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    parameters: BTreeMap<&'a RawValue, &'a RawValue>,
}

/// A value of the plan as text; its address gives the line and column.
#[derive(Clone, Copy)]
pub(super) struct Place<'a>(&'a str);

/// One combination of the parameters of an algorithm.
struct Variant<'a> {
    algorithm: (String, Place<'a>),
    entry: String,
    label: String,
    parameters: Vec<(String, Place<'a>, String, Place<'a>)>,
}

/// The text of a plan, in which values have lines and columns.
pub(super) struct Source<'a> {
    path: &'a Path,
    data: &'a Path,
    text: &'a str,
}

impl<'a> Source<'a> {
    pub(super) fn error(&self, place: Place<'_>, what: impl std::fmt::Display) -> Error {
        // A raw value borrows from the text: its address is its place.
        let at = (place.0.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let before = self.text.get(..at).unwrap_or_default();
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
        Error::at(self.path, (line, column), what.to_string())
    }

    /// File that a source names: below the folder of the plan, or below that of published instances.
    fn file(&self, source: &str) -> PathBuf {
        match source.strip_prefix(PUBLISHED) {
            Some(name) => self.data.join(name),
            None => self.path.parent().unwrap_or(Path::new(".")).join(source::path(source)),
        }
    }

    /// A string without its quotation marks, or a number or word as it is written.
    pub(super) fn scalar(&self, raw: &'a RawValue) -> Result<(String, Place<'a>)> {
        let text = raw.get_ron().trim();
        let place = Place(text);
        let is_plain = text.chars().all(|letter| letter.is_alphanumeric() || "+-._".contains(letter));
        match ron::from_str::<String>(text) {
            Ok(string) => Ok((string, place)),
            Err(_) if is_plain => Ok((text.to_owned(), place)),
            Err(_) => Err(self.error(place, "expected a number, a word or a text in quotation marks")),
        }
    }

    /// The items of a list, or the single value.
    fn items(&self, raw: &'a RawValue) -> Result<Vec<&'a RawValue>> {
        let text = raw.get_ron().trim();
        if !text.starts_with('[') {
            return Ok(vec![raw]);
        }
        let items = ron::from_str::<Vec<&RawValue>>(text)
            .map_err(|error| self.error(Place(text), Fault::of(text, &error).what))?;
        match items.is_empty() {
            true => Err(self.error(Place(text), "the list is empty; name at least one value")),
            false => Ok(items),
        }
    }

    /// The values of a list, a range or a single value.
    fn values(&self, raw: &'a RawValue) -> Result<Vec<(String, Place<'a>)>> {
        let mut values = Vec::new();
        for item in self.items(raw)? {
            let (text, place) = self.scalar(item)?;
            let expanded = expand(&text).map_err(|what| self.error(place, what))?;
            values.extend(expanded.into_iter().map(|value| (value, place)));
        }
        Ok(values)
    }

    /// Values that are parsed and must all be different.
    fn parsed<T: std::str::FromStr + Ord + Copy>(&self, raw: &'a RawValue, expected: &str) -> Result<Vec<T>> {
        let mut seen = BTreeSet::new();
        let parse = |(text, place): (String, Place<'a>)| {
            let value = text.parse().map_err(|_| self.error(place, format!("“{text}” is not {expected}")))?;
            match seen.insert(value) {
                true => Ok(value),
                false => Err(self.error(place, format!("{text} is named twice; leave one out"))),
            }
        };
        self.values(raw)?.into_iter().map(parse).collect()
    }
}

/// Reads a plan, opens its instances and checks every run; `data` is the folder of published instances.
///
/// # Errors
/// [`Error::Line`] with the column for a fault of the plan; [`Error::File`] if it cannot be read.
pub fn read(path: &Path, data: &Path, opener: &Opener<'_>) -> Result<Campaign> {
    of_text(path, files::read_text(path)?, data, opener)
}

/// Reads the text of a plan that lies, or will lie, at `path`, as [`read`] does.
///
/// # Errors
/// As [`read`].
pub fn of_text(path: &Path, text: String, data: &Path, opener: &Opener<'_>) -> Result<Campaign> {
    let reading = Source { path, data, text: &text };
    let written = written(path, &text)?;
    let mut runs: Vec<RunSpec> = Vec::new();
    for part in &written.parts {
        runs.extend(part.runs(&reading, opener)?);
        if runs.len() > MOST_RUNS {
            let what = format!("the plan has more than {MOST_RUNS} runs; use fewer values or several plans");
            return Err(Error::file(path, what));
        }
    }
    let mut keys = BTreeSet::new();
    if let Some(twice) = runs.iter().find(|run| !keys.insert(run.key())) {
        let (label, instance, seed) = (&twice.label, &twice.instance, twice.seed);
        let what = format!("{label} on {instance} with seed {seed} stands twice in the plan; leave one out");
        return Err(Error::file(path, what));
    }
    if runs.is_empty() {
        return Err(Error::file(path, "the plan has no runs; name instances and algorithms in its parts"));
    }
    let published = published::tables(&reading, &written.published, Some(&runs))?;
    let name = written.name;
    Ok(Campaign { name, text, runs, published })
}

/// Name and printed tables of the plan with this text; its instances are not opened.
///
/// # Errors
/// [`Error::Line`] if the text is no plan, or a figure is none.
pub fn published(path: &Path, text: &str) -> Result<(String, Vec<PublishedTable>)> {
    let written = written(path, text)?;
    let reading = Source { path, data: Path::new(""), text };
    let tables = published::tables(&reading, &written.published, None)?;
    Ok((written.name, tables))
}

/// Reads the text of a plan without opening anything.
fn written<'a>(path: &Path, text: &'a str) -> Result<Written<'a>> {
    let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    let written: Written<'a> = options.from_str(text).map_err(|error| {
        let Fault { line, column, what } = Fault::of(text, &error);
        Error::at(path, (line, column), format!("this is no plan of a campaign ({what})"))
    })?;
    if written.format > FORMAT {
        return Err(Error::file(path, "the plan was written for a newer version of gridwright; update the program"));
    }
    Ok(written)
}

impl<'a> Part<'a> {
    /// All runs of the part: instances, algorithms, backends and seeds, the last one varying fastest.
    fn runs(&self, reading: &Source<'a>, opener: &Opener<'_>) -> Result<Vec<RunSpec>> {
        let seeds: Vec<u64> = reading.parsed(self.seeds, "a seed (a whole number from 0)")?;
        let budget = self.budget(reading)?;
        let devices = self.devices(reading)?;
        let options = self.options(reading)?;
        let variants = self.variants(reading)?;
        let mut runs = Vec::new();
        for (source, place) in self.sources(reading)? {
            let opened_as = match registry::is_generated(&source) {
                true => source.clone(),
                false => source::of(&reading.file(&source)).unwrap_or_else(|| source.clone()),
            };
            let instance = opener(&opened_as, &options).map_err(|error| reading.error(place, error))?;
            let digest = match instance.identity().file_hash {
                "" => files::hash(&[source.as_bytes(), format!("{:?}", options.values()).as_bytes()]),
                digest => digest.to_owned(),
            };
            for variant in &variants {
                let mut spec = RunSpec {
                    problem: instance.problem().id().to_owned(),
                    instance: instance.name().to_owned(),
                    source: source.clone(),
                    opened_as: opened_as.clone(),
                    digest: digest.clone(),
                    options: options.clone(),
                    algorithm: variant.algorithm.0.clone(),
                    label: variant.label.clone(),
                    entry: variant.entry.clone(),
                    parameters: BTreeMap::new(),
                    seed: 1,
                    budget,
                    target: self.target,
                    stall: self.stall,
                    reference: self.reference.clone(),
                    backend: "cpu".to_owned(),
                    threads: 1,
                    alone: self.alone,
                };
                variant.check(&mut spec, &*instance, reading)?;
                for (backend, threads) in &devices {
                    let each =
                        |&seed: &u64| RunSpec { seed, backend: backend.clone(), threads: *threads, ..spec.clone() };
                    runs.extend(seeds.iter().map(each));
                }
            }
        }
        Ok(runs)
    }

    fn budget(&self, reading: &Source<'a>) -> Result<Option<Budget>> {
        let Some(limit) = self.limit else { return Ok(None) };
        let text = limit.get_ron().trim();
        let expected = "expected a limit: Steps(200), Evaluations(20000) or Seconds(10.0)";
        let budget: Budget = ron::from_str(text).map_err(|_| reading.error(Place(text), expected))?;
        match budget {
            Budget::Steps(1..) | Budget::Evaluations(1..) => Ok(Some(budget)),
            Budget::Seconds(seconds) if seconds > 0.0 && seconds.is_finite() => Ok(Some(budget)),
            _ => Err(reading.error(Place(text), "the limit must be above 0")),
        }
    }

    fn backends(&self, reading: &Source<'a>) -> Result<Vec<String>> {
        let mut backends = Vec::new();
        for raw in &self.backends {
            let (name, place) = reading.scalar(raw)?;
            match Backend::named(&name) {
                Ok(Backend::Auto) | Err(_) => {
                    let expected = "write cpu, cuda:N, cuda:N,M,… or cuda:all";
                    return Err(reading.error(place, format!("“{name}” is no backend; {expected}")));
                }
                Ok(_) => backends.push(name),
            }
        }
        Ok(if backends.is_empty() { vec!["cpu".to_owned()] } else { backends })
    }

    fn threads(&self, reading: &Source<'a>) -> Result<Vec<usize>> {
        self.threads.map_or(Ok(vec![1]), |raw| reading.parsed(raw, "a number of threads"))
    }

    /// Backends with numbers of threads: a run on a GPU has the first one only.
    fn devices(&self, reading: &Source<'a>) -> Result<Vec<(String, usize)>> {
        let threads = self.threads(reading)?;
        let with_threads = |backend: String| {
            let count = if backend == "cpu" { threads.len() } else { 1 };
            threads.iter().take(count).map(move |&threads| (backend.clone(), threads)).collect::<Vec<_>>()
        };
        Ok(self.backends(reading)?.into_iter().flat_map(with_threads).collect())
    }

    fn options(&self, reading: &Source<'a>) -> Result<Overrides> {
        let mut options = Overrides::default();
        for (name, value) in &self.options {
            let ((name, place), (value, at)) = (reading.scalar(name)?, reading.scalar(value)?);
            let mut declared = registry::problems().flat_map(|problem| problem.options());
            let Some(option) = declared.find(|option| option.name == name) else {
                return Err(
                    reading.error(place, format!("no problem has an option “{name}”; see “gridwright solve --help”"))
                );
            };
            (option.check)(&value).map_err(|what| reading.error(at, format!("{name} = “{value}”: {what}")))?;
            options.set(&name, value);
        }
        Ok(options)
    }

    /// The sources that the part names; patterns become the files that match them, in alphabetical order.
    fn sources(&self, reading: &Source<'a>) -> Result<Vec<(String, Place<'a>)>> {
        let mut sources = Vec::new();
        for raw in &self.instances {
            let (source, place) = reading.scalar(raw)?;
            if registry::is_generated(&source) || !source.contains(['*', '?']) {
                sources.push((source, place));
                continue;
            }
            let path = reading.file(&source);
            let pattern = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let base = path.parent().filter(|base| !base.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let entries = std::fs::read_dir(base).into_iter().flatten().flatten();
            let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
            let found: BTreeSet<String> = names.filter(|name| matches(&pattern, name)).collect();
            if found.is_empty() {
                let what = format!("no file in {} matches “{pattern}”; check folder and pattern", base.display());
                return Err(reading.error(place, what));
            }
            let folder = source.strip_suffix(&pattern).unwrap_or_default();
            sources.extend(found.into_iter().map(|name| (format!("{folder}{name}"), place)));
        }
        Ok(sources)
    }

    /// All combinations of the parameters of all algorithms.
    fn variants(&self, reading: &Source<'a>) -> Result<Vec<Variant<'a>>> {
        let (mut variants, mut labels) = (Vec::new(), BTreeSet::new());
        for algorithm in &self.algorithms {
            let name = reading.scalar(algorithm.name)?;
            let label = algorithm.label.clone().unwrap_or_else(|| name.0.clone());
            if !labels.insert(label.clone()) {
                let what = format!("two algorithms are called “{label}”; give one of them another label");
                return Err(reading.error(name.1, what));
            }
            let entry = label.clone();
            let mut combined = vec![Variant { algorithm: name, entry, label, parameters: Vec::new() }];
            for (name, values) in &algorithm.parameters {
                let ((name, place), values) = (reading.scalar(name)?, reading.values(values)?);
                let is_varied = values.len() > 1;
                let with = |variant: &Variant<'a>, (value, at): &(String, Place<'a>)| {
                    let mut parameters = variant.parameters.clone();
                    parameters.push((name.clone(), place, value.clone(), *at));
                    let label = &variant.label;
                    let label = if is_varied { format!("{label}, {name} {value}") } else { label.clone() };
                    Variant { algorithm: variant.algorithm.clone(), entry: variant.entry.clone(), label, parameters }
                };
                combined = combined
                    .iter()
                    .flat_map(|variant| values.iter().map(|value| with(variant, value)).collect::<Vec<_>>())
                    .collect();
                if combined.len() > MOST_RUNS {
                    return Err(
                        reading.error(place, format!("there are more than {MOST_RUNS} combinations; use fewer values"))
                    );
                }
            }
            variants.extend(combined);
        }
        Ok(variants)
    }
}

impl<'a> Variant<'a> {
    /// Adds the parameters to a run one by one, so that an error is one of the value that was added last.
    fn check(&self, spec: &mut RunSpec, instance: &dyn OpenInstance, reading: &Source<'a>) -> Result<()> {
        check_request(instance, &spec.request(&spec.backend))
            .map_err(|error| reading.error(self.algorithm.1, error))?;
        for (name, place, value, at) in &self.parameters {
            spec.parameters.insert(name.clone(), value.clone());
            let is_unknown = |error: &Error| error.to_string().contains(&format!("“{name}”"));
            instance
                .check_request(&spec.request(&spec.backend))
                .map_err(|error| reading.error(if is_unknown(&error) { *place } else { *at }, error))?;
        }
        Ok(())
    }
}
