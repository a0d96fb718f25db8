//! What systolic genetic search is compared with, on every backend: all individuals after every few generations.

use gridwright_kernels::systolic::Tuning;
use gridwright_kernels::{Machine, Module};
use gridwright_solver::search::Control;
use gridwright_solver::systolic::cuda::{Start, batch};
use gridwright_solver::systolic::run::Algorithm;
use gridwright_solver::systolic::run::batch as cpu;
use gridwright_solver::systolic::{Instance, Kind, library};

use crate::ground::{Ground, Order, Ways};
use crate::support::{Faulty, cuda, path, pool};
use crate::systolic::{knapsack, of, release, tiny};

const NAMES: [&str; 3] = ["sga", "ega", "random"];

fn start(ways: Ways) -> Ground {
    crate::support::start(Module::Rivals, ways)
}

fn algorithm(name: &str, iterations: u64) -> Algorithm {
    Algorithm::named(name).unwrap().resolved(iterations)
}

/// Digests of everything, the record included, after every part of the run.
fn compare<M: Machine + std::fmt::Debug + 'static>(
    machine: M,
    instance: &Instance,
    algorithm: &Algorithm,
    [epochs, steps]: [u32; 2],
    seed: u64,
) {
    let expected = path(&mut algorithm.search(instance, seed, None).unwrap(), epochs, steps);
    let start =
        Start { algorithm: algorithm.clone(), seed, threads: Some(pool(2)), machine, tuning: Tuning::default() };
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
fn rivals_on_the_ground_walk_the_path_of_the_cpu_in_every_order() {
    for order in [Order::Forward, Order::Backward, Order::Shuffled(7), Order::Ahead] {
        for (number, instance) in tiny().iter().enumerate() {
            for (name, algorithm) in NAMES.map(|name| (name, algorithm(name, 12))) {
                // Everything once, and a part in every order.
                if order == Order::Forward || (number + name.len()) % 3 == 0 {
                    compare(start(Ways { order, ..Ways::default() }), instance, &algorithm, [3, 4], 5);
                }
            }
        }
    }
}

/// No crossover, always crossover, and many flipped bits, of which some are drawn twice.
#[test]
fn every_parameter_of_the_genetic_algorithms_agrees_on_the_ground() {
    for (crossover, mutation) in [("0", "0"), ("1", "12"), ("0.5", "30")] {
        for name in ["sga", "ega"] {
            let mut algorithm = Algorithm::named(name).unwrap();
            algorithm.set("crossover", crossover).unwrap();
            algorithm.set("mutation", mutation).unwrap();
            let algorithm = algorithm.resolved(6);
            for instance in [knapsack(33, 9), knapsack(70, 100), of("deceptive", Kind::Deceptive { blocks: 11 })] {
                compare(start(Ways { order: Order::Ahead, ..Ways::default() }), &instance, &algorithm, [2, 3], 9);
            }
        }
    }
}

#[test]
fn rivals_on_the_ground_stay_within_their_memory() {
    let ways = Ways { sanitized: true, order: Order::Shuffled(3), ..Ways::default() };
    for instance in [knapsack(133, 3), of("deceptive", Kind::Deceptive { blocks: 11 }), release(35, 4)] {
        for name in NAMES {
            compare(start(ways), &instance, &algorithm(name, 6), [2, 3], 9);
        }
    }
}

#[test]
fn a_batch_of_rivals_on_the_ground_is_many_runs() {
    for instance in [knapsack(33, 50), of("deceptive", Kind::Deceptive { blocks: 6 }), release(20, 4)] {
        for name in NAMES {
            let (seeds, algorithm) = ([u64::from(u32::MAX) - 2, 5], algorithm(name, 20));
            let expected = cpu::batch(&instance, &algorithm, seeds, None, 2, &Control::new(), &|_, _| {}).unwrap();
            let machine = &mut || Ok(start(Ways { order: Order::Backward, ..Ways::default() }));
            let found = batch(&instance, &algorithm, seeds, machine, Tuning::default(), &Control::new()).unwrap();
            cpu::confirm(&instance, &found).unwrap();
            let told = |runs: &[cpu::BatchRun]| {
                runs.iter().map(|run| (run.seed, run.cost, run.since, run.bits.clone())).collect::<Vec<_>>()
            };
            assert_eq!(told(&found), told(&expected), "{}, {name}", instance.name);
        }
    }
}

/// The proof that the comparison bites: the last of equal individuals instead of the first, or a bit that is flipped back.
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
        let differs = [Order::Ahead, Order::Backward, Order::Shuffled(1)].into_iter().any(|order| {
            let machine = start(Ways { order, change: Some(change), ..Ways::default() });
            let (algorithm, tuning) = (algorithm.clone(), Tuning::default());
            let mut search = Start { algorithm, seed: 1, threads: None, machine, tuning }.search(&instance).unwrap();
            path(&mut search, 3, 4) != expected
        });
        assert!(differs, "nothing was seen without {}", change.0);
    }
}

/// A machine that breaks off at any launch: the CPU goes on, and nobody sees it in the numbers.
#[test]
fn a_lost_device_is_replaced_by_the_cpu_for_rivals() {
    let instance = knapsack(33, 100);
    for name in NAMES {
        let expected = path(&mut algorithm(name, 20).search(&instance, 3, None).unwrap(), 4, 5);
        for launches_left in [2, 3, 8, 23] {
            let machine = Faulty { inner: start(Ways::default()), launches_left, reserves_left: 99, free: 1 << 30 };
            let (algorithm, tuning) = (algorithm(name, 20), Tuning::default());
            let start = Start { algorithm, seed: 3, threads: Some(pool(2)), machine, tuning };
            let mut search = start.search(&instance).unwrap();
            assert_eq!(path(&mut search, 4, 5), expected, "{name}, {launches_left} launches");
            let notes = search.notes();
            assert!(launches_left > 8 || name == "random" || notes[0].contains("the CPU went on"), "{notes:?}");
        }
        let machine = Faulty { inner: start(Ways::default()), launches_left: 9, reserves_left: 99, free: 1 << 10 };
        let (algorithm, tuning) = (algorithm(name, 9), Tuning::default());
        let start = Start { algorithm, seed: 1, threads: None, machine, tuning };
        assert!(start.search(&instance).err().unwrap().to_string().contains("memory"));
    }
}

/// Runs on a device, where there is one: tiny to the published sizes.
#[test]
fn cuda_walks_the_path_of_the_cpu_with_rivals() {
    let Some(shared) = cuda() else { return };
    let machine = || {
        shared.clear();
        shared.clone()
    };
    for instance in tiny() {
        for name in NAMES {
            compare(machine(), &instance, &algorithm(name, 30), [3, 10], 5);
        }
    }
    for name in
        ["knapsack:100-1000", "knapsack:200-10000", "knapsack:1000-1000", "mmdp:300", "mmdp:1500", "nrp:100-140"]
    {
        let instance = library::named(name, 5).unwrap();
        for algorithm in NAMES.map(|name| algorithm(name, 40)) {
            compare(machine(), &instance, &algorithm, [2, 20], 2_026);
            let expected = cpu::batch(&instance, &algorithm, [1, 3], None, 0, &Control::new(), &|_, _| {}).unwrap();
            let open = &mut || Ok(machine());
            let found = batch(&instance, &algorithm, [1, 3], open, Tuning::default(), &Control::new()).unwrap();
            let told = |runs: &[cpu::BatchRun]| runs.iter().map(|run| (run.cost, run.since)).collect::<Vec<_>>();
            assert_eq!(told(&found), told(&expected), "{name}, {}", algorithm.label());
        }
        println!("equal individuals on the device: {name}");
    }
}

/// A small thing for compute-sanitizer, which makes kernels many times slower: every kernel once.
#[test]
fn cuda_runs_every_kernel_on_a_tiny_instance_of_rivals() {
    let Some(shared) = cuda() else { return };
    for instance in [knapsack(33, 3), of("deceptive", Kind::Deceptive { blocks: 6 })] {
        for name in NAMES {
            shared.clear();
            compare(shared.clone(), &instance, &algorithm(name, 6), [2, 3], 5);
        }
    }
    println!("every kernel of the rivals ran on the device");
}
