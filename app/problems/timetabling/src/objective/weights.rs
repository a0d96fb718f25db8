//! Weights of the present objective: what each counts in the shown timetable, its value and its share of the cost.

use egui::{Align, DragValue, Grid, Label, Layout, RichText, ScrollArea, Ui};
use gridwright_core::numbers::grouped;
use gridwright_timetabling::check::Component;
use gridwright_timetabling::objective::{HIGHEST_WEIGHT, WeightName};
use gridwright_timetabling::{Objective, ObjectiveKind, Weights};

use crate::methods::*;
use crate::state::Document;
use gridwright_window::theme::{self, palette, size};
use gridwright_window::widgets::controls::named;

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

/// Draws the weights with fields to change them; returns the objective with other weights once they are to be used. Nothing
/// for the published objective, which has none to choose.
pub fn show(ui: &mut Ui, document: &Document) -> Option<Objective> {
    let present = &document.instance.objective;
    if present.kind == ObjectiveKind::Toronto {
        return None;
    }
    let id = ui.scope_id().with("weights");
    let known: Option<Changing> = ui.data(|data| data.get_temp(id));
    let begin = || Changing { from: present.clone(), weights: present.weights.clone() };
    let mut changing = known.filter(|known| known.from == *present).unwrap_or_else(begin);
    let components = document.verdict().map(|verdict| verdict.components.clone()).unwrap_or_default();
    ui.label(theme::bold(format!("Weights of {}", present.kind.label())));
    ScrollArea::vertical().id_salt("weights").max_height(HEIGHT).auto_shrink(true).show(ui, |ui| {
        table(ui, &components, &mut changing.weights);
    });
    let mut used = None;
    // A layout from the right takes all the height that is left, unless it is told its own.
    let row = egui::vec2(ui.available_width(), size::CONTROL);
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        let is_changed = changing.weights != present.weights;
        let small = egui::vec2(0.0, size::CONTROL);
        if ui.add_enabled(is_changed, egui::Button::new("Use these weights").min_size(small)).clicked() {
            used = Some(Objective { kind: present.kind, weights: changing.weights.clone() });
        }
        let usual = Weights::of(present.kind);
        let offers_usual = present.kind == ObjectiveKind::Office && changing.weights != usual;
        if ui.add_enabled(offers_usual, egui::Button::new("Usual weights").min_size(small)).clicked() {
            changing.weights = usual;
        }
    });
    ui.data_mut(|data| data.insert_temp(id, changing));
    used
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
            let field = DragValue::new(weight.place(weights)).range(0..=HIGHEST_WEIGHT);
            named(ui, weight.label, "Cost of each time that it is counted; 0 leaves it out", |ui| ui.add(field));
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
