//! The form for a new campaign: instances, algorithms, seeds, limit and devices of one part of a plan.

use std::path::{Path, PathBuf};

use egui::{ComboBox, DragValue, Id, Label, RichText, ScrollArea, TextEdit, Ui, WidgetInfo, vec2};
use gridwright_solver::backend::{Device, available_threads};
use gridwright_solver::problem::{OptionScope, Problem};
use gridwright_solver::search::{Kind, Parameter};
use gridwright_solver::source;

use super::plan_text::{Entries, Limit};
use crate::exporting::documents_folder;
use crate::file_dialog::{self, FileRequest, Mode};
use crate::problem::ProblemUi;
use crate::registry;
use crate::theme::{self, palette, size, space};
use crate::widgets::controls::{button, confirmed, labelled, named, primary, segmented};
use crate::widgets::icons::Icon;

/// Width of the fields at the left in points.
const FIELDS: f32 = 560.0;

/// Width of the names of algorithms in points.
const NAMES: f32 = 220.0;

/// The form while it is filled in.
pub struct Form {
    problem: &'static ProblemUi,
    plan: String,
    instances: String,
    options: String,
    /// Chosen and parameters, by algorithm.
    algorithms: Vec<(bool, String)>,
    seeds: u64,
    limit: Limit,
    target: String,
    /// True if runs are performed on the CPU.
    on_cpu: bool,
    /// Identifiers of the devices that perform runs, too.
    devices: Vec<String>,
    threads: usize,
}

/// Request of the person to the form.
#[derive(Debug, PartialEq, Eq)]
pub enum Wish {
    /// To write the plan: its file and its text.
    Write(PathBuf, String),
    /// To leave the form.
    Leave,
}

impl Form {
    /// A form for the problem of what is open, with this source; for the first problem where nothing is open.
    pub fn new(open: Option<(&dyn Problem, &str)>) -> Option<Self> {
        let known = open.and_then(|(problem, source)| Some((registry::ui_of(problem).ok()?, source)));
        let problem = known.map_or_else(|| registry::problems().next(), |(problem, _)| Some(problem))?;
        let sample = problem.samples.first().map_or("", |(source, ..)| source);
        let source = known.map_or(sample, |(_, source)| source);
        let mut form = Self {
            problem,
            plan: documents_folder().join("comparison.ron").display().to_string(),
            instances: source.to_owned(),
            options: String::new(),
            algorithms: Vec::new(),
            seeds: 10,
            limit: Limit::Steps(200),
            target: String::new(),
            on_cpu: true,
            devices: Vec::new(),
            threads: 1,
        };
        form.choose(problem);
        Some(form)
    }

    /// Offers the algorithms of a problem, the first one ticked.
    fn choose(&mut self, problem: &'static ProblemUi) {
        self.problem = problem;
        self.algorithms = (0..problem.algorithms.len()).map(|index| (index == 0, String::new())).collect();
        self.options.clear();
    }

    /// File of the plan: the typed path, with the ending of plans where it has none.
    fn path(&self) -> PathBuf {
        let path = PathBuf::from(self.plan.trim());
        if path.extension().is_some() { path } else { path.with_extension("ron") }
    }

    fn entries(&self) -> Entries {
        let lines = self.instances.lines().map(str::trim).filter(|line| !line.is_empty());
        let chosen = self.problem.algorithms.iter().zip(&self.algorithms).filter(|(_, (is_on, _))| *is_on);
        let cpu = self.on_cpu.then(|| "cpu".to_owned());
        Entries {
            name: self.path().file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            instances: lines.map(str::to_owned).collect(),
            options: self.options.clone(),
            algorithms: chosen
                .map(|(algorithm, (_, parameters))| (algorithm.name.to_owned(), parameters.clone()))
                .collect(),
            seeds: self.seeds,
            limit: self.limit,
            target: self.target.clone(),
            backends: cpu.into_iter().chain(self.devices.iter().cloned()).collect(),
            threads: self.threads,
        }
    }

    /// Shows the form; `devices` can compute.
    pub fn show(&mut self, ui: &mut Ui, devices: &[Device]) -> Option<Wish> {
        let palette = palette(ui.visuals());
        self.take_files(ui);
        let entries = self.entries();
        let taken =
            self.path().exists().then(|| "A file of this name is there already; give the plan another name".to_owned());
        let fault = entries.fault().or(taken);
        let mut wish = None;
        ui.label(theme::title("New campaign"));
        let text = "Every algorithm runs on every instance with every seed. The form writes a plan, which you can read and change before \
                    anything runs.";
        ui.add(Label::new(RichText::new(text).color(palette.weak)).wrap());
        let below = size::CONTROL + space::L + space::S;
        let area = ScrollArea::vertical().id_salt("form").auto_shrink(false).max_height(ui.available_height() - below);
        area.show(ui, |ui| {
            ui.set_max_width(ui.available_width().min(2.0 * FIELDS));
            ui.spacing_mut().item_spacing.y = space::S;
            self.place(ui);
            self.instance_fields(ui);
            self.algorithm_fields(ui);
            self.run_fields(ui, devices);
        });
        ui.add_space(space::XS);
        ui.horizontal(|ui| {
            let ready = fault.is_none();
            let write = primary(ui, Icon::Pencil, "Write the plan", ready);
            let write = write.on_hover_text("Show the text of the plan, the number of its runs and the expected time");
            let write = write.on_disabled_hover_text(fault.clone().unwrap_or_default());
            if write.clicked() || ready && confirmed(ui) {
                wish = Some(Wish::Write(self.path(), entries.text()));
            }
            if ui.add(egui::Button::new("Cancel").min_size(vec2(0.0, size::CONTROL))).clicked() {
                wish = Some(Wish::Leave);
            }
            if let Some(fault) = &fault {
                ui.add(Label::new(RichText::new(fault).color(palette.warn)).truncate());
            }
        });
        wish
    }

    /// Takes the files that were chosen in dialogs.
    fn take_files(&mut self, ui: &Ui) {
        if let Some(path) = file_dialog::take_answer(ui.ctx(), plan_dialog()).and_then(|paths| paths.into_iter().next())
        {
            self.plan = path.display().to_string();
        }
        for path in file_dialog::take_answer(ui.ctx(), instance_dialog()).unwrap_or_default() {
            let path = source::of(&path).unwrap_or_else(|| path.display().to_string());
            if !self.instances.is_empty() && !self.instances.ends_with('\n') {
                self.instances.push('\n');
            }
            self.instances.push_str(&path);
        }
    }

    /// The field for the file of the plan.
    fn place(&mut self, ui: &mut Ui) {
        ui.label(
            theme::small("File of the plan; the rows go into a folder of the same name beside it")
                .color(palette(ui.visuals()).weak),
        );
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 120.0).min(FIELDS);
            let field = TextEdit::singleline(&mut self.plan).hint_text("path of the file").desired_width(width);
            let response = ui.add(field);
            response.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, "Path of the plan"));
            if button(ui, Icon::Open, "Choose…", true).clicked() {
                let request = FileRequest::new(Mode::SaveFile, "Keep the plan").filter("Plans of campaigns", &["ron"]);
                file_dialog::request(ui.ctx(), plan_dialog(), request.at(Path::new(self.plan.trim())));
            }
        });
    }

    /// The problem, its instances and its options.
    fn instance_fields(&mut self, ui: &mut Ui) {
        let mut chosen = self.problem;
        ui.horizontal_wrapped(|ui| {
            labelled(ui, "Problem", |ui| {
                let combo = ComboBox::from_id_salt("problem").width(220.0);
                let combo = combo.selected_text(chosen.problem.nouns().heading);
                named(ui, "Problem", "The problem whose algorithms are compared", |ui| {
                    combo
                        .show_ui(ui, |ui| {
                            for other in registry::problems() {
                                let is_on = other.problem.id() == chosen.problem.id();
                                if ui.selectable_label(is_on, other.problem.nouns().heading).clicked() {
                                    chosen = other;
                                }
                            }
                        })
                        .response
                });
            });
            labelled(ui, " ", |ui| {
                if button(ui, Icon::Open, "Add files…", true).clicked() {
                    let request = FileRequest::new(Mode::OpenFiles, "Add instances");
                    let request =
                        request.filter(self.problem.problem.nouns().heading, self.problem.endings).all_files();
                    file_dialog::request(ui.ctx(), instance_dialog(), request);
                }
                self.sample_menu(ui);
            });
        });
        if chosen.problem.id() != self.problem.problem.id() {
            self.choose(chosen);
            self.instances = chosen.samples.first().map_or(String::new(), |(source, ..)| (*source).to_owned());
        }
        ui.label(
            theme::small(
                "Instances: files, names such as those of samples, or patterns such as data/*.txt; one in each line",
            )
            .color(palette(ui.visuals()).weak),
        );
        let rows = self.instances.lines().count().clamp(2, 6);
        let field =
            TextEdit::multiline(&mut self.instances).desired_rows(rows).desired_width(ui.available_width().min(FIELDS));
        let response = ui.add(field);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::MultilineTextInput, true, "Instances"));
        let scopes = |scope: &OptionScope| !matches!(scope, OptionScope::Export { .. });
        let options: Vec<_> = self.problem.problem.options().iter().filter(|option| scopes(&option.scope)).collect();
        if !options.is_empty() {
            let names: Vec<String> = options.iter().map(|option| format!("{}: {}", option.name, option.help)).collect();
            ui.label(
                theme::small("Options of the problem, as name=value; name=value").color(palette(ui.visuals()).weak),
            );
            let width = ui.available_width().min(FIELDS);
            let response = ui.add(TextEdit::singleline(&mut self.options).hint_text("none").desired_width(width));
            response.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, "Options of the problem"));
            response.on_hover_text(names.join("\n"));
        }
    }

    /// Adds a sample of the problem.
    fn sample_menu(&mut self, ui: &mut Ui) {
        let mut added = None;
        ui.menu_button("Add sample", |ui| {
            for &(source, name, facts) in self.problem.samples {
                if ui.button(name).on_hover_text(facts).clicked() {
                    added = Some(source);
                    ui.close();
                }
            }
        });
        if let Some(source) = added.filter(|source| !self.instances.lines().any(|line| line.trim() == *source)) {
            let gap = if self.instances.is_empty() || self.instances.ends_with('\n') { "" } else { "\n" };
            self.instances.push_str(&format!("{gap}{source}"));
        }
    }

    /// A tick for each algorithm, with its parameters as text.
    fn algorithm_fields(&mut self, ui: &mut Ui) {
        let palette = palette(ui.visuals());
        ui.add_space(space::XS);
        ui.label(
            theme::small("Algorithms, with parameters as name=value; several values make several algorithms")
                .color(palette.weak),
        );
        for (algorithm, (is_on, parameters)) in self.problem.algorithms.iter().zip(&mut self.algorithms) {
            ui.horizontal(|ui| {
                ui.set_min_height(size::CONTROL);
                let room = vec2(NAMES, size::CONTROL);
                ui.allocate_ui_with_layout(room, egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    ui.set_width(room.x);
                    ui.checkbox(is_on, algorithm.label).on_hover_text(algorithm.help);
                });
                let width = (ui.available_width() - space::S).min(FIELDS - NAMES);
                let field = TextEdit::singleline(parameters).hint_text(hint((self.problem.parameters)(algorithm.name)));
                let name = format!("Parameters of {}", algorithm.label);
                let help = parameter_help((self.problem.parameters)(algorithm.name));
                named(ui, &name, &help, |ui| ui.add_enabled(*is_on, field.desired_width(width)));
            });
        }
    }

    /// Seeds, limit, target and devices.
    fn run_fields(&mut self, ui: &mut Ui, devices: &[Device]) {
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
        let chosen = match self.limit {
            Limit::Steps(_) => 0,
            Limit::Evaluations(_) => 1,
            Limit::Seconds(_) => 2,
            Limit::Usual => 3,
        };
        match segmented(ui, &choices, Some(chosen)) {
            Some(0) => self.limit = Limit::Steps(200),
            Some(1) => self.limit = Limit::Evaluations(100_000),
            Some(2) => self.limit = Limit::Seconds(10.0),
            Some(_) => self.limit = Limit::Usual,
            None => {}
        }
        match &mut self.limit {
            Limit::Steps(steps) => {
                named(ui, "Steps of a run", "Generations or steps", |ui| {
                    ui.add(DragValue::new(steps).range(1..=u64::MAX / 2))
                });
            }
            Limit::Evaluations(count) => {
                named(ui, "Evaluations of a run", "A run ends with the step that reaches this number", |ui| {
                    ui.add(DragValue::new(count).range(1..=u64::MAX / 2).speed(1000.0))
                });
            }
            Limit::Seconds(seconds) => {
                named(ui, "Seconds of a run", "Time limit of each run", |ui| {
                    ui.add(DragValue::new(seconds).range(0.1..=1e6).speed(0.1).suffix(" s"))
                });
            }
            Limit::Usual => {}
        }
    }
}

/// Identifiers of the file dialogs of the form.
fn plan_dialog() -> Id {
    Id::unique("file of a new plan")
}

fn instance_dialog() -> Id {
    Id::unique("instances of a new plan")
}

/// An example of parameters for an empty field.
fn hint(parameters: &[Parameter]) -> String {
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
fn parameter_help(parameters: &[Parameter]) -> String {
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
