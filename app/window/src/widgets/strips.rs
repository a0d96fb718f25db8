//! Strips of genes below each other, column by column: every gene has the colour of its value, marked genes stand out.

use egui::{Align2, Color32, Mesh, Painter, Pos2, Rect, ScrollArea, Sense, Shape, Stroke, Ui, pos2, vec2};

use crate::theme::{self, Palette, palette, space, text};
use crate::widgets::canvas::{Canvas, Outcome};
use crate::widgets::nodes::Part;
use crate::widgets::painting::{keys, stepped, truncated};
use crate::widgets::viewport::{Axis, Room, Span};

/// One row of genes.
pub struct Strip<'a> {
    /// Name above the strip, such as «First parent: individual 17».
    pub name: String,
    /// Remark after the name, such as its cost.
    pub remark: String,
    /// Values of the genes.
    pub genes: &'a [u8],
    /// Genes that stand out, ascending; the others are pale. `None`: no gene is pale.
    pub marked: Option<Vec<usize>>,
    /// True if the marked genes have triangles above them, too.
    pub has_ticks: bool,
}

/// Content of the widget.
pub struct Strips<'a> {
    /// The strips, from top to bottom, of equal lengths.
    pub strips: &'a [Strip<'a>],
    /// Colour of a value.
    pub colour: &'a dyn Fn(u8) -> Color32,
    /// Text of a value, where there is room, and its colour.
    pub text: &'a dyn Fn(u8) -> (String, Color32),
    /// Gene before which a line crosses all strips.
    pub cut: Option<usize>,
    /// A gene of a strip in words.
    pub describe: &'a dyn Fn(usize, usize) -> String,
    /// Describes all strips.
    pub summary: &'a str,
}

/// Where a person has zoomed to.
#[derive(Debug, Default, Clone)]
pub struct View {
    across: Axis,
    cursor: Option<usize>,
}

impl View {
    /// Shows everything.
    pub fn fit(&mut self) {
        self.across.fit();
    }

    /// Enlarges by a factor.
    pub fn zoom(&mut self, factor: f32) {
        self.across.zoom(factor);
    }
}

/// Room above a strip for its name.
const HEAD: f32 = 22.0;
/// Room above a strip for its name in low windows.
const LOW_HEAD: f32 = 16.0;
/// Room between the name and the strip for triangles.
const TICKS: f32 = 7.0;
const BETWEEN: f32 = 12.0;
const LOW_BETWEEN: f32 = 3.0;
const TALLEST: f32 = 44.0;
const LOWEST: f32 = 14.0;
/// Pale genes keep this share of their colour.
const PALE: f32 = 0.22;

/// Height in points that so many strips take at most.
pub(crate) fn height(strips: usize) -> f32 {
    strips as f32 * (HEAD + TICKS + TALLEST + BETWEEN) + space::S
}

/// Height in points that so many strips need at least.
fn least(strips: usize) -> f32 {
    strips as f32 * (LOW_HEAD + TICKS + LOWEST + LOW_BETWEEN) + space::S
}

/// Shows strips in all the room there is; where that is too low, they scroll.
pub fn show(ui: &mut Ui, strips: &Strips<'_>, view: &mut View) -> Outcome {
    let (room, least) = (ui.available_size(), least(strips.strips.len()));
    if room.y >= least {
        return fill(ui, strips, view);
    }
    let area = ScrollArea::vertical().id_salt("strips").auto_shrink(false);
    let scrolled = area.show(ui, |ui| {
        ui.set_width(room.x);
        ui.set_height(least);
        fill(ui, strips, view)
    });
    scrolled.inner
}

/// Shows strips in all the room there is.
fn fill(ui: &mut Ui, strips: &Strips<'_>, view: &mut View) -> Outcome {
    let palette = palette(ui.visuals());
    let canvas = Canvas::new(ui, Sense::click_and_drag(), || strips.summary.to_owned());
    let (full, response) = (canvas.full, &canvas.response);
    let columns = strips.strips.iter().map(|strip| strip.genes.len()).max().unwrap_or(0);
    let left = full.left() + space::S;
    let length = (full.width() - 2.0 * space::S).max(16.0);
    let fitted = Room::fitting(length, columns, 26.0);
    let room = Room { start: left, length, count: columns, fitted, largest: 30.0, down: false };
    let across = view.across.navigate(ui, response, room);
    let count = strips.strips.len().max(1) as f32;
    let share = (full.height() - space::S) / count;
    let (head, between) = match share < HEAD + TICKS + BETWEEN + 2.0 * LOWEST {
        true => (LOW_HEAD, LOW_BETWEEN),
        false => (HEAD, BETWEEN),
    };
    let each = (share - head - TICKS - between).clamp(LOWEST, TALLEST);
    let lane = |index: usize| {
        let top = full.top() + space::XS + index as f32 * (head + TICKS + each + between) + head + TICKS;
        Rect::from_min_max(pos2(left, top), pos2(across.end(), top + each))
    };
    let hit = |at: Pos2| {
        let strip = (0..strips.strips.len()).find(|&index| lane(index).y_range().contains(at.y))?;
        Some((strip, across.hit(at.x)?))
    };
    let (hovered, clicked) = canvas.pointed(hit);
    if let Some(cell) = clicked {
        view.cursor = cell.map(|(_, column)| column);
    }
    let pressed = keys(ui, response);
    pressed.zoom_by(ui, |factor| view.zoom(factor));
    if let Some(column) = stepped(view.cursor, pressed.right, columns) {
        view.across.reveal(column);
        view.cursor = Some(column);
    }
    let painter = canvas.painter(ui);
    for (index, strip) in strips.strips.iter().enumerate() {
        paint(&painter, (strips, strip), (lane(index), head), &across, palette);
    }
    let bottom = lane(strips.strips.len().saturating_sub(1)).bottom();
    if let Some(cut) = strips.cut {
        let (x, range) = (across.at(cut), lane(0).top() - TICKS..=bottom + 4.0);
        painter.extend(Shape::dashed_line(
            &[pos2(x, *range.start()), pos2(x, *range.end())],
            Stroke::new(2.0, palette.text),
            5.0,
            3.0,
        ));
    }
    let column = hovered.map(|(_, column)| column).or(view.cursor.filter(|_| response.has_focus()));
    if let Some(column) = column.filter(|column| across.visible().contains(column)) {
        let lines = lane(0).top() - 2.0..=bottom + 2.0;
        let rect = Rect::from_x_y_ranges(across.at(column)..=across.at(column + 1).max(across.at(column) + 3.0), lines);
        painter.rect_stroke(rect, 0.0, Stroke::new(1.0, palette.accent), egui::StrokeKind::Outside);
    }
    let words = || {
        let cursor = view.cursor?;
        let lines = (0..strips.strips.len()).map(|strip| (strips.describe)(strip, cursor));
        Some(lines.collect::<Vec<_>>().join("; "))
    };
    let part = |(index, strip): (usize, &Strip<'_>)| Part {
        key: index as u64,
        rect: lane(index),
        name: format!("{} {}", strip.name, strip.remark),
        selected: false,
    };
    canvas.finish(ui, words, || strips.strips.iter().enumerate().map(part).collect());
    if let Some((strip, column)) = hovered {
        canvas.tooltip((strips.describe)(strip, column));
    }
    Outcome { response: canvas.response, hovered: hovered.map(|(strip, _)| strip), picked: None }
}

fn paint(
    painter: &Painter, (strips, strip): (&Strips<'_>, &Strip<'_>), (lane, head): (Rect, f32), across: &Span,
    palette: &Palette,
) {
    let y = lane.top() - TICKS - head / 2.0;
    let room = painter.clip_rect().right() - lane.left() - space::S;
    let name = truncated(painter, strip.name.clone(), theme::bold_font(text::BODY), palette.text, room);
    let after = lane.left() + name.size().x + space::S;
    painter.galley(pos2(lane.left(), y - name.size().y / 2.0), name, palette.text);
    let font = theme::font(text::SMALL);
    let remark = truncated(painter, strip.remark.clone(), font, palette.weak, painter.clip_rect().right() - after);
    painter.galley(pos2(after, y - remark.size().y / 2.0), remark, palette.weak);
    let inside = painter.with_clip_rect(lane.expand2(vec2(1.0, TICKS)).intersect(painter.clip_rect()));
    let is_marked = |gene: usize| strip.marked.as_ref().is_none_or(|marked| marked.binary_search(&gene).is_ok());
    let gap = if across.item >= 5.0 { 1.0 } else { 0.0 };
    let mut mesh = Mesh::default();
    // Marked genes come last, so that none is lost among pale ones that share its pixel.
    for marked in [false, true] {
        for gene in across.visible().filter(|&gene| is_marked(gene) == marked) {
            let Some(&value) = strip.genes.get(gene) else { continue };
            let colour = (strips.colour)(value);
            let colour = if marked { colour } else { palette.surface.lerp_to_gamma(colour, PALE) };
            let least = if marked && strip.has_ticks { 2.0 } else { 0.0 };
            let right = (across.at(gene + 1) - gap).max(across.at(gene) + least);
            mesh.add_colored_rect(Rect::from_x_y_ranges(across.at(gene)..=right, lane.y_range()), colour);
        }
    }
    inside.add(Shape::mesh(mesh));
    if across.item >= 16.0 && lane.height() >= 13.0 {
        for gene in across.visible() {
            let Some(&value) = strip.genes.get(gene) else { continue };
            let (words, ink) = (strips.text)(value);
            let ink = if is_marked(gene) { ink } else { palette.weak };
            let at = pos2(across.middle(gene) - gap / 2.0, lane.center().y);
            inside.text(at, Align2::CENTER_CENTER, words, theme::font(text::TINY), ink);
        }
    }
    let ticks = strip.marked.iter().flatten().filter(|_| strip.has_ticks);
    for &gene in ticks.filter(|&&gene| across.visible().contains(&gene)) {
        let (x, y) = (across.middle(gene) - gap / 2.0, lane.top() - 1.5);
        let corners = vec![pos2(x - 3.0, y - 5.0), pos2(x + 3.0, y - 5.0), pos2(x, y)];
        inside.add(Shape::convex_polygon(corners, palette.text, Stroke::NONE));
    }
}
