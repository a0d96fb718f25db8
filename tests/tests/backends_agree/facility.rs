//! Equal annealing stages and generations of facility layouts on CPU, emulator and CUDA.

use gridwright_core::search::{Construction, Epochs};
use gridwright_facility::genetic::cpu::CpuGenetic;
use gridwright_facility::genetic::cuda::DeviceGenetic;
use gridwright_facility::genetic::{Genetic, GeneticBackend, GeneticParameters, Seeding, first_individuals};
use gridwright_facility::islands::orientations;
use gridwright_facility::memetic::cpu::CpuAnnealing;
use gridwright_facility::memetic::cuda::DeviceAnnealing;
use gridwright_facility::memetic::{AnnealingBackend, Cycles, Memetic, MemeticParameters, prepared};
use gridwright_facility::{Department, Distance, Instance, Limit, Lock, library};
use gridwright_kernels::facility::Tuning;
use gridwright_kernels::{DeviceRuntime, Module};

use super::cuda_emulator::{CudaEmulator, EmulatorConfig, WarpOrder};
use super::support::{SEEDS, cuda, pool};

/// Generates departments of all sizes with flow between some pairs.
fn made_up(departments: usize, share: u64, limit: Limit) -> Instance {
    let mut state = departments as u64;
    let mut next = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut total = 0.0;
    let all = (0..departments).map(|at| {
        let area = (1 + next(30)) as f64 / 4.0;
        total += area;
        Department { name: format!("D{at}"), area, limit: if at % 5 == 4 { Limit::None } else { limit }, dummy: false }
    });
    let all: Vec<Department> = all.collect();
    let flow = |at: usize, word: u64| if at / departments < at % departments && word < share { word + 1 } else { 0 };
    let flows = (0..departments * departments).map(|at| flow(at, next(10)) as f64).collect();
    let side = f64::sqrt(total);
    let instance = Instance {
        name: format!("{departments} departments"),
        width: side * 1.25 + 1.0,
        height: side,
        departments: all,
        flows,
        ..Instance::default()
    };
    instance.validated().unwrap()
}

/// Awkward sizes: one bay's worth, lanes that are just full or just not, few and many flows, every kind of limit and rule.
fn tiny() -> Vec<Instance> {
    let mut ruled = made_up(12, 4, Limit::Aspect(3.0));
    ruled.rules.locks =
        vec![Lock { department: 3, bay: 1, place: Some(0) }, Lock { department: 7, bay: 0, place: None }];
    ruled.rules.apart = vec![(0, 1), (5, 9)];
    let mut euclidean = made_up(16, 9, Limit::MinSide(0.8));
    euclidean.distance = Distance::Euclidean;
    let mut few = made_up(17, 2, Limit::Range(0.4, 2.2));
    few.distance = Distance::Euclidean;
    vec![
        made_up(2, 9, Limit::Aspect(4.0)),
        made_up(5, 9, Limit::Aspect(2.0)),
        ruled,
        euclidean,
        few,
        made_up(33, 2, Limit::Aspect(4.0)),
        made_up(40, 8, Limit::None),
    ]
}

fn walking(seed_islands: u32) -> MemeticParameters {
    MemeticParameters {
        islands: seed_islands,
        individuals: 3,
        generations: 2,
        leg: 1,
        interval: 1,
        ..Default::default()
    }
}

fn breeding(seeding: Seeding, tournament: u32) -> GeneticParameters {
    GeneticParameters {
        islands: 4,
        individuals: 11,
        mutation: 0.4,
        interval: 2,
        rate: 3,
        tournament,
        seeding,
        ..GeneticParameters::default()
    }
}

fn memetic<W: AnnealingBackend>(
    instance: &Instance, parameters: &MemeticParameters, seed: u64,
    walk: impl FnOnce(&(std::sync::Arc<[gridwright_facility::evaluation::Problem]>, f64), Vec<usize>) -> W,
) -> Memetic<W> {
    let ready = prepared(instance, seed);
    let islands = orientations(parameters.islands as usize, None).into_iter().map(|one| one as usize).collect();
    let walk = walk(&ready, islands);
    Memetic::new(walk, ready, parameters, Cycles::new(parameters, &[], None), None, None, seed).unwrap()
}

/// Digests after every step of two cycles.
fn digests(search: &mut impl Epochs, steps: u32, each: u32) -> Vec<u64> {
    let mut digests = vec![search.snapshot().unwrap().digest];
    for _ in 0..steps / each {
        search.advance(each).unwrap();
        digests.push(search.snapshot().unwrap().digest);
    }
    digests
}

fn memetic_on_cpu(instance: &Instance, seed: u64, threads: usize, steps: u32) -> Vec<u64> {
    let parameters = walking(3);
    let walk = |ready: &_, islands| CpuAnnealing::new(ready, &parameters, islands, seed, pool(threads));
    digests(&mut memetic(instance, &parameters, seed, walk), steps, 1)
}

fn memetic_on<M: DeviceRuntime + Send>(runtime: M, instance: &Instance, seed: u64, block: u32, steps: u32) -> Vec<u64> {
    let parameters = walking(3);
    let walk = |ready: &_, islands: Vec<usize>| {
        DeviceAnnealing::new(runtime, ready, &parameters, &islands, seed, Tuning { block }).unwrap()
    };
    digests(&mut memetic(instance, &parameters, seed, walk), steps, 1)
}

fn genetic<B: GeneticBackend>(
    instance: &Instance, parameters: &GeneticParameters, seed: u64, generations: u32,
    breed: impl FnOnce(std::sync::Arc<[gridwright_facility::evaluation::Problem]>) -> B,
) -> Vec<u64> {
    let (problems, unit) = prepared(instance, seed);
    let islands = orientations(parameters.islands as usize, None);
    let first =
        first_individuals(instance, &problems, parameters, &islands, seed, &pool(1), &Construction::unlimited());
    let breed = breed(problems);
    digests(&mut Genetic::new(breed, &first, unit, parameters, islands).unwrap(), generations, 1)
}

fn genetic_on_cpu(instance: &Instance, parameters: &GeneticParameters, seed: u64, threads: usize) -> Vec<u64> {
    let islands = orientations(parameters.islands as usize, None);
    genetic(instance, parameters, seed, 5, |problems| {
        CpuGenetic::new(problems, parameters, islands, seed, pool(threads))
    })
}

fn genetic_on<M: DeviceRuntime + Send>(
    runtime: M, instance: &Instance, parameters: &GeneticParameters, seed: u64, block: u32,
) -> Vec<u64> {
    let islands = orientations(parameters.islands as usize, None);
    genetic(instance, parameters, seed, 5, |problems| {
        DeviceGenetic::new(runtime, &problems, parameters, &islands, seed, Tuning { block }).unwrap()
    })
}

fn start(config: EmulatorConfig) -> CudaEmulator {
    super::support::start(Module::Facility, config)
}

#[test]
fn annealing_in_the_emulator_agrees_in_every_order() {
    for (number, instance) in tiny().into_iter().enumerate() {
        let expected = memetic_on_cpu(&instance, 5, 1, 4);
        assert_eq!(memetic_on_cpu(&instance, 5, 3, 4), expected, "{}", instance.name);
        let orders = [WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Shuffled(7), WarpOrder::Eager];
        let config = EmulatorConfig { order: orders[number % 4], ..EmulatorConfig::default() };
        let block = [32, 64, 128][number % 3];
        assert_eq!(memetic_on(start(config), &instance, 5, block, 4), expected, "{}, {config:?}", instance.name);
    }
}

#[test]
fn annealing_in_the_emulator_stays_within_its_memory() {
    for instance in [&tiny()[2], &tiny()[4]] {
        let config = EmulatorConfig { sanitized: true, order: WarpOrder::Shuffled(3), ..EmulatorConfig::default() };
        let expected = memetic_on_cpu(instance, 8, 2, 1);
        assert_eq!(memetic_on(start(config), instance, 8, 64, 1), expected, "{}", instance.name);
    }
}

#[test]
fn generations_in_the_emulator_agree_in_every_order() {
    let orders = [WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Shuffled(7), WarpOrder::Eager];
    for (number, instance) in tiny().into_iter().enumerate() {
        let parameters = breeding(Seeding::ALL[number % 3], 1 + number as u32 % 4);
        let expected = genetic_on_cpu(&instance, &parameters, 6, 1);
        assert_eq!(genetic_on_cpu(&instance, &parameters, 6, 3), expected, "{}", instance.name);
        for order in orders {
            let config =
                EmulatorConfig { order, sanitized: order == WarpOrder::Descending, ..EmulatorConfig::default() };
            let found = genetic_on(start(config), &instance, &parameters, 6, [64, 128, 256][number % 3]);
            assert_eq!(found, expected, "{}, {config:?}", instance.name);
        }
    }
}

/// The emulator detects missing barriers: kernels without one of their barriers give other values in some order.
#[test]
fn a_missing_barrier_is_seen() {
    let instance = made_up(33, 2, Limit::Aspect(4.0));
    let parameters = breeding(Seeding::Own, 2);
    let expected = genetic_on_cpu(&instance, &parameters, 6, 1);
    let changes = [
        // Bays are placed before all widths are known.
        (
            "room.width[bay] = area / tables.lengths[orientation];\n    }\n    __syncwarp();",
            "room.width[bay] = area / tables.lengths[orientation];\n    }",
        ),
        // Flows are counted before everybody has a place.
        ("room.broken[bay] = violated;\n    }\n    __syncwarp();", "room.broken[bay] = violated;\n    }"),
    ];
    for change in changes {
        let differs = [WarpOrder::Eager, WarpOrder::Descending, WarpOrder::Shuffled(1)].into_iter().any(|order| {
            let runtime = start(EmulatorConfig { order, change: Some(change), ..EmulatorConfig::default() });
            genetic_on(runtime, &instance, &parameters, 6, 64) != expected
        });
        assert!(differs, "nothing was seen without {}", change.0);
    }
}

/// Compares CUDA with the CPU: tiny to generated sizes, five seeds, every block.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu_with_layouts() {
    let open = cuda;
    for instance in tiny() {
        for seed in SEEDS {
            let expected = memetic_on_cpu(&instance, seed, 8, 12);
            for block in [64, 128, 256] {
                assert_eq!(memetic_on(open(), &instance, seed, block, 12), expected, "{}, {block}", instance.name);
            }
            for seeding in Seeding::ALL {
                let parameters = breeding(seeding, 2);
                let expected = genetic_on_cpu(&instance, &parameters, seed, 8);
                let found = genetic_on(open(), &instance, &parameters, seed, 128);
                assert_eq!(found, expected, "{}, {seeding:?}", instance.name);
            }
        }
    }
    let instance = library::generated("F120").unwrap();
    let parameters = GeneticParameters { islands: 16, individuals: 128, ..GeneticParameters::default() };
    assert_eq!(genetic_on(open(), &instance, &parameters, 1, 0), genetic_on_cpu(&instance, &parameters, 1, 8));
    assert_eq!(memetic_on(open(), &instance, 1, 0, 6), memetic_on_cpu(&instance, 1, 8, 6));
}

/// Runs every kernel once on small instances, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance_of_a_plant() {
    let runtime = cuda();
    let instance = &tiny()[2];
    assert_eq!(memetic_on(runtime, instance, 5, 64, 2), memetic_on_cpu(instance, 5, 1, 2));
    let runtime = cuda();
    let parameters = breeding(Seeding::Renewed, 3);
    assert_eq!(genetic_on(runtime, instance, &parameters, 6, 64), genetic_on_cpu(instance, &parameters, 6, 1));
}
