//! Pictures made of pixels in scenes, such as logos.

use std::sync::Arc;

use resvg::tiny_skia::{ColorU8, Pixmap, PixmapPaint, PremultipliedColorU8, Transform};
use resvg::usvg;

/// Limits of the size of pictures, which bound the memory that reading them takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MostPixels {
    /// Largest side in pixels of a picture that is read.
    pub read: u32,
    /// Largest side in pixels of a picture that is kept; larger ones are reduced to it.
    pub kept: u32,
}

impl MostPixels {
    /// Limits of a logo.
    pub const LOGO: Self = Self { read: 2_000, kept: 1_000 };
}

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
    /// Reads a PNG, JPEG or SVG; files that an SVG refers to are not read. Pictures of more pixels in width or height
    /// than are kept are reduced to that size, and SVG drawings are drawn in it.
    ///
    /// # Errors
    /// A sentence that says why the picture cannot be used, with the remedy.
    pub fn of_picture(bytes: &[u8], most: MostPixels) -> Result<Self, String> {
        let is_pixels = bytes.starts_with(PNG) || bytes.starts_with(JPEG);
        let broken = |why: &dyn std::fmt::Display| match is_pixels {
            true => format!("the picture is damaged ({why}); save it again as PNG or JPEG"),
            false => "this is no picture that can be read; choose a PNG, JPEG or SVG file".to_owned(),
        };
        let tree = if is_pixels {
            let [width, height] = size_of(bytes).ok_or_else(|| broken(&"it has no size"))?;
            if width > most.read || height > most.read {
                let read = most.read;
                return Err(format!(
                    "the picture has {width} × {height} pixels; save it with at most {read} in width and height"
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
        let largest = most.kept as f32 / width.max(height);
        let scale = if is_pixels { largest.min(1.0) } else { largest };
        // Several pixels are averaged into one, so that thin lines become faint instead of falling between the pixels.
        let factor = if is_pixels { ((1.0 / scale) as u32).max(1) } else { 1 };
        let side = |length: f32| ((length * scale).round() as u32).max(1) * factor;
        let mut pixmap = Pixmap::new(side(width), side(height)).ok_or_else(|| broken(&"it has no size"))?;
        let scale = scale * factor as f32;
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
        let pixmap = averaged(pixmap, factor).ok_or_else(|| broken(&"it has no size"))?;
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
    pub fn of_png(png: Vec<u8>, most: MostPixels) -> Result<Arc<Self>, String> {
        let damaged = || "the picture is damaged".to_owned();
        let size = size_of(&png).filter(|size| png.starts_with(PNG) && size.iter().all(|&side| side <= most.read));
        let [width, height] = size.ok_or_else(damaged)?;
        Pixmap::decode_png(&png).map_err(|_| damaged())?;
        Ok(Arc::new(Self { width, height, png }))
    }

    /// Red, green, blue and opacity of all pixels, row by row from the top, premultiplied; empty if the picture is
    /// damaged.
    pub fn pixels(&self) -> Vec<[u8; 4]> {
        let channels = |pixel: &PremultipliedColorU8| [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()];
        Pixmap::decode_png(&self.png).map_or_else(|_| Vec::new(), |all| all.pixels().iter().map(channels).collect())
    }

    /// The pixels from column `left` and row `top` up to `right` and `bottom`, with this opacity, 0…1; `None` if there
    /// are none.
    pub fn part(&self, [left, top, right, bottom]: [u32; 4], opacity: f32) -> Option<Self> {
        let mut part =
            Pixmap::new(right.min(self.width).checked_sub(left)?, bottom.min(self.height).checked_sub(top)?)?;
        let whole = Pixmap::decode_png(&self.png).ok()?;
        let paint = PixmapPaint { opacity, ..PixmapPaint::default() };
        let [x, y] = [left, top].map(|side| -(side as i32));
        part.draw_pixmap(x, y, whole.as_ref(), &paint, Transform::identity(), None);
        Some(Self { width: part.width(), height: part.height(), png: part.encode_png().ok()? })
    }

    /// The picture as PNG.
    pub fn png(&self) -> &[u8] {
        &self.png
    }
}

/// The picture with the mean of `factor` × `factor` pixels in place of each; its sides are multiples of `factor`.
fn averaged(picture: Pixmap, factor: u32) -> Option<Pixmap> {
    if factor == 1 {
        return Some(picture);
    }
    let mut small = Pixmap::new(picture.width() / factor, picture.height() / factor)?;
    let (wide, count) = (small.width(), factor * factor);
    for (index, pixel) in (0_u32..).zip(small.pixels_mut()) {
        let (x, y) = (index % wide * factor, index / wide * factor);
        let mut sums = [0_u32; 4];
        for (column, row) in (y..y + factor).flat_map(|row| (x..x + factor).map(move |column| (column, row))) {
            let colour = picture.pixel(column, row)?;
            let channels = [colour.red(), colour.green(), colour.blue(), colour.alpha()];
            sums.iter_mut().zip(channels).for_each(|(sum, channel)| *sum += u32::from(channel));
        }
        let [red, green, blue, alpha] = sums.map(|sum| ((sum + count / 2) / count) as u8);
        // The mean of premultiplied colours is one.
        *pixel = PremultipliedColorU8::from_rgba(red, green, blue, alpha)
            .unwrap_or_else(|| ColorU8::from_rgba(red, green, blue, alpha).premultiply());
    }
    Some(small)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A white picture of this size with black pixels where `is_black` says so.
    fn picture(width: u32, height: u32, is_black: impl Fn(u32, u32) -> bool) -> Vec<u8> {
        let mut picture = Pixmap::new(width, height).unwrap();
        for (index, pixel) in (0_u32..).zip(picture.pixels_mut()) {
            let level = if is_black(index % width, index / width) { 0 } else { 255 };
            *pixel = PremultipliedColorU8::from_rgba(level, level, level, 255).unwrap();
        }
        picture.encode_png().unwrap()
    }

    #[test]
    fn thin_lines_survive_when_a_picture_is_reduced() {
        let most = MostPixels { read: 400, kept: 100 };
        let lines = picture(400, 200, |x, _| x % 40 == 2);
        let read = Raster::of_picture(&lines, most).unwrap();
        assert_eq!((read.width, read.height), (100, 50));
        let darkest = read.pixels()[..100].iter().map(|pixel| pixel[0]).collect::<Vec<_>>();
        assert_eq!(darkest.iter().filter(|level| (150..=210).contains(*level)).count(), 10, "{darkest:?}");
        let error = Raster::of_picture(&picture(401, 10, |_, _| true), most).unwrap_err();
        assert!(error.contains("401 × 10 pixels") && error.contains("at most 400"), "{error}");
    }

    #[test]
    fn a_part_of_a_picture_has_its_pixels_and_the_opacity() {
        let read = Raster::of_picture(&picture(10, 6, |x, y| x >= 5 && y < 3), MostPixels::LOGO).unwrap();
        let part = read.part([4, 0, 8, 2], 0.5).unwrap();
        assert_eq!((part.width, part.height), (4, 2));
        let pixels = part.pixels();
        assert!(pixels.iter().all(|pixel| (127..=128).contains(&pixel[3])), "{pixels:?}");
        assert!(pixels[0][0] >= 127 && pixels[1][0] == 0);
        assert_eq!(read.part([8, 0, 8, 2], 0.5), None);
        assert_eq!(read.part([12, 0, 14, 2], 0.5), None, "beside the picture");
    }
}
