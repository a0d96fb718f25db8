use std::path::Path;

use calamine::{Data, Reader};
use proptest::prelude::*;

use super::*;
use crate::check::{ViolationKind, check};
use crate::comparison::Comparison;
use crate::drawing::floor::Floor;
use crate::formats::solution;
use crate::problem::Facility;
use crate::{Department, Distance, export, stored};
use gridwright_core::planning::Planning as _;
use gridwright_core::text::Source;

#[test]
fn mirror_images_are_the_same_layout() {
    let layout =
        |bays: &[&[u16]]| Layout::of_bays(Orientation::Horizontal, bays.iter().map(|bay| bay.to_vec()).collect());
    let before = layout(&[&[0, 1], &[2], &[3, 4, 5]]);
    let twin = layout(&[&[5, 4, 3], &[2], &[1, 0]]);
    assert_eq!((before.displaced(&twin), twin.image_like(&before)), (5, before.clone()));
    assert_eq!(before.displaced(&layout(&[&[2], &[0, 1], &[3, 4, 5]])), 3);
    assert_eq!(before.displaced(&layout(&[&[0, 2], &[1], &[3, 4, 5]]).image_like(&before)), 2);
    let turned = Layout { orientation: Orientation::Vertical, ..before.clone() };
    assert_eq!(before.displaced(&turned), 6);
}

/// Plants of up to 12 departments with rectangles of their areas anywhere, of which some overlap or reach beyond the plant.
fn drawn() -> impl Strategy<Value = (Instance, Layout)> {
    let room = (0.5..40.0_f64, 0.3..3.0_f64, -2.0..28.0_f64, -2.0..18.0_f64, 0.9..1.2_f64);
    let flow = prop_oneof![Just(0.0), 0.1..50.0];
    (1..=12_usize, any::<bool>()).prop_flat_map(move |(n, euclidean)| {
        let rooms = proptest::collection::vec(room.clone(), n);
        let flows = proptest::collection::vec(flow.clone(), n * n);
        (rooms, flows, Just(euclidean)).prop_map(|(rooms, flows, euclidean)| {
            let department = |(at, room): (usize, &(f64, f64, f64, f64, f64))| Department {
                name: format!("D{at}"),
                area: room.0,
                ..Department::default()
            };
            let n = rooms.len();
            let instance = Instance {
                name: "drawn".to_owned(),
                width: 30.0,
                height: 20.0,
                departments: rooms.iter().enumerate().map(department).collect(),
                flows: flows.iter().enumerate().map(|(at, &flow)| if at % (n + 1) == 0 { 0.0 } else { flow }).collect(),
                distance: if euclidean { Distance::Euclidean } else { Distance::Rectilinear },
                ..Instance::default()
            };
            let placed = rooms.iter().zip(0..).map(|(&(area, ratio, x, y, off), department)| {
                // One in three has another area than it needs.
                let width = (area * ratio).sqrt() * if off > 1.1 { off } else { 1.0 };
                Placed { department, rectangle: Rectangle { x, y, width, height: (area / ratio).sqrt() } }
            });
            let layout = Layout::of_rectangles(placed.collect());
            (instance.validated().unwrap(), layout)
        })
    })
}

/// Cost and number of violations from the definition, without the checker.
fn by_definition(instance: &Instance, layout: &Layout) -> (f64, usize) {
    let (n, mut cost, mut faults) = (instance.len(), 0.0, 0);
    for (i, one) in layout.rectangles.iter().enumerate() {
        let Rectangle { x, y, width, height } = one.rectangle;
        faults += usize::from(x < -1e-6 || y < -1e-6 || x + width > 30.0 + 1e-6 || y + height > 20.0 + 1e-6);
        let wanted = instance.departments[i].area;
        faults += usize::from((width * height - wanted).abs() > 1e-6 * wanted.max(1.0));
        for (j, other) in layout.rectangles.iter().enumerate() {
            let ((a, b), (c, d)) = (one.rectangle.centre(), other.rectangle.centre());
            let distance = match instance.distance {
                Distance::Rectilinear => (a - c).abs() + (b - d).abs(),
                Distance::Euclidean => (a - c).hypot(b - d),
            };
            cost += instance.flows[i * n + j] * distance;
            let there = other.rectangle;
            let across = (x + width).min(there.x + there.width) - x.max(there.x);
            let along = (y + height).min(there.y + there.height) - y.max(there.y);
            faults += usize::from(j < i && across > 1e-6 && along > 1e-6);
        }
    }
    (cost, faults)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// The checker, `verify`, `compare`, the drawing and every file say the same of a layout of rectangles.
    #[test]
    fn rectangles_cost_the_same_everywhere((instance, layout) in drawn()) {
        let verdict = check(&instance, &layout);
        let (cost, faults) = by_definition(&instance, &layout);
        prop_assert!((verdict.cost - cost).abs() <= 1e-9 * cost.max(1.0), "{} {}", verdict.cost, cost);
        prop_assert_eq!((verdict.violations.len(), verdict.feasible), (faults, faults == 0));
        let kept = stored::decode(&instance, &stored::encode(&instance, &layout)).unwrap();
        prop_assert_eq!(&kept, &layout);
        let verified = Facility::verify(&instance, &None, &layout, None).unwrap().verdict;
        prop_assert_eq!((verified.cost, verified.violations.len()), (verdict.cost, faults));
        let compared = Comparison::of(&instance, &layout, &layout).unwrap();
        prop_assert_eq!((compared.verdicts[1].cost, compared.moved.len(), compared.percent().unwrap_or(0.0)), (verdict.cost, 0, 0.0));
        let floor = Floor::new(&instance, &layout);
        let drawn: f64 = floor.flows.iter().map(|flow| instance.flow(flow.between[0], flow.between[1]) * flow.distance).sum();
        prop_assert!((drawn - cost).abs() <= 1e-9 * cost.max(1.0));
        prop_assert!(floor.verdict == verdict && floor.bays.is_empty());
        for (name, text) in [
            ("a.csv", solution::write_table_of(&instance, &layout)),
            ("a.ron", solution::write_ron(&instance, &layout).unwrap()),
        ] {
            let read = solution::parse(Source { path: Path::new(name), text: &text }, &instance).unwrap();
            // One department is a bay of its own where it has the width of the plant.
            prop_assert_eq!(&read.layout, &layout, "{}", name);
        }
    }
}

/// Two departments side by side over a third that is narrower than the plant: no bays. Every export draws it as it lies.
#[test]
fn rectangles_are_exported_as_they_lie() {
    let instance = Instance { width: 8.0, height: 4.0, ..Instance::example() }.validated().unwrap();
    let placed = |department, [x, y, width, height]: [f64; 4]| {
        let rectangle = Rectangle { x, y, width, height };
        Placed { department, rectangle }
    };
    let rooms = [placed(0, [0.0, 2.0, 4.0, 2.0]), placed(1, [4.0, 2.0, 2.0, 2.0]), placed(2, [1.0, 0.0, 6.0, 2.0])];
    let layout = Layout::of_rectangles(rooms.to_vec());
    // A (2, 3), B (5, 3), C (4, 1): A–B 3 · 3, A–C 5 · 4, B–C 1 · 3.
    let verdict = check(&instance, &layout);
    assert_eq!((verdict.cost, verdict.feasible), (32.0, true), "{:?}", verdict.violations);
    let bytes = |layout: &Layout, ending| export::bytes(&instance, layout, ending, &export::ExportOptions::default());
    let text = |ending| String::from_utf8(bytes(&layout, ending).unwrap()).unwrap();
    let picture = text("svg");
    assert!(picture.contains("3 departments · rectangles · plant") && picture.contains(">32<"), "{picture}");
    assert!(!picture.contains("bay") && picture.contains("left over"), "{picture}");
    assert_eq!(text("dxf").matches("\r\n  8\r\nBAYS\r\n").count(), 0);
    assert!(text("dxf").contains("DEPARTMENTS") && bytes(&layout, "pdf").unwrap().starts_with(b"%PDF-"));
    let mut book = calamine::Xlsx::new(std::io::Cursor::new(bytes(&layout, "xlsx").unwrap())).unwrap();
    assert_eq!(book.sheet_names(), ["Summary", "Departments", "Flows"]);
    let summary = book.worksheet_range("Summary").unwrap();
    let stated = summary.rows().find(|row| row[0] == "Material handling cost").unwrap();
    assert_eq!(stated[1], Data::Float(32.0));
    let rows = book.worksheet_range("Departments").unwrap();
    assert!(rows.rows().any(|row| row[0] == "C" && row[1] == Data::Float(1.0) && row[3] == Data::Float(6.0)));
    assert!(bytes(&layout, "sol").unwrap_err().to_string().contains("lists bays"));
    // What overlaps, reaches out or has another area is drawn with a stamp.
    let mut moved = layout.clone();
    moved.rectangles[1].rectangle.x = 3.0;
    moved.rectangles[2].rectangle = Rectangle { x: 3.0, y: 0.0, width: 6.0, height: 2.5 };
    let kinds: Vec<ViolationKind> = check(&instance, &moved).violations.iter().map(|one| one.kind).collect();
    use ViolationKind::{Area, Outside, Overlap};
    assert_eq!(kinds, [Area, Overlap, Overlap, Overlap, Outside]);
    let stamped = String::from_utf8(bytes(&moved, "svg").unwrap()).unwrap();
    assert!(stamped.contains("Not feasible") && stamped.contains("3 overlaps"), "{stamped}");
}

/// Rectangles that are those of bays but for six digits are these bays; others are none.
#[test]
fn rectangles_that_are_bays_become_bays() {
    let instance = Instance::example().validated().unwrap();
    for orientation in Orientation::ALL {
        let bays = Layout::of_bays(orientation, vec![vec![2], vec![1, 0]]);
        let plan = Plan::new(&instance, &bays);
        let placed = |(rectangle, department): (&Rectangle, u16)| Placed { department, rectangle: *rectangle };
        let mut layout = Layout::of_rectangles(plan.departments.iter().zip(0..).map(placed).collect());
        assert_eq!(layout.as_bays(&instance, 1e-9), Some(bays));
        layout.rectangles[1].rectangle.x += 1e-3;
        assert_eq!(layout.as_bays(&instance, 1e-6), None);
    }
    let none = Layout::of_rectangles(Vec::new());
    assert!(!none.is_free() && none.as_bays(&instance, 1e-6).is_none());
}

/// Files of earlier versions have no rectangles, and files of bays are written as they were.
#[test]
fn layouts_with_bays_are_stored_as_before() {
    let bays = Layout::of_bays(Orientation::Horizontal, vec![vec![1], vec![0, 2]]);
    let text = ron::to_string(&bays).unwrap();
    assert_eq!(text, "(orientation:Horizontal,bays:[[1],[0,2]])");
    assert_eq!(ron::from_str::<Layout>(&text).unwrap(), bays);
    assert!(bays.is_whole(3) && !bays.is_whole(2));
    let placed = Placed { department: 0, rectangle: Rectangle { x: 0.0, y: 0.0, width: 1.0, height: 1.0 } };
    let mixed = Layout { rectangles: vec![placed], ..Layout::of_bays(Orientation::Vertical, vec![vec![1]]) };
    assert!(!mixed.is_whole(2) && Layout::of_rectangles(vec![placed]).is_whole(1));
    assert_eq!((bays.displaced(&mixed), bays.arrangement()), (3, "2 horizontal bays".to_owned()));
}
