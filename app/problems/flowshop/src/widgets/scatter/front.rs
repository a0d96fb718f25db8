//! Points in order along the axes, and the non-dominated ones in the two objectives shown.

use std::ops::RangeInclusive;

use super::{Axes, Source};

/// Orders and ranges of the points along the chosen axes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Front {
    count: usize,
    /// Points that the filter leaves, by the first objective, then by the second.
    along: Vec<usize>,
    /// Points that the filter leaves, by the second objective, then by the first.
    upwards: Vec<usize>,
    /// Points that no other one dominates, ascending by the first objective and descending by the second.
    stairs: Vec<usize>,
    /// Points that the filter leaves out.
    excluded: Vec<usize>,
    /// The values of all points, on both axes and as colour.
    pub(super) ranges: [RangeInclusive<f64>; 3],
}

impl Front {
    pub(super) fn of(source: &dyn Source, axes: Axes) -> Self {
        let known =
            |point: &usize| source.value(*point, axes.x).is_finite() && source.value(*point, axes.y).is_finite();
        let (mut along, excluded): (Vec<usize>, Vec<usize>) =
            (0..source.count()).filter(known).partition(|&point| !source.is_excluded(point));
        let mut upwards = along.clone();
        let by = |first: usize, second: usize| {
            move |a: &usize, b: &usize| {
                let of = |objective| source.value(*a, objective).total_cmp(&source.value(*b, objective));
                of(first).then(of(second)).then(a.cmp(b))
            }
        };
        along.sort_by(by(axes.x, axes.y));
        upwards.sort_by(by(axes.y, axes.x));
        let mut stairs: Vec<usize> = Vec::new();
        for &point in &along {
            if stairs.last().is_none_or(|&last| source.value(point, axes.y) < source.value(last, axes.y)) {
                stairs.push(point);
            }
        }
        let range = |objective: Option<usize>| {
            let values = along.iter().chain(&excluded).filter_map(|&point| Some(source.value(point, objective?)));
            let (low, high) = values
                .filter(|value| value.is_finite())
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
            if low <= high { low..=high } else { 0.0..=1.0 }
        };
        let ranges = [Some(axes.x), Some(axes.y), axes.colour].map(range);
        Self { count: source.count(), along, upwards, stairs, excluded, ranges }
    }

    /// Number of points, filtered ones included.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Points that the filter leaves, by the first objective.
    pub(super) fn along(&self) -> &[usize] {
        &self.along
    }

    /// Points that are not beaten in both objectives shown, by the first.
    pub(super) fn stairs(&self) -> &[usize] {
        &self.stairs
    }

    /// Points that the filter leaves out.
    pub(super) fn excluded(&self) -> &[usize] {
        &self.excluded
    }

    /// The point so many steps further along the first objective; the first one where none was chosen.
    pub(super) fn by_x(&self, from: Option<usize>, by: isize) -> Option<usize> {
        step(&self.along, from, by)
    }

    /// The next point along the second objective.
    pub(super) fn by_y(&self, from: Option<usize>, by: isize) -> Option<usize> {
        step(&self.upwards, from, by)
    }

    /// First what is selected, then the stairs, then the others.
    pub(super) fn in_order(&self, selected: Option<usize>) -> impl Iterator<Item = usize> {
        let mut seen = vec![false; self.count];
        let all = selected.into_iter().chain(self.stairs.iter().chain(&self.along).chain(&self.excluded).copied());
        all.filter(move |&point| seen.get_mut(point).is_some_and(|seen| !std::mem::replace(seen, true)))
    }
}

fn step(order: &[usize], from: Option<usize>, by: isize) -> Option<usize> {
    let last = order.len().checked_sub(1).filter(|_| by != 0)?;
    let at = from.and_then(|from| order.iter().position(|&point| point == from));
    let next = at.map_or(if by > 1 { last } else { 0 }, |at| at.saturating_add_signed(by).min(last));
    order.get(next).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Points(Vec<[f64; 2]>, Vec<usize>);

    impl Source for Points {
        fn objectives(&self) -> usize {
            2
        }
        fn name(&self, objective: usize) -> &str {
            ["a", "b"][objective]
        }
        fn count(&self) -> usize {
            self.0.len()
        }
        fn value(&self, point: usize, objective: usize) -> f64 {
            self.0[point][objective]
        }
        fn is_excluded(&self, point: usize) -> bool {
            self.1.contains(&point)
        }
        fn label(&self, point: usize) -> String {
            point.to_string()
        }
        fn revision(&self) -> u64 {
            0
        }
        fn summary(&self) -> String {
            String::new()
        }
    }

    const AXES: Axes = Axes { x: 0, y: 1, colour: None };

    #[test]
    fn stairs_are_what_nobody_beats() {
        let points = vec![[5.0, 1.0], [1.0, 9.0], [3.0, 3.0], [3.0, 4.0], [4.0, 3.0], [2.0, 0.5]];
        let front = Front::of(&Points(points.clone(), vec![5]), AXES);
        assert_eq!(front.stairs(), [1, 2, 0]);
        assert_eq!(front.along(), [1, 2, 3, 4, 0]);
        assert_eq!((front.excluded(), &front.ranges[0], &front.ranges[1]), (&[5][..], &(1.0..=5.0), &(0.5..=9.0)));
        // The one that was left out beats three of them.
        assert_eq!(Front::of(&Points(points, Vec::new()), AXES).stairs(), [1, 5]);
    }

    #[test]
    fn stairs_are_what_comparing_all_pairs_finds() {
        let value = |seed: usize| ((seed * 7919) % 101) as f64;
        let points: Vec<[f64; 2]> = (0..300).map(|point| [value(point), value(point * point + 17)]).collect();
        let front = Front::of(&Points(points.clone(), Vec::new()), AXES);
        let beats = |a: &[f64; 2], b: &[f64; 2]| a[0] <= b[0] && a[1] <= b[1] && a != b;
        for (point, values) in points.iter().enumerate() {
            let beaten = points.iter().any(|other| beats(other, values));
            let twin = front.stairs().iter().any(|&stair| points[stair] == *values);
            assert_eq!(twin, !beaten, "{point}");
        }
    }

    #[test]
    fn steps_go_along_an_axis_and_stay_inside() {
        let points = vec![[5.0, 1.0], [1.0, 9.0], [3.0, 3.0]];
        let front = Front::of(&Points(points, Vec::new()), AXES);
        assert_eq!((front.by_x(None, 1), front.by_x(Some(1), 1), front.by_x(Some(0), 1)), (Some(1), Some(2), Some(0)));
        assert_eq!((front.by_y(Some(0), 1), front.by_y(Some(2), 1), front.by_x(Some(2), 0)), (Some(2), Some(1), None));
        assert_eq!(front.by_x(Some(1), isize::MAX / 2), Some(0));
        assert_eq!(front.in_order(Some(2)).collect::<Vec<_>>(), [2, 1, 0]);
        assert_eq!(Front::of(&Points(Vec::new(), Vec::new()), AXES).by_x(None, 1), None);
    }
}
