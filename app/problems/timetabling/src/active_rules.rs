//! Line beside the solve button that names the active rules: rules stay active until they are removed, and a run that
//! must satisfy them may cost more than an earlier one.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Label, RichText, Sense, Ui, vec2};
use gridwright_timetabling::{Instance, Reference};

use super::describe::{counted, per_student};
use super::editing::Edit;
use super::state::Document;
use crate::methods::*;
use gridwright_window::theme::{palette, size, space};
use gridwright_window::widgets::controls::button;
use gridwright_window::widgets::icons::Icon;

/// The name of the timetable that is to be stayed close to.
fn name_of(document: &Document, reference: &Reference) -> String {
    let of = |name: String| format!("the timetable of {name}");
    if let Some(draft) = document.draft().filter(|draft| *draft.base == reference.timetable) {
        return of(draft.from.clone());
    }
    if let Some(draft) = document.draft().filter(|draft| *draft.solution == reference.timetable) {
        return of(format!("{} as edited", draft.from));
    }
    let run = document.listed().rev().find(|run| *run.timetable == reference.timetable);
    run.map_or_else(|| "an earlier timetable".to_owned(), |run| of(run.title()))
}

/// Returns one line about the restrictions that an instance's rules impose; `None` if they impose none.
pub fn words(document: &Document, instance: &Instance) -> Option<String> {
    let rules = &instance.rules;
    let mut parts = Vec::new();
    if let Some(reference) = &rules.reference {
        parts.push(format!("stays close to {}", name_of(document, reference)));
    }
    let lists = [
        (rules.pins.len(), "exam", " pinned"),
        (rules.room_pins.len(), "exam", " pinned to rooms"),
        (rules.forbidden.len(), "exam", " with forbidden periods"),
        (rules.relations.len(), "relation", ""),
    ];
    parts.extend(
        lists.iter().filter(|(count, ..)| *count > 0).map(|(count, noun, more)| counted(*count as u64, noun) + more),
    );
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Returns the tooltip that explains the line.
fn help(instance: &Instance) -> String {
    let rules = "A solve minds these rules until they are taken away; without them it may find a better timetable.";
    match &instance.rules.reference {
        Some(reference) => {
            let price = instance.cost_text(u64::from(reference.weight)) + per_student(instance);
            format!("Moving an exam away from where it stood must save {price}.\n{rules}")
        }
        None => rules.to_owned(),
    }
}

/// Draws the active rules with buttons that remove them; during a run, the rules of that run.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let running = document.live.as_ref().map(|live| Arc::clone(&live.instance));
    let solving = running.is_some();
    let instance = running.unwrap_or_else(|| Arc::clone(&document.instance));
    let Some(words) = words(document, &instance) else { return };
    let palette = palette(ui.visuals());
    let mut edits = Vec::new();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        ui.set_min_height(size::CONTROL);
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
        Icon::Pin.paint(ui.painter(), rect, palette.accent);
        let line = format!("{}: {words}", if solving { "This run" } else { "The next run" });
        // The buttons are never the ones to be pushed out.
        let room = if solving { 0.0 } else { 250.0 };
        ui.scope(|ui| {
            ui.set_max_width((ui.available_width() - room).max(120.0));
            ui.add(Label::new(RichText::new(line).color(palette.text)).truncate()).on_hover_text(help(&instance));
        });
        if solving {
            return;
        }
        if instance.rules.reference.is_some() {
            let response = button(ui, Icon::Cross, "Drop closeness", true);
            if response.on_hover_text("Let the next run put every exam anywhere").clicked() {
                edits.push(Edit::ForgetReference);
            }
        }
        if !instance.rules.pins.is_empty() || !instance.rules.room_pins.is_empty() {
            let response = button(ui, Icon::Cross, "Unpin all", true);
            if response.on_hover_text("Let the next run move the pinned exams").clicked() {
                let rooms = instance.rules.room_pins.keys();
                edits.extend(rooms.map(|&exam| Edit::PinRooms { exam: exam.into(), rooms: BTreeSet::new() }));
                edits.extend(instance.rules.pins.keys().map(|&exam| Edit::Pin { exam: exam.into(), period: None }));
            }
        }
    });
    if !edits.is_empty() {
        // Rules can always be taken away.
        let _ = document.apply(edits);
    }
}
