//! Settings before a solve of a layout problem: preset, algorithm, orientation, device, limit, seed; and all
//! parameters.

use std::sync::Arc;

use egui::{ComboBox, Ui};
use gridwright_solver::backend::Device;
use gridwright_solver::facility::enumeration::EnumerationParameters;
use gridwright_solver::facility::run::{Algorithm, Settings};
use gridwright_solver::facility::{Instance, Orientation};
use gridwright_solver::search::{Algorithms, Budget, Stop};

use super::Document;
use crate::settings::{self, Work};
use crate::theme::{self, palette, space};
use crate::widgets::controls::{labelled, named, segmented};
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

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "Quick",
            Self::Balanced => "Balanced",
            Self::Thorough => "Thorough",
            Self::Published => "As published",
        }
    }

    /// Tooltip of the preset.
    pub fn help(self) -> &'static str {
        match self {
            Self::Quick => "The usual algorithm for 5 seconds: a first look",
            Self::Balanced => "The usual algorithm for 30 seconds: good enough for most purposes",
            Self::Thorough => "The usual algorithm for 5 minutes: for the final layout",
            Self::Published => {
                "The island genetic algorithm of Sun, Chou, Wu and Chen (2019) with the settings of the paper: to compare, not to plan with"
            }
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

/// Name, label, short label and explanation of each algorithm.
const ALGORITHMS: [(&str, &str, &str, &str); 3] = [
    (
        "memetic",
        "Memetic",
        "Memetic",
        "Islands whose individuals are improved by annealing: the best results for the time",
    ),
    ("genetic", "Island genetic", "Genetic", "The published island genetic algorithm, every variant selectable"),
    (
        "enumeration",
        "Enumeration",
        "Enumerate",
        "Looks at every way to put the departments into bays and proves the best: for small plants, up to about 12",
    ),
];

/// «Island genetic».
pub fn algorithm_name(name: &str) -> &str {
    match ALGORITHMS.iter().find(|known| known.0 == name) {
        Some(known) => known.1,
        None if name == "hand" => "By hand",
        None => name,
    }
}

/// Short name of an algorithm, for narrow windows.
pub fn short_name(name: &str) -> &str {
    match ALGORITHMS.iter().find(|known| known.0 == name) {
        Some(known) => known.2,
        None if name == "hand" => "By hand",
        None => name,
    }
}

/// Unit and usual amount of the limit of a run if it is not limited by time.
const WORK: Work = Work { unit: "steps", usual: 1_000, plan: "layout" };

/// The controls beside the Solve button.
pub fn bar(ui: &mut Ui, document: &mut Document, devices: &[Device]) {
    let enabled = !document.is_solving();
    ui.add_enabled_ui(enabled, |ui| {
        let instance = Arc::clone(&document.instance);
        labelled(ui, "Preset", |ui| presets(ui, &mut document.settings, &instance));
        labelled(ui, "Algorithm", |ui| algorithms(ui, &mut document.settings, &instance));
        labelled(ui, "Bays", |ui| orientations(ui, &mut document.settings));
        labelled(ui, "Device", |ui| {
            settings::device(ui, &mut document.settings.backend, document.settings.threads, devices);
        });
        let timed = matches!(document.settings.stop.budget, Budget::Seconds(_));
        labelled(ui, if timed { "Time limit" } else { "Steps" }, |ui| {
            settings::limit(ui, &mut document.settings.stop.budget, &WORK);
        });
        labelled(ui, "Seed", |ui| settings::seed(ui, &mut document.settings.seed, "layout"));
    });
}

fn presets(ui: &mut Ui, settings: &mut Settings, instance: &Instance) {
    let chosen =
        Preset::of(settings, instance).and_then(|preset| Preset::ALL.iter().position(|other| *other == preset));
    let choices = Preset::ALL.map(|preset| (preset.name(), preset.help(), true));
    if let Some(preset) = segmented(ui, &choices, chosen).and_then(|index| Preset::ALL.get(index)) {
        preset.apply(settings, instance);
    }
}

fn algorithms(ui: &mut Ui, settings: &mut Settings, instance: &Instance) {
    let now = settings.algorithm.name();
    let combo = ComboBox::from_id_salt("algorithm").selected_text(algorithm_name(now)).width(104.0);
    let list = |ui: &mut Ui| {
        for (name, words, _, help) in ALGORITHMS {
            let Ok(algorithm) = Algorithm::named(name) else { continue };
            let refused = algorithm.check(instance).err().map(|error| error.to_string()).unwrap_or_default();
            let button = egui::Button::selectable(name == now, words);
            let response =
                ui.add_enabled(refused.is_empty(), button).on_hover_text(help).on_disabled_hover_text(refused);
            if response.clicked() && name != now {
                settings.algorithm = algorithm;
            }
        }
    };
    named(ui, "Algorithm", "What searches for the layout", |ui| combo.show_ui(ui, list).response);
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
    let enabled = !document.is_solving();
    if !enabled {
        ui.label(theme::small("Can be changed when the run has ended").color(palette(ui.visuals()).weak));
    }
    parameters::show(ui, &mut document.settings.algorithm, enabled);
    ui.separator();
    ui.add_space(space::XS);
    settings::threads(ui, &mut document.settings.threads, enabled);
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
