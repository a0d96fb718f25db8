//! Options of a floor plan, and what its parts share.

use std::sync::Arc;

use chrono::NaiveDate;

use super::floor::{Floor, Flow};
use crate::underlay::Underlay;
use gridwright_core::numbers::figure;
use gridwright_core::scene::palette::Palette;

pub(super) const COST_DECIMALS: usize = 4;

/// Options of a floor plan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Options {
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
    /// Picture or drawing of the building below the departments.
    pub underlay: Option<Arc<Underlay>>,
}

impl Default for Options {
    fn default() -> Self {
        Self { dark: false, page: None, date: None, flows: true, threshold: None, sizes: true, underlay: None }
    }
}

/// Data that all parts of a picture share.
pub(super) struct Facts<'f, 'a> {
    pub(super) floor: &'f Floor<'a>,
    pub(super) palette: Palette,
    /// Flows to draw, smallest first.
    pub(super) flows: &'f [Flow],
    pub(super) sizes: bool,
    pub(super) date: Option<NaiveDate>,
    pub(super) underlay: Option<&'f Underlay>,
}

impl<'f, 'a> Facts<'f, 'a> {
    pub(super) fn new(floor: &'f Floor<'a>, options: &'f Options) -> Self {
        let threshold = options.threshold.unwrap_or_else(|| floor.usual_threshold());
        let flows = if options.flows { floor.flows_from(threshold) } else { &[] };
        let underlay = options.underlay.as_deref();
        Self { floor, palette: Palette::of(options.dark), flows, sizes: options.sizes, date: options.date, underlay }
    }

    /// Name of the cost: with a cost of moving it is more than that of material handling.
    pub(super) fn cost_title(&self) -> &'static str {
        if self.floor.instance.has_moving_cost() { "Cost" } else { "Material handling cost" }
    }

    /// Costs of transport and of moving; `None` where moving costs nothing.
    pub(super) fn parts_of_cost(&self) -> Option<[String; 2]> {
        let verdict = &self.floor.verdict;
        let parts = [verdict.transport, verdict.moving.cost].map(|cost| figure(cost, COST_DECIMALS));
        self.floor.instance.has_moving_cost().then_some(parts)
    }
}
