//! Settings before a solve of a layout problem: preset, algorithm, orientation, device, limit, seed; and all
//! parameters.

use egui::{ComboBox, Ui};
use gridwright_solver::backend::Device;
use gridwright_solver::facility::enumeration::EnumerationParameters;
use gridwright_solver::facility::run::{Algorithm, Settings};
use gridwright_solver::facility::{Instance, Orientation};
use gridwright_solver::search::{Algorithms, Budget, Stop};

use super::Document;
use crate::settings::{self, AlgorithmMenu};
use crate::widgets::controls::{labelled, named};
use crate::widgets::parameters;

/// Ready-made settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum Preset {
    /// A first look.
    Quick,
    /// The usual.
    Balanced,
    /// For the final layout.
    Thorough,
    /// The island genetic algorithm with the budget of its paper.
    Published,
}

/// Generations of the paper's baseline.
const GENERATIONS: u64 = 128;

impl Preset {
    /// All presets, quickest first.
    pub const ALL: [Self; 4] = gridwright_solver::variants();

    /// Label and tooltip.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Quick => ("Quick", "The usual algorithm for 5 seconds: a first look"),
            Self::Balanced => ("Balanced", "The usual algorithm for 30 seconds: good enough for most purposes"),
            Self::Thorough => ("Thorough", "The usual algorithm for 5 minutes: for the final layout"),
            Self::Published => (
                "As published",
                "The island genetic algorithm of Sun, Chou, Wu and Chen (2019) with the settings of the paper: to compare, not to plan with",
            ),
        }
    }

    /// Small plants are solved by looking at everything.
    fn algorithm(self, instance: &Instance) -> Algorithm {
        match self {
            Self::Published => Algorithm::named("genetic").unwrap_or_default(),
            _ => Algorithm::for_instance(instance),
        }
    }

    fn budget(self) -> Budget {
        match self {
            Self::Quick => Budget::Seconds(5.0),
            Self::Balanced => Budget::Seconds(30.0),
            Self::Thorough => Budget::Seconds(300.0),
            Self::Published => Budget::Steps(GENERATIONS),
        }
    }

    /// The preset that these settings are, if they are one.
    pub fn of(settings: &Settings, instance: &Instance) -> Option<Self> {
        let same = |preset: &Self| {
            settings.algorithm == preset.algorithm(instance) && settings.stop == Stop::after(preset.budget())
        };
        Self::ALL.into_iter().find(same)
    }

    /// Applies the preset; orientation, seed, device and threads stay.
    pub fn apply(self, settings: &mut Settings, instance: &Instance) {
        settings.algorithm = self.algorithm(instance);
        settings.stop = Stop::after(self.budget());
    }
}

/// Default settings.
pub fn defaults() -> Settings {
    Settings {
        algorithm: Algorithm::default(),
        backend: "auto".to_owned(),
        threads: 0,
        seed: 1,
        stop: Stop::after(Preset::Quick.budget()),
        goal: None,
    }
}

/// Adapts the settings of the last instance to another: a default or unsuitable algorithm becomes its default.
pub fn fitting(mut settings: Settings, instance: &Instance) -> Settings {
    let usual = [Algorithm::default(), Algorithm::Enumeration(EnumerationParameters::default())];
    if usual.contains(&settings.algorithm) || settings.algorithm.check(instance).is_err() {
        settings.algorithm = Algorithm::for_instance(instance);
    }
    settings
}

/// The controls beside the Solve button.
pub fn bar(ui: &mut Ui, document: &mut Document, devices: &[Device]) {
    let enabled = !document.is_solving();
    ui.add_enabled_ui(enabled, |ui| {
        let (settings, instance) = (&mut document.settings, &*document.instance);
        if let Some(preset) = settings::preset(ui, Preset::ALL, Preset::words, Preset::of(settings, instance)) {
            preset.apply(settings, instance);
        }
        let refusal = |algorithm: &Algorithm| algorithm.check(instance).err().map(|error| error.to_string());
        let help = "What searches for the layout";
        let menu = AlgorithmMenu { offered: Algorithm::ALL, help, width: 104.0, refusal: &refusal, baselines: "" };
        if let Some(algorithm) = menu.show(ui, &settings.algorithm) {
            settings.algorithm = algorithm;
        }
        labelled(ui, "Bays", |ui| orientations(ui, &mut document.settings));
        settings::device(ui, &mut document.settings, devices);
        settings::limit(ui, &mut document.settings, 1_000, "layout");
        settings::seed(ui, &mut document.settings.seed, "layout");
    });
}

/// Name of an orientation of the bays.
fn orientation_name(orientation: Option<Orientation>) -> &'static str {
    match orientation {
        None => "Both ways",
        Some(Orientation::Vertical) => "Vertical",
        Some(Orientation::Horizontal) => "Horizontal",
    }
}

fn orientations(ui: &mut Ui, settings: &mut Settings) {
    let now = settings.goal;
    let combo = ComboBox::from_id_salt("orientation").selected_text(orientation_name(now)).width(84.0);
    let choices = [
        (None, "Search both and take the better: which one that is differs from plant to plant"),
        (Some(Orientation::Vertical), "Strips of the full height, from left to right"),
        (Some(Orientation::Horizontal), "Rows of the full width, from bottom to top"),
    ];
    let list = |ui: &mut Ui| {
        for (orientation, help) in choices {
            let name = orientation_name(orientation);
            if ui.selectable_label(orientation == now, name).on_hover_text(help).clicked() {
                settings.goal = orientation;
            }
        }
    };
    named(ui, "Bays", "How the bays lie", |ui| combo.show_ui(ui, list).response);
}

/// Draws the parameters of the algorithm and the common ones.
pub fn panel(ui: &mut Ui, document: &mut Document) {
    let is_solving = document.is_solving();
    settings::panel(ui, &mut document.settings, is_solving, parameters::show);
}

#[cfg(test)]
mod tests {
    use gridwright_solver::facility::{Rules, library};

    use super::*;

    #[test]
    fn small_plants_are_enumerated_unless_somebody_chose_otherwise() {
        let workshop = library::sample("layout-workshop").unwrap();
        assert_eq!(fitting(defaults(), &workshop).algorithm.name(), "memetic", "enumeration minds no rules");
        let small = Instance { rules: Rules::default(), ..workshop };
        let large = library::sample("layout-plant").unwrap();
        let algorithm = |settings: Settings, instance: &Instance| fitting(settings, instance).algorithm.name();
        assert_eq!([algorithm(defaults(), &small), algorithm(defaults(), &large)], ["enumeration", "memetic"]);
        let mut published = defaults();
        Preset::Published.apply(&mut published, &small);
        assert_eq!(algorithm(published, &large), "genetic");
    }

    #[test]
    fn presets_are_recognised_and_changes_make_them_unrecognised() {
        let mut settings = defaults();
        let instance = library::sample("layout-plant").unwrap();
        for preset in Preset::ALL {
            (settings.seed, settings.goal) = (42, Some(Orientation::Horizontal));
            preset.apply(&mut settings, &instance);
            assert_eq!(Preset::of(&settings, &instance), Some(preset));
            assert_eq!((settings.seed, settings.goal), (42, Some(Orientation::Horizontal)), "these stay");
        }
        settings.stop.budget = Budget::Steps(10);
        assert_eq!(Preset::of(&settings, &instance), None);
    }
}
