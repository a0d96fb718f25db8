//! The comparisons of kernels with their reference on the CPU, written once for every [`Case`].

use std::fmt::Debug;

use gridwright_kernels::{DeviceRuntime, Module};

use super::cuda_emulator::{Change, Changed, EmulatorConfig, WarpOrder};
use super::support::{Faulty, ORDERS, SEEDS, in_order, reused_cuda, start};

/// Orders of threads in which a missing barrier is looked for.
const ORDERS_WITHOUT_BARRIER: [WarpOrder; 4] =
    [WarpOrder::Eager, WarpOrder::Descending, WarpOrder::Shuffled(1), WarpOrder::Ascending];

/// A case and the tunings that are compared for it.
pub type Compared<C> = (C, Vec<<C as Case>::Tuning>);

/// A refusal of a device before the start is an error.
pub type Answer<T> = Result<OnDevice<T>, Box<dyn std::error::Error>>;

pub trait Device: DeviceRuntime + Debug + 'static {}

impl<M: DeviceRuntime + Debug + 'static> Device for M {}

/// Run on a device.
pub struct OnDevice<T> {
    pub trace: T,
    pub notes: Vec<String>,
    /// True if the CPU went on for the device.
    pub has_failed_over: bool,
}

/// A computation of the CPU that a module of kernels repeats: instance, parameters, seed and length of a run.
pub trait Case {
    const MODULE: Module;
    type Tuning: Copy + Debug + Default;
    /// All values that must be equal.
    type Trace: PartialEq + Debug;

    fn module(&self) -> Module {
        Self::MODULE
    }

    /// The case in messages.
    fn describe(&self) -> String;

    /// The reference.
    fn on_cpu(&self, threads: usize) -> Self::Trace;

    /// The computation on a device, whose trace must equal that of the CPU.
    fn on_device<M: Device>(&self, runtime: M, tuning: Self::Tuning) -> Answer<Self::Trace>;
}

/// Compares the cases of every seed in every order of threads. Each order has half of the tunings of a case, so that every
/// tuning is compared in at least two orders; a device compares all.
pub fn compare_in_every_order<C: Case>(cases: impl Fn(u64) -> Vec<C>, tunings: impl Fn() -> Vec<C::Tuning>) {
    for (number, (order, seed)) in ORDERS.into_iter().zip(SEEDS).enumerate() {
        for (at, case) in cases(seed).into_iter().enumerate() {
            let all = tunings();
            let half = all.len().div_ceil(2);
            let chosen = (0..half).map(|step| all[(number + at + step * (all.len() / half)) % all.len()]);
            compare_emulated([(in_order(order), (case, chosen.collect()))]);
        }
    }
}

/// Compares every tuning with the reference.
pub fn compare<C: Case, M: Device>(open: &mut dyn FnMut() -> M, case: &C, tunings: &[C::Tuning]) {
    let expected = case.on_cpu(1);
    for &tuning in tunings {
        let found = case.on_device(open(), tuning).unwrap();
        assert!(!found.has_failed_over, "{}: {:?}", case.describe(), found.notes);
        assert_eq!(found.trace, expected, "{}, {tuning:?}", case.describe());
    }
}

pub fn compare_emulated<C: Case>(cases: impl IntoIterator<Item = (EmulatorConfig, Compared<C>)>) {
    for (config, (case, tunings)) in cases {
        compare(&mut || start(case.module(), config), &case, &tunings);
    }
}

pub fn compare_on_cuda<C: Case>(cases: impl IntoIterator<Item = Compared<C>>) {
    let open = &mut reused_cuda();
    for (case, tunings) in cases {
        compare(open, &case, &tunings);
        println!("equal on the device: {}", case.describe());
    }
}

pub fn compare_threads(cases: impl IntoIterator<Item = impl Case>) {
    for case in cases {
        let reference = case.on_cpu(1);
        for threads in [2, 3, 8] {
            assert_eq!(case.on_cpu(threads), reference, "{}, {threads} threads", case.describe());
        }
    }
}

/// Without a barrier, or with another slip in the sources, some order of threads gives other values. The changes are those of one
/// module.
pub fn detect_changes<C: Case>(changes: impl IntoIterator<Item = (C, C::Tuning, Change)>, config: EmulatorConfig) {
    let changes: Vec<_> = changes.into_iter().collect();
    // One program for all of them, since compiling takes longest.
    let all: &[Change] = changes.iter().map(|(_, _, change)| *change).collect::<Vec<_>>().leak();
    for (number, (case, tuning, change)) in changes.iter().enumerate() {
        let expected = case.on_cpu(1);
        let differs = ORDERS_WITHOUT_BARRIER.into_iter().any(|order| {
            let changed = Some(Changed::Switched { all, number });
            let runtime = start(case.module(), EmulatorConfig { order, changed, ..config });
            // Threads that wait in vain end the emulator: an error, or the CPU takes over.
            let found = case.on_device(runtime, *tuning);
            found.map_or(true, |found| found.has_failed_over || found.trace != expected)
        });
        assert!(differs, "{}: without {:?} every order gives the right values", case.describe(), change.0);
    }
}

/// The device is lost after `launches_left` launches, unless `may_end` and the run ends before.
pub fn survive_loss<C: Case>(case: &C, tuning: C::Tuning, launches_left: u32, may_end: bool) {
    let found = case.on_device(Faulty::lost_after(launches_left, case.module()), tuning).unwrap();
    let what = format!("{}, lost after {launches_left} launches: {:?}", case.describe(), found.notes);
    assert_eq!(found.trace, case.on_cpu(2), "{what}");
    if !may_end {
        assert!(found.has_failed_over && found.notes.len() == 1, "{what}");
        let parts = ["injected", "the CPU went on", "same numbers"];
        assert!(parts.iter().all(|part| found.notes[0].contains(part)), "{what}");
    }
}

/// A device with so many bytes of free memory refuses the case with these words, or at reservation number `reserves_left`.
pub fn refuse<C: Case>(case: &C, free: u64, reserves_left: u32, words: &[&str]) {
    let runtime = Faulty { free, reserves_left, ..Faulty::lost_after(9, case.module()) };
    let refused = case.on_device(runtime, C::Tuning::default()).err();
    let text = refused.unwrap_or_else(|| panic!("{} was not refused", case.describe())).to_string();
    assert!(words.iter().all(|part| text.contains(part)), "{}: {text}", case.describe());
}
