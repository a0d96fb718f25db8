//! What a person does to an open instance: edits that can be taken back, solving around them, keeping it as a project.

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

/// Everything around the instance that a person can change.
pub struct Bench {
    /// As it was opened.
    pub(super) opened: Arc<Instance>,
    history: History,
    /// How it is kept.
    pub(super) keeper: Keeper<Project>,
    /// What the checker says of the timetable that is shown, by the rules as they are now.
    judged: Option<Judged>,
    /// What contradicts itself among the rules of this instance.
    against: Option<(Arc<Instance>, Arc<Vec<String>>)>,
    effects: Option<Effects>,
}

/// What the checker said, and of what.
struct Judged {
    instance: Arc<Instance>,
    timetable: Arc<Timetable>,
    verdict: Arc<Verdict>,
}

/// What each period would do to an exam, and in which timetable.
struct Effects {
    instance: Arc<Instance>,
    timetable: Option<Arc<Timetable>>,
    exam: usize,
    found: Arc<Vec<Consequence>>,
}

impl Bench {
    /// An instance as it was opened, with what was kept of it.
    ///
    /// # Errors
    /// Why what was kept does not fit; the instance is then as it was opened.
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
        self.bench.judged.as_ref().map(|judged| &judged.verdict)
    }

    /// How many of the present rules the run that is shown breaks, though it was right by the rules of its time.
    pub fn outdated(&self) -> usize {
        let valid = self.shown_run().is_some_and(|run| run.standing == Standing::Valid);
        self.verdict().filter(|_| valid).map_or(0, |verdict| verdict.violations.len())
    }

    /// What contradicts itself among the present rules.
    pub fn contradictions(&mut self) -> Arc<Vec<String>> {
        if let Some((_, known)) = self.bench.against.as_ref().filter(|(of, _)| Arc::ptr_eq(of, &self.instance)) {
            return Arc::clone(known);
        }
        let found = Arc::new(contradictions(&self.instance));
        self.bench.against = Some((Arc::clone(&self.instance), Arc::clone(&found)));
        found
    }

    /// What putting an exam by hand into each period would do; where there is no timetable yet, as if no exam had a
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
    /// Why they cannot be made, in words.
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

    /// Puts an exam into a period, or takes it out of its period.
    ///
    /// # Errors
    /// Why it cannot be moved, in words.
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

    /// Takes the last change back.
    ///
    /// # Errors
    /// Why it cannot be taken back now, in words.
    pub fn undo(&mut self) -> Result<(), &'static str> {
        self.may_go_to(self.bench.history.neighbours().0)?;
        self.go(History::undo);
        Ok(())
    }

    /// Makes a change again that was taken back.
    ///
    /// # Errors
    /// Why it cannot be made now, in words.
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

    /// Whether the history may lead to this work now.
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
    /// Why they cannot be changed, in words.
    pub fn set_calendar(&mut self, calendar: Vec<Period>) -> Result<(), &'static str> {
        self.edit(vec![Edit::Calendar(calendar)])
    }

    /// Demands from now on that exams stay where the timetable that is shown has them, unless moving one saves `weight` in
    /// raw cost; `moved` says what becomes of those that were moved by hand.
    ///
    /// # Errors
    /// Why there is nothing to stay close to, in words.
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

    /// The present work reaches everything that shows it; what was changed in the draft is seen.
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

    /// Shows what a draft was made from.
    fn show_origin(&mut self, draft: &Draft) {
        let origin = self.listed().find(|run| run.timetable.periods == draft.base.periods).map(|run| run.number);
        match origin {
            Some(number) => self.show_run(number),
            None => self.show_best(),
        }
    }

    /// Counts that depend on days and seats are counted anew.
    fn recount(&mut self) {
        use gridwright_solver::timetabling::counts::OfficerCounts;
        let instance = Arc::clone(&self.instance);
        for run in self.runs.iter_mut().filter(|run| run.periods == instance.period_count()) {
            if run.calendar != instance.periods {
                run.found.counts = Arc::new(OfficerCounts::of(&instance, &run.timetable));
                run.found.calendar.clone_from(&instance.periods);
            }
        }
    }

    /// Lets the checker judge what is shown, unless it has.
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
