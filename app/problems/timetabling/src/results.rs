//! Results of timetabling runs as the window lists them.

use std::sync::Arc;

use gridwright_core::result::{RunResult, Violation};
use gridwright_timetabling::calendar::correspondence;
use gridwright_timetabling::counts::TimetableStatistics;
use gridwright_timetabling::run::{calendar_of, has_price, timetable_of, with_demands};
use gridwright_timetabling::{Instance, Objective, Period, Timetable, check};

use super::editing::is_unmoved;
use gridwright_window::runs::{Run, RunStatus};

/// Lines of violations that a tooltip holds.
const LISTED: usize = 12;

/// Solution of a run with the checker's figures.
#[derive(Debug, Clone)]
pub struct CheckedTimetable {
    /// Timetable as the run found it.
    own: Arc<Timetable>,
    /// Calendar of the run; periods without dates if it is not known.
    own_calendar: Vec<Period>,
    /// Timetable in terms of [`Self::calendar`].
    pub timetable: Arc<Timetable>,
    /// Number of periods of the solve.
    pub periods: usize,
    /// Cost by the checker under [`Self::objective`], not divided.
    pub raw: u64,
    /// Objective by which the cost was counted: at first that of the run.
    pub objective: Objective,
    /// Statistics that an examination officer reads beside the cost.
    pub counts: Arc<TimetableStatistics>,
    /// Calendar by which the statistics were counted.
    pub calendar: Vec<Period>,
}

impl CheckedTimetable {
    /// Returns `true` if the exams can be found in this calendar: by their dates or, without dates, by the number of periods.
    pub fn fits(&self, calendar: &[Period]) -> bool {
        let is_dated = |periods: &[Period]| periods.iter().all(|period| period.date.is_some());
        self.periods == calendar.len() || is_dated(&self.own_calendar) && is_dated(calendar)
    }

    /// The timetable in a calendar: exams keep date and time.
    pub fn timetable_in(&self, calendar: &[Period]) -> Arc<Timetable> {
        if self.calendar == calendar {
            return Arc::clone(&self.timetable);
        }
        let index_of = correspondence(&self.own_calendar, calendar);
        if self.periods == calendar.len() && is_unmoved(&index_of) {
            return Arc::clone(&self.own);
        }
        let mut timetable = (*self.own).clone();
        timetable.move_periods(&index_of);
        Arc::new(timetable)
    }

    /// Counts anew, by the days, seats and objective of the instance.
    pub fn recount(&mut self, instance: &Instance) {
        if self.calendar != instance.periods && self.fits(&instance.periods) {
            self.timetable = self.timetable_in(&instance.periods);
            self.counts = Arc::new(TimetableStatistics::of(instance, &self.timetable));
            self.calendar.clone_from(&instance.periods);
        }
        if self.objective != instance.objective && self.calendar == instance.periods {
            self.raw = check::check(instance, &self.timetable).raw;
            self.counts = Arc::new(TimetableStatistics::of(instance, &self.timetable));
            self.objective.clone_from(&instance.objective);
        }
    }
}

/// Number of periods for which a result was computed; the instance's own where the result does not say.
pub fn periods_of(result: &RunResult, instance: &Instance) -> usize {
    let stated = result.instance.options.get("periods").and_then(|text| text.parse().ok());
    stated.unwrap_or_else(|| instance.period_count())
}

/// Converts a result into a run of the list: finds its exams in the instance and checks it anew.
///
/// `instance` has the number of periods that the result was computed for.
pub fn validate(instance: &Instance, result: RunResult) -> Run<CheckedTimetable> {
    let (timetable, unknown) = match timetable_of(instance, &result) {
        Ok(timetable) => (timetable, None),
        Err(error) => (Timetable::unplaced(instance.exam_count()), Some(error.to_string())),
    };
    // It is judged by the rules under which it was found; what a person demands now is another matter.
    let (instance, unknown) = match with_demands(instance, &result) {
        Ok(instance) => (instance, unknown),
        Err(error) => (instance.clone(), unknown.or_else(|| Some(error.to_string()))),
    };
    let instance = &instance;
    let verdict = check::check(instance, &timetable);
    let lines = || Violation::lines(&verdict.violations, LISTED).join("\n");
    let status = RunStatus::of(&result.verdict, verdict.feasible, verdict.raw as f64, lines, unknown);
    let counts = Arc::new(TimetableStatistics::of(instance, &timetable));
    let mut own_calendar = calendar_of(&result);
    if own_calendar.is_empty() {
        own_calendar = vec![Period::default(); instance.period_count()];
    }
    let timetable = Arc::new(timetable);
    let found = CheckedTimetable {
        own: Arc::clone(&timetable),
        own_calendar,
        timetable,
        periods: instance.period_count(),
        raw: verdict.raw,
        objective: instance.objective.clone(),
        counts,
        calendar: instance.periods.clone(),
    };
    let priced = has_price(&result);
    Run { priced, ..Run::new(result, status, found) }
}
