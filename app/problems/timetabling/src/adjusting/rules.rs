//! All rules at a glance, and what contradicts itself.

use egui::Ui;

use super::relations::seen_from;
use crate::describe::per_student;
use crate::editing::Edit;
use crate::methods::*;
use crate::state::Document;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{button, icon_button, section};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::notice::message;

/// Lines of each kind that are listed at first: more would hide what stands below the rules.
const FIRST: usize = 12;
/// Lines that are added at once.
const ADDED: usize = 60;

/// Draws all rules, each with a button that removes the rule.
pub fn panel(ui: &mut Ui, document: &mut Document) {
    let palette = palette(ui.visuals());
    let instance = std::sync::Arc::clone(&document.instance);
    let rules = &instance.rules;
    let has_seats = instance.periods.iter().any(|period| period.seats.is_some());
    let contradictions = document.contradictions();
    if rules.is_empty() && !has_seats && contradictions.is_empty() {
        return;
    }
    let mut edits = Vec::new();
    section(ui, "Rules", |ui| {
        if !rules.is_empty() && button(ui, Icon::Cross, "Clear all rules", true).clicked() {
            edits.push(Edit::ClearRules);
        }
    });
    if !contradictions.is_empty() {
        ui.label(theme::bold("No timetable can meet all of these").color(palette.bad));
        message(ui, &contradictions.join("\n"));
        ui.add_space(space::XS);
    }
    if let Some(reference) = &rules.reference {
        line(ui, "Stay close to nothing", &mut edits, vec![Edit::ForgetReference], |ui| {
            let price = instance.cost_text(u64::from(reference.weight)) + per_student(&instance);
            ui.label(format!("Stays close to a timetable; moving an exam must save {price}"));
        });
    }
    let code = |exam: u16| instance.exams.get(usize::from(exam)).map_or("?", |exam| exam.code.as_str());
    let mut selected = None;
    for (&exam, &period) in rules.pins.iter().take(listed(ui, "pins")) {
        let edit = Edit::Pin { exam: exam.into(), period: None };
        line(ui, &format!("Unpin {}", code(exam)), &mut edits, vec![edit], |ui| {
            if ui.link(code(exam)).clicked() {
                selected = Some(usize::from(exam));
            }
            ui.label(format!("pinned to {}", instance.period_name(period.into())));
        });
    }
    more(ui, rules.pins.len(), "pins");
    for (&exam, periods) in rules.forbidden.iter().take(listed(ui, "exams with forbidden periods")) {
        let list = instance.period_names(periods.iter().copied());
        let allow = |&period: &u16| Edit::Forbid { exam: exam.into(), period: period.into(), forbidden: false };
        let name = format!("Allow all periods for {}", code(exam));
        line(ui, &name, &mut edits, periods.iter().map(allow).collect(), |ui| {
            if ui.link(code(exam)).clicked() {
                selected = Some(usize::from(exam));
            }
            ui.label(format!("not in {list}"));
        });
    }
    more(ui, rules.forbidden.len(), "exams with forbidden periods");
    for &relation in rules.relations.iter().take(listed(ui, "relations")) {
        let words = seen_from(&instance, relation, relation.first.into());
        let name = format!("No longer demand: {} {words}", code(relation.first));
        line(ui, &name, &mut edits, vec![Edit::Unrelate(relation)], |ui| {
            if ui.link(code(relation.first)).clicked() {
                selected = Some(usize::from(relation.first));
            }
            ui.label(words);
        });
    }
    more(ui, rules.relations.len(), "relations");
    if has_seats {
        let mut minded = !rules.ignore_seats;
        let help = "No period gets more students than it has seats; without the tick the numbers of seats are ignored";
        if ui.checkbox(&mut minded, "Mind seats").on_hover_text(help).changed() {
            edits.push(Edit::IgnoreSeats(!minded));
        }
    }
    if !edits.is_empty() {
        // Rules can always be taken away.
        let _ = document.apply(edits);
    }
    if selected.is_some() {
        document.selected = selected;
    }
    ui.add_space(space::M);
}

/// Draws a rule after a cross that removes it; lines stand close, and long ones are wrapped.
fn line(ui: &mut Ui, name: &str, edits: &mut Vec<Edit>, takes: Vec<Edit>, contents: impl FnOnce(&mut Ui)) {
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 20.0;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = space::XS;
            if icon_button(ui, Icon::Cross, name, true).clicked() {
                edits.extend(takes);
            }
            ui.horizontal_wrapped(contents);
        });
    });
}

/// Number of lines of a kind that are listed.
fn listed(ui: &Ui, what: &'static str) -> usize {
    let id = ui.scope_id().with(what);
    ui.data(|data| data.get_temp(id)).unwrap_or(FIRST)
}

/// Draws a button that lists more lines of a kind, if there are any.
fn more(ui: &mut Ui, count: usize, what: &'static str) {
    let listed = listed(ui, what);
    if count > listed && ui.link(format!("Show {} more {what}", (count - listed).min(ADDED))).clicked() {
        let id = ui.scope_id().with(what);
        ui.data_mut(|data| data.insert_temp(id, listed + ADDED));
    }
}
