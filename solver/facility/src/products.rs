//! Products with their routes through the departments.

use super::door::{DoorFlow, Way};

/// Problem of a route that leads nowhere.
pub(crate) const SHORT_ROUTE: &str =
    "a route has two departments or more, such as Saw; Mill; Store, or a door at one end";

/// Product that visits departments one after the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Product {
    /// Name.
    pub name: String,
    /// Pieces per period.
    pub quantity: f64,
    /// Pieces that are moved in one trip; more than 0.
    pub load: f64,
    /// Indices of the departments in the order of their visits; one may be visited several times.
    pub route: Vec<u16>,
    /// Index of the door through which it comes to the first department; `None` for none.
    pub from_door: Option<u16>,
    /// Index of the door through which it leaves the last department; `None` for none.
    pub to_door: Option<u16>,
}

impl Product {
    /// Trips per period between departments that follow each other on the route.
    pub fn trips(&self) -> f64 {
        self.quantity / self.load
    }

    /// Moves from one department to another one, in the order of the route. A department that follows itself is no move.
    pub fn moves(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pairs = self.route.windows(2).map(|pair| (usize::from(pair[0]), usize::from(pair[1])));
        pairs.filter(|(from, to)| from != to)
    }

    /// Flows through doors at both ends of the route.
    pub(crate) fn door_moves(&self) -> impl Iterator<Item = DoorFlow> {
        let ends = [(self.from_door, self.route.first(), Way::In), (self.to_door, self.route.last(), Way::Out)];
        let amount = self.trips();
        let flow = move |(door, department, way): (Option<u16>, Option<u16>, Way)| {
            Some(DoorFlow { department: department?, door: door?, amount, way })
        };
        ends.map(|(door, department, way)| (door, department.copied(), way)).into_iter().filter_map(flow)
    }

    /// Returns `true` if nothing moves: fewer than two departments and doors in all.
    pub(crate) fn is_short(&self) -> bool {
        self.route.is_empty() || self.route.len() + self.door_moves().count() < 2
    }
}
