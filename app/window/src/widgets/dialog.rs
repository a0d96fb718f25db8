//! Modal dialogs; Escape or a click outside closes them.

use egui::{Align, Context, Id, Layout, Margin, Modal, ModalResponse, ScrollArea, Ui};

use crate::theme::{self, space};
use crate::widgets::controls::icon_button;
use crate::widgets::icons::Icon;

/// Request of a dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// To stay.
    Stay,
    /// To close.
    Close,
}

/// A dialog in the middle of the window.
pub fn dialog(ctx: &Context, name: &str, width: f32, contents: impl FnOnce(&mut Ui) -> Wish) -> ModalResponse<Wish> {
    let style = ctx.global_style();
    let frame = egui::Frame::popup(&style).inner_margin(Margin::same(16));
    let modal = Modal::new(Id::unique(name)).frame(frame).backdrop_color(theme::palette(&style.visuals).backdrop);
    let width = (ctx.content_rect().width() - 96.0).min(width);
    modal.show(ctx, |ui| {
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
    let most = ui.ctx().content_rect().height() - 72.0 - below;
    let measured = |ui: &mut Ui| {
        let answer = contents(ui, state);
        (answer, ui.min_rect().height())
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

/// Returns `true` if a dialog is to be closed.
pub fn closes(response: &ModalResponse<Wish>) -> bool {
    response.should_close() || response.inner == Wish::Close
}
