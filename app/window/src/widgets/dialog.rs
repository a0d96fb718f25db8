//! Modal dialogs; Escape or a click outside closes them.

use egui::{
    Align, Align2, Context, Frame, Id, Key, Layout, Margin, Modal, ModalResponse, Rect, ScrollArea, Ui, UiBuilder, vec2,
};

use crate::theme::{self, space};
use crate::widgets::controls::icon_button;
use crate::widgets::icons::Icon;
use crate::widgets::notice::strip;

/// Request of a dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// To stay.
    Stay,
    /// To close.
    Close,
}

/// The part of the window that dialogs may cover: all of it above the messages.
pub fn room(ctx: &Context) -> Rect {
    let window = ctx.content_rect();
    window.with_max_y((window.bottom() - strip::height(ctx)).max(window.top()))
}

/// A modal dialog with this frame in the middle of the room for dialogs; the rest of the window is dimmed.
pub fn modal(ctx: &Context, name: &str, frame: Frame) -> Modal {
    let id = Id::unique(name);
    let shift = room(ctx).center() - ctx.content_rect().center();
    let area = Modal::default_area(id).anchor(Align2::CENTER_CENTER, vec2(0.0, shift.y));
    let backdrop = theme::palette(&ctx.style_of(ctx.theme()).visuals).backdrop;
    Modal::new(id).area(area).frame(frame).backdrop_color(backdrop)
}

/// A dialog in the middle of the window.
pub fn dialog(ctx: &Context, name: &str, width: f32, contents: impl FnOnce(&mut Ui) -> Wish) -> ModalResponse<Wish> {
    let frame = Frame::popup(&ctx.global_style()).inner_margin(Margin::same(16));
    let width = (room(ctx).width() - 96.0).min(width);
    modal(ctx, name, frame).show(ctx, |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing.y = space::S;
        scrolled(ui, contents)
    })
}

/// Draws the contents of a dialog, which scroll where they are higher than the window.
pub fn scrolled<R>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> R) -> R {
    scrolled_above(ui, &mut (), |ui, ()| contents(ui), |_, (), answer| answer)
}

/// Draws the contents of a dialog, which scroll where they are higher than the window, above a footer that does not. The
/// footer is given what the contents return.
pub(crate) fn scrolled_above<S, A, R>(
    ui: &mut Ui, state: &mut S, contents: impl FnOnce(&mut Ui, &mut S) -> A,
    footer: impl FnOnce(&mut Ui, &mut S, A) -> R,
) -> R {
    // The heights are known from the frame before. Contents that fit are not put into an area that scrolls: such an area
    // takes several frames to find its size, while the dialog moves.
    let id = ui.scope_id().with("heights of the contents and the footer");
    let (known, below): (f32, f32) = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let most = room(ui.ctx()).height() - 72.0 - below;
    // Fields keep the keyboard and their text while the contents begin or cease to scroll: their identifiers follow from the
    // scope.
    let scope = UiBuilder::new().scope_id(id.with("contents"));
    let measured = |ui: &mut Ui| {
        let drawn = ui.scope_builder(scope, |ui| contents(ui, state));
        (drawn.inner, drawn.response.rect.height())
    };
    let (answer, height) = match known > most {
        true => {
            // A dialog may grow beyond its height of the last frame.
            ui.set_max_height(most + below);
            ScrollArea::vertical().max_height(most).auto_shrink([false, true]).show(ui, measured).inner
        }
        false => ui.scope(measured).inner,
    };
    let top = ui.min_rect().bottom();
    let answer = footer(ui, state, answer);
    let heights = (height, ui.min_rect().bottom() - top);
    ui.data_mut(|data| data.insert_temp(id, heights));
    if heights != (known, below) {
        ui.ctx().request_repaint();
    }
    answer
}

/// The heading of a dialog with a cross at its end.
pub fn heading(ui: &mut Ui, text: &str, wish: &mut Wish) {
    ui.horizontal(|ui| {
        ui.label(theme::title(text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, Icon::Cross, "Close", true).clicked() {
                *wish = Wish::Close;
            }
        });
    });
}

/// How a dialog ends whose values count when it is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// A button or a click outside closes the dialog; its values count.
    Left,
    /// Escape closes the dialog; its values are taken back.
    GivenUp,
}

/// Returns how a dialog ends in this frame, or `None` while it stays.
pub fn ending(response: &ModalResponse<Wish>) -> Option<Ending> {
    // A dialog that closes consumes the key.
    let is_escape = response.response.ctx.input(|input| input.key_pressed(Key::Escape));
    closes(response).then_some(if is_escape { Ending::GivenUp } else { Ending::Left })
}

/// Returns `true` if a dialog is to be closed.
pub fn closes(response: &ModalResponse<Wish>) -> bool {
    response.should_close() || response.inner == Wish::Close
}
