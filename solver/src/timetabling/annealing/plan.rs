//! What an annealing run is before it starts: components, temperatures, steps.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::AnnealingParameters;
use super::board::{Board, Cell, Graph};
use super::cpu::CpuAnnealing;
use crate::random::{Philox, index, threshold};
use crate::search::cooling::{AcceptanceTable, geometric};
use crate::search::{Budget, Control, Epochs};
use crate::timetabling::{Instance, Timetable};

/// Temperatures in a run.
const RUNGS: usize = 1_000;

/// Purpose of the random words that sample moves.
const SAMPLING: u32 = 0x22;

/// A connected part of the conflict graph; parts do not influence each other's cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Component {
    /// Its exams.
    pub exams: Vec<usize>,
    /// It does `exams / largest` of the steps.
    pub largest: usize,
}

impl Component {
    /// How many steps of its own it has done when the run is at `step`.
    pub fn local_step(&self, step: u64) -> u64 {
        (u128::from(step) * self.exams.len() as u128 / self.largest as u128) as u64
    }

    /// Its own steps per temperature.
    pub fn local_rung(&self, schedule: &Schedule) -> u64 {
        self.local_step(schedule.steps).div_ceil(schedule.temperatures.len() as u64).max(1)
    }
}

/// Everything that the trajectory depends on beside instance and seed.
#[derive(Debug, Clone)]
pub struct Schedule {
    /// Number of periods.
    pub periods: usize,
    /// Components with at least two exams.
    pub components: Vec<Component>,
    /// Steps of the largest component.
    pub steps: u64,
    /// Threshold of the control word below which a step is a Kempe chain.
    pub kempe: u64,
    /// Threshold below which it is, otherwise, an exchange of periods.
    pub exchange: u64,
    /// Geometric cooling, in 1/256 of a raw cost unit.
    pub temperatures: Vec<u32>,
    /// Steps between two resamplings; 0: none.
    pub resampling: u64,
    /// Limits of acceptance.
    pub acceptance: AcceptanceTable,
}

impl Schedule {
    /// The schedule of resolved parameters over `steps` steps.
    pub fn new(instance: &Instance, parameters: &AnnealingParameters, steps: u64) -> Self {
        let mut components: Vec<Vec<usize>> = instance.conflicts.components();
        components.retain(|component| component.len() > 1);
        let largest = components.iter().map(Vec::len).max().unwrap_or(1);
        let kempe = threshold(parameters.kempe);
        Self {
            periods: instance.period_count(),
            components: components.into_iter().map(|exams| Component { exams, largest }).collect(),
            steps,
            kempe,
            exchange: kempe + threshold(parameters.exchange),
            temperatures: geometric(parameters.first_temperature, parameters.last_temperature, RUNGS),
            resampling: steps / (u64::from(parameters.resamplings) + 1) * u64::from(parameters.resamplings.min(1)),
            acceptance: AcceptanceTable::default(),
        }
    }

    /// The first step after `step` at which chains are resampled.
    pub fn next_resampling(&self, step: u64) -> u64 {
        step.checked_div(self.resampling).map_or(u64::MAX, |done| (done + 1) * self.resampling)
    }

    /// Whether chains are resampled when `step` steps are done.
    pub fn resamples_at(&self, step: u64) -> bool {
        self.resampling > 0 && step > 0 && step.is_multiple_of(self.resampling) && step < self.steps
    }
}

/// Chains where the person does not say and no time limit asks for one per thread.
const CHAINS: u32 = 4;

/// Steps of an epoch under a budget of steps: short enough that a person who cancels does not wait.
const EPOCH: u32 = 16_384;

/// Seconds of an epoch under a time limit.
const EPOCH_SECONDS: f64 = 0.04;

/// The calibration runs until it has taken this share of the time limit …
const CALIBRATION_SHARE: f64 = 0.03;

/// … and the plan leaves this share of the rest unused, so that the limit is met rather than exceeded.
const RESERVE: f64 = 0.02;

/// Start and end temperature as multiples of the mean change of sampled moves.
const FIRST_TEMPERATURE: f64 = 8.0;
/// See [`FIRST_TEMPERATURE`].
const LAST_TEMPERATURE: f64 = 0.03;

/// A run that is ready to start.
#[derive(Debug)]
pub struct Planned {
    /// With everything automatic resolved: the same run again needs only these, the seed and the steps.
    pub parameters: AnnealingParameters,
    /// What the trajectory depends on.
    pub schedule: Arc<Schedule>,
    /// Steps of an epoch.
    pub epoch: u32,
}

/// Resolves what is automatic: chains, temperatures, and a time limit into steps.
///
/// `starts` makes that many conflict-free timetables. A time limit becomes steps by annealing with small budgets,
/// twice as large each time, over the whole range of temperatures, because a step takes longer while it is hot.
pub fn plan<C: Cell>(
    instance: &Instance,
    parameters: &AnnealingParameters,
    budget: Budget,
    seed: u64,
    threads: &Arc<rayon::ThreadPool>,
    starts: &dyn Fn(u32) -> Vec<Timetable>,
    control: &Control,
) -> Planned {
    let began = Instant::now();
    let mut parameters = parameters.clone();
    if parameters.chains == 0 {
        parameters.chains = match budget {
            Budget::Seconds(_) => threads.current_num_threads() as u32,
            Budget::Steps(_) => CHAINS,
        };
    }
    let starts = starts(parameters.chains);
    let scale = mean_change::<C>(instance, &starts[0], seed);
    if parameters.first_temperature <= 0.0 {
        parameters.first_temperature = round_to_3_digits(scale * FIRST_TEMPERATURE);
    }
    if parameters.last_temperature <= 0.0 {
        parameters.last_temperature = round_to_3_digits(scale * LAST_TEMPERATURE).min(parameters.first_temperature);
    }
    let (steps, epoch) = match budget {
        Budget::Steps(steps) => (steps, EPOCH),
        Budget::Seconds(seconds) => {
            let mut steps = 4_096;
            let rate = loop {
                let schedule = Arc::new(Schedule::new(instance, &parameters, steps));
                let round = Instant::now();
                let mut search =
                    CpuAnnealing::<C>::new(schedule, &instance.conflicts, &starts, seed, Arc::clone(threads));
                let set_up = round.elapsed();
                // Without a chain to advance there is nothing to measure; an error cannot occur before the first epoch.
                let done = search.advance(steps as u32);
                let taken = (round.elapsed() - set_up).max(Duration::from_micros(1)).as_secs_f64();
                let enough = began.elapsed().as_secs_f64() >= seconds * CALIBRATION_SHARE;
                if done.is_err() || enough || control.is_cancelled() || steps >= 1 << 30 {
                    break steps as f64 / taken;
                }
                steps *= 2;
            };
            let left = (seconds - began.elapsed().as_secs_f64()).max(0.0) * (1.0 - RESERVE);
            let epoch = ((rate * EPOCH_SECONDS) as u32).next_multiple_of(1_024).clamp(1_024, 1 << 24);
            (((rate * left) as u64).max(1_024), epoch)
        }
    };
    let schedule = Arc::new(Schedule::new(instance, &parameters, steps));
    Planned { parameters, schedule, epoch }
}

fn round_to_3_digits(value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    let unit = libm::pow(10.0, libm::floor(libm::log10(value)) - 2.0);
    (value / unit).round() * unit
}

/// Mean |Δ| of clash-free moves of one exam, sampled over all components of a timetable.
fn mean_change<C: Cell>(instance: &Instance, start: &Timetable, seed: u64) -> f64 {
    const SAMPLES: u32 = 65_536;
    let exams: Vec<usize> = (0..instance.exam_count()).collect();
    let graph = Graph::<C>::new(&instance.conflicts, &exams, instance.period_count());
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
