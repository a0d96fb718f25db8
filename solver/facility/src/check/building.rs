//! Checks of a layout against the building: fixed things, the outline, and departments that keep their rectangle.

use super::{Checking, Room, ViolationKind, size};
use crate::building::PartKind;
use crate::instance::TOLERANCE;
use crate::{Placed, Rectangle};
use gridwright_core::numbers::rounded;

impl Room {
    pub(super) fn of(Rectangle { x, y, width, height }: Rectangle) -> Self {
        Self { left: x, right: x + width, bottom: y, top: y + height }
    }
}

/// Reports departments that cover fixed things or floor outside of the outline, and adds up their number and area.
pub(super) fn parts(checking: &mut Checking<'_>) {
    let instance = checking.instance;
    for department in 0..checking.rooms.len() {
        let Some(room) = checking.rooms[department] else { continue };
        for part in &instance.building.parts {
            let (x, y) = room.overlap(&Room::of(part.rectangle));
            if x <= TOLERANCE || y <= TOLERANCE {
                continue;
            }
            checking.blocked.0 += 1;
            checking.blocked.1 += x * y;
            let (name, label, common) = (checking.name(department), part.label(), size(x, y));
            let area = rounded(x * y);
            let (kind, text) = match part.kind {
                PartKind::Fixed => {
                    (ViolationKind::Blocked, format!("department {name} covers {label}: {common}, area {area}"))
                }
                PartKind::Outside => (
                    ViolationKind::Outside,
                    format!(
                        "department {name} reaches beyond the outline of the plant into {label}: {common}, area {area}"
                    ),
                ),
            };
            checking.complain(kind, &[department], text);
        }
    }
}

/// Reports departments that are not in the rectangle that the rules or the building give them.
pub(super) fn places(checking: &mut Checking<'_>) {
    let instance = checking.instance;
    let is_locked = |placed: &&Placed| {
        let rules = &instance.rules;
        let locked = rules.placed.iter().map(|one| one.department).chain(rules.fixed.iter().map(|one| one.department));
        locked.into_iter().any(|one| one == placed.department)
    };
    for placed in &instance.rules.placed {
        place(checking, placed, ViolationKind::Lock, "locked to");
    }
    for placed in instance.building.places.iter().filter(|placed| !is_locked(placed)) {
        place(checking, placed, ViolationKind::Place, "fixed in the building as");
    }
}

fn place(checking: &mut Checking<'_>, placed: &Placed, kind: ViolationKind, how: &str) {
    let department = usize::from(placed.department);
    let Some(&Some(room)) = checking.rooms.get(department) else { return };
    let most = TOLERANCE * checking.instance.width.max(checking.instance.height);
    let wanted = Room::of(placed.rectangle);
    let sides = |room: &Room| [room.left, room.right, room.bottom, room.top];
    if sides(&room).into_iter().zip(sides(&wanted)).all(|(is, wanted)| (is - wanted).abs() <= most) {
        return;
    }
    let at = |room: &Room| {
        let (width, height) = room.size();
        format!("{} at x {}, y {}", size(width, height), rounded(room.left), rounded(room.bottom))
    };
    let text = format!("department {} is {how} {} and is {}", checking.name(department), at(&wanted), at(&room));
    checking.complain(kind, &[department], text);
}
