//! Parts of tables whose rows are sorted by a click on a heading: the order, the arrow and the name for screen readers.

use egui::{Response, WidgetInfo};

/// Column by which rows are sorted, and the direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SortOrder<C> {
    /// The column.
    pub by: C,
    /// True if the largest value comes first.
    pub is_descending: bool,
}

impl<C: PartialEq> SortOrder<C> {
    /// The order by a column, the smallest value first.
    pub fn ascending(by: C) -> Self {
        Self { by, is_descending: false }
    }

    /// The order after a click on the heading of `column`: the other direction of the same column, else ascending.
    #[must_use]
    pub fn clicked(self, column: C) -> Self {
        Self { is_descending: self.by == column && !self.is_descending, by: column }
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

/// Names a heading for screen readers by the effect of a click: «Sort by Size».
pub fn label_heading(response: &Response, name: &str) {
    response.widget_info(|| WidgetInfo::labeled(egui::Role::ColumnHeader, true, format!("Sort by {name}")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_click_turns_the_direction() {
        let order = SortOrder::ascending("Size");
        assert_eq!((order.heading(&"Size", "Size"), order.heading(&"Name", "Name")), ("Size ↑".into(), "Name".into()));
        let turned = order.clicked("Size");
        assert_eq!((turned.is_descending, turned.heading(&"Size", "Size")), (true, "Size ↓".to_owned()));
        assert_eq!(turned.clicked("Size"), order);
        assert_eq!(turned.clicked("Name"), SortOrder::ascending("Name"));
    }
}
