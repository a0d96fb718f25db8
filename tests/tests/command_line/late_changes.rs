//! Late changes of a session with rooms: what no longer holds, and what solving around it changes.

use serde_json::Value;

use super::test_folder::TestFolder;

/// The tables of a session.
#[derive(Clone)]
struct Tables {
    enrolments: String,
    exams: &'static str,
    periods: String,
    rooms: &'static str,
    people: &'static str,
}

impl Tables {
    /// Four exams without common students on three days of two periods, in the halls H (6 seats) and S (4 seats).
    fn before() -> Self {
        let students = |(exam, count): (&str, usize)| {
            (0..count).map(|number| format!("{exam}{number},{exam}\n")).collect::<String>()
        };
        let sizes = [("A", 5), ("B", 4), ("C", 3), ("D", 4)];
        Self {
            enrolments: format!("student,exam\n{}", sizes.map(students).concat()),
            exams: "code,title,duration\nA,,120\nB,,120\nC,,120\nD,,120\n",
            periods: periods(&[1, 2, 3]),
            rooms: "room,exam seats\nH,6\nS,4\n",
            people: "name,absent\nX,\n",
        }
    }

    fn write(&self, folder: &TestFolder, name: &str) {
        std::fs::create_dir(folder.path(name)).unwrap();
        let write = |table: &str, text: &str| folder.write(&format!("{name}/{table}.csv"), text);
        write("enrolments", &self.enrolments);
        write("exams", self.exams);
        write("periods", &self.periods);
        write("rooms", self.rooms);
        write("people", self.people);
        write("examiners", "examiner,exam\nX,D\n");
    }
}

/// Days of June 2026 with a morning of two hours and an afternoon of three.
fn periods(days: &[u32]) -> String {
    let day = |day: &u32| format!("2026-06-0{day},09:00,11:00\n2026-06-0{day},14:00,17:00\n");
    format!("date,start,end\n{}", days.iter().map(day).collect::<String>())
}

/// Periods and rooms of the published timetable: A and B at once, C and D alone.
const PUBLISHED: &str = "A 0 @ H:5\nB 0 @ S:4\nC 2 @ H:3\nD 3 @ H:4\n";

fn solved(folder: &TestFolder, name: &str, around: &str) -> Value {
    folder.done(&format!("solve {name} --around {around} --generations 2000 --out {name}.ron --json")).json()
}

/// Each change by itself: the kind that no longer holds, and the fewest exams and rooms that any timetable of the new data
/// changes, found by hand.
#[test]
fn each_change_moves_what_it_must_and_nothing_else() {
    let folder = TestFolder::new();
    let before = Tables::before();
    before.write(&folder, "before");
    folder.write("published.sol", PUBLISHED);
    // A timetable that holds is kept.
    let kept = solved(&folder, "before", "published.sol");
    assert_eq!((&kept["moved"], &kept["left_rooms"], &kept["feasible"]), (&0.into(), &0.into(), &true.into()));
    let late = |line: &str| Tables { enrolments: before.enrolments.clone() + line, ..before.clone() };
    let changes = [
        // B has five students for the four seats of S, and A is in H: one of the two takes H in another period.
        ("enrolled", late("late,B\n"), "1 overfull room", [1, 1]),
        // B has no room; H is taken in its period.
        (
            "lost",
            Tables { rooms: "room,exam seats\nH,6\n", ..before.clone() },
            "1 exam with students without a seat",
            [1, 0],
        ),
        // C no longer fits into a morning.
        (
            "longer",
            Tables { exams: "code,title,duration\nA,,120\nB,,120\nC,,150\nD,,120\n", ..before.clone() },
            "1 exam longer than its period",
            [1, 0],
        ),
        (
            "absent",
            Tables { people: "name,absent\nX,2026-06-02\n", ..before.clone() },
            "1 exam in the absence of a person",
            [1, 0],
        ),
        // Students of A and B: the two cannot be in one period any more.
        ("clashing", late("A0,B\n"), "1 clash", [1, 1]),
        // A and B stood on the first day; C and D keep their dates.
        ("shorter", Tables { periods: periods(&[2, 3]), ..before.clone() }, "2 exams without a period", [0, 0]),
    ];
    for (name, tables, kind, fewest) in changes {
        tables.write(&folder, name);
        let result = solved(&folder, name, "before.ron");
        assert_eq!(result["feasible"], true, "{name}: {result}");
        let notes = result["notes"].to_string();
        assert!(notes.contains(&format!("Before: {kind}: ")), "{name}: {notes}");
        assert_eq!([&result["moved"], &result["left_rooms"]], fewest.map(Value::from).each_ref(), "{name}");
        folder.done(&format!("verify {name} {name}.ron"));
    }
}

#[test]
fn a_room_that_is_gone_is_named_and_its_students_are_seated_anew() {
    let folder = TestFolder::new();
    let before = Tables::before();
    let lost = Tables { rooms: "room,exam seats\nH,6\nT,4\n", ..before.clone() };
    before.write(&folder, "before");
    lost.write(&folder, "lost");
    folder.write("published.sol", PUBLISHED);
    let answer = folder.run("verify lost published.sol --json");
    assert_eq!(answer.code, 1, "{}", answer.errors);
    let verdict: Value = serde_json::from_str(&answer.text).unwrap();
    assert!(verdict["mismatches"].to_string().contains("1 room of the file is not in lost"), "{verdict}");
    assert_eq!(verdict["violations"][0]["kind"], "unseated");
    // B keeps its period and gets the new room.
    let result = solved(&folder, "lost", "published.sol");
    assert_eq!((&result["feasible"], &result["moved"], &result["left_rooms"]), (&true.into(), &0.into(), &0.into()));
    folder.done("export lost lost.ron --to after.sol");
    let compared = folder.done("compare lost published.sol after.sol --json").json();
    assert_eq!(compared["moved"], Value::Array(Vec::new()));
    let rooms = serde_json::json!([{ "exam": "B", "from": [""], "to": ["T"] }]);
    assert_eq!(compared["reseated"], rooms);
    assert!(folder.done("compare lost published.sol after.sol").text.contains("Other rooms: 1 exam"));
}

#[test]
fn prices_belong_to_a_timetable_to_stay_close_to() {
    let folder = TestFolder::new();
    Tables::before().write(&folder, "before");
    folder.refuses("solve before --price 5", &["--around FILE"]);
    folder.refuses("solve before --around nowhere.sol", &["nowhere.sol", "no such file"]);
    folder.write("published.sol", PUBLISHED);
    folder.refuses("solve before --around published.sol --price x", &["--price", "whole number"]);
}

#[test]
fn a_result_fits_data_with_an_exam_more_or_less() {
    let folder = TestFolder::new();
    Tables::before().write(&folder, "old");
    folder.done("solve old --generations 200 --quiet --out old.ron");
    let mut changed = Tables::before();
    changed.exams = "code,title,duration\nA,,120\nB,,120\nC,,120\nE,,120\n";
    changed.enrolments = changed.enrolments.replace(",D\n", ",E\n");
    changed.write(&folder, "new");
    folder.write("new/examiners.csv", "examiner,exam\nX,E\n");
    let json = folder.run("verify new old.ron --json").json();
    let told = json["mismatches"].to_string();
    assert!(told.contains("1 exam of the file is not in new: D") && told.contains("E"), "{json}");
    assert!(json["violations"].to_string().contains("E"), "{json}");
    folder.done("solve new --around old.ron --generations 200 --quiet --out new.ron");
    let compared = folder.done("compare new old.ron new.ron").text;
    assert!(compared.contains('E'), "{compared}");
    // E has no period yet: the table says so, and the exit code, too.
    assert_eq!(folder.run("export new old.ron --to old.csv").code, 1);
    let table = std::fs::read_to_string(folder.path("old.csv")).unwrap();
    assert!(!table.contains("\nD,") && table.contains("\nE,"), "{table}");
    // Of other sessions nothing fits.
    let other = folder.refused("verify sample:school old.ron").errors;
    assert!(other.contains("it holds an unknown exam"), "{other}");
}
