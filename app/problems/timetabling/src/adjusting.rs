//! Moving, pinning and relating the selected exam.

mod bulk;
pub(crate) mod making_room;
pub mod move_warning;
mod relations;
mod resolving;
mod rooms;
mod rules;
mod strip;

use std::sync::Arc;

use egui::{Color32, Ui};
use gridwright_core::numbers::{cost_change, count_change, counted};
use gridwright_core::text::sentence_case;
use gridwright_timetabling::Instance;
use gridwright_timetabling::moves::{Consequence, alternatives};
use gridwright_timetabling::run::holding::{Held, Rearranged};

pub use bulk::show as bulk_dialog;
pub use move_warning::move_warning_dialog;
pub use rooms::{RoomMethods, drag_hint as room_hint, parts, room_dialog, room_warning_dialog};
pub use rules::panel as rules_panel;

use super::describe::per_student;
use super::editing::Edit;
use super::state::Document;
use super::view_state::adjusting::MoveWarning;
use crate::methods::*;
use gridwright_window::theme::{self, Palette, palette, space};
use gridwright_window::widgets::controls::{button, section};
use gridwright_window::widgets::icons::Icon;
use making_room::{Room, RoomMaking as _};

/// Alternatives that are offered.
pub(crate) const OFFERED: usize = 3;

/// A change of the shown cost, with its sign: «−0.0132», or «−12» where it is not divided.
pub fn change_words(instance: &Instance, change: i64) -> String {
    match change {
        0 => "no change".to_owned(),
        _ if !instance.objective.is_per_student() => count_change(change),
        _ => cost_change(instance.shown(change.unsigned_abs()) * change.signum() as f64),
    }
}

/// A consequence in a sentence.
pub fn words(instance: &Instance, consequence: &Consequence) -> String {
    let mut parts = Vec::new();
    if let Some(&(other, _)) = consequence.clashes.first() {
        let students = consequence.students();
        let more = consequence.clashes.len() - 1;
        let with = instance.exams.get(other).map_or("?", |exam| exam.code.as_str());
        let others = if more > 0 { format!(" and {more} more") } else { String::new() };
        parts.push(format!("clashes with {with}{others}, {}", counted(students, "student")));
    }
    parts.extend(consequence.broken.iter().cloned());
    if parts.is_empty() {
        parts.push(cost_words(instance, consequence.change));
    }
    parts.join("; ")
}

/// A change of the raw cost in words: «better by 12», «no change of cost».
fn cost_words(instance: &Instance, change: i64) -> String {
    let shown = instance.cost_text(change.unsigned_abs()) + per_student(instance);
    match change {
        0 => "no change of cost".to_owned(),
        _ if change < 0 => format!("better by {shown}"),
        _ => format!("worse by {shown}"),
    }
}

/// Makes a move at once if nothing speaks against it, otherwise asks for a confirmation.
///
/// # Errors
/// Error with the reason in words if the move is not possible.
pub fn ask(document: &mut Document, exam: usize, period: usize) -> Result<(), &'static str> {
    if document.picture().is_none() {
        return document.move_exam(exam, Some(period));
    }
    match document.effects(exam).get(period).map(Consequence::is_free) {
        Some(true) => document.move_exam(exam, Some(period)),
        Some(false) => {
            document.move_warning = Some(MoveWarning { exam, period });
            Ok(())
        }
        None => Ok(()),
    }
}

/// Requests a move; shows a notice with the reason if the move is not possible.
pub(crate) fn ask_or_say(document: &mut Document, exam: usize, period: usize) {
    if let Err(why) = ask(document, exam, period) {
        document.say(why);
    }
}

/// Returns the largest change of cost among the free periods of an exam, in raw cost; the scale of the shades.
pub(crate) fn largest_change(found: &[Consequence]) -> u64 {
    found.iter().filter(|one| one.is_free()).map(|one| one.change.unsigned_abs()).max().unwrap_or(0)
}

/// Returns hue and strength (0…1) of the colour of a change of the cost; `None` if the cost does not change.
fn mood(palette: &Palette, change: i64, largest: u64) -> Option<(Color32, f32)> {
    if change == 0 {
        return None;
    }
    let strength = (change.unsigned_abs() as f32 / largest.max(1) as f32).sqrt();
    Some((if change < 0 { palette.good } else { palette.warn }, strength))
}

/// Shade of a period for an exam: better, worse, or none if the period is blocked.
pub fn shade(palette: &Palette, consequence: &Consequence, largest: u64) -> Option<Color32> {
    consequence.is_free().then(|| shade_of(palette, consequence.change, largest))
}

/// Shade of a place by the change of the cost there; `largest` is the scale.
pub fn shade_of(palette: &Palette, change: i64, largest: u64) -> Color32 {
    match mood(palette, change, largest) {
        Some((colour, strength)) => colour.gamma_multiply(0.18 + 0.42 * strength),
        None => palette.border_strong.gamma_multiply(0.5),
    }
}

/// Draws the consequence of dropping an exam on a period beside the pointer; nothing on its present period. Returns the room that
/// the others would make for it.
pub fn drag_hint(ui: &Ui, document: &mut Document, exam: usize, period: usize) -> Option<Arc<Rearranged>> {
    let here = document.picture().and_then(|picture| picture.timetable.period_of(exam));
    let found = document.effects(exam);
    let consequence = found.get(period).filter(|_| here != Some(period))?;
    let room = (!consequence.is_free()).then(|| document.room_for(ui.ctx(), Held { exam, period }));
    let (layer, id) = (ui.layer_id(), ui.scope_id().with("drag hint"));
    egui::Tooltip::always_open(ui.ctx().clone(), layer, id, egui::PopupAnchor::Pointer).show(|ui| {
        let palette = palette(ui.visuals());
        ui.label(theme::bold(format!("To {}", document.instance.period_name(period))));
        let colour = if consequence.is_free() { palette.text } else { palette.bad };
        ui.label(egui::RichText::new(words(&document.instance, consequence)).color(colour));
        if let Some(room) = &room {
            making_room::hint(ui, &document.instance, room);
        }
    });
    room.and_then(|room| if let Room::Made(room) = room { Some(room) } else { None })
}

/// Drops an exam that was dragged: others make room where they have been asked to; otherwise as [`ask_or_say`].
pub(crate) fn drop_or_say(ui: &Ui, document: &mut Document, held: Held) {
    let is_free = document.effects(held.exam).get(held.period).is_none_or(Consequence::is_free);
    let room = if is_free { Room::Resting } else { document.room_for(ui.ctx(), held) };
    let Room::Made(room) = room else { return ask_or_say(document, held.exam, held.period) };
    if let Err(why) = document.make_room(held, &room) {
        document.say(why);
    }
}

/// Draws the actions on the selected exam.
pub fn show(ui: &mut Ui, document: &mut Document, exam: usize) {
    let instance = Arc::clone(&document.instance);
    if instance.period_count() == 0 {
        return;
    }
    let timetable = document.picture().map(|picture| Arc::clone(&picture.timetable));
    let here = timetable.as_ref().and_then(|timetable| timetable.period_of(exam));
    let found = document.effects(exam);
    let mut edits = Vec::new();
    let placed = timetable.is_some();
    let pin = instance.rules.pin_of(exam);
    section(ui, if placed { "Move to" } else { "Pin to" }, |ui| {
        pin_button(ui, &instance, exam, (pin, here), &mut edits)
    });
    let subject = strip::Subject { instance: &instance, exam, here, found: &found, placed };
    let mut asked = strip::show(ui, &subject, &mut edits);
    ui.add_space(space::XS);
    if placed {
        asked = offers(ui, &instance, exam, here, &found).or(asked);
    } else {
        let text = "There is no timetable yet: what is demanded now is minded by the first search.";
        ui.label(theme::small(text).color(palette(ui.visuals()).weak));
    }
    ui.add_space(space::S);
    relations::show(ui, document, exam, &mut edits);
    ui.add_space(space::M);
    if !edits.is_empty() {
        // Pins and relations can always be demanded; whether they can be met is another matter.
        let _ = document.apply(edits);
    }
    if let Some(period) = asked {
        ask_or_say(document, exam, period);
    }
}

/// Draws the button that pins the exam to its period or unpins it.
fn pin_button(
    ui: &mut Ui, instance: &Instance, exam: usize, (pin, here): (Option<usize>, Option<usize>), edits: &mut Vec<Edit>,
) {
    // Without the end of the period, so that the heading beside the button is not cut.
    let begin = |period| instance.period_name(period).split('–').next().unwrap_or_default().to_owned();
    let (name, help, period) = match (pin, here) {
        (Some(pin), _) => {
            (format!("Unpin from {}", begin(pin)), "Searches may move this exam again (P)".to_owned(), None)
        }
        (None, Some(here)) => {
            let help = "Searches leave this exam where it is; moved by hand it takes its pin along (P)";
            (format!("Pin to {}", begin(here)), help.to_owned(), Some(here))
        }
        (None, None) => return,
    };
    if button(ui, Icon::Pin, &name, true).on_hover_text(help).clicked() {
        edits.push(Edit::Pin { exam, period });
    }
}

/// The best periods without a clash or a broken rule; returns the one that was clicked; `None` if none was.
pub fn offers(
    ui: &mut Ui, instance: &Instance, exam: usize, here: Option<usize>, found: &[Consequence],
) -> Option<usize> {
    let palette = palette(ui.visuals());
    let best = alternatives(found, here, OFFERED);
    if best.is_empty() {
        let code = &instance.exams[exam].code;
        ui.label(theme::small(format!("No other period is free for {code}")).color(palette.weak));
        return None;
    }
    let mut clicked = None;
    let caption = format!("Best alternatives, change of cost{}", per_student(instance));
    ui.label(theme::small(caption).color(palette.weak));
    // Dates need a line of their own.
    let is_dated = best.iter().any(|&period| instance.is_scheduled(period));
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(6.0, 4.0);
        let mut offer = |ui: &mut Ui, period: usize| {
            if offered(ui, instance, period, &found[period]) {
                clicked = Some(period);
            }
        };
        match is_dated {
            true => best.iter().for_each(|&period| offer(ui, period)),
            false => ui.columns(OFFERED, |columns| {
                columns.iter_mut().zip(&best).for_each(|(ui, &period)| offer(ui, period));
            }),
        }
    });
    clicked
}

/// Draws the button of an offered period; returns `true` if it was clicked.
fn offered(ui: &mut Ui, instance: &Instance, period: usize, consequence: &Consequence) -> bool {
    let palette = palette(ui.visuals());
    let change = change_words(instance, consequence.change);
    let colour = mood(palette, consequence.change, 1).map_or(palette.weak, |(colour, _)| colour);
    let mut job = egui::text::LayoutJob::default();
    let format = |font, color| egui::TextFormat { font_id: font, color, ..Default::default() };
    let name = sentence_case(&instance.period_name(period));
    let wide = ui.available_width() > 112.0;
    let label = if wide { name.clone() } else { (period + 1).to_string() };
    job.append(&label, 0.0, format(theme::bold_font(theme::text::BODY), palette.text));
    job.append(&change, space::S, format(theme::font(theme::text::SMALL), colour));
    let size = egui::vec2(ui.available_width(), theme::size::CONTROL);
    ui.spacing_mut().button_padding.x = 6.0;
    let response = ui.add(egui::Button::new(job).min_size(size).wrap_mode(egui::TextWrapMode::Extend));
    let label = format!("{name} ({change})");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
    let help = format!("Move to {}: {}", instance.period_name(period), words(instance, consequence));
    response.on_hover_text(help).clicked()
}
