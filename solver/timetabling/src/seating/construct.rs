//! Construction of a first timetable with rooms: saturation degree with ejections.
//!
//! The node with the fewest free periods is placed next (ties: more weight, larger degree, then a random word), in a random
//! free period with the cheapest rooms. If it has none, it takes the period in which the nodes in the way have the least
//! weight, and ejects them: those that share students, those that a rule keeps apart, and those whose seats it needs. The
//! weight of a node grows each time that it finds no place, so that exams that are hard to place stay. A node that finds no
//! rooms even in an empty period is given up, so that it takes no place from the others. Where sittings may be split, a period
//! without enough seats is not free, and nodes begin with a weight in proportion to their seats.
//!
//! Sources: D. Brélaz, «New methods to color the vertices of a graph», Communications of the ACM 22(4), 1979 (saturation
//! degree); Y. Nagata, O. Bräysy, «A powerful route minimization heuristic for the vehicle routing problem with time windows»,
//! Operations Research Letters 37(5), 2009 (ejection by the times that an item could not be placed).

use super::board::Board;
use super::model::{SeatingModel, Sitting};
use super::repair::{BUDGET, Repair};
use super::rooms::Seating;
use crate::annealing::board::Cell;
use crate::bit_sets::each_of;
use crate::construction::QUESTION;
use crate::model::PeriodSet;
use crate::{Instance, Timetable, UNPLACED};
use gridwright_core::random::{Philox, index};

/// Purpose field of the random words of the construction.
const PURPOSE: u32 = 0x11;
/// Weight to begin with of a node that needs all seats of a period; others have their share of it.
const HARDEST: u64 = 20;

/// Price in seats of ejecting a node, whatever its size, where a reference timetable is repaired.
const REPAIR: u64 = 20;

/// Constructs a timetable of the model's nodes.
///
/// Returns the first complete timetable or, after more than `ejections` ejections or once `is_over`, the one with the fewest
/// unplaced nodes. `individual` selects the random words.
pub fn construct<C: Cell>(
    model: &SeatingModel, reference: Option<&Timetable>, philox: Philox, individual: u32, ejections: usize,
    is_over: &dyn Fn() -> bool,
) -> Timetable {
    construct_within::<C>(model, reference, philox, individual, (ejections, BUDGET), is_over)
}

/// As [`construct`]; the ejection chains of a repair visit at most `visits` nodes together.
pub(crate) fn construct_within<C: Cell>(
    model: &SeatingModel, reference: Option<&Timetable>, philox: Philox, individual: u32,
    (ejections, visits): (usize, u32), is_over: &dyn Fn() -> bool,
) -> Timetable {
    let mut partial = Partial::<C>::new(model);
    let mut repair = reference.map(|reference| Repair::new(reference, philox, individual, visits, is_over));
    if let Some(repair) = &mut repair {
        repair.settle(&mut partial);
    }
    let mut best = (usize::MAX, Timetable::unplaced(model.nodes()));
    let mut ejected = 0;
    for step in 0_u32.. {
        let open = partial.open.len() + partial.hopeless;
        // The timetable is copied only where it counts: at the end, or before nodes are ejected.
        let words = philox.words(0, step, individual, PURPOSE);
        let is_last = partial.open.is_empty() || ejected > ejections || (step % QUESTION == QUESTION - 1 && is_over());
        if is_last {
            if let Some(repair) = repair.as_mut().filter(|_| partial.open.is_empty()) {
                repair.improve(&mut partial);
            }
            if open < best.0 {
                best = (open, partial.board.timetable(model));
            }
            break;
        }
        let node = partial.most_saturated(words[0]);
        if repair.as_mut().is_some_and(|repair| repair.insert(&mut partial, node)) {
            continue;
        }
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

impl SeatingModel {
    /// Builds the model of an instance for a search: exams that no period can seat, even if nothing else is in it, are left
    /// out, with those that must be in their period, unless no exam remains. [`SeatingModel::expand`] gives them no place.
    pub fn of_placeable(instance: &Instance) -> Self {
        let whole = Self::new(instance);
        let hopeless = hopeless(&whole);
        let is_plain = hopeless.is_empty() || hopeless.len() == whole.nodes();
        if is_plain { whole } else { Self::without(instance, &hopeless) }
    }
}

/// Nodes that no period can seat even if nothing else is in it: rules and people leave no period, or no room is suitable.
pub(super) fn hopeless(model: &SeatingModel) -> Vec<usize> {
    let mut empty = Partial::<i32> { is_thorough: true, ..Partial::new(model) };
    let mut has_place = |node: usize| {
        (0..model.periods).any(|period| model.allowed[node].contains(period) && empty.has_rooms(node, period))
    };
    (0..model.nodes()).filter(|&node| !has_place(node)).collect()
}

/// Partial timetable without violations.
pub(super) struct Partial<'a, C> {
    pub(super) model: &'a SeatingModel,
    pub(super) board: Board<C>,
    /// Unplaced nodes that have an allowed period.
    pub(super) open: Vec<u16>,
    /// Number of times that each node found no place.
    weight: Vec<u64>,
    pub(super) degree: Vec<usize>,
    /// True if the nodes of a reference timetable are placed as they were: then few and small ones should have to move.
    pub(super) repairs: bool,
    /// True if the rooms of all sittings of a node are tried together before it has no place.
    is_thorough: bool,
    /// Number of rooms that hold each sitting alone, or 1 for one that has to be split.
    choices: Vec<usize>,
    /// Number of seats that each node needs.
    pub(super) demand: Vec<u64>,
    /// Seats of each period that no placed node needs; empty unless sittings may be split.
    free_seats: Vec<u64>,
    /// Number of nodes that no period can seat, even if nothing else is in it.
    hopeless: usize,
    /// Allowed periods of each node that can seat it if nothing else is in them, once they have been asked for.
    seatable: Vec<Option<PeriodSet>>,
}

impl<'a, C: Cell> Partial<'a, C> {
    pub(super) fn new(model: &'a SeatingModel) -> Self {
        let placeable = |&node: &u16| !model.allowed[usize::from(node)].is_empty();
        let seats_of = |node: usize| model.sittings_of(node).map(|at| u64::from(model.sittings[at].students)).sum();
        let demand: Vec<u64> = (0..model.nodes()).map(seats_of).collect();
        let holds = |room: &&u16, students: u32| {
            (0..model.periods).any(|period| model.capacity[period * model.rooms + usize::from(**room)] >= students)
        };
        let choices = |sitting: &Sitting| match sitting.most_rooms {
            1 => sitting.rooms.len(),
            _ => sitting.rooms.iter().filter(|room| holds(room, sitting.students)).count().max(1),
        };
        let mut free_seats = Vec::new();
        let mut weight = vec![0; model.nodes()];
        if model.sittings.iter().any(|sitting| sitting.most_rooms > 1) {
            let seats = |period: usize| {
                let cells = period * model.rooms..(period + 1) * model.rooms;
                cells.filter(|&cell| !model.closed[cell]).map(|cell| u64::from(model.capacity[cell])).sum()
            };
            free_seats = (0..model.periods).map(seats).collect();
            // Exams that fill much of a period are hard to place again.
            let largest = free_seats.iter().copied().max().unwrap_or(0).max(1);
            weight = demand.iter().map(|seats| HARDEST * seats / largest).collect();
        }
        Self {
            model,
            board: Board::empty(model),
            open: (0..model.nodes() as u16).filter(placeable).collect(),
            weight,
            degree: (0..model.nodes()).map(|node| model.neighbours(node).len()).collect(),
            repairs: false,
            is_thorough: false,
            choices: model.sittings.iter().map(choices).collect(),
            demand,
            free_seats,
            hopeless: 0,
            seatable: vec![None; model.nodes()],
        }
    }

    /// Sets the prices of ejecting the nodes, and tries all rooms of a node before it has no place.
    pub(super) fn weigh(&mut self, prices: &[u64]) {
        self.is_thorough = true;
        self.weight = prices.iter().map(|price| price.saturating_sub(1)).collect();
    }

    /// Allowed periods that can seat a node if nothing else is in them.
    pub(super) fn seatable(&mut self, node: usize) -> PeriodSet {
        if let Some(known) = self.seatable[node] {
            return known;
        }
        let mut periods = self.model.allowed[node];
        if self.model.rooms > 0 {
            let present = std::mem::replace(&mut self.board.seating, Seating::new(self.model));
            periods.retain(|period| self.has_rooms(node, period));
            self.board.seating = present;
        }
        self.seatable[node] = Some(periods);
        periods
    }

    /// Returns `true` if the seats of a period that nobody needs are enough for a node, in whatever rooms.
    fn has_seats(&self, node: usize, period: usize) -> bool {
        self.free_seats.get(period).is_none_or(|&free| self.demand[node] <= free)
    }

    /// Places a node whose sittings have their rooms.
    pub(super) fn enter(&mut self, node: usize, period: usize) {
        self.board.cost += self.board.entering(self.model, node, period);
        self.board.put(self.model, node, period);
        if let Some(free) = self.free_seats.get_mut(period) {
            *free = free.saturating_sub(self.demand[node]);
        }
        self.open.retain(|&other| usize::from(other) != node);
    }

    /// Returns `true` if neither students nor rules forbid a period; rooms are not considered.
    pub(super) fn is_free(&self, node: usize, period: usize) -> bool {
        self.board.students_of(self.model, node, period) == C::default()
            && self.board.suits_related(self.model, node, period, |other| self.board.place[other])
            && self.board.suits_limits(self.model, node, period)
    }

    /// The unplaced node with the fewest free periods.
    pub(super) fn most_saturated(&self, word: u32) -> usize {
        let start = index(word, self.open.len() as u32) as usize;
        let is_free = |node: usize, period: usize| self.has_seats(node, period) && self.is_free(node, period);
        let free = |node: usize| (0..self.model.periods).filter(|&period| is_free(node, period)).count();
        let rank = |position: usize| {
            let node = usize::from(self.open[position]);
            let rooms = self.model.sittings_of(node).map(|sitting| self.choices[sitting]).min();
            let scarce = if self.model.rooms > 0 { rooms.unwrap_or(0).min(4) } else { 1 };
            (free(node) * scarce, std::cmp::Reverse(self.weight[node]), std::cmp::Reverse(self.degree[node]))
        };
        let order = (0..self.open.len()).map(|offset| (start + offset) % self.open.len());
        order.min_by_key(|&position| rank(position)).map_or(0, |position| usize::from(self.open[position]))
    }

    /// A random period in which the node and all its sittings have a place.
    pub(super) fn free_period(&mut self, node: usize, word: u32) -> Option<usize> {
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
        if self.seat_in_order(model.sittings_of(node), node, period) {
            return true;
        }
        // The largest may have taken the only room of another.
        let mut order: Vec<usize> = model.sittings_of(node).collect();
        order.sort_by_key(|&sitting| self.choices[sitting]);
        if !order.is_sorted() && self.seat_in_order(order.iter().copied(), node, period) {
            return true;
        }
        let found = if self.is_thorough { self.board.seating.seat_together(model, &order, period) } else { None };
        self.board.cost += found.unwrap_or(0);
        found.is_some()
    }

    /// Seats the sittings of an unplaced node in this order; changes nothing and returns `false` if one finds no room.
    fn seat_in_order(&mut self, order: impl IntoIterator<Item = usize>, node: usize, period: usize) -> bool {
        for sitting in order {
            match self.board.seating.seat(self.model, sitting, period) {
                Some(cost) => self.board.cost += cost,
                None => {
                    self.unseat(node, period);
                    return false;
                }
            }
        }
        true
    }

    /// Takes the sittings of an unplaced node out of their rooms.
    pub(super) fn unseat(&mut self, node: usize, period: usize) {
        for sitting in self.model.sittings_of(node).filter(|_| self.model.rooms > 0) {
            self.board.cost += self.board.seating.release(self.model, sitting, period);
        }
    }

    /// Places an unplaced node with the cheapest rooms; changes nothing and returns `false` if there are none.
    pub(super) fn place(&mut self, node: usize, period: usize) -> bool {
        let found = self.seat(node, period);
        if found {
            self.enter(node, period);
        }
        found
    }

    /// Takes a placed node out of its period and its rooms.
    pub(super) fn eject(&mut self, node: usize) {
        if let Some(free) = self.free_seats.get_mut(usize::from(self.board.place[node])) {
            *free += self.demand[node];
        }
        self.board.take(self.model, node);
        self.open.push(node as u16);
    }

    /// Places a node in the period whose nodes in the way have the least weight, and ejects them; returns their number.
    fn eject_into(&mut self, node: usize, philox: Philox, step: u32, individual: u32) -> usize {
        self.weight[node] += 1;
        let seatable = self.seatable(node);
        let mut best: Option<(u64, u32, usize)> = None;
        for period in (0..self.model.periods).filter(|&period| seatable.contains(period)) {
            let word = philox.words(1 + period as u32, step, individual, PURPOSE)[0];
            let way = self.in_the_way(node, period);
            let price: u64 = way.iter().map(|&other| self.price(usize::from(other))).sum();
            if best.is_none_or(|best| (price, word) < (best.0, best.1)) {
                best = Some((price, word, period));
            }
        }
        let Some((.., period)) = best else {
            self.hopeless += 1;
            self.open.retain(|&other| usize::from(other) != node);
            return 1;
        };
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

    /// Price of ejecting a node; beside a reference timetable it grows with the seats that the node needs elsewhere.
    fn price(&self, node: usize) -> u64 {
        let times = 1 + self.weight[node];
        if self.repairs { REPAIR * times + self.demand[node] } else { times }
    }

    /// The placed node of least weight in a period.
    pub(super) fn lightest(&self, period: usize) -> Option<usize> {
        let there = (0..self.model.nodes()).filter(|&node| usize::from(self.board.place[node]) == period);
        there.min_by_key(|&node| (self.weight[node], node))
    }

    /// Nodes that have to leave before `node` can be placed in `period`.
    pub(super) fn in_the_way(&self, node: usize, period: usize) -> Vec<u16> {
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
        way.extend(self.board.beyond_limits(model, (node, period), &way, |other| self.price(other)));
        if model.rooms == 0 {
            return way;
        }
        // Rooms: for each sitting the room that has to be cleared least.
        let mut taken: Vec<(u16, usize)> = Vec::new();
        for sitting in model.sittings_of(node) {
            let data = &model.sittings[sitting];
            let is_usable = |&room: &u16| {
                let cell = period * model.rooms + usize::from(room);
                !model.closed[cell] && (data.most_rooms > 1 || model.capacity[cell] >= data.students)
            };
            if !data.rooms.iter().any(|room| is_usable(room) && self.suits_rooms(sitting, *room, &way)) {
                let others = model.room_related[sitting].iter().map(|related| usize::from(related.sitting));
                for other in others.map(|other| model.sittings[other].node).filter(|&other| usize::from(other) != node)
                {
                    if place[usize::from(other)] != UNPLACED && !way.contains(&other) {
                        way.push(other);
                    }
                }
            }
            if data.most_rooms > 1 {
                self.clear_seats(sitting, period, &mut way);
                continue;
            }
            let mut cheapest: Option<(u64, u16, Vec<u16>)> = None;
            for &room in &data.rooms {
                let cell = period * model.rooms + usize::from(room);
                let capacity = model.capacity[cell];
                let own = taken.iter().filter(|(other, _)| *other == room).map(|&(_, other)| other);
                let reserved: u32 = own.clone().map(|other| model.sittings[other].students).sum();
                let is_suitable = self.suits_rooms(sitting, room, &way)
                    && own.clone().all(|other| model.may_share(sitting, other, room));
                if !is_suitable || model.closed[cell] || capacity < data.students + reserved {
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
                taken.push((room, sitting));
                way.extend(out);
            }
        }
        way
    }

    /// Returns `true` if the rules on rooms allow a sitting in `room` once the nodes of `way` have left.
    fn suits_rooms(&self, sitting: usize, room: u16, way: &[u16]) -> bool {
        self.model.room_related[sitting].iter().all(|related| {
            let other = usize::from(related.sitting);
            let node = self.model.sittings[other].node;
            let is_out = self.board.place[usize::from(node)] == UNPLACED || way.contains(&node);
            is_out || related.allows(self.board.seating.is_in(other, room))
        })
    }

    /// Adds nodes to `way` until the seats that they leave in a period are enough for a sitting that may be split, by ascending
    /// weight, then the largest.
    fn clear_seats(&self, sitting: usize, period: usize, way: &mut Vec<u16>) {
        let model = self.model;
        let data = &model.sittings[sitting];
        let free = |&room: &u16| self.board.seating.free(model, sitting, period, room).unwrap_or(0);
        let mut seats: Vec<u32> = data.rooms.iter().map(free).collect();
        seats.sort_unstable_by_key(|&seats| std::cmp::Reverse(seats));
        let mut found: u64 = seats.iter().take(data.most_rooms.into()).map(|&seats| u64::from(seats)).sum();
        found += way.iter().map(|&node| self.demand[usize::from(node)]).sum::<u64>();
        if found >= u64::from(data.students) {
            return;
        }
        let is_there = |&node: &u16| usize::from(self.board.place[usize::from(node)]) == period && !way.contains(&node);
        let mut there: Vec<u16> = (0..model.nodes() as u16).filter(is_there).collect();
        there.sort_by_key(|&node| {
            let node = usize::from(node);
            (self.weight[node], std::cmp::Reverse(self.demand[node]), node)
        });
        if self.repairs {
            // One small node that leaves enough seats, rather than a large one.
            let missing = u64::from(data.students) - found;
            let enough = |&node: &u16| self.demand[usize::from(node)] >= missing;
            let least = there.iter().copied().filter(enough).min_by_key(|&node| (self.price(node.into()), node));
            if let Some(node) = least {
                return way.push(node);
            }
        }
        for node in there {
            if found >= u64::from(data.students) {
                break;
            }
            found += self.demand[usize::from(node)];
            way.push(node);
        }
    }

    /// Nodes beside `way` that have to leave a room before `sitting` can enter, by ascending weight, then the largest; and
    /// their weight. `None` if the room cannot be cleared.
    fn clearing(
        &self, sitting: usize, period: usize, room: u16, capacity: u32, way: &[u16],
    ) -> Option<(u64, Vec<u16>)> {
        let model = self.model;
        let data = &model.sittings[sitting];
        let mut there: Vec<(usize, u32)> = Vec::new();
        each_of(&self.board.members[period * model.words..(period + 1) * model.words], |node| {
            if way.contains(&(node as u16)) {
                return;
            }
            for other in model.sittings_of(node).filter(|&other| self.board.seating.is_in(other, room)) {
                let rooms = self.board.seating.rooms_of(model, other);
                there.extend(rooms.iter().filter(|seats| seats.room == room).map(|seats| (other, seats.students)));
            }
        });
        let mut used: u32 = there.iter().map(|(_, students)| students).sum();
        let weight = |other: usize| self.weight[usize::from(model.sittings[other].node)];
        let cost = |other: usize| self.price(usize::from(model.sittings[other].node));
        there.sort_by_key(|&(other, students)| (weight(other), std::cmp::Reverse(students), other));
        let is_alone = data.own_room || model.single[usize::from(room)];
        let missing = (used + data.students).saturating_sub(capacity);
        if self.repairs && missing > 0 && !is_alone && !there.iter().any(|&(other, _)| model.sittings[other].own_room) {
            // One small node that leaves enough seats, rather than a large one.
            let enough = there.iter().filter(|&&(_, students)| students >= missing);
            if let Some(&(other, _)) = enough.min_by_key(|&&(other, _)| (cost(other), other)) {
                return Some((cost(other), vec![model.sittings[other].node]));
            }
        }
        let (mut price, mut out) = (0, Vec::new());
        let mut left = there.len();
        let is_closed = there.iter().any(|&(other, _)| model.sittings[other].own_room);
        for (other, students) in there {
            if used + data.students <= capacity && (left == 0 || !(is_alone || is_closed)) {
                break;
            }
            used -= students;
            left -= 1;
            price += cost(other);
            let node = model.sittings[other].node;
            if !out.contains(&node) {
                out.push(node);
            }
        }
        (used + data.students <= capacity).then_some((price, out))
    }
}
