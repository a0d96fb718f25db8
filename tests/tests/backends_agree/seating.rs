//! Equal trajectories of the annealing of sessions with rooms on CPU, emulator and CUDA.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use gridwright_core::random::Philox;
use gridwright_core::search::{Control, Epochs};
use gridwright_kernels::Module;
use gridwright_kernels::seating::OF_ONE_EXAM;
use gridwright_timetabling::formats::{LoadOptions, open};
use gridwright_timetabling::seating::cuda::{Memory, Tuning};
use gridwright_timetabling::seating::device_tables;
use gridwright_timetabling::seating::{CpuSeating, DeviceSeating, SeatingModel, construct};
use gridwright_timetabling::{Instance, ObjectiveKind, StudentLimits, Timetable};

use super::agreement::*;
use super::annealing::{Run, STEPS};
use super::cuda_emulator::EmulatorConfig;
use super::sessions::SessionShape;
use super::support::*;

impl Run<SeatingModel> {
    fn new(name: &str, instance: &Instance, chains: u32, seed: u64, steps: u64) -> Option<Self> {
        Self::with(name, SeatingModel::of_placeable(instance), chains, seed, steps)
    }

    fn with(name: &str, model: SeatingModel, chains: u32, seed: u64, steps: u64) -> Option<Self> {
        let construct =
            |model: &SeatingModel, philox, number| construct::<i16>(model, None, philox, number, 20_000, &|| false);
        Self::of(name, model, chains, [seed, steps], construct, SeatingModel::schedule)
    }
}

impl Case for Run<SeatingModel> {
    const MODULE: Module = Module::Seating;
    type Tuning = Tuning;
    /// Path and best timetable with its rooms.
    type Trace = (Path_, Arc<Timetable>);

    fn describe(&self) -> String {
        format!("{}, seed {}", self.name, self.seed)
    }

    fn on_cpu(&self, threads: usize) -> Self::Trace {
        let (stages, threads, control) = (self.stages(), pool(threads), Control::new());
        let mut search = CpuSeating::<i16>::new(stages, &self.model, &self.starts, self.seed, threads, control);
        (self.path(&mut search), search.snapshot().unwrap().best)
    }

    fn on_device<M: Device>(&self, runtime: M, tuning: Self::Tuning) -> Answer<Self::Trace> {
        let (stages, threads) = (self.stages(), pool(1));
        let search =
            DeviceSeating::<i16, M>::new(stages, &self.model, &self.starts, self.seed, threads, runtime, tuning)?;
        let mut search = failing_over(search);
        let trace = (self.path(&mut search), search.snapshot()?.best);
        Ok(self.walked(trace, &search, search.device().is_none()))
    }
}

#[test]
fn any_number_of_threads_gives_the_same_path() {
    compare_threads(small(2));
}

#[test]
fn the_kernels_in_the_emulator_give_the_values_of_the_cpu_in_every_order() {
    compare_in_every_order(small, tunings);
}

#[test]
fn the_kernels_in_the_emulator_stay_within_their_memory() {
    let runs = small(4).into_iter().enumerate();
    compare_emulated(runs.map(|(number, run)| (sanitized(), (run, vec![tunings()[1 + number % 2]]))));
}

#[test]
fn a_missing_barrier_is_detected() {
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
    let shape = SessionShape { exams: 90, periods: 12, students: 90, rooms: 6, ..PLAIN };
    let run = || Run { epochs: 5, ..Run::<SeatingModel>::new("rooms", &shape.session(), 2, 1, 64 * 20).unwrap() };
    let cases = changes.map(|change| (run(), Tuning { warps: 4, memory: Memory::Narrow }, change));
    // An access beyond the memory ends the emulator instead of reading what is there.
    detect_changes(cases, sanitized());
}

#[test]
fn a_lost_device_hands_over_to_the_cpu_with_the_same_numbers() {
    let run = small(2).into_iter().find(|run| run.name == "demands").unwrap();
    for launches in [0, 1, 5, 7] {
        survive_loss(&run, Tuning::default(), launches, false);
    }
}

#[test]
fn what_a_device_cannot_hold_is_said_before_the_start() {
    let run = Run::<SeatingModel>::new("rooms", &PLAIN.session(), 4, 1, STEPS).unwrap();
    for (free, reserves_left) in [(1_000, 99), (1 << 30, 3)] {
        refuse(&run, free, reserves_left, &["fewer chains"]);
    }
}

/// Tiny to published cases, every tuning.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu() {
    let narrow = [1, 2, 4, 8].map(|warps| (warps, Memory::Narrow)).into_iter();
    let tunings = narrow.chain([(8, Memory::NarrowNear), (8, Memory::Wide), (8, Memory::Global)]);
    let tunings: Vec<Tuning> = tunings.map(|(warps, memory)| Tuning { warps, memory }).collect();
    let several = tunings[2..].to_vec();
    let competition = competition().into_iter().flat_map(|(source, instance)| {
        SEEDS[..2].iter().filter_map(move |&seed| Run::<SeatingModel>::new(&source, &instance, 16, seed, 64 * 100))
    });
    let competition = competition.map(move |run| (run.in_epochs_of(2_000), several.clone()));
    compare_on_cuda(SEEDS.into_iter().flat_map(small).map(move |run| (run, tunings.clone())).chain(competition));
}

/// Small cases, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance() {
    let runs = small(1).into_iter().chain([many_exams()]);
    compare_on_cuda(runs.map(|run| (run, tunings()[1..3].to_vec())));
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
fn small(seed: u64) -> Vec<Run<SeatingModel>> {
    let mut all: Vec<_> = shapes().into_iter().map(|(name, shape, chains)| (name, shape.session(), chains)).collect();
    // An exam that no room holds is left out of the search.
    let mut crowded = PLAIN.session();
    crowded.exams[7].needs.seats = Some(100_000);
    all.push(("one exam too large", crowded, 2));
    // Seats of whole periods, without rooms; an exam is moved to a price.
    let demands = under_demands(&made_up(23, 12, 30)).into_iter();
    all.extend(demands.map(|instance| ("seats and rules without rooms", instance, 2)));
    // Limits that forbid pairs of periods to exams with common students.
    let mut limited = SessionShape { periods: 18, ..PLAIN }.session();
    limited.rules.limits = StudentLimits { in_a_row: 1, minutes_apart: 300, ..StudentLimits::default() };
    all.push(("limits of students", limited, 3));
    // Late changes: leaving the period or the rooms of a former plan has a price.
    let late =
        all.iter().filter(|(name, ..)| ["rooms", "demands"].contains(name)).filter_map(|(_, session, chains)| {
            let former = construct::<i16>(&SeatingModel::new(session), None, Philox::new(77), 0, 20_000, &|| false);
            former.unplaced_exams().is_empty().then(|| ("late changes", session.around(former, 40, 9), *chains))
        });
    let late: Vec<_> = late.collect();
    all.extend(late);
    // Where not everything fits, some exams and the rules that name them are left out.
    let related = shapes().into_iter().find(|(_, shape, _)| shape.is_related && shape.rooms > 0);
    let part = related.map(|(_, shape, chains)| (SeatingModel::of_others(&shape.session(), &[0, 7, 12, 21]), chains));
    let part = part.and_then(|(model, chains)| Run::with("a part of the exams", model, chains, seed, STEPS));
    all.iter()
        .filter_map(|(name, instance, chains)| Run::<SeatingModel>::new(name, instance, *chains, seed, STEPS))
        .chain(part)
        .collect()
}

/// More than 1,024 exams: every lane holds several words of a set.
fn many_exams() -> Run<SeatingModel> {
    let shape = SessionShape { exams: 1_100, periods: 12, students: 1_500, rooms: 30, ..PLAIN };
    let run = Run::<SeatingModel>::new("many exams", &shape.session(), 1, 6, 320).unwrap();
    assert!(run.model.nodes() > 1_024);
    run.in_epochs_of(320)
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
    let late: Vec<&Run<SeatingModel>> = runs.iter().filter(|run| run.name == "late changes").collect();
    assert!(late.len() == 2 && late.iter().all(|run| run.model.leaving_room > 0), "late changes");
    let split = |run: &Run<SeatingModel>| run.starts.iter().flat_map(|start| &start.rooms).any(|rooms| rooms.len() > 1);
    assert!(runs.iter().any(split), "split sittings");
    assert!(runs.iter().any(|run| run.model.sittings.len() > run.model.nodes()), "sittings with extra time");
    assert!(runs.iter().any(|run| run.name == "a part of the exams"), "partial timetables");
    let ties = |run: &Run<SeatingModel>| device_tables::session(&run.model, &run.schedule).unwrap().1.room_related;
    let is_shared = |run: &Run<SeatingModel>| ties(run).iter().any(|tie| tie >> 16 == OF_ONE_EXAM);
    assert!(runs.iter().any(is_shared), "rooms that hold one exam with all its parts");
    // Costs of 16 bits have a kernel of their own.
    let is_narrow = |run: &Run<SeatingModel>| device_tables::session(&run.model, &run.schedule).unwrap().0.is_narrow;
    assert!(runs.iter().all(is_narrow), "costs of 16 bits");
    let mut dear = PLAIN.session();
    dear.objective.weights.in_a_row = 60_000;
    assert!(!is_narrow(&Run::<SeatingModel>::new("dear pairs", &dear, 1, 1, STEPS).unwrap()), "costs of 32 bits");
    for run in &runs[..5] {
        let (path, _) = run.on_cpu(1);
        assert!(path[0].1 > path[path.len() - 1].1, "{}: the walk finds something better", run.name);
    }
}

#[test]
fn several_devices_walk_the_path_of_the_cpu() {
    for (run, count) in small(5).into_iter().zip([2, 3].into_iter().cycle()) {
        let (runtime, launches) = group(count, EmulatorConfig::default(), Module::Seating);
        let runtime = &mut || {
            let fresh = runtime.clone();
            fresh.clear();
            fresh
        };
        compare(runtime, &run, &[Tuning::default()]);
        let launches: Vec<u32> = launches.iter().map(|count| count.load(Ordering::Relaxed)).collect();
        let busy = launches.iter().filter(|&&count| count > 0).count();
        assert!(busy >= run.starts.len().min(count as usize), "{}: {launches:?}", run.name);
    }
}

#[test]
fn many_exams_agree_in_the_emulator() {
    let config = EmulatorConfig { shared_per_block: 200 << 10, ..EmulatorConfig::default() };
    compare(&mut || start(Module::Seating, config), &many_exams(), &tunings()[1..3]);
}

/// The competition's sessions in `GRIDWRIGHT_DATA`.
fn competition() -> Vec<(String, Instance)> {
    let folder = std::env::var("GRIDWRIGHT_DATA").unwrap_or_default();
    let files = (1..=8).map(|set| std::path::Path::new(&folder).join(format!("itc2007/exam_comp_set{set}.exam")));
    let named = files.filter(|file| file.is_file()).map(|file| file.display().to_string());
    named.map(|name| (name.clone(), open(&name, &LoadOptions::default()).unwrap())).collect()
}
