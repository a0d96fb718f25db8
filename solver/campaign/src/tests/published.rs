//! Printed figures in plans and in reports.

use super::*;
use crate::published::{Ours, PublishedTable};
use crate::report::tables::{Cell, Table};

const TABLES: &str = r#"    published: [
        (
            table: "Table 1", title: "costs", algorithm: "good",
            columns: [(name: "mean", measure: mean), (name: "best", measure: best), (name: "other", reason: "no such runs")],
            rows: [
                (name: "one", instance: "sample:1", cells: ["10.3 ± 0.1", 10.0, 3]),
                (name: "two", instance: "sample:2", cells: ["11.0 ± 0.2", "-", "INF"]),
                (name: "three", instance: "sample:1", reference: 10, reason: "another machine", cells: [1, 2, 3]),
            ],
        ),
    ],
"#;

fn text_with(tables: &str) -> String {
    plan_text(PART).replace("],\n)\n", &format!("],\n{tables})\n"))
}

fn read(text: &str) -> Result<Campaign> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.ron");
    std::fs::write(&path, text).unwrap();
    plan::read(&path, Path::new("data"), &super::open_toys(toys()))
}

fn tables(text: &str) -> Vec<PublishedTable> {
    plan::published(Path::new("plan.ron"), text).unwrap().1
}

fn rows() -> Vec<Row> {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), PART, 2).unwrap();
    read_rows(folder.path()).unwrap()
}

fn beside(published: &[PublishedTable], benches: &Benches, rows: &[Row]) -> Vec<Table> {
    let report = report::of("toys", published, benches, rows, &Default::default());
    let part = &report.sections[0];
    assert_eq!((part.title.as_str(), part.number), ("Beside the paper", 0));
    part.tables.clone()
}

/// Cells of each row in the columns with these names.
fn cells<const COLUMNS: usize>(table: &Table, names: [&str; COLUMNS]) -> Vec<[String; COLUMNS]> {
    let place = |name| table.columns.iter().position(|&column| column == name).unwrap();
    let places = names.map(place);
    table.rows.iter().map(|row| places.map(|column| row[column].shown())).collect()
}

#[test]
fn printed_figures_stand_beside_ours() {
    let found = beside(&read(&text_with(TABLES)).unwrap().published, &Benches::default(), &rows());
    let names: Vec<&str> = found.iter().map(|table| &*table.name).collect();
    assert_eq!(names, ["beside", "beside-1", "differences", "not-comparable"]);
    let counts: Vec<String> = found[0].rows[0].iter().map(Cell::shown).collect();
    assert_eq!(counts, ["Table 1: costs", "8", "1", "2", "0", "0", "5"]);
    assert_eq!(
        cells(&found[1], ["Row", "Column", "Printed", "One thread", "Ratio", "Reading"]),
        [
            ["one", "mean", "10.3", "10.3", "1", "agrees"],
            ["one", "best", "10", "10.2", "1.02", "differs; ours is larger"],
            ["two", "mean", "11", "10.4", "0.945", "differs, p = 0.0217; ours is smaller"],
        ]
    );
    assert!(
        !found[1].columns.contains(&"Several threads") && !found[1].columns.contains(&"GPU"),
        "{:?}",
        found[1].columns
    );
    assert!(found[1].reading.contains("depends on the number of threads"), "{}", found[1].reading);
    let spreads: Vec<String> = found[2].rows.iter().map(|row| row[5].shown()).collect();
    assert_eq!(spreads, ["0.15", "0.25"], "the larger deviation and half a unit of the print");
    let reasons: Vec<String> =
        found[3].rows.iter().map(|row| format!("{} {}", row[1].shown(), row[2].shown())).collect();
    assert_eq!(reasons, ["2 no such runs", "3 another machine"]);
}

#[test]
fn faults_of_printed_figures_have_line_and_column() {
    let text = text_with(TABLES);
    for (from, to, expected) in [
        ("mean)", "mode)", "“mode” is none of mean, best, worst"),
        ("\"good\",\n", "\"nice\",\n", "no run of sample:1 is called “nice”; there are bad, good"),
        ("\"sample:2\", cells", "\"sample:9\", cells", "no part of the plan runs “sample:9”"),
        ("\"11.0 ± 0.2\"", "\"eleven\"", "“eleven”: expected a printed figure"),
    ] {
        let place = text.find(from).unwrap();
        let (line, column) = (text[..place].matches('\n').count() + 1, text[..place].rsplit('\n').next().unwrap());
        let said = read(&text.replace(from, to)).unwrap_err().to_string();
        let at = format!("plan.ron:{line}: column {}: ", column.chars().count() + 1);
        assert!(said.contains(&at) && said.contains(expected), "{to}: {said}, not {at}");
    }
    for (from, to, expected) in [
        ("10.0, 3]", "10.0]", "the row has 2 cells, and the table 3 columns"),
        ("measure: best", "measure: error", "Table 1, column best: give the row the reference"),
        (
            "measure: best",
            "measure: time_ratio",
            "Table 1, column best: name the algorithm that it is measured against",
        ),
        (", measure: best", "", "Table 1, column best: name a measure"),
        ("instance: \"sample:2\", ", "", "name the instance of the row"),
    ] {
        let said = read(&text.replace(from, to)).unwrap_err().to_string();
        assert!(said.contains("plan.ron:") && said.contains("column ") && said.contains(expected), "{to}: {said}");
    }
}

/// A difference of 3 is large against the error of a mean of ten runs and small against the deviation of the runs.
#[test]
fn means_are_tested_by_their_errors() {
    let text = |runs: &str| {
        format!(
            "    published: [(table: \"T\", title: \"t\", {runs}measure: mean, algorithm: \"good\", columns: [(name: \"a\"), (name: \"b\")], \
             rows: [(name: \"one\", instance: \"sample:1\", cells: [\"13.0 ± 3.0\", \"10.0 ± 3.0\"])])],\n"
        )
    };
    let first = rows().into_iter().find(|row| row.label == "good" && row.source == "sample:1").unwrap();
    let run = |seed: u64| Row { seed, cost_display: Some(10.0 + (seed % 5) as f64 - 2.0), ..first.clone() };
    let rows: Vec<Row> = (1..=10).map(run).collect();
    let reading = |runs: &str| {
        let found = beside(&tables(&text_with(&text(runs))), &Benches::default(), &rows);
        (cells(&found[1], ["Reading"]).concat(), found[1].reading.clone())
    };
    let (cells, words) = reading("");
    assert_eq!(cells[1], "agrees");
    assert!(cells[0].starts_with("differs, p = 0.0") && cells[0].ends_with("; ours is smaller"), "{cells:?}");
    assert!(words.contains("one-sample t-test") && words.contains("Holm"), "{words}");
    // Five printed runs have a large error of their own.
    let (cells, words) = reading("runs: 5, ");
    assert_eq!(cells, ["agrees", "agrees"]);
    assert!(words.contains("Welch") && words.contains("5 runs"), "{words}");
    assert!(reading("runs: 500, ").0[0].starts_with("differs, p = 0.0"));
}

/// One thread takes 8 s, a GPU 2 s; costs are those of [`Toys`].
#[test]
fn ratios_take_each_device_as_the_paper_does() {
    let column = |name: &str| format!("(name: \"{name}\", measure: {name})");
    let names = ["seconds", "speedup", "quality_ratio", "time_ratio", "device_time_ratio", "quality_time_ratio"];
    let text = format!(
        "    published: [(table: \"T\", title: \"t\", algorithm: \"good\", against: \"bad\", columns: [{}], rows: [(name: \"a\", \
         instance: \"sample:1\", cells: [1, 4, 1.5, 1, 0.25, 2.58])])],\n",
        names.map(column).join(", ")
    );
    let mut all = Vec::new();
    for row in rows() {
        let cpu = Row { seconds: 8.0, steps: 4, limit: "4 steps".to_owned(), ..row.clone() };
        all.extend([Row { backend: "cuda:0".to_owned(), seconds: 1.0, steps: 2, ..cpu.clone() }, cpu]);
    }
    let found = beside(&tables(&text_with(&text)), &Benches::default(), &all);
    let ours = |column| cells(&found[1], [column]).into_iter().flatten().collect::<Vec<_>>();
    let quality = 15.3 / 10.3;
    assert_eq!(ours("One thread"), ["8", "–", &numbers(quality), "1", "–", "–"]);
    assert_eq!(ours("GPU"), ["2", "4", &numbers(quality), "1", "0.25", &numbers(f64::log2(quality / 0.25))]);
    assert_eq!(ours("Reading"), ["", "", "agrees", "", "", ""], "only costs agree or differ");
    assert!(!found[1].reading.contains("number of threads"), "{}", found[1].reading);
}

fn numbers(value: f64) -> String {
    gridwright_core::numbers::figure(value, 2)
}

#[test]
fn markdown_has_a_head_and_the_comparison_alone() {
    let rows = rows();
    let published = tables(&text_with(TABLES));
    let with = report::of("toys_1", &published, &Benches::default(), &rows, &Default::default());
    let text = report::markdown::write(&with, &rows);
    for expected in [
        "# toys\\_1\n",
        "* Commit: ",
        "* Computed on: device of cpu, 1 thread\n",
        "## Beside the paper",
        "| one | mean | 10.3 |",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("Costs by instance"), "{text}");
    let without = report::of("toys", &[], &Benches::default(), &rows, &Default::default());
    let text = report::markdown::write(&without, &rows);
    assert!(text.contains("### Costs by instance") && text.contains("| Instance | Algorithm | Runs |"), "{text}");
}

#[test]
fn figures_of_benches_are_found_in_the_folder() {
    let text = r#"    published: [(table: "T", title: "t", bench: "b.csv", device: gpu,
        columns: [(name: "ms", bench: (column: "µs", factor: 0.001)), (name: "quotient", bench: (column: "µs", over: "s"))],
        rows: [(name: "a", bench: {"size": "20 × 5"}, cells: [2, 8])])],
"#;
    let (folder, published) = (tempfile::tempdir().unwrap(), tables(&text_with(text)));
    assert!(matches!(&published[0].cells[0].ours, Ok(Ours::Bench(place)) if place.file == "b.csv"));
    assert_eq!(Benches::read(folder.path(), &published).unwrap(), Benches::default(), "no file, no figures");
    std::fs::write(folder.path().join("b.csv"), "size,computed on,µs,s\n20 × 5,cuda:0,4000,500\n").unwrap();
    let benches = Benches::read(folder.path(), &published).unwrap();
    let found = beside(&published, &benches, &rows());
    assert_eq!(cells(&found[1], ["GPU", "Ratio"]), [["4", "2"], ["8", "1"]]);
}
