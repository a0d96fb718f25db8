use super::*;
use crate::cuda::memory_need;
use crate::library;
use crate::run::batch::{batch, confirm};
use gridwright_core::search::{Control, Stop, StopReason};

fn settings(algorithm: &str, budget: Budget) -> Settings {
    Settings {
        algorithm: Algorithm::named(algorithm).unwrap(),
        goal: (),
        backend: "cpu".to_owned(),
        threads: 2,
        seed: 7,
        stop: Stop::after(budget),
    }
}

fn run(source: &str, settings: &Settings) -> (Instance, RunResult) {
    let instance = library::named(source, 5).unwrap();
    let mut told = 0;
    let result = solve(&instance, settings, &Control::new(), &mut |_| told += 1).unwrap();
    assert_eq!(told, result.digests.len());
    (instance, result)
}

#[test]
fn every_algorithm_is_confirmed_and_replayed() {
    for source in ["knapsack:100-1000", "mmdp:60", "nrp:100-20", "onemax:50"] {
        for name in Algorithm::names() {
            let (instance, result) = run(source, &settings(name, Budget::Steps(40)));
            assert!(result.verdict.confirmed, "{source}, {name}");
            let best = check(&instance, &exact::optimum(&instance).unwrap()).cost();
            let reason = if result.verdict.cost == best { StopReason::Proven } else { StopReason::Budget };
            assert_eq!((result.generations, &result.stop_reason), (40, &reason), "{source}, {name}");
            assert_eq!(result.parameters["iterations"].integer(), 40);
            let again = replay(&instance, &result, "cpu", 1, &Control::new(), &mut |_| {}).unwrap();
            assert!(again.is_equal() && again.epochs == result.digests.len(), "{source}, {name}");
        }
    }
}

/// The optimum 5,676 is found by SGS_B, and the paper's number of iterations is one for each cell.
#[test]
fn the_smallest_knapsack_is_solved() {
    let (instance, result) = run("knapsack:100-1000", &settings("sgs-b", Budget::Seconds(60.0)));
    assert_eq!((result.verdict.cost, result.verdict.cost_display.as_str()), (-5_676.0, "5\u{2009}676"));
    assert!(result.verdict.feasible);
    // The optimum is known by dynamic programming; the grid goes on to the end all the same.
    assert_eq!(result.stop_reason, StopReason::Proven);
    assert_eq!((result.generations, instance.cells()), (700, 700));
    assert_eq!(result.evaluations, 2 * 700 * 701);
}

#[test]
fn a_target_stops_a_run() {
    let mut until = settings("sgs-b", Budget::Seconds(60.0));
    until.stop.target = Some(-5_676.0);
    let (_, result) = run("knapsack:100-1000", &until);
    assert_eq!(result.stop_reason, StopReason::Target);
    assert!(result.generations < 700);
}

#[test]
fn what_cannot_be_used_is_said() {
    assert!(Algorithm::named("sgs").unwrap_err().to_string().contains("sgs-b, sgs-v, sgs-e, sgs-t, sga, ega, random"));
    let error = Algorithm::default().set("iterations", "-1").unwrap_err().to_string();
    assert!(error.contains("a whole number from 0"), "{error}");
    let tiny = Instance {
        name: "tiny".to_owned(),
        kind: Kind::OneMax { bits: 3 },
        names: Vec::new(),
        warnings: Vec::new(),
        hash: String::new(),
    };
    let error = solve(&tiny, &settings("sgs-b", Budget::Steps(1)), &Control::new(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("at least 4"), "{error}");
}

/// A batch has the results of single runs, whatever runs beside them.
#[test]
fn a_batch_is_many_runs() {
    let instance = library::named("knapsack:100-1000", 5).unwrap();
    let optimum = Some(-5_676.0);
    for name in ["sgs-b", "sgs-t", "ega"] {
        let algorithm = Algorithm::named(name).unwrap().resolved(120);
        let go = |threads| batch(&instance, &algorithm, [3, 6], None, threads, &Control::new(), &|_, _| {}).unwrap();
        let (one, many) = (go(1), go(3));
        confirm(&instance, &many).unwrap();
        for (number, (one, many)) in one.iter().zip(&many).enumerate() {
            assert_eq!((one.seed, one.cost, one.since, &one.bits), (many.seed, many.cost, many.since, &many.bits));
            let alone = Settings { seed: 3 + number as u64, ..settings(name, Budget::Steps(120)) };
            let single = solve(&instance, &alone, &Control::new(), &mut |_| {}).unwrap();
            assert_eq!((one.seed, one.cost), (alone.seed, single.verdict.cost), "{name}");
        }
    }
    let control = Control::new();
    control.cancel();
    let algorithm = Algorithm::default();
    assert!(batch(&instance, &algorithm, [1, 9], optimum, 2, &control, &|_, _| {}).unwrap().is_empty());
    let until = batch(&instance, &algorithm, [1, 2], optimum, 2, &Control::new(), &|_, _| {}).unwrap();
    assert!(until.iter().all(|run| run.hit(-5_676.0) == Some(run.since) && run.iterations < 700 && run.since > 0));
}

#[test]
fn what_a_run_needs_of_a_device_is_known_before_it_starts() {
    let limits = gridwright_core::testing::small_card(1 << 20);
    let need = |source: &str, algorithm: &str| {
        let instance = library::named(source, 5).unwrap();
        memory_need(&instance, &Algorithm::named(algorithm).unwrap(), &limits).unwrap()
    };
    for name in Algorithm::names() {
        let (small, large) = (need("mmdp:60", name), need("mmdp:900", name));
        assert!(small.needed > 0 && large.needed > small.needed, "{name}");
    }
    // The flags of all blocks alone take 4 MiB.
    assert!(!need("mmdp:60", Algorithm::default().name()).fits());
}
