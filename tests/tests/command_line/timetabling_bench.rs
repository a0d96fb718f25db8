//! `gridwright bench` as scripts use it: the paper's tables, repeated comparisons, refusals.

use serde_json::Value;

use super::test_folder::TestFolder;

#[test]
fn the_tables_of_the_paper_are_measured() {
    let folder = TestFolder::new();
    let populations = "--population 16 --population 24";
    let sample =
        format!("bench timetabling --suite tables --instance sample:school {populations} --generations 2 --threads 2");
    let answer = folder.done(&format!("{sample} --json"));
    let json = answer.json();
    let further = json["further"].as_array().unwrap();
    assert_eq!(further.len(), 2);
    for report in [&json["report"], &further[0]] {
        let rows = report["rows"].as_array().unwrap();
        let on_cpu: Vec<&Value> = rows.iter().filter(|row| row[2].as_str().unwrap().starts_with("CPU")).collect();
        assert_eq!(on_cpu.len(), 4, "two populations, one thread and two");
        let notes = report["notes"].to_string();
        assert!(notes.contains("21 to 26 times"), "{notes}");
        let columns = report["columns"].as_array().unwrap();
        assert!(columns.last().unwrap().as_str().unwrap().starts_with("published"));
        assert!(rows.iter().all(|row| row[columns.len() - 1] == ""));
    }
    assert!(json["machine"].as_str().unwrap().contains("threads"));
    let csv = folder.run(&format!("{sample} --csv"));
    assert!(csv.text.starts_with("instance,population,computed on,\"full, by chromosome\""), "{}", csv.text);
    let text = folder.run(&sample).text;
    assert!(text.contains("### Table 2: ") && text.contains("### Table 3: "), "{text}");
}

#[test]
fn repeated_comparisons_are_measured() {
    let folder = TestFolder::new();
    let repeats = folder.done("bench facility --suite repeats --json");
    let rows = &repeats.json()["report"]["rows"];
    assert_eq!((rows.as_array().unwrap().len(), &rows[3][1]), (12, &Value::from("shared")), "{rows}");
}

#[test]
fn what_a_suite_does_not_take_is_refused() {
    let folder = TestFolder::new();
    for (line, expected) in [
        ("bench timetabling --suite annealing", "tables"),
        ("bench facility --suite stages", "gridwright bench timetabling --suite stages"),
        ("bench systolic --suite repeats", "leave --suite out"),
        ("bench timetabling --backend cuda", "--backend"),
    ] {
        let answer = folder.refused(line);
        assert!(answer.errors.contains(expected), "{line}: {}", answer.errors);
    }
}
