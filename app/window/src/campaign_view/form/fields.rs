//! Fields of the form that are the same for every problem: seeds, limit, target and devices; hints about parameters.

use egui::Ui;
use gridwright_core::backend::{Device, available_threads};
use gridwright_core::search::{Budget, Kind, Parameter};

use super::Form;
use crate::theme::space;
use crate::widgets::controls::{labelled, segmented};
use crate::widgets::entry::{Field, Number};

impl Form {
    /// Seeds, limit, target and devices.
    pub(super) fn run_fields(&mut self, ui: &mut Ui, devices: &[Device]) {
        ui.add_space(space::XS);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = space::L;
            labelled(ui, "Seeds from 1 to", |ui| {
                let field = Number::new("Seeds", &mut self.seeds).range(1..=10_000).speed(0.1);
                ui.add(field.help("Every algorithm runs once with each seed on each instance"));
            });
            labelled(ui, "Limit of a run", |ui| self.limit_fields(ui));
            labelled(ui, "Target cost", |ui| {
                let field = Field::new("Target cost").hint("none").width(72.0);
                field.help("A run stops at this cost; empty for none").live(ui, &mut self.target);
            });
            labelled(ui, "Devices", |ui| {
                ui.spacing_mut().item_spacing.x = space::M;
                ui.checkbox(&mut self.on_cpu, "CPU");
                // Those of a plan that was written for another machine can be taken away.
                let known = |id: &String| devices.iter().any(|device| device.id == *id);
                let foreign: Vec<String> = self.devices.iter().filter(|id| !known(id)).cloned().collect();
                for id in foreign {
                    if ui.checkbox(&mut true, &id).on_hover_text("A device of the plan that is not there").changed() {
                        self.devices.retain(|other| *other != id);
                    }
                }
                for device in devices.iter().filter(|device| device.id != "cpu") {
                    let mut is_on = self.devices.contains(&device.id);
                    let response = ui.add_enabled(
                        device.unavailable.is_none(),
                        egui::Checkbox::new(&mut is_on, device.name.as_str()),
                    );
                    if response.on_disabled_hover_text(device.unavailable.as_deref().unwrap_or_default()).changed() {
                        self.devices.retain(|id| *id != device.id);
                        self.devices.extend(is_on.then(|| device.id.clone()));
                    }
                }
            });
            labelled(ui, "Threads of a run", |ui| {
                let help = "Threads of the CPU for each run; runs with a limit of steps share the other cores";
                let field = Number::new("Threads of a run", &mut self.threads).range(1..=available_threads().max(1));
                ui.add(field.speed(0.1).help(help));
            });
        });
    }

    fn limit_fields(&mut self, ui: &mut Ui) {
        let choices = [
            ("Steps", "The numbers are the same on every machine; several runs share the cores", true),
            (
                "Evaluations",
                "Compares algorithms by equal numbers of evaluated solutions; not every algorithm has this limit",
                true,
            ),
            ("Seconds", "Compares algorithms of different kinds; runs go one by one", true),
            ("Usual", "The usual limit of each algorithm", true),
        ];
        let first_values =
            [Some(Budget::Steps(200)), Some(Budget::Evaluations(100_000)), Some(Budget::Seconds(10.0)), None];
        let kind = std::mem::discriminant;
        let is_same = |one: &Option<Budget>| one.as_ref().map(kind) == self.limit.as_ref().map(kind);
        if let Some(chosen) = segmented(ui, &choices, first_values.iter().position(is_same)) {
            self.limit = first_values[chosen];
        }
        match &mut self.limit {
            Some(Budget::Steps(steps)) => {
                ui.add(Number::new("Steps of a run", steps).range(1..=u64::MAX / 2).help("Generations or steps"));
            }
            Some(Budget::Evaluations(count)) => {
                let field = Number::new("Evaluations of a run", count).range(1..=u64::MAX / 2).speed(1000.0);
                ui.add(field.help("A run ends with the step that reaches this number"));
            }
            Some(Budget::Seconds(seconds)) => {
                let field = Number::new("Seconds of a run", seconds).range(0.1..=1e6).speed(0.1).unit("s");
                ui.add(field.help("Time limit of each run"));
            }
            None => {}
        }
    }
}

/// An example of parameters for an empty field.
pub(super) fn hint(parameters: &[Parameter]) -> String {
    let whole = parameters.iter().find_map(|parameter| match parameter.kind {
        Kind::Integer { min, max } => Some((parameter.name, min.max(1), max)),
        _ => None,
    });
    match whole {
        Some((name, low, high)) if high >= low.saturating_mul(4).max(4) => {
            format!("such as {name}={}, {}", low.saturating_mul(2), low.saturating_mul(4))
        }
        _ => "usual values".to_owned(),
    }
}

/// Names, ranges and meaning of parameters, one in each line.
pub(super) fn parameter_help(parameters: &[Parameter]) -> String {
    let line = |parameter: &Parameter| {
        let range = match parameter.kind {
            Kind::Integer { min, max } => format!("{min} to {max}"),
            Kind::Real { min, max } => format!("{min} to {max}"),
            Kind::Choice(words) => words.join(", "),
            Kind::Switch => "on, off".to_owned(),
        };
        format!("{} ({range}): {}", parameter.name, parameter.help)
    };
    if parameters.is_empty() {
        "This algorithm has no parameters".to_owned()
    } else {
        parameters.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}
