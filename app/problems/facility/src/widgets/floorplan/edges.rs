//! Surroundings of a plan: names of bays, their widths, a scale.

use egui::{Align2, Painter, Pos2, Rect, Stroke, Ui, pos2, vec2};
use gridwright_core::scene::axis::round_step;
use gridwright_facility::Unit;

use super::paint::Attention;
use super::words::{length, sides_in};
use super::{Bay, Frame, Scene};
use gridwright_window::theme::{self, Palette, palette, space, text};

/// Room above upright bays for their names, and beside rows.
const NAMES: [f32; 2] = [22.0, 52.0];
/// Room for the widths of bays, below upright ones, and beside rows.
const WIDTHS: [f32; 2] = [22.0, 58.0];
/// Room for the scale.
const SCALE: f32 = 30.0;
/// Room where nothing stands.
const BARE: f32 = 10.0;

/// The room around the floor: left, top, right and bottom as the sides of a rectangle.
pub(super) fn margins(scene: &Scene<'_>) -> Margins {
    if !scene.dimensions {
        return Margins { left: 3.0, top: 3.0, right: 3.0, bottom: 3.0 };
    }
    if scene.picture.upright {
        Margins { left: BARE, top: NAMES[0], right: BARE, bottom: WIDTHS[0] + SCALE }
    } else {
        Margins { left: NAMES[1], top: BARE, right: WIDTHS[1], bottom: SCALE }
    }
}

/// Room around the floor, in points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Margins {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

impl Margins {
    /// The room at the left and above.
    pub(super) fn left_top(&self) -> egui::Vec2 {
        vec2(self.left, self.top)
    }

    /// The room at the right and below.
    pub(super) fn right_bottom(&self) -> egui::Vec2 {
        vec2(self.right, self.bottom)
    }
}

/// Paints what stands around the floor.
pub(super) fn paint(ui: &Ui, scene: &Scene<'_>, frame: &Frame, attention: Attention) {
    if !scene.dimensions || scene.picture.rooms.is_empty() {
        return;
    }
    let palette = palette(ui.visuals());
    let painter = ui.painter().with_clip_rect(frame.full.intersect(ui.clip_rect()));
    let looked_at = attention.selected.and_then(|room| scene.picture.place(room)).map(|(bay, _)| bay);
    if scene.picture.upright {
        columns(&painter, scene, frame, looked_at, palette);
    } else {
        rows(&painter, scene, frame, looked_at, palette);
    }
    scale(&painter, scene, frame, palette);
}

/// The part of the floor that is in sight.
fn sight(scene: &Scene<'_>, frame: &Frame) -> Rect {
    let [width, height] = scene.picture.size;
    frame.rect(&super::Region { x: 0.0, y: 0.0, width, height }).intersect(frame.area)
}

/// The longest of these words that fits.
fn fitting(painter: &Painter, words: &[String], room: f32, bold: bool, palette: &Palette) -> Option<String> {
    let font = if bold { theme::bold_font(text::SMALL) } else { theme::font(text::SMALL) };
    let width = |words: &String| painter.layout_no_wrap(words.clone(), font.clone(), palette.weak).size().x;
    words.iter().find(|words| width(words) <= room).cloned()
}

fn put(painter: &Painter, at: Pos2, align: Align2, words: &str, bold: bool, palette: &Palette) {
    let (font, colour) = match bold {
        true => (theme::bold_font(text::SMALL), palette.text),
        false => (theme::font(text::SMALL), palette.weak),
    };
    painter.text(at, align, words, font, colour);
}

/// Names above and widths below upright bays.
fn columns(painter: &Painter, scene: &Scene<'_>, frame: &Frame, looked_at: Option<usize>, palette: &Palette) {
    let sight = sight(scene, frame);
    let (above, below) = (sight.top() - NAMES[0] / 2.0, sight.bottom() + 12.0);
    for (number, bay) in scene.picture.bays.iter().enumerate() {
        let rect = frame.rect(&bay.region);
        let seen = rect.x_range().intersection(sight.x_range());
        if seen.span() <= 0.0 {
            continue;
        }
        let bold = looked_at == Some(number);
        let middle = seen.center();
        let names = [format!("Bay {}", number + 1), (number + 1).to_string()];
        if let Some(name) = fitting(painter, &names, seen.span() - 4.0, bold, palette) {
            put(painter, pos2(middle, above), Align2::CENTER_CENTER, &name, bold, palette);
        }
        let stroke = Stroke::new(1.0, palette.border_strong);
        for x in [rect.left(), rect.right()].into_iter().filter(|x| sight.x_range().expand(1.0).contains(*x)) {
            painter.vline(x, below - 5.0..=below + 5.0, stroke);
        }
        dimension(painter, seen.span(), bay.region.width, bold, palette, |gap| {
            painter.hline(seen.min + 2.0..=middle - gap, below, stroke);
            painter.hline(middle + gap..=seen.max - 2.0, below, stroke);
            pos2(middle, below)
        });
    }
}

/// Paints a dimension line with its length; without the length where there is no room.
fn dimension(painter: &Painter, room: f32, value: f64, bold: bool, palette: &Palette, lines: impl FnOnce(f32) -> Pos2) {
    // Rounded further, bays of different widths would read alike.
    match fitting(painter, &[length(value)], room - 10.0, bold, palette) {
        Some(words) => {
            let font = theme::font(text::SMALL);
            let width = painter.layout_no_wrap(words.clone(), font, palette.weak).size().x;
            let at = lines((width / 2.0 + 5.0).min(room / 2.0 - 2.0));
            put(painter, at, Align2::CENTER_CENTER, &words, bold, palette);
        }
        None => {
            lines(0.0);
        }
    }
}

/// Names at the left of rows and their heights at the right.
fn rows(painter: &Painter, scene: &Scene<'_>, frame: &Frame, looked_at: Option<usize>, palette: &Palette) {
    let sight = sight(scene, frame);
    let at = sight.right() + 12.0;
    for (number, bay) in scene.picture.bays.iter().enumerate() {
        let Bay { region, .. } = bay;
        let rect = frame.rect(region);
        let seen = rect.y_range().intersection(sight.y_range());
        if seen.span() <= 0.0 {
            continue;
        }
        let bold = looked_at == Some(number);
        let middle = seen.center();
        let stroke = Stroke::new(1.0, palette.border_strong);
        for y in [rect.top(), rect.bottom()].into_iter().filter(|y| sight.y_range().expand(1.0).contains(*y)) {
            painter.hline(at - 5.0..=at + 5.0, y, stroke);
        }
        painter.vline(at, seen.min + 2.0..=seen.max - 2.0, stroke);
        if seen.span() >= 12.0 {
            let name = format!("Bay {}", number + 1);
            let right = sight.left() - space::S;
            put(painter, pos2(right, middle), Align2::RIGHT_CENTER, &name, bold, palette);
            let words = length(region.height);
            put(painter, pos2(at + 8.0, middle), Align2::LEFT_CENTER, &words, bold, palette);
        }
    }
}

/// A bar of a round length, and the size of the whole.
fn scale(painter: &Painter, scene: &Scene<'_>, frame: &Frame, palette: &Palette) {
    let sight = sight(scene, frame);
    let step = round_step(56.0 / frame.scale);
    let long = (step * frame.scale) as f32;
    let below = if scene.picture.upright { WIDTHS[0] } else { 0.0 };
    let left = sight.left();
    let y = (sight.bottom() + below + SCALE / 2.0 + 2.0).min(frame.full.bottom() - 9.0);
    let bar = Rect::from_min_max(pos2(left, y - 2.0), pos2(left + long, y + 2.0));
    painter.rect_filled(bar, 0.0, palette.surface);
    // Light and dark halves, as on maps.
    painter.rect_filled(bar.with_max_x(bar.center().x), 0.0, palette.weak);
    painter.rect_stroke(bar, 0.0, Stroke::new(1.0, palette.weak), egui::StrokeKind::Inside);
    let unit = scene.picture.unit.map_or("units", Unit::symbol);
    let words = format!("{} {unit}", length(step));
    put(painter, pos2(bar.right() + space::S, y), Align2::LEFT_CENTER, &words, false, palette);
    let whole = format!("Plant {}", sides_in(scene.picture.unit, scene.picture.size));
    if sight.width() > long + 240.0 {
        put(painter, pos2(sight.right(), y), Align2::RIGHT_CENTER, &whole, false, palette);
    }
}
