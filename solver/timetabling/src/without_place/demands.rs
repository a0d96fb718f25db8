//! Demands of a session that can be given up one by one: words for each, and the session without it.

use std::collections::BTreeMap;

use crate::seating::cores::fits_never;
use crate::{Instance, Relation, StudentLimits};
use gridwright_core::text::lines::listed;

/// Demand on periods, people or seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Demand {
    /// Every student needs a seat.
    Seats,
    /// An exam is pinned to a period.
    Pin(u16),
    /// An exam is pinned to rooms.
    RoomPin(u16),
    /// An exam has forbidden periods.
    Forbidden(u16),
    /// The person with this index is absent in periods.
    Absences(usize),
    /// The person with this index is needed at an exam.
    Presence(usize, u16),
    /// A rule relates two exams.
    Relation(Relation),
    /// No student may be beyond the limits.
    Limits,
}

impl Demand {
    /// Demands that keep an exam out of periods by themselves.
    pub(super) fn of_calendar(instance: &Instance, exam: usize) -> Vec<Self> {
        let number = exam as u16;
        let pin = instance.rules.pins.contains_key(&number).then_some(Self::Pin(number));
        let forbidden = instance.rules.forbidden.contains_key(&number).then_some(Self::Forbidden(number));
        let people = instance.resources.people.iter().enumerate();
        let absent = people.filter(|(_, person)| person.exams.contains(&number) && !person.unavailable.is_empty());
        pin.into_iter().chain(forbidden).chain(absent.map(|(at, _)| Self::Absences(at))).collect()
    }

    /// Demands that keep an exam out of periods because of other exams.
    pub(super) fn of_others(instance: &Instance, exam: usize) -> Vec<Self> {
        let number = exam as u16;
        let people = instance.resources.people.iter().enumerate();
        let shared = people.filter(|(_, person)| person.exams.contains(&number) && person.exams.len() > 1);
        let relations = instance.rules.relations_of(exam).map(Self::Relation);
        let room_pin = instance.rules.room_pins.contains_key(&number).then_some(Self::RoomPin(number));
        let limits = (!instance.rules.limits.is_empty()).then_some(Self::Limits);
        relations.chain(room_pin).chain(limits).chain(shared.map(|(at, _)| Self::Presence(at, number))).collect()
    }

    /// The session without the demand.
    pub(super) fn without(self, instance: &Instance) -> Instance {
        let mut changed = instance.clone();
        match self {
            Self::Seats => {
                changed.resources.rooms.clear();
                changed.rules.ignore_seats = true;
            }
            Self::Pin(exam) => drop(changed.rules.pins.remove(&exam)),
            Self::RoomPin(exam) => drop(changed.rules.room_pins.remove(&exam)),
            Self::Forbidden(exam) => drop(changed.rules.forbidden.remove(&exam)),
            Self::Absences(person) => changed.resources.people[person].unavailable.clear(),
            Self::Presence(person, exam) => {
                changed.resources.people[person].exams.remove(&exam);
            }
            Self::Relation(relation) => {
                changed.rules.relations.remove(&relation);
            }
            Self::Limits => changed.rules.limits = StudentLimits::default(),
        }
        changed
    }

    /// Words for the session without the demand: «without the pin of exam A».
    pub(super) fn change(self, instance: &Instance) -> String {
        match self {
            Self::Seats => "without a seat for every student".to_owned(),
            Self::Pin(exam) => format!("without the pin of exam {}", code(instance, exam)),
            Self::RoomPin(exam) => format!("without the pin of exam {} to rooms", code(instance, exam)),
            Self::Forbidden(exam) => format!("without the forbidden periods of exam {}", code(instance, exam)),
            Self::Absences(person) => format!("{} present in all periods", instance.resources.people[person].name),
            Self::Presence(person, exam) => {
                format!("without {} at exam {}", instance.resources.people[person].name, code(instance, exam))
            }
            Self::Limits => "without the limits for students".to_owned(),
            Self::Relation(_) => format!("without the rule that {}", self.words(instance)),
        }
    }

    /// Words for the demand: «exam A must be before exam B».
    fn words(self, instance: &Instance) -> String {
        match self {
            Self::Seats if instance.has_rooms() => "every student needs a seat in a room".to_owned(),
            Self::Seats => "every student needs a seat".to_owned(),
            Self::Pin(exam) => {
                let period = instance.rules.pin_of(exam.into()).map_or_else(String::new, |at| instance.period_name(at));
                format!("exam {} is pinned to {period}", code(instance, exam))
            }
            Self::RoomPin(exam) => {
                format!("exam {} is pinned to {}", code(instance, exam), instance.pinned_rooms(exam))
            }
            Self::Forbidden(exam) => format!("exam {} has forbidden periods", code(instance, exam)),
            Self::Absences(person) => format!("{} is absent in periods", instance.resources.people[person].name),
            Self::Presence(person, exam) => {
                format!("{} is needed at exam {}", instance.resources.people[person].name, code(instance, exam))
            }
            Self::Limits => {
                let limits = instance.rules.limits.sentences().into_iter();
                limits.map(|(_, sentence)| sentence).collect::<Vec<_>>().join(", ").to_lowercase()
            }
            Self::Relation(Relation { kind, first, second }) => {
                format!("exam {} {} exam {}", code(instance, first), kind.phrase(), code(instance, second))
            }
        }
    }
}

fn code(instance: &Instance, exam: u16) -> &str {
    &instance.exams[usize::from(exam)].code
}

/// The demands, in words, without any one of which a set of exams that does not fit could fit, as far as proofs tell.
pub(super) fn needed(instance: &Instance, set: &[usize]) -> Vec<String> {
    let mut demands = vec![Demand::Seats];
    for &exam in set {
        let own = Demand::of_calendar(instance, exam).into_iter().chain(Demand::of_others(instance, exam));
        let new: Vec<Demand> = own.filter(|demand| !demands.contains(demand) && demand.is_within(set)).collect();
        demands.extend(new);
    }
    let mut rest = instance.clone();
    demands.retain(|demand| {
        let fewer = demand.without(&rest);
        let is_spare = fits_never(&fewer, set);
        if is_spare {
            rest = fewer;
        }
        !is_spare
    });
    // The exams of a person stand in one sentence.
    let mut exams_of: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for demand in &demands {
        if let Demand::Presence(person, exam) = *demand {
            exams_of.entry(person).or_default().push(code(instance, exam));
        }
    }
    let others = demands.iter().filter(|demand| !matches!(demand, Demand::Presence(..)));
    let people = exams_of.into_iter().map(|(person, codes)| {
        let noun = if codes.len() == 1 { "exam" } else { "exams" };
        format!("{} is needed at {noun} {}", instance.resources.people[person].name, listed(&codes))
    });
    others.map(|demand| demand.words(instance)).chain(people).collect()
}

impl Demand {
    /// Returns `true` unless the demand names an exam outside of a set.
    fn is_within(self, set: &[usize]) -> bool {
        match self {
            Self::Relation(relation) => {
                [relation.first, relation.second].iter().all(|&exam| set.contains(&exam.into()))
            }
            _ => true,
        }
    }
}
