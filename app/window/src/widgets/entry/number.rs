//! A field of a number, which is also changed by dragging.

use std::ops::RangeInclusive;

use egui::emath::{Numeric, format_with_decimals_in_range};
use egui::text::CCursorRange;
use egui::text_edit::TextEditState;
use egui::{DragValue, Id, Key, Modifiers, Response, TextEdit, Ui, Widget, WidgetInfo};

use super::guard::{FieldState, is_taken_back, keep_guard};
use super::{Typed, scope};
use crate::theme::palette;

/// Largest number of digits after the decimal point unless a field says otherwise.
const DECIMALS: usize = 4;

type Format<'a> = Box<dyn Fn(f64) -> String + 'a>;

/// A field of a number; a typed number counts when the field is left.
pub struct Number<'a, N> {
    name: &'a str,
    value: &'a mut N,
    range: RangeInclusive<f64>,
    speed: f64,
    decimals: usize,
    unit: &'a str,
    zero: &'a str,
    help: &'a str,
    format: Option<Format<'a>>,
    is_enabled: bool,
    keeps_outside: bool,
}

impl<'a, N: Numeric> Number<'a, N> {
    /// A field for `value`; its name is the label for assistive technology and unique in its surroundings.
    pub fn new(name: &'a str, value: &'a mut N) -> Self {
        Self {
            name,
            value,
            range: N::MIN.to_f64()..=N::MAX.to_f64(),
            speed: if N::INTEGRAL { 0.25 } else { 1.0 },
            decimals: if N::INTEGRAL { 0 } else { DECIMALS },
            unit: "",
            zero: "",
            help: "",
            format: None,
            is_enabled: true,
            keeps_outside: false,
        }
    }

    /// Smallest and largest value; a typed number beyond them becomes the nearest of them.
    pub fn range(self, range: RangeInclusive<N>) -> Self {
        Self { range: range.start().to_f64()..=range.end().to_f64(), ..self }
    }

    /// Change of the value for each point that the pointer is dragged.
    pub fn speed(self, speed: f64) -> Self {
        Self { speed, ..self }
    }

    /// Largest number of digits after the decimal point.
    pub fn decimals(self, decimals: usize) -> Self {
        Self { decimals, ..self }
    }

    /// Unit after the number; it may be typed or left out.
    pub fn unit(self, unit: &'a str) -> Self {
        Self { unit, ..self }
    }

    /// Word in place of 0; it may be typed, too.
    pub fn zero(self, zero: &'a str) -> Self {
        Self { zero, ..self }
    }

    /// Tooltip.
    pub fn help(self, help: &'a str) -> Self {
        Self { help, ..self }
    }

    /// Formats the number, without unit.
    pub fn format(self, format: impl Fn(f64) -> String + 'a) -> Self {
        Self { format: Some(Box::new(format)), ..self }
    }

    /// Grey and not to be changed unless `is_enabled`.
    pub fn enabled(self, is_enabled: bool) -> Self {
        Self { is_enabled, ..self }
    }

    /// Leaves a value outside of the range as it is until somebody changes it.
    pub fn keep_outside(self) -> Self {
        Self { keeps_outside: true, ..self }
    }

    fn words(&self, value: f64) -> String {
        if value == 0.0 && !self.zero.is_empty() {
            return self.zero.to_owned();
        }
        let number = match &self.format {
            Some(format) => format(value),
            None => format_with_decimals_in_range(value, 0..=self.decimals),
        };
        if self.unit.is_empty() { number } else { format!("{number} {}", self.unit) }
    }

    fn read(&self, text: &str) -> Option<f64> {
        let number = number_of(text, N::INTEGRAL, self.unit, self.zero)?;
        Some(number.clamp(*self.range.start(), *self.range.end()))
    }

    /// Draws the number as a text that is being typed; returns the text once it counts.
    fn type_in(&mut self, ui: &mut Ui, id: Id, typed: Option<Typed>) -> (Response, Option<String>) {
        let steps = ui.input_mut(|input| {
            let mut count = |key| input.count_and_consume_key(Modifiers::NONE, key) as f64;
            count(Key::ArrowUp) - count(Key::ArrowDown)
        });
        let is_new = typed.is_none();
        let mut typed = typed.unwrap_or_else(|| {
            let text = self.words(self.value.to_f64());
            Typed { from: text.clone(), text, pass: 0 }
        });
        if steps != 0.0 {
            let value = self.read(&typed.text).unwrap_or(self.value.to_f64()) + steps * self.speed.max(step::<N>());
            typed.text = self.words(value.clamp(*self.range.start(), *self.range.end()));
        }
        if is_new {
            let mut state = TextEditState::load(ui.ctx(), id).unwrap_or_default();
            state.cursor.set_char_range(Some(CCursorRange::select_all_str(&typed.text)));
            state.store(ui.ctx(), id);
        }
        let is_wrong = typed.text != typed.from && self.read(&typed.text).is_none();
        let align = ui.layout().align2();
        let edit = TextEdit::singleline(&mut typed.text).id(id).clip_text(false).align(align).desired_width(0.0);
        let edit = edit.min_size(ui.spacing().interact_size).font(ui.style().drag_value_text_style.clone());
        let colour = is_wrong.then(|| palette(ui.visuals()).bad);
        let response = ui.add(edit.text_color_opt(colour));
        let (value, is_enabled) = (self.value.to_f64(), ui.is_enabled());
        response.widget_info(|| WidgetInfo::drag_value(is_enabled, value));
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_min_numeric_value(*self.range.start());
            node.set_max_numeric_value(*self.range.end());
        });
        if response.has_focus() {
            let is_changed = typed.text != typed.from;
            keep_guard(ui.ctx(), FieldState { id, rect: response.rect, waits: true, is_changed });
            typed.store(ui.ctx(), id);
            return (response, None);
        }
        Typed::forget(ui.ctx(), id);
        let entered = (typed.text != typed.from).then_some(typed.text);
        (response, entered)
    }

    fn draw(&mut self, ui: &mut Ui) -> Response {
        // The first widget of a scope with an identifier of its own always has the same identifier.
        let id = ui.next_auto_id();
        let mut typed = Typed::load(ui.ctx(), id);
        if is_taken_back(ui.ctx(), id) {
            Typed::forget(ui.ctx(), id);
            typed = None;
        }
        let layer = ui.layer_id();
        let has_focus = ui.is_enabled()
            && ui.memory_mut(|memory| {
                memory.interested_in_focus(id, layer);
                memory.has_focus(id)
            });
        let before = self.value.to_f64();
        let (response, entered) = if has_focus {
            let (response, entered) = self.type_in(ui, id, typed);
            (Some(response), entered)
        } else {
            Typed::forget(ui.ctx(), id);
            (None, typed.filter(|typed| typed.text != typed.from).map(|typed| typed.text))
        };
        if let Some(value) = entered.and_then(|text| self.read(&text)) {
            *self.value = N::from_f64(if N::INTEGRAL { value.round() } else { value });
        }
        let mut response = response.unwrap_or_else(|| self.drag(ui));
        if self.value.to_f64() != before {
            response.mark_changed();
        }
        response
    }

    /// Draws the number as a button that can be dragged; a click gives it the keyboard.
    fn drag(&mut self, ui: &mut Ui) -> Response {
        let words = |value: f64, this: &Self| this.words(value);
        let mut value = self.value.to_f64();
        let before = value;
        let response = {
            let drag = DragValue::from_get_set(|new| {
                if let Some(new) = new {
                    value = if N::INTEGRAL { new.round() } else { new };
                }
                value
            });
            let drag = drag.range(self.range.clone()).speed(self.speed).max_decimals(self.decimals);
            let drag = drag.clamp_existing_to_range(!self.keeps_outside);
            ui.add(drag.custom_formatter(|value, _| words(value, self)))
        };
        if value != before {
            *self.value = N::from_f64(value);
        }
        response
    }
}

/// Change of a number by an arrow key where dragging is finer than that.
fn step<N: Numeric>() -> f64 {
    if N::INTEGRAL { 1.0 } else { 0.0 }
}

impl<N: Numeric> Widget for Number<'_, N> {
    fn ui(mut self, ui: &mut Ui) -> Response {
        let (name, help, is_enabled) = (self.name, self.help, self.is_enabled);
        let response = scope(ui, name, is_enabled, |ui| ui.name_inputs(name, |ui| self.draw(ui)));
        if help.is_empty() { response } else { response.on_hover_text(help) }
    }
}

/// Reads a number with or without its unit, or the word for 0. Thousands may be apart by blanks, whole numbers' thousands also
/// by points or commas; a comma is a decimal point, too.
fn number_of(text: &str, is_whole: bool, unit: &str, zero: &str) -> Option<f64> {
    let text = text.trim();
    if !zero.is_empty() && text.eq_ignore_ascii_case(zero) {
        return Some(0.0);
    }
    let text = text.strip_suffix(unit).unwrap_or(text);
    let text: String = text.chars().filter(|c| !c.is_whitespace()).map(|c| if c == '−' { '-' } else { c }).collect();
    let groups: Vec<&str> = text.trim_start_matches('-').split(['.', ',']).collect();
    let is_grouped = groups.len() > 1
        && groups.iter().all(|group| group.chars().all(|c| c.is_ascii_digit()))
        && (1..=3).contains(&groups[0].len())
        && groups[1..].iter().all(|group| group.len() == 3);
    let text = match () {
        () if is_whole && is_grouped => text.replace(['.', ','], ""),
        () if text.matches(',').count() == 1 && !text.contains('.') => text.replace(',', "."),
        () => text,
    };
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::number_of;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let whole = |text: &str| number_of(text, true, "s", "never");
        assert_eq!(["1500", "1\u{2009}500", "1.500", "1,500", "1 500 s"].map(whole), [Some(1_500.0); 5]);
        assert_eq!(["never", "NEVER", "0"].map(whole), [Some(0.0); 3]);
        assert_eq!([whole("many"), whole(""), whole("1,5,0")], [None; 3]);
        let real = |text: &str| number_of(text, false, "s", "");
        assert_eq!(["0.3", "0,3", " 0.3 s"].map(real), [Some(0.3); 3]);
        assert_eq!([real("1.500"), real("−2"), real("never"), real("NaN")], [Some(1.5), Some(-2.0), None, None]);
    }
}
