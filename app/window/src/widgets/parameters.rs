//! A form for the parameters of an algorithm, which describe themselves: label, field with unit, range and a sentence each.

use egui::{Align, Layout, Ui};
use gridwright_core::numbers::{figure, grouped};
use gridwright_core::search::{Algorithms, Kind, Parameter, Value};
use gridwright_core::text::sentence_case;

use crate::theme::{self, palette, space};
use crate::widgets::choices::Choices;
use crate::widgets::entry::Number;

/// Shows the parameters of an algorithm, to be changed if `enabled`.
pub fn show<A: Algorithms>(ui: &mut Ui, algorithm: &mut A, enabled: bool) {
    let defaults = A::with_defaults(algorithm.name()).unwrap_or_default();
    for parameter in algorithm.list() {
        let value = algorithm.parameters().get(parameter.name);
        let standard = defaults.parameters().get(parameter.name);
        let (Some(value), Some(standard)) = (value, standard) else { continue };
        if let Some(new) = row(ui, parameter, &value, &standard, enabled) {
            algorithm.parameters_mut().put(parameter.name, &new);
        }
    }
}

/// Characters of a unit that have room between label and field.
const LONG_UNIT: usize = 16;

fn row(ui: &mut Ui, parameter: &Parameter, value: &Value, standard: &Value, enabled: bool) -> Option<Value> {
    let palette = palette(ui.visuals());
    let mut new = None;
    ui.horizontal(|ui| {
        ui.label(parameter.label);
        if !parameter.unit.is_empty() && !has_long_unit(parameter) {
            ui.label(theme::small(parameter.unit).color(palette.weak));
        }
        if value != standard {
            let reset = egui::Link::new(theme::small("Reset"));
            let response = ui.add_enabled(enabled, reset).on_hover_text(format!("Back to {standard}"));
            if response.clicked() {
                new = Some(standard.clone());
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_enabled_ui(enabled, |ui| {
                ui.name_inputs(parameter.label, |ui| {
                    // A long label keeps its room.
                    let width = ui.available_width().clamp(96.0, 150.0);
                    if let Some(entered) = field(ui, parameter, value, width) {
                        new = Some(entered);
                    }
                });
            });
        });
    });
    ui.add_space(-space::XS);
    let range = match parameter.kind {
        Kind::Integer { min, max } => format!(" From {} to {}.", grouped(min), grouped(max)),
        Kind::Real { min, max } if max >= 1000.0 => format!(" From {min} to {}.", grouped(max as i64)),
        Kind::Real { min, max } => format!(" From {min} to {max}."),
        Kind::Choice(_) | Kind::Switch => String::new(),
    };
    let unit = if has_long_unit(parameter) { format!("Unit: {}. ", parameter.unit) } else { String::new() };
    ui.label(theme::small(format!("{unit}{}{range}", parameter.help)).color(palette.weak));
    ui.add_space(space::S);
    new
}

/// Width of a menu in a row with others.
const COMPACT_MENU: f32 = 128.0;

/// Shows the field of a parameter alone, its sentence as a tooltip; `Some` where the person entered something else.
pub(crate) fn compact(ui: &mut Ui, parameter: &Parameter, value: &Value) -> Option<Value> {
    let mut new = None;
    let unit = if parameter.unit.is_empty() { String::new() } else { format!("Unit: {}. ", parameter.unit) };
    let inner = ui.scope(|ui| {
        ui.name_inputs(parameter.label, |ui| new = field(ui, parameter, value, COMPACT_MENU));
    });
    inner.response.on_hover_text(format!("{unit}{}", parameter.help));
    new
}

/// Returns `true` if the unit does not fit next to the label and is part of the sentence.
fn has_long_unit(parameter: &Parameter) -> bool {
    parameter.unit.chars().count() > LONG_UNIT
}

/// The field itself, a menu as wide as `width`; `Some` where the person entered something else.
fn field(ui: &mut Ui, parameter: &Parameter, value: &Value, width: f32) -> Option<Value> {
    match parameter.kind {
        Kind::Integer { min, max } => {
            let mut number = value.integer();
            let speed = (number.unsigned_abs() as f64 / 100.0).max(0.1);
            let field = Number::new(parameter.label, &mut number).range(min..=max).speed(speed).zero(parameter.zero);
            ui.add(field.format(|n| grouped(n as i64))).changed().then_some(Value::Integer(number))
        }
        Kind::Real { min, max } => {
            let mut number = value.real();
            let speed = if max <= 1.0 { 0.002 } else { (number.abs() / 100.0).max(0.1) };
            let field = Number::new(parameter.label, &mut number).range(min..=max).speed(speed).zero(parameter.zero);
            ui.add(field.format(|n| n.to_string())).changed().then_some(Value::Real(number))
        }
        Kind::Choice(words) => {
            let mut chosen = None;
            let shown = spoken(value.choice());
            Choices::new(parameter.label, shown).width(width).cut().show(ui, |ui| {
                for word in words {
                    if ui.selectable_label(*word == value.choice(), spoken(word)).clicked() {
                        chosen = Some(Value::Choice((*word).to_owned()));
                    }
                }
            });
            chosen
        }
        Kind::Switch => {
            let mut on = value.switch();
            ui.checkbox(&mut on, "").changed().then_some(Value::Switch(on))
        }
    }
}

/// A number, or the word for 0 where there is one.
fn worded(number: f64, zero: &str, format: impl Fn(f64) -> String) -> String {
    if number == 0.0 && !zero.is_empty() { zero.to_owned() } else { format(number) }
}

/// Formats the value of a parameter for people.
pub(crate) fn words(parameter: &Parameter, value: &Value) -> String {
    match value {
        Value::Integer(number) => worded(*number as f64, parameter.zero, |_| grouped(*number)),
        Value::Real(number) => worded(*number, parameter.zero, |number| figure(number, 4)),
        Value::Choice(word) => spoken(word),
        Value::Switch(_) => value.to_string(),
    }
}

/// Formats a choice for people: `full-by-exam` becomes «Full by exam».
fn spoken(word: &str) -> String {
    sentence_case(&word.replace('-', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_read_well() {
        assert_eq!(spoken("full-by-exam"), "Full by exam");
        assert_eq!(worded(0.0, "never", |n| n.to_string()), "never");
        assert_eq!(worded(0.0, "", |n| n.to_string()), "0");
    }
}
