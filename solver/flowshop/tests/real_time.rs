//! Plans in real time: files that hold working times, what follows from them, and what refuses them.

use std::path::Path;

use gridwright_core::data::Tables;
use gridwright_core::search::{Budget, Control};
use gridwright_core::text::Source;
use gridwright_flowshop::check::check;
use gridwright_flowshop::formats::{self, LoadOptions};
use gridwright_flowshop::multiobjective::Goal;
use gridwright_flowshop::real_time::PlanStart;
use gridwright_flowshop::run::{Algorithm, Settings, replay, solve};
use gridwright_flowshop::{Instance, Objective, Schedule};

use super::{assert_says, complaint, complaint_with, exported, load, load_with};

/// Two jobs; the plan starts on a Monday at 6:00.
const JOBS: &str = "job,Saw,Paint\nA,300,300\nB,240,60\n\nplan start\n2026-11-30 06:00\n\n";
const SHIFT: &str = "machine,day,from,to,kind\n,Mon-Fri,6:00,14:00,\n";

fn shop(tables: &str) -> Instance {
    load("a.csv", &format!("{JOBS}{tables}"))
}

fn makespan(tables: &str) -> u32 {
    let instance = shop(tables);
    let makespan = Schedule::new(&instance, &[0, 1]).makespan();
    assert_eq!(u64::from(makespan), check(&instance, &[0, 1]).makespan);
    makespan
}

/// Minutes from Monday 6:00 to a time of a later day.
fn at(day: u32, hour: u32, minute: u32) -> u32 {
    day * 1_440 + (hour - 6) * 60 + minute
}

/// Saw: A on Monday from 6:00 to 11:00, B until 14:00 and on Tuesday from 6:00 to 7:00. Paint: A from 11:00 to 14:00 and on Tuesday
/// until 8:00, B until 9:00.
#[test]
fn work_goes_on_in_the_next_shift() {
    assert_eq!(makespan(SHIFT), at(1, 9, 0));
    let instance = shop(SHIFT);
    let schedule = Schedule::new(&instance, &[0, 1]);
    assert_eq!([schedule.completion(1, 0), schedule.completion(0, 1)], [at(1, 7, 0), at(1, 8, 0)]);
    assert_eq!(instance.moment(schedule.makespan()), "Tue 1 Dec 09:00");
    // Without a shift the plan takes 300 + 300 + 60 minutes.
    assert_eq!(makespan(""), 660);
    // Breaks count for all machines, other shifts of the week only where a machine has none of its own.
    assert_eq!(makespan(&format!("{SHIFT},daily,9:00,9:30,break\n")), at(1, 10, 0));
    assert_eq!(makespan(&format!("{SHIFT}Paint,Mon-Sun,0:00,24:00,\n")), at(1, 8, 0));
    assert_eq!(makespan(&format!("{SHIFT},1.12.2026,,,holiday\n")), at(2, 9, 0));
    assert_eq!(makespan(&format!("{SHIFT}Paint,30.11.2026,14:00,16:00,work\n")), at(1, 8, 0));
}

/// Paint has three hours left for A on Monday, so that A waits until Tuesday.
#[test]
fn uninterrupted_work_waits_for_a_shift_that_is_long_enough() {
    let whole = "\nmachine,uninterrupted\nPaint,yes\n";
    assert_eq!(makespan(&format!("{SHIFT}{whole}")), at(1, 12, 0));
    let error = complaint("a.csv", &format!("{JOBS}machine,day,from,to\n,Mon-Fri,6:00,10:00\n{whole}"));
    assert_says(&error, &["job «A» takes 300 min on «Paint»", "longest working time without a break is 240 min"]);
}

/// Saw is ready at 8:00, and half an hour passes between both machines, on Monday from 13:00 on.
#[test]
fn machines_are_ready_later_and_jobs_are_transported() {
    let machines = "machine,ready,transport\nSaw,2:00,30\n";
    assert_eq!(makespan(machines), 120 + 300 + 30 + 300 + 60);
    assert_eq!(makespan(&format!("{SHIFT}\n{machines}")), at(1, 11, 30));
    let instance = load("a.csv", "job,Saw,Paint\nA,3,2\nB,0,4\n\nmachine,ready,transport\nSaw,5,7\n");
    // B takes no time on Saw, so that it is not transported.
    let schedule = Schedule::new(&instance, &[0, 1]);
    assert_eq!([schedule.completion(0, 1), schedule.completion(1, 0), schedule.completion(1, 1)], [17, 8, 21]);
    assert_eq!(instance.moment(17), "17");
}

/// Tuesday 14:00, the end of Tuesday and a number; released at the beginning of Tuesday and on Monday at 7:00. The unit is hours at last.
#[test]
fn dates_of_jobs_count_from_the_start_of_the_plan() {
    let jobs = "job,due date,release date,Saw\nA,1.12.2026 14:00,2026-12-01,300\nB,2026-12-01,2026-11-30 07:00,240\nC,90,0,1\n";
    let instance = load("a.csv", &format!("{jobs}\nplan start\n2026-11-30 06:00\n"));
    assert_eq!([0, 1, 2].map(|job| instance.jobs[job].due), [at(1, 14, 0), at(1, 24, 0), 90].map(Some));
    assert_eq!([0, 1, 2].map(|job| instance.jobs[job].release), [1_440 - 360, 60, 0]);
    let hours = jobs.replace("Saw", "Saw (h)").replace("07:00", "07:30");
    let instance = load("a.csv", &format!("{hours}\nplan start\n2026-11-30 06:00\n"));
    assert_eq!((instance.jobs[0].due, instance.jobs[1].release), (Some(32), 2));
    let late = load("a.csv", "job,due date,Saw\nA,2026-11-28,3\n\nplan start\n2026-11-30\n");
    assert_eq!(late.jobs[0].due, Some(0));
    let told: Vec<&str> = late.remarks().collect();
    assert_says(&told.join("; "), &["1 due date lies at the start of the plan or before it"]);
    let doubtful = load("a.csv", "job,due date,Saw\nA,12/11/2026,3\n\nplan start\n2026-11-30\n");
    assert_says(&doubtful.warnings.join("; "), &["«12/11/2026» is read as 2026-11-12, with the day first"]);
    assert_says(&complaint("a.csv", "job,due date,Saw\nA,2026-11-28,3\n"), &["is a date and no number"]);
}

/// A set-up is work of the machine: it ends on Tuesday at 6:30, although its job is there before.
#[test]
fn set_ups_are_done_in_working_time() {
    let instance = load(
        "a.csv",
        "job,Saw\nA,450\nB,10\n\nfrom,to,Saw\nA,B,60\n\nplan start\n2026-11-30 06:00\n\nmachine,day,from,to\n,Mon-Fri,6:00,14:00\n",
    );
    let schedule = Schedule::new(&instance, &[0, 1]);
    assert_eq!((schedule.setup_span(1, 0), schedule.makespan()), (Some((450, at(1, 6, 30))), at(1, 6, 40)));
    assert_eq!(check(&instance, &[0, 1]).makespan, u64::from(at(1, 6, 40)));
}

#[test]
fn files_and_tables_hold_everything() {
    let instance = load(
        "a.csv",
        "job,family,Saw,Paint\nA,x,300,300\nB,y,240,60\n\nmachine,ready,transport,uninterrupted\nPaint,60,,ja\n\nfrom,to,Saw\nx,y,5\n\n\
         machine,day,from,to,kind\n,Mon–Fri,22:00,6:00,\nSaw,\"Sa, So\",,12:00,\n,24.12.2026 – 2.1.2027,,,Feiertag\n\n\
         plan start,start time,time zone\n28.11.2026,4:00,Europe/Berlin\n",
    );
    let text = formats::csv::write(&instance);
    let again = formats::parse(Source { path: Path::new("a.csv"), text: &text }, &LoadOptions::default()).unwrap();
    assert_eq!(
        (&again.real_time, &again.setups, &again.times),
        (&instance.real_time, &instance.setups, &instance.times)
    );
    assert_eq!(Instance::of_data(&instance.to_data()).unwrap(), instance);
    let folder = tempfile::tempdir().unwrap();
    let error = formats::save(&instance, &folder.path().join("a.txt")).unwrap_err().to_string();
    assert_says(&error, &["the start of a plan, times of machines, weights"]);
}

#[test]
fn sheets_of_a_workbook_hold_working_times() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.xlsx");
    let mut book = rust_xlsxwriter::Workbook::new();
    for rows in [
        [["Job", "Saw", "Paint", ""], ["A", "300", "300", ""], ["B", "240", "60", ""]].as_slice(),
        &[["Plan start", "Start time", "", ""], ["2026-11-30", "06:00", "", ""]],
        &[["Machine", "Day", "From", "To"], ["", "Mon-Fri", "6:00", "14:00"]],
        &[["Machine", "Ready", "", ""], ["Saw", "60", "", ""]],
    ] {
        let sheet = book.add_worksheet();
        for (at, cells) in rows.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
                sheet.write(at as u32, column as u16, *cell).unwrap();
            }
        }
    }
    book.save(&path).unwrap();
    let instance = formats::load(&path, &LoadOptions::default()).unwrap();
    assert_eq!(Schedule::new(&instance, &[0, 1]).makespan(), at(1, 10, 0));
}

#[test]
fn bad_tables_are_named_by_line_and_column() {
    let message = |table: &str| complaint("a.csv", &format!("{JOBS}{table}"));
    assert_says(&message("machine,day,from,to\nDrill,Mon,6,14\n"), &["a.csv:9: machine: ", "«Drill» is no machine"]);
    assert_says(&message("machine,day,from,to\nSaw,Moon,6:00,14:00\n"), &["a.csv:9: day: ", "«Moon»"]);
    assert_says(&message("machine,day,from,to\nSaw,Mon,dawn,14:00\n"), &["a.csv:9: from: ", "«dawn»"]);
    assert_says(&message("machine,day,from,to,kind\nSaw,Mon,6:00,14:00,rest\n"), &["a.csv:9: kind: ", "«rest»"]);
    assert_says(&message("machine,ready\nSaw,-1\n"), &["a.csv:9: ready: ", "-1"]);
    assert_says(&message("machine,ready\nSaw,1\nSaw,2\n"), &["a.csv:10: machine: ", "there already"]);
    assert_says(&message("plan start\n2026-11-30\n"), &["a second table of the start of the plan"]);
    let jobs = "job,Saw\nA,300\n\n";
    let skipped = "plan start,time zone\n2027-03-28 02:30,Europe/Berlin\n";
    assert_says(&complaint("a.csv", &format!("{jobs}{skipped}")), &["a.csv:5: plan start: ", "skip 2027-03-28 02:30"]);
    let hours = "machine,day,from,to\nSaw,Mon,6:00,14:00\n";
    assert_says(&complaint("a.csv", &format!("{jobs}{hours}")), &["working times count from the start of the plan"]);
    let closed = "machine,day,from,to,kind\n,2026-11-30 – 2126-12-31,,,closed\n";
    assert_says(&message(closed), &["«Saw» has no working time from the start of the plan on"]);
    let one_day = "machine,day,from,to\n,2026-11-30,6:00,14:00\n";
    assert_says(&message(one_day), &["the working times of «Saw» end on Mon 30 Nov 14:00"]);
}

#[test]
fn what_does_not_mind_working_times_says_so() {
    let instance = shop(SHIFT);
    let run = |goal: Goal, backend: &str| {
        let settings = Settings::of(Algorithm::for_goal(goal), Budget::Steps(5));
        let settings = Settings { goal, backend: backend.to_owned(), ..settings };
        solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap_err().to_string()
    };
    let front = run("makespan,flowtime".parse().unwrap(), "cpu");
    assert_says(&front, &["fronts of several objectives do not mind the working times", "choose one objective"]);
    assert_says(&run(Goal::One(Objective::FlowTime), "cuda"), &["evaluated on the CPU only"]);
}

/// Tables for the workshop have dates and times of day beside the numbers, and are read back as the same schedule.
#[test]
fn exported_tables_have_dates_and_times_of_day() {
    let instance = shop(SHIFT);
    let schedule = Schedule::new(&instance, &[0, 1]);
    let text = String::from_utf8(exported(&instance, &schedule, "csv").unwrap()).unwrap();
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines[0], "job,machine,start,end,from,to");
    assert!(lines.contains(&"B,Saw,300,1500,2026-11-30 11:00,2026-12-01 07:00"), "{lines:?}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.csv");
    std::fs::write(&path, &text).unwrap();
    let read = formats::solution::read(&path, &instance, Default::default()).unwrap();
    assert_eq!((read.order.as_slice(), read.operations.len()), (&[0_u16, 1][..], 4));
    let plain = load("a.csv", "job,Saw,Paint\nA,300,300\nB,240,60\n");
    let text = String::from_utf8(exported(&plain, &Schedule::new(&plain, &[0, 1]), "csv").unwrap()).unwrap();
    assert!(text.trim_start_matches('\u{feff}').starts_with("job,machine,start,end\n"), "{text}");
}

/// Iterated greedy finds the best of all 720 orders for every objective, on any number of threads, and its run is repeated.
#[test]
fn iterated_greedy_finds_the_best_order() {
    let mut instance = load(
        "a.csv",
        "job,due date,release date,family,Saw,Drill,Paint\nA,500,0,x,100,50,200\nB,700,60,y,40,300,30\nC,2000,0,x,220,90,70\n\
         D,900,300,z,10,400,120\nE,1500,0,y,300,20,260\nF,600,0,z,80,150,90\n\nfrom,to,Saw,Paint\nx,y,30,10\ny,z,20,60\nz,x,5,90\n\n\
         plan start\n2026-11-30 06:00\n\nmachine,day,from,to,kind\n,Mon-Fri,6:00,14:00,\n,daily,9:00,9:15,break\n\
         Drill,2026-12-01,,,maintenance\n\nmachine,ready,transport,uninterrupted\nSaw,30,15,\nPaint,,,yes\n",
    );
    instance.name = "shop".to_owned();
    let mut orders: Vec<Vec<u16>> = vec![Vec::new()];
    for job in 0..6 {
        orders = orders
            .iter()
            .flat_map(|order| {
                (0..=order.len()).map(move |at| {
                    let mut longer = order.clone();
                    longer.insert(at, job);
                    longer
                })
            })
            .collect();
    }
    for objective in Objective::ALL {
        let best =
            orders.iter().map(|order| Schedule::new(&instance, order).value(&instance, objective)).min().unwrap();
        let goal = Goal::One(objective);
        for threads in [1, 3] {
            let settings = Settings { goal, threads, ..Settings::of(Algorithm::for_goal(goal), Budget::Steps(200)) };
            let found = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
            assert!(found.verdict.feasible && found.verdict.confirmed, "{objective}");
            assert_eq!(found.verdict.cost, best as f64, "{objective}");
            let again = replay(&instance, &found, "cpu", 2, &Control::new(), &mut |_| {}).unwrap();
            assert!(again.is_equal(), "{again:?}");
        }
    }
}

#[test]
fn an_option_states_the_start_of_a_table_without_one() {
    let table = "job,due date,Saw\nA,2026-12-01,30\nB,2026-11-30 9:00,20\n";
    let start = |text: &str| LoadOptions { plan_start: Some(text.parse().unwrap()), ..LoadOptions::default() };
    let instance = load_with("a.csv", table, &start("2026-11-30T06:00")).unwrap();
    assert_eq!((instance.jobs[0].due, instance.jobs[1].due), (Some(2 * 1_440 - 360), Some(180)));
    assert_eq!(instance.moment(180), "Mon 30 Nov 09:00");
    let zoned = load_with("a.csv", table, &start("2026-11-30 06:00 Europe/Berlin")).unwrap();
    assert_eq!(zoned.plan_start().unwrap().zone, Some(chrono_tz::Europe::Berlin));
    assert_says(
        &complaint("a.csv", table),
        &["a.csv:2: the due date of job «A»: «2026-12-01» is a date", "--plan-start", "column “plan start”"],
    );
    let stated = format!("{table}\nplan start\n2026-11-30\n");
    assert_says(&complaint_with("a.csv", &stated, &start("2026-11-30")), &["leave --plan-start out"]);
    assert!("2026-11-30 06:00 Moon/Base".parse::<PlanStart>().is_err());
}
