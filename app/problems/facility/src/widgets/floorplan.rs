//! Rectangles in bays as a floor plan to scale, with weighted lines between their centres.
//!
//! The wheel zooms around the pointer, dragging beside the rectangles or with another button moves the picture, a
//! double click shows all of it again. A rectangle is dragged to another place where that is possible: before or after
//! another one, onto another one to change places with it, between two bays to begin one of its own. Keys, while the
//! plan has the keyboard: arrows go from rectangle to rectangle, with Alt they ask for a move, Home and End go to the
//! first and last, plus and minus zoom, `F` fits what is selected, `0` everything, Enter is reported.
//!
//! ```ignore
//! // Held by the caller; made anew when the plan has changed, with another revision.
//! let picture = floorplan::Picture { … };
//! let mut view = floorplan::View::default();
//! // Every frame.
//! let outcome = floorplan::show(ui, &Scene::new(&picture), &mut view, selected);
//! if let Some(picked) = outcome.picked { selected = picked; }
//! if let Some(moved) = outcome.moved { /* room to target */ }
//! ```

mod edges;
mod interaction;
mod layout;
mod lines;
mod miniature;
mod paint;
mod site;
mod underlay;
mod words;

use std::sync::Arc;

use egui::{Mesh, Response, Sense, Ui};
use gridwright_facility::Unit;
use gridwright_facility::underlay::Underlay;

pub(crate) use layout::Frame;
pub use layout::{Moved, Side, Target};
pub use lines::strongest;
pub(crate) use miniature::miniature;
pub use site::{Door, Obstacle, Site};
pub(crate) use words::{area_in, describe, length, length_in, sides_in};

use gridwright_window::widgets::canvas::Canvas;
use gridwright_window::widgets::controls::icon_button;
use gridwright_window::widgets::icons::Icon;
use gridwright_window::widgets::nodes::{self, Part};
use gridwright_window::widgets::viewport::{Zoom, zoom_buttons};

/// A rectangle in units of length; y grows upwards.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Region {
    /// The left side.
    pub x: f64,
    /// The lower side.
    pub y: f64,
    /// Size along x.
    pub width: f64,
    /// Size along y.
    pub height: f64,
}

impl Region {
    /// The middle.
    pub fn centre(&self) -> [f64; 2] {
        [self.x + self.width / 2.0, self.y + self.height / 2.0]
    }
}

/// Lock that holds a rectangle where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// The rectangle has to stay in its bay.
    Bay,
    /// The rectangle has to stay at its place.
    Place,
}

/// A violated rule of a rectangle.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wrong {
    /// Short form for the rectangle, such as «4.4 > 4».
    pub short: String,
    /// In words.
    pub text: String,
}

/// A rectangle with a name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Room {
    /// Name for people.
    pub name: String,
    /// Place on the floor in units of length.
    pub region: Region,
    /// Index of the colour.
    pub tone: usize,
    /// True for free floor, which has no department.
    pub free: bool,
    /// Violated rule, if any.
    pub wrong: Option<Wrong>,
    /// Lock, if any.
    pub held: Option<Hold>,
}

/// Rectangles one after the other in one strip.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bay {
    /// The whole strip.
    pub region: Region,
    /// Indices of the rectangles in the strip: from the top where bays are upright, otherwise from the left.
    pub rooms: Vec<usize>,
}

/// A line between two rectangles, or a rectangle and a door.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// One end.
    pub from: usize,
    /// The other end; doors count behind all rectangles.
    pub to: usize,
    /// Volume; decides the thickness.
    pub weight: f64,
}

/// Everything that lies on the floor.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Picture {
    /// Changes when anything changes.
    pub revision: u64,
    /// Width and height of the whole, in units of length.
    pub size: [f64; 2],
    /// Unit of lengths; `None` if unknown.
    pub unit: Option<Unit>,
    /// True if bays are upright strips from left to right; false if they are rows from bottom to top.
    pub upright: bool,
    /// The rectangles.
    pub rooms: Vec<Room>,
    /// The bays: from the left where they are upright, otherwise from the bottom; empty for rectangles that lie anywhere.
    pub bays: Vec<Bay>,
    /// The lines, the strongest first.
    pub links: Arc<[Link]>,
    /// Fixed things, walls and doors.
    pub site: Site,
}

impl Picture {
    /// Indices of the rectangles in the order of the bays, or in their own without bays.
    pub(crate) fn order(&self) -> Vec<usize> {
        match self.bays.is_empty() {
            true => (0..self.rooms.len()).collect(),
            false => self.bays.iter().flat_map(|bay| bay.rooms.iter().copied()).collect(),
        }
    }

    /// Name of an end of lines: a rectangle or a door.
    pub(crate) fn end_name(&self, end: usize) -> &str {
        let door = || self.site.doors.get(end - self.rooms.len()).map_or("", |door| door.name.as_str());
        self.rooms.get(end).map_or_else(door, |room| room.name.as_str())
    }

    /// Point of an end of lines: the middle of a rectangle, or a door.
    pub(crate) fn end_point(&self, end: usize) -> [f64; 2] {
        let door = || self.site.doors.get(end - self.rooms.len()).map_or([0.0; 2], |door| door.at);
        self.rooms.get(end).map_or_else(door, |room| room.region.centre())
    }

    /// Indices of the bay of a rectangle and of its place in the bay; `None` if the rectangle is in no bay.
    pub fn place(&self, room: usize) -> Option<(usize, usize)> {
        let within = |bay: &Bay| bay.rooms.iter().position(|other| *other == room);
        self.bays.iter().enumerate().find_map(|(number, bay)| Some((number, within(bay)?)))
    }
}

/// Effect of a move, in a text that fits beside the pointer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Judgement {
    /// The words.
    pub words: String,
    /// True if the move improves the plan, `None` if it makes no difference.
    pub better: Option<bool>,
}

/// Content of the widget.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// Rectangles, bays and lines on the floor.
    pub picture: &'a Picture,
    /// Another plan of these rectangles, drawn as outlines over this one, and its name.
    pub ghost: Option<(&'a Picture, &'a str)>,
    /// Lines of at least this weight are drawn; `None`: no lines. All lines of what is selected are drawn instead.
    pub threshold: Option<f64>,
    /// True if rectangles can be moved.
    pub movable: bool,
    /// True if names of bays, lengths and a scale are drawn around the plan.
    pub dimensions: bool,
    /// Judges a move; called once for every target.
    pub judge: Option<&'a dyn Fn(Moved) -> Judgement>,
    /// Picture or drawing below the rectangles.
    pub underlay: Option<&'a Underlay>,
    /// Points of the floor that are marked and joined while a person measures.
    pub marks: Option<&'a [[f64; 2]]>,
    /// Line about others that follow the carried rectangle, and the move for which it holds.
    pub following: Option<(Moved, &'a str)>,
    /// Name of the plan for assistive technology.
    pub name: &'a str,
    /// Noun for a rectangle, such as «department».
    pub noun: &'a str,
}

impl<'a> Scene<'a> {
    /// A plan that cannot be changed, with all its lines.
    pub fn new(picture: &'a Picture) -> Self {
        Self {
            picture,
            ghost: None,
            threshold: Some(0.0),
            movable: false,
            dimensions: true,
            judge: None,
            underlay: None,
            marks: None,
            following: None,
            name: "Floor plan",
            noun: "rectangle",
        }
    }
}

/// Where a person has zoomed and dragged to, and what is being carried.
#[derive(Debug, Clone, Default)]
pub struct View {
    /// Factor of enlargement and the point of the floor in the middle; `None` while everything is shown.
    zoomed: Option<(f64, [f64; 2])>,
    reveal: Option<usize>,
    focus: bool,
    factor: Option<f64>,
    held: Option<usize>,
    judged: Option<(Moved, Judgement)>,
    mesh: Option<(lines::Key, Arc<Mesh>)>,
    underlay: underlay::Painted,
}

impl View {
    /// Shows everything.
    pub fn fit(&mut self) {
        self.zoomed = None;
    }

    /// True if everything is shown.
    pub fn is_fitted(&self) -> bool {
        self.zoomed.is_none()
    }

    /// Zooms to the selected rectangle and its surroundings.
    pub fn fit_selection(&mut self) {
        self.focus = true;
    }

    /// Enlarges by a factor, around what is selected where anything is.
    pub(crate) fn zoom(&mut self, factor: f64) {
        self.factor = Some(self.factor.unwrap_or(1.0) * factor);
    }

    /// Brings a rectangle into view.
    pub(crate) fn reveal(&mut self, room: usize) {
        self.reveal = Some(room);
    }

    /// Where a person has zoomed and dragged to, for a second plan beside this one.
    pub(crate) fn follow(&mut self, other: &Self) {
        self.zoomed = other.zoomed;
    }
}

/// Input of a person in this frame.
pub struct Outcome {
    /// Response of the whole widget.
    pub(crate) response: Response,
    /// The rectangle to select from now on; `None` within for a click beside everything.
    pub picked: Option<Option<usize>>,
    /// A rectangle that was let go over another place.
    pub moved: Option<Moved>,
    /// Move of the carried rectangle, if it were let go now.
    pub carried: Option<Moved>,
    /// The side to which the selected rectangle shall be moved, by keys.
    pub nudged: Option<Side>,
    /// The point of the floor that was clicked.
    pub clicked: Option<[f64; 2]>,
}

/// Shows a plan in all the room there is.
pub fn show(ui: &mut Ui, scene: &Scene<'_>, view: &mut View, selected: Option<usize>) -> Outcome {
    let canvas = Canvas::new(ui, Sense::click_and_drag(), || words::summary(scene));
    let response = &canvas.response;
    let selected = selected.filter(|room| *room < scene.picture.rooms.len());
    let pressed = interaction::keys(ui, response, scene, view, selected);
    let frame = interaction::navigate(ui, response, scene, view, selected);
    let drag = interaction::drag(ui, response, scene, view, &frame);
    let (hovered, clicked) = canvas.pointed(|position| frame.hit(scene.picture, position));
    let hovered = hovered.filter(|_| drag.held.is_none());
    let attention = paint::Attention { selected, hovered, held: drag.held };
    paint::paint(ui, scene, view, &frame, attention);
    edges::paint(ui, scene, &frame, attention);
    if let Some(marks) = scene.marks {
        underlay::mark(ui, &canvas.response, &frame, marks);
    }
    if let Some(carried) = &drag.carried {
        paint::carried(ui, response.id, scene, &frame, carried);
        ui.set_cursor_icon(egui::CursorIcon::Grabbing);
    }
    let cursor = selected.filter(|_| response.has_focus()).map(|room| describe(scene.picture, room));
    let key = canvas.finish(ui, || cursor, || parts(scene, &frame, selected));
    let picked = key.map(|key| Some(key as usize)).or(clicked).or(pressed.stepped.map(Some));
    if let Some(room) = hovered.filter(|_| !response.dragged()) {
        response.clone().on_hover_ui_at_pointer(|ui| words::tooltip(ui, scene, room));
    }
    let interaction::Pressed { nudged, .. } = pressed;
    let clicked = canvas.response.interact_pointer_pos().filter(|_| canvas.response.clicked());
    let clicked = clicked.map(|at| frame.floor(at));
    let carried = drag.carried.and_then(|carried| Some(carried.to?.0));
    Outcome { response: canvas.response, picked, moved: drag.dropped, carried, nudged, clicked }
}

/// Draws the buttons that zoom and fit; the latter fits the selection if `is_selected`, otherwise everything.
pub fn controls(ui: &mut Ui, view: &mut View, is_selected: bool) {
    let zoom = zoom_buttons(ui, ["Zoom out", "Zoom in", "Fit the whole plan"], 1.5, view.is_fitted());
    if icon_button(ui, Icon::Search, "Fit what is selected", is_selected).clicked() {
        view.fit_selection();
    }
    match zoom {
        Some(Zoom::By(factor)) => view.zoom(factor.into()),
        Some(Zoom::Fit) => view.fit(),
        None => {}
    }
}

/// The visible rectangles, for assistive technology: the selected one first.
fn parts(scene: &Scene<'_>, frame: &Frame, selected: Option<usize>) -> Vec<Part> {
    let picture = scene.picture;
    let others = picture.order().into_iter().filter(|room| selected != Some(*room));
    let part = |room: usize| {
        let rect = frame.rect(&picture.rooms[room].region).intersect(frame.area);
        let name = describe(picture, room);
        rect.is_positive().then_some(Part { key: room as u64, rect, name, selected: selected == Some(room) })
    };
    selected.into_iter().chain(others).filter_map(part).take(nodes::MOST).collect()
}

#[cfg(test)]
mod tests;
