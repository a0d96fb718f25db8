//! What there is to know of the selected exam, or of the whole timetable where none is selected.

use egui::{Align2, Rect, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::analysis::{Effect, Picture, effects};
use super::desk::{Desk, Shown};
use super::grid::effect_words;
use super::solving::Standing;
use crate::theme::{self, palette, size, space, text};
use crate::widgets::controls::{badge, coloured_fact, fact, icon_button, section};
use crate::widgets::convergence::number;
use crate::widgets::icons::Icon;
use crate::widgets::parameters::grouped;

/// How many conflicting exams are listed.
const LISTED: usize = 40;

/// Shows the inspector.
pub fn show(ui: &mut Ui, desk: &mut Desk) {
    match desk.selected.filter(|&exam| exam < desk.instance.exam_count()) {
        Some(exam) => show_exam(ui, desk, exam),
        None => show_timetable(ui, desk),
    }
}

fn show_timetable(ui: &mut Ui, desk: &Desk) {
    let palette = palette(ui.visuals());
    let instance = &desk.instance;
    if let Some(picture) = desk.picture() {
        section(ui, "Timetable", |ui| standing(ui, desk));
        let cost = picture.cost;
        // The cost of a part says nothing of the whole.
        let complete = cost.is_feasible();
        if complete {
            fact(ui, "Cost per student", &number(instance.shown(cost.proximity)));
        }
        if let Some(reference) = desk.references().first().filter(|_| complete) {
            let shown = instance.shown(cost.proximity);
            let gap = gridwright_solver::search::statistics::gap_percent(shown, reference.value);
            fact(ui, "Best known", &format!("{} (gap {gap:+.1} %)", number(reference.value)));
        }
        let colour = |bad: bool| if bad { palette.bad } else { palette.text };
        coloured_fact(ui, "Students with a clash", &grouped(cost.clashes as i64), colour(cost.clashes > 0));
        coloured_fact(ui, "Exams without a period", &cost.unplaced.to_string(), colour(cost.unplaced > 0));
        let fullest = picture.students.iter().copied().max().unwrap_or(0);
        fact(ui, "Fullest period", &format!("{} students", grouped(fullest as i64)));
        if let Some(run) = desk.shown_run() {
            let students = |count: u32| format!("{} students", grouped(i64::from(count)));
            fact(ui, "Two exams in a row", &students(run.counts.students_in_a_row));
            if let (Some(two), Some(three)) = (run.counts.students_two_a_day, run.counts.students_three_a_day) {
                fact(ui, "Two exams in a day", &students(two));
                fact(ui, "Three or more in a day", &students(three));
            }
            let last = gridwright_solver::timetabling::counts::LAST_PERIODS;
            fact(ui, &format!("In the last {last} periods"), &format!("{} exams", run.counts.exams_at_the_end));
            if let Some(overfull) = run.counts.overfull_periods {
                coloured_fact(ui, "Overfull periods", &overfull.to_string(), colour(overfull > 0));
            }
        }
        ui.add_space(space::S);
    }
    section(ui, "Instance", |_| {});
    fact(ui, "Exams", &grouped(instance.exam_count() as i64));
    fact(ui, "Students", &grouped(instance.students.len() as i64));
    fact(ui, "Enrolments", &grouped(instance.enrolments() as i64));
    fact(ui, "Conflict density", &format!("{:.3}", desk.facts.density));
    fact(ui, "Most conflicts of an exam", &desk.facts.highest_degree.to_string());
    fact(ui, "Largest exam", &format!("{} students", grouped(i64::from(desk.facts.largest_exam))));
    if !instance.warnings.is_empty() {
        ui.add_space(space::S);
        ui.label(theme::bold("Remarks"));
        crate::widgets::notice::message(ui, &instance.warnings.join("\n"));
    }
}

fn standing(ui: &mut Ui, desk: &Desk) {
    let palette = palette(ui.visuals());
    match (desk.shown, desk.shown_run().map(|run| &run.standing)) {
        (Shown::Live, _) => {
            badge(ui, None, "best so far", palette.accent);
        }
        (_, Some(Standing::Valid)) => {
            badge(ui, Some(Icon::Check), "checked", palette.good);
        }
        (_, Some(Standing::Incomplete(text))) => {
            badge(ui, Some(Icon::Cross), "incomplete", palette.bad).on_hover_text(text);
        }
        (_, Some(Standing::Wrong(text))) => {
            badge(ui, Some(Icon::Cross), "wrong", palette.bad).on_hover_text(text);
        }
        _ => {}
    }
}

fn show_exam(ui: &mut Ui, desk: &mut Desk, exam: usize) {
    let palette = palette(ui.visuals());
    let instance = std::sync::Arc::clone(&desk.instance);
    let data = &instance.exams[exam];
    let mut close = false;
    section(ui, &format!("Exam {}", data.code), |ui| {
        close = icon_button(ui, Icon::Cross, "Back to the whole timetable", true).clicked();
    });
    if !data.title.is_empty() {
        ui.label(&data.title);
    }
    fact(ui, "Students", &grouped(i64::from(data.enrolment)));
    fact(ui, "Conflicting exams", &instance.conflicts.degree(exam).to_string());
    if let Some(minutes) = data.duration {
        fact(ui, "Duration", &format!("{minutes} min"));
    }
    let mut go = None;
    if let Some(picture) = desk.picture() {
        let period = picture.timetable.period_of(exam);
        let place = period.map_or_else(|| "none".to_owned(), |period| instance.period_label(period));
        coloured_fact(ui, "Period", &place, if period.is_some() { palette.text } else { palette.bad });
        let share = instance.shown(picture.shares[exam]);
        fact(ui, "Cost share", &format!("{} ({:.1} %)", number(share), picture.percent(exam)));
        if picture.clashes[exam] > 0 {
            coloured_fact(ui, "Students with a clash", &grouped(picture.clashes[exam] as i64), palette.bad);
        }
        ui.add_space(space::S);
        ui.label(theme::bold("What a move would do"));
        strip(ui, &instance, picture, exam);
        ui.add_space(space::S);
        go = conflicts(ui, &instance, picture, exam);
    }
    if close {
        desk.selected = None;
    }
    if let Some(other) = go {
        desk.selected = Some(other);
    }
}

/// A cell per period: forbidden ones crossed, the others by how much better or worse.
fn strip(ui: &mut Ui, instance: &gridwright_solver::timetabling::Instance, picture: &Picture, exam: usize) {
    let palette = palette(ui.visuals());
    let effects = effects(instance, &picture.timetable, exam);
    let per_line = 10.min(effects.len().max(1));
    let side = (ui.available_width() / per_line as f32).min(34.0);
    let lines = effects.len().div_ceil(per_line);
    let (rect, response) =
        ui.allocate_exact_size(vec2(side * per_line as f32, side * 0.8 * lines as f32), Sense::hover());
    let allowed = effects.iter().filter(|effect| matches!(effect, Effect::Change(_))).count();
    response.widget_info(|| {
        WidgetInfo::labeled(
            egui::Role::Image,
            true,
            format!("{allowed} of {} periods are free for this exam", effects.len()),
        )
    });
    let largest =
        effects.iter().map(|effect| if let Effect::Change(change) = effect { change.unsigned_abs() } else { 0 });
    let largest = largest.max().unwrap_or(0).max(1) as f32;
    let cell = |index: usize| {
        let (line, column) = (index / per_line, index % per_line);
        let min = rect.min + vec2(column as f32 * side, line as f32 * side * 0.8);
        Rect::from_min_size(min, vec2(side, side * 0.8)).shrink(1.0)
    };
    for (index, effect) in effects.iter().enumerate() {
        let cell = cell(index);
        let (fill, ink) = match effect {
            Effect::Here => (palette.accent, palette.on_accent),
            Effect::Forbidden { .. } => (palette.blocked, palette.faint),
            Effect::Change(change) => {
                let strength = 0.15 + 0.55 * (change.unsigned_abs() as f32 / largest).sqrt();
                let colour = if *change < 0 { palette.good } else { palette.warn };
                let fill = if *change == 0 { palette.raised } else { palette.raised.lerp_to_gamma(colour, strength) };
                (fill, palette.text)
            }
        };
        ui.painter().rect_filled(cell, 3.0, fill);
        ui.painter().rect_stroke(cell, 3.0, Stroke::new(1.0, palette.border), StrokeKind::Inside);
        if matches!(effect, Effect::Forbidden { .. }) {
            ui.painter().line_segment([cell.left_bottom(), cell.right_top()], Stroke::new(1.0, palette.border_strong));
        }
        let label = (index + 1).to_string();
        ui.painter().text(cell.center(), Align2::CENTER_CENTER, label, theme::font(text::TINY), ink);
    }
    let hovered =
        response.hover_pos().and_then(|position| (0..effects.len()).find(|&index| cell(index).contains(position)));
    if let Some(index) = hovered {
        let (words, mood) = effect_words(instance, effects[index]);
        response.on_hover_ui_at_pointer(|ui| {
            ui.label(theme::bold(instance.period_label(index)));
            ui.label(RichText::new(words).color(mood.of(palette)));
        });
    }
}

/// Exams with common students, those that cost most first; returns the one that was clicked.
fn conflicts(
    ui: &mut Ui,
    instance: &gridwright_solver::timetabling::Instance,
    picture: &Picture,
    exam: usize,
) -> Option<usize> {
    use gridwright_solver::timetabling::timetable::weight;
    let palette = palette(ui.visuals());
    let here = picture.timetable.period_of(exam);
    let mut others: Vec<(usize, u32, Option<usize>, u64)> = instance
        .conflicts
        .of(exam)
        .map(|(other, shared)| {
            let distance = here.zip(picture.timetable.period_of(other)).map(|(a, b)| a.abs_diff(b));
            (other, shared, distance, distance.map_or(0, |distance| weight(distance) * u64::from(shared)))
        })
        .collect();
    others.sort_by_key(|&(other, shared, distance, cost)| {
        (distance != Some(0), std::cmp::Reverse(cost), std::cmp::Reverse(shared), other)
    });
    ui.horizontal(|ui| {
        ui.label(theme::bold("Common students with"));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(theme::small("students, periods apart").color(palette.weak));
        });
    });
    let mut clicked = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    for &(other, shared, distance, cost) in others.iter().take(LISTED) {
        let data = &instance.exams[other];
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::click());
        let apart = distance.map_or_else(|| "no period".to_owned(), |distance| distance.to_string());
        response.widget_info(|| {
            let label = format!("Exam {}, {shared} common students, {apart} periods apart", data.code);
            WidgetInfo::labeled(egui::Role::Link, true, label)
        });
        if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect.expand2(vec2(4.0, 0.0)), f32::from(size::RADIUS), palette.raised_hover);
        }
        let colour = if distance == Some(0) { palette.bad } else { palette.text };
        let painter = ui.painter().with_clip_rect(rect);
        let code =
            painter.text(rect.left_center(), Align2::LEFT_CENTER, &data.code, theme::bold_font(text::BODY), colour);
        let mut job =
            egui::text::LayoutJob::simple_singleline(data.title.clone(), theme::font(text::SMALL), palette.weak);
        let left = code.right() + space::S;
        job.wrap = egui::text::TextWrapping::truncate_at_width((rect.right() - 84.0 - left).max(0.0));
        let title = painter.layout_job(job);
        painter.galley(pos2(left, rect.center().y - title.size().y / 2.0), title, palette.weak);
        for (value, right) in [(grouped(i64::from(shared)), rect.right() - 40.0), (apart, rect.right())] {
            let galley = painter.layout_no_wrap(value, theme::font(text::BODY), colour);
            painter.galley(pos2(right - galley.size().x, rect.center().y - galley.size().y / 2.0), galley, colour);
        }
        if cost > 0 {
            let strength = (cost as f32 / picture.highest_share.max(1) as f32).sqrt();
            let dot = pos2(rect.right() - 30.0, rect.center().y);
            ui.painter().circle_filled(dot + vec2(4.0, 0.0), 3.5, palette.cost(strength));
        }
        if response.clicked() {
            clicked = Some(other);
        }
    }
    if others.len() > LISTED {
        ui.add_space(space::XS);
        ui.label(theme::small(format!("and {} more", others.len() - LISTED)).color(palette.weak));
    }
    clicked
}
