//! All periods in small, as a calendar where they have dates: what each would do to the selected exam.

use std::collections::BTreeSet;

use chrono::{NaiveDate, NaiveTime};
use egui::{Align2, Color32, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2};
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

/// Most cells in a line, and most days beside each other in a calendar.
const LINE: usize = 10;
const DAYS: usize = 7;
/// Width of the starts before the lines of a calendar, and height of the days above them, in points.
const STARTS: f32 = 38.0;
const HEAD: f32 = 18.0;
/// Height of a cell of a calendar in points.
const CELL: f32 = 20.0;

/// Places of the cells in points from the upper left corner, and the captions around them.
struct Places {
    cells: Vec<Rect>,
    captions: Vec<(Pos2, Align2, String)>,
    /// True if days and starts stand around the cells, which need no text then.
    is_calendar: bool,
    size: Vec2,
}

impl Places {
    /// A calendar with days across and starts down, or lines of numbers for periods without dates or with equal ones.
    fn of(instance: &Instance, width: f32) -> Self {
        let times: Option<Vec<_>> = instance.periods.iter().map(|period| period.date.zip(period.start)).collect();
        let times =
            times.filter(|times| times.iter().collect::<BTreeSet<_>>().len() == times.len() && !times.is_empty());
        match times {
            Some(times) => Self::calendar(&times, width),
            None => Self::lines(instance.period_count(), width),
        }
    }

    fn calendar(times: &[(NaiveDate, NaiveTime)], width: f32) -> Self {
        let days: Vec<NaiveDate> = times.iter().map(|time| time.0).collect::<BTreeSet<_>>().into_iter().collect();
        let starts: Vec<NaiveTime> = times.iter().map(|time| time.1).collect::<BTreeSet<_>>().into_iter().collect();
        let side = ((width - STARTS) / days.len().min(DAYS) as f32).clamp(1.0, 48.0);
        let week = HEAD + CELL * starts.len() as f32 + 4.0;
        let corner = |day: usize, line: usize| {
            pos2(STARTS + side * (day % DAYS) as f32, week * (day / DAYS) as f32 + HEAD + CELL * line as f32)
        };
        let place = |(date, start): &(NaiveDate, NaiveTime)| {
            let corner = corner(days.partition_point(|day| day < date), starts.partition_point(|other| other < start));
            Rect::from_min_size(corner, vec2(side, CELL))
        };
        let of_day = |(index, day): (usize, &NaiveDate)| {
            let words = day.format(if side < 34.0 { "%-d" } else { "%a %-d" }).to_string();
            (corner(index, 0) + vec2(side / 2.0, -HEAD / 2.0), Align2::CENTER_CENTER, words)
        };
        let of_start = |week: usize| {
            let starts = starts.iter().enumerate();
            starts.map(move |(line, start)| {
                let place = pos2(STARTS - 4.0, corner(week * DAYS, line).y + CELL / 2.0);
                (place, Align2::RIGHT_CENTER, start.format("%H:%M").to_string())
            })
        };
        let weeks = days.len().div_ceil(DAYS);
        let captions = days.iter().enumerate().map(of_day).chain((0..weeks).flat_map(of_start)).collect();
        let size = vec2(STARTS + side * days.len().min(DAYS) as f32, week * weeks as f32);
        Self { cells: times.iter().map(place).collect(), captions, is_calendar: true, size }
    }

    /// Lines of the same length: twelve periods are two lines of six.
    fn lines(count: usize, width: f32) -> Self {
        let lines = count.div_ceil(LINE).max(1);
        let per_line = count.div_ceil(lines).max(1);
        let side = (width / per_line as f32).min(48.0);
        let height = (side * 0.8).round().min(26.0);
        let cell = |index: usize| {
            let corner = pos2((index % per_line) as f32 * side, (index / per_line) as f32 * height);
            Rect::from_min_size(corner, vec2(side, height))
        };
        let size = vec2(side * per_line as f32, height * lines as f32);
        Self { cells: (0..count).map(cell).collect(), captions: Vec::new(), is_calendar: false, size }
    }
}

/// Shows a cell per period; returns the period that was clicked to move there; `None` if none was.
pub fn show(ui: &mut Ui, subject: &Subject<'_>, edits: &mut Vec<Edit>) -> Option<usize> {
    let palette = palette(ui.visuals());
    let found = subject.found;
    let places = Places::of(subject.instance, ui.available_width());
    let (rect, _) = ui.allocate_exact_size(places.size, Sense::hover());
    for (place, align, words) in &places.captions {
        ui.painter().text(rect.min + place.to_vec2(), *align, words, theme::font(text::TINY), palette.weak);
    }
    let largest = largest_change(found);
    let mut clicked = None;
    for (index, (consequence, place)) in found.iter().zip(&places.cells).enumerate() {
        let cell = place.translate(rect.min.to_vec2()).shrink(1.0);
        let response = ui.interact(cell, ui.scope_id().with(("move", subject.exam, index)), Sense::click());
        let sentence = subject.sentence(consequence);
        let verb = if subject.placed { "Move" } else { "Pin" };
        let name = format!("{verb} to {}: {sentence}", subject.instance.period_name(index));
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &name));
        paint(ui, subject, consequence, cell, largest, &response);
        if !places.is_calendar {
            let (_, ink) = colours(palette, consequence, subject.here == Some(index), largest);
            let number = (index + 1).to_string();
            ui.painter().text(cell.center(), Align2::CENTER_CENTER, number, theme::font(text::TINY), ink);
        }
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
        let stroke = Stroke::new(1.5, palette.bad.gamma_multiply(0.7));
        painter.line_segment([inside.left_bottom(), inside.right_top()], stroke);
    }
    let edge = match (response.has_focus() || response.hovered(), consequence.is_free() || here) {
        (true, _) => Stroke::new(2.0, palette.accent),
        (_, true) => Stroke::new(1.0, palette.border_strong),
        _ => Stroke::new(1.0, palette.border),
    };
    painter.rect_stroke(cell, 3.0, edge, StrokeKind::Inside);
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
    match mood(palette, consequence.change, largest) {
        Some((colour, strength)) => (palette.surface.lerp_to_gamma(colour, 0.12 + 0.38 * strength), palette.text),
        None => (palette.raised, palette.text),
    }
}
