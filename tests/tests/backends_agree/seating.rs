//! Equal trajectories of the annealing of sessions with rooms on CPU, emulator and CUDA.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use gridwright_core::random::Philox;
use gridwright_core::search::{Control, Epochs};
use gridwright_kernels::{DeviceRuntime, Module};
use gridwright_timetabling::annealing::stages::Stages;
use gridwright_timetabling::annealing::{AnnealingParameters, Pacing, Schedule};
use gridwright_timetabling::formats::{LoadOptions, open};
use gridwright_timetabling::seating::cuda::{Memory, Tuning};
use gridwright_timetabling::seating::device_tables;
use gridwright_timetabling::seating::{CpuSeating, DeviceSeating, SeatingModel, construct};
use gridwright_timetabling::{Instance, ObjectiveKind, Timetable};

use super::cuda_emulator::{CudaEmulator, EmulatorConfig, WarpOrder};
use super::sessions::SessionShape;
use super::support::*;

/// Steps of a run, enough for every kind of step and every stage with a resampling, and of an epoch, which does not divide the stages evenly.
const STEPS: u64 = 64 * 5;
const EPOCH: u32 = 70;
const EPOCHS: u32 = 5;

/// Session, first timetables of its chains, schedule and seed.
struct Run {
    name: String,
    model: SeatingModel,
    schedule: Arc<Schedule>,
    starts: Vec<Timetable>,
    seed: u64,
    steps: u64,
}

impl Run {
    /// Returns `None` if no timetable without violations is found.
    fn new(name: &str, instance: &Instance, chains: u32, seed: u64, steps: u64) -> Option<Self> {
        let parameters = AnnealingParameters {
            chains,
            first_temperature: 60.0,
            last_temperature: 2.0,
            kempe: 0.3,
            exchange: 0.1,
            resamplings: 5,
        };
        let model = SeatingModel::of_placeable(instance);
        let build = |number| construct::<i16>(&model, None, Philox::new(seed), number, 20_000, &|| false);
        let starts: Vec<Timetable> = (0..chains).map(build).collect();
        if starts.iter().any(|start| !start.unplaced_exams().is_empty()) {
            return None;
        }
        let schedule = Arc::new(model.schedule(&parameters));
        Some(Self { name: name.to_owned(), model, schedule, starts, seed, steps })
    }

    fn stages(&self) -> Stages {
        Stages::new(Arc::clone(&self.schedule), Pacing::even(self.steps))
    }

    fn cpu(&self, threads: usize) -> CpuSeating<'_, i16> {
        CpuSeating::new(self.stages(), &self.model, &self.starts, self.seed, pool(threads), Control::new())
    }

    fn on<M: DeviceRuntime>(&self, runtime: M, tuning: Tuning) -> DeviceSeating<'_, i16, M> {
        DeviceSeating::new(self.stages(), &self.model, &self.starts, self.seed, pool(1), runtime, tuning).unwrap()
    }

    /// Compares every tuning with the reference.
    fn compare<M: DeviceRuntime>(&self, runtime: &mut dyn FnMut() -> M, tunings: &[Tuning], epoch: u32) {
        let epochs = self.steps.div_ceil(u64::from(epoch)) as u32;
        let mut cpu = self.cpu(1);
        let reference = path(&mut cpu, epochs, epoch);
        let best = cpu.snapshot().unwrap().best;
        for &tuning in tunings {
            let mut search = self.on(runtime(), tuning);
            let found = path(&mut search, epochs, epoch);
            assert!(!search.on_cpu(), "{}: {:?}", self.name, search.notes());
            assert_eq!(found, reference, "{}, seed {}, {tuning:?}", self.name, self.seed);
            assert_eq!(search.snapshot().unwrap().best, best, "{}, seed {}, {tuning:?}", self.name, self.seed);
        }
    }
}

const PLAIN: SessionShape = SessionShape {
    exams: 40,
    periods: 9,
    students: 60,
    rooms: 5,
    is_demanding: false,
    is_related: false,
    objective: ObjectiveKind::Itc2007,
};

/// Shapes of sessions with their number of chains.
fn shapes() -> Vec<(&'static str, SessionShape, u32)> {
    vec![
        ("rooms", PLAIN, 3),
        ("two periods", SessionShape { exams: 6, periods: 2, students: 2, rooms: 2, ..PLAIN }, 2),
        ("one room", SessionShape { rooms: 1, ..PLAIN }, 2),
        (
            "demands",
            SessionShape {
                exams: 70,
                periods: 13,
                rooms: 9,
                is_demanding: true,
                objective: ObjectiveKind::Office,
                ..PLAIN
            },
            3,
        ),
        (
            "demands and relations",
            SessionShape {
                exams: 45,
                periods: 15,
                rooms: 8,
                is_demanding: true,
                is_related: true,
                objective: ObjectiveKind::Office,
                ..PLAIN
            },
            4,
        ),
        ("people without rooms", SessionShape { rooms: 0, is_demanding: true, is_related: true, ..PLAIN }, 3),
        ("many periods and rooms", SessionShape { exams: 33, periods: 200, rooms: 40, ..PLAIN }, 2),
    ]
}

/// Small sessions of every kind.
fn small(seed: u64) -> Vec<Run> {
    let mut all: Vec<_> = shapes().into_iter().map(|(name, shape, chains)| (name, shape.session(), chains)).collect();
    // An exam that no room holds is left out of the search.
    let mut crowded = PLAIN.session();
    crowded.exams[7].needs.seats = Some(100_000);
    all.push(("one exam too large", crowded, 2));
    // Seats of whole periods, without rooms; an exam is moved to a price.
    let demands = under_demands(&made_up(23, 12, 30)).into_iter();
    all.extend(demands.map(|instance| ("seats and rules without rooms", instance, 2)));
    // Late changes: leaving the period or the rooms of a former plan has a price.
    let late =
        all.iter().filter(|(name, ..)| ["rooms", "demands"].contains(name)).filter_map(|(_, session, chains)| {
            let former = construct::<i16>(&SeatingModel::new(session), None, Philox::new(77), 0, 20_000, &|| false);
            former.unplaced_exams().is_empty().then(|| ("late changes", session.around(former, 40, 9), *chains))
        });
    let late: Vec<_> = late.collect();
    all.extend(late);
    all.iter().filter_map(|(name, instance, chains)| Run::new(name, instance, *chains, seed, STEPS)).collect()
}

/// More than 1,024 exams: every lane holds several words of a set.
fn many_exams() -> Run {
    let shape = SessionShape { exams: 1_100, periods: 12, students: 1_500, rooms: 30, ..PLAIN };
    let run = Run::new("many exams", &shape.session(), 1, 6, 320).unwrap();
    assert!(run.model.nodes() > 1_024);
    run
}

fn start(config: EmulatorConfig) -> CudaEmulator {
    super::support::start(Module::Seating, config)
}

fn tunings() -> Vec<Tuning> {
    let memories = [Memory::Narrow, Memory::Wide, Memory::NarrowNear, Memory::Global];
    [1, 8, 2, 4].into_iter().zip(memories).map(|(warps, memory)| Tuning { warps, memory }).collect()
}

#[test]
fn compared_sessions_have_what_they_should_have() {
    for seed in SEEDS {
        let names: Vec<String> = small(seed).into_iter().map(|run| run.name).collect();
        for (name, ..) in shapes() {
            assert!(names.iter().any(|built| built == name), "seed {seed}: no timetable for {name:?}");
        }
    }
    let runs = small(1);
    let late: Vec<&Run> = runs.iter().filter(|run| run.name == "late changes").collect();
    assert!(late.len() == 2 && late.iter().all(|run| run.model.leaving_room > 0), "late changes");
    let split = |run: &Run| run.starts.iter().flat_map(|start| &start.rooms).any(|rooms| rooms.len() > 1);
    assert!(runs.iter().any(split), "split sittings");
    assert!(runs.iter().any(|run| run.model.sittings.len() > run.model.nodes()), "sittings with extra time");
    // Costs of 16 bits have a kernel of their own.
    let is_narrow = |run: &Run| device_tables::session(&run.model, &run.schedule).unwrap().0.is_narrow;
    assert!(runs.iter().all(is_narrow), "costs of 16 bits");
    let mut dear = PLAIN.session();
    dear.objective.weights.in_a_row = 60_000;
    assert!(!is_narrow(&Run::new("dear pairs", &dear, 1, 1, STEPS).unwrap()), "costs of 32 bits");
    for run in &runs[..5] {
        let path = path(&mut run.cpu(1), EPOCHS, EPOCH);
        assert!(path[0].1 > path[EPOCHS as usize].1, "{}: the walk finds something better", run.name);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_path() {
    for run in small(2) {
        let reference = path(&mut run.cpu(1), EPOCHS, EPOCH);
        for threads in [2, 8] {
            assert_eq!(path(&mut run.cpu(threads), EPOCHS, EPOCH), reference, "{}", run.name);
        }
    }
}

#[test]
fn the_kernels_in_the_emulator_walk_the_path_of_the_cpu_in_every_order() {
    let orders = [WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Shuffled(7), WarpOrder::Eager];
    for (order, seed) in orders.into_iter().zip(SEEDS) {
        for run in small(seed) {
            run.compare(&mut || start(EmulatorConfig { order, ..EmulatorConfig::default() }), &tunings(), EPOCH);
        }
    }
}

#[test]
fn several_devices_walk_the_path_of_the_cpu() {
    for run in small(5) {
        for count in [2, 3] {
            let (runtime, launches) = group(count, EmulatorConfig::default(), Module::Seating);
            let runtime = &mut || {
                let fresh = runtime.clone();
                fresh.clear();
                fresh
            };
            run.compare(runtime, &[Tuning::default()], EPOCH);
            let launches: Vec<u32> = launches.iter().map(|count| count.load(Ordering::Relaxed)).collect();
            let busy = launches.iter().filter(|&&count| count > 0).count();
            assert!(busy >= run.starts.len().min(count as usize), "{}: {launches:?}", run.name);
        }
    }
}

#[test]
fn the_kernels_in_the_emulator_stay_within_their_memory() {
    let config = EmulatorConfig { sanitized: true, order: WarpOrder::Shuffled(3), ..EmulatorConfig::default() };
    for run in small(4) {
        run.compare(&mut || start(config), &[tunings()[1], tunings()[2]], EPOCH);
    }
}

#[test]
fn many_exams_agree_in_the_emulator() {
    let config = EmulatorConfig { shared_per_block: 200 << 10, ..EmulatorConfig::default() };
    many_exams().compare(&mut || start(config), &[tunings()[1], tunings()[2]], 320);
}

/// The emulator detects missing barriers: a kernel without one of its barriers gives another path in some order.
#[test]
fn a_missing_barrier_is_seen() {
    let shape = SessionShape { exams: 90, periods: 12, students: 90, rooms: 6, ..PLAIN };
    let run = Run::new("rooms", &shape.session(), 2, 1, 64 * 20).unwrap();
    let reference = path(&mut run.cpu(1), EPOCHS, EPOCH);
    let changes = [
        // Proposals are evaluated before all are drawn, and made before all are evaluated; a round ends before its moves are known.
        ("temperature, work);\n    __syncthreads();\n    // Rounds", "temperature, work);\n    // Rounds"),
        (
            "try_all(board, kind, proposals, counts, trials);\n        __syncthreads();",
            "try_all(board, kind, proposals, counts, trials);",
        ),
        ("            __syncthreads();\n            if (result->moves", "            if (result->moves"),
        (
            "work.counts[number] = may ? count : NOT_ACCEPTABLE;\n        }\n    }\n    __syncthreads();",
            "work.counts[number] = may ? count : NOT_ACCEPTABLE;\n        }\n    }",
        ),
        // The step is read before it is made, and the next one begins before the tables are up to date.
        ("        __syncthreads();\n        const Step result = made;", "        const Step result = made;"),
        ("            });\n        }\n        __syncthreads();", "            });\n        }"),
        // Nodes move before the rows of all neighbours are changed.
        ("    // The periods are read until all rows are changed.\n    __syncthreads();", ""),
    ];
    for change in changes {
        let orders = [WarpOrder::Eager, WarpOrder::Descending, WarpOrder::Shuffled(1)];
        let differs = orders.into_iter().any(|order| {
            // What reads beyond its memory ends there, and does not run on with what it found.
            let runtime =
                start(EmulatorConfig { order, change: Some(change), sanitized: true, ..EmulatorConfig::default() });
            let mut search = run.on(runtime, Tuning { warps: 4, memory: Memory::Narrow });
            // Threads that wait in vain end the emulator, and the CPU takes over.
            path(&mut search, EPOCHS, EPOCH) != reference || search.on_cpu()
        });
        assert!(differs, "without {:?} every order gives the right path", change.0);
    }
}

#[test]
fn a_lost_device_hands_over_to_the_cpu_with_the_same_numbers() {
    let run = small(2).into_iter().find(|run| run.name == "demands").unwrap();
    let reference = path(&mut run.cpu(1), EPOCHS, EPOCH);
    for launches_left in [0, 1, 5, 7] {
        let runtime = Faulty { launches_left, ..Faulty::sound(start(EmulatorConfig::default())) };
        let mut search = run.on(runtime, Tuning::default());
        assert_eq!(path(&mut search, EPOCHS, EPOCH), reference, "lost after {launches_left} launches");
        assert!(search.on_cpu() && search.notes().len() == 1, "{:?}", search.notes());
        assert!(search.notes()[0].contains("injected") && search.notes()[0].contains("same numbers"));
        assert_eq!(search.stages().unwrap().len(), 64);
    }
}

#[test]
fn a_device_that_is_too_small_is_refused_before_the_start() {
    let run = Run::new("rooms", &PLAIN.session(), 4, 1, STEPS).unwrap();
    for (free, reserves_left) in [(1_000, 99), (1 << 30, 3)] {
        let runtime =
            Faulty { launches_left: 9, reserves_left, free, ..Faulty::sound(start(EmulatorConfig::default())) };
        let refused =
            DeviceSeating::<i16, _>::new(run.stages(), &run.model, &run.starts, 1, pool(1), runtime, Tuning::default());
        assert!(refused.err().unwrap().to_string().contains("fewer chains"));
    }
}

/// The competition's sessions in `GRIDWRIGHT_DATA`.
fn competition() -> Vec<(String, Instance)> {
    let folder = std::env::var("GRIDWRIGHT_DATA").unwrap_or_default();
    let files = (1..=8).map(|set| std::path::Path::new(&folder).join(format!("itc2007/exam_comp_set{set}.exam")));
    let named = files.filter(|file| file.is_file()).map(|file| file.display().to_string());
    named.map(|name| (name.clone(), open(&name, &LoadOptions::default()).unwrap())).collect()
}

/// Compares CUDA with the CPU: small to real sessions, five seeds, every number of warps.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu() {
    let shared = cuda();
    let narrow = [1, 2, 4, 8].map(|warps| (warps, Memory::Narrow)).into_iter();
    let tunings = narrow.chain([(8, Memory::NarrowNear), (8, Memory::Wide), (8, Memory::Global)]);
    let tunings: Vec<Tuning> = tunings.map(|(warps, memory)| Tuning { warps, memory }).collect();
    let runtime = &mut || {
        shared.clear();
        shared.clone()
    };
    for seed in SEEDS {
        for run in small(seed) {
            run.compare(runtime, &tunings, EPOCH);
        }
    }
    for (source, instance) in competition() {
        let mut runs = 0;
        for &seed in &SEEDS[..2] {
            let Some(run) = Run::new(&source, &instance, 16, seed, 64 * 100) else { continue };
            run.compare(runtime, &tunings[2..], 2_000);
            runs += 1;
        }
        println!("equal walks on the device: {source}, {} exams, {runs} seeds", instance.exam_count());
    }
}

/// Runs every kernel once on small sessions, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance() {
    let shared = cuda();
    let runtime = &mut || {
        shared.clear();
        shared.clone()
    };
    for run in small(1) {
        run.compare(runtime, &[tunings()[1], tunings()[2]], EPOCH);
    }
    many_exams().compare(runtime, &[tunings()[1], tunings()[2]], 320);
    println!("every kernel ran on the device");
}
