//! Underlays in project files: the content as a file of the project, the placement as a setting of the views.

use std::sync::Arc;

use gridwright_core::project::Attachments;
use gridwright_core::scene::raster::Raster;

use super::{Content, Drawing, FAINTEST, MOST_PIXELS, Placement, Underlay, dxf};

/// Names of the files with a picture and with a drawing.
const PICTURE: &str = "underlay.png";
const DRAWING: &str = "underlay.ron";

impl Underlay {
    /// The content as a file of the project.
    ///
    /// # Errors
    /// Why the content cannot be written.
    pub fn to_attachments(&self) -> Result<Attachments, String> {
        let (name, bytes) = match &self.content {
            Content::Picture(raster) => (PICTURE, raster.png().to_vec()),
            Content::Drawing(drawing) => {
                let text = ron::to_string(drawing.as_ref()).map_err(|error| error.to_string())?;
                (DRAWING, text.into_bytes())
            }
        };
        Ok(Attachments::from([(name.to_owned(), bytes.into())]))
    }

    /// The placement as one line of text.
    pub fn placement_text(&self) -> String {
        ron::to_string(&self.placement).unwrap_or_default()
    }

    /// The underlay of a project; `None` if the project has none.
    ///
    /// # Errors
    /// A sentence that says what is damaged.
    pub fn of_project(placement: &str, files: &Attachments) -> Result<Option<Self>, String> {
        let content = if let Some(png) = files.get(PICTURE) {
            Content::Picture(Raster::of_png(png.to_vec(), MOST_PIXELS)?)
        } else if let Some(text) = files.get(DRAWING) {
            Content::Drawing(Arc::new(drawing(text)?))
        } else {
            return Ok(None);
        };
        let placement: Placement = ron::from_str(placement).map_err(|_| "its place is not stated".to_owned())?;
        let Placement { scale, origin, opacity, .. } = &placement;
        let is_usable = scale.is_finite() && *scale > 0.0 && origin.iter().all(|side| side.is_finite());
        if !is_usable || !(FAINTEST..=1.0).contains(opacity) {
            return Err("its place makes no sense".to_owned());
        }
        Ok(Some(Self { content, placement }))
    }
}

/// Reads the lines of a drawing that [`Underlay::to_attachments`] wrote.
fn drawing(text: &[u8]) -> Result<Drawing, String> {
    let drawing: Drawing = ron::de::from_bytes(text).map_err(|error| format!("the drawing is damaged ({error})"))?;
    let points = drawing.lines.iter().map(Vec::len).sum::<usize>();
    let are_finite = drawing.lines.iter().flatten().flatten().all(|side| side.is_finite());
    if points == 0 || points > dxf::MOST_POINTS || !are_finite {
        return Err("the drawing is damaged (its lines are none that this program wrote)".to_owned());
    }
    Ok(drawing)
}
