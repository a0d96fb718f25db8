//! Pictures made of pixels in scenes, such as logos.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;

/// Largest side in pixels of a picture that is read, and of one that is kept.
const MOST_READ: u32 = 2_000;
const MOST_KEPT: f32 = 1_000.0;

/// First bytes of PNG and JPEG files.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
const JPEG: &[u8] = b"\xff\xd8\xff";

/// Picture of pixels, with transparency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raster {
    /// Width in pixels, at least 1.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
    png: Vec<u8>,
}

impl Raster {
    /// Reads a PNG, JPEG or SVG; files that an SVG refers to are not read. Pictures of more than 1,000 pixels in width or height
    /// are reduced to that size, and SVG drawings are drawn in it.
    ///
    /// # Errors
    /// A sentence that says why the picture cannot be used, with the remedy.
    pub fn of_picture(bytes: &[u8]) -> Result<Self, String> {
        let is_pixels = bytes.starts_with(PNG) || bytes.starts_with(JPEG);
        let broken = |why: &dyn std::fmt::Display| match is_pixels {
            true => format!("the picture is damaged ({why}); save it again as PNG or JPEG"),
            false => "this is no picture that can be read; choose a PNG, JPEG or SVG file".to_owned(),
        };
        let tree = if is_pixels {
            let [width, height] = size_of(bytes).ok_or_else(|| broken(&"it has no size"))?;
            if width > MOST_READ || height > MOST_READ {
                return Err(format!(
                    "the picture has {width} × {height} pixels; save it with at most {MOST_READ} in width and height"
                ));
            }
            let kind = if bytes.starts_with(PNG) { usvg::ImageKind::PNG } else { usvg::ImageKind::JPEG };
            let data = Arc::new(bytes.to_vec());
            let svg = format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><image width="{width}" height="{height}" href="picture"/></svg>"#
            );
            let mut options = closed();
            options.image_href_resolver.resolve_string = Box::new(move |_, _| Some(kind(Arc::clone(&data))));
            usvg::Tree::from_str(&svg, &options).map_err(|error| broken(&error))?
        } else {
            usvg::Tree::from_data(bytes, &closed()).map_err(|error| broken(&error))?
        };
        let (width, height) = (tree.size().width(), tree.size().height());
        let largest = MOST_KEPT / width.max(height);
        let scale = if is_pixels { largest.min(1.0) } else { largest };
        let side = |length: f32| ((length * scale).round() as u32).max(1);
        let mut pixmap = Pixmap::new(side(width), side(height)).ok_or_else(|| broken(&"it has no size"))?;
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
        if pixmap.pixels().iter().all(|pixel| pixel.alpha() == 0) {
            return Err(match is_pixels {
                true => broken(&"it shows nothing"),
                false => "the drawing shows nothing; save it as PNG".to_owned(),
            });
        }
        let png = pixmap.encode_png().map_err(|error| broken(&error))?;
        Ok(Self { width: pixmap.width(), height: pixmap.height(), png })
    }

    /// Takes a PNG that [`Self::png`] returned.
    ///
    /// # Errors
    /// A sentence that says that it is damaged.
    pub(crate) fn of_png(png: Vec<u8>) -> Result<Arc<Self>, String> {
        let damaged = || "the logo is damaged".to_owned();
        let size = size_of(&png).filter(|size| png.starts_with(PNG) && size.iter().all(|&side| side <= MOST_READ));
        let [width, height] = size.ok_or_else(damaged)?;
        Pixmap::decode_png(&png).map_err(|_| damaged())?;
        Ok(Arc::new(Self { width, height, png }))
    }

    /// The picture as PNG.
    pub fn png(&self) -> &[u8] {
        &self.png
    }
}

/// Options that let an SVG read nothing but itself.
fn closed() -> usvg::Options<'static> {
    let mut options = usvg::Options { fontdb: super::fonts::database(), ..usvg::Options::default() };
    options.image_href_resolver.resolve_string = Box::new(|_, _| None);
    options
}

/// Width and height that the head of a PNG or JPEG states; `None` if it states none.
fn size_of(bytes: &[u8]) -> Option<[u32; 2]> {
    let sides = |at: usize, width: usize| -> Option<u32> {
        bytes.get(at..at + width)?.iter().try_fold(0_u32, |sum, &byte| Some(sum.checked_mul(256)? + u32::from(byte)))
    };
    let size = if bytes.starts_with(PNG) {
        [sides(16, 4)?, sides(20, 4)?]
    } else {
        // Segments follow each other, each with its length; a frame header (SOF) states height and width.
        let mut at = 2;
        loop {
            let [mark, kind] = *bytes.get(at..at + 2)? else { return None };
            if mark != 0xff {
                return None;
            }
            if matches!(kind, 0xc0..=0xcf) && !matches!(kind, 0xc4 | 0xc8 | 0xcc) {
                break [sides(at + 7, 2)?, sides(at + 5, 2)?];
            }
            at += if kind == 0xff { 1 } else { 2 + sides(at + 2, 2)? as usize };
        }
    };
    size.iter().all(|&side| side > 0).then_some(size)
}
