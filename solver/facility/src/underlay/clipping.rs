//! Parts of an underlay that lie within the plant, for pictures that show nothing beyond it.

use super::{Content, Underlay};
use crate::Rectangle;

/// Part of a picture, by pixels from its upper left corner, and its place in the plant.
pub(crate) struct PicturePart {
    /// First column and row, and those behind the last ones.
    pub(crate) pixels: [u32; 4],
    /// Place in the plant.
    pub(crate) place: Rectangle,
}

impl Underlay {
    /// The pixels of a picture that lie within a plant of this size, to whole pixels; `None` for none.
    pub(crate) fn picture_within(&self, [width, height]: [f64; 2]) -> Option<PicturePart> {
        let Content::Picture(raster) = &self.content else { return None };
        let (scale, [x, y]) = (self.placement.scale, self.placement.origin);
        let pixel = |at: f64, most: u32| (at / scale).round().clamp(0.0, most.into()) as u32;
        let [left, right] = [-x, width - x].map(|at| pixel(at, raster.width));
        let [low, high] = [-y, height - y].map(|at| pixel(at, raster.height));
        if left >= right || low >= high {
            return None;
        }
        let size = |from: u32, to: u32| f64::from(to - from) * scale;
        let place = Rectangle {
            x: x + scale * f64::from(left),
            y: y + scale * f64::from(low),
            width: size(left, right),
            height: size(low, high),
        };
        Some(PicturePart { pixels: [left, raster.height - high, right, raster.height - low], place })
    }

    /// The lines of a drawing that lie within a plant of this size, in its coordinates.
    pub(crate) fn lines_within(&self, size: [f64; 2]) -> Vec<Vec<[f64; 2]>> {
        let Content::Drawing(drawing) = &self.content else { return Vec::new() };
        let mut parts: Vec<Vec<[f64; 2]>> = Vec::new();
        for line in &drawing.lines {
            let mut is_continued = false;
            for ends in line.windows(2) {
                let [from, to] = [ends[0], ends[1]].map(|point| self.place(point));
                let Some([start, end]) = clipped(from, to, size) else {
                    is_continued = false;
                    continue;
                };
                match parts.last_mut().filter(|_| is_continued && start == from) {
                    Some(part) => part.push(end),
                    None => parts.push(vec![start, end]),
                }
                is_continued = end == to;
            }
        }
        parts
    }
}

/// The part of a segment within the rectangle from (0, 0) to `size`; `None` if the segment lies beside it.
///
/// Source: Y.-D. Liang, B. A. Barsky, «A new concept and method for line clipping», ACM Transactions on Graphics 3(1),
/// 1984.
fn clipped(from: [f64; 2], to: [f64; 2], size: [f64; 2]) -> Option<[[f64; 2]; 2]> {
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let along = to[axis] - from[axis];
        for (toward, room) in [(-along, from[axis]), (along, size[axis] - from[axis])] {
            match toward {
                0.0 if room < 0.0 => return None,
                0.0 => {}
                _ if toward < 0.0 => enters = enters.max(room / toward),
                _ => leaves = leaves.min(room / toward),
            }
        }
    }
    let at = |share: f64| [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
    let start = if enters > 0.0 { at(enters) } else { from };
    let end = if leaves < 1.0 { at(leaves) } else { to };
    (enters <= leaves).then_some([start, end])
}
