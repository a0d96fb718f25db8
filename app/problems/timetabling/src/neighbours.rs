//! The exams that share students with the selected one.

use std::cmp::Reverse;

use egui::{Align2, Sense, Ui, WidgetInfo, pos2, vec2};
use gridwright_core::numbers::grouped;
use gridwright_timetabling::Instance;

use super::analysis::Picture;
use gridwright_window::theme::{self, palette, size, space, text};
use gridwright_window::widgets::controls::segmented;
use gridwright_window::widgets::painting::truncated;

/// Number of conflicting exams that are listed before the user asks for all.
const LISTED: usize = 40;

/// An exam with common students.
struct Neighbour {
    exam: usize,
    shared: u32,
    period: Option<usize>,
    distance: Option<usize>,
    cost: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum By {
    #[default]
    Cost,
    Students,
    Period,
}

const ORDERS: [(&str, &str, bool); 3] = [
    ("Cost", "Those that cost most first, clashes before them", true),
    ("Students", "Those with the most common students first", true),
    ("Period", "By period", true),
];

fn neighbours(instance: &Instance, picture: &Picture, exam: usize, by: By) -> Vec<Neighbour> {
    let here = picture.timetable.period_of(exam);
    let costs = instance.pair_costs();
    let neighbour = |(exam, shared): (usize, u32)| {
        let period = picture.timetable.period_of(exam);
        let distance = here.zip(period).map(|(a, b)| a.abs_diff(b));
        let cost = here.zip(period).map_or(0, |(a, b)| costs.cost(a, b) * u64::from(shared));
        Neighbour { exam, shared, period, distance, cost }
    };
    let mut list: Vec<Neighbour> = instance.conflicts.of(exam).map(neighbour).collect();
    match by {
        By::Cost => list.sort_by_key(|n| (n.distance != Some(0), Reverse(n.cost), Reverse(n.shared), n.exam)),
        By::Students => list.sort_by_key(|n| (Reverse(n.shared), n.exam)),
        By::Period => list.sort_by_key(|n| (n.period.unwrap_or(usize::MAX), Reverse(n.shared), n.exam)),
    }
    list
}

/// Lists them with their periods; returns the one that was clicked; `None` if none was.
pub fn show(ui: &mut Ui, instance: &Instance, picture: &Picture, exam: usize) -> Option<usize> {
    let palette = palette(ui.visuals());
    let (order_id, more_id) = (ui.scope_id().with("order of neighbours"), ui.scope_id().with(("all neighbours", exam)));
    let mut by: By = ui.data(|data| data.get_temp(order_id)).unwrap_or_default();
    let all: bool = ui.data(|data| data.get_temp(more_id)).unwrap_or_default();
    ui.label(theme::bold("Common students with"));
    ui.horizontal(|ui| {
        let orders = [By::Cost, By::Students, By::Period];
        let chosen = orders.iter().position(|&order| order == by);
        if let Some(&order) = segmented(ui, &ORDERS, chosen).and_then(|index| orders.get(index)) {
            by = order;
            ui.data_mut(|data| data.insert_temp(order_id, order));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(theme::small("students, period").color(palette.weak));
        });
    });
    let list = neighbours(instance, picture, exam, by);
    let mut clicked = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    let listed = if all { list.len() } else { LISTED };
    for neighbour in list.iter().take(listed) {
        if row(ui, instance, picture, neighbour) {
            clicked = Some(neighbour.exam);
        }
    }
    if list.len() > listed {
        ui.add_space(space::XS);
        let words = format!("Show {} more", list.len() - listed);
        if ui.button(words).on_hover_text("List all exams with common students").clicked() {
            ui.data_mut(|data| data.insert_temp(more_id, true));
        }
    }
    clicked
}

/// Draws the row of a conflicting exam; returns `true` if it was clicked.
fn row(ui: &mut Ui, instance: &Instance, picture: &Picture, neighbour: &Neighbour) -> bool {
    let palette = palette(ui.visuals());
    let data = &instance.exams[neighbour.exam];
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::click());
    if !ui.is_rect_visible(rect) {
        return false;
    }
    let apart = match (neighbour.period, neighbour.distance) {
        (None, _) => "without a period".to_owned(),
        (Some(period), None) => format!("in period {}", period + 1),
        (Some(period), Some(0)) => format!("in the same period {}: a clash", period + 1),
        (Some(period), Some(distance)) => format!("in period {}, {distance} apart", period + 1),
    };
    let words = format!("Exam {}, {} common students, {apart}", data.code, neighbour.shared);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Link, true, &words));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect.expand2(vec2(4.0, 0.0)), f32::from(size::RADIUS), palette.raised_hover);
    }
    let colour = if neighbour.distance == Some(0) { palette.bad } else { palette.text };
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let font = theme::bold_font(text::BODY);
    let code = painter.text(rect.left_center(), Align2::LEFT_CENTER, &data.code, font, colour);
    let left = code.right() + space::S;
    let room = rect.right() - 92.0 - left;
    let title = truncated(&painter, &data.title, theme::font(text::SMALL), palette.weak, room);
    painter.galley(pos2(left, rect.center().y - title.size().y / 2.0), title, palette.weak);
    let period = neighbour.period.map_or_else(|| "none".to_owned(), |period| (period + 1).to_string());
    for (value, right) in [(grouped(i64::from(neighbour.shared)), rect.right() - 46.0), (period, rect.right())] {
        painter.text(pos2(right, rect.center().y), Align2::RIGHT_CENTER, value, theme::font(text::BODY), colour);
    }
    if neighbour.cost > 0 {
        let strength = (neighbour.cost as f32 / picture.highest_share.max(1) as f32).sqrt();
        painter.circle_filled(pos2(rect.right() - 34.0, rect.center().y), 3.5, palette.cost(strength));
    }
    response.on_hover_text(words).clicked()
}
