//! Size of the plant: from a comment, from columns of the departments, or from a table of its own.

use super::{Sheet, rooms};
use crate::data::{HEIGHT_COLUMN, UNIT_COLUMN, WIDTH_COLUMN};
use crate::formats::PlantSize;
use crate::{Instance, Unit};
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::Problems;
use gridwright_core::text::table::Table;

const WIDTH: usize = 0;
const HEIGHT: usize = 1;
const UNIT: usize = 2;

const COLUMNS: [Column; 3] = [WIDTH_COLUMN, HEIGHT_COLUMN, UNIT_COLUMN];

/// Returns `true` if a sheet begins with the header of a plant.
pub(super) fn is_plant(sheet: &Sheet) -> bool {
    Table::open(sheet.source(), &COLUMNS).is_ok() && !rooms::has_header(sheet.source())
}

/// Reads the size of the plant from the first row of its table, and the unit of lengths into the instance.
pub(super) fn read(sheet: &Sheet, instance: &mut Instance, problems: &mut Problems) -> Option<PlantSize> {
    let table = Table::open(sheet.source(), &COLUMNS).map_err(|error| problems.file(error.to_string())).ok()?;
    let (mut size, numbers) = (None, table.numbers());
    table.rows(problems, |problems, row| {
        let side =
            |column: usize| numbers.read(&row, column).map_err(|why| format!("the {}: {why}", COLUMNS[column].name));
        match (side(WIDTH), side(HEIGHT)) {
            _ if size.is_some() => problems.line(row.line, "there is one plant; remove the other lines"),
            (Ok(width), Ok(height)) => size = Some(PlantSize { width, height }),
            (Err(why), _) | (_, Err(why)) => problems.value(row.line, why),
        }
        instance.unit = Unit::of(row.get(UNIT)).or_else(|| Unit::of(numbers.unit(WIDTH))).or(instance.unit);
    });
    size
}

/// Plant size from a comment or from columns.
pub(super) fn of_departments(sheet: &Sheet, rooms: &rooms::Rooms, problems: &mut Problems) -> Option<PlantSize> {
    let Some((line, text)) = sheet.remark(&["plant", "plantsize", "hall", "building"]) else { return rooms.plant };
    PlantSize::read(text, rooms.evidence).map_err(|why| problems.line(line, why)).ok()
}

/// Plant of about 3 : 2 with room for all departments and a little more, in whole units if these are small.
pub(super) fn proposed(instance: &Instance) -> PlantSize {
    let side = (instance.total_area() * 1.05 / 1.5).sqrt();
    let parts = if side >= 3.0 { 1.0 } else { 10_f64.powf(1.0 - side.log10().floor()) };
    let up = |length: f64| (length * parts).ceil() / parts;
    let width = up(1.5 * side);
    PlantSize { width, height: up(instance.total_area() * 1.05 / width) }
}
