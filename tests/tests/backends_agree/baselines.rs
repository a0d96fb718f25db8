//! Equal populations of the baselines of systolic genetic search on CPU, emulator and CUDA.

use gridwright_core::search::Algorithms;
use gridwright_kernels::Module;
use gridwright_kernels::systolic::Tuning;
use gridwright_systolic::run::Algorithm;
use gridwright_systolic::{Instance, Kind, library};

use super::agreement::*;
use super::cuda_emulator::{EmulatorConfig, WarpOrder};
use super::support::{ORDERS, in_order, reused_cuda, sanitized, start};
use super::systolic::{Run, compare_batch, knapsack, of, release, tiny};

const NAMES: [&str; 3] = ["sga", "ega", "random"];

/// Instances of published sizes, compared on a device.
const PUBLISHED: [&str; 6] =
    ["knapsack:100-1000", "knapsack:200-10000", "knapsack:1000-1000", "mmdp:300", "mmdp:1500", "nrp:100-140"];

#[test]
fn the_kernels_in_the_emulator_give_the_values_of_the_cpu_in_every_order() {
    let mut all = Vec::new();
    for order in ORDERS {
        for (number, instance) in tiny().iter().enumerate() {
            // Everything once, and a part in every order.
            let occurs = |name: &&str| order == WarpOrder::Ascending || (number + name.len()).is_multiple_of(3);
            let runs = NAMES.into_iter().filter(occurs).map(|name| usual(name, instance, 12, [3, 4], 5));
            all.extend(runs.map(|run| (in_order(order), run)));
        }
    }
    compare_emulated(all);
}

#[test]
fn the_kernels_in_the_emulator_stay_within_their_memory() {
    let instances = [knapsack(133, 3), of("deceptive", Kind::Deceptive { blocks: 11 }), release(35, 4)];
    let runs = instances.iter().flat_map(|instance| NAMES.map(|name| usual(name, instance, 6, [2, 3], 9)));
    compare_emulated(runs.map(|run| (sanitized(), run)));
}

/// The last of equal individuals instead of the first, and a bit that is flipped back.
#[test]
fn a_slip_in_a_kernel_is_detected() {
    let changes = [
        (
            "return other.number < one.number && !ahead(shape, one.sums, other.sums) ? other : one;",
            "return other.number > one.number && !ahead(shape, one.sums, other.sums) ? other : one;",
        ),
        ("        if ((now ^ made) >> at & 1) continue;", "        if ((now ^ made) >> at & 1) {}"),
    ];
    let mut algorithm = Algorithm::named("sga").unwrap();
    algorithm.set("mutation", "20").unwrap();
    let algorithm = algorithm.resolved(12);
    let run = || Run { instance: knapsack(65, 3), algorithm: algorithm.clone(), seed: 1, parts: [3, 4] };
    detect_changes(changes.map(|change| (run(), Tuning::default(), change)), EmulatorConfig::default());
}

#[test]
fn a_lost_device_hands_over_to_the_cpu_with_the_same_numbers() {
    for name in NAMES {
        let run = run(name, &knapsack(33, 100), 20, [4, 5], 3);
        for launches in [2, 3, 8, 23] {
            survive_loss(&run, Tuning::default(), launches, launches > 8 || name == "random");
        }
    }
}

#[test]
fn what_a_device_cannot_hold_is_said_before_the_start() {
    for name in NAMES {
        refuse(&run(name, &knapsack(33, 100), 9, [1, 9], 1), 1 << 10, u32::MAX, &["memory"]);
    }
}

#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu() {
    let tiny = tiny().into_iter().map(|instance| (instance, 30, [3, 10], 5));
    let published = PUBLISHED.map(|name| (library::named(name, 5).unwrap(), 40, [2, 20], 2_026));
    let all = tiny.chain(published).flat_map(|(instance, iterations, parts, seed)| {
        NAMES.map(|name| usual(name, &instance, iterations, parts, seed))
    });
    compare_on_cuda(all);
}

/// Small cases, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance() {
    let instances = [knapsack(33, 3), of("deceptive", Kind::Deceptive { blocks: 6 })];
    compare_on_cuda(instances.iter().flat_map(|instance| NAMES.map(|name| usual(name, instance, 6, [2, 3], 5))));
}

fn run(name: &str, instance: &Instance, iterations: u64, parts: [u32; 2], seed: u64) -> Run {
    let algorithm = Algorithm::named(name).unwrap().resolved(iterations);
    Run { instance: instance.clone(), algorithm, seed, parts }
}

fn usual(name: &str, instance: &Instance, iterations: u64, parts: [u32; 2], seed: u64) -> Compared<Run> {
    (run(name, instance, iterations, parts, seed), vec![Tuning::default()])
}

/// Crossover never and always, and many flipped bits, some of which are drawn twice.
#[test]
fn every_parameter_of_the_genetic_algorithms_agrees_in_the_emulator() {
    let mut cases = Vec::new();
    for (crossover, mutation) in [("0", "0"), ("1", "12"), ("0.5", "30")] {
        for name in ["sga", "ega"] {
            let mut algorithm = Algorithm::named(name).unwrap();
            algorithm.set("crossover", crossover).unwrap();
            algorithm.set("mutation", mutation).unwrap();
            let algorithm = algorithm.resolved(6);
            for instance in [knapsack(33, 9), knapsack(70, 100), of("deceptive", Kind::Deceptive { blocks: 11 })] {
                let run = Run { instance, algorithm: algorithm.clone(), seed: 9, parts: [2, 3] };
                cases.push((in_order(WarpOrder::Eager), (run, vec![Tuning::default()])));
            }
        }
    }
    compare_emulated(cases);
}

#[test]
fn a_batch_of_baselines_in_the_emulator_is_many_runs() {
    for instance in [knapsack(33, 50), of("deceptive", Kind::Deceptive { blocks: 6 }), release(20, 4)] {
        for name in NAMES {
            let open = &mut || start(Module::Baselines, in_order(WarpOrder::Descending));
            let run = run(name, &instance, 20, [1, 20], 0);
            compare_batch(open, &run, [u64::from(u32::MAX) - 2, 5], &[Tuning::default()]);
        }
    }
}

#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu_in_a_batch_of_baselines() {
    for name in PUBLISHED {
        for algorithm in NAMES {
            let run = run(algorithm, &library::named(name, 5).unwrap(), 40, [1, 40], 0);
            compare_batch(&mut reused_cuda(), &run, [1, 3], &[Tuning::default()]);
        }
    }
}
