//! Exams without a place: why, what would help, and dragging them into a period.

use std::sync::Arc;

use egui::{Label, Response, Ui};
use gridwright_timetabling::Instance;
use gridwright_timetabling::without_place::{LeftOver, Remedy};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::section;

use super::banners::sentence;
use super::describe::counted;
use super::editing::Edit;
use super::state::Document;
use crate::methods::*;

/// Exams that are listed at first.
const FIRST: usize = 8;

/// Exam that is dragged from the list into a period.
struct Held(usize);

/// Lists the exams without a place; nothing while a run goes on or if every exam has one.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(picture) = document.picture().filter(|picture| picture.cost.unplaced > 0).map(Arc::clone) else { return };
    if document.is_solving() {
        return;
    }
    let instance = Arc::clone(&document.instance);
    let palette = palette(ui.visuals());
    section(ui, "Without a place", |ui| {
        ui.label(theme::small(counted(u64::from(picture.cost.unplaced), "exam")).color(palette.bad));
    });
    let mut selected = None;
    let shows_all = document.state.without_place.all;
    let mut more = false;
    match document.state.without_place.of(ui, &instance, &picture.timetable) {
        None => {
            ui.spinner();
        }
        Some(found) => {
            let count = if shows_all { found.left.len() } else { FIRST };
            for left in found.left.iter().take(count) {
                if exam(ui, &instance, left) {
                    selected = Some(left.exam);
                }
            }
            more = found.left.len() > count && ui.link(format!("{} more…", found.left.len() - count)).clicked();
            help(ui, found.remedies.as_deref());
        }
    }
    document.state.without_place.all |= more;
    choice(ui, document);
    ui.add_space(space::M);
    if selected.is_some() {
        document.selected = selected;
    }
}

/// Draws an exam with what keeps it out of the periods; returns `true` if it was clicked.
fn exam(ui: &mut Ui, instance: &Instance, left: &LeftOver) -> bool {
    let data = &instance.exams[left.exam];
    let id = ui.scope_id().with(("without a place", left.exam));
    let line = ui.dnd_drag_source(id, Held(left.exam), |ui| {
        ui.horizontal(|ui| {
            let name = ui.link(&data.code).on_hover_text("Click to see its periods, or drag it into one");
            let students = counted(u64::from(data.enrolment), "student");
            ui.label(theme::small(students).color(palette(ui.visuals()).weak));
            name.clicked()
        })
        .inner
    });
    ui.add(Label::new(theme::small(left.why()).color(palette(ui.visuals()).weak)).wrap());
    line.inner
}

/// Says which changes would help, once that is known.
fn help(ui: &mut Ui, remedies: Option<&[Remedy]>) {
    ui.add_space(space::XS);
    ui.label(theme::bold("What would help"));
    let weak = palette(ui.visuals()).weak;
    match remedies {
        None => {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.label(theme::small("Each change is tried").color(weak));
            });
        }
        Some([]) => {
            let text = "No change of a single demand was found that gives one of them a place.";
            ui.add(Label::new(theme::small(text).color(weak)).wrap());
        }
        Some(remedies) => {
            for remedy in remedies {
                let text = format!("{}: a place for {}", remedy.change, counted(remedy.exams as u64, "exam"));
                ui.add(Label::new(theme::small(sentence(&text))).wrap());
            }
        }
    }
}

/// Draws the choice of what to leave out, for the next run.
fn choice(ui: &mut Ui, document: &mut Document) {
    ui.add_space(space::XS);
    let present = document.instance.rules.fewest_exams;
    let mut chosen = present;
    ui.label(theme::bold("The next run leaves out"));
    ui.horizontal(|ui| {
        let help = "As few students as possible have an exam without a place";
        ui.radio_value(&mut chosen, false, "few students").on_hover_text(help);
        let help = "As few exams as possible have no place, however many students they have";
        ui.radio_value(&mut chosen, true, "few exams").on_hover_text(help);
    });
    if chosen != present
        && let Err(why) = document.apply(vec![Edit::LeaveOut { fewest_exams: chosen }])
    {
        document.say(why);
    }
}

/// Exam that is dragged over a view from the list.
#[derive(Default)]
pub(crate) struct Dragged {
    /// The exam and the column under it.
    pub over: Option<(usize, Option<usize>)>,
    /// The exam and the column on which it was dropped.
    pub dropped: Option<(usize, usize)>,
}

/// Finds the exam that is dragged from the list over a view, whose column under the pointer is `column`.
pub fn dragged(response: &Response, column: Option<usize>) -> Dragged {
    let dropped = response.dnd_release_payload::<Held>().and_then(|held| Some((held.0, column?)));
    let over = response.dnd_hover_payload::<Held>().map(|held| (held.0, column));
    Dragged { over, dropped }
}
