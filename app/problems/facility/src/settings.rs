//! Settings before a solve of a layout problem: preset, algorithm, orientation, device, limit, seed; and all
//! parameters.

use egui::Ui;
use gridwright_core::backend::Device;
use gridwright_core::search::{Algorithms, Budget};
use gridwright_facility::enumeration::EnumerationParameters;
use gridwright_facility::run::{Algorithm, Settings};
use gridwright_facility::{Instance, Orientation};

use super::Document;
use super::state::Run;
use crate::methods::*;
use gridwright_window::runs::RunStatus;
use gridwright_window::settings::{self, AlgorithmMenu, Preset};
use gridwright_window::widgets::choices::Choices;
use gridwright_window::widgets::controls::{labelled, segmented};
use gridwright_window::widgets::entry::Number;

/// Largest number of departments that may be allowed to move, as the search has it.
const MOST_MOVES: u32 = 32;

/// Ready-made settings, quickest first; small plants are enumerated. The last preset is the island genetic algorithm with
/// the budget of its paper.
fn presets(instance: &Instance) -> [Preset<Algorithm>; 4] {
    let usual = |label, help, seconds| Preset {
        label,
        help,
        algorithm: Algorithm::for_instance(instance),
        budget: Budget::Seconds(seconds),
        is_published: false,
    };
    [
        usual("Quick", "The usual algorithm for 5 seconds: a first look", 5.0),
        usual("Balanced", "The usual algorithm for 30 seconds: good enough for most purposes", 30.0),
        usual("Thorough", "The usual algorithm for 5 minutes: for the final layout", 300.0),
        Preset {
            label: "As published",
            help: "The island genetic algorithm of Sun, Chou, Wu and Chen (2019) with the settings of the paper: to \
                   compare, not to plan with",
            algorithm: Algorithm::named("genetic").unwrap_or_default(),
            budget: Budget::Steps(128),
            is_published: true,
        },
    ]
}

/// Adapts the settings of the last instance to another: a default or unsuitable algorithm becomes its default.
pub(crate) fn fitting(mut settings: Settings, instance: &Instance) -> Settings {
    let usual = [Algorithm::default(), Algorithm::Enumeration(EnumerationParameters::default())];
    if usual.contains(&settings.algorithm) || settings.algorithm.check(instance).is_err() {
        settings.algorithm = Algorithm::for_instance(instance);
    }
    if is_slicing(&settings) {
        settings.goal = None;
    }
    settings
}

/// Returns `true` if the search has no bays, which could lie one way or the other.
fn is_slicing(settings: &Settings) -> bool {
    matches!(settings.algorithm, Algorithm::Slicing(_))
}

/// Chooses between layouts of bays and freer ones, by the usual algorithm of each.
fn shapes(ui: &mut Ui, document: &mut Document) {
    let free = Algorithm::with_defaults("slicing").unwrap_or_default();
    let bays = Algorithm::default().check(&document.instance).map_err(|error| error.to_string());
    let in_bays = bays.as_ref().map_or_else(String::as_str, |()| "Strips with straight aisles between them");
    let as_free = "Departments in any arrangement of cuts from wall to wall: cheaper, without straight aisles";
    let choices = [("Bays", in_bays, bays.is_ok()), ("Free", as_free, free.check(&document.instance).is_ok())];
    let chosen = usize::from(is_slicing(&document.settings));
    if let Some(pressed) = segmented(ui, &choices, Some(chosen)).filter(|&pressed| pressed != chosen) {
        let usual = Algorithm::for_instance(&document.instance);
        document.settings.algorithm = if pressed == 1 { free } else { usual };
        document.settings.goal = None;
        show_best_of(document, pressed == 1);
    }
}

/// Shows the best run with rectangles, or with bays, instead of a run of the other kind; nothing changes if there is none.
fn show_best_of(document: &mut Document, is_free: bool) {
    let is_of_kind = |run: &Run| run.checked.layout.is_free() == is_free;
    if document.shown_run().is_none_or(is_of_kind) {
        return;
    }
    let valid = document.listed().filter(|run| run.status == RunStatus::Valid && is_of_kind(run));
    let best = valid.min_by(|one, other| one.checked.cost.total_cmp(&other.checked.cost));
    if let Some(number) = best.map(|run| run.number) {
        document.show_run(number);
    }
}

/// Chooses how many departments an improvement of the shown layout may move; 0 allows any number.
fn moves(ui: &mut Ui, settings: &mut Settings) {
    let mut moves = match &settings.algorithm {
        Algorithm::Slicing(parameters) => parameters.moves,
        _ => 0,
    };
    let before = moves;
    let help = "Improve from here moves at most so many departments of the layout that is shown; 0: any number";
    ui.add(Number::new("Move at most", &mut moves).range(0..=MOST_MOVES).speed(0.1).zero("any").help(help));
    if moves == before {
        return;
    }
    // Only layouts without bays leave everything else where it is.
    if !is_slicing(settings) {
        (settings.algorithm, settings.goal) = (Algorithm::with_defaults("slicing").unwrap_or_default(), None);
    }
    if let Algorithm::Slicing(parameters) = &mut settings.algorithm {
        parameters.moves = moves;
    }
}

/// The controls beside the Solve button.
pub fn bar(ui: &mut Ui, document: &mut Document, devices: &[Device]) {
    let enabled = !document.is_solving();
    ui.add_enabled_ui(enabled, |ui| {
        let (settings, instance) = (&mut document.settings, &*document.instance);
        settings::presets(ui, settings, &presets(instance));
        let refusal = |algorithm: &Algorithm| algorithm.check(instance).err().map(|error| error.to_string());
        let help = "What searches for the layout";
        let menu = AlgorithmMenu { offered: Algorithm::ALL, help, width: 104.0, refusal: &refusal, baselines: "" };
        if let Some(algorithm) = menu.show(ui, &settings.algorithm) {
            settings.algorithm = algorithm;
            if is_slicing(settings) {
                settings.goal = None;
            }
        }
        if !settings::studies(ui) {
            labelled(ui, "Layout", |ui| shapes(ui, document));
            if document.plan().is_some() {
                labelled(ui, "Move at most", |ui| moves(ui, &mut document.settings));
            }
        }
        let has_bays = !is_slicing(&document.settings);
        ui.add_enabled_ui(has_bays, |ui| labelled(ui, "Bays", |ui| orientations(ui, &mut document.settings)));
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
    Choices::new("Bays", orientation_name(now)).width(84.0).help("How the bays lie").show(ui, list);
}

#[cfg(test)]
mod tests {
    use gridwright_facility::{Rules, library};

    use super::*;

    fn defaults() -> Settings {
        Settings::of(Algorithm::default(), Budget::Seconds(5.0))
    }

    #[test]
    fn small_plants_are_enumerated_unless_somebody_chose_otherwise() {
        let workshop = library::sample("layout-workshop").unwrap();
        assert_eq!(fitting(defaults(), &workshop).algorithm.name(), "memetic", "enumeration minds no rules");
        let small = Instance { rules: Rules::default(), ..workshop };
        let large = library::sample("layout-plant").unwrap();
        let algorithm = |settings: Settings, instance: &Instance| fitting(settings, instance).algorithm.name();
        assert_eq!([algorithm(defaults(), &small), algorithm(defaults(), &large)], ["enumeration", "memetic"]);
        let mut published = defaults();
        presets(&small)[3].apply(&mut published);
        assert_eq!(algorithm(published, &large), "genetic");
    }
}
