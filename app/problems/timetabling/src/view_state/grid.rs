//! State of the grid.

use gridwright_timetabling::drawing::Sort;

use super::views::Order;
use crate::widgets::matrix::View;

/// View state of the grid as chosen by the user.
#[derive(Debug, Default)]
pub struct State {
    pub(crate) view: View,
    pub(crate) order: Order,
    pub(crate) sort: Sort,
    pub(crate) plain: bool,
    /// The selected exam that was brought into view last.
    pub(crate) seen: Option<usize>,
}
