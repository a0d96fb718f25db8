//! Annealing schedule: connected components, temperature levels and the step budget per stage, and the resolution of
//! automatic parameters (chains, temperatures, pace).
//!
//! Automatic temperatures are multiples of the median |Δ| of sampled clash-free moves of the first timetable. The mean would
//! follow a few large exams and end before small exams have settled. With a reference timetable the start temperature is
//! lower, because a hot start would forget it.

use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::AnnealingParameters;
use super::board::{Board, Cell, Graph};
use super::stages::Stages;
use crate::Timetable;
use crate::model::Model;
use gridwright_core::Result;
use gridwright_core::random::{Philox, index, threshold};
use gridwright_core::search::cooling::{AcceptanceTable, geometric, slow_at_first};
use gridwright_core::search::{Budget, Epochs};

/// Number of stages of a run; the length of each is decided when it begins.
pub(crate) const STAGES: usize = 64;

/// Number of temperature levels in a stage.
pub(crate) const LEVELS: usize = 16;

/// Purpose field of the random words that sample moves.
const SAMPLING: u32 = 0x22;

/// Components with more exams than this propose twice as many moves per step and cool more slowly at high temperature:
/// with few steps per exam, a poor arrangement of that phase is not repaired later.
const MANY_EXAMS: usize = 1_024;

/// Connected component of the graph of conflicts and precedences; components do not influence each other's cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Component {
    /// Node indices in this component, ascending.
    pub exams: Vec<usize>,
    /// Number of exams of the largest component; this one takes `exams / largest` of its steps.
    pub largest: usize,
}

impl Component {
    /// Number of single-exam moves that a step proposes, a multiple of 32: more for large components, where moves
    /// rarely interfere.
    pub fn proposals(&self) -> u32 {
        if self.exams.len() > MANY_EXAMS { 512 } else { 256 }
    }

    /// Maximum number of Kempe chains or exchanges of periods that a step proposes.
    pub fn alternatives(&self) -> u32 {
        if self.exams.len() > MANY_EXAMS { 16 } else { 8 }
    }

    /// Converts a step budget of the largest component into this component's share, proportional to its number of
    /// exams.
    pub(crate) fn share_of(&self, steps: u64) -> u64 {
        (u128::from(steps) * self.exams.len() as u128 / self.largest as u128) as u64
    }
}

/// All inputs of the trajectory except instance, seed and stage lengths.
#[derive(Debug, Clone)]
pub struct Schedule {
    /// Number of periods.
    pub periods: usize,
    /// Components with at least two exams.
    pub components: Vec<Component>,
    /// A step proposes Kempe chains if its control word is below this threshold.
    pub kempe: u64,
    /// A step proposes exchanges of periods if its control word is below this threshold and not below `kempe`.
    pub exchange: u64,
    /// Temperatures in 1/256 raw cost units: [`LEVELS`] for each of [`STAGES`] stages, row-major, descending.
    pub(crate) temperatures: Vec<u32>,
    /// Number of resamplings of the run; see [`Self::resamples_before`].
    pub resamplings: u32,
    /// Acceptance limits by temperature and random word.
    pub(crate) acceptance: AcceptanceTable,
}

impl Schedule {
    /// Creates the schedule of resolved parameters.
    pub fn new(model: &Model, parameters: &AnnealingParameters) -> Self {
        let mut components: Vec<Vec<usize>> = model.components();
        // A single exam costs nothing in any period, unless it has prices.
        components.retain(|component| component.len() > 1 || model.has_prices());
        Self::of_components(components, model.periods, parameters)
    }

    /// Creates the schedule of resolved parameters for these components.
    pub(crate) fn of_components(components: Vec<Vec<usize>>, periods: usize, parameters: &AnnealingParameters) -> Self {
        let largest = components.iter().map(Vec::len).max().unwrap_or(1);
        let kempe = threshold(parameters.kempe);
        let cooling = if largest > MANY_EXAMS { slow_at_first } else { geometric };
        Self {
            periods,
            components: components.into_iter().map(|exams| Component { exams, largest }).collect(),
            kempe,
            exchange: kempe + threshold(parameters.exchange),
            temperatures: cooling(parameters.first_temperature, parameters.last_temperature, STAGES * LEVELS),
            resamplings: parameters.resamplings.min(2 * parameters.chains),
            acceptance: AcceptanceTable::default(),
        }
    }

    /// Returns `true` if a temperature level (from 0, counted over all stages) begins with a resampling. Resamplings are
    /// evenly spread over the levels, up to [`STAGES`] − 1 of them over the first levels of the stages; the first level of a
    /// run never begins with one.
    pub(crate) fn resamples_before(&self, level: usize) -> bool {
        let spacing = if self.resamplings < STAGES as u32 { LEVELS } else { 1 };
        let (place, places) = (level / spacing, (STAGES * LEVELS / spacing) as u64);
        let due = |place: usize| place as u64 * (u64::from(self.resamplings) + 1) / places;
        level.is_multiple_of(spacing) && place > 0 && due(place) > due(place - 1)
    }
}

/// Rule that decides the lengths of the stages.
///
/// A clock gives other lengths in every run; they are stored with the result, and a replay uses `Known`.
#[derive(Debug, Clone, PartialEq)]
pub enum Pacing {
    /// Given lengths in steps; the run ends after the last of them.
    Known(Vec<u64>),
    /// Lengths for a time limit: each stage takes an equal share of the remaining time, at the step rate of the
    /// previous stage.
    Clock {
        /// Seconds available for the search.
        seconds: f64,
        /// Steps per second assumed for the first stage.
        rate: f64,
    },
}

impl Pacing {
    /// Splits `steps` into [`STAGES`] stages of equal length (±1).
    pub fn even(steps: u64) -> Self {
        let until = |stage: u64| (u128::from(steps) * u128::from(stage) / STAGES as u128) as u64;
        Self::Known((0..STAGES as u64).map(|stage| until(stage + 1) - until(stage)).collect())
    }
}

/// Default number of chains on the CPU under a budget of steps.
pub(crate) const CHAINS: u32 = 4;

/// Under a time limit, a thread gets one more chain for each multiple of this many steps per exam and period that it
/// can run: beyond it, a longer chain gains less than another chain.
const STEPS_PER_CELL: f64 = 300.0;

/// Maximum number of chains per thread under a time limit.
const CHAINS_PER_THREAD: f64 = 4.0;

/// Steps per epoch under a budget of steps; bounds the response time to a cancellation.
const EPOCH: u32 = 2_048;

/// Seconds per epoch under a time limit, on the CPU and on a device. After an epoch the host reads all chains, while a device waits.
const EPOCH_SECONDS: [f64; 2] = [0.04, 0.15];

/// Fraction of the time limit reserved for checking and writing the result.
const RESERVE: f64 = 0.01;

/// Start and end temperature without rooms, as multiples of the median change of sampled moves.
pub(crate) const TEMPERATURES: [f64; 2] = [16.0, 0.025];
/// Start temperature without rooms with a reference timetable, as multiples of the median change and of the price of a moved
/// exam. A higher one loses the reference, a lower one never finds the few exams that have to give way.
pub(crate) const CLOSE: [f64; 2] = [0.5, 0.5];

/// Resolved plan of a run.
#[derive(Debug)]
pub(crate) struct AnnealingPlan {
    /// Parameters with all automatic values resolved; with seed and stage lengths they reproduce the run.
    pub parameters: AnnealingParameters,
    /// Schedule of the run.
    pub schedule: Arc<Schedule>,
    /// Rule for the stage lengths.
    pub(crate) pacing: Pacing,
    /// Steps per epoch.
    pub epoch: u32,
    /// Start timetable of each chain.
    pub starts: Vec<Timetable>,
}

/// Short search that measures the step rate and is discarded.
pub(crate) type Trial<'a> = Box<dyn Epochs<Solution = Timetable> + 'a>;

/// Properties of the backend that the plan depends on.
pub(crate) struct BackendProfile<'a> {
    /// Default number of chains under a time limit.
    pub chains: u32,
    /// True for a device. On the CPU the number of chains may grow where the time limit allows.
    pub(crate) is_device: bool,
    /// Default number of chains under a budget of steps.
    pub(crate) chains_by_steps: u32,
    /// Creates a search for measuring the step rate.
    pub trial: &'a mut dyn FnMut(Stages, &[Timetable]) -> Result<Trial<'a>>,
}

impl std::fmt::Debug for BackendProfile<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BackendProfile").field("chains", &self.chains).finish_non_exhaustive()
    }
}

/// Properties of the model that the plan depends on.
pub(crate) struct Annealed<'a> {
    /// Number of nodes times number of periods.
    pub cells: f64,
    /// Highest price of a moved exam, in raw cost units; `None` without a reference timetable.
    pub(crate) highest_price: Option<u32>,
    /// Start and end temperature as multiples of the median change of sampled moves.
    pub(crate) temperatures: [f64; 2],
    /// Start temperature with a reference timetable: the higher of these multiples of the median change and of the price
    /// of a moved exam.
    pub close: [f64; 2],
    /// Median |Δ| of sampled moves of a timetable, in raw cost units.
    pub(crate) median_change: &'a dyn Fn(&Timetable) -> f64,
    /// Creates the schedule of resolved parameters.
    pub schedule: &'a dyn Fn(&AnnealingParameters) -> Schedule,
}

/// Resolves the automatic parameters (chains, temperatures) and the pace of a run.
///
/// `starts(n)` makes n conflict-free timetables; `began` is the moment from which the time limit counts.
pub(crate) fn plan(
    model: &Annealed<'_>, parameters: &AnnealingParameters, budget: Budget, backend: &mut BackendProfile<'_>,
    starts: &dyn Fn(u32) -> Vec<Timetable>, began: Instant,
) -> AnnealingPlan {
    let mut parameters = parameters.clone();
    let automatic = parameters.chains == 0;
    if automatic {
        parameters.chains = match budget {
            Budget::Seconds(_) => backend.chains,
            Budget::Steps(_) | Budget::Evaluations(_) => backend.chains_by_steps,
        };
    }
    let mut firsts = starts(parameters.chains);
    let scale = (model.median_change)(&firsts[0]);
    if parameters.first_temperature <= 0.0 {
        let first = match model.highest_price {
            Some(price) => (scale * model.close[0]).max(f64::from(price) * model.close[1]),
            None => scale * model.temperatures[0],
        };
        parameters.first_temperature = round_to_3_digits(first);
    }
    if parameters.last_temperature <= 0.0 {
        parameters.last_temperature =
            round_to_3_digits(scale * model.temperatures[1]).min(parameters.first_temperature);
    }
    let limit = match budget {
        Budget::Seconds(limit) => limit,
        // The settings refuse evaluations.
        Budget::Steps(steps) | Budget::Evaluations(steps) => {
            let schedule = Arc::new((model.schedule)(&parameters));
            return AnnealingPlan { parameters, schedule, pacing: Pacing::even(steps), epoch: EPOCH, starts: firsts };
        }
    };
    let mut rate = rate(&Arc::new((model.schedule)(&parameters)), &firsts, backend);
    if automatic && !backend.is_device {
        let more = (rate * limit / model.cells / STEPS_PER_CELL).clamp(1.0, CHAINS_PER_THREAD).floor();
        parameters.chains *= more as u32;
        rate /= more;
        firsts = starts(parameters.chains);
    }
    let schedule = Arc::new((model.schedule)(&parameters));
    let seconds = (limit * (1.0 - RESERVE) - began.elapsed().as_secs_f64()).max(0.0);
    let epoch_seconds = EPOCH_SECONDS[usize::from(backend.is_device)];
    let epoch = ((rate * epoch_seconds) as u32).next_multiple_of(64).clamp(64, 1 << 24);
    AnnealingPlan { parameters, schedule, pacing: Pacing::Clock { seconds, rate }, epoch, starts: firsts }
}

/// Measures the steps per second at the start temperature by a short trial.
fn rate(schedule: &Arc<Schedule>, starts: &[Timetable], backend: &mut BackendProfile<'_>) -> f64 {
    const TRIAL: u32 = 256;
    let pacing = Pacing::Known(vec![u64::from(TRIAL)]);
    // A failing trial gives a low rate; the run itself will fail likewise and report why.
    let Ok(mut search) = (backend.trial)(Stages::new(Arc::clone(schedule), pacing), starts) else {
        return f64::from(TRIAL);
    };
    let began = Instant::now();
    let walked = search.advance(TRIAL);
    let seconds = began.elapsed().as_secs_f64().max(1e-6);
    if walked.is_ok() { f64::from(TRIAL) / seconds } else { f64::from(TRIAL) }
}

/// The nearest number with three significant digits, as people would write it; 1 for numbers that are not above 0.
fn round_to_3_digits(value: f64) -> f64 {
    if value <= 0.0 { 1.0 } else { format!("{value:.2e}").parse().unwrap_or(value) }
}

/// Median |Δ| of clash-free single-exam moves that change the cost, sampled over all nodes of a timetable, in raw cost
/// units.
pub(crate) fn median_change<C: Cell>(model: &Model, start: &Timetable, seed: u64) -> f64 {
    let exams: Vec<usize> = (0..model.nodes()).collect();
    let graph = Graph::<C>::new(model, &exams);
    let board = Board::new(&graph, &start.periods);
    sampled_median(graph.exams(), graph.periods(), seed, SAMPLING, |exam, period| {
        board.shift_delta(&graph, exam, period)
    })
}

/// Median |Δ| of the random moves (node, period) whose change Δ is neither forbidden (`None`) nor 0; 1 if there are none.
/// `purpose` selects the random words.
pub(crate) fn sampled_median(
    nodes: usize, periods: usize, seed: u64, purpose: u32, delta: impl Fn(usize, usize) -> Option<i64>,
) -> f64 {
    const SAMPLES: u32 = 65_536;
    let philox = Philox::new(seed);
    let sample = |sample| {
        let words = philox.words(sample, 0, 0, purpose);
        delta(index(words[0], nodes as u32) as usize, index(words[1], periods as u32) as usize)
    };
    let mut changes: Vec<u64> =
        (0..SAMPLES).filter_map(sample).filter(|&delta| delta != 0).map(i64::unsigned_abs).collect();
    let middle = changes.len() / 2;
    if changes.is_empty() { 1.0 } else { *changes.select_nth_unstable(middle).1 as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temperatures_have_three_digits_and_no_more() {
        let rounded = [1_349.6, 161.4, 5.274, 0.093_74, 0.002_396, 0.0, -3.0].map(round_to_3_digits);
        assert_eq!(rounded, [1_350.0, 161.0, 5.27, 0.0937, 0.0024, 1.0, 1.0]);
        assert_eq!(rounded.map(|value| value.to_string()), ["1350", "161", "5.27", "0.0937", "0.0024", "1", "1"]);
    }

    #[test]
    fn a_few_large_changes_do_not_move_the_median() {
        // Nodes 0 to 4 change the cost by 10 to 14, node 5 by a thousand times as much, nodes 6 to 8 not at all; node 9 cannot
        // move.
        let change = |large: i64| {
            move |node: usize, _: usize| match node {
                0..5 => Some(if node.is_multiple_of(2) { 10 + node as i64 } else { -10 - node as i64 }),
                5 => Some(large),
                6..9 => Some(0),
                _ => None,
            }
        };
        for large in [20, 12_000, -12_000] {
            let median = sampled_median(10, 4, 1, SAMPLING, change(large));
            assert!((12.0..=13.0).contains(&median), "{median}");
        }
        assert_eq!(sampled_median(10, 4, 1, SAMPLING, |_, _| Some(0)), 1.0);
        assert_eq!(sampled_median(10, 4, 1, SAMPLING, |_, _| None), 1.0);
    }
}
