//! All rules at a glance, and what contradicts itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::Ui;
use gridwright_timetabling::contradictions::NAMED_STUDENTS;
use gridwright_timetabling::rule_lines::{self, RuleLine};
use gridwright_timetabling::{Instance, limit_windows};

use super::relations::seen_from;
use crate::describe::{counted, per_student};
use crate::editing::Edit;
use crate::methods::*;
use crate::state::Document;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{button, icon_button, section};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::notice::message;

/// Lines of each kind that are listed at first: more would hide what stands below the rules.
const FIRST: usize = 12;
/// Lines that are added at once.
const ADDED: usize = 60;

/// Draws all rules, each with a button that removes the rule.
pub fn panel(ui: &mut Ui, document: &mut Document) {
    let palette = palette(ui.visuals());
    let instance = Arc::clone(&document.instance);
    let rules = &instance.rules;
    let has_seats = instance.periods.iter().any(|period| period.seats.is_some());
    let contradictions = document.contradictions();
    if rules.is_empty() && !has_seats && contradictions.is_empty() {
        return;
    }
    let mut edits = Vec::new();
    section(ui, "Rules", |ui| {
        if !rules.is_empty() && button(ui, Icon::Cross, "Clear all rules", true).clicked() {
            edits.push(Edit::ClearRules);
        }
    });
    if !contradictions.is_empty() {
        ui.label(theme::bold("No timetable can meet all of these").color(palette.bad));
        message(ui, &contradictions.join("\n"));
        students_beyond(ui, &instance);
        ui.add_space(space::XS);
    }
    if let Some(reference) = &rules.reference {
        line(
            ui,
            "Stay close to nothing",
            &mut edits,
            || vec![Edit::ForgetReference],
            |ui| {
                let price = instance.cost_text(u64::from(reference.weight)) + per_student(&instance);
                ui.label(format!("Stays close to a timetable; moving an exam must save {price}"));
            },
        );
    }
    let code = |exam: u16| instance.exams.get(usize::from(exam)).map_or("?", |exam| exam.code.as_str());
    let mut selected = None;
    let periods = rules.pins.iter().map(|(&exam, &period)| Pinned {
        exam,
        name: format!("Unpin {}", code(exam)),
        words: format!("pinned to {}", instance.period_name(period.into())),
        edit: Edit::Pin { exam: exam.into(), period: None },
    });
    let rooms = rules.room_pins.keys().map(|&exam| Pinned {
        exam,
        name: format!("Unpin {} from its rooms", code(exam)),
        words: format!("pinned to {}", instance.pinned_rooms(exam)),
        edit: Edit::PinRooms { exam: exam.into(), rooms: BTreeSet::new() },
    });
    selected = pins(ui, (code, "pins"), periods, &mut edits).or(selected);
    selected = pins(ui, (code, "pins to rooms"), rooms, &mut edits).or(selected);
    let lines = lines_of(ui, &instance);
    let relations = lines.partition_point(|line| !matches!(line, RuleLine::Related(_)));
    for (lines, what) in [(&lines[..relations], "rules"), (&lines[relations..], "relations")] {
        for rule in lines.iter().take(listed(ui, what)) {
            selected = rule_line(ui, &instance, rule, &mut edits).or(selected);
        }
        more(ui, lines.len(), what);
    }
    for (limit, words) in rules.limits.sentences() {
        let without = || {
            let mut limits = rules.limits.clone();
            *limit.place(&mut limits) = 0;
            vec![Edit::Limits(Arc::new(limits))]
        };
        line(ui, &format!("No longer demand: {words}"), &mut edits, without, |ui| _ = ui.label(&words));
    }
    if has_seats {
        let mut minded = !rules.ignore_seats;
        let help = "No period gets more students than it has seats; without the tick the numbers of seats are ignored";
        if ui.checkbox(&mut minded, "Mind seats").on_hover_text(help).changed() {
            edits.push(Edit::IgnoreSeats(!minded));
        }
    }
    if !edits.is_empty() {
        // Rules can always be taken away.
        let _ = document.apply(edits);
    }
    if selected.is_some() {
        document.selected = selected;
    }
    ui.add_space(space::M);
}

/// Lists the students who cannot keep the limits where the sentence above does not name all of them, once that is asked for.
fn students_beyond(ui: &mut Ui, instance: &Instance) {
    let beyond = limit_windows::students_beyond(instance).students;
    if beyond.len() <= NAMED_STUDENTS {
        return;
    }
    let heading = format!("All {}", counted(beyond.len() as u64, "student"));
    egui::CollapsingHeader::new(heading).id_salt("students beyond a limit").show(ui, |ui| {
        let height = ui.text_style_height(&egui::TextStyle::Body);
        let rows = egui::ScrollArea::vertical().max_height(180.0).auto_shrink([false, true]);
        rows.show_rows(ui, height, beyond.len(), |ui, shown| {
            for &(student, exams) in &beyond[shown] {
                ui.label(format!("{}: {}", instance.students.code(student), counted(exams as u64, "exam")));
            }
        });
    });
}

/// A pin of an exam.
struct Pinned {
    exam: u16,
    /// Name of the button that removes it.
    name: String,
    /// Words behind the code of the exam.
    words: String,
    /// Removes it.
    edit: Edit,
}

/// Draws pins of one kind, each with a cross; returns the exam that was clicked.
fn pins<'a>(
    ui: &mut Ui, (code, what): (impl Fn(u16) -> &'a str, &'static str), pins: impl ExactSizeIterator<Item = Pinned>,
    edits: &mut Vec<Edit>,
) -> Option<usize> {
    let (count, mut selected) = (pins.len(), None);
    for Pinned { exam, name, words, edit } in pins.take(listed(ui, what)) {
        line(
            ui,
            &name,
            edits,
            || vec![edit],
            |ui| {
                if ui.link(code(exam)).clicked() {
                    selected = Some(usize::from(exam));
                }
                ui.label(words);
            },
        );
    }
    more(ui, count, what);
    selected
}

/// Draws a rule after a cross that removes it; lines stand close, and long ones are wrapped.
fn line(
    ui: &mut Ui, name: &str, edits: &mut Vec<Edit>, takes: impl FnOnce() -> Vec<Edit>, contents: impl FnOnce(&mut Ui),
) {
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = 20.0;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = space::XS;
            if icon_button(ui, Icon::Cross, name, true).clicked() {
                edits.extend(takes());
            }
            ui.horizontal_wrapped(contents);
        });
    });
}

/// Draws a line of rules; returns the exam that was clicked.
fn rule_line(ui: &mut Ui, instance: &Instance, rule: &RuleLine, edits: &mut Vec<Edit>) -> Option<usize> {
    let code = |exam: usize| instance.exams.get(exam).map_or("?", |exam| exam.code.as_str());
    let (exams, words) = (rule.exams(instance), words(instance, rule));
    let name = match (rule, &exams[..]) {
        (RuleLine::Related(relation), _) => format!("No longer demand: {} {words}", code(relation.first.into())),
        (RuleLine::Forbidden(..), [exam]) => format!("Allow all periods for {}", code(*exam)),
        _ => format!("No longer demand: {words}"),
    };
    let takes = || {
        let (forbidden, relations) = rule.demands();
        let allow = |(exam, period)| Edit::Forbid { exam, period, forbidden: false };
        forbidden.into_iter().map(allow).chain(relations.into_iter().map(Edit::Unrelate)).collect()
    };
    let mut selected = None;
    line(ui, &name, edits, takes, |ui| {
        selected = match (&exams[..], rule) {
            ([exam], RuleLine::Forbidden(..) | RuleLine::Related(_)) => ui.link(code(*exam)).clicked().then_some(*exam),
            _ => group(ui, &words, &exams, &code),
        };
        ui.label(&words);
    });
    selected
}

/// The lines of the rules of an instance, which are put together once.
fn lines_of(ui: &Ui, instance: &Arc<Instance>) -> Arc<Vec<RuleLine>> {
    type Known = (Arc<Instance>, Arc<Vec<RuleLine>>);
    let id = ui.scope_id().with("lines of rules");
    let known: Option<Known> = ui.data(|data| data.get_temp(id));
    if let Some((_, lines)) = known.filter(|(of, _)| Arc::ptr_eq(of, instance)) {
        return lines;
    }
    let lines = Arc::new(rule_lines::lines(instance));
    ui.data_mut(|data| data.insert_temp(id, (Arc::clone(instance), Arc::clone(&lines))));
    lines
}

/// A rule in words, without the exam that a link names before it.
fn words(instance: &Instance, rule: &RuleLine) -> String {
    match rule {
        RuleLine::Given(given, _) => rule_lines::given_words(given),
        RuleLine::Forbidden(_, periods) => rule_lines::excluded(instance, periods),
        RuleLine::Related(relation) => seen_from(instance, *relation, relation.first.into()),
    }
}

/// A button with the number of exams of a rule; its menu lists them. Returns the exam that was chosen.
fn group<'a>(ui: &mut Ui, words: &str, exams: &[usize], code: &impl Fn(usize) -> &'a str) -> Option<usize> {
    let mut chosen = None;
    let button = ui.link(format!("{}…", counted(exams.len() as u64, "exam")));
    let name = format!("Exams of the rule: {words}");
    button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    egui::Popup::menu(&button).show(|ui| {
        egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for &exam in exams {
                if ui.button(code(exam)).clicked() {
                    chosen = Some(exam);
                }
            }
        });
    });
    chosen
}

/// Number of lines of a kind that are listed.
fn listed(ui: &Ui, what: &'static str) -> usize {
    let id = ui.scope_id().with(what);
    ui.data(|data| data.get_temp(id)).unwrap_or(FIRST)
}

/// Draws a button that lists more lines of a kind, if there are any.
fn more(ui: &mut Ui, count: usize, what: &'static str) {
    let listed = listed(ui, what);
    if count > listed && ui.link(format!("Show {} more {what}", (count - listed).min(ADDED))).clicked() {
        let id = ui.scope_id().with(what);
        ui.data_mut(|data| data.insert_temp(id, listed + ADDED));
    }
}
