//! Annealing on the CPU: one task per chain and component, on rayon.

use std::sync::Arc;

use rayon::prelude::*;

use super::board::{Board, Cell, Graph};
use super::{Component, Schedule};
use crate::Result;
use crate::random::{Philox, index};
use crate::search::cooling::AcceptanceTable;
use crate::search::{Epochs, Snapshot, digest_words};
use crate::timetabling::Timetable;

/// Purpose of a step's control word.
const CONTROL: u32 = 0x20;
/// Purpose of the proposals of a step's lanes.
const LANES: u32 = 0x21;

/// Proposals of a single step, looked at in order.
const PROPOSALS: u32 = 32;
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
    step: u64,
    evaluations: u64,
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
    step: u64,
    best: Arc<Timetable>,
    best_cost: i64,
}

impl<C: Cell> CpuAnnealing<C> {
    /// Starts from one conflict-free timetable per chain.
    pub fn new(
        schedule: Arc<Schedule>,
        conflicts: &crate::timetabling::Conflicts,
        starts: &[Timetable],
        seed: u64,
        threads: Arc<rayon::ThreadPool>,
    ) -> Self {
        let graphs: Vec<Graph<C>> = schedule
            .components
            .iter()
            .map(|component| Graph::new(conflicts, &component.exams, schedule.periods))
            .collect();
        let mut chains = Vec::new();
        for (component, graph) in graphs.iter().enumerate() {
            for (number, start) in starts.iter().enumerate() {
                let exams = &schedule.components[component].exams;
                let place: Vec<u16> = exams.iter().map(|&exam| start.periods[exam]).collect();
                let board = Board::new(graph, &place);
                let individual = ((component as u32) << 16) | number as u32;
                let best_cost = board.cost();
                chains.push(Chain { component, individual, best: place, best_cost, board, step: 0, evaluations: 0 });
            }
        }
        let best = Arc::new(starts[0].clone());
        let mut search =
            Self { schedule, graphs, chains, threads, philox: Philox::new(seed), step: 0, best, best_cost: i64::MAX };
        search.collect_best();
        search
    }

    fn chains_per_component(&self) -> usize {
        self.chains.len() / self.graphs.len().max(1)
    }

    /// Puts the best of every component together.
    fn collect_best(&mut self) {
        let per = self.chains_per_component();
        let best: Vec<&Chain<C>> =
            self.chains.chunks(per).filter_map(|chains| chains.iter().min_by_key(|chain| chain.best_cost)).collect();
        let cost = best.iter().map(|chain| chain.best_cost).sum();
        if cost < self.best_cost {
            let mut timetable = Timetable::clone(&self.best);
            for chain in best {
                for (&exam, &period) in self.schedule.components[chain.component].exams.iter().zip(&chain.best) {
                    timetable.periods[exam] = period;
                }
            }
            self.best = Arc::new(timetable);
            self.best_cost = cost;
        }
    }

    /// In every component the worst chain continues from a copy of the best.
    fn resample(&mut self) {
        let per = self.chains_per_component();
        for chains in self.chains.chunks_mut(per) {
            let costs = || chains.iter().map(|chain| chain.board.cost()).enumerate();
            let best = costs().min_by_key(|&(index, cost)| (cost, index)).map_or(0, |(index, _)| index);
            let worst = costs().max_by_key(|&(index, cost)| (cost, index)).map_or(0, |(index, _)| index);
            if best != worst {
                let copy = chains[best].board.clone();
                chains[worst].board.copy_from(&copy);
            }
        }
    }
}

impl<C: Cell> Epochs for CpuAnnealing<C> {
    type Solution = Timetable;

    fn advance(&mut self, steps: u32) -> Result<()> {
        let end = self.step + u64::from(steps);
        while self.step < end {
            // Resampling happens at fixed steps, wherever epochs end.
            let next = self.schedule.next_resampling(self.step).min(end);
            let (schedule, graphs, philox) = (&self.schedule, &self.graphs, self.philox);
            let chains = &mut self.chains;
            self.threads.install(|| {
                chains.par_iter_mut().for_each(|chain| {
                    let component = &schedule.components[chain.component];
                    let until = component.local_step(next);
                    let graph = &graphs[chain.component];
                    pulp::Arch::new().dispatch(Walk { chain, graph, schedule, component, philox, until });
                });
            });
            self.step = next;
            if self.schedule.resamples_at(next) {
                self.resample();
            }
        }
        self.collect_best();
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot<Timetable>> {
        let per = self.chains_per_component();
        let mut totals = vec![0_i64; per];
        let mut digest = self.step;
        let mut evaluations = 0;
        for (position, chain) in self.chains.iter().enumerate() {
            totals[position % per] += chain.board.cost();
            digest = digest_words(digest, chain.board.place());
            digest = digest_words(digest ^ chain.best_cost as u64, &chain.best);
            evaluations += chain.evaluations;
        }
        Ok(Snapshot {
            step: self.step,
            evaluations,
            best: Arc::clone(&self.best),
            best_cost: self.best_cost as f64,
            mean: totals.iter().sum::<i64>() as f64 / per as f64,
            worst: totals.iter().copied().max().unwrap_or(0) as f64,
            digest,
        })
    }
}

/// The walk of one chain up to a step, compiled for the vector unit that is there.
struct Walk<'a, C> {
    chain: &'a mut Chain<C>,
    graph: &'a Graph<C>,
    schedule: &'a Schedule,
    component: &'a Component,
    philox: Philox,
    until: u64,
}

impl<C: Cell> pulp::NullaryFnOnce for Walk<'_, C> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Walk { chain, graph, schedule, component, philox, until } = self;
        let rung_length = component.local_rung(schedule);
        let exams = graph.exams() as u32;
        let others = graph.periods() as u32 - 1;
        while chain.step < until {
            // Steps are numbered with 64 bits: the upper half goes into the purpose.
            let high = ((chain.step >> 32) as u32) << 8;
            let block = chain.step & !(SIDE_BY_SIDE as u64 - 1);
            let control = philox.steps::<SIDE_BY_SIDE>(0, block as u32, chain.individual, CONTROL | high);
            let end = until.min(block + SIDE_BY_SIDE as u64);
            while chain.step < end {
                let lane = (chain.step - block) as usize;
                let rung = ((chain.step / rung_length) as usize).min(schedule.temperatures.len() - 1);
                let temperature = schedule.temperatures[rung];
                let kind = u64::from(control[0][lane]);
                if kind < schedule.kempe {
                    let exam = index(control[1][lane], exams) as usize;
                    let from = usize::from(chain.board.place()[exam]);
                    let to = other_than(from, index(control[2][lane], others) as usize);
                    let limit = schedule.acceptance.limit(temperature, control[3][lane]);
                    let delta = chain.board.kempe_delta(graph, exam, to);
                    chain.evaluations += 1;
                    if delta <= limit {
                        chain.board.swap_chain(graph, from, to, delta);
                    }
                } else if kind < schedule.exchange {
                    let a = index(control[1][lane], others + 1) as usize;
                    let b = other_than(a, index(control[2][lane], others) as usize);
                    let limit = schedule.acceptance.limit(temperature, control[3][lane]);
                    let delta = chain.board.exchange_delta(graph, a, b);
                    chain.evaluations += 1;
                    if delta <= limit {
                        chain.board.exchange(graph, a, b, delta);
                    }
                } else {
                    single(chain, graph, &schedule.acceptance, temperature, philox, high);
                }
                chain.step += 1;
                if chain.board.cost() < chain.best_cost {
                    chain.best_cost = chain.board.cost();
                    chain.best.copy_from_slice(chain.board.place());
                }
            }
        }
    }
}

/// The proposals of lanes 0…31 in order; the first that is clash-free and within its limit is applied.
#[inline(always)]
fn single<C: Cell>(
    chain: &mut Chain<C>,
    graph: &Graph<C>,
    acceptance: &AcceptanceTable,
    temperature: u32,
    philox: Philox,
    high: u32,
) {
    let exams = graph.exams() as u32;
    let others = graph.periods() as u32 - 1;
    for first in (0..PROPOSALS).step_by(SIDE_BY_SIDE) {
        let words = philox.draws::<SIDE_BY_SIDE>(first, chain.step as u32, chain.individual, LANES | high);
        for lane in 0..SIDE_BY_SIDE {
            let exam = index(words[0][lane], exams) as usize;
            let from = usize::from(chain.board.place()[exam]);
            let to = other_than(from, index(words[1][lane], others) as usize);
            chain.evaluations += 1;
            let Some(delta) = chain.board.shift_delta(graph, exam, to) else { continue };
            if delta <= acceptance.limit(temperature, words[2][lane]) {
                chain.board.shift(graph, exam, to, delta);
                return;
            }
        }
    }
}

/// The `choice`-th of the numbers that are not `taken`.
#[inline(always)]
fn other_than(taken: usize, choice: usize) -> usize {
    choice + usize::from(choice >= taken)
}
