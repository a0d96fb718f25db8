//! Interface of an open instance of any problem to the window: solving, views, runs, edits and exports.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Context, Ui};
use gridwright_core::Result;
use gridwright_core::backend::Device;
use gridwright_core::data::Dataset;
use gridwright_core::data::import::SheetReading;
use gridwright_core::export::Writing;
use gridwright_core::export::formats::Format;
use gridwright_core::planning::updating::Present;
use gridwright_core::problem::Problem;
use gridwright_core::result::Encoded;
use gridwright_core::store::Store;

use super::kind::Refusal;
use crate::device_memory::Question;
use crate::projects::{Keeper, Saving};
use crate::run_list::List;
use crate::runs::Shown;
use crate::services::Services;
use crate::session::Ongoing;
use crate::theme::Palette;
use crate::widgets::convergence::Look;
use crate::widgets::notice::{Cause, Notice};
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
pub(crate) type Export = Box<dyn FnOnce(&Writing) -> Result<()> + Send>;

/// Outcome of something that may not be possible now.
pub(super) type Possible = std::result::Result<(), Refusal>;

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
    /// Checks whether another program has changed the file of the instance; a notice reports a change.
    fn look_at_source(&mut self, ctx: &Context);
    /// Takes over the changed file.
    ///
    /// # Errors
    /// Why that is not possible now.
    fn take_over_source(&mut self) -> Possible;
    /// Present data for an update from files; `None` if the data of the problem are no tables.
    fn present_data(&self) -> Option<Present>;
    /// Rules and edits that would not fit other data, in words.
    fn unfitting(&self, data: &Dataset) -> Vec<String>;
    /// Takes over updated data and how their tables were read, as one step that can be undone.
    ///
    /// # Errors
    /// Why that is not possible now.
    fn update_data(&mut self, data: Dataset, readings: Vec<SheetReading>) -> Possible;
    /// True as long as the state that a message is about lasts.
    fn is_so(&self, cause: Cause) -> bool;
    /// Returns `true` if anything has changed since the last save.
    fn has_changed(&self) -> bool;
    /// State of saving.
    fn keeper(&self) -> &Keeper;
    /// State of saving, to decide about changes of other programs.
    fn keeper_mut(&mut self) -> &mut Keeper;
    /// Time of changes newer than the project's file that are still undecided: «18:03».
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
    /// Returns `true` if the problem knows decisions whose cost can be found out.
    fn decides(&self) -> bool;
    /// Checks that decisions about the shown solution can be looked at.
    ///
    /// # Errors
    /// Why not.
    fn may_decide(&self) -> Possible;
    /// Opens the dialog about decisions.
    ///
    /// # Errors
    /// Why that is not possible now.
    fn begin_deciding(&mut self) -> Possible;
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
    /// Identity of the selected item; empty if none is selected.
    fn selection(&self) -> String;
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
    /// Returns `true` if a command of the problem stands for the choice that holds now.
    fn is_chosen(&self, command: &ProblemCommand) -> bool;
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
    /// The best value of all runs in words; empty if there is none.
    fn best(&self) -> String;
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
    /// One sentence about the parameters in which two runs differ; `None` if a run is no longer there.
    fn parameter_difference(&self, runs: [usize; 2]) -> Option<String>;
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
    /// Takes over runs and rules of other documents with equal data.
    ///
    /// # Errors
    /// Why something could not be taken over, in words.
    fn use_elsewhere(&mut self, store: &Store) -> std::result::Result<(), String>;

    /// Identifier of the runs and rules of other documents with equal data that are offered; `None` where nothing is.
    fn elsewhere(&self) -> Option<String>;

    /// Lists the solution in a file as a run and shows it; `None` if the file is no solution of the problem.
    fn take_solution(&mut self, path: &Path, store: &Store) -> Option<std::result::Result<Notice, String>>;

    /// Export formats, the commonest first.
    fn formats(&self) -> &'static [Format];
    /// Checks that the shown solution may be exported.
    ///
    /// # Errors
    /// Why not, in words.
    fn exportable(&self) -> Possible;
    /// Checks that the shown solution can be written in a format.
    ///
    /// # Errors
    /// A sentence that names the missing data.
    fn may_export(&self, format: &Format) -> Possible;
    /// Line about the violations of the shown solution; `None` if there are none.
    fn stamp(&self) -> Option<String>;
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
    fn export(&self, services: &Services, format: &Format, path: PathBuf) -> std::result::Result<Export, String>;
}
