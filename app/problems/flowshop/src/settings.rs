//! Settings before a solve of a flow shop: preset, objective, device, limit, seed; and all parameters.

use std::sync::Arc;

use egui::Ui;
use gridwright_core::backend::Device;
use gridwright_core::search::{Algorithms, Budget};
use gridwright_core::text::sentence_case;
use gridwright_flowshop::multiobjective::{Goal, Objectives};
use gridwright_flowshop::run::Algorithm;
use gridwright_flowshop::{Instance, Objective};

use super::Document;
use crate::methods::*;
use gridwright_window::settings::{self, AlgorithmMenu, Preset};
use gridwright_window::theme::{self, palette};
use gridwright_window::widgets::choices::Choices;
use gridwright_window::widgets::controls::labelled;

/// Ready-made settings, quickest first: how long the usual algorithm for this goal searches.
fn presets(goal: Goal) -> [Preset<Algorithm>; 3] {
    let preset = |label, help, seconds| Preset {
        label,
        help,
        algorithm: Algorithm::for_goal(goal),
        budget: Budget::Seconds(seconds),
        is_published: false,
    };
    [
        preset("Quick", "The usual algorithm for 5 seconds: a first look", 5.0),
        preset("Balanced", "The usual algorithm for 30 seconds: good enough for most purposes", 30.0),
        preset("Thorough", "The usual algorithm for 5 minutes: for the final plan", 300.0),
    ]
}

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
fn goal_name(instance: &Instance, goal: Goal) -> String {
    match goal {
        Goal::One(objective) => objective.label_in(instance).to_owned(),
        Goal::Front(objectives) => {
            let names: Vec<&str> = objectives.as_slice().iter().map(|objective| objective.label_in(instance)).collect();
            sentence_case(&names.join(", ").to_lowercase())
        }
    }
}

/// The controls beside the Solve button.
pub(crate) fn bar(ui: &mut Ui, document: &mut Document, devices: &[Device]) {
    let enabled = !document.is_solving();
    ui.add_enabled_ui(enabled, |ui| {
        let presets = presets(document.settings.goal);
        settings::presets(ui, &mut document.settings, &presets);
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
    let (now, instance) = (document.settings.goal, Arc::clone(&document.instance));
    let mut chosen = None;
    let mut choice = |ui: &mut Ui, goal: Goal, help: &str| {
        let button = egui::Button::selectable(goal == now, goal_name(&instance, goal));
        let response = ui.add_enabled(document.is_possible(goal), button).on_hover_text(help);
        let why = "The jobs have no due dates; add them to the file (in a table, a column “due date”)";
        if response.on_disabled_hover_text(why).clicked() {
            chosen = Some(goal);
        }
    };
    let list = |ui: &mut Ui| {
        for objective in Objective::ALL {
            choice(ui, Goal::One(objective), objective.help_in(&instance));
        }
        ui.separator();
        ui.label(theme::small("Several at once: a front of plans to choose from").color(palette(ui.visuals()).weak));
        for goal in fronts() {
            choice(ui, goal, "All plans that no other one beats in every one of these");
        }
    };
    Choices::new("Minimise", goal_name(&instance, now))
        .width(128.0)
        .cut()
        .help("What is to be as small as possible")
        .show(ui, list);
    if let Some(goal) = chosen {
        document.set_goal(goal);
    }
}
