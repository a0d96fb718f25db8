//! Table of today's layout: departments with their present rectangles.

use super::Sheet;
use super::charts::Pairs;
use crate::Placed;
use crate::data::DEPARTMENT as DEPARTMENT_COLUMN;
use crate::data::building::{PART_HEIGHT_COLUMN, PART_WIDTH_COLUMN, X_COLUMN, Y_COLUMN};
use crate::relocations::NO_SIZE;
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::{Problems, quoted};
use gridwright_core::text::table::{self, Table};

const DEPARTMENT: usize = 0;
const SIDES: [usize; 4] = [1, 2, 3, 4];

const COLUMNS: [Column; 5] = [DEPARTMENT_COLUMN, X_COLUMN, Y_COLUMN, PART_WIDTH_COLUMN, PART_HEIGHT_COLUMN];

/// Returns `true` if a sheet begins with the header of today's layout.
pub(super) fn is_today(sheet: &Sheet) -> bool {
    Table::open(sheet.source(), &COLUMNS).is_ok()
}

/// Reads the places of the departments.
pub(super) fn read(sheet: &Sheet, pairs: &mut Pairs, problems: &mut Problems) -> Vec<Placed> {
    let mut places: Vec<(Placed, usize)> = Vec::new();
    let Ok(table) = Table::open(sheet.source(), &COLUMNS).map_err(|error| problems.file(error.to_string())) else {
        return Vec::new();
    };
    let numbers = table.numbers();
    let count = table.rows(problems, |problems, row| {
        let Some(rectangle) = super::rectangle(&numbers, &row, &COLUMNS, SIDES, problems) else { return };
        let Some(department) = pairs.find(row.get(DEPARTMENT), row.line, problems) else { return };
        let (department, name) = (department as u16, quoted(row.get(DEPARTMENT)));
        let first = places.iter().find(|(placed, _)| placed.department == department);
        if let Some((_, first)) = first {
            let what = format!("department {name} has a place today already, in line {first}; keep one of them");
            problems.line(row.line, what);
        } else if !rectangle.is_sound() {
            problems.line(row.line, format!("the place of department {name} {NO_SIZE}"));
        } else {
            places.push((Placed { department, rectangle }, row.line));
        }
    });
    table::leftovers(&table, &table.unused, &count, pairs.warnings());
    places.into_iter().map(|(placed, _)| placed).collect()
}
