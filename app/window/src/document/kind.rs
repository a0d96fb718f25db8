//! The part of a document that each problem provides: its types, its texts and its own functions.
//!
//! Each problem implements [`DocumentKind`] for the state of its views, in `problems/<problem>/document.rs`.
//! [`super::Document`] holds everything that documents of all problems have in common and calls these functions.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Context, Ui};
use gridwright_core::backend::{Backend, Device, Limits, MemoryNeed};
use gridwright_core::data::{Dataset, FormerNames};
use gridwright_core::export::Writing;
use gridwright_core::export::formats::Format;
use gridwright_core::numbers::quantity;
use gridwright_core::planning::{ExportOrigin, Planning, USUAL_BUDGET};
use gridwright_core::problem::Overrides;
use gridwright_core::project::Attachments;
use gridwright_core::result::{Encoded, RunResult, Violation};
use gridwright_core::search::Algorithms;
use gridwright_core::{Result, files};
use strum::VariantArray;

use super::edits::Work;
use super::{Document, SolveRequest};
use crate::runs::{Ended, Run, RunList, RunStatus, Shown};
use crate::session::Checkpoint;
use crate::settings::{self, AlgorithmMenu};
use crate::widgets::controls::{fact, section};
use crate::widgets::convergence::{Quantity, Reference};
use crate::widgets::icons::Icon;
use crate::widgets::notice::Notice;
use crate::widgets::parameters;
use crate::window::command::{Command, ProblemCommand, ViewGroup};

/// Reason why a command is not possible, as a sentence without a full stop.
pub type Refusal = &'static str;

/// The views of a problem: an enum without data, in the order of the tabs.
pub trait ViewKind: VariantArray + Copy + PartialEq + Default + Debug + Send {
    /// Label of the tab.
    fn name(self) -> &'static str;
    /// Tooltip that says what the view shows.
    fn help(self) -> &'static str;
    /// Purpose of the view; a line separates tabs of different groups.
    fn group(self) -> ViewGroup {
        ViewGroup::Plan
    }
    /// Returns `true` if the view can be zoomed.
    fn zooms(self) -> bool {
        false
    }
}

/// The only view of a problem that has no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, VariantArray)]
pub enum SolutionView {
    /// The solution that is shown.
    #[default]
    Solution,
}

impl ViewKind for SolutionView {
    fn name(self) -> &'static str {
        "Solution"
    }

    fn help(self) -> &'static str {
        "The solution that is shown"
    }
}

/// Words and icons of a problem in its documents.
#[derive(Debug)]
pub struct Texts {
    /// Icon of the problem.
    pub icon: Icon,
    /// Sentence about a result that is no solution.
    pub lacks: &'static str,
    /// Sentence while the search has no solution yet.
    pub preparing: &'static str,
    /// Invitation to begin a run: «Press Solve and watch it get better».
    pub watch: &'static str,
    /// Contents of a project file, for the dialog that asks for its name; `None` if nothing is ever changed by hand, so that
    /// there is nothing to save.
    pub project: Option<&'static str>,
    /// Note on a run that was made by hand.
    pub by_hand: &'static str,
    /// Sentence about edits that do not fit the instance.
    pub foreign_edits: &'static str,
    /// Value of an incomplete run in the line of progress.
    pub incomplete: &'static str,
    /// Words for the runs that are not listed under the present settings: «of another objective».
    pub elsewhere: &'static str,
}

impl Texts {
    /// Neutral words for a problem whose solutions are not edited by hand.
    pub const NEUTRAL: Self = Self {
        icon: Icon::Gantt,
        lacks: "The solution is incomplete.",
        preparing: "The first solution is being made.",
        watch: "Press Solve and watch it get better",
        project: None,
        by_hand: "the solution was made by hand",
        foreign_edits: "The edits do not fit this instance",
        incomplete: "not valid",
        elsewhere: "of other settings",
    };
}

/// Data of an instance of a problem, with demands.
pub type Instance<K> = <<K as DocumentKind>::Problem as Planning>::Instance;
pub(crate) type Algorithm<K> = <<K as DocumentKind>::Problem as Planning>::Algorithm;
/// The best so far, as a search reports it.
pub type Best<K> = <<K as DocumentKind>::Problem as Planning>::Best;
pub(crate) type Solution<K> = <<K as DocumentKind>::Problem as Planning>::Solution;

/// Solution and figures that a listed run holds.
pub trait CheckedRun<K: DocumentKind>: Clone + Send + 'static {
    /// Lets the checker judge a result and finds its solution in the instance; `None` if it cannot be listed.
    fn validate(instance: &Instance<K>, result: RunResult) -> Option<Run<K::Checked>>;

    /// Cost, less is better; only runs that are listed together are compared.
    fn cost(&self) -> f64;

    /// The solution of a run, as it is shown; `None` if it cannot be drawn.
    fn solution(_document: &Document<K>, _run: &Run<K::Checked>) -> Option<Arc<Solution<K>>> {
        None
    }
}

/// A solution with everything that follows from it, for the views.
pub trait Drawn<K: DocumentKind>: Send + Sync + 'static {
    /// Computes what the views need of a solution.
    fn of(document: &Document<K>, solution: Arc<Solution<K>>) -> Self;

    /// The solution.
    fn solution(&self) -> &Arc<Solution<K>>;
}

/// Everything that an export writes.
pub trait ExportedSolution<K: DocumentKind>: Sized + Send + 'static {
    /// Collects what an export in a format writes.
    ///
    /// # Errors
    /// Why there is nothing to write.
    fn of(document: &Document<K>, format: &Format) -> std::result::Result<Self, Refusal>;

    /// Encodes the solution in the format with this ending, and tells how far it is.
    ///
    /// # Errors
    /// The format cannot hold the solution, or the export was cancelled.
    fn bytes(&self, ending: &str, writing: &Writing) -> Result<Vec<u8>>;
}

/// A problem as its documents need it; the type itself is the state of the problem's views.
pub trait DocumentKind: Sized + Send + 'static {
    /// The problem without a window.
    type Problem: Planning;
    /// Locks, rules and other requirements that the user adds to the instance.
    type Demands: Clone + Default + PartialEq + Send + 'static;
    /// Solution and figures that a listed run holds.
    type Checked: CheckedRun<Self>;
    /// A solution with everything that follows from it, for the views.
    type Picture: Drawn<Self>;
    /// The views.
    type View: ViewKind;
    /// A selected item of the instance.
    type Selection: Clone + Debug + Send + 'static;
    /// Everything that an export writes.
    type Exported: ExportedSolution<Self>;

    /// Its words and icons.
    const TEXTS: Texts;
    /// Commands that only this problem has, in the order of the menus.
    const COMMANDS: &'static [ProblemCommand] = &[];
    /// True if two runs can be compared.
    const COMPARES: bool = false;
    /// True if a run can begin from the solution that is shown.
    const IMPROVES: bool = false;
    /// True if the end of a run that is worse than an earlier one shows the earlier one; false where a run itself is looked at.
    const SHOWS_BEST: bool = true;
    /// True if documents that are handed on are written in several languages.
    const LANGUAGES: bool = false;
    /// True if an edited solution can be listed as a run.
    const KEEPS_DRAFTS: bool = false;

    // Instance

    /// Options that [`Planning::open`] needs to open the instance of a stored run or project again.
    fn options_of(_stored: &BTreeMap<String, String>) -> Overrides {
        Overrides::default()
    }
    /// Options of an instance that a run or a project stores, by name.
    fn stored_options(_instance: &Instance<Self>) -> BTreeMap<String, String> {
        BTreeMap::new()
    }
    /// Options that a run stores, by name.
    fn run_options(request: &SolveRequest<Self>) -> BTreeMap<String, String> {
        Self::stored_options(&request.instance)
    }
    /// Views of an instance, in the order of their tabs.
    fn views(_instance: &Instance<Self>) -> Vec<Self::View> {
        Self::View::VARIANTS.to_vec()
    }
    /// State of the views of a newly opened instance.
    fn new(instance: &Instance<Self>) -> Self;
    /// Adapts a newly opened document, before its best run is shown.
    fn opened(_document: &mut Document<Self>) {}

    // Settings and runs

    /// Settings of the first run: by default those of the first algorithm with its own budget.
    fn default_settings() -> super::Settings<Self> {
        let algorithm = <Algorithm<Self>>::default();
        let budget = algorithm.descriptor().budget.unwrap_or(USUAL_BUDGET);
        super::Settings::<Self>::of(algorithm, budget)
    }
    /// Adapts the settings of the last instance to this one.
    fn fit_settings(settings: super::Settings<Self>, _instance: &Instance<Self>) -> super::Settings<Self> {
        settings
    }
    /// Adapts settings to the solution that a run begins with.
    fn fit_to_start(_settings: &mut super::Settings<Self>, _start: &Solution<Self>) {}
    /// Checks that a run could begin; whether one goes on already has been checked.
    ///
    /// # Errors
    /// A sentence that names the missing setting or data.
    fn ready(_document: &Document<Self>) -> std::result::Result<(), Refusal> {
        Ok(())
    }
    /// Checks that a run can begin from the solution that is shown, which exists.
    ///
    /// # Errors
    /// Why not.
    fn improvable(_document: &Document<Self>) -> std::result::Result<(), Refusal> {
        Ok(())
    }
    /// Device memory that a run needs; `None` if the CPU computes.
    ///
    /// # Errors
    /// Why the device cannot run it.
    fn memory_need(
        _instance: &Instance<Self>, _settings: &super::Settings<Self>, _backend: Backend, _limits: &Limits,
    ) -> Result<Option<MemoryNeed>> {
        Ok(None)
    }
    /// Returns `true` if a run is listed under the present settings and demands.
    fn is_listed(_document: &Document<Self>, _run: &Run<Self::Checked>) -> bool {
        true
    }
    /// Column «Best» of a run.
    fn figure(_document: &Document<Self>, run: &Run<Self::Checked>) -> String {
        quantity(run.checked.cost())
    }
    /// Value of a run in the line of progress.
    fn value(document: &Document<Self>, run: &Run<Self::Checked>) -> String {
        match run.status {
            RunStatus::Valid => Self::figure(document, run),
            RunStatus::Incomplete(_) => Self::TEXTS.incomplete.to_owned(),
            RunStatus::Wrong(_) => "wrong".to_owned(),
        }
    }
    /// Best value of the run in progress.
    fn best_value(_document: &Document<Self>, checkpoint: &Checkpoint<Best<Self>>) -> String {
        quantity(checkpoint.progress.snapshot.best_cost)
    }
    /// Notices on the end of a run.
    fn ending(ended: &Ended<Self::Checked>) -> Vec<Notice> {
        ended.notices(<Self::Problem>::PROBLEM.nouns().plan)
    }
    /// A run has begun; it will have the number [`Document::next_number`].
    fn run_begins(_document: &mut Document<Self>) {}
    /// A run has reported progress, which [`super::Live::checkpoint`] holds.
    fn run_progressed(_document: &mut Document<Self>) {}
    /// The run with this number has ended; `listed` is false if nothing was found.
    fn run_ended(_document: &mut Document<Self>, _number: usize, _listed: bool, _last: Option<&Best<Self>>) {}
    /// Returns `true` if one run may be shown instead of another one because it is better.
    fn is_comparable(_run: &Run<Self::Checked>, _other: &Run<Self::Checked>) -> bool {
        true
    }
    /// A run was taken from the list.
    fn run_removed(_document: &mut Document<Self>, _number: usize) {}

    // Curves

    /// Quantity that the convergence curves plot.
    fn quantity(document: &Document<Self>) -> Quantity;
    /// Known values to compare with.
    fn references(_document: &Document<Self>) -> Vec<Reference> {
        Vec::new()
    }
    /// Factor from the costs of a search to plotted values.
    fn curve_scale(_document: &Document<Self>) -> f64 {
        1.0
    }
    /// Plotted value of a cost before scaling; `None`: the cost itself.
    fn curve_value(_document: &Document<Self>) -> Option<Box<dyn Fn(f64) -> f64 + '_>> {
        None
    }
    /// Returns `true` if the curve of the run in progress contains the price of moved items.
    fn live_is_priced(_document: &Document<Self>) -> bool {
        false
    }

    // Pictures

    /// The solution in a progress report; `None` if it cannot be drawn yet.
    fn best_solution(instance: &Instance<Self>, best: &Arc<Best<Self>>) -> Option<Arc<Solution<Self>>>;
    /// Returns `true` if the view has something to show.
    fn has_picture(document: &Document<Self>) -> bool {
        document.picture().is_some()
    }
    /// A run will be shown next.
    fn before_run(_document: &mut Document<Self>, _number: usize) {}
    /// Another run, the run in progress or the draft is shown from now on.
    fn shown_changed(_document: &mut Document<Self>) {}
    /// Another solution is shown, or another moment of the run in progress; the picture is up to date.
    fn refreshed(_document: &mut Document<Self>) {}

    // Edits

    /// The demands of an instance.
    fn demands(_instance: &Instance<Self>) -> Self::Demands {
        Self::Demands::default()
    }
    /// The instance with other demands.
    fn with_demands(instance: &Instance<Self>, _demands: &Self::Demands) -> Instance<Self> {
        instance.clone()
    }
    /// Takes over into demands what people were told under `told`: versions that are published stay so.
    fn keep_published(_demands: &mut Self::Demands, _told: &Self::Demands) {}
    /// Demands with which an instance is opened, from its runs; `None`: those of its file.
    fn last_demands(_runs: &RunList<Self::Checked>, _instance: &Instance<Self>) -> Option<Self::Demands> {
        None
    }
    /// Checks that an edit or undo may lead to these demands now.
    ///
    /// # Errors
    /// Why not.
    fn may_change_to(_document: &Document<Self>, _demands: &Self::Demands) -> std::result::Result<(), Refusal> {
        Ok(())
    }
    /// Draft or demands have changed; `before` is the state before. The instance has its new demands and nothing old is
    /// shown.
    fn edited(_document: &mut Document<Self>, _before: &Work<Self>) {}
    /// Name of a run from which a draft is made, such as «run 3».
    fn draft_name(number: usize) -> String {
        format!("run {number}")
    }
    /// A solution made by hand as a search would report it, with its cost.
    fn made_by_hand(_request: &SolveRequest<Self>, _made: &Arc<Solution<Self>>) -> Option<(Arc<Best<Self>>, f64)> {
        None
    }
    /// Reads a solution file of the instance, with remarks on what does not match; `None` if the file is none.
    fn read_solution(_instance: &Instance<Self>, _path: &Path) -> Option<Result<(Solution<Self>, Vec<String>)>> {
        None
    }
    /// Difference of the draft to the solution that it was made from, such as «3 jobs moved».
    fn draft_words(_document: &Document<Self>, _draft: &super::Draft<Solution<Self>>) -> String {
        String::new()
    }
    /// Value of the draft that is shown; the text is empty if the draft is not valid.
    fn draft_value(_document: &Document<Self>) -> String {
        String::new()
    }
    /// Settings of a run that was made by hand.
    fn hand_settings(document: &Document<Self>) -> super::Settings<Self> {
        document.settings.clone()
    }

    // Data

    /// The tables that are shown, if demands of the user are data, too; `None`: those of the data.
    fn present_tables(_document: &Document<Self>) -> Option<Arc<Dataset>> {
        None
    }
    /// Finds the items of a solution for other data: those that are gone are left out, new ones are added where that does
    /// least harm. Returns remarks on what did not fit; `None` if nothing can be shown.
    /// `demands` are those under which the solution was made, as a project or a result stores them.
    fn carry(
        instance: &Instance<Self>, solution: &Encoded, _demands: Option<&Encoded>,
    ) -> Option<(Solution<Self>, Vec<String>)> {
        Some((Self::decode_draft(instance, solution)?, Vec::new()))
    }
    /// Demands for other data, in which rows may have other names, and remarks on those that no longer fit.
    fn carry_demands(
        _from: &Instance<Self>, _to: &Instance<Self>, demands: &Self::Demands, _names: &FormerNames,
    ) -> (Self::Demands, Vec<String>) {
        (demands.clone(), Vec::new())
    }

    // Projects

    /// Finds the items of a stored draft; `None` if they are not those of the instance.
    fn decode_draft(_instance: &Instance<Self>, _solution: &Encoded) -> Option<Solution<Self>> {
        None
    }
    /// The demands as a project stores them.
    fn encode_demands(_document: &Document<Self>) -> Option<Encoded> {
        None
    }
    /// Demands that a project stores; `None` if they are not of this problem.
    ///
    /// # Errors
    /// Why they do not fit the instance, in words.
    fn decode_demands(
        _instance: &Instance<Self>, _demands: &Encoded,
    ) -> std::result::Result<Option<Self::Demands>, String> {
        Ok(None)
    }
    /// Writes the settings of the views into a project, by name.
    fn save_view(_document: &Document<Self>, _view: &mut BTreeMap<String, String>) {}
    /// Takes the settings of the views from a project, which may lack any of them.
    fn restore_view(_document: &mut Document<Self>, _view: &BTreeMap<String, String>) {}
    /// Files that the views show, which a project keeps.
    fn attachments(_document: &Document<Self>) -> Attachments {
        Attachments::new()
    }
    /// Takes the files that the views show from a project, with the settings of the views.
    fn restore_attachments(
        _document: &mut Document<Self>, _view: &BTreeMap<String, String>, _attachments: &Attachments,
    ) {
    }
    /// Takes what the views show beside the data from `_before`, their state for the data before an edit.
    fn keep_attachments(_document: &mut Document<Self>, _before: Self) {}
    /// Settings of the views that the next document of the problem should begin with.
    fn remembered(_document: &Document<Self>) -> Option<Encoded> {
        None
    }
    /// Applies the settings of the views of the last document; what cannot be read is ignored.
    fn look_as_before(_document: &mut Document<Self>, _remembered: &Encoded) {}

    // Window

    /// Draws the controls beside the Solve button.
    fn settings_bar(ui: &mut Ui, document: &mut Document<Self>, devices: &[Device]) {
        let (is_solving, plan) = (document.is_solving(), <Self::Problem>::PROBLEM.nouns().plan);
        ui.add_enabled_ui(!is_solving, |ui| {
            let all = <Algorithm<Self>>::ALL;
            if all.len() > 1 {
                let help = "The search";
                let menu = AlgorithmMenu { offered: all, help, width: 104.0, refusal: &|_| None, baselines: "" };
                if let Some(algorithm) = menu.show(ui, &document.settings.algorithm) {
                    document.settings.algorithm = algorithm;
                }
            }
            if all.iter().any(|descriptor| descriptor.cpu_only.is_none()) {
                settings::device(ui, &mut document.settings, devices);
            }
            settings::limit(ui, &mut document.settings, 1_000, plan);
            settings::seed(ui, &mut document.settings.seed, plan);
        });
    }
    /// Draws the active rules below the settings.
    fn active_rules(_ui: &mut Ui, _document: &mut Document<Self>) {}
    /// Draws all parameters.
    fn parameters(ui: &mut Ui, document: &mut Document<Self>) {
        let is_solving = document.is_solving();
        settings::panel(ui, &mut document.settings, is_solving, parameters::show);
    }
    /// Draws facts about the selected item, or about the whole solution: by default the sizes and the value of the run.
    fn inspector(ui: &mut Ui, document: &mut Document<Self>) {
        section(ui, <Self::Problem>::name(&document.instance), |_| {});
        ui.label(<Self::Problem>::summary(&document.instance));
        if let Some(run) = document.shown_run() {
            fact(ui, Self::quantity(document).name, &Self::value(document, run));
        }
    }
    /// Draws the bars above the view: about edits, about a solution that is not valid.
    fn banners(_ui: &mut Ui, _document: &mut Document<Self>, _commands: &mut Vec<Command>) {}
    /// Returns `true` if the shown run was valid when it was solved and is not by the present data and rules.
    fn is_outdated(_document: &Document<Self>) -> bool {
        false
    }
    /// Returns `true` if the open view shows something without a solution.
    fn needs_no_picture(_document: &Document<Self>) -> bool {
        false
    }
    /// Draws the replacement of a view without a picture; returns `false` for the common empty state.
    fn instead(_ui: &mut Ui, _document: &Document<Self>, _commands: &mut Vec<Command>) -> bool {
        false
    }
    /// Status for which the common empty state shows a message.
    fn status_instead(document: &Document<Self>) -> Option<&RunStatus> {
        document.shown_run().map(|run| &run.status).filter(|it| matches!(it, RunStatus::Wrong(_)))
    }
    /// Draws the open view.
    fn show_view(ui: &mut Ui, document: &mut Document<Self>, commands: &mut Vec<Command>);
    /// Draws the problem's own dialogs.
    fn show_dialogs(_ctx: &Context, _document: &mut Document<Self>, _commands: &mut Vec<Command>) {}
    /// Returns `true` while one of the problem's own dialogs is open.
    fn is_asking(_document: &Document<Self>) -> bool {
        false
    }
    /// Shows all of the picture.
    fn fit(_document: &mut Document<Self>) {}
    /// Enlarges the picture by a factor.
    fn zoom(_document: &mut Document<Self>, _factor: f32) {}
    /// Returns `true` if an item is selected.
    fn has_selection(document: &Document<Self>) -> bool {
        document.selected.is_some()
    }
    /// Selects nothing.
    fn deselect(document: &mut Document<Self>) {
        document.selected = None;
    }
    /// Items that can be found by name, as index, name and one line of facts.
    fn items(_document: &Document<Self>) -> Vec<(usize, String, String)> {
        Vec::new()
    }
    /// Selects an item and brings it into view.
    fn go_to(_document: &mut Document<Self>, _item: usize) {}
    /// Moves the focus to the problem's own search field; `false`: there is none.
    fn find(_document: &mut Document<Self>) -> bool {
        false
    }
    /// Shows two runs beside each other.
    fn compare(_document: &mut Document<Self>, _runs: [usize; 2]) {}
    /// Returns `true` if a command of the problem stands for the choice that holds now; menus tick it.
    fn is_chosen(_document: &Document<Self>, _command: &ProblemCommand) -> bool {
        false
    }
    /// Checks that a command of the problem is possible.
    ///
    /// # Errors
    /// Why not.
    fn possible(_document: &Document<Self>, _command: &ProblemCommand) -> std::result::Result<(), Refusal> {
        Ok(())
    }
    /// Runs a command of the problem.
    ///
    /// # Errors
    /// Why that is not possible.
    fn run_command(_document: &mut Document<Self>, _command: &ProblemCommand) -> std::result::Result<(), Refusal> {
        Ok(())
    }

    // Export

    /// Checks that the shown solution may be exported; a solution that violates something may, and carries a stamp.
    ///
    /// # Errors
    /// Why not.
    fn exportable(document: &Document<Self>) -> std::result::Result<(), Refusal> {
        match (document.shown, document.picture()) {
            (Shown::Live, _) => Err("Stop the run first; what it found can be exported when it has been checked"),
            (_, Some(_)) => Ok(()),
            (Shown::Run(_), None) => Err("This result did not pass the check and cannot be exported"),
            _ => Err("Solve first; there is nothing to export yet"),
        }
    }
    /// Violations of the shown solution: by default those that the checker found when the run ended.
    fn violations(document: &Document<Self>) -> Vec<Violation> {
        document.shown_run().map_or_else(Vec::new, |run| run.result.verdict.violations.clone())
    }
    /// Checks that the shown solution can be written in a format.
    ///
    /// # Errors
    /// A sentence that names the missing data.
    fn may_export(document: &Document<Self>, format: &Format) -> std::result::Result<(), Refusal> {
        let origin = ExportOrigin::File(document.shown_run().map(|run| &*run.result));
        <Self::Problem>::check_export(&document.instance, &document.settings.goal, format.ending, origin)
            .map_err(|missing| missing.in_window)
    }
    /// The export dialog is about to be opened.
    fn begin_export(_document: &mut Document<Self>) {}
    /// Draws the problem's options in the export dialog.
    fn export_options(_ui: &mut Ui, _document: &mut Document<Self>, _format: &Format) {}
    /// Why a file must not be replaced by an export, if that is so.
    fn forbidden(document: &Document<Self>, path: &Path) -> Option<Refusal> {
        let mut inputs = <Self::Problem>::PROBLEM.input_files(&document.source);
        inputs.extend(document.project_file().map(Path::to_path_buf));
        let is_own = inputs.iter().any(|file| files::is_same(file, path));
        is_own.then_some(gridwright_core::export::formats::SOURCE)
    }
    /// The path with the ending of another format, changed so that no input is replaced.
    fn export_path(document: &Document<Self>, path: &Path, format: &Format) -> PathBuf {
        let plan = <Self::Problem>::PROBLEM.nouns().plan;
        let wanted =
            gridwright_core::export::formats::with_format(<Self::Problem>::FORMATS, path, format, plan, &['.']);
        gridwright_core::export::formats::harmless(wanted, format, plan, |path| {
            Self::forbidden(document, path).is_none()
        })
    }
}
