//! A session with rooms, people and arrangements in the window, driven by what it tells screen readers.

mod by_hand;
mod day;
mod duties;

use std::collections::BTreeSet;

use chrono::{NaiveDate, NaiveTime};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_timetabling::check::ViolationKind;
use gridwright_timetabling::{
    Arrangement, Exam, ExtraTime, ExtraTimePlace, Instance, InstanceParts, Objective, ObjectiveKind, Period, Person,
    Resources, Room, RoomNeeds, Seats, Timetable,
};
use gridwright_timetabling_views::methods::*;
use gridwright_timetabling_views::state::{Shown, View};
use gridwright_window::window::App;

use crate::entering::replace;
use crate::entering::scenes::palette;
use crate::pictures::window_of;
use crate::support;
use crate::support::person::{Window, at_home, document, keys, press, press_like, settle, shows, window};
use crate::support::picture::Pictures;

/// Six exams of 90 minutes, five students, three days of two periods of two hours, three rooms; Eve has 25 % more time, Dr
/// Wu is needed at A1 and D4, and H1 is closed in the last period.
pub fn instance() -> Instance {
    let exam = |code: &str| Exam {
        code: code.to_owned(),
        title: format!("Course {code}"),
        duration: Some(90),
        ..Exam::default()
    };
    let room = |code: &str, seats| Room { code: code.to_owned(), seats, ..Room::default() };
    let mut rooms = vec![room("H1", 4), room("S2", 2), room("T3", 2)];
    rooms[0].unavailable.insert(5);
    rooms[0].building = "Main building".to_owned();
    let people = vec![Person { name: "Dr Wu".to_owned(), exams: BTreeSet::from([0, 3]), ..Person::default() }];
    let arrangements = vec![Arrangement { student: 4, extra: ExtraTime::Percent(25), own_room: false }];
    let mut exams = ["A1", "B2", "C3", "D4", "E5", "F6"].map(exam).to_vec();
    exams[0].needs = RoomNeeds { most_rooms: 2, ..RoomNeeds::default() };
    let period = |number: u32| {
        let hour = if number.is_multiple_of(2) { 9 } else { 14 };
        Period {
            date: NaiveDate::from_ymd_opt(2027, 6, 1 + number / 2),
            start: NaiveTime::from_hms_opt(hour, 0, 0),
            end: NaiveTime::from_hms_opt(hour + 2, 0, 0),
            ..Period::default()
        }
    };
    Instance::build(InstanceParts {
        name: "rooms".to_owned(),
        exams,
        students: vec![vec![0, 1, 2], vec![0, 1], vec![1, 3], vec![2, 4], vec![0, 5]],
        student_codes: ["ann", "bob", "cem", "dora", "eve"].map(str::to_owned).to_vec(),
        periods: (0..6).map(period).collect(),
        resources: Resources { rooms, people, arrangements, extra_time: ExtraTimePlace::Apart, ..Resources::default() },
        objective: Objective::of(ObjectiveKind::Office),
        file_hash: "4007".to_owned(),
        ..InstanceParts::default()
    })
    .unwrap()
}

/// A1 in period 1 in H1, for Eve in S2; B2 in period 3 in H1; C3 in S2 and D4 in T3 in period 5; E5 in period 6; F6 in
/// period 4.
pub fn plan() -> Timetable {
    let seats = |room, students| vec![Seats { room, students }];
    let rooms = vec![seats(0, 2), seats(1, 1), seats(0, 3), seats(1, 2), seats(2, 1), seats(1, 1), seats(2, 1)];
    Timetable { periods: vec![0, 2, 4, 4, 5, 3], rooms }
}

pub fn open(home: &tempfile::TempDir) -> Window {
    window(support::planned(instance(), plan(), home.path()))
}

pub fn show_rooms(harness: &mut Harness<'_, App>) {
    keys(harness, Modifiers::COMMAND, Key::Num3);
    assert_eq!(document(harness).view, View::Rooms);
}

#[test]
fn the_list_of_exams_tells_date_time_and_rooms() {
    let mut harness = at_home(open);
    press(&mut harness, "Exams");
    settle(&mut harness);
    for text in ["Date and time", "Rooms", "Tue 1 Jun, 09:00–11:00", "H1, S2", "Thu 3 Jun, 14:00–16:00"] {
        assert!(shows(&harness, text), "{text}");
    }
    // Lists are sorted by rooms, too.
    press(&mut harness, "Sort by Rooms");
    settle(&mut harness);
}

#[test]
fn rooms_are_named_and_lead_to_their_exams() {
    let mut harness = at_home(open);
    show_rooms(&mut harness);
    harness.get_by_label("Rooms, 3 rooms by 6 periods, 0 cells where something is wrong");
    harness.get_by_label("Room H1, period 1, 2 of 4 seats taken: A1 2").click();
    harness.run();
    assert_eq!(document(&harness).selected, Some(0));
    for words in
        ["Room of 2 students", "H1", "Room of 1 student, +23 min", "S2", "at most 2 rooms", "Examiner", "Dr Wu"]
    {
        assert!(shows(&harness, words), "{words}");
    }
    harness.get_by_label("Room S2, period 5, 2 of 2 seats taken: C3 2").click_accesskit();
    harness.run();
    assert_eq!(document(&harness).selected, Some(2), "without a pointer, too");
    harness.get_by_label("Room S2, period 1, 1 of 2 seats taken: A1 1 (+23 min)");
}

/// Runs are judged again by the present data, and undo brings the former place back.
#[test]
fn the_place_of_extra_time_is_chosen_and_undone() {
    let mut harness = at_home(open);
    show_rooms(&mut harness);
    let apart = "Room S2, period 1, 1 of 2 seats taken: A1 1 (+23 min)";
    harness.get_by_label(apart);
    press(&mut harness, "Edit");
    let is_ticked = |harness: &Window, label: &str| {
        let mut items = harness.get_all_by_label(label);
        let item = items.find(|node| node.accesskit_node().role() == egui::Role::MenuItem).unwrap();
        assert!(!item.accesskit_node().is_disabled(), "{label}");
        item.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
    };
    assert!(is_ticked(&harness, "Extra time apart from the others"));
    assert!(!is_ticked(&harness, "Extra time in the room of the exam"));
    press(&mut harness, "Extra time in the room of the exam");
    settle(&mut harness);
    assert_eq!(document(&harness).instance.resources.extra_time, ExtraTimePlace::SameRoom);
    harness.get_by_label("Room H1, period 1, 3 of 4 seats taken: A1 3");
    assert!(!shows(&harness, "+23 min"));
    keys(&mut harness, Modifiers::COMMAND, Key::Z);
    settle(&mut harness);
    assert_eq!(document(&harness).instance.resources.extra_time, ExtraTimePlace::Apart);
    harness.get_by_label(apart);
}

#[test]
fn costs_are_those_of_the_objective() {
    let mut harness = at_home(open);
    assert!(!shows(&harness, "per student"));
    // Students with a day between their exams and large exams late in a session of six periods.
    for words in ["Objective Office", "Cost", "Times that a student has exams 1 to 3 days apart", "Large exams late"] {
        assert!(shows(&harness, words), "{words}");
    }
    keys(&mut harness, Modifiers::COMMAND, Key::Num6);
    assert_eq!(document(&harness).view, View::Gaps);
    assert!(shows(&harness, "Pairs of exams by distance") && !shows(&harness, "Weight"));
    let cost = document(&harness).picture().unwrap().cost.proximity;
    press(&mut harness, "Objective: Office");
    // The list of weights takes some frames to find its height, and with it the dialog its place.
    settle(&mut harness);
    assert!(shows(&harness, "The file has no weights of this objective."));
    press(&mut harness, "Toronto");
    settle(&mut harness);
    press(&mut harness, "Done");
    assert_eq!(document(&harness).instance.objective, Objective::default());
    assert!(shows(&harness, "Cost per student") && shows(&harness, "Cost by distance"));
    // Ann has exams 2 and 2 and 4 periods apart, Bob 2, Cem 2, Dora 1, Eve 3.
    assert_eq!(document(&harness).picture().unwrap().cost.proximity, 8 + 8 + 2 + 8 + 8 + 16 + 4);
    assert_eq!(document(&harness).listed().next().unwrap().raw, 54);
    keys(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(document(&harness).instance.objective.kind, ObjectiveKind::Office);
    assert_eq!(document(&harness).picture().unwrap().cost.proximity, cost);
    assert_eq!(document(&harness).listed().next().unwrap().raw, cost);
}

#[test]
fn limits_of_students_are_chosen_explained_and_taken_away() {
    let mut harness = at_home(open);
    // High enough for the rules in the panel.
    harness.set_size(egui::vec2(1440.0, 1600.0));
    settle(&mut harness);
    let number = |harness: &mut Window, field: &str, text: &str| {
        replace(harness, field, text);
        keys(harness, Modifiers::NONE, Key::Tab);
    };
    let limits = |harness: &Window| document(harness).instance.rules.limits.clone();
    palette(&mut harness, "Limits for students");
    number(&mut harness, "Most exams of a student on a day", "1");
    settle(&mut harness);
    // Dora sits C3 and E5 on the third day.
    assert!(shows(&harness, "In the timetable that is shown 1 student would be beyond them."));
    number(&mut harness, "Days from an exam to the next, at least", "3");
    settle(&mut harness);
    assert!(shows(&harness, "No timetable can keep these limits"), "Ann has three exams in three days");
    number(&mut harness, "Days from an exam to the next, at least", "0");
    press(&mut harness, "Done");
    settle(&mut harness);
    assert_eq!(limits(&harness).a_day, 1);
    let beyond = |harness: &Window| {
        let verdict = document(harness).verdict().unwrap();
        verdict.violations.iter().filter(|violation| violation.kind == ViolationKind::Limit).count()
    };
    assert_eq!(beyond(&harness), 1);
    press(&mut harness, "No longer demand: No student has more than 1 exam a day");
    settle(&mut harness);
    assert_eq!((limits(&harness).is_empty(), beyond(&harness)), (true, 0));
    keys(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(limits(&harness).a_day, 1);
    press(&mut harness, "Edit");
    press(&mut harness, "Limits for students…");
    number(&mut harness, "Most exams of a student in a row on a day", "1");
    keys(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(limits(&harness).in_a_row, 0, "Escape takes back what was typed");
}

#[test]
fn a_moved_exam_keeps_a_room_or_is_told_to_have_none() {
    let mut harness = at_home(open);
    press_like(&mut harness, "Exam B2, period ");
    press_like(&mut harness, "Move to Wed 2 Jun, 14:00–16:00");
    let rooms = |harness: &Harness<'_, App>| document(harness).picture().unwrap().timetable.rooms.clone();
    assert_eq!(document(&harness).picture().unwrap().timetable.period_of(1), Some(3));
    assert_eq!(rooms(&harness), plan().rooms, "H1 is free there");
    assert!(document(&harness).verdict().unwrap().feasible);
    press_like(&mut harness, "Move to Thu 3 Jun, 14:00–16:00");
    assert!(shows(&harness, "has no room that is free and suits B2"));
    press(&mut harness, "Move anyway");
    assert_eq!(rooms(&harness)[2], []);
    assert_eq!(document(&harness).shown, Shown::Draft);
    let violations = &document(&harness).verdict().unwrap().violations;
    assert!(violations.len() == 1 && violations[0].kind == ViolationKind::Unseated, "{violations:?}");
    show_rooms(&mut harness);
    harness.get_by_label("Rooms, 3 rooms by 6 periods, 1 cell where something is wrong");
    harness.get_by_label("period 6, no seat for 3 students: B2 3; these students have no seat");
    assert!(shows(&harness, "no room"));
    keys(&mut harness, Modifiers::COMMAND, Key::Z);
    harness.get_by_label("Rooms, 3 rooms by 6 periods, 0 cells where something is wrong");
    // Dr Wu is needed at A1, which is in the first period.
    press_like(&mut harness, "Room T3, period 5");
    press_like(&mut harness, "Move to Tue 1 Jun, 09:00–11:00");
    assert!(shows(&harness, "Dr Wu is needed at A1 there"));
}

#[test]
fn a_session_without_rooms_has_no_such_view() {
    let harness = at_home(|home| {
        let instance = support::chain(4);
        let timetable = support::constructed(&instance);
        window(support::planned(instance, timetable, home.path()))
    });
    assert!(!shows(&harness, "Rooms") && !shows(&harness, "Objective"));
    assert!(shows(&harness, "Cost per student"));
}

/// The objective of offices can be chosen again after the published one.
#[test]
fn a_session_with_dates_offers_its_objective_without_rooms() {
    let mut harness = at_home(|home| {
        let mut instance = support::chain(4);
        for (number, period) in instance.periods.iter_mut().enumerate() {
            period.date = NaiveDate::from_ymd_opt(2027, 2, 1 + number as u32);
        }
        let timetable = support::constructed(&instance);
        window(support::planned(instance, timetable, home.path()))
    });
    assert!(!document(&harness).instance.is_session());
    press(&mut harness, "Objective: Toronto");
    settle(&mut harness);
    press(&mut harness, "Office");
    settle(&mut harness);
    press(&mut harness, "Done");
    assert_eq!(document(&harness).instance.objective.kind, ObjectiveKind::Office);
}

#[test]
fn a_timetable_without_rooms_says_so() {
    let mut harness = at_home(|home| {
        let timetable = Timetable::of(plan().periods);
        window(support::planned(instance(), timetable, home.path()))
    });
    show_rooms(&mut harness);
    assert!(shows(&harness, "No exam has a room"));
    press_like(&mut harness, "Rooms");
}

#[test]
fn rooms_in_pictures() {
    let mut shots = Pictures::default();
    for dark in [false, true] {
        let mut timetable = plan();
        // C3 sits with E5 in T3, which has two seats.
        timetable.rooms[3] = vec![Seats { room: 2, students: 2 }];
        let mut harness = window_of(|home| support::planned(instance(), timetable, home), [1100.0, 680.0], dark);
        harness.run();
        show_rooms(&mut harness);
        let view = egui::Rect { min: egui::pos2(240.0, 160.0), max: egui::pos2(1092.0, 532.0) };
        shots.take(&mut harness, view, if dark { "rooms-dark" } else { "rooms-light" });
    }
}
