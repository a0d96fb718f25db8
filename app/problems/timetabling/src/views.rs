//! State that all views of one timetable share: filter, search, the order of exams.

use egui::{RichText, Ui};
use gridwright_timetabling::counts::LAST_PERIODS;
use gridwright_timetabling::{Instance, drawing};

use super::Document;
pub use super::view_state::views::{Filter, Order, Place};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::choices::Choices;
use gridwright_window::widgets::controls::icon_button;
use gridwright_window::widgets::entry::{Field, Number};
use gridwright_window::widgets::icons::Icon;

pub use drawing::Sort;

/// Returns the label of a sort order and its explanation.
pub(crate) fn sort_words(sort: Sort) -> (&'static str, &'static str) {
    match sort {
        Sort::Degree => ("Degree", "Exams with the most conflicts first"),
        Sort::Size => ("Size", "Exams with the most students first"),
        Sort::Name => ("Name", "By code"),
        Sort::Period => ("Period", "By period: the grid becomes a staircase"),
        Sort::Cost => ("Cost", "Exams with the highest share of the cost first"),
    }
}

/// A check box that is called `name` even where only `words`, or nothing, stand beside it.
pub fn toggle(ui: &mut Ui, on: &mut bool, name: &str, words: &str) -> egui::Response {
    let response = ui.checkbox(on, words);
    let now = *on;
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, now, name));
    response
}

/// A menu of orders.
pub(crate) fn sort_menu(ui: &mut Ui, sort: &mut Sort, choices: &[Sort]) {
    let palette = palette(ui.visuals());
    ui.label(theme::small("Sort by").color(palette.weak));
    Choices::new("Sort by", sort_words(*sort).0).width(84.0).help("The order of the exams").show(ui, |ui| {
        for &choice in choices {
            let (name, help) = sort_words(choice);
            ui.selectable_value(sort, choice, name).on_hover_text(help);
        }
    });
}

/// Draws the button that opens the filter, with the number of exams that pass if some are hidden.
pub(crate) fn filter_menu(ui: &mut Ui, document: &mut Document, shown: usize) {
    let palette = palette(ui.visuals());
    let all = document.instance.exam_count();
    let words = match document.views.filter.is_empty() {
        true => RichText::new("Filter"),
        false => theme::bold(format!("{shown} of {all} exams")).color(palette.accent),
    };
    let instance = std::sync::Arc::clone(&document.instance);
    let largest = document.facts.largest_exam;
    let button = egui::Button::new(words);
    let config =
        egui::containers::menu::MenuConfig::new().close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
    let (response, _) = egui::containers::menu::MenuButton::from_button(button).config(config).ui(ui, |ui| {
        filter_fields(ui, &instance, largest, &mut document.views.filter);
    });
    response.on_hover_text("Show only some of the exams");
    if !document.views.filter.is_empty() && icon_button(ui, Icon::Cross, "Show all exams", true).clicked() {
        document.views.filter = Filter::default();
    }
}

fn filter_fields(ui: &mut Ui, instance: &Instance, largest: u32, filter: &mut Filter) {
    ui.set_min_width(230.0);
    ui.spacing_mut().item_spacing.y = space::S;
    let name = "Code or title contains";
    Field::new(name).hint(name).width(220.0).live(ui, &mut filter.text);
    ui.checkbox(&mut filter.clashing, "Only exams with a clash");
    ui.horizontal(|ui| {
        ui.label("At least");
        let field = Number::new("Fewest students", &mut filter.at_least).range(0..=largest).unit("students");
        ui.add(field.help("Only exams with at least so many students"));
    });
    ui.horizontal(|ui| {
        ui.label("In");
        Choices::new("Period of the exams", place_words(instance, &filter.place))
            .width(170.0)
            .help("Only exams that stand there")
            .show(ui, |ui| {
                let count = instance.period_count();
                let last = Place::In(count.saturating_sub(LAST_PERIODS)..count);
                let single = (0..count).map(|period| Place::In(period..period + 1));
                for place in [Place::Any, last, Place::Nowhere].into_iter().chain(single) {
                    let words = place_words(instance, &place);
                    ui.selectable_value(&mut filter.place, place, words);
                }
            });
    });
}

fn place_words(instance: &Instance, place: &Place) -> String {
    match place {
        Place::Any => "Any period".to_owned(),
        Place::Nowhere => "No period".to_owned(),
        Place::In(periods) if periods.len() == 1 => {
            match (instance.period_label(periods.start), instance.has_date(periods.start)) {
                (label, true) => format!("{} · {label}", periods.start + 1),
                (label, false) => label,
            }
        }
        Place::In(periods) => format!("The last {} periods", periods.len()),
    }
}

/// Draws the placeholder shown if no exam passes the filter.
pub(crate) fn nothing_left(ui: &mut Ui, document: &mut Document) {
    use gridwright_window::widgets::controls::{button, placeholder};
    let text = "No exam passes the filter.";
    let mut all = false;
    placeholder(ui, Icon::Info, "Nothing to show", text, |ui| {
        all = button(ui, Icon::Reset, "Show all exams", true).clicked();
    });
    if all {
        document.views.filter = Filter::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Picture;
    use gridwright_timetabling::{Exam, InstanceParts, Period, Timetable};
    use std::sync::Arc;

    fn shown(filter: &Filter) -> Vec<usize> {
        let exam =
            |(code, title): (&str, &str)| Exam { code: code.to_owned(), title: title.to_owned(), ..Exam::default() };
        let instance = Instance::build(InstanceParts {
            exams: [("c", "Logic"), ("a", "Sets"), ("b", "Biology")].map(exam).to_vec(),
            students: vec![vec![0, 1], vec![1, 2], vec![1, 2], vec![2]],
            periods: vec![Period::default(); 5],
            ..InstanceParts::default()
        })
        .unwrap();
        // a and b clash; c is beyond everything.
        let picture = Picture::of(&instance, Arc::new(Timetable::of(vec![u16::MAX, 4, 4])));
        let mut order = Order::default();
        order.update(&instance, &picture, 1, Sort::Name, filter);
        assert!(order.exams.iter().enumerate().all(|(row, &exam)| order.row_of(exam) == Some(row)));
        order.exams
    }

    #[test]
    fn each_part_of_the_filter_leaves_out_what_it_says() {
        assert_eq!(shown(&Filter::default()), [1, 2, 0]);
        assert_eq!(shown(&Filter { text: " LOG ".to_owned(), ..Filter::default() }), [2, 0]);
        assert_eq!(shown(&Filter { clashing: true, ..Filter::default() }), [1, 2]);
        assert_eq!(shown(&Filter { at_least: 3, ..Filter::default() }), [1, 2]);
        assert_eq!(shown(&Filter { place: Place::In(2..5), ..Filter::default() }), [1, 2]);
        assert_eq!(shown(&Filter { place: Place::In(2..4), ..Filter::default() }), [] as [usize; 0]);
        assert_eq!(shown(&Filter { place: Place::Nowhere, ..Filter::default() }), [0]);
    }
}
