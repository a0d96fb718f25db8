use std::path::Path;

use gridwright_core::Result;
use gridwright_core::data::Tables;
use gridwright_core::random::Philox;
use gridwright_core::search::{Algorithms as _, Budget, Control, Stop};
use gridwright_core::text::Source;
use proptest::prelude::*;

use super::*;
use crate::check::check;
use crate::comparison::Comparison;
use crate::evaluation::Problem;
use crate::export::{ExportOptions, bytes};
use crate::formats::{LoadOptions, json, load, ron, tables};
use crate::products::Product;
use crate::run::{Algorithm, Settings, replay, solve};
use crate::{Department, Layout, Limit, Part, PartKind, Way};

/// Instances of up to nine departments with up to four doors anywhere in a plant with a third more floor than needed.
fn instances() -> impl Strategy<Value = Instance> {
    let areas = proptest::collection::vec(1.0..30.0_f64, 2..=9);
    let doors = proptest::collection::vec((0.0..=1.0_f64, 0.0..=1.0_f64), 1..=4);
    let flows = proptest::collection::vec((any::<u16>(), any::<u16>(), 0.0..50.0_f64, any::<bool>()), 1..12);
    (areas, doors, flows, any::<bool>()).prop_map(|(areas, doors, flows, euclidean)| {
        let total: f64 = areas.iter().sum();
        let (n, width, height) = (areas.len(), (total * 1.8).sqrt(), (total / 1.35).sqrt());
        let department = |(at, &area): (usize, &f64)| Department {
            name: format!("D{at}"),
            area,
            limit: Limit::Aspect(6.0),
            ..Department::default()
        };
        let door = |(at, (x, y)): (usize, &(f64, f64))| Door { name: format!("P{at}"), x: x * width, y: y * height };
        let flow = |&(department, door, amount, out): &(u16, u16, f64, bool)| DoorFlow {
            department: department % n as u16,
            door: door % doors.len() as u16,
            amount,
            way: if out { Way::Out } else { Way::In },
        };
        let instance = Instance {
            name: "doors".to_owned(),
            width,
            height,
            departments: areas.iter().enumerate().map(department).collect(),
            flows: (0..n * n).map(|at| if at % (n + 1) == 0 { 0.0 } else { (at * 7 % 5) as f64 }).collect(),
            distance: if euclidean { Distance::Euclidean } else { Distance::Rectilinear },
            doors: doors.iter().enumerate().map(door).collect(),
            door_flows: flows.iter().map(flow).collect(),
            ..Instance::default()
        };
        instance.validated().unwrap()
    })
}

fn random(instance: &Instance, seed: u64) -> Layout {
    let mut genes = vec![0; instance.len()];
    crate::population::random_genes(Philox::new(seed), 0, 0, None, &mut genes);
    crate::genes::to_layout(&genes, Orientation::ALL[(seed % 2) as usize])
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * other.abs().max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn searches_count_what_the_checker_and_the_definition_say(instance in instances(), seed: u64) {
        let layout = random(&instance, seed);
        let cost = check(&instance, &layout).cost;
        let plan = Plan::new(&instance, &layout);
        let through: f64 = instance.door_flows.iter().map(|flow| {
            let ((x, y), door) =
                (plan.departments[usize::from(flow.department)].centre(), &instance.doors[usize::from(flow.door)]);
            let (x, y) = ((x - door.x).abs(), (y - door.y).abs());
            flow.amount * if instance.distance == Distance::Euclidean { x.hypot(y) } else { x + y }
        }).sum();
        let closed = Instance { doors: Vec::new(), door_flows: Vec::new(), ..instance.clone() };
        prop_assert!(close(check(&closed, &layout).cost + through, cost), "{through} {cost}");
        let problem = Problem::new(&instance, layout.orientation);
        let genes = crate::genes::of_layout(&layout);
        let score = problem.evaluate(&genes, &mut problem.places());
        prop_assert!(close(score.cost, cost), "{} {cost}", score.cost);
        let pairs: f64 = instance.flowing_pairs().map(|(one, other, flow)| {
            let [(x, y), (u, v)] = [one, other].map(|end| instance.end_point(&plan, end));
            flow * instance.distance.between(x - u, y - v)
        }).sum();
        prop_assert!(close(pairs, cost), "{pairs} {cost}");
    }

    #[test]
    fn doors_come_back_from_tables_and_files(instance in instances()) {
        prop_assert_eq!(&Instance::of_data(&instance.to_data()).unwrap(), &instance);
        let text = ron::write(&instance).unwrap();
        let again = ron::parse(Source { path: Path::new("a.ron"), text: &text }).unwrap().validated().unwrap();
        prop_assert_eq!((again.doors, again.door_flows), (instance.doors, instance.door_flows));
    }
}

fn settings(algorithm: &str, steps: u64) -> Settings {
    let stop = Stop::after(Budget::Steps(steps));
    let algorithm = Algorithm::named(algorithm).unwrap();
    Settings { threads: 1, seed: 7, ..Settings { stop, ..Settings::of(algorithm, Budget::Steps(steps)) } }
}

/// Three squares of 2 × 2 in a row; A → C 1, and the dock is at the right end: A 10 from it, B 4 to it.
fn row() -> Instance {
    let department = |name: &str| Department { name: name.to_owned(), area: 4.0, ..Department::default() };
    let flow = |department, amount, way| DoorFlow { department, door: 0, amount, way };
    let mut flows = vec![0.0; 9];
    flows[2] = 1.0;
    let instance = Instance {
        name: "row".to_owned(),
        width: 6.0,
        height: 2.0,
        departments: ["A", "B", "C"].map(department).to_vec(),
        flows,
        doors: vec![Door { name: "Dock".to_owned(), x: 6.0, y: 1.0 }],
        door_flows: vec![flow(0, 10.0, Way::In), flow(1, 4.0, Way::Out)],
        ..Instance::default()
    };
    instance.validated().unwrap()
}

fn bays(order: [u16; 3]) -> Layout {
    Layout::of_bays(Orientation::Vertical, order.map(|one| vec![one]).to_vec())
}

/// C, B, A: A – C 1 · 4, A – dock 10 · 1, B – dock 4 · 3. Its mirror image: 4 + 10 · 5 + 12.
#[test]
fn every_search_puts_departments_beside_their_doors() {
    let instance = row();
    assert_eq!(check(&instance, &bays([2, 1, 0])).cost, 26.0);
    for (algorithm, steps) in [("memetic", 20), ("genetic", 20), ("slicing", 20), ("enumeration", 0)] {
        let result = solve(&instance, &settings(algorithm, steps), &Control::new(), &mut |_| {}).unwrap();
        assert!(result.verdict.confirmed && result.verdict.feasible, "{algorithm}: {:?}", result.verdict);
        assert_eq!(result.verdict.cost, 26.0, "{algorithm}");
        let again = replay(&instance, &result, "cpu", 2, &Control::new(), &mut |_| {}).unwrap();
        assert!(again.is_equal(), "{algorithm}: {again:?}");
    }
    let straight = Instance { distance: Distance::Euclidean, ..instance.clone() };
    let refused = solve(&straight, &settings("enumeration", 0), &Control::new(), &mut |_| {}).unwrap_err().to_string();
    assert!(refused.contains("Euclidean distances and flows through doors"), "{refused}");
    assert_eq!(Algorithm::for_instance(&straight).name(), "memetic");
    assert_eq!(Algorithm::for_instance(&instance).name(), "enumeration");
}

#[test]
fn mirror_images_differ_where_something_flows_through_doors() {
    let (instance, [here, there]) = (row(), [bays([2, 1, 0]), bays([0, 1, 2])]);
    let compared = Comparison::of(&instance, &here, &there).unwrap();
    assert_eq!(compared.verdicts.each_ref().map(|verdict| verdict.cost), [26.0, 66.0]);
    assert!(!compared.mirrored && compared.moved.len() == 2);
    let pairs: Vec<_> = compared.pairs.iter().map(|pair| (pair.ends, pair.costs)).collect();
    assert_eq!(pairs, [([0, 3], [10.0, 50.0])], "A to the dock");
    let text =
        crate::comparison_text::compared(&instance, [&here, &there], &compared, [Path::new("a"), Path::new("b")]);
    assert!(text.text.contains("A – Dock"), "{}", text.text);
    assert_eq!(text.json["flows"][0]["departments"][1], "Dock");
    // Doors without flow change nothing.
    let idle = Instance { door_flows: Vec::new(), ..instance };
    assert!(Comparison::of(&idle, &here, &there).unwrap().mirrored);
}

#[test]
fn exports_show_doors_and_their_flows() {
    let (instance, layout) = (row(), bays([2, 1, 0]));
    let text = |ending: &str, instance: &Instance| {
        String::from_utf8(bytes(instance, &layout, ending, &ExportOptions::default()).unwrap()).unwrap()
    };
    assert_eq!(crate::facts::pairs(&instance), "1 pair with flow, 2 flows to doors");
    let (svg, dxf) = (text("svg", &instance), text("dxf", &instance));
    assert!(svg.contains("Dock") && svg.contains("A – Dock"), "the name and the largest flow: {svg}");
    let on_layer = dxf.matches("\r\n  8\r\nDOORS\r\n").count();
    assert!(dxf.contains("  2\r\nDOORS\r\n") && on_layer >= 3, "{on_layer}: two strokes and a name");
    assert_eq!(dxf.matches("POLYLINE\r\n  8\r\nFLOWS").count(), 3);
    assert!(bytes(&instance, &layout, "xlsx", &ExportOptions::default()).is_ok());
    let closed = Instance { doors: Vec::new(), door_flows: Vec::new(), ..instance };
    assert_eq!(crate::facts::pairs(&closed), "1 pair with flow");
    assert!(!text("dxf", &closed).contains("DOORS") && !text("svg", &closed).contains("Dock"));
}

#[test]
fn doors_lie_on_walls_or_on_free_floor() {
    let part =
        |kind, x| Part { name: "Stairs".to_owned(), kind, rectangle: Rectangle { x, y: 0.0, width: 2.0, height: 4.0 } };
    let mut instance = Instance { width: 10.0, height: 10.0, ..row() };
    instance.building.parts = vec![part(PartKind::Fixed, 2.0), part(PartKind::Outside, 8.0)];
    let fault = |x: f64, y: f64| instance.door_fault(&Door { name: "D".to_owned(), x, y });
    for (x, y) in [(0.0, 0.0), (0.0, 5.0), (10.0, 10.0), (2.0, 1.0), (4.0, 4.0), (8.0, 2.0), (9.0, 4.0), (5.0, 5.0)] {
        assert_eq!(fault(x, y), None, "{x} {y}");
    }
    for (x, y, why) in [
        (3.0, 1.0, "lies inside of «Stairs»"),
        (3.0, 0.0, "lies inside of «Stairs»"),
        (10.0, 2.0, "lies inside of «Stairs»"),
        (9.0, 1.0, "lies inside of «Stairs»"),
        (-0.5, 1.0, "lies beyond the plant of 10 × 10"),
        (5.0, 11.0, "lies beyond the plant of 10 × 10"),
        (f64::NAN, 1.0, "lies beyond the plant"),
    ] {
        assert!(fault(x, y).is_some_and(|found| found.contains(why)), "{x} {y}: {:?}", fault(x, y));
    }
}

const DEPARTMENTS: &str = "# plant: 6 x 4\n# unit: m\ndepartment,area\nA,8\nB,4\nC,12\n";
const FLOWS: &str = "from,to,flow\nA,B,2\n";
const DOORS: &str = "Tor;x;y\nDock 1;0;2,5\nDock 2;6;0\n";
const THROUGH: &str =
    "Abteilung;Tor;Menge (pallets/day);Richtung\nA;Dock 1;12,5;ein\na;dock 1;1,5;Ausgang\nC;Dock 2;3;\n";

fn read(doors: &str, through: &str, products: Option<&str>) -> Result<Instance> {
    let folder = tempfile::tempdir().unwrap();
    let files =
        [("departments.csv", DEPARTMENTS), ("flows.csv", FLOWS), ("doors.csv", doors), ("door-flows.csv", through)];
    for (name, text) in files.into_iter().chain(products.map(|text| ("products.csv", text))) {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    load(&folder.path().join("departments.csv"), &LoadOptions::default())
}

#[test]
fn tables_hold_doors_and_flows_to_them() {
    let instance = read(DOORS, THROUGH, None).unwrap();
    let doors: Vec<_> = instance.doors.iter().map(|door| (door.name.as_str(), door.x, door.y)).collect();
    assert_eq!(doors, [("Dock 1", 0.0, 2.5), ("Dock 2", 6.0, 0.0)]);
    assert_eq!(instance.door_flows[1], DoorFlow { department: 0, door: 0, amount: 1.5, way: Way::Out });
    assert_eq!(instance.door_pairs(), [(0, 0, 14.0), (2, 1, 3.0)]);
    assert_eq!((instance.flow_unit.as_str(), instance.warnings.len()), ("pallets/day", 0), "{:?}", instance.warnings);
    assert!(tables::write(&instance).unwrap_err().to_string().contains("doors"));
    let products =
        "product,quantity,pieces per trip,route,from door,to door\nP,6,2,A;B,Dock 1,Dock 2\nQ,5,,C,,Dock 1\n";
    let made = read(DOORS, THROUGH, Some(products)).unwrap();
    assert_eq!(made.door_pairs(), [(0, 0, 17.0), (1, 1, 3.0), (2, 0, 5.0), (2, 1, 3.0)]);
    assert_eq!((made.flow(0, 1), made.stated_door_flows()), (5.0, &instance.door_flows[..]));
    assert_eq!(Instance::of_data(&made.to_data()).unwrap().door_flows, made.door_flows);
}

#[test]
fn faults_of_doors_are_named_with_their_lines() {
    let faulty = |doors: (&str, &str), through: (&str, &str)| {
        read(&DOORS.replace(doors.0, doors.1), &THROUGH.replace(through.0, through.1), None).unwrap_err().to_string()
    };
    let same = ("", "");
    for (doors, through, expected) in [
        (("Dock 2;6", "Dock 2;7"), same, "doors.csv:3: door «Dock 2» at 7, 0 lies beyond the plant of 6 × 4"),
        (("Dock 2", "Dock 1"), same, "doors.csv:3: door «Dock 1» is there already, in line 2; rename one"),
        (("Dock 2;6", ";6"), same, "doors.csv:3: the door has no name"),
        (("2,5", "high"), same, "doors.csv:2: y: «high» is not a number"),
        (
            same,
            ("C;Dock 2", "C;Dock 3"),
            "door-flows.csv:4: «Dock 3» is no door; correct the name, or add it to the doors (Dock 1, Dock 2)",
        ),
        (same, ("C;Dock 2", "Z;Dock 2"), "door-flows.csv:4: «Z» is no department"),
        (same, ("Dock 2;3", "Dock 2;-3"), "door-flows.csv:4: the flow: -3 is negative"),
        (same, ("Ausgang", "up"), "door-flows.csv:3: «up» is no direction; write in or out"),
    ] {
        let error = faulty(doors, through);
        assert!(error.contains(expected), "{expected}: {error}");
    }
    let products = "product,quantity,route,from door\nP,6,A;B,Gate\n";
    let error = read(DOORS, THROUGH, Some(products)).unwrap_err().to_string();
    assert!(error.contains("products.csv:2: «Gate» is no door"), "{error}");
}

#[test]
fn json_and_ron_hold_doors_and_name_their_faults() {
    let text = r#"{ "plant": { "width": 4, "height": 2 }, "departments": [
        { "name": "A", "area": 4 }, { "name": "B", "area": 4 } ], "flow": [[0, 1], [0, 0]],
        "doors": [{ "name": "Dock", "x": 4, "y": 1 }],
        "door_flows": [{ "department": "A", "door": "Dock", "flow": 3, "direction": "out" },
                       { "department": "B", "door": "Dock", "flow": 2 }] }"#;
    let parse = |text: &str| json::parse(Source { path: Path::new("a.json"), text });
    let instance = parse(text).unwrap();
    assert_eq!((instance.doors[0].x, instance.door_flows[0].way, instance.door_flows[1].way), (4.0, Way::Out, Way::In));
    for (from, to, expected) in [
        (r#""x": 4"#, r#""x": 5"#, "a.json:3: door «Dock» at 5, 1 lies beyond"),
        (r#""door": "Dock", "flow": 2"#, r#""door": "Gate", "flow": 2"#, "a.json:5: «Gate» is no door"),
        (r#""flow": 3"#, r#""flow": -3"#, "a.json:4: the flow: -3 is negative"),
        (r#""out""#, r#""up""#, "a.json:4: «up» is no direction"),
    ] {
        let refused = parse(&text.replace(from, to)).unwrap_err().to_string();
        assert!(refused.contains(expected), "{expected}: {refused}");
    }
    let written = ron::write(&row()).unwrap();
    let parse = |text: &str| ron::parse(Source { path: Path::new("a.ron"), text });
    for (from, to, expected) in [
        ("(\"A\", \"Dock\", 10.0", "(\"A\", \"Gate\", 10.0", "door_flows names a door «Gate»"),
        ("(\"A\", \"Dock\", 10.0", "(\"Z\", \"Dock\", 10.0", "door_flows names a department «Z»"),
        ("(\"A\", \"Dock\", 10.0", "(\"A\", \"Dock\", -1.0", "-1 is negative"),
    ] {
        assert!(written.contains(from), "{written}");
        let refused = parse(&written.replace(from, to)).unwrap_err().to_string();
        assert!(refused.contains(expected), "{expected}: {refused}");
    }
    let far = Instance { width: 5.0, ..row() }.validated().unwrap_err().to_string();
    assert!(far.contains("the areas add up") || far.contains("door «Dock»"), "{far}");
}

#[test]
fn routes_may_begin_and_end_at_doors() {
    let product = |route: Vec<u16>, doors: [Option<u16>; 2]| Product {
        route,
        from_door: doors[0],
        to_door: doors[1],
        quantity: 4.0,
        load: 2.0,
        ..Product::default()
    };
    let both = product(vec![0, 1], [Some(0), Some(1)]);
    let moves: Vec<_> = both.door_moves().map(|flow| (flow.department, flow.door, flow.amount, flow.way)).collect();
    assert_eq!(moves, [(0, 0, 2.0, Way::In), (1, 1, 2.0, Way::Out)]);
    let short = [(vec![], [Some(0), Some(0)], true), (vec![0], [None; 2], true), (vec![0], [Some(0), None], false)];
    for (route, doors, is_short) in short {
        assert_eq!(product(route.clone(), doors).is_short(), is_short, "{route:?} {doors:?}");
    }
}

#[test]
fn flows_follow_renamed_doors_and_departments() {
    let instance = row().with_products(vec![Product {
        name: "P".to_owned(),
        quantity: 3.0,
        load: 1.0,
        route: vec![0, 1],
        from_door: Some(0),
        to_door: Some(0),
    }]);
    let mut data = instance.to_data();
    for (table, before, after) in [("doors", "Dock", "Gate"), ("departments", "A", "Saw")] {
        let at = Instance::TABLES.iter().position(|spec| spec.id == table).unwrap();
        let renamed = data.tables[at].rows.get(0).unwrap().with(0, after);
        data.tables[at].rows.set(0, renamed);
        gridwright_core::data::follow(Instance::TABLES, &mut data, at, &[(before.to_owned(), after.to_owned())]);
    }
    let again = Instance::of_data(&data).unwrap();
    assert_eq!((again.doors[0].name.as_str(), again.departments[0].name.as_str()), ("Gate", "Saw"));
    assert_eq!((&again.door_flows, &again.products), (&instance.door_flows, &instance.products));
}
