//! One solve from settings to result: search, check.

mod algorithm;
mod memory;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use gridwright_kernels::SharedCuda;
use gridwright_kernels::facility::Tuning;
use serde::{Deserialize, Serialize};

use super::check::check;
use super::enumeration::Enumeration;
use super::found::{Found, orientations};
use super::genes::of_layout;
use super::genetic::cpu::CpuBreed;
use super::genetic::cuda::DeviceBreed;
use super::genetic::{Breed, Genetic, GeneticParameters, first_individuals};
use super::memetic::cpu::CpuWalk;
use super::memetic::cuda::DeviceWalk;
use super::memetic::{Cycles, Limit, MANY, Memetic, MemeticParameters, Prepared, Walk, prepared};
use super::spare::{Notes, SpareBreed, SpareWalk};
use super::{Instance, Layout, Orientation, Rules};
use crate::backend::{self, Backend, OpenDevice};
use crate::replay::{self, ReplayReport};
use crate::result::{Demands, FORMAT, InstanceReference, RunResult, SO_THE_CPU, Solution, Verdict};
use crate::search::driver::{self, Plan};
use crate::search::{Budget, Control, Epochs, Outcome, Progress, Stop, StopReason};
use crate::{Error, Result, numbers};

pub use algorithm::Algorithm;
pub use memory::memory_need;

/// Everything that a run depends on beside the instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// What searches, and how.
    pub algorithm: Algorithm,
    /// How bays lie; `None`: whichever way is better.
    pub orientation: Option<Orientation>,
    /// `auto`, `cpu` or `cuda:N`.
    pub backend: String,
    /// Threads of the CPU; 0: all.
    pub threads: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// When to stop.
    pub stop: Stop,
}

/// What an observer is told through.
pub type Observer<'a> = dyn FnMut(&Progress<Found>) + 'a;

/// Layouts that walk side by side where the person does not say, on the CPU and on a device.
const SIDE: usize = 8;
const SIDE_ON_DEVICE: usize = 4_096;

/// Under `auto` the CPU does what has fewer departments: it is done before a device is ready.
const WORTH_A_DEVICE: usize = 15;

/// Pairs of departments that an epoch looks at, roughly: some 40 ms.
const EPOCH_PAIRS: u64 = 1 << 24;

/// Costs that differ by less than this fraction are the same: the checker adds them up in another order.
const CLOSE: f64 = 1e-9;

/// The name under which results keep the orientation that was asked for.
const BAYS: &str = "bays";

/// Solves an instance, whose rules are minded.
///
/// The observer is told after every epoch, in the calling thread. A failure inside the search does not lose what was found: it ends the
/// run with [`StopReason::Failed`]. The result names the instance as its own source; a caller who knows the file puts it there.
///
/// # Errors
/// [`Error::Usage`] where the settings cannot be used, [`Error::Device`] where the backend is not there.
pub fn solve(
    instance: &Instance,
    settings: &Settings,
    control: &Control,
    observer: &mut Observer<'_>,
) -> Result<RunResult> {
    improve(instance, settings, None, control, observer)
}

/// As [`solve`], beginning with a layout of all departments where one is given, which only the memetic algorithm can. The result says with
/// which.
///
/// # Errors
/// As [`solve`]; [`Error::Usage`] where the layout is not one of all departments, or the algorithm cannot begin with one.
pub fn improve(
    instance: &Instance,
    settings: &Settings,
    start: Option<&Layout>,
    control: &Control,
    observer: &mut Observer<'_>,
) -> Result<RunResult> {
    let run = Run::new(instance, settings.orientation, settings.seed, &settings.backend, settings.threads, control)?;
    run.check_start(&settings.algorithm, start)?;
    settings.algorithm.check(instance)?;
    let mut algorithm = settings.algorithm.clone();
    let device = run.device(&algorithm)?;
    if let Algorithm::Memetic(parameters) = &mut algorithm {
        // Under a budget of steps the number of threads must not matter.
        let side = match (&device, settings.stop.budget) {
            (Some(_), _) => side_on_device(instance),
            (None, Budget::Steps(_)) => SIDE,
            (None, Budget::Seconds(_)) => (2 * run.threads.current_num_threads()).max(SIDE),
        };
        parameters.resolve(instance.len(), side);
    }
    let (steps, seconds) = match settings.stop.budget {
        Budget::Steps(steps) => (Some(steps), None),
        Budget::Seconds(seconds) => (None, Some(seconds)),
    };
    let Stop { target, stall, .. } = settings.stop;
    let plan = Plan { steps, epoch: run.epoch(&algorithm), legs: Vec::new(), seconds, target, stall };
    run.walk(&algorithm, start, plan, seconds, device, observer)
}

/// Layouts that walk side by side on a device where the person does not say.
fn side_on_device(instance: &Instance) -> usize {
    if instance.len() > MANY { SIDE_ON_DEVICE / 4 } else { SIDE_ON_DEVICE }
}

/// Runs a result again, as far as it went, and compares the digest of every epoch.
///
/// # Errors
/// As [`solve`]; [`Error::Usage`] where the result belongs to another instance or was cancelled here.
pub fn replay(
    instance: &Instance,
    result: &RunResult,
    backend: &str,
    threads: usize,
    control: &Control,
    observer: &mut Observer<'_>,
) -> Result<ReplayReport> {
    let began = Instant::now();
    replay::check_data(result, &instance.name, &instance.hash)?;
    let (instance, start) = demanded(instance, result)?;
    let run = Run::new(&instance, orientation_of(result)?, result.seed, backend, threads, control)?;
    let mut algorithm = Algorithm::named(&result.algorithm)?;
    algorithm.take_values(&result.parameters)?;
    algorithm.check(&instance)?;
    run.check_start(&algorithm, start.as_ref())?;
    let device = run.device(&algorithm)?;
    let again = run.walk(&algorithm, start.as_ref(), replay::plan_of(result), None, device, observer)?;
    replay::check_whole(control)?;
    Ok(ReplayReport::of(result, &again, began.elapsed().as_secs_f64()))
}

/// The instance with the rules that a run was to mind, and the layout that it began with.
///
/// # Errors
/// [`Error::Usage`] where these do not belong to the instance.
pub fn demanded(instance: &Instance, result: &RunResult) -> Result<(Instance, Option<Layout>)> {
    let (rules, start) = match &result.demands {
        Some(Demands::Facility { rules, start }) => (rules.clone(), start.clone()),
        _ => (Rules::default(), None),
    };
    rules.check(instance)?;
    Ok((Instance { rules, ..instance.clone() }, start))
}

/// How a result's bays were to lie.
///
/// # Errors
/// [`Error::Usage`] where it names an orientation that there is not.
pub fn orientation_of(result: &RunResult) -> Result<Option<Orientation>> {
    let Some(name) = result.instance.options.get(BAYS) else { return Ok(None) };
    let known = Orientation::ALL.into_iter().find(|orientation| orientation.name() == name);
    known
        .map(Some)
        .ok_or_else(|| Error::Usage(format!("the result names bays “{}”; use the original", name.escape_debug())))
}

/// A run on its way.
struct Run<'a> {
    instance: &'a Instance,
    orientation: Option<Orientation>,
    seed: u64,
    backend: Backend,
    threads: Arc<rayon::ThreadPool>,
    control: &'a Control,
    began: Instant,
}

/// A device that computes.
impl<'a> Run<'a> {
    fn new(
        instance: &'a Instance,
        orientation: Option<Orientation>,
        seed: u64,
        backend: &str,
        threads: usize,
        control: &'a Control,
    ) -> Result<Self> {
        let began = Instant::now();
        let (backend, threads) = (Backend::named(backend)?, backend::thread_pool(threads)?);
        Ok(Self { instance, orientation, seed, backend, threads, control, began })
    }

    fn check_start(&self, algorithm: &Algorithm, start: Option<&Layout>) -> Result<()> {
        let Some(start) = start else { return Ok(()) };
        let mut all: Vec<u16> = start.bays.concat();
        all.sort_unstable();
        if all.len() != self.instance.len() || !all.iter().enumerate().all(|(at, &one)| usize::from(one) == at) {
            return Err(Error::Usage("the layout to begin with is not one of all departments".to_owned()));
        }
        if !matches!(algorithm, Algorithm::Memetic(_)) {
            let what = "only the memetic algorithm can begin with a layout; choose --algorithm memetic";
            return Err(Error::Usage(what.to_owned()));
        }
        if self.orientation.is_some_and(|wanted| wanted != start.orientation) {
            let name = start.orientation.name();
            return Err(Error::Usage(format!("the layout to begin with has {name} bays; search these or both")));
        }
        Ok(())
    }

    /// Steps of an epoch, by the size of the instance and the parameters alone.
    fn epoch(&self, algorithm: &Algorithm) -> u32 {
        let n = self.instance.len() as u64;
        let layout = self.instance.flow_pairs() as u64 + 8 * n;
        let step = match algorithm {
            Algorithm::Memetic(MemeticParameters { islands, individuals, .. }) => {
                // Where there are as many islands as for a device, a device does them side by side.
                let side = u64::from((*islands / 8).max(1));
                u64::from(*islands) * u64::from(*individuals) * u64::from(super::memetic::STEP) * layout / side
            }
            Algorithm::Genetic(GeneticParameters { islands, individuals, .. }) => {
                u64::from(*islands) * u64::from(*individuals) * 2 * layout
            }
            Algorithm::Enumeration(_) => EPOCH_PAIRS / 128,
        };
        (EPOCH_PAIRS / step.max(1)).clamp(1, 4_096) as u32
    }

    /// The device to compute on; `None`: the CPU.
    ///
    /// # Errors
    /// [`Error::Device`] where one is asked for that is not there, or for an algorithm that only the CPU has.
    fn device(&self, algorithm: &Algorithm) -> Result<Option<OpenDevice>> {
        let only_cpu = matches!(algorithm, Algorithm::Enumeration(_));
        if let (true, Backend::Cuda(_)) = (only_cpu, &self.backend) {
            let what = "the enumeration runs on the CPU; choose the CPU (--backend cpu), or --algorithm memetic";
            return Err(Error::Device(what.to_owned()));
        }
        if only_cpu || (self.backend == Backend::Auto && self.instance.len() < WORTH_A_DEVICE) {
            return Ok(None);
        }
        self.backend.open_shared()
    }

    fn walk(
        &self,
        algorithm: &Algorithm,
        start: Option<&Layout>,
        mut plan: Plan,
        time_limit: Option<f64>,
        device: Option<OpenDevice>,
        observer: &mut Observer<'_>,
    ) -> Result<RunResult> {
        let mut on = device.as_ref().map(|device| (device.id.clone(), device.name.clone()));
        let (machine, notes) = (device.map(|device| device.machine), Notes::default());
        let outcome = match algorithm {
            Algorithm::Memetic(parameters) => {
                let limit = time_limit.map(|seconds| Limit { began: self.began, seconds });
                let walk = self.walk_on(machine, parameters, &notes)?;
                let mut search = self.memetic(walk, parameters, start, &plan.legs, limit)?;
                let outcome = self.drive(&mut search, &plan, observer);
                plan.legs = search.legs().to_vec();
                outcome
            }
            Algorithm::Genetic(parameters) => {
                if plan.seconds.is_none() && plan.steps.is_none() {
                    plan.steps = Some(parameters.generations.into());
                }
                self.drive(&mut self.genetic(machine, parameters, &notes)?, &plan, observer)
            }
            Algorithm::Enumeration(parameters) => {
                let threads = Arc::clone(&self.threads);
                let mut search = Enumeration::new(self.instance, parameters, self.orientation, self.seed, threads)?;
                self.drive(&mut search, &plan, observer)
            }
        };
        let mut result = self.result(algorithm, start, plan, time_limit, outcome);
        let notes = notes.all();
        if notes.iter().any(|note| note.ends_with(SO_THE_CPU)) {
            on = None;
        }
        result.notes.extend(notes);
        if let Some((id, name)) = on {
            (result.backend, result.device) = (id, name);
        }
        Ok(result)
    }

    /// What a device cannot hold the CPU does, unless that device was asked for.
    fn or_the_cpu<T>(&self, on_device: Result<T>, notes: &Notes) -> Result<Option<T>> {
        match on_device {
            Err(why @ Error::Device(_)) if self.backend == Backend::Auto => {
                notes.push(format!("{why}{SO_THE_CPU}"));
                Ok(None)
            }
            other => other.map(Some),
        }
    }

    fn walk_on(
        &self,
        machine: Option<SharedCuda>,
        parameters: &MemeticParameters,
        notes: &Notes,
    ) -> Result<(Box<dyn Walk>, Prepared)> {
        let ready = prepared(self.instance, self.seed);
        let islands = orientations(parameters.islands as usize, self.orientation);
        let islands: Vec<usize> = islands.into_iter().map(|one| one as usize).collect();
        let on_device = machine
            .map(|machine| DeviceWalk::new(machine, &ready, parameters, &islands, self.seed, Tuning::default()))
            .map_or(Ok(None), |walk| self.or_the_cpu(walk, notes))?;
        let cpu = CpuWalk::new(&ready, parameters, islands, self.seed, Arc::clone(&self.threads));
        let walk: Box<dyn Walk> = match on_device {
            Some(device) => Box::new(SpareWalk::new(device, cpu, notes.clone())),
            None => Box::new(cpu),
        };
        Ok((walk, ready))
    }

    fn memetic(
        &self,
        (walk, ready): (Box<dyn Walk>, Prepared),
        parameters: &MemeticParameters,
        start: Option<&Layout>,
        legs: &[u64],
        limit: Option<Limit>,
    ) -> Result<Memetic<Box<dyn Walk>>> {
        let genes = start.map(|start| (start.orientation, of_layout(start)));
        let start = genes.as_ref().map(|(orientation, genes)| (*orientation, &genes[..]));
        let cycles = Cycles::new(parameters, legs, limit);
        Memetic::new(walk, ready, parameters, cycles, self.orientation, start, self.seed)
    }

    fn genetic(
        &self,
        machine: Option<SharedCuda>,
        parameters: &GeneticParameters,
        notes: &Notes,
    ) -> Result<Genetic<Box<dyn Breed>>> {
        let (problems, unit) = prepared(self.instance, self.seed);
        let islands = orientations(parameters.islands as usize, self.orientation);
        let first = first_individuals(self.instance, &problems, parameters, &islands, self.seed);
        let on_device = machine
            .map(|machine| DeviceBreed::new(machine, &problems, parameters, &islands, self.seed, Tuning::default()))
            .map_or(Ok(None), |breed| self.or_the_cpu(breed, notes))?;
        let cpu = CpuBreed::new(problems, parameters, islands.clone(), self.seed, Arc::clone(&self.threads));
        let breed: Box<dyn Breed> = match on_device {
            Some(device) => Box::new(SpareBreed::new(device, cpu, notes.clone())),
            None => Box::new(cpu),
        };
        Genetic::new(breed, &first, unit, parameters, islands)
    }

    fn drive(
        &self,
        search: &mut impl Epochs<Solution = Found>,
        plan: &Plan,
        observer: &mut Observer<'_>,
    ) -> Outcome<Found> {
        driver::run(search, plan, self.control, self.began.elapsed(), observer)
    }

    /// Checks what was found and writes everything down.
    fn result(
        &self,
        algorithm: &Algorithm,
        start: Option<&Layout>,
        plan: Plan,
        time_limit: Option<f64>,
        mut outcome: Outcome<Found>,
    ) -> RunResult {
        let last = outcome.last.take();
        let (generations, evaluations) = last.as_ref().map_or((0, 0), |last| (last.step, last.evaluations));
        let found = last.map(|last| Arc::clone(&last.best));
        let layout = found.as_ref().map(|found| found.layout.clone()).unwrap_or_default();
        let checked = check(self.instance, &layout);
        let close = |one: f64, other: f64| (one - other).abs() <= CLOSE * one.abs().max(1.0);
        let confirmed = found.as_ref().is_some_and(|found| {
            close(found.score.cost, checked.cost) && found.score.is_feasible() == checked.feasible
        });
        let proven = found.as_ref().is_some_and(|found| found.proven);
        let ended = matches!(outcome.stop_reason, StopReason::Failed(_) | StopReason::Cancelled);
        let stop_reason = match outcome.stop_reason {
            _ if proven && checked.feasible => StopReason::Proven,
            _ if !checked.feasible && !ended => StopReason::NoFeasible,
            reason => reason,
        };
        let verdict = Verdict {
            feasible: checked.feasible,
            cost: checked.cost,
            cost_display: numbers::quantity(checked.cost),
            confirmed,
            violations: checked.violations,
        };
        let rules = &self.instance.rules;
        let demands = (start.is_some() || !rules.is_empty())
            .then(|| Demands::Facility { rules: rules.clone(), start: start.cloned() });
        let bays = self.orientation.map(|orientation| (BAYS.to_owned(), orientation.name().to_owned()));
        RunResult {
            format: FORMAT,
            program: format!("gridwright {}", env!("CARGO_PKG_VERSION")),
            problem: "facility".to_owned(),
            instance: InstanceReference {
                name: self.instance.name.clone(),
                source: self.instance.name.clone(),
                hash: self.instance.hash.clone(),
                options: BTreeMap::from_iter(bays),
            },
            algorithm: algorithm.name().to_owned(),
            parameters: algorithm.values(),
            seed: self.seed,
            backend: "cpu".to_owned(),
            device: format!("CPU, {}", backend::vector_unit()),
            threads: self.threads.current_num_threads(),
            plan,
            time_limit,
            stop_reason,
            finished_at: chrono::Utc::now().timestamp(),
            seconds: outcome.seconds,
            generations,
            evaluations,
            curve: outcome.curve,
            digests: outcome.digests.iter().map(|digest| format!("{digest:016x}")).collect(),
            solution: self.named(&layout),
            verdict,
            notes: self.notes(proven, checked.feasible, layout.orientation),
            demands,
            front: None,
        }
    }

    fn named(&self, layout: &Layout) -> Solution {
        let name = |&one: &u16| self.instance.departments[usize::from(one)].name.clone();
        Solution::Layout(layout.orientation, layout.bays.iter().map(|bay| bay.iter().map(name).collect()).collect())
    }

    fn notes(&self, proven: bool, feasible: bool, is: Orientation) -> Vec<String> {
        let among = match self.orientation {
            Some(orientation) => format!("with {} bays", orientation.name()),
            None => "with flexible bays of either orientation".to_owned(),
        };
        match (proven, feasible) {
            (true, true) => {
                vec![format!("proven optimal: no layout {among} costs less"), format!("{} bays", is.name())]
            }
            (true, false) => {
                vec![format!("proven: no layout {among} keeps all limits; this is the least violating one found")]
            }
            (false, true) => vec![format!("{} bays", is.name())],
            (false, false) => {
                vec!["no layout was found that keeps all limits; this is the least violating one".to_owned()]
            }
        }
    }
}

#[cfg(test)]
mod tests;
