//! Annealing on the CPU: one task per chain and component, on rayon.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use super::board::{Board, Cell, Graph};
use super::{LEGS, Pacing, RUNGS, Schedule};
use crate::Result;
use crate::random::{Philox, index};
use crate::search::cooling::AcceptanceTable;
use crate::search::{Epochs, Snapshot, digest_words};
use crate::timetabling::Timetable;
use crate::timetabling::model::Model;

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
    /// Its step when the current leg began, and how many steps it has in this leg.
    leg: (u64, u64),
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
    pacing: Pacing,
    /// Lengths of the legs that have begun.
    legs: Vec<u64>,
    /// Seconds spent advancing: in all, and when the current leg began.
    spent: (f64, f64),
    step: u64,
    best: Arc<Timetable>,
    best_cost: i64,
}

impl<C: Cell> CpuAnnealing<C> {
    /// Starts from one conflict-free timetable per chain.
    pub fn new(
        schedule: Arc<Schedule>,
        pacing: Pacing,
        model: &Model,
        starts: &[Timetable],
        seed: u64,
        threads: Arc<rayon::ThreadPool>,
    ) -> Self {
        let graphs: Vec<Graph<C>> =
            schedule.components.iter().map(|component| Graph::new(model, &component.exams)).collect();
        let mut chains = Vec::new();
        for (component, graph) in graphs.iter().enumerate() {
            for (number, start) in starts.iter().enumerate() {
                let exams = &schedule.components[component].exams;
                let place: Vec<u16> = exams.iter().map(|&exam| start.periods[exam]).collect();
                let board = Board::new(graph, &place);
                let individual = ((component as u32) << 16) | number as u32;
                let best_cost = board.cost();
                chains.push(Chain {
                    component,
                    individual,
                    best: place,
                    best_cost,
                    board,
                    step: 0,
                    leg: (0, 0),
                    evaluations: 0,
                });
            }
        }
        let best = Arc::new(starts[0].clone());
        let mut search = Self {
            schedule,
            graphs,
            chains,
            threads,
            philox: Philox::new(seed),
            pacing,
            legs: Vec::new(),
            spent: (0.0, 0.0),
            step: 0,
            best,
            best_cost: i64::MAX,
        };
        search.collect_best();
        search
    }

    /// Lengths of the legs that have begun, for the replay.
    pub fn legs(&self) -> &[u64] {
        &self.legs
    }

    /// Step at which the current leg ends.
    fn leg_end(&self) -> u64 {
        self.legs.iter().sum()
    }

    /// Decides how long the next leg is and resamples where that is due; `false`: there is none.
    fn begin_leg(&mut self) -> bool {
        let leg = self.legs.len();
        if leg == LEGS {
            return false;
        }
        let length = match &self.pacing {
            Pacing::Known(lengths) => match lengths.get(leg) {
                Some(&length) => length,
                None => return false,
            },
            Pacing::Clock { seconds, rate } => {
                let last = self.legs.last().copied().unwrap_or(0) as f64;
                let taken = self.spent.0 - self.spent.1;
                let rate = if last > 0.0 && taken > 0.0 { last / taken } else { *rate };
                let share = (seconds - self.spent.0).max(0.0) / (LEGS - leg) as f64;
                ((rate * share) as u64).max(SIDE_BY_SIDE as u64)
            }
        };
        if self.schedule.resamples_before(leg) {
            self.resample();
        }
        for chain in &mut self.chains {
            chain.leg = (chain.step, self.schedule.components[chain.component].share_of(length));
        }
        self.spent.1 = self.spent.0;
        self.legs.push(length);
        true
    }

    /// How much of the run is done, 0…1: whole legs, and the current one as far as it went.
    fn share(&self) -> f64 {
        let (begun, end) = (self.legs.len(), self.leg_end());
        let last = self.legs.last().copied().unwrap_or(0);
        let open = if last == 0 { 0.0 } else { (end - self.step) as f64 / last as f64 };
        (begun as f64 - open) / LEGS as f64
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
        let began = (Instant::now(), self.spent.0);
        let end = self.step + u64::from(steps);
        while self.step < end {
            self.spent.0 = began.1 + began.0.elapsed().as_secs_f64();
            if self.step == self.leg_end() && !self.begin_leg() {
                break;
            }
            let leg = self.legs.len() - 1;
            let leg_begin = self.leg_end() - self.legs[leg];
            let next = self.leg_end().min(end);
            let (schedule, graphs, philox) = (&self.schedule, &self.graphs, self.philox);
            let chains = &mut self.chains;
            self.threads.install(|| {
                chains.par_iter_mut().for_each(|chain| {
                    let until = chain.leg.0 + schedule.components[chain.component].share_of(next - leg_begin);
                    let graph = &graphs[chain.component];
                    pulp::Arch::new().dispatch(Walk { chain, graph, schedule, leg, philox, until });
                });
            });
            self.step = next;
        }
        self.collect_best();
        self.spent.0 = began.1 + began.0.elapsed().as_secs_f64();
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
            share: Some(self.share()),
        })
    }
}

/// The walk of one chain up to a step, compiled for the vector unit that is there.
struct Walk<'a, C> {
    chain: &'a mut Chain<C>,
    graph: &'a Graph<C>,
    schedule: &'a Schedule,
    leg: usize,
    philox: Philox,
    until: u64,
}

impl<C: Cell> pulp::NullaryFnOnce for Walk<'_, C> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Walk { chain, graph, schedule, leg, philox, until } = self;
        let temperatures = &schedule.temperatures[leg * RUNGS..(leg + 1) * RUNGS];
        let (leg_begin, leg_length) = chain.leg;
        let rung_length = leg_length.div_ceil(RUNGS as u64).max(1);
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
                let rung = ((chain.step - leg_begin) / rung_length) as usize;
                let temperature = temperatures[rung.min(RUNGS - 1)];
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
