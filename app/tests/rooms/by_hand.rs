//! Rooms changed by hand: by drags over the rooms, in the dialog that lists them, and by pins.

use egui::{Key, Modifiers, Pos2};
use egui_kittest::kittest::Queryable;
use gridwright_timetabling::check::check;
use gridwright_timetabling::{Room, Seats};
use gridwright_timetabling_views::methods::*;

use super::{instance, open, plan, show_rooms};
use crate::adjusting::undo_name;
use crate::support;
use crate::support::person::{Window, at_home, document, drag, keys, press, press_like, settle, shows, window};

/// The middle of the cell with this beginning of its name.
fn cell(harness: &Window, name: &str) -> Pos2 {
    harness.get_by(|node| node.label().is_some_and(|label| label.starts_with(name))).rect().center()
}

/// The place of an empty cell: the row of one filled cell and the column of another.
fn crossing(harness: &Window, row: &str, column: &str) -> Pos2 {
    Pos2::new(cell(harness, column).x, cell(harness, row).y)
}

fn seats(room: u16, students: u32) -> Vec<Seats> {
    vec![Seats { room, students }]
}

fn rooms_now(harness: &Window) -> Vec<Vec<Seats>> {
    document(harness).picture().unwrap().timetable.rooms.clone()
}

#[test]
fn students_are_dragged_into_a_free_room_and_back_by_undo() {
    let mut harness = at_home(open);
    show_rooms(&mut harness);
    let from = cell(&harness, "Room T3, period 5");
    let to = crossing(&harness, "Room H1, period 1", "Room S2, period 5");
    drag(&mut harness, from, to);
    settle(&mut harness);
    assert_eq!(undo_name(&harness), "move D4 to H1");
    assert_eq!(rooms_now(&harness)[4], seats(0, 1));
    assert!(shows(&harness, "1 in other rooms"), "the bar counts it");
    harness.get_by_label("Room H1, period 5, 1 of 4 seats taken: D4 1");
    keys(&mut harness, Modifiers::COMMAND, Key::Z);
    settle(&mut harness);
    assert_eq!(rooms_now(&harness), plan().rooms);
}

#[test]
fn a_drag_into_another_period_takes_the_exam_along() {
    let mut harness = at_home(open);
    show_rooms(&mut harness);
    // F6 is alone in period 4 in T3.
    let from = cell(&harness, "Room T3, period 4");
    let to = crossing(&harness, "Room H1, period 1", "Room S2, period 6");
    drag(&mut harness, from, to);
    settle(&mut harness);
    // H1 is closed in the last period: nothing is done without a question.
    assert!(
        shows(&harness, "room H1 cannot be used in period 6") || shows(&harness, "Room H1 cannot be used in period 6")
    );
    press(&mut harness, "Leave it");
    settle(&mut harness);
    assert_eq!(rooms_now(&harness), plan().rooms);
    let to = crossing(&harness, "Room T3, period 4", "Room S2, period 6");
    drag(&mut harness, from, to);
    settle(&mut harness);
    let timetable = &document(&harness).picture().unwrap().timetable;
    assert_eq!((timetable.period_of(5), &timetable.rooms[6]), (Some(5), &seats(2, 1)));
}

#[test]
fn a_full_room_offers_as_many_as_fit_and_an_exchange() {
    let mut harness = at_home(open);
    show_rooms(&mut harness);
    // C3 with 2 students onto D4 with 1 of 2 seats.
    let from = cell(&harness, "Room S2, period 5");
    let to = cell(&harness, "Room T3, period 5");
    drag(&mut harness, from, to);
    settle(&mut harness);
    assert!(shows(&harness, "Room T3 has 2 seats, but 3 are needed"));
    // C3 may not be split.
    assert!(!shows(&harness, "Only 1 student"));
    press(&mut harness, "Exchange with D4");
    settle(&mut harness);
    assert_eq!(rooms_now(&harness)[3..5], [seats(2, 2), seats(1, 1)]);
    assert_eq!(undo_name(&harness), "exchange the places of C3 and D4");
    assert!(check(&instance(), &document(&harness).picture().unwrap().timetable).feasible);
}

#[test]
fn the_dialog_splits_students_over_rooms_and_pins_them() {
    let mut harness = at_home(open);
    show_rooms(&mut harness);
    harness.get_by_label("Room H1, period 1, 2 of 4 seats taken: A1 2").click();
    harness.run();
    keys(&mut harness, Modifiers::NONE, Key::R);
    settle(&mut harness);
    assert!(shows(&harness, "Room of A1"));
    crate::entering::replace(&mut harness, "Students to move", "1");
    press_like(&mut harness, "Move to T3");
    settle(&mut harness);
    let split = vec![Seats { room: 0, students: 1 }, Seats { room: 2, students: 1 }];
    assert_eq!(rooms_now(&harness)[0], split, "A1 may be in two rooms");
    assert_eq!(undo_name(&harness), "move 1 student of A1 to T3");
    keys(&mut harness, Modifiers::NONE, Key::R);
    settle(&mut harness);
    press(&mut harness, "Pin to the present rooms");
    settle(&mut harness);
    assert_eq!(document(&harness).rules().room_pins[&0], [0, 1, 2].into());
    assert!(shows(&harness, "Pinned to H1, S2, T3"));
    keys(&mut harness, Modifiers::NONE, Key::Escape);
    keys(&mut harness, Modifiers::NONE, Key::Escape);
    settle(&mut harness);
    assert!(shows(&harness, "1 exam pinned to rooms"));
}

#[test]
fn rooms_are_filtered_by_code_and_seats() {
    let mut harness = at_home(|home| {
        let mut instance = instance();
        instance.resources.rooms.push(Room { code: "Annex".to_owned(), seats: 30, ..Room::default() });
        window(support::planned(instance, plan(), home.path()))
    });
    show_rooms(&mut harness);
    press(&mut harness, "Filter");
    settle(&mut harness);
    crate::entering::replace(&mut harness, "Fewest seats", "4");
    keys(&mut harness, Modifiers::NONE, Key::Enter);
    settle(&mut harness);
    assert!(shows(&harness, "2 of 4 rooms"));
    press(&mut harness, "Show all rooms");
    settle(&mut harness);
    assert!(!shows(&harness, "2 of 4 rooms"));
}

/// 2 400 exams in 60 rooms and 60 periods, as [`students_are_dragged_into_a_free_room_and_back_by_undo`] drags them.
#[test]
#[ignore = "measures times, which other tests would disturb"]
fn a_large_board_is_shown_and_dragged_over_without_delay() {
    use gridwright_timetabling::{
        Exam, Instance, InstanceParts, Objective, ObjectiveKind, Period, Resources, Timetable,
    };
    let mut harness = at_home(|home| {
        let exam = |number: usize| Exam { code: format!("EXAM{number:04}"), duration: Some(90), ..Exam::default() };
        let room = |number: usize| Room { code: format!("R{number:02}"), seats: 60, ..Room::default() };
        let students: Vec<Vec<u16>> = (0..20_000_u32)
            .map(|student| (0..5_u32).map(|k| ((student * 7 + k * 487) % 2_400) as u16).collect())
            .collect();
        let instance = Instance::build(InstanceParts {
            name: "large".to_owned(),
            exams: (0..2_400).map(exam).collect(),
            students,
            periods: vec![Period::default(); 60],
            resources: Resources { rooms: (0..60).map(room).collect(), ..Resources::default() },
            objective: Objective::of(ObjectiveKind::Office),
            file_hash: "4008".to_owned(),
            ..InstanceParts::default()
        })
        .unwrap();
        let sittings = instance.sittings();
        let periods: Vec<u16> = (0..2_400).map(|exam| exam % 60).collect();
        let rooms = sittings.iter().map(|sitting| seats((sitting.exam / 60) as u16, sitting.students)).collect();
        window(support::planned(instance, Timetable { periods, rooms }, home.path()))
    });
    show_rooms(&mut harness);
    press(&mut harness, "Actual size");
    settle(&mut harness);
    let names = crate::support::person::names(&harness, "Room R00, period 1,");
    harness.get_by_label(&names[0]).click();
    harness.run();
    let frame = |harness: &mut Window| {
        let began = std::time::Instant::now();
        harness.step();
        began.elapsed().as_secs_f64() * 1000.0
    };
    let shown: Vec<f64> = (0..20).map(|_| frame(&mut harness)).collect();
    let from = cell(&harness, "Room R00, period 1,");
    harness.drag_at(from);
    let mut dragged = Vec::new();
    for step in 1..12 {
        harness.hover_at(from + egui::vec2(60.0 * step as f32, 30.0 * (step % 7) as f32));
        dragged.push(frame(&mut harness));
    }
    let most = |times: &[f64]| times.iter().copied().fold(0.0, f64::max);
    println!("frames: at most {:.1} ms; frames with a new consequence: at most {:.1} ms", most(&shown), most(&dragged));
    assert!(most(&shown) < 16.0 && most(&dragged) < 50.0, "{shown:?} {dragged:?}");
}
