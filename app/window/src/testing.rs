//! Support for tests of widgets.

use egui::{Rect, Ui};

/// Texts that a window of this size paints, in their order, each with its angle in radians.
pub fn texts_of(size: egui::Vec2, mut paint: impl FnMut(&mut Ui)) -> Vec<(String, f32)> {
    fn collect(shape: &egui::Shape, texts: &mut Vec<(String, f32)>) {
        match shape {
            egui::Shape::Text(text) => texts.push((text.galley.text().to_owned(), text.angle)),
            egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, texts)),
            _ => {}
        }
    }
    let ctx = egui::Context::default();
    crate::theme::install(&ctx);
    let input = || egui::RawInput {
        screen_rect: Some(Rect::from_min_size(egui::Pos2::ZERO, size)),
        ..egui::RawInput::default()
    };
    // Fonts and layouts settle in the first frame.
    let _ = ctx.run_ui(input(), &mut paint);
    let output = ctx.run_ui(input(), paint);
    let mut texts = Vec::new();
    output.shapes.iter().for_each(|clipped| collect(&clipped.shape, &mut texts));
    texts
}
