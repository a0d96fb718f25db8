//! Timetables and demands as result and project files name them: by exam codes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::calendar::correspondence;
use super::invigilators::Duty;
use super::sittings::SittingKey;
use super::{Exam, Instance, Period, StoredRules, Timetable, UNPLACED};
use gridwright_core::data::FormerNames;
use gridwright_core::result::Encoded;

/// A timetable in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoredSolution {
    /// Exam codes, each with its period, counted from 0; `None` for an exam without a period.
    Timetable(Vec<(String, Option<u16>)>),
    /// Exams with their periods, counted from 0, and the rooms of their sittings.
    Seated(Vec<SeatedExam>),
}

/// An exam of a timetable with rooms in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatedExam {
    /// Code of the exam.
    pub exam: String,
    /// Period, counted from 0; `None` for an exam without a period.
    pub period: Option<u16>,
    /// For each sitting of the exam the codes of its rooms with the students in them.
    pub rooms: Vec<Vec<(String, u32)>>,
    /// Students of each sitting; empty if all students sit together, and in files of former versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) sittings: Vec<SittingKey>,
}

impl SeatedExam {
    /// An exam without rooms.
    fn unseated(exam: String, period: Option<u16>) -> Self {
        Self { exam, period, rooms: Vec::new(), sittings: Vec::new() }
    }
}

impl StoredSolution {
    /// Codes of all exams with their periods and the rooms of their sittings.
    pub(crate) fn rows(self) -> Vec<SeatedExam> {
        match self {
            Self::Seated(rows) => rows,
            Self::Timetable(rows) => {
                rows.into_iter().map(|(exam, period)| SeatedExam::unseated(exam, period)).collect()
            }
        }
    }
}

/// The demands under which a run searched, in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Demands {
    /// Pins, forbidden periods, relations, seats, and the timetable to stay close to.
    Timetabling(StoredRules),
}

/// Names every exam of a timetable by its code.
pub fn encode(instance: &Instance, timetable: &Timetable) -> Encoded {
    let period = |exam: usize| timetable.period_of(exam).map(|period| period as u16);
    if !timetable.rooms.is_empty() {
        return Encoded::of(&StoredSolution::Seated(seated(instance, timetable)));
    }
    let rows = instance.exams.iter().enumerate().map(|(exam, data)| (data.code.clone(), period(exam)));
    Encoded::of(&StoredSolution::Timetable(rows.collect()))
}

/// Exams with their periods and rooms by codes.
fn seated(instance: &Instance, timetable: &Timetable) -> Vec<SeatedExam> {
    let exam = |(exam, data): (usize, &Exam)| {
        SeatedExam::unseated(data.code.clone(), timetable.period_of(exam).map(|period| period as u16))
    };
    let mut rows: Vec<SeatedExam> = instance.exams.iter().enumerate().map(exam).collect();
    let sittings = instance.coded_rooms(&timetable.rooms).into_iter().zip(instance.stored_sitting_keys());
    for (row, (rooms, keys)) in rows.iter_mut().zip(sittings) {
        (row.rooms, row.sittings) = (rooms, keys);
    }
    rows
}

/// A stored timetable with the present codes of exams and rooms; `None` if the value is no timetable.
pub fn renamed(solution: &Encoded, names: &FormerNames) -> Option<Encoded> {
    let mut stored: StoredSolution = solution.decode()?;
    match &mut stored {
        StoredSolution::Timetable(rows) => rows.iter_mut().for_each(|(exam, _)| names.update("exams", exam)),
        StoredSolution::Seated(rows) => rows.iter_mut().for_each(|row| {
            names.update("exams", &mut row.exam);
            row.rooms.iter_mut().flatten().for_each(|(room, _)| names.update("rooms", room));
        }),
    }
    Some(Encoded::of(&stored))
}

/// An instance with the present codes of its exams and rooms, by which rules are carried over to other data.
pub(crate) fn with_names(instance: &Instance, names: &FormerNames) -> Instance {
    let mut instance = instance.clone();
    if !names.is_empty() {
        instance.exams.iter_mut().for_each(|exam| names.update("exams", &mut exam.code));
        instance.resources.rooms.iter_mut().for_each(|room| names.update("rooms", &mut room.code));
    }
    instance
}

/// Duties with the present codes of invigilators and rooms.
pub fn renamed_duties(duties: &[Duty], names: &FormerNames) -> Vec<Duty> {
    let mut duties = duties.to_vec();
    duties.iter_mut().for_each(|duty| duty.rename(names));
    duties
}

/// Finds the exams of a stored timetable in the instance; exams that it does not name have no period.
///
/// # Errors
/// A sentence that names the instance, if the value is no timetable, names an unknown exam or names an exam twice.
pub fn decode(instance: &Instance, solution: &Encoded) -> Result<Timetable, String> {
    let (timetable, _) = decode_counting(instance, solution)?;
    Ok(timetable)
}

/// Finds the exams of a stored timetable in the instance, all of which it must name.
///
/// # Errors
/// As [`decode`], and if an exam of the instance is missing.
pub fn decode_complete(instance: &Instance, solution: &Encoded) -> Result<Timetable, String> {
    let (timetable, named) = decode_counting(instance, solution)?;
    match named.iter().position(|&named| !named) {
        None => Ok(timetable),
        Some(exam) => Err(foreign(instance, &format!("it lacks exam “{}”", instance.exams[exam].code))),
    }
}

/// Finds the exams of a stored draft in the instance: exams without a row are unplaced, unknown codes and periods beyond the
/// last are ignored. `None` if the value is no timetable.
pub fn decode_known(instance: &Instance, solution: &Encoded) -> Option<Timetable> {
    decode_carried(instance, solution, &instance.periods)
}

/// As [`decode_known`], for a timetable of the calendar `before`: exams keep date and time ([`correspondence`]).
pub fn decode_carried(instance: &Instance, solution: &Encoded, before: &[Period]) -> Option<Timetable> {
    let rows = solution.decode::<StoredSolution>()?.rows();
    let exams = instance.exam_codes();
    let numbered = rows.into_iter().filter_map(|row| Some((exams.get(&row.exam)?, row)));
    let mut rows: HashMap<usize, SeatedExam> = numbered.collect();
    let mut timetable = Timetable::default();
    let (mut of_exams, mut keys) = (Vec::new(), Vec::new());
    for exam in 0..instance.exam_count() {
        let row = rows.remove(&exam).unwrap_or_else(|| SeatedExam::unseated(String::new(), None));
        timetable.periods.push(row.period.unwrap_or(UNPLACED));
        of_exams.push(row.rooms);
        keys.push(row.sittings);
    }
    timetable.rooms = instance.rooms_of_codes(of_exams, &keys);
    timetable.move_periods(&correspondence(before, &instance.periods));
    instance.fit_seats(&mut timetable);
    Some(timetable)
}

/// Rooms of a stored timetable that the instance does not have, by code, with the number of exams in each; empty if there are
/// none or the value is no timetable.
pub fn lost_rooms(instance: &Instance, solution: &Encoded) -> BTreeMap<String, usize> {
    let known = instance.resources.room_codes();
    let mut lost = BTreeMap::new();
    for row in solution.decode::<StoredSolution>().map(StoredSolution::rows).unwrap_or_default() {
        let rooms: BTreeSet<String> = row.rooms.into_iter().flatten().map(|(room, _)| room).collect();
        for room in rooms.into_iter().filter(|room| known.get(room).is_none()) {
            *lost.entry(room).or_insert(0) += 1;
        }
    }
    lost
}

fn decode_counting(instance: &Instance, solution: &Encoded) -> Result<(Timetable, Vec<bool>), String> {
    let Some(solution) = solution.decode::<StoredSolution>() else {
        let name = &instance.name;
        return Err(format!("it holds no timetable for {name}; name the instance that it was made for"));
    };
    let indices = instance.exam_codes();
    let mut named = vec![false; instance.exam_count()];
    let mut timetable = Timetable::unplaced(instance.exam_count());
    let mut of_exams = vec![Vec::new(); instance.exam_count()];
    let mut keys = vec![Vec::new(); instance.exam_count()];
    for SeatedExam { exam: code, period, rooms, sittings } in solution.rows() {
        let wrong = |what: &str| foreign(instance, &format!("{what} “{code}”"));
        let exam = indices.get(&code).ok_or_else(|| wrong("it holds an unknown exam"))?;
        if std::mem::replace(&mut named[exam], true) {
            return Err(wrong("it holds twice the exam"));
        }
        timetable.periods[exam] = period.unwrap_or(UNPLACED);
        (of_exams[exam], keys[exam]) = (rooms, sittings);
    }
    timetable.rooms = instance.rooms_of_codes(of_exams, &keys);
    Ok((timetable, named))
}

fn foreign(instance: &Instance, what: &str) -> String {
    format!("{what}, so it is no plan for {}; name the instance it was made for", instance.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InstanceParts, Reference, Resources, Room, RoomNeeds, Seats};

    /// Exams A (2 students) and B (3, at most two rooms) in two periods; rooms H with 2 seats and S with 2.
    fn session(rooms: &[&str]) -> Instance {
        let exam = |(code, most_rooms): (&str, u16)| Exam {
            code: code.to_owned(),
            needs: RoomNeeds { most_rooms, ..RoomNeeds::default() },
            ..Exam::default()
        };
        let room = |code: &&str| Room { code: (*code).to_owned(), seats: 2, ..Room::default() };
        Instance::build(InstanceParts {
            exams: [("A", 1), ("B", 2)].map(exam).to_vec(),
            students: [0, 0, 1, 1, 1].map(|exam| vec![exam]).to_vec(),
            periods: vec![Period::default(); 2],
            resources: Resources { rooms: rooms.iter().map(room).collect(), ..Resources::default() },
            ..InstanceParts::default()
        })
        .unwrap()
    }

    #[test]
    fn rooms_that_are_gone_are_named() {
        let seats = |room, students| Seats { room, students };
        let timetable =
            Timetable { periods: vec![0, 1], rooms: vec![vec![seats(1, 2)], vec![seats(0, 2), seats(1, 1)]] };
        let stored = encode(&session(&["H", "S"]), &timetable);
        let lost = lost_rooms(&session(&["H"]), &stored);
        assert_eq!(lost.into_iter().collect::<Vec<_>>(), [("S".to_owned(), 2)]);
        assert!(lost_rooms(&session(&["S", "H"]), &stored).is_empty());
    }

    #[test]
    fn a_reference_with_rooms_is_read_as_it_is_written() {
        let seats = |room, students| Seats { room, students };
        let reference =
            Timetable { periods: vec![0, 1], rooms: vec![vec![seats(1, 2)], vec![seats(0, 2), seats(1, 1)]] };
        let mut instance = session(&["H", "S"]);
        instance.rules.reference = Some(Reference { timetable: reference.clone(), weight: 70 });
        instance.rules.room_price = 9;
        let written = ron::to_string(&Demands::Timetabling(StoredRules::of(&instance))).unwrap();
        let Demands::Timetabling(read) = ron::from_str(&written).unwrap();
        assert_eq!(read, StoredRules::of(&instance));
        assert_eq!(read.apply(session(&["H", "S"])).unwrap().rules, instance.rules);
        // Rooms are found by their codes, wherever they stand.
        let other = read.apply(session(&["S", "H"])).unwrap();
        let found = other.rules.reference.unwrap();
        assert_eq!((found.weight, other.rules.room_price), (70, 9));
        assert_eq!(found.timetable.rooms, [vec![seats(0, 2)], vec![seats(1, 2), seats(0, 1)]]);
        assert_eq!(found.home(0), Some(0));
        // A timetable without rooms leaves none behind.
        instance.rules.reference = Some(Reference { timetable: Timetable::of(reference.periods), weight: 70 });
        let without = StoredRules::of(&instance);
        assert_eq!(without.reference_rooms, None);
        assert_eq!(without.apply(session(&["H", "S"])).unwrap().rules.reference, instance.rules.reference);
    }
}
