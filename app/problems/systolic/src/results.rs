//! Results of binary problems as the window lists them, and the words for their worth.

use std::collections::BTreeMap;
use std::sync::Arc;

use gridwright_core::numbers::{figure, grouped};
use gridwright_core::result::RunResult;
use gridwright_systolic::check::{Worth, check};
use gridwright_systolic::facts::fitness_text;
use gridwright_systolic::stored;
use gridwright_systolic::{Instance, Kind, Weight};

use gridwright_window::runs::{Run, RunStatus};

/// The name under which a result says with which weight a release was sought.
const WEIGHT: &str = "weight";

/// Options of the instance beyond its data, as stored in a result.
pub fn options(instance: &Instance) -> BTreeMap<String, String> {
    let tenths = tenths(instance).map(|tenths| (WEIGHT.to_owned(), Weight(tenths).to_string()));
    tenths.into_iter().collect()
}

/// Formats a cost as the fitness: profit, ones, solved blocks; for a release, the minimised value. Lists and charts have room
/// for three decimals of solved blocks.
pub(crate) fn fitness_words(instance: &Instance, cost: f64) -> String {
    let fitness = instance.kind.fitness(cost);
    match instance.kind {
        Kind::Deceptive { .. } => figure(fitness, 3),
        Kind::NextRelease { .. } => fitness_text(instance, cost),
        // Means of whole numbers are shown as one.
        _ => fitness_text(instance, fitness.round()),
    }
}

/// Formats a value in the unit of the instance.
pub(crate) fn value_words(value: f64, scale: u64) -> String {
    match scale {
        0 | 1 => grouped(value.round() as i64),
        scale => format!("{:.2}", value / scale as f64),
    }
}

/// Weight of the value that a release leaves out, in tenths; `None` for other problems.
pub fn tenths(instance: &Instance) -> Option<u8> {
    match instance.kind {
        Kind::NextRelease { tenths, .. } => Some(tenths),
        _ => None,
    }
}

/// Returns the instance with another weight, in tenths, 0 to 10; other problems than the next release stay as they are.
pub(crate) fn weighed(instance: &Instance, weight: u8) -> Instance {
    let mut instance = instance.clone();
    if let Kind::NextRelease { tenths, .. } = &mut instance.kind {
        *tenths = weight.min(10);
    }
    instance
}

/// The weight with which a result was found.
fn weight_of(result: &RunResult) -> Option<u8> {
    let weight: f64 = result.instance.options.get(WEIGHT)?.parse().ok()?;
    (0.0..=1.0).contains(&weight).then(|| (weight * 10.0).round() as u8)
}

/// Solution of a run with the checker's figures.
#[derive(Debug, Clone)]
pub struct CheckedBits {
    /// The bits of the best solution.
    pub bits: Arc<Vec<bool>>,
    /// Worth of the bits, by the checker.
    pub worth: Worth,
    /// Cost that the search minimised.
    pub cost: f64,
    /// Weight of the value that a release leaves out, in tenths.
    pub tenths: Option<u8>,
    /// The fitness in words.
    pub words: String,
    /// The iteration in which so good a solution was first found, where the result says it.
    pub since: Option<u64>,
}

/// Converts a result into a run of the list, checked anew.
pub(crate) fn validate(instance: &Instance, result: RunResult) -> Run<CheckedBits> {
    let tenths = tenths(instance).map(|present| weight_of(&result).unwrap_or(present));
    let instance = tenths.map_or_else(|| instance.clone(), |tenths| weighed(instance, tenths));
    let (bits, unknown) = match stored::decode(&instance, &result.solution) {
        Ok(bits) => (bits, None),
        Err(why) => (Vec::new(), Some(why)),
    };
    let verdict = check(&instance, &bits);
    let cost = verdict.cost();
    let lines = || verdict.violations.iter().map(|one| one.text.as_str()).collect::<Vec<_>>().join("\n");
    let status = RunStatus::of(&result.verdict, verdict.feasible, cost, lines, unknown);
    let words = fitness_words(&instance, cost);
    let since = stored::iteration_of_best(&result);
    Run::new(result, status, CheckedBits { bits: Arc::new(bits), worth: verdict.worth, cost, tenths, words, since })
}
