//! Examination timetabling.
//!
//! Exams E, consecutive periods P = 0…T−1, students S; c_ij = number of students who sit both i and j. A timetable
//! gives every exam one period t_i such that c_ij > 0 ⇒ t_i ≠ t_j. To minimise is the proximity cost
//!
//! ```text
//! raw  = Σ_{i<j} c_ij · w(|t_i − t_j|),   w(1…5) = 16, 8, 4, 2, 1, otherwise 0        shown = raw / |S|
//! ```
//!
//! Sources: M. W. Carter, G. Laporte, S. Y. Lee, «Examination timetabling: algorithmic strategies and applications»,
//! Journal of the Operational Research Society 47(3), 1996 (the problem and the Toronto instances);
//! V. Kolonias, G. Goulas, C. Gogos, P. Alefragis, E. Housos, «Solving the examination timetabling problem in GPUs»,
//! Algorithms 7(3), 2014 (the hybrid evolutionary algorithm).

pub mod annealing;
pub mod around;
pub mod bench;
mod bit_sets;
pub mod bounds;
pub mod bulk;
pub mod calendar;
pub mod check;
pub mod comparison;
mod comparison_text;
mod components;
mod conflicts;
pub mod construction;
pub mod contradictions;
pub mod costs;
pub mod counts;
pub mod data;
mod day_loads;
mod decisions;
mod device;
pub mod drawing;
pub mod evolution;
pub mod export;
pub mod facts;
pub mod figures;
pub mod formats;
pub mod generator;
mod generators;
pub mod instance;
mod invigilating;
pub mod invigilation;
pub mod invigilators;
mod keeping_rooms;
pub mod late_enrolments;
pub mod limit_windows;
pub mod limits;
mod measures;
pub mod model;
pub mod moves;
pub mod objective;
mod occupancy;
mod planning;
mod plausibility;
pub mod problem;
pub mod project;
pub mod publication;
pub mod published;
pub mod publishing;
mod repair;
pub mod report;
pub(crate) mod reseating;
pub mod resources;
mod respelled;
pub mod room_moves;
pub mod room_times;
pub mod rule_lines;
pub mod rules;
pub mod run;
pub mod seat_plan;
pub mod seating;
pub mod sittings;
mod smaller_rooms;
pub mod stored;
mod suites;
pub mod timetable;
mod versions;
mod who_sits_where;
pub mod without_place;
mod words;

pub use conflicts::{Conflicts, Students};
pub use gridwright_core::export::time_zone::TimeZone;
pub use instance::{Exam, Instance, InstanceParts, Period};
pub use invigilators::{Duty, Invigilator, Post, Role};
pub use limits::StudentLimits;
pub use objective::{Objective, ObjectiveKind, Weights};
pub use occupancy::rooms_of_exams;
pub use resources::{Absent, Arrangement, Contact, ExtraTime, ExtraTimePlace, Person, Resources, Room, RoomNeeds};
pub use rules::{Reference, Relation, RelationKind, Rules, StoredRules};
pub use sittings::Sitting;
pub use timetable::{Cost, Seats, Timetable, UNPLACED};

/// Proximity weights: `PROXIMITY_WEIGHTS[d]` = w(d) for two exams d periods apart; w(0) is 0 because clashes are
/// counted separately.
pub const PROXIMITY_WEIGHTS: [u32; 6] = [0, 16, 8, 4, 2, 1];

/// Largest number of periods of an instance; the searches store a period in one byte.
pub const MAX_PERIODS: usize = 255;

/// Largest number of exams of an instance; exam indices have 16 bits.
pub(crate) const MAX_EXAMS: usize = 32_000;

/// Largest number of pairs of exams that share a student: all pairs of 8,192 exams, which take 400 MB.
pub(crate) const MAX_PAIRS: usize = 1 << 25;
