//! The main picture: exams × periods.

use std::ops::Range;

use egui::{RichText, Ui};
use gridwright_solver::timetabling::{Instance, drawing};

use super::Desk;
use super::analysis::{Effect, Picture, effects};
use crate::theme::{self, Palette, palette, space};
use crate::widgets::convergence::number;
use crate::widgets::icons::Icon;
use crate::widgets::matrix::{self, Mark, Source};
use crate::widgets::parameters::grouped;
use crate::widgets::{controls, matrix::View};

/// In which order exams stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// Most conflicting exams first.
    #[default]
    Degree,
    /// Most students first.
    Size,
    /// By code.
    Name,
    /// By period, so that the grid becomes a staircase.
    Period,
    /// Highest share of the cost first.
    Cost,
}

impl Sort {
    pub(super) const ALL: [(Self, &'static str, &'static str); 5] = [
        (Self::Degree, "Degree", "Exams with the most conflicts first"),
        (Self::Size, "Size", "Exams with the most students first"),
        (Self::Name, "Name", "By code"),
        (Self::Period, "Period", "By period: the grid becomes a staircase"),
        (Self::Cost, "Cost", "Exams with the highest share of the cost first"),
    ];
}

/// What a person has chosen for the grid.
#[derive(Debug, Default)]
pub struct State {
    pub(super) view: View,
    pub(super) sort: Sort,
    plain: bool,
}

/// Exams in the chosen order.
pub(super) fn order(instance: &Instance, picture: &Picture, sort: Sort) -> Vec<usize> {
    let drawn = match sort {
        Sort::Degree => drawing::Sort::Degree,
        Sort::Size => drawing::Sort::Size,
        Sort::Name => drawing::Sort::Name,
        Sort::Period => drawing::Sort::Period,
        Sort::Cost => {
            let mut order: Vec<usize> = (0..instance.exam_count()).collect();
            order.sort_by_key(|&exam| (std::cmp::Reverse(picture.shares[exam]), exam));
            return order;
        }
    };
    drawing::sorted_exams(instance, &picture.timetable, drawn)
}

struct Grid<'a> {
    instance: &'a Instance,
    picture: &'a Picture,
    order: &'a [usize],
    selected: Option<usize>,
    plain: bool,
    palette: &'static Palette,
}

impl Source for Grid<'_> {
    fn rows(&self) -> usize {
        self.order.len()
    }

    fn columns(&self) -> usize {
        self.instance.period_count()
    }

    fn marks(&self, row: usize, marks: &mut Vec<Mark>) {
        let exam = self.order[row];
        let Some(column) = self.picture.timetable.period_of(exam).filter(|&period| period < self.columns()) else {
            return;
        };
        let strength = self.picture.strength(exam);
        let alarm = self.picture.clashes[exam] > 0;
        let mut colour = if alarm { self.palette.clash } else { self.palette.cost(strength) };
        let mut ink = self.palette.on_cost(strength);
        // Around the selected exam only those with common students keep their colour.
        let related =
            self.selected.is_none_or(|other| other == exam || self.instance.conflicts.shared(other, exam) > 0);
        if !related && !alarm {
            colour = colour.lerp_to_gamma(self.palette.surface, 0.8);
            ink = self.palette.faint;
        }
        marks.push(Mark { column, colour, ink, weight: strength + f32::from(u8::from(related)), alarm });
    }

    fn shaded(&self, row: usize, ranges: &mut Vec<Range<usize>>) {
        if self.plain {
            return;
        }
        let mut blocked = vec![false; self.columns()];
        for (other, _) in self.instance.conflicts.of(self.order[row]) {
            if let Some(slot) = self.picture.timetable.period_of(other).and_then(|period| blocked.get_mut(period)) {
                *slot = true;
            }
        }
        let mut start = None;
        for (column, &on) in blocked.iter().chain([&false]).enumerate() {
            match (start, on) {
                (None, true) => start = Some(column),
                (Some(from), false) => {
                    ranges.push(from..column);
                    start = None;
                }
                _ => {}
            }
        }
    }

    fn row_label(&self, row: usize) -> (String, String) {
        let exam = &self.instance.exams[self.order[row]];
        (exam.code.clone(), exam.title.clone())
    }

    fn row_alarm(&self, row: usize) -> bool {
        let exam = self.order[row];
        self.picture.clashes[exam] > 0 || self.picture.timetable.period_of(exam).is_none()
    }

    fn is_detailed(&self) -> bool {
        self.instance.exams.iter().any(|exam| !exam.title.is_empty())
    }

    fn column_label(&self, column: usize) -> String {
        (column + 1).to_string()
    }

    fn cell_text(&self, row: usize, _column: usize) -> String {
        self.instance.exams[self.order[row]].enrolment.to_string()
    }

    fn summary(&self) -> String {
        let cost = self.picture.cost;
        format!(
            "Timetable grid, {} exams by {} periods, cost {}, {} clashes, {} exams without a period",
            self.rows(),
            self.columns(),
            number(self.instance.shown(cost.proximity)),
            cost.clashes,
            cost.unplaced
        )
    }
}

/// Shows the grid with its controls.
pub fn show(ui: &mut Ui, desk: &mut Desk) {
    let Some(picture) = desk.picture() else { return };
    let palette = palette(ui.visuals());
    let instance = std::sync::Arc::clone(&desk.instance);
    let (picture, selected) = (std::sync::Arc::clone(picture), desk.selected);
    toolbar(ui, desk, palette);
    let order = order(&instance, &picture, desk.grid.sort);
    let row = selected.and_then(|selected| order.iter().position(|&exam| exam == selected));
    let grid =
        Grid { instance: &instance, picture: &picture, order: &order, selected, plain: desk.grid.plain, palette };
    let outcome = matrix::show(ui, &grid, &mut desk.grid.view, row);
    desk.canvas_focused = outcome.response.has_focus();
    if let Some(clicked) = outcome.clicked {
        let exam = clicked.map(|row| order[row]);
        desk.selected = if exam == selected { None } else { exam };
    }
    if let Some(row) = outcome.stepped {
        desk.selected = order.get(row).copied();
    }
    if let Some((row, period)) = outcome.hovered {
        outcome.response.on_hover_ui_at_pointer(|ui| tooltip(ui, &instance, &picture, order[row], Some(period)));
    }
}

fn toolbar(ui: &mut Ui, desk: &mut Desk, palette: &Palette) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        ui.label(theme::small("Sort by").color(palette.weak));
        let choices: Vec<(&str, &str, bool)> = Sort::ALL.iter().map(|(_, name, help)| (*name, *help, true)).collect();
        let chosen = Sort::ALL.iter().position(|(sort, ..)| *sort == desk.grid.sort);
        if let Some((sort, ..)) = controls::segmented(ui, &choices, chosen).and_then(|index| Sort::ALL.get(index)) {
            desk.grid.sort = *sort;
        }
        let mut shaded = !desk.grid.plain;
        let response = ui.checkbox(&mut shaded, "Shade blocked periods");
        response.on_hover_text("Where an exam cannot go, because one with common students is there");
        desk.grid.plain = !shaded;
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let fitted = desk.grid.view.is_fitted();
            if controls::icon_button(ui, Icon::Fit, "Fit all exams into the view", !fitted).clicked() {
                desk.grid.view.fit();
            }
            // Where it does not fit, the tooltips of the cells say the same.
            if ui.available_width() > LEGEND {
                legend(ui, palette);
            }
        });
    });
}

/// Width of the legend.
const LEGEND: f32 = 240.0;

/// From no cost to the highest; from the right, as the layout runs.
fn legend(ui: &mut Ui, palette: &Palette) {
    ui.spacing_mut().item_spacing.x = space::XS;
    ui.label(theme::small("clash").color(palette.weak));
    let (rect, _) = ui.allocate_exact_size(egui::vec2(12.0, 12.0), egui::Sense::hover());
    ui.painter().rect_filled(rect, 1.0, palette.clash);
    Icon::Cross.paint(ui.painter(), rect.shrink(2.0), palette.surface);
    ui.add_space(space::S);
    ui.label(theme::small("high").color(palette.weak));
    let (rect, response) = ui.allocate_exact_size(egui::vec2(64.0, 10.0), egui::Sense::hover());
    let steps = 32;
    for step in 0..steps {
        let width = rect.width() / steps as f32;
        let left = rect.left() + step as f32 * width;
        let part = egui::Rect::from_min_size(egui::pos2(left, rect.top()), egui::vec2(width + 0.5, rect.height()));
        ui.painter().rect_filled(part, 0.0, palette.cost(step as f32 / (steps - 1) as f32));
    }
    response.on_hover_text("Share of the cost that an exam takes part in");
    ui.label(theme::small("Cost: low").color(palette.weak));
}

/// What there is to say of an exam, and of moving it to the period under the pointer.
pub fn tooltip(ui: &mut Ui, instance: &Instance, picture: &Picture, exam: usize, period: Option<usize>) {
    let palette = palette(ui.visuals());
    let data = &instance.exams[exam];
    ui.spacing_mut().item_spacing.y = space::XS;
    ui.horizontal(|ui| {
        ui.label(theme::bold(&data.code));
        ui.label(&data.title);
    });
    let place = picture.timetable.period_of(exam);
    let place = place.map_or_else(|| "no period".to_owned(), |period| instance.period_label(period));
    ui.label(RichText::new(format!("{place} · {} students", grouped(i64::from(data.enrolment)))).color(palette.weak));
    let share = instance.shown(picture.shares[exam]);
    ui.label(
        RichText::new(format!("Cost share {} ({:.1} %)", number(share), picture.percent(exam))).color(palette.weak),
    );
    if picture.clashes[exam] > 0 {
        let text = format!("Clashes: {} students have another exam in this period", picture.clashes[exam]);
        ui.label(theme::bold(text).color(palette.bad));
    }
    let Some(period) = period.filter(|&period| picture.timetable.period_of(exam) != Some(period)) else { return };
    let Some(&effect) = effects(instance, &picture.timetable, exam).get(period) else { return };
    ui.separator();
    let label = instance.period_label(period);
    let (text, colour) = effect_words(instance, effect);
    ui.label(theme::small(format!("To {label}")).color(palette.weak));
    ui.label(RichText::new(text).color(colour.of(palette)));
}

/// Whether something is good, bad or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// The cost falls.
    Better,
    /// The cost rises.
    Worse,
    /// Not allowed.
    Forbidden,
    /// No change.
    Same,
}

impl Mood {
    /// Its colour in text.
    pub fn of(self, palette: &Palette) -> egui::Color32 {
        match self {
            Self::Better => palette.good,
            Self::Worse => palette.warn,
            Self::Forbidden => palette.bad,
            Self::Same => palette.weak,
        }
    }
}

/// What a move would do, in words.
pub fn effect_words(instance: &Instance, effect: Effect) -> (String, Mood) {
    match effect {
        Effect::Here => ("It is here".to_owned(), Mood::Same),
        Effect::Forbidden { with, others, students } => {
            let plural = if students == 1 { "" } else { "s" };
            let who = match others {
                0 => format!("{} is", instance.exams[with].code),
                1 => format!("{} and one more exam are", instance.exams[with].code),
                _ => format!("{} and {others} more exams are", instance.exams[with].code),
            };
            (format!("Forbidden: {who} there; {students} student{plural} would clash"), Mood::Forbidden)
        }
        Effect::Change(0) => ("No change of the cost".to_owned(), Mood::Same),
        Effect::Change(change) if change < 0 => {
            (format!("Better by {}", number(instance.shown(change.unsigned_abs()))), Mood::Better)
        }
        Effect::Change(change) => (format!("Worse by {}", number(instance.shown(change.unsigned_abs()))), Mood::Worse),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_solver::timetabling::{Exam, InstanceParts, Period, Timetable};
    use std::sync::Arc;

    #[test]
    fn orders_and_shaded_stretches_by_hand() {
        let exam = |code: &str| Exam { code: code.to_owned(), ..Exam::default() };
        let instance = Instance::build(InstanceParts {
            exams: ["c", "a", "b"].map(exam).to_vec(),
            students: vec![vec![0, 1], vec![1, 2], vec![1, 2], vec![2]],
            periods: vec![Period::default(); 5],
            ..InstanceParts::default()
        })
        .unwrap();
        let picture = Picture::of(&instance, Arc::new(Timetable { periods: vec![2, 4, 1] }));
        assert_eq!(order(&instance, &picture, Sort::Degree), [1, 0, 2]);
        assert_eq!(order(&instance, &picture, Sort::Size), [1, 2, 0]);
        assert_eq!(order(&instance, &picture, Sort::Name), [1, 2, 0]);
        assert_eq!(order(&instance, &picture, Sort::Period), [2, 0, 1]);
        // c is 2 from a: 8; a is 3 from b: 2 · 4.
        assert_eq!(order(&instance, &picture, Sort::Cost), [1, 0, 2]);
        let order = [0, 1, 2];
        let palette = &theme::LIGHT;
        let grid =
            Grid { instance: &instance, picture: &picture, order: &order, selected: None, plain: false, palette };
        let mut ranges = Vec::new();
        grid.shaded(1, &mut ranges);
        assert_eq!(ranges, vec![1..3], "c is in 2, b in 1");
    }
}
