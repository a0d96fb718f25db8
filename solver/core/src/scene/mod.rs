//! Scene graph of pictures: rectangles, lines, polylines and text with colours.
//!
//! A picture is built once as a [`Scene`] and painted in the window or written to SVG, PNG and PDF from the same data,
//! so that exports equal the display. Units are points, x to the right, y downwards.
//!
//! [`svg::to_svg`], [`png::to_png`] and [`pdf::pages_to_pdf`] write scenes; [`fonts`] holds the font of all exports and
//! the window; [`palette`], [`tiles`], [`axis`] and [`paper`] are shared by the pictures of all problems.

pub mod axis;
pub mod fonts;
pub mod palette;
pub mod paper;
pub mod pdf;
pub mod plot;
pub mod png;
pub mod raster;
pub mod sheet_table;
pub mod svg;
pub mod tiles;

use std::sync::Arc;

use raster::Raster;

/// A colour with opacity, each 0…255, not premultiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Colour {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
    /// Opacity, 255 is opaque.
    pub alpha: u8,
}

impl Colour {
    /// Opaque colour from 0xRRGGBB.
    pub const fn hex(rgb: u32) -> Self {
        Self { red: (rgb >> 16) as u8, green: (rgb >> 8) as u8, blue: rgb as u8, alpha: 255 }
    }

    /// The colour with another opacity.
    pub const fn with_alpha(self, alpha: u8) -> Self {
        Self { alpha, ..self }
    }

    /// Linear mixture of two colours: `share` 0 is `self`, 1 is `other`.
    pub fn mix(self, other: Self, share: f32) -> Self {
        let share = share.clamp(0.0, 1.0);
        let channel = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
        Self {
            red: channel(self.red, other.red),
            green: channel(self.green, other.green),
            blue: channel(self.blue, other.blue),
            alpha: channel(self.alpha, other.alpha),
        }
    }
}

/// Horizontal alignment of a text relative to its anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Anchor at the left end.
    Start,
    /// Anchor in the middle.
    Middle,
    /// Anchor at the right end.
    End,
}

/// Element of a scene; later elements cover earlier ones. Lengths are in points.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A filled rectangle.
    Rectangle {
        /// Left edge.
        x: f32,
        /// Upper edge.
        y: f32,
        /// Width.
        width: f32,
        /// Height.
        height: f32,
        /// Radius of the corners.
        radius: f32,
        /// Fill colour.
        fill: Colour,
        /// Border: width and colour.
        stroke: Option<(f32, Colour)>,
        /// Tooltip and accessible name; empty for decoration.
        title: String,
    },
    /// Polyline.
    Line {
        /// Points (x, y).
        points: Vec<(f32, f32)>,
        /// Width.
        width: f32,
        /// Colour.
        colour: Colour,
    },
    /// A picture of pixels, stretched to the rectangle.
    Picture {
        /// Left edge.
        x: f32,
        /// Upper edge.
        y: f32,
        /// Width.
        width: f32,
        /// Height.
        height: f32,
        /// The picture.
        raster: Arc<Raster>,
    },
    /// One line of text.
    Text {
        /// x of the anchor.
        x: f32,
        /// y of the base line.
        y: f32,
        /// Font size (em).
        size: f32,
        /// Colour.
        colour: Colour,
        /// Alignment.
        anchor: Anchor,
        /// True for semi-bold.
        bold: bool,
        /// True for text rotated by 90° anticlockwise around the anchor.
        upright: bool,
        /// Text.
        text: String,
    },
}

/// Picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Width in points.
    pub width: f32,
    /// Height in points.
    pub height: f32,
    /// Title, for metadata and screen readers.
    pub title: String,
    /// Background colour.
    pub background: Colour,
    /// Elements, from back to front.
    pub shapes: Vec<Shape>,
}

impl Scene {
    /// Empty picture of this size in points.
    pub fn new(width: f32, height: f32, title: impl Into<String>, background: Colour) -> Self {
        Self { width, height, title: title.into(), background, shapes: Vec::new() }
    }

    /// Moves every shape down and makes the picture higher by `by` points.
    pub(crate) fn shift_down(&mut self, by: f32) {
        for shape in &mut self.shapes {
            match shape {
                Shape::Rectangle { y, .. } | Shape::Picture { y, .. } | Shape::Text { y, .. } => *y += by,
                Shape::Line { points, .. } => points.iter_mut().for_each(|point| point.1 += by),
            }
        }
        self.height += by;
    }

    /// The picture enlarged by a factor, with every colour replaced by what `colour` makes of it.
    #[must_use]
    pub fn adapted(&self, factor: f32, colour: impl Fn(Colour) -> Colour) -> Self {
        let mut scene = self.clone();
        scene.width *= factor;
        scene.height *= factor;
        scene.background = colour(scene.background);
        for shape in &mut scene.shapes {
            match shape {
                Shape::Rectangle { x, y, width, height, radius, fill, stroke, .. } => {
                    [x, y, width, height, radius].into_iter().for_each(|length| *length *= factor);
                    *fill = colour(*fill);
                    *stroke = stroke.map(|(width, edge)| (width * factor, colour(edge)));
                }
                Shape::Line { points, width, colour: ink } => {
                    points.iter_mut().for_each(|point| *point = (point.0 * factor, point.1 * factor));
                    (*width, *ink) = (*width * factor, colour(*ink));
                }
                Shape::Picture { x, y, width, height, .. } => {
                    [x, y, width, height].into_iter().for_each(|length| *length *= factor);
                }
                Shape::Text { x, y, size, colour: ink, .. } => {
                    [x, y, size].into_iter().for_each(|length| *length *= factor);
                    *ink = colour(*ink);
                }
            }
        }
        scene
    }

    /// Adds a plain rectangle.
    pub fn rectangle(&mut self, x: f32, y: f32, width: f32, height: f32, fill: Colour) {
        let (radius, stroke, title) = (0.0, None, String::new());
        self.shapes.push(Shape::Rectangle { x, y, width, height, radius, fill, stroke, title });
    }

    /// Adds a straight line.
    pub fn line(&mut self, from: (f32, f32), to: (f32, f32), width: f32, colour: Colour) {
        self.shapes.push(Shape::Line { points: vec![from, to], width, colour });
    }

    /// Adds regular horizontal text.
    pub fn text(&mut self, at: (f32, f32), size: f32, colour: Colour, anchor: Anchor, text: impl Into<String>) {
        let (x, y) = at;
        let text = text.into();
        self.shapes.push(Shape::Text { x, y, size, colour, anchor, bold: false, upright: false, text });
    }

    /// Adds a rectangle with a tooltip.
    pub fn titled_rectangle(&mut self, area: Area, radius: f32, fill: Colour, title: impl Into<String>) {
        let (Area { x, y, width, height }, stroke, title) = (area, None, title.into());
        self.shapes.push(Shape::Rectangle { x, y, width, height, radius, fill, stroke, title });
    }

    /// Adds semi-bold horizontal text.
    pub fn bold_text(&mut self, at: (f32, f32), size: f32, colour: Colour, anchor: Anchor, text: impl Into<String>) {
        let (x, y) = at;
        let text = text.into();
        self.shapes.push(Shape::Text { x, y, size, colour, anchor, bold: true, upright: false, text });
    }
}

/// Axis-parallel rectangle in points.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Area {
    /// Left edge.
    pub x: f32,
    /// Upper edge.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

impl Area {
    /// Area with this upper left corner and size.
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { x, y, width, height }
    }

    /// Right edge.
    pub fn right(&self) -> f32 {
        self.x + self.width
    }

    /// Lower edge.
    pub fn bottom(&self) -> f32 {
        self.y + self.height
    }

    /// Returns `true` if the point lies in the area; the upper and left edges belong to it.
    pub fn contains(&self, x: f32, y: f32) -> bool {
        x >= self.x && x < self.right() && y >= self.y && y < self.bottom()
    }
}
