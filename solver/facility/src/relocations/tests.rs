use proptest::prelude::*;

use super::*;
use crate::building::{Part, PartKind};
use crate::check::{Moving, check};
use crate::evaluation::Problem;
use crate::formats::LoadOptions;
use crate::run::{Algorithm, Settings, replay, solve};
use crate::{Department, Limit, Plan, Rectangle};
use gridwright_core::random::Philox;
use gridwright_core::search::{Algorithms as _, Budget, Control, Stop};

/// Instances of up to nine departments in two thirds of the plant, today in a random layout with bays of another plant; some
/// departments have no place today, some no price.
fn instances() -> impl Strategy<Value = Instance> {
    let rooms = proptest::collection::vec((1.0..30.0_f64, 0.0..90.0_f64, 0.0..9.0_f64, 0_u8..8), 2..=9);
    (rooms, any::<bool>(), any::<u64>()).prop_map(|(rooms, euclidean, seed)| {
        let total: f64 = rooms.iter().map(|room| room.0).sum();
        let department = |(at, room): (usize, &(f64, f64, f64, u8))| Department {
            name: format!("D{at}"),
            area: room.0,
            limit: Limit::Aspect(6.0),
            relocation: match room.3 {
                0 => RelocationPrice::default(),
                1 => RelocationPrice { fixed: room.1, per_length: 0.0 },
                _ => RelocationPrice { fixed: room.1, per_length: room.2 },
            },
            ..Department::default()
        };
        let n = rooms.len();
        let mut instance = Instance {
            name: "moving".to_owned(),
            width: (total * 1.5).sqrt(),
            height: (total * 1.5).sqrt(),
            departments: rooms.iter().enumerate().map(department).collect(),
            flows: (0..n * n).map(|at| if at % (n + 1) == 0 { 0.0 } else { (at * 7 % 5) as f64 }).collect(),
            distance: if euclidean { Distance::Euclidean } else { Distance::Rectilinear },
            ..Instance::default()
        };
        let plan = Plan::new(&instance, &random(&instance, seed));
        let places = plan.departments.iter().zip(0..).zip(&rooms).filter(|(_, room)| room.3 != 2);
        instance.today = places.map(|((&rectangle, department), _)| Placed { department, rectangle }).collect();
        instance.validated().unwrap()
    })
}

/// Random layout with bays.
fn random(instance: &Instance, seed: u64) -> Layout {
    let mut genes = vec![0; instance.len()];
    crate::population::random_genes(Philox::new(seed), 0, 0, None, &mut genes);
    crate::genes::to_layout(&genes, Orientation::ALL[(seed % 2) as usize])
}

/// Moving cost of a layout from the definition.
fn defined(instance: &Instance, layout: &Layout) -> f64 {
    let plan = Plan::new(instance, layout);
    let cost = |placed: &Placed| {
        let (now, department) =
            (plan.departments[usize::from(placed.department)], &instance.departments[usize::from(placed.department)]);
        let reach = 1e-6 * instance.width.max(instance.height);
        let ends = |one: &Rectangle| [one.x, one.x + one.width, one.y, one.y + one.height];
        if ends(&now).iter().zip(ends(&placed.rectangle)).all(|(is, was)| (is - was).abs() <= reach) {
            return 0.0;
        }
        let ((x, y), (was_x, was_y)) = (now.centre(), placed.rectangle.centre());
        let distance = match instance.distance {
            Distance::Rectilinear => (x - was_x).abs() + (y - was_y).abs(),
            Distance::Euclidean => (x - was_x).hypot(y - was_y),
        };
        department.relocation.fixed + department.relocation.per_length * distance
    };
    instance.today.iter().map(cost).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn bays_cost_in_searches_what_the_checker_and_the_definition_say(instance in instances(), seed: u64) {
        let layout = random(&instance, seed);
        let verdict = check(&instance, &layout);
        let moving = defined(&instance, &layout);
        let close = |one: f64, other: f64| (one - other).abs() <= 1e-9 * other.abs().max(1.0);
        prop_assert!(close(verdict.moving.cost, moving), "{} {moving}", verdict.moving.cost);
        let unpriced = Instance { today: Vec::new(), ..instance.clone() };
        prop_assert_eq!(check(&unpriced, &layout).cost.to_bits(), verdict.transport.to_bits());
        let problem = Problem::new(&instance, layout.orientation);
        let score = problem.evaluate(&crate::genes::of_layout(&layout), &mut problem.places());
        prop_assert!(close(score.cost, verdict.cost), "{} {}", score.cost, verdict.cost);
        let of_tables = <Instance as gridwright_core::data::Tables>::of_data(&gridwright_core::data::Tables::to_data(&instance));
        prop_assert_eq!(of_tables.unwrap(), instance);
    }

    /// Departments that stay where they are cost nothing to move.
    #[test]
    fn todays_layout_moves_nothing(instance in instances()) {
        if let Some(today) = instance.todays_layout() {
            prop_assert_eq!(check(&instance, &today).moving, Moving::default());
        }
    }
}

fn settings(algorithm: &str, steps: u64) -> Settings {
    let stop = Stop::after(Budget::Steps(steps));
    let algorithm = Algorithm::named(algorithm).unwrap();
    Settings { threads: 1, seed: 7, ..Settings { stop, ..Settings::of(algorithm, Budget::Steps(steps)) } }
}

/// Four squares of 2 × 2 in a row in a plant of 12 × 2 with a gap of 4; A and D, at the ends, have a flow of 10.
fn row() -> Instance {
    let department = |name: &str| Department { name: name.to_owned(), area: 4.0, ..Department::default() };
    let mut flows = vec![0.0; 16];
    (flows[3], flows[6]) = (10.0, 1.0);
    let square = |x: f64| Rectangle { x, y: 0.0, width: 2.0, height: 2.0 };
    let places = [0.0, 2.0, 4.0, 10.0].into_iter().zip(0..);
    let instance = Instance {
        name: "row".to_owned(),
        width: 12.0,
        height: 2.0,
        departments: ["A", "B", "C", "D"].map(department).to_vec(),
        flows,
        today: places.map(|(x, department)| Placed { department, rectangle: square(x) }).collect(),
        ..Instance::default()
    };
    instance.validated().unwrap()
}

/// Today: A–D 10 · 10 and B–C 1 · 2, 102 together.
#[test]
fn the_search_weighs_moving_against_transport() {
    let solved = |fixed: f64, per_length: f64| {
        let mut instance = row();
        instance.departments.iter_mut().for_each(|one| one.relocation = RelocationPrice { fixed, per_length });
        let result = solve(&instance, &settings("slicing", 60), &Control::new(), &mut |_| {}).unwrap();
        assert!(result.verdict.confirmed && result.verdict.feasible, "{:?}", result.verdict);
        let again = replay(&instance, &result, "cpu", 2, &Control::new(), &mut |_| {}).unwrap();
        assert!(again.is_equal(), "{again:?}");
        let layout = crate::stored::decode(&instance, &result.solution).unwrap();
        let verdict = check(&instance, &layout);
        assert_eq!(verdict.cost, result.verdict.cost);
        (verdict, result.notes)
    };
    // Nothing is worth so much.
    let (still, notes) = solved(1e6, 0.0);
    assert_eq!((still.cost, still.moving.departments.len()), (102.0, 0));
    assert!(notes.iter().any(|note| note.starts_with("transport 102 + moving 0 (0 departments)")), "{notes:?}");
    // A moves by 8, beside D: 10 · 2 + 2 of transport, 30 + 8 / 2 of moving.
    let (one, notes) = solved(30.0, 0.5);
    assert_eq!(one.moving.departments, [(0, 34.0)], "{one:?} {notes:?}");
    assert!((one.transport - 22.0).abs() < 1e-9 && (one.cost - 56.0).abs() < 1e-9, "{one:?}");
    // Each unit of length saves 10 of transport, and costs 20.
    assert_eq!(solved(0.0, 20.0).0.cost, 102.0);
}

#[test]
fn searches_with_bays_count_moving_and_the_enumeration_refuses_it() {
    let mut instance = row();
    instance.departments[0].relocation = RelocationPrice { fixed: 5.0, per_length: 1.0 };
    assert_eq!(Algorithm::for_instance(&instance).name(), "slicing");
    for algorithm in ["memetic", "genetic"] {
        let result = solve(&instance, &settings(algorithm, 5), &Control::new(), &mut |_| {}).unwrap();
        let layout = crate::stored::decode(&instance, &result.solution).unwrap();
        assert!(result.verdict.confirmed, "{algorithm}");
        assert_eq!(check(&instance, &layout).cost, result.verdict.cost, "{algorithm}");
    }
    let refused = solve(&instance, &settings("enumeration", 5), &Control::new(), &mut |_| {}).unwrap_err().to_string();
    assert!(refused.contains("prices of moving") && refused.contains("--algorithm slicing"), "{refused}");
    // Without a place today there is nothing to move from.
    instance.today.remove(0);
    assert!(!instance.has_moving_cost() && crate::enumeration::check(&instance).is_ok());
    assert_eq!(check(&instance, &random(&instance, 1)).moving, Moving::default());
}

/// Around stairs, trees and few moves count the same as the checker.
#[test]
fn moving_counts_in_plants_with_a_building() {
    let mut instance = row();
    (instance.height, instance.building.parts) = (
        4.0,
        vec![Part {
            name: "Stairs".to_owned(),
            kind: PartKind::Fixed,
            rectangle: Rectangle { x: 6.0, y: 0.0, width: 1.0, height: 4.0 },
        }],
    );
    instance.departments.iter_mut().for_each(|one| one.relocation = RelocationPrice { fixed: 3.0, per_length: 0.25 });
    let instance = instance.validated().unwrap();
    let today = check(&instance, &instance.todays_layout().unwrap());
    for moves in ["0", "1"] {
        let mut settings = settings("slicing", 30);
        settings.algorithm.set("moves", moves).unwrap();
        let start = instance.todays_layout();
        let result = crate::run::improve(&instance, &settings, start.as_ref(), &Control::new(), &mut |_| {}).unwrap();
        assert!(result.verdict.confirmed && result.verdict.cost <= today.cost, "{moves}: {:?}", result.verdict);
    }
}

#[test]
fn prices_without_places_are_named() {
    let mut instance = row();
    instance.departments.iter_mut().for_each(|one| one.relocation.fixed = 1.0);
    instance.warn_of_prices();
    assert!(instance.warnings.is_empty(), "{:?}", instance.warnings);
    instance.today.truncate(2);
    instance.warn_of_prices();
    assert!(instance.warnings[0].contains("2 departments, such as «C»"), "{:?}", instance.warnings);
    instance.today[1].rectangle.width = 2.5;
    instance.warnings.clear();
    instance.warn_of_prices();
    assert!(
        instance.warnings[0]
            .contains("of 1 department has another area than needed, such as that of «B» with 5 instead of 4")
    );
    instance.departments[2].relocation.fixed = -1.0;
    assert!(instance.clone().validated().unwrap_err().to_string().contains("«C» has -1 as a price of moving"));
    instance.departments[2].relocation.fixed = f64::NAN;
    assert!(instance.validated().is_err());
    let mut twice = row();
    twice.today.push(twice.today[0]);
    assert!(twice.validated().unwrap_err().to_string().contains("two places today"));
}

const DEPARTMENTS: &str =
    "# plant: 12 x 2\ndepartment;area;moving price;moving price per length\nA;4;30,5;\nB;4;;2\nC;4;;\nD;4;1;1\n";
const FLOWS: &str = "from,to,flow\nA,D,10\n";
const TODAY: &str = "Abteilung;x;y;Breite;Höhe\nA;0;0;2;2\nB;2,5;0;2;2\nD;10;0;2;2\n";

fn read(departments: &str, today: &str) -> gridwright_core::Result<Instance> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("departments.csv", departments), ("flows.csv", FLOWS), ("today.csv", today)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    crate::formats::load(&folder.path().join("departments.csv"), &LoadOptions::default())
}

#[test]
fn tables_hold_prices_and_places_of_today() {
    let instance = read(DEPARTMENTS, TODAY).unwrap();
    let price = |at: usize| instance.departments[at].relocation;
    assert_eq!(price(0), RelocationPrice { fixed: 30.5, per_length: 0.0 });
    assert_eq!(price(1), RelocationPrice { fixed: 0.0, per_length: 2.0 });
    let x: Vec<f64> = instance.today.iter().map(|placed| placed.rectangle.x).collect();
    assert_eq!((x, instance.priced_places().len()), (vec![0.0, 2.5, 10.0], 3));
    let ron = crate::formats::ron::write(&instance).unwrap();
    let source = gridwright_core::text::Source { path: std::path::Path::new("a.ron"), text: &ron };
    let again = crate::formats::ron::parse(source).unwrap();
    assert_eq!((&again.today, &again.departments), (&instance.today, &instance.departments));
    assert!(crate::formats::tables::write(&instance).unwrap_err().to_string().contains("today's layout"));
    let prices = crate::formats::tables::write(&Instance { today: Vec::new(), ..instance }).unwrap();
    assert!(prices.contains("moving price,moving price per length"), "{prices}");
}

#[test]
fn faults_of_prices_and_places_are_named_with_their_lines() {
    for (departments, today, expected) in [
        (
            DEPARTMENTS.replace("30,5", "-3"),
            TODAY.to_owned(),
            "departments.csv:3: department «A»: the moving price: -3 is negative",
        ),
        (
            DEPARTMENTS.replace("B;4;;2", "B;4;;much"),
            TODAY.to_owned(),
            "departments.csv:4: department «B»: the moving price per length",
        ),
        (DEPARTMENTS.to_owned(), TODAY.replace("B;2,5", "Z;2,5"), "today.csv:3: «Z» is no department"),
        (
            DEPARTMENTS.to_owned(),
            TODAY.replace("B;2,5", "A;2,5"),
            "today.csv:3: department «A» has a place today already, in line 2",
        ),
        (
            DEPARTMENTS.to_owned(),
            TODAY.replace("10;0;2;2", "10;0;0;2"),
            "today.csv:4: the place of department «D» has no width",
        ),
        (DEPARTMENTS.to_owned(), TODAY.replace("10;0;2;2", "ten;0;2;2"), "today.csv:4: x: «ten» is not a number"),
    ] {
        let error = read(&departments, &today).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
    let json = r#"{ "plant": { "width": 4, "height": 2 }, "departments": [
        { "name": "A", "area": 4, "moving_price": PRICE, "today": { "x": 0, "y": 0, "width": 2, "height": 2 } },
        { "name": "B", "area": 4 } ], "flow": [[0, 1], [0, 0]] }"#;
    let parse = |text: &str| {
        crate::formats::json::parse(gridwright_core::text::Source { path: std::path::Path::new("a.json"), text })
    };
    let instance = parse(&json.replace("PRICE", "7")).unwrap();
    assert_eq!((instance.priced_places().len(), instance.departments[0].relocation.fixed), (1, 7.0));
    let refused = parse(&json.replace("PRICE", "-7")).unwrap_err().to_string();
    assert!(refused.contains("a.json:2: the moving price of department «A»: -7 is negative"), "{refused}");
}
