//! Sittings, demands on rooms and examiners of the selected exam; components of the cost of the timetable.

use egui::{Align, Color32, Layout, RichText, Ui, vec2};
use gridwright_core::numbers::grouped;
use gridwright_core::text::sentence_case;
use gridwright_timetabling::{Exam, Instance, Sitting, Timetable};

use crate::describe::counted;
use crate::methods::*;
use crate::state::Document;
use crate::statistics::link_fact;
use gridwright_window::theme::{palette, space};
use gridwright_window::widgets::controls::{button, coloured_fact, fact, section};
use gridwright_window::widgets::icons::Icon;

/// Width of the column of counts.
const COUNT: f32 = 54.0;

/// Width of the column of costs.
const COST: f32 = 62.0;

/// Draws the sittings of an exam with their rooms, its demands on rooms, and its examiners.
/// Returns `true` if rooms were clicked.
pub fn of_exam(ui: &mut Ui, instance: &Instance, timetable: Option<&Timetable>, exam: usize) -> bool {
    let timetable = timetable.filter(|_| instance.has_rooms());
    let clicked = timetable.is_some_and(|timetable| sittings(ui, instance, timetable, exam));
    let pinned = instance.pinned_rooms(exam as u16);
    if !pinned.is_empty() {
        fact(ui, "Pinned to rooms", &pinned);
    }
    let demands = demands(&instance.exams[exam]);
    if !demands.is_empty() {
        fact(ui, "Needs", &demands.join(", "));
    }
    let people = instance.resources.people.iter().filter(|person| person.exams.contains(&(exam as u16)));
    let names: Vec<&str> = people.map(|person| person.name.as_str()).collect();
    match names.len() {
        0 => {}
        1 => fact(ui, "Examiner", names[0]),
        _ => fact(ui, "Examiners", &names.join(", ")),
    }
    clicked
}

fn sittings(ui: &mut Ui, instance: &Instance, timetable: &Timetable, exam: usize) -> bool {
    let mut clicked = false;
    let palette = palette(ui.visuals());
    let is_placed = timetable.period_of(exam).is_some();
    for (number, sitting) in instance.sittings().iter().enumerate().filter(|(_, sitting)| sitting.exam == exam) {
        let seats = timetable.rooms.get(number).map_or(&[][..], Vec::as_slice);
        let known = seats.iter().filter_map(|seats| {
            let room = instance.resources.rooms.get(usize::from(seats.room))?;
            Some((room.code.as_str(), seats.students))
        });
        let known: Vec<(&str, u32)> = known.collect();
        let seated: u32 = known.iter().map(|(_, students)| students).sum();
        let words = match &known[..] {
            [] => "no room".to_owned(),
            [(code, students)] if *students == sitting.students => (*code).to_owned(),
            parts => parts.iter().map(|(code, students)| format!("{code} {students}")).collect::<Vec<_>>().join(", "),
        };
        let is_seated = seated == sitting.students && !known.is_empty();
        let colour = if is_seated || !is_placed { palette.text } else { palette.bad };
        let name = format!("Room of {}", sitting_words(sitting));
        match is_placed {
            true => clicked |= link_fact(ui, &name, &words, colour, "Choose another room (R)"),
            false => coloured_fact(ui, &name, &words, colour),
        }
    }
    clicked
}

/// «38 students», «4 students, +23 min», «1 student, alone».
fn sitting_words(sitting: &Sitting) -> String {
    let extra = if sitting.extra > 0 { format!(", +{} min", sitting.extra) } else { String::new() };
    let own = if sitting.own_room { ", own room" } else { "" };
    format!("{}{extra}{own}", counted(u64::from(sitting.students), "student"))
}

/// Demands of an exam on its rooms, in words.
fn demands(exam: &Exam) -> Vec<String> {
    let needs = &exam.needs;
    let mut words = Vec::new();
    if needs.own_room {
        words.push("a room of its own".to_owned());
    }
    if needs.most_rooms > 1 {
        words.push(format!("at most {} rooms", needs.most_rooms));
    }
    words.extend(needs.features.iter().cloned());
    if !needs.rooms.is_empty() {
        let rooms: Vec<&str> = needs.rooms.iter().map(String::as_str).collect();
        words.push(format!("only {}", rooms.join(", ")));
    }
    words.extend(needs.seats.map(|seats| format!("{} reserved", counted(u64::from(seats), "seat"))));
    words
}

/// Draws the components of the cost with their counts; nothing for a session without rooms under the published objective.
pub fn components(ui: &mut Ui, document: &mut Document) {
    let instance = std::sync::Arc::clone(&document.instance);
    let Some(verdict) = document.verdict().cloned().filter(|_| instance.is_session()) else { return };
    ui.add_space(space::S);
    let mut change = false;
    section(ui, &format!("Objective {}", instance.objective.kind.label()), |ui| {
        let response = button(ui, Icon::Pencil, "Change…", !document.is_solving());
        change = response.on_hover_text("Choose what the searches minimise").clicked();
    });
    let palette = palette(ui.visuals());
    columns(ui, [("count", COUNT), ("cost", COST)], palette.weak, |_| {});
    for component in &verdict.components {
        let (count, cost) = (grouped(component.count), grouped(component.cost));
        let label = RichText::new(sentence_case(&component.label)).color(palette.weak);
        columns(ui, [(&count, COUNT), (&cost, COST)], palette.text, |ui| {
            ui.add(egui::Label::new(label).wrap());
        });
    }
    if change {
        document.choosing_objective = true;
    }
}

/// Draws a row of the components: the label, which may take several lines, and two numbers at the right.
fn columns(ui: &mut Ui, numbers: [(&str, f32); 2], colour: Color32, label: impl FnOnce(&mut Ui)) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let room = (ui.available_width() - COUNT - COST).max(60.0);
        ui.allocate_ui_with_layout(vec2(room, 0.0), Layout::top_down(Align::Min), |ui| {
            ui.set_width(room);
            label(ui);
        });
        for (number, width) in numbers {
            ui.allocate_ui_with_layout(vec2(width, 18.0), Layout::right_to_left(Align::Min), |ui| {
                ui.label(RichText::new(number).color(colour));
            });
        }
    });
}
