//! One suite for every algorithm of every problem, taken from the lists of descriptors: equal results on 1, 2 and 8 threads
//! and on a device, faults of a device from the probe to the middle of a run, cancel and pause, time limits.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use gridwright_kernels::{CudaError, Module, SharedCuda};
use gridwright_solver::backend::{OpenDevice, open_cuda};
use gridwright_solver::replay::ReplayReport;
use gridwright_solver::result::RunResult;
use gridwright_solver::search::{Algorithms, Budget, Control, Environment, Settings, Stop, StopReason};
use gridwright_solver::{Error, Result, facility, flowshop, systolic, timetabling};

use super::cuda_emulator::EmulatorConfig;
use super::support::*;

/// Parameters that make runs small, for every algorithm that has a parameter of the name. `generations` and `steps` do not
/// occur: the budget limits the run.
const SMALL: [(&str, &str); 9] = [
    ("chains", "3"),
    ("population", "13"),
    ("constructed", "6"),
    ("islands", "2"),
    ("individuals", "8"),
    ("members", "4"),
    ("divisions", "3"),
    ("interval", "2"),
    ("leg", "4"),
];

type Solve = dyn Fn(&How<'_>, Environment<'_>, &mut dyn FnMut()) -> Result<RunResult> + Send + Sync;
type Replay = dyn Fn(&RunResult, &str, usize, Environment<'_>) -> Result<ReplayReport> + Send + Sync;

/// Settings of a run beside algorithm and goal.
struct How<'a> {
    backend: &'a str,
    threads: usize,
    budget: Budget,
    /// An instance of the size that users have, with default parameters, instead of a tiny one.
    usual: bool,
}

/// An algorithm with instances to solve.
struct Case {
    name: String,
    /// Kernels of the algorithm; `None` for the CPU only.
    module: Option<Module>,
    steps: u64,
    solve: Box<Solve>,
    replay: Box<Replay>,
}

/// Cases of one problem: `$run` is its run module, `$goal` the goal for the name of an algorithm, `$instance` the instance for the
/// name and whether it should have the usual size.
macro_rules! cases {
    ($cases:ident, $run:path, $steps:expr, $goal:expr, $instance:expr) => {{
        use $run as run;
        for descriptor in run::Algorithm::ALL {
            let name = descriptor.name;
            let algorithm = move |usual: bool| {
                let mut algorithm = run::Algorithm::named(name).unwrap();
                for (parameter, value) in SMALL.iter().filter(|_| !usual) {
                    if algorithm.list().iter().any(|known| known.name == *parameter) {
                        algorithm.set(parameter, value).unwrap();
                    }
                }
                algorithm
            };
            let settings = move |how: &How<'_>| Settings {
                algorithm: algorithm(how.usual),
                goal: $goal(name),
                backend: how.backend.to_owned(),
                threads: how.threads,
                seed: 9,
                stop: Stop::after(how.budget),
            };
            let tiny = $instance(name, false);
            let again = $instance(name, false);
            $cases.push(Case {
                name: format!("{}: {name}", stringify!($run)),
                module: descriptor.cpu_only.is_none().then(|| module_of(name)),
                steps: $steps(name),
                solve: Box::new(move |how, environment, tell| {
                    let usual = how.usual.then(|| $instance(name, true));
                    let instance = usual.as_ref().unwrap_or(&tiny);
                    run::solve(instance, &settings(how), environment, &mut |_| tell())
                }),
                replay: Box::new(move |result, backend, threads, environment| {
                    run::replay(&again, result, backend, threads, environment, &mut |_| {})
                }),
            });
        }
    }};
}

/// Kernels of an algorithm.
fn module_of(algorithm: &str) -> Module {
    match algorithm {
        "annealing" => Module::Annealing,
        "evolution" => Module::Evolution,
        "greedy" => Module::Greedy,
        "pls" | "tabu" => Module::Front,
        "memetic" | "genetic" => Module::Facility,
        "sga" | "ega" | "random" => Module::Baselines,
        flavour if flavour.starts_with("sgs-") => Module::Systolic,
        unknown => panic!("say here which kernels {unknown} has, or describe it as one for the CPU only"),
    }
}

fn timetabling_instance(_: &str, usual: bool) -> timetabling::Instance {
    // More exams than `auto` leaves to the CPU, in several components.
    if usual { timetabling::generator::sample("university").unwrap() } else { made_up(60, 9, 45) }
}

fn shop(_: &str, usual: bool) -> flowshop::Instance {
    let source = if usual { "taillard:ta111" } else { "taillard:ta041" };
    flowshop::formats::open(source, &flowshop::formats::LoadOptions::default()).unwrap()
}

fn shop_goal(algorithm: &str) -> flowshop::multiobjective::Goal {
    if algorithm == "greedy" { "makespan" } else { "makespan,flowtime" }.parse().unwrap()
}

fn plant(algorithm: &str, usual: bool) -> facility::Instance {
    let sample = facility::library::sample("layout-workshop").unwrap();
    let free = facility::Instance { rules: facility::Rules::default(), ..sample };
    if algorithm == "enumeration" {
        return free;
    }
    let source = if usual { "layout:F60" } else { "layout:F40" };
    facility::formats::open(source, &facility::formats::LoadOptions::default()).unwrap()
}

fn bits(_: &str, usual: bool) -> systolic::Instance {
    systolic::library::named(if usual { "knapsack:1000-1000" } else { "knapsack:100-1000" }, 5).unwrap()
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let steps = |name: &str| if name == "annealing" { 320 } else { 12 };
    cases!(cases, timetabling::run, steps, |_| (), timetabling_instance);
    cases!(cases, flowshop::run, |_| 4, shop_goal, shop);
    cases!(cases, facility::run, |_| 12, |_| None, plant);
    cases!(cases, systolic::run, |_| 24, |_| (), bits);
    cases
}

/// State of a device.
#[derive(Debug, Clone)]
enum Fault {
    /// The device cannot be opened.
    Probe(CudaError),
    /// The device has so much memory in bytes, and refuses the n-th reservation.
    Memory { free: u64, reserves: u32 },
    /// The device is lost at the n-th launch.
    Launch(u32),
}

impl Fault {
    fn open(&self, module: Module) -> std::result::Result<OpenDevice, CudaError> {
        let (launches_left, reserves_left, free) = match *self {
            Self::Probe(ref why) => return Err(why.clone()),
            Self::Memory { free, reserves } => (u32::MAX, reserves, free),
            Self::Launch(launches) => (launches, u32::MAX, 1 << 30),
        };
        let inner = start(module, EmulatorConfig::default());
        let runtime = SharedCuda::new(Faulty { inner, launches_left, reserves_left, free });
        Ok(OpenDevice { id: "cuda:0".to_owned(), name: "CUDA emulator".to_owned(), runtime })
    }
}

impl Case {
    fn tiny<'a>(&self, backend: &'a str, threads: usize) -> How<'a> {
        How { backend, threads, budget: Budget::Steps(self.steps), usual: false }
    }

    fn on_cpu(&self, threads: usize) -> RunResult {
        let control = Control::new();
        let open = |_: usize| -> std::result::Result<OpenDevice, CudaError> { panic!("the CPU needs no device") };
        let environment = Environment { control: &control, open: &open };
        (self.solve)(&self.tiny("cpu", threads), environment, &mut || {}).unwrap()
    }

    fn with_fault(&self, backend: &str, fault: &Fault) -> Result<RunResult> {
        let (control, module) = (Control::new(), self.module.unwrap_or(Module::Annealing));
        let open = |_: usize| fault.open(module);
        (self.solve)(&self.tiny(backend, 2), Environment { control: &control, open: &open }, &mut || {})
    }

    /// Replays a result on the CPU.
    fn assert_replays(&self, result: &RunResult, threads: usize, what: &str) {
        let control = Control::new();
        let report = (self.replay)(result, "cpu", threads, Environment::from(&control)).unwrap();
        assert!(report.is_equal(), "{}, {what}: {report:?}", self.name);
    }

    /// The result of the CPU, epoch by epoch.
    fn assert_same(&self, found: &RunResult, reference: &RunResult, what: &str) {
        assert_eq!(found.digests, reference.digests, "{}, {what}", self.name);
        assert_eq!(
            (&found.solution, &found.verdict),
            (&reference.solution, &reference.verdict),
            "{}, {what}",
            self.name
        );
        assert_eq!(found.front, reference.front, "{}, {what}", self.name);
    }
}

/// Runs `check` for every case, on two threads.
fn for_each_case(check: impl Fn(&Case) + Sync) {
    let (cases, next) = (cases(), AtomicUsize::new(0));
    let worker = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            check(case);
        }
    };
    std::thread::scope(|scope| {
        let workers = [scope.spawn(worker), scope.spawn(worker)];
        for worker in workers {
            worker.join().unwrap();
        }
    });
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for_each_case(|case| {
        let reference = case.on_cpu(1);
        assert!(reference.verdict.confirmed && reference.backend == "cpu", "{}: {:?}", case.name, reference.verdict);
        for threads in [2, 8] {
            case.assert_same(&case.on_cpu(threads), &reference, &format!("{threads} threads"));
        }
        case.assert_replays(&reference, 2, "replayed");
    });
}

#[test]
fn the_emulator_gives_the_numbers_of_the_cpu() {
    for_each_case(|case| {
        let sound = Fault::Launch(u32::MAX);
        if case.module.is_none() {
            let refused = case.with_fault("cuda:0", &sound).unwrap_err().to_string();
            assert!(refused.contains("--backend cpu"), "{}: {refused}", case.name);
            return;
        }
        for backend in ["auto", "cuda:0"] {
            let found = case.with_fault(backend, &sound).unwrap();
            assert_eq!((found.backend.as_str(), found.device.as_str()), ("cuda:0", "CUDA emulator"), "{}", case.name);
            assert_eq!(found.device_notes().count(), 0, "{}: {:?}", case.name, found.notes);
            case.assert_replays(&found, 2, backend);
        }
    });
}

#[test]
#[ignore = "needs a CUDA device"]
fn cuda_gives_the_numbers_of_the_cpu() {
    for case in cases().iter().filter(|case| case.module.is_some()) {
        let control = Control::new();
        let environment = Environment { control: &control, open: &open_cuda };
        let found = (case.solve)(&case.tiny("cuda:0", 2), environment, &mut || {}).unwrap();
        assert_eq!(found.backend, "cuda:0", "{}", case.name);
        case.assert_replays(&found, 2, "on a device");
    }
}

#[test]
fn a_device_that_cannot_be_opened_leaves_the_run_to_the_cpu_unless_it_was_asked_for() {
    let broken = CudaError::Load("injected".to_owned());
    for_each_case(|case| {
        let reference = case.on_cpu(2);
        for (why, told) in [(CudaError::NoDriver, 0), (CudaError::NoDevice, 0), (broken.clone(), 1)] {
            let fault = Fault::Probe(why.clone());
            let found = case.with_fault("auto", &fault).unwrap();
            case.assert_same(&found, &reference, &why.to_string());
            let notes: Vec<&str> = found.device_notes().collect();
            // What only the CPU has needs no excuse.
            let told = if case.module.is_none() { 0 } else { told };
            assert_eq!((found.backend.as_str(), notes.len()), ("cpu", told), "{}: {notes:?}", case.name);
            assert!(notes.iter().all(|note| note.contains("injected")), "{}: {notes:?}", case.name);
            let refused = case.with_fault("cuda:0", &fault).unwrap_err();
            let text = refused.to_string();
            assert!(matches!(refused, Error::Device(_)) && text.contains("--backend cpu"), "{}: {text}", case.name);
            assert!(case.module.is_none() || text.contains(&why.to_string()), "{}: {text}", case.name);
        }
    });
}

#[test]
fn a_device_without_the_memory_leaves_the_run_to_the_cpu_unless_it_was_asked_for() {
    for_each_case(|case| {
        if case.module.is_none() {
            return;
        }
        let reference = case.on_cpu(2);
        for (free, reserves) in [(1_000, u32::MAX), (1 << 30, 0), (1 << 30, 3)] {
            let fault = Fault::Memory { free, reserves };
            let found = case.with_fault("auto", &fault).unwrap();
            case.assert_same(&found, &reference, &format!("{fault:?}"));
            let notes: Vec<&str> = found.device_notes().collect();
            assert!(notes.len() == 1 && notes[0].contains("CUDA emulator"), "{}: {notes:?}", case.name);
            assert_eq!(found.backend, "cpu", "{}", case.name);
            let refused = case.with_fault("cuda:0", &fault).unwrap_err();
            assert!(matches!(refused, Error::Device(_)), "{}: {refused}", case.name);
        }
    });
}

#[test]
fn a_device_that_is_lost_in_the_middle_of_a_run_loses_nothing() {
    for_each_case(|case| {
        if case.module.is_none() {
            return;
        }
        let whole = case.with_fault("cuda:0", &Fault::Launch(u32::MAX)).unwrap();
        for (launches, backend) in [(2, "auto"), (3, "cuda:0"), (6, "auto"), (12, "cuda:0")] {
            let found = case.with_fault(backend, &Fault::Launch(launches)).unwrap();
            let what = format!("lost after {launches} launches");
            case.assert_same(&found, &whole, &what);
            assert_eq!(found.stop_reason, whole.stop_reason, "{}, {what}", case.name);
            let notes: Vec<&str> = found.device_notes().collect();
            assert!(notes.len() <= 1 && notes.iter().all(|note| note.contains("injected")), "{}: {notes:?}", case.name);
            case.assert_replays(&found, 1, &what);
        }
    });
}

#[test]
fn a_run_under_a_time_limit_is_replayed() {
    for_each_case(|case| {
        let control = Control::new();
        let how = How { budget: Budget::Seconds(0.15), ..case.tiny("cpu", 2) };
        let found = (case.solve)(&how, Environment::from(&control), &mut || {}).unwrap();
        assert!(found.time_limit.is_some(), "{}", case.name);
        case.assert_replays(&found, 1, "time limit");
    });
}

/// Time until a run hears a pause, and then a cancel.
fn hearing(case: &Case) -> [Duration; 2] {
    let (control, reports) = (Control::new(), AtomicUsize::new(0));
    let ended = Mutex::new(None);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let how = How { backend: "cpu", threads: 1, budget: Budget::Steps(1 << 31), usual: true };
            let mut tell = || {
                reports.fetch_add(1, Ordering::Relaxed);
            };
            let result = (case.solve)(&how, Environment::from(&control), &mut tell).unwrap();
            *ended.lock().unwrap() = Some(result.stop_reason);
        });
        let wait_until = |heard: &dyn Fn() -> bool| {
            let began = Instant::now();
            while !heard() && began.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(1));
            }
            began.elapsed()
        };
        let is_over = || ended.lock().unwrap().is_some();
        wait_until(&|| reports.load(Ordering::Relaxed) > 1 || is_over());
        control.pause();
        let paused = wait_until(&|| control.is_waiting() || is_over());
        control.resume();
        std::thread::sleep(Duration::from_millis(20));
        control.cancel();
        let cancelled = wait_until(&is_over);
        [paused, cancelled]
    })
}

/// On instances of a usual size. The median of several attempts counts, since other programs may disturb some; on a busy
/// machine the attempts are repeated.
#[test]
fn pause_and_cancel_are_heard_within_100_milliseconds() {
    const LIMIT: Duration = Duration::from_millis(100);
    let mut slow = Vec::new();
    for case in cases() {
        let median = || {
            let mut times: Vec<Duration> =
                (0..5).map(|_| hearing(&case).into_iter().max().unwrap_or_default()).collect();
            times.sort_unstable();
            println!("{}: {times:?}", case.name);
            times[2]
        };
        if (0..3).all(|_| median() >= LIMIT) {
            slow.push(case.name.clone());
        }
    }
    assert!(slow.is_empty(), "longer than {LIMIT:?}: {slow:?}");
}

/// Version 0.2.0 recorded the device of binary problems as `cuda`.
#[test]
fn a_result_of_the_first_version_names_its_device_otherwise_and_is_replayed() {
    let case = cases().into_iter().find(|case| case.name.ends_with("sgs-b")).unwrap();
    let mut found = case.on_cpu(1);
    found.backend = "cuda".to_owned();
    case.assert_replays(&found, 1, "recorded as cuda");
    assert_eq!(found.stop_reason, StopReason::Budget);
}
