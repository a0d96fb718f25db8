//! Painting of columns of chips.

use egui::{Align2, Mesh, Painter, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use super::{Chip, Content, Layout};
use gridwright_window::theme::{self, Palette, palette, text};
use gridwright_window::widgets::painting::{fitting, truncated};

/// Chips lower or narrower than this are rectangles without a word.
const LEGIBLE: Vec2 = vec2(34.0, 11.0);

/// Paints what is visible.
pub fn paint(ui: &Ui, content: &Content<'_>, layout: &Layout, hovered: Option<usize>) {
    let palette = palette(ui.visuals());
    // Nothing lies under the titles.
    let body = layout.visible.with_min_y(layout.visible.top() + super::Plan::head(content.groups));
    let painter = &ui.painter().with_clip_rect(body.intersect(ui.clip_rect()));
    let mut plain = Mesh::default();
    let mut outlined: Vec<(Rect, Stroke)> = Vec::new();
    for index in layout.visible_columns() {
        let Some(column) = content.columns.get(index) else { continue };
        if let Some(overlay) = (content.column_overlay)(index) {
            overlay.paint(painter, layout.column_rect(index));
        }
        for row in layout.visible_chips(index) {
            let Some(chip) = column.chips.get(row) else { continue };
            let rect = layout.chip_rect(index, row);
            if rect.width() < LEGIBLE.x || rect.height() < LEGIBLE.y {
                let least = rect.with_max_y(rect.bottom().max(rect.top() + 0.7));
                plain.add_colored_rect(least, chip.fill);
            } else {
                let marked = (content.chip_overlay)(chip.key).is_some_and(|overlay| overlay.icon.is_some());
                legible(painter, chip, rect, marked, palette);
            }
            let stroke = match (content.selected == Some(chip.key), chip.alarm, hovered == Some(chip.key)) {
                (true, ..) => Some(Stroke::new(2.5, palette.accent)),
                (_, true, _) => Some(Stroke::new(2.0, palette.clash)),
                (.., true) => Some(Stroke::new(1.0, palette.text)),
                _ => None,
            };
            outlined.extend(stroke.map(|stroke| (rect, stroke)));
            if let Some(overlay) = (content.chip_overlay)(chip.key) {
                overlay.paint(painter, rect);
            }
        }
    }
    painter.add(Shape::mesh(plain));
    for (rect, stroke) in outlined {
        painter.rect_stroke(rect, radius(rect), stroke, StrokeKind::Outside);
        if stroke.width > 2.0 {
            // A line of the ground between, so that the accent is seen around a chip of its own colour.
            let gap = Stroke::new(1.5, palette.surface);
            painter.rect_stroke(rect, radius(rect), gap, StrokeKind::Inside);
        }
    }
    heads(ui, content, layout, palette);
}

fn radius(rect: Rect) -> f32 {
    (rect.height().min(rect.width()) * 0.25).min(4.0)
}

fn legible(painter: &Painter, chip: &Chip, rect: Rect, marked: bool, palette: &Palette) {
    painter.rect_filled(rect, radius(rect), chip.fill);
    if chip.alarm && rect.height() >= 14.0 {
        // Hatched, so that a clash is one without colours too.
        let hatch = Stroke::new(1.0, palette.surface.gamma_multiply(0.35));
        let inner = painter.with_clip_rect(rect.shrink(1.0).intersect(painter.clip_rect()));
        let mut x = rect.left() - rect.height();
        while x < rect.right() {
            inner.line_segment([pos2(x, rect.bottom()), pos2(x + rect.height(), rect.top())], hatch);
            x += 7.0;
        }
    }
    let size = (rect.height() - 3.0).clamp(8.0, text::SMALL);
    let inset = (rect.width() * 0.06).min(6.0);
    let number = painter.layout_no_wrap(chip.number.clone(), theme::font(size.min(text::TINY)), chip.ink);
    // The mark in the corner has its own place.
    let mark = if marked { 10.0 } else { 0.0 };
    let room = rect.width() - 2.0 * inset - mark;
    // Big chips have their words at the top, as a list would.
    let y = rect.top() + (rect.height() / 2.0).min(12.0);
    let both = room - number.size().x - 6.0;
    let name = truncated(painter, &chip.name, theme::bold_font(size), chip.ink, if both > 26.0 { both } else { room });
    painter.galley(pos2(rect.left() + inset, y - name.size().y / 2.0), name, chip.ink);
    if both > 26.0 {
        let x = rect.right() - inset - mark - number.size().x;
        painter.galley(pos2(x, y - number.size().y / 2.0), number, chip.ink);
    }
}

/// Titles stay at the top while chips are scrolled under them.
fn heads(ui: &Ui, content: &Content<'_>, layout: &Layout, palette: &Palette) {
    let visible = layout.visible;
    let strip = visible.with_max_y(visible.top() + super::Plan::head(content.groups));
    let painter = ui.painter().with_clip_rect(strip.intersect(ui.clip_rect()));
    painter.rect_filled(strip, 0.0, palette.surface);
    for (group, name) in content.groups {
        let (left, last) = (layout.left(group.start), group.end.saturating_sub(1));
        let right = layout.left(last) + layout.column_width();
        if right < visible.left() || left > visible.right() {
            continue;
        }
        let band = Rect::from_min_max(pos2(left, strip.top() + 2.0), pos2(right, strip.top() + 18.0));
        painter.rect_filled(band, 3.0, palette.accent_soft);
        let galley = fitting(&painter, name, theme::bold_font(text::SMALL), palette.text, band.width() - 8.0);
        let x = left.max(visible.left()).min(right - galley.size().x - 8.0) + 4.0;
        painter.galley(pos2(x, band.center().y - galley.size().y / 2.0), galley, palette.text);
    }
    let every = (24.0 / (layout.column_width() + 2.0)).ceil().max(1.0) as usize;
    for index in layout.visible_columns() {
        let rect = layout.head_rect(index);
        if rect.width() >= 34.0 {
            head(&painter, content, index, rect, palette);
        } else if index % every == 0 {
            let at = rect.center_top() + vec2(0.0, 12.0);
            let number = (index + 1).to_string();
            painter.text(at, Align2::CENTER_CENTER, number, theme::font(text::SMALL), palette.weak);
        }
        bar(&painter, content, index, rect, palette);
    }
    ui.painter().hline(strip.x_range(), strip.bottom() - 0.5, Stroke::new(1.0, palette.border));
}

fn head(painter: &Painter, content: &Content<'_>, index: usize, rect: Rect, palette: &Palette) {
    let Some(column) = content.columns.get(index) else { return };
    let (left, room) = (rect.left() + 2.0, rect.width() - 4.0);
    let line = |words: &str, y: f32, bold: bool, size: f32, colour| {
        let font = if bold { theme::bold_font(size) } else { theme::font(size) };
        let galley = truncated(painter, words, font, colour, room);
        painter.galley(pos2(left, rect.top() + y - galley.size().y / 2.0), galley, colour);
    };
    line(&column.title, 10.0, true, text::SMALL, palette.text);
    if !column.subtitle.is_empty() {
        line(&column.subtitle, 25.0, false, text::SMALL, palette.weak);
    }
    let font = theme::font(text::TINY);
    let total_colour = if column.overfull { palette.bad } else { palette.weak };
    let total = painter.layout_no_wrap(column.total.clone(), font.clone(), total_colour);
    let width = total.size().x;
    let count = painter.layout_no_wrap(column.count.clone(), font, palette.weak);
    let y = rect.top() + if column.subtitle.is_empty() { 34.0 } else { 43.0 };
    if count.size().x + width + 8.0 <= room {
        painter.galley(pos2(left, y - count.size().y / 2.0), count, palette.weak);
    }
    painter.galley(pos2(rect.right() - 2.0 - width, y - total.size().y / 2.0), total, total_colour);
}

/// Paints the load of a column.
fn bar(painter: &Painter, content: &Content<'_>, index: usize, rect: Rect, palette: &Palette) {
    let Some(column) = content.columns.get(index) else { return };
    let track = Rect::from_min_max(pos2(rect.left(), rect.bottom() - 11.0), pos2(rect.right(), rect.bottom() - 6.0));
    painter.rect_filled(track, 2.0, palette.blocked);
    let filled = track.with_max_x(track.left() + track.width() * column.load.clamp(0.0, 1.0));
    painter.rect_filled(filled, 2.0, if column.overfull { palette.clash } else { palette.bar });
}
