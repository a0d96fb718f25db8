//! View of the rooms: rooms as rows, periods as columns, each cell with the seats that are taken.

use std::ops::Range;
use std::sync::Arc;

use egui::{Color32, Sense, Stroke, StrokeKind, Ui, vec2};
use gridwright_core::numbers::grouped;
use gridwright_timetabling::{Instance, Room};

use super::Document;
use super::describe::counted;
use super::occupation::{Cell, Occupation, Seated};
use super::search;
use crate::widgets::matrix::{self, Mark, Source};
use gridwright_window::theme::{self, Palette, palette, space};
use gridwright_window::widgets::controls::{icon_button, placeholder};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::painting::Overlay;

/// Width of the legend.
const LEGEND: f32 = 330.0;

struct Rooms<'a> {
    instance: &'a Instance,
    occupation: &'a Occupation,
    selected: Option<usize>,
    palette: &'static Palette,
}

impl Rooms<'_> {
    fn room(&self, row: usize) -> Option<&Room> {
        self.instance.resources.rooms.get(row)
    }

    /// «120 of 150 seats», «closed», «no seat for 4 students».
    fn load(&self, row: usize, cell: &Cell) -> String {
        match self.room(row) {
            None => format!("no seat for {}", counted(cell.students, "student")),
            Some(_) if cell.closed && cell.seated.is_empty() => "closed".to_owned(),
            Some(room) => format!("{} of {} taken", grouped(cell.students), counted(u64::from(room.seats), "seat")),
        }
    }
}

impl Source for Rooms<'_> {
    fn rows(&self) -> usize {
        self.occupation.rows()
    }

    fn columns(&self) -> usize {
        self.occupation.periods
    }

    fn marks(&self, row: usize, marks: &mut Vec<Mark>) {
        for column in 0..self.columns() {
            let Some(cell) = self.occupation.cell(row, column).filter(|cell| !cell.seated.is_empty()) else { continue };
            let seats = self.room(row).map_or(0, |room| room.seats);
            let alarm = !cell.fault.is_empty();
            let share = if alarm { 1.0 } else { (cell.students as f32 / seats.max(1) as f32).max(0.06) };
            let (colour, ink) = match alarm {
                true => (self.palette.clash, self.palette.on_clash()),
                false => (self.palette.bar, self.palette.text),
            };
            marks.push(Mark { column, colour, share, ink, weight: share, alarm });
        }
    }

    fn shaded(&self, row: usize, ranges: &mut Vec<Range<usize>>) {
        let closed = |column: usize| self.occupation.cell(row, column).is_some_and(|cell| cell.closed);
        ranges.extend((0..self.columns()).filter(|&column| closed(column)).map(|column| column..column + 1));
    }

    fn row_label(&self, row: usize) -> (String, String) {
        match self.room(row) {
            Some(room) => (room.code.clone(), counted(u64::from(room.seats), "seat")),
            None => ("No room".to_owned(), String::new()),
        }
    }

    fn row_alarm(&self, row: usize) -> bool {
        let cells = (0..self.columns()).filter_map(|column| self.occupation.cell(row, column));
        cells.into_iter().any(|cell| !cell.fault.is_empty())
    }

    fn is_detailed(&self) -> bool {
        true
    }

    fn column_label(&self, column: usize) -> String {
        (column + 1).to_string()
    }

    fn groups(&self) -> &[(Range<usize>, String)] {
        &self.occupation.days
    }

    fn cell_text(&self, row: usize, column: usize) -> String {
        let Some(cell) = self.occupation.cell(row, column) else { return String::new() };
        match self.room(row) {
            Some(room) => format!("{}/{}", grouped(cell.students), grouped(room.seats)),
            None => grouped(cell.students),
        }
    }

    fn cell_name(&self, row: usize, column: usize) -> String {
        let Some(cell) = self.occupation.cell(row, column) else { return String::new() };
        let room = self.room(row).map_or_else(String::new, |room| format!("Room {}, ", room.code));
        let mut words = format!("{room}period {}, {}", column + 1, self.load(row, cell));
        let seated: Vec<String> = cell.seated.iter().map(|seated| seated_words(self.instance, seated)).collect();
        if !seated.is_empty() {
            words += &format!(": {}", seated.join(", "));
        }
        if !cell.fault.is_empty() {
            words += &format!("; {}", cell.fault);
        }
        words
    }

    fn overlays(&self, rows: Range<usize>, overlays: &mut Vec<(usize, usize, Overlay)>) {
        for row in rows {
            for column in 0..self.columns() {
                let Some(cell) = self.occupation.cell(row, column) else { continue };
                let is_selected = cell.seated.iter().any(|seated| Some(seated.exam) == self.selected);
                let stroke = is_selected.then(|| Stroke::new(2.0, self.palette.accent));
                let icon = cell.closed.then_some((Icon::Cross, self.palette.weak));
                if stroke.is_some() || icon.is_some() {
                    overlays.push((row, column, Overlay { fill: None, stroke, icon }));
                }
            }
        }
    }

    fn summary(&self) -> String {
        let faults = self.occupation.faults() as u64;
        let rooms = counted(self.instance.resources.rooms.len() as u64, "room");
        let periods = counted(self.columns() as u64, "period");
        format!("Rooms, {rooms} by {periods}, {} where something is wrong", counted(faults, "cell"))
    }
}

/// «MAT201 38», «MAT201 4 (+23 min)».
fn seated_words(instance: &Instance, seated: &Seated) -> String {
    let code = instance.exams.get(seated.exam).map_or("?", |exam| exam.code.as_str());
    let extra = if seated.extra > 0 { format!(" (+{} min)", seated.extra) } else { String::new() };
    format!("{code} {}{extra}", grouped(seated.students))
}

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
    toolbar(ui, document);
    let revision = document.revision();
    let state = &mut document.state.rooms;
    if state.key != Some(revision) {
        state.occupation = Occupation::of(&instance, &picture.timetable);
        state.key = Some(revision);
    }
    if document.selected != state.seen {
        state.seen = document.selected;
        if let Some(row) = document.selected.and_then(|exam| state.occupation.row_of(exam)) {
            state.view.reveal(row);
        }
    }
    let palette = palette(ui.visuals());
    let source = Rooms { instance: &instance, occupation: &state.occupation, selected: document.selected, palette };
    let outcome = matrix::show(ui, &source, &mut state.view, state.row);
    document.canvas_focused = outcome.response.has_focus();
    state.row = outcome.stepped.or(outcome.clicked.flatten()).or(state.row);
    let clicked = outcome.clicked.and_then(|row| row.zip(outcome.hovered.map(|(_, column)| column)));
    let chosen = clicked.or(outcome.pressed).or(outcome.cursor.filter(|_| outcome.entered));
    if let Some(cell) = chosen.and_then(|(row, column)| state.occupation.cell(row, column)) {
        // A second click on a cell goes on to its next exam.
        let at = cell.seated.iter().position(|seated| Some(seated.exam) == document.selected);
        let next = at.map_or(0, |at| (at + 1) % cell.seated.len());
        document.selected = cell.seated.get(next).map(|seated| seated.exam);
        state.seen = document.selected;
    }
    if let Some((row, column)) = outcome.hovered {
        let source = Rooms { instance: &instance, occupation: &state.occupation, selected: None, palette };
        let cell = state.occupation.cell(row, column);
        outcome.response.on_hover_ui_at_pointer(|ui| {
            if let Some(cell) = cell {
                tooltip(ui, &source, cell, (row, column));
            }
        });
    }
}

fn tooltip(ui: &mut Ui, source: &Rooms<'_>, cell: &Cell, (row, column): (usize, usize)) {
    /// Exams that are listed.
    const LISTED: usize = 12;
    let palette = source.palette;
    ui.spacing_mut().item_spacing.y = space::XS;
    let (code, _) = source.row_label(row);
    let building = source.room(row).map_or("", |room| room.building.as_str());
    ui.horizontal(|ui| {
        ui.label(theme::bold(code));
        ui.label(building);
    });
    let period = source.instance.period_label(column);
    ui.label(egui::RichText::new(format!("{period} · {}", source.load(row, cell))).color(palette.weak));
    for seated in cell.seated.iter().take(LISTED) {
        ui.label(seated_words(source.instance, seated));
    }
    if cell.seated.len() > LISTED {
        ui.label(format!("and {} more", cell.seated.len() - LISTED));
    }
    if !cell.fault.is_empty() {
        ui.label(theme::bold(gridwright_core::text::sentence_case(&cell.fault)).color(palette.bad));
    }
}

fn toolbar(ui: &mut Ui, document: &mut Document) {
    let palette = palette(ui.visuals());
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        search::field(ui, document, 168.0);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let view = &mut document.state.rooms.view;
            let fitted = view.is_fitted();
            if icon_button(ui, Icon::Fit, "Fit all rooms into the view", !fitted).clicked() {
                view.fit();
            }
            if ui.available_width() > LEGEND {
                legend(ui, palette);
            }
        });
    });
}

/// Draws samples of the cells, laid out from the right.
fn legend(ui: &mut Ui, palette: &Palette) {
    let sample = |ui: &mut Ui, words: &str, fill: Color32, share: f32, icon: Option<Color32>| {
        ui.spacing_mut().item_spacing.x = space::XS;
        ui.label(theme::small(words).color(palette.weak));
        let (rect, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
        ui.painter().rect_filled(rect.with_min_y(rect.bottom() - rect.height() * share), 1.0, fill);
        ui.painter().rect_stroke(rect, 1.0, Stroke::new(1.0, palette.border_strong), StrokeKind::Inside);
        if let Some(colour) = icon {
            Icon::Cross.paint(ui.painter(), rect.shrink(2.0), colour);
        }
        ui.add_space(space::S);
    };
    sample(ui, "cannot be used", palette.blocked, 1.0, Some(palette.weak));
    sample(ui, "too full", palette.clash, 1.0, Some(palette.surface));
    sample(ui, "free", palette.surface, 1.0, None);
    sample(ui, "seats taken", palette.bar, 0.6, None);
}
