//! The form for a campaign with one part: instances, algorithms, seeds, limit and devices.

mod fields;

use std::path::{Path, PathBuf};

use egui::{Id, Label, RichText, ScrollArea, Ui, vec2};
use gridwright_campaign::plan::Campaign;
use gridwright_core::backend::Device;
use gridwright_core::problem::{OptionScope, Problem};
use gridwright_core::search::Budget;
use gridwright_core::source;

use self::fields::{hint, parameter_help};
use super::plan_text::Entries;
use crate::file_dialog::{self, FileRequest, Mode};
use crate::problem::ProblemUi;
use crate::registry;
use crate::theme::{self, palette, size, space};
use crate::widgets::choices::Choices;
use crate::widgets::controls::{button, confirmed, labelled, primary};
use crate::widgets::entry::Field;
use crate::widgets::icons::Icon;

/// Width of the fields at the left in points.
const FIELDS: f32 = 560.0;

/// Width of the names of algorithms in points.
const NAMES: f32 = 220.0;

#[derive(Clone)]
pub(crate) struct Form {
    problem: &'static ProblemUi,
    plan: String,
    /// The plan that is changed, with the name of its campaign; `None` for a new one.
    changed: Option<(PathBuf, String)>,
    instances: String,
    options: String,
    /// Chosen and parameters, by algorithm.
    algorithms: Vec<(bool, String)>,
    seeds: u64,
    limit: Option<Budget>,
    target: String,
    /// True if runs are performed on the CPU.
    on_cpu: bool,
    /// Identifiers of the devices that perform runs, too.
    devices: Vec<String>,
    threads: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// To write the plan: its file and its text.
    Write(PathBuf, String),
    Leave,
}

impl Form {
    /// A form for the problem of what is open, with this source, and for a plan in `folder`; for the first problem where
    /// nothing is open.
    pub(super) fn new(open: Option<(&dyn Problem, &str)>, folder: &Path) -> Option<Self> {
        let known = open.and_then(|(problem, source)| Some((registry::ui_of(problem).ok()?, source)));
        let problem = known.map_or_else(|| registry::problems().next(), |(problem, _)| Some(problem))?;
        let sample = problem.samples.first().map_or("", |(source, ..)| source);
        let source = known.map_or(sample, |(_, source)| source);
        let mut form = Self {
            problem,
            plan: folder.join("comparison.ron").display().to_string(),
            changed: None,
            instances: source.to_owned(),
            options: String::new(),
            algorithms: Vec::new(),
            seeds: 10,
            limit: Some(Budget::Steps(200)),
            target: String::new(),
            on_cpu: true,
            devices: Vec::new(),
            threads: 1,
        };
        form.choose(problem);
        Some(form)
    }

    /// A form with the entries of a checked plan in this file.
    ///
    /// # Errors
    /// Why the form cannot hold the plan, as the end of a sentence.
    pub(crate) fn of_campaign(plan: &Path, campaign: &Campaign) -> Result<Self, String> {
        let entries = Entries::of_plan(plan, &campaign.text)?;
        let mut names = campaign.runs.iter().map(|run| run.problem.as_str());
        let first = names.next().unwrap_or_default();
        if names.any(|name| name != first) {
            return Err("its instances are of several problems".to_owned());
        }
        let problem = registry::problems().find(|problem| problem.problem.id() == first);
        let problem = problem.ok_or_else(|| format!("there is no problem {first}"))?;
        let mut algorithms = vec![(false, String::new()); problem.descriptor().algorithms.len()];
        for (name, parameters) in &entries.algorithms {
            let index = problem.descriptor().algorithms.iter().position(|algorithm| algorithm.name == name);
            match index.and_then(|index| algorithms.get_mut(index)) {
                Some((is_on, field)) if !*is_on => (*is_on, *field) = (true, parameters.clone()),
                Some(_) => return Err(format!("it names {name} twice")),
                None => return Err(format!("{name} is no algorithm of its problem")),
            }
        }
        Ok(Self {
            problem,
            plan: plan.display().to_string(),
            changed: Some((plan.to_path_buf(), entries.name.clone())),
            instances: entries.instances.join("\n"),
            options: entries.options.clone(),
            algorithms,
            seeds: entries.seeds,
            limit: entries.limit,
            target: entries.target.clone(),
            on_cpu: entries.backends.iter().any(|backend| backend == "cpu"),
            devices: entries.backends.iter().filter(|backend| *backend != "cpu").cloned().collect(),
            threads: entries.threads,
        })
    }

    /// File of the plan that is changed; `None` for a new plan.
    pub(super) fn changed(&self) -> Option<&Path> {
        self.changed.as_ref().map(|(plan, _)| plan.as_path())
    }

    /// Offers the algorithms of a problem, the first one ticked.
    fn choose(&mut self, problem: &'static ProblemUi) {
        self.problem = problem;
        self.algorithms = (0..problem.descriptor().algorithms.len()).map(|index| (index == 0, String::new())).collect();
        self.options.clear();
    }

    /// File of the plan: the typed path, with the ending of plans where it has none.
    fn path(&self) -> PathBuf {
        let path = PathBuf::from(self.plan.trim());
        if path.extension().is_some() { path } else { path.with_extension("ron") }
    }

    fn entries(&self) -> Entries {
        let lines = self.instances.lines().map(str::trim).filter(|line| !line.is_empty());
        let chosen = self.problem.descriptor().algorithms.iter().zip(&self.algorithms).filter(|(_, (is_on, _))| *is_on);
        let cpu = self.on_cpu.then(|| "cpu".to_owned());
        Entries {
            name: match &self.changed {
                Some((_, name)) => name.clone(),
                None => self.path().file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            },
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

    pub(super) fn show(&mut self, ui: &mut Ui, devices: &[Device]) -> Option<Wish> {
        let palette = palette(ui.visuals());
        self.take_files(ui);
        let entries = self.entries();
        let is_taken = self.path().exists() && self.changed() != Some(self.path().as_path());
        let taken = is_taken.then(|| "A file of this name is there already; give the plan another name".to_owned());
        let fault = entries.fault().or(taken);
        let mut wish = None;
        ui.label(theme::title(if self.changed.is_some() { "Change the campaign" } else { "New campaign" }));
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
            Field::new("Path of the plan").hint("path of the file").width(width).live(ui, &mut self.plan);
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
                Choices::new("Problem", chosen.problem.nouns().heading)
                    .width(220.0)
                    .help("The problem whose algorithms are compared")
                    .show(ui, |ui| {
                        for other in registry::problems() {
                            let is_on = other.problem.id() == chosen.problem.id();
                            if ui.selectable_label(is_on, other.problem.nouns().heading).clicked() {
                                chosen = other;
                            }
                        }
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
        let width = ui.available_width().min(FIELDS);
        Field::new("Instances").rows(rows).width(width).live(ui, &mut self.instances);
        let scopes = |scope: &OptionScope| !matches!(scope, OptionScope::Export { .. });
        let options: Vec<_> = self.problem.problem.options().iter().filter(|option| scopes(&option.scope)).collect();
        if !options.is_empty() {
            let names: Vec<String> = options.iter().map(|option| format!("{}: {}", option.name, option.help)).collect();
            ui.label(
                theme::small("Options of the problem, as name=value; name=value").color(palette(ui.visuals()).weak),
            );
            let width = ui.available_width().min(FIELDS);
            let help = names.join("\n");
            let field = Field::new("Options of the problem").hint("none").width(width);
            field.help(&help).live(ui, &mut self.options);
        }
    }

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
        for (algorithm, (is_on, parameters)) in self.problem.descriptor().algorithms.iter().zip(&mut self.algorithms) {
            ui.horizontal(|ui| {
                ui.set_min_height(size::CONTROL);
                let room = vec2(NAMES, size::CONTROL);
                ui.allocate_ui_with_layout(room, egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    ui.set_width(room.x);
                    ui.checkbox(is_on, algorithm.label).on_hover_text(algorithm.help);
                });
                let width = (ui.available_width() - space::S).min(FIELDS - NAMES);
                let hint = hint((self.problem.descriptor().parameters)(algorithm.name));
                let name = format!("Parameters of {}", algorithm.label);
                let help = parameter_help((self.problem.descriptor().parameters)(algorithm.name));
                let field = Field::new(&name).hint(&hint).help(&help).width(width).enabled(*is_on);
                field.live(ui, parameters);
            });
        }
    }
}

fn plan_dialog() -> Id {
    Id::unique("file of a new plan")
}

fn instance_dialog() -> Id {
    Id::unique("instances of a new plan")
}
