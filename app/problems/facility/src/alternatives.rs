//! Two layouts side by side, and what changes from one to the other.

use std::sync::Arc;

use egui::{Align, Grid, Layout, Panel, Ui, vec2};
use gridwright_core::numbers::figure;
use gridwright_facility::Instance;

use super::plan::{Plan, change_words, cost_words};
use super::{Document, floor};
use crate::methods::*;
use crate::widgets::floorplan::length;
use gridwright_window::document::frames;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::placeholder;
use gridwright_window::widgets::icons::Icon;

/// Figure by which two layouts are compared.
struct Figure {
    name: &'static str,
    help: &'static str,
    /// Formatted values.
    words: [String; 2],
    change: String,
    /// True if the shown layout is better; `None` if both are equal or the figure has no better direction.
    better: Option<bool>,
}

/// A figure of which less is better.
fn less(name: &'static str, help: &'static str, [now, before]: [f64; 2], words: impl Fn(f64) -> String) -> Figure {
    let better = if (now - before).abs() <= 1e-9 * before.abs() { None } else { Some(now < before) };
    Figure { name, help, words: [words(now), words(before)], change: change_words(now, before), better }
}

/// The closeness score, of which more is better.
fn score([now, before]: [f64; 2]) -> Figure {
    Figure {
        name: "Closeness score",
        help: "The weights of the ratings of all pairs that share a wall; it is no part of the cost",
        words: [now, before].map(|score| figure(score, 2)),
        change: signed(now - before),
        better: (now != before).then_some(now > before),
    }
}

/// A difference with its sign: «+16», «−4.5», «±0».
fn signed(by: f64) -> String {
    match figure(by, 2) {
        words if by > 0.0 => format!("+{words}"),
        words if words == "0" => "±0".to_owned(),
        words => words,
    }
}

/// A number of things, of which less is better.
fn count(name: &'static str, help: &'static str, numbers: [usize; 2], fewer: Option<bool>) -> Figure {
    let [now, before] = numbers.map(|number| number as i64);
    let change = signed((now - before) as f64);
    let better = fewer.filter(|_| now != before).map(|fewer| (now < before) == fewer);
    Figure { name, help, words: [now.to_string(), before.to_string()], change, better }
}

/// The mean distance that a unit of flow travels.
fn mean_distance(instance: &Instance, plan: &Plan) -> f64 {
    let flow: f64 = plan.picture.links.iter().map(|link| link.weight).sum();
    let cost: f64 = plan.pairs(instance).iter().map(|pair| pair.cost()).sum();
    if flow > 0.0 { cost / flow } else { 0.0 }
}

/// Cost of both, and its parts where moving has a price.
fn costs(instance: &Instance, plans: [&Plan; 2]) -> Vec<Figure> {
    if !instance.has_moving_cost() {
        return vec![less(
            "Material handling cost",
            "Flow × distance over all pairs",
            plans.map(Plan::cost),
            cost_words,
        )];
    }
    let [transport, moving] =
        [|plan: &Plan| plan.verdict.transport, |plan: &Plan| plan.verdict.moving.cost].map(|part| plans.map(part));
    vec![
        less("Cost", "Transport and moving", plans.map(Plan::cost), cost_words),
        less("Transport", "Flow × distance over all pairs", transport, cost_words),
        less("Moving", "Prices of departments that leave their places of today", moving, cost_words),
    ]
}

fn figures(instance: &Instance, plans: [&Plan; 2]) -> Vec<Figure> {
    let farthest = |plan: &Plan| plan.pairs(instance).iter().map(|pair| pair.distance).fold(0.0, f64::max);
    let most_expensive = |plan: &Plan| plan.pairs(instance).first().map_or(0.0, |pair| pair.cost());
    let ratio = |ratio| format!("{} : 1", length(ratio));
    let distances = plans.map(|plan| mean_distance(instance, plan));
    let broken = plans.map(|plan| plan.verdict.violations.len());
    let [now, before] = plans.map(|plan| &*plan.layout);
    // A mirror image is the same layout where nothing is locked, moving costs nothing and nothing flows through doors.
    let image = if instance.distinguishes_images() { now.clone() } else { now.image_like(before) };
    let elsewhere = [before.displaced(&image), 0];
    let shapes = plans.map(|plan| plan.longest(instance));
    // What matters most first: a low window shows as many as fit.
    let mut all = costs(instance, plans);
    let after_costs = all.len();
    all.extend([
        less("Mean distance of a unit of flow", "Cost divided by all flow", distances, length),
        less("Longest shape", "The largest ratio of the sides of a department", shapes, ratio),
        count("Limits broken", "What is marked in the plans", broken, Some(true)),
        count(
            "Departments elsewhere",
            "In another bay, at another place of it, or with another rectangle; a mirror image of the whole counts as the same where nothing is locked, moving costs nothing and nothing flows through doors",
            elsewhere,
            None,
        ),
        less("Most expensive pair", "The cost of the pair that costs most", plans.map(most_expensive), cost_words),
        less("Longest distance with flow", "Between two departments with flow, or a department and a door", plans.map(farthest), length),
        count("Bays", "How many strips the plant is cut into", plans.map(|plan| plan.layout.bays.len()), None),
    ]);
    let closeness = plans.map(|plan| plan.verdict.closeness);
    let mut wishes = Vec::new();
    if closeness[0].is_rated() {
        wishes.push(score(closeness.map(|one| one.score)));
    }
    if closeness[0].wishes > 0 {
        let help = "Pairs rated A, E, I or O that share a wall";
        wishes.push(count("Wishes of closeness met", help, closeness.map(|one| one.met), Some(false)));
    }
    if closeness[0].forbidden > 0 {
        let help = "Pairs rated X, which should not share a wall";
        wishes.push(count("X pairs that share a wall", help, closeness.map(|one| one.violated), Some(true)));
    }
    all.splice(after_costs + 4..after_costs + 4, wishes);
    all
}

/// Height of a figure, and of what stands above them.
const LINE: f32 = 19.5;
const HEAD: f32 = 32.0;

/// Shows both.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(plan) = document.plan().cloned() else { return };
    if document.comparable().is_empty() {
        let text =
            "Solve again with other settings, or change the layout by hand: then two of them can be seen side by side.";
        placeholder(ui, Icon::Compare, "There is nothing to compare with yet", text, |_| {});
        return;
    }
    // The best of the others, where nobody has chosen.
    if document.compared().is_none() {
        let first = document.comparable().first().map(|(of, _)| *of);
        document.compare_with(first);
    }
    let Some((name, other)) = document.compared().map(|(name, plan)| (name, Arc::clone(plan))) else { return };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = space::M;
        frames::compare_with(ui, document, "Compare with…", "The layout at the right", 124.0);
        floor::flows(ui, document);
    });
    let instance = Arc::clone(&document.instance);
    let figures = figures(&instance, [&plan, &other]);
    let height = ui.available_height();
    // The plans keep the larger part.
    let lines = ((0.4 * height - HEAD) / LINE).max(0.0) as usize;
    let figures = &figures[..lines.min(figures.len())];
    if figures.len() >= 2 {
        let wanted = figures.len() as f32 * LINE + HEAD;
        Panel::bottom("figures of both").exact_size(wanted).frame(egui::Frame::new()).show(ui, |ui| {
            ui.add_space(space::XS);
            table(ui, &[document.shown_name(), name.clone()], figures);
        });
    }
    egui::CentralPanel::default().frame(egui::Frame::new()).show(ui, |ui| {
        ui.columns(2, |columns| {
            let titles = [(document.shown_name(), &plan), (name, &other)];
            for (index, (ui, (title, plan))) in columns.iter_mut().zip(titles).enumerate() {
                heading(ui, &title, plan);
                floor::beside(ui, document, plan, index == 0);
            }
        });
    });
}

/// The name of a layout and its cost.
fn heading(ui: &mut Ui, title: &str, plan: &Plan) {
    let palette = palette(ui.visuals());
    ui.horizontal(|ui| {
        ui.label(theme::bold(title));
        let kind = match plan.layout.is_free() {
            true => plan.layout.arrangement(),
            false => format!("{} bays", plan.layout.orientation.name()),
        };
        let words = format!("{} · {kind}", cost_words(plan.cost()));
        ui.label(theme::small(words).color(palette.weak));
        if !plan.verdict.feasible {
            let (rect, _) = ui.allocate_exact_size(vec2(12.0, 12.0), egui::Sense::hover());
            Icon::Warning.paint(ui.painter(), rect, palette.bad);
        }
    });
}

/// All figures, one a line.
fn table(ui: &mut Ui, names: &[String; 2], figures: &[Figure]) {
    let palette = palette(ui.visuals());
    let width = ((ui.available_width() - 32.0) / 4.0).clamp(80.0, 190.0);
    let right = |ui: &mut Ui, words: egui::RichText| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.add(egui::Label::new(words).truncate()));
    };
    let grid = Grid::new("figures").num_columns(4).min_col_width(width).max_col_width(width + 40.0);
    grid.min_row_height(15.0).spacing(vec2(space::L, 4.0)).show(ui, |ui| {
        ui.label("");
        for name in names {
            right(ui, theme::small(name).color(palette.weak));
        }
        right(ui, theme::small("Change").color(palette.weak));
        ui.end_row();
        for figure in figures {
            ui.label(theme::small(figure.name).color(palette.weak)).on_hover_text(figure.help);
            for words in &figure.words {
                right(ui, theme::small(words));
            }
            let (sign, colour) = match figure.better {
                Some(true) => ("better ", palette.good),
                Some(false) => ("worse ", palette.bad),
                None => ("", palette.weak),
            };
            // The word says what the colour says.
            right(ui, theme::small(format!("{sign}{}", figure.change)).color(colour));
            ui.end_row();
        }
    });
}
