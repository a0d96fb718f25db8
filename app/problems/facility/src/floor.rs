//! The floor plan with its switches above it.

use std::sync::Arc;

use egui::{Slider, Ui};

use gridwright_core::numbers::grouped;

use super::Document;
use super::action::Action;
use super::following;
use super::plan::Plan;
use super::underlay;
use crate::methods::*;
use crate::widgets::floorplan::{self, Link, Moved, Scene, length};
use gridwright_window::document::frames;
use gridwright_window::live::Others;
use gridwright_window::runs::Shown;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{bare_icon_button, named};
use gridwright_window::widgets::entry::scope;
use gridwright_window::widgets::icons::Icon;

/// Width in points below which there are no zoom buttons beside wheel, keys and menu.
const BUTTONS: f32 = 700.0;
/// Height in points below which names of bays and lengths are hidden.
const ROOMY: f32 = 260.0;

/// Shows the plan and its switches.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(plan) = document.plan().cloned() else { return };
    switches(ui, document);
    underlay::strip(ui, document);
    canvas(ui, document, &plan);
}

fn switches(ui: &mut Ui, document: &mut Document) {
    ui.horizontal_wrapped(|ui| {
        let wide = ui.available_width() >= BUTTONS;
        ui.spacing_mut().item_spacing.x = if wide { space::M } else { space::S };
        if wide {
            floorplan::controls(ui, &mut document.state.floor.view, document.selected.is_some());
        }
        flows(ui, document);
        if wide {
            let help = "Names of bays, their widths and a scale around the plan";
            ui.checkbox(&mut document.state.floor.dimensions, "Dimensions").on_hover_text(help);
        }
        let help = "Another layout as dashed outlines over this one";
        if frames::compare_with(ui, document, "Compare with…", help, 124.0) {
            document.state.floor.overlay = true;
        }
        if document.compared().is_some() {
            ui.checkbox(&mut document.state.floor.overlay, "Overlay").on_hover_text(help);
        }
        underlay::menu(ui, document);
        let turn = Action::Turn;
        if bare_icon_button(ui, Icon::Reset, turn.command().text, document.bays().is_ok())
            .on_hover_text(turn.command().help)
            .clicked()
            && let Err(why) = document.act(turn)
        {
            document.say(why);
        }
    });
}

/// Draws the choice of the flows that are drawn.
pub(super) fn flows(ui: &mut Ui, document: &mut Document) {
    let palette = palette(ui.visuals());
    let links = Arc::clone(document.links());
    let Some(most) = links.first().map(|link| link.weight) else { return };
    let help = "Lines between departments, as thick as what flows between them; of a selected one all of its lines";
    ui.checkbox(&mut document.state.floor.lines, "Flows").on_hover_text(help);
    if !document.state.floor.lines {
        return;
    }
    let least = links.last().map_or(0.0, |link| link.weight);
    if least < most {
        ui.spacing_mut().slider_width = 96.0;
        let slider = Slider::new(&mut document.state.floor.threshold, least..=most).show_value(false);
        scope(ui, "scale", true, |ui| {
            // Buttons are white on white; a rail has to be seen.
            ui.visuals_mut().widgets.inactive.bg_fill = palette.border_strong;
            named(ui, "Least flow", "Flows of less than this are not drawn", |ui| ui.add(slider));
        });
    }
    let drawn = count(&links, document.state.floor.threshold);
    let words = format!(
        "≥ {}: {} of {}",
        length(document.state.floor.threshold),
        grouped(drawn as i64),
        grouped(links.len() as i64)
    );
    ui.label(theme::small(words).color(palette.weak))
        .on_hover_text("Flows that are drawn while no department is selected");
}

/// Number of links with at least this weight; `links` is sorted by descending weight.
fn count(links: &[Link], threshold: f64) -> usize {
    links.partition_point(|link| link.weight >= threshold)
}

fn canvas(ui: &mut Ui, document: &mut Document, plan: &Arc<Plan>) {
    let carried = document.state.carried;
    let held = carried.and_then(|moved| following::held(&plan.layout, moved));
    let others = held.map(|held| document.others_for(ui.ctx(), &plan.layout, held));
    let told = others.as_ref().map(|others| following::hint(&document.instance, others));
    let followed = match &others {
        Some(Others::Made(following)) => Some(Arc::clone(following)),
        _ => None,
    };
    let other = document.compared().filter(|_| document.floor.overlay).map(|(name, plan)| (name, Arc::clone(plan)));
    let mut view = std::mem::take(&mut document.state.floor.view);
    let underlay = document.underlay.drawn().cloned();
    let marks = document.underlay.marks();
    let outcome = {
        let judge = |moved: Moved| document.judge(moved);
        let scene = Scene {
            // While a department is dragged, the layout in which others follow is what matters.
            ghost: followed
                .as_ref()
                .map(|following| (&following.plan.picture, "With others that follow"))
                .or(other.as_ref().map(|(name, plan)| (&plan.picture, name.as_str()))),
            following: carried.zip(told.as_deref()),
            threshold: document.state.floor.lines.then_some(document.state.floor.threshold),
            // While a run goes on the plan changes under the hand.
            movable: document.shown != Shown::Live && !plan.layout.is_free() && marks.is_none(),
            underlay: underlay.as_deref(),
            marks: marks.as_deref(),
            dimensions: document.state.floor.dimensions && ui.available_height() >= ROOMY,
            judge: Some(&judge),
            noun: "department",
            ..Scene::new(&plan.picture)
        };
        floorplan::show(ui, &scene, &mut view, document.selected)
    };
    document.state.floor.view = view;
    document.state.carried = outcome.carried;
    document.canvas_focused |= outcome.response.has_focus();
    if marks.is_some() {
        // Clicks mark points of the underlay.
        return outcome.clicked.into_iter().for_each(|point| document.mark_point(point));
    }
    if let Some(picked) = outcome.picked {
        document.selected = picked;
    }
    let others_follow = ui.input(|input| input.modifiers.shift);
    let done = match (outcome.moved, outcome.nudged) {
        (Some(moved), _) if others_follow => {
            document.selected = Some(moved.room);
            document.move_with_others(ui.ctx(), moved)
        }
        (Some(moved), _) => {
            document.selected = Some(moved.room);
            document.move_department(moved)
        }
        (None, Some(side)) => document.act(Action::Nudge(side)),
        (None, None) => Ok(()),
    };
    if let Err(why) = done {
        document.say(why);
    }
}

/// A layout that cannot be changed, beside another one.
pub(super) fn beside(ui: &mut Ui, document: &mut Document, plan: &Plan, first: bool) {
    let view = if first { &mut document.state.floor.view } else { &mut document.state.floor.other };
    let scene = Scene {
        threshold: document.state.floor.lines.then_some(document.state.floor.threshold),
        dimensions: document.state.floor.dimensions && ui.available_height() >= ROOMY,
        name: if first { "Layout" } else { "Other layout" },
        noun: "department",
        ..Scene::new(&plan.picture)
    };
    let outcome = floorplan::show(ui, &scene, view, document.selected);
    // Both show the same part, whichever was moved.
    let (one, other) = (&mut document.state.floor.view, &mut document.state.floor.other);
    let moved = outcome.response.hovered() || outcome.response.has_focus();
    match (first, moved) {
        (true, true) => other.follow(one),
        (false, true) => one.follow(other),
        _ => {}
    }
    document.canvas_focused |= outcome.response.has_focus();
    if let Some(picked) = outcome.picked {
        document.selected = picked;
    }
}
