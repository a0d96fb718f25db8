//! Repair of a reference timetable under changed data, so that few exams change their period and few their room.
//!
//! Exams are placed as in the reference wherever nothing is in the way; the others by the cheapest ejection chain
//! (`chains.rs`), or as in the construction from nothing where no chain is found. Then exams that are not as in the
//! reference, one, two or three at once, are taken out and placed by cheaper chains, as long as a budget of visited nodes
//! lasts. Attempts differ in the order in which exams that exclude each other are placed.

use super::board::Kept;
use super::chains::ChainSearch;
use super::construct::Partial;
use super::model::NO_HOME;
use crate::annealing::board::Cell;
use crate::{Seats, Timetable, UNPLACED};
use gridwright_core::random::{Philox, index};

/// Purpose field of the random words that order the nodes of a reference timetable.
const SETTLING: u32 = 0x12;
/// Purpose field of the random words that choose the nodes to be placed anew.
const AGAIN: u32 = 0x13;

/// Number of nodes that the chains of one repair may visit.
pub(crate) const BUDGET: u32 = 10_000;

/// Number of choices of two or three nodes to be placed anew.
const CHOICES: u32 = 120;

/// Repair of one timetable.
pub(super) struct Repair<'a> {
    reference: &'a Timetable,
    philox: Philox,
    individual: u32,
    is_over: &'a dyn Fn() -> bool,
    search: ChainSearch<'a>,
}

impl<'a> Repair<'a> {
    /// Creates the repair number `individual`, which selects the random words and visits at most so many nodes.
    pub(super) fn new(
        reference: &'a Timetable, philox: Philox, individual: u32, visits: u32, is_over: &'a dyn Fn() -> bool,
    ) -> Self {
        Self { reference, philox, individual, is_over, search: ChainSearch::new(visits, is_over) }
    }

    /// Places nodes as in the reference wherever nothing is in the way: first those that keep all their rooms, then, in their
    /// periods, those of which some sittings need other rooms.
    pub(super) fn settle<C: Cell>(&self, partial: &mut Partial<'_, C>) {
        let model = partial.model;
        let reference = self.reference;
        partial.repairs = true;
        let mut order = partial.open.clone();
        order.sort_by_cached_key(|&node| {
            let at = usize::from(node);
            // Which of several nodes loses a room that is too small by now differs from attempt to attempt.
            let word = match self.individual {
                0 => 0,
                individual => self.philox.words(node.into(), 0, individual, SETTLING)[0],
            };
            (model.allowed[at].len() > 1, word, std::cmp::Reverse(partial.degree[at]), node)
        });
        for all_rooms in [true, false] {
            for &node in &order {
                let node = usize::from(node);
                let period = reference.period_of(node).filter(|&period| period < model.periods);
                let Some(period) = period.filter(|_| partial.board.place[node] == UNPLACED) else { continue };
                if partial.is_free(node, period) && partial.seat_as(node, period, reference, all_rooms) {
                    partial.enter(node, period);
                }
            }
        }
    }

    /// Places an unplaced node by the cheapest chain; changes nothing and returns `false` if none is found.
    pub(super) fn insert<C: Cell>(&mut self, partial: &mut Partial<'_, C>, node: usize) -> bool {
        self.search.place(partial, &[node as u16], i64::MAX)
    }

    /// Places nodes that are not as in the reference anew, as long as that lowers cost and prices.
    pub(super) fn improve<C: Cell>(&mut self, partial: &mut Partial<'_, C>) {
        loop {
            let mut is_better = false;
            for node in self.away(partial) {
                is_better |= self.place_again(partial, &[node]);
            }
            if !is_better {
                break;
            }
        }
        for choice in 0..CHOICES {
            let away = self.away(partial);
            if away.len() < 2 || self.search.budget == 0 || (self.is_over)() {
                break;
            }
            let words = self.philox.words(choice, 0, self.individual, AGAIN);
            let mut chosen: Vec<u16> = Vec::new();
            for &word in &words[..2 + index(words[3], 2) as usize] {
                let node = away[index(word, away.len() as u32) as usize];
                if !chosen.contains(&node) {
                    chosen.push(node);
                }
            }
            self.place_again(partial, &chosen);
        }
    }

    /// Takes placed nodes out and places them by a chain that lowers the cost; changes nothing and returns `false` if none is
    /// found.
    fn place_again<C: Cell>(&mut self, partial: &mut Partial<'_, C>, nodes: &[u16]) -> bool {
        let cost = partial.board.cost();
        let mut before = Kept::default();
        partial.board.keep(&mut before);
        nodes.iter().for_each(|&node| partial.eject(usize::from(node)));
        let is_better = self.search.place(partial, nodes, cost);
        if !is_better {
            partial.adopt(&before);
        }
        is_better
    }

    /// Placed nodes that have another period than in the reference, or a sitting outside of its home. A node that may be in no period
    /// has no place, and can have no other one.
    fn away<C: Cell>(&self, partial: &Partial<'_, C>) -> Vec<u16> {
        let model = partial.model;
        let is_away = |&node: &u16| {
            let node = usize::from(node);
            let then = self.reference.period_of(node);
            let is_elsewhere = |sitting: usize| {
                let home = model.sittings[sitting].home;
                home != NO_HOME && !partial.board.seating.is_in(sitting, home)
            };
            let now = partial.board.place[node];
            let is_moved = then.is_some_and(|then| usize::from(now) != then);
            now != UNPLACED && (is_moved || model.sittings_of(node).any(is_elsewhere))
        };
        (0..model.nodes() as u16).filter(is_away).collect()
    }
}

impl<C: Cell> Partial<'_, C> {
    /// Seats the sittings of an unplaced node in their rooms of `reference`, or else, unless all have to be there, in others;
    /// changes nothing and returns `false` if one finds none.
    pub(super) fn seat_as(&mut self, node: usize, period: usize, reference: &Timetable, all_rooms: bool) -> bool {
        let model = self.model;
        if model.rooms == 0 {
            return true;
        }
        let mut elsewhere = Vec::new();
        for sitting in model.sittings_of(node) {
            let rooms = reference.rooms.get(sitting).map_or(&[][..], Vec::as_slice);
            match self.kept_rooms(sitting, period, rooms) {
                Some(rooms) => self.board.cost += self.board.seating.assign(model, sitting, period, &rooms),
                None => elsewhere.push(sitting),
            }
        }
        let is_seated = (elsewhere.is_empty() || !all_rooms)
            && elsewhere.into_iter().all(|sitting| match self.board.seating.seat(model, sitting, period) {
                Some(cost) => {
                    self.board.cost += cost;
                    true
                }
                None => false,
            });
        if !is_seated {
            self.unseat(node, period);
        }
        is_seated
    }

    /// The rooms of a sitting in a reference timetable with as many of its present students as have seats there; `None` if
    /// not all have one.
    fn kept_rooms(&self, sitting: usize, period: usize, rooms: &[Seats]) -> Option<Vec<Seats>> {
        let model = self.model;
        let data = &model.sittings[sitting];
        let is_allowed = rooms.iter().all(|seats| data.rooms.contains(&seats.room));
        if rooms.is_empty() || rooms.len() > usize::from(data.most_rooms) || !is_allowed {
            return None;
        }
        let free = |seats: &Seats| self.board.seating.free(model, sitting, period, seats.room);
        let free: Vec<u32> = rooms.iter().map(free).collect::<Option<_>>()?;
        let mut left = data.students;
        let mut parts = rooms.to_vec();
        for (seats, &free) in parts.iter_mut().zip(&free) {
            seats.students = seats.students.min(free).min(left);
            left -= seats.students;
        }
        // Late enrolments take the seats that are left in these rooms.
        for (seats, free) in parts.iter_mut().zip(free) {
            let more = (free - seats.students).min(left);
            seats.students += more;
            left -= more;
        }
        if left > 0 && parts.len() < usize::from(data.most_rooms) {
            let is_other = |room: &&u16| !parts.iter().any(|seats| seats.room == **room);
            let free = |&room: &u16| Some((self.board.seating.free(model, sitting, period, room)?, room));
            let others = data.rooms.iter().filter(is_other).filter_map(free);
            if let Some((_, room)) = others.filter(|&(free, _)| free >= left).min() {
                parts.push(Seats { room, students: left });
                left = 0;
            }
        }
        let is_single = parts.len() == 1;
        parts.retain(|seats| seats.students > 0 || is_single);
        (left == 0).then_some(parts)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::check::check;
    use crate::generator::{GeneratorOptions, generate};
    use crate::seating::{SeatingModel, construct};
    use crate::{Instance, InstanceParts, Timetable, stored};
    use gridwright_core::random::{Philox, index};

    /// The session after 30 students have enrolled for one exam more each, drawn with `philox`.
    fn with_late_enrolments(before: &Instance, philox: Philox) -> Instance {
        let mut students: Vec<Vec<u16>> = before.students.iter().map(<[u16]>::to_vec).collect();
        for number in 0..30 {
            let words = philox.words(number, 0, 0, 0);
            let exam = index(words[1], before.exam_count() as u32) as u16;
            students[index(words[0], before.students.len() as u32) as usize].push(exam);
        }
        let parts = InstanceParts {
            exams: before.exams.clone(),
            students,
            periods: before.periods.clone(),
            resources: before.resources.clone(),
            objective: before.objective.clone(),
            ..InstanceParts::default()
        };
        Instance::build(parts).unwrap()
    }

    /// 600 exams in 40 rooms: at most 2 % of the exams move, and at most 4 % change their room. Where rooms in use cost something,
    /// they are fuller, and at most 4 % of the exams move.
    #[test]
    fn late_enrolments_move_few_exams_and_few_rooms() {
        for (seed, opened, most) in [(3, 0, 12), (11, 0, 12), (3, 10, 24), (11, 10, 24)] {
            let mut before = generate(&GeneratorOptions::preset("campus", seed).unwrap()).unwrap();
            before.objective.weights.opened = opened;
            let model = SeatingModel::new(&before);
            let start = construct::<i16>(&model, None, Philox::new(seed), 0, 2_000, &|| false);
            let reference = Timetable::clone(&model.expand(&Arc::new(start)));
            assert!(check(&before, &reference).feasible);
            let after = with_late_enrolments(&before, Philox::new(seed));
            let carried = stored::decode(&after, &stored::encode(&before, &reference)).unwrap();
            let after = after.around(carried, 5_000, 1_250);
            let model = SeatingModel::new(&after);
            let reference = after.rules.reference.clone().unwrap();
            assert!(!check(&after, &reference.timetable).feasible, "seed {seed}: nothing has to change");
            let kept = model.reduce(&reference.timetable);
            let attempt = |individual| {
                let found = construct::<i16>(&model, Some(&kept), Philox::new(seed), individual, 2_000, &|| false);
                model.expand(&Arc::new(found))
            };
            let found = (0..4).map(attempt).min_by_key(|found| check(&after, found).objective).unwrap();
            assert!(check(&after, &found).feasible);
            let changed = [reference.moved(&found), reference.left_rooms(&found)];
            assert!(changed[0] <= most && changed[1] <= 24, "seed {seed}, {opened}: {changed:?} exams and rooms");
        }
    }
}
