//! Timeline of a person: a strip of slots, in days where they are known, with labelled blocks.

use std::ops::Range;

use egui::{Align2, Color32, Rect, Response, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use gridwright_window::theme::{self, palette, text};
use gridwright_window::widgets::painting::{fitting, truncated};

/// Something at a slot.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Identity, such as the index of an exam.
    pub key: usize,
    /// Slot; several blocks may share one.
    pub slot: usize,
    /// Text.
    pub name: String,
    /// Inside.
    pub fill: Color32,
    /// Text.
    pub ink: Color32,
    /// True if the block shares its slot with another.
    pub alarm: bool,
}

/// Content of the widget.
pub(crate) struct Timeline<'a> {
    /// Number of slots.
    pub slots: usize,
    /// Slots that belong together with their name; empty where nothing is known.
    pub groups: &'a [(Range<usize>, String)],
    /// Blocks in the order of their slots.
    pub blocks: &'a [Block],
    /// The selected one.
    pub selected: Option<usize>,
    /// A block in words.
    pub describe: &'a dyn Fn(usize) -> String,
    /// Describes the whole timeline.
    pub summary: &'a str,
}

const LANE: f32 = 24.0;
const HEAD: f32 = 34.0;

/// In which lane each block lies so that none covers another, and how many lanes there are.
fn lanes(blocks: &[Block], slot: f32, width: f32) -> (Vec<usize>, usize) {
    let mut ends: Vec<f32> = Vec::new();
    let lanes = blocks.iter().map(|block| {
        let left = block.slot as f32 * slot;
        let lane = ends.iter().position(|&end| end <= left).unwrap_or(ends.len());
        if lane == ends.len() {
            ends.push(0.0);
        }
        ends[lane] = left + width - 0.5;
        lane
    });
    let lanes = lanes.collect();
    (lanes, ends.len().max(1))
}

/// Shows a strip as wide as there is room; returns the block that was clicked; `None` if none was.
pub fn show(ui: &mut Ui, timeline: &Timeline<'_>) -> Option<usize> {
    let palette = palette(ui.visuals());
    let slot = ui.available_width() / timeline.slots.max(1) as f32;
    // Wide enough for a code, even where slots are narrow.
    let block_width = slot.max(42.0).min(ui.available_width());
    let (lane_of, lanes) = lanes(timeline.blocks, slot, block_width);
    let height = HEAD + lanes as f32 * LANE + 4.0;
    let (full, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Group, true, timeline.summary));
    let x = |index: usize| full.left() + index as f32 * slot;
    let painter = ui.painter();
    let body = full.with_min_y(full.top() + HEAD);
    painter.rect_filled(body, 3.0, palette.blocked);
    for (group, name) in timeline.groups {
        let galley = fitting(painter, name, theme::font(text::TINY), palette.weak, x(group.end) - x(group.start) - 4.0);
        painter.galley(pos2(x(group.start) + 3.0, full.top() + 1.0), galley, palette.weak);
        painter.vline(x(group.end), full.y_range(), Stroke::new(1.0, palette.border_strong));
    }
    let every = (22.0 / slot).ceil().max(1.0) as usize;
    for index in 0..timeline.slots {
        painter.vline(x(index), body.y_range(), Stroke::new(1.0, palette.border));
        if index % every == 0 {
            let at = pos2(x(index) + slot / 2.0, full.top() + HEAD - 9.0);
            painter.text(at, Align2::CENTER_CENTER, (index + 1).to_string(), theme::font(text::TINY), palette.weak);
        }
    }
    let mut clicked = None;
    for (block, lane) in timeline.blocks.iter().zip(lane_of) {
        let left = x(block.slot).min(full.right() - block_width);
        let min = pos2(left + 1.0, body.top() + 2.0 + lane as f32 * LANE);
        let rect = Rect::from_min_size(min, vec2(block_width - 2.0, LANE - 3.0));
        let response = chip(ui, timeline, block, rect);
        if response.clicked() {
            clicked = Some(block.key);
        }
        response.on_hover_text((timeline.describe)(block.key));
    }
    clicked
}

fn chip(ui: &Ui, timeline: &Timeline<'_>, block: &Block, rect: Rect) -> Response {
    let palette = palette(ui.visuals());
    let response = ui.interact(rect, ui.scope_id().with(("block", block.key)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Link, true, (timeline.describe)(block.key)));
    let painter = ui.painter();
    painter.rect_filled(rect, 4.0, block.fill);
    let galley = truncated(painter, &block.name, theme::bold_font(text::SMALL), block.ink, rect.width() - 6.0);
    painter.galley(rect.center() - galley.size() / 2.0, galley, block.ink);
    let chosen = timeline.selected == Some(block.key);
    let stroke = match (chosen || response.has_focus(), block.alarm, response.hovered()) {
        (true, ..) => Some(Stroke::new(2.0, palette.accent)),
        (_, true, _) => Some(Stroke::new(1.5, palette.clash)),
        (.., true) => Some(Stroke::new(1.0, palette.text)),
        _ => None,
    };
    if let Some(stroke) = stroke {
        painter.rect_stroke(rect, 4.0, stroke, StrokeKind::Outside);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_never_cover_each_other() {
        let block = |slot: usize| Block {
            key: slot,
            slot,
            name: String::new(),
            fill: Color32::TRANSPARENT,
            ink: Color32::TRANSPARENT,
            alarm: false,
        };
        let blocks: Vec<Block> = [0, 0, 1, 3, 3, 9].map(block).to_vec();
        let (lanes, count) = lanes(&blocks, 20.0, 46.0);
        assert_eq!((lanes, count), (vec![0, 1, 2, 0, 1, 0], 3));
    }
}
