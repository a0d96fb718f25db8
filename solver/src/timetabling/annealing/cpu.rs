//! Annealing on the CPU: one task per chain and component, on rayon.

use std::sync::Arc;

use rayon::prelude::*;

use super::board::{Board, Cell, Graph};
use super::chains::{Best, ChainView, individual};
use super::legs::{Legs, Steps, resampled};
use super::{RUNGS, Schedule};
use crate::Result;
use crate::random::{Philox, index};
use crate::search::cooling::AcceptanceTable;
use crate::search::{Epochs, Snapshot};
use crate::timetabling::Timetable;
use crate::timetabling::model::Model;

/// Purpose of a step's control word.
const CONTROL: u32 = 0x20;
/// Purpose of the proposals of a step's lanes.
const LANES: u32 = 0x21;

/// Proposals whose random words are made side by side.
const SIDE_BY_SIDE: usize = 8;

/// One chain of one component.
#[derive(Debug)]
struct Chain<C> {
    component: usize,
    /// Address of its random words.
    individual: u32,
    board: Board<C>,
    best: Vec<u16>,
    best_cost: i64,
    evaluations: u64,
    /// Exams that have moved in the current step.
    moved: Vec<u16>,
}

/// A chain that another backend hands over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChainState {
    /// The period of every exam of its component.
    pub place: Vec<u16>,
    /// The best that it has visited; empty where it has not walked yet.
    pub best: Vec<u16>,
    /// The cost of that.
    pub best_cost: i64,
    /// Moves that it has evaluated.
    pub evaluations: u64,
}

/// Annealing on the CPU.
#[derive(Debug)]
pub struct CpuAnnealing<C> {
    schedule: Arc<Schedule>,
    graphs: Vec<Graph<C>>,
    /// Chain c of component k stands at k·chains + c.
    chains: Vec<Chain<C>>,
    threads: Arc<rayon::ThreadPool>,
    philox: Philox,
    legs: Legs,
    best: Best,
}

impl<C: Cell> CpuAnnealing<C> {
    /// Starts from one conflict-free timetable per chain.
    pub fn new(legs: Legs, model: &Model, starts: &[Timetable], seed: u64, threads: Arc<rayon::ThreadPool>) -> Self {
        let schedule = Arc::clone(legs.schedule());
        let states = schedule.components.iter().flat_map(|component| {
            starts.iter().map(|start| {
                let place: Vec<u16> = component.exams.iter().map(|&exam| start.periods[exam]).collect();
                ChainState { place, ..ChainState::default() }
            })
        });
        Self::resume(legs, model, states.collect(), Best::new(starts[0].clone()), seed, threads)
    }

    /// Goes on where another backend stood: chain c of component k at k·chains + c, and the best so far.
    pub fn resume(
        legs: Legs,
        model: &Model,
        states: Vec<ChainState>,
        best: Best,
        seed: u64,
        threads: Arc<rayon::ThreadPool>,
    ) -> Self {
        let schedule = Arc::clone(legs.schedule());
        let graphs: Vec<Graph<C>> =
            schedule.components.iter().map(|component| Graph::new(model, &component.exams)).collect();
        let per = states.len() / graphs.len().max(1);
        let chain = |(position, state): (usize, ChainState)| {
            let (component, number) = (position / per, position % per);
            let board = Board::new(&graphs[component], &state.place);
            let (best, best_cost) =
                if state.best.is_empty() { (state.place, board.cost()) } else { (state.best, state.best_cost) };
            let individual = individual(component, number);
            Chain { component, individual, best, best_cost, evaluations: state.evaluations, moved: Vec::new(), board }
        };
        let chains = states.into_iter().enumerate().map(chain).collect();
        let mut search = Self { schedule, graphs, chains, threads, philox: Philox::new(seed), legs, best };
        search.collect_best();
        search
    }

    /// Lengths of the legs that have begun, for the replay.
    pub fn legs(&self) -> &[u64] {
        self.legs.lengths()
    }

    fn chains_per_component(&self) -> usize {
        self.chains.len() / self.graphs.len().max(1)
    }

    /// Where all chains stand.
    pub fn views(&self) -> Vec<ChainView<'_>> {
        self.chains.iter().map(Chain::view).collect()
    }

    fn collect_best(&mut self) {
        let Self { schedule, chains, best, .. } = self;
        let views: Vec<ChainView<'_>> = chains.iter().map(Chain::view).collect();
        best.collect(&schedule.components, &views);
    }
}

/// In every component the worst chains continue from copies of the best.
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

    /// Remembers where it stands if that is better than all before.
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
        let Self { schedule, graphs, chains, threads, philox, legs, .. } = self;
        legs.advance(steps, |stretch| {
            if stretch.resamples {
                resample(chains, per);
            }
            threads.install(|| {
                chains.par_iter_mut().for_each(|chain| {
                    let (graph, steps) = (&graphs[chain.component], stretch.steps[chain.component]);
                    let walk = Walk { chain, graph, schedule, leg: stretch.leg, philox: *philox, steps };
                    pulp::Arch::new().dispatch(walk);
                });
            });
            Ok(())
        })?;
        self.collect_best();
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Timetable>> {
        Ok(self.best.snapshot(&self.legs, &self.views()))
    }
}

/// The walk of one chain up to a step, compiled for the vector unit that is there.
struct Walk<'a, C> {
    chain: &'a mut Chain<C>,
    graph: &'a Graph<C>,
    schedule: &'a Schedule,
    leg: usize,
    philox: Philox,
    steps: Steps,
}

impl<C: Cell> pulp::NullaryFnOnce for Walk<'_, C> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Walk { chain, graph, schedule, leg, philox, steps } = self;
        let temperatures = &schedule.temperatures[leg * RUNGS..(leg + 1) * RUNGS];
        let component = &schedule.components[chain.component];
        let (proposals, alternatives) = (component.proposals(), component.alternatives());
        let mut step = steps.from;
        while step < steps.until {
            // Steps are numbered with 64 bits: the upper half goes into the purpose.
            let high = ((step >> 32) as u32) << 8;
            let block = step & !(SIDE_BY_SIDE as u64 - 1);
            let control = philox.steps::<SIDE_BY_SIDE>(0, block as u32, chain.individual, CONTROL | high);
            let end = steps.until.min(block + SIDE_BY_SIDE as u64);
            while step < end {
                let lane = (step - block) as usize;
                let rung = ((step - steps.leg_begin) / steps.rung_length) as usize;
                let proposer = Proposer {
                    graph,
                    acceptance: &schedule.acceptance,
                    temperature: temperatures[rung.min(RUNGS - 1)],
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
                    proposer.shifts(&mut chain.board, &mut chain.moved)
                });
                step += 1;
                chain.keep_best();
            }
        }
    }
}

/// The changes that one step proposes; its functions return how many of them were looked at.
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
    /// The words of an alternative: those of the control draw for the first one, draws of their own for the others.
    #[inline(always)]
    fn alternative(&self, number: u32, first: [u32; 3]) -> [u32; 3] {
        if number == 0 {
            return first;
        }
        let high = ((self.step >> 32) as u32) << 8;
        let [_, one, two, last] = self.philox.words(number, self.step as u32, self.individual, CONTROL | high);
        [one, two, last]
    }

    #[inline(always)]
    fn others(&self) -> u32 {
        self.graph.periods() as u32 - 1
    }

    /// The first Kempe chain that is within its limit swaps its periods.
    #[inline(always)]
    fn kempe(&self, board: &mut Board<C>, first: [u32; 3]) -> u32 {
        for number in 0..self.alternatives {
            let [one, two, last] = self.alternative(number, first);
            let exam = index(one, self.graph.exams() as u32) as usize;
            let from = usize::from(board.place()[exam]);
            let to = other_than(from, index(two, self.others()) as usize);
            let delta = board.kempe_delta(self.graph, exam, to);
            if delta <= self.acceptance.limit(self.temperature, last) {
                board.swap_chain(self.graph, from, to, delta);
                return number + 1;
            }
        }
        self.alternatives
    }

    /// The first two periods whose exchange is within its limit swap places.
    #[inline(always)]
    fn exchange(&self, board: &mut Board<C>, first: [u32; 3]) -> u32 {
        for number in 0..self.alternatives {
            let [one, two, last] = self.alternative(number, first);
            let a = index(one, self.others() + 1) as usize;
            let b = other_than(a, index(two, self.others()) as usize);
            let delta = board.exchange_delta(self.graph, a, b);
            if delta <= self.acceptance.limit(self.temperature, last) {
                board.exchange(self.graph, a, b, delta);
                return number + 1;
            }
        }
        self.alternatives
    }

    /// All proposals in order: each that is clash-free and within its limit is applied, unless its exam is tied to one
    /// that has moved in this step. So all of them can be looked at side by side, before any is applied.
    #[inline(always)]
    fn shifts(&self, board: &mut Board<C>, moved: &mut Vec<u16>) -> u32 {
        let high = ((self.step >> 32) as u32) << 8;
        moved.clear();
        for first in (0..self.proposals).step_by(SIDE_BY_SIDE) {
            let words = self.philox.draws::<SIDE_BY_SIDE>(first, self.step as u32, self.individual, LANES | high);
            for lane in 0..SIDE_BY_SIDE {
                let exam = index(words[0][lane], self.graph.exams() as u32) as usize;
                let from = usize::from(board.place()[exam]);
                let to = other_than(from, index(words[1][lane], self.others()) as usize);
                let Some(delta) = board.shift_delta(self.graph, exam, to) else { continue };
                if delta <= self.acceptance.limit(self.temperature, words[2][lane])
                    && moved.iter().all(|&other| !self.graph.is_tied(exam, usize::from(other)))
                {
                    board.shift(self.graph, exam, to, delta);
                    moved.push(exam as u16);
                }
            }
        }
        self.proposals
    }
}

/// The `choice`-th of the numbers that are not `taken`.
#[inline(always)]
fn other_than(taken: usize, choice: usize) -> usize {
    choice + usize::from(choice >= taken)
}
