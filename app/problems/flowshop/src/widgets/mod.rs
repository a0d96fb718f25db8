//! Widgets that only the views of schedules use.

pub mod cells;
pub mod curves;
pub mod gantt;
pub mod scatter;
pub mod sequence;
pub mod signed;
