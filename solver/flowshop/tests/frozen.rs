//! Jobs that have started when the plan begins.

use gridwright_core::data::Tables;
use gridwright_core::search::{Budget, Control};
use gridwright_flowshop::check::check;
use gridwright_flowshop::formats::{csv, solution};
use gridwright_flowshop::multiobjective::Goal;
use gridwright_flowshop::run::{Algorithm, Settings, replay, solve};
use gridwright_flowshop::{Instance, Objective, Schedule};

use super::{assert_says, complaint, exported, load};

/// Of A 75 of 100 are done: all 60 on Saw and 15 on Paint. Of B 16 of 80 are done, on Saw. C has not started.
const SHOP: &str = "job,due,progress,Saw,Paint\nC,90,,10,10\nB,70,20 %,50,30\nA,60,75,60,40\n";

/// A on Paint from 0 to 25; B on Saw from 0 to 34 and on Paint until 64; C on Saw until 44 and on Paint from 64 to 74.
#[test]
fn only_what_remains_is_planned() {
    let instance = load("a.csv", SHOP);
    assert_eq!(*instance.frozen.order, [2, 1]);
    let schedule = Schedule::new(&instance, &[2, 1, 0]);
    let times = |position, machine| (schedule.start(position, machine), schedule.completion(position, machine));
    assert_eq!(
        [(0, 1), (1, 0), (1, 1), (2, 0), (2, 1)].map(|(k, i)| times(k, i)),
        [(0, 25), (0, 34), (34, 64), (34, 44), (64, 74)]
    );
    let verdict = check(&instance, &[2, 1, 0]);
    assert!(verdict.feasible);
    assert_eq!((verdict.makespan, verdict.flow_time), (74, 25 + 64 + 74));
    let stated = load("a.csv", "job,remaining,Saw,Paint\nC,,10,10\nB,64,50,30\nA,25,60,40\n");
    assert_eq!((&stated.times, &stated.frozen), (&instance.times, &instance.frozen));
}

#[test]
fn a_started_job_behind_one_that_has_not_started_is_refused() {
    let instance = load("a.csv", SHOP);
    let text = |order: &[u16]| check(&instance, order).violations.iter().map(|it| it.text.clone()).collect::<Vec<_>>();
    assert_eq!(text(&[0, 2, 1]), ["job A has started and stands behind C, which has not started"]);
    assert_eq!(text(&[1, 2, 0]), ["job A has started and stands behind B, which started later"]);
}

/// B goes on without a set-up on Saw, which is set up for C behind it. Paint was set up for A.
#[test]
fn operations_that_go_on_need_no_set_up() {
    let setups = "\nfrom,to,Saw,Paint\nA,B,7,3\nB,C,5,0\n,B,9,9\n,A,9,9\n";
    let instance = load("a.csv", &format!("{SHOP}{setups}"));
    let schedule = Schedule::new(&instance, &[2, 1, 0]);
    assert_eq!([(0, 1), (1, 0), (2, 0)].map(|(k, i)| schedule.start(k, i)), [0, 0, 39]);
    assert_eq!(schedule.start(1, 1), 34, "the set-up of 3 is done at 28");
    assert_eq!(check(&instance, &[2, 1, 0]).makespan, u64::from(schedule.makespan()));
    assert!(exported(&instance, &schedule, "csv").is_ok(), "stated times have the same set-ups");
}

#[test]
fn searches_plan_behind_what_has_started() {
    let jobs: String =
        (0..12).map(|job| format!("J{job},{},,{},{}\n", 30 + 9 * job, job * 7 % 10 + 1, job * 5 % 8 + 1)).collect();
    for setups in ["", "\nfrom,to,Saw\nJ1,J2,9\nX,J4,9\nJ2,J7,4\n"] {
        let instance =
            load("a.csv", &format!("job,due,progress,Saw,Paint\n{jobs}X,40,10,30,9\nY,40,60,20,20\n{setups}"));
        for objective in Objective::ALL {
            let goal = Goal::One(objective);
            let settings = Settings { goal, ..Settings::of(Algorithm::for_goal(goal), Budget::Steps(100)) };
            let found = solve(&instance, &settings, &Control::new(), &mut |_| {}).unwrap();
            assert!(found.verdict.feasible && found.verdict.confirmed, "{objective}: {:?}", found.verdict);
            assert!(replay(&instance, &found, "cpu", 2, &Control::new(), &mut |_| {}).unwrap().is_equal());
        }
    }
}

#[test]
fn files_and_tables_keep_the_whole_times() {
    let instance = load("a.csv", SHOP);
    let text = csv::write(&instance);
    assert_says(&text, &["C,90,,10,10\n", "B,70,20,50,30\n", "A,60,75,60,40\n"]);
    let again = load("b.csv", &text);
    assert_eq!((&again.jobs, &again.times, &again.frozen), (&instance.jobs, &instance.times, &instance.frozen));
    assert_eq!(Instance::of_data(&instance.to_data()).unwrap(), instance);
    let schedule = Schedule::new(&instance, &[2, 1, 0]);
    let table = String::from_utf8(exported(&instance, &schedule, "csv").unwrap()).unwrap();
    let source = gridwright_core::text::Source { path: std::path::Path::new("plan.csv"), text: &table };
    assert_eq!(solution::parse(source, &instance, Default::default()).unwrap().order, [2, 1, 0]);
}

#[test]
fn progress_that_cannot_be_is_named() {
    let plan = "\nplan start\n2026-11-30 06:00\n";
    for (text, pieces) in [
        ("job,progress,Saw\nA,100,5\n".to_owned(), &["job «A» is complete; delete it"][..]),
        ("job,progress,Saw\nA,120,5\n".to_owned(), &["a.csv:2: the progress of job «A» in per cent"]),
        ("job,remaining,Saw\nA,9,5\n".to_owned(), &["9 of the work of job «A» remain, which takes 5"]),
        ("job,progress,remaining,Saw\nA,10,4,5\n".to_owned(), &["keep one of both"]),
        (
            format!("job,started,Saw\nA,2026-11-29,5\nB,,5\n{plan}"),
            &["a.csv:2: job «A» started before the start of the plan", "«progress»"],
        ),
    ] {
        assert_says(&complaint("a.csv", &text), pieces);
    }
    let started = load("a.csv", &format!("job,started,Saw\nB,,5\nA,30.11.2026 07:00,5\n{plan}"));
    assert_eq!(Schedule::new(&started, &[1, 0]).completions, [65, 70]);
    assert!(!check(&started, &[0, 1]).feasible);
}
