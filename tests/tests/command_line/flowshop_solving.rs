//! Searches on flow shops: the same on any number of threads, checked, kept, exported, replayed.

use std::time::{Duration, Instant};

use gridwright_core::result::RunResult;
use serde_json::{Value, json};

use super::flowshop::with_two_jobs;
use super::test_folder::TestFolder;

#[test]
fn every_objective_is_solved_checked_and_replayed_the_same_on_any_number_of_threads() {
    let folder = TestFolder::new();
    for objective in ["makespan", "flowtime", "tardiness", "tardy"] {
        let mut first: Option<Value> = None;
        for threads in [1, 2, 8] {
            let answer = folder.run(&format!(
                "solve taillard:ta001 --objective {objective} --generations 40 --seed 3 --threads {threads} \
                 --out {objective}-{threads}.ron --export plan-{objective}-{threads}.sol --json"
            ));
            assert_eq!((answer.code, answer.errors.as_str()), (0, ""), "{objective}, {threads} threads");
            let json = answer.json();
            assert_eq!((&json["objective"], &json["seed"]), (&json!(objective), &json!(3)));
            assert_eq!((&json["feasible"], &json["checked"]), (&json!(true), &json!(true)), "{objective}");
            assert_eq!((&json["cost_display"], &json["objectives"][objective]), (&json["cost"], &json["cost"]));
            for key in ["instance", "algorithm", "parameters", "backend", "device", "seconds", "stop_reason", "curve"] {
                assert!(!json[key].is_null(), "{key}");
            }
            let first = first.get_or_insert_with(|| json.clone());
            for key in ["cost", "digest", "generations", "evaluations", "objectives"] {
                assert_eq!(first[key], json[key], "{objective}: {key} with {threads} threads");
            }
            for solution in [
                format!("plan-{objective}-{threads}.sol --objective {objective}"),
                format!("{objective}-{threads}.ron"),
            ] {
                let verified = folder.run(&format!("verify taillard:ta001 {solution} --json"));
                assert_eq!((verified.code, &verified.json()["cost"]), (0, &first["cost"]), "{solution}");
            }
        }
        for threads in [1, 2] {
            let again = folder.run(&format!("replay {objective}-8.ron --threads {threads} --json"));
            let json = again.json();
            assert_eq!((again.code, &json["equal"]), (0, &json!(true)), "{objective}: {}", again.errors);
            assert_eq!((&json["problem"], &json["first_difference"]), (&json!("flowshop"), &Value::Null));
        }
    }
    let best = folder.run("verify taillard:ta001 makespan-1.ron --json").json()["cost"].as_u64().unwrap();
    assert!((1278..=1286).contains(&best), "1278 is optimal, 1286 is what NEH finds: {best}");
}

#[test]
fn the_workshop_is_solved_to_its_known_best() {
    let folder = TestFolder::new();
    for (objective, best) in [("makespan", 132), ("flowtime", 550), ("tardiness", 58), ("tardy", 2)] {
        let solved = folder.run(&format!("solve sample:workshop --objective {objective} --generations 2000 --json"));
        assert_eq!((solved.code, &solved.json()["cost"]), (0, &json!(best)), "{objective}: {}", solved.errors);
    }
    let line = "solve sample:workshop --target 132 --seconds 60 --out r.ron --export out/a.csv --export out/a.svg";
    let began = Instant::now();
    let spoken = folder.run(line);
    assert!(began.elapsed() < Duration::from_secs(20), "the target ends it");
    assert_eq!(spoken.code, 0, "{}", spoken.errors);
    for part in ["132 (makespan)", "Total flow time", "confirmed by the independent checker", "proven optimal", "a.svg"]
    {
        assert!(spoken.text.contains(part), "{part}: {}", spoken.text);
    }
    assert!(folder.path("out/a.csv").exists() && folder.path("out/a.svg").exists());
    let known = folder.run("solve taillard:ta081 --generations 1").text;
    assert!(known.contains("Best known") && known.contains("doubtful"), "{known}");
}

#[test]
fn how_a_file_was_read_is_remembered_by_its_result() {
    let folder = with_two_jobs();
    for (source, words, options) in [
        ("several.txt", "--number 2", json!({ "number": "2", "objective": "makespan" })),
        (
            "jobs.txt",
            "--orientation job-rows --objective flowtime",
            json!({ "orientation": "job-rows", "objective": "flowtime" }),
        ),
        ("table.csv", "--objective tardy", json!({ "objective": "tardy" })),
    ] {
        let solved = folder.run(&format!("solve {source} {words} --generations 5 --out r.ron --json"));
        assert_eq!(solved.code, 0, "{source}: {}", solved.errors);
        let kept = RunResult::load(&folder.path("r.ron")).unwrap();
        assert_eq!(serde_json::to_value(&kept.instance.options).unwrap(), options);
        assert!(std::path::Path::new(&kept.instance.source).is_absolute(), "{}", kept.instance.source);
        assert_eq!(folder.run("replay r.ron --json").code, 0);
        let verified = folder.run(&format!("verify {source} r.ron --json"));
        assert_eq!((verified.code, &verified.json()["cost"]), (0, &solved.json()["cost"]), "{}", verified.errors);
    }
    let mut changed = RunResult::load(&folder.path("r.ron")).unwrap();
    let last = changed.digests.len() - 1;
    changed.digests[last] = "0000000000000000".to_owned();
    changed.save(&folder.path("changed.ron")).unwrap();
    let answer = folder.run("replay changed.ron --json");
    assert_eq!((answer.code, &answer.json()["first_difference"]), (1, &json!(last)), "{}", answer.errors);
    folder.write("table.csv", "job,due date,M1,M2\nJ1,4,3,2\nJ2,8,1,5\n");
    folder.refuses("replay r.ron", &["other data"]);
}

#[test]
fn what_cannot_be_done_is_told_before_the_work() {
    let folder = with_two_jobs();
    for (options, code, expected) in [
        ("--algorithm guessing", 2, "no algorithm “guessing”"),
        ("--set speed=9", 2, "removed"),
        ("--set removed=65", 2, "from 0 to 64"),
        ("--periods 3", 2, "--periods"),
        ("--export plan.odt", 2, "choose one of pdf"),
        ("--export plan.ics", 2, "a calendar needs dates"),
        ("--export table.csv", 2, "overwritten"),
        ("--out 12.sol/r.ron", 2, "is a file"),
        ("--backend cuda:4000", 3, ""),
        ("--objective makespan,flowtime --backend cuda:4000", 3, "cuda:4000 cannot be used"),
        ("--objective makespan,flowtime --algorithm tabu --backend cuda:4000", 3, "--backend cpu"),
    ] {
        let line = format!("solve table.csv --seconds 60 --quiet {options}");
        let began = Instant::now();
        let answer = folder.refused(&line);
        assert_eq!(answer.code, code, "{line}: {}", answer.errors);
        assert!(answer.errors.contains(expected), "{line}: {}", answer.errors);
        assert!(began.elapsed() < Duration::from_secs(20), "{line}: something was searched");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_best_order_so_far() {
    let folder = TestFolder::new();
    folder.kept_after_interrupt("solve taillard:ta051 --seconds 100 --out r.ron --export plan.csv");
    assert!(folder.path("plan.csv").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_at_the_start_is_told_in_json() {
    let answer = TestFolder::new().interrupted_at_once("solve taillard:ta051 --seconds 100 --json");
    assert_eq!((answer.code, &answer.json()["stop_reason"]), (0, &json!("cancelled")), "{}", answer.errors);
}

#[test]
fn places_for_a_job_are_measured() {
    let folder = TestFolder::new();
    let line = "bench flowshop --suite insertion --seconds 0.01 --instance taillard:ta001 --threads 2 --json";
    let answer = folder.run(line);
    let json = answer.json();
    let rows = json["report"]["rows"].as_array().unwrap();
    assert!(answer.code == 0 && rows.len() >= 2, "{}", answer.errors);
    assert_eq!((&rows[0][0], &rows[0][1], &rows[0][2]), (&json!("20 × 5"), &json!("CPU, 1 thread"), &json!("1")));
    assert_eq!(rows[1][1], "CPU, 2 threads");
    assert!(folder.refused("bench timetabling --suite insertion").errors.contains("bench flowshop --suite insertion"));
}
