//! Fields of the form that are the same for every problem: seeds, limit, target and devices; hints about parameters.

use egui::{DragValue, TextEdit, Ui, WidgetInfo};
use gridwright_core::backend::{Device, available_threads};
use gridwright_core::search::{Budget, Kind, Parameter};

use super::Form;
use crate::theme::space;
use crate::widgets::controls::{labelled, named, segmented};

impl Form {
    /// Seeds, limit, target and devices.
    pub(super) fn run_fields(&mut self, ui: &mut Ui, devices: &[Device]) {
        ui.add_space(space::XS);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = space::L;
            labelled(ui, "Seeds from 1 to", |ui| {
                named(ui, "Seeds", "Every algorithm runs once with each seed on each instance", |ui| {
                    ui.add(DragValue::new(&mut self.seeds).range(1..=10_000).speed(0.1))
                });
            });
            labelled(ui, "Limit of a run", |ui| self.limit_fields(ui));
            labelled(ui, "Target cost", |ui| {
                let response = ui.add(TextEdit::singleline(&mut self.target).hint_text("none").desired_width(72.0));
                response.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, "Target cost"));
                response.on_hover_text("A run stops at this cost; empty for none");
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
                named(ui, "Threads of a run", help, |ui| {
                    ui.add(DragValue::new(&mut self.threads).range(1..=available_threads().max(1)).speed(0.1))
                });
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
                named(ui, "Steps of a run", "Generations or steps", |ui| {
                    ui.add(DragValue::new(steps).range(1..=u64::MAX / 2))
                });
            }
            Some(Budget::Evaluations(count)) => {
                named(ui, "Evaluations of a run", "A run ends with the step that reaches this number", |ui| {
                    ui.add(DragValue::new(count).range(1..=u64::MAX / 2).speed(1000.0))
                });
            }
            Some(Budget::Seconds(seconds)) => {
                named(ui, "Seconds of a run", "Time limit of each run", |ui| {
                    ui.add(DragValue::new(seconds).range(0.1..=1e6).speed(0.1).suffix(" s"))
                });
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
