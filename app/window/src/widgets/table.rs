//! Tables whose rows are sorted by a click on a heading and can be clicked.

use std::borrow::Cow;

use egui::{Align, Label, Layout, Response, Sense, Ui, WidgetInfo};
use egui_extras::{Column, TableBuilder, TableRow};

use crate::theme::{self, palette, size};

/// Key of a column by which rows are sorted.
pub trait SortColumn: Copy + PartialEq {
    /// True if the first click on the heading puts the largest value first.
    fn begins_descending(self) -> bool {
        false
    }
}

impl SortColumn for () {}
impl SortColumn for usize {}

/// Column by which rows are sorted, and the direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortOrder<C> {
    /// The column.
    pub by: C,
    /// True if the largest value comes first.
    pub is_descending: bool,
}

impl<C: SortColumn> SortOrder<C> {
    /// The order by a column, the smallest value first.
    pub fn ascending(by: C) -> Self {
        Self { by, is_descending: false }
    }

    /// The order after the first click on the heading of a column.
    pub fn of(by: C) -> Self {
        Self { by, is_descending: by.begins_descending() }
    }

    /// The order after a click on the heading of `column`: the other direction of the same column, else its first one.
    #[must_use]
    pub fn clicked(self, column: C) -> Self {
        if self.by == column { Self { is_descending: !self.is_descending, ..self } } else { Self::of(column) }
    }

    /// The name of `column` with an arrow if rows are sorted by it: «Size ↓».
    pub fn heading(&self, column: &C, name: &str) -> String {
        match (self.by == *column, self.is_descending) {
            (false, _) => name.to_owned(),
            (true, false) => format!("{name} ↑"),
            (true, true) => format!("{name} ↓"),
        }
    }
}

impl<C: SortColumn + Default> Default for SortOrder<C> {
    fn default() -> Self {
        Self::of(C::default())
    }
}

/// Names a heading for screen readers by the effect of a click: «Sort by Size».
pub fn label_heading(response: &Response, name: &str) {
    response.widget_info(|| WidgetInfo::labeled(egui::Role::ColumnHeader, true, format!("Sort by {name}")));
}

/// Names a row for screen readers.
pub fn label_row(row: &TableRow<'_, '_>, is_selected: bool, words: impl Fn() -> String) {
    row.response().widget_info(|| WidgetInfo::selected(egui::Role::Row, true, is_selected, words()));
}

/// Column of a [`Table`].
#[derive(Debug, Clone)]
pub struct TableColumn<'a, C> {
    name: Cow<'a, str>,
    help: Cow<'a, str>,
    is_number: bool,
    by: Option<C>,
    size: Column,
}

impl<'a, C> TableColumn<'a, C> {
    /// Column of texts, whose heading cannot be clicked.
    pub fn text(name: impl Into<Cow<'a, str>>, size: Column) -> Self {
        Self { name: name.into(), help: Cow::default(), is_number: false, by: None, size }
    }

    /// Column of numbers, whose heading cannot be clicked.
    pub fn number(name: impl Into<Cow<'a, str>>, size: Column) -> Self {
        Self { is_number: true, ..Self::text(name, size) }
    }

    /// The column with a heading that sorts the rows by `by`, with a tooltip.
    #[must_use]
    pub fn sorted(self, by: C, help: impl Into<Cow<'a, str>>) -> Self {
        Self { by: Some(by), help: help.into(), ..self }
    }
}

/// Table whose rows can be clicked, sorted by a click on a heading.
#[derive(Debug)]
pub struct Table<'a, C> {
    /// Name of the table within its view.
    pub id: &'a str,
    /// Columns from left to right.
    pub columns: Vec<TableColumn<'a, C>>,
    /// Present order of the rows.
    pub order: SortOrder<C>,
    /// True if every second row is tinted.
    pub is_striped: bool,
    /// Row to bring into view, and where in the view.
    pub reveal: Option<(usize, Option<Align>)>,
}

/// Clicks on a [`Table`].
#[derive(Debug)]
pub struct TableOutcome<C> {
    /// Order after a click on a heading.
    pub order: Option<SortOrder<C>>,
    /// Row that was clicked.
    pub row: Option<usize>,
}

impl<C: SortColumn> Table<'_, C> {
    /// Draws the table; `draw` adds the cells of a row, one per column.
    pub fn show(self, ui: &mut Ui, rows: usize, mut draw: impl FnMut(&mut TableRow<'_, '_>, usize)) -> TableOutcome<C> {
        let mut outcome = TableOutcome { order: None, row: None };
        let mut builder = TableBuilder::new(ui)
            .id_salt(self.id)
            .striped(self.is_striped)
            .sense(Sense::click())
            .cell_layout(Layout::left_to_right(Align::Center))
            .auto_shrink(false);
        for column in &self.columns {
            builder = builder.column(column.size);
        }
        if let Some((row, align)) = self.reveal {
            builder = builder.scroll_to_row(row, align);
        }
        // Room for the scroll bar.
        let table = builder.column(Column::exact(1.0)).header(size::ROW, |mut header| {
            for column in &self.columns {
                header.col(|ui| {
                    if heading(ui, column, self.order) {
                        outcome.order = column.by.map(|by| self.order.clicked(by));
                    }
                });
            }
        });
        table.body(|body| {
            body.rows(size::ROW, rows, |mut row| {
                let index = row.index();
                draw(&mut row, index);
                if row.response().clicked() {
                    outcome.row = Some(index);
                }
            });
        });
        outcome
    }
}

/// Draws a heading; returns `true` if it was clicked.
fn heading<C: SortColumn>(ui: &mut Ui, column: &TableColumn<'_, C>, order: SortOrder<C>) -> bool {
    let palette = palette(ui.visuals());
    let layout = match column.is_number {
        true => Layout::right_to_left(Align::Center),
        false => Layout::left_to_right(Align::Center),
    };
    let draw = |ui: &mut Ui| {
        let words = |words: &str| theme::small(words).family(theme::semi_bold());
        let Some(by) = column.by else {
            ui.add(Label::new(words(&column.name).color(palette.weak)).truncate());
            return false;
        };
        let colour = if order.by == by { palette.accent } else { palette.weak };
        let words = words(&order.heading(&by, &column.name)).color(colour);
        let response = ui.add(Label::new(words).selectable(false).sense(Sense::click()));
        let response = response.on_hover_text(column.help.as_ref());
        label_heading(&response, &column.name);
        response.clicked()
    };
    ui.with_layout(layout, draw).inner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_click_turns_the_direction() {
        #[derive(Debug, Clone, Copy, PartialEq)]
        enum By {
            Name,
            Size,
        }
        impl SortColumn for By {
            fn begins_descending(self) -> bool {
                self == Self::Size
            }
        }
        let order = SortOrder::ascending(By::Size);
        assert_eq!(
            (order.heading(&By::Size, "Size"), order.heading(&By::Name, "Name")),
            ("Size ↑".into(), "Name".into())
        );
        let turned = order.clicked(By::Size);
        assert_eq!((turned.is_descending, turned.heading(&By::Size, "Size")), (true, "Size ↓".to_owned()));
        assert_eq!(turned.clicked(By::Size), order);
        assert_eq!(turned.clicked(By::Name), SortOrder::ascending(By::Name));
        assert!(turned.clicked(By::Name).clicked(By::Size).is_descending, "the largest first");
    }
}
