//! Outline of a plant as closed lines.

use std::ops::Range;

use super::PartKind;
use crate::Instance;

/// A point of the plan.
type Point = (f64, f64);

/// Corners of the outline, one closed line for each connected wall: around floor counter-clockwise, around the outside within
/// the plant clockwise. A plant without an outside has four corners, the first at the lower left.
pub fn outline(instance: &Instance) -> Vec<Vec<Point>> {
    let outside: Vec<_> = instance.building.parts.iter().filter(|part| part.kind == PartKind::Outside).collect();
    let (mut xs, mut ys) = (vec![0.0, instance.width], vec![0.0, instance.height]);
    for part in &outside {
        let one = &part.rectangle;
        xs.extend([one.x, one.x + one.width]);
        ys.extend([one.y, one.y + one.height]);
    }
    let (xs, ys) = (lines(xs, instance.width), lines(ys, instance.height));
    let (columns, rows) = (xs.len() - 1, ys.len() - 1);
    let mut floor = vec![true; columns * rows];
    for part in &outside {
        let one = &part.rectangle;
        let across = cells(&xs, one.x, one.x + one.width);
        for row in cells(&ys, one.y, one.y + one.height) {
            floor[row * columns..][across.clone()].fill(false);
        }
    }
    let at = |column: usize, row: usize| column < columns && row < rows && floor[row * columns + column];
    // Walls with the floor at their left, from one corner of the grid to the next.
    let mut walls: Vec<([usize; 2], [usize; 2])> = Vec::new();
    for row in 0..rows {
        for column in (0..columns).filter(|&column| at(column, row)) {
            let corners = [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]];
            let beside = [
                row > 0 && at(column, row - 1),
                at(column + 1, row),
                at(column, row + 1),
                column > 0 && at(column - 1, row),
            ];
            let open = beside.into_iter().enumerate().filter(|(_, is_floor)| !is_floor);
            walls.extend(open.map(|(side, _)| (corners[side], corners[(side + 1) % 4])));
        }
    }
    let mut loops = Vec::new();
    while let Some((first, mut end)) = (!walls.is_empty()).then(|| walls.remove(0)) {
        let mut corners = vec![first];
        while end != first {
            corners.push(end);
            let Some(next) = walls.iter().position(|wall| wall.0 == end) else { break };
            end = walls.remove(next).1;
        }
        let point = |corner: &[usize; 2]| (xs[corner[0]], ys[corner[1]]);
        loops.push(turns(&corners).iter().map(point).collect());
    }
    loops
}

/// Coordinates in order, without those that are equal but for rounding and those beyond the plant.
fn lines(mut all: Vec<f64>, end: f64) -> Vec<f64> {
    const ROUNDING: f64 = 1e-9;
    all.iter_mut().for_each(|one| *one = one.clamp(0.0, end));
    all.sort_by(f64::total_cmp);
    all.dedup_by(|one, before| *one - *before <= ROUNDING * end);
    all
}

/// Cells between lines whose middle lies between two coordinates.
fn cells(lines: &[f64], low: f64, high: f64) -> Range<usize> {
    let middle = |at: usize| (lines[at] + lines[at + 1]) / 2.0;
    let all = 0..lines.len() - 1;
    let first = all.clone().find(|&at| middle(at) > low).unwrap_or(all.end);
    let end = all.clone().find(|&at| middle(at) >= high).unwrap_or(all.end);
    first..end.max(first)
}

/// Corners of a closed line at which its direction changes.
fn turns(corners: &[[usize; 2]]) -> Vec<[usize; 2]> {
    let count = corners.len();
    let is_turn = |at: &usize| {
        let [before, here, behind] = [corners[(at + count - 1) % count], corners[*at], corners[(at + 1) % count]];
        let is_straight = |axis: usize| before[axis] == here[axis] && here[axis] == behind[axis];
        !is_straight(0) && !is_straight(1)
    };
    (0..count).filter(is_turn).map(|at| corners[at]).collect()
}
