//! Rooms, people, days and the components of the cost, from the raw data of a session.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::name;
use super::{Violation, ViolationKind};
use crate::{ExtraTime, ExtraTimePlace, Instance, RelationKind, Timetable, UNPLACED};
use gridwright_core::numbers::{counted, grouped};
use gridwright_core::text::lines::listed;

/// Component of the cost: a count of occurrences and what they cost together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Component {
    /// Identifier in files, such as `in_a_row`.
    pub key: String,
    /// Sentence part for people: «students with two exams in a row».
    pub label: String,
    /// Number of occurrences: pairs of exams of a student, exams, sittings.
    pub count: u64,
    /// Cost of all occurrences.
    pub cost: u64,
}

/// Period of each exam, if it has one within the session.
fn periods_of(instance: &Instance, timetable: &Timetable) -> Vec<Option<usize>> {
    let inside =
        |&at: &u16| Some(usize::from(at)).filter(|&at| at < instance.periods.len() && at != usize::from(UNPLACED));
    (0..instance.exams.len()).map(|exam| timetable.periods.get(exam).and_then(inside)).collect()
}

/// One group of students who write an exam together, counted from the arrangements.
struct Group {
    exam: usize,
    students: u32,
    /// Extra time of all of them.
    extra: u32,
    /// No other exam may be in the room.
    own_room: bool,
    /// No other group may be in the room.
    alone: bool,
    /// All of them sit in a common room for extra time.
    common: bool,
}

/// Groups of all exams in the order of a timetable's rooms: students who are not apart, students who are apart with the same
/// extra time, students in rooms of their own.
fn groups(instance: &Instance) -> Vec<Group> {
    let mut groups = Vec::new();
    let longest = instance.periods.iter().filter_map(|period| period.minutes()).max().unwrap_or(0);
    let mut arranged_in = vec![Vec::new(); instance.exam_count()];
    for arrangement in &instance.resources.arrangements {
        let student = arrangement.student as usize;
        if student < instance.students.len() {
            instance
                .students
                .exams_of(student)
                .iter()
                .for_each(|&exam| arranged_in[usize::from(exam)].push(arrangement));
        }
    }
    for (exam, data) in instance.exams.iter().enumerate() {
        let mut shared = BTreeMap::<u32, u32>::new();
        let mut alone = Vec::new();
        for arrangement in &arranged_in[exam] {
            let extra = arrangement.extra.minutes(data.duration.unwrap_or(longest));
            match instance.resources.extra_time {
                _ if arrangement.own_room => alone.push(extra),
                ExtraTimePlace::OwnRoom
                    if !matches!(arrangement.extra, ExtraTime::Minutes(0) | ExtraTime::Percent(0)) =>
                {
                    alone.push(extra);
                }
                ExtraTimePlace::Apart => *shared.entry(extra).or_default() += 1,
                ExtraTimePlace::CommonRoom
                    if !matches!(arrangement.extra, ExtraTime::Minutes(0) | ExtraTime::Percent(0)) =>
                {
                    *shared.entry(extra).or_default() += 1;
                }
                _ => {}
            }
        }
        alone.sort_unstable();
        let arranged = shared.values().sum::<u32>() + alone.len() as u32;
        let reserved = if instance.has_rooms() { data.needs.seats } else { None };
        let others = reserved.unwrap_or(data.enrolment).saturating_sub(arranged);
        let own_room = data.needs.own_room;
        if others > 0 || arranged == 0 {
            groups.push(Group { exam, students: others, extra: 0, own_room, alone: false, common: false });
        }
        let shared = shared.into_iter();
        let common = instance.resources.extra_time == ExtraTimePlace::CommonRoom;
        groups.extend(shared.map(|(extra, students)| Group { exam, students, extra, own_room, alone: false, common }));
        let alone = alone.into_iter();
        groups.extend(alone.map(|extra| Group {
            exam,
            students: 1,
            extra,
            own_room: true,
            alone: true,
            common: false,
        }));
    }
    groups
}

/// Sittings in one room and period.
#[derive(Default)]
struct Use {
    students: u64,
    sittings: Vec<usize>,
}

/// Appends violations of rooms, extra time, people and relations of days and rooms.
pub(super) fn violations(instance: &Instance, timetable: &Timetable, violations: &mut Vec<Violation>) {
    let placed = periods_of(instance, timetable);
    extra_time(instance, &placed, violations);
    people(instance, &placed, violations);
    super::limits::violations(instance, &placed, violations);
    if instance.has_rooms() {
        rooms(instance, timetable, &placed, violations);
    } else if !timetable.rooms.is_empty() {
        violations.push(Violation::new(ViolationKind::Length, "the timetable has rooms, the session none".to_owned()));
    }
    relations(instance, timetable, &placed, violations);
}

fn exam_name(instance: &Instance, exam: usize) -> String {
    instance.exams.get(exam).map_or_else(|| "?".to_owned(), |data| name(&data.code, &data.title))
}

fn extra_time(instance: &Instance, placed: &[Option<usize>], violations: &mut Vec<Violation>) {
    if instance.rules.ignore_durations || instance.resources.arrangements.is_empty() {
        return;
    }
    let longest = instance.periods.iter().filter_map(|period| period.minutes()).max().unwrap_or(0);
    let mut extras = BTreeSet::new();
    for arrangement in &instance.resources.arrangements {
        let student = Some(arrangement.student as usize).filter(|&student| student < instance.students.len());
        for &exam in student.map_or(&[][..], |student| instance.students.exams_of(student)) {
            let lasts = instance.exams[usize::from(exam)].duration.unwrap_or(longest);
            extras.insert((usize::from(exam), arrangement.extra.minutes(lasts)));
        }
    }
    for (exam, extra) in extras.into_iter().filter(|&(_, extra)| extra > 0) {
        let Some(at) = placed[exam] else { continue };
        let Some(minutes) = instance.periods[at].minutes() else { continue };
        let (duration, exam, number) = (instance.exams[exam].duration, exam_name(instance, exam), at + 1);
        let text = match duration {
            Some(duration) if duration <= minutes && duration + extra > minutes => format!(
                "exam {exam} lasts {} minutes with {extra} minutes of extra time, and period {number} has only {minutes}",
                duration + extra
            ),
            // Without a duration the length of the period counts.
            None => format!(
                "exam {exam} has no duration and lasts all {minutes} minutes of period {number}, so that {extra} minutes of \
                 extra time do not fit"
            ),
            Some(_) => continue,
        };
        violations.push(Violation::new(ViolationKind::Duration, text));
    }
}

fn people(instance: &Instance, placed: &[Option<usize>], violations: &mut Vec<Violation>) {
    for person in &instance.resources.people {
        let mut by_period: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &exam in &person.exams {
            if let Some(at) = placed.get(usize::from(exam)).copied().flatten() {
                by_period.entry(at).or_default().push(usize::from(exam));
            }
        }
        for (at, exams) in by_period {
            let names: Vec<String> = exams.iter().map(|&exam| exam_name(instance, exam)).collect();
            let number = instance.period_number(at);
            if person.unavailable.contains(&(at as u16)) {
                let text =
                    format!("{} is absent in period {number}, which has exam {}", person.name, names.join(" and "));
                violations.push(Violation::new(ViolationKind::Absent, text));
            }
            if exams.len() > 1 {
                let text = format!("{} is needed at exams {} in period {number}", person.name, names.join(" and "));
                violations.push(Violation::new(ViolationKind::Person, text));
            }
        }
    }
}

/// Words for students without a seat: «; 1 student has no seat yet».
fn lacking(students: u64, seats: u64) -> String {
    let verb = |count| if count == 1 { "has" } else { "have" };
    let words = |count| format!("; {} {} no seat yet", counted(count, "student"), verb(count));
    students.checked_sub(seats).filter(|&count| count > 0).map_or_else(String::new, words)
}

fn rooms(instance: &Instance, timetable: &Timetable, placed: &[Option<usize>], violations: &mut Vec<Violation>) {
    let mut add = |kind: ViolationKind, text: String| violations.push(Violation::new(kind, text));
    let groups = groups(instance);
    if !timetable.rooms.is_empty() && timetable.rooms.len() != groups.len() {
        let text = format!("the timetable seats {} sittings, the session has {}", timetable.rooms.len(), groups.len());
        return add(ViolationKind::Length, text);
    }
    let mut uses: BTreeMap<(usize, usize), Use> = BTreeMap::new();
    for (number, group) in groups.iter().enumerate() {
        let Some(at) = placed[group.exam] else { continue };
        let (exam, needs) = (exam_name(instance, group.exam), &instance.exams[group.exam].needs);
        let seats = timetable.rooms.get(number).map_or(&[][..], Vec::as_slice);
        let seated: u64 = seats.iter().map(|seats| u64::from(seats.students)).sum();
        if seated != u64::from(group.students) || seats.is_empty() {
            let of = grouped(u64::from(group.students));
            let lacking = lacking(u64::from(group.students), seated);
            let (seated, at) = (grouped(seated), instance.period_number(at));
            let text = format!("exam {exam} seats {seated} of {of} students in period {at}{lacking}");
            add(ViolationKind::Unseated, text);
        }
        if seats.len() > needs.most_rooms() {
            let rooms = counted(seats.len() as u64, "room");
            add(ViolationKind::Parts, format!("exam {exam} is in {rooms}; at most {} allowed", needs.most_rooms()));
        }
        let mut seen = BTreeSet::new();
        for seats in seats {
            let index = usize::from(seats.room);
            let Some(room) = instance.resources.rooms.get(index) else {
                add(
                    ViolationKind::Length,
                    format!("exam {exam} is in room number {}, which does not exist", index + 1),
                );
                continue;
            };
            if !seen.insert(index) {
                add(ViolationKind::Length, format!("exam {exam} names room {} twice", room.code));
                continue;
            }
            if room.unavailable.contains(&(at as u16)) {
                let at = instance.period_number(at);
                let text = format!("room {} cannot be used in period {at}, but exam {exam} is there", room.code);
                add(ViolationKind::Closed, text);
            }
            let lacking: Vec<&str> = needs.features.difference(&room.features).map(String::as_str).collect();
            if !lacking.is_empty() {
                add(
                    ViolationKind::Features,
                    format!("room {} has no {}, which exam {exam} needs", room.code, lacking.join(", ")),
                );
            }
            let is_kept = room.extra_time && instance.resources.extra_time == ExtraTimePlace::CommonRoom;
            match (group.common, is_kept) {
                (true, false) => add(
                    ViolationKind::Features,
                    format!(
                        "room {} is no common room, but students of exam {exam} with extra time are there",
                        room.code
                    ),
                ),
                (false, true) => add(
                    ViolationKind::Features,
                    format!("room {} is a common room for extra time, but exam {exam} is there", room.code),
                ),
                _ => {}
            }
            if !group.common && !needs.rooms.is_empty() && !needs.rooms.contains(&room.code) {
                add(ViolationKind::Features, format!("exam {exam} must not be in room {}", room.code));
            }
            let pinned = instance.rules.room_pins.get(&(group.exam as u16)).filter(|_| !group.alone && !group.common);
            if let Some(pinned) = pinned.filter(|pinned| !pinned.contains(&seats.room)) {
                let code = |&room: &u16| instance.resources.rooms.get(usize::from(room)).map(|room| room.code.as_str());
                let rooms = listed(&pinned.iter().filter_map(code).collect::<Vec<_>>());
                let text = format!("exam {exam} is pinned to {rooms}, but is in room {}", room.code);
                add(ViolationKind::RoomPin, text);
            }
            let entry = uses.entry((at, index)).or_default();
            entry.students += u64::from(seats.students);
            entry.sittings.push(number);
        }
    }
    for ((at, index), entry) in uses {
        let (room, number) = (&instance.resources.rooms[index], instance.period_number(at));
        if entry.students > u64::from(room.seats) {
            let (needed, has) = (grouped(entry.students), counted(u64::from(room.seats), "seat"));
            let lacking = lacking(entry.students, room.seats.into());
            let text = format!("room {} has {has}, but {needed} are needed in period {number}{lacking}", room.code);
            add(ViolationKind::Overfull, text);
        }
        let there: Vec<&Group> = entry.sittings.iter().map(|&sitting| &groups[sitting]).collect();
        let exams: BTreeSet<usize> = there.iter().map(|group| group.exam).collect();
        let own = there.iter().find(|group| group.own_room).filter(|_| exams.len() > 1);
        let alone = there.iter().find(|group| group.alone).filter(|_| there.len() > 1);
        let why = match (alone, own) {
            (Some(group), _) => {
                format!("a student of exam {} needs a room of his or her own", exam_name(instance, group.exam))
            }
            (None, Some(group)) => format!("exam {} needs a room of its own", exam_name(instance, group.exam)),
            (None, None) if room.single && exams.len() > 1 => format!("room {} holds one exam at a time", room.code),
            (None, None) => continue,
        };
        let there = match exams.len() {
            1 => format!("{} sittings of it", there.len()),
            count => counted(count as u64, "exam"),
        };
        add(ViolationKind::OwnRoom, format!("{why}, but {there} are in room {} in period {number}", room.code));
    }
}

fn relations(instance: &Instance, timetable: &Timetable, placed: &[Option<usize>], violations: &mut Vec<Violation>) {
    let groups = groups(instance);
    let rooms = |exam: u16| -> BTreeSet<u16> {
        let own = groups.iter().zip(&timetable.rooms).filter(|(group, _)| group.exam == usize::from(exam));
        own.flat_map(|(_, seats)| seats.iter().map(|seats| seats.room)).collect()
    };
    let place = |exam: u16| placed.get(usize::from(exam)).copied().flatten();
    for relation in instance.rules.relations.iter().filter(|relation| !relation.kind.is_of_periods()) {
        let (Some(a), Some(b)) = (place(relation.first), place(relation.second)) else { continue };
        let dates = [a, b].map(|period| instance.periods[period].date);
        let same_day = dates[0].zip(dates[1]).map(|(first, second)| first == second);
        let (first, second) = (rooms(relation.first), rooms(relation.second));
        let (kind, broken) = match relation.kind {
            RelationKind::DirectlyBefore => (ViolationKind::Before, a + 1 != b || same_day == Some(false)),
            RelationKind::SameDay => (ViolationKind::Day, same_day == Some(false)),
            RelationKind::DifferentDay => (ViolationKind::Day, same_day == Some(true)),
            RelationKind::SameRoom => {
                (ViolationKind::Room, instance.has_rooms() && (first.len() != 1 || first != second))
            }
            RelationKind::DifferentRoom => (ViolationKind::Room, first.intersection(&second).next().is_some()),
            RelationKind::Before | RelationKind::Same | RelationKind::Different => continue,
        };
        if broken {
            let text = format!(
                "exam {} {} exam {}; they are in periods {} and {}",
                exam_name(instance, usize::from(relation.first)),
                relation.kind.phrase(),
                exam_name(instance, usize::from(relation.second)),
                instance.period_number(a),
                instance.period_number(b)
            );
            violations.push(Violation::new(kind, text));
        }
    }
}

/// Components of the cost of a timetable under the session's objective, in a fixed order; those without a weight are left
/// out.
pub fn components(instance: &Instance, timetable: &Timetable) -> Vec<Component> {
    let placed = periods_of(instance, timetable);
    let mut components = of_pairs(instance, &placed);
    components.extend(of_periods(instance, &placed));
    components.extend(of_rooms(instance, timetable, &placed));
    components
}

fn component(key: &str, label: &str, count: u64, cost: u64) -> Component {
    Component { key: key.to_owned(), label: label.to_owned(), count, cost }
}

/// Components of pairs of exams of one student.
fn of_pairs(instance: &Instance, placed: &[Option<usize>]) -> Vec<Component> {
    let weights = &instance.objective.weights;
    let is_dated = instance.periods.iter().all(|period| period.date.is_some());
    let date = |period: usize| instance.periods[period].date.unwrap_or_default();
    // Nights before each period: changes of the date from one period to the next.
    let mut nights = vec![0_u64; instance.periods.len()];
    for period in 1..nights.len() {
        let is_new = is_dated && (0..period).all(|other| date(other) != date(period));
        nights[period] = nights[period - 1] + u64::from(is_new);
    }
    let (mut near, mut row, mut day, mut spread, mut days) = ([0_u64; 2], 0_u64, 0_u64, 0_u64, [0_u64; 2]);
    let mut short_breaks = 0_u64;
    let times = instance.periods.iter().map(|period| {
        let begin = period.date?.and_time(period.start?);
        Some((begin, begin + chrono::Duration::minutes(i64::from(period.minutes()?))))
    });
    let times: Option<Vec<_>> = times.collect();
    let is_short = |first: usize, second: usize| {
        let Some(times) = &times else { return false };
        let (earlier, later) = (times[first].min(times[second]), times[first].max(times[second]));
        (later.0 - earlier.1).num_minutes() < i64::from(weights.break_minutes)
    };
    for student in instance.students.iter() {
        let mut sits: Vec<usize> = student.iter().filter_map(|&exam| placed[usize::from(exam)]).collect();
        sits.sort_unstable();
        for (at, &first) in sits.iter().enumerate() {
            for &second in sits[at + 1..].iter().filter(|&&second| second > first) {
                let apart = (second - first) as u64;
                let far = apart + u64::from(weights.night) * nights[second].abs_diff(nights[first]);
                if (1..=5).contains(&far) {
                    near[0] += 1;
                    near[1] += 1 << (5 - far);
                }
                spread += u64::from(apart <= u64::from(weights.spread_periods));
                let is_same_day = if is_dated { date(first) == date(second) } else { apart == 1 };
                short_breaks += u64::from(is_short(first, second));
                row += u64::from(is_same_day && apart == 1);
                day += u64::from(is_same_day && apart > 1);
                let gap = if is_dated { (date(second) - date(first)).num_days().abs() } else { 0 };
                if (1..=3).contains(&gap) {
                    days[0] += 1;
                    days[1] += 1 << (3 - gap);
                }
            }
        }
    }
    let all = [
        (weights.proximity, "proximity", "pairs of exams of a student 1 to 5 periods apart", near[0], near[1]),
        (weights.in_a_row, "in_a_row", "times that a student has two exams in a row", row, row),
        (weights.in_a_day, "in_a_day", "times that a student has two exams on a day, not in a row", day, day),
        (
            weights.short_break,
            "short_break",
            "times that a student has a short break between two exams",
            short_breaks,
            short_breaks,
        ),
        (weights.days, "days", "times that a student has exams 1 to 3 days apart", days[0], days[1]),
        (weights.spread, "spread", "times that a student has two exams within the spread", spread, spread),
    ];
    let weighed = all.into_iter().filter(|(weight, ..)| *weight > 0);
    weighed.map(|(weight, key, label, count, units)| component(key, label, count, u64::from(weight) * units)).collect()
}

/// Components of single exams in their periods.
fn of_periods(instance: &Instance, placed: &[Option<usize>]) -> Vec<Component> {
    let weights = &instance.objective.weights;
    let mut components = Vec::new();
    if weights.late > 0 && weights.large_exams > 0 && weights.late_periods > 0 {
        let mut sizes: Vec<(u32, usize)> =
            instance.exams.iter().enumerate().map(|(exam, data)| (u32::MAX - data.enrolment, exam)).collect();
        sizes.sort_unstable();
        let is_late = |at: usize| at + weights.late_periods as usize >= instance.periods.len();
        let late =
            sizes.iter().take(weights.large_exams as usize).filter(|(_, exam)| placed[*exam].is_some_and(is_late));
        let count = late.count() as u64;
        components.push(component("late", "large exams late in the session", count, u64::from(weights.late) * count));
    }
    if weights.uneven_days > 0 && instance.is_dated() {
        let count = beyond_shares(instance, placed);
        let cost = u64::from(weights.uneven_days) * count;
        components.push(component("uneven_days", "students beyond the even share of a day", count, cost));
    }
    if weights.period > 0 && instance.periods.iter().any(|period| period.penalty > 0) {
        let penalties = placed.iter().flatten().map(|&at| u64::from(instance.periods[at].penalty));
        let penalties: Vec<u64> = penalties.filter(|&penalty| penalty > 0).collect();
        let cost = u64::from(weights.period) * penalties.iter().sum::<u64>();
        components.push(component("period", "exams in periods with a penalty", penalties.len() as u64, cost));
    }
    components
}

/// Students on each date, one for each of their exams, beyond the share of the date in all enrolments, which is that of its
/// periods in all periods, rounded up.
fn beyond_shares(instance: &Instance, placed: &[Option<usize>]) -> u64 {
    let mut periods: BTreeMap<Option<chrono::NaiveDate>, u64> = BTreeMap::new();
    instance.periods.iter().for_each(|period| *periods.entry(period.date).or_default() += 1);
    let mut sits: BTreeMap<Option<chrono::NaiveDate>, u64> = BTreeMap::new();
    let mut enrolments = 0;
    for student in instance.students.iter() {
        for period in student.iter().map(|&exam| placed[usize::from(exam)]) {
            enrolments += 1;
            if let Some(period) = period {
                *sits.entry(instance.periods[period].date).or_default() += 1;
            }
        }
    }
    let all = instance.periods.len() as u64;
    let beyond = |(date, &students): (_, &u64)| students.saturating_sub((enrolments * periods[date]).div_ceil(all));
    sits.iter().map(beyond).sum()
}

/// Components of rooms.
fn of_rooms(instance: &Instance, timetable: &Timetable, placed: &[Option<usize>]) -> Vec<Component> {
    if !instance.has_rooms() {
        return Vec::new();
    }
    let weights = &instance.objective.weights;
    let (mut penalised, mut penalties, mut parts, mut further) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut lasts: BTreeMap<(usize, u16), BTreeSet<Option<u32>>> = BTreeMap::new();
    for (group, seats) in groups(instance).iter().zip(&timetable.rooms) {
        let Some(at) = placed[group.exam] else { continue };
        parts += seats.len().saturating_sub(1) as u64;
        let rooms = seats.iter().filter_map(|seats| instance.resources.rooms.get(usize::from(seats.room)));
        let buildings: BTreeSet<&str> = rooms.map(|room| room.building.as_str()).collect();
        further += buildings.len().saturating_sub(1) as u64;
        for seats in seats {
            let penalty = instance.resources.rooms.get(usize::from(seats.room)).map_or(0, |room| room.penalty);
            penalised += u64::from(penalty > 0);
            penalties += u64::from(penalty);
            let minutes = instance.exams[group.exam].duration.map(|minutes| minutes + group.extra);
            lasts.entry((at, seats.room)).or_default().insert(minutes);
        }
    }
    let mixed: u64 = lasts.values().map(|minutes| minutes.len() as u64 - 1).sum();
    let opened = lasts.len() as u64;
    let all = [
        (weights.opened, "opened", "rooms in use, counted by period", opened, opened),
        (weights.mixed_durations, "mixed_durations", "further durations in one room and period", mixed, mixed),
        (weights.room, "room", "sittings in rooms with a penalty", penalised, penalties),
        (weights.part, "part", "further rooms of exams", parts, parts),
        (weights.building, "building", "further buildings of exams", further, further),
    ];
    let weighed = all.into_iter().filter(|(weight, ..)| *weight > 0);
    weighed.map(|(weight, key, label, count, units)| component(key, label, count, u64::from(weight) * units)).collect()
}
