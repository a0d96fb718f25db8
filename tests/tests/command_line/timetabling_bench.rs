//! `gridwright bench timetabling` as scripts use it: the paper's tables, costs on any backend.

use serde_json::Value;

use super::test_folder::TestFolder;

#[test]
fn the_tables_of_the_paper_are_measured() {
    let folder = TestFolder::new();
    let populations = "--population 16 --population 24";
    let sample =
        format!("bench timetabling --tables --instance sample:school {populations} --generations 2 --threads 2");
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
fn costs_are_measured_on_the_backend_that_is_asked_for() {
    let folder = TestFolder::new();
    let evolution = "bench timetabling --suite evolution --instance sample:school --set population=24 --generations 3";
    let answer = folder.done(&format!("{evolution} --seeds 2 --threads 2 --json"));
    let report = &answer.json()["report"];
    assert!(report["title"].as_str().unwrap().contains("population 24, 3 generations"), "{report}");
    assert_eq!(report["rows"].as_array().unwrap().len(), 1);
    assert!(report["notes"].to_string().contains("2 threads"), "{report}");
    let annealing = "bench timetabling --suite annealing --instance sample:school --seconds 0.2 --set chains=2";
    let answer = folder.run(&format!("{annealing} --backend auto --json"));
    assert_eq!((answer.code, &answer.json()["report"]["rows"][0][1]), (0, &Value::from("2")), "{}", answer.errors);
    for line in [evolution, annealing] {
        let answer = folder.run(&format!("{line} --backend cuda:4000"));
        assert_eq!((answer.code, answer.text.as_str()), (3, ""), "{}", answer.errors);
        assert!(answer.errors.contains("cuda:4000 cannot be used"), "{}", answer.errors);
    }
}

#[test]
fn what_a_suite_does_not_take_is_refused() {
    let folder = TestFolder::new();
    for (line, expected) in [
        ("bench timetabling --backend cuda", "--suite annealing and --suite evolution"),
        ("bench timetabling --tables --set population=3", "every device"),
        ("bench timetabling --suite stages --backend auto", "every device"),
        ("bench timetabling --suite annealing --backend gpu", "gridwright devices"),
        ("bench timetabling --suite annealing --instance sample:school --set kempe=9", "from 0 to 1"),
        ("bench timetabling --suite evolution --instance sample:school --set speed=9", "population"),
    ] {
        let answer = folder.refused(line);
        assert!(answer.errors.contains(expected), "{line}: {}", answer.errors);
    }
}
