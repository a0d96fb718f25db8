//! Golden digests: the trajectory of every search on the shipped samples, to the bit.
//!
//! A digest covers the whole population or all chains after a number of epochs. It changes only when an algorithm is
//! changed on purpose; then the commit says why.

use gridwright_solver::result::RunResult;
use gridwright_solver::search::{Budget, Control, Stop};
use gridwright_solver::timetabling::Instance;
use gridwright_solver::timetabling::generator::sample;
use gridwright_solver::timetabling::run::{Algorithm, Settings, solve};

fn last_digest(instance: &Instance, algorithm: &str, changes: &[(&str, &str)], steps: u64, threads: usize) -> String {
    let mut algorithm = Algorithm::named(algorithm).unwrap();
    for (name, value) in changes {
        algorithm.set(name, value).unwrap();
    }
    let stop = Stop::after(Budget::Steps(steps));
    let settings = Settings { algorithm, backend: "cpu".to_owned(), threads, seed: 2_026, stop };
    let result: RunResult = solve(instance, &settings, &Control::new(), &mut |_| {}).unwrap();
    assert!(result.verdict.feasible && result.verdict.confirmed);
    result.digests.last().unwrap().clone()
}

/// (sample, digest after 60 generations of the published algorithm with population 64).
const EVOLUTION: [(&str, &str); 2] = [("school", "52855bf52f2025fd"), ("faculty", "fe8c766786826c0e")];

/// (sample, digest after 50,000 steps of annealing with three chains).
const ANNEALING: [(&str, &str); 2] = [("school", "8253abdcae61b996"), ("faculty", "1e541fd386a99078")];

#[test]
fn the_evolutionary_algorithm_walks_the_golden_path() {
    for (name, golden) in EVOLUTION {
        let instance = sample(name).unwrap();
        for evaluator in ["full-by-chromosome", "full-by-exam", "sparse", "half-sparse"] {
            for (threads, reproduction) in [(1, "one-pass"), (2, "two-passes"), (8, "one-pass")] {
                let changes = [
                    ("population", "64"),
                    ("constructed", "50"),
                    ("evaluator", evaluator),
                    ("reproduction", reproduction),
                ];
                let digest = last_digest(&instance, "evolution", &changes, 60, threads);
                assert_eq!(digest, golden, "{name}, {evaluator}, {reproduction}, {threads} threads");
            }
        }
    }
}

#[test]
fn annealing_walks_the_golden_path() {
    for (name, golden) in ANNEALING {
        let instance = sample(name).unwrap();
        for threads in [1, 2, 8] {
            let changes = [
                ("chains", "3"),
                ("kempe", "0.25"),
                ("exchange", "0.02"),
                ("resamplings", "4"),
                ("first_temperature", "400"),
                ("last_temperature", "2"),
            ];
            let digest = last_digest(&instance, "annealing", &changes, 50_000, threads);
            assert_eq!(digest, golden, "{name}, {threads} threads");
        }
    }
}
