//! Settings before a solve of a flow shop: preset, objective, device, limit, seed; and all parameters.

use egui::{ComboBox, Ui};
use gridwright_solver::backend::Device;
use gridwright_solver::flowshop::Objective;
use gridwright_solver::flowshop::multiobjective::{Goal, Objectives};
use gridwright_solver::flowshop::run::{Algorithm, Settings};
use gridwright_solver::search::{Algorithms, Budget, Stop};

use super::Document;
use crate::settings::{self, Work};
use crate::theme::{self, palette, space};
use crate::widgets::controls::{labelled, named, segmented};
use crate::widgets::parameters;

/// Ready-made settings: how long to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum Preset {
    /// A first look.
    Quick,
    /// The usual.
    Balanced,
    /// For the final plan.
    Thorough,
}

impl Preset {
    /// All presets, quickest first.
    pub const ALL: [Self; 3] = gridwright_solver::variants();

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "Quick",
            Self::Balanced => "Balanced",
            Self::Thorough => "Thorough",
        }
    }

    /// Tooltip of the preset.
    pub fn help(self) -> &'static str {
        match self {
            Self::Quick => "The usual algorithm for 5 seconds: a first look",
            Self::Balanced => "The usual algorithm for 30 seconds: good enough for most purposes",
            Self::Thorough => "The usual algorithm for 5 minutes: for the final plan",
        }
    }

    fn seconds(self) -> f64 {
        match self {
            Self::Quick => 5.0,
            Self::Balanced => 30.0,
            Self::Thorough => 300.0,
        }
    }

    /// The preset that these settings are, if they are one.
    pub fn of(settings: &Settings) -> Option<Self> {
        let usual = settings.algorithm == Algorithm::for_goal(settings.goal);
        let same = |preset: &Self| settings.stop == Stop::after(Budget::Seconds(preset.seconds()));
        Self::ALL.into_iter().find(|preset| usual && same(preset))
    }

    /// Applies the preset; objective, seed, device and threads stay.
    pub fn apply(self, settings: &mut Settings) {
        settings.algorithm = Algorithm::for_goal(settings.goal);
        settings.stop = Stop::after(Budget::Seconds(self.seconds()));
    }
}

/// Default settings.
pub fn defaults() -> Settings {
    Settings {
        algorithm: Algorithm::default(),
        goal: Goal::One(Objective::Makespan),
        backend: "auto".to_owned(),
        threads: 0,
        seed: 1,
        stop: Stop::after(Budget::Seconds(Preset::Quick.seconds())),
    }
}

/// «Iterated greedy».
pub fn algorithm_name(name: &str) -> &str {
    match name {
        "greedy" => "Iterated greedy",
        "pls" => "Pareto local search",
        "tabu" => "Tabu search",
        "hand" => "By hand",
        other => other,
    }
}

/// Short name of an algorithm, for narrow windows.
pub fn short_name(name: &str) -> &str {
    match name {
        "greedy" => "Greedy",
        "pls" => "Pareto",
        "tabu" => "Tabu",
        "hand" => "By hand",
        other => other,
    }
}

/// Combinations of objectives that the window offers.
fn fronts() -> Vec<Goal> {
    use Objective::{FlowTime, Makespan, Tardiness, Tardy};
    let lists: [&[Objective]; 6] = [
        &[Makespan, FlowTime],
        &[Makespan, Tardiness],
        &[FlowTime, Tardiness],
        &[Makespan, FlowTime, Tardiness],
        &[Makespan, Tardiness, Tardy],
        &[Makespan, FlowTime, Tardiness, Tardy],
    ];
    lists.into_iter().filter_map(|list| Objectives::new(list).ok()).map(Goal::Front).collect()
}

/// «Makespan, total flow time».
pub fn goal_name(goal: Goal) -> String {
    match goal {
        Goal::One(objective) => objective.label().to_owned(),
        Goal::Front(objectives) => {
            let names: Vec<&str> = objectives.as_slice().iter().map(|objective| objective.label()).collect();
            let joined = names.join(", ").to_lowercase();
            let mut letters = joined.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        }
    }
}

/// Unit and usual amount of the limit of a run if it is not limited by time.
const WORK: Work = Work { unit: "steps", usual: 1_000, plan: "plan" };

/// The controls beside the Solve button.
pub fn bar(ui: &mut Ui, document: &mut Document, devices: &[Device]) {
    let enabled = !document.is_solving();
    ui.add_enabled_ui(enabled, |ui| {
        labelled(ui, "Preset", |ui| presets(ui, &mut document.settings));
        labelled(ui, "Minimise", |ui| objectives(ui, document));
        if matches!(document.settings.goal, Goal::Front(_)) {
            labelled(ui, "Algorithm", |ui| algorithms(ui, &mut document.settings));
        }
        labelled(ui, "Device", |ui| {
            settings::device(ui, &mut document.settings.backend, document.settings.threads, devices);
        });
        let timed = matches!(document.settings.stop.budget, Budget::Seconds(_));
        labelled(ui, if timed { "Time limit" } else { "Steps" }, |ui| {
            settings::limit(ui, &mut document.settings.stop.budget, &WORK);
        });
        labelled(ui, "Seed", |ui| settings::seed(ui, &mut document.settings.seed, "plan"));
    });
}

fn presets(ui: &mut Ui, settings: &mut Settings) {
    let chosen = Preset::of(settings).and_then(|preset| Preset::ALL.iter().position(|other| *other == preset));
    let choices = Preset::ALL.map(|preset| (preset.name(), preset.help(), true));
    if let Some(preset) = segmented(ui, &choices, chosen).and_then(|index| Preset::ALL.get(index)) {
        preset.apply(settings);
    }
}

fn objectives(ui: &mut Ui, document: &mut Document) {
    let now = document.settings.goal;
    let combo = ComboBox::from_id_salt("objective").selected_text(goal_name(now)).width(128.0).truncate();
    let mut chosen = None;
    let mut choice = |ui: &mut Ui, goal: Goal, help: &str| {
        let button = egui::Button::selectable(goal == now, goal_name(goal));
        let response = ui.add_enabled(document.is_possible(goal), button).on_hover_text(help);
        let why = "The jobs have no due dates; add them to the file (in a table, a column “due date”)";
        if response.on_disabled_hover_text(why).clicked() {
            chosen = Some(goal);
        }
    };
    let list = |ui: &mut Ui| {
        for objective in Objective::ALL {
            choice(ui, Goal::One(objective), objective.help());
        }
        ui.separator();
        ui.label(theme::small("Several at once: a front of plans to choose from").color(palette(ui.visuals()).weak));
        for goal in fronts() {
            choice(ui, goal, "All plans that no other one beats in every one of these");
        }
    };
    named(ui, "Minimise", "What is to be as small as possible", |ui| combo.show_ui(ui, list).response);
    if let Some(goal) = chosen {
        document.set_goal(goal);
    }
}

fn algorithms(ui: &mut Ui, settings: &mut Settings) {
    let now = settings.algorithm.name();
    let combo = ComboBox::from_id_salt("algorithm").selected_text(algorithm_name(now)).width(132.0);
    let list = |ui: &mut Ui| {
        for (name, help) in [
            ("pls", "Iterated greedy along the front, then Pareto local search: the best results for the time"),
            ("tabu", "The published aggregated tabu search: one walk for each weighting of the objectives"),
        ] {
            if ui.selectable_label(name == now, algorithm_name(name)).on_hover_text(help).clicked()
                && name != now
                && let Ok(algorithm) = Algorithm::named(name)
            {
                settings.algorithm = algorithm;
            }
        }
    };
    named(ui, "Algorithm", "What searches for the plans", |ui| combo.show_ui(ui, list).response);
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
    use super::*;

    #[test]
    fn presets_are_recognised_and_changes_make_them_unrecognised() {
        let mut settings = defaults();
        for preset in Preset::ALL {
            (settings.seed, settings.goal) = (42, Goal::One(Objective::FlowTime));
            preset.apply(&mut settings);
            assert_eq!(Preset::of(&settings), Some(preset));
            assert_eq!((settings.seed, settings.goal), (42, Goal::One(Objective::FlowTime)), "these stay");
        }
        settings.stop.budget = Budget::Steps(10);
        assert_eq!(Preset::of(&settings), None);
    }
}
