//! Moving, pinning and relating the selected exam.

mod relations;
mod resolving;
mod rules;

use egui::{Align2, Color32, Rect, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use gridwright_solver::timetabling::Instance;
use gridwright_solver::timetabling::moves::{Consequence, alternatives, consequences};

pub use relations::Draft as Relating;
pub use resolving::{Dialog as ResolveDialog, price_of_a_move};
pub use rules::panel as rules_panel;

use super::desk::Desk;
use super::editing::Edit;
use crate::theme::{self, Palette, palette, space, text};
use crate::widgets::controls::{button, section};
use crate::widgets::icons::Icon;

/// Alternatives that are offered.
pub const OFFERED: usize = 3;

/// A move that was asked for and has something against it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// The exam.
    pub exam: usize,
    /// Where to.
    pub period: usize,
}

/// A change of cost per student, with its sign: «−0.0132».
pub fn change_words(instance: &Instance, change: i64) -> String {
    let shown = instance.shown(change.unsigned_abs());
    match change {
        0 => "no change".to_owned(),
        1.. => format!("+{shown:.4}"),
        _ => format!("−{shown:.4}"),
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
        let noun = if students == 1 { "student" } else { "students" };
        parts.push(format!("clashes with {with}{others}, {students} {noun}"));
    }
    parts.extend(consequence.broken.iter().cloned());
    if parts.is_empty() {
        parts.push(match consequence.change {
            0 => "no change of cost".to_owned(),
            change if change < 0 => format!("better by {} per student", &change_words(instance, change)["−".len()..]),
            change => format!("worse by {} per student", &change_words(instance, change)[1..]),
        });
    }
    parts.join("; ")
}

/// Asks for a move: made at once where nothing is against it, otherwise asked about.
///
/// # Errors
/// Why it cannot be made, in words.
pub fn ask(desk: &mut Desk, exam: usize, period: usize) -> Result<(), &'static str> {
    let Some(picture) = desk.picture() else { return desk.move_exam(exam, Some(period)) };
    let free = match consequences(&desk.instance, &picture.timetable, exam).get(period) {
        Some(consequence) => consequence.clashes.is_empty() && against(desk, exam, consequence) == 0,
        None => return Ok(()),
    };
    if free {
        return desk.move_exam(exam, Some(period));
    }
    desk.doubt = Some(Doubt { exam, period });
    Ok(())
}

/// Asks for a move; where it cannot be made the person is told why.
pub fn ask_or_say(desk: &mut Desk, exam: usize, period: usize) {
    if let Err(why) = ask(desk, exam, period) {
        desk.say(why);
    }
}

/// The shade of a period for an exam that could go there: better, worse, or blocked.
pub fn shade(palette: &Palette, consequence: &Consequence, largest: u64) -> Color32 {
    if !consequence.is_free() {
        return palette.blocked.gamma_multiply(0.6);
    }
    let strength = 0.25 + 0.5 * (consequence.change.unsigned_abs() as f32 / largest.max(1) as f32).sqrt();
    match consequence.change {
        0 => palette.raised.gamma_multiply(0.5),
        change if change < 0 => palette.good.gamma_multiply(strength),
        _ => palette.warn.gamma_multiply(strength),
    }
}

/// Rules against a move, the exam's own pin left out: it goes with the exam.
fn against(desk: &Desk, exam: usize, consequence: &Consequence) -> usize {
    consequence.broken.len() - usize::from(desk.rules().pin_of(exam).is_some_and(|pin| pin != consequence.period))
}

/// What can be done with the selected exam.
pub fn show(ui: &mut Ui, desk: &mut Desk, exam: usize) {
    let Some(picture) = desk.picture().cloned() else { return };
    let instance = std::sync::Arc::clone(&desk.instance);
    let here = picture.timetable.period_of(exam);
    let found = consequences(&instance, &picture.timetable, exam);
    let mut edits = Vec::new();
    let mut asked = None;
    section(ui, "Move to", |_| {});
    asked = strip(ui, &instance, exam, here, &found, &mut edits).or(asked);
    ui.add_space(space::XS);
    asked = offers(ui, &instance, exam, here, &found).or(asked);
    ui.horizontal_wrapped(|ui| match (desk.rules().pin_of(exam), here) {
        (Some(pin), _) => {
            let name = format!("Unpin from period {}", pin + 1);
            let help = "Searches may move it again";
            if button(ui, Icon::Pin, &name, true).on_hover_text(help).clicked() {
                edits.push(Edit::Pin { exam, period: None });
            }
        }
        (None, Some(here)) => {
            let name = format!("Pin to period {}", here + 1);
            let help = "Searches leave it where it is; moved by hand it takes its pin along";
            if button(ui, Icon::Pin, &name, true).on_hover_text(help).clicked() {
                edits.push(Edit::Pin { exam, period: Some(here) });
            }
        }
        (None, None) => {}
    });
    ui.add_space(space::S);
    relations::show(ui, desk, exam, &mut edits);
    ui.add_space(space::S);
    if !edits.is_empty() {
        // Pins and relations can always be demanded; whether they can be met is another matter.
        let _ = desk.edit(edits);
    }
    if let Some(period) = asked {
        ask_or_say(desk, exam, period);
    }
}

/// A cell per period; returns the one that was clicked.
fn strip(
    ui: &mut Ui,
    instance: &Instance,
    exam: usize,
    here: Option<usize>,
    found: &[Consequence],
    edits: &mut Vec<Edit>,
) -> Option<usize> {
    let palette = palette(ui.visuals());
    let per_line = 10.min(found.len().max(1));
    let side = (ui.available_width() / per_line as f32).min(34.0);
    let lines = found.len().div_ceil(per_line);
    let (rect, _) = ui.allocate_exact_size(vec2(side * per_line as f32, side * 0.8 * lines as f32), Sense::hover());
    let largest = found.iter().filter(|one| one.is_free()).map(|one| one.change.unsigned_abs()).max().unwrap_or(0);
    let mut clicked = None;
    for (index, consequence) in found.iter().enumerate() {
        let (line, column) = (index / per_line, index % per_line);
        let corner = pos2(rect.min.x + column as f32 * side, rect.min.y + line as f32 * side * 0.8);
        let cell = Rect::from_min_size(corner, vec2(side, side * 0.8)).shrink(1.0);
        let response = ui.interact(cell, ui.scope_id().with(("move", exam, index)), Sense::click());
        let sentence = if here == Some(index) { "it is here".to_owned() } else { words(instance, consequence) };
        response.widget_info(|| {
            WidgetInfo::labeled(egui::Role::Button, true, format!("Move to period {}: {sentence}", index + 1))
        });
        let (fill, ink) = colours(palette, consequence, here == Some(index), largest);
        ui.painter().rect_filled(cell, 3.0, fill);
        let focused = response.has_focus() || response.hovered();
        let edge = if focused { Stroke::new(2.0, palette.accent) } else { Stroke::new(1.0, palette.border) };
        ui.painter().rect_stroke(cell, 3.0, edge, StrokeKind::Inside);
        let forbidden = instance.rules.forbidden.get(&(exam as u16)).is_some_and(|list| list.contains(&(index as u16)));
        if here != Some(index) && !consequence.is_free() {
            let stroke = Stroke::new(if forbidden { 2.0 } else { 1.0 }, palette.border_strong);
            ui.painter().line_segment([cell.left_bottom(), cell.right_top()], stroke);
        }
        let label = (index + 1).to_string();
        ui.painter().text(cell.center(), Align2::CENTER_CENTER, label, theme::font(text::TINY), ink);
        if response.clicked() && here != Some(index) {
            clicked = Some(index);
        }
        response.context_menu(|ui| {
            let verb = if forbidden { "Allow" } else { "Forbid" };
            if ui.button(format!("{verb} period {} for this exam", index + 1)).clicked() {
                edits.push(Edit::Forbid { exam, period: index, forbidden: !forbidden });
                ui.close();
            }
            if ui.button(format!("Pin to period {}", index + 1)).clicked() {
                edits.push(Edit::Pin { exam, period: Some(index) });
                ui.close();
            }
        });
        response.on_hover_ui(|ui| {
            ui.label(theme::bold(instance.period_label(index)));
            ui.label(&sentence);
            ui.label(theme::small("Click to move, right click to forbid or pin").color(palette.weak));
        });
    }
    clicked
}

fn colours(palette: &Palette, consequence: &Consequence, here: bool, largest: u64) -> (Color32, Color32) {
    if here {
        return (palette.accent, palette.on_accent);
    }
    if !consequence.is_free() {
        return (palette.blocked, palette.faint);
    }
    if consequence.change == 0 {
        return (palette.raised, palette.text);
    }
    let strength = 0.15 + 0.55 * (consequence.change.unsigned_abs() as f32 / largest.max(1) as f32).sqrt();
    let colour = if consequence.change < 0 { palette.good } else { palette.warn };
    (palette.raised.lerp_to_gamma(colour, strength), palette.text)
}

/// The best periods without a clash or a broken rule; returns the one that was clicked.
pub fn offers(
    ui: &mut Ui,
    instance: &Instance,
    exam: usize,
    here: Option<usize>,
    found: &[Consequence],
) -> Option<usize> {
    let palette = palette(ui.visuals());
    let best = alternatives(found, here, OFFERED);
    if best.is_empty() {
        let code = &instance.exams[exam].code;
        ui.label(theme::small(format!("No other period is free for {code}")).color(palette.weak));
        return None;
    }
    let mut clicked = None;
    ui.horizontal_wrapped(|ui| {
        ui.label(theme::small("Best alternatives").color(palette.weak));
        for period in best {
            let change = change_words(instance, found[period].change);
            let words = format!("Period {} ({change})", period + 1);
            let response = ui.button(RichText::new(words)).on_hover_text(instance.period_label(period));
            if response.clicked() {
                clicked = Some(period);
            }
        }
    });
    clicked
}

/// A question over the window, framed as all dialogs are.
fn question(ctx: &egui::Context, name: &str) -> egui::Modal {
    let style = ctx.global_style();
    let frame = egui::Frame::popup(&style).inner_margin(egui::Margin::same(16));
    egui::Modal::new(egui::Id::unique(name)).frame(frame).backdrop_color(palette(&style.visuals).backdrop)
}

/// Asks about a move that has something against it.
pub fn doubt_dialog(ctx: &egui::Context, desk: &mut Desk) {
    let (Some(doubt), Some(picture)) = (desk.doubt.clone(), desk.picture().cloned()) else {
        desk.doubt = None;
        return;
    };
    let instance = std::sync::Arc::clone(&desk.instance);
    let found = consequences(&instance, &picture.timetable, doubt.exam);
    let Some(consequence) = found.get(doubt.period) else {
        desk.doubt = None;
        return;
    };
    let code = instance.exams[doubt.exam].code.clone();
    let mut decided = None;
    let response = question(ctx, "doubtful move").show(ctx, |ui| {
        ui.set_width(420.0);
        ui.label(theme::title(format!("Move {code} to period {}?", doubt.period + 1)));
        ui.add_space(space::XS);
        for &(other, shared) in consequence.clashes.iter().take(6) {
            let noun = if shared == 1 { "student sits" } else { "students sit" };
            ui.label(format!("• {shared} {noun} {} there as well", instance.exams[other].code));
        }
        if consequence.clashes.len() > 6 {
            ui.label(format!("• and {} more exams", consequence.clashes.len() - 6));
        }
        for broken in &consequence.broken {
            ui.label(format!("• {broken}"));
        }
        ui.add_space(space::S);
        let here = picture.timetable.period_of(doubt.exam);
        if let Some(period) = offers(ui, &instance, doubt.exam, here, &found) {
            decided = Some(Some(period));
        }
        ui.add_space(space::S);
        ui.horizontal(|ui| {
            let help = "The timetable then has clashes or breaks rules until you solve again around the changes";
            if button(ui, Icon::Warning, "Move anyway", true).on_hover_text(help).clicked() {
                decided = Some(Some(doubt.period));
            }
            if button(ui, Icon::Cross, "Leave it", true).clicked() {
                decided = Some(None);
            }
        });
    });
    if decided.is_none() && response.should_close() {
        decided = Some(None);
    }
    if let Some(decision) = decided {
        desk.doubt = None;
        if let Some(period) = decision
            && let Err(why) = desk.move_exam(doubt.exam, Some(period))
        {
            desk.say(why);
        }
    }
}
