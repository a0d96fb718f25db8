//! A large grid of rows and columns: one mesh, only what is visible, zoomed by the wheel, dragged by the pointer.
//!
//! Rows lower than a pixel share one: the heaviest mark is seen, an alarm always.

mod layout;
mod paint;

use std::ops::Range;

use egui::emath::GuiRounding;
use egui::{Color32, Rect, Response, Sense, Ui, Vec2, WidgetInfo, vec2};

pub use layout::{Layout, visible};

use super::nodes::{self, Part};
use super::painting::{Overlay, focus_ring, keys, stepped};

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
    /// Columns that belong together, with what stands above them; empty where nothing is known.
    fn groups(&self) -> &[(Range<usize>, String)] {
        &[]
    }
    /// What stands in a filled cell where there is room.
    fn cell_text(&self, row: usize, column: usize) -> String;
    /// A cell in words, whether filled or not.
    fn cell_name(&self, row: usize, column: usize) -> String;
    /// What the caller lays over cells of these rows, added to `overlays` as row, column and overlay.
    fn overlays(&self, _rows: Range<usize>, _overlays: &mut Vec<(usize, usize, Overlay)>) {}
    /// Whether a drag that begins on this cell belongs to the caller; otherwise it moves the picture.
    fn grabs(&self, _row: usize, _column: usize) -> bool {
        false
    }
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
    /// The column of the keyboard's cursor; its row is the selected one.
    cursor: Option<usize>,
    /// The cell where a drag began that belongs to the caller.
    grabbed: Option<(usize, usize)>,
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
    /// Where cells lie, for what the caller adds: [`Layout::hit`], [`Layout::cell`].
    pub layout: Layout,
    /// The row and column under the pointer.
    pub hovered: Option<(usize, usize)>,
    /// The row that was clicked, `None` for a click beside all rows.
    pub clicked: Option<Option<usize>>,
    /// The row to select next, by arrow keys or by assistive technology.
    pub stepped: Option<usize>,
    /// The cell under the keyboard's cursor, while the grid has the keyboard.
    pub cursor: Option<(usize, usize)>,
    /// Whether Enter was pressed there.
    pub entered: bool,
    /// The cell that is being dragged, of those that [`Source::grabs`] names.
    pub dragged: Option<(usize, usize)>,
    /// The cell that was dragged, and the column where it was let go.
    pub dropped: Option<((usize, usize), usize)>,
}

/// Room for row labels: names alone, or names and details.
const GUTTER: [f32; 2] = [76.0, 172.0];
/// Room above columns: names alone, or names and groups.
const HEADER: [f32; 2] = [28.0, 42.0];
const TALLEST: f32 = 34.0;
/// A fitted grid does not stretch rows further than this.
const FITTED: f32 = 26.0;
const WIDEST: f32 = 120.0;

/// Shows a grid in all the room there is.
pub fn show(ui: &mut Ui, source: &dyn Source, view: &mut View, selected: Option<usize>) -> Outcome {
    let full = ui.available_rect_before_wrap().round_to_pixels(ui.pixels_per_point());
    let response = ui.allocate_rect(full, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Grid, true, source.summary()));
    let layout = navigate(ui, &response, source, view);
    let hovered = response.hover_pos().map(|position| (layout.row_at(position), layout.column_at(position)));
    let (mut clicked, mut step) = (None, None);
    // A click by the keyboard has no place.
    if let Some(position) = response.interact_pointer_pos().filter(|_| response.clicked()) {
        response.request_focus();
        clicked = Some(layout.row_at(position));
        view.cursor = layout.column_at(position);
    }
    let pressed = keys(ui, &response);
    if pressed.zoom != 1.0 {
        view.row_height = Some(layout.row_height() * pressed.zoom);
        ui.ctx().request_repaint();
    }
    if let Some(row) = stepped(selected, pressed.down, layout.rows()) {
        view.reveal(row);
        step = Some(row);
    }
    if let Some(column) = stepped(view.cursor, pressed.right, layout.columns()) {
        view.cursor = Some(column);
    }
    let cursor = selected.zip(view.cursor).filter(|_| response.has_focus());
    let cursor = cursor.filter(|&(row, column)| row < layout.rows() && column < layout.columns());
    let looked_at =
        paint::Attention { selected, cursor, row: hovered.and_then(|h| h.0), column: hovered.and_then(|h| h.1) };
    paint::paint(ui, source, &layout, looked_at);
    focus_ring(ui, &response, full);
    if nodes::wanted(ui, &response) {
        if let Some((row, column)) = cursor {
            nodes::describe(ui, &response, source.cell_name(row, column));
        }
        let pressed = nodes::add(ui, &response, &parts(source, &layout, selected));
        step = step.or(pressed.map(|row| row as usize));
    }
    let hovered = hovered.and_then(|(row, column)| row.zip(column));
    let dragged = view.grabbed;
    let mut dropped = None;
    if response.drag_stopped() {
        let column = response.interact_pointer_pos().and_then(|position| layout.column_at(position));
        // Escape ends a drag as well, and means: not at all.
        let let_go = ui.input(|input| input.pointer.any_released());
        dropped = view.grabbed.take().zip(column.filter(|_| let_go));
    }
    if dragged.is_some() {
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
    }
    Outcome { response, layout, hovered, clicked, stepped: step, cursor, entered: pressed.enter, dragged, dropped }
}

/// The filled cells that are visible, for assistive technology.
fn parts(source: &dyn Source, layout: &Layout, selected: Option<usize>) -> Vec<Part> {
    let (mut parts, mut marks) = (Vec::new(), Vec::new());
    let columns = layout.visible_columns();
    for row in layout.visible_rows() {
        marks.clear();
        source.marks(row, &mut marks);
        for mark in marks.iter().filter(|mark| columns.contains(&mark.column)) {
            let name = source.cell_name(row, mark.column);
            let rect = layout.cell(row, mark.column);
            parts.push(Part { key: row as u64, rect, name, selected: selected == Some(row) });
        }
        if parts.len() >= nodes::MOST {
            break;
        }
    }
    parts
}

/// Zoom around the pointer, drag, and keep the picture inside.
fn navigate(ui: &Ui, response: &Response, source: &dyn Source, view: &mut View) -> Layout {
    let full = response.rect;
    let margin = vec2(GUTTER[usize::from(source.is_detailed())], HEADER[usize::from(!source.groups().is_empty())]);
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
    let layout = |view: &View, row: f32| {
        let cell = vec2(column_of(row), row);
        Layout::new((full, area), cell, (source.rows(), source.columns()), view.offset, ui.pixels_per_point())
    };
    if response.drag_started() {
        let origin = ui.input(|input| input.pointer.press_origin()).or(response.interact_pointer_pos());
        let cell = origin.and_then(|position| layout(view, row).hit(position));
        view.grabbed = cell.filter(|&(row, column)| source.grabs(row, column));
    }
    if response.dragged() && view.grabbed.is_none() {
        view.offset -= response.drag_delta();
    }
    if response.double_clicked() {
        view.fit();
        row = fitted_row;
    }
    if let Some(reveal) = view.reveal.take() {
        let top = reveal as f32 * row;
        if top < view.offset.y || top + row > view.offset.y + area.height() {
            view.offset.y = top - area.height() / 2.0;
        }
    }
    let size = vec2(columns as f32 * column_of(row), rows as f32 * row);
    view.offset = view.offset.min(size - area.size()).max(Vec2::ZERO);
    layout(view, row)
}
