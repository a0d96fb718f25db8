//! Examination sessions on the command line.

use std::path::Path;
use std::time::{Duration, Instant};

use gridwright_core::result::{Encoded, RunResult};
use gridwright_tests::{gridwright, output_of};
use gridwright_timetabling::stored::StoredSolution;
use serde_json::Value;

use super::test_folder::{Answer, TestFolder};

/// Three exams that all share a student, in the files of the Toronto collection.
const TRIANGLE: (&str, &str) = ("0001 2\n0002 2\n0003 2\n", "0001 0002\n0002 0003\n0001 0003\n");

impl TestFolder {
    fn with_triangle() -> Self {
        let folder = Self::new();
        folder.write("three.crs", TRIANGLE.0);
        folder.write("three.stu", TRIANGLE.1);
        folder
    }

    /// A school of 30 exams in 14 periods, made by the program itself.
    fn with_school() -> Self {
        let folder = Self::new();

        folder.done("generate timetabling --preset school --exams 30 --students 200 --seed 5 --out school.stu");
        folder
    }
}

#[test]
fn bad_instances_are_refused_with_file_and_line() {
    let folder = TestFolder::new();
    for name in ["short", "lacking", "disagreeing", "binary", "overflowing"] {
        folder.write(&format!("{name}.crs"), TRIANGLE.0);
    }
    folder.write("short.stu", "0001 0002\n0002 0003\n0001 000");
    folder.write("lacking.stu", "0001 0002\n0002 0003\n0001 0003\n0004\n");
    folder.write("disagreeing.stu", "0001 0002\n0002 0003\n");
    folder.write("binary.stu", b"0001 0002\n\x00\x01\x02\xff\n");
    folder.write("empty.stu", "");
    folder.write("overflowing.crs", "0001 2\n0002 99999999999999999999\n0003 2\n");
    folder.write("overflowing.stu", TRIANGLE.1);
    folder.write("headless.csv", "1;2;3\n");
    for (name, expected) in [
        ("nowhere.stu", &["nowhere.stu: ", "no such file"][..]),
        ("empty.stu", &["empty.stu: ", "empty"]),
        ("binary.stu", &["binary.stu:2: "]),
        ("short.stu", &["short.stu:3: ", "000"]),
        ("lacking.stu", &["lacking.stu:4: ", "0004"]),
        ("disagreeing.stu", &["disagreeing.crs:1: ", "0001", "2", "1"]),
        ("overflowing.stu", &["overflowing.crs:2: ", "99999999999999999999"]),
        ("headless.csv", &["headless.csv:1: "]),
        ("sample:moon", &["moon", "university"]),
    ] {
        folder.refuses_file(name, expected, &["info FILE", "solve FILE --periods 3 --out r.ron --export plan.pdf"]);
    }
}

/// Three students with two exams each pay at least w(2) = 8 each, and no timetable costs less than 40.
#[test]
fn the_lower_bound_and_the_risk_of_late_enrolments_are_stated() {
    let folder = TestFolder::with_triangle();
    folder.write("plan.sol", "0001 0\n0002 1\n0003 2\n");
    let info = folder.done("info three.stu --periods 3 --json").json();
    assert!((8.0..=40.0 / 3.0).contains(&info["lower_bound"].as_f64().unwrap()), "{info}");
    assert!(info["lower_bound_reasons"].to_string().contains("3 students with 2 exams each, at least 8 for each"));
    let checked = folder.done("verify three.stu plan.sol --periods 3 --json").json();
    assert_eq!(checked["lower_bound"], info["lower_bound"]);
    assert_eq!(checked["late_enrolments"]["clashing"].as_f64(), Some(0.0));
    let told = folder.done("verify three.stu plan.sol --periods 3").text;
    assert!(told.contains("none would clash") && told.contains("computed without a search"), "{told}");
    let unknown = folder.done("info three.stu --json").json();
    assert!(unknown["lower_bound"].is_null(), "without periods there is no bound");
}

#[test]
fn bad_solutions_are_refused_with_file_and_line() {
    let folder = TestFolder::with_triangle();
    folder.write("beyond.sol", "0001 0\n0002 7\n0003 2\n");
    folder.write("twice.sol", "0001 0\n0002 1\n0003 2\n0001 1\n");
    folder.write("missing.sol", "0001 0\n0002 1\n");
    folder.write("words.sol", "0001 0\n0002 one\n0003 2\n");
    folder.write("empty.sol", "");
    folder.write("broken.ron", "(format: 1, program: \"gridwright\"");
    for (name, expected) in [
        ("twice.sol", &["twice.sol:4: ", "0001"][..]),
        ("words.sol", &["words.sol:2: ", "one"]),
        ("empty.sol", &["empty.sol: "]),
        ("nowhere.sol", &["nowhere.sol: ", "no such file"]),
        ("broken.ron", &["broken.ron:1: ", "not a result"]),
    ] {
        folder.refuses_file(
            name,
            expected,
            &["verify three.stu FILE --periods 3", "export three.stu FILE --periods 3 --to plan.csv plan.svg"],
        );
    }
    // A timetable of other data is matched by codes; what does not fit is listed.
    for (name, expected) in [("beyond.sol", "does not have and has none now: 0002"), ("missing.sol", "no period: 0003")]
    {
        let verified = folder.run(&format!("verify three.stu {name} --periods 3"));
        assert!(verified.code == 1 && verified.text.contains(expected), "{}", verified.text);
        let exported = folder.run(&format!("export three.stu {name} --periods 3 --to plan.csv"));
        assert!(
            exported.code == 1 && exported.errors.contains("Not feasible: 1 exam without a period"),
            "{}",
            exported.errors
        );
    }
}

#[test]
fn what_cannot_be_written_is_told_before_the_work() {
    let folder = TestFolder::with_triangle();
    let began = Instant::now();
    for (options, expected) in [
        ("", "--periods"),
        ("--periods 3 --export plan.doc", "csv"),
        ("--periods 3 --export plan", "ending"),
        ("--periods 3 --export three.stu/plan.csv", "is a file"),
        ("--periods 3 --export plan.csv --export plan.csv", "twice"),
        ("--periods 3 --export plan.ics", "dates"),
        ("--periods 3 --out three.stu/r.ron", "is a file"),
        ("--periods 3 --algorithm guessing", "annealing and evolution"),
        ("--periods 3 --set speed=9", "kempe"),
        ("--periods 3 --set kempe=9", "from 0 to 1"),
    ] {
        let line = format!("solve three.stu --seconds 60 {options}");
        folder.refuses(&line, &[expected]);
    }
    assert!(began.elapsed() < Duration::from_secs(30), "something was searched");
}

#[test]
fn nothing_that_is_read_is_overwritten() {
    let folder = TestFolder::with_triangle();
    folder.write("plan.csv", "exam,period\n0001,1\n0002,2\n0003,3\n");
    let answer = folder.refused("export three.stu plan.csv --periods 3 --to ./plan.csv");
    assert!(answer.errors.contains("overwritten"), "{}", answer.errors);
    let answer = folder.refused("generate timetabling --preset school --out three.stu");
    assert!(answer.errors.contains("is there already"), "{}", answer.errors);
}

#[test]
fn a_device_that_is_not_there_has_its_own_exit_code() {
    let folder = TestFolder::with_triangle();
    let devices = folder.done("devices --json");
    let devices = devices.json();
    let devices = devices["devices"].as_array().unwrap();
    assert_eq!(devices[0]["id"], "cpu");
    assert_eq!(devices[0]["unavailable"], Value::Null);
    let absent = devices.iter().filter(|device| device["id"] != "cpu" && !device["unavailable"].is_null());
    for device in absent {
        let why = device["unavailable"].as_str().unwrap();
        assert!(folder.run("devices").text.contains(why));
        // Asked for by name, the same reason and what to do instead.
        let answer = folder
            .run(&format!("solve three.stu --periods 3 --seconds 1 --backend {}", device["id"].as_str().unwrap()));
        assert_eq!(answer.code, 3);
        assert!(answer.errors.contains(why) && answer.errors.contains("--backend cpu"), "{}", answer.errors);
        // Asked for nothing, the CPU does it; nobody is told of a GPU that nobody has.
        let answer = folder.run("solve three.stu --periods 3 --generations 10 --quiet");
        assert_eq!((answer.code, answer.errors.as_str()), (0, ""));
    }
    let verbose = folder.run("devices --verbose --json").json();
    let usable = devices.iter().filter(|device| device["id"] != "cpu" && device["unavailable"].is_null()).count();
    assert_eq!(verbose["free_bytes"].as_object().unwrap().len(), usable);
    // No machine has as many.
    let answer = folder.run("solve three.stu --periods 3 --seconds 1 --backend cuda:4000 --quiet");
    assert_eq!((answer.code, answer.text.as_str()), (3, ""), "{}", answer.errors);
    assert!(answer.errors.starts_with("error: "), "{}", answer.errors);
}

#[test]
fn verify_counts_by_hand_and_says_from_where_periods_are_counted() {
    let folder = TestFolder::with_triangle();
    // Distances 1, 1 and 2 with one student each: 16 + 16 + 8 = 40, and 40 / 3 = 13.3333.
    folder.write("zero.sol", "0001 0\n0002 1\n0003 2\n");
    folder.write("one.sol", "0001 1\n0002 2\n0003 3\n");
    for (name, first) in [("zero.sol", 0), ("one.sol", 1)] {
        let answer = folder.run(&format!("verify three.stu {name} --periods 3 --json"));
        let json = answer.json();
        assert_eq!(answer.code, 0);
        assert_eq!((&json["feasible"], &json["problem"]), (&Value::Bool(true), &Value::from("timetabling")));
        assert_eq!((&json["cost"], &json["cost_display"]), (&Value::from(40), &Value::from(13.3333)));
        assert_eq!(json["violations"], Value::Array(Vec::new()));
        assert_eq!(json["periods_counted_from"], first, "{name}");
        let spoken = folder.run(&format!("verify three.stu {name} --periods 3")).text;
        assert!(spoken.contains(&format!("counted from {first}")), "{spoken}");
    }
    folder.write("clash.sol", "0001 0\n0002 0\n0003 2\n");
    let answer = folder.run("verify three.stu clash.sol --periods 3 --json");
    assert_eq!(answer.code, 1);
    let json = answer.json();
    assert_eq!(json["violations"][0]["kind"], "clash");
    assert!(json["violations"][0]["text"].as_str().unwrap().contains("share 1 student"));
    let answer = folder.run("export three.stu clash.sol --periods 3 --to plan.svg --to plan.csv");
    assert_eq!((answer.code, answer.text.as_str()), (1, "plan.svg\nplan.csv\n"));
    assert!(answer.errors.contains("clash.sol: Not feasible: 1 clash"), "{}", answer.errors);
    let svg = std::fs::read_to_string(folder.path("plan.svg")).unwrap();
    assert!(svg.contains("Not feasible: 1 clash") && svg.contains("share 1 student"), "{svg}");
}

#[test]
fn no_feasible_timetable_is_told_with_names_and_the_reason() {
    let folder = TestFolder::with_triangle();
    let answer = folder.run("solve three.stu --periods 2 --seconds 2 --out part.ron --export part.svg --json");
    assert_eq!(answer.code, 1);
    let json = answer.json();
    assert_eq!((&json["feasible"], &json["checked"]), (&Value::Bool(false), &Value::Bool(true)));
    assert!(answer.errors.contains("000"), "an exam is named: {}", answer.errors);
    assert!(answer.errors.contains("3 exams") && answer.errors.contains("only 2"), "{}", answer.errors);
    assert!(answer.errors.contains("what was exported is stamped: Not feasible: "), "{}", answer.errors);
    let svg = std::fs::read_to_string(folder.path("part.svg")).unwrap();
    assert!(svg.contains("Not feasible: "), "{svg}");
    let kept = RunResult::load(&folder.path("part.ron")).unwrap();
    assert!(!kept.verdict.feasible && !kept.notes.is_empty());
    let verified = folder.run("verify three.stu part.ron --json");
    assert_eq!((verified.code, &verified.json()["violations"][0]["kind"]), (1, &Value::from("unplaced")));
}

#[test]
fn a_result_is_solved_checked_exported_and_replayed_the_same_on_any_number_of_threads() {
    let folder = TestFolder::with_school();
    for (algorithm, generations) in [("annealing", 20_000), ("evolution", 10)] {
        let mut first: Option<Value> = None;
        for threads in [1, 2, 8] {
            let answer = folder.run(&format!(
                "solve school.stu --periods 14 --algorithm {algorithm} --generations {generations} --seed 3 \
                 --threads {threads} --out {algorithm}-{threads}.ron --export plan-{algorithm}-{threads}.sol --json"
            ));
            assert_eq!((answer.code, answer.errors.as_str()), (0, ""), "{algorithm}, {threads} threads");
            let json = answer.json();
            assert_eq!((&json["algorithm"], &json["seed"]), (&Value::from(algorithm), &Value::from(3)));
            let shown = json["cost"].as_f64().unwrap() / 200.0;
            assert!((json["cost_display"].as_f64().unwrap() - shown).abs() < 1e-4);
            for key in [
                "instance", "parameters", "backend", "device", "checked", "evaluations", "seconds", "stop_reason",
                "curve", "notes",
            ] {
                assert!(!json[key].is_null(), "{key}");
            }
            improvements_lead_to_the_cost(&json);
            let first = first.get_or_insert_with(|| json.clone());
            for key in ["cost", "digest", "generations", "evaluations", "feasible"] {
                assert_eq!(first[key], json[key], "{algorithm}: {key} with {threads} threads");
            }
            let verified = folder.run(&format!("verify school.stu plan-{algorithm}-{threads}.sol --periods 14 --json"));
            assert_eq!((verified.code, &verified.json()["cost"]), (0, &first["cost"]));
        }
        for threads in [1, 2, 8] {
            let again = folder.run(&format!("replay {algorithm}-2.ron --threads {threads} --json"));
            let json = again.json();
            assert_eq!((again.code, &json["equal"]), (0, &Value::Bool(true)), "{}", again.errors);
            assert_eq!(json["first_difference"], Value::Null);
            assert!(json["epochs"].as_u64().unwrap() > 1);
        }
    }
}

/// Asserts that the improvements of a solve are strict, exact and in order, and that the last one has the cost of the run.
fn improvements_lead_to_the_cost(json: &Value) {
    let improvements = json["improvements"].as_array().unwrap();
    let of = |improvement: &Value, key: &str| improvement[key].as_f64().unwrap();
    assert!(!improvements.is_empty());
    for pair in improvements.windows(2) {
        let [before, after] = pair else { unreachable!() };
        assert!(of(after, "cost") < of(before, "cost"), "{before} {after}");
        for key in ["step", "evaluations", "seconds"] {
            assert!(of(after, key) >= of(before, key), "{before} {after}");
        }
    }
    assert!(improvements.iter().all(|improvement| improvement["exact"] == Value::Bool(true)), "{improvements:?}");
    let last = &improvements[improvements.len() - 1];
    assert_eq!(last["cost"], json["cost"]);
    assert!(of(last, "step") <= of(json, "generations") && of(last, "evaluations") <= of(json, "evaluations"));
}

#[test]
fn replay_finds_what_differs() {
    let folder = TestFolder::with_school();
    let solved = folder.run("solve school.stu --periods 14 --generations 5000 --seed 3 --out r.ron --quiet");
    assert_eq!((solved.code, solved.text.as_str(), solved.errors.as_str()), (0, "", ""));
    let mut changed = RunResult::load(&folder.path("r.ron")).unwrap();
    let last = changed.digests.len() - 1;
    changed.digests[last] = "0000000000000000".to_owned();
    changed.save(&folder.path("changed.ron")).unwrap();
    let answer = folder.run("replay changed.ron --json");
    assert_eq!((answer.code, &answer.json()["first_difference"]), (1, &Value::from(last)));
    assert!(answer.errors.contains(&format!("from epoch {last} on")), "{}", answer.errors);
    // Other data under the same name: the result must not be compared with them.
    std::fs::create_dir(folder.path("moved")).unwrap();
    for name in ["school.stu", "school.crs"] {
        std::fs::rename(folder.path(name), folder.path("moved").join(name)).unwrap();
    }
    folder.refuses("replay r.ron", &["--instance"]);
    assert_eq!(folder.run("replay r.ron --instance moved/school.stu").code, 0);
    folder.write("school.crs", TRIANGLE.0);
    folder.write("school.stu", TRIANGLE.1);
    folder.refuses("replay r.ron", &["other data"]);
}

#[test]
fn a_result_is_exported_in_every_format_from_another_folder() {
    let folder = TestFolder::new();
    let solved = folder.run("solve sample:school --seconds 1 --threads 2 --out kept/r.ron");
    assert_eq!(solved.code, 0, "{}", solved.errors);
    let text = &solved.text;
    assert!(text.contains("confirmed by the independent checker") && text.contains("r.ron"), "{text}");
    let targets = "out/a.csv out/a.xlsx out/a.ics out/a.pdf out/a.svg out/a.png out/a.sol";
    let exported = folder.run(&format!("export sample:school kept/r.ron --to {targets}"));
    assert_eq!(exported.code, 0, "{}", exported.errors);
    assert_eq!(exported.text.lines().collect::<Vec<_>>(), targets.split(' ').collect::<Vec<_>>());
    assert_pictures_and_tables(&folder.path("out"), "a");
    for ending in ["csv", "sol"] {
        let verified = folder.run(&format!("verify sample:school out/a.{ending} --json"));
        assert_eq!(verified.code, 0, "{}", verified.errors);
        let kept = RunResult::load(&folder.path("kept/r.ron")).unwrap();
        assert_eq!(verified.json()["cost"].as_f64(), Some(kept.verdict.cost));
    }
}

/// A takes three hours, which only the mornings have.
#[test]
fn durations_in_tables_keep_exams_out_of_short_periods() {
    let folder = TestFolder::new();
    folder.write("session.csv", "student,exam\ns1,A\ns1,B\ns2,B\ns2,C\n");
    folder.write("exams.csv", "code,title,duration\nA,Analysis,180\nB,Botany,90\nC,Chemistry,\n");
    folder.write(
        "periods.csv",
        "date,start,end\n2026-06-01,09:00,12:00\n2026-06-01,14:00,16:00\n2026-06-02,14:00,16:00\n",
    );
    let warning = "1 exam lasts longer than the shortest period (120 minutes) and can only be in longer ones: A";
    assert_eq!(folder.run("info session.csv --json").json()["warnings"][0], warning);
    let solved = folder.run("solve session.csv --seconds 1 --out r.ron --export plan.sol");
    assert_eq!(solved.code, 0, "{}", solved.errors);
    assert!(solved.errors.contains(&format!("warning: {warning}")), "{}", solved.errors);
    assert!(std::fs::read_to_string(folder.path("plan.sol")).unwrap().contains("A 0\n"));
    assert_eq!(folder.run("replay r.ron --json").json()["equal"], true);
    folder.write("late.sol", "A 1\nB 0\nC 2\n");
    for source in ["late.sol", "late.ron"] {
        if source == "late.ron" {
            // A result of an earlier version, which knew nothing of durations.
            let mut result = RunResult::load(&folder.path("r.ron")).unwrap();
            result.demands = None;
            let rows = [("A", 1), ("B", 0), ("C", 2)].map(|(code, period)| (code.to_owned(), Some(period)));
            result.solution = Encoded::of(&StoredSolution::Timetable(rows.to_vec()));
            result.save(&folder.path("late.ron")).unwrap();
        }
        let verified = folder.run(&format!("verify session.csv {source} --json"));
        let json = verified.json();
        let violation = &json["violations"][0];
        assert_eq!((verified.code, &violation["kind"]), (1, &Value::from("duration")), "{source}: {json}");
        assert_eq!(
            violation["text"],
            "exam A (Analysis) lasts 180 minutes, and period 2 (Mon 1 Jun, 14:00) has only 120"
        );
    }
    folder.write("exams.csv", "code,title,duration\nA,Analysis,240\nB,Botany,90\nC,Chemistry,\n");
    let solved = folder.run("solve session.csv --seconds 1");
    assert_eq!(solved.code, 1);
    let reason = "1 exam lasts longer than every period (the longest has 180 minutes): lengthen periods or correct the durations of A";
    assert!(solved.errors.contains(reason), "{}", solved.errors);
    assert!(!solved.errors.contains("allow more time"), "{}", solved.errors);
}

#[test]
fn a_timetable_of_earlier_data_is_matched_by_codes() {
    let folder = TestFolder::new();
    folder.write("session.csv", "student,exam\ns1,A\ns1,B\ns2,b\ns2,C\n");
    folder.write("old.sol", "A 0\nB 1\nD 3\n");
    let answer = folder.run("verify session.csv old.sol --periods 4 --json");
    let json = answer.json();
    assert_eq!(answer.code, 1, "C has no period");
    assert_eq!(json["violations"][0]["text"], "exam C has no period");
    assert_eq!(
        json["mismatches"],
        serde_json::json!([
            "1 exam of the file is not in session: D",
            "1 exam is not in the file and has no period: C"
        ])
    );
    folder.write("other.sol", "X 0\nY 1\nA 3\n");
    folder.refuses("verify session.csv other.sol --periods 4", &["less than half of its lines fit session"]);
}

/// Every format begins as its kind of file does.
fn assert_pictures_and_tables(folder: &Path, stem: &str) {
    for (ending, beginning) in [
        ("csv", &b"code,"[..]),
        ("xlsx", b"PK"),
        ("ics", b"BEGIN:VCALENDAR"),
        ("pdf", b"%PDF"),
        ("svg", b"<"),
        ("png", b"\x89PNG"),
        ("sol", b""),
    ] {
        let content = std::fs::read(folder.join(format!("{stem}.{ending}"))).unwrap();
        let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&content);
        assert!(content.len() > 100 && content.starts_with(beginning), "{ending}");
    }
}

#[test]
fn generated_sessions_open_in_both_forms() {
    let folder = TestFolder::with_school();
    let again = TestFolder::with_school();
    for name in ["school.stu", "school.crs"] {
        assert_eq!(std::fs::read(folder.path(name)).unwrap(), std::fs::read(again.path(name)).unwrap(), "same seed");
    }
    let made = folder.run("generate timetabling --preset school --exams 30 --students 200 --periods 15 --out folder");
    assert_eq!(made.code, 0, "{}", made.errors);
    assert_eq!(made.text.lines().count(), 3);
    for (source, periods) in [("school.stu", Value::Null), ("folder", Value::from(15))] {
        let info = folder.run(&format!("info {source} --json"));
        assert_eq!(info.code, 0, "{}", info.errors);
        let json = info.json();
        assert_eq!((&json["exams"], &json["periods"]), (&Value::from(30), &periods));
        assert_eq!(json["file_hash"].as_str().unwrap().len(), 64);
        assert!(json["components"].as_u64() >= Some(1) && json["warnings"].is_array());
    }
}

#[test]
fn rooms_and_components_are_told() {
    let folder = TestFolder::new();
    folder.write("enrolments.csv", "student,exam\ns1,MAT\ns1,PHY\ns2,PHY\ns3,PHY\n");
    folder.write("exams.csv", "code,duration,examiners\nMAT,90,Roth\nPHY,60,Roth\n");
    folder.write("periods.csv", "date,start,end,penalty\n2026-06-01,9:00,12:00,\n2026-06-01,14:00,17:00,5\n");
    folder.write("rooms.csv", "room,seats\nH1,2\nH2,3\n");
    folder.write("arrangements.csv", "student,extra per cent\ns2,50\n");
    folder.write("plan.sol", "MAT 0 @ H1:1\nPHY 1 @ H2:2; H1:1\n");
    let info = folder.done("info enrolments.csv --minimise toronto --json").json();
    for (key, value) in [("rooms", 2), ("seats", 5), ("people", 1), ("arrangements", 1)] {
        assert_eq!(info[key], Value::from(value), "{key}: {info}");
    }
    assert_eq!(info["objective"], Value::from("toronto"));
    let verify = folder.done("verify enrolments.csv plan.sol --minimise toronto --json").json();
    assert_eq!(verify["feasible"], Value::from(true), "{verify}");
    let [component] = verify["components"].as_array().unwrap().as_slice() else { panic!("{verify}") };
    assert_eq!(
        (&component["key"], &component["count"], &component["cost"]),
        (&"proximity".into(), &1.into(), &16.into())
    );
    assert!(component["label"].as_str().unwrap().contains("1 to 5 periods apart"));
    folder.done("export enrolments.csv plan.sol --extra-time apart --to plan.seating.csv");
    let table = std::fs::read_to_string(folder.path("plan.seating.csv")).unwrap();
    assert!(table.contains("2,2026-06-01,14:00,15:30,H1,,PHY,,2,1,30,2,1,Roth"), "{table}");
    let made = TestFolder::with_triangle();
    made.done("solve three.stu --periods 3 --seconds 0.1 --out run.ron");
    let refused = made.refused("export three.stu run.ron --periods 3 --to run.seating.csv");
    assert!(refused.errors.contains("plans no rooms"), "{}", refused.errors);
}

#[test]
fn limits_of_students_are_kept_or_explained() {
    let folder = TestFolder::new();
    folder.write("enrolments.csv", "student,exam\ns1,MAT\ns1,PHY\ns1,CHE\ns2,PHY\ns2,BIO\n");
    folder.write(
        "periods.csv",
        "date,start,end\n2026-06-01,9:00,11:00\n2026-06-01,12:00,14:00\n2026-06-02,9:00,11:00\n2026-06-02,12:00,14:00\n",
    );
    folder.write("plan.sol", "MAT 0\nPHY 1\nCHE 2\nBIO 0\n");
    let verify = |limits: &str| folder.run(&format!("verify enrolments.csv plan.sol --limits {limits} --json")).json();
    assert_eq!(verify("a_day=2")["feasible"], Value::from(true));
    for (limits, words) in [
        ("in_a_row=1", "student s1 has 2 exams in a row"),
        ("a_day=1", "student s1 has 2 exams on one day (MAT, PHY, from period 1"),
        ("in_days=2,days=2", "student s1 has 3 exams in 2 days (MAT, PHY, CHE, from period 1"),
        ("minutes_apart=90", "student s1 has less than 90 minutes between exams MAT, PHY"),
    ] {
        let verify = verify(limits);
        assert_eq!(verify["feasible"], Value::from(false), "{limits}");
        assert!(verify["violations"].to_string().contains(words), "{limits}: {verify}");
    }
    let solved = folder.done("solve enrolments.csv --limits a_day=2 --generations 50 --out run.ron --json").json();
    assert_eq!(solved["feasible"], Value::from(true), "{solved}");
    let replayed = folder.done("replay run.ron --threads 1");
    assert!(replayed.text.contains("equal"), "{}", replayed.text);
    let few = folder.run("solve enrolments.csv --limits a_day=1 --generations 50 --out few.ron");
    let named = "student s1 has 3 exams, and the limits leave room for 2 in 4 periods";
    assert!(few.text.contains(named) || few.errors.contains(named), "{} {}", few.text, few.errors);
    let twice = ("in_a_row=1,in_a_row=2", "the limit in_a_row is given twice");
    let one = [("a_day", "a_day=2"), ("per_day=2", "no limit per_day"), ("in_days=2", "belong together"), twice];
    for (limits, words) in one {
        let refused = folder.refused(&format!("info enrolments.csv --limits {limits}"));
        assert!(refused.errors.contains(words), "{}", refused.errors);
    }
}

#[test]
fn help_and_version_answer_and_wrong_usage_tells() {
    let folder = TestFolder::new();
    assert!(folder.run("--help").text.contains("Exit codes"));
    assert!(folder.run("--version").text.starts_with("gridwright "));
    for line in ["solve", "fly", "solve a.stu --seconds never", "info a.stu b.stu", "export a.stu b.sol"] {
        assert_eq!(folder.refused(line).code, 2, "{line}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_best_so_far() {
    let folder = TestFolder::with_school();
    folder.kept_after_interrupt("solve school.stu --periods 14 --seconds 100 --out r.ron --export plan.csv");
    assert!(folder.path("plan.csv").exists());
}

// Other systems always have a display.
#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn without_a_display_the_sample_is_solved_and_written_to_out() {
    let folder = TestFolder::new();
    let mut program = gridwright();
    let began = Instant::now();
    let answer = Answer::of(&output_of(program.current_dir(folder.folder.path())));
    assert_eq!(answer.code, 0, "{}", answer.errors);
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    assert!(answer.errors.contains("no display"), "{}", answer.errors);
    assert_eq!(folder.files(), ["out"]);
    assert_pictures_and_tables(&folder.path("out"), "timetable");
    let result = RunResult::load(&folder.path("out/result.ron")).unwrap();
    assert!(result.verdict.feasible && result.verdict.confirmed);
    for entry in std::fs::read_dir(folder.path("out")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(answer.text.contains(&format!("out/{name}")), "{name} is listed: {}", answer.text);
    }
}

#[test]
#[cfg_attr(not(published_data), ignore = "needs the thirteen instances of data/toronto (GRIDWRIGHT_DATA)")]
fn info_says_of_the_published_instances_what_is_known_of_them() {
    // instance, exams, students, enrolments, periods, conflict pairs, density, largest degree, exams without conflict,
    // divisor: counted by the collection's own description of its files.
    let known = [
        ("car-f-92", [543, 18419, 55522, 32, 20305, 381, 1, 18419], 0.1377),
        ("car-s-91", [682, 16925, 56877, 35, 29814, 472, 4, 16925], 0.1282),
        ("ear-f-83", [190, 1125, 8109, 24, 4793, 134, 0, 1125], 0.2655),
        ("hec-s-92", [81, 2823, 10632, 18, 1363, 62, 0, 2823], 0.4155),
        ("kfu-s-93", [461, 5349, 25113, 20, 5893, 247, 17, 5349], 0.0555),
        ("lse-f-91", [381, 2726, 10918, 18, 4531, 134, 2, 2726], 0.0624),
        ("pur-s-93", [2419, 30029, 120681, 42, 86261, 857, 6, 30032], 0.0295),
        ("rye-s-93", [486, 11483, 45051, 23, 8872, 274, 1, 11483], 0.0751),
        ("sta-f-83", [139, 611, 5751, 13, 1381, 61, 0, 611], 0.1430),
        ("tre-s-92", [261, 4360, 14901, 23, 6131, 145, 1, 4360], 0.1800),
        ("uta-s-92", [622, 21266, 58979, 35, 24249, 303, 0, 21266], 0.1254),
        ("ute-s-92", [184, 2749, 11793, 10, 1430, 58, 0, 2749], 0.0845),
        ("yor-f-83", [181, 941, 6034, 21, 4706, 117, 0, 941], 0.2873),
    ];
    let keys = [
        "exams", "students", "enrolments", "periods", "conflict_pairs", "max_degree", "exams_without_conflict",
        "divisor",
    ];
    let folder = gridwright_tests::published_data("toronto");
    for (name, counts, density) in known {
        let output = output_of(gridwright().arg("info").arg(folder.join(format!("{name}.stu"))).arg("--json"));
        let answer = Answer::of(&output);
        assert_eq!(answer.code, 0, "{name}: {}", answer.errors);
        let json = answer.json();
        assert_eq!(json["name"], name);
        for (key, count) in keys.iter().zip(counts) {
            assert_eq!(json[*key], count, "{name}: {key}");
        }
        assert!((json["density"].as_f64().unwrap() - density).abs() <= 0.000_051, "{name}: {}", json["density"]);
    }
}
