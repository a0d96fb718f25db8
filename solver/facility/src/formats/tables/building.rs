//! Table of the building: fixed things, floor outside of the outline, and departments with a fixed rectangle.

use super::Sheet;
use super::charts::Pairs;
use crate::Placed;
use crate::building::{Building, Part, PartKind};
use crate::data::building::{
    KIND_COLUMN, KINDS, OF_DEPARTMENT, PART_COLUMN, PART_HEIGHT_COLUMN, PART_WIDTH_COLUMN, PLACE_OF_COLUMN, X_COLUMN,
    Y_COLUMN,
};
use gridwright_core::data::{DateOrder, ValueKind, canonical};
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::{Problems, quoted};
use gridwright_core::text::table::{self, Table};

const PART: usize = 0;
const KIND: usize = 1;
const DEPARTMENT: usize = 2;
const SIDES: [usize; 4] = [3, 4, 5, 6];

const COLUMNS: [Column; 7] =
    [PART_COLUMN, KIND_COLUMN, PLACE_OF_COLUMN, X_COLUMN, Y_COLUMN, PART_WIDTH_COLUMN, PART_HEIGHT_COLUMN];

/// Returns `true` if a sheet begins with the header of a building.
pub(super) fn is_building(sheet: &Sheet) -> bool {
    Table::open(sheet.source(), &COLUMNS).is_ok()
}

/// Reads the parts of a building.
pub(super) fn read(sheet: &Sheet, pairs: &mut Pairs, problems: &mut Problems) -> Building {
    let mut building = Building::default();
    let Ok(table) = Table::open(sheet.source(), &COLUMNS).map_err(|error| problems.file(error.to_string())) else {
        return building;
    };
    let numbers = table.numbers();
    let count = table.rows(problems, |problems, row| {
        let Some(rectangle) = super::rectangle(&numbers, &row, &COLUMNS, SIDES, problems) else { return };
        let kind = canonical(ValueKind::Choice(&KINDS), row.get(KIND), DateOrder::DayFirst);
        let name = row.get(PART).to_owned();
        match kind.as_str() {
            OF_DEPARTMENT => {
                let found = pairs.find(row.get(DEPARTMENT), row.line, problems);
                building.places.extend(found.map(|department| Placed { department: department as u16, rectangle }));
            }
            kind if !row.get(DEPARTMENT).is_empty() => {
                let what = format!("only a row of the kind department names one, and this one is {}", quoted(kind));
                problems.line(row.line, what);
            }
            "fixed" => building.parts.push(Part { name, kind: PartKind::Fixed, rectangle }),
            "outside" => building.parts.push(Part { name, kind: PartKind::Outside, rectangle }),
            other => {
                let other = quoted(other);
                problems.line(row.line, format!("{other} is no kind of a part; write fixed, outside or department"));
            }
        }
    });
    table::leftovers(&table, &table.unused, &count, pairs.warnings());
    building
}
