//! A timetable as an iCalendar file (RFC 5545).

use chrono::{DateTime, Days, NaiveDate, NaiveDateTime, TimeDelta, Utc};
use icalendar::{Calendar, Component, Event, EventLike, Property};

use crate::timetabling::counts::{self, grouped};
use crate::timetabling::{Exam, Instance, Timetable};
use crate::{Error, Result, files};

/// One event per exam that has a period, in the order of the instance.
///
/// Times carry no time zone: an examination at nine is at nine by the clock on the wall, wherever the calendar is read.
/// The identifier of an event depends on the names of instance and exam only, so that a new plan replaces an old one.
///
/// # Errors
/// [`Error::Usage`] where a period that is used has no date.
pub fn calendar(instance: &Instance, timetable: &Timetable, now: DateTime<Utc>) -> Result<String> {
    let placed: Vec<(usize, usize)> = (0..instance.exam_count())
        .filter_map(|exam| counts::placed(instance, timetable, exam).map(|period| (exam, period)))
        .collect();
    if let Some((_, period)) = placed.iter().find(|(_, period)| instance.periods[*period].date.is_none()) {
        return Err(Error::Usage(format!(
            "a calendar needs dates, and period {} of {} has none; give dates in a file periods.csv with the columns \
             date,start,end beside the instance, or export another format such as CSV",
            period + 1,
            instance.name
        )));
    }
    let mut calendar = Calendar::empty();
    for (name, value) in
        [("VERSION", "2.0"), ("PRODID", "-//Gridwright//Examination timetable//EN"), ("CALSCALE", "GREGORIAN")]
    {
        calendar.append_property(Property::new(name, value));
    }
    calendar.name(&one_line(&instance.name));
    if let Some(warning) = counts::OfficerCounts::of(instance, timetable).warning() {
        calendar.description(&warning);
    }
    for (exam, period) in placed {
        if let Some(date) = instance.periods[period].date {
            calendar.push(event(instance, exam, period, date, now));
        }
    }
    Ok(calendar.to_string())
}

fn event(instance: &Instance, exam: usize, period: usize, date: NaiveDate, now: DateTime<Utc>) -> Event {
    let data = &instance.exams[exam];
    let hash = files::hash(&[instance.name.as_bytes(), data.code.as_bytes()]);
    let mut event = Event::with_uid(&format!("{}@gridwright", hash.get(..32).unwrap_or(&hash)));
    let summary = if data.title.is_empty() { data.code.clone() } else { format!("{} {}", data.code, data.title) };
    let students = if data.enrolment == 1 { "student" } else { "students" };
    let mut description = format!("{} {students}\nPeriod {}", grouped(u64::from(data.enrolment)), period + 1);
    if let Some(minutes) = data.duration {
        description.push_str(&format!("\n{minutes} minutes"));
    }
    event.timestamp(now).summary(&one_line(&summary)).description(&description);
    match instance.periods[period].start {
        Some(start) => {
            let start = date.and_time(start);
            event.starts(start);
            if let Some(end) = end_of(instance, data, period, start) {
                event.ends(end);
            }
        }
        None => {
            // All day: the end is the day after, which does not belong to the event any more.
            event.starts(date);
            if let Some(next) = date.checked_add_days(Days::new(1)) {
                event.ends(next);
            }
        }
    }
    event.done()
}

/// When the exam ends: after its own duration where that lies within the period, otherwise with the period. A period
/// that ends before it starts ends on the next day.
fn end_of(instance: &Instance, data: &Exam, period: usize, start: NaiveDateTime) -> Option<NaiveDateTime> {
    let own = data.duration.and_then(|minutes| start.checked_add_signed(TimeDelta::minutes(i64::from(minutes))));
    let end = instance.periods[period].end.and_then(|end| {
        let end = start.date().and_time(end);
        if end > start { Some(end) } else { end.checked_add_days(Days::new(1)) }
    });
    match (own, end) {
        (Some(own), Some(end)) => Some(own.min(end)),
        (own, end) => own.or(end),
    }
}

/// Line ends as spaces: a summary is one line in every calendar.
fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
