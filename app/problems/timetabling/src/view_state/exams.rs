//! State of the table of exams.

use gridwright_window::widgets::table::{SortColumn, SortOrder};

use super::views::Order;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum By {
    #[default]
    Code,
    Title,
    Students,
    Conflicts,
    Period,
    Rooms,
    Share,
}

impl SortColumn for By {
    fn begins_descending(self) -> bool {
        matches!(self, Self::Students | Self::Conflicts | Self::Share)
    }
}

/// Sort order and filter of the table of exams.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) order: SortOrder<By>,
    /// Exams that are shown, in any order.
    pub(crate) shown: Order,
    /// The rows, and what they were made of.
    pub(crate) rows: Vec<usize>,
    /// Codes of the rooms of each exam; empty without rooms.
    pub(crate) rooms: Vec<String>,
    pub(crate) key: Option<(u64, SortOrder<By>)>,
    /// The selected exam that was brought into view last.
    pub(crate) seen: Option<usize>,
}
