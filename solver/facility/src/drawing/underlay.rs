//! Underlay of a plan on paper: the part within the plant.

use std::sync::Arc;

use gridwright_core::scene::{Area, Scene, Shape};

use super::plan::Paper;
use crate::underlay::{Content, Underlay};

/// Width of the lines of a drawing in points.
const LINE: f32 = 0.5;

impl Paper<'_, '_, '_> {
    /// Draws the part of an underlay that lies within the plant.
    pub(super) fn draw_underlay(&self, scene: &mut Scene, underlay: &Underlay) {
        let instance = self.facts.floor.instance;
        let size = [instance.width, instance.height];
        let opacity = underlay.placement.opacity as f32;
        if let (Content::Picture(raster), Some(part)) = (&underlay.content, underlay.picture_within(size)) {
            let Some(pixels) = raster.part(part.pixels, opacity) else { return };
            let Area { x, y, width, height } = self.area(&part.place);
            scene.shapes.push(Shape::Picture { x, y, width, height, raster: Arc::new(pixels) });
        }
        let colour = self.facts.palette.ink.with_alpha((255.0 * opacity) as u8);
        for line in underlay.lines_within(size) {
            let points = line.into_iter().map(|[x, y]| (self.x(x), self.y(y))).collect();
            scene.shapes.push(Shape::Line { points, width: LINE, colour });
        }
    }
}
