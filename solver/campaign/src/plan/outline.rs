//! A plan with one part, read without opening its instances, as a form shows it.

use std::path::Path;

use gridwright_core::Result;
use gridwright_core::search::Budget;
use ron::value::RawValue;

use super::{Source, written};

/// Names and values as they are written; several values are a list.
pub type Pairs = Vec<(String, Vec<String>)>;

/// Contents of a plan with one part.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    /// Name of the campaign.
    pub name: String,
    /// Sources of the instances.
    pub instances: Vec<String>,
    /// Options of the problem.
    pub options: Pairs,
    /// Names of the algorithms, each with its parameters.
    pub algorithms: Vec<(String, Pairs)>,
    /// Seeds.
    pub seeds: Vec<u64>,
    /// Limit of the runs; `None`: the usual one of each algorithm.
    pub limit: Option<Budget>,
    /// Displayed cost at which a run stops.
    pub target: Option<f64>,
    /// Backends.
    pub backends: Vec<String>,
    /// Threads of the CPU.
    pub threads: usize,
}

/// Reads the text of a plan that lies at `path`; the inner error says in the end of a sentence why it is more than a plan with
/// one part: «it has two parts».
///
/// # Errors
/// [`gridwright_core::Error::Line`] if the text is no plan.
pub fn outline(path: &Path, text: &str) -> Result<std::result::Result<Outline, String>> {
    let reading = Source { path, data: Path::new(""), text };
    let written = written(path, text)?;
    let refused = |why: &str| Ok(Err(why.to_owned()));
    let [part] = &written.parts[..] else { return Ok(Err(format!("it has {} parts", written.parts.len()))) };
    if !written.published.is_empty() {
        return refused("it has printed figures of a paper");
    }
    if part.algorithms.iter().any(|algorithm| algorithm.label.is_some()) {
        return refused("it gives an algorithm a label");
    }
    if part.stall.is_some() {
        return refused("it stops runs that find nothing better");
    }
    if !part.reference.is_empty() {
        return refused("it has a reference point");
    }
    if part.alone {
        return refused("it has runs that share the machine with no other one");
    }
    let &[threads] = &part.threads(&reading)?[..] else { return refused("it has runs on several numbers of threads") };
    let scalar = |raw: &&RawValue| reading.scalar(raw).map(|(text, _)| text);
    let pair = |(name, value): (&&RawValue, &&RawValue)| {
        let items = reading.items(value)?.into_iter().map(|item| scalar(&item)).collect::<Result<_>>()?;
        Ok((scalar(name)?, items))
    };
    let mut algorithms = Vec::new();
    for algorithm in &part.algorithms {
        let parameters = algorithm.parameters.iter().map(pair).collect::<Result<Pairs>>()?;
        algorithms.push((scalar(&algorithm.name)?, parameters));
    }
    Ok(Ok(Outline {
        name: written.name.clone(),
        instances: part.instances.iter().map(scalar).collect::<Result<_>>()?,
        options: part.options.iter().map(pair).collect::<Result<_>>()?,
        algorithms,
        seeds: reading.parsed(part.seeds, "a seed (a whole number from 0)")?,
        limit: part.budget(&reading)?,
        target: part.target,
        backends: part.backends(&reading)?,
        threads,
    }))
}
