//! Rules of a timetable beyond «no clashes»: pins, forbidden periods, relations between two exams, seats, and a
//! reference timetable that is to be disturbed as little as possible.
//!
//! Rules are part of the [`Instance`]: searches honour them (through [`super::model::Model`]), the checker verifies
//! them, project files and results store them ([`StoredRules`]).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::limits::StudentLimits;
use super::sittings::SittingKey;
use super::{ExtraTimePlace, Instance, Objective, ObjectiveKind, Period, Seats, Timetable};
use gridwright_core::text::lines::listed;
use gridwright_core::{Error, Result};

/// Kind of a constraint on the periods of two exams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, strum::VariantArray)]
pub enum RelationKind {
    /// The first exam is in an earlier period than the second.
    Before,
    /// Both exams are in the same period.
    Same,
    /// The exams are in different periods, also if they share no student.
    Different,
    /// The second exam is in the period after that of the first, on the same day.
    DirectlyBefore,
    /// Both exams are on the same day.
    SameDay,
    /// The exams are on different days.
    DifferentDay,
    /// All sittings of both exams are in one room.
    SameRoom,
    /// The exams have no room in common.
    DifferentRoom,
}

impl RelationKind {
    /// All kinds, in the order of the enum.
    pub const ALL: [Self; 8] = gridwright_core::variants();

    /// Returns `true` for a relation of periods that needs neither days nor rooms.
    pub(crate) fn is_of_periods(self) -> bool {
        matches!(self, Self::Before | Self::Same | Self::Different)
    }

    /// Returns `true` for a relation of rooms.
    pub fn is_of_rooms(self) -> bool {
        matches!(self, Self::SameRoom | Self::DifferentRoom)
    }

    /// Returns `true` if the first and the second exam have different parts in the relation.
    pub fn is_ordered(self) -> bool {
        matches!(self, Self::Before | Self::DirectlyBefore)
    }

    /// Phrase that makes a sentence between the names of two exams: «must be before», ….
    pub(crate) fn phrase(self) -> &'static str {
        match self {
            Self::Before => "must be before",
            Self::Same => "must be in the same period as",
            Self::Different => "must not be in the same period as",
            Self::DirectlyBefore => "must be directly before",
            Self::SameDay => "must be on the same day as",
            Self::DifferentDay => "must not be on the same day as",
            Self::SameRoom => "must be in the same room as",
            Self::DifferentRoom => "must not be in the same room as",
        }
    }
}

/// Constraint on the periods of two exams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Relation {
    /// Kind of the constraint.
    pub kind: RelationKind,
    /// Index of the first exam.
    pub first: u16,
    /// Index of the second exam.
    pub second: u16,
}

impl Relation {
    /// Creates a relation; for symmetric kinds the lower index becomes `first`, so that equal relations compare equal.
    pub fn new(kind: RelationKind, first: usize, second: usize) -> Self {
        let (first, second) = (first as u16, second as u16);
        if !kind.is_ordered() && second < first {
            return Self { kind, first: second, second: first };
        }
        Self { kind, first, second }
    }

    /// Returns `true` if the first exam in period `first` and the second in period `second` satisfy the relation; relations
    /// of days hold where `days` (see [`super::counts::days`]) is not known, those of rooms always.
    pub fn holds(self, days: Option<&[usize]>, first: usize, second: usize) -> bool {
        let day = |period: usize| days.and_then(|days| days.get(period).copied());
        let is_same_day = match (day(first), day(second)) {
            (Some(first), Some(second)) => Some(first == second),
            _ => None,
        };
        match self.kind {
            RelationKind::Before => first < second,
            RelationKind::Same => first == second,
            RelationKind::Different => first != second,
            RelationKind::DirectlyBefore => first + 1 == second && is_same_day != Some(false),
            RelationKind::SameDay => is_same_day != Some(false),
            RelationKind::DifferentDay => is_same_day != Some(true),
            RelationKind::SameRoom | RelationKind::DifferentRoom => true,
        }
    }
}

/// Reference timetable to stay close to, usually a published one, with the price of deviating from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The timetable; exams that are unplaced in it may go anywhere without a price.
    pub timetable: Timetable,
    /// Price of each moved exam, in raw cost units.
    pub weight: u32,
}

impl Reference {
    /// Returns `true` if `exam` has a period in the reference and `period` is another one or `None`.
    pub(crate) fn is_moved(&self, exam: usize, period: Option<usize>) -> bool {
        self.timetable.period_of(exam).is_some_and(|then| period != Some(then))
    }

    /// Room of a sitting in the reference; `None` if it has none or several there.
    pub fn home(&self, sitting: usize) -> Option<u16> {
        match self.timetable.rooms.get(sitting).map(Vec::as_slice) {
            Some([seats]) => Some(seats.room),
            _ => None,
        }
    }

    /// Number of parts of sittings that are in another room than the sitting's single room of the reference.
    pub fn left_rooms(&self, timetable: &Timetable) -> u32 {
        let left = |(sitting, rooms): (usize, &Vec<Seats>)| {
            let home = self.home(sitting);
            rooms.iter().filter(|seats| home.is_some_and(|home| seats.room != home)).count() as u32
        };
        timetable.rooms.iter().enumerate().map(left).sum()
    }

    /// Number of exams whose period differs from the reference.
    pub fn moved(&self, timetable: &Timetable) -> u32 {
        (0..self.timetable.periods.len()).filter(|&exam| self.is_moved(exam, timetable.period_of(exam))).count() as u32
    }
}

/// Words in which a rule for many exams was given.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenRule {
    /// Selection of exams, such as `MAT*; >=300`.
    pub exams: String,
    /// Name of the kind of rule.
    pub rule: String,
    /// Periods or other exams.
    pub with: String,
}

/// Rules of an instance beyond «no clashes». Exams and periods are indices from 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Pinned exams and their periods.
    pub pins: BTreeMap<u16, u16>,
    /// Exams that are pinned to rooms, with these; a sitting that has to be alone may be in any room.
    pub room_pins: BTreeMap<u16, BTreeSet<u16>>,
    /// Forbidden periods by exam.
    pub forbidden: BTreeMap<u16, BTreeSet<u16>>,
    /// Constraints on pairs of exams.
    pub relations: BTreeSet<Relation>,
    /// Rules for many exams as they were given. They only say in which words the demands above are shown.
    pub given: BTreeSet<GivenRule>,
    /// True if the seat limits of periods are ignored.
    pub ignore_seats: bool,
    /// True if durations of exams do not limit their periods, as in results of earlier versions.
    pub ignore_durations: bool,
    /// True if as few exams, and not as few students, as possible shall have no place where not everything fits.
    pub fewest_exams: bool,
    /// Limits that hold for every student.
    pub limits: StudentLimits,
    /// Reference timetable to stay close to.
    pub reference: Option<Reference>,
    /// Price of each part of a sitting outside of its room in `reference`, in raw cost units.
    pub room_price: u32,
}

impl Rules {
    /// Returns `true` if there is no rule.
    pub fn is_empty(&self) -> bool {
        *self == Self { given: self.given.clone(), ..Self::default() }
    }

    /// Returns `true` if neither a pin nor a forbidden period excludes `exam` from `period`.
    pub fn allows(&self, exam: usize, period: usize) -> bool {
        let (exam, period) = (exam as u16, period as u16);
        self.pins.get(&exam).is_none_or(|&pin| pin == period)
            && self.forbidden.get(&exam).is_none_or(|list| !list.contains(&period))
    }

    /// Period to which `exam` is pinned, if it is.
    pub fn pin_of(&self, exam: usize) -> Option<usize> {
        self.pins.get(&(exam as u16)).map(|&period| usize::from(period))
    }

    /// Returns `true` unless an exam is pinned to other rooms.
    pub(crate) fn allows_room(&self, exam: usize, room: u16) -> bool {
        self.room_pins.get(&(exam as u16)).is_none_or(|rooms| rooms.contains(&room))
    }

    /// Forbids `period` for `exam` (`forbid` true) or allows it again (false).
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

    /// Relations in which `exam` is the first or the second exam.
    pub fn relations_of(&self, exam: usize) -> impl Iterator<Item = Relation> + '_ {
        let exam = exam as u16;
        self.relations.iter().copied().filter(move |relation| relation.first == exam || relation.second == exam)
    }

    /// The rules after a change of the periods: `index_of[p]` is the new index of period p, `None` if it was removed. Pins to
    /// and prohibitions of removed periods go with them.
    #[must_use]
    pub fn with_periods(&self, index_of: &[Option<usize>]) -> Self {
        let new = |period: u16| index_of.get(usize::from(period)).copied().flatten().map(|period| period as u16);
        let pins = self.pins.iter().filter_map(|(&exam, &period)| Some((exam, new(period)?))).collect();
        let forbidden =
            self.forbidden.iter().map(|(&exam, list)| (exam, list.iter().filter_map(|&period| new(period)).collect()));
        let forbidden = forbidden.filter(|(_, list): &(u16, BTreeSet<u16>)| !list.is_empty()).collect();
        let reference = self.reference.as_ref().map(|reference| {
            let mut reference = reference.clone();
            reference.timetable.move_periods(index_of);
            reference
        });
        Self { pins, forbidden, reference, ..self.clone() }
    }
}

impl Instance {
    /// Codes of the rooms to which an exam is pinned: «A1, A2, A3»; empty if it is not.
    pub fn pinned_rooms(&self, exam: u16) -> String {
        let rooms = self.rules.room_pins.get(&exam).into_iter().flatten();
        let codes = rooms.filter_map(|&room| Some(self.resources.rooms.get(usize::from(room))?.code.as_str()));
        listed(&codes.collect::<Vec<_>>())
    }

    /// Seat limit of a period; `None` if it has none, seats are ignored, or the session plans rooms.
    pub fn seat_limit(&self, period: usize) -> Option<u32> {
        let is_ignored = self.rules.ignore_seats || self.has_rooms();
        if is_ignored { None } else { self.periods.get(period).and_then(|period| period.seats) }
    }

    /// Returns `true` if `exam` is not longer than `period` or durations are ignored.
    pub(crate) fn has_time_for(&self, exam: usize, period: usize) -> bool {
        self.rules.ignore_durations || !self.is_too_long(exam, period)
    }

    /// Returns `true` if an exam is longer than a period and durations are not ignored.
    pub(crate) fn limits_durations(&self) -> bool {
        !self.rules.ignore_durations && self.long_exams().is_some()
    }

    /// Returns `true` if the searches have to honour anything beyond «no clashes»: a rule, a seat limit, a duration or a
    /// reference.
    pub fn is_restricted(&self) -> bool {
        let rules = &self.rules;
        !rules.pins.is_empty()
            || !rules.forbidden.is_empty()
            || !rules.relations.is_empty()
            || rules.reference.is_some()
            || !rules.limits.is_empty()
            || (0..self.periods.len()).any(|period| self.seat_limit(period).is_some())
            || self.limits_durations()
    }

    /// Objective of a timetable with raw cost `proximity`: proximity + price · number of moved exams + price of rooms · number
    /// of parts of sittings outside of their rooms.
    pub fn objective(&self, timetable: &Timetable, proximity: u64) -> u64 {
        let price = |reference: &Reference| {
            let of_rooms = match self.rules.room_price {
                0 => 0,
                price => u64::from(price) * u64::from(reference.left_rooms(timetable)),
            };
            u64::from(reference.weight) * u64::from(reference.moved(timetable)) + of_rooms
        };
        proximity + self.rules.reference.as_ref().map_or(0, price)
    }
}

/// Rows of a stored timetable: exam code and period from 0; `None` for an unplaced exam.
pub type Rows = Vec<(String, Option<u16>)>;

/// Rooms of one exam in a stored timetable: its code and for each of its sittings the codes of the rooms with the students in
/// them.
pub(crate) type RoomRow = (String, Vec<Vec<(String, u32)>>);

/// Serialised form of [`Rules`] and seats, with exam codes in place of indices.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StoredRules {
    /// Code of each pinned exam and its period from 0.
    pub pins: Vec<(String, u16)>,
    /// Code of each exam that is pinned to rooms and the codes of these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub room_pins: Vec<(String, Vec<String>)>,
    /// Exam code and its forbidden periods from 0.
    pub forbidden: Vec<(String, Vec<u16>)>,
    /// Kind of each relation and the codes of its two exams.
    pub relations: Vec<(RelationKind, String, String)>,
    /// Rules for many exams as they were given.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub given: BTreeSet<GivenRule>,
    /// True if the seat limits of periods are ignored.
    pub ignore_seats: bool,
    /// True if an exam was longer than a period and could not be in it; results of earlier versions do not say so.
    pub durations: bool,
    /// True if as few exams, and not as few students, as possible shall have no place.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fewest_exams: bool,
    /// Limits that hold for every student.
    #[serde(skip_serializing_if = "StudentLimits::is_empty")]
    pub limits: StudentLimits,
    /// Place of the students with extra time; `None` if the session has no arrangements or a former version stored it, which
    /// had them apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra_time: Option<ExtraTimePlace>,
    /// Seats of each period; empty if no period has a limit.
    pub seats: Vec<Option<u32>>,
    /// Price of a moved exam in raw cost units, and the reference timetable.
    pub reference: Option<(u32, Rows)>,
    /// Price of a part of a sitting outside of its room in raw cost units, and the rooms of the reference timetable; `None` if
    /// it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reference_rooms: Option<(u32, Vec<RoomRow>)>,
    /// Codes of the exams whose students do not all sit together, with the students of each sitting of the reference timetable.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) reference_sittings: Vec<(String, Vec<SittingKey>)>,
    /// Periods of the session with their dates; only in results, and empty if the periods have no dates.
    pub calendar: Vec<Period>,
    /// Objective, if it is not the published one or the session has rooms, people or arrangements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<Objective>,
}

impl StoredRules {
    /// Extracts the rules and seats of an instance.
    pub fn of(instance: &Instance) -> Self {
        let rules = &instance.rules;
        let code = |exam: u16| instance.exams.get(usize::from(exam)).map_or_else(String::new, |exam| exam.code.clone());
        let room_code = |room: u16| Some(instance.resources.rooms.get(usize::from(room))?.code.clone());
        let seats: Vec<Option<u32>> = instance.periods.iter().map(|period| period.seats).collect();
        Self {
            pins: rules.pins.iter().map(|(&exam, &period)| (code(exam), period)).collect(),
            room_pins: rules
                .room_pins
                .iter()
                .map(|(&exam, rooms)| (code(exam), rooms.iter().filter_map(|&room| room_code(room)).collect()))
                .collect(),
            forbidden: rules
                .forbidden
                .iter()
                .map(|(&exam, periods)| (code(exam), periods.iter().copied().collect()))
                .collect(),
            relations: rules.relations.iter().map(|r| (r.kind, code(r.first), code(r.second))).collect(),
            given: if rules.forbidden.is_empty() && rules.relations.is_empty() {
                BTreeSet::new()
            } else {
                rules.given.clone()
            },
            calendar: Vec::new(),
            objective: Some(&instance.objective)
                .filter(|objective| !objective.is_toronto() || !instance.resources.is_empty())
                .cloned(),
            ignore_seats: rules.ignore_seats,
            durations: instance.limits_durations(),
            fewest_exams: rules.fewest_exams,
            limits: rules.limits.clone(),
            extra_time: Some(instance.resources.extra_time).filter(|_| !instance.resources.arrangements.is_empty()),
            seats: if seats.iter().any(Option::is_some) { seats } else { Vec::new() },
            reference: rules.reference.as_ref().map(|reference| {
                let rows = reference.timetable.periods.iter().enumerate();
                let period = |exam| reference.timetable.period_of(exam).map(|period| period as u16);
                (reference.weight, rows.map(|(exam, _)| (code(exam as u16), period(exam))).collect())
            }),
            reference_rooms: rules.reference.as_ref().filter(|reference| !reference.timetable.rooms.is_empty()).map(
                |reference| {
                    let rooms = instance.coded_rooms(&reference.timetable.rooms);
                    let codes = instance.exams.iter().map(|exam| exam.code.clone());
                    (rules.room_price, codes.zip(rooms).collect())
                },
            ),
            reference_sittings: match &rules.reference {
                Some(reference) if !reference.timetable.rooms.is_empty() => {
                    let keys = instance.stored_sitting_keys().into_iter().enumerate();
                    keys.filter(|(_, keys)| !keys.is_empty()).map(|(exam, keys)| (code(exam as u16), keys)).collect()
                }
                _ => Vec::new(),
            },
        }
    }

    /// Returns `true` if nothing is stored.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The rules without those about exams or periods that `instance` does not have, and the number of rules left out. The
    /// seats are those of the instance.
    pub fn fitted(&self, instance: &Instance) -> (Self, usize) {
        let codes = instance.exam_codes();
        let has = |code: &String| codes.get(code).is_some();
        let is_period = |period: &u16| usize::from(*period) < instance.period_count();
        let mut rules = self.clone();
        rules.pins.retain(|(code, period)| has(code) && is_period(period));
        for (_, rooms) in &mut rules.room_pins {
            rooms.retain(|room| instance.resources.room_index(room).is_some());
        }
        rules.room_pins.retain(|(code, rooms)| has(code) && !rooms.is_empty());
        for (_, periods) in &mut rules.forbidden {
            periods.retain(is_period);
        }
        rules.forbidden.retain(|(code, periods)| has(code) && !periods.is_empty());
        rules.relations.retain(|(_, first, second)| has(first) && has(second));
        if let Some((_, rows)) = &mut rules.reference {
            rows.retain(|(code, _)| has(code));
        }
        if let Some((_, rows)) = &mut rules.reference_rooms {
            rows.retain(|(code, _)| has(code));
        }
        rules.reference_sittings.retain(|(code, _)| has(code));
        rules.seats = instance.periods.iter().map(|period| period.seats).collect();
        let count =
            |rules: &Self| rules.pins.len() + rules.room_pins.len() + rules.forbidden.len() + rules.relations.len();
        let lost = count(self) - count(&rules);
        (rules, lost)
    }

    /// Exams that pins, forbidden periods and relations name and that `instance` does not have, each once.
    pub(crate) fn exams_beyond(&self, instance: &Instance) -> Vec<&str> {
        let codes = instance.exam_codes();
        let single = self.pins.iter().map(|(code, _)| code).chain(self.forbidden.iter().map(|(code, _)| code));
        let single = single.chain(self.room_pins.iter().map(|(code, _)| code));
        let named = single.chain(self.relations.iter().flat_map(|(_, first, second)| [first, second]));
        let gone: std::collections::BTreeSet<&str> =
            named.map(String::as_str).filter(|code| codes.get(code).is_none()).collect();
        gone.into_iter().collect()
    }

    /// Replaces the rules and seats of `instance` by the stored ones.
    ///
    /// # Errors
    /// [`Error::Usage`] if a rule names an exam that the instance does not have, or relates an exam to itself.
    pub fn apply(&self, mut instance: Instance) -> Result<Instance> {
        if let Some(place) = self.extra_time {
            instance.resources.extra_time = place;
        }
        let numbers = instance.exam_codes();
        let find = |code: &str| {
            numbers.get(code).map(|number| number as u16).ok_or_else(|| {
                Error::Usage(format!(
                    "a rule names exam {code}, which {} does not have; open the file that the rules were made for",
                    instance.name
                ))
            })
        };
        let ignore_seats = self.ignore_seats;
        let ignore_durations = !self.durations && instance.long_exams().is_some();
        let fewest_exams = self.fewest_exams;
        let (given, limits) = (self.given.clone(), self.limits.clone());
        let mut rules = Rules { given, limits, ignore_seats, ignore_durations, fewest_exams, ..Rules::default() };
        for (code, period) in &self.pins {
            rules.pins.insert(find(code)?, *period);
        }
        for (code, rooms) in &self.room_pins {
            let index = |room: &String| {
                instance.resources.room_index(room).map(|index| index as u16).ok_or_else(|| {
                    Error::Usage(format!(
                        "a rule names room {room}, which {} does not have; open the file that the rules were made for",
                        instance.name
                    ))
                })
            };
            rules.room_pins.insert(find(code)?, rooms.iter().map(index).collect::<Result<_>>()?);
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
            if let Some((price, rows)) = &self.reference_rooms {
                let mut of_exams = vec![Vec::new(); instance.exams.len()];
                for (code, rooms) in rows {
                    of_exams[usize::from(find(code)?)].clone_from(rooms);
                }
                let mut keys = vec![Vec::new(); instance.exams.len()];
                for (code, sittings) in &self.reference_sittings {
                    keys[usize::from(find(code)?)].clone_from(sittings);
                }
                timetable.rooms = instance.rooms_of_codes(of_exams, &keys);
                rules.room_price = *price;
            }
            rules.reference = Some(Reference { timetable, weight: *weight });
        }
        for (period, &seats) in instance.periods.iter_mut().zip(self.seats.iter().chain(std::iter::repeat(&None))) {
            period.seats = seats;
        }
        instance.rules = rules;
        match &self.objective {
            Some(objective) => instance.objective.clone_from(objective),
            // Not stored: the published one, whatever new sessions with dates have by default.
            None if instance.objective.kind == ObjectiveKind::Office => instance.objective = Objective::default(),
            None => {}
        }
        Ok(instance)
    }
}
