//! Settings before a solve: algorithm, preset, device, periods, limit, seed; and all parameters.

use egui::Ui;
use gridwright_core::backend::Device;
use gridwright_core::search::{Algorithms, Budget};
use gridwright_timetabling::MAX_PERIODS;
use gridwright_timetabling::annealing::AnnealingParameters;
use gridwright_timetabling::evolution::EvolutionParameters;
use gridwright_timetabling::run::{Algorithm, Settings};

use super::{Document, objective};
use crate::methods::*;
use gridwright_window::settings::{self, AlgorithmMenu, Preset};
use gridwright_window::theme;
use gridwright_window::widgets::controls::labelled;
use gridwright_window::widgets::entry::Number;

/// Ready-made settings, quickest first; the last one is the published algorithm with its published settings.
pub fn presets() -> [Preset<Algorithm>; 4] {
    let annealing = |label, help, seconds| {
        let algorithm = Algorithm::Annealing(AnnealingParameters::default());
        Preset { label, help, algorithm, budget: Budget::Seconds(seconds), is_published: false }
    };
    [
        annealing("Quick", "Annealing for 10 seconds: a first look", 10.0),
        annealing("Balanced", "Annealing for 60 seconds: good enough for most purposes", 60.0),
        annealing("Thorough", "Annealing for 10 minutes: for the final timetable", 600.0),
        Preset {
            label: "As published",
            help: "The hybrid evolutionary algorithm of Kolonias et al. (2014): 256 timetables, 200 generations",
            algorithm: Algorithm::Evolution(EvolutionParameters::default()),
            budget: Budget::Steps(200),
            is_published: true,
        },
    ]
}

/// Default settings: the quickest preset.
pub fn defaults() -> Settings {
    let [Preset { algorithm, budget, .. }, ..] = presets();
    Settings { backend: "cpu".to_owned(), ..Settings::of(algorithm, budget) }
}

/// Chooses the published algorithm with its published settings.
pub(crate) fn choose_published(settings: &mut Settings) {
    let [.., published] = presets();
    published.apply(settings);
}

/// The controls beside the Solve button.
pub fn bar(ui: &mut Ui, document: &mut Document, devices: &[Device]) {
    let enabled = !document.is_solving();
    let usual_steps = if matches!(document.settings.algorithm, Algorithm::Annealing(_)) { 10_000_000 } else { 200 };
    ui.add_enabled_ui(enabled, |ui| {
        settings::presets(ui, &mut document.settings, &presets());
        algorithms(ui, &mut document.settings);
        settings::device(ui, &mut document.settings, devices);
        labelled(ui, "Periods", |ui| periods(ui, document));
        // A session without dates has the published objective alone to choose.
        if document.instance.is_session() || document.instance.is_dated() {
            objective::field(ui, document);
        }
        settings::limit(ui, &mut document.settings, usual_steps, "timetable");
        settings::seed(ui, &mut document.settings.seed, "timetable");
    });
}

fn algorithms(ui: &mut Ui, settings: &mut Settings) {
    let help = "What searches for the timetable";
    let menu = AlgorithmMenu { offered: Algorithm::ALL, help, width: 112.0, refusal: &|_| None, baselines: "" };
    if let Some(algorithm) = menu.show(ui, &settings.algorithm) {
        let [_, balanced, _, published] = presets();
        let preset = if matches!(algorithm, Algorithm::Annealing(_)) { balanced } else { published };
        preset.apply(settings);
    }
}

fn periods(ui: &mut Ui, document: &mut Document) {
    let mut count = document.instance.period_count();
    let published = gridwright_timetabling::published::conditions(&document.instance.name).map(|row| row.0);
    let unknown = count == 0;
    let hint = match published {
        Some(published) => format!("Consecutive periods of the session; {published} in the literature"),
        None => "Consecutive periods of the session".to_owned(),
    };
    let field = Number::new("Number of periods", &mut count).range(usize::from(!unknown)..=MAX_PERIODS);
    let response = ui.add(field.speed(0.1).zero("how many?").help(&hint));
    if response.changed() && count != document.instance.period_count() && !response.dragged() {
        document.set_periods(count);
    } else if response.dragged() && count != document.instance.period_count() {
        document.set_periods(count.max(1));
    }
    if let Some(published) = published.filter(|&published| published != document.instance.period_count()) {
        let link = egui::Link::new(theme::small(format!("published: {published}")));
        if ui.add(link).on_hover_text("Back to the number that the literature uses").clicked() {
            document.set_periods(published);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_published_is_what_was_published() {
        let [.., published] = presets();
        let Algorithm::Evolution(parameters) = &published.algorithm else { panic!("evolution") };
        assert_eq!((parameters.population, parameters.crossover, parameters.mutation), (256, 0.5, 0.006));
        assert_eq!(published.budget, Budget::Steps(200));
    }
}
