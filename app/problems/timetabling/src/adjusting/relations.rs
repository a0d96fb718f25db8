//! Relations of the selected exam to others: order, periods, days and rooms.

use egui::Ui;
use gridwright_timetabling::rule_lines::excluded;
use gridwright_timetabling::{Instance, Relation, RelationKind};

use crate::editing::Edit;
use crate::state::Document;
use gridwright_window::theme::{self, palette, size, space};
use gridwright_window::widgets::choices::Choices;
use gridwright_window::widgets::controls::{icon_button, section};
use gridwright_window::widgets::entry::Field;
use gridwright_window::widgets::icons::Icon;

/// Relations in words between the selected exam and another: kind, whether the selected exam is the first, words.
const KINDS: [(RelationKind, bool, &str); 10] = [
    (RelationKind::Before, true, "before"),
    (RelationKind::Before, false, "after"),
    (RelationKind::Same, true, "in the same period as"),
    (RelationKind::Different, true, "not in the same period as"),
    (RelationKind::DirectlyBefore, true, "directly before"),
    (RelationKind::DirectlyBefore, false, "directly after"),
    (RelationKind::SameDay, true, "on the same day as"),
    (RelationKind::DifferentDay, true, "not on the same day as"),
    (RelationKind::SameRoom, true, "in the same room as"),
    (RelationKind::DifferentRoom, true, "not in the same room as"),
];

fn relation(kind: usize, exam: usize, other: usize) -> Relation {
    let (kind, is_first, _) = KINDS[kind.min(KINDS.len() - 1)];
    if is_first { Relation::new(kind, exam, other) } else { Relation::new(kind, other, exam) }
}

/// A relation as one of its exams sees it: the words, and the other exam.
pub(crate) fn seen_from(instance: &Instance, relation: Relation, exam: usize) -> String {
    let is_first = usize::from(relation.first) == exam;
    let other = usize::from(if is_first { relation.second } else { relation.first });
    let fits = |(kind, first, _): &&(RelationKind, bool, &str)| {
        *kind == relation.kind && (*first == is_first || !kind.is_ordered())
    };
    let words = KINDS.iter().find(fits).map_or("", |(.., words)| words);
    format!("{words} {}", instance.exams.get(other).map_or("?", |exam| exam.code.as_str()))
}

/// The relations of an exam, and a line to demand another.
pub fn show(ui: &mut Ui, document: &mut Document, exam: usize, edits: &mut Vec<Edit>) {
    let palette = palette(ui.visuals());
    let instance = std::sync::Arc::clone(&document.instance);
    section(ui, "Must be", |_| {});
    for relation in instance.rules.relations_of(exam) {
        let words = seen_from(&instance, relation, exam);
        if demand(ui, &format!("No longer demand: {words}"), &words) {
            edits.push(Edit::Unrelate(relation));
        }
    }
    let forbidden: Vec<usize> =
        instance.rules.forbidden.get(&(exam as u16)).into_iter().flatten().map(|&period| period.into()).collect();
    if !forbidden.is_empty() {
        let words = excluded(&instance, &forbidden.iter().map(|&period| period as u16).collect());
        if demand(ui, "Allow all periods again", &words) {
            edits.extend(forbidden.iter().map(|&period| Edit::Forbid { exam, period, forbidden: false }));
        }
    }
    let state = &mut document.relating;
    let mut demanded = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::XS;
        let width = (ui.available_width() - 148.0).clamp(96.0, 168.0);
        Choices::new("How they must stand", KINDS[state.kind.min(KINDS.len() - 1)].2)
            .width(width)
            .cut()
            .help("How this exam must stand to another")
            .show(ui, |ui| {
                let rooms = instance.has_rooms();
                let offered = KINDS.iter().enumerate().filter(|(_, kind)| rooms || !kind.0.is_of_rooms());
                for (index, (.., words)) in offered {
                    ui.selectable_value(&mut state.kind, index, *words);
                }
            });
        let field = Field::new("Other exam").hint("exam").width(60.0).height(size::CONTROL);
        let response = field.help("Code of the other exam").live(ui, &mut state.other);
        let other = meant(&instance, exam, &state.other);
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let pressed =
            ui.add_enabled(other.is_some(), egui::Button::new("Add").min_size(egui::vec2(0.0, size::CONTROL)));
        let pressed = pressed.on_hover_text("Demand this of every timetable").clicked();
        demanded = other.filter(|_| pressed || entered);
    });
    let text = state.other.trim().to_owned();
    if !text.is_empty() && meant(&instance, exam, &text).is_none() {
        let similar = beginning_with(&instance, exam, &text);
        if similar.is_empty() {
            ui.label(theme::small(format!("There is no other exam {text}")).color(palette.bad));
        }
        ui.horizontal_wrapped(|ui| {
            for other in similar {
                let data = &instance.exams[other];
                let chosen = ui.small_button(&data.code).on_hover_text(&data.title).clicked();
                demanded = demanded.or(chosen.then_some(other));
            }
        });
    }
    if let Some(other) = demanded {
        edits.push(Edit::Relate(relation(state.kind, exam, other)));
        state.other.clear();
    }
}

/// Draws a relation after a cross that removes it; returns `true` if the cross was clicked.
pub fn demand(ui: &mut Ui, name: &str, words: &str) -> bool {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::XS;
        let pressed = icon_button(ui, Icon::Cross, name, true).clicked();
        ui.add(egui::Label::new(words).wrap());
        pressed
    })
    .inner
}

/// The other exam with this code, in whatever case it was typed.
fn meant(instance: &Instance, exam: usize, text: &str) -> Option<usize> {
    let text = text.trim();
    let exact = instance.exam_index(text);
    let folded = || {
        let mut same = (0..instance.exam_count()).filter(|&at| instance.exams[at].code.eq_ignore_ascii_case(text));
        same.next().filter(|_| same.next().is_none())
    };
    exact.or_else(folded).filter(|&other| other != exam)
}

/// Other exams whose codes or titles begin with this, at most five.
fn beginning_with(instance: &Instance, exam: usize, text: &str) -> Vec<usize> {
    let text = text.to_lowercase();
    let begins = |words: &str| words.to_lowercase().starts_with(&text);
    let fits =
        |&other: &usize| other != exam && (begins(&instance.exams[other].code) || begins(&instance.exams[other].title));
    (0..instance.exam_count()).filter(fits).take(5).collect()
}
