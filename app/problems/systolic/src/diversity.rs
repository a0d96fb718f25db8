//! View of best, mean and worst cost over the iterations, and of the mean Hamming distance of solutions.

use egui::Ui;
use gridwright_systolic::Kind;

use super::Document;
use super::grid::{events, play, waiting};
use super::recording::Curves;
use crate::methods::*;
use gridwright_window::theme::{self, palette};
use gridwright_window::widgets::controls::placeholder;
use gridwright_window::widgets::history::{self, History, Line, Panel};
use gridwright_window::widgets::icons::Icon;

/// Scale of a chart of costs: fitness, or the logarithm of the distance to the optimum.
pub struct Shown {
    logarithmic: bool,
    /// Title of the chart, with the unit.
    pub title: &'static str,
    /// Title where there is little room.
    pub short: &'static str,
    optimum: Option<f64>,
}

/// Plotted value of a distance of zero, which has no logarithm.
const NOTHING: f64 = -0.6;

impl Shown {
    /// Knapsacks that are too heavy lie so far away that only a logarithm shows the others.
    pub fn of(document: &Document) -> Self {
        let optimum = document.optimum().map(|optimum| optimum.cost);
        let logarithmic = optimum.is_some() && matches!(document.instance.kind, Kind::Knapsack { .. });
        let (title, short) = match document.instance.kind {
            _ if logarithmic => ("Profit missing to the optimum, logarithmic", "Profit missing"),
            Kind::NextRelease { .. } => ("1 − objective", "1 − objective"),
            _ => ("Fitness", "Fitness"),
        };
        Self { logarithmic, title, short, optimum }
    }

    /// Converts a cost to its plotted value.
    pub(crate) fn plotted(&self, document: &Document, cost: f64) -> f32 {
        let value = match self.optimum.filter(|_| self.logarithmic) {
            Some(optimum) if cost - optimum < 0.5 => NOTHING,
            Some(optimum) => (cost - optimum).log10().max(0.0),
            None => document.instance.kind.fitness(cost),
        };
        value as f32
    }

    /// Converts costs to their plotted values.
    pub fn line(&self, document: &Document, costs: &[f64]) -> Vec<f32> {
        let plot = |cost: &f64| if cost.is_nan() { f32::NAN } else { self.plotted(document, *cost) };
        costs.iter().map(plot).collect()
    }

    /// Formats a plotted value.
    pub fn words(&self, value: f64) -> String {
        if !self.logarithmic {
            let decimals = if value.fract() == 0.0 || value.abs() >= 1_000.0 { 0 } else { 3 };
            return format!("{value:.decimals$}");
        }
        match value {
            low if low < -0.3 => "0".to_owned(),
            value if value < 0.0 => String::new(),
            value => gridwright_core::numbers::compact(10_f64.powf(value).round()),
        }
    }

    /// Plotted value and label of the optimum.
    pub fn reference(&self, document: &Document) -> Option<(f64, String)> {
        let optimum = document.optimum()?;
        Some((f64::from(self.plotted(document, optimum.cost)), format!("optimum {}", optimum.words)))
    }
}

/// Shows the player and both charts.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let recording = document.recording(ui.ctx());
    let (curves, playable) = match recording {
        Some(recording) => {
            let ready = recording.is_ready();
            (Some(recording.curves()), ready)
        }
        None => (None, false),
    };
    play(ui, document, curves.as_deref().filter(|_| playable));
    let Some(curves) = curves.filter(|curves| !curves.mean.is_empty()) else {
        if !document.is_solving() {
            return waiting(ui, document);
        }
        let text = "All solutions are looked at again, iteration by iteration, to say how much they differ.";
        placeholder(ui, Icon::Cells, "When the run has ended", text, |_| {});
        return;
    };
    if document.recorded().is_some_and(|recording| !recording.is_complete()) {
        let words = "All solutions are looked at again; the curves are not complete yet.";
        ui.label(theme::small(words).color(palette(ui.visuals()).weak));
    }
    charts(ui, document, &curves);
}

fn charts(ui: &mut Ui, document: &mut Document, curves: &Curves) {
    let palette = palette(ui.visuals());
    let shown = Shown::of(document);
    let [best, mean, worst] = [&curves.best, &curves.mean, &curves.worst].map(|costs| shown.line(document, costs));
    let line = |name, values, colour, dashed| Line { name, values, colour, dashed };
    let fitness = [
        line("worst", &worst[..], palette.curve(1), true),
        line("mean", &mean, palette.curve(2), false),
        line("best", &best, palette.curve(0), false),
    ];
    let distance = [line("distance", &curves.diversity[..], palette.curve(3), false)];
    let reference = shown.reference(document);
    let words = |value: f64| shown.words(value);
    let one = |value: f64| if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") };
    let panels = [
        Panel {
            title: shown.title,
            lines: &fitness,
            reference: reference.as_ref().map(|(value, name)| (*value, name.as_str())),
            from_zero: false,
            weight: 1.6,
            words: &words,
        },
        Panel {
            title: "Mean Hamming distance of two solutions, bits",
            lines: &distance,
            reference: None,
            from_zero: true,
            weight: 1.0,
            words: &one,
        },
    ];
    let at = document.frame().map(|frame| frame.iteration);
    let history = History {
        panels: &panels,
        first: 0,
        unit: "Iteration",
        at,
        events: &events(document, curves),
        nothing: "Nothing was recorded",
    };
    let outcome = history::show(ui, &history);
    document.canvas_focused |= outcome.response.has_focus();
    if let Some(at) = outcome.picked {
        document.player.go_to(at);
    }
}
