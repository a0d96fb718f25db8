//! State that the views of an examination session keep from one frame to the next.

pub mod adjusting;
pub mod bound;
pub mod comparison;
pub mod conflicts;
pub mod counting;
pub mod duties;
pub mod evolution;
pub mod exams;
pub mod failing;
pub mod grid;
pub mod judging;
pub mod limits;
pub mod periods;
pub mod publishing;
pub mod rooms;
pub mod rooms_day;
pub mod search;
pub mod students;
pub mod views;
pub mod without_place;
