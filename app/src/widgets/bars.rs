//! A bar per column, with an axis that starts at nought.

use egui::{Align2, Color32, Rect, Response, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::painting::fitting;
use super::parameters::grouped;
use crate::theme::{self, palette, space, text};

/// What to show.
pub struct Bars<'a> {
    /// What the bars count.
    pub title: &'a str,
    /// One value per bar.
    pub values: &'a [u64],
    /// What more there is to say of the whole, such as a mean.
    pub remark: String,
    /// The short name of a bar.
    pub label: &'a dyn Fn(usize) -> String,
    /// How many may not be exceeded, per bar, where that is known.
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
    let area = Rect::from_min_max(
        full.min + vec2(44.0, space::S),
        full.max - vec2(space::S, if bars.groups.is_empty() { 20.0 } else { 36.0 }),
    );
    let limits = bars.limits.iter().flatten().copied();
    let highest = bars.values.iter().copied().chain(limits).max().unwrap_or(0).max(1);
    // Lines of text that fit above each other.
    let (step, top) = ticks(highest, (area.height() / 14.0) as u64);
    let y = |value: f64| area.bottom() - (value / top as f64) as f32 * area.height();
    let painter = ui.painter();
    let font = theme::font(text::TINY);
    for tick in (0..=top).step_by(step as usize) {
        painter.hline(area.x_range(), y(tick as f64), Stroke::new(1.0, palette.border));
        let at = pos2(area.left() - 6.0, y(tick as f64));
        painter.text(at, Align2::RIGHT_CENTER, grouped(tick as i64), font.clone(), palette.weak);
    }
    let width = area.width() / bars.values.len().max(1) as f32;
    for (group, name) in bars.groups {
        let x = |index: usize| area.left() + index as f32 * width;
        painter.vline(x(group.end), area.top()..=full.bottom(), Stroke::new(1.0, palette.border_strong));
        let room = x(group.end) - x(group.start) - 6.0;
        let galley = fitting(painter, name, font.clone(), palette.weak, room);
        painter.galley(pos2(x(group.start) + 4.0, area.bottom() + 19.0), galley, palette.weak);
    }
    let hovered = response.hover_pos().filter(|position| area.x_range().contains(position.x));
    let hovered = hovered.map(|position| ((position.x - area.left()) / width) as usize);
    let hovered = hovered.filter(|&index| index < bars.values.len());
    let every = (26.0 / width).ceil().max(1.0) as usize;
    for (index, &value) in bars.values.iter().enumerate() {
        let left = area.left() + index as f32 * width;
        let inset = (width * 0.14).clamp(0.5, 6.0);
        let bar = Rect::from_min_max(pos2(left + inset, y(value as f64)), pos2(left + width - inset, area.bottom()));
        let limit = bars.limits.get(index).copied().flatten();
        let over = limit.filter(|&limit| value > limit);
        let picked = hovered == Some(index) || bars.chosen == Some(index);
        painter.rect_filled(bar, (width * 0.1).min(3.0), if picked { palette.accent } else { bars.colour });
        if let Some(limit) = over {
            // What is too much stands out by itself, and has a mark above it.
            let excess = bar.with_max_y(y(limit as f64));
            painter.rect_filled(excess, 0.0, palette.clash);
            let font = theme::bold_font(text::SMALL);
            painter.text(bar.center_top() - vec2(0.0, 1.0), Align2::CENTER_BOTTOM, "!", font, palette.bad);
        }
        if let Some(limit) = limit {
            painter.hline(left..=left + width, y(limit as f64), Stroke::new(1.5, palette.warn));
        }
        if index % every == 0 {
            let at = pos2(left + width / 2.0, area.bottom() + 10.0);
            painter.text(at, Align2::CENTER_CENTER, (bars.label)(index), font.clone(), palette.weak);
        }
    }
    (response, hovered)
}

/// Distance of ticks (1, 2 or 5 times a power of ten) and the top of the axis, for at most `most` steps and never more
/// than five.
fn ticks(highest: u64, most: u64) -> (u64, u64) {
    let mut step = 1_u64;
    for factor in [2, 5, 10].iter().cycle() {
        if highest.div_ceil(step) <= most.clamp(1, 5) {
            break;
        }
        let power = 10_u64.pow(step.ilog10());
        step = power * factor;
    }
    (step, highest.div_ceil(step).max(1) * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_reach_the_highest_bar() {
        assert_eq!(ticks(1, 5), (1, 1));
        assert_eq!(ticks(7, 5), (2, 8));
        assert_eq!(ticks(23, 9), (5, 25));
        assert_eq!(ticks(1234, 5), (500, 1500));
        assert_eq!(ticks(5, 2), (5, 5), "there is room for two steps only");
        for (highest, most) in (1..5000).flat_map(|highest| [(highest, 5), (highest, 2), (highest, 0)]) {
            let (step, top) = ticks(highest, most);
            assert!(top >= highest && top / step <= most.clamp(1, 5));
        }
    }
}
