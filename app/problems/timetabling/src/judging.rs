//! Edits of an open session, and the checker's verdicts and consequences that are shown beside them.

use easy_ext::ext;
use std::sync::Arc;

use gridwright_timetabling::calendar::correspondence;
use gridwright_timetabling::check::{self, Verdict};
use gridwright_timetabling::contradictions::contradictions;
use gridwright_timetabling::moves::{Consequence, by_hand};
use gridwright_timetabling::run::with_demands;
use gridwright_timetabling::{MAX_PERIODS, Objective, Period, Reference, Rules, TimeZone, Timetable};

use super::describe::counted;
use super::editing::{Edit, is_unmoved, name_of, series_of};
use super::state::Document;
use super::view_state::adjusting::Moved;
use super::view_state::judging::{Effects, Judged};
use crate::methods::*;
use gridwright_window::runs::{RunStatus, Shown};
use gridwright_window::widgets::notice::Notice;

/// The calendar cannot change now.
const SOLVING: &str = "Stop the run first; the calendar cannot change while it goes on";

/// The objective cannot change now.
const MINIMISING: &str = "Stop the run first; the objective cannot change while it goes on";

/// The draft is refused: there is nothing to change yet.
const NOTHING: &str = "Solve or open a timetable first; there is nothing to move yet";

/// Edits of a session, and verdicts on what is shown.
#[ext(JudgingMethods)]
impl Document {
    /// Sets the number of periods of the session.
    pub fn set_periods(&mut self, count: usize) {
        // The field allows nothing that could fail, and is not there while a run goes on.
        if (1..=MAX_PERIODS).contains(&count) {
            let _ = self.apply(vec![Edit::PeriodCount(count)]);
        }
    }

    /// The present rules.
    pub fn rules(&self) -> &Rules {
        &self.instance.rules
    }

    /// The checker's verdict on the shown timetable by the present rules; `None` during a run.
    pub fn verdict(&self) -> Option<&Arc<Verdict>> {
        self.judgements.shown.as_ref().map(|judged| &judged.verdict)
    }

    /// Number of present rules that the shown run violates although it was valid by the rules of its time.
    pub fn outdated(&self) -> usize {
        let valid = self.shown_run().is_some_and(|run| run.status == RunStatus::Valid);
        self.verdict().filter(|_| valid).map_or(0, |verdict| verdict.violations.len())
    }

    /// Returns the contradictions among the present rules.
    pub fn contradictions(&mut self) -> Arc<Vec<String>> {
        if let Some((_, known)) =
            self.judgements.contradictions.as_ref().filter(|(of, _)| Arc::ptr_eq(of, &self.instance))
        {
            return Arc::clone(known);
        }
        let found = Arc::new(contradictions(&self.instance));
        self.state.judgements.contradictions = Some((Arc::clone(&self.instance), Arc::clone(&found)));
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
        if let Some(known) = self.judgements.effects.as_ref().filter(same) {
            return Arc::clone(&known.found);
        }
        let instance = Arc::clone(&self.instance);
        let found = Arc::new(match &timetable {
            Some(timetable) => by_hand(&instance, timetable, exam),
            None => by_hand(&instance, &Timetable::unplaced(instance.exam_count()), exam),
        });
        self.judgements.effects = Some(Effects { instance, timetable, exam, found: Arc::clone(&found) });
        found
    }

    /// Carries out changes that are taken back together.
    ///
    /// # Errors
    /// Error with the reason in words if the edits cannot be made.
    pub fn apply(&mut self, edits: Vec<Edit>) -> Result<(), &'static str> {
        let mut all = Vec::new();
        let moves = edits.iter().any(|edit| matches!(edit, Edit::Move { .. } | Edit::MakeRoom { .. } | Edit::Rooms(_)));
        if moves && self.shown != Shown::Draft {
            let draft = self.draft_of_shown().ok_or(NOTHING)?;
            if let Some(before) = self.draft().filter(|before| before.solution != before.base) {
                let text = format!("Undo brings back the one that was edited from {}.", before.from);
                self.sayings.push(Notice::success(format!("{} is being edited now", draft.from), text));
            }
            all.push(Edit::Start(draft));
        }
        all.extend(edits);
        let Some(name) = name_of(&all, &self.instance) else { return Ok(()) };
        let series = series_of(&all);
        let mut work = self.work_before(series).clone();
        for edit in &all {
            edit.apply(&mut work);
        }
        self.change(&name, work, series)
    }

    /// Checks that the calendar may be changed to this one now: it cannot change during a run.
    pub fn may_have_calendar(&self, calendar: &[Period]) -> Result<(), &'static str> {
        if calendar != self.instance.periods && self.is_solving() { Err(SOLVING) } else { Ok(()) }
    }

    /// Checks that the objective may be changed to this one now: it cannot change during a run.
    pub fn may_have_objective(&self, objective: &Objective) -> Result<(), &'static str> {
        let is_changed = *objective != self.instance.objective;
        if is_changed && self.is_solving() { Err(MINIMISING) } else { Ok(()) }
    }

    /// Moves an exam into a period, or takes it out of its period.
    ///
    /// # Errors
    /// Error with the reason in words if the exam cannot be moved.
    pub fn move_exam(&mut self, exam: usize, period: Option<usize>) -> Result<(), &'static str> {
        if self.picture().is_some_and(|picture| picture.timetable.period_of(exam) == period) {
            return Ok(());
        }
        self.apply(vec![Edit::Move { exam, period }])
    }

    /// Other periods, dates, seats or another time zone, as one edit. If that moves periods, the timetable that is shown is edited from now on, so that its
    /// exams keep date and time.
    ///
    /// # Errors
    /// Error with the reason in words if the periods cannot be changed.
    pub fn set_calendar(&mut self, calendar: Vec<Period>, zone: Option<TimeZone>) -> Result<(), &'static str> {
        self.may_have_calendar(&calendar)?;
        let before = &self.instance.periods;
        let moves = before.len() != calendar.len() || !is_unmoved(&correspondence(before, &calendar));
        let start = self.draft_of_shown().filter(|_| moves && self.draft().is_none()).map(Edit::Start);
        let rules = self.instance.rules.pins.len();
        self.apply(start.into_iter().chain([Edit::Calendar(calendar), Edit::TimeZone(zone)]).collect())?;
        let lost = rules - self.instance.rules.pins.len();
        if lost > 0 {
            let text = format!(
                "{} to periods that the calendar no longer has. Undo brings them back.",
                counted(lost as u64, "pin")
            );
            self.warn_of_edit("Pins were taken away", text);
        }
        Ok(())
    }

    /// Demands from now on that exams stay where the timetable that is shown has them, unless moving one saves `weight` in
    /// raw cost, and in their rooms, unless leaving one saves `room_price`; `moved` says what becomes of those that were moved by hand.
    ///
    /// # Errors
    /// Error with the reason in words if there is no timetable to stay close to.
    pub fn stay_close(&mut self, weight: u32, room_price: u32, moved: Moved) -> Result<(), &'static str> {
        let (mut keep, mut keep_rooms) = (Vec::new(), Vec::new());
        let timetable = match (self.shown, self.draft()) {
            (Shown::Draft, Some(draft)) => match moved {
                Moved::Stay => {
                    (keep, keep_rooms) = (draft.moved(), draft.reseated(&self.instance));
                    &draft.base
                }
                Moved::StayIfWorthIt => &draft.solution,
                Moved::MayGoBack => &draft.base,
            },
            _ => &self.picture().ok_or(NOTHING)?.timetable,
        };
        let reference = Reference { timetable: Timetable::clone(timetable), weight };
        self.apply(vec![Edit::StayClose { reference, room_price, keep, keep_rooms }])
    }

    /// Returns `true` if a valid run was solved around the changes of the draft: with its moves pinned, close to the edited
    /// timetable, or close to the timetable before the edits.
    pub fn is_solved_around(&mut self) -> bool {
        let Some(draft) = self.draft() else { return false };
        let (solution, runs) = (Arc::clone(&draft.solution), self.runs.len());
        let known = self.judgements.solved_around.as_ref();
        if let Some((.., answer)) = known.filter(|(of, count, _)| Arc::ptr_eq(of, &solution) && *count == runs) {
            return *answer;
        }
        let moved = draft.moved();
        let is_around = |rules: &Rules| {
            let Some(Reference { timetable, .. }) = &rules.reference else { return false };
            let is_pinned = |exam: &usize| rules.pin_of(*exam) == solution.period_of(*exam);
            let keeps_moves = rules.pins.is_empty() || moved.iter().all(is_pinned);
            *timetable == *solution || *timetable == *draft.base && keeps_moves
        };
        let mut valid = self.runs.iter().filter(|run| run.status == RunStatus::Valid && run.result.demands.is_some());
        let answer =
            valid.any(|run| with_demands(&self.instance, &run.result).is_ok_and(|instance| is_around(&instance.rules)));
        self.state.judgements.solved_around = Some((solution, runs, answer));
        answer
    }

    /// Counts that depend on days and seats are counted anew.
    pub fn recount(&mut self) {
        let instance = Arc::clone(&self.instance);
        self.runs.iter_mut().for_each(|run| run.checked.recount(&instance));
    }

    /// Checks the shown timetable, unless that was done already.
    pub fn judge(&mut self) {
        let (Shown::Run(_) | Shown::Draft, Some(picture)) = (self.shown, self.picture()) else {
            self.state.judgements.shown = None;
            return;
        };
        let (instance, timetable) = (Arc::clone(&self.instance), Arc::clone(&picture.timetable));
        let same =
            |judged: &Judged| Arc::ptr_eq(&judged.instance, &instance) && Arc::ptr_eq(&judged.timetable, &timetable);
        if !self.state.judgements.shown.as_ref().is_some_and(same) {
            let verdict = Arc::new(check::check(&instance, &timetable));
            self.state.judgements.shown = Some(Judged { instance, timetable, verdict });
        }
    }
}
