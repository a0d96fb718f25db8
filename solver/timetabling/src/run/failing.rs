//! Weak points of a timetable: how many exams move when a room or an examiner fails, with everything else as it is.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use super::holding::repaired;
use crate::counts::days;
use crate::{Instance, Timetable, UNPLACED};
use gridwright_core::Result;

/// Repairs that compete for an answer.
const ATTEMPTS: u32 = 2;

/// Something that a timetable needs and that may fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// A room (index) in all periods.
    Room(usize),
    /// An examiner (index) in the periods of a day.
    Person(usize, Range<usize>),
}

impl Failure {
    /// Words for people: «room H1», «Roth on Mon 6 Jul».
    pub fn words(&self, instance: &Instance) -> String {
        let day = |periods: &Range<usize>| {
            let date = instance.periods.get(periods.start).and_then(|period| period.date);
            date.map_or_else(|| instance.period_name(periods.start), |date| date.format("%a %-d %b").to_string())
        };
        match self {
            Self::Room(room) => format!("room {}", instance.resources.rooms[*room].code),
            Self::Person(person, periods) => format!("{} on {}", instance.resources.people[*person].name, day(periods)),
        }
    }

    /// The session after the failure.
    fn applied_to(&self, instance: &Instance) -> Instance {
        let mut failed = instance.clone();
        let all = 0..instance.period_count();
        match self {
            Self::Room(room) => failed.resources.rooms[*room].unavailable.extend(all.map(|period| period as u16)),
            Self::Person(person, periods) => {
                failed.resources.people[*person].unavailable.extend(periods.clone().map(|period| period as u16));
            }
        }
        failed
    }
}

/// Consequence of a failure for a timetable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fragility {
    /// The room or examiner that fails.
    pub failure: Failure,
    /// Number of exams that move to other periods.
    pub moved: usize,
    /// Number of exams that stay in their periods and get other rooms.
    pub reseated: usize,
    /// Number of exams that lose their places and find no other one.
    pub open: usize,
}

/// Everything in a timetable that may fail: rooms in use, and examiners on the days of their exams.
fn failures(instance: &Instance, timetable: &Timetable) -> Vec<Failure> {
    let is_used = |room: &usize| timetable.rooms.iter().flatten().any(|seats| usize::from(seats.room) == *room);
    let mut all: Vec<Failure> = (0..instance.resources.rooms.len()).filter(is_used).map(Failure::Room).collect();
    let ranges = of_days(instance);
    let of_exams = |exams: &[u16]| -> Vec<Range<usize>> {
        let periods: Vec<usize> = exams.iter().filter_map(|&exam| timetable.period_of(exam.into())).collect();
        ranges.iter().filter(|range| periods.iter().any(|period| range.contains(period))).cloned().collect()
    };
    for (index, person) in instance.resources.people.iter().enumerate() {
        let exams: Vec<u16> = person.exams.iter().copied().collect();
        all.extend(of_exams(&exams).into_iter().map(|periods| Failure::Person(index, periods)));
    }
    all
}

/// Periods of each day; none without dates.
pub(crate) fn of_days(instance: &Instance) -> Vec<Range<usize>> {
    let mut ranges: BTreeMap<usize, Range<usize>> = BTreeMap::new();
    for (period, &day) in days(instance).iter().flatten().enumerate() {
        let range = ranges.entry(day).or_insert(period..period);
        range.end = period + 1;
    }
    ranges.into_values().collect()
}

/// Consequences of all failures for a timetable, the worst first; no more are looked at once the search `is_over`. `counted` is told about
/// each that has been looked at, with their number.
///
/// # Errors
/// [`gridwright_core::Error::Usage`] if the session has no periods yet.
pub fn fragilities(
    instance: &Instance, timetable: &Timetable, is_over: &(dyn Fn() -> bool + Sync), counted: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Fragility>> {
    let all: Vec<Failure> = failures(instance, timetable);
    let count = all.len();
    let of = |failure: Failure| -> Result<Option<Fragility>> {
        let found = repaired(&failure.applied_to(instance), timetable, (ATTEMPTS, 1), is_over)?;
        counted(count);
        Ok(found.map(|found| Fragility::of(failure, instance, [timetable, &found])))
    };
    let found: Vec<Option<Fragility>> = all.into_par_iter().map(of).collect::<Result<_>>()?;
    let mut found: Vec<Fragility> = found.into_iter().flatten().collect();
    found.sort_by_key(|one| std::cmp::Reverse((one.open, one.moved, one.reseated)));
    Ok(found)
}

impl Fragility {
    fn of(failure: Failure, instance: &Instance, [before, after]: [&Timetable; 2]) -> Self {
        let pairs =
            || before.periods.iter().zip(&after.periods).filter(|(then, now)| then != now && **then != UNPLACED);
        let open = pairs().filter(|(_, now)| **now == UNPLACED).count();
        let moved = pairs().count() - open;
        let rooms = before.rooms.iter().zip(&after.rooms).zip(instance.sittings());
        let stays = |exam: usize| before.periods[exam] == after.periods[exam];
        let mut reseated: Vec<usize> =
            rooms.filter(|((then, now), of)| then != now && stays(of.exam)).map(|(_, of)| of.exam).collect();
        reseated.dedup();
        Self { failure, moved, reseated: reseated.len(), open }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::run::holding::tests::solved;

    /// Every failure is answered by a timetable that does without, and the answer is the same again.
    #[test]
    fn what_fails_is_done_without() {
        let (instance, timetable) = solved(80, true);
        let told = std::sync::atomic::AtomicUsize::new(0);
        let counted = |_| {
            told.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        };
        let all = fragilities(&instance, &timetable, &|| false, &counted).unwrap();
        assert_eq!(told.into_inner(), all.len());
        let count = |is: fn(&Failure) -> bool| all.iter().filter(|one| is(&one.failure)).count();
        assert!(count(|failure| matches!(failure, Failure::Room(_))) > 3);
        assert!(count(|failure| matches!(failure, Failure::Person(..))) > 3);
        assert!(all.is_sorted_by_key(|one| std::cmp::Reverse((one.open, one.moved, one.reseated))));
        for one in &all {
            let failed = one.failure.applied_to(&instance);
            let broken = check(&failed, &timetable).violations.len();
            let loss = one.open + one.moved + one.reseated;
            assert!(broken > 0 && loss > 0, "{}: {broken} violations, {one:?}", one.failure.words(&instance));
        }
        assert_eq!(fragilities(&instance, &timetable, &|| false, &|_| ()).unwrap(), all);
        assert!(fragilities(&instance, &timetable, &|| true, &|_| ()).unwrap().is_empty());
    }
}
