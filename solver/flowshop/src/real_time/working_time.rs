//! Working time of a machine: when work that begins at a time ends.

/// Number of intervals that are looked at one by one before the binary search.
const NEAR: usize = 8;

/// Working intervals of a machine, ascending and without contact, in time units from the start of the plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WorkingTime {
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// Working time before each interval, and at the end of the last one.
    worked: Vec<u32>,
    /// True if work is not interrupted by breaks.
    is_uninterrupted: bool,
    /// First interval that ends after k · 2^`shift`.
    first: Vec<u32>,
    shift: u32,
    /// First interval at whose end at least k · 2^`step` units have been worked.
    reached: Vec<u32>,
    step: u32,
}

/// The index of the first of some ascending values that is above k · 2^shift, for each k up to `last`, and the shift, with which there
/// are about as many entries as values.
fn index(values: &[u32], last: u32) -> (Vec<u32>, u32) {
    let shift = (last / values.len().max(1) as u32).max(1).ilog2();
    let mut at = 0;
    let first = (0..=last >> shift).map(|step| {
        while values.get(at).is_some_and(|&value| value <= step << shift) {
            at += 1;
        }
        at as u32
    });
    (first.collect(), shift)
}

impl WorkingTime {
    /// Working time with these intervals, which are ascending, not empty and have gaps between them.
    pub(crate) fn new(intervals: &[(u32, u32)], is_uninterrupted: bool) -> Self {
        let (starts, ends): (Vec<u32>, Vec<u32>) = intervals.iter().copied().unzip();
        let mut worked = vec![0];
        worked.extend(intervals.iter().scan(0, |sum, (start, end)| {
            *sum += end - start;
            Some(*sum)
        }));
        let last = ends.last().copied().unwrap_or(0);
        let (first, shift) = index(&ends, last);
        let behind: Vec<u32> = worked[1..].iter().map(|worked| worked + 1).collect();
        let (reached, step) = index(&behind, worked[intervals.len()]);
        Self { starts, ends, worked, is_uninterrupted, first, shift, reached, step }
    }

    /// First interval that ends after a time; the number of intervals if there is none.
    #[inline(always)]
    fn interval(&self, time: u32) -> usize {
        let Some(&first) = self.first.get((time >> self.shift) as usize) else { return self.ends.len() };
        let mut at = first as usize;
        while at < self.ends.len() && self.ends[at] <= time {
            at += 1;
        }
        at
    }

    /// Interval and time at which work of this length begins that can begin at `time`; `None` behind the last interval.
    #[inline(always)]
    fn place(&self, time: u32, takes: u32) -> Option<(usize, u32)> {
        let mut at = self.interval(time);
        loop {
            let (start, end) = (*self.starts.get(at)?, self.ends[at]);
            let start = start.max(time);
            if !self.is_uninterrupted || end - start >= takes {
                return Some((at, start));
            }
            at += 1;
        }
    }

    /// Time at which work of this length begins that can begin at `time`.
    pub(crate) fn begin(&self, time: u32, takes: u32) -> u32 {
        if takes == 0 { time } else { self.place(time, takes).map_or(time, |(_, start)| start) }
    }

    /// End of work of this length that can begin at `time`; `None` if it ends behind the last interval.
    #[inline(always)]
    pub(crate) fn end_within(&self, time: u32, takes: u32) -> Option<u32> {
        if takes == 0 {
            return Some(time);
        }
        let (at, start) = self.place(time, takes)?;
        if takes <= self.ends[at] - start {
            return Some(start + takes);
        }
        let target = self.worked[at] + (start - self.starts[at]) + takes;
        let far = || at + 1 + self.worked[at + 2..].partition_point(|&worked| worked < target);
        let near = self.worked[at + 2..].iter().take(NEAR).position(|&worked| worked >= target);
        let last = near.map_or_else(far, |near| at + 1 + near);
        Some(*self.starts.get(last)? + (target - self.worked[last]))
    }

    /// End of work of this length that can begin at `time`. Behind the last interval, which no order of jobs reaches, work goes on
    /// without breaks.
    #[inline(always)]
    pub(crate) fn end(&self, time: u32, takes: u32) -> u32 {
        self.end_within(time, takes).unwrap_or_else(|| time.saturating_add(takes))
    }

    /// Latest time from which work of this length ends by `end`; `None` if it never does.
    #[inline(always)]
    pub(crate) fn latest(&self, end: u32, takes: u32) -> Option<u32> {
        if takes == 0 {
            return Some(end);
        }
        // Last interval that begins before the end.
        let mut at = self.interval(end);
        if self.starts.get(at).is_none_or(|&start| start >= end) {
            at = at.checked_sub(1)?;
        }
        let worked = loop {
            let within = end.min(self.ends[at]) - self.starts[at];
            if within >= takes {
                return Some(self.starts[at] + within - takes);
            }
            if !self.is_uninterrupted {
                break self.worked[at] + within;
            }
            at = at.checked_sub(1)?;
        };
        let target = worked.checked_sub(takes)?;
        let near = (at.saturating_sub(NEAR)..at).rev().find(|&near| self.worked[near] <= target);
        let far = || self.worked[..at].partition_point(|&worked| worked <= target).saturating_sub(1);
        let first = near.unwrap_or_else(far);
        Some(self.starts[first] + (target - self.worked[first]))
    }

    /// Returns `true` if work goes on after a break.
    pub(crate) fn is_interrupted(&self) -> bool {
        !self.is_uninterrupted
    }

    /// Working time before a time. Behind the last interval all time counts.
    pub(crate) fn worked_by(&self, time: u32) -> u32 {
        let at = self.interval(time);
        let total = self.worked[self.starts.len()];
        let Some(&start) = self.starts.get(at) else { return total + time.saturating_sub(self.last().unwrap_or(0)) };
        self.worked[at] + time.saturating_sub(start)
    }

    /// First time by which so much working time has passed; inverts [`Self::worked_by`] for ends of work.
    #[inline(always)]
    pub(crate) fn passed(&self, worked: u32) -> u32 {
        let mut at =
            self.reached.get((worked >> self.step) as usize).map_or(self.starts.len(), |&first| first as usize);
        while self.worked.get(at + 1).is_some_and(|&reached| reached < worked) {
            at += 1;
        }
        match self.starts.get(at) {
            _ if worked == 0 => 0,
            Some(start) => start + (worked - self.worked[at]),
            None => {
                let total = self.worked[self.starts.len()];
                self.last().unwrap_or(0).saturating_add(worked.saturating_sub(total))
            }
        }
    }

    /// Longest interval.
    pub(crate) fn longest(&self) -> u32 {
        self.starts.iter().zip(&self.ends).map(|(start, end)| end - start).max().unwrap_or(0)
    }

    /// End of the last interval; `None` without any.
    pub(crate) fn last(&self) -> Option<u32> {
        self.ends.last().copied()
    }

    /// Times without work between two times, in order.
    pub(crate) fn breaks(&self, from: u32, to: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let first = self.interval(from);
        let before = first.checked_sub(1).map_or(0, |before| self.ends[before]);
        let ends = std::iter::once(before).chain(self.ends[first..].iter().copied());
        let starts = self.starts[first..].iter().copied().chain([u32::MAX]);
        let breaks = ends.zip(starts).take_while(move |(start, _)| *start < to);
        breaks.map(move |(start, end)| (start.max(from), end.min(to))).filter(|(start, end)| start < end)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Works from 2 to 5, from 7 to 8 and from 12 to 20.
    const INTERVALS: [(u32, u32); 3] = [(2, 5), (7, 8), (12, 20)];

    #[test]
    fn work_goes_on_after_a_break_or_waits_for_one() {
        let broken = WorkingTime::new(&INTERVALS, false);
        let ends =
            [(0, 3), (3, 2), (3, 3), (5, 1), (4, 4), (6, 0), (19, 1)].map(|(time, takes)| broken.end(time, takes));
        assert_eq!(ends, [5, 5, 8, 8, 14, 6, 20]);
        assert_eq!((broken.begin(5, 1), broken.begin(6, 0), broken.begin(13, 9)), (7, 6, 13));
        assert_eq!(
            (broken.end_within(19, 2), broken.end_within(30, 1), broken.end_within(0, 12)),
            (None, None, Some(20))
        );
        let whole = WorkingTime::new(&INTERVALS, true);
        assert_eq!(
            [(0, 3), (3, 3), (4, 1), (5, 1), (5, 2)].map(|(time, takes)| whole.end(time, takes)),
            [5, 15, 5, 8, 14]
        );
        assert_eq!((whole.begin(3, 3), whole.end_within(0, 9), whole.longest()), (12, None, 8));
        assert_eq!(broken.breaks(3, 13).collect::<Vec<_>>(), [(5, 7), (8, 12)]);
        assert_eq!(broken.breaks(0, 3).collect::<Vec<_>>(), [(0, 2)]);
        assert_eq!(broken.breaks(21, 25).collect::<Vec<_>>(), [(21, 25)]);
    }

    proptest! {
        /// Counting time unit by time unit gives the same ends.
        #[test]
        fn ends_are_those_of_counting(
            lengths in proptest::collection::vec((1_u32..9, 1_u32..9), 1..40),
            time in 0_u32..300,
            takes in 0_u32..60,
            is_uninterrupted: bool,
        ) {
            let mut intervals = Vec::new();
            for (pause, work) in lengths {
                let start = intervals.last().map_or(0, |&(_, end)| end) + pause;
                intervals.push((start, start + work));
            }
            let working_time = WorkingTime::new(&intervals, is_uninterrupted);
            let works = |at: u32| intervals.iter().any(|&(start, end)| (start..end).contains(&at));
            let counted = |from: u32| {
                let (mut at, mut left) = (from, takes);
                while left > 0 && at < 800 {
                    left -= u32::from(works(at));
                    at += 1;
                }
                (left == 0).then_some(at)
            };
            let whole = || (time..800).find(|&start| (start..start + takes).all(works)).map(|start| start + takes);
            let expected = if takes == 0 { Some(time) } else if is_uninterrupted { whole() } else { counted(time) };
            prop_assert_eq!(working_time.end_within(time, takes), expected);
            // Work in working time only, as long as it is done within the intervals.
            if !is_uninterrupted && takes > 0 && let Some(end) = expected {
                prop_assert_eq!(working_time.worked_by(time), (0..time).filter(|&at| works(at)).count() as u32);
                prop_assert_eq!(working_time.passed(working_time.worked_by(time) + takes), end);
            }
            // The latest time that ends by then, and no later one.
            let by = time.min(intervals.last().map_or(0, |interval| interval.1));
            let ends_by = |from: u32| working_time.end_within(from, takes).is_some_and(|end| end <= by);
            prop_assert_eq!(working_time.latest(by, takes), (0..=by).rev().find(|&from| ends_by(from)));
        }
    }
}
