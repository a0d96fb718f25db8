//! Bit strings below each other, with a highlighted segment and a marked bit.

use egui::{
    Align2, Color32, Mesh, Painter, Rect, Response, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use gridwright_window::theme::{self, Palette, palette, text};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::painting::truncated;

/// A string of bits.
pub(crate) struct Strip<'a> {
    pub name: &'a str,
    /// Remark at the right.
    pub value: String,
    /// A sign before that, and its colour.
    pub sign: Option<(Icon, Color32)>,
    pub bits: &'a [bool],
    /// The colour of ones.
    pub(crate) ink: Color32,
}

/// Content of the widget.
pub(crate) struct Strips<'a> {
    /// The strings, all of one length.
    pub(crate) strips: &'a [Strip<'a>],
    /// The first and the last bit of a segment.
    pub segment: Option<(usize, usize)>,
    /// A bit that is marked.
    pub marked: Option<usize>,
    /// A bit by its name.
    pub name: &'a dyn Fn(usize) -> String,
    /// Describes all strips.
    pub summary: &'a str,
}

const LABEL: f32 = 19.0;
const BAR: f32 = 13.0;
const BETWEEN: f32 = 5.0;
/// Room above for the mark, below for the bracket.
const MARK: f32 = 9.0;
const BRACKET: f32 = 8.0;

/// Shows the strips over the whole width.
pub fn show(ui: &mut Ui, strips: &Strips<'_>) -> Response {
    let palette = palette(ui.visuals());
    let each = LABEL + BAR + BETWEEN;
    let height = MARK + each * strips.strips.len() as f32 + BRACKET;
    let (full, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, summary(strips)));
    let count = strips.strips.iter().map(|strip| strip.bits.len()).max().unwrap_or(0).max(1);
    let item = full.width() / count as f32;
    let painter = ui.painter();
    for (index, strip) in strips.strips.iter().enumerate() {
        let top = full.top() + MARK + index as f32 * each;
        label(painter, strip, Rect::from_x_y_ranges(full.x_range(), top..=top + LABEL), palette);
        let bar = Rect::from_x_y_ranges(full.x_range(), top + LABEL..=top + LABEL + BAR);
        bits(painter, strip, bar, item, palette);
    }
    let x = |bit: usize| full.left() + bit as f32 * item;
    let (top, bottom) = (full.top() + MARK + LABEL - 2.0, full.bottom() - BRACKET);
    if let Some((first, last)) = strips.segment {
        let (left, right) = (x(first), x(last + 1));
        let stroke = Stroke::new(1.5, palette.accent);
        painter.add(Shape::line(
            vec![
                pos2(left, bottom - 1.0),
                pos2(left, bottom + 3.0),
                pos2(right, bottom + 3.0),
                pos2(right, bottom - 1.0),
            ],
            stroke,
        ));
        for x in [left, right] {
            painter.vline(x, top..=bottom, Stroke::new(1.0, palette.accent.gamma_multiply(0.6)));
        }
    }
    if let Some(bit) = strips.marked {
        let at = pos2(x(bit) + item / 2.0, top);
        painter.vline(at.x, top..=bottom - 2.0, Stroke::new(1.5, palette.warn));
        let flag = vec![at, at + vec2(-4.0, -7.0), at + vec2(4.0, -7.0)];
        painter.add(Shape::convex_polygon(flag, palette.warn, Stroke::NONE));
    }
    if let Some(position) = response.hover_pos() {
        let bit = (((position.x - full.left()) / item) as usize).min(count - 1);
        let values = strips.strips.iter().map(|strip| {
            let value = strip.bits.get(bit).map_or("–", |one| if *one { "1" } else { "0" });
            format!("{}: {value}", strip.name)
        });
        let values: Vec<String> = values.collect();
        return response.on_hover_text_at_pointer(format!("{}\n{}", (strips.name)(bit), values.join("\n")));
    }
    response
}

fn label(painter: &Painter, strip: &Strip<'_>, area: Rect, palette: &Palette) {
    let font = theme::font(text::SMALL);
    let value = painter.layout_no_wrap(strip.value.clone(), theme::bold_font(text::SMALL), palette.text);
    let mut left = area.right() - value.size().x;
    painter.galley(pos2(left, area.center().y - value.size().y / 2.0), value, palette.text);
    if let Some((icon, colour)) = strip.sign {
        left -= 15.0;
        icon.paint(painter, Rect::from_min_size(pos2(left, area.center().y - 5.0), vec2(10.0, 10.0)), colour);
    }
    let name = truncated(painter, strip.name, font, palette.weak, left - area.left() - 8.0);
    painter.galley(pos2(area.left(), area.center().y - name.size().y / 2.0), name, palette.weak);
}

/// Ones as bars; bits that share a pixel become a shade.
fn bits(painter: &Painter, strip: &Strip<'_>, area: Rect, item: f32, palette: &Palette) {
    painter.rect_filled(area, 0.0, palette.blocked);
    let mut mesh = Mesh::default();
    if item >= 1.0 {
        let gap = if item >= 4.0 { 1.0 } else { 0.0 };
        for (bit, _) in strip.bits.iter().enumerate().filter(|(_, one)| **one) {
            let left = area.left() + bit as f32 * item;
            mesh.add_colored_rect(Rect::from_x_y_ranges(left..=left + item - gap, area.y_range()), strip.ink);
        }
    } else {
        let columns = (area.width() as usize).max(1);
        let mut shares = vec![(0_u32, 0_u32); columns];
        for (bit, &one) in strip.bits.iter().enumerate() {
            let at = &mut shares[((bit as f32 * item) as usize).min(columns - 1)];
            *at = (at.0 + u32::from(one), at.1 + 1);
        }
        for (column, (ones, of)) in shares.into_iter().enumerate().filter(|(_, (ones, _))| *ones > 0) {
            let left = area.left() + column as f32;
            let ink = palette.blocked.lerp_to_gamma(strip.ink, ones as f32 / of as f32);
            mesh.add_colored_rect(Rect::from_x_y_ranges(left..=left + 1.0, area.y_range()), ink);
        }
    }
    painter.add(Shape::mesh(mesh));
    painter.rect_stroke(area, 0.0, Stroke::new(1.0, palette.border), StrokeKind::Outside);
    if strip.bits.is_empty() {
        painter.text(area.center(), Align2::CENTER_CENTER, "–", theme::font(text::TINY), palette.weak);
    }
}

/// «Cell 3, 20: parent 5 600, child 5 676».
fn summary(strips: &Strips<'_>) -> String {
    let each: Vec<String> = strips.strips.iter().map(|strip| format!("{} {}", strip.name, strip.value)).collect();
    format!("{}: {}", strips.summary, each.join(", "))
}
