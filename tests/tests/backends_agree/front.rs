//! Equal neighbourhoods, archives and trajectories of multi-objective flow shop searches on CPU, emulator and CUDA.

use gridwright_core::backend::Opening;
use gridwright_core::search::Parameters as _;
use gridwright_core::search::{Control, Epochs};
use gridwright_flowshop::bench::{neighbourhoods, tables};
use gridwright_flowshop::multiobjective::cuda::{Archiving, DeviceChooser, DeviceExplorer};
use gridwright_flowshop::multiobjective::evaluation;
use gridwright_flowshop::multiobjective::exploration::{Admission, Neighbourhood};
use gridwright_flowshop::multiobjective::explorer::{ArchivePoints, CpuExplorer, Explorer, Member as Asked};
use gridwright_flowshop::multiobjective::pls::ParetoSearch;
use gridwright_flowshop::multiobjective::tabu::TabuSearch;
use gridwright_flowshop::multiobjective::{Objectives, ParetoParameters, TabuParameters};
use gridwright_flowshop::{Instance, Objective, Schedule, formats};
use gridwright_kernels::front::{
    Explorer as OnMachine, Known, Member, Neighbours, Purpose, Reference, Shop, Storage, Tuning,
};
use gridwright_kernels::{CudaError, DeviceRuntime, Module};

use super::agreement::*;
use super::cuda_emulator::{CudaEmulator, EmulatorConfig, WarpOrder};
use super::support::{Faulty, Numbers, Path_, in_order, numbered, path, pool, sanitized, texts};

const ORDERS: [WarpOrder; 4] = [WarpOrder::Ascending, WarpOrder::Descending, WarpOrder::Shuffled(5), WarpOrder::Eager];

/// Values of all neighbours of two permutations.
type Neighbourhoods = (Instance, (Neighbourhood, Neighbours));

impl Case for Neighbourhoods {
    const MODULE: Module = Module::Front;
    type Tuning = Tuning;
    type Trace = Vec<u32>;

    fn describe(&self) -> String {
        let (instance, (neighbourhood, _)) = self;
        format!("{}, {neighbourhood:?}", instance.name)
    }

    /// Values of schedules that are computed from the neighbours themselves.
    fn on_cpu(&self, _: usize) -> Self::Trace {
        let (instance, (neighbourhood, _)) = self;
        let jobs = instance.job_count();
        let values = |order: Vec<u16>| -> Vec<u32> {
            let of = |id| {
                let schedule = Schedule::new(instance, &neighbourhood.apply(&order, id));
                Objective::ALL.map(|objective| schedule.value(instance, objective) as u32)
            };
            (0..neighbourhood.size(jobs)).flat_map(of).collect()
        };
        [1, 2].into_iter().flat_map(|seed| values(random_order(jobs, seed))).collect()
    }

    fn on_device<M: Device>(&self, mut runtime: M, tuning: Self::Tuning) -> Answer<Self::Trace> {
        let (instance, (_, neighbours)) = self;
        let releases: Vec<u32> = instance.jobs.iter().map(|job| job.release).collect();
        let dues: Vec<u32> = instance.jobs.iter().map(|job| job.due.unwrap_or(u32::MAX)).collect();
        let machines = instance.machine_count() as u32;
        let shop = Shop { machines, times: &instance.times, releases: &releases, dues: &dues };
        let orders = [1, 2].map(|seed| random_order(instance.job_count(), seed));
        let what = (*neighbours, Purpose::All);
        let mut explorer = OnMachine::new(&mut runtime, &shop, what, &[0, 1, 2, 3], 2, tuning)?;
        let members = [0, 1].map(|number: usize| Member { order: &orders[number], reference: Reference::Nothing });
        explorer.explore(&mut runtime, &members, Known::NONE)?;
        Ok(OnDevice { trace: explorer.values(&mut runtime)?, notes: Vec::new(), has_failed_over: false })
    }
}

#[test]
fn neighbourhoods_in_the_emulator_have_the_values_of_their_schedules() {
    let orders = ORDERS.into_iter().enumerate().flat_map(|(number, order)| {
        let architecture = if number % 2 == 0 { 750 } else { 900 };
        let config = EmulatorConfig { architecture, ..in_order(order) };
        neighbours_of_tiny(&[0, 32]).into_iter().map(move |compared| (config, compared))
    });
    compare_emulated(orders);
}

#[test]
fn the_kernels_in_the_emulator_stay_within_their_memory() {
    compare_emulated(neighbours_of_tiny(&[64]).into_iter().map(|compared| (sanitized(), compared)));
    let runs = tiny().into_iter().flat_map(|instance| variants(&instance, 3));
    compare_emulated(runs.map(|run| (sanitized(), (run, vec![Default::default()]))));
    compare_emulated(tiny_tabu().map(|compared| (sanitized(), compared)));
}

/// Tiny to published cases, every tuning.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu_from_neighbourhood_to_front() {
    compare_on_cuda(neighbours_of_tiny(&[0, 32, 64, 256, 512]));
    let runs = tiny().into_iter().map(|instance| (instance, 12)).chain(published());
    let runs = runs.flat_map(|(instance, steps)| variants(&instance, steps));
    compare_on_cuda(runs.map(|run| (run, explorations(&stored_tunings(), true))));
    let with = |instance: Instance, steps, tunings: usize| {
        let runs = tabu_variants(&instance, steps).into_iter();
        runs.map(move |run| (run, stored_tunings()[..tunings].to_vec()))
    };
    let published = published().flat_map(move |(instance, steps)| with(instance, steps, 1));
    compare_on_cuda(tiny().into_iter().flat_map(move |instance| with(instance, 12, 3)).chain(published));
}

/// Small cases, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance_of_a_neighbourhood() {
    compare_on_cuda(neighbours_of_tiny(&[64]));
    let runs = tiny().into_iter().flat_map(|instance| variants(&instance, 2));
    compare_on_cuda(runs.map(|run| (run, vec![Default::default()])));
    compare_on_cuda(tiny_tabu());
}

fn neighbours_of_tiny(blocks: &[u32]) -> Vec<Compared<Neighbourhoods>> {
    // So few operations that every block is a launch.
    let operations = |block| if block == 32 { 1 } else { 1 << 34 };
    let stored = |storage| blocks.iter().map(move |&block| Tuning { block, storage, operations: operations(block) });
    let tunings: Vec<Tuning> = Storage::ALL.map(Some).into_iter().flat_map(stored).collect();
    let cases = |instance: Instance| NEIGHBOURHOODS.map(|pair| ((instance.clone(), pair), tunings.clone()));
    tiny().into_iter().flat_map(cases).collect()
}

/// Run of Pareto local search with its objectives and parameters.
pub struct ParetoRun {
    pub instance: Instance,
    pub of: (Objectives, ParetoParameters),
    pub steps: u32,
}

impl ParetoRun {
    pub fn new(instance: &Instance, list: &str, settings: &[(&str, &str)], steps: u32) -> Self {
        let objectives: Objectives = list.parse().unwrap();
        let mut parameters = ParetoParameters::default();
        settings.iter().for_each(|(name, value)| parameters.set(name, value).unwrap());
        parameters.resolve(objectives.count(), instance.job_count(), instance.machine_count());
        Self { instance: instance.clone(), of: (objectives, parameters), steps }
    }

    pub fn cpu(&self) -> CpuExplorer {
        let (objectives, parameters) = &self.of;
        CpuExplorer {
            shop: evaluation::Shop::new(&self.instance),
            objectives: *objectives,
            neighbourhood: Neighbourhood::named(&parameters.neighbourhood),
            admission: Admission::named(&parameters.admission),
            control: Control::new(),
        }
    }

    /// Explorer on devices that hold `members` at once.
    pub fn explorer<M: DeviceRuntime + 'static>(
        &self, archiving: Archiving, members: usize, runtimes: impl IntoIterator<Item = M>, tuning: Tuning,
    ) -> gridwright_core::Result<DeviceExplorer<M>> {
        DeviceExplorer::new(&self.instance, self.cpu(), archiving, members, numbered(runtimes), tuning)
    }

    pub fn search(&self) -> ParetoSearch {
        ParetoSearch::new(&self.instance, &self.of.0, &self.of.1, 3, None, pool(2))
    }

    pub fn path(&self) -> Path_ {
        path(&mut self.search(), self.steps, 1)
    }

    /// The path with an explorer, and the notes of the search.
    pub fn path_with(&self, explorer: impl Explorer + 'static) -> (Path_, Vec<String>) {
        let mut search = self.search().with_explorer(Box::new(explorer));
        (path(&mut search, self.steps, 1), texts(&search.device_notes()))
    }
}

impl Case for ParetoRun {
    const MODULE: Module = Module::Front;
    /// True if archives are on the host, and the tuning of the exploration.
    type Tuning = (bool, Tuning);
    type Trace = Path_;

    fn describe(&self) -> String {
        format!("{}, {:?}", self.instance.name, self.of.1)
    }

    fn on_cpu(&self, _: usize) -> Self::Trace {
        self.path()
    }

    fn on_device<M: Device>(&self, runtime: M, (on_host, tuning): Self::Tuning) -> Answer<Self::Trace> {
        let archiving = if on_host { Archiving::Host } else { Archiving::Device };
        // Room for two of several members: they are explored in parts.
        let (trace, notes) = self.path_with(self.explorer(archiving, 2, [runtime], tuning)?);
        Ok(OnDevice { trace, has_failed_over: !notes.is_empty(), notes })
    }
}

#[test]
fn pareto_local_search_in_the_emulator_walks_the_path_of_the_cpu_in_every_order() {
    let tunings = tunings().into_iter().enumerate();
    let cases = tunings.flat_map(|(number, (order, tuning))| {
        let explorations = explorations(&[tuning], number == 0);
        let runs = tiny().into_iter().flat_map(|instance| variants(&instance, 7));
        runs.map(move |run| (in_order(order), (run, explorations.clone())))
    });
    compare_emulated(cases);
}

#[test]
fn a_missing_barrier_is_detected_in_an_exploration() {
    let changes = [
        // Rows are read before they are there.
        ("mixed[at - count];\n        }\n        __syncthreads();", "mixed[at - count];\n        }"),
        // Candidates are compared before they are written.
        ("at[4] = found.number[half];\n    }\n    __syncthreads();", "at[4] = found.number[half];\n    }"),
    ];
    let instance = made_up(40, 5, false, 1);
    let run = || ParetoRun::new(&instance, "makespan,flowtime,tardiness", &[("start", "random")], 4);
    let tuning = Tuning { block: 128, ..Tuning::default() };
    detect_changes(changes.map(|change| (run(), (false, tuning), change)), EmulatorConfig::default());
}

/// Archiving on the device and, if asked for, on the host.
fn explorations(tunings: &[Tuning], on_both: bool) -> Vec<(bool, Tuning)> {
    let archivings: &[bool] = if on_both { &[false, true] } else { &[false] };
    let with = |&tuning| archivings.iter().map(move |&on_host| (on_host, tuning));
    tunings.iter().flat_map(with).collect()
}

/// All variants of Pareto local search whose exploration differs.
fn variants(instance: &Instance, steps: u32) -> Vec<ParetoRun> {
    let lists = ["makespan,flowtime,tardiness", "tardy,makespan", "makespan,flowtime,tardiness,tardy"];
    let mut variants = Vec::new();
    for (number, admission) in Admission::NAMES.into_iter().enumerate() {
        for (more, neighbourhood) in Neighbourhood::NAMES.into_iter().enumerate() {
            let list = lists[(number + more) % lists.len()];
            let members = ["1", "3"][more];
            let settings =
                [("start", "random"), ("admission", admission), ("neighbourhood", neighbourhood), ("members", members)];
            variants.push(ParetoRun::new(instance, list, &settings, steps));
        }
    }
    let phases = [("end_steps", "1"), ("weight_steps", "1"), ("divisions", "1"), ("members", "5")];
    variants.push(ParetoRun::new(instance, lists[0], &phases, steps));
    variants
}

/// Run of tabu search; a device holds `chosen` trajectories at once.
struct TabuRun {
    instance: Instance,
    objectives: Objectives,
    parameters: TabuParameters,
    chosen: usize,
    steps: u32,
}

impl TabuRun {
    fn new(instance: &Instance, list: &str, settings: &[(&str, &str)], [chosen, steps]: [u32; 2]) -> Self {
        let objectives: Objectives = list.parse().unwrap();
        let mut parameters = TabuParameters::default();
        settings.iter().for_each(|(name, value)| parameters.set(name, value).unwrap());
        parameters.resolve(objectives.count(), instance.job_count());
        Self { instance: instance.clone(), objectives, parameters, chosen: chosen as usize, steps }
    }

    fn search(&self) -> TabuSearch {
        TabuSearch::new(&self.instance, &self.objectives, &self.parameters, 5, pool(2))
    }
}

impl Case for TabuRun {
    const MODULE: Module = Module::Front;
    type Tuning = Tuning;
    type Trace = Path_;

    fn describe(&self) -> String {
        format!("{}, {:?}", self.instance.name, self.parameters)
    }

    fn on_cpu(&self, _: usize) -> Self::Trace {
        path(&mut self.search(), self.steps, 1)
    }

    fn on_device<M: Device>(&self, runtime: M, tuning: Self::Tuning) -> Answer<Self::Trace> {
        let neighbourhood = Neighbourhood::named(&self.parameters.neighbourhood);
        let (aspiration, runtimes) = (self.parameters.aspiration, numbered([runtime]));
        let device = DeviceChooser::new(&self.instance, neighbourhood, aspiration, self.chosen, runtimes, tuning)?;
        let mut search = self.search().with_chooser(Box::new(device));
        let trace = path(&mut search, self.steps, 1);
        let notes = texts(&search.device_notes());
        Ok(OnDevice { trace, has_failed_over: !notes.is_empty(), notes })
    }
}

#[test]
fn tabu_search_in_the_emulator_walks_the_path_of_the_cpu_in_every_order() {
    let cases = tunings().into_iter().flat_map(|(order, tuning)| {
        let runs = tiny().into_iter().flat_map(|instance| tabu_variants(&instance, 6));
        runs.map(move |run| (in_order(order), (run, vec![tuning])))
    });
    compare_emulated(cases);
}

/// Choices lie over rows that are still read.
#[test]
fn a_missing_barrier_is_detected_before_a_choice() {
    let change = ("of the rows is used again.\n    __syncthreads();\n#pragma", "of the rows is used again.\n#pragma");
    let run = TabuRun::new(&made_up(40, 5, false, 1), "makespan,flowtime,tardiness", &[], [64, 4]);
    detect_changes([(run, Tuning::default(), change)], EmulatorConfig::default());
}

#[test]
fn tabu_search_that_loses_its_device_goes_on_with_the_same_numbers() {
    let run = TabuRun::new(&made_up(20, 5, false, 1), "makespan,flowtime", &[], [64, 4]);
    survive_loss(&run, Tuning::default(), 4, false);
    let found = run.on_device(Faulty::lost_after(4, Module::Front), Tuning::default()).unwrap();
    assert!(found.notes[0].contains("From step 1 on"), "{:?}", found.notes);
}

fn tiny_tabu() -> impl Iterator<Item = Compared<TabuRun>> {
    let runs = tiny().into_iter().flat_map(|instance| tabu_variants(&instance, 2));
    runs.map(|run| (run, vec![Tuning::default()]))
}

fn tabu_variants(instance: &Instance, steps: u32) -> Vec<TabuRun> {
    let variants = Neighbourhood::NAMES.into_iter().flat_map(|neighbourhood| {
        // With so long a tenure all moves are tabu after some steps.
        let variants = [("makespan,flowtime,tardiness", "on", "0"), ("makespan,tardy", "off", "40")];
        variants.map(|(list, aspiration, tenure)| {
            let settings =
                [("neighbourhood", neighbourhood), ("aspiration", aspiration), ("tenure", tenure), ("divisions", "2")];
            TabuRun::new(instance, list, &settings, [4, steps])
        })
    });
    variants.collect()
}

/// Taillard's instances with numbers of steps.
fn published() -> impl Iterator<Item = (Instance, u32)> {
    [("ta011", 40), ("ta051", 20), ("ta081", 8), ("ta101", 5), ("ta111", 2)].into_iter().map(|(name, steps)| {
        (formats::open(&format!("taillard:{name}"), &formats::LoadOptions::default()).unwrap(), steps)
    })
}

/// Every kind of memory, for a device.
fn stored_tunings() -> [Tuning; 3] {
    let stored = |storage| Tuning { storage: Some(storage), ..Tuning::default() };
    [Tuning::default(), stored(Storage::ReadOnly), Tuning { block: 64, ..stored(Storage::Global) }]
}

/// Different assignments of neighbours to threads, one for each order of threads.
fn tunings() -> [(WarpOrder, Tuning); 4] {
    let stored = |storage, block| Tuning { storage: Some(storage), block, ..Tuning::default() };
    [
        (ORDERS[0], Tuning::default()),
        (ORDERS[1], stored(Storage::ReadOnly, 64)),
        (ORDERS[2], Tuning { operations: 1, ..stored(Storage::Global, 32) }),
        (ORDERS[3], stored(Storage::Shared, 96)),
    ]
}

pub fn start(config: EmulatorConfig) -> CudaEmulator {
    super::support::start(Module::Front, config)
}

/// Generates a flow shop with due dates that some permutations meet; with `scale` 1 all times have 16 bits.
pub fn made_up(jobs: usize, machines: usize, released: bool, scale: u32) -> Instance {
    let mut numbers = Numbers((jobs * 1_000 + machines) as u64);
    let mut next = |n: usize| numbers.below(n) as u32;
    let times = (0..jobs * machines).map(|_| scale * if next(7) == 0 { 0 } else { 1 + next(99) }).collect();
    let mut instance = Instance::of_times(&format!("{jobs} × {machines}"), machines, times).unwrap();
    for (number, job) in instance.jobs.iter_mut().enumerate() {
        // Some are never late.
        job.due = Some(if number % 5 == 4 { u32::MAX } else { scale * (50 * machines as u32 + next(60 * jobs)) });
        job.release = if released && number % 3 == 0 { scale * next(400) } else { 0 };
    }
    instance.validated().unwrap()
}

/// Awkward sizes: the smallest ones, one machine, warps that are just full or just not, more machines than registers hold, times
/// of 32 bits.
fn tiny() -> Vec<Instance> {
    let sizes =
        [(2, 1, 1), (2, 3, 1), (3, 5, 1), (9, 1, 1), (20, 10, 1), (33, 6, 1), (34, 3, 1), (67, 2, 1), (12, 20, 1)];
    let large = [(7, 21, 1), (5, 40, 1), (12, 4, 900), (35, 3, 900), (4, 70, 900)];
    let of = |(number, (jobs, machines, scale))| made_up(jobs, machines, number % 2 == 1, scale);
    sizes.into_iter().chain(large).enumerate().map(of).collect()
}

pub fn random_order(jobs: usize, seed: u64) -> Vec<u16> {
    let mut order: Vec<u16> = (0..jobs as u16).collect();
    let mut numbers = Numbers(seed);
    for last in (1..jobs).rev() {
        order.swap(last, numbers.below(last + 1));
    }
    order
}

const NEIGHBOURHOODS: [(Neighbourhood, Neighbours); 2] =
    [(Neighbourhood::Insertion, Neighbours::Insertions), (Neighbourhood::Exchange, Neighbours::Exchanges)];

/// A device that fails at its n-th launch is replaced by the CPU, with the same numbers and a note.
#[test]
fn an_exploration_that_loses_its_device_goes_on_with_the_same_numbers() {
    let settings = [("start", "random"), ("members", "2")];
    let run = ParetoRun::new(&made_up(20, 5, false, 1), "makespan,flowtime,tardiness", &settings, 6);
    let expected = run.path();
    for launches_left in [0, 1, 2, 7, 11] {
        let runtime = Faulty::lost_after(launches_left, Module::Front);
        let device = run.explorer(Archiving::Device, 2, [runtime], Tuning::default()).unwrap();
        let (found, notes) = run.path_with(device);
        assert_eq!(found, expected);
        // Explorations that were computed ahead launch nothing.
        let note = |number: u32| format!("From exploration {number} on the CPU went on, with the same numbers");
        let numbers = if launches_left < 3 { 0..=0 } else { launches_left / 3..=5 };
        assert!(notes.len() == 1 && numbers.into_iter().any(|number| notes[0].contains(&note(number))), "{notes:?}");
    }
}

/// One job has no neighbours, and nothing is asked of a device.
#[test]
fn one_job_is_a_front_on_every_backend() {
    let instance = made_up(1, 4, true, 1);
    let runtime =
        || Faulty { launches_left: 0, reserves_left: 0, free: 0, ..Faulty::sound(start(EmulatorConfig::default())) };
    for run in variants(&instance, 3) {
        compare(&mut || runtime(), &run, &[Default::default()]);
    }
    for run in tabu_variants(&instance, 3) {
        compare(&mut || runtime(), &run, &[Tuning::default()]);
    }
}

/// Memory is asked for before anything is reserved, and half of what is free is enough for fewer members at once.
#[test]
fn what_cannot_be_held_is_said_before_anything_is_reserved() {
    let instance = made_up(20, 10, false, 1);
    let run = ParetoRun::new(&instance, "makespan,flowtime", &[("start", "random")], 1);
    let start_with = |free| {
        let runtime = Faulty { free, ..Faulty::lost_after(9, Module::Front) };
        run.explorer(Archiving::Device, 64, [runtime], Tuning::default())
    };
    let error = start_with(1 << 16).err().unwrap().to_string();
    assert!(error.contains("use the CPU"), "{error}");
    assert!(start_with(1 << 22).is_ok());
    let runtime = &mut start(EmulatorConfig::default());
    let shop = Shop { machines: 1, times: &[1 << 20; 5_000], releases: &[0; 5_000], dues: &[u32::MAX; 5_000] };
    let what = (Neighbours::Insertions, Purpose::All);
    let error = OnMachine::new(runtime, &shop, what, &[0], 1, Tuning::default()).unwrap_err();
    assert!(matches!(error, CudaError::LongTimes { .. }), "{error}");
    let shop = Shop { machines: 2, times: &[3, 2, 1, 4], releases: &[0; 2], dues: &[9; 2] };
    let mut explorer = OnMachine::new(runtime, &shop, what, &[0], 1, Tuning::default()).unwrap();
    for order in [&[0, 2][..], &[0], &[0, 1, 1]] {
        let members = [Member { order, reference: Reference::Nothing }];
        assert!(matches!(explorer.explore(runtime, &members, Known::NONE), Err(CudaError::Orders(_))), "{order:?}");
    }
    // The example by hand: 9 and 14 for order 1, 2; 7 and 12, nobody late, for order 2, 1, which both moves lead to.
    explorer.explore(runtime, &[Member { order: &[0, 1], reference: Reference::Nothing }], Known::NONE).unwrap();
    assert_eq!(explorer.values(runtime).unwrap(), [7, 12, 0, 0, 7, 12, 0, 0]);
}

/// An archive that outgrows its memory, is emptied and grows again leaves the same neighbours as on the CPU.
#[test]
fn archives_of_any_size_stand_up_to_neighbours() {
    let instance = made_up(20, 5, false, 1);
    let run = ParetoRun::new(&instance, "makespan,flowtime,tardiness", &[("start", "random")], 1);
    let mut cpu = run.cpu();
    let emulator = start(EmulatorConfig::default());
    let mut device = run.explorer(Archiving::Device, 1, [emulator], Tuning::default()).unwrap();
    let shop = evaluation::Shop::new(&instance);
    let member = |seed| {
        let order = random_order(20, seed);
        [Asked { entry: seed, point: run.of.0.select(&shop.values(&order)), order: order.into() }]
    };
    // Points that cover hardly anything, and then some that cover a lot.
    let archive = |points: u64| (0..points).map(|number| [5_000 - number, number, 90_000, 0]).collect::<Vec<_>>();
    let first = member(1);
    let better = [[first[0].point[0] - 20, 0, 0, 0], [0, first[0].point[1] - 100, 0, 0]];
    let steps: [(Vec<_>, Option<Vec<_>>); 6] = [
        (archive(3), None),
        (archive(5), Some(archive(5)[3..].to_vec())),
        (archive(4_900), Some(archive(4_900)[5..].to_vec())),
        (better.to_vec(), Some(better.to_vec())),
        (better.to_vec(), Some(Vec::new())),
        (Vec::new(), None),
    ];
    for (number, (all, arrivals)) in steps.into_iter().enumerate() {
        let known = ArchivePoints { all: &all, arrivals: arrivals.as_deref(), entries: all.len() as u64 };
        let members = if number == 0 { member(1) } else { member(number as u64) };
        let left = |explorer: &mut dyn Explorer| -> Vec<_> {
            explorer
                .explore(&members, &Vec::new, known)
                .survivors
                .into_iter()
                .flat_map(|part| part.neighbours)
                .collect()
        };
        let (found, expected) = (left(&mut device), left(&mut cpu));
        assert_eq!(found, expected, "archive {number}");
        assert!(device.device_notes().is_empty());
    }
}

/// The measurements of both benchmarks, with the emulator as the device: they compare all digests and archives with the CPU's.
#[test]
fn the_benchmarks_measure_every_kind_of_memory_and_archiving() {
    let instance = formats::open("taillard:ta011", &formats::LoadOptions::default()).unwrap();
    let opening = || Opening { name: "emulator".to_owned(), open: Box::new(|| start(EmulatorConfig::default())) };
    let effort = neighbourhoods::Effort { seconds: 0.0, steps: 4, members: 3 };
    let instances = [instance];
    let report = neighbourhoods::measure(&instances, 2, &mut [opening()], effort, &mut |_| {}).unwrap();
    let on: Vec<&str> = report.rows.iter().map(|row| row[1].as_str()).collect();
    let device = [
        "emulator, explore_10_shared", "emulator, explore_10_read_only", "emulator, explore_10_global",
        "emulator, archiving on the CPU",
    ];
    assert_eq!(on[3..], [device, device].concat());
    let scope = tables::Scope { iterations: 5, threads: 2, searches: &[] };
    let report = tables::measure(&instances, scope, Some(&mut opening()), &mut |_| {}).unwrap();
    assert_eq!(report.rows.len(), 3);
    for (number, row) in report.rows.iter().enumerate() {
        let empty = row.iter().filter(|cell| cell.is_empty()).count();
        assert_eq!((row.len(), empty), (report.columns.len(), usize::from(number == 0)), "{row:?}");
    }
}
