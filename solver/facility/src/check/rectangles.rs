//! Checks of a layout of rectangles: areas, overlaps, and locks to bays that there are not.

use super::{Checking, Room, Verdict, ViolationKind, size};
use crate::instance::TOLERANCE;
use crate::{Instance, Placed, Rectangle};
use gridwright_core::numbers::rounded;

/// Checks a layout of rectangles.
pub(super) fn check(instance: &Instance, rectangles: &[Placed]) -> Verdict {
    let mut checking = Checking::new(instance);
    for placed in rectangles {
        let department = usize::from(placed.department);
        let Rectangle { x, y, width, height } = placed.rectangle;
        let room = Room { left: x, right: x + width, bottom: y, top: y + height };
        let Some(place) = checking.rooms.get_mut(department) else {
            let (number, all) = (department + 1, instance.departments.len());
            checking.complain(
                ViolationKind::Unknown,
                &[],
                format!("there is no department number {number}, only {all}"),
            );
            continue;
        };
        if place.is_some() {
            let text = format!("department {} has two places", checking.name(department));
            checking.complain(ViolationKind::Twice, &[department], text);
            continue;
        }
        *place = Some(room);
        let (area, wanted) = (width * height, instance.departments[department].area);
        if !placed.rectangle.is_sound() || (area - wanted).abs() > TOLERANCE * wanted.max(1.0) {
            let (name, size) = (checking.name(department), size(width, height));
            let text = format!("department {name} is {size} and so {}, but needs {}", rounded(area), rounded(wanted));
            checking.complain(ViolationKind::Area, &[department], text);
        }
    }
    checking.locks_without_bays();
    checking.fixed(None);
    checking.overlaps();
    checking.judge()
}

impl Checking<'_> {
    /// Reports departments that are locked to a bay of a layout that has none.
    fn locks_without_bays(&mut self) {
        for lock in &self.instance.rules.locks {
            let department = usize::from(lock.department);
            let (name, bay) = (self.name(department), lock.bay + 1);
            let text = format!("department {name} is locked to bay {bay}, and the layout has rectangles and no bays");
            self.complain(ViolationKind::Lock, &[department], text);
        }
    }

    /// Reports rooms that overlap.
    fn overlaps(&mut self) {
        for one in 0..self.rooms.len() {
            for other in 0..one {
                let (Some(here), Some(there)) = (self.rooms[one], self.rooms[other]) else { continue };
                let (x, y) = here.overlap(&there);
                if x > TOLERANCE && y > TOLERANCE {
                    let [first, second] = [other, one].map(|department| self.name(department));
                    let text = format!("departments {first} and {second} lie upon each other: {}", size(x, y));
                    self.complain(ViolationKind::Overlap, &[other, one], text);
                }
            }
        }
    }
}
