//! List of the exams that have other rooms in the second of two timetables.

use egui::{Label, RichText, Ui};
use egui_extras::Column;
use gridwright_core::numbers::grouped;
use gridwright_timetabling::Instance;
use gridwright_timetabling::comparison::Comparison;

use super::table;
use gridwright_window::theme::{self, palette};
use gridwright_window::widgets::controls::right;
use gridwright_window::widgets::table::{TableColumn, label_row};

/// Draws the entries `shown` of [`Comparison::reseated`]; returns the exam that was clicked; `None` if none was.
pub(super) fn reseated_table(
    ui: &mut Ui, comparison: &Comparison, instance: &Instance, names: [&str; 2], shown: &[usize],
) -> Option<usize> {
    let palette = palette(ui.visuals());
    let rooms = Column::remainder().at_least(80.0).clip(true);
    let columns = vec![
        TableColumn::text("Exam", Column::exact(96.0).clip(true)),
        TableColumn::text(names[0], rooms),
        TableColumn::text(names[1], rooms),
        TableColumn::number("Students", Column::exact(64.0)),
    ];
    let clicked = table(ui, "exams with other rooms", columns, shown.len(), |row, index| {
        let change = &comparison.reseated[shown[index]];
        let data = &instance.exams[change.exam];
        let texts = change.texts(instance);
        row.col(|ui| {
            ui.add(Label::new(theme::bold(&data.code).color(palette.text)).truncate());
        });
        for text in &texts {
            row.col(|ui| {
                ui.add(Label::new(RichText::new(text).color(palette.text)).truncate());
            });
        }
        row.col(|ui| right(ui, &grouped(i64::from(data.enrolment)), palette.text));
        let label = format!("Exam {} has room {} instead of {}", data.code, texts[1], texts[0]);
        label_row(row, false, || label.clone());
        row.response().on_hover_text(label);
    });
    clicked.map(|row| comparison.reseated[shown[row]].exam)
}
