//! The archive that Pareto local search explores, and the queue of members to be explored next.
//!
//! Members are drawn at random into a queue and explored in queue order; a member that has left the archive before its
//! turn is passed over. When half of the queue is left, further members are drawn. The next members are therefore known
//! in advance, and a device can prefetch their neighbourhoods while the host archives.
//!
//! The queue's target length (`horizon`, 1 to [`MOST_DRAWN`]) follows the share of queued members that are still in the
//! archive at their turn: it doubles at three quarters or more and halves below one half. It depends on the search
//! alone, not on the backend. A search whose archive is replaced in almost every step has a short queue, one near a
//! front a long one.

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::sync::Arc;

use gridwright_core::search::pareto::{Archive, Point};

use super::exploration::Neighbourhood;
use super::explorer::{ArchivePoints, Member as Explored};
use crate::draws::Draws;

/// Largest queue length, unless a step explores more members than this.
pub(crate) const MOST_DRAWN: usize = 64;

/// From this number of members per step on, a step fills a device, and no more members are queued than it explores.
const ENOUGH: usize = 16;

/// A member of the archive.
///
/// Its order is built on first use, because most neighbours leave the archive before anyone reads it.
#[derive(Debug)]
pub(crate) struct Member {
    /// Entry number: members inserted before in the whole run. Members are stored in this order.
    entry: u64,
    /// True once its neighbourhood was explored.
    pub explored: bool,
    /// True once it was put into the queue.
    drawn: bool,
    /// The explored order that it is a neighbour of, and its neighbour number.
    neighbour: Option<(Arc<[u16]>, u64)>,
    order: OnceCell<Arc<[u16]>>,
}

impl Member {
    /// Job indices of the member in their order, worked out from its base order in `neighbourhood` on the first call.
    pub(crate) fn order(&self, neighbourhood: Neighbourhood) -> &Arc<[u16]> {
        self.order.get_or_init(|| match &self.neighbour {
            Some((order, number)) => neighbourhood.apply(order, *number).into(),
            None => Arc::from([]),
        })
    }
}

/// The archive, the points that have arrived since the last exploration, and the queue.
#[derive(Debug)]
pub(crate) struct Pool {
    neighbourhood: Neighbourhood,
    archive: Archive<Member>,
    arrivals: Option<Vec<Point>>,
    /// Number of members inserted in the whole run.
    entries: u64,
    /// The queue: entry numbers of drawn members in the order of their turns; some may have left the archive.
    drawn: VecDeque<u64>,
    /// Members that had their turn since the horizon was last adapted, and how many of them were still in the archive.
    turns: usize,
    hits: usize,
    /// True once the queue was filled to the horizon; `drawn_at` is the entry counter at that moment.
    is_full: bool,
    drawn_at: u64,
    /// Target length of the queue.
    horizon: usize,
}

impl Pool {
    pub(crate) fn new(neighbourhood: Neighbourhood) -> Self {
        Self {
            neighbourhood,
            archive: Archive::default(),
            arrivals: None,
            entries: 0,
            drawn: VecDeque::new(),
            turns: 0,
            hits: 0,
            is_full: false,
            drawn_at: 0,
            horizon: 1,
        }
    }

    pub(crate) fn archive(&self) -> &Archive<Member> {
        &self.archive
    }

    pub(crate) fn clear(&mut self) {
        self.archive.clear();
        self.arrivals = None;
        self.drawn.clear();
        (self.turns, self.hits, self.is_full, self.drawn_at, self.horizon) = (0, 0, false, 0, 1);
    }

    /// Offers an order; returns `true` if no member covers its point, so that it was inserted.
    pub(crate) fn offer(&mut self, point: Point, order: impl FnOnce() -> Arc<[u16]>) -> bool {
        let entry = self.entries;
        let member =
            || Member { entry, explored: false, drawn: false, neighbour: None, order: OnceCell::from(order()) };
        if !self.archive.insert_with(point, member) {
            return false;
        }
        self.entries += 1;
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.push(point);
        }
        true
    }

    /// Offers neighbours of `order` one after the other. No member with an entry number below `known` covers any of
    /// them, so they are compared with later members only.
    pub(crate) fn offer_all(&mut self, known: u64, order: &Arc<[u16]>, neighbours: &[(Point, u64)]) {
        let Self { archive, arrivals, entries, .. } = self;
        let known = archive.items().partition_point(|member| member.entry < known);
        let item = |point, number| {
            if let Some(arrivals) = arrivals {
                arrivals.push(point);
            }
            *entries += 1;
            let neighbour = Some((Arc::clone(order), number));
            Member { entry: *entries - 1, explored: false, drawn: false, neighbour, order: OnceCell::new() }
        };
        pulp::Arch::new().dispatch(InsertTask { archive, known, neighbours, item });
    }

    /// Members inserted from entry number `entry` on that are still in the archive, in order of insertion.
    pub(crate) fn since(&self, entry: u64) -> impl Iterator<Item = (Point, Arc<[u16]>)> {
        let members = self.archive.items().iter().skip(self.first_since(entry));
        let members = self.points_since(entry).iter().zip(members);
        members.map(|(point, member)| (*point, Arc::clone(member.order(self.neighbourhood))))
    }

    /// Points of the members that [`Self::since`] returns.
    pub(crate) fn points_since(&self, entry: u64) -> &[Point] {
        &self.archive.points()[self.first_since(entry)..]
    }

    fn first_since(&self, entry: u64) -> usize {
        self.archive.items().partition_point(|member| member.entry < entry)
    }

    /// Returns `true` if some member has not been explored.
    pub(crate) fn has_unexplored(&self) -> bool {
        // The first member of the queue usually decides.
        self.drawn.iter().any(|&entry| place(&self.archive, entry).is_some())
            || self.archive.items().iter().any(|member| !member.explored)
    }

    /// Takes the members of this step, at most `most`, from the queue; refills the queue if it is half empty.
    pub(crate) fn pick(&mut self, most: usize, draws: &mut Draws) -> Vec<Explored> {
        let mut picked = self.take(most);
        if picked.is_empty() {
            self.draw(most, draws);
            picked = self.take(most);
        }
        let may_have_more = self.is_full || self.entries > self.drawn_at;
        if self.horizon > most && self.drawn.len() <= self.horizon / 2 && may_have_more {
            self.draw(most, draws);
        }
        picked
    }

    /// Takes up to `most` members that are still in the archive from the front of the queue.
    fn take(&mut self, most: usize) -> Vec<Explored> {
        let mut picked = Vec::with_capacity(most.min(self.drawn.len()));
        while picked.len() < most
            && let Some(entry) = self.drawn.pop_front()
        {
            self.turns += 1;
            if let Some(place) = place(&self.archive, entry) {
                self.hits += 1;
                self.archive.items_mut()[place].explored = true;
                picked.push(self.member(place));
            }
        }
        picked
    }

    /// Members of the queue that are still in the archive, in the order of their turns.
    pub(crate) fn upcoming(&self) -> Vec<Explored> {
        let places = self.drawn.iter().filter_map(|&entry| place(&self.archive, entry));
        places.map(|place| self.member(place)).collect()
    }

    fn member(&self, place: usize) -> Explored {
        let member = &self.archive.items()[place];
        let order = Arc::clone(member.order(self.neighbourhood));
        Explored { entry: member.entry, point: self.archive.points()[place], order }
    }

    /// Draws members that have not been drawn before until the queue has its target length; adapts that length first.
    fn draw(&mut self, most: usize, draws: &mut Draws) {
        let items = self.archive.items();
        let mut available: Vec<usize> = (0..items.len()).filter(|&place| !items[place].drawn).collect();
        self.drawn_at = self.entries;
        if available.is_empty() {
            return;
        }
        self.horizon = self.horizon.max(most);
        if 2 * self.turns >= self.horizon {
            let largest = if most < ENOUGH { MOST_DRAWN } else { most };
            // If fewer were available than wanted, the success rate does not tell whether a longer queue would pay.
            if self.is_full && 4 * self.hits >= 3 * self.turns {
                self.horizon = (2 * self.horizon).min(largest);
            } else if 2 * self.hits < self.turns {
                self.horizon = (self.horizon / 2).max(most);
            }
            (self.turns, self.hits) = (0, 0);
        }
        let wanted = self.horizon.saturating_sub(self.drawn.len());
        self.is_full = available.len() >= wanted;
        for _ in 0..wanted.min(available.len()) {
            let member = &mut self.archive.items_mut()[available.remove(draws.below(available.len()))];
            member.drawn = true;
            self.drawn.push_back(member.entry);
        }
    }

    /// Points against which neighbours are filtered.
    pub(crate) fn known(&self) -> ArchivePoints<'_> {
        ArchivePoints { all: self.archive.points(), arrivals: self.arrivals.as_deref(), entries: self.entries }
    }

    /// Declares all arrived points as seen by the explorer.
    pub(crate) fn mark_seen(&mut self) {
        match &mut self.arrivals {
            Some(arrivals) => arrivals.clear(),
            arrivals => *arrivals = Some(Vec::new()),
        }
    }
}

/// Index in the archive of the member with this entry number; `None` if it has left.
fn place(archive: &Archive<Member>, entry: u64) -> Option<usize> {
    archive.items().binary_search_by_key(&entry, |member| member.entry).ok()
}

/// Insertion of survivors; dispatched to the best SIMD instruction set at run time.
struct InsertTask<'a, F> {
    archive: &'a mut Archive<Member>,
    known: usize,
    neighbours: &'a [(Point, u64)],
    item: F,
}

impl<F: FnMut(Point, u64) -> Member> pulp::NullaryFnOnce for InsertTask<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.archive.insert_all(self.known, self.neighbours, self.item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::MEMBER;
    use gridwright_core::random::Philox;

    fn offer(pool: &mut Pool, values: [u64; 2]) -> bool {
        pool.offer([values[0], values[1], 0, 0], || Arc::from([0_u16, 1]))
    }

    fn pick(pool: &mut Pool, most: usize, step: u64) -> (Vec<u64>, Vec<u64>) {
        let picked = pool.pick(most, &mut Draws::new(Philox::new(7), step, 0, MEMBER));
        let upcoming = pool.upcoming();
        let entries = |members: Vec<Explored>| members.iter().map(|member| member.entry).collect();
        (entries(picked), entries(upcoming))
    }

    /// Queued members come next, in queue order, unless they have left; every member is explored once.
    #[test]
    fn those_drawn_come_next_unless_they_have_left() {
        let mut pool = Pool::new(Neighbourhood::Insertion);
        (0..8).for_each(|number| assert!(offer(&mut pool, [10 + number, 20 - number])));
        let (mut explored, mut expected, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
        for step in 0..8 {
            let (picked, upcoming) = pick(&mut pool, 1, step);
            if !expected.is_empty() {
                // Newly drawn members are appended to the queue.
                assert_eq!(picked[0], expected[0]);
                assert!(upcoming.starts_with(&expected[1..]), "{upcoming:?} after {expected:?}");
            }
            explored.extend(picked);
            waiting.push(upcoming.len());
            expected = upcoming;
        }
        // Empty at first; then ever more members are drawn whenever half of the queue is left.
        assert_eq!(waiting, [0, 4, 3, 4, 3, 2, 1, 0]);
        assert!(!pool.has_unexplored());
        explored.sort_unstable();
        assert_eq!(explored, (0..8).collect::<Vec<_>>());
        assert_eq!(pick(&mut pool, 1, 8), (Vec::new(), Vec::new()));

        // A point that covers all members but those at the two ends.
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

    /// The order of a neighbour is built on first use.
    #[test]
    fn neighbours_are_made_of_their_numbers() {
        let mut pool = Pool::new(Neighbourhood::Insertion);
        let order: Arc<[u16]> = Arc::from([0, 1, 2]);
        // The job in position 0 moves to 2, the one in position 2 to 0; the last neighbour covers the first.
        pool.offer_all(0, &order, &[([5, 5, 0, 0], 1), ([4, 6, 0, 0], 4), ([5, 4, 0, 0], 5)]);
        let orders: Vec<Vec<u16>> = pool.since(0).map(|(_, order)| order.to_vec()).collect();
        assert_eq!(orders, [[2, 0, 1], [0, 2, 1]]);
        assert_eq!((pool.known().entries, pool.since(2).count()), (3, 1));
    }

    /// A step that explores many members draws all of them at once.
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
