//! Annealing of sessions with rooms on the CPU: one rayon task per chain. Defines the trajectory.

use std::sync::Arc;

use rayon::prelude::*;

use super::board::{Board, Kept};
use super::model::SeatingModel;
use super::proposals::{Proposer, rounds};
use crate::Timetable;
use crate::annealing::board::Cell;
use crate::annealing::stages::{Segment, Stages, StepRange, resampled};
use crate::annealing::{LEVELS, Schedule};
use gridwright_core::random::{Philox, threshold};
use gridwright_core::search::{ChainTrace, ChainTraces, Control, Epochs, NotedImprovement, Snapshot, digest_words};
use gridwright_core::{Error, Result};

/// Purpose field of the control words of steps.
const CONTROL: u32 = 0x28;
/// Share of the steps with swaps.
const SWAPS: f64 = 0.2;
/// Share of the steps with changes of rooms, where there is a choice.
const ROOMS: f64 = 0.04;

/// Thresholds of the control word, ascending, ⌊p·2³²⌋: a step proposes Kempe chains below the first one, exchanges of
/// periods below the second, swaps, changes of rooms, and shifts otherwise.
pub(super) struct Thresholds {
    pub(super) kempe: u64,
    pub(super) exchange: u64,
    pub(super) swaps: u64,
    pub(super) changes: u64,
}

impl Thresholds {
    pub(super) fn new(model: &SeatingModel, schedule: &Schedule) -> Self {
        let swaps = schedule.exchange + threshold(SWAPS);
        let changes = swaps + if model.rooms > 1 { threshold(ROOMS) } else { 0 };
        Self { kempe: schedule.kempe, exchange: schedule.exchange, swaps, changes }
    }
}

/// One annealing chain.
#[derive(Debug)]
struct Chain<C> {
    number: u32,
    board: Board<C>,
    /// Nodes that moved in the present step and all that are adjacent or related to them, as a bit set.
    tied: Vec<u64>,
    best: Kept,
    best_cost: i64,
    evaluations: u64,
    /// Improvements since the traces of all chains were merged.
    trace: ChainTrace,
}

impl<C: Cell> Chain<C> {
    fn summary(&self) -> ChainSummary<'_> {
        ChainSummary {
            place: self.board.place(),
            rooms: self.board.rooms(),
            cost: self.board.cost(),
            best_cost: self.best_cost,
            evaluations: self.evaluations,
        }
    }
}

/// State of a chain between epochs: timetables of nodes with the rooms of the model's sittings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChainState {
    /// Present timetable.
    pub present: Timetable,
    /// Best timetable so far.
    pub best: Timetable,
    /// Number of moves evaluated so far.
    pub evaluations: u64,
}

/// Annealing of a session with rooms on the CPU.
#[derive(Debug)]
pub struct CpuSeating<'a, C> {
    model: &'a SeatingModel,
    chains: Vec<Chain<C>>,
    threads: Arc<rayon::ThreadPool>,
    control: Control,
    philox: Philox,
    stages: Stages,
    best: Arc<Timetable>,
    best_cost: i64,
    improvements: ChainTraces,
}

impl<'a, C: Cell> CpuSeating<'a, C> {
    /// Starts one chain from each timetable without violations in `starts`.
    pub fn new(
        stages: Stages, model: &'a SeatingModel, starts: &[Timetable], seed: u64, threads: Arc<rayon::ThreadPool>,
        control: Control,
    ) -> Self {
        let state = |start: &Timetable| ChainState { present: start.clone(), best: start.clone(), evaluations: 0 };
        Self::resume(stages, model, &starts.iter().map(state).collect::<Vec<_>>(), seed, threads, control)
    }

    /// Continues chains from where another backend left them.
    pub(crate) fn resume(
        stages: Stages, model: &'a SeatingModel, states: &[ChainState], seed: u64, threads: Arc<rayon::ThreadPool>,
        control: Control,
    ) -> Self {
        let chain = |(number, state): (usize, &ChainState)| {
            let of_best = Board::<C>::new(model, &state.best);
            let mut best = Kept::default();
            of_best.keep(&mut best);
            let board = if state.best == state.present { of_best.clone() } else { Board::new(model, &state.present) };
            let (number, best_cost) = (number as u32, of_best.cost());
            let tied = vec![0; model.nodes().div_ceil(64)];
            Chain { number, board, tied, best, best_cost, evaluations: state.evaluations, trace: ChainTrace::default() }
        };
        let chains: Vec<Chain<C>> = states.iter().enumerate().map(chain).collect();
        let first = states.first().map(|state| state.best.clone()).unwrap_or_default();
        let philox = Philox::new(seed);
        let (best, best_cost, improvements) = (Arc::new(first), i64::MAX, ChainTraces::default());
        let mut search = Self { model, best, best_cost, chains, threads, control, philox, stages, improvements };
        search.collect_best();
        search.improvements.begin(vec![search.best_cost]);
        search
    }

    fn collect_best(&mut self) {
        if let Some(chain) = self.chains.iter().min_by_key(|chain| chain.best_cost)
            && chain.best_cost < self.best_cost
        {
            (self.best, self.best_cost) = (Arc::new(chain.best.timetable(self.model)), chain.best_cost);
        }
    }
}

impl<C: Cell> Epochs for CpuSeating<'_, C> {
    type Solution = Timetable;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let Self { model, chains, threads, control, philox, stages, improvements, .. } = self;
        let schedule = Arc::clone(stages.schedule());
        let most = ChainTraces::most_steps(chains.len());
        let mut walk = |segment: &Segment| {
            if segment.resamples {
                resample(chains);
            }
            let Some(&steps) = segment.steps.first() else { return Ok(()) };
            for chain in &mut *chains {
                improvements.prepare(&mut chain.trace, 0, chain.evaluations);
            }
            threads.install(|| {
                chains.par_iter_mut().for_each(|chain| {
                    let (stage, schedule) = (segment.stage, &*schedule);
                    let run = ChainRun { chain, model, schedule, control, stage, philox: *philox, steps };
                    pulp::Arch::new().dispatch(run);
                });
            });
            if control.is_over() {
                return Err(Error::Cancelled);
            }
            let traces: Vec<&ChainTrace> = chains.iter().map(|chain| &chain.trace).collect();
            let done = |component: usize, step: u64| segment.steps_up_to(&schedule, component, step);
            improvements.merge(&traces, segment.range.clone(), done, |cost| cost as f64);
            Ok(())
        };
        for from in (0..steps).step_by(most as usize) {
            stages.advance(most.min(steps - from), &mut walk)?;
        }
        self.collect_best();
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Timetable>> {
        Ok(snapshot(&self.stages, self.chains.iter().map(Chain::summary), &self.best, self.best_cost))
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.improvements.take()
    }

    fn stages(&self) -> Option<Vec<u64>> {
        Some(self.stages.lengths().to_vec())
    }
}

/// Chain as a snapshot describes it.
pub(super) struct ChainSummary<'a> {
    /// Period of each node.
    pub(super) place: &'a [u16],
    /// Room of each sitting as one number.
    pub(super) rooms: &'a [u16],
    /// Cost of the present timetable.
    pub(super) cost: i64,
    /// Cost of the best timetable.
    pub(super) best_cost: i64,
    /// Number of moves evaluated so far.
    pub(super) evaluations: u64,
}

/// Summary of all chains.
pub(super) fn snapshot<'a>(
    stages: &Stages, chains: impl Iterator<Item = ChainSummary<'a>>, best: &Arc<Timetable>, best_cost: i64,
) -> Snapshot<Timetable> {
    let (mut digest, mut evaluations, mut sum, mut worst, mut count) = (stages.step(), 0, 0, 0, 0);
    for chain in chains {
        digest = digest_words(digest, chain.place);
        digest = digest_words(digest ^ chain.best_cost as u64, chain.rooms);
        evaluations += chain.evaluations;
        sum += chain.cost;
        worst = worst.max(chain.cost);
        count += 1;
    }
    Snapshot {
        step: stages.step(),
        evaluations,
        best: Arc::clone(best),
        best_cost: best_cost as f64,
        mean: sum as f64 / f64::from(count.max(1)),
        worst: worst as f64,
        digest,
        share: Some(stages.share()),
    }
}

/// Resampling: the worst chains continue from copies of the best.
fn resample<C: Cell>(chains: &mut [Chain<C>]) {
    let costs: Vec<i64> = chains.iter().map(|chain| chain.board.cost()).collect();
    for (from, to) in resampled(&costs) {
        let copy = chains[from].board.clone();
        chains[to].board.copy_from(&copy);
    }
}

/// Advances one chain to a given step, unless the run is interrupted before; compiled for the vector unit found at run time.
struct ChainRun<'a, C> {
    chain: &'a mut Chain<C>,
    model: &'a SeatingModel,
    schedule: &'a Schedule,
    control: &'a Control,
    stage: usize,
    philox: Philox,
    steps: StepRange,
}

impl<C: Cell> pulp::NullaryFnOnce for ChainRun<'_, C> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let ChainRun { chain, model, schedule, control, stage, philox, steps } = self;
        let temperatures = &schedule.temperatures[stage * LEVELS..(stage + 1) * LEVELS];
        let thresholds = Thresholds::new(model, schedule);
        let mut step = steps.from;
        // Asking means reading a clock, and some steps end at their first proposal.
        while step < steps.until && (step % 16 != 0 || !control.is_interrupted()) {
            let level = ((step - steps.stage_begin) / steps.level_steps) as usize;
            let high = ((step >> 32) as u32) << 8;
            let kind = u64::from(philox.words(0, step as u32, chain.number, CONTROL | high)[0]);
            let proposer = Proposer {
                model,
                acceptance: &schedule.acceptance,
                temperature: temperatures[level.min(LEVELS - 1)],
                philox,
                step,
                number: chain.number,
            };
            let (board, tied) = (&mut chain.board, &mut chain.tied);
            chain.evaluations += u64::from(if kind < thresholds.kempe {
                proposer.kempe_chains(board)
            } else if kind < thresholds.exchange {
                proposer.exchanges(board)
            } else {
                tied.fill(0);
                if kind < thresholds.swaps {
                    rounds(|first| proposer.swaps(board, tied, first))
                } else if kind < thresholds.changes {
                    rounds(|first| proposer.room_changes(board, tied, first))
                } else {
                    rounds(|first| proposer.shifts(board, tied, first))
                }
            });
            step += 1;
            if chain.board.cost() < chain.best_cost {
                chain.best_cost = chain.board.cost();
                chain.board.keep(&mut chain.best);
            }
            chain.trace.end_step(chain.best_cost, chain.evaluations);
        }
    }
}
