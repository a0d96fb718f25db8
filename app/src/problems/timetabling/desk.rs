//! State of an open examination session: settings, the run in progress, runs that ended, view and selection.

mod counting;
mod curves;
mod opening;
mod running;
mod view;

use std::sync::Arc;

use egui::Ui;
use gridwright_solver::Result;
use gridwright_solver::numbers::grouped;
use gridwright_solver::timetabling::formats::LoadOptions;
use gridwright_solver::timetabling::run::Settings;
use gridwright_solver::timetabling::{Instance, MAX_PERIODS, Timetable};

use super::analysis::{Facts, Picture};
use super::editing::Edit;
use super::solving::{Ended, Found, Run, Standing};
use super::working::Bench;
use super::{adjusting, against, conflicts, exams, gaps, grid, load, periods, settings, students, views};
use crate::runs::Shelf;
use crate::session::{Kept, Session};
use crate::widgets::convergence::Look;
use crate::widgets::notice::Notice;

pub use crate::runs::Shown;
pub use view::View;

/// Function that opens instances; tests replace it.
pub type Opener = Arc<dyn Fn(&str, &LoadOptions) -> Result<Instance> + Send + Sync>;

/// Run in progress.
pub struct Live {
    /// Worker thread of the run.
    pub session: Session<Timetable, Ended>,
    /// Settings that the run was started with.
    pub settings: Settings,
    /// Instance that is solved, with the rules at the start of the run.
    pub instance: Arc<Instance>,
    /// Last progress report and checkpoint of the run.
    pub kept: Option<Kept<Timetable>>,
}

impl Live {
    /// The cost of the best so far, not divided, without the price of exams that it moved; `None` before there is one.
    pub fn cost(&self) -> Option<f64> {
        let snapshot = &self.kept.as_ref()?.progress.snapshot;
        let reference = self.instance.rules.reference.as_ref();
        let price = reference.map_or(0, |it| u64::from(it.weight) * u64::from(it.moved(&snapshot.best)));
        Some(snapshot.best_cost - price as f64)
    }
}

/// An open instance.
pub struct Desk {
    /// Instance that is to be timetabled.
    pub instance: Arc<Instance>,
    /// Source of the instance: a path or `sample:…`.
    pub source: String,
    /// Facts about the instance that take a moment to compute.
    pub facts: Facts,
    /// Settings of the next run.
    pub settings: Settings,
    /// Runs that ended, oldest first, whatever number of periods they were for.
    pub runs: Shelf<Found>,
    /// The run in progress.
    pub live: Option<Live>,
    /// Timetable that is shown.
    pub shown: Shown,
    /// View that is shown.
    pub view: View,
    /// Selected exam.
    pub selected: Option<usize>,
    /// True while the picture has the keyboard focus.
    pub canvas_focused: bool,
    /// Display options of the convergence plot.
    pub look: Look,
    /// True to show the runs where only one of convergence and runs fits.
    pub runs_instead: bool,
    pub(super) bench: Bench,
    /// Requested move that awaits confirmation because something speaks against it.
    pub doubt: Option<adjusting::Doubt>,
    /// Input of a relation of the selected exam.
    pub relating: adjusting::Relating,
    /// Notices to be shown next.
    pub sayings: Vec<Notice>,
    pub(super) grid: grid::State,
    pub(super) exams: exams::State,
    pub(super) periods: periods::State,
    pub(super) views: views::Views,
    pub(super) against: against::State,
    picture: Option<Arc<Picture>>,
    revision: u64,
    people: counting::State,
}

impl Desk {
    /// One line: sizes.
    pub fn facts_line(&self) -> String {
        facts_line(&self.instance)
    }

    /// Runs for the present number of periods, newest first.
    pub fn listed(&self) -> impl DoubleEndedIterator<Item = &Run> {
        self.runs.iter().rev().filter(|run| run.periods == self.instance.period_count())
    }

    /// The run with this number.
    pub fn run(&self, number: usize) -> Option<&Run> {
        self.runs.run(number)
    }

    /// The run that is shown, if it is one that ended.
    pub fn shown_run(&self) -> Option<&Run> {
        match self.shown {
            Shown::Run(number) => self.run(number),
            _ => None,
        }
    }

    /// Shows the best run that there is.
    pub(super) fn show_best(&mut self) {
        let valid = self.listed().filter(|run| run.standing == Standing::Valid).min_by_key(|run| run.raw);
        self.shown = match valid.or_else(|| self.listed().next()) {
            Some(run) => Shown::Run(run.number),
            None => Shown::Nothing,
        };
        self.refresh();
    }

    /// Shows a run.
    pub fn show_run(&mut self, number: usize) {
        self.shown = Shown::Run(number);
        self.refresh();
    }

    /// Shows the best solution so far of the run in progress.
    pub fn show_live(&mut self) {
        if self.live.is_some() {
            self.shown = Shown::Live;
            self.refresh();
        }
    }

    /// Returns `true` while a run is in progress.
    pub fn is_solving(&self) -> bool {
        self.live.is_some()
    }

    /// Checks that a run could be started.
    ///
    /// # Errors
    /// Error with the reason in words during a run, or if the instance is incomplete.
    pub fn ready(&self) -> std::result::Result<(), &'static str> {
        match () {
            () if self.is_solving() => Err("A run goes on"),
            () if self.instance.exam_count() == 0 => Err("There are no exams"),
            () if self.instance.period_count() == 0 => Err("Say first in how many periods"),
            () => Ok(()),
        }
    }

    /// Sets the number of periods of the session.
    pub fn set_periods(&mut self, count: usize) {
        // The field allows nothing that could fail, and is not there while a run goes on.
        if (1..=MAX_PERIODS).contains(&count) {
            let _ = self.edit(vec![Edit::PeriodCount(count)]);
        }
    }

    /// Adds a notice that an action is not possible now.
    pub fn say(&mut self, words: &'static str) {
        self.sayings.push(Notice::warning("This is not possible now", words));
    }

    /// The timetable that is shown, with what follows from it. A result that contradicts the checker is never shown.
    pub fn picture(&self) -> Option<&Arc<Picture>> {
        self.picture.as_ref()
    }

    /// Changes with every other picture.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The picture is made anew even of the same timetable.
    pub(super) fn forget_picture(&mut self) {
        self.picture = None;
    }

    pub(super) fn refresh(&mut self) {
        let wanted = match self.shown {
            Shown::Nothing => None,
            Shown::Live => {
                let kept = self.live.as_ref().and_then(|live| live.kept.as_ref());
                kept.map(|kept| Arc::clone(&kept.progress.snapshot.best))
            }
            Shown::Run(number) => {
                let run = self.run(number).filter(|run| !matches!(run.standing, Standing::Wrong(_)));
                run.map(|run| Arc::clone(&run.timetable))
            }
            Shown::Draft => self.draft().map(|draft| Arc::clone(&draft.timetable)),
        };
        let same = match (&wanted, &self.picture) {
            (Some(wanted), Some(picture)) => Arc::ptr_eq(wanted, &picture.timetable),
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.picture = wanted.map(|timetable| Arc::new(Picture::of(&self.instance, timetable)));
            self.revision += 1;
        }
        self.judge();
    }

    /// The timetable that may be exported.
    ///
    /// # Errors
    /// Error with the reason in words during a run, or if there is no valid timetable.
    pub fn exportable(&self) -> std::result::Result<Arc<Timetable>, &'static str> {
        match (self.shown, self.shown_run()) {
            (Shown::Live, _) => Err("Stop the run first; a timetable can be exported when it has been checked"),
            (Shown::Draft, _) => match (self.draft(), self.verdict()) {
                (Some(draft), Some(verdict)) if verdict.feasible => Ok(Arc::clone(&draft.timetable)),
                _ => Err("The edited timetable has clashes or breaks rules; mend it or solve again around the changes"),
            },
            (_, Some(run)) if run.standing == Standing::Valid => Ok(Arc::clone(&run.timetable)),
            (_, Some(_)) => Err("This is not a valid timetable and cannot be exported"),
            _ => Err("Solve first; there is no timetable yet"),
        }
    }

    /// Paints the chosen view.
    pub fn show_view(&mut self, ui: &mut Ui) {
        self.canvas_focused = false;
        match self.view {
            View::Grid => grid::show(ui, self),
            View::Periods => periods::show(ui, self),
            View::Conflicts => conflicts::show(ui, self),
            View::Load => load::show(ui, self),
            View::Gaps => gaps::show(ui, self),
            View::Students => students::show(ui, self),
            View::Exams => exams::show(ui, self),
            View::Compare => against::show(ui, self),
        }
    }

    /// Shows all of the picture.
    pub fn fit(&mut self) {
        match self.view {
            View::Periods => self.periods.view.fit(),
            View::Conflicts => self.views.conflicts.view.fit(),
            _ => self.grid.view.fit(),
        }
    }

    /// Enlarges the picture by a factor.
    pub fn zoom(&mut self, factor: f32) {
        match self.view {
            View::Periods => self.periods.view.zoom(factor),
            View::Conflicts => self.views.conflicts.view.zoom(factor),
            _ => self.grid.view.zoom(factor),
        }
    }

    /// Number of the run in progress.
    pub fn next_number(&self) -> usize {
        self.runs.next_number()
    }

    /// Settings for the next instance that is opened.
    pub fn settings_to_remember(&self) -> Settings {
        self.settings.clone()
    }
}

/// Settings to begin with.
pub fn default_settings() -> Settings {
    settings::defaults()
}

/// «81 exams, 2823 students, 18 periods».
pub fn facts_line(instance: &Instance) -> String {
    let count =
        |number: usize, noun: &str| format!("{} {noun}{}", grouped(number as i64), if number == 1 { "" } else { "s" });
    let mut parts = vec![count(instance.exam_count(), "exam"), count(instance.students.len(), "student")];
    if instance.period_count() > 0 {
        parts.push(count(instance.period_count(), "period"));
    }
    parts.join(", ")
}
