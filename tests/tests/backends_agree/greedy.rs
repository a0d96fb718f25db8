//! Equal chains of iterated greedy on CPU, emulator and CUDA.

use gridwright_core::search::Epochs;
use gridwright_flowshop::beam::{Beams, Shop};
use gridwright_flowshop::greedy::beam_start::BeamThenChains;
use gridwright_flowshop::greedy::cpu::CpuGreedy;
use gridwright_flowshop::greedy::cuda::{CudaGreedy, resolve};
use gridwright_flowshop::greedy::population::GreedyInputs;
use gridwright_flowshop::greedy::{IteratedGreedyParameters, Partial};
use gridwright_flowshop::insertion::FlowShopProblem;
use gridwright_flowshop::neh::neh;
use gridwright_flowshop::{Instance, Objective, formats};
use gridwright_kernels::greedy::{MOST_JOBS, Tuning};
use gridwright_kernels::{DeviceRuntime, Module};

use super::cuda_emulator::{CudaEmulator, EmulatorConfig, WarpOrder};
use super::support::{Faulty, Path_, SEEDS, cuda, path, pool};

/// Generates a flow shop with zero times, so that many positions cost the same, and with due dates that some jobs meet. With `released`
/// every third job has a release date; with `long` makespans need more than 16 bits.
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
    instance: &'a Instance, objective: Objective, parameters: &'a IteratedGreedyParameters, seed: u64,
) -> GreedyInputs<'a> {
    GreedyInputs { instance, objective, parameters, start: None, seed }
}

fn on_cpu(begin: &GreedyInputs<'_>, threads: usize) -> (Path_, u64) {
    let &GreedyInputs { instance, objective, parameters, start, seed } = begin;
    let mut search = CpuGreedy::new(instance, objective, parameters, start, seed, pool(threads));
    (path(&mut search, EPOCHS, STEPS), search.snapshot().unwrap().evaluations)
}

fn on<M: DeviceRuntime>(runtime: M, begin: &GreedyInputs<'_>, tuning: Tuning) -> (Path_, u64) {
    let mut search = CudaGreedy::new(begin, pool(1), runtime, tuning).unwrap();
    let found = path(&mut search, EPOCHS, STEPS);
    assert!(!search.has_failed_over(), "{:?}", search.notes());
    (found, search.snapshot().unwrap().evaluations)
}

fn start(config: EmulatorConfig) -> CudaEmulator {
    super::support::start(Module::Greedy, config)
}

/// Compares every objective of an instance on a device with the CPU.
fn compare<M: DeviceRuntime>(
    runtime: &mut dyn FnMut() -> M, instance: &Instance, parameters: &IteratedGreedyParameters, seed: u64,
    tunings: &[Tuning],
) {
    for objective in Objective::ALL {
        let begin = begin(instance, objective, parameters, seed);
        let expected = on_cpu(&begin, 1);
        for &tuning in tunings {
            let name = &instance.name;
            assert_eq!(on(runtime(), &begin, tuning), expected, "{name}, {objective}, {parameters:?}, {tuning:?}");
        }
    }
}

fn tuning(warps: u32, global: bool) -> Tuning {
    Tuning { warps, global }
}

#[test]
fn chains_in_the_emulator_walk_the_path_of_the_cpu_in_every_order() {
    let orders = [WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Shuffled(7), WarpOrder::Eager];
    for (number, (instance, parameters)) in tiny().into_iter().enumerate() {
        for (other, order) in orders.into_iter().enumerate() {
            let config = EmulatorConfig { order, ..EmulatorConfig::default() };
            let tunings = [tuning([1, 2, 3, 0][(number + other) % 4], (number + other) % 3 == 0)];
            compare(&mut || start(config), &instance, &parameters, 5, &tunings);
        }
    }
}

#[test]
fn chains_in_the_emulator_stay_within_their_memory() {
    for (number, (instance, parameters)) in tiny().into_iter().enumerate() {
        let config = EmulatorConfig { sanitized: true, order: WarpOrder::Shuffled(3), ..EmulatorConfig::default() };
        compare(&mut || start(config), &instance, &parameters, 8, &[tuning(2, number % 2 == 0)]);
    }
}

/// Taillard's sizes, on all branches of the kernel.
#[test]
fn fifty_jobs_agree_in_the_emulator() {
    let instance = formats::open("taillard:ta041", &formats::LoadOptions::default()).unwrap();
    assert_eq!((instance.job_count(), instance.machine_count()), (50, 10));
    let parameters = IteratedGreedyParameters { chains: 2, temperature: 0.7, ..IteratedGreedyParameters::default() };
    for order in [WarpOrder::Descending, WarpOrder::Eager, WarpOrder::Shuffled(1)] {
        let config = EmulatorConfig { order, ..EmulatorConfig::default() };
        compare(&mut || start(config), &instance, &parameters, 2, &[tuning(0, false)]);
    }
}

/// The emulator detects missing barriers: kernels without one of their barriers take another path in some order.
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
        let differs = [WarpOrder::Eager, WarpOrder::Descending, WarpOrder::Shuffled(1)].into_iter().any(|order| {
            let runtime = start(EmulatorConfig { order, change: Some((before, after)), ..EmulatorConfig::default() });
            let mut search = CudaGreedy::new(&begin, pool(1), runtime, tuning(2, false)).unwrap();
            path(&mut search, EPOCHS, STEPS) != expected || search.has_failed_over()
        });
        assert!(differs, "nothing was seen without {before}");
    }
}

/// A device that fails at any launch is replaced by the CPU with the same numbers.
#[test]
fn a_device_that_is_lost_does_not_change_the_path() {
    let (instance, parameters) = (made_up(20, 5, false, false), chosen(2, true, 3));
    for objective in [Objective::Makespan, Objective::Tardy] {
        let begin = begin(&instance, objective, &parameters, 4);
        let expected = on_cpu(&begin, 2);
        for launches in [0, 1, 3] {
            let inner = start(EmulatorConfig::default());
            let runtime = Faulty { launches_left: launches, ..Faulty::sound(inner) };
            let mut search = CudaGreedy::new(&begin, pool(2), runtime, Tuning::default()).unwrap();
            let found = path(&mut search, EPOCHS, STEPS);
            assert_eq!((found, search.snapshot().unwrap().evaluations), expected, "{objective}, {launches} launches");
            assert!(search.has_failed_over() && search.notes()[0].contains("the CPU went on"), "{:?}", search.notes());
        }
    }
}

/// Chains that begin with the permutation of a beam search do so on every backend, also if the device is lost before, at or after that.
#[test]
fn chains_after_beams_walk_the_same_path() {
    let instance = formats::open("taillard:ta022", &formats::LoadOptions::default()).unwrap();
    let parameters = IteratedGreedyParameters { chains: 3, ..chosen(2, true, 3) };
    let begin = begin(&instance, Objective::Makespan, &parameters, 4);
    let beams = || {
        let (order, makespan) = neh(&FlowShopProblem::new(&instance, Objective::Makespan));
        Beams::new(Shop::of(&instance, Objective::Makespan).unwrap(), 64, order, makespan, pool(2))
    };
    let mut steps = beams();
    let of_beams = steps.advance(u32::MAX).unwrap();
    assert!(of_beams > 0 && !steps.is_proven(), "{of_beams} steps");
    let (epochs, epoch) = (of_beams / 3 + 3, 3);
    let cpu = CpuGreedy::new(&instance, Objective::Makespan, &parameters, None, 4, pool(2));
    let expected = path(&mut BeamThenChains::new(Some(beams()), cpu), epochs, epoch);
    for launches in [0, 1, 99] {
        let inner = start(EmulatorConfig::default());
        let runtime = Faulty { launches_left: launches, ..Faulty::sound(inner) };
        let cuda = CudaGreedy::new(&begin, pool(2), runtime, Tuning::default()).unwrap();
        let mut search = BeamThenChains::new(Some(beams()), cuda);
        assert_eq!(path(&mut search, epochs, epoch), expected, "{launches} launches");
        assert_eq!(search.chains().has_failed_over(), launches < 99, "{:?}", search.chains().notes());
    }
}

#[test]
fn what_a_device_cannot_do_is_said_before_the_start() {
    let refused = |instance: &Instance, objective, runtime: Faulty| {
        let parameters = chosen(2, true, 0);
        let begin = begin(instance, objective, &parameters, 1);
        CudaGreedy::new(&begin, pool(1), runtime, Tuning::default()).err().unwrap().to_string()
    };
    let faulty = |free| Faulty { launches_left: 9, free, ..Faulty::sound(start(EmulatorConfig::default())) };
    let small = refused(&made_up(50, 5, false, false), Objective::Makespan, faulty(4_000));
    assert!(small.contains("are free") && small.contains("fewer chains"), "{small}");
    let wide = refused(&made_up(2, 129, false, false), Objective::Makespan, faulty(1 << 30));
    assert!(wide.contains("at most 128 machines, here are 129"), "{wide}");
    let long = made_up(MOST_JOBS as usize + 1, 1, false, false);
    let long = refused(&long, Objective::FlowTime, faulty(1 << 30));
    assert!(long.contains("at most 4096 jobs"), "{long}");
}

/// Parameters that a device chooses are recorded, and the CPU follows the same trajectory with them.
#[test]
fn automatic_numbers_become_parameters() {
    let instance = made_up(20, 5, false, false);
    let mut parameters = IteratedGreedyParameters { temperature: 0.7, ..IteratedGreedyParameters::default() };
    resolve(&mut start(EmulatorConfig::default()), &instance, Objective::Makespan, &mut parameters).unwrap();
    assert!(parameters.chains > 0 && parameters.gathering > 0, "{parameters:?}");
    let begin = begin(&instance, Objective::Makespan, &parameters, 1);
    assert_eq!(on(start(EmulatorConfig::default()), &begin, Tuning::default()), on_cpu(&begin, 2));
    let mut chosen = IteratedGreedyParameters { chains: 7, ..IteratedGreedyParameters::default() };
    resolve(&mut start(EmulatorConfig::default()), &instance, Objective::Makespan, &mut chosen).unwrap();
    assert_eq!((chosen.chains, chosen.gathering), (7, 0));
}

/// Compares CUDA with the CPU: tiny to the published sizes, every number of warps, tables in shared and in global memory.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu_of_iterated_greedy() {
    let shared = cuda();
    let runtime = &mut || {
        shared.clear();
        shared.clone()
    };
    let tunings = [tuning(0, false), tuning(1, false), tuning(4, true), tuning(8, false)];
    for (instance, parameters) in tiny() {
        for seed in SEEDS {
            compare(runtime, &instance, &parameters, seed, &tunings);
        }
    }
    for name in ["ta011", "ta051", "ta071", "ta101", "ta111"] {
        let instance = formats::open(&format!("taillard:{name}"), &formats::LoadOptions::default()).unwrap();
        let parameters = IteratedGreedyParameters { chains: 3, ..chosen(2, true, 4) };
        if instance.job_count() <= 100 {
            compare(runtime, &instance, &parameters, 1, &tunings[..1]);
        }
        let begin = begin(&instance, Objective::Makespan, &parameters, 1);
        for tuning in tunings {
            assert_eq!(on(runtime(), &begin, tuning), on_cpu(&begin, 8), "{name}, {tuning:?}");
        }
        println!("equal paths on the device: {name}");
    }
}

/// Runs every kernel once on small instances, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance_of_iterated_greedy() {
    let shared = cuda();
    let runtime = &mut || {
        shared.clear();
        shared.clone()
    };
    for (instance, parameters) in tiny() {
        compare(runtime, &instance, &parameters, 1, &[tuning(2, false), tuning(1, true)]);
    }
    println!("every kernel ran on the device");
}
