//! Table of the objectives' values in the fronts of a section.

use std::borrow::Cow;

use gridwright_core::statistics::summary::summarise;

use super::data::Section;
use super::tables::{Cell, Table};
use crate::row::Row;

/// Front of one run.
struct Front<'a> {
    row: &'a Row,
    /// Smallest value of each objective, in the order of the row's objectives.
    least: Vec<f64>,
}

impl<'a> Front<'a> {
    /// `None` for rows without a front, and for those whose points cannot be read.
    fn of(row: &'a Row) -> Option<Self> {
        let point = |text: &str| text.split_whitespace().map(|value| value.parse().ok()).collect::<Option<Vec<f64>>>();
        let points: Vec<Vec<f64>> = row.front_points.split(';').map(point).collect::<Option<_>>()?;
        let first = points.first().filter(|first| !first.is_empty())?;
        let least = |objective: usize| {
            points.iter().try_fold(f64::INFINITY, |least, point| Some(f64::min(least, *point.get(objective)?)))
        };
        let least = (0..first.len()).map(least).collect::<Option<_>>()?;
        Some(Self { row, least })
    }
}

/// Smallest values of each objective in the fronts of each algorithm on each instance; `None` for a section without fronts.
pub(super) fn fronts(section: &Section<'_>) -> Option<Table> {
    let mut rows = Vec::new();
    for (instance, runs) in section.instances.iter().zip(&section.runs) {
        for (algorithm, runs) in section.algorithms.iter().zip(runs) {
            let fronts: Vec<Front<'_>> = runs.iter().filter_map(|row| Front::of(row)).collect();
            rows.extend(of_algorithm(instance, algorithm, &fronts));
        }
    }
    (!rows.is_empty()).then(|| Table {
        name: Cow::Borrowed("fronts"),
        title: "Fronts".to_owned(),
        reading: "Least: smallest value of the objective in the fronts of all runs; mean: of the smallest values of the runs. \
                  Solutions and hypervolume are means of the runs; the points of each front are in the table of rows."
            .to_owned(),
        columns: vec!["Instance", "Algorithm", "Runs", "Objective", "Least", "Mean", "Solutions", "Hypervolume"],
        rows,
    })
}

/// A row for each objective.
fn of_algorithm(instance: &str, algorithm: &str, fronts: &[Front<'_>]) -> Vec<Vec<Cell>> {
    let Some(first) = fronts.first() else { return Vec::new() };
    let mean = |values: Vec<f64>| summarise(&values).map(|summary| summary.mean);
    let number = |value: Option<f64>, decimals| value.map_or(Cell::Empty, |value| Cell::Number(value, decimals));
    let solutions = mean(fronts.iter().filter_map(|front| front.row.front).map(|count| count as f64).collect());
    let hypervolume = mean(fronts.iter().filter_map(|front| front.row.hypervolume).collect());
    let of_objective = |(index, name): (usize, &str)| {
        let least: Vec<f64> = fronts.iter().filter_map(|front| front.least.get(index).copied()).collect();
        vec![
            Cell::Text(instance.to_owned()),
            Cell::Text(algorithm.to_owned()),
            Cell::Number(fronts.len() as f64, 0),
            Cell::Text(name.trim().to_owned()),
            number(least.iter().copied().reduce(f64::min), 2),
            number(mean(least), 2),
            number(solutions, 1),
            number(hypervolume, 5),
        ]
    };
    first.row.front_objectives.split(',').enumerate().map(of_objective).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(points: &str, seed: u64) -> Row {
        Row {
            problem: "shops".to_owned(),
            instance: "a".to_owned(),
            label: "tabu".to_owned(),
            limit: "20 steps".to_owned(),
            seed,
            cost: Some(5.0),
            front: Some(points.split(';').count()),
            front_objectives: "makespan, flowtime".to_owned(),
            front_points: points.to_owned(),
            hypervolume: Some(0.5),
            feasible: true,
            checked: true,
            ..Row::default()
        }
    }

    #[test]
    fn each_objective_has_its_least_and_mean_value() {
        let rows = [row("12 40; 14 36", 1), row("10 50", 2)];
        let sections = super::super::data::sections(&rows);
        let table = fronts(&sections[0]).unwrap();
        let shown: Vec<String> =
            table.rows.iter().map(|row| row.iter().map(Cell::shown).collect::<Vec<_>>().join("|")).collect();
        assert_eq!(shown, ["a|tabu|2|makespan|10|11|1.5|0.5", "a|tabu|2|flowtime|36|43|1.5|0.5"]);
        let all = super::super::tables::all(&sections[0]);
        assert!(all.iter().any(|table| table.name == "fronts"));
        let single =
            [Row { front: None, front_objectives: String::new(), front_points: String::new(), ..row("1 2", 1) }];
        assert_eq!(fronts(&super::super::data::sections(&single)[0]), None);
    }
}
