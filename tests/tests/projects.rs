//! Projects on the command line: their calendar and rules are minded by every command.

use std::path::Path;
use std::process::Output;

use gridwright_core::result::{Encoded, RunResult};
use gridwright_tests::{gridwright, output_of};
use gridwright_timetabling::formats::{LoadOptions, open};
use gridwright_timetabling::project::project_of;
use gridwright_timetabling::stored::StoredSolution;
use gridwright_timetabling::{Instance, Relation, RelationKind};
use serde_json::Value;

/// Three exams that share a student with each other, in a folder of its own.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("three.crs"), "A 2\nB 2\nC 2\n").unwrap();
        std::fs::write(folder.path().join("three.stu"), "A B\nB C\nA C\n").unwrap();
        Self(folder)
    }

    /// A project of it in four periods, with what is demanded.
    fn project(&self, name: &str, demand: impl FnOnce(&mut Instance)) {
        let source = self.0.path().join("three.stu").display().to_string();
        let mut instance = open(&source, &LoadOptions { periods: Some(4) }).unwrap();
        demand(&mut instance);
        project_of(&instance, &source).save(&self.path(name)).unwrap();
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, line: &str) -> Output {
        output_of(gridwright().args(line.split_whitespace()).current_dir(self.0.path()))
    }
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// A in period 2, and before B.
fn rules(instance: &mut Instance) {
    instance.rules.pins.insert(0, 1);
    instance.rules.relations.insert(Relation::new(RelationKind::Before, 0, 1));
}

fn period_of(path: &Path, exam: &str) -> u16 {
    let StoredSolution::Timetable(rows) = RunResult::load(path).unwrap().solution.decode().unwrap() else {
        panic!("no rooms")
    };
    rows.iter().find(|row| row.0 == exam).and_then(|row| row.1).unwrap()
}

#[test]
fn a_project_is_solved_checked_exported_and_replayed_by_its_rules() {
    let folder = Folder::new();
    folder.project("mine.gridwright", rules);
    let info = json(&folder.run("info mine.gridwright --json"));
    assert_eq!((&info["periods"], &info["name"]), (&Value::from(4), &Value::from("three")));
    assert_eq!(info["rules"][0], "Exam A is pinned to period 2");

    let solved = folder.run("solve mine.gridwright --seconds 0.2 --out run.ron --json");
    assert_eq!((solved.status.code(), &json(&solved)["feasible"]), (Some(0), &Value::Bool(true)));
    let at = |exam| period_of(&folder.path("run.ron"), exam);
    assert!(at("A") == 1 && at("B") > 1, "A {}, B {}", at("A"), at("B"));
    for line in ["verify mine.gridwright run.ron", "replay run.ron", "export mine.gridwright run.ron --to plan.csv"] {
        let done = folder.run(line);
        assert_eq!(done.status.code(), Some(0), "{line}: {}", String::from_utf8_lossy(&done.stderr));
    }
    assert!(folder.path("plan.csv").is_file());
}

#[test]
fn broken_rules_are_listed_by_kind_and_not_exported() {
    let folder = Folder::new();
    folder.project("mine.gridwright", rules);
    std::fs::write(folder.path("bad.sol"), "A 2\nB 0\nC 1\n").unwrap();
    let verified = folder.run("verify mine.gridwright bad.sol --json");
    assert_eq!(verified.status.code(), Some(1));
    let kinds: Vec<String> = json(&verified)["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|violation| violation["kind"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds, ["pin", "before"]);
    let spoken = String::from_utf8(folder.run("verify mine.gridwright bad.sol").stdout).unwrap();
    assert!(spoken.contains("pin: exam A is pinned to period 2, but is in 3"), "{spoken}");
    assert!(spoken.contains("before: exam A must be before exam B"), "{spoken}");
    assert_eq!(folder.run("export mine.gridwright bad.sol --to bad.csv").status.code(), Some(1));
    assert!(folder.path("bad.csv").exists(), "a timetable that violates something is exported, and said to be one");
}

#[test]
fn contradictions_end_with_their_names() {
    let folder = Folder::new();
    folder.project("never.gridwright", |instance| {
        instance.rules.pins.extend([(0, 1), (1, 1)]);
    });
    let solved = folder.run("solve never.gridwright --seconds 5 --quiet");
    assert_eq!(solved.status.code(), Some(1));
    let told = String::from_utf8_lossy(&solved.stderr).into_owned();
    assert!(told.contains("exams A and B are both pinned to period 2 and share 1 student"), "{told}");
    let info = folder.run("info never.gridwright");
    assert!(String::from_utf8_lossy(&info.stdout).contains("Contradictions"));
}

#[test]
fn what_a_run_was_asked_to_mind_is_checked_against_the_plain_instance_too() {
    let folder = Folder::new();
    folder.project("mine.gridwright", rules);
    assert_eq!(folder.run("solve mine.gridwright --seconds 0.2 --out run.ron --quiet").status.code(), Some(0));
    assert_eq!(folder.run("verify three.stu run.ron").status.code(), Some(0));
    // The same result with A and B exchanged: no clash, but neither the pin nor the order holds.
    let mut result = RunResult::load(&folder.path("run.ron")).unwrap();
    let StoredSolution::Timetable(mut rows) = result.solution.decode().unwrap() else { panic!("no rooms") };
    let (a, b) = (rows[0].1, rows[1].1);
    (rows[0].1, rows[1].1) = (b, a);
    result.solution = Encoded::of(&StoredSolution::Timetable(rows));
    result.save(&folder.path("swapped.ron")).unwrap();
    let verified = folder.run("verify three.stu swapped.ron --json");
    assert_eq!(verified.status.code(), Some(1));
    let kinds: Vec<Value> =
        json(&verified)["violations"].as_array().unwrap().iter().map(|violation| violation["kind"].clone()).collect();
    assert_eq!(kinds, ["pin", "before"]);
}

/// A project of a flow shop is that flow shop for every command, and its data are looked for beside it.
#[test]
fn a_project_of_a_flow_shop_is_its_flow_shop() {
    use gridwright_core::project;
    use gridwright_core::result::InstanceReference;
    use gridwright_flowshop::formats;
    let folder = Folder::new();
    let data = folder.path("two.csv");
    std::fs::write(&data, "job,Saw,Mill\nDesk,3,2\nChair,1,4\n").unwrap();
    let hash = formats::open(&data.display().to_string(), &formats::LoadOptions::default()).unwrap().hash;
    let instance = InstanceReference {
        name: "two".to_owned(),
        source: "/elsewhere/two.csv".to_owned(),
        hash,
        options: std::collections::BTreeMap::default(),
    };
    project::Project::of("flowshop", instance).save(&folder.path("mine.gridwright")).unwrap();
    let info = folder.run("info mine.gridwright --json");
    assert_eq!((json(&info)["problem"].as_str(), json(&info)["jobs"].as_u64()), (Some("flowshop"), Some(2)));
    let solved = folder.run("solve mine.gridwright --generations 5 --threads 1 --json --export plan.xlsx");
    assert_eq!(json(&solved)["cost"].as_f64(), Some(7.0));
    assert!(std::fs::read(folder.path("plan.xlsx")).unwrap().starts_with(b"PK"));
    std::fs::write(&data, "job,Saw,Mill\nDesk,3,2\nChair,1,5\n").unwrap();
    let refused = folder.run("info mine.gridwright");
    assert_eq!(refused.status.code(), Some(0), "the project is not lost");
    let text = String::from_utf8_lossy(&refused.stdout).into_owned() + &String::from_utf8_lossy(&refused.stderr);
    assert!(text.contains("have changed since the project was saved"), "{text}");
}
