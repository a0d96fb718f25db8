//! Choice of the objective of a session and of its weights.

mod weights;

use egui::{Align, Context, Layout, RadioButton, RichText, Ui, vec2};
use gridwright_timetabling::{Objective, ObjectiveKind};

use super::editing::Edit;
use super::state::Document;
use crate::methods::*;
use gridwright_window::theme::{self, palette, size, space};
use gridwright_window::widgets::controls::labelled;
use gridwright_window::widgets::dialog::{Ending, Wish, dialog, ending, heading};

/// One sentence about an objective.
fn sentence(kind: ObjectiveKind) -> &'static str {
    match kind {
        ObjectiveKind::Toronto => {
            "Exams of a student lie apart: 16, 8, 4, 2 or 1 for two exams one to five periods apart, divided by the number \
             of students."
        }
        ObjectiveKind::Itc2007 => {
            "The weights of the file: exams in a row, on a day and close to each other, different durations in a room, \
             large exams late, and penalties of periods and rooms."
        }
        ObjectiveKind::Office => {
            "No student has two exams in a row and few have two on a day; then days lie between exams, large exams come \
             early, and few exams are split over rooms."
        }
    }
}

/// Objective of this kind for the session.
///
/// # Errors
/// Why the session cannot have one.
fn offered(document: &Document, kind: ObjectiveKind) -> Result<Objective, &'static str> {
    // The weights of a file are kept, whatever was chosen meanwhile.
    let known = [&document.instance.objective, &document.work().data.instance.objective];
    if let Some(objective) = known.into_iter().find(|objective| objective.kind == kind) {
        return Ok(objective.clone());
    }
    match kind {
        ObjectiveKind::Toronto => Ok(Objective::of(kind)),
        ObjectiveKind::Itc2007 => Err("The file has no weights of this objective."),
        ObjectiveKind::Office if !document.instance.is_dated() => {
            Err("Every period needs a date; make a calendar first (menu Edit).")
        }
        ObjectiveKind::Office => Ok(Objective::of(kind)),
    }
}

/// Draws the name of the objective in the bar of settings; a click opens the choice.
pub fn field(ui: &mut Ui, document: &mut Document) {
    labelled(ui, "Objective", |ui| {
        let name = document.instance.objective.kind.label();
        let label = format!("Objective: {name}");
        let response = ui.add(egui::Button::new(name).min_size(vec2(0.0, size::CONTROL)));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
        if response.on_hover_text("What the searches minimise").clicked() {
            document.choosing_objective = true;
        }
    });
}

/// Draws the choice of the objective while it is open.
pub fn choice(ctx: &Context, document: &mut Document) {
    let (mut chosen, mut changed) = (None, None);
    let response = dialog(ctx, "Objective", 560.0, |ui| {
        let palette = palette(ui.visuals());
        let mut wish = Wish::Stay;
        heading(ui, "What shall be minimised?", &mut wish);
        for kind in ObjectiveKind::ALL {
            let offer = offered(document, kind);
            let is_chosen = document.instance.objective.kind == kind;
            let radio = RadioButton::new(is_chosen, theme::bold(kind.label()));
            let response = ui.add_enabled(offer.is_ok(), radio);
            ui.indent(kind.name(), |ui| {
                ui.add(egui::Label::new(RichText::new(sentence(kind)).color(palette.weak)).wrap());
                if let Err(why) = &offer {
                    ui.add(egui::Label::new(RichText::new(*why).color(palette.warn)).wrap());
                }
            });
            if response.clicked() && !is_chosen {
                chosen = offer.ok();
            }
            ui.add_space(space::XS);
        }
        changed = weights::show(ui, document);
        ui.add_space(space::XS);
        let text =
            "The list shows the costs of all runs by this objective. A run keeps the objective that it minimised.";
        ui.label(theme::small(text).color(palette.weak));
        let row = vec2(ui.available_width(), size::CONTROL);
        ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
            if ui.add(egui::Button::new("Done").min_size(vec2(0.0, size::CONTROL))).clicked() {
                wish = Wish::Close;
            }
        });
        wish
    });
    let ending = ending(&response);
    // Weights that were changed count when the dialog is left, unless Escape takes them back.
    let changed = changed.filter(|changed| changed.is_used || ending == Some(Ending::Left));
    if let Some(objective) = chosen.or(changed.map(|changed| changed.objective))
        && let Err(why) = document.apply(vec![Edit::Objective(objective)])
    {
        document.say(why);
    }
    if ending.is_some() {
        weights::forget(ctx);
        document.choosing_objective = false;
    }
}
