//! Equal populations of the baselines of systolic genetic search on CPU, emulator and CUDA.

use gridwright_core::search::{Algorithms, Control};
use gridwright_kernels::systolic::Tuning;
use gridwright_kernels::{DeviceRuntime, Module};
use gridwright_systolic::cuda::{Start, batch};
use gridwright_systolic::run::Algorithm;
use gridwright_systolic::run::batch as cpu;
use gridwright_systolic::{Instance, Kind, library};

use super::cuda_emulator::{CudaEmulator, EmulatorConfig, WarpOrder};
use super::support::{Faulty, cuda, path, pool};
use super::systolic::{knapsack, of, release, tiny};

const NAMES: [&str; 3] = ["sga", "ega", "random"];

fn start(config: EmulatorConfig) -> CudaEmulator {
    super::support::start(Module::Baselines, config)
}

fn algorithm(name: &str, iterations: u64) -> Algorithm {
    Algorithm::named(name).unwrap().resolved(iterations)
}

/// Compares digests of all individuals and of the best solution after every part of the run.
fn compare<M: DeviceRuntime + std::fmt::Debug + 'static>(
    runtime: M, instance: &Instance, algorithm: &Algorithm, [epochs, steps]: [u32; 2], seed: u64,
) {
    let expected = path(&mut algorithm.search(instance, seed, None).unwrap(), epochs, steps);
    let start =
        Start { algorithm: algorithm.clone(), seed, threads: Some(pool(2)), runtime, tuning: Tuning::default() };
    let mut search = start.search(instance).unwrap();
    let found = path(&mut search, epochs, steps);
    assert!(search.notes().is_empty(), "{:?}", search.notes());
    assert_eq!(found, expected, "{}, {algorithm:?}, {} bits", instance.name, instance.bits());
    let cpu = &mut algorithm.search(instance, seed, None).unwrap();
    cpu.advance(epochs * steps).unwrap();
    assert_eq!(search.reached().unwrap(), cpu.reached().unwrap());
    assert_eq!(search.snapshot().unwrap().evaluations, cpu.snapshot().unwrap().evaluations);
}

#[test]
fn baselines_in_the_emulator_walk_the_path_of_the_cpu_in_every_order() {
    for order in [WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Shuffled(7), WarpOrder::Eager] {
        for (number, instance) in tiny().iter().enumerate() {
            for (name, algorithm) in NAMES.map(|name| (name, algorithm(name, 12))) {
                // Everything once, and a part in every order.
                if order == WarpOrder::Ascending || (number + name.len()) % 3 == 0 {
                    compare(
                        start(EmulatorConfig { order, ..EmulatorConfig::default() }),
                        instance,
                        &algorithm,
                        [3, 4],
                        5,
                    );
                }
            }
        }
    }
}

/// Crossover never and always, and many flipped bits, some of which are drawn twice.
#[test]
fn every_parameter_of_the_genetic_algorithms_agrees_in_the_emulator() {
    for (crossover, mutation) in [("0", "0"), ("1", "12"), ("0.5", "30")] {
        for name in ["sga", "ega"] {
            let mut algorithm = Algorithm::named(name).unwrap();
            algorithm.set("crossover", crossover).unwrap();
            algorithm.set("mutation", mutation).unwrap();
            let algorithm = algorithm.resolved(6);
            for instance in [knapsack(33, 9), knapsack(70, 100), of("deceptive", Kind::Deceptive { blocks: 11 })] {
                compare(
                    start(EmulatorConfig { order: WarpOrder::Eager, ..EmulatorConfig::default() }),
                    &instance,
                    &algorithm,
                    [2, 3],
                    9,
                );
            }
        }
    }
}

#[test]
fn baselines_in_the_emulator_stay_within_their_memory() {
    let config = EmulatorConfig { sanitized: true, order: WarpOrder::Shuffled(3), ..EmulatorConfig::default() };
    for instance in [knapsack(133, 3), of("deceptive", Kind::Deceptive { blocks: 11 }), release(35, 4)] {
        for name in NAMES {
            compare(start(config), &instance, &algorithm(name, 6), [2, 3], 9);
        }
    }
}

#[test]
fn a_batch_of_baselines_in_the_emulator_is_many_runs() {
    for instance in [knapsack(33, 50), of("deceptive", Kind::Deceptive { blocks: 6 }), release(20, 4)] {
        for name in NAMES {
            let (seeds, algorithm) = ([u64::from(u32::MAX) - 2, 5], algorithm(name, 20));
            let expected = cpu::batch(&instance, &algorithm, seeds, None, 2, &Control::new(), &|_, _| {}).unwrap();
            let runtime =
                &mut || Ok(start(EmulatorConfig { order: WarpOrder::Descending, ..EmulatorConfig::default() }));
            let found = batch(&instance, &algorithm, seeds, runtime, Tuning::default(), &Control::new()).unwrap();
            cpu::confirm(&instance, &found).unwrap();
            let told = |runs: &[cpu::BatchRun]| {
                runs.iter().map(|run| (run.seed, run.cost, run.since, run.bits.clone())).collect::<Vec<_>>()
            };
            assert_eq!(told(&found), told(&expected), "{}, {name}", instance.name);
        }
    }
}

/// The comparison detects errors: the last of equal individuals instead of the first, or a bit that is flipped back.
#[test]
fn a_slip_in_a_kernel_is_seen() {
    let changes = [
        ("other.number < one.number && !ahead", "other.number > one.number && !ahead"),
        ("        if ((now ^ made) >> at & 1) continue;", "        if ((now ^ made) >> at & 1) {}"),
    ];
    let mut algorithm = Algorithm::named("sga").unwrap();
    algorithm.set("mutation", "20").unwrap();
    let (algorithm, instance) = (algorithm.resolved(12), knapsack(65, 3));
    let expected = path(&mut algorithm.search(&instance, 1, None).unwrap(), 3, 4);
    for change in changes {
        let differs = [WarpOrder::Eager, WarpOrder::Descending, WarpOrder::Shuffled(1)].into_iter().any(|order| {
            let runtime = start(EmulatorConfig { order, change: Some(change), ..EmulatorConfig::default() });
            let (algorithm, tuning) = (algorithm.clone(), Tuning::default());
            let mut search = Start { algorithm, seed: 1, threads: None, runtime, tuning }.search(&instance).unwrap();
            path(&mut search, 3, 4) != expected
        });
        assert!(differs, "nothing was seen without {}", change.0);
    }
}

/// A device that fails at any launch is replaced by the CPU, which gives the same numbers.
#[test]
fn a_lost_device_is_replaced_by_the_cpu_for_baselines() {
    let instance = knapsack(33, 100);
    for name in NAMES {
        let expected = path(&mut algorithm(name, 20).search(&instance, 3, None).unwrap(), 4, 5);
        for launches_left in [2, 3, 8, 23] {
            let runtime = Faulty { launches_left, ..Faulty::sound(start(EmulatorConfig::default())) };
            let (algorithm, tuning) = (algorithm(name, 20), Tuning::default());
            let start = Start { algorithm, seed: 3, threads: Some(pool(2)), runtime, tuning };
            let mut search = start.search(&instance).unwrap();
            assert_eq!(path(&mut search, 4, 5), expected, "{name}, {launches_left} launches");
            let notes = search.notes();
            assert!(launches_left > 8 || name == "random" || notes[0].contains("the CPU went on"), "{notes:?}");
        }
        let runtime = Faulty { launches_left: 9, free: 1 << 10, ..Faulty::sound(start(EmulatorConfig::default())) };
        let (algorithm, tuning) = (algorithm(name, 9), Tuning::default());
        let start = Start { algorithm, seed: 1, threads: None, runtime, tuning };
        assert!(start.search(&instance).err().unwrap().to_string().contains("memory"));
    }
}

/// Compares CUDA with the CPU: tiny to the published sizes.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu_with_baselines() {
    let shared = cuda();
    let runtime = || {
        shared.clear();
        shared.clone()
    };
    for instance in tiny() {
        for name in NAMES {
            compare(runtime(), &instance, &algorithm(name, 30), [3, 10], 5);
        }
    }
    for name in
        ["knapsack:100-1000", "knapsack:200-10000", "knapsack:1000-1000", "mmdp:300", "mmdp:1500", "nrp:100-140"]
    {
        let instance = library::named(name, 5).unwrap();
        for algorithm in NAMES.map(|name| algorithm(name, 40)) {
            compare(runtime(), &instance, &algorithm, [2, 20], 2_026);
            let expected = cpu::batch(&instance, &algorithm, [1, 3], None, 0, &Control::new(), &|_, _| {}).unwrap();
            let open = &mut || Ok(runtime());
            let found = batch(&instance, &algorithm, [1, 3], open, Tuning::default(), &Control::new()).unwrap();
            let told = |runs: &[cpu::BatchRun]| runs.iter().map(|run| (run.cost, run.since)).collect::<Vec<_>>();
            assert_eq!(told(&found), told(&expected), "{name}, {}", algorithm.label());
        }
        println!("equal individuals on the device: {name}");
    }
}

/// Runs every kernel once on small instances, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance_of_baselines() {
    let shared = cuda();
    for instance in [knapsack(33, 3), of("deceptive", Kind::Deceptive { blocks: 6 })] {
        for name in NAMES {
            shared.clear();
            compare(shared.clone(), &instance, &algorithm(name, 6), [2, 3], 5);
        }
    }
    println!("every kernel of the baselines ran on the device");
}
