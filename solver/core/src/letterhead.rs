//! Letterhead of printed documents: the institution and its logo.
//!
//! A logo is kept as a PNG that this module has drawn itself, whatever file it was read from: every document can hold it, and
//! no file from outside goes into a document unchanged.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::scene::fonts::elide;
use crate::scene::palette::Palette;
use crate::scene::paper::MARGIN;
use crate::scene::raster::{MostPixels, Raster};
use crate::scene::{Anchor, Scene, Shape};
use crate::text::language::Language;
use crate::{Error, Result, files};

/// Largest file of a logo in bytes.
const MOST_BYTES: usize = 1 << 20;

/// Height in points that a letterhead takes from a page.
const HEIGHT: f32 = 44.0;

/// Largest width and height of a logo on a page, in points.
const LOGO: (f32, f32) = (170.0, 30.0);

/// Largest number of characters of an institution's name.
pub const LONGEST_NAME: usize = 200;

/// Institution and logo of printed documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Letterhead {
    /// Name of the institution; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub institution: String,
    /// Language of documents that are handed on.
    #[serde(default, skip_serializing_if = "Language::is_default")]
    pub language: Language,
    /// Logo; `None` for none. Projects keep it as a file of its own.
    #[serde(skip)]
    pub logo: Option<Arc<Raster>>,
}

impl Default for &Letterhead {
    fn default() -> Self {
        static NONE: Letterhead = Letterhead { institution: String::new(), language: Language::English, logo: None };
        &NONE
    }
}

impl Letterhead {
    /// Returns `true` if there is neither an institution nor a logo nor another language than the usual one.
    pub fn is_empty(&self) -> bool {
        self.is_blank() && self.language.is_default()
    }

    /// Returns `true` if nothing of it is drawn.
    fn is_blank(&self) -> bool {
        self.institution.is_empty() && self.logo.is_none()
    }

    /// The letterhead with the institution of this name, without spaces at its ends and line breaks.
    #[must_use]
    pub fn with_institution(self, name: &str) -> Self {
        let words: Vec<&str> = name.split_whitespace().collect();
        Self { institution: words.join(" ").chars().take(LONGEST_NAME).collect(), ..self }
    }

    /// Reads a logo: PNG, JPEG or SVG.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be read, is too large or is no such picture.
    pub fn read_logo(path: &Path) -> Result<Arc<Raster>> {
        // One byte more than allowed tells that a file is too large without reading all of it.
        let bytes = files::beginning(path, MOST_BYTES + 1);
        if bytes.is_empty() {
            // An unreadable file says here why it cannot be read.
            files::read(path)?;
        }
        if bytes.len() > MOST_BYTES {
            let most = MOST_BYTES >> 20;
            return Err(Error::file(
                path,
                format!("a logo has at most {most} MiB; save the picture with fewer pixels"),
            ));
        }
        Raster::of_picture(&bytes, MostPixels::LOGO).map(Arc::new).map_err(|what| Error::file(path, what))
    }

    /// Name of a document with the institution before it, such as «University of Anywhere · Summer 2026».
    pub fn titled(&self, name: &str) -> String {
        if self.institution.is_empty() { name.to_owned() } else { format!("{} · {name}", self.institution) }
    }

    /// Height in points that [`Self::above`] adds to a page; 0 for an empty letterhead.
    pub fn height(&self) -> f32 {
        if self.is_blank() { 0.0 } else { HEIGHT }
    }

    /// Moves the content of a page down and draws the letterhead above it.
    pub fn above(&self, page: &mut Scene) {
        if !self.is_blank() {
            page.shift_down(HEIGHT);
            self.draw(page, MARGIN, MARGIN - 4.0);
        }
    }

    /// Draws the letterhead between the left and right margins, [`Self::height`] points high from `top`.
    pub fn draw(&self, page: &mut Scene, margin: f32, top: f32) {
        if self.is_blank() {
            return;
        }
        const SIZE: f32 = 13.0;
        let palette = Palette::LIGHT;
        let (mut left, right, bottom) = (margin, page.width - margin, top + LOGO.1);
        if let Some(logo) = &self.logo {
            let (width, height) = (logo.width as f32, logo.height as f32);
            let scale = (LOGO.0 / width).min(LOGO.1 / height);
            let (width, height) = (width * scale, height * scale);
            let (y, raster) = (top + (LOGO.1 - height) / 2.0, Arc::clone(logo));
            page.shapes.push(Shape::Picture { x: left, y, width, height, raster });
            left += width + 12.0;
        }
        let name = elide(&self.institution, SIZE, true, right - left);
        page.bold_text((left, top + LOGO.1 / 2.0 + SIZE * 0.36), SIZE, palette.ink, Anchor::Start, name);
        page.line((margin, bottom + 7.0), (right, bottom + 7.0), 0.8, palette.line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Colour, png};
    use crate::testing;

    fn logo(width: f32, height: f32) -> Vec<u8> {
        png::to_png(&Scene::new(width, height, "logo", Colour::hex(0x0050A0)), 1.0).unwrap()
    }

    #[test]
    fn pictures_of_all_kinds_become_logos() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("logo");
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><rect width='40' height='20'/></svg>";
        let jpeg: &[u8] = include_bytes!("logo.jpg");
        for (bytes, size) in [(logo(60.0, 30.0), (60, 30)), (svg.into(), (1_000, 500)), (jpeg.to_vec(), (16, 8))] {
            std::fs::write(&path, bytes).unwrap();
            let read = Letterhead::read_logo(&path).unwrap();
            assert_eq!((read.width, read.height), size);
            assert_eq!(*Raster::of_png(read.png().to_vec(), MostPixels::LOGO).unwrap(), *read);
        }
    }

    #[test]
    fn files_that_are_no_logo_are_refused_with_a_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("logo.png");
        let refused = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            Letterhead::read_logo(&path).unwrap_err().to_string()
        };
        assert!(refused(b"GIF89a").contains("PNG, JPEG or SVG"));
        assert!(refused(b"").contains("PNG, JPEG or SVG"));
        let whole = logo(60.0, 30.0);
        assert!(refused(&whole[..whole.len() / 2]).contains("save it again"), "a part of a picture");
        assert!(refused(&logo(2_400.0, 10.0)).contains("2400 × 10 pixels"));
        assert!(refused(&vec![b' '; MOST_BYTES + 1]).contains("at most 1 MiB"));
        let outside = "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'><image href='/etc/passwd'/></svg>";
        assert!(refused(outside.as_bytes()).contains("shows nothing"));
        assert!(Letterhead::read_logo(&folder.path().join("none.png")).unwrap_err().to_string().contains("none.png"));
    }

    #[test]
    fn a_letterhead_stands_above_the_content_of_a_page() {
        let raster = Raster::of_picture(&logo(400.0, 50.0), MostPixels::LOGO).unwrap();
        let letterhead = Letterhead::default().with_institution(" University\nof  Anywhere ");
        assert_eq!(letterhead.titled("Summer"), "University of Anywhere · Summer");
        let letterhead = Letterhead { logo: Some(Arc::new(raster)), ..letterhead };
        let mut page = Scene::new(500.0, 200.0, "page", Colour::hex(0xFFFFFF));
        page.text((MARGIN, MARGIN), 9.0, Colour::hex(0), Anchor::Start, "content");
        letterhead.above(&mut page);
        assert_eq!(testing::texts(&page), ["content", "University of Anywhere"]);
        testing::assert_inside(&page);
        let (_, _, pixels) = png::to_pixels(&page, 1.0).unwrap();
        let blue = pixels.iter().filter(|pixel| **pixel == [0, 0x50, 0xA0]).count();
        assert!(blue > 3_000, "{blue} pixels of the logo are drawn");
        let mut without = page.clone();
        Letterhead::default().above(&mut without);
        assert_eq!(without, page);
    }
}
