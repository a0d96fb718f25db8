//! The strip of messages at the bottom of the window. It takes its height from the other parts, so that it covers nothing;
//! while a dialog is open, the strip is painted above the dimmed window, and dialogs keep to the rest of it.

use std::sync::Arc;
use std::time::Duration;

use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align, Align2, Area, Color32, Context, Frame, Galley, Id, Label, Layout, Margin, Order, Panel, Rect, Sense, Stroke,
    Ui, WidgetInfo, vec2,
};

use super::{Action, Kind, Notice, Notices};
use crate::theme::{self, palette, size, space, text};
use crate::widgets::controls::{button, icon_button};
use crate::widgets::icons::Icon;

/// Largest number of messages that are shown at once.
const SHOWN: usize = 3;
/// Largest number of lines of a message; the rest is in the list of all messages.
const LINES: usize = 3;
/// Largest share of the height of the window that messages take.
const LARGEST: f32 = 0.25;
/// Least height of a message in points: heading, one line of text and margins.
const LEAST: f32 = 51.0;
/// Seconds without movement after which a pointer rests.
const STILL: f32 = 0.7;
/// Height of a line of text in points.
const LINE: f32 = 17.0;

/// Number of messages of `waiting` that are shown in a window of this height in points, and the number of lines of each.
fn fitting(height: f32, waiting: usize) -> (usize, usize) {
    let room = height * LARGEST;
    let count = ((room / LEAST) as usize).clamp(1, SHOWN).min(waiting);
    let lines = 1.0 + ((room / count.max(1) as f32 - LEAST) / LINE).max(0.0);
    (count, (lines as usize).min(LINES))
}

fn height_id() -> Id {
    Id::unique("height of the strip of messages")
}

/// Height of the strip in the last frame in points; 0 where no message is shown.
pub fn height(ctx: &Context) -> f32 {
    ctx.data(|data| data.get_temp(height_id())).unwrap_or_default()
}

fn set_height(ctx: &Context, value: f32) {
    if (height(ctx) - value).abs() > 0.5 {
        ctx.request_repaint();
    }
    ctx.data_mut(|data| data.insert_temp(height_id(), value));
}

/// Shows the messages; returns the action that was clicked; `None` if none was.
///
/// Nothing moves under a pointer that is pressed: until it is released, the strip keeps its height. While the pointer moves towards
/// something, the strip becomes no lower.
pub(crate) fn show(notices: &mut Notices, ui: &mut Ui) -> Option<Action> {
    let (before, is_pressed) = (height(ui.ctx()), is_pressed(ui.ctx()));
    let keeps_room = before > 0.0 && !is_pressed && is_aimed(ui.ctx());
    if is_pressed {
        ui.ctx().request_repaint();
    }
    if keeps_room {
        ui.ctx().request_repaint_after(Duration::from_secs_f32(STILL));
    }
    let is_hidden = if is_pressed { before == 0.0 } else { notices.list.is_empty() && !keeps_room };
    if is_hidden {
        // The parts that follow have the same identifiers with and without messages.
        ui.skip_ahead_auto_ids(1);
        set_height(ui.ctx(), 0.0);
        return None;
    }
    let ctx = ui.ctx().clone();
    let panel = Panel::bottom("messages").resizable(false).frame(Frame::new().fill(palette(ui.visuals()).panel));
    let panel = match () {
        () if is_pressed => panel.exact_size(before),
        () if keeps_room => panel.min_size(before),
        () => panel,
    };
    let (rect, pressed) = if ctx.memory(|memory| memory.top_modal_layer()).is_none() {
        let strip = panel.show(ui, |ui| cards(notices, ui));
        (strip.response.rect, strip.inner)
    } else {
        let place = panel.exact_size(before.max(1.0)).show(ui, |_| {}).response.rect;
        let area = Area::new(Id::unique("messages above a dialog")).order(Order::Tooltip).constrain(false);
        let area = area.pivot(Align2::LEFT_BOTTOM).fixed_pos(place.left_bottom());
        let strip = area.show(&ctx, |ui| {
            ui.set_width(place.width());
            cards(notices, ui)
        });
        (strip.response.rect, strip.inner)
    };
    if !is_pressed {
        set_height(&ctx, rect.height());
    }
    pressed
}

/// Returns `true` from the frame in which a button of the pointer goes down to that in which it comes up.
fn is_pressed(ctx: &Context) -> bool {
    ctx.input(|input| input.pointer.any_down() || input.pointer.any_pressed() || input.pointer.any_released())
}

/// Returns `true` while the pointer is on its way to a place of the window, where it will be pressed.
fn is_aimed(ctx: &Context) -> bool {
    ctx.input(|input| {
        let pointer = &input.pointer;
        let is_moving = pointer.hover_pos().is_some() && pointer.time_since_last_movement() < STILL;
        is_moving && pointer.time_since_last_click() > STILL && input.keys_down.is_empty()
    })
}

/// Draws the newest messages, and how many more there are.
fn cards(notices: &mut Notices, ui: &mut Ui) -> Option<Action> {
    let (mut closed, mut pressed) = (None, None);
    ui.spacing_mut().item_spacing.y = 0.0;
    let (count, lines) = fitting(ui.ctx().content_rect().height(), notices.list.len());
    let hidden = notices.list.len() - count;
    for (index, notice) in notices.list.iter().enumerate().skip(hidden) {
        let more = if index == hidden { hidden } else { 0 };
        // Messages with equal words have different identifiers.
        let outcome = ui.push_id(index, |ui| card(ui, notice, lines, more)).inner;
        if outcome.closed {
            closed = Some(index);
        }
        pressed = pressed.take().or(outcome.pressed);
    }
    if let Some(index) = closed {
        let closed = notices.list.remove(index);
        pressed = pressed.or(closed.actions.into_iter().find(Action::is_refusal));
    }
    pressed
}

/// Input to a message in this frame.
struct Outcome {
    closed: bool,
    pressed: Option<Action>,
}

/// Draws a message of at most so many lines; `more` is the number of older messages that are not shown.
fn card(ui: &mut Ui, notice: &Notice, lines: usize, more: usize) -> Outcome {
    let palette = palette(ui.visuals());
    let (icon, colour) = notice.kind.look(palette);
    let fill = if notice.kind == Kind::Error { palette.bad_soft } else { palette.surface };
    let mut outcome = Outcome { closed: false, pressed: None };
    let frame = Frame::new().fill(fill).inner_margin(Margin::symmetric(16, 4));
    let response = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = space::S;
            let (rect, _) = ui.allocate_exact_size(vec2(18.0, size::CONTROL), Sense::hover());
            icon.paint(ui.painter(), rect.shrink2(vec2(1.0, 6.0)), colour);
            ui.with_layout(Layout::right_to_left(Align::TOP), |ui| {
                outcome.closed = icon_button(ui, Icon::Cross, "Close this message", true).clicked();
                outcome.pressed = buttons(ui, notice, more);
                ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
                    ui.spacing_mut().item_spacing.y = space::XS;
                    ui.add_space(5.0);
                    ui.add(Label::new(theme::bold(&notice.heading)).truncate());
                    if words(ui, &notice.text, lines) {
                        outcome.pressed = Some(Action::AllMessages);
                    }
                });
            });
        });
    });
    let rect = response.response.rect;
    ui.painter().hline(rect.x_range(), rect.top(), Stroke::new(1.0, palette.border_strong));
    ui.painter().rect_filled(Rect::from_min_max(rect.min, rect.left_bottom() + vec2(4.0, 0.0)), 0.0, colour);
    response
        .response
        .widget_info(|| WidgetInfo::labeled(egui::Role::Alert, true, format!("{}: {}", notice.heading, notice.text)));
    outcome
}

/// Draws the buttons of the actions from the right, and a link to the messages that are not shown; returns what was pressed;
/// `None` if nothing was.
fn buttons(ui: &mut Ui, notice: &Notice, more: usize) -> Option<Action> {
    let mut pressed = None;
    for action in notice.actions.iter().rev() {
        if button(ui, action.icon(), action.text(), true).clicked() {
            pressed = Some(action.clone());
        }
    }
    if more > 0 && ui.link(format!("{more} more")).on_hover_text("Show all messages").clicked() {
        pressed = Some(Action::AllMessages);
    }
    pressed
}

/// Writes a text in at most so many lines; returns `true` if a text that is longer was clicked.
fn words(ui: &mut Ui, words: &str, lines: usize) -> bool {
    if words.is_empty() {
        return false;
    }
    let galley = wrapped(ui, words, lines, palette(ui.visuals()).weak);
    let is_cut = galley.elided;
    let label = Label::new(galley);
    let response = ui.add(if is_cut { label.sense(Sense::click()) } else { label.selectable(true) });
    is_cut && response.on_hover_text("Click to read all messages").clicked()
}

/// A text in at most so many lines of the available width; what has no room in them ends with an ellipsis.
pub(crate) fn wrapped(ui: &Ui, words: &str, lines: usize, colour: Color32) -> Arc<Galley> {
    let mut job = LayoutJob::simple(words.to_owned(), theme::font(text::BODY), colour, 0.0);
    job.wrap = TextWrapping { max_width: ui.available_width(), max_rows: lines, ..TextWrapping::default() };
    ui.painter().layout_job(job)
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::*;

    #[test]
    fn messages_take_at_most_a_quarter_of_the_window() {
        assert_eq!(fitting(900.0, 5), (3, 2));
        assert_eq!(fitting(900.0, 1), (1, 3));
        assert_eq!(fitting(640.0, 5), (3, 1));
        assert_eq!(fitting(427.0, 5), (2, 1));
        assert_eq!(fitting(320.0, 5), (1, 2));
        assert_eq!(fitting(100.0, 5), (1, 1));
    }

    #[test]
    fn nothing_moves_while_the_pointer_is_pressed() {
        let notices = std::cell::RefCell::new(Notices::default());
        let (mut has_fonts, bottom) = (false, std::cell::Cell::new(0.0));
        let mut harness = egui_kittest::Harness::builder().with_size(vec2(800.0, 640.0)).build_ui(|ui| {
            if !std::mem::replace(&mut has_fonts, true) {
                theme::install(ui.ctx());
                return ui.ctx().request_repaint();
            }
            show(&mut notices.borrow_mut(), ui);
            egui::CentralPanel::default().show(ui, |ui| bottom.set(ui.max_rect().bottom()));
        });
        harness.run();
        let whole = bottom.get();
        let at = egui::pos2(400.0, 300.0);
        for is_told in [true, false] {
            let before = bottom.get();
            harness.drag_at(at);
            harness.run_steps(3);
            match is_told {
                true => notices.borrow_mut().push(Notice::error("Refused", "a reason")),
                false => notices.borrow_mut().clear(),
            }
            harness.run_steps(3);
            assert_eq!(bottom.get(), before, "pressed");
            harness.drop_at(at);
            harness.run_steps(4);
            assert_eq!(bottom.get() < whole, is_told, "released");
        }
    }

    #[test]
    fn three_messages_are_shown_and_the_others_counted() {
        let mut notices = Notices::default();
        (1..=5).for_each(|number| notices.push(Notice::error(format!("Error {number}"), "a line\n".repeat(9))));
        let (mut has_fonts, mut middle) = (false, Rect::NOTHING);
        let mut harness = egui_kittest::Harness::builder().with_size(vec2(800.0, 640.0)).build_ui(|ui| {
            // Fonts that are installed in a frame are there in the next one.
            if !std::mem::replace(&mut has_fonts, true) {
                theme::install(ui.ctx());
                return ui.ctx().request_repaint();
            }
            show(&mut notices, ui);
            egui::CentralPanel::default().show(ui, |ui| middle = ui.max_rect());
        });
        harness.run();
        let is_shown = |words: &str| harness.query_by_label(words).is_some();
        let shown: Vec<bool> = (1..=5).map(|number| is_shown(&format!("Error {number}"))).collect();
        assert_eq!((&shown[..], is_shown("2 more")), (&[false, false, true, true, true][..], true));
        let (strip, top) = (height(&harness.ctx), harness.get_by_label("Error 3").rect().top());
        assert!((3.0 * size::CONTROL..=640.0 * LARGEST).contains(&strip), "{strip} points");
        drop(harness);
        assert!(middle.bottom() <= top, "{middle:?} is covered from {top} on");
    }
}
