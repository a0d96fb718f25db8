//! Tables of products: quantity per period, pieces per trip, and the route through the departments.

use super::Sheet;
use super::charts::Pairs;
use super::doors::Doors;
use crate::data::products::{
    FROM_DOOR_COLUMN, LOAD_COLUMN, PRODUCT_COLUMN, QUANTITY_COLUMN, ROUTE_COLUMN, TO_DOOR_COLUMN,
};
use crate::formats::kinds;
use crate::products::{Product, SHORT_ROUTE};
use gridwright_core::data::lists::references;
use gridwright_core::text::columns::Column;
use gridwright_core::text::lines::Problems;
use gridwright_core::text::table::{self, Table};

const PRODUCT: usize = 0;
const QUANTITY: usize = 1;
const LOAD: usize = 2;
const ROUTE: usize = 3;
const FROM_DOOR: usize = 4;
const TO_DOOR: usize = 5;

const COLUMNS: [Column; 6] =
    [PRODUCT_COLUMN, QUANTITY_COLUMN, LOAD_COLUMN, ROUTE_COLUMN, FROM_DOOR_COLUMN, TO_DOOR_COLUMN];

/// Returns `true` if a sheet begins with the header of a table of products.
pub(super) fn is_products(sheet: &Sheet) -> bool {
    Table::open(sheet.source(), &COLUMNS).is_ok()
}

/// Reads the products of a table.
pub(super) fn read(sheet: &Sheet, doors: &Doors, pairs: &mut Pairs, problems: &mut Problems) -> Vec<Product> {
    let Ok(table) = Table::open(sheet.source(), &COLUMNS).map_err(|error| problems.file(error.to_string())) else {
        return Vec::new();
    };
    let (mut products, numbers) = (Vec::new(), table.numbers());
    let count = table.rows(problems, |problems, row| {
        let quantity = numbers.read(&row, QUANTITY).and_then(kinds::flow);
        let load = if row.get(LOAD).is_empty() { Ok(1.0) } else { numbers.read(&row, LOAD).and_then(kinds::flow) };
        let route: Vec<u16> = references(row.get(ROUTE))
            .filter_map(|name| pairs.find(name, row.line, problems))
            .map(|department| department as u16)
            .collect();
        let [from_door, to_door] = [FROM_DOOR, TO_DOOR].map(|column| match row.get(column) {
            "" => None,
            door => doors.find(door, row.line, problems),
        });
        let product = Product { name: row.get(PRODUCT).to_owned(), route, from_door, to_door, ..Product::default() };
        match (quantity, load) {
            (Err(why), _) => problems.line(row.line, format!("the quantity: {why}")),
            (_, Err(why)) => problems.line(row.line, format!("the pieces per trip: {why}")),
            (_, Ok(0.0)) => problems.line(row.line, "the pieces per trip are 0; they must be more than 0"),
            (Ok(_), Ok(_)) if product.is_short() => problems.line(row.line, SHORT_ROUTE),
            (Ok(quantity), Ok(load)) => products.push(Product { quantity, load, ..product }),
        }
    });
    table::leftovers(&table, &table.unused, &count, pairs.warnings());
    pairs.state_flows();
    products
}
