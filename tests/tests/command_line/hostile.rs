//! Files and arguments that were made to do harm, or by accident look as if they were.

use super::test_folder::TestFolder;

/// Table of a flow shop with these jobs on two machines.
fn shop(jobs: &[&str]) -> String {
    let rows =
        jobs.iter().enumerate().map(|(at, job)| format!("\"{}\",{},{}\n", job.replace('"', "\"\""), at + 3, 9 - at));
    format!("job,Saw,\"=1+1\"\n{}", rows.collect::<String>())
}

#[test]
fn an_export_that_cannot_be_made_is_refused_before_the_search() {
    let desk = TestFolder::new();
    for line in [
        "solve knapsack:100-1000 --algorithm sga --export x.gif",
        "solve knapsack:100-1000 --algorithm sga --export taken.csv --export grid.png",
        "solve mmdp:6000 --export x.gif",
    ] {
        let began = std::time::Instant::now();
        desk.refuses(&format!("{line} --seconds 60"), &["error: "]);
        assert!(began.elapsed().as_secs() < 30, "{line}: {:?}", began.elapsed());
    }
    desk.done("solve onemax:64 --algorithm sga --generations 5 --out r.ron --quiet");
    // The first target could be written; the second has no grid to show.
    desk.refuses("export onemax:64 r.ron --to taken.csv x.gif", &["no grid"]);
    desk.done("solve sample:workshop --generations 5 --out s.ron --quiet");
    desk.refuses("export sample:workshop s.ron --to plan.csv front.csv", &["front"]);
}

#[test]
fn names_reach_the_terminal_without_escape_sequences() {
    let desk = TestFolder::new();
    let name = "\u{202e}Desk\u{1b}[2J\u{9b}31m";
    // The first table is refused with the name, the second one is read: its longest job is named.
    desk.write("twice.csv", shop(&[name, name]));
    desk.write("a.csv", shop(&[name]));
    for line in ["info twice.csv", "info twice.csv --json", "solve twice.csv --generations 1", "info a.csv"] {
        let answer = desk.run(line);
        let printed = answer.text + &answer.errors;
        assert!(printed.contains("\\u{1b}") || printed.contains("\\u001b"), "{line}: {printed:?}");
        assert!(!printed.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{line}: {printed:?}");
    }
    let answer = desk.run("info --\u{1b}[2J");
    assert!(!answer.errors.contains('\u{1b}') && answer.code == 2, "{:?}", answer.errors);
}

#[test]
fn tables_hold_text_that_no_spreadsheet_computes_and_are_read_back() {
    let desk = TestFolder::new();
    let jobs = ["=SUM(A1)", "+1+1", "@x", "#first", "two\nlines", "'=quoted", "-5", "tab\t\"a\", b"];
    desk.write("a.csv", shop(&jobs));
    desk.done("solve a.csv --generations 5 --out r.ron --quiet");
    desk.done("export a.csv r.ron --to plan.csv plan.xlsx");
    let table = std::fs::read_to_string(desk.path("plan.csv")).unwrap();
    assert!(table.contains("\n'=SUM(A1),") && table.contains(",'=1+1,") && table.contains("\n-5,"), "{table}");
    assert!(table.contains("\n\"two\nlines\",") && !table.contains("\n=") && !table.contains(",="), "{table}");
    let verdict = desk.done("verify a.csv plan.csv --json").json();
    let result = desk.done("verify a.csv r.ron --json").json();
    assert_eq!((&verdict["feasible"], &verdict["cost"]), (&true.into(), &result["cost"]));
    assert!(verdict["cost"].as_u64().unwrap() > 0);
}

#[test]
fn a_missing_file_is_called_missing_whatever_its_ending() {
    let desk = TestFolder::new();
    for name in ["a.ron", "a.sol", "a.csv", "a.stu", "a.xlsx", "a.gridwright", "a.json", "a"] {
        desk.refuses(&format!("info {name}"), &[name, "no such file"]);
        desk.refuses(&format!("verify sample:workshop {name}"), &[name, "no such file"]);
    }
}

/// Workbooks of every problem that reads them open by themselves, whatever the ending of a workbook.
#[test]
fn workbooks_open_whatever_their_ending() {
    let desk = TestFolder::new();
    let sessions = ["student exam", "s1 MAT", "s1 PHY"];
    let jobs = ["job Saw", "Desk 3", "Chair 1"];
    let departments = ["department area A B", "A 4 0 2", "B 8 1 0"];
    let tables = [(sessions, "timetabling", ""), (jobs, "flowshop", ""), (departments, "facility", "--plant 4x3")];
    for (table, problem, options) in tables {
        let mut book = rust_xlsxwriter::Workbook::new();
        let sheet = book.add_worksheet();
        for (row, cells) in (0..).zip(table) {
            for (column, cell) in (0..).zip(cells.split(' ')) {
                match cell.parse::<f64>() {
                    Ok(number) => sheet.write_number(row, column, number).unwrap(),
                    Err(_) => sheet.write_string(row, column, cell).unwrap(),
                };
            }
        }
        let bytes = book.save_to_buffer().unwrap();
        for ending in ["xlsx", "xlsm", "xls", "ods", "XLS"] {
            let name = format!("{problem}.{ending}");
            std::fs::write(desk.path(&name), &bytes).unwrap();
            assert_eq!(desk.done(&format!("info {name} {options} --json")).json()["problem"], problem, "{name}");
        }
    }
}

#[test]
fn workbooks_that_would_fill_the_memory_are_refused() {
    let desk = TestFolder::new();
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write_string(0, 0, "department").unwrap();
    sheet.write_number(1_048_575, 16_383, 1.0).unwrap();
    book.save(desk.path("far.xlsx")).unwrap();
    desk.refuses("info far.xlsx", &["far.xlsx", "row 1048576, column 16384", "4000000 cells"]);
}

#[test]
fn flows_beyond_reason_are_refused() {
    let desk = TestFolder::new();
    desk.write("departments.csv", "# plant: 4 x 3\ndepartment,area\nA,4\nB,8\n");
    desk.write("flows.csv", "from,to,flow\nA,B,1e308\n");
    for line in ["info departments.csv", "solve departments.csv --seconds 1"] {
        desk.refuses(line, &["the flow from", "1e308", "use a larger unit"]);
    }
}

/// In an address space of 1.5 GiB, part of which programs and threads reserve and never use.
#[cfg(target_os = "linux")]
#[test]
fn large_instances_stay_within_their_memory() {
    let desk = TestFolder::new();
    let run = |line: &str| {
        let gridwright = gridwright_tests::gridwright();
        let mut program = std::process::Command::new("sh");
        program.args(["-c", "ulimit -v 1572864; exec \"$@\"", "sh"]).arg(gridwright.get_program());
        program.args(line.split_whitespace()).current_dir(desk.folder.path());
        super::test_folder::Answer::of(&gridwright_tests::output_of(&mut program))
    };
    let answer = run("solve knapsack:10000-1000 --algorithm sgs-b --seconds 1 --threads 2 --backend cpu --quiet");
    // A second need not be enough for a feasible solution.
    assert!(answer.code < 2 && !answer.errors.contains("memory"), "{}: {}", answer.code, answer.errors);
    // One student with 32,000 exams, in a file of 192 kB.
    let exams: Vec<String> = (1..=32_000).map(|exam| format!("{exam:05}")).collect();
    desk.write("a.stu", exams.join(" "));
    let answer = run("info a.stu --periods 10");
    assert!(answer.code == 2 && answer.errors.contains("plan the session in parts"), "{}", answer.errors);
}

#[cfg(unix)]
#[test]
fn paths_that_are_not_unicode_work() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let desk = TestFolder::new();
    let folder = desk.folder.path().join(OsStr::from_bytes(b"pl\xe4ne"));
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join(OsStr::from_bytes(b"\xfc.csv")), shop(&["Desk", "Chair", "Shelf"])).unwrap();
    let run = |line: &[&[u8]]| {
        let words = line.iter().map(|word| OsStr::from_bytes(word));
        let output = gridwright_tests::output_of(gridwright_tests::gridwright().args(words).current_dir(&folder));
        assert!(output.status.success(), "{line:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(run(&[b"info", b"\xfc.csv"]).contains('3'));
    run(&[b"solve", b"\xfc.csv", b"--generations", b"3", b"--quiet", b"--out", b"r\xff.ron", b"--export", b"\xff.svg"]);
    let result = std::fs::read_to_string(folder.join(OsStr::from_bytes(b"r\xff.ron"))).unwrap();
    assert!(result.contains("pl%E4ne/%FC.csv"), "{result}");
    run(&[b"verify", b"\xfc.csv", b"r\xff.ron"]);
    // The result names its instance, wherever it is run again.
    run(&[b"replay", b"r\xff.ron"]);
    run(&[b"export", b"\xfc.csv", b"r\xff.ron", b"--to", b"plan\xff.csv"]);
    run(&[b"verify", b"\xfc.csv", b"plan\xff.csv"]);
}
