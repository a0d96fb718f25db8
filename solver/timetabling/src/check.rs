//! The independent checker: computes cost and violations of a timetable from the enrolments of the students.
//!
//! The checker does not use the conflict graph and shares no code with the searches. Every result passes it before it
//! is shown or exported.

mod free_places;
mod limits;
mod session;

use serde::{Deserialize, Serialize};

pub use self::free_places::free_places;
pub(crate) use self::limits::exceeded_by;
pub use self::session::{Component, components};
use super::{Instance, RelationKind, Timetable};
use gridwright_core::export::stamp::Noun;
use gridwright_core::result;
use gridwright_core::{Error, Result, numbers};

/// Kind of a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::AsRefStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ViolationKind {
    /// A timetable that does not fit the session, such as one of another number of exams.
    Length,
    /// Two exams of a student in one period.
    Clash,
    /// An exam without a period.
    Unplaced,
    /// An exam that lasts longer than its period.
    Duration,
    /// A period without enough seats.
    Seats,
    /// An exam away from the period that it is pinned to.
    Pin,
    /// An exam in a period that is forbidden for it.
    Forbidden,
    /// An exam that is not before another.
    Before,
    /// Exams that are not in the same period.
    Same,
    /// Exams in the same period that must be apart.
    Different,
    /// An exam beyond the last period.
    Period,
    /// An exam with students who have no seat.
    Unseated,
    /// A room with more students than seats.
    Overfull,
    /// An exam in a room that cannot be used.
    Closed,
    /// An exam in a room that lacks a feature.
    Features,
    /// A room with more than one exam.
    OwnRoom,
    /// An exam in too many rooms.
    Parts,
    /// A person who is needed at two exams at once.
    Person,
    /// An exam in the absence of a person.
    Absent,
    /// An exam on the wrong day relative to another.
    Day,
    /// An exam in the wrong room relative to another.
    Room,
    /// An exam outside of the rooms to which it is pinned.
    RoomPin,
    /// A student whose exams are beyond a limit.
    Limit,
}

/// Violation of a demand by a timetable.
pub type Violation = result::Violation<ViolationKind>;

/// Words for the kinds of violations.
pub const NOUNS: [Noun; 22] = [
    ("clash", "clash", "clashes"),
    ("unplaced", "exam without a period", "exams without a period"),
    ("duration", "exam longer than its period", "exams longer than their periods"),
    ("seats", "period without enough seats", "periods without enough seats"),
    ("pin", "exam away from its pin", "exams away from their pins"),
    ("forbidden", "exam in a forbidden period", "exams in forbidden periods"),
    ("before", "exam not before another", "exams not before others"),
    ("same", "exam not together with another", "exams not together with others"),
    ("different", "exam not apart from another", "exams not apart from others"),
    ("period", "exam beyond the last period", "exams beyond the last period"),
    ("unseated", "exam with students without a seat", "exams with students without a seat"),
    ("overfull", "overfull room", "overfull rooms"),
    ("closed", "exam in a room that cannot be used", "exams in rooms that cannot be used"),
    ("features", "exam in an unsuitable room", "exams in unsuitable rooms"),
    ("own_room", "room with more than one exam", "rooms with more than one exam"),
    ("parts", "exam in too many rooms", "exams in too many rooms"),
    ("person", "person at two exams", "persons at two exams"),
    ("absent", "exam in the absence of a person", "exams in the absence of a person"),
    ("day", "exam on the wrong day beside another", "exams on the wrong days beside others"),
    ("room", "exam in the wrong room beside another", "exams in the wrong rooms beside others"),
    ("room_pin", "exam away from its pinned rooms", "exams away from their pinned rooms"),
    ("limit", "student beyond a limit", "students beyond limits"),
];

/// Result of checking a timetable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// True if every exam has a period, no student has two exams in one period, and no rule is broken.
    pub feasible: bool,
    /// Raw cost: the sum of the components; for the published objective Σ over students and pairs of their exams d = 1…5
    /// periods apart of 2^(5−d).
    pub raw: u64,
    /// Shown cost raw / |S|, the figure that the literature compares.
    pub shown: f64,
    /// Number of exams moved from the reference timetable; 0 without one.
    pub moved: u32,
    /// Number of parts of sittings outside of the single room that the reference timetable gives the sitting; 0 without one.
    #[serde(default)]
    pub left_rooms: u32,
    /// Objective of the searches: raw + price · moved + price of rooms · left_rooms.
    pub objective: u64,
    /// Components of the cost under the session's objective.
    pub components: Vec<Component>,
    /// Violations of demands.
    pub violations: Vec<Violation>,
}

/// The verdict as results store it, with the raw cost.
impl From<Verdict> for result::Verdict {
    fn from(verdict: Verdict) -> Self {
        Self::of(verdict.raw as f64, Violation::stored(&verdict.violations)).displayed(numbers::cost(verdict.shown))
    }
}

/// Computes cost and violations of a timetable of any length from the data of the instance.
pub fn check(instance: &Instance, timetable: &Timetable) -> Verdict {
    let exams = instance.exams.len();
    let periods = instance.periods.len();
    let mut violations = Vec::new();
    if timetable.periods.len() != exams {
        let text = format!("the timetable has {} exams, the instance {exams}", timetable.periods.len());
        violations.push(Violation::new(ViolationKind::Length, text));
    }
    let mut placed: Vec<Option<i64>> = Vec::with_capacity(exams);
    for (exam, data) in instance.exams.iter().enumerate() {
        let name = name(&data.code, &data.title);
        let period = timetable.periods.get(exam).copied().filter(|&period| period != super::UNPLACED);
        match period {
            None => violations.push(Violation::new(ViolationKind::Unplaced, format!("exam {name} has no period"))),
            Some(period) if usize::from(period) >= periods => {
                let text = format!("exam {name} is in period {}, but there are only {periods}", u32::from(period) + 1);
                violations.push(Violation::new(ViolationKind::Period, text));
            }
            Some(_) => {}
        }
        placed.push(period.map(i64::from));
    }
    let mut clashing = std::collections::BTreeMap::<(u16, u16), u32>::new();
    for student in 0..instance.students.len() {
        let sits = instance.students.exams_of(student);
        for (position, &first) in sits.iter().enumerate() {
            for &second in &sits[position + 1..] {
                let (Some(a), Some(b)) = (placed[usize::from(first)], placed[usize::from(second)]) else { continue };
                if a == b {
                    *clashing.entry((first, second)).or_default() += 1;
                }
            }
        }
    }
    let mut clashing: Vec<_> = clashing.into_iter().collect();
    clashing.sort_by_key(|&(pair, students)| (std::cmp::Reverse(students), pair));
    for ((first, second), students) in clashing {
        let [first_exam, second_exam] = [&instance.exams[usize::from(first)], &instance.exams[usize::from(second)]];
        let text = format!(
            "exams {} and {} are both in period {} and share {students} student{}",
            name(&first_exam.code, &first_exam.title),
            name(&second_exam.code, &second_exam.title),
            number(instance, placed[usize::from(first)].unwrap_or(0)),
            if students == 1 { "" } else { "s" },
        );
        violations.push(Violation::new(ViolationKind::Clash, text));
    }
    durations(instance, &placed, &mut violations);
    rules(instance, &placed, &mut violations);
    session::violations(instance, timetable, &mut violations);
    let components = components(instance, timetable);
    let raw = components.iter().map(|component| component.cost).sum();
    let moved = moved(instance, &placed);
    let left_rooms = left_rooms(instance, timetable);
    let price = instance.rules.reference.as_ref().map_or(0, |reference| u64::from(reference.weight));
    let of_rooms = u64::from(instance.rules.room_price) * u64::from(left_rooms);
    Verdict {
        feasible: violations.is_empty(),
        raw,
        shown: instance.shown(raw),
        moved,
        left_rooms,
        components,
        objective: raw + price * u64::from(moved) + of_rooms,
        violations,
    }
}

/// Number and date of a period for a sentence.
fn number(instance: &Instance, period: i64) -> String {
    usize::try_from(period).map_or_else(|_| period.to_string(), |period| instance.period_number(period))
}

/// Appends exams that last longer than their period, unless durations are ignored.
fn durations(instance: &Instance, placed: &[Option<i64>], violations: &mut Vec<Violation>) {
    const DAY: i64 = 24 * 60;
    if instance.rules.ignore_durations {
        return;
    }
    for (exam, at) in instance.exams.iter().zip(placed) {
        let period = at.and_then(|at| instance.periods.get(usize::try_from(at).ok()?));
        let times = period.and_then(|period| Some((period.start?, period.end?)));
        let (Some((start, end)), Some(lasts), Some(at)) = (times, exam.duration, at) else { continue };
        let minutes = (end - start).num_minutes();
        let minutes = if minutes <= 0 { minutes + DAY } else { minutes };
        if i64::from(lasts) > minutes {
            let name = name(&exam.code, &exam.title);
            let text =
                format!("exam {name} lasts {lasts} minutes, and period {} has only {minutes}", number(instance, *at));
            violations.push(Violation::new(ViolationKind::Duration, text));
        }
    }
}

/// Appends violations of pins, forbidden periods, relations and seats; exams without a period violate none of them.
fn rules(instance: &Instance, placed: &[Option<i64>], violations: &mut Vec<Violation>) {
    let name = |exam: u16| {
        instance.exams.get(usize::from(exam)).map_or_else(|| "?".to_owned(), |data| name(&data.code, &data.title))
    };
    let period = |exam: u16| placed.get(usize::from(exam)).copied().flatten();
    for (&exam, &pin) in &instance.rules.pins {
        if let Some(at) = period(exam).filter(|&at| at != i64::from(pin)) {
            let text = format!(
                "exam {} is pinned to period {}, but is in {}",
                name(exam),
                number(instance, pin.into()),
                number(instance, at)
            );
            violations.push(Violation::new(ViolationKind::Pin, text));
        }
    }
    for (&exam, list) in &instance.rules.forbidden {
        if let Some(at) = period(exam).filter(|&at| list.iter().any(|&forbidden| i64::from(forbidden) == at)) {
            violations.push(Violation::new(
                ViolationKind::Forbidden,
                format!("exam {} must not be in period {}", name(exam), number(instance, at)),
            ));
        }
    }
    for relation in &instance.rules.relations {
        let (Some(first), Some(second)) = (period(relation.first), period(relation.second)) else { continue };
        let (kind, broken) = match relation.kind {
            RelationKind::Before => (ViolationKind::Before, first >= second),
            RelationKind::Same => (ViolationKind::Same, first != second),
            RelationKind::Different => (ViolationKind::Different, first == second),
            _ => continue,
        };
        if broken {
            let text = format!(
                "exam {} {} exam {}; they are in periods {} and {}",
                name(relation.first),
                relation.kind.phrase(),
                name(relation.second),
                number(instance, first),
                number(instance, second)
            );
            violations.push(Violation::new(kind, text));
        }
    }
    if instance.rules.ignore_seats || instance.has_rooms() {
        return;
    }
    for (at, data) in instance.periods.iter().enumerate() {
        let Some(seats) = data.seats else { continue };
        let there = placed.iter().zip(&instance.exams).filter(|(placed, _)| **placed == Some(at as i64));
        let students: u64 = there.map(|(_, exam)| u64::from(exam.enrolment)).sum();
        if students > u64::from(seats) {
            let has = numbers::counted(u64::from(seats), "seat");
            let text = format!("period {} has {has}, but {students} are needed", instance.period_number(at));
            violations.push(Violation::new(ViolationKind::Seats, text));
        }
    }
}

/// Number of exams whose period differs from the reference timetable.
fn moved(instance: &Instance, placed: &[Option<i64>]) -> u32 {
    let Some(reference) = &instance.rules.reference else { return 0 };
    let before = reference.timetable.periods.iter().map(|&at| Some(i64::from(at)).filter(|_| at != super::UNPLACED));
    before.zip(placed).filter(|(before, now)| before.is_some() && before != *now).count() as u32
}

/// Number of parts of sittings in another room than the only one that the reference timetable gives the sitting.
fn left_rooms(instance: &Instance, timetable: &Timetable) -> u32 {
    let Some(reference) = &instance.rules.reference else { return 0 };
    let mut left = 0;
    for (before, now) in reference.timetable.rooms.iter().zip(&timetable.rooms) {
        if before.len() == 1 {
            left += now.iter().filter(|seats| seats.room != before[0].room).count() as u32;
        }
    }
    left
}

/// Checks a timetable that must have one entry per exam and no period beyond the last; other violations are allowed.
///
/// # Errors
/// [`Error::Usage`] with the first violation of the length or the range of periods.
pub fn belongs(instance: &Instance, timetable: &Timetable) -> Result<Verdict> {
    let verdict = check(instance, timetable);
    let misfit = |kind: ViolationKind| matches!(kind, ViolationKind::Length | ViolationKind::Period);
    match verdict.violations.iter().find(|violation| misfit(violation.kind)) {
        None => Ok(verdict),
        Some(violation) => Err(Error::Usage(format!(
            "the timetable does not belong to {}: {}; choose the instance that it was made for",
            instance.name, violation.text
        ))),
    }
}

fn name(code: &str, title: &str) -> String {
    if title.is_empty() { code.to_owned() } else { format!("{code} ({title})") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Exam, InstanceParts, Period, UNPLACED};

    fn instance(students: Vec<Vec<u16>>, exams: usize, periods: usize) -> Instance {
        let exams = (0..exams).map(|number| Exam { code: format!("E{number}"), ..Exam::default() }).collect();
        let periods = vec![Period::default(); periods];
        Instance::build(InstanceParts { exams, students, periods, ..InstanceParts::default() }).unwrap()
    }

    fn timetable(periods: &[u16]) -> Timetable {
        Timetable::of(periods.to_vec())
    }

    /// Four exams, four students: a sits E0 E1 E2, b sits E0 E1, c sits E2 E3, d sits E3 only.
    ///
    /// Periods 0, 1, 3, 9: a pays 16 (E0–E1, one apart) + 4 (E0–E2, three) + 8 (E1–E2, two) = 28; b pays 16; c has
    /// E2 and E3 six periods apart and pays nothing; d sits one exam. Together 44, divided by four students 11.
    #[test]
    fn costs_what_the_hand_computes() {
        let instance = instance(vec![vec![0, 1, 2], vec![0, 1], vec![2, 3], vec![3]], 4, 10);
        let plan = timetable(&[0, 1, 3, 9]);
        let verdict = check(&instance, &plan);
        assert_eq!((verdict.feasible, verdict.raw, verdict.shown), (true, 44, 11.0));
        assert_eq!(plan.cost(&instance).proximity, 44);
        // c's exams five apart: one more.
        assert_eq!(check(&instance, &timetable(&[0, 1, 3, 8])).raw, 45);
        // E0 takes part in 16 + 4 for a and 16 for b.
        assert_eq!(plan.cost_shares(&instance), [36, 40, 12, 0]);
    }

    #[test]
    fn names_every_violation() {
        let instance = instance(vec![vec![0, 1, 2], vec![0, 1]], 3, 3);
        let kinds = |plan: &[u16]| {
            let verdict = check(&instance, &timetable(plan));
            let texts: Vec<String> =
                verdict.violations.iter().map(|v| format!("{}: {}", v.kind.as_ref(), v.text)).collect();
            assert_eq!(verdict.feasible, texts.is_empty());
            texts
        };
        assert_eq!(kinds(&[1, 1, 0]), ["clash: exams E0 and E1 are both in period 2 and share 2 students"]);
        assert_eq!(kinds(&[0, 1, UNPLACED]), ["unplaced: exam E2 has no period"]);
        assert_eq!(kinds(&[0, 1, 3]), ["period: exam E2 is in period 4, but there are only 3"]);
        assert_eq!(
            kinds(&[0, 1]),
            ["length: the timetable has 2 exams, the instance 3", "unplaced: exam E2 has no period"]
        );
        assert!(kinds(&[0, 1, 2]).is_empty());
    }

    proptest! {
        /// The checker (over students) and [`Timetable::cost`] (over the conflict graph) agree.
        #[test]
        fn agrees_with_the_conflict_graph(
            students in proptest::collection::vec(proptest::collection::vec(0_u16..12, 0..6), 0..40),
            plan in proptest::collection::vec(0_u16..9, 12),
        ) {
            let instance = instance(students, 12, 9);
            let verdict = check(&instance, &timetable(&plan));
            let cost = timetable(&plan).cost(&instance);
            prop_assert_eq!(verdict.raw, cost.proximity);
            prop_assert_eq!(verdict.feasible, cost.is_feasible());
        }
    }
}
