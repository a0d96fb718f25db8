//! Runs that start with beam search.

use gridwright_core::Result;
use gridwright_core::result::RunResult;
use gridwright_core::search::{Algorithms, Budget, Control, Stop, StopReason};
use gridwright_flowshop::run::{self, Algorithm, Settings};
use gridwright_flowshop::{Instance, Objective, library};

fn settings(changes: &[(&str, &str)], objective: Objective, budget: Budget) -> Settings {
    let mut algorithm = Algorithm::default();
    changes.iter().for_each(|(name, value)| algorithm.set(name, value).unwrap());
    let (backend, stop) = ("cpu".to_owned(), Stop::after(budget));
    Settings { algorithm, goal: objective.into(), backend, threads: 2, seed: 1, stop }
}

fn improve(instance: &Instance, settings: &Settings, start: Option<&[u16]>) -> Result<RunResult> {
    run::improve(instance, settings, start, &Control::new(), &mut |_| {})
}

fn chosen(result: &RunResult) -> (String, i64) {
    (result.parameters["start"].choice().to_owned(), result.parameters["width"].integer())
}

const MOMENT: Budget = Budget::Seconds(0.2);

#[test]
fn beams_are_for_makespan_and_flow_time_of_many_jobs_under_a_time_limit() {
    let instance = library::taillard("ta051").unwrap();
    let solve =
        |changes: &[_], objective, budget| improve(&instance, &settings(changes, objective, budget), None).unwrap();
    let found = solve(&[], Objective::Makespan, MOMENT);
    assert!(found.verdict.feasible && found.verdict.confirmed && found.stop_reason == StopReason::TimeLimit);
    assert!(chosen(&found).0 == "beam" && chosen(&found).1 >= 64, "{:?}", found.parameters);
    let neh = ("neh".to_owned(), 0);
    assert_eq!(chosen(&solve(&[], Objective::FlowTime, MOMENT)), neh);
    assert_eq!(chosen(&solve(&[("start", "beam")], Objective::FlowTime, MOMENT)).0, "beam");
    assert_eq!(chosen(&solve(&[], Objective::Tardiness, MOMENT)), neh);
    assert_eq!(chosen(&solve(&[], Objective::Makespan, Budget::Steps(3))), neh);
    assert_eq!(chosen(&solve(&[("start", "neh")], Objective::Makespan, MOMENT)), neh);
    let by_steps = solve(&[("start", "beam")], Objective::Makespan, Budget::Steps(3));
    assert_eq!(chosen(&by_steps), ("beam".to_owned(), 1_024));
    let many = library::taillard("ta061").unwrap();
    let found = improve(&many, &settings(&[], Objective::FlowTime, MOMENT), None).unwrap();
    assert_eq!(chosen(&found).0, "beam");
}

/// A width that was decided by the clock is recorded, and the run is repeatable without a clock.
#[test]
fn a_run_with_beams_can_be_repeated() {
    let instance = library::taillard("ta051").unwrap();
    for (changes, budget) in
        [(&[("start", "beam")][..], MOMENT), (&[("start", "beam"), ("width", "100")][..], Budget::Steps(120))]
    {
        for objective in [Objective::Makespan, Objective::FlowTime] {
            let found = improve(&instance, &settings(changes, objective, budget), None).unwrap();
            let report = run::replay(&instance, &found, "cpu", 1, &Control::new(), &mut |_| {}).unwrap();
            assert!(report.is_equal() && chosen(&found).0 == "beam", "{objective}: {report:?}");
        }
    }
}

#[test]
fn a_run_ends_once_the_least_is_proven() {
    let instance = library::taillard("ta041").unwrap();
    let found = improve(&instance, &settings(&[], Objective::Makespan, Budget::Seconds(120.0)), None).unwrap();
    assert_eq!((found.stop_reason, found.verdict.cost), (StopReason::Proven, 2991.0));
    assert!(found.seconds < 60.0, "{} s", found.seconds);
}

#[test]
fn beams_that_cannot_be_are_refused_with_words() {
    let instance = library::taillard("ta001").unwrap();
    let beam = [("start", "beam")];
    let refused = |instance: &Instance, objective, start: Option<&[u16]>| {
        improve(instance, &settings(&beam, objective, MOMENT), start).unwrap_err().to_string()
    };
    let text = refused(&instance, Objective::Tardiness, None);
    assert!(text.contains("the makespan or the flow time, not tardiness") && text.contains("start=neh"), "{text}");
    let order: Vec<u16> = (0..20).collect();
    let text = refused(&instance, Objective::Makespan, Some(&order));
    assert!(text.contains("an order to begin with already"), "{text}");
    let mut late = instance.clone();
    late.jobs[3].release = 5;
    let late = late.validated().unwrap();
    assert!(refused(&late, Objective::Makespan, None).contains("release dates"));
    // Where nobody asks for them, they are left out.
    let found = improve(&late, &settings(&[], Objective::Makespan, MOMENT), None).unwrap();
    assert!(found.verdict.feasible && chosen(&found).0 == "neh");
    let found = improve(&instance, &settings(&[], Objective::Makespan, MOMENT), Some(&order)).unwrap();
    assert!(found.verdict.feasible && chosen(&found).0 == "neh");
    let wide = Instance::of_times("wide", 60_000, vec![1; 120_000]).unwrap();
    let huge = settings(&[("start", "beam"), ("width", "1000000")], Objective::Makespan, MOMENT);
    let text = improve(&wide, &huge, None).unwrap_err().to_string();
    assert!(text.contains("MiB") && text.contains("smaller width"), "{text}");
}
