//! The presentation: the view that is open alone, in the whole screen and with large text.

use egui::{Context, ViewportCommand};

use super::App;
use super::arrangement::Front;
use crate::widgets::notice::Notice;
use crate::widgets::presentation;

/// Least size of text as a factor.
const TEXT: f32 = 1.5;

/// Heading of the message about the keys.
const HEADING: &str = "Presentation";

impl App {
    /// Returns `true` while the view is shown alone. What could not be opened is told in the usual window.
    pub(super) fn presents(&self) -> bool {
        self.is_presenting && (self.shows_document() || self.loading.is_some())
    }

    /// Size of text as a factor: that of the preferences, and at least half as large again in a presentation.
    pub(super) fn text_factor(&self) -> f32 {
        let usual = self.state.text_factor();
        if self.presents() { usual.max(TEXT) } else { usual }
    }

    /// Begins a presentation, or ends it.
    pub(super) fn present(&mut self, ctx: &Context, is_on: bool) {
        self.is_presenting = is_on;
        self.notices.withdraw(HEADING);
        if is_on {
            self.front = Front::Plan;
            ctx.memory_mut(|memory| memory.stop_text_input());
            let keys = "Esc or F11 goes back. Space plays a recording, the arrows to the right and to the left step, those up \
                        and down play faster and slower. Ctrl and a number shows another view.";
            self.notices.push(Notice::success(HEADING, keys));
        }
        ctx.send_viewport_cmd(ViewportCommand::Fullscreen(is_on));
    }

    /// Tells the widgets whether the view is shown alone.
    pub(super) fn tell_presentation(&self, ctx: &Context) {
        presentation::set(ctx, self.presents());
    }
}
