//! Construction of a first timetable with rooms: saturation degree with ejections.
//!
//! The node with the fewest free periods is placed next (ties: more weight, larger degree, then a random word), in a random
//! free period with the cheapest rooms. If it has none, it takes the period in which the nodes in the way have the least
//! weight, and ejects them: those that share students, those that a rule keeps apart, and those whose seats it needs. The
//! weight of a node grows each time that it finds no place, so that exams that are hard to place stay.
//!
//! Sources: D. Brélaz, «New methods to color the vertices of a graph», Communications of the ACM 22(4), 1979 (saturation
//! degree); Y. Nagata, O. Bräysy, «A powerful route minimization heuristic for the vehicle routing problem with time windows»,
//! Operations Research Letters 37(5), 2009 (ejection by the times that an item could not be placed).

use super::board::Board;
use super::model::SeatingModel;
use crate::random::{Philox, index};
use crate::timetabling::annealing::board::Cell;
use crate::timetabling::{Timetable, UNPLACED};

/// Purpose field of the random words of the construction.
const PURPOSE: u32 = 0x11;

/// Constructs a timetable of the model's nodes.
///
/// Returns the first complete timetable or, after more than `ejections` ejections or once `is_over`, the one with the fewest
/// unplaced nodes. `individual` selects the random words.
pub fn construct<C: Cell>(
    model: &SeatingModel, reference: Option<&Timetable>, philox: Philox, individual: u32, ejections: usize,
    is_over: &dyn Fn() -> bool,
) -> Timetable {
    let mut partial = Partial::<C>::new(model);
    if let Some(reference) = reference {
        partial.settle(reference);
    }
    let mut best = (usize::MAX, Timetable::unplaced(model.nodes()));
    let mut ejected = 0;
    for step in 0_u32.. {
        let open = partial.open.len();
        // The timetable is copied only where it counts: at the end, or before nodes are ejected.
        let words = philox.words(0, step, individual, PURPOSE);
        let is_last = open == 0 || ejected > ejections || (step % 16 == 15 && is_over());
        if is_last {
            if open < best.0 {
                best = (open, partial.board.timetable(model));
            }
            break;
        }
        let node = partial.most_saturated(words[0]);
        match partial.free_period(node, words[1]) {
            Some(period) => {
                let placed = partial.place(node, period);
                debug_assert!(placed);
            }
            None => {
                if open < best.0 {
                    best = (open, partial.board.timetable(model));
                }
                ejected += partial.eject_into(node, philox, step, individual);
            }
        }
    }
    best.1
}

/// Partial timetable without violations.
struct Partial<'a, C> {
    model: &'a SeatingModel,
    board: Board<C>,
    /// Unplaced nodes that have an allowed period.
    open: Vec<u16>,
    /// Number of times that each node found no place.
    weight: Vec<u64>,
    degree: Vec<usize>,
}

impl<'a, C: Cell> Partial<'a, C> {
    fn new(model: &'a SeatingModel) -> Self {
        let placeable = |&node: &u16| !model.allowed[usize::from(node)].is_empty();
        Self {
            model,
            board: Board::empty(model),
            open: (0..model.nodes() as u16).filter(placeable).collect(),
            weight: vec![0; model.nodes()],
            degree: (0..model.nodes()).map(|node| model.neighbours(node).len()).collect(),
        }
    }

    /// Places nodes as in `reference`, with their rooms there or others, wherever nothing is in the way.
    fn settle(&mut self, reference: &Timetable) {
        let model = self.model;
        let mut order = self.open.clone();
        order.sort_by_key(|&node| {
            let node = usize::from(node);
            (model.allowed[node].len() > 1, std::cmp::Reverse(self.degree[node]), node)
        });
        for node in order.into_iter().map(usize::from) {
            let Some(period) = reference.period_of(node).filter(|&period| period < model.periods) else { continue };
            if !self.is_free(node, period) {
                continue;
            }
            // First the rooms of the reference, as far as they still fit.
            let mut seated = Vec::new();
            for sitting in model.sittings_of(node).filter(|_| model.rooms > 0) {
                let rooms = reference.rooms.get(sitting).map_or(&[][..], Vec::as_slice);
                let suits = |seats: &crate::timetabling::Seats| {
                    model.sittings[sitting].rooms.contains(&seats.room)
                        && self
                            .board
                            .seating
                            .free(model, sitting, period, seats.room)
                            .is_some_and(|free| free >= seats.students)
                };
                let students: u32 = rooms.iter().map(|seats| seats.students).sum();
                if students != model.sittings[sitting].students || rooms.is_empty() || !rooms.iter().all(suits) {
                    break;
                }
                self.board.cost += self.board.seating.assign(model, sitting, period, rooms);
                seated.push(sitting);
            }
            if model.rooms > 0 && seated.len() != model.sittings_of(node).len() {
                for &sitting in &seated {
                    self.board.cost += self.board.seating.release(model, sitting, period);
                }
                self.place(node, period);
                continue;
            }
            self.enter(node, period);
        }
    }

    /// Places a node whose sittings have their rooms.
    fn enter(&mut self, node: usize, period: usize) {
        self.board.cost += i64::from(self.board.near_of(self.model, node, period));
        self.board.put(self.model, node, period);
        self.open.retain(|&other| usize::from(other) != node);
    }

    /// Returns `true` if neither students nor rules forbid a period; rooms are not considered.
    fn is_free(&self, node: usize, period: usize) -> bool {
        self.board.students_of(self.model, node, period) == C::default()
            && self.board.suits_related(self.model, node, period, |other| self.board.place[other])
    }

    /// The unplaced node with the fewest free periods.
    fn most_saturated(&self, word: u32) -> usize {
        let start = index(word, self.open.len() as u32) as usize;
        let free = |node: usize| (0..self.model.periods).filter(|&period| self.is_free(node, period)).count();
        let rank = |position: usize| {
            let node = usize::from(self.open[position]);
            let rooms = self.model.sittings_of(node).map(|sitting| self.model.sittings[sitting].rooms.len()).min();
            let scarce = if self.model.rooms > 0 { rooms.unwrap_or(0).min(4) } else { 1 };
            (free(node) * scarce, std::cmp::Reverse(self.weight[node]), std::cmp::Reverse(self.degree[node]))
        };
        let order = (0..self.open.len()).map(|offset| (start + offset) % self.open.len());
        order.min_by_key(|&position| rank(position)).map_or(0, |position| usize::from(self.open[position]))
    }

    /// A random period in which the node and all its sittings have a place.
    fn free_period(&mut self, node: usize, word: u32) -> Option<usize> {
        let free: Vec<usize> = (0..self.model.periods).filter(|&period| self.is_free(node, period)).collect();
        let start = index(word, free.len().max(1) as u32) as usize;
        (0..free.len()).map(|offset| free[(start + offset) % free.len()]).find(|&period| self.has_rooms(node, period))
    }

    /// Returns `true` if all sittings of a node find rooms in a period.
    fn has_rooms(&mut self, node: usize, period: usize) -> bool {
        let found = self.seat(node, period);
        if found {
            self.unseat(node, period);
        }
        found
    }

    /// Seats all sittings of an unplaced node; changes nothing and returns `false` if one finds no room.
    fn seat(&mut self, node: usize, period: usize) -> bool {
        let model = self.model;
        if model.rooms == 0 {
            return true;
        }
        for sitting in model.sittings_of(node) {
            match self.board.seating.seat(model, sitting, period) {
                Some(cost) => self.board.cost += cost,
                None => {
                    self.unseat(node, period);
                    return false;
                }
            }
        }
        true
    }

    fn unseat(&mut self, node: usize, period: usize) {
        for sitting in self.model.sittings_of(node).filter(|_| self.model.rooms > 0) {
            self.board.cost += self.board.seating.release(self.model, sitting, period);
        }
    }

    /// Places an unplaced node with the cheapest rooms; changes nothing and returns `false` if there are none.
    fn place(&mut self, node: usize, period: usize) -> bool {
        let found = self.seat(node, period);
        if found {
            self.enter(node, period);
        }
        found
    }

    fn eject(&mut self, node: usize) {
        self.board.take(self.model, node);
        self.open.push(node as u16);
    }

    /// Places a node in the period whose nodes in the way have the least weight, and ejects them; returns their number.
    fn eject_into(&mut self, node: usize, philox: Philox, step: u32, individual: u32) -> usize {
        self.weight[node] += 1;
        let mut best: Option<(u64, u32, usize)> = None;
        for period in (0..self.model.periods).filter(|&period| self.model.allowed[node].contains(period)) {
            let word = philox.words(1 + period as u32, step, individual, PURPOSE)[0];
            let way = self.in_the_way(node, period);
            let price: u64 = way.iter().map(|&other| 1 + self.weight[usize::from(other)]).sum();
            if best.is_none_or(|best| (price, word) < (best.0, best.1)) {
                best = Some((price, word, period));
            }
        }
        let Some((.., period)) = best else { return 1 };
        let way = self.in_the_way(node, period);
        let mut count = way.len();
        for other in way {
            self.eject(usize::from(other));
        }
        // What is in the way in the rooms depends on the order in which sittings are seated.
        while !self.place(node, period) {
            let Some(other) = self.lightest(period) else { return count + 1 };
            self.eject(other);
            count += 1;
        }
        count.max(1)
    }

    /// The placed node of least weight in a period.
    fn lightest(&self, period: usize) -> Option<usize> {
        let there = (0..self.model.nodes()).filter(|&node| usize::from(self.board.place[node]) == period);
        there.min_by_key(|&node| (self.weight[node], node))
    }

    /// Nodes that have to leave before `node` can be placed in `period`.
    fn in_the_way(&self, node: usize, period: usize) -> Vec<u16> {
        let model = self.model;
        let place = &self.board.place;
        let is_there = |other: u16| usize::from(place[usize::from(other)]) == period;
        let mut way: Vec<u16> =
            model.neighbours(node).iter().map(|neighbour| neighbour.node).filter(|&other| is_there(other)).collect();
        for related in &model.related[node] {
            let other = place[usize::from(related.node)];
            let table = &model.tables[usize::from(related.table)][period];
            if other != UNPLACED && !table.contains(usize::from(other)) && !way.contains(&related.node) {
                way.push(related.node);
            }
        }
        if model.rooms == 0 {
            return way;
        }
        // Rooms: for each sitting the room that has to be cleared least.
        let mut taken: Vec<(u16, u32)> = Vec::new();
        for sitting in model.sittings_of(node) {
            let data = &model.sittings[sitting];
            if data.most_rooms > 1 {
                continue;
            }
            let mut cheapest: Option<(u64, u16, Vec<u16>)> = None;
            for &room in &data.rooms {
                let cell = period * model.rooms + usize::from(room);
                let capacity = model.capacity[cell];
                let reserved: u32 =
                    taken.iter().filter(|(other, _)| *other == room).map(|(_, students)| students).sum();
                if model.closed[cell] || capacity < data.students + reserved {
                    continue;
                }
                let Some((price, out)) = self.clearing(sitting, period, room, capacity - reserved, &way) else {
                    continue;
                };
                if cheapest.as_ref().is_none_or(|best| price < best.0) {
                    cheapest = Some((price, room, out));
                }
            }
            if let Some((_, room, out)) = cheapest {
                taken.push((room, data.students));
                way.extend(out);
            }
        }
        way
    }

    /// Nodes beside `way` that have to leave a room before `sitting` can enter, by ascending weight, then the largest; and
    /// their weight. `None` if the room cannot be cleared.
    fn clearing(
        &self, sitting: usize, period: usize, room: u16, capacity: u32, way: &[u16],
    ) -> Option<(u64, Vec<u16>)> {
        let model = self.model;
        let data = &model.sittings[sitting];
        let mut there: Vec<(usize, u32)> = Vec::new();
        for word in 0..model.words {
            let mut bits = self.board.members[period * model.words + word];
            while bits != 0 {
                let node = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if way.contains(&(node as u16)) {
                    continue;
                }
                for other in model.sittings_of(node).filter(|&other| self.board.seating.is_in(other, room)) {
                    let rooms = self.board.seating.rooms_of(model, other);
                    there.extend(rooms.iter().filter(|seats| seats.room == room).map(|seats| (other, seats.students)));
                }
            }
        }
        let mut used: u32 = there.iter().map(|(_, students)| students).sum();
        let weight = |other: usize| self.weight[usize::from(model.sittings[other].node)];
        there.sort_by_key(|&(other, students)| (weight(other), std::cmp::Reverse(students), other));
        let is_alone = data.own_room || model.single[usize::from(room)];
        let (mut price, mut out) = (0, Vec::new());
        let mut left = there.len();
        let is_closed = there.iter().any(|&(other, _)| model.sittings[other].own_room);
        for (other, students) in there {
            if used + data.students <= capacity && (left == 0 || !(is_alone || is_closed)) {
                break;
            }
            used -= students;
            left -= 1;
            price += 1 + weight(other);
            out.push(model.sittings[other].node);
        }
        out.dedup();
        (used + data.students <= capacity).then_some((price, out))
    }
}
