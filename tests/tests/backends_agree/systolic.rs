//! Equal solutions of systolic genetic search on CPU, emulator and CUDA.

use gridwright_core::backend::OpenDevice;
use gridwright_core::result::RunResult;
use gridwright_core::search::{Algorithms, Budget, Control, Environment, Progress, Stop, StopReason};
use gridwright_kernels::systolic::Tuning;
use gridwright_kernels::{CudaError, DeviceRuntime, Module, SharedCuda};
use gridwright_systolic::cuda::{Start, batch, laid_out};
use gridwright_systolic::run::batch as cpu;
use gridwright_systolic::run::{Algorithm, BestBits, Settings, solve, solve_seeds};
use gridwright_systolic::{Flavour, Instance, Kind, Search, library};

use super::cuda_emulator::{CudaEmulator, EmulatorConfig, WarpOrder};
use super::support::{Faulty, cuda, path, pool};

/// Returns pseudorandom numbers from 0 to `most` − 1.
pub fn numbers(count: usize, seed: u64, most: u64) -> Vec<u64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    (0..count).map(|_| next()).collect()
}

pub fn of(name: &str, kind: Kind) -> Instance {
    Instance { name: name.to_owned(), kind, names: Vec::new(), warnings: Vec::new(), hash: String::new() }
}

pub fn knapsack(bits: usize, most: u64) -> Instance {
    let (profits, weights) = (numbers(bits, 1, most), numbers(bits, 2, most));
    let capacity = weights.iter().sum::<u64>() / 3 + 1;
    of("knapsack", Kind::Knapsack { profits, weights, capacity })
}

pub fn release(bits: usize, tenths: u8) -> Instance {
    let at_least_one = |numbers: Vec<u64>| numbers.into_iter().map(|number| number + 1).collect();
    let (costs, values) = (at_least_one(numbers(bits, 3, 9)), at_least_one(numbers(bits, 4, 5)));
    of("release", Kind::NextRelease { costs, values, value_scale: 1, tenths })
}

/// Awkward sizes: tiny and odd grids, words that are just full or just not, many ties.
pub fn tiny() -> Vec<Instance> {
    vec![
        knapsack(4, 10),
        knapsack(5, 100),
        knapsack(33, 3),
        knapsack(65, 100),
        of("deceptive", Kind::Deceptive { blocks: 1 }),
        of("deceptive", Kind::Deceptive { blocks: 10 }),
        of("deceptive", Kind::Deceptive { blocks: 11 }),
        // Three words and more, so that something lies between the first and the last one of a segment.
        knapsack(130, 50),
        of("deceptive", Kind::Deceptive { blocks: 21 }),
        release(7, 0),
        release(35, 4),
        of("ones", Kind::OneMax { bits: 64 }),
    ]
}

/// Every kernel: lanes for a cell, solutions in shared and global memory, one block and several for a run.
fn tunings() -> Vec<Tuning> {
    let shared = [0, 1, 4].map(|lanes| Tuning { lanes, ..Tuning::default() });
    let global = [1, 2, 4, 8].map(|lanes| Tuning { lanes, global: true, blocks: 1, ..Tuning::default() });
    let several = [1, 2, 4, 8].map(|lanes| Tuning { lanes, block: 64 << (lanes % 3), blocks: 3, global: true });
    shared.into_iter().chain(global).chain(several).collect()
}

fn start(config: EmulatorConfig) -> CudaEmulator {
    super::support::start(Module::Systolic, config)
}

fn algorithm(flavour: Flavour, iterations: u64) -> Algorithm {
    let name = format!("sgs-{}", flavour.letter().to_ascii_lowercase());
    Algorithm::named(&name).unwrap().resolved(iterations)
}

fn on_device<M: DeviceRuntime + std::fmt::Debug + 'static>(
    instance: &Instance, algorithm: Algorithm, seed: u64, runtime: M, tuning: Tuning,
) -> Box<dyn Search> {
    Start { algorithm, seed, threads: Some(pool(2)), runtime, tuning }.search(instance).unwrap()
}

/// Every tuning against the CPU: digests of all solutions after every part of the run.
fn compare<M: DeviceRuntime + std::fmt::Debug + 'static>(
    runtime: &mut dyn FnMut() -> M, instance: &Instance, flavour: Flavour, [epochs, steps]: [u32; 2], seed: u64,
    tunings: &[Tuning],
) {
    let iterations = u64::from(epochs * steps);
    let expected = path(&mut algorithm(flavour, iterations).search(instance, seed, None).unwrap(), epochs, steps);
    // Of four bits the best may be among the first solutions; the mean always gets better.
    assert!(expected[0].2 != expected[1].2, "{}: nothing was ever accepted", instance.name);
    for &tuning in tunings {
        let mut search = on_device(instance, algorithm(flavour, iterations), seed, runtime(), tuning);
        let found = path(&mut search, epochs, steps);
        assert!(search.notes().is_empty(), "{:?}", search.notes());
        assert_eq!(found, expected, "{}, {flavour:?}, {} bits, {tuning:?}", instance.name, instance.bits());
    }
}

#[test]
fn the_grid_in_the_emulator_walks_the_path_of_the_cpu_in_every_order() {
    for order in [WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Shuffled(7), WarpOrder::Eager] {
        for (number, instance) in tiny().iter().enumerate() {
            for flavour in Flavour::ALL {
                // Every kernel for every instance, every flavour for every kernel, not all of it in every order.
                let skip = usize::from(order != WarpOrder::Ascending) * 2 + 1;
                let tunings: Vec<Tuning> = tunings().into_iter().skip(number % skip).step_by(skip).collect();
                let config = EmulatorConfig { order, ..EmulatorConfig::default() };
                compare(&mut || start(config), instance, flavour, [2, 9], 5, &tunings);
            }
        }
    }
}

/// Compares grids with changed rules on devices with the CPU, in parts on both, and several runs at once.
///
/// Every rule and several numbers of rows occur; each instance takes a third of the device layouts.
fn compare_changed_rules<M: DeviceRuntime + std::fmt::Debug + 'static>(runtime: &mut dyn FnMut() -> M) {
    let all = [
        [("rows", "3"), ("start", "zeros"), ("segment", "one-point"), ("mutation", "column")],
        [("rows", "1"), ("start", "copies"), ("segment", "share"), ("mutation", "neighbours")],
        [("rows", "16"), ("start", "opposites"), ("segment", "single-bit"), ("mutation", "multiples-of-six")],
        [("rows", "0"), ("start", "alternating"), ("segment", "published"), ("mutation", "published")],
    ];
    for (number, instance) in [knapsack(133, 3), of("deceptive", Kind::Deceptive { blocks: 31 })].iter().enumerate() {
        for (rules, flavour) in all.iter().zip(Flavour::ALL) {
            let mut changed = algorithm(flavour, 18);
            rules.iter().for_each(|(name, value)| changed.set(name, value).unwrap());
            let expected = path(&mut changed.search(instance, 5, None).unwrap(), 2, 9);
            for tuning in tunings().into_iter().skip(number).step_by(3) {
                let mut search = on_device(instance, changed.clone(), 5, runtime(), tuning);
                assert_eq!(path(&mut search, 2, 9), expected, "{}, {rules:?}, {flavour:?}, {tuning:?}", instance.name);
                assert!(search.notes().is_empty(), "{:?}", search.notes());
            }
            let many = cpu::batch(instance, &changed, [5, 3], None, 1, &Control::new(), &|_, _| {}).unwrap();
            let open = &mut || Ok(runtime());
            let found = batch(instance, &changed, [5, 3], open, Tuning::default(), &Control::new()).unwrap();
            for (one, other) in many.iter().zip(&found) {
                assert_eq!((one.seed, one.cost, one.since), (other.seed, other.cost, other.since), "{rules:?}");
            }
        }
    }
}

#[test]
fn the_grid_follows_changed_rules_on_every_backend() {
    compare_changed_rules(&mut || start(EmulatorConfig { order: WarpOrder::Shuffled(7), ..EmulatorConfig::default() }));
}

#[test]
#[ignore = "needs a CUDA device"]
fn cuda_follows_changed_rules_of_the_grid() {
    let shared = cuda();
    compare_changed_rules(&mut || {
        shared.clear();
        shared.clone()
    });
    println!("changed rules give equal solutions on the device");
}

#[test]
fn the_grid_in_the_emulator_stays_within_its_memory() {
    let config = EmulatorConfig { sanitized: true, order: WarpOrder::Shuffled(3), ..EmulatorConfig::default() };
    for instance in [knapsack(133, 3), of("deceptive", Kind::Deceptive { blocks: 31 }), release(35, 4)] {
        compare(&mut || start(config), &instance, Flavour::Both, [1, 7], 9, &tunings());
    }
}

/// The chosen layout can be printed, and requested tunings are followed as far as possible.
#[test]
fn a_layout_is_told_in_words() {
    let mut runtime = start(EmulatorConfig::default());
    let told = |runtime: &mut CudaEmulator, tuning| laid_out(&knapsack(65, 100), runtime, 3, tuning).unwrap();
    assert_eq!(told(&mut runtime, Tuning::default()), "1 lane, 1 × 512 threads, shared memory");
    let asked = Tuning { lanes: 4, blocks: 3, ..Tuning::default() };
    assert_eq!(told(&mut runtime, asked), "4 lanes, 3 × 672 threads, global memory");
}

/// Published size: four words per solution, and a whole run in 141 KB of shared memory.
#[test]
fn two_hundred_items_agree_in_the_emulator() {
    let instance = library::named("knapsack:200-1000", 5).unwrap();
    for (flavour, order) in
        Flavour::ALL.into_iter().zip([WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Eager, WarpOrder::Eager])
    {
        let config = EmulatorConfig { order, shared_per_block: 200 << 10, ..EmulatorConfig::default() };
        let tunings = [Tuning::default(), Tuning { global: true, ..Tuning::default() }];
        compare(&mut || start(config), &instance, flavour, [1, 12], u64::MAX, &tunings);
    }
}

/// Runs of a batch equal single runs, on the device and on the CPU.
#[test]
fn a_batch_in_the_emulator_is_many_runs() {
    for instance in [knapsack(33, 50), of("deceptive", Kind::Deceptive { blocks: 6 }), release(20, 4)] {
        let seeds = [u64::from(u32::MAX) - 2, 5];
        let algorithm = algorithm(Flavour::Vertical, 40);
        let expected = cpu::batch(&instance, &algorithm, seeds, None, 2, &Control::new(), &|_, _| {}).unwrap();
        for tuning in tunings() {
            let runtime =
                &mut || Ok(start(EmulatorConfig { order: WarpOrder::Descending, ..EmulatorConfig::default() }));
            let found = batch(&instance, &algorithm, seeds, runtime, tuning, &Control::new()).unwrap();
            cpu::confirm(&instance, &found).unwrap();
            let told = |runs: &[cpu::BatchRun]| {
                runs.iter().map(|run| (run.seed, run.cost, run.since, run.bits.clone())).collect::<Vec<_>>()
            };
            assert_eq!(told(&found), told(&expected), "{}, {tuning:?}", instance.name);
        }
    }
}

/// Results of seeds that are solved side by side equal those of single runs except for times.
#[test]
fn seeds_side_by_side_in_the_emulator_have_the_results_of_single_runs() {
    let instance = knapsack(33, 50);
    let seeds = [3, 4, 5, 9];
    let reached = Some(-300.0);
    for (name, module, target) in [
        ("sgs-b", Module::Systolic, None),
        ("sgs-t", Module::Systolic, reached),
        ("ega", Module::Baselines, None),
        ("random", Module::Baselines, None),
    ] {
        let open = |_: usize| {
            let runtime = SharedCuda::new(super::support::start(module, EmulatorConfig::default()));
            Ok(OpenDevice::new("cuda:0".to_owned(), "CUDA emulator".to_owned(), runtime))
        };
        let control = Control::new();
        let environment = Environment { control: &control, open: &open };
        let stop = Stop { target, ..Stop::after(Budget::Steps(40)) };
        let of = |seed| Settings {
            algorithm: Algorithm::named(name).unwrap(),
            goal: (),
            backend: "cuda:0".to_owned(),
            threads: 2,
            seed,
            stop: stop.clone(),
        };
        let mut told = vec![Vec::new(); seeds.len()];
        let mut hear = |index: usize, progress: &Progress<BestBits>| {
            told[index].push((progress.snapshot.step, progress.snapshot.evaluations, progress.snapshot.best_cost));
        };
        let found = solve_seeds(&instance, &of(0), &seeds, environment, &mut hear).unwrap().unwrap();
        assert_eq!(found.len(), seeds.len());
        for ((result, &seed), told) in found.into_iter().zip(&seeds).zip(told) {
            let mut heard = Vec::new();
            let single = solve(&instance, &of(seed), environment, &mut |progress| {
                heard.push((progress.snapshot.step, progress.snapshot.evaluations, progress.snapshot.best_cost));
            });
            let single = single.unwrap();
            assert!(result.seconds > 0.0 && (target.is_some() || heard.len() > 10), "{name}");
            assert!(target.is_none() || single.stop_reason == StopReason::Target, "{name}: {}", single.stop_reason);
            assert_eq!(told, heard, "{name}, seed {seed}");
            let (seconds, finished_at, curve) = (single.seconds, single.finished_at, single.curve.clone());
            assert_eq!(RunResult { seconds, finished_at, curve, ..result }, single, "{name}, seed {seed}");
        }
        let other = Settings { stop: Stop::after(Budget::Seconds(1.0)), ..of(1) };
        assert!(solve_seeds(&instance, &other, &seeds, environment, &mut |_, _| {}).unwrap().is_none());
    }
}

/// The emulator detects missing barriers: without the one at the end of an iteration, or before the first one, the path differs.
#[test]
fn a_missing_barrier_between_iterations_is_seen() {
    let instance = knapsack(65, 100);
    let changes = [
        (
            "        __syncthreads();\n        if (gridDim.x > 1 && k + 1 < iterations) {\n            if (ahead",
            "        if (gridDim.x > 1 && k + 1 < iterations) {\n            if (ahead",
        ),
        ("ahead / 2, ahead % 2);\n    }\n    __syncthreads();", "ahead / 2, ahead % 2);\n    }"),
    ];
    for change in changes {
        let differs = [WarpOrder::Eager, WarpOrder::Descending, WarpOrder::Shuffled(1)].into_iter().any(|order| {
            let runtime = start(EmulatorConfig { order, change: Some(change), ..EmulatorConfig::default() });
            let tuning = Tuning { lanes: 1, ..Tuning::default() };
            let start = Start { algorithm: algorithm(Flavour::Both, 40), seed: 1, threads: None, runtime, tuning };
            let mut search = start.search(&instance).unwrap();
            let found = path(&mut search, 2, 20);
            // What cannot be read at all is told as well.
            !search.notes().is_empty()
                || found != path(&mut algorithm(Flavour::Both, 40).search(&instance, 1, None).unwrap(), 2, 20)
        });
        assert!(differs, "nothing was seen without {}", change.0);
    }
}

/// A device that fails at any launch is replaced by the CPU, which gives the same numbers.
#[test]
fn a_lost_device_is_replaced_by_the_cpu() {
    let instance = knapsack(33, 100);
    let expected = path(&mut algorithm(Flavour::Exchange, 60).search(&instance, 3, None).unwrap(), 6, 10);
    for launches_left in [1, 2, 4, 7] {
        let runtime = Faulty { launches_left, ..Faulty::sound(start(EmulatorConfig::default())) };
        let mut search = on_device(&instance, algorithm(Flavour::Exchange, 60), 3, runtime, Tuning::default());
        assert_eq!(path(&mut search, 6, 10), expected, "{launches_left} launches");
        let notes = search.notes();
        assert!(launches_left == 7 || notes[0].contains("the CPU went on"), "{notes:?}");
    }
    let runtime = Faulty { launches_left: 9, free: 1 << 10, ..Faulty::sound(start(EmulatorConfig::default())) };
    let start =
        Start { algorithm: algorithm(Flavour::Both, 9), seed: 1, threads: None, runtime, tuning: Tuning::default() };
    assert!(start.search(&instance).err().unwrap().to_string().contains("memory"));
}

#[test]
fn what_a_device_cannot_hold_is_said() {
    let refused = |instance: &Instance| {
        let (algorithm, runtime) = (algorithm(Flavour::Both, 9), start(EmulatorConfig::default()));
        let start = Start { algorithm, seed: 1, threads: None, runtime, tuning: Tuning::default() };
        start.search(instance).err().unwrap().to_string()
    };
    let large = Kind::Knapsack { profits: vec![1 << 30; 8], weights: vec![1; 8], capacity: 4 };
    assert!(refused(&of("large", large)).contains("beyond the 32 bits"));
    let large = Kind::NextRelease { costs: vec![1 << 28; 8], values: vec![1 << 28; 8], value_scale: 1, tenths: 5 };
    assert!(refused(&of("large", large)).contains("beyond 63"));
    let error = CudaError::Grid("x".to_owned()).to_string();
    assert!(error.contains("use the CPU"));
}

/// Compares CUDA with the CPU: tiny to the published sizes, every kernel, all solutions after every 100 iterations.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu_from_cell_to_cell() {
    let shared = cuda();
    let runtime = &mut || {
        shared.clear();
        shared.clone()
    };
    for instance in tiny() {
        for flavour in Flavour::ALL {
            compare(runtime, &instance, flavour, [3, 30], 5, &tunings());
        }
    }
    // Blocks that meet within a launch, on the whole device.
    let mut published = vec![Tuning::default()];
    published.extend([1, 2, 4, 8].map(|lanes| Tuning { lanes, global: true, ..Tuning::default() }));
    for name in
        ["knapsack:100-1000", "knapsack:200-10000", "knapsack:500-1000", "knapsack:1000-1000", "mmdp:300", "mmdp:1500"]
    {
        let instance = library::named(name, 5).unwrap();
        for flavour in Flavour::ALL {
            compare(runtime, &instance, flavour, [5, 100], 2_026, &published);
        }
        let algorithm = algorithm(Flavour::Both, 150);
        let expected = cpu::batch(&instance, &algorithm, [1, 3], None, 0, &Control::new(), &|_, _| {}).unwrap();
        let open = &mut || Ok(runtime());
        let found = batch(&instance, &algorithm, [1, 3], open, Tuning::default(), &Control::new()).unwrap();
        let told = |runs: &[cpu::BatchRun]| runs.iter().map(|run| (run.cost, run.since)).collect::<Vec<_>>();
        assert_eq!(told(&found), told(&expected), "{name}");
        println!("equal solutions on the device: {name}");
    }
}

/// Runs every kernel once on small instances, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance_of_a_grid() {
    let shared = cuda();
    let runtime = &mut || {
        shared.clear();
        shared.clone()
    };
    for instance in [knapsack(33, 3), of("deceptive", Kind::Deceptive { blocks: 6 })] {
        compare(runtime, &instance, Flavour::Both, [2, 6], 5, &tunings());
    }
    println!("every kernel ran on the device");
}
