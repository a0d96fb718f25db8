//! What stays free around locked rectangles: parts of a layout whose departments can change places without moving one.
//!
//! A department has its rectangle in a layout with bays if the departments of its bay, those of the bays before and those
//! before it in its bay have certain areas together. In a layout that keeps all locked rectangles, the bays between two bays
//! with locked departments, and the stretches of such a bay between two locked departments, can be rearranged without a change
//! of these sums.

use super::genes::{END, of_layout};
use super::instance::TOLERANCE;
use super::{Instance, Layout, Orientation, Plan};

/// Places of a sequence that can be rearranged among themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// First place.
    pub first: usize,
    /// Place behind the last.
    pub end: usize,
    /// True for whole bays, which can be broken anywhere; false for a stretch of a bay.
    pub(crate) is_bays: bool,
}

/// Layout with locked rectangles, and the parts of it that can be rearranged.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Genes of the layout.
    pub(crate) genes: Vec<u16>,
    /// Parts of more than one department, in order.
    pub parts: Vec<Part>,
}

/// Largest deviation of a locked rectangle, in units of length.
pub(crate) fn tolerance(instance: &Instance) -> f64 {
    TOLERANCE * instance.width.max(instance.height)
}

impl Frame {
    /// Frame of the rectangles that an instance locks in bays of this orientation; `None` if it locks none, or if no layout is
    /// known that keeps them.
    pub fn of(instance: &Instance, orientation: Orientation) -> Option<Self> {
        let rules = &instance.rules;
        let around = rules.around.as_ref().filter(|around| around.orientation == orientation)?;
        let is_fixed = |one: &u16| rules.fixed.iter().any(|fixed| fixed.department == *one);
        (!rules.fixed.is_empty() && keeps_fixed(instance, around)).then_some(())?;
        let mut parts: Vec<Part> = Vec::new();
        let mut add = |first: usize, end: usize, is_bays: bool| match parts.last_mut() {
            Some(last) if is_bays && last.is_bays && last.end == first => last.end = end,
            _ => parts.push(Part { first, end, is_bays }),
        };
        let mut first = 0;
        for bay in &around.bays {
            if bay.iter().any(is_fixed) {
                for stretch in bay.split(is_fixed) {
                    add(first, first + stretch.len(), false);
                    first += stretch.len() + 1;
                }
                // The last stretch has no locked department behind it.
                first -= 1;
            } else {
                add(first, first + bay.len(), true);
                first += bay.len();
            }
        }
        parts.retain(|part| part.end - part.first > 1);
        Some(Self { genes: of_layout(around), parts })
    }

    /// Returns `true` if bays end behind this place whatever the arrangement of the parts.
    pub(crate) fn ends_at(&self, place: usize) -> bool {
        self.genes.get(place).is_some_and(|gene| gene & END != 0)
    }
}

/// Returns `true` if a layout of all departments keeps every locked rectangle.
pub(crate) fn keeps_fixed(instance: &Instance, layout: &Layout) -> bool {
    let plan = Plan::new(instance, layout);
    let most = tolerance(instance);
    instance.rules.fixed.iter().all(|fixed| {
        let place = plan.departments.get(usize::from(fixed.department));
        fixed.orientation == layout.orientation && place.is_some_and(|place| place.deviation(&fixed.rectangle) <= most)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Department, Fixed, Rules};

    /// Bays 0 1 | 2 | 3 4 5 6 7 | 8 | 9, of which 5 and 8 are locked.
    #[test]
    fn parts_lie_between_locked_departments() {
        let department =
            |at: u32| Department { name: at.to_string(), area: 1.0 + f64::from(at), ..Department::default() };
        let mut instance = Instance {
            width: 11.0,
            height: 5.0,
            departments: (0..10).map(department).collect(),
            flows: vec![0.0; 100],
            ..Instance::default()
        };
        let bays = vec![vec![0, 1], vec![2], vec![3, 4, 5, 6, 7], vec![8], vec![9]];
        let around = Layout::of_bays(Orientation::Vertical, bays);
        let plan = Plan::new(&instance, &around);
        let fixed = |department: u16| Fixed {
            department,
            rectangle: plan.departments[usize::from(department)],
            orientation: Orientation::Vertical,
        };
        instance.rules = Rules { fixed: vec![fixed(5), fixed(8)], around: Some(around.clone()), ..Rules::default() };
        let frame = Frame::of(&instance, Orientation::Vertical).unwrap();
        let part = |first, end, is_bays| Part { first, end, is_bays };
        assert_eq!(frame.parts, [part(0, 3, true), part(3, 5, false), part(6, 8, false)]);
        assert_eq!(Frame::of(&instance, Orientation::Horizontal), None);
        let mirrored = Layout { bays: around.bays.iter().rev().cloned().collect(), ..around };
        assert!(!keeps_fixed(&instance, &mirrored), "the mirror image has other rectangles");
        instance.rules.around = Some(mirrored);
        assert_eq!(Frame::of(&instance, Orientation::Vertical), None);
    }
}
