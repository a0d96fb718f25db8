//! Iterated greedy for flow shops on every backend.

use gridwright_kernels::greedy::{MOST_JOBS, Tuning};
use gridwright_kernels::{Machine, Module};
use gridwright_solver::flowshop::beam::{Beams, Shop};
use gridwright_solver::flowshop::greedy::beginning::AfterBeams;
use gridwright_solver::flowshop::greedy::cpu::CpuGreedy;
use gridwright_solver::flowshop::greedy::cuda::{CudaGreedy, resolve};
use gridwright_solver::flowshop::greedy::population::Begin;
use gridwright_solver::flowshop::greedy::{IteratedGreedyParameters, Partial};
use gridwright_solver::flowshop::insertion::Problem;
use gridwright_solver::flowshop::neh::neh;
use gridwright_solver::flowshop::{Instance, Objective, formats};
use gridwright_solver::search::Epochs;

use crate::ground::{Ground, Order, Ways};
use crate::support::{Faulty, Path_, SEEDS, cuda, path, pool};

/// Times of nothing among others, so that many places cost the same; due dates that some jobs meet; every third job is released late where
/// `released`; times so long that makespans need more than 16 bits where `long`.
fn made_up(jobs: usize, machines: usize, released: bool, long: bool) -> Instance {
    let mut state = (jobs * 1_000 + machines) as u64;
    let mut next = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % n) as u32
    };
    let scale = if long { 5_000 } else { 1 };
    let times = (0..jobs * machines).map(|_| if next(7) == 0 { 0 } else { scale * (1 + next(9)) }).collect();
    let mut instance = Instance::of_times(&format!("{jobs} × {machines}"), machines, times).unwrap();
    for (number, job) in instance.jobs.iter_mut().enumerate() {
        let soon = scale * next(6 * (jobs + machines) as u64);
        job.due = Some(if number % 5 == 4 { u32::MAX / 2 } else { soon });
        job.release = if released && number % 3 == 0 { scale * next(20) } else { 0 };
    }
    instance.validated().unwrap()
}

fn chosen(removed: u32, partial: bool, gathering: u32) -> IteratedGreedyParameters {
    let partial = if partial { Partial::On } else { Partial::Off };
    IteratedGreedyParameters { chains: 5, removed, temperature: 3.0, partial, gathering, ..Default::default() }
}

/// Degenerate and awkward sizes: one of everything, more removed jobs than there are, warps that are just full or just not, rows
/// of every kernel.
fn tiny() -> Vec<(Instance, IteratedGreedyParameters)> {
    vec![
        (made_up(1, 1, false, false), chosen(2, true, 0)),
        (made_up(1, 3, true, false), chosen(2, false, 0)),
        (made_up(2, 2, false, false), chosen(64, true, 0)),
        (made_up(3, 1, false, false), chosen(64, false, 2)),
        (made_up(20, 5, false, false), chosen(2, true, 3)),
        (made_up(33, 3, true, false), chosen(3, true, 0)),
        (made_up(13, 9, false, true), chosen(4, false, 0)),
        (made_up(34, 7, false, false), chosen(2, true, 2)),
        (made_up(12, 20, false, false), chosen(2, true, 0)),
        (made_up(9, 33, false, false), chosen(2, true, 0)),
        (made_up(7, 70, false, true), chosen(1, true, 0)),
    ]
}

const EPOCHS: u32 = 3;
const STEPS: u32 = 2;

fn begin<'a>(
    instance: &'a Instance,
    objective: Objective,
    parameters: &'a IteratedGreedyParameters,
    seed: u64,
) -> Begin<'a> {
    Begin { instance, objective, parameters, start: None, seed }
}

fn on_cpu(begin: &Begin<'_>, threads: usize) -> (Path_, u64) {
    let &Begin { instance, objective, parameters, start, seed } = begin;
    let mut search = CpuGreedy::new(instance, objective, parameters, start, seed, pool(threads));
    (path(&mut search, EPOCHS, STEPS), search.snapshot().unwrap().evaluations)
}

fn on<M: Machine>(machine: M, begin: &Begin<'_>, tuning: Tuning) -> (Path_, u64) {
    let mut search = CudaGreedy::new(begin, pool(1), machine, tuning).unwrap();
    let found = path(&mut search, EPOCHS, STEPS);
    assert!(!search.on_cpu(), "{:?}", search.notes());
    (found, search.snapshot().unwrap().evaluations)
}

fn start(ways: Ways) -> Ground {
    crate::support::start(Module::Greedy, ways)
}

/// Every objective of an instance on some machine against the CPU.
fn compare<M: Machine>(
    machine: &mut dyn FnMut() -> M,
    instance: &Instance,
    parameters: &IteratedGreedyParameters,
    seed: u64,
    tunings: &[Tuning],
) {
    for objective in Objective::ALL {
        let begin = begin(instance, objective, parameters, seed);
        let expected = on_cpu(&begin, 1);
        for &tuning in tunings {
            let name = &instance.name;
            assert_eq!(on(machine(), &begin, tuning), expected, "{name}, {objective}, {parameters:?}, {tuning:?}");
        }
    }
}

fn tuning(warps: u32, global: bool) -> Tuning {
    Tuning { warps, global }
}

#[test]
fn chains_on_the_ground_walk_the_path_of_the_cpu_in_every_order() {
    let orders = [Order::Forward, Order::Backward, Order::Shuffled(7), Order::Ahead];
    for (number, (instance, parameters)) in tiny().into_iter().enumerate() {
        for (other, order) in orders.into_iter().enumerate() {
            let ways = Ways { order, ..Ways::default() };
            let tunings = [tuning([1, 2, 3, 0][(number + other) % 4], (number + other) % 3 == 0)];
            compare(&mut || start(ways), &instance, &parameters, 5, &tunings);
        }
    }
}

#[test]
fn chains_on_the_ground_stay_within_their_memory() {
    for (number, (instance, parameters)) in tiny().into_iter().enumerate() {
        let ways = Ways { sanitized: true, order: Order::Shuffled(3), ..Ways::default() };
        compare(&mut || start(ways), &instance, &parameters, 8, &[tuning(2, number % 2 == 0)]);
    }
}

/// Sizes of Taillard's, on all ways through the kernel.
#[test]
fn fifty_jobs_agree_on_the_ground() {
    let instance = formats::open("taillard:ta041", &formats::LoadOptions::default()).unwrap();
    assert_eq!((instance.job_count(), instance.machine_count()), (50, 10));
    let parameters = IteratedGreedyParameters { chains: 2, temperature: 0.7, ..IteratedGreedyParameters::default() };
    for order in [Order::Backward, Order::Ahead, Order::Shuffled(1)] {
        let ways = Ways { order, ..Ways::default() };
        compare(&mut || start(ways), &instance, &parameters, 2, &[tuning(0, false)]);
    }
}

/// The proof that the ground bites: kernels without one of their barriers walk elsewhere in some order.
#[test]
fn a_missing_barrier_is_seen() {
    let (instance, parameters) = (made_up(34, 7, false, false), chosen(2, true, 0));
    let changes = [
        // Jobs are looked at before the tables are there.
        (
            Objective::Makespan,
            "of_tails ? last : heads_at, of_tails ? tails_from : heads_to - 1, of_tails ? last : heads_to, of_tails ? ~0u : 1);\n        }\n        __syncthreads();",
            "of_tails ? last : heads_at, of_tails ? tails_from : heads_to - 1, of_tails ? last : heads_to, of_tails ? ~0u : 1);\n        }",
        ),
        // A round begins before its jobs are shuffled.
        (
            Objective::FlowTime,
            "            orders.round[other] = one;\n        }\n    }\n    __syncthreads();",
            "            orders.round[other] = one;\n        }\n    }",
        ),
    ];
    for (objective, before, after) in changes {
        let begin = begin(&instance, objective, &parameters, 1);
        let expected = on_cpu(&begin, 1).0;
        let differs = [Order::Ahead, Order::Backward, Order::Shuffled(1)].into_iter().any(|order| {
            let machine = start(Ways { order, change: Some((before, after)), ..Ways::default() });
            let mut search = CudaGreedy::new(&begin, pool(1), machine, tuning(2, false)).unwrap();
            path(&mut search, EPOCHS, STEPS) != expected || search.on_cpu()
        });
        assert!(differs, "nothing was seen without {before}");
    }
}

/// Wherever the device breaks off, the CPU goes on with the same numbers.
#[test]
fn a_device_that_is_lost_does_not_change_the_path() {
    let (instance, parameters) = (made_up(20, 5, false, false), chosen(2, true, 3));
    for objective in [Objective::Makespan, Objective::Tardy] {
        let begin = begin(&instance, objective, &parameters, 4);
        let expected = on_cpu(&begin, 2);
        for launches in [0, 1, 3] {
            let inner = start(Ways::default());
            let machine = Faulty { inner, launches_left: launches, reserves_left: 99, free: 1 << 30 };
            let mut search = CudaGreedy::new(&begin, pool(2), machine, Tuning::default()).unwrap();
            let found = path(&mut search, EPOCHS, STEPS);
            assert_eq!((found, search.snapshot().unwrap().evaluations), expected, "{objective}, {launches} launches");
            assert!(search.on_cpu() && search.notes()[0].contains("the CPU went on"), "{:?}", search.notes());
        }
    }
}

/// Chains that begin with the order of beams do so wherever they are computed, also where the device is lost before, at or after that.
#[test]
fn chains_after_beams_walk_the_same_path() {
    let instance = formats::open("taillard:ta022", &formats::LoadOptions::default()).unwrap();
    let parameters = IteratedGreedyParameters { chains: 3, ..chosen(2, true, 3) };
    let begin = begin(&instance, Objective::Makespan, &parameters, 4);
    let beams = || {
        let (order, makespan) = neh(&Problem::new(&instance, Objective::Makespan));
        Beams::new(Shop::of(&instance, Objective::Makespan).unwrap(), 64, order, makespan, pool(2))
    };
    let mut steps = beams();
    let of_beams = steps.advance(u32::MAX);
    assert!(of_beams > 0 && !steps.is_proven(), "{of_beams} steps");
    let (epochs, epoch) = (of_beams / 3 + 3, 3);
    let cpu = CpuGreedy::new(&instance, Objective::Makespan, &parameters, None, 4, pool(2));
    let expected = path(&mut AfterBeams::new(Some(beams()), cpu), epochs, epoch);
    for launches in [0, 1, 99] {
        let inner = start(Ways::default());
        let machine = Faulty { inner, launches_left: launches, reserves_left: 99, free: 1 << 30 };
        let cuda = CudaGreedy::new(&begin, pool(2), machine, Tuning::default()).unwrap();
        let mut search = AfterBeams::new(Some(beams()), cuda);
        assert_eq!(path(&mut search, epochs, epoch), expected, "{launches} launches");
        assert_eq!(search.chains().on_cpu(), launches < 99, "{:?}", search.chains().notes());
    }
}

#[test]
fn what_a_device_cannot_do_is_said_before_the_start() {
    let refused = |instance: &Instance, objective, machine: Faulty| {
        let parameters = chosen(2, true, 0);
        let begin = begin(instance, objective, &parameters, 1);
        CudaGreedy::new(&begin, pool(1), machine, Tuning::default()).err().unwrap().to_string()
    };
    let faulty = |free| Faulty { inner: start(Ways::default()), launches_left: 9, reserves_left: 99, free };
    let small = refused(&made_up(50, 5, false, false), Objective::Makespan, faulty(4_000));
    assert!(small.contains("are free") && small.contains("fewer chains"), "{small}");
    let wide = refused(&made_up(2, 129, false, false), Objective::Makespan, faulty(1 << 30));
    assert!(wide.contains("at most 128 machines, here are 129"), "{wide}");
    let long = made_up(MOST_JOBS as usize + 1, 1, false, false);
    let long = refused(&long, Objective::FlowTime, faulty(1 << 30));
    assert!(long.contains("at most 4096 jobs"), "{long}");
}

/// What a device chooses is written down: the CPU walks the same path with it.
#[test]
fn automatic_numbers_become_parameters() {
    let instance = made_up(20, 5, false, false);
    let mut parameters = IteratedGreedyParameters { temperature: 0.7, ..IteratedGreedyParameters::default() };
    resolve(&mut start(Ways::default()), &instance, Objective::Makespan, &mut parameters).unwrap();
    assert!(parameters.chains > 0 && parameters.gathering > 0, "{parameters:?}");
    let begin = begin(&instance, Objective::Makespan, &parameters, 1);
    assert_eq!(on(start(Ways::default()), &begin, Tuning::default()), on_cpu(&begin, 2));
    let mut chosen = IteratedGreedyParameters { chains: 7, ..IteratedGreedyParameters::default() };
    resolve(&mut start(Ways::default()), &instance, Objective::Makespan, &mut chosen).unwrap();
    assert_eq!((chosen.chains, chosen.gathering), (7, 0));
}

/// Runs on a device, where there is one: tiny to the published sizes, every number of warps, tables in shared and in global memory.
#[test]
fn cuda_walks_the_path_of_the_cpu_of_iterated_greedy() {
    let Some(shared) = cuda() else { return };
    let machine = &mut || {
        shared.clear();
        shared.clone()
    };
    let tunings = [tuning(0, false), tuning(1, false), tuning(4, true), tuning(8, false)];
    for (instance, parameters) in tiny() {
        for seed in SEEDS {
            compare(machine, &instance, &parameters, seed, &tunings);
        }
    }
    for name in ["ta011", "ta051", "ta071", "ta101", "ta111"] {
        let instance = formats::open(&format!("taillard:{name}"), &formats::LoadOptions::default()).unwrap();
        let parameters = IteratedGreedyParameters { chains: 3, ..chosen(2, true, 4) };
        if instance.job_count() <= 100 {
            compare(machine, &instance, &parameters, 1, &tunings[..1]);
        }
        let begin = begin(&instance, Objective::Makespan, &parameters, 1);
        for tuning in tunings {
            assert_eq!(on(machine(), &begin, tuning), on_cpu(&begin, 8), "{name}, {tuning:?}");
        }
        println!("equal paths on the device: {name}");
    }
}

/// A small thing for compute-sanitizer, which makes kernels many times slower: every kernel once.
#[test]
fn cuda_runs_every_kernel_on_a_tiny_instance_of_iterated_greedy() {
    let Some(shared) = cuda() else { return };
    let machine = &mut || {
        shared.clear();
        shared.clone()
    };
    for (instance, parameters) in tiny() {
        compare(machine, &instance, &parameters, 1, &[tuning(2, false), tuning(1, true)]);
    }
    println!("every kernel ran on the device");
}
