//! List of the exams that have other rooms in the second of two timetables.

use egui::{Label, RichText, Ui, WidgetInfo};
use egui_extras::Column;
use gridwright_core::numbers::grouped;
use gridwright_timetabling::Instance;
use gridwright_timetabling::comparison::Comparison;

use super::table;
use gridwright_window::theme::{self, palette, size};
use gridwright_window::widgets::controls::right;

/// Draws the entries `shown` of [`Comparison::reseated`]; returns the exam that was clicked; `None` if none was.
pub(super) fn reseated_table(
    ui: &mut Ui, comparison: &Comparison, instance: &Instance, names: [&str; 2], shown: &[usize],
) -> Option<usize> {
    let palette = palette(ui.visuals());
    let mut clicked = None;
    let heads = [("Exam", false), (names[0], false), (names[1], false), ("Students", true)];
    let rooms = Column::remainder().at_least(80.0).clip(true);
    let columns = [Column::exact(96.0).clip(true), rooms, rooms, Column::exact(64.0)];
    table(ui, "exams with other rooms", &heads, &columns).body(|body| {
        body.rows(size::ROW, shown.len(), |mut row| {
            let change = &comparison.reseated[shown[row.index()]];
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
            let response = row.response();
            let label = format!("Exam {} has room {} instead of {}", data.code, texts[1], texts[0]);
            response.widget_info(|| WidgetInfo::labeled(egui::Role::Row, true, &label));
            if response.clicked() {
                clicked = Some(change.exam);
            }
            response.on_hover_text(label);
        });
    });
    clicked
}
