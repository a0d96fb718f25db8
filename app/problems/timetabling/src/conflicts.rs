//! View of the conflict matrix: the number of common students of each pair of exams.

use std::sync::Arc;

use egui::{RichText, Ui};
use gridwright_timetabling::Instance;

use super::Document;
use super::analysis::Picture;
use super::describe::{counted, short_cost};
use super::search;
use super::views::{self, Filter, Order, Sort};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::icon_button;
use gridwright_window::widgets::heatmap::{self, Cell, Source};
use gridwright_window::widgets::icons::Icon;

/// The orders in which blocks can be seen.
const SORTS: [Sort; 3] = [Sort::Degree, Sort::Period, Sort::Name];

struct Matrix<'a> {
    instance: &'a Instance,
    picture: &'a Picture,
    order: &'a Order,
    highest: u32,
}

impl Matrix<'_> {
    /// The exams of a cell.
    fn pair(&self, row: usize, column: usize) -> Option<(usize, usize)> {
        self.order.exams.get(row).copied().zip(self.order.exams.get(column).copied())
    }
}

impl Source for Matrix<'_> {
    fn count(&self) -> usize {
        self.order.exams.len()
    }

    fn cells(&self, row: usize, cells: &mut Vec<Cell>) {
        let Some(&exam) = self.order.exams.get(row) else { return };
        let period = self.picture.timetable.period_of(exam);
        for (other, value) in self.instance.conflicts.of(exam) {
            let Some(column) = self.order.row_of(other) else { continue };
            let alarm = period.is_some() && period == self.picture.timetable.period_of(other);
            cells.push(Cell { column, value, alarm });
        }
    }

    fn highest(&self) -> u32 {
        self.highest
    }

    fn label(&self, index: usize) -> String {
        self.order.exams.get(index).map(|&exam| self.instance.exams[exam].code.clone()).unwrap_or_default()
    }

    fn describe(&self, row: usize, column: usize) -> String {
        let Some((a, b)) = self.pair(row, column) else { return String::new() };
        let code = |exam: usize| &self.instance.exams[exam].code;
        if a == b {
            return format!("Exam {}, {}", code(a), counted(u64::from(self.instance.exams[a].enrolment), "student"));
        }
        let shared = counted(u64::from(self.instance.conflicts.shared(a, b)), "common student");
        format!("Exams {} and {}, {shared}, {}", code(a), code(b), apart(self.picture, a, b).0)
    }

    fn revision(&self) -> u64 {
        self.order.generation
    }

    fn summary(&self) -> String {
        let (conflicts, all) = (&self.instance.conflicts, self.instance.exam_count());
        if self.count() == all {
            return format!(
                "Conflict matrix, {all} exams, {} share students",
                counted(conflicts.pairs() as u64, "pair")
            );
        }
        let others = |exam: usize| conflicts.of(exam).filter(|(other, _)| self.order.row_of(*other).is_some());
        let ends: usize = self.order.exams.iter().map(|&exam| others(exam).count()).sum();
        let pairs = counted(ends as u64 / 2, "pair");
        format!("Conflict matrix, {} of {all} exams, {pairs} share students", self.count())
    }
}

/// Returns the distance of two exams in words, and `true` if the exams clash.
fn apart(picture: &Picture, a: usize, b: usize) -> (String, bool) {
    match picture.timetable.period_of(a).zip(picture.timetable.period_of(b)) {
        None => ("without a period".to_owned(), false),
        Some((a, b)) if a == b => (format!("both in period {}: a clash", a + 1), true),
        Some((a, b)) => (format!("periods {} and {}, {} apart", a + 1, b + 1, a.abs_diff(b)), false),
    }
}

/// Shows the matrix.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(picture) = document.picture().map(Arc::clone) else { return };
    let instance = Arc::clone(&document.instance);
    toolbar(ui, document);
    let (revision, highest) = (document.revision(), document.facts.most_shared);
    let state = &mut document.state.views.conflicts;
    state.order.update(&instance, &picture, revision, state.sort, &document.state.views.filter);
    if document.selected.is_some_and(|exam| document.selected != state.seen && state.order.row_of(exam).is_none()) {
        // Who searched for an exam that the filter leaves out wants to see it.
        document.state.views.filter = Filter::default();
        state.order.update(&instance, &picture, revision, state.sort, &document.state.views.filter);
    }
    if state.order.exams.is_empty() {
        views::nothing_left(ui, document);
        return;
    }
    let row = document.selected.and_then(|exam| state.order.row_of(exam));
    if document.selected != state.seen {
        state.seen = document.selected;
        row.inspect(|&row| state.view.reveal(row));
    }
    let matrix = Matrix { instance: &instance, picture: &picture, order: &state.order, highest };
    let outcome = heatmap::show(ui, &matrix, &mut state.view, row);
    document.canvas_focused = outcome.response.has_focus();
    if let Some(clicked) = outcome.clicked {
        let pair = clicked.and_then(|(row, column)| matrix.pair(row, column));
        // A second click on the same row goes on to the other exam.
        document.selected = pair.map(|(row, column)| if document.selected == Some(row) { column } else { row });
        state.seen = document.selected;
    }
    if let Some((a, b)) = outcome.hovered.and_then(|(row, column)| matrix.pair(row, column)) {
        outcome.response.on_hover_ui_at_pointer(|ui| tooltip(ui, &instance, &picture, a, b));
    }
}

fn toolbar(ui: &mut Ui, document: &mut Document) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        views::sort_menu(ui, &mut document.state.views.conflicts.sort, &SORTS);
        let shown = document.state.views.conflicts.order.exams.len();
        views::filter_menu(ui, document, shown);
        search::field(ui, document, 168.0);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let view = &mut document.state.views.conflicts.view;
            let fitted = view.is_fitted();
            if icon_button(ui, Icon::Fit, "Fit all exams into the view", !fitted).clicked() {
                view.fit();
            }
            if ui.available_width() > 300.0 {
                heatmap::legend(ui, document.facts.most_shared, "Common students", "clash");
            }
        });
    });
}

fn tooltip(ui: &mut Ui, instance: &Instance, picture: &Picture, a: usize, b: usize) {
    let palette = palette(ui.visuals());
    ui.spacing_mut().item_spacing.y = space::XS;
    for exam in if a == b { vec![a] } else { vec![a, b] } {
        let data = &instance.exams[exam];
        ui.horizontal(|ui| {
            ui.label(theme::bold(&data.code));
            ui.label(&data.title);
            ui.label(theme::small(counted(u64::from(data.enrolment), "student")).color(palette.weak));
        });
    }
    if a == b {
        let degree = instance.conflicts.degree(a) as u64;
        ui.label(RichText::new(format!("Shares students with {}", counted(degree, "exam"))).color(palette.weak));
        return;
    }
    let shared = instance.conflicts.shared(a, b);
    ui.separator();
    ui.label(counted(u64::from(shared), "common student"));
    if shared == 0 {
        return;
    }
    let (words, clash) = apart(picture, a, b);
    let colour = if clash { palette.bad } else { palette.weak };
    ui.label(RichText::new(words).color(colour));
    let places = picture.timetable.period_of(a).zip(picture.timetable.period_of(b));
    let weight = places.map_or(0, |(a, b)| instance.pair_costs().cost(a, b));
    if weight > 0 {
        let cost = short_cost(instance, weight * u64::from(shared));
        ui.label(RichText::new(format!("Cost {cost}")).color(palette.weak));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_timetabling::{Exam, InstanceParts, Period, Timetable};

    #[test]
    fn cells_are_common_students_and_clashes_alarms() {
        let exam = |code: &str| Exam { code: code.to_owned(), ..Exam::default() };
        let instance = Instance::build(InstanceParts {
            exams: ["a", "b", "c"].map(exam).to_vec(),
            students: vec![vec![0, 1], vec![0, 1], vec![1, 2]],
            periods: vec![Period::default(); 4],
            ..InstanceParts::default()
        })
        .unwrap();
        let picture = Picture::of(&instance, Arc::new(Timetable::of(vec![0, 0, 3])));
        let mut order = Order::default();
        order.update(&instance, &picture, 1, Sort::Degree, &Filter::default());
        let matrix = Matrix { instance: &instance, picture: &picture, order: &order, highest: 2 };
        // b has two conflicts and stands first; then a and c.
        let mut cells = Vec::new();
        matrix.cells(0, &mut cells);
        let wanted = [Cell { column: 1, value: 2, alarm: true }, Cell { column: 2, value: 1, alarm: false }];
        assert_eq!(cells, wanted);
        assert_eq!(matrix.describe(0, 1), "Exams b and a, 2 common students, both in period 1: a clash");
        assert_eq!(matrix.describe(0, 2), "Exams b and c, 1 common student, periods 1 and 4, 3 apart");
    }
}
