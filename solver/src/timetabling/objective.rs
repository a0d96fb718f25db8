//! Objectives: named sets of weights for the components of the cost, and their tables.
//!
//! ```text
//! cost = Σ_{i<j} c_ij · W[t_i][t_j]  +  Σ_e price[e][t_e]  +  Σ room terms
//! ```
//!
//! c_ij is the number of students who sit both exams, W a symmetric table over periods that follows from calendar and
//! weights, `price` holds penalties of periods and large exams late in the session; room terms are penalties of rooms,
//! different durations in one room and period, and further rooms of one sitting.
//!
//! Sources: M. W. Carter, G. Laporte, S. Y. Lee, «Examination timetabling: algorithmic strategies and applications», Journal of
//! the Operational Research Society 47(3), 1996 (Toronto); B. McCollum, P. McMullan, E. K. Burke, A. J. Parkes, R. Qu, «The
//! second International Timetabling Competition: examination timetabling track», technical report
//! QUB/IEEE/Tech/ITC2007/Exam/v4.0/17, 2007 (ITC-2007).

use serde::{Deserialize, Serialize};

/// Named objective.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, strum::VariantArray, strum::IntoStaticStr,
)]
pub enum ObjectiveKind {
    /// Proximity cost per student, as the Toronto instances are compared.
    #[default]
    #[strum(serialize = "toronto")]
    Toronto,
    /// Weights of the examination track of the International Timetabling Competition 2007.
    #[strum(serialize = "itc-2007")]
    Itc2007,
    /// Days of students first: no two exams in a row, few days with two, then days between exams.
    #[strum(serialize = "office")]
    Office,
}

impl ObjectiveKind {
    /// All kinds, in the order of the enum.
    pub const ALL: [Self; 3] = crate::variants();

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Toronto => "Toronto",
            Self::Itc2007 => "ITC-2007",
            Self::Office => "Office",
        }
    }
}

/// Weights of the components, in cost units.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Weights {
    /// Factor of 16, 8, 4, 2, 1 for a student with two exams 1 to 5 periods apart.
    pub proximity: u32,
    /// Number of periods that each night adds to a distance of `proximity`.
    pub night: u32,
    /// A student has two exams in adjacent periods of one day.
    pub in_a_row: u32,
    /// A student has two exams on one day, not in adjacent periods.
    pub in_a_day: u32,
    /// A student has two exams at most `spread_periods` apart, on whatever days.
    pub spread: u32,
    /// Distance in periods within which `spread` counts.
    pub spread_periods: u32,
    /// Factor of 4, 2, 1 for a student with exams on days that follow each other, or 2 or 3 days apart.
    pub days: u32,
    /// One of the `large_exams` largest exams is in one of the last `late_periods` periods.
    pub late: u32,
    /// Number of largest exams that should not be late; of equal ones the first in the file.
    pub large_exams: u32,
    /// Number of last periods of the session that are late.
    pub late_periods: u32,
    /// Factor of the penalty of a period, for each exam in it.
    pub period: u32,
    /// Factor of the penalty of a room, for each sitting in it.
    pub room: u32,
    /// Each duration beyond the first in one room and period.
    pub mixed_durations: u32,
    /// Each room beyond the first of one sitting.
    pub part: u32,
}

impl Weights {
    /// Weights of an objective; those of a competition's file stand in the file.
    pub fn of(kind: ObjectiveKind) -> Self {
        match kind {
            ObjectiveKind::Toronto => Self { proximity: 1, ..Self::default() },
            ObjectiveKind::Itc2007 => Self {
                in_a_row: 7,
                in_a_day: 5,
                spread: 1,
                spread_periods: 5,
                mixed_durations: 10,
                late: 5,
                large_exams: 100,
                late_periods: 30,
                period: 1,
                room: 1,
                ..Self::default()
            },
            ObjectiveKind::Office => Self {
                in_a_row: 120,
                in_a_day: 60,
                days: 2,
                late: 50,
                large_exams: 20,
                late_periods: 4,
                period: 1,
                room: 1,
                mixed_durations: 10,
                part: 20,
                ..Self::default()
            },
        }
    }
}

/// Objective of a session: its name and its weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Objective {
    /// Name.
    pub kind: ObjectiveKind,
    /// Weights, which may differ from those of the name.
    pub weights: Weights,
}

impl Default for Objective {
    fn default() -> Self {
        Self::of(ObjectiveKind::Toronto)
    }
}

impl Objective {
    /// Objective with the weights of its name.
    pub fn of(kind: ObjectiveKind) -> Self {
        Self { kind, weights: Weights::of(kind) }
    }

    /// Returns `true` for the published proximity cost, unchanged.
    pub fn is_toronto(&self) -> bool {
        *self == Self::default()
    }

    /// Returns `true` if the cost is shown divided by the number of students.
    pub fn is_per_student(&self) -> bool {
        self.kind == ObjectiveKind::Toronto
    }
}
