//! Icons: glyphs of the embedded font Phosphor Bold (MIT licence, `assets/fonts`).

use egui::{Align2, Atom, Color32, FontId, Painter, Rect, vec2};
use gridwright_core::scene::png::thumbnail;

use crate::theme::{icon_family, size};

/// A symbol of the icon font; the value is the code point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
#[repr(u32)]
pub enum Icon {
    /// Start a search or a recording.
    Play = 0xE3D0,
    /// Pause.
    Pause = 0xE39E,
    /// Stop a search.
    Stop = 0xE46C,
    /// Open a file or a folder.
    Open = 0xE24A,
    /// Export to a file.
    Export = 0xE4C0,
    /// Import from a file.
    Import = 0xE20C,
    /// Calendar dates.
    Calendar = 0xE7B4,
    /// A file.
    File = 0xE230,
    /// Timetables.
    Grid = 0xEC8C,
    /// Gantt charts.
    Gantt = 0xE152,
    /// Done, or allowed.
    Check = 0xE182,
    /// Close, remove, or not allowed.
    Cross = 0xE4F6,
    /// An error or a violated rule.
    Warning = 0xE4E0,
    /// Light and dark.
    Theme = 0xE18C,
    /// Fit the whole picture into the view.
    Fit = 0xE1D0,
    /// Back to the standard.
    Reset = 0xE038,
    /// Something to know.
    Info = 0xE2CE,
    /// Search, or zoom to the selection.
    Search = 0xE30C,
    /// Notices.
    Bell = 0xE0CE,
    /// Copy.
    Copy = 0xE1CA,
    /// Delete.
    Trash = 0xE4A6,
    /// Edit, or rename.
    Pencil = 0xE3B4,
    /// Pinned or locked.
    Pin = 0xE3E2,
    /// Compare two solutions.
    Compare = 0xE546,
    /// A menu with further commands.
    More = 0xE1FE,
    /// Settings.
    Settings = 0xE434,
    /// Keyboard shortcuts.
    Keyboard = 0xE2D8,
    /// Add, or zoom in.
    Plus = 0xE3D4,
    /// Zoom out.
    Minus = 0xE32A,
    /// Undo.
    Undo = 0xE08A,
    /// Floor plans.
    FloorPlan = 0xE6D6,
    /// Islands of an evolutionary search and their migrations.
    Islands = 0xEB58,
    /// Upwards.
    Up = 0xE08E,
    /// Downwards.
    Down = 0xE03E,
    /// To the beginning of a recording.
    First = 0xE5A4,
    /// One step back.
    StepBack = 0xE138,
    /// One step forward.
    StepForward = 0xE13A,
    /// To the end of a recording.
    Last = 0xE5A6,
    /// Cells of a grid.
    Cells = 0xE296,
    /// Study mode.
    Graduate = 0xE62C,
}

/// Font size per side of the square that an icon fills: glyphs of the font have a margin of an eighth on each side.
const EM: f32 = 1.25;

impl Icon {
    /// Atom of a button that shows this icon in the colour of the button's text.
    pub(crate) fn atom<'a>(self) -> Atom<'a> {
        Atom::paint(vec2(size::ICON, size::ICON), move |ui, args| {
            self.paint(ui.painter(), args.rect, args.fallback_text_color);
        })
    }

    /// Empty atom as wide as an icon, which aligns the words of menu entries without an icon.
    pub fn nothing<'a>() -> Atom<'a> {
        Atom::paint(vec2(size::ICON, size::ICON), |_, _| {})
    }

    /// Paints the icon into the largest square in the middle of `rect`.
    pub fn paint(self, painter: &Painter, rect: Rect, colour: Color32) {
        let font = FontId::new(EM * rect.width().min(rect.height()), icon_family());
        painter.text(rect.center(), Align2::CENTER_CENTER, self.glyph(), font, colour);
    }

    fn glyph(self) -> char {
        char::from_u32(self as u32).unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

/// Renders the icon of the program for its window; empty if the picture cannot be painted.
pub(crate) fn window_icon() -> egui::IconData {
    let png = thumbnail(include_str!("../../../../assets/icon.svg"), [128, 128]).unwrap_or_default();
    eframe::icon_data::from_png_bytes(&png).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;

    #[test]
    fn the_font_has_every_icon() {
        let font = ttf_parser::Face::parse(crate::theme::ICONS, 0).unwrap();
        for icon in Icon::VARIANTS {
            assert!(font.glyph_index(icon.glyph()).is_some(), "{icon:?}");
        }
    }

    #[test]
    fn the_window_shows_the_icon_of_the_packages() {
        let icon = window_icon();
        let opaque = icon.rgba.chunks(4).filter(|pixel| pixel[3] == 255).count();
        assert_eq!((icon.width, icon.height), (128, 128));
        assert!(opaque > 128 * 128 / 2 && icon.rgba[3] == 0, "a plate with transparent corners: {opaque}");
    }
}
