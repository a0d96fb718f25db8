//! Layouts (departments in bays, or departments with rectangles of their own) and the rectangles that follow from
//! them: the reference implementation of the geometry.

use serde::{Deserialize, Serialize};

use super::Instance;
use super::rectangle::{Orientation, Placed, Rectangle};

/// Layout: departments bay by bay, or departments with rectangles of their own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// Orientation of the bays; vertical for a layout of rectangles.
    pub orientation: Orientation,
    /// Department indices of each bay, in order; every department occurs once, no bay is empty. Empty for a layout of
    /// rectangles.
    pub bays: Vec<Vec<u16>>,
    /// Departments with their rectangles, for a layout of rectangles; empty for a layout with bays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rectangles: Vec<Placed>,
}

impl Layout {
    /// Layout of departments in bays.
    pub fn of_bays(orientation: Orientation, bays: Vec<Vec<u16>>) -> Self {
        Self { orientation, bays, rectangles: Vec::new() }
    }

    /// Layout of rectangles, sorted by department.
    pub(crate) fn of_rectangles(mut rectangles: Vec<Placed>) -> Self {
        rectangles.sort_by_key(|placed| placed.department);
        Self { rectangles, ..Self::default() }
    }

    /// Returns `true` for a layout of rectangles, which has no bays.
    pub fn is_free(&self) -> bool {
        !self.rectangles.is_empty()
    }

    /// Department indices in the order of the bays, or of the rectangles.
    pub fn departments(&self) -> impl Iterator<Item = u16> + '_ {
        self.bays.iter().flatten().copied().chain(self.rectangles.iter().map(|placed| placed.department))
    }

    /// Returns `true` if each of `departments` departments is in the layout exactly once, and no bay is empty.
    pub fn is_whole(&self, departments: usize) -> bool {
        let mut all: Vec<u16> = self.departments().collect();
        all.sort_unstable();
        let is_bay = |bay: &Vec<u16>| !bay.is_empty();
        let is_whole = all.iter().map(|&one| usize::from(one)).eq(0..departments);
        is_whole && self.bays.iter().all(is_bay) && (self.bays.is_empty() || self.rectangles.is_empty())
    }

    /// Describes the arrangement: «4 vertical bays», or «rectangles» for a layout of rectangles.
    pub fn arrangement(&self) -> String {
        if self.is_free() {
            return "rectangles".to_owned();
        }
        let count = self.bays.len();
        format!("{count} {} {}", self.orientation.name(), if count == 1 { "bay" } else { "bays" })
    }

    /// The bays whose rectangles deviate at most by `most` units of length from those of this layout of all departments;
    /// `None` if no bays do.
    pub(crate) fn as_bays(&self, instance: &Instance, most: f64) -> Option<Self> {
        let mut deviations = Orientation::ALL.into_iter().map(|orientation| {
            let bays = Self::of_bays(orientation, bays_of(&self.rectangles, orientation, most));
            (self.deviation(instance, &bays), bays)
        });
        deviations.find(|(deviation, bays)| *deviation <= most && bays.is_whole(instance.len())).map(|found| found.1)
    }

    /// Largest difference of a coordinate or side of the rectangles to those that `bays` gives the departments.
    pub(crate) fn deviation(&self, instance: &Instance, bays: &Self) -> f64 {
        let plan = Plan::new(instance, bays);
        let deviation = |placed: &Placed| {
            let place = plan.departments.get(usize::from(placed.department));
            place.map_or(f64::INFINITY, |place| place.deviation(&placed.rectangle))
        };
        self.rectangles.iter().map(deviation).fold(0.0, f64::max)
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
        Self::of_bays(orientation, bays)
    }

    /// The layout and its mirror images: bays in the opposite order, the departments of every bay in the opposite order,
    /// and both. They have the same cost and the same shapes.
    pub(crate) fn images(&self) -> [Self; 4] {
        let reversed = |mut layout: Self| {
            layout.bays.iter_mut().for_each(|bay| bay.reverse());
            layout
        };
        let turned = Self { bays: self.bays.iter().rev().cloned().collect(), ..self.clone() };
        [self.clone(), turned.clone(), reversed(self.clone()), reversed(turned)]
    }

    /// Number of departments of `self` that lie in another bay, at another place of it, or nowhere in `other`. Of two
    /// layouts of rectangles the rectangles are compared; bays and rectangles have no place in common.
    pub fn displaced(&self, other: &Self) -> usize {
        if self.is_free() && other.is_free() {
            let stays = |placed: &&Placed| !other.rectangles.contains(placed);
            return self.rectangles.iter().filter(stays).count();
        }
        if self.orientation != other.orientation || self.is_free() || other.is_free() {
            return self.departments().count();
        }
        let none = &Vec::new();
        let bays = self.bays.iter().enumerate().map(|(at, bay)| (bay, other.bays.get(at).unwrap_or(none)));
        bays.map(|(bay, there)| bay.iter().enumerate().filter(|(at, one)| there.get(*at) != Some(one)).count()).sum()
    }

    /// The image of the layout from which fewest departments of `other` are displaced; the layout itself if none is
    /// nearer, and for a layout of rectangles.
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

/// Department indices bay by bay: rectangles whose centroids across the bays differ by at most `most` form a bay.
fn bays_of(rectangles: &[Placed], orientation: Orientation, most: f64) -> Vec<Vec<u16>> {
    let mut placed: Vec<((f64, f64), u16)> =
        rectangles.iter().map(|placed| (placed.rectangle.in_bays(orientation), placed.department)).collect();
    placed.sort_by(|one, other| one.0.0.total_cmp(&other.0.0).then(one.1.cmp(&other.1)));
    let bays = placed.chunk_by_mut(|one, other| other.0.0 - one.0.0 <= most);
    bays.map(|bay| {
        bay.sort_by(|one, other| one.0.1.total_cmp(&other.0.1).then(one.1.cmp(&other.1)));
        bay.iter().map(|placed| placed.1).collect()
    })
    .collect()
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
    /// Computes the rectangles of a layout that contains every department. A layout of rectangles has no bays.
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
        for placed in &layout.rectangles {
            if let Some(place) = departments.get_mut(usize::from(placed.department)) {
                *place = placed.rectangle;
            }
        }
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
mod tests;
