//! Files on the command line: what may be read, what is never overwritten, and what happens if the system refuses.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use gridwright_core::project::Project;
use gridwright_core::result::InstanceReference;
use gridwright_tests::{RunningProgram, gridwright, output_of};

use super::test_folder::{Answer, TestFolder};

/// A session of four exams in three periods.
const SESSION: &str = "student,exam\ns1,A\ns1,B\ns2,B\ns2,C\ns3,C\ns3,D\n";

/// The program in the folder of a place, with a home of its own.
fn program(place: &TestFolder) -> Command {
    let mut program = gridwright();
    program.current_dir(place.folder.path()).env("GRIDWRIGHT_HOME", place.path("home"));
    program
}

fn run(place: &TestFolder, line: &str) -> Answer {
    Answer::of(&output_of(program(place).args(line.split_whitespace())))
}

fn done(place: &TestFolder, line: &str) -> Answer {
    let answer = run(place, line);
    assert_eq!(answer.code, 0, "{line}: {}", answer.errors);
    answer
}

#[test]
fn the_table_that_a_project_reads_is_no_target() {
    let place = TestFolder::new();
    place.write("session.csv", SESSION);
    let reference = InstanceReference {
        name: "session".to_owned(),
        source: place.path("session.csv").display().to_string(),
        hash: String::new(),
        options: BTreeMap::from([("periods".to_owned(), "4".to_owned())]),
    };
    Project::of("timetabling", reference).save(&place.path("p.gridwright")).unwrap();
    done(&place, "solve session.csv --periods 4 --seconds 0.2 --out plan.ron");
    for line in [
        "export p.gridwright plan.ron --to session.csv",
        "solve p.gridwright --periods 4 --seconds 0.2 --export session.csv",
    ] {
        place.refuses(line, &["read as input and would be overwritten"]);
    }
    assert_eq!(std::fs::read_to_string(place.path("session.csv")).unwrap(), SESSION);
}

#[test]
fn tables_that_the_program_did_not_write_are_replaced_on_demand_only() {
    let place = TestFolder::new();
    let book = include_bytes!("own.xlsx");
    let quick = "--periods 4 --seconds 0.2 --threads 1";
    place.write("s.csv", SESSION);
    place.write("own.xlsx", book);
    place.write("other.xlsx", book);
    place.write("best.sol", "0 1\n");
    let workbook =
        ["other.xlsx: a workbook of 5 kB, last changed less than a minute ago, lies here", "add --overwrite"];
    place.refuses(&format!("solve s.csv {quick} --export other.xlsx"), &workbook);
    let table =
        ["that begins with «student,exam», last changed less than a minute ago", "the program did not write it"];
    place.refuses(&format!("solve own.xlsx {quick} --export s.csv"), &table);
    place.refuses(&format!("solve s.csv {quick} --export best.sol"), &["begins with «0 1»"]);
    place.refuses(&format!("solve s.csv {quick} --overwrite --export s.csv"), &["read as input"]);
    place.refuses(&format!("solve s.csv {quick} --export rooms.csv"), &["read together with the instance"]);
    assert_eq!(std::fs::read_to_string(place.path("s.csv")).unwrap(), SESSION);
    assert_eq!(std::fs::read(place.path("other.xlsx")).unwrap(), book);
    done(&place, &format!("solve s.csv {quick} --overwrite --export other.xlsx"));
    assert_ne!(std::fs::read(place.path("other.xlsx")).unwrap(), book);
    let endings = ["xlsx", "csv", "svg", "png", "pdf", "report.pdf", "sol"].map(|ending| format!("plan.{ending}"));
    let endings = endings.join(" ");
    for _ in 0..2 {
        // What the program wrote it replaces without being asked.
        done(&place, &format!("solve s.csv {quick} --out plan.ron"));
        done(&place, &format!("export s.csv plan.ron --to {endings}"));
    }
    let own = std::fs::read_to_string(place.path("plan.csv")).unwrap();
    place.write("plan.csv", own + "checked by Anna,,,\n");
    let line = "export s.csv plan.ron --to plan.sol plan.csv";
    let refused = run(&place, line);
    assert!(refused.code == 2 && refused.errors.contains("plan.csv: a file of"), "{}", refused.errors);
    done(&place, &format!("{line} --overwrite"));
}

/// An output that a person has changed is theirs, whatever mark of the program it still carries.
#[test]
fn outputs_that_a_person_changed_are_replaced_on_demand_only() {
    let place = TestFolder::new();
    place.write("s.csv", SESSION);
    let solve = "solve s.csv --periods 4 --seconds 0.2 --threads 1 --out plan.ron";
    done(&place, solve);
    let names = ["xlsx", "csv", "svg", "png", "pdf", "report.pdf", "sol"].map(|ending| format!("plan.{ending}"));
    let export = |name: &str| format!("export s.csv plan.ron --to {name}");
    names.iter().for_each(|name| drop(done(&place, &export(name))));
    for (name, line) in names.iter().map(|name| (name.as_str(), export(name))).chain([("plan.ron", solve.to_owned())]) {
        let mut changed = std::fs::read(place.path(name)).unwrap();
        changed.extend(b"\n\n");
        std::fs::write(place.path(name), &changed).unwrap();
        let refused = run(&place, &line);
        assert_eq!(refused.code, 2, "{name}");
        for expected in ["last changed less than a minute ago, lies here", "add --overwrite"] {
            assert!(refused.errors.contains(expected), "{name}: {}", refused.errors);
        }
        assert_eq!(std::fs::read(place.path(name)).unwrap(), changed, "{name}");
        done(&place, &format!("{line} --overwrite"));
        done(&place, &line);
    }
    let svg = std::fs::read_to_string(place.path("plan.svg")).unwrap();
    place.write("plan.svg", svg + "<!-- checked by Anna -->\n");
    place.refuses(&export("plan.svg"), &["it was changed after the program wrote it"]);
}

#[test]
fn pipes_are_instances_and_devices_are_not() {
    let place = TestFolder::new();
    place.write("shop.csv", "job,Saw,Press\nDesk,4,2\nChair,1,3\n");
    let pipe = place.path("shop.fifo");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let expected = done(&place, "info shop.csv --json").json()["jobs"].clone();
    for _ in 0..2 {
        let reader = RunningProgram::start(program(&place).args(["info", "shop.fifo", "--json"]));
        std::fs::copy(place.path("shop.csv"), &pipe).unwrap();
        let answer = Answer::of(&reader.output_within(Duration::from_secs(20)));
        assert_eq!((answer.code, answer.json()["jobs"].clone()), (0, expected.clone()), "{}", answer.errors);
    }
    for device in ["/dev/zero", "/dev/null", "/dev/full"] {
        place.refuses(&format!("info {device}"), &["this is a device; write its data to a file"]);
    }
    let sparse = std::fs::File::create(place.path("sparse.csv")).unwrap();
    sparse.set_len(1 << 40).unwrap();
    place.refuses("info sparse.csv", &["larger than 256 MiB"]);
    let small = output_of(program(&place).args(["info", "shop.csv"]).env("GRIDWRIGHT_MAX_FILE_MIB", "0"));
    assert!(Answer::of(&small).errors.contains("larger than 0 MiB"));
}

#[test]
fn targets_keep_their_permissions_links_and_refusals() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = TestFolder::new();
    place.write("session.csv", SESSION);
    place.write("private.ron", "");
    std::fs::set_permissions(place.path("private.ron"), PermissionsExt::from_mode(0o600)).unwrap();
    symlink("private.ron", place.path("link.ron")).unwrap();
    std::fs::hard_link(place.path("private.ron"), place.path("twin.ron")).unwrap();
    let answer = done(&place, "solve session.csv --periods 4 --seconds 0.2 --out link.ron");
    assert!(answer.errors.contains("1 other name (hard links), which will keep the former content"));
    assert!(place.path("link.ron").is_symlink());
    let mode = std::fs::metadata(place.path("private.ron")).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    done(&place, "verify session.csv private.ron");
    std::fs::set_permissions(place.path("private.ron"), PermissionsExt::from_mode(0o400)).unwrap();
    place.refuses("solve session.csv --periods 4 --seconds 0.2 --out link.ron", &["the file is read-only"]);
    let long = "x".repeat(300);
    place.refuses(&format!("solve session.csv --periods 4 --out {long}.ron"), &["the name is too long"]);
}

/// Runs a command whose targets lie in the folder `out` once for each file operation there, which fails, once or from then on,
/// with each kind of failure. Nothing that existed is lost, and the person is told. `check` looks at the targets, which are whole
/// and old (`None`) or whole and new (their content), and at the answer. Returns the number of failures.
fn let_every_operation_fail(
    place: &TestFolder, line: &str, targets: &[(&str, &str)], check: impl Fn(&[Option<Vec<u8>>], &Answer),
) -> usize {
    const KINDS: [&str; 5] = ["StorageFull", "PermissionDenied", "NotFound", "InvalidFilename", "ReadOnlyFilesystem"];
    let (folder, former) = (place.path("out"), b"former content".to_vec());
    let mut operations = 0;
    for (kind, lasting) in KINDS.into_iter().flat_map(|kind| [(kind, ""), (kind, "+")]) {
        for call in 0.. {
            for (name, _) in targets {
                std::fs::write(folder.join(name), &former).unwrap();
            }
            let fault = format!("{call}{lasting} {kind} {}", folder.display());
            let mut program = program(place);
            program.args(line.split_whitespace()).env("GRIDWRIGHT_FILE_FAULT", &fault);
            let answer = Answer::of(&output_of(&mut program));
            if answer.code == 0 {
                break;
            }
            operations += 1;
            assert!(answer.errors.contains("error: "), "{fault}: {}", answer.errors);
            assert!(!answer.errors.contains("panicked"), "{fault}: {}", answer.errors);
            let written = targets.iter().map(|(name, begins)| {
                let content = std::fs::read(folder.join(name)).unwrap();
                let is_new = content.starts_with(begins.as_bytes());
                assert!(is_new || content == former, "{fault}: {name} was damaged");
                is_new.then_some(content)
            });
            check(&written.collect::<Vec<_>>(), &answer);
            let entries = std::fs::read_dir(&folder).unwrap().count();
            assert_eq!(entries, targets.len(), "{fault}: a temporary file was left");
            assert!(call < 100, "{fault}: there is no end");
        }
    }
    println!("{operations} operations failed: {line}");
    operations
}

/// Beginning of a result file.
const RESULT: &str = "(\n    format: ";

#[test]
fn every_failing_file_operation_is_told_and_loses_nothing() {
    let place = TestFolder::new();
    place.write("session.csv", SESSION);
    std::fs::create_dir(place.path("out")).unwrap();
    let line =
        "solve session.csv --periods 4 --seconds 0.05 --threads 1 --overwrite --out out/plan.ron --export out/plan.csv";
    let targets = [("plan.ron", RESULT), ("plan.csv", "\u{feff}code,title")];
    let operations = let_every_operation_fail(&place, line, &targets, |written, answer| {
        // Before the search there is nothing to lose; after it, the result is somewhere.
        if !answer.text.is_empty() && written[0].is_none() {
            let (_, kept) = answer.errors.split_once("kept in ").unwrap_or_else(|| panic!("{}", answer.errors));
            let kept = kept.split(" instead").next().unwrap();
            assert!(std::fs::read_to_string(kept).unwrap().starts_with(RESULT), "{kept}");
        }
    });
    assert!(operations >= 8 * 10, "only {operations} operations failed");
}

#[test]
fn every_failing_file_operation_of_several_exports_is_told_and_loses_nothing() {
    let place = TestFolder::new();
    place.write("session.csv", SESSION);
    std::fs::create_dir(place.path("out")).unwrap();
    done(&place, "solve session.csv --periods 4 --seconds 0.05 --threads 1 --out plan.ron");
    let before = std::fs::read(place.path("plan.ron")).unwrap();
    let line = "export session.csv plan.ron --to out/plan.csv out/plan.svg out/plan.xlsx --overwrite";
    let targets = [("plan.csv", "\u{feff}code,title"), ("plan.svg", "<svg"), ("plan.xlsx", "PK")];
    let operations = let_every_operation_fail(&place, line, &targets, |written, answer| {
        // Those that are told as written are.
        for (target, (name, _)) in written.iter().zip(targets) {
            assert!(target.is_some() || !answer.text.contains(name), "{name}: {}", answer.text);
        }
        assert_eq!(std::fs::read(place.path("plan.ron")).unwrap(), before);
    });
    assert!(operations >= 8 * 10, "only {operations} operations failed");
}

/// SIGTERM and SIGHUP end a search as Ctrl-C does.
#[test]
fn signals_of_the_system_end_a_search_and_keep_its_best() {
    for signal in ["TERM", "HUP", "INT"] {
        let place = TestFolder::new();
        let line = "solve sample:university --seconds 60 --out plan.ron";
        let mut running = RunningProgram::start(program(&place).args(line.split_whitespace()));
        running.wait_until("a line of progress", Duration::from_secs(60), |running| running.errors().contains(" %  "));
        let sent = Command::new("kill").args([&format!("-{signal}"), &running.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let answer = Answer::of(&running.output_within(Duration::from_secs(20)));
        assert_eq!(answer.code, 0, "{signal}: {}", answer.errors);
        done(&place, "verify sample:university plan.ron");
    }
}

/// What a search had found is kept if its program is killed, and the next search of the instance tells where.
#[test]
fn a_killed_search_is_found_again() {
    let place = TestFolder::new();
    for source in ["sample:university", "taillard:ta051", "layout:F40", "knapsack:1000-1000"] {
        let line = format!("solve {source} --seconds 60 --threads 1");
        let running = RunningProgram::start(program(&place).args(line.split_whitespace()));
        let name = |path: &std::path::Path| path.to_string_lossy().into_owned();
        let began = std::time::Instant::now();
        let kept = loop {
            let folders = std::fs::read_dir(place.path("home/runs")).into_iter().flatten().flatten();
            let files = folders.flat_map(|folder| std::fs::read_dir(folder.path()).into_iter().flatten().flatten());
            let paths: Vec<_> = files.map(|file| file.path()).collect();
            let is_checkpoint =
                |path: &&std::path::PathBuf| name(path).contains("running-") && name(path).ends_with(".ron");
            if let Some(path) = paths.iter().find(is_checkpoint) {
                break path.clone();
            }
            assert!(began.elapsed() < Duration::from_secs(60), "{source}: no checkpoint");
            std::thread::sleep(Duration::from_millis(20));
        };
        // Dropping the program kills it.
        drop(running);
        assert!(kept.exists());
        let answer = run(&place, &format!("solve {source} --seconds 0.2 --threads 1"));
        let (_, path) =
            answer.errors.split_once("broke off was kept in ").unwrap_or_else(|| panic!("{}", answer.errors));
        let path = path.split("; “gridwright open”").next().unwrap();
        // After half a second the best so far need not be feasible.
        let verified = run(&place, &format!("verify {source} {path}"));
        assert!(verified.code < 2 && !verified.text.is_empty(), "{path}: {}", verified.errors);
        let again = run(&place, &format!("solve {source} --seconds 0.2 --threads 1"));
        assert!(!again.errors.contains("broke off"), "it is told once");
    }
}
