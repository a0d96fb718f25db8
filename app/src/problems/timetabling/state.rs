//! State of the views of an open examination session.

use gridwright_solver::timetabling::Instance;

use super::analysis::Facts;
use super::calendar;
use super::kept::adjusting::{Doubt, Relating, ResolveDialog};
use super::kept::judging::Judgements;
use super::kept::{against, counting, exams, grid, periods, views};
use super::results::Found;
pub use super::view::View;
use crate::document;
pub use crate::runs::Shown;

/// An open examination session.
pub type Document = document::Document<TimetablingViews>;

/// A listed run.
pub type Run = crate::runs::Run<Found>;

/// Run in progress.
pub type Live = document::Live<TimetablingViews>;

impl Live {
    /// The cost of the best so far, not divided, without the price of exams that it moved; `None` before there is one.
    pub fn cost(&self) -> Option<f64> {
        let snapshot = &self.kept.as_ref()?.progress.snapshot;
        let reference = self.instance.rules.reference.as_ref();
        let price = reference.map_or(0, |it| u64::from(it.weight) * u64::from(it.moved(&snapshot.best)));
        Some(snapshot.best_cost - price as f64)
    }
}

/// State of the views of an examination session.
pub struct TimetablingViews {
    /// Facts about the instance that take a moment to compute.
    pub facts: Facts,
    /// Requested move that awaits confirmation because something speaks against it.
    pub doubt: Option<Doubt>,
    /// Input of a relation of the selected exam.
    pub relating: Relating,
    pub(super) judgements: Judgements,
    pub(super) calendar_dialog: Option<calendar::Dialog>,
    pub(super) resolving: Option<ResolveDialog>,
    pub(super) grid: grid::State,
    pub(super) exams: exams::State,
    pub(super) periods: periods::State,
    pub(super) views: views::Views,
    pub(super) against: against::State,
    pub(super) people: counting::State,
}

impl TimetablingViews {
    /// The state with which an instance is opened.
    pub fn of(instance: &Instance) -> Self {
        Self {
            facts: Facts::of(instance),
            doubt: None,
            relating: Relating::default(),
            judgements: Judgements::default(),
            calendar_dialog: None,
            resolving: None,
            grid: grid::State::default(),
            exams: exams::State::default(),
            periods: periods::State::default(),
            views: views::Views::default(),
            against: against::State::default(),
            people: counting::State::default(),
        }
    }
}
