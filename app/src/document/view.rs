//! An open instance of whatever problem, as the window sees it: what is solved, shown, listed, edited and exported.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Context, Frame, Margin, Ui};
use gridwright_solver::Result;
use gridwright_solver::backend::Device;
use gridwright_solver::problem::Problem;
use gridwright_solver::result::Encoded;
use gridwright_solver::search::Algorithms;
use strum::VariantArray as _;

use super::kind::{DocumentKind, Refusal, ViewKind};
use super::{Document, Run, frames};
use crate::device_memory::Question;
use crate::exporting::Format;
use crate::projects::Saving;
use crate::run_list::{Going, List, Row};
use crate::runs::{BY_HAND, Shown};
use crate::services::Services;
use crate::session::Ongoing;
use crate::store::Store;
use crate::theme::{Palette, space};
use crate::widgets::convergence::Look;
use crate::widgets::notice::Notice;
use crate::window::command::{Command, ProblemCommand, ViewTab};

/// Progress of the run beside the settings: state, best value, share done, rate and time left.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Progress {
    /// The state in a word or two.
    pub word: String,
    /// The best value.
    pub value: String,
    /// Share of the budget that is done, 0 to 1.
    pub share: f32,
    /// Evaluations in a second, or in all.
    pub rate: String,
    /// Time left, or how long it took.
    pub left: String,
}

/// A run as the palette offers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its number.
    pub number: usize,
    /// Its name.
    pub title: String,
    /// Its cost.
    pub detail: String,
}

/// A run that was taken from the list, to be put back.
pub struct Removed {
    /// Its name.
    pub title: String,
    /// Its file.
    pub path: Option<PathBuf>,
    /// The run itself, as its document knows it.
    pub run: Box<dyn Any + Send>,
}

/// Writes a file; for a thread.
pub type Export = Box<dyn FnOnce() -> Result<()> + Send>;

/// Outcome of something that may not be possible now.
type Possible = std::result::Result<(), Refusal>;

/// Interface of a document towards the window.
pub trait ProblemView: Send {
    /// The document itself, for code that knows its problem.
    fn as_any(&self) -> &dyn Any;
    /// The document itself, to be changed.
    fn as_any_mut(&mut self) -> &mut dyn Any;

    /// The problem that it is of.
    fn problem(&self) -> &'static dyn Problem;
    /// The name of the instance.
    fn name(&self) -> &str;
    /// One line: sizes.
    fn facts_line(&self) -> String;
    /// Where the instance comes from.
    fn source(&self) -> &str;
    /// Path of the project file if there is one, otherwise the source.
    fn opened(&self) -> String;
    /// The name under which its runs are kept.
    fn key(&self) -> String;
    /// Noun of a solution, such as «timetable».
    fn plan(&self) -> &'static str {
        self.problem().nouns().plan
    }
    /// Settings of the next run.
    fn settings(&self) -> Encoded;
    /// Settings of the views for the next document of the problem.
    fn remembered(&self) -> Option<Encoded>;
    /// Applies the settings of the views of the last document.
    fn look_as_before(&mut self, remembered: &Encoded);

    /// Contents of a project file in words; `None` if there is nothing to save.
    fn project_contents(&self) -> Option<&'static str>;
    /// Project file, if there is one.
    fn project_file(&self) -> Option<&Path>;
    /// Saves the project in this file from now on.
    fn set_project_file(&mut self, path: PathBuf);
    /// Returns `true` if anything has changed since the last save.
    fn has_changed(&self) -> bool;
    /// When changes were made that are newer than the project's file and that nobody has decided about: «18:03».
    fn newer(&self) -> Option<String>;
    /// Takes the newer changes, which can be undone, or leaves them and keeps what the file says.
    ///
    /// # Errors
    /// Why they do not fit, in words; the file's state stays.
    fn decide_newer(&mut self, take: bool) -> std::result::Result<(), String>;
    /// The data to be written, which count as saved from now on; `None` if there is nothing to write. `always`: also if
    /// nothing has changed, because the person asked for it or leaves.
    fn saving(&mut self, always: bool) -> Option<Saving>;

    /// Checks that a run could begin.
    ///
    /// # Errors
    /// A sentence that names the missing setting or data.
    fn ready(&self) -> Possible;
    /// Begins a run; returns what the person should know where it could not.
    fn begin(&mut self, services: &Services, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice>;
    /// Returns `true` if the problem can begin a run from a solution.
    fn improves(&self) -> bool;
    /// Checks that a run can begin from the solution that is shown.
    ///
    /// # Errors
    /// Why not.
    fn improvable(&self) -> Possible;
    /// Begins a run from the solution that is shown.
    fn improve(&mut self, services: &Services, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice>;
    /// The run that goes on.
    fn ongoing(&self) -> Option<&dyn Ongoing>;
    /// Takes in what the worker has to say; returns what the person should know.
    fn poll(&mut self) -> Vec<Notice>;
    /// Takes the notices that wait to be shown.
    fn take_sayings(&mut self) -> Vec<Notice>;
    /// Progress shown beside the settings.
    fn progress(&self) -> Progress;
    /// Request for the device memory of the next run.
    fn memory(&self) -> Question;

    /// Draws the controls beside the Solve button.
    fn settings_bar(&mut self, ui: &mut Ui, devices: &[Device]);
    /// Draws the active rules below the settings.
    fn active_rules(&mut self, ui: &mut Ui);
    /// Display name of the chosen algorithm.
    fn algorithm(&self) -> &'static str;
    /// Draws all parameters.
    fn parameters(&mut self, ui: &mut Ui);
    /// Draws facts about the selected item, or about the whole solution.
    fn inspector(&mut self, ui: &mut Ui);
    /// Draws the middle of the window; `lost` is the reason why the last run failed without a solution.
    fn centre(&mut self, ui: &mut Ui, lost: Option<&str>, commands: &mut Vec<Command>);
    /// Draws the problem's own dialogs.
    fn show_dialogs(&mut self, ctx: &Context, commands: &mut Vec<Command>);
    /// Returns `true` while a question about a change is open.
    fn is_asking(&self) -> bool;

    /// The views.
    fn tabs(&self) -> Vec<ViewTab>;
    /// Position of the open view.
    fn view(&self) -> usize;
    /// Opens the view at this position.
    fn set_view(&mut self, index: usize);
    /// Returns `true` if the open view can be zoomed.
    fn zooms(&self) -> bool;
    /// Returns `true` if a solution is shown.
    fn has_picture(&self) -> bool;
    /// Shows all of the picture.
    fn fit(&mut self);
    /// Enlarges the picture by a factor.
    fn zoom(&mut self, factor: f32);
    /// Returns `true` while the picture has the keyboard focus.
    fn canvas_focused(&self) -> bool;
    /// Returns `true` if an item is selected.
    fn has_selection(&self) -> bool;
    /// Selects nothing.
    fn deselect(&mut self);
    /// Items that can be found by name, as index, name and one line of facts.
    fn items(&self) -> Vec<(usize, String, String)>;
    /// Selects an item and brings it into view.
    fn go_to(&mut self, item: usize);
    /// Moves the focus to the problem's own search field; `false`: there is none.
    fn find(&mut self) -> bool;

    /// Commands that only this problem has.
    fn commands(&self) -> &'static [ProblemCommand];
    /// Checks that a command of the problem is possible.
    ///
    /// # Errors
    /// Why not.
    fn possible(&self, command: &ProblemCommand) -> Possible;
    /// Runs a command of the problem.
    ///
    /// # Errors
    /// Why that is not possible.
    fn run_command(&mut self, command: &ProblemCommand) -> Possible;

    /// The run list.
    fn list(&self, palette: &Palette) -> List;
    /// The runs by name, newest first.
    fn runs(&self) -> Vec<Listed>;
    /// Which solution is shown.
    fn shown(&self) -> Shown;
    /// Shows a run.
    fn show_run(&mut self, number: usize);
    /// Shows the best so far of the run that goes on.
    fn show_live(&mut self);
    /// Returns `true` if two runs can be compared.
    fn compares(&self) -> bool;
    /// Shows two runs beside each other.
    fn compare(&mut self, runs: [usize; 2]);
    /// Takes a run from the list.
    fn take_run(&mut self, number: usize) -> Option<Removed>;
    /// Puts a run back into the list.
    fn put_run(&mut self, run: Box<dyn Any + Send>);
    /// The name that a person gave a run.
    fn run_name(&self, number: usize) -> Option<String>;
    /// Names a run; returns its file where the name is another than before.
    fn set_run_name(&mut self, number: usize, name: &str) -> Option<PathBuf>;
    /// Returns `true` if there is a convergence curve.
    fn has_curves(&self) -> bool;
    /// Draws the convergence curves of the runs.
    fn convergence(&self, ui: &mut Ui);
    /// Settings of the convergence chart, and the flag that shows the run list where only one of both fits.
    fn bottom(&mut self) -> (&mut Look, &mut bool);

    /// Names of the changes that can be undone and redone.
    fn undo_names(&self) -> (Option<&str>, Option<&str>);
    /// Takes the last change back.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    fn undo(&mut self) -> Possible;
    /// Makes a change again that was taken back.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    fn redo(&mut self) -> Possible;
    /// Returns `true` while a draft exists.
    fn has_draft(&self) -> bool;
    /// Shows the draft.
    fn show_draft(&mut self);
    /// Gives the draft up.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    fn discard_draft(&mut self) -> Possible;
    /// Returns `true` if the draft can be listed as a run.
    fn keeps_drafts(&self) -> bool;
    /// Lists the draft as a run and keeps it on disk.
    ///
    /// # Errors
    /// Why it could not be kept, in words; the edits stay.
    fn keep_draft(&mut self, store: &Store) -> std::result::Result<(), String>;

    /// Export formats, the commonest first.
    fn formats(&self) -> &'static [Format];
    /// Checks that the shown solution may be exported.
    ///
    /// # Errors
    /// Why not, in words.
    fn exportable(&self) -> Possible;
    /// The export dialog is about to be opened.
    fn begin_export(&mut self);
    /// Draws the problem's options in the export dialog.
    fn export_options(&mut self, ui: &mut Ui, format: &Format);
    /// The path with the ending of another format, changed so that no input is overwritten.
    fn export_path(&self, path: &Path, format: &Format) -> PathBuf;
    /// Why a file must not be replaced, where that is so.
    fn forbidden(&self, path: &Path) -> Option<Refusal>;
    /// Returns a job that writes the shown solution, for a thread of its own.
    ///
    /// # Errors
    /// Why there is nothing to write, in words.
    fn export(&self, services: &Services, format: &Format, path: PathBuf) -> std::result::Result<Export, Refusal>;
}

/// Short name of an algorithm for narrow places; a result may name one that there no longer is.
fn short_name<K: DocumentKind>(name: &str) -> &str {
    let known = K::Algorithm::ALL.iter().find(|descriptor| descriptor.name == name);
    match known {
        Some(descriptor) => descriptor.short_label,
        None if name == BY_HAND => "By hand",
        None => name,
    }
}

impl<K: DocumentKind> ProblemView for Document<K> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn problem(&self) -> &'static dyn Problem {
        K::PROBLEM
    }

    fn name(&self) -> &str {
        K::name(&self.instance)
    }

    fn facts_line(&self) -> String {
        Self::facts_line(self)
    }

    fn source(&self) -> &str {
        &self.source
    }

    fn opened(&self) -> String {
        self.project_file().map_or_else(|| self.source.clone(), |path| path.display().to_string())
    }

    fn key(&self) -> String {
        Self::key(self)
    }

    fn settings(&self) -> Encoded {
        Encoded::of(&self.settings)
    }

    fn remembered(&self) -> Option<Encoded> {
        K::remembered(self)
    }

    fn look_as_before(&mut self, remembered: &Encoded) {
        K::look_as_before(self, remembered);
    }

    fn project_contents(&self) -> Option<&'static str> {
        K::TEXTS.project
    }

    fn project_file(&self) -> Option<&Path> {
        Self::project_file(self)
    }

    fn set_project_file(&mut self, path: PathBuf) {
        Self::set_project_file(self, path);
    }

    fn has_changed(&self) -> bool {
        K::TEXTS.project.is_some() && self.keeper.has_changed()
    }

    fn newer(&self) -> Option<String> {
        self.keeper.newer()
    }

    fn decide_newer(&mut self, take: bool) -> std::result::Result<(), String> {
        Self::decide_newer(self, take)
    }

    fn saving(&mut self, always: bool) -> Option<Saving> {
        Self::saving(self, always)
    }

    fn ready(&self) -> Possible {
        Self::ready(self)
    }

    fn begin(&mut self, services: &Services, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice> {
        self.solve(None, services.operations::<K>().solve, store, wake)
    }

    fn improves(&self) -> bool {
        K::IMPROVES
    }

    fn improvable(&self) -> Possible {
        self.ready()?;
        if self.picture().is_none() {
            return Err("There is nothing yet to begin with; solve first");
        }
        K::improvable(self)
    }

    fn improve(&mut self, services: &Services, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice> {
        let start = self.picture().map(|picture| Arc::clone(K::solution(picture)));
        self.solve(start, services.operations::<K>().solve, store, wake)
    }

    fn ongoing(&self) -> Option<&dyn Ongoing> {
        self.live.as_ref().map(|live| &live.session as &dyn Ongoing)
    }

    fn poll(&mut self) -> Vec<Notice> {
        Self::poll(self)
    }

    fn take_sayings(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.sayings)
    }

    fn progress(&self) -> Progress {
        frames::progress(self)
    }

    fn memory(&self) -> Question {
        let (instance, settings) = (Arc::clone(&self.instance), self.settings.clone());
        Question {
            backend: self.settings.backend.clone(),
            subject: Arc::clone(&self.instance) as _,
            settings: format!("{:?}, {:?}", settings.algorithm, settings.goal),
            needs: Box::new(move |backend, limits| K::memory_need(&instance, &settings, backend, limits)),
        }
    }

    fn settings_bar(&mut self, ui: &mut Ui, devices: &[Device]) {
        K::settings_bar(ui, self, devices);
    }

    fn active_rules(&mut self, ui: &mut Ui) {
        K::active_rules(ui, self);
    }

    fn algorithm(&self) -> &'static str {
        self.settings.algorithm.descriptor().label
    }

    fn parameters(&mut self, ui: &mut Ui) {
        K::parameters(ui, self);
    }

    fn inspector(&mut self, ui: &mut Ui) {
        K::inspector(ui, self);
    }

    fn centre(&mut self, ui: &mut Ui, lost: Option<&str>, commands: &mut Vec<Command>) {
        K::banners(ui, self, commands);
        if !K::has_picture(self) && !K::needs_no_picture(self) {
            if !K::instead(ui, self, commands) {
                frames::nothing_yet(ui, self, lost, commands);
            }
            return;
        }
        Frame::new().inner_margin(Margin { left: 12, right: 12, top: 8, bottom: 8 }).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = space::S;
            self.had_focus = std::mem::take(&mut self.canvas_focused);
            K::show_view(ui, self, commands);
        });
    }

    fn show_dialogs(&mut self, ctx: &Context, commands: &mut Vec<Command>) {
        K::show_dialogs(ctx, self, commands);
    }

    fn is_asking(&self) -> bool {
        self.keeper.newer().is_some() || K::is_asking(self)
    }

    fn tabs(&self) -> Vec<ViewTab> {
        let tab = |(index, view): (usize, &K::View)| ViewTab { index, name: view.name(), help: view.help() };
        K::View::VARIANTS.iter().enumerate().map(tab).collect()
    }

    fn view(&self) -> usize {
        K::View::VARIANTS.iter().position(|view| *view == self.view).unwrap_or_default()
    }

    fn set_view(&mut self, index: usize) {
        self.view = K::View::VARIANTS.get(index).copied().unwrap_or(self.view);
    }

    fn zooms(&self) -> bool {
        self.view.zooms()
    }

    fn has_picture(&self) -> bool {
        K::has_picture(self)
    }

    fn fit(&mut self) {
        K::fit(self);
    }

    fn zoom(&mut self, factor: f32) {
        K::zoom(self, factor);
    }

    fn canvas_focused(&self) -> bool {
        self.canvas_focused
    }

    fn has_selection(&self) -> bool {
        K::has_selection(self)
    }

    fn deselect(&mut self) {
        K::deselect(self);
    }

    fn items(&self) -> Vec<(usize, String, String)> {
        K::items(self)
    }

    fn go_to(&mut self, item: usize) {
        K::go_to(self, item);
    }

    fn find(&mut self) -> bool {
        K::find(self)
    }

    fn commands(&self) -> &'static [ProblemCommand] {
        K::COMMANDS
    }

    fn possible(&self, command: &ProblemCommand) -> Possible {
        K::possible(self, command)
    }

    fn run_command(&mut self, command: &ProblemCommand) -> Possible {
        K::run_command(self, command)
    }

    fn list(&self, palette: &Palette) -> List {
        let best = self.best_run().map(|run| K::cost(&run.checked));
        let going = |live: &super::Live<K>| {
            let going = Going {
                number: self.next_number(),
                algorithm: live.settings.algorithm.descriptor().short_label.to_owned(),
                seed: live.settings.seed,
                best: live.checkpoint.as_ref().map_or_else(String::new, |checkpoint| K::best_value(self, checkpoint)),
                seconds: live.checkpoint.as_ref().map(|checkpoint| checkpoint.progress.seconds),
                paused: live.session.is_paused(),
            };
            Row::going(going, palette)
        };
        let ended = |run: &Run<K>| {
            let is_best = best == Some(K::cost(&run.checked));
            Row::ended(run, short_name::<K>(&run.result.algorithm), K::figure(self, run), is_best, palette)
        };
        let rows = self.live.iter().map(going).chain(self.listed().map(ended)).collect();
        List { rows, shown: self.shown, compares: K::COMPARES }
    }

    fn runs(&self) -> Vec<Listed> {
        let listed = |run: &Run<K>| Listed {
            number: run.number,
            title: run.title(),
            detail: format!("{}, {}", short_name::<K>(&run.result.algorithm), K::figure(self, run)),
        };
        self.listed().map(listed).collect()
    }

    fn shown(&self) -> Shown {
        self.shown
    }

    fn show_run(&mut self, number: usize) {
        Self::show_run(self, number);
    }

    fn show_live(&mut self) {
        Self::show_live(self);
    }

    fn compares(&self) -> bool {
        K::COMPARES
    }

    fn compare(&mut self, runs: [usize; 2]) {
        K::compare(self, runs);
    }

    fn take_run(&mut self, number: usize) -> Option<Removed> {
        let run = self.remove_run(number)?;
        Some(Removed { title: run.title(), path: run.path.clone(), run: Box::new(run) })
    }

    fn put_run(&mut self, run: Box<dyn Any + Send>) {
        if let Ok(run) = run.downcast::<Run<K>>() {
            self.insert_run(*run);
        }
    }

    fn run_name(&self, number: usize) -> Option<String> {
        self.run(number).map(|run| run.name.clone())
    }

    fn set_run_name(&mut self, number: usize, name: &str) -> Option<PathBuf> {
        let path = self.runs.rename(number, name)?;
        self.runs_have_changed();
        path
    }

    fn has_curves(&self) -> bool {
        Self::has_curves(self)
    }

    fn convergence(&self, ui: &mut Ui) {
        self.show_convergence(ui);
    }

    fn bottom(&mut self) -> (&mut Look, &mut bool) {
        (&mut self.look, &mut self.runs_instead)
    }

    fn undo_names(&self) -> (Option<&str>, Option<&str>) {
        Self::undo_names(self)
    }

    fn undo(&mut self) -> Possible {
        Self::undo(self)
    }

    fn redo(&mut self) -> Possible {
        Self::redo(self)
    }

    fn has_draft(&self) -> bool {
        self.draft().is_some()
    }

    fn show_draft(&mut self) {
        Self::show_draft(self);
    }

    fn discard_draft(&mut self) -> Possible {
        self.discard()
    }

    fn keeps_drafts(&self) -> bool {
        K::KEEPS_DRAFTS
    }

    fn keep_draft(&mut self, store: &Store) -> std::result::Result<(), String> {
        Self::keep_draft(self, store)
    }

    fn formats(&self) -> &'static [Format] {
        K::FORMATS
    }

    fn exportable(&self) -> Possible {
        K::exportable(self)
    }

    fn begin_export(&mut self) {
        K::begin_export(self);
    }

    fn export_options(&mut self, ui: &mut Ui, format: &Format) {
        K::export_options(ui, self, format);
    }

    fn export_path(&self, path: &Path, format: &Format) -> PathBuf {
        K::export_path(self, path, format)
    }

    fn forbidden(&self, path: &Path) -> Option<Refusal> {
        K::forbidden(self, path)
    }

    fn export(&self, services: &Services, format: &Format, path: PathBuf) -> std::result::Result<Export, Refusal> {
        K::exportable(self)?;
        let exported = K::exported(self, format)?;
        let write = services.operations::<K>().export;
        Ok(Box::new(move || write(&exported, &path)))
    }
}
