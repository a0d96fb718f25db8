//! Second step of the import: meaning of the columns, with the table below.

use egui::{Align, ComboBox, Label, RichText, ScrollArea, Ui};
use egui_extras::{Column as Cell, TableBuilder};
use gridwright_solver::text::sentence_case;
use gridwright_solver::timetabling::formats::import::{
    DateOrder, Effect, EnrolmentLayout, Mapped, Mapping, Preview, Sheet, TableKind,
};

use super::{Dialog, File};
use crate::theme::{self, Palette, palette, size, space, text};
use crate::widgets::controls::{labelled, named, segmented};

/// Table that is shown, and its position.
pub(super) struct State {
    pub(super) kind: TableKind,
    /// The row to show next.
    pub(super) go_to: Option<usize>,
}

impl Default for State {
    fn default() -> Self {
        Self { kind: TableKind::Enrolments, go_to: None }
    }
}

fn layout_words(layout: EnrolmentLayout) -> (&'static str, &'static str) {
    match layout {
        EnrolmentLayout::Pairs => ("student and exam", "A line for each student and exam"),
        EnrolmentLayout::Lists => {
            ("student, exams listed", "A line for each student; several columns hold the codes of exams")
        }
        EnrolmentLayout::Marks => {
            ("student, exams marked", "A line for each student; a column for each exam holds a mark")
        }
    }
}

impl Dialog {
    pub(super) fn show_columns(&mut self, ui: &mut Ui) {
        let kinds = TableKind::ALL.map(|kind| (kind.name(), "", self.table(kind).is_some()));
        let chosen = TableKind::ALL.iter().position(|kind| *kind == self.columns.kind);
        ui.horizontal(|ui| {
            if let Some(kind) = segmented(ui, &kinds, chosen).and_then(|index| TableKind::ALL.get(index)) {
                self.columns.kind = *kind;
            }
        });
        ui.add_space(space::S);
        let kind = self.columns.kind;
        let counted = self.counted().cloned();
        let go_to = self.columns.go_to.take();
        let File { table: Some(table), .. } = &mut self.files[kind as usize] else {
            ui.label(RichText::new("Choose the file in the first step").color(palette(ui.visuals()).weak));
            return;
        };
        let before = table.mapping.clone();
        controls(ui, kind, table);
        let changed = before != table.mapping;
        ui.add_space(space::S);
        sheet(ui, kind, table, counted.as_ref().map(|counted| &counted.preview), go_to);
        if changed {
            self.changed();
        }
    }
}

/// Header, layout and a choice for each column that is looked for.
fn controls(ui: &mut Ui, kind: TableKind, table: &mut Mapped) {
    let Mapped { sheet, mapping } = table;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(space::M, space::S);
        labelled(ui, "Names of the columns", |ui| header(ui, kind, sheet, mapping));
        if kind == TableKind::Enrolments {
            labelled(ui, "A line for each", |ui| {
                let choices = EnrolmentLayout::ALL.map(|layout| {
                    let (words, help) = layout_words(layout);
                    (words, help, true)
                });
                let chosen = EnrolmentLayout::ALL.iter().position(|layout| *layout == mapping.layout);
                if let Some(layout) = segmented(ui, &choices, chosen).and_then(|index| EnrolmentLayout::ALL.get(index))
                {
                    mapping.layout = *layout;
                }
            });
        }
    });
    ui.add_space(space::XS);
    let names = sheet.names(mapping.header);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(space::M, space::S);
        let wide = kind == TableKind::Enrolments && mapping.layout != EnrolmentLayout::Pairs;
        let fields = if wide { 1 } else { kind.columns().len() };
        for (field, column) in kind.columns().iter().take(fields).enumerate() {
            let words = if column.required {
                sentence_case(column.name)
            } else {
                format!("{} (optional)", sentence_case(column.name))
            };
            labelled(ui, &words, |ui| {
                let name = format!("Column for {}", column.name);
                choice(ui, &name, &names, &mut mapping.columns[field]);
            });
        }
        if wide {
            labelled(ui, "Exams", |ui| several(ui, &names, mapping));
        }
        if kind == TableKind::Periods {
            labelled(ui, "06/05/2026 is", |ui| {
                let choices = [("6 May", "The day comes first", true), ("June 5", "The month comes first", true)];
                let chosen = usize::from(mapping.dates == DateOrder::MonthFirst);
                if let Some(index) = segmented(ui, &choices, Some(chosen)) {
                    mapping.dates = if index == 0 { DateOrder::DayFirst } else { DateOrder::MonthFirst };
                }
            });
        }
    });
}

/// Draws the choice of the line that holds the names of the columns.
fn header(ui: &mut Ui, kind: TableKind, sheet: &Sheet, mapping: &mut Mapping) {
    const ROWS: usize = 12;
    let words = match mapping.header {
        Some(row) => format!("in line {}", sheet.row(row).0),
        None => "nowhere; the first line is data".to_owned(),
    };
    let combo = ComboBox::from_id_salt("header").selected_text(words).width(196.0);
    let mut chosen = mapping.header;
    let list = |ui: &mut Ui| {
        if ui.selectable_label(chosen.is_none(), "nowhere; the first line is data").clicked() {
            chosen = None;
        }
        for row in 0..sheet.len().min(ROWS) {
            let (line, fields) = sheet.row(row);
            let mut shown: String = fields.join(" · ").chars().take(60).collect();
            shown.insert_str(0, &format!("in line {line}: "));
            if ui.selectable_label(chosen == Some(row), shown).clicked() {
                chosen = Some(row);
            }
        }
    };
    named(ui, "Line of the header", "Lines above it are titles and are not read", |ui| {
        combo.show_ui(ui, list).response
    });
    if chosen != mapping.header {
        *mapping = Mapping { layout: mapping.layout, ..sheet.guess_below(kind, chosen) };
    }
}

fn choice(ui: &mut Ui, name: &str, names: &[String], column: &mut Option<usize>) {
    let words = column.and_then(|at| names.get(at)).map_or("none", String::as_str);
    let combo = ComboBox::from_id_salt(name).selected_text(words).width(148.0).truncate();
    let list = |ui: &mut Ui| {
        if ui.selectable_label(column.is_none(), "none").clicked() {
            *column = None;
        }
        for (at, words) in names.iter().enumerate() {
            if ui.selectable_label(*column == Some(at), words).clicked() {
                *column = Some(at);
            }
        }
    };
    named(ui, name, "Which column of the file holds it", |ui| combo.show_ui(ui, list).response);
}

/// The columns that hold exams in wide tables.
fn several(ui: &mut Ui, names: &[String], mapping: &mut Mapping) {
    let words = format!("{} of {} columns", mapping.exams.len(), names.len());
    let combo = ComboBox::from_id_salt("exams").selected_text(words).width(148.0);
    let combo = combo.close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
    let student = mapping.columns.first().copied().flatten();
    let list = |ui: &mut Ui| {
        ui.horizontal(|ui| {
            if ui.link("All but the student").clicked() {
                mapping.exams = (0..names.len()).filter(|at| Some(*at) != student).collect();
            }
            if ui.link("None").clicked() {
                mapping.exams.clear();
            }
        });
        for (at, name) in names.iter().enumerate().filter(|(at, _)| Some(*at) != student) {
            let mut on = mapping.exams.contains(&at);
            if ui.checkbox(&mut on, name).changed() {
                mapping.exams.retain(|other| *other != at);
                if on {
                    mapping.exams.push(at);
                    mapping.exams.sort_unstable();
                }
            }
        }
    };
    named(ui, "Columns with exams", "Every column that holds exams", |ui| combo.show_ui(ui, list).response);
}

/// The purpose of each column of the sheet.
fn purposes(kind: TableKind, mapping: &Mapping, width: usize) -> Vec<Option<String>> {
    let wide = kind == TableKind::Enrolments && mapping.layout != EnrolmentLayout::Pairs;
    let mut purposes = vec![None; width];
    for (field, column) in kind.columns().iter().enumerate().take(if wide { 1 } else { usize::MAX }) {
        if let Some(purpose) = mapping.columns[field].and_then(|at| purposes.get_mut(at)) {
            *purpose = Some(sentence_case(column.name));
        }
    }
    for &at in mapping.exams.iter().filter(|_| wide) {
        if let Some(purpose) = purposes.get_mut(at) {
            purpose.get_or_insert_with(|| "Exam".to_owned());
        }
    }
    purposes
}

/// The table as it stands in the file; columns that are used are marked, and lines with problems.
fn sheet(ui: &mut Ui, kind: TableKind, table: &Mapped, preview: Option<&Preview>, go_to: Option<usize>) {
    /// Further columns are not shown, though they can be chosen.
    const COLUMNS: usize = 64;
    const ROW: f32 = size::ROW - 4.0;
    let palette = palette(ui.visuals());
    let Mapped { sheet, mapping } = table;
    let names = sheet.names(mapping.header);
    let shown = names.len().min(COLUMNS);
    let purposes = purposes(kind, mapping, shown);
    let first = mapping.header.map_or(0, |row| row + 1);
    egui::Frame::new().fill(palette.surface).stroke(egui::Stroke::new(1.0, palette.border)).show(ui, |ui| {
        ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing = egui::vec2(space::M, 0.0);
            let height = ui.available_height() - 2.0 * size::ROW;
            let mut builder = TableBuilder::new(ui)
                .id_salt(("sheet", kind.name()))
                .cell_layout(egui::Layout::left_to_right(Align::Center))
                .auto_shrink(false)
                .min_scrolled_height(height.max(60.0))
                .max_scroll_height(height.max(60.0))
                .column(Cell::exact(64.0))
                .columns(Cell::initial(132.0).at_least(48.0).clip(true).resizable(true), shown);
            if let Some(row) = go_to.and_then(|row| row.checked_sub(first)) {
                // To the row itself: scrolling to its rectangle would move the columns, too.
                let above = (height.max(60.0) / 2.0 / ROW).floor();
                builder = builder.vertical_scroll_offset((row as f32 - above).max(0.0) * ROW);
            }
            let table = builder.header(size::ROW + 14.0, |mut row| {
                row.col(|ui| {
                    ui.label(theme::small("  Line").color(palette.weak));
                });
                for (name, purpose) in names.iter().take(shown).zip(&purposes) {
                    row.col(|ui| heading(ui, name, purpose.as_deref(), palette));
                }
            });
            table.body(|body| {
                body.rows(ROW, sheet.len().saturating_sub(first), |mut row| {
                    let (line, fields) = sheet.row(first + row.index());
                    let problem = preview.and_then(|preview| problem_of(preview, kind, line));
                    let bad = problem.is_some_and(|(_, effect)| effect.is_loss());
                    row.col(|ui| {
                        let colour = if bad { palette.bad } else { palette.weak };
                        let response = ui.label(RichText::new(format!("  {line}")).size(text::SMALL).color(colour));
                        if let Some((what, _)) = problem {
                            response.on_hover_text(what);
                        }
                    });
                    for at in 0..shown {
                        row.col(|ui| {
                            let colour = match (bad, purposes[at].is_some()) {
                                (true, _) => palette.bad,
                                (_, true) => palette.text,
                                _ => palette.weak,
                            };
                            let words = fields.get(at).map_or("", String::as_str);
                            ui.add(Label::new(RichText::new(words).color(colour)).truncate());
                        });
                    }
                });
            });
        });
    });
}

fn heading(ui: &mut Ui, name: &str, purpose: Option<&str>, palette: &Palette) {
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add_space(2.0);
        ui.add(Label::new(theme::bold(name).size(text::SMALL).color(palette.text)).truncate());
        let (words, colour) = purpose.map_or(("not used", palette.weak), |purpose| (purpose, palette.accent));
        ui.label(theme::small(words).color(colour));
    });
}

/// The first problem of a line.
fn problem_of(preview: &Preview, kind: TableKind, line: usize) -> Option<(&str, Effect)> {
    let at = preview.problems.partition_point(|problem| (problem.table, problem.line) < (kind, line));
    let found = preview.problems.get(at).filter(|problem| (problem.table, problem.line) == (kind, line));
    found.map(|problem| (problem.what.as_str(), problem.effect))
}
