//! An open instance of whatever problem, as the frame of the window sees it: what is solved, shown, listed and exported.
//!
//! A new problem is a variant of [`Open`] and of [`View`] and a file here that says these things of its desk.

pub mod shared;

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use egui::Ui;
use gridwright_solver::Result;
use gridwright_solver::backend::Device;

use super::{Command, Services};
use crate::device_memory::Question;
use crate::exporting::Format;
use crate::problems::{facility as layouts, flowshop as shop, systolic as grids, timetabling as exams};
use crate::projects::Keeping;
use crate::run_list;
use crate::runs::Shown;
use crate::session::Ongoing;
use crate::store::{Problem, Store};
use crate::theme::Palette;
use crate::widgets::convergence::Look;
use crate::widgets::icons::Icon;
use crate::widgets::notice::Notice;

/// A view of an open instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Of a timetable.
    Timetabling(exams::desk::View),
    /// Of a flow shop.
    FlowShop(shop::View),
    /// Of a layout problem.
    Facility(layouts::View),
    /// Of a binary problem.
    Systolic(grids::View),
}

impl View {
    /// All views of a problem, in the order of their tabs.
    pub fn all(problem: Problem) -> Vec<Self> {
        match problem {
            Problem::Timetabling => exams::desk::View::ALL.map(Self::Timetabling).to_vec(),
            Problem::FlowShop => shop::View::ALL.map(Self::FlowShop).to_vec(),
            Problem::Facility => layouts::View::ALL.map(Self::Facility).to_vec(),
            Problem::Systolic => grids::View::ALL.map(Self::Systolic).to_vec(),
        }
    }

    /// The problem that it is of.
    pub fn problem(self) -> Problem {
        match self {
            Self::Timetabling(_) => Problem::Timetabling,
            Self::FlowShop(_) => Problem::FlowShop,
            Self::Facility(_) => Problem::Facility,
            Self::Systolic(_) => Problem::Systolic,
        }
    }

    /// The word on its tab.
    pub fn name(self) -> &'static str {
        match self {
            Self::Timetabling(view) => view.name(),
            Self::FlowShop(view) => view.name(),
            Self::Facility(view) => view.name(),
            Self::Systolic(view) => view.name(),
        }
    }

    /// One sentence about the contents of the view.
    pub fn help(self) -> &'static str {
        match self {
            Self::Timetabling(view) => view.help(),
            Self::FlowShop(view) => view.help(),
            Self::Facility(view) => view.help(),
            Self::Systolic(view) => view.help(),
        }
    }

    /// Returns `true` if the view can be zoomed.
    pub fn zooms(self) -> bool {
        match self {
            Self::Timetabling(view) => view.zooms(),
            Self::FlowShop(view) => view.zooms(),
            Self::Facility(view) => view.zooms(),
            Self::Systolic(view) => view.zooms(),
        }
    }
}

/// Progress of the run beside the settings: state, best value, share done, rate and time left.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Standing {
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
    /// The run itself, as its desk knows it.
    pub run: Box<dyn Any + Send>,
}

/// Interface of an open instance towards the frame of the window.
pub trait Workplace {
    /// The problem that it is of.
    fn problem(&self) -> Problem;
    /// The name of the instance.
    fn name(&self) -> &str;
    /// One line: sizes.
    fn facts_line(&self) -> String;
    /// Path of the project file if there is one, otherwise the source.
    fn opened(&self) -> String;
    /// The name under which its runs are kept.
    fn key(&self) -> String;
    /// Of what is found: «timetable», «plan».
    fn plan(&self) -> &'static str;

    /// Access to saving as a project; `None` if the problem has no projects.
    fn keeping(&self) -> Option<&dyn Keeping> {
        None
    }
    /// Mutable access to saving as a project.
    fn keeping_mut(&mut self) -> Option<&mut dyn Keeping> {
        None
    }

    /// Checks that a run could begin.
    ///
    /// # Errors
    /// A sentence that names the missing setting or data.
    fn ready(&self) -> std::result::Result<(), &'static str>;
    /// Begins a run; returns what the person should know where it could not.
    fn begin(&mut self, services: &Services, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice>;
    /// The run that goes on.
    fn ongoing(&self) -> Option<&dyn Ongoing>;
    /// Takes in what the worker has to say; returns what the person should know.
    fn poll(&mut self) -> Vec<Notice>;
    /// Progress shown beside the settings.
    fn standing(&self) -> Standing;

    /// Request for the device memory of the next run; `None` if it cannot be told before the start.
    fn memory(&self) -> Option<Question> {
        None
    }

    /// The controls beside the Solve button.
    fn settings_bar(&mut self, ui: &mut Ui, devices: &[Device]);
    /// Draws the active rules beside the settings.
    fn in_force(&mut self, _ui: &mut Ui) {}
    /// Display name of the chosen algorithm.
    fn algorithm(&self) -> String;
    /// Its parameters.
    fn parameters(&mut self, ui: &mut Ui);
    /// Draws facts about the selected item, or about the whole solution.
    fn inspector(&mut self, ui: &mut Ui);
    /// Draws the middle of the window; `lost` is the reason why the last run failed without a solution.
    fn centre(&mut self, ui: &mut Ui, lost: Option<&str>, commands: &mut Vec<Command>);

    /// The open view.
    fn view(&self) -> View;
    /// Opens a view; those of other problems are left alone.
    fn set_view(&mut self, view: View);
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

    /// The runs.
    fn list(&self, palette: &Palette) -> run_list::List;
    /// The runs by name, newest first.
    fn runs(&self) -> Vec<Listed>;
    /// Which plan is shown.
    fn shown(&self) -> Shown;
    /// Shows a run.
    fn show_run(&mut self, number: usize);
    /// Shows the best so far of the run that goes on.
    fn show_live(&mut self);
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
    fn undo(&mut self) -> std::result::Result<(), &'static str>;
    /// Makes a change again that was taken back.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    fn redo(&mut self) -> std::result::Result<(), &'static str>;
    /// Returns `true` while a draft exists.
    fn has_draft(&self) -> bool;
    /// Shows the plan that is being edited.
    fn show_draft(&mut self);
    /// Gives it up.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    fn discard_draft(&mut self) -> std::result::Result<(), &'static str>;

    /// Lists the plan that is being edited as a run and keeps it on disk, where a problem does that.
    ///
    /// # Errors
    /// Why it could not be kept, in words; the edits stay.
    fn keep_draft(&mut self, _store: &Store) -> std::result::Result<(), String> {
        Ok(())
    }
    /// Begins a run with the plan that is shown, where a problem can; otherwise any run.
    fn improve(&mut self, services: &Services, store: &Store, wake: Arc<dyn Fn() + Send + Sync>) -> Option<Notice> {
        self.begin(services, store, wake)
    }

    /// Checks that the shown solution may be exported.
    ///
    /// # Errors
    /// Why not, in words.
    fn exportable(&self) -> std::result::Result<(), &'static str>;
    /// An export is about to be asked for.
    fn begin_export(&mut self) {}
    /// Draws the problem's options in the export dialog.
    fn export_wishes(&mut self, _ui: &mut Ui, _format: &Format) {}
    /// The format that a path means by its ending.
    fn format_of(&self, path: &Path) -> Option<&'static Format>;
    /// The path with the ending of another format, changed so that no input is overwritten.
    fn export_path(&self, path: &Path, format: &Format) -> PathBuf;
    /// Why a file must not be replaced, where that is so.
    fn forbidden(&self, path: &Path) -> Option<&'static str>;
    /// Returns a job that writes the shown solution, for a thread of its own.
    ///
    /// # Errors
    /// Why there is nothing to write, in words.
    fn export(&self, services: &Services, format: &Format, path: PathBuf) -> std::result::Result<Export, &'static str>;
}

/// Writes a file; for a thread.
pub type Export = Box<dyn FnOnce() -> Result<()> + Send>;

/// An open instance.
pub enum Open {
    /// An examination session.
    Timetabling(Box<exams::Desk>),
    /// A flow shop.
    FlowShop(Box<shop::Desk>),
    /// A layout problem.
    Facility(Box<layouts::Desk>),
    /// A binary problem.
    Systolic(Box<grids::Desk>),
}

impl Open {
    /// As the frame sees it.
    pub fn place(&self) -> &dyn Workplace {
        match self {
            Self::Timetabling(desk) => &**desk,
            Self::FlowShop(desk) => &**desk,
            Self::Facility(desk) => &**desk,
            Self::Systolic(desk) => &**desk,
        }
    }

    /// As the frame changes it.
    pub fn place_mut(&mut self) -> &mut dyn Workplace {
        match self {
            Self::Timetabling(desk) => &mut **desk,
            Self::FlowShop(desk) => &mut **desk,
            Self::Facility(desk) => &mut **desk,
            Self::Systolic(desk) => &mut **desk,
        }
    }

    /// The examination session, if it is one.
    pub fn timetabling(&self) -> Option<&exams::Desk> {
        match self {
            Self::Timetabling(desk) => Some(desk),
            _ => None,
        }
    }

    /// The examination session, to be changed.
    pub fn timetabling_mut(&mut self) -> Option<&mut exams::Desk> {
        match self {
            Self::Timetabling(desk) => Some(desk),
            _ => None,
        }
    }

    /// The flow shop, if it is one.
    pub fn flowshop(&self) -> Option<&shop::Desk> {
        match self {
            Self::FlowShop(desk) => Some(desk),
            _ => None,
        }
    }

    /// The flow shop, to be changed.
    pub fn flowshop_mut(&mut self) -> Option<&mut shop::Desk> {
        match self {
            Self::FlowShop(desk) => Some(desk),
            _ => None,
        }
    }

    /// The layout problem, if it is one.
    pub fn facility(&self) -> Option<&layouts::Desk> {
        match self {
            Self::Facility(desk) => Some(desk),
            _ => None,
        }
    }

    /// The binary problem, if it is one.
    pub fn systolic(&self) -> Option<&grids::Desk> {
        match self {
            Self::Systolic(desk) => Some(desk),
            _ => None,
        }
    }

    /// The layout problem, to be changed.
    pub fn facility_mut(&mut self) -> Option<&mut layouts::Desk> {
        match self {
            Self::Facility(desk) => Some(desk),
            _ => None,
        }
    }

    /// The binary problem, to be changed.
    pub fn systolic_mut(&mut self) -> Option<&mut grids::Desk> {
        match self {
            Self::Systolic(desk) => Some(desk),
            _ => None,
        }
    }

    /// Asks the run to stop and waits a little for it to be kept; for closing.
    pub fn finish(&self, patience: Duration) {
        if let Some(run) = self.place().ongoing() {
            run.stop();
            run.wait(patience);
        }
    }
}

/// The formats in which plans of a problem are written, the commonest first.
pub fn formats(problem: Problem) -> &'static [Format] {
    match problem {
        Problem::Timetabling => &exams::exporting::FORMATS,
        Problem::FlowShop => &shop::exporting::FORMATS,
        Problem::Facility => &layouts::exporting::FORMATS,
        Problem::Systolic => &grids::exporting::FORMATS,
    }
}

/// Icon of a problem in lists.
pub fn icon(problem: Problem) -> Icon {
    match problem {
        Problem::Timetabling => Icon::Grid,
        Problem::FlowShop => Icon::Gantt,
        Problem::Facility => Icon::FloorPlan,
        Problem::Systolic => Icon::Systolic,
    }
}
