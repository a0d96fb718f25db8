//! Calendars: generation of periods from a pattern, and recognition of the pattern in periods.

use chrono::{Days, NaiveDate, NaiveTime, TimeDelta};
use gridwright_timetabling::calendar::{Calendar, Extent, FlawKind, Slot, Use, flaws, mend, monday_from};
use gridwright_timetabling::counts::TimetableStatistics;
use gridwright_timetabling::export::export_bytes;
use gridwright_timetabling::{Exam, Instance, InstanceParts, MAX_PERIODS, Period, Timetable};
use proptest::prelude::*;

fn day(month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, month, day).unwrap()
}

fn at(hour: u32) -> NaiveTime {
    NaiveTime::from_hms_opt(hour, 0, 0).unwrap()
}

fn labels(periods: &[Period]) -> Vec<String> {
    let label =
        |period: &Period| format!("{} {}", period.date.unwrap().format("%a %-d"), period.start.unwrap().format("%H"));
    periods.iter().map(label).collect()
}

#[test]
fn a_usual_session_skips_the_weekend() {
    let calendar = Calendar::usual(day(6, 4), 5);
    assert_eq!(labels(&calendar.periods().unwrap()), ["Thu 4 09", "Thu 4 14", "Fri 5 09", "Fri 5 14", "Mon 8 09"]);
    let last = calendar.days().pop().unwrap();
    assert_eq!((last.slots[0].used, last.slots[1].used), (Use::Period(4), Use::Beyond));
}

#[test]
fn days_and_periods_are_left_out_and_come_back() {
    let mut calendar = Calendar { extent: Extent::LastDay(day(6, 7)), ..Calendar::usual(day(6, 4), 1) };
    let before = calendar.periods().unwrap();
    calendar.toggle_day(day(6, 5));
    calendar.toggle_day(day(6, 6));
    calendar.toggle((day(6, 4), at(14)));
    assert_eq!(labels(&calendar.periods().unwrap()), ["Thu 4 09", "Sat 6 09", "Sat 6 14"]);
    calendar.set_seats((day(6, 6), at(9)), Some(40));
    assert_eq!(calendar.periods().unwrap()[1].seats, Some(40));
    calendar.toggle_day(day(6, 5));
    calendar.toggle_day(day(6, 6));
    calendar.toggle((day(6, 4), at(14)));
    assert_eq!(calendar.periods().unwrap(), before);
}

#[test]
fn a_number_of_periods_is_kept_when_one_is_left_out() {
    let mut calendar = Calendar::usual(day(6, 1), 3);
    calendar.toggle((day(6, 1), at(9)));
    assert_eq!(labels(&calendar.periods().unwrap()), ["Mon 1 14", "Tue 2 09", "Tue 2 14"]);
    // A place after the last period makes the session longer.
    let mut calendar = Calendar::usual(day(6, 1), 1);
    calendar.toggle((day(6, 1), at(14)));
    assert_eq!(calendar.count(), 2);
}

#[test]
fn what_is_wrong_is_said_with_a_remedy() {
    let usual = Calendar::usual(day(6, 1), 4);
    let says = |calendar: &Calendar, what: &str| {
        let problems = calendar.problems();
        assert!(problems.iter().any(|problem| problem.contains(what)), "{what}: {problems:?}");
        assert!(calendar.periods().is_err());
    };
    let slot = |start, end| Slot { start: at(start), end: Some(at(end)) };
    says(&Calendar { extent: Extent::LastDay(day(5, 31)), ..usual.clone() }, "before the first");
    says(&Calendar { slots: vec![slot(9, 12), slot(11, 13)], ..usual.clone() }, "overlap");
    says(&Calendar { slots: vec![slot(9, 12), slot(9, 12)], ..usual.clone() }, "overlap");
    says(&Calendar { slots: vec![slot(12, 9)], ..usual.clone() }, "does not end after");
    says(&Calendar { slots: Vec::new(), ..usual.clone() }, "no periods; add one");
    says(&Calendar { weekdays: [false; 7], ..usual.clone() }, "choose weekdays");
    says(&Calendar { extent: Extent::LastDay(day(12, 31)), ..usual.clone() }, "at most 255");
    says(&Calendar { extent: Extent::Periods(MAX_PERIODS + 1), ..usual.clone() }, "at most 255");
    says(&Calendar { extent: Extent::LastDay(day(6, 1) + TimeDelta::days(5_000)), ..usual }, "longer than");
    assert!(Slot::lasting(at(23), 61).is_none() && Slot::lasting(at(23), 59).is_some());
}

#[test]
fn summer_time_moves_nothing() {
    // In Europe clocks change on 29 March and on 25 October 2026.
    for first in [day(3, 28), day(10, 24)] {
        let calendar = Calendar { weekdays: [true; 7], ..Calendar::usual(first, 6) };
        let periods = calendar.periods().unwrap();
        assert!(periods.iter().all(|period| period.end.unwrap() - period.start.unwrap() == TimeDelta::hours(3)));
        assert_eq!(periods[2].start, Some(at(9)));
    }
}

#[test]
fn flaws_are_named_and_mended() {
    let period = |day_of_june, start, end| Period {
        date: Some(day(6, day_of_june)),
        start: Some(at(start)),
        end: Some(at(end)),
        ..Period::default()
    };
    let periods = [period(2, 12, 9), period(2, 11, 13), period(1, 9, 11), period(1, 9, 12)];
    let kinds: Vec<_> = flaws(&periods).iter().map(|flaw| (flaw.period, flaw.kind)).collect();
    use FlawKind::{EndsBeforeStart, Unsorted};
    assert_eq!(kinds, [(0, EndsBeforeStart), (1, Unsorted), (2, Unsorted), (3, Unsorted)]);
    assert!(Calendar::recognise(&periods).unwrap_err().contains("Period 1 (12:00–09:00) does not end"));
    let mended = mend(&periods);
    assert_eq!(labels(&mended), ["Mon 1 09", "Tue 2 09", "Tue 2 11"]);
    assert_eq!(mended[1].end, Some(at(11)), "shortened");
    let undated = [Period::default(), period(1, 9, 11)];
    assert_eq!(flaws(&undated)[0].kind, FlawKind::NoDate);
    assert_eq!(mend(&undated), undated);
}

/// Three students with two exams each, in the first two of `periods`.
fn in_a_row(periods: Vec<Period>) -> (Instance, Timetable) {
    let exam = |code: &str| Exam { code: code.to_owned(), ..Exam::default() };
    let instance = Instance::build(InstanceParts {
        name: "row".to_owned(),
        exams: ["A", "B"].map(exam).to_vec(),
        students: vec![vec![0, 1]; 3],
        periods,
        ..InstanceParts::default()
    });
    (instance.unwrap(), Timetable::of(vec![0, 1]))
}

#[test]
fn a_calendar_makes_days_count_and_dates_export() {
    let (instance, timetable) = in_a_row(vec![Period::default(); 2]);
    let counts = TimetableStatistics::of(&instance, &timetable);
    assert_eq!((counts.students_in_a_row, counts.students_two_a_day), (3, None), "without days nobody knows");
    assert!(export_bytes(&instance, &timetable, "ics").is_err());
    for (slots, two_a_day, second) in [(2, 3, "20260605T140000"), (1, 0, "20260608T090000")] {
        let mut calendar = Calendar::usual(day(6, 5), 2);
        calendar.slots.truncate(slots);
        let (instance, timetable) = in_a_row(calendar.periods().unwrap());
        let counts = TimetableStatistics::of(&instance, &timetable);
        assert_eq!(counts.students_two_a_day, Some(two_a_day));
        assert_eq!(counts.students_in_a_row, two_a_day, "over the weekend is not in a row");
        let text = String::from_utf8(export_bytes(&instance, &timetable, "ics").unwrap()).unwrap();
        assert!(text.contains("DTSTART:20260605T090000") && text.contains(&format!("DTSTART:{second}")), "{text}");
    }
}

#[test]
fn penalties_stay_with_date_and_start() {
    let mut calendar = Calendar { extent: Extent::LastDay(day(6, 5)), ..Calendar::usual(day(6, 1), 1) };
    let mut periods = calendar.periods().unwrap();
    periods[3].penalty = 40;
    calendar = Calendar::recognise(&periods).unwrap();
    assert_eq!(calendar.periods().as_ref(), Ok(&periods));
    // The first day goes, and the afternoon begins an hour later.
    calendar.toggle_day(day(6, 1));
    calendar.set_slot(1, Slot::lasting(at(15), 180).unwrap());
    let changed = calendar.periods().unwrap();
    let penalised: Vec<_> = changed.iter().filter(|period| period.penalty > 0).collect();
    assert_eq!((penalised.len(), penalised[0].date, penalised[0].penalty), (1, Some(day(6, 2)), 40));
    assert_eq!(penalised[0].start, Some(at(15)));
}

#[test]
fn the_next_monday() {
    assert_eq!([day(6, 1), day(6, 2), day(6, 7)].map(monday_from), [day(6, 1), day(6, 8), day(6, 8)]);
}

fn calendars() -> impl Strategy<Value = Calendar> {
    let slots = proptest::collection::btree_set(0..8_u32, 1..4);
    let days = || proptest::collection::btree_set(0..30_u64, 0..4);
    let places = proptest::collection::vec((0..30_u64, 0..8_u32), 0..6);
    let extent = prop_oneof![(0..30_u64).prop_map(Err), (1..60_usize).prop_map(Ok)];
    (slots, any::<[bool; 7]>(), days(), days(), places, extent, proptest::option::of(0..500_u32)).prop_map(
        |(slots, weekdays, removed, added, places, extent, seats)| {
            let date = |days: u64| day(3, 20) + Days::new(days);
            let mut calendar = Calendar::usual(date(0), 1);
            calendar.slots = slots.into_iter().filter_map(|slot| Slot::lasting(at(8 + slot), 60)).collect();
            (calendar.weekdays, calendar.seats) = (weekdays, seats);
            calendar.extent = extent.map_or_else(|days| Extent::LastDay(date(days)), Extent::Periods);
            calendar.removed_days = removed.into_iter().map(date).collect();
            calendar.added_days = added.into_iter().map(date).collect();
            for (index, (days, slot)) in places.into_iter().enumerate() {
                let place = (date(days), at(8 + slot));
                match index % 3 {
                    0 => drop(calendar.removed.insert(place)),
                    1 => drop(calendar.extra.insert(place, Some(at(9 + slot)))),
                    _ => drop(calendar.seats_at.insert(place, Some(7))),
                }
            }
            calendar
        },
    )
}

proptest! {
    /// The periods of a calendar have no error, match its count, and [`Calendar::recognise`] reproduces them.
    #[test]
    fn periods_show_their_pattern(calendar in calendars()) {
        match calendar.periods() {
            Ok(periods) => {
                prop_assert_eq!(periods.len(), calendar.count());
                prop_assert_eq!(flaws(&periods), []);
                let again = Calendar::recognise(&periods).unwrap();
                prop_assert_eq!(again.periods(), Ok(periods));
            }
            Err(_) => prop_assert!(!calendar.problems().is_empty()),
        }
    }

    /// Toggling a day or period twice restores the calendar.
    #[test]
    fn two_clicks_are_none(calendar in calendars(), days in 0..30_u64, slot in 0..8_u32) {
        let date = day(3, 20) + Days::new(days);
        let mut clicked = calendar.clone();
        clicked.toggle_day(date);
        clicked.toggle_day(date);
        prop_assert_eq!(&clicked, &calendar);
        if let Extent::LastDay(_) = calendar.extent {
            clicked.toggle((date, at(8 + slot)));
            clicked.toggle((date, at(8 + slot)));
            prop_assert_eq!(&clicked, &calendar);
        }
    }

    /// [`mend`] corrects all errors that it can, and leaves valid periods unchanged.
    #[test]
    fn mended_is_right(periods in proptest::collection::vec((0..5_u64, 0..10_u32, proptest::option::of(0..10_u32)), 0..12)) {
        let periods: Vec<Period> = periods.into_iter().map(|(days, start, end)| Period {
            date: Some(day(6, 1) + Days::new(days)),
            start: Some(at(8 + start)),
            end: end.map(|end| at(8 + end)),
            ..Period::default()
        }).collect();
        let mended = mend(&periods);
        prop_assert_eq!(flaws(&mended), []);
        prop_assert_eq!(mend(&mended), mended.clone());
        if flaws(&periods).is_empty() {
            prop_assert_eq!(mended, periods);
        }
    }
}
