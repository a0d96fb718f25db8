//! Exact program for sessions of few exams: it tries every period and all rooms of every exam, by a definition of its own.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use gridwright_timetabling::{ExtraTimePlace, Instance, RelationKind};

/// Students who write one exam together.
struct Group {
    exam: usize,
    students: u32,
    /// No other exam may be in their rooms.
    own_room: bool,
    /// Nobody else may be in their room.
    is_alone: bool,
    /// Sets of rooms that they may use, as bits.
    choices: Vec<u32>,
}

/// Facts about a session that decide where exams may be.
pub struct Exact<'a> {
    instance: &'a Instance,
    days: Vec<Option<NaiveDate>>,
    groups: Vec<Group>,
    /// Periods of each exam, if it were alone in the session.
    allowed: Vec<Vec<usize>>,
    /// Pairs of exams that are never in one period.
    apart: Vec<Vec<bool>>,
    /// Sets of exams of a period that have rooms there, or have none.
    packed: RefCell<HashMap<(usize, u32), bool>>,
}

/// Period of each exam; `None` for exams without one.
type Places = Vec<Option<usize>>;

impl<'a> Exact<'a> {
    pub fn new(instance: &'a Instance) -> Self {
        let exams = instance.exam_count();
        let sits = |student: usize, exam: usize| instance.students.exams_of(student).contains(&(exam as u16));
        let mut apart = vec![vec![false; exams]; exams];
        for (one, row) in apart.iter_mut().enumerate() {
            for (other, is_apart) in row.iter_mut().enumerate() {
                let needs = |exam: usize, of: &std::collections::BTreeSet<u16>| of.contains(&(exam as u16));
                let people = &instance.resources.people;
                *is_apart = one != other
                    && ((0..instance.students.len()).any(|at| sits(at, one) && sits(at, other))
                        || people.iter().any(|it| needs(one, &it.exams) && needs(other, &it.exams)));
            }
        }
        let mut exact = Self {
            instance,
            days: instance.periods.iter().map(|period| period.date).collect(),
            groups: Vec::new(),
            allowed: Vec::new(),
            apart,
            packed: RefCell::default(),
        };
        exact.allowed = (0..exams).map(|exam| exact.allowed_periods(exam)).collect();
        exact.groups = (0..exams).flat_map(|exam| exact.groups_of(exam)).collect();
        exact
    }

    /// Extra minutes of each student of an exam who has an arrangement, and whether he or she sits alone.
    fn arranged(&self, exam: usize) -> Vec<(bool, u32)> {
        let own = self.instance.resources.arrangements.iter().filter(|arrangement| {
            self.instance.students.exams_of(arrangement.student as usize).contains(&(exam as u16))
        });
        let longest = self.instance.periods.iter().filter_map(|period| period.minutes()).max().unwrap_or(0);
        let lasts = self.instance.exams[exam].duration.unwrap_or(longest);
        own.map(|arrangement| (arrangement.own_room, arrangement.extra.minutes(lasts))).collect()
    }

    fn allowed_periods(&self, exam: usize) -> Vec<usize> {
        let instance = self.instance;
        let (number, rules) = (exam as u16, &instance.rules);
        let extra = self.arranged(exam).into_iter().map(|(_, extra)| extra).max().unwrap_or(0);
        let is_allowed = |&at: &usize| {
            let is_long_enough = match (instance.periods[at].minutes(), instance.exams[exam].duration) {
                (None, _) => true,
                (Some(_), None) => extra == 0,
                (Some(minutes), Some(lasts)) => lasts + extra <= minutes,
            };
            let is_pinned_elsewhere = rules.pins.get(&number).is_some_and(|&pin| usize::from(pin) != at);
            let is_forbidden = rules.forbidden.get(&number).is_some_and(|list| list.contains(&(at as u16)));
            let mut people = instance.resources.people.iter();
            let is_absent =
                people.any(|person| person.exams.contains(&number) && person.unavailable.contains(&(at as u16)));
            is_long_enough && !is_pinned_elsewhere && !is_forbidden && !is_absent
        };
        (0..instance.period_count()).filter(is_allowed).collect()
    }

    fn groups_of(&self, exam: usize) -> Vec<Group> {
        let (data, arranged) = (&self.instance.exams[exam], self.arranged(exam));
        let mut sizes = Vec::new();
        let mut shared: BTreeMap<u32, u32> = BTreeMap::new();
        let mut apart = 0;
        for (is_alone, extra) in arranged {
            match self.instance.resources.extra_time {
                _ if is_alone => sizes.push((1, true)),
                ExtraTimePlace::OwnRoom if extra > 0 => sizes.push((1, true)),
                ExtraTimePlace::Apart => *shared.entry(extra).or_default() += 1,
                _ => continue,
            }
            apart += 1;
        }
        let reserved = data.needs.seats.filter(|_| !self.instance.resources.rooms.is_empty());
        let others = reserved.unwrap_or(data.enrolment).saturating_sub(apart);
        if others > 0 || apart == 0 {
            sizes.push((others, false));
        }
        sizes.extend(shared.into_values().map(|students| (students, false)));
        let rooms = &self.instance.resources.rooms;
        let suits = |number: usize| {
            let room = &rooms[number];
            let is_named = data.needs.rooms.is_empty() || data.needs.rooms.contains(&room.code);
            is_named && data.needs.features.iter().all(|feature| room.features.contains(feature))
        };
        let of_rooms = |set: &u32| {
            let most = u32::from(data.needs.most_rooms.max(1));
            (1..=most).contains(&set.count_ones()) && (0..rooms.len()).all(|room| set >> room & 1 == 0 || suits(room))
        };
        let choices: Vec<u32> = (0..1 << rooms.len()).filter(of_rooms).collect();
        let group = |(students, is_alone): (u32, bool)| Group {
            exam,
            students,
            own_room: data.needs.own_room || is_alone,
            is_alone,
            choices: choices.clone(),
        };
        sizes.into_iter().map(group).collect()
    }

    /// Fewest exams of `members` without a place, if the others are not in the session.
    pub fn fewest_left_out(&self, members: &[usize]) -> usize {
        // The exams with the fewest periods first.
        let mut order = members.to_vec();
        order.sort_by_key(|&exam| (self.allowed[exam].len(), exam));
        let mut places = vec![None; self.instance.exam_count()];
        (0..order.len()).find(|&out| self.places(&order, out, &mut places)).unwrap_or(order.len())
    }

    fn places(&self, order: &[usize], out: usize, places: &mut Places) -> bool {
        let Some((&exam, others)) = order.split_first() else { return self.has_rooms_for_all(places) };
        for &period in &self.allowed[exam] {
            places[exam] = Some(period);
            let agrees = self.agrees(exam, period, places) && self.has_rooms_in(period, places);
            if agrees && self.places(others, out, places) {
                return true;
            }
        }
        places[exam] = None;
        out > 0 && self.places(others, out - 1, places)
    }

    /// Returns `true` if an exam may be in a period beside those that have one.
    fn agrees(&self, exam: usize, period: usize, places: &Places) -> bool {
        let clashes = (0..places.len()).any(|other| self.apart[exam][other] && places[other] == Some(period));
        let mut relations = self.instance.rules.relations.iter();
        !clashes
            && relations.all(|relation| {
                let at = |exam: u16| places[usize::from(exam)];
                let (Some(a), Some(b)) = (at(relation.first), at(relation.second)) else { return true };
                let is_same_day = self.days[a].zip(self.days[b]).map(|(first, second)| first == second);
                match relation.kind {
                    RelationKind::Before => a < b,
                    RelationKind::Same => a == b,
                    RelationKind::Different => a != b,
                    RelationKind::DirectlyBefore => a + 1 == b && is_same_day != Some(false),
                    RelationKind::SameDay => is_same_day != Some(false),
                    RelationKind::DifferentDay => is_same_day != Some(true),
                    RelationKind::SameRoom | RelationKind::DifferentRoom => true,
                }
            })
    }

    /// Returns `true` if the exams of a period have seats, without a look at the rooms of other periods.
    fn has_rooms_in(&self, period: usize, places: &Places) -> bool {
        let there = (0..places.len()).filter(|&exam| places[exam] == Some(period));
        let set = there.clone().fold(0, |set, exam| set | 1 << exam);
        if !self.instance.has_rooms() {
            let needed: u32 = there.map(|exam| self.instance.exams[exam].enrolment).sum();
            return self.instance.periods[period].seats.is_none_or(|seats| needed <= seats);
        }
        if let Some(&known) = self.packed.borrow().get(&(period, set)) {
            return known;
        }
        let mut only = vec![None; places.len()];
        there.for_each(|exam| only[exam] = Some(period));
        let has_rooms = self.seat(0, &only, &mut Vec::new());
        self.packed.borrow_mut().insert((period, set), has_rooms);
        has_rooms
    }

    /// Returns `true` if all exams have rooms together; only rules on rooms relate the rooms of different periods.
    fn has_rooms_for_all(&self, places: &Places) -> bool {
        let relations = &self.instance.rules.relations;
        let is_related = self.instance.has_rooms() && relations.iter().any(|relation| relation.kind.is_of_rooms());
        !is_related || self.seat(0, places, &mut Vec::new())
    }

    /// Gives rooms to the groups from number `at` on; `seated` has the rooms of those before.
    fn seat(&self, at: usize, places: &Places, seated: &mut Vec<u32>) -> bool {
        let Some(group) = self.groups.get(at) else { return true };
        let Some(period) = places[group.exam] else {
            seated.push(0);
            let found = self.seat(at + 1, places, seated);
            seated.pop();
            return found;
        };
        group.choices.iter().any(|&rooms| {
            seated.push(rooms);
            let found = self.is_seated(period, places, seated) && self.seat(at + 1, places, seated);
            seated.pop();
            found
        })
    }

    /// Returns `true` if the last of the seated groups may be in its rooms.
    fn is_seated(&self, period: usize, places: &Places, seated: &[u32]) -> bool {
        let all = &self.instance.resources.rooms;
        let (last, rooms) = (&self.groups[seated.len() - 1], seated[seated.len() - 1]);
        let is_in = |set: u32, room: usize| set >> room & 1 == 1;
        if (0..all.len()).any(|room| is_in(rooms, room) && all[room].unavailable.contains(&(period as u16))) {
            return false;
        }
        let related = |one: usize, other: usize, kind: RelationKind| {
            let ends = [one as u16, other as u16];
            let mut relations = self.instance.rules.relations.iter();
            relations.any(|it| it.kind == kind && ends.contains(&it.first) && ends.contains(&it.second))
        };
        // An exam in the same room as another one has one room.
        let has_partner = |exam: usize| {
            let is_other = |&other: &usize| other != exam && places[other].is_some();
            (0..places.len()).filter(is_other).any(|other| related(exam, other, RelationKind::SameRoom))
        };
        if has_partner(last.exam) && rooms.count_ones() != 1 {
            return false;
        }
        for (other, &of_other) in self.groups.iter().zip(&seated[..seated.len() - 1]) {
            let Some(at) = places[other.exam] else { continue };
            let is_own = other.exam == last.exam;
            let common = rooms & of_other;
            let is_together =
                if is_own { has_partner(last.exam) } else { related(last.exam, other.exam, RelationKind::SameRoom) };
            let is_apart = !is_own && related(last.exam, other.exam, RelationKind::DifferentRoom);
            if (is_together && rooms != of_other) || (is_apart && common != 0) {
                return false;
            }
            let is_closed = match is_own {
                true => last.is_alone || other.is_alone,
                false => {
                    last.own_room
                        || other.own_room
                        || (0..all.len()).any(|room| is_in(common, room) && all[room].single)
                }
            };
            if at == period && common != 0 && is_closed {
                return false;
            }
        }
        // The groups that may only use rooms of a set need no more seats than these have (Hall's theorem for transports).
        (1_u32..1 << all.len()).all(|set| {
            let seats: u32 = (0..all.len()).filter(|&room| is_in(set, room)).map(|room| all[room].seats).sum();
            let within = self.groups.iter().zip(seated);
            let within = within.filter(|(group, of)| places[group.exam] == Some(period) && **of & !set == 0);
            within.map(|(group, _)| group.students).sum::<u32>() <= seats
        })
    }
}
