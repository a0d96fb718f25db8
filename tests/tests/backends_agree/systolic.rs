//! Equal solutions of systolic genetic search on CPU, emulator and CUDA.

use gridwright_core::backend::OpenDevice;
use gridwright_core::result::RunResult;
use gridwright_core::search::{Algorithms, Budget, Control, Environment, Progress, Stop, StopReason};
use gridwright_kernels::systolic::Tuning;
use gridwright_kernels::{CudaError, Module, SharedCuda};
use gridwright_systolic::cuda::{Start, batch, laid_out};
use gridwright_systolic::run::batch as cpu;
use gridwright_systolic::run::{Algorithm, BestBits, GridParameters, Settings, solve, solve_seeds};
use gridwright_systolic::{Flavour, Instance, Kind, library};

use super::agreement::*;
use super::cuda_emulator::{CudaEmulator, EmulatorConfig, WarpOrder};
use super::support::{Numbers, ORDERS, Path_, in_order, path, pool, reused_cuda, sanitized, texts};

/// Run of a search in parts: their number and their length.
pub struct Run {
    pub instance: Instance,
    pub algorithm: Algorithm,
    pub seed: u64,
    pub parts: [u32; 2],
}

impl Case for Run {
    const MODULE: Module = Module::Systolic;
    type Tuning = Tuning;
    /// Path in parts; the best cost with its step, and the number of evaluations, of a run that is not divided.
    type Trace = (Path_, (f64, u64), u64);

    fn module(&self) -> Module {
        if self.algorithm.name().starts_with("sgs-") { Self::MODULE } else { Module::Baselines }
    }

    fn describe(&self) -> String {
        format!("{}, {:?}, {} bits, seed {}", self.instance.name, self.algorithm, self.instance.bits(), self.seed)
    }

    fn on_cpu(&self, _: usize) -> Self::Trace {
        let [epochs, steps] = self.parts;
        let search = || self.algorithm.search(&self.instance, self.seed, None).unwrap();
        let mut whole = search();
        whole.advance(epochs * steps).unwrap();
        let path = path(&mut search(), epochs, steps);
        // Of four bits the best may be among the first solutions; the mean of a grid of random ones always gets better. All
        // zeros solve the deceptive problem.
        let is_random =
            matches!(&self.algorithm, Algorithm::Grid(_, grid) if grid.start == GridParameters::default().start);
        assert!(!is_random || path[0].2 != path[1].2, "{}: nothing was ever accepted", self.describe());
        (path, whole.reached().unwrap(), whole.snapshot().unwrap().evaluations)
    }

    fn on_device<M: Device>(&self, runtime: M, tuning: Self::Tuning) -> Answer<Self::Trace> {
        let (algorithm, [epochs, steps]) = (self.algorithm.clone(), self.parts);
        let start = Start { algorithm, seed: self.seed, threads: Some(pool(2)), runtime, tuning };
        let mut search = start.search(&self.instance)?;
        let path = path(&mut search, epochs, steps);
        let (trace, notes) = ((path, search.reached()?, search.snapshot()?.evaluations), texts(&search.device_notes()));
        Ok(OnDevice { trace, has_failed_over: !notes.is_empty(), notes })
    }
}

/// Compares the runs of a batch on the device with those of the CPU.
pub fn compare_batch<M: Device>(open: &mut dyn FnMut() -> M, run: &Run, seeds: [u64; 2], tunings: &[Tuning]) {
    let Run { instance, algorithm, .. } = run;
    let expected = cpu::batch(instance, algorithm, seeds, None, 2, &Control::new(), &|_, _| {}).unwrap();
    let values = |runs: &[cpu::BatchRun]| {
        runs.iter().map(|run| (run.seed, run.cost, run.since, run.bits.clone())).collect::<Vec<_>>()
    };
    for &tuning in tunings {
        let found = batch(instance, algorithm, seeds, &mut || Ok(open()), tuning, &Control::new()).unwrap();
        cpu::confirm(instance, &found).unwrap();
        assert_eq!(values(&found), values(&expected), "{}, {tuning:?}", run.describe());
    }
}

#[test]
fn the_kernels_in_the_emulator_give_the_values_of_the_cpu_in_every_order() {
    let mut all = Vec::new();
    for order in ORDERS {
        for (number, instance) in tiny().into_iter().enumerate() {
            // Every kernel for every instance, every flavour for every kernel, not all of it in every order.
            let skip = usize::from(order != WarpOrder::Ascending) * 2 + 1;
            let tunings: Vec<Tuning> = tunings().into_iter().skip(number % skip).step_by(skip).collect();
            let runs = Flavour::ALL.map(|flavour| grid(&instance, flavour, [2, 9], 5));
            all.extend(runs.map(|run| (in_order(order), (run, tunings.clone()))));
        }
    }
    compare_emulated(all);
}

#[test]
fn the_kernels_in_the_emulator_stay_within_their_memory() {
    let instances = [knapsack(133, 3), of("deceptive", Kind::Deceptive { blocks: 31 }), release(35, 4)];
    compare_emulated(instances.map(|instance| (sanitized(), (grid(&instance, Flavour::Both, [1, 7], 9), tunings()))));
}

#[test]
fn a_missing_barrier_is_detected() {
    // At the end of an iteration, and before the first one.
    let changes = [
        (
            "        __syncthreads();\n        if (gridDim.x > 1 && k + 1 < iterations) {\n            if (ahead",
            "        if (gridDim.x > 1 && k + 1 < iterations) {\n            if (ahead",
        ),
        ("ahead / 2, ahead % 2);\n    }\n    __syncthreads();", "ahead / 2, ahead % 2);\n    }"),
    ];
    let run = || grid(&knapsack(65, 100), Flavour::Both, [2, 20], 1);
    let changes = changes.map(|change| (run(), Tuning { lanes: 1, ..Tuning::default() }, change));
    detect_changes(changes, EmulatorConfig::default());
}

#[test]
fn a_lost_device_hands_over_to_the_cpu_with_the_same_numbers() {
    let run = grid(&knapsack(33, 100), Flavour::Exchange, [6, 10], 3);
    for launches in [1, 2, 4, 7] {
        survive_loss(&run, Tuning::default(), launches, launches == 7);
    }
}

#[test]
fn what_a_device_cannot_hold_is_said_before_the_start() {
    let refuse = |instance, free, word| refuse(&grid(&instance, Flavour::Both, [1, 9], 1), free, u32::MAX, &[word]);
    refuse(knapsack(33, 100), 1 << 10, "memory");
    let large = Kind::Knapsack { profits: vec![1 << 30; 8], weights: vec![1; 8], capacity: 4 };
    refuse(of("large", large), 1 << 30, "beyond the 32 bits");
    let large = Kind::NextRelease { costs: vec![1 << 28; 8], values: vec![1 << 28; 8], value_scale: 1, tenths: 5 };
    refuse(of("large", large), 1 << 30, "beyond 63");
    assert!(CudaError::Grid("x".to_owned()).to_string().contains("use the CPU"));
}

/// Tiny to published cases, every tuning.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu() {
    let flavours = |instance: Instance, parts, seed, tunings: Vec<Tuning>| {
        Flavour::ALL.map(|flavour| (grid(&instance, flavour, parts, seed), tunings.clone()))
    };
    let tiny = tiny().into_iter().flat_map(move |instance| flavours(instance, [3, 30], 5, tunings()));
    // Blocks that meet within a launch, on the whole device.
    let mut published = vec![Tuning::default()];
    published.extend([1, 2, 4, 8].map(|lanes| Tuning { lanes, global: true, ..Tuning::default() }));
    let named = PUBLISHED.into_iter().map(|name| library::named(name, 5).unwrap());
    compare_on_cuda(tiny.chain(named.flat_map(move |instance| flavours(instance, [5, 100], 2_026, published.clone()))));
}

/// Small cases, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance() {
    let instances = [knapsack(33, 3), of("deceptive", Kind::Deceptive { blocks: 6 })];
    compare_on_cuda(instances.map(|instance| (grid(&instance, Flavour::Both, [2, 6], 5), tunings())));
}

/// Instances of published sizes, compared on a device.
const PUBLISHED: [&str; 6] =
    ["knapsack:100-1000", "knapsack:200-10000", "knapsack:500-1000", "knapsack:1000-1000", "mmdp:300", "mmdp:1500"];

fn grid(instance: &Instance, flavour: Flavour, parts: [u32; 2], seed: u64) -> Run {
    let iterations = u64::from(parts[0] * parts[1]);
    Run { instance: instance.clone(), algorithm: algorithm(flavour, iterations), seed, parts }
}

fn algorithm(flavour: Flavour, iterations: u64) -> Algorithm {
    let name = format!("sgs-{}", flavour.letter().to_ascii_lowercase());
    Algorithm::named(&name).unwrap().resolved(iterations)
}

fn start(config: EmulatorConfig) -> CudaEmulator {
    super::support::start(Module::Systolic, config)
}

/// Returns pseudorandom numbers from 0 to `most` − 1.
fn numbers(count: usize, seed: u64, most: u64) -> Vec<u64> {
    let mut numbers = Numbers(seed);
    (0..count).map(|_| numbers.below(most as usize) as u64).collect()
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

/// Compares grids with changed rules on devices with the CPU, in parts on both, and several runs at once.
///
/// Every rule and several numbers of rows occur; each instance takes a third of the device layouts.
fn compare_changed_rules<M: Device>(runtime: &mut dyn FnMut() -> M) {
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
            let run = Run { instance: instance.clone(), algorithm: changed, seed: 5, parts: [2, 9] };
            let layouts: Vec<Tuning> = tunings().into_iter().skip(number).step_by(3).collect();
            compare(runtime, &run, &layouts);
            compare_batch(runtime, &run, [5, 3], &[Tuning::default()]);
        }
    }
}

#[test]
fn the_grid_follows_changed_rules_on_every_backend() {
    compare_changed_rules(&mut || start(in_order(WarpOrder::Shuffled(7))));
}

#[test]
#[ignore = "needs a CUDA device"]
fn cuda_follows_changed_rules_of_the_grid() {
    compare_changed_rules(&mut reused_cuda());
    println!("changed rules give equal solutions on the device");
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
    let orders = [WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Eager, WarpOrder::Eager];
    let cases = Flavour::ALL.into_iter().zip(orders).map(|(flavour, order)| {
        let tunings = vec![Tuning::default(), Tuning { global: true, ..Tuning::default() }];
        let config = EmulatorConfig { shared_per_block: 200 << 10, ..in_order(order) };
        (config, (grid(&instance, flavour, [1, 12], u64::MAX), tunings))
    });
    compare_emulated(cases);
}

/// Runs of a batch equal single runs, on the device and on the CPU.
#[test]
fn a_batch_in_the_emulator_is_many_runs() {
    for instance in [knapsack(33, 50), of("deceptive", Kind::Deceptive { blocks: 6 }), release(20, 4)] {
        let run = grid(&instance, Flavour::Vertical, [1, 40], 0);
        let open = &mut || start(in_order(WarpOrder::Descending));
        compare_batch(open, &run, [u64::from(u32::MAX) - 2, 5], &tunings());
    }
}

#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu_in_a_batch() {
    for name in PUBLISHED {
        let run = grid(&library::named(name, 5).unwrap(), Flavour::Both, [1, 150], 0);
        compare_batch(&mut reused_cuda(), &run, [1, 3], &[Tuning::default()]);
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
            let noted = |result: &RunResult| {
                let states = result.improvements.iter();
                states.map(|state| (state.step, state.evaluations, state.cost, state.exact)).collect::<Vec<_>>()
            };
            assert_eq!(noted(&result), noted(&single), "{name}, seed {seed}");
            let (seconds, finished_at, curve) = (single.seconds, single.finished_at, single.curve.clone());
            let improvements = single.improvements.clone();
            let result = RunResult { seconds, finished_at, curve, improvements, ..result };
            assert_eq!(result, single, "{name}, seed {seed}");
        }
        let other = Settings { stop: Stop::after(Budget::Seconds(1.0)), ..of(1) };
        assert!(solve_seeds(&instance, &other, &seeds, environment, &mut |_, _| {}).unwrap().is_none());
    }
}
