//! The cells of a table: painting, pointer, keys, and the field of the cell that is being edited.

use std::collections::HashMap;

use egui::{
    Color32, Event, FocusDirection, FontId, Id, Key, Modifiers, Rect, Response, Sense, Stroke, StrokeKind, Ui, pos2,
    vec2,
};
use egui_table::{CellInfo, Column, HeaderCellInfo, HeaderRow, Table, TableDelegate};
use gridwright_core::data::{DataTable, TableSpec, ValueKind};

use super::{DataView, Editing};
use crate::theme::{Palette, bold_font, font, palette, size, text};
use crate::widgets::entry::{self, Left};
use crate::widgets::painting::truncated;
use crate::widgets::table::label_heading;

/// Width of the column of row numbers.
const NUMBERS: f32 = 58.0;

const HEIGHT: f32 = 24.0;

/// Blank at either side of the text of a cell.
const MARGIN: f32 = 8.0;

/// Largest automatic width of a column.
const WIDEST: f32 = 340.0;

/// Least width of a column at first, by the kind of its values.
fn width_of(kind: ValueKind) -> f32 {
    match kind {
        ValueKind::Text => 190.0,
        ValueKind::Name | ValueKind::Reference(_) | ValueKind::References(_) | ValueKind::Moments => 150.0,
        _ => 108.0,
    }
}

/// Keys for the selected cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pressed {
    Copy,
    Clear,
    Paste(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// The heading of a column was clicked.
    Heading(usize),
    /// The field of the edited cell was left.
    Left(Left),
    Keys(Vec<Pressed>),
}

/// A table with everything that its cells show.
pub(super) struct Sheet<'a> {
    pub(super) spec: &'static TableSpec,
    pub(super) table: &'a DataTable,
    /// Columns of the table in the order in which they are shown.
    pub(super) columns: Vec<usize>,
    /// Reasons why cells make no sense, by row of the table and column.
    pub(super) wrong: HashMap<(usize, usize), &'a str>,
    /// Index of the table.
    pub(super) at: usize,
}

/// Number of rows in which a column is looked for values.
const LOOKED_AT: usize = 200;

/// Painter of the cells of one frame.
struct Painting<'a> {
    sheet: &'a Sheet<'a>,
    view: &'a mut DataView,
    palette: &'static Palette,
    focus: Id,
    has_focus: bool,
    /// True once the edited cell was drawn.
    shows_field: bool,
    outcome: Option<Place>,
}

impl Sheet<'_> {
    /// Draws the table; returns the part of it that was used.
    pub(super) fn show(&self, ui: &mut Ui, view: &mut DataView) -> Option<Place> {
        let palette = palette(ui.visuals());
        let focus = ui.scope_id().with(("data table", self.at));
        let area = ui.available_rect_before_wrap();
        let response = ui.interact(area, focus, Sense::click());
        self.describe(&response, view);
        if response.clicked() || std::mem::take(&mut view.claims_focus) {
            response.request_focus();
        }
        let has_focus = response.has_focus();
        let mut outcome = if has_focus && view.editing.is_none() { self.keys(ui, view) } else { None };
        // Columns that nobody fills in leave their place to others.
        let is_used = |column: usize| {
            column == 0 || self.table.rows.iter().take(LOOKED_AT).any(|row| !row.cell(column).is_empty())
        };
        let width_of_column = |column: usize| {
            let heading = needed(ui, &self.table.heading(self.spec, column), bold_font(text::SMALL));
            if is_used(column) { heading.max(width_of(self.spec.kind(column))) } else { heading }
        };
        // The names of the rows stay in sight, too.
        let sticky = if self.spec.name_column() == Some(0) { 2 } else { 1 };
        let columns = std::iter::once(Column::new(NUMBERS).resizable(false))
            .chain(self.columns.iter().map(|&column| Column::new(width_of_column(column)).range(48.0..=600.0)));
        let mut table = Table::new()
            .id_salt(("data cells", self.at, self.columns.len()))
            .num_rows(view.order.rows.len() as u64)
            .columns(columns.collect::<Vec<_>>())
            .num_sticky_cols(sticky)
            .headers([HeaderRow::new(size::ROW + 2.0)]);
        if let Some(row) = view.scroll.take() {
            table = table.scroll_to_row(row as u64, None);
        }
        if let Some(column) = view.scroll_column.take() {
            // The numbers of the rows are the first column.
            table = table.scroll_to_column(column + 1, None);
        }
        let outcome = outcome.take();
        let mut painting = Painting { sheet: self, view, palette, focus, has_focus, shows_field: false, outcome };
        ui.spacing_mut().item_spacing = egui::Vec2::ZERO;
        let was_editing = painting.view.editing.is_some();
        table.show(ui, &mut painting);
        let is_hidden = was_editing && !painting.shows_field && !painting.view.takes_focus && !ui.is_sizing_pass();
        // A cell that was scrolled away has no field that could be left.
        painting.outcome.or(is_hidden.then_some(Place::Left(Left::Entered(None))))
    }

    /// Tells screen readers the cell of the cursor.
    fn describe(&self, response: &Response, view: &DataView) {
        let column = self.cursor_column(view);
        let heading = self.table.heading(self.spec, column);
        let value = view.order.rows.get(view.cursor.0).and_then(|&row| self.table.rows.get(row));
        let value = value.map_or_else(String::new, |row| row.cell(column).to_owned());
        let label = format!("{}, row {}, {heading}: {value}", self.spec.title, view.cursor.0 + 1);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Table, true, &label));
    }

    /// Column of the cursor, as an index of the table.
    fn cursor_column(&self, view: &DataView) -> usize {
        self.columns.get(view.cursor.1).copied().unwrap_or(0)
    }

    /// Moves the cursor, begins to edit, or returns what the keys mean for the selected cells.
    fn keys(&self, ui: &Ui, view: &mut DataView) -> Option<Place> {
        let filter = egui::EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: false };
        ui.memory_mut(|memory| {
            if let Some(focused) = memory.focused() {
                memory.set_focus_lock_filter(focused, filter);
            }
        });
        let (rows, columns) = (view.order.rows.len(), self.columns.len());
        let mut pressed = Vec::new();
        let events = ui.input(|input| input.events.clone());
        for event in events {
            match event {
                Event::Copy => pressed.push(Pressed::Copy),
                Event::Cut => pressed.extend([Pressed::Copy, Pressed::Clear]),
                Event::Paste(text) => pressed.push(Pressed::Paste(text)),
                // Several letters may be typed within a frame.
                Event::Text(text) if view.editing.is_some() || !text.trim().is_empty() => match &mut view.editing {
                    Some(editing) => editing.text.push_str(&text),
                    None => self.begin(view, Some(text)),
                },
                Event::Key { key, pressed: true, modifiers, .. } => match key {
                    Key::Delete | Key::Backspace => pressed.push(Pressed::Clear),
                    Key::Enter | Key::F2 => self.begin(view, None),
                    _ => moved(view, key, modifiers, rows, columns),
                },
                _ => {}
            }
        }
        (!pressed.is_empty()).then_some(Place::Keys(pressed))
    }

    /// Begins to edit the cell of the cursor, with this text or with its own.
    fn begin(&self, view: &mut DataView, text: Option<String>) {
        let Some(&row) = view.order.rows.get(view.cursor.0) else { return };
        let Some(cells) = self.table.rows.get(row) else { return };
        let column = self.cursor_column(view);
        let text = text.unwrap_or_else(|| cells.cell(column).to_owned());
        view.editing = Some(Editing { row, column, text });
        view.takes_focus = true;
        view.anchor = view.cursor;
        view.scroll = Some(view.cursor.0);
    }
}

/// Moves the cursor by a key; with Shift the selection grows.
pub(super) fn moved(view: &mut DataView, key: Key, modifiers: Modifiers, rows: usize, columns: usize) {
    let (row, column) = view.cursor;
    let last = (rows.saturating_sub(1), columns.saturating_sub(1));
    let to = match key {
        Key::ArrowUp if modifiers.command => (0, column),
        Key::ArrowDown if modifiers.command => (last.0, column),
        Key::ArrowUp => (row.saturating_sub(1), column),
        Key::ArrowDown => ((row + 1).min(last.0), column),
        Key::ArrowLeft => (row, column.saturating_sub(1)),
        Key::ArrowRight => (row, (column + 1).min(last.1)),
        Key::Tab if modifiers.shift => (row, column.saturating_sub(1)),
        Key::Tab => (row, (column + 1).min(last.1)),
        Key::PageUp => (row.saturating_sub(20), column),
        Key::PageDown => ((row + 20).min(last.0), column),
        Key::Home if modifiers.command => (0, 0),
        Key::End if modifiers.command => last,
        Key::Home => (row, 0),
        Key::End => (row, last.1),
        Key::A if modifiers.command => {
            (view.anchor, view.cursor) = ((0, 0), last);
            return;
        }
        _ => return,
    };
    view.cursor = to;
    if !modifiers.shift || key == Key::Tab {
        view.anchor = to;
    }
    (view.scroll, view.scroll_column) = (Some(to.0), Some(to.1));
}

impl TableDelegate for Painting<'_> {
    fn default_row_height(&self) -> f32 {
        HEIGHT
    }

    fn header_cell_ui(&mut self, ui: &mut Ui, cell: &HeaderCellInfo) {
        let rect = ui.max_rect();
        ui.painter().rect_filled(rect, 0.0, self.palette.panel);
        ui.painter().hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, self.palette.border));
        let shown = cell.col_range.start.checked_sub(1);
        let Some(&column) = shown.and_then(|at| self.sheet.columns.get(at)) else { return };
        let spec = self.sheet.spec;
        let heading = self.sheet.table.heading(spec, column);
        let id = ui.scope_id().with(("heading", column));
        let response = ui.interact(rect, id, Sense::click());
        let words = self.view.sort.map_or_else(|| heading.to_string(), |order| order.heading(&column, &heading));
        write(ui, rect, (&words, true), bold_font(text::SMALL), self.palette.text, spec.kind(column));
        label_heading(&response, &heading);
        let help =
            spec.columns.get(column).map_or_else(|| spec.further.map_or("", |further| further.help), |it| it.help);
        if response.on_hover_text(format!("{heading}\n{help}\nA click sorts by this column.")).clicked() {
            self.outcome = Some(Place::Heading(column));
        }
    }

    fn cell_ui(&mut self, ui: &mut Ui, cell: &CellInfo) {
        let rect = ui.max_rect();
        let at = cell.row_nr as usize;
        let Some(&row) = self.view.order.rows.get(at) else { return };
        let Some(shown) = cell.col_nr.checked_sub(1) else {
            ui.painter().rect_filled(rect, 0.0, self.palette.panel);
            let number = (row + 1).to_string();
            return write(ui, rect, (&number, false), font(text::SMALL), self.palette.weak, ValueKind::Minutes);
        };
        let Some(&column) = self.sheet.columns.get(shown) else { return };
        if self.view.editing.as_ref().is_some_and(|editing| (editing.row, editing.column) == (row, column)) {
            return self.field(ui, rect);
        }
        self.paint(ui, rect, (at, shown), (row, column));
        let response = ui.interact(rect, ui.scope_id().with(("cell", column)), Sense::click_and_drag());
        if response.clicked() || response.drag_started() {
            let extends = ui.input(|input| input.modifiers.shift);
            self.view.cursor = (at, shown);
            if !extends {
                self.view.anchor = (at, shown);
            }
            ui.memory_mut(|memory| memory.request_focus(self.focus));
        } else if ui.rect_contains_pointer(rect)
            && ui.input(|input| input.pointer.primary_down() && input.pointer.is_decidedly_dragging())
            && self.has_focus
        {
            self.view.cursor = (at, shown);
        }
        if response.double_clicked() {
            self.sheet.begin(self.view, None);
        }
        if let Some(why) = self.sheet.wrong.get(&(row, column)) {
            response.on_hover_text(*why);
        }
    }
}

impl Painting<'_> {
    /// Paints the text of a cell, its selection and its error: at its place as it is shown, and in the table.
    fn paint(&self, ui: &mut Ui, rect: Rect, (at, shown): (usize, usize), (row, column): (usize, usize)) {
        let (view, palette) = (&self.view, self.palette);
        let within = |value: usize, one: usize, other: usize| (one.min(other)..=one.max(other)).contains(&value);
        let is_selected =
            within(at, view.cursor.0, view.anchor.0) && within(shown, view.cursor.1, view.anchor.1) && self.has_focus;
        let is_wrong = self.sheet.wrong.contains_key(&(row, column));
        let painter = ui.painter();
        if is_wrong {
            painter.rect_filled(rect, 0.0, palette.bad_soft);
        } else if is_selected && (at, shown) != view.cursor {
            painter.rect_filled(rect, 0.0, palette.accent_soft);
        }
        painter.hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, palette.border.gamma_multiply(0.6)));
        painter.vline(rect.right(), rect.y_range(), Stroke::new(1.0, palette.border.gamma_multiply(0.6)));
        if let Some(cells) = self.sheet.table.rows.get(row) {
            let colour = if is_wrong { palette.bad } else { palette.text };
            write(ui, rect, (cells.cell(column), false), font(text::BODY), colour, self.sheet.spec.kind(column));
        }
        if (at, shown) == view.cursor {
            let colour = if self.has_focus { palette.accent } else { palette.border };
            ui.painter().rect_stroke(rect.shrink(1.0), 2.0, Stroke::new(1.5, colour), StrokeKind::Inside);
        }
    }

    /// Draws the field of the edited cell. Enter and Tab take its text and go on, Escape drops it.
    fn field(&mut self, ui: &mut Ui, rect: Rect) {
        self.shows_field = true;
        let id = self.focus.with("field");
        let takes_focus = std::mem::take(&mut self.view.takes_focus);
        let Some(editing) = &mut self.view.editing else { return };
        let Some(left) = entry::cell(ui, rect, id, &mut editing.text, takes_focus) else { return };
        self.outcome = Some(Place::Left(left));
        if left != Left::Entered(None) {
            ui.memory_mut(|memory| {
                memory.move_focus(FocusDirection::None);
                memory.request_focus(self.focus);
            });
        }
    }
}

/// Width of a column in which the text is not cut.
fn needed(ui: &Ui, text: &str, font: FontId) -> f32 {
    ui.painter().layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER).size().x + 2.0 * MARGIN + 2.0
}

/// Paints the text of a cell or a heading, numbers at the right, with an ellipsis where the column is too narrow. When the widths
/// of columns are determined, takes the room that the text needs.
fn write(ui: &mut Ui, rect: Rect, (text, is_heading): (&str, bool), font: FontId, colour: Color32, kind: ValueKind) {
    if ui.is_sizing_pass() {
        // Only what stands in a column makes it as wide as its kind.
        let least = if text.is_empty() || is_heading { 0.0 } else { width_of(kind) };
        let width = needed(ui, text, font).clamp(least, WIDEST);
        ui.allocate_space(vec2(width, 1.0));
        return;
    }
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let galley = truncated(&painter, text, font, colour, rect.width() - 2.0 * MARGIN);
    let left = if is_number(kind) { rect.right() - MARGIN - galley.size().x } else { rect.left() + MARGIN };
    painter.galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, colour);
}

fn is_number(kind: ValueKind) -> bool {
    matches!(kind, ValueKind::Whole { .. } | ValueKind::Number { .. } | ValueKind::Minutes)
}
