//! A grid whose cells change with every beat: for each stream a map of rows × columns, all in one texture.
//!
//! Rows are few and always all visible; columns are many, zoomed by the wheel and dragged by the pointer. Where columns are
//! narrower than a pixel, the highest of those that share one is seen. Below its colour every cell has a mark: what has
//! changed is told by its place, not by a colour alone.
//!
//! ```ignore
//! let streams = [grid_playback::Stream { name: "Horizontal", caption: "…", shades: &shades, marks: &marks, flow }];
//! let content = grid_playback::GridPlayback { rows, columns, streams: &streams, .. };
//! let outcome = grid_playback::show(ui, &content, &mut view, selected);
//! ```

mod arrows;
mod layout;
mod paint;
mod texture;

use egui::{Color32, Response, Sense, Ui};

pub use self::layout::Arrangement;
use self::layout::Layout;
use gridwright_window::theme::{self, Palette, palette, space};
use gridwright_window::widgets::canvas::Canvas;
use gridwright_window::widgets::chart;
use gridwright_window::widgets::controls::segmented;
use gridwright_window::widgets::nodes::{self, Part};
use gridwright_window::widgets::painting::{keys, stepped};
use gridwright_window::widgets::texture::CachedTexture;
use gridwright_window::widgets::viewport::{Axis, Zoom, zoom_buttons};

/// A place in the grid, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Row.
    pub row: usize,
    /// Column.
    pub column: usize,
}

/// Event in a cell since the beat before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Mark {
    /// Nothing.
    #[default]
    Nothing,
    /// The solution has changed.
    Changed,
    /// The solution is optimal.
    Reached,
}

/// Where what is in a cell goes with the next beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heading {
    /// To the next column.
    Right,
    /// To the next row.
    Down,
}

/// Direction of the flow of a stream and its course at the ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flow {
    /// Where to.
    pub heading: Heading,
    /// True if what leaves at the end enters the next line, false if it enters its own line again.
    pub next_line: bool,
}

/// One of the maps.
#[derive(Debug, Clone, Copy)]
pub struct Stream<'a> {
    /// Name.
    pub name: &'a str,
    /// Direction of flow in a few words.
    pub caption: &'a str,
    /// The shade of each cell, 0…1, row by row; not a number where there is nothing to show.
    pub shades: &'a [f32],
    /// Event in each cell.
    pub marks: &'a [Mark],
    /// Flow, if anything moves.
    pub flow: Option<Flow>,
}

/// Trail of a solution through a stream.
#[derive(Debug, Clone, Copy)]
pub struct Trail<'a> {
    /// The stream.
    pub stream: usize,
    /// The cells, oldest first.
    pub cells: &'a [Cell],
}

/// Content of the widget.
pub struct GridPlayback<'a> {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// The maps, each of `rows · columns` cells.
    pub streams: &'a [Stream<'a>],
    /// Changes whenever shades or marks do.
    pub revision: u64,
    /// Ways through the streams.
    pub trails: &'a [Trail<'a>],
    /// A cell of a stream in words.
    pub describe: &'a dyn Fn(usize, Cell) -> String,
    /// Text in a cell of a stream where there is room: a few letters.
    pub figure: &'a dyn Fn(usize, Cell) -> String,
    /// Describes the whole grid.
    pub summary: &'a str,
}

/// Where a person has zoomed to, how the streams lie, and the texture that was painted last.
#[derive(Debug, Default, Clone)]
pub struct View {
    /// Zoom along the columns.
    pub(crate) zoom: Axis,
    /// Arrangement of the streams.
    pub arrangement: Arrangement,
    texture: CachedTexture<texture::Key>,
}

impl View {
    /// Shows everything.
    pub fn fit(&mut self) {
        self.zoom.fit();
    }

    /// True if everything is shown.
    pub fn is_fitted(&self) -> bool {
        self.zoom.is_fitted()
    }

    /// Enlarges by a factor.
    pub(crate) fn zoom(&mut self, factor: f32) {
        self.zoom.zoom(factor);
    }

    /// Brings a column into view.
    pub(crate) fn reveal(&mut self, column: usize) {
        self.zoom.reveal(column);
    }

    /// Revision of the cells that the texture was made of.
    #[cfg(test)]
    fn revision(&self) -> Option<u64> {
        self.texture.key().map(|key| key.revision)
    }
}

/// Input of a person in this frame.
pub struct Outcome {
    /// Response of the whole widget.
    pub(crate) response: Response,
    /// The cell to select from now on; `None` within for a click beside all cells.
    pub picked: Option<Option<Cell>>,
}

/// Shows the streams in all the room there is; `selected` is outlined in each of them.
pub fn show(ui: &mut Ui, grid_playback: &GridPlayback<'_>, view: &mut View, selected: Option<Cell>) -> Outcome {
    let palette = palette(ui.visuals());
    let canvas = Canvas::new(ui, Sense::click_and_drag(), || grid_playback.summary.to_owned());
    let response = &canvas.response;
    let layout = Layout::new(ui, response, grid_playback, view);
    let selected = selected.filter(|cell| cell.row < grid_playback.rows && cell.column < grid_playback.columns);
    let (hovered, clicked) = canvas.pointed(|position| layout.hit(position));
    let mut picked = clicked.map(|found| found.map(|(_, cell)| cell));
    let pressed = keys(ui, response);
    pressed.zoom_by(ui, |factor| view.zoom(factor));
    if let Some(cell) = walked(ui, response, grid_playback, selected, (pressed.right, pressed.down)) {
        view.reveal(cell.column);
        picked = Some(Some(cell));
    }
    let painter = canvas.painter(ui);
    texture::renew(ui, grid_playback, view, &layout, palette);
    paint::cells(&painter, view, &layout);
    paint::decorate(&painter, grid_playback, &layout, (selected, hovered), palette);
    let words = |cell: Cell| {
        let each = (0..grid_playback.streams.len()).map(|stream| (grid_playback.describe)(stream, cell));
        each.collect::<Vec<_>>().join("; ")
    };
    let cursor = selected.filter(|_| response.has_focus());
    let parts = || parts(grid_playback, &layout, selected, hovered);
    if let Some(key) = canvas.finish(ui, || cursor.map(words), parts) {
        let index = key as usize % (grid_playback.rows * grid_playback.columns).max(1);
        picked = Some(Some(Cell { row: index / grid_playback.columns, column: index % grid_playback.columns }));
    }
    if let Some((stream, cell)) = hovered {
        canvas.tooltip((grid_playback.describe)(stream, cell));
    }
    Outcome { response: canvas.response, picked }
}

/// Where arrows, Home and End lead from the selected cell; the first one where none was selected.
fn walked(
    ui: &Ui, response: &Response, grid_playback: &GridPlayback<'_>, selected: Option<Cell>, by: (isize, isize),
) -> Option<Cell> {
    if !response.has_focus() {
        return None;
    }
    let pressed = |key| ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, key));
    let (first, last) = (pressed(egui::Key::Home), pressed(egui::Key::End));
    let (row, column) = (selected.map(|cell| cell.row), selected.map(|cell| cell.column));
    let next = stepped(column, by.0, grid_playback.columns);
    let end = grid_playback.columns.checked_sub(1);
    let next = if first { Some(0) } else { end.filter(|_| last).or(next) };
    let down = stepped(row, by.1, grid_playback.rows);
    (next.is_some() || down.is_some())
        .then(|| Cell { row: down.or(row).unwrap_or(0), column: next.or(column).unwrap_or(0) })
}

/// The selected cell, the one under the pointer, and the visible ones where they are large enough to be told apart.
fn parts(
    grid_playback: &GridPlayback<'_>, layout: &Layout, selected: Option<Cell>, hovered: Option<(usize, Cell)>,
) -> Vec<Part> {
    let streams = 0..grid_playback.streams.len();
    let chosen = streams.clone().flat_map(|stream| selected.map(|cell| (stream, cell)));
    let large = layout.columns.item >= 8.0 && layout.row >= 8.0;
    let visible = streams.filter(|_| large).flat_map(|stream| {
        let columns = layout.columns.visible();
        (0..grid_playback.rows).flat_map(move |row| columns.clone().map(move |column| (stream, Cell { row, column })))
    });
    let first = chosen.chain(hovered.filter(|(_, cell)| selected != Some(*cell)));
    let known: Vec<(usize, Cell)> = first.collect();
    let rest = visible.filter(|one| !known.contains(one));
    let part = |(stream, cell): (usize, Cell)| Part {
        key: ((stream * grid_playback.rows + cell.row) * grid_playback.columns + cell.column) as u64,
        rect: layout.cell(stream, cell),
        name: (grid_playback.describe)(stream, cell),
        selected: selected == Some(cell),
    };
    known.iter().copied().chain(rest).take(nodes::MOST).map(part).collect()
}

/// Zooming, and how the streams lie.
pub fn controls(ui: &mut Ui, view: &mut View) {
    let arrangements = [
        ("Automatic", "Side by side where columns stay wide enough", true),
        ("Above", "The streams above each other: columns are as wide as they can be", true),
        ("Beside", "The streams side by side", true),
    ];
    let all = [Arrangement::Automatic, Arrangement::Above, Arrangement::Beside];
    let chosen = all.iter().position(|other| *other == view.arrangement);
    if let Some(choice) = segmented(ui, &arrangements, chosen).and_then(|choice| all.get(choice)) {
        view.arrangement = *choice;
        view.fit();
    }
    ui.spacing_mut().item_spacing.x = space::XS;
    let names = ["Show more columns", "Enlarge columns", "Show all columns"];
    match zoom_buttons(ui, names, 1.25, view.is_fitted()) {
        Some(Zoom::By(factor)) => view.zoom(factor),
        Some(Zoom::Fit) => view.fit(),
        None => {}
    }
}

/// The colours from the lowest to the highest shade, and the marks; each with a word.
pub fn legend(ui: &mut Ui, low: &str, high: &str, changed: &str, reached: &str) {
    let palette = palette(ui.visuals());
    ui.spacing_mut().item_spacing.x = space::XS;
    ui.label(theme::small(low).color(palette.weak));
    let (rect, _) = ui.allocate_exact_size(egui::vec2(96.0, 10.0), Sense::hover());
    chart::ramp(ui.painter(), rect, |share| palette.cost(share));
    ui.label(theme::small(high).color(palette.weak));
    for (mark, words) in [(Mark::Changed, changed), (Mark::Reached, reached)] {
        if words.is_empty() {
            continue;
        }
        ui.add_space(space::S);
        let (rect, _) = ui.allocate_exact_size(egui::vec2(14.0, 14.0), Sense::hover());
        paint::sample(ui.painter(), rect, mark, palette);
        ui.label(theme::small(words).color(palette.weak));
    }
}

/// The colour of a shade.
pub fn shade(palette: &Palette, share: f32) -> Color32 {
    palette.cost(share.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests;
