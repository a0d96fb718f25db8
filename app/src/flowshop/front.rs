//! The front: plans that no other one beats in all objectives, as points; the chart shows the one that is chosen.

use std::sync::Arc;

use egui::{Frame, Panel, Ui};
use gridwright_solver::flowshop::drawing::layout::{Layout, Rows};

use super::Desk;
use super::solving::Members;
use crate::theme::{self, palette, space};
use crate::widgets::controls::placeholder;
use crate::widgets::gantt::{self, Chart};
use crate::widgets::icons::Icon;
use crate::widgets::scatter;

/// The members as points.
struct Points<'a> {
    members: &'a Members,
    revision: u64,
}

impl scatter::Source for Points<'_> {
    fn objectives(&self) -> usize {
        self.members.objectives.len()
    }

    fn name(&self, objective: usize) -> &str {
        self.members.objectives[objective].label()
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
        format!("Front of {}, hypervolume {:.4}", super::solving::plans(self.count()), self.members.hypervolume)
    }
}

/// Shows the points and, below them, the chart of the chosen one.
pub fn show(ui: &mut Ui, desk: &mut Desk) {
    let Some(members) = desk.front().map(Arc::clone) else {
        let text = "Choose several objectives under “Minimise” and press Solve: plans that no other one beats in all of \
                    them appear here as points.";
        placeholder(ui, Icon::Compare, "No front yet", text, |_| {});
        return;
    };
    let points = Points { members: &members, revision: Arc::as_ptr(&members) as u64 };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        scatter::axes(ui, &points, &mut desk.scatter);
        let words = format!("{} · hypervolume {:.4}", super::solving::plans(members.values.len()), members.hypervolume);
        ui.label(theme::small(words).color(palette(ui.visuals()).weak));
    });
    let height = (ui.available_height() * 0.34).clamp(96.0, 260.0);
    let below = Panel::bottom("chart of the plan").default_size(height).size_range(72.0..=480.0).resizable(true);
    below.frame(Frame::new()).show(ui, |ui| chart(ui, desk));
    egui::CentralPanel::default().frame(Frame::new()).show(ui, |ui| {
        let outcome = scatter::show(ui, &points, &mut desk.scatter, desk.member);
        desk.canvas_focused |= outcome.response.has_focus();
        if let Some(picked) = outcome.picked {
            desk.choose_member(picked);
        }
    });
}

fn chart(ui: &mut Ui, desk: &mut Desk) {
    let Some(plan) = desk.plan().cloned() else { return };
    let instance = Arc::clone(&desk.instance);
    let layout = Layout::new(&instance, &plan.schedule, Rows::Machines);
    let chart = Chart { due_dates: false, ..Chart::new(layout, plan.facts(Rows::Machines)) };
    let outcome = gantt::show(ui, &chart, &mut desk.charting.view, desk.selected);
    desk.canvas_focused |= outcome.response.has_focus();
    if let Some(picked) = outcome.picked {
        desk.selected = picked;
    }
}
