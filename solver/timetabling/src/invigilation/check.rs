//! Independent check of duties: cover, roles, absences, overlaps, exams and colleagues that people do not have, and loads.
//!
//! The check works from the rooms and students of the raw timetable and shares no code with the assignment.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Days, NaiveDateTime};

use crate::invigilators::{ChiefScope, Duty, Invigilator, Post};
use crate::{Instance, Timetable};
use gridwright_core::data::key;
use gridwright_core::text::lines::quoted;

/// Kind of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// A person, room or period that the session does not have.
    Unknown,
    /// A post has fewer people than it needs.
    Uncovered,
    /// A post has more people than it needs, or needs nobody.
    Surplus,
    /// The role does not allow the duty.
    Role,
    /// The person is absent.
    Absent,
    /// Two duties of a person at the same time.
    Overlap,
    /// An exam in the room is one that the person does not have.
    Exam,
    /// Two people in a room who must not share one.
    Colleague,
    /// More duties than the most, or fewer than the least.
    Load,
}

impl FaultKind {
    /// Word in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Uncovered => "uncovered",
            Self::Surplus => "surplus",
            Self::Role => "role",
            Self::Absent => "absent",
            Self::Overlap => "overlap",
            Self::Exam => "exam",
            Self::Colleague => "colleague",
            Self::Load => "load",
        }
    }
}

/// Something that is wrong with duties.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Kind.
    pub kind: FaultKind,
    /// A sentence without a full stop.
    pub text: String,
}

/// A duty whose person and period are known.
struct Known<'a> {
    duty: &'a Duty,
    person: usize,
    period: usize,
}

/// Post as a key: rank, and code of the room or name of the building in the form in which spellings are compared.
type PostKey = (u8, String);

fn post_key(post: &Post) -> PostKey {
    match post {
        Post::Chief(building) => (0, key(building)),
        Post::Room(room) => (1, key(room)),
        Post::Reserve => (2, String::new()),
    }
}

/// Number of people that a post needs, the post, and the exams in its room.
type Wanted = (u32, Post, BTreeSet<u16>);

/// All faults of duties on a timetable, by kind.
pub fn check(instance: &Instance, timetable: &Timetable, duties: &[Duty]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let wanted = wanted(instance, timetable);
    let known = known(instance, duties, &mut faults);
    cover(instance, &wanted, &known, &mut faults);
    people(instance, &wanted, &known, &mut faults);
    colleagues(instance, &known, &mut faults);
    loads(instance, &known, &mut faults);
    faults.sort_by_key(|fault| fault.kind);
    faults
}

/// Needs of the posts by period, from the rooms of the raw timetable.
fn wanted(instance: &Instance, timetable: &Timetable) -> BTreeMap<(usize, PostKey), Wanted> {
    let rules = instance.invigilation_needs();
    let mut students: BTreeMap<(usize, usize), (u32, BTreeSet<u16>)> = BTreeMap::new();
    for (sitting, seats) in instance.sittings().iter().zip(&timetable.rooms) {
        let period = usize::from(timetable.periods[sitting.exam]);
        let is_known = period < instance.periods.len();
        for seats in seats.iter().filter(|seats| seats.students > 0 && is_known) {
            let entry = students.entry((period, seats.room.into())).or_default();
            entry.0 += seats.students;
            entry.1.insert(sitting.exam as u16);
        }
    }
    let mut wanted = BTreeMap::new();
    for ((period, room), (students, exams)) in students {
        let Some(room) = instance.resources.rooms.get(room) else { continue };
        let mut add = |count: u32, post: Post, exams| {
            if count > 0 {
                wanted.insert((period, post_key(&post)), (count, post, exams));
            }
        };
        let count = (students.saturating_sub(1) / rules.students + 1).max(rules.least);
        add(count, Post::Room(room.code.clone()), exams);
        match rules.chief {
            ChiefScope::Nobody => {}
            ChiefScope::Period => add(1, Post::Chief(String::new()), BTreeSet::new()),
            ChiefScope::Building => add(1, Post::Chief(room.building.clone()), BTreeSet::new()),
        }
        add(rules.reserves, Post::Reserve, BTreeSet::new());
    }
    wanted
}

/// Duties whose person and period the session has; the others are faults.
fn known<'a>(instance: &Instance, duties: &'a [Duty], faults: &mut Vec<Fault>) -> Vec<Known<'a>> {
    let people: BTreeMap<String, usize> =
        instance.resources.invigilators.iter().map(|person| key(&person.code)).zip(0..).collect();
    let mut known = Vec::new();
    for duty in duties {
        let person = people.get(&key(&duty.invigilator)).copied();
        let is_meant = |period: usize| match duty.when.date {
            Some(date) => {
                (instance.periods[period].date, instance.periods[period].start) == (Some(date), duty.when.start)
            }
            None => period + 1 == usize::from(duty.when.period),
        };
        let period = (0..instance.periods.len()).find(|&period| is_meant(period));
        match (person, period) {
            (Some(person), Some(period)) => known.push(Known { duty, person, period }),
            (None, _) => {
                let text = format!("{} is no invigilator of the session", quoted(&duty.invigilator));
                faults.push(Fault { kind: FaultKind::Unknown, text });
            }
            (_, None) => {
                let (who, when) = (&duty.invigilator, duty.when.words());
                let text = format!("{who} has a duty at {when}, where the session has no period");
                faults.push(Fault { kind: FaultKind::Unknown, text });
            }
        }
    }
    known
}

/// Compares the people of each post with its need.
fn cover(
    instance: &Instance, wanted: &BTreeMap<(usize, PostKey), Wanted>, known: &[Known<'_>], faults: &mut Vec<Fault>,
) {
    let mut present: BTreeMap<(usize, PostKey), u32> = BTreeMap::new();
    for duty in known {
        *present.entry((duty.period, post_key(&duty.duty.post))).or_default() += 1;
    }
    for ((period, post), (count, name, _)) in wanted {
        let there = present.get(&(*period, post.clone())).copied().unwrap_or(0);
        let (when, name) = (instance.period_name(*period), name.words());
        if there < *count {
            let text = format!("{when}, {name}: {there} of {count} people are there");
            faults.push(Fault { kind: FaultKind::Uncovered, text });
        } else if there > *count {
            let text = format!("{when}, {name}: {there} people are there, {count} are needed");
            faults.push(Fault { kind: FaultKind::Surplus, text });
        }
    }
    for duty in known.iter().filter(|duty| !wanted.contains_key(&(duty.period, post_key(&duty.duty.post)))) {
        let (when, post) = (instance.period_name(duty.period), duty.duty.post.words());
        let is_unknown = matches!(&duty.duty.post, Post::Room(room) if instance.resources.room_index(room).is_none());
        let kind = if is_unknown { FaultKind::Unknown } else { FaultKind::Surplus };
        let text = format!("{when}, {post}: {} is there, nobody is needed", label(instance, duty.person));
        faults.push(Fault { kind, text });
    }
}

fn label(instance: &Instance, person: usize) -> &str {
    instance.resources.invigilators[person].label()
}

/// Checks each person at each duty, and pairs of duties of one person.
fn people(
    instance: &Instance, wanted: &BTreeMap<(usize, PostKey), Wanted>, known: &[Known<'_>], faults: &mut Vec<Fault>,
) {
    for (at, one) in known.iter().enumerate() {
        let person = &instance.resources.invigilators[one.person];
        let (when, post) = (instance.period_name(one.period), one.duty.post.words());
        let mut fault = |kind, what: &str| {
            faults.push(Fault { kind, text: format!("{when}, {post}: {} {what}", person.label()) });
        };
        if !has_role(person, &one.duty.post) {
            fault(FaultKind::Role, &format!("is {} only", person.role.word()));
        }
        if person.unavailable.contains(&(one.period as u16)) {
            fault(FaultKind::Absent, "is absent");
        }
        let exams = wanted.get(&(one.period, post_key(&one.duty.post))).map(|(_, _, exams)| exams);
        for exam in exams.into_iter().flatten().filter(|exam| person.forbidden_exams.contains(exam)) {
            fault(FaultKind::Exam, &format!("does not have {}", instance.exams[usize::from(*exam)].code));
        }
        for other in known[at + 1..].iter().filter(|other| other.person == one.person) {
            if is_together(one, other) {
                let other = (instance.period_name(other.period), other.duty.post.words());
                fault(FaultKind::Overlap, &format!("is needed at {}, {}, at the same time", other.0, other.1));
            }
        }
    }
}

fn has_role(person: &Invigilator, post: &Post) -> bool {
    use crate::invigilators::Role::{Chief, Invigilator, Reserve};
    match post {
        Post::Chief(_) => person.role == Chief,
        Post::Room(_) => matches!(person.role, Chief | Invigilator),
        Post::Reserve => matches!(person.role, Chief | Invigilator | Reserve),
    }
}

/// Returns `true` if two duties take place at the same time, as far as their times are known.
fn is_together(one: &Known<'_>, other: &Known<'_>) -> bool {
    let span = |known: &Known<'_>| -> Option<(NaiveDateTime, NaiveDateTime)> {
        let when = &known.duty.when;
        let (date, start, end) = (when.date?, when.start?, when.end?);
        let last = if end > start { date } else { date.checked_add_days(Days::new(1))? };
        Some((date.and_time(start), last.and_time(end)))
    };
    let is_overlapping = || {
        let (one, other) = span(one).zip(span(other))?;
        Some(one.0 < other.1 && other.0 < one.1)
    };
    one.period == other.period || is_overlapping().unwrap_or(false)
}

/// Finds people in one room who must not share one.
fn colleagues(instance: &Instance, known: &[Known<'_>], faults: &mut Vec<Fault>) {
    let people = &instance.resources.invigilators;
    let excludes = |one: usize, other: usize| people[one].forbidden_colleagues.contains(&(other as u16));
    for (at, one) in known.iter().enumerate() {
        let is_room = matches!(one.duty.post, Post::Room(_));
        let same = known[at + 1..].iter().filter(|other| {
            is_room && other.period == one.period && post_key(&other.duty.post) == post_key(&one.duty.post)
        });
        for other in same.filter(|other| excludes(one.person, other.person) || excludes(other.person, one.person)) {
            let (when, post) = (instance.period_name(one.period), one.duty.post.words());
            let (one, other) = (label(instance, one.person), label(instance, other.person));
            let text = format!("{when}, {post}: {one} and {other} must not share a room");
            faults.push(Fault { kind: FaultKind::Colleague, text });
        }
    }
}

/// Compares the number of duties of each person with the least and the most.
fn loads(instance: &Instance, known: &[Known<'_>], faults: &mut Vec<Fault>) {
    for (index, person) in instance.resources.invigilators.iter().enumerate() {
        let load = known.iter().filter(|duty| duty.person == index).count();
        let (least, most) = (person.least_duties as usize, person.most_duties.map(|most| most as usize));
        let wanted = match most {
            Some(most) if load > most => format!("at most {most}"),
            _ if load < least => format!("at least {least}"),
            _ => continue,
        };
        let text = format!("{} has {load} duties, {wanted} are wanted", person.label());
        faults.push(Fault { kind: FaultKind::Load, text });
    }
}
