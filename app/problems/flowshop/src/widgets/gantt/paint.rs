//! Painting of bars, critical path and lateness.

use egui::{Align2, Color32, Mesh, Painter, Rect, Shape, Stroke, StrokeKind, Ui, pos2, vec2};
use gridwright_flowshop::drawing::layout::{GanttLayout, GanttRows, Outline, Piece, SETUP_HEIGHT};

use super::{Chart, Frame, Operation, Selection, edges};
use gridwright_window::theme::{self, Palette, palette, text};
use gridwright_window::widgets::painting::truncated;

/// Bars of at least this size have rounded corners and perhaps a name.
const ROUNDED: egui::Vec2 = vec2(9.0, 9.0);
/// Bars narrower than this have no name.
const NAMED: f32 = 13.0;

#[derive(Debug, Clone, Copy)]
pub(super) struct Attention {
    pub selected: Option<Selection>,
    pub hovered: Option<Operation>,
    /// The position of the job whose due date is under the pointer.
    pub(crate) flagged: Option<usize>,
}

impl Attention {
    /// Returns `true` if another job is selected.
    pub(super) fn recedes(&self, job: usize) -> bool {
        self.selected.is_some_and(|selection| selection.job != job)
    }
}

/// A bar with its text, painted over all bars.
struct Label {
    bar: Rect,
    piece: Piece,
    ink: Color32,
}

/// Paints everything between axis and names.
pub(super) fn paint(ui: &Ui, chart: &Chart<'_>, frame: &Frame, attention: Attention) {
    let palette = palette(ui.visuals());
    let painter = ui.painter().with_clip_rect(frame.full.intersect(ui.clip_rect()));
    painter.rect_filled(frame.full, 0.0, palette.surface);
    if chart.layout.schedule.order.is_empty() {
        let at = frame.full.center();
        let (heading, hint) = (theme::bold_font(text::HEADING), theme::font(text::BODY));
        painter.text(at - vec2(0.0, 10.0), Align2::CENTER_CENTER, "No job is placed yet", heading, palette.text);
        let words = "The chart appears with the first schedule";
        painter.text(at + vec2(0.0, 12.0), Align2::CENTER_CENTER, words, hint, palette.weak);
        return;
    }
    // The outline of a bar at the edge may reach a little further than the bars.
    let inside = painter.with_clip_rect(frame.area.expand2(vec2(0.0, 1.0)));
    ground(&painter, &inside, chart, frame, attention, palette);
    let labels = bars(&inside, chart, frame, attention, palette);
    for label in &labels {
        name(&inside, chart, label, attention, palette);
    }
    ghosts(&inside, chart, frame, attention, palette);
    makespan(&inside, chart, frame, palette);
    if chart.critical_path {
        path(&inside, chart, frame, attention, palette);
    }
    lateness(&inside, chart, frame, attention, palette);
    emphasis(&inside, chart, frame, attention, palette);
}

/// Paints bands of rows, lines at round times and the idle time of each row.
fn ground(
    painter: &Painter, inside: &Painter, chart: &Chart<'_>, frame: &Frame, attention: Attention, palette: &Palette,
) {
    let by_job = chart.layout.rows == GanttRows::Jobs;
    let chosen = attention.selected.and_then(|s| if by_job { chart.facts.position(s.job) } else { s.machine });
    let pointed = attention.hovered.and_then(|o| if by_job { chart.facts.position(o.job) } else { Some(o.machine) });
    let names = painter.with_clip_rect(frame.full.with_min_y(frame.area.top()).with_max_y(frame.area.bottom()));
    for (row, colour) in [(pointed, palette.blocked), (chosen, palette.accent_soft)] {
        let Some(row) = row.filter(|row| frame.visible_rows().contains(row)) else { continue };
        let bottom = frame.y(row + 1).max(frame.y(row) + 2.0);
        names.rect_filled(Rect::from_x_y_ranges(frame.full.x_range(), frame.y(row)..=bottom), 0.0, colour);
    }
    let mut mesh = Mesh::default();
    if frame.rows.item >= 3.0 {
        let faded = if attention.selected.is_some() { 0.5 } else { 1.0 };
        let waiting = palette.waiting().gamma_multiply(faded);
        for row in frame.visible_rows() {
            if let Some((start, end)) = chart.layout.span(row) {
                mesh.add_colored_rect(frame.bar(row, start, end).intersect(frame.area), waiting);
            }
            for (start, end) in chart.layout.breaks(row, &frame.time, frame.finest()) {
                let bar = frame.bar(row, start, end);
                let whole = Rect::from_x_y_ranges(bar.x_range(), frame.y(row)..=frame.y(row + 1));
                mesh.add_colored_rect(whole.intersect(frame.area), palette.blocked);
            }
        }
    }
    inside.add(Shape::mesh(mesh));
    for tick in edges::ticks(chart, frame) {
        inside.vline(frame.x(tick.time), frame.area.y_range(), Stroke::new(1.0, palette.border));
    }
}

/// Colours of a bar and of its text.
fn colours(chart: &Chart<'_>, piece: &Piece, attention: Attention, palette: &Palette) -> (Color32, Color32) {
    let layout = &chart.layout;
    let job = layout.job(layout.operation(piece.row, piece.first).0);
    // Several jobs have no colour of their own, unless the one that is looked for is among them.
    let several = layout.rows == GanttRows::Machines && !piece.is_single();
    let lit = attention.selected.and_then(|selection| chart.facts.position(selection.job));
    let lit = lit.filter(|at| several && (piece.first..=piece.last).contains(at)).map(|at| layout.job(at));
    let job = lit.unwrap_or(job);
    let fill = if several && lit.is_none() { palette.merged() } else { palette.category(job) };
    if attention.recedes(job) || (several && lit.is_none() && attention.selected.is_some()) {
        return (fill.lerp_to_gamma(palette.surface, 0.78), palette.weak.gamma_multiply(0.75));
    }
    (fill, palette.on_category(job))
}

/// Paints all bars, the small ones as one mesh; returns the bars with room for a name.
fn bars(inside: &Painter, chart: &Chart<'_>, frame: &Frame, attention: Attention, palette: &Palette) -> Vec<Label> {
    let (mut mesh, mut rounded, mut labels) = (Mesh::default(), Vec::new(), Vec::new());
    let mut interruptions = Mesh::default();
    let pixel = 1.0 / frame.pixels;
    for piece in chart.layout.visible(&frame.view(), frame.finest()) {
        if let Some((start, end)) = chart.layout.setup(&piece) {
            let bar = frame.bar(piece.row, start, end);
            let low = Rect::from_center_size(bar.center(), vec2(bar.width(), bar.height() * SETUP_HEIGHT));
            let job = chart.layout.job(piece.first);
            let strength = if attention.recedes(job) { 0.3 } else { 1.0 };
            mesh.add_colored_rect(low, palette.weak.gamma_multiply(strength));
        }
        let mut bar = frame.bar(piece.row, piece.start, piece.end);
        if bar.width() > 3.0 {
            // A line of ground sets a bar apart from the next one; thin bars need all they have.
            bar.max.x -= pixel;
        }
        let (fill, ink) = colours(chart, &piece, attention, palette);
        if bar.width() < ROUNDED.x || bar.height() < ROUNDED.y {
            mesh.add_colored_rect(bar, fill);
        } else {
            rounded.push(Shape::rect_filled(bar, 2.0, fill));
        }
        let span = f64::from(piece.start)..f64::from(piece.end);
        for (start, end) in chart.layout.breaks(piece.row, &span, frame.finest()) {
            let gap = frame.bar(piece.row, start, end).intersect(bar);
            interruptions.add_colored_rect(gap, fill.lerp_to_gamma(palette.blocked, 0.75));
        }
        if piece.is_single() && bar.width() >= NAMED && bar.height() >= 9.0 {
            labels.push(Label { bar, piece, ink });
        }
    }
    inside.add(Shape::mesh(mesh));
    inside.extend(rounded);
    inside.add(Shape::mesh(interruptions));
    labels
}

/// The name of the job or the machine, where it or enough of it fits into the part of the bar that is in sight, and by how
/// much the job is late at its last operation.
fn name(inside: &Painter, chart: &Chart<'_>, label: &Label, attention: Attention, palette: &Palette) {
    let layout = &chart.layout;
    let (position, machine) = layout.operation(label.piece.row, label.piece.first);
    let words = match layout.rows {
        GanttRows::Machines => &layout.instance.jobs[layout.job(position)].name,
        GanttRows::Jobs => &layout.instance.machines[machine],
    };
    let visible = label.bar.intersect(inside.clip_rect());
    // Small bars have small letters, whether or not larger ones would fit: names read as one text.
    let size = if visible.height() < 18.0 { text::TINY.min(visible.height() - 1.0).max(8.0) } else { text::SMALL };
    let room = visible.width() - 3.0;
    // Letters are hardly ever narrower than a third of their height: most that do not fit need not be laid out.
    if words.chars().count() as f32 * size * 0.33 > room && room < 36.0 {
        return;
    }
    // In rows of jobs it stands before the row.
    let last = layout.rows == GanttRows::Machines && machine + 1 == layout.schedule.machine_count();
    let late = (last && chart.due_dates).then(|| layout.late(position));
    let late = late.filter(|&late| late > 0).map(|late| {
        let tag = format!("+{}", layout.instance.span(late.into()));
        inside.layout_no_wrap(tag, theme::bold_font(text::TINY), palette.on_clash())
    });
    let galley = inside.layout_no_wrap(words.clone(), theme::font(size), label.ink);
    let tag = late.filter(|tag| visible.height() >= 15.0 && galley.size().x + tag.size().x + 14.0 <= room);
    let reserved = tag.as_ref().map_or(0.0, |tag| tag.size().x + 12.0);
    if let Some(tag) = tag {
        let size = tag.size() + vec2(8.0, 2.0);
        let at = pos2(visible.right() - 3.0 - size.x / 2.0, visible.center().y);
        let pill = Rect::from_center_size(at, size);
        let strength = if attention.recedes(layout.job(position)) { 0.3 } else { 1.0 };
        inside.rect_filled(pill, pill.height() / 2.0, palette.clash.gamma_multiply(strength));
        inside.galley(pill.center() - tag.size() / 2.0, tag, palette.on_clash());
    }
    let small = || inside.layout_no_wrap(words.clone(), theme::font(size.min(text::TINY)), label.ink);
    let galley = match galley.size().x <= room - reserved {
        true => galley,
        false => match Some(small()).filter(|galley| galley.size().x <= room - reserved) {
            Some(galley) => galley,
            None if room >= 36.0 => truncated(inside, words.clone(), theme::font(size), label.ink, room),
            None => return,
        },
    };
    let middle = visible.center() - vec2(reserved / 2.0, 0.0);
    inside.galley(middle - galley.size() / 2.0, galley, label.ink);
}

/// Under late jobs a line in the colour of alarms: in rows of machines under the last operation, in rows of jobs from the
/// due date, which has a flag.
fn lateness(inside: &Painter, chart: &Chart<'_>, frame: &Frame, attention: Attention, palette: &Palette) {
    let layout = &chart.layout;
    let (thick, pixel) = ((frame.rows.item * 0.14).clamp(1.0, 3.0), 1.0 / frame.pixels);
    let faded = |position: usize, colour: Color32| match attention.recedes(layout.job(position)) {
        true => colour.gamma_multiply(0.35),
        false => colour,
    };
    let rows = frame.visible_rows();
    let last = layout.instance.machine_count().saturating_sub(1);
    let mut mesh = Mesh::default();
    for flag in chart.flags() {
        let (row, _) = layout.place(flag.position, last);
        if !rows.contains(&row) {
            continue;
        }
        let done = layout.schedule.done(flag.position);
        let from = if layout.rows == GanttRows::Jobs { flag.due } else { layout.schedule.start(flag.position, last) };
        if flag.late > 0 && frame.time.end >= f64::from(from) && frame.time.start <= f64::from(done) {
            let bar = frame.bar(row, from, done);
            // Within the outline of the critical path, which would be taken for a red one otherwise.
            let lift = if chart.critical_path && frame.rows.item >= 12.0 { 1.0 + pixel } else { 0.0 };
            let line = bar.with_min_y(bar.bottom() - thick).with_max_x((bar.right() - 1.0).max(bar.left() + 1.0));
            let line = line.translate(vec2(0.0, -lift));
            mesh.add_colored_rect(line, faded(flag.position, palette.clash));
        }
        if layout.rows == GanttRows::Jobs && frame.sees(flag.due) && frame.rows.item >= 5.0 {
            let colour = faded(flag.position, if flag.late > 0 { palette.clash } else { palette.text });
            let (x, (top, bottom)) = (frame.x(f64::from(flag.due)), frame.lane(row));
            // The pole of a late job would run through the words in its bars; the line below them begins here anyway.
            let foot = if flag.late > 0 { top + (bottom - top) * 0.3 } else { bottom };
            mesh.add_colored_rect(Rect::from_min_max(pos2(x, top), pos2(x + 1.0, foot)), colour);
            let banner = vec2((frame.rows.item * 0.3).min(6.0), (frame.rows.item * 0.2).clamp(1.0, 4.0));
            mesh.add_colored_rect(Rect::from_min_size(pos2(x, top), banner), colour);
        }
    }
    inside.add(Shape::mesh(mesh));
}

/// Paints the compared schedule as outlines below the bars.
fn ghosts(inside: &Painter, chart: &Chart<'_>, frame: &Frame, attention: Attention, palette: &Palette) {
    let Some((layout, ghost)) = chart.ghost_layout().zip(chart.ghost) else { return };
    let (mut solid, mut outlines) = (Mesh::default(), Mesh::default());
    let mut bar = |row: usize, layout: &GanttLayout<'_>, piece: &Piece| {
        let rect = frame.ghost_bar(row, piece.start, piece.end);
        let job = layout.job(layout.operation(piece.row, piece.first).0);
        let colour = match layout.rows == GanttRows::Jobs || piece.is_single() {
            true => palette.category(job),
            false => palette.merged(),
        };
        let colour = if attention.recedes(job) { colour.lerp_to_gamma(palette.surface, 0.78) } else { colour };
        if rect.width() < 5.0 || rect.height() < 4.0 {
            solid.add_colored_rect(rect, colour.gamma_multiply(0.7));
        } else {
            hollow(&mut outlines, rect.with_max_x(rect.right() - 1.0), colour, palette.surface);
        }
    };
    let (time, finest) = (frame.time.clone(), frame.finest());
    let row_view = |rows| gridwright_flowshop::drawing::GanttSection { time: time.clone(), rows };
    for row in frame.visible_rows() {
        // A row of jobs shows the same job, wherever the other schedule has it.
        let theirs = match layout.rows {
            GanttRows::Machines => Some(row),
            GanttRows::Jobs => ghost.facts.position(chart.layout.job(row)),
        };
        let Some(theirs) = theirs else { continue };
        for piece in layout.visible(&row_view(theirs..theirs + 1), finest) {
            bar(row, &layout, &piece);
        }
    }
    inside.add(Shape::mesh(solid));
    inside.add(Shape::mesh(outlines));
}

/// Four thin edges around a tinted ground.
fn hollow(mesh: &mut Mesh, rect: Rect, colour: Color32, ground: Color32) {
    mesh.add_colored_rect(rect, colour);
    mesh.add_colored_rect(rect.shrink(1.0), ground.lerp_to_gamma(colour, 0.22));
}

/// Paints the makespans of this schedule and of the compared one.
fn makespan(inside: &Painter, chart: &Chart<'_>, frame: &Frame, palette: &Palette) {
    let end = chart.layout.schedule.makespan();
    if let Some(ghost) = chart.ghost.filter(|ghost| frame.sees(ghost.schedule.makespan())) {
        let x = frame.x(f64::from(ghost.schedule.makespan()));
        let (from, to) = (pos2(x, frame.area.top()), pos2(x, frame.area.bottom()));
        inside.extend(Shape::dashed_line(&[from, to], Stroke::new(1.0, palette.weak), 4.0, 3.0));
    }
    if frame.sees(end) {
        inside.vline(frame.x(f64::from(end)), frame.area.y_range(), Stroke::new(1.0, palette.text));
    }
}

/// Outlines around the blocks of the critical path, joined where it goes to the next row.
fn path(inside: &Painter, chart: &Chart<'_>, frame: &Frame, attention: Attention, palette: &Palette) {
    let width = (frame.rows.item * 0.09).clamp(0.75, 1.75);
    let seen = chart.facts.path.within(&frame.view());
    let draw = |stroke: Stroke| {
        for pair in seen.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            if frame.sees(to.start) {
                let (above, below) = (frame.bar(from.row, from.start, from.end), frame.bar(to.row, to.start, to.end));
                inside.vline(frame.x(f64::from(to.start)), above.bottom()..=below.top(), stroke);
            }
        }
        for &Outline { row, start, end } in seen {
            // Sides that are not seen lie outside of the painter's clip.
            inside.rect_stroke(frame.bar(row, start, end), 2.0, stroke, StrokeKind::Middle);
        }
    };
    if attention.selected.is_some() {
        draw(Stroke::new(width, palette.text.gamma_multiply(0.4)));
    } else {
        // A line of the ground around it: bars may be as light or as dark as the outline.
        draw(Stroke::new(width + 2.0, palette.surface));
        draw(Stroke::new(width, palette.text));
    }
}

/// Paints the frames of the selected operation and of the one under the pointer over everything else.
fn emphasis(inside: &Painter, chart: &Chart<'_>, frame: &Frame, attention: Attention, palette: &Palette) {
    let layout = &chart.layout;
    let machines = layout.instance.machine_count();
    let outline = |operation: Operation, stroke: Stroke, kind: StrokeKind| {
        let Some(position) = chart.facts.position(operation.job) else { return };
        let (row, at) = layout.place(position, operation.machine);
        if frame.visible_rows().contains(&row) {
            let bar = frame.bar(row, layout.start(row, at), layout.end(row, at));
            inside.rect_stroke(bar.expand2(vec2(0.0, 0.5)), 2.0, stroke, kind);
        }
    };
    if let Some(selection) = attention.selected {
        for machine in 0..machines {
            let chosen = selection.machine == Some(machine);
            let width = if chosen { 2.5 } else { 1.0 };
            let operation = Operation { job: selection.job, machine };
            outline(operation, Stroke::new(width, palette.accent), StrokeKind::Outside);
            if chosen {
                // A line of the ground between, so that the accent is seen around a bar of its own colour.
                outline(operation, Stroke::new(1.0, palette.surface), StrokeKind::Inside);
            }
        }
        due_pole(inside, chart, frame, selection.job, palette);
    }
    let pointed = attention.hovered.map(|operation| operation.job);
    let pointed = pointed.or(attention.flagged.map(|position| layout.job(position)));
    if let Some(job) = pointed {
        for machine in 0..machines {
            let own = attention.hovered.is_some_and(|operation| operation.machine == machine);
            let width = if own { 2.0 } else { 1.0 };
            outline(Operation { job, machine }, Stroke::new(width, palette.text), StrokeKind::Outside);
        }
        if attention.flagged.is_some() {
            due_pole(inside, chart, frame, job, palette);
        }
    }
}

/// From the due date of a job, in the foot or in its row, up through all rows of machines.
fn due_pole(inside: &Painter, chart: &Chart<'_>, frame: &Frame, job: usize, palette: &Palette) {
    let flag = chart.facts.position(job).and_then(|p| chart.flags().iter().find(|flag| flag.position == p));
    let Some(flag) = flag.filter(|flag| chart.layout.rows == GanttRows::Machines && frame.sees(flag.due)) else {
        return;
    };
    let colour = if flag.late > 0 { palette.clash } else { palette.accent };
    let x = frame.x(f64::from(flag.due));
    let points = [pos2(x, frame.area.top()), pos2(x, frame.area.bottom())];
    inside.extend(Shape::dashed_line(&points, Stroke::new(1.5, colour), 5.0, 3.0));
}
