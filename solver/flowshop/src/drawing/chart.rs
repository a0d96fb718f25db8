//! The body of a Gantt chart: axis, rows, bars, critical path, due dates, and the columns at the right of the rows.

use super::layout::{
    Flag, FlagPlace, GanttRows, GanttSection, Outline, Piece, SETUP_HEIGHT, flag_levels, flags_within, latest,
};
use super::{ChartContext, job_colour};
use gridwright_core::scene::fonts::{elide, text_width};
use gridwright_core::scene::palette::readable_on;
use gridwright_core::scene::{Anchor, Area, Colour, Scene, Shape};

/// Font size of names and numbers beside the rows and on the axis.
const SIZE: f32 = 9.0;
/// Smallest font size that is drawn.
const LEAST_SIZE: f32 = 5.0;
/// Height of the axis above the rows.
const AXIS: f32 = 20.0;
/// Due dates below rows of machines: length of a pole above the names, line height, number of lines, font size.
const STUB: f32 = 6.0;
const LEVEL: f32 = 10.5;
const LEVELS: usize = 3;
const FLAG_SIZE: f32 = 8.0;
/// Bars narrower than this, in points, are merged with their neighbours.
const FINEST: f32 = 0.4;
/// Horizontal padding of a label within its bar.
const PAD: f32 = 2.0;

/// A chart with its geometry.
pub(crate) struct Chart<'a, 'f> {
    facts: &'f ChartContext<'a>,
    view: &'f GanttSection,
    /// Area of the bars.
    plot: Area,
    row_height: f32,
    /// Points per time unit.
    scale: f64,
    /// Vertical gap between a bar and the edge of its row.
    inset: f32,
    /// Left edge of the row names.
    left: f32,
    /// Right edge and heading of each column at the right of the rows.
    columns: Vec<(f32, &'static str)>,
    /// Height of the due dates below the rows.
    flags: f32,
}

impl<'a, 'f> Chart<'a, 'f> {
    /// Chart within `area`; an infinite height means the natural height.
    pub(crate) fn new(facts: &'f ChartContext<'a>, view: &'f GanttSection, area: Area) -> Self {
        let rows = view.rows.len().max(1) as f32;
        let names = view.rows.clone().map(|row| text_width(facts.layout.row_name(row), SIZE, true));
        let unit = text_width(facts.layout.axis_unit(), SIZE, false) + half(facts, view.time.start, false) + 6.0;
        let left = names.fold(unit, f32::max).min(area.width * 0.16).min(150.0) + 10.0;
        let (columns, right) = columns(facts, view, area.right());
        let flags = flags_room(facts, view, area.width - left - right);
        let row_height = if area.height.is_finite() {
            ((area.height - AXIS - flags - 4.0) / rows).clamp(0.05, 52.0)
        } else {
            (640.0 / rows).clamp(if facts.layout.rows == GanttRows::Jobs { 7.0 } else { 9.0 }, 34.0)
        };
        let plot = Area::new(area.x + left, area.y + AXIS, area.width - left - right, row_height * rows);
        let scale = f64::from(plot.width) / (view.time.end - view.time.start);
        let inset = (row_height * 0.12).min(3.5);
        Self { facts, view, plot, row_height, scale, inset, left: area.x, columns, flags }
    }

    /// Draws the chart and returns its lower edge.
    pub(crate) fn draw(&self, scene: &mut Scene) -> f32 {
        self.draw_ground(scene);
        self.draw_axis(scene);
        for row in self.view.rows.clone() {
            self.draw_row_name(scene, row);
            self.draw_row_end(scene, row);
        }
        let finest = f64::from(FINEST) / self.scale;
        for piece in self.facts.layout.visible(self.view, finest) {
            self.draw_piece(scene, &piece);
        }
        self.draw_lateness(scene);
        self.draw_path(scene);
        self.draw_makespan(scene);
        if self.flags > 0.0 { self.draw_flags(scene) } else { self.plot.bottom() }
    }

    /// Horizontal position of a time, clamped to the plot.
    fn x(&self, time: u32) -> f32 {
        self.x_at(f64::from(time))
    }

    fn x_at(&self, time: f64) -> f32 {
        let time = time.clamp(self.view.time.start, self.view.time.end);
        self.plot.x + ((time - self.view.time.start) * self.scale) as f32
    }

    fn y(&self, row: usize) -> f32 {
        self.plot.y + (row - self.view.rows.start) as f32 * self.row_height
    }

    fn sees(&self, time: u32) -> bool {
        (self.view.time.start..=self.view.time.end).contains(&f64::from(time))
    }

    /// Area of a bar in a row between two times; never narrower than 0.7 points.
    fn bar(&self, row: usize, start: u32, end: u32) -> Area {
        let (x, right) = (self.x(start), self.x(end));
        let width = (right - x).max(0.7).min(self.plot.right() - x + 0.7);
        Area::new(x, self.y(row) + self.inset, width, self.row_height - 2.0 * self.inset)
    }

    /// Draws the background of the rows, with idle time shaded between the first and the last operation.
    fn draw_ground(&self, scene: &mut Scene) {
        let palette = self.facts.palette;
        for row in self.view.rows.clone() {
            let area = Area::new(self.plot.x, self.y(row) + self.inset, self.plot.width, self.bar(row, 0, 0).height);
            scene.rectangle(area.x, area.y, area.width, area.height, palette.panel);
            let Some((start, end)) = self.facts.layout.span(row) else { continue };
            let bar = self.bar(row, start, end);
            if f64::from(start) < self.view.time.end && f64::from(end) > self.view.time.start {
                scene.rectangle(bar.x, bar.y, bar.width, bar.height, waiting(self.facts));
            }
            self.draw_breaks(scene, row);
        }
    }

    /// Draws grid lines at round times with their labels.
    fn draw_axis(&self, scene: &mut Scene) {
        let palette = self.facts.palette;
        let base = self.plot.y - 7.0;
        let makespan = self.facts.layout.schedule.makespan();
        let taken = (makespan > 0 && self.sees(makespan)).then(|| {
            let room = text_width(&self.moment(makespan), SIZE, true) / 2.0 + 5.0;
            (self.x(makespan) - room, self.x(makespan) + room)
        });
        let layout = &self.facts.layout;
        let widest = text_width(&layout.widest_tick(self.view.time.end), SIZE, false);
        let least = f64::from(widest + 26.0) / self.scale;
        let unit = self.plot.x - half(self.facts, self.view.time.start, false) - 6.0;
        scene.text((unit, base), SIZE, palette.muted, Anchor::End, layout.axis_unit());
        for tick in layout.ticks(&self.view.time, least) {
            let x = self.x_at(tick.time);
            scene.line((x, self.plot.y - 4.0), (x, self.plot.bottom()), 0.6, palette.line);
            let room = text_width(&tick.label, SIZE, false) / 2.0;
            if taken.is_none_or(|(from, to)| x + room < from || x - room > to) {
                scene.text((x, base), SIZE, palette.muted, Anchor::Middle, tick.label);
            }
        }
    }

    /// Draws the makespan as a line with its value.
    fn draw_makespan(&self, scene: &mut Scene) {
        let palette = self.facts.palette;
        let makespan = self.facts.layout.schedule.makespan();
        if makespan > 0 && self.sees(makespan) {
            let x = self.x(makespan);
            scene.line((x, self.plot.y - 4.0), (x, self.plot.bottom()), 1.0, palette.ink);
            scene.bold_text((x, self.plot.y - 7.0), SIZE, palette.ink, Anchor::Middle, self.moment(makespan));
        }
    }

    /// A time in words.
    fn moment(&self, time: u32) -> String {
        self.facts.layout.instance.moment(time)
    }

    /// Draws the times without work of a row.
    fn draw_breaks(&self, scene: &mut Scene, row: usize) {
        let finest = f64::from(FINEST) / self.scale;
        for (start, end) in self.facts.layout.breaks(row, &self.view.time, finest) {
            let bar = self.bar(row, start, end);
            let right = (bar.x + bar.width).min(self.plot.right());
            scene.rectangle(bar.x, self.y(row), right - bar.x, self.row_height, closed(self.facts));
        }
    }

    /// Font size beside a row; `None` if the row has no label, because thin rows are labelled at intervals only.
    fn beside(&self, row: usize) -> Option<f32> {
        const LEAST: f32 = 7.0;
        if self.row_height >= LEAST + 1.0 {
            return Some((self.row_height * 0.8).clamp(LEAST, SIZE));
        }
        let every = [2, 5, 10, 20, 50, 100].into_iter().find(|&every| every as f32 * self.row_height >= LEAST + 1.0);
        row.is_multiple_of(every?).then_some(LEAST)
    }

    fn middle(&self, row: usize, size: f32) -> f32 {
        self.y(row) + self.row_height / 2.0 + size * 0.36
    }

    fn draw_row_name(&self, scene: &mut Scene, row: usize) {
        let Some(size) = self.beside(row) else { return };
        let right = self.plot.x - 8.0;
        let name = elide(self.facts.layout.row_name(row), size, true, right - self.left);
        scene.bold_text((right, self.middle(row, size)), size, self.facts.palette.ink, Anchor::End, name);
    }

    /// Draws the columns of a row: a machine's utilisation, or a job's completion time and tardiness.
    fn draw_row_end(&self, scene: &mut Scene, row: usize) {
        let (palette, layout) = (self.facts.palette, &self.facts.layout);
        let base = self.plot.y - 7.0;
        if row == self.view.rows.start {
            for &(x, head) in &self.columns {
                scene.text((x, base), SIZE, palette.muted, Anchor::End, head);
            }
        }
        let Some(size) = self.beside(row) else { return };
        let middle = self.middle(row, size);
        match layout.rows {
            GanttRows::Machines => {
                let busy = layout.busy(row);
                let text = format!("{:.0} %", 100.0 * busy);
                scene.text((self.columns[0].0, middle), size, palette.ink, Anchor::End, text);
                let gauge = Area::new(self.columns[0].0 - 56.0, self.y(row) + self.row_height / 2.0 - 1.5, 26.0, 3.0);
                scene.rectangle(gauge.x, gauge.y, gauge.width, gauge.height, palette.line);
                scene.rectangle(gauge.x, gauge.y, gauge.width * busy as f32, gauge.height, palette.muted);
            }
            GanttRows::Jobs => {
                let done = self.moment(layout.schedule.done(row));
                scene.text((self.columns[0].0, middle), size, palette.ink, Anchor::End, done);
                let late = layout.late(row);
                if let Some(column) = self.columns.get(1).filter(|_| late > 0) {
                    let text = format!("+{}", layout.instance.span(late.into()));
                    scene.bold_text((column.0, middle), size, palette.alarm, Anchor::End, text);
                }
            }
        }
    }

    /// Draws the set-up before an operation as a low bar in the middle of the row.
    fn draw_setup(&self, scene: &mut Scene, piece: &Piece) {
        let Some((start, end)) = self.facts.layout.setup(piece) else { return };
        let row = self.bar(piece.row, start, end);
        let height = row.height * SETUP_HEIGHT;
        let area = Area::new(row.x, row.y + (row.height - height) / 2.0, row.width, height);
        let words = self.facts.layout.describe_setup(piece, (start, end));
        scene.titled_rectangle(area, 0.0, self.facts.palette.muted, words);
    }

    fn draw_piece(&self, scene: &mut Scene, piece: &Piece) {
        let facts = self.facts;
        self.draw_setup(scene, piece);
        let mut area = self.bar(piece.row, piece.start, piece.end);
        let fill = self.fill(piece);
        // A thin gap separates neighbouring bars; thin bars keep nearly all of their width.
        area.width -= (area.width * 0.12).min(0.8);
        let radius = if area.width >= 5.0 && area.height >= 5.0 { 1.5 } else { 0.0 };
        scene.titled_rectangle(area, radius, fill, facts.layout.describe(piece));
        self.draw_interruptions(scene, piece, &area, fill);
        if piece.is_single()
            && let Some((text, size)) = self.label(piece, &area)
        {
            let at = (area.x + area.width / 2.0, area.y + area.height / 2.0 + size * 0.36);
            scene.text(at, size, readable_on(fill), Anchor::Middle, text);
        }
    }

    /// Draws the breaks of the machine within a bar in a pale colour of the bar.
    fn draw_interruptions(&self, scene: &mut Scene, piece: &Piece, bar: &Area, fill: Colour) {
        let span = f64::from(piece.start)..f64::from(piece.end);
        for (start, end) in self.facts.layout.breaks(piece.row, &span, f64::from(FINEST) / self.scale) {
            let (left, right) = (self.x(start).max(bar.x), self.x(end).min(bar.right()));
            if left < right {
                let pale = fill.mix(closed(self.facts), 0.75);
                scene.rectangle(left, bar.y, right - left, bar.height, pale);
            }
        }
    }

    /// Colour of the job; neutral for a merged bar of several jobs.
    fn fill(&self, piece: &Piece) -> Colour {
        let layout = &self.facts.layout;
        if layout.rows == GanttRows::Machines && !piece.is_single() {
            return self.facts.palette.bar;
        }
        job_colour(layout.job(layout.operation(piece.row, piece.first).0))
    }

    /// Label of a bar and its font size: the whole name, or a recognisable beginning; `None` if neither fits.
    fn label(&self, piece: &Piece, area: &Area) -> Option<(String, f32)> {
        const ENOUGH: usize = 5;
        let layout = &self.facts.layout;
        let (position, machine) = layout.operation(piece.row, piece.first);
        let name = match layout.rows {
            GanttRows::Machines => &layout.instance.jobs[layout.job(position)].name,
            GanttRows::Jobs => &layout.instance.machines[machine],
        };
        let (room, largest) = (area.width - 2.0 * PAD, (area.height * 0.62).min(9.5));
        if largest < LEAST_SIZE || room < LEAST_SIZE {
            return None;
        }
        let fitting = largest.min(room / text_width(name, 1.0, false).max(0.1));
        if fitting >= LEAST_SIZE.max(largest * 0.6) {
            return Some((name.clone(), fitting));
        }
        let size = largest.min(7.5);
        let part = elide(name, size, false, room);
        (part.chars().count() > ENOUGH).then_some((part, size))
    }

    /// Marks late jobs with a red line: below the last operation in rows of machines, from the due date on in rows of
    /// jobs.
    fn draw_lateness(&self, scene: &mut Scene) {
        let (facts, palette, layout) = (self.facts, self.facts.palette, &self.facts.layout);
        let thick = (self.row_height * 0.16).clamp(0.1, 3.0);
        let late = facts.flags.iter().filter(|flag| flag.late > 0);
        match layout.rows {
            GanttRows::Machines => {
                let Some(row) = layout.row_count().checked_sub(1).filter(|row| self.view.rows.contains(row)) else {
                    return;
                };
                for flag in late {
                    let (start, end) = (layout.start(row, flag.position), layout.end(row, flag.position));
                    if !self.sees(start) && !self.sees(end) {
                        continue;
                    }
                    let bar = self.bar(row, start, end);
                    let width = bar.width - (bar.width * 0.12).min(0.8);
                    scene.rectangle(bar.x, bar.bottom() - thick, width, thick, palette.alarm);
                }
            }
            GanttRows::Jobs => {
                for flag in facts.flags.iter().filter(|flag| self.view.rows.contains(&flag.position)) {
                    self.draw_own_flag(scene, flag, thick);
                }
            }
        }
    }

    /// Draws the due date of a job in its own row.
    fn draw_own_flag(&self, scene: &mut Scene, flag: &Flag, thick: f32) {
        let palette = self.facts.palette;
        let row = flag.position;
        let done = self.facts.layout.schedule.done(row);
        if flag.late > 0 && f64::from(done) >= self.view.time.start && f64::from(flag.due) <= self.view.time.end {
            let bar = self.bar(row, flag.due, done);
            scene.rectangle(bar.x, bar.bottom() - thick, bar.width, thick, palette.alarm);
        }
        if self.sees(flag.due) {
            let (x, top) = (self.x(flag.due), self.y(row) + 0.5);
            let colour = if flag.late > 0 { palette.alarm } else { palette.ink };
            let thin = (self.row_height * 0.07).clamp(0.3, 1.2);
            // The pole of a late job is short, so that it does not cross the labels of its bars.
            let length = if flag.late > 0 { 0.28 * self.row_height } else { self.row_height - self.inset - 0.5 };
            scene.line((x, top), (x, top + length), thin, colour);
            let (width, height) = ((self.row_height * 0.3).min(6.0), (self.row_height * 0.2).min(4.0));
            scene.titled_rectangle(
                Area::new(x, top, width, height),
                0.0,
                colour,
                self.facts.layout.describe_flag(flag),
            );
        }
    }

    /// Outlines critical operations and connects consecutive rows of the path.
    fn draw_path(&self, scene: &mut Scene) {
        let ink = self.facts.palette.ink;
        let width = (self.row_height * 0.09).clamp(0.35, 1.6);
        let seen = self.facts.path.within(self.view);
        for pair in seen.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            let inside = self.view.rows.contains(&from.row) && self.view.rows.contains(&to.row);
            if inside && self.sees(to.start) {
                let x = self.x(to.start);
                let top = self.y(from.row) + self.row_height - self.inset;
                scene.line((x, top), (x, self.y(to.row) + self.inset), width, ink);
            }
        }
        let (from, to) = (self.view.time.start, self.view.time.end);
        for &Outline { row, start, end } in seen {
            if !self.view.rows.contains(&row) || f64::from(end) < from || f64::from(start) > to {
                continue;
            }
            let bar = self.bar(row, start, end);
            let (left, right, top, bottom) = (bar.x, bar.right().min(self.plot.right()), bar.y, bar.bottom());
            // A side outside of the section stays open. A closed outline repeats its first side, which closes the
            // corner. Lines are used because a filled rectangle would cover the bars' tooltips.
            let outlines = match (f64::from(start) < from, f64::from(end) > to) {
                (false, false) => {
                    let (first, second) = ((left, top), (right, top));
                    vec![vec![first, second, (right, bottom), (left, bottom), first, second]]
                }
                (true, false) => vec![vec![(left, top), (right, top), (right, bottom), (left, bottom)]],
                (false, true) => vec![vec![(right, top), (left, top), (left, bottom), (right, bottom)]],
                (true, true) => vec![vec![(left, top), (right, top)], vec![(left, bottom), (right, bottom)]],
            };
            let lines = outlines.into_iter().map(|points| Shape::Line { points, width, colour: ink });
            scene.shapes.extend(lines);
        }
    }

    /// Draws the due dates below rows of machines as flags, with job names where they fit, red if late; returns the
    /// lower edge.
    fn draw_flags(&self, scene: &mut Scene) -> f32 {
        let palette = self.facts.palette;
        let (top, flags) = (self.plot.bottom() + 5.0, flags_within(&self.facts.flags, self.view));
        scene.bold_text((self.plot.x - 8.0, top + 8.0), SIZE, palette.ink, Anchor::End, "due");
        scene.line((self.plot.x, top), (self.plot.right(), top), 0.6, palette.line);
        let dense = is_dense(flags.len(), self.plot.width);
        let mut deepest = 0;
        let place = |flag: &Flag| {
            let x = self.x(flag.due);
            FlagPlace { x, end: x + text_width(&self.flag_text(flag), FLAG_SIZE, flag.late > 0) + 9.0, late: flag.late }
        };
        let candidates =
            latest(flags, if dense { 0 } else { flags.len() }).into_iter().map(|at| (at, place(&flags[at])));
        let (named, places): (Vec<usize>, Vec<FlagPlace>) =
            candidates.filter(|(_, place)| place.end <= self.plot.right() + 40.0).unzip();
        let mut levels = vec![None; flags.len()];
        named.into_iter().zip(flag_levels(&places, LEVELS)).for_each(|(at, level)| levels[at] = level);
        for (at, flag) in flags.iter().enumerate() {
            let (x, late) = (self.x(flag.due), flag.late > 0);
            let colour = if late { palette.alarm } else { palette.muted };
            let level = levels[at];
            let foot = top + STUB + level.map_or(0.0, |level| (level + 1) as f32 * LEVEL - 2.0);
            scene.line((x, top), (x, foot), if dense { 0.5 } else { 0.9 }, colour);
            let banner = if dense { 1.2 } else { 4.0 };
            scene.titled_rectangle(Area::new(x, top, banner, 3.0), 0.0, colour, self.facts.layout.describe_flag(flag));
            let Some(level) = level else { continue };
            deepest = deepest.max(level + 1);
            let (at, text) = ((x + 3.5, foot), self.flag_text(flag));
            if late {
                scene.bold_text(at, FLAG_SIZE, colour, Anchor::Start, text);
            } else {
                scene.text(at, FLAG_SIZE, colour, Anchor::Start, text);
            }
        }
        top + STUB + deepest as f32 * LEVEL
    }

    /// Text such as «Chair» or, if late, «Chair +7».
    fn flag_text(&self, flag: &Flag) -> String {
        let layout = &self.facts.layout;
        let name = elide(&layout.instance.jobs[layout.job(flag.position)].name, FLAG_SIZE, true, 90.0);
        if flag.late > 0 { format!("{name} +{}", layout.instance.span(flag.late.into())) } else { name }
    }
}

/// Height of the due dates below the rows; 0 if there are none.
fn flags_room(facts: &ChartContext<'_>, view: &GanttSection, width: f32) -> f32 {
    const ABOVE: f32 = 5.0;
    match flags_within(&facts.flags, view).len() {
        _ if facts.layout.rows == GanttRows::Jobs => 0.0,
        0 => 0.0,
        count if is_dense(count, width) => ABOVE + STUB + 2.0,
        _ => ABOVE + STUB + LEVELS as f32 * LEVEL,
    }
}

/// Returns `true` if names of due dates would overlap.
fn is_dense(count: usize, width: f32) -> bool {
    count as f32 > width / 8.0
}

/// Right edges and headings of the columns at the right of the rows, and their total width.
fn columns(facts: &ChartContext<'_>, view: &GanttSection, right: f32) -> (Vec<(f32, &'static str)>, f32) {
    let makespan = f64::from(facts.layout.schedule.makespan());
    let half = |time: f64, bold: bool| half(facts, time, bold);
    // The makespan is centred at the end of the axis and extends half of its width beyond.
    let gap = 8.0 + if makespan <= view.time.end { half(makespan, true) } else { half(view.time.end, false) };
    let width = |text: &str| text_width(text, SIZE, true);
    match facts.layout.rows {
        GanttRows::Machines => (vec![(right, "busy")], (gap + width("busy")).max(66.0)),
        GanttRows::Jobs => {
            let done = width("done").max(2.0 * half(makespan, true));
            if facts.flags.is_empty() {
                return (vec![(right, "done")], gap + done);
            }
            let of_flag = |flag: &Flag| width(&format!("+{}", facts.layout.instance.span(flag.late.into())));
            let late = facts.flags.iter().map(of_flag).fold(width("late by"), f32::max) + 14.0;
            (vec![(right - late, "done"), (right, "late by")], gap + done + late)
        }
    }
}

/// Half the width of a time on the axis.
fn half(facts: &ChartContext<'_>, time: f64, bold: bool) -> f32 {
    text_width(&facts.layout.instance.moment(time.max(0.0).round() as u32), SIZE, bold) / 2.0
}

/// Background colour of times without work.
pub(crate) fn closed(facts: &ChartContext<'_>) -> Colour {
    facts.palette.line.mix(facts.palette.muted, 0.12)
}

/// Background colour of idle time between two operations of a row.
pub(crate) fn waiting(facts: &ChartContext<'_>) -> Colour {
    facts.palette.waiting()
}
