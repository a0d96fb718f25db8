//! Settings before a solve: preset, flavour or baseline, iterations, device, seed; and all parameters.

use egui::Ui;
use gridwright_core::backend::Device;
use gridwright_core::numbers::grouped;
use gridwright_core::search::{Algorithms, Budget, Stop};
use gridwright_systolic::run::{Algorithm, Settings};
use gridwright_systolic::{Instance, Weight};

use super::Document;
use crate::methods::*;
use gridwright_window::settings::{self, AlgorithmMenu, Preset};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::choices::Choices;
use gridwright_window::widgets::controls::labelled;
use gridwright_window::widgets::entry::Number;
use gridwright_window::widgets::parameters;

/// Presets of the number of iterations, fewest first, for the present algorithm with its usual parameters.
fn presets(algorithm: &Algorithm, instance: &Instance) -> [Preset<Algorithm>; 3] {
    let cells = instance.cells() as u64;
    let preset = |label, help, iterations| Preset {
        label,
        help,
        algorithm: Algorithm::with_defaults(algorithm.name()).unwrap_or_default(),
        budget: Budget::Steps(iterations),
        is_published: false,
    };
    [
        preset("Quick", "An iteration for every fourth cell: a first look", cells.div_ceil(4).max(1)),
        preset("As published", "As many iterations as the grid has cells, as in the paper", cells),
        preset("Thorough", "Four iterations for each cell", 4 * cells),
    ]
}

/// Default settings for this instance.
pub fn defaults() -> Settings {
    Settings { backend: "cpu".to_owned(), ..Settings::of(Algorithm::default(), Budget::Steps(1)) }
}

/// Adapts the settings to an instance: as many iterations as in the paper, independent of the last instance; the parameters
/// that were chosen stay.
pub(crate) fn fitted(mut settings: Settings, instance: &Instance) -> Settings {
    let [_, published, _] = presets(&settings.algorithm, instance);
    settings.stop = Stop::after(published.budget);
    settings
}

/// The controls beside the Solve button.
pub fn bar(ui: &mut Ui, document: &mut Document, devices: &[Device]) {
    let enabled = !document.is_solving();
    ui.add_enabled_ui(enabled, |ui| {
        let (settings, instance) = (&mut document.settings, &*document.instance);
        let presets = presets(&settings.algorithm, instance);
        settings::presets(ui, settings, &presets);
        let help = "How solutions flow through the grid, or what the grid is compared with";
        let menu = AlgorithmMenu { offered: Algorithm::ALL, help, width: 148.0, refusal: &|_| None, baselines: "sga" };
        if let Some(algorithm) = menu.show(ui, &settings.algorithm) {
            settings.algorithm = algorithm;
        }
        if document.tenths().is_some() {
            labelled(ui, "Weight", |ui| weights(ui, document));
        }
        labelled(ui, "Iterations", |ui| iterations(ui, &mut document.settings));
        settings::device(ui, &mut document.settings, devices);
        settings::seed(ui, &mut document.settings.seed, "solution");
    });
}

fn weights(ui: &mut Ui, document: &mut Document) {
    let Some(now) = document.tenths() else { return };
    let mut chosen = now;
    let list = |ui: &mut Ui| {
        for tenths in 0..=10 {
            ui.selectable_value(&mut chosen, tenths, Weight(tenths).to_string());
        }
    };
    let help = "How much the value that is left out weighs against the cost: 0 looks at cost alone, 1 at value alone";
    Choices::new("Weight", Weight(now).to_string()).width(56.0).help(help).show(ui, list);
    if chosen != now {
        document.set_tenths(chosen);
    }
}

fn iterations(ui: &mut Ui, settings: &mut Settings) {
    let mut steps = match settings.stop.budget {
        Budget::Steps(steps) => steps,
        Budget::Seconds(_) | Budget::Evaluations(_) => 1,
    };
    let speed = (steps as f64 / 100.0).max(0.2);
    let field = Number::new("Iterations", &mut steps).range(1..=100_000_000).speed(speed);
    let field = field.format(|steps| grouped(steps as i64));
    if ui.add(field.help("Beats of the grid; in each of them every cell makes two children")).changed() {
        settings.stop = Stop::after(Budget::Steps(steps));
    }
}

/// Draws the parameters of the algorithm and the common ones.
pub fn panel(ui: &mut Ui, document: &mut Document) {
    let is_solving = document.is_solving();
    settings::panel(ui, &mut document.settings, is_solving, |ui, algorithm, enabled| match algorithm {
        Algorithm::Grid(flavour, _) => {
            note(ui, flavour.help());
            ui.add_space(space::XS);
            parameters::show(ui, algorithm, enabled);
        }
        Algorithm::Random(_) => note(ui, "Random search has nothing to tune."),
        Algorithm::Generational(_) | Algorithm::Elitist(_) => parameters::show(ui, algorithm, enabled),
    });
    ui.add_space(space::S);
    memory(ui, document);
}

fn note(ui: &mut Ui, text: &str) {
    ui.label(theme::small(text).color(palette(ui.visuals()).weak));
}

/// Draws the field for the memory bound of a recording.
fn memory(ui: &mut Ui, document: &mut Document) {
    let mut megabytes = document.recording_bound >> 20;
    let mut changed = false;
    ui.horizontal(|ui| {
        ui.label("Memory for playback");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let field = Number::new("Memory for playback", &mut megabytes).range(1..=65_536).speed(4.0).unit("MB");
            changed = ui.add(field.keep_outside().format(|megabytes| grouped(megabytes as i64))).changed();
        });
    });
    if changed {
        document.recording_bound = megabytes << 20;
    }
    ui.add_space(-space::XS);
    note(
        ui,
        "What a recording of a run may take. With less, finding an iteration takes longer; what is shown is the same.",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_systolic::library;

    #[test]
    fn by_default_a_run_has_as_many_iterations_as_the_grid_has_cells() {
        let instance = library::named("onemax:100", 5).unwrap();
        let settings = fitted(defaults(), &instance);
        assert_eq!(settings.stop.budget, Budget::Steps(700), "100 bits, 7 rows");
        let budgets = presets(&settings.algorithm, &instance).map(|preset| preset.budget);
        assert_eq!(budgets, [175, 700, 2_800].map(Budget::Steps));
    }
}
