//! Doors of a plant, and the flows between departments and doors.

use serde::{Deserialize, Serialize};

/// Door of a plant, such as a dock or a gate: a point where flows begin or end.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Door {
    /// Name, unique among the doors.
    pub name: String,
    /// Distance from the left side of the plant.
    pub x: f64,
    /// Distance from the lower side of the plant.
    pub y: f64,
}

/// Direction of a flow through a door.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Way {
    /// From the door to the department.
    #[default]
    In,
    /// From the department to the door.
    Out,
}

impl Way {
    /// Both directions.
    pub(crate) const ALL: [Self; 2] = [Self::In, Self::Out];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
        }
    }

    /// Direction of this name, in any case; `None` for other texts.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.name().eq_ignore_ascii_case(name))
    }
}

/// Flow between a department and a door.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoorFlow {
    /// Department index.
    pub department: u16,
    /// Door index.
    pub door: u16,
    /// Amount per period.
    pub amount: f64,
    /// Direction.
    pub way: Way,
}
