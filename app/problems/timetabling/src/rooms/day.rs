//! View of one day: rooms as rows, the clock across, exams as bars as long as they last, with extra time behind.

use std::sync::Arc;

use chrono::{Local, NaiveDate, NaiveDateTime, Timelike};
use egui::{Align2, Rect, Response, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use gridwright_core::numbers::grouped;
use gridwright_timetabling::Instance;
use gridwright_timetabling::room_times::{RoomTime, room_times};

use super::filter;
use crate::describe::counted;
use crate::search;
use crate::state::Document;
use gridwright_window::theme::{self, Palette, palette, space, text};
use gridwright_window::widgets::choices::Choices;
use gridwright_window::widgets::controls::{icon_button, placeholder};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::painting::truncated;

/// Height of a bar with its gap.
const LANE: f32 = 24.0;
/// Gap below the last bar of a room.
const GAP: f32 = 5.0;
/// Width of the names of rooms.
const GUTTER: f32 = 148.0;
/// Height of the clock and the periods above.
const HEAD: f32 = 40.0;
/// Least distance in points of two labels of the clock.
const TICK: f32 = 46.0;
/// Width of the legend.
const LEGEND: f32 = 130.0;
const HOUR: u32 = 60;

/// Returns `true` if a day of the session can be shown by the clock.
pub(super) fn has_clock(instance: &Instance) -> bool {
    instance.periods.iter().any(|period| period.date.is_some() && period.start.is_some())
}

/// Shows one day of a timetable with rooms.
pub(super) fn show(ui: &mut Ui, document: &mut Document) {
    let Some(picture) = document.picture().map(Arc::clone) else { return };
    let instance = Arc::clone(&document.instance);
    let days = days(&instance);
    let selected = document.selected;
    let (revision, state) = (document.revision(), &mut document.state.rooms.day);
    if state.key != Some(revision) {
        (state.times, state.key) = (room_times(&instance, &picture.timetable), Some(revision));
    }
    let date_of = |exam: usize| instance.periods.get(picture.timetable.period_of(exam)?)?.date;
    if selected != state.seen {
        state.seen = selected;
        state.date = selected.and_then(date_of).or(state.date);
    }
    let now = Local::now().naive_local();
    let today = now.date();
    let first = days.iter().copied().find(|&day| day >= today).or(days.first().copied());
    let Some(date) = state.date.filter(|date| days.contains(date)).or(first) else { return };
    state.date = Some(date);
    toolbar(ui, document, &days, date);
    let state = &document.state.rooms.day;
    let of_day = |time: &&RoomTime| instance.periods[time.period].date == Some(date);
    let times: Vec<RoomTime> = state.times.iter().filter(of_day).copied().collect();
    let shown = |room: &usize| {
        let is_used = times.iter().any(|time| time.room == *room);
        *room < instance.resources.rooms.len() && (state.all_rooms || is_used)
    };
    let rows: Vec<usize> = document.state.rooms.rows.iter().copied().filter(shown).collect();
    if rows.is_empty() {
        placeholder(ui, Icon::Info, "Nothing to show", "No room that passes the filter is used on this day.", |_| {});
        return;
    }
    let day = Day { instance: &instance, date, times: &times, selected, now };
    if let Some(exam) = day.show(ui, &rows) {
        document.selected = if selected == Some(exam) { None } else { Some(exam) };
        document.state.rooms.day.seen = document.selected;
    }
}

/// Days of the session, ascending.
fn days(instance: &Instance) -> Vec<NaiveDate> {
    let mut days: Vec<NaiveDate> =
        instance.periods.iter().filter(|period| period.start.is_some()).filter_map(|period| period.date).collect();
    days.sort_unstable();
    days.dedup();
    days
}

fn words(date: NaiveDate) -> String {
    date.format("%a %-d %b %Y").to_string()
}

fn toolbar(ui: &mut Ui, document: &mut Document, days: &[NaiveDate], date: NaiveDate) {
    let at = days.iter().position(|&day| day == date).unwrap_or(0);
    let mut chosen = date;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(space::S, space::XS);
        super::mode_choice(ui, document);
        let before = at.checked_sub(1).and_then(|at| days.get(at)).copied();
        let after = days.get(at + 1).copied();
        if icon_button(ui, Icon::StepBack, "Day before", before.is_some()).clicked() {
            chosen = before.unwrap_or(chosen);
        }
        Choices::new("Date", words(date)).width(130.0).help("The day that is shown").cut().show(ui, |ui| {
            for &day in days {
                ui.selectable_value(&mut chosen, day, words(day));
            }
        });
        if icon_button(ui, Icon::StepForward, "Day after", after.is_some()).clicked() {
            chosen = after.unwrap_or(chosen);
        }
        filter::menu(ui, document);
        let help = "Also rooms without an exam on this day";
        ui.checkbox(&mut document.state.rooms.day.all_rooms, "Unused rooms").on_hover_text(help);
        search::field(ui, document, 120.0);
        super::room_button(ui, document);
        if ui.available_width() > LEGEND {
            legend(ui);
        }
    });
    document.state.rooms.day.date = Some(chosen);
}

fn legend(ui: &mut Ui) {
    let palette = palette(ui.visuals());
    ui.spacing_mut().item_spacing.x = space::XS;
    for (words, colour) in [("exam", palette.bar), ("extra time", extra_colour(palette))] {
        let (rect, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
        ui.painter().rect_filled(rect, 1.0, colour);
        ui.label(theme::small(words).color(palette.weak));
    }
}

fn extra_colour(palette: &Palette) -> egui::Color32 {
    palette.surface.lerp_to_gamma(palette.bar, 0.45)
}

/// Minutes after midnight as a time of day: «09:30».
fn clock(minutes: u32) -> String {
    format!("{:02}:{:02}", minutes / HOUR % 24, minutes % HOUR)
}

/// Lane of each use so that none in a room covers another, and the number of lanes; uses in the order of their beginnings.
fn lanes(times: &[&RoomTime]) -> (Vec<usize>, usize) {
    let mut ends: Vec<u32> = Vec::new();
    let lane_of = |time: &&RoomTime| {
        let lane = ends.iter().position(|&end| end <= time.start).unwrap_or(ends.len());
        if lane == ends.len() {
            ends.push(0);
        }
        ends[lane] = time.end + time.extra;
        lane
    };
    let lanes = times.iter().map(lane_of).collect();
    (lanes, ends.len().max(1))
}

/// Contents of the view.
struct Day<'a> {
    instance: &'a Instance,
    date: NaiveDate,
    times: &'a [RoomTime],
    selected: Option<usize>,
    now: NaiveDateTime,
}

/// Scale of the clock.
#[derive(Clone, Copy)]
struct Scale {
    left: f32,
    width: f32,
    /// First and last minute.
    range: (u32, u32),
}

impl Scale {
    fn x(self, minute: u32) -> f32 {
        let (first, last) = self.range;
        self.left + self.width * (minute as f32 - first as f32) / (last - first).max(1) as f32
    }
}

impl Day<'_> {
    /// Draws the day; returns the exam that was clicked.
    fn show(&self, ui: &mut Ui, rows: &[usize]) -> Option<usize> {
        let palette = palette(ui.visuals());
        let full = ui.available_rect_before_wrap();
        ui.painter().rect_filled(full, 0.0, palette.surface);
        let bar_room = ui.spacing().scroll.allocated_width() + 4.0;
        let width = (full.width() - GUTTER - bar_room).max(100.0);
        let scale = Scale { left: full.left() + GUTTER, width, range: self.range() };
        let (head, _) = ui.allocate_exact_size(vec2(full.width(), HEAD), Sense::hover());
        self.head(ui, head, scale, palette);
        let mut clicked = None;
        let bars: Vec<(usize, Vec<&RoomTime>)> = rows
            .iter()
            .map(|&room| {
                let mut own: Vec<&RoomTime> = self.times.iter().filter(|time| time.room == room).collect();
                own.sort_by_key(|time| (time.start, std::cmp::Reverse(time.students), time.sitting));
                (room, own)
            })
            .collect();
        let area = ScrollArea::vertical().id_salt("rooms of the day").auto_shrink(false);
        area.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (number, (room, own)) in bars.iter().enumerate() {
                let (lane_of, count) = lanes(own);
                let size = vec2(ui.available_width(), count as f32 * LANE + GAP);
                let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
                if !ui.is_rect_visible(rect) {
                    continue;
                }
                self.row(ui, rect, (number, *room), scale);
                for (time, lane) in own.iter().zip(lane_of) {
                    let top = rect.top() + 2.0 + lane as f32 * LANE;
                    if self.bar(ui, time, top, scale).clicked() {
                        clicked = Some(time.exam);
                    }
                }
            }
            self.now_line(ui, scale, palette);
        });
        clicked
    }

    /// Whole hours from the first beginning to the last end of the day.
    fn range(&self) -> (u32, u32) {
        let periods = self.instance.periods.iter().filter(|period| period.date == Some(self.date));
        let of_periods = periods.filter_map(|period| {
            let start = period.start?.num_seconds_from_midnight() / 60;
            Some((start, start + period.minutes().unwrap_or(HOUR)))
        });
        let of_exams = self.times.iter().map(|time| (time.start, time.end + time.extra));
        let (first, last) =
            of_periods.chain(of_exams).fold((u32::MAX, 0), |all, one| (all.0.min(one.0), all.1.max(one.1)));
        (first.min(last) / HOUR * HOUR, last.div_ceil(HOUR) * HOUR)
    }

    /// Draws the periods and the clock above the rooms.
    fn head(&self, ui: &Ui, head: Rect, scale: Scale, palette: &Palette) {
        let painter = ui.painter();
        let small = theme::font(text::SMALL);
        for (number, period) in self.instance.periods.iter().enumerate() {
            let Some(start) = period.start.filter(|_| period.date == Some(self.date)) else { continue };
            let start = start.num_seconds_from_midnight() / 60;
            let (left, right) = (scale.x(start), scale.x(start + period.minutes().unwrap_or(HOUR)));
            let rect = Rect::from_min_max(pos2(left + 1.0, head.top() + 2.0), pos2(right - 1.0, head.top() + 19.0));
            painter.rect_filled(rect, 3.0, palette.raised);
            let name = format!("Period {}", number + 1);
            let galley = truncated(painter, name, small.clone(), palette.text, rect.width() - 6.0);
            painter.galley(rect.center() - galley.size() / 2.0, galley, palette.text);
        }
        let every = every(scale);
        for minute in (scale.range.0..=scale.range.1).step_by((HOUR * every) as usize) {
            let at = pos2(scale.x(minute), head.bottom() - 9.0);
            painter.text(at, Align2::CENTER_CENTER, clock(minute), small.clone(), palette.weak);
        }
        painter.hline(head.x_range(), head.bottom() - 0.5, Stroke::new(1.0, palette.border_strong));
    }

    /// Draws the name of a room and the background of its bars.
    fn row(&self, ui: &Ui, rect: Rect, (number, room): (usize, usize), scale: Scale) {
        let palette = palette(ui.visuals());
        let painter = ui.painter();
        if number % 2 == 1 {
            painter.rect_filled(rect, 0.0, palette.raised.gamma_multiply(0.5));
        }
        let data = &self.instance.resources.rooms[room];
        for (number, period) in self.instance.periods.iter().enumerate() {
            let is_closed = data.unavailable.contains(&(number as u16));
            let Some(start) = period.start.filter(|_| period.date == Some(self.date) && is_closed) else { continue };
            let start = start.num_seconds_from_midnight() / 60;
            let times = scale.x(start)..=scale.x(start + period.minutes().unwrap_or(HOUR));
            let closed = Rect::from_x_y_ranges(times, rect.y_range());
            painter.rect_filled(closed, 0.0, palette.blocked);
            let word = truncated(painter, "closed", theme::font(text::SMALL), palette.weak, closed.width() - 8.0);
            painter.galley(closed.center() - word.size() / 2.0, word, palette.weak);
        }
        for minute in (scale.range.0..=scale.range.1).step_by((HOUR * every(scale)) as usize) {
            painter.vline(scale.x(minute), rect.y_range(), Stroke::new(1.0, palette.border));
        }
        let left = rect.left() + space::S;
        let code = truncated(painter, &data.code, theme::bold_font(text::SMALL), palette.text, GUTTER - 64.0);
        let seats = counted(u64::from(data.seats), "seat");
        let after = left + code.size().x + space::S;
        let middle = rect.top() + 2.0 + (LANE - 3.0) / 2.0;
        painter.galley(pos2(left, middle - code.size().y / 2.0), code, palette.text);
        let room = rect.left() + GUTTER - space::XS - after;
        let seats = truncated(painter, seats, theme::font(text::SMALL), palette.weak, room);
        painter.galley(pos2(after, middle - seats.size().y / 2.0), seats, palette.weak);
    }

    /// Draws an exam in a room.
    fn bar(&self, ui: &mut Ui, time: &RoomTime, top: f32, scale: Scale) -> Response {
        let palette = palette(ui.visuals());
        let (left, right) = (scale.x(time.start), scale.x(time.end));
        let rect = Rect::from_min_max(pos2(left + 1.0, top), pos2(right.max(left + 4.0), top + LANE - 3.0));
        let whole = rect.with_max_x(scale.x(time.end + time.extra).max(rect.right()));
        let id = ui.scope_id().with(("bar", time.room, time.sitting));
        let response = ui.interact(whole, id, Sense::click());
        let words = self.words(time);
        response
            .widget_info(|| WidgetInfo::selected(egui::Role::Button, true, self.selected == Some(time.exam), &words));
        let painter = ui.painter();
        if time.extra > 0 {
            painter.rect_filled(whole, 3.0, extra_colour(palette));
        }
        painter.rect_filled(rect, 3.0, palette.bar);
        let code = &self.instance.exams[time.exam].code;
        let label = format!("{code} · {}", grouped(time.students));
        let galley = truncated(painter, label, theme::font(text::SMALL), palette.text, rect.width() - 8.0);
        painter.galley(pos2(rect.left() + 4.0, rect.center().y - galley.size().y / 2.0), galley, palette.text);
        let stroke = match (self.selected == Some(time.exam) || response.has_focus(), response.hovered()) {
            (true, _) => Some(Stroke::new(2.0, palette.accent)),
            (_, true) => Some(Stroke::new(1.0, palette.text)),
            _ => None,
        };
        if let Some(stroke) = stroke {
            painter.rect_stroke(whole, 3.0, stroke, StrokeKind::Inside);
        }
        response.on_hover_text(words)
    }

    /// «MAT101 Analysis, 38 students, H1, 09:00 to 10:30, with extra time to 10:53».
    fn words(&self, time: &RoomTime) -> String {
        let exam = &self.instance.exams[time.exam];
        let title = if exam.title.is_empty() { String::new() } else { format!(" {}", exam.title) };
        let students = counted(u64::from(time.students), "student");
        let room = &self.instance.resources.rooms[time.room].code;
        let extra = match time.extra {
            0 => String::new(),
            minutes => format!(", with extra time to {}", clock(time.end + minutes)),
        };
        format!("{}{title}, {students}, {room}, {} to {}{extra}", exam.code, clock(time.start), clock(time.end))
    }

    /// Draws a line at the present time, on the day itself.
    fn now_line(&self, ui: &Ui, scale: Scale, palette: &Palette) {
        if let Some(minute) = self.minute_now(scale.range) {
            ui.painter().vline(scale.x(minute), ui.clip_rect().y_range(), Stroke::new(1.5, palette.accent));
        }
    }

    /// Minutes after midnight now, if they lie within the range of the day that is shown.
    fn minute_now(&self, (first, last): (u32, u32)) -> Option<u32> {
        let minute = self.now.time().num_seconds_from_midnight() / 60;
        (self.now.date() == self.date && (first..=last).contains(&minute)).then_some(minute)
    }
}

/// Hours from one label of the clock to the next.
fn every(scale: Scale) -> u32 {
    let hours = ((scale.range.1 - scale.range.0) / HOUR).max(1);
    (TICK * hours as f32 / scale.width).ceil().max(1.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_of_a_room_never_cover_each_other() {
        let time =
            |start, end, extra| RoomTime { period: 0, room: 0, sitting: 0, exam: 0, students: 1, start, end, extra };
        let times = [time(540, 600, 30), time(540, 570, 0), time(580, 640, 0), time(630, 700, 0)];
        let (lanes, count) = lanes(&times.iter().collect::<Vec<_>>());
        assert_eq!((lanes, count), (vec![0, 1, 1, 0], 2));
        assert_eq!((clock(570), clock(1_470)), ("09:30".to_owned(), "00:30".to_owned()));
    }

    #[test]
    fn the_present_time_is_marked_on_the_day_itself() {
        let instance = gridwright_timetabling::generator::sample("campus").unwrap();
        let date = days(&instance)[0];
        let at = |hour: u32, date: NaiveDate| {
            let now = date.and_hms_opt(hour, 30, 0).unwrap();
            let day = Day { instance: &instance, date: days(&instance)[0], times: &[], selected: None, now };
            day.minute_now(day.range())
        };
        assert_eq!((at(10, date), at(3, date), at(10, date.succ_opt().unwrap())), (Some(630), None, None));
    }
}
