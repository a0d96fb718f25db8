//! Equal makespans and total completion times on CPU, emulator and CUDA.

use gridwright_core::search::report::Report;
use gridwright_flowshop::bench::wavefront::{Effort, Opening, measure};
use gridwright_flowshop::wavefront::cuda::DeviceMakespans;
use gridwright_flowshop::wavefront::{OrderValues, Orders, Wavefront, cpu, execute};
use gridwright_flowshop::{Instance, formats};
use gridwright_kernels::makespan::{Evaluator, Shop, Tuning};
use gridwright_kernels::{CudaError, Module};

use super::agreement::*;
use super::cuda_emulator::{CudaEmulator, EmulatorConfig, WarpOrder};
use super::support::{Numbers, ORDERS, in_order, pool, sanitized};

/// Kernel that evaluates the orders.
#[derive(Debug, Clone, Copy)]
pub enum Kernel {
    Orders(Tuning),
    /// Room for half of the orders: they are computed in parts, and then by so many threads that sweep the diagonals.
    Sweeps,
    Sweep(usize),
}

impl Default for Kernel {
    fn default() -> Self {
        Self::Orders(Tuning::default())
    }
}

impl Case for (Instance, Orders) {
    const MODULE: Module = Module::Makespan;
    type Tuning = Kernel;
    type Trace = Vec<OrderValues>;

    fn describe(&self) -> String {
        let (instance, _) = self;
        instance.name.clone()
    }

    fn on_cpu(&self, _: usize) -> Self::Trace {
        let (instance, orders) = self;
        expected(instance, orders)
    }

    fn on_device<M: Device>(&self, runtime: M, kernel: Self::Tuning) -> Answer<Self::Trace> {
        let (instance, orders) = self;
        let count = orders.iter().count();
        let trace = match kernel {
            Kernel::Orders(tuning) => DeviceMakespans::new(instance, runtime, count, tuning)?.evaluate(orders)?,
            Kernel::Sweep(processors) => {
                DeviceMakespans::new(instance, runtime, count, Tuning::default())?.sweep(orders, processors)?
            }
            Kernel::Sweeps => {
                let mut device = DeviceMakespans::new(instance, runtime, count.div_ceil(2), Tuning::default())?;
                let in_parts = device.evaluate(orders)?;
                let machines = instance.machine_count();
                let mut processors = vec![1, 2, 3, machines / 2, machines - 1, machines];
                processors.retain(|processors| (1..=machines).contains(processors));
                processors.sort_unstable();
                processors.dedup();
                for processors in processors {
                    let found = device.sweep(orders, processors)?;
                    assert_eq!(found, in_parts, "{}, {processors} threads sweep the diagonals", instance.name);
                }
                in_parts
            }
        };
        Ok(OnDevice { trace, notes: Vec::new(), has_failed_over: false })
    }
}

#[test]
fn the_kernels_in_the_emulator_give_the_values_of_the_cpu_in_every_order() {
    let orders = ORDERS.into_iter();
    compare_emulated(orders.flat_map(|order| tiny_with(&[64, 128, 256]).map(move |case| (in_order(order), case))));
}

#[test]
fn the_kernels_in_the_emulator_stay_within_their_memory() {
    compare_emulated(tiny_with(&[64]).map(|case| (sanitized(), case)));
}

#[test]
fn a_missing_barrier_is_detected() {
    let changes = [
        // Orders are computed before all times are in shared memory.
        ("shared_memory[word] = times[word];\n        __syncthreads();", "shared_memory[word] = times[word];"),
        // A diagonal is begun before the one before it is done.
        (
            "if (machine == machines - 1) sum += end;\n            }\n            __syncthreads();",
            "if (machine == machines - 1) sum += end;\n            }",
        ),
    ];
    // Twenty threads are one warp, whose threads the emulator synchronises at the barrier only.
    let kernels = [Kernel::Orders(Tuning { block: 128, ..Tuning::default() }), Kernel::Sweep(20)];
    let instance = made_up(30, 20, false);
    let case = || (instance.clone(), Orders::random(&instance, 40, 2));
    let changes = changes.into_iter().zip(kernels).map(|(change, kernel)| (case(), kernel, change));
    detect_changes(changes, EmulatorConfig::default());
}

/// Tiny to published cases, every tuning.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu() {
    const BLOCKS: [u32; 5] = [0, 64, 128, 256, 1_024];
    let published = ["ta001", "ta051", "ta081", "ta111"].into_iter().map(|name| {
        let source = format!("taillard:{name}");
        with(formats::open(&source, &formats::LoadOptions::default()).unwrap(), 3_000, &BLOCKS)
    });
    compare_on_cuda(tiny_with(&BLOCKS).chain(published));
}

/// Small cases, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance() {
    compare_on_cuda(tiny_with(&[64]));
}

/// `count` random orders of an instance for every kernel with these blocks.
fn with(instance: Instance, count: usize, blocks: &[u32]) -> Compared<(Instance, Orders)> {
    let orders = Orders::random(&instance, count, 5);
    let tunings = Tuning::ALL.into_iter();
    let tunings =
        tunings.flat_map(|tuning| blocks.iter().map(move |&block| Kernel::Orders(Tuning { block, ..tuning })));
    ((instance, orders), tunings.chain([Kernel::Sweeps]).collect())
}

fn tiny_with(blocks: &[u32]) -> impl Iterator<Item = Compared<(Instance, Orders)>> {
    tiny().into_iter().map(move |(instance, count)| with(instance, count, blocks))
}

fn start(config: EmulatorConfig) -> CudaEmulator {
    super::support::start(Module::Makespan, config)
}

/// Generates a flow shop with some zero times; with `released` every third job has a release date.
fn made_up(jobs: usize, machines: usize, released: bool) -> Instance {
    let mut numbers = Numbers((jobs * 1_000 + machines) as u64);
    let mut next = |n: usize| numbers.below(n) as u32;
    let times = (0..jobs * machines).map(|_| if next(7) == 0 { 0 } else { 1 + next(99) }).collect();
    let mut instance = Instance::of_times(&format!("{jobs} × {machines}"), machines, times).unwrap();
    for job in instance.jobs.iter_mut().step_by(3).filter(|_| released) {
        job.release = next(400);
    }
    instance.validated().unwrap()
}

/// Awkward sizes: one of everything, lanes and warps that are just full or just not, several machines for a lane.
fn tiny() -> Vec<(Instance, usize)> {
    let sizes = [
        (1, 1, 1),
        (2, 2, 3),
        (1, 40, 2),
        (40, 1, 5),
        (7, 5, 33),
        (20, 8, 9),
        (13, 9, 64),
        (9, 16, 17),
        (11, 20, 70),
        (25, 24, 8),
        (12, 32, 5),
        (10, 33, 4),
        (6, 64, 3),
        (5, 65, 2),
        (4, 128, 3),
    ];
    let of = |(number, (jobs, machines, orders))| (made_up(jobs, machines, number % 2 == 1), orders);
    sizes.into_iter().enumerate().map(of).collect()
}

/// Values of the reference, confirmed by both variants on the CPU and by a wavefront carried out step by step.
fn expected(instance: &Instance, orders: &Orders) -> Vec<OrderValues> {
    let reference = cpu::reference(instance, orders);
    assert_eq!(cpu::one_by_one(instance, orders).unwrap(), reference, "{}", instance.name);
    for threads in [1, 3] {
        assert_eq!(cpu::evaluate(instance, orders, &pool(threads)).unwrap(), reference, "{}", instance.name);
    }
    let (jobs, machines) = (instance.job_count(), instance.machine_count());
    let wavefront = Wavefront::new(jobs, machines, machines.div_ceil(2)).unwrap();
    let first = orders.iter().next().unwrap();
    assert_eq!(execute(instance, first, &wavefront).unwrap().values, reference[0]);
    reference
}

/// The largest of the published sizes, whose times do not fit into 48 KiB, and do into 200.
#[test]
fn five_hundred_jobs_agree_in_the_emulator() {
    let instance = formats::open("taillard:ta111", &formats::LoadOptions::default()).unwrap();
    assert_eq!((instance.job_count(), instance.machine_count()), (500, 20));
    let orders = Orders::random(&instance, 6, 1);
    let expected = expected(&instance, &orders);
    for (shared_per_block, kernel) in [(48 << 10, "orders_global_32_1"), (200 << 10, "orders_32_1")] {
        for order in [WarpOrder::Descending, WarpOrder::Eager] {
            let config = EmulatorConfig { order, shared_per_block, ..EmulatorConfig::default() };
            let mut device = DeviceMakespans::new(&instance, start(config), 6, Tuning::default()).unwrap();
            assert_eq!(device.layout().kernel, kernel);
            assert_eq!(device.evaluate(&orders).unwrap(), expected);
        }
    }
}

#[test]
fn what_cannot_be_computed_is_said() {
    let refused = |instance: &Instance| {
        DeviceMakespans::new(instance, start(EmulatorConfig::default()), 4, Tuning::default())
            .err()
            .unwrap()
            .to_string()
    };
    let many = refused(&made_up(3, 129, false));
    assert!(many.contains("at most 128 machines, here are 129; use the CPU"), "{many}");
    let instance = made_up(5, 60, false);
    let mut device = DeviceMakespans::new(&instance, start(EmulatorConfig::default()), 4, Tuning::default()).unwrap();
    assert_eq!(device.layout().kernel, "orders_32_2", "two machines for a lane");
    let orders = Orders::random(&instance, 1, 1);
    for processors in [0, 61, usize::MAX] {
        let error = device.sweep(&orders, processors).unwrap_err().to_string();
        assert!(error.contains("ask for 1 to 60"), "{error}");
    }
    let other = Orders::random(&made_up(6, 60, false), 1, 1);
    let error = device.evaluate(&other).unwrap_err().to_string();
    assert!(error.contains("6 positions, 5 jobs in each order"), "{error}");
}

/// Invalid permutations are refused before a kernel reads beyond its tables, and nothing is computed that was not written.
#[test]
fn the_kernels_are_given_nothing_that_is_not_there() {
    let (times, releases) = ([3, 2, 1, 4], [0, 0]);
    let shop = Shop { machines: 2, times: &times, releases: &releases };
    let runtime = &mut start(EmulatorConfig { sanitized: true, ..EmulatorConfig::default() });
    let mut evaluator = Evaluator::new(runtime, &shop, 2, Tuning::default()).unwrap();
    evaluator.evaluate(runtime).unwrap();
    assert_eq!(evaluator.read(runtime).unwrap(), []);
    for orders in [&[0, 2][..], &[0, 1, 0], &[0, 1, 0, 1, 0, 1]] {
        assert!(matches!(evaluator.write(runtime, orders), Err(CudaError::Orders(_))), "{orders:?}");
    }
    // The example by hand: 9 and 14, 7 and 12.
    evaluator.write(runtime, &[0, 1, 1, 0]).unwrap();
    evaluator.evaluate(runtime).unwrap();
    let values = |found: Vec<gridwright_kernels::makespan::Value>| {
        found.iter().map(|value| (value.makespan, value.flow_time)).collect::<Vec<_>>()
    };
    assert_eq!(values(evaluator.read(runtime).unwrap()), [(9, 14), (7, 12)]);
    evaluator.sweep(runtime, 2, 3).unwrap();
    assert_eq!(values(evaluator.read(runtime).unwrap()), [(9, 14), (7, 12)]);
    let wrong = Shop { times: &times[..3], ..shop };
    assert!(Evaluator::new(runtime, &wrong, 2, Tuning::default()).is_err());
}

/// The measurements of the benchmark, with the emulator as the device: they compare all values with the reference.
#[test]
fn the_benchmark_measures_every_kernel() {
    let instance = formats::open("taillard:ta001", &formats::LoadOptions::default()).unwrap();
    let open = || start(EmulatorConfig { shared_per_block: 200 << 10, ..EmulatorConfig::default() });
    let mut devices = [Opening { name: "emulator".to_owned(), open: Box::new(open) }];
    let effort = Effort { seconds: 0.0, on_cpu: 1_000, on_device: 1_000 };
    let [one, many] = measure(&[instance], 2, &mut devices, effort, &mut |_| {}).unwrap();
    let on = |report: &Report| report.rows.iter().map(|row| row[1].clone()).collect::<Vec<_>>();
    assert_eq!(on(&one), ["CPU", "emulator, a block"]);
    // Five processors take 20 + 5 − 1 steps for 100 operations.
    assert_eq!((one.rows[1][2].as_str(), one.rows[1][3].as_str(), one.rows[1][7].as_str()), ("5", "24", "4.17"));
    let expected = ["orders_32_1", "orders_16_1", "orders_8_1", "orders_4_5", "orders_global_32_1", "diagonals, p = m"];
    assert_eq!(on(&many)[3..], expected.map(|kernel| format!("emulator, {kernel}")));
}
