//! Flow shops on the command line: instances in every format, bad input, solutions, comparisons, generated instances.

use serde_json::{Value, json};

use super::test_folder::TestFolder;

/// Job 1 takes 3 then 2 and is due at 4, job 2 takes 1 then 4 and is due at 8, in every format that holds it.
const TWO_JOBS: [(&str, &str, &str); 6] = [
    ("table.csv", "job,due date,M1,M2\nJ1,4,3,2\nJ2,8,1,4\n", ""),
    ("machines.txt", "2 2\n3 1\n2 4\n", ""),
    ("jobs.txt", "2 2\n3 2\n1 4\n", " --orientation job-rows"),
    ("pairs.txt", "2 2\n0 3 1 2\n0 1 1 4\n", ""),
    ("dated.txt", "2\n2\n1\n0\n4\n3 2\n1\n8\n1 4\n", ""),
    ("several.txt", SEVERAL, " --number 2"),
];

/// Two instances as Taillard writes them; the second is the one above.
const SEVERAL: &str = "number of jobs, number of machines, initial seed, upper bound and lower bound :
 2 1 1 9 9
processing times :
 4 5
number of jobs, number of machines, initial seed, upper bound and lower bound :
 2 2 1 7 7
processing times :
 3 1
 2 4
";

pub fn with_two_jobs() -> TestFolder {
    let folder = TestFolder::new();
    TWO_JOBS.iter().for_each(|(name, text, _)| folder.write(name, text));
    // Order 1, 2: machine 1 until 3 and 4, machine 2 until 5 and 9: flow time 14, both jobs 1 late.
    folder.write("12.sol", "J1\nJ2\n");
    // Order 2, 1: machine 1 until 1 and 4, machine 2 until 5 and 7: flow time 12, job 1 is 3 late.
    folder.write("21.sol", "2 1\n");
    folder
}

#[test]
fn info_knows_every_format_and_name() {
    let folder = with_two_jobs();
    for (name, _, options) in TWO_JOBS {
        let answer = folder.done(&format!("info {name}{options} --json"));
        let json = answer.json();
        let dated = ["table.csv", "dated.txt"].contains(&name);
        assert_eq!((&json["problem"], &json["due_dates"]), (&json!("flowshop"), &json!(dated)), "{name}");
        // Machine 2 waits 1 for the first job and works 2 + 4: no order is done before 7.
        let counts = ["jobs", "machines", "lower_bound", "total_time"].map(|key| json[key].as_u64());
        assert_eq!(counts, [2, 2, 7, 10].map(Some), "{name}");
        assert_eq!(json["busiest_machine"], json!({ "machine": "M2", "time": 6 }), "{name}");
        assert_eq!(json["file_hash"].as_str().unwrap().len(), 64);
        assert!(json["warnings"].is_array() && json["name"].is_string() && !json["makespan"].is_null());
        assert_eq!(json["tardy"]["lower_bound"].is_null(), !dated, "{name}");
        assert_eq!(json["best_known"], if name == "several.txt" { json!(7) } else { Value::Null });
    }
    let known = folder.run("info taillard:ta001 --json").json();
    let expected = json!({ "jobs": 20, "machines": 5, "due_dates": true, "lower_bound": 1278, "best_known": 1278 });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(known[key], *value, "{key}");
    }
    assert_eq!(folder.run("info taillard:ta001 --objective flowtime --json").json()["best_known"], 14_033);
    let source = "Taillard's list of upper bounds, 2015";
    assert_eq!(known["best_known_source"], source);
    assert_eq!(known["flowtime"]["best_known_source"], "literature of 2019");
    assert!(folder.run("info taillard:ta001").text.contains(source));
    let solved = folder.done("solve taillard:ta001 --generations 10 --backend cpu");
    assert!(solved.text.contains(source), "{}", solved.text);
    let spoken = folder.run("info taillard:ta081").text;
    assert!(spoken.contains("doubtful"), "{spoken}");
    assert!(folder.run("info sample:workshop").text.contains("Paint, at work for 98"));
}

#[test]
fn bad_flow_shops_are_refused_with_file_and_line() {
    let folder = TestFolder::new();
    let files = [
        (
            "rows.txt",
            "2 3\n3 1 1\n2 -4\n5 x\n7 8\n",
            "",
            &["rows.txt:2: ", "rows.txt:3: ", "negative", "rows.txt:5: "][..],
        ),
        ("few.txt", "3 3\n1 2 3\n4 5 6\n", "", &["few.txt:3: line 1 says 3 jobs and 3 machines", "add the others"]),
        ("cut.txt", "20 5\n1 2 3\n", "", &["cut.txt:2: 3 numbers in the row of machine 1 where 20 jobs", ".stu"]),
        ("short.txt", "3 2\n1 2\n", "", &["short.txt:2: 2 numbers in the row of machine 1 where 3 jobs"]),
        ("huge.txt", "2 2\n2147483647 1\n1 1\n", "", &["huge.txt: ", "at most 2147483647"]),
        ("larger.txt", "2 2\n99999999999999999999 1\n1 1\n", "", &["larger.txt:2: ", "too large"]),
        ("negative.txt", "-2 3\n1 2\n1 2\n1 2\n", "", &["negative.txt:1: ", "negative"]),
        ("turned.txt", "2 3\n3 2 5\n1 4 6\n", "", &["turned.txt:2: ", "transposed", "job-rows", "--orientation"]),
        ("turned.csv", "machine,Desk,Chair\nSaw,3,1\nMill,2,4\n", "", &["turned.csv:1: ", "transposed"]),
        ("undated.csv", "job,due date,Saw\nDesk,5,3\nChair,,1\n", "", &["undated.csv:3: ", "due date", "Chair"]),
        ("dates.csv", "job,due date,Saw\nDesk,-5,3\nChair,3,1\n", "", &["dates.csv:2: ", "due date", "negative"]),
        ("words.csv", "job,Saw\nDesk,long\nChair,3\n", "", &["words.csv:2: ", "long"]),
        ("twice.csv", "job,Saw\nDesk,1\nDesk,3\n", "", &["twice.csv:3: ", "line 2"]),
        ("hollow.csv", "job,Saw\n", "", &["hollow.csv: ", "no job"]),
        ("header.txt", "number of jobs, number of machines :\n2 3 4\n", "", &["header.txt:2: ", "3 numbers"]),
        ("several.txt", SEVERAL, "", &["2 instances", "1 to 2 (--number)"]),
        ("several.txt", SEVERAL, "--number 3", &["no instance number 3"]),
        ("one.txt", "1 1\n4\n", "--number 2", &["no number 2"]),
        ("one.csv", "job,Saw\nDesk,4\n", "--orientation machine-rows", &["leave the orientation out"]),
        ("one.csv", "job,Saw\nDesk,4\n", "--objective tardiness", &["no due dates", "makespan or flowtime"]),
        ("one.csv", "job,Saw\nDesk,4\n", "--periods 3", &["--periods is for examination sessions"]),
        ("neither.txt", "hello\n", "", &["neither.txt: ", "flow shop"]),
        ("neither.txt", "hello\n", "--objective makespan", &["neither.txt:1: ", "begins no flow shop"]),
        ("nowhere.txt", "", "", &["nowhere.txt: ", "no such file"]),
    ];
    folder.refuses_files(files, &["info FILE", "solve FILE --out r.ron --export s.csv"]);
    folder.refuses_each([
        ("info taillard:ta121", "ta001 to ta120"),
        ("info ta054", "the instance of that name is called taillard:ta054"),
        ("info school", "is called sample:school"),
        ("info taillard:ta001 --number 1", "no file"),
        ("info sample:moon", "workshop (flow shops)"),
        ("info sample:school --objective makespan", "--objective is for flow shops"),
        ("info sample:school --number 1", "--number is for flow shops"),
        ("info sample:school --orientation job-rows", "--orientation is for flow shops"),
        ("info sample:workshop --objective Cmax", "makespan, flowtime, tardiness, tardy"),
    ]);
}

#[test]
fn verify_counts_by_hand_in_every_format() {
    let folder = with_two_jobs();
    for (name, _, options) in TWO_JOBS {
        for (order, expected) in [("12.sol", [9, 14, 2, 2]), ("21.sol", [7, 12, 3, 1])] {
            let answer = folder.done(&format!("verify {name} {order}{options} --json"));
            let json = answer.json();
            assert_eq!((&json["problem"], &json["feasible"]), (&json!("flowshop"), &json!(true)));
            assert_eq!((&json["cost"], &json["cost_display"]), (&json!(expected[0]), &json!(expected[0])), "{name}");
            assert_eq!((&json["violations"], &json["objective"]), (&json!([]), &json!("makespan")));
            let dated = ["table.csv", "dated.txt"].contains(&name);
            for (key, value) in ["makespan", "flowtime", "tardiness", "tardy"].into_iter().zip(expected) {
                let absent = !dated && key.starts_with("tard");
                assert_eq!(json["objectives"][key], if absent { Value::Null } else { json!(value) }, "{name}: {key}");
            }
        }
    }
    let tardiness = folder.run("verify table.csv 21.sol --objective tardiness --json").json();
    assert_eq!((&tardiness["cost"], &tardiness["objective"]), (&json!(3), &json!("tardiness")));
    let spoken = folder.run("verify table.csv 21.sol").text;
    for part in ["7 (makespan)", "Total flow time", "12", "Total tardiness", "Tardy jobs", "jobs are counted from 1"] {
        assert!(spoken.contains(part), "{part}: {spoken}");
    }
}

#[test]
fn stated_times_are_judged_as_stated() {
    let folder = with_two_jobs();
    let table = |rows: &str| format!("job,machine,start,end\n{rows}");
    // Order 2, 1, and job 1 waits 3 before machine 2.
    folder.write("waits.csv", table("J2,M1,0,1\nJ2,M2,1,5\nJ1,M1,1,4\nJ1,M2,8,10\n"));
    let answer = folder.run("verify table.csv waits.csv --json");
    let json = answer.json();
    assert_eq!((answer.code, &json["cost"], &json["earliest_starts"]), (0, &json!(10), &json!(false)));
    assert_eq!(json["objectives"], json!({ "makespan": 10, "flowtime": 15, "tardiness": 6, "tardy": 1 }));
    for (rows, kind) in [
        ("J2,M1,0,1\nJ2,M2,1,5\nJ1,M1,1,4\nJ1,M2,4,6\n", "overlap"),
        ("J2,M1,0,1\nJ2,M2,0,4\nJ1,M1,1,4\nJ1,M2,5,7\n", "route"),
        ("J2,M1,0,1\nJ2,M2,1,6\nJ1,M1,1,4\nJ1,M2,6,8\n", "duration"),
        ("J2,M1,0,1\nJ2,M2,8,12\nJ1,M1,1,4\nJ1,M2,4,6\n", "order"),
    ] {
        folder.write("wrong.csv", table(rows));
        let answer = folder.run("verify table.csv wrong.csv --json");
        let json = answer.json();
        assert_eq!((answer.code, &json["feasible"]), (1, &json!(false)), "{kind}");
        assert_eq!(json["violations"][0]["kind"], kind);
        assert!(json["violations"][0]["text"].as_str().unwrap().contains("J"), "a job is named");
        assert!(folder.run("verify table.csv wrong.csv").text.contains(kind));
        let told = folder.run("export table.csv wrong.csv --to plan.csv");
        assert!(told.code == 1 && told.errors.contains("Not feasible"), "{}", told.errors);
    }
}

#[test]
fn bad_solutions_of_flow_shops_are_refused_with_file_and_line() {
    let folder = with_two_jobs();
    let files = [
        ("unknown.sol", "J1\nJ7\n", &["unknown.sol:2: ", "J7"][..]),
        ("again.sol", "J1\nJ2\nJ1\n", &["again.sol:3: ", "line 1"]),
        ("missing.sol", "J1\n", &["missing.sol:1: ", "J2"]),
        ("beyond.sol", "1 3\n", &["beyond.sol:1: ", "3"]),
        ("times.csv", "job,machine,start,end\nJ1,M1,0,x\n", &["times.csv:2: ", "x"]),
        ("machine.csv", "job,machine,start,end\nJ1,M9,0,3\n", &["machine.csv:2: ", "M9"]),
        ("broken.ron", "(format: 1, program: \"gridwright\"", &["broken.ron:1: ", "not a result"]),
        ("schedule.ron", "(schedule_format: 1, order: 7)", &["schedule.ron:1: ", "not a schedule"]),
        ("nowhere.sol", "", &["nowhere.sol: ", "no such file"]),
    ];
    let lines = ["verify table.csv FILE", "export table.csv FILE --to plan.csv", "compare table.csv 12.sol FILE"];
    folder.refuses_files(files.map(|(name, text, parts)| (name, text, "", parts)), &lines);
    folder.refuses_each([
        ("export table.csv 12.sol --to plan.odt", "choose one of pdf"),
        ("export table.csv 12.sol --to plan", "ending"),
        ("export table.csv 12.sol --to table.csv", "overwritten"),
        ("export table.csv 12.sol --to plan.csv --student s1", "--student"),
        ("export table.csv 12.sol --to plan.csv --compare 21.sol", "gridwright compare"),
        ("verify table.csv 12.sol --counted-from 1", "--counted-from"),
        ("verify table.csv 12.sol --periods 3", "--periods"),
    ]);
}

#[test]
fn what_is_exported_is_read_back() {
    let folder = TestFolder::new();
    let jobs: Vec<String> = (1..=20).rev().map(|job| job.to_string()).collect();
    folder.write("o.sol", jobs.join(" "));
    let cost = &folder.run("verify taillard:ta001 o.sol --json").json()["cost"];
    // Every ending that the program names when it is asked for a wrong one.
    let answer = folder.refused("export taillard:ta001 o.sol --to plan.doc").errors;
    let endings = answer.rsplit("choose one of ").next().unwrap().trim().split(", ").map(str::to_owned);
    let endings: Vec<String> = endings.collect();
    assert!(["csv", "sol", "ron"].iter().all(|ending| endings.iter().any(|known| known == ending)), "{endings:?}");
    let targets: Vec<String> = endings.iter().map(|ending| format!("out/a.{ending}")).collect();
    let exported = folder.done(&format!("export taillard:ta001 o.sol --to {}", targets.join(" ")));
    assert_eq!(exported.text.lines().collect::<Vec<_>>(), targets);
    for target in &targets {
        assert!(std::fs::metadata(folder.path(target)).unwrap().len() > 50, "{target}");
    }
    for ending in ["csv", "sol", "ron"] {
        let verified = folder.run(&format!("verify taillard:ta001 out/a.{ending} --json"));
        assert_eq!((verified.code, &verified.json()["cost"]), (0, cost), "{ending}: {}", verified.errors);
        let compared = folder.run(&format!("compare taillard:ta001 o.sol out/a.{ending} --json")).json();
        assert_eq!(compared["positions_changed"], 0);
    }
}

#[test]
fn compare_says_what_was_moved_and_what_it_did() {
    let folder = with_two_jobs();
    let json = folder.run("compare table.csv 12.sol 21.sol --json").json();
    let changes = json!({
        "makespan": -2, "flowtime": -2, "tardiness": 1, "tardy": -1, "maximum_lateness": 2, "setup_time": null
    });
    assert_eq!(json["changes"], changes);
    assert_eq!((&json["a"]["makespan"], &json["b"]["makespan"]), (&json!(9), &json!(7)));
    assert_eq!((json["moved"].as_array().unwrap().len(), &json["positions_changed"]), (1, &json!(2)));
    // Job 1 is done at 7 instead of 5, job 2 at 5 instead of 9 and so within its 8.
    assert_eq!(json["jobs"], json!({ "earlier": 1, "later": 1, "late_now": [], "in_time_now": ["J2"] }));
    let spoken = folder.run("compare table.csv 12.sol 21.sol").text;
    let late = folder.run("compare table.csv 12.sol 21.sol --objective tardy").text;
    assert!(late.lines().nth(4).unwrap().starts_with("Tardy jobs"), "the objective in force comes first: {late}");
    for part in ["Makespan", "−2 better", "+1 worse", "Moved: 1 job", "No longer late: J2"] {
        assert!(spoken.contains(part), "{part}: {spoken}");
    }
}

/// Three plans of two jobs of weights 3 and 1: all figures with differences to the first plan, on the terminal and in files.
#[test]
fn several_plans_are_compared_by_all_objectives() {
    let folder = with_two_jobs();
    folder.write("weighted.csv", "job,weight,due,M1,M2\nJ1,3,4,3,2\nJ2,,8,1,4\n");
    std::fs::copy(folder.path("21.sol"), folder.path("again.sol")).unwrap();
    let told = folder.done("compare weighted.csv 12.sol 21.sol again.sol --objective tardiness --to t.csv t.xlsx").text;
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(&lines[..3], ["A  12.sol", "B  21.sol", "C  again.sol"]);
    // Order 1, 2: job 1 is 1 late, job 2 as well. Order 2, 1: job 1 is 3 late, job 2 is 3 early.
    let cells =
        |line: &str| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect();
    let line = |name: &str| -> Vec<String> { cells(lines.iter().find(|line| line.starts_with(name)).unwrap()) };
    let tardiness = ["Total weighted tardiness", "4", "9", "+5 worse", "9", "+5 worse"];
    assert_eq!(line("Total weighted"), tardiness, "{told}");
    assert!(lines[5].starts_with("Total weighted tardiness"), "the objective in force comes first: {told}");
    assert_eq!(line("Weighted tardy"), ["Weighted tardy jobs", "4", "3", "−1 better", "3", "−1 better"]);
    assert_eq!(line("Maximum lateness"), ["Maximum lateness", "1", "3", "+2 worse", "3", "+2 worse"]);
    let csv = std::fs::read_to_string(folder.path("t.csv")).unwrap();
    let rows: Vec<&str> = csv.trim_start_matches('\u{feff}').lines().collect();
    assert!(rows[0].starts_with("solution,tardiness,tardiness_change,makespan,makespan_change,"), "{csv}");
    assert!(rows[2].starts_with("21.sol,9,5,7,-2,"), "{csv}");
    assert!(std::fs::read(folder.path("t.xlsx")).unwrap().starts_with(b"PK"));
    let json = folder.done("compare weighted.csv 12.sol 21.sol again.sol --json").json();
    assert_eq!(json["solutions"][2]["changes"]["weighted_tardy"], -1);
    folder.refuses("compare weighted.csv 12.sol 21.sol --to t.pdf", &["t.pdf", ".csv or .xlsx"]);
    folder.refuses("compare weighted.csv 12.sol 21.sol --to 12.sol", &["12.sol"]);
}

#[test]
fn generated_flow_shops_open_and_repeat() {
    let folder = TestFolder::new();
    for (out, options) in [("a.csv", "--due-dates"), ("b.txt", "--due-dates"), ("c.csv", ""), ("d.txt", "")] {
        let line = format!("generate flowshop --jobs 12 --machines 4 --seed 42 {options} --out {out}");
        let made = folder.run(&line);
        assert_eq!((made.code, made.text.as_str()), (0, format!("{out}\n").as_str()), "{}", made.errors);
        let info = folder.run(&format!("info {out} --json")).json();
        assert_eq!((&info["jobs"], &info["machines"]), (&json!(12), &json!(4)), "{out}");
        assert_eq!(info["due_dates"], !options.is_empty(), "{out}");
        let before = std::fs::read(folder.path(out)).unwrap();
        let again = folder.refused(&line);
        assert!(again.errors.contains("is there already"), "{}", again.errors);
        std::fs::remove_file(folder.path(out)).unwrap();
        assert_eq!(folder.run(&line).code, 0);
        assert_eq!(std::fs::read(folder.path(out)).unwrap(), before, "same seed");
    }
    let sums = ["a.csv", "b.txt", "c.csv", "d.txt"].map(|name| {
        let info = folder.run(&format!("info {name} --json")).json();
        (info["total_time"].clone(), info["makespan"].clone())
    });
    assert!(sums.iter().all(|sum| *sum == sums[0]), "{sums:?}");
    folder.refuses_each([
        ("generate flowshop --jobs 0 --out e.csv", "choose 1 to 65535"),
        ("generate flowshop --seed 0 --out e.csv", "choose 1 to 2147483646"),
        ("generate flowshop --out e.xlsx", ".csv"),
        ("generate flowshop --out e", ".csv"),
        ("generate flowshop --jobs -1 --out e.csv", "invalid digit"),
        ("generate flowshop --out a.csv/e.csv", "is a file"),
    ]);
}

#[test]
fn machines_are_named_and_columns_that_look_like_something_else_are_told() {
    let folder = TestFolder::new();
    folder.write(
        "orders.csv",
        "job,PLZ,Drehen,Bohren,Charge\nA,34117,3,4,7\nB,34119,5,2,8\nC,10115,4,4,9\nD,10117,6,3,10\n",
    );
    let info = folder.done("info orders.csv");
    assert!(info.text.contains("4: PLZ, Drehen, Bohren, Charge"), "{}", info.text);
    let told = format!("{}{}", info.text, info.errors);
    for words in [
        "PLZ is taken for a machine, although its times are more than 50 times those of all other machines",
        "Charge is taken for a machine, although the times count the jobs one by one",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    folder.write("shop.csv", "job,Saw,Mill,Oven\nA,3,4,60\nB,5,2,60\nC,4,4,90\nD,6,3,60\n");
    let info = folder.done("info shop.csv");
    assert!(!format!("{}{}", info.text, info.errors).contains("is taken for a machine"), "{}", info.text);
}
