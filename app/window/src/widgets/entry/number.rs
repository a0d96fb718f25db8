//! A field of a number, which is also changed by dragging.
//!
//! A typed text with two readings, such as `1.500`, is refused with both, unless the field leaves one of them only: the other is
//! no whole number, or lies outside of the range. A refused text changes nothing; the reason is shown below the field and as a
//! message of the window.

use std::ops::RangeInclusive;
use std::time::Duration;

use egui::emath::{Numeric, format_with_decimals_in_range};
use egui::text::CCursorRange;
use egui::text_edit::TextEditState;
use egui::{Color32, Context, DragValue, Id, Key, Modifiers, Response, TextEdit, Ui, Widget, WidgetInfo, vec2};
use gridwright_core::text::lines::quoted;
use gridwright_core::text::notation::{Evidence, unmistakable};

use super::guard::{EnteredNumber, FieldState, is_taken_back, keep_guard, tell};
use super::{Typed, scope};
use crate::theme::palette;

/// Largest number of digits after the decimal point unless a field says otherwise.
const DECIMALS: usize = 4;

/// Seconds for which a remark is shown below its field.
const REMARK_LASTS: f64 = 8.0;

/// Reason why a field kept its number or took another one than was typed, and the time of the window until which it is shown.
#[derive(Debug, Clone)]
struct Remark {
    why: String,
    until: f64,
}

impl Remark {
    /// The reason below a field, while it is shown.
    fn load(ctx: &Context, id: Id) -> Option<Self> {
        let now = ctx.input(|input| input.time);
        let remark: Option<Self> = ctx.data(|data| data.get_temp(id));
        let remark = remark.filter(|remark| now < remark.until)?;
        ctx.request_repaint_after(Duration::from_secs_f64(remark.until - now));
        Some(remark)
    }
}

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
        if self.has_word(value) { self.zero.to_owned() } else { self.digits(value) }
    }

    /// Returns `true` if a word is shown in place of the number.
    fn has_word(&self, value: f64) -> bool {
        value == 0.0 && !self.zero.is_empty()
    }

    /// The number in digits, with its unit.
    fn digits(&self, value: f64) -> String {
        let number = match &self.format {
            Some(format) => format(value),
            None => format_with_decimals_in_range(value, 0..=self.decimals),
        };
        // A number that is left as it is shown can be read again.
        let number = if N::INTEGRAL { number } else { unmistakable(&number) };
        if self.unit.is_empty() { number } else { format!("{number} {}", self.unit) }
    }

    /// The number of a typed text within the range.
    fn read(&self, text: &str) -> Result<f64, String> {
        match text.trim() {
            word if !self.zero.is_empty() && word.eq_ignore_ascii_case(self.zero) => {
                Ok(0.0_f64.clamp(*self.range.start(), *self.range.end()))
            }
            text => number_of(text.strip_suffix(self.unit).unwrap_or(text), N::INTEGRAL, &self.range),
        }
    }

    /// Takes a typed text over, or tells why it is refused. An empty field keeps its number.
    fn take(&mut self, ctx: &Context, id: Id, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let read = self.read(text);
        tell(ctx, EnteredNumber { field: self.name.to_owned(), refused: read.as_ref().err().cloned() });
        let remark = match read {
            Ok(value) => {
                *self.value = N::from_f64(value);
                self.limit_of(text, value)
            }
            Err(why) => Some(why),
        };
        let until = ctx.input(|input| input.time) + REMARK_LASTS;
        ctx.data_mut(|data| match remark {
            Some(why) => _ = data.insert_temp(id, Remark { why, until }),
            // A remark on a former text does not concern this one.
            None => data.remove::<Remark>(id),
        });
    }

    /// Says that the typed number lies beyond the range, if it became `value`, an end of the range.
    fn limit_of(&self, text: &str, value: f64) -> Option<String> {
        let (least, most) = (*self.range.start(), *self.range.end());
        let is_beyond = || {
            let text = text.trim();
            let typed = number_of(text.strip_suffix(self.unit).unwrap_or(text), N::INTEGRAL, &(f64::MIN..=f64::MAX));
            typed.is_ok_and(|typed| typed != value)
        };
        let word = if value == least { "least" } else { "most" };
        let is_limit = value == least || value == most;
        (is_limit && !self.has_word(value) && is_beyond())
            .then(|| format!("{} is the {word} that can be entered here", self.digits(value)))
    }

    /// Draws the number as a text that is being typed; returns the text once it counts. A word in place of 0 is the hint of an
    /// empty text, so that digits never get into the word.
    fn type_in(&mut self, ui: &mut Ui, id: Id, typed: Option<Typed>) -> (Response, Option<String>) {
        let steps = ui.input_mut(|input| {
            let mut count = |key| input.count_and_consume_key(Modifiers::NONE, key) as f64;
            count(Key::ArrowUp) - count(Key::ArrowDown)
        });
        let is_new = typed.is_none();
        let value = self.value.to_f64();
        let hint = if self.has_word(value) { self.zero } else { "" };
        let mut typed = typed.unwrap_or_else(|| {
            let text = if hint.is_empty() { self.digits(value) } else { String::new() };
            Typed { from: text.clone(), text, pass: 0 }
        });
        if steps != 0.0 {
            let value = self.read(&typed.text).unwrap_or(value) + steps * self.speed.max(step::<N>());
            typed.text = self.digits(value.clamp(*self.range.start(), *self.range.end()));
        }
        if is_new {
            let mut state = TextEditState::load(ui.ctx(), id).unwrap_or_default();
            state.cursor.set_char_range(Some(CCursorRange::select_all_str(&typed.text)));
            state.store(ui.ctx(), id);
        }
        let is_typed = typed.text != typed.from && !typed.text.trim().is_empty();
        let wrong = if is_typed { self.read(&typed.text).err() } else { None };
        let align = ui.layout().align2();
        let edit = TextEdit::singleline(&mut typed.text).id(id).clip_text(false).align(align).desired_width(0.0);
        let style = ui.style().drag_value_text_style.clone();
        let hint_width =
            ui.painter().layout_no_wrap(hint.to_owned(), style.resolve(ui.style()), Color32::PLACEHOLDER).size().x;
        let least = ui.spacing().interact_size.max(vec2(hint_width + 2.0 * ui.spacing().button_padding.x, 0.0));
        let edit = edit.min_size(least).font(style).hint_text(hint);
        let colour = wrong.as_ref().map(|_| palette(ui.visuals()).bad);
        let response = ui.add(edit.text_color_opt(colour));
        let is_enabled = ui.is_enabled();
        response.widget_info(|| WidgetInfo::drag_value(is_enabled, value));
        ui.ctx().accesskit_node_builder(response.id, |node| {
            // A hint would count as the name.
            node.set_label(self.name);
            node.set_min_numeric_value(*self.range.start());
            node.set_max_numeric_value(*self.range.end());
        });
        if response.has_focus() {
            if let Some(why) = wrong {
                response.show_tooltip_text(why);
            }
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
        if let Some(text) = entered {
            self.take(ui.ctx(), id, &text);
        }
        let mut response = response.unwrap_or_else(|| {
            let response = self.drag(ui);
            if let Some(remark) = Remark::load(ui.ctx(), id) {
                response.show_tooltip_text(remark.why);
            }
            response
        });
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

/// Reads a number; thousands may be apart by blanks. Of two readings only those count that are whole where `is_whole`, and of
/// these those within the range, if there is one. A number beyond the range becomes the nearest of its ends.
///
/// # Errors
/// A text without a number, or without a whole number where `is_whole`; one with two readings that count, with both of them.
fn number_of(text: &str, is_whole: bool, range: &RangeInclusive<f64>) -> Result<f64, String> {
    let reading = |sample: &str| Evidence::of([sample]).read(text)?.parse::<f64>().map_err(|error| error.to_string());
    let mut readings = vec![reading("0.5")?, reading("0,5")?];
    if is_whole {
        readings.retain(|reading| reading.fract() == 0.0);
    }
    if readings.iter().any(|reading| range.contains(reading)) {
        readings.retain(|reading| range.contains(reading));
    }
    readings.iter_mut().for_each(|reading| *reading = reading.clamp(*range.start(), *range.end()));
    match readings[..] {
        [] => Err(format!("{} is not a whole number", quoted(text.trim()))),
        [first, second] if first != second => {
            Err(Evidence::default().doubt(text).unwrap_or_else(|| format!("{} has two readings", quoted(text))))
        }
        [first, ..] => Ok(first),
    }
}

#[cfg(test)]
mod tests {
    use super::{Number, number_of};

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let whole = |text: &str| Number::new("Steps", &mut 0_u64).unit("s").zero("never").read(text).ok();
        assert_eq!(["1500", "1\u{2009}500", "1.500", "1,500", "1'500", "1 500 s"].map(whole), [Some(1_500.0); 6]);
        assert_eq!(["never", "NEVER", "0"].map(whole), [Some(0.0); 3]);
        assert_eq!([whole("many"), whole(""), whole("1,5,0"), whole("1.5")], [None; 4]);
        let real = |text: &str| Number::new("Time", &mut 0.0).unit("s").read(text).ok();
        assert_eq!(["0.3", "0,3", " 0.3 s"].map(real), [Some(0.3); 3]);
        assert_eq!(["0.125", "0,125", "-0.125"].map(real), [Some(0.125), Some(0.125), Some(-0.125)]);
        assert_eq!([real("1.5000"), real("−2"), real("never"), real("NaN")], [Some(1.5), Some(-2.0), None, None]);
    }

    #[test]
    fn a_number_with_two_readings_is_refused_with_both_unless_the_field_leaves_one() {
        let any = f64::MIN..=f64::MAX;
        let both = [
            ("1.500", false, "«1.500» is 1500 or 1.5, and no other number tells which; write 1500 or 1.5"),
            ("1,500", false, "«1,500» is 1.5 or 1500, and no other number tells which; write 1.5 or 1500"),
            ("1.000", true, "«1.000» is 1000 or 1, and no other number tells which; write 1000 or 1"),
        ];
        for (text, is_whole, why) in both {
            assert_eq!(number_of(text, is_whole, &any).unwrap_err(), why);
        }
        assert_eq!(number_of("1.500", true, &any), Ok(1500.0), "1.5 is no whole number");
        assert_eq!(number_of("1.500", false, &(0.05..=100.0)), Ok(1.5), "1500 is beyond the range");
        assert_eq!(number_of("1.500", false, &(100.0..=1e6)), Ok(1500.0), "1.5 is below the range");
        assert_eq!(number_of("1.500", false, &(0.0..=1.0)), Ok(1.0), "both are beyond the range");
        assert!(number_of("1.500", false, &(2.0..=100.0)).is_err());
    }

    #[test]
    fn a_shown_number_has_one_reading() {
        assert_eq!(Number::new("Limit", &mut 1.125).words(1.125), "1.1250");
        assert_eq!(Number::new("Share", &mut 0.125).words(0.125), "0.125");
    }

    #[test]
    fn a_number_beyond_the_range_is_told_from_its_end() {
        let mut seconds = 30.0;
        let field = Number::new("Time limit", &mut seconds).range(0.1..=600.0).decimals(1).unit("s");
        let told = |text: &str| field.limit_of(text, field.read(text).unwrap());
        assert_eq!(told(" 0 s").as_deref(), Some("0.1 s is the least that can be entered here"));
        assert_eq!(told("1000").as_deref(), Some("600 s is the most that can be entered here"));
        assert_eq!(["0.1", "600 s", "12"].map(told), [None, None, None]);
    }
}
