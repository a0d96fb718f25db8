//! Details of the selected exam, or of the whole timetable if none is selected.

use std::sync::Arc;

use egui::Ui;

use gridwright_solver::numbers::{grouped, significant};

use super::describe::counted;
use super::desk::{Desk, Shown, View};
use super::solving::Standing;
use super::students::{self, Group};
use super::{adjusting, neighbours, officer};
use crate::theme::{self, palette, space};
use crate::widgets::controls::{badge, coloured_fact, fact, icon_button, section};
use crate::widgets::icons::Icon;

/// Violations that are listed in a tooltip.
const LISTED: usize = 12;

/// Shows the inspector.
pub fn show(ui: &mut Ui, desk: &mut Desk) {
    match desk.selected.filter(|&exam| exam < desk.instance.exam_count()) {
        Some(exam) => show_exam(ui, desk, exam),
        None => show_timetable(ui, desk),
    }
}

fn show_timetable(ui: &mut Ui, desk: &mut Desk) {
    let instance = Arc::clone(&desk.instance);
    if let Some(picture) = desk.picture().map(Arc::clone) {
        section(ui, "Timetable", |ui| standing(ui, desk));
        outdated(ui, desk);
        let cost = picture.cost;
        // The cost of a part says nothing of the whole.
        let complete = cost.is_feasible();
        if complete {
            fact(ui, "Cost per student", &significant(instance.shown(cost.proximity)));
        }
        if let Some(reference) = desk.references().first().filter(|_| complete) {
            let shown = instance.shown(cost.proximity);
            let gap = gridwright_solver::search::statistics::gap_percent(shown, reference.value);
            fact(ui, "Best known", &format!("{} (gap {gap:+.1} %)", significant(reference.value)));
        }
        officer::show(ui, desk);
        ui.add_space(space::S);
    }
    adjusting::rules_panel(ui, desk);
    section(ui, "Instance", |_| {});
    fact(ui, "Exams", &grouped(instance.exam_count() as i64));
    fact(ui, "Students", &grouped(instance.students.len() as i64));
    fact(ui, "Enrolments", &grouped(instance.enrolments() as i64));
    fact(ui, "Conflict density", &format!("{:.3}", desk.facts.density));
    fact(ui, "Most conflicts of an exam", &desk.facts.highest_degree.to_string());
    fact(ui, "Largest exam", &counted(u64::from(desk.facts.largest_exam), "student"));
    if !instance.warnings.is_empty() {
        ui.add_space(space::S);
        ui.label(theme::bold("Remarks"));
        crate::widgets::notice::message(ui, &instance.warnings.join("\n"));
    }
}

fn standing(ui: &mut Ui, desk: &Desk) {
    let palette = palette(ui.visuals());
    match (desk.shown, desk.shown_run().map(|run| &run.standing)) {
        (Shown::Draft, _) => match desk.verdict() {
            Some(verdict) if verdict.feasible => {
                badge(ui, Some(Icon::Check), "edited, checked", palette.good);
            }
            Some(verdict) => {
                let list = verdict.lines(LISTED).join("\n");
                badge(ui, Some(Icon::Cross), "edited, not valid", palette.bad).on_hover_text(list);
            }
            None => {}
        },
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

/// A timetable that was right by the rules of its time and breaks those of now.
fn outdated(ui: &mut Ui, desk: &Desk) {
    let broken = desk.outdated();
    if broken == 0 {
        return;
    }
    let list: Vec<String> = desk.verdict().into_iter().flat_map(|verdict| verdict.lines(LISTED)).collect();
    let words = format!("breaks {broken} of the present rules");
    ui.horizontal(|ui| {
        badge(ui, Some(Icon::Warning), &words, palette(ui.visuals()).warn).on_hover_text(list.join("\n"));
    });
    ui.add_space(space::XS);
}

fn show_exam(ui: &mut Ui, desk: &mut Desk, exam: usize) {
    let palette = palette(ui.visuals());
    let instance = Arc::clone(&desk.instance);
    let data = &instance.exams[exam];
    let mut close = false;
    section(ui, &format!("Exam {}", data.code), |ui| {
        close = icon_button(ui, Icon::Cross, "Back to the whole timetable", true).clicked();
    });
    if !data.title.is_empty() {
        ui.label(&data.title);
    }
    let students = grouped(i64::from(data.enrolment));
    let mut list_all = false;
    if data.enrolment > 0 {
        list_all = officer::link_fact(ui, "Students", &students, palette.text, "List the students of this exam");
    } else {
        fact(ui, "Students", &students);
    }
    fact(ui, "Conflicting exams", &instance.conflicts.degree(exam).to_string());
    if let Some(minutes) = data.duration {
        fact(ui, "Duration", &format!("{minutes} min"));
    }
    let (mut go, mut list) = (None, None);
    if let Some(picture) = desk.picture() {
        let period = picture.timetable.period_of(exam);
        let place = period.map_or_else(|| "none".to_owned(), |period| instance.period_label(period));
        coloured_fact(ui, "Period", &place, if period.is_some() { palette.text } else { palette.bad });
        let share = instance.shown(picture.shares[exam]);
        fact(ui, "Cost share", &format!("{} ({:.1} %)", significant(share), picture.percent(exam)));
        for (name, distance, colour) in
            [("With a clash here", 0, palette.bad), ("With an exam next to it", 1, palette.text)]
        {
            let count = students::near(&instance, &picture.timetable, &desk.facts, exam, distance).len() as u64;
            let value = counted(count, "student");
            if count > 0 && officer::link_fact(ui, name, &value, colour, "List these students") {
                list = Some(Group::Near(exam, distance));
            }
        }
    }
    ui.add_space(space::S);
    adjusting::show(ui, desk, exam);
    if let Some(picture) = desk.picture() {
        go = neighbours::show(ui, &instance, picture, exam);
    }
    if let Some(group) = list.or(list_all.then_some(Group::Of(exam))) {
        desk.views.students.list(group);
        desk.view = View::Students;
    }
    if close {
        desk.selected = None;
    }
    if let Some(other) = go {
        desk.selected = Some(other);
    }
}
