//! Moves: each is evaluated against a limit and applied if it is within it.

use super::board::Board;
use super::model::SeatingModel;
use super::rooms::Saved;
use crate::annealing::board::Cell;
use crate::annealing::bound::{Bound, Experience};
use crate::bit_sets::{append_bits, append_fresh};

/// Sitting that moves to new rooms.
#[derive(Debug, Clone, Copy)]
struct MovedSitting {
    sitting: usize,
    /// Period that it leaves.
    from: usize,
    /// Period in which it needs rooms.
    to: usize,
}

/// Sittings of a move and the rooms that they had, to be restored if the move is not made. Kept between moves, so that no
/// move allocates memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Reseating {
    /// Sittings in the order in which they are seated.
    moved: Vec<MovedSitting>,
    /// Rooms that each of the first ones has left.
    before: Vec<Saved>,
}

/// Nodes of two periods that change sides.
struct Sides<'a> {
    /// The two periods.
    periods: (usize, usize),
    /// The nodes.
    chain: &'a [u16],
    /// The same as a bit set.
    seen: &'a [u64],
    /// Change of the cost without rooms.
    delta: i64,
}

impl<C: Cell> Board<C> {
    /// Moves a node to another period with the cheapest rooms there, if nothing forbids it and the change of the cost is at
    /// most `limit`.
    #[inline(always)]
    pub(crate) fn shift(&mut self, model: &SeatingModel, node: usize, to: usize, limit: i64) -> bool {
        let from = usize::from(self.place[node]);
        if self.students_of(model, node, to) != C::default() || from == to {
            return false;
        }
        let near = i64::from(self.near_of(model, node, to)) - i64::from(self.near_of(model, node, from))
            + self.day_change(model, node, (Some(from), to));
        let sittings = model.sittings_of(node);
        if model.rooms > 0 {
            // Two sittings that leave a room together may save what neither saves alone.
            let together = if sittings.len() > 1 { model.dearest_duration() } else { 0 };
            let mut bound = near;
            for sitting in sittings.clone() {
                let least = model.least_penalty(&model.sittings[sitting]);
                bound += self.seating.leaving(model, sitting, from) + least - together;
            }
            if bound > limit {
                return false;
            }
        } else if near > limit {
            return false;
        }
        if !model.related[node].is_empty() && !self.suits_related(model, node, to, |other| self.place[other]) {
            return false;
        }
        if !self.suits_limits(model, node, to) {
            return false;
        }
        let mut delta = near;
        if model.rooms > 0 {
            if sittings.len() == 1 && model.sittings[sittings.start].most_rooms == 1 {
                let sitting = sittings.start;
                let Some((room, cost)) = self.seating.find(model, sitting, to) else { return false };
                delta += self.seating.leaving(model, sitting, from) + cost;
                if delta > limit {
                    return false;
                }
                self.seating.release(model, sitting, from);
                self.seating.occupy(model, sitting, to, room);
            } else {
                self.reseating.moved.clear();
                self.reseating.moved.extend(sittings.map(|sitting| MovedSitting { sitting, from, to }));
                match self.seat_all(model, limit - near) {
                    Some(rooms) => delta += rooms,
                    None => return false,
                }
            }
        }
        self.put(model, node, to);
        self.cost += delta;
        true
    }

    /// Takes the sittings of a move out of their rooms and seats them anew, in order. Returns the change of the cost, or
    /// `None`, and changes nothing, if one finds no room or the change is above `limit`.
    fn seat_all(&mut self, model: &SeatingModel, limit: i64) -> Option<i64> {
        let Self { seating, reseating: Reseating { moved, before }, .. } = self;
        let mut delta = 0;
        before.clear();
        for &MovedSitting { sitting, from, .. } in moved.iter() {
            before.push(seating.save(sitting));
            delta += seating.release(model, sitting, from);
        }
        let mut seated = 0;
        // Those that are still to be seated cost at least nothing.
        while seated < moved.len() && delta <= limit {
            let Some(cost) = seating.seat(model, moved[seated].sitting, moved[seated].to) else { break };
            delta += cost;
            seated += 1;
        }
        if seated == moved.len() && delta <= limit {
            return Some(delta);
        }
        for &MovedSitting { sitting, to, .. } in &moved[..seated] {
            seating.release(model, sitting, to);
        }
        for (moved, saved) in moved.iter().zip(before) {
            seating.restore(model, moved.from, saved);
        }
        None
    }

    /// Exchanges the periods of two nodes, with new rooms, if nothing forbids it and the change is at most `limit`.
    #[inline(always)]
    pub(crate) fn swap(&mut self, model: &SeatingModel, one: usize, other: usize, limit: i64) -> bool {
        let (a, b) = (usize::from(self.place[one]), usize::from(self.place[other]));
        if a == b {
            return false;
        }
        let (of_one, of_other) = (self.students_of(model, one, b), self.students_of(model, other, a));
        let mut shared = 0;
        if of_one != C::default() || of_other != C::default() {
            if model.adjacent(one)[other / 64] >> (other % 64) & 1 == 0 {
                return false;
            }
            shared = model.shared(one, other);
            if of_one.wide() != shared || of_other.wide() != shared {
                return false;
            }
        }
        let near = i64::from(self.near_of(model, one, b)) - i64::from(self.near_of(model, one, a))
            + i64::from(self.near_of(model, other, a))
            - i64::from(self.near_of(model, other, b))
            + 2 * i64::from(shared) * model.pair_cost(a, b)
            + self.day_change_of_sides(model, [one, other].into_iter(), (a, b));
        let has_related = !model.related[one].is_empty() || !model.related[other].is_empty();
        let mut least = 0;
        if model.rooms > 0 {
            for (node, period) in [(one, a), (other, b)] {
                for sitting in model.sittings_of(node) {
                    least += self.seating.leaving(model, sitting, period);
                    least += model.least_penalty(&model.sittings[sitting]);
                    // The other may leave a room whose durations were mixed by this one only.
                    least -= model.dearest_duration();
                }
            }
        }
        if near + least > limit {
            return false;
        }
        if has_related {
            let after = |node: usize| match node {
                node if node == one => b as u16,
                node if node == other => a as u16,
                node => self.place[node],
            };
            if !self.suits_related(model, one, b, after) || !self.suits_related(model, other, a, after) {
                return false;
            }
        }
        if !self.suits_limits_together(model, [(one, b), (other, a)].into_iter()) {
            return false;
        }
        let mut delta = near;
        if model.rooms > 0 {
            let size = |node: usize| model.sittings[model.sittings_of(node).start].students;
            let order =
                if size(one) >= size(other) { [(one, a, b), (other, b, a)] } else { [(other, b, a), (one, a, b)] };
            self.reseating.moved.clear();
            for (node, from, to) in order {
                let sittings = model.sittings_of(node).map(|sitting| MovedSitting { sitting, from, to });
                self.reseating.moved.extend(sittings);
            }
            match self.seat_all(model, limit - near) {
                Some(rooms) => delta += rooms,
                None => return false,
            }
        }
        self.put(model, one, b);
        self.put(model, other, a);
        self.cost += delta;
        true
    }

    /// Moves one sitting to the room at position `choice` among those that it may use, if nothing forbids it and the change
    /// is at most `limit`.
    #[inline(always)]
    pub(crate) fn change_room(&mut self, model: &SeatingModel, sitting: usize, choice: usize, limit: i64) -> bool {
        let data = &model.sittings[sitting];
        let Some(&room) = data.rooms.get(choice) else { return false };
        let period = usize::from(self.place[usize::from(data.node)]);
        if self.seating.is_in(sitting, room) {
            return false;
        }
        // Seats that the sitting takes itself are in other rooms.
        let fits = self.seating.free(model, sitting, period, room).is_some_and(|free| free >= data.students);
        if !fits {
            return false;
        }
        let saved = self.seating.save(sitting);
        let delta = self.seating.release(model, sitting, period) + self.seating.cost(model, sitting, period, room);
        if delta > limit {
            self.seating.restore(model, period, &saved);
            return false;
        }
        self.seating.occupy(model, sitting, period, room);
        self.cost += delta;
        true
    }

    /// Swaps the sides of the Kempe chain of a node between its period and `to`, with new rooms, if nothing forbids it and
    /// the change is at most `limit`.
    ///
    /// Pairs inside the chain keep their distance: Δ = Σ_i Δ(i alone) + 2 · W[a][b] · Σ_{i from a} s(i, b).
    #[inline(always)]
    pub(crate) fn kempe(&mut self, model: &SeatingModel, node: usize, to: usize, limit: i64) -> bool {
        let from = usize::from(self.place[node]);
        if from == to {
            return false;
        }
        let mut chain = std::mem::take(&mut self.chain);
        let mut seen = std::mem::take(&mut self.seen);
        chain.clear();
        seen.fill(0);
        chain.push(node as u16);
        seen[node / 64] = 1 << (node % 64);
        let mut experience = self.experience;
        let mut bound = Bound::new(limit, true);
        let delta = self.follow(model, (from, to), &mut chain, &mut seen, &mut bound, &mut experience);
        bound.close(&mut experience, delta.is_none());
        self.experience = experience;
        let is_made = match delta {
            Some(delta) => {
                let sides = Sides { periods: (from, to), chain: &chain, seen: &seen, delta };
                self.swap_sides(model, &sides, limit, false)
            }
            None => false,
        };
        self.chain = chain;
        self.seen = seen;
        is_made
    }

    /// Completes a chain from its first nodes and returns the change of the cost without rooms; `None` if a node is not
    /// allowed on the other side, or if the bound has proved that the chain is not acceptable.
    #[inline(always)]
    fn follow(
        &self, model: &SeatingModel, (from, to): (usize, usize), chain: &mut Vec<u16>, seen: &mut [u64],
        bound: &mut Bound, experience: &mut Experience,
    ) -> Option<i64> {
        let inside = 2 * model.pair_cost(from, to);
        let mut delta = 0;
        let mut at = 0;
        while at < chain.len() {
            let node = usize::from(chain[at]);
            at += 1;
            let is_first = usize::from(self.place[node]) == from;
            let (here, there) = if is_first { (from, to) } else { (to, from) };
            let shared = i64::from(self.students_of(model, node, there).wide());
            // The cells of periods that are not allowed are negative.
            if shared < 0 {
                return None;
            }
            let alone = i64::from(self.near_of(model, node, there)) - i64::from(self.near_of(model, node, here));
            delta += alone;
            if bound.add(alone - model.most_saved[node]) {
                return None;
            }
            if shared == 0 && model.related[node].is_empty() {
                continue;
            }
            if is_first {
                delta += inside * shared;
            }
            let members = &self.members[there * model.words..(there + 1) * model.words];
            append_fresh(model.adjacent(node), members, seen, chain);
            if bound.is_due(experience, chain.len()) {
                bound.set(self.most_saved_by_single(model, (from, to)));
            }
        }
        Some(delta)
    }

    /// Swaps the sides of nodes of two periods if nothing forbids it and the change is at most `limit`. With `keep` every
    /// sitting keeps its rooms.
    #[inline(always)]
    fn swap_sides(&mut self, model: &SeatingModel, sides: &Sides<'_>, limit: i64, keep: bool) -> bool {
        let &Sides { periods: (a, b), chain, seen, mut delta } = sides;
        delta += self.day_change_of_sides(model, chain.iter().map(|&node| usize::from(node)), (a, b));
        if delta - if keep { 0 } else { self.most_saved(model, chain) } > limit {
            return false;
        }
        let other_side = |here: u16| if usize::from(here) == a { b } else { a };
        let after = |node: usize| {
            let moves = seen[node / 64] >> (node % 64) & 1 == 1;
            if moves { other_side(self.place[node]) as u16 } else { self.place[node] }
        };
        let suits = |&node: &u16| {
            let node = usize::from(node);
            model.related[node].is_empty() || self.suits_related(model, node, usize::from(after(node)), after)
        };
        if !chain.iter().all(suits) {
            return false;
        }
        if model.limits.is_some() && !self.suits_limits_on_sides(model, chain, (a, b)) {
            return false;
        }
        if keep {
            if !self.seating.can_exchange(model, a, b) {
                return false;
            }
            self.seating.exchange(model, a, b);
        } else if model.rooms > 0 {
            let moved = &mut self.reseating.moved;
            moved.clear();
            for node in chain.iter().map(|&node| usize::from(node)) {
                let (from, to) = (usize::from(self.place[node]), other_side(self.place[node]));
                moved.extend(model.sittings_of(node).map(|sitting| MovedSitting { sitting, from, to }));
            }
            let students = |sitting: usize| model.sittings[sitting].students;
            moved.sort_unstable_by_key(|moved| (std::cmp::Reverse(students(moved.sitting)), moved.sitting));
            match self.seat_all(model, limit - delta) {
                Some(rooms) => delta += rooms,
                None => return false,
            }
        }
        for node in chain.iter().map(|&node| usize::from(node)) {
            self.put(model, node, other_side(self.place[node]));
        }
        self.cost += delta;
        true
    }

    /// Upper bound on what leaving their rooms saves for nodes that move together.
    #[inline(always)]
    fn most_saved(&self, model: &SeatingModel, nodes: &[u16]) -> i64 {
        if model.rooms == 0 {
            return 0;
        }
        let mut saved = 0;
        for node in nodes.iter().map(|&node| usize::from(node)) {
            let period = usize::from(self.place[node]);
            for sitting in model.sittings_of(node) {
                // Sittings that leave a room together may save what none of them saves alone.
                saved += model.dearest_duration() - self.seating.leaving(model, sitting, period);
            }
        }
        saved
    }

    /// Exchanges all exams of two periods, which keep their rooms, if nothing forbids it and the change is at most `limit`.
    #[inline(always)]
    pub(crate) fn exchange(&mut self, model: &SeatingModel, a: usize, b: usize, limit: i64) -> bool {
        let mut chain = std::mem::take(&mut self.chain);
        let mut seen = std::mem::take(&mut self.seen);
        chain.clear();
        for word in 0..model.words {
            let bits = self.members[a * model.words + word] | self.members[b * model.words + word];
            seen[word] = bits;
            append_bits(bits, word, &mut chain);
        }
        let mut none = Bound::new(limit, false);
        let delta = self.follow(model, (a, b), &mut chain, &mut seen, &mut none, &mut Experience::default());
        let is_made = match delta {
            Some(delta) => {
                let sides = Sides { periods: (a, b), chain: &chain, seen: &seen, delta };
                self.swap_sides(model, &sides, limit, true)
            }
            None => false,
        };
        self.chain = chain;
        self.seen = seen;
        is_made
    }
}
