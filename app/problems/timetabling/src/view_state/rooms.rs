//! State of the view of rooms and of the dialogs that change rooms.

use std::sync::Arc;

use gridwright_timetabling::room_moves::{Choices, Part, Preview, RoomMove};
use gridwright_timetabling::{Instance, Timetable};

use super::rooms_day;
use crate::occupation::Occupation;
use crate::widgets::matrix::View;

/// View state of the rooms, with the occupation shown last.
#[derive(Default)]
pub struct State {
    pub(crate) view: View,
    /// Row at the keyboard's cursor.
    pub(crate) row: Option<usize>,
    pub(crate) occupation: Occupation,
    /// Rows of the occupation that the filter shows.
    pub(crate) rows: Vec<usize>,
    /// Revision of the timetable that the occupation belongs to, and the filter of the rows.
    pub(crate) key: Option<(u64, Filter)>,
    /// The selected exam that was brought into view last.
    pub(crate) seen: Option<usize>,
    pub(crate) filter: Filter,
    /// Students who are put elsewhere by the next change.
    pub(crate) held: Option<Part>,
    /// Change that was asked for and has something against it.
    pub(crate) warning: Option<RoomMove>,
    pub(crate) dialog: Option<RoomDialog>,
    pub(crate) known: Known,
    pub(crate) mode: Mode,
    pub(crate) day: rooms_day::State,
}

/// Extent of the view of rooms.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// All periods of the session.
    #[default]
    Session,
    /// One day by the clock.
    Day,
}

impl Mode {
    /// All modes, in the order of the choice.
    pub const ALL: [Self; 2] = [Self::Session, Self::Day];

    /// Name and tooltip.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Session => ("All periods", "The exams in every room and period"),
            Self::Day => ("One day", "One day by the clock: from when to when every room is used by which exam"),
        }
    }
}

/// Filter of rooms.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Part of the code, whatever the case.
    pub text: String,
    /// Shows only rooms of this building.
    pub building: Option<String>,
    /// Shows only rooms with this feature.
    pub feature: Option<String>,
    /// Shows only rooms with at least so many seats.
    pub at_least: u32,
}

impl Filter {
    /// Returns `true` if all rooms are shown.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns `true` if the filter shows a room.
    pub fn admits(&self, room: &gridwright_timetabling::Room) -> bool {
        room.code.to_lowercase().contains(self.text.trim().to_lowercase().as_str())
            && self.building.as_ref().is_none_or(|building| *building == room.building)
            && self.feature.as_ref().is_none_or(|feature| room.features.contains(feature))
            && room.seats >= self.at_least
    }
}

/// Dialog that puts students of an exam into another room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RoomDialog {
    /// The exam.
    pub exam: usize,
    /// The part that is put elsewhere.
    pub part: Part,
    /// Number of its students that are put elsewhere.
    pub students: u32,
}

/// Places and consequences that were computed last.
#[derive(Default)]
pub struct Known {
    pub(crate) choices: Option<(Of, Part, Arc<Choices>)>,
    pub(crate) preview: Option<(Of, RoomMove, Arc<Preview>)>,
}

/// Session and timetable that something was computed for; equal are only the very same.
#[derive(Clone)]
pub(crate) struct Of(pub(crate) Arc<Instance>, pub(crate) Arc<Timetable>);

impl PartialEq for Of {
    fn eq(&self, other: &Self) -> bool {
        self.is(&other.0, &other.1)
    }
}

impl Of {
    /// Returns `true` for the same session and timetable.
    pub(crate) fn is(&self, instance: &Arc<Instance>, timetable: &Arc<Timetable>) -> bool {
        Arc::ptr_eq(&self.0, instance) && Arc::ptr_eq(&self.1, timetable)
    }
}
