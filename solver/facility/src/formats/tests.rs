//! Tests of the readers: accepted and refused files.

use super::*;
use crate::check::check;
use crate::{Distance, Layout, Limit, Lock, Orientation};

fn json(text: &str) -> Result<Instance> {
    parse(Source { path: Path::new("a.json"), text }, &LoadOptions::default())
}

/// A problem of three departments with something in place of what is named.
fn with(what: &str, instead: &str) -> Result<Instance> {
    let text = r#"{
 "name": "three", "n": 3,
 "plant": { "width": 6, "height": 4 },
 "departments": [
  { "id": 1, "name": "A", "area": 8 },
  { "id": 2, "name": "B", "area": 4 },
  { "id": 3, "name": "C", "area": 12, "dummy": true }
 ],
 "shape": { "type": "aspect", "max": [5, 0, 0] },
 "distance": "euclidean",
 "flow_layout": "upper triangle",
 "flow": [
  [0, 3, 5],
  [0, 0, 1],
  [0, 0, 0]
 ],
 "references": [ { "value": 7.5, "kind": "FBS", "source": "me" }, { "value": null } ]
}"#;
    assert!(text.contains(what), "{what}");
    json(&text.replace(what, instead))
}

#[test]
fn json_is_read_in_full() {
    let instance = with("", "").unwrap();
    assert_eq!((instance.name.as_str(), instance.width, instance.height, instance.len()), ("three", 6.0, 4.0, 3));
    assert_eq!(
        instance.departments.iter().map(|one| one.limit).collect::<Vec<_>>(),
        [Limit::Aspect(5.0), Limit::None, Limit::None]
    );
    assert!(instance.departments[2].dummy && instance.distance == Distance::Euclidean);
    assert_eq!((instance.flow(0, 1), instance.flow(2, 1), instance.flow_pairs()), (3.0, 1.0, 3));
    assert_eq!((instance.references.len(), instance.references[0].value), (1, 7.5));
    assert!(instance.warnings.is_empty(), "{:?}", instance.warnings);
    let limit = |shape: &str| with(r#"{ "type": "aspect", "max": [5, 0, 0] }"#, shape).unwrap().departments[0].limit;
    assert_eq!(limit(r#"{ "type": "aspect", "max": 4 }"#), Limit::Aspect(4.0));
    assert_eq!(limit(r#"{ "type": "min_side", "min": [1.5, 1, 0] }"#), Limit::MinSide(1.5));
    assert_eq!(
        limit(r#"{ "type": "aspect_range", "min": 0.5, "max": [2, 2, 2], "note": "who knows" }"#),
        Limit::Range(0.5, 2.0)
    );
    let ranges =
        with(r#""aspect", "max": [5, 0, 0]"#, r#""aspect_range", "min": 0.5, "max": 2, "note": "who knows""#).unwrap();
    assert!(ranges.warnings[0].contains("who knows"), "{:?}", ranges.warnings);
    // Both directions of a full matrix count.
    let full = with("upper triangle", "full matrix").unwrap();
    assert_eq!(full.flow(0, 1), 3.0);
    let back = r#"[0, 3, 5],
  [2, 0, 1]"#;
    let both = json(
        &format!(
            r#"{{ "plant": {{ "width": 6, "height": 4 }}, "departments": [ {{ "area": 8 }}, {{ "area": 4, "id": 7 }}, {{ "area": 12 }} ],
  "flow": [ {back}, [0, 0, 0] ] }}"#
        ),
    )
    .unwrap();
    assert_eq!((both.flow(0, 1), both.name.as_str()), (5.0, "a"));
    assert_eq!(both.departments.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["1", "7", "3"]);
}

#[test]
fn bad_json_is_refused_by_line_with_a_remedy() {
    let cases = [
        (r#""area": 4 }"#, r#""area": 0 }"#, "a.json:6: ", "areas must be more than 0"),
        (r#""area": 4 }"#, r#""area": -4 }"#, "a.json:6: ", "-4"),
        (r#""area": 4 }"#, r#""area": "4" }"#, "a.json:6: ", "department 2"),
        (r#""area": 12"#, r#""area": 13"#, "a.json: ", "the areas add up to 25 and the plant has 24; enlarge"),
        (r#""width": 6"#, r#""width": 0"#, "a.json: ", "width of the plant is 0"),
        (r#""height": 4"#, r#""height": -4"#, "a.json: ", "height of the plant is -4"),
        (r#""name": "B""#, r#""name": "A""#, "a.json:6: ", "in line 5"),
        (r#""n": 3"#, r#""n": 4"#, "a.json: ", "n says 4"),
        ("[5, 0, 0]", "[5, 0]", "a.json:9: ", "2 limits for 3 departments"),
        ("[5, 0, 0]", "0.25", "a.json:9: ", "perhaps 4"),
        (r#""type": "aspect""#, r#""type": "round""#, "a.json:9: ", "known are aspect"),
        (r#""type": "aspect""#, r#""type": "min_side""#, "a.json:9: ", "known are aspect"),
        ("euclidean", "taxi", "a.json: ", "rectilinear and euclidean"),
        ("  [0, 0, 1],\n", "", "a.json:14: ", "2 rows for 3 departments"),
        ("[0, 0, 1]", "[0, 0, 1, 0]", "a.json:14: ", "4 flows from department «B» for 3 departments"),
        ("[0, 0, 1]", "[0, 0, -1]", "a.json:14: ", "the flow from «B» to «C»: -1 is negative"),
        ("[0, 0, 1]", "[2, 0, 1]", "a.json:14: ", "below the diagonal"),
        ("[0, 0, 1]", "[0, 0, NaN]", "a.json:14: ", "this is no layout problem as JSON"),
        ("upper triangle", "symmetric", "a.json:14: ", "0 from «B» to «A» and 3 back"),
        (r#""plant": { "width": 6, "height": 4 },"#, "", "a.json:", "missing field `plant`"),
        ("\"references\": [", "\"references\": ", "a.json:17: ", "no layout problem as JSON"),
    ];
    for (what, instead, place, expected) in cases {
        let error = with(what, instead).unwrap_err().to_string();
        assert!(error.starts_with(place) && error.contains(expected), "{what} → {instead}: {error}");
    }
    let two = with(r#""area": 8 }"#, r#""area": 0 }"#).unwrap_err().to_string();
    assert_eq!(two.lines().count(), 1);
    let error = json("[]").unwrap_err().to_string();
    assert!(error.contains("plant, departments"), "{error}");
}

#[test]
fn what_is_said_stands_above_the_file() {
    let text = with("", "").map(|instance| ron::write(&instance).unwrap()).unwrap();
    let of = |options: &LoadOptions| parse(Source { path: Path::new("a.ron"), text: &text }, options);
    let plain = of(&LoadOptions::default()).unwrap();
    assert_eq!((plain.width, plain.references.len()), (6.0, 1));
    let options = LoadOptions {
        plant: Some(PlantSize { width: 8.0, height: 5.0 }),
        aspect: Some(3.0),
        distance: Some(Distance::Rectilinear),
    };
    let said = of(&options).unwrap();
    assert_eq!((said.width, said.height, said.distance), (8.0, 5.0, Distance::Rectilinear));
    let limits: Vec<Limit> = said.departments.iter().map(|one| one.limit).collect();
    assert_eq!(limits, [Limit::Aspect(3.0), Limit::Aspect(3.0), Limit::None], "free floor keeps none");
    assert!(said.references.is_empty() && said.warnings[0].contains("not compared with"), "{:?}", said.warnings);
    let same = LoadOptions { plant: Some(PlantSize { width: 6.0, height: 4.0 }), ..LoadOptions::default() };
    assert_eq!(of(&same).unwrap(), plain);
    let wide = of(&LoadOptions { aspect: Some(1000.0), ..LoadOptions::default() }).unwrap();
    assert!(wide.warnings.iter().any(|text| text.contains("strips that no one can build")), "{:?}", wide.warnings);
    let small = LoadOptions { plant: Some(PlantSize { width: 2.0, height: 4.0 }), ..LoadOptions::default() };
    assert!(of(&small).unwrap_err().to_string().contains("enlarge the plant"));
    let narrow = LoadOptions { plant: Some(PlantSize { width: 0.25, height: 96.0 }), ..LoadOptions::default() };
    assert!(
        of(&narrow).unwrap().warnings.iter().any(|text| text.contains("no layout can be feasible: department «A»"))
    );
    assert!(
        of(&LoadOptions { aspect: Some(0.5), ..LoadOptions::default() }).unwrap_err().to_string().contains("below 1")
    );
}

#[test]
fn everything_survives_this_programs_own_format() {
    let mut instance = with("", "").unwrap();
    instance.departments[0].limit = Limit::Range(0.5, 2.0);
    instance.departments[1].limit = Limit::MinSide(0.1);
    instance.flows[3] = 0.1 + 0.2;
    instance.closeness = vec![(0, 1, 'A'), (1, 2, 'X')];
    instance.weights.set('A', 100.0);
    instance.rules.apart = vec![(1, 2)];
    instance.rules.locks =
        vec![Lock { department: 0, bay: 1, place: Some(0) }, Lock { department: 2, bay: 0, place: None }];
    let text = ron::write(&instance).unwrap();
    assert_eq!(detection("b.ron", text.as_bytes()), Detection::Certain);
    let read = |text: &str| parse(Source { path: Path::new("b.ron"), text }, &LoadOptions::default());
    assert_eq!(read(&text).unwrap(), instance);
    let mut rated = instance.clone();
    rated.rules.apart.clear();
    assert_eq!(read(&ron::write(&rated).unwrap()).unwrap().rules.apart, [(1, 2)], "X keeps departments apart");
    rated.weights.set('X', 0.0);
    assert!(read(&ron::write(&rated).unwrap()).unwrap().rules.apart.is_empty(), "unless it has no weight");
    for (what, instead, expected) in [
        ("(\"A\", \"B\", 3.0)", "(\"A\", \"Z\", 3.0)", "flows names a department «Z»"),
        ("(\"A\", \"B\", 3.0)", "(\"A\", \"B\", -3.0)", "negative"),
        ("'X'", "'Y'", "one of A E I O U X"),
        ("-64", "64", "the weight of X: 64"),
        ("(\"A\", 2, Some(1))", "(\"A\", 0, Some(1))", "a lock names"),
        ("(\"A\", 2, Some(1))", "(\"C\", 2, Some(1))", "locked twice"),
        ("facility_format: 1", "facility_format: 2", "newer version"),
        ("plant: (6.0, 4.0)", "plant: 6", "b.ron:4: "),
        ("area: 4.0", "area: -4.0", "area -4"),
    ] {
        assert!(text.contains(what), "{what}: {text}");
        let error = read(&text.replace(what, instead)).unwrap_err().to_string();
        assert!(error.starts_with("b.ron") && error.contains(expected), "{error}");
    }
    assert!(read("(format: 1)").unwrap_err().to_string().contains("a result or a layout"));
}

/// The layout A over B, then C, in every format that is written, and as others write it.
#[test]
fn layouts_are_read_as_they_are_written() {
    let instance = with("", "").unwrap();
    let layout = Layout::of_bays(Orientation::Horizontal, vec![vec![0, 1], vec![2]]);
    let read = |name: &str, text: &str| solution::parse(Source { path: Path::new(name), text }, &instance);
    let text = solution::write_text(&instance, &layout).unwrap();
    assert_eq!(text, "horizontal\nA, B\nC\n");
    let ron = solution::write_ron(&instance, &layout).unwrap();
    let table = solution::write_table_of(&instance, &layout);
    for (name, text) in [("a.sol", &text), ("a.txt", &text), ("a.ron", &ron), ("a.csv", &table), ("a.txt", &table)] {
        let file = read(name, text).unwrap();
        assert_eq!((&file.layout, file.is_oriented), (&layout, true), "{name}");
        assert!(file.remarks().is_empty(), "{name}");
    }
    assert!(
        table.starts_with("department,bay,place,x,y,width,height,aspect,area,bays\nA,1,1,0,0,4,2,2,8,horizontal\n"),
        "{table}"
    );
    // They are known as layouts and not taken for instances.
    for (name, text) in [("a.sol", &text), ("a.ron", &ron), ("a.csv", &table)] {
        assert!(solution::begins(text.as_bytes()) && detection(name, text.as_bytes()) < Detection::Certain, "{name}");
    }
    assert!(!solution::begins(b"department,area,A,B\nA,8,0,1\n") && !solution::begins(b"1 2 3\n"));
    // Lengths have six digits, and their layout is confirmed nevertheless.
    let mut thirds = instance.clone();
    (thirds.width, thirds.height) = (24.0 / 7.0, 7.0);
    let table = solution::write_table_of(&thirds, &layout);
    assert!(table.contains("A,1,1,0,0,2.28571,3.5,"), "{table}");
    let file = solution::parse(Source { path: Path::new("a.csv"), text: &table }, &thirds).unwrap();
    assert_eq!((&file.layout, file.is_rounded), (&layout, false));
    let coarse =
        solution::parse(Source { path: Path::new("a.csv"), text: &table.replace("2.28571", "2.286") }, &thirds);
    let coarse = coarse.unwrap();
    assert_eq!((&coarse.layout, coarse.remarks()[0].0), (&layout, "rectangles_rounded"));
    let bare = solution::parse(
        Source {
            path: Path::new("a.csv"),
            text: "department,x,y,width,height\nC,0,3.5,3.42857,3.5\nB,2.28571,0,1.14286,3.5\nA,0,0,2.28571,3.5\n",
        },
        &thirds,
    );
    assert_eq!(bare.unwrap().layout, layout, "rectangles that are bays are bays");
    let vertical = Layout { orientation: Orientation::Vertical, ..layout };
    for text in ["A B | C", "A,B|C\n", "A\tB\n\nC\n", "vertical bays:\nA;B\nC"] {
        let file = read("a.sol", text).unwrap();
        assert_eq!((&file.layout, file.is_oriented), (&vertical, text.starts_with('v')), "{text}");
    }
    let file = read("a.csv", "name,bay\nA,1\nC,2\nB,1\n").unwrap();
    assert_eq!((file.layout, file.is_oriented), (vertical, false));
    for (name, text, expected) in [
        ("a.sol", "A, Z\nC, B\n", "a.sol:1: «Z» is no department of three"),
        ("a.sol", "A, B\nC, B\n", "a.sol:2: department «B» is there already, in line 1"),
        ("a.sol", "A\nB\n", "a.sol:2: the file ends, and 1 department has no place: «C»"),
        ("a.csv", "department,bay\nA,first\n", "a.csv:2: the bay: «first» is not a whole number"),
        ("a.csv", "department,bay,bays\nA,1,round\nB,1,\nC,1,\n", "a.csv:2: bays are vertical or horizontal"),
        (
            "a.csv",
            "department,bay,bays\nA,1,vertical\nB,1,horizontal\nC,1,\n",
            "a.csv:3: bays are horizontal here and vertical above",
        ),
        ("a.csv", "department,bay,x,y,width,height\nA,1,0,0,wide,1\n", "a.csv:2: the width: «wide»"),
        ("a.csv", "department,x\nA,1\n", "no column «bay»"),
        (
            "a.ron",
            "(layout_format: 1, instance: (\"\",\"\"), orientation: Vertical, bays: [[\"A\"]])",
            "2 departments have no place",
        ),
        ("a.ron", "(layout_format: 9, instance: (\"\",\"\"), orientation: Vertical, bays: [])", "newer version"),
        ("a.ron", "(format: 1)", "not a layout"),
    ] {
        let error = read(name, text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?}: {error}");
    }
    let mut commas = instance.clone();
    commas.departments[0].name = "A, a".to_owned();
    assert!(solution::write_text(&commas, &Layout { bays: vec![vec![0]], ..Layout::default() }).is_err());
    commas.departments[0].name = "Goods in".to_owned();
    let alone = Layout::of_bays(Orientation::Vertical, vec![vec![0], vec![2, 1]]);
    let text = solution::write_text(&commas, &alone).unwrap();
    assert_eq!(solution::parse(Source { path: Path::new("a.sol"), text: &text }, &commas).unwrap().layout, alone);
}

/// Rectangles that are no bays are a layout of rectangles, with the cost of these, and come back from every format.
#[test]
fn rectangles_that_are_no_bays_are_not_taken_for_bays() {
    let folder = tempfile::tempdir().unwrap();
    let shop = "# plant: 20 x 10\n# aspect limit: 4\ndepartment,area,A,B,C\nA,50,0,10,0\nB,50,0,0,10\nC,50,10,0,0\n";
    let path = folder.path().join("shop.csv");
    std::fs::write(&path, shop).unwrap();
    let instance = load(&path, &LoadOptions::default()).unwrap();
    let today = "department,bay,place,bays,x,y,width,height\nA,1,1,vertical,0,0,5,10\nB,1,2,vertical,5,0,5,10\nC,1,3,vertical,15,0,5,10\n";
    let source = Source { path: Path::new("today.csv"), text: today };
    let file = solution::parse(source, &instance).unwrap();
    let verdict = check(&instance, &file.layout);
    assert_eq!((verdict.cost, verdict.feasible), (300.0, true), "{:?}", verdict.violations);
    assert!(file.layout.is_free() && file.layout.bays.is_empty() && file.remarks().is_empty());
    // Numbers as a spreadsheet with decimal commas writes them.
    let commas = today.replace(',', ";").replace("15;0;5;10", "15,00;0,0;5;10");
    let comma = solution::parse(Source { path: Path::new("today.csv"), text: &commas }, &instance).unwrap();
    assert_eq!(comma.layout, file.layout);
    let doubtful = today.replace(',', ";").replace("15;0;5;10", "1.250;0;5;10");
    let refused = solution::parse(Source { path: Path::new("today.csv"), text: &doubtful }, &instance).map(drop);
    let why = refused.unwrap_err().to_string();
    assert!(why.contains("today.csv:4: the x: «1.250» is 1250 or 1.25"), "{why}");
    let table = solution::write_table_of(&instance, &file.layout);
    assert!(table.starts_with("department,x,y,width,height,aspect,area\nA,0,0,5,10,2,50\n"), "{table}");
    let ron = solution::write_ron(&instance, &file.layout).unwrap();
    assert!(ron.contains("layout_format: 2"), "older versions of the program say that it is newer: {ron}");
    for (name, text) in [("a.csv", &table), ("a.ron", &ron)] {
        let own = solution::parse(Source { path: Path::new(name), text }, &instance).unwrap();
        assert_eq!((&own.layout, own.is_oriented), (&file.layout, true), "{name}");
        assert!(solution::begins(text.as_bytes()) && detection(name, text.as_bytes()) < Detection::Certain, "{name}");
    }
    assert!(solution::write_text(&instance, &file.layout).unwrap_err().to_string().contains("write a .ron or .csv"));
    let refused = |name: &str, text: &str| {
        solution::parse(Source { path: Path::new(name), text }, &instance).unwrap_err().to_string()
    };
    assert!(refused("a.csv", &table.replace("0,0,5,10", "0,0,-5,10")).contains("a.csv:2: width and height must be"));
    let both = ron.replace("bays: []", "bays: [[\"A\"]]");
    assert!(refused("a.ron", &both).contains("leave one of them out"));
    assert!(refused("a.ron", &ron.replace("width: 5.0", "width: inf")).contains("the rectangle of «A» has no size"));
    // A table of departments that says where they lie is a layout problem.
    let both = "department,area,x,y,width,height,A,B\nA,50,0,0,5,10,0,1\nB,50,5,0,5,10,1,0\n";
    assert!(!solution::begins(both.as_bytes()));
}
