//! Publication of a timetable without a window, and changes in words.

use chrono::{DateTime, Utc};
use gridwright_core::numbers::counted;
use gridwright_core::planning::Published;
use gridwright_core::result::Encoded;
use gridwright_core::text::language::Language;
use serde_json::{Map, Value, json};

use super::project::SessionDemands;
use super::publication::{Affected, Appointment, Change, Publication, When};
use super::{Instance, Timetable, words};

/// Makes a timetable the next version; `demands` are those of its project.
pub(super) fn publish(
    instance: &Instance, timetable: &Timetable, mut demands: SessionDemands, at: DateTime<Utc>,
) -> Published {
    let former = instance.published();
    let version = former.map_or(1, |former| former.version + 1);
    let publication = Publication::of(instance, timetable, version, at);
    let changes = former.map(|former| former.changes_to(&publication));
    let is_changed = changes.as_ref().is_none_or(|changes| !changes.is_empty());
    let text = changes.as_deref().map_or_else(|| first(&publication), listing);
    let mut json = Map::new();
    json.insert("version".to_owned(), version.into());
    json.insert("is_changed".to_owned(), is_changed.into());
    json.insert("changes".to_owned(), changes.iter().flatten().map(object).collect());
    demands.published = instance.publications.iter().cloned().chain([publication]).collect();
    Published { version, demands: Encoded::of(&demands), is_changed, text, json }
}

/// Numbers of a version without a version before.
fn first(publication: &Publication) -> String {
    let (exams, students) = (publication.exams.len(), publication.students.len());
    format!("{} of {}\n", counted(exams, "exam"), counted(students, "student"))
}

/// Lines about the changed exams, and whom all changes concern.
fn listing(changes: &[Change]) -> String {
    if changes.is_empty() {
        return "Nothing has changed since.\n".to_owned();
    }
    let exams = changes.iter().filter(|change| change.affected == Affected::Exam);
    let lines = exams
        .map(|change| format!("{}: {}, {}\n", change.exam, change.kind().words(Language::English), change.words()));
    format!("{}Changes concern {}\n", lines.collect::<String>(), concerned(changes))
}

fn object(change: &Change) -> Value {
    let appointment = |of: &Option<Appointment>| {
        of.as_ref().map(|Appointment { when, rooms, seat, .. }| {
            json!({
                "period": when.period, "date": when.date, "start": when.start, "end": when.end, "rooms": rooms, "seat": seat,
            })
        })
    };
    json!({
        "affected": change.affected.word(), "who": change.who, "exam": change.exam, "change": change.kind().words(Language::English),
        "before": appointment(&change.before), "now": appointment(&change.now),
    })
}

/// Words for those whom changes concern: «1 exam, 31 students, 2 examiners, 3 rooms».
pub fn concerned(changes: &[Change]) -> String {
    let kinds = [Affected::Exam, Affected::Student, Affected::Examiner, Affected::Room];
    let count = |kind: Affected| {
        let mut who: Vec<&str> = changes
            .iter()
            .filter(|change| change.affected == kind)
            .map(|change| if kind == Affected::Exam { change.exam.as_str() } else { change.who.as_str() })
            .collect();
        who.dedup();
        who.len() as u64
    };
    let words = kinds.into_iter().map(|kind| (kind, count(kind))).filter(|(_, count)| *count > 0);
    words.map(|(kind, count)| counted(count, kind.word())).collect::<Vec<_>>().join(", ")
}

impl Change {
    /// Time and rooms before and now: «Mon 1 Feb 2027 09:00, H1 → Tue 2 Feb 2027 09:00, H1».
    pub fn words(&self) -> String {
        let words = |appointment: &Option<Appointment>| {
            appointment.as_ref().map_or_else(|| "no place".to_owned(), Appointment::words)
        };
        format!("{} → {}", words(&self.before), words(&self.now))
    }
}

impl Appointment {
    /// Time and rooms: «Mon 1 Feb 2027 09:00, H1».
    pub fn words(&self) -> String {
        let parts = [self.when.words(), self.place(Language::English)];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

impl When {
    /// Date and time: «Mon 1 Feb 2027 09:00», or the number of the period without a date.
    pub fn words(&self) -> String {
        self.words_in(Language::English)
    }

    /// As [`Self::words`], in a language.
    pub(crate) fn words_in(&self, language: Language) -> String {
        let Some(date) = self.date else { return words::IN_PERIOD.with(language, &[&self.period.to_string()]) };
        let start = self.start.map(|start| start.format(" %H:%M").to_string()).unwrap_or_default();
        format!("{}{start}", language.short_date(date))
    }
}
