//! What a person chooses before solving: algorithm, preset, device, periods, limit, seed; and all parameters.

use egui::{ComboBox, DragValue, RichText, Ui};
use gridwright_solver::backend::{self, Device};
use gridwright_solver::search::{Budget, Stop};
use gridwright_solver::timetabling::MAX_PERIODS;
use gridwright_solver::timetabling::annealing::AnnealingParameters;
use gridwright_solver::timetabling::evolution::EvolutionParameters;
use gridwright_solver::timetabling::run::{Algorithm, Settings};

use super::Desk;
use crate::theme::{self, palette, space};
use crate::widgets::controls::{labelled, named, segmented};
use crate::widgets::parameters;

/// Ready-made settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// A first look.
    Quick,
    /// The usual.
    Balanced,
    /// For the final timetable.
    Thorough,
    /// The published algorithm with its published settings.
    Published,
}

impl Preset {
    /// All of them, quickest first.
    pub const ALL: [Self; 4] = [Self::Quick, Self::Balanced, Self::Thorough, Self::Published];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "Quick",
            Self::Balanced => "Balanced",
            Self::Thorough => "Thorough",
            Self::Published => "As published",
        }
    }

    /// What it does.
    pub fn help(self) -> &'static str {
        match self {
            Self::Quick => "Annealing for 10 seconds: a first look",
            Self::Balanced => "Annealing for 60 seconds: good enough for most purposes",
            Self::Thorough => "Annealing for 10 minutes: for the final timetable",
            Self::Published => {
                "The hybrid evolutionary algorithm of Kolonias et al. (2014): 256 timetables, 200 generations"
            }
        }
    }

    /// Algorithm and budget.
    pub fn choice(self) -> (Algorithm, Budget) {
        let annealing = Algorithm::Annealing(AnnealingParameters::default());
        match self {
            Self::Quick => (annealing, Budget::Seconds(10.0)),
            Self::Balanced => (annealing, Budget::Seconds(60.0)),
            Self::Thorough => (annealing, Budget::Seconds(600.0)),
            Self::Published => (Algorithm::Evolution(EvolutionParameters::default()), Budget::Steps(200)),
        }
    }

    /// The preset that these settings are, if they are one.
    pub fn of(settings: &Settings) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| {
            let (algorithm, budget) = preset.choice();
            settings.algorithm == algorithm && settings.stop == Stop::after(budget)
        })
    }

    /// Takes it on; seed, device and threads stay.
    pub fn apply(self, settings: &mut Settings) {
        let (algorithm, budget) = self.choice();
        settings.algorithm = algorithm;
        settings.stop = Stop::after(budget);
    }
}

/// The settings of somebody who has not chosen yet.
pub fn defaults() -> Settings {
    let (algorithm, budget) = Preset::Quick.choice();
    Settings { algorithm, backend: "cpu".to_owned(), threads: 0, seed: 1, stop: Stop::after(budget) }
}

/// «Annealing» or «Evolution».
pub fn algorithm_name(name: &str) -> &str {
    match name {
        "annealing" => "Annealing",
        "evolution" => "Evolution",
        other => other,
    }
}

/// The controls beside the Solve button.
pub fn bar(ui: &mut Ui, desk: &mut Desk, devices: &[Device]) {
    let enabled = !desk.is_solving();
    ui.add_enabled_ui(enabled, |ui| {
        labelled(ui, "Preset", |ui| presets(ui, &mut desk.settings));
        labelled(ui, "Algorithm", |ui| algorithms(ui, &mut desk.settings));
        labelled(ui, "Device", |ui| device(ui, &mut desk.settings, devices));
        labelled(ui, "Periods", |ui| periods(ui, desk));
        labelled(ui, limit_caption(&desk.settings), |ui| limit(ui, &mut desk.settings));
        labelled(ui, "Seed", |ui| {
            let help = "The same seed gives the same timetable on every machine";
            named(ui, "Seed", help, |ui| ui.add(DragValue::new(&mut desk.settings.seed).speed(0.1)));
        });
    });
}

fn presets(ui: &mut Ui, settings: &mut Settings) {
    let choices: Vec<(&str, &str, bool)> =
        Preset::ALL.iter().map(|preset| (preset.name(), preset.help(), true)).collect();
    let chosen = Preset::of(settings).and_then(|preset| Preset::ALL.iter().position(|other| *other == preset));
    if let Some(preset) = segmented(ui, &choices, chosen).and_then(|index| Preset::ALL.get(index)) {
        preset.apply(settings);
    }
}

fn algorithms(ui: &mut Ui, settings: &mut Settings) {
    let now = settings.algorithm.name();
    let combo = ComboBox::from_id_salt("algorithm").selected_text(algorithm_name(now)).width(112.0);
    let list = |ui: &mut Ui| {
        for (name, help) in [
            ("annealing", "Simulated annealing with Kempe chains: the best results for the time"),
            ("evolution", "The published hybrid evolutionary algorithm"),
        ] {
            let response = ui.selectable_label(name == now, algorithm_name(name)).on_hover_text(help);
            if response.clicked()
                && name != now
                && let Ok(algorithm) = Algorithm::named(name)
            {
                settings.stop = Stop::after(match &algorithm {
                    Algorithm::Annealing(_) => Budget::Seconds(60.0),
                    Algorithm::Evolution(_) => Budget::Steps(200),
                });
                settings.algorithm = algorithm;
            }
        }
    };
    named(ui, "Algorithm", "What searches for the timetable", |ui| combo.show_ui(ui, list).response);
}

/// What computes where nothing is chosen by name.
const AUTOMATIC: &str = "Automatic: the GPU where there is one, otherwise the CPU";

fn device(ui: &mut Ui, settings: &mut Settings, devices: &[Device]) {
    let threads = if settings.threads == 0 { backend::available_threads() } else { settings.threads };
    let plural = if threads == 1 { "" } else { "s" };
    let automatic = settings.backend == "auto";
    let gpu = |device: &&Device| automatic && device.id.starts_with("cuda") && device.unavailable.is_none();
    let chosen = devices.iter().find(|device| device.id == settings.backend).or_else(|| devices.iter().find(gpu));
    let name = match chosen {
        Some(device) if device.id != "cpu" => device.name.clone(),
        _ => format!("CPU, {threads} thread{plural}"),
    };
    let combo = ComboBox::from_id_salt("device").selected_text(name).width(136.0);
    let list = |ui: &mut Ui| {
        if ui.selectable_label(automatic, AUTOMATIC).clicked() {
            settings.backend = "auto".to_owned();
        }
        for device in devices {
            let why_not = device.unavailable.as_deref();
            let usable = why_not.is_none();
            let text = match device.details.as_str() {
                "" => device.name.clone(),
                details => format!("{} ({details})", device.name),
            };
            let button = egui::Button::selectable(device.id == settings.backend, text);
            let response = ui.add_enabled(usable, button);
            if response.clicked() {
                settings.backend = device.id.clone();
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

fn periods(ui: &mut Ui, desk: &mut Desk) {
    let mut count = desk.instance.period_count();
    let published = gridwright_solver::timetabling::instance::published(&desk.instance.name).map(|row| row.0);
    let unknown = count == 0;
    let field = DragValue::new(&mut count)
        .range(usize::from(!unknown)..=MAX_PERIODS)
        .speed(0.1)
        .update_while_editing(false)
        .custom_formatter(|count, _| if count == 0.0 { "how many?".to_owned() } else { format!("{count}") });
    let hint = match published {
        Some(published) => format!("Consecutive periods of the session; {published} in the literature"),
        None => "Consecutive periods of the session".to_owned(),
    };
    let response = named(ui, "Number of periods", &hint, |ui| ui.add(field));
    if response.changed() && count != desk.instance.period_count() && !response.dragged() {
        desk.set_periods(count);
    } else if response.dragged() && count != desk.instance.period_count() {
        desk.set_periods(count.max(1));
    }
    if let Some(published) = published.filter(|&published| published != desk.instance.period_count()) {
        let link = egui::Link::new(theme::small(format!("published: {published}")));
        if ui.add(link).on_hover_text("Back to the number that the literature uses").clicked() {
            desk.set_periods(published);
        }
    }
}

fn limit_caption(settings: &Settings) -> &'static str {
    match (settings.stop.budget, &settings.algorithm) {
        (Budget::Seconds(_), _) => "Time limit",
        (Budget::Steps(_), Algorithm::Evolution(_)) => "Generations",
        (Budget::Steps(_), Algorithm::Annealing(_)) => "Steps",
    }
}

fn limit(ui: &mut Ui, settings: &mut Settings) {
    match &mut settings.stop.budget {
        Budget::Seconds(seconds) => {
            let speed = (*seconds / 60.0).max(0.1);
            // A suffix would become the field's name.
            let field = DragValue::new(seconds).range(0.1..=86_400.0 * 7.0).speed(speed).max_decimals(1);
            let field = field.custom_formatter(|seconds, _| format!("{} s", (seconds * 10.0).round() / 10.0));
            let field = field.custom_parser(|text| text.trim().trim_end_matches(['s', ' ']).parse().ok());
            let help = "After this time the best timetable so far is the result";
            named(ui, "Time limit", help, |ui| ui.add(field));
        }
        Budget::Steps(steps) => {
            let speed = (*steps as f64 / 100.0).max(0.2);
            let field = DragValue::new(steps).range(1..=u64::MAX >> 12).speed(speed);
            let field = field.custom_formatter(|steps, _| parameters::grouped(steps as i64));
            let help = "After so many the best timetable so far is the result, whatever time it takes";
            named(ui, "Limit of steps", help, |ui| ui.add(field));
        }
    }
    let timed = matches!(settings.stop.budget, Budget::Seconds(_));
    let evolution = matches!(settings.algorithm, Algorithm::Evolution(_));
    let unit = |timed: bool| {
        if timed {
            "seconds"
        } else if evolution {
            "generations"
        } else {
            "steps"
        }
    };
    let combo = ComboBox::from_id_salt("limit kind").selected_text(RichText::new("")).width(12.0);
    let list = |ui: &mut Ui| {
        for kind in [true, false] {
            if ui.selectable_label(kind == timed, format!("Stop after {}", unit(kind))).clicked() && kind != timed {
                settings.stop.budget = match (kind, evolution) {
                    (true, _) => Budget::Seconds(60.0),
                    (false, true) => Budget::Steps(200),
                    (false, false) => Budget::Steps(10_000_000),
                };
            }
        }
    };
    named(ui, "Kind of limit", "Limit by time or by work", |ui| combo.show_ui(ui, list).response);
}

/// The parameters of the chosen algorithm, and what is common to all.
pub fn panel(ui: &mut Ui, desk: &mut Desk) {
    let enabled = !desk.is_solving();
    if !enabled {
        ui.label(theme::small("Can be changed when the run has ended").color(palette(ui.visuals()).weak));
    }
    match &mut desk.settings.algorithm {
        Algorithm::Annealing(parameters) => parameters::show(ui, parameters, enabled),
        Algorithm::Evolution(parameters) => parameters::show(ui, parameters, enabled),
    };
    ui.separator();
    ui.add_space(space::XS);
    threads(ui, &mut desk.settings, enabled);
}

fn threads(ui: &mut Ui, settings: &mut Settings, enabled: bool) {
    let available = backend::available_threads();
    ui.horizontal(|ui| {
        ui.label("Threads");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.name_inputs("Threads", |ui| {
                let field = DragValue::new(&mut settings.threads).range(0..=available).speed(0.05);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_recognised_and_changes_make_them_unrecognised() {
        let mut settings = defaults();
        for preset in Preset::ALL {
            settings.seed = 42;
            preset.apply(&mut settings);
            assert_eq!(Preset::of(&settings), Some(preset));
            assert_eq!(settings.seed, 42, "the seed stays");
        }
        settings.stop.budget = Budget::Steps(201);
        assert_eq!(Preset::of(&settings), None);
    }

    #[test]
    fn as_published_is_what_was_published() {
        let mut settings = defaults();
        Preset::Published.apply(&mut settings);
        let Algorithm::Evolution(parameters) = &settings.algorithm else { panic!("evolution") };
        assert_eq!((parameters.population, parameters.crossover, parameters.mutation), (256, 0.5, 0.006));
        assert_eq!(settings.stop.budget, Budget::Steps(200));
    }
}
