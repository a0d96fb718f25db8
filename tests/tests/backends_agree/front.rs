//! Equal neighbourhoods, archives and trajectories of multi-objective flow shop searches on CPU, emulator and CUDA.

use gridwright_core::backend::Opening;
use gridwright_core::search::Parameters as _;
use gridwright_flowshop::bench::{neighbourhoods, tables};
use gridwright_flowshop::multiobjective::cuda::{Archiving, DeviceChooser, DeviceExplorer};
use gridwright_flowshop::multiobjective::evaluation;
use gridwright_flowshop::multiobjective::exploration::{Admission, Neighbourhood};
use gridwright_flowshop::multiobjective::explorer::{ArchivePoints, CpuExplorer, Explorer, Member as Asked};
use gridwright_flowshop::multiobjective::pls::ParetoSearch;
use gridwright_flowshop::multiobjective::tabu::TabuSearch;
use gridwright_flowshop::multiobjective::{Objectives, ParetoParameters, TabuParameters};
use gridwright_flowshop::{Instance, Objective, Schedule, formats};
use gridwright_kernels::front::{
    Explorer as OnMachine, Known, Member, Neighbours, Purpose, Reference, Shop, Storage, Tuning,
};
use gridwright_kernels::{CudaError, DeviceRuntime, Module};

use super::cuda_emulator::{CudaEmulator, EmulatorConfig, WarpOrder};
use super::support::{Faulty, Path_, cuda, numbered, path, pool};
use gridwright_core::search::{Control, Epochs};

const ORDERS: [WarpOrder; 4] = [WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Shuffled(5), WarpOrder::Eager];

/// Generates a flow shop with due dates that some permutations meet; with `scale` 1 all times have 16 bits.
pub fn made_up(jobs: usize, machines: usize, released: bool, scale: u32) -> Instance {
    let mut state = (jobs * 1_000 + machines) as u64;
    let mut next = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % n) as u32
    };
    let times = (0..jobs * machines).map(|_| scale * if next(7) == 0 { 0 } else { 1 + next(99) }).collect();
    let mut instance = Instance::of_times(&format!("{jobs} × {machines}"), machines, times).unwrap();
    for (number, job) in instance.jobs.iter_mut().enumerate() {
        // Some are never late.
        job.due =
            Some(if number % 5 == 4 { u32::MAX } else { scale * (50 * machines as u32 + next(60 * jobs as u64)) });
        job.release = if released && number % 3 == 0 { scale * next(400) } else { 0 };
    }
    instance.validated().unwrap()
}

/// Awkward sizes: the smallest ones, one machine, warps that are just full or just not, more machines than registers hold, times
/// of 32 bits.
fn tiny() -> Vec<Instance> {
    let sizes =
        [(2, 1, 1), (2, 3, 1), (3, 5, 1), (9, 1, 1), (20, 10, 1), (33, 6, 1), (34, 3, 1), (67, 2, 1), (12, 20, 1)];
    let large = [(7, 21, 1), (5, 40, 1), (12, 4, 900), (35, 3, 900), (4, 70, 900)];
    let of = |(number, (jobs, machines, scale))| made_up(jobs, machines, number % 2 == 1, scale);
    sizes.into_iter().chain(large).enumerate().map(of).collect()
}

pub fn start(config: EmulatorConfig) -> CudaEmulator {
    super::support::start(Module::Front, config)
}

pub fn random_order(jobs: usize, seed: u64) -> Vec<u16> {
    let mut order: Vec<u16> = (0..jobs as u16).collect();
    let mut state = seed;
    for last in (1..jobs).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(last, (state >> 33) as usize % (last + 1));
    }
    order
}

const NEIGHBOURHOODS: [(Neighbourhood, Neighbours); 2] =
    [(Neighbourhood::Insertion, Neighbours::Insertions), (Neighbourhood::Exchange, Neighbours::Exchanges)];

/// Compares the values of every neighbour with a schedule computed from the neighbour itself.
fn compare_values<M: DeviceRuntime>(open: &mut dyn FnMut() -> M, instance: &Instance, blocks: &[u32]) {
    let releases: Vec<u32> = instance.jobs.iter().map(|job| job.release).collect();
    let dues: Vec<u32> = instance.jobs.iter().map(|job| job.due.unwrap_or(u32::MAX)).collect();
    let machines = instance.machine_count() as u32;
    let shop = Shop { machines, times: &instance.times, releases: &releases, dues: &dues };
    let jobs = instance.job_count();
    let orders = [random_order(jobs, 1), random_order(jobs, 2)];
    for (neighbourhood, neighbours) in NEIGHBOURHOODS {
        let values = |order: &Vec<u16>| -> Vec<u32> {
            let of = |id| {
                let schedule = Schedule::new(instance, &neighbourhood.apply(order, id));
                Objective::ALL.map(|objective| schedule.value(instance, objective) as u32)
            };
            (0..neighbourhood.size(jobs)).flat_map(of).collect()
        };
        let expected: Vec<u32> = orders.iter().flat_map(values).collect();
        for storage in Storage::ALL.map(Some) {
            for &block in blocks {
                let runtime = &mut open();
                // So few operations that every block is a launch.
                let tuning = Tuning { block, storage, operations: if block == 32 { 1 } else { 1 << 34 } };
                let what = (neighbours, Purpose::All);
                let mut explorer = OnMachine::new(runtime, &shop, what, &[0, 1, 2, 3], 2, tuning).unwrap();
                let member = |order| Member { order, reference: Reference::Nothing };
                let members: Vec<Member<'_>> = orders.iter().map(|order| member(order)).collect();
                explorer.explore(runtime, &members, Known::NONE).unwrap();
                let found = explorer.values(runtime).unwrap();
                assert_eq!(found, expected, "{}, {neighbourhood:?}, {tuning:?}", instance.name);
            }
        }
    }
}

pub fn pls(instance: &Instance, list: &str, settings: &[(&str, &str)]) -> (Objectives, ParetoParameters) {
    let objectives: Objectives = list.parse().unwrap();
    let mut parameters = ParetoParameters::default();
    settings.iter().for_each(|(name, value)| parameters.set(name, value).unwrap());
    parameters.resolve(objectives.count(), instance.job_count(), instance.machine_count());
    (objectives, parameters)
}

pub fn explorer(instance: &Instance, objectives: &Objectives, parameters: &ParetoParameters) -> CpuExplorer {
    CpuExplorer {
        shop: evaluation::Shop::new(instance),
        objectives: *objectives,
        neighbourhood: Neighbourhood::named(&parameters.neighbourhood),
        admission: Admission::named(&parameters.admission),
        control: Control::new(),
    }
}

/// Digests after every step of Pareto local search, on the CPU or with an explorer on a device.
pub fn pls_path(
    instance: &Instance, of: &(Objectives, ParetoParameters), with: Option<Box<dyn Explorer>>, steps: u32,
) -> Path_ {
    let mut search = ParetoSearch::new(instance, &of.0, &of.1, 3, None, pool(2));
    if let Some(explorer) = with {
        search = search.with_explorer(explorer);
    }
    let path = path(&mut search, steps, 1);
    assert_eq!(search.notes(), Vec::<String>::new());
    path
}

/// Compares all variants of Pareto local search whose exploration differs.
fn compare_pls<M: DeviceRuntime + 'static>(
    open: &mut dyn FnMut() -> M, instance: &Instance, steps: u32, tunings: &[Tuning], archivings: &[Archiving],
) {
    let lists = ["makespan,flowtime,tardiness", "tardy,makespan", "makespan,flowtime,tardiness,tardy"];
    let mut variants = Vec::new();
    for (number, admission) in Admission::NAMES.into_iter().enumerate() {
        for (more, neighbourhood) in Neighbourhood::NAMES.into_iter().enumerate() {
            let list = lists[(number + more) % lists.len()];
            let members = ["1", "3"][more];
            let settings =
                [("start", "random"), ("admission", admission), ("neighbourhood", neighbourhood), ("members", members)];
            variants.push(pls(instance, list, &settings));
        }
    }
    let phases = [("end_steps", "1"), ("weight_steps", "1"), ("divisions", "1"), ("members", "5")];
    variants.push(pls(instance, lists[0], &phases));
    for of in variants {
        let expected = pls_path(instance, &of, None, steps);
        for &tuning in tunings {
            for &archiving in archivings {
                // Room for two of several members: they are explored in parts.
                let cpu = explorer(instance, &of.0, &of.1);
                let device = DeviceExplorer::new(instance, cpu, archiving, 2, numbered([open()]), tuning).unwrap();
                let found = pls_path(instance, &of, Some(Box::new(device)), steps);
                let (name, parameters) = (&instance.name, &of.1);
                assert_eq!(found, expected, "{name}, {archiving:?}, {parameters:?}, {tuning:?}");
            }
        }
    }
}

fn compare_tabu<M: DeviceRuntime + 'static>(
    open: &mut dyn FnMut() -> M, instance: &Instance, steps: u32, tunings: &[Tuning],
) {
    for neighbourhood in Neighbourhood::NAMES {
        // With so long a tenure all moves are tabu after some steps.
        for (list, aspiration, tenure) in [("makespan,flowtime,tardiness", "on", "0"), ("makespan,tardy", "off", "40")]
        {
            let objectives: Objectives = list.parse().unwrap();
            let mut parameters = TabuParameters::default();
            for (name, value) in
                [("neighbourhood", neighbourhood), ("aspiration", aspiration), ("tenure", tenure), ("divisions", "2")]
            {
                parameters.set(name, value).unwrap();
            }
            parameters.resolve(objectives.count(), instance.job_count());
            let start = || TabuSearch::new(instance, &objectives, &parameters, 5, pool(2));
            let expected = path(&mut start(), steps, 1);
            for &tuning in tunings {
                let named = Neighbourhood::named(neighbourhood);
                let device =
                    DeviceChooser::new(instance, named, parameters.aspiration, 4, numbered([open()]), tuning).unwrap();
                let mut search = start().with_chooser(Box::new(device));
                assert_eq!(path(&mut search, steps, 1), expected, "{}, {parameters:?}, {tuning:?}", instance.name);
                assert!(search.notes().is_empty());
            }
        }
    }
}

#[test]
fn neighbourhoods_in_the_emulator_have_the_values_of_their_schedules() {
    for (number, order) in ORDERS.into_iter().enumerate() {
        let architecture = if number % 2 == 0 { 750 } else { 900 };
        for instance in tiny() {
            compare_values(
                &mut || start(EmulatorConfig { order, architecture, ..EmulatorConfig::default() }),
                &instance,
                &[0, 32],
            );
        }
    }
}

#[test]
fn neighbourhoods_in_the_emulator_stay_within_their_memory() {
    let config = EmulatorConfig { sanitized: true, order: WarpOrder::Shuffled(3), ..EmulatorConfig::default() };
    for instance in tiny() {
        compare_values(&mut || start(config), &instance, &[64]);
        compare_pls(&mut || start(config), &instance, 3, &[Tuning::default()], &[Archiving::Device]);
        compare_tabu(&mut || start(config), &instance, 2, &[Tuning::default()]);
    }
}

/// Different assignments of neighbours to threads, one for each order of threads.
fn tunings() -> [(WarpOrder, Tuning, &'static [Archiving]); 4] {
    let both: &[Archiving] = &[Archiving::Device, Archiving::Host];
    let stored = |storage, block| Tuning { storage: Some(storage), block, ..Tuning::default() };
    [
        (ORDERS[0], Tuning::default(), both),
        (ORDERS[1], stored(Storage::ReadOnly, 64), &both[..1]),
        (ORDERS[2], Tuning { operations: 1, ..stored(Storage::Global, 32) }, &both[..1]),
        (ORDERS[3], stored(Storage::Shared, 96), &both[..1]),
    ]
}

#[test]
fn pareto_local_search_in_the_emulator_walks_the_path_of_the_cpu_in_every_order() {
    for (order, tuning, archivings) in tunings() {
        for instance in tiny() {
            compare_pls(
                &mut || start(EmulatorConfig { order, ..EmulatorConfig::default() }),
                &instance,
                7,
                &[tuning],
                archivings,
            );
        }
    }
}

#[test]
fn tabu_search_in_the_emulator_walks_the_path_of_the_cpu_in_every_order() {
    for (order, tuning, _) in tunings() {
        for instance in tiny() {
            compare_tabu(&mut || start(EmulatorConfig { order, ..EmulatorConfig::default() }), &instance, 6, &[tuning]);
        }
    }
}

/// One job has no neighbours, and nothing is asked of a device.
#[test]
fn one_job_is_a_front_on_every_backend() {
    let instance = made_up(1, 4, true, 1);
    let runtime =
        || Faulty { launches_left: 0, reserves_left: 0, free: 0, ..Faulty::sound(start(EmulatorConfig::default())) };
    compare_pls(&mut || runtime(), &instance, 3, &[Tuning::default()], &[Archiving::Device]);
    compare_tabu(&mut || runtime(), &instance, 3, &[Tuning::default()]);
}

/// A device that fails at its n-th launch is replaced by the CPU, with the same numbers and a note.
#[test]
fn a_device_that_is_lost_changes_nothing_but_the_notes() {
    let instance = made_up(20, 5, false, 1);
    let of = pls(&instance, "makespan,flowtime,tardiness", &[("start", "random"), ("members", "2")]);
    let expected = pls_path(&instance, &of, None, 6);
    for launches_left in [0, 1, 2, 7, 11] {
        let runtime = Faulty { launches_left, ..Faulty::sound(start(EmulatorConfig::default())) };
        let cpu = explorer(&instance, &of.0, &of.1);
        let device =
            DeviceExplorer::new(&instance, cpu, Archiving::Device, 2, numbered([runtime]), Tuning::default()).unwrap();
        let mut search = ParetoSearch::new(&instance, &of.0, &of.1, 3, None, pool(1)).with_explorer(Box::new(device));
        assert_eq!(path(&mut search, 6, 1), expected);
        let notes = search.notes();
        // Explorations that were computed ahead launch nothing.
        let said = |number: u32| format!("From exploration {number} on the CPU went on, with the same numbers");
        let numbers = if launches_left < 3 { 0..=0 } else { launches_left / 3..=5 };
        assert!(notes.len() == 1 && numbers.into_iter().any(|number| notes[0].contains(&said(number))), "{notes:?}");
    }
    let objectives: Objectives = "makespan,flowtime".parse().unwrap();
    let mut parameters = TabuParameters::default();
    parameters.resolve(2, 20);
    let start_tabu = || TabuSearch::new(&instance, &objectives, &parameters, 5, pool(1));
    let runtime = Faulty { launches_left: 4, ..Faulty::sound(start(EmulatorConfig::default())) };
    let lost =
        DeviceChooser::new(&instance, Neighbourhood::Insertion, true, 64, numbered([runtime]), Tuning::default())
            .unwrap();
    let mut search = start_tabu().with_chooser(Box::new(lost));
    assert_eq!(path(&mut search, 4, 1), path(&mut start_tabu(), 4, 1));
    assert!(search.notes()[0].contains("From step 1 on"), "{:?}", search.notes());
}

/// Memory is asked for before anything is reserved, and half of what is free is enough for fewer members at once.
#[test]
fn what_cannot_be_held_is_said_before_anything_is_reserved() {
    let instance = made_up(20, 10, false, 1);
    let of = pls(&instance, "makespan,flowtime", &[("start", "random")]);
    let start_with = |free| {
        let runtime = Faulty { launches_left: 9, free, ..Faulty::sound(start(EmulatorConfig::default())) };
        let cpu = explorer(&instance, &of.0, &of.1);
        DeviceExplorer::new(&instance, cpu, Archiving::Device, 64, numbered([runtime]), Tuning::default())
    };
    let error = start_with(1 << 16).err().unwrap().to_string();
    assert!(error.contains("use the CPU"), "{error}");
    assert!(start_with(1 << 22).is_ok());
    let runtime = &mut start(EmulatorConfig::default());
    let shop = Shop { machines: 1, times: &[1 << 20; 5_000], releases: &[0; 5_000], dues: &[u32::MAX; 5_000] };
    let what = (Neighbours::Insertions, Purpose::All);
    let error = OnMachine::new(runtime, &shop, what, &[0], 1, Tuning::default()).unwrap_err();
    assert!(matches!(error, CudaError::LongTimes { .. }), "{error}");
    let shop = Shop { machines: 2, times: &[3, 2, 1, 4], releases: &[0; 2], dues: &[9; 2] };
    let mut explorer = OnMachine::new(runtime, &shop, what, &[0], 1, Tuning::default()).unwrap();
    for order in [&[0, 2][..], &[0], &[0, 1, 1]] {
        let members = [Member { order, reference: Reference::Nothing }];
        assert!(matches!(explorer.explore(runtime, &members, Known::NONE), Err(CudaError::Orders(_))), "{order:?}");
    }
    // The example by hand: 9 and 14 for order 1, 2; 7 and 12, nobody late, for order 2, 1, which both moves lead to.
    explorer.explore(runtime, &[Member { order: &[0, 1], reference: Reference::Nothing }], Known::NONE).unwrap();
    assert_eq!(explorer.values(runtime).unwrap(), [7, 12, 0, 0, 7, 12, 0, 0]);
}

/// An archive that outgrows its memory, is emptied and grows again leaves the same neighbours as on the CPU.
#[test]
fn archives_of_any_size_stand_up_to_neighbours() {
    let instance = made_up(20, 5, false, 1);
    let of = pls(&instance, "makespan,flowtime,tardiness", &[("start", "random")]);
    let mut cpu = explorer(&instance, &of.0, &of.1);
    let emulator = start(EmulatorConfig::default());
    let mut device =
        DeviceExplorer::new(&instance, cpu.clone(), Archiving::Device, 1, numbered([emulator]), Tuning::default())
            .unwrap();
    let shop = evaluation::Shop::new(&instance);
    let member = |seed| {
        let order = random_order(20, seed);
        [Asked { entry: seed, point: of.0.select(&shop.values(&order)), order: order.into() }]
    };
    // Points that cover hardly anything, and then some that cover a lot.
    let archive = |points: u64| (0..points).map(|number| [5_000 - number, number, 90_000, 0]).collect::<Vec<_>>();
    let first = member(1);
    let better = [[first[0].point[0] - 20, 0, 0, 0], [0, first[0].point[1] - 100, 0, 0]];
    let steps: [(Vec<_>, Option<Vec<_>>); 6] = [
        (archive(3), None),
        (archive(5), Some(archive(5)[3..].to_vec())),
        (archive(4_900), Some(archive(4_900)[5..].to_vec())),
        (better.to_vec(), Some(better.to_vec())),
        (better.to_vec(), Some(Vec::new())),
        (Vec::new(), None),
    ];
    for (number, (all, arrivals)) in steps.into_iter().enumerate() {
        let known = ArchivePoints { all: &all, arrivals: arrivals.as_deref(), entries: all.len() as u64 };
        let members = if number == 0 { member(1) } else { member(number as u64) };
        let left = |explorer: &mut dyn Explorer| -> Vec<_> {
            explorer
                .explore(&members, &Vec::new, known)
                .survivors
                .into_iter()
                .flat_map(|part| part.neighbours)
                .collect()
        };
        let (found, expected) = (left(&mut device), left(&mut cpu));
        assert_eq!(found, expected, "archive {number}");
        assert!(device.notes().is_empty());
    }
}

/// The emulator detects missing barriers: kernels without one of their barriers give something else in some order.
#[test]
fn a_missing_barrier_is_seen_in_an_exploration() {
    let instance = made_up(40, 5, false, 1);
    let of = pls(&instance, "makespan,flowtime,tardiness", &[("start", "random")]);
    let expected = pls_path(&instance, &of, None, 4);
    let changes = [
        // Rows are read before they are there.
        ("mixed[at - count];\n        }\n        __syncthreads();", "mixed[at - count];\n        }"),
        // Candidates are compared before they are written.
        ("at[4] = found.number[half];\n    }\n    __syncthreads();", "at[4] = found.number[half];\n    }"),
    ];
    for change in changes {
        let differs = ORDERS.into_iter().any(|order| {
            let runtime = start(EmulatorConfig { order, change: Some(change), ..EmulatorConfig::default() });
            let cpu = explorer(&instance, &of.0, &of.1);
            let tuning = Tuning { block: 128, ..Tuning::default() };
            let device =
                DeviceExplorer::new(&instance, cpu, Archiving::Device, 1, numbered([runtime]), tuning).unwrap();
            let mut search =
                ParetoSearch::new(&instance, &of.0, &of.1, 3, None, pool(1)).with_explorer(Box::new(device));
            path(&mut search, 4, 1) != expected || !search.notes().is_empty()
        });
        assert!(differs, "nothing was seen without {}", change.0);
    }
    // Choices lie over rows that are still read.
    let change = (
        "// The shared memory of the rows is used again.\n    __syncthreads();\n#pragma unroll\n    for (u32 kind",
        "for (u32 kind",
    );
    let mut parameters = TabuParameters::default();
    parameters.resolve(of.0.count(), 40);
    let start_tabu = || TabuSearch::new(&instance, &of.0, &parameters, 5, pool(1));
    let expected = path(&mut start_tabu(), 4, 1);
    let differs = ORDERS.into_iter().any(|order| {
        let runtime = start(EmulatorConfig { order, change: Some(change), ..EmulatorConfig::default() });
        let device =
            DeviceChooser::new(&instance, Neighbourhood::Insertion, true, 64, numbered([runtime]), Tuning::default());
        path(&mut start_tabu().with_chooser(Box::new(device.unwrap())), 4, 1) != expected
    });
    assert!(differs, "nothing was seen without the barrier before choices");
}

/// The measurements of both benchmarks, with the emulator as the device: they compare all digests and archives with the CPU's.
#[test]
fn the_benchmarks_measure_every_kind_of_memory_and_archiving() {
    let instance = formats::open("taillard:ta011", &formats::LoadOptions::default()).unwrap();
    let opening = || Opening { name: "emulator".to_owned(), open: Box::new(|| start(EmulatorConfig::default())) };
    let effort = neighbourhoods::Effort { seconds: 0.0, steps: 4, members: 3 };
    let instances = [instance];
    let report = neighbourhoods::measure(&instances, 2, &mut [opening()], effort, &mut |_| {}).unwrap();
    let on: Vec<&str> = report.rows.iter().map(|row| row[1].as_str()).collect();
    let device = [
        "emulator, explore_10_shared", "emulator, explore_10_read_only", "emulator, explore_10_global",
        "emulator, archiving on the CPU",
    ];
    assert_eq!(on[3..], [device, device].concat());
    let scope = tables::Scope { iterations: 5, threads: 2, searches: &[] };
    let report = tables::measure(&instances, scope, Some(&mut opening()), &mut |_| {}).unwrap();
    assert_eq!(report.rows.len(), 3);
    for (number, row) in report.rows.iter().enumerate() {
        let empty = row.iter().filter(|cell| cell.is_empty()).count();
        assert_eq!((row.len(), empty), (report.columns.len(), usize::from(number == 0)), "{row:?}");
    }
}

/// Compares CUDA with the CPU: tiny to published sizes, every kernel and kind of memory.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu_from_neighbourhood_to_front() {
    let shared = cuda();
    let runtime = &mut || {
        shared.clear();
        shared.clone()
    };
    let both = [Archiving::Device, Archiving::Host];
    let stored = |storage| Tuning { storage: Some(storage), ..Tuning::default() };
    let tunings = [Tuning::default(), stored(Storage::ReadOnly), Tuning { block: 64, ..stored(Storage::Global) }];
    for instance in tiny() {
        compare_values(runtime, &instance, &[0, 32, 64, 256, 512]);
        compare_pls(runtime, &instance, 12, &tunings, &both);
        compare_tabu(runtime, &instance, 12, &tunings);
    }
    for (name, steps) in [("ta011", 40), ("ta051", 20), ("ta081", 8), ("ta101", 5), ("ta111", 2)] {
        let instance = formats::open(&format!("taillard:{name}"), &formats::LoadOptions::default()).unwrap();
        compare_pls(runtime, &instance, steps, &tunings, &both);
        compare_tabu(runtime, &instance, steps, &tunings[..1]);
        println!("equal fronts on the device: {name}");
    }
}

/// Runs every kernel once on small instances, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance_of_a_neighbourhood() {
    let shared = cuda();
    let runtime = &mut || {
        shared.clear();
        shared.clone()
    };
    for instance in tiny() {
        compare_values(runtime, &instance, &[64]);
        compare_pls(runtime, &instance, 2, &[Tuning::default()], &[Archiving::Device]);
        compare_tabu(runtime, &instance, 2, &[Tuning::default()]);
    }
    println!("every kernel ran on the device");
}
