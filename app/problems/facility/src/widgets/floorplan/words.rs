//! Texts of a floor plan: numbers, labels for assistive technology, tooltips.

use egui::{Grid, Ui, vec2};
use gridwright_core::numbers::{counted, figure};
use gridwright_facility::Unit;

use super::{Hold, Picture, Scene};
use gridwright_window::theme::{self, palette, space, text};

/// A length or an area with about four significant digits and no trailing zeros.
pub fn length(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 1_000.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    };
    figure(value, decimals)
}

/// A length with its unit, where that is known.
pub(crate) fn length_in(unit: Option<Unit>, value: f64) -> String {
    with_symbol(length(value), unit.map(Unit::symbol))
}

/// An area with the square of the unit of lengths, where that is known.
pub(crate) fn area_in(unit: Option<Unit>, value: f64) -> String {
    with_symbol(length(value), unit.map(Unit::area_symbol))
}

/// Width and height of a rectangle, such as «6 × 4.5 m».
pub(crate) fn sides_in(unit: Option<Unit>, [width, height]: [f64; 2]) -> String {
    with_symbol(format!("{} × {}", length(width), length(height)), unit.map(Unit::symbol))
}

fn with_symbol(number: String, symbol: Option<&str>) -> String {
    match symbol {
        Some(symbol) => format!("{number} {symbol}"),
        None => number,
    }
}

/// The longer side over the shorter one.
pub(super) fn aspect(width: f64, height: f64) -> f64 {
    width.max(height) / width.min(height).max(1e-12)
}

/// A rectangle in words.
pub fn describe(picture: &Picture, room: usize) -> String {
    let Some(known) = picture.rooms.get(room) else { return String::new() };
    let (region, unit) = (known.region, picture.unit);
    let area = area_in(unit, region.width * region.height);
    let mut words = format!("{}, area {area}, {}", known.name, sides_in(unit, [region.width, region.height]));
    if known.free {
        words.push_str(", free floor");
    }
    if let Some((bay, place)) = picture.place(room) {
        let count = picture.bays[bay].rooms.len();
        words.push_str(&format!(", bay {}, place {} of {count}", bay + 1, place + 1));
    }
    if let Some(held) = known.held {
        words.push_str(held.words());
    }
    if let Some(wrong) = &known.wrong {
        words.push_str(&format!(", not allowed: {}", wrong.text));
    }
    words
}

impl Hold {
    fn words(self) -> &'static str {
        match self {
            Self::Bay => ", locked to its bay",
            Self::Place => ", locked to its place",
        }
    }
}

/// Describes the whole plan.
pub(super) fn summary(scene: &Scene<'_>) -> String {
    let picture = scene.picture;
    let wrong = picture.rooms.iter().filter(|room| room.wrong.is_some()).count();
    let kind = if picture.upright { "vertical" } else { "horizontal" };
    let plural = |count: usize, noun: &str| counted(count as u64, noun);
    let bays = match picture.bays.len() {
        0 => String::new(),
        count => format!(" in {}", plural(count, &format!("{kind} bay"))),
    };
    let rooms = plural(picture.rooms.len(), scene.noun);
    let mut words = format!("{}: {rooms}{bays}, {}", scene.name, sides_in(picture.unit, picture.size));
    if let Some((_, name)) = scene.ghost {
        words.push_str(&format!(", with the outlines of {name}"));
    }
    if wrong > 0 {
        words.push_str(&format!(", {} of a shape that is not allowed", plural(wrong, scene.noun)));
    }
    words
}

/// Lines of a tooltip, at most, that speak of other rectangles.
const LISTED: usize = 5;

/// Shows the facts of a rectangle beside the pointer.
pub(super) fn tooltip(ui: &mut Ui, scene: &Scene<'_>, room: usize) {
    let (palette, picture) = (palette(ui.visuals()), scene.picture);
    let known = &picture.rooms[room];
    ui.spacing_mut().item_spacing.y = space::XS;
    ui.label(theme::bold(&known.name).size(text::BODY));
    if let Some(wrong) = &known.wrong {
        ui.label(theme::small(format!("Not allowed: {}", wrong.text)).color(palette.bad));
    }
    if let Some(held) = known.held {
        let words = held.words().trim_start_matches(", ");
        ui.label(theme::small(words[..1].to_uppercase() + &words[1..]).color(palette.weak));
    }
    Grid::new("room").num_columns(2).min_row_height(0.0).spacing(vec2(space::L, 3.0)).show(ui, |ui| {
        let mut line = |name: &str, value: String| {
            ui.label(theme::small(name).color(palette.weak));
            ui.label(theme::small(value));
            ui.end_row();
        };
        let region = known.region;
        line("Area", area_in(picture.unit, region.width * region.height));
        line("Width × height", sides_in(picture.unit, [region.width, region.height]));
        line("Longer : shorter side", length(aspect(region.width, region.height)));
        if let Some((bay, place)) = picture.place(room) {
            line("Place", format!("{} in bay {}", place + 1, bay + 1));
        }
        let links = picture.links.iter().filter(|link| link.from == room || link.to == room);
        for link in links.take(LISTED) {
            let other = if link.from == room { link.to } else { link.from };
            line(&format!("Flow, {}", picture.end_name(other)), length(link.weight));
        }
    });
}
