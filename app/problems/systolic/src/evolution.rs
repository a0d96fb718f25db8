//! View of the generations of SGA and EGA: the population, curves, and the origin of a child.

mod child;
mod curves;
mod population;

use egui::{Color32, Ui};
use gridwright_systolic::run::Algorithm;

use super::Document;
use super::grid::{notice, play, waiting};
pub(crate) use super::view_state::Mode;
use crate::methods::*;
use gridwright_window::runs::Shown;
use gridwright_window::theme::{Palette, space};
use gridwright_window::widgets::controls::{modes, placeholder};
use gridwright_window::widgets::icons::Icon;

impl Mode {
    /// All modes.
    pub const ALL: [Self; 3] = gridwright_core::variants();

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Population => ("Population", "All individuals of a generation and what they are worth"),
            Self::Curves => ("Curves", "Fitness, diversity, selection pressure and take-over over the generations"),
            Self::Child => ("One child", "How one individual came from two others, step by step"),
        }
    }
}

/// Returns `true` if the algorithm has generations.
fn has_generations(algorithm: &Algorithm) -> bool {
    matches!(algorithm, Algorithm::Generational(_) | Algorithm::Elitist(_))
}

fn bit_colour(palette: &Palette, bit: u8) -> Color32 {
    if bit == 1 { palette.bar } else { palette.panel }
}

/// Shows the generations of the shown run, or what to do to see some.
pub fn show(ui: &mut Ui, document: &mut Document) {
    if document.shown == Shown::Live {
        let text = "When the run has ended, every generation can be played back here.";
        return placeholder(ui, Icon::Cells, "Run in progress", text, |_| {});
    }
    let number = document.shown_run().map(|run| run.number);
    let algorithm = number.and_then(|number| document.algorithm_of(number));
    if !algorithm.as_ref().is_some_and(has_generations) {
        let text = "Only the genetic algorithms have generations. Choose one of them among the algorithms beside Solve and \
                    press Solve; then every generation can be looked at.";
        return placeholder(ui, Icon::Cells, "No generations", text, |_| {});
    }
    let Some(recording) = document.recording(ui.ctx()) else { return waiting(ui, document) };
    if !recording.is_ready() || recording.failure().is_some() {
        return waiting(ui, document);
    }
    let curves = recording.curves();
    let statistics = recording.statistics();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::M;
        if let Some(mode) = modes(ui, &Mode::ALL, Mode::words, document.evolving.mode) {
            document.evolving.mode = mode;
        }
        if document.evolving.mode == Mode::Child {
            child::switches(ui, document, &statistics);
        }
    });
    notice(ui, document);
    if document.evolving.mode != Mode::Child {
        play(ui, document, Some(&curves));
    }
    match document.evolving.mode {
        Mode::Population => population::show(ui, document, &statistics),
        Mode::Curves => curves::show(ui, document, &statistics),
        Mode::Child => child::show(ui, document),
    }
}
