//! State of the views of an open examination session.

use easy_ext::ext;
use gridwright_timetabling::Instance;

use super::analysis::Facts;
use super::calendar;
use super::results::CheckedTimetable;
pub use super::view::View;
use super::view_state::adjusting::{BulkDialog, MoveWarning, Relating, ResolveDialog, RoomAnswers};
use super::view_state::bound::Bound;
use super::view_state::judging::Judgements;
use super::view_state::limits::Dialog as LimitsDialog;
use super::view_state::without_place::WithoutPlace;
use super::view_state::{comparison, counting, duties, evolution, exams, grid, periods, publishing, rooms, views};
use gridwright_window::document;
pub use gridwright_window::runs::Shown;

/// An open examination session.
pub type Document = document::Document<TimetablingViews>;

/// A listed run.
pub type Run = gridwright_window::runs::Run<CheckedTimetable>;

/// Run in progress.
pub type Live = document::Live<TimetablingViews>;

/// Cost of the run in progress.
#[ext(StateMethods)]
impl Live {
    /// The cost of the best so far, not divided, without the price of exams that it moved; `None` before there is one.
    pub fn cost(&self) -> Option<f64> {
        let snapshot = &self.checkpoint.as_ref()?.progress.snapshot;
        let price = self.instance.objective(&snapshot.best, 0);
        Some(snapshot.best_cost - price as f64)
    }
}

/// State of the views of an examination session.
pub struct TimetablingViews {
    /// Facts about the instance that take a moment to compute.
    pub facts: Facts,
    /// Requested move that awaits confirmation because something speaks against it.
    pub move_warning: Option<MoveWarning>,
    /// Room that other exams make for one that is dragged or moved.
    pub(crate) making_room: RoomAnswers,
    /// Input of a relation of the selected exam.
    pub(crate) relating: Relating,
    pub(super) judgements: Judgements,
    pub(super) without_place: WithoutPlace,
    pub(super) bound: Bound,
    /// True while the choice of the objective is open.
    pub(crate) choosing_objective: bool,
    pub(super) limits_dialog: Option<LimitsDialog>,
    pub(super) calendar_dialog: Option<calendar::Dialog>,
    pub(super) resolving: Option<ResolveDialog>,
    pub(super) bulk: Option<BulkDialog>,
    pub(super) grid: grid::State,
    pub(super) exams: exams::State,
    pub(super) periods: periods::State,
    pub(super) rooms: rooms::State,
    pub(super) duties: duties::State,
    pub(super) views: views::Views,
    pub(super) comparison: comparison::State,
    pub(super) people: counting::State,
    pub(super) publishing: publishing::State,
    pub(super) failing: super::view_state::failing::State,
    /// State of the view of an evolution.
    pub evolution: evolution::State,
}

impl TimetablingViews {
    /// The state with which an instance is opened.
    pub fn of(instance: &Instance) -> Self {
        Self {
            facts: Facts::of(instance),
            move_warning: None,
            making_room: RoomAnswers::default(),
            relating: Relating::default(),
            judgements: Judgements::default(),
            without_place: WithoutPlace::default(),
            bound: Bound::default(),
            choosing_objective: false,
            limits_dialog: None,
            calendar_dialog: None,
            resolving: None,
            bulk: None,
            grid: grid::State::default(),
            exams: exams::State::default(),
            periods: periods::State::default(),
            rooms: rooms::State::default(),
            duties: duties::State::default(),
            views: views::Views::default(),
            comparison: comparison::State::default(),
            people: counting::State::default(),
            publishing: publishing::State::default(),
            failing: super::view_state::failing::State::default(),
            evolution: evolution::State::default(),
        }
    }
}
