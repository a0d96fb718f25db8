//! The floor plan with its switches above it.

use std::sync::Arc;

use egui::{ComboBox, Slider, Ui};

use gridwright_solver::numbers::grouped;

use super::Desk;
use super::action::Action;
use super::plan::Plan;
use crate::problems::facility::widgets::floorplan::{self, Link, Moved, Scene, length};
use crate::runs::Shown;
use crate::theme::{self, palette, space};
use crate::widgets::controls::{bare_icon_button, named};
use crate::widgets::icons::Icon;

/// Width in points below which there are no zoom buttons beside wheel, keys and menu.
const BUTTONS: f32 = 700.0;
/// Height in points below which names of bays and lengths are hidden.
const ROOMY: f32 = 260.0;

/// Shows the plan and its switches.
pub fn show(ui: &mut Ui, desk: &mut Desk) {
    let Some(plan) = desk.plan().cloned() else { return };
    switches(ui, desk);
    canvas(ui, desk, &plan);
}

fn switches(ui: &mut Ui, desk: &mut Desk) {
    ui.horizontal_wrapped(|ui| {
        let wide = ui.available_width() >= BUTTONS;
        ui.spacing_mut().item_spacing.x = if wide { space::M } else { space::S };
        if wide {
            floorplan::controls(ui, &mut desk.floor.view, desk.selected.is_some());
        }
        flows(ui, desk);
        if wide {
            let help = "Names of bays, their widths and a scale around the plan";
            ui.checkbox(&mut desk.floor.dimensions, "Dimensions").on_hover_text(help);
        }
        compare_with(ui, desk, "Compare with…", "Another layout as dashed outlines over this one");
        let turn = Action::Turn;
        if bare_icon_button(ui, Icon::Reset, turn.text(), desk.editable().is_ok()).on_hover_text(turn.help()).clicked()
            && let Err(why) = desk.act(turn)
        {
            desk.say(why);
        }
    });
}

/// Draws the choice of the flows that are drawn.
pub(super) fn flows(ui: &mut Ui, desk: &mut Desk) {
    let palette = palette(ui.visuals());
    let links = Arc::clone(desk.links());
    let Some(most) = links.first().map(|link| link.weight) else { return };
    let help = "Lines between departments, as thick as what flows between them; of a selected one all of its lines";
    ui.checkbox(&mut desk.floor.lines, "Flows").on_hover_text(help);
    if !desk.floor.lines {
        return;
    }
    let least = links.last().map_or(0.0, |link| link.weight);
    if least < most {
        ui.spacing_mut().slider_width = 96.0;
        let slider = Slider::new(&mut desk.floor.threshold, least..=most).show_value(false);
        ui.scope(|ui| {
            // Buttons are white on white; a rail has to be seen.
            ui.visuals_mut().widgets.inactive.bg_fill = palette.border_strong;
            named(ui, "Least flow", "Flows of less than this are not drawn", |ui| ui.add(slider));
        });
    }
    let drawn = count(&links, desk.floor.threshold);
    let words =
        format!("≥ {}: {} of {}", length(desk.floor.threshold), grouped(drawn as i64), grouped(links.len() as i64));
    ui.label(theme::small(words).color(palette.weak))
        .on_hover_text("Flows that are drawn while no department is selected");
}

/// Number of links with at least this weight; `links` is sorted by descending weight.
fn count(links: &[Link], threshold: f64) -> usize {
    links.partition_point(|link| link.weight >= threshold)
}

/// Draws the choice of the layout to compare with.
pub(super) fn compare_with(ui: &mut Ui, desk: &mut Desk, nothing: &str, help: &str) {
    let others = desk.comparable();
    if others.is_empty() {
        return;
    }
    let now = desk.floor.ghost;
    let name = others.iter().find(|(of, _)| Some(*of) == now);
    let name = name.map_or(nothing.to_owned(), |(_, name)| format!("With {}", name.to_lowercase()));
    let combo = ComboBox::from_id_salt("compared with").selected_text(name).width(124.0).truncate();
    let mut chosen = now;
    named(ui, "Compare with", help, |ui| {
        combo
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut chosen, None, "Nothing");
                for (of, name) in &others {
                    ui.selectable_value(&mut chosen, Some(*of), name);
                }
            })
            .response
    });
    if chosen != now {
        desk.compare_with(chosen);
    }
}

fn canvas(ui: &mut Ui, desk: &mut Desk, plan: &Arc<Plan>) {
    let other = desk.compared().map(|(name, plan)| (name, Arc::clone(plan)));
    let mut view = std::mem::take(&mut desk.floor.view);
    let outcome = {
        let judge = |moved: Moved| desk.judge(moved);
        let scene = Scene {
            ghost: other.as_ref().map(|(name, plan)| (&plan.picture, name.as_str())),
            threshold: desk.floor.lines.then_some(desk.floor.threshold),
            // While a run goes on the plan changes under the hand.
            movable: desk.shown != Shown::Live,
            dimensions: desk.floor.dimensions && ui.available_height() >= ROOMY,
            judge: Some(&judge),
            noun: "department",
            ..Scene::new(&plan.picture)
        };
        floorplan::show(ui, &scene, &mut view, desk.selected)
    };
    desk.floor.view = view;
    desk.canvas_focused |= outcome.response.has_focus();
    if let Some(picked) = outcome.picked {
        desk.selected = picked;
    }
    let done = match (outcome.moved, outcome.nudged) {
        (Some(moved), _) => {
            desk.selected = Some(moved.room);
            desk.move_department(moved)
        }
        (None, Some(side)) => desk.act(Action::Nudge(side)),
        (None, None) => Ok(()),
    };
    if let Err(why) = done {
        desk.say(why);
    }
}

/// A layout that cannot be changed, beside another one.
pub(super) fn beside(ui: &mut Ui, desk: &mut Desk, plan: &Plan, ghost: Option<&Plan>, first: bool) {
    let view = if first { &mut desk.floor.view } else { &mut desk.floor.other };
    let scene = Scene {
        threshold: desk.floor.lines.then_some(desk.floor.threshold),
        ghost: ghost.map(|plan| (&plan.picture, "the other one")),
        dimensions: desk.floor.dimensions && ui.available_height() >= ROOMY,
        name: if first { "Layout" } else { "Other layout" },
        noun: "department",
        ..Scene::new(&plan.picture)
    };
    let outcome = floorplan::show(ui, &scene, view, desk.selected);
    // Both show the same part, whichever was moved.
    let (one, other) = (&mut desk.floor.view, &mut desk.floor.other);
    let moved = outcome.response.hovered() || outcome.response.has_focus();
    match (first, moved) {
        (true, true) => other.follow(one),
        (false, true) => one.follow(other),
        _ => {}
    }
    desk.canvas_focused |= outcome.response.has_focus();
    if let Some(picked) = outcome.picked {
        desk.selected = picked;
    }
}
