//! The tables of doors and of the flows between departments and doors.

use super::building::{COORDINATE, X_COLUMN, Y_COLUMN};
use super::{AMOUNT, DEPARTMENT, DEPARTMENTS, FLOW_COLUMN, FLOW_UNIT, UNIT};
use crate::{Door, DoorFlow, Instance, Way};
use gridwright_core::data::{ColumnSpec, Reader, Row, RowReader, ValueKind, Word};
use gridwright_core::text::columns::Column;
use gridwright_core::text::notation::written;

/// Columns of the doors.
const NAME: usize = 0;
pub(super) const X: usize = 1;
const Y: usize = 2;

/// Columns of the flows.
pub(super) const OF: usize = 0;
pub(super) const THROUGH: usize = 1;
const AMOUNT_OF: usize = 2;
pub(super) const DIRECTION: usize = 3;

/// Columns as importers know them.
pub(crate) const DOOR_COLUMN: Column =
    Column::required("door", "doors dock docks gate gates tor tore tür türen rampe laderampe porte portes quai πύλη");
pub(crate) const DIRECTION_COLUMN: Column =
    Column::optional("direction", "way inout richtung ein/aus einaus sens κατεύθυνση");

/// Words of the directions.
pub(crate) const WAYS: [Word; 2] = [
    Word::of("in").or("inbound incoming inward ein eingang entrée είσοδος"),
    Word::of("out").or("outbound outgoing outward aus ausgang sortie έξοδος"),
];

pub(super) const COLUMNS: [ColumnSpec; 3] = [
    ColumnSpec::new(DOOR_COLUMN, "Door", ValueKind::Name, "Name of the door, such as Dock 1."),
    ColumnSpec::new(X_COLUMN, "x", COORDINATE, "Distance from the left side of the plant.").with_unit_in("plant", UNIT),
    ColumnSpec::new(Y_COLUMN, "y", COORDINATE, "Distance from the lower side of the plant.")
        .with_unit_in("plant", UNIT),
];

pub(super) const FLOW_COLUMNS: [ColumnSpec; 4] = [
    ColumnSpec::new(
        DEPARTMENT,
        "Department",
        ValueKind::Reference("departments"),
        "Department that sends to the door or receives from it.",
    ),
    ColumnSpec::new(DOOR_COLUMN, "Door", ValueKind::Reference("doors"), "Door at the other end."),
    ColumnSpec::new(FLOW_COLUMN, "Flow", AMOUNT, "Amount per period; repeated pairs add up.")
        .with_unit_in("plant", FLOW_UNIT),
    ColumnSpec::new(
        DIRECTION_COLUMN,
        "Direction",
        ValueKind::Choice(&WAYS),
        "in: from the door to the department. out: from the department to the door.",
    )
    .with_default("in"),
];

/// Rows of the doors of an instance.
pub(super) fn rows(instance: &Instance) -> impl Iterator<Item = Row> + '_ {
    instance.doors.iter().map(|door| Row::of([door.name.clone(), written(door.x), written(door.y)]))
}

/// Rows of the flows through doors, without the trips of products.
pub(super) fn flow_rows(instance: &Instance) -> impl Iterator<Item = Row> + '_ {
    instance.stated_door_flows().iter().map(|flow| {
        let ends = [usize::from(flow.department), instance.len() + usize::from(flow.door)];
        let [department, door] = ends.map(|end| instance.end_name(end).to_owned());
        Row::of([department, door, written(flow.amount), flow.way.name().to_owned()])
    })
}

/// Reads a door.
pub(super) fn read(row: &RowReader<'_>) -> Door {
    let number = |column| row.number(column).unwrap_or(0.0);
    Door { name: row.text(NAME).to_owned(), x: number(X), y: number(Y) }
}

/// Reads a flow between a department and a door.
pub(super) fn read_flow(reader: &Reader<'_>, doors: usize, row: &RowReader<'_>) -> Option<DoorFlow> {
    Some(DoorFlow {
        department: reader.index_of(DEPARTMENTS, row.text(OF))? as u16,
        door: reader.index_of(doors, row.text(THROUGH))? as u16,
        amount: row.number(AMOUNT_OF).unwrap_or(0.0),
        way: Way::of(row.text(DIRECTION)).unwrap_or_default(),
    })
}
