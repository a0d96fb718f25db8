//! Underlay of a floor plan: a picture or a DXF drawing of the building, with its place in the plant.
//!
//! A point (x, y) of the content lies at `origin + scale · (x, y)` in the plant. The content of a picture is measured
//! in pixels from its lower left corner, that of a drawing in its own units; y grows upwards.

mod clipping;
mod dxf;
mod storing;

use std::path::Path;
use std::sync::Arc;

use gridwright_core::scene::raster::{MostPixels, Raster};
use gridwright_core::{Error, Result, files, text};
use serde::{Deserialize, Serialize};

use crate::instance::TOLERANCE;
use crate::{Instance, Rectangle, Unit};

/// Limits of pictures: reading one takes less than half a gigabyte, and every graphics card shows what is kept.
const MOST_PIXELS: MostPixels = MostPixels { read: 7_000, kept: 2_048 };

/// Endings of the files that can be an underlay.
pub const ENDINGS: [&str; 5] = ["png", "jpg", "jpeg", "svg", "dxf"];

/// Faintest underlay that can be chosen.
pub const FAINTEST: f64 = 0.05;

/// Lines of a drawing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Drawing {
    /// Millimetres per unit of the drawing; `None` if the drawing states none.
    pub millimetres: Option<f64>,
    /// Corners of each line.
    pub lines: Vec<Vec<[f64; 2]>>,
}

/// Content of an underlay.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A picture of pixels.
    Picture(Arc<Raster>),
    /// Lines of a drawing.
    Drawing(Arc<Drawing>),
}

/// Place and look of an underlay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// Name of the file.
    pub name: String,
    /// Units of length of the plant per unit of the content.
    pub scale: f64,
    /// Place of the content's origin in the plant.
    pub origin: [f64; 2],
    /// Opacity, [`FAINTEST`] to 1.
    pub opacity: f64,
    /// True if the underlay is drawn.
    pub is_shown: bool,
}

/// Underlay of a floor plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Underlay {
    /// Picture or drawing.
    pub content: Content,
    /// Place and look.
    pub placement: Placement,
}

impl Underlay {
    /// Opens a picture or a DXF drawing as the underlay of a plant. A picture is fitted into the plant until its scale
    /// is set; a drawing with units has its own scale. Returns remarks for the person, too.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be read, is neither picture nor drawing, is too large or shows nothing.
    pub fn open(path: &Path, instance: &Instance) -> Result<(Self, Vec<String>)> {
        let bytes = files::read(path)?;
        let told = |what: String| Error::file(path, what);
        let (content, mut remarks) = if text::ending(path) == "dxf" {
            let (drawing, remarks) = dxf::read(&bytes).map_err(told)?;
            (Content::Drawing(Arc::new(drawing)), remarks)
        } else {
            (Content::Picture(Arc::new(Raster::of_picture(&bytes, MOST_PIXELS).map_err(told)?)), Vec::new())
        };
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let placement = Placement { name, scale: 1.0, origin: [0.0; 2], opacity: 0.6, is_shown: true };
        let mut underlay = Self { content, placement };
        remarks.extend(underlay.fit(instance));
        Ok((underlay, remarks))
    }

    /// Sets the first scale and place; returns what the person should know about them.
    fn fit(&mut self, instance: &Instance) -> Option<String> {
        let Rectangle { x, y, width, height } = self.bounds();
        let placement = &mut self.placement;
        let Content::Drawing(drawing) = &self.content else {
            placement.scale = (instance.width / width).min(instance.height / height);
            return Some("Set the scale of the picture: click two points whose distance you know".to_owned());
        };
        let own = drawing.millimetres;
        let scale = own.zip(instance.unit).map(|(own, unit)| own / unit.millimetres());
        placement.scale = scale.unwrap_or(1.0);
        let beside =
            |low: f64, size: f64, side: f64| low * placement.scale > side || (low + size) * placement.scale < 0.0;
        let is_elsewhere = beside(x, width, instance.width) || beside(y, height, instance.height);
        if is_elsewhere {
            placement.origin = [-x * placement.scale, -y * placement.scale];
        }
        let unknown = scale.is_none().then(|| {
            let words = instance.unit_words();
            format!("Drawing or plant state no unit of length; one unit of the drawing is taken as one of {words}")
        });
        let moved = is_elsewhere
            .then_some("The drawing lies beside the plant; its lower left corner was put on that of the plant");
        let words: Vec<String> = unknown.into_iter().chain(moved.map(str::to_owned)).collect();
        (!words.is_empty()).then(|| words.join(". "))
    }

    /// Bounds of the content in its own units.
    pub fn bounds(&self) -> Rectangle {
        let drawing = match &self.content {
            Content::Picture(raster) => {
                let (width, height) = (raster.width.into(), raster.height.into());
                return Rectangle { x: 0.0, y: 0.0, width, height };
            }
            Content::Drawing(drawing) => drawing,
        };
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for point in drawing.lines.iter().flatten() {
            for axis in 0..2 {
                (low[axis], high[axis]) = (low[axis].min(point[axis]), high[axis].max(point[axis]));
            }
        }
        Rectangle { x: low[0], y: low[1], width: high[0] - low[0], height: high[1] - low[1] }
    }

    /// Place in the plant of a point of the content.
    pub fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let Placement { scale, origin, .. } = &self.placement;
        [origin[0] + scale * x, origin[1] + scale * y]
    }

    /// Rectangle of the content in the plant.
    pub fn extent(&self) -> Rectangle {
        let bounds = self.bounds();
        let [x, y] = self.place([bounds.x, bounds.y]);
        let scale = self.placement.scale;
        Rectangle { x, y, width: scale * bounds.width, height: scale * bounds.height }
    }

    /// Sets the scale so that two points of the plant, as the underlay lies now, are `length` apart. The point in the
    /// lower left corner of the plant stays there.
    ///
    /// # Errors
    /// A sentence that says why the points or the length give no scale.
    pub fn measure(
        &mut self, [one, other]: [[f64; 2]; 2], length: f64, unit: Option<Unit>,
    ) -> std::result::Result<(), String> {
        let apart = (one[0] - other[0]).hypot(one[1] - other[1]);
        let extent = self.extent();
        if apart <= TOLERANCE * extent.width.max(extent.height) {
            return Err("Both clicks are at the same point; click two points that are far apart".to_owned());
        }
        if !(length.is_finite() && length > 0.0) {
            let unit = unit.map_or_else(String::new, |unit| format!(" in {}", unit.symbol()));
            return Err(format!("The length between the two points must be above 0; enter it{unit}"));
        }
        let factor = length / apart;
        let placement = &mut self.placement;
        placement.scale *= factor;
        placement.origin = placement.origin.map(|side| side * factor);
        Ok(())
    }

    /// Moves the underlay so that a point of the plant, as the underlay lies now, becomes the lower left corner of the
    /// plant.
    pub fn put_corner(&mut self, [x, y]: [f64; 2]) {
        let origin = &mut self.placement.origin;
        *origin = [origin[0] - x, origin[1] - y];
    }
}

#[cfg(test)]
mod tests;
