//! The table of today's layout: where departments lie before anything moves.

use super::building::{PART_HEIGHT_COLUMN, PART_WIDTH_COLUMN, X_COLUMN, Y_COLUMN};
use super::{DEPARTMENT, DEPARTMENTS, LENGTH, UNIT};
use crate::{Instance, Placed, Rectangle};
use gridwright_core::data::{ColumnSpec, Reader, Row, RowReader, ValueKind};
use gridwright_core::text::notation::written;

pub(super) const PLACED: usize = 0;
const X: usize = 1;
const Y: usize = 2;
const WIDTH: usize = 3;
const HEIGHT: usize = 4;

/// A place may lie beside the plant: in another hall, or where the plant was larger.
const COORDINATE: ValueKind = ValueKind::Number { least: -1e9, most: 1e9 };

pub(super) const COLUMNS: [ColumnSpec; 5] = [
    ColumnSpec::new(
        DEPARTMENT,
        "Department",
        ValueKind::Reference("departments"),
        "Department that lies here today; each has one place at most.",
    ),
    ColumnSpec::new(X_COLUMN, "x", COORDINATE, "Left side today, from the left side of the plant.")
        .with_unit_in("plant", UNIT),
    ColumnSpec::new(Y_COLUMN, "y", COORDINATE, "Lower side today, from the lower side of the plant.")
        .with_unit_in("plant", UNIT),
    ColumnSpec::new(PART_WIDTH_COLUMN, "Width", LENGTH, "Size along x today.").with_unit_in("plant", UNIT),
    ColumnSpec::new(PART_HEIGHT_COLUMN, "Height", LENGTH, "Size along y today.").with_unit_in("plant", UNIT),
];

/// Rows of today's layout of an instance.
pub(super) fn rows(instance: &Instance) -> impl Iterator<Item = Row> + '_ {
    instance.today.iter().map(|placed| {
        let name = instance.departments.get(usize::from(placed.department)).map_or("", |one| one.name.as_str());
        let Rectangle { x, y, width, height } = placed.rectangle;
        Row::of(std::iter::once(name.to_owned()).chain([x, y, width, height].map(written)))
    })
}

/// Reads a row of today's layout; `known` are the rows before it.
pub(super) fn read(reader: &mut Reader<'_>, table: usize, row: &RowReader<'_>, known: &[Placed]) -> Option<Placed> {
    let department = reader.index_of(DEPARTMENTS, row.text(PLACED))? as u16;
    if known.iter().any(|placed| placed.department == department) {
        let what = "this department has a place today already; keep one of the rows";
        reader.issue(table, Some(row.index), Some(PLACED), what);
    }
    let side = |column| row.number(column).unwrap_or(0.0);
    let rectangle = Rectangle { x: side(X), y: side(Y), width: side(WIDTH), height: side(HEIGHT) };
    Some(Placed { department, rectangle })
}
