//! Distance–intensity chart: how far each flow goes, and how much flows.

use egui::Ui;
use gridwright_facility::intensity::{Chart, FlowPoint};
use gridwright_facility::{Instance, Layout, Plan as Places};

use super::Document;
use crate::methods::*;
use gridwright_window::document::frames;
use gridwright_window::widgets::scene;

/// Name of today's layout as the reference.
const TODAY: &str = "today";

/// Shows the chart; a click selects the first department of a flow, or the other one of the selected department.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(plan) = document.plan().cloned() else { return };
    let help = "The flows of another layout as rings behind; without one, those of today's layout";
    ui.horizontal_wrapped(|ui| frames::compare_with(ui, document, "Compare with…", help, 124.0));
    let instance = &document.instance;
    let compared = document.compared().map(|(name, other)| (name, FlowPoint::all(instance, &other.places)));
    let reference = compared.or_else(|| Some((TODAY.to_owned(), todays(instance, &plan.layout)?)));
    let reference = reference.as_ref().map(|(name, points)| (name.as_str(), points.clone()));
    let chart = Chart::new(instance, FlowPoint::all(instance, &plan.places), reference, document.selected);
    let outcome = scene::show(ui, None, |width, height, is_dark| chart.scene(width, height, is_dark));
    let picked = outcome.picked.flatten().and_then(|item| chart.items().nth(item).copied());
    document.canvas_focused |= outcome.response.has_focus();
    if let Some(FlowPoint { between: [one, other], .. }) = picked {
        let is_door = |end: usize| end >= document.instance.len();
        let next = if document.selected == Some(one) && !is_door(other) { other } else { one };
        document.go_to(next);
    }
}

/// The flows of today's layout; `None` if it is not known as a whole, or is what is shown.
fn todays(instance: &Instance, shown: &Layout) -> Option<Vec<FlowPoint>> {
    let today = instance.todays_layout().filter(|today| today != shown)?;
    Some(FlowPoint::all(instance, &Places::new(instance, &today)))
}
