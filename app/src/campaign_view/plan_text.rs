//! Text of a plan from the entries of a form.

use std::fmt::Write as _;

/// Limit of the runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// The usual one of each algorithm.
    Usual,
    /// Generations or steps.
    Steps(u64),
    /// Evaluated solutions or moves.
    Evaluations(u64),
    /// Seconds.
    Seconds(f64),
}

/// Entries of the form for a plan with one part.
#[derive(Debug, Clone, PartialEq)]
pub struct Entries {
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
    /// Limit of the runs.
    pub limit: Limit,
    /// Cost at which a run stops; empty for none.
    pub target: String,
    /// Backends.
    pub backends: Vec<String>,
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

impl Entries {
    /// The first entry that is missing or cannot be understood, in one sentence; `None` if a plan can be written.
    pub fn fault(&self) -> Option<String> {
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
        let target = self.target.trim();
        if !target.is_empty() && !target.parse::<f64>().is_ok_and(f64::is_finite) {
            return Some(format!("“{target}” is no cost; write a number, or leave the target empty"));
        }
        let parameters = self.algorithms.iter().find_map(|(_, parameters)| pairs(parameters).err());
        options(&self.options).err().or(parameters)
    }

    /// Text of the plan.
    pub fn text(&self) -> String {
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
        match self.limit {
            Limit::Usual => {}
            Limit::Steps(steps) => drop(writeln!(text, "        limit: Steps({steps}),")),
            Limit::Evaluations(count) => drop(writeln!(text, "        limit: Evaluations({count}),")),
            Limit::Seconds(seconds) => drop(writeln!(text, "        limit: Seconds({seconds:?}),")),
        }
        if let Ok(target) = self.target.trim().parse::<f64>() {
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

    use gridwright_solver::campaign::plan;
    use gridwright_solver::registry;
    use gridwright_solver::search::Budget;

    use super::*;
    use crate::campaign::opening::Instances;
    use crate::registry as uis;

    fn entries() -> Entries {
        let problem = registry::problems().find(|problem| !problem.samples().is_empty()).unwrap();
        let algorithms = uis::ui_of(problem).unwrap().algorithms;
        Entries {
            name: "a \"small\" one".to_owned(),
            instances: vec![format!("sample:{}", problem.samples()[0])],
            options: String::new(),
            algorithms: algorithms.iter().take(2).map(|algorithm| (algorithm.name.to_owned(), String::new())).collect(),
            seeds: 3,
            limit: Limit::Steps(20),
            target: "0.5".to_owned(),
            backends: vec!["cpu".to_owned()],
            threads: 2,
        }
    }

    #[test]
    fn the_written_plan_is_read_as_it_was_meant() {
        let entries = entries();
        assert_eq!(entries.fault(), None);
        let read = plan::of_text(Path::new("plan.ron"), entries.text(), Path::new("data"), &Instances).unwrap();
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
    fn what_is_missing_is_said() {
        for (change, words) in [
            ((|entries| entries.name.clear()) as fn(&mut Entries), "a name"),
            (|entries| entries.instances.clear(), "at least one instance"),
            (|entries| entries.algorithms.clear(), "at least one algorithm"),
            (|entries| entries.backends.clear(), "at least one device"),
            (|entries| entries.target = "low".to_owned(), "“low” is no cost"),
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
