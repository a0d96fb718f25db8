//! Text of a plan from the entries of a form, and the entries of a plan that a form can hold.

use std::fmt::Write as _;
use std::path::Path;

use gridwright_campaign::plan::{Outline, Pairs, outline};
use gridwright_core::search::Budget;
use gridwright_core::text::notation::{Evidence, written};

use super::editor::has_comments;

/// Entries of the form for a plan with one part.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entries {
    /// Name of the campaign.
    pub name: String,
    /// Sources of the instances.
    pub instances: Vec<String>,
    /// Options of the problem, as `name=value; …`.
    pub options: String,
    /// Names of the algorithms, each with its parameters as `name=value, value; …`.
    pub algorithms: Vec<(String, String)>,
    /// Number of seeds, from 1.
    pub seeds: u64,
    /// Limit of the runs; `None`: the usual one of each algorithm.
    pub limit: Option<Budget>,
    /// Cost at which a run stops; empty for none.
    pub target: String,
    pub(crate) backends: Vec<String>,
    /// Threads of the CPU.
    pub threads: usize,
}

/// A text in quotation marks.
fn quoted(text: &str) -> String {
    ron::to_string(text).unwrap_or_default()
}

/// A value as RON writes it: numbers as they are, everything else in quotation marks.
fn value(text: &str) -> String {
    let is_number = text.parse::<f64>().is_ok_and(f64::is_finite);
    if is_number { text.to_owned() } else { quoted(text) }
}

/// Pairs of names and values of `name=value; …`; values that commas separate become a list.
///
/// # Errors
/// A sentence about the first pair without a name or value.
fn pairs(text: &str) -> Result<Vec<(String, Vec<String>)>, String> {
    let pieces = text.split([';', '\n']).map(str::trim).filter(|piece| !piece.is_empty());
    let pair = |piece: &str| {
        let wrong =
            || format!("“{piece}” is no parameter; write it as name=value, and several as name=value; name=value");
        let (name, values) = piece.split_once('=').ok_or_else(wrong)?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
        if name.trim().is_empty() || values.iter().any(String::is_empty) {
            Err(wrong())
        } else {
            Ok((name.trim().to_owned(), values))
        }
    };
    pieces.map(pair).collect()
}

/// A map of names and values.
fn map(pairs: &[(String, Vec<String>)]) -> String {
    let entry = |(name, values): &(String, Vec<String>)| {
        let all: Vec<String> = values.iter().map(|text| value(text)).collect();
        let all = if let [one] = &all[..] { one.clone() } else { format!("[{}]", all.join(", ")) };
        format!("{}: {all}", quoted(name))
    };
    format!("{{{}}}", pairs.iter().map(entry).collect::<Vec<_>>().join(", "))
}

/// Options of a problem; a comma is part of the value, as in `objective=makespan,flowtime`.
fn options(text: &str) -> Result<Vec<(String, Vec<String>)>, String> {
    let joined = |(name, values): (String, Vec<String>)| (name, vec![values.join(",")]);
    Ok(pairs(text)?.into_iter().map(joined).collect())
}

/// Names and values as a field of the form has them: `name=value, value; …`.
fn field(pairs: &Pairs) -> String {
    let pair = |(name, values): &(String, Vec<String>)| format!("{name}={}", values.join(", "));
    pairs.iter().map(pair).collect::<Vec<_>>().join("; ")
}

impl Entries {
    /// Entries with which the form writes the plan with this text, which lies at `path`.
    ///
    /// # Errors
    /// Why the form cannot hold the plan, as the end of a sentence: «it has two parts».
    pub(crate) fn of_plan(path: &Path, text: &str) -> Result<Self, String> {
        if has_comments(text) {
            return Err("it has comments, which the form would leave out".to_owned());
        }
        let read = |text: &str| match outline(path, text) {
            Ok(outline) => outline,
            Err(_) => Err("it has a fault".to_owned()),
        };
        let outline = read(text)?;
        let Outline { name, instances, options, algorithms, seeds, limit, target, backends, threads } = &outline;
        let entries = Self {
            name: name.clone(),
            instances: instances.clone(),
            options: field(options),
            algorithms: algorithms.iter().map(|(name, parameters)| (name.clone(), field(parameters))).collect(),
            seeds: seeds.len() as u64,
            limit: *limit,
            target: target.map_or_else(String::new, written),
            backends: backends.clone(),
            threads: *threads,
        };
        if !seeds.iter().copied().eq(1..=entries.seeds) {
            return Err("its seeds do not go from 1 upwards".to_owned());
        }
        match read(&entries.text()) {
            Ok(again) if again == outline => Ok(entries),
            _ => Err("a name or a value in it holds a sign that separates values in the form".to_owned()),
        }
    }

    /// Cost at which a run stops; `None` for none.
    ///
    /// # Errors
    /// Why the text is no cost, or both of its readings.
    fn target(&self) -> Result<Option<f64>, String> {
        let text = self.target.trim();
        if text.is_empty() {
            return Ok(None);
        }
        if let Some(why) = Evidence::default().doubt(text) {
            return Err(format!("Target cost: {why}"));
        }
        let number = Evidence::default().read(text).ok().and_then(|number| number.parse().ok());
        number.map(Some).ok_or_else(|| format!("“{text}” is no cost; write a number, or leave the target empty"))
    }

    /// The first entry that is missing or cannot be understood, in one sentence; `None` if a plan can be written.
    pub(super) fn fault(&self) -> Option<String> {
        if self.name.trim().is_empty() {
            return Some("Give the campaign a name".to_owned());
        }
        if self.instances.is_empty() {
            return Some("Name at least one instance, one in each line".to_owned());
        }
        if self.algorithms.is_empty() {
            return Some("Tick at least one algorithm".to_owned());
        }
        if self.backends.is_empty() {
            return Some("Tick at least one device".to_owned());
        }
        if let Err(why) = self.target() {
            return Some(why);
        }
        let parameters = self.algorithms.iter().find_map(|(_, parameters)| pairs(parameters).err());
        options(&self.options).err().or(parameters)
    }

    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "(\n    format: 1,\n    name: {},\n    parts: [(\n        instances: [\n",
            quoted(self.name.trim())
        );
        // Writing to a string cannot fail.
        for instance in &self.instances {
            let _ = writeln!(text, "            {},", quoted(instance));
        }
        text.push_str("        ],\n");
        let given = options(&self.options).unwrap_or_default();
        if !given.is_empty() {
            let _ = writeln!(text, "        options: {},", map(&given));
        }
        text.push_str("        algorithms: [\n");
        for (name, parameters) in &self.algorithms {
            let parameters = pairs(parameters).unwrap_or_default();
            let own = if parameters.is_empty() { String::new() } else { format!(", parameters: {}", map(&parameters)) };
            let _ = writeln!(text, "            (name: {}{own}),", quoted(name));
        }
        let _ = writeln!(text, "        ],\n        seeds: \"1..={}\",", self.seeds);
        let limit = self.limit.map(|limit| match limit {
            Budget::Steps(steps) => format!("Steps({steps})"),
            Budget::Evaluations(count) => format!("Evaluations({count})"),
            Budget::Seconds(seconds) => format!("Seconds({seconds:?})"),
        });
        if let Some(limit) = limit {
            let _ = writeln!(text, "        limit: {limit},");
        }
        if let Ok(Some(target)) = self.target() {
            let _ = writeln!(text, "        target: {target:?},");
        }
        let backends: Vec<String> = self.backends.iter().map(|name| quoted(name)).collect();
        let _ = writeln!(text, "        backends: [{}],", backends.join(", "));
        if self.threads != 1 {
            let _ = writeln!(text, "        threads: {},", self.threads);
        }
        text.push_str("    )],\n)\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use gridwright_campaign::plan;
    use gridwright_core::registry;
    use gridwright_core::search::Budget;

    use super::*;

    fn entries() -> Entries {
        registry::register(&[&gridwright_systolic::problem::Systolic]);
        let problem = registry::problems().find(|problem| !problem.profile().samples.is_empty()).unwrap();
        let algorithms = problem.descriptor().algorithms;
        Entries {
            name: "a \"small\" one".to_owned(),
            instances: vec![format!("sample:{}", problem.profile().samples[0])],
            options: String::new(),
            algorithms: algorithms.iter().take(2).map(|algorithm| (algorithm.name.to_owned(), String::new())).collect(),
            seeds: 3,
            limit: Some(Budget::Steps(20)),
            target: "0.5".to_owned(),
            backends: vec!["cpu".to_owned()],
            threads: 2,
        }
    }

    #[test]
    fn the_written_plan_is_read_as_it_was_meant() {
        let entries = entries();
        assert_eq!(entries.fault(), None);
        let read = plan::of_text(Path::new("plan.ron"), entries.text(), Path::new("data"), &gridwright_campaign::open)
            .unwrap();
        assert_eq!((read.name.as_str(), read.runs.len()), ("a \"small\" one", 6));
        let run = &read.runs[0];
        assert_eq!((run.budget, run.target, run.threads), (Some(Budget::Steps(20)), Some(0.5), 2));
        assert_eq!(run.algorithm, entries.algorithms[0].0);
    }

    #[test]
    fn parameters_become_numbers_words_lists_and_ranges() {
        let parsed = pairs("population = 16, 64; crossover=0.1..=0.9 step 0.2; start=random").unwrap();
        let expected = r#"{"population": [16, 64], "crossover": "0.1..=0.9 step 0.2", "start": "random"}"#;
        assert_eq!(map(&parsed), expected);
        assert_eq!(map(&options("objective=makespan,flowtime").unwrap()), r#"{"objective": "makespan,flowtime"}"#);
    }

    #[test]
    fn a_plan_that_the_form_can_hold_comes_back_and_others_say_why_not() {
        let mut entries = entries();
        entries.algorithms[0].1 = "population=16, 64; crossover=0.1..=0.9 step 0.2".to_owned();
        entries.options = "objective=makespan,flowtime".to_owned();
        let (path, text) = (Path::new("plan.ron"), entries.text());
        let found = Entries::of_plan(path, &text).unwrap();
        assert_eq!(found.text(), Entries { algorithms: found.algorithms.clone(), ..entries }.text());
        // Names of parameters are in alphabetical order.
        assert_eq!(found.algorithms[0].1, "crossover=0.1..=0.9 step 0.2; population=16, 64");
        for (change, why) in [
            (("seeds: \"1..=3\"", "seeds: [2, 5]"), "from 1 upwards"),
            (("    parts", "    // quick\n    parts"), "comments"),
            (("threads: 2", "stall: 9"), "nothing better"),
            (("threads: 2", "threads: [1, 2]"), "several numbers of threads"),
            (("(name: ", "(label: \"a\", name: "), "a label"),
            (("\"makespan,flowtime\"", "\"a;b\""), "separates values"),
            (("format: 1", "format: one"), "a fault"),
        ] {
            assert!(text.contains(change.0), "{} in {text}", change.0);
            let refused = Entries::of_plan(path, &text.replacen(change.0, change.1, 1)).unwrap_err();
            assert!(refused.contains(why), "{refused}");
        }
    }

    #[test]
    fn what_is_missing_is_said() {
        for (change, words) in [
            ((|entries| entries.name.clear()) as fn(&mut Entries), "a name"),
            (|entries| entries.instances.clear(), "at least one instance"),
            (|entries| entries.algorithms.clear(), "at least one algorithm"),
            (|entries| entries.backends.clear(), "at least one device"),
            (|entries| entries.target = "low".to_owned(), "“low” is no cost"),
            (|entries| entries.target = "1.500".to_owned(), "«1.500» is 1500 or 1.5"),
            (|entries| entries.algorithms[0].1 = "population".to_owned(), "name=value"),
            (|entries| entries.options = "=3".to_owned(), "name=value"),
        ] {
            let mut entries = entries();
            change(&mut entries);
            let fault = entries.fault().unwrap();
            assert!(fault.contains(words), "{fault}");
        }
    }
}
