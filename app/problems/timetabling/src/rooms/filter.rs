//! Filter of the rooms, and how much of their seats is used by building and day.

use std::collections::{BTreeMap, BTreeSet};

use egui::{Grid, RichText, Ui};
use gridwright_core::numbers::grouped;
use gridwright_timetabling::Instance;

use crate::occupation::Occupation;
use crate::state::Document;
use crate::view_state::rooms::Filter;
use gridwright_window::theme::{self, palette, space};
use gridwright_window::widgets::controls::icon_button;
use gridwright_window::widgets::entry::{Field, Number};
use gridwright_window::widgets::icons::Icon;

/// Draws the button that opens the filter, with the number of rooms that pass if some are hidden.
pub(super) fn menu(ui: &mut Ui, document: &mut Document) {
    let palette = palette(ui.visuals());
    let rooms = document.instance.resources.rooms.len();
    let words = match document.state.rooms.filter.is_empty() {
        true => RichText::new("Filter"),
        false => {
            let shown = document.state.rooms.rows.len();
            theme::bold(format!("{} of {} rooms", grouped(shown as u64), grouped(rooms as u64))).color(palette.accent)
        }
    };
    let instance = std::sync::Arc::clone(&document.instance);
    let config =
        egui::containers::menu::MenuConfig::new().close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
    let button = egui::containers::menu::MenuButton::from_button(egui::Button::new(words)).config(config);
    let (response, _) = button.ui(ui, |ui| fields(ui, &instance, &mut document.state.rooms.filter));
    response.on_hover_text("Show only some of the rooms");
    let is_filtered = !document.state.rooms.filter.is_empty();
    if is_filtered && icon_button(ui, Icon::Cross, "Show all rooms", true).clicked() {
        document.state.rooms.filter = Filter::default();
    }
}

fn fields(ui: &mut Ui, instance: &Instance, filter: &mut Filter) {
    ui.set_min_width(230.0);
    ui.spacing_mut().item_spacing.y = space::S;
    let rooms = &instance.resources.rooms;
    let name = "Code of the room contains";
    Field::new(name).hint(name).width(220.0).live(ui, &mut filter.text);
    let buildings: BTreeSet<&str> = rooms.iter().map(|room| room.building.as_str()).collect();
    let buildings = buildings.into_iter().filter(|building| !building.is_empty());
    choice(ui, ("Building", "Any building"), buildings, &mut filter.building);
    let features: BTreeSet<&str> = rooms.iter().flat_map(|room| &room.features).map(String::as_str).collect();
    choice(ui, ("Feature", "Any features"), features.into_iter(), &mut filter.feature);
    ui.horizontal(|ui| {
        ui.label("At least");
        let largest = rooms.iter().map(|room| room.seats).max().unwrap_or(0);
        let field = Number::new("Fewest seats", &mut filter.at_least).range(0..=largest).unit("seats");
        ui.add(field.help("Only rooms with at least so many seats"));
    });
}

/// Draws the names of a kind, if there are any, with «any» at their head. They stand in the menu itself, which a list of its own
/// would close.
fn choice<'a>(
    ui: &mut Ui, (name, any): (&str, &str), names: impl Iterator<Item = &'a str>, chosen: &mut Option<String>,
) {
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        return;
    }
    ui.label(theme::small(name).color(palette(ui.visuals()).weak));
    egui::ScrollArea::vertical().id_salt(name).max_height(120.0).show(ui, |ui| {
        ui.radio_value(chosen, None, any);
        for name in names {
            ui.radio_value(chosen, Some(name.to_owned()), name);
        }
    });
}

/// Seats taken and seats that can be used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Used {
    taken: u64,
    seats: u64,
}

impl Used {
    /// «64 % of 1 200 seats».
    fn words(self) -> String {
        match self.seats {
            0 => "no seats".to_owned(),
            seats => format!("{:.0} % of {} seats", self.taken as f64 / seats as f64 * 100.0, grouped(seats)),
        }
    }
}

/// Use by building and by day, each with all rooms over all periods as the last line.
fn uses(instance: &Instance, occupation: &Occupation) -> [Vec<(String, Used)>; 2] {
    let mut buildings: BTreeMap<&str, Used> = BTreeMap::new();
    let mut days: Vec<(String, Used)> =
        occupation.days.iter().map(|(_, name)| (name.clone(), Used::default())).collect();
    let mut all = Used::default();
    for (row, room) in instance.resources.rooms.iter().enumerate() {
        for period in 0..occupation.periods {
            let Some(cell) = occupation.cell(row, period).filter(|cell| !cell.closed) else { continue };
            let day = occupation.days.iter().position(|(periods, _)| periods.contains(&period));
            let day = day.and_then(|day| days.get_mut(day)).map(|(_, used)| used);
            for used in day.into_iter().chain([buildings.entry(room.building.as_str()).or_default(), &mut all]) {
                used.taken += cell.students;
                used.seats += u64::from(room.seats);
            }
        }
    }
    let name = |building: &str| if building.is_empty() { "No building" } else { building }.to_owned();
    let mut buildings: Vec<_> = buildings.into_iter().map(|(building, used)| (name(building), used)).collect();
    buildings.push(("All rooms".to_owned(), all));
    [buildings, days]
}

/// Draws the button that lists how much of the seats is used.
pub(super) fn use_menu(ui: &mut Ui, document: &Document) {
    let (instance, occupation) = (&document.instance, &document.state.rooms.occupation);
    let response = ui.menu_button("Use", |ui| {
        ui.set_min_width(250.0);
        let [buildings, days] = uses(instance, occupation);
        egui::ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
            for (heading, lines) in [("By building", buildings), ("By day", days)] {
                if lines.is_empty() {
                    continue;
                }
                ui.label(theme::bold(heading));
                Grid::new(heading).num_columns(2).spacing([space::L, space::XS]).show(ui, |ui| {
                    for (name, used) in lines {
                        ui.label(name);
                        ui.label(RichText::new(used.words()).color(palette(ui.visuals()).weak));
                        ui.end_row();
                    }
                });
                ui.add_space(space::S);
            }
        });
    });
    response.response.on_hover_text("How much of the seats is used, by building and by day");
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridwright_timetabling::{Exam, InstanceParts, Period, Resources, Room, Seats, Timetable};

    #[test]
    fn seats_are_counted_where_a_room_can_be_used() {
        let room = |code: &str, building: &str, seats, unavailable: &[u16]| Room {
            code: code.to_owned(),
            building: building.to_owned(),
            seats,
            unavailable: unavailable.iter().copied().collect(),
            ..Room::default()
        };
        let instance = Instance::build(InstanceParts {
            exams: vec![Exam { code: "A".to_owned(), ..Exam::default() }],
            students: vec![vec![0]; 3],
            periods: vec![Period::default(); 2],
            resources: Resources {
                rooms: vec![room("H", "North", 10, &[]), room("S", "", 4, &[1])],
                ..Resources::default()
            },
            ..InstanceParts::default()
        })
        .unwrap();
        let timetable = Timetable { periods: vec![0], rooms: vec![vec![Seats { room: 0, students: 3 }]] };
        let [buildings, days] = uses(&instance, &Occupation::of(&instance, &timetable));
        let used = |taken, seats| Used { taken, seats };
        let expected = [("No building", used(0, 4)), ("North", used(3, 20)), ("All rooms", used(3, 24))];
        assert_eq!(buildings, expected.map(|(name, used)| (name.to_owned(), used)));
        assert_eq!((days.len(), used(3, 24).words()), (0, "12 % of 24 seats".to_owned()));
    }
}
