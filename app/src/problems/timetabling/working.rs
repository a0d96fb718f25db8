//! Work on an open instance: undoable edits, solving around them, keeping it as a project.

use std::sync::Arc;

use gridwright_solver::Error;
use gridwright_solver::timetabling::check::{self, Verdict};
use gridwright_solver::timetabling::contradictions::contradictions;
use gridwright_solver::timetabling::moves::{Consequence, by_hand};
use gridwright_solver::timetabling::project::Project;
use gridwright_solver::timetabling::{Instance, Period, Reference, Rules, Timetable};

use super::adjusting::Moved;
use super::desk::{Desk, Shown};
use super::editing::{Draft, Edit, History, Work};
use super::solving::Standing;
use crate::projects::Keeper;
use crate::widgets::notice::Notice;

/// Editing state of the instance: undo history, project file, cached verdicts.
pub struct Bench {
    /// Instance as it was opened.
    pub(super) opened: Arc<Instance>,
    history: History,
    /// Project file of the instance and the state of its unsaved changes.
    pub(super) keeper: Keeper<Project>,
    /// The checker's verdict on the shown timetable by the present rules.
    judged: Option<Judged>,
    /// Contradictions among the rules of this instance.
    against: Option<(Arc<Instance>, Arc<Vec<String>>)>,
    effects: Option<Effects>,
}

/// Verdict of the checker, with the instance and timetable that it belongs to.
struct Judged {
    instance: Arc<Instance>,
    timetable: Arc<Timetable>,
    verdict: Arc<Verdict>,
}

/// Consequences of moving an exam to each period, with the instance and timetable that they belong to.
struct Effects {
    instance: Arc<Instance>,
    timetable: Option<Arc<Timetable>>,
    exam: usize,
    found: Arc<Vec<Consequence>>,
}

impl Bench {
    /// Creates the editing state of an opened instance, with its kept changes.
    ///
    /// # Errors
    /// Error if the stored changes do not fit the instance, which is then as it was opened.
    pub fn new(opened: Instance, kept: Option<&Project>) -> (Self, Result<(), Error>) {
        let mut work = Work::of(&opened);
        let fitted = match kept.map(|project| (project, project.apply(opened.clone()))) {
            Some((project, Ok(fitted))) => {
                work = Work::of(&fitted);
                work.draft = project.draft.as_ref().map(|stored| Draft::of(&fitted, stored));
                Ok(())
            }
            Some((_, Err(error))) => Err(error),
            None => Ok(()),
        };
        let (opened, history) = (Arc::new(opened), History::new(work));
        let keeper = Keeper::default();
        let bench = Self { opened, history, keeper, judged: None, against: None, effects: None };
        (bench, fitted)
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

/// The calendar cannot change now.
const SOLVING: &str = "Stop the run first; the calendar cannot change while it goes on";

/// The draft is refused: there is nothing to change yet.
const NOTHING: &str = "Solve or open a timetable first; there is nothing to move yet";

impl Desk {
    /// The present rules.
    pub fn rules(&self) -> &Rules {
        &self.instance.rules
    }

    /// The timetable that is being edited.
    pub fn draft(&self) -> Option<&Draft> {
        self.bench.draft()
    }

    /// Names of the edits that «Undo» and «Redo» would apply.
    pub fn undo_names(&self) -> (Option<&str>, Option<&str>) {
        self.bench.history.names()
    }

    /// The checker's verdict on the shown timetable by the present rules; `None` during a run.
    pub fn verdict(&self) -> Option<&Arc<Verdict>> {
        self.bench.judged.as_ref().map(|judged| &judged.verdict)
    }

    /// Number of present rules that the shown run violates although it was valid by the rules of its time.
    pub fn outdated(&self) -> usize {
        let valid = self.shown_run().is_some_and(|run| run.standing == Standing::Valid);
        self.verdict().filter(|_| valid).map_or(0, |verdict| verdict.violations.len())
    }

    /// Returns the contradictions among the present rules.
    pub fn contradictions(&mut self) -> Arc<Vec<String>> {
        if let Some((_, known)) = self.bench.against.as_ref().filter(|(of, _)| Arc::ptr_eq(of, &self.instance)) {
            return Arc::clone(known);
        }
        let found = Arc::new(contradictions(&self.instance));
        self.bench.against = Some((Arc::clone(&self.instance), Arc::clone(&found)));
        found
    }

    /// Returns the consequence of moving an exam by hand to each period; without a timetable, as if no exam had a
    /// period.
    pub fn effects(&mut self, exam: usize) -> Arc<Vec<Consequence>> {
        let timetable = self.picture().map(|picture| Arc::clone(&picture.timetable));
        let same = |known: &&Effects| {
            let timetables = match (&known.timetable, &timetable) {
                (Some(then), Some(now)) => Arc::ptr_eq(then, now),
                (then, now) => then.is_none() && now.is_none(),
            };
            timetables && known.exam == exam && Arc::ptr_eq(&known.instance, &self.instance)
        };
        if let Some(known) = self.bench.effects.as_ref().filter(same) {
            return Arc::clone(&known.found);
        }
        let instance = Arc::clone(&self.instance);
        let found = Arc::new(match &timetable {
            Some(timetable) => by_hand(&instance, timetable, exam),
            None => by_hand(&instance, &Timetable::unplaced(instance.exam_count()), exam),
        });
        self.bench.effects = Some(Effects { instance, timetable, exam, found: Arc::clone(&found) });
        found
    }

    /// Carries out changes that are taken back together.
    ///
    /// # Errors
    /// Error with the reason in words if the edits cannot be made.
    pub fn edit(&mut self, edits: Vec<Edit>) -> Result<(), &'static str> {
        let calendar = edits.iter().any(|edit| matches!(edit, Edit::Calendar(_) | Edit::PeriodCount(_)));
        if calendar && self.is_solving() {
            return Err(SOLVING);
        }
        let mut all = Vec::new();
        let moves = edits.iter().any(|edit| matches!(edit, Edit::Move { .. }));
        if moves && self.shown != Shown::Draft {
            let draft = self.new_draft().ok_or(NOTHING)?;
            if let Some(before) = self.draft().filter(|before| !before.moved().is_empty()) {
                let text = format!("Undo brings back the one that was edited from {}.", before.from);
                self.sayings.push(Notice::success(format!("{} is being edited now", draft.from), text));
            }
            all.push(Edit::Start(draft));
        }
        all.extend(edits);
        let before = self.draft().cloned();
        if self.bench.history.apply(&all, &self.instance) {
            self.changed(before);
        }
        Ok(())
    }

    /// Moves an exam into a period, or takes it out of its period.
    ///
    /// # Errors
    /// Error with the reason in words if the exam cannot be moved.
    pub fn move_exam(&mut self, exam: usize, period: Option<usize>) -> Result<(), &'static str> {
        if self.picture().is_some_and(|picture| picture.timetable.period_of(exam) == period) {
            return Ok(());
        }
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

    /// Undoes the last change.
    ///
    /// # Errors
    /// Error with the reason in words if the change cannot be undone now.
    pub fn undo(&mut self) -> Result<(), &'static str> {
        self.may_go_to(self.bench.history.neighbours().0)?;
        self.go(History::undo);
        Ok(())
    }

    /// Makes a change again that was taken back.
    ///
    /// # Errors
    /// Error with the reason in words if the change cannot be redone now.
    pub fn redo(&mut self) -> Result<(), &'static str> {
        self.may_go_to(self.bench.history.neighbours().1)?;
        self.go(History::redo);
        Ok(())
    }

    fn go(&mut self, step: fn(&mut History) -> bool) {
        let before = self.draft().cloned();
        if step(&mut self.bench.history) {
            self.changed(before);
        }
    }

    /// Goes on from another work, as a change of this name.
    pub(super) fn go_on_from(&mut self, work: Work, name: &str) {
        let before = self.draft().cloned();
        if self.bench.history.replace(work, name) {
            self.changed(before);
        }
    }

    /// Checks that the history may lead to this state now: the calendar cannot change during a run.
    fn may_go_to(&self, to: Option<&Work>) -> Result<(), &'static str> {
        let calendar = to.is_some_and(|work| work.calendar != self.instance.periods);
        if calendar && self.is_solving() { Err(SOLVING) } else { Ok(()) }
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
    /// Error with the reason in words if the periods cannot be changed.
    pub fn set_calendar(&mut self, calendar: Vec<Period>) -> Result<(), &'static str> {
        self.edit(vec![Edit::Calendar(calendar)])
    }

    /// Demands from now on that exams stay where the timetable that is shown has them, unless moving one saves `weight` in
    /// raw cost; `moved` says what becomes of those that were moved by hand.
    ///
    /// # Errors
    /// Error with the reason in words if there is no timetable to stay close to.
    pub fn stay_close(&mut self, weight: u32, moved: Moved) -> Result<(), &'static str> {
        let (timetable, keep) = match (self.shown, self.draft()) {
            (Shown::Draft, Some(draft)) => match moved {
                Moved::Stay => (Timetable::clone(&draft.base), draft.moved()),
                Moved::StayIfWorthIt => (Timetable::clone(&draft.timetable), Vec::new()),
                Moved::MayGoBack => (Timetable::clone(&draft.base), Vec::new()),
            },
            _ => (Timetable::clone(&self.picture().ok_or(NOTHING)?.timetable), Vec::new()),
        };
        self.edit(vec![Edit::StayClose { reference: Reference { timetable, weight }, keep }])
    }

    /// Applies the present state to the instance and the pictures, and shows a changed draft.
    fn changed(&mut self, before: Option<Draft>) {
        let periods = self.instance.period_count();
        self.instance = Arc::new(self.bench.instance());
        self.bench.keeper.touch();
        self.forget_picture();
        let other = periods != self.instance.period_count();
        match (self.draft(), before) {
            (Some(draft), before) if other || before.as_ref() != Some(draft) => self.show_draft(),
            (None, Some(before)) if !other && self.shown == Shown::Draft => self.show_origin(&before),
            _ if other => self.show_best(),
            _ => self.refresh(),
        }
        self.recount();
    }

    /// Shows the timetable that the draft was made from.
    fn show_origin(&mut self, draft: &Draft) {
        let origin = self.listed().find(|run| run.timetable.periods == draft.base.periods).map(|run| run.number);
        match origin {
            Some(number) => self.show_run(number),
            None => self.show_best(),
        }
    }

    /// Counts that depend on days and seats are counted anew.
    fn recount(&mut self) {
        use gridwright_solver::timetabling::counts::TimetableStatistics;
        let instance = Arc::clone(&self.instance);
        for run in self.runs.iter_mut().filter(|run| run.periods == instance.period_count()) {
            if run.calendar != instance.periods {
                run.found.counts = Arc::new(TimetableStatistics::of(&instance, &run.timetable));
                run.found.calendar.clone_from(&instance.periods);
            }
        }
    }

    /// Checks the shown timetable, unless that was done already.
    pub(super) fn judge(&mut self) {
        let (Shown::Run(_) | Shown::Draft, Some(picture)) = (self.shown, self.picture()) else {
            self.bench.judged = None;
            return;
        };
        let (instance, timetable) = (Arc::clone(&self.instance), Arc::clone(&picture.timetable));
        let same =
            |judged: &Judged| Arc::ptr_eq(&judged.instance, &instance) && Arc::ptr_eq(&judged.timetable, &timetable);
        if !self.bench.judged.as_ref().is_some_and(same) {
            let verdict = Arc::new(check::check(&instance, &timetable));
            self.bench.judged = Some(Judged { instance, timetable, verdict });
        }
    }
}
