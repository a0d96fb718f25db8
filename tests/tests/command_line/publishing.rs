//! `gridwright publish`: versions of a timetable in a project.

use gridwright_core::project::{Project, StoredDraft};
use gridwright_timetabling::project::SessionDemands;

use super::test_folder::TestFolder;
use super::updates::write_project;

/// Versions in a project and the periods of its exam D in them.
fn versions(place: &TestFolder, name: &str) -> Vec<(u32, u16)> {
    let project = Project::load(&place.path(name)).unwrap();
    let demands: SessionDemands = project.demands.unwrap().read().unwrap();
    assert_eq!(demands.rules.pins.len(), 2, "the rules stay");
    let period = |version: &gridwright_timetabling::publication::Publication| {
        let exam = version.exams.iter().find(|exam| exam.code == "D").unwrap();
        (version.version, exam.when.period)
    };
    demands.published.iter().map(period).collect()
}

#[test]
fn a_timetable_is_published_changed_and_published_again() {
    let place = TestFolder::new();
    write_project(&place);
    // Pinned are A in the second and D in the third period, counted from 1.
    place.write("first.csv", "exam,period\nA,2\nB,1\nC,4\nD,3\n");
    place.refuses("publish p.gridwright", &["it holds no timetable yet"]);
    let refused = place.run("publish p.gridwright first.csv --to x.changes.csv");
    assert_eq!(refused.code, 2);
    assert!(refused.errors.contains("has no published timetable"), "{}", refused.errors);
    let told = place.done("publish p.gridwright first.csv --dry-run");
    assert!(told.text.contains("would be published\n4 exams of 3 students\n"), "{}", told.text);
    let told = place.done("publish p.gridwright first.csv");
    assert!(told.text.starts_with("Version 1 of session, from first.csv, is published\n"), "{}", told.text);
    assert_eq!(versions(&place, "p.gridwright"), [(1, 3)]);
    let same = std::fs::read(place.path("p.gridwright")).unwrap();
    let told = place.done("publish p.gridwright first.csv --json").json();
    assert_eq!((told["is_written"].as_bool(), told["is_changed"].as_bool()), (Some(false), Some(false)));
    assert_eq!(std::fs::read(place.path("p.gridwright")).unwrap(), same);
    // B and C are a clash of student 2.
    place.write("clash.csv", "exam,period\nA,2\nB,1\nC,1\nD,3\n");
    let refused = place.run("publish p.gridwright clash.csv");
    assert_eq!(refused.code, 1);
    assert!(
        refused.errors.contains("nothing was published") && refused.errors.contains("1 clash"),
        "{}",
        refused.errors
    );
    assert_eq!(std::fs::read(place.path("p.gridwright")).unwrap(), same);
    place.write("second.csv", "exam,period\nA,2\nB,4\nC,1\nD,3\n");
    let told = place.done("publish p.gridwright second.csv --to d.changes.csv --output new.gridwright");
    for line in ["B: other time, period 1 → period 4\n", "C: other time, period 4 → period 1\n"] {
        assert!(told.text.contains(line), "{}", told.text);
    }
    assert!(told.text.contains("Changes concern 2 exams, 3 students\n"), "{}", told.text);
    let table = std::fs::read_to_string(place.path("d.changes.csv")).unwrap();
    assert!(table.contains("student,s2,B,,other time,1,,,,,4"), "{table}");
    assert_eq!((versions(&place, "p.gridwright").len(), versions(&place, "new.gridwright").len()), (1, 2));
    let told = place.run("publish p.gridwright clash.csv --with-violations --json");
    assert_eq!((told.code, told.json()["version"].as_u64()), (0, Some(2)));
    assert_eq!(told.json()["changes"].as_array().map(Vec::len), Some(3));
    let info = place.done("info new.gridwright --json").json();
    assert_eq!(info["exams"].as_u64(), Some(4));
}

/// Without a plan, the last run of the project is published.
#[test]
fn the_last_run_of_a_project_is_published() {
    let place = TestFolder::new();
    write_project(&place);
    place.done("solve p.gridwright --generations 5 --out r.ron --quiet");
    let mut project = Project::load(&place.path("p.gridwright")).unwrap();
    project.runs.push(gridwright_core::registry::load_result(&place.path("r.ron")).unwrap());
    project.save(&place.path("p.gridwright")).unwrap();
    let told = place.done("publish p.gridwright");
    assert!(told.text.contains("from the last run ("), "{}", told.text);
    assert_eq!(versions(&place, "p.gridwright"), [(1, 3)]);
    assert_eq!(Project::load(&place.path("p.gridwright")).unwrap().runs.len(), 1);
    // Edits that the window does not show any more stay in the file, and are not what is meant.
    let run = &project.runs[0];
    let draft = StoredDraft { name: "Run 1".to_owned(), solution: run.solution.clone(), base: run.solution.clone() };
    project.draft = Some(draft);
    for (shown, from) in [("0", "from the last run ("), ("draft", "from the edits"), ("7", "from the edits")] {
        project.view.insert("shown".to_owned(), shown.to_owned());
        project.save(&place.path("q.gridwright")).unwrap();
        let told = place.done("publish q.gridwright --dry-run");
        assert!(told.text.contains(from), "{shown}: {}", told.text);
    }
}
