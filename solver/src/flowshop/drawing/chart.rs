//! The chart itself: axis, rows, bars, critical path, due dates, and what stands at the ends of the rows.

use super::layout::{Flag, Outline, Piece, Rows, View, flags_within};
use super::{Facts, job_colour};
use crate::numbers::grouped;
use crate::scene::axis::whole_ticks;
use crate::scene::fonts::{elide, text_width};
use crate::scene::palette::readable_on;
use crate::scene::{Anchor, Area, Colour, Scene, Shape};

/// Size of names and numbers beside the rows and on the axis.
const SIZE: f32 = 9.0;
/// Letters smaller than this are left out.
const LEAST_SIZE: f32 = 5.0;
/// Room above the rows for the axis.
const AXIS: f32 = 20.0;
/// Room for due dates below rows of machines.
const FLAGS: f32 = 46.0;
/// What is narrower is drawn together with its neighbours.
const FINEST: f32 = 0.4;
/// Room to the left and right of a label within its bar.
const PAD: f32 = 2.0;

/// A chart with its sizes.
pub struct Chart<'a, 'f> {
    facts: &'f Facts<'a>,
    view: &'f View,
    /// Where bars lie.
    plot: Area,
    row_height: f32,
    /// Points per time unit.
    scale: f64,
    /// The part of a row that its bar leaves free above and below.
    inset: f32,
    /// From where the chart may draw, and up to where.
    edges: (f32, f32),
    /// Room for due dates below the rows.
    flags: f32,
}

impl<'a, 'f> Chart<'a, 'f> {
    /// A chart within `area`, whose height is infinite where it may be as high as it needs.
    pub fn new(facts: &'f Facts<'a>, view: &'f View, area: Area) -> Self {
        let rows = view.rows.len().max(1) as f32;
        let names = view.rows.clone().map(|row| text_width(facts.layout.row_name(row), SIZE, true));
        let unit = text_width("time units", SIZE, false);
        let left = names.fold(unit, f32::max).min(area.width * 0.16).min(150.0) + 12.0;
        let right = match facts.layout.rows {
            Rows::Machines => 66.0,
            Rows::Jobs if facts.flags.is_empty() => 54.0,
            Rows::Jobs => 96.0,
        };
        let flags = if facts.layout.rows == Rows::Machines && !facts.flags.is_empty() { FLAGS } else { 0.0 };
        let row_height = if area.height.is_finite() {
            ((area.height - AXIS - flags - 4.0) / rows).clamp(0.05, 40.0)
        } else {
            (640.0 / rows).clamp(if facts.layout.rows == Rows::Jobs { 7.0 } else { 9.0 }, 34.0)
        };
        let plot = Area::new(area.x + left, area.y + AXIS, area.width - left - right, row_height * rows);
        let scale = f64::from(plot.width) / (view.time.end - view.time.start);
        let inset = (row_height * 0.12).min(3.5);
        Self { facts, view, plot, row_height, scale, inset, edges: (area.x, area.right()), flags }
    }

    /// Draws it and returns where it ends.
    pub fn draw(&self, scene: &mut Scene) -> f32 {
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
        if self.flags > 0.0 {
            self.draw_flags(scene);
        }
        self.plot.bottom() + self.flags
    }

    /// Where a time lies; times that are not seen lie at the edge.
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

    /// Where the bar of a row lies between two times; at least a hair wide.
    fn bar(&self, row: usize, start: u32, end: u32) -> Area {
        let (x, right) = (self.x(start), self.x(end));
        let width = (right - x).max(0.7).min(self.plot.right() - x + 0.7);
        Area::new(x, self.y(row) + self.inset, width, self.row_height - 2.0 * self.inset)
    }

    /// The rows, and in each from the first operation to the last the time in which it waits.
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
        }
    }

    /// Lines at round times with their labels.
    fn draw_axis(&self, scene: &mut Scene) {
        let palette = self.facts.palette;
        let base = self.plot.y - 7.0;
        let makespan = self.facts.layout.schedule.makespan();
        let label = |time: u64| grouped(time);
        let longest = text_width(&label(self.view.time.end as u64), SIZE, false);
        let taken = self.sees(makespan).then(|| {
            let half = text_width(&label(u64::from(makespan)), SIZE, true) / 2.0 + 5.0;
            (self.x(makespan) - half, self.x(makespan) + half)
        });
        let least = f64::from(longest + 26.0) / self.scale;
        scene.text(
            (self.plot.x - 10.0 - longest.min(14.0) / 2.0, base),
            SIZE,
            palette.muted,
            Anchor::End,
            "time units",
        );
        for tick in whole_ticks(self.view.time.start, self.view.time.end, least) {
            let x = self.x_at(tick as f64);
            scene.line((x, self.plot.y - 4.0), (x, self.plot.bottom()), 0.6, palette.line);
            let (text, half) = (label(tick), text_width(&label(tick), SIZE, false) / 2.0);
            if taken.is_none_or(|(from, to)| x + half < from || x - half > to) {
                scene.text((x, base), SIZE, palette.muted, Anchor::Middle, text);
            }
        }
    }

    /// When everything is done.
    fn draw_makespan(&self, scene: &mut Scene) {
        let palette = self.facts.palette;
        let makespan = self.facts.layout.schedule.makespan();
        if makespan > 0 && self.sees(makespan) {
            let x = self.x(makespan);
            scene.line((x, self.plot.y - 4.0), (x, self.plot.bottom()), 1.0, palette.ink);
            scene.bold_text((x, self.plot.y - 7.0), SIZE, palette.ink, Anchor::Middle, grouped(u64::from(makespan)));
        }
    }

    /// How large the letters beside a row are, and whether this row has any: of thin rows only every fifth, tenth, …
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
        let name = elide(self.facts.layout.row_name(row), size, true, right - self.edges.0);
        scene.bold_text((right, self.middle(row, size)), size, self.facts.palette.ink, Anchor::End, name);
    }

    /// How busy a machine is; when a job is done and how late.
    fn draw_row_end(&self, scene: &mut Scene, row: usize) {
        let (palette, layout) = (self.facts.palette, &self.facts.layout);
        let base = self.plot.y - 7.0;
        let heads: &[(f32, &str)] = match layout.rows {
            Rows::Machines => &[(self.edges.1, "busy")],
            Rows::Jobs if self.facts.flags.is_empty() => &[(self.edges.1, "done")],
            Rows::Jobs => &[(self.edges.1 - 42.0, "done"), (self.edges.1, "late by")],
        };
        // Where the axis runs up to the edge, its last label has the room.
        if row == self.view.rows.start {
            for &(x, text) in heads {
                scene.text((x, base), SIZE, palette.muted, Anchor::End, text);
            }
        }
        let Some(size) = self.beside(row) else { return };
        let middle = self.middle(row, size);
        match layout.rows {
            Rows::Machines => {
                let busy = layout.busy(row);
                let text = format!("{:.0} %", 100.0 * busy);
                scene.text((self.edges.1, middle), size, palette.ink, Anchor::End, text);
                let gauge = Area::new(self.edges.1 - 56.0, self.y(row) + self.row_height / 2.0 - 1.5, 26.0, 3.0);
                scene.rectangle(gauge.x, gauge.y, gauge.width, gauge.height, palette.line);
                scene.rectangle(gauge.x, gauge.y, gauge.width * busy as f32, gauge.height, palette.muted);
            }
            Rows::Jobs => {
                let done = grouped(u64::from(layout.schedule.done(row)));
                scene.text((heads[0].0, middle), size, palette.ink, Anchor::End, done);
                let late = layout.late(row);
                if late > 0 && heads.len() > 1 {
                    let text = format!("+{}", grouped(u64::from(late)));
                    scene.bold_text((heads[1].0, middle), size, palette.alarm, Anchor::End, text);
                }
            }
        }
    }

    fn draw_piece(&self, scene: &mut Scene, piece: &Piece) {
        let facts = self.facts;
        let mut area = self.bar(piece.row, piece.start, piece.end);
        let fill = self.fill(piece);
        // A hair of ground sets a bar apart from the next one; thin bars need all they have.
        area.width -= (area.width * 0.12).min(0.8);
        let radius = if area.width >= 5.0 && area.height >= 5.0 { 1.5 } else { 0.0 };
        scene.titled_rectangle(area, radius, fill, facts.describe(piece));
        if piece.is_single()
            && let Some((text, size)) = self.label(piece, &area)
        {
            let at = (area.x + area.width / 2.0, area.y + area.height / 2.0 + size * 0.36);
            scene.text(at, size, readable_on(fill), Anchor::Middle, text);
        }
    }

    /// The colour of the job; of several jobs none of their own.
    fn fill(&self, piece: &Piece) -> Colour {
        let layout = &self.facts.layout;
        if layout.rows == Rows::Machines && !piece.is_single() {
            return self.facts.palette.bar;
        }
        job_colour(layout.job(layout.operation(piece.row, piece.first).0))
    }

    /// What stands in a bar, as large as it fits: the whole name, or enough of a long one to know it.
    fn label(&self, piece: &Piece, area: &Area) -> Option<(String, f32)> {
        const ENOUGH: usize = 5;
        let layout = &self.facts.layout;
        let (position, machine) = layout.operation(piece.row, piece.first);
        let name = match layout.rows {
            Rows::Machines => &layout.instance.jobs[layout.job(position)].name,
            Rows::Jobs => &layout.instance.machines[machine],
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

    /// Under late jobs a red line: in rows of machines under the last operation, in rows of jobs since the due date, which
    /// has a flag.
    fn draw_lateness(&self, scene: &mut Scene) {
        let (facts, palette, layout) = (self.facts, self.facts.palette, &self.facts.layout);
        let thick = (self.row_height * 0.16).clamp(0.4, 3.0);
        let late = facts.flags.iter().filter(|flag| flag.late > 0);
        match layout.rows {
            Rows::Machines => {
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
            Rows::Jobs => {
                for flag in facts.flags.iter().filter(|flag| self.view.rows.contains(&flag.position)) {
                    self.draw_own_flag(scene, flag, thick);
                }
            }
        }
    }

    /// The due date of the job in its own row.
    fn draw_own_flag(&self, scene: &mut Scene, flag: &Flag, thick: f32) {
        let palette = self.facts.palette;
        let row = flag.position;
        let done = self.facts.layout.schedule.done(row);
        if flag.late > 0 && f64::from(done) >= self.view.time.start && f64::from(flag.due) <= self.view.time.end {
            let bar = self.bar(row, flag.due, done);
            scene.rectangle(bar.x, bar.bottom() - thick, bar.width, thick, palette.alarm);
        }
        if self.sees(flag.due) {
            let (x, top) = (self.x(flag.due), self.y(row));
            let colour = if flag.late > 0 { palette.alarm } else { palette.ink };
            let thin = (self.row_height * 0.07).clamp(0.3, 1.2);
            scene.line((x, top + 0.5), (x, top + self.row_height - self.inset), thin, colour);
            let (width, height) = ((self.row_height * 0.3).min(6.0), (self.row_height * 0.2).min(4.0));
            scene.titled_rectangle(Area::new(x, top + 0.5, width, height), 0.0, colour, self.describe_flag(flag));
        }
    }

    fn describe_flag(&self, flag: &Flag) -> String {
        let layout = &self.facts.layout;
        let (name, due) = (&layout.instance.jobs[layout.job(flag.position)].name, grouped(u64::from(flag.due)));
        let done = grouped(u64::from(layout.schedule.done(flag.position)));
        match flag.late {
            0 => format!("{name}: due at {due}, done at {done}"),
            late => format!("{name}: due at {due}, done at {done}, late by {}", grouped(u64::from(late))),
        }
    }

    /// Outlines around what is critical, joined where the path goes to the next row.
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
            let (right, bottom) = (bar.right().min(self.plot.right()), bar.bottom());
            // Once around and along the first side again, so that the corner is closed. A line, because what lies behind
            // it is to be pointed at.
            let points =
                vec![(bar.x, bar.y), (right, bar.y), (right, bottom), (bar.x, bottom), (bar.x, bar.y), (right, bar.y)];
            scene.shapes.push(Shape::Line { points, width, colour: ink });
        }
    }

    /// Below rows of machines: each due date as a flag, with the job's name where there is room, in red where it is late.
    fn draw_flags(&self, scene: &mut Scene) {
        const SMALL: f32 = 8.0;
        const LEVEL: f32 = 11.0;
        const LEVELS: usize = 3;
        let palette = self.facts.palette;
        let (top, flags) = (self.plot.bottom() + 6.0, flags_within(&self.facts.flags, self.view));
        let word = (self.plot.x - 8.0, top + SMALL);
        scene.bold_text(word, SIZE, palette.ink, Anchor::End, "due");
        scene.line((self.plot.x, top - 1.0), (self.plot.right(), top - 1.0), 0.6, palette.line);
        let mut free = [self.plot.x; LEVELS];
        let dense = flags.len() as f32 > self.plot.width / 6.0;
        for flag in flags {
            let (x, late) = (self.x(flag.due), flag.late > 0);
            let colour = if late { palette.alarm } else { palette.muted };
            let text = self.flag_text(flag);
            let width = text_width(&text, SMALL, late) + 6.0;
            let level = (0..LEVELS).find(|&level| free[level] <= x && x + width <= self.edges.1).filter(|_| !dense);
            let bottom = top + level.map_or(0.5, |level| level as f32) * LEVEL + 9.0;
            scene.line((x, top - 1.0), (x, bottom), if dense { 0.5 } else { 0.9 }, colour);
            scene.titled_rectangle(Area::new(x, bottom - 3.5, 4.0, 3.5), 0.0, colour, self.describe_flag(flag));
            if let Some(level) = level {
                // A pole of a lower flag may not run through the words of a higher one.
                for above in &mut free[..=level] {
                    *above = above.max(x + 2.0);
                }
                free[level] = x + width + 5.0;
                let at = (x + 6.0, bottom);
                let anchor = Anchor::Start;
                if late {
                    scene.bold_text(at, SMALL, colour, anchor, text)
                } else {
                    scene.text(at, SMALL, colour, anchor, text)
                }
            }
        }
    }

    /// «Chair» or, where it is late, «Chair +7».
    fn flag_text(&self, flag: &Flag) -> String {
        let layout = &self.facts.layout;
        let name = elide(&layout.instance.jobs[layout.job(flag.position)].name, 8.0, true, 90.0);
        if flag.late > 0 { format!("{name} +{}", grouped(u64::from(flag.late))) } else { name }
    }
}

/// The ground where a row waits between two operations: a shade that is seen and does not shout.
pub fn waiting(facts: &Facts<'_>) -> Colour {
    facts.palette.stripe.mix(facts.palette.bar, 0.28)
}
