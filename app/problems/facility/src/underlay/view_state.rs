//! State of the underlay of an open layout problem.

use std::sync::Arc;

use gridwright_core::project::Attachments;
use gridwright_facility::underlay::Underlay;
use gridwright_window::later::Later;

/// Points of the floor that are asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Clicks {
    /// Two points with a known distance; those that are clicked already, and the distance that is entered.
    Scale(Vec<[f64; 2]>, f64),
    /// The point of the underlay that lies in the lower left corner of the plant.
    Corner,
}

/// An underlay with its file in the project, and remarks about it.
pub(super) type Opened = (Underlay, Attachments, Vec<String>);

/// Underlay of an open layout problem, and what a person does with it.
#[derive(Default)]
pub struct UnderlayView {
    pub(super) underlay: Option<Arc<Underlay>>,
    /// The content of the underlay as a project keeps it.
    pub(super) files: Attachments,
    pub(super) asks: bool,
    pub(super) opening: Later<Result<Opened, String>>,
    pub(super) clicks: Option<Clicks>,
}

impl UnderlayView {
    /// The underlay, whether it is shown or hidden.
    pub fn underlay(&self) -> Option<&Arc<Underlay>> {
        self.underlay.as_ref()
    }

    /// The underlay if it is shown.
    pub fn drawn(&self) -> Option<&Arc<Underlay>> {
        self.underlay.as_ref().filter(|underlay| underlay.placement.is_shown)
    }

    /// The content as a project keeps it.
    pub(crate) fn files(&self) -> &Attachments {
        &self.files
    }

    /// Asks for a file in the next frame.
    pub(crate) fn ask(&mut self) {
        self.asks = true;
    }

    /// The points that are marked while points are asked for.
    pub(crate) fn marks(&self) -> Option<Vec<[f64; 2]>> {
        match self.clicks.as_ref()? {
            Clicks::Scale(points, _) => Some(points.clone()),
            Clicks::Corner => Some(Vec::new()),
        }
    }
}
