//! Faults of a device from the probe to the middle of a run, and what a solve of a timetable makes of them: the same numbers on
//! the CPU with a note, or an error that says what to do where the device was asked for by name. Nothing is lost.

use gridwright_kernels::{CudaError, Module, SharedCuda};
use gridwright_solver::backend::OpenDevice;
use gridwright_solver::result::RunResult;
use gridwright_solver::search::{Budget, Control, Stop};
use gridwright_solver::timetabling::Instance;
use gridwright_solver::timetabling::annealing::AnnealingParameters;
use gridwright_solver::timetabling::bench::tables;
use gridwright_solver::timetabling::evolution::EvolutionParameters;
use gridwright_solver::timetabling::run::{Algorithm, Settings, replay, solve_with};
use gridwright_solver::{Error, Result};

use crate::ground::Ways;
use crate::support::*;

/// Both searches with so many steps that a device can be lost in the middle.
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

/// What is wrong with the device.
#[derive(Debug, Clone)]
enum Fault {
    /// It cannot be opened.
    Probe(CudaError),
    /// It has so many bytes, or breaks off at its n-th reservation.
    Memory { free: u64, reserves: u32 },
    /// It breaks off at its n-th launch.
    Launch(u32),
}

impl Fault {
    fn open(&self, module: Module) -> std::result::Result<OpenDevice, CudaError> {
        let (launches_left, reserves_left, free) = match *self {
            Self::Probe(ref why) => return Err(why.clone()),
            Self::Memory { free, reserves } => (u32::MAX, reserves, free),
            Self::Launch(launches) => (launches, u32::MAX, 1 << 30),
        };
        let machine = Faulty { inner: start(module, Ways::default()), launches_left, reserves_left, free };
        let (id, name) = ("cuda:0".to_owned(), "test ground".to_owned());
        Ok(OpenDevice { id, name, machine: SharedCuda::new(machine) })
    }
}

fn run(algorithm: &Algorithm, steps: u64, backend: &str, fault: &Fault, module: Module) -> Result<RunResult> {
    let stop = Stop::after(Budget::Steps(steps));
    let settings = Settings { algorithm: algorithm.clone(), backend: backend.to_owned(), threads: 2, seed: 9, stop };
    solve_with(&instance(), &settings, &|_| fault.open(module), &Control::new(), &mut |_| {})
}

/// The same path, the same timetable, confirmed by the checker.
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
            assert_eq!((found.backend.as_str(), found.device.as_str()), ("cuda:0", "test ground"));
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
            assert!(notes.len() == 1 && notes[0].contains("test ground"), "{notes:?}");
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

/// The published tables on the ground: all cells are there, and a kernel that errs ends the measurement.
#[test]
fn the_published_tables_are_measured_on_a_device_and_compared() {
    let ground = |ways| SharedCuda::new(start(Module::Evolution, ways));
    let measured = |machine| tables::measure(&[made_up(23, 7, 60)], &[13], 2, 2, &[machine], &mut |_| {});
    let reports = measured(ground(Ways::default())).unwrap();
    let [evaluation, generation, apart] = reports.as_slice() else { panic!("three tables") };
    for (report, published) in [(evaluation, true), (generation, true), (apart, false)] {
        let row = report.rows.last().unwrap();
        assert_eq!((row.len(), row[2].as_str()), (report.columns.len(), "cuda:0"));
        let cells = &row[3..row.len() - usize::from(published)];
        assert!(cells.iter().all(|cell| cell.parse::<f64>().is_ok()), "{row:?}");
    }
    let change = Some(("sum >> twice", "(sum >> twice) + 1"));
    let wrong = measured(ground(Ways { change, ..Ways::default() })).unwrap_err();
    assert!(wrong.to_string().contains("another population or other costs"), "{wrong}");
}
