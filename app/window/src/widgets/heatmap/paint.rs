//! Labels, numbers, lines and marks over the texture of a heat map, and its legend.

use egui::epaint::TextShape;
use egui::{Align2, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};
use gridwright_core::numbers::grouped;

use super::{HEADER, Layout, NOTICED, STEPS, Source, level};
use crate::theme::{self, Palette, palette, space, text};
use crate::widgets::chart;
use crate::widgets::painting::truncated;

/// The selected index, the cell under the cursor, the cell under the pointer.
pub(super) type Attention = (Option<usize>, Option<(usize, usize)>, Option<(usize, usize)>);

/// Labels, numbers where they fit, crosshair, cursor.
pub(super) fn decorate(
    painter: &Painter, source: &dyn Source, layout: &Layout, attention: Attention, palette: &Palette,
) {
    let (selected, cursor, hovered) = attention;
    let inside = painter.with_clip_rect(layout.area);
    let body = layout.grid.body();
    if layout.cell >= 10.0 {
        let thin = Stroke::new(1.0 / layout.pixels, palette.surface);
        for column in layout.grid.across.visible() {
            inside.vline(layout.grid.cell(0, column).left(), body.y_range(), thin);
        }
        for row in layout.grid.down.visible() {
            inside.hline(body.x_range(), layout.grid.cell(row, 0).top(), thin);
        }
    }
    if layout.cell >= 24.0 {
        numbers(&inside, source, layout, palette);
    }
    letters(&inside, source, layout, palette);
    diagonal(&inside, layout, palette);
    inside.rect_stroke(body, 0.0, Stroke::new(1.0, palette.border), StrokeKind::Outside);
    if let Some((row, column)) = hovered {
        let rect = layout.grid.cell(row, column);
        let stroke = Stroke::new(1.0, palette.weak.gamma_multiply(0.6));
        inside.hline(body.x_range(), rect.center().y, stroke);
        inside.vline(rect.center().x, body.y_range(), stroke);
    }
    if let Some(index) = selected.filter(|&index| index < layout.count) {
        let rect = layout.grid.cell(index, index);
        let stroke = Stroke::new(1.5, palette.accent);
        if layout.cell >= 6.0 {
            inside.rect_stroke(Rect::from_x_y_ranges(body.x_range(), rect.y_range()), 0.0, stroke, StrokeKind::Outside);
            inside.rect_stroke(Rect::from_x_y_ranges(rect.x_range(), body.y_range()), 0.0, stroke, StrokeKind::Outside);
        } else {
            inside.hline(body.x_range(), rect.center().y, stroke);
            inside.vline(rect.center().x, body.y_range(), stroke);
        }
    }
    if let Some((row, column)) = cursor {
        let rect = layout.grid.cell(row, column).expand(2.0);
        inside.rect_stroke(rect, 1.0, Stroke::new(2.0, palette.accent), StrokeKind::Outside);
    }
    labels(painter, source, layout, attention, palette);
}

/// Columns of at least this width have their names above them.
const NAMED: f32 = 34.0;

/// Marks where alarms lie that would be too small to be noticed: as large as the smallest thing that is, with a margin of
/// the ground, so that they stand out among dark cells, too.
pub(super) fn alarms(painter: &Painter, places: &[Pos2], palette: &Palette) {
    let mut mesh = egui::Mesh::default();
    for (side, colour) in [(NOTICED + 2.0, palette.surface), (NOTICED, palette.clash)] {
        for &place in places {
            mesh.add_colored_rect(Rect::from_center_size(place, Vec2::splat(side)), colour);
        }
    }
    painter.add(egui::Shape::mesh(mesh));
}

/// An exam against itself says nothing: a thin line.
fn diagonal(painter: &Painter, layout: &Layout, palette: &Palette) {
    let (first, last) = (layout.grid.cell(0, 0).min, layout.grid.cell(layout.count, layout.count).min);
    painter.line_segment([first, last], Stroke::new(1.0, palette.border_strong));
}

fn numbers(painter: &Painter, source: &dyn Source, layout: &Layout, palette: &Palette) {
    let (mut cells, columns, highest) = (Vec::new(), layout.grid.across.visible(), source.highest());
    let mut letters = Vec::new();
    for row in layout.grid.down.visible() {
        cells.clear();
        letters.clear();
        source.cells(row, &mut cells);
        source.letters(row, &mut letters);
        for cell in cells.iter().filter(|cell| columns.contains(&cell.column)) {
            let share = f32::from(level(cell.value, highest) - 1) / f32::from(STEPS - 1);
            let ink = if cell.alarm { palette.on_clash() } else { palette.on_cost(share) };
            // A letter in the corner leaves the rest to the number.
            let aside = letters.iter().any(|(column, _)| *column == cell.column);
            let by = if aside { vec2(-0.12, 0.14) * layout.cell } else { Vec2::ZERO };
            let at = layout.grid.cell(row, cell.column).center() + by;
            let galley = painter.layout_no_wrap(source.text(row, cell), theme::font(text::TINY), ink);
            if galley.size().x <= layout.cell - 2.0 {
                painter.galley(at - galley.size() / 2.0, galley, ink);
            }
        }
    }
}

/// Letters in the corners of cells, each on a background of its own for contrast.
fn letters(painter: &Painter, source: &dyn Source, layout: &Layout, palette: &Palette) {
    if layout.cell < 13.0 {
        return;
    }
    let (mut letters, columns) = (Vec::new(), layout.grid.across.visible());
    for row in layout.grid.down.visible() {
        letters.clear();
        source.letters(row, &mut letters);
        for (column, letter) in letters.iter().filter(|(column, _)| columns.contains(column)) {
            let cell = layout.grid.cell(row, *column);
            let side = (layout.cell * 0.38).clamp(9.0, 14.0);
            let place = Rect::from_min_size(cell.right_top() + vec2(-side, 0.0), Vec2::splat(side));
            painter.rect_filled(place, 0.0, palette.text);
            let font = theme::bold_font((side - 2.0).min(text::TINY));
            painter.text(place.center(), Align2::CENTER_CENTER, letter, font, palette.surface);
        }
    }
}

/// Names of rows at the left, as many as fit; above, those of the columns that are looked at.
fn labels(painter: &Painter, source: &dyn Source, layout: &Layout, attention: Attention, palette: &Palette) {
    let (selected, cursor, hovered) = attention;
    let strip = Rect::from_min_max(
        pos2(layout.full.left(), layout.area.top()),
        pos2(layout.area.left() - 4.0, layout.full.bottom()),
    );
    let painter_left = painter.with_clip_rect(strip);
    let rows = [selected, cursor.map(|c| c.0), hovered.map(|h| h.0)];
    let every = (15.0 / layout.cell).ceil().max(1.0) as usize;
    let place = |index: usize| {
        let y = layout.grid.cell(index, 0).center().y;
        y.clamp(strip.top() + 7.0, (strip.bottom() - 7.0).max(strip.top() + 7.0))
    };
    let put = |index: usize, lone: bool| {
        let y = place(index);
        let (font, colour) = match lone {
            true => (theme::bold_font(text::SMALL), palette.text),
            false => (theme::font(text::SMALL), palette.weak),
        };
        let galley = truncated(&painter_left, source.label(index), font, colour, strip.width() - space::S);
        let x = strip.right() - galley.size().x;
        painter_left.galley(pos2(x, y - galley.size().y / 2.0), galley, colour);
    };
    // One label must not lie on the other: those that are looked at come first.
    let mut taken: Vec<f32> = Vec::new();
    for index in rows.into_iter().flatten().filter(|index| layout.grid.down.visible().contains(index)) {
        taken.push(place(index));
        put(index, true);
    }
    for index in layout.grid.down.visible().step_by(every) {
        let y = place(index);
        if taken.iter().all(|other| (other - y).abs() >= 11.5) {
            taken.push(y);
            put(index, false);
        }
    }
    if layout.area.top() - layout.full.top() > HEADER {
        return upright_heads(painter, source, layout, [selected, cursor.map(|c| c.1), hovered.map(|h| h.1)], palette);
    }
    if layout.cell >= NAMED {
        for index in layout.grid.across.visible() {
            let on = [selected, cursor.map(|c| c.1), hovered.map(|h| h.1)].contains(&Some(index));
            let (font, colour) = match on {
                true => (theme::bold_font(text::TINY), palette.text),
                false => (theme::font(text::TINY), palette.weak),
            };
            let galley = truncated(painter, source.label(index), font, colour, layout.cell - 3.0);
            let at = pos2(layout.grid.cell(0, index).center().x, layout.area.top() - 12.0);
            painter.galley(at - galley.size() / 2.0, galley, colour);
        }
        return;
    }
    let columns = [selected, cursor.map(|c| c.1), hovered.map(|h| h.1)];
    let mut last = f32::NEG_INFINITY;
    let mut columns: Vec<usize> =
        columns.into_iter().flatten().filter(|c| layout.grid.across.visible().contains(c)).collect();
    columns.sort_unstable();
    columns.dedup();
    for index in columns {
        let x = layout.grid.cell(0, index).center().x;
        if x - last > 70.0 {
            let at = pos2(x, layout.area.top() - 12.0);
            painter.text(at, Align2::CENTER_CENTER, source.label(index), theme::bold_font(text::SMALL), palette.text);
            last = x;
        }
    }
}

/// Names of columns from bottom to top, as many as fit; those that are looked at come first.
fn upright_heads(
    painter: &Painter, source: &dyn Source, layout: &Layout, looked_at: [Option<usize>; 3], palette: &Palette,
) {
    let visible = layout.grid.across.visible();
    let every = (13.0 / layout.cell).ceil().max(1.0) as usize;
    let first = looked_at.into_iter().flatten().filter(|index| visible.contains(index)).map(|index| (index, true));
    let mut taken: Vec<f32> = Vec::new();
    for (index, bold) in first.chain(visible.clone().step_by(every).map(|index| (index, false))) {
        let x = layout.grid.cell(0, index).center().x;
        if taken.iter().any(|other| (other - x).abs() < 11.5) {
            continue;
        }
        taken.push(x);
        let (font, colour) = match bold {
            true => (theme::bold_font(text::SMALL), palette.text),
            false => (theme::font(text::SMALL), palette.weak),
        };
        let room = layout.area.top() - layout.full.top() - 8.0;
        let galley = truncated(painter, source.label(index), font, colour, room);
        let corner = pos2(x - galley.size().y / 2.0, layout.area.top() - 4.0);
        painter.add(TextShape::new(corner, galley, colour).with_angle(-std::f32::consts::FRAC_PI_2));
    }
}

/// From one to the highest, and the colour of alarms; from the right, as the layout runs.
pub fn legend(ui: &mut Ui, highest: u32, noun: &str, alarm: &str) {
    let palette = palette(ui.visuals());
    ui.spacing_mut().item_spacing.x = space::XS;
    ui.label(theme::small(alarm).color(palette.weak));
    let (rect, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
    ui.painter().rect_filled(rect, 1.0, palette.clash);
    ui.add_space(space::S);
    ui.label(theme::small(grouped(i64::from(highest))).color(palette.weak));
    let (rect, response) = ui.allocate_exact_size(vec2(96.0, 10.0), Sense::hover());
    chart::ramp(ui.painter(), rect, |share| palette.cost(share));
    let mut tick = 10_u32;
    while tick < highest {
        let x = rect.left() + rect.width() * (tick as f32).ln() / (highest.max(2) as f32).ln();
        ui.painter().vline(x, rect.bottom() - 3.0..=rect.bottom(), Stroke::new(1.0, palette.surface));
        tick = tick.saturating_mul(10);
    }
    response.on_hover_text(format!("{noun}, on a logarithmic scale; ticks at 10, 100, …"));
    ui.label(theme::small(format!("{noun}: 1")).color(palette.weak));
}
