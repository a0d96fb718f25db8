//! A ring around what has the focus, as long as it is moved by keys, and messages about numbers that a field refused.

use egui::{Context, Event, Key, Stroke, StrokeKind};

use super::App;
use crate::theme::{palette, size};
use crate::widgets::entry::{EnteredNumber, take_entered};
use crate::widgets::notice::Notice;

impl App {
    /// Tells which numbers were refused; a message goes once its field has taken a number over.
    pub(super) fn tell_refused_numbers(&mut self, ctx: &Context) {
        for EnteredNumber { field, refused } in take_entered(ctx) {
            let heading = format!("{field} stays as it was");
            self.notices.withdraw(&heading);
            if let Some(why) = refused {
                self.notices.push(Notice::refusal(heading, why));
            }
        }
    }

    /// Paints the ring over the focused control.
    pub(super) fn focus_ring(&mut self, ctx: &Context) {
        ctx.input(|input| {
            for event in &input.events {
                match event {
                    Event::Key { key, pressed: true, .. } => self.by_keys |= moves_focus(*key),
                    Event::AccessKitActionRequest(_) => self.by_keys = true,
                    Event::PointerButton { pressed: true, .. } => self.by_keys = false,
                    _ => {}
                }
            }
        });
        // Fields for text show by themselves that they have it.
        if !self.by_keys || ctx.text_edit_focused() {
            return;
        }
        let Some(response) = ctx.memory(|memory| memory.focused()).and_then(|id| ctx.read_response(id)) else { return };
        // What is scrolled out of sight stays out of sight.
        let rect = response.interact_rect.expand(2.0).intersect(ctx.content_rect().shrink(1.0));
        if rect.is_positive() {
            let stroke = Stroke::new(2.0, palette(&ctx.global_style().visuals).accent);
            let radius = f32::from(size::RADIUS) + 2.0;
            ctx.layer_painter(response.layer_id).rect_stroke(rect, radius, stroke, StrokeKind::Inside);
        }
    }
}

fn moves_focus(key: Key) -> bool {
    matches!(key, Key::Tab | Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown)
}
