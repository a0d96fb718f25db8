//! Writer of scenes as pages of a PDF document.
//!
//! Every page is the SVG picture of its scene, converted by krilla-svg, so that PDF, SVG and PNG show the same. Text is
//! embedded as text that can be searched and selected. Equal scenes give equal bytes.

use krilla::Document;
use krilla::destination::XyzDestination;
use krilla::geom::{Point, Size};
use krilla::metadata::Metadata;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt, SvgSettings};

use super::{Scene, png};
use crate::{Error, Result};

/// Longest side of a page in points that PDF readers accept (ISO 32000, annex C); larger pictures are scaled down.
const MAX_SIDE: f32 = 14_400.0;

/// Entry of the table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bookmark {
    /// Title.
    pub text: String,
    /// Page, counted from 0.
    pub page: usize,
}

/// Writes one page per scene, each as large as its scene, and a table of contents; the document's title is that of the
/// first scene.
///
/// # Errors
/// [`Error::Usage`] if there is no scene, one is empty, or a bookmark refers to a missing page.
pub fn pages_to_pdf(pages: &[Scene], bookmarks: &[Bookmark]) -> Result<Vec<u8>> {
    let Some(first) = pages.first() else {
        return Err(Error::Usage("a PDF needs at least one page; there is nothing to draw".to_owned()));
    };
    if let Some(astray) = bookmarks.iter().find(|bookmark| bookmark.page >= pages.len()) {
        return Err(Error::Usage(format!("the bookmark “{}” leads to a page that is not there", astray.text)));
    }
    let mut document = Document::new();
    document.set_metadata(
        Metadata::new().title(first.title.clone()).creator("Gridwright".to_owned()).language("en".to_owned()),
    );
    for scene in pages {
        let scale = (MAX_SIDE / scene.width.max(scene.height)).min(1.0);
        let size = Size::from_wh(scene.width * scale, scene.height * scale).ok_or_else(|| {
            Error::Usage(format!("a page of {} × {} points cannot be written as PDF", scene.width, scene.height))
        })?;
        let mut page = document.start_page_with(PageSettings::new(size));
        let mut surface = page.surface();
        surface.draw_svg(&png::tree(scene)?, size, SvgSettings::default());
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

#[cfg(test)]
mod tests {
    use super::super::{Anchor, Area, Colour};
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
        let first = pages_to_pdf(&pages, &bookmarks).unwrap();
        assert!(first.starts_with(b"%PDF-"));
        assert_eq!(first, pages_to_pdf(&pages, &bookmarks).unwrap());
        let text = String::from_utf8_lossy(&first);
        assert_eq!(text.matches("/Type/Page/").count(), 3);
        // Text is text in two embedded fonts, not outlines.
        assert!(text.contains("Inter-Regular") && text.contains("Inter-SemiBold"));
        assert_ne!(first, pages_to_pdf(&pages, &[]).unwrap());
    }

    #[test]
    fn what_cannot_be_a_page_is_refused() {
        assert!(pages_to_pdf(&[], &[]).unwrap_err().to_string().contains("at least one page"));
        let flat = Scene::new(0.0, 10.0, "Flat", Colour::hex(0));
        assert!(pages_to_pdf(&[flat], &[]).is_err());
        let astray = [Bookmark { text: "Nowhere".to_owned(), page: 1 }];
        assert!(pages_to_pdf(&[page("a")], &astray).unwrap_err().to_string().contains("Nowhere"));
        assert!(
            pages_to_pdf(&[Scene::new(60_000.0, 100.0, "Long", Colour::hex(0))], &[]).unwrap().starts_with(b"%PDF-")
        );
    }
}
