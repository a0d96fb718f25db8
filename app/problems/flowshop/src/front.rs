//! The front: plans that no other one beats in all objectives, as points; the chart shows the one that is chosen.

use std::sync::Arc;

use egui::{Frame, Panel, Ui};

use gridwright_flowshop::Instance;

use super::Document;
use super::results::Members;
use crate::methods::*;
use crate::widgets::scatter;
use gridwright_core::numbers::counted;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::placeholder;
use gridwright_window::widgets::icons::Icon;

/// Height in points below which the points take the whole view.
const CHART: f32 = 300.0;

struct Points<'a> {
    instance: &'a Instance,
    members: &'a Members,
    revision: u64,
}

impl scatter::Source for Points<'_> {
    fn objectives(&self) -> usize {
        self.members.objectives.len()
    }

    fn name(&self, objective: usize) -> &str {
        self.members.objectives[objective].label_in(self.instance)
    }

    fn count(&self) -> usize {
        self.members.values.len()
    }

    fn value(&self, point: usize, objective: usize) -> f64 {
        self.members.values[point][objective] as f64
    }

    fn label(&self, point: usize) -> String {
        format!("Plan {}", point + 1)
    }

    fn revision(&self) -> u64 {
        self.revision
    }

    fn summary(&self) -> String {
        format!("Front of {}, hypervolume {:.4}", counted(self.count(), "plan"), self.members.hypervolume)
    }
}

/// Shows the points and, below them, the chart of the chosen one.
pub(crate) fn show(ui: &mut Ui, document: &mut Document) {
    let Some(members) = document.front().map(Arc::clone) else {
        let text = "Choose several objectives under “Minimise” and press Solve: plans that no other one beats in all of \
                    them appear here as points.";
        placeholder(ui, Icon::Compare, "No front yet", text, |_| {});
        return;
    };
    let instance = Arc::clone(&document.instance);
    let points = Points { instance: &instance, members: &members, revision: Arc::as_ptr(&members) as u64 };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        scatter::axes(ui, &points, &mut document.state.scatter);
        let words = format!("{} · hypervolume {:.4}", counted(members.values.len(), "plan"), members.hypervolume);
        let fits = ui.available_size_before_wrap().x >= 200.0;
        // In a small window the inspector says it.
        if !fits {
            return;
        }
        ui.label(theme::small(words).color(palette(ui.visuals()).weak));
    });
    let height = ui.available_height();
    if height >= CHART {
        let below = Panel::bottom("chart of the plan").default_size(height * 0.34).size_range(72.0..=height * 0.6);
        below.resizable(true).frame(Frame::new()).show(ui, |ui| super::gantt::compact(ui, document, false));
    }
    egui::CentralPanel::default().frame(Frame::new()).show(ui, |ui| {
        let shown = document.shown_member();
        let outcome = scatter::show(ui, &points, &mut document.state.scatter, shown);
        document.canvas_focused |= outcome.response.has_focus();
        if let Some(picked) = outcome.picked {
            document.choose_member(picked);
        }
    });
}
