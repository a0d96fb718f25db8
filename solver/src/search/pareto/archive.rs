//! Points of which none covers another, in the order in which they came.

use std::ops::Range;

use super::{MAX_OBJECTIVES, Point, covers, is_covered};

/// Members of a run at most. Those that came one after the other are often close to each other.
const RUN: usize = 32;

/// Some neighbouring members: how many, and the corners of a box that holds their points.
#[derive(Debug, Clone, Copy)]
struct Run {
    members: usize,
    low: Point,
    high: Point,
    /// Whether the box may be larger than needed.
    loose: bool,
}

impl Run {
    /// The run of these members.
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

/// The values of points, axis by axis, in 31 bits: what is larger counts as the largest of these. Where a point covers another one, it
/// does so here, too, and many are compared at once.
#[derive(Debug, Clone, Default)]
struct Columns([Vec<i32>; MAX_OBJECTIVES]);

impl Columns {
    #[inline(always)]
    fn narrowed(point: &Point) -> [i32; MAX_OBJECTIVES] {
        point.map(|value| value.min(i32::MAX as u64) as i32)
    }

    #[inline(always)]
    fn push(&mut self, point: &Point) {
        for (column, value) in self.0.iter_mut().zip(Self::narrowed(point)) {
            column.push(value);
        }
    }

    #[inline(always)]
    fn copy(&mut self, from: usize, to: usize) {
        self.0.iter_mut().for_each(|column| column[to] = column[from]);
    }

    fn truncate(&mut self, members: usize) {
        self.0.iter_mut().for_each(|column| column.truncate(members));
    }

    /// Whether `holds` on all axes for one of some members.
    #[inline(always)]
    fn any(&self, members: Range<usize>, point: [i32; MAX_OBJECTIVES], holds: impl Fn(i32, i32) -> bool) -> bool {
        let count = members.len();
        let [a, b, c, d] = self.0.each_ref().map(|column| &column[members.clone()][..count]);
        // Without a branch, so that vectors are compared.
        let mut any = 0;
        for at in 0..count {
            let all = holds(a[at], point[0]) & holds(b[at], point[1]) & holds(c[at], point[2]) & holds(d[at], point[3]);
            any |= i32::from(all);
        }
        any != 0
    }
}

/// Points of which none dominates another and no two are equal, each with something that belongs to it.
///
/// The order of the members is that in which they came; members that leave close the gap. So equal sequences of insertions
/// make equal archives, position by position.
///
/// Members are compared run by run: one look at the corners of a run is most often enough for all in it.
#[derive(Debug, Clone)]
pub struct Archive<T> {
    points: Vec<Point>,
    columns: Columns,
    items: Vec<T>,
    /// All members, one run after the other.
    runs: Vec<Run>,
    /// Places of members that are about to leave, in any order, some of them several times.
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

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The points, in the order in which they came.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// What belongs to the points, likewise.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// What belongs to the points, to be changed.
    pub fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// Points and what belongs to them.
    pub fn iter(&self) -> impl Iterator<Item = (&Point, &T)> {
        self.points.iter().zip(&self.items)
    }

    /// Whether a member is equal to the point or dominates it.
    #[inline(always)]
    pub fn covers(&self, point: &Point) -> bool {
        self.covers_from(0, point)
    }

    /// The same for the members from place `first` on.
    #[inline(always)]
    fn covers_from(&self, first: usize, point: &Point) -> bool {
        let narrowed = Columns::narrowed(point);
        let mut end = self.points.len();
        // What came last is most likely to be near.
        for run in self.runs.iter().rev() {
            if end <= first {
                return false;
            }
            let begin = end - run.members;
            let members = begin.max(first)..end;
            if covers(&run.low, point)
                && self.columns.any(members.clone(), narrowed, |member, value| member <= value)
                && is_covered(&self.points[members], point)
            {
                return true;
            }
            end = begin;
        }
        false
    }

    /// Takes a point that no member covers, with what `item` makes, and drops the members that it dominates. Of equal points
    /// the first one stays. Says whether the point was taken.
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

    /// As [`Self::insert_with`].
    #[inline(always)]
    pub fn insert(&mut self, point: Point, item: T) -> bool {
        self.insert_with(point, || item)
    }

    /// Takes one point after the other, as [`Self::insert_with`] does, but none of them is covered by one of the first `known`
    /// members: that was seen to before. `item` is made of what stands beside the point.
    #[inline(always)]
    pub fn insert_all<K: Copy>(&mut self, known: usize, points: &[(Point, K)], mut item: impl FnMut(Point, K) -> T) {
        for &(point, beside) in points {
            // Members that are about to leave are covered by others: asking them as well changes nothing.
            if self.covers_from(known, &point) {
                continue;
            }
            self.dismiss(&point);
            self.append(point, item(point, beside));
        }
        self.close_gaps();
    }

    /// Becomes a copy of another archive, but for what belongs to the points.
    pub fn mirror<U>(&mut self, other: &Archive<U>, item: impl FnMut(&U) -> T) {
        self.points.clone_from(&other.points);
        self.columns.clone_from(&other.columns);
        self.runs.clone_from(&other.runs);
        self.items.clear();
        self.items.extend(other.items.iter().map(item));
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.points.clear();
        self.columns.truncate(0);
        self.items.clear();
        self.runs.clear();
    }

    /// Notes down the members that the point covers.
    #[inline(always)]
    fn dismiss(&mut self, point: &Point) {
        let narrowed = Columns::narrowed(point);
        let mut begin = 0;
        for run in &self.runs {
            let end = begin + run.members;
            if covers(point, &run.high) && self.columns.any(begin..end, narrowed, |member, value| value <= member) {
                for place in begin..end {
                    if covers(point, &self.points[place]) {
                        self.leaving.push(place);
                    }
                }
            }
            begin = end;
        }
    }

    #[inline(always)]
    fn append(&mut self, point: Point, item: T) {
        self.points.push(point);
        self.columns.push(&point);
        self.items.push(item);
        match self.runs.last_mut() {
            Some(run) if run.members < RUN => run.join(1, &point, &point),
            _ => self.runs.push(Run::of(&[point])),
        }
    }

    /// Drops the members that are about to leave.
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
            self.columns.copy(number, kept);
            kept += 1;
        }
        self.points.truncate(kept);
        self.columns.truncate(kept);
        let (mut number, mut leaving) = (0, self.leaving.iter().peekable());
        self.items.retain(|_| {
            number += 1;
            leaving.next_if(|&&place| place + 1 == number).is_none()
        });
        // Runs get shorter; those that fit into one are joined.
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
