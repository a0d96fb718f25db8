//! Writer of scenes as pages of a PDF document.
//!
//! Shapes are passed to krilla one by one, a line of text as one run, so that text can be searched, selected and read
//! aloud. Equal scenes give equal bytes.

use krilla::Document;
use krilla::color::rgb;
use krilla::destination::XyzDestination;
use krilla::geom::{Path, PathBuilder, Point, Rect, Transform};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};

use super::{Anchor, Area, Colour, Scene, Shape, fonts};
use crate::{Error, Result};

/// Longest side of a page in points that PDF readers accept (ISO 32000, annex C); larger pictures are scaled down.
const MAX_SIDE: f32 = 14_400.0;

/// Distance of the control points of a cubic curve from the ends of a quarter circle of radius 1.
const QUARTER: f32 = 0.552_285;

/// Entry of the table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bookmark {
    /// Title.
    pub text: String,
    /// Page, counted from 0.
    pub page: usize,
}

/// Writes a scene as a document of one page.
///
/// # Errors
/// As [`pages_to_pdf`].
pub fn to_pdf(scene: &Scene) -> Result<Vec<u8>> {
    pages_to_pdf(std::slice::from_ref(scene))
}

/// Writes one page per scene, each as large as its scene; the document's title is that of the first.
///
/// # Errors
/// [`Error::Usage`] if there is no scene or one is empty.
pub fn pages_to_pdf(pages: &[Scene]) -> Result<Vec<u8>> {
    pages_to_pdf_with_bookmarks(pages, &[])
}

/// Writes as [`pages_to_pdf`] does, with a table of contents.
///
/// # Errors
/// As [`pages_to_pdf`], and if a bookmark refers to a missing page.
pub fn pages_to_pdf_with_bookmarks(pages: &[Scene], bookmarks: &[Bookmark]) -> Result<Vec<u8>> {
    let Some(first) = pages.first() else {
        return Err(Error::Usage("a PDF needs at least one page; there is nothing to draw".to_owned()));
    };
    if let Some(astray) = bookmarks.iter().find(|bookmark| bookmark.page >= pages.len()) {
        return Err(Error::Usage(format!("the bookmark “{}” leads to a page that is not there", astray.text)));
    }
    let writer = Writer::new()?;
    let mut document = Document::new();
    document.set_metadata(
        Metadata::new().title(first.title.clone()).creator("Gridwright".to_owned()).language("en".to_owned()),
    );
    for scene in pages {
        let scale = (MAX_SIDE / scene.width.max(scene.height)).min(1.0);
        let settings = PageSettings::from_wh(scene.width * scale, scene.height * scale).ok_or_else(|| {
            Error::Usage(format!("a page of {} × {} points cannot be written as PDF", scene.width, scene.height))
        })?;
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        surface.push_transform(&Transform::from_scale(scale, scale));
        writer.draw(&mut surface, scene);
        surface.pop();
        surface.finish();
        page.finish();
    }
    if !bookmarks.is_empty() {
        let mut outline = Outline::new();
        for bookmark in bookmarks {
            let target = XyzDestination::new(bookmark.page, Point::from_xy(0.0, 0.0));
            outline.push_child(OutlineNode::new(bookmark.text.clone(), target));
        }
        document.set_outline(outline);
    }
    document
        .finish()
        .map_err(|error| Error::Usage(format!("the PDF could not be written ({error:?}); export SVG or PNG instead")))
}

/// Fonts, loaded once per document.
struct Writer {
    regular: Font,
    semi_bold: Font,
}

impl Writer {
    fn new() -> Result<Self> {
        let font = |data: &'static [u8]| {
            Font::new(data.into(), 0).ok_or_else(|| Error::Usage("the embedded font cannot be read".to_owned()))
        };
        Ok(Self { regular: font(fonts::REGULAR)?, semi_bold: font(fonts::SEMI_BOLD)? })
    }

    fn draw(&self, surface: &mut Surface<'_>, scene: &Scene) {
        let page = Area::new(0.0, 0.0, scene.width, scene.height);
        draw_path(surface, rectangle(page, 0.0), Some(scene.background), None);
        for shape in &scene.shapes {
            match shape {
                Shape::Rectangle { x, y, width, height, radius, fill, stroke, title: _ } => {
                    draw_path(surface, rectangle(Area::new(*x, *y, *width, *height), *radius), Some(*fill), *stroke);
                }
                Shape::Line { points, width, colour } => {
                    draw_path(surface, polyline(points), None, Some((*width, *colour)));
                }
                Shape::Text { .. } => self.draw_text(surface, shape),
            }
        }
    }

    fn draw_text(&self, surface: &mut Surface<'_>, shape: &Shape) {
        let Shape::Text { x, y, size, colour, anchor, bold, upright, text } = shape else { return };
        let finite = x.is_finite() && y.is_finite() && size.is_finite() && *size > 0.0;
        if text.trim().is_empty() || !finite {
            return;
        }
        // Control characters have no glyph and would disturb copied text.
        let text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let width = fonts::text_width(&text, *size, *bold);
        let back = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        let font = if *bold { &self.semi_bold } else { &self.regular };
        surface.set_fill(Some(fill(*colour)));
        surface.set_stroke(None);
        let turned = if *upright { Transform::from_rotate_at(-90.0, *x, *y) } else { Transform::identity() };
        surface.push_transform(&turned);
        surface.draw_text(Point::from_xy(x - back, *y), font.clone(), *size, &text, false, TextDirection::Auto);
        surface.pop();
    }
}

fn fill(colour: Colour) -> Fill {
    let Colour { red, green, blue, alpha } = colour;
    Fill { paint: rgb::Color::new(red, green, blue).into(), opacity: opacity(alpha), ..Fill::default() }
}

fn opacity(alpha: u8) -> NormalizedF32 {
    NormalizedF32::new(f32::from(alpha) / 255.0).unwrap_or(NormalizedF32::ONE)
}

fn draw_path(surface: &mut Surface<'_>, path: Option<Path>, inside: Option<Colour>, border: Option<(f32, Colour)>) {
    let Some(path) = path else { return };
    surface.set_fill(inside.filter(|colour| colour.alpha > 0).map(fill));
    surface.set_stroke(border.filter(|(width, _)| *width > 0.0).map(|(width, colour)| Stroke {
        paint: rgb::Color::new(colour.red, colour.green, colour.blue).into(),
        width,
        opacity: opacity(colour.alpha),
        ..Stroke::default()
    }));
    surface.draw_path(&path);
}

/// Rectangle with rounded corners; `None` if it is empty or not finite.
fn rectangle(area: Area, radius: f32) -> Option<Path> {
    let Area { x, y, width, height } = area;
    let rect = Rect::from_xywh(x, y, width, height).filter(|_| width > 0.0 && height > 0.0)?;
    let mut path = PathBuilder::new();
    let radius = radius.min(width / 2.0).min(height / 2.0);
    if radius > 0.0 {
        let (right, bottom, near) = (rect.right(), rect.bottom(), radius * (1.0 - QUARTER));
        path.move_to(x + radius, y);
        path.line_to(right - radius, y);
        path.cubic_to(right - near, y, right, y + near, right, y + radius);
        path.line_to(right, bottom - radius);
        path.cubic_to(right, bottom - near, right - near, bottom, right - radius, bottom);
        path.line_to(x + radius, bottom);
        path.cubic_to(x + near, bottom, x, bottom - near, x, bottom - radius);
        path.line_to(x, y + radius);
        path.cubic_to(x, y + near, x + near, y, x + radius, y);
        path.close();
    } else {
        path.push_rect(rect);
    }
    path.finish()
}

fn polyline(points: &[(f32, f32)]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (position, &(x, y)) in points.iter().filter(|(x, y)| x.is_finite() && y.is_finite()).enumerate() {
        if position == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    path.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Scene {
        let mut scene = Scene::new(842.0, 595.0, text, Colour::hex(0xFFFFFF));
        scene.titled_rectangle(Area::new(10.0, 10.0, 100.0, 20.0), 4.0, Colour::hex(0x2060A0).with_alpha(90), "a");
        scene.rectangle(10.0, 10.0, 0.0, -5.0, Colour::hex(0));
        scene.line((0.0, 0.0), (f32::NAN, 20.0), 1.0, Colour::hex(0));
        scene.line((0.0, 0.0), (200.0, 20.0), 1.0, Colour::hex(0));
        scene.bold_text((20.0, 24.0), 12.0, Colour::hex(0), Anchor::End, text);
        scene.text((20.0, 80.0), 12.0, Colour::hex(0), Anchor::Middle, text);
        scene
    }

    #[test]
    fn the_same_drawings_give_the_same_bytes() {
        let pages = [page("One & <two>"), page("Prüfung 🎓\u{0}\nΩ"), page("")];
        let bookmarks = [Bookmark { text: "Second".to_owned(), page: 1 }];
        let first = pages_to_pdf_with_bookmarks(&pages, &bookmarks).unwrap();
        assert!(first.starts_with(b"%PDF-"));
        assert_eq!(first, pages_to_pdf_with_bookmarks(&pages, &bookmarks).unwrap());
        let text = String::from_utf8_lossy(&first);
        assert_eq!(text.matches("/Type/Page/").count(), 3);
        // Text is text in two embedded fonts, not outlines.
        assert!(text.contains("Inter-Regular") && text.contains("Inter-SemiBold"));
        assert_ne!(first, pages_to_pdf(&pages).unwrap());
    }

    #[test]
    fn what_cannot_be_a_page_is_refused() {
        assert!(pages_to_pdf(&[]).unwrap_err().to_string().contains("at least one page"));
        let flat = Scene::new(0.0, 10.0, "Flat", Colour::hex(0));
        assert!(to_pdf(&flat).is_err());
        let astray = [Bookmark { text: "Nowhere".to_owned(), page: 1 }];
        assert!(pages_to_pdf_with_bookmarks(&[page("a")], &astray).unwrap_err().to_string().contains("Nowhere"));
        assert!(to_pdf(&Scene::new(60_000.0, 100.0, "Long", Colour::hex(0))).unwrap().starts_with(b"%PDF-"));
    }
}
