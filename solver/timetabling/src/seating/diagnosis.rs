//! Demands on rooms, people and extra time that no timetable of a session satisfies.

mod causes;

use super::model::SeatingModel;
use crate::contradictions::Contradiction;
use crate::{Instance, Relation, RelationKind, Room};
use gridwright_core::numbers::{counted, grouped};
use gridwright_core::text::lines::listed;

/// Largest number of contradictions that are named.
const NAMED: usize = 10;

/// Sentences about rooms, people and extra time that no timetable can satisfy, with the remedy.
pub(crate) fn contradictions(instance: &Instance) -> Vec<Contradiction> {
    let mut found = Vec::new();
    let (rooms, most_rooms) = (&instance.resources.rooms, instance.most_rooms());
    for sitting in instance.sittings().iter().filter(|_| !rooms.is_empty()) {
        let is_pinned = !sitting.is_alone
            && !instance.is_in_common_room(sitting)
            && instance.rules.room_pins.contains_key(&(sitting.exam as u16));
        let exam = &instance.exams[sitting.exam];
        let admitted = rooms.iter().enumerate().filter(|(number, _)| instance.admits(sitting, *number as u16));
        let mut seats: Vec<u32> = admitted.map(|(_, room)| room.seats).collect();
        seats.sort_unstable_by_key(|&seats| std::cmp::Reverse(seats));
        let most = most_rooms[sitting.exam];
        let all: u64 = seats.iter().take(most).map(|&seats| u64::from(seats)).sum();
        if seats.is_empty() {
            found.push(Contradiction::new(
                [sitting.exam],
                match is_pinned {
                    _ if instance.is_in_common_room(sitting) => format!(
                        "no common room for extra time has what exam {} needs: mark a room in Data, Rooms, as one, or correct its \
                         features",
                        exam.code
                    ),
                    true => format!("exam {} is pinned to rooms that lack what it needs: remove that pin", exam.code),
                    false => {
                        format!("no room has what exam {} needs: add a room or correct its demands", exam.code)
                    }
                },
            ));
        } else if all < u64::from(sitting.students) {
            let (needed, all) = (grouped(u64::from(sitting.students)), grouped(all));
            let where_ = if most == 1 { "the largest room".to_owned() } else { format!("the {most} largest rooms") };
            let (why, remedy) = match most < exam.needs.most_rooms() {
                true => {
                    let others = partners(instance, sitting.exam);
                    let why = format!(", and it must be in the same room as exam {}", listed(&others));
                    (why, "remove that rule or add a larger room")
                }
                false if is_pinned => {
                    (", and it is pinned to rooms".to_owned(), "remove that pin or allow more rooms for it")
                }
                false => (String::new(), "allow more rooms for it or add one"),
            };
            let verb = if most == 1 { "has" } else { "have" };
            let in_common = instance.is_in_common_room(sitting).then(|| {
                format!(
                    "{} of exam {} with extra time need seats in a common room, the largest has {all}: enlarge it or mark another \
                     room as one",
                    counted(u64::from(sitting.students), "student"),
                    exam.code
                )
            });
            found.push(Contradiction::new(
                [sitting.exam],
                in_common.unwrap_or_else(|| {
                    format!(
                        "exam {} needs {needed} seats, {where_} that it may use {verb} {all}{why}: {remedy}",
                        exam.code
                    )
                }),
            ));
        }
    }
    found.extend(without_common_room(instance));
    let seats: u64 = rooms.iter().map(|room| u64::from(room.seats)).sum::<u64>() * instance.period_count() as u64;
    let needed = instance.enrolments() as u64;
    if !rooms.is_empty() && seats < needed {
        let (needed, seats) = (grouped(needed), grouped(seats));
        found.push(Contradiction::new(
            [],
            format!("{needed} seats are needed, all rooms in all periods have {seats}: add rooms or periods"),
        ));
    }
    if !instance.resources.people.is_empty() || !instance.resources.arrangements.is_empty() {
        // Relations that leave an exam no period are named themselves.
        let mut unrelated = instance.clone();
        unrelated.rules.relations.clear();
        let (model, extra) = (SeatingModel::new(&unrelated), instance.extra_minutes());
        // Said with the durations.
        let is_told_of = |&exam: &usize| extra.get(exam).is_some_and(|&extra| instance.is_unlimited(exam, extra));
        let is_empty = |node: &usize| model.allowed[*node].is_empty() && !model.exams_of(*node).iter().any(is_told_of);
        for node in (0..model.nodes()).filter(is_empty) {
            let exams = model.exams_of(node);
            found.push(Contradiction::new(exams.iter().copied(), causes::without_period(instance, exams[0])));
        }
    }
    if found.len() > NAMED {
        let more = found.len() - NAMED;
        found.truncate(NAMED);
        found.push(Contradiction::new([], format!("and {more} more of this kind")));
    }
    found
}

/// Codes of the exams that must be in the same room as an exam.
fn partners(instance: &Instance, exam: usize) -> Vec<&str> {
    let relations = instance.rules.relations_of(exam).filter(|relation| relation.kind == RelationKind::SameRoom);
    let ends = relations.flat_map(|relation| [relation.first, relation.second]).map(usize::from);
    ends.filter(|&other| other != exam).map(|other| instance.exams[other].code.as_str()).collect()
}

/// Sentences about exams that must be in the same room while no room suits both.
fn without_common_room(instance: &Instance) -> Vec<Contradiction> {
    let (rooms, sittings) = (&instance.resources.rooms, instance.sittings());
    let largest = |exam: u16| {
        let own = sittings.iter().filter(|sitting| sitting.exam == usize::from(exam));
        own.map(|sitting| sitting.students).max().unwrap_or(0)
    };
    let exam = |exam: u16| &instance.exams[usize::from(exam)];
    let suits = |number: u16, room: &Room| instance.admits_exam(number.into(), room) && room.seats >= largest(number);
    let same_room = |relation: &&Relation| relation.kind == RelationKind::SameRoom && !rooms.is_empty();
    let mut found = Vec::new();
    for Relation { first, second, .. } in instance.rules.relations.iter().filter(same_room) {
        let each = [*first, *second].iter().all(|&number| rooms.iter().any(|room| suits(number, room)));
        if each && !rooms.iter().any(|room| suits(*first, room) && suits(*second, room)) {
            found.push(Contradiction::new([*first, *second].map(usize::from), format!(
                "exams {} and {} must be in the same room, but no room suits both: remove the rule or correct what they \
                 demand",
                exam(*first).code,
                exam(*second).code
            )));
        }
    }
    found
}
