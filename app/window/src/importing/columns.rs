//! Second step of the import: meaning of the columns, with the sheet below.

use egui::{Align, Label, RichText, ScrollArea, Sense, Ui, WidgetInfo};
use egui_extras::{Column as Cell, TableBuilder};
use gridwright_core::data::import::{Layout, Mapped, Mapping, Outcome, Sheet};
use gridwright_core::data::{ColumnSpec, DateOrder, TableSpec};
use gridwright_core::text::lines::Effect;
use strum::VariantArray as _;

use super::Dialog;
use super::correcting::Corrections;
use crate::theme::{self, Palette, palette, size, space, text};
use crate::widgets::choices::Choices;
use crate::widgets::controls::{labelled, segmented};
use crate::widgets::entry::{self, Left};

/// Sheet that is shown, the row to show next, and the cell that is being corrected.
#[derive(Default)]
pub(super) struct State {
    pub(super) sheet: usize,
    pub(super) go_to: Option<usize>,
    pub(super) correcting: Option<Correcting>,
}

/// A cell that is being corrected: its place in the sheet and the text that was typed.
pub(super) struct Correcting {
    sheet: usize,
    row: usize,
    column: usize,
    text: String,
    /// True if the field is to get the focus.
    takes_focus: bool,
}

impl Correcting {
    /// Begins with the present content of a cell.
    pub(super) fn new(at: usize, sheet: &Sheet, (row, column): (usize, usize)) -> Self {
        let text = sheet.row(row).1.get(column).cloned().unwrap_or_default();
        Self { sheet: at, row, column, text, takes_focus: true }
    }
}

/// Label and tooltip of an arrangement of pairs.
fn layout_words(layout: Layout, spec: &TableSpec) -> (String, String) {
    let Some(wide) = spec.wide else { return Default::default() };
    let [first, second] = [wide.row, wide.column].map(|column| spec.columns[column].title.to_lowercase());
    match layout {
        Layout::Rows => (spec.noun.to_owned(), spec.help.to_owned()),
        Layout::Lists => (
            format!("{first}, {second}s in several columns"),
            format!("One line for each {first}; several columns hold a {second} each"),
        ),
        Layout::Matrix if wide.value.is_some() => {
            ("row of a matrix".to_owned(), "One line and one column for each name; cells hold the values".to_owned())
        }
        Layout::Matrix => (
            format!("{first}, {second}s as headings"),
            format!("One line for each {first} and one column for each {second}; cells hold marks"),
        ),
    }
}

impl Dialog {
    pub(super) fn show_columns(&mut self, ui: &mut Ui) {
        let names: Vec<String> = self.sheets.iter().map(|mapped| mapped.sheet.name().to_owned()).collect();
        self.columns.sheet = self.columns.sheet.min(names.len().saturating_sub(1));
        if names.len() > 1 {
            let choices: Vec<(&str, &str, bool)> = names.iter().map(|name| (name.as_str(), "", true)).collect();
            ui.horizontal_wrapped(|ui| {
                if let Some(sheet) = segmented(ui, &choices, Some(self.columns.sheet)) {
                    self.columns.sheet = sheet;
                }
            });
            ui.add_space(space::S);
        }
        let (at, specs) = (self.columns.sheet, self.problem.descriptor().tables);
        let counted = self.counted().cloned();
        let go_to = self.columns.go_to.take();
        self.columns.correcting = self.columns.correcting.take().filter(|cell| cell.sheet == at);
        let Some(mapped) = self.sheets.get_mut(at) else {
            ui.label(RichText::new("Choose a file in the first step").color(palette(ui.visuals()).weak));
            return;
        };
        let Some(table) = mapped.mapping.table else {
            let text = "This sheet is not used; say in the first step which table it holds";
            ui.label(RichText::new(text).color(palette(ui.visuals()).weak));
            return;
        };
        let before = mapped.mapping.clone();
        // Lists of the next sheet open at their beginning, however far those of this one were scrolled.
        ui.push_id(at, |ui| controls(ui, specs, table, mapped));
        let changed = before != mapped.mapping;
        ui.add_space(space::S);
        let outcome = counted.as_ref().map(|counted| &counted.outcome);
        let drawn = Drawn { spec: &specs[table], table: mapped, at, outcome, corrections: &self.choices.corrections };
        let entered = drawn.show(ui, &mut self.columns.correcting, go_to);
        if changed {
            self.changed();
        }
        if let Some(Correcting { row, column, text, .. }) = entered {
            self.correct(at, (row, column), &text);
        }
    }
}

/// Header, layout and a choice for each column that is looked for.
fn controls(ui: &mut Ui, specs: &[TableSpec], table: usize, mapped: &mut Mapped) {
    let Mapped { sheet, mapping } = mapped;
    let spec = &specs[table];
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(space::M, space::S);
        labelled(ui, "Names of the columns", |ui| header(ui, specs, sheet, mapping));
        if let Some(wide) = spec.wide {
            let offered: Vec<Layout> = Layout::VARIANTS
                .iter()
                .copied()
                .filter(|layout| *layout != Layout::Lists || wide.value.is_none())
                .collect();
            labelled(ui, "A line for each", |ui| {
                let words: Vec<(String, String)> = offered.iter().map(|layout| layout_words(*layout, spec)).collect();
                let choices: Vec<(&str, &str, bool)> =
                    words.iter().map(|(words, help)| (words.as_str(), help.as_str(), true)).collect();
                let chosen = offered.iter().position(|layout| *layout == mapping.layout);
                if let Some(layout) = segmented(ui, &choices, chosen).and_then(|index| offered.get(index)) {
                    mapping.layout = *layout;
                }
            });
        }
    });
    ui.add_space(space::XS);
    // Tables of many columns leave room for the sheet.
    let most = 4.0 * size::ROW;
    let area = ScrollArea::vertical().id_salt(("columns of", spec.id)).max_height(most).auto_shrink([false, true]);
    area.show(ui, |ui| columns(ui, spec, sheet, mapping));
}

/// A choice for each column that is looked for.
fn columns(ui: &mut Ui, spec: &TableSpec, sheet: &Sheet, mapping: &mut Mapping) {
    let names = sheet.names(mapping.header);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(space::M, space::S);
        let wide = spec.wide.filter(|_| mapping.layout != Layout::Rows);
        for (at, column) in spec.columns.iter().enumerate() {
            if wide.is_some_and(|wide| wide.row != at) {
                continue;
            }
            let optional = if column.column.required { "" } else { " (optional)" };
            labelled(ui, &format!("{}{optional}", column.title), |ui| {
                let name = format!("Column for {}", column.title);
                choice(ui, &name, &names, &mut mapping.columns[at]);
            });
        }
        if let (Some(carried), Layout::Rows) = (spec.carried, mapping.layout)
            && let Some(column) = mapping.columns.get_mut(spec.columns.len())
        {
            labelled(ui, &format!("{} (optional)", carried.title), |ui| {
                choice(ui, &format!("Column for {}", carried.title), &names, column);
            });
        }
        let listed =
            spec.further.map(|further| format!("{}s", further.noun)).or(wide.map(|_| "Columns of items".to_owned()));
        if let Some(words) = listed {
            labelled(ui, &gridwright_core::text::sentence_case(&words), |ui| several(ui, &names, mapping));
        }
        if spec.columns.iter().any(ColumnSpec::holds_dates) {
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
fn header(ui: &mut Ui, specs: &[TableSpec], sheet: &Sheet, mapping: &mut Mapping) {
    const ROWS: usize = 12;
    let words = match mapping.header {
        Some(row) => format!("in line {}", sheet.row(row).0),
        None => "nowhere; the first line is data".to_owned(),
    };
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
    Choices::new("Line of the header", words)
        .width(196.0)
        .help("Lines above it are titles and are not read")
        .show(ui, list);
    if chosen != mapping.header {
        *mapping = match mapping.table {
            Some(table) => Mapping::guess_below(sheet, specs, table, chosen),
            None => Mapping { header: chosen, ..mapping.clone() },
        };
    }
}

fn choice(ui: &mut Ui, name: &str, names: &[String], column: &mut Option<usize>) {
    let words = column.and_then(|at| names.get(at)).map_or("none", String::as_str);
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
    Choices::new(name, words).width(168.0).cut().help("Which column of the file holds it").show(ui, list);
}

/// Draws the choice of the further columns, or of those that hold the items of a wide arrangement.
fn several(ui: &mut Ui, names: &[String], mapping: &mut Mapping) {
    let words = format!("{} of {} columns", mapping.listed.len(), names.len());
    let assigned: Vec<usize> = mapping.columns.iter().flatten().copied().collect();
    let list = |ui: &mut Ui| {
        ui.horizontal(|ui| {
            if ui.link("All others").clicked() {
                mapping.listed = (0..names.len()).filter(|at| !assigned.contains(at)).collect();
            }
            if ui.link("None").clicked() {
                mapping.listed.clear();
            }
        });
        for (at, name) in names.iter().enumerate().filter(|(at, _)| !assigned.contains(at)) {
            let mut on = mapping.listed.contains(&at);
            if ui.checkbox(&mut on, name).changed() {
                mapping.listed.retain(|other| *other != at);
                if on {
                    mapping.listed.push(at);
                    mapping.listed.sort_unstable();
                }
            }
        }
    };
    Choices::new("Further columns", words)
        .width(148.0)
        .stays_open()
        .help("Every column that holds them")
        .show(ui, list);
}

fn purposes(spec: &TableSpec, mapping: &Mapping, width: usize) -> Vec<Option<String>> {
    let mut purposes = vec![None; width];
    let carried = spec.carried.filter(|_| mapping.layout == Layout::Rows).map(|carried| carried.title);
    let titles = spec.columns.iter().map(|column| column.title).chain(carried);
    for (title, at) in titles.zip(&mapping.columns) {
        if let Some(purpose) = at.and_then(|at| purposes.get_mut(at)) {
            *purpose = Some(title.to_owned());
        }
    }
    let wide = spec.wide.filter(|_| mapping.layout != Layout::Rows);
    let listed = wide.map(|wide| spec.columns[wide.column].title).or(spec.further.map(|further| further.noun));
    for &at in mapping.listed.iter().filter(|_| listed.is_some()) {
        if let Some(purpose) = purposes.get_mut(at) {
            purpose.get_or_insert_with(|| gridwright_core::text::sentence_case(listed.unwrap_or_default()));
        }
    }
    purposes
}

/// Further columns are not shown, though they can be chosen.
const COLUMNS: usize = 64;

const ROW: f32 = size::ROW - 4.0;

/// The table as in the file; used columns, corrected cells and lines with problems are marked.
struct Drawn<'a> {
    spec: &'a TableSpec,
    table: &'a Mapped,
    /// Index of the sheet.
    at: usize,
    outcome: Option<&'a Outcome>,
    corrections: &'a Corrections,
}

impl Drawn<'_> {
    /// Draws the table, from row `go_to` on if one is given; returns the corrected cell once its text counts.
    fn show(&self, ui: &mut Ui, correcting: &mut Option<Correcting>, go_to: Option<usize>) -> Option<Correcting> {
        let palette = palette(ui.visuals());
        let Mapped { sheet, mapping } = self.table;
        let names = sheet.names(mapping.header);
        let shown = names.len().min(COLUMNS);
        let purposes = purposes(self.spec, mapping, shown);
        let first = mapping.header.map_or(0, |row| row + 1);
        let mut entered = None;
        egui::Frame::new().fill(palette.surface).stroke(egui::Stroke::new(1.0, palette.border)).show(ui, |ui| {
            ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
                ui.spacing_mut().item_spacing = egui::vec2(space::M, 0.0);
                let height = (ui.available_height() - 2.0 * size::ROW).max(60.0);
                let mut builder = TableBuilder::new(ui)
                    .id_salt(("sheet", self.at))
                    .cell_layout(egui::Layout::left_to_right(Align::Center))
                    .auto_shrink(false)
                    .min_scrolled_height(height)
                    .max_scroll_height(height)
                    .column(Cell::exact(64.0))
                    .columns(Cell::initial(132.0).at_least(48.0).clip(true).resizable(true), shown);
                if let Some(row) = go_to.and_then(|row| row.checked_sub(first)) {
                    // To the row itself: scrolling to its rectangle would move the columns, too.
                    let above = (height / 2.0 / ROW).floor();
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
                        let at = first + row.index();
                        let (line, fields) = sheet.row(at);
                        let problem = self.outcome.and_then(|outcome| problem_of(outcome, self.at, line));
                        let is_bad = problem.is_some_and(|(_, effect)| effect.is_loss());
                        row.col(|ui| line_number(ui, line, problem));
                        for column in 0..shown {
                            let words = fields.get(column).map_or("", String::as_str);
                            let colour = match (is_bad, purposes[column].is_some()) {
                                (true, _) => palette.bad,
                                (_, true) => palette.text,
                                _ => palette.weak,
                            };
                            let name = format!("Line {line}, {}: {words}", names[column]);
                            row.col(|ui| {
                                let done = self.cell(ui, correcting, (at, column), (&name, words, colour));
                                entered = entered.take().or(done);
                            });
                        }
                    });
                });
            });
        });
        entered
    }

    /// Draws a cell, or the field of the one that is being corrected; returns the latter once its text counts.
    fn cell(
        &self, ui: &mut Ui, correcting: &mut Option<Correcting>, (row, column): (usize, usize),
        (name, words, colour): (&str, &str, egui::Color32),
    ) -> Option<Correcting> {
        let rect = ui.max_rect();
        if let Some(cell) = correcting.as_mut().filter(|cell| (cell.row, cell.column) == (row, column)) {
            let takes_focus = std::mem::take(&mut cell.takes_focus);
            let id = egui::Id::unique("corrected cell of an import");
            return match entry::cell(ui, rect, id, &mut cell.text, takes_focus) {
                None => None,
                Some(Left::Entered(_)) => correcting.take(),
                Some(Left::TakenBack) => {
                    *correcting = None;
                    None
                }
            };
        }
        let sheet = &self.table.sheet;
        let before = self.corrections.before(sheet, sheet.row(row).0, column);
        let text = RichText::new(words).color(colour);
        let text = if before.is_some() { text.underline() } else { text };
        ui.add(Label::new(text).truncate().selectable(false));
        let response = ui.interact(rect, egui::Id::unique(("cell of an import", row, column)), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, name));
        let help = match before {
            Some(before) => format!("Corrected here; the file says «{before}»"),
            None => format!("{words}\nClick to correct this value; the file stays as it is").trim_start().to_owned(),
        };
        if response.on_hover_text(help).clicked() {
            *correcting = Some(Correcting::new(self.at, sheet, (row, column)));
        }
        None
    }
}

/// Draws the number of a line, with its problem as a tooltip.
fn line_number(ui: &mut Ui, line: usize, problem: Option<(&str, Effect)>) {
    let palette = palette(ui.visuals());
    let is_bad = problem.is_some_and(|(_, effect)| effect.is_loss());
    let colour = if is_bad { palette.bad } else { palette.weak };
    let response = ui.label(RichText::new(format!("  {line}")).size(text::SMALL).color(colour));
    if let Some((what, _)) = problem {
        response.on_hover_text(what);
    }
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

fn problem_of(outcome: &Outcome, sheet: usize, line: usize) -> Option<(&str, Effect)> {
    let at = outcome.problems.partition_point(|problem| (problem.sheet, problem.line) < (sheet, line));
    let found = outcome.problems.get(at).filter(|problem| (problem.sheet, problem.line) == (sheet, line));
    found.map(|problem| (problem.what.as_str(), problem.effect))
}
