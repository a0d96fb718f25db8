//! The view *Data*: the tables of an instance, to be read and edited like a spreadsheet. It knows no problem.
//!
//! Cells are painted, not widgets: a table may have a million rows. One cell is the cursor; the field of the cell that is being
//! edited is a text field.

mod cells;
pub mod edits;
mod letterhead;

use std::collections::HashMap;
use std::sync::Arc;

use egui::{
    Align, ComboBox, Frame, Key, Label, Layout, Margin, Panel, Popup, RichText, ScrollArea, TextEdit, Ui, vec2,
};
use gridwright_core::data::{Dataset, Issue, TableSpec, ValueKind};
use gridwright_core::letterhead::Letterhead;
use gridwright_core::numbers::{counted, grouped};
use gridwright_core::text::sentence_case;

use self::cells::{Place, Sheet};
pub use self::edits::Edit;
pub use self::letterhead::LetterheadEdit;
use self::letterhead::LetterheadEditor;
use crate::theme::{self, palette, size, space};
use crate::widgets::controls::{bare_icon_button, button, named, tabs};
use crate::widgets::icons::Icon;
use crate::widgets::table::SortOrder;

#[derive(Debug, Default)]
pub(crate) struct DataView {
    /// Index of the table that is shown.
    table: usize,
    /// Name of the instance while it is being edited.
    name: Option<String>,
    letterhead: LetterheadEditor,
    /// Text that shown rows contain; empty for all rows.
    filter: String,
    /// Order of the rows; `None` for that of the data.
    sort: Option<SortOrder<usize>>,
    /// Cell of the cursor, as shown row and column.
    cursor: (usize, usize),
    /// Opposite corner of the selected cells.
    anchor: (usize, usize),
    /// Text of the cell that is being edited.
    editing: Option<String>,
    /// True if the field of the edited cell is to get the focus.
    takes_focus: bool,
    /// True if the cells are to get the focus, so that keys mean the cell of the cursor.
    claims_focus: bool,
    /// Number of values that made no sense in the last frame.
    issue_count: usize,
    /// Key by which the edited cell was left, with the modifiers and the numbers of rows and columns.
    leave: Option<(Key, egui::Modifiers, usize, usize)>,
    /// Row that is to be brought into view.
    scroll: Option<usize>,
    /// Column that is to be brought into view.
    scroll_column: Option<usize>,
    /// Name of the column that is being added.
    new_column: String,
    order: Order,
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
    /// Institution and logo of printed documents.
    pub letterhead: &'a Letterhead,
}

/// Change that a person has made in the view.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Data(Edit),
    Letterhead(LetterheadEdit),
}

impl DataView {
    pub(crate) fn show(&mut self, ui: &mut Ui, shown: Shown<'_>) -> Option<Change> {
        self.table = self.table.min(shown.specs.len().saturating_sub(1));
        let (edit, letterhead) = self.tables(ui, shown);
        let edit = edit.or(self.rows(ui, shown));
        letterhead.map(Change::Letterhead).or(edit.map(Change::Data))
    }

    /// Draws the shown table; returns the data after an edit.
    fn rows(&mut self, ui: &mut Ui, shown: Shown<'_>) -> Option<Edit> {
        if shown.is_busy || !shown.issues.is_empty() {
            // Below the cells, which stay where they are.
            let panel = Panel::bottom("data issues").resizable(false).show_separator_line(false).frame(Frame::new());
            panel.show(ui, |ui| self.issues(ui, shown));
        }
        if std::mem::replace(&mut self.issue_count, shown.issues.len()) != shown.issues.len() {
            self.scroll = Some(self.cursor.0);
        }
        if shown.specs[self.table].is_form {
            let form = |ui: &mut Ui| self.form(ui, shown, self.table);
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
            let mark = if wrong > 0 { format!(" ({} wrong)", grouped(wrong as u64)) } else { String::new() };
            match spec.is_form {
                true => format!("{}{mark}", spec.title),
                false => format!("{} {}{mark}", spec.title, grouped(shown.data.tables[at].rows.len() as u64)),
            }
        };
        let names: Vec<String> = shown.specs.iter().enumerate().map(name).collect();
        let helped: Vec<(&str, &str)> =
            names.iter().zip(shown.specs).map(|(name, spec)| (name.as_str(), spec.help)).collect();
        let (mut edit, mut letterhead) = (None, None);
        ui.horizontal_wrapped(|ui| {
            if let Some(table) = tabs(ui, &helped, self.table) {
                let letterhead = std::mem::take(&mut self.letterhead);
                *self = Self { table, letterhead, ..Self::default() };
            }
            ui.add_space(space::M);
            // The name is on one line with its field.
            let room = vec2(250.0, ui.spacing().interact_size.y);
            edit =
                ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| self.name(ui, shown)).inner;
            letterhead = self.letterhead.show(ui, shown.letterhead);
        });
        ui.add_space(space::XS);
        (edit, letterhead)
    }

    /// Draws the name of the instance; a changed one counts when the field is left.
    fn name(&mut self, ui: &mut Ui, shown: Shown<'_>) -> Option<Edit> {
        let label = ui.label(theme::small("Name").color(palette(ui.visuals()).weak));
        ui.add_space(space::XS);
        let (was_edited, before) = (self.name.is_some(), self.name.take());
        let mut text = before.unwrap_or_else(|| shown.data.name.clone());
        let field = TextEdit::singleline(&mut text).desired_width(200.0).hint_text(shown.data.name.as_str());
        let response = ui.add_enabled(!shown.is_busy, field).labelled_by(label.id);
        let response = response.on_hover_text("The name that documents, calendars and tables are titled with");
        if response.has_focus() || response.changed() {
            self.name = Some(text);
            return None;
        }
        let name = text.trim();
        let is_given_up = ui.input(|input| input.key_pressed(Key::Escape));
        if !was_edited || is_given_up || name.is_empty() || name == shown.data.name {
            return None;
        }
        let data = Dataset { name: name.to_owned(), ..(**shown.data).clone() };
        Some(Edit { name: "change the name".to_owned(), data })
    }

    /// Draws how many values make no sense, and a button that goes to the next of them.
    fn issues(&mut self, ui: &mut Ui, shown: Shown<'_>) {
        let palette = palette(ui.visuals());
        ui.add_space(space::S);
        if shown.is_busy {
            ui.label(theme::small("The changed data are being read…").color(palette.weak));
            return;
        }
        let Some(first) = shown.issues.first() else { return };
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
                        ui.add(Label::new(RichText::new(text).color(palette.text)).wrap());
                    });
                });
            });
        });
    }

    /// Moves the cursor to the next cell with an issue, in another table if this one has none below.
    fn go_to_next_issue(&mut self, shown: Shown<'_>) {
        let present = (self.table, self.order.rows.get(self.cursor.0).copied().unwrap_or(0), self.cursor.1);
        let place = |issue: &&Issue| (issue.table.unwrap_or(0), issue.row.unwrap_or(0), issue.column.unwrap_or(0));
        let next = shown.issues.iter().filter(|issue| place(issue) > present).min_by_key(place);
        let Some(issue) = next.or_else(|| shown.issues.iter().min_by_key(place)) else { return };
        let (table, row, column) = place(&issue);
        if table != self.table || !self.filter.is_empty() {
            *self = Self { table, ..Self::default() };
            self.update_order(shown.data);
        }
        let at = self.order.rows.iter().position(|shown| *shown == row).unwrap_or(0);
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
            let cells = self.selected();
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
                let field = TextEdit::singleline(&mut self.filter).hint_text("Filter").desired_width(140.0);
                let field = ui.add(field.margin(Margin::symmetric(8, 4)));
                field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Filter"));
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
            let field = ui.add(TextEdit::singleline(&mut self.new_column).desired_width(200.0));
            field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Name of the column"));
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if button(ui, Icon::Check, "Add", !self.new_column.trim().is_empty()).clicked() || entered {
                edit = edits::add_column(shown.data, specs, table, &self.new_column);
                self.new_column.clear();
                ui.close();
            }
        });
        let column = self.cursor.1;
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

    fn selected(&self) -> edits::Cells {
        let [from, to] = [self.cursor.0.min(self.anchor.0), self.cursor.0.max(self.anchor.0)];
        let rows = self.order.rows.get(from..(to + 1).min(self.order.rows.len())).unwrap_or_default().to_vec();
        let columns = self.cursor.1.min(self.anchor.1)..=self.cursor.1.max(self.anchor.1);
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
        let sheet = Sheet { spec, table, wrong, at: self.table };
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
            Some(Place::Entered(text)) => self.enter(shown, &text),
            Some(Place::Keys(keys)) => self.keys(ui, shown, &keys),
            None => None,
        }
    }

    fn enter(&mut self, shown: Shown<'_>, text: &str) -> Option<Edit> {
        self.editing = None;
        let (row, column) = (self.order.rows.get(self.cursor.0).copied(), self.cursor.1);
        cells::leave(self);
        edits::set_cell(shown.data, shown.specs, self.table, row?, column, text)
    }

    /// Runs what the pressed keys mean for the selected cells.
    fn keys(&mut self, ui: &Ui, shown: Shown<'_>, keys: &[cells::Pressed]) -> Option<Edit> {
        let mut edit = None;
        for pressed in keys {
            match pressed {
                cells::Pressed::Copy => {
                    ui.copy_text(edits::copied(shown.data, self.table, &self.selected()));
                }
                cells::Pressed::Clear => {
                    edit = Some(edits::clear(shown.data, shown.specs, self.table, &self.selected()));
                }
                cells::Pressed::Paste(text) => {
                    let rows = &self.order.rows;
                    edit = edits::paste(shown.data, shown.specs, self.table, rows, self.cursor, text);
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

    pub(crate) fn form(&mut self, ui: &mut Ui, shown: Shown<'_>, table: usize) -> Option<Edit> {
        let palette = palette(ui.visuals());
        let spec = &shown.specs[table];
        let mut edit = None;
        ui.scope(|ui| {
            ui.set_max_width(560.0);
            ui.label(RichText::new(spec.help).color(palette.weak));
            ui.add_space(space::S);
            for (column, field) in spec.columns.iter().enumerate() {
                let present = shown.data.tables[table].rows.get(0).map_or("", |row| row.cell(column)).to_owned();
                let issue =
                    shown.issues.iter().find(|issue| issue.table == Some(table) && issue.column == Some(column));
                ui.label(theme::bold(field.heading()));
                let entered = self.form_field(ui, column, &present, field.kind, field.title);
                if let Some(text) = entered {
                    edit = edits::set_cell(shown.data, shown.specs, table, 0, column, &text);
                }
                let (text, colour) = match issue {
                    Some(issue) => (sentence_case(&issue.what), palette.bad),
                    None => (field.help.to_owned(), palette.weak),
                };
                ui.add(Label::new(theme::small(text).color(colour)).wrap());
                ui.add_space(space::S);
            }
        });
        edit
    }

    /// Draws the field of a form; returns its text when it was entered.
    fn form_field(&mut self, ui: &mut Ui, column: usize, present: &str, kind: ValueKind, name: &str) -> Option<String> {
        if let ValueKind::Choice(choices) = kind {
            let mut chosen = None;
            let combo = ComboBox::from_id_salt(("form", column)).selected_text(present).width(220.0);
            let list = |ui: &mut Ui| {
                for choice in choices {
                    if ui.selectable_label(*choice == present, *choice).clicked() {
                        chosen = Some((*choice).to_owned());
                    }
                }
            };
            named(ui, name, "", |ui| combo.show_ui(ui, list).response);
            return chosen;
        }
        if kind == ValueKind::Mark {
            let mut is_marked = present == "yes";
            let changed = ui.checkbox(&mut is_marked, name).changed();
            return changed.then(|| if is_marked { "yes".to_owned() } else { String::new() });
        }
        // The text lives in the field while it has the focus, and in the data otherwise.
        let is_edited = self.editing.is_some() && self.cursor.1 == column;
        let mut text = self.editing.clone().filter(|_| is_edited).unwrap_or_else(|| present.to_owned());
        let field = ui.add(TextEdit::singleline(&mut text).desired_width(220.0).margin(Margin::symmetric(8, 5)));
        field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, name));
        if field.has_focus() {
            (self.cursor.1, self.editing) = (column, Some(text));
            return None;
        }
        if field.lost_focus() {
            self.editing = None;
            return Some(text);
        }
        None
    }
}
