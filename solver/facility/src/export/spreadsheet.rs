//! Workbook (.xlsx) of a layout: summary, departments, bays, cost per pair with flow.

use crate::check::check;
use crate::drawing::floor::{Floor, Flow};
use crate::layout::Plan;
use crate::{Distance, Instance, Layout};
use gridwright_core::Result;
use gridwright_core::export::stamp::{self, Stamp};
use gridwright_core::workbook::{self, Book, MAX_ROWS, Style, Value, Written, count, figure, text, width, words};

/// Writes the workbook: `Summary`, `Departments`, `Bays` where there are any, `Flows`, `Building` where something is fixed, `Doors` and
/// `Flows to doors` where there are any.
///
/// # Errors
/// [`gridwright_core::Error::Usage`] where the workbook cannot be written.
pub fn workbook(instance: &Instance, layout: &Layout, stamp: Option<&Stamp>) -> Result<Vec<u8>> {
    let plan = Plan::new(instance, layout);
    workbook::write(&instance.name, None, |book| {
        summary(book, instance, layout, stamp)?;
        departments(book, instance, layout, &plan)?;
        if !layout.is_free() {
            bays(book, instance, layout, &plan)?;
        }
        flows(book, instance, layout)?;
        if !instance.building.is_empty() {
            building(book, instance)?;
        }
        if !instance.doors.is_empty() {
            doors(book, instance)?;
        }
        stamp.map_or(Ok(()), |stamp| stamp.sheet(book))
    })
}

fn summary(book: &mut Book, instance: &Instance, layout: &Layout, stamp: Option<&Stamp>) -> Written {
    let distance = match instance.distance {
        Distance::Rectilinear => "rectilinear, between centres",
        Distance::Euclidean => "straight, between centres",
    };
    let verdict = stamp::verdict(stamp, "Every department has a place and a shape it may take, as checked");
    let checked = check(instance, layout);
    let mut figures = match instance.has_moving_cost() {
        false => vec![("Material handling cost", figure(checked.cost))],
        true => vec![
            ("Cost", figure(checked.cost)),
            ("Transport", figure(checked.transport)),
            ("Moving", figure(checked.moving.cost)),
            ("Departments that move", count(checked.moving.departments.len() as u64)),
        ],
    };
    figures.extend([
        ("Distances", words(distance)),
        ("Width of the plant", figure(instance.width)),
        ("Height of the plant", figure(instance.height)),
        ("Departments", count(instance.len() as u64)),
        ("Pairs with flow", count(instance.flowing_pairs().count() as u64)),
    ]);
    match layout.is_free() {
        true => figures.push(("Places", words("rectangles, no bays"))),
        false => {
            figures.extend([("Bays", count(layout.bays.len() as u64)), ("Bays lie", words(layout.orientation.name()))])
        }
    }
    if let Some(unit) = instance.unit {
        figures.push(("Unit of lengths", words(unit.symbol())));
    }
    if !instance.building.parts.is_empty() {
        let (number, area) = checked.blocked;
        figures.push(("Overlaps with the building", count(number as u64)));
        figures.push(("Area of these overlaps", figure(area)));
    }
    if checked.closeness.is_rated() {
        figures.extend([
            ("Closeness score", figure(checked.closeness.score)),
            ("Wishes of closeness met", words(checked.closeness.met_words())),
            ("Pairs rated X that share a wall", words(checked.closeness.violated_words())),
        ]);
    }
    book.summary(&instance.name, verdict, stamp.is_none())?.figures(3, figures).map(drop)
}

fn name(instance: &Instance, department: u16) -> &str {
    &instance.departments[usize::from(department)].name
}

fn names(instance: &Instance) -> f64 {
    width(instance.departments.iter().map(|department| department.name.as_str()))
}

fn departments(book: &mut Book, instance: &Instance, layout: &Layout, plan: &Plan) -> Written {
    let mut heads = vec![("Department", names(instance))];
    heads.extend([("Bay", 8.0), ("Place", 8.0)].into_iter().filter(|_| !layout.is_free()));
    let lengths = ["x", "y", "Width", "Height", "Centre x", "Centre y"].map(|head| instance.length_heading(head));
    let area = instance.area_heading("Area");
    let [x, y, wide, high, centre_x, centre_y] = lengths.each_ref().map(String::as_str);
    heads.extend([x, y, wide, high, &area, "Longer side to shorter", centre_x, centre_y].map(|head| (head, 11.0)));
    let moved = instance.has_moving_cost().then(|| check(instance, layout).moving.departments);
    heads.extend(moved.iter().map(|_| ("Moving cost", 12.0)));
    let mut sheet = book.table("Departments", &heads, instance.len())?;
    let in_bays = layout.bays.iter().enumerate().flat_map(|(bay, inside)| {
        inside.iter().enumerate().map(move |(place, &department)| (Some([bay, place]), department))
    });
    let all = in_bays.chain(layout.rectangles.iter().map(|placed| (None, placed.department)));
    for (row, (place, department)) in (1..).zip(all) {
        let (data, room) = (&instance.departments[usize::from(department)], &plan.departments[usize::from(department)]);
        let (x, y) = room.centre();
        let place = place.into_iter().flatten().map(|at| count(at as u64 + 1));
        let numbers = [room.x, room.y, room.width, room.height, data.area, room.aspect(), x, y].map(figure);
        let moving =
            moved.iter().map(|all| all.iter().find(|one| one.0 == department).map_or(0.0, |one| one.1)).map(figure);
        sheet.row(row, std::iter::once(text(name(instance, department))).chain(place).chain(numbers).chain(moving))?;
    }
    Ok(())
}

fn bays(book: &mut Book, instance: &Instance, layout: &Layout, plan: &Plan) -> Written {
    let mut heads = vec![("Bay", 8.0), ("Departments", 14.0)];
    let lengths = ["x", "y", "Width", "Height"].map(|head| instance.length_heading(head));
    heads.extend(lengths.iter().map(|head| (head.as_str(), 11.0)));
    heads.push(("In order", 60.0));
    let mut sheet = book.table("Bays", &heads, layout.bays.len())?;
    for (row, (bay, (inside, room))) in (1..).zip(layout.bays.iter().zip(&plan.bays).enumerate()) {
        let order: Vec<&str> = inside.iter().map(|&department| name(instance, department)).collect();
        let [x, y, width, height] = [room.x, room.y, room.width, room.height].map(figure);
        let counts = (count(bay as u64 + 1), count(inside.len() as u64));
        sheet.row(row, [counts.0, counts.1, x, y, width, height, text(order.join(", "))])?;
    }
    Ok(())
}

/// Writes fixed things, the outside and the places of departments.
fn building(book: &mut Book, instance: &Instance) -> Written {
    let parts = instance.building.parts.iter().map(|part| (part.label(), part.kind.name(), part.rectangle));
    let places = instance.building.places.iter();
    let places = places.map(|one| (name(instance, one.department).to_owned(), "department", one.rectangle));
    let rows: Vec<_> = parts.chain(places).collect();
    let lengths = ["x", "y", "Width", "Height"].map(|head| instance.length_heading(head));
    let mut heads = vec![("Part", 24.0), ("Kind", 12.0)];
    heads.extend(lengths.iter().map(|head| (head.as_str(), 11.0)));
    let mut sheet = book.table("Building", &heads, rows.len())?;
    for (row, (part, kind, one)) in (1..).zip(rows) {
        let numbers = [one.x, one.y, one.width, one.height].map(figure);
        sheet.row(row, [text(part), text(kind)].into_iter().chain(numbers))?;
    }
    Ok(())
}

/// Writes the doors, and the flows between them and departments.
fn doors(book: &mut Book, instance: &Instance) -> Written {
    let lengths = ["x", "y"].map(|head| instance.length_heading(head));
    let heads = [("Door", 24.0), (lengths[0].as_str(), 11.0), (lengths[1].as_str(), 11.0)];
    let mut sheet = book.table("Doors", &heads, instance.doors.len())?;
    for (row, door) in (1..).zip(&instance.doors) {
        sheet.row(row, [text(door.name.as_str()), figure(door.x), figure(door.y)])?;
    }
    if instance.door_flows.is_empty() {
        return Ok(());
    }
    let amount = instance.flow_heading("Flow");
    let heads = [("Department", names(instance)), ("Door", 24.0), (amount.as_str(), 12.0), ("Direction", 12.0)];
    let rows = instance.door_flows.len().min(MAX_ROWS);
    let mut sheet = book.table("Flows to doors", &heads, rows)?;
    for (row, flow) in (1..).zip(instance.door_flows.iter().take(rows)) {
        let ends = [usize::from(flow.department), instance.len() + usize::from(flow.door)];
        let [department, door] = ends.map(|end| text(instance.end_name(end)));
        sheet.row(row, [department, door, figure(flow.amount), text(flow.way.name())])?;
    }
    Ok(())
}

/// Writes the pairs with flow, highest cost first.
fn flows(book: &mut Book, instance: &Instance, layout: &Layout) -> Written {
    let mut flows = Floor::new(instance, layout).flows;
    let cost = |flow: &Flow| flow.volume * flow.distance;
    flows.sort_by(|a, b| cost(b).total_cmp(&cost(a)).then(a.between.cmp(&b.between)));
    let total: f64 = flows.iter().map(cost).sum();
    let ends = instance.departments.iter().map(|one| &one.name).chain(instance.doors.iter().map(|one| &one.name));
    let widths = width(ends.map(String::as_str));
    let (flow, distance) = (instance.flow_heading("Flow, both ways"), instance.length_heading("Distance"));
    let other = if instance.doors.is_empty() { "and" } else { "and department or door" };
    let heads =
        [("Department", widths), (other, widths), (&flow, 12.0), (&distance, 12.0), ("Cost", 14.0), ("Of all", 10.0)];
    let rows = flows.len().min(MAX_ROWS);
    let mut sheet = book.table("Flows", &heads, rows)?;
    for (row, flow) in (1..).zip(flows.iter().take(rows)) {
        let share = Value::Number(if total > 0.0 { cost(flow) / total } else { 0.0 }, Style::Share);
        let [one, other] = flow.between.map(|end| text(instance.end_name(end)));
        sheet.row(row, [one, other, figure(flow.volume), figure(flow.distance), figure(cost(flow)), share])?;
    }
    Ok(())
}
