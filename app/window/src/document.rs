//! An open instance of any problem: its runs, the run in progress, the solution that is shown, edits with their history,
//! saving as a project, opening and exporting.
//!
//! [`Document`] holds the state that documents of all problems have in common; [`DocumentKind`] is what a problem adds.
//! The window knows documents as [`ProblemView`]s.

mod data;
mod deciding;
mod edits;
mod elsewhere;
mod forwarding;
pub mod frames;
mod keeping;
pub mod kind;
mod opening;
mod parameters;
mod place;
mod rules;
mod running;
pub mod solutions;
mod stamps;
mod tables;
mod updating;
mod view;
mod watching;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use gridwright_core::Result;
use gridwright_core::data::import::SheetReading;
use gridwright_core::planning::Planning as _;
use gridwright_core::problem::Overrides;
use gridwright_core::store::OfEqualData;
use gridwright_core::text::sentence_case;
use place::Place;
use stamps::Watch;
use tables::Pending;

use crate::data_view::DataView;
use crate::document::kind::{Best, Instance, Solution};
use crate::projects::Keeper;
use crate::runs::{self, Ended, RunList, RunStatus, Shown};
use crate::session::{Checkpoint, Session};
use crate::widgets::convergence::Look;
use crate::widgets::notice::{Cause, Notice};

pub use edits::{Draft, History, Work};
pub use kind::{CheckedRun, DocumentKind, Drawn, ExportedSolution, Refusal, SolutionView, Texts, ViewKind};
pub(crate) use opening::Opening;
pub(crate) use running::Operations;
pub use running::Solver;
pub use tables::Data;
pub use view::ProblemView;
pub(crate) use view::{Listed, Progress, Removed};

/// Settings of a run of a problem.
pub type Settings<K> = gridwright_core::planning::Settings<<K as DocumentKind>::Problem>;

/// A listed run of a problem.
pub type Run<K> = runs::Run<<K as DocumentKind>::Checked>;

/// A solve of an instance that was asked for.
pub struct SolveRequest<K: DocumentKind> {
    /// The instance with its demands.
    pub instance: Arc<Instance<K>>,
    /// Source of the instance: a path, `sample:…` or a name that generates it.
    pub source: String,
    /// Name under which the run is kept.
    pub key: String,
    /// Algorithm, parameters, device, seed and limits.
    pub settings: Settings<K>,
    /// Solution to begin with; `None` for a new one.
    pub start: Option<Arc<Solution<K>>>,
}

impl<K: DocumentKind> Clone for SolveRequest<K> {
    fn clone(&self) -> Self {
        let Self { instance, source, key, settings, start } = self;
        Self {
            instance: Arc::clone(instance),
            source: source.clone(),
            key: key.clone(),
            settings: settings.clone(),
            start: start.clone(),
        }
    }
}

/// A run in progress.
pub struct Live<K: DocumentKind> {
    /// Worker thread of the run.
    pub(crate) session: Session<Best<K>, Ended<K::Checked>>,
    /// Settings that the run was started with.
    pub settings: Settings<K>,
    /// Instance that is solved, with the demands at the start of the run.
    pub instance: Arc<Instance<K>>,
    /// Last progress report and checkpoint of the run.
    pub checkpoint: Option<Checkpoint<Best<K>>>,
}

/// An open instance.
pub struct Document<K: DocumentKind> {
    /// The instance with the present demands.
    pub instance: Arc<Instance<K>>,
    /// Source of the instance: a path, `sample:…` or a name that generates it.
    pub source: String,
    /// Settings of the next run.
    pub settings: Settings<K>,
    /// Runs that ended, oldest first, of all settings and demands.
    pub runs: RunList<K::Checked>,
    /// The run in progress.
    pub live: Option<Live<K>>,
    /// Solution that is shown.
    pub shown: Shown,
    /// View that is shown.
    pub view: K::View,
    /// Selected item.
    pub selected: Option<K::Selection>,
    /// True while the picture has the keyboard focus.
    pub canvas_focused: bool,
    /// True if the picture had the keyboard focus when it was painted last.
    pub(crate) had_focus: bool,
    /// Display options of the convergence chart.
    pub look: Look,
    /// True to show the runs where only one of convergence and runs fits.
    pub runs_instead: bool,
    /// The dialog *What if…*, while it is open.
    deciding: Option<Box<deciding::Deciding<K>>>,
    /// Solution that the shown one is compared with: a run, or the solution before the edits.
    pub ghost: Option<Shown>,
    /// Number of the run that is shown when it ends, even if an earlier one is better.
    awaited: Option<usize>,
    /// Notices to be shown next.
    pub sayings: Vec<Notice>,
    /// State of the problem's views.
    pub state: K,
    data_view: DataView,
    data_open: bool,
    /// Data that are being read.
    pending: Option<Pending<Instance<K>>>,
    history: History<Work<K>>,
    /// Hash of the file that the data were read from.
    source_hash: String,
    opened_data: Arc<Data<Instance<K>>>,
    /// How the tables were read, for the next update from files.
    readings: Vec<SheetReading>,
    /// Place where runs and edits are kept; changes of the data do not change it.
    place: Place,
    /// Runs and rules of other documents with equal data, until the person takes them over.
    of_equal_data: OfEqualData,
    watch: Watch<Instance<K>>,
    keeper: Keeper,
    picture: Option<Arc<K::Picture>>,
    compared: Option<(Shown, Arc<K::Picture>)>,
    revision: u64,
    /// Number of edits, undone and redone ones included.
    edits: u64,
    /// Solution that was shown at the last refresh.
    seen: Shown,
}

/// Gives access to the state of the problem's views.
impl<K: DocumentKind> Deref for Document<K> {
    type Target = K;

    fn deref(&self) -> &K {
        &self.state
    }
}

impl<K: DocumentKind> DerefMut for Document<K> {
    fn deref_mut(&mut self) -> &mut K {
        &mut self.state
    }
}

impl<K: DocumentKind> Document<K> {
    /// A document of an instance with these runs; the best run is shown.
    pub fn new(instance: Instance<K>, source: &str, settings: Settings<K>, runs: RunList<K::Checked>) -> Self {
        let state = K::new(&instance);
        let data = Data::of(&instance);
        let work =
            Work { draft: None, demands: K::demands(&instance), data: Arc::clone(&data), letterhead: Arc::default() };
        let mut document = Self {
            settings: K::fit_settings(settings, &instance),
            place: Place::of(<K::Problem>::name(&instance), <K::Problem>::hash(&instance), source),
            of_equal_data: OfEqualData::default(),
            source_hash: <K::Problem>::hash(&instance).to_owned(),
            opened_data: data,
            readings: Vec::new(),
            instance: Arc::new(instance),
            source: source.to_owned(),
            watch: Watch::of(source),
            runs,
            live: None,
            shown: Shown::Nothing,
            view: K::View::default(),
            selected: None,
            canvas_focused: false,
            had_focus: false,
            look: Look::default(),
            runs_instead: false,
            deciding: None,
            ghost: None,
            awaited: None,
            sayings: Vec::new(),
            state,
            data_view: DataView::default(),
            data_open: false,
            pending: None,
            history: History::new(work),
            keeper: Keeper::default(),
            picture: None,
            compared: None,
            revision: 0,
            edits: 0,
            seen: Shown::Nothing,
        };
        K::opened(&mut document);
        document.show_best();
        document
    }

    /// The name under which runs of the document are kept.
    pub fn key(&self) -> String {
        self.place.key.clone()
    }

    /// One line: sizes.
    pub fn facts_line(&self) -> String {
        <K::Problem>::summary(&self.instance)
    }

    /// Runs under the present settings and demands, newest first.
    pub fn listed(&self) -> impl DoubleEndedIterator<Item = &Run<K>> {
        self.runs.iter().rev().filter(|run| K::is_listed(self, run))
    }

    /// The run with this number; `None` if there is none.
    pub fn run(&self, number: usize) -> Option<&Run<K>> {
        self.runs.run(number)
    }

    /// The run that is shown, if it is one that ended.
    pub fn shown_run(&self) -> Option<&Run<K>> {
        match self.shown {
            Shown::Run(number) => self.run(number),
            _ => None,
        }
    }

    /// Number of the run in progress.
    pub fn next_number(&self) -> usize {
        self.runs.next_number()
    }

    /// The best valid run of those that are listed; `None` if none is valid.
    pub(crate) fn best_run(&self) -> Option<&Run<K>> {
        let valid = self.listed().filter(|run| run.status == RunStatus::Valid);
        valid.min_by(|a, b| a.checked.cost().total_cmp(&b.checked.cost()))
    }

    /// Shows the best run.
    pub fn show_best(&mut self) {
        let best = self.best_run().or_else(|| self.listed().next());
        self.shown = best.map_or(Shown::Nothing, |run| Shown::Run(run.number));
        self.refresh();
    }

    /// Shows a run of any settings and demands.
    pub fn show_run(&mut self, number: usize) {
        if self.run(number).is_some() {
            K::before_run(self, number);
            self.shown = Shown::Run(number);
            self.refresh();
        }
    }

    /// Shows the best solution so far of the run in progress.
    pub(crate) fn show_live(&mut self) {
        if self.live.is_some() {
            self.shown = Shown::Live;
            self.refresh();
        }
    }

    /// Returns `true` while a run is in progress.
    pub fn is_solving(&self) -> bool {
        self.live.is_some()
    }

    /// Returns `true` if the picture had the keyboard focus when it was painted last.
    pub fn canvas_had_focus(&self) -> bool {
        self.had_focus
    }

    /// Checks that a run could be started.
    ///
    /// # Errors
    /// A sentence that names the missing setting or data.
    pub fn ready(&self) -> std::result::Result<(), Refusal> {
        if self.is_solving() { Err("A run goes on") } else { K::ready(self) }
    }

    /// The solution that is shown, with what follows from it; a result that contradicts the checker is never shown.
    pub fn picture(&self) -> Option<&Arc<K::Picture>> {
        self.picture.as_ref()
    }

    /// Changes with every other picture.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Drops the pictures, which were computed for other demands.
    pub(crate) fn forget_picture(&mut self) {
        (self.picture, self.compared) = (None, None);
    }

    /// The solution that is to be shown, if there is one.
    pub fn solution(&self, shown: Shown) -> Option<Arc<Solution<K>>> {
        match shown {
            Shown::Nothing => None,
            Shown::Live => {
                let live = self.live.as_ref()?;
                K::best_solution(&live.instance, &live.checkpoint.as_ref()?.progress.snapshot.best)
            }
            Shown::Run(number) => {
                let run = self.run(number).filter(|run| !matches!(run.status, RunStatus::Wrong(_)))?;
                K::Checked::solution(self, run)
            }
            Shown::Draft => self.draft().map(|draft| Arc::clone(&draft.solution)),
        }
    }

    /// Brings the picture up to date with what is to be shown.
    pub fn refresh(&mut self) {
        let wanted = self.solution(self.shown);
        let same = match (&wanted, &self.picture) {
            (Some(wanted), Some(picture)) => {
                let drawn = K::Picture::solution(picture);
                Arc::ptr_eq(wanted, drawn) || **wanted == **drawn
            }
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.picture = wanted.map(|solution| Arc::new(K::Picture::of(self, solution)));
            self.revision += 1;
        }
        self.refresh_compared();
        if std::mem::replace(&mut self.seen, self.shown) != self.shown {
            K::shown_changed(self);
        }
        K::refreshed(self);
    }

    /// Brings the compared picture up to date; what is compared with may have gone.
    fn refresh_compared(&mut self) {
        let ghost = self.ghost.and_then(|ghost| Some((ghost, self.compared_solution(ghost)?)));
        self.ghost = ghost.as_ref().map(|ghost| ghost.0);
        let is_known = ghost.as_ref().zip(self.compared.as_ref()).is_some_and(|((of, solution), (known, picture))| {
            of == known && **K::Picture::solution(picture) == **solution
        });
        if !is_known {
            self.compared = ghost.map(|(of, solution)| (of, Arc::new(K::Picture::of(self, solution))));
        }
    }

    fn compared_solution(&self, with: Shown) -> Option<Arc<Solution<K>>> {
        match with {
            Shown::Draft => self.draft().map(|draft| Arc::clone(&draft.base)),
            other => self.solution(other),
        }
    }

    /// The picture that the shown one is compared with, and its display name; `None` if nothing is compared.
    pub fn compared(&self) -> Option<(String, &Arc<K::Picture>)> {
        let (of, picture) = self.compared.as_ref().filter(|(of, _)| *of != self.shown || *of == Shown::Draft)?;
        Some((self.compared_name(*of), picture))
    }

    /// The solutions that the shown one can be compared with, and their names.
    pub fn comparable(&self) -> Vec<(Shown, String)> {
        let runs = self.runs.iter().rev().map(|run| Shown::Run(run.number));
        let mut all: Vec<Shown> = runs.filter(|run| *run != self.shown && self.solution(*run).is_some()).collect();
        if self.shown == Shown::Draft {
            all.insert(0, Shown::Draft);
        }
        all.into_iter().map(|of| (of, self.compared_name(of))).collect()
    }

    fn compared_name(&self, of: Shown) -> String {
        if of == Shown::Draft { "Before the edits".to_owned() } else { self.name_of(of) }
    }

    /// Compares the shown solution with this one from now on.
    pub fn compare_with(&mut self, with: Option<Shown>) {
        self.ghost = with;
        self.refresh();
    }

    /// Display name of a solution.
    pub fn name_of(&self, shown: Shown) -> String {
        match shown {
            Shown::Run(number) => self.run(number).map_or_else(|| format!("Run {number}"), Run::<K>::title),
            Shown::Live => format!("Run {}, best so far", self.next_number()),
            Shown::Draft => "Edited".to_owned(),
            Shown::Nothing => "Nothing".to_owned(),
        }
    }

    /// Removes a run from the list; if it was shown, the best of the others is shown.
    pub(crate) fn remove_run(&mut self, number: usize) -> Option<Run<K>> {
        let run = self.runs.remove(number)?;
        self.keeper.touch_runs();
        K::run_removed(self, number);
        if self.shown == Shown::Run(number) {
            self.show_best();
        }
        self.refresh();
        Some(run)
    }

    /// Puts a run back into the list, and shows it if nothing else is shown; it gets a new number if another run has its
    /// number by now.
    pub(crate) fn insert_run(&mut self, run: Run<K>) {
        let number = self.runs.insert(run);
        self.keeper.touch_runs();
        let fits = self.run(number).is_some_and(|run| K::is_listed(self, run));
        if self.shown == Shown::Nothing && fits {
            self.show_run(number);
        }
    }

    /// Records that something in the views has changed that a project keeps and that would be missed.
    pub fn touch_views(&mut self) {
        self.keeper.touch();
    }

    /// Adds an error.
    pub fn tell_error(&mut self, heading: impl Into<String>, words: impl Into<String>) {
        self.sayings.push(Notice::error(heading, words));
    }

    /// Adds a notice that an action is not possible now.
    pub fn say(&mut self, words: impl Into<String>) {
        self.sayings.push(Notice::refusal("This is not possible now", words.into()));
    }

    /// Adds a warning about what the present edit brought; the next edit and «Undo» take it away.
    pub fn warn_of_edit(&mut self, heading: impl Into<String>, words: impl Into<String>) {
        self.sayings.push(Notice::warning(heading, words).because_of(Cause::Edits(self.edits)));
    }

    /// Adds a notice that an edit was made, which goes when the edit is taken back.
    pub fn tell_of_edit(&mut self, heading: impl Into<String>, words: impl Into<String>) {
        self.sayings.push(Notice::success(heading, words).because_of(Cause::Edits(self.edits)));
    }

    /// Adds a notice that something was done.
    pub fn tell_done(&mut self, heading: impl Into<String>, words: impl Into<String>) {
        self.sayings.push(Notice::success(heading, words));
    }

    /// The solution that is being edited; `None` if nothing is edited.
    pub fn draft(&self) -> Option<&Draft<Solution<K>>> {
        self.history.present().draft.as_ref()
    }

    /// Draft and demands as they are now.
    pub fn work(&self) -> &Work<K> {
        self.history.present()
    }

    /// The state from which a change of this series goes on; see [`History::before_series`].
    pub fn work_before(&self, series: Option<&'static str>) -> &Work<K> {
        self.history.before_series(series)
    }

    /// Names of the changes that «Undo» and «Redo» would apply.
    pub fn undo_names(&self) -> (Option<&str>, Option<&str>) {
        self.history.names()
    }

    /// Changes draft or demands; `name` follows «Undo» in the menu.
    ///
    /// # Errors
    /// Why that is not possible now.
    pub fn change(
        &mut self, name: &str, work: Work<K>, series: Option<&'static str>,
    ) -> std::result::Result<(), Refusal> {
        K::may_change_to(self, &work.demands)?;
        let before = self.history.present().clone();
        if self.history.change(name, work, series) {
            self.changed(&before);
        }
        Ok(())
    }

    /// Edits the solution that is shown: what is edited already goes on, otherwise a new draft begins.
    ///
    /// # Errors
    /// Why that is not possible now.
    pub fn edit(&mut self, name: &str, solution: Solution<K>) -> std::result::Result<(), Refusal> {
        let Some(Draft { from, base, .. }) = self.draft_of_shown() else {
            return Err("There is nothing to change yet");
        };
        let draft = Some(Draft { from, base, solution: Arc::new(solution) });
        self.change(name, Work { draft, ..self.work().clone() }, None)
    }

    /// The draft, if it is shown, otherwise a new one of the solution that is shown.
    pub fn draft_of_shown(&self) -> Option<Draft<Solution<K>>> {
        if self.shown == Shown::Draft {
            return self.draft().cloned();
        }
        let solution = Arc::clone(K::Picture::solution(self.picture()?));
        let number = match self.shown {
            Shown::Run(number) => number,
            _ => self.next_number(),
        };
        Some(Draft { from: K::draft_name(number), base: Arc::clone(&solution), solution })
    }

    /// Undoes the last change.
    ///
    /// # Errors
    /// Why that is not possible now.
    pub fn undo(&mut self) -> std::result::Result<(), Refusal> {
        let to = self.history.neighbours().0.ok_or("Nothing has been changed")?;
        K::may_change_to(self, &to.demands)?;
        self.go(History::undo)
    }

    /// Makes a change again that was taken back.
    ///
    /// # Errors
    /// Why that is not possible now.
    pub fn redo(&mut self) -> std::result::Result<(), Refusal> {
        let to = self.history.neighbours().1.ok_or("Nothing has been taken back")?;
        K::may_change_to(self, &to.demands)?;
        self.go(History::redo)
    }

    fn go(&mut self, step: fn(&mut History<Work<K>>) -> bool) -> std::result::Result<(), Refusal> {
        let (before, shown) = (self.history.present().clone(), self.shown);
        if step(&mut self.history) {
            self.changed(&before);
            self.tell_of_other_plan(shown);
        }
        Ok(())
    }

    /// Tells that a step back or forth has left the run that was shown for the edits of another one.
    fn tell_of_other_plan(&mut self, before: Shown) {
        let (Shown::Run(number), Shown::Draft) = (before, self.shown) else { return };
        let Some(from) = self.draft().map(|draft| draft.from.clone()).filter(|from| *from != K::draft_name(number))
        else {
            return;
        };
        let heading = format!("{} with your edits is shown now", sentence_case(&from));
        let words = format!(
            "The step belongs to these edits. {} is as it was, in the list of runs.",
            sentence_case(&K::draft_name(number))
        );
        self.warn_of_edit(heading, words);
    }

    /// Shows the draft.
    pub fn show_draft(&mut self) {
        if self.draft().is_some() {
            self.shown = Shown::Draft;
            self.refresh();
        }
    }

    /// Discards the draft; demands stay.
    ///
    /// # Errors
    /// Why that is not possible now.
    pub(crate) fn discard(&mut self) -> std::result::Result<(), Refusal> {
        if self.draft().is_none() {
            return Err("Nothing is being edited");
        }
        self.change("discard the edits", Work { draft: None, ..self.work().clone() }, None)
    }

    /// Clears draft and history, after the draft was kept elsewhere.
    fn end_edits(&mut self) {
        self.keeper.touch();
        self.history = History::new(Work { draft: None, ..self.work().clone() });
    }

    /// Replaces draft and demands without a history, as when a document is opened.
    fn take_work(&mut self, work: Work<K>) {
        let data_changed = !Arc::ptr_eq(&work.data, &self.work().data);
        if work.demands != self.work().demands || data_changed {
            self.instance = Arc::new(K::with_demands(&work.data.instance, &work.demands));
            self.settings = K::fit_settings(self.settings.clone(), &self.instance);
        }
        self.history = History::new(work);
        self.forget_picture();
        if data_changed {
            self.data_changed();
        }
        self.refresh();
    }

    /// Brings instance and picture up to date with the present draft and demands.
    fn changed(&mut self, before: &Work<K>) {
        self.keeper.touch();
        self.edits += 1;
        let work = self.history.present();
        let (demands_changed, draft_changed) = (work.demands != before.demands, work.draft != before.draft);
        let has_draft = work.draft.is_some();
        let data_changed = !Arc::ptr_eq(&work.data.instance, &before.data.instance);
        if demands_changed || data_changed {
            self.instance = Arc::new(K::with_demands(&work.data.instance, &work.demands));
            self.forget_picture();
        }
        if data_changed {
            self.data_changed();
        }
        if draft_changed && has_draft {
            // A draft that is carried over to other data is shown only if it was shown before.
            if !data_changed {
                self.shown = Shown::Draft;
            }
        } else if draft_changed && self.shown == Shown::Draft {
            self.shown = self.origin(before);
        }
        K::edited(self, before);
        self.refresh();
    }

    /// Brings settings, views and runs up to date with another instance.
    fn data_changed(&mut self) {
        self.settings = K::fit_settings(self.settings.clone(), &self.instance);
        let mut view = std::collections::BTreeMap::new();
        K::save_view(self, &mut view);
        self.selected = None;
        let before = std::mem::replace(&mut self.state, K::new(&self.instance));
        K::keep_attachments(self, before);
        K::opened(self);
        self.judge_again();
        K::restore_view(self, &view);
    }

    /// The run from which a draft that is no longer there was made, otherwise the best one.
    fn origin(&self, before: &Work<K>) -> Shown {
        let base = before.draft.as_ref().map(|draft| &draft.base);
        let is_origin =
            |run: &&Run<K>| K::Checked::solution(self, run).zip(base).is_some_and(|(own, base)| own == *base);
        let origin = self.listed().find(is_origin).or_else(|| self.best_run()).or_else(|| self.listed().next());
        origin.map_or(Shown::Nothing, |run| Shown::Run(run.number))
    }
}

/// Opens an instance; tests replace it.
pub(crate) type Opener<K> = Arc<dyn Fn(&str, &Overrides) -> Result<Instance<K>> + Send + Sync>;
