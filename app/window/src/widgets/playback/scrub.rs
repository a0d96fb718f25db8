//! Scrub bar of a player: activity and events of the recording, the present step, and a handle to drag.

use egui::accesskit::{Action, ActionData};
use egui::{Align2, Key, Mesh, Modifiers, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};
use gridwright_core::numbers::grouped;

use super::{Player, Tape};
use crate::theme::{self, Palette, palette, text};
use crate::widgets::painting::{focus_ring, keys};

const HEIGHT: f32 = 38.0;
/// Room above the bars for flags.
const FLAGS: f32 = 9.0;
/// Margin for the handle before the first and after the last step.
const INSET: f32 = 6.0;

/// Shows it over the whole width; returns the step that a person went to.
pub(super) fn show(ui: &mut Ui, player: &mut Player, tape: &Tape<'_>) -> Option<u64> {
    let palette = palette(ui.visuals());
    let (full, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
    let name = format!("Position in the run, {}", tape.unit.to_lowercase());
    response.widget_info(|| WidgetInfo::slider(true, player.at as f64, &name));
    let area = Rect::from_min_max(full.min + vec2(INSET, FLAGS), full.max - vec2(INSET, 3.0));
    let length = tape.last.saturating_sub(tape.first);
    let x = |at: u64| {
        let share = at.saturating_sub(tape.first) as f64 / length.max(1) as f64;
        area.left() + (share * f64::from(area.width())) as f32
    };
    let step = |x: f32| {
        let share = f64::from((x - area.left()) / area.width().max(1.0)).clamp(0.0, 1.0);
        tape.first + (share * length as f64).round() as u64
    };
    let mut gone = None;
    if response.is_pointer_button_down_on() || response.clicked() {
        response.request_focus();
        gone = response.interact_pointer_pos().map(|position| step(position.x)).filter(|at| *at != player.at);
    }
    gone = by_keys(ui, &response, player, tape).or(gone);
    gone = by_assistance(ui, &response, player, tape).or(gone);
    let shown = gone.unwrap_or(player.at);
    let painter = ui.painter();
    painter.rect_filled(area.expand2(vec2(INSET, 0.0)), 3.0, palette.blocked);
    bars(ui, tape, area, x(shown), palette);
    for event in tape.events {
        let at = pos2(x(event.at), area.top());
        painter.vline(at.x, area.y_range(), Stroke::new(1.5, palette.good));
        let flag = vec![at, at + vec2(-4.0, -7.0), at + vec2(4.0, -7.0)];
        painter.add(Shape::convex_polygon(flag, palette.good, Stroke::NONE));
    }
    let at = x(shown);
    painter.vline(at, area.y_range(), Stroke::new(2.0, palette.accent));
    painter.circle_filled(pos2(at, area.bottom()), 5.0, palette.accent);
    painter.circle_stroke(pos2(at, area.bottom()), 5.0, Stroke::new(1.5, palette.panel));
    focus_ring(ui, &response, full);
    hover(ui, response, tape, area, step);
    gone
}

/// Shows step, activity and event under the pointer.
fn hover(ui: &Ui, response: Response, tape: &Tape<'_>, area: Rect, step: impl Fn(f32) -> u64) {
    let Some(position) = response.hover_pos() else { return };
    let at = step(position.x);
    let palette = palette(ui.visuals());
    ui.painter().vline(position.x, area.y_range(), Stroke::new(1.0, palette.weak));
    let each = f64::from(area.width()) / tape.last.saturating_sub(tape.first).max(1) as f64;
    let near = |event: &&super::Event| event.at.abs_diff(at) as f64 * each <= 5.0;
    let event = tape
        .events
        .iter()
        .find(near)
        .map_or_else(String::new, |event| format!("\n{} at {}", event.name, grouped(event.at as i64)));
    response.on_hover_text_at_pointer(format!("{} {}{event}\n{}", tape.unit, grouped(at as i64), tape.activity_name));
}

/// A bar for every pixel: the most that happened at a step which lies there; what was played is stronger.
fn bars(ui: &Ui, tape: &Tape<'_>, area: Rect, played: f32, palette: &Palette) {
    let painter = ui.painter();
    if tape.activity.is_empty() {
        if tape.last <= tape.first {
            let font = theme::font(text::SMALL);
            painter.text(area.center(), Align2::CENTER_CENTER, "Nothing was recorded yet", font, palette.weak);
        }
        return;
    }
    let columns = (area.width().round() as usize).max(1);
    let length = tape.last.saturating_sub(tape.first) as usize + 1;
    let mut highest = vec![0.0_f32; columns];
    for (index, &much) in tape.activity.iter().enumerate().take(length) {
        let at = &mut highest[(index * columns / length).min(columns - 1)];
        *at = at.max(much);
    }
    let mut mesh = Mesh::default();
    let mut bar = |left: f32, right: f32, much: f32| {
        let top = area.bottom() - 1.0 - much.clamp(0.0, 1.0) * (area.height() - 2.0);
        let bar = Rect::from_min_max(pos2(left, top), pos2(right, area.bottom()));
        mesh.add_colored_rect(bar, if left <= played { palette.accent } else { palette.bar });
    };
    if length <= columns {
        // Every step has a bar of its own, in the middle of its place.
        let each = area.width() / length.saturating_sub(1).max(1) as f32;
        let half = (each * 0.4).max(0.5);
        for (index, &much) in tape.activity.iter().enumerate().take(length).filter(|(_, much)| **much > 0.0) {
            let x = area.left() + index as f32 * each;
            bar((x - half).max(area.left()), (x + half).min(area.right()), much);
        }
    } else {
        for (index, &much) in highest.iter().enumerate().filter(|(_, much)| **much > 0.0) {
            let left = area.left() + index as f32;
            bar(left, left + 1.0, much);
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// Where arrows, page keys, Home and End lead; the space bar plays.
fn by_keys(ui: &Ui, response: &Response, player: &mut Player, tape: &Tape<'_>) -> Option<u64> {
    let pressed = keys(ui, response);
    if !response.has_focus() {
        return None;
    }
    let key = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    if key(Key::Space) || pressed.enter {
        player.toggle(tape);
        ui.ctx().request_repaint();
    }
    if key(Key::Home) {
        return Some(tape.first);
    }
    if key(Key::End) {
        return Some(tape.last);
    }
    let by = (pressed.right + pressed.down) as i64;
    (by != 0).then(|| tape.clamp(player.at.saturating_add_signed(by)))
}

/// Where somebody goes who uses neither pointer nor keys.
fn by_assistance(ui: &Ui, response: &Response, player: &Player, tape: &Tape<'_>) -> Option<u64> {
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_min_numeric_value(tape.first as f64);
        node.set_max_numeric_value(tape.last as f64);
        node.set_numeric_value_step(1.0);
        for action in [Action::SetValue, Action::Increment, Action::Decrement] {
            node.add_action(action);
        }
    })?;
    ui.input(|input| {
        let asked = |action| input.num_accesskit_action_requests(response.id, action) as i64;
        let by = asked(Action::Increment) - asked(Action::Decrement);
        let set =
            input.accesskit_action_requests(response.id, Action::SetValue).find_map(|request| match request.data {
                Some(ActionData::NumericValue(value)) if value.is_finite() => Some(tape.clamp(value.max(0.0) as u64)),
                _ => None,
            });
        set.or_else(|| (by != 0).then(|| tape.clamp(player.at.saturating_add_signed(by))))
    })
}
