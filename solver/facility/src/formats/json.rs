//! JSON format of layout problems, as instances of publications are collected.
//!
//! ```json
//! { "name": "O7", "n": 7, "plant": { "width": 8.54, "height": 13 },
//!   "departments": [ { "id": 1, "name": "1", "area": 16, "dummy": false }, … ],
//!   "shape": { "type": "aspect", "max": 4 }, "distance": "rectilinear",
//!   "flow_layout": "upper triangle", "flow": [ [0, 0, 5], … ],
//!   "references": [ { "value": 134.19, "kind": "proven FBS optimum", "source": "…" } ] }
//! ```
//!
//! `shape.type` is `aspect` with `max`, `min_side` with `min`, or `aspect_range` with both; each one number or a list
//! with one per department, where 0 or less means no limit. `dummy` marks free floor: no flow, no limit. Departments may have a
//! `moving_price`, a `moving_price_per_length` and their place `today` (`x`, `y`, `width`, `height`).
//! Beside them there may be `doors` (`name`, `x`, `y`) and `door_flows` (`department`, `door`, `flow`, `direction`: `in` or
//! `out`). `flow_layout` is `upper triangle` or `symmetric` (one weight per pair), or `full matrix` (directed flows; the default).

use serde::Deserialize;
use serde_json::value::RawValue;

use super::kinds::{self, Chart};
use crate::{
    Department, Door, DoorFlow, Instance, Limit, MAX_DEPARTMENTS, Placed, Rectangle, Reference, RelocationPrice, Way,
};
use gridwright_core::data::is_same_name;
use gridwright_core::text::lines::{Problems, counted, quoted};
use gridwright_core::text::{Source, stem};
use gridwright_core::{Error, Result};

#[derive(Deserialize)]
struct File<'a> {
    name: Option<String>,
    n: Option<usize>,
    plant: Plant,
    #[serde(borrow)]
    departments: Vec<&'a RawValue>,
    #[serde(borrow)]
    shape: Option<&'a RawValue>,
    distance: Option<String>,
    flow_layout: Option<String>,
    #[serde(borrow)]
    flow: Vec<&'a RawValue>,
    #[serde(default, borrow)]
    doors: Vec<&'a RawValue>,
    #[serde(default, borrow)]
    door_flows: Vec<&'a RawValue>,
    #[serde(default)]
    references: Vec<Published>,
}

#[derive(Deserialize)]
struct Plant {
    width: f64,
    height: f64,
}

#[derive(Deserialize)]
struct Published {
    value: Option<f64>,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    source: String,
}

#[derive(Deserialize)]
struct Room {
    id: Option<Label>,
    name: Option<Label>,
    area: f64,
    #[serde(default)]
    dummy: bool,
    #[serde(default)]
    moving_price: f64,
    #[serde(default)]
    moving_price_per_length: f64,
    today: Option<Rectangle>,
}

#[derive(Deserialize)]
struct Gate {
    name: Label,
    x: f64,
    y: f64,
}

#[derive(Deserialize)]
struct Through {
    department: Label,
    door: Label,
    flow: f64,
    #[serde(default)]
    direction: Option<String>,
}

/// Name, written as text or as a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Label {
    Text(String),
    Number(i64),
}

impl Label {
    fn text(self) -> String {
        match self {
            Self::Text(text) => text.trim().to_owned(),
            Self::Number(number) => number.to_string(),
        }
    }
}

#[derive(Deserialize)]
struct Shape {
    #[serde(rename = "type")]
    kind: String,
    min: Option<OneOrMany>,
    max: Option<OneOrMany>,
    note: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(f64),
    Many(Vec<f64>),
}

impl OneOrMany {
    fn of(&self, department: usize) -> f64 {
        match self {
            Self::One(value) => *value,
            Self::Many(values) => values.get(department).copied().unwrap_or(0.0),
        }
    }

    fn fits(&self, departments: usize) -> bool {
        match self {
            Self::One(_) => true,
            Self::Many(values) => values.len() == departments,
        }
    }
}

/// Reads an instance; the caller sets the hash.
///
/// # Errors
/// [`Error::Line`] or [`Error::Lines`] for every invalid place.
pub fn parse(source: Source) -> Result<Instance> {
    let file: File = serde_json::from_str(source.text).map_err(|error| {
        let what = format!(
            "this is no layout problem as JSON ({}); it needs plant, departments with their areas, and flow",
            plain(&error)
        );
        Error::line(source.path, error.line().max(1), what)
    })?;
    let mut problems = Problems::new(source.path);
    let mut reading = Reading { source, instance: Instance::default(), lines: Vec::new() };
    reading.instance.name = file.name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| stem(source.path));
    (reading.instance.width, reading.instance.height) = (file.plant.width, file.plant.height);
    if let Some(distance) = &file.distance {
        match distance.parse() {
            Ok(distance) => reading.instance.distance = distance,
            Err(error) => problems.file(error.to_string()),
        }
    }
    reading.departments(&mut problems, &file.departments, file.n);
    if let Some(shape) = file.shape {
        reading.shapes(&mut problems, shape);
    }
    if problems.is_empty() {
        let chart = Chart::named(file.flow_layout.as_deref().unwrap_or_default());
        reading.flows(&mut problems, &file.flow, chart);
        reading.doors(&mut problems, &file.doors);
        reading.door_flows(&mut problems, &file.door_flows);
    }
    problems.finish()?;
    let mut instance = reading.instance;
    let published = file.references.into_iter().filter_map(|one| {
        let value = one.value.filter(|value| value.is_finite() && *value >= 0.0)?;
        Some(Reference { value, kind: one.kind, source: one.source })
    });
    instance.references = published.collect();
    Ok(instance)
}

/// Message of serde without the position.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(what, _)| what.to_owned())
}

struct Reading<'a> {
    source: Source<'a>,
    instance: Instance,
    /// Line number of each department.
    lines: Vec<usize>,
}

impl<'a> Reading<'a> {
    /// Line number (from 1) where a piece of the text begins.
    fn line(&self, piece: &RawValue) -> usize {
        let at = (piece.get().as_ptr() as usize).saturating_sub(self.source.text.as_ptr() as usize);
        1 + self.source.text.bytes().take(at).filter(|&byte| byte == b'\n').count()
    }

    fn departments(&mut self, problems: &mut Problems, pieces: &[&RawValue], stated: Option<usize>) {
        if pieces.is_empty() || pieces.len() > MAX_DEPARTMENTS {
            let found = pieces.len();
            return problems.file(format!("{found} departments; there must be 1 to {MAX_DEPARTMENTS}"));
        }
        if let Some(stated) = stated.filter(|&stated| stated != pieces.len()) {
            let found = counted(pieces.len(), "department");
            problems.file(format!("{found} where n says {stated}; correct the one or the other"));
        }
        for (at, piece) in pieces.iter().enumerate() {
            let line = self.line(piece);
            self.lines.push(line);
            let room: Room = match serde_json::from_str(piece.get()) {
                Ok(room) => room,
                Err(error) => {
                    problems.line(line, format!("department {}: {}", at + 1, plain(&error)));
                    continue;
                }
            };
            let label = room.name.or(room.id).map(Label::text).filter(|name| !name.is_empty());
            let name = label.unwrap_or_else(|| (at + 1).to_string());
            if let Some(first) = self.instance.department_index(&name) {
                let first = self.lines.get(first).copied().unwrap_or(line);
                let name = quoted(&name);
                problems.line(line, format!("department {name} is there already, in line {first}; rename one"));
            }
            if let Err(why) = kinds::area(room.area) {
                problems.line(line, format!("the area of department {}: {why}", quoted(&name)));
            }
            for price in [room.moving_price, room.moving_price_per_length] {
                if let Err(why) = kinds::price(price) {
                    problems.line(line, format!("the moving price of department {}: {why}", quoted(&name)));
                }
            }
            let department = self.instance.departments.len() as u16;
            self.instance.today.extend(room.today.map(|rectangle| Placed { department, rectangle }));
            let relocation = RelocationPrice { fixed: room.moving_price, per_length: room.moving_price_per_length };
            let department = Department { name, area: room.area, limit: Limit::None, dummy: room.dummy, relocation };
            self.instance.departments.push(department);
        }
    }

    fn shapes(&mut self, problems: &mut Problems, piece: &RawValue) {
        let line = self.line(piece);
        let shape: Shape = match serde_json::from_str(piece.get()) {
            Ok(shape) => shape,
            Err(error) => return problems.line(line, format!("shape: {}", plain(&error))),
        };
        let known = "known are aspect (with max), min_side (with min) and aspect_range (with min and max)";
        let all = self.instance.departments.len();
        if let Some(wrong) = [&shape.min, &shape.max].into_iter().flatten().find(|list| !list.fits(all)) {
            let found = if let OneOrMany::Many(values) = wrong { values.len() } else { 1 };
            let what = format!("shape has a list of {found} limits for {all} departments; write one for each");
            return problems.line(line, what);
        }
        for at in 0..all {
            if self.instance.departments[at].dummy {
                continue;
            }
            let limit = match (shape.kind.as_str(), &shape.min, &shape.max) {
                ("none", ..) => Ok(Limit::None),
                ("aspect", _, Some(max)) => kinds::aspect(max.of(at)),
                ("min_side", Some(min), _) => kinds::least_side(min.of(at)),
                ("aspect_range", Some(min), Some(max)) => kinds::range(min.of(at), max.of(at)),
                (kind, ..) => {
                    return problems
                        .line(line, format!("there is no shape {} with these limits; {known}", quoted(kind)));
                }
            };
            match limit {
                Ok(limit) => self.instance.departments[at].limit = limit,
                Err(why) => {
                    let name = quoted(&self.instance.departments[at].name);
                    problems.line(line, format!("the limit of department {name}: {why}"));
                }
            }
        }
        if shape.kind == "aspect_range" {
            let note = shape.note.map(|note| format!(" ({note})")).unwrap_or_default();
            let what =
                format!("limits are ranges of height / width{note}; in bays of the full length few layouts keep them");
            self.instance.warnings.push(what);
        }
    }

    fn doors(&mut self, problems: &mut Problems, pieces: &[&RawValue]) {
        let mut lines: Vec<usize> = Vec::new();
        for piece in pieces {
            let line = self.line(piece);
            let door = match serde_json::from_str(piece.get()) {
                Ok(Gate { name, x, y }) => Door { name: name.text(), x, y },
                Err(error) => {
                    problems.line(line, format!("door: {}", plain(&error)));
                    continue;
                }
            };
            let (name, known) =
                (quoted(&door.name), self.instance.doors.iter().position(|one| is_same_name(&one.name, &door.name)));
            if let Some(first) = known {
                problems.line(line, format!("door {name} is there already, in line {}; rename one", lines[first]));
            } else if let Some(why) = self.instance.door_fault(&door) {
                problems.line(line, format!("door {name} at {why}"));
            }
            lines.push(line);
            self.instance.doors.push(door);
        }
    }

    fn door_flows(&mut self, problems: &mut Problems, pieces: &[&RawValue]) {
        for piece in pieces {
            let line = self.line(piece);
            let Through { department, door, flow, direction } = match serde_json::from_str(piece.get()) {
                Ok(through) => through,
                Err(error) => {
                    problems.line(line, format!("flow to a door: {}", plain(&error)));
                    continue;
                }
            };
            let (department, door, direction) = (department.text(), door.text(), direction.as_deref().unwrap_or("in"));
            let at = self.instance.department_index(&department);
            let through = self.instance.doors.iter().position(|one| one.name == door);
            match (at, through, kinds::flow(flow), Way::of(direction)) {
                (None, ..) => {
                    problems.line(line, format!("{} is no department; correct the name", quoted(&department)))
                }
                (_, None, ..) => {
                    problems.line(line, format!("{} is no door; correct the name, or add it to doors", quoted(&door)));
                }
                (_, _, Err(why), _) => problems.line(line, format!("the flow: {why}")),
                (.., None) => problems.line(line, format!("{} is no direction; write in or out", quoted(direction))),
                (Some(department), Some(door), Ok(amount), Some(way)) => {
                    let flow = DoorFlow { department: department as u16, door: door as u16, amount, way };
                    self.instance.door_flows.push(flow);
                }
            }
        }
    }

    fn flows(&mut self, problems: &mut Problems, rows: &[&RawValue], chart: Chart) {
        let all = self.instance.departments.len();
        if rows.len() != all {
            let (found, line) = (counted(rows.len(), "row"), rows.last().map_or(1, |row| self.line(row)));
            let what = format!("flow has {found} for {all} departments; write a row for each");
            return problems.line(line, what);
        }
        let mut matrix = Vec::with_capacity(all * all);
        let mut lines = Vec::with_capacity(all);
        for (at, row) in rows.iter().enumerate() {
            let line = self.line(row);
            lines.push(line);
            let name = quoted(&self.instance.departments[at].name);
            match serde_json::from_str::<Vec<f64>>(row.get()) {
                Ok(values) if values.len() == all => matrix.extend(values),
                Ok(values) => {
                    let found = counted(values.len(), "flow");
                    problems.line(
                        line,
                        format!("{found} from department {name} for {all} departments; write one for each"),
                    );
                }
                Err(error) => problems.line(line, format!("the flows from department {name}: {}", plain(&error))),
            }
        }
        if matrix.len() == all * all {
            self.instance.flows = matrix;
            kinds::take_chart(&mut self.instance, problems, chart, &lines);
        }
    }
}
