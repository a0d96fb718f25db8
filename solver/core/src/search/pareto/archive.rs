//! Archive of non-dominated points in the order of their insertion.

use std::ops::Range;

use super::{MAX_OBJECTIVES, Point, covers};

/// Largest number of members of a run; consecutive members are often close to each other.
const RUN: usize = 32;

/// Number of members compared in parallel.
const SIDE_BY_SIDE: usize = 8;

/// Run: consecutive members with the bounding box of their points.
#[derive(Debug, Clone, Copy)]
struct Run {
    members: usize,
    low: Point,
    high: Point,
    /// True if the box may be larger than necessary.
    loose: bool,
}

impl Run {
    /// Run of these members.
    #[inline(always)]
    fn of(points: &[Point]) -> Self {
        let mut run = Self { members: 0, low: [u64::MAX; MAX_OBJECTIVES], high: [0; MAX_OBJECTIVES], loose: false };
        points.iter().for_each(|point| run.join(1, point, point));
        run
    }

    #[inline(always)]
    fn join(&mut self, members: usize, low: &Point, high: &Point) {
        self.members += members;
        for axis in 0..MAX_OBJECTIVES {
            self.low[axis] = self.low[axis].min(low[axis]);
            self.high[axis] = self.high[axis].max(high[axis]);
        }
    }
}

/// Values of some members by axis, saturated to 31 bits. Saturation preserves weak dominance, so the block comparison
/// is a filter without false negatives.
type Block = [[i32; SIDE_BY_SIDE]; MAX_OBJECTIVES];

/// Blocks of all members; the last one may be partly filled.
#[derive(Debug, Clone, Default)]
struct Columns(Vec<Block>);

impl Columns {
    #[inline(always)]
    fn narrowed(point: &Point) -> [i32; MAX_OBJECTIVES] {
        point.map(|value| value.min(i32::MAX as u64) as i32)
    }

    /// Writes a point to a place, at most one behind the last.
    #[inline(always)]
    fn write(&mut self, place: usize, point: &Point) {
        if place / SIDE_BY_SIDE == self.0.len() {
            self.0.push([[0; SIDE_BY_SIDE]; MAX_OBJECTIVES]);
        }
        for (column, value) in self.0[place / SIDE_BY_SIDE].iter_mut().zip(Self::narrowed(point)) {
            column[place % SIDE_BY_SIDE] = value;
        }
    }

    /// Calls `found` with the places of the members for which `holds` is true on all axes, until `found` returns
    /// `true`; returns whether it did.
    #[inline(always)]
    fn each(
        &self, members: Range<usize>, point: &Point, holds: impl Fn(i32, i32) -> bool,
        mut found: impl FnMut(usize) -> bool,
    ) -> bool {
        let point = Self::narrowed(point);
        let first = members.start / SIDE_BY_SIDE;
        for (number, block) in self.0[first..members.end.div_ceil(SIDE_BY_SIDE)].iter().enumerate() {
            // Branch-free, so that the comparison is vectorised.
            let mut mask = 0_u32;
            for lane in 0..SIDE_BY_SIDE {
                let all = (0..MAX_OBJECTIVES).fold(true, |all, axis| all & holds(block[axis][lane], point[axis]));
                mask |= u32::from(all) << lane;
            }
            while mask != 0 {
                let place = (first + number) * SIDE_BY_SIDE + mask.trailing_zeros() as usize;
                if members.contains(&place) && found(place) {
                    return true;
                }
                mask &= mask - 1;
            }
        }
        false
    }
}

/// Archive of mutually non-dominated, distinct points, each with an item.
///
/// Members are kept in insertion order; removals close the gap. Equal sequences of insertions therefore give equal
/// archives, position by position. Members are compared run by run, because the bounding box of a run often decides for
/// all its members, and in parallel within a run.
#[derive(Debug, Clone)]
pub struct Archive<T> {
    points: Vec<Point>,
    columns: Columns,
    items: Vec<T>,
    /// Runs of all members, in order.
    runs: Vec<Run>,
    /// Places of members marked for removal, unordered, possibly repeated.
    leaving: Vec<usize>,
}

impl<T> Default for Archive<T> {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            columns: Columns::default(),
            items: Vec::new(),
            runs: Vec::new(),
            leaving: Vec::new(),
        }
    }
}

impl<T: PartialEq> PartialEq for Archive<T> {
    fn eq(&self, other: &Self) -> bool {
        self.points == other.points && self.items == other.items
    }
}

impl<T: Eq> Eq for Archive<T> {}

impl<T> Archive<T> {
    /// Number of members.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Returns `true` if the archive is empty.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Points, in insertion order.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Items, in insertion order.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// Mutable items, in insertion order.
    pub fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// Points with their items, in insertion order.
    pub fn iter(&self) -> impl Iterator<Item = (&Point, &T)> {
        self.points.iter().zip(&self.items)
    }

    /// Returns `true` if a member equals or dominates the point.
    #[inline(always)]
    pub fn covers(&self, point: &Point) -> bool {
        self.covers_from(0, point)
    }

    /// As [`Self::covers`], for the members from place `first` on.
    #[inline(always)]
    fn covers_from(&self, first: usize, point: &Point) -> bool {
        let mut end = self.points.len();
        // The newest members are most likely to be near.
        for run in self.runs.iter().rev() {
            if end <= first {
                return false;
            }
            let begin = end - run.members;
            let members = begin.max(first)..end;
            let is_there = |place: usize| covers(&self.points[place], point);
            if covers(&run.low, point) && self.columns.each(members, point, |member, value| member <= value, is_there) {
                return true;
            }
            end = begin;
        }
        false
    }

    /// Inserts a point that no member covers, with the item that `item` makes, and removes the members that it
    /// dominates; of equal points the first stays. Returns `true` if the point was inserted.
    #[inline(always)]
    pub fn insert_with(&mut self, point: Point, item: impl FnOnce() -> T) -> bool {
        if self.covers(&point) {
            return false;
        }
        self.dismiss(&point);
        self.close_gaps();
        self.append(point, item());
        true
    }

    /// Inserts as [`Self::insert_with`] does, with a ready item.
    #[inline(always)]
    pub fn insert(&mut self, point: Point, item: T) -> bool {
        self.insert_with(point, || item)
    }

    /// Inserts several points as [`Self::insert_with`] does. Precondition: none is covered by one of the first `known`
    /// members. `item` makes the item from the point and the value beside it.
    #[inline(always)]
    pub fn insert_all<K: Copy>(&mut self, known: usize, points: &[(Point, K)], mut item: impl FnMut(Point, K) -> T) {
        for &(point, beside) in points {
            // Members marked for removal are covered by others; asking them as well changes nothing.
            if self.covers_from(known, &point) {
                continue;
            }
            self.dismiss(&point);
            self.append(point, item(point, beside));
        }
        self.close_gaps();
    }

    /// Copies the points of another archive, with items made by `item`.
    pub fn mirror<U>(&mut self, other: &Archive<U>, item: impl FnMut(&U) -> T) {
        self.points.clone_from(&other.points);
        self.columns.clone_from(&other.columns);
        self.runs.clone_from(&other.runs);
        self.items.clear();
        self.items.extend(other.items.iter().map(item));
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        self.points.clear();
        self.columns.0.clear();
        self.items.clear();
        self.runs.clear();
    }

    /// Marks the members that the point covers for removal.
    #[inline(always)]
    fn dismiss(&mut self, point: &Point) {
        let Self { points, columns, runs, leaving, .. } = self;
        let mut begin = 0;
        for run in runs.iter() {
            let end = begin + run.members;
            if covers(point, &run.high) {
                columns.each(
                    begin..end,
                    point,
                    |member, value| value <= member,
                    |place| {
                        if covers(point, &points[place]) {
                            leaving.push(place);
                        }
                        false
                    },
                );
            }
            begin = end;
        }
    }

    #[inline(always)]
    fn append(&mut self, point: Point, item: T) {
        self.columns.write(self.points.len(), &point);
        self.points.push(point);
        self.items.push(item);
        match self.runs.last_mut() {
            Some(run) if run.members < RUN => run.join(1, &point, &point),
            _ => self.runs.push(Run::of(&[point])),
        }
    }

    /// Removes the marked members.
    fn close_gaps(&mut self) {
        let Some(&first) = self.leaving.iter().min() else { return };
        self.leaving.sort_unstable();
        self.leaving.dedup();
        let (mut kept, mut next) = (first, 0);
        for number in first..self.points.len() {
            if self.leaving.get(next) == Some(&number) {
                next += 1;
                continue;
            }
            self.points[kept] = self.points[number];
            self.columns.write(kept, &self.points[kept]);
            kept += 1;
        }
        self.points.truncate(kept);
        self.columns.0.truncate(kept.div_ceil(SIDE_BY_SIDE));
        let (mut number, mut leaving) = (0, self.leaving.iter().peekable());
        self.items.retain(|_| {
            number += 1;
            leaving.next_if(|&&place| place + 1 == number).is_none()
        });
        // Shortens the runs and joins neighbours that fit into one.
        let (mut begin, mut next) = (0, 0);
        let mut runs = 0;
        for number in 0..self.runs.len() {
            let run = self.runs[number];
            let gone = self.leaving[next..].iter().take_while(|&&place| place < begin + run.members).count();
            begin += run.members;
            next += gone;
            let left = Run { members: run.members - gone, loose: gone > 0, ..run };
            match self.runs[..runs].last_mut() {
                Some(before) if before.members + left.members <= RUN && left.members > 0 => {
                    before.join(left.members, &left.low, &left.high);
                    before.loose |= left.loose;
                }
                _ if left.members == 0 => {}
                _ => {
                    self.runs[runs] = left;
                    runs += 1;
                }
            }
        }
        self.runs.truncate(runs);
        let mut begin = 0;
        for run in &mut self.runs {
            let end = begin + run.members;
            if run.loose {
                *run = Run::of(&self.points[begin..end]);
            }
            begin = end;
        }
        self.leaving.clear();
    }
}
