//! Who sits where: the room of every student in every exam of a timetable with rooms.
//!
//! A timetable says how many students of a sitting are in each of its rooms. Which ones follows from a fixed order, that of
//! names with the students without a name behind them: the first students are in the first room by code, so that a list at a
//! door can say «A–K». Where an exam reserves more or fewer seats than it has students, each room gets its share.
//! Students who were told a room in the published version keep it, as long as their exam has it. Nobody is in a room that has no
//! seat for him or her: the last to come have none yet. The words for the students of
//! a room ([`ranges`]) follow from those who have kept their rooms, so that they stay when a student comes. In a room with a plan of
//! its seats every student has a seat ([`seat_plan`]).

mod ranges;

use std::collections::HashMap;

use super::counts::placed;
use super::occupancy::Occupancy;
pub(crate) use super::publication::NO_SEAT;
use super::resources::Contact;
use super::seat_plan::{self, Guest, Place, SeatPlan};
use super::versions::{PublishedRooms, is_kept, published_rooms, published_seats, settled_rooms};
use super::{Instance, Room, Timetable, words};
use gridwright_core::text::language::Language;
use gridwright_core::text::order::list_key;
use ranges::Placed;
pub(crate) use ranges::Words;

/// Letters of a code that stand beside a name.
const SHOWN_OF_CODE: usize = 3;

/// Students of a sitting in one room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RoomList {
    /// Period.
    pub period: usize,
    /// Index of the room.
    pub room: usize,
    /// Index of the sitting.
    pub sitting: usize,
    /// Students in the order of their names or codes.
    pub students: Vec<usize>,
    /// Words for the students among those of the sitting, such as «A–K» or «up to 1203456»; `None` if all sit here.
    pub range: Option<Words>,
}

/// Students of a sitting for whom no room has a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unseated {
    /// Period.
    pub period: usize,
    /// Index of the sitting.
    pub sitting: usize,
    /// Students in the order of their names or codes.
    pub students: Vec<usize>,
}

/// Rooms of all students.
pub(crate) struct WhoSitsWhere<'a> {
    instance: &'a Instance,
    timetable: &'a Timetable,
    contacts: HashMap<usize, &'a Contact>,
    /// Lists by period, room and sitting.
    lists: Vec<RoomList>,
    /// Students without a seat, by period and sitting.
    unseated: Vec<Unseated>,
    /// Room of each enrolment, in the order of `instance.students`; [`NOWHERE`] if it has none.
    rooms: Vec<u16>,
    /// Rooms that the published version told students.
    published: PublishedRooms,
    /// Rooms of the students whom the ranges of published versions tell.
    settled: PublishedRooms,
    /// Seats of students (first) in exams (second), in rooms with a plan.
    seats: HashMap<(usize, usize), Place>,
}

/// Room of an enrolment without one.
const NOWHERE: u16 = u16::MAX;

impl<'a> WhoSitsWhere<'a> {
    /// Seats the students of a timetable; those of exams without a period have no room.
    pub(crate) fn of(instance: &'a Instance, occupancy: &Occupancy<'a>) -> Self {
        let contacts = instance.resources.contacts_by_student();
        let rooms = vec![NOWHERE; instance.students.exams.len()];
        let published = published_rooms(instance);
        let settled = settled_rooms(instance, |student, exam| occupancy.of_student(student, exam));
        let timetable = occupancy.timetable();
        let (lists, unseated) = (Vec::new(), Vec::new());
        let seats = HashMap::new();
        let mut seated = Self { instance, timetable, contacts, lists, unseated, rooms, published, settled, seats };
        let students = instance.students.len();
        let mut by_code: Vec<usize> = (0..students).collect();
        by_code.sort_by_cached_key(|&student| list_key(&instance.students.code(student)));
        let mut by_name = by_code.clone();
        by_name.sort_by_cached_key(|&student| (!seated.is_named(student), list_key(&seated.name(student))));
        let mut sittings: Vec<[Vec<usize>; 2]> = vec![Default::default(); occupancy.sittings()];
        for (order, students) in [by_name, by_code].into_iter().enumerate() {
            for student in students {
                for &exam in instance.students.exams_of(student) {
                    sittings[occupancy.of_student(student, exam.into())][order].push(student);
                }
            }
        }
        let mut free = FreeSeats::default();
        let divide = |(sitting, [by_name, _]): (usize, &[Vec<usize>; 2])| {
            let mut divided = Divided::of(instance, occupancy, sitting, by_name.len())?;
            // Published rooms come before all others, of whatever exam.
            divided.seat(by_name, &mut free, |divided, student| {
                let room = seated.published.get(&(student, divided.exam))?;
                divided.rooms.iter().position(|own| own == room)
            });
            Some(divided)
        };
        let divided: Vec<Divided<'_>> = sittings.iter().enumerate().filter_map(divide).collect();
        for mut divided in divided {
            let [by_name, by_code] = &sittings[divided.sitting];
            divided.seat(by_name, &mut free, |divided, _| divided.next());
            seated.list(&divided, by_name, by_code);
        }
        seated.lists.sort_by_key(|list| (list.period, list.room, list.sitting));
        seated.unseated.sort_by_key(|list| (list.period, list.sitting));
        seated.seats = seated.on_seats(occupancy);
        seated
    }

    /// Seats of the students in rooms with a plan; published seats are kept.
    fn on_seats(&self, occupancy: &Occupancy<'_>) -> HashMap<(usize, usize), Place> {
        let plans: Vec<Option<SeatPlan>> = self.instance.resources.rooms.iter().map(Room::plan).collect();
        let mut seats = HashMap::new();
        if plans.iter().all(Option::is_none) {
            return seats;
        }
        let published = published_seats(self.instance);
        for lists in self.lists.chunk_by(|one, other| (one.period, one.room) == (other.period, other.room)) {
            let Some(plan) = &plans[lists[0].room] else { continue };
            let of = |list: &RoomList| {
                let exam = occupancy.sitting(list.sitting).exam;
                list.students.iter().map(move |&student| (student, exam)).collect::<Vec<_>>()
            };
            let people: Vec<(usize, usize)> = lists.iter().flat_map(of).collect();
            let kept = |key| published.get(key).filter(|(room, _)| *room == lists[0].room).map(|(_, place)| *place);
            let guests: Vec<Guest> = people.iter().map(|key| Guest { exam: key.1, kept: kept(key) }).collect();
            let places = seat_plan::seat(plan, &guests);
            seats.extend(people.into_iter().zip(places).filter_map(|(key, place)| Some((key, place?))));
        }
        seats
    }

    /// Seat of a student in an exam, if the room has a plan.
    pub(crate) fn seat(&self, student: usize, exam: usize) -> Option<Place> {
        self.seats.get(&(student, exam)).copied()
    }

    /// Label of the seat of a student in an exam, such as `B7`; empty without one.
    pub(crate) fn seat_label(&self, student: usize, exam: usize) -> String {
        self.seat(student, exam).map_or_else(String::new, |seat| seat.to_string())
    }

    /// Lists the students of a sitting, who are given in both orders, by room.
    fn list(&mut self, divided: &Divided<'_>, by_name: &[usize], by_code: &[usize]) {
        let &Divided { period, sitting, exam, ref rooms, places: ref place_of, .. } = divided;
        let place_in = |of: &PublishedRooms, student: usize| {
            let room = of.get(&(student, exam))?;
            rooms.iter().position(|own| own == room)
        };
        let places: Vec<(usize, usize)> = place_of.iter().map(|(&student, &place)| (student, place)).collect();
        let kept = places.iter().filter(|&&(student, place)| place_in(&self.settled, student) == Some(place)).count();
        let is_reorganized = !is_kept(kept, places.len());
        let is_settled =
            |student: usize, place: usize| is_reorganized || place_in(&self.settled, student) == Some(place);
        // Names may have come after publication: the order that leaves more of those together who sit together.
        let parts = |students: &[usize]| {
            let of = |student: &usize| place_of.get(student).copied().filter(|&place| is_settled(*student, place));
            students.iter().filter_map(of).collect::<Vec<_>>().chunk_by(|one, next| one == next).count()
        };
        let is_named = by_name.iter().any(|&student| self.is_named(student)) && parts(by_name) <= parts(by_code);
        let order = if is_named { by_name } else { by_code };
        let places: Vec<(usize, usize)> =
            order.iter().filter_map(|student| Some((*student, *place_of.get(student)?))).collect();
        let placed = |&(student, place): &(usize, usize)| Placed {
            words: self.words(student, is_named),
            is_named: is_named && self.is_named(student),
            place,
            is_settled: is_settled(student, place),
        };
        let ranges = ranges::of_rooms(&places.iter().map(placed).collect::<Vec<_>>(), rooms.len());
        for &(student, place) in &places {
            if let Some(at) = self.enrolment(student, exam) {
                self.rooms[at] = rooms[place] as u16;
            }
        }
        for ((place, &room), range) in rooms.iter().enumerate().zip(ranges) {
            let here: Vec<usize> = places.iter().filter(|it| it.1 == place).map(|it| it.0).collect();
            self.lists.push(RoomList { period, room, sitting, students: here, range });
        }
        let students: Vec<usize> = order.iter().copied().filter(|student| !place_of.contains_key(student)).collect();
        if !students.is_empty() {
            self.unseated.push(Unseated { period, sitting, students });
        }
    }

    /// Lists by period, room and sitting.
    pub(crate) fn lists(&self) -> &[RoomList] {
        &self.lists
    }

    /// Students without a seat, by period and sitting.
    pub(crate) fn unseated(&self) -> &[Unseated] {
        &self.unseated
    }

    /// Index of the room of a student in an exam; `None` without one.
    pub(crate) fn room(&self, student: usize, exam: usize) -> Option<usize> {
        let room = self.rooms[self.enrolment(student, exam)?];
        (room != NOWHERE).then_some(room.into())
    }

    /// Code of the room of a student in an exam, or [`NO_SEAT`]; empty if the exam has no period.
    pub(crate) fn room_words(&self, student: usize, exam: usize) -> &'a str {
        match (self.room(student, exam), placed(self.instance, self.timetable, exam)) {
            (Some(room), _) => &self.instance.resources.rooms[room].code,
            (None, Some(_)) => NO_SEAT,
            (None, None) => "",
        }
    }

    /// Room and seat of a student in an exam for a document: «H1, seat B7», or words for no seat; empty if the exam has no period.
    pub(crate) fn place_words(&self, student: usize, exam: usize, language: Language) -> String {
        match (self.room_words(student, exam), self.seat(student, exam)) {
            (NO_SEAT, _) => words::NO_SEAT.of(language).to_owned(),
            (room, Some(seat)) => words::SEAT_IN.with(language, &[room, &seat.to_string()]),
            (room, None) => room.to_owned(),
        }
    }

    /// Name of a student as lists show it; empty if it is not known.
    pub(crate) fn name(&self, student: usize) -> String {
        self.contacts.get(&student).map_or_else(String::new, |contact| contact.full_name())
    }

    /// Name and address of a student, if they are known.
    pub(crate) fn contact(&self, student: usize) -> Option<&'a Contact> {
        self.contacts.get(&student).copied()
    }

    /// Position of an enrolment in the list of all.
    fn enrolment(&self, student: usize, exam: usize) -> Option<usize> {
        let students = &self.instance.students;
        let at = students.exams_of(student).binary_search(&u16::try_from(exam).ok()?).ok()?;
        Some(students.offsets[student] as usize + at)
    }

    /// Returns `true` if the name of a student is known.
    fn is_named(&self, student: usize) -> bool {
        !self.name(student).is_empty()
    }

    /// Texts that tell a student from the neighbours in a list, the shortest first; the last is the code. Beside a name stands the end
    /// of the code alone: ranges are on doors, and whoever knows a whole code opens the student's exams on the page.
    fn words(&self, student: usize, is_named: bool) -> Vec<String> {
        let code = self.instance.students.code(student);
        match self.contact(student) {
            Some(contact) if is_named && self.is_named(student) => {
                let name = contact.full_name();
                vec![contact.surname().to_owned(), name.clone(), format!("{name} ({})", end_of_code(&code)), code]
            }
            _ => vec![code],
        }
    }
}

/// Last letters of a code behind «…», or a short code as it is.
fn end_of_code(code: &str) -> String {
    let hidden = code.chars().count().saturating_sub(SHOWN_OF_CODE);
    let end: String = code.chars().skip(hidden).collect();
    if hidden == 0 { end } else { format!("…{end}") }
}

/// Seats of rooms that are still free, by period and room.
#[derive(Default)]
struct FreeSeats(HashMap<(usize, usize), u32>);

impl FreeSeats {
    /// Takes a seat; returns `false` if there is none.
    fn take(&mut self, instance: &Instance, period: usize, room: usize) -> bool {
        let free = self.0.entry((period, room)).or_insert(instance.resources.rooms[room].seats);
        let is_free = *free > 0;
        *free = free.saturating_sub(1);
        is_free
    }
}

/// Seats of a sitting while they are given to its students.
struct Divided<'a> {
    instance: &'a Instance,
    period: usize,
    sitting: usize,
    exam: usize,
    /// Rooms by code.
    rooms: Vec<usize>,
    /// Share of each room in the students.
    shares: Vec<usize>,
    /// Largest number of students in each room.
    most: Vec<usize>,
    /// Students who have a seat in each room.
    taken: Vec<usize>,
    /// True for rooms without a free seat.
    is_full: Vec<bool>,
    /// Students for whom the timetable has no seat.
    lacking: usize,
    /// Position of the room of each student with a seat.
    places: HashMap<usize, usize>,
}

impl<'a> Divided<'a> {
    /// A sitting of `students` students before anyone has a seat; `None` if the exam has no period.
    fn of(instance: &'a Instance, occupancy: &Occupancy<'_>, sitting: usize, students: usize) -> Option<Self> {
        let needed = occupancy.sitting(sitting);
        let exam = needed.exam;
        let period = placed(instance, occupancy.timetable(), exam)?;
        let mut rooms: Vec<(usize, u32)> = occupancy.room_indices(sitting).collect();
        rooms.sort_by_cached_key(|&(room, _)| list_key(&instance.resources.rooms[room].code));
        let planned: Vec<u32> = rooms.iter().map(|room| room.1).collect();
        let rooms: Vec<usize> = rooms.into_iter().map(|(room, _)| room).collect();
        // Fewer seats may be reserved than there are students; seats that are missing from these are nobody's.
        let lacking = needed.students.saturating_sub(planned.iter().fold(0, |sum, &seats| seats.saturating_add(sum)));
        let lacking = (lacking as usize).min(students);
        let shares = shares(students - lacking, &planned);
        let most = shares.iter().zip(&planned).map(|(&share, &seats)| share.max(seats as usize)).collect();
        let (taken, is_full) = (vec![0; rooms.len()], vec![false; rooms.len()]);
        let places = HashMap::new();
        Some(Self { instance, period, sitting, exam, rooms, shares, most, taken, is_full, lacking, places })
    }

    /// Gives seats to the students who have none: each one in the room at the position that `wanted` names, as long as it has one.
    fn seat(&mut self, students: &[usize], free: &mut FreeSeats, wanted: impl Fn(&Self, usize) -> Option<usize>) {
        for &student in students {
            if self.places.contains_key(&student) || self.places.len() + self.lacking >= students.len() {
                continue;
            }
            while let Some(place) = wanted(self, student).filter(|&place| self.has_room(place, self.most[place])) {
                if free.take(self.instance, self.period, self.rooms[place]) {
                    self.taken[place] += 1;
                    self.places.insert(student, place);
                    break;
                }
                self.is_full[place] = true;
            }
        }
    }

    fn has_room(&self, place: usize, limit: usize) -> bool {
        !self.is_full[place] && self.taken[place] < limit
    }

    /// Position of the first room that has not got its share or, without one, that has seats.
    fn next(&self) -> Option<usize> {
        let first = |limits: &[usize]| (0..self.rooms.len()).find(|&place| self.has_room(place, limits[place]));
        first(&self.shares).or_else(|| first(&self.most))
    }
}

/// Shares of the rooms with these seats in `students`, none larger than its seats if all seats suffice: as the seats say if
/// they are for exactly as many, in proportion to the seats otherwise.
fn shares(students: usize, seats: &[u32]) -> Vec<usize> {
    let all: u64 = seats.iter().map(|&seats| u64::from(seats)).sum();
    let mut before = 0_u64;
    let share = |&seats: &u32| {
        // The difference of rounded sums, so that the shares add up.
        let bound = |seats: u64| (seats * students as u64).checked_div(all).unwrap_or(0);
        let from = bound(before);
        before += u64::from(seats);
        (bound(before) - from) as usize
    };
    seats.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Exam, InstanceParts, Period, Resources, Room, Seats};
    use gridwright_core::text::language::Language;

    /// One exam of these students in rooms of these seats.
    fn session(names: &[&str], seats: &[u32]) -> (Instance, Timetable) {
        let contact = |(student, name): (usize, &&str)| Contact {
            student: student as u32,
            name: (*name).to_owned(),
            ..Contact::default()
        };
        let room =
            |(number, &seats): (usize, &u32)| Room { code: format!("H{}", 10 - number), seats, ..Room::default() };
        let parts = InstanceParts {
            exams: vec![Exam { code: "A".to_owned(), ..Exam::default() }],
            students: vec![vec![0]; names.len()],
            periods: vec![Period::default()],
            resources: Resources {
                rooms: seats.iter().enumerate().map(room).collect(),
                contacts: names.iter().enumerate().filter(|(_, name)| !name.is_empty()).map(contact).collect(),
                ..Resources::default()
            },
            ..InstanceParts::default()
        };
        let seats = seats.iter().enumerate().map(|(room, &students)| Seats { room: room as u16, students });
        (Instance::build(parts).unwrap(), Timetable { periods: vec![0], rooms: vec![seats.collect()] })
    }

    /// Codes, room and range of each list.
    fn lists(names: &[&str], seats: &[u32]) -> Vec<(String, String, Option<String>)> {
        let (instance, timetable) = session(names, seats);
        let occupancy = Occupancy::of(&instance, &timetable).unwrap();
        let seated = WhoSitsWhere::of(&instance, &occupancy);
        for student in 0..names.len() {
            let room = seated.room(student, 0);
            let listed: Vec<usize> =
                seated.lists().iter().filter(|list| list.students.contains(&student)).map(|list| list.room).collect();
            assert_eq!(room.into_iter().collect::<Vec<_>>(), listed);
        }
        let mut all: Vec<_> = seated
            .lists()
            .iter()
            .map(|list| {
                let codes: Vec<String> = list.students.iter().map(|&student| instance.students.code(student)).collect();
                (
                    codes.join(" "),
                    instance.resources.rooms[list.room].code.clone(),
                    list.range.as_ref().map(|words| words.of(Language::English)),
                )
            })
            .collect();
        all.sort_by_key(|list| list_key(&list.1));
        all
    }

    #[test]
    fn the_first_names_are_in_the_first_room() {
        let of = |codes: &str, room: &str, range: &str| (codes.to_owned(), room.to_owned(), Some(range.to_owned()));
        let names = ["Wolf", "Meyer, Eva", "Ärmel", "Meier", "Kunz"];
        assert_eq!(lists(&names, &[2, 3]), [of("3 5 4", "H9", "A–Mei"), of("2 1", "H10", "Mey–Z")]);
        // Two of one surname on both sides of a bound are told apart by their first names.
        let names = ["Kim, Ada", "Kim, Bo", "Kim, Cy"];
        assert_eq!(lists(&names, &[1, 2]), [of("1 2", "H9", "A–Kim, B"), of("3", "H10", "Kim, C–Z")]);
        let names = ["Kim", "Kim", "Αλεξίου"];
        assert_eq!(lists(&names, &[2, 1]), [of("1", "H9", "up to Kim (1)"), of("2 3", "H10", "from Kim (2)")]);
    }

    #[test]
    fn students_without_names_are_listed_by_code() {
        let of = |codes: &str, room: &str, range: &str| (codes.to_owned(), room.to_owned(), Some(range.to_owned()));
        let names = [""; 12];
        assert_eq!(
            lists(&names, &[4, 4, 4]),
            [of("1 2 3 4", "H8", "up to 4"), of("5 6 7 8", "H9", "5–8"), of("9 10 11 12", "H10", "from 9")]
        );
        assert_eq!(lists(&["Z", "A"], &[2]), [("2 1".to_owned(), "H10".to_owned(), None)]);
    }

    #[test]
    fn students_without_names_are_told_by_number_beside_the_ranges() {
        let of = |codes: &str, room: &str, range: &str| (codes.to_owned(), room.to_owned(), Some(range.to_owned()));
        let names = ["Z", "", "A", "K", ""];
        assert_eq!(
            lists(&names, &[1, 1, 3]),
            [of("3 4 1", "H8", "all others"), of("2", "H9", "number 2"), of("5", "H10", "number 5")]
        );
        assert_eq!(lists(&names, &[3, 2]), [of("3 4", "H9", "A–K"), of("1 2 5", "H10", "Z–Z; numbers 2–5")]);
    }

    #[test]
    fn reserved_seats_are_shared_in_proportion() {
        assert_eq!(shares(100, &[100, 50]), [66, 34]);
        assert_eq!(shares(150, &[100, 50]), [100, 50]);
        assert_eq!(shares(3, &[1, 1]), [1, 2]);
        assert_eq!(shares(3, &[]), [0_usize; 0]);
    }
}
