//! Last step of the import: summary of the tables, and the target folder.

use std::path::Path;

use egui::{Margin, RichText, TextEdit, Ui, WidgetInfo};
use gridwright_solver::numbers::grouped;
use gridwright_solver::timetabling::Instance;
use gridwright_solver::timetabling::formats::import::{LineCount, Preview, TableKind};

use super::{Dialog, Wish};
use crate::theme::{self, palette, space};
use crate::widgets::controls::{button, coloured_fact, fact};
use crate::widgets::icons::Icon;
use crate::widgets::notice::message;

impl Dialog {
    pub(super) fn show_summary(&mut self, ui: &mut Ui) -> Option<Wish> {
        let Some(counted) = self.counted().cloned() else {
            ui.label(RichText::new("Nothing was counted yet").color(palette(ui.visuals()).weak));
            return None;
        };
        let preview = &counted.preview;
        let Some(instance) = &preview.instance else {
            let why = preview.obstacle.as_deref().unwrap_or("No line holds an enrolment");
            ui.label(RichText::new(why).color(palette(ui.visuals()).bad));
            return None;
        };
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0 * space::XL;
            ui.columns(2, |columns| {
                sizes(&mut columns[0], instance, preview);
                lines(&mut columns[1], &counted.request, preview);
            });
        });
        ui.add_space(space::M);
        let wish = self.folder_line(ui);
        if !instance.warnings.is_empty() {
            ui.add_space(space::S);
            ui.label(theme::bold("Remarks"));
            message(ui, &instance.warnings.join("\n"));
        }
        wish
    }

    /// Draws the target folder: it gets a copy of the tables in standard form, which opens without this dialog.
    fn folder_line(&mut self, ui: &mut Ui) -> Option<Wish> {
        let palette = palette(ui.visuals());
        let mut wish = None;
        ui.label(theme::bold("Folder"));
        ui.horizontal(|ui| {
            let field =
                TextEdit::singleline(&mut self.folder).hint_text("Path of a folder").margin(Margin::symmetric(8, 5));
            let response = ui.add(field.desired_width(ui.available_width() - 112.0));
            response.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, "Folder of the imported tables"));
            if button(ui, Icon::Open, "Choose…", true).clicked() {
                wish = Some(Wish::ChooseFolder);
            }
        });
        let text = "A copy of the tables in standard form and a report are put there, and that is what opens. The files \
                    that were read stay as they are.";
        ui.label(theme::small(text).color(palette.weak));
        if Path::new(self.folder.trim()).exists() {
            let text = "The folder is there already: tables of an earlier import in it are replaced, other files never";
            ui.label(theme::small(text).color(palette.warn));
        }
        wish
    }
}

fn sizes(ui: &mut Ui, instance: &Instance, preview: &Preview) {
    let palette = palette(ui.visuals());
    ui.label(theme::heading(&instance.name));
    fact(ui, "Exams", &grouped(instance.exam_count() as i64));
    fact(ui, "Students", &grouped(instance.students.len() as i64));
    fact(ui, "Enrolments", &grouped(instance.enrolments() as i64));
    fact(ui, "Conflict density", &format!("{:.3}", instance.conflicts.density()));
    let least = format!("at least {}", preview.least_periods);
    let periods = instance.period_count();
    let few = periods > 0 && periods < preview.least_periods;
    fact(ui, "Periods needed", &least);
    let (words, colour) = match periods {
        0 => ("not said; enter them or make a calendar".to_owned(), palette.warn),
        periods if few => (format!("{periods}, too few"), palette.bad),
        periods => (periods.to_string(), palette.text),
    };
    coloured_fact(ui, "Periods in the table", &words, colour);
    let text = "Exams of which each shares students with each other need a period each.";
    ui.label(theme::small(text).color(palette.weak));
}

fn lines(ui: &mut Ui, request: &gridwright_solver::timetabling::formats::import::Request, preview: &Preview) {
    let palette = palette(ui.visuals());
    ui.label(theme::heading("Lines"));
    for kind in TableKind::ALL {
        if request.table(kind).is_none() {
            continue;
        }
        let LineCount { lines, left_out, values_left_out, repeats } = preview.counts[kind as usize];
        let mut words = vec![format!("{} read", grouped(lines as i64))];
        for (count, what) in [
            (left_out, "left out"),
            (values_left_out, "values left out"),
            (repeats, if repeats == 1 { "repeat counted once" } else { "repeats counted once" }),
        ] {
            if count > 0 {
                words.push(format!("{} {what}", grouped(count as i64)));
            }
        }
        let colour = if left_out + values_left_out > 0 { palette.bad } else { palette.text };
        coloured_fact(ui, kind.name(), &words.join(", "), colour);
    }
}
