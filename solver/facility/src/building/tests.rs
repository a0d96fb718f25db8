use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::Instance;
use crate::building::outline::outline;
use crate::check::{ViolationKind, check};
use crate::drawing::floor::Floor;
use crate::formats::{LoadOptions, load, ron};
use crate::problem::Facility;
use crate::{Department, Layout, Limit, Orientation, export, stored};
use gridwright_core::data::Tables as _;
use gridwright_core::planning::Planning as _;
use gridwright_core::text::Source;

fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    Rectangle { x, y, width, height }
}

fn part(name: &str, kind: PartKind, rectangle: Rectangle) -> Part {
    Part { name: name.to_owned(), kind, rectangle }
}

/// The example in a plant of 8 × 6 without its upper right corner of 3 × 2, with stairs of 2 × 1 and B (2 × 2) fixed.
fn example() -> Instance {
    let parts = vec![
        part("Stairs", PartKind::Fixed, rectangle(3.0, 5.0, 2.0, 1.0)),
        part("", PartKind::Outside, rectangle(5.0, 4.0, 3.0, 2.0)),
    ];
    let places = vec![Placed { department: 1, rectangle: rectangle(6.0, 0.0, 2.0, 2.0) }];
    let building = Building { parts, places };
    Instance { width: 8.0, height: 6.0, building, ..Instance::example() }
}

#[test]
fn a_building_is_refused_with_the_rectangle_and_the_remedy() {
    let refused = |change: &dyn Fn(&mut Instance)| {
        let mut instance = example();
        change(&mut instance);
        instance.validated().unwrap_err().to_string()
    };
    assert_eq!(example().validated().unwrap().usable_area(), 40.0);
    let overlap = refused(&|one| one.building.parts[0].rectangle.width = 2.5);
    assert!(overlap.contains("«Stairs» and «the outside at 5, 4» overlap by 0.5 × 1"), "{overlap}");
    let on_department = refused(&|one| one.building.parts[0].rectangle = rectangle(5.0, 1.0, 2.0, 1.0));
    assert!(
        on_department.contains("«Stairs» and department «B» overlap by 1 × 1; make one smaller"),
        "{on_department}"
    );
    let beyond = refused(&|one| one.building.parts[0].rectangle.y = 5.5);
    assert!(beyond.contains("«Stairs» reaches 0.5 beyond the plant of 8 × 6"), "{beyond}");
    let flat = refused(&|one| one.building.parts[0].rectangle.height = 0.0);
    assert!(flat.contains("«Stairs» has no width or no height"), "{flat}");
    assert!(refused(&|one| one.building.parts[0].rectangle.height = f64::NAN).contains("no width or no height"));
    let crossing = refused(&|one| {
        one.building.parts.push(part("Notch", PartKind::Outside, rectangle(4.0, 4.5, 2.0, 1.5)));
        one.building.parts.remove(0);
    });
    assert!(crossing.contains("«the outside at 5, 4» and «Notch» overlap"), "{crossing}");
    let full = refused(&|one| one.building.parts.push(part("Yard", PartKind::Fixed, rectangle(0.0, 0.0, 5.5, 4.0))));
    assert!(full.contains("add up to 24, and fixed things and the outside leave 18 of the plant's 48"), "{full}");
    let area = refused(&|one| one.building.places[0].rectangle.width = 1.5);
    assert!(area.contains("department «B» needs 4, and its place in the building of 1.5 × 2 has 3"), "{area}");
    let shape = refused(&|one| {
        one.departments[1].limit = Limit::Aspect(2.0);
        one.building.places[0].rectangle = rectangle(4.0, 0.0, 4.0, 1.0);
    });
    assert!(shape.contains("limit of shape does not allow"), "{shape}");
    let twice = refused(&|one| one.building.places.push(one.building.places[0]));
    assert!(twice.contains("«B» has two places"), "{twice}");
    let many = refused(&|one| {
        let cell = |at: u32| part("", PartKind::Fixed, rectangle(f64::from(at) * 0.01, 2.5, 0.01, 0.01));
        one.building.parts.extend((0..256).map(cell));
    });
    assert!(many.contains("259 rectangles; at most 256"), "{many}");
}

/// Corners of an L, of a U and of a plant with a yard that is outside.
#[test]
fn the_outline_follows_what_is_outside() {
    let of = |all: &[Rectangle]| {
        let parts = all.iter().map(|&one| part("", PartKind::Outside, one)).collect();
        outline(&Instance { building: Building { parts, places: Vec::new() }, ..example() })
    };
    assert_eq!(of(&[]), [vec![(0.0, 0.0), (8.0, 0.0), (8.0, 6.0), (0.0, 6.0)]]);
    let corner = [(0.0, 0.0), (8.0, 0.0), (8.0, 4.0), (5.0, 4.0), (5.0, 6.0), (0.0, 6.0)];
    assert_eq!(of(&[rectangle(5.0, 4.0, 3.0, 2.0)]), [corner.to_vec()]);
    // Two rectangles that touch are one outside.
    assert_eq!(of(&[rectangle(5.0, 4.0, 1.0, 2.0), rectangle(6.0, 4.0, 2.0, 2.0)]), [corner.to_vec()]);
    assert_eq!(of(&[rectangle(2.0, 3.0, 3.0, 3.0)])[0].len(), 8);
    let yard = of(&[rectangle(2.0, 2.0, 1.0, 1.0)]);
    assert_eq!((yard.len(), yard[1].len()), (2, 4));
}

/// A on the stairs by 1 × 1, C beyond the outline by 1 × 1, B elsewhere: in every figure and every export.
#[test]
fn departments_on_the_building_are_told_everywhere() {
    let instance = example().validated().unwrap();
    let placed = |department, rectangle| Placed { department, rectangle };
    let kept = Layout::of_rectangles(vec![
        placed(0, rectangle(0.0, 3.0, 3.0, 8.0 / 3.0)),
        placed(1, rectangle(6.0, 0.0, 2.0, 2.0)),
        placed(2, rectangle(0.0, 0.0, 6.0, 2.0)),
    ]);
    let verdict = check(&instance, &kept);
    assert_eq!((verdict.feasible, verdict.blocked), (true, (0, 0.0)), "{:?}", verdict.violations);
    let broken = Layout::of_rectangles(vec![
        placed(0, rectangle(0.0, 4.0, 4.0, 2.0)),
        placed(1, rectangle(6.0, 1.0, 2.0, 2.0)),
        placed(2, rectangle(0.0, 3.0, 6.0, 2.0)),
    ]);
    let verdict = check(&instance, &broken);
    let kinds: Vec<ViolationKind> = verdict.violations.iter().map(|one| one.kind).collect();
    use ViolationKind::{Blocked, Outside, Overlap, Place};
    assert_eq!(kinds, [Overlap, Place, Blocked, Outside], "{:?}", verdict.violations);
    let texts: Vec<&str> = verdict.violations.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts[1], "department B is fixed in the building as 2 × 2 at x 6, y 0 and is 2 × 2 at x 6, y 1");
    assert_eq!(texts[2], "department A covers Stairs: 1 × 1, area 1");
    assert_eq!(
        texts[3],
        "department C reaches beyond the outline of the plant into the outside at 5, 4: 1 × 1, area 1"
    );
    assert_eq!(verdict.blocked, (2, 2.0));
    let facts = Facility::verify(&instance, &None, &broken, None).unwrap().figures;
    assert!(facts.iter().any(|fact| fact.text == "2, 2"), "{facts:?}");
    let text = |ending| {
        String::from_utf8(export::bytes(&instance, &broken, ending, &export::ExportOptions::default()).unwrap())
            .unwrap()
    };
    let (picture, drawing) = (text("svg"), text("dxf"));
    assert!(
        picture.contains("Stairs")
            && picture.contains("Not feasible")
            && picture.contains("1 department on a fixed thing")
    );
    assert_eq!(drawing.matches("VERTEX\r\n  8\r\nWALLS\r\n").count(), 6);
    assert_eq!(drawing.matches("VERTEX\r\n  8\r\nFIXED\r\n").count(), 4);
    assert!(!Floor::new(&instance, &kept).verdict.violations.iter().any(|one| one.kind == Place));
    // Bays are judged by the same building.
    let bays = Layout::of_bays(Orientation::Vertical, vec![vec![0, 1], vec![2]]);
    assert!(check(&instance, &bays).violations.iter().any(|one| one.kind == Place));
}

/// German headings, decimal commas and words of the trade.
#[test]
fn tables_of_a_building_are_read_with_their_messages() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("departments.csv", "# plant: 8 x 6\nAbteilung;Fläche;Seitenverhältnis\nA;8;0\nB;4;0\nC;12;0\n");
    write("flows.csv", "von;nach;Fluss\nA;B;3\n");
    write(
        "building.csv",
        "Bezeichnung;Art;Abteilung;x (m);y (m);Breite (m);Tiefe (m)\nTreppe;fest;;2,5;5;2,5;1,0\n;außen;;5;4;3;2\n;Abteilung;b;6;0;2;2\n",
    );
    let read = || load(folder.path(), &LoadOptions::default());
    let instance = read().unwrap();
    let expected = Building {
        parts: vec![
            part("Treppe", PartKind::Fixed, rectangle(2.5, 5.0, 2.5, 1.0)),
            part("", PartKind::Outside, rectangle(5.0, 4.0, 3.0, 2.0)),
        ],
        places: vec![Placed { department: 1, rectangle: rectangle(6.0, 0.0, 2.0, 2.0) }],
    };
    assert_eq!(instance.building, expected, "{:?}", instance.warnings);
    // Every form of the data holds the building.
    let again = ron::parse(Source { path: Path::new("a.ron"), text: &ron::write(&instance).unwrap() }).unwrap();
    assert_eq!(again.building, expected);
    assert_eq!(Instance::of_data(&instance.to_data()).unwrap(), instance);
    gridwright_core::testing::assert_imported_again(&instance);
    assert!(crate::formats::tables::write(&instance).unwrap_err().to_string().contains("the building"));
    for (row, expected) in [
        ("Treppe;Loch;;1;1;1;1", "«Loch» is no kind of a part"),
        ("Treppe;fest;;1;1;eins;1", "width"),
        (";Abteilung;Nirgends;1;1;2;2", "Nirgends"),
        (";fest;A;1;1;2;2", "only a row of the kind department"),
        (";Abteilung;A;1;1;2;2", "needs 8"),
    ] {
        write("building.csv", &format!("Bezeichnung;Art;Abteilung;x;y;Breite;Höhe\n{row}\n"));
        let error = read().unwrap_err().to_string();
        assert!(error.contains(expected), "{row}: {error}");
    }
}

#[test]
fn a_locked_rectangle_is_kept_in_every_file() {
    let mut instance = example();
    instance.building.places.clear();
    let layout = Layout::of_rectangles(vec![Placed { department: 2, rectangle: rectangle(0.0, 0.0, 4.0, 3.0) }]);
    let rules = &mut instance.rules.clone();
    rules.fix(&instance, &layout, 2);
    instance.rules = rules.clone();
    let instance = instance.validated().unwrap();
    assert_eq!(instance.kept_places(), layout.rectangles);
    assert_eq!(Instance::of_data(&instance.to_data()).unwrap(), instance);
    let again = ron::parse(Source { path: Path::new("a.ron"), text: &ron::write(&instance).unwrap() }).unwrap();
    assert_eq!(again.rules, instance.rules);
    let demands = stored::Demands::Facility { rules: instance.rules.clone(), start: None };
    let encoded = gridwright_core::result::Encoded::of(&demands);
    assert_eq!(encoded.decode::<stored::Demands>(), Some(demands));
    rules.release(2);
    assert!(rules.is_empty());
}

/// Plants of 30 × 20 with up to 8 departments and up to 5 parts of the building, on which departments lie anywhere.
fn drawn() -> impl Strategy<Value = (Instance, Layout)> {
    let room = (0.5..60.0_f64, 0.3..3.0_f64, 0.0..25.0_f64, 0.0..15.0_f64);
    let part_of = (0.5..4.0_f64, 0.5..4.0_f64, 0.0..2.0_f64, 0.0..6.0_f64, any::<bool>());
    (proptest::collection::vec(room, 1..=8), proptest::collection::vec(part_of, 0..=5)).prop_map(|(rooms, parts)| {
        let department = |(at, room): (usize, &(f64, f64, f64, f64))| Department {
            name: format!("D{at}"),
            area: room.0,
            ..Department::default()
        };
        // Each in a column of its own of 6 × 10, so that none overlap.
        let part = |(at, &(width, height, x, y, outside)): (usize, &(f64, f64, f64, f64, bool))| {
            let kind = if outside { PartKind::Outside } else { PartKind::Fixed };
            part(&format!("P{at}"), kind, rectangle(6.0 * at as f64 + x, y, width, height))
        };
        let n = rooms.len();
        let building = Building { parts: parts.iter().enumerate().map(part).collect(), places: Vec::new() };
        let instance = Instance {
            name: "drawn".to_owned(),
            width: 30.0,
            height: 20.0,
            departments: rooms.iter().enumerate().map(department).collect(),
            flows: (0..n * n).map(|at| if at % (n + 1) == 0 { 0.0 } else { 1.0 }).collect(),
            building,
            ..Instance::default()
        };
        let placed = rooms.iter().zip(0..).map(|(&(area, ratio, x, y), department)| {
            let rectangle = rectangle(x, y, (area * ratio).sqrt(), (area / ratio).sqrt());
            Placed { department, rectangle }
        });
        let layout = Layout::of_rectangles(placed.collect());
        (instance.validated().unwrap(), layout)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Number and area of overlaps with the building by the definition: corners in doubled coordinates, without the checker.
    #[test]
    fn overlaps_with_the_building_are_those_of_the_definition((instance, layout) in drawn()) {
        let (mut pairs, mut area) = ([0, 0], 0.0);
        for room in layout.rectangles.iter().map(|placed| placed.rectangle) {
            for part in &instance.building.parts {
                let there = part.rectangle;
                // Half the sides of both together, less the distance of the centres, but not more than the smaller side.
                let common = |a: f64, size: f64, b: f64, other: f64| {
                    ((size + other) / 2.0 - (a + size / 2.0 - b - other / 2.0).abs()).min(size.min(other))
                };
                let x = common(room.x, room.width, there.x, there.width);
                let y = common(room.y, room.height, there.y, there.height);
                if x > 1e-6 && y > 1e-6 {
                    pairs[part.kind as usize] += 1;
                    area += x * y;
                }
            }
        }
        let verdict = check(&instance, &layout);
        prop_assert_eq!(verdict.blocked.0, pairs[0] + pairs[1]);
        prop_assert!((verdict.blocked.1 - area).abs() <= 1e-9 * area.max(1.0));
        let count = |words: &str| verdict.violations.iter().filter(|one| one.text.contains(words)).count();
        prop_assert_eq!([count(" covers P"), count(" beyond the outline ")], pairs);
        // The outline encloses the floor that is not outside, by the formula of Gauss.
        let of_loop = |corners: &Vec<(f64, f64)>| {
            let next = corners.iter().cycle().skip(1);
            corners.iter().zip(next).map(|(a, b)| (a.0 * b.1 - b.0 * a.1) / 2.0).sum::<f64>()
        };
        let enclosed: f64 = outline(&instance).iter().map(of_loop).sum();
        let outside = instance.building.parts.iter().filter(|part| part.kind == PartKind::Outside);
        let floor = 600.0 - outside.map(|part| part.rectangle.area()).sum::<f64>();
        prop_assert!((enclosed - floor).abs() <= 1e-6, "{} {}", enclosed, floor);
        prop_assert_eq!(&Instance::of_data(&instance.to_data()).unwrap(), &instance);
    }
}

/// A sheet as a person has it: a title, German headings with units, decimal commas, words of the trade, an empty row. The import
/// knows it for a building without being told, and today's layout of departments for none.
#[test]
fn a_messy_sheet_is_known_for_a_building() {
    use gridwright_core::data::import::{BadLines, Mapped, Mapping, Request, Sheet, UnknownNames, run};
    let sheet = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Gebäude Halle 3.csv");
        std::fs::write(&path, text).unwrap();
        Sheet::read(&path, Instance::TABLES, None, None).unwrap().remove(0)
    };
    let text = "Halle 3, Stand Mai;;;;;;\n\nBezeichnung;Art;Abteilung;x (m);y (m);Breite (m);Tiefe (m)\n\
                Treppenhaus;Treppe;;2,5;5;2,5;1,0\nEcke;außerhalb;;5;4;3;2\n;;;;;;\nDock;Abteilung;B;6;0;2;2,0\n";
    let sheet_of_building = sheet(text);
    let mapping = Mapping::guess(&sheet_of_building, Instance::TABLES);
    let building = Instance::TABLES.iter().position(|table| table.id == "building");
    assert_eq!(mapping.table, building);
    let mut base = example();
    base.building = Building::default();
    let sheets = vec![Mapped { sheet: std::sync::Arc::new(sheet_of_building), mapping }];
    let (bad_lines, unknown) = (BadLines::Stop, UnknownNames::AreWrong.into());
    let outcome =
        run(Instance::TABLES, &Request { name: "hall".to_owned(), sheets, base: base.to_data(), bad_lines, unknown });
    assert_eq!(outcome.obstacle, None, "{:?}", outcome.problems);
    let imported = Instance::of_data(&outcome.data).unwrap().building;
    let sides: Vec<Rectangle> = imported.parts.iter().map(|part| part.rectangle).collect();
    assert_eq!(sides, [rectangle(2.5, 5.0, 2.5, 1.0), rectangle(5.0, 4.0, 3.0, 2.0)]);
    assert_eq!(imported.parts[1].kind, PartKind::Outside);
    assert_eq!(imported.places, [Placed { department: 1, rectangle: rectangle(6.0, 0.0, 2.0, 2.0) }]);
    for heading in ["Teil;Art;Raum", "Bauteil;Art;Bereich", "Gebäudeteil;Typ;Abteilung"] {
        let short =
            sheet(&format!("{heading};x;y;Breite;Tiefe\nTreppenhaus;Treppe;;2,5;5;2,5;1,0\nDock;Raum;B;6;0;2;2,0\n"));
        let mapping = Mapping::guess(&short, Instance::TABLES);
        assert_eq!(
            (mapping.table, mapping.columns[..3].to_vec()),
            (building, vec![Some(0), Some(1), Some(2)]),
            "{heading}"
        );
    }
    let today = sheet("department,x,y,width,height\nA,0,0,4,2\nB,4,0,2,2\n");
    assert_ne!(Mapping::guess(&today, Instance::TABLES).table, building, "it has no kinds");
}

#[test]
fn overlaps_mark_the_rows_of_both_rectangles() {
    let mut instance = example();
    instance.building.parts[0].rectangle.width = 2.5;
    let mut data = instance.to_data();
    data.hash.clear();
    let building = Instance::TABLES.iter().position(|table| table.id == "building").unwrap();
    let issues = Instance::of_data(&data).unwrap_err();
    let marked: Vec<_> = issues.iter().map(|issue| (issue.table, issue.row, issue.column)).collect();
    assert_eq!(marked, [0, 1].map(|row| (Some(building), Some(row), Some(3))), "{issues:?}");
    assert!(issues.iter().all(|issue| issue.what.contains("«Stairs» and «the outside at 5, 4» overlap by 0.5 × 1")));
}
