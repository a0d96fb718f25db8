//! Differences of fresh tables to the present ones, for every problem that has tables.

use std::collections::HashSet;
use std::sync::Arc;

use gridwright_core::data::update::{FreshData, Update};
use gridwright_core::data::{DataTable, Dataset, Row, TableSpec, ValueKind, lists};
use gridwright_core::planning::ProblemDescriptor;
use gridwright_core::random::Philox;
use gridwright_core::registry;

/// Random words, a few for each change.
struct Words {
    random: Philox,
    number: u64,
}

impl Words {
    fn below(&mut self, end: usize) -> usize {
        self.number += 1;
        self.random.words(self.number as u32, 0, 0, 0)[0] as usize % end.max(1)
    }

    fn happens(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }
}

fn rows(table: &DataTable) -> Vec<Row> {
    table.rows.iter().cloned().collect()
}

/// Returns `true` for columns whose values tell rows apart or refer to others.
fn is_key(spec: &TableSpec, column: usize) -> bool {
    let kind = spec.kind(column);
    spec.key_columns().contains(&column) || matches!(kind, ValueKind::Reference(_) | ValueKind::References(_))
}

/// Names of the rows of each table after the change.
fn change_names(specs: &[TableSpec], data: &mut Dataset, words: &mut Words) -> Vec<HashSet<String>> {
    let mut names = vec![HashSet::new(); specs.len()];
    for (at, spec) in specs.iter().enumerate().filter(|(_, spec)| !spec.is_form) {
        let mut all = rows(&data.tables[at]);
        all.retain(|_| !words.happens(6));
        for _ in 0..words.below(4) {
            let (Some(name), false) = (spec.name_column(), all.is_empty()) else { break };
            let row = all[words.below(all.len())].with(name, &format!("New {} of row {}", spec.noun, words.number));
            all.push(row);
        }
        names[at] = spec
            .name_column()
            .map_or_else(HashSet::new, |column| all.iter().map(|row| row.cell(column).to_owned()).collect());
        data.tables[at].rows = all.into_iter().collect();
    }
    names
}

/// Lets rows refer to rows that are there, adds pairs, and exchanges other cells within their columns.
fn change_cells(specs: &[TableSpec], data: &mut Dataset, names: &[HashSet<String>], words: &mut Words) {
    for (at, spec) in specs.iter().enumerate().filter(|(_, spec)| !spec.is_form) {
        let mut all = rows(&data.tables[at]);
        for column in 0..data.tables[at].width(spec) {
            let target = |id: &str| specs.iter().position(|spec| spec.id == id).unwrap();
            match spec.kind(column) {
                ValueKind::Reference(id) => {
                    let names = &names[target(id)];
                    let mut sorted: Vec<&String> = names.iter().collect();
                    sorted.sort();
                    for _ in 0..words.below(3) {
                        if let (false, Some(row)) = (sorted.is_empty(), all.first().cloned()) {
                            all.push(row.with(column, sorted[words.below(sorted.len())]));
                        }
                    }
                    all.retain(|row| names.contains(row.cell(column)));
                }
                ValueKind::References(id) => {
                    let kept = |row: &Row| {
                        lists::joined(lists::items(row.cell(column)).filter(|name| names[target(id)].contains(*name)))
                    };
                    all = all.iter().map(|row| row.with(column, &kept(row))).collect();
                }
                _ if is_key(spec, column) => {}
                _ => {
                    for row in 0..all.len() {
                        if words.happens(5) {
                            all[row] = all[row].with(column, all[words.below(all.len())].clone().cell(column));
                        }
                    }
                }
            }
        }
        if let Some(wide) = spec.wide {
            let mut seen = HashSet::new();
            all.retain(|row| seen.insert((row.cell(wide.row).to_owned(), row.cell(wide.column).to_owned())));
            all.retain(|row| !spec.is_of_different || row.cell(wide.row) != row.cell(wide.column));
        }
        data.tables[at].rows = all.into_iter().collect();
    }
}

/// Copy of the data with rows in another order and names with other blanks and letters.
fn rewritten(specs: &[TableSpec], data: &Dataset, words: &mut Words) -> Dataset {
    let mut data = data.clone();
    for (at, spec) in specs.iter().enumerate().filter(|(_, spec)| !spec.is_form) {
        let mut all = rows(&data.tables[at]);
        for place in (1..all.len()).rev() {
            // Rows without dates have nothing but their order.
            if spec.identity.iter().all(|column| !all[place].cell(*column).is_empty()) {
                all.swap(place, words.below(place + 1));
            }
        }
        for row in &mut all {
            for column in 0..spec.columns.len() {
                let is_name = matches!(spec.kind(column), ValueKind::Name | ValueKind::Reference(_));
                if is_name && words.happens(3) {
                    let blanks = row.cell(column).replace(' ', "  ");
                    *row = row.with(column, &format!(" {} ", blanks.to_uppercase()));
                }
            }
        }
        data.tables[at].rows = all.into_iter().collect();
    }
    data
}

fn sorted(data: &Dataset) -> Vec<(Vec<String>, Vec<Row>)> {
    let sorted = |table: &DataTable| {
        let mut rows = rows(table);
        rows.sort();
        (table.further.clone(), rows)
    };
    data.tables.iter().map(sorted).collect()
}

/// Changes the data of a sample at random; returns the number of differences.
fn differences_are_taken_over(problem: &ProblemDescriptor, source: &str, seed: u64) -> usize {
    let specs = problem.tables;
    let mut words = Words { random: Philox::new(seed), number: 0 };
    let present = Arc::new((problem.read_data)(source, &Default::default()).unwrap());
    let mut expected = (*present).clone();
    let names = change_names(specs, &mut expected, &mut words);
    change_cells(specs, &mut expected, &names, &mut words);
    let expected = (problem.normal_data)(&expected).unwrap_or(expected);
    let place = format!("{source}, seed {seed}");

    let same = rewritten(specs, &present, &mut words);
    let update = Update::of(specs, &present, FreshData::whole(specs, same), problem.normal_data);
    let told: Vec<String> = (0..update.changes.len().min(5)).map(|index| update.text(index)).collect();
    assert!(told.is_empty(), "{place}: order and spelling are no differences: {told:?}");

    let fresh = rewritten(specs, &expected, &mut words);
    let update = Update::of(specs, &present, FreshData::whole(specs, fresh), problem.normal_data);
    let count = update.changes.len();
    assert_eq!(update.applied(&vec![false; count]), *present, "{place}");
    let all = update.applied(&vec![true; count]);
    let is_spelled_alike = |data: &Dataset| {
        let lower = |row: &Row| {
            Row::of(row.cells().map(|cell| cell.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")))
        };
        let mut data = data.clone();
        data.tables.iter_mut().for_each(|table| table.rows = table.rows.iter().map(lower).collect());
        sorted(&data)
    };
    assert_eq!(is_spelled_alike(&all), is_spelled_alike(&expected), "{place}");

    // Any lines may be ticked: rows that would name what is not there are told.
    for _ in 0..4 {
        let ticked: Vec<bool> = (0..count).map(|_| words.happens(2)).collect();
        let data = update.applied(&ticked);
        let issues = (problem.check_data)(&data).err().unwrap_or_default();
        let dangling = issues.iter().find(|issue| issue.what.contains("is not in the table"));
        let contradictions = update.contradictions(&data, &ticked);
        assert_eq!(dangling.is_some(), !contradictions.is_empty(), "{place}: {dangling:?}, {contradictions:?}");
    }
    count
}

#[test]
fn any_fresh_tables_of_every_problem_are_taken_over() {
    gridwright::register();
    for problem in registry::problems().filter(|problem| !problem.descriptor().tables.is_empty()) {
        let sample = format!("sample:{}", problem.profile().samples[0]);
        let counts: Vec<usize> =
            (0..24).map(|seed| differences_are_taken_over(problem.descriptor(), &sample, seed)).collect();
        println!("{sample}: {counts:?} differences");
        assert!(counts.iter().all(|count| *count > 0));
    }
}
