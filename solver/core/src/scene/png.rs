//! Rendering of scenes to PNG.

use resvg::{tiny_skia, usvg};

use super::{Scene, fonts, svg::to_svg};
use crate::{Error, Result};

/// Longest side of a picture in pixels that common viewers open.
pub(crate) const MAX_SIDE: u32 = 20_000;

/// Largest number of pixels of a picture: 100 million take 400 MB while rendering.
pub(crate) const MAX_PIXELS: u64 = 100_000_000;

/// Renders a scene to PNG with `scale` pixels per point.
///
/// # Errors
/// [`Error::Usage`] if the scale is not a positive number or the picture would exceed [`MAX_SIDE`] or [`MAX_PIXELS`];
/// the message names a scale that works.
pub fn to_png(scene: &Scene, scale: f32) -> Result<Vec<u8>> {
    painted(scene, scale)?.encode_png().map_err(|error| broken(error.to_string()))
}

/// Renders a scene to width, height and RGB pixels, row by row, with `scale` pixels per point. The background must be
/// opaque.
///
/// # Errors
/// As [`to_png`].
pub fn to_pixels(scene: &Scene, scale: f32) -> Result<(usize, usize, Vec<[u8; 3]>)> {
    let picture = painted(scene, scale)?;
    let colours = picture.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    Ok((picture.width() as usize, picture.height() as usize, colours))
}

/// Renders an SVG that this program wrote to a PNG whose sides are at most `sides` pixels long.
///
/// # Errors
/// [`Error::Usage`] if the SVG cannot be read.
pub fn thumbnail(svg: &str, sides: [u32; 2]) -> Result<Vec<u8>> {
    let tree = parsed(svg)?;
    let scale = (sides[0] as f32 / tree.size().width()).min(sides[1] as f32 / tree.size().height());
    let side = |points: f32, most: u32| ((points * scale).round() as u32).clamp(1, most);
    let (width, height) = (side(tree.size().width(), sides[0]), side(tree.size().height(), sides[1]));
    let mut pixmap = tiny_skia::Pixmap::new(width, height).ok_or_else(|| broken(format!("{width} × {height}")))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| broken(error.to_string()))
}

/// Reads a PNG of [`thumbnail`] as width, height and RGB pixels, row by row; `None` if it is none.
pub fn decoded(png: &[u8]) -> Option<(usize, usize, Vec<[u8; 3]>)> {
    let picture = tiny_skia::Pixmap::decode_png(png).ok()?;
    let colours = picture.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    Some((picture.width() as usize, picture.height() as usize, colours))
}

fn broken(what: String) -> Error {
    Error::Usage(format!("the picture could not be painted ({what}); export it as SVG"))
}

/// Parses the SVG of a scene with the embedded fonts.
///
/// # Errors
/// [`Error::Usage`] if the scene cannot be read as SVG.
pub(super) fn tree(scene: &Scene) -> Result<usvg::Tree> {
    parsed(&to_svg(scene))
}

fn parsed(svg: &str) -> Result<usvg::Tree> {
    let options = usvg::Options { fontdb: fonts::database(), ..usvg::Options::default() };
    usvg::Tree::from_str(svg, &options).map_err(|error| broken(error.to_string()))
}

fn painted(scene: &Scene, scale: f32) -> Result<tiny_skia::Pixmap> {
    let (width, height) = pixels(scene, scale)?;
    let tree = tree(scene)?;
    let mut pixmap = tiny_skia::Pixmap::new(width, height).ok_or_else(|| broken(format!("{width} × {height}")))?;
    let transform = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut pixmap.as_mut());
    Ok(pixmap)
}

/// Largest scale up to `wanted` that [`to_png`] accepts.
pub fn largest_scale(scene: &Scene, wanted: f32) -> f32 {
    let side = MAX_SIDE as f32 / scene.width.max(scene.height).max(1.0);
    let area = (MAX_PIXELS as f64 / (f64::from(scene.width) * f64::from(scene.height)).max(1.0)).sqrt() as f32;
    // Sides are rounded up to whole pixels.
    wanted.min(side * 0.99).min(area * 0.99)
}

fn pixels(scene: &Scene, scale: f32) -> Result<(u32, u32)> {
    if !scale.is_finite() || scale <= 0.0 {
        return Err(Error::Usage(format!("a scale of {scale} cannot be painted; give a number above 0, such as 2")));
    }
    let side = |points: f32| (points * scale).ceil().max(1.0);
    let (width, height) = (side(scene.width), side(scene.height));
    let fits = width <= MAX_SIDE as f32
        && height <= MAX_SIDE as f32
        && f64::from(width) * f64::from(height) <= MAX_PIXELS as f64;
    if !fits {
        return Err(Error::Usage(format!(
            "a picture of {width:.0} × {height:.0} pixels is too large to paint; use a scale of at most {:.2}, show fewer rows, \
             or export it as SVG or PDF",
            largest_scale(scene, f32::MAX)
        )));
    }
    Ok((width as u32, height as u32))
}

#[cfg(test)]
mod tests {
    use super::super::{Anchor, Colour};
    use super::*;

    fn scene() -> Scene {
        let mut scene = Scene::new(40.5, 20.0, "Two halves", Colour::hex(0xFFFFFF));
        scene.rectangle(0.0, 0.0, 20.0, 20.0, Colour::hex(0xC02040));
        scene
    }

    #[test]
    fn the_picture_has_the_size_and_the_colours() {
        let png = to_png(&scene(), 2.0).unwrap();
        let picture = tiny_skia::Pixmap::decode_png(&png).unwrap();
        assert_eq!((picture.width(), picture.height()), (81, 40));
        let colour = |x, y| picture.pixel(x, y).map(|p| (p.red(), p.green(), p.blue())).unwrap();
        assert_eq!(colour(10, 10), (0xC0, 0x20, 0x40));
        assert_eq!(colour(60, 10), (0xFF, 0xFF, 0xFF));
        let (width, height, pixels) = to_pixels(&scene(), 2.0).unwrap();
        assert_eq!(
            (width, height, pixels[10 * 81 + 10], pixels[10 * 81 + 60]),
            (81, 40, [0xC0, 0x20, 0x40], [0xFF; 3])
        );
    }

    #[test]
    fn text_is_painted_with_the_embedded_font() {
        let mut scene = Scene::new(60.0, 20.0, "Text", Colour::hex(0xFFFFFF));
        scene.text((5.0, 15.0), 14.0, Colour::hex(0), Anchor::Start, "Ω 12 ✓");
        let picture = tiny_skia::Pixmap::decode_png(&to_png(&scene, 1.0).unwrap()).unwrap();
        let dark = picture.pixels().iter().filter(|pixel| pixel.red() < 64).count();
        assert!(dark > 40, "{dark} dark pixels");
    }

    #[test]
    fn absurd_sizes_are_refused_with_a_scale_that_works() {
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(to_png(&scene(), scale).unwrap_err().to_string().contains("above 0"));
        }
        let large = Scene::new(30_000.0, 6_000.0, "Large", Colour::hex(0));
        let error = to_png(&large, 1.0).unwrap_err().to_string();
        assert!(error.contains("too large") && error.contains("SVG"), "{error}");
        let scale = largest_scale(&large, 2.0);
        assert!(scale > 0.5 && pixels(&large, scale).is_ok(), "{scale}");
        assert!((largest_scale(&scene(), 2.0) - 2.0).abs() < f32::EPSILON);
    }
}
