//! iCalendar files of the session, of one student, and of all students ([`gridwright_core::export::calendar`]). The identifier
//! of an event depends only on the names of instance and exam. Exams that were published and fell away are cancelled events with their
//! former times.

use super::history::{ExamHistory, Told, cancelled_event, exam_key};
use crate::counts;
use crate::occupancy::Occupancy;
use crate::publication::Appointment;
use crate::who_sits_where::WhoSitsWhere;
use crate::{Instance, TimeZone, Timetable, words};
use chrono::{DateTime, Days, NaiveDate, NaiveDateTime, Utc};
use gridwright_core::export::archive::{Archive, file_name};
use gridwright_core::export::calendar::{self, CalendarDateTime, CalendarHead, Component, Event, EventLike, one_line};
use gridwright_core::export::stamp::Stamp;
use gridwright_core::text::language::Language;
use gridwright_core::{Error, Result};

/// Dated timetable from which events are made.
pub(super) struct Sheet<'a> {
    instance: &'a Instance,
    time_zone: Option<TimeZone>,
    /// Rooms, and the room of each student; `None` if the timetable has none.
    seated: Option<(Occupancy<'a>, WhoSitsWhere<'a>)>,
    /// Period and date of each exam; `None` for an exam without a period.
    dates: Vec<Option<(usize, NaiveDate)>>,
    /// Exams that were told before.
    history: ExamHistory,
    language: Language,
    now: DateTime<Utc>,
}

/// Part of an event that depends on its reader.
struct Reader {
    /// Moment since which the event is as it is.
    since: DateTime<Utc>,
    /// Number of students; `None` for one student.
    students: Option<u32>,
    /// Last lines of the description.
    lines: Vec<String>,
    /// Rooms.
    location: String,
    /// Minutes of extra time.
    extra: u32,
}

impl<'a> Sheet<'a> {
    /// Events of a timetable in a time zone, or in that of the instance.
    ///
    /// # Errors
    /// [`Error::Usage`] if a used period has no date.
    pub(super) fn of(
        instance: &'a Instance, timetable: &'a Timetable, time_zone: Option<TimeZone>, language: Language,
        now: DateTime<Utc>,
    ) -> Result<Self> {
        let date = |exam: usize| {
            let Some(period) = counts::placed(instance, timetable, exam) else { return Ok(None) };
            match instance.periods[period].date {
                Some(date) => Ok(Some((period, date))),
                None => Err(Error::Usage(format!(
                    "a calendar needs dates, and period {} of {} has none; give dates in a file periods.csv with the \
                     columns date,start,end beside the instance, or export another format such as CSV",
                    period + 1,
                    instance.name
                ))),
            }
        };
        let dates = (0..instance.exam_count()).map(date).collect::<Result<_>>()?;
        let seated = Occupancy::of(instance, timetable).map(|occupancy| {
            let who = WhoSitsWhere::of(instance, &occupancy);
            (occupancy, who)
        });
        let history = ExamHistory::of(instance, timetable, now);
        Ok(Self { instance, time_zone: time_zone.or(instance.time_zone), seated, dates, history, language, now })
    }

    /// Formats the calendar of the session for everyone: one event per placed exam, in the order of the instance, without
    /// a trace of extra time.
    pub(super) fn session(&self, stamp: Option<&Stamp>) -> String {
        let events = (0..self.instance.exam_count()).filter_map(|exam| self.of_exam(exam)).chain(self.cancelled(""));
        self.calendar(&self.instance.name, stamp.map(Stamp::line), events)
    }

    /// Formats the calendar of one student: one event per placed exam, with the identifiers of [`Self::session`].
    ///
    /// # Errors
    /// [`Error::Usage`] if no student has this code.
    pub(super) fn of_student(&self, code: &str) -> Result<String> {
        let Instance { name, students, .. } = self.instance;
        let student = self.instance.student_codes().get(code);
        let Some(student) = student.filter(|&student| !students.exams_of(student).is_empty()) else {
            // Who left the session still has the events of before.
            if self.cancelled(code).next().is_some() {
                return Ok(self.calendar_of(code, self.cancelled(code)));
            }
            let example = match students.is_empty() {
                true => "it has no students".to_owned(),
                false => format!("its students are named like “{}”", students.code(0)),
            };
            return Err(Error::Usage(format!("no student “{code}” sits an exam of {name}; {example}")));
        };
        Ok(self.calendar_of(&students.code(student), self.events_of(student)))
    }

    /// Calendars of all students with a placed exam or one that was cancelled: a ZIP archive with a file `CODE.ics` each, in a
    /// folder named after the instance; those of students who left the session come last.
    ///
    /// # Errors
    /// [`Error::Usage`] if the archive cannot be written.
    pub(super) fn of_all_students(&self) -> Result<Vec<u8>> {
        let mut archive = Archive::new(self.now);
        let folder = file_name(&self.instance.name);
        for student in 0..self.instance.students.len() {
            if self.events_of(student).next().is_none() {
                continue;
            }
            let code = self.instance.students.code(student);
            archive.add_named(&folder, &code, "ics", self.calendar_of(&code, self.events_of(student)).as_bytes())?;
        }
        for code in self.left() {
            archive.add_named(&folder, code, "ics", self.calendar_of(code, self.cancelled(code)).as_bytes())?;
        }
        archive.finish()
    }

    /// Codes of the students who were told exams and whom the session does not have any more.
    fn left(&self) -> Vec<&str> {
        let present = self.instance.student_codes();
        let who = self.history.cancelled().map(|(_, told)| told.what.who.as_str());
        let mut left: Vec<&str> = who.filter(|who| !who.is_empty() && present.get(who).is_none()).collect();
        left.dedup();
        left
    }

    fn calendar_of(&self, code: &str, events: impl Iterator<Item = Event>) -> String {
        self.calendar(&format!("{} · {code}", self.instance.name), None, events)
    }

    /// Events that cancel exams of a student, or of everyone, that were told before.
    fn cancelled(&self, who: &str) -> impl Iterator<Item = Event> {
        self.history.cancelled_of(who).filter_map(|Told { what, since, .. }| {
            let names = [self.instance.name.as_bytes(), what.code.as_bytes()];
            let Appointment { when, .. } = &what.appointment;
            let texts = (what.summary(), what.appointment.place(self.language));
            let texts = (texts.0.as_str(), texts.1.as_str());
            cancelled_event(&names, *since, when, texts, self.language, |moment| self.local(moment))
        })
    }

    /// Formats a calendar of events with the time zone of the session.
    pub(super) fn calendar(
        &self, name: &str, description: Option<&str>, events: impl Iterator<Item = Event>,
    ) -> String {
        let cancelled = || self.history.cancelled().filter_map(|(_, told)| told.what.appointment.when.date);
        let days = || self.dates.iter().flatten().map(|(_, date)| *date).chain(cancelled());
        let product = "Examination timetable";
        let days = days().min().zip(days().max());
        CalendarHead { product, name, description, time_zone: self.time_zone, days }.with_events(events)
    }

    /// Event of an exam for everyone.
    fn of_exam(&self, exam: usize) -> Option<Event> {
        let data = &self.instance.exams[exam];
        let rooms = self.seated.as_ref().map_or_else(Vec::new, |(rooms, _)| rooms.public_rooms(exam));
        let location = rooms.join(", ");
        let of_rooms = if rooms.len() == 1 { words::OF_ROOM } else { words::IN_ROOMS };
        let lines =
            Some(of_rooms.with(self.language, &[&location])).filter(|_| !location.is_empty()).into_iter().collect();
        // Beside the numbers at doors, that of all students would tell how many sit elsewhere.
        let students = Some(data.enrolment).filter(|_| self.seated.is_none());
        let since = self.history.since(&exam_key("", &data.code));
        self.event(exam, Reader { since, students, lines, location, extra: 0 })
    }

    /// Events of a student.
    fn events_of(&self, student: usize) -> impl Iterator<Item = Event> {
        let exams = self.instance.students.exams_of(student).iter().map(|&exam| usize::from(exam));
        let code = self.instance.students.code(student);
        let cancelled: Vec<Event> = self.cancelled(&code).collect();
        let present = exams.filter_map(move |exam| {
            let (mut lines, mut location, mut extra) = (Vec::new(), String::new(), 0);
            if let Some((rooms, who)) = &self.seated {
                extra = rooms.extra_of(student, exam);
                location = who.place_words(student, exam, self.language);
            }
            if extra > 0 {
                lines.push(words::EXTRA_MINUTES.with(self.language, &[&extra.to_string()]));
            }
            if !location.is_empty() {
                lines.push(words::OF_ROOM.with(self.language, &[&location]));
            }
            let since = self.history.since(&exam_key(&code, &self.instance.exams[exam].code));
            self.event(exam, Reader { since, students: None, lines, location, extra })
        });
        present.chain(cancelled)
    }

    /// Event of an exam; `None` if it has no period.
    fn event(&self, exam: usize, reader: Reader) -> Option<Event> {
        let (period, date) = self.dates[exam]?;
        let (instance, data) = (self.instance, &self.instance.exams[exam]);
        let mut event = calendar::event(&[instance.name.as_bytes(), data.code.as_bytes()], reader.since);
        let summary = if data.title.is_empty() { data.code.clone() } else { format!("{} {}", data.code, data.title) };
        let summary = one_line(&summary);
        let mut description = vec![summary.clone()];
        let students = |count: u32| words::STUDENTS_COUNTED.counted(count.into(), self.language);
        description.extend(reader.students.map(students));
        description.push(words::period(period, self.language));
        let minutes = |minutes: u32| words::MINUTES.with(self.language, &[&minutes.to_string()]);
        description.extend(data.duration.map(minutes));
        description.extend(reader.lines);
        if !reader.location.is_empty() {
            event.location(&one_line(&reader.location));
        }
        event.summary(&summary).description(&description.join("\n"));
        match instance.periods[period].start {
            Some(start) => {
                let start = date.and_time(start);
                event.starts(self.local(start));
                if let Some((end, midnights)) = instance.end_with(exam, period, reader.extra) {
                    let day = start.date().checked_add_days(Days::new(u64::from(midnights))).unwrap_or(start.date());
                    event.ends(self.local(day.and_time(end)));
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
        Some(event.done())
    }

    /// Local time in the time zone, if there is one.
    pub(super) fn local(&self, date_time: NaiveDateTime) -> CalendarDateTime {
        calendar::local(self.time_zone, date_time)
    }
}
