//! Device faults from the probe to the middle of a timetabling run: the CPU continues with the same numbers and a note, or the run
//! ends with an error and its remedy if the device was chosen by name.

use gridwright_kernels::{CudaError, Module, SharedCuda};
use gridwright_solver::backend::OpenDevice;
use gridwright_solver::result::RunResult;
use gridwright_solver::search::{Algorithms, Budget, Control, Environment, Stop};
use gridwright_solver::timetabling::Instance;
use gridwright_solver::timetabling::annealing::AnnealingParameters;
use gridwright_solver::timetabling::bench::tables;
use gridwright_solver::timetabling::evolution::EvolutionParameters;
use gridwright_solver::timetabling::run::{Algorithm, Settings, replay, solve};
use gridwright_solver::{Error, Result};

use super::cuda_emulator::EmulatorConfig;
use super::support::*;

/// Both searches, with enough steps to lose a device in the middle.
fn searches() -> [(Algorithm, u64, Module); 2] {
    let annealing = AnnealingParameters { chains: 4, ..AnnealingParameters::default() };
    let evolution = EvolutionParameters { population: 13, constructed: 6, ..EvolutionParameters::default() };
    [
        (Algorithm::Annealing(annealing), 64 * 5, Module::Annealing),
        (Algorithm::Evolution(evolution), 12, Module::Evolution),
    ]
}

/// More exams than `auto` leaves to the CPU, in several components.
fn instance() -> Instance {
    made_up(60, 9, 45)
}

/// Fault of the device.
#[derive(Debug, Clone)]
enum Fault {
    /// The device cannot be opened.
    Probe(CudaError),
    /// The device has this many free bytes, or fails at this reservation.
    Memory { free: u64, reserves: u32 },
    /// The device fails at this launch.
    Launch(u32),
}

impl Fault {
    fn open(&self, module: Module) -> std::result::Result<OpenDevice, CudaError> {
        let (launches_left, reserves_left, free) = match *self {
            Self::Probe(ref why) => return Err(why.clone()),
            Self::Memory { free, reserves } => (u32::MAX, reserves, free),
            Self::Launch(launches) => (launches, u32::MAX, 1 << 30),
        };
        let runtime = Faulty { inner: start(module, EmulatorConfig::default()), launches_left, reserves_left, free };
        let (id, name) = ("cuda:0".to_owned(), "CUDA emulator".to_owned());
        Ok(OpenDevice { id, name, runtime: SharedCuda::new(runtime) })
    }
}

fn run(algorithm: &Algorithm, steps: u64, backend: &str, fault: &Fault, module: Module) -> Result<RunResult> {
    let stop = Stop::after(Budget::Steps(steps));
    let settings =
        Settings { algorithm: algorithm.clone(), goal: (), backend: backend.to_owned(), threads: 2, seed: 9, stop };
    let (control, open) = (Control::new(), |_: usize| fault.open(module));
    solve(&instance(), &settings, Environment { control: &control, open: &open }, &mut |_| {})
}

/// Asserts equal trajectories and timetables, confirmed by the checker.
fn assert_same(found: &RunResult, reference: &RunResult, what: &str) {
    assert_eq!(found.digests, reference.digests, "{what}");
    assert_eq!((&found.solution, &found.verdict), (&reference.solution, &reference.verdict), "{what}");
    assert!(found.verdict.confirmed && found.generations == reference.generations, "{what}");
}

#[test]
fn a_sound_device_gives_the_result_of_the_cpu() {
    for (algorithm, steps, module) in searches() {
        let reference = run(&algorithm, steps, "cpu", &Fault::Probe(CudaError::NoDriver), module).unwrap();
        assert_eq!(reference.backend, "cpu");
        for backend in ["auto", "cuda:0"] {
            let found = run(&algorithm, steps, backend, &Fault::Launch(u32::MAX), module).unwrap();
            assert_same(&found, &reference, backend);
            assert_eq!((found.backend.as_str(), found.device.as_str()), ("cuda:0", "CUDA emulator"));
            assert_eq!(found.device_notes().count(), 0, "{:?}", found.notes);
        }
    }
}

#[test]
fn a_probe_that_fails_leaves_the_run_to_the_cpu_unless_the_device_was_asked_for() {
    let broken = CudaError::Load("injected".to_owned());
    for (algorithm, steps, module) in searches() {
        let reference = run(&algorithm, steps, "cpu", &Fault::Probe(broken.clone()), module).unwrap();
        for (why, told) in [(CudaError::NoDriver, 0), (CudaError::NoDevice, 0), (broken.clone(), 1)] {
            let fault = Fault::Probe(why.clone());
            let found = run(&algorithm, steps, "auto", &fault, module).unwrap();
            assert_same(&found, &reference, &why.to_string());
            let notes: Vec<&str> = found.device_notes().collect();
            assert_eq!((found.backend.as_str(), notes.len()), ("cpu", told), "{notes:?}");
            assert!(notes.iter().all(|note| note.contains("injected")), "{notes:?}");
            let refused = run(&algorithm, steps, "cuda:0", &fault, module).unwrap_err();
            assert!(matches!(refused, Error::Device(_)), "{refused}");
            let text = refused.to_string();
            assert!(text.contains(&why.to_string()) && text.contains("--backend cpu"), "{text}");
        }
    }
}

#[test]
fn a_device_without_the_memory_leaves_the_run_to_the_cpu_unless_it_was_asked_for() {
    for (algorithm, steps, module) in searches() {
        let reference = run(&algorithm, steps, "cpu", &Fault::Launch(0), module).unwrap();
        for (free, reserves) in [(1_000, u32::MAX), (1 << 30, 0), (1 << 30, 4)] {
            let fault = Fault::Memory { free, reserves };
            let found = run(&algorithm, steps, "auto", &fault, module).unwrap();
            assert_same(&found, &reference, &format!("{fault:?}"));
            let notes: Vec<&str> = found.device_notes().collect();
            assert!(notes.len() == 1 && notes[0].contains("CUDA emulator"), "{notes:?}");
            let refused = run(&algorithm, steps, "cuda:0", &fault, module).unwrap_err();
            assert!(matches!(refused, Error::Device(_)) && refused.to_string().contains("use the CPU"), "{refused}");
        }
    }
}

#[test]
fn a_launch_that_fails_in_the_middle_of_a_run_loses_nothing() {
    for (algorithm, steps, module) in searches() {
        let reference = run(&algorithm, steps, "cpu", &Fault::Launch(0), module).unwrap();
        for launches in [3, 7, 12] {
            for backend in ["auto", "cuda:0"] {
                let found = run(&algorithm, steps, backend, &Fault::Launch(launches), module).unwrap();
                let what = format!("{}, {backend}, lost after {launches} launches", algorithm.name());
                assert_same(&found, &reference, &what);
                assert_eq!(found.stop_reason, reference.stop_reason, "{what}");
                let notes: Vec<&str> = found.device_notes().collect();
                assert!(notes.len() == 1 && notes[0].contains("injected"), "{what}: {notes:?}");
                let again = replay(&instance(), &found, "cpu", 1, &Control::new(), &mut |_| {}).unwrap();
                assert_eq!(again.first_difference, None, "{what}");
            }
        }
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
    let change = Some(("sum >> twice", "(sum >> twice) + 1"));
    let wrong = measured(emulator(EmulatorConfig { change, ..EmulatorConfig::default() })).unwrap_err();
    assert!(wrong.to_string().contains("another population or other costs"), "{wrong}");
}
