//! Input of a Gantt chart: wheel, drag and keys.

use std::ops::Range;

use egui::{Key, Modifiers, Rect, Response, Ui, pos2};

use gridwright_flowshop::drawing::GanttRows;

use super::edges;
use super::{Chart, Frame, Operation, Selection, View};
use gridwright_window::widgets::painting;
use gridwright_window::widgets::viewport::{Axis, Room, wheel};

/// Rows do not become higher than this.
const TALLEST: f32 = 52.0;
/// Rows of this height have legible names.
const READABLE: f32 = 20.0;
/// The shortest time that can be shown, in time units.
const SHORTEST: f64 = 4.0;

/// Takes the keys of a chart that has the keyboard; returns the operation to select next.
pub(super) fn keys(
    ui: &Ui, response: &Response, chart: &Chart<'_>, view: &mut View, selected: Option<Selection>,
) -> Option<Operation> {
    let keys = painting::keys(ui, response);
    if !response.has_focus() {
        return None;
    }
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    if keys.zoom != 1.0 {
        view.zoom(f64::from(keys.zoom));
    }
    if pressed(Key::Num0) {
        view.fit();
    }
    if pressed(Key::F) {
        view.fit_selection();
    }
    let (first, last) = (pressed(Key::Home), pressed(Key::End));
    let stepped = (keys.right != 0 || keys.down != 0 || first || last).then(|| {
        let Some(selected) = selected else { return chart.operation(0, 0) };
        let position = chart.facts.position(selected.job)?;
        let (row, at) = chart.layout.place(position, selected.machine.unwrap_or(0));
        let row = painting::stepped(Some(row), keys.down, chart.layout.row_count()).unwrap_or(row);
        let at = painting::stepped(Some(at), keys.right, chart.layout.row_length()).unwrap_or(at);
        let end = chart.layout.row_length().saturating_sub(1);
        chart.operation(
            row,
            if first {
                0
            } else if last {
                end
            } else {
                at
            },
        )
    });
    stepped.flatten().inspect(|&operation| view.reveal(operation.into()))
}

/// Zooms around the pointer, drags, brings into view what was asked for, and keeps the picture inside.
pub(super) fn navigate(
    ui: &Ui, response: &Response, chart: &Chart<'_>, view: &mut View, selected: Option<Selection>,
) -> Frame {
    let full = response.rect;
    let foot = edges::foot(chart);
    let min = pos2(full.left() + edges::gutter(chart), full.top() + edges::HEAD);
    // However small the window is, there is something to divide by.
    let max = pos2(full.right().max(min.x + 16.0), (full.bottom() - foot).max(min.y + 8.0));
    let room = Rect::from_min_max(min, max);
    let count = chart.layout.row_count();
    let fitted = Room::fitting(room.height(), count, TALLEST);
    let rows = Room { start: room.top(), length: room.height(), count, fitted, largest: TALLEST, down: true };
    view.rows.enter(rows);
    let mut time = view.time.clone().unwrap_or(0.0..chart.end());
    let per_point = |time: &Range<f64>| (time.end - time.start) / f64::from(room.width());
    let by_job = chart.layout.rows == GanttRows::Jobs;
    if let Some(wheel) = wheel(ui, response) {
        let over_names = wheel.at.x < room.left();
        // Ctrl and the wheel arrive as a pinch, as does a real one on a touchpad, which means time.
        let of_rows = over_names || ui.input(|input| input.modifiers.command);
        if of_rows && wheel.pinch != 1.0 {
            view.rows.zoom_at(rows, wheel.pinch, wheel.at.y);
        }
        if over_names {
            view.rows.scroll(wheel.scroll.y);
        }
        let factor = if over_names { 1.0 } else { wheel.factor } * if of_rows { 1.0 } else { wheel.pinch };
        if factor != 1.0 {
            let at = time.start + f64::from(wheel.at.x - room.left()) * per_point(&time);
            time = zoomed(time.clone(), f64::from(factor), at);
            if by_job {
                view.rows.zoom_at(rows, factor, wheel.at.y);
            }
        }
        time = moved(&time, -f64::from(wheel.scroll.x) * per_point(&time));
    }
    if response.dragged() {
        time = moved(&time, -f64::from(response.drag_delta().x) * per_point(&time));
        view.rows.scroll(response.drag_delta().y);
    }
    if response.double_clicked() {
        view.fit();
        time = 0.0..chart.end();
    }
    if let Some(factor) = view.factor.take() {
        time = zoomed(time.clone(), factor, anchor(chart, selected, &time));
        if by_job {
            let row = selected.and_then(|selection| chart.facts.position(selection.job));
            let middle = row.map(|row| view.rows.enter(rows).middle(row)).filter(|at| room.y_range().contains(*at));
            view.rows.zoom_at(rows, factor as f32, middle.unwrap_or(room.center().y));
        }
    }
    if std::mem::take(&mut view.focus) {
        match selected.and_then(|selection| span(chart, Selection { machine: None, ..selection })) {
            Some(span) => {
                let margin = ((span.end - span.start) * 0.12).max(1.0);
                time = span.start - margin..span.end + margin;
                if by_job {
                    view.rows.set_item(Some(view.rows.item().unwrap_or(fitted).max(READABLE)));
                }
                view.reveal = selected;
            }
            None => time = 0.0..chart.end(),
        }
    }
    if let Some(selection) = view.reveal.take() {
        reveal(chart, selection, &mut time, &mut view.rows);
    }
    let whole = chart.end();
    time = kept(time, whole);
    view.time = (time.end - time.start < whole * 0.999).then(|| time.clone());
    let rows = view.rows.settle(rows);
    let bottom = rows.end();
    let area = room.with_max_y(bottom);
    let foot = Rect::from_min_max(pos2(area.left(), bottom), pos2(area.right(), (bottom + foot).min(full.bottom())));
    Frame { full, area, foot, time, end: whole, rows, ghost: chart.ghost.is_some(), pixels: ui.pixels_per_point() }
}

fn moved(time: &Range<f64>, by: f64) -> Range<f64> {
    time.start + by..time.end + by
}

/// A shorter or longer part of the time in which `at` keeps its place.
fn zoomed(time: Range<f64>, factor: f64, at: f64) -> Range<f64> {
    let length = time.end - time.start;
    let factor = factor.min(length / SHORTEST).max(1e-6);
    at - (at - time.start) / factor..at + (time.end - at) / factor
}

/// The middle of what is selected where that is in sight, otherwise the middle of what is visible.
fn anchor(chart: &Chart<'_>, selected: Option<Selection>, time: &Range<f64>) -> f64 {
    let of = selected.and_then(|selection| span(chart, selection)).map(|span| (span.start + span.end) / 2.0);
    of.filter(|middle| time.contains(middle)).unwrap_or((time.start + time.end) / 2.0)
}

/// From when until when a job or its operation is worked on.
fn span(chart: &Chart<'_>, selection: Selection) -> Option<Range<f64>> {
    let position = chart.facts.position(selection.job)?;
    let schedule = chart.layout.schedule;
    let last = schedule.machine_count().checked_sub(1)?;
    let (from, to) = selection.machine.map_or((0, last), |machine| (machine.min(last), machine.min(last)));
    Some(f64::from(schedule.start(position, from))..f64::from(schedule.completion(position, to)))
}

/// Moves, without zooming, until a job or an operation is in sight.
fn reveal(chart: &Chart<'_>, selection: Selection, time: &mut Range<f64>, rows: &mut Axis) {
    let Some((span, position)) = span(chart, selection).zip(chart.facts.position(selection.job)) else { return };
    let length = time.end - time.start;
    if span.start < time.start || span.end > time.end {
        // What is longer than the visible part begins at its left.
        let middle = (span.start + span.end) / 2.0;
        let start = if span.end - span.start > length { span.start } else { middle - length / 2.0 };
        *time = start..start + length;
    }
    if selection.machine.is_some() || chart.layout.rows == GanttRows::Jobs {
        rows.reveal(chart.layout.place(position, selection.machine.unwrap_or(0)).0);
    }
}

/// The part of the time, moved and cut so that it lies within 0…whole.
fn kept(time: Range<f64>, whole: f64) -> Range<f64> {
    let length = (time.end - time.start).max(SHORTEST).min(whole);
    let start = time.start.min(whole - length).max(0.0);
    start..start + length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_under_the_pointer_stays_there() {
        let time = zoomed(100.0..300.0, 2.0, 150.0);
        assert_eq!(time, 125.0..225.0);
        assert_eq!((150.0 - time.start) / (time.end - time.start), 50.0 / 200.0);
        let closest = zoomed(10.0..15.0, 100.0, 12.0);
        assert!((closest.end - closest.start - SHORTEST).abs() < 1e-9);
    }

    #[test]
    fn nothing_beyond_the_chart_is_shown() {
        assert_eq!(kept(-50.0..50.0, 1000.0), 0.0..100.0);
        assert_eq!(kept(950.0..1150.0, 1000.0), 800.0..1000.0);
        assert_eq!(kept(-50.0..5000.0, 1000.0), 0.0..1000.0);
        assert_eq!(kept(0.0..1.0, 1.0), 0.0..1.0, "a chart of one time unit");
    }
}
