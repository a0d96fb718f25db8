//! Changes of rooms by hand: their consequences, the question before a doubtful one, and the dialog that lists the rooms.

use std::sync::Arc;

use easy_ext::ext;
use egui::{RichText, Ui};
use gridwright_core::numbers::{counted, counted_as, grouped};
use gridwright_core::text::sentence_case;
use gridwright_timetabling::check::check;
use gridwright_timetabling::room_moves::{self, Choices, Part, Preview, RoomMove};
use gridwright_timetabling::{Instance, Timetable};

use super::move_warning::{footer, reason};
use super::{change_words, cost_words};
use crate::editing::{self, Edit};
use crate::methods::*;
use crate::state::Document;
use crate::view_state::rooms::{Of, RoomDialog};
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::choices::Choices as List;
use gridwright_window::widgets::controls::button;
use gridwright_window::widgets::dialog::{Wish, closes, dialog, heading};
use gridwright_window::widgets::entry::Number;
use gridwright_window::widgets::icons::Icon;

/// Width of the names of rooms in points.
const CODE: f32 = 180.0;

/// Reasons that are listed.
const LISTED: usize = 6;

/// Changes of rooms by hand.
#[ext(RoomMethods)]
impl Document {
    /// Places for a part in all periods and rooms; `None` without a timetable with rooms.
    pub fn room_choices(&mut self, part: Part) -> Option<Arc<Choices>> {
        let (instance, timetable) = (Arc::clone(&self.instance), Arc::clone(&self.picture()?.timetable));
        let known = self.state.rooms.known.choices.as_ref();
        if let Some((.., found)) = known.filter(|(of, other, _)| of.is(&instance, &timetable) && *other == part) {
            return Some(Arc::clone(found));
        }
        let found = Arc::new(room_moves::choices(&instance, &timetable, part)?);
        self.state.rooms.known.choices = Some((Of(instance, timetable), part, Arc::clone(&found)));
        Some(found)
    }

    /// Consequences of a change of rooms; `None` without a timetable.
    pub fn room_preview(&mut self, change: RoomMove) -> Option<Arc<Preview>> {
        let (instance, timetable) = (Arc::clone(&self.instance), Arc::clone(&self.picture()?.timetable));
        let known = self.state.rooms.known.preview.as_ref();
        if let Some((.., found)) = known.filter(|(of, other, _)| of.is(&instance, &timetable) && *other == change) {
            return Some(Arc::clone(found));
        }
        let before = self.verdict().cloned().unwrap_or_else(|| Arc::new(check(&instance, &timetable)));
        let found = Arc::new(room_moves::preview(&instance, &timetable, &before, change));
        self.state.rooms.known.preview = Some((Of(instance, timetable), change, Arc::clone(&found)));
        Some(found)
    }

    /// Makes a change of rooms at once if it breaks nothing, otherwise asks for a confirmation.
    pub fn ask_rooms(&mut self, change: RoomMove) {
        let is_free = self.room_preview(change).is_some_and(|preview| preview.is_free());
        match is_free {
            true => self.change_rooms(change),
            false => self.state.rooms.warning = Some(change),
        }
    }

    /// Makes a change of rooms; a message says why if that is not possible.
    pub fn change_rooms(&mut self, change: RoomMove) {
        if let Err(why) = self.apply(vec![Edit::Rooms(change)]) {
            self.say(why);
        }
    }

    /// Opens the dialog that lists the rooms for an exam.
    ///
    /// # Errors
    /// Error with the reason in words if the exam has no rooms to change.
    pub fn choose_room(&mut self, exam: usize) -> Result<(), &'static str> {
        let instance = Arc::clone(&self.instance);
        if !instance.has_rooms() {
            return Err("This session plans no rooms");
        }
        let timetable = Arc::clone(&self.picture().ok_or("There is no timetable yet")?.timetable);
        if timetable.period_of(exam).is_none() {
            return Err("The exam has no period yet");
        }
        let held = self.state.rooms.held.filter(|held| parts(&instance, &timetable, exam).contains(held));
        let part = held.or_else(|| parts(&instance, &timetable, exam).into_iter().next());
        let part = part.ok_or("This timetable was made without rooms; solve again first")?;
        self.state.rooms.dialog = Some(RoomDialog { exam, part, students: part.students });
        Ok(())
    }
}

/// Parts of an exam: its students by sitting and room, with those who have no seat.
pub fn parts(instance: &Instance, timetable: &Timetable, exam: usize) -> Vec<Part> {
    let sittings = instance.sittings();
    if timetable.rooms.len() != sittings.len() {
        return Vec::new();
    }
    let own = sittings.iter().enumerate().filter(|(_, sitting)| sitting.exam == exam);
    let of = own.flat_map(|(number, sitting)| {
        let seats = &timetable.rooms[number];
        let seated: u32 = seats.iter().map(|seats| seats.students).sum();
        let missing = sitting.students.saturating_sub(seated);
        let missing = (missing > 0).then_some(Part { sitting: number, room: None, students: missing });
        let seats =
            seats.iter().map(move |seats| Part { sitting: number, room: Some(seats.room), students: seats.students });
        seats.chain(missing).collect::<Vec<_>>()
    });
    of.collect()
}

/// A part in words: «38 students in H1», «4 students without a seat».
pub(crate) fn part_words(instance: &Instance, part: Part) -> String {
    let place = match part.room.and_then(|room| instance.resources.rooms.get(usize::from(room))) {
        Some(room) => format!("in {}", room.code),
        None => "without a seat".to_owned(),
    };
    format!("{} {place}", counted(part.students, "student"))
}

/// Consequences in one sentence: «better by 12», «room H1 has 20 seats, but 38 are needed and 1 more».
pub(crate) fn preview_words(instance: &Instance, preview: &Preview) -> String {
    let words = match &preview.broken[..] {
        [] => cost_words(instance, preview.change),
        [one] => one.clone(),
        [first, others @ ..] => format!("{first}; and {} more", others.len()),
    };
    match preview.beyond_plans {
        0 => words,
        count => format!("{words}; {} no seat of the plan there", counted_as(count, "student has", "students have")),
    }
}

/// Draws the consequences of dropping the held students on a room beside the pointer.
pub fn drag_hint(ui: &Ui, document: &mut Document, change: RoomMove) {
    let Some(preview) = document.room_preview(change) else { return };
    let instance = Arc::clone(&document.instance);
    let (layer, id) = (ui.layer_id(), ui.scope_id().with("room hint"));
    egui::Tooltip::always_open(ui.ctx().clone(), layer, id, egui::PopupAnchor::Pointer).show(|ui| {
        let palette = palette(ui.visuals());
        ui.label(theme::bold(place_words(&instance, change)));
        let colour = if preview.is_free() { palette.text } else { palette.bad };
        ui.label(RichText::new(sentence_case(&preview_words(&instance, &preview))).color(colour));
        if preview.moves_pin {
            ui.label(theme::small("Its pin goes along").color(palette.weak));
        }
    });
}

/// The change and its place: «Move MAT101 to H2, Tue 1 Jun, 09:00–11:00».
fn place_words(instance: &Instance, change: RoomMove) -> String {
    let words = sentence_case(&editing::room_move_words(instance, change));
    match change {
        RoomMove::Put { period, .. } => format!("{words}, {}", instance.period_name(period)),
        RoomMove::Swap(..) => words,
    }
}

/// Asks about a change of rooms that breaks something.
pub fn room_warning_dialog(ctx: &egui::Context, document: &mut Document) {
    let Some(change) = document.state.rooms.warning.take() else { return };
    let Some(preview) = document.room_preview(change) else { return };
    let instance = Arc::clone(&document.instance);
    let offers = offers(document, change);
    let (mut chosen, mut anyway) = (None, false);
    let response = dialog(ctx, "Doubtful room", 460.0, |ui| {
        let mut wish = Wish::Stay;
        heading(ui, "Change rooms like this?", &mut wish);
        ui.add(egui::Label::new(theme::bold(place_words(&instance, change))).wrap());
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            preview.broken.iter().take(LISTED).for_each(|line| reason(ui, &sentence_case(line)));
            if preview.broken.len() > LISTED {
                reason(ui, &format!("And {} more", preview.broken.len() - LISTED));
            }
        });
        ui.add_space(space::XS);
        for (offer, words, told) in &offers {
            let help = format!("{}: {told}", place_words(&instance, *offer));
            if button(ui, Icon::Check, words, true).on_hover_text(help).clicked() {
                chosen = Some(*offer);
            }
        }
        ui.add_space(space::S);
        let help = "The timetable then breaks these demands until you solve again around the changes";
        anyway = footer(ui, help, "The students stay where they are (Escape)", &mut wish);
        wish
    });
    match chosen.or_else(|| anyway.then_some(change)) {
        Some(change) => document.change_rooms(change),
        None if closes(&response) => {}
        None => document.state.rooms.warning = Some(change),
    }
}

/// Other changes that do what a person may mean, with their words and consequences: as many students as there are seats,
/// or an exchange with the one exam that is there.
fn offers(document: &mut Document, change: RoomMove) -> Vec<(RoomMove, String, String)> {
    let (RoomMove::Put { part, room, period }, Some(picture)) = (change, document.picture().cloned()) else {
        return Vec::new();
    };
    let (instance, timetable) = (Arc::clone(&document.instance), Arc::clone(&picture.timetable));
    let mut found = Vec::new();
    let free = document.room_choices(part).and_then(|choices| choices.at(room.into(), period)).map_or(0, |at| at.free);
    if (1..u64::from(part.students)).contains(&free) {
        let split = RoomMove::Put { part: Part { students: free as u32, ..part }, room, period };
        found.push((split, format!("Only {}", counted(free, "student"))));
    }
    let there = |exam: usize| timetable.period_of(exam) == Some(period);
    let sittings = instance.sittings();
    let others = sittings.iter().enumerate().filter(|(number, sitting)| there(sitting.exam) && *number != part.sitting);
    let others: Vec<Part> = others
        .flat_map(|(number, _)| {
            let seats = timetable.rooms.get(number).into_iter().flatten().filter(|seats| seats.room == room);
            seats.map(move |seats| Part { sitting: number, room: Some(room), students: seats.students })
        })
        .collect();
    if let ([other], Some(_)) = (&others[..], part.room) {
        let code = &instance.exams[sittings[other.sitting].exam].code;
        found.push((RoomMove::Swap(part, *other), format!("Exchange with {code}")));
    }
    let judged = found.into_iter().filter_map(|(offer, words)| {
        let preview = document.room_preview(offer)?;
        preview.is_free().then(|| (offer, words, preview_words(&instance, &preview)))
    });
    judged.collect()
}

/// Shows the dialog that lists the rooms for students of an exam.
pub fn room_dialog(ctx: &egui::Context, document: &mut Document) {
    let Some(mut open) = document.state.rooms.dialog.take() else { return };
    let Some(picture) = document.picture().cloned() else { return };
    let instance = Arc::clone(&document.instance);
    let parts = parts(&instance, &picture.timetable, open.exam);
    let (Some(exam), Some(period)) = (instance.exams.get(open.exam), picture.timetable.period_of(open.exam)) else {
        return;
    };
    if !parts.contains(&open.part) {
        let Some(&part) = parts.first() else { return };
        open = RoomDialog { part, students: part.students, ..open };
    }
    let mut chosen = None;
    let response = dialog(ctx, "Rooms of an exam", 460.0, |ui| {
        let mut wish = Wish::Stay;
        heading(ui, &format!("Room of {}", exam.code), &mut wish);
        ui.label(RichText::new(instance.period_label(period)).color(palette(ui.visuals()).weak));
        fields(ui, &instance, &mut open, &parts);
        pin(ui, document, open.exam);
        ui.add_space(space::XS);
        chosen = rooms(ui, document, &open, period);
        wish
    });
    let closed = closes(&response);
    match chosen {
        Some(room) => {
            let part = Part { students: open.students, ..open.part };
            document.ask_rooms(RoomMove::Put { part, room, period });
        }
        None if closed => {}
        None => document.state.rooms.dialog = Some(open),
    }
}

/// Draws the choice of the part and the number of its students.
fn fields(ui: &mut Ui, instance: &Instance, open: &mut RoomDialog, parts: &[Part]) {
    ui.horizontal(|ui| {
        if parts.len() > 1 {
            List::new("Students of the exam", part_words(instance, open.part))
                .width(190.0)
                .help("The students who are put into another room")
                .show(ui, |ui| {
                    for &part in parts {
                        if ui.selectable_label(part == open.part, part_words(instance, part)).clicked() {
                            (open.part, open.students) = (part, part.students);
                        }
                    }
                });
        } else {
            ui.label(part_words(instance, open.part));
        }
        if open.part.students > 1 {
            ui.label("move");
            let field = Number::new("Students to move", &mut open.students).range(1..=open.part.students);
            ui.add(field.help("Fewer than all stay behind, where the exam may be in several rooms"));
        }
    });
}

/// Draws the switch that pins the exam to its rooms.
fn pin(ui: &mut Ui, document: &mut Document, exam: usize) {
    let Some(picture) = document.picture().cloned() else { return };
    let instance = Arc::clone(&document.instance);
    let pinned = instance.rules.room_pins.contains_key(&(exam as u16));
    let here = picture.timetable.rooms_to_pin(&instance, exam);
    if here.is_empty() && !pinned {
        return;
    }
    let mut wanted = pinned;
    let words = match pinned {
        true => format!("Pinned to {}", instance.pinned_rooms(exam as u16)),
        false => "Pin to the present rooms".to_owned(),
    };
    let help = "Searches leave a pinned exam in these rooms; moved by hand it takes the pin along";
    if ui.checkbox(&mut wanted, words).on_hover_text(help).changed() {
        let rooms = if wanted { here } else { Default::default() };
        // Pins can always be demanded; whether they can be met is another matter.
        let _ = document.apply(vec![Edit::PinRooms { exam, rooms }]);
    }
}

/// Draws the rooms, those first that take all students of the part, by cost and free seats; returns the one that was clicked.
fn rooms(ui: &mut Ui, document: &mut Document, open: &RoomDialog, period: usize) -> Option<u16> {
    let palette = palette(ui.visuals());
    let choices = document.room_choices(open.part)?;
    let instance = Arc::clone(&document.instance);
    let rooms = &instance.resources.rooms;
    let at = |room: usize| choices.at(room, period);
    let takes = |room: usize| at(room).is_some_and(|choice| choice.free >= u64::from(open.students));
    let price = |room: usize| at(room).map_or(0, |choice| choice.price);
    let now = open.part.room.map(|room| price(room.into()));
    let mut order: Vec<usize> = (0..rooms.len()).filter(|&room| open.part.room != Some(room as u16)).collect();
    // The order does not depend on the number of students, which may be typed while a room is clicked.
    order.sort_by_key(|&room| {
        let free = at(room).map_or(0, |choice| choice.free);
        let takes_all = free >= u64::from(open.part.students);
        (!takes_all, price(room), if takes_all { free } else { u64::MAX - free }, room)
    });
    let mut chosen = None;
    let height = (ui.ctx().content_rect().height() * 0.45).max(120.0);
    let row_height = ui.text_style_height(&egui::TextStyle::Body) + 8.0;
    egui::ScrollArea::vertical().id_salt(open.part).max_height(height).auto_shrink([false, true]).show_rows(
        ui,
        row_height,
        order.len(),
        |ui, shown| {
            for &room in &order[shown] {
                let (data, choice) = (&rooms[room], at(room));
                let is_closed = data.unavailable.contains(&(period as u16));
                let free = choice.map_or(0, |choice| choice.free);
                let seats = format!("{} of {} free", grouped(free), counted(u64::from(data.seats), "seat"));
                let (state, colour) = match choice {
                    _ if is_closed => ("cannot be used then".to_owned(), palette.weak),
                    Some(choice) if !choice.suits => ("does not suit the exam".to_owned(), palette.weak),
                    Some(_) if free == 0 && data.seats > 0 => ("taken".to_owned(), palette.weak),
                    Some(choice) if takes(room) => {
                        let change = choice.price as i64 - now.unwrap_or(0) as i64;
                        let good = if change > 0 { palette.warn } else { palette.good };
                        (format!("{seats} · {}", change_words(&instance, change)), good)
                    }
                    _ => (seats, palette.weak),
                };
                let clicked = ui.horizontal(|ui| {
                    let button = egui::Button::new(&data.code).min_size(egui::vec2(CODE, 0.0)).truncate();
                    let response = ui.add_sized([CODE, row_height - 2.0], button);
                    let name = format!("Move to {}, {state}", data.code);
                    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
                    let place = if data.building.is_empty() { &data.code } else { &data.building };
                    let response = response.on_hover_text(place);
                    ui.add(egui::Label::new(RichText::new(state).color(colour)).truncate());
                    response.clicked()
                });
                if clicked.inner {
                    chosen = Some(room as u16);
                }
            }
        },
    );
    chosen
}
