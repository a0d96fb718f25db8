//! State of the matrix of conflicts.

use gridwright_timetabling::drawing::Sort;

use super::views::Order;
use gridwright_window::widgets::heatmap::View;

/// View state of the conflict matrix as chosen by the user.
#[derive(Default)]
pub struct State {
    pub(crate) view: View,
    pub(crate) order: Order,
    pub(crate) sort: Sort,
    /// The selected exam that was brought into view last.
    pub(crate) seen: Option<usize>,
}
