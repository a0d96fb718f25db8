//! Surroundings of the bars: axis, names of rows with their numbers, due dates, legend.

use std::sync::Arc;

use egui::{Align2, Color32, Galley, Painter, Pos2, Rect, Sense, Stroke, Ui, Vec2, pos2, vec2};
use gridwright_flowshop::drawing::clock::TimeTick;
use gridwright_flowshop::drawing::layout::{
    Flag, FlagPlace, GanttRows, SETUP_HEIGHT, flag_levels, flags_within, latest,
};

use super::paint::Attention;
use super::{Chart, Frame};
use gridwright_window::theme::{self, Palette, palette, space, text};
use gridwright_window::widgets::painting::truncated;

/// Room above the rows: a line of times, a line of captions.
pub(super) const HEAD: f32 = 38.0;
/// Due dates: the part of a pole with nothing beside it, the height of a line of names, how many lines there are.
const STUB: f32 = 7.0;
const LEVEL: f32 = 12.0;
const LEVELS: usize = 3;
/// Width of a gauge and of the number behind it.
const GAUGE: f32 = 30.0;
const PER_CENT: f32 = 36.0;

/// Width of a text in a column.
fn column(text: &str, caption: f32) -> f32 {
    (text.chars().count() as f32 * 6.6).max(caption) + space::S
}

/// Room for the columns behind the names of rows.
fn columns(chart: &Chart<'_>) -> Vec<(&'static str, f32)> {
    if chart.layout.rows == GanttRows::Machines {
        return vec![("busy", GAUGE + PER_CENT + space::S)];
    }
    let mut columns = vec![("done", column(&chart.moment(chart.layout.schedule.makespan()), 26.0))];
    let late = chart.flags().iter().map(|flag| chart.layout.instance.span(flag.late.into()));
    if let Some(longest) = late.max_by_key(|text| text.chars().count()) {
        // In bold, with a plus sign.
        columns.push(("late", column(&longest, 26.0) + 14.0));
    }
    columns
}

/// Room for what stands before the rows.
pub(super) fn gutter(chart: &Chart<'_>) -> f32 {
    let names = (chart.facts.letters as f32 * 6.8 + space::M).clamp(52.0, 124.0);
    names + columns(chart).iter().map(|column| column.1).sum::<f32>() + 2.0 * space::S
}

/// Room for due dates below rows of machines.
pub(super) fn foot(chart: &Chart<'_>) -> f32 {
    let any = chart.layout.rows == GanttRows::Machines && !chart.flags().is_empty();
    if any { STUB + LEVELS as f32 * LEVEL + 6.0 } else { 0.0 }
}

/// Ticks of the axis, whose labels do not touch.
pub(super) fn ticks(chart: &Chart<'_>, frame: &Frame) -> Vec<TimeTick> {
    let letters = chart.layout.widest_tick(frame.time.end).chars().count() as f64;
    chart.layout.ticks(&frame.time, (letters * 6.5 + 30.0) / frame.scale())
}

/// A due date with its place below the rows.
pub(super) struct Hung {
    pub flag: Flag,
    x: f32,
    foot: f32,
    colour: Color32,
    /// The name, where there is room.
    name: Option<Arc<Galley>>,
}

impl Hung {
    fn rect(&self, top: f32) -> Rect {
        let size = self.name.as_ref().map_or(Vec2::ZERO, |name| name.size());
        Rect::from_min_max(pos2(self.x - 3.0, top), pos2(self.x + size.x.max(2.0) + 6.0, self.foot + 2.0))
    }
}

/// Places the flags of the due dates in sight, with names where no pole runs through them.
pub(super) fn place_flags(ui: &Ui, chart: &Chart<'_>, frame: &Frame) -> Vec<Hung> {
    if foot(chart) == 0.0 || chart.layout.schedule.order.is_empty() {
        return Vec::new();
    }
    let (palette, painter, top) = (palette(ui.visuals()), ui.painter(), frame.foot.top() + 2.0);
    let flags = flags_within(chart.flags(), &frame.view());
    let colour = |flag: &Flag| if flag.late > 0 { palette.bad } else { palette.weak };
    let name = |flag: &Flag| {
        let font = if flag.late > 0 { theme::bold_font(text::TINY) } else { theme::font(text::TINY) };
        truncated(painter, flag_words(chart, flag), font, colour(flag), 110.0)
    };
    let x = |flag: &Flag| frame.x(f64::from(flag.due));
    // Of thousands only the latest can have their names shown, and only their names are laid out.
    let most = (frame.foot.width() / 8.0) as usize;
    let candidates = latest(flags, most).into_iter().map(|at| (at, name(&flags[at])));
    let (named, places): (Vec<_>, Vec<_>) = candidates
        .map(|(at, name)| {
            let (x, late) = (x(&flags[at]), flags[at].late);
            let end = x + name.size().x + 10.0;
            ((at, name), FlagPlace { x, end, late })
        })
        .filter(|(_, place)| place.end < frame.full.right())
        .unzip();
    let levels = flag_levels(&places, LEVELS);
    let mut names = vec![None; flags.len()];
    for ((at, name), level) in named.into_iter().zip(levels) {
        names[at] = level.map(|level| (level, name));
    }
    let hang = |(&flag, name): (&Flag, Option<(usize, Arc<Galley>)>)| {
        let foot = top + STUB + name.as_ref().map_or(0.0, |(level, _)| (level + 1) as f32 * LEVEL - 2.0);
        Hung { flag, x: x(&flag), foot, colour: colour(&flag), name: name.map(|(_, name)| name) }
    };
    flags.iter().zip(names).map(hang).collect()
}

/// The due date at a point.
pub(super) fn flag_at(flags: &[Hung], position: Pos2) -> Option<Flag> {
    let top = flags.first()?.foot.min(position.y) - 40.0;
    let within = |flag: &&Hung| flag.rect(top).contains(position) && position.y > flag.foot - 40.0;
    let nearest = |a: &&Hung, b: &&Hung| (a.x - position.x).abs().total_cmp(&(b.x - position.x).abs());
    flags.iter().filter(within).min_by(nearest).map(|hung| hung.flag)
}

/// Paints everything around the bars.
pub(super) fn paint(ui: &Ui, chart: &Chart<'_>, frame: &Frame, flags: &[Hung], attention: Attention) {
    if chart.layout.schedule.order.is_empty() {
        return;
    }
    let palette = palette(ui.visuals());
    let painter = ui.painter().with_clip_rect(frame.full.intersect(ui.clip_rect()));
    axis(&painter, chart, frame, palette);
    names(&painter, chart, frame, attention, palette);
    hang(&painter, chart, frame, flags, (attention, palette));
    let line = Stroke::new(1.0, palette.border);
    painter.hline(frame.full.x_range(), frame.area.top() - 0.5, line);
    painter.vline(frame.area.left() - 0.5, frame.full.top()..=frame.foot.bottom(), line);
}

/// Numbers at round times, the makespan in bold, and which part of the time is shown.
fn axis(painter: &Painter, chart: &Chart<'_>, frame: &Frame, palette: &Palette) {
    let strip = frame.full.with_max_y(frame.area.top());
    painter.rect_filled(strip, 0.0, palette.surface);
    let y = strip.top() + 11.0;
    let inside = painter.with_clip_rect(strip.with_min_x(frame.area.left()));
    let end = chart.layout.schedule.makespan();
    let mut taken: Option<Rect> = None;
    if frame.sees(end) {
        let x = frame.x(f64::from(end));
        let galley = painter.layout_no_wrap(chart.moment(end), theme::bold_font(text::SMALL), palette.text);
        let half = galley.size().x / 2.0;
        let middle = x.min(frame.full.right() - half - 3.0).max(frame.area.left() + half + 3.0);
        let rect = Rect::from_center_size(pos2(middle, y), galley.size());
        inside.galley(rect.min, galley, palette.text);
        inside.vline(x, y + 9.0..=strip.bottom(), Stroke::new(1.0, palette.text));
        taken = Some(rect.expand2(vec2(8.0, 0.0)));
    }
    for tick in ticks(chart, frame) {
        let x = frame.x(tick.time);
        inside.vline(x, strip.bottom() - 5.0..=strip.bottom(), Stroke::new(1.0, palette.border_strong));
        let galley = painter.layout_no_wrap(tick.label, theme::font(text::SMALL), palette.weak);
        let rect = Rect::from_center_size(pos2(x, y), galley.size());
        let fits = rect.left() > frame.area.left() - 3.0 - rect.width() / 2.0 && rect.right() < frame.full.right();
        if fits && taken.is_none_or(|taken| !taken.intersects(rect)) {
            // The first number stands over the line of the names rather than being cut by it.
            let by = (frame.area.left() + 3.0 - rect.left()).max(0.0);
            inside.galley(rect.min + vec2(by, 0.0), galley, palette.weak);
        }
    }
    if let Some(other) = chart.ghost.map(|ghost| ghost.schedule.makespan()).filter(|&other| frame.sees(other)) {
        let at = pos2(frame.x(f64::from(other)), strip.bottom() - 9.0);
        inside.text(at, Align2::CENTER_CENTER, chart.moment(other), theme::font(text::TINY), palette.weak);
    }
    let unit = pos2(frame.area.left() - space::S, y);
    painter.text(unit, Align2::RIGHT_CENTER, chart.layout.axis_unit(), theme::font(text::TINY), palette.weak);
    if frame.time.end - frame.time.start < frame.end * 0.999 {
        let share = |time: f64| frame.area.left() + frame.area.width() * (time / frame.end) as f32;
        let track = Rect::from_x_y_ranges(frame.area.x_range(), strip.top() + 23.0..=strip.top() + 26.0);
        painter.rect_filled(track, 1.5, palette.blocked);
        let left = share(frame.time.start);
        let part = track.with_min_x(left).with_max_x(share(frame.time.end).max(left + 6.0));
        painter.rect_filled(part, 1.5, palette.border_strong);
    }
}

/// The names of rows, how busy a machine is, when a job is done and how late.
fn names(painter: &Painter, chart: &Chart<'_>, frame: &Frame, attention: Attention, palette: &Palette) {
    let strip = Rect::from_x_y_ranges(frame.full.left()..=frame.area.left() - 1.0, frame.area.y_range());
    let caption = strip.top() - 11.0;
    let mut right = strip.right() - space::S;
    let mut edges = Vec::new();
    for &(name, width) in columns(chart).iter().rev() {
        painter.text(pos2(right, caption), Align2::RIGHT_CENTER, name, theme::font(text::TINY), palette.weak);
        edges.push(right);
        right -= width;
    }
    edges.reverse();
    let by_job = chart.layout.rows == GanttRows::Jobs;
    let what = if by_job { "Job" } else { "Machine" };
    let left = strip.left() + space::S;
    painter.text(pos2(left, caption), Align2::LEFT_CENTER, what, theme::font(text::TINY), palette.weak);
    let chosen = attention.selected.and_then(|s| if by_job { chart.facts.position(s.job) } else { s.machine });
    let pointed = attention.hovered.and_then(|o| if by_job { chart.facts.position(o.job) } else { Some(o.machine) });
    let lone = |row: usize| chosen == Some(row) || pointed == Some(row);
    let every = (14.0 / frame.rows.item).ceil().max(1.0) as usize;
    let near = |row: usize| [chosen, pointed].into_iter().flatten().any(|other| other.abs_diff(row) < every);
    let inside = painter.with_clip_rect(strip.expand2(vec2(0.0, 1.0)));
    let mut last = f32::NEG_INFINITY;
    for row in frame.visible_rows() {
        if !lone(row) && (row % every != 0 || near(row)) {
            continue;
        }
        let y = (frame.y(row) + frame.y(row + 1)) / 2.0;
        let y = y.clamp(strip.top() + 7.0, (strip.bottom() - 7.0).max(strip.top() + 7.0));
        if y - last < 11.5 {
            continue;
        }
        last = y;
        let font = if lone(row) { theme::bold_font(text::SMALL) } else { theme::font(text::SMALL) };
        let name = truncated(&inside, chart.layout.row_name(row), font, palette.text, right - left);
        inside.galley(pos2(left, y - name.size().y / 2.0), name, palette.text);
        numbers(&inside, chart, row, y, &edges, palette);
    }
}

/// Writes the numbers behind the name of a row.
fn numbers(painter: &Painter, chart: &Chart<'_>, row: usize, y: f32, edges: &[f32], palette: &Palette) {
    let small = theme::font(text::SMALL);
    let Some(&right) = edges.first() else { return };
    if let Some(&busy) = chart.facts.busy.get(row) {
        let words = format!("{:.0} %", 100.0 * busy);
        painter.text(pos2(right, y), Align2::RIGHT_CENTER, words, small, palette.text);
        let track = Rect::from_min_size(pos2(right - PER_CENT - GAUGE, y - 2.0), vec2(GAUGE, 4.0));
        painter.rect_filled(track, 2.0, palette.border);
        painter.rect_filled(track.with_max_x(track.left() + GAUGE * busy as f32), 2.0, palette.bar);
        return;
    }
    let done = chart.moment(chart.layout.schedule.done(row));
    painter.text(pos2(right, y), Align2::RIGHT_CENTER, done, small, palette.text);
    if let Some((&right, late)) = edges.get(1).zip(Some(chart.layout.late(row)).filter(|&late| late > 0)) {
        let words = format!("+{}", chart.layout.instance.span(late.into()));
        painter.text(pos2(right, y), Align2::RIGHT_CENTER, words, theme::bold_font(text::SMALL), palette.bad);
    }
}

/// Due dates below the rows.
fn hang(painter: &Painter, chart: &Chart<'_>, frame: &Frame, flags: &[Hung], look: (Attention, &Palette)) {
    if foot(chart) == 0.0 {
        return;
    }
    let (foot, (attention, palette)) = (frame.foot, look);
    painter.rect_filled(foot.with_min_x(frame.full.left()), 0.0, palette.surface);
    painter.hline(frame.full.x_range(), foot.top() + 0.5, Stroke::new(1.0, palette.border));
    let left = frame.full.left() + space::S;
    painter.text(pos2(left, foot.top() + 13.0), Align2::LEFT_CENTER, "Due", theme::font(text::SMALL), palette.text);
    let late = chart.flags().iter().filter(|flag| flag.late > 0).count();
    let inside = painter.with_clip_rect(foot.with_max_x(frame.full.right()));
    let thin = if flags.len() as f32 > foot.width() / 8.0 { 1.0 } else { 1.25 };
    let top = foot.top() + 2.0;
    for hung in flags {
        let strength = if attention.recedes(chart.layout.job(hung.flag.position)) { 0.4 } else { 1.0 };
        let colour = if hung.flag.late > 0 { palette.clash } else { palette.weak }.gamma_multiply(strength);
        inside.vline(hung.x, top..=hung.foot, Stroke::new(thin, colour));
        inside.rect_filled(
            Rect::from_min_size(pos2(hung.x, top), vec2(if thin > 1.0 { 5.0 } else { 2.0 }, 4.0)),
            0.0,
            colour,
        );
        if let Some(name) = &hung.name {
            let ink = hung.colour.gamma_multiply(strength);
            let at = pos2(hung.x + 4.0, hung.foot - name.size().y + 2.0);
            inside.galley_with_override_text_color(at, Arc::clone(name), ink);
        }
    }
    let chosen = attention.selected.and_then(|selection| chart.facts.position(selection.job));
    if let Some(hung) = flags.iter().find(|hung| hung.name.is_none() && chosen == Some(hung.flag.position)) {
        alone(&inside, chart, hung, palette);
    }
    if late > 0 {
        let words = format!("{late} late");
        let at = pos2(frame.area.left() - space::S, foot.top() + 13.0);
        painter.text(at, Align2::RIGHT_CENTER, words, theme::bold_font(text::SMALL), palette.bad);
    }
}

/// Paints the due date of the selected job over other flags where these leave no room for its name.
fn alone(inside: &Painter, chart: &Chart<'_>, hung: &Hung, palette: &Palette) {
    let words = flag_words(chart, &hung.flag);
    let galley = truncated(inside, words, theme::bold_font(text::TINY), hung.colour, 110.0);
    let right = inside.clip_rect().right();
    let size = galley.size() + vec2(8.0, 3.0);
    let left = if hung.x + size.x > right { hung.x - size.x } else { hung.x };
    let rect = Rect::from_min_size(pos2(left, inside.clip_rect().top() + STUB), size);
    inside.rect_filled(rect, 2.0, palette.surface);
    inside.rect_stroke(rect, 2.0, Stroke::new(1.0, hung.colour), egui::StrokeKind::Inside);
    inside.galley(rect.center() - galley.size() / 2.0, galley, hung.colour);
}

/// «Chair» or, where it is late, «Chair +7».
fn flag_words(chart: &Chart<'_>, flag: &Flag) -> String {
    let job = &chart.layout.instance.jobs[chart.layout.job(flag.position)].name;
    let late = (flag.late > 0).then(|| format!(" +{}", chart.layout.instance.span(flag.late.into())));
    format!("{job}{}", late.unwrap_or_default())
}

/// Explains the marks of a chart, from left to right.
pub fn legend(ui: &mut Ui, chart: &Chart<'_>) {
    let palette = palette(ui.visuals());
    ui.spacing_mut().item_spacing.x = space::S;
    let mut entry = |words: &str, key: &dyn Fn(&Painter, Rect)| {
        let (rect, _) = ui.allocate_exact_size(vec2(18.0, 12.0), Sense::hover());
        key(ui.painter(), rect);
        ui.label(theme::small(words).color(palette.weak));
        ui.add_space(space::XS);
    };
    if chart.critical_path {
        entry("critical path", &|painter, rect| {
            let stroke = Stroke::new(1.5, palette.text);
            painter.rect_stroke(rect.shrink(1.0), 2.0, stroke, egui::StrokeKind::Middle);
        });
    }
    let waits = if chart.layout.rows == GanttRows::Machines { "machine waits" } else { "job waits" };
    entry(waits, &|painter, rect| {
        painter.rect_filled(rect, 0.0, palette.waiting());
    });
    if chart.layout.rows == GanttRows::Machines && chart.layout.instance.setups.is_some() {
        entry("set-up", &|painter, rect| {
            let low = vec2(rect.width(), rect.height() * SETUP_HEIGHT);
            painter.rect_filled(Rect::from_center_size(rect.center(), low), 0.0, palette.weak);
        });
    }
    if (0..chart.layout.row_count()).any(|row| chart.layout.breaks(row, &(0.0..chart.end()), 0.0).next().is_some()) {
        entry("no working time", &|painter, rect| {
            painter.rect_filled(rect, 0.0, palette.blocked);
        });
    }
    if !chart.flags().is_empty() {
        entry("due date", &|painter, rect| {
            painter.vline(rect.left() + 6.0, rect.y_range(), Stroke::new(1.25, palette.weak));
            let banner = Rect::from_min_size(rect.left_top() + vec2(6.0, 0.0), vec2(6.0, 4.0));
            painter.rect_filled(banner, 0.0, palette.weak);
        });
        entry("done late", &|painter, rect| {
            painter.rect_filled(rect, 2.0, palette.merged());
            painter.rect_filled(rect.with_min_y(rect.bottom() - 3.0), 0.0, palette.clash);
        });
    }
    if let Some(ghost) = chart.ghost {
        entry(ghost.name, &|painter, rect| {
            let stroke = Stroke::new(1.0, palette.weak);
            painter.rect_stroke(rect.shrink2(vec2(0.5, 3.0)), 0.0, stroke, egui::StrokeKind::Inside);
        });
    }
}
