use proptest::prelude::*;

use super::departments::{AREA, ASPECT, FREE, HIGHEST, LOWEST, MOVE, MOVE_RATE};
use super::plant::{DISTANCE, HEIGHT, WEIGHT, WIDTH};
use super::products::{LOAD, QUANTITY, ROUTE};
use super::today::PLACED;
use super::*;
use crate::closeness::RATINGS;
use crate::{
    Distance, Door, DoorFlow, Layout, Lock, Orientation, Placed, Rectangle, RelocationPrice, Unit, Way, library,
};

/// Instance with everything that a file can hold.
fn full() -> Instance {
    let mut instance = library::sample("layout-workshop").unwrap();
    instance.departments[0].limit = Limit::Range(0.5, 2.0);
    instance.departments[1].limit = Limit::None;
    (instance.departments[2].dummy, instance.departments[2].limit) = (true, Limit::None);
    instance.distance = Distance::Euclidean;
    instance.weights.set('X', -10.0);
    instance.rules.apart.push((3, 1));
    instance.rules.locks = vec![Lock { department: 4, bay: 1, place: Some(0) }];
    let bays = vec![(0..6).collect(), (6..12).collect()];
    let layout = Layout::of_bays(Orientation::Horizontal, bays);
    instance.rules.fix(&instance.clone(), &layout, 7);
    let product = |name: &str, load, route: &[u16]| Product {
        name: name.to_owned(),
        quantity: 40.0,
        load,
        route: route.to_vec(),
        to_door: (route.len() > 2).then_some(0),
        ..Product::default()
    };
    instance.doors = vec![Door { name: "Dock".to_owned(), x: 0.0, y: 4.5 }];
    instance.door_flows = vec![DoorFlow { department: 2, door: 0, amount: 2.5, way: Way::Out }];
    instance = instance.with_products(vec![product("Table", 1.0, &[0, 1, 1, 3, 1]), product("Chair", 8.0, &[5, 4])]);
    instance.departments[3].relocation = RelocationPrice { fixed: 120.5, per_length: 0.25 };
    let place = |department, x| Placed { department, rectangle: Rectangle { x, y: 1.5, width: 4.0, height: 6.25 } };
    instance.today = vec![place(3, -2.5), place(0, 8.0)];
    instance.references = vec![Reference { value: 7.5, kind: "FBS".to_owned(), source: "me".to_owned() }];
    instance
}

#[test]
fn an_instance_comes_back_from_its_tables() {
    let instances = [full(), library::sample("layout-plant").unwrap(), library::generated("F40").unwrap()];
    for instance in instances {
        assert_eq!(Instance::of_data(&instance.to_data()).unwrap(), instance);
    }
    let data = full().to_data();
    let changed = Dataset { rest: Instance::rest_of_changed(&data.rest), ..data };
    let instance = Instance::of_data(&changed).unwrap();
    assert!(instance.references.is_empty(), "published values are of the published data");
    assert_eq!(instance.rules, full().rules, "rules stay");
    assert_eq!(changed.tables[PLANT].rows.get(0).unwrap().cell(WIDTH), "24");
}

#[test]
fn free_floor_has_no_limit_of_shape_whatever_the_data_state() {
    let mut stated = library::sample("layout-workshop").unwrap();
    stated.departments[2].limit = Limit::Aspect(1.5);
    stated.departments[2].dummy = true;
    // As tables of the window and as a file of layouts.
    let data = stated.to_data();
    assert_eq!((data.tables[DEPARTMENTS].rows.get(2).unwrap().cell(ASPECT)), "1.5");
    let of_tables = Instance::of_data(&data).unwrap();
    assert_eq!((of_tables.departments[2].dummy, of_tables.departments[2].limit), (true, Limit::None));
    assert_eq!(of_tables.departments[1], stated.departments[1]);
    assert_eq!(stated.validated().unwrap().departments[2].limit, Limit::None);
}

#[test]
fn numbers_with_three_decimals_are_written_with_one_reading() {
    let mut instance = library::sample("layout-workshop").unwrap();
    (instance.width, instance.departments[1].area, instance.flows[1]) = (36.125, 5.125, 1.125);
    instance.departments[2].limit = Limit::Range(1.125, 2.125);
    instance.weights.set('A', 1.125);
    let data = instance.to_data();
    let cell = |table: usize, row: usize, column: usize| data.tables[table].rows.get(row).unwrap().cell(column);
    assert_eq!([cell(PLANT, 0, WIDTH), cell(DEPARTMENTS, 1, AREA)], ["36.1250", "5.1250"]);
    assert_eq!([cell(PLANT, 0, WEIGHT), cell(DEPARTMENTS, 2, HIGHEST)], ["1.1250", "2.1250"]);
    let again = Instance::of_data(&data).unwrap();
    assert_eq!((again.width, again.flows, again.departments), (36.125, instance.flows, instance.departments));
}

#[test]
fn numbers_with_two_readings_are_refused_with_both() {
    for (table, row, column) in [(PLANT, 0, WIDTH), (DEPARTMENTS, 3, AREA), (FLOWS, 1, VALUE), (PLANT, 0, WEIGHT)] {
        let found = issues(table, row, column, "1.250");
        assert_eq!((found[0].0, found[0].1, found[0].2), (Some(table), Some(row), Some(column)), "{found:?}");
        assert!(found[0].3.contains("1250 or 1.25") && found[0].3.ends_with("write 1250 or 1.25"), "{found:?}");
    }
}

/// Table, row, column and text of an issue.
type Found = (Option<usize>, Option<usize>, Option<usize>, String);

/// Places and texts of all issues after one cell of the full instance was changed.
fn issues(table: usize, row: usize, column: usize, cell: &str) -> Vec<Found> {
    let mut data = full().to_data();
    let rows = &mut data.tables[table].rows;
    rows.set(row, rows.get(row).unwrap().with(column, cell));
    let issues = Instance::of_data(&data).unwrap_err();
    issues.into_iter().map(|issue| (issue.table, issue.row, issue.column, issue.what)).collect()
}

#[test]
fn wrong_cells_are_named_by_table_row_and_column() {
    for (table, row, column, cell, expected) in [
        (DEPARTMENTS, 3, AREA, "large", "«large» is not a number"),
        (DEPARTMENTS, 3, AREA, "0", "more than 0"),
        (PRODUCTS, 0, QUANTITY, "many", "«many» is not a number"),
        (PRODUCTS, 1, LOAD, "0", "0"),
        (PRODUCTS, 1, ROUTE, "", "missing"),
        (PRODUCTS, 1, ROUTE, "Paint", "two departments or more"),
        (PRODUCTS, 1, ROUTE, "Paint; Nowhere", "Nowhere"),
        (DEPARTMENTS, 3, AREA, "-1", "outside of 0"),
        (DEPARTMENTS, 3, AREA, "", "missing"),
        (DEPARTMENTS, 3, ASPECT, "0.5", "outside of 1"),
        (DEPARTMENTS, 0, HIGHEST, "0.1", "the smaller number first"),
        (DEPARTMENTS, 0, LOWEST, "", "both ends"),
        (DEPARTMENTS, 0, ASPECT, "3", "one kind of limit"),
        (DEPARTMENTS, 3, FREE, "perhaps", "no mark"),
        (DEPARTMENTS, 3, MOVE, "-1", "outside of 0"),
        (DEPARTMENTS, 3, MOVE_RATE, "much", "«much» is not a number"),
        (TODAY, 0, PLACED, "Nowhere", "Nowhere"),
        (TODAY, 1, 3, "0", "outside of"),
        (TODAY, 0, 1, "left", "«left» is not a number"),
        (DOORS, 0, super::doors::X, "far", "«far» is not a number"),
        (DOORS, 0, super::doors::X, "99", "lies beyond the plant"),
        (DOOR_FLOWS, 0, super::doors::OF, "Nowhere", "Nowhere"),
        (DOOR_FLOWS, 0, super::doors::THROUGH, "Gate", "Gate"),
        (DOOR_FLOWS, 0, 2, "-3", "outside of 0"),
        (DOOR_FLOWS, 0, super::doors::DIRECTION, "up", "in, out"),
        (PRODUCTS, 0, 5, "Gate", "Gate"),
        (FLOWS, 1, TO, "Nowhere", "Nowhere"),
        (FLOWS, 1, VALUE, "-3", "outside of 0"),
        (CLOSENESS, 0, VALUE, "B", "not one of A, E"),
        (PLANT, 0, WIDTH, "", "missing"),
        (PLANT, 0, HEIGHT, "0", "outside of"),
        (PLANT, 0, DISTANCE, "taxi", "rectilinear"),
        (PLANT, 0, UNIT, "ell", "mm"),
        (PLANT, 0, WEIGHT + 5, "64", "to 0"),
    ] {
        let found = issues(table, row, column, cell);
        let places: Vec<_> = found.iter().map(|issue| (issue.0, issue.1, issue.2)).collect();
        assert_eq!(places, [(Some(table), Some(row), Some(column))], "{cell}: {found:?}");
        assert!(found[0].3.to_lowercase().contains(&expected.to_lowercase()), "{found:?}");
    }
    // Relations between cells.
    let first = full().departments[3].name.clone();
    assert_eq!(issues(TODAY, 1, PLACED, &first)[0].2, Some(PLACED), "two places today");
    assert_eq!(issues(FLOWS, 1, TO, "Goods inward")[0].2, Some(TO), "from a department to itself");
    let whole = issues(PLANT, 0, WIDTH, "1");
    assert!(whole[0].0.is_none() && whole[0].3.contains("enlarge the plant"), "{whole:?}");
}

#[test]
fn changed_ratings_change_the_pairs_that_are_kept_apart() {
    let mut data = full().to_data();
    data.rest = Instance::rest_of_changed(&data.rest);
    assert_eq!(Instance::of_data(&data).unwrap().rules.apart, [(8, 9), (3, 1)]);
    let rows = &mut data.tables[CLOSENESS].rows;
    let forbidden = rows.iter().position(|row| row.cell(VALUE) == "X").unwrap();
    rows.set(forbidden, rows.get(forbidden).unwrap().with(VALUE, "O"));
    rows.extend([Row::of(["Saw", "Router", "X"])]);
    let instance = Instance::of_data(&data).unwrap();
    assert_eq!(instance.rules.apart, [(3, 1), (2, 4)]);
}

proptest! {
    #[test]
    fn random_instances_come_back(
        seed: u64, n in 2_usize..20, ratings in proptest::collection::vec((any::<u16>(), any::<u16>(), 0_usize..6), 0..8),
        limits in proptest::collection::vec((0_u8..4, 1.0..9.0_f64), 20), unit in 0_usize..6,
        numbers in proptest::collection::vec(1e-9..1e9_f64, 4)
    ) {
        let options = crate::generator::GeneratorOptions { departments: n, seed, ..Default::default() };
        let mut instance = crate::generator::generate(&options).unwrap();
        for (department, (kind, value)) in instance.departments.iter_mut().zip(limits) {
            department.limit = match kind {
                0 => Limit::None,
                1 => Limit::Aspect(value),
                2 => Limit::MinSide(value),
                _ => Limit::Range(1.0 / value, value),
            };
        }
        instance.unit = Unit::ALL.get(unit).copied();
        instance.flows[1] = numbers[0];
        instance.weights.set('A', numbers[1]);
        instance.departments[0].relocation = RelocationPrice { fixed: numbers[2], per_length: numbers[3] };
        let rectangle = Rectangle { x: -numbers[0], y: numbers[1], width: numbers[2].max(1e-6), height: 2.0 };
        instance.today = vec![Placed { department: n as u16 - 1, rectangle }];
        let share = numbers[0] / 1e9;
        let door = |at: u16| Door { name: format!("P {at}"), x: share * instance.width, y: instance.height };
        instance.doors = vec![door(0), door(1)];
        let through = |door, way| DoorFlow { department: seed as u16 % n as u16, door, amount: numbers[3], way };
        instance.door_flows = vec![through(1, Way::Out), through(0, Way::In)];
        for (one, other, rating) in ratings {
            let (one, other) = (one % n as u16, other % n as u16);
            let known = |rated: &(u16, u16, char)| (rated.0.min(rated.1), rated.0.max(rated.1)) == (one.min(other), one.max(other));
            if one != other && !instance.closeness.iter().any(known) {
                instance.closeness.push((one, other, RATINGS[rating]));
            }
        }
        let instance = instance.validated().unwrap();
        prop_assert_eq!(&Instance::of_data(&instance.to_data()).unwrap(), &instance);
        gridwright_core::testing::assert_imported_again(&instance);
    }
}
