//! The cells of the rooms: their exams, the seats that are taken, and the shades while students are held.

use std::ops::Range;

use egui::{Color32, Sense, Stroke, StrokeKind, Ui, vec2};
use gridwright_core::numbers::grouped;
use gridwright_timetabling::room_moves::{Choices, Part};
use gridwright_timetabling::{Instance, Room};

use crate::adjusting;
use crate::describe::counted;
use crate::occupation::{Cell, Occupation, Seated};
use crate::widgets::matrix::{Mark, Source};
use gridwright_window::theme::{self, Palette, space};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::painting::Overlay;

/// Width of the legend.
pub(super) const LEGEND: f32 = 420.0;

/// The rooms that are shown, period by period.
pub(super) struct Board<'a> {
    pub(super) instance: &'a Instance,
    pub(super) occupation: &'a Occupation,
    /// Row of the occupation for each row that is shown.
    pub(super) rows: &'a [usize],
    pub(super) selected: Option<usize>,
    /// Students who would be put elsewhere.
    pub(super) held: Option<Part>,
    /// Period of the held students.
    pub(super) here: Option<usize>,
    /// Places of the held students.
    pub(super) choices: Option<&'a Choices>,
    pub(super) palette: &'static Palette,
}

impl Board<'_> {
    fn row(&self, row: usize) -> usize {
        self.rows.get(row).copied().unwrap_or(usize::MAX)
    }

    fn room(&self, row: usize) -> Option<&Room> {
        self.instance.resources.rooms.get(self.row(row))
    }

    fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        self.occupation.cell(self.row(row), column)
    }

    /// «120 of 150 seats», «closed», «no seat for 4 students».
    fn load(&self, row: usize, cell: &Cell) -> String {
        match self.room(row) {
            None => format!("no seat for {}", counted(cell.students, "student")),
            Some(_) if cell.closed && cell.seated.is_empty() => "closed".to_owned(),
            Some(room) => format!("{} of {} taken", grouped(cell.students), counted(u64::from(room.seats), "seat")),
        }
    }

    /// Share of the seats of a room that are taken over all periods in which it can be used.
    fn use_of(&self, row: usize) -> Option<f64> {
        let room = self.room(row)?;
        let cells: Vec<&Cell> = (0..self.columns()).filter_map(|column| self.cell(row, column)).collect();
        let open = cells.iter().filter(|cell| !cell.closed).count() as u64;
        let taken: u64 = cells.iter().map(|cell| cell.students).sum();
        (open > 0 && room.seats > 0).then(|| taken as f64 / (open * u64::from(room.seats)) as f64)
    }

    /// Shade of a cell for the held students: what it costs, or blocked.
    fn shade(&self, row: usize, column: usize, largest: u64) -> Option<Color32> {
        let (part, choices) = self.held.zip(self.choices)?;
        let room = self.row(row);
        if part.room.map(usize::from) == Some(room) && self.here == Some(column) {
            return None;
        }
        let choice = choices.at(room, column)?;
        let consequence = choices.periods.get(column)?;
        let is_here = self.here == Some(column);
        if choice.free < u64::from(part.students) || !(is_here || consequence.is_free()) {
            return Some(self.palette.blocked.gamma_multiply(0.4));
        }
        let now = part.room.zip(self.here).and_then(|(room, here)| choices.at(room.into(), here));
        let change = match is_here {
            true => choice.price as i64 - now.map_or(0, |now| now.price) as i64,
            false => consequence.change,
        };
        Some(adjusting::shade_of(self.palette, change, largest).gamma_multiply(0.6))
    }
}

impl Source for Board<'_> {
    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn columns(&self) -> usize {
        self.occupation.periods
    }

    fn marks(&self, row: usize, marks: &mut Vec<Mark>) {
        for column in 0..self.columns() {
            let Some(cell) = self.cell(row, column).filter(|cell| !cell.seated.is_empty()) else { continue };
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
        let closed = |column: usize| self.cell(row, column).is_some_and(|cell| cell.closed);
        ranges.extend((0..self.columns()).filter(|&column| closed(column)).map(|column| column..column + 1));
    }

    fn row_label(&self, row: usize) -> (String, String) {
        let Some(room) = self.room(row) else { return ("No room".to_owned(), String::new()) };
        let used = self.use_of(row).map_or_else(String::new, |share| format!(", {:.0} % used", share * 100.0));
        (room.code.clone(), counted(u64::from(room.seats), "seat") + &used)
    }

    fn row_alarm(&self, row: usize) -> bool {
        let mut cells = (0..self.columns()).filter_map(|column| self.cell(row, column));
        cells.any(|cell| !cell.fault.is_empty())
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
        let Some(cell) = self.cell(row, column) else { return String::new() };
        match self.room(row) {
            Some(room) => format!("{}/{}", grouped(cell.students), grouped(room.seats)),
            None => grouped(cell.students),
        }
    }

    /// All exams with their lengths, or as many as fit above the seats, or the seats alone.
    fn cell_texts(&self, row: usize, column: usize) -> Vec<String> {
        let Some(cell) = self.cell(row, column) else { return Vec::new() };
        let load = self.cell_text(row, column);
        let exams: Vec<&[Seated]> = cell.seated.chunk_by(|one, other| one.exam == other.exam).collect();
        let code = |seated: &[Seated]| {
            self.instance.exams.get(seated[0].exam).map_or("?", |exam| exam.code.as_str()).to_owned()
        };
        let lines = |count: usize| {
            let more = exams.len() - count;
            let more = (more > 0).then(|| format!("+ {more}"));
            let codes = exams[..count].iter().map(|seated| code(seated));
            codes.chain(more).chain([load.clone()]).collect::<Vec<_>>().join("\n")
        };
        let lengths = exams.iter().map(|seated| [code(seated), length(self.instance, seated)].join(" "));
        let whole = lengths.chain([load.clone()]).collect::<Vec<_>>().join("\n");
        let shorter = (1..=exams.len()).rev().map(lines);
        std::iter::once(whole).chain(shorter).chain([load.clone()]).collect()
    }

    fn tallest(&self) -> f32 {
        72.0
    }

    fn column_width(&self, row_height: f32) -> f32 {
        // Wide enough for codes of exams once rows have more than one line.
        if row_height < 30.0 { row_height.min(24.0) } else { (row_height * 2.0).min(120.0) }
    }

    fn cell_name(&self, row: usize, column: usize) -> String {
        let Some(cell) = self.cell(row, column) else { return String::new() };
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
        let largest = self.choices.map_or(0, |choices| adjusting::largest_change(&choices.periods));
        for row in rows {
            for column in 0..self.columns() {
                let Some(cell) = self.cell(row, column) else { continue };
                let is_selected = cell.seated.iter().any(|seated| Some(seated.exam) == self.selected);
                let stroke = is_selected.then(|| Stroke::new(2.0, self.palette.accent));
                let icon = cell.closed.then_some((Icon::Cross, self.palette.weak));
                let fill = self.shade(row, column, largest).filter(|_| !cell.closed);
                if stroke.is_some() || icon.is_some() || fill.is_some() {
                    overlays.push((row, column, Overlay { fill, stroke, icon }));
                }
            }
        }
    }

    fn grabs(&self, row: usize, column: usize) -> bool {
        self.cell(row, column).is_some_and(|cell| !cell.seated.is_empty())
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

/// Length of an exam in a room with the longest extra time there: «90+23 min»; with «alone» if the room is its own.
fn length(instance: &Instance, seated: &[Seated]) -> String {
    let minutes = instance.exams.get(seated[0].exam).and_then(|exam| exam.duration);
    let extra = seated.iter().map(|seated| seated.extra).max().unwrap_or(0);
    let words = match (minutes, extra) {
        (None, 0) => String::new(),
        (None, extra) => format!("+{extra} min"),
        (Some(minutes), 0) => format!("{minutes} min"),
        (Some(minutes), extra) => format!("{minutes}+{extra} min"),
    };
    let own = if seated.iter().any(|seated| seated.own_room) { "alone" } else { "" };
    [words.as_str(), own].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The words of a seated exam with its duration and whether it needs the room alone.
fn detail(instance: &Instance, seated: &Seated) -> String {
    let minutes = instance.exams.get(seated.exam).and_then(|exam| exam.duration);
    let lasts = minutes.map_or_else(String::new, |minutes| format!(", {minutes} min"));
    let own = if seated.own_room { ", own room" } else { "" };
    seated_words(instance, seated) + &lasts + own
}

/// Draws what is in a cell.
pub(super) fn tooltip(ui: &mut Ui, board: &Board<'_>, (row, column): (usize, usize)) {
    /// Exams that are listed.
    const LISTED: usize = 12;
    let Some(cell) = board.cell(row, column) else { return };
    let palette = board.palette;
    ui.spacing_mut().item_spacing.y = space::XS;
    let (code, _) = board.row_label(row);
    let building = board.room(row).map_or("", |room| room.building.as_str());
    ui.horizontal(|ui| {
        ui.label(theme::bold(code));
        ui.label(building);
    });
    let period = board.instance.period_label(column);
    ui.label(egui::RichText::new(format!("{period} · {}", board.load(row, cell))).color(palette.weak));
    for seated in cell.seated.iter().take(LISTED) {
        ui.label(detail(board.instance, seated));
    }
    if cell.seated.len() > LISTED {
        ui.label(format!("and {} more", cell.seated.len() - LISTED));
    }
    if !cell.fault.is_empty() {
        ui.label(theme::bold(gridwright_core::text::sentence_case(&cell.fault)).color(palette.bad));
    }
}

/// Draws samples of the cells.
pub(super) fn legend(ui: &mut Ui, palette: &Palette) {
    let sample = |ui: &mut Ui, words: &str, fill: Color32, share: f32, icon: Option<Color32>| {
        ui.spacing_mut().item_spacing.x = space::XS;
        let (rect, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
        ui.painter().rect_filled(rect.with_min_y(rect.bottom() - rect.height() * share), 1.0, fill);
        ui.painter().rect_stroke(rect, 1.0, Stroke::new(1.0, palette.border_strong), StrokeKind::Inside);
        if let Some(colour) = icon {
            Icon::Cross.paint(ui.painter(), rect.shrink(2.0), colour);
        }
        ui.label(theme::small(words).color(palette.weak));
        ui.add_space(space::S);
    };
    sample(ui, "seats taken", palette.bar, 0.6, None);
    sample(ui, "free", palette.surface, 1.0, None);
    sample(ui, "too full", palette.clash, 1.0, Some(palette.surface));
    sample(ui, "cannot be used", palette.blocked, 1.0, Some(palette.weak));
}
