//! What a person does to an open instance: edits that can be taken back, solving around them, keeping it as a project.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use gridwright_solver::timetabling::check::{self, Verdict};
use gridwright_solver::timetabling::project::Project;
use gridwright_solver::timetabling::{Instance, Period, Reference, Rules, Timetable};

use super::desk::{Desk, Shown, View};
use super::editing::{Draft, Edit, History, Work};
use super::solving;

/// Everything around the instance that a person can change.
pub struct Bench {
    /// As it was opened.
    opened: Arc<Instance>,
    history: History,
    /// Where it is saved beside the program's own folder.
    pub(super) project: Option<PathBuf>,
    /// Whether it has changed since it was saved.
    pub(super) changed: bool,
    /// How many times it was asked to be saved.
    saves: Arc<AtomicU64>,
    /// What the checker says of the timetable that is shown, by the rules as they are now.
    verdict: Option<Arc<Verdict>>,
}

impl Bench {
    /// An instance as it was opened, with what was kept of it.
    pub fn new(opened: Instance, kept: Option<&Project>) -> Self {
        let mut work = Work::of(&opened);
        // What does not fit any more, because the file is another one, is left out.
        if let Some(fitted) = kept.and_then(|project| project.apply(opened.clone()).ok()) {
            work = Work::of(&fitted);
            let draft = kept.and_then(|project| project.draft.as_ref());
            work.draft = draft.map(|stored| Draft::of(&fitted, stored));
        }
        let history = History::new(work);
        Self { opened: Arc::new(opened), history, project: None, changed: false, saves: Arc::default(), verdict: None }
    }

    /// The instance with the present calendar and rules.
    pub fn instance(&self) -> Instance {
        self.history.present().applied_to(&self.opened)
    }

    /// The timetable that is being edited.
    pub fn draft(&self) -> Option<&Draft> {
        self.history.present().draft.as_ref()
    }
}

/// The draft is refused: there is nothing to change yet.
const NOTHING: &str = "Solve or open a timetable first; there is nothing to move yet";

impl Desk {
    /// The rules as they are now.
    pub fn rules(&self) -> &Rules {
        &self.instance.rules
    }

    /// The timetable that is being edited.
    pub fn draft(&self) -> Option<&Draft> {
        self.bench.draft()
    }

    /// What «Undo» and «Redo» would do.
    pub fn undo_names(&self) -> (Option<&str>, Option<&str>) {
        self.bench.history.names()
    }

    /// What the checker says of the timetable that is shown, by the rules as they are now; `None` while a run goes on.
    pub fn verdict(&self) -> Option<&Arc<Verdict>> {
        self.bench.verdict.as_ref()
    }

    /// Where it is saved beside the program's own folder.
    pub fn project_file(&self) -> Option<&std::path::Path> {
        self.bench.project.as_deref()
    }

    /// Saves it there from now on.
    pub fn set_project_file(&mut self, path: PathBuf) {
        self.bench.project = Some(path);
        self.bench.changed = true;
    }

    /// Whether anything has changed since it was last kept.
    pub fn has_changed(&self) -> bool {
        self.bench.changed
    }

    /// How many times it was asked to be saved, for the thread that writes.
    pub fn saves(&self) -> &Arc<AtomicU64> {
        &self.bench.saves
    }

    /// Everything is on its way to the disk.
    pub fn mark_kept(&mut self) {
        self.bench.changed = false;
    }

    /// Carries out changes that are taken back together.
    ///
    /// # Errors
    /// Why they cannot be made, in words.
    pub fn edit(&mut self, edits: Vec<Edit>) -> Result<(), &'static str> {
        let calendar = edits.iter().any(|edit| matches!(edit, Edit::Calendar(_)));
        if calendar && self.is_solving() {
            return Err("Stop the run first; the calendar cannot change while it goes on");
        }
        let mut all = Vec::new();
        let moves = edits.iter().any(|edit| matches!(edit, Edit::Move { .. }));
        if moves && self.shown != Shown::Draft {
            all.push(Edit::Start(self.new_draft().ok_or(NOTHING)?));
        }
        all.extend(edits);
        if self.bench.history.apply(&all, &self.instance) {
            if moves {
                self.shown = Shown::Draft;
            }
            self.changed();
        }
        Ok(())
    }

    /// Puts an exam into a period, or takes it out of its period.
    ///
    /// # Errors
    /// Why it cannot be moved, in words.
    pub fn move_exam(&mut self, exam: usize, period: Option<usize>) -> Result<(), &'static str> {
        self.edit(vec![Edit::Move { exam, period }])
    }

    /// A draft of the timetable that is shown.
    fn new_draft(&self) -> Option<Draft> {
        let timetable = Arc::clone(&self.picture()?.timetable);
        let from = match self.shown {
            Shown::Run(number) => format!("Run {number}"),
            _ => format!("Run {}", self.next_number()),
        };
        Some(Draft { from, base: Arc::clone(&timetable), timetable })
    }

    /// Takes the last change back; returns what it was called.
    pub fn undo(&mut self) -> Option<String> {
        let name = self.bench.history.undo()?;
        self.changed();
        Some(name)
    }

    /// Makes a change again that was taken back.
    pub fn redo(&mut self) -> Option<String> {
        let name = self.bench.history.redo()?;
        self.changed();
        Some(name)
    }

    /// Shows the timetable that is being edited, if there is one.
    pub fn show_draft(&mut self) {
        if self.draft().is_some() {
            self.shown = Shown::Draft;
            self.refresh();
        }
    }

    /// Other periods, dates or seats.
    ///
    /// # Errors
    /// Why they cannot be changed, in words.
    pub fn set_calendar(&mut self, calendar: Vec<Period>) -> Result<(), &'static str> {
        self.edit(vec![Edit::Calendar(calendar)])
    }

    /// Demands from now on that exams stay where `timetable` has them, unless moving one saves `weight` in raw cost;
    /// exams that were moved by hand are pinned where they were put.
    ///
    /// # Errors
    /// Why there is nothing to stay close to, in words.
    pub fn stay_close(&mut self, weight: u32, keep_moves: bool) -> Result<(), &'static str> {
        let (timetable, keep) = match (self.shown, self.draft()) {
            (Shown::Draft, Some(draft)) => {
                (Timetable::clone(&draft.base), if keep_moves { draft.moved() } else { Vec::new() })
            }
            _ => (Timetable::clone(&self.picture().ok_or(NOTHING)?.timetable), Vec::new()),
        };
        self.edit(vec![Edit::StayClose { reference: Reference { timetable, weight }, keep }])
    }

    /// The present work reaches everything that shows it.
    fn changed(&mut self) {
        let before = self.instance.period_count();
        self.instance = Arc::new(self.bench.instance());
        self.bench.changed = true;
        self.forget_picture();
        if self.shown == Shown::Draft && self.draft().is_none() || before != self.instance.period_count() {
            if self.draft().is_some() { self.show_draft() } else { self.show_best() }
        } else {
            self.refresh();
        }
        self.recount();
    }

    /// Counts that depend on days and seats are counted anew.
    fn recount(&mut self) {
        use gridwright_solver::timetabling::counts::OfficerCounts;
        let instance = Arc::clone(&self.instance);
        for run in self.runs.iter_mut().filter(|run| run.periods == instance.period_count()) {
            if run.calendar != instance.periods {
                run.counts = Arc::new(OfficerCounts::of(&instance, &run.timetable));
                run.calendar.clone_from(&instance.periods);
            }
        }
    }

    /// Lets the checker judge what is shown.
    pub(super) fn judge(&mut self) {
        self.bench.verdict = match (self.shown, self.picture()) {
            (Shown::Run(_) | Shown::Draft, Some(picture)) => {
                Some(Arc::new(check::check(&self.instance, &picture.timetable)))
            }
            _ => None,
        };
    }

    /// Everything as a project keeps it.
    pub fn to_project(&self) -> Project {
        let mut project = Project::of(&self.instance, &self.source);
        project.draft = self.draft().map(|draft| draft.stored(&self.instance));
        if self.bench.project.is_some() {
            project.runs = self.runs.iter().map(|run| (*run.result).clone()).collect();
        }
        project.view.insert("view".to_owned(), self.view.name().to_owned());
        let shown = match self.shown {
            Shown::Draft => "draft".to_owned(),
            Shown::Run(number) => number.to_string(),
            Shown::Live | Shown::Nothing => String::new(),
        };
        project.view.insert("shown".to_owned(), shown);
        project
    }

    /// Looks at it as it was looked at.
    pub(super) fn restore_view(&mut self, project: &Project) {
        let view = project.view.get("view").and_then(|name| View::ALL.into_iter().find(|view| view.name() == name));
        self.view = view.unwrap_or(self.view);
        match project.view.get("shown").map(String::as_str) {
            Some("draft") => self.show_draft(),
            Some(number) => {
                if let Some(number) = number.parse().ok().filter(|&number| self.run(number).is_some()) {
                    self.show_run(number);
                }
            }
            None => {}
        }
    }

    /// Takes in runs that a project brings along and that are not listed yet.
    pub(super) fn take_runs(&mut self, project: &Project) {
        for result in &project.runs {
            if self.runs.iter().any(|run| *run.result == *result) {
                continue;
            }
            let periods = solving::periods_of(result, &self.instance);
            if let Ok(fitted) = Instance::clone(&self.instance).with_periods(periods) {
                let mut run = solving::admit(&fitted, result.clone());
                run.number = self.next_number();
                self.runs.push(run);
            }
        }
    }
}
