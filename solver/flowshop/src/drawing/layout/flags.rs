//! Flags at due dates, and the levels on which their names hang.

use super::GanttSection;

/// A due date with the job's lateness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// Position of the job.
    pub position: usize,
    /// Due date in time units.
    pub due: u32,
    /// Tardiness in time units; 0 for a job that is in time.
    pub late: u32,
}

/// Flags within the time range of a section; `flags` is ascending.
pub fn flags_within<'f>(flags: &'f [Flag], view: &GanttSection) -> &'f [Flag] {
    let first = flags.partition_point(|flag| f64::from(flag.due) < view.time.start);
    let last = flags.partition_point(|flag| f64::from(flag.due) <= view.time.end);
    flags.get(first..last).unwrap_or(&[])
}

/// Place of a flag with its name, on the screen or on paper: from its pole to the end of the name, with a gap behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlagPlace {
    /// The pole.
    pub x: f32,
    /// End of the name.
    pub end: f32,
    /// Tardiness of the job.
    pub late: u32,
}

/// Indices of the `most` flags of the latest jobs, ascending.
pub fn latest(flags: &[Flag], most: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..flags.len()).collect();
    if most < all.len() {
        all.select_nth_unstable_by_key(most, |&at| (std::cmp::Reverse(flags[at].late), at));
        all.truncate(most);
        all.sort_unstable();
    }
    all
}

/// Level below the chart on which the name of each flag hangs, from 0 to `levels` − 1 downwards; `None` where there is no room.
///
/// The latest jobs get their names first. A pole reaches down to its own name and must not run through another: a flag
/// within a name hangs above that name. `places` are ascending by `x`.
pub fn flag_levels(places: &[FlagPlace], levels: usize) -> Vec<Option<usize>> {
    let mut by_lateness: Vec<usize> = (0..places.len()).collect();
    by_lateness.sort_by_key(|&at| std::cmp::Reverse(places[at].late));
    let (mut found, mut named) = (vec![None; places.len()], Vec::new());
    for &at in &by_lateness {
        let place = places[at];
        let is_free = |level: &usize| {
            named.iter().all(|&(other, taken): &(FlagPlace, usize)| {
                if place.x == other.x {
                    *level != taken
                } else if place.x < other.x {
                    other.x >= place.end || taken < *level
                } else {
                    place.x >= other.end || *level < taken
                }
            })
        };
        // Low enough for the flags that follow within the name.
        let soon = places[at + 1..].iter().take(levels).take_while(|next| next.x < place.end).count();
        let wanted = soon.min(levels.saturating_sub(1));
        let level = (wanted..levels).chain((0..wanted).rev()).find(is_free);
        named.extend(level.map(|level| (place, level)));
        found[at] = level;
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_latest_jobs_have_their_names_first() {
        let place = |x: f32, late: u32| FlagPlace { x, end: x + 10.0, late };
        let crowd = [place(0.0, 17), place(1.0, 0), place(2.0, 354), place(3.0, 5), place(4.0, 40), place(30.0, 0)];
        let levels = flag_levels(&crowd, 2);
        assert!(levels[2].is_some() && levels[4].is_some() && levels[5] == Some(0), "{levels:?}");
        assert_eq!([levels[0], levels[1], levels[3]], [None; 3], "{levels:?}");
        assert_eq!(flag_levels(&[place(0.0, 0), place(20.0, 3)], 3), [Some(0), Some(0)]);
        assert!(flag_levels(&[], 3).is_empty());
        let flags = [5, 0, 7, 7].map(|late| Flag { position: 0, due: 0, late });
        assert_eq!((latest(&flags, 2), latest(&flags, 0), latest(&flags, 9)), (vec![2, 3], vec![], vec![0, 1, 2, 3]));
    }

    proptest! {
        /// No pole runs through a name, and no two names lie on each other.
        #[test]
        fn poles_and_names_are_apart(
            mut flags in proptest::collection::vec((0..200_u32, 5..60_u32, 0..9_u32), 0..40), levels in 1..4_usize,
        ) {
            flags.sort_unstable();
            let place = |&(x, width, late): &(u32, u32, u32)| FlagPlace { x: x as f32, end: (x + width) as f32, late };
            let places: Vec<FlagPlace> = flags.iter().map(place).collect();
            let found = flag_levels(&places, levels);
            let named = || places.iter().zip(&found).filter_map(|(place, level)| Some((place, (*level)?)));
            for (at, (a, upper)) in named().enumerate() {
                for (b, lower) in named().skip(at + 1).filter(|(b, _)| b.x < a.end) {
                    let is_apart = if a.x == b.x { upper != lower } else { lower < upper };
                    prop_assert!(is_apart);
                }
            }
            if let Some(latest) = flags.iter().map(|flag| flag.2).max() {
                prop_assert!(named().any(|(place, _)| place.late == latest), "the latest one has its name");
            }
        }
    }
}
