//! Incremental evaluation of moves on a conflict-free timetable of one component.
//!
//! The table holds, for each exam e and period t, s(e, t) = Σ_{j in t} c_ej: the students that e shares with the exams
//! of t. A move is free of clashes if s(e, t) = 0, and its change of cost is the difference of two windows,
//!
//! ```text
//! near(e, t) = Σ_{d = 1…5} w(d) · (s(e, t−d) + s(e, t+d)),      Δ(e: a → b) = near(e, b) − near(e, a)
//! ```
//!
//! each a multiply-and-add over 16 adjacent cells. An accepted move updates two cells per neighbour instead of the 22
//! of a table of near(e, t). In a conflict-free timetable no entry exceeds the exam's enrolment, so 16-bit cells
//! suffice for all but the largest instances.

use super::bound::{Bound, Experience};
use super::restricted::ComponentRules;
use crate::bit_sets::{append_bits, append_fresh, each_of};
use crate::model::Model;
use crate::timetable::{WINDOW, WINDOW_PAD as PAD, WINDOW_WEIGHTS, weight};

/// Integer type of the table: 16 bits if every enrolment fits, otherwise 32.
pub trait Cell: Copy + Default + Send + Sync + PartialEq + 'static {
    /// Largest number of students that a cell may hold.
    const MAX: u32;
    /// Number that, added to any number of students, never gives 0.
    const BLOCKED: Self;
    /// Converts a number of students, at most [`Cell::MAX`].
    fn of(students: u32) -> Self;
    /// Converts to a type that is wide enough for sums over a window.
    fn wide(self) -> i32;
    /// `self + other`.
    fn plus(self, other: Self) -> Self;
    /// `self − other`.
    fn minus(self, other: Self) -> Self;
}

impl Cell for i16 {
    const MAX: u32 = i16::MAX as u32;
    const BLOCKED: Self = i16::MIN;
    #[inline(always)]
    fn of(students: u32) -> Self {
        students as i16
    }
    #[inline(always)]
    fn wide(self) -> i32 {
        i32::from(self)
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
}

impl Cell for i32 {
    /// 32 · 2²⁵ still fits a signed sum.
    const MAX: u32 = 1 << 25;
    const BLOCKED: Self = i32::MIN;
    #[inline(always)]
    fn of(students: u32) -> Self {
        students as i32
    }
    #[inline(always)]
    fn wide(self) -> i32 {
        self
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
}

/// Neighbour of an exam in the conflict graph.
#[derive(Debug, Clone, Copy)]
struct Neighbour<C> {
    /// Index of the neighbour's period 0 in the table.
    row: u32,
    shared: C,
}

/// Conflict graph and rules of one component, exams renumbered from 0; shared by all of its chains.
#[derive(Debug)]
pub(crate) struct Graph<C> {
    exams: usize,
    periods: usize,
    stride: usize,
    words: usize,
    offsets: Vec<u32>,
    neighbours: Vec<Neighbour<C>>,
    /// Adjacency matrix, one bit per pair of exams, `words` words per row.
    adjacency: Vec<u64>,
    /// Rules beyond «no clashes», if there are any.
    rules: Option<ComponentRules>,
}

impl<C: Cell> Graph<C> {
    /// Builds the graph of `exams`, a union of connected components of the model.
    pub(crate) fn new(model: &Model, exams: &[usize]) -> Self {
        let (conflicts, periods) = (&*model.conflicts, model.periods);
        let mut local = vec![0_u16; conflicts.exams()];
        for (index, &exam) in exams.iter().enumerate() {
            local[exam] = index as u16;
        }
        let words = exams.len().div_ceil(64);
        let mut graph = Self {
            exams: exams.len(),
            periods,
            stride: (periods + WINDOW).next_multiple_of(WINDOW),
            words,
            offsets: vec![0],
            neighbours: Vec::new(),
            adjacency: vec![0; exams.len() * words],
            rules: model
                .restrictions
                .as_ref()
                .map(|restrictions| ComponentRules::new(restrictions, exams, &local, periods)),
        };
        for (index, &exam) in exams.iter().enumerate() {
            for (other, shared) in conflicts.of(exam) {
                let other = local[other];
                let row = usize::from(other) * graph.stride + PAD;
                graph.neighbours.push(Neighbour { row: row as u32, shared: C::of(shared) });
                graph.adjacency[index * words + usize::from(other) / 64] |= 1 << (other % 64);
            }
            graph.offsets.push(graph.neighbours.len() as u32);
        }
        graph
    }

    /// Number of exams.
    pub(crate) fn exams(&self) -> usize {
        self.exams
    }

    /// Number of periods.
    pub(crate) fn periods(&self) -> usize {
        self.periods
    }

    /// Returns `true` if there are rules beyond «no clashes».
    pub(crate) fn has_rules(&self) -> bool {
        self.rules.is_some()
    }

    #[inline(always)]
    fn neighbours(&self, exam: usize) -> &[Neighbour<C>] {
        &self.neighbours[self.offsets[exam] as usize..self.offsets[exam + 1] as usize]
    }

    #[inline(always)]
    fn adjacent(&self, exam: usize) -> &[u64] {
        &self.adjacency[exam * self.words..(exam + 1) * self.words]
    }
}

/// Change of cost of a move that would break a rule; no temperature accepts it.
pub(crate) const FORBIDDEN: i64 = i64::MAX;

/// Conflict-free timetable of one component with its tables.
#[derive(Debug, Clone)]
pub(crate) struct Board<C> {
    place: Vec<u16>,
    table: Vec<C>,
    /// Exams of each period as bit sets of `words` words.
    members: Vec<u64>,
    cost: i64,
    /// Students in each period; empty without seat limits.
    load: Vec<u32>,
    /// Exams of the Kempe chain evaluated last.
    chain: Vec<u16>,
    /// Bit set of the exams in `chain`.
    seen: Vec<u64>,
    /// How often bounds have ended the evaluation of Kempe chains; has no influence on results.
    experience: Experience,
    /// Bit set of the exams that moved since [`Board::untie_all`], and of all that are tied to one of them.
    tied: Vec<u64>,
}

impl<C: Cell> Board<C> {
    /// Builds the tables of the conflict-free timetable `place` (period of each exam).
    pub(crate) fn new(graph: &Graph<C>, place: &[u16]) -> Self {
        let mut board = Self {
            place: place.to_vec(),
            table: vec![C::default(); graph.exams * graph.stride],
            members: vec![0; graph.periods * graph.words],
            cost: 0,
            load: graph.rules.as_ref().map_or_else(Vec::new, |rules| rules.load(place)),
            chain: Vec::with_capacity(graph.exams),
            seen: vec![0; graph.words],
            experience: Experience::default(),
            tied: vec![0; graph.words],
        };
        for (exam, &period) in place.iter().enumerate() {
            let period = usize::from(period);
            board.members[period * graph.words + exam / 64] |= 1 << (exam % 64);
            for neighbour in graph.neighbours(exam) {
                let cell = &mut board.table[neighbour.row as usize + period];
                *cell = cell.plus(neighbour.shared);
            }
        }
        let twice: i64 =
            place.iter().enumerate().map(|(exam, &period)| board.near(graph, exam, usize::from(period))).sum();
        board.cost = twice / 2 + graph.rules.as_ref().map_or(0, |rules| rules.prices_of(place));
        board
    }

    /// Objective of the component in raw cost units: proximity and prices.
    #[inline(always)]
    pub(crate) fn cost(&self) -> i64 {
        self.cost
    }

    /// Period of each exam.
    pub(crate) fn place(&self) -> &[u16] {
        &self.place
    }

    /// Copies timetable and tables of another chain.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.place.copy_from_slice(&other.place);
        self.table.copy_from_slice(&other.table);
        self.members.copy_from_slice(&other.members);
        self.load.copy_from_slice(&other.load);
        self.cost = other.cost;
    }

    /// s(e, t): number of students that exam e shares with the exams of period t.
    #[inline(always)]
    fn students(&self, graph: &Graph<C>, exam: usize, period: usize) -> C {
        self.table[exam * graph.stride + PAD + period]
    }

    /// near(e, t) = Σ_{d = 1…5} w(d) · (s(e, t−d) + s(e, t+d)).
    #[inline(always)]
    fn near(&self, graph: &Graph<C>, exam: usize, period: usize) -> i64 {
        let first = exam * graph.stride + period;
        let window = &self.table[first..first + WINDOW];
        let mut sum = 0_i32;
        for lane in 0..WINDOW {
            sum += window[lane].wide() * i32::from(WINDOW_WEIGHTS[lane]);
        }
        i64::from(sum)
    }

    /// Returns `true` if no exam of `period` shares students with `exam`.
    #[inline(always)]
    pub(crate) fn is_free(&self, graph: &Graph<C>, exam: usize, period: usize) -> bool {
        self.students(graph, exam, period) == C::default()
    }

    /// Change of proximity cost if `exam` moved to `period`, where it has no clash.
    #[inline(always)]
    pub(crate) fn proximity_delta(&self, graph: &Graph<C>, exam: usize, period: usize) -> i64 {
        self.near(graph, exam, period) - self.near(graph, exam, usize::from(self.place[exam]))
    }

    /// Change of cost if `exam` moved to `period`; `None` if that would clash, break a rule, or change nothing.
    #[inline(always)]
    pub(crate) fn shift_delta(&self, graph: &Graph<C>, exam: usize, period: usize) -> Option<i64> {
        if !self.is_free(graph, exam, period) || usize::from(self.place[exam]) == period {
            return None;
        }
        let price = match &graph.rules {
            None => 0,
            Some(rules) => rules.shift(&self.place, &self.load, exam, period)?,
        };
        Some(self.proximity_delta(graph, exam, period) + price)
    }

    /// Moves an exam; `delta` is the value of [`Board::shift_delta`] for this move.
    #[inline(always)]
    pub(crate) fn shift(&mut self, graph: &Graph<C>, exam: usize, period: usize, delta: i64) {
        self.put(graph, exam, period);
        self.cost += delta;
    }

    /// Begins a step: no exam is tied to one that moved.
    #[inline(always)]
    pub(crate) fn untie_all(&mut self) {
        self.tied.fill(0);
    }

    /// Returns `true` if `exam` moved in this step, or if it is tied to one that did: they share students, or one has
    /// to precede the other. Then the changes of cost of both moves depend on each other.
    #[inline(always)]
    pub(crate) fn is_tied(&self, exam: usize) -> bool {
        self.tied[exam / 64] >> (exam % 64) & 1 == 1
    }

    /// Records that `exam` moved in this step.
    #[inline(always)]
    pub(crate) fn tie(&mut self, graph: &Graph<C>, exam: usize) {
        for (tied, adjacent) in self.tied.iter_mut().zip(graph.adjacent(exam)) {
            *tied |= adjacent;
        }
        self.tied[exam / 64] |= 1 << (exam % 64);
        for other in graph.rules.iter().flat_map(|rules| rules.ordered_with(exam)) {
            self.tied[other / 64] |= 1 << (other % 64);
        }
    }

    #[inline(always)]
    fn put(&mut self, graph: &Graph<C>, exam: usize, period: usize) {
        let from = usize::from(std::mem::replace(&mut self.place[exam], period as u16));
        let bit = 1_u64 << (exam % 64);
        self.members[from * graph.words + exam / 64] &= !bit;
        self.members[period * graph.words + exam / 64] |= bit;
        if let Some(rules) = &graph.rules {
            rules.transfer(&mut self.load, exam, from, period);
        }
        // After this assertion the loop needs one bounds check per neighbour, that of its row.
        let width = graph.stride - PAD;
        assert!(from < width && period < width, "period of an exam");
        for neighbour in graph.neighbours(exam) {
            let row = neighbour.row as usize;
            let cells = &mut self.table[row..][..width];
            cells[from] = cells[from].minus(neighbour.shared);
            cells[period] = cells[period].plus(neighbour.shared);
        }
    }

    /// Finds the Kempe chain of `exam` between its period a and b = `to` (the connected component of `exam` in the
    /// subgraph of both periods) and returns the change of cost if its exams swap periods. Returns [`FORBIDDEN`] if that
    /// breaks a rule, or if the change is above `limit` and a [bound](super::bound) has proved it.
    ///
    /// Pairs inside the chain keep their distance, so that Δ = Σ_i Δ(i alone) + 2·w(|a − b|)·Σ_{i from a} s(i, b).
    #[inline(always)]
    pub(crate) fn kempe_delta(&mut self, graph: &Graph<C>, exam: usize, to: usize, limit: i64) -> i64 {
        let from = usize::from(self.place[exam]);
        let words = graph.words;
        let inside = 2 * weight(from.abs_diff(to)) as i64;
        let mut chain = std::mem::take(&mut self.chain);
        let mut seen = std::mem::take(&mut self.seen);
        chain.clear();
        seen.fill(0);
        chain.push(exam as u16);
        seen[exam / 64] = 1 << (exam % 64);
        let mut delta = 0;
        let mut experience = self.experience;
        let mut bound = Bound::new(limit, graph.rules.as_ref().is_none_or(|rules| !rules.has_prices()));
        let mut at = 0;
        while at < chain.len() {
            let exam = usize::from(chain[at]);
            at += 1;
            let first = usize::from(self.place[exam]) == from;
            let (here, there) = if first { (from, to) } else { (to, from) };
            let alone = self.near(graph, exam, there) - self.near(graph, exam, here);
            delta += alone;
            if bound.add(alone) {
                delta = FORBIDDEN;
                break;
            }
            let shared = i64::from(self.students(graph, exam, there).wide());
            if shared == 0 && graph.rules.as_ref().is_none_or(|rules| !rules.is_different(exam)) {
                continue;
            }
            if first {
                delta += inside * shared;
            }
            let members = &self.members[there * words..(there + 1) * words];
            append_fresh(graph.adjacent(exam), members, &mut seen, &mut chain);
            if bound.is_due(&mut experience, chain.len()) {
                bound.set(self.most_saved(graph, from, to));
            }
        }
        bound.close(&mut experience, delta == FORBIDDEN);
        self.experience = experience;
        if delta != FORBIDDEN
            && let Some(rules) = &graph.rules
        {
            delta = match rules.swap(&self.place, &self.load, (from, to), &chain, &seen) {
                Some(price) => delta + price,
                None => FORBIDDEN,
            };
        }
        self.chain = chain;
        self.seen = seen;
        delta
    }

    /// Sum of the negative changes of cost if single exams of two periods moved to the other one.
    #[inline(always)]
    fn most_saved(&self, graph: &Graph<C>, a: usize, b: usize) -> i64 {
        let mut saved = 0;
        for (here, there) in [(a, b), (b, a)] {
            each_of(&self.members[here * graph.words..(here + 1) * graph.words], |exam| {
                saved += (self.near(graph, exam, there) - self.near(graph, exam, here)).min(0);
            });
        }
        saved
    }

    /// Swaps the periods of the chain that [`Board::kempe_delta`] found last; `delta` is the value it returned.
    #[inline(always)]
    pub(crate) fn swap_chain(&mut self, graph: &Graph<C>, from: usize, to: usize, delta: i64) {
        let chain = std::mem::take(&mut self.chain);
        for &exam in &chain {
            let exam = usize::from(exam);
            let other = if usize::from(self.place[exam]) == from { to } else { from };
            self.put(graph, exam, other);
        }
        self.chain = chain;
        self.cost += delta;
    }

    /// Change of cost if the periods `a` and `b` swapped all their exams, or [`FORBIDDEN`] if that breaks a rule.
    ///
    /// Δ = Σ_{i in a} Σ_{t ≠ a, b} s(i, t)·(w(|b − t|) − w(|a − t|)), plus the same sum with a and b exchanged.
    #[inline(always)]
    pub(crate) fn exchange_delta(&mut self, graph: &Graph<C>, a: usize, b: usize) -> i64 {
        let mut price = 0;
        if let Some(rules) = &graph.rules {
            match self.exchange_price(graph, rules, a, b) {
                Some(found) => price = found,
                None => return FORBIDDEN,
            }
        }
        let inside = weight(a.abs_diff(b)) as i64;
        let mut delta = price;
        for (here, there) in [(a, b), (b, a)] {
            each_of(&self.members[here * graph.words..(here + 1) * graph.words], |exam| {
                delta += self.near(graph, exam, there) - self.near(graph, exam, here);
                delta += inside * i64::from(self.students(graph, exam, there).wide());
            });
        }
        delta
    }

    /// Change of prices if two periods swapped their exams; `None` if a rule forbids it.
    fn exchange_price(&mut self, graph: &Graph<C>, rules: &ComponentRules, a: usize, b: usize) -> Option<i64> {
        self.chain.clear();
        for word in 0..graph.words {
            let bits = self.members[a * graph.words + word] | self.members[b * graph.words + word];
            self.seen[word] = bits;
            append_bits(bits, word, &mut self.chain);
        }
        rules.swap(&self.place, &self.load, (a, b), &self.chain, &self.seen)
    }

    /// Swaps the exams of two periods; `delta` is the value of [`Board::exchange_delta`] for them.
    #[inline(always)]
    pub(crate) fn exchange(&mut self, graph: &Graph<C>, a: usize, b: usize, delta: i64) {
        for period in &mut self.place {
            if usize::from(*period) == a {
                *period = b as u16;
            } else if usize::from(*period) == b {
                *period = a as u16;
            }
        }
        for row in self.table.chunks_exact_mut(graph.stride) {
            row.swap(PAD + a, PAD + b);
        }
        for word in 0..graph.words {
            self.members.swap(a * graph.words + word, b * graph.words + word);
        }
        if !self.load.is_empty() {
            self.load.swap(a, b);
        }
        self.cost += delta;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Exam, Instance, InstanceParts, Period, Timetable};

    fn instance(students: Vec<Vec<u16>>, exams: usize, periods: usize) -> Instance {
        let exams = (0..exams).map(|index| Exam { code: index.to_string(), ..Exam::default() }).collect();
        let periods = vec![Period::default(); periods];
        Instance::build(InstanceParts { exams, students, periods, ..InstanceParts::default() }).unwrap()
    }

    /// Places exams one by one in the first period without a clash; `None` if one has no such period.
    fn first_fit(instance: &Instance) -> Option<Vec<u16>> {
        let mut place: Vec<u16> = Vec::new();
        for exam in 0..instance.exam_count() {
            let free = (0..instance.period_count() as u16)
                .map(|offset| (offset + exam as u16 * 3) % instance.period_count() as u16)
                .find(|&period| (0..exam).all(|o| instance.conflicts.shared(exam, o) == 0 || place[o] != period))?;
            place.push(free);
        }
        Some(place)
    }

    proptest! {
        /// Every move: the predicted change, the applied change and a full recount agree, and nothing clashes.
        #[test]
        fn every_move_costs_what_a_recount_says(
            students in proptest::collection::vec(proptest::collection::vec(0_u16..70, 1..4), 1..120),
            moves in proptest::collection::vec((0_u8..3, 0_usize..70, 0_usize..12, -200_i64..2_000), 1..60),
        ) {
            let instance = instance(students, 70, 12);
            let Some(place) = first_fit(&instance) else { return Ok(()) };
            let all: Vec<usize> = (0..70).collect();
            let model = Model::new(&instance);
            let small = Graph::<i16>::new(&model, &all);
            let large = Graph::<i32>::new(&model, &all);
            let mut board = Board::new(&small, &place);
            let mut twin = Board::new(&large, &place);
            for (kind, exam, period, limit) in moves {
                let from = usize::from(board.place()[exam]);
                match kind {
                    0 => {
                        let delta = board.shift_delta(&small, exam, period);
                        prop_assert_eq!(delta, twin.shift_delta(&large, exam, period));
                        if let Some(delta) = delta {
                            board.shift(&small, exam, period, delta);
                            twin.shift(&large, exam, period, delta);
                        }
                    }
                    1 if from != period => {
                        let bounded = board.kempe_delta(&small, exam, period, limit);
                        let delta = board.kempe_delta(&small, exam, period, i64::MAX);
                        prop_assert!(bounded == delta || (bounded == FORBIDDEN && delta > limit));
                        prop_assert_eq!(delta, twin.kempe_delta(&large, exam, period, i64::MAX));
                        board.swap_chain(&small, from, period, delta);
                        twin.swap_chain(&large, from, period, delta);
                    }
                    2 if from != period => {
                        let delta = board.exchange_delta(&small, from, period);
                        prop_assert_eq!(delta, twin.exchange_delta(&large, from, period));
                        board.exchange(&small, from, period, delta);
                        twin.exchange(&large, from, period, delta);
                    }
                    _ => {}
                }
                let cost = Timetable::of(board.place().to_vec()).cost(&instance);
                prop_assert!(cost.is_feasible());
                prop_assert_eq!(cost.proximity as i64, board.cost());
                let fresh = Board::new(&small, board.place());
                prop_assert_eq!(&fresh.table, &board.table);
                prop_assert_eq!(&fresh.members, &board.members);
                prop_assert_eq!(twin.place(), board.place());
            }
        }
    }
}
