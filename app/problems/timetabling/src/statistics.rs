//! Statistics that an examination officer reads beside the cost; each number leads to the students it counts.

use std::sync::Arc;

use egui::{Button, Color32, RichText, Ui};
use gridwright_core::numbers::grouped;
use gridwright_timetabling::Instance;
use gridwright_timetabling::counts::{LAST_PERIODS, TimetableStatistics};

use super::Document;
use super::describe::counted;
use super::state::View;
use super::view_state::students::Group;
use super::views::{Filter, Place};
use crate::methods::*;
use gridwright_window::theme::{palette, size};
use gridwright_window::widgets::controls::{coloured_fact, fact_row, sourced_fact};

/// View or list that a number leads to.
enum Way {
    Students(Group),
    Exams(Filter),
    Load,
}

/// Draws a fact that looks like a link under the pointer; returns `true` if it was clicked.
pub(crate) fn link_fact(ui: &mut Ui, name: &str, value: &str, colour: Color32, help: &str) -> bool {
    fact_row(ui, name, value, |ui| {
        let words = RichText::new(value).color(colour).underline();
        let button = Button::new(words).frame(false).corner_radius(size::RADIUS).min_size(egui::vec2(0.0, 18.0));
        let response = ui.add(button);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Link, true, format!("{name}: {value}")));
        response.on_hover_text(help).clicked()
    })
}

/// Shows the counts of the timetable that is shown.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let palette = palette(ui.visuals());
    let instance = Arc::clone(&document.instance);
    let Some(people) = document.people(ui.ctx()) else { return };
    let counts = &people.counts;
    let mut way = None;
    let mut students = |ui: &mut Ui, name: &str, count: u32, group: Group, bad: bool| {
        let colour = if bad && count > 0 { palette.bad } else { palette.text };
        let value = counted(u64::from(count), "student");
        if count == 0 {
            coloured_fact(ui, name, "none", colour);
        } else if link_fact(ui, name, &value, colour, "List these students") {
            way = Some(Way::Students(group));
        }
    };
    students(ui, "With a clash", counts.students_with_clash, Group::Clash, true);
    students(ui, "Two exams in a row", counts.students_in_a_row, Group::InARow, false);
    if let Some((two, three)) = counts.students_two_a_day.zip(counts.students_three_a_day) {
        students(ui, "Two exams in a day", two, Group::TwoADay, false);
        students(ui, "Three or more in a day", three, Group::ThreeADay, false);
    }
    way = exams_and_periods(ui, &instance, counts).or(way);
    if let Some(risk) = people.risk.as_ref().filter(|_| counts.clashes == 0) {
        let causes = risk.causes(&instance);
        let help = if causes.is_empty() { causes } else { format!("Most often with {causes}") };
        sourced_fact(ui, "Late enrolments", &risk.words(), &help);
    }
    match way {
        Some(Way::Students(group)) => {
            document.views.students.list(group);
            document.view = View::Students;
        }
        Some(Way::Exams(filter)) => {
            document.views.filter = filter;
            if !matches!(document.view, View::Grid | View::Exams) {
                document.view = View::Grid;
            }
        }
        Some(Way::Load) => document.view = View::Load,
        None => {}
    }
}

/// The counts of exams and periods; returns where the one that was pressed leads.
fn exams_and_periods(ui: &mut Ui, instance: &Instance, counts: &TimetableStatistics) -> Option<Way> {
    let palette = palette(ui.visuals());
    let mut way = None;
    let none = |ui: &mut Ui, name: &str| coloured_fact(ui, name, "none", palette.text);
    let last = LAST_PERIODS.min(instance.period_count());
    let name = if last == 1 { "In the last period".to_owned() } else { format!("In the last {last} periods") };
    let late = counts.exams_at_the_end;
    if late == 0 {
        none(ui, &name);
    } else if link_fact(ui, &name, &counted(u64::from(late), "exam"), palette.text, "Show these exams") {
        let place = Place::In(instance.period_count() - last..instance.period_count());
        way = Some(Way::Exams(Filter { place, ..Filter::default() }));
    }
    if counts.unplaced > 0 {
        let value = counted(u64::from(counts.unplaced), "exam");
        if link_fact(ui, "Without a period", &value, palette.bad, "Show these exams") {
            way = Some(Way::Exams(Filter { place: Place::Nowhere, ..Filter::default() }));
        }
    }
    match counts.overfull_periods {
        Some(0) => none(ui, "Overfull periods"),
        Some(overfull) => {
            let value = grouped(i64::from(overfull));
            if link_fact(ui, "Overfull periods", &value, palette.bad, "Show students and seats per period") {
                way = Some(Way::Load);
            }
        }
        None => {}
    }
    if let Some((period, most)) = counts.largest_period() {
        let value = format!("{} in period {}", counted(u64::from(most), "student"), period + 1);
        if link_fact(ui, "Fullest period", &value, palette.text, "Show students per period") {
            way = Some(Way::Load);
        }
    }
    way
}
