//! The main picture: exams × periods.

use std::ops::Range;
use std::sync::Arc;

use egui::Ui;
use gridwright_timetabling::Instance;
use gridwright_timetabling::moves::{Consequence, by_hand};
use gridwright_timetabling::run::holding::Held;

use super::Document;
use super::adjusting;
use super::analysis::{Picture, days};
use super::describe::{exam_line, short_cost, tooltip};
use super::search;
use super::views::{self, Filter, Sort};
use super::without_place;
use crate::methods::*;
use crate::widgets::matrix::{self, Mark, Source};
use gridwright_window::theme::{self, Palette, palette, space};
use gridwright_window::widgets::controls;
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::painting::Overlay;

struct Grid<'a> {
    instance: &'a Instance,
    picture: &'a Picture,
    order: &'a [usize],
    selected: Option<usize>,
    plain: bool,
    days: &'a [(Range<usize>, String)],
    palette: &'static Palette,
    /// The exam that is selected, and what each period would do to it.
    moves: Option<(usize, Arc<Vec<Consequence>>)>,
}

impl Grid<'_> {
    /// Returns the consequence of moving an exam to a period.
    fn consequence(&self, exam: usize, period: usize) -> Option<Consequence> {
        match &self.moves {
            Some((selected, moves)) if *selected == exam => moves.get(period).cloned(),
            _ => by_hand(self.instance, &self.picture.timetable, exam).into_iter().nth(period),
        }
    }

    /// Returns the overlay of a cell that shows the consequence of moving the selected exam there.
    fn effect(&self, exam: usize, one: &Consequence, largest: u64) -> Overlay {
        let palette = self.palette;
        let list = self.instance.rules.forbidden.get(&(exam as u16));
        let forbidden = list.is_some_and(|list| list.contains(&(one.period as u16)));
        // A clash is shaded as in every row; a rule is not seen elsewhere.
        let broken = (!one.broken.is_empty()).then(|| palette.bad.gamma_multiply(0.16));
        let icon = forbidden.then_some((Icon::Cross, palette.bad));
        Overlay { fill: adjusting::shade(palette, one, largest).or(broken), icon, ..Overlay::default() }
    }
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
        marks.push(Mark { column, colour, share: 1.0, ink, weight: strength + f32::from(u8::from(related)), alarm });
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

    fn groups(&self) -> &[(Range<usize>, String)] {
        self.days
    }

    fn cell_name(&self, row: usize, column: usize) -> String {
        let exam = self.order[row];
        let line = exam_line(self.instance, self.picture, exam);
        if self.picture.timetable.period_of(exam) == Some(column) {
            return line;
        }
        let words = self.consequence(exam, column).map(|one| adjusting::words(self.instance, &one));
        format!("{line}. To period {}: {}", column + 1, words.unwrap_or_default())
    }

    fn cell_text(&self, row: usize, _column: usize) -> String {
        self.instance.exams[self.order[row]].enrolment.to_string()
    }

    fn overlays(&self, rows: Range<usize>, overlays: &mut Vec<(usize, usize, Overlay)>) {
        for row in rows {
            let exam = self.order[row];
            if let Some(pin) = self.instance.rules.pin_of(exam).filter(|&pin| pin < self.columns()) {
                let ink = match self.picture.timetable.period_of(exam) == Some(pin) {
                    true if self.picture.clashes[exam] > 0 => self.palette.on_clash(),
                    true => self.palette.on_cost(self.picture.strength(exam)),
                    false => self.palette.text,
                };
                let icon = Some((Icon::Pin, ink));
                overlays.push((row, pin, Overlay { icon, ..Overlay::default() }));
            }
            let Some((_, moves)) = self.moves.as_ref().filter(|(moved, _)| *moved == exam) else { continue };
            let largest = adjusting::largest_change(moves);
            for one in moves.iter().filter(|one| self.picture.timetable.period_of(exam) != Some(one.period)) {
                overlays.push((row, one.period, self.effect(exam, one, largest)));
            }
        }
    }

    fn grabs(&self, row: usize, column: usize) -> bool {
        self.order.get(row).is_some_and(|&exam| self.picture.timetable.period_of(exam) == Some(column))
    }

    fn summary(&self) -> String {
        let cost = self.picture.cost;
        format!(
            "Timetable grid, {} exams by {} periods, cost {}, {} clashes, {} exams without a period",
            self.rows(),
            self.columns(),
            short_cost(self.instance, cost.proximity),
            cost.clashes,
            cost.unplaced
        )
    }
}

/// Shows the grid with its controls.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(picture) = document.picture().map(Arc::clone) else { return };
    let palette = palette(ui.visuals());
    let instance = Arc::clone(&document.instance);
    toolbar(ui, document, palette);
    let moves =
        document.selected.filter(|&exam| exam < instance.exam_count()).map(|exam| (exam, document.effects(exam)));
    let revision = document.revision();
    let state = &mut document.state.grid;
    if let Some(exam) = document.selected.filter(|_| document.selected != state.seen) {
        // Who searched for an exam that the filter leaves out wants to see it.
        state.order.update(&instance, &picture, revision, state.sort, &document.state.views.filter);
        if state.order.row_of(exam).is_none() {
            document.state.views.filter = Filter::default();
        }
    }
    state.order.update(&instance, &picture, revision, state.sort, &document.state.views.filter);
    if state.order.exams.is_empty() {
        views::nothing_left(ui, document);
        return;
    }
    let row = document.selected.and_then(|exam| state.order.row_of(exam));
    if document.selected != state.seen {
        state.seen = document.selected;
        row.inspect(|&row| state.view.reveal(row));
    }
    let (order, days, selected) = (&state.order.exams, days(&instance), document.selected);
    let plain = state.plain;
    let grid = Grid { instance: &instance, picture: &picture, order, selected, plain, days: &days, palette, moves };
    let outcome = matrix::show(ui, &grid, &mut state.view, row);
    let hovered = outcome.hovered.filter(|_| outcome.dragged.is_none());
    if let Some((exam, period)) = hovered.and_then(|(row, period)| Some((*order.get(row)?, period))) {
        let consequence = grid.consequence(exam, period);
        let words = |ui: &mut Ui| tooltip(ui, &instance, &picture, exam, consequence.as_ref());
        outcome.response.clone().on_hover_ui_at_pointer(words);
    }
    follow(ui, document, &outcome, &picture);
}

/// Applies the user's clicks, drags and keys on the grid.
fn follow(ui: &Ui, document: &mut Document, outcome: &matrix::Outcome, picture: &Picture) {
    document.canvas_focused = outcome.response.has_focus();
    let (order, selected) = (&document.state.grid.order.exams, document.selected);
    let exam_of = |row: usize| order.get(row).copied();
    let mut wanted = outcome.dropped.and_then(|((row, _), period)| Some((exam_of(row)?, period)));
    let dragged = outcome.dragged.filter(|_| outcome.dropped.is_none()).and_then(|(row, _)| exam_of(row));
    let column = ui.input(|input| input.pointer.latest_pos()).and_then(|at| outcome.layout.column_at(at));
    let from_list = without_place::dragged(&outcome.response, column);
    let dragged = dragged.or(from_list.over.filter(|_| from_list.dropped.is_none()).map(|(exam, _)| exam));
    wanted = wanted.or(from_list.dropped);
    let is_dropped = wanted.is_some();
    if let Some((row, period)) = outcome.cursor.filter(|_| outcome.entered) {
        wanted = exam_of(row).map(|exam| (exam, period));
    }
    let own = |exam: usize, period: usize| picture.timetable.period_of(exam) == Some(period);
    let clicked_cell = outcome.hovered.filter(|_| outcome.clicked.is_some() && !outcome.response.double_clicked());
    let mut chosen = selected;
    if let Some((exam, period)) = clicked_cell.and_then(|(row, period)| Some((exam_of(row)?, period)))
        && selected == Some(exam)
        && !own(exam, period)
    {
        // A click beside the place of the selected exam means: there.
        wanted = Some((exam, period));
    } else if let Some(clicked) = outcome.clicked {
        let exam = clicked.and_then(exam_of);
        chosen = if exam == selected { None } else { exam };
        document.state.grid.seen = chosen;
    }
    if let Some(row) = outcome.stepped {
        chosen = document.state.grid.order.exams.get(row).copied();
    }
    // What is moved is what is looked at.
    document.selected = wanted.map(|(exam, _)| exam).or(dragged).or(chosen);
    if let Some(exam) = dragged {
        document.state.grid.seen = document.selected;
        if let Some(period) = column {
            let room = adjusting::drag_hint(ui, document, exam, period);
            if let Some(room) = room {
                let row_of = |exam: usize| document.state.grid.order.row_of(exam);
                let plans = (&*picture.timetable, &*room);
                adjusting::making_room::ghosts(ui, &outcome.layout, palette(ui.visuals()), plans, row_of);
            }
            if let Some(row) = document.state.grid.order.row_of(exam) {
                let stroke = egui::Stroke::new(2.0, palette(ui.visuals()).accent);
                let cell = outcome.layout.cell(row, period);
                ui.painter().rect_stroke(cell, 2.0, stroke, egui::StrokeKind::Outside);
            }
        }
    }
    if let Some((exam, period)) = wanted.filter(|&(exam, period)| !own(exam, period)) {
        match is_dropped {
            true => adjusting::drop_or_say(ui, document, Held { exam, period }),
            false => adjusting::ask_or_say(document, exam, period),
        }
    }
}

fn toolbar(ui: &mut Ui, document: &mut Document, palette: &Palette) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        views::sort_menu(ui, &mut document.state.grid.sort, &Sort::ALL);
        let shown = document.state.grid.order.exams.len();
        views::filter_menu(ui, document, shown);
        search::field(ui, document, if ui.available_width() > 420.0 { 168.0 } else { 120.0 });
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let fitted = document.state.grid.view.is_fitted();
            if controls::icon_button(ui, Icon::Fit, "Fit all exams into the view", !fitted).clicked() {
                document.state.grid.view.fit();
            }
            // A box without a word would say nothing.
            if ui.available_width() > BLOCKED {
                let mut shaded = !document.state.grid.plain;
                let response = views::toggle(ui, &mut shaded, "Shade blocked periods", "Blocked");
                response.on_hover_text("Shade where an exam cannot go, because one with common students is there");
                document.state.grid.plain = !shaded;
            }
            // Where it does not fit, the tooltips of the cells say the same.
            if ui.available_width() > LEGEND {
                legend(ui, palette);
            }
        });
    });
}

/// Width of the switch for blocked periods.
const BLOCKED: f32 = 96.0;

/// Width of the legend.
const LEGEND: f32 = 240.0;

/// Draws the colour scale from no cost to the highest cost, laid out from the right.
pub fn legend(ui: &mut Ui, palette: &Palette) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::Order;
    use gridwright_timetabling::{Exam, InstanceParts, Period, Timetable};
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
        let picture = Picture::of(&instance, Arc::new(Timetable::of(vec![2, 4, 1])));
        let order = |sort: Sort| {
            let mut order = Order::default();
            order.update(&instance, &picture, 1, sort, &Filter::default());
            order.exams
        };
        assert_eq!(order(Sort::Degree), [1, 0, 2]);
        assert_eq!(order(Sort::Size), [1, 2, 0]);
        assert_eq!(order(Sort::Name), [1, 2, 0]);
        assert_eq!(order(Sort::Period), [2, 0, 1]);
        // c is 2 from a: 8; a is 3 from b: 2 · 4.
        assert_eq!(order(Sort::Cost), [1, 0, 2]);
        let order = [0, 1, 2];
        let palette = &theme::LIGHT;
        let grid = Grid {
            instance: &instance,
            picture: &picture,
            order: &order,
            selected: None,
            plain: false,
            days: &[],
            palette,
            moves: None,
        };
        let mut ranges = Vec::new();
        grid.shaded(1, &mut ranges);
        assert_eq!(ranges, vec![1..3], "c is in 2, b in 1");
        assert_eq!(grid.cell_name(1, 4), "Exam a, period 5, 3 students, cost share 100.0 %");
        let move_name = grid.cell_name(1, 1);
        assert!(move_name.ends_with("To period 2: clashes with b, 2 students"), "{move_name}");
    }
}
