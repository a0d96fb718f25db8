//! The grid of the runs: a line for each instance and algorithm, a column for each backend and seed, a cell for each run.
//!
//! Colour and sign of a cell tell its state. Only visible cells are painted; names and heads stay in place while the cells
//! scroll.

use egui::{Align2, Color32, Painter, Pos2, Rect, ScrollArea, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2};
use gridwright_core::numbers::significant;
use strum::VariantArray as _;

use super::board::{Board, RunState};
use super::layout::Layout;
use crate::theme::{self, Palette, palette, space, text};
use crate::widgets::icons::Icon;
use crate::widgets::nodes::{self, Part};
use crate::widgets::painting::{focus_ring, keys, stepped, truncated};
use crate::widgets::viewport::visible;

/// Height of a line, and smallest and largest width of a column, in points.
const LINE: f32 = 24.0;
const WIDTHS: (f32, f32) = (26.0, 40.0);

/// Height of the heads: one line for seeds, another one for backends where these are several.
const HEAD: f32 = 22.0;

/// Minimum width for names in points, and width of the seed heading next to that of the algorithms.
const LEAST: f32 = 56.0;
const SEED: f32 = 36.0;

/// Share of the width that names take at most.
const NAMES: f32 = 0.5;

/// The cell with the keyboard's cursor.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct View {
    cursor: Option<(usize, usize)>,
}

struct Frame {
    instances: f32,
    labels: f32,
    head: f32,
    cell: Vec2,
    /// Upper left corner of the whole grid, which may be scrolled out of sight.
    origin: Pos2,
    /// Visible part of the screen.
    clip: Rect,
}

impl Frame {
    fn names(&self) -> f32 {
        self.instances + self.labels
    }

    fn size(&self, layout: &Layout) -> Vec2 {
        let cells = self.cell * vec2(layout.columns.len() as f32, layout.lines.len() as f32);
        cells + vec2(self.names() + space::S, self.head)
    }

    fn cell(&self, line: usize, column: usize) -> Rect {
        let at = self.origin + vec2(self.names(), self.head) + self.cell * vec2(column as f32, line as f32);
        Rect::from_min_size(at, self.cell)
    }

    /// Part of the screen in which cells are visible.
    fn area(&self) -> Rect {
        Rect::from_min_max(self.clip.min + vec2(self.names(), self.head), self.clip.max)
    }

    fn lines(&self, layout: &Layout) -> std::ops::Range<usize> {
        visible(self.area().top() - self.cell(0, 0).top(), self.area().height(), self.cell.y, layout.lines.len())
    }

    fn columns(&self, layout: &Layout) -> std::ops::Range<usize> {
        visible(self.area().left() - self.cell(0, 0).left(), self.area().width(), self.cell.x, layout.columns.len())
    }

    fn hit(&self, at: Pos2, layout: &Layout) -> Option<(usize, usize)> {
        let along = (at - self.cell(0, 0).min) / self.cell;
        let is_inside = self.area().contains(at) && along.min_elem() >= 0.0;
        let place = is_inside.then_some((along.y as usize, along.x as usize))?;
        (place.0 < layout.lines.len() && place.1 < layout.columns.len()).then_some(place)
    }
}

/// Shows the grid in all the room there is.
pub(super) fn show(ui: &mut Ui, board: &Board, view: &mut View) {
    let layout = &*board.layout;
    let mut frame = measured(ui, layout);
    ScrollArea::both().id_salt("runs").auto_shrink(false).show_viewport(ui, |ui, _| {
        let (rect, response) = ui.allocate_exact_size(frame.size(layout), Sense::click());
        frame.origin = rect.min;
        frame.clip = ui.clip_rect();
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Grid, true, summary(board)));
        if let Some(at) = response.interact_pointer_pos().filter(|_| response.clicked()) {
            response.request_focus();
            view.cursor = frame.hit(at, layout);
        }
        let pressed = keys(ui, &response);
        let cursor = view.cursor;
        let line = stepped(cursor.map(|cursor| cursor.0), pressed.down, layout.lines.len());
        let column = stepped(cursor.map(|cursor| cursor.1), pressed.right, layout.columns.len());
        if line.is_some() || column.is_some() {
            let place = (line.or(cursor.map(|c| c.0)).unwrap_or(0), column.or(cursor.map(|c| c.1)).unwrap_or(0));
            view.cursor = Some(place);
            let cell = frame.cell(place.0, place.1);
            // Names and heads cover what lies under them.
            ui.scroll_to_rect(Rect::from_min_max(cell.min - vec2(frame.names(), frame.head), cell.max), None);
        }
        paint(ui, board, &frame);
        let shown = view.cursor.filter(|_| response.has_focus());
        let hovered = response.hover_pos().and_then(|at| frame.hit(at, layout));
        let painter = ui.painter().with_clip_rect(frame.area());
        for (line, column) in [shown, hovered].into_iter().flatten() {
            let stroke = Stroke::new(1.5, palette(ui.visuals()).accent);
            painter.rect_stroke(frame.cell(line, column).shrink(1.0), 4.0, stroke, egui::StrokeKind::Inside);
        }
        focus_ring(ui, &response, frame.clip.shrink(1.0));
        listen(ui, &response, board, &frame, shown);
        if let Some(run) = hovered.and_then(|(line, column)| layout.run(line, column)) {
            response.on_hover_text_at_pointer(board.describe(run));
        }
    });
}

/// Gives the visible cells to assistive technology while it listens.
fn listen(ui: &Ui, response: &egui::Response, board: &Board, frame: &Frame, cursor: Option<(usize, usize)>) {
    if !nodes::wanted(ui, response) {
        return;
    }
    let layout = &*board.layout;
    if let Some(run) = cursor.and_then(|(line, column)| layout.run(line, column)) {
        nodes::describe(ui, response, board.describe(run));
    }
    let places = frame.lines(layout).flat_map(|line| frame.columns(layout).map(move |column| (line, column)));
    let part = |(line, column)| {
        let run = layout.run(line, column)?;
        let name = format!("{}: {}", board.describe(run).replace('\n', "; "), board.state(run).word());
        Some(Part { key: run as u64, rect: frame.cell(line, column), name, selected: cursor == Some((line, column)) })
    };
    let parts: Vec<Part> = places.filter_map(part).take(nodes::MOST).collect();
    nodes::add(ui, response, &parts);
}

fn summary(board: &Board) -> String {
    let states = RunState::VARIANTS.iter().map(|&state| format!("{} {}", board.count(state), state.word()));
    format!("Runs: {}", states.collect::<Vec<_>>().join(", "))
}

/// Sizes for the longest names, within reason.
fn measured(ui: &Ui, layout: &Layout) -> Frame {
    let room = ui.available_width();
    let width = |text: &str| {
        let font = theme::font(text::BODY);
        ui.painter().layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER).size().x
    };
    // The longest by letters is among the widest.
    let widest = |names: &mut dyn Iterator<Item = &str>| {
        let mut names: Vec<&str> = names.collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.chars().count()));
        names.into_iter().take(8).map(width).fold(LEAST, f32::max) + space::L
    };
    let instances = widest(&mut layout.lines.iter().map(|line| line.instance.as_str())).min(room * NAMES * 0.4);
    let labels = widest(&mut layout.lines.iter().map(|line| line.label.as_str()));
    let labels = labels.max(LEAST + space::L + SEED).min(room * NAMES - instances);
    let head = if layout.backends.len() > 1 { 2.0 * HEAD } else { HEAD };
    let columns = layout.columns.len().max(1) as f32;
    let cell = ((room - instances - labels - space::L) / columns).clamp(WIDTHS.0, WIDTHS.1).floor();
    Frame { instances, labels, head, cell: vec2(cell, LINE), origin: Pos2::ZERO, clip: Rect::NOTHING }
}

fn paint(ui: &Ui, board: &Board, frame: &Frame) {
    let (palette, layout) = (palette(ui.visuals()), &*board.layout);
    let cells = ui.painter().with_clip_rect(frame.area());
    for line in frame.lines(layout) {
        for column in frame.columns(layout) {
            if let Some(run) = layout.run(line, column) {
                let cell = frame.cell(line, column).shrink(1.0);
                match board.best_so_far(run) {
                    Some(cost) => best_so_far(&cells, cell, cost, palette),
                    None => sign(&cells, cell, board.state(run), palette),
                }
            }
        }
    }
    names(ui, layout, frame, palette);
    heads(ui, layout, frame, palette);
}

/// Paints the names of the lines; that of an instance once, above its first visible line.
fn names(ui: &Ui, layout: &Layout, frame: &Frame, palette: &Palette) {
    let left = frame.clip.left();
    let area =
        Rect::from_min_max(frame.clip.min + vec2(0.0, frame.head), pos2(left + frame.names(), frame.clip.bottom()));
    let painter = ui.painter().with_clip_rect(area);
    painter.rect_filled(area, 0.0, palette.surface);
    let mut former: Option<&str> = None;
    for line in frame.lines(layout) {
        let place = frame.cell(line, 0);
        let name = &layout.lines[line];
        let write = |words: &str, x: f32, room: f32, colour| {
            let galley = truncated(&painter, words, theme::font(text::BODY), colour, room - space::S);
            painter.galley(pos2(x, place.center().y - galley.size().y / 2.0), galley, colour);
        };
        if former != Some(name.instance.as_str()) {
            write(&name.instance, left, frame.instances, palette.text);
            if line > 0 && layout.lines[line - 1].instance != name.instance {
                let rule = ui.painter().with_clip_rect(area.with_max_x(frame.clip.right()));
                let end = frame.cell(line, layout.columns.len()).left().min(frame.clip.right());
                rule.hline(left..=end, place.top(), Stroke::new(1.0, palette.border));
            }
        }
        former = Some(&name.instance);
        write(&name.label, left + frame.instances, frame.labels, palette.weak);
    }
}

/// Paints the seeds above the columns, as many as there is room for, and the backends above them.
fn heads(ui: &Ui, layout: &Layout, frame: &Frame, palette: &Palette) {
    let area = Rect::from_min_size(frame.clip.min, vec2(frame.clip.width(), frame.head));
    ui.painter().with_clip_rect(area).rect_filled(area, 0.0, palette.surface);
    let painter = ui.painter().with_clip_rect(area.with_min_x(frame.clip.left() + frame.names()));
    let seeds = frame.clip.top() + frame.head - HEAD / 2.0;
    let corner = ui.painter().with_clip_rect(area);
    let small = theme::font(text::SMALL);
    for (x, words) in [(0.0, "Instance"), (frame.instances, "Algorithm")] {
        corner.text(pos2(frame.clip.left() + x, seeds), Align2::LEFT_CENTER, words, small.clone(), palette.weak);
    }
    corner.text(
        pos2(frame.clip.left() + frame.names() - space::S, seeds),
        Align2::RIGHT_CENTER,
        "Seed",
        small.clone(),
        palette.weak,
    );
    let digits = layout.columns.iter().map(|column| column.seed).max().unwrap_or(1).max(1).ilog10() + 1;
    let every = ((digits as f32 * 7.0 + 6.0) / frame.cell.x).ceil().max(1.0) as usize;
    for column in frame.columns(layout) {
        let place = frame.cell(0, column);
        let Some(head) = layout.columns.get(column) else { continue };
        if column % every == 0 {
            let at = pos2(place.center().x, seeds);
            painter.text(at, Align2::CENTER_CENTER, head.seed.to_string(), small.clone(), palette.weak);
        }
        let begins = column == 0 || layout.columns[column - 1].backend != head.backend;
        if begins && column > 0 {
            let line = ui.painter().with_clip_rect(frame.clip.with_min_x(frame.clip.left() + frame.names()));
            line.vline(place.left(), frame.clip.y_range(), Stroke::new(1.0, palette.border));
        }
    }
    if layout.backends.len() > 1 {
        backends(&painter, layout, frame, palette);
    }
}

/// Paints the name of each backend above its columns.
fn backends(painter: &Painter, layout: &Layout, frame: &Frame, palette: &Palette) {
    for (backend, name) in layout.backends.iter().enumerate() {
        let own = |column: &usize| layout.columns[*column].backend == backend;
        let (Some(first), Some(last)) = ((0..layout.columns.len()).find(own), (0..layout.columns.len()).rfind(own))
        else {
            continue;
        };
        let left = frame.cell(0, first).left().max(frame.area().left()) + space::XS;
        let room = frame.cell(0, last).right() - left - space::XS;
        let galley = truncated(painter, name.as_str(), theme::bold_font(text::SMALL), palette.text, room);
        painter.galley(pos2(left, frame.clip.top() + HEAD / 2.0 - galley.size().y / 2.0), galley, palette.text);
    }
}

fn colour(state: RunState, palette: &Palette) -> Color32 {
    match state {
        RunState::Waiting => palette.faint,
        RunState::Running => palette.accent,
        RunState::Done => palette.good,
        RunState::Infeasible => palette.warn,
        RunState::Failed => palette.bad,
    }
}

fn sign(painter: &Painter, cell: Rect, state: RunState, palette: &Palette) {
    let ink = colour(state, palette);
    let fill = if state == RunState::Waiting { palette.blocked } else { ink.gamma_multiply(0.16) };
    painter.rect_filled(cell, 4.0, fill);
    let icon = match state {
        RunState::Waiting => {
            painter.circle_filled(cell.center(), 1.5, ink);
            return;
        }
        RunState::Running => Icon::Play,
        RunState::Done => Icon::Check,
        RunState::Infeasible => Icon::Warning,
        RunState::Failed => Icon::Cross,
    };
    icon.paint(painter, Rect::from_center_size(cell.center(), vec2(11.0, 11.0)), ink);
}

/// Writes the best cost so far into the cell of a running run, or paints its sign where the cost does not fit.
fn best_so_far(painter: &Painter, cell: Rect, cost: f64, palette: &Palette) {
    let ink = colour(RunState::Running, palette);
    let galley = painter.layout_no_wrap(significant(cost), theme::font(text::TINY), ink);
    if galley.size().x > cell.width() - 2.0 {
        return sign(painter, cell, RunState::Running, palette);
    }
    painter.rect_filled(cell, 4.0, ink.gamma_multiply(0.16));
    painter.galley(cell.center() - galley.size() / 2.0, galley, ink);
}

/// Shows what the signs mean, with the number of runs in each state.
pub(super) fn legend(ui: &mut Ui, board: &Board) {
    let palette = palette(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(space::M, space::XS);
        for &state in RunState::VARIANTS {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                let (rect, _) = ui.allocate_exact_size(vec2(20.0, 18.0), Sense::hover());
                sign(ui.painter(), rect, state, palette);
                let words = format!("{} {}", board.count(state), state.word());
                ui.label(theme::small(words).color(palette.weak));
            });
        }
    });
}
