//! Picture of a timetable as a grid of exams × periods.

use super::header::{MARGIN, column_label, day_label, draw_clash, draw_head};
use super::{Drawing, Facts, Sort, sorted_exams};
use crate::counts::{day_groups, grouped};
use crate::{Instance, Timetable};
use gridwright_core::scene::fonts::{elide, text_width};
use gridwright_core::scene::{Anchor, Area, Scene, Shape};

/// Options of [`timetable_grid`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct GridOptions {
    /// Order of the rows.
    pub sort: Sort,
    /// True for a dark background.
    pub dark: bool,
    /// Maximum number of rows; the picture states how many exams are shown.
    pub(crate) max_rows: Option<usize>,
}

/// Draws one row per exam and one column per period; the cell of an exam is coloured by its share in the cost. Many
/// exams make thin rows without labels.
pub(crate) fn timetable_grid(instance: &Instance, timetable: &Timetable, options: &GridOptions) -> Scene {
    draw_grid(instance, timetable, options).scene
}

/// As [`timetable_grid`], with the areas of the rows.
pub(crate) fn draw_grid(instance: &Instance, timetable: &Timetable, options: &GridOptions) -> Drawing {
    let mut rows = sorted_exams(instance, timetable, options.sort);
    rows.truncate(options.max_rows.unwrap_or(usize::MAX));
    let missing = rows.len() < instance.exam_count();
    let note = missing.then(|| format!(" · the first {} exams are shown", grouped(rows.len() as u64)));
    draw_rows(instance, timetable, &rows, &note.unwrap_or_default(), options)
}

/// Draws the grid of the given exams from top to bottom and states how many of all exams are shown. `exams` must be in
/// the order `options.sort`, which the picture names; `options.max_rows` is ignored.
pub(crate) fn grid_of(instance: &Instance, timetable: &Timetable, exams: &[usize], options: &GridOptions) -> Scene {
    let count = |count: usize| grouped(count as u64);
    let missing = exams.len() < instance.exam_count();
    let note =
        missing.then(|| format!(" · {} of {} exams are shown", count(exams.len()), count(instance.exam_count())));
    draw_rows(instance, timetable, exams, &note.unwrap_or_default(), options).scene
}

/// Draws the given rows; `left_out` is the note on omitted exams.
fn draw_rows(
    instance: &Instance, timetable: &Timetable, rows: &[usize], left_out: &str, options: &GridOptions,
) -> Drawing {
    let facts = Facts::new(instance, timetable, options.dark);
    let layout = GridLayout::new(&facts, rows);
    let mut scene = Scene::new(layout.width, 0.0, title(&facts), facts.palette.background);
    let note = format!(" · sorted by {}{left_out}", options.sort.name());
    let head = draw_head(&mut scene, &facts, MARGIN, MARGIN, &note);
    let top = draw_column_heads(&mut scene, &facts, &layout, head + 6.0);
    let body = Area::new(layout.left, top, layout.columns_width, layout.row_height * rows.len() as f32);
    draw_ground(&mut scene, &facts, &layout, body);
    let mut exams = Vec::with_capacity(rows.len());
    for (row, &exam) in rows.iter().enumerate() {
        let y = body.y + row as f32 * layout.row_height;
        draw_label(&mut scene, &facts, &layout, exam, y);
        exams.push((exam, Area::new(MARGIN, y, layout.left + layout.columns_width - MARGIN, layout.row_height)));
    }
    draw_ranks(&mut scene, &facts, &layout, rows.len(), body);
    // Draw clashes last, so that no neighbour covers the little that a thin row shows of them.
    let (clashing, others): (Vec<(usize, Area)>, Vec<_>) =
        exams.iter().copied().partition(|(exam, _)| facts.clashes[*exam] > 0);
    for &(exam, row) in others.iter().chain(&clashing) {
        draw_cell(&mut scene, &facts, &layout, exam, row);
    }
    scene.height = body.bottom() + MARGIN;
    Drawing { scene, exams }
}

fn title(facts: &Facts<'_>) -> String {
    let instance = facts.instance;
    format!("{}: timetable of {} exams in {} periods", instance.name, instance.exam_count(), instance.period_count())
}

/// Dimensions of the picture in points.
struct GridLayout {
    width: f32,
    /// Left edge of the first column.
    left: f32,
    /// Left edge of each period; if exams are unplaced, their column is the last entry.
    columns: Vec<f32>,
    columns_width: f32,
    column_width: f32,
    row_height: f32,
    /// Font size of row labels; 0 without labels.
    text: f32,
    code_width: f32,
    title_width: f32,
}

impl GridLayout {
    const GAP: f32 = 12.0;
    const DAY_GAP: f32 = 5.0;
    const MIN_WIDTH: f32 = 960.0;

    fn new(facts: &Facts<'_>, rows: &[usize]) -> Self {
        let row_height = match rows.len() {
            0..=40 => 21.0,
            41..=90 => 16.0,
            91..=160 => 13.0,
            161..=320 => 10.0,
            // As high as a picture may be with two pixels per point.
            321..=1000 => 9.0,
            // About 2,400 points in total, and never so thin that a row could vanish on a screen.
            count => (2400.0 / count as f32).clamp(1.4, 7.0),
        };
        let text = if row_height >= 9.0 { (row_height * 0.68).clamp(7.0, 11.0) } else { 0.0 };
        let widest = |room: f32, width: &dyn Fn(usize) -> f32| {
            rows.iter().map(|&exam| width(exam)).fold(0.0, f32::max).min(room)
        };
        let exams = &facts.instance.exams;
        let (mut code_width, mut title_width, mut gutter) = (0.0, 0.0, 44.0);
        if text > 0.0 {
            code_width = widest(110.0, &|exam| text_width(&exams[exam].code, text, true));
            title_width = widest(190.0, &|exam| text_width(&exams[exam].title, text, false));
            let number = widest(60.0, &|exam| text_width(&grouped(u64::from(exams[exam].enrolment)), text, false));
            let gap = if title_width > 0.0 { Self::GAP } else { 0.0 };
            gutter = (code_width + gap + title_width + 2.0 * Self::GAP + number.max(38.0)).max(96.0);
        }
        let left = MARGIN + gutter;
        let (periods, groups) = (facts.instance.period_count(), day_groups(facts.instance));
        let none = facts.counts.unplaced > 0;
        let gaps = groups.len().saturating_sub(1) as f32 * Self::DAY_GAP + if none { 14.0 } else { 0.0 };
        let count = (periods + usize::from(none)).max(1) as f32;
        let column_width = ((Self::MIN_WIDTH - MARGIN - left - gaps) / count).clamp(17.0, 160.0);
        let mut columns = Vec::with_capacity(periods + 1);
        let mut x = left;
        for (number, group) in groups.iter().enumerate() {
            x += if number > 0 { Self::DAY_GAP } else { 0.0 };
            for _ in group.clone() {
                columns.push(x);
                x += column_width;
            }
        }
        if none {
            columns.push(x + 14.0);
            x += 14.0 + column_width;
        }
        let width = (x + MARGIN).max(Self::MIN_WIDTH);
        let columns_width = x - left;
        Self { width, left, columns, columns_width, column_width, row_height, text, code_width, title_width }
    }

    /// Left edge of the cell of an exam.
    fn column_of(&self, facts: &Facts<'_>, exam: usize) -> f32 {
        let column = facts.periods[exam].unwrap_or(facts.instance.period_count());
        self.columns.get(column).copied().unwrap_or(self.left)
    }
}

/// Draws the column heads (days, times or numbers, loads as bars) and returns the top of the rows.
fn draw_column_heads(scene: &mut Scene, facts: &Facts<'_>, layout: &GridLayout, top: f32) -> f32 {
    let palette = facts.palette;
    let groups = day_groups(facts.instance);
    let mut y = top;
    if groups.len() > 1 || facts.instance.periods.iter().any(|period| period.date.is_some()) {
        for group in &groups {
            let x = layout.columns[group.start];
            let width = layout.column_width * group.len() as f32;
            let label = day_label(facts, group, 10.0, width);
            scene.bold_text((x + width / 2.0, y + 11.0), 10.0, palette.ink, Anchor::Middle, label);
            scene.rectangle(x + 1.0, y + 16.0, width - 2.0, 1.2, palette.bar);
        }
        y += 20.0;
    }
    let periods = facts.instance.period_count();
    let labels: Vec<String> = (0..periods).map(|period| column_label(facts, period)).collect();
    let widest = labels.iter().map(|label| text_width(label, 9.0, false)).fold(0.0, f32::max);
    let upright = widest > layout.column_width - 3.0;
    let height = if upright { widest + 6.0 } else { 15.0 };
    for (label, &x) in labels.into_iter().zip(&layout.columns) {
        let x = x + layout.column_width / 2.0;
        if upright {
            let (size, colour, anchor, bold) = (9.0, palette.muted, Anchor::Start, false);
            let (x, y) = (x + 3.2, y + height - 3.0);
            scene.shapes.push(Shape::Text { x, y, size, colour, anchor, bold, upright, text: label });
        } else {
            scene.text((x, y + 10.5), 9.0, palette.muted, Anchor::Middle, label);
        }
    }
    if let Some(&x) = layout.columns.get(periods) {
        let label = if layout.column_width > 50.0 { "No period" } else { "none" };
        scene.bold_text((x + layout.column_width / 2.0, y + 10.5), 9.0, palette.alarm, Anchor::Middle, label);
    }
    if layout.text > 0.0 {
        let x = layout.left - GridLayout::GAP;
        scene.text((MARGIN, y + height + 46.0), 9.0, palette.muted, Anchor::Start, "Exam");
        scene.text((x, y + height + 46.0), 9.0, palette.muted, Anchor::End, "Students");
    }
    draw_loads(scene, facts, layout, y + height);
    y + height + 52.0
}

/// Draws the students per period as bars on a common base line.
fn draw_loads(scene: &mut Scene, facts: &Facts<'_>, layout: &GridLayout, top: f32) {
    const BARS: f32 = 32.0;
    let palette = facts.palette;
    let base = top + 14.0 + BARS;
    let Some((largest_period, largest)) = facts.counts.largest_period() else { return };
    let label = "Students per period";
    if text_width(label, 9.0, false) < layout.left - MARGIN - GridLayout::GAP {
        scene.text((layout.left - GridLayout::GAP, base - BARS / 2.0), 9.0, palette.muted, Anchor::End, label);
    }
    let all = layout.column_width > text_width(&grouped(u64::from(largest)), 8.0, false) + 2.0;
    for (period, (load, &x)) in facts.counts.loads.iter().zip(&layout.columns).enumerate() {
        let height = BARS * load.students as f32 / largest as f32;
        let seats = facts.instance.periods[period].seats;
        let overfull = seats.is_some_and(|seats| load.students > seats);
        let colour = if overfull { palette.alarm } else { palette.bar };
        let students = grouped(u64::from(load.students));
        let seats = seats.map(|seats| format!(" for {} seats", grouped(u64::from(seats)))).unwrap_or_default();
        let title =
            format!("{}: {students} students{seats}, {} exams", facts.instance.period_label(period), load.exams);
        let bar = Area::new(x + 1.5, base - height, layout.column_width - 3.0, height);
        scene.titled_rectangle(bar, 1.0_f32.min(height / 2.0), colour, title);
        if load.students > 0 && (all || period == largest_period) {
            let at = (x + layout.column_width / 2.0, base - height - 3.0);
            scene.text(at, 8.0, palette.muted, Anchor::Middle, students);
        }
    }
    scene.rectangle(layout.left, base, layout.columns_width, 0.8, palette.line);
}

/// Draws the background: stripes by day and lines by row.
fn draw_ground(scene: &mut Scene, facts: &Facts<'_>, layout: &GridLayout, body: Area) {
    let palette = facts.palette;
    let groups = day_groups(facts.instance);
    let by_period = groups.len() == 1;
    for (period, &x) in layout.columns.iter().enumerate() {
        let group = groups.iter().position(|group| group.contains(&period));
        let odd = if by_period { period % 2 == 1 } else { group.is_some_and(|group| group % 2 == 1) };
        let colour = match group {
            None => palette.alarm.with_alpha(20),
            Some(_) if odd => palette.stripe,
            Some(_) => palette.panel,
        };
        scene.rectangle(x, body.y, layout.column_width, body.height, colour);
    }
    if layout.row_height >= 9.0 {
        let rows = (body.height / layout.row_height).round() as usize;
        for row in 0..=rows {
            let y = body.y + row as f32 * layout.row_height;
            scene.line((MARGIN, y), (body.right(), y), 0.5, palette.line);
        }
    }
}

fn draw_label(scene: &mut Scene, facts: &Facts<'_>, layout: &GridLayout, exam: usize, y: f32) {
    if layout.text == 0.0 {
        return;
    }
    let (palette, data, size) = (facts.palette, &facts.instance.exams[exam], layout.text);
    let base = y + layout.row_height / 2.0 + size * 0.36;
    let alarm = facts.clashes[exam] > 0 || facts.periods[exam].is_none();
    let ink = if alarm { palette.alarm } else { palette.ink };
    scene.bold_text((MARGIN, base), size, ink, Anchor::Start, elide(&data.code, size, true, layout.code_width));
    if !data.title.is_empty() {
        let x = MARGIN + layout.code_width + GridLayout::GAP;
        scene.text((x, base), size, palette.muted, Anchor::Start, elide(&data.title, size, false, layout.title_width));
    }
    let students = grouped(u64::from(data.enrolment));
    scene.text((layout.left - GridLayout::GAP, base), size, palette.ink, Anchor::End, students);
}

/// Draws row numbers at regular intervals if rows are too thin for labels.
fn draw_ranks(scene: &mut Scene, facts: &Facts<'_>, layout: &GridLayout, rows: usize, body: Area) {
    if layout.text > 0.0 {
        return;
    }
    let palette = facts.palette;
    let step = [50, 100, 250, 500, 1000, 5000].into_iter().find(|&step| step as f32 * layout.row_height >= 90.0);
    let step = step.unwrap_or(10_000);
    for rank in std::iter::once(1).chain((step..=rows).step_by(step)) {
        let y = body.y + (rank - 1) as f32 * layout.row_height;
        scene.text((layout.left - 8.0, y + 3.0), 8.5, palette.muted, Anchor::End, grouped(rank as u64));
        scene.line((layout.left - 5.0, y), (body.right(), y), 0.5, palette.line);
    }
}

fn draw_cell(scene: &mut Scene, facts: &Facts<'_>, layout: &GridLayout, exam: usize, row: Area) {
    let (x, height) = (layout.column_of(facts, exam), layout.row_height);
    let inset = if height >= 9.0 { 1.75 } else { (height * 0.12).min(0.5) };
    let side = if height >= 9.0 { (layout.column_width * 0.06).clamp(1.0, 3.0) } else { 0.5 };
    let cell = Area::new(x + side, row.y + inset, layout.column_width - 2.0 * side, height - 2.0 * inset);
    if facts.periods[exam].is_none() {
        let (palette, title) = (facts.palette, facts.describe(exam));
        let radius = (cell.height / 4.0).min(2.5);
        let (fill, stroke) = (palette.alarm.with_alpha(70), Some(((cell.height / 8.0).min(1.0), palette.alarm)));
        let Area { x, y, width, height } = cell;
        scene.shapes.push(Shape::Rectangle { x, y, width, height, radius, fill, stroke, title });
    } else if facts.clashes[exam] > 0 {
        // At least three points high, with a flag at both ends of the row.
        let extra = (3.0 - cell.height).max(0.0);
        let cell = Area::new(cell.x, cell.y - extra / 2.0, cell.width, cell.height + extra);
        draw_clash(scene, facts, cell, &facts.describe(exam));
        if layout.text == 0.0 {
            let alarm = facts.palette.alarm;
            scene.rectangle(layout.left - 5.0, cell.y, 4.0, cell.height, alarm);
            scene.rectangle(layout.left + layout.columns_width + 1.0, cell.y, 4.0, cell.height, alarm);
        }
    } else {
        scene.titled_rectangle(cell, (cell.height / 4.0).min(2.5), facts.colour(exam), facts.describe(exam));
    }
}
