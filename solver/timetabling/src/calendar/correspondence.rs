//! Correspondence of the periods before and after a change of the calendar.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::Slot;
use crate::{Instance, Period};

/// Indices of the periods of each day; `None` if some period has no date.
fn days(periods: &[Period]) -> Option<BTreeMap<NaiveDate, Vec<usize>>> {
    let mut days: BTreeMap<NaiveDate, Vec<usize>> = BTreeMap::new();
    for (index, period) in periods.iter().enumerate() {
        days.entry(period.date?).or_default().push(index);
    }
    Some(days)
}

/// New index of each period `before` a change of the calendar; `None` for a period that is no longer there.
///
/// Periods keep date and time: they correspond if they begin at the same time of the same day. What is left of a day
/// corresponds in its order if there are equally many, otherwise where the times overlap. Without dates, or if the whole
/// session moved to other days, periods keep their order.
pub fn correspondence(before: &[Period], after: &[Period]) -> Vec<Option<usize>> {
    let in_order = || (0..before.len()).map(|index| Some(index).filter(|&index| index < after.len())).collect();
    let (Some(old), Some(new)) = (days(before), days(after)) else { return in_order() };
    if !old.keys().any(|day| new.contains_key(day)) {
        return in_order();
    }
    let mut found = vec![None; before.len()];
    for (day, old) in &old {
        let mut free = new.get(day).cloned().unwrap_or_default();
        let mut rest = Vec::new();
        for &index in old {
            match free.iter().position(|&other| after[other].start == before[index].start) {
                Some(at) => found[index] = Some(free.remove(at)),
                None => rest.push(index),
            }
        }
        let is_reordered = rest.len() == free.len();
        for index in rest {
            let slot = |period: &Period| Some(Slot { start: period.start?, end: period.end });
            let overlaps = |&other: &usize| {
                slot(&before[index]).zip(slot(&after[other])).is_some_and(|(old, new)| old.overlaps(&new))
            };
            let at = if is_reordered { (!free.is_empty()).then_some(0) } else { free.iter().position(overlaps) };
            found[index] = at.map(|at| free.remove(at));
        }
    }
    found
}

impl Instance {
    /// The instance with other periods: rooms and people keep the dates and times at which they are not available.
    #[must_use]
    pub fn with_calendar(mut self, periods: &[Period]) -> Self {
        let before = std::mem::replace(&mut self.periods, periods.to_vec());
        if before != periods {
            let index_of = correspondence(&before, periods);
            // Numbers beyond the former periods were given before the calendar.
            let new = |&period: &u16| match index_of.get(usize::from(period)) {
                Some(index) => index.and_then(|index| u16::try_from(index).ok()),
                None => Some(period).filter(|&period| usize::from(period) < periods.len()),
            };
            let rooms = self.resources.rooms.iter_mut().map(|room| &mut room.unavailable);
            let people = self.resources.people.iter_mut().map(|person| &mut person.unavailable);
            let invigilators = self.resources.invigilators.iter_mut().map(|person| &mut person.unavailable);
            for unavailable in rooms.chain(people).chain(invigilators) {
                *unavailable = unavailable.iter().filter_map(new).collect();
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveTime;

    use super::*;
    use crate::{Person, Room};

    fn period(day: u32, hour: u32) -> Period {
        let time = |hour| NaiveTime::from_hms_opt(hour, 0, 0);
        let date = NaiveDate::from_ymd_opt(2026, 6, day);
        Period { date, start: time(hour), end: time(hour + 2), ..Period::default() }
    }

    fn session(days: &[u32], hours: &[u32]) -> Vec<Period> {
        days.iter().flat_map(|&day| hours.iter().map(move |&hour| period(day, hour))).collect()
    }

    #[test]
    fn a_day_that_is_taken_out_moves_no_exam_of_another_day() {
        let before = session(&[1, 2, 3, 4], &[9, 14]);
        let after = session(&[1, 3, 4], &[9, 14]);
        let expected = [Some(0), Some(1), None, None, Some(2), Some(3), Some(4), Some(5)];
        assert_eq!(correspondence(&before, &after), expected);
        assert_eq!(correspondence(&after, &before), [0, 1, 4, 5, 6, 7].map(Some));
    }

    #[test]
    fn times_that_change_a_little_keep_their_exams() {
        let before = session(&[1, 2], &[9, 14]);
        assert_eq!(correspondence(&before, &session(&[1, 2], &[10, 14])), [0, 1, 2, 3].map(Some));
        // A period more on the first day: 9 to 11 overlaps with 10 to 12.
        let mut after = session(&[1, 2], &[10, 14]);
        after.insert(2, period(1, 17));
        assert_eq!(correspondence(&before, &after), [0, 1, 3, 4].map(Some));
        // Afternoons only.
        assert_eq!(correspondence(&before, &session(&[1, 2], &[14])), [None, Some(0), None, Some(1)]);
    }

    #[test]
    fn closed_rooms_and_absences_keep_their_dates() {
        let mut session = crate::generator::sample("school").unwrap();
        session.periods = self::session(&[1, 2, 3], &[9, 14]);
        let unavailable = std::collections::BTreeSet::from([1, 2, 5]);
        session.resources.rooms.push(Room { unavailable: unavailable.clone(), ..Room::default() });
        session.resources.people.push(Person { unavailable, ..Person::default() });
        // The second day is taken out.
        let changed = session.clone().with_calendar(&self::session(&[1, 3], &[9, 14]));
        let expected = std::collections::BTreeSet::from([1, 3]);
        assert_eq!(changed.resources.rooms[0].unavailable, expected);
        assert_eq!(changed.resources.people[0].unavailable, expected);
        assert_eq!(session.clone().with_calendar(&session.periods), session);
    }

    #[test]
    fn without_dates_or_on_other_days_the_order_counts() {
        let bare = vec![Period::default(); 3];
        assert_eq!(correspondence(&bare, &bare[..2]), [Some(0), Some(1), None]);
        assert_eq!(correspondence(&bare, &session(&[1], &[9, 12, 15])), [0, 1, 2].map(Some));
        assert_eq!(correspondence(&session(&[1, 2], &[9]), &session(&[8, 9], &[9])), [0, 1].map(Some));
        // Dates without times: the periods of a day in their order.
        let undated = |days: &[u32]| -> Vec<Period> {
            days.iter().map(|&day| Period { start: None, end: None, ..period(day, 9) }).collect()
        };
        assert_eq!(correspondence(&undated(&[1, 1, 2]), &undated(&[1, 1])), [Some(0), Some(1), None]);
    }
}
