//! The archive that Pareto local search explores, and which of its members come next.
//!
//! Members are drawn by chance, some at once, and explored one after the other. One that has left the archive before its
//! turn is passed over; when half of those drawn are left, others are drawn to follow them. So it is always known what will be
//! explored next, and a device can compute ahead while the host archives. The more of those that were drawn are explored in the end,
//! the more are drawn: where almost every step replaces the archive, hardly any, near a front, many.

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::sync::Arc;

use crate::search::pareto::{Archive, Point};

use super::draws::Draws;
use super::exploration::Neighbourhood;
use super::explorer::{Known, Member as Explored};

/// Members that wait for their turn where a step explores fewer, at most.
pub const MOST_DRAWN: usize = 64;

/// So many members of a step fill a device: no more are drawn than it explores.
const ENOUGH: usize = 16;

/// A member of the archive that is explored.
///
/// Most leave before anyone asks for their orders: a neighbour's is made when it is needed.
#[derive(Debug)]
pub struct Member {
    /// How many members came before, in the whole run. Members stand in this order.
    entry: u64,
    /// Whether its neighbourhood was explored.
    pub explored: bool,
    /// Whether it waits for its turn, or had it.
    drawn: bool,
    /// The order that it is a neighbour of, and its number.
    neighbour: Option<(Arc<[u16]>, u64)>,
    order: OnceCell<Arc<[u16]>>,
}

impl Member {
    /// The jobs.
    pub fn order(&self, neighbourhood: Neighbourhood) -> &Arc<[u16]> {
        self.order.get_or_init(|| match &self.neighbour {
            Some((order, number)) => neighbourhood.apply(order, *number).into(),
            None => Arc::from([]),
        })
    }
}

/// The archive that is explored, what has come to it since that was done, and who was drawn.
#[derive(Debug)]
pub struct Pool {
    neighbourhood: Neighbourhood,
    archive: Archive<Member>,
    came: Option<Vec<Point>>,
    /// Members that have come so far, in the whole run.
    entries: u64,
    /// Those drawn that were not asked for yet, by their entries, the next first; some may have left.
    drawn: VecDeque<u64>,
    /// How many of those drawn had their turn since others were, and how many of them were still there.
    count: usize,
    used: usize,
    /// Whether as many wait as should, and how many members had come when they were drawn.
    full: bool,
    seen: u64,
    /// How many should wait.
    horizon: usize,
}

impl Pool {
    /// Nobody yet; neighbours are numbered as in this neighbourhood.
    pub fn new(neighbourhood: Neighbourhood) -> Self {
        Self {
            neighbourhood,
            archive: Archive::default(),
            came: None,
            entries: 0,
            drawn: VecDeque::new(),
            count: 0,
            used: 0,
            full: false,
            seen: 0,
            horizon: 1,
        }
    }

    /// Its members.
    pub fn archive(&self) -> &Archive<Member> {
        &self.archive
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.archive.clear();
        self.came = None;
        self.drawn.clear();
        (self.count, self.used, self.full, self.seen, self.horizon) = (0, 0, false, 0, 1);
    }

    /// Takes an order that no member covers.
    pub fn offer(&mut self, point: Point, order: impl FnOnce() -> Arc<[u16]>) -> bool {
        let entry = self.entries;
        let member =
            || Member { entry, explored: false, drawn: false, neighbour: None, order: OnceCell::from(order()) };
        if !self.archive.insert_with(point, member) {
            return false;
        }
        self.entries += 1;
        if let Some(came) = &mut self.came {
            came.push(point);
        }
        true
    }

    /// Takes neighbours of an order, one after the other, that none of the members before entry `known` covers.
    pub fn offer_all(&mut self, known: u64, order: &Arc<[u16]>, left: &[(Point, u64)]) {
        let Self { archive, came, entries, .. } = self;
        let known = archive.items().partition_point(|member| member.entry < known);
        let item = |point, number| {
            if let Some(came) = came {
                came.push(point);
            }
            *entries += 1;
            let neighbour = Some((Arc::clone(order), number));
            Member { entry: *entries - 1, explored: false, drawn: false, neighbour, order: OnceCell::new() }
        };
        pulp::Arch::new().dispatch(Take { archive, known, left, item });
    }

    /// Members that have come from this entry on and are still there, in the order in which they came.
    pub fn since(&self, entry: u64) -> impl Iterator<Item = (Point, Arc<[u16]>)> {
        let first = self.archive.items().partition_point(|member| member.entry < entry);
        let members = self.archive.points()[first..].iter().zip(&self.archive.items()[first..]);
        members.map(|(point, member)| (*point, Arc::clone(member.order(self.neighbourhood))))
    }

    /// Whether a member was not explored yet.
    pub fn has_unexplored(&self) -> bool {
        // Most often the first of those drawn is there.
        self.drawn.iter().any(|&entry| place(&self.archive, entry).is_some())
            || self.archive.items().iter().any(|member| !member.explored)
    }

    /// The members that are explored now, at most `most`.
    pub fn pick(&mut self, most: usize, draws: &mut Draws) -> Vec<Explored> {
        let mut picked = self.take(most);
        if picked.is_empty() {
            self.draw(most, draws);
            picked = self.take(most);
        }
        let there_may_be_some = self.full || self.entries > self.seen;
        if self.horizon > most && self.drawn.len() <= self.horizon / 2 && there_may_be_some {
            self.draw(most, draws);
        }
        picked
    }

    /// The next of those drawn, at most `most`.
    fn take(&mut self, most: usize) -> Vec<Explored> {
        let mut picked = Vec::with_capacity(most.min(self.drawn.len()));
        while picked.len() < most
            && let Some(entry) = self.drawn.pop_front()
        {
            self.count += 1;
            if let Some(place) = place(&self.archive, entry) {
                self.used += 1;
                self.archive.items_mut()[place].explored = true;
                picked.push(self.member(place));
            }
        }
        picked
    }

    /// Those that are explored next, unless they leave before.
    pub fn upcoming(&self) -> Vec<Explored> {
        let places = self.drawn.iter().filter_map(|&entry| place(&self.archive, entry));
        places.map(|place| self.member(place)).collect()
    }

    fn member(&self, place: usize) -> Explored {
        let member = &self.archive.items()[place];
        let order = Arc::clone(member.order(self.neighbourhood));
        Explored { entry: member.entry, point: self.archive.points()[place], order }
    }

    /// Draws members that were not drawn yet, if there are any, until as many wait as should.
    fn draw(&mut self, most: usize, draws: &mut Draws) {
        let items = self.archive.items();
        let mut left: Vec<usize> = (0..items.len()).filter(|&place| !items[place].drawn).collect();
        self.seen = self.entries;
        if left.is_empty() {
            return;
        }
        self.horizon = self.horizon.max(most);
        if 2 * self.count >= self.horizon {
            let largest = if most < ENOUGH { MOST_DRAWN } else { most };
            // Where fewer were there to be drawn, it is not known whether more would have been explored.
            if self.full && 4 * self.used >= 3 * self.count {
                self.horizon = (2 * self.horizon).min(largest);
            } else if 2 * self.used < self.count {
                self.horizon = (self.horizon / 2).max(most);
            }
            (self.count, self.used) = (0, 0);
        }
        let wanted = self.horizon.saturating_sub(self.drawn.len());
        self.full = left.len() >= wanted;
        for _ in 0..wanted.min(left.len()) {
            let member = &mut self.archive.items_mut()[left.remove(draws.below(left.len()))];
            member.drawn = true;
            self.drawn.push_back(member.entry);
        }
    }

    /// What neighbours have to stand up to.
    pub fn known(&self) -> Known<'_> {
        Known { all: self.archive.points(), came: self.came.as_deref(), entries: self.entries }
    }

    /// Those who explore have seen what has come.
    pub fn was_seen(&mut self) {
        match &mut self.came {
            Some(came) => came.clear(),
            came => *came = Some(Vec::new()),
        }
    }
}

/// Where the member of an entry stands, unless it has left.
fn place(archive: &Archive<Member>, entry: u64) -> Option<usize> {
    archive.items().binary_search_by_key(&entry, |member| member.entry).ok()
}

/// Neighbours that an archive takes, compiled for the vector unit that is there.
struct Take<'a, F> {
    archive: &'a mut Archive<Member>,
    known: usize,
    left: &'a [(Point, u64)],
    item: F,
}

impl<F: FnMut(Point, u64) -> Member> pulp::NullaryFnOnce for Take<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.archive.insert_all(self.known, self.left, self.item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flowshop::multiobjective::draws::MEMBER;
    use crate::random::Philox;

    fn offer(pool: &mut Pool, values: [u64; 2]) -> bool {
        pool.offer([values[0], values[1], 0, 0], || Arc::from([0_u16, 1]))
    }

    fn pick(pool: &mut Pool, most: usize, step: u64) -> (Vec<u64>, Vec<u64>) {
        let picked = pool.pick(most, &mut Draws::new(Philox::new(7), step, 0, MEMBER));
        let upcoming = pool.upcoming();
        let entries = |members: Vec<Explored>| members.iter().map(|member| member.entry).collect();
        (entries(picked), entries(upcoming))
    }

    /// Who was drawn comes next, in this order, unless it has left; everybody is explored once.
    #[test]
    fn those_drawn_come_next_unless_they_have_left() {
        let mut pool = Pool::new(Neighbourhood::Insertion);
        (0..8).for_each(|number| assert!(offer(&mut pool, [10 + number, 20 - number])));
        let (mut explored, mut foreseen, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
        for step in 0..8 {
            let (picked, upcoming) = pick(&mut pool, 1, step);
            if !foreseen.is_empty() {
                // Others follow behind those who were there.
                assert_eq!(picked[0], foreseen[0]);
                assert!(upcoming.starts_with(&foreseen[1..]), "{upcoming:?} after {foreseen:?}");
            }
            explored.extend(picked);
            waiting.push(upcoming.len());
            foreseen = upcoming;
        }
        // Nobody at first; then more and more are drawn, as soon as half of them are left.
        assert_eq!(waiting, [0, 4, 3, 4, 3, 2, 1, 0]);
        assert!(!pool.has_unexplored());
        explored.sort_unstable();
        assert_eq!(explored, (0..8).collect::<Vec<_>>());
        assert_eq!(pick(&mut pool, 1, 8), (Vec::new(), Vec::new()));

        // A point that covers all but those who stand at the ends.
        let mut pool = Pool::new(Neighbourhood::Insertion);
        (0..8).for_each(|number| assert!(offer(&mut pool, [10 + number, 20 - number])));
        let mut upcoming = Vec::new();
        (0..2).for_each(|step| upcoming = pick(&mut pool, 1, step).1);
        assert_eq!(upcoming.len(), 4);
        assert!(offer(&mut pool, [11, 14]));
        assert_eq!(pool.archive().len(), 3);
        let stays: Vec<u64> = upcoming.into_iter().filter(|entry| [0, 7].contains(entry)).collect();
        let (picked, upcoming) = pick(&mut pool, 1, 2);
        assert_eq!(picked[0], *stays.first().unwrap_or(&8), "the next of those who stay, or who has come");
        assert!(upcoming.starts_with(stays.get(1..).unwrap_or_default()));
    }

    /// The order of a neighbour is made when it is asked for.
    #[test]
    fn neighbours_are_made_of_their_numbers() {
        let mut pool = Pool::new(Neighbourhood::Insertion);
        let order: Arc<[u16]> = Arc::from([0, 1, 2]);
        // The job in position 0 goes to 2, the one in position 2 to 0; the last one covers the first.
        pool.offer_all(0, &order, &[([5, 5, 0, 0], 1), ([4, 6, 0, 0], 4), ([5, 4, 0, 0], 5)]);
        let orders: Vec<Vec<u16>> = pool.since(0).map(|(_, order)| order.to_vec()).collect();
        assert_eq!(orders, [[2, 0, 1], [0, 2, 1]]);
        assert_eq!((pool.known().entries, pool.since(2).count()), (3, 1));
    }

    /// Several at a time are drawn at once.
    #[test]
    fn a_step_gets_as_many_as_it_asks_for() {
        let mut pool = Pool::new(Neighbourhood::Insertion);
        (0..40).for_each(|number| assert!(offer(&mut pool, [10 + number, 80 - number])));
        let (picked, upcoming) = pick(&mut pool, 32, 0);
        assert_eq!((picked.len(), upcoming.len()), (32, 0));
        assert_eq!(pick(&mut pool, 32, 1).0.len(), 8);
        pool.clear();
        assert!(!pool.has_unexplored() && pick(&mut pool, 32, 2).0.is_empty());
    }
}
