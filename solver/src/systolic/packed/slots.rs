//! Solutions in memory, word by word: neighbouring slots lie side by side, as neighbouring cells meet them.
//!
//! Beside its words a solution has *beginnings*: what its words 0 … w − 1 add up to, for w = 1, 2, …. What lies between two words of a
//! solution is then a difference of two numbers, however long it is.

use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::systolic::evaluation::{Evaluation, Sums};
use crate::systolic::state::State;

/// The slots of a population.
#[derive(Debug)]
pub(super) struct Slots {
    count: usize,
    /// Words of a solution.
    each: usize,
    /// Slots from one word to the next.
    stride: usize,
    words: Vec<AtomicU64>,
    /// First and second numbers; the second ones are left out where a problem has one number only.
    beginnings: [Vec<AtomicI64>; 2],
    sums: [Vec<AtomicI64>; 2],
    since: Vec<AtomicU32>,
}

/// Some neighbouring slots, as cells look at them whose segments begin and end in the same words.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub begin: &'a [AtomicU64],
    pub end: &'a [AtomicU64],
    /// The word of the flipped bit.
    pub at: &'a [AtomicU64],
    /// What stands before the word behind `begin`, and before `end`.
    before: [[&'a [AtomicI64]; 2]; 2],
    sums: [&'a [AtomicI64]; 2],
}

/// The numbers that a problem has, and 0 for what it has not.
#[inline(always)]
fn numbers<E: Evaluation>(number: impl Fn(usize) -> i64) -> Sums {
    [number(0), if E::NUMBERS > 1 { number(1) } else { 0 }]
}

impl Slots {
    /// Solutions `from` … `from + count − 1` of a state.
    pub fn new<E: Evaluation>(evaluation: &E, state: &State, from: usize, count: usize) -> Self {
        let each = evaluation.words();
        // Off a round number, so that the same slot of several words does not lie in the same lines of a cache.
        let stride = count.next_multiple_of(8) + 8;
        let numbers = |length: usize| {
            [0, 1].map(|number| {
                let length = if number < E::NUMBERS { length } else { 0 };
                (0..length).map(|_| AtomicI64::new(0)).collect::<Vec<_>>()
            })
        };
        let mut slots = Self {
            count,
            each,
            stride,
            words: (0..each * stride).map(|_| AtomicU64::new(0)).collect(),
            beginnings: numbers((each - 1) * stride),
            sums: numbers(count),
            since: state.since[from..from + count].iter().map(|&since| AtomicU32::new(since)).collect(),
        };
        for slot in 0..count {
            let mut sum = [0; 2];
            for (word, &bits) in state.solution(from + slot).iter().enumerate() {
                *slots.words[word * stride + slot].get_mut() = bits;
                let part = evaluation.part(word, bits);
                for number in 0..E::NUMBERS {
                    sum[number] += part[number];
                    if word + 1 < each {
                        *slots.beginnings[number][word * stride + slot].get_mut() = sum[number];
                    }
                }
            }
            for (numbers, sum) in slots.sums.iter_mut().zip(state.sums[from + slot]).take(E::NUMBERS) {
                *numbers[slot].get_mut() = sum;
            }
        }
        slots
    }

    /// Appends all solutions to a state.
    pub fn append_to(&self, state: &mut State) {
        let at = |slot: usize| (0..self.each).map(move |word| self.word(word, slot));
        state.words.extend((0..self.count).flat_map(at));
        state.sums.extend(self.all_sums());
        state.since.extend(self.all_since());
    }

    /// The sums of all slots.
    pub fn all_sums(&self) -> impl Iterator<Item = Sums> {
        let number = |number: usize, slot: usize| self.sums[number].get(slot).map_or(0, |sum| sum.load(Relaxed));
        (0..self.count).map(move |slot| [number(0, slot), number(1, slot)])
    }

    /// When the solutions of all slots were made.
    pub fn all_since(&self) -> impl Iterator<Item = u32> {
        self.since.iter().map(|since| since.load(Relaxed))
    }

    /// When a solution was made.
    pub fn since(&self, slot: usize) -> u32 {
        self.since[slot].load(Relaxed)
    }

    /// A word of a solution.
    pub fn word(&self, word: usize, slot: usize) -> u64 {
        self.words[word * self.stride + slot].load(Relaxed)
    }

    /// Changes bits of a word.
    pub fn change(&self, word: usize, slot: usize, bits: u64) {
        let place = &self.words[word * self.stride + slot];
        place.store(place.load(Relaxed) ^ bits, Relaxed);
    }

    /// Adds to what stands before word `word` of a solution, one of 1, 2, ….
    pub fn add_before<E: Evaluation>(&self, word: usize, slot: usize, gain: Sums) {
        for (beginnings, gain) in self.beginnings.iter().zip(gain).take(E::NUMBERS) {
            let place = &beginnings[(word - 1) * self.stride + slot];
            place.store(place.load(Relaxed) + gain, Relaxed);
        }
    }

    /// Sums of a new solution, and the iteration, counted from 1, in which it was made.
    pub fn accept<E: Evaluation>(&self, slot: usize, sums: Sums, since: u32) {
        for (numbers, sum) in self.sums.iter().zip(sums).take(E::NUMBERS) {
            numbers[slot].store(sum, Relaxed);
        }
        self.since[slot].store(since, Relaxed);
    }

    /// `length` slots from `from` on.
    #[inline(always)]
    pub fn view<E: Evaluation>(&self, [begin, end, at]: [usize; 3], from: usize, length: usize) -> View<'_> {
        let word = |word: usize| &self.words[word * self.stride + from..][..length];
        let sums = [0, 1].map(|number| &self.sums[if number < E::NUMBERS { number } else { 0 }][from..][..length]);
        // Where nothing lies between the words nobody looks.
        let before = |word: usize| {
            if begin + 1 >= end {
                return sums;
            }
            [0, 1].map(|number| {
                let numbers = &self.beginnings[if number < E::NUMBERS { number } else { 0 }];
                &numbers[(word - 1) * self.stride + from..][..length]
            })
        };
        View { begin: word(begin), end: word(end), at: word(at), before: [before(begin + 1), before(end)], sums }
    }
}

impl View<'_> {
    /// What the words between the first and the last one of the segment add up to.
    #[inline(always)]
    pub fn between<E: Evaluation>(&self, place: usize) -> Sums {
        numbers::<E>(|number| {
            let [from, to] = self.before.map(|before| before[number][place].load(Relaxed));
            to - from
        })
    }

    #[inline(always)]
    pub fn sums<E: Evaluation>(&self, place: usize) -> Sums {
        numbers::<E>(|number| self.sums[number][place].load(Relaxed))
    }
}
