//! Versions of a session's timetable: the present state as one, and seats that follow the published one.
//!
//! Students keep their published rooms as long as their exams have these rooms ([`super::who_sits_where`]).

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use super::counts::placed;
use super::formats::solution::students::StudentRooms;
use super::occupancy::Occupancy;
use super::publication::{Change, Publication, PublishedExam, PublishedSeat, PublishedStudent, When};
use super::seat_plan::Place;
use super::who_sits_where::WhoSitsWhere;
use super::{Instance, Seats, Timetable};
use gridwright_core::data::NameIndex;

/// Index of the room that each student was told, by student and exam.
pub(super) type PublishedRooms = HashMap<(usize, usize), usize>;

/// Rooms that the version published last told students, as far as the session has the rooms and the students sit the exams.
pub(super) fn published_rooms(instance: &Instance) -> PublishedRooms {
    let positions = Positions::of(instance);
    instance.published().map_or_else(HashMap::new, |published| positions.rooms(published))
}

/// Rooms and seats that the version published last told students.
pub(super) fn published_seats(instance: &Instance) -> HashMap<(usize, usize), (usize, Place)> {
    let positions = Positions::of(instance);
    let mut seats = HashMap::new();
    if let Some(version) = instance.published() {
        positions.for_each(version, |key, room, seat| {
            if let Some(place) = seat.seat.as_deref().and_then(Place::parse) {
                seats.insert(key, (room, place));
            }
        });
    }
    seats
}

/// Rooms of the students of whom the ranges of published versions tell: those who have kept the rooms of the version that divided
/// their sitting. A version divides a sitting anew if it leaves fewer than half of its students in their rooms.
pub(super) fn settled_rooms(instance: &Instance, sitting_of: impl Fn(usize, usize) -> usize) -> PublishedRooms {
    let positions = Positions::of(instance);
    let mut settled = PublishedRooms::new();
    for version in instance.publications.iter() {
        let next = positions.rooms(version);
        // Students of each sitting who have kept their rooms, and all.
        let mut counts: HashMap<usize, (usize, usize)> = HashMap::new();
        for (key @ &(student, exam), room) in &next {
            let (kept, all) = counts.entry(sitting_of(student, exam)).or_default();
            *kept += usize::from(settled.get(key) == Some(room));
            *all += 1;
        }
        let is_settled = |(key @ (student, exam), room): &((usize, usize), usize)| {
            let (kept, all) = counts[&sitting_of(*student, *exam)];
            !is_kept(kept, all) || settled.get(key) == Some(room)
        };
        settled = next.into_iter().filter(is_settled).collect();
    }
    settled
}

/// Returns `true` if a sitting of `all` students, of whom `kept` have kept their rooms, is not divided anew.
pub(super) fn is_kept(kept: usize, all: usize) -> bool {
    kept > 0 && 2 * kept >= all
}

/// Indices of students, exams and rooms by their codes.
struct Positions<'a> {
    instance: &'a Instance,
    students: NameIndex<'a>,
    exams: NameIndex<'a>,
    rooms: NameIndex<'a>,
}

impl<'a> Positions<'a> {
    fn of(instance: &'a Instance) -> Self {
        let (students, exams, rooms) = match instance.publications.is_empty() {
            true => Default::default(),
            false => (instance.student_codes(), instance.exam_codes(), instance.resources.room_codes()),
        };
        Self { instance, students, exams, rooms }
    }

    /// Rooms that a version told students.
    fn rooms(&self, version: &Publication) -> PublishedRooms {
        let mut rooms = HashMap::new();
        self.for_each(version, |key, room, _| {
            rooms.insert(key, room);
        });
        rooms
    }

    /// Calls `add` for each student and exam (indices) of a version for which the session has the room (index).
    fn for_each(&self, version: &Publication, mut add: impl FnMut((usize, usize), usize, &PublishedSeat)) {
        let exam_of = |number: u32| self.exams.get(&version.exams.get(number as usize)?.code);
        let room_of = |number: Option<u16>| self.rooms.get(version.rooms.get(usize::from(number?))?);
        for student in &version.students {
            let Some(own) = self.students.get(&student.code) else { continue };
            let sits = |exam: &usize| self.instance.students.exams_of(own).binary_search(&(*exam as u16)).is_ok();
            for seat in &student.exams {
                if let Some((exam, room)) = exam_of(seat.exam).filter(sits).zip(room_of(seat.room)) {
                    add((own, exam), room, seat);
                }
            }
        }
    }
}

impl Publication {
    /// The present state of a timetable as a version.
    pub fn of(instance: &Instance, timetable: &Timetable, version: u32, at: DateTime<Utc>) -> Self {
        let occupancy = Occupancy::of(instance, timetable);
        let who = occupancy.as_ref().map(|occupancy| WhoSitsWhere::of(instance, occupancy));
        let people = &instance.resources.people;
        let mut number_of = vec![None; instance.exam_count()];
        let mut exams = Vec::new();
        for (exam, data) in instance.exams.iter().enumerate() {
            let Some(period) = placed(instance, timetable, exam) else { continue };
            let of_period = &instance.periods[period];
            let rooms = occupancy.as_ref().map_or_else(Vec::new, |occupancy| occupancy.public_rooms(exam));
            let examiners = people.iter().filter(|person| person.exams.contains(&(exam as u16)));
            number_of[exam] = Some(exams.len() as u32);
            exams.push(PublishedExam {
                code: data.code.clone(),
                title: data.title.clone(),
                when: When {
                    period: period as u16 + 1,
                    date: of_period.date,
                    start: of_period.start,
                    end: instance.exam_end(exam, period).map(|(end, _)| end),
                },
                rooms: rooms.into_iter().map(str::to_owned).collect(),
                examiners: examiners.map(|person| person.name.clone()).collect(),
            });
        }
        let students = (0..instance.students.len()).map(|student| {
            let exams = instance.students.exams_of(student).iter().map(|&exam| usize::from(exam));
            let room = |exam: usize| who.as_ref()?.room(student, exam).map(|room| room as u16);
            // Extra time counts where rooms are planned, as in all documents.
            let end = |exam: usize| {
                let (occupancy, period) = (occupancy.as_ref()?, placed(instance, timetable, exam)?);
                let extra = occupancy.extra_of(student, exam);
                (extra > 0).then(|| occupancy.end_for(student, exam, period))?.map(|(end, _)| end)
            };
            let label = |exam: usize| who.as_ref()?.seat(student, exam).map(|seat| seat.to_string());
            let seat = |exam: usize| {
                Some(PublishedSeat { exam: number_of[exam]?, room: room(exam), end: end(exam), seat: label(exam) })
            };
            let exams = exams.filter_map(seat);
            PublishedStudent { code: instance.students.code(student), exams: exams.collect() }
        });
        let rooms = instance.resources.rooms.iter().map(|room| room.code.clone());
        let duties = instance.duties.to_vec();
        Self { version, at, exams, rooms: rooms.collect(), students: students.collect(), duties }
    }

    /// The timetable of the version, as far as the session still has its exams, periods, students and rooms.
    pub fn timetable(&self, instance: &Instance) -> Timetable {
        let (exams, rooms, sittings) = (instance.exam_codes(), instance.resources.room_codes(), instance.sittings());
        let mut timetable = Timetable::unplaced(instance.exam_count());
        for published in &self.exams {
            if let (Some(exam), Some(period)) = (exams.get(&published.code), published.when.period_in(instance)) {
                timetable.periods[exam] = period as u16;
            }
        }
        let mut seated = StudentRooms::of(instance);
        for student in &self.students {
            for seat in &student.exams {
                let exam = self.exams.get(seat.exam as usize).and_then(|exam| exams.get(&exam.code));
                let room = seat.room.and_then(|room| rooms.get(self.rooms.get(usize::from(room))?));
                if let (Some(exam), Some(room)) = (exam, room) {
                    seated.add(&student.code, exam, room as u16, &sittings);
                }
            }
        }
        let mut of_exams = vec![Vec::new(); instance.exam_count()];
        seated.fill(&mut of_exams, &sittings);
        timetable.rooms = instance.seated(of_exams);
        instance.fit_seats(&mut timetable);
        timetable
    }
}

impl When {
    /// Index of the period of a session that begins then; without a date, the one of the same number.
    fn period_in(&self, instance: &Instance) -> Option<usize> {
        let is_then = |period: usize| {
            instance.periods.get(period).is_some_and(|of| (of.date, of.start) == (self.date, self.start))
        };
        let numbered = usize::from(self.period).checked_sub(1)?;
        if is_then(numbered) {
            return Some(numbered);
        }
        (0..instance.period_count()).find(|&period| self.date.is_some() && is_then(period))
    }
}

impl Instance {
    /// The version that was published last.
    pub fn published(&self) -> Option<&Publication> {
        self.publications.last()
    }

    /// Changes for everyone since the timetable was published; `None` if it never was.
    pub fn changes_since_publication(&self, timetable: &Timetable) -> Option<Vec<Change>> {
        let published = self.published()?;
        Some(published.changes_to(&Publication::of(self, timetable, published.version + 1, published.at)))
    }

    /// Changes that people have to be told: those since the timetable was published or, right after a further version was published,
    /// those from the version before to this one.
    pub(crate) fn changes_to_tell(&self, timetable: &Timetable) -> Vec<Change> {
        let changes = self.changes_since_publication(timetable).unwrap_or_default();
        match &self.publications[..] {
            [.., before, last] if changes.is_empty() => before.changes_to(last),
            _ => changes,
        }
    }

    /// Adapts the seats of sittings in several rooms to their numbers of students: those who came since take free seats, where
    /// most are free, and whoever left gives up a seat. Everyone else stays where the published version says.
    pub(super) fn fit_seats(&self, timetable: &mut Timetable) {
        let sittings = self.sittings();
        let total = |rooms: &[Seats]| rooms.iter().map(|seats| seats.students).sum::<u32>();
        let differs = |at: usize, rooms: &[Seats]| rooms.len() > 1 && total(rooms) != sittings[at].students;
        let wrong = |(at, rooms): (usize, &Vec<Seats>)| (at < sittings.len() && differs(at, rooms)).then_some(at);
        let wrong: Vec<usize> = timetable.rooms.iter().enumerate().filter_map(wrong).collect();
        if wrong.is_empty() {
            return;
        }
        let apart = self.sittings_with_students().1;
        let mut stay: HashMap<(usize, usize), i64> = HashMap::new();
        for ((student, exam), room) in published_rooms(self) {
            let first = || sittings.partition_point(|sitting| sitting.exam < exam);
            let sitting = apart.get(&(student, exam as u16)).copied().unwrap_or_else(first);
            *stay.entry((sitting, room)).or_default() += 1;
        }
        let mut taken: HashMap<(usize, u16), u32> = HashMap::new();
        for (sitting, rooms) in sittings.iter().zip(&timetable.rooms) {
            let Some(period) = timetable.period_of(sitting.exam) else { continue };
            for seats in rooms {
                *taken.entry((period, seats.room)).or_default() += seats.students;
            }
        }
        for at in wrong {
            let Some(period) = timetable.period_of(sittings[at].exam) else { continue };
            let rooms = &mut timetable.rooms[at];
            let stay_in = |room: u16| stay.get(&(at, usize::from(room))).copied().unwrap_or(0);
            while total(rooms) > sittings[at].students {
                let left = |seats: &&mut Seats| (i64::from(seats.students) - stay_in(seats.room), seats.students);
                let Some(seats) = rooms.iter_mut().max_by_key(left) else { break };
                seats.students -= 1;
                *taken.entry((period, seats.room)).or_default() -= 1;
            }
            while total(rooms) < sittings[at].students {
                let free = |room: u16| {
                    let seats = self.resources.rooms.get(usize::from(room)).map_or(0, |room| room.seats);
                    seats.saturating_sub(taken.get(&(period, room)).copied().unwrap_or(0))
                };
                let Some(seats) = rooms.iter_mut().max_by_key(|seats| free(seats.room)) else { break };
                if free(seats.room) == 0 {
                    break;
                }
                seats.students += 1;
                *taken.entry((period, seats.room)).or_default() += 1;
            }
            rooms.retain(|seats| seats.students > 0);
        }
    }
}

#[cfg(test)]
mod tests;
