//! Recording of a run of the grid for playback: random access to every iteration, forwards and backwards.
//!
//! The children of a cell follow from its place and parents, so the recording stores per iteration only which cells
//! accepted a child and for which stream, 32 bits each. Complete states (*keyframes*) are stored after a certain number
//! of acceptances; an iteration is reconstructed from the last keyframe before it.
//!
//! Memory is bounded: if keyframes exceed half of the bound, every second one is dropped and seeking takes longer; if
//! the acceptances exceed the other half, recording stops and later iterations are recomputed on demand.
//! [`Journal::notice`] reports both; the frames are identical in either case.

use super::evaluation::{Evaluation, Visitor, with_evaluation};
use super::grid::{Cell, Flavour, Grid};
use super::packed::PackedGrid;
use super::rules::GridParameters;
use super::run::Algorithm;
use super::state::{Frame, State, best_of};
use super::{Instance, Search as _};
use gridwright_core::search::keyframes::{self, Keyframes};
use gridwright_core::search::{Control, Epochs as _};
use gridwright_core::{Error, Result, backend};

/// Default memory bound in bytes.
pub const DEFAULT_BYTES: usize = 256 << 20;

/// Accepted children per solution between two keyframes.
const CHANGES: usize = 4;

/// Bits of an entry below the cell number, one per stream.
const STREAMS: u32 = 2;

/// Recording of a run.
#[derive(Debug)]
pub struct Journal {
    playback: Box<dyn Playback>,
    iterations: u64,
    /// Acceptances, iteration by iteration: cell · 4 + vertical · 2 + horizontal.
    accepted: Vec<u32>,
    /// End of each recorded iteration in `accepted`.
    ends: Vec<usize>,
    /// States after certain numbers of acceptances; their spacing counts acceptances.
    keyframes: Keyframes<State>,
    /// Smallest cost after each iteration, from iteration 0.
    best: Vec<f64>,
    cursor: (u64, State),
    notice: Option<String>,
}

/// Problem and data flow of a run, independent of the kind of problem.
trait Playback: Send + std::fmt::Debug {
    /// Repeats an iteration whose acceptances are known.
    fn redo(&self, state: &mut State, iteration: u64, accepted: &[u32]);
    /// Recomputes iterations.
    fn compute(&self, state: &mut State, iterations: std::ops::Range<u64>) -> Result<()>;
    fn frame(&self, state: State, iteration: u64) -> Frame;
}

#[derive(Debug)]
struct Grids<E> {
    evaluation: E,
    flavour: Flavour,
    parameters: GridParameters,
    grid: Grid,
    cells: Vec<Cell>,
}

impl<E: Evaluation> Grids<E> {
    /// Turns a parent into its child: the other parent's segment and the flipped bit.
    fn make(&self, cell: Cell, parent: &mut [u64], other: &[u64]) {
        let per_word = E::PER_WORD as u32;
        let (begin, end) = ((cell.first / per_word) as usize, (cell.last / per_word) as usize);
        for word in begin..=end {
            let mut mask = E::FULL;
            if word == begin {
                mask &= E::FULL << (cell.first % per_word);
            }
            if word == end {
                mask &= E::FULL >> (per_word - 1 - cell.last % per_word);
            }
            parent[word] ^= (parent[word] ^ other[word]) & mask;
        }
        parent[(cell.mutated / per_word) as usize] ^= 1 << (cell.mutated % per_word);
    }
}

impl<E: Evaluation> Playback for Grids<E> {
    fn redo(&self, state: &mut State, iteration: u64, accepted: &[u32]) {
        let (bits, half, each) = (self.grid.bits, self.grid.cells(), self.evaluation.words());
        for &number in accepted {
            let cell = (number >> STREAMS) as usize;
            let places = self.grid.meeting(self.flavour, iteration, cell / bits, cell % bits);
            let numbers = places.map(|place| place.population * half + place.slot);
            let parents = numbers.map(|number| state.solution(number).to_vec());
            for stream in (0..2).filter(|stream| number >> stream & 1 == 1) {
                let place = numbers[stream];
                let words = &mut state.words[place * each..(place + 1) * each];
                self.make(self.cells[cell], words, &parents[1 - stream]);
                state.sums[place] = self.evaluation.sums(words);
                state.since[place] = iteration as u32 + 1;
            }
        }
    }

    fn compute(&self, state: &mut State, iterations: std::ops::Range<u64>) -> Result<()> {
        let evaluation = self.evaluation.clone();
        let (from, until) = (iterations.start, iterations.end);
        let mut search = PackedGrid::resume(evaluation, self.flavour, &self.parameters, from, state, None);
        search.advance((until - from) as u32)?;
        *state = search.all();
        Ok(())
    }

    fn frame(&self, state: State, iteration: u64) -> Frame {
        Frame::new(&self.evaluation, state, iteration, (self.grid, Some(self.flavour)))
    }
}

impl Journal {
    /// Runs the algorithm and records it in about `bound` bytes at most. `tell(done, all)` receives the progress in
    /// iterations; a cancelled run is recorded up to the cancellation.
    ///
    /// # Errors
    /// [`Error::Usage`] if the algorithm has no grid; as [`Algorithm::search`].
    pub fn record(
        instance: &Instance, algorithm: &Algorithm, seed: u64, bound: usize, threads: usize, control: &Control,
        tell: &mut dyn FnMut(u64, u64),
    ) -> Result<Self> {
        let label = algorithm.label();
        let Algorithm::Grid(flavour, parameters) = algorithm.clone().resolved_for(instance.bits()) else {
            let what = format!("{label} has no grid to be played back; choose sgs-t, sgs-e, sgs-v or sgs-b");
            return Err(Error::Usage(what));
        };
        with_evaluation(instance, Record { flavour, parameters, seed, bound, threads, control, tell })?
    }

    /// Last iteration that can be shown.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.keyframes.bytes()
            + self.cursor.1.bytes()
            + 4 * self.accepted.len()
            + 8 * (self.ends.len() + self.best.len())
    }

    /// Message for the user if the recording reached its memory bound.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// Smallest cost after each iteration, from iteration 0.
    pub fn best(&self) -> &[f64] {
        &self.best
    }

    /// Number of cells that accepted a child in an iteration (from 1); `None` if it was not recorded.
    pub fn accepting(&self, iteration: u64) -> Option<usize> {
        self.accepted_in(iteration.checked_sub(1)? as usize).map(<[u32]>::len)
    }

    fn accepted_in(&self, index: usize) -> Option<&[u32]> {
        let end = *self.ends.get(index)?;
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.accepted[begin..end])
    }

    /// All solutions after `iteration` iterations, at most [`Self::iterations`].
    ///
    /// # Errors
    /// As [`gridwright_core::search::Epochs::advance`], if iterations must be recomputed.
    pub fn frame(&mut self, iteration: u64) -> Result<Frame> {
        let iteration = iteration.min(self.iterations);
        self.seek(iteration)?;
        Ok(self.playback.frame(self.cursor.1.clone(), iteration))
    }

    fn seek(&mut self, iteration: u64) -> Result<()> {
        if let Some((at, state)) = self.keyframes.nearer(self.cursor.0, iteration) {
            self.cursor = (at, state.clone());
        }
        let recorded = (self.ends.len() as u64).min(iteration);
        for number in self.cursor.0..recorded {
            let mut state = std::mem::replace(&mut self.cursor.1, empty());
            if let Some(accepted) = self.accepted_in(number as usize) {
                self.playback.redo(&mut state, number, accepted);
            }
            self.cursor = (number + 1, state);
        }
        if self.cursor.0 < iteration {
            self.playback.compute(&mut self.cursor.1, self.cursor.0..iteration)?;
            self.cursor.0 = iteration;
        }
        Ok(())
    }
}

fn empty() -> State {
    State { words: Vec::new(), sums: Vec::new(), since: Vec::new() }
}

/// Parameters of a recording.
struct Record<'a> {
    flavour: Flavour,
    parameters: GridParameters,
    seed: u64,
    bound: usize,
    threads: usize,
    control: &'a Control,
    tell: &'a mut dyn FnMut(u64, u64),
}

impl Visitor for Record<'_> {
    type Output = Result<Journal>;

    fn visit<E: Evaluation>(self, evaluation: E) -> Result<Journal> {
        let Self { flavour, parameters, seed, bound, threads, control, tell } = self;
        let (grid, iterations) = (parameters.grid(evaluation.bits()), parameters.iterations);
        let threads = backend::thread_pool(threads)?;
        let mut search = PackedGrid::new(evaluation.clone(), flavour, &parameters, seed, Some(threads));
        let first = search.all();
        let mut journal = Journal {
            playback: Box::new(Grids {
                evaluation: evaluation.clone(),
                flavour,
                parameters,
                grid,
                cells: grid.all_cells(),
            }),
            iterations: 0,
            accepted: Vec::new(),
            ends: Vec::new(),
            best: vec![evaluation.cost(first.sums[best_of(&evaluation, &first.sums, &first.since).0])],
            cursor: (0, first.clone()),
            keyframes: Keyframes::new(first, State::bytes, bound / 2, (CHANGES * 2 * grid.cells()) as u64),
            notice: None,
        };
        let (mut recording, mut changes) = (true, 0);
        for iteration in 1..=iterations {
            search.advance(1)?;
            let accepted = search.accepted();
            journal.iterations = iteration;
            if recording {
                let number = |(cell, [horizontal, vertical]): (u32, [bool; 2])| {
                    cell << STREAMS | u32::from(vertical) << 1 | u32::from(horizontal)
                };
                changes += accepted.len();
                let before = journal.best.last().copied().unwrap_or(f64::INFINITY);
                journal.best.push(if accepted.is_empty() { before } else { search.reached()?.0 });
                journal.accepted.extend(accepted.into_iter().map(number));
                journal.ends.push(journal.accepted.len());
                recording = 4 * journal.accepted.len() + 16 * journal.ends.len() <= bound / 2;
                if changes as u64 > journal.keyframes.spacing() || !recording {
                    changes = 0;
                    journal.keyframes.keep(iteration, search.all());
                    if journal.keyframes.is_thinned() {
                        journal.notice.get_or_insert_with(|| keyframes::slower(bound, "an iteration"));
                    }
                }
                if !recording {
                    journal.notice = Some(format!(
                        "the recording takes all of its {} MB after iteration {iteration}; what comes after is computed anew \
                         when it is shown",
                        bound >> 20
                    ));
                }
            } else {
                journal.best.push(search.reached()?.0);
            }
            if iteration % 64 == 0 || iteration == iterations {
                tell(iteration, iterations);
                control.wait_while_paused();
                if control.is_cancelled() {
                    break;
                }
            }
        }
        Ok(journal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use gridwright_core::search::Algorithms;

    /// Frames obtained by seeking equal those of a search that runs there.
    fn compare(instance: &Instance, flavour: &str, bound: usize) -> Journal {
        let algorithm = Algorithm::named(flavour).unwrap().resolved(90);
        let record = |threads| {
            Journal::record(instance, &algorithm, 5, bound, threads, &Control::new(), &mut |_, _| {}).unwrap()
        };
        let mut journal = record(2);
        assert_eq!((journal.iterations(), journal.best().len()), (90, 91));
        for iteration in [90, 0, 1, 45, 44, 46, 89, 30, 90, 12] {
            let mut search = algorithm.search(instance, 5, None).unwrap();
            search.advance(iteration as u32).unwrap();
            let expected = search.snapshot().unwrap();
            let frame = journal.frame(iteration).unwrap();
            assert_eq!(frame, *expected.best.frame, "{}, {flavour}, iteration {iteration}", instance.name);
            assert_eq!(journal.best()[iteration as usize], expected.best_cost);
        }
        journal
    }

    #[test]
    fn any_iteration_is_found_again() {
        for source in ["knapsack:100-1000", "mmdp:60", "nrp:100-20", "onemax:37"] {
            let instance = library::named(source, 4).unwrap();
            for flavour in ["sgs-t", "sgs-e", "sgs-v", "sgs-b"] {
                let journal = compare(&instance, flavour, DEFAULT_BYTES);
                assert_eq!(journal.notice(), None);
                assert!(journal.accepting(1).unwrap() > 0 && journal.accepting(0).is_none());
            }
        }
    }

    #[test]
    fn a_journal_keeps_within_its_bound_and_says_so() {
        let instance = library::named("mmdp:120", 5).unwrap();
        let free = compare(&instance, "sgs-b", DEFAULT_BYTES);
        let one = free.cursor.1.bytes();
        assert!(free.keyframes.count() > 3 && free.accepted.len() > 10_000, "too little happens to prove anything");
        let frames = compare(&instance, "sgs-b", 8 * free.accepted.len() + 3 * one);
        assert!(frames.keyframes.count() < free.keyframes.count());
        assert!(frames.notice().unwrap().contains("takes longer"), "{:?}", frames.notice());
        let short = compare(&instance, "sgs-b", 4 * free.accepted.len());
        assert!(short.notice().unwrap().contains("computed anew"), "{:?}", short.notice());
        assert!(short.ends.len() < 90 && short.accepting(90).is_none());
    }

    #[test]
    fn what_has_no_grid_is_refused() {
        let instance = library::named("onemax:40", 5).unwrap();
        let algorithm = Algorithm::named("ega").unwrap();
        let journal = Journal::record(&instance, &algorithm, 1, 1 << 20, 1, &Control::new(), &mut |_, _| {});
        assert!(journal.unwrap_err().to_string().contains("choose sgs-t"));
    }
}
