//! Examination timetables in the window: one open instance with its runs, views, inspector and settings.

pub mod analysis;
pub mod conflicts;
pub mod describe;
pub mod desk;
pub mod exams;
pub mod exporting;
pub mod gaps;
pub mod grid;
pub mod inspector;
pub mod load;
pub mod neighbours;
pub mod officer;
pub mod periods;
pub mod run_list;
pub mod search;
pub mod settings;
pub mod solving;
pub mod students;
pub mod views;

pub use desk::Desk;
