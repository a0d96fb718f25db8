//! Arrows for the flow of a stream and the places where what leaves at its end enters again.

use egui::{Painter, Pos2, Shape, Stroke, Vec2, pos2, vec2};

use super::layout::{Layout, MARGIN};
use super::{Flow, Heading};
use gridwright_window::theme::Palette;

/// Between two arrows, at least.
const APART: f32 = 44.0;
/// Lower rows share an arrow.
const TALL: f32 = 9.0;

/// Arrows into and out of a stream.
pub(super) fn paint(painter: &Painter, flow: Flow, layout: &Layout, index: usize, palette: &Palette) {
    let body = layout.bodies[index];
    let stroke = Stroke::new(1.25, palette.weak);
    match flow.heading {
        Heading::Right => {
            let every = (TALL / layout.row).ceil().max(1.0) as usize;
            for row in (0..layout.rows).step_by(every) {
                let y = body.top() + row as f32 * layout.row + (layout.colour + layout.mark) / 2.0;
                let (into, out) = (pos2(body.left() - 4.0, y), pos2(body.right() + 4.0, y));
                if flow.next_line {
                    // From the end of a row to the beginning of the next: half a row down on either side.
                    let half = (layout.row * every as f32 / 2.0).min(9.0);
                    bent(painter, &[out, out + vec2(8.0, 0.0), out + vec2(8.0, half)], stroke);
                    bent(painter, &[into + vec2(-10.0, -half), into + vec2(-10.0, 0.0), into], stroke);
                } else {
                    bent(painter, &[out, out + vec2(MARGIN - 9.0, 0.0)], stroke);
                    bent(painter, &[into - vec2(10.0, 0.0), into], stroke);
                }
            }
        }
        Heading::Down => {
            let every = (APART / layout.columns.item).ceil().max(1.0) as usize;
            let visible = layout.columns.visible();
            let first = visible.start.next_multiple_of(every) + every / 2;
            for column in (first..visible.end).step_by(every) {
                let x = layout.columns.middle(column) + layout.shift(index);
                if x < body.left() || x > body.right() {
                    continue;
                }
                let (into, out) = (pos2(x, body.top() - 3.0), pos2(x, body.bottom() + 3.0));
                if flow.next_line {
                    let half = (layout.columns.item * every as f32 / 2.0).min(9.0);
                    bent(painter, &[out, out + vec2(0.0, 7.0), out + vec2(half, 7.0)], stroke);
                    bent(painter, &[into + vec2(-half, -9.0), into + vec2(0.0, -9.0), into], stroke);
                } else {
                    bent(painter, &[out, out + vec2(0.0, layout.edge - 6.0)], stroke);
                    bent(painter, &[into - vec2(0.0, layout.edge - 6.0), into], stroke);
                }
            }
        }
    }
}

/// A line with a head at its end.
fn bent(painter: &Painter, points: &[Pos2], stroke: Stroke) {
    let [.., before, end] = points else { return };
    let along = (*end - *before).normalized();
    let across = Vec2::new(-along.y, along.x);
    painter.add(Shape::line(points.to_vec(), stroke));
    let head = vec![*end + along, *end - along * 4.0 + across * 3.0, *end - along * 4.0 - across * 3.0];
    painter.add(Shape::convex_polygon(head, stroke.color, Stroke::NONE));
}
