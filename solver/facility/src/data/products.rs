//! The table of products.

use super::{AMOUNT, DEPARTMENTS, MOST};
use crate::Instance;
use crate::products::{Product, SHORT_ROUTE};
use gridwright_core::data::{ColumnSpec, Reader, Row, RowReader, ValueKind, lists};
use gridwright_core::text::columns::Column;
use gridwright_core::text::notation::written;

/// Columns of the products.
pub(super) const PRODUCT: usize = 0;
pub(super) const QUANTITY: usize = 1;
pub(super) const LOAD: usize = 2;
pub(super) const ROUTE: usize = 3;
const FROM_DOOR: usize = 4;
const TO_DOOR: usize = 5;

pub(crate) const PRODUCT_COLUMN: Column = Column::required(
    "product",
    "products item article part produkt produkte artikel teil erzeugnis produit article produits articolo prodotto producto προϊόν",
);
pub(crate) const QUANTITY_COLUMN: Column = Column::required(
    "quantity",
    "quantities pieces amount demand volume menge mengen stück stückzahl bedarf quantité quantità cantidad ποσότητα",
);
pub(crate) const LOAD_COLUMN: Column = Column::optional(
    "pieces per trip",
    "load loadsize unitload lot lotsize batch batchsize ladung lademenge losgröße stückprofahrt lot charge",
);
pub(crate) const ROUTE_COLUMN: Column = Column::required(
    "route",
    "routing routings sequence processplan operations steps weg arbeitsplan arbeitsfolge ablauf reihenfolge gamme parcours ruta percorso διαδρομή",
);

pub(crate) const FROM_DOOR_COLUMN: Column =
    Column::optional("from door", "fromdock fromgate vontor arrivaldoor entrancedoor portedentrée");
pub(crate) const TO_DOOR_COLUMN: Column =
    Column::optional("to door", "todock togate zutor departuredoor exitdoor portedesortie");

pub(super) const COLUMNS: [ColumnSpec; 6] = [
    ColumnSpec::new(PRODUCT_COLUMN, "Product", ValueKind::Name, "Name of the product."),
    ColumnSpec::new(QUANTITY_COLUMN, "Quantity", AMOUNT, "Pieces per period."),
    ColumnSpec::new(
        LOAD_COLUMN,
        "Pieces per trip",
        ValueKind::Number { least: 1e-9, most: MOST },
        "Pieces that are moved together; empty for one.",
    ),
    ColumnSpec::new(
        ROUTE_COLUMN,
        "Route",
        ValueKind::References("departments"),
        "Departments in the order of their visits, such as Saw; Mill; Store. Each step adds the trips of the product to a flow.",
    ),
    ColumnSpec::new(
        FROM_DOOR_COLUMN,
        "From door",
        ValueKind::Reference("doors"),
        "Door through which the product comes to the first department; empty for none.",
    ),
    ColumnSpec::new(
        TO_DOOR_COLUMN,
        "To door",
        ValueKind::Reference("doors"),
        "Door through which the product leaves the last department; empty for none.",
    ),
];

/// Row of a product.
pub(super) fn row(instance: &Instance, product: &Product) -> Row {
    let load = if product.load == 1.0 { String::new() } else { written(product.load) };
    let route = lists::joined(product.route.iter().map(|&at| instance.end_name(at.into())));
    let door = |door: Option<u16>| door.map_or("", |door| instance.end_name(instance.len() + usize::from(door)));
    let [from, to] = [product.from_door, product.to_door].map(|one| door(one).to_owned());
    Row::of([product.name.clone(), written(product.quantity), load, route, from, to])
}

/// Reads the product of a row; `doors` is the index of the table of doors.
pub(super) fn read(reader: &mut Reader<'_>, table: usize, doors: usize, row: &RowReader<'_>) -> Product {
    let places = lists::references(row.text(ROUTE)).filter_map(|name| reader.index_of(DEPARTMENTS, name));
    let route: Vec<u16> = places.map(|place| place as u16).collect();
    let [from_door, to_door] =
        [FROM_DOOR, TO_DOOR].map(|column| Some(reader.index_of(doors, row.text(column))? as u16));
    // A missing value and unknown names are told by themselves.
    let has_door = [FROM_DOOR, TO_DOOR].into_iter().any(|column| !row.text(column).is_empty());
    if lists::references(row.text(ROUTE)).count() == 1 && !has_door {
        reader.issue(table, Some(row.index), Some(ROUTE), SHORT_ROUTE);
    }
    Product {
        name: row.text(PRODUCT).to_owned(),
        quantity: row.number(QUANTITY).unwrap_or(0.0),
        load: row.number(LOAD).unwrap_or(1.0),
        route,
        from_door,
        to_door,
    }
}
