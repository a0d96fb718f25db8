//! Equal populations of the hybrid evolutionary algorithm on CPU, emulator and CUDA.

use gridwright_core::search::{Construction, Epochs};
use gridwright_kernels::evolution::{Sum, Tuning, Worker};
use gridwright_kernels::{DeviceRuntime, Module, SharedCuda};
use gridwright_timetabling::Instance;
use gridwright_timetabling::bench::tables;
use gridwright_timetabling::evolution::cpu::CpuEvolution;
use gridwright_timetabling::evolution::cuda::{DeviceEvolution, DeviceOptions, PhaseKernels};
use gridwright_timetabling::evolution::{Evaluator, EvolutionParameters};
use gridwright_timetabling::formats::{LoadOptions, open};

use super::cuda_emulator::{CudaEmulator, EmulatorConfig, WarpOrder};
use super::support::*;

fn start(config: EmulatorConfig) -> CudaEmulator {
    super::support::start(Module::Evolution, config)
}

/// Digest, best, mean and worst after every generation, from the first population on.
fn path<E: Epochs>(search: &mut E, generations: u32) -> Path_ {
    super::support::path(search, generations, 1)
}

/// Tiny instances with every awkward size: one exam, no conflicts, one period, no multiple of four, a pair and a single.
fn tiny() -> Vec<(Instance, u32)> {
    vec![
        (made_up(1, 3, 1), 2),
        (made_up(9, 1, 12), 5),
        (made_up(23, 7, 60), 13),
        (made_up(40, 34, 200), 8),
        (made_up(33, 255, 90), 6),
    ]
}

fn parameters(population: u32) -> EvolutionParameters {
    EvolutionParameters { population, constructed: population / 2, mutation: 0.03, ..EvolutionParameters::default() }
}

fn cpu_path(
    instance: &Instance, parameters: &EvolutionParameters, seed: u64, generations: u32, threads: usize,
) -> Path_ {
    path(
        &mut CpuEvolution::new(instance, parameters, seed, pool(threads), &Construction::unlimited()).unwrap(),
        generations,
    )
}

fn device<M: DeviceRuntime>(
    runtime: M, instance: &Instance, parameters: &EvolutionParameters, seed: u64, options: DeviceOptions,
) -> DeviceEvolution<M> {
    DeviceEvolution::new(instance, parameters, seed, pool(0), runtime, options, &Construction::unlimited()).unwrap()
}

/// Published variants: evaluation by chromosome and by exam, three forms of the conflict matrix, reproduction in one and two kernels.
fn stagings() -> Vec<PhaseKernels> {
    let sums = [Sum::Full, Sum::Sparse, Sum::HalfSparse];
    sums.into_iter()
        .flat_map(|sum| [(sum, Worker::Chromosome, false), (sum, Worker::Exam, true)])
        .map(|(sum, worker, in_two)| PhaseKernels { sum, worker, in_two })
        .collect()
}

/// Compares every tuning and variant for one instance with the reference.
fn compare<M: DeviceRuntime>(
    runtime: &mut dyn FnMut() -> M, instance: &Instance, parameters: &EvolutionParameters, seed: u64, generations: u32,
    tunings: &[Tuning],
) {
    // The full matrix is laid out only where an evaluation asks for it.
    let full = EvolutionParameters { evaluator: Evaluator::FullByExam, ..parameters.clone() };
    let reference = cpu_path(instance, &full, seed, generations, 1);
    for &tuning in tunings {
        let options = DeviceOptions { tuning, ..DeviceOptions::default() };
        let fused = path(&mut device(runtime(), instance, parameters, seed, options), generations);
        assert_eq!(fused, reference, "{} exams, seed {seed}, fused, {tuning:?}", instance.exam_count());
    }
    // What is demanded beyond «no clashes» is known to the whole generation only.
    for phase_kernels in if instance.is_restricted() { Vec::new() } else { stagings() } {
        let tuning = tunings.first().copied().unwrap_or_default();
        let options = DeviceOptions { phase_kernels: Some(phase_kernels), tuning, ..DeviceOptions::default() };
        let stages = path(&mut device(runtime(), instance, &full, seed, options), generations);
        assert_eq!(stages, reference, "{} exams, seed {seed}, {phase_kernels:?}", instance.exam_count());
    }
}

#[test]
fn any_number_of_threads_gives_the_same_path() {
    for (instance, population) in tiny() {
        for seed in SEEDS {
            let reference = cpu_path(&instance, &parameters(population), seed, 6, 1);
            for threads in [2, 8] {
                assert_eq!(cpu_path(&instance, &parameters(population), seed, 6, threads), reference);
            }
        }
    }
}

#[test]
fn the_kernels_in_the_emulator_walk_the_path_of_the_cpu_in_every_order() {
    let tunings = [(32, 64), (8, 64), (16, 128), (4, 64)].map(|(lanes, block)| Tuning { lanes, block, global: false });
    let tunings = [&tunings[..], &[Tuning { lanes: 0, block: 64, global: true }]].concat();
    let orders = [WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Shuffled(7), WarpOrder::Eager];
    let cases = [(SEEDS[0], 750), (SEEDS[1], 800), (SEEDS[3], 750), (SEEDS[4], 800)];
    for (order, (seed, architecture)) in orders.into_iter().zip(cases) {
        for (instance, population) in tiny() {
            let config = EmulatorConfig { order, architecture, ..EmulatorConfig::default() };
            compare(&mut || start(config), &instance, &parameters(population), seed, 3, &tunings);
        }
    }
}

#[test]
fn the_kernels_in_the_emulator_stay_within_their_memory() {
    let config = EmulatorConfig { sanitized: true, order: WarpOrder::Shuffled(3), ..EmulatorConfig::default() };
    let tunings = [(32, 64), (8, 128)].map(|(lanes, block)| Tuning { lanes, block, global: false });
    for (instance, population) in tiny() {
        compare(&mut || start(config), &instance, &parameters(population), 4, 2, &tunings);
    }
    // More than 512 exams: an evaluation exam by exam takes two blocks and an atomic sum.
    let large = made_up(530, 11, 700);
    compare(&mut || start(config), &large, &parameters(3), 4, 1, &[Tuning { lanes: 32, block: 64, global: true }]);
}

/// Many exams get at least sixteen lanes, whose genes take several rounds.
#[test]
fn many_exams_agree_in_the_emulator() {
    let (instance, parameters) = (made_up(1_030, 11, 1_300), parameters(3));
    let tunings = [16, 32].map(|lanes| Tuning { lanes, block: 64, global: false });
    let reference = cpu_path(&instance, &parameters, 6, 1, 2);
    for tuning in [&tunings[..], &[Tuning::default()]].concat() {
        let options = DeviceOptions { tuning, ..DeviceOptions::default() };
        let mut search = device(start(EmulatorConfig::default()), &instance, &parameters, 6, options);
        let lanes = search.layout().unwrap().lanes;
        assert!(lanes >= 16 && (tuning.lanes == 0 || lanes == tuning.lanes), "{lanes}");
        assert_eq!(path(&mut search, 1), reference, "{tuning:?}");
    }
}

#[test]
fn five_seeds_of_a_shipped_sample_walk_the_same_path_in_the_emulator() {
    let school = open("sample:school", &LoadOptions::default()).unwrap();
    let parameters = EvolutionParameters { tournament: 5, ..parameters(16) };
    for seed in SEEDS {
        for instance in [&school, &without_demands(school.clone())] {
            let reference = cpu_path(instance, &parameters, seed, 8, 1);
            let runtime = start(EmulatorConfig { order: WarpOrder::Shuffled(seed), ..EmulatorConfig::default() });
            assert_eq!(path(&mut device(runtime, instance, &parameters, seed, DeviceOptions::default()), 8), reference);
        }
    }
}

#[test]
fn rules_seats_and_prices_agree() {
    let tunings = [(8, 64), (32, 64)].map(|(lanes, block)| Tuning { lanes, block, global: false });
    let tunings = [&tunings[..], &[Tuning { lanes: 0, block: 64, global: true }]].concat();
    let orders = [WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Shuffled(5)];
    for (order, seed) in orders.into_iter().zip(SEEDS) {
        let config = EmulatorConfig { order, sanitized: order == WarpOrder::Shuffled(5), ..EmulatorConfig::default() };
        for instance in under_demands(&made_up(23, 7, 60)) {
            compare(&mut || start(config), &instance, &parameters(9), seed, 4, &tunings);
        }
    }
}

/// Crossover never and always, no mutation, mutation of every gene, no descent, tournaments of one.
#[test]
fn extreme_parameters_agree() {
    let (instance, population) = (made_up(18, 6, 50), 7);
    let base = parameters(population);
    for changed in [
        EvolutionParameters { crossover: 0.0, mutation: 0.0, ..base.clone() },
        EvolutionParameters { crossover: 1.0, mutation: 1.0, descent: false, ..base.clone() },
        EvolutionParameters { tournament: 1, ..base.clone() },
        EvolutionParameters { population: 2, constructed: 0, tournament: 9, ..base.clone() },
    ] {
        let reference = cpu_path(&instance, &changed, 5, 5, 1);
        let mut search = device(start(EmulatorConfig::default()), &instance, &changed, 5, DeviceOptions::default());
        assert_eq!(path(&mut search, 5), reference, "{changed:?}");
    }
}

/// The emulator detects missing barriers: a kernel without one of its barriers gives another path in some order.
#[test]
fn a_missing_barrier_is_seen() {
    let (instance, parameters) = (made_up(23, 7, 60), parameters(13));
    let reference = cpu_path(&instance, &parameters, 1, 3, 1);
    let changes = [
        // Parents are read before the neighbouring group has found them.
        (
            "        if (lane == 0) podiums[group] = podium;\n    }\n    __syncthreads();",
            "        if (lane == 0) podiums[group] = podium;\n    }",
        ),
        // Costs of periods are read before all lanes have added their students.
        ("cleared[cell] = 0;\n        __syncwarp();", "cleared[cell] = 0;"),
        // The record leaves the block before all groups have added to it.
        (
            "add_to_record(block, individual, cost, digest);\n    }\n    __syncthreads();",
            "add_to_record(block, individual, cost, digest);\n    }",
        ),
    ];
    for change in changes {
        let orders = [WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Shuffled(1)];
        let differs = orders.into_iter().any(|order| {
            let runtime = start(EmulatorConfig { order, change: Some(change), ..EmulatorConfig::default() });
            let options =
                DeviceOptions { tuning: Tuning { lanes: 32, block: 64, global: false }, ..DeviceOptions::default() };
            path(&mut device(runtime, &instance, &parameters, 1, options), 3) != reference
        });
        assert!(differs, "without {:?} every order gives the right path", change.0);
    }
}

#[test]
fn a_lost_device_hands_over_to_the_cpu_with_the_same_numbers() {
    let (instance, parameters) = (made_up(23, 7, 60), parameters(13));
    let reference = cpu_path(&instance, &parameters, 9, 12, 1);
    for launches_left in [2, 3, 7, 11] {
        let runtime = Faulty { launches_left, ..Faulty::sound(start(EmulatorConfig::default())) };
        let mut search =
            device(runtime, &instance, &parameters, 9, DeviceOptions { ahead: 3, ..DeviceOptions::default() });
        assert_eq!(path(&mut search, 12), reference, "lost after {launches_left} launches");
        assert!(search.on_cpu() && search.notes().len() == 1, "{:?}", search.notes());
        assert!(search.notes()[0].contains("injected") && search.notes()[0].contains("same numbers"));
    }
}

#[test]
fn what_does_not_fit_is_said_before_the_start() {
    let (instance, parameters) = (made_up(23, 7, 60), parameters(13));
    let refused = |free, reserves_left| {
        let runtime =
            Faulty { launches_left: 9, reserves_left, free, ..Faulty::sound(start(EmulatorConfig::default())) };
        DeviceEvolution::new(
            &instance,
            &parameters,
            1,
            pool(1),
            runtime,
            DeviceOptions::default(),
            &Construction::unlimited(),
        )
        .err()
        .unwrap()
    };
    for error in [refused(1_000, 99), refused(1 << 30, 3)] {
        assert!(error.to_string().contains("smaller population"), "{error}");
    }
}

/// Compares CUDA with the CPU: tiny to real instances, five seeds, every block size and number of lanes.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu() {
    let shared = cuda();
    let mut tunings = Vec::new();
    for block in [64, 128, 256] {
        tunings.extend([4, 8, 16, 32].map(|lanes| Tuning { lanes, block, global: false }));
        tunings.push(Tuning { lanes: 0, block, global: true });
    }
    let runtime = &mut || {
        shared.clear();
        shared.clone()
    };
    for (instance, population) in tiny() {
        for seed in SEEDS {
            compare(runtime, &instance, &parameters(population), seed, 4, &tunings);
        }
    }
    for instance in under_demands(&made_up(23, 7, 60)) {
        for seed in SEEDS {
            compare(runtime, &instance, &parameters(33), seed, 4, &tunings);
        }
    }
    for (source, instance, seeds) in real() {
        for &seed in seeds {
            let parameters = EvolutionParameters { constructed: 8, ..parameters(64) };
            compare(runtime, &instance, &parameters, seed, 3, &tunings);
        }
        if instance.is_restricted() {
            let (free, few) =
                (without_demands(instance.clone()), EvolutionParameters { constructed: 8, ..parameters(64) });
            compare(runtime, &free, &few, SEEDS[0], 3, &tunings);
        }
        println!("equal paths on the device: {source}, {} exams, {} seeds", instance.exam_count(), seeds.len());
    }
}

/// Runs every kernel once on small instances, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance() {
    let shared = cuda();
    let tunings = [(32, 64), (8, 64), (16, 128), (4, 64)].map(|(lanes, block)| Tuning { lanes, block, global: false });
    let tunings = [&tunings[..], &[Tuning { lanes: 0, block: 64, global: true }]].concat();
    let runtime = &mut || {
        shared.clear();
        shared.clone()
    };
    for (instance, population) in tiny() {
        compare(runtime, &instance, &parameters(population), 1, 2, &tunings);
    }
    for instance in under_demands(&made_up(23, 7, 60)) {
        compare(runtime, &instance, &parameters(9), 2, 2, &tunings);
    }
    compare(runtime, &made_up(530, 11, 700), &parameters(3), 4, 1, &tunings[..1]);
    println!("every kernel ran on the device");
}

/// The published tables in the emulator: all cells are there, and a kernel that errs ends the measurement.
#[test]
fn the_published_tables_are_measured_on_a_device_and_compared() {
    let emulator = |config| SharedCuda::new(start(config));
    let measured = |runtime| tables::measure(&[made_up(23, 7, 60)], &[13], 2, 2, &[runtime], &mut |_| {});
    let reports = measured(emulator(EmulatorConfig::default())).unwrap();
    let [evaluation, generation, apart] = reports.as_slice() else { panic!("three tables") };
    for (report, published) in [(evaluation, true), (generation, true), (apart, false)] {
        let row = report.rows.last().unwrap();
        assert_eq!((row.len(), row[2].as_str()), (report.columns.len(), "cuda:0"));
        let cells = &row[3..row.len() - usize::from(published)];
        assert!(cells.iter().all(|cell| cell.parse::<f64>().is_ok()), "{row:?}");
    }
    let change = Some(("sum >> twice", "(sum >> twice) + 1"));
    let wrong = measured(emulator(EmulatorConfig { change, ..EmulatorConfig::default() })).unwrap_err();
    assert!(wrong.to_string().contains("another population or other costs"), "{wrong}");
}
