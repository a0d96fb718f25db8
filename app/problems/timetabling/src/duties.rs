//! View of the duties: invigilators as rows, periods as columns, posts that lack people in a last row.
//!
//! A duty is dragged to another person, who gives a duty at the same time in exchange; a post without a person is dragged to
//! one, and a duty into the last row is taken away.

mod board;

use std::sync::Arc;

use egui::{RichText, Ui};
use gridwright_core::numbers::{counted, counted_as};
use gridwright_core::text::sentence_case;
use gridwright_timetabling::invigilation::adjust::adjust;
use gridwright_timetabling::invigilation::assign;
use gridwright_timetabling::invigilation::check::check;
use gridwright_timetabling::invigilation::open::{DutyMove, changed};
use gridwright_timetabling::invigilation::replace::{LateAbsence, replace, with_absences};
use gridwright_timetabling::{Duty, Instance};

use super::adjusting::move_warning::{footer, reason};
use super::editing::Edit;
use super::state::Document;
use super::view_state::duties::{Assigned, Found, Known};
use super::view_state::rooms::Of;
use crate::methods::*;
use crate::widgets::matrix::{self, Outcome};
use board::Board;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::{button, icon_button, placeholder, primary};
use gridwright_window::widgets::dialog::{Wish, closes, dialog, heading};
use gridwright_window::widgets::icons::Icon;

/// Height of a row at which posts can be read.
const ACTUAL: f32 = 32.0;
/// Sentences that are shown above the duties; the others stand in a tooltip.
const TOLD: usize = 3;
/// Reasons that a question lists.
const LISTED: usize = 6;

/// Shows the duties.
pub fn show(ui: &mut Ui, document: &mut Document) {
    let Some(picture) = document.picture().map(Arc::clone) else { return };
    if picture.timetable.rooms.is_empty() {
        let text = "This timetable was made without rooms. Solve again, then the rooms can be invigilated.";
        placeholder(ui, Icon::Info, "No exam has a room", text, |_| {});
        return;
    }
    let instance = Arc::clone(&document.instance);
    let known = document.state.duties.known.as_ref();
    let is_known =
        |known: &Known| Arc::ptr_eq(&known.instance, &instance) && Arc::ptr_eq(&known.timetable, &picture.timetable);
    if !known.is_some_and(is_known) {
        document.state.duties.known = Some(Known::of(&instance, &picture.timetable));
        document.state.duties.held = None;
    }
    take_assignment(document);
    toolbar(ui, document);
    told(ui, document);
    if instance.duties.is_empty() {
        let text = "Assign covers the rooms of this timetable, with loads that are as even as absences allow.";
        let lacking = instance.invigilators_lacking().map(|why| format!("{}.", sentence_case(&why)));
        let text = lacking.map_or_else(|| text.to_owned(), |why| format!("{text} {why}"));
        let mut begins = false;
        placeholder(ui, Icon::Info, "Nobody has a duty yet", &text, |ui| {
            begins =
                primary(ui, Icon::Play, "Assign invigilators", !document.state.duties.assigning.is_busy()).clicked();
        });
        if begins {
            begin(ui, document, false);
        }
        return;
    }
    let state = &mut document.state.duties;
    let Some(known) = &state.known else { return };
    let board = Board::new(known, state.held, palette(ui.visuals()));
    let outcome = matrix::show(ui, &board, &mut state.view, state.row);
    if let Some(cell) = outcome.hovered.filter(|_| outcome.dragged.is_none()) {
        outcome.response.clone().on_hover_ui_at_pointer(|ui| board.tooltip(ui, cell));
    }
    follow(ui, document, &outcome);
}

/// Starts to assign the invigilators beside the window; with `keeps`, everybody stays who can.
fn begin(ui: &Ui, document: &mut Document, keeps: bool) {
    let Some(picture) = document.picture().map(Arc::clone) else { return };
    let (instance, timetable) = (Arc::clone(&document.instance), Arc::clone(&picture.timetable));
    let work = move || {
        let found = match keeps {
            true => adjust(&instance, &timetable, &instance.duties).map(Found::Adjusted),
            false => assign(&instance, &timetable).map(Found::Anew),
        };
        Assigned { of: Of(instance, timetable), found: found.map_err(|error| error.to_string()) }
    };
    document.state.duties.assigning.begin(ui.ctx(), "invigilators", work);
}

/// Takes over an assignment that has ended, unless session or timetable have changed meanwhile.
fn take_assignment(document: &mut Document) {
    let Some(answer) = document.state.duties.assigning.take_result() else { return };
    let Some(picture) = document.picture().map(Arc::clone) else { return };
    let is_present = |assigned: &Assigned| assigned.of.is(&document.instance, &picture.timetable);
    match answer.map(|assigned| is_present(&assigned).then_some(assigned.found)) {
        Ok(None) => {
            let why = "The timetable or the data have changed while the invigilators were assigned. Assign them again.";
            tell(document, vec![why.to_owned()]);
        }
        Ok(Some(Ok(Found::Anew(found)))) => {
            let loads = found.loads.map_or_else(String::new, |loads| {
                format!("Each person has {} to {} duties", loads.smallest, loads.largest)
            });
            document.state.duties.told = found.shortages.into_iter().chain(found.gaps).collect();
            take_over(document, (found.duties, found.needed), "assign the invigilators", &loads);
        }
        Ok(Some(Ok(Found::Adjusted(found)))) => {
            let words = sentence_case(&found.in_words());
            document.state.duties.told = found.gaps;
            take_over(document, (found.duties, found.needed), "adjust the duties", &words);
        }
        Ok(Some(Err(why))) | Err(why) => tell(document, vec![why]),
    }
}

/// Makes these duties the present ones and tells how many of the needed ones they cover.
fn take_over(document: &mut Document, (duties, needed): (Vec<Duty>, usize), name: &str, further: &str) {
    let covered = format!("{} of {} are covered", duties.len(), counted_as(needed as u64, "duty", "duties"));
    let answer = document.apply(vec![Edit::Duties(Arc::new(duties), name.to_owned())]);
    told_now(document);
    match answer {
        Ok(()) => document.tell_done(covered, further),
        Err(why) => document.say(why),
    }
}

/// The present duties changed.
fn apply(document: &mut Document, change: &DutyMove) {
    let instance = Arc::clone(&document.instance);
    let duties = Arc::new(changed(&instance, &instance.duties, change));
    if let Err(why) = document.apply(vec![Edit::Duties(duties, words(&instance, change))]) {
        document.say(why);
    }
}

/// A change in words: «give room H1 of Anna to Berta».
fn words(instance: &Instance, change: &DutyMove) -> String {
    let name = |person: usize| instance.resources.invigilators.get(person).map_or("?", |person| person.label());
    let holder = |duty: &Duty| {
        let person = instance.resources.invigilators.iter().find(|person| person.code == duty.invigilator);
        person.map_or(duty.invigilator.as_str(), |person| person.label()).to_owned()
    };
    match change {
        DutyMove::Give(at, to) => match instance.duties.get(*at) {
            Some(duty) => {
                let (post, when) = (duty.post.words(), duty.when.words());
                format!("give {post} of {}, {when}, to {}", holder(duty), name(*to))
            }
            None => "give a duty".to_owned(),
        },
        DutyMove::Fill(open, to) => format!("put {} at {}, {}", name(*to), open.post.words(), open.when.words()),
        DutyMove::Drop(at) => match instance.duties.get(*at) {
            Some(duty) => format!("take {}, {}, from {}", duty.post.words(), duty.when.words(), holder(duty)),
            None => "take a duty away".to_owned(),
        },
    }
}

/// Sentences of the checker that hold after a change only; those about cover are left out where the change takes a duty away.
fn against(document: &Document, change: &DutyMove) -> Vec<String> {
    let (instance, Some(picture)) = (&document.instance, document.picture()) else { return Vec::new() };
    let before = document.state.duties.known.as_ref().map_or(&[][..], |known| &known.faults);
    let after = check(instance, &picture.timetable, &changed(instance, &instance.duties, change));
    let is_new = |text: &String| !before.iter().any(|fault| fault.text == *text);
    after.into_iter().map(|fault| fault.text).filter(is_new).collect()
}

/// Makes a change at once if nothing speaks against it, otherwise asks.
fn ask(document: &mut Document, change: DutyMove) {
    let against = against(document, &change);
    match against.is_empty() {
        true => apply(document, &change),
        false => document.state.duties.warning = Some((change, against)),
    }
}

/// The change that puts what is in one cell into another; `None` if nothing would change.
fn change_of(known: &Known, held: Option<usize>, from: (usize, usize), to: usize) -> Option<DutyMove> {
    let people = known.instance.resources.invigilators.len();
    let (row, period) = from;
    if row == to {
        return None;
    }
    if row >= people {
        let open = known.open_in(period).next()?.clone();
        return Some(DutyMove::Fill(open, to)).filter(|_| to < people);
    }
    let cell = known.cells.get(row * known.instance.period_count() + period)?;
    let duty = cell.iter().copied().find(|&duty| Some(duty) == held).or_else(|| cell.first().copied())?;
    Some(if to < people { DutyMove::Give(duty, to) } else { DutyMove::Drop(duty) })
}

/// Applies the user's clicks, drags and keys on the duties.
fn follow(ui: &Ui, document: &mut Document, outcome: &Outcome) {
    document.canvas_focused = outcome.response.has_focus();
    let state = &mut document.state.duties;
    state.row = outcome.stepped.or(outcome.clicked.flatten()).or(state.row);
    let clicked = outcome.clicked.and_then(|row| row.zip(outcome.hovered.map(|(_, column)| column)));
    let chosen = clicked.or(outcome.pressed).or(outcome.cursor.filter(|_| outcome.entered));
    let Some(known) = &state.known else { return };
    if let Some((row, period)) = chosen {
        let cell = known.cells.get(row * known.instance.period_count() + period).map_or(&[][..], Vec::as_slice);
        // A second click on a cell goes on to its next duty.
        let at = cell.iter().position(|&duty| Some(duty) == state.held);
        state.held = cell.get(at.map_or(0, |at| (at + 1) % cell.len().max(1))).copied();
    }
    let Some(from) = outcome.dragged else { return };
    let at = ui.input(|input| input.pointer.latest_pos()).and_then(|at| outcome.layout.row_at(at));
    let Some(change) = at.and_then(|to| change_of(known, state.held, from, to)) else { return };
    if outcome.dropped.is_some() {
        ask(document, change);
    } else if outcome.response.dragged() {
        hint(ui, document, &change);
    }
}

/// Draws a change and what speaks against it beside the pointer.
fn hint(ui: &Ui, document: &Document, change: &DutyMove) {
    let against = against(document, change);
    let (layer, id) = (ui.layer_id(), ui.scope_id().with("duty hint"));
    egui::Tooltip::always_open(ui.ctx().clone(), layer, id, egui::PopupAnchor::Pointer).show(|ui| {
        let palette = palette(ui.visuals());
        ui.label(theme::bold(sentence_case(&words(&document.instance, change))));
        match &against[..] {
            [] => ui.label("Nothing speaks against it"),
            [first, others @ ..] => {
                let more = if others.is_empty() { String::new() } else { format!("; and {} more", others.len()) };
                ui.label(RichText::new(sentence_case(first) + &more).color(palette.bad))
            }
        };
    });
}

/// Asks about a change that something speaks against.
pub(crate) fn warning_dialog(ctx: &egui::Context, document: &mut Document) {
    let Some((change, against)) = document.state.duties.warning.take() else { return };
    let title = sentence_case(&words(&document.instance, &change));
    let mut anyway = false;
    let response = dialog(ctx, "Doubtful duty", 460.0, |ui| {
        let mut wish = Wish::Stay;
        heading(ui, "Change this duty?", &mut wish);
        ui.add(egui::Label::new(theme::bold(&title)).wrap());
        against.iter().take(LISTED).for_each(|line| reason(ui, &sentence_case(line)));
        if against.len() > LISTED {
            reason(ui, &format!("And {} more", against.len() - LISTED));
        }
        ui.add_space(space::S);
        anyway = footer(ui, "The duties then break these demands", "The duties stay as they are (Escape)", &mut wish);
        wish
    });
    match anyway {
        true => apply(document, &change),
        false if closes(&response) => {}
        false => document.state.duties.warning = Some((change, against)),
    }
}

/// Finds somebody else for the held duty, whose person has become absent in its period.
fn replace_held(document: &mut Document) {
    let (instance, Some(picture)) = (Arc::clone(&document.instance), document.picture().map(Arc::clone)) else {
        return;
    };
    let Some(duty) = document.state.duties.held.and_then(|held| instance.duties.get(held)) else { return };
    let people = &instance.resources.invigilators;
    let person = people.iter().position(|person| person.code == duty.invigilator);
    let Some((person, period)) = person.zip(instance.period_of(&duty.when)) else { return };
    let absence = LateAbsence { person, periods: [period as u16].into() };
    let absent = with_absences(&instance, &[absence]);
    let name = |code: &String| {
        people.iter().find(|person| person.code == *code).map_or(code.as_str(), |person| person.label()).to_owned()
    };
    match replace(&absent, &picture.timetable, &instance.duties) {
        Err(error) => tell(document, vec![error.to_string()]),
        Ok(found) => {
            let of = people[person].label();
            let names = |codes: &[String]| codes.iter().map(name).collect::<Vec<_>>().join(", ");
            let told = found.vacancies.iter().map(|vacancy| match &vacancy.by {
                Some(by) => format!("{}: {} instead of {of}", vacancy.duty.post.words(), name(by)),
                None if vacancy.reserves.is_empty() => {
                    format!("{}: nobody can replace {of}", vacancy.duty.post.words())
                }
                None => {
                    let (post, reserves) = (vacancy.duty.post.words(), names(&vacancy.reserves));
                    format!("{post}: nobody else is free for {of}; on duty as a reserve: {reserves}")
                }
            });
            tell(document, told.map(|line| sentence_case(&line)).collect());
            // Who has no replacement keeps the duty until the person decides.
            if found.vacancies.iter().any(|vacancy| vacancy.by.is_none()) {
                return;
            }
            let words = format!("replace {of} in {}", instance.period_name(period));
            if let Err(why) = document.apply(vec![Edit::Duties(Arc::new(found.duties), words)]) {
                document.say(why);
            }
            told_now(document);
        }
    }
}

/// Shows sentences about the present duties.
fn tell(document: &mut Document, told: Vec<String>) {
    document.state.duties.told = told;
    told_now(document);
}

/// The sentences are about the duties as they are now.
fn told_now(document: &mut Document) {
    document.state.duties.told_of = Some(Arc::clone(&document.instance.duties));
}

fn toolbar(ui: &mut Ui, document: &mut Document) {
    let palette = palette(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(space::S, space::XS);
        let is_busy = document.state.duties.assigning.is_busy();
        if is_busy {
            ui.spinner();
            ui.label("The duties are being assigned");
        } else if !document.instance.duties.is_empty() {
            let is_faulty = document.state.duties.known.as_ref().is_some_and(|known| !known.faults.is_empty());
            let help = "Whoever can stays where they are, and the other posts of this timetable get people";
            let response = button(ui, Icon::Check, "Adjust", is_faulty).on_hover_text(help);
            if response.on_disabled_hover_text("Everything is covered, nothing has to be adjusted").clicked() {
                begin(ui, document, true);
            }
            let help = "Cover the rooms of this timetable anew, with even loads; anybody may get other duties. Undo brings the present ones back";
            if button(ui, Icon::Play, "Assign again", true).on_hover_text(help).clicked() {
                begin(ui, document, false);
            }
            let held = document.state.duties.held.is_some();
            let help = "Another person takes the selected duty, nobody else moves";
            let response = button(ui, Icon::Reset, "Replace", held).on_hover_text(help);
            if response.on_disabled_hover_text("Click the duty of the absent person first").clicked() {
                replace_held(document);
            }
        }
        matrix::size_buttons(
            ui,
            &mut document.state.duties.view,
            ACTUAL,
            ["Cells in which the posts can be read", "Fit all invigilators into the view"],
        );
        let Some(known) = document.state.duties.known.as_ref().filter(|known| !known.instance.duties.is_empty()) else {
            return;
        };
        let lines: Vec<&str> = known.faults.iter().map(|fault| fault.text.as_str()).collect();
        let (words, colour) = match lines.len() {
            0 => ("Everything is covered".to_owned(), palette.good),
            count => (counted(count as u64, "problem"), palette.bad),
        };
        ui.label(theme::bold(words).color(colour)).on_hover_text(lines.join("\n"));
    });
}

/// Draws what the last assignment or replacement said.
fn told(ui: &mut Ui, document: &mut Document) {
    let state = &document.state.duties;
    let is_present = state.told_of.as_ref().is_some_and(|of| Arc::ptr_eq(of, &document.instance.duties));
    let lines = &state.told;
    if lines.is_empty() || !is_present {
        return;
    }
    let palette = palette(ui.visuals());
    let mut closes = false;
    ui.horizontal_top(|ui| {
        closes = icon_button(ui, Icon::Cross, "Hide these sentences", true).clicked();
        ui.vertical(|ui| {
            for line in lines.iter().take(TOLD) {
                ui.add(egui::Label::new(RichText::new(sentence_case(line)).color(palette.text)).wrap());
            }
            if lines.len() > TOLD {
                let more = theme::small(format!("and {} more", lines.len() - TOLD)).color(palette.weak);
                ui.label(more).on_hover_text(lines[TOLD..].join("\n"));
            }
        });
    });
    if closes {
        document.state.duties.told.clear();
    }
}
