//! What an annealing run is before it starts: components, temperatures, how steps are meted out.

use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::AnnealingParameters;
use super::board::{Board, Cell, Graph};
use super::legs::Legs;
use crate::Result;
use crate::random::{Philox, index, threshold};
use crate::search::cooling::{AcceptanceTable, geometric, slow_at_first};
use crate::search::{Budget, Epochs};
use crate::timetabling::Timetable;
use crate::timetabling::model::Model;

/// A run has this many legs; the length of each is decided when it begins.
pub const LEGS: usize = 64;

/// Temperatures in a leg.
pub const RUNGS: usize = 16;

/// Purpose of the random words that sample moves.
const SAMPLING: u32 = 0x22;

/// Components with more exams than this propose twice as much in a step, and cool slowly while it is hot: what is put in order there is
/// not made up for later. (With so few steps for each exam, that is; sessions with fewer exams ended no better so.)
const MANY_EXAMS: usize = 1_024;

/// A connected part of the conflict graph; parts do not influence each other's cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Component {
    /// Its exams.
    pub exams: Vec<usize>,
    /// It does `exams / largest` of the steps.
    pub largest: usize,
}

impl Component {
    /// Moves of one exam that a step proposes, a multiple of 32: more where they rarely get into each other's way.
    pub fn proposals(&self) -> u32 {
        if self.exams.len() > MANY_EXAMS { 512 } else { 256 }
    }

    /// Kempe chains or exchanges of periods that a step proposes.
    pub fn alternatives(&self) -> u32 {
        if self.exams.len() > MANY_EXAMS { 16 } else { 8 }
    }

    /// How many steps of its own are `steps` steps of the largest component.
    pub fn share_of(&self, steps: u64) -> u64 {
        (u128::from(steps) * self.exams.len() as u128 / self.largest as u128) as u64
    }
}

/// Everything that the trajectory depends on beside instance, seed and the lengths of the legs.
#[derive(Debug, Clone)]
pub struct Schedule {
    /// Number of periods.
    pub periods: usize,
    /// Components with at least two exams.
    pub components: Vec<Component>,
    /// Threshold of the control word below which a step is a Kempe chain.
    pub kempe: u64,
    /// Threshold below which it is, otherwise, an exchange of periods.
    pub exchange: u64,
    /// In 1/256 of a raw cost unit: [`RUNGS`] temperatures for each of [`LEGS`] legs, geometric, or slower at first for many exams.
    pub temperatures: Vec<u32>,
    /// Legs at whose beginning chains are resampled, in all.
    pub resamplings: u32,
    /// Limits of acceptance.
    pub acceptance: AcceptanceTable,
}

impl Schedule {
    /// The schedule of resolved parameters.
    pub fn new(model: &Model, parameters: &AnnealingParameters) -> Self {
        let mut components: Vec<Vec<usize>> = model.components();
        // An exam alone costs nothing wherever it stands, unless it has a price.
        components.retain(|component| component.len() > 1 || model.has_prices());
        let largest = components.iter().map(Vec::len).max().unwrap_or(1);
        let kempe = threshold(parameters.kempe);
        let cooling = if largest > MANY_EXAMS { slow_at_first } else { geometric };
        Self {
            periods: model.periods,
            components: components.into_iter().map(|exams| Component { exams, largest }).collect(),
            kempe,
            exchange: kempe + threshold(parameters.exchange),
            temperatures: cooling(parameters.first_temperature, parameters.last_temperature, LEGS * RUNGS),
            resamplings: parameters.resamplings.min(2 * parameters.chains),
            acceptance: AcceptanceTable::default(),
        }
    }

    /// Whether chains are resampled when `leg` begins, legs counted from 0: evenly spread, never at the start.
    pub fn resamples_before(&self, leg: usize) -> bool {
        let due = |leg: usize| leg as u64 * (u64::from(self.resamplings) + 1) / LEGS as u64;
        leg > 0 && due(leg) > due(leg - 1)
    }
}

/// How the lengths of the legs are decided.
///
/// A clock decides differently in every run, so that the lengths go into the result; a replay is given them.
#[derive(Debug, Clone, PartialEq)]
pub enum Pacing {
    /// The lengths are known; legs beyond them are empty.
    Known(Vec<u64>),
    /// So that a time limit is met: each leg takes an equal share of what is left, at the rate of the leg before.
    Clock {
        /// Seconds that may still be spent in the search.
        seconds: f64,
        /// Steps per second to begin with.
        rate: f64,
    },
}

impl Pacing {
    /// Legs of equal length, `steps` in all.
    pub fn even(steps: u64) -> Self {
        let until = |leg: u64| (u128::from(steps) * u128::from(leg) / LEGS as u128) as u64;
        Self::Known((0..LEGS as u64).map(|leg| until(leg + 1) - until(leg)).collect())
    }
}

/// Chains of the CPU where the person does not say under a budget of steps.
pub const CHAINS: u32 = 4;

/// Under a time limit every thread gets another chain for this many steps per exam and period, as far as it can do them:
/// beyond it, a longer walk gains less than another one …
const STEPS_PER_CELL: f64 = 300.0;

/// … up to this many.
const CHAINS_PER_THREAD: f64 = 4.0;

/// Steps of an epoch under a budget of steps: short enough that a person who cancels does not wait.
const EPOCH: u32 = 2_048;

/// Seconds of an epoch under a time limit.
const EPOCH_SECONDS: f64 = 0.04;

/// Share of the time limit that stays unused for checking and writing the result.
const RESERVE: f64 = 0.01;

/// Start and end temperature as multiples of the mean change of sampled moves.
const FIRST_TEMPERATURE: f64 = 8.0;
/// See [`FIRST_TEMPERATURE`].
const LAST_TEMPERATURE: f64 = 0.03;
/// Start temperature where there is a timetable to stay close to, as a multiple of the mean change …
const CLOSE_TEMPERATURE: f64 = 0.4;
/// … and of the price of a moved exam, whichever is higher: a higher one forgets the timetable, a lower one never finds
/// the few exams that have to give way.
const CLOSE_PRICE: f64 = 0.5;

/// A run that is ready to start.
#[derive(Debug)]
pub struct Planned {
    /// With everything automatic resolved: the same run again needs only these, the seed and the legs.
    pub parameters: AnnealingParameters,
    /// What the trajectory depends on.
    pub schedule: Arc<Schedule>,
    /// How long the legs are.
    pub pacing: Pacing,
    /// Steps of an epoch.
    pub epoch: u32,
    /// The first timetable of every chain.
    pub starts: Vec<Timetable>,
}

/// A search that is tried out and thrown away.
pub type Trial = Box<dyn Epochs<Solution = Timetable>>;

/// What walks, as far as the plan depends on it.
pub struct Walker<'a> {
    /// Chains where the person does not say, under a time limit.
    pub chains: u32,
    /// Whether it may get more of them where the time limit allows.
    pub more: bool,
    /// Chains where the person does not say, under a budget of steps.
    pub chains_by_steps: u32,
    /// Makes a search, for a trial that is thrown away.
    pub trial: &'a mut dyn FnMut(Legs, &[Timetable]) -> Result<Trial>,
}

impl std::fmt::Debug for Walker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walker").field("chains", &self.chains).finish_non_exhaustive()
    }
}

/// Resolves what is automatic: chains, temperatures, and the pace.
///
/// `starts` makes that many conflict-free timetables; `began` is when the time limit began to count.
pub fn plan<C: Cell>(
    model: &Model,
    parameters: &AnnealingParameters,
    budget: Budget,
    seed: u64,
    walker: &mut Walker<'_>,
    starts: &dyn Fn(u32) -> Vec<Timetable>,
    began: Instant,
) -> Planned {
    let mut parameters = parameters.clone();
    let automatic = parameters.chains == 0;
    if automatic {
        parameters.chains = match budget {
            Budget::Seconds(_) => walker.chains,
            Budget::Steps(_) => walker.chains_by_steps,
        };
    }
    let mut firsts = starts(parameters.chains);
    let scale = mean_change::<C>(model, &firsts[0], seed);
    if parameters.first_temperature <= 0.0 {
        let first = match model.highest_price() {
            Some(price) => (scale * CLOSE_TEMPERATURE).max(f64::from(price) * CLOSE_PRICE),
            None => scale * FIRST_TEMPERATURE,
        };
        parameters.first_temperature = round_to_3_digits(first);
    }
    if parameters.last_temperature <= 0.0 {
        parameters.last_temperature = round_to_3_digits(scale * LAST_TEMPERATURE).min(parameters.first_temperature);
    }
    let limit = match budget {
        Budget::Seconds(limit) => limit,
        Budget::Steps(steps) => {
            let schedule = Arc::new(Schedule::new(model, &parameters));
            return Planned { parameters, schedule, pacing: Pacing::even(steps), epoch: EPOCH, starts: firsts };
        }
    };
    let mut rate = rate(&Arc::new(Schedule::new(model, &parameters)), &firsts, walker);
    if automatic && walker.more {
        let cells = (model.nodes() * model.periods) as f64;
        let more = (rate * limit / cells / STEPS_PER_CELL).clamp(1.0, CHAINS_PER_THREAD).floor();
        parameters.chains *= more as u32;
        rate /= more;
        firsts = starts(parameters.chains);
    }
    let schedule = Arc::new(Schedule::new(model, &parameters));
    let seconds = (limit * (1.0 - RESERVE) - began.elapsed().as_secs_f64()).max(0.0);
    let epoch = ((rate * EPOCH_SECONDS) as u32).next_multiple_of(64).clamp(64, 1 << 24);
    Planned { parameters, schedule, pacing: Pacing::Clock { seconds, rate }, epoch, starts: firsts }
}

/// Steps per second while it is hot, from a short walk that is thrown away.
fn rate(schedule: &Arc<Schedule>, starts: &[Timetable], walker: &mut Walker<'_>) -> f64 {
    const TRIAL: u32 = 256;
    let pacing = Pacing::Known(vec![u64::from(TRIAL)]);
    // A walk that fails takes no time and gives a low rate; the run itself will fail likewise and say why.
    let Ok(mut search) = (walker.trial)(Legs::new(Arc::clone(schedule), pacing), starts) else {
        return f64::from(TRIAL);
    };
    let began = Instant::now();
    let walked = search.advance(TRIAL);
    let seconds = began.elapsed().as_secs_f64().max(1e-6);
    if walked.is_ok() { f64::from(TRIAL) / seconds } else { f64::from(TRIAL) }
}

fn round_to_3_digits(value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    let unit = libm::pow(10.0, libm::floor(libm::log10(value)) - 2.0);
    (value / unit).round() * unit
}

/// Mean |Δ| of clash-free moves of one exam, sampled over all components of a timetable.
fn mean_change<C: Cell>(model: &Model, start: &Timetable, seed: u64) -> f64 {
    const SAMPLES: u32 = 65_536;
    let exams: Vec<usize> = (0..model.nodes()).collect();
    let graph = Graph::<C>::new(model, &exams);
    let board = Board::new(&graph, &start.periods);
    let philox = Philox::new(seed);
    let (mut sum, mut count) = (0_u64, 0_u64);
    for sample in 0..SAMPLES {
        let words = philox.words(sample, 0, 0, SAMPLING);
        let exam = index(words[0], graph.exams() as u32) as usize;
        let period = index(words[1], graph.periods() as u32) as usize;
        if let Some(delta) = board.shift_delta(&graph, exam, period)
            && delta != 0
        {
            sum += delta.unsigned_abs();
            count += 1;
        }
    }
    if count == 0 { 1.0 } else { sum as f64 / count as f64 }
}
