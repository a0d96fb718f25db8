//! The figures of a report in the window, in the colours of its theme.

use egui::{ScrollArea, Ui};
use gridwright_campaign::report::Report;
use gridwright_core::scene::Scene;
use gridwright_core::scene::plot::on_dark;

use super::summary::Summary;
use crate::theme::{self, palette, space};
use crate::widgets::controls::placeholder;
use crate::widgets::icons::Icon;
use crate::widgets::scene;

/// Largest and smallest enlargement of a figure.
const SCALES: (f32, f32) = (0.75, 1.4);

#[derive(Default)]
pub(crate) struct Cache {
    key: Option<(u64, u32, bool)>,
    parts: Vec<(String, Vec<Scene>)>,
}

impl Cache {
    /// Makes the figures anew where report, width or theme have changed.
    fn update(&mut self, summary: &Summary, width: f32, is_dark: bool) {
        let key = (summary.revision, width.round() as u32, is_dark);
        if self.key == Some(key) {
            return;
        }
        self.key = Some(key);
        self.parts = adapted(&summary.report, width, is_dark);
    }
}

/// The figures of a report by section, enlarged to a width.
fn adapted(report: &Report, width: f32, is_dark: bool) -> Vec<(String, Vec<Scene>)> {
    let figure = |scene: &Scene| {
        let factor = (width / scene.width).clamp(SCALES.0, SCALES.1);
        scene.adapted(factor, |colour| if is_dark { on_dark(colour) } else { colour })
    };
    let parts = report.sections.iter().filter(|part| !part.figures.is_empty());
    parts.map(|part| (part.title.clone(), part.figures.iter().map(|one| figure(&one.scene)).collect())).collect()
}

pub(crate) fn show(ui: &mut Ui, summary: Option<&Summary>, cache: &mut Cache) {
    let Some(summary) = summary.filter(|summary| summary.report.sections.iter().any(|part| !part.figures.is_empty()))
    else {
        let text = "Box plots, shares of targets reached, convergence and ranks are drawn as soon as there are enough runs for them.";
        placeholder(ui, Icon::Compare, "No plots yet", text, |_| {});
        return;
    };
    // The bar at the right edge takes some points.
    let width = (ui.available_width() - 2.0 * space::L).max(200.0);
    cache.update(summary, width, ui.visuals().dark_mode);
    let palette = palette(ui.visuals());
    ScrollArea::both().id_salt("figures").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = space::M;
        for (title, scenes) in &cache.parts {
            ui.label(theme::heading(title.as_str()));
            for one in scenes {
                let frame = egui::Frame::new().stroke(egui::Stroke::new(1.0, palette.border));
                frame.corner_radius(theme::size::RADIUS).show(ui, |ui| scene::picture(ui, one));
            }
            ui.add_space(space::S);
        }
    });
}
