//! Cells of the tables of the view *Data*.

use std::collections::BTreeMap;

use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, Pos2, Role, TouchPhase, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_window::services::Services;

use super::{Way, click, place, type_in};
use crate::support::person::{AtHome, Window, at_home, document, key, keys, open, press, shows};

// Heights of the headings and of a row.
const HEADINGS: f32 = 28.0;
const ROW: f32 = 24.0;

/// A session whose tables are shown.
fn tables() -> AtHome {
    let mut window = at_home(|home| open(Services::default(), home.path(), Some("sample:school")));
    press(&mut window, "Data");
    window.run_steps(4);
    window
}

/// Place of a shown cell.
fn cell(window: &Window, row: usize, heading: &str) -> Pos2 {
    let column = window.get_by_label(&format!("Sort by {heading}")).rect();
    let top = window.get_by_role(Role::Table).rect().top();
    Pos2::new(column.left() + 30.0, top + HEADINGS + (row as f32 + 0.5) * ROW)
}

fn contents(window: &Window, row: usize, column: usize) -> String {
    document(window).tables().tables[0].rows.get(row).map(|row| row.cell(column).to_owned()).unwrap_or_default()
}

/// Every text of the first column, in the order of the data.
fn students(window: &Window) -> Vec<String> {
    document(window).tables().tables[0].rows.iter().map(|row| row.cell(0).to_owned()).collect()
}

/// Types into the cell of the first column in a shown row, and leaves it.
fn type_and_leave(window: &mut Window, row: usize, text: &str, leave: &dyn Fn(&mut Window)) {
    let at = cell(window, row, "Student");
    click(window, at);
    type_in(window, text);
    leave(window);
    window.run_steps(4);
}

#[test]
fn a_typed_cell_stays_where_it_was_typed_whatever_is_clicked_next() {
    let other_cell = |window: &mut Window| {
        let at = cell(window, 5, "Exam");
        click(window, at);
    };
    let heading = |window: &mut Window| press(window, "Sort by Exam");
    let add = |window: &mut Window| press(window, "Add enrolment");
    let filter = |window: &mut Window| {
        let at = place(window, "Filter").center();
        click(window, at);
    };
    let tab = |window: &mut Window| {
        let exams = crate::support::person::names(window, "Exams ").remove(0);
        press(window, &exams);
        let enrolments = crate::support::person::names(window, "Enrolments ").remove(0);
        press(window, &enrolments);
    };
    let view = |window: &mut Window| {
        keys(window, Modifiers::COMMAND, Key::Num1);
        press(window, "Data");
    };
    let ways: [Way; 8] = [
        ("another cell", &other_cell),
        ("a heading", &heading),
        ("the button that adds a row", &add),
        ("the filter", &filter),
        ("another table", &tab),
        ("another view", &view),
        ("Enter", &|window| key(window, Key::Enter)),
        ("Tab", &|window| key(window, Key::Tab)),
    ];
    for is_sorted in [false, true] {
        for (way, leave) in ways {
            let mut window = tables();
            if is_sorted {
                press(&mut window, "Sort by Student");
            }
            let before = students(&window);
            type_and_leave(&mut window, 2, "zz9", leave);
            let after = students(&window);
            let added = usize::from(way.contains("adds"));
            assert_eq!(after.len(), before.len() + added, "{way}");
            let changed: Vec<usize> = (0..before.len()).filter(|&row| before[row] != after[row]).collect();
            assert_eq!(changed.len(), 1, "{way}, sorted: {is_sorted}");
            assert_eq!(after[changed[0]], "zz9", "{way}, sorted: {is_sorted}");
            if !is_sorted {
                assert_eq!(changed, [2], "{way}");
            }
        }
    }
}

#[test]
fn the_next_cell_is_the_one_that_was_clicked_also_in_a_sorted_table() {
    let mut window = tables();
    press(&mut window, "Sort by Student");
    let at = cell(&window, 3, "Exam");
    let wanted = {
        click(&mut window, at);
        crate::support::person::names(&window, "Enrolments, row 4, Exam").remove(0)
    };
    let first = cell(&window, 0, "Student");
    click(&mut window, first);
    type_in(&mut window, "zz9");
    click(&mut window, at);
    assert!(shows(&window, &wanted), "rows stay where they are: {wanted}");
    type_in(&mut window, "7");
    key(&mut window, Key::Escape);
    assert!(shows(&window, &wanted), "Escape takes it back");
}

#[test]
fn a_cell_that_is_scrolled_away_keeps_what_was_typed_and_the_table_stays_alive() {
    let mut window = tables();
    let at = cell(&window, 1, "Student");
    click(&mut window, at);
    type_in(&mut window, "zz9");
    for lines in [-60.0, 60.0] {
        window.hover_at(at);
        let (unit, source) = (MouseWheelUnit::Line, MouseWheelSource::Unknown);
        let (delta, phase, modifiers) = (vec2(0.0, lines), TouchPhase::Move, Modifiers::NONE);
        window.event(Event::MouseWheel { unit, delta, phase, source, modifiers });
        window.run_steps(30);
    }
    assert_eq!(contents(&window, 1, 0), "zz9");
    click(&mut window, at);
    type_in(&mut window, "aa1");
    key(&mut window, Key::Enter);
    assert_eq!(contents(&window, 1, 0), "aa1", "one click and a text are enough");
}

#[test]
fn the_filter_keeps_the_keyboard_after_the_first_letter() {
    let mut window = tables();
    let at = place(&window, "Filter").center();
    click(&mut window, at);
    type_in(&mut window, "abc");
    assert_eq!(super::value(&window, "Filter"), "abc");
    key(&mut window, Key::Escape);
    assert_eq!(super::value(&window, "Filter"), "", "Escape gives the former filter back");
}

/// Places of the tabs of the tables, from left to right.
fn tabs(window: &Window) -> Vec<egui::Rect> {
    window.query_all_by_role(Role::Tab).map(|node| node.rect()).collect()
}

#[test]
fn no_tab_moves_when_a_value_makes_no_sense() {
    let mut window = tables();
    let before = tabs(&window);
    assert!(before.len() >= 4, "{before:?}");
    let at = cell(&window, 1, "Exam");
    click(&mut window, at);
    key(&mut window, Key::Delete);
    crate::support::person::wait(&mut window, "the mark", |window| crate::support::person::shows(window, " (1 wrong)"));
    assert_eq!(tabs(&window), before);
}

#[test]
fn no_tab_moves_when_another_is_open() {
    for source in ["sample:school", "sample:workshop", "sample:layout-workshop", "sample:backpack"] {
        let mut window = at_home(|home| open(Services::default(), home.path(), Some(source)));
        let named = |window: &Window| {
            let tabs = window.query_all_by_role(Role::Tab).map(|node| {
                let label = node.accesskit_node().label().unwrap_or_default();
                (label, node.rect())
            });
            tabs.collect::<BTreeMap<_, _>>()
        };
        let before = named(&window);
        assert!(before.len() >= 4, "{source}: {before:?}");
        for (name, rect) in &before {
            click(&mut window, rect.center());
            window.run_steps(4);
            let after = named(&window);
            for (other, rect) in &before {
                assert_eq!(after.get(other), Some(rect), "{source}, {other} while {name} is open");
            }
        }
    }
}
