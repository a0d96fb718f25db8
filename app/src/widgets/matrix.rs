//! A large grid of rows and columns: one mesh, only what is visible, zoomed by the wheel, dragged by the pointer.
//!
//! Rows lower than a pixel share one: the heaviest mark is seen, an alarm always.

use std::ops::Range;

use egui::emath::GuiRounding;
use egui::{
    Align2, Color32, Key, Mesh, Modifiers, Pos2, Rect, Response, Sense, Shape, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};

use crate::theme::{self, Palette, palette, space, text};

/// A filled cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// Its column.
    pub column: usize,
    /// Inside.
    pub colour: Color32,
    /// Text on it.
    pub ink: Color32,
    /// Which of several marks in one pixel is seen: the heaviest.
    pub weight: f32,
    /// Something is wrong here: seen before everything else, crossed out.
    pub alarm: bool,
}

/// What a grid shows.
pub trait Source {
    /// Number of rows.
    fn rows(&self) -> usize;
    /// Number of columns.
    fn columns(&self) -> usize;
    /// The filled cells of a row, added to `marks`.
    fn marks(&self, row: usize, marks: &mut Vec<Mark>);
    /// The shaded stretches of columns of a row, added to `ranges`.
    fn shaded(&self, row: usize, ranges: &mut Vec<Range<usize>>);
    /// What stands before a row: a short name and more where there is room.
    fn row_label(&self, row: usize) -> (String, String);
    /// Whether something is wrong with a row that no mark can show, such as that it has none.
    fn row_alarm(&self, row: usize) -> bool;
    /// Whether rows have more to say than their names.
    fn is_detailed(&self) -> bool;
    /// What stands above a column, short.
    fn column_label(&self, column: usize) -> String;
    /// What stands in a filled cell where there is room.
    fn cell_text(&self, row: usize, column: usize) -> String;
    /// What it shows, in words.
    fn summary(&self) -> String;
}

/// Where a person has zoomed and dragged to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// Height of a row; `None`: all rows fit.
    row_height: Option<f32>,
    /// What lies left of and above the visible part.
    offset: Vec2,
    /// Bring this row into view.
    reveal: Option<usize>,
}

impl View {
    /// Shows everything.
    pub fn fit(&mut self) {
        *self = Self::default();
    }

    /// Whether everything is shown.
    pub fn is_fitted(&self) -> bool {
        self.row_height.is_none()
    }

    /// Height of a row in points; `None`: all rows fit.
    pub fn row_height(&self) -> Option<f32> {
        self.row_height
    }

    /// Sets the height of rows; what is too small or too large for the room is adjusted when it is painted.
    pub fn set_row_height(&mut self, height: Option<f32>) {
        self.row_height = height.filter(|height| height.is_finite() && *height > 0.0);
    }

    /// Brings a row into view.
    pub fn reveal(&mut self, row: usize) {
        self.reveal = Some(row);
    }

    /// Enlarges by a factor around the middle.
    pub fn zoom(&mut self, factor: f32) {
        self.row_height = Some(self.row_height.unwrap_or(0.0).max(0.5) * factor);
    }
}

/// What a person did with a grid.
pub struct Outcome {
    /// The whole of it.
    pub response: Response,
    /// The row and column under the pointer.
    pub hovered: Option<(usize, usize)>,
    /// The row that was clicked, `None` for a click beside all rows.
    pub clicked: Option<Option<usize>>,
    /// The row to select next, by arrow keys.
    pub stepped: Option<usize>,
}

/// Room for row labels: names alone, or names and details.
const GUTTER: [f32; 2] = [76.0, 172.0];
const HEADER: f32 = 28.0;
const TALLEST: f32 = 34.0;
/// A fitted grid does not stretch rows further than this.
const FITTED: f32 = 26.0;
const WIDEST: f32 = 120.0;

struct Layout {
    full: Rect,
    area: Rect,
    row: f32,
    column: f32,
    rows: usize,
    columns: usize,
    offset: Vec2,
    pixels: f32,
}

impl Layout {
    fn x(&self, column: usize) -> f32 {
        (self.area.left() - self.offset.x + column as f32 * self.column).round_to_pixels(self.pixels)
    }

    fn y(&self, row: usize) -> f32 {
        (self.area.top() - self.offset.y + row as f32 * self.row).round_to_pixels(self.pixels)
    }

    fn visible_rows(&self) -> Range<usize> {
        visible(self.offset.y, self.area.height(), self.row, self.rows)
    }

    fn visible_columns(&self) -> Range<usize> {
        visible(self.offset.x, self.area.width(), self.column, self.columns)
    }

    fn cell(&self, row: usize, column: usize) -> Rect {
        Rect::from_min_max(pos2(self.x(column), self.y(row)), pos2(self.x(column + 1), self.y(row + 1)))
    }

    /// The cell without the gap to its neighbours.
    fn inner(&self, row: usize, column: usize) -> Rect {
        let mut rect = self.cell(row, column);
        let gap = 1.0 / self.pixels;
        if rect.width() > 3.0 {
            rect.max.x -= gap;
        }
        if rect.height() > 3.0 {
            rect.max.y -= gap;
        }
        rect
    }

    fn hit(&self, position: Pos2) -> (Option<usize>, Option<usize>) {
        let inside = self.full.contains(position) && position.y >= self.area.top();
        let at = position - self.area.min + self.offset;
        let row = (inside && at.y >= 0.0).then_some((at.y / self.row) as usize).filter(|&row| row < self.rows);
        let column = (at.x >= 0.0 && position.x >= self.area.left()).then_some((at.x / self.column) as usize);
        (row, column.filter(|&column| column < self.columns))
    }
}

fn visible(offset: f32, extent: f32, step: f32, count: usize) -> Range<usize> {
    let first = (offset / step).floor().max(0.0) as usize;
    let last = ((offset + extent) / step).ceil().max(0.0) as usize;
    first.min(count)..last.min(count)
}

/// Shows a grid in all the room there is.
pub fn show(ui: &mut Ui, source: &dyn Source, view: &mut View, selected: Option<usize>) -> Outcome {
    let full = ui.available_rect_before_wrap().round_to_pixels(ui.pixels_per_point());
    let response = ui.allocate_rect(full, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::GridCell, true, source.summary()));
    let layout = navigate(ui, &response, source, view);
    let hovered = response.hover_pos().map(|position| layout.hit(position));
    let mut outcome = Outcome { response, hovered: None, clicked: None, stepped: None };
    if let Some((Some(row), Some(column))) = hovered {
        outcome.hovered = Some((row, column));
    }
    // A click by the keyboard has no place.
    if let Some(position) = outcome.response.interact_pointer_pos().filter(|_| outcome.response.clicked()) {
        outcome.response.request_focus();
        outcome.clicked = Some(layout.hit(position).0);
    }
    if outcome.response.has_focus() {
        outcome.stepped = step(ui, &layout, view, selected);
    }
    paint(ui, source, &layout, selected, hovered.and_then(|(row, _)| row), outcome.hovered.map(|(_, column)| column));
    if outcome.response.has_focus() {
        let stroke = Stroke::new(1.0, palette(ui.visuals()).accent);
        ui.painter().rect_stroke(full, 2.0, stroke, StrokeKind::Inside);
    }
    outcome
}

/// Zoom around the pointer, drag, and keep the picture inside.
fn navigate(ui: &Ui, response: &Response, source: &dyn Source, view: &mut View) -> Layout {
    let full = response.rect;
    let margin = vec2(GUTTER[usize::from(source.is_detailed())], HEADER);
    let area = Rect::from_min_max(full.min + margin, full.max.max(full.min + margin + Vec2::splat(8.0)));
    let (rows, columns) = (source.rows().max(1), source.columns().max(1));
    let fitted_row = (area.height() / rows as f32).min(FITTED);
    let fitted_column = (area.width() / columns as f32).min(WIDEST);
    let column_of = |row: f32| fitted_column.max(row.min(24.0));
    let mut row = view.row_height.unwrap_or(fitted_row).clamp(fitted_row, TALLEST.max(fitted_row));
    if let Some(position) = response.hover_pos() {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
        let factor = (scroll.y / 240.0).exp() * pinch;
        if factor != 1.0 {
            let zoomed = (row * factor).clamp(fitted_row, TALLEST.max(fitted_row));
            let at = position - area.min;
            let scale = vec2(column_of(zoomed) / column_of(row), zoomed / row);
            view.offset = (view.offset + at) * scale - at;
            row = zoomed;
            view.row_height = (row > fitted_row * 1.001).then_some(row);
        }
        view.offset.x -= scroll.x;
    }
    if response.dragged() {
        view.offset -= response.drag_delta();
    }
    if response.double_clicked() {
        view.fit();
        row = fitted_row;
    }
    let column = column_of(row);
    if let Some(reveal) = view.reveal.take() {
        let top = reveal as f32 * row;
        if top < view.offset.y || top + row > view.offset.y + area.height() {
            view.offset.y = top - area.height() / 2.0;
        }
    }
    let size = vec2(columns as f32 * column, rows as f32 * row);
    view.offset = view.offset.min(size - area.size()).max(Vec2::ZERO);
    Layout {
        full,
        area,
        row,
        column,
        rows: source.rows(),
        columns: source.columns(),
        offset: view.offset,
        pixels: ui.pixels_per_point(),
    }
}

fn step(ui: &Ui, layout: &Layout, view: &mut View, selected: Option<usize>) -> Option<usize> {
    ui.memory_mut(|memory| {
        let filter = egui::EventFilter { vertical_arrows: true, ..Default::default() };
        if let Some(focused) = memory.focused() {
            memory.set_focus_lock_filter(focused, filter);
        }
    });
    let (by, zoom) = ui.input_mut(|input| {
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        let by = match (pressed(Key::ArrowDown), pressed(Key::ArrowUp)) {
            (true, _) => 1,
            (_, true) => -1,
            _ => match (pressed(Key::PageDown), pressed(Key::PageUp)) {
                (true, _) => 20,
                (_, true) => -20,
                _ => 0,
            },
        };
        let zoom = match (pressed(Key::Plus) || pressed(Key::Equals), pressed(Key::Minus)) {
            (true, _) => 1.25,
            (_, true) => 0.8,
            _ => 1.0,
        };
        (by, zoom)
    });
    if zoom != 1.0 {
        view.row_height = Some(layout.row * zoom);
        ui.ctx().request_repaint();
    }
    if by == 0 || layout.rows == 0 {
        return None;
    }
    let next = match selected {
        Some(row) => row.saturating_add_signed(by).min(layout.rows - 1),
        None => 0,
    };
    view.reveal(next);
    Some(next)
}

fn paint(
    ui: &Ui,
    source: &dyn Source,
    layout: &Layout,
    selected: Option<usize>,
    hovered_row: Option<usize>,
    hovered_column: Option<usize>,
) {
    let palette = palette(ui.visuals());
    let painter = ui.painter().with_clip_rect(layout.full);
    painter.rect_filled(layout.full, 0.0, palette.surface);
    let inside = painter.with_clip_rect(layout.area);
    lines(&inside, layout, palette);
    let mut mesh = Mesh::default();
    if layout.row >= 5.0 {
        shade(&mut mesh, source, layout, palette);
        inside.add(Shape::mesh(std::mem::take(&mut mesh)));
    }
    if let Some(row) = hovered_row {
        // Bands lower than a line of text would strike through the labels.
        let extent = if layout.row < 12.0 { layout.area } else { layout.full };
        let band = Rect::from_x_y_ranges(extent.x_range(), layout.y(row)..=layout.y(row + 1).max(layout.y(row) + 2.0));
        painter.rect_filled(band, 0.0, palette.accent_soft);
    }
    if let Some(column) = hovered_column {
        let band = Rect::from_x_y_ranges(layout.x(column)..=layout.x(column + 1), layout.full.y_range());
        painter.rect_filled(band, 0.0, palette.accent_soft);
    }
    let alarms = cells(&mut mesh, source, layout);
    inside.add(Shape::mesh(mesh));
    for rect in alarms {
        cross(&inside, rect, palette);
    }
    if layout.row >= 15.0 && layout.column >= 26.0 {
        cell_texts(&inside, source, layout);
    }
    if let Some(row) = selected.filter(|&row| row < layout.rows) {
        let top = layout.y(row);
        let extent = if layout.row < 12.0 { layout.area } else { layout.full };
        let band =
            Rect::from_x_y_ranges(extent.x_range(), top..=layout.y(row + 1).max(top + 3.0)).shrink2(vec2(1.0, 0.0));
        let clipped =
            painter.with_clip_rect(Rect::from_min_max(pos2(layout.full.left(), layout.area.top()), layout.full.max));
        clipped.rect_stroke(band, 2.0, Stroke::new(1.5, palette.accent), StrokeKind::Outside);
    }
    header(ui, source, layout, hovered_column, palette);
    gutter(ui, source, layout, selected, hovered_row, palette);
}

/// Lines between columns, and between rows that are high enough.
fn lines(painter: &egui::Painter, layout: &Layout, palette: &Palette) {
    let stroke = Stroke::new(1.0 / layout.pixels, palette.border);
    let bottom = layout.y(layout.rows).min(layout.area.bottom());
    if layout.column >= 6.0 {
        for column in layout.visible_columns() {
            painter.vline(layout.x(column + 1) - 0.5 / layout.pixels, layout.area.top()..=bottom, stroke);
        }
    }
    let right = layout.x(layout.columns).min(layout.area.right());
    painter.hline(layout.area.left()..=right, bottom, stroke);
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
    if layout.row * layout.pixels >= 1.0 {
        for row in layout.visible_rows() {
            marks.clear();
            source.marks(row, &mut marks);
            for mark in &marks {
                let rect = layout.inner(row, mark.column);
                mesh.add_colored_rect(rect, mark.colour);
                if mark.alarm {
                    alarms.push(rect);
                }
            }
        }
        return alarms;
    }
    // Several rows to a line of pixels: the heaviest mark of each column is seen.
    let mut heaviest: Vec<Option<Mark>> = vec![None; layout.columns];
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
fn cross(painter: &egui::Painter, rect: Rect, palette: &Palette) {
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

fn cell_texts(painter: &egui::Painter, source: &dyn Source, layout: &Layout) {
    let mut marks = Vec::new();
    for row in layout.visible_rows() {
        marks.clear();
        source.marks(row, &mut marks);
        for mark in marks.iter().filter(|mark| !mark.alarm) {
            let rect = layout.inner(row, mark.column);
            let galley = painter.layout_no_wrap(source.cell_text(row, mark.column), theme::font(text::TINY), mark.ink);
            if galley.size().x <= rect.width() - 4.0 {
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
    let widest = source.column_label(layout.columns.saturating_sub(1)).chars().count() as f32 * 6.5 + 8.0;
    let every = (widest / layout.column).ceil().max(1.0) as usize;
    for column in layout.visible_columns() {
        let on = hovered == Some(column);
        if !on && (column % every != 0 || hovered.is_some_and(|at| at.abs_diff(column) < every)) {
            continue;
        }
        let (font, colour) = match on {
            true => (theme::bold_font(text::SMALL), palette.text),
            false => (theme::font(text::SMALL), palette.weak),
        };
        let at = pos2(layout.x(column) + layout.column / 2.0, strip.center().y);
        painter.text(at, Align2::CENTER_CENTER, source.column_label(column), font, colour);
    }
    ui.painter().hline(layout.full.x_range(), layout.area.top() - 0.5, Stroke::new(1.0, palette.border));
}

fn gutter(
    ui: &Ui,
    source: &dyn Source,
    layout: &Layout,
    selected: Option<usize>,
    hovered: Option<usize>,
    palette: &Palette,
) {
    let strip = Rect::from_min_max(
        pos2(layout.full.left(), layout.area.top()),
        pos2(layout.area.left() - 1.0, layout.full.bottom()),
    );
    let painter = ui.painter().with_clip_rect(strip);
    let every = (15.0 / layout.row).ceil().max(1.0) as usize;
    let lone = |row: usize| selected == Some(row) || hovered == Some(row);
    let near = |row: usize| [selected, hovered].into_iter().flatten().any(|other| other.abs_diff(row) < every);
    let mut last = f32::NEG_INFINITY;
    for row in layout.visible_rows() {
        if !lone(row) && (row % every != 0 || near(row)) {
            continue;
        }
        let y = (layout.y(row) + layout.y(row + 1)) / 2.0;
        let y = match layout.row < 14.0 {
            true => y.clamp(strip.top() + 7.0, (strip.bottom() - 7.0).max(strip.top() + 7.0)),
            false => y,
        };
        if y - last < 13.0 && !lone(row) {
            continue;
        }
        last = y;
        let (code, more) = source.row_label(row);
        let (font, colour) = match lone(row) {
            true => (theme::bold_font(text::SMALL), palette.text),
            false => (theme::font(text::SMALL), if every == 1 { palette.text } else { palette.weak }),
        };
        let colour = if source.row_alarm(row) { palette.bad } else { colour };
        let left = strip.left() + space::S;
        let code = painter.layout_no_wrap(code, font, colour);
        let room = strip.right() - space::S - left - code.size().x - space::S;
        painter.galley(pos2(left, y - code.size().y / 2.0), std::sync::Arc::clone(&code), colour);
        if room > 24.0 && !more.is_empty() {
            let mut job = egui::text::LayoutJob::simple_singleline(more, theme::font(text::SMALL), palette.weak);
            job.wrap = egui::text::TextWrapping::truncate_at_width(room);
            let galley = painter.layout_job(job);
            let at = pos2(left + code.size().x + space::S, y - galley.size().y / 2.0);
            painter.galley(at, galley, palette.weak);
        }
    }
    ui.painter().vline(layout.area.left() - 0.5, layout.full.y_range(), Stroke::new(1.0, palette.border));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_visible_is_visited() {
        assert_eq!(visible(0.0, 100.0, 10.0, 1000), 0..10);
        assert_eq!(visible(95.0, 100.0, 10.0, 1000), 9..20);
        assert_eq!(visible(0.0, 100.0, 10.0, 4), 0..4);
    }

    #[test]
    fn hits_are_the_cells_that_are_painted() {
        let full = Rect::from_min_size(pos2(10.0, 20.0), vec2(400.0, 300.0));
        let area = Rect::from_min_max(full.min + vec2(GUTTER[0], HEADER), full.max);
        let layout =
            Layout { full, area, row: 7.0, column: 20.0, rows: 200, columns: 10, offset: vec2(0.0, 35.0), pixels: 1.0 };
        for (row, column) in [(5, 0), (11, 3), (30, 9)] {
            assert_eq!(layout.hit(layout.cell(row, column).center()), (Some(row), Some(column)));
        }
        assert_eq!(layout.hit(pos2(12.0, area.top() + 1.0)), (Some(5), None), "the gutter belongs to its row");
        assert_eq!(layout.hit(pos2(area.left() + 5.0, 21.0)), (None, Some(0)), "the header belongs to its column");
    }
}
