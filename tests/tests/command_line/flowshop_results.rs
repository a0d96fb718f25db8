//! Results of runs on flow shops: what was said when they were made need not be said again.

use gridwright_core::result::{Encoded, InstanceReference, RunResult, Verdict};
use gridwright_flowshop::stored::StoredSolution;
use gridwright_timetabling as timetabling;
use serde_json::json;

use super::flowshop::with_two_jobs;
use super::test_folder::TestFolder;

/// A result as a run leaves it, of an instance that is named like this on the command line.
fn result(folder: &TestFolder, source: &str, options: &[(&str, &str)], order: &[&str]) -> RunResult {
    let words: String = options.iter().map(|(name, value)| format!(" --{name} {value}")).collect();
    let info = folder.done(&format!("info {source}{words} --json"));
    let is_file = folder.path(source).exists();
    RunResult {
        problem: "flowshop".to_owned(),
        instance: InstanceReference {
            name: "two".to_owned(),
            source: if is_file { folder.path(source).display().to_string() } else { source.to_owned() },
            hash: info.json()["file_hash"].as_str().unwrap().to_owned(),
            options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        },
        algorithm: "iterated-greedy".to_owned(),
        solution: Encoded::of(&StoredSolution::Order(order.iter().map(|job| (*job).to_owned()).collect())),
        verdict: Verdict::of(7.0, Vec::new()),
        ..gridwright_core::testing::result(1, 0)
    }
}

#[test]
fn what_was_said_then_need_not_be_said_again() {
    let folder = with_two_jobs();
    for (source, options, cost) in [
        ("several.txt", &[("number", "2")][..], 7),
        ("jobs.txt", &[("orientation", "job-rows"), ("objective", "flowtime")], 12),
        ("table.csv", &[("objective", "tardy")], 1),
    ] {
        result(&folder, source, options, &["J2", "J1"]).save(&folder.path("r.ron")).unwrap();
        let answer = folder.run(&format!("verify {source} r.ron --json"));
        let json = answer.json();
        assert_eq!((answer.code, &json["cost"]), (0, &json!(cost)), "{source}: {}", answer.errors);
        assert!(json["same_instance"].is_null(), "{source}");
        folder.done(&format!("export {source} r.ron --to out/plan.sol"));
        assert_eq!(std::fs::read_to_string(folder.path("out/plan.sol")).unwrap(), "J2\nJ1\n");
        let compared = folder.run(&format!("compare {source} r.ron 12.sol --json"));
        assert_eq!((compared.code, &compared.json()["changes"]["makespan"]), (0, &json!(2)), "{}", compared.errors);
    }
    result(&folder, "table.csv", &[("objective", "tardy")], &["J2", "J1"]).save(&folder.path("r.ron")).unwrap();
    let now = folder.run("verify table.csv r.ron --objective tardiness --json").json();
    assert_eq!((&now["cost"], &now["objective"]), (&json!(3), &json!("tardiness")), "what is said now counts");
    let other = folder.run("verify dated.txt r.ron --json");
    assert_eq!((other.code, &other.json()["same_instance"]), (0, &json!(false)), "the same jobs from another file");
}

#[test]
fn results_that_do_not_belong_are_refused_in_words() {
    let folder = with_two_jobs();
    folder.write("three.crs", "0001 1\n0002 1\n");
    folder.write("three.stu", "0001 0002\n");
    let table = |rows| Encoded::of(&timetabling::stored::StoredSolution::Timetable(rows));
    let kept = |name: &str, change: &dyn Fn(&mut RunResult)| {
        let mut result = result(&folder, "several.txt", &[("number", "2")], &["J2", "J1"]);
        change(&mut result);
        result.save(&folder.path(name)).unwrap();
    };
    kept("good.ron", &|_| {});
    kept("unknown.ron", &|result| {
        result.solution = Encoded::of(&StoredSolution::Order(vec!["J1".to_owned(), "Z".to_owned()]))
    });
    kept("table.ron", &|result| result.solution = table(vec![("J1".to_owned(), Some(1))]));
    kept("session.ron", &|result| {
        result.problem = "timetabling".to_owned();
        result.solution = table(vec![("0001".to_owned(), Some(1)), ("0002".to_owned(), Some(0))]);
    });
    kept("mixed.ron", &|result| result.problem = "timetabling".to_owned());
    kept("future.ron", &|result| result.problem = "facility".to_owned());
    kept("objective.ron", &|result| drop(result.instance.options.insert("objective".to_owned(), "Cmax".to_owned())));
    kept("rows.ron", &|result| drop(result.instance.options.insert("orientation".to_owned(), "job-rows".to_owned())));
    for (line, expected) in [
        ("verify several.txt good.ron --number 1", &["good.ron: ", "number 2", "leave --number out"][..]),
        ("verify several.txt rows.ron --orientation machine-rows", &["rows.ron: ", "leave --orientation out"]),
        ("verify several.txt unknown.ron", &["unknown.ron: ", "unknown job “Z”"]),
        ("verify several.txt table.ron", &["table.ron: ", "holds a timetable"]),
        ("verify several.txt mixed.ron", &["mixed.ron: ", "holds an order of jobs"]),
        ("verify several.txt future.ron", &["future.ron: ", "“facility”"]),
        ("verify several.txt objective.ron", &["objective.ron: ", "“Cmax”"]),
        ("verify several.txt session.ron", &["session.ron: ", "an examination session", "several.txt is a flow shop"]),
        ("verify three.stu good.ron --periods 3", &["good.ron: ", "three.stu is an examination session"]),
        ("compare table.csv 12.sol session.ron", &["session.ron: ", "“timetabling”"]),
        ("export sample:school good.ron --to a.csv", &["good.ron: ", "sample:school is an examination session"]),
        ("info good.ron", &["good.ron: ", "result"]),
    ] {
        folder.refuses(line, expected);
    }
}

#[test]
fn an_order_that_is_not_whole_is_named_and_not_exported() {
    let folder = with_two_jobs();
    for (order, kinds) in
        [(&["J2"][..], &["missing"][..]), (&["J2", "J2", "J1"], &["twice"]), (&["J1", "J1"], &["twice", "missing"])]
    {
        result(&folder, "table.csv", &[], order).save(&folder.path("r.ron")).unwrap();
        let answer = folder.run("verify table.csv r.ron --json");
        let json = answer.json();
        assert_eq!((answer.code, &json["feasible"]), (1, &json!(false)), "{order:?}");
        let found: Vec<&str> =
            json["violations"].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
        assert_eq!(found, kinds, "{order:?}");
        assert_eq!(folder.refused("export table.csv r.ron --to plan.csv").code, 2);
        folder.refuses("compare table.csv r.ron 12.sol", &["gridwright verify"]);
    }
}
