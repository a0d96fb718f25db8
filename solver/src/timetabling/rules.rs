//! What a person demands of a timetable beyond «no clashes».
//!
//! Pins, forbidden periods, relations between two exams, seats, and a timetable that should be disturbed as little as
//! possible. Rules are part of the [`Instance`]: searches honour them (through [`super::model::Model`]), the checker
//! checks them, project files and results keep them ([`StoredRules`]).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Instance, Timetable};
use crate::{Error, Result};

/// How two exams must stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RelationKind {
    /// The first in an earlier period than the second.
    Before,
    /// Both in the same period.
    Same,
    /// In different periods, whether they share students or not.
    Different,
}

impl RelationKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Before, Self::Same, Self::Different];

    /// «must be before», …: between the names of two exams it makes a sentence.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Before => "must be before",
            Self::Same => "must be in the same period as",
            Self::Different => "must not be in the same period as",
        }
    }
}

/// A demand on two exams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Relation {
    /// How they must stand to each other.
    pub kind: RelationKind,
    /// Exam number.
    pub first: u16,
    /// Exam number.
    pub second: u16,
}

impl Relation {
    /// The relation; where the order does not matter, the lower number comes first.
    pub fn new(kind: RelationKind, first: usize, second: usize) -> Self {
        let (first, second) = (first as u16, second as u16);
        if kind != RelationKind::Before && second < first {
            return Self { kind, first: second, second: first };
        }
        Self { kind, first, second }
    }

    /// Whether two periods satisfy it.
    pub fn holds(self, first: usize, second: usize) -> bool {
        match self.kind {
            RelationKind::Before => first < second,
            RelationKind::Same => first == second,
            RelationKind::Different => first != second,
        }
    }
}

/// A timetable that is known to people already, and what it costs to move an exam away from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The timetable; exams without a period in it are free to go anywhere.
    pub timetable: Timetable,
    /// Raw cost of every exam that stands elsewhere.
    pub weight: u32,
}

impl Reference {
    /// Whether an exam stands elsewhere than in the reference.
    pub fn is_moved(&self, exam: usize, period: Option<usize>) -> bool {
        self.timetable.period_of(exam).is_some_and(|then| period != Some(then))
    }

    /// How many exams stand elsewhere.
    pub fn moved(&self, timetable: &Timetable) -> u32 {
        (0..self.timetable.periods.len()).filter(|&exam| self.is_moved(exam, timetable.period_of(exam))).count() as u32
    }
}

/// Everything demanded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Exams that must stand in one period.
    pub pins: BTreeMap<u16, u16>,
    /// Periods in which an exam must not stand.
    pub forbidden: BTreeMap<u16, BTreeSet<u16>>,
    /// Demands on pairs of exams.
    pub relations: BTreeSet<Relation>,
    /// Whether more students than seats are accepted in a period that has a number of seats.
    pub ignore_seats: bool,
    /// The timetable to stay close to.
    pub reference: Option<Reference>,
}

impl Rules {
    /// Whether nothing is demanded.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether an exam may stand in a period, as far as pins and forbidden periods say.
    pub fn allows(&self, exam: usize, period: usize) -> bool {
        let (exam, period) = (exam as u16, period as u16);
        self.pins.get(&exam).is_none_or(|&pin| pin == period)
            && self.forbidden.get(&exam).is_none_or(|list| !list.contains(&period))
    }

    /// The period to which an exam is pinned.
    pub fn pin_of(&self, exam: usize) -> Option<usize> {
        self.pins.get(&(exam as u16)).map(|&period| usize::from(period))
    }

    /// Forbids a period, or allows it again.
    pub fn forbid(&mut self, exam: usize, period: usize, forbid: bool) {
        let list = self.forbidden.entry(exam as u16).or_default();
        if forbid {
            list.insert(period as u16);
        } else {
            list.remove(&(period as u16));
        }
        if list.is_empty() {
            self.forbidden.remove(&(exam as u16));
        }
    }

    /// The relations that an exam takes part in.
    pub fn relations_of(&self, exam: usize) -> impl Iterator<Item = Relation> + '_ {
        let exam = exam as u16;
        self.relations.iter().copied().filter(move |relation| relation.first == exam || relation.second == exam)
    }

    /// One line per demand, for people: «Exam A1 is pinned to period 3».
    pub fn describe(&self, instance: &Instance) -> Vec<String> {
        let name = |exam: u16| instance.exams.get(usize::from(exam)).map_or("?", |exam| exam.code.as_str());
        let pins = self.pins.iter().map(|(&exam, &period)| {
            format!("Exam {} is pinned to {}", name(exam), instance.period_label(usize::from(period)))
        });
        let forbidden = self.forbidden.iter().map(|(&exam, periods)| {
            let list: Vec<String> = periods.iter().map(|&period| (period + 1).to_string()).collect();
            format!("Exam {} must not be in period {}", name(exam), list.join(", "))
        });
        let relations = self.relations.iter().map(|relation| {
            format!("Exam {} {} exam {}", name(relation.first), relation.kind.phrase(), name(relation.second))
        });
        pins.chain(forbidden).chain(relations).collect()
    }
}

impl Instance {
    /// The number of seats that bind a period, where there is one and seats are not ignored.
    pub fn seat_limit(&self, period: usize) -> Option<u32> {
        if self.rules.ignore_seats { None } else { self.periods.get(period).and_then(|period| period.seats) }
    }

    /// Whether anything beyond «no clashes» is demanded: rules, or seats.
    pub fn is_restricted(&self) -> bool {
        let rules = &self.rules;
        !rules.pins.is_empty()
            || !rules.forbidden.is_empty()
            || !rules.relations.is_empty()
            || rules.reference.is_some()
            || (0..self.periods.len()).any(|period| self.seat_limit(period).is_some())
    }

    /// What a search minimises: proximity, and the price of every exam away from the reference.
    pub fn objective(&self, timetable: &Timetable, proximity: u64) -> u64 {
        let price = |reference: &Reference| u64::from(reference.weight) * u64::from(reference.moved(timetable));
        proximity + self.rules.reference.as_ref().map_or(0, price)
    }
}

/// Exam codes and periods, counted from 0; `None`: the exam has no period.
pub type Rows = Vec<(String, Option<u16>)>;

/// Rules in terms of exam codes, with the seats that bind: as files keep them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredRules {
    /// Exam and its period, counted from 0.
    pub pins: Vec<(String, u16)>,
    /// Exam and the periods it must not stand in.
    pub forbidden: Vec<(String, Vec<u16>)>,
    /// Demands on pairs of exams.
    pub relations: Vec<(RelationKind, String, String)>,
    /// Whether seats are ignored.
    pub ignore_seats: bool,
    /// Seats of every period; empty where no period has a number.
    pub seats: Vec<Option<u32>>,
    /// Raw cost of a moved exam, and the period of every exam before.
    pub reference: Option<(u32, Rows)>,
}

impl StoredRules {
    /// The rules and seats of an instance.
    pub fn of(instance: &Instance) -> Self {
        let rules = &instance.rules;
        let code = |exam: u16| instance.exams.get(usize::from(exam)).map_or_else(String::new, |exam| exam.code.clone());
        let seats: Vec<Option<u32>> = instance.periods.iter().map(|period| period.seats).collect();
        Self {
            pins: rules.pins.iter().map(|(&exam, &period)| (code(exam), period)).collect(),
            forbidden: rules
                .forbidden
                .iter()
                .map(|(&exam, periods)| (code(exam), periods.iter().copied().collect()))
                .collect(),
            relations: rules.relations.iter().map(|r| (r.kind, code(r.first), code(r.second))).collect(),
            ignore_seats: rules.ignore_seats,
            seats: if seats.iter().any(Option::is_some) { seats } else { Vec::new() },
            reference: rules.reference.as_ref().map(|reference| {
                let rows = reference.timetable.periods.iter().enumerate();
                let period = |exam| reference.timetable.period_of(exam).map(|period| period as u16);
                (reference.weight, rows.map(|(exam, _)| (code(exam as u16), period(exam))).collect())
            }),
        }
    }

    /// Whether nothing is demanded.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Puts the rules and seats into an instance, in place of its own.
    ///
    /// # Errors
    /// [`Error::Usage`] that names an exam which the instance does not have, or an exam that is related to itself.
    pub fn apply(&self, mut instance: Instance) -> Result<Instance> {
        let numbers: std::collections::HashMap<&str, u16> =
            instance.exams.iter().enumerate().map(|(number, exam)| (exam.code.as_str(), number as u16)).collect();
        let find = |code: &str| {
            numbers.get(code).copied().ok_or_else(|| {
                Error::Usage(format!(
                    "a rule names exam {code}, which {} does not have; open the file that the rules were made for",
                    instance.name
                ))
            })
        };
        let mut rules = Rules { ignore_seats: self.ignore_seats, ..Rules::default() };
        for (code, period) in &self.pins {
            rules.pins.insert(find(code)?, *period);
        }
        for (code, periods) in &self.forbidden {
            rules.forbidden.entry(find(code)?).or_default().extend(periods);
        }
        for (kind, first, second) in &self.relations {
            if first == second {
                return Err(Error::Usage(format!("a rule relates exam {first} to itself; remove that rule")));
            }
            let relation = Relation::new(*kind, usize::from(find(first)?), usize::from(find(second)?));
            rules.relations.insert(relation);
        }
        if let Some((weight, rows)) = &self.reference {
            let mut timetable = Timetable::unplaced(instance.exams.len());
            for (code, period) in rows {
                if let Some(period) = period {
                    timetable.periods[usize::from(find(code)?)] = *period;
                }
            }
            rules.reference = Some(Reference { timetable, weight: *weight });
        }
        for (period, &seats) in instance.periods.iter_mut().zip(self.seats.iter().chain(std::iter::repeat(&None))) {
            period.seats = seats;
        }
        instance.rules = rules;
        Ok(instance)
    }
}
