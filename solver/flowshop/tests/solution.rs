//! Reading and writing orders and schedules.

use std::path::Path;

use gridwright_core::Result;
use gridwright_core::text::Source;
use gridwright_flowshop::check::ViolationKind;
use gridwright_flowshop::formats::solution::{SolutionFile, SolutionOptions, parse, read};
use gridwright_flowshop::{Instance, Schedule, export, library};

use super::{assert_says, exported};

fn parsed(name: &str, text: &str, instance: &Instance, counted_from: Option<u16>) -> Result<SolutionFile> {
    parse(Source { path: Path::new(name), text }, instance, SolutionOptions { counted_from })
}

fn complaint(name: &str, text: &str, instance: &Instance) -> String {
    parsed(name, text, instance, None).unwrap_err().to_string()
}

fn shop() -> Instance {
    Instance::of_times("shop", 2, vec![3, 2, 1, 4, 2, 2]).unwrap()
}

#[test]
fn orders_are_numbers_or_names_on_one_line_or_many() {
    let order = |text: &str, counted_from| {
        let read = parsed("a.sol", text, &shop(), counted_from).unwrap();
        assert!(read.operations.is_empty() && read.verdict(&shop()).feasible);
        (read.order, read.counted_from)
    };
    assert_eq!(order("3 1 2\n", None), (vec![2, 0, 1], Some(1)));
    assert_eq!(order("2,0,1", None), (vec![2, 0, 1], Some(0)));
    assert_eq!(order("2\r\n0\r\n\r\n1\r\n", Some(0)), (vec![2, 0, 1], Some(0)));
    assert_eq!(order("J3; J1; J2", None), (vec![2, 0, 1], None));
    let mut named = shop();
    for (job, name) in named.jobs.iter_mut().zip(["Bed frame", "2", "1"]) {
        job.name = name.to_owned();
    }
    let by_name = parsed("a.sol", "1\nBed frame\n2\n", &named, None).unwrap();
    assert_eq!((by_name.order, by_name.counted_from), (vec![2, 0, 1], None));
    let by_number = parsed("a.sol", "1 3 2", &named, Some(1)).unwrap();
    assert_eq!(by_number.order, [0, 2, 1]);
}

#[test]
fn wrong_orders_name_every_line() {
    let message = complaint("a.sol", "1\n1\n4\n", &shop());
    assert_says(
        &message,
        &[
            "a.sol:2: job «1» is in the order already, in line 1",
            "a.sol:3: «4» is no job of shop; name its 3 jobs, or number them 1 to 3",
            "a.sol:3: the file ends, and 2 jobs are not in the order: «J2», «J3»",
        ],
    );
    assert_says(&complaint("a.sol", "J1 J2 J9", &shop()), &["a.sol:1: «J9» is no job", "1 job is not"]);
    assert_says(&complaint("a.sol", "1 2 99999999999999999999", &shop()), &["is no job"]);
    assert_says(&parsed("a.sol", "0 1 2", &shop(), Some(1)).unwrap_err().to_string(), &["«0» is no job", "1 to 3"]);
    assert_says(&complaint("a.csv", "name,place\nJ1,1\n", &shop()), &["a.csv:1: the header names no column «job»"]);
}

/// Order 2, 1, 3 of jobs (3, 2), (1, 4), (2, 2): machine 1 until 1, 4, 6; machine 2 until 5, 7, 9.
#[test]
fn a_schedule_is_written_as_the_hand_computes_it_and_read_back() {
    let (instance, folder) = (shop(), tempfile::tempdir().unwrap());
    let schedule = Schedule::new(&instance, &[1, 0, 2]);
    let write = |path: &Path| {
        gridwright_core::export::write(path, &export::FORMATS, |ending| exported(&instance, &schedule, ending))
    };
    for (name, content) in [
        ("a.csv", "job,machine,start,end\nJ2,M1,0,1\nJ2,M2,1,5\nJ1,M1,1,4\nJ1,M2,5,7\nJ3,M1,4,6\nJ3,M2,7,9\n"),
        ("a.sol", "J2\nJ1\nJ3\n"),
        ("a.ron", ""),
    ] {
        let path = folder.path().join(name);
        write(&path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(content.is_empty() || text == content, "{text}");
        let read = read(&path, &instance, SolutionOptions::default()).unwrap();
        assert_eq!(
            (read.order.as_slice(), read.operations.len()),
            (&[1, 0, 2][..], if name == "a.sol" { 0 } else { 6 })
        );
        let verdict = read.verdict(&instance);
        assert_eq!((verdict.feasible, verdict.makespan, verdict.flow_time), (true, 9, 5 + 7 + 9), "{name}");
    }
    let error = write(&folder.path().join("a.xyz")).unwrap_err().to_string();
    assert_says(&error, &["not written as .xyz", ".csv, .dispatch.csv, .ics, .machines.zip, .xlsx, .ron, .sol"]);
}

#[test]
fn what_the_checker_refuses_is_not_written() {
    let instance = shop();
    let refused = |schedule: &Schedule| {
        let error = exported(&instance, schedule, "csv").unwrap_err().to_string();
        assert_says(&error, &["does not fit shop", "solve the instance again"]);
        error
    };
    assert_says(&refused(&Schedule::new(&instance, &[1, 0])), &["job J3 has no position"]);
    assert_says(&refused(&Schedule::new(&instance, &[1, 0, 2, 2])), &["J3 stands in position 3 and again in 4"]);
    let mut wrong = Schedule::new(&instance, &[1, 0, 2]);
    wrong.completions[3] += 1;
    assert_says(&refused(&wrong), &["takes 2, but is there from 5 to 8"]);
    wrong = Schedule::new(&instance, &[1, 0, 2]);
    wrong.order.swap(0, 1);
    refused(&wrong);
    let other = Instance::of_times("other", 1, vec![3, 1, 2]).unwrap();
    assert_says(&refused(&Schedule::new(&other, &[0, 1, 2])), &["another number of machines"]);
}

#[test]
fn wrong_schedules_are_complained_about_or_judged() {
    let instance = shop();
    let text = "job,machine,start,end\nJ2,M1,0,1\nJ2,M2,1,5\nJ1,M1,1,4\nJ1,M2,5,7\nJ3,M1,4,6\nJ3,M2,7,9\n";
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from));
        text.replacen(from, to, 1)
    };
    for (from, to, pieces) in [
        ("J3,M1", "J4,M1", &["a.csv:6: job «J4» is not in shop"][..]),
        ("J3,M1", "J3,M9", &["a.csv:6: machine «M9» is not in shop"]),
        ("J3,M1", "J3,M2", &["a.csv:7: job «J3» is on machine «M2» already, in line 6"]),
        ("J3,M1,4,6\n", "", &["a.csv:6: the file ends, and 1 job is not on every machine: «J3»"]),
        ("4,6", "x,6", &["a.csv:6: the start: «x» is not a whole number"]),
        ("4,6", "4,", &["a.csv:6: the end: «» is not a whole number"]),
    ] {
        assert_says(&complaint("a.csv", &changed(from, to), &instance), pieces);
    }
    let verdict = |text: &str| parsed("a.csv", text, &instance, None).unwrap().verdict(&instance);
    assert!(verdict(text).feasible);
    let early = verdict(&changed("J1,M2,5,7", "J1,M2,4,6"));
    assert_eq!((early.feasible, early.violations[0].kind), (false, ViolationKind::Overlap));
}

#[test]
fn stored_schedules_are_not_believed() {
    let instance = library::sample("workshop").unwrap();
    let schedule = Schedule::new(&instance, &[7, 6, 5, 4, 3, 2, 1, 0]);
    let text = String::from_utf8(exported(&instance, &schedule, "ron").unwrap()).unwrap();
    let says = |text: &str, pieces: &[&str]| assert_says(&complaint("a.ron", text, &instance), pieces);
    says("(format: 1)", &["a.ron:1: this is not a schedule of a flow shop"]);
    says(&text.replace("schedule_format: 1", "schedule_format: 2"), &["newer version"]);
    says(&text.replacen("\"Desk\"", "\"Chair\"", 1), &["changed by hand"]);
    says(&text.replace("\"Desk\"", "\"Sofa\""), &["a.ron: job «Sofa» is not in workshop"]);
    let read = parsed("a.ron", &text, &instance, None).unwrap();
    assert_eq!(read.order, schedule.order);
    // Two jobs that take no time at all stand in any order that the file says.
    let idle = Instance::of_times("idle", 2, vec![0; 4]).unwrap();
    let text = String::from_utf8(exported(&idle, &Schedule::new(&idle, &[1, 0]), "ron").unwrap()).unwrap();
    assert_eq!(parsed("a.ron", &text, &idle, None).unwrap().order, [1, 0]);
}
