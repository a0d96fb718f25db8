//! Weak points of the shown timetable in the panel: the exams that move when a room or an examiner fails.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use egui::Ui;
use gridwright_core::numbers::counted;
use gridwright_core::text::sentence_case;
use gridwright_timetabling::run::failing::{Fragility, fragilities};

use super::state::Document;
use super::view_state::rooms::Of;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{button, fact, section};
use gridwright_window::widgets::icons::Icon;

/// Failures that are listed at first.
const FIRST: usize = 8;

/// Consequence of a failure in words: «3 exams move, 2 get other rooms».
fn consequence(one: &Fragility) -> String {
    let exams = |count: usize| counted(count as u64, "exam");
    let verb = |count: usize, one: &'static str, several: &'static str| if count == 1 { one } else { several };
    let parts = [
        (one.open, format!("{} without a place", exams(one.open))),
        (one.moved, format!("{} {}", exams(one.moved), verb(one.moved, "moves", "move"))),
        (one.reseated, format!("{} {} other rooms", exams(one.reseated), verb(one.reseated, "gets", "get"))),
    ];
    let said: Vec<String> = parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words).collect();
    if said.is_empty() { "nothing".to_owned() } else { said.join(", ") }
}

/// Shows what fails worst, once the person has asked for it; nothing for a timetable that is not whole.
pub(crate) fn show(ui: &mut Ui, document: &mut Document) {
    let Some(picture) = document.picture().filter(|picture| picture.cost.is_feasible()).map(Arc::clone) else { return };
    let (instance, timetable) = (Arc::clone(&document.instance), Arc::clone(&picture.timetable));
    if !instance.has_rooms() && instance.resources.people.is_empty() {
        return;
    }
    let is_solving = document.is_solving();
    section(ui, "What if it fails", |_| {});
    let now = Of(Arc::clone(&instance), Arc::clone(&timetable));
    let state = &mut document.state.failing;
    if state.asked.as_ref() != Some(&now) || is_solving {
        state.answers.forget();
        state.asked = None;
        let help = "For each room, and for each examiner on a day: how many exams would have to move without. Everything else stays";
        if button(ui, Icon::Search, "Look for weak points", !is_solving).on_hover_text(help).clicked() {
            (state.asked, state.all, state.progress) = (Some(now), false, Arc::default());
        }
        ui.add_space(space::S);
        return;
    }
    let progress = Arc::clone(&state.progress);
    let look = move |of: &Of, is_over: &(dyn Fn() -> bool + Sync)| {
        let counted = |all| {
            progress.1.store(all, Ordering::Relaxed);
            progress.0.fetch_add(1, Ordering::Relaxed);
        };
        fragilities(&of.0, &of.1, is_over, &counted).unwrap_or_default()
    };
    let Some(found) = state.answers.answer(ui.ctx(), &now, look) else {
        let [done, all] = [&state.progress.0, &state.progress.1].map(|count| count.load(Ordering::Relaxed));
        let words = if all > 0 { format!("{done} of {all} looked at…") } else { "Looking…".to_owned() };
        ui.label(theme::small(words).color(palette(ui.visuals()).weak));
        if button(ui, Icon::Stop, "Stop looking", true).clicked() {
            state.answers.forget();
            state.asked = None;
        }
        ui.ctx().request_repaint_after(Duration::from_millis(250));
        ui.add_space(space::S);
        return;
    };
    let count = if state.all { found.len() } else { FIRST };
    for one in found.iter().take(count) {
        fact(ui, &sentence_case(&one.failure.words(&instance)), &consequence(one));
    }
    if found.is_empty() {
        ui.label("Nothing can fail.");
    }
    let more = found.len().saturating_sub(count);
    state.all |= more > 0 && ui.link(format!("{more} more…")).clicked();
    ui.add_space(space::S);
}
