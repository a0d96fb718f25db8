//! A list of choices that opens from a button.

use egui::{ComboBox, PopupCloseBehavior, Response, Ui, WidgetText};

use super::controls::named;

/// A list of choices. The name is the label for assistive technology and unique in its surroundings; the identifier follows from
/// it, never from what stands before it.
pub struct Choices<'a> {
    name: &'a str,
    shown: WidgetText,
    help: &'a str,
    width: Option<f32>,
    is_cut: bool,
    stays_open: bool,
}

impl<'a> Choices<'a> {
    /// A list whose button shows `shown`.
    pub fn new(name: &'a str, shown: impl Into<WidgetText>) -> Self {
        Self { name, shown: shown.into(), help: "", width: None, is_cut: false, stays_open: false }
    }

    /// Tooltip of the button.
    pub fn help(self, help: &'a str) -> Self {
        Self { help, ..self }
    }

    /// Width in points of the button.
    pub fn width(self, width: f32) -> Self {
        Self { width: Some(width), ..self }
    }

    /// Cuts a text off that is wider than the button.
    pub fn cut(self) -> Self {
        Self { is_cut: true, ..self }
    }

    /// Stays open until a click elsewhere, so that several entries can be chosen.
    pub fn stays_open(self) -> Self {
        Self { stays_open: true, ..self }
    }

    /// Draws the button and, while it is open, the list with what `list` adds; returns the response of the button.
    pub fn show(self, ui: &mut Ui, list: impl FnOnce(&mut Ui)) -> Response {
        let mut combo = ComboBox::from_id_salt(("choices", self.name)).selected_text(self.shown);
        if let Some(width) = self.width {
            combo = combo.width(width);
        }
        if self.is_cut {
            combo = combo.truncate();
        }
        if self.stays_open {
            combo = combo.close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        }
        named(ui, self.name, self.help, |ui| combo.show_ui(ui, list).response)
    }
}
