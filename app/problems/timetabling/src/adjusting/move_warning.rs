//! The question before a move that has something against it.

use gridwright_core::numbers::counted_as;
use std::sync::Arc;

use egui::{RichText, Ui};
use gridwright_timetabling::moves::Consequence;
use gridwright_timetabling::run::holding::Held;

use super::making_room::{self, Room, RoomMaking as _};
use super::offers;
use crate::methods::*;
use crate::state::Document;
use gridwright_window::theme::{palette, size, space};
use gridwright_window::widgets::controls::button;
use gridwright_window::widgets::dialog::{Wish, closes, dialog, heading};
use gridwright_window::widgets::icons::Icon;

/// Lines that are listed.
const LISTED: usize = 6;

/// Asks about a move that has something against it.
pub fn move_warning_dialog(ctx: &egui::Context, document: &mut Document) {
    let (Some(warning), Some(picture)) = (document.move_warning.take(), document.picture().cloned()) else { return };
    let instance = Arc::clone(&document.instance);
    let found = document.effects(warning.exam);
    let Some(consequence) = found.get(warning.period) else { return };
    let code = &instance.exams[warning.exam].code;
    let held = Held { exam: warning.exam, period: warning.period };
    let room = document.room_for(ctx, held);
    let (mut chosen, mut makes_room) = (None, false);
    let response = dialog(ctx, "Doubtful move", 440.0, |ui| {
        let mut wish = Wish::Stay;
        heading(ui, &format!("Move {code} to {}?", instance.period_name(warning.period)), &mut wish);
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            for line in reasons(document, consequence) {
                reason(ui, &line);
            }
        });
        ui.add_space(space::XS);
        makes_room = making_room::offer(ui, &instance, &room);
        let here = picture.timetable.period_of(warning.exam);
        chosen = offers(ui, &instance, warning.exam, here, &found);
        ui.add_space(space::S);
        let help = "The timetable then has clashes or breaks rules until you solve again around the changes";
        if footer(ui, help, "The exam stays where it is (Escape)", &mut wish) {
            chosen = Some(warning.period);
        }
        wish
    });
    if let (true, Room::Made(room)) = (makes_room, &room) {
        if let Err(why) = document.make_room(held, room) {
            document.say(why);
        }
        return;
    }
    match chosen {
        Some(period) => {
            if let Err(why) = document.move_exam(warning.exam, Some(period)) {
                document.say(why);
            }
        }
        None if closes(&response) => {}
        None => document.move_warning = Some(warning),
    }
}

/// Draws the buttons below a question about a doubtful move; returns `true` if the move is to be made.
pub(crate) fn footer(ui: &mut Ui, anyway: &str, leave: &str, wish: &mut Wish) -> bool {
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let clicked = button(ui, Icon::Warning, "Move anyway", true).on_hover_text(anyway).clicked();
        let stay = egui::Button::new("Leave it").min_size(egui::vec2(0.0, size::CONTROL));
        if ui.add(stay).on_hover_text(leave).clicked() {
            *wish = Wish::Close;
        }
        clicked
    })
    .inner
}

/// Returns the reasons against a move, one line each.
fn reasons(document: &Document, consequence: &Consequence) -> Vec<String> {
    let clash = |&(other, shared): &(usize, u32)| {
        let students = counted_as(shared, "student sits", "students sit");
        format!("{students} {} there as well", document.instance.exams[other].code)
    };
    let mut lines: Vec<String> = consequence.clashes.iter().take(LISTED).map(clash).collect();
    let more = consequence.clashes.len().saturating_sub(LISTED);
    if more > 0 {
        lines.push(format!("and {more} more exams with common students"));
    }
    let capital = |text: &String| {
        // Codes of exams stay as they are written.
        match text.strip_prefix("period ") {
            Some(rest) => format!("Period {rest}"),
            None => text.clone(),
        }
    };
    lines.extend(consequence.broken.iter().map(capital));
    lines
}

/// Draws a reason against a move.
pub(crate) fn reason(ui: &mut Ui, text: &str) {
    let palette = palette(ui.visuals());
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 20.0;
        let (rect, _) = ui.allocate_exact_size(egui::vec2(14.0, 14.0), egui::Sense::hover());
        Icon::Warning.paint(ui.painter(), rect, palette.bad);
        ui.add(egui::Label::new(RichText::new(text).color(palette.text)).wrap());
    });
}
