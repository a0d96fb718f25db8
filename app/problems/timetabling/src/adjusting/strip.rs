//! All periods in small: what each would do to the selected exam.

use egui::{Align2, Color32, Rect, Response, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2};
use gridwright_timetabling::Instance;
use gridwright_timetabling::moves::Consequence;

use super::{largest_change, mood, words};
use crate::editing::Edit;
use gridwright_window::theme::{self, Palette, palette, text};
use gridwright_window::widgets::icons::Icon;

/// Exam whose periods are shown.
pub struct Subject<'a> {
    /// The instance.
    pub instance: &'a Instance,
    /// The exam.
    pub exam: usize,
    /// Present period of the exam.
    pub here: Option<usize>,
    /// Consequence of moving the exam to each period, in the order of the periods.
    pub found: &'a [Consequence],
    /// True if there is a timetable to move the exam in; otherwise a click pins the exam.
    pub placed: bool,
}

impl Subject<'_> {
    fn is_forbidden(&self, period: usize) -> bool {
        let list = self.instance.rules.forbidden.get(&(self.exam as u16));
        list.is_some_and(|list| list.contains(&(period as u16)))
    }

    /// Describes the consequence of a period in words; without a timetable, only if the period is allowed or not.
    fn sentence(&self, consequence: &Consequence) -> String {
        match () {
            () if self.here == Some(consequence.period) => "it is here".to_owned(),
            () if self.placed => words(self.instance, consequence),
            () if consequence.broken.is_empty() => "allowed".to_owned(),
            () => consequence.broken.join("; "),
        }
    }
}

/// Most cells in a line, and fewer where cells show dates.
const LINE: usize = 10;
const DATED_LINE: usize = 7;

/// Shows a cell per period; returns the period that was clicked to move there; `None` if none was.
pub fn show(ui: &mut Ui, subject: &Subject<'_>, edits: &mut Vec<Edit>) -> Option<usize> {
    let palette = palette(ui.visuals());
    let found = subject.found;
    // Lines of the same length: twelve periods are two lines of six.
    let is_dated = subject.instance.periods.iter().all(|period| period.date.is_some() && period.start.is_some());
    let lines = found.len().div_ceil(if is_dated { DATED_LINE } else { LINE }).max(1);
    let per_line = found.len().div_ceil(lines).max(1);
    let side = (ui.available_width() / per_line as f32).min(48.0);
    let height = if is_dated { 32.0 } else { (side * 0.8).round().min(26.0) };
    let (rect, _) = ui.allocate_exact_size(vec2(side * per_line as f32, height * lines as f32), Sense::hover());
    let largest = largest_change(found);
    let mut clicked = None;
    for (index, consequence) in found.iter().enumerate() {
        let (line, column) = (index / per_line, index % per_line);
        let corner = pos2(rect.min.x + column as f32 * side, rect.min.y + line as f32 * height);
        let cell = Rect::from_min_size(corner, vec2(side, height)).shrink(1.0);
        let response = ui.interact(cell, ui.scope_id().with(("move", subject.exam, index)), Sense::click());
        let sentence = subject.sentence(consequence);
        let verb = if subject.placed { "Move" } else { "Pin" };
        let name = format!("{verb} to {}: {sentence}", subject.instance.period_name(index));
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &name));
        paint(ui, subject, consequence, cell, largest, &response);
        if response.clicked() && subject.here != Some(index) {
            match subject.placed {
                true => clicked = Some(index),
                false => edits.push(pin(subject, index)),
            }
        }
        response.context_menu(|ui| menu(ui, subject, index, edits));
        response.on_hover_ui(|ui| {
            ui.label(theme::bold(title(subject.instance, index)));
            ui.label(&sentence);
            let hint = if subject.placed { "Click to move, right click to forbid or pin" } else { "Click to pin" };
            ui.label(theme::small(hint).color(palette.weak));
        });
    }
    clicked
}

/// Pins the exam to a period, or takes that pin away.
fn pin(subject: &Subject<'_>, period: usize) -> Edit {
    let pinned = subject.instance.rules.pin_of(subject.exam) == Some(period);
    Edit::Pin { exam: subject.exam, period: (!pinned).then_some(period) }
}

/// Label of a period, such as «Period 3», with its date if known.
fn title(instance: &Instance, period: usize) -> String {
    let (number, label) = (format!("Period {}", period + 1), instance.period_label(period));
    if label == number { number } else { format!("{number} · {label}") }
}

/// Label of the cell of a period: its day and start, or its number.
fn cell_label(instance: &Instance, period: usize) -> String {
    let data = &instance.periods[period];
    match data.date.zip(data.start) {
        Some((date, start)) => format!("{}\n{}", date.format("%-d %b"), start.format("%H:%M")),
        None => (period + 1).to_string(),
    }
}

fn menu(ui: &mut Ui, subject: &Subject<'_>, period: usize, edits: &mut Vec<Edit>) {
    let forbidden = subject.is_forbidden(period);
    let pinned = subject.instance.rules.pin_of(subject.exam) == Some(period);
    let verb = if forbidden { "Allow" } else { "Forbid" };
    if ui.button(format!("{verb} {} for this exam", subject.instance.period_name(period))).clicked() {
        edits.push(Edit::Forbid { exam: subject.exam, period, forbidden: !forbidden });
        ui.close();
    }
    let words = if pinned { "Unpin from".to_owned() } else { "Pin to".to_owned() };
    if ui.button(format!("{words} {}", subject.instance.period_name(period))).clicked() {
        edits.push(pin(subject, period));
        ui.close();
    }
}

fn paint(ui: &Ui, subject: &Subject<'_>, consequence: &Consequence, cell: Rect, largest: u64, response: &Response) {
    let palette = palette(ui.visuals());
    let painter = ui.painter();
    let period = consequence.period;
    let here = subject.here == Some(period);
    let forbidden = subject.is_forbidden(period);
    let pinned = subject.instance.rules.pin_of(subject.exam) == Some(period);
    let (fill, ink) = colours(palette, consequence, here, largest);
    painter.rect_filled(cell, 3.0, fill);
    if forbidden {
        // Crossed out, so that a rule is told from an exam that stands in the way.
        let inside = cell.shrink(4.0);
        let stroke = Stroke::new(1.2, palette.bad.gamma_multiply(0.55));
        painter.line_segment([inside.left_bottom(), inside.right_top()], stroke);
        painter.line_segment([inside.left_top(), inside.right_bottom()], stroke);
    }
    let edge = match (response.has_focus() || response.hovered(), consequence.is_free() || here) {
        (true, _) => Stroke::new(2.0, palette.accent),
        (_, true) => Stroke::new(1.0, palette.border_strong),
        _ => Stroke::new(1.0, palette.border),
    };
    painter.rect_stroke(cell, 3.0, edge, StrokeKind::Inside);
    painter.text(
        cell.center(),
        Align2::CENTER_CENTER,
        cell_label(subject.instance, period),
        theme::font(text::TINY),
        ink,
    );
    if pinned {
        let square = Rect::from_min_size(cell.right_top() + vec2(-10.0, 2.0), Vec2::splat(8.0));
        Icon::Pin.paint(painter, square, ink);
    }
}

fn colours(palette: &Palette, consequence: &Consequence, here: bool, largest: u64) -> (Color32, Color32) {
    if here {
        return (palette.accent, palette.on_accent);
    }
    if !consequence.is_free() {
        return (palette.blocked, palette.weak);
    }
    match mood(palette, consequence, largest) {
        Some((colour, strength)) => (palette.surface.lerp_to_gamma(colour, 0.12 + 0.38 * strength), palette.text),
        None => (palette.raised, palette.text),
    }
}
