//! Details of the selected exam, or of the whole timetable if none is selected.

mod resources;

use std::sync::Arc;

use egui::Ui;
use gridwright_core::result::Violation;

use gridwright_core::numbers::{grouped, significant};
use gridwright_core::statistics::summary::gap_percent;

use super::describe::{counted, per_student, short_cost};
use super::state::{Document, Run, Shown, TimetablingViews, View};
use super::students;
use super::view_state::students::Group;
use super::{adjusting, failing, neighbours, publishing, statistics, without_place};
use crate::methods::*;
use gridwright_window::document::{DocumentKind, frames};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{badge, coloured_fact, fact, icon_button, section, sourced_fact};
use gridwright_window::widgets::icons::Icon;

/// Violations that are listed in a tooltip.
const LISTED: usize = 12;

/// Tooltip of a proven optimum.
const PROOF: &str = "The cost equals the lower bound: no timetable costs less";

/// Shows the inspector.
pub fn show(ui: &mut Ui, document: &mut Document) {
    match document.selected.filter(|&exam| exam < document.instance.exam_count()) {
        Some(exam) => show_exam(ui, document, exam),
        None => show_timetable(ui, document),
    }
}

fn show_timetable(ui: &mut Ui, document: &mut Document) {
    let instance = Arc::clone(&document.instance);
    if let Some(picture) = document.picture().map(Arc::clone) {
        section(ui, "Timetable", |ui| status(ui, document));
        outdated(ui, document);
        let cost = picture.cost;
        // The cost of a part says nothing of the whole.
        let complete = cost.is_feasible();
        let reference = TimetablingViews::references(document).into_iter().next().filter(|_| complete);
        if complete {
            let words = cost_words(ui, document, cost.proximity, reference.is_some());
            fact(ui, &format!("Cost{}", per_student(&instance)), &words);
        }
        if let Some(reference) = reference {
            let shown = instance.shown(cost.proximity);
            let gap = gap_percent(shown, reference.value);
            let words = format!("{} (gap {gap:+.1} %)", significant(reference.value));
            sourced_fact(ui, "Best known", &words, &reference.source);
        }
        statistics::show(ui, document);
        without_place::show(ui, document);
        publishing::show(ui, document);
        if complete {
            resources::components(ui, document);
        }
        ui.add_space(space::S);
    }
    adjusting::rules_panel(ui, document);
    failing::show(ui, document);
    section(ui, "Instance", |_| {});
    fact(ui, "Exams", &grouped(instance.exam_count() as i64));
    fact(ui, "Students", &grouped(instance.students.len() as i64));
    fact(ui, "Enrolments", &grouped(instance.enrolments() as i64));
    fact(ui, "Conflict density", &format!("{:.3}", document.facts.density));
    fact(ui, "Most conflicts of an exam", &document.facts.highest_degree.to_string());
    fact(ui, "Largest exam", &counted(u64::from(document.facts.largest_exam), "student"));
    if let Some(bound) = document.state.bound.of(ui.ctx(), &instance).filter(|bound| bound.raw > 0) {
        let name = format!("Cost{}, lower bound", per_student(&instance));
        sourced_fact(ui, &name, &short_cost(&instance, bound.raw), &bound.texts(&instance).join("\n"));
    }
    let remarks = instance.remarks();
    if !remarks.is_empty() {
        ui.add_space(space::S);
        ui.label(theme::bold("Remarks"));
        gridwright_window::widgets::notice::message(ui, &remarks.join("\n"));
    }
}

/// The cost of the shown timetable, and how far it is from a lower bound of at least half of it unless a best known cost says more.
fn cost_words(ui: &Ui, document: &mut Document, raw: u64, has_reference: bool) -> String {
    let instance = Arc::clone(&document.instance);
    let words = short_cost(&instance, raw);
    if document.shown_run().is_some_and(Run::is_proven) {
        return format!("{words} (no timetable is better)");
    }
    let bound = document.state.bound.of(ui.ctx(), &instance);
    match bound.filter(|bound| bound.raw > 0 && 2 * bound.raw >= raw && !has_reference) {
        Some(bound) => format!("{words} ({:+.1} % to bound)", gap_percent(raw as f64, bound.raw as f64)),
        None => words,
    }
}

fn status(ui: &mut Ui, document: &Document) {
    let draft = document.verdict().filter(|_| document.shown == Shown::Draft);
    match draft.filter(|verdict| !verdict.feasible) {
        Some(verdict) => {
            let list = Violation::lines(&verdict.violations, LISTED).join("\n");
            badge(ui, Some(Icon::Cross), "edited, not valid", palette(ui.visuals()).bad).on_hover_text(list);
        }
        None => frames::status_badge(ui, document, PROOF),
    }
}

/// A timetable that was right by the rules of its time and breaks those of now.
fn outdated(ui: &mut Ui, document: &Document) {
    let broken = document.outdated();
    if broken == 0 {
        return;
    }
    let list: Vec<String> =
        document.verdict().into_iter().flat_map(|verdict| Violation::lines(&verdict.violations, LISTED)).collect();
    let words = format!("{} by the present data and rules", counted(broken as u64, "problem"));
    ui.horizontal(|ui| {
        badge(ui, Some(Icon::Warning), &words, palette(ui.visuals()).warn).on_hover_text(list.join("\n"));
    });
    ui.add_space(space::XS);
}

fn show_exam(ui: &mut Ui, document: &mut Document, exam: usize) {
    let palette = palette(ui.visuals());
    let instance = Arc::clone(&document.instance);
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
        list_all = statistics::link_fact(ui, "Students", &students, palette.text, "List the students of this exam");
    } else {
        fact(ui, "Students", &students);
    }
    fact(ui, "Conflicting exams", &instance.conflicts.degree(exam).to_string());
    if let Some(minutes) = data.duration {
        fact(ui, "Duration", &format!("{minutes} min"));
    }
    let timetable = document.picture().map(|picture| Arc::clone(&picture.timetable));
    if resources::of_exam(ui, &instance, timetable.as_deref(), exam)
        && let Err(why) = document.choose_room(exam)
    {
        document.say(why);
    }
    let (mut go, mut list) = (None, None);
    if let Some(picture) = document.picture() {
        let period = picture.timetable.period_of(exam);
        let place = period.map_or_else(|| "none".to_owned(), |period| instance.period_label(period));
        coloured_fact(ui, "Period", &place, if period.is_some() { palette.text } else { palette.bad });
        fact(
            ui,
            "Cost share",
            &format!("{} ({:.1} %)", short_cost(&instance, picture.shares[exam]), picture.percent(exam)),
        );
        for (name, distance, colour) in
            [("With a clash here", 0, palette.bad), ("With an exam next to it", 1, palette.text)]
        {
            let count = students::near(&instance, &picture.timetable, &document.facts, exam, distance).len() as u64;
            let value = counted(count, "student");
            if count > 0 && statistics::link_fact(ui, name, &value, colour, "List these students") {
                list = Some(Group::Near(exam, distance));
            }
        }
    }
    ui.add_space(space::S);
    adjusting::show(ui, document, exam);
    if let Some(picture) = document.picture() {
        go = neighbours::show(ui, &instance, picture, exam);
    }
    if let Some(group) = list.or(list_all.then_some(Group::Of(exam))) {
        document.views.students.list(group);
        document.view = View::Students;
    }
    if close {
        document.selected = None;
    }
    if let Some(other) = go {
        document.selected = Some(other);
    }
}
