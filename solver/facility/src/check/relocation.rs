//! Cost of moving away from today's layout, from the sides of the rooms.

use super::{Checking, Moving, Room};
use crate::Distance;
use crate::instance::TOLERANCE;

/// Adds up the prices of all departments with a place whose sides are not those of today.
pub(super) fn moving(checking: &Checking<'_>) -> Moving {
    let instance = checking.instance;
    let most = TOLERANCE * instance.width.max(instance.height);
    let sides = |room: &Room| [room.left, room.right, room.bottom, room.top];
    let mut moving = Moving::default();
    for placed in &instance.today {
        let department = usize::from(placed.department);
        let Some(Some(room)) = checking.rooms.get(department) else { continue };
        let price = instance.departments[department].relocation;
        let today = Room::of(placed.rectangle);
        let is_there = sides(room).into_iter().zip(sides(&today)).all(|(is, was)| (is - was).abs() <= most);
        if is_there || (price.fixed == 0.0 && price.per_length == 0.0) {
            continue;
        }
        let ((x, y), (was_x, was_y)) = (room.centre(), today.centre());
        let distance = match instance.distance {
            Distance::Rectilinear => (x - was_x).abs() + (y - was_y).abs(),
            Distance::Euclidean => (x - was_x).hypot(y - was_y),
        };
        let cost = price.fixed + price.per_length * distance;
        moving.departments.push((placed.department, cost));
        moving.cost += cost;
    }
    moving
}
