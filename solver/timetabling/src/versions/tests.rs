use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::*;
use crate::publication::{Affected, ChangeKind};
use crate::{Arrangement, Exam, ExtraTime, InstanceParts, Period, Person, Resources, Room, RoomNeeds, stored};
use gridwright_core::random::{Philox, index};
use gridwright_core::text::language::Language;

/// Exams A and B with these students, and the examiner Roth of A, in two periods and three rooms of four seats.
fn session(of_a: &[&str], of_b: &[&str]) -> Instance {
    let needs = RoomNeeds { most_rooms: 3, ..RoomNeeds::default() };
    let exam = |code: &str| Exam { code: code.to_owned(), needs: needs.clone(), ..Exam::default() };
    let room = |code: &str| Room { code: code.to_owned(), seats: 4, ..Room::default() };
    let codes: BTreeSet<&str> = of_a.iter().chain(of_b).copied().collect();
    let sits = |code: &&str| {
        let sits = [of_a, of_b].into_iter().enumerate().filter(|(_, students)| students.contains(code));
        sits.map(|(exam, _)| exam as u16).collect()
    };
    let parts = InstanceParts {
        name: "session".to_owned(),
        exams: vec![exam("A"), exam("B")],
        students: codes.iter().map(sits).collect(),
        student_codes: codes.iter().map(|code| (*code).to_owned()).collect(),
        periods: vec![Period::default(); 2],
        resources: Resources {
            rooms: ["H1", "H2", "H3"].map(room).to_vec(),
            people: vec![Person { name: "Roth".to_owned(), exams: [0].into(), unavailable: BTreeSet::new() }],
            ..Resources::default()
        },
        ..InstanceParts::default()
    };
    Instance::build(parts).unwrap()
}

fn seats(rooms: &[(u16, u32)]) -> Vec<Seats> {
    rooms.iter().map(|&(room, students)| Seats { room, students }).collect()
}

/// The session with this timetable published.
fn published(instance: Instance, timetable: &Timetable) -> Instance {
    let version = Publication::of(&instance, timetable, 1, DateTime::UNIX_EPOCH);
    Instance { publications: Arc::new(vec![version]), ..instance }
}

/// The timetable of `before` in a session with other students, as projects carry it over, and the changes since.
fn after(before: &Instance, timetable: &Timetable, after: Instance) -> (Timetable, Vec<Change>) {
    let stored = stored::encode(before, timetable);
    let after = Instance { publications: Arc::clone(&before.publications), ..after };
    let carried = stored::decode_known(&after, &stored).unwrap();
    let changes = after.changes_since_publication(&carried).unwrap();
    (carried, changes)
}

fn words(change: &Change) -> String {
    let rooms =
        |of: &Option<crate::publication::Appointment>| of.as_ref().map_or("–".to_owned(), |it| it.rooms.clone());
    let Change { affected, who, exam, before, now, .. } = change;
    format!(
        "{} {who} {exam} {}: {} → {}",
        affected.word(),
        change.kind().words(Language::English),
        rooms(before),
        rooms(now)
    )
}

const SIX: [&str; 6] = ["11", "22", "33", "44", "55", "66"];

/// A version opens as it was published, whatever the timetable has become since.
#[test]
fn a_version_holds_its_timetable() {
    let before = session(&SIX, &["77", "88"]);
    let timetable = Timetable { rooms: vec![seats(&[(0, 4), (1, 2)]), seats(&[(2, 2)])], ..Timetable::of(vec![0, 1]) };
    let instance = published(before, &timetable);
    assert_eq!(instance.published().unwrap().timetable(&instance), timetable);
    // A student less, and an exam that nobody knew when the version was published.
    let fewer = Instance { publications: Arc::clone(&instance.publications), ..session(&SIX[1..], &["77", "88"]) };
    let opened = fewer.published().unwrap().timetable(&fewer);
    assert_eq!(opened.periods, timetable.periods);
    assert_eq!(opened.rooms[0].iter().map(|seats| seats.students).sum::<u32>(), 5);
    let other = Instance { periods: vec![Period::default()], ..instance.clone() };
    assert_eq!(other.published().unwrap().timetable(&other).periods, [0, crate::UNPLACED]);
}

/// Right after the second version was published, its changes are still told; once something else has changed, they are not.
#[test]
fn the_changes_of_the_last_version_are_told_until_there_are_others() {
    let rooms = vec![seats(&[(0, 3), (1, 3)]), seats(&[(2, 1)])];
    let timetable = |periods: [u16; 2]| Timetable { periods: periods.to_vec(), rooms: rooms.clone() };
    let [first, second, third] = [[0, 1], [1, 0], [1, 1]].map(timetable);
    let mut instance = published(session(&SIX, &["11"]), &first);
    assert_eq!(instance.changes_to_tell(&first), []);
    let told = instance.changes_to_tell(&second);
    assert_eq!(told, instance.changes_since_publication(&second).unwrap());
    let next = Publication::of(&instance, &second, 2, DateTime::UNIX_EPOCH);
    Arc::make_mut(&mut instance.publications).push(next);
    assert_eq!((instance.changes_since_publication(&second), told.is_empty()), (Some(vec![]), false));
    assert_eq!(instance.changes_to_tell(&second), told);
    assert_eq!(instance.changes_to_tell(&third), instance.changes_since_publication(&third).unwrap());
}

#[test]
fn nothing_has_changed_since_a_timetable_was_published() {
    let timetable = Timetable { periods: vec![0, 1], rooms: vec![seats(&[(0, 3), (1, 3)]), seats(&[(2, 1)])] };
    let instance = session(&SIX, &["11"]);
    assert_eq!(instance.changes_since_publication(&timetable), None);
    let instance = published(instance, &timetable);
    assert_eq!(instance.changes_since_publication(&timetable), Some(Vec::new()));
    let version = instance.published().unwrap();
    assert_eq!((version.exams.len(), version.students.len()), (2, 6));
    let text = ron::to_string(version).unwrap();
    assert_eq!(&ron::from_str::<Publication>(&text).unwrap(), version);
}

#[test]
fn a_late_student_takes_a_free_seat_and_nobody_else_moves() {
    let timetable = Timetable { periods: vec![0, 1], rooms: vec![seats(&[(0, 3), (1, 3)]), seats(&[(0, 1)])] };
    let before = published(session(&SIX, &["11"]), &timetable);
    // In the order of numbers the late student is the second, whom a new division would give the first room.
    let late = ["11", "12", "22", "33", "44", "55", "66"];
    let (carried, changes) = after(&before, &timetable, session(&late, &["11"]));
    assert_eq!(carried.rooms[0].iter().map(|seats| seats.students).sum::<u32>(), 7);
    assert_eq!(changes.iter().map(words).collect::<Vec<_>>().len(), 1, "{changes:?}");
    assert!(words(&changes[0]).starts_with("student 12 A new: – → H"), "{}", words(&changes[0]));
}

#[test]
fn who_leaves_gives_up_a_seat_and_nobody_else_moves() {
    let timetable = Timetable { periods: vec![0, 1], rooms: vec![seats(&[(0, 3), (1, 3)]), seats(&[(0, 1)])] };
    let before = published(session(&SIX, &["11"]), &timetable);
    for (gone, room) in [("11", "H1"), ("33", "H1"), ("44", "H2"), ("66", "H2")] {
        let rest: Vec<&str> = SIX.into_iter().filter(|&student| student != gone).collect();
        let (_, changes) = after(&before, &timetable, session(&rest, &["11"]));
        assert_eq!(changes.iter().map(words).collect::<Vec<_>>(), [format!("student {gone} A cancelled: {room} → –")]);
    }
}

/// Who gets a room alone leaves the room of the others, who stay.
#[test]
fn a_room_of_ones_own_moves_nobody_else() {
    let timetable = Timetable { periods: vec![0, 1], rooms: vec![seats(&[(0, 3), (1, 3)]), seats(&[(0, 1)])] };
    let before = published(session(&SIX, &["11"]), &timetable);
    for alone in 1..6 {
        let mut now = session(&SIX, &["11"]);
        let arrangement = Arrangement { student: alone, extra: ExtraTime::Minutes(0), own_room: true };
        now.resources.arrangements = vec![arrangement];
        let (_, changes) = after(&before, &timetable, now);
        let concerned: Vec<&str> = changes.iter().map(|change| change.who.as_str()).collect();
        assert_eq!(concerned, [SIX[alone as usize]], "{changes:?}");
    }
}

/// Extra time that comes after publication is a change for the student alone.
#[test]
fn another_end_is_a_change_for_the_student() {
    let mut instance = session(&SIX, &["11"]);
    for period in &mut instance.periods {
        period.date = chrono::NaiveDate::from_ymd_opt(2027, 2, 1);
        period.start = chrono::NaiveTime::from_hms_opt(9, 0, 0);
        period.end = chrono::NaiveTime::from_hms_opt(12, 0, 0);
    }
    instance.exams[0].duration = Some(60);
    let timetable = Timetable { periods: vec![0, 1], rooms: vec![seats(&[(0, 3), (1, 3)]), seats(&[(0, 1)])] };
    let mut now = published(instance, &timetable);
    now.resources.arrangements = vec![Arrangement { student: 2, extra: ExtraTime::Minutes(30), own_room: false }];
    now.resources.extra_time = crate::ExtraTimePlace::SameRoom;
    let changes = now.changes_since_publication(&timetable).unwrap();
    assert_eq!(changes.iter().map(words).collect::<Vec<_>>(), ["student 33 A other end: H1 → H1"]);
}

#[test]
fn a_moved_exam_concerns_its_students_examiners_and_rooms() {
    let timetable = Timetable { periods: vec![0, 1], rooms: vec![seats(&[(0, 1)]), seats(&[(1, 1)])] };
    let instance = published(session(&["11"], &["22"]), &timetable);
    let moved = Timetable { periods: vec![1, 1], rooms: vec![seats(&[(2, 1)]), seats(&[(1, 1)])] };
    let changes = instance.changes_since_publication(&moved).unwrap();
    assert_eq!(
        changes.iter().map(words).collect::<Vec<_>>(),
        [
            "exam  A other time and room: H1 → H3",
            "student 11 A other time and room: H1 → H3",
            "examiner Roth A other time and room: H1 → H3",
            "room H1 A cancelled: H1 → –",
            "room H3 A new: – → H3",
        ]
    );
    let unplaced = Timetable { periods: vec![0, crate::UNPLACED], rooms: vec![seats(&[(0, 1)]), Vec::new()] };
    let changes = instance.changes_since_publication(&unplaced).unwrap();
    let affected: Vec<Affected> = changes.iter().map(|change| change.affected).collect();
    assert_eq!(affected, [Affected::Exam, Affected::Student, Affected::Room]);
    assert!(changes.iter().all(|change| change.kind() == ChangeKind::Cancelled && change.exam == "B"));
}

/// Students come and go at random while rooms have free seats: nobody else moves.
#[test]
fn only_those_who_come_or_leave_are_affected() {
    for seed in 0..200 {
        let philox = Philox::new(seed);
        let mut next = 0;
        let mut below = |limit: u32| {
            next += 1;
            index(philox.words(0, next, 0, 0)[0], limit)
        };
        let codes: Vec<String> = (0..40).map(|number| format!("{number:02}")).collect();
        let draw = |codes: &[String], count: usize, below: &mut dyn FnMut(u32) -> u32| {
            let mut drawn = BTreeSet::new();
            while drawn.len() < count {
                drawn.insert(codes[below(codes.len() as u32) as usize].clone());
            }
            drawn
        };
        let parts = [1 + below(4), 1 + below(4), 1 + below(4)];
        let of_a = draw(&codes, parts.iter().sum::<u32>() as usize, &mut below);
        let view = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>();
        let built = |of_a: &BTreeSet<String>| {
            let of_a = view(of_a);
            let of_a: Vec<&str> = of_a.iter().map(String::as_str).collect();
            session(&of_a, &["99"])
        };
        let rooms = vec![seats(&[(0, parts[0]), (1, parts[1]), (2, parts[2])]), seats(&[(0, 1)])];
        let timetable = Timetable { periods: vec![0, 1], rooms };
        let before = published(built(&of_a), &timetable);
        let free = 12 - of_a.len();
        let leave = draw(&view(&of_a), below(of_a.len() as u32) as usize, &mut below);
        let mut later: BTreeSet<String> = of_a.difference(&leave).cloned().collect();
        for _ in 0..free {
            later.insert(codes[below(40) as usize].clone());
        }
        let (carried, changes) = after(&before, &timetable, built(&later));
        assert_eq!(
            carried.rooms[0].iter().map(|seats| seats.students).sum::<u32>() as usize,
            later.len(),
            "seed {seed}"
        );
        assert!(carried.rooms[0].iter().all(|seats| seats.students <= 4), "seed {seed}");
        let concerned = changes.iter().filter(|change| change.affected == Affected::Student);
        let concerned: BTreeSet<String> = concerned.map(|change| change.who.clone()).collect();
        assert_eq!(concerned, of_a.symmetric_difference(&later).cloned().collect(), "seed {seed}");
    }
}

/// Code of the room of each student in exam A, and words of each room by code.
fn told_rooms(
    instance: &Instance, timetable: &Timetable,
) -> (BTreeMap<String, String>, BTreeMap<String, Option<String>>) {
    let occupancy = Occupancy::of(instance, timetable).unwrap();
    let who = WhoSitsWhere::of(instance, &occupancy);
    let sits = (0..instance.students.len()).filter(|&student| who.room(student, 0).is_some());
    let rooms = sits.map(|student| (instance.students.code(student), who.room_words(student, 0).to_owned()));
    let lists = who.lists().iter().filter(|list| occupancy.sitting(list.sitting).exam == 0);
    let words = lists.map(|list| {
        (instance.resources.rooms[list.room].code.clone(), list.range.as_ref().map(|words| words.of(Language::English)))
    });
    (rooms.collect(), words.collect())
}

/// The session with the names of those students who have one.
fn named(instance: Instance, names: &BTreeMap<String, String>) -> Instance {
    let name = |student: usize| names.get(&instance.students.code(student)).cloned();
    let contact = |student: usize| {
        Some(crate::Contact { student: student as u32, name: name(student)?, ..crate::Contact::default() })
    };
    let contacts = (0..instance.students.len()).filter_map(contact).collect();
    Instance { resources: Resources { contacts, ..instance.resources.clone() }, ..instance }
}

/// Late students with and without names leave the rooms of all others and the words at all other doors as they were, and the
/// publication of their seats changes no words either.
#[test]
fn late_students_change_no_words_at_other_doors() {
    let mut by_name = 0;
    for seed in 0..400 {
        let philox = Philox::new(seed);
        let mut next = 0;
        let mut below = |limit: u32| {
            next += 1;
            index(philox.words(1, next, 0, 0)[0], limit)
        };
        let mut name = |share: u32| {
            let letters = ["A", "Be", "Ka", "Ko", "Mü", "Me", "Za", "Αλ"];
            (below(8) < share)
                .then(|| format!("{}{}", letters[below(8) as usize], ["", "r", "nn, B"][below(3) as usize]))
        };
        let share = [0, 4, 7, 8][seed as usize % 4];
        let mut codes: Vec<String> = (0..9).map(|number| format!("{}", number * 7 % 9 + 10)).collect();
        let mut names: BTreeMap<String, String> =
            codes.iter().filter_map(|code| Some((code.clone(), name(share)?))).collect();
        let late: Vec<(String, Option<String>)> = (0..3)
            .map(|number| (format!("{}", 8 + number * 5), name(4)))
            .filter(|(code, _)| !codes.contains(code))
            .collect();
        let built = |codes: &[String], names: &BTreeMap<String, String>| {
            named(session(&codes.iter().map(String::as_str).collect::<Vec<_>>(), &["99"]), names)
        };
        let parts = [2 + below(2), 3 + below(2)];
        let rooms = vec![seats(&[(0, parts[0]), (1, parts[1]), (2, 9 - parts[0] - parts[1])]), seats(&[(0, 1)])];
        let mut timetable = Timetable { periods: vec![0, 1], rooms };
        let mut now = published(built(&codes, &names), &timetable);
        by_name += usize::from(told_rooms(&now, &timetable).1.values().flatten().any(|words| words.contains("A–")));
        for (code, name) in late {
            let before = told_rooms(&now, &timetable);
            codes.push(code.clone());
            names.extend(name.map(|name| (code.clone(), name)));
            (timetable, _) = after(&now, &timetable, built(&codes, &names));
            now = Instance { publications: Arc::clone(&now.publications), ..built(&codes, &names) };
            let mut present = told_rooms(&now, &timetable);
            let version = Publication::of(&now, &timetable, 2, DateTime::UNIX_EPOCH);
            Arc::make_mut(&mut now.publications).push(version);
            assert_eq!(told_rooms(&now, &timetable), present, "seed {seed}: published");
            let room = present.0.remove(&code).unwrap();
            assert_eq!(present.0, before.0, "seed {seed}: late {code}");
            for (of, words) in &before.1 {
                let (words, new) = (words.as_deref().unwrap_or_default(), present.1[of].as_deref().unwrap_or_default());
                assert!(
                    words == new || *of == room && new.contains(&code),
                    "seed {seed}, late {code}: {words} → {new}"
                );
            }
        }
    }
    assert!(by_name > 100, "{by_name} sessions with ranges of names");
}

/// Rooms of four seats and one student too many: the last to come has no seat, in every document and in the changes, and stays
/// without one when that is published.
#[test]
fn who_has_no_seat_is_told_so_everywhere() {
    let rooms = |of_a: &[(u16, u32)]| vec![seats(of_a), seats(&[(2, 1)])];
    for (count, of_a) in [(4, &[(0, 4)][..]), (8, &[(0, 4), (1, 4)])] {
        let codes: Vec<String> = (0..count).map(|number| format!("{}", 20 + number)).collect();
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        let timetable = Timetable { periods: vec![0, 1], rooms: rooms(of_a) };
        let mut instance = session(&codes, &["20"]);
        for period in &mut instance.periods {
            period.date = chrono::NaiveDate::from_ymd_opt(2027, 2, 1);
        }
        let before = published(instance.clone(), &timetable);
        // The number of the late student is before all others.
        let codes: Vec<&str> = std::iter::once("11").chain(codes).collect();
        let late = Instance { periods: instance.periods.clone(), ..session(&codes, &["20"]) };
        let (timetable, changes) = after(&before, &timetable, late.clone());
        assert_eq!(changes.iter().map(words).collect::<Vec<_>>(), ["student 11 A new: – → no seat yet"]);
        let mut late = Instance { publications: Arc::clone(&before.publications), ..late };
        let verdict = crate::check::check(&late, &timetable);
        let told: Vec<&str> = verdict.violations.iter().map(|violation| violation.text.as_str()).collect();
        assert!(told.len() == 1 && told[0].ends_with("; 1 student has no seat yet"), "{told:?}");
        for ending in ["students.csv", "changes.csv", "students.zip", "xlsx", "registers.pdf"] {
            assert!(crate::export::export_bytes(&late, &timetable, ending).is_ok(), "{ending}");
        }
        let text = |ending| String::from_utf8(crate::export::export_bytes(&late, &timetable, ending).unwrap()).unwrap();
        let of_late = |text: String| text.lines().find(|line| line.contains("11")).unwrap().to_owned();
        assert!(of_late(text("students.csv")).ends_with(",no seat yet"), "{}", text("students.csv"));
        assert!(of_late(text("changes.csv")).ends_with(",no seat yet"), "{}", text("changes.csv"));
        let options = crate::export::ExportOptions { student: Some("11"), ..Default::default() };
        let calendar = crate::export::export_bytes_with(&late, &timetable, "ics", &options, DateTime::UNIX_EPOCH);
        let calendar = String::from_utf8(calendar.unwrap()).unwrap();
        assert!(calendar.contains("LOCATION:no seat yet"), "{calendar}");
        let version = Publication::of(&late, &timetable, 2, DateTime::UNIX_EPOCH);
        Arc::make_mut(&mut late.publications).push(version);
        assert_eq!(late.changes_since_publication(&timetable), Some(Vec::new()));
        let (rooms, _) = told_rooms(&late, &timetable);
        assert!(!rooms.contains_key("11") && rooms.len() == count, "{rooms:?}");
    }
}

/// Codes in other capitals, with other blanks or another hyphen are those of the published students, exams and rooms.
#[test]
fn other_spellings_of_codes_change_nothing() {
    let timetable = Timetable { periods: vec![0, 1], rooms: vec![seats(&[(0, 2), (1, 1)]), seats(&[(2, 1)])] };
    let before = published(session(&["a-1", "b 2", "c"], &["d"]), &timetable);
    let mut now = session(&["A\u{2010}1", "B  2", "C"], &["D"]);
    now.exams[0].code = "a".to_owned();
    now.resources.rooms[0].code = "h1".to_owned();
    now.resources.people[0].name = "ROTH".to_owned();
    let (carried, changes) = after(&before, &timetable, now);
    assert_eq!((carried, changes.iter().map(words).collect::<Vec<_>>()), (timetable, vec![]));
}

/// Rooms have plans of their seats: whoever comes late takes a free seat, in the letter with its name, and nobody else moves. A
/// seat that is left out later is another one for its student alone.
#[test]
fn late_students_take_a_free_seat_and_others_keep_theirs() {
    let planned = |of_a: &[&str], plan: &str| {
        let mut session = session(of_a, &["99"]);
        session.resources.rooms.iter_mut().for_each(|room| room.seat_plan = plan.to_owned());
        session
    };
    let timetable = Timetable { periods: vec![0, 1], rooms: vec![seats(&[(0, 3)]), seats(&[(2, 1)])] };
    let codes = ["20", "21", "22"];
    let before = published(planned(&codes, "2 x 2"), &timetable);
    let seat_of = |instance: &Instance, timetable: &Timetable, code: &str| {
        let occupancy = Occupancy::of(instance, timetable).unwrap();
        let student = (0..instance.students.len()).find(|&student| instance.students.code(student) == code).unwrap();
        WhoSitsWhere::of(instance, &occupancy).place_words(student, 0, Language::English)
    };
    assert_eq!(codes.map(|code| seat_of(&before, &timetable, code)), ["H1, seat A1", "H1, seat A2", "H1, seat B1"]);
    // The number of the late student is before all others.
    let late = planned(&["11", "20", "21", "22"], "2 x 2");
    let (carried, changes) = after(&before, &timetable, late.clone());
    assert_eq!(changes.iter().map(Change::words).collect::<Vec<_>>(), ["no place → period 1, H1, seat B2"]);
    assert_eq!((changes[0].affected, changes[0].who.as_str()), (Affected::Student, "11"));
    let late = Instance { publications: Arc::clone(&before.publications), ..late };
    assert_eq!(codes.map(|code| seat_of(&late, &carried, code)), ["H1, seat A1", "H1, seat A2", "H1, seat B1"]);
    let broken = planned(&codes, "2 x 2; without A2");
    let (_, changes) = after(&before, &timetable, broken);
    let told: Vec<(&str, ChangeKind)> = changes.iter().map(|change| (change.who.as_str(), change.kind())).collect();
    assert_eq!(told, [("21", ChangeKind::OtherSeat)]);
    assert_eq!(changes[0].words(), "period 1, H1, seat A2 → period 1, H1, seat B2");
}
