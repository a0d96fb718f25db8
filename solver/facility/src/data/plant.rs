//! The form of the plant: its size, units, the measure of distances and the weights of the closeness ratings.

use super::{AMOUNT, HEIGHT_COLUMN, LENGTH, MOST, UNIT_COLUMN, WIDTH_COLUMN, optional};
use crate::closeness::{RATINGS, Weights};
use crate::{Distance, Instance, Unit};
use gridwright_core::data::{ColumnSpec, Row, RowReader, ValueKind, Word};
use gridwright_core::text::notation::written;

/// Columns of the plant.
pub(super) const WIDTH: usize = 0;
pub(super) const HEIGHT: usize = 1;
pub(super) const UNIT: usize = 2;
pub(super) const DISTANCE: usize = 3;
pub(super) const FLOW_UNIT: usize = 4;
/// Weights of the ratings, in the order of [`RATINGS`], follow.
pub(super) const WEIGHT: usize = 5;

const fn weight(name: &'static str, title: &'static str, default: &'static str) -> ColumnSpec {
    let help = "What a pair with this rating that shares a wall adds to the closeness score.";
    optional(name, "", title, AMOUNT, help).with_default(default)
}

pub(super) const COLUMNS: [ColumnSpec; 11] = [
    ColumnSpec::new(WIDTH_COLUMN, "Width", LENGTH, "Size of the plant along x."),
    ColumnSpec::new(HEIGHT_COLUMN, "Height", LENGTH, "Size of the plant along y."),
    ColumnSpec::new(
        UNIT_COLUMN,
        "Unit of length",
        ValueKind::Choice(&[
            Word::of("mm"),
            Word::of("cm"),
            Word::of("m").or("meter metre metres mètre mètres μ μέτρα"),
            Word::of("in").or("inch inches zoll pouce pouces"),
            Word::of("ft").or("feet foot fuss pied pieds"),
        ]),
        "Unit of all lengths; empty if unknown.",
    ),
    optional(
        "distance",
        "distances",
        "Distance",
        ValueKind::Choice(&[
            Word::of("rectilinear").or("manhattan rechtwinklig rectiligne ορθογώνια"),
            Word::of("euclidean").or("euklidisch euclidienne luftlinie ευκλείδεια"),
        ]),
        "Along x and along y, or in a straight line; between the centres of departments.",
    )
    .with_default("rectilinear"),
    optional("flow unit", "", "Unit of flows", ValueKind::Text, "Unit of all flows, such as pallets/day."),
    weight("weight A", "Weight of A", "64"),
    weight("weight E", "Weight of E", "16"),
    weight("weight I", "Weight of I", "4"),
    weight("weight O", "Weight of O", "1"),
    weight("weight U", "Weight of U", "0"),
    optional(
        "weight X",
        "",
        "Weight of X",
        ValueKind::Number { least: -MOST, most: 0.0 },
        "What a pair rated X that shares a wall takes from the closeness score; 0 allows such pairs to share a wall.",
    )
    .with_default("-64"),
];

/// Row of the plant of an instance.
pub(super) fn row(instance: &Instance) -> Row {
    let unit = instance.unit.map_or("", Unit::symbol);
    let texts = [unit, instance.distance.name(), &instance.flow_unit].map(str::to_owned);
    let size = [instance.width, instance.height].map(written);
    let weights = instance.weights.0.map(written);
    Row::of(size.into_iter().chain(texts).chain(weights))
}

/// Reads the plant into an instance.
pub(super) fn read(instance: &mut Instance, row: &RowReader<'_>) {
    let side = |column| row.number(column).unwrap_or(0.0);
    (instance.width, instance.height) = (side(WIDTH), side(HEIGHT));
    instance.unit = Unit::of(row.text(UNIT));
    instance.distance = row.text(DISTANCE).parse().unwrap_or(Distance::Rectilinear);
    row.text(FLOW_UNIT).clone_into(&mut instance.flow_unit);
    let mut weights = Weights::default();
    for (column, rating) in (WEIGHT..).zip(RATINGS) {
        weights.set(rating, row.number(column).unwrap_or_else(|| weights.of(rating)));
    }
    instance.weights = weights;
}
