//! iCalendar files of invigilators: one event per duty. The identifier (UID) of an event depends on the names of session and
//! invigilator and on the time of the period, so that another room replaces the former one; times and SEQUENCE are those of
//! [`gridwright_core::export::calendar`].

use super::calendar::Sheet;
use super::duties::{Line, by_person, lines};
use crate::{Instance, TimeZone, Timetable, words};
use chrono::{DateTime, Days, Utc};
use gridwright_core::export::archive::{Archive, file_name};
use gridwright_core::export::calendar::{self, Component, Event, EventLike, one_line};
use gridwright_core::text::language::Language;
use gridwright_core::{Error, Result};

/// Calendars of all invigilators with a duty: a ZIP archive with a file `CODE.ics` each, in a folder named after the session.
///
/// # Errors
/// [`Error::Usage`] if a used period has no date, or the archive cannot be written.
pub(super) fn of_all(
    instance: &Instance, timetable: &Timetable, time_zone: Option<TimeZone>, language: Language, now: DateTime<Utc>,
) -> Result<Vec<u8>> {
    let sheet = Sheet::of(instance, timetable, time_zone, language, now)?;
    let lines = lines(instance, timetable);
    let folder = file_name(&instance.name);
    let mut archive = Archive::new(now);
    for lines in by_person(&lines) {
        let code = &lines[0].duty.invigilator;
        let events =
            lines.iter().map(|line| event(instance, &sheet, line, language, now)).collect::<Result<Vec<_>>>()?;
        let text = sheet.calendar(&format!("{} · {}", instance.name, lines[0].name()), None, events.into_iter());
        archive.add_named(&folder, code, "ics", text.as_bytes())?;
    }
    archive.finish()
}

fn event(
    instance: &Instance, sheet: &Sheet<'_>, line: &Line<'_>, language: Language, now: DateTime<Utc>,
) -> Result<Event> {
    let when = &line.duty.when;
    let Some(date) = when.date else {
        let what =
            format!("a calendar needs dates, and the duties of period {} have none; assign them again", when.period);
        return Err(Error::Usage(what));
    };
    let at = format!("{date} {}", when.start.map(|start| start.to_string()).unwrap_or_default());
    let names = [instance.name.as_bytes(), b"duty", line.duty.invigilator.as_bytes(), at.as_bytes()];
    let mut event = calendar::event(&names, now);
    let summary = one_line(&words::INVIGILATION.with(language, &[&line.duty.post.words_in(language)]));
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
