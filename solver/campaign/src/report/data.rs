//! Rows in sections, instances and algorithms.

use std::collections::{BTreeMap, BTreeSet};

use gridwright_core::problem::SAMPLE;
use gridwright_core::registry;
use gridwright_core::search::Budget;

use crate::budget_of;
use crate::row::Row;

/// Rows that can be compared with each other: of one problem, with one limit and the same options.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Section<'a> {
    /// Heading.
    pub title: String,
    /// True if the runs end by the clock.
    pub is_timed: bool,
    /// Names of the instances, in alphabetical order.
    pub instances: Vec<String>,
    /// Names of the algorithms, in alphabetical order.
    pub algorithms: Vec<String>,
    /// True if larger figures are better.
    pub is_maximised: bool,
    /// Best figure known of each instance: that of a row, or one that a run has proven.
    pub best_known: Vec<Option<f64>>,
    /// `runs[instance][algorithm]`: rows by seed.
    pub runs: Vec<Vec<Vec<&'a Row>>>,
}

/// Versions of the program that made the rows, in alphabetical order.
pub(crate) fn versions(rows: &[Row]) -> Vec<String> {
    let version = |row: &Row| {
        if row.commit.is_empty() { row.version.clone() } else { format!("{} ({})", row.version, row.commit) }
    };
    rows.iter().map(version).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Groups rows into sections, sorted by problem, limit and options.
pub(crate) fn sections(rows: &[Row]) -> Vec<Section<'_>> {
    let mut groups: BTreeMap<(&str, &str, &str), Vec<&Row>> = BTreeMap::new();
    for row in rows {
        groups.entry((&row.problem, &row.limit, &row.options)).or_default().push(row);
    }
    let (many_versions, backends) =
        (versions(rows).len() > 1, rows.iter().map(|row| (&row.backend, row.threads)).collect::<BTreeSet<_>>());
    let name = |row: &Row| {
        let backend = if backends.len() > 1 { format!(", {} × {}", row.backend, row.threads) } else { String::new() };
        let version = if many_versions { format!(", {} {}", row.version, row.commit) } else { String::new() };
        format!("{}{backend}{}", row.label, version.trim_end())
    };
    groups.into_iter().map(|((problem, limit, options), rows)| section(problem, limit, options, &rows, &name)).collect()
}

/// Name of an instance in reports: its source if it is made from a name, such as «taillard:ta001».
pub(crate) fn instance_name(row: &Row) -> &str {
    let is_made = registry::is_generated(&row.source) && !row.source.starts_with(SAMPLE);
    if is_made { &row.source } else { &row.instance }
}

fn section<'a>(
    problem: &str, limit: &str, options: &str, rows: &[&'a Row], name: &dyn Fn(&Row) -> String,
) -> Section<'a> {
    let digests: BTreeSet<(&str, &str)> =
        rows.iter().map(|row| (instance_name(row), row.instance_digest.as_str())).collect();
    // Different data under one name are different instances.
    let instance = |row: &Row| {
        let is_shared = digests.iter().filter(|(name, _)| *name == instance_name(row)).count() > 1;
        let digest = row.instance_digest.get(..8).unwrap_or_default();
        if is_shared { format!("{} {digest}", instance_name(row)) } else { instance_name(row).to_owned() }
    };
    let instances: BTreeSet<String> = rows.iter().map(|row| instance(row)).collect();
    let algorithms: BTreeSet<String> = rows.iter().map(|row| name(row)).collect();
    let (instances, algorithms) = (Vec::from_iter(instances), Vec::from_iter(algorithms));
    let mut runs = vec![vec![Vec::new(); algorithms.len()]; instances.len()];
    for &row in rows {
        let places = (instances.binary_search(&instance(row)), algorithms.binary_search(&name(row)));
        if let (Ok(instance), Ok(algorithm)) = places {
            runs[instance][algorithm].push(row);
        }
    }
    runs.iter_mut().flatten().for_each(|rows: &mut Vec<&Row>| rows.sort_by_key(|row| (row.seed, row.key.clone())));
    let heading =
        registry::by_id(problem).map_or_else(|| problem.to_owned(), |problem| problem.nouns().heading.to_owned());
    let options = if options.is_empty() { String::new() } else { format!(", {options}") };
    let known = |runs: &Vec<Vec<&Row>>| runs.iter().flatten().find_map(|row| row.best_known);
    let (is_maximised, best_known) = (rows.iter().any(|row| row.is_maximised()), runs.iter().map(known).collect());
    let title = format!("{heading}: limit {limit}{options}");
    let is_timed = matches!(budget_of(limit), Some(Budget::Seconds(_)));
    Section { title, is_timed, instances, algorithms, is_maximised, best_known, runs }
}

impl Section<'_> {
    /// Word for the figures, as people read them.
    pub(crate) fn quantity(&self) -> &'static str {
        if self.is_maximised { "Value" } else { "Cost" }
    }

    /// Name of an axis of figures.
    pub(crate) fn axis_name(&self) -> &'static str {
        if self.is_maximised { "Value (larger is better)" } else { "Cost" }
    }

    /// Costs for rank tests of one algorithm on one instance, infinite for runs without a feasible solution.
    pub(crate) fn costs(&self, instance: usize, algorithm: usize) -> Vec<f64> {
        self.runs[instance][algorithm].iter().map(|row| row.ranked_cost()).collect()
    }

    /// Costs of all algorithms on one instance.
    pub(crate) fn samples(&self, instance: usize) -> Vec<Vec<f64>> {
        (0..self.algorithms.len()).map(|algorithm| self.costs(instance, algorithm)).collect()
    }

    /// Mean costs of all algorithms on those instances on which each has a run: the blocks of tests across instances.
    pub(crate) fn blocks(&self) -> Vec<Vec<f64>> {
        let mean = |costs: Vec<f64>| costs.iter().sum::<f64>() / costs.len() as f64;
        let complete = |instance: &usize| self.runs[*instance].iter().all(|runs| !runs.is_empty());
        (0..self.instances.len())
            .filter(complete)
            .map(|instance| self.samples(instance).into_iter().map(mean).collect())
            .collect()
    }
}
