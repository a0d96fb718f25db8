//! Details of the selected job, or of the whole plan if none is selected.

use std::sync::Arc;

use egui::Ui;
use gridwright_core::numbers::grouped;
use gridwright_core::statistics::summary::gap_percent;
use gridwright_flowshop::waiting::TimeInShop;
use gridwright_flowshop::{Objective, best_known_source, measures};

use super::plan::Plan;
use super::{Document, following, rules};
use crate::methods::*;
use gridwright_window::document::frames;
use gridwright_window::runs::Run;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{coloured_fact, fact, icon_button, section, sourced_fact};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::notice::message;

/// Tooltip of a proven optimum.
const PROOF: &str = "Every order of the jobs was looked at, or excluded by a bound: none is better";

/// Tooltip of a proven front.
const WHOLE_FRONT: &str = "Every order of the jobs was looked at, or excluded by a bound: the front is complete";

/// Shows the inspector.
pub(crate) fn show(ui: &mut Ui, document: &mut Document) {
    match document.selected.map(|selection| selection.job).filter(|&job| job < document.instance.job_count()) {
        Some(job) => show_job(ui, document, job),
        None => show_plan(ui, document),
    }
}

fn show_plan(ui: &mut Ui, document: &mut Document) {
    show_figures(ui, document);
    rules::list(ui, document);
    show_instance(ui, document);
}

fn show_figures(ui: &mut Ui, document: &Document) {
    let instance = &document.instance;
    if let Some(plan) = document.plan() {
        let proof = if document.minimises_one() { PROOF } else { WHOLE_FRONT };
        section(ui, "Plan", |ui| frames::status_badge(ui, document, proof));
        for measure in measures::of_verdict(instance, Objective::Makespan, &plan.verdict) {
            match (measure.key.parse::<Objective>().ok(), measure.value) {
                (Some(objective), Some(value)) => value_fact(ui, document, objective, value as u64, measure.text),
                (None, Some(_)) if instance.further_times().is_some() => fact(ui, measure.label, &measure.text),
                _ => {}
            }
        }
        if let Some(front) = document.front() {
            fact(ui, "Members of the front", &grouped(front.orders.len() as i64));
            fact(ui, "Hypervolume", &format!("{:.4}", front.hypervolume));
        }
        let path = plan.schedule.critical_path();
        fact(ui, "Blocks of the critical path", &path.blocks.len().to_string());
        fact(ui, "Machines at work", &format!("{:.0} % of the time", 100.0 * busy(document, plan)));
        ui.add_space(space::S);
    }
}

fn show_instance(ui: &mut Ui, document: &Document) {
    let instance = &document.instance;
    section(ui, "Instance", |_| {});
    fact(ui, "Jobs", &grouped(instance.job_count() as i64));
    fact(ui, "Machines", &grouped(instance.machine_count() as i64));
    let work: u64 = instance.times.iter().map(|&time| u64::from(time)).sum();
    fact(ui, "Work in all", &grouped(work as i64));
    for objective in Objective::ALL {
        if let Some(bound) = document.lower_bound(objective).filter(|bound| *bound > 0) {
            fact(ui, &format!("{}, lower bound", objective.label_in(instance)), &grouped(bound as i64));
        }
        if let Some(best) = document.instance.best_known.value(objective) {
            let origin = if instance.best_known.of_file { "stated in the file" } else { "best known" };
            let source = best_known_source(instance, objective).unwrap_or_default();
            sourced_fact(ui, &format!("{}, {origin}", objective.label_in(instance)), &grouped(best as i64), &source);
        }
    }
    let remarks: Vec<&str> = instance.remarks().collect();
    if !remarks.is_empty() {
        ui.add_space(space::S);
        ui.label(theme::bold("Remarks"));
        message(ui, &remarks.join("\n"));
    }
}

/// The part of the time until everything is done in which machines work, on average.
fn busy(document: &Document, plan: &Plan) -> f64 {
    let work: u64 = document.instance.times.iter().map(|&time| u64::from(time)).sum();
    let time = f64::from(plan.schedule.makespan().max(1)) * document.instance.machine_count().max(1) as f64;
    work as f64 / time
}

/// A value, and how far it is from what is known.
fn value_fact(ui: &mut Ui, document: &Document, objective: Objective, value: u64, words: String) {
    let gap = |known: u64, what: &str| format!("{words} ({:+.1} % to {what})", gap_percent(value as f64, known as f64));
    let known = document.instance.best_known.value(objective).filter(|best| *best > 0).map(|best| gap(best, "best"));
    // Bounds of what nobody minimised say nothing about the plan.
    let minimised = document.objective() == objective;
    let bound =
        document.lower_bound(objective).filter(|bound| minimised && *bound > 0).map(|bound| gap(bound, "bound"));
    let is_optimised = minimised && document.minimises_one();
    let is_proven = is_optimised && document.shown_run().is_some_and(Run::is_proven);
    let bound = if is_proven { Some(format!("{words} (no order is better)")) } else { bound };
    fact(ui, objective.label_in(&document.instance), &known.or(bound).unwrap_or(words));
}

fn show_job(ui: &mut Ui, document: &mut Document, job: usize) {
    let palette = palette(ui.visuals());
    let instance = Arc::clone(&document.instance);
    let data = &instance.jobs[job];
    let mut close = false;
    section(ui, &format!("Job {}", data.name), |ui| {
        close = icon_button(ui, Icon::Cross, "Back to the whole plan", true).clicked();
    });
    let number = |value: u32| grouped(i64::from(value));
    let moment = |time: u32| instance.moment(time);
    if let Some(due) = data.due {
        fact(ui, "Due", &instance.due_moment(due));
    }
    for (heading, text) in instance.order_facts(job) {
        fact(ui, &heading, &text);
    }
    if let Some((plan, position)) = document.plan().zip(document.selected_position()) {
        fact(ui, "Position", &format!("{} of {}", position + 1, plan.order.0.len()));
        fact(ui, "Start", &moment(plan.schedule.begin(position)));
        let done = plan.schedule.done(position);
        fact(ui, "Done", &moment(done));
        if let Some(due) = data.due {
            match done.checked_sub(due).filter(|late| *late > 0) {
                Some(late) => {
                    coloured_fact(ui, "Late by", &instance.length_text(late.into()), palette.bad);
                    let why = TimeInShop::of(&instance, &plan.schedule, position).words(&instance);
                    ui.label(theme::small(why).color(palette.weak));
                }
                None => coloured_fact(ui, "Early by", &instance.length_text((due - done).into()), palette.good),
            }
        }
        ui.add_space(space::S);
        section(ui, "Machines", |_| {});
        let visited = instance.machines.iter().enumerate().filter(|(machine, _)| instance.visits(job, *machine));
        for (machine, name) in visited {
            let (start, end) = (plan.schedule.start(position, machine), plan.schedule.completion(position, machine));
            fact(ui, name, &format!("{} – {} ({})", moment(start), moment(end), number(instance.time(job, machine))));
        }
    } else {
        section(ui, "Machines", |_| {});
        let visited = instance.machines.iter().enumerate().filter(|(machine, _)| instance.visits(job, *machine));
        for (machine, name) in visited {
            fact(ui, name, &number(instance.row(job)[machine]));
        }
    }
    following::offer(ui, document, job);
    ui.add_space(space::S);
    rules::of_job(ui, document, job);
    rules::list(ui, document);
    if close {
        document.selected = None;
    }
}
