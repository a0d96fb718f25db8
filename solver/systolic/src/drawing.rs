//! Pictures of binary problems: heat maps of the grid, operators of its cells, and solutions.
//!
//! Heat maps take plain numbers, one per cell, so that any quantity can be shown.

pub(crate) mod film;
mod solution;

use gridwright_core::numbers::grouped;
use gridwright_core::scene::axis::whole_ticks;
use gridwright_core::scene::fonts::elide;
use gridwright_core::scene::palette::Palette;
use gridwright_core::scene::paper::MARGIN;
use gridwright_core::scene::{Anchor, Area, Colour, Scene};

pub(crate) use solution::picture;

/// Number of shades of a heat map.
const SHADES: usize = 64;

/// Panel of a heat map: one value per cell, row by row; NaN leaves a cell empty.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Caption, such as «Horizontal stream».
    pub caption: String,
    /// Values, rows × columns; empty if there is nothing to show yet.
    pub values: Vec<f64>,
}

/// Heat map: panels of cells below each other on a common scale.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HeatMap {
    pub title: String,
    pub(crate) subtitle: String,
    /// Number of rows of cells.
    pub rows: usize,
    /// Number of columns of cells.
    pub columns: usize,
    pub panels: Vec<Panel>,
    /// Value of the first shade and its label.
    pub low: (f64, String),
    /// Value of the last shade and its label.
    pub high: (f64, String),
    /// True for a dark background.
    pub dark: bool,
}

/// Colour of a value at `share` (0…1) of the scale: one hue from pale to deep, distinguishable without colour vision;
/// from deep to bright on a dark background.
pub fn shade(share: f64, dark: bool) -> Colour {
    const LIGHT: [u32; 3] = [0xE6EEF5, 0x4B95CC, 0x0A2A54];
    const DARK: [u32; 3] = [0x1B2B3C, 0x2F7FB8, 0xD6EEFF];
    let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) } as f32;
    let [low, middle, high] = if dark { DARK } else { LIGHT }.map(Colour::hex);
    if share < 0.5 { low.mix(middle, 2.0 * share) } else { middle.mix(high, 2.0 * share - 1.0) }
}

/// Shade index of a value, 0…[`SHADES`] − 1; `None` for NaN.
pub(super) fn level(value: f64, low: f64, high: f64) -> Option<usize> {
    let share = if high > low { (value - low) / (high - low) } else { 0.0 };
    (!share.is_nan()).then(|| (share.clamp(0.0, 1.0) * (SHADES - 1) as f64).round() as usize)
}

fn shade_of(level: usize, dark: bool) -> Colour {
    shade(level as f64 / (SHADES - 1) as f64, dark)
}

/// Positions of the parts of a heat map, in points.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Places {
    pub(super) width: f32,
    pub(super) height: f32,
    /// Cell area of each panel.
    pub(super) panels: Vec<Area>,
    /// Area of the time label in an animation.
    pub(super) moment: Area,
}

const LABELS: f32 = 26.0;
const CAPTION: f32 = 18.0;
const TICKS: f32 = 20.0;
const HEAD: f32 = 44.0;
const LEGEND: f32 = 26.0;

impl HeatMap {
    pub(super) fn places(&self) -> Places {
        let (rows, columns) = (self.rows.max(1) as f32, self.columns.max(1) as f32);
        // Cells of small grids are large enough to point at; large grids fill the width of a sheet.
        let cell = (1_100.0 / columns).clamp(0.4, 26.0);
        let (cells_width, cells_height) = ((cell * columns).max(420.0), rows * (2.0 * cell).clamp(9.0, 26.0));
        let width = 2.0 * MARGIN + LABELS + cells_width;
        let top = MARGIN + HEAD;
        let each = CAPTION + cells_height + TICKS;
        let area = |at: usize| Area::new(MARGIN + LABELS, top + at as f32 * each + CAPTION, cells_width, cells_height);
        let panels: Vec<Area> = (0..self.panels.len()).map(area).collect();
        let bottom = top + each * panels.len() as f32;
        let moment = Area::new(MARGIN + LABELS + cells_width - 190.0, bottom + 4.0, 190.0, LEGEND - 6.0);
        Places { width, height: bottom + LEGEND + MARGIN, panels, moment }
    }

    /// Draws the panels and the scale.
    pub fn scene(&self) -> Scene {
        let (places, palette) = (self.places(), Palette::of(self.dark));
        let mut scene = Scene::new(places.width, places.height, self.title.clone(), palette.background);
        let room = places.width - 2.0 * MARGIN;
        scene.bold_text(
            (MARGIN, MARGIN + 14.0),
            16.0,
            palette.ink,
            Anchor::Start,
            elide(&self.title, 16.0, true, room),
        );
        let subtitle = elide(&self.subtitle, 10.0, false, room);
        scene.text((MARGIN, MARGIN + 31.0), 10.0, palette.muted, Anchor::Start, subtitle);
        for (panel, area) in self.panels.iter().zip(&places.panels) {
            self.draw_panel(&mut scene, &palette, panel, *area);
        }
        self.draw_legend(&mut scene, &palette, places.moment.y);
        scene
    }

    fn draw_panel(&self, scene: &mut Scene, palette: &Palette, panel: &Panel, area: Area) {
        scene.text((area.x, area.y - 6.0), 10.0, palette.ink, Anchor::Start, panel.caption.clone());
        scene.rectangle(area.x, area.y, area.width, area.height, palette.panel);
        let (rows, columns) = (self.rows.max(1), self.columns.max(1));
        let (width, height) = (area.width / columns as f32, area.height / rows as f32);
        for (row, values) in panel.values.chunks(columns).take(rows).enumerate() {
            let levels: Vec<Option<usize>> =
                values.iter().map(|&value| level(value, self.low.0, self.high.0)).collect();
            // Adjacent cells of one shade become one rectangle, which keeps files of large grids small.
            let mut column = 0;
            for run in levels.chunk_by(|a, b| a == b) {
                if let Some(level) = run[0] {
                    let (x, y) = (area.x + column as f32 * width, area.y + row as f32 * height);
                    scene.rectangle(x, y, run.len() as f32 * width, height, shade_of(level, self.dark));
                }
                column += run.len();
            }
        }
        for row in (0..rows).filter(|row| (row + 1) % rows.div_ceil(10) == 0 || *row == 0) {
            let y = area.y + (row as f32 + 0.5) * height + 3.0;
            scene.text((area.x - 6.0, y), 8.0, palette.muted, Anchor::End, (row + 1).to_string());
        }
        for tick in whole_ticks(1.0, columns as f64, 46.0 / f64::from(width)) {
            let x = area.x + (tick as f32 - 0.5) * width;
            scene.line((x, area.bottom()), (x, area.bottom() + 3.0), 0.7, palette.muted);
            scene.text((x, area.bottom() + 11.0), 8.0, palette.muted, Anchor::Middle, grouped(tick));
        }
    }

    fn draw_legend(&self, scene: &mut Scene, palette: &Palette, top: f32) {
        const STEP: f32 = 2.5;
        let (left, y) = (MARGIN + LABELS, top + 12.0);
        scene.text((left, y + 1.0), 9.0, palette.muted, Anchor::Start, self.low.1.clone());
        let bar = left + gridwright_core::scene::fonts::text_width(&self.low.1, 9.0, false) + 8.0;
        for level in 0..SHADES {
            scene.rectangle(bar + level as f32 * STEP, y - 8.0, STEP + 0.2, 11.0, shade_of(level, self.dark));
        }
        let end = bar + SHADES as f32 * STEP + 8.0;
        scene.text((end, y + 1.0), 9.0, palette.muted, Anchor::Start, self.high.1.clone());
    }
}

/// Operators of all cells, row by row; bits are counted from 1 as in the paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operators {
    /// Number of rows, τ.
    pub rows: usize,
    /// Number of columns, l.
    pub columns: usize,
    /// First bit of the exchanged segment.
    pub first: Vec<u32>,
    /// Last bit of the exchanged segment.
    pub last: Vec<u32>,
    /// Flipped bit.
    pub mutated: Vec<u32>,
}

/// Heat map of the crossover and mutation points of all cells (figures 2 to 6 of the paper); `dark` chooses the theme.
pub fn operators(name: &str, operators: &Operators, dark: bool) -> HeatMap {
    let panel = |caption: &str, values: &[u32]| Panel {
        caption: caption.to_owned(),
        values: values.iter().map(|&value| f64::from(value)).collect(),
    };
    let bits = operators.columns;
    HeatMap {
        title: format!("{name}: crossover and mutation points"),
        subtitle: format!(
            "{} rows × {} columns of cells; the darker, the further back among the bits",
            operators.rows, bits
        ),
        rows: operators.rows,
        columns: bits,
        panels: vec![
            panel("First bit of the segment that is exchanged", &operators.first),
            panel("Last bit of the segment", &operators.last),
            panel("Bit that is flipped", &operators.mutated),
        ],
        low: (1.0, "bit 1".to_owned()),
        high: (bits as f64, format!("bit {}", grouped(bits as u64))),
        dark,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_core::scene::Shape;

    fn map(columns: usize, values: Vec<f64>) -> HeatMap {
        HeatMap {
            title: "Test".to_owned(),
            subtitle: String::new(),
            rows: 2,
            columns,
            panels: vec![Panel { caption: "Values".to_owned(), values }],
            low: (0.0, "0".to_owned()),
            high: (3.0, "3".to_owned()),
            dark: false,
        }
    }

    fn count(scene: &Scene, colour: Colour) -> usize {
        let is = |shape: &&Shape| matches!(shape, Shape::Rectangle { fill, .. } if *fill == colour);
        scene.shapes.iter().filter(is).count()
    }

    /// Row 1: 0, 0, 3; row 2: nothing, 3, 0. Equal neighbours are one rectangle; the legend has each shade once.
    #[test]
    fn cells_have_the_shade_of_their_value() {
        let scene = map(3, vec![0.0, 0.0, 3.0, f64::NAN, 3.0, 0.0]).scene();
        assert_eq!(count(&scene, shade(0.0, false)), 2 + 1);
        assert_eq!(count(&scene, shade(1.0, false)), 2 + 1);
        assert_ne!(shade(0.0, true), shade(0.0, false));
    }

    #[test]
    fn levels_are_in_order_and_within() {
        assert_eq!(level(-5.0, 0.0, 10.0), Some(0));
        assert_eq!(level(5.0, 0.0, 10.0), Some(32));
        assert_eq!(level(50.0, 0.0, 10.0), Some(SHADES - 1));
        assert_eq!((level(f64::NAN, 0.0, 10.0), level(7.0, 7.0, 7.0)), (None, Some(0)));
        let luminance = |share: f64| {
            let colour = shade(share, false);
            u32::from(colour.red) + u32::from(colour.green) + u32::from(colour.blue)
        };
        assert!(
            (1..SHADES).all(|at| luminance(at as f64 / 63.0) < luminance((at - 1) as f64 / 63.0)),
            "darker step by step"
        );
    }

    #[test]
    fn grids_of_every_size_fit_their_picture() {
        for columns in [4, 100, 1_000, 10_000] {
            let map = map(columns, vec![1.0; 2 * columns]);
            let places = map.places();
            assert!(places.panels[0].right() <= places.width && places.panels[0].bottom() < places.moment.y);
            assert!(places.width < 4_500.0 && places.height < 400.0, "{places:?}");
            assert!(map.scene().shapes.len() < 200);
        }
    }

    #[test]
    fn operators_are_three_panels() {
        let points = Operators { rows: 2, columns: 4, first: vec![1; 8], last: vec![4; 8], mutated: vec![2; 8] };
        let scene = operators("4", &points, false).scene();
        // Each row of a panel is one rectangle; the ground of the legend has the shades, too.
        assert_eq!(count(&scene, shade(1.0, false)), 2 + 1);
        let words = scene.shapes.iter().filter(|shape| matches!(shape, Shape::Text { text, .. } if text == "bit 4"));
        assert_eq!(words.count(), 1);
    }
}
