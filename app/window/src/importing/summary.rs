//! Last step of the import: what is read, what is still to be entered, and where the project is kept.

use std::path::Path;

use egui::{Label, RichText, ScrollArea, Ui};
use gridwright_core::data::import::LineCount;
use gridwright_core::numbers::{counted, grouped};

use super::correcting::Corrections;
use super::{Counted, Dialog, Wish};
use crate::data_view::{Shown, form};
use crate::theme::{self, palette, space};
use crate::widgets::controls::{button, coloured_fact};
use crate::widgets::entry::Field;
use crate::widgets::icons::Icon;

impl Dialog {
    pub(super) fn show_summary(&mut self, ui: &mut Ui) -> Option<Wish> {
        // While anything is counted anew, the former counts stay: a field that was entered leads to the next one.
        let Some(counted) = self.counted.clone() else {
            self.show_waiting(ui);
            return None;
        };
        let mut wish = None;
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let palette = palette(ui.visuals());
            match &counted.instance {
                Ok(facts) => ui.label(theme::heading(facts)),
                Err(_) if self.updated.is_some() => ui.label("The differences are listed next."),
                Err(issues) => {
                    let text: Vec<String> =
                        issues.iter().take(5).map(|issue| issue.text(self.problem.descriptor().tables)).collect();
                    ui.add(Label::new(RichText::new(text.join("\n")).color(palette.bad)).wrap())
                }
            };
            ui.add_space(space::S);
            lines(ui, self.problem.descriptor().tables, &counted, &self.choices.corrections);
            ui.add_space(space::M);
            let issues = counted.instance.as_ref().err().map_or(&[][..], Vec::as_slice);
            // What is still to be entered comes first, and stays there once it was entered.
            self.asks |= issues.iter().any(|issue| self.is_of_form(issue));
            if self.updated.is_some() {
                return;
            }
            if self.asks {
                self.show_forms(ui, issues);
                wish = self.target_line(ui);
            } else {
                wish = self.target_line(ui);
                ui.add_space(space::M);
                self.show_forms(ui, issues);
            }
        });
        wish
    }

    /// Draws the forms of the problem, such as the size of a plant.
    fn show_forms(&mut self, ui: &mut Ui, issues: &[gridwright_core::data::Issue]) {
        let tables = self.problem.descriptor().tables;
        for (table, spec) in tables.iter().enumerate().filter(|(_, spec)| spec.is_form) {
            ui.label(theme::heading(spec.title));
            let data = std::sync::Arc::new(self.base.clone());
            let plan = self.problem.problem.nouns().plan;
            let letterhead = Default::default();
            let shown =
                Shown { specs: tables, data: &data, issues, is_busy: false, plan, letterhead, has_languages: false };
            if let Some(edit) = form(ui, shown, table) {
                self.base = edit.data;
                self.changed();
            }
        }
    }

    /// Draws the name of the instance and the file of the project.
    fn target_line(&mut self, ui: &mut Ui) -> Option<Wish> {
        let palette = palette(ui.visuals());
        let mut wish = None;
        ui.label(theme::bold("Name"));
        let entry = Field::new("Name of the instance").margin(8, 5).width(320.0).show(ui, &self.name);
        if let Some(name) = entry.entered {
            self.name = name;
            self.changed();
        }
        ui.add_space(space::S);
        ui.label(theme::bold("Project"));
        ui.horizontal(|ui| {
            let field = Field::new("File of the project").hint("Path of a file").margin(8, 5);
            let response = field.width(ui.available_width() - 112.0).live(ui, &mut self.target);
            self.is_target_chosen |= response.changed();
            if button(ui, Icon::Open, "Choose…", true).clicked() {
                wish = Some(Wish::ChooseTarget);
            }
        });
        let text = "The project holds all tables, and later the runs; the files that were read stay as they are. What was left \
                    out is listed in a table beside it.";
        ui.add(Label::new(theme::small(text).color(palette.weak)).wrap());
        if Path::new(self.target.trim()).exists() {
            let text = "There is a file of this name; choose another name";
            ui.label(theme::small(text).color(palette.bad));
        }
        wish
    }
}

fn lines(ui: &mut Ui, tables: &[gridwright_core::data::TableSpec], counts: &Counted, corrections: &Corrections) {
    let Counted { request, outcome, .. } = counts;
    let palette = palette(ui.visuals());
    for (mapped, count) in request.sheets.iter().zip(&outcome.counts) {
        let Some(table) = mapped.mapping.table else {
            coloured_fact(ui, mapped.sheet.name(), "not used", palette.weak);
            continue;
        };
        let LineCount { lines, left_out, values_left_out, repeats, respelled, added } = *count;
        let mut words = vec![format!("{} read", counted(lines as u64, "line"))];
        for (count, what) in [(left_out, "left out"), (repeats, "repeated, header or total")] {
            if count > 0 {
                words.push(format!("{} {what}", grouped(count as u64)));
            }
        }
        if values_left_out > 0 {
            words.push(format!("{} left out", counted(values_left_out as u64, "value")));
        }
        let corrected = corrections.count(&mapped.sheet);
        if corrected > 0 {
            words.push(format!("{} corrected here", counted(corrected as u64, "value")));
        }
        if respelled > 0 {
            words.push(format!("{} in another spelling", counted(respelled as u64, "name")));
        }
        if added > 0 {
            words.push(format!("{} added to their table", counted(added as u64, "name")));
        }
        let colour = if left_out + values_left_out > 0 { palette.bad } else { palette.text };
        let name = format!("{} ({})", tables[table].title, mapped.sheet.name());
        coloured_fact(ui, &name, &words.join(", "), colour);
        unused(ui, tables, mapped);
    }
}

/// Names the columns of a sheet that are carried along, and those that are not used.
fn unused(ui: &mut Ui, tables: &[gridwright_core::data::TableSpec], mapped: &gridwright_core::data::import::Mapped) {
    let texts: Vec<String> = mapped.text_columns(tables).into_iter().map(|(_, name)| name).collect();
    if !texts.is_empty() {
        let text = format!("Texts that are carried along: {}", texts.join(", "));
        ui.add(Label::new(theme::small(text).color(palette(ui.visuals()).weak)).wrap());
    }
    let unused = mapped.unused_columns(tables);
    if !unused.is_empty() {
        let text = format!("Columns that are not used: {}", unused.join(", "));
        ui.add(Label::new(theme::small(text).color(palette(ui.visuals()).warn)).wrap());
    }
}
