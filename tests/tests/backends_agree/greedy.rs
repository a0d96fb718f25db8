//! Equal chains of iterated greedy on CPU, emulator and CUDA.

use gridwright_core::search::Epochs;
use gridwright_flowshop::beam::{Beams, Shop};
use gridwright_flowshop::greedy::beam_start::BeamThenChains;
use gridwright_flowshop::greedy::cpu::CpuGreedy;
use gridwright_flowshop::greedy::cuda::{CudaGreedy, resolve};
use gridwright_flowshop::greedy::population::GreedyInputs;
use gridwright_flowshop::greedy::{IteratedGreedyParameters, Partial};
use gridwright_flowshop::insertion::FlowShopProblem;
use gridwright_flowshop::neh::neh;
use gridwright_flowshop::real_time::{DayRange, HoursKind, PlanStart, RealTime, WorkingHours};
use gridwright_flowshop::{Instance, Objective, formats};
use gridwright_kernels::Module;
use gridwright_kernels::greedy::{MOST_JOBS, Tuning};

use super::agreement::*;
use super::cuda_emulator::{CudaEmulator, EmulatorConfig, WarpOrder};
use super::support::{Faulty, Numbers, ORDERS, Path_, SEEDS, failing_over, in_order, path, pool, sanitized, texts};

struct Run {
    instance: Instance,
    objective: Objective,
    parameters: IteratedGreedyParameters,
    seed: u64,
}

impl Run {
    fn of_all_objectives(
        instance: &Instance, parameters: &IteratedGreedyParameters, seed: u64,
    ) -> impl Iterator<Item = Self> {
        let of = move |objective| Self { instance: instance.clone(), objective, parameters: parameters.clone(), seed };
        Objective::ALL.into_iter().map(of)
    }

    fn inputs(&self) -> GreedyInputs<'_> {
        let Self { instance, objective, parameters, seed } = self;
        GreedyInputs { instance, objective: *objective, parameters, start: None, seed: *seed }
    }
}

/// Path and number of evaluations.
fn walked(search: &mut impl Epochs) -> (Path_, u64) {
    (path(search, 3, 2), search.snapshot().unwrap().evaluations)
}

impl Case for Run {
    const MODULE: Module = Module::Greedy;
    type Tuning = Tuning;
    type Trace = (Path_, u64);

    fn describe(&self) -> String {
        format!("{}, {}, seed {}, {:?}", self.instance.name, self.objective, self.seed, self.parameters)
    }

    fn on_cpu(&self, threads: usize) -> Self::Trace {
        walked(&mut CpuGreedy::new(&self.instance, self.objective, &self.parameters, None, self.seed, pool(threads)))
    }

    fn on_device<M: Device>(&self, runtime: M, tuning: Self::Tuning) -> Answer<Self::Trace> {
        let mut search = failing_over(CudaGreedy::new(&self.inputs(), pool(1), runtime, tuning)?);
        let trace = walked(&mut search);
        Ok(OnDevice { trace, notes: texts(&search.device_notes()), has_failed_over: search.device().is_none() })
    }
}

#[test]
fn any_number_of_threads_gives_the_same_path() {
    compare_threads(tiny_runs(5));
}

#[test]
fn the_kernels_in_the_emulator_give_the_values_of_the_cpu_in_every_order() {
    let mut all = Vec::new();
    for (number, (instance, parameters)) in tiny().into_iter().enumerate() {
        for (more, order) in ORDERS.into_iter().enumerate() {
            let tunings = vec![tuning([1, 2, 3, 0][(number + more) % 4], (number + more) % 3 == 0)];
            let runs = Run::of_all_objectives(&instance, &parameters, 5);
            all.extend(runs.map(|run| (in_order(order), (run, tunings.clone()))));
        }
    }
    compare_emulated(all);
}

#[test]
fn the_kernels_in_the_emulator_stay_within_their_memory() {
    let numbered = tiny_runs(8).into_iter().enumerate();
    let is_global = |number: usize| (number / Objective::ALL.len()).is_multiple_of(2);
    compare_emulated(numbered.map(|(number, run)| (sanitized(), (run, vec![tuning(2, is_global(number))]))));
}

/// Devices compute the makespan in the working time that all machines share.
#[test]
fn makespans_in_shared_shifts_agree_in_the_emulator() {
    for (number, released) in [false, true].into_iter().enumerate() {
        let instance = in_shifts(made_up(20, 5, released, false));
        let run = Run { instance, objective: Objective::Makespan, parameters: chosen(3, true, 3), seed: 6 };
        compare_emulated([(in_order(ORDERS[number]), (run, vec![tuning(2, released)]))]);
    }
}

#[test]
fn a_missing_barrier_is_detected() {
    let changes = [
        // Jobs are looked at before the tables are there.
        (
            Objective::Makespan,
            "of_tails ? last : heads_at, of_tails ? tails_from : heads_to - 1, of_tails ? last : heads_to, of_tails ? ~0u : 1);\n        }\n        __syncthreads();",
            "of_tails ? last : heads_at, of_tails ? tails_from : heads_to - 1, of_tails ? last : heads_to, of_tails ? ~0u : 1);\n        }",
        ),
        // A round begins before its jobs are shuffled.
        (
            Objective::FlowTime,
            "            orders.round[other] = one;\n        }\n    }\n    __syncthreads();",
            "            orders.round[other] = one;\n        }\n    }",
        ),
    ];
    let of = |(objective, before, after)| {
        let (instance, parameters) = (made_up(34, 7, false, false), chosen(2, true, 0));
        (Run { instance, objective, parameters, seed: 1 }, tuning(2, false), (before, after))
    };
    detect_changes(changes.map(of), EmulatorConfig::default());
}

#[test]
fn a_lost_device_hands_over_to_the_cpu_with_the_same_numbers() {
    for objective in [Objective::Makespan, Objective::Tardy] {
        let (instance, parameters) = (made_up(20, 5, false, false), chosen(2, true, 3));
        let run = Run { instance, objective, parameters, seed: 4 };
        for launches in [0, 1, 3] {
            survive_loss(&run, Tuning::default(), launches, false);
        }
    }
}

#[test]
fn what_a_device_cannot_hold_is_said_before_the_start() {
    let refuse = |instance, objective, free, words: &[&str]| {
        refuse(&Run { instance, objective, parameters: chosen(2, true, 0), seed: 1 }, free, u32::MAX, words);
    };
    refuse(made_up(50, 5, false, false), Objective::Makespan, 4_000, &["are free", "fewer chains"]);
    refuse(made_up(2, 129, false, false), Objective::Makespan, 1 << 30, &["at most 128 machines, here are 129"]);
    let long = made_up(MOST_JOBS as usize + 1, 1, false, false);
    refuse(long, Objective::FlowTime, 1 << 30, &["at most 4096 jobs"]);
}

/// Tiny to published cases, every tuning.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_walks_the_path_of_the_cpu() {
    let tunings = [tuning(0, false), tuning(1, false), tuning(4, true), tuning(8, false)];
    let published = ["ta011", "ta051", "ta071", "ta101", "ta111"].into_iter().flat_map(move |name| {
        let instance = formats::open(&format!("taillard:{name}"), &formats::LoadOptions::default()).unwrap();
        let parameters = IteratedGreedyParameters { chains: 3, ..chosen(2, true, 4) };
        let is_small = instance.job_count() <= 100;
        let runs = Run::of_all_objectives(&instance, &parameters, 1)
            .filter(|run| is_small || run.objective == Objective::Makespan);
        let count = |run: &Run| if run.objective == Objective::Makespan { tunings.len() } else { 1 };
        runs.map(|run| (count(&run), run)).map(|(count, run)| (run, tunings[..count].to_vec())).collect::<Vec<_>>()
    });
    let tiny = SEEDS.into_iter().flat_map(tiny_runs);
    compare_on_cuda(tiny.map(move |run| (run, tunings.to_vec())).chain(published));
}

/// Small cases, for compute-sanitizer.
#[test]
#[ignore = "needs a CUDA device"]
fn cuda_runs_every_kernel_on_a_tiny_instance() {
    compare_on_cuda(tiny_runs(1).into_iter().map(|run| (run, vec![tuning(2, false), tuning(1, true)])));
}

fn tiny_runs(seed: u64) -> Vec<Run> {
    let all = |(instance, parameters)| Run::of_all_objectives(&instance, &parameters, seed).collect::<Vec<_>>();
    tiny().into_iter().flat_map(all).collect()
}

fn start(config: EmulatorConfig) -> CudaEmulator {
    super::support::start(Module::Greedy, config)
}

fn tuning(warps: u32, global: bool) -> Tuning {
    Tuning { warps, global }
}

/// Generates a flow shop with zero times, so that many positions cost the same, and with due dates that some jobs meet. With `released`
/// every third job has a release date; with `long` makespans need more than 16 bits.
fn made_up(jobs: usize, machines: usize, released: bool, long: bool) -> Instance {
    let mut numbers = Numbers((jobs * 1_000 + machines) as u64);
    let mut next = |n: usize| numbers.below(n) as u32;
    let scale = if long { 5_000 } else { 1 };
    let times = (0..jobs * machines).map(|_| if next(7) == 0 { 0 } else { scale * (1 + next(9)) }).collect();
    let mut instance = Instance::of_times(&format!("{jobs} × {machines}"), machines, times).unwrap();
    for (number, job) in instance.jobs.iter_mut().enumerate() {
        let soon = scale * next(6 * (jobs + machines));
        job.due = Some(if number % 5 == 4 { u32::MAX / 2 } else { soon });
        job.release = if released && number % 3 == 0 { scale * next(20) } else { 0 };
    }
    instance.validated().unwrap()
}

/// The flow shop in minutes, with shifts and a break that all machines share.
fn in_shifts(instance: Instance) -> Instance {
    let hours = |from: &str, to: &str, days, kind| WorkingHours {
        machine: None,
        days: DayRange::Weekdays(days),
        from: from.parse().unwrap(),
        to: to.parse().unwrap(),
        kind,
    };
    let shift = hours("06:00:00", "14:00:00", 0x1f, HoursKind::Work);
    let rest = hours("09:00:00", "09:15:00", 0x7f, HoursKind::Closed);
    let start = PlanStart { local: "2026-11-27T06:00:00".parse().unwrap(), zone: None };
    let real_time = RealTime { start: Some(start), hours: vec![shift, rest], machines: Vec::new() };
    Instance { real_time: Some(real_time.into()), ..instance }.validated().unwrap()
}

fn chosen(removed: u32, partial: bool, gathering: u32) -> IteratedGreedyParameters {
    let partial = if partial { Partial::On } else { Partial::Off };
    IteratedGreedyParameters { chains: 5, removed, temperature: 3.0, partial, gathering, ..Default::default() }
}

/// Degenerate and awkward sizes: one of everything, more removed jobs than there are, warps that are just full or just not, rows
/// of every kernel.
fn tiny() -> Vec<(Instance, IteratedGreedyParameters)> {
    vec![
        (made_up(1, 1, false, false), chosen(2, true, 0)),
        (made_up(1, 3, true, false), chosen(2, false, 0)),
        (made_up(2, 2, false, false), chosen(64, true, 0)),
        (made_up(3, 1, false, false), chosen(64, false, 2)),
        (made_up(20, 5, false, false), chosen(2, true, 3)),
        (made_up(33, 3, true, false), chosen(3, true, 0)),
        (made_up(13, 9, false, true), chosen(4, false, 0)),
        (made_up(34, 7, false, false), chosen(2, true, 2)),
        (made_up(12, 20, false, false), chosen(2, true, 0)),
        (made_up(9, 33, false, false), chosen(2, true, 0)),
        (made_up(7, 70, false, true), chosen(1, true, 0)),
    ]
}

/// Taillard's sizes, on all branches of the kernel.
#[test]
fn fifty_jobs_agree_in_the_emulator() {
    let instance = formats::open("taillard:ta041", &formats::LoadOptions::default()).unwrap();
    assert_eq!((instance.job_count(), instance.machine_count()), (50, 10));
    let parameters = IteratedGreedyParameters { chains: 2, temperature: 0.7, ..IteratedGreedyParameters::default() };
    for order in [WarpOrder::Descending, WarpOrder::Eager, WarpOrder::Shuffled(1)] {
        let emulated = |run| (in_order(order), (run, vec![tuning(0, false)]));
        compare_emulated(Run::of_all_objectives(&instance, &parameters, 2).map(emulated));
    }
}

/// Chains that begin with the permutation of a beam search do so on every backend, also if the device is lost before, at or after that.
#[test]
fn chains_after_beams_walk_the_same_path() {
    let instance = formats::open("taillard:ta022", &formats::LoadOptions::default()).unwrap();
    let parameters = IteratedGreedyParameters { chains: 3, ..chosen(2, true, 3) };
    let run =
        Run { instance: instance.clone(), objective: Objective::Makespan, parameters: parameters.clone(), seed: 4 };
    let beams = || {
        let (order, makespan) = neh(&FlowShopProblem::new(&instance, Objective::Makespan));
        Beams::new(Shop::of(&instance, Objective::Makespan).unwrap(), 64, order, makespan, pool(2))
    };
    let mut steps = beams();
    let of_beams = steps.advance(u32::MAX).unwrap();
    assert!(of_beams > 0 && !steps.is_proven(), "{of_beams} steps");
    let (epochs, epoch) = (of_beams / 3 + 3, 3);
    let cpu = CpuGreedy::new(&instance, Objective::Makespan, &parameters, None, 4, pool(2));
    let expected = path(&mut BeamThenChains::new(Some(beams()), cpu), epochs, epoch);
    for launches in [0, 1, 99] {
        let runtime = Faulty::lost_after(launches, Module::Greedy);
        let cuda = CudaGreedy::new(&run.inputs(), pool(2), runtime, Tuning::default()).unwrap();
        let mut search = BeamThenChains::new(Some(beams()), failing_over(cuda));
        assert_eq!(path(&mut search, epochs, epoch), expected, "{launches} launches");
        assert_eq!(search.chains().device().is_none(), launches < 99, "{:?}", search.chains().device_notes());
    }
}

/// Parameters that a device chooses are recorded, and the CPU follows the same trajectory with them.
#[test]
fn automatic_numbers_become_parameters() {
    let instance = made_up(20, 5, false, false);
    let mut parameters = IteratedGreedyParameters { temperature: 0.7, ..IteratedGreedyParameters::default() };
    resolve(&mut start(EmulatorConfig::default()), &instance, Objective::Makespan, &mut parameters).unwrap();
    assert!(parameters.chains > 0 && parameters.gathering > 0, "{parameters:?}");
    let run = Run { instance: instance.clone(), objective: Objective::Makespan, parameters, seed: 1 };
    compare(&mut || start(EmulatorConfig::default()), &run, &[Tuning::default()]);
    let mut chosen = IteratedGreedyParameters { chains: 7, ..IteratedGreedyParameters::default() };
    resolve(&mut start(EmulatorConfig::default()), &instance, Objective::Makespan, &mut chosen).unwrap();
    assert_eq!((chosen.chains, chosen.gathering), (7, 0));
}
