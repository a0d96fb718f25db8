//! Details of the selected department, or of the whole layout if none is selected.

use std::sync::Arc;

use egui::Ui;
use gridwright_core::numbers::{counted, grouped};
use gridwright_core::statistics::summary::gap_percent;
use gridwright_facility::{Distance, Instance, PartKind, library};

use super::flows::rating_words;
use super::plan::{Pair, Plan, change_words, cost_words, limit_words};
use super::{Document, following, rules};
use crate::methods::*;
use crate::widgets::floorplan::{area_in, length, sides_in};
use gridwright_window::document::frames;
use gridwright_window::runs::RunStatus;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{badge, coloured_fact, fact, icon_button, section, sourced_fact};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::notice::message;

pub fn show(ui: &mut Ui, document: &mut Document) {
    match document.selected.filter(|&department| department < document.instance.len()) {
        Some(department) => show_department(ui, document, department),
        None => show_layout(ui, document),
    }
}

fn show_layout(ui: &mut Ui, document: &mut Document) {
    let instance = Arc::clone(&document.instance);
    if let Some(plan) = document.plan().cloned() {
        section(ui, "Layout", |ui| status(ui, document, &plan));
        cost_fact(ui, document, &plan);
        match plan.layout.is_free() {
            true => fact(ui, "Bays", "none, rectangles"),
            false => fact(ui, "Bays", &format!("{}, {}", plan.layout.bays.len(), plan.layout.orientation.name())),
        }
        fact(ui, "Longest shape", &format!("{} : 1", length(plan.longest(&instance))));
        closeness_facts(ui, &plan);
        let (count, area) = plan.verdict.blocked;
        if count > 0 {
            let words = format!("{count}, {}", area_in(instance.unit, area));
            coloured_fact(ui, "Overlaps with the building", &words, palette(ui.visuals()).bad);
        }
        violations(ui, document, &plan);
        ui.add_space(space::S);
    }
    rules::list(ui, document);
    ui.add_space(space::S);
    section(ui, "Instance", |_| {});
    fact(ui, "Departments", &grouped(instance.len() as i64));
    let unit = instance.unit;
    fact(ui, "Plant", &sides_in(unit, [instance.width, instance.height]));
    let (floor, used) = (instance.usable_area(), used_area(&instance));
    fact(ui, "Floor", &area_in(unit, floor));
    fact(ui, "Floor in use", &format!("{} ({:.1} %)", area_in(unit, used), 100.0 * used / floor));
    let parts = &instance.building.parts;
    if !parts.is_empty() {
        let fixed = parts.iter().filter(|part| part.kind == PartKind::Fixed).count();
        fact(ui, "Fixed things", &format!("{fixed}, and {} outside", parts.len() - fixed));
    }
    if !instance.doors.is_empty() {
        fact(ui, "Doors", &grouped(instance.doors.len() as i64));
    }
    fact(ui, "Pairs with flow", &grouped(document.links().len() as i64));
    let distance = match instance.distance {
        Distance::Rectilinear => "along the axes",
        Distance::Euclidean => "as the crow flies",
    };
    fact(ui, "Distances", distance);
    if let Some(best) = document.best_known() {
        let name = if library::is_proven(&instance) { "Best, proven" } else { "Best known" };
        sourced_fact(ui, name, &cost_words(best), &library::best_known_source(&instance).unwrap_or_default());
    }
    if !instance.warnings.is_empty() {
        ui.add_space(space::S);
        ui.label(theme::bold("Remarks"));
        message(ui, &instance.warnings.join("\n"));
    }
}

/// The area of departments that are no free floor.
fn used_area(instance: &Instance) -> f64 {
    instance.departments.iter().filter(|department| !department.dummy).map(|department| department.area).sum()
}

/// The cost, and how far it is from what is known and from what it is compared with.
fn cost_fact(ui: &mut Ui, document: &Document, plan: &Plan) {
    let verdict = &plan.verdict;
    if document.instance.has_moving_cost() {
        let count = counted(verdict.moving.departments.len(), "department");
        fact(ui, "Cost", &cost_words(plan.cost()));
        fact(ui, "Transport", &cost_words(verdict.transport));
        fact(ui, "Moving", &format!("{}, {count}", cost_words(verdict.moving.cost)));
    } else {
        fact(ui, "Material handling cost", &cost_words(plan.cost()));
    }
    if let Some(best) = document.best_known().filter(|_| plan.verdict.feasible) {
        // Published values are rounded.
        let gap = gap_percent(plan.cost(), best);
        let words = if gap.abs() < 0.005 { "reached".to_owned() } else { format!("{gap:+.2} %").replace('-', "−") };
        // What is known is known of bays.
        let name = if plan.layout.is_free() { "Against the best bays" } else { "Against the best known" };
        fact(ui, name, &words);
    }
    if let Some((name, other)) = document.compared() {
        let palette = palette(ui.visuals());
        let words = change_words(plan.cost(), other.cost());
        let colour = if plan.cost() < other.cost() { palette.good } else { palette.text };
        coloured_fact(ui, &format!("Against {}", name.to_lowercase()), &words, colour);
    }
}

/// The closeness score, which is no part of the cost, the wishes met, and the pairs rated X.
fn closeness_facts(ui: &mut Ui, plan: &Plan) {
    let (closeness, palette) = (&plan.verdict.closeness, palette(ui.visuals()));
    if closeness.is_rated() {
        fact(ui, "Closeness score", &closeness.score_words());
    }
    if closeness.wishes > 0 {
        fact(ui, "Wishes of closeness met", &closeness.met_words());
    }
    if closeness.forbidden > 0 {
        let colour = if closeness.violated > 0 { palette.bad } else { palette.text };
        coloured_fact(ui, "X pairs that share a wall", &closeness.violated_words(), colour);
    }
}

/// Draws the violations of the layout, one line each.
fn violations(ui: &mut Ui, document: &mut Document, plan: &Plan) {
    const LISTED: usize = 8;
    if plan.verdict.feasible {
        return;
    }
    let palette = palette(ui.visuals());
    ui.add_space(space::XS);
    ui.label(theme::bold("Limits and rules that are broken").color(palette.bad));
    for violation in plan.verdict.violations.iter().take(LISTED) {
        ui.add(egui::Label::new(theme::small(&violation.text)).wrap());
    }
    let more = plan.verdict.violations.len().saturating_sub(LISTED);
    if more > 0 {
        ui.label(theme::small(format!("… and {more} more")).color(palette.weak));
    }
    let names: Vec<(usize, String)> = (plan.verdict.concerned.iter())
        .map(|&one| (usize::from(one), document.instance.departments[usize::from(one)].name.clone()))
        .collect();
    ui.horizontal_wrapped(|ui| {
        for (department, name) in names.into_iter().take(LISTED) {
            if ui.link(&name).on_hover_text("Show this department").clicked() {
                document.go_to(department);
            }
        }
    });
}

fn status(ui: &mut Ui, document: &Document, plan: &Plan) {
    let is_wrong = document.shown_run().is_some_and(|run| matches!(run.status, RunStatus::Wrong(_)));
    if plan.verdict.feasible || is_wrong {
        let proof =
            "Every way to put the departments into bays was looked at, or excluded: no layout with bays is better";
        frames::status_badge(ui, document, proof);
        return;
    }
    let help = "Some departments have shapes or places that are not allowed; they are marked";
    badge(ui, Some(Icon::Warning), "breaks limits", palette(ui.visuals()).bad).on_hover_text(help);
}

fn show_department(ui: &mut Ui, document: &mut Document, department: usize) {
    let palette = palette(ui.visuals());
    let instance = Arc::clone(&document.instance);
    let data = &instance.departments[department];
    let mut close = false;
    section(ui, &data.name, |ui| {
        close = icon_button(ui, Icon::Cross, "Back to the whole layout", true).clicked();
    });
    let kind = if data.dummy { " (free floor)" } else { "" };
    fact(ui, "Area", &format!("{}{kind}", area_in(instance.unit, data.area)));
    let plan = document.plan().cloned();
    if let Some(plan) = &plan {
        let place = plan.places.departments[department];
        fact(ui, "Width × height", &sides_in(instance.unit, [place.width, place.height]));
        let wrong = plan.picture.rooms[department].wrong.is_some();
        let words = format!("{} : 1", length(place.aspect()));
        coloured_fact(ui, "Longer : shorter side", &words, if wrong { palette.bad } else { palette.text });
        if let Some(words) = limit_words(data.limit, instance.unit) {
            fact(ui, "Allowed", &words);
        }
        if let Some((bay, at)) = plan.place(department) {
            let count = plan.layout.bays[bay].len();
            fact(ui, "Place", &format!("{} of {count} in bay {}", at + 1, bay + 1));
        }
        moving(ui, &instance, plan, department);
        if let Some(wrong) = &plan.picture.rooms[department].wrong {
            ui.add(egui::Label::new(theme::small(&wrong.text).color(palette.bad)).wrap());
        }
    } else if let Some(words) = limit_words(data.limit, instance.unit) {
        fact(ui, "Allowed", &words);
    }
    following::offer(ui, document, department);
    rules::of_department(ui, document, department);
    if let Some(plan) = &plan {
        flows(ui, document, plan, department);
    }
    wishes(ui, document, plan.as_deref(), department);
    ui.add_space(space::S);
    rules::list(ui, document);
    if close {
        document.selected = None;
    }
}

/// Says what moving the department away from today's layout costs in this layout, if it has a place and a price.
fn moving(ui: &mut Ui, instance: &Instance, plan: &Plan, department: usize) {
    let has_place = instance.today.iter().any(|placed| usize::from(placed.department) == department);
    if !has_place || instance.departments[department].relocation.is_free() {
        return;
    }
    let moved = plan.verdict.moving.departments.iter().find(|moved| usize::from(moved.0) == department);
    let words = moved.map_or_else(|| "nothing, it stays".to_owned(), |moved| cost_words(moved.1));
    fact(ui, "Moving", &words);
}

/// Draws the departments with the largest flows to and from the selected one.
fn flows(ui: &mut Ui, document: &mut Document, plan: &Plan, department: usize) {
    const LISTED: usize = 8;
    let instance = Arc::clone(&document.instance);
    let own: Vec<Pair> =
        plan.pairs(&instance).iter().filter(|pair| pair.other(department).is_some()).copied().collect();
    let cost: f64 = own.iter().map(Pair::cost).sum();
    ui.add_space(space::S);
    section(ui, "Flows", |_| {});
    if own.is_empty() {
        ui.label(theme::small("None").color(palette(ui.visuals()).weak));
        return;
    }
    let share = 100.0 * cost / plan.verdict.transport.max(1e-12);
    fact(ui, "Cost of all of them", &format!("{} ({share:.1} %)", cost_words(cost)));
    let mut picked = None;
    for pair in own.iter().take(LISTED) {
        let Some(other) = pair.other(department) else { continue };
        let name = instance.end_name(other);
        let words = format!("{} × {} = {}", length(pair.flow), length(pair.distance), cost_words(pair.cost()));
        ui.horizontal(|ui| {
            // Doors cannot be selected.
            if other >= instance.len() {
                ui.label(name).on_hover_text("Flow × distance = cost");
                return amount(ui, &words);
            }
            let link = ui.add(
                egui::Label::new(egui::RichText::new(name).color(palette(ui.visuals()).accent))
                    .sense(egui::Sense::click()),
            );
            link.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::Link, true, format!("Go to {name}: flow × distance {words}"))
            });
            if link.on_hover_text("Flow × distance = cost; click to go there").clicked() {
                picked = Some(other);
            }
            amount(ui, &words);
        });
    }
    if own.len() > LISTED {
        let words = format!("and {} more of less cost", own.len() - LISTED);
        ui.label(theme::small(words).color(palette(ui.visuals()).weak));
    }
    if let Some(other) = picked {
        document.go_to(other);
    }
}

/// Writes words at the right end of a line.
fn amount(ui: &mut Ui, words: &str) {
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.add(egui::Label::new(words).truncate());
    });
}

/// Draws the closeness ratings of the selected department.
fn wishes(ui: &mut Ui, document: &Document, plan: Option<&Plan>, department: usize) {
    let palette = palette(ui.visuals());
    let instance = &document.instance;
    let own = instance.closeness.iter().filter_map(|&(one, other, rating)| match department {
        here if here == usize::from(one) => Some((usize::from(other), rating)),
        here if here == usize::from(other) => Some((usize::from(one), rating)),
        _ => None,
    });
    let own: Vec<(usize, char)> = own.filter(|(_, rating)| *rating != 'U').collect();
    if own.is_empty() {
        return;
    }
    ui.add_space(space::S);
    section(ui, "Wishes of closeness", |_| {});
    for (other, rating) in own {
        let name = format!("{rating} · {}", instance.departments[other].name);
        let met = plan.map(|plan| plan.meets(department, other, rating));
        let (words, colour) = match met {
            Some(true) if rating == 'X' => ("apart, as wished", palette.good),
            Some(true) => ("beside it, as wished", palette.good),
            Some(false) if rating == 'X' => ("beside it", palette.bad),
            Some(false) => ("not beside it", palette.warn),
            None => (rating_words(rating), palette.weak),
        };
        coloured_fact(ui, &name, words, colour);
    }
}
