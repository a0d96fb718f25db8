//! Equal annealing stages and generations of facility layouts on CPU, emulator and CUDA.

use gridwright_core::search::{Construction, Epochs};
use gridwright_facility::genetic::cpu::CpuGenetic;
use gridwright_facility::genetic::cuda::DeviceGenetic;
use gridwright_facility::genetic::{Genetic, GeneticBackend, GeneticParameters, Seeding, first_individuals};
use gridwright_facility::islands::orientations;
use gridwright_facility::memetic::cpu::CpuAnnealing;
use gridwright_facility::memetic::cuda::DeviceAnnealing;
use gridwright_facility::memetic::{AnnealingBackend, Cycles, Memetic, MemeticParameters, prepared};
use gridwright_facility::{Department, Distance, Instance, Limit, Lock, library};
use gridwright_kernels::Module;
use gridwright_kernels::facility::Tuning;

use super::agreement::*;
use super::cuda_emulator::{EmulatorConfig, WarpOrder};
use super::support::{Numbers, ORDERS, SEEDS, in_order, path, pool, sanitized};

struct Run<P> {
    instance: Instance,
    parameters: P,
    seed: u64,
    steps: u32,
}

impl<P> Run<P> {
    /// Digests after every step.
    fn digests(&self, search: &mut impl Epochs) -> Vec<u64> {
        path(search, self.steps, 1).into_iter().map(|(digest, ..)| digest).collect()
    }
}

fn memetic(instance: Instance, seed: u64, steps: u32) -> Run<MemeticParameters> {
    let parameters = MemeticParameters {
        islands: 3,
        individuals: 3,
        generations: 2,
        leg: 1,
        interval: 1,
        ..MemeticParameters::default()
    };
    Run { instance, parameters, seed, steps }
}

impl Run<MemeticParameters> {
    fn islands(&self) -> Vec<usize> {
        orientations(self.parameters.islands as usize, None).into_iter().map(|island| island as usize).collect()
    }

    fn walk(&self, backend: impl AnnealingBackend) -> Vec<u64> {
        let cycles = Cycles::new(&self.parameters, &[], None);
        let ready = prepared(&self.instance, self.seed);
        self.digests(&mut Memetic::new(backend, ready, &self.parameters, cycles, None, None, self.seed).unwrap())
    }
}

impl Case for Run<MemeticParameters> {
    const MODULE: Module = Module::Facility;
    type Tuning = Tuning;
    type Trace = Vec<u64>;

    fn describe(&self) -> String {
        format!("{}, seed {}, {:?}", self.instance.name, self.seed, self.parameters)
    }

    fn on_cpu(&self, threads: usize) -> Self::Trace {
        let ready = prepared(&self.instance, self.seed);
        self.walk(CpuAnnealing::new(&ready, &self.parameters, self.islands(), self.seed, pool(threads)))
    }

    fn on_device<M: Device>(&self, runtime: M, tuning: Self::Tuning) -> Answer<Self::Trace> {
        let ready = prepared(&self.instance, self.seed);
        let walk = DeviceAnnealing::new(runtime, &ready, &self.parameters, &self.islands(), self.seed, tuning)?;
        Ok(OnDevice { trace: self.walk(walk), notes: Vec::new(), has_failed_over: false })
    }
}

#[test]
fn any_number_of_threads_gives_the_same_path() {
    compare_threads(tiny_annealing());
    compare_threads(tiny_genetic());
}

#[test]
fn annealing_in_the_emulator_agrees_in_every_order() {
    let numbered = tiny_annealing().enumerate();
    let tuning = |number: usize| Tuning { block: [32, 64, 128][number % 3] };
    compare_emulated(numbered.map(|(number, run)| (in_order(ORDERS[number % 4]), (run, vec![tuning(number)]))));
}

#[test]
fn the_kernels_in_the_emulator_stay_within_their_memory() {
    let run = |number: usize| memetic(tiny().swap_remove(number), 8, 1);
    compare_emulated([2, 4].map(|number| (sanitized(), (run(number), vec![Tuning { block: 64 }]))));
    compare_emulated([(sanitized(), (renewed(), vec![Tuning { block: 64 }]))]);
}

/// Tiny to published cases, every tuning.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu_with_layouts() {
    let seeded = |instance: Instance| SEEDS.map(|seed| memetic(instance.clone(), seed, 12)).map(|run| (run, blocks()));
    let large = memetic(library::generated("F120").unwrap(), 1, 6);
    compare_on_cuda(tiny().into_iter().flat_map(seeded).chain([(large, vec![Tuning::default()])]));
    let seeded = tiny().into_iter().flat_map(|instance| SEEDS.map(|seed| (instance.clone(), seed)));
    let seeded = seeded.flat_map(|(instance, seed)| {
        let run = |&seeding: &Seeding| genetic(instance.clone(), seeding, 2, seed);
        Seeding::ALL.iter().map(run).map(|run| (run, vec![Tuning { block: 128 }])).collect::<Vec<_>>()
    });
    let parameters = GeneticParameters { islands: 16, individuals: 128, ..GeneticParameters::default() };
    let large = Run { instance: library::generated("F120").unwrap(), parameters, seed: 1, steps: 5 };
    compare_on_cuda(seeded.chain([(large, vec![Tuning::default()])]));
}

/// Small cases, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance_of_a_plant() {
    compare_on_cuda(vec![(memetic(tiny().swap_remove(2), 5, 2), vec![Tuning { block: 64 }])]);
    compare_on_cuda([(renewed(), vec![Tuning { block: 64 }])]);
}

fn genetic(instance: Instance, seeding: Seeding, tournament: u32, seed: u64) -> Run<GeneticParameters> {
    let parameters = GeneticParameters {
        islands: 4,
        individuals: 11,
        mutation: 0.4,
        interval: 2,
        rate: 3,
        tournament,
        seeding,
        ..GeneticParameters::default()
    };
    Run { instance, parameters, seed, steps: 5 }
}

impl Run<GeneticParameters> {
    fn breed(&self, backend: impl GeneticBackend) -> Vec<u64> {
        let (problems, unit) = prepared(&self.instance, self.seed);
        let (parameters, islands) = (&self.parameters, orientations(self.parameters.islands as usize, None));
        let construction = Construction::unlimited();
        let first =
            first_individuals(&self.instance, &problems, parameters, &islands, self.seed, &pool(1), &construction);
        self.digests(&mut Genetic::new(backend, &first, unit, parameters, islands).unwrap())
    }
}

impl Case for Run<GeneticParameters> {
    const MODULE: Module = Module::Facility;
    type Tuning = Tuning;
    type Trace = Vec<u64>;

    fn describe(&self) -> String {
        format!("{}, seed {}, {:?}", self.instance.name, self.seed, self.parameters)
    }

    fn on_cpu(&self, threads: usize) -> Self::Trace {
        let islands = orientations(self.parameters.islands as usize, None);
        let problems = prepared(&self.instance, self.seed).0;
        self.breed(CpuGenetic::new(problems, &self.parameters, islands, self.seed, pool(threads)))
    }

    fn on_device<M: Device>(&self, runtime: M, tuning: Self::Tuning) -> Answer<Self::Trace> {
        let islands = orientations(self.parameters.islands as usize, None);
        let problems = prepared(&self.instance, self.seed).0;
        let breed = DeviceGenetic::new(runtime, &problems, &self.parameters, &islands, self.seed, tuning)?;
        Ok(OnDevice { trace: self.breed(breed), notes: Vec::new(), has_failed_over: false })
    }
}

#[test]
fn generations_in_the_emulator_agree_in_every_order() {
    let in_all_orders = ORDERS.into_iter().flat_map(|order| {
        let config = EmulatorConfig { sanitized: order == WarpOrder::Descending, ..in_order(order) };
        let block = |number: usize| vec![Tuning { block: [64, 128, 256][number % 3] }];
        tiny_genetic().enumerate().map(move |(number, run)| (config, (run, block(number))))
    });
    compare_emulated(in_all_orders);
}

#[test]
fn a_missing_barrier_is_detected() {
    let changes = [
        // Bays are placed before all widths are known.
        (
            "room.width[bay] = area / tables.lengths[orientation];\n    }\n    __syncwarp();",
            "room.width[bay] = area / tables.lengths[orientation];\n    }",
        ),
        // Flows are counted before everybody has a place.
        ("room.broken[bay] = violated;\n    }\n    __syncwarp();", "room.broken[bay] = violated;\n    }"),
    ];
    let run = || genetic(made_up(33, 2, Limit::Aspect(4.0)), Seeding::Own, 2, 6);
    detect_changes(changes.map(|change| (run(), Tuning { block: 64 }, change)), EmulatorConfig::default());
}

fn tiny_annealing() -> impl Iterator<Item = Run<MemeticParameters>> {
    tiny().into_iter().map(|instance| memetic(instance, 5, 4))
}

fn tiny_genetic() -> impl Iterator<Item = Run<GeneticParameters>> {
    tiny()
        .into_iter()
        .enumerate()
        .map(|(number, instance)| genetic(instance, Seeding::ALL[number % 3], 1 + number as u32 % 4, 6))
}

fn renewed() -> Run<GeneticParameters> {
    genetic(tiny().swap_remove(2), Seeding::Renewed, 3, 6)
}

fn blocks() -> Vec<Tuning> {
    [64, 128, 256].map(|block| Tuning { block }).into()
}

/// Generates departments of all sizes with flow between some pairs.
fn made_up(departments: usize, share: usize, limit: Limit) -> Instance {
    let mut numbers = Numbers(departments as u64);
    let mut total = 0.0;
    let all = (0..departments).map(|at| {
        let area = (1 + numbers.below(30)) as f64 / 4.0;
        total += area;
        Department {
            name: format!("D{at}"),
            area,
            limit: if at % 5 == 4 { Limit::None } else { limit },
            ..Department::default()
        }
    });
    let all: Vec<Department> = all.collect();
    let flow = |at: usize, word: usize| if at / departments < at % departments && word < share { word + 1 } else { 0 };
    let flows = (0..departments * departments).map(|at| flow(at, numbers.below(10)) as f64).collect();
    let side = f64::sqrt(total);
    let instance = Instance {
        name: format!("{departments} departments"),
        width: side * 1.25 + 1.0,
        height: side,
        departments: all,
        flows,
        ..Instance::default()
    };
    instance.validated().unwrap()
}

/// Awkward sizes: one bay's worth, lanes that are just full or just not, few and many flows, every kind of limit and rule.
fn tiny() -> Vec<Instance> {
    let mut ruled = made_up(12, 4, Limit::Aspect(3.0));
    ruled.rules.locks =
        vec![Lock { department: 3, bay: 1, place: Some(0) }, Lock { department: 7, bay: 0, place: None }];
    ruled.rules.apart = vec![(0, 1), (5, 9)];
    let mut euclidean = made_up(16, 9, Limit::MinSide(0.8));
    euclidean.distance = Distance::Euclidean;
    let mut few = made_up(17, 2, Limit::Range(0.4, 2.2));
    few.distance = Distance::Euclidean;
    vec![
        made_up(2, 9, Limit::Aspect(4.0)),
        made_up(5, 9, Limit::Aspect(2.0)),
        ruled,
        euclidean,
        few,
        made_up(33, 2, Limit::Aspect(4.0)),
        made_up(40, 8, Limit::None),
    ]
}
