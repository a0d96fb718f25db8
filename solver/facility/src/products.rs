//! Products with their routes through the departments.

/// Problem of a route that leads nowhere.
pub(crate) const SHORT_ROUTE: &str = "a route has two departments or more, such as Saw; Mill; Store";

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
}
