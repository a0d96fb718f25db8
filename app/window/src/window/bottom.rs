//! The bottom: convergence and the list of runs.

use egui::{Align, Frame, Layout, Margin, Panel, Ui};

use super::App;
use super::command::Command;
use crate::document::ProblemView;
use crate::run_list;
use crate::theme::{self, palette, size, space};
use crate::widgets::controls::{button, segmented};
use crate::widgets::icons::Icon;

impl App {
    pub(super) fn bottom(&mut self, ui: &mut Ui) {
        let frame = Frame::new().fill(palette(ui.visuals()).panel);
        // The picture above it is what matters: it keeps half of the window, and the larger part of what is below the settings.
        let rest = ui.available_height() - self.size.y / 2.0;
        let most = rest.min(ui.available_height() * LARGEST).clamp(140.0, 520.0);
        let panel = Panel::bottom("bottom").default_size(size::BOTTOM).size_range(140.0..=most).resizable(true);
        panel.frame(frame).show(ui, |ui| self.bottom_contents(ui));
    }

    /// Draws convergence and runs, side by side where both fit.
    pub(super) fn bottom_contents(&mut self, ui: &mut Ui) {
        let Some(place) = self.open.as_deref_mut() else { return };
        let (palette, marked) = (palette(ui.visuals()), &self.marked);
        let mut action = None;
        let inner = Frame::new().inner_margin(Margin::symmetric(16, 8));
        if ui.available_width() < BOTH {
            inner.show(ui, |ui| action = one_of_both(ui, place, marked));
        } else {
            let width = (ui.available_width() * 0.56).clamp(470.0, 660.0);
            Panel::right("runs").exact_size(width).resizable(false).frame(inner).show(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.set_min_height(size::CONTROL);
                    ui.label(theme::heading("Runs"));
                    action = compare_button(ui, marked);
                });
                ui.spacing_mut().item_spacing.y = 0.0;
                difference(ui, place, marked);
                action = action.take().or(run_list::show(ui, &place.list(palette), marked));
            });
            egui::CentralPanel::default().frame(inner).show(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.set_min_height(size::CONTROL);
                    ui.label(theme::heading("Convergence"));
                    axes(ui, place);
                });
                curves(ui, place);
            });
        }
        if let Some(action) = action {
            self.run_list_action(action);
        }
    }
}

/// The largest share of the window below the settings.
const LARGEST: f32 = 0.4;

/// Appears next to the heading as soon as a run is marked.
fn compare_button(ui: &mut Ui, marked: &[usize]) -> Option<run_list::Action> {
    if marked.is_empty() {
        return None;
    }
    let mut pressed = false;
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let ready = marked.len() == 2;
        let response = button(ui, Icon::Compare, Command::CompareMarked.text(), ready);
        let response = response.on_disabled_hover_text("Mark one more run: Ctrl and a click");
        pressed = response.on_hover_text(Command::CompareMarked.help()).clicked();
    });
    pressed.then_some(run_list::Action::CompareMarked)
}

/// The parameters in which the two marked runs differ; nothing where other than two are marked.
fn difference(ui: &mut Ui, place: &dyn ProblemView, marked: &[usize]) {
    let &[a, b] = marked else { return };
    if let Some(words) = place.parameter_difference([a, b]) {
        let words = theme::small(words).color(palette(ui.visuals()).text);
        ui.add(egui::Label::new(words).wrap());
        ui.add_space(space::XS);
    }
}

/// Narrower than this, convergence and runs do not fit side by side.
const BOTH: f32 = 840.0;

/// Convergence or the list of runs, as the person chooses.
fn one_of_both(ui: &mut Ui, place: &mut dyn ProblemView, marked: &[usize]) -> Option<run_list::Action> {
    let palette = palette(ui.visuals());
    let runs_instead = *place.bottom().1;
    let mut action = None;
    ui.horizontal(|ui| {
        ui.set_min_height(size::CONTROL);
        let choices = [("Convergence", "Cost over time", true), ("Runs", "All runs of this instance", true)];
        if let Some(choice) = segmented(ui, &choices, Some(usize::from(runs_instead))) {
            *place.bottom().1 = choice == 1;
        }
        if runs_instead {
            action = compare_button(ui, marked);
        } else {
            axes(ui, place);
        }
    });
    if runs_instead {
        ui.spacing_mut().item_spacing.y = 0.0;
        difference(ui, place, marked);
        action = action.take().or(run_list::show(ui, &place.list(palette), marked));
    } else {
        curves(ui, place);
    }
    action
}

/// Quantities on the axes of the convergence chart.
fn axes(ui: &mut Ui, place: &mut dyn ProblemView) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let (look, _) = place.bottom();
        let chosen = usize::from(look.logarithmic);
        let choices = [("Linear", "Linear costs", true), ("Log", "Logarithmic costs", true)];
        if let Some(choice) = segmented(ui, &choices, Some(chosen)) {
            look.logarithmic = choice == 1;
        }
        let chosen = usize::from(look.steps);
        let choices = [("Time", "Against seconds", true), ("Steps", "Against steps or generations", true)];
        if let Some(choice) = segmented(ui, &choices, Some(chosen)) {
            look.steps = choice == 1;
        }
    });
}

fn curves(ui: &mut Ui, place: &dyn ProblemView) {
    if place.has_curves() {
        place.convergence(ui);
    } else {
        ui.add_space(space::S);
        let text = "Best, mean and worst cost over time appear here while a run goes on.";
        ui.label(theme::small(text).color(palette(ui.visuals()).weak));
    }
}
