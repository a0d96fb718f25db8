//! Bar chart of counts, with a limit for each bar where there is one.

use std::rc::Rc;

use egui::{Align2, Color32, Rect, Response, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};
use gridwright_core::numbers::grouped;

use crate::theme::{self, palette, space, text};
use crate::widgets::chart::{self, Axis, Ticks};
use crate::widgets::painting::fitting;

/// Content of the chart.
pub struct Bars<'a> {
    /// Name of the counts; tells the charts of one view apart.
    pub title: &'a str,
    /// One value per bar.
    pub values: &'a [u64],
    /// Remark next to the title, such as the mean.
    pub remark: String,
    /// The short name of a bar.
    pub label: &'a dyn Fn(usize) -> String,
    /// Greatest allowed value of each bar, where there is one.
    pub limits: &'a [Option<u64>],
    /// Bars that belong together with their name, such as days; empty where nothing is known.
    pub groups: &'a [(std::ops::Range<usize>, String)],
    /// A bar that is picked out.
    pub chosen: Option<usize>,
    /// The colour of the bars.
    pub colour: Color32,
}

/// Shows bars in a rectangle of this height; returns the bar under the pointer. The response senses clicks.
pub fn show(ui: &mut Ui, bars: &Bars<'_>, height: f32) -> (Response, Option<usize>) {
    let palette = palette(ui.visuals());
    ui.horizontal(|ui| {
        ui.label(theme::bold(bars.title));
        ui.label(theme::small(&bars.remark).color(palette.weak));
    });
    let (full, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    response.widget_info(|| {
        let values = bars.values.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        WidgetInfo::labeled(egui::Role::Image, true, format!("{}: {values}", bars.title))
    });
    let below = if bars.groups.is_empty() { 0.0 } else { 16.0 };
    let limits = bars.limits.iter().flatten().copied();
    let highest = bars.values.iter().copied().chain(limits).max().unwrap_or(0).max(1);
    let ends = [-0.5, bars.values.len().max(1) as f64 - 0.5];
    let index = |value: f64| (bars.label)(value.round().max(0.0) as usize);
    let x = Axis { name: "", range: ends, ticks: Ticks::Items, gap: 26.0, words: Rc::new(index) };
    // Room above for the mark of a bar over its limit.
    let range = [0.0, highest as f64 * 1.1];
    let y = Axis { name: "", range, ticks: Ticks::Whole, gap: 20.0, words: Rc::new(|value| grouped(value as i64)) };
    let rect = full.with_max_y(full.bottom() - below).shrink2(vec2(space::S, 0.0));
    let plane = chart::plane(ui, bars.title, rect, [x, y], |_| {});
    let (area, font) = (plane.area, theme::font(text::TINY));
    let painter = ui.painter();
    let y = |value: u64| plane.place([0.0, value as f64]).y;
    let width = area.width() / bars.values.len().max(1) as f32;
    for (group, name) in bars.groups {
        let x = |index: usize| area.left() + index as f32 * width;
        painter.vline(x(group.end), area.top()..=full.bottom(), Stroke::new(1.0, palette.border_strong));
        let room = x(group.end) - x(group.start) - 6.0;
        let galley = fitting(painter, name, font.clone(), palette.weak, room);
        painter.galley(pos2(x(group.start) + 4.0, full.bottom() - below), galley, palette.weak);
    }
    let hovered = response.hover_pos().filter(|position| area.x_range().contains(position.x));
    let hovered = hovered.map(|position| ((position.x - area.left()) / width) as usize);
    let hovered = hovered.filter(|&index| index < bars.values.len());
    for (index, &value) in bars.values.iter().enumerate() {
        let left = area.left() + index as f32 * width;
        let inset = (width * 0.14).clamp(0.5, 6.0);
        let bar = Rect::from_min_max(pos2(left + inset, y(value)), pos2(left + width - inset, area.bottom()));
        let limit = bars.limits.get(index).copied().flatten();
        let picked = hovered == Some(index) || bars.chosen == Some(index);
        painter.rect_filled(bar, (width * 0.1).min(3.0), if picked { palette.accent } else { bars.colour });
        if let Some(limit) = limit.filter(|&limit| value > limit) {
            // Bars beyond the scale need no colour: they have a mark above them.
            painter.rect_filled(bar.with_max_y(y(limit)), 0.0, palette.clash);
            let font = theme::bold_font(text::SMALL);
            painter.text(bar.center_top() - vec2(0.0, 1.0), Align2::CENTER_BOTTOM, "!", font, palette.bad);
        }
        if let Some(limit) = limit {
            painter.hline(left..=left + width, y(limit), Stroke::new(1.5, palette.warn));
        }
    }
    (response, hovered)
}
