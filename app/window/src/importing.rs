//! The import dialog: files, columns, problems and summary in one window, for every problem that declares tables. Reading and
//! counting happen in threads. What was imported is kept as a project, which opens next.

mod columns;
mod correcting;
mod files;
mod problems;
mod reading;
mod summary;
mod updating;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Align, Context, Frame, Layout, Margin, Ui, vec2};
use gridwright_core::data::import::{
    self, BadLines, Encoding, Mapped, Mapping, Outcome, Request, Sheet, SheetReading, UnknownPolicy,
};
use gridwright_core::data::update::{self, Update};
use gridwright_core::data::{Dataset, Issue};
use gridwright_core::numbers::{counted, grouped};
use gridwright_core::planning::updating::{Present, readings};
use gridwright_core::project::{self, Project, ProjectData};
use gridwright_core::result::InstanceReference;
use gridwright_core::text::stem;
use gridwright_core::{Error, Result};

use crate::later::Later;
use crate::problem::ProblemUi;
use crate::registry;
use crate::theme::{self, palette, size, space};
use crate::widgets::controls::{TabName, button, primary, tabs};
use crate::widgets::dialog;
use crate::widgets::icons::Icon;

/// Action that the dialog requests from the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Opens the system's dialog to choose a file with tables.
    ChooseFile,
    /// Opens the system's dialog to choose where the project is kept.
    ChooseTarget,
    Close,
}

/// End of the dialog.
pub(crate) enum Finished {
    /// The project was written to this path.
    Written(String),
    /// The data were compared with those of the open document.
    Compared(Present, Box<Update>),
}

/// Steps of the import, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::VariantArray)]
enum Step {
    #[default]
    Files,
    Columns,
    Problems,
    Summary,
}

impl Step {
    const ALL: [Self; 4] = gridwright_core::variants();
}

/// Where sheets come from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Input {
    File { path: PathBuf, encoding: Option<Encoding>, delimiter: Option<u8> },
    Clipboard(String),
}

struct Counted {
    request: Request,
    outcome: Outcome,
    /// Sizes of the instance that the data make, or what is wrong with them.
    instance: std::result::Result<String, Vec<Issue>>,
}

pub(crate) struct Dialog {
    problem: &'static ProblemUi,
    /// True if the person has chosen the problem; otherwise the first sheets tell it.
    is_chosen: bool,
    step: Step,
    /// True if the first preview moves the dialog to the step that needs attention.
    leads: bool,
    path: String,
    queue: VecDeque<Input>,
    reading: Later<(Input, Result<Vec<Sheet>>)>,
    /// Files that could not be read, and why.
    unread: Vec<(String, String)>,
    sheets: Vec<Mapped>,
    /// Choices of the person that outlive another reading of the files.
    choices: reading::Choices,
    /// Rows of the forms.
    base: Dataset,
    bad_lines: BadLines,
    unknown: UnknownPolicy,
    name: String,
    target: String,
    /// True if the person has named the target.
    is_target_chosen: bool,
    /// True if the preview is older than the last change.
    stale: bool,
    counting: Later<Counted>,
    counted: Option<Arc<Counted>>,
    writing: Later<Result<PathBuf>>,
    error: Option<String>,
    columns: columns::State,
    problems: problems::State,
    /// True if the summary has asked for values of the forms.
    asks: bool,
    /// Data of the open document that are to be updated; `None` if the tables become a project of their own.
    updated: Option<Present>,
    comparing: Later<Update>,
}

/// Problems that declare tables.
pub(crate) fn problems() -> impl Iterator<Item = &'static ProblemUi> {
    registry::problems().filter(|problem| !problem.descriptor().tables.is_empty())
}

impl Dialog {
    /// The dialog for a problem, or for the one that the first sheets seem to be of; `None` if no problem declares tables.
    pub(crate) fn new(problem: Option<&'static ProblemUi>) -> Option<Self> {
        let first = problem.or_else(|| problems().next())?;
        Some(Self {
            problem: first,
            is_chosen: problem.is_some(),
            step: Step::Files,
            leads: false,
            path: String::new(),
            queue: VecDeque::new(),
            reading: Later::default(),
            unread: Vec::new(),
            sheets: Vec::new(),
            choices: reading::Choices::default(),
            base: (first.descriptor().empty_data)(""),
            bad_lines: BadLines::default(),
            unknown: UnknownPolicy::default(),
            name: String::new(),
            target: String::new(),
            is_target_chosen: false,
            stale: true,
            counting: Later::default(),
            counted: None,
            writing: Later::default(),
            error: None,
            columns: columns::State::default(),
            problems: problems::State::default(),
            asks: false,
            updated: None,
            comparing: Later::default(),
        })
    }

    /// The dialog for a file that could not be opened; it opens at the step that needs attention.
    pub(crate) fn of(ctx: &Context, path: &str) -> Option<Self> {
        let mut dialog = Self::new(None)?;
        dialog.leads = true;
        dialog.add_file(PathBuf::from(path));
        // It is read at the next opportunity.
        ctx.request_repaint();
        Some(dialog)
    }

    pub(crate) fn add_file(&mut self, path: PathBuf) {
        let input = self.choices.input(path);
        self.queue.push_back(input);
    }

    /// Path of the project as it stands in the summary; empty if there is none yet.
    pub(crate) fn target(&self) -> &str {
        self.target.trim()
    }

    /// The file that the project is written to.
    pub(crate) fn set_target(&mut self, path: &Path) {
        self.target = path.display().to_string();
        self.is_target_chosen = true;
    }

    fn choose_problem(&mut self, problem: &'static ProblemUi) {
        if problem.problem.id() == self.problem.problem.id() {
            return;
        }
        self.choices.leave_problem(self.problem, &self.sheets, &self.base);
        self.problem = problem;
        let known = self.choices.return_to(problem, &mut self.sheets);
        self.base = known.unwrap_or_else(|| (problem.descriptor().empty_data)(&self.name));
        // Tables are known by their index in the tables of one problem.
        (self.unknown, self.counted) = (UnknownPolicy::default(), None);
        self.changed();
    }

    /// Something was changed on which the counts depend.
    fn changed(&mut self) {
        self.stale = true;
        self.error = None;
    }

    /// Takes a sheet alone for the table that an import cannot do without.
    fn assign_alone(&mut self) {
        let tables = self.problem.descriptor().tables;
        let required = tables.iter().position(|table| table.is_required);
        if let ([alone], Some(table)) = (&mut self.sheets[..], required)
            && alone.mapping.table.is_none()
        {
            alone.mapping = Mapping::guess_for(&alone.sheet, tables, table);
        }
    }

    fn add_sheets(&mut self, input: &Input, sheets: Result<Vec<Sheet>>) {
        let name = match input {
            Input::File { path, .. } => path.display().to_string(),
            Input::Clipboard(_) => "The clipboard".to_owned(),
        };
        self.unread.retain(|(unread, _)| *unread != name);
        let mut sheets = match sheets {
            Ok(sheets) => sheets,
            Err(error) => return self.unread.push((name, error.to_string())),
        };
        let given_up: Vec<String> = sheets.iter_mut().flat_map(|sheet| self.choices.corrections.apply(sheet)).collect();
        if let Input::File { path, .. } = input {
            if self.name.is_empty() {
                self.name = stem(path);
            }
            if !self.is_target_chosen && self.target.is_empty() {
                self.target = free_path(path).display().to_string();
            }
        }
        if !self.is_chosen && self.sheets.is_empty() {
            self.problem = most_alike(&sheets).unwrap_or(self.problem);
            self.counted = None;
            self.base = (self.problem.descriptor().empty_data)(&self.name);
        }
        let tables = self.problem.descriptor().tables;
        let first = self.choices.replace(&mut self.sheets, input, sheets, tables);
        self.assign_alone();
        if let Some(first) = first {
            // A cover sheet has no columns to choose.
            let used = self.sheets[first..].iter().position(|mapped| mapped.mapping.table.is_some());
            self.columns.sheet = first + used.unwrap_or(0);
        }
        self.changed();
        if !given_up.is_empty() {
            let places = given_up.join("; ");
            self.error = Some(format!("The file has changed where you had corrected it: {places}. Look at it again"));
        }
    }

    /// Processes the results of threads and starts what is due; returns the project to open once it was written.
    pub(crate) fn poll(&mut self, ctx: &Context) -> Option<Finished> {
        match self.reading.take_result() {
            Some(Ok((input, sheets))) => self.add_sheets(&input, sheets),
            Some(Err(why)) => self.error = Some(format!("Reading broke off: {why}")),
            None => {}
        }
        if !self.reading.is_busy()
            && let Some(input) = self.queue.pop_front()
        {
            let tables = self.problem.descriptor().tables;
            self.reading.begin(ctx, "read table", move || {
                let sheets = match &input {
                    Input::File { path, encoding, delimiter } => Sheet::read(path, tables, *encoding, *delimiter),
                    Input::Clipboard(text) => Sheet::of_clipboard(text, tables).map(|sheet| vec![sheet]),
                };
                (input, sheets)
            });
        }
        match self.counting.take_result() {
            Some(Ok(counted)) => self.take_count(counted),
            Some(Err(why)) => {
                self.counted = None;
                self.error = Some(format!("Counting broke off: {why}"));
            }
            None => {}
        }
        if self.stale && !self.counting.is_busy() && !self.is_reading() && !self.sheets.is_empty() {
            self.stale = false;
            let (request, problem) = (self.request(), self.problem);
            self.counting.begin(ctx, "count import", move || {
                let outcome = import::run(problem.descriptor().tables, &request);
                let instance = (problem.descriptor().check_data)(&outcome.data);
                Counted { request, outcome, instance }
            });
        }
        match self.comparing.take_result() {
            Some(Ok(update)) => return Some(Finished::Compared(self.updated.clone()?, Box::new(update))),
            Some(Err(why)) => self.error = Some(format!("Comparing broke off: {why}")),
            None => {}
        }
        match self.writing.take_result()? {
            Ok(Ok(path)) => Some(Finished::Written(path.display().to_string())),
            Ok(Err(error)) => {
                self.error = Some(error.to_string());
                None
            }
            Err(why) => {
                self.error = Some(format!("Writing broke off: {why}"));
                None
            }
        }
    }

    fn take_count(&mut self, counted: Counted) {
        if std::mem::take(&mut self.leads) {
            let has_lines = counted.outcome.counts.iter().any(|count| count.lines > 0);
            self.step = if has_lines && counted.outcome.losses() > 0 { Step::Problems } else { Step::Columns };
        }
        self.counted = Some(Arc::new(counted));
    }

    fn is_reading(&self) -> bool {
        self.reading.is_busy() || !self.queue.is_empty()
    }

    fn request(&self) -> Request {
        if let Some(present) = &self.updated {
            let request = update::request(self.problem.descriptor().tables, &present.data, self.sheets.clone());
            return Request { bad_lines: self.bad_lines, unknown: self.unknown.clone(), ..request };
        }
        Request {
            name: self.name.clone(),
            sheets: self.sheets.clone(),
            base: self.base.clone(),
            bad_lines: self.bad_lines,
            unknown: self.unknown.clone(),
        }
    }

    /// Draws why there is no preview yet.
    fn show_waiting(&self, ui: &mut Ui) {
        let is_at_work = self.is_reading() || !self.sheets.is_empty();
        let text = if is_at_work { "Reading and counting…" } else { "Choose a file in the first step" };
        ui.label(egui::RichText::new(text).color(palette(ui.visuals()).weak));
    }

    /// Returns the preview, unless something has changed since.
    fn counted(&self) -> Option<&Arc<Counted>> {
        self.counted.as_ref().filter(|_| !self.stale && !self.counting.is_busy())
    }

    /// Returns the reason why the import cannot be kept now, if there is one.
    fn obstacle(&self) -> Option<String> {
        if self.comparing.is_busy() {
            return Some("The data are being compared".to_owned());
        }
        if self.writing.is_busy() {
            return Some("The project is being written".to_owned());
        }
        if let Some((name, _)) = self.unread.first() {
            return Some(format!("{name} cannot be read; choose another file, or leave it out"));
        }
        if self.sheets.is_empty() && !self.is_reading() {
            return Some("Choose a file with tables".to_owned());
        }
        let Some(counted) = self.counted().filter(|_| !self.is_reading()) else {
            return Some("Reading and counting".to_owned());
        };
        if let Some(obstacle) = &counted.outcome.obstacle {
            return Some(obstacle.clone());
        }
        if self.updated.is_some() {
            // The list of differences says what is wrong with the data.
            return None;
        }
        if let Err(issues) = &counted.instance {
            let first = issues.first().map_or_else(String::new, |issue| issue.text(self.problem.descriptor().tables));
            let remedy = match issues.first() {
                Some(issue) if self.is_of_form(issue) && self.step == Step::Summary => "Enter it above",
                Some(issue) if self.is_of_form(issue) => "Enter it in the summary",
                _ => "Correct the files, or choose other columns",
            };
            return Some(format!("{first}. {remedy}"));
        }
        self.target.trim().is_empty().then(|| "Name the project's file in the summary".to_owned())
    }

    /// Returns `true` if a value of a form, such as the size of a plant, is missing or wrong.
    fn is_of_form(&self, issue: &Issue) -> bool {
        issue.table.is_some_and(|table| self.problem.descriptor().tables[table].is_form)
    }

    fn take_over(&mut self, ctx: &Context) {
        let Some(counted) = self.counted().cloned().filter(|_| self.obstacle().is_none()) else { return };
        let (problem, target) = (self.problem, project::with_ending(Path::new(self.target.trim())));
        self.error = None;
        if let Some(present) = &self.updated {
            let present = Arc::clone(&present.data);
            return self.comparing.begin(ctx, "compare import", move || updating::compare(problem, &present, &counted));
        }
        self.writing.begin(ctx, "write import", move || write(problem, &counted, &target));
    }

    pub(crate) fn show(&mut self, ctx: &Context) -> Option<Wish> {
        let frame = Frame::window(&ctx.style_of(ctx.theme())).inner_margin(Margin::same(20));
        let room = dialog::room(ctx).size();
        let mut wish = None;
        let response = dialog::modal(ctx, "import", frame).show(ctx, |ui| {
            ui.set_width((room.x - 64.0).clamp(560.0, 1040.0));
            ui.set_height((room.y - 72.0).clamp(240.0, 700.0));
            let title = if self.updated.is_some() { "Update from files" } else { "Import tables" };
            ui.label(theme::title(title));
            ui.add_space(space::XS);
            self.steps(ui);
            ui.separator();
            ui.add_space(space::S);
            let body = vec2(ui.available_width(), ui.available_height() - 58.0);
            ui.allocate_ui_with_layout(body, Layout::top_down(Align::LEFT), |ui| {
                ui.set_min_size(body);
                match self.step {
                    Step::Files => wish = self.show_files(ui),
                    Step::Columns => self.show_columns(ui),
                    Step::Problems => self.show_problems(ui),
                    Step::Summary => wish = self.show_summary(ui),
                }
            });
            self.foot(ui).or(wish)
        });
        let is_due = self.stale && !self.counting.is_busy() && !self.is_reading() && !self.sheets.is_empty();
        if is_due || (!self.queue.is_empty() && !self.reading.is_busy()) {
            // Threads are started before the next frame.
            ctx.request_repaint();
        }
        // A click outside does not close the dialog, so that entered text is not lost by accident.
        response.inner
    }

    fn steps(&mut self, ui: &mut Ui) {
        let problems = self.counted().map_or(0, |it| it.outcome.problems.len() + it.outcome.more_problems);
        let mark = if problems > 0 { grouped(problems as u64) } else { String::new() };
        let names = [
            TabName::new("1 Files", "Which files to read"),
            TabName::new("2 Columns", "What their columns mean"),
            TabName { mark: &mark, ..TabName::new("3 Problems", "Lines that cannot be used, and what else to know") },
            TabName::new("4 Summary", "What would be taken over"),
        ];
        let open = Step::ALL.iter().position(|step| *step == self.step).unwrap_or(0);
        ui.horizontal(|ui| {
            if let Some(step) = tabs(ui, &names, open).and_then(|index| Step::ALL.get(index)) {
                self.step = *step;
            }
            if problems > 0 {
                ui.add_space(space::M);
                ui.label(theme::small(counted(problems as u64, "problem")).color(palette(ui.visuals()).weak));
            }
        });
    }

    /// Draws the obstacle, if there is one, and the buttons.
    fn foot(&mut self, ui: &mut Ui) -> Option<Wish> {
        let mut wish = None;
        ui.add_space(space::S);
        ui.separator();
        let obstacle = self.obstacle();
        let visuals = palette(ui.visuals());
        ui.horizontal(|ui| {
            ui.set_height(size::CONTROL + space::S);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                // Every button has its place in all steps: a click that comes twice presses the same one.
                let (words, help) = match self.updated {
                    Some(_) => ("List differences", "Compare the tables with the open project"),
                    None => ("Take over", "Keep the tables as a project and open it"),
                };
                let response = primary(ui, Icon::Check, words, obstacle.is_none()).on_hover_text(help);
                let response = match &obstacle {
                    Some(why) => response.on_disabled_hover_text(why),
                    None => response,
                };
                if response.clicked() {
                    self.take_over(ui.ctx());
                }
                let next = Step::ALL.iter().position(|step| *step == self.step).and_then(|at| Step::ALL.get(at + 1));
                let is_clicked = button(ui, Icon::Play, "Next", next.is_some()).clicked();
                if let Some(next) = next.filter(|_| is_clicked) {
                    self.step = *next;
                }
                let again = button(ui, Icon::Reset, "Read again", !self.is_reading() && self.has_files());
                let help = "Read the files again after you have corrected them; what you have chosen here stays";
                if again.on_hover_text(help).clicked() {
                    self.read_again();
                }
                let cancel = egui::Button::new("Cancel").min_size(vec2(0.0, size::CONTROL));
                if ui.add_enabled(!self.writing.is_busy(), cancel).clicked() {
                    wish = Some(Wish::Close);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let (words, colour) = match (&self.error, &obstacle) {
                        (Some(error), _) => (error.clone(), visuals.bad),
                        (_, Some(why)) => (why.clone(), visuals.weak),
                        _ => ("Everything is ready to be taken over".to_owned(), visuals.good),
                    };
                    ui.add(egui::Label::new(egui::RichText::new(words).color(colour)).wrap().selectable(true));
                });
            });
        });
        wish
    }
}

/// The problem whose tables the sheets are most like; `None` if they are like none.
fn most_alike(sheets: &[Sheet]) -> Option<&'static ProblemUi> {
    let score = |problem: &ProblemUi| Mapping::resemblance(sheets, problem.descriptor().tables);
    let scored = problems().map(|problem| (score(problem), problem)).filter(|(score, _)| *score > 0);
    scored.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, problem)| problem)
}

/// A path for a project in the folder of a file, with a name that does not exist yet.
fn free_path(beside: &Path) -> PathBuf {
    let (folder, name) = (beside.parent().unwrap_or_else(|| Path::new(".")), stem(beside));
    let names = std::iter::once(name.clone()).chain((2..100).map(|number| format!("{name}-{number}")));
    let mut paths = names.map(|name| folder.join(format!("{name}.{}", project::ENDING)));
    paths.find(|path| !path.exists()).unwrap_or_else(|| folder.join(format!("{name}.{}", project::ENDING)))
}

/// Writes the imported data as a project, and the list of problems beside it if anything was left out.
fn write(problem: &'static ProblemUi, counted: &Counted, target: &Path) -> Result<PathBuf> {
    let target = std::path::absolute(target).unwrap_or_else(|_| target.to_path_buf());
    let report = (counted.outcome.losses() > 0).then(|| target.with_extension("left-out.csv"));
    if let Some(taken) = [Some(&target), report.as_ref()].into_iter().flatten().find(|path| path.exists()) {
        return Err(Error::file(taken, "there is a file of this name; choose another name in the summary"));
    }
    if let Some(report) = &report {
        gridwright_core::files::write(report, import::problems_csv(&counted.request, &counted.outcome).as_bytes())?;
    }
    let readings = readings(problem.descriptor(), &counted.request);
    let saved = project_of(problem, counted.outcome.data.clone(), readings, &target).save(&target);
    if let (Err(_), false, Some(report)) = (&saved, target.exists(), &report) {
        // The same name can be tried again. A list that cannot be removed does no harm.
        let _ = gridwright_core::files::remove(report);
    }
    saved.map(|()| target)
}

/// A project of these data that lies at `path`.
pub(crate) fn project_of(
    problem: &'static ProblemUi, data: Dataset, readings: Vec<SheetReading>, path: &Path,
) -> Project {
    let reference = InstanceReference {
        name: data.name.clone(),
        source: gridwright_core::source::of(path).unwrap_or_default(),
        hash: data.hash.clone(),
        options: Default::default(),
    };
    let data = Some(ProjectData::Tables { data: Arc::new(data), specs: problem.descriptor().tables });
    Project { data, readings, ..Project::of(problem.problem.id(), reference) }
}
