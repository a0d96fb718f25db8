//! The periods of a session as weeks: a row for each week, a chip for each period. Chips and days can be pressed.

use chrono::{Days, NaiveDate};
use egui::{Align2, Rect, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use gridwright_timetabling::calendar::{Day, DaySlot, Place, Use};

use super::{spoken, week_of};
use gridwright_window::theme::{self, palette, space, text};

/// Element of the strip that was clicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clicked {
    Day(NaiveDate),
    Slot(Place),
}

const HEAD: f32 = 22.0;
const CHIP: f32 = 22.0;
const GAP: f32 = 3.0;

/// Shows the weeks; `usual` are the seats that need no mention.
pub(super) fn show(
    ui: &mut Ui, days: &[Day], usual: Option<u32>, chosen: Option<Place>, seats_mode: bool,
) -> Option<Clicked> {
    let palette = palette(ui.visuals());
    let mut clicked = None;
    weekday_line(ui);
    ScrollArea::vertical().id_salt("weeks").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = GAP;
        let Some(first) = days.first() else {
            ui.label(theme::small("No days").color(palette.weak));
            return;
        };
        let mut week = week_of(first.date);
        let mut rest = days;
        while !rest.is_empty() {
            let next = week.checked_add_days(Days::new(7)).unwrap_or(NaiveDate::MAX);
            let count = rest.iter().take_while(|day| day.date < next).count();
            let (of_week, later) = rest.split_at(count);
            let deepest = of_week.iter().map(|day| day.slots.len()).max().unwrap_or(0).max(1);
            let height = HEAD + deepest as f32 * (CHIP + GAP) + GAP;
            let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
            if ui.is_rect_visible(row) {
                for day in of_week {
                    let column = (day.date - week).num_days() as f32;
                    let width = (row.width() - 6.0 * GAP) / 7.0;
                    let left = row.left() + column * (width + GAP);
                    let cell = Rect::from_min_size(pos2(left, row.top()), vec2(width, height));
                    clicked = show_day(ui, day, cell, usual, chosen, seats_mode).or(clicked);
                }
            }
            // A week in which nothing was found would repeat for ever.
            if count == 0 && next <= week {
                break;
            }
            (week, rest) = (next, later);
        }
    });
    clicked
}

fn weekday_line(ui: &mut Ui) {
    let palette = palette(ui.visuals());
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
    let width = (row.width() - 6.0 * GAP) / 7.0;
    for (at, name) in ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].into_iter().enumerate() {
        let left = row.left() + at as f32 * (width + GAP) + space::S;
        let at = pos2(left, row.center().y);
        ui.painter().text(at, Align2::LEFT_CENTER, name, theme::font(text::SMALL), palette.weak);
    }
}

fn show_day(
    ui: &mut Ui, day: &Day, cell: Rect, usual: Option<u32>, chosen: Option<Place>, seats_mode: bool,
) -> Option<Clicked> {
    let palette = palette(ui.visuals());
    let ground = if day.open { palette.surface } else { palette.blocked };
    ui.painter().rect(cell, 5.0, ground, Stroke::new(1.0, palette.border), StrokeKind::Inside);
    let head = Rect::from_min_size(cell.min, vec2(cell.width(), HEAD));
    let response = ui.interact(head, ui.scope_id().with(("day", day.date)), Sense::click());
    let used = day.slots.iter().filter(|slot| matches!(slot.used, Use::Period(_))).count();
    let state = match (day.open, used) {
        (false, _) => "no exams".to_owned(),
        (_, 1) => "1 period".to_owned(),
        (_, used) => format!("{used} periods"),
    };
    let label = format!("{}, {state}", spoken(day.date));
    response.widget_info(|| WidgetInfo::selected(egui::Role::CheckBox, true, day.open, &label));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_stroke(head, 5.0, Stroke::new(1.5, palette.accent), StrokeKind::Inside);
    }
    let colour = if day.open { palette.text } else { palette.weak };
    let at = pos2(head.left() + space::S, head.center().y);
    let words = day.date.format("%-d %b").to_string();
    ui.painter().text(at, Align2::LEFT_CENTER, words, theme::bold_font(text::SMALL), colour);
    if !day.open {
        let at = pos2(cell.left() + space::S, head.bottom() + CHIP / 2.0);
        ui.painter().text(at, Align2::LEFT_CENTER, "no exams", theme::font(text::SMALL), palette.weak);
    }
    let verb = if day.open { "leave the day out" } else { "take the day in" };
    let clicked = response.on_hover_text(format!("{label}; click to {verb}")).clicked();
    let mut clicked = clicked.then_some(Clicked::Day(day.date));
    for (at, slot) in day.slots.iter().enumerate() {
        let top = head.bottom() + at as f32 * (CHIP + GAP);
        let rect = Rect::from_min_size(pos2(cell.left() + GAP, top), vec2(cell.width() - 2.0 * GAP, CHIP));
        let place = (day.date, slot.slot.start);
        let other_seats = slot.seats != usual;
        if show_slot(ui, day.date, slot, rect, chosen == Some(place), other_seats, seats_mode) {
            clicked = Some(Clicked::Slot(place));
        }
    }
    clicked
}

fn show_slot(
    ui: &mut Ui, date: NaiveDate, slot: &DaySlot, rect: Rect, chosen: bool, other_seats: bool, seats_mode: bool,
) -> bool {
    let palette = palette(ui.visuals());
    let response = ui.interact(rect, ui.scope_id().with(("slot", date, slot.slot.start)), Sense::click());
    let on = matches!(slot.used, Use::Period(_));
    let label = format!("{}, {}", spoken(date), slot.slot.label());
    response.widget_info(|| WidgetInfo::selected(egui::Role::CheckBox, true, on, &label));
    let (fill, edge, ink) = match slot.used {
        Use::Period(_) => (palette.accent_soft, palette.accent_soft, palette.text),
        Use::Removed => (palette.surface, palette.border_strong, palette.weak),
        Use::Beyond => (palette.surface, palette.border, palette.faint),
    };
    let lit = response.hovered() || response.has_focus() || chosen;
    let edge = if lit { Stroke::new(1.5, palette.accent) } else { Stroke::new(1.0, edge) };
    ui.painter().rect(rect, 4.0, fill, edge, StrokeKind::Inside);
    let start = slot.slot.start.format("%H:%M").to_string();
    let at = pos2(rect.left() + 6.0, rect.center().y);
    let written = ui.painter().text(at, Align2::LEFT_CENTER, start, theme::font(text::SMALL), ink);
    if slot.used == Use::Removed {
        let stroke = Stroke::new(1.0, palette.weak);
        ui.painter().hline(written.x_range(), written.center().y, stroke);
    }
    let right = match (slot.used, slot.seats) {
        (Use::Period(_), Some(seats)) if other_seats || seats_mode => format!("{seats} seats"),
        (Use::Period(number), _) => (number + 1).to_string(),
        (Use::Removed, _) => "left out".to_owned(),
        (Use::Beyond, _) => String::new(),
    };
    let at = pos2(rect.right() - 6.0, rect.center().y);
    let colour = if other_seats && on { palette.accent } else { palette.weak };
    let right = ui.painter().layout_no_wrap(right, theme::font(text::TINY), colour);
    // Where days are narrow, the tooltip says it.
    if written.right() + right.size().x + GAP <= at.x {
        ui.painter().galley(at - vec2(right.size().x, right.size().y / 2.0), right, colour);
    }
    let seats = slot.seats.map(|seats| format!("\n{seats} seats")).unwrap_or_default();
    let what = match slot.used {
        Use::Period(number) => format!("Period {}{seats}", number + 1),
        Use::Removed => "Left out; click to take it in".to_owned(),
        Use::Beyond => "After the last period; click to make the session longer".to_owned(),
    };
    response.on_hover_text(format!("{label}\n{what}")).clicked()
}
