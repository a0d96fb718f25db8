//! iCalendar files of invigilators: one event per duty. The identifier (UID) of an event depends on the names of session and
//! invigilator and on the time of the period, so that another room replaces the former one; duties that were published, or that an
//! adjustment took away, are cancelled events.

use std::collections::BTreeMap;

use super::calendar::Sheet;
use super::duties::{Line, by_person, lines};
use super::history::{DutyHistory, Told, cancelled_event, duty_key, moment};
use crate::invigilators::{Duty, Invigilator, Post};
use crate::{Instance, TimeZone, Timetable, words};
use chrono::{DateTime, Days, Utc};
use gridwright_core::data::{NameIndex, key};
use gridwright_core::export::archive::{Archive, file_name};
use gridwright_core::export::calendar::{self, Component, Event, EventLike, one_line};
use gridwright_core::text::language::Language;
use gridwright_core::{Error, Result};

/// Calendars of all invigilators with a duty: a ZIP archive with a file `CODE.ics` each, in a folder named after the session.
///
/// # Errors
/// [`Error::Usage`] if a used period has no date, or the archive cannot be written.
pub(super) fn of_all(
    instance: &Instance, timetable: &Timetable, time_zone: Option<TimeZone>, former: &[Duty], language: Language,
    now: DateTime<Utc>,
) -> Result<Vec<u8>> {
    let sheet = Sheet::of(instance, timetable, time_zone, language, now)?;
    let lines = lines(instance, timetable);
    let history = DutyHistory::of_duties(instance, former, now);
    let mut cancelled: BTreeMap<&str, Vec<Event>> = BTreeMap::new();
    for (key, Told { what, since, .. }) in history.cancelled() {
        let event = cancelled_event(
            &names(instance, what, &moment(&what.when)),
            *since,
            &what.when,
            (&summary(what, language), &place(instance, &what.post)),
            language,
            |moment| sheet.local(moment),
        );
        cancelled.entry(&key.0).or_default().extend(event);
    }
    let folder = file_name(&instance.name);
    let mut archive = Archive::new(now);
    for lines in by_person(&lines) {
        let code = &lines[0].duty.invigilator;
        let events =
            lines.iter().map(|line| event(instance, &sheet, line, language, &history)).collect::<Result<Vec<_>>>()?;
        let events = events.into_iter().chain(cancelled.remove(key(code).as_str()).unwrap_or_default());
        let text = sheet.calendar(&format!("{} · {}", instance.name, lines[0].name()), None, events);
        archive.add_named(&folder, code, "ics", text.as_bytes())?;
    }
    // People whose duties all fell away.
    let people = NameIndex::of(instance.resources.invigilators.iter().map(|person| &person.code));
    for (code, events) in cancelled {
        let person = people.get(code).map(|person| &instance.resources.invigilators[person]);
        let code = person.map_or(code, |person| person.code.as_str());
        let name = person.map_or(code, Invigilator::label);
        let text = sheet.calendar(&format!("{} · {name}", instance.name), None, events.into_iter());
        archive.add_named(&folder, code, "ics", text.as_bytes())?;
    }
    archive.finish()
}

/// Names by which the event of a duty at a moment is identified.
fn names<'a>(instance: &'a Instance, duty: &'a Duty, at: &'a str) -> [&'a [u8]; 4] {
    [instance.name.as_bytes(), b"duty", duty.invigilator.as_bytes(), at.as_bytes()]
}

fn summary(duty: &Duty, language: Language) -> String {
    one_line(&words::INVIGILATION.with(language, &[&duty.post.words_in(language)]))
}

/// Room and building of a post; empty for a reserve.
fn place(instance: &Instance, post: &Post) -> String {
    match post {
        Post::Chief(building) => building.clone(),
        Post::Room(code) => {
            let room = instance.resources.room_index(code).map(|room| &instance.resources.rooms[room]);
            let building = room.map_or("", |room| room.building.as_str());
            [code.as_str(), building].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
        }
        Post::Reserve => String::new(),
    }
}

fn event(
    instance: &Instance, sheet: &Sheet<'_>, line: &Line<'_>, language: Language, history: &DutyHistory,
) -> Result<Event> {
    let when = &line.duty.when;
    let Some(date) = when.date else {
        let what =
            format!("a calendar needs dates, and the duties of period {} have none; assign them again", when.period);
        return Err(Error::Usage(what));
    };
    let since = history.since(&duty_key(line.duty));
    let mut event = calendar::event(&names(instance, line.duty, &moment(when)), since);
    let summary = summary(line.duty, language);
    let mut description = vec![summary.clone(), words::PERIOD.with(language, &[&when.period.to_string()])];
    if !line.exams.is_empty() {
        description.push(words::EXAMS_OF.with(language, &[&line.exams.join(", ")]));
    }
    let place =
        [line.room(), &line.building].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    if !place.is_empty() {
        event.location(&one_line(&place));
    }
    event.summary(&summary).description(&description.join("\n"));
    match when.start {
        Some(start) => {
            event.starts(sheet.local(date.and_time(start)));
            if let Some(end) = when.end {
                let days = Days::new(u64::from(end <= start));
                let last = date.checked_add_days(days).unwrap_or(date);
                event.ends(sheet.local(last.and_time(end)));
            }
        }
        None => {
            event.all_day(date);
        }
    }
    Ok(event.done())
}
