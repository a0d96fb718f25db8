//! Tables of one row, such as the size of a plant, as forms.

use egui::{Label, RichText, Ui};
use gridwright_core::data::ValueKind;
use gridwright_core::text::sentence_case;

use super::Shown;
use super::edits::{self, Edit};
use crate::theme::{self, palette, space};
use crate::widgets::choices::Choices;
use crate::widgets::entry::Field;

/// Draws a table of one row as a form; returns the data after an edit.
pub(crate) fn form(ui: &mut Ui, shown: Shown<'_>, table: usize) -> Option<Edit> {
    let palette = palette(ui.visuals());
    let spec = &shown.specs[table];
    let mut edit = None;
    ui.push_id(spec.id, |ui| {
        ui.set_max_width(560.0);
        ui.label(RichText::new(spec.help).color(palette.weak));
        ui.add_space(space::S);
        for (column, field) in spec.columns.iter().enumerate() {
            let present = shown.data.tables[table].rows.get(0).map_or("", |row| row.cell(column)).to_owned();
            let issue = shown.issues.iter().find(|issue| issue.table == Some(table) && issue.column == Some(column));
            ui.label(theme::bold(field.heading()));
            let entered = form_field(ui, &present, field.kind, field.title);
            if let Some(text) = entered {
                edit = edits::set_cell(shown.data, shown.specs, table, 0, column, &text);
            }
            let (text, colour) = match issue {
                Some(issue) => (sentence_case(&issue.what), palette.bad),
                None => (field.help.to_owned(), palette.weak),
            };
            ui.add(Label::new(theme::small(text).color(colour)).wrap());
            ui.add_space(space::S);
        }
    });
    edit
}

/// Draws the field of a form; returns its text when it was entered.
fn form_field(ui: &mut Ui, present: &str, kind: ValueKind, name: &str) -> Option<String> {
    if let ValueKind::Choice(choices) = kind {
        let mut chosen = None;
        let list = |ui: &mut Ui| {
            for choice in choices.iter().map(|choice| choice.text) {
                if ui.selectable_label(choice == present, choice).clicked() {
                    chosen = Some(choice.to_owned());
                }
            }
        };
        Choices::new(name, present).width(220.0).show(ui, list);
        return chosen;
    }
    if kind == ValueKind::Mark {
        let mut is_marked = present == "yes";
        let changed = ui.checkbox(&mut is_marked, name).changed();
        return changed.then(|| if is_marked { "yes".to_owned() } else { String::new() });
    }
    Field::new(name).width(220.0).margin(8, 5).show(ui, present).entered
}
