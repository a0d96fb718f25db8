//! Dialog of a rule for many exams: a selection by code and size, the kind of the rule, periods or other exams.

use egui::{Align, Context, Layout, RichText, Ui, vec2};
use gridwright_timetabling::bulk::{BulkRule, Kind};

use crate::describe::counted;
use crate::editing::Edit;
use crate::methods::*;
use crate::state::Document;
use crate::view_state::adjusting::BulkDialog;
use gridwright_window::theme::{self, palette, size, space};
use gridwright_window::widgets::choices::Choices;
use gridwright_window::widgets::dialog::{Wish, closes, dialog, heading};
use gridwright_window::widgets::entry::Field;

/// Draws the dialog while it is open.
pub fn show(ctx: &Context, document: &mut Document) {
    let Some(mut state) = document.state.bulk.take() else { return };
    let mut added = None;
    let response = dialog(ctx, "Rule for many exams", 520.0, |ui| {
        let mut wish = Wish::Stay;
        heading(ui, "A rule for many exams", &mut wish);
        let found = contents(ui, document, &mut state);
        ui.add_space(space::S);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let small = vec2(0.0, size::CONTROL);
            if ui.add_enabled(found.is_some(), egui::Button::new("Add the rule").min_size(small)).clicked() {
                added = found;
                wish = Wish::Close;
            }
            if ui.add(egui::Button::new("Cancel").min_size(small)).clicked() {
                wish = Wish::Close;
            }
        });
        wish
    });
    if let Some(rule) = added {
        // Rules can always be demanded; whether they can be met is another matter.
        let _ = document.apply(vec![Edit::Bulk(rule)]);
    } else if !closes(&response) {
        document.state.bulk = Some(state);
    }
}

/// Draws the fields; returns the rule if they state one.
fn contents(ui: &mut Ui, document: &Document, state: &mut BulkDialog) -> Option<BulkRule> {
    let palette = palette(ui.visuals());
    let field = |ui: &mut Ui, text: &mut String, name: &str, hint: &str| {
        ui.label(theme::bold(name));
        Field::new(name).hint(hint).width(f32::INFINITY).live(ui, text);
    };
    field(ui, &mut state.exams, "Exams", "MAT*; >=300 & CS*");
    let help = "Codes with * and ?, numbers of students with >= and <=; “;” adds exams, “&” demands both.";
    ui.label(theme::small(help).color(palette.weak));
    ui.add_space(space::XS);
    let kind = Kind::ALL[state.kind.min(Kind::ALL.len() - 1)];
    Choices::new("Rule", kind.1).width(220.0).help("What the rule demands of these exams").show(ui, |ui| {
        for (index, (_, name)) in Kind::ALL.iter().enumerate() {
            ui.selectable_value(&mut state.kind, index, *name);
        }
    });
    let (kind, _) = Kind::ALL[state.kind.min(Kind::ALL.len() - 1)];
    let (name, hint, help) = match kind {
        Kind::OnlyIn | Kind::NotIn => (
            "Periods",
            "mornings; Mon; 2026-06-05 09:00",
            "Mornings, afternoons, days of the week, dates, starts, numbers of periods; “;” between them.",
        ),
        Kind::Related(_) => ("Other exams", "PHY*", "Selected as above; empty for the same exams among each other."),
    };
    field(ui, &mut state.with, name, hint);
    ui.label(theme::small(help).color(palette.weak));
    ui.add_space(space::S);
    if state.exams.trim().is_empty() {
        return None;
    }
    match BulkRule::find(&document.instance, &state.exams, kind, &state.with) {
        Ok(rule) => {
            ui.label(RichText::new(words(&rule)).color(palette.text));
            Some(rule)
        }
        Err(why) => {
            ui.label(RichText::new(gridwright_core::text::sentence_case(&why)).color(palette.warn));
            None
        }
    }
}

/// Numbers of what a rule demands: «12 exams: 108 pairs of an exam and a forbidden period».
fn words(rule: &BulkRule) -> String {
    let exams = counted(rule.exams as u64, "exam");
    match (rule.forbidden.len(), rule.relations.len()) {
        (0, 0) => format!("{exams}: the rule forbids nothing"),
        (0, relations) => format!("{exams}, {}", counted(relations as u64, "relation")),
        (forbidden, _) => {
            format!("{exams}, each out of {}", counted((forbidden / rule.exams.max(1)) as u64, "period"))
        }
    }
}
