//! Presentation: the window shows a view alone, with large text, to an audience. Players then take their keys wherever the
//! focus is, and legends are complete.

use egui::{Context, Id};

fn id() -> Id {
    Id::unique("presentation")
}

/// Returns `true` during a presentation.
pub fn is_on(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp(id())).unwrap_or_default()
}

/// Begins or ends a presentation.
pub fn set(ctx: &Context, is_on: bool) {
    ctx.data_mut(|data| data.insert_temp(id(), is_on));
}
