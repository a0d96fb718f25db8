//! Settings of every run: preset, algorithm, device, threads, limit, seed.

use egui::{Context, Id, RichText, Ui};
use gridwright_core::backend::{Device, available_threads, is_device};
use gridwright_core::numbers::{self, counted};
use gridwright_core::search::{AlgorithmDescriptor, Algorithms, Budget, Settings, Stop};
use gridwright_core::text::sentence_case;

use crate::theme::{self, palette, space};
use crate::widgets::choices::Choices;
use crate::widgets::controls::{labelled, segmented};
use crate::widgets::entry::Number;

/// Ready-made settings: algorithm and budget.
#[derive(Debug, Clone, PartialEq)]
pub struct Preset<A> {
    /// Label of the button.
    pub label: &'static str,
    /// Tooltip of the button.
    pub help: &'static str,
    /// Algorithm with its parameters.
    pub algorithm: A,
    /// Limit of the run.
    pub budget: Budget,
    /// True for published settings, which are for comparisons.
    pub is_published: bool,
}

impl<A: Clone + PartialEq> Preset<A> {
    /// Returns `true` if algorithm and limits of the settings are those of the preset.
    pub fn fits<G>(&self, settings: &Settings<A, G>) -> bool {
        settings.algorithm == self.algorithm && settings.stop == Stop::after(self.budget)
    }

    /// Applies the preset; goal, seed, device and threads stay.
    pub fn apply<G>(&self, settings: &mut Settings<A, G>) {
        settings.algorithm.clone_from(&self.algorithm);
        settings.stop = Stop::after(self.budget);
    }
}

fn study() -> Id {
    Id::unique("study mode")
}

/// Says if settings show what belongs to study mode, from now on.
pub(crate) fn set_study(ctx: &Context, on: bool) {
    ctx.data_mut(|data| data.insert_temp(study(), on));
}

/// Returns `true` if settings show algorithm, device, seed and published settings.
pub fn studies(ui: &Ui) -> bool {
    ui.data(|data| data.get_temp(study())).unwrap_or(true)
}

/// Chooses one of the presets and applies it to the settings.
pub fn presets<A: Algorithms + Clone + PartialEq, G>(ui: &mut Ui, settings: &mut Settings<A, G>, all: &[Preset<A>]) {
    let studied = studied_algorithm(ui, settings, all);
    let all: Vec<&Preset<A>> = all.iter().filter(|preset| !preset.is_published || studies(ui)).collect();
    let choices: Vec<_> = all.iter().map(|preset| (preset.label, preset.help, true)).collect();
    let chosen = all.iter().position(|preset| preset.fits(settings));
    let pressed = labelled(ui, "Preset", |ui| segmented(ui, &choices, chosen));
    if let Some(preset) = pressed.and_then(|index| all.get(index)) {
        preset.apply(settings);
    }
    if let Some(words) = studied {
        let help = "Chosen in study mode; a click takes what presets use";
        let response = labelled(ui, "Algorithm", |ui| ui.button(words)).on_hover_text(help);
        if let Some(preset) = all.first().filter(|_| response.clicked()) {
            settings.algorithm.clone_from(&preset.algorithm);
        }
    }
}

/// Words for an algorithm that only study mode offers, while that is off; `None` for one that a planner can choose.
fn studied_algorithm<A: Algorithms + Clone + PartialEq, G>(
    ui: &Ui, settings: &Settings<A, G>, all: &[Preset<A>],
) -> Option<&'static str> {
    let algorithm = &settings.algorithm;
    let is_published = all.iter().any(|preset| preset.is_published && preset.algorithm == *algorithm);
    let is_preset = all.iter().any(|preset| !preset.is_published && preset.algorithm == *algorithm);
    let is_usual = is_preset || A::with_defaults(algorithm.name()).is_some_and(|usual| usual == *algorithm);
    match (studies(ui), is_published, is_usual) {
        (false, true, _) => Some("As published"),
        (false, false, false) => Some("Own parameters"),
        _ => None,
    }
}

/// Menu of the algorithms of a problem.
pub struct AlgorithmMenu<'a, A> {
    /// Algorithms on offer.
    pub offered: &'a [AlgorithmDescriptor],
    /// Tooltip of the menu.
    pub help: &'a str,
    /// Width of the closed menu.
    pub width: f32,
    /// Reason why an algorithm cannot be chosen; `None` if it can.
    pub refusal: &'a dyn Fn(&A) -> Option<String>,
    /// Name of the first baseline, which begins a section of its own; empty without baselines.
    pub baselines: &'a str,
}

impl<A: Algorithms> AlgorithmMenu<'_, A> {
    /// Shows the menu in study mode; returns the algorithm that was chosen in place of `now`; `None` if none was.
    pub fn show(&self, ui: &mut Ui, now: &A) -> Option<A> {
        if !studies(ui) {
            return None;
        }
        let mut chosen = None;
        let list = |ui: &mut Ui| {
            for descriptor in self.offered {
                let Some(algorithm) = A::with_defaults(descriptor.name) else { continue };
                if descriptor.name == self.baselines {
                    ui.separator();
                    ui.label(theme::small("To compare with").color(palette(ui.visuals()).weak));
                }
                let (refusal, current) = ((self.refusal)(&algorithm), descriptor.name == now.name());
                let button = egui::Button::selectable(current, descriptor.label);
                let response = ui.add_enabled(refusal.is_none(), button).on_hover_text(descriptor.help);
                let response = response.on_disabled_hover_text(refusal.unwrap_or_default());
                if response.clicked() && !current {
                    chosen = Some(algorithm);
                }
            }
        };
        labelled(ui, "Algorithm", |ui| {
            Choices::new("Algorithm", now.descriptor().label).width(self.width).help(self.help).show(ui, list)
        });
        chosen
    }
}

/// Description of the automatic choice of a device.
const AUTOMATIC: &str = "Automatic: the GPU where there is one, otherwise the CPU";

/// Chooses what computes, in study mode.
pub fn device<A, G>(ui: &mut Ui, settings: &mut Settings<A, G>, devices: &[Device]) {
    if !studies(ui) {
        return;
    }
    let (backend, threads) = (&mut settings.backend, settings.threads);
    let threads = if threads == 0 { available_threads() } else { threads };
    let automatic = backend == "auto";
    let gpu = |device: &&Device| automatic && is_device(&device.id) && device.unavailable.is_none();
    let chosen = devices.iter().find(|device| device.id == *backend).or_else(|| devices.iter().find(gpu));
    let name = match chosen {
        Some(device) if device.id != "cpu" => device.name.clone(),
        None if is_device(backend) => backend.clone(),
        _ => format!("CPU, {}", counted(threads, "thread")),
    };
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
    labelled(ui, "Device", |ui| Choices::new("Device", name).width(136.0).help("What computes").show(ui, list));
}

/// Edits the seed of all random numbers, in study mode; `plan` is the noun of the solution.
pub fn seed(ui: &mut Ui, seed: &mut u64, plan: &str) {
    if !studies(ui) {
        return;
    }
    let help = format!("The same seed gives the same {plan} on every machine");
    labelled(ui, "Seed", |ui| ui.add(Number::new("Seed", seed).speed(0.1).help(&help)));
}

/// Limits a run by time or by steps, `usual` of them at first; `plan` is the noun of the solution.
pub fn limit<A: Algorithms, G>(ui: &mut Ui, settings: &mut Settings<A, G>, usual: u64, plan: &str) {
    let descriptor = settings.algorithm.descriptor();
    let budget = &mut settings.stop.budget;
    let caption = match budget {
        Budget::Seconds(_) => "Time limit".to_owned(),
        Budget::Steps(_) => sentence_case(descriptor.steps),
        Budget::Evaluations(_) => "Evaluations".to_owned(),
    };
    labelled(ui, &caption, |ui| limit_fields(ui, budget, descriptor, usual, plan));
}

/// Number of evaluations with which a limit by evaluations begins.
const EVALUATIONS: u64 = 1_000_000;

fn limit_fields(ui: &mut Ui, budget: &mut Budget, descriptor: &AlgorithmDescriptor, usual: u64, plan: &str) {
    let name = if matches!(budget, Budget::Evaluations(_)) { "Limit of evaluations" } else { "Limit of steps" };
    match budget {
        Budget::Seconds(seconds) => {
            let speed = (*seconds / 60.0).max(0.1);
            let field =
                Number::new("Time limit", seconds).range(0.1..=86_400.0 * 7.0).speed(speed).decimals(1).unit("s");
            ui.add(field.help(&format!("After this time the best {plan} so far is the result")));
        }
        Budget::Steps(count) | Budget::Evaluations(count) => {
            let speed = (*count as f64 / 100.0).max(0.2);
            let field = Number::new(name, count).range(1..=u64::MAX >> 12).speed(speed);
            let field = field.format(|steps| numbers::grouped(steps as i64));
            ui.add(field.help(&format!("After so many the best {plan} so far is the result, whatever time it takes")));
        }
    }
    let now = std::mem::discriminant(budget);
    let list = |ui: &mut Ui| {
        let kinds = [
            (Budget::Seconds(60.0), "seconds", None),
            (Budget::Steps(usual), descriptor.steps, None),
            (Budget::Evaluations(EVALUATIONS), "evaluations", descriptor.evaluations_refused),
        ];
        for (kind, unit, refusal) in kinds {
            let is_now = std::mem::discriminant(&kind) == now;
            let button = egui::Button::selectable(is_now, format!("Stop after {unit}"));
            let response = ui.add_enabled(refusal.is_none(), button);
            if response.on_disabled_hover_text(refusal.unwrap_or_default()).clicked() && !is_now {
                *budget = kind;
            }
        }
    };
    Choices::new("Kind of limit", RichText::new("")).width(12.0).help("Limit by time or by work").show(ui, list);
}

/// Draws the parameters of the algorithm, by `parameters`, and the settings of every algorithm; disabled if
/// `is_solving`.
pub fn panel<A, G>(
    ui: &mut Ui, settings: &mut Settings<A, G>, is_solving: bool, parameters: impl FnOnce(&mut Ui, &mut A, bool),
) {
    if is_solving {
        ui.label(theme::small("Can be changed when the run has ended").color(palette(ui.visuals()).weak));
    }
    parameters(ui, &mut settings.algorithm, !is_solving);
    ui.separator();
    ui.add_space(space::XS);
    threads(ui, &mut settings.threads, !is_solving);
}

/// Chooses the number of threads of the CPU, 0 for all.
fn threads(ui: &mut Ui, threads: &mut usize, enabled: bool) {
    let available = available_threads();
    ui.horizontal(|ui| {
        ui.label("Threads");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let all = format!("all {available}");
            ui.add(Number::new("Threads", threads).range(0..=available).speed(0.05).zero(&all).enabled(enabled));
        });
    });
    ui.add_space(-space::XS);
    let text = "Threads of the CPU that work. Within a number of steps the answer is the same for any number of them.";
    ui.label(theme::small(text).color(palette(ui.visuals()).weak));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_recognised_until_their_algorithm_or_budget_is_changed() {
        let preset = |algorithm, seconds| Preset {
            label: "",
            help: "",
            algorithm,
            budget: Budget::Seconds(seconds),
            is_published: false,
        };
        let presets = [preset("annealing", 10.0), preset("annealing", 60.0), preset("evolution", 10.0)];
        let (backend, stop) = ("cpu".to_owned(), Stop::after(Budget::Steps(1)));
        let mut settings = Settings { algorithm: "", goal: "makespan", backend, threads: 3, seed: 42, stop };
        let recognised = |settings: &Settings<_, _>| presets.iter().position(|preset| preset.fits(settings));
        assert_eq!(recognised(&settings), None);
        for (index, preset) in presets.iter().enumerate() {
            preset.apply(&mut settings);
            assert_eq!(recognised(&settings), Some(index));
            assert_eq!((settings.goal, settings.threads, settings.seed), ("makespan", 3, 42), "these stay");
        }
        settings.stop.budget = Budget::Steps(201);
        assert_eq!(recognised(&settings), None);
    }
}
