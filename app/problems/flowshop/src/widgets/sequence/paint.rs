//! Painting of chips.

use egui::{Align2, Area, Frame, Id, Label, Order, Painter, Pos2, Rect, Stroke, StrokeKind, Ui, vec2};

use super::layout::HEIGHT;
use super::{Layout, Source};
use gridwright_window::theme::{self, Palette, space, text};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::painting::truncated;

#[derive(Debug, Clone, Copy)]
pub(super) struct Attention {
    pub selected: Option<usize>,
    pub hovered: Option<usize>,
    pub held: Option<usize>,
}

const RADIUS: f32 = 5.0;
const STRIP: f32 = 5.0;

/// Room for the number of the last position.
fn number_width(source: &dyn Source) -> f32 {
    source.count().to_string().len() as f32 * 5.8 + space::XS
}

/// Wide enough for a number, the longest name and a mark, within reason.
pub(super) fn chip_width(ui: &Ui, source: &dyn Source) -> f32 {
    let laid =
        |words: &str| ui.painter().layout_no_wrap(words.to_owned(), theme::font(text::SMALL), Default::default());
    let name = laid(source.longest()).size().x.clamp(18.0, 96.0);
    let mark = 34.0;
    (STRIP + number_width(source) + name + mark + 3.0 * space::S).ceil()
}

pub(super) fn paint(painter: &Painter, source: &dyn Source, layout: &Layout, attention: Attention, palette: &Palette) {
    if source.count() == 0 {
        let at = layout.visible().center();
        let font = theme::font(text::BODY);
        painter.text(at, Align2::CENTER_CENTER, "Nothing is in order yet", font, palette.weak);
        return;
    }
    for position in layout.visible_chips() {
        let rect = layout.chip(position);
        let held = attention.held == Some(position);
        let hovered = attention.hovered == Some(position);
        chip(painter, source, position, rect, (if held { 0.35 } else { 1.0 }, hovered), palette);
        if attention.selected == Some(position) {
            painter.rect_stroke(rect, RADIUS, Stroke::new(2.0, palette.accent), StrokeKind::Outside);
        }
    }
}

/// Paints a chip: strip of colour, position, name, mark; `look` is its opacity, and `true` under the pointer.
fn chip(painter: &Painter, source: &dyn Source, position: usize, rect: Rect, look: (f32, bool), palette: &Palette) {
    let (strength, hovered) = look;
    let chip = source.chip(position);
    let tone = |colour: egui::Color32| colour.gamma_multiply(strength);
    painter.rect_filled(rect, RADIUS, tone(if hovered { palette.raised_hover } else { palette.raised }));
    let border = if hovered { palette.faint } else { palette.border_strong };
    painter.rect_stroke(rect, RADIUS, Stroke::new(1.0, tone(border)), StrokeKind::Inside);
    if let Some(colour) = chip.colour {
        let strip = rect.with_max_x(rect.left() + STRIP);
        let corners = egui::CornerRadius { nw: RADIUS as u8, sw: RADIUS as u8, ne: 0, se: 0 };
        painter.rect_filled(strip, corners, tone(colour));
    }
    let middle = rect.center().y;
    let number = rect.left() + STRIP + space::XS + number_width(source);
    let at = egui::pos2(number - space::XS, middle);
    painter.text(at, Align2::RIGHT_CENTER, (position + 1).to_string(), theme::font(text::TINY), tone(palette.weak));
    let mut right = rect.right() - space::S;
    if chip.goes_to.is_some() {
        painter.rect_stroke(rect, RADIUS, Stroke::new(1.5, tone(palette.accent)), StrokeKind::Inside);
    }
    let follows = chip.goes_to.map(|position| (format!("→ {position}"), palette.accent));
    if let Some((mark, colour)) = follows.or(chip.mark.map(|mark| (mark, palette.bad))) {
        let galley = painter.layout_no_wrap(mark, theme::bold_font(text::TINY), tone(colour));
        right -= galley.size().x;
        painter.galley(egui::pos2(right, middle - galley.size().y / 2.0), galley, colour);
        right -= space::XS;
    }
    if chip.is_pinned {
        let pin = Rect::from_center_size(egui::pos2(right - 5.0, middle), vec2(10.0, 10.0));
        Icon::Pin.paint(painter, pin, tone(palette.accent));
        right = pin.left() - space::XS;
    }
    let left = number + space::XS / 2.0;
    let name = truncated(painter, chip.name, theme::font(text::SMALL), tone(palette.text), right - left);
    painter.galley(egui::pos2(left, middle - name.size().y / 2.0), name, palette.text);
}

/// Where what is carried would go.
pub(super) fn marker(painter: &Painter, layout: &Layout, gap: (usize, Pos2), palette: &Palette) {
    let rect = layout.marker(gap.0, Some(gap.1));
    painter.rect_filled(rect, 1.5, palette.accent);
    for end in [rect.center_top(), rect.center_bottom()] {
        painter.circle_filled(end, 3.0, palette.accent);
    }
}

/// Paints the chip under the pointer and returns its rectangle.
pub(super) fn carried(
    painter: &Painter, source: &dyn Source, layout: &Layout, at: (usize, Pos2), palette: &Palette,
) -> Rect {
    let (position, pointer) = at;
    let rect = Rect::from_center_size(pointer, layout.chip(position).size());
    // Beside the pointer, so that the marker is seen.
    let rect = rect.translate(vec2(rect.width() / 2.0 + 10.0, HEIGHT * 0.8));
    chip(painter, source, position, rect, (1.0, true), palette);
    painter.rect_stroke(rect, RADIUS, Stroke::new(2.0, palette.accent), StrokeKind::Outside);
    rect
}

/// Shows the effects of a move below the chip that is carried.
pub(super) fn preview(ui: &Ui, id: Id, lines: &[String], carried: Rect) {
    if lines.is_empty() {
        return;
    }
    let palette = theme::palette(ui.visuals());
    let area = Area::new(id).order(Order::Tooltip).interactable(false).fixed_pos(carried.left_bottom());
    area.show(ui.ctx(), |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            for (at, line) in lines.iter().enumerate() {
                let words = if at == 0 { theme::bold(line).size(text::SMALL) } else { theme::small(line) };
                let colour = if at == 0 { palette.text } else { palette.weak };
                ui.add(Label::new(words.color(colour)).extend().selectable(false));
            }
        });
    });
}
