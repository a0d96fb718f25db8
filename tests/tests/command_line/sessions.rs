//! Sessions with rooms, people, rules for many exams and weights in minutes and buildings, on the command line.

use serde_json::Value;

use super::test_folder::TestFolder;

/// Kinds of the violations of a timetable, in order.
fn kinds(folder: &TestFolder, line: &str) -> Vec<String> {
    let answer = folder.run(line);
    let verdict: Value = serde_json::from_str(&answer.text).unwrap_or_else(|_| panic!("{}", answer.errors));
    verdict["violations"].as_array().unwrap().iter().map(|it| it["kind"].as_str().unwrap().to_owned()).collect()
}

/// (count, cost) of a component of the cost of a timetable; `None` if the objective does not weigh it.
fn component(folder: &TestFolder, line: &str, key: &str) -> Option<(u64, u64)> {
    let verdict = folder.run(line).json();
    let found = verdict["components"].as_array().unwrap().iter().find(|component| component["key"] == key)?;
    Some((found["count"].as_u64().unwrap(), found["cost"].as_u64().unwrap()))
}

/// Ten students fit into the ten seats of both rooms together, but five do not fit into the room with four.
#[test]
fn a_competition_session_is_packed_into_its_rooms() {
    let folder = TestFolder::new();
    let exam = |first: u32| (first..first + 5).map(|student| format!(", {student}")).collect::<String>();
    let session = |periods: &[&str]| {
        format!(
            "[Exams:2]\n60{}\n60{}\n[Periods:{}]\n{}\n[Rooms:2]\n6, 0\n4, 0\n[PeriodHardConstraints]\n\
             [RoomHardConstraints]\n[InstitutionalWeightings]\nTWOINAROW, 1\nTWOINADAY, 1\nPERIODSPREAD, 1\n\
             NONMIXEDDURATIONS, 1\nFRONTLOAD, 1, 1, 1\n",
            exam(1),
            exam(11),
            periods.len(),
            periods.join("\n")
        )
    };
    folder.write("two.exam", session(&["15:01:2007, 09:00:00, 60, 0", "15:01:2007, 13:00:00, 60, 0"]));
    folder.write("one.exam", session(&["15:01:2007, 09:00:00, 60, 0"]));
    let info = folder.done("info two.exam --json").json();
    assert_eq!((&info["rooms"], &info["warnings"]), (&2.into(), &Value::Array(Vec::new())), "all is modelled: {info}");
    let solved = folder.done("solve two.exam --generations 500 --out two.ron --json").json();
    assert_eq!(solved["feasible"], true, "{solved}");
    let impossible = folder.run("solve one.exam --generations 500 --json");
    assert_eq!((impossible.code, &impossible.json()["feasible"]), (1, &Value::Bool(false)));
    folder.done("export two.exam two.ron --to two.sol");
    let written = std::fs::read_to_string(folder.path("two.sol")).unwrap();
    let mut places: Vec<&str> = written.lines().collect();
    places.sort_unstable();
    assert_eq!(places, ["0, 0", "1, 0"], "one after the other in the larger room");
    folder.write("together.sol", "0, 0\n0, 1\n");
    assert_eq!(kinds(&folder, "verify two.exam together.sol --json"), ["overfull"]);
}

/// An examiner of two exams, one exam in the mornings only and two on one day: the search keeps all three, and the checker
/// names each by itself.
#[test]
fn examiners_and_a_table_of_rules_hold() {
    let folder = TestFolder::new();
    folder.write("enrolments.csv", "student,exam\ns1,MAT\ns2,PHY\ns3,CHE\n");
    folder.write("exams.csv", "code,duration\nMAT,60\nPHY,60\nCHE,60\n");
    folder.write(
        "periods.csv",
        "date,start,end\n2026-06-01,09:00,10:00\n2026-06-01,14:00,15:00\n2026-06-02,09:00,10:00\n2026-06-02,14:00,15:00\n",
    );
    folder.write("people.csv", "name,absent\nRoth,2026-06-02\n");
    folder.write("examiners.csv", "examiner,exam\nRoth,MAT\nRoth,PHY\n");
    folder.write("rules.csv", "exams,rule,with\nM*,only in,mornings\nMAT,same day,CHE\n");
    let solved = folder.done("solve enrolments.csv --generations 500 --out plan.ron --export plan.sol --json").json();
    assert_eq!(solved["feasible"], true, "{solved}");
    // Roth is absent on the second day: MAT takes the morning of the first, PHY its afternoon, CHE either.
    let plan = std::fs::read_to_string(folder.path("plan.sol")).unwrap();
    let place = |code: &str| {
        let line = plan.lines().find(|line| line.split_whitespace().next() == Some(code)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap()
    };
    assert_eq!((place("MAT"), place("PHY")), (0, 1), "{plan}");
    assert!(place("CHE") < 2, "{plan}");
    for (name, periods, kind) in [
        ("double", [0, 0, 1], "person"),
        ("away", [0, 2, 1], "absent"),
        ("days", [0, 1, 2], "day"),
        ("noon", [1, 0, 0], "forbidden"),
    ] {
        let rows = ["MAT", "PHY", "CHE"].iter().zip(periods).map(|(code, period)| format!("{code} {period}\n"));
        folder.write(&format!("{name}.sol"), rows.collect::<String>());
        assert_eq!(
            kinds(&folder, &format!("verify enrolments.csv {name}.sol --counted-from 0 --json")),
            [kind],
            "{name}"
        );
    }
}

/// Periods one hour, three hours and eleven hours apart; rooms of three and two seats in two buildings.
#[test]
fn breaks_count_in_minutes_and_split_exams_in_buildings() {
    let folder = TestFolder::new();
    folder.write("enrolments.csv", "student,exam\ns1,MAT\ns1,PHY\ns2,MAT\ns3,MAT\ns4,MAT\ns5,MAT\n");
    folder.write("exams.csv", "code,duration,most rooms\nMAT,60,2\nPHY,60,1\n");
    folder.write(
        "periods.csv",
        "date,start,end\n2026-06-01,09:00,12:00\n2026-06-01,13:00,16:00\n2026-06-01,19:00,22:00\n2026-06-02,09:00,12:00\n",
    );
    folder.write("rooms.csv", "room,exam seats,building\nN3,3,North\nN2,2,North\nS3,3,South\n");
    let office = "--minimise office,in_a_row=0,in_a_day=0,days=0,late=0,part=0,opened=0,short_break=80,building=40";
    for (minutes, short) in [(60, [0, 0, 0]), (61, [1, 0, 0]), (181, [1, 1, 0]), (661, [1, 1, 1])] {
        for (pair, expected) in [[0, 1], [1, 2], [2, 3]].into_iter().zip(short) {
            folder.write("plan.sol", format!("MAT {} @ N3:3, N2:2\nPHY {} @ S3:1\n", pair[0], pair[1]));
            let line =
                format!("verify enrolments.csv plan.sol {office},break_minutes={minutes} --counted-from 0 --json");
            let found = component(&folder, &line, "short_break");
            assert_eq!(found, Some((expected, 80 * expected)), "{minutes} minutes, periods {pair:?}");
            let verdict = folder.run(&line).json();
            assert_eq!((&verdict["feasible"], &verdict["cost"]), (&true.into(), &(80 * expected).into()));
        }
    }
    folder.write("plan.sol", "MAT 0 @ N3:3, S3:2\nPHY 1 @ S3:1\n");
    let line = format!("verify enrolments.csv plan.sol {office} --counted-from 0 --json");
    assert_eq!(component(&folder, &line, "building"), Some((1, 40)));
    // The search finds a timetable without either: MAT in one building, and a night between.
    let line = format!(
        "solve enrolments.csv {office},break_minutes=200 --backend cpu --generations 2000 --out plan.ron --json"
    );
    let solved = folder.done(&line).json();
    assert_eq!((&solved["cost"], &solved["feasible"]), (&0.into(), &true.into()), "{solved}");
}
