//! Helpers of all comparisons: generated instances, paths, and a device runtime that fails.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use gridwright_core::backend::DeviceNote;
use gridwright_core::search::failover::{DeviceEpochs, FailoverSearch};
use gridwright_core::search::{Control, Epochs};
use gridwright_kernels::{
    CudaError, CudaRuntime, DeviceGroup, DeviceRuntime, GroupMember, Launch, Limits, Memory, Module, SharedCuda,
};
use gridwright_timetabling::formats::{LoadOptions, open};
use gridwright_timetabling::{Exam, Instance, InstanceParts, Reference, Relation, RelationKind, Timetable, UNPLACED};

use super::cuda_emulator::{CudaEmulator, EmulatorConfig, WarpOrder};

pub const SEEDS: [u64; 5] = [1, 2, 3, 0x0123_4567_89ab_cdef, u64::MAX];

pub const ORDERS: [WarpOrder; 4] =
    [WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Shuffled(7), WarpOrder::Eager];

pub fn in_order(order: WarpOrder) -> EmulatorConfig {
    EmulatorConfig { order, ..EmulatorConfig::default() }
}

/// Texts of notes on devices.
pub fn texts(notes: &[DeviceNote]) -> Vec<String> {
    notes.iter().map(DeviceNote::to_string).collect()
}

/// Emulator that checks every access to memory.
pub fn sanitized() -> EmulatorConfig {
    EmulatorConfig { sanitized: true, ..in_order(WarpOrder::Shuffled(3)) }
}

/// Linear congruential generator; the tests need no better one.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

pub fn pool(threads: usize) -> Arc<rayon::ThreadPool> {
    Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
}

/// Starts the kernels of a module in the emulator.
pub fn start(module: Module, config: EmulatorConfig) -> CudaEmulator {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    CudaEmulator::start(&sources, Path::new(env!("CARGO_TARGET_TMPDIR")), module, config).unwrap()
}

/// Generates an instance whose students take random exams.
pub fn made_up(exams: usize, periods: usize, students: usize) -> Instance {
    let mut numbers = Numbers(exams as u64);
    let mut student = |_| (0..2 + numbers.below(3)).map(|_| numbers.below(exams) as u16).collect();
    let students = (0..students).map(&mut student).collect();
    let exams = (0..exams).map(|number| Exam { code: format!("E{number}"), ..Exam::default() }).collect();
    let parts = InstanceParts { name: "made up".to_owned(), exams, students, ..InstanceParts::default() };
    Instance::build(parts).unwrap().with_periods(periods).unwrap()
}

/// Adds pins, forbidden periods, relations, seats and a reference timetable, each alone and all together; for 23 exams in at least
/// 7 periods.
pub fn under_demands(free: &Instance) -> Vec<Instance> {
    let with = |change: &dyn Fn(&mut Instance)| {
        let mut instance = free.clone();
        change(&mut instance);
        instance
    };
    let forbid = |instance: &mut Instance| {
        instance.rules.pins.insert(0, 3);
        for (exam, period) in [(1, 0), (1, 6), (9, 2), (22, 5)] {
            instance.rules.forbid(exam, period, true);
        }
    };
    let relate = |instance: &mut Instance| {
        for (kind, pairs) in
            RelationKind::ALL.into_iter().zip([[(3, 4), (10, 11)], [(12, 5), (6, 20)], [(7, 8), (2, 15)]])
        {
            instance.rules.relations.extend(pairs.map(|(first, second)| Relation::new(kind, first, second)));
        }
    };
    let seat = |instance: &mut Instance| {
        for (number, period) in instance.periods.iter_mut().enumerate() {
            period.seats = (number != 4).then_some(18 + number as u32);
        }
    };
    let stay = |instance: &mut Instance| {
        let timetable = Timetable::of((0..23).map(|exam| if exam == 13 { UNPLACED } else { exam * 3 % 7 }).collect());
        instance.rules.reference = Some(Reference { timetable, weight: 9 });
    };
    // Pinned to a period in which it is forbidden: it may stand nowhere.
    let nowhere = |instance: &mut Instance| {
        instance.rules.pins.insert(5, 2);
        instance.rules.forbid(5, 2, true);
    };
    let all = |instance: &mut Instance| [&forbid as &dyn Fn(&mut Instance), &relate, &seat, &stay].map(|f| f(instance));
    vec![
        with(&forbid),
        with(&relate),
        with(&seat),
        with(&stay),
        with(&nowhere),
        with(&|instance| {
            all(instance);
        }),
    ]
}

/// Removes all rules, seats and prices from an instance.
pub fn without_demands(mut instance: Instance) -> Instance {
    let count = instance.period_count();
    instance.periods.clear();
    Instance { rules: Default::default(), ..instance }.with_periods(count).unwrap()
}

/// Search on a device that the CPU continues.
pub fn failing_over<D: DeviceEpochs>(search: D) -> FailoverSearch<D> {
    FailoverSearch::new(search, Control::new())
}

/// Digest, best, mean and worst after every epoch, from the start on.
pub type Path_ = Vec<(u64, u64, u64, u64)>;

pub fn path<E: Epochs>(search: &mut E, epochs: u32, steps: u32) -> Path_ {
    let mut path = Vec::new();
    for epoch in 0..=epochs {
        if epoch > 0 {
            search.advance(steps).unwrap();
        }
        let snapshot = search.snapshot().unwrap();
        path.push((snapshot.digest, snapshot.best_cost.to_bits(), snapshot.mean.to_bits(), snapshot.worst.to_bits()));
    }
    path
}

/// Emulator that is lost at its n-th launch or call, refuses its n-th reservation, or reports less memory; it counts its launches.
#[derive(Debug)]
pub struct Faulty {
    pub inner: CudaEmulator,
    pub launches_left: u32,
    /// Launches, transfers and waits.
    pub calls_left: u32,
    pub reserves_left: u32,
    pub free: u64,
    pub launches: Arc<AtomicU32>,
}

impl Faulty {
    /// Emulator without a fault.
    pub fn sound(inner: CudaEmulator) -> Self {
        let [launches_left, calls_left, reserves_left] = [u32::MAX; 3];
        Self { inner, launches_left, calls_left, reserves_left, free: 1 << 30, launches: Arc::default() }
    }

    /// Emulator that is lost after a number of launches.
    pub fn lost_after(launches_left: u32, module: Module) -> Self {
        Self { launches_left, ..Self::sound(start(module, EmulatorConfig::default())) }
    }

    fn call(&mut self, kernel: &'static str) -> Result<(), CudaError> {
        let lost = CudaError::Launch { kernel, what: "injected".to_owned() };
        self.calls_left = self.calls_left.checked_sub(1).ok_or(lost)?;
        Ok(())
    }
}

/// Devices with their names `cuda:0`, `cuda:1`, …
pub fn numbered<M>(runtimes: impl IntoIterator<Item = M>) -> Vec<(String, M)> {
    runtimes.into_iter().enumerate().map(|(number, runtime)| (format!("cuda:{number}"), runtime)).collect()
}

/// Group of `count` emulators, each with one multiprocessor more than the one before; the second value counts the launches of each.
pub fn group(count: u32, config: EmulatorConfig, module: Module) -> (SharedCuda, Vec<Arc<AtomicU32>>) {
    let mut counters = Vec::new();
    let mut member = |number: u32| {
        let device = Faulty::sound(start(module, EmulatorConfig { multiprocessors: number + 1, ..config }));
        counters.push(Arc::clone(&device.launches));
        GroupMember { id: format!("cuda:{number}"), runtime: SharedCuda::new(device) }
    };
    let group = DeviceGroup::new((0..count).map(&mut member).collect()).unwrap();
    (SharedCuda::new(group), counters)
}

impl DeviceRuntime for Faulty {
    fn identity(&self) -> u64 {
        self.inner.identity()
    }
    fn limits(&mut self) -> Result<Limits, CudaError> {
        Ok(Limits { free: self.free, ..self.inner.limits()? })
    }
    fn prepare(&mut self, module: Module) -> Result<(), CudaError> {
        self.inner.prepare(module)
    }
    fn reserve(&mut self, bytes: usize) -> Result<Memory, CudaError> {
        self.reserves_left = self.reserves_left.checked_sub(1).ok_or(CudaError::OutOfMemory { needed: 1, free: 0 })?;
        self.inner.reserve(bytes)
    }
    fn write_at(&mut self, to: Memory, offset: usize, bytes: &[u8]) -> Result<(), CudaError> {
        self.call("a transfer to the device")?;
        self.inner.write_at(to, offset, bytes)
    }
    fn read_at(&mut self, from: Memory, offset: usize, into: &mut [u8]) -> Result<(), CudaError> {
        self.call("a transfer from the device")?;
        self.inner.read_at(from, offset, into)
    }
    fn launch(&mut self, launch: &Launch) -> Result<(), CudaError> {
        self.call(launch.kernel())?;
        let lost = CudaError::Launch { kernel: launch.kernel(), what: "injected".to_owned() };
        self.launches_left = self.launches_left.checked_sub(1).ok_or(lost)?;
        self.launches.fetch_add(1, Ordering::Relaxed);
        self.inner.launch(launch)
    }
    fn wait(&mut self) -> Result<(), CudaError> {
        self.call("a kernel before")?;
        self.inner.wait()
    }
}

/// Opens the first CUDA device.
pub fn cuda() -> SharedCuda {
    SharedCuda::new(CudaRuntime::open(0).unwrap_or_else(|why| panic!("there is no CUDA device to test: {why}")))
}

/// Opens the first CUDA device for one run after the other, each with all of its memory.
pub fn reused_cuda() -> impl FnMut() -> SharedCuda {
    let shared = cuda();
    move || {
        shared.clear();
        shared.clone()
    }
}

/// Shipped samples and the published instances in `GRIDWRIGHT_DATA`, each with its seeds.
pub fn real() -> Vec<(String, Instance, &'static [u64])> {
    let mut sources = vec!["sample:school".to_owned(), "sample:faculty".to_owned(), "sample:university".to_owned()];
    let published = std::env::var("GRIDWRIGHT_DATA").unwrap_or_default();
    for name in ["hec-s-92", "ear-f-83", "car-s-91", "pur-s-93"] {
        let file = Path::new(&published).join("toronto").join(format!("{name}.stu"));
        if file.is_file() {
            sources.push(file.display().to_string());
        }
    }
    let loaded = sources.into_iter().map(|source| {
        let instance = open(&source, &LoadOptions::default()).unwrap();
        let seeds = if instance.exam_count() < 200 { &SEEDS[..] } else { &SEEDS[..2] };
        (source, instance, seeds)
    });
    loaded.collect()
}
