//! Tables and workbooks of timetables are read back to the same plan, rooms of all sittings included.

use proptest::prelude::*;

use super::*;
use crate::formats::solution::{read_solution, write_solution};
use crate::{Arrangement, Exam, ExtraTime, ExtraTimePlace, InstanceParts, Period, Resources, Room, RoomNeeds, Seats};

/// Codes of rooms with the signs that tables put between rooms and numbers.
const ROOMS: [&str; 6] = ["Saal (3)", "Saal", "Hall; A", "X: 5", "A, B (12)", "@home"];

/// Students who are arranged for: minutes of extra time, and whether alone in a room.
type Arranged = (u32, bool);

/// A session of exams with these exams of each student and arrangements of the first students.
fn session(sits: &[Vec<u16>], arranged: &[Arranged], extra_time: ExtraTimePlace, has_dates: bool) -> Instance {
    let exam = |code: &str| Exam {
        code: code.to_owned(),
        duration: Some(90),
        needs: RoomNeeds { most_rooms: 3, ..RoomNeeds::default() },
        ..Exam::default()
    };
    let room = |code: &str| Room { code: code.to_owned(), seats: 50, extra_time: true, ..Room::default() };
    let arrangement = |(student, &(minutes, own_room)): (usize, &Arranged)| Arrangement {
        student: student as u32,
        extra: ExtraTime::Minutes(minutes),
        own_room,
    };
    let period = |day: u32| Period {
        date: chrono::NaiveDate::from_ymd_opt(2026, 6, day).filter(|_| has_dates),
        start: chrono::NaiveTime::from_hms_opt(9, 0, 0).filter(|_| has_dates),
        ..Period::default()
    };
    Instance::build(InstanceParts {
        name: "session".to_owned(),
        exams: ["A (2)", "B; C", "=D"].map(exam).to_vec(),
        students: sits.to_vec(),
        periods: (1..=4).map(period).collect(),
        resources: Resources {
            rooms: ROOMS.map(room).to_vec(),
            arrangements: arranged.iter().enumerate().map(arrangement).collect(),
            extra_time,
            ..Resources::default()
        },
        ..InstanceParts::default()
    })
    .unwrap()
}

/// A timetable whose sittings are in one to three rooms, drawn by `numbers`.
fn timetable(instance: &Instance, periods: &[u16], numbers: &[u32]) -> Timetable {
    let mut numbers = numbers.iter().copied().cycle();
    let mut next = |below: u32| numbers.next().unwrap_or_default() % below;
    let mut rooms = Vec::new();
    for sitting in instance.sittings() {
        let (parts, first) = ((1 + next(3)).min(sitting.students.max(1)), next(ROOMS.len() as u32));
        let mut left = sitting.students;
        let mut seats = Vec::new();
        for part in 0..parts {
            let most = left - (parts - part - 1);
            let students = if part + 1 == parts { left } else { 1 + next(most) };
            left -= students;
            seats.push(Seats { room: ((first + part) % ROOMS.len() as u32) as u16, students });
        }
        rooms.push(if periods[sitting.exam] == crate::UNPLACED { Vec::new() } else { seats });
    }
    Timetable { periods: periods.to_vec(), rooms }
}

/// The timetable with the rooms of each sitting in the order of the session.
fn in_order(mut timetable: Timetable) -> Timetable {
    timetable.rooms.iter_mut().for_each(|rooms| rooms.sort_by_key(|seats| seats.room));
    timetable
}

/// True if a room holds more students than it has seats, so that the table by student tells somebody no room.
fn is_overfull(instance: &Instance, timetable: &Timetable) -> bool {
    let mut students = std::collections::BTreeMap::new();
    for (sitting, rooms) in instance.sittings().iter().zip(&timetable.rooms) {
        for seats in rooms {
            *students.entry((timetable.periods[sitting.exam], seats.room)).or_insert(0) += seats.students;
        }
    }
    students.iter().any(|(&(_, room), &count)| count > instance.resources.rooms[usize::from(room)].seats)
}

fn places() -> impl Strategy<Value = ExtraTimePlace> {
    use ExtraTimePlace::{Apart, CommonRoom, OwnRoom, SameRoom};
    prop_oneof![Just(SameRoom), Just(Apart), Just(OwnRoom), Just(CommonRoom)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back_to_the_same_plan(
        mut sits in proptest::collection::vec(proptest::collection::btree_set(0..3_u16, 1..=3), 6..40),
        arranged in proptest::collection::vec((prop_oneof![Just(0_u32), Just(15), Just(30)], any::<bool>()), 0..6),
        extra_time in places(), has_dates in any::<bool>(),
        mut periods in proptest::collection::vec(prop_oneof![4 => 0..4_u16, 1 => Just(crate::UNPLACED)], 3),
        numbers in proptest::collection::vec(any::<u32>(), 40),
    ) {
        sits[0].extend(0..3);
        periods[0] %= 4;
        let sits: Vec<Vec<u16>> = sits.into_iter().map(|exams| exams.into_iter().collect()).collect();
        let instance = session(&sits, &arranged, extra_time, has_dates);
        let timetable = timetable(&instance, &periods, &numbers);
        let folder = tempfile::tempdir().unwrap();
        for ending in ["csv", "periods.csv", "students.csv", SEATING, "sol", "xlsx"] {
            if ending == "students.csv" && is_overfull(&instance, &timetable) {
                continue;
            }
            let path = folder.path().join(format!("plan.{ending}"));
            let bytes = match ending {
                "sol" => write_solution(&instance, &timetable).into_bytes(),
                _ => export_bytes_at(&instance, &timetable, ending).unwrap(),
            };
            std::fs::write(&path, bytes).unwrap();
            let file = read_solution(&path, &instance).unwrap();
            prop_assert_eq!(in_order(file.timetable), in_order(timetable.clone()), "{}", ending);
        }
    }
}

#[test]
fn a_workbook_without_a_plan_names_the_remedy() {
    let (instance, _) = seated();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.xlsx");
    let book = gridwright_core::workbook::write("other", None, |book| {
        let mut sheet = book.table("Names", &[("Name", 10.0), ("Age", 10.0)], 1)?;
        sheet.row(1, ["Roth", "40"].map(gridwright_core::workbook::text))
    });
    std::fs::write(&path, book.unwrap()).unwrap();
    let why = read_solution(&path, &instance).unwrap_err().to_string();
    assert!(why.contains("export the plan as a workbook or a table (.csv)"), "{why}");
}

/// Tables of rooms of former versions have no numbers of sittings.
#[test]
fn tables_of_rooms_without_numbers_of_sittings_are_read() {
    let (instance, timetable) = seated();
    let table = text(&instance, &timetable, SEATING);
    let former = table.lines().map(|line| {
        let cells = line.split(',').enumerate().filter(|(at, _)| *at != 8).map(|(_, cell)| cell);
        cells.collect::<Vec<_>>().join(",")
    });
    let former = former.collect::<Vec<_>>().join("\n");
    assert!(is_exported(&former) && !former.contains("sitting"), "{former}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.seating.csv");
    std::fs::write(&path, former).unwrap();
    assert_eq!(read_solution(&path, &instance).unwrap().timetable, timetable);
}
