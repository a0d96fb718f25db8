//! Examination timetables in the window: one open instance with its runs, views, inspector and settings.

pub mod adjusting;
pub mod against;
pub mod analysis;
pub mod calendar;
pub mod comparing;
pub mod conflicts;
pub mod describe;
pub mod desk;
pub mod editing;
pub mod exams;
pub mod exporting;
pub mod gaps;
pub mod grid;
pub mod importing;
pub mod in_force;
pub mod inspector;
pub mod keeping;
pub mod load;
pub mod neighbours;
pub mod officer;
pub mod periods;
pub mod remembered;
pub mod runs;
pub mod search;
pub mod settings;
pub mod solving;
pub mod students;
pub mod views;
pub mod working;

pub use desk::Desk;
