//! Examination timetables in the window: one open instance with its runs, views, inspector and settings.

pub mod adjusting;
pub mod analysis;
pub mod calendar;
pub mod desk;
pub mod editing;
pub mod exams;
pub mod exporting;
pub mod grid;
pub mod importing;
pub mod inspector;
pub mod load;
pub mod periods;
pub mod remembered;
pub mod run_list;
pub mod runs;
pub mod settings;
pub mod solving;
pub mod working;

pub use desk::Desk;
