//! Timetable of one chain with the tables that make moves cheap.

use super::model::SeatingModel;
use super::moves::Reseating;
use super::rooms::{Rooms, Seating};
use crate::annealing::board::Cell;
use crate::annealing::bound::Experience;
use crate::bit_sets::each_of;
use crate::{Timetable, UNPLACED};

/// Timetable of a session with rooms; nodes may be unplaced during construction only.
#[derive(Debug, Clone)]
pub(crate) struct Board<C> {
    pub(super) place: Vec<u16>,
    /// s(e, t) at e · stride + t, with [`Cell::BLOCKED`] added where t is not allowed.
    students: Vec<C>,
    /// near(e, t) at e · stride + t.
    near: Vec<i32>,
    /// Nodes of each period as bit sets.
    pub(super) members: Vec<u64>,
    pub(super) seating: Seating,
    pub(super) cost: i64,
    /// Exams of each student in each window of the model's limits; empty without any.
    pub(super) counts: Vec<u16>,
    /// Students of each day; empty if an uneven load has no price.
    pub(super) loads: Vec<i64>,
    /// Nodes of the Kempe chain found last, and the same as a bit set.
    pub(super) chain: Vec<u16>,
    pub(super) seen: Vec<u64>,
    /// Record of the latest bounds on the cost of Kempe chains, by which they are computed more or less often.
    pub(super) experience: Experience,
    /// W[to][u] − W[from][u] of the node that is being moved.
    change: Vec<i32>,
    /// Sittings of the move that is being tried.
    pub(super) reseating: Reseating,
}

/// Periods and rooms of a timetable that is kept.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept {
    pub(super) place: Vec<u16>,
    pub(super) rooms: Rooms,
}

impl Kept {
    /// The timetable of nodes with the rooms of the model's sittings.
    pub(super) fn timetable(&self, model: &SeatingModel) -> Timetable {
        let rooms = (0..model.sittings.len()).map(|sitting| self.rooms.of(model, sitting)).collect();
        Timetable { periods: self.place.clone(), rooms }
    }
}

impl<C: Cell> Board<C> {
    /// [`Self::obstacle`] of a period in which nothing is in the way.
    pub(super) const FREE: usize = 4;

    /// The timetable without any placed node.
    pub(crate) fn empty(model: &SeatingModel) -> Self {
        let cells = model.nodes() * model.stride;
        let mut students = vec![C::default(); cells];
        for (node, allowed) in model.allowed.iter().enumerate() {
            for period in (0..model.periods).filter(|&period| !allowed.contains(period)) {
                students[node * model.stride + period] = C::BLOCKED;
            }
        }
        Self {
            place: vec![UNPLACED; model.nodes()],
            students,
            near: model.prices.clone(),
            members: vec![0; model.periods * model.words],
            seating: Seating::new(model),
            cost: 0,
            counts: vec![0; model.limits.as_ref().map_or(0, |limits| limits.counts())],
            loads: vec![0; model.days.as_ref().map_or(0, |days| days.days())],
            chain: Vec::new(),
            seen: vec![0; model.words],
            experience: Experience::default(),
            change: vec![0; model.stride],
            reseating: Reseating::default(),
        }
    }

    /// The timetable of nodes with the rooms of the model's sittings.
    pub(crate) fn new(model: &SeatingModel, start: &Timetable) -> Self {
        let mut board = Self::empty(model);
        for node in 0..model.nodes() {
            let Some(period) = start.period_of(node).filter(|&period| period < model.periods) else { continue };
            board.cost += board.entering(model, node, period);
            board.put(model, node, period);
            if model.rooms > 0 {
                for sitting in model.sittings_of(node) {
                    let rooms = start.rooms.get(sitting).map_or(&[][..], Vec::as_slice);
                    board.cost += board.seating.assign(model, sitting, period, rooms);
                }
            }
        }
        board
    }

    /// Cost of the objective and prices.
    #[inline(always)]
    pub(crate) fn cost(&self) -> i64 {
        self.cost
    }

    /// Period of each node.
    pub(crate) fn place(&self) -> &[u16] {
        &self.place
    }

    /// Room of each sitting as one number, for digests.
    pub(crate) fn rooms(&self) -> &[u16] {
        self.seating.numbers()
    }

    /// The timetable of nodes with the rooms of the model's sittings.
    pub(crate) fn timetable(&self, model: &SeatingModel) -> Timetable {
        let mut kept = Kept::default();
        self.keep(&mut kept);
        kept.timetable(model)
    }

    /// Copies periods and rooms, without any tables.
    #[inline(always)]
    pub(super) fn keep(&self, kept: &mut Kept) {
        kept.place.clone_from(&self.place);
        kept.rooms.clone_from(&self.seating.rooms);
    }

    /// Copies timetable and tables of another chain.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.place.copy_from_slice(&other.place);
        self.students.copy_from_slice(&other.students);
        self.near.copy_from_slice(&other.near);
        self.members.copy_from_slice(&other.members);
        self.seating.copy_from(&other.seating);
        self.counts.copy_from_slice(&other.counts);
        self.loads.copy_from_slice(&other.loads);
        self.cost = other.cost;
    }

    /// Nodes of a period, ascending.
    pub(super) fn nodes_in(&self, model: &SeatingModel, period: usize) -> Vec<usize> {
        let mut nodes = Vec::new();
        each_of(&self.members[period * model.words..(period + 1) * model.words], |node| nodes.push(node));
        nodes
    }

    /// s(e, t), or a value other than 0 if the period is not allowed.
    #[inline(always)]
    pub(super) fn students_of(&self, model: &SeatingModel, node: usize, period: usize) -> C {
        self.students[node * model.stride + period]
    }

    /// near(e, t).
    #[inline(always)]
    pub(super) fn near_of(&self, model: &SeatingModel, node: usize, period: usize) -> i32 {
        self.near[node * model.stride + period]
    }

    /// Kind of what keeps an unplaced node out of a period: 0 the calendar, 1 students, 2 a rule, 3 rooms, [`Self::FREE`] nothing.
    pub(crate) fn obstacle(&mut self, model: &SeatingModel, node: usize, period: usize) -> usize {
        if !model.allowed[node].contains(period) {
            return 0;
        }
        if self.students_of(model, node, period) != C::default() {
            return 1;
        }
        let suits = self.suits_related(model, node, period, |other| self.place[other]);
        if !suits || !self.suits_limits(model, node, period) {
            return 2;
        }
        let sittings: Vec<usize> = model.sittings_of(node).collect();
        let fits = model.rooms == 0 || self.seating.seat_together(model, &sittings, period).is_some();
        for sitting in sittings.into_iter().filter(|_| fits && model.rooms > 0) {
            self.seating.release(model, sitting, period);
        }
        if fits { Self::FREE } else { 3 }
    }

    /// Change of the cost without rooms if `node` moved to `period`; `None` if students or the calendar forbid it.
    pub(super) fn period_change(&self, model: &SeatingModel, node: usize, period: usize) -> Option<i64> {
        let here = usize::from(self.place[node]);
        let is_free = here < model.periods && self.students_of(model, node, period) == C::default();
        is_free.then(|| self.near_change(model, node, period))
    }

    /// Change of the cost without rooms if an unplaced node came to a period, or one that has just left it came back.
    #[inline(always)]
    pub(super) fn entering(&self, model: &SeatingModel, node: usize, period: usize) -> i64 {
        i64::from(self.near_of(model, node, period)) + self.day_change(model, node, (None, period))
    }

    /// near(e, t) less near of the period of e, which is placed.
    #[inline(always)]
    pub(super) fn near_change(&self, model: &SeatingModel, node: usize, period: usize) -> i64 {
        let here = self.near_of(model, node, usize::from(self.place[node]));
        i64::from(self.near_of(model, node, period)) - i64::from(here)
    }

    /// Sum over the nodes of both periods of what each alone would save at most if it moved to the other one, as a number that is
    /// not above 0.
    #[inline(always)]
    pub(super) fn most_saved_by_single(&self, model: &SeatingModel, (a, b): (usize, usize)) -> i64 {
        let mut saved = 0;
        for (here, there) in [(a, b), (b, a)] {
            each_of(&self.members[here * model.words..(here + 1) * model.words], |node| {
                let near = i64::from(self.near_of(model, node, there)) - i64::from(self.near_of(model, node, here));
                saved += (near - model.most_saved[node]).min(0);
            });
        }
        saved
    }

    /// Returns `true` if the constraints on the periods of other nodes allow `node` in `period`; `after(other)` is the
    /// period of another node.
    #[inline(always)]
    pub(super) fn suits_related(
        &self, model: &SeatingModel, node: usize, period: usize, after: impl Fn(usize) -> u16,
    ) -> bool {
        model.related[node].iter().all(|related| {
            let other = after(usize::from(related.node));
            other == UNPLACED || model.tables[usize::from(related.table)][period].contains(usize::from(other))
        })
    }

    /// Places an unplaced node in a period, or moves it there, without its rooms and without counting the cost.
    #[inline(always)]
    pub(super) fn put(&mut self, model: &SeatingModel, node: usize, period: usize) {
        let from = std::mem::replace(&mut self.place[node], period as u16);
        if let Some(limits) = &model.limits {
            limits.count(&mut self.counts, node, (from, period as u16));
        }
        self.count_days(model, node, (Some(usize::from(from)).filter(|_| from != UNPLACED), Some(period)));
        let bit = 1_u64 << (node % 64);
        self.members[period * model.words + node / 64] |= bit;
        let to = &model.pair_costs[period * model.stride..(period + 1) * model.stride];
        if from == UNPLACED {
            self.change.copy_from_slice(to);
        } else {
            let from = usize::from(from);
            self.members[from * model.words + node / 64] &= !bit;
            let from = &model.pair_costs[from * model.stride..(from + 1) * model.stride];
            for lane in 0..model.stride {
                self.change[lane] = to[lane] - from[lane];
            }
        }
        for neighbour in model.neighbours(node) {
            let row = usize::from(neighbour.node) * model.stride;
            let shared = C::of(neighbour.shared as u32);
            let cells = &mut self.students[row..row + model.stride];
            cells[period] = cells[period].plus(shared);
            if from != UNPLACED {
                cells[usize::from(from)] = cells[usize::from(from)].minus(shared);
            }
            let near = &mut self.near[row..row + model.stride];
            let change = &self.change[..model.stride];
            for lane in 0..near.len() {
                near[lane] += neighbour.shared * change[lane];
            }
        }
    }

    /// Takes a placed node out of its period and its rooms, and its cost with it.
    pub(super) fn take(&mut self, model: &SeatingModel, node: usize) {
        let period = usize::from(self.place[node]);
        if model.rooms > 0 {
            for sitting in model.sittings_of(node) {
                self.cost += self.seating.release(model, sitting, period);
            }
        }
        self.count_days(model, node, (Some(period), None));
        self.cost -= self.entering(model, node, period);
        if let Some(limits) = &model.limits {
            limits.count(&mut self.counts, node, (period as u16, UNPLACED));
        }
        self.place[node] = UNPLACED;
        self.members[period * model.words + node / 64] &= !(1_u64 << (node % 64));
        for neighbour in model.neighbours(node) {
            let row = usize::from(neighbour.node) * model.stride;
            self.students[row + period] = self.students[row + period].minus(C::of(neighbour.shared as u32));
            for lane in 0..model.stride {
                self.near[row + lane] -= neighbour.shared * model.pair_costs[period * model.stride + lane];
            }
        }
    }
}
