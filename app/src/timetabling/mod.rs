//! Examination timetables in the window: one open instance with its runs, views, inspector and settings.

pub mod analysis;
pub mod comparing;
pub mod desk;
pub mod exams;
pub mod exporting;
pub mod grid;
pub mod inspector;
pub mod load;
pub mod periods;
pub mod run_list;
pub mod settings;
pub mod solving;

pub use desk::Desk;
