//! Jobs that do not visit all machines.

use gridwright_core::data::Tables;
use gridwright_core::search::{Budget, Control};
use gridwright_flowshop::check::check;
use gridwright_flowshop::formats::csv;
use gridwright_flowshop::multiobjective::Goal;
use gridwright_flowshop::run::{Algorithm, Settings, solve};
use gridwright_flowshop::{Instance, Objective, Schedule};

use super::{assert_says, complaint, exported, load};

/// A is on Saw from 0 to 9 and on Mill until 12. B does not visit Saw: it is on Mill from 0 to 2 in spite of its place behind A only if
/// nobody is before it there.
const SHOP: &str = "job,Saw,Mill,Paint\nA,9,,3\nB,,2,1\nC,1,5,-\n";

/// Order A, B, C: A on Saw 0–9 and on Paint 9–12; B on Mill 0–2 and on Paint behind A 12–13; C on Saw 9–10 and on Mill 10–15.
#[test]
fn a_job_does_not_wait_where_it_does_not_go() {
    let instance = load("a.csv", SHOP);
    let schedule = Schedule::new(&instance, &[0, 1, 2]);
    let times = |position, machine| (schedule.start(position, machine), schedule.completion(position, machine));
    assert_eq!(
        [(0, 0), (0, 2), (1, 1), (1, 2), (2, 0), (2, 1)].map(|(k, i)| times(k, i)),
        [(0, 9), (9, 12), (0, 2), (12, 13), (9, 10), (10, 15)]
    );
    assert_eq!([0, 1, 2].map(|position| schedule.done(position)), [12, 13, 15]);
    let verdict = check(&instance, &[0, 1, 2]);
    assert_eq!((verdict.makespan, verdict.flow_time, u64::from(schedule.makespan())), (15, 40, 15));
    // C is done first although it comes second: 1 + 5.
    let overtaken = Schedule::new(&instance, &[0, 2, 1]);
    assert_eq!((overtaken.makespan(), check(&instance, &[0, 2, 1]).makespan), (18, 18));
    assert_says(
        &instance.remarks().collect::<Vec<_>>().join(" "),
        &["3 jobs do not visit all machines", "«A», «B», «C»"],
    );
    // A time of 0 waits in the queue.
    let queued = load("a.csv", &SHOP.replace(",,", ",0,").replace('-', "0"));
    assert_eq!(Schedule::new(&queued, &[0, 1, 2]).completion(1, 1), 11);
}

#[test]
fn files_and_tables_keep_what_is_empty() {
    let instance = load("a.csv", SHOP);
    let again = load("b.csv", &csv::write(&instance));
    assert_eq!((&again.skips, &again.times), (&instance.skips, &instance.times));
    let tables = Instance::of_data(&instance.to_data()).unwrap();
    assert_eq!(tables.skips, instance.skips);
    let schedule = Schedule::new(&instance, &[0, 2, 1]);
    let table = String::from_utf8(exported(&instance, &schedule, "csv").unwrap()).unwrap();
    assert_eq!(table.lines().count(), 1 + 6, "{table}");
    assert_says(&complaint("a.csv", "job,Saw,Mill\nA,,\nB,1,2\n"), &["job «A» visits no machine"]);
    assert_says(&complaint("a.csv", "job,Saw,Mill\nA,1,\nB,1,\n"), &["a.csv:1: no job has a time on «Mill»"]);
}

/// With set-ups between jobs that meet on a machine, whatever stands between them in the order.
#[test]
fn set_ups_are_between_the_jobs_of_a_machine() {
    let instance = load("a.csv", &format!("{SHOP}\nfrom,to,Paint\nA,B,10\nA,C,50\nC,B,50\n"));
    assert_eq!(check(&instance, &[0, 2, 1]).makespan, u64::from(Schedule::new(&instance, &[0, 2, 1]).makespan()));
    assert_eq!(Schedule::new(&instance, &[0, 2, 1]).makespan(), 12 + 10 + 1);
}

#[test]
fn every_objective_is_searched() {
    let jobs: String = (0..12)
        .map(|job| format!("J{job},{},{},{},{}\n", 20 + 9 * job, job * 7 % 10 + 1, job * 5 % 8 + 1, job % 4 + 1))
        .collect();
    let jobs = jobs.replace(",5,", ",,");
    for setups in ["", "\nfrom,to,Saw\nJ1,J2,9\nJ3,J4,9\nJ2,J7,4\n"] {
        let instance = load("a.csv", &format!("job,due,Saw,Mill,Paint\n{jobs}{setups}"));
        assert!(!instance.skips.is_empty());
        for objective in Objective::ALL {
            let goal = Goal::One(objective);
            let settings = Settings { goal, ..Settings::of(Algorithm::for_goal(goal), Budget::Steps(200)) };
            let found = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
            assert!(found.verdict.feasible && found.verdict.confirmed, "{objective}: {:?}", found.verdict);
        }
    }
}
