//! Painting of a grid: one mesh for the cells, text and outlines only where they are legible.

use std::sync::Arc;

use egui::{Align2, Galley, Mesh, Painter, Rect, Shape, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use super::layout::Layout;
use super::{Mark, Overlay, Source};
use gridwright_window::theme::{self, Palette, palette, space, text};
use gridwright_window::widgets::painting::{fitting, truncated};

/// Cells, rows and columns that are emphasised.
#[derive(Debug, Clone, Copy)]
pub struct Attention {
    /// The selected row.
    pub selected: Option<usize>,
    /// The cell under the keyboard's cursor.
    pub cursor: Option<(usize, usize)>,
    /// The row under the pointer.
    pub row: Option<usize>,
    /// The column under the pointer.
    pub column: Option<usize>,
}

/// Paints the visible cells, the labels of rows and columns, and the marks of what is selected or hovered.
pub fn paint(ui: &Ui, source: &dyn Source, layout: &Layout, attention: Attention) {
    let palette = palette(ui.visuals());
    let painter = ui.painter().with_clip_rect(layout.full);
    painter.rect_filled(layout.full, 0.0, palette.surface);
    let inside = painter.with_clip_rect(layout.area);
    lines(&inside, source, layout, palette);
    let mut mesh = Mesh::default();
    if layout.row_height() >= 5.0 {
        shade(&mut mesh, source, layout, palette);
        inside.add(Shape::mesh(std::mem::take(&mut mesh)));
    }
    hover_bands(&painter, layout, attention, palette);
    let alarms = cells(&mut mesh, source, layout);
    inside.add(Shape::mesh(mesh));
    for rect in alarms {
        cross(&inside, rect, palette);
    }
    if layout.row_height() >= 15.0 && layout.column_width() >= 26.0 {
        cell_texts(&inside, source, layout);
    }
    let mut overlays: Vec<(usize, usize, Overlay)> = Vec::new();
    source.overlays(layout.visible_rows(), &mut overlays);
    for (row, column, overlay) in &overlays {
        overlay.paint(&inside, layout.inner(*row, *column));
    }
    if let Some(row) = attention.selected.filter(|&row| row < layout.rows()) {
        let top = layout.y(row);
        let extent = if layout.row_height() < 12.0 { layout.area } else { layout.full };
        // The outline of the first row would lie under the head, that of the last one below the picture.
        let (first, last) = (layout.area.top() + 1.5, layout.area.bottom() - 1.5);
        let bottom = layout.y(row + 1).max(top + 3.0);
        let top = if top > layout.area.top() - 1.0 { top.max(first) } else { top };
        let bottom = if bottom < layout.area.bottom() + 1.0 { bottom.min(last) } else { bottom };
        let band = Rect::from_x_y_ranges(extent.x_range(), top..=bottom.max(top + 2.0)).shrink2(vec2(1.0, 0.0));
        let below = Rect::from_min_max(pos2(layout.full.left(), layout.area.top()), layout.full.max);
        let stroke = Stroke::new(1.5, palette.accent);
        painter.with_clip_rect(below).rect_stroke(band, 2.0, stroke, StrokeKind::Outside);
    }
    if let Some((row, column)) = attention.cursor {
        let rect = layout.cell(row, column).expand(1.0);
        inside.rect_stroke(rect, 2.0, Stroke::new(2.5, palette.accent), StrokeKind::Outside);
    }
    header(ui, source, layout, attention.column, palette);
    gutter(ui, source, layout, attention, palette);
}

/// The row and the column under the pointer.
fn hover_bands(painter: &Painter, layout: &Layout, attention: Attention, palette: &Palette) {
    if let Some(row) = attention.row {
        // Bands lower than a line of text would strike through the labels.
        let extent = if layout.row_height() < 12.0 { layout.area } else { layout.full };
        let band = Rect::from_x_y_ranges(extent.x_range(), layout.y(row)..=layout.y(row + 1).max(layout.y(row) + 2.0));
        painter.rect_filled(band, 0.0, palette.accent_soft);
    }
    if let Some(column) = attention.column {
        let band = Rect::from_x_y_ranges(layout.x(column)..=layout.x(column + 1), layout.full.y_range());
        painter.rect_filled(band, 0.0, palette.accent_soft);
    }
}

/// Lines between columns, stronger ones between groups of them, and one under the last row.
fn lines(painter: &Painter, source: &dyn Source, layout: &Layout, palette: &Palette) {
    let thin = 1.0 / layout.pixels;
    let bottom = layout.y(layout.rows()).min(layout.area.bottom());
    let heights = layout.area.top()..=bottom;
    if layout.column_width() >= 6.0 {
        for column in layout.visible_columns() {
            painter.vline(layout.x(column + 1) - thin / 2.0, heights.clone(), Stroke::new(thin, palette.border));
        }
    }
    for (group, _) in source.groups() {
        let stroke = Stroke::new(1.0, palette.border_strong);
        painter.vline(layout.x(group.end) - thin / 2.0, heights.clone(), stroke);
    }
    let right = layout.x(layout.columns()).min(layout.area.right());
    painter.hline(layout.area.left()..=right, bottom, Stroke::new(thin, palette.border));
}

fn shade(mesh: &mut Mesh, source: &dyn Source, layout: &Layout, palette: &Palette) {
    let mut ranges = Vec::new();
    for row in layout.visible_rows() {
        ranges.clear();
        source.shaded(row, &mut ranges);
        for range in &ranges {
            let (first, last) = (layout.cell(row, range.start), layout.inner(row, range.end.saturating_sub(1)));
            mesh.add_colored_rect(Rect::from_min_max(first.min, last.max), palette.blocked);
        }
    }
}

/// Adds the filled cells; returns where alarms are.
fn cells(mesh: &mut Mesh, source: &dyn Source, layout: &Layout) -> Vec<Rect> {
    let mut alarms = Vec::new();
    let mut marks = Vec::new();
    if layout.row_height() * layout.pixels >= 1.0 {
        for row in layout.visible_rows() {
            marks.clear();
            source.marks(row, &mut marks);
            for mark in &marks {
                let rect = layout.inner(row, mark.column);
                let top = rect.bottom() - rect.height() * mark.share.clamp(0.0, 1.0);
                mesh.add_colored_rect(rect.with_min_y(top), mark.colour);
                if mark.alarm {
                    alarms.push(rect);
                }
            }
        }
        return alarms;
    }
    // Several rows to a line of pixels: the heaviest mark of each column is seen.
    let mut heaviest: Vec<Option<Mark>> = vec![None; layout.columns()];
    let mut line = f32::NEG_INFINITY;
    let height = 1.0 / layout.pixels;
    let mut flush = |heaviest: &mut Vec<Option<Mark>>, line: f32| {
        for (column, slot) in heaviest.iter_mut().enumerate() {
            if let Some(mark) = slot.take() {
                let mut rect = layout.inner(0, column);
                (rect.min.y, rect.max.y) = (line, line + height);
                mesh.add_colored_rect(rect, mark.colour);
                if mark.alarm {
                    alarms.push(rect);
                }
            }
        }
    };
    for row in layout.visible_rows() {
        let at = layout.y(row);
        if at != line {
            flush(&mut heaviest, line);
            line = at;
        }
        marks.clear();
        source.marks(row, &mut marks);
        for &mark in &marks {
            let Some(slot) = heaviest.get_mut(mark.column) else { continue };
            if slot.is_none_or(|other| (mark.alarm, mark.weight) > (other.alarm, other.weight)) {
                *slot = Some(mark);
            }
        }
    }
    flush(&mut heaviest, line);
    alarms
}

/// A cross over a cell, or a bar that sticks out where the cell is too small for one.
fn cross(painter: &Painter, rect: Rect, palette: &Palette) {
    if rect.height() < 7.0 {
        let bar = rect.expand2(vec2(2.0, (4.0 - rect.height()).max(0.0) / 2.0));
        painter.rect_filled(bar, 1.0, palette.clash);
        return;
    }
    let side = (rect.height().min(rect.width()) * 0.5).min(12.0);
    let square = Rect::from_center_size(rect.center(), Vec2::splat(side));
    let stroke = Stroke::new(1.8, palette.surface);
    painter.line_segment([square.left_top(), square.right_bottom()], stroke);
    painter.line_segment([square.right_top(), square.left_bottom()], stroke);
    painter.rect_stroke(rect.expand(1.0), 1.0, Stroke::new(1.5, palette.clash), StrokeKind::Outside);
}

fn cell_texts(painter: &Painter, source: &dyn Source, layout: &Layout) {
    let mut marks = Vec::new();
    for row in layout.visible_rows() {
        marks.clear();
        source.marks(row, &mut marks);
        for mark in marks.iter().filter(|mark| !mark.alarm) {
            let rect = layout.inner(row, mark.column);
            let lay = |words| painter.layout_no_wrap(words, theme::font(text::TINY), mark.ink);
            let fits = |galley: &Arc<Galley>| {
                galley.size().x <= rect.width() - 4.0
                    && (galley.rows.len() < 2 || galley.size().y <= rect.height() - 2.0)
            };
            if let Some(galley) = source.cell_texts(row, mark.column).into_iter().map(lay).find(fits) {
                painter.galley(rect.center() - galley.size() / 2.0, galley, mark.ink);
            }
        }
    }
}

fn header(ui: &Ui, source: &dyn Source, layout: &Layout, hovered: Option<usize>, palette: &Palette) {
    let strip =
        Rect::from_min_max(pos2(layout.area.left(), layout.full.top()), pos2(layout.area.right(), layout.area.top()));
    let corner = Rect::from_min_max(layout.full.min, pos2(layout.full.right(), layout.area.top()));
    ui.painter().rect_filled(corner, 0.0, palette.surface);
    let painter = ui.painter().with_clip_rect(strip);
    let (mut top, small) = (strip.top(), theme::font(text::SMALL));
    if !source.groups().is_empty() {
        top += 15.0;
        for (group, name) in source.groups() {
            let (left, right) = (layout.x(group.start), layout.x(group.end));
            painter.vline(right - 0.5, strip.y_range(), Stroke::new(1.0, palette.border_strong));
            let galley = fitting(&painter, name, small.clone(), palette.weak, right - left - 6.0);
            // The name stays in sight while its group is scrolled.
            let at = left.max(strip.left()).min(right - galley.size().x - 6.0) + 4.0;
            painter.galley(pos2(at, strip.top() + 9.0 - galley.size().y / 2.0), galley, palette.weak);
        }
    }
    let widest = source.column_label(layout.columns().saturating_sub(1)).chars().count() as f32 * 6.5 + 8.0;
    let every = (widest / layout.column_width()).ceil().max(1.0) as usize;
    for column in layout.visible_columns() {
        let on = hovered == Some(column);
        if !on && (column % every != 0 || hovered.is_some_and(|at| at.abs_diff(column) < every)) {
            continue;
        }
        let (font, colour) = match on {
            true => (theme::bold_font(text::SMALL), palette.text),
            false => (small.clone(), palette.weak),
        };
        let at = pos2(layout.x(column) + layout.column_width() / 2.0, (top + strip.bottom()) / 2.0);
        painter.text(at, Align2::CENTER_CENTER, source.column_label(column), font, colour);
    }
    ui.painter().hline(layout.full.x_range(), layout.area.top() - 0.5, Stroke::new(1.0, palette.border));
}

fn gutter(ui: &Ui, source: &dyn Source, layout: &Layout, attention: Attention, palette: &Palette) {
    let strip = Rect::from_min_max(
        pos2(layout.full.left(), layout.area.top()),
        pos2(layout.area.left() - 1.0, layout.full.bottom()),
    );
    let painter = ui.painter().with_clip_rect(strip);
    let every = (15.0 / layout.row_height()).ceil().max(1.0) as usize;
    let lone = |row: usize| attention.selected == Some(row) || attention.row == Some(row);
    let near =
        |row: usize| [attention.selected, attention.row].into_iter().flatten().any(|other| other.abs_diff(row) < every);
    let (mut last, mut last_is_lone) = (f32::NEG_INFINITY, false);
    for row in layout.visible_rows() {
        if !lone(row) && (row % every != 0 || near(row)) {
            continue;
        }
        let y = (layout.y(row) + layout.y(row + 1)) / 2.0;
        let y = match layout.row_height() < 14.0 {
            true => y.clamp(strip.top() + 7.0, (strip.bottom() - 7.0).max(strip.top() + 7.0)),
            false => y,
        };
        // One label must not lie on the other, were it the selected row's beside the one under the pointer.
        if y - last < 11.5 && (!lone(row) || last_is_lone) {
            continue;
        }
        (last, last_is_lone) = (y, lone(row));
        let (font, colour) = match lone(row) {
            true => (theme::bold_font(text::SMALL), palette.text),
            false => (theme::font(text::SMALL), if every == 1 { palette.text } else { palette.weak }),
        };
        let colour = if source.row_alarm(row) { palette.bad } else { colour };
        let (code, more) = source.row_label(row);
        let left = strip.left() + space::S;
        let code = truncated(&painter, code, font, colour, strip.width() - 2.0 * space::S);
        let room = strip.right() - space::S - left - code.size().x - space::S;
        let after = left + code.size().x + space::S;
        painter.galley(pos2(left, y - code.size().y / 2.0), code, colour);
        if room > 24.0 && !more.is_empty() {
            let galley = truncated(&painter, more, theme::font(text::SMALL), palette.weak, room);
            painter.galley(pos2(after, y - galley.size().y / 2.0), galley, palette.weak);
        }
    }
    ui.painter().vline(layout.area.left() - 0.5, layout.full.y_range(), Stroke::new(1.0, palette.border));
}
