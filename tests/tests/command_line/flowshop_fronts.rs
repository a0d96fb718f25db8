//! Fronts of flow shops: the same on any number of threads, checked member by member, kept, exported, replayed.

use std::time::{Duration, Instant};

use gridwright_core::result::{Encoded, RunResult};
use gridwright_flowshop::stored::StoredSolution;
use serde_json::{Value, json};

use super::flowshop::with_two_jobs;
use super::test_folder::TestFolder;

fn values(member: &Value) -> Vec<u64> {
    member["values"].as_array().unwrap().iter().map(|value| value.as_u64().unwrap()).collect()
}

fn dominates(a: &[u64], b: &[u64]) -> bool {
    a != b && a.iter().zip(b).all(|(a, b)| a <= b)
}

#[test]
fn fronts_are_solved_checked_and_replayed_the_same_on_any_number_of_threads() {
    let folder = TestFolder::new();
    for (name, words, objectives) in [
        ("two-phase", "--objective pareto", "makespan,flowtime,tardiness"),
        ("pls", "--objective makespan,tardy --set start=random --set admission=dominating", "makespan,tardy"),
        ("tabu", "--objective makespan,flowtime --algorithm tabu", "makespan,flowtime"),
    ] {
        let mut first: Option<Value> = None;
        for threads in [1, 2, 8] {
            let answer = folder.run(&format!(
                "solve taillard:ta001 {words} --generations 24 --seed 3 --threads {threads} --out {name}-{threads}.ron \
                 --export {name}-{threads}.front.csv --export {name}-{threads}.sol --json"
            ));
            assert_eq!((answer.code, answer.errors.as_str()), (0, ""), "{name}, {threads} threads");
            let json = answer.json();
            assert_eq!((&json["objective"], &json["seed"]), (&json!(objectives), &json!(3)));
            assert_eq!((&json["feasible"], &json["checked"]), (&json!(true), &json!(true)), "{name}");
            let first = first.get_or_insert_with(|| json.clone());
            for key in ["cost", "digest", "generations", "evaluations", "objectives", "front", "hypervolume", "epsilon"]
            {
                assert!(!json[key].is_null(), "{name}: {key}");
                assert_eq!(first[key], json[key], "{name}: {key} with {threads} threads");
            }
            let verified = folder.run(&format!("verify taillard:ta001 {name}-{threads}.ron --json"));
            let verified = (verified.code, verified.json());
            for key in ["cost", "front", "hypervolume", "epsilon", "bounds", "objective"] {
                assert_eq!(verified.1[key], first[key], "{name}: {key}");
            }
            assert_eq!(verified.0, 0);
        }
        let first = first.unwrap();
        let members: Vec<Vec<u64>> = first["front"].as_array().unwrap().iter().map(values).collect();
        assert!(members.iter().all(|a| !members.iter().any(|b| dominates(b, a))), "{name}");
        assert!(members.is_sorted() && first["front"][0]["order"].as_array().unwrap().len() == 20);
        // Of a hypervolume of 1.1^k the cost says, in thousand millionths, what is missing.
        let whole = 1.1_f64.powi(objectives.split(',').count() as i32);
        let missing = 1.0 - first["hypervolume"].as_f64().unwrap() / whole;
        assert!((missing * 1e9 - first["cost"].as_f64().unwrap()).abs() < 2.0, "{name}");
        let table = std::fs::read_to_string(folder.path(&format!("{name}-1.front.csv"))).unwrap();
        let mut lines = table.lines();
        let positions: Vec<String> = (1..=20).map(|position| format!("position {position}")).collect();
        assert_eq!(lines.next().unwrap(), format!("{objectives},{}", positions.join(",")));
        assert_eq!(lines.count(), members.len());
        // The order that stands for the front is one of it.
        let of_first = |objective: &str| first["objectives"][objective].as_u64().unwrap();
        let point: Vec<u64> = objectives.split(',').map(of_first).collect();
        assert!(members.contains(&point), "{name}");
        let alone = folder.run(&format!("verify taillard:ta001 {name}-1.sol --objective {objectives} --json")).json();
        assert_eq!(values(&alone["front"][0]), point);
        assert!(alone["cost"].as_u64() >= first["cost"].as_u64());
        for threads in [1, 2] {
            let again = folder.run(&format!("replay {name}-8.ron --threads {threads} --json"));
            let json = again.json();
            assert_eq!((again.code, &json["equal"]), (0, &json!(true)), "{name}: {}", again.errors);
        }
    }
}

#[test]
fn a_front_under_a_time_limit_is_replayed_and_exported() {
    let folder = TestFolder::new();
    let spoken =
        folder.run("solve taillard:ta011 --objective pareto --seconds 2 --threads 2 --out r.ron --export a.svg");
    assert_eq!(spoken.code, 0, "{}", spoken.errors);
    for part in ["Front", "orders", "as a compromise", "Hypervolume", "Additive ε", "archiving", "confirmed"] {
        assert!(spoken.text.contains(part), "{part}: {}", spoken.text);
    }
    let kept = RunResult::load(&folder.path("r.ron")).unwrap();
    let front = kept.front.as_ref().unwrap();
    assert!(front.members.iter().any(|member| member.solution == kept.solution) && front.members.len() > 10);
    assert!(["end_steps", "weight_steps"].iter().all(|name| kept.parameters[*name].integer() > 0));
    assert!(kept.curve.windows(2).all(|pair| pair[1].best <= pair[0].best), "the cost never rises");
    let again = folder.run("replay r.ron --threads 1");
    assert_eq!(again.code, 0, "{}{}", again.text, again.errors);
    let exported = folder.run("export taillard:ta011 r.ron --to out/front.csv out/plan.csv out/plan.sol");
    assert_eq!(exported.code, 0, "{}", exported.errors);
    let table = std::fs::read_to_string(folder.path("out/front.csv")).unwrap();
    assert_eq!(table.lines().count(), front.members.len() + 1);
    let order = std::fs::read_to_string(folder.path("out/plan.sol")).unwrap();
    let StoredSolution::Order(jobs) = kept.solution.decode().unwrap();
    assert_eq!(order.lines().collect::<Vec<_>>(), jobs.iter().map(String::as_str).collect::<Vec<_>>());
    let compared = folder.run("compare taillard:ta011 r.ron out/plan.sol --json");
    assert_eq!((compared.code, &compared.json()["positions_changed"]), (0, &json!(0)), "{}", compared.errors);
    let one = folder.run("verify taillard:ta011 r.ron --objective makespan --json").json();
    assert_eq!((&one["cost"], &one["objective"]), (&one["objectives"]["makespan"], &json!("makespan")));
}

#[test]
fn a_front_that_was_changed_is_not_believed() {
    let folder = TestFolder::new();
    let solved = folder.run("solve taillard:ta001 --objective makespan,flowtime --generations 12 --out r.ron --json");
    assert_eq!(solved.code, 0, "{}", solved.errors);
    type Change = fn(&mut RunResult);
    let changes: [(&str, Change); 3] = [
        ("values", |result| result.front.as_mut().unwrap().members[1].values[0] += 1),
        ("dominated", |result| {
            let members = &mut result.front.as_mut().unwrap().members;
            members.push(members[0].clone());
        }),
        ("missing", |result| {
            let member = &mut result.front.as_mut().unwrap().members[0];
            let StoredSolution::Order(mut jobs) = member.solution.decode().unwrap();
            jobs.pop();
            member.solution = Encoded::of(&StoredSolution::Order(jobs));
        }),
    ];
    for (kind, change) in changes {
        let mut result = RunResult::load(&folder.path("r.ron")).unwrap();
        change(&mut result);
        result.save(&folder.path("changed.ron")).unwrap();
        let answer = folder.run("verify taillard:ta001 changed.ron --json");
        let kinds =
            answer.json()["violations"].as_array().unwrap().iter().map(|one| one["kind"].clone()).collect::<Vec<_>>();
        assert!(answer.code == 1 && kinds.contains(&json!(kind)), "{kind}: {kinds:?}");
        let exported = folder.run("export taillard:ta001 changed.ron --to front.csv");
        assert!(
            exported.code == 1 || exported.code == 2 && !folder.path("front.csv").exists(),
            "{kind}: {}",
            exported.errors
        );
    }
    let mut result = RunResult::load(&folder.path("r.ron")).unwrap();
    result.front.as_mut().unwrap().low.pop();
    result.save(&folder.path("changed.ron")).unwrap();
    folder.refuses("verify taillard:ta001 changed.ron", &["changed by hand"]);
    // Results from before there were fronts have none.
    let text = std::fs::read_to_string(folder.path("r.ron")).unwrap();
    assert!(text.contains("front: Some("), "{text}");
    let one = folder.run("solve taillard:ta001 --generations 5 --out one.ron --json");
    assert!(one.code == 0 && !std::fs::read_to_string(folder.path("one.ron")).unwrap().contains("front"));
    assert_eq!(RunResult::load(&folder.path("one.ron")).unwrap().front, None);
}

#[test]
fn what_makes_no_front_is_told_before_the_work() {
    let folder = with_two_jobs();
    for (line, expected) in [
        ("solve machines.txt --objective pareto", &["no due dates", "makespan,flowtime", "“due date”"][..]),
        ("solve table.csv --objective makespan,makespan", &["named twice"]),
        ("solve table.csv --objective makespan,Cmax", &["«Cmax»", "tardiness"]),
        ("solve table.csv --objective Cmax", &["pareto"]),
        ("solve table.csv --objective pareto --algorithm greedy", &["greedy minimises one objective", "pls or tabu"]),
        ("solve table.csv --algorithm pls", &["several objectives", "--objective pareto"]),
        ("solve table.csv --objective pareto --algorithm guessing", &["greedy, pls, tabu"]),
        ("solve table.csv --objective pareto --set members=-1", &["from 0 to 4096"]),
        ("solve table.csv --objective pareto --set start=nowhere", &["one of greedy, constructed, random"]),
        ("solve table.csv --objective pareto --set speed=1", &["admission"]),
        ("solve table.csv --export front.csv", &["front.csv", "--objective pareto"]),
        ("export table.csv 12.sol --objective pareto --to front.csv", &["12.sol", "holds no front"]),
        ("bench timetabling --suite wavefront", &["bench flowshop --suite wavefront"]),
        ("bench flowshop --suite speed", &["bench timetabling", "fronts", "wavefront"]),
    ] {
        let began = Instant::now();
        folder.refuses(line, expected);
        assert!(began.elapsed() < Duration::from_secs(20), "{line}: something was searched");
    }
}

/// Order 2, 1 has makespan 7 and flow time 12, order 1, 2 has 9 and 14, but its jobs are 1 late each, and together 2 instead of 3.
#[test]
fn two_jobs_have_the_front_that_the_hand_finds() {
    let folder = with_two_jobs();
    let front = |objectives: &str| {
        let answer = folder.run(&format!("solve table.csv --objective {objectives} --generations 8 --json"));
        assert_eq!(answer.code, 0, "{}", answer.errors);
        answer.json()["front"].clone()
    };
    assert_eq!(front("makespan,flowtime"), json!([{ "values": [7, 12], "order": ["J2", "J1"] }]));
    let both = json!([{ "values": [7, 3], "order": ["J2", "J1"] }, { "values": [9, 2], "order": ["J1", "J2"] }]);
    assert_eq!(front("makespan,tardiness"), both);
}

#[test]
fn shares_of_the_time_of_searches_for_fronts_are_measured() {
    let folder = TestFolder::new();
    let few = "bench flowshop --suite fronts --iterations 2 --instance taillard:ta001 --threads 2 --json";
    let json = folder.done(few).json();
    let rows = json["report"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3, "{json}");
    assert!(rows.iter().all(|row| row[1] == "20-5"));
    let json = folder.done(&format!("{few} --algorithm pls")).json();
    let rows = json["report"]["rows"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[0][0]), (1, &json!("PLS⊁")), "{json}");
    assert_eq!(folder.run(&format!("{few} --algorithm greedy")).code, 2, "no search for fronts");
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_front_so_far() {
    let folder = TestFolder::new();
    let kept = folder.kept_after_interrupt("solve taillard:ta051 --objective pareto --seconds 100 --out r.ron");
    assert!(kept.front.is_some());
}
