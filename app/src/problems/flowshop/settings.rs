//! Settings before a solve of a flow shop: preset, objective, device, limit, seed; and all parameters.

use egui::{ComboBox, Ui};
use gridwright_solver::backend::Device;
use gridwright_solver::flowshop::Objective;
use gridwright_solver::flowshop::multiobjective::{Goal, Objectives};
use gridwright_solver::flowshop::run::{Algorithm, Settings};
use gridwright_solver::search::{Algorithms, Budget, Stop};
use gridwright_solver::text::sentence_case;

use super::Document;
use crate::settings::{self, AlgorithmMenu};
use crate::theme::{self, palette};
use crate::widgets::controls::{labelled, named};
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

    /// Label and tooltip.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Quick => ("Quick", "The usual algorithm for 5 seconds: a first look"),
            Self::Balanced => ("Balanced", "The usual algorithm for 30 seconds: good enough for most purposes"),
            Self::Thorough => ("Thorough", "The usual algorithm for 5 minutes: for the final plan"),
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
            sentence_case(&names.join(", ").to_lowercase())
        }
    }
}

/// The controls beside the Solve button.
pub fn bar(ui: &mut Ui, document: &mut Document, devices: &[Device]) {
    let enabled = !document.is_solving();
    ui.add_enabled_ui(enabled, |ui| {
        if let Some(preset) = settings::preset(ui, Preset::ALL, Preset::words, Preset::of(&document.settings)) {
            preset.apply(&mut document.settings);
        }
        labelled(ui, "Minimise", |ui| objectives(ui, document));
        if matches!(document.settings.goal, Goal::Front(_)) {
            let (offered, help) = (&Algorithm::ALL[1..], "What searches for the plans");
            let menu = AlgorithmMenu { offered, help, width: 132.0, refusal: &|_| None, baselines: "" };
            document.settings.algorithm =
                menu.show(ui, &document.settings.algorithm).unwrap_or(document.settings.algorithm.clone());
        }
        settings::device(ui, &mut document.settings, devices);
        settings::limit(ui, &mut document.settings, 1_000, "plan");
        settings::seed(ui, &mut document.settings.seed, "plan");
    });
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
            (settings.seed, settings.goal) = (42, Goal::One(Objective::FlowTime));
            preset.apply(&mut settings);
            assert_eq!(Preset::of(&settings), Some(preset));
            assert_eq!((settings.seed, settings.goal), (42, Goal::One(Objective::FlowTime)), "these stay");
        }
        settings.stop.budget = Budget::Steps(10);
        assert_eq!(Preset::of(&settings), None);
    }
}
