//! Explanation of a step of an algorithm: a formula or statement with its numbers, and a sentence below.

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, Frame, Margin, Stroke, Ui};

use crate::theme::{self, palette, size, space};

/// Height in points below which the explanation is one line, to leave room for the picture.
const LOW: f32 = 200.0;

/// Words, some of them in a colour: a formula with its numbers.
#[derive(Debug, Default)]
pub struct Formula {
    parts: Vec<(String, Option<Color32>)>,
}

impl Formula {
    /// Formula that begins with words in the colour of text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { parts: vec![(text.into(), None)] }
    }

    /// Appends words in the colour of text.
    pub fn then(mut self, text: impl Into<String>) -> Self {
        self.parts.push((text.into(), None));
        self
    }

    /// Goes on with words in a colour.
    pub fn coloured(mut self, text: impl Into<String>, colour: Color32) -> Self {
        self.parts.push((text.into(), Some(colour)));
        self
    }
}

/// Draws the explanation of a step: a sentence, and the formula with its numbers.
pub fn explain(ui: &mut Ui, sentence: &str, formula: &Formula) {
    let palette = palette(ui.visuals());
    let low = ui.available_height() < LOW;
    let font_id = theme::bold_font(if low { theme::text::BODY } else { theme::text::HEADING });
    let mut job = LayoutJob::default();
    for (text, colour) in &formula.parts {
        let color = colour.unwrap_or(palette.text);
        job.append(text, 0.0, TextFormat { font_id: font_id.clone(), color, ..TextFormat::default() });
    }
    if low {
        ui.add(egui::Label::new(job).truncate()).on_hover_text(sentence);
        return;
    }
    let frame = Frame::new().fill(palette.panel).stroke(Stroke::new(1.0, palette.border)).corner_radius(size::RADIUS);
    frame.inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = space::XS;
        // As high with words as without, so that nothing leaps.
        ui.scope(|ui| {
            ui.set_min_height(20.0);
            ui.label(job);
        });
        ui.label(theme::small(sentence).color(palette.weak));
    });
}
