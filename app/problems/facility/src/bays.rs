//! The bays: how wide they are, and which departments stand in them, drawn as long as they are along the bay.

use std::sync::Arc;

use egui::{Color32, Rect, Response, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use gridwright_facility::{Instance, Orientation};

use super::Document;
use super::plan::Plan;
use crate::methods::*;
use crate::widgets::floorplan::length;
use gridwright_window::theme::{self, palette, space, text};
use gridwright_window::widgets::controls::{icon_button, placeholder, right};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::painting::truncated;

/// The height of a bay's line.
const LINE: f32 = 46.0;
/// Room for its figures, and for its buttons.
const FIGURES: f32 = 250.0;
const BUTTONS: f32 = 104.0;

/// Change of the bays that the user requests.
enum Wish {
    Reverse(usize),
    Exchange(usize, usize),
}

pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(plan) = document.plan().cloned() else { return };
    if plan.layout.is_free() {
        let text = "Its departments have rectangles of their own, which the floor plan shows. Layouts of the other searches \
                    have bays.";
        placeholder(ui, Icon::FloorPlan, "This layout has no bays", text, |_| {});
        return;
    }
    let instance = Arc::clone(&document.instance);
    let palette = palette(ui.visuals());
    let kind = plan.layout.orientation.name();
    let (along, across) = match plan.layout.orientation {
        Orientation::Vertical => ("from left to right; departments from top to bottom", "width"),
        Orientation::Horizontal => ("from top to bottom, as drawn; departments from left to right", "height"),
    };
    ui.label(theme::small(format!("{} {kind} bays, {along}", plan.layout.bays.len())).color(palette.weak));
    headings(ui, across);
    let editable = document.editable().is_ok();
    let (mut wish, mut picked) = (None, None);
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        if plan.layout.orientation == Orientation::Horizontal {
            rest(ui, &instance, &plan);
        }
        for bay in drawn_order(&plan) {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                figures(ui, &instance, &plan, bay);
                let width = (ui.available_width() - BUTTONS).max(80.0);
                picked = strip(ui, document, &plan, bay, width).or(picked.take());
                wish = buttons(ui, &plan, bay, editable).or(wish.take());
            });
        }
        if plan.layout.orientation == Orientation::Vertical {
            rest(ui, &instance, &plan);
        }
    });
    if let Some(department) = picked {
        document.selected = Some(department);
        document.floor.view.reveal(department);
    }
    let done = match wish {
        Some(Wish::Reverse(bay)) => document.reverse_bay(bay),
        Some(Wish::Exchange(one, other)) => document.swap_bays(one, other),
        None => Ok(()),
    };
    if let Err(why) = done {
        document.say(why);
    }
}

/// Bays in the order in which the floor plan has them: from the left, or from the top. Rows are counted from the bottom.
fn drawn_order(plan: &Plan) -> Vec<usize> {
    let all = 0..plan.layout.bays.len();
    match plan.layout.orientation {
        Orientation::Vertical => all.collect(),
        Orientation::Horizontal => all.rev().collect(),
    }
}

/// Widths of the columns of figures.
const COLUMNS: [f32; 4] = [52.0, 62.0, 66.0, 62.0];

fn cell(ui: &mut Ui, width: f32, words: &str, colour: Color32) {
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    ui.allocate_ui_with_layout(vec2(width, 18.0), layout, |ui| {
        ui.set_min_width(width);
        right(ui, words, colour);
    });
}

fn headings(ui: &mut Ui, across: &str) {
    let palette = palette(ui.visuals());
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let across = if across == "width" { "Width" } else { "Height" };
        for (words, width) in ["Bay", across, "Area", "Of plant"].iter().zip(COLUMNS) {
            cell(ui, width, words, palette.weak);
        }
        ui.add_space(FIGURES - COLUMNS.iter().sum::<f32>() + space::S);
        ui.label(egui::RichText::new("Departments, as long as they are").color(palette.weak));
    });
}

/// Number, width, area and share of a bay.
fn figures(ui: &mut Ui, instance: &Instance, plan: &Plan, bay: usize) {
    let palette = palette(ui.visuals());
    let place = plan.places.bays[bay];
    let across = match plan.layout.orientation {
        Orientation::Vertical => place.width,
        Orientation::Horizontal => place.height,
    };
    let area = place.width * place.height;
    let share = 100.0 * area / (instance.width * instance.height);
    let words = [(bay + 1).to_string(), length(across), length(area), format!("{share:.1} %")];
    for (words, width) in words.iter().zip(COLUMNS) {
        cell(ui, width, words, palette.text);
    }
    ui.add_space(FIGURES - COLUMNS.iter().sum::<f32>());
}

/// The departments of a bay; returns the one that was clicked.
fn strip(ui: &mut Ui, document: &Document, plan: &Plan, bay: usize, width: f32) -> Option<usize> {
    let palette = palette(ui.visuals());
    let (rect, _) = ui.allocate_exact_size(vec2(width, LINE), Sense::hover());
    let rect = rect.shrink2(vec2(space::S, 0.0));
    let departments = &plan.layout.bays[bay];
    let areas: f64 = departments.iter().map(|&one| document.instance.departments[usize::from(one)].area).sum();
    let (mut left, mut picked) = (rect.left(), None);
    for &department in departments {
        let at = usize::from(department);
        let share = document.instance.departments[at].area / areas.max(1e-12);
        let part = Rect::from_min_size(pos2(left, rect.top()), vec2(rect.width() * share as f32, rect.height()));
        left = part.right();
        let response = ui.interact(part, ui.scope_id().with(("department", at)), Sense::click());
        response.widget_info(|| {
            let words = crate::widgets::floorplan::describe(&plan.picture, at);
            WidgetInfo::selected(egui::Role::Button, true, document.selected == Some(at), words)
        });
        piece(ui, document, plan, at, part, &response);
        if response.clicked() {
            picked = Some(at);
        }
    }
    ui.painter().rect_stroke(rect, 2.0, Stroke::new(1.5, palette.text.gamma_multiply(0.8)), StrokeKind::Middle);
    picked
}

fn piece(ui: &Ui, document: &Document, plan: &Plan, at: usize, part: Rect, response: &Response) {
    let palette = palette(ui.visuals());
    let room = &plan.picture.rooms[at];
    let fill = match room.free {
        true => palette.blocked,
        false => palette.floor(room.tone),
    };
    let painter = ui.painter().with_clip_rect(part.expand(2.0).intersect(ui.clip_rect()));
    painter.rect_filled(part, 0.0, fill);
    painter.rect_stroke(part, 0.0, Stroke::new(1.0, palette.text.gamma_multiply(0.4)), StrokeKind::Middle);
    let inside = part.width() - 8.0;
    let line = |words: &str, y: f32, font: egui::FontId, colour: Color32| {
        let galley = truncated(&painter, words, font, colour, inside);
        if galley.size().x > 10.0 || words.chars().count() < 3 {
            painter.galley(pos2(part.left() + 4.0, part.top() + y), galley, colour);
        }
    };
    if inside >= 14.0 {
        line(&room.name, 5.0, theme::bold_font(text::SMALL), palette.text);
        let region = room.region;
        match &room.wrong {
            Some(wrong) => line(&wrong.short, 24.0, theme::bold_font(text::SMALL), palette.bad),
            None => {
                let along = if plan.picture.upright { region.height } else { region.width };
                let font = theme::font(text::SMALL);
                let both = format!("{} × {}", length(region.width), length(region.height));
                let fits = |words: &String| {
                    painter.layout_no_wrap(words.clone(), font.clone(), palette.weak).size().x <= inside
                };
                if let Some(words) = [both, length(along)].into_iter().find(fits) {
                    line(&words, 24.0, font.clone(), palette.weak);
                }
            }
        }
    }
    if room.wrong.is_some() {
        painter.rect_stroke(part.shrink(1.0), 0.0, Stroke::new(2.0, palette.clash), StrokeKind::Inside);
        let place = Rect::from_min_size(part.right_top() + vec2(-15.0, 4.0), vec2(11.0, 11.0));
        if part.width() > 30.0 {
            Icon::Warning.paint(&painter, place, palette.bad);
        }
    }
    if document.selected == Some(at) {
        painter.rect_stroke(part, 0.0, Stroke::new(3.0, palette.accent), StrokeKind::Inside);
    } else if response.hovered() {
        painter.rect_stroke(part, 0.0, Stroke::new(1.5, palette.accent), StrokeKind::Inside);
    }
}

fn buttons(ui: &mut Ui, plan: &Plan, bay: usize, editable: bool) -> Option<Wish> {
    let number = bay + 1;
    let count = plan.layout.bays.len();
    let mut wish = None;
    let back = (format!("Exchange bay {number} with the one before"), bay > 0, bay.saturating_sub(1));
    let on = (format!("Exchange bay {number} with the next"), number < count, bay);
    let [up, down] = match plan.layout.orientation {
        Orientation::Vertical => [back, on],
        Orientation::Horizontal => [on, back],
    };
    for (icon, (words, exists, first)) in [(Icon::Up, up), (Icon::Down, down)] {
        if icon_button(ui, icon, &words, editable && exists).clicked() {
            wish = Some(Wish::Exchange(first, first + 1));
        }
    }
    let several = plan.layout.bays[bay].len() > 1;
    if icon_button(ui, Icon::Reset, &format!("Reverse bay {number}"), editable && several).clicked() {
        wish = Some(Wish::Reverse(bay));
    }
    wish
}

/// Draws the part of the plant that no bay covers.
fn rest(ui: &mut Ui, instance: &Instance, plan: &Plan) {
    let palette = palette(ui.visuals());
    let (whole, taken) = (instance.width * instance.height, instance.total_area());
    let left = whole - taken;
    let across = match plan.layout.orientation {
        Orientation::Vertical => left / instance.height,
        Orientation::Horizontal => left / instance.width,
    };
    if left <= 1e-6 * whole {
        return;
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let words = ["free".to_owned(), length(across), length(left), format!("{:.1} %", 100.0 * left / whole)];
        for (words, width) in words.iter().zip(COLUMNS) {
            cell(ui, width, words, palette.weak);
        }
        ui.add_space(FIGURES - COLUMNS.iter().sum::<f32>() + space::S);
        ui.label(theme::small("An empty strip behind the last bay").color(palette.weak));
    });
}
