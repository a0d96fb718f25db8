//! The grid that beats.

use egui::{Key, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use gridwright_systolic_views::widgets::grid_playback::{Arrangement, Cell};

use super::hands::Hands;
use super::recorded::Recorded;
use super::support::canvas;

fn grid(rows: usize, columns: usize) -> Harness<'static, Recorded> {
    canvas(vec2(1100.0, 560.0), false, Recorded::new(rows, columns, 700), Recorded::ui)
}

const WHOLE: &str = "Grid of 7 rows and 100 columns";

fn press(grid: &mut Harness<'_, Recorded>, key: Key) -> Option<Cell> {
    grid.press(key);
    grid.state().selected
}

fn at(row: usize, column: usize) -> Option<Cell> {
    Some(Cell { row, column })
}

#[test]
fn cells_are_walked_by_keys_and_say_what_is_in_both_streams() {
    let mut grid = grid(7, 100);
    grid.focus(WHOLE);
    assert_eq!(press(&mut grid, Key::ArrowRight), at(0, 0), "the first cell of all");
    assert_eq!(press(&mut grid, Key::ArrowRight), at(0, 1));
    assert_eq!(press(&mut grid, Key::ArrowDown), at(1, 1));
    assert_eq!(press(&mut grid, Key::End), at(1, 99));
    assert_eq!(press(&mut grid, Key::ArrowRight), at(1, 99), "the last stays");
    let words = grid.value(WHOLE);
    assert!(words.starts_with("Row 2, column 100, horizontal: 0."), "{words}");
    assert!(words.contains("; Row 2, column 100, vertical: 0."), "{words}");
    assert_eq!(press(&mut grid, Key::Home), at(1, 0));
}

#[test]
fn cells_are_pressed_where_they_are_and_named_where_they_are_large() {
    let mut grid = grid(7, 20);
    let name = "Row 3, column 5, vertical: ";
    grid.click(name);
    assert_eq!(grid.state().selected, at(2, 4));
    let chosen = grid.get_by_label_contains(name).accesskit_node().is_selected();
    assert_eq!(chosen, Some(true));
    grid.click_unseen("Row 7, column 20, horizontal: ");
    assert_eq!(grid.state().selected, at(6, 19), "without a pointer, too");
    let beside = grid.get_by_label(WHOLE).rect().right_bottom() - vec2(4.0, 4.0);
    grid.click_at(beside);
    assert_eq!(grid.state().selected, None, "a click beside all cells selects nothing");
}

#[test]
fn small_cells_are_named_when_somebody_looks_at_them() {
    let mut grid = grid(11, 1500);
    assert!(grid.query_by_label_contains("Row 3, column ").is_none());
    grid.state_mut().selected = at(2, 700);
    grid.run();
    assert_eq!(grid.query_all_by_label_contains("Row 3, column 701, ").count(), 2, "in both streams");
}

#[test]
fn columns_are_enlarged_and_all_shown_again() {
    let mut grid = grid(11, 1500);
    assert!(grid.state().view.is_fitted());
    grid.focus(WHOLE);
    for _ in 0..20 {
        grid.press(Key::Plus);
    }
    assert!(!grid.state().view.is_fitted());
    let named = |grid: &Harness<'_, Recorded>, cell: &str| grid.query_all_by_label_contains(cell).count();
    assert!(named(&grid, "Row 1, column 1, ") == 2 && named(&grid, "Row 1, column 1500, ") == 0, "as large as names");
    assert_eq!(press(&mut grid, Key::End), at(0, 1499));
    assert!(named(&grid, "Row 1, column 1499, ") == 2, "and it has come into view");
    grid.click("Show all columns");
    assert!(grid.state().view.is_fitted());
}

#[test]
fn streams_lie_as_a_person_wants() {
    let mut grid = grid(6, 24);
    let place = |grid: &Harness<'_, Recorded>, stream: &str| {
        grid.get_by_label_contains(&format!("Row 1, column 1, {stream}: ")).rect()
    };
    assert!(place(&grid, "vertical").left() > place(&grid, "horizontal").right(), "few columns: side by side");
    grid.click("Above");
    assert_eq!(grid.state().view.arrangement, Arrangement::Above);
    assert!(place(&grid, "vertical").top() > place(&grid, "horizontal").bottom());
}
