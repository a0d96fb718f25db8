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

use super::agreement::*;
use super::cuda_emulator::{Changed, EmulatorConfig, WarpOrder};
use super::support::*;

struct Run {
    instance: Instance,
    parameters: EvolutionParameters,
    seed: u64,
    generations: u32,
}

impl Run {
    fn new(instance: Instance, parameters: EvolutionParameters, seed: u64, generations: u32) -> Self {
        Self { instance, parameters, seed, generations }
    }

    /// The run with these tunings and, for the first one, the published variants.
    fn with(mut self, tunings: &[Tuning]) -> Compared<Self> {
        // The full matrix is laid out only where an evaluation asks for it.
        self.parameters.evaluator = Evaluator::FullByExam;
        let fused = tunings.iter().map(|&tuning| DeviceOptions { tuning, ..DeviceOptions::default() });
        let mut options: Vec<DeviceOptions> = fused.collect();
        // What is demanded beyond «no clashes» is known to the whole generation only.
        if !self.instance.is_restricted() {
            let phases = |kernels| DeviceOptions { phase_kernels: Some(kernels), ..options[0] };
            options.extend(stagings().into_iter().map(phases).collect::<Vec<_>>());
        }
        (self, options)
    }

    fn device<M: DeviceRuntime>(
        &self, runtime: M, options: DeviceOptions,
    ) -> Result<DeviceEvolution<M>, Box<dyn std::error::Error>> {
        let evaluator =
            options.phase_kernels.map_or(EvolutionParameters::default().evaluator, |_| self.parameters.evaluator);
        let parameters = EvolutionParameters { evaluator, ..self.parameters.clone() };
        let construction = Construction::unlimited();
        Ok(DeviceEvolution::new(&self.instance, &parameters, self.seed, pool(0), runtime, options, &construction)?)
    }
}

impl Case for Run {
    const MODULE: Module = Module::Evolution;
    type Tuning = DeviceOptions;
    type Trace = Path_;

    fn describe(&self) -> String {
        format!("{} exams, seed {}, {:?}", self.instance.exam_count(), self.seed, self.parameters)
    }

    fn on_cpu(&self, threads: usize) -> Self::Trace {
        let construction = Construction::unlimited();
        let search = CpuEvolution::new(&self.instance, &self.parameters, self.seed, pool(threads), &construction);
        path(&mut search.unwrap(), self.generations, 1)
    }

    fn on_device<M: Device>(&self, runtime: M, options: Self::Tuning) -> Answer<Self::Trace> {
        let mut search = failing_over(self.device(runtime, options)?);
        let trace = path(&mut search, self.generations, 1);
        Ok(OnDevice { trace, notes: texts(&search.device_notes()), has_failed_over: search.device().is_none() })
    }
}

#[test]
fn any_number_of_threads_gives_the_same_path() {
    compare_threads(tiny_runs(6));
}

#[test]
fn the_kernels_in_the_emulator_give_the_values_of_the_cpu_in_every_order() {
    let cases = [(SEEDS[0], 750), (SEEDS[1], 800), (SEEDS[3], 750), (SEEDS[4], 800)];
    let cases = ORDERS.into_iter().zip(cases).flat_map(|(order, (seed, architecture))| {
        let config = EmulatorConfig { architecture, ..in_order(order) };
        let run = move |(instance, population)| Run::new(instance, parameters(population), seed, 3);
        tiny().into_iter().map(move |case| (config, run(case).with(&layouts())))
    });
    compare_emulated(cases);
}

#[test]
fn the_kernels_in_the_emulator_stay_within_their_memory() {
    let tunings = [(32, 64), (8, 128)].map(|(lanes, block)| Tuning { lanes, block, global: false });
    let tiny = tiny()
        .into_iter()
        .map(|(instance, population)| (sanitized(), Run::new(instance, parameters(population), 4, 2).with(&tunings)));
    // More than 512 exams: an evaluation exam by exam takes two blocks and an atomic sum.
    let large = Run::new(made_up(530, 11, 700), parameters(3), 4, 1);
    compare_emulated(tiny.chain([(sanitized(), large.with(&[Tuning { lanes: 32, block: 64, global: true }]))]));
}

#[test]
fn a_missing_barrier_is_detected() {
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
    let tuning = Tuning { lanes: 32, block: 64, global: false };
    let options = DeviceOptions { tuning, ..DeviceOptions::default() };
    let run = || Run::new(made_up(23, 7, 60), parameters(13), 1, 3);
    detect_changes(changes.map(|change| (run(), options, change)), EmulatorConfig::default());
}

#[test]
fn a_lost_device_hands_over_to_the_cpu_with_the_same_numbers() {
    let run = Run::new(made_up(23, 7, 60), parameters(13), 9, 12);
    for launches in [2, 3, 7, 11] {
        survive_loss(&run, DeviceOptions { ahead: 3, ..DeviceOptions::default() }, launches, false);
    }
}

#[test]
fn what_a_device_cannot_hold_is_said_before_the_start() {
    let run = Run::new(made_up(23, 7, 60), parameters(13), 1, 1);
    for (free, reserves_left) in [(1_000, 99), (1 << 30, 3)] {
        refuse(&run, free, reserves_left, &["smaller population"]);
    }
}

/// Tiny to published cases, every tuning.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu() {
    let mut tunings = Vec::new();
    for block in [64, 128, 256] {
        tunings.extend([4, 8, 16, 32].map(|lanes| Tuning { lanes, block, global: false }));
        tunings.push(Tuning { lanes: 0, block, global: true });
    }
    let ruled = under_demands(&made_up(23, 7, 60)).into_iter();
    let ruled = ruled.flat_map(|instance| SEEDS.map(|seed| Run::new(instance.clone(), parameters(33), seed, 4)));
    let published = real().into_iter().flat_map(|(_, instance, seeds)| {
        let run =
            |instance, seed| Run::new(instance, EvolutionParameters { constructed: 8, ..parameters(64) }, seed, 3);
        let free = instance.is_restricted().then(|| run(without_demands(instance.clone()), SEEDS[0]));
        let seeded = seeds.iter().map(move |&seed| run(instance.clone(), seed));
        seeded.chain(free)
    });
    compare_on_cuda(tiny_runs(4).into_iter().chain(ruled).chain(published).map(move |run| run.with(&tunings)));
}

/// Small cases, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance() {
    let tiny = tiny().into_iter().map(|(instance, population)| Run::new(instance, parameters(population), 1, 2));
    let ruled = under_demands(&made_up(23, 7, 60)).into_iter();
    let ruled = ruled.map(|instance| Run::new(instance, parameters(9), 2, 2));
    let large = Run::new(made_up(530, 11, 700), parameters(3), 4, 1).with(&layouts()[..1]);
    compare_on_cuda(tiny.chain(ruled).map(|run| run.with(&layouts())).chain([large]));
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

fn tiny_runs(generations: u32) -> Vec<Run> {
    let seeded = |(instance, population): (Instance, u32)| {
        SEEDS.map(|seed| Run::new(instance.clone(), parameters(population), seed, generations))
    };
    tiny().into_iter().flat_map(seeded).collect()
}

/// Numbers of lanes and block sizes, in shared and in global memory.
fn layouts() -> [Tuning; 5] {
    [(32, 64, false), (8, 64, false), (16, 128, false), (4, 64, false), (0, 64, true)]
        .map(|(lanes, block, global)| Tuning { lanes, block, global })
}

/// Published variants: evaluation by chromosome and by exam, three forms of the conflict matrix, reproduction in one and two kernels.
fn stagings() -> Vec<PhaseKernels> {
    let sums = [Sum::Full, Sum::Sparse, Sum::HalfSparse];
    sums.into_iter()
        .flat_map(|sum| [(sum, Worker::Chromosome, false), (sum, Worker::Exam, true)])
        .map(|(sum, worker, in_two)| PhaseKernels { sum, worker, in_two })
        .collect()
}

/// Many exams get at least sixteen lanes, whose genes take several rounds.
#[test]
fn many_exams_agree_in_the_emulator() {
    let run = Run::new(made_up(1_030, 11, 1_300), parameters(3), 6, 1);
    let reference = run.on_cpu(2);
    let tunings = [16, 32].map(|lanes| Tuning { lanes, block: 64, global: false });
    for tuning in tunings.into_iter().chain([Tuning::default()]) {
        let options = DeviceOptions { tuning, ..DeviceOptions::default() };
        let search = run.device(start(Module::Evolution, EmulatorConfig::default()), options).unwrap();
        let lanes = search.layout().lanes;
        assert!(lanes >= 16 && (tuning.lanes == 0 || lanes == tuning.lanes), "{lanes}");
        assert_eq!(path(&mut failing_over(search), 1, 1), reference, "{tuning:?}");
    }
}

#[test]
fn five_seeds_of_a_shipped_sample_walk_the_same_path_in_the_emulator() {
    let school = open("sample:school", &LoadOptions::default()).unwrap();
    let emulated = |(seed, instance)| {
        let run = Run::new(instance, EvolutionParameters { tournament: 5, ..parameters(16) }, seed, 8);
        (in_order(WarpOrder::Shuffled(seed)), (run, vec![DeviceOptions::default()]))
    };
    let seeded = SEEDS.map(|seed| [(seed, school.clone()), (seed, without_demands(school.clone()))]);
    compare_emulated(seeded.into_iter().flatten().map(emulated));
}

#[test]
fn rules_seats_and_prices_agree() {
    let tunings = [(8, false), (32, false), (0, true)].map(|(lanes, global)| Tuning { lanes, block: 64, global });
    let orders = [WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Shuffled(5)];
    for (order, seed) in orders.into_iter().zip(SEEDS) {
        let config = EmulatorConfig { sanitized: order == WarpOrder::Shuffled(5), ..in_order(order) };
        let ruled = under_demands(&made_up(23, 7, 60)).into_iter();
        let runs = ruled.map(|instance| (config, Run::new(instance, parameters(9), seed, 4).with(&tunings)));
        compare_emulated(runs);
    }
}

/// Crossover never and always, no mutation, mutation of every gene, no descent, tournaments of one.
#[test]
fn extreme_parameters_agree() {
    let base = parameters(7);
    for changed in [
        EvolutionParameters { crossover: 0.0, mutation: 0.0, ..base.clone() },
        EvolutionParameters { crossover: 1.0, mutation: 1.0, descent: false, ..base.clone() },
        EvolutionParameters { tournament: 1, ..base.clone() },
        EvolutionParameters { population: 2, constructed: 0, tournament: 9, ..base.clone() },
    ] {
        let run = Run::new(made_up(18, 6, 50), changed, 5, 5);
        let open = &mut || start(Module::Evolution, EmulatorConfig::default());
        compare(open, &run, &[DeviceOptions::default()]);
    }
}

/// The published tables in the emulator: all cells are there, and a kernel that errs ends the measurement.
#[test]
fn the_published_tables_are_measured_on_a_device_and_compared() {
    let emulator = |config| SharedCuda::new(start(Module::Evolution, config));
    let measured = |runtime| tables::measure(&[made_up(23, 7, 60)], &[13], 2, 2, &[runtime], &mut |_| {});
    let reports = measured(emulator(EmulatorConfig::default())).unwrap();
    let [evaluation, generation, apart] = reports.as_slice() else { panic!("three tables") };
    for (report, published) in [(evaluation, true), (generation, true), (apart, false)] {
        let row = report.rows.last().unwrap();
        assert_eq!((row.len(), row[2].as_str()), (report.columns.len(), "cuda:0"));
        let cells = &row[3..row.len() - usize::from(published)];
        assert!(cells.iter().all(|cell| cell.parse::<f64>().is_ok()), "{row:?}");
    }
    let changed = Some(Changed::Text(("sum >> twice", "(sum >> twice) + 1")));
    let wrong = measured(emulator(EmulatorConfig { changed, ..EmulatorConfig::default() })).unwrap_err();
    assert!(wrong.to_string().contains("another population or other costs"), "{wrong}");
}
