//! Settings of every run: device, threads, limit, seed.

use egui::{ComboBox, DragValue, RichText, Ui};
use gridwright_solver::backend::{Device, available_threads};
use gridwright_solver::numbers;
use gridwright_solver::search::Budget;

use crate::theme::{self, palette, space};
use crate::widgets::controls::named;

/// Step limit of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// Noun of the steps: `steps`, `generations`.
    pub unit: &'static str,
    /// Initial number of steps.
    pub usual: u64,
    /// Noun of the solution: `timetable`, `plan`.
    pub plan: &'static str,
}

/// Description of the automatic choice of a device.
const AUTOMATIC: &str = "Automatic: the GPU where there is one, otherwise the CPU";

/// Chooses what computes; `threads` is the number of threads of the CPU, 0 for all.
pub fn device(ui: &mut Ui, backend: &mut String, threads: usize, devices: &[Device]) {
    let threads = if threads == 0 { available_threads() } else { threads };
    let plural = if threads == 1 { "" } else { "s" };
    let automatic = backend == "auto";
    let gpu = |device: &&Device| automatic && device.id.starts_with("cuda") && device.unavailable.is_none();
    let chosen = devices.iter().find(|device| device.id == *backend).or_else(|| devices.iter().find(gpu));
    let name = match chosen {
        Some(device) if device.id != "cpu" => device.name.clone(),
        _ => format!("CPU, {threads} thread{plural}"),
    };
    let combo = ComboBox::from_id_salt("device").selected_text(name).width(136.0);
    let list = |ui: &mut Ui| {
        if ui.selectable_label(automatic, AUTOMATIC).clicked() {
            *backend = "auto".to_owned();
        }
        for device in devices {
            let why_not = device.unavailable.as_deref();
            let usable = why_not.is_none();
            let text = match device.details.as_str() {
                "" => device.name.clone(),
                details => format!("{} ({details})", device.name),
            };
            let button = egui::Button::selectable(device.id == *backend, text);
            let response = ui.add_enabled(usable, button);
            if response.clicked() {
                backend.clone_from(&device.id);
            }
            if let Some(reason) = why_not {
                // Menus justify their lines; a sentence should not be.
                ui.with_layout(egui::Layout::top_down(egui::Align::LEFT), |ui| {
                    ui.set_max_width(320.0);
                    ui.add(egui::Label::new(theme::small(reason).color(palette(ui.visuals()).weak)).wrap());
                });
            }
        }
    };
    named(ui, "Device", "What computes", |ui| combo.show_ui(ui, list).response);
}

/// The seed of all random numbers; `plan` is what is found.
pub fn seed(ui: &mut Ui, seed: &mut u64, plan: &str) {
    let help = format!("The same seed gives the same {plan} on every machine");
    named(ui, "Seed", &help, |ui| ui.add(DragValue::new(seed).speed(0.1)));
}

/// Limits a run by time or by work.
pub fn limit(ui: &mut Ui, budget: &mut Budget, work: &Work) {
    match budget {
        Budget::Seconds(seconds) => {
            let speed = (*seconds / 60.0).max(0.1);
            // A suffix would become the field's name.
            let field = DragValue::new(seconds).range(0.1..=86_400.0 * 7.0).speed(speed).max_decimals(1);
            let field = field.custom_formatter(|seconds, _| format!("{} s", (seconds * 10.0).round() / 10.0));
            let field = field.custom_parser(|text| text.trim().trim_end_matches(['s', ' ']).parse().ok());
            let help = format!("After this time the best {} so far is the result", work.plan);
            named(ui, "Time limit", &help, |ui| ui.add(field));
        }
        Budget::Steps(steps) => {
            let speed = (*steps as f64 / 100.0).max(0.2);
            let field = DragValue::new(steps).range(1..=u64::MAX >> 12).speed(speed);
            let field = field.custom_formatter(|steps, _| numbers::grouped(steps as i64));
            let help = format!("After so many the best {} so far is the result, whatever time it takes", work.plan);
            named(ui, "Limit of steps", &help, |ui| ui.add(field));
        }
    }
    let timed = matches!(budget, Budget::Seconds(_));
    let unit = |timed: bool| if timed { "seconds" } else { work.unit };
    let combo = ComboBox::from_id_salt("limit kind").selected_text(RichText::new("")).width(12.0);
    let list = |ui: &mut Ui| {
        for kind in [true, false] {
            if ui.selectable_label(kind == timed, format!("Stop after {}", unit(kind))).clicked() && kind != timed {
                *budget = if kind { Budget::Seconds(60.0) } else { Budget::Steps(work.usual) };
            }
        }
    };
    named(ui, "Kind of limit", "Limit by time or by work", |ui| combo.show_ui(ui, list).response);
}

/// Chooses the number of threads of the CPU, 0 for all.
pub fn threads(ui: &mut Ui, threads: &mut usize, enabled: bool) {
    let available = available_threads();
    ui.horizontal(|ui| {
        ui.label("Threads");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.name_inputs("Threads", |ui| {
                let field = DragValue::new(threads).range(0..=available).speed(0.05);
                let all = format!("all {available}");
                let field = field.custom_formatter(move |threads, _| match threads {
                    0.0 => all.clone(),
                    threads => format!("{threads}"),
                });
                ui.add_enabled(enabled, field);
            });
        });
    });
    ui.add_space(-space::XS);
    let text = "Threads of the CPU that work. Within a number of steps the answer is the same for any number of them.";
    ui.label(theme::small(text).color(palette(ui.visuals()).weak));
}
