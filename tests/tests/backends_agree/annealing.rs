//! Equal trajectories of timetable annealing on CPU, emulator and CUDA.

use std::sync::Arc;

use gridwright_core::random::Philox;
use gridwright_core::search::Epochs;
use gridwright_kernels::Module;
use gridwright_kernels::annealing::Tuning;
use gridwright_timetabling::annealing::cpu::CpuAnnealing;
use gridwright_timetabling::annealing::cuda::DeviceAnnealing;
use gridwright_timetabling::annealing::stages::Stages;
use gridwright_timetabling::annealing::{AnnealingParameters, Pacing, Schedule};
use gridwright_timetabling::construction::construct;
use gridwright_timetabling::model::Model;
use gridwright_timetabling::{Instance, Timetable};

use super::agreement::*;
use super::cuda_emulator::EmulatorConfig;
use super::support::*;

/// Steps of a run, enough for every kind of step and every stage with a resampling, and of an epoch, which does not divide
/// the stages evenly.
pub const STEPS: u64 = 64 * 5;
pub const EPOCH: u32 = 70;

/// Run of annealing with or without rooms: problem, first timetables of its chains, schedule, seed, planned steps, and how many
/// epochs of how many steps are walked.
pub struct Run<M> {
    pub name: String,
    pub model: M,
    pub schedule: Arc<Schedule>,
    pub starts: Vec<Timetable>,
    pub seed: u64,
    pub steps: u64,
    pub epochs: u32,
    pub epoch: u32,
}

impl<M> Run<M> {
    /// Returns `None` if `construct` finds no complete timetable for a chain of this number.
    pub fn of(
        name: &str, model: M, chains: u32, [seed, steps]: [u64; 2], construct: impl Fn(&M, Philox, u32) -> Timetable,
        schedule: impl Fn(&M, &AnnealingParameters) -> Schedule,
    ) -> Option<Self> {
        let parameters = AnnealingParameters {
            chains,
            first_temperature: 60.0,
            last_temperature: 2.0,
            kempe: 0.3,
            exchange: 0.1,
            resamplings: 5,
        };
        let starts: Vec<Timetable> = (0..chains).map(|number| construct(&model, Philox::new(seed), number)).collect();
        let is_complete = starts.iter().all(|start| start.unplaced_exams().is_empty());
        let schedule = Arc::new(schedule(&model, &parameters));
        let run = Self { name: name.to_owned(), model, schedule, starts, seed, steps, epochs: 0, epoch: 0 };
        is_complete.then(|| run.in_epochs_of(EPOCH))
    }

    /// Walks all steps in epochs of this length.
    pub fn in_epochs_of(self, epoch: u32) -> Self {
        Self { epochs: self.steps.div_ceil(u64::from(epoch)) as u32, epoch, ..self }
    }

    pub fn stages(&self) -> Stages {
        Stages::new(Arc::clone(&self.schedule), Pacing::even(self.steps))
    }

    pub fn path(&self, search: &mut impl Epochs) -> Path_ {
        path(search, self.epochs, self.epoch)
    }

    /// The run on a device after its walk; a completed run has begun all stages, on whatever it ended.
    pub fn walked<T>(&self, trace: T, search: &impl Epochs, has_failed_over: bool) -> OnDevice<T> {
        let is_complete = u64::from(self.epochs * self.epoch) >= self.steps;
        assert!(!is_complete || search.stages().unwrap().len() == 64);
        OnDevice { trace, notes: texts(&search.device_notes()), has_failed_over }
    }
}

impl Run<Model> {
    fn new(name: &str, instance: &Instance, chains: u32, seed: u64, steps: u64) -> Option<Self> {
        let construct = |model: &Model, philox, number| construct(model, philox, number, 100_000, &|| false);
        Self::of(name, Model::new(instance), chains, [seed, steps], construct, Schedule::new)
    }

    /// More than 1,024 exams: every lane holds several words of a set.
    fn many_exams() -> Self {
        let run = Self::new("many exams", &made_up(1_100, 12, 1_500), 1, 6, 320).unwrap();
        assert!(run.schedule.components[0].exams.len() > 1_024, "{:?}", run.schedule.components[0].exams.len());
        run.in_epochs_of(320)
    }

    fn with_components() -> Self {
        Self::new("made up", &made_up(60, 9, 45), 4, 9, STEPS).unwrap()
    }
}

impl Case for Run<Model> {
    const MODULE: Module = Module::Annealing;
    type Tuning = Tuning;
    type Trace = Path_;

    fn describe(&self) -> String {
        format!("{}, seed {}", self.name, self.seed)
    }

    fn on_cpu(&self, threads: usize) -> Self::Trace {
        self.path(&mut CpuAnnealing::<i16>::new(self.stages(), &self.model, &self.starts, self.seed, pool(threads)))
    }

    fn on_device<M: Device>(&self, runtime: M, tuning: Self::Tuning) -> Answer<Self::Trace> {
        let (stages, threads) = (self.stages(), pool(1));
        let search =
            DeviceAnnealing::<i16, M>::new(stages, &self.model, &self.starts, self.seed, threads, runtime, tuning)?;
        let mut search = failing_over(search);
        Ok(self.walked(self.path(&mut search), &search, search.device().is_none()))
    }
}

#[test]
fn any_number_of_threads_gives_the_same_path() {
    compare_threads(SEEDS.into_iter().flat_map(tiny));
}

#[test]
fn the_kernels_in_the_emulator_give_the_values_of_the_cpu_in_every_order() {
    compare_in_every_order(tiny, tunings);
}

#[test]
fn the_kernels_in_the_emulator_stay_within_their_memory() {
    let runs = tiny(4).into_iter().enumerate();
    compare_emulated(runs.map(|(number, run)| (sanitized(), (run, vec![tunings()[1 + number % 2]]))));
}

#[test]
fn a_missing_barrier_is_detected() {
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
    let run = || Run::new("made up", &made_up(90, 12, 90), 2, 1, 64 * 20).unwrap();
    let cases = changes.map(|change| (Run { epochs: 5, ..run() }, Tuning { warps: 4, global: false }, change));
    // An access beyond the memory ends the emulator instead of reading what is there.
    detect_changes(cases, sanitized());
}

#[test]
fn a_lost_device_hands_over_to_the_cpu_with_the_same_numbers() {
    let run = Run::with_components();
    for launches in [0, 1, 5, 20, 40] {
        survive_loss(&run, Tuning::default(), launches, false);
    }
}

#[test]
fn what_a_device_cannot_hold_is_said_before_the_start() {
    let run = Run::new("made up", &made_up(23, 7, 60), 4, 1, STEPS).unwrap();
    for (free, reserves_left) in [(1_000, 99), (1 << 30, 3)] {
        refuse(&run, free, reserves_left, &["fewer chains"]);
    }
}

/// Tiny to published cases, every tuning.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu() {
    let tunings =
        [(2, false), (4, false), (8, false), (16, false), (8, true)].map(|(warps, global)| Tuning { warps, global });
    let published = real().into_iter().flat_map(|(source, instance, seeds)| {
        let run = move |&seed: &u64| Run::new(&source, &instance, 16, seed, 64 * 300);
        seeds.iter().filter_map(run).map(|run| run.in_epochs_of(4_000))
    });
    compare_on_cuda(SEEDS.into_iter().flat_map(tiny).chain(published).map(move |run| (run, tunings.to_vec())));
}

/// Small cases, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance() {
    let runs = tiny(1).into_iter().chain([Run::many_exams()]);
    compare_on_cuda(runs.map(|run| (run, tunings()[1..].to_vec())));
}

/// Awkward sizes, and every kind of rule.
fn tiny(seed: u64) -> Vec<Run<Model>> {
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

fn tunings() -> Vec<Tuning> {
    [(1, false), (8, false), (4, true)].map(|(warps, global)| Tuning { warps, global }).to_vec()
}

#[test]
fn what_is_compared_is_there() {
    let runs = tiny(1);
    assert!(runs.iter().any(|run| run.schedule.components.len() > 1), "several components");
    assert!(runs.iter().filter(|run| run.model.restrictions.is_some()).count() >= 3, "demands");
    let path = runs[1].on_cpu(1);
    assert!(path[0].1 > path[path.len() - 1].1, "the walk finds something better");
}

#[test]
fn many_exams_agree_in_the_emulator() {
    let config = EmulatorConfig { shared_per_block: 200 << 10, ..EmulatorConfig::default() };
    compare(&mut || start(Module::Annealing, config), &Run::many_exams(), &tunings()[1..]);
}

/// Resamplings within stages, too, also after the device is lost.
#[test]
fn frequent_resamplings_give_the_same_path() {
    let mut often = Run::with_components();
    let seldom = often.on_cpu(1);
    Arc::make_mut(&mut often.schedule).resamplings = 700;
    let reference = often.on_cpu(1);
    assert_ne!(reference, seldom, "chains are resampled more often");
    assert_eq!(often.on_cpu(2), reference);
    compare(&mut || start(Module::Annealing, EmulatorConfig::default()), &often, &[Tuning::default()]);
    let found = often.on_device(Faulty::lost_after(40, Module::Annealing), Tuning::default()).unwrap();
    assert_eq!(found.trace, reference);
    assert!(found.has_failed_over, "lost within a stage");
}
