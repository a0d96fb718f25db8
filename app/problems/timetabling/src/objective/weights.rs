//! Weights of the present objective: what each counts in the shown timetable, its value and its share of the cost.

use egui::{Align, Context, Grid, Id, Label, Layout, RichText, ScrollArea, Ui};
use gridwright_core::numbers::grouped;
use gridwright_timetabling::check::Component;
use gridwright_timetabling::objective::{HIGHEST_WEIGHT, WeightName};
use gridwright_timetabling::{Objective, ObjectiveKind, Weights};

use crate::methods::*;
use crate::state::Document;
use gridwright_window::theme::{self, palette, size};
use gridwright_window::widgets::entry::Number;

/// Height in points of the list at most.
const HEIGHT: f32 = 260.0;

/// Width in points of a column of numbers.
const NUMBER: f32 = 72.0;

/// Weights that are being changed, and those that they began with.
#[derive(Clone)]
struct Changing {
    from: Objective,
    weights: Weights,
}

/// The objective with weights that were changed.
pub struct Changed {
    /// The objective with these weights.
    pub objective: Objective,
    /// True if the weights are to be used at once.
    pub is_used: bool,
}

fn id() -> Id {
    Id::unique("weights that are being changed")
}

/// Forgets weights that were changed and not used.
pub fn forget(ctx: &Context) {
    ctx.data_mut(|data| data.remove::<Changing>(id()));
}

/// Draws the weights with fields to change them; returns the objective while they differ from those of the session. Nothing
/// for the published objective, which has none to choose.
pub fn show(ui: &mut Ui, document: &Document) -> Option<Changed> {
    let present = &document.instance.objective;
    if present.kind == ObjectiveKind::Toronto {
        return None;
    }
    let known: Option<Changing> = ui.data(|data| data.get_temp(id()));
    let begin = || Changing { from: present.clone(), weights: present.weights.clone() };
    let mut changing = known.filter(|known| known.from == *present).unwrap_or_else(begin);
    let components = document.verdict().map(|verdict| verdict.components.clone()).unwrap_or_default();
    ui.label(theme::bold(format!("Weights of {}", present.kind.label())));
    ScrollArea::vertical().id_salt("weights").max_height(HEIGHT).auto_shrink(true).show(ui, |ui| {
        table(ui, &components, &mut changing.weights);
    });
    let mut is_used = false;
    // A layout from the right takes all the height that is left, unless it is told its own.
    let row = egui::vec2(ui.available_width(), size::CONTROL);
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        let is_changed = changing.weights != present.weights;
        let small = egui::vec2(0.0, size::CONTROL);
        is_used = ui.add_enabled(is_changed, egui::Button::new("Use these weights").min_size(small)).clicked();
        let usual = Weights::of(present.kind);
        let offers_usual = present.kind == ObjectiveKind::Office && changing.weights != usual;
        if ui.add_enabled(offers_usual, egui::Button::new("Usual weights").min_size(small)).clicked() {
            changing.weights = usual;
        }
    });
    let objective = Objective { kind: present.kind, weights: changing.weights.clone() };
    let changed = (objective.weights != present.weights).then_some(Changed { objective, is_used });
    ui.data_mut(|data| data.insert_temp(id(), changing));
    changed
}

fn table(ui: &mut Ui, components: &[Component], weights: &mut Weights) {
    let palette = palette(ui.visuals());
    let total: u64 = components.iter().map(|component| component.cost).sum();
    let right = |ui: &mut Ui, text: RichText| {
        let size = egui::vec2(NUMBER, size::CONTROL);
        ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            // The cell is as wide as its contents say.
            ui.set_min_width(NUMBER);
            ui.label(text);
        });
    };
    Grid::new("table of weights").num_columns(4).striped(true).show(ui, |ui| {
        let head = |text: &str| theme::small(text).color(palette.weak);
        ui.label("");
        ui.label(head("Weight"));
        right(ui, head("Count"));
        right(ui, head("Share"));
        ui.end_row();
        for weight in WeightName::ALL {
            ui.add(Label::new(weight.label).wrap_mode(egui::TextWrapMode::Extend));
            let field = Number::new(weight.label, weight.place(weights)).range(0..=HIGHEST_WEIGHT);
            ui.add(field.help("Cost of each time that it is counted; 0 leaves it out"));
            match components.iter().find(|component| component.key == weight.name) {
                Some(component) => {
                    let number = |text: String| RichText::new(text).color(palette.text);
                    right(ui, number(grouped(component.count)));
                    let share = component.cost as f64 * 100.0 / total.max(1) as f64;
                    right(ui, number(format!("{share:.1} %")));
                }
                None => {
                    ui.label("");
                    ui.label("");
                }
            }
            ui.end_row();
        }
    });
}
