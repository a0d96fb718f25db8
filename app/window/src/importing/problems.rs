//! Third step of the import: lines that cannot be used, and their treatment.

use egui::{Align, Label, Layout, RichText, Sense, Ui, WidgetInfo};
use egui_extras::{Column, TableBuilder};
use gridwright_core::data::import::{self, BadLines, Problem, UnknownCount, UnknownNames};
use gridwright_core::numbers::grouped;
use gridwright_core::text::lines::Effect;

use super::columns::Correcting;
use super::{Counted, Dialog, Step};
use crate::theme::{self, palette, size, space};
use crate::widgets::controls::{button, segmented};
use crate::widgets::entry::Field;
use crate::widgets::icons::Icon;

/// Filter of the list of problems.
#[derive(Default)]
pub(super) struct State {
    filter: String,
    only_losses: bool,
    /// The problems that pass the filter, for the filter and the list that it was made for.
    passed: Vec<u32>,
    made_for: Option<(String, bool, usize)>,
}

impl State {
    fn refresh(&mut self, counted: &std::sync::Arc<Counted>) {
        let made_for = (self.filter.clone(), self.only_losses, std::sync::Arc::as_ptr(counted) as usize);
        if self.made_for.as_ref() == Some(&made_for) {
            return;
        }
        let wanted = self.filter.trim().to_lowercase();
        let passes = |problem: &Problem| {
            (!self.only_losses || problem.effect.is_loss())
                && (wanted.is_empty()
                    || import::problem_line(&counted.request, problem).to_lowercase().contains(&wanted))
        };
        let problems = counted.outcome.problems.iter().enumerate();
        self.passed = problems.filter(|(_, problem)| passes(problem)).map(|(at, _)| at as u32).collect();
        // What would be lost comes first: it must not drown in remarks.
        let is_remark = |at: &u32| !counted.outcome.problems.get(*at as usize).is_some_and(|it| it.effect.is_loss());
        self.passed.sort_by_key(is_remark);
        self.made_for = Some(made_for);
    }
}

/// Describes the treatment of a bad line; as long as bad lines stop the import, nothing is left out.
fn effect_words(effect: Effect, bad_lines: BadLines) -> &'static str {
    match (effect, bad_lines) {
        (Effect::File, _) => "file cannot be used",
        (Effect::Line | Effect::Value, BadLines::Stop) => "to be corrected",
        (Effect::Line, _) => "line left out",
        (Effect::Value, _) => "value left out",
        (Effect::Nothing, _) => "remark",
    }
}

impl Dialog {
    pub(super) fn show_problems(&mut self, ui: &mut Ui) {
        self.policies(ui);
        ui.add_space(space::S);
        let Some(counted) = self.counted().cloned() else {
            return self.show_waiting(ui);
        };
        if counted.outcome.problems.is_empty() {
            let (words, colour) = match &counted.outcome.obstacle {
                Some(why) => (why.as_str(), palette(ui.visuals()).weak),
                None => ("Every line can be used", palette(ui.visuals()).good),
            };
            ui.label(RichText::new(words).color(colour));
            return;
        }
        self.problems.refresh(&counted);
        self.filter_line(ui, &counted);
        ui.add_space(space::XS);
        if let Some(at) = list(ui, &counted, &self.problems.passed) {
            self.show_problem(&counted.outcome.problems[at]);
        }
    }

    /// Shows a problem in its sheet, with its cell ready to be corrected.
    fn show_problem(&mut self, problem: &Problem) {
        self.step = Step::Columns;
        self.columns.sheet = problem.sheet;
        let Some(mapped) = self.sheets.get(problem.sheet) else { return };
        self.columns.go_to = mapped.sheet.row_of_line(problem.line);
        let names = mapped.sheet.names(mapped.mapping.header);
        let column = names.iter().position(|name| *name == problem.column && problem.effect.is_loss());
        if let (Some(row), Some(column)) = (self.columns.go_to, column) {
            self.columns.correcting = Some(Correcting::new(problem.sheet, &mapped.sheet, (row, column)));
        }
    }

    /// Draws the choices for the treatment of bad lines.
    fn policies(&mut self, ui: &mut Ui) {
        let before = (self.bad_lines, self.unknown.clone());
        ui.horizontal_wrapped(|ui| {
            ui.label("Lines that cannot be used");
            let choices = [
                ("Stop", "Nothing is taken over while there are any: click one to correct it, or correct the files and read them again", true),
                ("Leave out", "They are left out, and a list beside the project names each of them", true),
            ];
            let chosen = usize::from(self.bad_lines == BadLines::LeaveOut);
            if let Some(index) = segmented(ui, &choices, Some(chosen)) {
                self.bad_lines = if index == 0 { BadLines::Stop } else { BadLines::LeaveOut };
            }
        });
        let rows: Vec<(usize, UnknownCount)> =
            self.counted.iter().flat_map(|counted| &counted.outcome.unknown).map(|(at, count)| (*at, *count)).collect();
        for (table, count) in rows {
            self.unknown_policy(ui, table, count);
        }
        if before.0 != self.bad_lines || before.1 != self.unknown {
            self.changed();
        }
    }

    /// Draws the choice for the names that a table lacks.
    fn unknown_policy(&mut self, ui: &mut Ui, table: usize, count: UnknownCount) {
        let Some(spec) = self.problem.descriptor().tables.get(table) else { return };
        ui.horizontal_wrapped(|ui| {
            ui.label(format!("Names that “{}” lacks: {}", spec.title, grouped(count.names as i64)));
            let similar = format!(
                "A name that differs from a known one in signs, blanks and accents only is taken for this one ({} of {}), and a remark \
                 says so; others are wrong",
                grouped(count.similar as i64),
                grouped(count.names as i64)
            );
            // A fresh export spells names as the file of before did, whose similar names were meant.
            let (of_added, added) = match &self.updated {
                Some(_) => (
                    UnknownNames::AreMeantOrAdded,
                    "They are added to the table, with the name alone, unless a known one is similar",
                ),
                None => (UnknownNames::AreAdded, "They are added to the table, with the name alone"),
            };
            let choices = [
                ("Are wrong", "Lines with them cannot be used", true),
                ("Mean similar ones", similar.as_str(), true),
                ("Are added", added, true),
            ];
            let all = [UnknownNames::AreWrong, UnknownNames::AreMeant, of_added];
            let chosen = all.iter().position(|unknown| *unknown == self.unknown.of(table));
            if let Some(index) = segmented(ui, &choices, chosen) {
                self.unknown.set(table, all[index]);
            }
        });
    }

    fn filter_line(&mut self, ui: &mut Ui, counted: &Counted) {
        let state = &mut self.problems;
        ui.horizontal(|ui| {
            let field = Field::new("Filter of the problems").hint("Filter").margin(8, 5).width(240.0);
            field.live(ui, &mut state.filter);
            ui.checkbox(&mut state.only_losses, "Without remarks").on_hover_text("Only what would be left out");
            let all = counted.outcome.problems.len();
            let shown = format!("{} of {}", grouped(state.passed.len() as i64), grouped(all as i64));
            ui.label(RichText::new(shown).color(palette(ui.visuals()).weak));
            if counted.outcome.more_problems > 0 {
                let more = format!("and {} more", grouped(counted.outcome.more_problems as i64));
                ui.label(RichText::new(more).color(palette(ui.visuals()).warn));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let copy = button(ui, Icon::File, "Copy list", true);
                if copy.on_hover_text("Copy what is shown as text, a line each").clicked() {
                    let problems = state.passed.iter().filter_map(|&at| counted.outcome.problems.get(at as usize));
                    let text: String =
                        problems.map(|problem| import::problem_line(&counted.request, problem) + "\n").collect();
                    ui.ctx().copy_text(text);
                }
            });
        });
    }
}

/// The list; returns the index of the problem that was clicked.
fn list(ui: &mut Ui, counted: &Counted, passed: &[u32]) -> Option<usize> {
    let palette = palette(ui.visuals());
    let mut clicked = None;
    egui::Frame::new().fill(palette.surface).stroke(egui::Stroke::new(1.0, palette.border)).show(ui, |ui| {
        ui.spacing_mut().item_spacing = egui::vec2(space::M, 0.0);
        let height = ui.available_height() - size::ROW - space::S;
        let table = TableBuilder::new(ui)
            .id_salt("problems")
            .sense(Sense::click())
            .cell_layout(Layout::left_to_right(Align::Center))
            .auto_shrink(false)
            .max_scroll_height(height.max(60.0))
            .column(Column::initial(112.0).at_least(48.0).clip(true).resizable(true))
            .column(Column::exact(56.0))
            .column(Column::initial(120.0).at_least(48.0).clip(true).resizable(true))
            .column(Column::initial(100.0).at_least(48.0).clip(true).resizable(true))
            .column(Column::remainder().at_least(160.0).clip(true))
            .column(Column::exact(124.0));
        let table = table.header(size::ROW, |mut row| {
            for name in ["  Sheet", "Line", "Column", "Value", "What is wrong", "What happens"] {
                row.col(|ui| {
                    ui.label(theme::bold(name).size(theme::text::SMALL).color(palette.weak));
                });
            }
        });
        table.body(|body| {
            body.rows(size::ROW, passed.len(), |mut row| {
                let Some(at) = passed.get(row.index()).map(|&at| at as usize) else { return };
                let Some(problem) = counted.outcome.problems.get(at) else { return };
                let colour = if problem.effect.is_loss() { palette.bad } else { palette.weak };
                let line = if problem.line > 0 { problem.line.to_string() } else { String::new() };
                let cells = [
                    (format!("  {}", counted.request.sheets[problem.sheet].sheet.name()), palette.text),
                    (line, palette.text),
                    (problem.column.clone(), palette.text),
                    (problem.value.clone(), palette.text),
                    (problem.what.clone(), palette.text),
                    (effect_words(problem.effect, counted.request.bad_lines).to_owned(), colour),
                ];
                for (words, colour) in cells {
                    row.col(|ui| {
                        ui.add(Label::new(RichText::new(words).color(colour)).truncate());
                    });
                }
                let response = row.response().on_hover_text("Show the line in its table, where it can be corrected");
                let label = import::problem_line(&counted.request, problem);
                response.widget_info(|| WidgetInfo::labeled(egui::Role::Row, true, &label));
                if response.clicked() {
                    clicked = Some(at);
                }
            });
        });
    });
    clicked
}
