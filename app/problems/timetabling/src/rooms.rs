//! View of the rooms: rooms as rows, periods as columns, each cell with its exams and the seats that are taken.
//!
//! Students of a cell are dragged into another cell; while an exam is selected, the cells that would take its students are
//! shaded by what that costs.

mod board;
mod day;
mod filter;

use std::sync::Arc;

use egui::Ui;
use gridwright_timetabling::room_moves::{Part, RoomMove};

use super::occupation::{Occupation, Seated};
use super::state::Document;
use super::view_state::rooms::{Filter, Mode};
use super::{adjusting, search};
use crate::methods::*;
use crate::widgets::matrix::{self, Outcome};
use board::{Board, tooltip};
use gridwright_window::theme::{palette, space};
use gridwright_window::widgets::controls::{button, modes, placeholder};
use gridwright_window::widgets::icons::Icon;

/// Width of the view from which the search has its full width.
const WIDE: f32 = 760.0;

/// Height of a row at which its exams can be read.
const ACTUAL: f32 = 42.0;

/// Shows the rooms.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(picture) = document.picture().map(Arc::clone) else { return };
    let instance = Arc::clone(&document.instance);
    if !instance.has_rooms() {
        placeholder(ui, Icon::Info, "No rooms", "This session plans no rooms. Enter them in the view Data.", |_| {});
        return;
    }
    if picture.timetable.rooms.is_empty() {
        let text = "This timetable was made without rooms. Solve again, and every exam gets its rooms.";
        placeholder(ui, Icon::Info, "No exam has a room", text, |_| {});
        return;
    }
    update(document, &picture.timetable);
    if document.state.rooms.mode == Mode::Day && day::has_clock(&instance) {
        day::show(ui, document);
        return;
    }
    toolbar(ui, document);
    if document.state.rooms.rows.is_empty() {
        let mut all = false;
        placeholder(ui, Icon::Info, "Nothing to show", "No room passes the filter.", |ui| {
            all = button(ui, Icon::Reset, "Show all rooms", true).clicked();
        });
        if all {
            document.state.rooms.filter = Filter::default();
        }
        return;
    }
    let held = document.state.rooms.held;
    let choices = held.and_then(|part| document.room_choices(part));
    let state = &mut document.state.rooms;
    let palette = palette(ui.visuals());
    let here = held.and_then(|part| picture.timetable.period_of(instance.sittings().get(part.sitting)?.exam));
    let board = Board {
        instance: &instance,
        occupation: &state.occupation,
        rows: &state.rows,
        selected: document.selected,
        held,
        here,
        choices: choices.as_deref(),
        palette,
    };
    let outcome = matrix::show(ui, &board, &mut state.view, state.row);
    if let Some((row, column)) = outcome.hovered.filter(|_| outcome.dragged.is_none()) {
        outcome.response.clone().on_hover_ui_at_pointer(|ui| tooltip(ui, &board, (row, column)));
    }
    follow(ui, document, &outcome);
}

/// Brings the occupation, the rows that the filter shows and the held students up to date.
fn update(document: &mut Document, timetable: &gridwright_timetabling::Timetable) {
    let instance = Arc::clone(&document.instance);
    let (revision, selected) = (document.revision(), document.selected);
    let state = &mut document.state.rooms;
    let key = (revision, state.filter.clone());
    if state.key.as_ref() != Some(&key) {
        state.occupation = Occupation::of(&instance, timetable);
        let rooms = &instance.resources.rooms;
        let passes = |&row: &usize| rooms.get(row).map_or(state.filter.is_empty(), |room| state.filter.admits(room));
        state.rows = (0..state.occupation.rows()).filter(passes).collect();
        state.key = Some(key);
    }
    let parts = selected.map_or_else(Vec::new, |exam| adjusting::parts(&instance, timetable, exam));
    if state.held.is_none_or(|held| !parts.contains(&held)) {
        state.held = parts.into_iter().max_by_key(|part| part.students);
    }
    if selected != state.seen {
        state.seen = selected;
        let row = selected.and_then(|exam| state.occupation.row_of(exam));
        if let Some(row) = row.and_then(|row| state.rows.iter().position(|&shown| shown == row)) {
            state.view.reveal(row);
        }
    }
}

/// The part that a seated exam is in a row of the occupation.
fn part_of(seated: &Seated, row: usize, rooms: usize) -> Part {
    Part { sitting: seated.sitting, room: (row < rooms).then_some(row as u16), students: seated.students }
}

/// Applies the user's clicks, drags and keys on the rooms.
fn follow(ui: &Ui, document: &mut Document, outcome: &Outcome) {
    document.canvas_focused = outcome.response.has_focus();
    let rooms = document.instance.resources.rooms.len();
    let selected = document.selected;
    let state = &mut document.state.rooms;
    let row_of = |row: usize, rows: &[usize]| rows.get(row).copied();
    state.row = outcome.stepped.or(outcome.clicked.flatten()).or(state.row);
    let clicked = outcome.clicked.and_then(|row| row.zip(outcome.hovered.map(|(_, column)| column)));
    let chosen = clicked.or(outcome.pressed).or(outcome.cursor.filter(|_| outcome.entered));
    let mut wanted = None;
    if let Some((row, column)) = chosen
        && let Some(row) = row_of(row, &state.rows)
        && let Some(cell) = state.occupation.cell(row, column)
    {
        // A second click on a cell goes on to its next exam; Enter on an empty cell puts the held students there.
        let at = cell.seated.iter().position(|seated| Some(seated.exam) == selected);
        let next = at.map_or(0, |at| (at + 1) % cell.seated.len());
        match (cell.seated.get(next), state.held) {
            (Some(seated), _) => {
                state.held = Some(part_of(seated, row, rooms));
                document.selected = Some(seated.exam);
            }
            (None, Some(part)) if outcome.entered && row < rooms => {
                wanted = Some(RoomMove::Put { part, room: row as u16, period: column });
            }
            (None, _) => document.selected = None,
        }
        document.state.rooms.seen = document.selected;
    }
    let wanted = dragged(ui, document, outcome).or(wanted);
    if let Some(change) = wanted {
        document.ask_rooms(change);
    }
}

/// Follows a drag of students over the rooms; returns the change once they are dropped.
fn dragged(ui: &Ui, document: &mut Document, outcome: &Outcome) -> Option<RoomMove> {
    let rooms = document.instance.resources.rooms.len();
    let selected = document.selected;
    let (row, column) = outcome.dragged?;
    let state = &mut document.state.rooms;
    let from = state.rows.get(row).copied()?;
    let cell = state.occupation.cell(from, column)?;
    let seated = cell.seated.iter().find(|seated| Some(seated.exam) == selected).or(cell.seated.first())?;
    let part = part_of(seated, from, rooms);
    (state.held, document.selected) = (Some(part), Some(seated.exam));
    document.state.rooms.seen = document.selected;
    let at = ui.input(|input| input.pointer.latest_pos())?;
    let (row, period) = (outcome.layout.row_at(at)?, outcome.layout.column_at(at)?);
    let to = document.state.rooms.rows.get(row).copied().filter(|&to| to < rooms)?;
    if (to, period) == (from, column) {
        return None;
    }
    let change = RoomMove::Put { part, room: to as u16, period };
    if outcome.dropped.is_some() {
        return Some(change);
    }
    if outcome.response.dragged() {
        adjusting::room_hint(ui, document, change);
    }
    None
}

/// Draws the choice between the session and one day, where periods have times.
fn mode_choice(ui: &mut Ui, document: &mut Document) {
    if day::has_clock(&document.instance)
        && let Some(mode) = modes(ui, &Mode::ALL, Mode::words, document.state.rooms.mode)
    {
        document.state.rooms.mode = mode;
    }
}

fn toolbar(ui: &mut Ui, document: &mut Document) {
    let palette = palette(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(space::S, space::XS);
        mode_choice(ui, document);
        filter::menu(ui, document);
        search::field(ui, document, if ui.max_rect().width() > WIDE { 168.0 } else { 120.0 });
        filter::use_menu(ui, document);
        room_button(ui, document);
        matrix::size_buttons(
            ui,
            &mut document.state.rooms.view,
            ACTUAL,
            ["Cells in which the exams can be read", "Fit all rooms into the view"],
        );
        if ui.available_width() > board::LEGEND {
            board::legend(ui, palette);
        }
    });
}

/// Draws the button that opens the list of rooms for the selected exam.
fn room_button(ui: &mut Ui, document: &mut Document) {
    let selected = document.selected;
    // The button is always there, so that nothing moves under the pointer when an exam is selected.
    let response = button(ui, Icon::Pencil, "Room…", selected.is_some());
    let response = response.on_hover_text("Put the selected exam into another room (R)");
    let clicked = response.on_disabled_hover_text("Select an exam first").clicked();
    if let Some(exam) = selected.filter(|_| clicked)
        && let Err(why) = document.choose_room(exam)
    {
        document.say(why);
    }
}
