//! Settings before a solve: algorithm, preset, device, periods, limit, seed; and all parameters.

use egui::{DragValue, Ui};
use gridwright_solver::backend::Device;
use gridwright_solver::search::{Algorithms, Budget, Stop};
use gridwright_solver::timetabling::MAX_PERIODS;
use gridwright_solver::timetabling::annealing::AnnealingParameters;
use gridwright_solver::timetabling::evolution::EvolutionParameters;
use gridwright_solver::timetabling::run::{Algorithm, Settings};

use super::Document;
use crate::settings::{self, AlgorithmMenu};
use crate::theme;
use crate::widgets::controls::{labelled, named};
use crate::widgets::parameters;

/// Ready-made settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum Preset {
    /// A first look.
    Quick,
    /// The usual.
    Balanced,
    /// For the final timetable.
    Thorough,
    /// The published algorithm with its published settings.
    Published,
}

impl Preset {
    /// All presets, quickest first.
    pub const ALL: [Self; 4] = gridwright_solver::variants();

    /// Label and tooltip.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Quick => ("Quick", "Annealing for 10 seconds: a first look"),
            Self::Balanced => ("Balanced", "Annealing for 60 seconds: good enough for most purposes"),
            Self::Thorough => ("Thorough", "Annealing for 10 minutes: for the final timetable"),
            Self::Published => (
                "As published",
                "The hybrid evolutionary algorithm of Kolonias et al. (2014): 256 timetables, 200 generations",
            ),
        }
    }

    /// Algorithm and budget.
    pub fn choice(self) -> (Algorithm, Budget) {
        let annealing = Algorithm::Annealing(AnnealingParameters::default());
        match self {
            Self::Quick => (annealing, Budget::Seconds(10.0)),
            Self::Balanced => (annealing, Budget::Seconds(60.0)),
            Self::Thorough => (annealing, Budget::Seconds(600.0)),
            Self::Published => (Algorithm::Evolution(EvolutionParameters::default()), Budget::Steps(200)),
        }
    }

    /// The preset that these settings are, if they are one.
    pub fn of(settings: &Settings) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| {
            let (algorithm, budget) = preset.choice();
            settings.algorithm == algorithm && settings.stop == Stop::after(budget)
        })
    }

    /// Applies the preset; seed, device and threads stay.
    pub fn apply(self, settings: &mut Settings) {
        let (algorithm, budget) = self.choice();
        settings.algorithm = algorithm;
        settings.stop = Stop::after(budget);
    }
}

/// Default settings.
pub fn defaults() -> Settings {
    let (algorithm, budget) = Preset::Quick.choice();
    Settings { algorithm, goal: (), backend: "cpu".to_owned(), threads: 0, seed: 1, stop: Stop::after(budget) }
}

/// The controls beside the Solve button.
pub fn bar(ui: &mut Ui, document: &mut Document, devices: &[Device]) {
    let enabled = !document.is_solving();
    let usual_steps = if matches!(document.settings.algorithm, Algorithm::Annealing(_)) { 10_000_000 } else { 200 };
    ui.add_enabled_ui(enabled, |ui| {
        if let Some(preset) = settings::preset(ui, Preset::ALL, Preset::words, Preset::of(&document.settings)) {
            preset.apply(&mut document.settings);
        }
        algorithms(ui, &mut document.settings);
        settings::device(ui, &mut document.settings, devices);
        labelled(ui, "Periods", |ui| periods(ui, document));
        settings::limit(ui, &mut document.settings, usual_steps, "timetable");
        settings::seed(ui, &mut document.settings.seed, "timetable");
    });
}

fn algorithms(ui: &mut Ui, settings: &mut Settings) {
    let help = "What searches for the timetable";
    let menu = AlgorithmMenu { offered: Algorithm::ALL, help, width: 112.0, refusal: &|_| None, baselines: "" };
    if let Some(algorithm) = menu.show(ui, &settings.algorithm) {
        let preset = if matches!(algorithm, Algorithm::Annealing(_)) { Preset::Balanced } else { Preset::Published };
        preset.apply(settings);
    }
}

fn periods(ui: &mut Ui, document: &mut Document) {
    let mut count = document.instance.period_count();
    let published = gridwright_solver::timetabling::instance::published(&document.instance.name).map(|row| row.0);
    let unknown = count == 0;
    let field = DragValue::new(&mut count)
        .range(usize::from(!unknown)..=MAX_PERIODS)
        .speed(0.1)
        .update_while_editing(false)
        .custom_formatter(|count, _| if count == 0.0 { "how many?".to_owned() } else { format!("{count}") });
    let hint = match published {
        Some(published) => format!("Consecutive periods of the session; {published} in the literature"),
        None => "Consecutive periods of the session".to_owned(),
    };
    let response = named(ui, "Number of periods", &hint, |ui| ui.add(field));
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

/// Draws the parameters of the algorithm and the common ones.
pub fn panel(ui: &mut Ui, document: &mut Document) {
    let is_solving = document.is_solving();
    settings::panel(ui, &mut document.settings, is_solving, parameters::show);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_recognised_and_changes_make_them_unrecognised() {
        let mut settings = defaults();
        for preset in Preset::ALL {
            settings.seed = 42;
            preset.apply(&mut settings);
            assert_eq!(Preset::of(&settings), Some(preset));
            assert_eq!(settings.seed, 42, "the seed stays");
        }
        settings.stop.budget = Budget::Steps(201);
        assert_eq!(Preset::of(&settings), None);
    }

    #[test]
    fn as_published_is_what_was_published() {
        let mut settings = defaults();
        Preset::Published.apply(&mut settings);
        let Algorithm::Evolution(parameters) = &settings.algorithm else { panic!("evolution") };
        assert_eq!((parameters.population, parameters.crossover, parameters.mutation), (256, 0.5, 0.006));
        assert_eq!(settings.stop.budget, Budget::Steps(200));
    }
}
