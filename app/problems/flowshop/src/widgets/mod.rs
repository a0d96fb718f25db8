//! Widgets that only the views of schedules use.

pub(crate) mod cells;
pub mod curves;
pub mod gantt;
pub mod scatter;
pub mod sequence;
pub(crate) mod signed;
