//! Set-up times that depend on the order: files that hold them, and what iterated greedy reaches on published instances.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use gridwright_core::search::{Budget, Control};
use gridwright_flowshop::check::check;
use gridwright_flowshop::formats::{self, LoadOptions};
use gridwright_flowshop::multiobjective::Goal;
use gridwright_flowshop::run::{Algorithm, Settings, replay, solve};
use gridwright_flowshop::{Instance, Objective};

use super::{assert_says, complaint, load};

/// Two jobs on two machines: job 1 takes 3 and 2, job 2 takes 1 and 4; machine 1 needs 5 between job 1 and job 2, machine 2 needs 1.
fn assert_set_up(instance: &Instance) {
    assert_eq!(instance.times, [3, 2, 1, 4]);
    assert_eq!([instance.setup(Some(0), 1, 0), instance.setup(Some(0), 1, 1)], [5, 1]);
    assert_eq!([instance.setup(Some(1), 0, 0), instance.setup(None, 0, 0)], [0, 0]);
    // Job 2 starts at 3 + 5 on machine 1 and at 9 on machine 2.
    assert_eq!((check(instance, &[0, 1]).makespan, check(instance, &[1, 0]).makespan), (13, 7));
}

#[test]
fn published_files_and_tables_hold_set_ups() {
    assert_set_up(&load("a.txt", "2\n2\n3 2\n1 4\n0 5\n0 0\n0 1\n0 0\n"));
    assert_set_up(&load("a.txt", "2 2\n0 3 1 2\n0 1 1 4\nSSD\nM0\n0 5\n0 0\nM1\n0 1\n0 0\n"));
    assert_set_up(&load("a.csv", "job,Saw,Mill\nA,3,2\nB,1,4\n\nfrom,to,Saw,Mill\nA,B,5,1\n"));
    assert_set_up(&load("a.csv", "Auftrag;Säge (min);Fräse (min)\nA;3;2\nB;1;4\n;;\nvon;nach;Fräse;Säge\nA;B;1;5\n"));
    let families = load(
        "a.csv",
        "job,family,Saw,Mill\nA,red,3,2\nB,blue,1,4\nC,red,2,2\n\nfrom,to,Mill,Saw\nred,blue,1,5\n,red,,7\n",
    );
    assert_eq!([families.setup(Some(2), 1, 0), families.setup(Some(0), 1, 1)], [5, 1]);
    assert_eq!([families.setup(None, 2, 0), families.setup(Some(0), 2, 0)], [7, 0]);
    for instance in [load("a.txt", "2\n2\n3 2\n1 4\n0 5\n0 0\n0 1\n0 0\n"), families] {
        let folder = tempfile::tempdir().unwrap();
        for ending in ["csv", "txt"].into_iter().take(if instance.job_count() == 2 { 2 } else { 1 }) {
            let path = folder.path().join("b").with_extension(ending);
            formats::save(&instance, &path).unwrap();
            let again = formats::load(&path, &LoadOptions::default()).unwrap();
            assert_eq!((&again.times, &again.setups), (&instance.times, &instance.setups), "{ending}");
        }
    }
}

/// A family that is misspelt would be planned without its set-ups, and silently.
#[test]
fn spellings_of_families_are_one_and_forgotten_ones_are_told() {
    let table = "job,family,Saw\nA,rot,3\nB,weiß,1\nC,ROT ,2\nD,Weiss,2\n\nfrom,to,Saw\nrot,weiß,5\nWEIß,Rot,7\n";
    let instance = load("a.csv", table);
    assert_eq!(
        [instance.setup(Some(2), 1, 0), instance.setup(Some(1), 0, 0), instance.setup(Some(2), 3, 0)],
        [5, 7, 0]
    );
    let remarks: Vec<&str> = instance.remarks().collect();
    assert_eq!(remarks.len(), 2, "{remarks:?}");
    assert_says(remarks[0], &["«ROT» and «rot» are taken for one family"]);
    assert_says(remarks[1], &["no set-up time", "the family «Weiss»", "planned without set-ups"]);
    assert!(load("a.csv", "job,Saw\nA,3\nB,1\nC,2\n\nfrom,to,Saw\na,b,5\n").data_remarks[0].contains("the job «C»"));
}

#[test]
fn a_sheet_of_its_own_holds_set_ups() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.xlsx");
    let mut book = rust_xlsxwriter::Workbook::new();
    for rows in [
        [["Job", "Saw", "Mill"], ["A", "3", "2"], ["B", "1", "4"]].as_slice(),
        &[["From", "To", "Saw"], ["A", "B", "5"]],
    ] {
        let sheet = book.add_worksheet();
        for (at, cells) in rows.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                sheet.write(at as u32, column as u16, *cell).unwrap();
            }
        }
    }
    book.save(&path).unwrap();
    let instance = formats::load(&path, &LoadOptions::default()).unwrap();
    assert_eq!([instance.setup(Some(0), 1, 0), instance.setup(Some(0), 1, 1)], [5, 0]);
}

#[test]
fn bad_set_ups_are_named_by_line() {
    let jobs = "job,Saw,Mill\nA,3,2\nB,1,4\n\n";
    let message = |table: &str| complaint("a.csv", &format!("{jobs}{table}"));
    assert_says(&message("from,to,Saw\nA,C,5\n"), &["a.csv:6: ", "«C» is no job of the table of jobs"]);
    assert_says(&message("from,to,Saw\nA,B,5\nA,B,6\n"), &["a.csv:7: ", "already, in line 6"]);
    assert_says(&message("from,to,Saw\nA,B,-5\n"), &["a.csv:6: ", "set-up time of «Saw»", "-5"]);
    assert_says(&message("from,to,Drill\nA,B,5\n"), &["a.csv:5: ", "«Drill» is no machine"]);
    assert_says(&message("from,to\nA,B\n"), &["a.csv:5: ", "names no machine"]);
    let file = |setups: &str| complaint("a.txt", &format!("2 2\n0 3 1 2\n0 1 1 4\nSSD\nM0\n0 5\n0 0\n{setups}"));
    assert_says(&file("M1\n0 1\n"), &["a.txt:9: ", "3 lines of set-up times where 2 machines need 2 lines each"]);
    assert_says(&file("M1\n0 1\n0\n"), &["a.txt:10: ", "1 number", "machine 2 after job 2"]);
    assert_says(&file("M1\n0 -1\n0 0\n"), &["a.txt:9: ", "machine 2 between the jobs 1 and 2"]);
}

#[test]
fn what_does_not_mind_set_ups_says_so() {
    let instance = load("a.txt", "2\n2\n3 2\n1 4\n0 5\n0 0\n0 1\n0 0\n");
    let goal: Goal = "makespan,flowtime".parse().unwrap();
    let settings = Settings { goal, ..Settings::of(Algorithm::for_goal(goal), Budget::Steps(5)) };
    let error = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap_err().to_string();
    assert_says(&error, &["fronts of several objectives do not mind the set-up times", "choose one objective"]);
    let goal = Goal::One(Objective::Makespan);
    let settings =
        Settings { backend: "cuda".to_owned(), goal, ..Settings::of(Algorithm::for_goal(goal), Budget::Steps(5)) };
    let error = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap_err().to_string();
    assert_says(&error, &["set-up times", "on the CPU only", "--backend cpu"]);
}

/// Runs keep their numbers on any number of threads, and the checker confirms every value.
#[test]
fn every_objective_is_searched_with_set_ups() {
    let mut instance = load("a.txt", &random_file(12, 3));
    instance.jobs.iter_mut().enumerate().for_each(|(at, job)| job.due = Some(100 + 37 * at as u32 % 400));
    for objective in Objective::ALL {
        let goal = Goal::One(objective);
        let settings =
            Settings { goal, seed: 3, threads: 2, ..Settings::of(Algorithm::for_goal(goal), Budget::Steps(60)) };
        let found = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
        assert!(found.verdict.feasible && found.verdict.confirmed, "{objective}");
        for threads in [1, 8] {
            assert!(
                replay(&instance, &found, "cpu", threads, &Control::new(), &mut |_| {}).unwrap().is_equal(),
                "{objective}"
            );
        }
    }
}

/// A file of so many jobs and machines with times that follow from their places.
fn random_file(jobs: usize, machines: usize) -> String {
    let number = |at: usize| (at * 7_919 + at * at * 31) % 97 + 1;
    let rows = |count: usize, width: usize, from: usize| -> String {
        let row =
            |row: usize| (0..width).map(|at| number(from + row * width + at).to_string()).collect::<Vec<_>>().join(" ");
        (0..count).map(|at| row(at) + "\n").collect()
    };
    format!("{jobs}\n{machines}\n{}{}", rows(jobs, machines, 5), rows(jobs * machines, jobs, 1_000))
}

/// Iterated greedy on the 36 published instances, 45 ms · n · m with two threads each, beside the listed values.
#[test]
#[ignore = "takes an hour"]
fn published_instances_are_solved() {
    let folder = PathBuf::from(std::env::var("GRIDWRIGHT_DATA").unwrap()).join("sdst");
    let table = std::fs::read_to_string(folder.join("best_known.csv")).unwrap();
    let listed: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let share: f64 = std::env::var("GRIDWRIGHT_SHARE").map_or(1.0, |share| share.parse().unwrap());
    let parameters = std::env::var("GRIDWRIGHT_PARAMETERS").unwrap_or_default();
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(fields) = listed.get(next.fetch_add(1, Ordering::Relaxed)) {
            let instance = formats::load(&folder.join(fields[0]), &LoadOptions::default()).unwrap();
            let size = instance.times.len() as f64;
            let goal = Goal::One(Objective::Makespan);
            let mut algorithm = Algorithm::for_goal(goal);
            for (name, value) in parameters.split_whitespace().filter_map(|pair| pair.split_once('=')) {
                gridwright_core::search::Algorithms::set(&mut algorithm, name, value).unwrap();
            }
            let settings = Settings {
                goal,
                threads: 2,
                seed: 1,
                ..Settings::of(algorithm, Budget::Seconds(0.045 * size * share))
            };
            let found = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
            assert!(found.verdict.feasible && found.verdict.confirmed);
            let best: f64 = fields[4].parse().unwrap();
            let gap = 100.0 * (found.verdict.cost / best - 1.0);
            println!(
                "{} {} {best} {gap:+.2} {} steps, {:.2e} positions",
                fields[0], found.verdict.cost, found.generations, found.evaluations as f64
            );
            rows.lock().unwrap().push((fields[1..4].join(" "), gap));
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, |threads| threads.get() / 2).max(1);
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    let gaps: Vec<f64> = rows.into_inner().unwrap().into_iter().map(|(_, gap)| gap).collect();
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    println!("mean {mean:+.3} % over {} instances", gaps.len());
    assert!(gaps.len() == listed.len() && mean <= -0.2, "{mean}");
}
