//! The table of departments.

use super::{
    AMOUNT, AREA_COLUMN, ASPECT_COLUMN, DEPARTMENT, FREE_COLUMN, MOST, MOVE_COLUMN, MOVE_RATE_COLUMN, RATIO,
    SIDE_COLUMN, UNIT, optional,
};
use crate::{Department, Limit, RelocationPrice};
use gridwright_core::data::{Assumed, ColumnSpec, Reader, Row, RowReader, ValueKind};
use gridwright_core::text::notation::written;

/// Columns of the departments.
pub(super) const NAME: usize = 0;
pub(super) const AREA: usize = 1;
pub(super) const ASPECT: usize = 2;
pub(super) const SIDE: usize = 3;
pub(super) const LOWEST: usize = 4;
pub(super) const HIGHEST: usize = 5;
pub(super) const FREE: usize = 6;
pub(super) const MOVE: usize = 7;
pub(super) const MOVE_RATE: usize = 8;

pub(super) const COLUMNS: [ColumnSpec; 9] = [
    ColumnSpec::new(DEPARTMENT, "Department", ValueKind::Name, "Name of the department."),
    ColumnSpec::new(AREA_COLUMN, "Area", AMOUNT, "Area in the square of the plant's unit of length; more than 0.")
        .with_unit_in("plant", UNIT),
    ColumnSpec::new(
        ASPECT_COLUMN,
        "Aspect limit",
        ValueKind::Number { least: 1.0, most: MOST },
        "How many times as long as wide the department may be; empty for no limit.",
    )
    .with_default("4"),
    ColumnSpec::new(SIDE_COLUMN, "Least side", AMOUNT, "Shortest side that is allowed, instead of an aspect limit."),
    optional(
        "lowest height/width",
        "",
        "Height : width from",
        RATIO,
        "Least height divided by width, instead of the other limits.",
    ),
    optional(
        "highest height/width",
        "",
        "Height : width to",
        RATIO,
        "Largest height divided by width, instead of the other limits.",
    ),
    ColumnSpec::new(
        FREE_COLUMN,
        "Free floor",
        ValueKind::Mark,
        "Marks free floor, which has no flow and no limit of shape.",
    ),
    ColumnSpec::new(
        MOVE_COLUMN,
        "Moving price",
        AMOUNT,
        "What it costs to move the department away from its place today, in the unit of flow × distance; empty for nothing.",
    ),
    ColumnSpec::new(
        MOVE_RATE_COLUMN,
        "Moving price per length",
        AMOUNT,
        "What each unit of length costs by which the department's centre moves; empty for nothing.",
    ),
];

/// Departments without a limit are given an aspect limit.
pub(super) const ASSUMED: Assumed = Assumed { column: ASPECT, instead: &[SIDE, LOWEST, HIGHEST], exempt: FREE };

/// Row of a department.
pub(super) fn row(department: &Department) -> Row {
    let mut cells: [String; 9] = Default::default();
    (cells[NAME], cells[AREA]) = (department.name.clone(), written(department.area));
    match department.limit {
        Limit::None => {}
        Limit::Aspect(most) => cells[ASPECT] = written(most.min(MOST)),
        Limit::MinSide(least) => cells[SIDE] = written(least.min(MOST)),
        Limit::Range(low, high) => (cells[LOWEST], cells[HIGHEST]) = (written(low.max(1e-15)), written(high.min(MOST))),
    }
    if department.dummy {
        "yes".clone_into(&mut cells[FREE]);
    }
    let RelocationPrice { fixed, per_length } = department.relocation;
    for (column, price) in [(MOVE, fixed), (MOVE_RATE, per_length)].into_iter().filter(|(_, price)| *price != 0.0) {
        cells[column] = written(price);
    }
    Row::of(cells)
}

/// Reads the department of a row.
pub(super) fn read(reader: &mut Reader<'_>, table: usize, row: &RowReader<'_>) -> Department {
    let area = row.number(AREA);
    if area == Some(0.0) {
        reader.issue(table, Some(row.index), Some(AREA), "an area is more than 0; remove the row if it needs none");
    }
    let [aspect, side, low, high] = [ASPECT, SIDE, LOWEST, HIGHEST].map(|column| row.number(column));
    let limit = match (aspect, side, low, high) {
        (None, None, None, None) => Limit::None,
        (Some(most), None, None, None) => Limit::Aspect(most),
        (None, Some(least), None, None) => Limit::MinSide(least),
        (None, None, Some(low), Some(high)) if low <= high => Limit::Range(low, high),
        (None, None, Some(_), Some(_)) => {
            let what = "the range of height : width holds no shape; write the smaller number first";
            reader.issue(table, Some(row.index), Some(HIGHEST), what);
            Limit::None
        }
        (None, None, low, _) => {
            let column = if low.is_some() { HIGHEST } else { LOWEST };
            reader.issue(table, Some(row.index), Some(column), "a range of height : width needs both ends");
            Limit::None
        }
        _ => {
            let what =
                "a department has one kind of limit: an aspect limit, a least side or a range; leave the others empty";
            reader.issue(table, Some(row.index), Some(if aspect.is_some() { ASPECT } else { SIDE }), what);
            Limit::None
        }
    };
    let [fixed, per_length] = [MOVE, MOVE_RATE].map(|column| row.number(column).unwrap_or(0.0));
    Department {
        name: row.text(NAME).to_owned(),
        area: area.unwrap_or(0.0),
        limit,
        dummy: row.is_marked(FREE),
        relocation: RelocationPrice { fixed, per_length },
    }
}
