//! Memory layout of the packed solutions: word by word, so that neighbouring slots, which neighbouring cells meet, are
//! adjacent.
//!
//! Each solution also has prefix sums (`beginnings`): the contribution of words 0 … w − 1 for w = 1, 2, …, so that the
//! contribution of any range of words is one subtraction. On the largest instances only every second one is kept, to save
//! memory; the other ones follow from it and the word between.

use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::evaluation::{Evaluation, Sums};
use crate::state::{Solutions, State};
use gridwright_core::lanes::both;

/// Size in bytes of the prefix sums of a population beyond which only every second one is kept.
const MOST_PREFIXES: usize = 128 << 20;

/// Slots of one population.
#[derive(Debug)]
pub(super) struct Slots {
    count: usize,
    /// Words per solution.
    each: usize,
    /// Distance between consecutive words of a slot.
    stride: usize,
    /// Prefix sums are kept before words whose number is a multiple of this, 1 or 2.
    spacing: usize,
    words: Vec<AtomicU64>,
    /// Prefix sums of both numbers; empty for the second if the problem has one number only.
    beginnings: [Vec<AtomicI64>; 2],
    sums: [Vec<AtomicI64>; 2],
    since: Vec<AtomicU32>,
}

/// SlotView of consecutive slots for cells whose segments begin and end in the same words.
#[derive(Clone, Copy)]
pub(super) struct SlotView<'a> {
    pub begin: &'a [AtomicU64],
    pub end: &'a [AtomicU64],
    /// Word of the flipped bit.
    pub at: &'a [AtomicU64],
    /// Prefix sums before the word behind `begin`, and before `end`.
    before: [Prefix<'a>; 2],
    sums: [&'a [AtomicI64]; 2],
}

/// Prefix sums of consecutive slots before a word.
#[derive(Clone, Copy)]
struct Prefix<'a> {
    /// Prefix sums that are kept.
    kept: [&'a [AtomicI64]; 2],
    /// True at the first word, where the kept prefix sums are 0 and not stored.
    is_first: bool,
    /// Number and contents of the word that the kept prefix sums lack.
    word: Option<(usize, &'a [AtomicU64])>,
}

impl Prefix<'_> {
    /// Prefix sums of one slot. Without `SPACED` they are all kept, so that nothing is asked for each slot.
    #[inline(always)]
    fn of<E: Evaluation, const SPACED: bool>(&self, evaluation: &E, place: usize) -> Sums {
        if SPACED && self.is_first {
            return self.lacking(evaluation, place);
        }
        let kept = numbers::<E>(|number| self.kept[number][place].load(Relaxed));
        if !SPACED {
            return kept;
        }
        let part = self.lacking(evaluation, place);
        [kept[0] + part[0], kept[1] + part[1]]
    }

    /// Contribution of the word that the kept prefix sums lack.
    #[inline(always)]
    fn lacking<E: Evaluation>(&self, evaluation: &E, place: usize) -> Sums {
        match self.word {
            None => [0; 2],
            Some((word, bits)) => evaluation.part(word, bits[place].load(Relaxed)),
        }
    }
}

/// Collects the problem's numbers; an unused one is 0.
#[inline(always)]
fn numbers<E: Evaluation>(number: impl Fn(usize) -> i64) -> Sums {
    [number(0), if E::NUMBERS > 1 { number(1) } else { 0 }]
}

impl Slots {
    /// Slots with the solutions `from … from + count − 1` of a state.
    pub fn new<E: Evaluation>(evaluation: &E, state: &State, from: usize, count: usize) -> Self {
        let prefixes = evaluation.words() * count * E::NUMBERS * size_of::<i64>();
        Self::spaced(evaluation, state, from, count, 1 + usize::from(prefixes > MOST_PREFIXES))
    }

    /// As [`Self::new`], with prefix sums before every word whose number is a multiple of `spacing`, 1 or 2.
    pub(crate) fn spaced<E: Evaluation>(
        evaluation: &E, state: &State, from: usize, count: usize, spacing: usize,
    ) -> Self {
        let each = evaluation.words();
        // Not a multiple of a large power of two, so that the words of a slot fall into different cache sets.
        let stride = count.next_multiple_of(8) + 8;
        let numbers = |length: usize| {
            both(|number| {
                let length = if number < E::NUMBERS { length } else { 0 };
                (0..length).map(|_| AtomicI64::new(0)).collect::<Vec<_>>()
            })
        };
        let mut slots = Self {
            count,
            each,
            stride,
            spacing,
            words: (0..each * stride).map(|_| AtomicU64::new(0)).collect(),
            beginnings: numbers((each - 1) / spacing * stride),
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
                    if word + 1 < each && (word + 1).is_multiple_of(spacing) {
                        let kept = (word + 1) / spacing - 1;
                        *slots.beginnings[number][kept * stride + slot].get_mut() = sum[number];
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
    pub(crate) fn append_to(&self, state: &mut State) {
        let at = |slot: usize| (0..self.each).map(move |word| self.word(word, slot));
        state.words.extend((0..self.count).flat_map(at));
        state.sums.extend(self.all_sums());
        state.since.extend(self.all_since());
    }

    pub(crate) fn all_sums(&self) -> impl Iterator<Item = Sums> {
        let number = |number: usize, slot: usize| self.sums[number].get(slot).map_or(0, |sum| sum.load(Relaxed));
        (0..self.count).map(move |slot| [number(0, slot), number(1, slot)])
    }

    /// Iteration (from 1; 0: initial) in which each slot's solution was created.
    pub(crate) fn all_since(&self) -> impl Iterator<Item = u32> {
        self.since.iter().map(|since| since.load(Relaxed))
    }

    /// Iteration in which the slot's solution was created.
    pub fn since(&self, slot: usize) -> u32 {
        self.since[slot].load(Relaxed)
    }

    /// Word of a slot's solution.
    #[inline(always)]
    pub fn word(&self, word: usize, slot: usize) -> u64 {
        self.words[word * self.stride + slot].load(Relaxed)
    }

    /// Flips bits of a word.
    #[inline(always)]
    pub fn change(&self, word: usize, slot: usize, bits: u64) {
        let place = &self.words[word * self.stride + slot];
        place.store(place.load(Relaxed) ^ bits, Relaxed);
    }

    /// Adds to the prefix sum before word `word` (1, 2, …) of a slot.
    #[inline(always)]
    pub(crate) fn add_before<E: Evaluation>(&self, word: usize, slot: usize, gain: Sums) {
        // A division would take longer than all the rest.
        let kept = if self.is_spaced() { word / 2 } else { word };
        if self.is_spaced() && word % 2 == 1 {
            return;
        }
        for number in 0..E::NUMBERS {
            let place = &self.beginnings[number][(kept - 1) * self.stride + slot];
            place.store(place.load(Relaxed) + gain[number], Relaxed);
        }
    }

    /// Stores the sums of an accepted child and the iteration (from 1) of its creation.
    #[inline(always)]
    pub fn accept<E: Evaluation>(&self, slot: usize, sums: Sums, since: u32) {
        for number in 0..E::NUMBERS {
            self.sums[number][slot].store(sums[number], Relaxed);
        }
        self.since[slot].store(since, Relaxed);
    }

    /// Returns `true` if prefix sums are not kept before every word.
    #[inline(always)]
    pub(crate) fn is_spaced(&self) -> bool {
        self.spacing > 1
    }

    /// SlotView of `length` slots from `from` on; `SPACED` is [`Slots::is_spaced`].
    #[inline(always)]
    pub fn view<E: Evaluation, const SPACED: bool>(
        &self, [begin, end, at]: [usize; 3], from: usize, length: usize,
    ) -> SlotView<'_> {
        let sums = both(|number| &self.sums[if number < E::NUMBERS { number } else { 0 }][from..][..length]);
        let before = if begin + 1 < end {
            [self.before::<E, SPACED>(begin + 1, from, length), self.before::<E, SPACED>(end, from, length)]
        } else {
            // Without words in between the prefix sums are not read.
            [Prefix { kept: sums, is_first: false, word: None }; 2]
        };
        let [begin, end, at] =
            [self.words_at(begin, from, length), self.words_at(end, from, length), self.words_at(at, from, length)];
        SlotView { begin, end, at, before, sums }
    }

    /// Word `word` of `length` slots from `from` on.
    #[inline(always)]
    fn words_at(&self, word: usize, from: usize, length: usize) -> &[AtomicU64] {
        &self.words[word * self.stride + from..][..length]
    }

    /// Prefix sums before word `word` (1, 2, …) of `length` slots from `from` on.
    #[inline(always)]
    fn before<E: Evaluation, const SPACED: bool>(&self, word: usize, from: usize, length: usize) -> Prefix<'_> {
        let spacing = if SPACED { self.spacing } else { 1 };
        let row = (word / spacing).saturating_sub(1) * self.stride + from;
        Prefix {
            kept: both(|number| &self.beginnings[if number < E::NUMBERS { number } else { 0 }][row..][..length]),
            is_first: word < spacing,
            word: (!word.is_multiple_of(spacing)).then(|| (word - 1, self.words_at(word - 1, from, length))),
        }
    }
}

impl SlotView<'_> {
    /// Contribution of the words strictly between the first and the last of the segment.
    #[inline(always)]
    pub fn between<E: Evaluation, const SPACED: bool>(&self, evaluation: &E, place: usize) -> Sums {
        let [from, to] = both(|which| self.before[which].of::<E, SPACED>(evaluation, place));
        [to[0] - from[0], to[1] - from[1]]
    }

    #[inline(always)]
    pub fn sums<E: Evaluation>(&self, place: usize) -> Sums {
        numbers::<E>(|number| self.sums[number][place].load(Relaxed))
    }
}

impl Solutions for [Slots; 2] {
    fn for_each_part(&self, take: &mut dyn FnMut(&[u64])) {
        for slots in self {
            let mut solution = vec![0; slots.each];
            for slot in 0..slots.count {
                solution.iter_mut().enumerate().for_each(|(word, bits)| *bits = slots.word(word, slot));
                take(&solution);
            }
        }
    }

    fn words_of(&self, number: usize) -> Vec<u64> {
        let (slots, slot) = (&self[number / self[0].count], number % self[0].count);
        (0..slots.each).map(|word| slots.word(word, slot)).collect()
    }

    fn sums(&self) -> Vec<Sums> {
        self.iter().flat_map(Slots::all_sums).collect()
    }

    fn since(&self) -> Vec<u32> {
        self.iter().flat_map(Slots::all_since).collect()
    }
}
