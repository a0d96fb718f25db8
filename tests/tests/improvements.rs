//! Improvements of a run are those of the same run traced step by step, whatever limits it and on any number of threads.

use gridwright_core::planning::{InstanceSource, OpenInstance, SolveRequest, opening};
use gridwright_core::problem::Overrides;
use gridwright_core::result::RunResult;
use gridwright_core::search::{Budget, Control};

/// Step, evaluations and cost.
type Point = (u64, u64, f64);

fn open(source: &str, options: &[(&str, &str)]) -> Box<dyn OpenInstance> {
    gridwright::register();
    let mut overrides = Overrides::default();
    options.iter().for_each(|(name, value)| overrides.set(name, (*value).to_owned()));
    opening::open(&InstanceSource { source: source.to_owned(), overrides }).unwrap()
}

fn request(algorithm: &str, parameters: &[(&str, &str)], seed: u64, threads: usize, budget: Budget) -> SolveRequest {
    SolveRequest {
        algorithm: Some(algorithm.to_owned()),
        backend: "cpu".to_owned(),
        threads,
        seed,
        budget: Some(budget),
        target: None,
        stall: None,
        parameters: parameters.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect(),
        options: Overrides::default(),
    }
}

fn noted(result: &RunResult) -> Vec<Point> {
    result.improvements.iter().map(|state| (state.step, state.evaluations, state.cost)).collect()
}

/// Improvements that are seen if every step is an epoch of its own.
fn traced(instance: &dyn OpenInstance, result: &RunResult) -> Vec<Point> {
    let mut single = result.clone();
    single.plan.epoch = 1;
    let mut points: Vec<Point> = Vec::new();
    let observer = &mut |report: &gridwright_core::planning::ProgressReport<'_>| {
        // A feasible solution may cost more than those before it, which were none.
        while points.last().is_some_and(|last| last.2 < report.cost) {
            points.pop();
        }
        if points.last().is_none_or(|last| report.cost < last.2) {
            points.push((report.step, report.evaluations, report.cost));
        }
    };
    instance.replay(&single, "cpu", 1, &Control::new(), observer).unwrap();
    points
}

/// Checks the improvements of a run and returns them.
fn check(instance: &dyn OpenInstance, request: &SolveRequest) -> Vec<Point> {
    let result = instance.solve(request, &Control::new(), &mut |_| {}).unwrap();
    let found = noted(&result);
    let name = format!("{:?}, {:?}, {} threads", request.algorithm, request.budget, request.threads);
    assert_eq!(found, traced(instance, &result), "{name}");
    assert!(result.improvements.iter().all(|state| state.exact), "{name}: {:?}", result.improvements);
    let seconds: Vec<f64> = result.improvements.iter().map(|state| state.seconds).collect();
    assert!(seconds.is_sorted() && seconds.last().is_some_and(|last| *last <= result.seconds), "{name}: {seconds:?}");
    found
}

/// Ten runs of iterated greedy, five seeds under two limits, and some of each other search; the number of improvements shows that
/// there is something to miss.
#[test]
fn improvements_are_those_of_single_steps() {
    let greedy: &[_] = &[("start", "neh"), ("chains", "3"), ("gathering", "7")];
    type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str, &'a [(&'a str, &'a str)], u64, Option<u64>);
    let cases: [Case<'_>; 12] = [
        ("taillard:ta001", &[], "greedy", greedy, 100, Some(40_000)),
        (
            "taillard:ta011",
            &[("objective", "flowtime")],
            "greedy",
            &[("start", "beam"), ("width", "128"), ("chains", "2")],
            120,
            None,
        ),
        ("taillard:ta001", &[("objective", "makespan,flowtime")], "pls", &[], 20, Some(10_000)),
        ("taillard:ta001", &[("objective", "makespan,flowtime")], "tabu", &[], 15, Some(30_000)),
        ("sample:school", &[], "annealing", &[("chains", "3")], 600, None),
        ("sample:school", &[], "evolution", &[("population", "64")], 80, Some(4_000)),
        ("sample:layout-plant", &[], "memetic", &[("individuals", "4")], 12, Some(3_000)),
        ("sample:layout-plant", &[], "genetic", &[("islands", "2"), ("individuals", "8")], 60, Some(900)),
        ("knapsack:100-1000", &[], "sgs-b", &[], 60, Some(50_000)),
        ("mmdp:300", &[], "sgs-t", &[], 30, None),
        ("knapsack:100-1000", &[], "ega", &[], 30, Some(20_000)),
        ("onemax:50", &[], "random", &[], 40, Some(20_000)),
    ];
    for (source, options, algorithm, parameters, steps, evaluations) in cases {
        let instance = open(source, options);
        let budgets = [Some(Budget::Steps(steps)), evaluations.map(Budget::Evaluations)];
        let mut improvements = 0;
        for budget in budgets.into_iter().flatten() {
            for seed in 1..=if algorithm == "greedy" { 5 } else { 2 } {
                let threads = 1 + seed as usize % 3;
                improvements += check(&*instance, &request(algorithm, parameters, seed, threads, budget)).len();
            }
        }
        assert!(improvements > 5, "{source}, {algorithm}: {improvements} improvements of all runs");
    }
}

#[test]
fn a_time_limit_changes_no_improvement() {
    let instance = open("taillard:ta001", &[]);
    let parameters = &[("start", "neh"), ("chains", "2")];
    let of = |budget| check(&*instance, &request("greedy", parameters, 1, 2, budget));
    let (by_steps, by_time) = (of(Budget::Steps(300)), of(Budget::Seconds(0.4)));
    let by_evaluations = of(Budget::Evaluations(100_000));
    assert!(by_steps.len() > 1 && by_evaluations.len() > 1);
    for other in [by_time, by_evaluations] {
        let common = by_steps.len().min(other.len());
        assert_eq!(by_steps[..common], other[..common]);
    }
    let instance = open("sample:school", &[]);
    check(&*instance, &request("annealing", &[], 1, 2, Budget::Seconds(0.4)));
    check(&*instance, &request("evolution", &[("population", "32")], 1, 2, Budget::Seconds(0.3)));
}
