//! Placeholder for a recording that is being made or could not be made.

use egui::Ui;
use gridwright_core::numbers::grouped;
use gridwright_core::text::sentence_case;

use super::controls::{button, placeholder};
use super::icons::Icon;

/// Wish of the person about an incomplete recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// To end it and look at what is recorded.
    Stop,
    /// To make it again.
    Again,
}

/// Recording of a run that is made again from its seed.
pub struct IncompleteRecording<'a> {
    /// Icon of the view.
    pub icon: Icon,
    /// Heading where the recording could not be made.
    pub failed: &'a str,
    /// Reason why the recording could not be made; `None` while it is made.
    pub failure: Option<String>,
    /// Part of the run that is recorded, such as «20 % of 200 generations».
    pub progress: String,
    /// Largest size of the recording in MB.
    pub bound: usize,
    /// Consequence of ending it, such as «the generations up to here can be played».
    pub remains: &'a str,
}

impl IncompleteRecording<'_> {
    /// Draws the placeholder; returns the wish of the person.
    pub fn show(&self, ui: &mut Ui) -> Option<Wish> {
        let mut wish = None;
        let mut offer = |ui: &mut Ui, icon, words, help: &str, offered| {
            if button(ui, icon, words, true).on_hover_text(help).clicked() {
                wish = Some(offered);
            }
        };
        match &self.failure {
            Some(why) => placeholder(ui, self.icon, self.failed, &sentence_case(why), |ui| {
                offer(ui, Icon::Reset, "Record again", "Make the run again from its seed", Wish::Again);
            }),
            None => {
                let text = format!(
                    "The run is made again from its seed on the processor: {}. The recording takes at most {} MB of memory.",
                    self.progress,
                    grouped(self.bound as i64)
                );
                placeholder(ui, self.icon, "Recording", &text, |ui| {
                    offer(
                        ui,
                        Icon::Stop,
                        "Stop recording",
                        &format!("End the recording; {}", self.remains),
                        Wish::Stop,
                    );
                });
            }
        }
        wish
    }
}
