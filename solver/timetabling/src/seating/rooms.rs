//! Rooms of the sittings of one timetable, with the tables that make choosing a room cheap.

use super::model::{RoomTie, SeatingModel, Sitting};
use crate::Seats;

/// Room of a sitting that has none.
const NONE: u16 = u16::MAX;
/// Room of a sitting that is split over several.
const SPLIT: u16 = u16::MAX - 1;

/// Rooms that are tried at most to seat the sittings of a node together.
const TRIALS: u32 = 2_000;

/// Rooms of all sittings.
#[derive(Debug, Default)]
pub(super) struct Rooms {
    /// Room of each sitting, [`NONE`] or [`SPLIT`].
    room: Vec<u16>,
    /// Rooms of the sittings that are split; empty for the others.
    parts: Vec<Vec<Seats>>,
}

impl Clone for Rooms {
    fn clone(&self) -> Self {
        Self { room: self.room.clone(), parts: self.parts.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.room.clone_from(&source.room);
        self.parts.clone_from(&source.parts);
    }
}

impl Rooms {
    /// Room of each sitting as one number.
    pub(super) fn numbers(&self) -> &[u16] {
        &self.room
    }

    /// Rooms of a sitting with the students in each.
    pub(super) fn of(&self, model: &SeatingModel, sitting: usize) -> Vec<Seats> {
        match self.room[sitting] {
            NONE => Vec::new(),
            SPLIT => self.parts[sitting].clone(),
            room => vec![Seats { room, students: model.sittings[sitting].students }],
        }
    }
}

/// State of one room in one period.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    /// Seats taken.
    used: u32,
    /// Seats in all.
    seats: u32,
    /// Number of sittings.
    count: u16,
    /// Number of sittings that need a room of their own.
    own: u16,
    /// Number of different durations.
    distinct: u16,
    /// True if the room cannot be used.
    closed: bool,
}

/// Rooms of all sittings and what is taken in each room and period.
#[derive(Debug, Clone, Default)]
pub(super) struct Seating {
    pub(super) rooms: Rooms,
    /// State of room r in period p at p · rooms + r.
    cells: Vec<Cell>,
    /// Sittings there of each class of durations d, at (p · rooms + r) · durations + d.
    lasts: Vec<u16>,
}

/// Rooms of one sitting, to be restored.
pub(super) type Saved = (u16, u16, Vec<Seats>);

impl Seating {
    /// The state in which no sitting has a room.
    pub(super) fn new(model: &SeatingModel) -> Self {
        let cells = model.capacity.iter().zip(&model.closed);
        let cells = cells.map(|(&seats, &closed)| Cell { seats, closed, ..Cell::default() });
        Self {
            rooms: Rooms { room: vec![NONE; model.sittings.len()], parts: vec![Vec::new(); model.sittings.len()] },
            cells: cells.collect(),
            lasts: vec![0; model.periods * model.rooms * model.durations],
        }
    }

    /// Copies the state of another timetable.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.rooms.clone_from(&other.rooms);
        self.cells.copy_from_slice(&other.cells);
        self.lasts.copy_from_slice(&other.lasts);
    }

    /// Room of each sitting as one number, for digests.
    pub(super) fn numbers(&self) -> &[u16] {
        self.rooms.numbers()
    }

    /// Seats taken, sittings, sittings that need a room of their own and different durations of each room and period.
    pub(super) fn states(&self) -> impl Iterator<Item = [u32; 4]> {
        let numbers = |cell: &Cell| [cell.used, cell.count.into(), cell.own.into(), cell.distinct.into()];
        self.cells.iter().map(numbers)
    }

    /// Sittings of each class of durations in each room and period.
    pub(super) fn lasts(&self) -> &[u16] {
        &self.lasts
    }

    /// Rooms of a sitting with the students in each.
    pub(super) fn rooms_of(&self, model: &SeatingModel, sitting: usize) -> Vec<Seats> {
        self.rooms.of(model, sitting)
    }

    /// Returns `true` if the sitting has a part in `room`.
    pub(super) fn is_in(&self, sitting: usize, room: u16) -> bool {
        match self.rooms.room[sitting] {
            SPLIT => self.rooms.parts[sitting].iter().any(|seats| seats.room == room),
            own => own == room,
        }
    }

    /// Changes the cost and the tables by one part of a sitting in a room.
    #[inline(always)]
    fn enter(&mut self, model: &SeatingModel, sitting: &Sitting, period: usize, seats: Seats) -> i64 {
        let cell = period * model.rooms + usize::from(seats.room);
        let last = cell * model.durations + usize::from(sitting.duration);
        let state = &mut self.cells[cell];
        state.used += seats.students;
        state.count += 1;
        state.own += u16::from(sitting.own_room);
        self.lasts[last] += 1;
        let mut cost = model.room_price(sitting, seats.room);
        if self.lasts[last] == 1 {
            cost += model.duration_cost(state.distinct);
            state.distinct += 1;
        }
        cost
    }

    #[inline(always)]
    fn leave(&mut self, model: &SeatingModel, sitting: &Sitting, period: usize, seats: Seats) -> i64 {
        let cell = period * model.rooms + usize::from(seats.room);
        let last = cell * model.durations + usize::from(sitting.duration);
        let state = &mut self.cells[cell];
        state.used -= seats.students;
        state.count -= 1;
        state.own -= u16::from(sitting.own_room);
        self.lasts[last] -= 1;
        let mut cost = -model.room_price(sitting, seats.room);
        if self.lasts[last] == 0 {
            state.distinct -= 1;
            cost -= model.duration_cost(state.distinct);
        }
        cost
    }

    /// Change of the cost if a sitting left its rooms in `period`.
    #[inline(always)]
    pub(super) fn leaving(&self, model: &SeatingModel, sitting: usize, period: usize) -> i64 {
        let room = self.rooms.room[sitting];
        let data = &model.sittings[sitting];
        if room >= SPLIT {
            // At most: every part leaves a room that is empty then, or has one duration less.
            let parts = self.rooms.parts[sitting].iter();
            let most = model.dearest_duration() + model.part + model.further_building;
            let all: i64 = parts.map(|seats| model.room_price(data, seats.room) + most).sum();
            return -all;
        }
        let cell = period * model.rooms + usize::from(room);
        let last = cell * model.durations + usize::from(data.duration);
        let is_last = self.lasts[last] == 1;
        let saved = if is_last { model.duration_cost(self.cells[cell].distinct - 1) } else { 0 };
        -model.room_price(data, room) - saved
    }

    /// Cost of being split, of the parts of one sitting: rooms and buildings beyond the first.
    fn splitting(model: &SeatingModel, parts: &[Seats]) -> i64 {
        let mut buildings = 0;
        if model.further_building > 0 {
            let building = |seats: &Seats| model.buildings[usize::from(seats.room)];
            let is_first = |at: usize| !parts[..at].iter().any(|other| building(other) == building(&parts[at]));
            buildings = (1..parts.len()).filter(|&at| is_first(at)).count() as i64;
        }
        model.part * (parts.len() as i64 - 1) + model.further_building * buildings
    }

    /// Takes a sitting out of its rooms in `period`; returns the change of the cost.
    #[inline(always)]
    pub(super) fn release(&mut self, model: &SeatingModel, sitting: usize, period: usize) -> i64 {
        let data = &model.sittings[sitting];
        match std::mem::replace(&mut self.rooms.room[sitting], NONE) {
            NONE => 0,
            SPLIT => {
                let parts = std::mem::take(&mut self.rooms.parts[sitting]);
                let cost: i64 = parts.iter().map(|&seats| self.leave(model, data, period, seats)).sum();
                cost - Self::splitting(model, &parts)
            }
            room => self.leave(model, data, period, Seats { room, students: data.students }),
        }
    }

    /// Puts a sitting without rooms into one room of `period`; returns the change of the cost.
    #[inline(always)]
    pub(super) fn occupy(&mut self, model: &SeatingModel, sitting: usize, period: usize, room: u16) -> i64 {
        let data = &model.sittings[sitting];
        self.rooms.room[sitting] = room;
        self.enter(model, data, period, Seats { room, students: data.students })
    }

    /// Puts a sitting without rooms into these rooms of `period`; returns the change of the cost.
    pub(super) fn assign(&mut self, model: &SeatingModel, sitting: usize, period: usize, rooms: &[Seats]) -> i64 {
        match rooms {
            [] => 0,
            [seats] => self.occupy(model, sitting, period, seats.room),
            parts => {
                self.rooms.room[sitting] = SPLIT;
                self.rooms.parts[sitting] = parts.to_vec();
                let data = &model.sittings[sitting];
                let cost: i64 = parts.iter().map(|&seats| self.enter(model, data, period, seats)).sum();
                cost + Self::splitting(model, parts)
            }
        }
    }

    /// The rooms of a sitting, to be restored.
    #[inline(always)]
    pub(super) fn save(&self, sitting: usize) -> Saved {
        (sitting as u16, self.rooms.room[sitting], self.rooms.parts[sitting].clone())
    }

    /// Puts a sitting without rooms back into its rooms of `period`; returns the change of the cost.
    pub(super) fn restore(&mut self, model: &SeatingModel, period: usize, (sitting, room, parts): &Saved) -> i64 {
        let sitting = usize::from(*sitting);
        match *room {
            NONE => 0,
            SPLIT => self.assign(model, sitting, period, parts),
            room => self.occupy(model, sitting, period, room),
        }
    }

    /// Seats of a room in `period` that nobody takes; 0 if it cannot be used.
    pub(super) fn open_seats(&self, model: &SeatingModel, period: usize, room: u16) -> u32 {
        let cell = &self.cells[period * model.rooms + usize::from(room)];
        if cell.closed { 0 } else { cell.seats.saturating_sub(cell.used) }
    }

    /// Free seats of a room in `period` for a sitting; `None` if a rule keeps it out.
    #[inline(always)]
    pub(super) fn free(&self, model: &SeatingModel, sitting: usize, period: usize, room: u16) -> Option<u32> {
        let cell = &self.cells[period * model.rooms + usize::from(room)];
        let related = &model.room_related[sitting];
        let is_taken =
            cell.count > 0 && (cell.own > 0 || model.sittings[sitting].own_room || model.single[usize::from(room)]);
        if cell.closed || (is_taken && (related.is_empty() || !self.is_of_one_exam(model, sitting, room, cell.count))) {
            return None;
        }
        if !related.is_empty() && !self.suits_related(model, sitting, room) {
            return None;
        }
        Some(cell.seats.saturating_sub(cell.used))
    }

    fn suits_related(&self, model: &SeatingModel, sitting: usize, room: u16) -> bool {
        model.room_related[sitting].iter().all(|related| {
            let other = usize::from(related.sitting);
            self.rooms.room[other] == NONE || related.allows(self.is_in(other, room))
        })
    }

    /// Returns `true` if all `count` sittings of a room are of the exam of `sitting` and may share the room with it.
    fn is_of_one_exam(&self, model: &SeatingModel, sitting: usize, room: u16, count: u16) -> bool {
        let related = model.room_related[sitting].iter().filter(|related| related.tie == RoomTie::OfOneExam);
        related.filter(|related| self.is_in(related.sitting.into(), room)).count() == usize::from(count)
    }

    /// Cost of a part of a sitting in a room of `period`.
    #[inline(always)]
    pub(super) fn cost(&self, model: &SeatingModel, sitting: usize, period: usize, room: u16) -> i64 {
        let data = &model.sittings[sitting];
        let cell = period * model.rooms + usize::from(room);
        let last = cell * model.durations + usize::from(data.duration);
        let is_first = self.lasts[last] == 0;
        model.room_price(data, room) + if is_first { model.duration_cost(self.cells[cell].distinct) } else { 0 }
    }

    /// The cheapest room of `period` that holds a sitting without rooms, and its cost; of equal ones the one with the
    /// fewest seats left.
    #[inline(always)]
    pub(super) fn find(&self, model: &SeatingModel, sitting: usize, period: usize) -> Option<(u16, i64)> {
        let data = &model.sittings[sitting];
        let mut best: Option<(i64, u32, u16)> = None;
        for &room in &data.rooms {
            if best.is_some_and(|(cost, ..)| model.penalties[usize::from(room)] > cost) {
                break;
            }
            let Some(free) = self.free(model, sitting, period, room).filter(|&free| free >= data.students) else {
                continue;
            };
            let found = (self.cost(model, sitting, period, room), free, room);
            if best.is_none_or(|best| (found.0, found.1) < (best.0, best.1)) {
                best = Some(found);
            }
        }
        best.map(|(cost, _, room)| (room, cost))
    }

    /// Finds rooms for a sitting without rooms, the cheapest one or, where splitting is allowed, the fewest parts, and puts
    /// it there; returns the change of the cost, or `None` if there is no place.
    pub(super) fn seat(&mut self, model: &SeatingModel, sitting: usize, period: usize) -> Option<i64> {
        if model.rooms == 0 {
            return Some(0);
        }
        if let Some((room, _)) = self.find(model, sitting, period) {
            return Some(self.occupy(model, sitting, period, room));
        }
        let parts = self.split(model, sitting, period)?;
        Some(self.assign(model, sitting, period, &parts))
    }

    /// Seats sittings without rooms in `period`, one after the other as [`Self::seat`] does or, where one then finds no room, by
    /// trying all their rooms, up to a number of trials. Returns the change of the cost; changes nothing and returns `None` if no
    /// rooms are found.
    pub(super) fn seat_together(&mut self, model: &SeatingModel, sittings: &[usize], period: usize) -> Option<i64> {
        let mut cost = 0;
        for (at, &sitting) in sittings.iter().enumerate() {
            match self.seat(model, sitting, period) {
                Some(change) => cost += change,
                None => {
                    sittings[..at].iter().for_each(|&seated| {
                        self.release(model, seated, period);
                    });
                    return self.seat_in_turn(model, sittings, period, &mut TRIALS.clone());
                }
            }
        }
        Some(cost)
    }

    fn seat_in_turn(
        &mut self, model: &SeatingModel, sittings: &[usize], period: usize, trials: &mut u32,
    ) -> Option<i64> {
        let Some((&sitting, others)) = sittings.split_first() else { return Some(0) };
        let data = &model.sittings[sitting];
        let single = data.rooms.iter().map(|&room| vec![Seats { room, students: data.students }]);
        for parts in single.chain(self.split(model, sitting, period)) {
            *trials = trials.checked_sub(1)?;
            let has_seats = |seats: &Seats| {
                self.free(model, sitting, period, seats.room).is_some_and(|free| free >= seats.students)
            };
            if !parts.iter().all(has_seats) {
                continue;
            }
            let cost = self.assign(model, sitting, period, &parts);
            if let Some(further) = self.seat_in_turn(model, others, period, trials) {
                return Some(cost + further);
            }
            self.release(model, sitting, period);
        }
        None
    }

    /// Fewest rooms of `period` that hold a sitting together: the emptiest rooms first, the last part in the fullest room
    /// that holds it. Where buildings have a weight, the rooms of one building are tried as well, and the cheaper parts are
    /// taken. `None` if splitting is not allowed or does not help.
    fn split(&self, model: &SeatingModel, sitting: usize, period: usize) -> Option<Vec<Seats>> {
        let data = &model.sittings[sitting];
        if data.most_rooms < 2 {
            return None;
        }
        let free = |&room: &u16| Some((self.free(model, sitting, period, room).filter(|&free| free > 0)?, room));
        let mut rooms: Vec<(u32, u16)> = data.rooms.iter().filter_map(free).collect();
        rooms.sort_by_key(|&(free, room)| (std::cmp::Reverse(free), room));
        let all = Self::fill(data, &rooms);
        if model.further_building == 0 {
            return all;
        }
        let mut buildings: Vec<u16> = rooms.iter().map(|&(_, room)| model.buildings[usize::from(room)]).collect();
        buildings.sort_unstable();
        buildings.dedup();
        let in_one = buildings.into_iter().filter_map(|building| {
            let own = rooms.iter().copied().filter(|&(_, room)| model.buildings[usize::from(room)] == building);
            Self::fill(data, &own.collect::<Vec<_>>())
        });
        let cost = |parts: &Vec<Seats>| {
            let rooms: i64 = parts.iter().map(|seats| self.cost(model, sitting, period, seats.room)).sum();
            rooms + Self::splitting(model, parts)
        };
        all.into_iter().chain(in_one).min_by_key(cost)
    }

    /// Fewest of the rooms, with their free seats and the emptiest first, that hold a sitting together, the last part in the
    /// fullest room that holds it; `None` if they do not.
    fn fill(data: &Sitting, rooms: &[(u32, u16)]) -> Option<Vec<Seats>> {
        let mut parts = Vec::new();
        let mut left = data.students;
        for at in 0..rooms.len().min(usize::from(data.most_rooms)) {
            let last = rooms[at..].iter().rev().find(|(free, _)| *free >= left);
            let (free, room) = last.copied().unwrap_or(rooms[at]);
            let students = left.min(free);
            parts.push(Seats { room, students });
            left -= students;
            if left == 0 {
                return Some(parts);
            }
        }
        None
    }

    /// Returns `true` if two periods can exchange what stands in their rooms.
    pub(super) fn can_exchange(&self, model: &SeatingModel, a: usize, b: usize) -> bool {
        (0..model.rooms).all(|room| {
            let [a, b] = [a, b].map(|period| &self.cells[period * model.rooms + room]);
            let fits = |from: &Cell, to: &Cell| from.count == 0 || (!to.closed && from.used <= to.seats);
            fits(a, b) && fits(b, a)
        })
    }

    /// Exchanges what stands in the rooms of two periods.
    pub(super) fn exchange(&mut self, model: &SeatingModel, a: usize, b: usize) {
        for room in 0..model.rooms {
            let [a, b] = [a, b].map(|period| period * model.rooms + room);
            self.cells.swap(a, b);
            // The rooms stay.
            for cell in [a, b] {
                (self.cells[cell].seats, self.cells[cell].closed) = (model.capacity[cell], model.closed[cell]);
            }
            for duration in 0..model.durations {
                self.lasts.swap(a * model.durations + duration, b * model.durations + duration);
            }
        }
    }
}
