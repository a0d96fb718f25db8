//! The table of products.

use super::{AMOUNT, DEPARTMENTS, MOST};
use crate::products::{Product, SHORT_ROUTE};
use gridwright_core::data::{ColumnSpec, Reader, Row, RowReader, ValueKind, lists};
use gridwright_core::text::columns::Column;
use gridwright_core::text::notation::written;

/// Columns of the products.
pub(super) const PRODUCT: usize = 0;
pub(super) const QUANTITY: usize = 1;
pub(super) const LOAD: usize = 2;
pub(super) const ROUTE: usize = 3;

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

pub(super) const COLUMNS: [ColumnSpec; 4] = [
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
];

/// Row of a product.
pub(super) fn row<'a>(product: &Product, name: impl Fn(usize) -> &'a str) -> Row {
    let load = if product.load == 1.0 { String::new() } else { written(product.load) };
    let route = lists::joined(product.route.iter().map(|&at| name(at.into())));
    Row::of([product.name.clone(), written(product.quantity), load, route])
}

/// Reads the product of a row.
pub(super) fn read(reader: &mut Reader<'_>, table: usize, row: &RowReader<'_>) -> Product {
    let places = lists::references(row.text(ROUTE)).filter_map(|name| reader.index_of(DEPARTMENTS, name));
    let route: Vec<u16> = places.map(|place| place as u16).collect();
    // A missing value and unknown names are told by themselves.
    if lists::references(row.text(ROUTE)).count() == 1 {
        reader.issue(table, Some(row.index), Some(ROUTE), SHORT_ROUTE);
    }
    Product {
        name: row.text(PRODUCT).to_owned(),
        quantity: row.number(QUANTITY).unwrap_or(0.0),
        load: row.number(LOAD).unwrap_or(1.0),
        route,
    }
}
