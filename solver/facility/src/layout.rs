//! Layouts (departments in bays) and the rectangles that follow from them: the reference implementation of the
//! geometry.

use serde::{Deserialize, Serialize};

use super::Instance;

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

/// Layout: departments bay by bay.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// Orientation of the bays.
    pub orientation: Orientation,
    /// Department indices of each bay, in order; every department occurs once, no bay is empty.
    pub bays: Vec<Vec<u16>>,
}

impl Layout {
    /// Returns `true` if each of `departments` departments is in the layout exactly once, and no bay is empty.
    pub fn is_whole(&self, departments: usize) -> bool {
        let mut all = self.bays.concat();
        all.sort_unstable();
        let is_bay = |bay: &Vec<u16>| !bay.is_empty();
        all.iter().map(|&one| usize::from(one)).eq(0..departments) && self.bays.iter().all(is_bay)
    }

    /// Builds a layout from a sequence of department indices; `ends[k]` is true if `sequence[k]` is the last of its
    /// bay. The last element always ends a bay.
    pub(crate) fn of_sequence(orientation: Orientation, sequence: &[u16], ends: &[bool]) -> Self {
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

    /// The layout and its mirror images: bays in the opposite order, the departments of every bay in the opposite order,
    /// and both. They have the same cost and the same shapes.
    pub(crate) fn images(&self) -> [Self; 4] {
        let reversed = |mut layout: Self| {
            layout.bays.iter_mut().for_each(|bay| bay.reverse());
            layout
        };
        let turned = Self { orientation: self.orientation, bays: self.bays.iter().rev().cloned().collect() };
        [self.clone(), turned.clone(), reversed(self.clone()), reversed(turned)]
    }

    /// Number of departments of `self` that lie in another bay, at another place of it, or nowhere in `other`.
    pub fn displaced(&self, other: &Self) -> usize {
        if self.orientation != other.orientation {
            return self.bays.iter().map(Vec::len).sum();
        }
        let none = &Vec::new();
        let bays = self.bays.iter().enumerate().map(|(at, bay)| (bay, other.bays.get(at).unwrap_or(none)));
        bays.map(|(bay, there)| bay.iter().enumerate().filter(|(at, one)| there.get(*at) != Some(one)).count()).sum()
    }

    /// The image of the layout from which fewest departments of `other` are displaced; the layout itself if none is nearer.
    pub fn image_like(&self, other: &Self) -> Self {
        let images = self.images().into_iter();
        images.min_by_key(|image| other.displaced(image)).unwrap_or_else(|| self.clone())
    }

    /// Returns the sequence and its break flags, as [`Self::of_sequence`] takes them.
    pub fn sequence(&self) -> (Vec<u16>, Vec<bool>) {
        let sequence = self.bays.concat();
        let ends = self.bays.iter().flat_map(|bay| (1..=bay.len()).map(move |place| place == bay.len())).collect();
        (sequence, ends)
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
    /// Centroid (x, y).
    pub fn centre(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// Largest difference of a coordinate or side to another rectangle.
    pub fn deviation(&self, other: &Self) -> f64 {
        let pairs = [(self.x, other.x), (self.y, other.y), (self.width, other.width), (self.height, other.height)];
        pairs.into_iter().map(|(own, other)| (own - other).abs()).fold(0.0, f64::max)
    }

    /// Aspect ratio: longer side / shorter side.
    pub fn aspect(&self) -> f64 {
        self.width.max(self.height) / self.width.min(self.height)
    }
}

/// Rectangles of all departments and bays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// One rectangle per department, in the order of the instance.
    pub departments: Vec<Rectangle>,
    /// One rectangle per bay, in order.
    pub bays: Vec<Rectangle>,
}

impl Plan {
    /// Computes the rectangles of a layout that contains every department.
    ///
    /// ```text
    /// vertical bays:   width of a bay = Σ areas / H,   height of a department = area / width of its bay
    /// ```
    ///
    /// Horizontal bays are those of the plant with width and height exchanged: left becomes bottom, top becomes left.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_images_are_the_same_layout() {
        let layout = |bays: &[&[u16]]| Layout {
            orientation: Orientation::Horizontal,
            bays: bays.iter().map(|bay| bay.to_vec()).collect(),
        };
        let before = layout(&[&[0, 1], &[2], &[3, 4, 5]]);
        let twin = layout(&[&[5, 4, 3], &[2], &[1, 0]]);
        assert_eq!((before.displaced(&twin), twin.image_like(&before)), (5, before.clone()));
        assert_eq!(before.displaced(&layout(&[&[2], &[0, 1], &[3, 4, 5]])), 3);
        assert_eq!(before.displaced(&layout(&[&[0, 2], &[1], &[3, 4, 5]]).image_like(&before)), 2);
        let turned = Layout { orientation: Orientation::Vertical, ..before.clone() };
        assert_eq!(before.displaced(&turned), 6);
    }
}
