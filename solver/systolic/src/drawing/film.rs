//! Animation (GIF) of a run: the heat map of the grid over time.
//!
//! Static parts are rendered once; per frame only cells, time label and progress bar are painted.

use std::borrow::Cow;

use super::{HeatMap, SHADES, level, shade_of};
use gridwright_core::scene::palette::Palette;
use gridwright_core::scene::{Anchor, Area, Colour, Scene, png};
use gridwright_core::{Error, Result};

/// Largest number of frames.
pub const MOST: usize = 200;

/// Content of a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// Label, such as «iteration 200».
    pub name: String,
    /// Completed share of the run, 0…1.
    pub share: f64,
    /// Values of each panel, rows × columns.
    pub panels: Vec<Vec<f64>>,
}

/// Colour table: the shades, then gradients from the background to each colour of text and lines.
struct Colours {
    table: Vec<[u8; 3]>,
}

impl Colours {
    const STEPS: usize = 48;

    fn new(dark: bool) -> Self {
        let palette = Palette::of(dark);
        let bytes = |colour: Colour| [colour.red, colour.green, colour.blue];
        let mut table: Vec<[u8; 3]> = (0..SHADES).map(|level| bytes(shade_of(level, dark))).collect();
        for ink in [palette.ink, palette.muted, palette.line, palette.panel] {
            let step = |at: usize| palette.background.mix(ink, at as f32 / (Self::STEPS - 1) as f32);
            table.extend((0..Self::STEPS).map(|at| bytes(step(at))));
        }
        Self { table }
    }

    /// Index of the nearest colour in the table.
    fn nearest(&self, colour: [u8; 3]) -> u8 {
        let apart =
            |one: &[u8; 3]| one.iter().zip(colour).map(|(a, b)| (i32::from(*a) - i32::from(b)).pow(2)).sum::<i32>();
        let nearest = self.table.iter().enumerate().min_by_key(|(at, one)| (apart(one), *at));
        nearest.map_or(0, |(at, _)| at as u8)
    }

    fn of_pixels(&self, pixels: &[[u8; 3]]) -> Vec<u8> {
        // Adjacent pixels are mostly equal.
        let mut last = ([0; 3], self.nearest([0; 3]));
        let mut index = |colour: [u8; 3]| {
            if colour != last.0 {
                last = (colour, self.nearest(colour));
            }
            last.1
        };
        pixels.iter().map(|&colour| index(colour)).collect()
    }
}

/// Picture of colour indices.
struct Canvas {
    width: usize,
    pixels: Vec<u8>,
}

impl Canvas {
    fn fill(&mut self, area: Area, colour: u8) {
        let (left, right) = (area.x.round() as usize, (area.right().round() as usize).min(self.width));
        for y in area.y.round() as usize..area.bottom().round() as usize {
            let row = y * self.width;
            if let Some(row) = self.pixels.get_mut(row + left.min(right)..row + right) {
                row.fill(colour);
            }
        }
    }

    /// Paints the cells of a panel.
    fn cells(&mut self, map: &HeatMap, area: Area, values: &[f64], ground: u8) {
        let (left, top) = (area.x.round() as usize, area.y.round() as usize);
        let (width, height) = (area.width.round().max(1.0) as usize, area.height.round().max(1.0) as usize);
        let colours: Vec<u8> = values
            .iter()
            .map(|&value| level(value, map.low.0, map.high.0).map_or(ground, |level| level as u8))
            .collect();
        for y in 0..height {
            let row = y * map.rows / height * map.columns;
            for x in 0..width {
                let colour = colours.get(row + x * map.columns / width).copied().unwrap_or(ground);
                if let Some(pixel) = self.pixels.get_mut((top + y) * self.width + left + x) {
                    *pixel = colour;
                }
            }
        }
    }

    fn paste(&mut self, other: &Canvas, at: (usize, usize)) {
        for (row, pixels) in other.pixels.chunks(other.width.max(1)).enumerate() {
            let start = (at.1 + row) * self.width + at.0;
            let width = pixels.len().min(self.width.saturating_sub(at.0));
            if let Some(target) = self.pixels.get_mut(start..start + width) {
                target.copy_from_slice(&pixels[..width]);
            }
        }
    }
}

/// Encodes at most [`MOST`] frames, each shown for `hundredths` of a second and the last one longer, as an endless
/// loop.
///
/// # Errors
/// [`Error::Usage`] if there are no or too many frames, or the picture is too large.
pub fn gif(map: &HeatMap, moments: &[Moment], hundredths: u16) -> Result<Vec<u8>> {
    if moments.is_empty() || moments.len() > MOST {
        return Err(Error::Usage(format!("a film of {} pictures: choose 1 to {MOST}", moments.len())));
    }
    let (places, colours) = (map.places(), Colours::new(map.dark));
    let (width, height, pixels) = png::to_pixels(&map.scene(), 1.0)?;
    let base = colours.of_pixels(&pixels);
    let broken =
        |error: gif::EncodingError| Error::Usage(format!("the film cannot be written ({error}); export a picture"));
    let (Ok(across), Ok(down)) = (u16::try_from(width), u16::try_from(height)) else {
        return Err(Error::Usage(format!("a film of {width} × {height} pixels is too large; export a picture")));
    };
    let mut bytes = Vec::new();
    let mut encoder = gif::Encoder::new(&mut bytes, across, down, &colours.table.concat()).map_err(broken)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(broken)?;
    let palette = Palette::of(map.dark);
    let number = |colour: Colour| colours.nearest([colour.red, colour.green, colour.blue]);
    let (ground, bar) = (number(palette.panel), number(palette.muted));
    for (at, moment) in moments.iter().enumerate() {
        let mut canvas = Canvas { width, pixels: base.clone() };
        for (area, values) in places.panels.iter().zip(&moment.panels) {
            canvas.cells(map, *area, values, ground);
        }
        if let (Some(first), share) = (places.panels.first(), moment.share.clamp(0.0, 1.0) as f32) {
            let y = places.height - 6.0;
            canvas.fill(Area::new(first.x, y, first.width * share, 3.0), bar);
        }
        let label = label(moment, &palette, places.moment, &colours)?;
        canvas.paste(&label, (places.moment.x.round() as usize, places.moment.y.round() as usize));
        let frame = gif::Frame {
            width: across,
            height: down,
            delay: if at + 1 == moments.len() { hundredths.max(200) } else { hundredths },
            buffer: Cow::Owned(canvas.pixels),
            ..gif::Frame::default()
        };
        encoder.write_frame(&frame).map_err(broken)?;
    }
    drop(encoder);
    Ok(bytes)
}

/// Renders the label of a frame.
fn label(moment: &Moment, palette: &Palette, area: Area, colours: &Colours) -> Result<Canvas> {
    let mut scene = Scene::new(area.width, area.height, moment.name.clone(), palette.background);
    scene.text((area.width, area.height - 7.0), 10.0, palette.ink, Anchor::End, moment.name.clone());
    let (width, _, pixels) = png::to_pixels(&scene, 1.0)?;
    Ok(Canvas { width, pixels: colours.of_pixels(&pixels) })
}

#[cfg(test)]
mod tests {
    use super::super::Panel;
    use super::*;

    fn map() -> HeatMap {
        HeatMap {
            title: "Test".to_owned(),
            subtitle: "two rows".to_owned(),
            rows: 2,
            columns: 4,
            panels: ["Horizontal stream", "Vertical stream"]
                .map(|caption| Panel { caption: caption.to_owned(), values: Vec::new() })
                .to_vec(),
            low: (0.0, "0".to_owned()),
            high: (1.0, "1".to_owned()),
            dark: false,
        }
    }

    fn moment(name: &str, values: [f64; 8]) -> Moment {
        Moment { name: name.to_owned(), share: 0.5, panels: vec![values.to_vec(), vec![1.0; 8]] }
    }

    /// In the first picture the first cell is empty and the others full, in the second the other way round.
    #[test]
    fn a_film_shows_every_moment() {
        let (map, first, second) =
            (map(), [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let film = gif(&map, &[moment("iteration 1", first), moment("iteration 2", second)], 8).unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(film.as_slice()).unwrap();
        let (places, width) = (map.places(), usize::from(decoder.width()));
        let area = places.panels[0];
        let mut seen = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let colour = |cell: f32| {
                let (x, y) = (area.x + (cell + 0.5) * area.width / 4.0, area.y + area.height / 4.0);
                let at = 4 * (y as usize * width + x as usize);
                Colour { red: frame.buffer[at], green: frame.buffer[at + 1], blue: frame.buffer[at + 2], alpha: 255 }
            };
            seen.push((frame.delay, colour(0.0), colour(1.0)));
        }
        let (low, high) = (super::super::shade(0.0, false), super::super::shade(1.0, false));
        assert_eq!(seen, [(8, low, high), (200, high, low)]);
    }

    #[test]
    fn films_of_nothing_or_of_too_much_are_refused() {
        assert!(gif(&map(), &[], 8).unwrap_err().to_string().contains("choose 1 to 200"));
        let many = vec![moment("m", [0.0; 8]); MOST + 1];
        assert!(gif(&map(), &many, 8).unwrap_err().to_string().contains("201 pictures"));
    }

    #[test]
    fn every_colour_of_the_ground_is_in_the_table() {
        for dark in [false, true] {
            let colours = Colours::new(dark);
            assert_eq!(colours.table.len(), 256);
            let ground = Palette::of(dark).background;
            let at = colours.nearest([ground.red, ground.green, ground.blue]);
            assert_eq!(colours.table[usize::from(at)], [ground.red, ground.green, ground.blue]);
        }
    }
}
