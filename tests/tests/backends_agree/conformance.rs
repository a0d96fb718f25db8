//! One suite for every algorithm of every problem, taken from the lists of descriptors: equal results on 1, 2 and 8 threads
//! and on a device, faults of a device from the probe to the middle of a run, cancel and pause, time limits, also while
//! first solutions of large instances are constructed.

mod several;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use gridwright_core::backend::{OpenDevice, open_cuda};
use gridwright_core::problem::Problem as _;
use gridwright_core::replay::ReplayReport;
use gridwright_core::result::RunResult;
use gridwright_core::search::{Algorithms, Budget, Control, Environment, Settings, Stop, StopReason, Value};
use gridwright_core::{Error, Result};
use gridwright_facility as facility;
use gridwright_flowshop as flowshop;
use gridwright_kernels::{CudaError, Module, SharedCuda};
use gridwright_systolic as systolic;
use gridwright_timetabling as timetabling;

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

/// Size of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Size {
    /// A few dozen elements, solved with [`SMALL`] parameters.
    Tiny,
    /// Size that users have, with default parameters.
    Usual,
    /// Largest that a test can afford, with default parameters: without a clock its construction takes from seconds to minutes.
    Large,
}

type Solve = dyn Fn(&How<'_>, Environment<'_>, &mut dyn FnMut()) -> Result<RunResult> + Send + Sync;
type Replay = dyn Fn(&RunResult, Size, &str, usize, Environment<'_>) -> Result<ReplayReport> + Send + Sync;

/// Settings of a run beside algorithm and goal.
struct How<'a> {
    backend: &'a str,
    threads: usize,
    budget: Budget,
    size: Size,
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
/// name and a size.
macro_rules! cases {
    ($cases:ident, $run:path, $steps:expr, $goal:expr, $instance:expr) => {{
        use $run as run;
        for descriptor in run::Algorithm::ALL {
            let name = descriptor.name;
            let algorithm = move |size: Size| {
                let mut algorithm = run::Algorithm::named(name).unwrap();
                for (parameter, value) in SMALL.iter().filter(|_| size == Size::Tiny) {
                    if algorithm.list().iter().any(|known| known.name == *parameter) {
                        algorithm.set(parameter, value).unwrap();
                    }
                }
                algorithm
            };
            let settings = move |how: &How<'_>| Settings {
                algorithm: algorithm(how.size),
                goal: $goal(name),
                backend: how.backend.to_owned(),
                threads: how.threads,
                seed: 9,
                stop: Stop::after(how.budget),
            };
            // Instances are made once, so that their making does not count.
            let made = Arc::new([const { OnceLock::new() }; 3]);
            let again = Arc::clone(&made);
            let of = move |made: &[OnceLock<_>; 3], size: Size| {
                Arc::clone(made[size as usize].get_or_init(|| Arc::new($instance(name, size))))
            };
            $cases.push(Case {
                name: format!("{}: {name}", stringify!($run)),
                module: descriptor.cpu_only.is_none().then(|| module_of(name)),
                steps: $steps(name),
                solve: Box::new(move |how, environment, tell| {
                    run::solve(&of(&made, how.size), &settings(how), environment, &mut |_| tell())
                }),
                replay: Box::new(move |result, size, backend, threads, environment| {
                    run::replay(&of(&again, size), result, backend, threads, environment, &mut |_| {})
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

fn timetabling_instance(_: &str, size: Size) -> timetabling::Instance {
    match size {
        // More exams than `auto` leaves to the CPU, in several components.
        Size::Tiny => made_up(60, 9, 45),
        Size::Usual => timetabling::generator::sample("university").unwrap(),
        Size::Large => made_up(3_000, 40, 60_000),
    }
}

fn shop(algorithm: &str, size: Size) -> flowshop::Instance {
    let source = match size {
        Size::Tiny => "taillard:ta041",
        Size::Usual => "taillard:ta111",
        Size::Large => {
            let (jobs, machines) = if algorithm == "greedy" { (65_535, 1) } else { (1_000, 60) };
            let times = (0..jobs * machines).map(|operation| 1 + operation as u32 * 7_919 % 99).collect();
            return flowshop::Instance::of_times("large", machines, times).unwrap();
        }
    };
    flowshop::formats::open(source, &flowshop::formats::LoadOptions::default()).unwrap()
}

fn shop_goal(algorithm: &str) -> flowshop::multiobjective::Goal {
    if algorithm == "greedy" { "makespan" } else { "makespan,flowtime" }.parse().unwrap()
}

fn plant(algorithm: &str, size: Size) -> facility::Instance {
    if size == Size::Large {
        let departments = if algorithm == "enumeration" { 13 } else { facility::instance::MAX_DEPARTMENTS };
        let options = [("departments", departments.to_string()), ("density", "0.2".into()), ("seed", "1".into())];
        let options = options.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.ron");
        (facility::problem::Facility.generators()[0].run)(&options, &path).unwrap();
        return facility::formats::load(&path, &facility::formats::LoadOptions::default()).unwrap();
    }
    let sample = facility::library::sample("layout-workshop").unwrap();
    let free = facility::Instance { rules: facility::Rules::default(), ..sample };
    if algorithm == "enumeration" {
        return free;
    }
    let source = if size == Size::Usual { "layout:F60" } else { "layout:F40" };
    facility::formats::open(source, &facility::formats::LoadOptions::default()).unwrap()
}

fn bits(_: &str, size: Size) -> systolic::Instance {
    let name = match size {
        Size::Tiny => "knapsack:100-1000",
        Size::Usual => "knapsack:1000-1000",
        Size::Large => "knapsack:3000-1000",
    };
    systolic::library::named(name, 5).unwrap()
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
    /// The device is lost at the n-th launch, transfer or wait.
    Call(u32),
}

impl Fault {
    /// Opens the device of a number; each has one multiprocessor more than the one before.
    fn open(&self, module: Module, number: usize) -> std::result::Result<OpenDevice, CudaError> {
        if let Self::Probe(why) = self {
            return Err(why.clone());
        }
        let multiprocessors = number as u32 + 1;
        let sound = Faulty::sound(start(module, EmulatorConfig { multiprocessors, ..EmulatorConfig::default() }));
        let device = match *self {
            Self::Probe(_) => sound,
            Self::Memory { free, reserves } => Faulty { reserves_left: reserves, free, ..sound },
            Self::Launch(launches_left) => Faulty { launches_left, ..sound },
            Self::Call(calls_left) => Faulty { calls_left, ..sound },
        };
        let runtime = SharedCuda::new(device);
        Ok(OpenDevice::new(format!("cuda:{number}"), "CUDA emulator".to_owned(), runtime))
    }
}

impl Case {
    fn tiny<'a>(&self, backend: &'a str, threads: usize) -> How<'a> {
        How { backend, threads, budget: Budget::Steps(self.steps), size: Size::Tiny }
    }

    fn on_cpu(&self, threads: usize) -> RunResult {
        let control = Control::new();
        let open = |_: usize| -> std::result::Result<OpenDevice, CudaError> { panic!("the CPU needs no device") };
        let environment = Environment { control: &control, open: &open };
        (self.solve)(&self.tiny("cpu", threads), environment, &mut || {}).unwrap()
    }

    fn with_fault(&self, backend: &str, fault: &Fault) -> Result<RunResult> {
        let (control, module) = (Control::new(), self.module.unwrap_or(Module::Annealing));
        let open = |number: usize| fault.open(module, number);
        (self.solve)(&self.tiny(backend, 2), Environment { control: &control, open: &open }, &mut || {})
    }

    /// Replays a result on the CPU.
    fn assert_replays(&self, result: &RunResult, threads: usize, what: &str) {
        self.assert_replays_of(Size::Tiny, result, threads, what);
    }

    fn assert_replays_of(&self, size: Size, result: &RunResult, threads: usize, what: &str) {
        let control = Control::new();
        let report = (self.replay)(result, size, "cpu", threads, Environment::from(&control)).unwrap();
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
            assert_eq!(found.device_notes, [], "{}", case.name);
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
            let notes = texts(&found.device_notes);
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
            let notes = texts(&found.device_notes);
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
            let notes = texts(&found.device_notes);
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

/// A number of evaluations ends a run at the same step on every backend and number of threads; its replay ends there, too.
#[test]
fn evaluations_end_a_run_at_the_same_step_everywhere() {
    for_each_case(|case| {
        let sound = Fault::Launch(u32::MAX);
        let limit = case.on_cpu(1).evaluations * 2 / 3;
        let solve = |backend: &str, threads: usize| {
            let control = Control::new();
            let open = |number: usize| sound.open(case.module.unwrap_or(Module::Annealing), number);
            let how = How { budget: Budget::Evaluations(limit), ..case.tiny(backend, threads) };
            (case.solve)(&how, Environment { control: &control, open: &open }, &mut || {})
        };
        let first = match solve("cpu", 1) {
            Ok(first) => first,
            Err(refusal) => return assert!(refusal.to_string().contains("cools"), "{}: {refusal}", case.name),
        };
        assert!(first.evaluations >= limit && first.plan.evaluations == Some(limit), "{}", case.name);
        case.assert_same(&solve("cpu", 2).unwrap(), &first, "2 threads");
        case.assert_replays(&first, 2, "evaluations");
        if case.module.is_some() {
            let found = solve("cuda:0", 2).unwrap();
            assert_eq!((found.generations, found.evaluations), (first.generations, first.evaluations), "{}", case.name);
            case.assert_same(&found, &first, "on a device");
        }
    });
}

/// Time until a run hears a pause, and then a cancel.
fn hearing(case: &Case) -> [Duration; 2] {
    let (control, reports) = (Control::new(), AtomicUsize::new(0));
    let ended = Mutex::new(None);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let how = How { backend: "cpu", threads: 1, budget: Budget::Steps(1 << 31), size: Size::Usual };
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

/// Time that a run of a large instance takes that is cancelled `after` its start, or limited to a second for `None`, and its
/// result.
fn interrupted(case: &Case, after: Option<Duration>) -> (Duration, RunResult) {
    let control = Control::new();
    let budget = if after.is_some() { Budget::Steps(1 << 31) } else { Budget::Seconds(1.0) };
    let how = How { backend: "cpu", threads: 2, budget, size: Size::Large };
    std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            let result = (case.solve)(&how, Environment::from(&control), &mut || {}).unwrap();
            (Instant::now(), result)
        });
        let mut from = Instant::now();
        if let Some(after) = after {
            std::thread::sleep(after);
            from = Instant::now();
            control.cancel();
        }
        let (ended, result) = run.join().unwrap();
        (ended.saturating_duration_since(from), result)
    })
}

/// On instances whose construction takes longer than that. A construction that was cut short is repeated to the bit.
#[test]
fn large_instances_hear_a_cancel_within_a_second_and_hold_a_time_limit() {
    const LIMIT: Duration = Duration::from_secs(1);
    let mut slow = Vec::new();
    for case in cases() {
        // Makes the instance.
        interrupted(&case, Some(Duration::ZERO));
        // Other programs may disturb some attempts.
        let attempts: Vec<_> = (0..3).map(|_| interrupted(&case, Some(Duration::from_millis(100)))).collect();
        let heard = attempts.iter().map(|attempt| attempt.0).min().unwrap_or_default();
        let (took, limited) = interrupted(&case, None);
        println!("{}: cancel {heard:?}, limit {took:?}, {:?}", case.name, limited.plan.constructed);
        if heard >= LIMIT || took >= 2 * LIMIT {
            slow.push(format!("{}: cancelled after {heard:?}, a limit of {LIMIT:?} took {took:?}", case.name));
        }
        for result in [&attempts[0].1, &limited] {
            assert!(result.verdict.confirmed, "{}: {}", case.name, result.verdict.cost_display);
            case.assert_replays_of(Size::Large, result, 1, "large");
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}

/// Parameters that a run resolves and that a damaged result lacks.
#[test]
fn a_result_without_its_resolved_parameters_is_refused_or_differs() {
    for_each_case(|case| {
        let found = case.on_cpu(1);
        for name in ["chains", "islands", "individuals", "members", "divisions", "tenure"] {
            let Some(Value::Integer(_)) = found.parameters.get(name) else { continue };
            let (mut without, mut zero) = (found.clone(), found.clone());
            without.parameters.remove(name);
            zero.parameters.insert(name.to_owned(), Value::Integer(0));
            for changed in [without, zero] {
                let control = Control::new();
                match (case.replay)(&changed, Size::Tiny, "cpu", 1, Environment::from(&control)) {
                    Ok(report) => assert!(!report.is_equal(), "{}, without {name}", case.name),
                    Err(why) => assert!(matches!(why, Error::Usage(_)), "{}, without {name}: {why}", case.name),
                }
            }
        }
    });
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
