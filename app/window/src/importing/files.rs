//! The first step: which files, and which tables their sheets are.

use std::path::{Path, PathBuf};

use egui::{Align, Key, Label, Layout, RichText, ScrollArea, Ui, vec2};
use gridwright_core::data::import::{DELIMITERS, Encoding, Mapped, Mapping, Sheet};
use gridwright_core::numbers::counted;

use super::{Dialog, Input, Wish, problems};
use crate::theme::{self, palette, size, space};
use crate::widgets::choices::Choices;
use crate::widgets::controls::{button, icon_button, segmented};
use crate::widgets::entry::Field;
use crate::widgets::icons::Icon;

fn delimiter_name(delimiter: u8) -> &'static str {
    DELIMITERS.iter().find(|(other, _)| *other == delimiter).map_or("Other", |(_, name)| name)
}

impl Dialog {
    pub(super) fn show_files(&mut self, ui: &mut Ui) -> Option<Wish> {
        if self.updated.is_none() {
            self.kinds(ui);
            ui.add_space(space::M);
        }
        let wish = self.path_line(ui);
        let text = "CSV, XLSX, XLS and ODS, with all sheets. You can also drop the files anywhere on this window. The program \
                    recognises tables by their columns.";
        ui.add(Label::new(theme::small(text).color(palette(ui.visuals()).weak)).wrap());
        ui.add_space(space::M);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            self.unread_files(ui);
            self.sheet_lines(ui);
            if self.is_reading() {
                ui.label(RichText::new("Reading…").color(palette(ui.visuals()).weak));
            }
            ui.add_space(space::M);
            for table in self.problem.descriptor().tables.iter().filter(|table| !table.is_form) {
                let optional = if table.is_required { "" } else { " (optional)" };
                let words = format!("{}{optional}: {}", table.title, table.help);
                ui.add(Label::new(theme::small(words).color(palette(ui.visuals()).weak)).wrap());
            }
        });
        wish
    }

    /// Draws the choice of the problem.
    fn kinds(&mut self, ui: &mut Ui) {
        let all: Vec<_> = problems().collect();
        let names: Vec<(&str, &str, bool)> =
            all.iter().map(|problem| (problem.problem.nouns().heading, "", true)).collect();
        let chosen = all.iter().position(|problem| problem.problem.id() == self.problem.problem.id());
        ui.horizontal_wrapped(|ui| {
            ui.label(theme::bold("The tables hold"));
            if let Some(problem) = segmented(ui, &names, chosen).and_then(|index| all.get(index)) {
                self.is_chosen = true;
                self.choose_problem(problem);
            }
        });
    }

    fn path_line(&mut self, ui: &mut Ui) -> Option<Wish> {
        let mut wish = None;
        let mut read = false;
        let height = vec2(ui.available_width(), size::CONTROL);
        ui.allocate_ui_with_layout(height, Layout::right_to_left(Align::Center), |ui| {
            let paste = button(ui, Icon::Copy, "Paste", true);
            if paste.on_hover_text("Take cells that were copied in a spreadsheet").clicked() {
                ui.ctx().send_viewport_cmd(egui::ViewportCommand::RequestPaste);
            }
            if button(ui, Icon::Open, "Choose…", true).clicked() {
                wish = Some(Wish::ChooseFile);
            }
            let has_path = !self.path.trim().is_empty();
            read = button(ui, Icon::Plus, "Add", has_path).clicked();
            let field = Field::new("Path of a table").hint("Path of a file").margin(8, 5).width(f32::INFINITY);
            let response = field.live(ui, &mut self.path);
            read |= response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        });
        let pasted = ui.input(|input| {
            input.events.iter().find_map(|event| match event {
                egui::Event::Paste(text) if text.contains(['\t', '\n']) => Some(text.clone()),
                _ => None,
            })
        });
        self.queue.extend(pasted.map(Input::Clipboard));
        if read && !self.path.trim().is_empty() {
            let path = std::mem::take(&mut self.path);
            self.add_file(Path::new(path.trim()).to_path_buf());
        }
        wish
    }

    /// Draws the files that could not be read.
    fn unread_files(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        let mut dropped = None;
        for (index, (name, why)) in self.unread.iter().enumerate() {
            ui.horizontal(|ui| {
                if icon_button(ui, Icon::Cross, &format!("Leave out {name}"), true).clicked() {
                    dropped = Some(index);
                }
                ui.add(Label::new(RichText::new(why).color(palette.bad)).wrap().selectable(true));
            });
        }
        if let Some(index) = dropped {
            self.unread.remove(index);
            self.changed();
        }
    }

    /// Draws a line for every sheet: its table, its size, how it is read.
    fn sheet_lines(&mut self, ui: &mut Ui) {
        let mut again = None;
        let mut removed = None;
        let mut changed = false;
        let tables = self.problem.descriptor().tables;
        for (index, mapped) in self.sheets.iter_mut().enumerate() {
            ui.push_id(index, |ui| {
                ui.horizontal_wrapped(|ui| {
                    if icon_button(ui, Icon::Cross, &format!("Leave out {}", mapped.sheet.name()), true).clicked() {
                        removed = Some(index);
                    }
                    ui.label(theme::bold(mapped.sheet.name()));
                    let size = counted(mapped.sheet.len() as u64, "line");
                    ui.label(format!("{size}, {}", counted(mapped.sheet.width() as u64, "column")));
                    ui.add_space(space::S);
                    ui.label("is");
                    changed |= table_choice(ui, mapped, tables);
                    again = again.take().or(reading(ui, &mapped.sheet));
                });
                ui.add_space(space::XS);
            });
        }
        if let Some(index) = removed {
            self.choices.leave_out(&self.sheets.remove(index).sheet);
            changed = true;
        }
        if let Some((path, encoding, delimiter)) = again {
            self.choices.read_as(&path, encoding, delimiter);
            self.queue.push_back(self.choices.input(path));
        }
        if changed {
            self.changed();
        }
    }
}

/// Draws the choice of the table that a sheet holds; returns `true` if it was changed.
fn table_choice(ui: &mut Ui, mapped: &mut Mapped, tables: &[gridwright_core::data::TableSpec]) -> bool {
    let words = mapped.mapping.table.map_or("not used", |table| tables[table].title);
    let mut chosen = mapped.mapping.table;
    let list = |ui: &mut Ui| {
        if ui.selectable_label(chosen.is_none(), "not used").clicked() {
            chosen = None;
        }
        for (table, spec) in tables.iter().enumerate().filter(|(_, spec)| !spec.is_form) {
            if ui.selectable_label(chosen == Some(table), spec.title).on_hover_text(spec.help).clicked() {
                chosen = Some(table);
            }
        }
    };
    let name = format!("Table in {}", mapped.sheet.name());
    Choices::new(&name, words).width(132.0).help("Which table the sheet holds").show(ui, list);
    if chosen == mapped.mapping.table {
        return false;
    }
    mapped.mapping = match chosen {
        Some(table) => Mapping::guess_for(&mapped.sheet, tables, table),
        None => Mapping { table: None, ..mapped.mapping.clone() },
    };
    true
}

/// Draws encoding and delimiter of a text file; returns the file with both if one was changed.
fn reading(ui: &mut Ui, sheet: &Sheet) -> Option<(PathBuf, Encoding, u8)> {
    let (mut encoding, mut delimiter) = (sheet.encoding()?, sheet.delimiter());
    let mut changed = false;
    ui.add_space(space::S);
    let present = encoding.name();
    let list = |ui: &mut Ui| {
        for other in Encoding::ALL {
            if ui.selectable_label(other == encoding, other.name()).clicked() {
                (encoding, changed) = (other, true);
            }
        }
    };
    let name = format!("Encoding of {}", sheet.name());
    Choices::new(&name, present)
        .width(150.0)
        .help("How the file writes letters; change it where they look wrong")
        .show(ui, list);
    let present = delimiter_name(delimiter);
    let list = |ui: &mut Ui| {
        for (other, name) in DELIMITERS {
            if ui.selectable_label(other == delimiter, name).clicked() {
                (delimiter, changed) = (other, true);
            }
        }
    };
    let name = format!("Delimiter of {}", sheet.name());
    Choices::new(&name, present).width(92.0).help("What stands between two columns").show(ui, list);
    changed.then(|| (sheet.path().to_path_buf(), encoding, delimiter))
}
