//! A large grid of rows and columns: one mesh, only what is visible, zoomed by the wheel, dragged by the pointer.
//!
//! Rows lower than a pixel share one: the heaviest mark is seen, an alarm always.

mod layout;
mod paint;

use std::ops::Range;

use egui::{Color32, Rect, Response, Sense, Ui, Vec2, vec2};

pub use layout::Layout;

use gridwright_window::widgets::canvas::Canvas;
use gridwright_window::widgets::controls::icon_button;
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::nodes::{self, Part};
use gridwright_window::widgets::painting::{Overlay, keys, stepped};
use gridwright_window::widgets::viewport::{Axis, Grid, Room, wheel};

/// A filled cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// Column.
    pub column: usize,
    /// Inside.
    pub colour: Color32,
    /// Filled part of the cell from below, 0…1.
    pub share: f32,
    /// Colour of the text.
    pub ink: Color32,
    /// Which of several marks in one pixel is seen: the heaviest.
    pub weight: f32,
    /// Something is wrong here: seen before everything else, crossed out.
    pub alarm: bool,
}

/// Content of a grid.
pub trait Source {
    /// Number of rows.
    fn rows(&self) -> usize;
    /// Number of columns.
    fn columns(&self) -> usize;
    /// The filled cells of a row, added to `marks`.
    fn marks(&self, row: usize, marks: &mut Vec<Mark>);
    /// The shaded stretches of columns of a row, added to `ranges`.
    fn shaded(&self, row: usize, ranges: &mut Vec<Range<usize>>);
    /// Label of a row: a short name and more where there is room.
    fn row_label(&self, row: usize) -> (String, String);
    /// Returns `true` if a row violates something that no mark can show, such as an exam without a period.
    fn row_alarm(&self, row: usize) -> bool;
    /// Returns `true` if labels of rows have more than names.
    fn is_detailed(&self) -> bool;
    /// Short label of a column.
    fn column_label(&self, column: usize) -> String;
    /// Groups of columns, such as days, with their names; empty where none are known.
    fn groups(&self) -> &[(Range<usize>, String)] {
        &[]
    }
    /// Text in a filled cell where there is room.
    fn cell_text(&self, row: usize, column: usize) -> String;
    /// Texts of a filled cell, the longest first, of which the first one that fits is drawn; they may have several lines.
    fn cell_texts(&self, row: usize, column: usize) -> Vec<String> {
        vec![self.cell_text(row, column)]
    }
    /// Greatest height of a row in points.
    fn tallest(&self) -> f32 {
        TALLEST
    }
    /// Width in points of the columns where rows have a height, if not all columns fit.
    fn column_width(&self, row_height: f32) -> f32 {
        row_height.min(24.0)
    }
    /// A cell in words, whether filled or not.
    fn cell_name(&self, row: usize, column: usize) -> String;
    /// Adds the overlays of cells in these rows as row, column and overlay.
    fn overlays(&self, _rows: Range<usize>, _overlays: &mut Vec<(usize, usize, Overlay)>) {}
    /// Returns `true` if a drag that begins on this cell belongs to the caller; otherwise the drag moves the picture.
    fn grabs(&self, _row: usize, _column: usize) -> bool {
        false
    }
    /// Describes the whole grid.
    fn summary(&self) -> String;
}

/// Where a person has zoomed and dragged to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// Columns, whose width follows from the height of rows.
    across: Axis,
    down: Axis,
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

    /// True if everything is shown.
    pub fn is_fitted(&self) -> bool {
        self.down.is_fitted()
    }

    /// Height of a row in points; `None`: all rows fit.
    pub fn row_height(&self) -> Option<f32> {
        self.down.item()
    }

    /// Sets the height of rows in points, bound by the limits of the room when the grid is shown.
    pub fn set_row_height(&mut self, height: Option<f32>) {
        self.down.set_item(height);
    }

    /// Brings a row into view.
    pub fn reveal(&mut self, row: usize) {
        self.down.reveal(row);
    }

    /// Enlarges by a factor.
    pub fn zoom(&mut self, factor: f32) {
        self.down.zoom(factor);
    }
}

/// Input of a person in this frame.
pub struct Outcome {
    /// Response of the whole widget.
    pub response: Response,
    /// Where cells lie, for what the caller adds: [`Layout::cell`].
    pub layout: Layout,
    /// The row and column under the pointer.
    pub hovered: Option<(usize, usize)>,
    /// The row that was clicked, `None` for a click beside all rows.
    pub clicked: Option<Option<usize>>,
    /// The row to select next, by arrow keys or by assistive technology.
    pub stepped: Option<usize>,
    /// The cell that assistive technology pressed.
    pub pressed: Option<(usize, usize)>,
    /// The cell under the keyboard's cursor, while the grid has the keyboard.
    pub cursor: Option<(usize, usize)>,
    /// True if Enter was pressed while the grid had the keyboard.
    pub entered: bool,
    /// The cell being dragged for the caller, see [`Source::grabs`].
    pub dragged: Option<(usize, usize)>,
    /// The cell that was dropped, and the column under the pointer.
    pub dropped: Option<((usize, usize), usize)>,
}

/// Draws the buttons that show a grid with rows of the height `actual`, at which it can be read, and as a whole, with their tooltips.
pub(crate) fn size_buttons(ui: &mut Ui, view: &mut View, actual: f32, [readable, whole]: [&str; 2]) {
    let button = egui::Button::new("Actual size").min_size(vec2(0.0, 26.0));
    if ui.add(button).on_hover_text(readable).clicked() {
        view.set_row_height(Some(actual));
    }
    let is_fitted = view.is_fitted();
    if icon_button(ui, Icon::Fit, whole, !is_fitted).clicked() {
        view.fit();
    }
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
    let canvas = Canvas::new(ui, Sense::click_and_drag(), || source.summary());
    let response = &canvas.response;
    let layout = navigate(ui, response, source, view);
    let (hovered, clicked) = canvas.pointed(|position| Some((layout.row_at(position), layout.column_at(position))));
    let clicked = clicked.flatten().map(|(row, column)| {
        view.cursor = column;
        row
    });
    let mut step = None;
    let pressed = keys(ui, response);
    pressed.zoom_by(ui, |factor| view.zoom(factor));
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
    let words = || cursor.map(|(row, column)| source.cell_name(row, column));
    let columns = layout.columns().max(1);
    let pressed_cell = canvas.finish(ui, words, || parts(source, &layout, selected));
    let pressed_cell = pressed_cell.map(|key| (key as usize / columns, key as usize % columns));
    step = pressed_cell.map(|(row, _)| row).or(step);
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
    Outcome {
        response: canvas.response,
        layout,
        hovered,
        clicked,
        stepped: step,
        pressed: pressed_cell,
        cursor,
        entered: pressed.enter,
        dragged,
        dropped,
    }
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
            let key = (row * layout.columns() + mark.column) as u64;
            parts.push(Part { key, rect, name, selected: selected == Some(row) });
        }
        if parts.len() >= nodes::MOST {
            break;
        }
    }
    parts
}

/// Takes the input of this frame: a drag belongs to the caller where [`Source::grabs`] says so.
fn navigate(ui: &Ui, response: &Response, source: &dyn Source, view: &mut View) -> Layout {
    let full = response.rect;
    let margin = vec2(GUTTER[usize::from(source.is_detailed())], HEADER[usize::from(!source.groups().is_empty())]);
    let area = Rect::from_min_max(full.min + margin, full.max.max(full.min + margin + Vec2::splat(8.0)));
    let fitted = Room::fitting(area.height(), source.rows(), FITTED);
    let (start, length, count) = (area.top(), area.height(), source.rows());
    let down = Room { start, length, count, fitted, largest: source.tallest(), down: true };
    let narrowest = Room::fitting(area.width(), source.columns(), WIDEST);
    let across = |rows: &Axis| {
        let width = narrowest.max(source.column_width(rows.item().unwrap_or(fitted)));
        let (start, length, count) = (area.left(), area.width(), source.columns());
        Room { start, length, count, fitted: width, largest: width, down: false }
    };
    view.down.enter(down);
    view.across.enter(across(&view.down));
    if let Some(wheel) = wheel(ui, response) {
        if wheel.zoom() != 1.0 {
            view.down.zoom_at(down, wheel.zoom(), wheel.at.y);
            view.across.zoom_at(across(&view.down), 1.0, wheel.at.x);
        }
        view.across.scroll(wheel.scroll.x);
    }
    if response.drag_started() {
        let origin = ui.input(|input| input.pointer.press_origin()).or(response.interact_pointer_pos());
        let grid = Grid { across: view.across.enter(across(&view.down)), down: view.down.enter(down) };
        let cell = origin.and_then(|position| grid.hit(position));
        view.grabbed = cell.filter(|&(row, column)| source.grabs(row, column));
    }
    if response.dragged() && view.grabbed.is_none() {
        view.across.scroll(response.drag_delta().x);
        view.down.scroll(response.drag_delta().y);
    }
    if response.double_clicked() {
        view.fit();
    }
    let grid = Grid { down: view.down.settle(down), across: view.across.settle(across(&view.down)) };
    Layout::new(full, grid, ui.pixels_per_point())
}
