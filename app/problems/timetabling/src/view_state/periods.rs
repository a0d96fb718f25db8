//! State of the columns.

use std::ops::Range;

use super::views::Filter;
use crate::widgets::columns::{Column, Plan, View};

/// View state of the columns, with the columns drawn last.
#[derive(Default)]
pub struct State {
    pub(crate) view: View,
    pub(crate) key: Option<(u64, bool, Filter)>,
    /// `admitted[exam]` is true if the exam passes the filter; the others are dimmed.
    pub(crate) admitted: Vec<bool>,
    pub(crate) columns: Vec<Column>,
    pub(crate) plan: Plan,
    pub(crate) days: Vec<(Range<usize>, String)>,
    /// The selected exam that was brought into view last.
    pub(crate) seen: Option<usize>,
}
