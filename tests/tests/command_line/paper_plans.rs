//! The plans with the tables of five papers: every printed figure is there, and every plan can be run.

use std::path::{Path, PathBuf};

use gridwright_campaign::plan;
use gridwright_campaign::published::PublishedTable;

use super::test_folder::TestFolder;

/// Plan, table, cells with a figure, cells with a standard deviation, cells that cannot be compared.
type Count = (&'static str, &'static str, usize, usize, usize);

const COUNTS: [Count; 35] = [
    ("exams-costs", "Table 4", 39, 0, 0),
    ("exams-costs", "Table 5", 39, 0, 0),
    ("exams-costs", "Table 6", 39, 0, 0),
    ("exams-costs", "Table 7", 39, 0, 0),
    ("exams-costs", "Table 8", 39, 0, 0),
    ("exams-costs", "Table 9", 39, 0, 0),
    ("exams-costs", "Table 10", 74, 0, 61),
    ("exams-times", "Table 2", 16, 0, 0),
    ("exams-times", "Table 3", 16, 0, 4),
    ("exams-times", "Figures 4 to 7", 1, 0, 1),
    ("layouts", "Table 4", 15, 0, 0),
    ("layouts", "Figures 10 to 20", 6, 0, 6),
    ("makespan", "Table 1", 48, 0, 0),
    ("makespan", "Figures 4 and 5", 18, 0, 18),
    ("multiobjective", "Table 2", 80, 0, 0),
    ("multiobjective", "Table 3", 88, 0, 0),
    ("multiobjective", "Table 4", 88, 0, 0),
    ("multiobjective", "Table 5", 24, 0, 0),
    ("multiobjective", "Table 5", 24, 0, 0),
    ("systolic-errors", "Table 3", 56, 56, 0),
    ("systolic-errors", "Table 5", 35, 35, 0),
    ("systolic-errors", "Table 7", 154, 0, 154),
    ("systolic-errors", "Table 8", 49, 49, 49),
    ("systolic-times", "Table 10", 48, 48, 0),
    ("systolic-times", "Table 11", 30, 30, 0),
    ("systolic-times", "Table 12", 42, 42, 42),
    ("systolic-times", "Tables 13 to 15", 50, 0, 50),
    ("systolic-times", "Table 16", 40, 40, 0),
    ("systolic-times", "Table 17", 25, 25, 0),
    ("systolic-times", "Table 18", 35, 35, 35),
    ("systolic-times", "Table 19", 40, 0, 0),
    ("systolic-times", "Table 20", 25, 0, 0),
    ("systolic-times", "Table 21", 35, 0, 35),
    ("systolic-times", "Table 22", 77, 0, 77),
    ("systolic-times", "Figures 11 to 14", 4, 0, 4),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/campaigns/papers")
}

/// Plans by name, with their printed tables.
fn plans() -> Vec<(String, Vec<PublishedTable>)> {
    let entries = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut plans: Vec<_> = entries
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let (title, tables) = plan::published(&path, &std::fs::read_to_string(&path).unwrap()).unwrap();
            assert_eq!(title, name);
            (name, tables)
        })
        .collect();
    plans.sort_by(|a, b| a.0.cmp(&b.0));
    plans
}

#[test]
fn every_printed_figure_is_in_a_plan() {
    let mut found = Vec::new();
    for (plan, tables) in plans() {
        for table in tables.iter().filter(|table| table.is_printed) {
            let deviations = table.cells.iter().filter(|cell| cell.figure.deviation.is_some()).count();
            let apart = table.cells.iter().filter(|cell| cell.ours.is_err()).count();
            found.push((plan.clone(), table.name.clone(), table.cells.len(), deviations, apart));
        }
    }
    let expected: Vec<_> = COUNTS.iter().map(|row| (row.0.to_owned(), row.1.to_owned(), row.2, row.3, row.4)).collect();
    assert_eq!(found, expected);
}

#[test]
fn every_plan_can_be_run() {
    let has_data = std::env::var_os("GRIDWRIGHT_DATA").is_some_and(|data| Path::new(&data).join("toronto").exists());
    let work = TestFolder::new();
    let mut checked = 0;
    for (name, _) in plans() {
        let path = folder().join(format!("{name}.ron"));
        if std::fs::read_to_string(&path).unwrap().contains("\"published:") && !has_data {
            continue;
        }
        let answer = work.done(&format!("campaign script {} --for parallel --shards 3", path.display()));
        assert!(answer.text.contains("seq 1 3 | parallel"), "{name}: {}", answer.text);
        checked += 1;
    }
    assert!(checked >= 4, "plans whose instances are generated need no data");
}
