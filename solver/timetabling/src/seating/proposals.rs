//! Proposals of one step of annealing with rooms, in the order of their random words.
//!
//! A shift or a swap that is made ties all nodes whose students or rules it touches, and those do not move again in the step.
//! So the change of the cost without rooms of every proposal whose nodes are not tied is that at the beginning of the step:
//! proposals that students forbid, or that no saving by rooms can make acceptable, are left out before the first move is made.

use super::board::Board;
use super::model::SeatingModel;
use crate::annealing::board::Cell;
use crate::annealing::cpu::other_than;
use gridwright_core::lanes::lanes;
use gridwright_core::random::{Philox, index};
use gridwright_core::search::cooling::AcceptanceTable;

/// Purpose field of the random words of proposals.
const LANES: u32 = 0x29;

/// Number of proposals whose random words are generated together.
const SIDE_BY_SIDE: usize = 8;

/// Number of shifts, swaps or changes of rooms that are evaluated together.
const PROPOSALS: u32 = 64;
/// Largest number of times that a step evaluates as many proposals; it ends with the first of them that make a move.
const ROUNDS: u32 = 4;
/// Largest number of Kempe chains of a step.
const CHAINS: u32 = 8;
/// Largest number of exchanges of periods of a step.
const EXCHANGES: u32 = 2;

/// Source of the proposals of one step.
#[derive(Clone, Copy)]
pub(super) struct Proposer<'a> {
    pub(super) model: &'a SeatingModel,
    pub(super) acceptance: &'a AcceptanceTable,
    pub(super) temperature: u32,
    pub(super) philox: Philox,
    pub(super) step: u64,
    /// Index of the chain.
    pub(super) number: u32,
}

/// Shift or swap that may be acceptable.
#[derive(Debug, Clone, Copy, Default)]
struct Candidate {
    /// Index of the node that moves.
    node: u32,
    /// Index of its new period, or of the node with which it swaps.
    target: u32,
    /// Random word of its acceptance.
    word: u32,
}

/// Calls `make` with the number of the first proposal of each round until it has made a move, at most [`ROUNDS`] times. Returns
/// the number of proposals.
#[inline(always)]
pub(super) fn rounds(mut make: impl FnMut(u32) -> bool) -> u32 {
    let mut end = 0;
    while end < ROUNDS * PROPOSALS {
        end += PROPOSALS;
        if make(end - PROPOSALS) {
            break;
        }
    }
    end
}

impl Proposer<'_> {
    /// Makes the first acceptable one of up to [`CHAINS`] Kempe chains; returns the number of proposals.
    #[inline(always)]
    pub(super) fn kempe_chains<C: Cell>(&self, board: &mut Board<C>) -> u32 {
        let words = self.words(0);
        for lane in 0..CHAINS as usize {
            let node = index(words[0][lane], self.model.nodes() as u32) as usize;
            let to = self.other_period(board, node, words[1][lane]);
            if board.kempe(self.model, node, to, self.limit(words[2][lane])) {
                return lane as u32 + 1;
            }
        }
        CHAINS
    }

    /// Makes the first acceptable one of up to [`EXCHANGES`] exchanges of two periods; returns the number of proposals.
    #[inline(always)]
    pub(super) fn exchanges<C: Cell>(&self, board: &mut Board<C>) -> u32 {
        let words = self.words(0);
        let periods = self.model.periods as u32;
        for lane in 0..EXCHANGES as usize {
            let a = index(words[0][lane], periods) as usize;
            let b = other_than(a, index(words[1][lane], periods - 1) as usize);
            if board.exchange(self.model, a, b, self.limit(words[2][lane])) {
                return lane as u32 + 1;
            }
        }
        EXCHANGES
    }

    /// Makes all acceptable changes of the room of one sitting among [`PROPOSALS`] proposals from number `first` on, but for those
    /// of nodes that are tied. Returns `true` if there are any.
    #[inline(always)]
    pub(super) fn room_changes<C: Cell>(&self, board: &mut Board<C>, tied: &mut [u64], first: u32) -> bool {
        let (model, mut is_made) = (self.model, false);
        for first in (first..first + PROPOSALS).step_by(SIDE_BY_SIDE) {
            let words = self.words(first);
            for lane in 0..SIDE_BY_SIDE {
                let sitting = index(words[0][lane], model.sittings.len() as u32) as usize;
                let data = &model.sittings[sitting];
                let (node, choice) = (usize::from(data.node), index(words[1][lane], data.rooms.len() as u32) as usize);
                if !is_tied(tied, node) && board.change_room(model, sitting, choice, self.limit(words[2][lane])) {
                    tied[node / 64] |= 1 << (node % 64);
                    is_made = true;
                }
            }
        }
        is_made
    }

    /// As [`Self::room_changes`], for moves of one node to another period.
    #[inline(always)]
    pub(super) fn shifts<C: Cell>(&self, board: &mut Board<C>, tied: &mut [u64], first: u32) -> bool {
        let model = self.model;
        let mut candidates = [Candidate::default(); PROPOSALS as usize];
        let mut free = 0;
        for first in (first..first + PROPOSALS).step_by(SIDE_BY_SIDE) {
            let words = self.words(first);
            let nodes = lanes::<_, SIDE_BY_SIDE>(|lane| index(words[0][lane], model.nodes() as u32));
            let choices = lanes::<_, SIDE_BY_SIDE>(|lane| index(words[1][lane], model.periods as u32 - 1));
            for lane in 0..SIDE_BY_SIDE {
                let node = nodes[lane] as usize;
                let to = other_than(usize::from(board.place()[node]), choices[lane] as usize);
                candidates[free] = Candidate { node: node as u32, target: to as u32, word: words[2][lane] };
                free += usize::from(board.students_of(model, node, to) == C::default());
            }
        }
        let (mut likely, mut is_made) = (0, false);
        for at in 0..free {
            let candidate = candidates[at];
            let node = candidate.node as usize;
            let least = board.near_change(model, node, candidate.target as usize) - model.most_saved[node];
            candidates[likely] = candidate;
            likely += usize::from(least <= self.limit(candidate.word));
        }
        for candidate in &candidates[..likely] {
            let (node, to) = (candidate.node as usize, candidate.target as usize);
            if !is_tied(tied, node) && board.shift(model, node, to, self.limit(candidate.word)) {
                tie(model, tied, node);
                is_made = true;
            }
        }
        is_made
    }

    /// As [`Self::room_changes`], for swaps of two nodes.
    #[inline(always)]
    pub(super) fn swaps<C: Cell>(&self, board: &mut Board<C>, tied: &mut [u64], first: u32) -> bool {
        let model = self.model;
        let mut candidates = [Candidate::default(); PROPOSALS as usize];
        let mut free = 0;
        for first in (first..first + PROPOSALS).step_by(SIDE_BY_SIDE) {
            let words = self.words(first);
            let ones = lanes::<_, SIDE_BY_SIDE>(|lane| index(words[0][lane], model.nodes() as u32));
            let others = lanes::<_, SIDE_BY_SIDE>(|lane| index(words[1][lane], model.nodes() as u32));
            for lane in 0..SIDE_BY_SIDE {
                let (one, other) = (ones[lane] as usize, others[lane] as usize);
                let (a, b) = (usize::from(board.place()[one]), usize::from(board.place()[other]));
                candidates[free] = Candidate { node: one as u32, target: other as u32, word: words[2][lane] };
                let is_free = (board.students_of(model, one, b) == C::default())
                    & (board.students_of(model, other, a) == C::default());
                let is_adjacent = model.adjacent(one)[other / 64] >> (other % 64) & 1 == 1;
                free += usize::from((a != b) & (is_free | is_adjacent));
            }
        }
        let (mut likely, mut is_made) = (0, false);
        for at in 0..free {
            let candidate = candidates[at];
            let (one, other) = (candidate.node as usize, candidate.target as usize);
            let (a, b) = (usize::from(board.place()[one]), usize::from(board.place()[other]));
            // What the two share costs at least nothing.
            let least = board.near_change(model, one, b) + board.near_change(model, other, a)
                - model.most_saved[one]
                - model.most_saved[other];
            candidates[likely] = candidate;
            likely += usize::from(least <= self.limit(candidate.word));
        }
        for candidate in &candidates[..likely] {
            let (one, other) = (candidate.node as usize, candidate.target as usize);
            let is_open = !is_tied(tied, one) && !is_tied(tied, other);
            if is_open && board.swap(model, one, other, self.limit(candidate.word)) {
                tie(model, tied, one);
                tie(model, tied, other);
                is_made = true;
            }
        }
        is_made
    }

    /// Random words of [`SIDE_BY_SIDE`] proposals from `first` on: two that choose the move, one for its acceptance.
    #[inline(always)]
    fn words(&self, first: u32) -> [[u32; SIDE_BY_SIDE]; 4] {
        let high = ((self.step >> 32) as u32) << 8;
        self.philox.draws::<SIDE_BY_SIDE>(first, self.step as u32, self.number, LANES | high)
    }

    /// Largest change of the cost that a random word accepts.
    #[inline(always)]
    fn limit(&self, word: u32) -> i64 {
        self.acceptance.limit(self.temperature, word)
    }

    /// A random period other than that of the node.
    #[inline(always)]
    fn other_period<C: Cell>(&self, board: &Board<C>, node: usize, word: u32) -> usize {
        other_than(usize::from(board.place()[node]), index(word, self.model.periods as u32 - 1) as usize)
    }
}

#[inline(always)]
fn is_tied(tied: &[u64], node: usize) -> bool {
    tied[node / 64] >> (node % 64) & 1 == 1
}

/// Ties a node that has moved, and all that are adjacent or related to it.
#[inline(always)]
fn tie(model: &SeatingModel, tied: &mut [u64], node: usize) {
    for (tied, adjacent) in tied.iter_mut().zip(model.adjacent(node)) {
        *tied |= adjacent;
    }
    let related = model.related[node].iter().map(|related| usize::from(related.node));
    for node in related.chain([node]) {
        tied[node / 64] |= 1 << (node % 64);
    }
}
