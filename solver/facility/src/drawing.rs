//! Floor plan of a layout as a scene, to scale: departments with name, area and shape, bays, flows as lines of
//! proportional thickness, dimensions of the plant, and the cost.
//!
//! A department keeps its colour in every picture and window; red marks violations only. [`floor`] computes the
//! geometry, which the window paints as well.

mod facts;
pub(crate) mod floor;
mod head;
mod plan;
mod scale;
mod sheet;
mod underlay;

pub(crate) use facts::Options;

use gridwright_core::scene::paper::MARGIN;
use gridwright_core::scene::{Area, Scene};

use super::{Instance, Layout};
use facts::Facts;
use floor::Floor;
use plan::Paper;

/// Draws a layout; departments may be missing in it.
pub(crate) fn floor_plan(instance: &Instance, layout: &Layout, options: &Options) -> Scene {
    let floor = Floor::new(instance, layout);
    let facts = Facts::new(&floor, options);
    let bays = format!("{} bays", layout.orientation.name());
    let title =
        format!("{}: floor plan, {}", instance.name, if layout.is_free() { layout.arrangement() } else { bays });
    if let Some(page) = options.page {
        return sheet::sheet(&facts, page, title);
    }
    let mut scene = Scene::new(WIDTH, 0.0, title, facts.palette.background);
    let top = head::draw_head(&mut scene, &facts, MARGIN);
    let paper = Paper::new(&facts, Area::new(MARGIN, top, WIDTH - 2.0 * MARGIN, HEIGHT));
    paper.draw(&mut scene);
    head::draw_legend(&mut scene, &facts, paper.bottom());
    scene.height = paper.bottom() + MARGIN + head::LEGEND_HEIGHT;
    scene
}

/// Width of a picture without a given page and largest height of its plan, in points.
const WIDTH: f32 = 1_000.0;
const HEIGHT: f32 = 760.0;

#[cfg(test)]
mod tests;
