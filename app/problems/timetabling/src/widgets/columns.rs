//! Columns of chips, as high as their weight; scrolled by the wheel, zoomed by Ctrl and the wheel.

mod layout;
mod paint;

use std::ops::Range;

use egui::{Color32, Pos2, Response, ScrollArea, Sense, Ui, Vec2, WidgetInfo};

pub use layout::{Layout, Plan};

use gridwright_window::widgets::nodes::{self, Part};
use gridwright_window::widgets::painting::{Keys, Overlay, focus_ring, keys};

/// One chip.
#[derive(Debug, Clone)]
pub struct Chip {
    /// Identity, such as the index of an exam.
    pub key: usize,
    /// Text on the chip.
    pub name: String,
    /// A number at its right end.
    pub number: String,
    /// Share of the greatest weight, 0…1: its height.
    pub weight: f32,
    /// Inside.
    pub fill: Color32,
    /// Text.
    pub ink: Color32,
    /// True for a violated rule.
    pub alarm: bool,
}

/// One column.
#[derive(Debug, Clone, Default)]
pub struct Column {
    /// Heading.
    pub title: String,
    /// Second line of the heading, or empty.
    pub subtitle: String,
    /// Number and kind of its chips, such as «22 exams».
    pub count: String,
    /// The sum of their numbers.
    pub total: String,
    /// Load: 1 is the fullest column, or the limit of the column where it has one.
    pub load: f32,
    /// True if the load is above the limit.
    pub overfull: bool,
    /// Chips from the top.
    pub chips: Vec<Chip>,
}

/// Content of the widget.
pub struct Content<'a> {
    /// The columns from the left.
    pub columns: &'a [Column],
    /// [`Plan::of`] these columns.
    pub plan: &'a Plan,
    /// Columns that belong together with their name, such as days; empty where nothing is known.
    pub groups: &'a [(Range<usize>, String)],
    /// The selected chip.
    pub selected: Option<usize>,
    /// A chip in words.
    pub describe: &'a dyn Fn(usize) -> String,
    /// Overlay of a chip.
    pub(crate) chip_overlay: &'a dyn Fn(usize) -> Option<Overlay>,
    /// Overlay of a column.
    pub(crate) column_overlay: &'a dyn Fn(usize) -> Option<Overlay>,
    /// Describes the whole picture.
    pub summary: &'a str,
}

/// Where a person has zoomed to.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    scale: Vec2,
    fit: bool,
    fitted: bool,
    reveal: Option<usize>,
    /// Where the scrolled area shall begin next.
    offset: Option<Vec2>,
    last: Vec2,
    /// The chip that is being dragged.
    held: Option<usize>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            scale: Vec2::splat(1.0),
            fit: false,
            fitted: false,
            reveal: None,
            offset: None,
            last: Vec2::ZERO,
            held: None,
        }
    }
}

impl View {
    /// Shows all columns and chips.
    pub fn fit(&mut self) {
        self.fit = true;
    }

    /// Shows chips at their standard size.
    pub fn actual_size(&mut self) {
        *self = Self { offset: Some(Vec2::ZERO), ..Self::default() };
    }

    /// True if all columns and chips are shown.
    pub fn is_fitted(&self) -> bool {
        self.fitted
    }

    /// Enlarges by a factor.
    pub fn zoom(&mut self, factor: f32) {
        self.scale = (self.scale * factor).clamp(LEAST, MOST);
        self.fitted = false;
    }

    /// Brings a chip into view.
    pub fn reveal(&mut self, key: usize) {
        self.reveal = Some(key);
    }
}

const LEAST: Vec2 = Vec2::new(0.06, 0.06);
const MOST: Vec2 = Vec2::new(2.0, 2.5);

/// Input of a person in this frame.
pub struct Outcome {
    /// Response of the whole widget.
    pub response: Response,
    /// The chip under the pointer.
    pub hovered: Option<usize>,
    /// The column whose head is under the pointer.
    pub(crate) hovered_head: Option<usize>,
    /// The column under the pointer, whatever is dragged.
    pub over: Option<usize>,
    /// The chip that was clicked; `None` within for a click beside all chips.
    pub clicked: Option<Option<usize>>,
    /// The chip to select next, by arrow keys or by assistive technology.
    pub stepped: Option<usize>,
    /// True if Enter was pressed while the picture had the keyboard.
    pub entered: bool,
    /// The chip that is being dragged, and the column under the pointer.
    pub dragged: Option<(usize, Option<usize>)>,
    /// The chip that was dropped, and the column under the pointer.
    pub dropped: Option<(usize, usize)>,
}

/// Shows columns side by side in all the room there is.
pub fn show(ui: &mut Ui, content: &Content<'_>, view: &mut View) -> Outcome {
    let palette = gridwright_window::theme::palette(ui.visuals());
    let full = ui.available_rect_before_wrap();
    ui.painter().rect_filled(full, 0.0, palette.surface);
    zoom(ui, content, view, full);
    let mut area = ScrollArea::both().auto_shrink(false).scroll_source(egui::scroll_area::ScrollSource::ALL);
    if let Some(offset) = view.offset.take() {
        area = area.scroll_offset(offset.max(Vec2::ZERO));
    }
    let scale = view.scale;
    let output = area.show_viewport(ui, |ui, viewport| {
        let size = content.plan.size(scale, content.groups).max(ui.available_size());
        let (response, _) = ui.allocate_painter(size, Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Grid, true, content.summary));
        let origin = response.rect.min;
        let layout = Layout::new(content.plan, content.groups, scale, origin, viewport.translate(origin.to_vec2()));
        let pointer = response.hover_pos();
        let hit = |position: Option<Pos2>| position.and_then(|position| layout.hit(position));
        let hovered = hit(pointer).and_then(|(key, _)| key);
        let hovered_head = pointer.and_then(|position| layout.head_at(position));
        let over = ui.input(|input| input.pointer.latest_pos()).and_then(|position| layout.column_at(position));
        let (dragged, dropped) = drag(ui, content, &layout, view, &response);
        paint::paint(ui, content, &layout, dragged.map(|(key, _)| key).or(hovered));
        let clicked = response.interact_pointer_pos().filter(|_| response.clicked()).map(|position| {
            response.request_focus();
            layout.hit(position).and_then(|(key, _)| key)
        });
        let mut stepped = None;
        if nodes::wanted(ui, &response) {
            if let Some(key) = content.selected {
                nodes::describe(ui, &response, (content.describe)(key));
            }
            stepped = nodes::add(ui, &response, &parts(content, &layout)).map(|key| key as usize);
        }
        Outcome { response, hovered, hovered_head, over, clicked, stepped, entered: false, dragged, dropped }
    });
    view.last = output.state.clamped_offset();
    let mut outcome = output.inner;
    let pressed = keys(ui, &outcome.response);
    if let Some(key) = step(content, pressed) {
        outcome.stepped = Some(key);
        view.reveal(key);
    }
    outcome.entered = pressed.enter;
    pressed.zoom_by(ui, |factor| view.zoom(factor));
    focus_ring(ui, &outcome.response, full);
    outcome
}

/// A chip that is held with the column under it, and a chip with the column where it was let go.
type Drag = (Option<(usize, Option<usize>)>, Option<(usize, usize)>);

/// Lets chips be dragged; a drag that begins beside them moves the picture.
fn drag(ui: &Ui, content: &Content<'_>, layout: &Layout, view: &mut View, canvas: &Response) -> Drag {
    if canvas.drag_started() {
        let origin = ui.input(|input| input.pointer.press_origin()).or(canvas.interact_pointer_pos());
        view.held = origin.and_then(|position| layout.hit(position)).and_then(|(key, _)| key);
    }
    if canvas.dragged() && view.held.is_none() {
        view.offset = Some(view.last - canvas.drag_delta());
    }
    let pointer = canvas.interact_pointer_pos().filter(|_| canvas.dragged() || canvas.drag_stopped());
    let Some((key, position)) = view.held.zip(pointer) else {
        view.held = None;
        return (None, None);
    };
    let Some((column, row)) = content.plan.place_of(key) else { return (None, None) };
    let over = layout.column_at(position);
    if canvas.drag_stopped() {
        view.held = None;
        // Escape ends a drag as well, and means: not at all.
        let let_go = ui.input(|input| input.pointer.any_released());
        return (None, over.filter(|&over| let_go && over != column).map(|over| (key, over)));
    }
    ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
    let ghost = egui::Rect::from_center_size(position, layout.chip_rect(column, row).size());
    let accent = gridwright_window::theme::palette(ui.visuals()).accent;
    let painter = ui.ctx().layer_painter(egui::LayerId::new(egui::Order::Foreground, canvas.id.with("ghost")));
    painter.rect_filled(ghost, 4.0, accent.gamma_multiply(0.25));
    painter.rect_stroke(ghost, 4.0, egui::Stroke::new(2.0, accent), egui::StrokeKind::Inside);
    (Some((key, over)), None)
}

/// Fits, zooms around the pointer, brings what was asked for into view.
fn zoom(ui: &Ui, content: &Content<'_>, view: &mut View, full: egui::Rect) {
    let head = Plan::head(content.groups);
    if std::mem::take(&mut view.fit) {
        let natural = content.plan.size(Vec2::splat(1.0), content.groups) - Vec2::new(0.0, head);
        let room = full.size() - Vec2::new(4.0, head + 4.0);
        view.scale = (room / natural.max(Vec2::splat(1.0))).clamp(LEAST, Vec2::new(1.4, 1.4));
        (view.fitted, view.offset) = (true, Some(Vec2::ZERO));
    }
    let pinch = ui.input(|input| input.zoom_delta());
    let pointer = ui.input(|input| input.pointer.hover_pos()).filter(|position| full.contains(*position));
    if let Some(position) = pointer.filter(|_| pinch != 1.0) {
        let before = view.scale;
        view.zoom(pinch);
        let (at, head) = (position - full.min, Vec2::new(0.0, head));
        let scaled = (view.last + at - head) * view.scale / before;
        view.offset = Some(scaled - at + head);
    }
    let Some(key) = view.reveal.take() else { return };
    let Some(rect) = content.plan.chip_of(key, view.scale, content.groups) else { return };
    let (from, room) = (view.offset.unwrap_or(view.last), full.size());
    let mut to = from;
    if rect.left() < from.x || rect.right() > from.x + room.x {
        to.x = rect.center().x - room.x / 2.0;
    }
    if rect.top() < from.y + head || rect.bottom() > from.y + room.y {
        to.y = rect.center().y - (room.y + head) / 2.0;
    }
    if to != from {
        view.offset = Some(to);
    }
}

/// The chip that an arrow key leads to: up and down within a column, left and right to the one beside.
fn step(content: &Content<'_>, pressed: Keys) -> Option<usize> {
    if (pressed.right, pressed.down) == (0, 0) {
        return None;
    }
    let chips = |column: usize| content.columns.get(column).map(|column| column.chips.as_slice()).unwrap_or_default();
    let first = || content.columns.iter().find_map(|column| column.chips.first()).map(|chip| chip.key);
    let Some((mut column, row)) = content.selected.and_then(|key| content.plan.place_of(key)) else { return first() };
    if pressed.right != 0 {
        loop {
            column = column.checked_add_signed(pressed.right).filter(|&column| column < content.columns.len())?;
            if !chips(column).is_empty() {
                break;
            }
        }
    }
    let last = chips(column).len().checked_sub(1)?;
    chips(column).get(row.saturating_add_signed(pressed.down).min(last)).map(|chip| chip.key)
}

/// The visible chips, for assistive technology.
fn parts(content: &Content<'_>, layout: &Layout) -> Vec<Part> {
    let mut parts = Vec::new();
    for index in layout.visible_columns() {
        for row in layout.visible_chips(index) {
            let Some(chip) = content.columns.get(index).and_then(|column| column.chips.get(row)) else { continue };
            parts.push(Part {
                key: chip.key as u64,
                rect: layout.chip_rect(index, row),
                name: (content.describe)(chip.key),
                selected: content.selected == Some(chip.key),
            });
            if parts.len() >= nodes::MOST {
                return parts;
            }
        }
    }
    parts
}
