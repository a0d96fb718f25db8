//! A layout: which department lies in which bay, and the reference meaning of where that is.

use serde::{Deserialize, Serialize};

use super::Instance;

/// How bays lie.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Orientation {
    /// Strips of the full height, from left to right; departments from top to bottom.
    #[default]
    Vertical,
    /// Rows of the full width, from bottom to top; departments from left to right.
    ///
    /// The same code as vertical bays in a plant with width and height exchanged, see [`Plan::new`].
    Horizontal,
}

impl Orientation {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Vertical, Self::Horizontal];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vertical => "vertical",
            Self::Horizontal => "horizontal",
        }
    }
}

/// Departments bay by bay.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// How the bays lie.
    pub orientation: Orientation,
    /// The departments of each bay, in order; every department once, no bay empty.
    pub bays: Vec<Vec<u16>>,
}

impl Layout {
    /// A layout from a sequence and its breaks; `ends[k]` says whether `sequence[k]` is the last of its bay. The last one always is.
    pub fn of_sequence(orientation: Orientation, sequence: &[u16], ends: &[bool]) -> Self {
        let mut bays = vec![Vec::new()];
        for (at, &department) in sequence.iter().enumerate() {
            if let Some(bay) = bays.last_mut() {
                bay.push(department);
            }
            if ends.get(at).copied().unwrap_or(false) && at + 1 < sequence.len() {
                bays.push(Vec::new());
            }
        }
        bays.retain(|bay| !bay.is_empty());
        Self { orientation, bays }
    }

    /// The sequence and its breaks.
    pub fn sequence(&self) -> (Vec<u16>, Vec<bool>) {
        let sequence = self.bays.concat();
        let ends = self.bays.iter().flat_map(|bay| (1..=bay.len()).map(move |place| place == bay.len())).collect();
        (sequence, ends)
    }
}

/// A rectangle in units of length; y grows upwards.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rectangle {
    /// The left side.
    pub x: f64,
    /// The lower side.
    pub y: f64,
    /// Size along x.
    pub width: f64,
    /// Size along y.
    pub height: f64,
}

impl Rectangle {
    /// The centroid.
    pub fn centre(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// The longer side over the shorter one.
    pub fn aspect(&self) -> f64 {
        self.width.max(self.height) / self.width.min(self.height)
    }
}

/// Where everything lies.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// A rectangle per department, in the order of the instance.
    pub departments: Vec<Rectangle>,
    /// A rectangle per bay, in order.
    pub bays: Vec<Rectangle>,
}

impl Plan {
    /// Where a layout of all departments puts them.
    ///
    /// ```text
    /// vertical bays:   width of a bay = Σ areas / H,   height of a department = area / width of its bay
    /// ```
    ///
    /// Horizontal bays are those of the plant with width and height exchanged: what was left comes to lie at the bottom, and what was at the
    /// top of a bay at the left.
    pub fn new(instance: &Instance, layout: &Layout) -> Self {
        let length = match layout.orientation {
            Orientation::Vertical => instance.height,
            Orientation::Horizontal => instance.width,
        };
        let turned = |left: f64, top: f64, across: f64, along: f64| match layout.orientation {
            Orientation::Vertical => Rectangle { x: left, y: length - top - along, width: across, height: along },
            Orientation::Horizontal => Rectangle { x: top, y: left, width: along, height: across },
        };
        let mut departments = vec![Rectangle::default(); instance.len()];
        let mut bays = Vec::with_capacity(layout.bays.len());
        let mut left = 0.0;
        for bay in &layout.bays {
            let area: f64 = bay.iter().map(|&one| instance.departments[usize::from(one)].area).sum();
            let across = area / length;
            let mut top = 0.0;
            for &one in bay {
                let along = instance.departments[usize::from(one)].area / across;
                departments[usize::from(one)] = turned(left, top, across, along);
                top += along;
            }
            bays.push(turned(left, 0.0, across, length));
            left += across;
        }
        Self { departments, bays }
    }
}
