//! Appointments that calendars have told: since when each holds, and those that fell away.
//!
//! Published versions are told in their order and the present state last. The moment since which an appointment holds is the SEQUENCE
//! and the time stamp of its event, so that a calendar in which nothing has changed keeps its bytes, and a later version always
//! replaces an earlier one. An appointment that a later version lacks remains in the history as a cancelled one.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use chrono::{DateTime, Days, NaiveDate, Utc};

use crate::invigilators::Duty;
use crate::publication::{Affected, Appointment, Publication, When};
use crate::{Instance, Timetable, words};
use gridwright_core::data::key;
use gridwright_core::export::calendar::{self, CalendarDateTime, Component, Event, EventLike, one_line};
use gridwright_core::text::language::Language;

/// An appointment as it was told last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told<T> {
    /// The appointment.
    pub what: T,
    /// Moment since which it holds or, if it is cancelled, does not.
    pub since: DateTime<Utc>,
    /// True if the present state lacks the appointment.
    pub is_cancelled: bool,
}

/// All appointments that were told, by whom and what they concern.
#[derive(Debug)]
pub(super) struct History<K, T> {
    entries: BTreeMap<K, Told<T>>,
    /// Moment of appointments that were never published.
    now: DateTime<Utc>,
}

impl<K: Ord, T: PartialEq> History<K, T> {
    fn new(now: DateTime<Utc>) -> Self {
        Self { entries: BTreeMap::new(), now }
    }

    /// Adds a later state, which holds from this moment.
    fn tell(&mut self, state: BTreeMap<K, T>, at: DateTime<Utc>) {
        for (_, told) in self.entries.iter_mut().filter(|(key, told)| !told.is_cancelled && !state.contains_key(key)) {
            (told.is_cancelled, told.since) = (true, at);
        }
        for (key, what) in state {
            let told = |what| Told { what, since: at, is_cancelled: false };
            match self.entries.entry(key) {
                Entry::Vacant(entry) => _ = entry.insert(told(what)),
                Entry::Occupied(entry) if !entry.get().is_cancelled && entry.get().what == what => {}
                Entry::Occupied(mut entry) => _ = entry.insert(told(what)),
            }
        }
    }

    /// Moment since which an appointment holds as it is.
    pub(super) fn since(&self, key: &K) -> DateTime<Utc> {
        self.entries.get(key).map_or(self.now, |told| told.since)
    }

    /// Appointments that fell away, in the order of their keys.
    pub(super) fn cancelled(&self) -> impl Iterator<Item = (&K, &Told<T>)> {
        self.entries.iter().filter(|(_, told)| told.is_cancelled)
    }
}

/// Exam of a student, or for everyone, as calendars tell it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ToldExam {
    /// Code of the student; empty for everyone.
    pub who: String,
    /// Code of the exam.
    pub code: String,
    /// Title of the exam, or empty.
    pub title: String,
    /// Time and rooms.
    pub appointment: Appointment,
}

/// Exams that were told, by the kind of those concerned and the forms of their codes and of those of exams in which spellings are
/// compared.
pub(super) type ExamHistory = History<(Affected, String, String), ToldExam>;

/// Key of an exam for a student or, with an empty code, for everyone.
pub(super) fn exam_key(who: &str, exam: &str) -> (Affected, String, String) {
    let affected = if who.is_empty() { Affected::Exam } else { Affected::Student };
    (affected, key(who), key(exam))
}

impl ExamHistory {
    /// Exams of the published versions and of a timetable; empty if nothing was published.
    pub(super) fn of(instance: &Instance, timetable: &Timetable, now: DateTime<Utc>) -> Self {
        let mut history = Self::new(now);
        for version in instance.publications.iter() {
            history.tell(exams(version), version.at);
        }
        if !history.entries.is_empty() {
            history.tell(exams(&Publication::of(instance, timetable, 0, now)), now);
        }
        history
    }

    /// Exams of a student, or for everyone, that fell away.
    pub(super) fn cancelled_of(&self, who: &str) -> impl Iterator<Item = &Told<ToldExam>> {
        let (affected, who, first) = exam_key(who, "");
        let own = self.entries.range((affected, who.clone(), first)..);
        let own = own.take_while(move |((kind, code, _), _)| *kind == affected && *code == who);
        own.map(|(_, told)| told).filter(|told| told.is_cancelled)
    }
}

/// Exams of a version for everyone and for each student.
fn exams(version: &Publication) -> BTreeMap<(Affected, String, String), ToldExam> {
    let is_told = |affected: Affected| matches!(affected, Affected::Exam | Affected::Student);
    let all = version.appointments().into_iter().filter(|((affected, ..), _)| is_told(*affected));
    let told = all.map(|(key, appointed)| {
        let (code, title) = (appointed.exam.code.clone(), appointed.exam.title.clone());
        (key, ToldExam { who: appointed.who, code, title, appointment: appointed.appointment })
    });
    told.collect()
}

/// Duties that were told, by the form of the invigilator's code in which spellings are compared, and by time.
pub(super) type DutyHistory = History<(String, String), Duty>;

/// Key of a duty.
pub(super) fn duty_key(duty: &Duty) -> (String, String) {
    (key(&duty.invigilator), moment(&duty.when))
}

/// Date and time by which a duty is identified.
pub(super) fn moment(when: &When) -> String {
    let date = when.date.map(|date| date.to_string()).unwrap_or_default();
    format!("{date} {}", when.start.map(|start| start.to_string()).unwrap_or_default())
}

impl DutyHistory {
    /// Duties of the published versions, those from before an adjustment, and the present ones.
    pub(super) fn of_duties(instance: &Instance, former: &[Duty], now: DateTime<Utc>) -> Self {
        let mut history = Self::new(now);
        let state = |duties: &[Duty]| duties.iter().map(|duty| (duty_key(duty), duty.clone())).collect();
        for version in instance.publications.iter().filter(|version| !version.duties.is_empty()) {
            history.tell(state(&version.duties), version.at);
        }
        if !former.is_empty() {
            history.tell(state(former), now);
        }
        history.tell(state(&instance.duties), now);
        history
    }
}

/// Start and end of an appointment; of a whole day without a time. `None` without a date.
pub(super) fn ends(when: &When) -> Option<(NaiveDate, NaiveDate)> {
    let date = when.date?;
    let is_next = when.start.is_none() || when.end.zip(when.start).is_some_and(|(end, start)| end <= start);
    Some((date, date.checked_add_days(Days::new(is_next.into())).unwrap_or(date)))
}

/// Event that cancels an appointment; `None` if it had no date. `names` identify the event.
pub(super) fn cancelled_event(
    names: &[&[u8]], since: DateTime<Utc>, when: &When, (summary, place): (&str, &str), language: Language,
    local: impl Fn(chrono::NaiveDateTime) -> CalendarDateTime,
) -> Option<Event> {
    let (first, last) = ends(when)?;
    let mut event = calendar::event(names, since);
    let summary = one_line(summary);
    event.summary(&summary).description(&format!("{summary}\n{}", words::CANCELLED.of(language)));
    event.add_property("STATUS", "CANCELLED");
    if !place.is_empty() {
        event.location(&one_line(place));
    }
    match when.start {
        Some(start) => {
            event.starts(local(first.and_time(start)));
            if let Some(end) = when.end {
                event.ends(local(last.and_time(end)));
            }
        }
        None => {
            event.starts(first);
            event.ends(last);
        }
    }
    Some(event.done())
}

impl ToldExam {
    /// Code and title.
    pub(super) fn summary(&self) -> String {
        if self.title.is_empty() { self.code.clone() } else { format!("{} {}", self.code, self.title) }
    }
}
