//! The table of the building: fixed things, floor outside of the outline, and departments with a fixed rectangle.

use super::{DEPARTMENTS, LENGTH, UNIT};
use crate::building::{Building, MAX_PARTS, Part, PartKind, overlap};
use crate::{Instance, Placed, Rectangle};
use gridwright_core::data::{ColumnSpec, Reader, Row, RowReader, ValueKind, Word};
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::quoted;
use gridwright_core::text::notation::written;

pub(super) const PART: usize = 0;
pub(super) const KIND: usize = 1;
pub(super) const DEPARTMENT: usize = 2;
pub(super) const X: usize = 3;
pub(super) const Y: usize = 4;
const WIDTH: usize = 5;
const HEIGHT: usize = 6;

/// Kind of a row that fixes a department.
pub(crate) const OF_DEPARTMENT: &str = "department";

/// Columns as importers know them.
pub(crate) const PART_COLUMN: Column =
    Column::optional("part", "element teil bauteil gebäudeteil name bezeichnung objekt object élément στοιχείο");
pub(crate) const KIND_COLUMN: Column = Column::required("kind", "type art typ genre είδος");
pub(crate) const PLACE_OF_COLUMN: Column = Column::optional("department", "abteilung bereich raum room τμήμα service");
pub(crate) const X_COLUMN: Column = Column::required("x", "left xposition posx links");
pub(crate) const Y_COLUMN: Column = Column::required("y", "bottom yposition posy unten");
pub(crate) const PART_WIDTH_COLUMN: Column = Column::required("width", "breite largeur πλάτος dx");
pub(crate) const PART_HEIGHT_COLUMN: Column =
    Column::required("height", "depth length tiefe höhe länge hauteur profondeur ύψος βάθος dy");

/// Words of the kinds.
pub(crate) const KINDS: [Word; 3] = [
    Word::of("fixed").or("fest hindernis obstacle treppe treppenhaus stairs säule stütze column hof yard fixe σταθερό"),
    Word::of("outside").or("außen aussen außerhalb ausserhalb draußen notch cutoff extérieur εξωτερικό"),
    Word::of(OF_DEPARTMENT).or("abteilung bereich raum room service τμήμα"),
];

pub(super) const COORDINATE: ValueKind = ValueKind::Number { least: 0.0, most: 1e9 };

pub(super) const COLUMNS: [ColumnSpec; 7] = [
    ColumnSpec::new(PART_COLUMN, "Part", ValueKind::Text, "Name of the part, such as Stairs; may be empty."),
    ColumnSpec::new(
        KIND_COLUMN,
        "Kind",
        ValueKind::Choice(&KINDS),
        "fixed: stairs, columns, yards that departments avoid. outside: floor beyond the outline of the plant. department: the \
         place of a department that stays.",
    )
    .with_default("fixed"),
    ColumnSpec::new(
        PLACE_OF_COLUMN,
        "Department",
        ValueKind::Reference("departments"),
        "Department that keeps this place; empty for fixed things and the outside.",
    ),
    ColumnSpec::new(X_COLUMN, "x", COORDINATE, "Left side, from the left side of the plant.").with_unit_in("plant", UNIT),
    ColumnSpec::new(Y_COLUMN, "y", COORDINATE, "Lower side, from the lower side of the plant.").with_unit_in("plant", UNIT),
    ColumnSpec::new(PART_WIDTH_COLUMN, "Width", LENGTH, "Size along x.").with_unit_in("plant", UNIT),
    ColumnSpec::new(PART_HEIGHT_COLUMN, "Height", LENGTH, "Size along y.").with_unit_in("plant", UNIT),
];

/// Rows of the building of an instance.
pub(super) fn rows(instance: &Instance) -> impl Iterator<Item = Row> + '_ {
    let row = |name: &str, kind: &str, department: &str, one: &Rectangle| {
        let sides = [one.x, one.y, one.width, one.height].map(written);
        Row::of([name, kind, department].map(str::to_owned).into_iter().chain(sides))
    };
    let parts = instance.building.parts.iter();
    let parts = parts.map(move |part| row(&part.name, part.kind.name(), "", &part.rectangle));
    let places = instance.building.places.iter().map(move |placed| {
        let department = instance.departments.get(usize::from(placed.department));
        row("", OF_DEPARTMENT, department.map_or("", |one| one.name.as_str()), &placed.rectangle)
    });
    parts.chain(places)
}

/// Rectangle of a row of the building.
pub(super) struct NamedRectangle {
    /// Index of the row.
    row: usize,
    /// Name for messages, in quotation marks.
    name: String,
    rectangle: Rectangle,
}

/// Adds a row to the building; returns its rectangle if the row can be used.
pub(super) fn read(
    reader: &mut Reader<'_>, table: usize, row: &RowReader<'_>, building: &mut Building,
) -> Option<NamedRectangle> {
    let side = |column| row.number(column).unwrap_or(0.0);
    let rectangle = Rectangle { x: side(X), y: side(Y), width: side(WIDTH), height: side(HEIGHT) };
    let (name, kind, department) = (row.text(PART).to_owned(), row.text(KIND), row.text(DEPARTMENT));
    if kind == OF_DEPARTMENT {
        if department.is_empty() {
            let what = "a place of a department names the department; choose it, or another kind";
            reader.issue(table, Some(row.index), Some(DEPARTMENT), what);
        }
        let index = reader.index_of(DEPARTMENTS, department);
        building.places.extend(index.map(|index| Placed { department: index as u16, rectangle }));
        let name = format!("department {}", quoted(department));
        return index.map(|_| NamedRectangle { row: row.index, name, rectangle });
    }
    if !department.is_empty() {
        let what = "only a row of the kind department names one; leave the cell empty, or choose that kind";
        reader.issue(table, Some(row.index), Some(DEPARTMENT), what);
    }
    let kind = if kind == PartKind::Outside.name() { PartKind::Outside } else { PartKind::Fixed };
    let part = Part { name, kind, rectangle };
    let name = quoted(&part.label());
    building.parts.push(part);
    Some(NamedRectangle { row: row.index, name, rectangle })
}

/// Marks the rows of rectangles that overlap, each at its left side.
pub(super) fn mark_overlaps(reader: &mut Reader<'_>, table: usize, rectangles: &[NamedRectangle]) {
    // The checker refuses more, before it compares them.
    let rectangles = &rectangles[..rectangles.len().min(MAX_PARTS)];
    for (at, one) in rectangles.iter().enumerate() {
        for other in &rectangles[..at] {
            let why = overlap([(&other.name, &other.rectangle), (&one.name, &one.rectangle)]);
            for row in [other.row, one.row] {
                if let Some(why) = &why {
                    reader.issue(table, Some(row), Some(X), why.as_str());
                }
            }
        }
    }
}
