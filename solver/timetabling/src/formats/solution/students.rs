//! Rooms of sittings from a table with a line for each student and exam.

use std::collections::{BTreeMap, HashMap};

use crate::publication::NO_SEAT;
use crate::sittings::Sitting;
use crate::{Instance, Seats};
use gridwright_core::data::NameIndex;
use gridwright_core::text::lines::{counted, listed};

/// Rooms that a table says for students, counted by sitting.
pub(crate) struct StudentRooms<'a> {
    instance: &'a Instance,
    students: NameIndex<'a>,
    /// Sittings of the students who are apart from others, by student and exam.
    apart: HashMap<(usize, u16), usize>,
    /// Rooms of each sitting (index) with the students there.
    seats: BTreeMap<usize, Vec<Seats>>,
    /// Codes of students whom the session does not have.
    strangers: Vec<String>,
}

impl<'a> StudentRooms<'a> {
    /// Nobody in any room yet.
    pub(crate) fn of(instance: &'a Instance) -> Self {
        Self {
            instance,
            students: instance.student_codes(),
            apart: instance.sittings_with_students().1,
            seats: BTreeMap::new(),
            strangers: Vec::new(),
        }
    }

    /// Returns `true` if a cell names a room, and no lack of one.
    pub(super) fn is_room(&self, code: &str) -> bool {
        !code.is_empty() && (code != NO_SEAT || self.instance.resources.room_index(code).is_some())
    }

    /// Counts a student (code) of an exam in a room; `sittings` are those of the session.
    pub(crate) fn add(&mut self, student: &str, exam: usize, room: u16, sittings: &[Sitting]) {
        let Some(known) = self.students.get(student) else {
            self.strangers.push(student.to_owned());
            return;
        };
        let first = || sittings.partition_point(|sitting| sitting.exam < exam);
        let sitting = self.apart.get(&(known, exam as u16)).copied().unwrap_or_else(first);
        let rooms = self.seats.entry(sitting).or_default();
        match rooms.iter_mut().find(|seats| seats.room == room) {
            Some(seats) => seats.students += 1,
            None => rooms.push(Seats { room, students: 1 }),
        }
    }

    /// Puts the counted rooms into those of the sittings of each exam.
    pub(crate) fn fill(&self, rooms: &mut [Vec<Vec<Seats>>], sittings: &[Sitting]) {
        if self.seats.is_empty() {
            return;
        }
        for (at, sitting) in sittings.iter().enumerate() {
            rooms[sitting.exam].push(self.seats.get(&at).cloned().unwrap_or_default());
        }
    }

    /// Sentence about students whom the session does not have.
    pub(super) fn mismatch(&mut self) -> Option<String> {
        self.strangers.sort();
        self.strangers.dedup();
        let codes: Vec<&str> = self.strangers.iter().map(String::as_str).collect();
        let verb = if codes.len() == 1 { "is" } else { "are" };
        let name = &self.instance.name;
        let count = counted(codes.len(), "student");
        (!codes.is_empty()).then(|| format!("{count} of the file {verb} not in {name}: {}", listed(&codes)))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::export::export_bytes;
    use crate::formats::solution::{SolutionFile, SolutionOptions, parse};
    use crate::occupancy::tests::seated;
    use crate::{Instance, Seats};
    use gridwright_core::text::Source;

    fn read(text: &str, instance: &Instance) -> SolutionFile {
        parse(Source { path: Path::new("plan.students.csv"), text }, instance, SolutionOptions::default()).unwrap()
    }

    #[test]
    fn a_table_by_student_reads_back_with_its_rooms() {
        let (instance, mut timetable) = seated();
        timetable.rooms[0] = vec![Seats { room: 0, students: 1 }, Seats { room: 1, students: 1 }];
        let text = String::from_utf8(export_bytes(&instance, &timetable, "students.csv").unwrap()).unwrap();
        let file = read(&text, &instance);
        assert_eq!((&file.timetable, file.mismatches), (&timetable, Vec::new()));
        // A student without a seat and one of another session.
        let other = text.replace(",H1", ",no seat yet").replace("\n2,", "\nX,");
        let file = read(&other, &instance);
        assert!(
            file.mismatches.iter().any(|what| what.contains("1 student of the file is not in seated: X")),
            "{other}"
        );
        assert!(!file.timetable.rooms.concat().iter().any(|seats| seats.room == 0), "{other}");
    }

    #[test]
    fn rooms_of_whole_exams_beside_students_are_left_out_with_a_remark() {
        let (instance, _) = seated();
        let file = read("student,code,period,rooms\n1,A,1,\"H1 (2), R5 (1)\"\n5,B,1,H1 (2)\n", &instance);
        assert!(file.timetable.rooms.is_empty());
        assert!(file.mismatches.iter().any(|what| what.contains("who sits in which")), "{:?}", file.mismatches);
    }
}
