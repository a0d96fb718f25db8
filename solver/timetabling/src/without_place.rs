//! Exams that a timetable leaves without a place: the reason for each period, and the changes of a single demand that would
//! give some of them a place.
//!
//! Changes are tried on the timetable as it stands: the demand is changed, and a short search over partial timetables
//! ([`Remaining::place_more`]) counts how many more exams it places. The counts are therefore lower bounds.

mod demands;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use self::demands::Demand;
use super::limit_windows::Limited;
use super::model::PeriodSet;
use super::moves::limit_words;
use super::seating::cores::core_around;
use super::seating::leaving::{Remaining, weight};
use super::seating::{Board, SeatingModel};
use super::{Instance, MAX_PERIODS, Period, Relation, RelationKind, Room, Timetable};
use gridwright_core::numbers::counted;

/// Seats by which a room or a period is made larger to see whether that helps.
const MORE_SEATS: u32 = 20;

/// Largest number of changes that are tried.
const TRIED: usize = 24;

/// Largest number of exams whose rules are tried, those with the most students.
const ASKED: usize = 8;

/// Largest number of exams of which each is looked at without the others that have no place.
const ALONE: usize = 20;

/// Pairs of an exam and a period that the search for one change may look at, without rooms and with rooms.
const PAIRS: [usize; 2] = [400_000, 40_000];

/// Reason why an exam is not in a period, in the order in which reasons are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// The period is too short or forbidden, or a person who is needed is absent.
    Calendar,
    /// Students sit another exam there.
    Students,
    /// A rule with another exam, or a person who is needed at one.
    Rule,
    /// No rooms have the seats.
    Rooms,
    /// Nothing.
    None,
    /// A limit of one of its students.
    Limit,
}

impl Obstacle {
    /// All of them; [`Board::obstacle`] numbers all but the last, which it counts as a rule.
    const ALL: [Self; 6] = [Self::Calendar, Self::Students, Self::Rule, Self::Rooms, Self::None, Self::Limit];

    /// Words behind a number of periods.
    fn words(self) -> &'static str {
        match self {
            Self::Calendar => "too short, forbidden or without one of its people",
            Self::Students => "with students in another exam",
            Self::Rule => "against a rule with another exam or a person",
            Self::Rooms => "without enough seats",
            Self::None => "free, when the search ended",
            Self::Limit => "beyond a limit of students",
        }
    }
}

/// Exam without a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOver {
    /// Index of the exam.
    pub exam: usize,
    /// Reason for each period.
    pub obstacles: Vec<Obstacle>,
    /// Which rooms the exam may be in, behind the words about seats; empty if it may be in all.
    rooms: String,
    /// The limit that a student would exceed in the first such period, behind the words about limits.
    limit: String,
}

impl LeftOver {
    /// Counts the periods by what keeps the exam out: «3 periods with students in another exam, 1 period without enough seats».
    pub fn why(&self) -> String {
        let count = |kind: Obstacle| self.obstacles.iter().filter(|&&obstacle| obstacle == kind).count() as u64;
        let parts = Obstacle::ALL.into_iter().map(|kind| (count(kind), kind)).filter(|&(count, _)| count > 0);
        parts
            .map(|(count, kind)| {
                let more = match kind {
                    Obstacle::Rooms => self.rooms.as_str(),
                    Obstacle::Limit => self.limit.as_str(),
                    _ => "",
                };
                format!("{} {}{more}", counted(count, "period"), kind.words())
            })
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// Change of one demand that gives exams a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remedy {
    /// Words: «one period more».
    pub change: String,
    /// Number of exams that it gives a place, at least.
    pub exams: usize,
}

/// Finds the exams without a place, those with the most students first, and what keeps them out of each period.
pub fn left_over(instance: &Instance, timetable: &Timetable) -> Vec<LeftOver> {
    let open: BTreeSet<u16> = timetable.unplaced_exams().into_iter().map(|exam| exam as u16).collect();
    if open.is_empty() || timetable.periods.len() != instance.exam_count() {
        return Vec::new();
    }
    // Exams that must be in one period are looked at one by one where only some of them have a place.
    let mut parted = instance.clone();
    let is_parted = |it: &Relation| open.contains(&it.first) != open.contains(&it.second);
    parted.rules.relations.retain(|it| it.kind != RelationKind::Same || !is_parted(it));
    let mut whole = Placed::new(SeatingModel::new(&parted), timetable);
    let calendar = without_relations(&parted);
    let limits = Limited::of(instance);
    let mut found = Vec::new();
    let mut alone = ALONE;
    for node in whole.open_nodes() {
        let exams = whole.model.exams_of(node).to_vec();
        let mut obstacles = whole.obstacles(node);
        if whole.model.allowed[node].is_empty() && alone > 0 {
            // Rules with other exams that have no place keep it out of nothing.
            alone -= 1;
            let others = open.iter().copied().filter(|&exam| !exams.contains(&usize::from(exam))).collect();
            let mut without = Placed::new(Remaining::without(&parted, others).model, timetable);
            obstacles = without.open_nodes().first().map_or(obstacles, |&node| without.obstacles(node));
        }
        let bare = calendar.iter().find(|(of, _)| of.contains(&exams[0])).map(|(_, allowed)| allowed);
        let together = instance.rules.relations.iter().filter(|it| it.kind == RelationKind::Same);
        let ends = together
            .map(|it| [it.first, it.second])
            .filter(|ends| exams.iter().any(|&exam| ends.contains(&(exam as u16))));
        let fixed: Vec<usize> = ends.flatten().filter_map(|exam| timetable.period_of(exam.into())).collect();
        for (period, obstacle) in obstacles.iter_mut().enumerate() {
            let is_allowed = bare.is_some_and(|allowed| allowed.contains(period));
            let is_by_rule = *obstacle == Obstacle::Calendar && is_allowed;
            let is_apart = *obstacle == Obstacle::None && fixed.iter().any(|&at| at != period);
            if is_by_rule || is_apart {
                *obstacle = Obstacle::Rule;
            }
        }
        let left = |&exam: &usize| {
            let (mut obstacles, rooms) = (obstacles.clone(), rooms_of(instance, exam));
            let limit = limits.as_ref().map(|limits| mark_limits(instance, timetable, limits, exam, &mut obstacles));
            LeftOver { exam, obstacles, rooms, limit: limit.unwrap_or_default() }
        };
        found.extend(exams.iter().map(left));
    }
    found.sort_by_key(|left| (Reverse(instance.exams[left.exam].enrolment), left.exam));
    found
}

/// Marks the periods in which a limit of students keeps an exam out; returns words for the first of them and its first student.
fn mark_limits(
    instance: &Instance, timetable: &Timetable, limits: &Limited, exam: usize, obstacles: &mut [Obstacle],
) -> String {
    let students = instance.students.of_exam(exam);
    let mut words = String::new();
    for (period, obstacle) in obstacles.iter_mut().enumerate().filter(|(_, obstacle)| **obstacle == Obstacle::Rule) {
        let beyond = limits.students_beyond(instance, timetable, (exam, &students), period);
        let Some(&student) = beyond.first() else { continue };
        *obstacle = Obstacle::Limit;
        if words.is_empty() {
            let (code, at) = (instance.students.code(student), instance.period_name(period));
            let limit = limit_words(instance, timetable, (exam, period), student);
            words = format!(" (in {at}, student {code} would have {limit})");
        }
    }
    words
}

/// Words for the rooms of an exam that may not be in all: « in rooms with computers (PC1, PC2)», « in its rooms (H1)».
fn rooms_of(instance: &Instance, exam: usize) -> String {
    /// Rooms that are named.
    const NAMED: usize = 5;
    let (needs, rooms) = (&instance.exams[exam].needs, &instance.resources.rooms);
    let pinned = instance.rules.room_pins.get(&(exam as u16));
    let is_own = |&(number, room): &(usize, &Room)| {
        instance.admits_exam(exam, room) && pinned.is_none_or(|pinned| pinned.contains(&(number as u16)))
    };
    let own: Vec<&str> = rooms.iter().enumerate().filter(is_own).map(|(_, room)| room.code.as_str()).collect();
    if own.len() == rooms.len() {
        return String::new();
    }
    let features = needs.features.iter().map(String::as_str).collect::<Vec<_>>().join(" and ");
    let what = if features.is_empty() { "its rooms".to_owned() } else { format!("rooms with {features}") };
    let more = own.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    match own.is_empty() {
        true => format!(" in {what}, of which there are none"),
        false => format!(" in {what} ({}{more})", own[..own.len().min(NAMED)].join(", ")),
    }
}

/// Exams of each node and its allowed periods, if no rule relates exams to exams of other periods.
fn without_relations(instance: &Instance) -> Vec<(Vec<usize>, PeriodSet)> {
    let mut bare = instance.clone();
    bare.rules.relations.retain(|relation| relation.kind == RelationKind::Same);
    let model = SeatingModel::new(&bare);
    (0..model.nodes()).map(|node| (model.exams_of(node).to_vec(), model.allowed[node])).collect()
}

/// A timetable with the tables that say what keeps exams out of periods.
struct Placed {
    model: SeatingModel,
    board: Board<i32>,
}

impl Placed {
    fn new(model: SeatingModel, timetable: &Timetable) -> Self {
        let board = Board::new(&model, &model.reduce(timetable));
        Self { model, board }
    }

    /// Nodes without a period.
    fn open_nodes(&self) -> Vec<usize> {
        (0..self.model.nodes()).filter(|&node| usize::from(self.board.place()[node]) >= self.model.periods).collect()
    }

    fn obstacles(&mut self, node: usize) -> Vec<Obstacle> {
        let of = |period: usize| Obstacle::ALL[self.board.obstacle(&self.model, node, period)];
        (0..self.model.periods).map(of).collect()
    }
}

/// Finds changes of a single demand that give the exams of [`left_over`] a place, those that help the most first.
pub fn remedies(instance: &Instance, timetable: &Timetable, left: &[LeftOver]) -> Vec<Remedy> {
    if left.is_empty() {
        return Vec::new();
    }
    let open = |changed: &Instance| placed_more(changed, timetable, left.len()).unplaced_exams().len();
    // What the search places without any change is no merit of one.
    let without_change = open(instance).min(left.len());
    let mut found: Vec<Remedy> = changes(instance, timetable, left)
        .into_iter()
        .take(TRIED)
        .map(|(change, changed)| Remedy { change, exams: without_change.saturating_sub(open(&changed)) })
        .filter(|remedy| remedy.exams > 0)
        .collect();
    found.sort_by_key(|remedy| Reverse(remedy.exams));
    found
}

/// Smallest sets of exams that do not fit together, as far as that is proven: one for each exam without a place, those with the
/// most students first and at most `most`, which keeps it out even if no other exam without a place had one.
pub fn impossible_sets(instance: &Instance, timetable: &Timetable, most: usize) -> impl Iterator<Item = Vec<usize>> {
    let is_placed = |exam: usize| timetable.period_of(exam).is_some();
    let mut open = timetable.unplaced_exams();
    open.sort_by_key(|&exam| (Reverse(instance.exams[exam].enrolment), exam));
    open.into_iter().take(most).filter_map(move |exam| core_around(instance, exam, &is_placed))
}

/// Sentences about the first of [`impossible_sets`], without those that are a part of one of `told`.
pub(crate) fn explain_together(instance: &Instance, timetable: &Timetable, told: &[Vec<usize>]) -> Vec<String> {
    /// Largest number of sets.
    const SETS: usize = 6;
    /// Largest number of exams without a place around which sets are looked for.
    const ASKED: usize = 12;
    let is_new = |set: &Vec<usize>| !told.iter().any(|told| set.iter().all(|exam| told.contains(exam)));
    let sets = impossible_sets(instance, timetable, ASKED).filter(is_new).take(SETS);
    sets.map(|set| explain_set(instance, &set)).collect()
}

fn explain_set(instance: &Instance, set: &[usize]) -> String {
    let codes: Vec<&str> = set.iter().map(|&exam| instance.exams[exam].code.as_str()).collect();
    let what = match codes.as_slice() {
        [code] => format!("exam {code} has no place even in an empty timetable"),
        codes => {
            let listed = codes.join(", ");
            format!("these {} exams do not fit together, even without all others: {listed}", codes.len())
        }
    };
    match demands::needed(instance, set).as_slice() {
        [] => format!("{what}; ease what one of them demands, or add periods, seats or rooms"),
        demands => format!("{what}, because {}; ease one of these demands, or add periods", demands.join(", ")),
    }
}

/// Sentences for a result: why exams have no place, and what would help.
pub(crate) fn explain(instance: &Instance, timetable: &Timetable) -> Vec<String> {
    const NAMED: usize = 10;
    const HELPFUL: usize = 6;
    let left = left_over(instance, timetable);
    let sentence = |left: &LeftOver| {
        let exam = &instance.exams[left.exam];
        let students = counted(exam.enrolment, "student");
        format!("exam {} ({students}) has no place: {}", exam.code, left.why())
    };
    let remedies = remedies(instance, timetable, &left);
    let mut notes = Vec::new();
    if !remedies.is_empty() {
        let words = |remedy: &Remedy| format!("{} ({})", remedy.change, counted(remedy.exams, "exam"));
        let named: Vec<String> = remedies.iter().take(HELPFUL).map(words).collect();
        notes.push(format!("one of these changes would give some of them a place: {}", named.join(", ")));
    }
    notes.extend(left.iter().take(NAMED).map(sentence));
    notes
}

/// Timetable of a changed session that places more exams than `timetable` does, as far as a short search finds one.
fn placed_more(instance: &Instance, timetable: &Timetable, without: usize) -> Arc<Timetable> {
    let weight = weight(instance);
    let whole = Remaining::of(instance, &weight, &mut |_| true);
    let pairs = PAIRS[usize::from(whole.model.rooms > 0)];
    let rounds = pairs / (without * whole.model.periods).max(1) / Remaining::ROUND as usize + 1;
    let placed = whole.place_more(&whole.weights(&weight), timetable, rounds, &mut |_| true);
    whole.model.expand(&Arc::new(placed))
}

/// Changes of one demand with what they make of the instance.
fn changes(instance: &Instance, timetable: &Timetable, left: &[LeftOver]) -> Vec<(String, Instance)> {
    let mut changes = Vec::new();
    if instance.period_count() < MAX_PERIODS {
        changes.push(("one period more".to_owned(), with_one_period_more(instance)));
    }
    let meets = |obstacle: Obstacle| left.iter().any(|left| left.obstacles.contains(&obstacle));
    if meets(Obstacle::Rooms) {
        seats(instance, timetable, &mut changes);
    }
    for LeftOver { exam, obstacles, .. } in left.iter().take(ASKED) {
        let mut demands = Vec::new();
        if obstacles.contains(&Obstacle::Calendar) {
            demands.extend(Demand::of_calendar(instance, *exam));
        }
        if obstacles.iter().any(|obstacle| matches!(obstacle, Obstacle::Rule | Obstacle::Calendar | Obstacle::Rooms)) {
            demands.extend(Demand::of_others(instance, *exam));
        }
        changes.extend(demands.into_iter().map(|demand| (demand.change(instance), demand.without(instance))));
    }
    let mut seen = BTreeSet::new();
    changes.retain(|(change, _)| seen.insert(change.clone()));
    changes
}

/// The session with a further period like the last one, on the next day.
fn with_one_period_more(instance: &Instance) -> Instance {
    let mut changed = instance.clone();
    let next = instance.periods.last().map(|last| {
        let date = last.date.and_then(|date| date.succ_opt());
        let seats = instance.periods.iter().map(|period| period.seats).max().flatten();
        Period { date, seats, ..last.clone() }
    });
    changed.periods.extend(next);
    changed
}

/// Larger rooms, or more seats in every period.
fn seats(instance: &Instance, timetable: &Timetable, changes: &mut Vec<(String, Instance)>) {
    if !instance.has_rooms() {
        let mut changed = instance.clone();
        changed.periods.iter_mut().filter_map(|period| period.seats.as_mut()).for_each(|seats| {
            *seats = seats.saturating_add(MORE_SEATS);
        });
        return changes.push((format!("{MORE_SEATS} seats more in every period"), changed));
    }
    let rooms = &instance.resources.rooms;
    let wanted = |number: usize| {
        let open = timetable.unplaced_exams().into_iter();
        open.filter(|&exam| instance.admits_exam(exam, &rooms[number])).count()
    };
    let mut order: Vec<usize> = (0..rooms.len()).filter(|&number| wanted(number) > 0).collect();
    order.sort_by_key(|&number| (Reverse(wanted(number)), Reverse(rooms[number].seats), number));
    for number in order.into_iter().take(TRIED / 3) {
        let mut changed = instance.clone();
        let seats = &mut changed.resources.rooms[number].seats;
        *seats = seats.saturating_add(MORE_SEATS);
        changes.push((format!("room {} {MORE_SEATS} seats larger", rooms[number].code), changed));
    }
    let mut changed = instance.clone();
    for &exam in &timetable.unplaced_exams() {
        let needs = &mut changed.exams[exam].needs;
        needs.most_rooms = needs.most_rooms.max(1).saturating_add(1);
    }
    changes.push(("one room more for each of them".to_owned(), changed));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{ViolationKind, check};
    use crate::generator::{GeneratorOptions, generate};

    /// The timetables behind the counts break nothing in the changed sessions.
    #[test]
    fn what_helps_breaks_nothing() {
        let mut helped = 0;
        for seed in 0..20_u64 {
            let options =
                GeneratorOptions { exams: 40, students: 300, periods: Some(9), seed, ..GeneratorOptions::default() };
            let mut instance = generate(&options).unwrap();
            for number in 0..6_u16 {
                let kind = RelationKind::ALL[(seed as usize + usize::from(number)) % RelationKind::ALL.len()];
                let (first, second) = (number * 5, number * 5 + 3);
                instance.rules.relations.insert(Relation::new(kind, first.into(), second.into()));
                instance.rules.pins.insert(number * 6 + 1, number % 3);
            }
            // Whatever has a place without a clash or a broken rule.
            let whole = Remaining::of(&instance, &|_| 1, &mut |_| true);
            let weights = whole.weights(&|_| 1);
            let nothing = Timetable::unplaced(instance.exam_count());
            let timetable = whole.model.expand(&Arc::new(whole.place_more(&weights, &nothing, 2, &mut |_| true)));
            let left = left_over(&instance, &timetable);
            for (change, changed) in changes(&instance, &timetable, &left) {
                let found = placed_more(&changed, &timetable, left.len().max(1));
                let verdict = check(&changed, &found);
                let is_left = |kind: ViolationKind| kind == ViolationKind::Unplaced;
                assert!(verdict.violations.iter().all(|it| is_left(it.kind)), "{change}: {:?}", verdict.violations);
                helped += usize::from(found.unplaced_exams().len() < left.len());
            }
        }
        assert!(helped > 10, "{helped} changes helped");
    }
}
