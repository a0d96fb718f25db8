//! A symmetric matrix as a heat map: one texture of what is visible, never a rectangle per cell.
//!
//! Of cells that share a pixel the highest value is seen, an alarm always. Zoomed by the wheel,
//! dragged by the pointer.

mod paint;

use std::collections::BTreeMap;

use egui::{Color32, ColorImage, Pos2, Rect, Response, Sense, Ui, vec2};

pub use paint::legend;

use super::canvas::Canvas;
use super::nodes::{self, Part};
use super::painting::{keys, stepped};
use super::texture::{CachedTexture, WHOLE_TEXTURE};
use super::viewport::{Axes, Grid, Room};
use crate::theme::{Palette, palette};

/// A cell above zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Column.
    pub column: usize,
    /// Value, coloured on a logarithmic scale.
    pub value: u32,
    /// Something is wrong here.
    pub alarm: bool,
}

/// Sizes in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sizes {
    /// Cells of a map that is fitted are no larger.
    pub fitted: f32,
    /// No cell is larger.
    pub largest: f32,
    /// Room for the names of rows.
    pub names: f32,
    /// Height above the columns for their names, which are vertical if it is more than [`HEADER`].
    pub heads: f32,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { fitted: 24.0, largest: 30.0, names: 72.0, heads: HEADER }
    }
}

/// Content of a heat map.
pub trait Source {
    /// Number of rows and of columns.
    fn count(&self) -> usize;
    /// The cells of a row that are above nought, added to `cells`.
    fn cells(&self, row: usize, cells: &mut Vec<Cell>);
    /// The highest value.
    fn highest(&self) -> u32;
    /// Short name of a row and of the column with the same index.
    fn label(&self, index: usize) -> String;
    /// Text in a cell where there is room.
    fn text(&self, _row: usize, cell: &Cell) -> String {
        cell.value.to_string()
    }
    /// Letters in the corners of cells of a row, whether these are above nought or not, added to `letters` with their columns.
    fn letters(&self, _row: usize, _letters: &mut Vec<(usize, char)>) {}
    /// Limits of the sizes of cells, and the room for names.
    fn sizes(&self) -> Sizes {
        Sizes::default()
    }
    /// A cell in words.
    fn describe(&self, row: usize, column: usize) -> String;
    /// Changes when cells change.
    fn revision(&self) -> u64;
    /// Describes the whole map.
    fn summary(&self) -> String;
}

/// Where a person has zoomed to, and the texture that was painted last.
#[derive(Default)]
pub struct View {
    axes: Axes,
    cursor: Option<(usize, usize)>,
    texture: CachedTexture<Key>,
    /// Where alarms lie whose cells are too small to be seen.
    alarms: Vec<Pos2>,
}

impl View {
    /// Shows everything.
    pub fn fit(&mut self) {
        self.axes.fit();
    }

    /// True if everything is shown.
    pub fn is_fitted(&self) -> bool {
        self.axes.is_fitted()
    }

    /// Enlarges by a factor.
    pub fn zoom(&mut self, factor: f32) {
        self.axes.zoom(factor);
    }

    /// Brings a row into view.
    pub fn reveal(&mut self, index: usize) {
        self.axes.down.reveal(index);
    }
}

/// Input of a person in this frame.
pub struct Outcome {
    /// Response of the whole widget.
    pub response: Response,
    /// The row and column under the pointer.
    pub hovered: Option<(usize, usize)>,
    /// The row and column that were clicked, or chosen by Enter; `None` within for a click outside all cells.
    pub clicked: Option<Option<(usize, usize)>>,
}

/// Room above the columns for names that lie.
const HEADER: f32 = 24.0;

/// Inputs of the texture; an equal key allows the texture to be used again.
#[derive(Debug, Clone, PartialEq)]
struct Key {
    revision: u64,
    dark: bool,
    layout: Layout,
}

/// Places of rows, columns and labels.
#[derive(Debug, Clone, PartialEq)]
struct Layout {
    full: Rect,
    /// Room for cells.
    area: Rect,
    /// Side of a cell in points.
    cell: f32,
    count: usize,
    grid: Grid,
    /// Pixels per point.
    pixels: f32,
}

impl Layout {
    fn new(full: Rect, grid: Grid, pixels: f32) -> Self {
        Self { full, area: grid.area(), cell: grid.down.item, count: grid.down.count, grid, pixels }
    }
}

/// Shows a heat map in all the room there is; `selected` gets a crosshair.
pub fn show(ui: &mut Ui, source: &dyn Source, view: &mut View, selected: Option<usize>) -> Outcome {
    let palette = palette(ui.visuals());
    let canvas = Canvas::new(ui, Sense::click_and_drag(), || source.summary());
    let response = &canvas.response;
    let layout = navigate(ui, response, (source.count(), source.sizes()), view);
    let (hovered, mut clicked) = canvas.pointed(|position| layout.grid.hit(position));
    view.cursor = clicked.unwrap_or(view.cursor);
    let pressed = keys(ui, response);
    pressed.zoom_by(ui, |factor| view.zoom(factor));
    let (row, column) = (view.cursor.map(|c| c.0).or(selected), view.cursor.map(|c| c.1));
    let next = (stepped(row, pressed.down, layout.count), stepped(column, pressed.right, layout.count));
    if next != (None, None) {
        let (row, column) = (next.0.or(row).unwrap_or(0), next.1.or(column).unwrap_or(0));
        view.cursor = Some((row, column));
        next.0.inspect(|&row| view.reveal(row));
    }
    let cursor = view.cursor.filter(|&(row, column)| row.max(column) < layout.count && response.has_focus());
    if let Some(cell) = cursor.filter(|_| pressed.enter) {
        clicked = Some(Some(cell));
    }
    let painter = canvas.painter(ui);
    texture(ui, source, view, &layout, palette);
    if let Some(texture) = view.texture.id() {
        painter.with_clip_rect(layout.area).image(texture, covered(&layout), WHOLE_TEXTURE, Color32::WHITE);
        paint::alarms(&painter.with_clip_rect(layout.area), &view.alarms, palette);
    }
    paint::decorate(&painter, source, &layout, (selected, cursor, hovered), palette);
    let words = || cursor.map(|(row, column)| source.describe(row, column));
    if let Some(key) = canvas.finish(ui, words, || parts(source, &layout)) {
        let count = layout.count.max(1);
        clicked = Some(Some((key as usize / count, key as usize % count)));
    }
    Outcome { response: canvas.response, hovered, clicked }
}

/// Takes the input of this frame; cells stay square because both directions have the same limits.
fn navigate(ui: &Ui, response: &Response, (count, sizes): (usize, Sizes), view: &mut View) -> Layout {
    let full = response.rect;
    let Sizes { fitted, largest, names, heads } = sizes;
    let corner = full.min + vec2(names, heads);
    let area = Rect::from_min_max(corner, full.max.max(corner + vec2(8.0, 8.0)));
    let fitted = Room::fitting(area.width().min(area.height()), count, fitted);
    let room = |start, length, down| Room { start, length, count, fitted, largest, down };
    let across = view.axes.across.navigate(ui, response, room(area.left(), area.width(), false));
    let down = view.axes.down.navigate(ui, response, room(area.top(), area.height(), true));
    Layout::new(full, Grid { across, down }, ui.pixels_per_point())
}

/// The part of the screen under the texture: whole cells, or the pixels that cells share.
fn covered(layout: &Layout) -> Rect {
    let (rows, columns) = (layout.grid.down.visible(), layout.grid.across.visible());
    if layout.cell * layout.pixels >= 1.0 {
        let last = layout.grid.cell(rows.end, columns.end).min;
        return Rect::from_min_max(layout.grid.cell(rows.start, columns.start).min, last);
    }
    let size = (layout.grid.body().size() * layout.pixels).ceil() / layout.pixels;
    Rect::from_min_size(layout.area.min, size)
}

/// Renews the texture if its key has changed.
fn texture(ui: &Ui, source: &dyn Source, view: &mut View, layout: &Layout, palette: &Palette) {
    let key = Key { revision: source.revision(), dark: ui.visuals().dark_mode, layout: layout.clone() };
    if view.texture.key() == Some(&key) {
        return;
    }
    view.alarms = alarms(source, layout);
    let (size, levels) = levels(source, layout);
    let colours: Vec<Color32> = (0..=255_u8).map(|level| colour(level, palette)).collect();
    let pixels = levels.iter().map(|&level| colours[usize::from(level)]).collect();
    view.texture.set(ui, "heat map", key, ColorImage::new(size, pixels));
}

const ALARM: u8 = 255;
const STEPS: u8 = 250;

fn colour(level: u8, palette: &Palette) -> Color32 {
    match level {
        0 => palette.surface,
        ALARM => palette.clash,
        level => palette.cost(f32::from(level - 1) / f32::from(STEPS - 1)),
    }
}

/// 1 for a value of 1 up to [`STEPS`] for the highest, evenly over the logarithm.
fn level(value: u32, highest: u32) -> u8 {
    let share = (value.max(1) as f32).ln() / (highest.max(2) as f32).ln();
    1 + (share.clamp(0.0, 1.0) * f32::from(STEPS - 1)).round() as u8
}

/// Levels of the texels, row by row, and how many there are in both directions.
fn levels(source: &dyn Source, layout: &Layout) -> ([usize; 2], Vec<u8>) {
    let (rows, columns) = (layout.grid.down.visible(), layout.grid.across.visible());
    let scaled = layout.cell * layout.pixels;
    let whole = scaled >= 1.0;
    let size = if whole {
        [columns.len(), rows.len()]
    } else {
        let size = covered(layout).size() * layout.pixels;
        [size.x.round() as usize, size.y.round() as usize]
    };
    let size = size.map(|side| side.max(1));
    let texel = |index: usize, first: usize, offset: f32| match whole {
        true => index - first,
        false => (index as f32 * scaled - offset * layout.pixels).max(0.0) as usize,
    };
    let mut levels = vec![0; size[0] * size[1]];
    let highest = source.highest();
    let by_value: Vec<u8> = (0..=highest.min(4096)).map(|value| level(value, highest)).collect();
    let across: Vec<usize> = columns
        .clone()
        .map(|column| texel(column, columns.start, layout.grid.across.offset).min(size[0] - 1))
        .collect();
    let mut cells = Vec::new();
    for row in rows.clone() {
        let start = texel(row, rows.start, layout.grid.down.offset).min(size[1] - 1) * size[0];
        cells.clear();
        source.cells(row, &mut cells);
        for cell in &cells {
            let Some(&x) = cell.column.checked_sub(columns.start).and_then(|column| across.get(column)) else {
                continue;
            };
            let known = by_value.get(cell.value as usize).copied();
            let level = if cell.alarm { ALARM } else { known.unwrap_or_else(|| level(cell.value, highest)) };
            let slot = &mut levels[start + x];
            *slot = level.max(*slot);
        }
    }
    (size, levels)
}

/// Cells smaller than this many points are too small for a clash to be noticed.
const NOTICED: f32 = 4.0;

/// Middles of the visible alarms where cells are smaller than [`NOTICED`]; one for alarms whose marks would overlap.
fn alarms(source: &dyn Source, layout: &Layout) -> Vec<Pos2> {
    if layout.cell >= NOTICED {
        return Vec::new();
    }
    let (mut found, mut cells, columns) = (BTreeMap::new(), Vec::new(), layout.grid.across.visible());
    for row in layout.grid.down.visible() {
        cells.clear();
        source.cells(row, &mut cells);
        for cell in cells.iter().filter(|cell| cell.alarm && columns.contains(&cell.column)) {
            let at = layout.grid.cell(row, cell.column).center();
            let place = (at - layout.area.min) / (NOTICED / 2.0);
            found.entry((place.y as u32, place.x as u32)).or_insert(at);
        }
    }
    found.into_values().collect()
}

/// The visible cells above nought, for assistive technology; none while they are too small to be told apart.
fn parts(source: &dyn Source, layout: &Layout) -> Vec<Part> {
    let (mut parts, mut cells, columns) = (Vec::new(), Vec::new(), layout.grid.across.visible());
    for row in layout.grid.down.visible().take_while(|_| layout.cell >= 6.0) {
        cells.clear();
        source.cells(row, &mut cells);
        for cell in cells.iter().filter(|cell| columns.contains(&cell.column)) {
            let key = (row * layout.count + cell.column) as u64;
            let rect = layout.grid.cell(row, cell.column);
            parts.push(Part { key, rect, name: source.describe(row, cell.column), selected: false });
            if parts.len() >= nodes::MOST {
                return parts;
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use egui::Vec2;

    use super::super::viewport::Span;
    use super::*;

    /// Every index conflicts with the next; one pair is an alarm.
    struct Band(usize);

    impl Source for Band {
        fn count(&self) -> usize {
            self.0
        }
        fn cells(&self, row: usize, cells: &mut Vec<Cell>) {
            for column in [row.checked_sub(1), Some(row + 1).filter(|&next| next < self.0)].into_iter().flatten() {
                let value = 1 + (row.min(column) % 100) as u32;
                cells.push(Cell { column, value, alarm: row.min(column) == 7 });
            }
        }
        fn highest(&self) -> u32 {
            100
        }
        fn label(&self, index: usize) -> String {
            index.to_string()
        }
        fn describe(&self, row: usize, column: usize) -> String {
            format!("{row} {column}")
        }
        fn revision(&self) -> u64 {
            0
        }
        fn summary(&self) -> String {
            String::new()
        }
    }

    fn layout(count: usize, cell: f32, offset: Vec2) -> Layout {
        let across = Span { start: 50.0, length: 300.0, item: cell, offset: offset.x, count };
        let down = Span { start: 20.0, length: 200.0, item: cell, offset: offset.y, count };
        let grid = Grid { across, down };
        Layout::new(grid.area(), grid, 1.0)
    }

    #[test]
    fn texels_are_cells_where_cells_are_large() {
        let layout = layout(100, 8.0, vec2(80.0, 40.0));
        let (size, levels) = levels(&Band(100), &layout);
        assert_eq!(size, [layout.grid.across.visible().len(), layout.grid.down.visible().len()]);
        let (row, column) = (layout.grid.down.visible().start + 7, layout.grid.down.visible().start + 8);
        let texel = (row - layout.grid.down.visible().start) * size[0] + (column - layout.grid.across.visible().start);
        assert_eq!(levels[texel], level(1 + (row % 100) as u32, 100));
        assert_eq!(layout.grid.hit(layout.grid.cell(row, column).center()), Some((row, column)));
    }

    #[test]
    fn of_cells_that_share_a_pixel_the_highest_is_seen_and_alarms_always() {
        let layout = layout(2000, 0.1, Vec2::ZERO);
        let (size, levels) = levels(&Band(2000), &layout);
        assert_eq!(size, [200, 200]);
        // Rows 0…9 share the first pixel: the pair 7, 8 is an alarm.
        assert_eq!(levels[0], ALARM);
        // Rows 90…99: the pair 98, 99 has 99; the pair 99, 100 lies in the next column.
        assert_eq!(levels[9 * 200 + 9], level(99, 100));
        assert_eq!(levels[9 * 200 + 10], level(100, 100));
        assert_eq!(levels[199], 0, "nothing is far from the diagonal");
    }

    #[test]
    fn alarms_in_small_cells_are_marked_once_where_marks_would_lie_on_each_other() {
        let small = layout(2000, 0.1, Vec2::ZERO);
        let found = alarms(&Band(2000), &small);
        // The pair 7, 8 and its mirror lie in one pixel.
        assert_eq!(found, [small.grid.cell(7, 8).center()]);
        let middle = layout(100, 3.0, Vec2::ZERO);
        assert_eq!(alarms(&Band(100), &middle), [middle.grid.cell(7, 8).center(), middle.grid.cell(8, 7).center()]);
        assert_eq!(alarms(&Band(100), &layout(100, NOTICED, Vec2::ZERO)), [], "such cells are seen");
        assert_eq!(alarms(&Band(100), &layout(100, 3.0, vec2(90.0, 90.0))), [], "out of sight");
    }

    /// Thirty columns of 16 points each: their names do not fit next to each other and are vertical.
    #[test]
    fn narrow_columns_have_names() {
        struct Upright(Band);
        impl Source for Upright {
            fn count(&self) -> usize {
                self.0.count()
            }
            fn cells(&self, row: usize, cells: &mut Vec<Cell>) {
                self.0.cells(row, cells);
            }
            fn highest(&self) -> u32 {
                100
            }
            fn label(&self, index: usize) -> String {
                format!("Column {index}")
            }
            fn sizes(&self) -> Sizes {
                Sizes { heads: 96.0, ..Sizes::default() }
            }
            fn describe(&self, _row: usize, _column: usize) -> String {
                String::new()
            }
            fn revision(&self) -> u64 {
                0
            }
            fn summary(&self) -> String {
                String::new()
            }
        }
        let texts = crate::testing::texts_of(vec2(900.0, 576.0), |ui| {
            show(ui, &Upright(Band(30)), &mut View::default(), None);
        });
        let upright: Vec<&str> = texts.iter().filter(|text| text.1 != 0.0).map(|text| text.0.as_str()).collect();
        let names: Vec<String> = (0..30).map(|index| format!("Column {index}")).collect();
        assert_eq!(upright, names);
    }

    #[test]
    fn the_scale_is_logarithmic_and_full() {
        assert_eq!((level(1, 1000), level(1000, 1000)), (1, STEPS));
        let step = i32::from(level(100, 1000)) - i32::from(level(10, 1000));
        assert!((step - i32::from(STEPS - 1) / 3).abs() <= 1);
        assert_eq!(level(1, 1), 1);
    }
}
