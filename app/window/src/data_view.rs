//! The view *Data*: the tables of an instance, to be read and edited like a spreadsheet. It knows no problem.
//!
//! Cells are painted, not widgets: a table may have a million rows. One cell is the cursor; the field of the cell that is being
//! edited is a text field.

mod cells;
pub mod edits;
mod form;
mod letterhead;

use std::collections::HashMap;
use std::sync::Arc;

use egui::{Align, Frame, Key, Label, Layout, Margin, Panel, Popup, ScrollArea, Ui, vec2};
use gridwright_core::data::{Dataset, Issue, TableSpec};
use gridwright_core::letterhead::Letterhead;
use gridwright_core::numbers::{counted, grouped};

use self::cells::{Place, Sheet};
pub use self::edits::Edit;
pub(crate) use self::form::form;
pub use self::letterhead::LetterheadEdit;
use self::letterhead::LetterheadEditor;
use crate::theme::{self, palette, size, space};
use crate::widgets::controls::{TabName, bare_icon_button, button, tabs};
use crate::widgets::entry::{Field, Left};
use crate::widgets::icons::Icon;
use crate::widgets::notice::strip::wrapped;
use crate::widgets::table::SortOrder;

#[derive(Debug, Default)]
pub(crate) struct DataView {
    /// Index of the table that is shown.
    table: usize,
    letterhead: LetterheadEditor,
    /// Text that shown rows contain; empty for all rows.
    filter: String,
    /// Order of the rows; `None` for that of the data.
    sort: Option<SortOrder<usize>>,
    /// Cell of the cursor, as shown row and column.
    cursor: (usize, usize),
    /// Opposite corner of the selected cells.
    anchor: (usize, usize),
    /// Cell that is being edited.
    editing: Option<Editing>,
    /// True if the field of the edited cell is to get the focus.
    takes_focus: bool,
    /// True if the cells are to get the focus, so that keys mean the cell of the cursor.
    claims_focus: bool,
    /// Row that is to be brought into view.
    scroll: Option<usize>,
    /// Column that is to be brought into view.
    scroll_column: Option<usize>,
    /// Name of the column that is being added.
    new_column: String,
    order: Order,
    /// True if the shown rows stay in their order although a cell was changed.
    keeps_order: bool,
}

/// A cell that is being edited: its place in the data and the text that was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Editing {
    /// Row as an index of the table.
    row: usize,
    column: usize,
    text: String,
}

/// Shown rows of a table, as indices of the table.
#[derive(Debug, Default)]
struct Order {
    rows: Vec<usize>,
    /// Input that the order was computed from.
    of: Option<Origin>,
}

/// Data, table, filter and sorting of an order of rows.
type Origin = (Arc<Dataset>, usize, String, Option<SortOrder<usize>>);

/// Data that are shown.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    /// Declaration of the tables.
    pub specs: &'static [TableSpec],
    /// The data.
    pub data: &'a Arc<Dataset>,
    /// Cells that make no sense.
    pub(crate) issues: &'a [Issue],
    /// True while the instance of the data is being built.
    pub is_busy: bool,
    /// Noun of a solution, such as «timetable».
    pub plan: &'static str,
    /// Institution, logo and language of printed documents.
    pub letterhead: &'a Letterhead,
    /// True if documents are written in other languages, too.
    pub(crate) has_languages: bool,
}

/// Change that a person has made in the view.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Data(Edit),
    Letterhead(LetterheadEdit),
}

/// Height in points of the line below the cells that names values which cannot be used.
const ISSUES: f32 = 56.0;

impl DataView {
    pub(crate) fn show(&mut self, ui: &mut Ui, shown: Shown<'_>) -> Option<Change> {
        self.table = self.table.min(shown.specs.len().saturating_sub(1));
        let (edit, letterhead) = self.tables(ui, shown);
        let edit = edit.or(self.rows(ui, shown));
        letterhead.map(Change::Letterhead).or(edit.map(Change::Data))
    }

    /// Draws the shown table; returns the data after an edit.
    fn rows(&mut self, ui: &mut Ui, shown: Shown<'_>) -> Option<Edit> {
        // Below the cells, and always of one height: rows stay where they are when a value becomes wrong or right.
        let panel = Panel::bottom("data issues").resizable(false).show_separator_line(false).frame(Frame::new());
        panel.exact_size(ISSUES).show(ui, |ui| self.issues(ui, shown));
        if shown.specs[self.table].is_form {
            let form = |ui: &mut Ui| form(ui, shown, self.table);
            return ScrollArea::vertical().auto_shrink(false).show(ui, form).inner;
        }
        self.update_order(shown.data);
        let edit = self.toolbar(ui, shown);
        ui.add_space(space::XS);
        edit.or(self.sheet(ui, shown))
    }

    /// Draws the names of the tables, and the name and letterhead of the instance, which can be changed.
    fn tables(&mut self, ui: &mut Ui, shown: Shown<'_>) -> (Option<Edit>, Option<LetterheadEdit>) {
        let name = |(at, spec): (usize, &TableSpec)| {
            let wrong = shown.issues.iter().filter(|issue| issue.table == Some(at)).count();
            let mark = if wrong > 0 { format!("{} wrong", grouped(wrong as u64)) } else { String::new() };
            let name = match spec.is_form {
                true => spec.title.to_owned(),
                false => format!("{} {}", spec.title, grouped(shown.data.tables[at].rows.len() as u64)),
            };
            (name, mark)
        };
        let names: Vec<(String, String)> = shown.specs.iter().enumerate().map(name).collect();
        let named = names.iter().zip(shown.specs);
        let helped: Vec<TabName<'_>> =
            named.map(|((name, mark), spec)| TabName { mark, ..TabName::new(name, spec.help) }).collect();
        let (mut edit, mut letterhead) = (None, None);
        ui.horizontal_wrapped(|ui| {
            if let Some(table) = tabs(ui, &helped, self.table) {
                let letterhead = std::mem::take(&mut self.letterhead);
                *self = Self { table, letterhead, ..Self::default() };
            }
            ui.add_space(space::M);
            // The name is on one line with its field.
            let room = vec2(250.0, ui.spacing().interact_size.y);
            edit = ui
                .allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| Self::name(ui, shown))
                .inner;
            letterhead = self.letterhead.show(ui, shown.letterhead, shown.has_languages);
        });
        ui.add_space(space::XS);
        (edit, letterhead)
    }

    /// Draws the name of the instance.
    fn name(ui: &mut Ui, shown: Shown<'_>) -> Option<Edit> {
        ui.label(theme::small("Name").color(palette(ui.visuals()).weak));
        ui.add_space(space::XS);
        let field = Field::new("Name").hint(&shown.data.name).width(200.0).enabled(!shown.is_busy);
        let field = field.help("The name that documents, calendars and tables are titled with");
        let entered = field.show(ui, &shown.data.name).entered?;
        let name = entered.trim();
        if name.is_empty() || name == shown.data.name {
            return None;
        }
        let data = Dataset { name: name.to_owned(), ..(**shown.data).clone() };
        Some(Edit::of("change the name", data))
    }

    /// Draws how many values make no sense, and a button that goes to the next of them.
    fn issues(&mut self, ui: &mut Ui, shown: Shown<'_>) {
        let palette = palette(ui.visuals());
        ui.add_space(space::S);
        if shown.is_busy {
            ui.label(theme::small("The changed data are being read…").color(palette.weak));
            return;
        }
        let Some(first) = shown.issues.first() else {
            ui.label(theme::small("All values can be used.").color(palette.weak));
            return;
        };
        let frame =
            Frame::new().fill(palette.bad_soft).corner_radius(size::RADIUS).inner_margin(Margin::symmetric(10, 6));
        frame.show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if button(ui, Icon::Search, "Next", true).on_hover_text("Go to the next of these values").clicked()
                    {
                        self.go_to_next_issue(shown);
                    }
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        let text = format!(
                            "{} cannot be used; the {} is still that of the former data. {}",
                            counted(shown.issues.len() as u64, "value"),
                            shown.plan,
                            first.text(shown.specs),
                        );
                        let galley = wrapped(ui, &text, 2, palette.text);
                        let is_cut = galley.elided;
                        let label = ui.add(Label::new(galley));
                        if is_cut {
                            label.on_hover_text(text);
                        }
                    });
                });
            });
        });
    }

    /// Moves the cursor to the next cell with an issue, in another table if this one has none below.
    fn go_to_next_issue(&mut self, shown: Shown<'_>) {
        let columns = shown_columns(shown, self.table);
        let cursor = columns.get(self.cursor.1).copied().unwrap_or(0);
        let present = (self.table, self.order.rows.get(self.cursor.0).copied().unwrap_or(0), cursor);
        let place = |issue: &&Issue| (issue.table.unwrap_or(0), issue.row.unwrap_or(0), issue.column.unwrap_or(0));
        let next = shown.issues.iter().filter(|issue| place(issue) > present).min_by_key(place);
        let Some(issue) = next.or_else(|| shown.issues.iter().min_by_key(place)) else { return };
        let (table, row, column) = place(&issue);
        if table != self.table || !self.filter.is_empty() {
            *self = Self { table, ..Self::default() };
            self.update_order(shown.data);
        }
        let at = self.order.rows.iter().position(|shown| *shown == row).unwrap_or(0);
        let columns = shown_columns(shown, table);
        let column = columns.iter().position(|shown| *shown == column).unwrap_or(0);
        (self.cursor, self.anchor) = ((at, column), (at, column));
        (self.scroll, self.scroll_column) = (Some(at), Some(column));
        self.claims_focus = true;
    }

    /// Computes which rows are shown, and in which order, if anything has changed.
    fn update_order(&mut self, data: &Arc<Dataset>) {
        let is_known = self.order.of.as_ref().is_some_and(|(of, table, filter, sort)| {
            Arc::ptr_eq(of, data) && *table == self.table && *filter == self.filter && *sort == self.sort
        });
        if is_known {
            return;
        }
        let keeps = std::mem::take(&mut self.keeps_order);
        if let Some((of, table, filter, sort)) = self.order.of.as_mut().filter(|_| keeps)
            && (*table, &*filter, *sort) == (self.table, &self.filter, self.sort)
            && of.tables[*table].rows.len() == data.tables[*table].rows.len()
        {
            // A row does not jump away, nor vanish, because a cell was typed: the next click is meant for what is seen.
            *of = Arc::clone(data);
            return;
        }
        let rows = &data.tables[self.table].rows;
        let wanted = self.filter.trim().to_lowercase();
        let is_shown = |row: &gridwright_core::data::Row| {
            wanted.is_empty() || row.cells().any(|cell| cell.to_lowercase().contains(&wanted))
        };
        let mut order: Vec<usize> =
            rows.iter().enumerate().filter(|(_, row)| is_shown(row)).map(|(index, _)| index).collect();
        if let Some(SortOrder { by: column, is_descending }) = self.sort {
            let cells: Vec<&str> = rows.iter().map(|row| row.cell(column)).collect();
            let number = |row: &usize| cells[*row].parse::<f64>().ok();
            order.sort_by(|a, b| match (number(a), number(b)) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                (one, other) => one.is_none().cmp(&other.is_none()).then_with(|| cells[*a].cmp(cells[*b])),
            });
            if is_descending {
                order.reverse();
            }
        }
        self.order = Order { rows: order, of: Some((Arc::clone(data), self.table, self.filter.clone(), self.sort)) };
        let last = self.order.rows.len().saturating_sub(1);
        (self.cursor.0, self.anchor.0) = (self.cursor.0.min(last), self.anchor.0.min(last));
    }

    /// Draws the commands above the table.
    fn toolbar(&mut self, ui: &mut Ui, shown: Shown<'_>) -> Option<Edit> {
        let (specs, table) = (shown.specs, self.table);
        let spec = &specs[table];
        let mut edit = None;
        ui.horizontal_wrapped(|ui| {
            let add = format!("Add {}", spec.noun);
            if button(ui, Icon::Plus, &add, true).on_hover_text("Add a row at the end").clicked() {
                edit = Some(edits::add_row(shown.data, specs, table));
                (self.filter, self.sort) = (String::new(), None);
                let last = shown.data.tables[table].rows.len();
                (self.cursor, self.anchor, self.scroll) = ((last, 0), (last, 0), Some(last));
                self.claims_focus = true;
            }
            let cells = self.selected(shown);
            let words = if cells.rows.len() > 1 {
                format!("Remove {} rows", grouped(cells.rows.len() as u64))
            } else {
                "Remove row".to_owned()
            };
            let remove = button(ui, Icon::Trash, &words, !cells.rows.is_empty());
            if remove.on_hover_text("Remove the rows of the selected cells").clicked() {
                edit = Some(edits::remove_rows(shown.data, specs, table, &cells.rows));
                self.claims_focus = true;
            }
            edit = edit.take().or(self.columns(ui, shown));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if !self.filter.is_empty() && bare_icon_button(ui, Icon::Cross, "Show all rows", true).clicked() {
                    self.filter.clear();
                }
                Field::new("Filter").hint("Filter").width(140.0).margin(8, 4).live(ui, &mut self.filter);
                let (few, all) = (self.order.rows.len() as u64, shown.data.tables[table].rows.len() as u64);
                let text = if few == all {
                    counted(all, spec.noun)
                } else {
                    format!("{} of {}", grouped(few), counted(all, spec.noun))
                };
                ui.label(theme::small(text).color(palette(ui.visuals()).weak));
            });
        });
        edit
    }

    /// Draws the commands for columns that the person names.
    fn columns(&mut self, ui: &mut Ui, shown: Shown<'_>) -> Option<Edit> {
        let (specs, table) = (shown.specs, self.table);
        let further = specs[table].further?;
        let mut edit = None;
        let add = button(ui, Icon::Plus, &format!("Add {}…", further.noun), true).on_hover_text(further.help);
        Popup::menu(&add).close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
            ui.set_min_width(220.0);
            ui.label(format!("Name of the {}", further.noun));
            let field = Field::new("Name of the column").width(200.0).live(ui, &mut self.new_column);
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if button(ui, Icon::Check, "Add", !self.new_column.trim().is_empty()).clicked() || entered {
                edit = edits::add_column(shown.data, specs, table, &self.new_column);
                self.new_column.clear();
                ui.close();
            }
        });
        let column = shown_columns(shown, table).get(self.cursor.1).copied().unwrap_or(0);
        if column >= specs[table].columns.len() {
            let name = shown.data.tables[table].heading(&specs[table], column);
            if button(ui, Icon::Trash, &format!("Remove {name}"), true).on_hover_text("Remove this column").clicked() {
                edit = edits::remove_column(shown.data, specs, table, column);
                self.cursor.1 = 0;
                self.anchor.1 = 0;
            }
        }
        edit
    }

    fn selected(&self, shown: Shown<'_>) -> edits::Cells {
        let [from, to] = [self.cursor.0.min(self.anchor.0), self.cursor.0.max(self.anchor.0)];
        let rows = self.order.rows.get(from..(to + 1).min(self.order.rows.len())).unwrap_or_default().to_vec();
        let [first, last] = [self.cursor.1.min(self.anchor.1), self.cursor.1.max(self.anchor.1)];
        let columns = shown_columns(shown, self.table).into_iter().skip(first).take(last - first + 1).collect();
        edits::Cells { rows, columns }
    }

    /// Draws the table and takes keys for it.
    fn sheet(&mut self, ui: &mut Ui, shown: Shown<'_>) -> Option<Edit> {
        let (spec, table) = (&shown.specs[self.table], &shown.data.tables[self.table]);
        let wrong: HashMap<(usize, usize), &str> = shown
            .issues
            .iter()
            .filter(|issue| issue.table == Some(self.table))
            .filter_map(|issue| Some(((issue.row?, issue.column.unwrap_or(0)), issue.what.as_str())))
            .collect();
        let columns = spec.shown_columns(table.width(spec));
        let sheet = Sheet { spec, table, columns, wrong, at: self.table };
        let place = sheet.show(ui, self);
        match place {
            Some(Place::Heading(column)) => {
                self.sort = match self.sort {
                    None => Some(SortOrder::ascending(column)),
                    Some(order) => {
                        Some(order.clicked(column)).filter(|_| order != SortOrder { by: column, is_descending: true })
                    }
                };
                None
            }
            Some(Place::Left(left)) => self.leave(ui, shown, left),
            Some(Place::Keys(keys)) => self.keys(ui, shown, &keys),
            None => None,
        }
    }

    /// Takes the text over into the cell in which it was typed, and moves the cursor on from there after Enter and Tab.
    fn leave(&mut self, ui: &Ui, shown: Shown<'_>, left: Left) -> Option<Edit> {
        let Editing { row, column, text } = self.editing.take()?;
        let Left::Entered(key) = left else { return None };
        let (rows, columns) = (self.order.rows.len(), shown.data.tables[self.table].width(&shown.specs[self.table]));
        match key {
            Some(Key::Tab) => cells::moved(self, Key::Tab, ui.input(|input| input.modifiers), rows, columns),
            Some(_) => cells::moved(self, Key::ArrowDown, egui::Modifiers::NONE, rows, columns),
            None => {}
        }
        let edit = edits::set_cell(shown.data, shown.specs, self.table, row, column, &text);
        self.keeps_order = edit.is_some();
        edit
    }

    /// Runs what the pressed keys mean for the selected cells.
    fn keys(&mut self, ui: &Ui, shown: Shown<'_>, keys: &[cells::Pressed]) -> Option<Edit> {
        let mut edit = None;
        for pressed in keys {
            match pressed {
                cells::Pressed::Copy => {
                    ui.copy_text(edits::copied(shown.data, self.table, &self.selected(shown)));
                }
                cells::Pressed::Clear => {
                    edit = Some(edits::clear(shown.data, shown.specs, self.table, &self.selected(shown)));
                }
                cells::Pressed::Paste(text) => {
                    let (rows, columns) = (&self.order.rows, shown_columns(shown, self.table));
                    let to = (self.cursor.0, columns.get(self.cursor.1..).unwrap_or_default());
                    edit = edits::paste(shown.data, shown.specs, self.table, rows, to, text);
                    self.show_added(shown, edit.as_ref());
                }
            }
        }
        edit
    }

    /// Selects the rows that an edit has added at the end.
    fn show_added(&mut self, shown: Shown<'_>, edit: Option<&Edit>) {
        let rows = |data: &Dataset| data.tables[self.table].rows.len();
        let Some((before, after)) = edit.map(|edit| (rows(shown.data), rows(&edit.data))) else { return };
        if after > before {
            let columns = shown.data.tables[self.table].width(&shown.specs[self.table]);
            (self.filter, self.sort) = (String::new(), None);
            (self.cursor, self.anchor) = ((before, 0), (after - 1, columns.saturating_sub(1)));
            // As many of the rows as a small table shows.
            self.scroll = Some((before + 8).min(after - 1));
        }
    }
}

/// Columns of a table in the order in which they are shown.
fn shown_columns(shown: Shown<'_>, table: usize) -> Vec<usize> {
    let spec = &shown.specs[table];
    spec.shown_columns(shown.data.tables[table].width(spec))
}
