//! State of the table of exams.

use super::views::Order;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum By {
    #[default]
    Code,
    Title,
    Students,
    Conflicts,
    Period,
    Share,
}

/// Sort order and filter of the table of exams.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) by: By,
    pub(crate) falling: bool,
    /// Exams that are shown, in any order.
    pub(crate) shown: Order,
    /// The rows, and what they were made of.
    pub(crate) rows: Vec<usize>,
    pub(crate) key: Option<(u64, By, bool)>,
    /// The selected exam that was brought into view last.
    pub(crate) seen: Option<usize>,
}
