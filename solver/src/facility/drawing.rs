//! Floor plan of a layout as a scene, to scale: departments with name, area and shape, bays, flows as lines of
//! proportional thickness, dimensions of the plant, and the cost.
//!
//! A department keeps its colour in every picture and window; red marks violations only. [`floor`] computes the
//! geometry, which the window paints as well.

pub mod floor;
mod head;
mod plan;
mod sheet;

use chrono::NaiveDate;

use crate::scene::palette::Palette;
use crate::scene::paper::MARGIN;
use crate::scene::{Area, Scene};

use super::{Instance, Layout};
use floor::Floor;
use plan::Paper;

/// Options of a floor plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// True for a dark background.
    pub dark: bool,
    /// Size of a sheet in points (width, height), which gets a round scale and a title block; `None` makes a picture whose size
    /// follows from its content.
    pub page: Option<(f32, f32)>,
    /// Date in the title block of a sheet; `None` for none.
    pub date: Option<NaiveDate>,
    /// True to draw flows.
    pub flows: bool,
    /// Smallest flow that is drawn; `None` draws as many of the largest as a reader can tell apart.
    pub threshold: Option<f64>,
    /// True to draw the dimensions of the plant and the bays.
    pub sizes: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { dark: false, page: None, date: None, flows: true, threshold: None, sizes: true }
    }
}

/// Draws a layout; departments may be missing in it.
pub fn floor_plan(instance: &Instance, layout: &Layout, options: &Options) -> Scene {
    let floor = Floor::new(instance, layout);
    let facts = Facts::new(&floor, options);
    let title = format!("{}: floor plan, {} bays", instance.name, layout.orientation.name());
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

/// Decimals of costs.
const COST_DECIMALS: usize = 4;

/// Width of a picture without a given page and largest height of its plan, in points.
const WIDTH: f32 = 1_000.0;
const HEIGHT: f32 = 760.0;

/// Data that all parts of a picture share.
struct Facts<'f, 'a> {
    floor: &'f Floor<'a>,
    palette: Palette,
    /// Flows to draw, smallest first.
    flows: &'f [floor::Flow],
    sizes: bool,
    date: Option<NaiveDate>,
}

impl<'f, 'a> Facts<'f, 'a> {
    fn new(floor: &'f Floor<'a>, options: &Options) -> Self {
        let threshold = options.threshold.unwrap_or_else(|| floor.usual_threshold());
        let flows = if options.flows { floor.flows_from(threshold) } else { &[] };
        Self { floor, palette: Palette::of(options.dark), flows, sizes: options.sizes, date: options.date }
    }
}

#[cfg(test)]
mod tests;
