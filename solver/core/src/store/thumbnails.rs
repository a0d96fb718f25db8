//! Small pictures of plans for the start page: a cache that can be deleted at any time.

use std::path::PathBuf;

use crate::scene::png;
use crate::{Result, files};

use super::Store;

/// Longest sides of a thumbnail in pixels.
const SIDES: [u32; 2] = [256, 168];

impl Store {
    /// Path of the thumbnail of a source, as PNG, or of the drawing that it is made from, as SVG.
    pub fn thumbnail_path(&self, source: &str, ending: &str) -> PathBuf {
        let name = files::hash(&[source.as_bytes()]);
        self.home().join("thumbnails").join(name).with_extension(ending)
    }

    /// Keeps the thumbnail of a source; `draw` writes the plan as SVG to [`Self::thumbnail_path`].
    ///
    /// # Errors
    /// If the plan cannot be drawn or the folder cannot be written to.
    pub fn keep_thumbnail(&self, source: &str, draw: impl FnOnce() -> Result<()>) -> Result<()> {
        let drawn = self.thumbnail_path(source, "svg");
        let picture = draw().and_then(|()| png::thumbnail(&files::read_text(&drawn)?, SIDES));
        // A cache: what cannot be removed is overwritten the next time.
        let _ = files::remove(&drawn);
        files::write(&self.thumbnail_path(source, "png"), &picture?)
    }

    /// The thumbnail of a source as width, height and RGB pixels; `None` if there is none.
    pub fn thumbnail(&self, source: &str) -> Option<(usize, usize, Vec<[u8; 3]>)> {
        png::decoded(&files::read(&self.thumbnail_path(source, "png")).ok()?)
    }
}
