//! Ejection chains in a partial timetable with rooms, searched by depth first with a limited number of ejections.
//!
//! A node is placed in a period after the nodes in its way have been ejected, and these are placed in the same manner. Where
//! a sitting finds no room in a period, another sitting of that period may change its room. Of all chains with the fewest
//! ejections the one with the least cost and price is kept; branches are cut where the cost of what is placed, and the
//! least cost of each node that is not, reach the cost of the best chain.
//!
//! Source of the idea: F. Glover, «Ejection chains, reference structures and alternating path methods for traveling
//! salesman problems», Discrete Applied Mathematics 65, 1996.

use super::board::Kept;
use super::construct::Partial;
use super::rooms::Saved;
use crate::annealing::board::Cell;
use crate::{Seats, UNPLACED};

/// Number of nodes visited in the search for one chain with at most 0, 1, 2, … ejections.
const VISITS: [u32; 7] = [40, 100, 300, 800, 1_500, 2_500, 3_500];

/// Number of periods tried for the first node of a chain, the second, and so on; as many as the last for later ones. They
/// are those with the least estimated cost.
const BREADTH: [usize; 4] = [usize::MAX, 12, 8, 5];

/// Nodes visited between two questions whether the run is over.
const ASKING: u32 = 32;

/// Largest number of nodes of a period that are tried one after another to leave seats.
const SPARE: usize = 4;

/// Change of a partial timetable, to be undone.
enum Change {
    /// The node was placed.
    Placed(usize),
    /// The node was ejected: node, period, rooms of its sittings.
    Ejected(usize, usize, Vec<Vec<Seats>>),
    /// The sitting of a placed node was in these rooms of the period.
    Reseated(usize, Saved),
}

/// Search for the cheapest chain.
pub(super) struct ChainSearch<'a> {
    is_over: &'a dyn Fn() -> bool,
    /// Number of nodes that may still be visited in all chains.
    pub(super) budget: u32,
    /// Number of nodes that may still be visited in the present chain.
    visits: u32,
    changes: Vec<Change>,
    /// Nodes that the present chain places.
    moved: Vec<u16>,
    /// Cost that the next chain has to be below.
    limit: i64,
    best: Option<Kept>,
}

impl<'a> ChainSearch<'a> {
    /// Creates a search that visits at most `budget` nodes.
    pub(super) fn new(budget: u32, is_over: &'a dyn Fn() -> bool) -> Self {
        Self { is_over, budget, visits: 0, changes: Vec::new(), moved: Vec::new(), limit: i64::MAX, best: None }
    }

    /// Places unplaced nodes by the cheapest chain with a cost below `limit`; changes nothing and returns `false` if none is
    /// found.
    pub(super) fn place<C: Cell>(&mut self, partial: &mut Partial<'_, C>, nodes: &[u16], limit: i64) -> bool {
        self.limit = limit;
        for (ejections, visits) in VISITS.into_iter().enumerate() {
            self.visits = visits.min(self.budget);
            self.budget -= self.visits;
            self.look(partial, nodes, ejections);
            self.budget += self.visits;
            if self.best.is_some() {
                break;
            }
        }
        self.best.take().map(|best| partial.adopt(&best)).is_some()
    }

    /// Places the last of the nodes in every period in turn, and then the others, with at most `ejections` ejections.
    fn look<C: Cell>(&mut self, partial: &mut Partial<'_, C>, nodes: &[u16], ejections: usize) {
        let Some((&node, others)) = nodes.split_last() else {
            if partial.board.cost < self.limit {
                self.limit = partial.board.cost;
                let mut best = Kept::default();
                partial.board.keep(&mut best);
                self.best = Some(best);
            }
            return;
        };
        if self.visits == 0 {
            return;
        }
        self.visits -= 1;
        if self.visits.is_multiple_of(ASKING) && (self.is_over)() {
            (self.visits, self.budget) = (0, 0);
            return;
        }
        let least: i64 = others.iter().map(|&other| partial.least_cost(usize::from(other))).sum();
        let node = usize::from(node);
        let mut options = self.options(partial, node, ejections);
        options.sort_by_key(|(cost, period, _)| (*cost, *period));
        options.truncate(BREADTH[self.moved.len().min(BREADTH.len() - 1)]);
        self.moved.push(node as u16);
        for (_, period, way) in options {
            let near = i64::from(partial.board.near_of(partial.model, node, period));
            if partial.board.cost + near + least < self.limit || !way.is_empty() {
                self.enter(partial, node, period, others, &way, ejections - way.len());
            }
        }
        self.moved.pop();
    }

    /// Periods of an unplaced node with the nodes in its way, at most `ejections`, by which its cost is estimated: with the
    /// price of an ejection for each.
    fn options<C: Cell>(&self, partial: &Partial<'_, C>, node: usize, ejections: usize) -> Vec<(i64, usize, Vec<u16>)> {
        let model = partial.model;
        let place = &partial.board.place;
        let mut ways: Vec<Vec<u16>> = vec![Vec::new(); model.periods];
        let mut add = |period: usize, other: u16| {
            // One more says that the period is not possible.
            if ways[period].len() <= ejections && !ways[period].contains(&other) {
                let is_fixed = self.moved.contains(&other) || model.allowed[usize::from(other)].len() < 2;
                if is_fixed { ways[period].resize(ejections + 1, other) } else { ways[period].push(other) }
            }
        };
        for neighbour in model.neighbours(node) {
            let there = place[usize::from(neighbour.node)];
            if there != UNPLACED {
                add(usize::from(there), neighbour.node);
            }
        }
        for related in &model.related[node] {
            let there = place[usize::from(related.node)];
            let table = &model.tables[usize::from(related.table)];
            for period in (0..model.periods).filter(|_| there != UNPLACED) {
                if !table[period].contains(usize::from(there)) {
                    add(period, related.node);
                }
            }
        }
        for period in (0..model.periods).filter(|_| model.limits.is_some()) {
            let way = ways[period].clone();
            for other in partial.board.beyond_limits(model, (node, period), &way, |other| partial.demand[other]) {
                let is_fixed = self.moved.contains(&other) || model.allowed[usize::from(other)].len() < 2;
                if is_fixed { ways[period].resize(ejections + 1, other) } else { ways[period].push(other) }
            }
        }
        let price = i64::from(model.highest_price().unwrap_or(0));
        let option = |(period, way): (usize, Vec<u16>)| {
            let is_possible = way.len() <= ejections && model.allowed[node].contains(period);
            let cost = i64::from(partial.board.near_of(model, node, period)) + price * way.len() as i64;
            is_possible.then_some((cost, period, way))
        };
        ways.into_iter().enumerate().filter_map(option).collect()
    }

    /// Ejects the nodes in the way, places a node, and goes on with the others; everything is undone.
    fn enter<C: Cell>(
        &mut self, partial: &mut Partial<'_, C>, node: usize, period: usize, others: &[u16], way: &[u16], left: usize,
    ) {
        let before = self.changes.len();
        way.iter().for_each(|&other| self.eject(partial, usize::from(other)));
        let mut next = others.to_vec();
        next.extend(way);
        if self.put(partial, node, period) {
            self.look(partial, &next, left);
        } else if left > 0 {
            let mut found = 0;
            for other in self.spare(partial, period) {
                let inner = self.changes.len();
                self.eject(partial, other);
                if self.put(partial, node, period) {
                    next.push(other as u16);
                    self.look(partial, &next, left - 1);
                    next.pop();
                    found += 1;
                }
                self.undo(partial, inner);
                if found == SPARE {
                    break;
                }
            }
        }
        self.undo(partial, before);
    }

    /// Nodes of a period that may be ejected to leave seats, those with the fewest seats first.
    fn spare<C: Cell>(&self, partial: &Partial<'_, C>, period: usize) -> Vec<usize> {
        let mut nodes = partial.board.nodes_in(partial.model, period);
        nodes.retain(|&node| !self.moved.contains(&(node as u16)) && partial.model.allowed[node].len() > 1);
        nodes.sort_by_key(|&node| (partial.demand[node], node));
        nodes
    }

    fn eject<C: Cell>(&mut self, partial: &mut Partial<'_, C>, node: usize) {
        let model = partial.model;
        let rooms = model.sittings_of(node).map(|sitting| partial.board.seating.rooms_of(model, sitting));
        self.changes.push(Change::Ejected(node, usize::from(partial.board.place[node]), rooms.collect()));
        partial.eject(node);
    }

    /// Places an unplaced node; changes nothing and returns `false` if one of its sittings finds no room.
    fn put<C: Cell>(&mut self, partial: &mut Partial<'_, C>, node: usize, period: usize) -> bool {
        let before = self.changes.len();
        let model = partial.model;
        let all = model.rooms == 0 || model.sittings_of(node).all(|sitting| self.seat(partial, sitting, period));
        if all {
            partial.enter(node, period);
            self.changes.push(Change::Placed(node));
        } else {
            partial.unseat(node, period);
            self.undo(partial, before);
        }
        all
    }

    /// Seats a sitting of an unplaced node, if need be in a room that another sitting leaves for another one.
    fn seat<C: Cell>(&mut self, partial: &mut Partial<'_, C>, sitting: usize, period: usize) -> bool {
        let model = partial.model;
        if let Some(cost) = partial.board.seating.seat(model, sitting, period) {
            partial.board.cost += cost;
            return true;
        }
        let data = &model.sittings[sitting];
        let mut best: Option<(i64, usize, u16)> = None;
        let free: Vec<u32> =
            (0..model.rooms as u16).map(|room| partial.board.seating.open_seats(model, period, room)).collect();
        if data.most_rooms > 1 || free.iter().sum::<u32>() < data.students {
            return false;
        }
        for node in partial.board.nodes_in(model, period) {
            for other in model.sittings_of(node) {
                for part in partial.board.seating.rooms_of(model, other) {
                    let has_seats = free[usize::from(part.room)] + part.students >= data.students;
                    if !has_seats || !data.rooms.contains(&part.room) {
                        continue;
                    }
                    let saved = partial.board.seating.save(other);
                    if let Some(cost) = partial.exchange_rooms(sitting, other, period, part.room) {
                        if best.is_none_or(|best| cost < best.0) {
                            best = Some((cost, other, part.room));
                        }
                        partial.board.seating.release(model, sitting, period);
                        partial.board.seating.release(model, other, period);
                        partial.board.seating.restore(model, period, &saved);
                    }
                }
            }
        }
        let Some((_, other, room)) = best else { return false };
        self.changes.push(Change::Reseated(period, partial.board.seating.save(other)));
        partial.board.cost += partial.exchange_rooms(sitting, other, period, room).unwrap_or(0);
        true
    }

    /// Undoes all changes but the first `until`.
    fn undo<C: Cell>(&mut self, partial: &mut Partial<'_, C>, until: usize) {
        let model = partial.model;
        for change in self.changes.drain(until..).rev() {
            match change {
                Change::Placed(node) => partial.eject(node),
                Change::Ejected(node, period, rooms) => partial.put_back(node, period, &rooms),
                Change::Reseated(period, saved) => {
                    let seating = &mut partial.board.seating;
                    partial.board.cost += seating.release(model, usize::from(saved.0), period);
                    partial.board.cost += seating.restore(model, period, &saved);
                }
            }
        }
    }
}

impl<C: Cell> Partial<'_, C> {
    /// Least cost of an unplaced node beside the placed ones, without rooms.
    fn least_cost(&self, node: usize) -> i64 {
        let allowed = (0..self.model.periods).filter(|&period| self.model.allowed[node].contains(period));
        allowed.map(|period| i64::from(self.board.near_of(self.model, node, period))).min().unwrap_or(0)
    }

    /// Seats a sitting without rooms in `room`, which `other` leaves for other rooms; returns the change of the cost, or
    /// `None`, and changes nothing, if one of the two finds no place. The cost of the board is left as it is.
    fn exchange_rooms(&mut self, sitting: usize, other: usize, period: usize, room: u16) -> Option<i64> {
        let model = self.model;
        let seating = &mut self.board.seating;
        let saved = seating.save(other);
        let mut cost = seating.release(model, other, period);
        if seating.free(model, sitting, period, room).is_some_and(|free| free >= model.sittings[sitting].students) {
            cost += seating.cost(model, sitting, period, room);
            seating.occupy(model, sitting, period, room);
            if let Some(more) = seating.seat(model, other, period) {
                return Some(cost + more);
            }
            seating.release(model, sitting, period);
        }
        seating.restore(model, period, &saved);
        None
    }

    /// Places an unplaced node in these rooms.
    fn put_back(&mut self, node: usize, period: usize, rooms: &[Vec<Seats>]) {
        let model = self.model;
        for (sitting, rooms) in model.sittings_of(node).zip(rooms).filter(|_| model.rooms > 0) {
            self.board.cost += self.board.seating.assign(model, sitting, period, rooms);
        }
        self.enter(node, period);
    }

    /// Takes over periods and rooms of another timetable.
    pub(super) fn adopt(&mut self, kept: &Kept) {
        let model = self.model;
        let is_other = |&node: &usize| {
            let rooms = |sitting: usize| kept.rooms.of(model, sitting) != self.board.seating.rooms_of(model, sitting);
            kept.place[node] != self.board.place[node] || model.sittings_of(node).any(rooms)
        };
        let changed: Vec<usize> = (0..model.nodes()).filter(is_other).collect();
        for &node in changed.iter().filter(|&&node| self.board.place[node] != UNPLACED).collect::<Vec<_>>() {
            self.eject(node);
        }
        for &node in changed.iter().filter(|&&node| kept.place[node] != UNPLACED) {
            let rooms: Vec<_> = model.sittings_of(node).map(|sitting| kept.rooms.of(model, sitting)).collect();
            self.put_back(node, usize::from(kept.place[node]), &rooms);
        }
    }
}
