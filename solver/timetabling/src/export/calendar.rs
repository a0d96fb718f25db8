//! iCalendar files (RFC 5545) of the session, of one student, and of all students.

use std::collections::HashSet;
use std::io::{Cursor, Write};

use chrono::{DateTime, Datelike, Days, NaiveDate, Timelike, Utc};
use icalendar::{Calendar, Component, Event, EventLike, Property};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::tables::sittings_of;
use crate::counts;
use crate::occupancy::Occupancy;
use crate::{Instance, Timetable};
use gridwright_core::export::stamp::Stamp;
use gridwright_core::numbers::counted;
use gridwright_core::{Error, Result, files};

/// Formats the calendar of the session: one event per placed exam, in the order of the instance; where the timetable has rooms,
/// one per sitting.
///
/// Times are local times without a time zone. The identifier of an event depends only on the names of instance and
/// exam, so that a new plan replaces an old one.
///
/// # Errors
/// [`Error::Usage`] if a used period has no date.
pub(super) fn session(
    instance: &Instance, timetable: &Timetable, stamp: Option<&Stamp>, now: DateTime<Utc>,
) -> Result<String> {
    let events = Events::of(instance, timetable, now)?.events;
    Ok(calendar(&instance.name, stamp.map(Stamp::line), events.iter().flatten()))
}

/// Formats the calendar of one student: one event per placed exam, with the identifiers of [`session`].
///
/// # Errors
/// As for [`session`]; [`Error::Usage`] if no student has this code.
pub(super) fn of_student(instance: &Instance, timetable: &Timetable, code: &str, now: DateTime<Utc>) -> Result<String> {
    let student = (0..instance.students.len()).find(|&student| instance.students.code(student) == code);
    let Some(student) = student.filter(|&student| !instance.students.exams_of(student).is_empty()) else {
        let example = match instance.students.is_empty() {
            true => "it has no students".to_owned(),
            false => format!("its students are named like “{}”", instance.students.code(0)),
        };
        return Err(Error::Usage(format!("no student “{code}” sits an exam of {}; {example}", instance.name)));
    };
    let events = Events::of(instance, timetable, now)?;
    Ok(student_calendar(instance, &events, student))
}

/// Calendars of all students with a placed exam: a ZIP archive with a file `CODE.ics` each, in a folder named after the
/// instance.
///
/// # Errors
/// As for [`session`].
pub(crate) fn of_all_students(instance: &Instance, timetable: &Timetable, now: DateTime<Utc>) -> Result<Vec<u8>> {
    let events = Events::of(instance, timetable, now)?;
    let failed = |error: &dyn std::fmt::Display| Error::Usage(format!("the archive could not be written ({error})"));
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(zip_time(now))
        .unix_permissions(0o644);
    let folder = file_name(&instance.name);
    let mut names = HashSet::new();
    for student in 0..instance.students.len() {
        if events.of_student(instance, student).next().is_none() {
            continue;
        }
        let plain = file_name(&instance.students.code(student));
        // Different codes may give the same name, and some file systems ignore case.
        let numbered = (2_u32..).map(|number| format!("{plain}-{number}"));
        let name = std::iter::once(plain.clone()).chain(numbered).find(|name| names.insert(name.to_lowercase()));
        let name = format!("{folder}/{}.ics", name.unwrap_or(plain));
        archive.start_file(name, options).map_err(|error| failed(&error))?;
        let calendar = student_calendar(instance, &events, student);
        archive.write_all(calendar.as_bytes()).map_err(|error| failed(&error))?;
    }
    Ok(archive.finish().map_err(|error| failed(&error))?.into_inner())
}

fn student_calendar(instance: &Instance, events: &Events<'_>, student: usize) -> String {
    let name = format!("{} · {}", instance.name, instance.students.code(student));
    calendar(&name, None, events.of_student(instance, student))
}

/// Events of the exams or, where the timetable has rooms, of the sittings; `None` for those without a period.
struct Events<'a> {
    occupancy: Option<Occupancy<'a>>,
    events: Vec<Option<Event>>,
}

impl<'a> Events<'a> {
    fn of(instance: &'a Instance, timetable: &'a Timetable, now: DateTime<Utc>) -> Result<Self> {
        let occupancy = Occupancy::of(instance, timetable);
        let event_of = |(exam, sitting): (usize, Option<usize>)| {
            let Some(period) = counts::placed(instance, timetable, exam) else { return Ok(None) };
            let seated = occupancy.as_ref().zip(sitting);
            match instance.periods[period].date {
                Some(date) => Ok(Some(event(instance, exam, seated, (period, date), now))),
                None => Err(Error::Usage(format!(
                    "a calendar needs dates, and period {} of {} has none; give dates in a file periods.csv with the \
                     columns date,start,end beside the instance, or export another format such as CSV",
                    period + 1,
                    instance.name
                ))),
            }
        };
        let of_exam = |exam: usize| {
            let sittings = sittings_of(occupancy.as_ref(), exam).into_iter();
            sittings.map(move |sitting| (exam, sitting))
        };
        let events = (0..instance.exam_count()).flat_map(of_exam).map(event_of).collect::<Result<_>>()?;
        Ok(Self { occupancy, events })
    }

    /// Events of a student.
    fn of_student(&self, instance: &'a Instance, student: usize) -> impl Iterator<Item = &Event> {
        let exams = instance.students.exams_of(student).iter().map(|&exam| usize::from(exam));
        exams.filter_map(move |exam| {
            let at = self.occupancy.as_ref().map_or(exam, |occupancy| occupancy.of_student(student, exam));
            self.events[at].as_ref()
        })
    }
}

fn calendar<'a>(name: &str, description: Option<&str>, events: impl Iterator<Item = &'a Event>) -> String {
    let mut calendar = Calendar::empty();
    for (name, value) in
        [("VERSION", "2.0"), ("PRODID", "-//Gridwright//Examination timetable//EN"), ("CALSCALE", "GREGORIAN")]
    {
        calendar.append_property(Property::new(name, value));
    }
    calendar.name(&one_line(name));
    if let Some(description) = description {
        calendar.description(description);
    }
    for event in events {
        calendar.push(event.clone());
    }
    calendar.to_string()
}

/// Replaces characters that some file systems do not allow.
fn file_name(text: &str) -> String {
    let name: String = text
        .chars()
        .map(|letter| if letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.') { letter } else { '_' })
        .take(80)
        .collect();
    match name.trim_matches('.') {
        "" => "unnamed".to_owned(),
        name => name.to_owned(),
    }
}

/// Time stamp of the files in an archive, which has no years before 1980.
fn zip_time(now: DateTime<Utc>) -> zip::DateTime {
    let part = |value: u32| u8::try_from(value).unwrap_or_default();
    let (date, time) = (now.date_naive(), now.time());
    let year = u16::try_from(date.year()).unwrap_or_default();
    let (month, day) = (part(date.month()), part(date.day()));
    zip::DateTime::from_date_and_time(year, month, day, part(time.hour()), part(time.minute()), part(time.second()))
        .unwrap_or_default()
}

/// Event of an exam or of one of its sittings; the first sitting has the identifier of the exam.
fn event(
    instance: &Instance, exam: usize, seated: Option<(&Occupancy<'_>, usize)>, (period, date): (usize, NaiveDate),
    now: DateTime<Utc>,
) -> Event {
    let data = &instance.exams[exam];
    let number = seated.map_or(0, |(occupancy, sitting)| sitting - occupancy.of_exam(exam).start).to_string();
    let pieces = [instance.name.as_bytes(), data.code.as_bytes(), number.as_bytes()];
    let hash = files::hash(if number == "0" { &pieces[..2] } else { &pieces });
    let mut event = Event::with_uid(&format!("{}@gridwright", hash.get(..32).unwrap_or(&hash)));
    let summary = if data.title.is_empty() { data.code.clone() } else { format!("{} {}", data.code, data.title) };
    let summary = one_line(&summary);
    let count = seated.map_or(data.enrolment, |(occupancy, sitting)| occupancy.sitting(sitting).students);
    let mut description = format!("{summary}\n{}\nPeriod {}", counted(count, "student"), period + 1);
    let extra = seated.map_or(0, |(occupancy, sitting)| occupancy.sitting(sitting).extra);
    if let Some(minutes) = data.duration {
        description.push_str(&format!("\n{minutes} minutes"));
        if extra > 0 {
            description.push_str(&format!(" and {extra} minutes of extra time"));
        }
    }
    if let Some((occupancy, sitting)) = seated {
        description.push_str(&format!("\nRooms: {}", occupancy.words(sitting)));
        event.location(&one_line(&occupancy.codes(sitting)));
    }
    event.timestamp(now).summary(&summary).description(&description);
    match instance.periods[period].start {
        Some(start) => {
            let start = date.and_time(start);
            event.starts(start);
            if let Some((end, midnights)) = instance.end_with(exam, period, extra) {
                let day = start.date().checked_add_days(Days::new(u64::from(midnights))).unwrap_or(start.date());
                event.ends(day.and_time(end));
            }
        }
        None => {
            // All day: the end is exclusive.
            event.starts(date);
            if let Some(next) = date.checked_add_days(Days::new(1)) {
                event.ends(next);
            }
        }
    }
    event.done()
}

/// Replaces line ends by spaces, because a summary is a single line.
fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
