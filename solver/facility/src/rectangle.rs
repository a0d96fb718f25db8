//! Rectangles of departments in a plant.

use serde::{Deserialize, Serialize};

/// Orientation of the bays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, strum::VariantArray)]
pub enum Orientation {
    /// Strips of the full height, from left to right; departments from top to bottom.
    #[default]
    Vertical,
    /// Rows of the full width, from bottom to top; departments from left to right.
    ///
    /// Computed as vertical bays of the plant with width and height exchanged, see [`Plan::new`].
    Horizontal,
}

impl Orientation {
    /// Both orientations, vertical first.
    pub const ALL: [Self; 2] = gridwright_core::variants();

    /// Name in files and on the command line: `vertical` or `horizontal`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vertical => "vertical",
            Self::Horizontal => "horizontal",
        }
    }
}

/// A rectangle in units of length; y grows upwards.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rectangle {
    /// Left side.
    pub x: f64,
    /// Lower side.
    pub y: f64,
    /// Size along x.
    pub width: f64,
    /// Size along y.
    pub height: f64,
}

impl Rectangle {
    /// Returns `true` if the sides are more than 0 and no number is beyond reason: at most 10⁹ units of length.
    pub(crate) fn is_sound(&self) -> bool {
        const MOST: f64 = 1e9;
        let Self { x, y, width, height } = *self;
        [x, y, width, height].iter().all(|number| number.abs() <= MOST) && width > 0.0 && height > 0.0
    }

    /// Centroid (x, y).
    pub fn centre(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Width × height.
    pub fn area(&self) -> f64 {
        self.width * self.height
    }

    /// Overlap of the projections of two rectangles on x and y; negative where there is a gap.
    pub fn overlap(&self, other: &Self) -> (f64, f64) {
        let along =
            |low: f64, size: f64, other: f64, other_size: f64| (low + size).min(other + other_size) - low.max(other);
        (along(self.x, self.width, other.x, other.width), along(self.y, self.height, other.y, other.height))
    }

    /// Largest difference of a coordinate or side to another rectangle.
    pub fn deviation(&self, other: &Self) -> f64 {
        let pairs = [(self.x, other.x), (self.y, other.y), (self.width, other.width), (self.height, other.height)];
        pairs.into_iter().map(|(own, other)| (own - other).abs()).fold(0.0, f64::max)
    }

    /// Centroid across bays of this orientation and along them, in the order in which bays and places are counted.
    pub(crate) fn in_bays(&self, orientation: Orientation) -> (f64, f64) {
        match orientation {
            Orientation::Vertical => (self.centre().0, -self.centre().1),
            Orientation::Horizontal => (self.centre().1, self.centre().0),
        }
    }

    /// Aspect ratio: longer side / shorter side.
    pub fn aspect(&self) -> f64 {
        self.width.max(self.height) / self.width.min(self.height)
    }
}

/// Department with its rectangle in a layout of rectangles.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placed {
    /// Department index.
    pub department: u16,
    /// Position and size.
    pub rectangle: Rectangle,
}
