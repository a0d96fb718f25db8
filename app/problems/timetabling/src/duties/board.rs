//! The cells of the duties: posts of each person in each period, absences, and posts that lack people.

use std::ops::Range;

use egui::{Stroke, Ui};
use gridwright_core::numbers::{counted, counted_as};
use gridwright_timetabling::{Duty, Invigilator, Post};

use crate::analysis::days;
use crate::view_state::duties::Known;
use crate::widgets::matrix::{Mark, Source};
use gridwright_window::theme::{self, Palette, space};
use gridwright_window::widgets::painting::Overlay;

/// Invigilators and a last row of posts that lack people, period by period.
pub(super) struct Board<'a> {
    pub(super) known: &'a Known,
    /// Duty that was clicked last.
    pub(super) held: Option<usize>,
    pub(super) palette: &'static Palette,
    days: Vec<(Range<usize>, String)>,
}

impl<'a> Board<'a> {
    pub(super) fn new(known: &'a Known, held: Option<usize>, palette: &'static Palette) -> Self {
        Self { known, held, palette, days: days(&known.instance) }
    }

    fn person(&self, row: usize) -> Option<&Invigilator> {
        self.known.instance.resources.invigilators.get(row)
    }

    /// Number of duties in a cell or, in the last row, of people who are missing.
    fn count(&self, row: usize, column: usize) -> usize {
        match self.person(row) {
            Some(_) => self.known.at(row, column).count(),
            None => self.known.open_in(column).map(|open| open.missing).sum(),
        }
    }

    fn is_absent(&self, row: usize, column: usize) -> bool {
        self.person(row).is_some_and(|person| person.unavailable.contains(&(column as u16)))
    }

    /// Draws what is in a cell.
    pub(super) fn tooltip(&self, ui: &mut Ui, (row, column): (usize, usize)) {
        ui.spacing_mut().item_spacing.y = space::XS;
        let name = self.person(row).map_or("Open posts", Invigilator::label);
        ui.label(theme::bold(name));
        ui.label(egui::RichText::new(self.known.instance.period_label(column)).color(self.palette.weak));
        if self.is_absent(row, column) {
            ui.label("Absent");
        }
        match self.person(row) {
            Some(_) => self.known.at(row, column).for_each(|duty| {
                ui.label(detail(duty));
            }),
            None => self.known.open_in(column).for_each(|open| {
                let people = counted_as(open.missing as u64, "person", "people");
                ui.label(format!("{}: {people} missing", open.post.words()));
            }),
        }
    }
}

/// «room H1, until 10:53».
fn detail(duty: &Duty) -> String {
    let until = duty.when.end.map_or_else(String::new, |end| format!(", until {}", end.format("%H:%M")));
    duty.post.words() + &until
}

/// A post in a cell: the code of the room, `chief` or `reserve`.
fn short(post: &Post) -> &str {
    match post {
        Post::Room(room) => room,
        other => other.word(),
    }
}

impl Source for Board<'_> {
    fn rows(&self) -> usize {
        let people = self.known.instance.resources.invigilators.len();
        people + usize::from(!self.known.open.is_empty())
    }

    fn columns(&self) -> usize {
        self.known.instance.period_count()
    }

    fn marks(&self, row: usize, marks: &mut Vec<Mark>) {
        let is_open = self.person(row).is_none();
        for column in (0..self.columns()).filter(|&column| self.count(row, column) > 0) {
            let is_wrong = self.is_absent(row, column);
            let (colour, ink) = match is_open || is_wrong {
                true => (self.palette.clash, self.palette.on_clash()),
                false => (self.palette.bar, self.palette.text),
            };
            marks.push(Mark { column, colour, share: 1.0, ink, weight: 1.0, alarm: is_wrong });
        }
    }

    fn shaded(&self, row: usize, ranges: &mut Vec<Range<usize>>) {
        ranges.extend((0..self.columns()).filter(|&column| self.is_absent(row, column)).map(|at| at..at + 1));
    }

    fn row_label(&self, row: usize) -> (String, String) {
        match self.person(row) {
            Some(person) => {
                let load = counted_as(self.known.load(row) as u64, "duty", "duties");
                let most = person.most_duties.map_or_else(String::new, |most| format!(" of {most}"));
                (person.label().to_owned(), load + &most)
            }
            None => ("Open posts".to_owned(), String::new()),
        }
    }

    fn row_alarm(&self, row: usize) -> bool {
        let is_over = |person: &Invigilator| {
            let load = self.known.load(row);
            person.most_duties.is_some_and(|most| load > most as usize)
        };
        self.person(row).is_none_or(is_over)
    }

    fn is_detailed(&self) -> bool {
        true
    }

    fn column_label(&self, column: usize) -> String {
        (column + 1).to_string()
    }

    fn groups(&self) -> &[(Range<usize>, String)] {
        &self.days
    }

    fn cell_text(&self, row: usize, column: usize) -> String {
        match self.person(row) {
            Some(_) => {
                let posts: Vec<&str> = self.known.at(row, column).map(|duty| short(&duty.post)).collect();
                posts.join(", ")
            }
            None => self.count(row, column).to_string(),
        }
    }

    /// The posts, or the beginnings of them.
    fn cell_texts(&self, row: usize, column: usize) -> Vec<String> {
        let whole = self.cell_text(row, column);
        let short = |count: usize| whole.chars().take(count).collect::<String>() + "…";
        let shorter =
            [6, 3, 1].into_iter().filter(|&count| count < whole.chars().count()).map(short).collect::<Vec<_>>();
        std::iter::once(whole.clone()).chain(shorter).collect()
    }

    fn column_width(&self, row_height: f32) -> f32 {
        if row_height < 28.0 { row_height.min(24.0) } else { (row_height * 2.4).min(100.0) }
    }

    fn cell_name(&self, row: usize, column: usize) -> String {
        let period = format!("period {}", column + 1);
        let Some(person) = self.person(row) else {
            let posts: Vec<String> = self.known.open_in(column).map(|open| open.post.words()).collect();
            return match posts.is_empty() {
                true => format!("Open posts, {period}: none"),
                false => format!("Open posts, {period}: {}", posts.join("; ")),
            };
        };
        let duties: Vec<String> = self.known.at(row, column).map(detail).collect();
        let absent = if self.is_absent(row, column) { ", absent" } else { "" };
        let what = if duties.is_empty() { "no duty".to_owned() } else { duties.join("; ") };
        format!("{}, {period}{absent}: {what}", person.label())
    }

    fn overlays(&self, rows: Range<usize>, overlays: &mut Vec<(usize, usize, Overlay)>) {
        let Some(held) = self.held else { return };
        for row in rows.filter(|&row| self.person(row).is_some()) {
            for column in 0..self.columns() {
                let cell = self.known.cells.get(row * self.columns() + column);
                if cell.is_some_and(|cell| cell.contains(&held)) {
                    let stroke = Some(Stroke::new(2.0, self.palette.accent));
                    overlays.push((row, column, Overlay { stroke, ..Overlay::default() }));
                }
            }
        }
    }

    fn grabs(&self, row: usize, column: usize) -> bool {
        self.count(row, column) > 0
    }

    fn summary(&self) -> String {
        let people = counted(self.known.instance.resources.invigilators.len() as u64, "invigilator");
        let duties = counted_as(self.known.instance.duties.len() as u64, "duty", "duties");
        let missing: usize = self.known.open.iter().map(|open| open.missing).sum();
        format!("Duties, {people}, {duties}, {missing} missing")
    }
}
