//! The messages of the window: their strip, and their end once their cause is gone.

use egui::Ui;

use super::App;
use crate::widgets::notice::{Notice, strip};

impl App {
    /// The messages that are shown, for tests.
    pub fn notices(&self) -> &[Notice] {
        self.notices.list()
    }

    /// Shows a message, for tests.
    pub fn tell(&mut self, notice: Notice) {
        self.notices.push(notice);
    }

    /// Draws the messages of the moment.
    pub(super) fn messages(&mut self, ui: &mut Ui) {
        if let Some(action) = strip::show(&mut self.notices, ui) {
            self.act(&action);
        }
    }

    /// Takes away messages whose cause is gone.
    pub(super) fn withdraw_notices(&mut self) {
        let open = self.open.as_deref();
        self.notices.leave_states(|cause| open.is_some_and(|open| open.is_so(cause)));
        for (heading, command) in std::mem::take(&mut self.refused) {
            if self.situation().possible(&command).is_ok() {
                self.notices.withdraw(&heading);
            } else {
                self.refused.push((heading, command));
            }
        }
        if !self.open.as_deref().is_some_and(|open| open.keeper().has_failed()) {
            self.notices.withdraw(super::saving::UNSAVED);
        }
    }
}
