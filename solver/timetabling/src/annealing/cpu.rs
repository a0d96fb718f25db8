//! Annealing on the CPU: one rayon task per chain and component. Defines the trajectory that the device reproduces.

use std::sync::Arc;

use rayon::prelude::*;

use super::board::{Board, Cell, Graph};
use super::chains::{Best, ChainView, individual};
use super::stages::{Segment, Stages, StepRange, resampled};
use super::{LEVELS, Schedule};
use crate::Timetable;
use crate::model::Model;
use gridwright_core::lanes::lanes;
use gridwright_core::random::{Philox, index};
use gridwright_core::search::cooling::AcceptanceTable;
use gridwright_core::search::{ChainTrace, ChainTraces, Control, Epochs, NotedImprovement, Snapshot};
use gridwright_core::{Error, Result};

/// Purpose field of the control words: kind of the step, and choice and acceptance of its first alternative.
const CONTROL: u32 = 0x20;
/// Purpose field of the random words of single-exam moves.
const LANES: u32 = 0x21;

/// Number of steps whose random words are generated together (vector lanes).
const SIDE_BY_SIDE: usize = 8;

/// Number of proposals whose random words are generated together; divides [`Component::proposals`](super::Component::proposals).
const PROPOSALS_SIDE_BY_SIDE: usize = 32;

/// Proposed move of an exam.
#[derive(Debug, Clone, Copy, Default)]
struct Shift {
    exam: u32,
    to: u32,
    /// Random word of the acceptance.
    word: u32,
    delta: i32,
}

/// One annealing chain of one component.
#[derive(Debug)]
struct Chain<C> {
    component: usize,
    /// Address of the chain's random words, see [`individual`].
    individual: u32,
    board: Board<C>,
    best: Vec<u16>,
    best_cost: i64,
    evaluations: u64,
    /// Improvements since the traces of all chains were merged.
    trace: ChainTrace,
    /// Working memory of a step.
    shifts: Vec<Shift>,
}

/// State of a chain taken over from another backend.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ChainState {
    /// Current period of each exam of the component.
    pub place: Vec<u16>,
    /// Best timetable visited; empty before the first step.
    pub best: Vec<u16>,
    /// Cost of the best timetable.
    pub best_cost: i64,
    /// Number of moves evaluated.
    pub evaluations: u64,
}

/// Annealing on the CPU.
#[derive(Debug)]
pub struct CpuAnnealing<C> {
    schedule: Arc<Schedule>,
    graphs: Vec<Graph<C>>,
    /// Chain c of component k at index k · chains_per_component + c.
    chains: Vec<Chain<C>>,
    threads: Arc<rayon::ThreadPool>,
    control: Control,
    philox: Philox,
    stages: Stages,
    best: Best,
    improvements: ChainTraces,
}

impl<C: Cell> CpuAnnealing<C> {
    /// Starts one chain per component from each conflict-free timetable in `starts`.
    pub fn new(
        stages: Stages, model: &Model, starts: &[Timetable], seed: u64, threads: Arc<rayon::ThreadPool>,
    ) -> Self {
        let schedule = Arc::clone(stages.schedule());
        let states = schedule.components.iter().flat_map(|component| {
            starts.iter().map(|start| {
                let place: Vec<u16> = component.exams.iter().map(|&exam| start.periods[exam]).collect();
                ChainState { place, ..ChainState::default() }
            })
        });
        Self::resume(stages, model, states.collect(), Best::new(starts[0].clone()), seed, threads)
    }

    /// Continues from the chains of another backend (chain c of component k at index k · chains_per_component + c) and
    /// the best timetable so far.
    pub(crate) fn resume(
        stages: Stages, model: &Model, states: Vec<ChainState>, best: Best, seed: u64, threads: Arc<rayon::ThreadPool>,
    ) -> Self {
        let schedule = Arc::clone(stages.schedule());
        let graphs: Vec<Graph<C>> =
            schedule.components.iter().map(|component| Graph::new(model, &component.exams)).collect();
        let per = states.len() / graphs.len().max(1);
        let chain = |(position, state): (usize, ChainState)| {
            let (component, number) = (position / per, position % per);
            let board = Board::new(&graphs[component], &state.place);
            let (best, best_cost) =
                if state.best.is_empty() { (state.place, board.cost()) } else { (state.best, state.best_cost) };
            let individual = individual(component, number);
            let (evaluations, shifts, trace) = (state.evaluations, Vec::new(), ChainTrace::default());
            Chain { component, individual, best, best_cost, evaluations, trace, shifts, board }
        };
        let chains: Vec<Chain<C>> = states.into_iter().enumerate().map(chain).collect();
        let (philox, control) = (Philox::new(seed), Control::new());
        let mut improvements = ChainTraces::default();
        let least = |chains: &[Chain<C>]| chains.iter().map(|chain| chain.best_cost).min().unwrap_or(0);
        improvements.begin(chains.chunks(per.max(1)).map(least).collect());
        let mut search = Self { schedule, graphs, chains, threads, control, philox, stages, best, improvements };
        search.collect_best();
        search
    }

    /// Sets the handle that pauses and interrupts an epoch.
    pub(crate) fn with_control(mut self, control: Control) -> Self {
        self.control = control;
        self
    }

    fn chains_per_component(&self) -> usize {
        self.chains.len() / self.graphs.len().max(1)
    }

    /// States of all chains.
    pub(crate) fn views(&self) -> Vec<ChainView<'_>> {
        self.chains.iter().map(Chain::view).collect()
    }

    fn collect_best(&mut self) {
        let Self { schedule, chains, best, .. } = self;
        let views: Vec<ChainView<'_>> = chains.iter().map(Chain::view).collect();
        best.collect(&schedule.components, &views);
    }
}

/// Resampling: in every component the worst chains continue from copies of the best.
fn resample<C: Cell>(chains: &mut [Chain<C>], per: usize) {
    for chains in chains.chunks_mut(per) {
        let costs: Vec<i64> = chains.iter().map(|chain| chain.board.cost()).collect();
        for (from, to) in resampled(&costs) {
            let copy = chains[from].board.clone();
            let chain = &mut chains[to];
            chain.board.copy_from(&copy);
            chain.keep_best();
        }
    }
}

impl<C: Cell> Chain<C> {
    fn view(&self) -> ChainView<'_> {
        ChainView {
            place: self.board.place(),
            cost: self.board.cost(),
            best: &self.best,
            best_cost: self.best_cost,
            evaluations: self.evaluations,
        }
    }

    /// Stores the current timetable if it is the best so far.
    #[inline(always)]
    fn keep_best(&mut self) {
        if self.board.cost() < self.best_cost {
            self.best_cost = self.board.cost();
            self.best.copy_from_slice(self.board.place());
        }
    }
}

impl<C: Cell> Epochs for CpuAnnealing<C> {
    type Solution = Timetable;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let per = self.chains_per_component();
        let Self { schedule, graphs, chains, threads, control, philox, stages, improvements, .. } = self;
        let most = ChainTraces::most_steps(chains.len());
        let mut walk = |segment: &Segment| {
            if segment.resamples {
                resample(chains, per);
            }
            for chain in &mut *chains {
                improvements.prepare(&mut chain.trace, chain.component, chain.evaluations);
            }
            threads.install(|| {
                chains.par_iter_mut().for_each(|chain| {
                    let (graph, steps) = (&graphs[chain.component], segment.steps[chain.component]);
                    let stage = segment.stage;
                    let run = ChainRun { chain, graph, schedule, control, stage, philox: *philox, steps };
                    pulp::Arch::new().dispatch(run);
                });
            });
            if control.is_over() {
                return Err(Error::Cancelled);
            }
            let traces: Vec<&ChainTrace> = chains.iter().map(|chain| &chain.trace).collect();
            let done = |component: usize, step: u64| segment.steps_up_to(schedule, component, step);
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
        Ok(self.best.snapshot(&self.stages, &self.views()))
    }

    fn improvements(&mut self) -> Vec<NotedImprovement> {
        self.improvements.take()
    }

    fn stages(&self) -> Option<Vec<u64>> {
        Some(self.stages.lengths().to_vec())
    }
}

/// Advances one chain to a given step, unless the run is interrupted before; compiled for the vector unit found at run
/// time.
struct ChainRun<'a, C> {
    chain: &'a mut Chain<C>,
    graph: &'a Graph<C>,
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
        let ChainRun { chain, graph, schedule, control, stage, philox, steps } = self;
        let temperatures = &schedule.temperatures[stage * LEVELS..(stage + 1) * LEVELS];
        let component = &schedule.components[chain.component];
        let (proposals, alternatives) = (component.proposals(), component.alternatives());
        let mut step = steps.from;
        while step < steps.until && !control.is_interrupted() {
            // Steps are numbered with 64 bits: the upper half goes into the purpose.
            let high = ((step >> 32) as u32) << 8;
            let block = step & !(SIDE_BY_SIDE as u64 - 1);
            let control = philox.steps::<SIDE_BY_SIDE>(0, block as u32, chain.individual, CONTROL | high);
            let end = steps.until.min(block + SIDE_BY_SIDE as u64);
            while step < end {
                let lane = (step - block) as usize;
                let level = ((step - steps.stage_begin) / steps.level_steps) as usize;
                let proposer = Proposer {
                    graph,
                    acceptance: &schedule.acceptance,
                    temperature: temperatures[level.min(LEVELS - 1)],
                    philox,
                    step,
                    individual: chain.individual,
                    proposals,
                    alternatives,
                };
                let first = [control[1][lane], control[2][lane], control[3][lane]];
                let kind = u64::from(control[0][lane]);
                chain.evaluations += u64::from(if kind < schedule.kempe {
                    proposer.kempe(&mut chain.board, first)
                } else if kind < schedule.exchange {
                    proposer.exchange(&mut chain.board, first)
                } else {
                    proposer.shifts(&mut chain.board, &mut chain.shifts)
                });
                step += 1;
                chain.keep_best();
                chain.trace.end_step(chain.best_cost, chain.evaluations);
            }
        }
    }
}

/// Proposals of one step. Its functions return the number of proposals evaluated.
struct Proposer<'a, C> {
    graph: &'a Graph<C>,
    acceptance: &'a AcceptanceTable,
    temperature: u32,
    philox: Philox,
    step: u64,
    individual: u32,
    proposals: u32,
    alternatives: u32,
}

impl<C: Cell> Proposer<'_, C> {
    /// Random words of alternative `number`: the first uses those of the control draw, each further one a draw of its
    /// own.
    #[inline(always)]
    fn alternative(&self, number: u32, first: [u32; 3]) -> [u32; 3] {
        if number == 0 {
            return first;
        }
        let high = ((self.step >> 32) as u32) << 8;
        let [_, first, second, last] = self.philox.words(number, self.step as u32, self.individual, CONTROL | high);
        [first, second, last]
    }

    #[inline(always)]
    fn others(&self) -> u32 {
        self.graph.periods() as u32 - 1
    }

    /// Applies the first of up to `alternatives` random Kempe chains whose change is within its acceptance limit.
    #[inline(always)]
    fn kempe(&self, board: &mut Board<C>, first: [u32; 3]) -> u32 {
        for number in 0..self.alternatives {
            let [exam_word, period_word, accept_word] = self.alternative(number, first);
            let exam = index(exam_word, self.graph.exams() as u32) as usize;
            let from = usize::from(board.place()[exam]);
            let to = other_than(from, index(period_word, self.others()) as usize);
            let limit = self.acceptance.limit(self.temperature, accept_word);
            let delta = board.kempe_delta(self.graph, exam, to, limit);
            if delta <= limit {
                board.swap_chain(self.graph, from, to, delta);
                return number + 1;
            }
        }
        self.alternatives
    }

    /// Applies the first of up to `alternatives` random exchanges of periods whose change is within its acceptance
    /// limit.
    #[inline(always)]
    fn exchange(&self, board: &mut Board<C>, first: [u32; 3]) -> u32 {
        for number in 0..self.alternatives {
            let [first_word, second_word, accept_word] = self.alternative(number, first);
            let a = index(first_word, self.others() + 1) as usize;
            let b = other_than(a, index(second_word, self.others()) as usize);
            let delta = board.exchange_delta(self.graph, a, b);
            if delta <= self.acceptance.limit(self.temperature, accept_word) {
                board.exchange(self.graph, a, b, delta);
                return number + 1;
            }
        }
        self.alternatives
    }

    /// Applies, in order, each proposed move that is clash-free and within its acceptance limit, unless its exam is
    /// tied to one that moved in this step. Without rules the changes of cost of the applied moves do not depend on each
    /// other, so all of them are computed first.
    #[inline(always)]
    fn shifts(&self, board: &mut Board<C>, shifts: &mut Vec<Shift>) -> u32 {
        let free = self.free_shifts(board, shifts);
        board.untie_all();
        if self.graph.has_rules() {
            for shift in &shifts[..free] {
                let (exam, to) = (shift.exam as usize, shift.to as usize);
                if !board.is_tied(exam)
                    && let Some(delta) = board.shift_delta(self.graph, exam, to)
                    && delta <= self.acceptance.limit(self.temperature, shift.word)
                {
                    board.shift(self.graph, exam, to, delta);
                    board.tie(self.graph, exam);
                }
            }
            return self.proposals;
        }
        let mut accepted = 0;
        for at in 0..free {
            let shift = shifts[at];
            let delta = board.proximity_delta(self.graph, shift.exam as usize, shift.to as usize);
            shifts[accepted] = Shift { delta: delta as i32, ..shift };
            accepted += usize::from(delta <= self.acceptance.limit(self.temperature, shift.word));
        }
        for shift in &shifts[..accepted] {
            let exam = shift.exam as usize;
            if !board.is_tied(exam) {
                board.shift(self.graph, exam, shift.to as usize, i64::from(shift.delta));
                board.tie(self.graph, exam);
            }
        }
        self.proposals
    }

    /// Writes the proposed moves of the step without a clash to the beginning of `shifts`, in their order; returns
    /// their number.
    #[inline(always)]
    fn free_shifts(&self, board: &Board<C>, shifts: &mut Vec<Shift>) -> usize {
        const SIDE: usize = PROPOSALS_SIDE_BY_SIDE;
        shifts.resize(self.proposals as usize, Shift::default());
        let high = ((self.step >> 32) as u32) << 8;
        let (exams, others) = (self.graph.exams() as u32, self.others());
        let mut free = 0;
        for first in (0..self.proposals).step_by(SIDE) {
            let words = self.philox.draws::<SIDE>(first, self.step as u32, self.individual, LANES | high);
            let chosen = lanes::<u32, SIDE>(|lane| index(words[0][lane], exams));
            let periods = lanes::<u32, SIDE>(|lane| index(words[1][lane], others));
            for lane in 0..SIDE {
                let exam = chosen[lane] as usize;
                let to = other_than(usize::from(board.place()[exam]), periods[lane] as usize);
                shifts[free] = Shift { exam: chosen[lane], to: to as u32, word: words[2][lane], delta: 0 };
                free += usize::from(board.is_free(self.graph, exam, to));
            }
        }
        free
    }
}

/// The number at position `choice` among 0, 1, 2, … without `taken`.
#[inline(always)]
pub(crate) fn other_than(taken: usize, choice: usize) -> usize {
    choice + usize::from(choice >= taken)
}
