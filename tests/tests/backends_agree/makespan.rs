//! Makespans and sums of completion times of given orders on every backend.

use gridwright_kernels::makespan::{Evaluator, Shop, Tuning};
use gridwright_kernels::{CudaError, Machine, Module};
use gridwright_solver::flowshop::bench::wavefront::{Effort, Opening, measure};
use gridwright_solver::flowshop::wavefront::cuda::DeviceMakespans;
use gridwright_solver::flowshop::wavefront::{Orders, Values, Wavefront, cpu, execute};
use gridwright_solver::flowshop::{Instance, formats};
use gridwright_solver::search::report::Report;

use crate::ground::{Ground, Order, Ways};
use crate::support::{cuda, pool};

/// A flow shop with times of nothing among others; every third job is released late where `released`.
fn made_up(jobs: usize, machines: usize, released: bool) -> Instance {
    let mut state = (jobs * 1_000 + machines) as u64;
    let mut next = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % n) as u32
    };
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

fn start(ways: Ways) -> Ground {
    crate::support::start(Module::Makespan, ways)
}

/// What the reference says, confirmed by both ways on the CPU and by a wavefront carried out step by step.
fn expected(instance: &Instance, orders: &Orders) -> Vec<Values> {
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

/// All ways to use a machine, against the reference.
fn compare<M: Machine>(machine: &mut dyn FnMut() -> M, instance: &Instance, count: usize, blocks: &[u32]) {
    let orders = Orders::random(instance, count, 5);
    let expected = expected(instance, &orders);
    for tuning in Tuning::ALL {
        for &block in blocks {
            let tuning = Tuning { block, ..tuning };
            let mut device = DeviceMakespans::new(instance, machine(), count, tuning).unwrap();
            assert_eq!(device.evaluate(&orders).unwrap(), expected, "{}, {tuning:?}", instance.name);
        }
    }
    // Room for fewer orders than there are: they are computed in parts.
    let mut device = DeviceMakespans::new(instance, machine(), count.div_ceil(2), Tuning::default()).unwrap();
    assert_eq!(device.evaluate(&orders).unwrap(), expected, "{}, in parts", instance.name);
    let machines = instance.machine_count();
    let mut processors = vec![1, 2, 3, machines / 2, machines - 1, machines];
    processors.retain(|processors| (1..=machines).contains(processors));
    processors.sort_unstable();
    processors.dedup();
    for processors in processors {
        let found = device.sweep(&orders, processors).unwrap();
        assert_eq!(found, expected, "{}, {processors} threads sweep the diagonals", instance.name);
    }
}

#[test]
fn the_kernels_on_the_ground_agree_with_the_schedule_in_every_order() {
    for order in [Order::Forward, Order::Backward, Order::Shuffled(7), Order::Ahead] {
        for (instance, count) in tiny() {
            let ways = Ways { order, ..Ways::default() };
            compare(&mut || start(ways), &instance, count, &[64, 128, 256]);
        }
    }
}

#[test]
fn the_kernels_on_the_ground_stay_within_their_memory() {
    let ways = Ways { sanitized: true, order: Order::Shuffled(3), ..Ways::default() };
    for (instance, count) in tiny() {
        compare(&mut || start(ways), &instance, count, &[64]);
    }
}

/// The largest of the published sizes, whose times do not fit into 48 KiB, and do into 200.
#[test]
fn five_hundred_jobs_agree_on_the_ground() {
    let instance = formats::open("taillard:ta111", &formats::LoadOptions::default()).unwrap();
    assert_eq!((instance.job_count(), instance.machine_count()), (500, 20));
    let orders = Orders::random(&instance, 6, 1);
    let expected = expected(&instance, &orders);
    for (shared_per_block, kernel) in [(48 << 10, "orders_global_32_1"), (200 << 10, "orders_32_1")] {
        for order in [Order::Backward, Order::Ahead] {
            let ways = Ways { order, shared_per_block, ..Ways::default() };
            let mut device = DeviceMakespans::new(&instance, start(ways), 6, Tuning::default()).unwrap();
            assert_eq!(device.layout().kernel, kernel);
            assert_eq!(device.evaluate(&orders).unwrap(), expected);
        }
    }
}

/// The proof that the ground bites: kernels without one of their barriers give other values in some order.
#[test]
fn a_missing_barrier_is_seen() {
    let instance = made_up(30, 20, false);
    let orders = Orders::random(&instance, 40, 2);
    let expected = cpu::reference(&instance, &orders);
    let changes = [
        // Orders are computed before all times are in shared memory.
        ("shared_memory[word] = times[word];\n        __syncthreads();", "shared_memory[word] = times[word];"),
        // A diagonal is begun before the one before it is done.
        (
            "if (machine == machines - 1) sum += end;\n            }\n            __syncthreads();",
            "if (machine == machines - 1) sum += end;\n            }",
        ),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let orders_of_threads = [Order::Ahead, Order::Backward, Order::Shuffled(1)];
        let differs = orders_of_threads.into_iter().any(|order| {
            let machine = start(Ways { order, change: Some(change), ..Ways::default() });
            let tuning = Tuning { block: 128, ..Tuning::default() };
            let mut device = DeviceMakespans::new(&instance, machine, 40, tuning).unwrap();
            // Twenty threads are one warp, which the ground lets meet nowhere but at the barrier.
            let found = if number == 0 { device.evaluate(&orders) } else { device.sweep(&orders, 20) };
            found.ok().as_ref() != Some(&expected)
        });
        assert!(differs, "nothing was seen without {}", change.0);
    }
}

#[test]
fn what_cannot_be_computed_is_said() {
    let refused = |instance: &Instance| {
        DeviceMakespans::new(instance, start(Ways::default()), 4, Tuning::default()).err().unwrap().to_string()
    };
    let many = refused(&made_up(3, 129, false));
    assert!(many.contains("at most 128 machines, here are 129; use the CPU"), "{many}");
    let instance = made_up(5, 60, false);
    let mut device = DeviceMakespans::new(&instance, start(Ways::default()), 4, Tuning::default()).unwrap();
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

/// No kernel can be made to read beyond its tables, and nothing is computed that was not written.
#[test]
fn the_kernels_are_given_nothing_that_is_not_there() {
    let (times, releases) = ([3, 2, 1, 4], [0, 0]);
    let shop = Shop { machines: 2, times: &times, releases: &releases };
    let machine = &mut start(Ways { sanitized: true, ..Ways::default() });
    let mut evaluator = Evaluator::new(machine, &shop, 2, Tuning::default()).unwrap();
    evaluator.evaluate(machine).unwrap();
    assert_eq!(evaluator.read(machine).unwrap(), []);
    for orders in [&[0, 2][..], &[0, 1, 0], &[0, 1, 0, 1, 0, 1]] {
        assert!(matches!(evaluator.write(machine, orders), Err(CudaError::Orders(_))), "{orders:?}");
    }
    // The example by hand: 9 and 14, 7 and 12.
    evaluator.write(machine, &[0, 1, 1, 0]).unwrap();
    evaluator.evaluate(machine).unwrap();
    let values = |found: Vec<gridwright_kernels::makespan::Value>| {
        found.iter().map(|value| (value.makespan, value.flow_time)).collect::<Vec<_>>()
    };
    assert_eq!(values(evaluator.read(machine).unwrap()), [(9, 14), (7, 12)]);
    evaluator.sweep(machine, 2, 3).unwrap();
    assert_eq!(values(evaluator.read(machine).unwrap()), [(9, 14), (7, 12)]);
    let wrong = Shop { times: &times[..3], ..shop };
    assert!(Evaluator::new(machine, &wrong, 2, Tuning::default()).is_err());
}

/// The measurements of the benchmark, with the ground as the device: they compare all values with the reference.
#[test]
fn the_benchmark_measures_every_kernel() {
    let instance = formats::open("taillard:ta001", &formats::LoadOptions::default()).unwrap();
    let open = || start(Ways { shared_per_block: 200 << 10, ..Ways::default() });
    let mut devices = [Opening { name: "ground".to_owned(), open: Box::new(open) }];
    let effort = Effort { seconds: 0.0, on_cpu: 1_000, on_device: 1_000 };
    let [one, many] = measure(&[instance], 2, &mut devices, effort, &mut |_| {}).unwrap();
    let on = |report: &Report| report.rows.iter().map(|row| row[1].clone()).collect::<Vec<_>>();
    assert_eq!(on(&one), ["CPU", "ground, a block"]);
    // Five processors take 20 + 5 − 1 steps for 100 operations.
    assert_eq!((one.rows[1][2].as_str(), one.rows[1][3].as_str(), one.rows[1][7].as_str()), ("5", "24", "4.17"));
    let expected = ["orders_32_1", "orders_16_1", "orders_8_1", "orders_4_5", "orders_global_32_1", "diagonals, p = m"];
    assert_eq!(on(&many)[3..], expected.map(|kernel| format!("ground, {kernel}")));
}

/// Runs on a device, where there is one: tiny to the published sizes, every kernel and block.
#[test]
fn cuda_walks_the_path_of_the_cpu_from_order_to_makespan() {
    let Some(shared) = cuda() else { return };
    let machine = &mut || {
        shared.clear();
        shared.clone()
    };
    let blocks = [0, 64, 128, 256, 1_024];
    for (instance, count) in tiny() {
        compare(machine, &instance, count, &blocks);
    }
    for name in ["ta001", "ta051", "ta081", "ta111"] {
        let source = format!("taillard:{name}");
        let instance = formats::open(&source, &formats::LoadOptions::default()).unwrap();
        compare(machine, &instance, 3_000, &blocks);
        println!("equal makespans on the device: {name}");
    }
}

/// A small thing for compute-sanitizer, which makes kernels many times slower: every kernel once.
#[test]
fn cuda_runs_every_kernel_on_a_tiny_instance_of_a_flow_shop() {
    let Some(shared) = cuda() else { return };
    let machine = &mut || {
        shared.clear();
        shared.clone()
    };
    for (instance, count) in tiny() {
        compare(machine, &instance, count, &[64]);
    }
    println!("every kernel ran on the device");
}
