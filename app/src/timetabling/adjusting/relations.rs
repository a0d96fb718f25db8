//! Before, same and different: what the selected exam has to do with others.

use egui::Ui;
use gridwright_solver::timetabling::{Instance, Relation, RelationKind};

use crate::theme::{self, palette};
use crate::timetabling::desk::Desk;
use crate::timetabling::editing::Edit;
use crate::widgets::controls::{button, icon_button, section};
use crate::widgets::icons::Icon;

/// What is being demanded, before it is.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    kind: usize,
    other: String,
}

/// The kinds as a person chooses them: between the selected exam and another.
const KINDS: [&str; 4] = ["before", "after", "in the same period as", "not in the same period as"];

fn relation(kind: usize, exam: usize, other: usize) -> Relation {
    match kind {
        0 => Relation::new(RelationKind::Before, exam, other),
        1 => Relation::new(RelationKind::Before, other, exam),
        2 => Relation::new(RelationKind::Same, exam, other),
        _ => Relation::new(RelationKind::Different, exam, other),
    }
}

/// A relation as one of its exams sees it: the words, and the other exam.
pub fn seen_from(instance: &Instance, relation: Relation, exam: usize) -> String {
    let first = usize::from(relation.first) == exam;
    let other = usize::from(if first { relation.second } else { relation.first });
    let words = match (relation.kind, first) {
        (RelationKind::Before, true) => KINDS[0],
        (RelationKind::Before, false) => KINDS[1],
        (RelationKind::Same, _) => KINDS[2],
        (RelationKind::Different, _) => KINDS[3],
    };
    format!("{words} {}", instance.exams.get(other).map_or("?", |exam| exam.code.as_str()))
}

/// The relations of an exam, and a line to demand another.
pub fn show(ui: &mut Ui, desk: &mut Desk, exam: usize, edits: &mut Vec<Edit>) {
    let palette = palette(ui.visuals());
    let instance = std::sync::Arc::clone(&desk.instance);
    section(ui, "Must be", |_| {});
    for relation in instance.rules.relations_of(exam) {
        ui.horizontal(|ui| {
            let words = seen_from(&instance, relation, exam);
            if icon_button(ui, Icon::Cross, &format!("No longer demand: {words}"), true).clicked() {
                edits.push(Edit::Unrelate(relation));
            }
            ui.label(words);
        });
    }
    let forbidden: Vec<u16> = instance.rules.forbidden.get(&(exam as u16)).into_iter().flatten().copied().collect();
    if !forbidden.is_empty() {
        ui.horizontal_wrapped(|ui| {
            let list: Vec<String> = forbidden.iter().map(|period| (period + 1).to_string()).collect();
            if icon_button(ui, Icon::Cross, "Allow all periods again", true).clicked() {
                edits.extend(forbidden.iter().map(|&period| Edit::Forbid {
                    exam,
                    period: period.into(),
                    forbidden: false,
                }));
            }
            ui.label(format!("in other periods than {}", list.join(", ")));
        });
    }
    let state = &mut desk.relating;
    // The inspector keeps its width: what does not fit goes to the next line.
    ui.horizontal_wrapped(|ui| {
        egui::ComboBox::from_id_salt("relation").selected_text(KINDS[state.kind]).width(150.0).show_ui(ui, |ui| {
            for (index, words) in KINDS.iter().enumerate() {
                ui.selectable_value(&mut state.kind, index, *words);
            }
        });
        let field = egui::TextEdit::singleline(&mut state.other).hint_text("exam code").desired_width(92.0);
        let field = field.align(egui::Align2::LEFT_CENTER);
        let response = ui.add(field);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Other exam"));
        let other = instance.exam_index(state.other.trim());
        let possible = other.is_some_and(|other| other != exam);
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let pressed = button(ui, Icon::Check, "Demand", possible).clicked();
        if let Some(other) = other.filter(|_| possible && (pressed || entered)) {
            edits.push(Edit::Relate(relation(state.kind, exam, other)));
            state.other.clear();
        }
    });
    let text = desk.relating.other.trim();
    if !text.is_empty() && instance.exam_index(text).is_none_or(|other| other == exam) {
        let similar: Vec<&str> = instance
            .exams
            .iter()
            .map(|exam| exam.code.as_str())
            .filter(|code| code.to_lowercase().starts_with(&text.to_lowercase()))
            .take(5)
            .collect();
        let words = if similar.is_empty() {
            format!("There is no other exam {text}")
        } else {
            format!("{}…", similar.join(", "))
        };
        ui.label(theme::small(words).color(palette.weak));
    }
}
