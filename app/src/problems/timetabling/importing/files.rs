//! The first step: which files.

use egui::{ComboBox, Key, Margin, RichText, TextEdit, Ui, WidgetInfo};
use gridwright_solver::numbers::grouped;
use gridwright_solver::timetabling::formats::import::{DELIMITERS, Encoding, Sheet, TableKind};

use super::{Dialog, File, Wish};
use crate::theme::{self, palette, space};
use crate::widgets::controls::{button, icon_button, named};
use crate::widgets::icons::Icon;

fn help(kind: TableKind) -> &'static str {
    match kind {
        TableKind::Enrolments => "Who sits what: a line for each student and exam, or a line for each student",
        TableKind::Exams => "Optional: codes, titles and durations of the exams",
        TableKind::Periods => "Optional: date, start, end and seats of the periods; the calendar makes them, too",
    }
}

fn delimiter_name(delimiter: u8) -> &'static str {
    DELIMITERS.iter().find(|(other, _)| *other == delimiter).map_or("Other", |(_, name)| name)
}

impl Dialog {
    pub(super) fn show_files(&mut self, ui: &mut Ui) -> Option<Wish> {
        let mut wish = None;
        for kind in TableKind::ALL {
            ui.push_id(kind.name(), |ui| {
                ui.horizontal(|ui| {
                    ui.label(theme::bold(kind.name()));
                    ui.label(theme::small(help(kind)).color(palette(ui.visuals()).weak));
                });
                wish = self.path_line(ui, kind).or(wish);
                if self.state_line(ui, kind) {
                    self.read(ui.ctx(), kind);
                }
                ui.add_space(space::L);
            });
        }
        let text = "Or drop the files anywhere on this window: what they are is seen by their columns. Tables of text \
                    in any encoding are read; save a workbook as CSV first.";
        ui.label(theme::small(text).color(palette(ui.visuals()).weak));
        wish
    }

    fn path_line(&mut self, ui: &mut Ui, kind: TableKind) -> Option<Wish> {
        let mut wish = None;
        let (mut read, mut clear) = (false, false);
        let file = self.file(kind);
        ui.horizontal(|ui| {
            let field =
                TextEdit::singleline(&mut file.path).hint_text("Path of the file").margin(Margin::symmetric(8, 5));
            let response = ui.add(field.desired_width(ui.available_width() - 148.0));
            let label = format!("Path of the table {}", kind.name());
            response.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, &label));
            let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            read = (entered || response.lost_focus()) && file.path.trim() != file.asked;
            if button(ui, Icon::Open, "Choose…", true).clicked() {
                wish = Some(Wish::Choose(kind));
            }
            let name = format!("No table {}", kind.name());
            clear = !file.path.is_empty() && icon_button(ui, Icon::Cross, &name, true).clicked();
        });
        if clear {
            self.set_path(ui.ctx(), kind, "");
        } else if read {
            let path = self.file(kind).path.clone();
            self.set_path(ui.ctx(), kind, &path);
        }
        wish
    }

    /// Draws the contents detected in the file, with encoding and delimiter to choose; returns `true` to read it again.
    fn state_line(&mut self, ui: &mut Ui, kind: TableKind) -> bool {
        let palette = palette(ui.visuals());
        let file = self.file(kind);
        let mut again = false;
        ui.horizontal(|ui| {
            ui.set_min_height(theme::size::CONTROL);
            if file.reading.is_busy() {
                ui.label(RichText::new("Reading…").color(palette.weak));
            } else if let Some(error) = &file.error {
                ui.add(egui::Label::new(RichText::new(error).color(palette.bad)).wrap().selectable(true));
            } else if let Some(sheet) = file.table.as_ref().map(|table| table.sheet.clone()) {
                let lines = format!("{} lines, {} columns", grouped(sheet.len() as i64), sheet.width());
                ui.label(RichText::new(lines).color(palette.text));
                ui.add_space(space::M);
                again = reading(ui, file, &sheet, kind);
            } else if kind == TableKind::Enrolments {
                ui.label(RichText::new("Not chosen yet").color(palette.weak));
            } else {
                ui.label(RichText::new("None").color(palette.weak));
            }
        });
        again
    }
}

/// Draws encoding and delimiter; returns `true` if one was changed.
fn reading(ui: &mut Ui, file: &mut File, sheet: &Sheet, kind: TableKind) -> bool {
    let mut changed = false;
    ui.label(theme::small("Encoding").color(palette(ui.visuals()).weak));
    let combo = ComboBox::from_id_salt("encoding").selected_text(sheet.encoding().name()).width(168.0);
    let list = |ui: &mut Ui| {
        for encoding in Encoding::ALL {
            if ui.selectable_label(encoding == sheet.encoding(), encoding.name()).clicked() {
                (file.encoding, changed) = (Some(encoding), true);
            }
        }
    };
    let name = format!("Encoding of {}", kind.name());
    named(ui, &name, "How the file writes letters; change it where they look wrong", |ui| {
        combo.show_ui(ui, list).response
    });
    ui.add_space(space::S);
    ui.label(theme::small("Columns separated by").color(palette(ui.visuals()).weak));
    let combo = ComboBox::from_id_salt("delimiter").selected_text(delimiter_name(sheet.delimiter())).width(96.0);
    let list = |ui: &mut Ui| {
        for (delimiter, name) in DELIMITERS {
            if ui.selectable_label(delimiter == sheet.delimiter(), name).clicked() {
                (file.delimiter, changed) = (Some(delimiter), true);
            }
        }
    };
    let name = format!("Delimiter of {}", kind.name());
    named(ui, &name, "What stands between two columns", |ui| combo.show_ui(ui, list).response);
    changed
}
