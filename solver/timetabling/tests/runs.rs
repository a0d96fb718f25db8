//! Complete runs: equal results for any number of threads, replay of results, costs confirmed by the checker.

use gridwright_core::random::{Philox, index};
use gridwright_core::registry::{self, load_result};
use gridwright_core::result::RunResult;
use gridwright_core::search::{Algorithms, Budget, Control, Stop, StopReason};
use gridwright_timetabling::run::{Algorithm, ReplayReport, Settings, replay, solve, timetable_of};
use gridwright_timetabling::stored::StoredSolution;
use gridwright_timetabling::{Exam, Instance, InstanceParts, Objective, Period, check::check};

/// Random instance in which every student sits some exams of a neighbourhood.
fn session(exams: u16, students: u32, periods: usize, seed: u64) -> Instance {
    let philox = Philox::new(seed);
    let students = (0..students)
        .map(|student| {
            let words = philox.words(student, 0, 0, 0);
            let home = index(words[0], u32::from(exams));
            let count = 1 + index(words[1], 4);
            let pick = |draw| (home + index(philox.words(student, 1, draw, 0)[0], 14)) % u32::from(exams);
            (0..count).map(|draw| pick(draw) as u16).collect()
        })
        .collect();
    build(exams, students, periods)
}

fn build(exams: u16, students: Vec<Vec<u16>>, periods: usize) -> Instance {
    let exams = (0..exams).map(|number| Exam { code: format!("X{number:03}"), ..Exam::default() }).collect();
    let periods = vec![Period::default(); periods];
    let name = "random".to_owned();
    Instance::build(InstanceParts { name, exams, students, periods, ..InstanceParts::default() }).unwrap()
}

fn settings(algorithm: &str, changes: &[(&str, &str)], threads: usize, budget: Budget) -> Settings {
    let mut algorithm = Algorithm::named(algorithm).unwrap();
    for (name, value) in changes {
        algorithm.set(name, value).unwrap();
    }
    Settings { algorithm, goal: (), backend: "cpu".to_owned(), threads, seed: 7, stop: Stop::after(budget) }
}

fn run(instance: &Instance, settings: &Settings) -> RunResult {
    let result = solve(instance, settings, &Control::new(), &mut |_| {}).unwrap();
    let verdict = check(instance, &timetable_of(instance, &result).unwrap());
    assert_eq!(verdict.raw as f64, result.verdict.cost);
    assert_eq!(verdict.feasible, result.verdict.feasible);
    assert!(result.verdict.confirmed, "the search's own cost is the checker's");
    result
}

fn again(instance: &Instance, result: &RunResult, threads: usize) -> ReplayReport {
    replay(instance, result, "cpu", threads, &Control::new(), &mut |_| {}).unwrap()
}

#[test]
fn threads_do_not_change_the_numbers() {
    let instance = session(90, 400, 14, 1);
    let evolution = [("population", "32"), ("constructed", "20")];
    for (algorithm, changes, steps) in [("annealing", &[][..], 40_000), ("evolution", &evolution[..], 12)] {
        let one = run(&instance, &settings(algorithm, changes, 1, Budget::Steps(steps)));
        assert!(one.verdict.feasible);
        assert_eq!(one.stop_reason, StopReason::Budget);
        assert_eq!(one.generations, steps);
        for threads in [2, 8] {
            let other = run(&instance, &settings(algorithm, changes, threads, Budget::Steps(steps)));
            assert_eq!(one.digests, other.digests, "{algorithm} with {threads} threads");
            assert_eq!(one.solution, other.solution);
            assert_eq!(one.evaluations, other.evaluations);
        }
    }
}

/// Each of ten students pays at least w(1) + w(2) + w(3) = 28 for three exams in four periods.
#[test]
fn a_timetable_that_meets_the_lower_bound_is_proven_optimal() {
    let instance = build(3, vec![vec![0, 1, 2]; 10], 4);
    let proven = run(&instance, &settings("annealing", &[], 1, Budget::Steps(50_000)));
    assert_eq!((&proven.stop_reason, proven.verdict.cost), (&StopReason::Proven, 280.0));
    assert!(proven.generations < 50_000, "the search ends at the bound");
    assert!(again(&instance, &proven, 2).is_equal());
    let evolved = run(&instance, &settings("evolution", &[("population", "32")], 1, Budget::Steps(5)));
    assert_eq!((&evolved.stop_reason, evolved.verdict.cost), (&StopReason::Proven, 280.0));
    // Other weights are searched with rooms in mind; the run keeps its budget.
    let objective = Objective::parse("toronto,proximity=2", &Objective::default()).unwrap();
    let weighted = run(&Instance { objective, ..instance }, &settings("annealing", &[], 1, Budget::Steps(2_000)));
    assert_eq!((&weighted.stop_reason, weighted.verdict.cost), (&StopReason::Proven, 560.0));
    // A bound that is not met proves nothing.
    let open = run(&session(60, 200, 12, 2), &settings("annealing", &[], 1, Budget::Steps(2_000)));
    assert_eq!(open.stop_reason, StopReason::Budget);
}

#[test]
fn seeds_change_the_numbers() {
    let instance = session(60, 200, 12, 2);
    let first = settings("annealing", &[], 1, Budget::Steps(2_000));
    let second = Settings { seed: 8, ..first.clone() };
    assert_ne!(run(&instance, &first).digests, run(&instance, &second).digests);
}

#[test]
fn all_ways_to_evaluate_and_to_reproduce_give_the_same_populations() {
    let instance = session(70, 300, 12, 3);
    let digests = |evaluator, reproduction| {
        let changes =
            [("population", "31"), ("constructed", "10"), ("evaluator", evaluator), ("reproduction", reproduction)];
        run(&instance, &settings("evolution", &changes, 2, Budget::Steps(8))).digests
    };
    let first = digests("half-sparse", "one-pass");
    for evaluator in ["full-by-chromosome", "full-by-exam", "sparse", "half-sparse"] {
        for reproduction in ["one-pass", "two-passes"] {
            assert_eq!(first, digests(evaluator, reproduction), "{evaluator}, {reproduction}");
        }
    }
}

/// Numbering exams by rank gives the same trajectory as a file in that order.
#[test]
fn genes_by_rank_are_those_of_a_file_in_that_order() {
    let instance = session(70, 300, 12, 3);
    let evolve = |instance: &Instance, order: &str| {
        let changes = [("population", "32"), ("constructed", "20"), ("order", order)];
        run(instance, &settings("evolution", &changes, 2, Budget::Steps(8)))
    };
    let degree = |exam: usize| instance.conflicts.degree(exam) as u32;
    let weighted = |exam: usize| instance.conflicts.of(exam).map(|(_, shared)| shared).sum();
    for (order, rank) in [("degree", &degree as &dyn Fn(usize) -> u32), ("weighted-degree", &weighted)] {
        let mut ranked: Vec<usize> = (0..70).collect();
        ranked.sort_by_key(|&exam| std::cmp::Reverse(rank(exam)));
        let number = |exam: u16| ranked.iter().position(|&other| other == usize::from(exam)).unwrap() as u16;
        let lists = instance.students.iter().map(|list| list.iter().map(|&exam| number(exam)).collect()).collect();
        let sorted = build(70, lists, 12);
        let (by_rank, as_in_file) = (evolve(&instance, order), evolve(&sorted, "file"));
        assert_eq!(by_rank.digests, as_in_file.digests, "{order}");
        assert_eq!(by_rank.verdict.cost, as_in_file.verdict.cost);
        assert_ne!(by_rank.digests, evolve(&instance, "file").digests);
        let [here, there] =
            [(&instance, &by_rank), (&sorted, &as_in_file)].map(|(of, result)| timetable_of(of, result).unwrap());
        for (exam, &period) in here.periods.iter().enumerate() {
            assert_eq!(period, there.periods[usize::from(number(exam as u16))]);
        }
    }
}

#[test]
fn a_run_under_a_time_limit_replays_with_any_number_of_threads() {
    let instance = session(80, 300, 14, 4);
    let folder = tempfile::tempdir().unwrap();
    let small = [("population", "16"), ("constructed", "8")];
    for (algorithm, changes) in [("annealing", &[][..]), ("evolution", &small[..])] {
        let result = run(&instance, &settings(algorithm, changes, 2, Budget::Seconds(0.4)));
        let path = folder.path().join("run.ron");
        result.save(&path).unwrap();
        let saved = RunResult::load(&path).unwrap();
        assert_eq!(saved, result);
        for threads in [1, 2, 8] {
            let report = again(&instance, &saved, threads);
            assert!(report.is_equal(), "{algorithm} with {threads} threads: {report:?}");
            assert_eq!(report.epochs, result.digests.len());
        }
        let mut forged = saved.clone();
        forged.digests[1] = "0000000000000000".to_owned();
        assert_eq!(again(&instance, &forged, 1).first_difference, Some(1));
    }
}

#[test]
fn a_cancelled_run_keeps_the_best_and_replays() {
    let instance = session(80, 300, 14, 5);
    let control = Control::new();
    let mut epochs = 0;
    let settings = settings("annealing", &[], 2, Budget::Steps(10_000_000));
    let result = solve(&instance, &settings, &control, &mut |_| {
        epochs += 1;
        if epochs == 3 {
            control.cancel();
        }
    })
    .unwrap();
    assert_eq!(result.stop_reason, StopReason::Cancelled);
    assert!(result.verdict.feasible && result.generations > 0 && result.generations < 10_000_000);
    assert!(again(&instance, &result, 1).is_equal());
}

#[test]
fn components_are_solved_side_by_side() {
    // Two cliques of three and one isolated exam; three periods. By hand: a clique of pairs that share one student
    // each,
    // in the periods 0, 1, 2, costs 16 + 16 + 8 = 40.
    let clique = |first: u16| vec![vec![first, first + 1], vec![first + 1, first + 2], vec![first, first + 2]];
    let students = [clique(0), clique(3), vec![vec![6]]].concat();
    let instance = build(7, students, 3);
    let result = run(&instance, &settings("annealing", &[], 2, Budget::Steps(1_000)));
    assert!(result.verdict.feasible);
    assert_eq!(result.verdict.cost, 80.0);
}

#[test]
fn too_few_periods_keep_the_best_partial_plan_and_say_why() {
    let students = (0..6).flat_map(|a| (0..a).map(move |b| vec![a, b])).collect();
    let instance = build(8, students, 4);
    let result = run(&instance, &settings("annealing", &[], 2, Budget::Seconds(5.0)));
    assert_eq!(result.stop_reason, StopReason::NoFeasible);
    assert!(!result.verdict.feasible);
    let StoredSolution::Timetable(rows) = &result.solution.decode().unwrap() else { panic!("no rooms are planned") };
    assert_eq!(rows.iter().filter(|row| row.1.is_none()).count(), 2, "six exams that all clash, four periods");
    let notes = result.notes.join("\n");
    assert!(notes.contains("no place was found for 2 of 8 exams: X00"), "{notes}");
    assert!(notes.contains("6 exams share students with each other"), "{notes}");
    assert!(again(&instance, &result, 1).is_equal());

    let evolution = [("population", "16"), ("constructed", "8")];
    let result = run(&instance, &settings("evolution", &evolution, 2, Budget::Steps(3)));
    assert_eq!((&result.stop_reason, result.generations), (&StopReason::NoFeasible, 3));
    assert!(result.verdict.violations.iter().all(|it| it.kind == "unplaced"), "{:?}", result.verdict.violations);
    let notes = result.notes.join("\n");
    assert!(notes.contains("no place was found for 2 of 8 exams: X00"), "{notes}");
    assert!(notes.contains("6 exams share students with each other"), "{notes}");
    assert!(again(&instance, &result, 1).is_equal());
}

#[test]
fn a_result_that_was_changed_by_hand_is_refused() {
    registry::register(&[&gridwright_timetabling::problem::Timetabling]);
    let instance = session(40, 100, 12, 9);
    let result = run(&instance, &settings("annealing", &[], 1, Budget::Steps(500)));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.ron");
    let refused = |change: &dyn Fn(&mut RunResult)| {
        let mut changed = result.clone();
        change(&mut changed);
        changed.save(&path).unwrap();
        load_result(&path).is_err_and(|error| error.to_string().contains("run.ron"))
    };
    assert!(!refused(&|_| {}));
    assert!(refused(&|result| result.plan.epoch = 0));
    assert!(refused(&|result| result.plan.stages = vec![1]));
    assert!(refused(&|result| result.verdict.cost = f64::NAN));
    assert!(refused(&|result| result.format = 999));
    std::fs::write(&path, "(format: 1, program: ").unwrap();
    assert!(load_result(&path).unwrap_err().to_string().contains("not a result of gridwright"));
}

#[test]
fn nothing_to_search_is_not_an_error() {
    let alone = build(3, vec![vec![0], vec![1], vec![2]], 1);
    let result = run(&alone, &settings("annealing", &[], 1, Budget::Seconds(1.0)));
    assert_eq!((result.stop_reason.clone(), result.verdict.cost), (StopReason::Trivial, 0.0));
    assert!(again(&alone, &result, 2).is_equal());
}

#[test]
fn unknown_periods_and_devices_are_named() {
    let no_periods = build(3, vec![vec![0, 1]], 0);
    let error = |instance: &Instance, backend: &str| {
        let settings = Settings { backend: backend.to_owned(), ..settings("annealing", &[], 1, Budget::Steps(10)) };
        solve(instance, &settings, &Control::new(), &mut |_| {}).unwrap_err().to_string()
    };
    assert!(error(&no_periods, "cpu").contains("--periods N, at least 2"));
    let instance = build(3, vec![vec![0, 1]], 3);
    assert!(error(&instance, "cuda:0").contains("Use --backend cpu"));
    assert!(error(&instance, "abacus").contains("there is no backend “abacus”"));
}

#[test]
fn target_and_stall_end_a_run() {
    let instance = session(60, 200, 14, 6);
    let mut settings = settings("annealing", &[], 1, Budget::Steps(500_000));
    let full = run(&instance, &settings);
    settings.stop.target = Some(full.verdict.cost * 2.0);
    assert_eq!(run(&instance, &settings).stop_reason, StopReason::Target);
    settings.stop.target = None;
    settings.stop.stall = Some(10_000);
    assert_eq!(run(&instance, &settings).stop_reason, StopReason::Stalled);
}
