//! Equal trajectories of timetable annealing on CPU, emulator and CUDA.

use std::sync::Arc;

use gridwright_core::random::Philox;
use gridwright_kernels::annealing::Tuning;
use gridwright_kernels::{DeviceRuntime, Module};
use gridwright_timetabling::annealing::cpu::CpuAnnealing;
use gridwright_timetabling::annealing::cuda::DeviceAnnealing;
use gridwright_timetabling::annealing::stages::Stages;
use gridwright_timetabling::annealing::{AnnealingParameters, Pacing, Schedule};
use gridwright_timetabling::construction::construct;
use gridwright_timetabling::model::Model;
use gridwright_timetabling::{Instance, Timetable};

use super::cuda_emulator::{CudaEmulator, EmulatorConfig, WarpOrder};
use super::support::*;
use gridwright_core::search::Epochs;

/// Steps of a run, enough for every kind of step and every stage with a resampling, and of an epoch, which does not divide
/// the stages evenly.
const STEPS: u64 = 64 * 5;
const EPOCH: u32 = 70;
const EPOCHS: u32 = 5;

/// Problem, first timetables of its chains, schedule and seed.
struct Run {
    name: String,
    model: Model,
    schedule: Arc<Schedule>,
    starts: Vec<Timetable>,
    seed: u64,
    steps: u64,
}

impl Run {
    /// Returns `None` if no conflict-free timetable is found.
    fn new(name: &str, instance: &Instance, chains: u32, seed: u64, steps: u64) -> Option<Self> {
        let parameters = AnnealingParameters {
            chains,
            first_temperature: 60.0,
            last_temperature: 2.0,
            kempe: 0.3,
            exchange: 0.1,
            resamplings: 5,
        };
        let model = Model::new(instance);
        let build = |number| construct(&model, Philox::new(seed), number, 100_000, &|| false);
        let starts: Vec<Timetable> = (0..chains).map(build).collect();
        if starts.iter().any(|start| !start.unplaced_exams().is_empty()) {
            return None;
        }
        let schedule = Arc::new(Schedule::new(&model, &parameters));
        Some(Self { name: name.to_owned(), model, schedule, starts, seed, steps })
    }

    /// Changes the run to begin most temperature levels with a resampling.
    fn often_resampled(mut self) -> Self {
        Arc::make_mut(&mut self.schedule).resamplings = 700;
        self
    }

    fn stages(&self) -> Stages {
        Stages::new(Arc::clone(&self.schedule), Pacing::even(self.steps))
    }

    fn cpu(&self, threads: usize) -> CpuAnnealing<i16> {
        CpuAnnealing::new(self.stages(), &self.model, &self.starts, self.seed, pool(threads))
    }

    fn on<M: DeviceRuntime>(&self, runtime: M, tuning: Tuning) -> DeviceAnnealing<i16, M> {
        DeviceAnnealing::new(self.stages(), &self.model, &self.starts, self.seed, pool(1), runtime, tuning).unwrap()
    }

    /// Compares every tuning with the reference.
    fn compare<M: DeviceRuntime>(&self, runtime: &mut dyn FnMut() -> M, tunings: &[Tuning], epoch: u32) {
        let epochs = self.steps.div_ceil(u64::from(epoch)) as u32;
        let reference = path(&mut self.cpu(1), epochs, epoch);
        for &tuning in tunings {
            let mut search = self.on(runtime(), tuning);
            let found = path(&mut search, epochs, epoch);
            assert!(!search.on_cpu(), "{}: {:?}", self.name, search.notes());
            assert_eq!(found, reference, "{}, seed {}, {tuning:?}", self.name, self.seed);
        }
    }
}

/// Awkward sizes, and every kind of rule.
fn tiny(seed: u64) -> Vec<Run> {
    let mut free = vec![
        ("two periods".to_owned(), made_up(6, 2, 2), 2),
        ("several components".to_owned(), made_up(60, 9, 45), 3),
        ("one component".to_owned(), made_up(40, 34, 200), 5),
        ("many periods".to_owned(), made_up(33, 255, 90), 8),
    ];
    let demanding = under_demands(&made_up(23, 12, 30)).into_iter().enumerate();
    free.extend(demanding.map(|(number, instance)| (format!("demand {number}"), instance, 4)));
    let runs = free.iter().filter_map(|(name, instance, chains)| Run::new(name, instance, *chains, seed, STEPS));
    runs.collect()
}

fn start(config: EmulatorConfig) -> CudaEmulator {
    super::support::start(Module::Annealing, config)
}

fn tunings() -> Vec<Tuning> {
    [(1, false), (8, false), (4, true)].map(|(warps, global)| Tuning { warps, global }).to_vec()
}

#[test]
fn what_is_compared_is_there() {
    let runs = tiny(1);
    assert!(runs.iter().any(|run| run.schedule.components.len() > 1), "several components");
    assert!(runs.iter().filter(|run| run.model.restrictions.is_some()).count() >= 3, "demands");
    let search = &mut runs[1].cpu(1);
    let path = path(search, EPOCHS, EPOCH);
    assert!(path[0].1 > path[EPOCHS as usize].1, "the walk finds something better");
}

#[test]
fn any_number_of_threads_gives_the_same_path() {
    for seed in SEEDS {
        for run in tiny(seed) {
            let reference = path(&mut run.cpu(1), EPOCHS, EPOCH);
            for threads in [2, 8] {
                assert_eq!(path(&mut run.cpu(threads), EPOCHS, EPOCH), reference, "{}, seed {seed}", run.name);
            }
        }
    }
}

#[test]
fn the_kernels_in_the_emulator_walk_the_path_of_the_cpu_in_every_order() {
    let orders = [WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Shuffled(7), WarpOrder::Eager];
    for (order, seed) in orders.into_iter().zip(SEEDS) {
        for run in tiny(seed) {
            run.compare(&mut || start(EmulatorConfig { order, ..EmulatorConfig::default() }), &tunings(), EPOCH);
        }
    }
}

#[test]
fn the_kernels_in_the_emulator_stay_within_their_memory() {
    let config = EmulatorConfig { sanitized: true, order: WarpOrder::Shuffled(3), ..EmulatorConfig::default() };
    for run in tiny(4) {
        run.compare(&mut || start(config), &[tunings()[1], tunings()[2]], EPOCH);
    }
}

/// More than 1,024 exams: every lane holds several words of a set.
#[test]
fn many_exams_agree_in_the_emulator() {
    let config = EmulatorConfig { shared_per_block: 200 << 10, ..EmulatorConfig::default() };
    let run = Run::new("many exams", &made_up(1_100, 12, 1_500), 1, 6, 320).unwrap();
    assert!(run.schedule.components[0].exams.len() > 1_024, "{:?}", run.schedule.components[0].exams.len());
    run.compare(&mut || start(config), &[tunings()[1], tunings()[2]], 320);
}

/// Resamplings within stages, too, also after the device is lost.
#[test]
fn frequent_resamplings_give_the_same_path() {
    let run = || Run::new("made up", &made_up(60, 9, 45), 4, 9, STEPS).unwrap();
    let often = run().often_resampled();
    let reference = path(&mut often.cpu(1), EPOCHS, EPOCH);
    assert_ne!(reference, path(&mut run().cpu(1), EPOCHS, EPOCH), "chains are resampled more often");
    assert_eq!(path(&mut often.cpu(2), EPOCHS, EPOCH), reference);
    often.compare(&mut || start(EmulatorConfig::default()), &[Tuning::default()], EPOCH);
    let runtime = Faulty { launches_left: 40, ..Faulty::sound(start(EmulatorConfig::default())) };
    let mut search = often.on(runtime, Tuning::default());
    assert_eq!(path(&mut search, EPOCHS, EPOCH), reference);
    assert!(search.on_cpu(), "lost within a stage");
}

/// The emulator detects missing barriers: a kernel without one of its barriers gives another path in some order.
#[test]
fn a_missing_barrier_is_seen() {
    let run = Run::new("made up", &made_up(90, 12, 90), 2, 1, 64 * 20).unwrap();
    let reference = path(&mut run.cpu(1), EPOCHS, EPOCH);
    let changes = [
        // Moves are counted before all warps have looked at theirs.
        ("temperature, moves);\n            __syncthreads();", "temperature, moves);"),
        // They are looked at before all are gathered, and chosen before it is known which are tied to each other.
        ("gather(moves);\n    __syncthreads();", "gather(moves);"),
        ("tie<RESTRICTED>(board, moves, total);\n    __syncthreads();", "tie<RESTRICTED>(board, moves, total);"),
        // Exams are blocked before all warps have seen which are free, and looked at before all are blocked.
        ("            if (more) __syncthreads();\n", ""),
        ("        if (more) __syncthreads();\n    }\n    return", "    }\n    return"),
        // One of the alternatives is taken before all warps have looked at theirs.
        (
            "            __syncthreads();\n            if (threadIdx.x == 0) first_number",
            "            if (threadIdx.x == 0) first_number",
        ),
    ];
    for change in changes {
        let orders = [WarpOrder::Eager, WarpOrder::Descending, WarpOrder::Shuffled(1)];
        let differs = orders.into_iter().any(|order| {
            // What reads beyond its memory ends there, and does not run on with what it found.
            let runtime =
                start(EmulatorConfig { order, change: Some(change), sanitized: true, ..EmulatorConfig::default() });
            let mut search = run.on(runtime, Tuning { warps: 4, global: false });
            // Threads that wait in vain end the emulator, and the CPU takes over.
            path(&mut search, EPOCHS, EPOCH) != reference || search.on_cpu()
        });
        assert!(differs, "without {:?} every order gives the right path", change.0);
    }
}

#[test]
fn a_lost_device_hands_over_to_the_cpu_with_the_same_numbers() {
    let run = Run::new("made up", &made_up(60, 9, 45), 4, 9, STEPS).unwrap();
    let reference = path(&mut run.cpu(1), EPOCHS, EPOCH);
    for launches_left in [0, 1, 5, 20, 40] {
        let runtime = Faulty { launches_left, ..Faulty::sound(start(EmulatorConfig::default())) };
        let mut search = run.on(runtime, Tuning::default());
        assert_eq!(path(&mut search, EPOCHS, EPOCH), reference, "lost after {launches_left} launches");
        assert!(search.on_cpu() && search.notes().len() == 1, "{:?}", search.notes());
        assert!(search.notes()[0].contains("injected") && search.notes()[0].contains("same numbers"));
        assert_eq!(search.stages().unwrap().len(), 64);
    }
}

#[test]
fn what_does_not_fit_is_said_before_the_start() {
    let run = Run::new("made up", &made_up(23, 7, 60), 4, 1, STEPS).unwrap();
    for (free, reserves_left) in [(1_000, 99), (1 << 30, 3)] {
        let runtime =
            Faulty { launches_left: 9, reserves_left, free, ..Faulty::sound(start(EmulatorConfig::default())) };
        let refused = DeviceAnnealing::<i16, _>::new(
            run.stages(),
            &run.model,
            &run.starts,
            1,
            pool(1),
            runtime,
            Tuning::default(),
        );
        assert!(refused.err().unwrap().to_string().contains("fewer chains"));
    }
}

/// Compares CUDA with the CPU: tiny to real instances, five seeds, every number of warps.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu() {
    let shared = cuda();
    let tunings =
        [(2, false), (4, false), (8, false), (16, false), (8, true)].map(|(warps, global)| Tuning { warps, global });
    let runtime = &mut || {
        shared.clear();
        shared.clone()
    };
    for seed in SEEDS {
        for run in tiny(seed) {
            run.compare(runtime, &tunings, EPOCH);
        }
    }
    for (source, instance, seeds) in real() {
        for &seed in seeds {
            let Some(run) = Run::new(&source, &instance, 16, seed, 64 * 300) else { continue };
            run.compare(runtime, &tunings, 4_000);
        }
        println!("equal walks on the device: {source}, {} exams, {} seeds", instance.exam_count(), seeds.len());
    }
}

/// Runs every kernel once on small instances, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance() {
    let shared = cuda();
    let runtime = &mut || {
        shared.clear();
        shared.clone()
    };
    for run in tiny(1) {
        run.compare(runtime, &[tunings()[1], tunings()[2]], EPOCH);
    }
    let many = Run::new("many exams", &made_up(1_100, 12, 1_500), 1, 6, 320).unwrap();
    many.compare(runtime, &[tunings()[1], tunings()[2]], 320);
    println!("every kernel ran on the device");
}
