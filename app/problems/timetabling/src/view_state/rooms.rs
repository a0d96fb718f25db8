//! State of the view of rooms.

use crate::occupation::Occupation;
use crate::widgets::matrix::View;

/// View state of the rooms, with the occupation shown last.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) view: View,
    /// Row at the keyboard's cursor.
    pub(crate) row: Option<usize>,
    pub(crate) occupation: Occupation,
    /// Revision of the timetable that the occupation belongs to.
    pub(crate) key: Option<u64>,
    /// The selected exam that was brought into view last.
    pub(crate) seen: Option<usize>,
}
