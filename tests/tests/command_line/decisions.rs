//! Decisions about a plan: what they are called, what they would cost, and that answers are the same again.

use serde_json::Value;

use super::test_folder::TestFolder;

/// Ten students with A and one of B, C and D; three days of two periods, a hall of twelve seats and a room of six.
fn session() -> TestFolder {
    let folder = TestFolder::new();
    let other = |student: usize| ["B", "C", "D"][student % 3];
    let enrolments = (0..10).map(|student| format!("s{student},A\ns{student},{}\n", other(student)));
    folder.write("enrolments.csv", format!("student,exam\n{}", enrolments.collect::<String>()));
    let day = |day: u32| format!("2026-06-0{day},09:00,11:00\n2026-06-0{day},14:00,16:00\n");
    folder.write("periods.csv", format!("date,start,end\n{}", (1..4).map(day).collect::<String>()));
    folder.write("rooms.csv", "room,exam seats\nH,12\nS,6\n");
    folder.write("exams.csv", "code,title,duration\nA,,120\nB,,120\nC,,120\nD,,120\n");
    folder.write("plan.sol", "A 0 @ H:10\nB 1 @ S:4\nC 3 @ S:3\nD 4 @ S:3\n");
    folder
}

fn whatif(folder: &TestFolder, more: &str) -> Value {
    folder.done(&format!("whatif enrolments.csv plan.sol --generations 200 --json {more}")).json()
}

fn decision<'a>(answer: &'a Value, key: &str) -> &'a Value {
    let all = answer["decisions"].as_array().unwrap();
    all.iter().find(|one| one["decision"] == key).unwrap_or_else(|| panic!("{key}: {answer}"))
}

#[test]
fn decisions_are_listed_by_short_names() {
    let folder = session();
    let list = folder.done("whatif enrolments.csv plan.sol --list --json").json();
    let named = |key: &str| list.as_array().unwrap().iter().find(|one| one["decision"] == key).cloned();
    for (key, words) in [
        ("no-change", "No change, improved for the same time"),
        ("without-2026-06-03", "Without Wednesday 3 June (2 periods)"),
        ("day-more", "Monday 8 June as well (2 periods)"),
        ("without-room-H", "Without room H (12 seats)"),
        ("more-seats-S", "20 seats more in room S (6)"),
        ("room-more", "A second room like H (12 seats)"),
    ] {
        assert_eq!(named(key).unwrap_or_default()["words"], words, "{list}");
    }
    assert!(named("double-in_a_row").is_some() && named("half-in_a_row").is_some(), "{list}");
    assert!(named("without-pins").is_none(), "there are no pins");
    let told = folder.done("whatif enrolments.csv plan.sol --list").text;
    assert!(told.starts_with("no-change") && told.contains("proposed"), "{told}");
}

/// The student of A and B has them in a row in the present plan, which a search avoids. Without the hall A has no room.
#[test]
fn each_decision_says_what_it_would_cost_and_what_is_in_the_way() {
    let folder = session();
    let only = "--only without-room-H day-more double-in_a_row without-2026-06-02";
    let answer = whatif(&folder, only);
    assert_eq!(answer["decisions"].as_array().unwrap().len(), 5, "{answer}");
    let cost = |one: &Value| one["figures"]["cost"].as_f64().unwrap();
    let none = decision(&answer, "no-change");
    let present = answer["present"]["cost"].as_f64().unwrap();
    assert!(cost(none) < present && none["figures"]["moved"].as_u64() > Some(0), "{answer}");
    assert_eq!((&answer["present"]["in_a_row"], &none["figures"]["in_a_row"]), (&4.into(), &0.into()));
    let impossible = decision(&answer, "without-room-H");
    assert_eq!(impossible["feasible"], false);
    assert!(impossible["obstacle"].as_str().unwrap().contains('A'), "{impossible}");
    assert_eq!(impossible["figures"]["cost"], Value::Null, "a cost of fewer exams would mislead: {impossible}");
    let closed = decision(&answer, "without-2026-06-02");
    assert_eq!((&closed["feasible"], &closed["obstacle"]), (&true.into(), &Value::Null));
    assert!(cost(closed) >= cost(none), "a day less costs at least as much: {answer}");
    assert!(cost(decision(&answer, "day-more")) <= cost(none), "{answer}");
    // Another weight is measured with the present weights, so that costs can be compared.
    assert!(cost(decision(&answer, "double-in_a_row")) >= cost(none), "{answer}");
}

/// But for times, an answer follows from the question, however many runs go on at a time.
#[test]
fn the_same_question_has_the_same_answer() {
    let folder = session();
    let without_times = |mut answer: Value| {
        for one in answer["decisions"].as_array_mut().unwrap() {
            one.as_object_mut().unwrap().remove("seconds");
        }
        answer
    };
    let answers = ["--threads 1", "--threads 2", "--threads 2"].map(|threads| without_times(whatif(&folder, threads)));
    assert!(answers[0]["decisions"].as_array().unwrap().len() > 8, "{}", answers[0]);
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[1], answers[2]);
}

#[test]
fn the_table_is_written_and_wrong_names_are_refused() {
    let folder = session();
    let told =
        folder.done("whatif enrolments.csv plan.sol --generations 50 --only room-more --to out.csv out.xlsx").text;
    for words in ["Present plan", "No change", "A second room like H", "Changes are those from no change"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let table = std::fs::read_to_string(folder.path("out.csv")).unwrap();
    assert_eq!(table.lines().count(), 4, "{table}");
    assert!(folder.path("out.xlsx").exists());
    let parts = ["there is no decision “without-room-X”", "--list"];
    folder.refuses("whatif enrolments.csv plan.sol --only without-room-X", &parts);
}

/// Decisions about flow shops and layouts are solved, and no change is never worse than the present plan.
#[test]
fn other_problems_have_decisions_too() {
    let folder = TestFolder::new();
    for (source, expected) in [("sample:workshop", "faster-"), ("sample:layout-plant", "any-shape")] {
        folder.done(&format!("solve {source} --generations 20 --quiet --out plan.ron --overwrite"));
        let answer = folder.done(&format!("whatif {source} plan.ron --generations 20 --json")).json();
        let all = answer["decisions"].as_array().unwrap();
        let keys: Vec<&str> = all.iter().filter_map(|one| one["decision"].as_str()).collect();
        assert!(keys[0] == "no-change" && keys.iter().any(|key| key.starts_with(expected)), "{source}: {keys:?}");
        assert!(all.iter().all(|one| one["feasible"] == true), "{source}: {answer}");
        let cost = |figures: &Value| figures.as_object().unwrap().values().next().and_then(Value::as_f64).unwrap();
        assert!(cost(&all[0]["figures"]) <= cost(&answer["present"]), "{source}: {answer}");
    }
    folder.done("solve sample:backpack --generations 5 --quiet --out bits.ron");
    let told = folder.done("whatif sample:backpack bits.ron --list").text;
    assert_eq!(told.lines().count(), 1, "there is nothing but no change: {told}");
}

/// Rules that the run of a plan was given hold for decisions about it, too.
#[test]
fn rules_of_the_run_stay() {
    let folder = TestFolder::new();
    folder.done("solve sample:workshop --pin Bookshelf=8 --generations 5 --quiet --out plan.ron");
    let list = folder.done("whatif sample:workshop plan.ron --list").text;
    assert!(list.contains("without-pins") && list.contains("Without 1 pin of a job"), "{list}");
}

#[test]
fn a_table_of_another_format_is_refused_before_the_runs() {
    let folder = session();
    folder.refuses("whatif enrolments.csv plan.sol --seconds 100 --to out.pdf", &[".pdf", ".csv or .xlsx"]);
}
