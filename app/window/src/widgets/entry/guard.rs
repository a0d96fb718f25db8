//! Hands a half-typed text over before anything else happens.

use std::sync::Arc;

use egui::{
    Context, DroppedFile, Event, Id, Key, LayerId, Modifiers, Order, Plugin, Popup, RawInput, Rect, Ui, ViewportEvent,
};

/// The field that has the keyboard, as it was drawn last.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldState {
    pub(super) id: Id,
    pub(super) rect: Rect,
    /// True if the text counts when the field is left, false if it counts while it is typed.
    pub(super) waits: bool,
    /// True if the text differs from the former value.
    pub(super) is_changed: bool,
}

/// Plugin of egui that holds events back while a field hands its text over, and keeps lists of choices above dialogs.
#[derive(Default)]
pub struct FieldGuard {
    field: Option<FieldState>,
    taken_back: Option<Id>,
    /// Events that wait until the field has been left.
    held: Vec<Event>,
    dropped: Vec<Arc<dyn DroppedFile + Send + Sync>>,
    /// True while the window that is about to close waits for a field.
    is_closing: bool,
    /// Numbers that were entered and that the window has not looked at yet.
    entered: Vec<EnteredNumber>,
}

/// A number that was entered in a field.
pub(crate) struct EnteredNumber {
    /// Name of the field.
    pub(crate) field: String,
    /// Reason why the text was refused; `None` if it was taken over.
    pub(crate) refused: Option<String>,
}

/// Tells the window that a number was entered.
pub(super) fn tell(ctx: &Context, number: EnteredNumber) {
    ctx.plugin_or_default::<FieldGuard>().lock().entered.push(number);
    ctx.request_repaint();
}

/// The numbers that were entered since the last call.
pub(crate) fn take_entered(ctx: &Context) -> Vec<EnteredNumber> {
    std::mem::take(&mut ctx.plugin_or_default::<FieldGuard>().lock().entered)
}

/// Tells the guard that a field has the keyboard.
pub(super) fn keep_guard(ctx: &Context, field: FieldState) {
    ctx.plugin_or_default::<FieldGuard>().lock().field = Some(field);
}

/// Returns `true` if Escape was pressed in a field whose text had been changed.
pub(super) fn is_taken_back(ctx: &Context, id: Id) -> bool {
    ctx.plugin_or_default::<FieldGuard>().lock().taken_back == Some(id)
}

/// Returns `true` in the frame in which a field hands its text over because the window is about to close.
pub fn is_handing_over(ctx: &Context) -> bool {
    ctx.plugin_or_default::<FieldGuard>().lock().is_closing
}

/// Keys that mean something in a field although Ctrl is held.
const EDITING: [Key; 14] = [
    Key::A,
    Key::C,
    Key::V,
    Key::X,
    Key::Y,
    Key::Z,
    Key::ArrowLeft,
    Key::ArrowRight,
    Key::ArrowUp,
    Key::ArrowDown,
    Key::Home,
    Key::End,
    Key::Backspace,
    Key::Delete,
];

/// Returns `true` if an event may lead away from the field.
fn leads_away(event: &Event, field: &FieldState) -> bool {
    match event {
        Event::PointerButton { pressed: true, pos, .. } => !field.rect.contains(*pos),
        Event::Key { pressed: true, key, modifiers, .. } => {
            let is_function = (Key::F1..=Key::F35).contains(key);
            is_function || modifiers.command && !modifiers.alt && !EDITING.contains(key)
        }
        Event::AccessKitActionRequest(request) => request.target_node != field.id.accesskit_id(),
        _ => false,
    }
}

/// Returns `true` if an event may change the text.
fn types(event: &Event) -> bool {
    matches!(event, Event::Text(_) | Event::Paste(_) | Event::Cut | Event::Ime(_) | Event::Key { pressed: true, .. })
}

fn is_escape(event: &Event) -> bool {
    matches!(event, Event::Key { key: Key::Escape, pressed: true, modifiers, .. } if *modifiers == Modifiers::NONE)
}

impl FieldGuard {
    /// Takes the keyboard from the field, which hands its text over when it is drawn next.
    fn leave(ctx: &Context, field: &FieldState) {
        ctx.memory_mut(|memory| memory.surrender_focus(field.id));
        ctx.request_repaint();
    }
}

impl Plugin for FieldGuard {
    fn debug_name(&self) -> &'static str {
        "field guard"
    }

    fn setup(&mut self, ctx: &Context) {
        // An order of layers that was stored could hide a list behind a dialog.
        ctx.memory_mut(egui::Memory::reset_areas);
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        (self.taken_back, self.is_closing) = (None, false);
        if !self.held.is_empty() {
            let later = std::mem::replace(&mut input.events, std::mem::take(&mut self.held));
            input.events.extend(later);
        }
        input.dropped_files.splice(0..0, std::mem::take(&mut self.dropped));
        let Some(field) = self.field.take().filter(|field| ctx.memory(|memory| memory.has_focus(field.id))) else {
            return;
        };
        let stop = input.events.iter().position(|event| is_escape(event) || field.waits && leads_away(event, &field));
        let before = &input.events[..stop.unwrap_or(input.events.len())];
        let is_typed = before.iter().any(types);
        if !(field.is_changed || is_typed) {
            return;
        }
        let closes = input.viewport().events.contains(&ViewportEvent::Close);
        match stop {
            // What was typed before is read first.
            Some(at) if is_typed => {
                self.held = input.events.split_off(at);
                ctx.request_repaint();
            }
            Some(at) if is_escape(&input.events[at]) => {
                input.events.remove(at);
                self.taken_back = Some(field.id);
                Self::leave(ctx, &field);
            }
            Some(at) => {
                self.held = input.events.split_off(at);
                Self::leave(ctx, &field);
            }
            None if field.waits && !input.dropped_files.is_empty() => {
                self.dropped = std::mem::take(&mut input.dropped_files);
                Self::leave(ctx, &field);
            }
            None if field.waits && closes && !is_typed => {
                self.is_closing = true;
                Self::leave(ctx, &field);
            }
            None => {}
        }
    }

    fn on_end_pass(&mut self, ui: &mut Ui) {
        // A click whose press and release come in one frame raises the dialog together with the list that it opens, and
        // egui keeps their former order.
        let buried = |layer: &LayerId| {
            layer.order == Order::Foreground
                && Popup::is_id_open(ui.ctx(), layer.id)
                && !ui.memory(|memory| memory.is_above_modal_layer(*layer))
        };
        let layers: Vec<LayerId> = ui.memory(|memory| memory.layer_ids().collect());
        for layer in layers.into_iter().filter(buried) {
            ui.ctx().move_to_top(layer);
            ui.ctx().request_repaint();
        }
    }
}
