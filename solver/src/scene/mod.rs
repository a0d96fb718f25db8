//! A drawing as data: rectangles, lines, polylines and text with colours.
//!
//! Pictures are made once as a [`Scene`] and painted in the window or written to SVG, PNG and PDF from the same data,
//! so that what is exported is what was seen. Units are points, x to the right, y downwards.
//!
//! [`svg::to_svg`], [`png::to_png`] and [`pdf::pages_to_pdf`] write it; [`fonts`] is the one font that all of them and
//! the window use. [`palette`], [`tiles`], [`axis`] and [`paper`] are what pictures of different problems have in common.

pub mod axis;
pub mod fonts;
pub mod palette;
pub mod paper;
pub mod pdf;
pub mod png;
pub mod svg;
pub mod tiles;

/// A colour with opacity, each 0…255, not premultiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Colour {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
    /// 255 is opaque.
    pub alpha: u8,
}

impl Colour {
    /// An opaque colour from 0xRRGGBB.
    pub const fn hex(rgb: u32) -> Self {
        Self { red: (rgb >> 16) as u8, green: (rgb >> 8) as u8, blue: rgb as u8, alpha: 255 }
    }

    /// The same with another opacity.
    pub const fn with_alpha(self, alpha: u8) -> Self {
        Self { alpha, ..self }
    }

    /// A mixture: `share` 0 is `self`, 1 is `other`.
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

/// Where the anchor of a text lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// At its left end.
    Start,
    /// In its middle.
    Middle,
    /// At its right end.
    End,
}

/// One thing that is drawn; later ones cover earlier ones.
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
        /// Inside.
        fill: Colour,
        /// Border: width and colour.
        stroke: Option<(f32, Colour)>,
        /// What a person hears or sees when pointing at it; empty for mere decoration.
        title: String,
    },
    /// Straight segments from point to point.
    Line {
        /// The points.
        points: Vec<(f32, f32)>,
        /// Width.
        width: f32,
        /// Colour.
        colour: Colour,
    },
    /// One line of text.
    Text {
        /// Anchor.
        x: f32,
        /// Base line.
        y: f32,
        /// Height of the letters in points (em).
        size: f32,
        /// Colour.
        colour: Colour,
        /// Where the anchor lies.
        anchor: Anchor,
        /// Semi-bold instead of regular.
        bold: bool,
        /// Turned by 90° anticlockwise around the anchor.
        upright: bool,
        /// The words.
        text: String,
    },
}

/// A drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Width in points.
    pub width: f32,
    /// Height in points.
    pub height: f32,
    /// What it shows, in words.
    pub title: String,
    /// Behind everything.
    pub background: Colour,
    /// What is drawn, from back to front.
    pub shapes: Vec<Shape>,
}

impl Scene {
    /// An empty drawing.
    pub fn new(width: f32, height: f32, title: impl Into<String>, background: Colour) -> Self {
        Self { width, height, title: title.into(), background, shapes: Vec::new() }
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

    /// Adds a rectangle that a person can point at.
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

/// Where a rectangle lies.
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
    /// The area with this upper left corner and size.
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { x, y, width, height }
    }

    /// The right edge.
    pub fn right(&self) -> f32 {
        self.x + self.width
    }

    /// The lower edge.
    pub fn bottom(&self) -> f32 {
        self.y + self.height
    }

    /// Whether a point lies in it, its upper and left edges included.
    pub fn contains(&self, x: f32, y: f32) -> bool {
        x >= self.x && x < self.right() && y >= self.y && y < self.bottom()
    }
}
