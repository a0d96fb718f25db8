//! RON format of layout problems: everything an instance holds, departments by name.

use serde::{Deserialize, Serialize};

use super::kinds;
use crate::closeness::{RATINGS, Weights};
use crate::names::Names;
use crate::stored::{NamedRules, StoredSolution};
use crate::{
    Building, Department, Distance, Door, DoorFlow, Instance, Limit, Lock, Orientation, Part, PartKind, Placed,
    Rectangle, Reference, RelocationPrice, Rules, Unit, Way,
};
use gridwright_core::text::lines::{Problems, quoted};
use gridwright_core::text::{Source, ron, stem};
use gridwright_core::{Error, Result};

/// Version of the format.
const FORMAT: u32 = 1;

/// x, y, width and height of a rectangle.
type Sides = (f64, f64, f64, f64);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    /// Version of the format.
    facility_format: u32,
    name: String,
    /// Width and height in units of length.
    plant: (f64, f64),
    #[serde(default)]
    distance: Distance,
    /// Symbol of the unit of lengths.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    unit: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    flow_unit: String,
    departments: Vec<Room>,
    /// Directed flows: from, to, flow.
    flows: Vec<(String, String, f64)>,
    /// Closeness: two departments and a rating A E I O U X.
    #[serde(default)]
    closeness: Vec<(String, String, char)>,
    /// Weights of the ratings A E I O U X, where they are not the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weights: Option<[f64; 6]>,
    /// Locks: department, bay, place in the bay; counted from 1.
    #[serde(default)]
    locks: Vec<(String, u16, Option<u16>)>,
    /// Departments that keep their rectangle (x, y, width, height), with the orientation of their bays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fixed: Vec<(String, Sides, Orientation)>,
    /// Layout in which they have been locked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    around: Option<StoredSolution>,
    /// Departments that keep their rectangle whatever the bays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    placed: Vec<(String, Sides)>,
    /// Name, kind and rectangle of each part of the building.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    building: Vec<(String, PartKind, Sides)>,
    /// Departments with a fixed rectangle in the building.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    places: Vec<(String, Sides)>,
    /// Places of departments in today's layout.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    today: Vec<(String, Sides)>,
    /// Name, x and y of each door.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    doors: Vec<(String, f64, f64)>,
    /// Flows between departments and doors: department, door, flow, direction.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    door_flows: Vec<(String, String, f64, Way)>,
    /// Pairs of departments that must not share a wall.
    #[serde(default)]
    apart: Vec<(String, String)>,
    #[serde(default)]
    references: Vec<Reference>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Room {
    name: String,
    area: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limit: Option<Shape>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    dummy: bool,
    /// Price of moving the department away from its place today.
    #[serde(default, skip_serializing_if = "is_zero")]
    moving_price: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    moving_price_per_length: f64,
}

fn is_zero(price: &f64) -> bool {
    *price == 0.0
}

/// Shape limit of a department.
#[derive(Serialize, Deserialize)]
enum Shape {
    Aspect(f64),
    MinSide(f64),
    Range(f64, f64),
}

impl From<Room> for Department {
    fn from(Room { name, area, limit, dummy, moving_price, moving_price_per_length }: Room) -> Self {
        let limit = match limit {
            None => Limit::None,
            Some(Shape::Aspect(most)) => Limit::Aspect(most),
            Some(Shape::MinSide(least)) => Limit::MinSide(least),
            Some(Shape::Range(low, high)) => Limit::Range(low, high),
        };
        let relocation = RelocationPrice { fixed: moving_price, per_length: moving_price_per_length };
        Self { name, area, limit, dummy, relocation }
    }
}

impl From<&Department> for Room {
    fn from(department: &Department) -> Self {
        let limit = match department.limit {
            Limit::None => None,
            Limit::Aspect(most) => Some(Shape::Aspect(most)),
            Limit::MinSide(least) => Some(Shape::MinSide(least)),
            Limit::Range(low, high) => Some(Shape::Range(low, high)),
        };
        let RelocationPrice { fixed, per_length } = department.relocation;
        Self {
            name: department.name.clone(),
            area: department.area,
            limit,
            dummy: department.dummy,
            moving_price: fixed,
            moving_price_per_length: per_length,
        }
    }
}

/// Returns `true` if a file begins as a layout problem of this format.
pub(super) fn begins(start: &[u8]) -> bool {
    ron::begins_with(start, "facility_format")
}

/// Reads an instance; the caller sets the hash.
///
/// # Errors
/// [`Line`](gridwright_core::Error::Line) if the text is not a layout problem; [`File`](gridwright_core::Error::File) or
/// [`Lines`](gridwright_core::Error::Lines) for inconsistent values.
pub fn parse(source: Source) -> Result<Instance> {
    let stored: Stored = ron::read(source, "problem", FORMAT, |why| match begins(source.text.as_bytes()) {
        true => format!("this part of a layout problem cannot be read ({why})"),
        false => "this is a result or a layout, not a layout problem; open the problem that it belongs to".to_owned(),
    })?;
    let mut problems = Problems::new(source.path);
    let n = stored.departments.len();
    let mut instance = Instance {
        name: if stored.name.trim().is_empty() { stem(source.path) } else { stored.name },
        width: stored.plant.0,
        height: stored.plant.1,
        departments: stored.departments.into_iter().map(Department::from).collect(),
        flows: vec![0.0; n.min(crate::MAX_DEPARTMENTS).pow(2)],
        distance: stored.distance,
        unit: Unit::of(&stored.unit),
        flow_unit: stored.flow_unit,
        weights: stored.weights.map_or_else(Weights::default, Weights),
        references: stored.references,
        ..Instance::default()
    };
    let names = Names::of(&instance.departments);
    let find = |name: &str, of: &str, problems: &mut Problems| {
        let found = names.find(name).map(|at| at as u16);
        if found.is_none() {
            problems.file(format!("{of} names a department {} that there is not; correct the name", quoted(name)));
        }
        found
    };
    let mut pair =
        |one: &str, other: &str, of: &str| Some((find(one, of, &mut problems)?, find(other, of, &mut problems)?));
    let flows: Vec<(u16, u16, f64)> = stored
        .flows
        .iter()
        .filter_map(|(from, to, flow)| pair(from, to, "flows").map(|(from, to)| (from, to, *flow)))
        .collect();
    let closeness: Vec<(u16, u16, char)> = stored
        .closeness
        .iter()
        .filter_map(|(one, other, rating)| pair(one, other, "closeness").map(|(one, other)| (one, other, *rating)))
        .collect();
    let mut apart: Vec<(u16, u16)> = stored.apart.iter().filter_map(|(one, other)| pair(one, other, "apart")).collect();
    // As in tables: departments rated X must not share a wall, unless X has no weight.
    let is_same = |pair: &(u16, u16), one: u16, other: u16| *pair == (one, other) || *pair == (other, one);
    for &(one, other, _) in closeness.iter().filter(|rated| rated.2 == 'X' && instance.weights.of('X') != 0.0) {
        if !apart.iter().any(|pair| is_same(pair, one, other)) {
            apart.push((one, other));
        }
    }
    let locks: Vec<Lock> = stored
        .locks
        .iter()
        .filter_map(|(name, bay, place)| {
            let (department, _) = pair(name, name, "locks")?;
            // Numbers begin at 1; 0 becomes an index that `Rules::check` rejects.
            let counted = |number: u16| number.checked_sub(1).unwrap_or(u16::MAX);
            Some(Lock { department, bay: counted(*bay), place: place.map(counted) })
        })
        .collect();
    if let Some((one, other, rating)) = closeness.iter().find(|(.., rating)| !RATINGS.contains(rating)) {
        let [one, other] = [one, other].map(|&at| quoted(&instance.departments[usize::from(at)].name));
        problems.file(format!("the closeness of {one} and {other} is {rating}; it must be one of A E I O U X"));
    }
    for &(from, to, flow) in &flows {
        let [from, to] = [from, to].map(usize::from);
        if let Err(why) = kinds::flow(flow) {
            let [from, to] = [from, to].map(|at| quoted(&instance.departments[at].name));
            problems.file(format!("the flow from {from} to {to}: {why}"));
        } else if from == to {
            // It covers no distance.
        } else if let Some(cell) = instance.flows.get_mut(from * n + to) {
            *cell += flow;
        }
    }
    instance.doors = stored.doors.into_iter().map(|(name, x, y)| Door { name, x, y }).collect();
    let doors = Names::listed(instance.doors.iter().map(|door| door.name.as_str()));
    for (department, through, amount, way) in &stored.door_flows {
        let found = find(department, "door_flows", &mut problems);
        let (door, name) = (doors.find(through), quoted(through));
        if door.is_none() {
            problems.file(format!("door_flows names a door {name} that there is not; correct the name"));
        }
        if let Err(why) = kinds::flow(*amount) {
            problems.file(format!("the flow between {} and door {name}: {why}", quoted(department)));
        }
        let flow = |(department, door)| DoorFlow { department, door: door as u16, amount: *amount, way: *way };
        instance.door_flows.extend(found.zip(door).map(flow));
    }
    for (rating, weight) in RATINGS.into_iter().zip(instance.weights.0) {
        if let Err(why) = kinds::weight(rating, weight) {
            problems.file(format!("the weight of {rating}: {why}"));
        }
    }
    problems.finish()?;
    let fixed =
        stored.fixed.into_iter().map(|(name, sides, orientation)| (name, rectangle_of(sides), orientation)).collect();
    let placed = |(name, sides): (String, Sides)| (name, rectangle_of(sides));
    let places: Vec<(String, Rectangle)> = stored.places.into_iter().map(placed).collect();
    let today: Vec<(String, Rectangle)> = stored.today.into_iter().map(placed).collect();
    let placed = stored.placed.into_iter().map(placed).collect();
    let named = NamedRules { fixed, placed, around: stored.around, ..NamedRules::default() };
    let rectangles = named.resolved(&instance);
    let of_fixed = named.fixed.iter().map(|fixed| ("fixed", &fixed.0));
    let of_placed = named.placed.iter().map(|placed| ("placed", &placed.0));
    let of_places = places.iter().map(|placed| ("places", &placed.0));
    let of_today = today.iter().map(|placed| ("today", &placed.0));
    let mut all = of_fixed.chain(of_placed).chain(of_places).chain(of_today);
    if let Some((of, name)) = all.find(|(_, name)| names.find(name).is_none()) {
        let what = format!("{of} names a department {} that there is not; correct the name", quoted(name));
        return Err(Error::file(source.path, what));
    }
    let place = |(name, rectangle): &(String, Rectangle)| {
        Some(Placed { department: names.find(name)? as u16, rectangle: *rectangle })
    };
    let parts = stored.building.into_iter();
    let parts = parts.map(|(name, kind, sides)| Part { name, kind, rectangle: rectangle_of(sides) });
    instance.today = today.iter().filter_map(place).collect();
    instance.building = Building { parts: parts.collect(), places: places.iter().filter_map(place).collect() };
    (instance.closeness, instance.rules) = (closeness, Rules { locks, apart, ..rectangles });
    Ok(instance)
}

fn rectangle_of((x, y, width, height): Sides) -> Rectangle {
    Rectangle { x, y, width, height }
}

fn sides_of(Rectangle { x, y, width, height }: Rectangle) -> Sides {
    (x, y, width, height)
}

/// Writes an instance without the reader's warnings.
///
/// # Errors
/// [`Usage`](gridwright_core::Error::Usage) if the instance cannot be encoded.
pub fn write(instance: &Instance) -> Result<String> {
    let n = instance.len();
    let name = |at: usize| instance.departments.get(at).map(|department| department.name.clone()).unwrap_or_default();
    let of = |at: u16| name(usize::from(at));
    let named = NamedRules::of(instance, &instance.rules);
    let flowing = instance.flows.iter().enumerate().filter(|(_, flow)| **flow != 0.0);
    let stored = Stored {
        facility_format: FORMAT,
        name: instance.name.clone(),
        plant: (instance.width, instance.height),
        distance: instance.distance,
        unit: instance.unit.map_or_else(String::new, |unit| unit.symbol().to_owned()),
        flow_unit: instance.flow_unit.clone(),
        departments: instance.departments.iter().map(Room::from).collect(),
        flows: flowing.map(|(at, flow)| (name(at / n), name(at % n), *flow)).collect(),
        closeness: instance.closeness.iter().map(|&(one, other, rating)| (of(one), of(other), rating)).collect(),
        weights: (instance.weights != Weights::default()).then_some(instance.weights.0),
        locks: instance
            .rules
            .locks
            .iter()
            .map(|lock| (of(lock.department), lock.bay + 1, lock.place.map(|place| place + 1)))
            .collect(),
        fixed: named
            .fixed
            .into_iter()
            .map(|(name, rectangle, orientation)| (name, sides_of(rectangle), orientation))
            .collect(),
        placed: named.placed.into_iter().map(|(name, rectangle)| (name, sides_of(rectangle))).collect(),
        building: (instance.building.parts.iter())
            .map(|part| (part.name.clone(), part.kind, sides_of(part.rectangle)))
            .collect(),
        places: (instance.building.places.iter()).map(|one| (of(one.department), sides_of(one.rectangle))).collect(),
        today: instance.today.iter().map(|one| (of(one.department), sides_of(one.rectangle))).collect(),
        doors: instance.doors.iter().map(|door| (door.name.clone(), door.x, door.y)).collect(),
        door_flows: (instance.door_flows.iter())
            .map(|flow| {
                (of(flow.department), instance.end_name(n + usize::from(flow.door)).to_owned(), flow.amount, flow.way)
            })
            .collect(),
        around: named.around,
        apart: instance.rules.apart.iter().map(|&(one, other)| (of(one), of(other))).collect(),
        references: instance.references.clone(),
    };
    ron::write(&stored, "layout problem", 2)
}
