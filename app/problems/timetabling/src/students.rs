//! All students as a table, and the exams of one of them in time.

use std::sync::Arc;

use egui::{Align, Frame, Label, Layout, Margin, RichText, Ui};
use egui_extras::{Column, TableRow};
use gridwright_core::numbers::grouped;
use gridwright_timetabling::counts::StudentCounts;
use gridwright_timetabling::{Instance, Timetable};

use super::Document;
use super::analysis::{Facts, People, Picture, days};
use super::describe::{counted, exam_line};
use super::search;
use super::view_state::students::{By, Group, Key, State};
use crate::methods::*;
use crate::widgets::timeline::{self, Block, Timeline};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::choices::Choices;
use gridwright_window::widgets::controls::right;
use gridwright_window::widgets::controls::{icon_button, placeholder};
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::table::{Table, TableColumn, label_row};

/// The students of an exam who have another exam `distance` periods away, ascending.
pub fn near(instance: &Instance, timetable: &Timetable, facts: &Facts, exam: usize, distance: usize) -> Vec<usize> {
    let Some(here) = timetable.period_of(exam) else { return Vec::new() };
    let others = |student: usize| instance.students.exams_of(student).iter().map(|&other| usize::from(other));
    let close = |student: usize| {
        let mut periods = others(student).filter(|&other| other != exam).filter_map(|other| timetable.period_of(other));
        periods.any(|period| period.abs_diff(here) == distance)
    };
    facts.sitting.students_of(exam).iter().map(|&student| student as usize).filter(|&s| close(s)).collect()
}

const HEADINGS: [(By, &str, &str); 6] = [
    (By::Code, "Student", "Sort by code"),
    (By::Exams, "Sits", "Number of exams that have a period"),
    (By::Cost, "Cost", "What this student's exams cost: 16, 8, 4, 2, 1 for each two that are 1 … 5 periods apart"),
    (By::Clash, "Clash", "Pairs of exams in the same period"),
    (By::Row, "In a row", "Whether two exams are in adjacent periods of a day"),
    (By::Day, "Most a day", "Exams on the fullest day"),
];

/// Tooltip of the cost under objectives that do not weigh distances alone.
const COST_OF_OTHERS: &str = "What the days and distances of this student's exams cost by the objective";

/// Shows the table, and below it the exams of the selected student in time.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(picture) = document.picture().map(Arc::clone) else { return };
    let instance = Arc::clone(&document.instance);
    let Some(people) = document.people(ui.ctx()) else { return };
    toolbar(ui, document, &instance, &people);
    let counts = (&*people, document.people_number());
    document.state.views.students.update(&instance, &picture, &document.state.facts, counts);
    let wanted = document.state.views.students.selected.filter(|_| document.state.views.students.reveal);
    if wanted.is_some_and(|student| !document.state.views.students.listed.contains(&(student as u32))) {
        document.state.views.students.group = Group::All;
        document.state.views.students.update(&instance, &picture, &document.state.facts, counts);
    }
    let selected = document.state.views.students.selected.filter(|&student| student < instance.students.len());
    if let Some(student) = selected {
        let frame = Frame::new().inner_margin(Margin { left: 0, right: 0, top: 6, bottom: 0 });
        egui::Panel::bottom("student").resizable(false).show_separator_line(true).frame(frame).show(ui, |ui| {
            strip(ui, document, &instance, &picture, (student, people.students.get(student)));
        });
    }
    if document.state.views.students.listed.is_empty() {
        let text = format!("{}: nobody.", document.state.views.students.group.words(&instance));
        placeholder(ui, Icon::Check, "No such student", &text, |_| {});
        return;
    }
    table(ui, document, &instance, &people);
}

fn toolbar(ui: &mut Ui, document: &mut Document, instance: &Instance, people: &People) {
    let palette = palette(ui.visuals());
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::S;
        let (known, exam) = (people.counts.students_two_a_day.is_some(), document.selected);
        let state = &mut document.state.views.students;
        Choices::new("Which students", state.group.words(instance))
            .width(170.0)
            .help("Which students are listed")
            .show(ui, |ui| {
                let of_exam = exam.map(|exam| [Group::Of(exam), Group::Near(exam, 0), Group::Near(exam, 1)]);
                for group in Group::ALL.into_iter().chain(of_exam.into_iter().flatten()) {
                    if known || !matches!(group, Group::TwoADay | Group::ThreeADay) {
                        ui.selectable_value(&mut state.group, group, group.words(instance));
                    }
                }
            });
        search::field(ui, document, 168.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let listed = document.state.views.students.listed.len() as u64;
            ui.label(theme::small(counted(listed, "student")).color(palette.weak));
        });
    });
}

fn table(ui: &mut Ui, document: &mut Document, instance: &Instance, people: &People) {
    let palette = palette(ui.visuals());
    let state = &mut document.state.views.students;
    let students = &people.students;
    // Without dates nobody knows what a day is.
    let shown = HEADINGS.len() - usize::from(people.counts.students_two_a_day.is_none());
    ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, palette.surface);
    ui.spacing_mut().item_spacing = egui::vec2(12.0, 0.0);
    let column = |(by, name, help)| {
        let help = if by == By::Cost && !instance.objective.is_toronto() { COST_OF_OTHERS } else { help };
        let column = match by {
            By::Code => TableColumn::text(name, Column::remainder().at_least(80.0).clip(true)),
            _ => TableColumn::number(name, Column::exact(72.0)),
        };
        column.sorted(by, help)
    };
    let is_revealed = std::mem::take(&mut state.reveal);
    let reveal = state.selected.filter(|_| is_revealed);
    let reveal = reveal.and_then(|student| state.listed.iter().position(|&listed| listed as usize == student));
    let table = Table {
        id: "students",
        columns: HEADINGS.into_iter().take(shown).map(column).collect(),
        order: state.order,
        is_striped: false,
        reveal: reveal.map(|row| (row, Some(Align::Center))),
    };
    let outcome = table.show(ui, state.listed.len(), |table_row, index| {
        let student = state.listed[index] as usize;
        let counts = students.get(student).copied().unwrap_or_default();
        let is_selected = state.selected == Some(student);
        table_row.set_selected(is_selected);
        row(table_row, &instance.students.code(student), counts, (shown - 1, is_selected));
    });
    state.order = outcome.order.unwrap_or(state.order);
    if let Some(student) = outcome.row.and_then(|row| state.listed.get(row)).map(|&student| student as usize) {
        state.selected = if state.selected == Some(student) { None } else { Some(student) };
    }
}

/// One student with the first `cells` of the counts.
fn row(row: &mut TableRow<'_, '_>, code: &str, counts: StudentCounts, (cells, is_selected): (usize, bool)) {
    row.col(|ui| {
        ui.add(Label::new(theme::bold(code).color(palette(ui.visuals()).text)).truncate());
    });
    let words = [
        counts.exams.to_string(),
        counts.cost.to_string(),
        if counts.clashes > 0 { counts.clashes.to_string() } else { "–".to_owned() },
        if counts.in_a_row { "yes" } else { "–" }.to_owned(),
        counts.most_a_day.map_or_else(|| "–".to_owned(), |most| most.to_string()),
    ];
    for (index, cell) in words.iter().take(cells).enumerate() {
        row.col(|ui| {
            let palette = palette(ui.visuals());
            let colour = match cell.as_str() {
                "–" => palette.faint,
                _ if index == 2 => palette.bad,
                _ => palette.text,
            };
            right(ui, cell, colour);
        });
    }
    label_row(row, is_selected, || {
        format!("Student {code}, {}, cost {}", counted(u64::from(counts.exams), "exam"), words[1])
    });
}

/// The exams of a student in time, with the student's counts; a click selects the exam.
fn strip(
    ui: &mut Ui, document: &mut Document, instance: &Instance, picture: &Picture,
    (student, counts): (usize, Option<&StudentCounts>),
) {
    let palette = palette(ui.visuals());
    let counts = counts.copied().unwrap_or_default();
    let exams = instance.students.exams_of(student);
    let mut close = false;
    ui.horizontal(|ui| {
        ui.label(theme::heading(format!("Student {}", instance.students.code(student))));
        let words = format!("{}, cost {}", counted(exams.len() as u64, "exam"), grouped(i64::from(counts.cost)));
        ui.label(RichText::new(words).color(palette.weak));
        if counts.clashes > 0 {
            let pairs = counted(u64::from(counts.clashes), "pair");
            ui.label(theme::bold(format!("{pairs} of exams at the same time")).color(palette.bad));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            close = icon_button(ui, Icon::Cross, "Close the student", true).clicked();
        });
    });
    let place = |exam: u16| picture.timetable.period_of(usize::from(exam));
    let mut blocks: Vec<Block> = Vec::new();
    for &exam in exams {
        let Some(slot) = place(exam) else { continue };
        let alarm = exams.iter().any(|&other| other != exam && place(other) == Some(slot));
        let exam = usize::from(exam);
        let strength = picture.strength(exam);
        let (fill, ink) = match alarm {
            true => (palette.clash, palette.on_clash()),
            false => (palette.cost(strength), palette.on_cost(strength)),
        };
        blocks.push(Block { key: exam, slot, name: instance.exams[exam].code.clone(), fill, ink, alarm });
    }
    blocks.sort_by_key(|block| block.slot);
    let days = days(instance);
    let summary = format!("Exams of student {}", instance.students.code(student));
    let strip = Timeline {
        slots: instance.period_count(),
        groups: &days,
        blocks: &blocks,
        selected: document.selected,
        describe: &|exam| exam_line(instance, picture, exam),
        summary: &summary,
    };
    if let Some(exam) = timeline::show(ui, &strip) {
        document.selected = Some(exam);
    }
    let nowhere: Vec<&str> = exams
        .iter()
        .filter(|&&exam| place(exam).is_none())
        .map(|&exam| instance.exams[usize::from(exam)].code.as_str())
        .collect();
    if !nowhere.is_empty() {
        ui.label(theme::small(format!("Without a period: {}", nowhere.join(", "))).color(palette.bad));
    }
    if close {
        document.state.views.students.selected = None;
    }
}

impl State {
    /// Selects a student and brings the row into view.
    pub fn show(&mut self, student: usize) {
        (self.selected, self.reveal) = (Some(student), true);
    }

    /// Lists these students only.
    pub fn list(&mut self, group: Group) {
        (self.group, self.selected) = (group, None);
    }

    /// The selected student; `None` if none is.
    pub fn selected(&self) -> Option<usize> {
        self.selected
    }

    fn update(&mut self, instance: &Instance, picture: &Picture, facts: &Facts, people: (&People, u64)) {
        let (people, number) = people;
        let key = Key { number, order: self.order, group: self.group };
        if self.key == Some(key) {
            return;
        }
        let students = &people.students;
        let admits = |counts: &StudentCounts| match self.group {
            Group::Clash => counts.clashes > 0,
            Group::InARow => counts.in_a_row,
            Group::TwoADay => counts.most_a_day == Some(2),
            Group::ThreeADay => counts.most_a_day.is_some_and(|most| most > 2),
            _ => true,
        };
        self.listed = match self.group {
            Group::Of(exam) => facts.sitting.students_of(exam).to_vec(),
            Group::Near(exam, distance) => {
                near(instance, &picture.timetable, facts, exam, distance).into_iter().map(|s| s as u32).collect()
            }
            _ => (0..students.len()).filter(|&s| admits(&students[s])).map(|s| s as u32).collect(),
        };
        let of = |student: u32| students.get(student as usize).copied().unwrap_or_default();
        match self.order.by {
            // Without codes a student's name is its number, and they are in this order already.
            By::Code if instance.students.codes.is_empty() => {}
            By::Code => self.listed.sort_by_cached_key(|&student| instance.students.code(student as usize)),
            By::Exams => self.listed.sort_by_key(|&student| of(student).exams),
            By::Cost => self.listed.sort_by_key(|&student| of(student).cost),
            By::Clash => self.listed.sort_by_key(|&student| (of(student).clashes, of(student).cost)),
            By::Row => self.listed.sort_by_key(|&student| (of(student).in_a_row, of(student).cost)),
            By::Day => self.listed.sort_by_key(|&student| (of(student).most_a_day, of(student).cost)),
        }
        if self.order.is_descending {
            self.listed.reverse();
        }
        self.key = Some(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_timetabling::{Exam, InstanceParts, Period};
    use gridwright_window::widgets::table::SortOrder;

    #[test]
    fn groups_list_whom_they_name() {
        let exam = |code: &str| Exam { code: code.to_owned(), ..Exam::default() };
        let instance = Instance::build(InstanceParts {
            exams: ["a", "b", "c", "d"].map(exam).to_vec(),
            students: vec![vec![0, 1, 2], vec![1, 3], vec![1], vec![2, 3]],
            periods: vec![Period::default(); 6],
            ..InstanceParts::default()
        })
        .unwrap();
        let facts = Facts::of(&instance);
        // Costs by hand: 8 + 4 + 0 (5 apart: 1) = 13; a clash; nothing; 4.
        let picture = Picture::of(&instance, Arc::new(Timetable::of(vec![0, 2, 5, 2])));
        let listed = |group: Group, by: By| {
            let mut state = State { group, order: SortOrder::of(by), ..State::default() };
            state.update(&instance, &picture, &facts, (picture.people(&instance), 1));
            state.listed
        };
        assert_eq!(listed(Group::All, By::Cost), [0, 3, 2, 1]);
        assert_eq!(listed(Group::All, By::Code), [0, 1, 2, 3]);
        assert_eq!(listed(Group::Clash, By::Cost), [1]);
        assert_eq!(listed(Group::InARow, By::Cost), [] as [u32; 0]);
        assert_eq!(listed(Group::Of(3), By::Code), [1, 3]);
        assert_eq!(near(&instance, &picture.timetable, &facts, 1, 0), [1]);
        assert_eq!(near(&instance, &picture.timetable, &facts, 1, 2), [0]);
    }
}
