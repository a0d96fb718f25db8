//! Parameters of runs in words: all of them, those that differ from the usual ones, and those in which two runs differ.

use gridwright_core::numbers::duration;
use gridwright_core::result::RunResult;
use gridwright_core::search::{Algorithms, Parameter, Value};

use super::kind::DocumentKind;
use super::{Document, Run};
use crate::document::kind::Algorithm;
use crate::run_list::ParameterWords;
use crate::widgets::parameters::words;

struct Held {
    parameter: &'static Parameter,
    value: Value,
    usual: Value,
}

impl Held {
    fn words(&self) -> String {
        words(self.parameter, &self.value)
    }

    /// Returns `true` if the search chooses the value unless the user sets it.
    fn is_automatic(&self) -> bool {
        match &self.usual {
            Value::Choice(word) => word == "automatic",
            usual => !matches!(self.parameter.zero, "" | "never") && usual.real() == 0.0,
        }
    }

    /// Returns `true` if the value tells the run from a usual one. Of automatic values it is not known who set them.
    fn is_unusual(&self) -> bool {
        !self.is_automatic() && !is_equal(&self.value, &self.usual)
    }

    /// «tournament 256», or «greedy descent off».
    fn named(&self) -> String {
        format!("{} {}", self.parameter.label.to_lowercase(), self.words().to_lowercase())
    }
}

fn is_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Integer(_) | Value::Real(_), Value::Integer(_) | Value::Real(_)) => a.real() == b.real(),
        _ => a == b,
    }
}

/// The parameters of a result in the order in which people see them; empty for an algorithm that is no longer known.
fn held<A: Algorithms>(result: &RunResult) -> Vec<Held> {
    let Some(usual) = A::with_defaults(&result.algorithm) else { return Vec::new() };
    let hold = |parameter: &'static Parameter| {
        let value = result.parameters.get(parameter.name)?.clone();
        Some(Held { parameter, value, usual: usual.parameters().get(parameter.name)? })
    };
    usual.list().iter().filter_map(hold).collect()
}

impl<K: DocumentKind> Document<K> {
    /// Words of the parameters of a run: those that distinguish it, and all of them.
    pub fn parameter_words(&self, run: &Run<K>) -> ParameterWords {
        let own = held::<Algorithm<K>>(&run.result);
        let others = || self.runs.iter().filter(|other| other.result.algorithm == run.result.algorithm);
        let varies = |held: &Held| {
            let mut values = others().filter_map(|other| other.result.parameters.get(held.parameter.name));
            // Temperatures that a search measures are others in every run.
            !matches!(held.value, Value::Real(_)) && values.any(|value| !is_equal(value, &held.value))
        };
        let telling = own.iter().filter(|held| held.is_unusual() || varies(held));
        let line = |held: &Held| {
            let usual = words(held.parameter, &held.usual);
            let more = if is_equal(&held.value, &held.usual) { String::new() } else { format!(" (usually {usual})") };
            format!("{}: {}{more}", held.parameter.label, held.words())
        };
        ParameterWords {
            telling: telling.map(Held::named).collect::<Vec<_>>().join(", "),
            all: own.iter().map(line).collect::<Vec<_>>().join("\n"),
        }
    }

    /// One sentence about the parameters in which two runs differ; `None` if a run is no longer there.
    pub fn parameter_difference(&self, numbers: [usize; 2]) -> Option<String> {
        let [a, b] = [self.run(numbers[0])?, self.run(numbers[1])?];
        let pair = format!("Run {} and run {}", a.number, b.number);
        let mut different = Vec::new();
        let mut tell = |name: &str, values: [String; 2]| {
            if values[0] != values[1] {
                different.push(format!("{name} ({} and {})", values[0], values[1]));
            }
        };
        let label = |run: &Run<K>| {
            let algorithm = <Algorithm<K>>::with_defaults(&run.result.algorithm);
            algorithm.map_or(run.result.algorithm.clone(), |algorithm| algorithm.descriptor().label.to_owned())
        };
        tell("algorithm", [label(a), label(b)]);
        if a.result.algorithm == b.result.algorithm {
            let [a, b] = [a, b].map(|run| held::<Algorithm<K>>(&run.result));
            for (a, b) in a.iter().zip(&b) {
                tell(&a.parameter.label.to_lowercase(), [a.words(), b.words()]);
            }
        }
        tell("seed", [a, b].map(|run| run.result.seed.to_string()));
        let limit = |run: &Run<K>| run.result.time_limit.map_or_else(|| "none".to_owned(), duration);
        tell("time limit", [limit(a), limit(b)]);
        Some(match different.as_slice() {
            [] => format!("{pair} have the same algorithm, parameters and seed."),
            _ => format!("{pair} differ in {}.", different.join(", ")),
        })
    }
}
