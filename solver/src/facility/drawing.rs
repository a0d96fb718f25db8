//! A layout as a picture: the floor plan to scale with names, areas and shapes, the bays, the flows as lines whose thickness
//! says how much flows, the sizes of the plant, and the cost.
//!
//! A department has one colour in every picture and window; red is left to what breaks a limit or a rule. [`floor`] says what
//! lies where, as numbers that the window paints, too.

pub mod floor;
mod head;
mod plan;

use crate::scene::palette::{self, Palette};
use crate::scene::paper::MARGIN;
use crate::scene::{Area, Colour, Scene};

use super::{Instance, Layout};
use floor::Floor;
use plan::Paper;

/// How a floor plan is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// On a dark ground.
    pub dark: bool,
    /// The size in points that the picture must fit into, such as a sheet of paper; `None`: as large as it needs.
    pub page: Option<(f32, f32)>,
    /// Whether flows are drawn.
    pub flows: bool,
    /// The least flow that is drawn; `None`: as many of the largest as can be told apart.
    pub threshold: Option<f64>,
    /// Whether the sizes of plant and bays stand beside it.
    pub sizes: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { dark: false, page: None, flows: true, threshold: None, sizes: true }
    }
}

/// The colour of a department by its place in the instance: the same in every layout, picture and window.
pub fn department_colour(department: usize, palette: &Palette) -> Colour {
    // Names and flows are read upon it.
    palette::category(department).mix(palette.background, 0.55)
}

/// Draws a layout; departments may be missing in it.
pub fn floor_plan(instance: &Instance, layout: &Layout, options: &Options) -> Scene {
    let floor = Floor::new(instance, layout);
    let facts = Facts::new(&floor, options);
    let width = options.page.map_or(WIDTH, |page| page.0);
    let title = format!("{}: floor plan, {} bays", instance.name, layout.orientation.name());
    let mut scene = Scene::new(width, 0.0, title, facts.palette.background);
    let top = head::draw_head(&mut scene, &facts, MARGIN);
    let foot = MARGIN + head::LEGEND_HEIGHT;
    let height = options.page.map_or(HEIGHT, |page| page.1 - top - foot);
    let paper = Paper::new(&facts, Area::new(MARGIN, top, width - 2.0 * MARGIN, height));
    paper.draw(&mut scene);
    head::draw_legend(&mut scene, &facts, paper.bottom());
    scene.height = options.page.map_or(paper.bottom() + foot, |page| page.1);
    scene
}

/// Of pictures that need not fit anywhere: the width of the picture and the most that the plan is high.
const WIDTH: f32 = 1_000.0;
const HEIGHT: f32 = 760.0;

/// What every part of a picture needs to know.
struct Facts<'f, 'a> {
    floor: &'f Floor<'a>,
    palette: Palette,
    /// The flows that are drawn, the smallest first.
    flows: &'f [floor::Flow],
    sizes: bool,
}

impl<'f, 'a> Facts<'f, 'a> {
    fn new(floor: &'f Floor<'a>, options: &Options) -> Self {
        let threshold = options.threshold.unwrap_or_else(|| floor.usual_threshold());
        let flows = if options.flows { floor.flows_from(threshold) } else { &[] };
        Self { floor, palette: Palette::of(options.dark), flows, sizes: options.sizes }
    }
}

#[cfg(test)]
mod tests;
