//! State of the dialogs and inputs that adjust a timetable.

use std::sync::Arc;

use gridwright_timetabling::run::holding::{Held, Rearranged};
use gridwright_window::live::Live;

use super::rooms::Of;

/// Answer for the exam that was held last in a timetable; `None` in it where no room can be made.
pub(crate) type RoomAnswers = Live<(Of, Held), Option<Arc<Rearranged>>>;

/// A move that was asked for and has something against it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveWarning {
    /// The exam.
    pub exam: usize,
    /// Target period of the move.
    pub period: usize,
}

/// Input of a relation that is not added yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Relating {
    pub(crate) kind: usize,
    pub(crate) other: String,
}

/// Fields of the dialog of a rule for many exams.
#[derive(Debug, Clone, Default)]
pub(crate) struct BulkDialog {
    /// Selection of the exams.
    pub exams: String,
    /// Index of the kind of the rule.
    pub kind: usize,
    /// Periods or other exams.
    pub with: String,
}

/// Treatment of the exams that were moved by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// The exams are pinned in their new periods.
    Stay,
    /// The exams leave their new periods only if that saves more than the price of a moved exam, like all others.
    StayIfWorthIt,
    /// The exams may go back: the run stays close to the timetable before the changes by hand.
    MayGoBack,
}

/// Dialog shown before a run that stays close to a timetable.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ResolveDialog {
    /// Raw cost that moving one more exam must save.
    pub weight: u32,
    /// Raw cost that leaving one more room must save; 0 if the session plans no rooms.
    pub room_price: u32,
    /// Treatment of the exams that were moved by hand.
    pub moved: Moved,
}
