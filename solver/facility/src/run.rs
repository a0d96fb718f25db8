//! One solve of a facility layout: start of the search, check of the result.

mod algorithm;
pub mod holding;
mod memory;
mod recording;

use std::collections::BTreeMap;
use std::sync::Arc;

use gridwright_kernels::DeviceRuntime as _;
use gridwright_kernels::facility::Tuning;

use super::check::check;
use super::enumeration::{self, Enumeration};
use super::facts;
use super::failover::{FailoverAnnealing, FailoverGenetic};
use super::frame::{Frame, keeps_fixed};
use super::genes::of_layout;
use super::genetic::cpu::CpuGenetic;
use super::genetic::cuda::DeviceGenetic;
use super::genetic::{Genetic, GeneticParameters, first_individuals};
use super::islands::{BestLayout, orientations};
use super::journal::SharedRecorder;
use super::memetic::cpu::CpuAnnealing;
use super::memetic::cuda::DeviceAnnealing;
use super::memetic::{Cycles, Limit, MANY, Memetic, MemeticParameters, prepared, priced};
use super::slicing::{self, FewMoves, MOST_MOVES, Relocating, Slicing, SlicingParameters};
use super::stored::{self, Demands};
use super::{Instance, Layout, Orientation, Rules};
use gridwright_core::backend::OpenDevice;
use gridwright_core::numbers::figure;
use gridwright_core::replay::{self, ReplayReport};
use gridwright_core::result::{Encoded, RunResult, Verdict};
use gridwright_core::search::run::{self, DeviceUse, Judgement, Run, Started, Subject};
use gridwright_core::search::{Algorithms, Environment, Epochs, SearchOutcome, StopReason, room};
use gridwright_core::{Error, Result};

pub use algorithm::Algorithm;
pub(crate) use algorithm::MOST_PROVEN;
pub use memory::memory_need;
pub use recording::record_migrations;

/// Everything that a run depends on beside the instance; `goal` is the orientation of the bays, `None`: the better one.
pub type Settings = run::Settings<Algorithm, Option<Orientation>>;

/// Observer of a run; see [`run::Observer`].
type Observer<'a> = run::Observer<'a, BestLayout>;

/// Number of layouts that are annealed in parallel unless the user chooses, on the CPU and on a device.
const SIDE: usize = 8;
const SIDE_ON_DEVICE: usize = 4_096;

/// Number of departments below which `auto` chooses the CPU, which has finished before a device is ready.
const WORTH_A_DEVICE: usize = 15;

/// Pairs of departments that an epoch looks at, roughly: some 40 ms.
const EPOCH_PAIRS: u64 = 1 << 24;

/// Costs that differ by less than this fraction are equal: the checker adds them up in another order.
const CLOSE: f64 = 1e-9;

/// Reason why a run with locked rectangles leaves devices alone.
const LOCKED: &str =
    "locked rectangles are kept by the searches on the CPU only; choose the CPU, or unlock the departments";

/// Reason why a run that counts closeness leaves devices alone.
const PRICED: &str = "closeness is counted by searches on the CPU only; choose the CPU, or a closeness of 0";

/// Reason why a run with prices of moving leaves devices alone.
const RELOCATED: &str =
    "the cost of moving is counted by searches on the CPU only; choose the CPU, or leave the prices out";

/// Reason why a run with flows through doors leaves devices alone.
const THROUGH_DOORS: &str =
    "flows through doors are counted by searches on the CPU only; choose the CPU, or leave these flows out";

/// Name under which results keep the orientation that was asked for.
const BAYS: &str = "bays";

/// Solves an instance under its rules; see [`run::solve`].
///
/// # Errors
/// As [`run::solve`].
pub fn solve<'a>(
    instance: &Instance, settings: &Settings, environment: impl Into<Environment<'a>>, observer: &mut Observer<'_>,
) -> Result<RunResult> {
    improve(instance, settings, None, environment, observer)
}

/// Solves an instance beginning with a layout of all departments, which only the memetic algorithm and slicing trees can; the
/// result names the layout. `None` is [`solve`].
///
/// # Errors
/// As [`solve`]; [`Error::Usage`] if the layout is not one of all departments, or the algorithm cannot begin with one.
pub(crate) fn improve<'a>(
    instance: &Instance, settings: &Settings, start: Option<&Layout>, environment: impl Into<Environment<'a>>,
    observer: &mut Observer<'_>,
) -> Result<RunResult> {
    let task = Task::new(instance, settings.algorithm.clone(), settings.goal, start.cloned())?;
    run::solve(&task, settings, environment.into(), observer)
}

/// Number of layouts that are annealed in parallel on as many devices unless the user chooses.
fn side_on(devices: u32, instance: &Instance) -> usize {
    let side = if instance.len() > MANY { SIDE_ON_DEVICE / 4 } else { SIDE_ON_DEVICE };
    side * devices.max(1) as usize
}

/// Runs a result again, on `backend` with `threads` threads (0: all); see [`run::replay`].
///
/// # Errors
/// As [`run::replay`]; [`Error::Usage`] if the result belongs to another instance.
pub fn replay<'a>(
    instance: &Instance, result: &RunResult, backend: &str, threads: usize, environment: impl Into<Environment<'a>>,
    observer: &mut Observer<'_>,
) -> Result<ReplayReport> {
    replay::check_data(result, &instance.name, &instance.hash)?;
    let (instance, start) = demanded(instance, result)?;
    let algorithm = Algorithm::of_result(&result.algorithm, &result.parameters)?;
    let task = Task::new(&instance, algorithm, orientation_of(result)?, start)?;
    run::replay(&task, result, (backend, threads), environment.into(), observer)
}

/// Rules and starting layout under which a result was found.
pub fn demands_of(result: &RunResult) -> (Rules, Option<Layout>) {
    match result.demands.as_ref().and_then(Encoded::decode) {
        Some(Demands::Facility { rules, start }) => (rules, start),
        None => (Rules::default(), None),
    }
}

/// Instance with the rules under which a result was found, and the starting layout.
///
/// # Errors
/// [`Error::Usage`] if the rules do not belong to the instance.
pub fn demanded(instance: &Instance, result: &RunResult) -> Result<(Instance, Option<Layout>)> {
    if let Some(Err(what)) = result.demands.as_ref().map(Encoded::read::<Demands>) {
        return Err(Error::Usage(format!("{}: the rules of the result cannot be read: {what}", instance.name)));
    }
    let (rules, start) = demands_of(result);
    rules.check(instance)?;
    Ok((Instance { rules, ..instance.clone() }, start))
}

/// Orientation that a run was restricted to; `None`: both.
///
/// # Errors
/// [`Error::Usage`] if the result names an unknown orientation.
fn orientation_of(result: &RunResult) -> Result<Option<Orientation>> {
    let Some(name) = result.instance.options.get(BAYS) else { return Ok(None) };
    let known = Orientation::ALL.into_iter().find(|orientation| orientation.name() == name);
    known
        .map(Some)
        .ok_or_else(|| Error::Usage(format!("the result names bays “{}”; use the original", name.escape_debug())))
}

/// One solve of an instance.
struct Task<'a> {
    instance: &'a Instance,
    algorithm: Algorithm,
    /// Orientation of the bays; `None`: the better one.
    orientation: Option<Orientation>,
    /// Layout to begin with.
    start: Option<Layout>,
    /// Recorder of the migrations, if they are recorded.
    recorder: Option<SharedRecorder>,
}

impl<'a> Task<'a> {
    fn new(
        instance: &'a Instance, algorithm: Algorithm, orientation: Option<Orientation>, start: Option<Layout>,
    ) -> Result<Self> {
        // A layout with locked rectangles has the bays in which they lie.
        let is_slicing = matches!(algorithm, Algorithm::Slicing(_));
        let locked = instance.rules.orientation().filter(|_| !is_slicing);
        if let (Some(wanted), Some(locked)) = (orientation, locked.filter(|locked| Some(*locked) != orientation)) {
            let [wanted, locked] = [wanted, locked].map(Orientation::name);
            return Err(Error::Usage(format!(
                "departments are locked in {locked} bays; search these or both instead of {wanted} ones, or unlock them"
            )));
        }
        if let (Some(wanted), Algorithm::Slicing(_)) = (orientation, &algorithm) {
            let wanted = wanted.name();
            let what = format!("slicing trees have no {wanted} bays; leave out --bays, or use --algorithm memetic");
            return Err(Error::Usage(what));
        }
        let task = Self { instance, algorithm, orientation: orientation.or(locked), start, recorder: None };
        task.check_start()?;
        task.algorithm.check(instance)?;
        Ok(task)
    }

    fn check_start(&self) -> Result<()> {
        let Some(start) = &self.start else {
            let what = "“Move at most” (moves) counts from a layout to begin with: show one and choose Improve from here, or \
                        set it to 0";
            let has_moves = matches!(&self.algorithm, Algorithm::Slicing(parameters) if parameters.moves > 0);
            return if has_moves { Err(Error::Usage(what.to_owned())) } else { Ok(()) };
        };
        if !start.is_whole(self.instance.len()) {
            return Err(Error::Usage("the layout to begin with is not one of all departments".to_owned()));
        }
        match self.algorithm {
            Algorithm::Slicing(_) => return Ok(()),
            Algorithm::Memetic(_) if start.is_free() => {
                let what = "the layout to begin with has rectangles and no bays; choose --algorithm slicing";
                return Err(Error::Usage(what.to_owned()));
            }
            Algorithm::Memetic(_) => {}
            Algorithm::Genetic(_) | Algorithm::Enumeration(_) => {
                let what =
                    "only the memetic algorithm and slicing trees can begin with a layout; choose --algorithm memetic";
                return Err(Error::Usage(what.to_owned()));
            }
        }
        let frame = Frame::of(self.instance, start.orientation);
        if frame.is_some() && !keeps_fixed(self.instance, start) {
            let what =
                "the layout to begin with does not keep a locked rectangle; unlock the department, or undo the move";
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
            // Cutting takes longer than evaluating bays.
            Algorithm::Slicing(SlicingParameters { chains, .. }) => u64::from(*chains) * 512 * layout,
        };
        (EPOCH_PAIRS / step.max(1)).clamp(1, 4_096) as u32
    }

    /// Checks that the individuals or trees, which searches hold several times, have room.
    fn check_memory(&self, algorithm: &Algorithm) -> Result<()> {
        if let Algorithm::Slicing(parameters) = algorithm {
            let bytes = room::product([parameters.chains as usize, slicing::bytes_of(self.instance.len()), 1, 1]);
            return room::check("the slicing trees", bytes, "choose fewer chains");
        }
        let (islands, individuals) = algorithm.islands().unwrap_or_default();
        // Genes in six copies, and scores.
        let each = self.instance.len() * 6 * size_of::<u16>() + 256;
        let bytes = room::product([islands as usize, individuals as usize, each, 1]);
        room::check("the individuals", bytes, "choose fewer islands or individuals")
    }

    /// Parameters of a new run, resolved for what computes; those of a replay as they are.
    ///
    /// # Errors
    /// [`Error::Usage`] if a replay lacks a parameter that the run has resolved.
    fn resolved(&self, run: &Run<'_>, device: Option<&OpenDevice>) -> Result<Algorithm> {
        let mut algorithm = self.algorithm.clone();
        if let (Algorithm::Memetic(parameters), Some(_)) = (&algorithm, run.recorded()) {
            replay::check_resolved("number of islands (islands)", parameters.islands)?;
            replay::check_resolved("number of individuals (individuals)", parameters.individuals)?;
        }
        if let Algorithm::Slicing(parameters) = &mut algorithm {
            match run.recorded() {
                Some(_) => replay::check_resolved("number of chains (chains)", parameters.chains)?,
                // Under a budget of steps the number of threads must not matter.
                None => parameters
                    .resolve(self.instance.len(), run.time_limit().map_or(1, |_| run.threads.current_num_threads())),
            }
        }
        if let (Algorithm::Memetic(parameters), None) = (&mut algorithm, run.recorded()) {
            // Under a budget of steps the number of threads must not matter.
            let side = match (device, run.time_limit()) {
                (Some(device), _) => side_on(device.runtime.clone().limits()?.devices(), self.instance),
                (None, None) => SIDE,
                (None, Some(_)) => (2 * run.threads.current_num_threads()).max(SIDE),
            };
            parameters.resolve(self.instance.len(), side);
        }
        Ok(algorithm)
    }

    fn memetic(
        &self, parameters: &MemeticParameters, run: &Run<'_>, device: Option<&OpenDevice>,
    ) -> Result<Box<dyn Epochs<Solution = BestLayout>>> {
        let ready = priced(prepared(self.instance, run.seed), self.instance, parameters.closeness);
        let islands = orientations(parameters.islands as usize, self.orientation);
        let islands: Vec<usize> = islands.into_iter().map(|orientation| orientation as usize).collect();
        let on_device = device.map(|device| {
            DeviceAnnealing::new(device.runtime.clone(), &ready, parameters, &islands, run.seed, Tuning::default())
        });
        let on_device = on_device.transpose()?;
        let cpu = CpuAnnealing::new(&ready, parameters, islands, run.seed, Arc::clone(&run.threads))
            .with_control(run.control.clone());
        let walk = FailoverAnnealing::new(on_device, cpu, "step");
        let genes = self.start.as_ref().map(|start| (start.orientation, of_layout(start)));
        let start = genes.as_ref().map(|(orientation, genes)| (*orientation, &genes[..]));
        let limit = run.time_limit().map(|seconds| Limit { began: run.began, seconds });
        let stages = run.recorded().map_or(&[][..], |plan| &plan.stages);
        let cycles = Cycles::new(parameters, stages, limit);
        let search = Memetic::new(walk, ready, parameters, cycles, self.orientation, start, run.seed)?;
        Ok(Box::new(search.with_recorder(self.recorder.clone())))
    }

    fn slicing(&self, parameters: &SlicingParameters, run: &Run<'_>) -> Result<Box<dyn Epochs<Solution = BestLayout>>> {
        let limit = run.time_limit().map(|seconds| Limit { began: run.began, seconds });
        let stages = run.recorded().map_or(&[][..], |plan| &plan.stages);
        // A cycle is one stage.
        let schedule = MemeticParameters { generations: 0, leg: parameters.leg, ..MemeticParameters::default() };
        let cycles = || Cycles::new(&schedule, stages, limit);
        let (threads, start) = (Arc::clone(&run.threads), self.start.as_ref());
        if let Some(start) = start.filter(|_| parameters.moves > 0) {
            return Ok(Box::new(self.few_moves(parameters, start, run)));
        }
        let search = Slicing::new(self.instance, parameters, start, cycles, run.seed, threads, &run.construction)?;
        let search = search.with_control(run.control.clone());
        let today = self.instance.todays_layout().filter(|_| self.instance.has_moving_cost());
        let Some(today) = today else { return Ok(Box::new(search)) };
        let few = self.few_moves(&SlicingParameters { moves: MOST_MOVES as u32, ..parameters.clone() }, &today, run);
        Ok(Box::new(Relocating::new(search, few, slicing::unit(self.instance, run.seed))))
    }

    fn few_moves(&self, parameters: &SlicingParameters, start: &Layout, run: &Run<'_>) -> FewMoves {
        let (unit, control) = (slicing::unit(self.instance, run.seed), run.control.clone());
        FewMoves::new(self.instance, parameters, start, unit, run.seed, Arc::clone(&run.threads), control)
    }

    fn genetic(
        &self, parameters: &GeneticParameters, run: &Run<'_>, device: Option<&OpenDevice>,
    ) -> Result<Box<dyn Epochs<Solution = BestLayout>>> {
        let (problems, unit) = prepared(self.instance, run.seed);
        let islands = orientations(parameters.islands as usize, self.orientation);
        let (threads, construction) = (Arc::clone(&run.threads), &run.construction);
        let first = first_individuals(self.instance, &problems, parameters, &islands, run.seed, &threads, construction);
        let on_device = device.map(|device| {
            DeviceGenetic::new(device.runtime.clone(), &problems, parameters, &islands, run.seed, Tuning::default())
        });
        let on_device = on_device.transpose()?;
        let cpu =
            CpuGenetic::new(problems, parameters, islands.clone(), run.seed, threads).with_control(run.control.clone());
        let backend = FailoverGenetic::new(on_device, cpu, "generation");
        let search = Genetic::new(backend, &first, unit, parameters, islands)?;
        Ok(Box::new(search.with_recorder(self.recorder.clone())))
    }

    fn notes(&self, proven: bool, feasible: bool, layout: &Layout) -> Vec<String> {
        let among = match self.orientation {
            Some(orientation) => format!("with {} bays", orientation.name()),
            None => "with flexible bays of either orientation".to_owned(),
        };
        let bays = match layout.is_free() {
            true => "rectangles, cut from wall to wall".to_owned(),
            false => format!("{} bays", layout.orientation.name()),
        };
        let mut notes = match (proven, feasible) {
            (true, true) => vec![format!("proven optimal: no layout {among} costs less"), bays],
            (true, false) => {
                vec![format!("proven: no layout {among} keeps all limits; this is the least violating one found")]
            }
            (false, true) => vec![bays],
            (false, false) => {
                vec!["no layout was found that keeps all limits; this is the least violating one".to_owned()]
            }
        };
        let is_small = self.instance.len() <= MOST_PROVEN;
        notes.extend(
            enumeration::obstacle(self.instance).filter(|_| is_small).map(|why| format!("not proven: it {why}")),
        );
        if self.instance.has_site() && !is_small {
            notes.push(format!("slicing trees, because the plant {}", enumeration::AROUND));
        }
        notes.extend(facts::cost_split(self.instance, &check(self.instance, layout)));
        if !self.instance.rules.fixed.is_empty() && !matches!(self.algorithm, Algorithm::Slicing(_)) {
            notes.push(LOCKED.to_owned());
        }
        if self.algorithm.price() > 0.0 {
            let price = figure(self.algorithm.price(), 4);
            notes.push(format!(
                "the search counted {price} for each point that lacks of the best closeness score; {PRICED}"
            ));
        }
        notes
    }
}

impl run::Task for Task<'_> {
    type Solution = BestLayout;

    fn subject(&self) -> Subject<'_> {
        let bays = self.orientation.map(|orientation| (BAYS.to_owned(), orientation.name().to_owned()));
        Subject {
            problem: "facility",
            name: &self.instance.name,
            hash: &self.instance.hash,
            options: BTreeMap::from_iter(bays),
            algorithm: self.algorithm.name(),
        }
    }

    fn device_use(&self) -> DeviceUse {
        match self.algorithm.descriptor().cpu_only {
            Some(why) => DeviceUse::Never(why),
            None if !self.instance.rules.fixed.is_empty() => DeviceUse::Never(LOCKED),
            None if self.algorithm.price() > 0.0 => DeviceUse::Never(PRICED),
            None if self.instance.has_moving_cost() => DeviceUse::Never(RELOCATED),
            None if self.instance.has_door_flows() => DeviceUse::Never(THROUGH_DOORS),
            None if self.instance.len() < WORTH_A_DEVICE => DeviceUse::TooSmall,
            None => DeviceUse::Worthwhile,
        }
    }

    fn start<'s>(&'s self, run: &'s Run<'_>, device: Option<&OpenDevice>) -> Result<Started<'s, BestLayout>> {
        let algorithm = self.resolved(run, device)?;
        self.check_memory(&algorithm)?;
        let search: Box<dyn Epochs<Solution = BestLayout>> = match &algorithm {
            Algorithm::Memetic(parameters) => self.memetic(parameters, run, device)?,
            Algorithm::Genetic(parameters) => self.genetic(parameters, run, device)?,
            Algorithm::Slicing(parameters) => self.slicing(parameters, run)?,
            Algorithm::Enumeration(parameters) => {
                let (threads, construction) = (Arc::clone(&run.threads), &run.construction);
                let (seed, orientation) = (run.seed, self.orientation);
                let search = Enumeration::new(self.instance, parameters, orientation, seed, threads, construction)?;
                Box::new(search.with_control(run.control.clone()))
            }
        };
        Ok(Started::new(search, run.plan(self.epoch(&algorithm)), algorithm.values()))
    }

    fn judge(&self, outcome: &mut SearchOutcome<BestLayout>) -> Result<Judgement> {
        let found = outcome.last.as_ref().map(|last| Arc::clone(&last.best));
        let judgement = judged(self.instance, &self.algorithm, self.start.as_ref(), found.as_deref());
        let feasible = judgement.verdict.feasible;
        let proven = found.as_ref().is_some_and(|found| found.proven);
        let ended = matches!(outcome.stop_reason, StopReason::Failed(_) | StopReason::Cancelled);
        if proven && feasible {
            outcome.stop_reason = StopReason::Proven;
        } else if !feasible && !ended {
            outcome.stop_reason = StopReason::NoFeasible;
        }
        let layout = found.map(|found| found.layout.clone()).unwrap_or_default();
        Ok(Judgement { notes: self.notes(proven, feasible, &layout), ..judgement })
    }
}

/// The checker's verdict on the best layout of a search by an algorithm that began with `start`; `None`: before the first
/// layout.
pub(crate) fn judged(
    instance: &Instance, algorithm: &Algorithm, start: Option<&Layout>, best: Option<&BestLayout>,
) -> Judgement {
    let layout = best.map(|best| best.layout.clone()).unwrap_or_default();
    let checked = check(instance, &layout);
    let close = |reported: f64, cost: f64| (reported - cost).abs() <= CLOSE * reported.abs().max(1.0);
    let confirmed = best.is_some_and(|best| {
        let closeness = &checked.closeness;
        let lacking = algorithm.price() * (closeness.best - closeness.score);
        close(best.score.cost, checked.cost + lacking) && best.score.is_feasible() == checked.feasible
    });
    let rules = &instance.rules;
    let demands = (start.is_some() || !rules.is_empty())
        .then(|| Encoded::of(&Demands::Facility { rules: rules.clone(), start: start.cloned() }));
    let verdict = Verdict::from(checked).confirmed(confirmed);
    Judgement { demands, ..Judgement::new(stored::encode(instance, &layout), verdict) }
}

#[cfg(test)]
mod tests;
