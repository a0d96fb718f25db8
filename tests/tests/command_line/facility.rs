//! Layout problems on the command line: instances in every format, bad input, layouts, exports, comparisons, generated
//! instances.

use gridwright_core::data::Tables as _;
use gridwright_facility::Instance;
use gridwright_facility::formats::{self, LoadOptions};
use serde_json::{Value, json};

use super::test_folder::TestFolder;

/// A plant of 6 × 4 and departments A 8, B 4, C 12; flows A → B 2, B → A 1, A → C 5, B → C 1.
const TABLE: &str = "# plant: 6 x 4\ndepartment,area,aspect limit,A,B,C\nA,8,4,0,2,5\nB,4,4,1,0,1\nC,12,4,0,0,0\n";

const JSON: &str = r#"{ "name": "three", "plant": { "width": 6, "height": 4 },
  "departments": [ { "name": "A", "area": 8 }, { "name": "B", "area": 4 }, { "name": "C", "area": 12 } ],
  "shape": { "type": "aspect", "max": 4 }, "distance": "rectilinear", "flow_layout": "upper triangle",
  "flow": [ [0, 3, 5], [0, 0, 1], [0, 0, 0] ],
  "references": [ { "value": 28.0, "kind": "proven FBS optimum, horizontal", "source": "by hand" } ] }"#;

fn with_three_departments() -> TestFolder {
    let folder = TestFolder::new();
    folder.write("table.csv", TABLE);
    folder.write("three.json", JSON);
    std::fs::create_dir(folder.path("tables")).unwrap();
    folder.write("tables/departments.csv", "department;area\nA;8\nB;4\nC;12\n");
    folder.write("tables/flows.csv", "from,to,flow\nA,B,2\nB,A,1\nA,C,5\nB,C,1\n");
    // A over B, then C: A 3 × 8/3, B 3 × 4/3, C 3 × 4. A–B 3 · 2, A–C 5 · (3 + 2/3), B–C 3 + 4/3: 86/3.
    folder.write("v.sol", "vertical\nA, B\nC\n");
    // The same bays as rows of 2: A–B 3 · 3, A–C 5 · (1 + 2), B–C 2 + 2: 28.
    folder.write("h.sol", "horizontal\nA, B\nC\n");
    // Three rows: B is 6 × 2/3, 9 to 1.
    folder.write("rows.sol", "horizontal\nA\nB\nC\n");
    // An order of the eight jobs of a flow shop.
    folder.write("order.sol", "1\n2\n3\n4\n5\n6\n7\n8\n");
    folder
}

#[test]
fn info_knows_every_format_and_name() {
    let folder = with_three_departments();
    for source in ["table.csv", "three.json", "tables --plant 6x4", "tables/departments.csv --plant 6x4"] {
        let answer = folder.done(&format!("info {source} --json"));
        let json = answer.json();
        let expected = json!({
            "problem": "facility", "departments": 3, "plant_width": 6.0, "plant_height": 4.0, "area": 24.0, "shape_limit": 4.0,
            "flow_pairs": 3, "total_flow": 9.0, "distance": "rectilinear",
        });
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(json[key], *value, "{source}: {key}");
        }
        assert!(json["file_hash"].as_str().unwrap().len() == 64 && json["warnings"].is_array());
        let known = if source == "three.json" { json!(28.0) } else { Value::Null };
        assert_eq!((&json["best_known"], &json["proven"]), (&known, &json!(source == "three.json")), "{source}");
        assert_eq!(json["best_known_source"].is_string(), source == "three.json", "{source}");
    }
    for (name, departments) in
        [("sample:layout-workshop", 12), ("sample:layout-plant", 30), ("layout:F40", 40), ("layout:f120", 120)]
    {
        assert_eq!(folder.run(&format!("info {name} --json")).json()["departments"], departments, "{name}");
    }
    let workshop = folder.run("info sample:layout-workshop --json").json();
    assert_eq!(workshop["demands"], json!({ "apart": [["Sanding", "Paint"]], "locked": [] }));
    assert_eq!(workshop["closeness"].as_array().unwrap().len(), 6);
    let spoken = folder.run("info three.json").text;
    assert!(spoken.contains("28, proven to be the best layout with bays") && spoken.contains("by hand"), "{spoken}");
}

#[test]
fn what_is_said_beyond_the_file_counts() {
    let folder = with_three_departments();
    let said = folder.run("info three.json --plant 8x5 --aspect 12 --distance euclidean --json").json();
    let values = ["plant_width", "plant_height", "shape_limit", "distance", "best_known"].map(|key| said[key].clone());
    assert_eq!(values, [json!(8.0), json!(5.0), json!(12.0), json!("euclidean"), Value::Null]);
    let warnings = said["warnings"].to_string();
    assert!(warnings.contains("not compared with") && warnings.contains("strips that no one can build"), "{warnings}");
    let limited = folder.run("verify table.csv rows.sol --aspect 9 --json");
    assert_eq!((limited.code, &limited.json()["feasible"]), (0, &json!(true)));
    folder.refuses_each([
        ("info tables", "--plant 7x4 (width x height; the areas add up to 24)"),
        ("info table.csv --plant 3x4", "enlarge the plant"),
        ("info table.csv --periods 5", "--periods is for examination sessions; table.csv is a layout problem"),
        ("info table.csv --objective makespan", "--objective is for flow shops; table.csv is a layout problem"),
        ("info sample:workshop --plant 5x5", "--plant is for layout problems; sample:workshop is a flow shop"),
        ("info sample:school --aspect 5", "--aspect is for layout problems; sample:school is an examination session"),
        ("solve sample:school --bays vertical --generations 1", "--bays is for layout problems"),
        ("solve sample:workshop --bays both --generations 1", "--bays is for layout problems"),
        ("info layout:F41", "layout:F120"),
        ("info sample:layout", "layout-workshop, layout-plant (layout problems)"),
    ]);
}

#[test]
fn bad_instances_are_refused_with_file_and_line() {
    let folder = with_three_departments();
    for (name, text, expected) in [
        (
            "area.csv",
            TABLE.replace("B,4,4", "B,0,4"),
            "area.csv:4: department «B»: the area: 0; areas must be more than 0",
        ),
        ("word.csv", TABLE.replace("A,8", "A,large"), "word.csv:3: department «A»: the area: «large» is not a number"),
        ("much.csv", TABLE.replace("C,12", "C,13"), "much.csv: the areas add up to 25 and the plant has 24; enlarge"),
        (
            "aspect.csv",
            TABLE.replace("B,4,4", "B,4,0.5"),
            "aspect.csv:4: department «B»: the aspect limit 0.5 is below 1",
        ),
        ("flow.csv", TABLE.replace("B,4,4,1", "B,4,4,-1"), "flow.csv:4: the flow from «B» to «A»: -1 is negative"),
        (
            "column.csv",
            TABLE.replace(",A,B,C\n", ",A,B,D\n"),
            "column.csv: the from-to chart has 2 columns for 3 departments; add columns for «C»",
        ),
        ("list.csv", "from,to,flow\nA,B,2\n".to_owned(), "list.csv:1: this is a list of flows"),
        ("rows.json", JSON.replace(", [0, 0, 0] ]", " ]"), "rows.json:4: flow has 2 rows for 3 departments"),
        (
            "below.json",
            JSON.replace("[0, 0, 1]", "[3, 0, 1]"),
            "below.json:4: 3 from «B» to «A» stands below the diagonal",
        ),
        ("plant.json", JSON.replace("\"width\": 6", "\"width\": 0"), "plant.json: the width of the plant is 0"),
        ("broken.json", JSON.replace("\"flow\"", "flow"), "broken.json:4: this is no layout problem as JSON"),
        (
            "layout.ron",
            "(layout_format: 1)".to_owned(),
            "layout.ron: this is a layout and not a layout problem; open the instance that it belongs to first",
        ),
    ] {
        folder.write(name, text);
        folder.refuses(&format!("info {name}"), &[expected]);
    }
}

#[test]
fn verify_says_the_cost_and_names_what_is_wrong() {
    let folder = with_three_departments();
    let vertical = folder.run("verify table.csv v.sol --json");
    let json = vertical.json();
    assert_eq!((vertical.code, &json["feasible"], &json["orientation"]), (0, &json!(true), &json!("vertical")));
    assert!((json["cost"].as_f64().unwrap() - 86.0 / 3.0).abs() < 1e-9 && json["cost_display"] == 28.6667);
    assert_eq!(json["bays"], json!([["A", "B"], ["C"]]));
    // A is 4 × 2, B 2 × 2, C 6 × 2.
    let horizontal = folder.run("verify table.csv h.sol --json").json();
    assert_eq!(
        (&horizontal["cost"], &horizontal["longest"]),
        (&json!(28), &json!({ "department": "C", "aspect": 3.0 }))
    );
    let rows = folder.run("verify table.csv rows.sol --json");
    let json = rows.json();
    assert_eq!((rows.code, &json["feasible"], &json["concerned"]), (1, &json!(false), &json!(["A", "B"])));
    assert_eq!(json["violations"].as_array().unwrap().len(), 2);
    let text = "department B is 6 × 0.6667, 9 to 1; at most 4 to 1 is allowed";
    assert_eq!(json["violations"][1], json!({ "kind": "aspect", "text": text }));
    let spoken = folder.run("verify table.csv rows.sol").text;
    assert!(spoken.contains("no, 2 violations") && spoken.contains("At fault") && spoken.contains(text), "{spoken}");
    // It can be exported, with a stamp that says so.
    let stamped = folder.run("export table.csv rows.sol --to plan.svg");
    assert!(stamped.code == 1 && stamped.errors.contains("Not feasible"), "{}", stamped.errors);
    assert!(std::fs::read_to_string(folder.path("plan.svg")).unwrap().contains("Not feasible"));
    folder.write("plain.sol", "A B | C\n");
    let assumed = folder.run("verify table.csv plain.sol --json").json();
    assert_eq!((&assumed["orientation_assumed"], &assumed["cost_display"]), (&json!("vertical"), &json!(28.6667)));
    // Rectangles that a table states count as they stand: B beyond the plant and upon nothing, C where A is.
    folder.write("stated.csv", "department,bay,x,y,width,height\nA,1,0,0,4,2\nB,1,4.5,0,2,2\nC,2,0,1,6,2\n");
    let kinds = folder.run("verify table.csv stated.csv --json").json()["violations"].clone();
    let kinds: Vec<&str> = kinds.as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["overlap", "overlap", "outside"]);
    folder.write("apart.sol", "horizontal\nGoods inward,Timber store,Saw,Planer\nRouter,Edge banding,Drilling,Assembly\nSanding,Paint,Packing,Dispatch\n");
    let workshop = folder.run("verify sample:layout-workshop apart.sol --json").json();
    assert!(
        workshop["violations"].to_string().contains("departments Sanding and Paint must not share a wall"),
        "{workshop}"
    );
}

#[test]
fn bad_layouts_are_refused_with_file_and_line() {
    let folder = with_three_departments();
    let files = [
        ("unknown.sol", "A, Z\nB\nC\n", &["unknown.sol:1: ", "«Z»"][..]),
        ("again.sol", "A\nB\nA, C\n", &["again.sol:3: ", "in line 1"]),
        ("missing.sol", "vertical\nA\n", &["missing.sol:2: ", "«B», «C»"]),
        ("bay.csv", "department,bay\nA,one\n", &["bay.csv:2: ", "«one»"]),
        ("format.ron", "(layout_format: 1, bays: 3)", &["format.ron:1: ", "not a layout"]),
        ("broken.ron", "(format: 1, program: \"gridwright\"", &["broken.ron:1: ", "not a result"]),
        ("nowhere.sol", "", &["nowhere.sol: ", "no such file"]),
    ];
    let lines = ["verify table.csv FILE", "export table.csv FILE --to plan.csv", "compare table.csv v.sol FILE"];
    folder.refuses_files(files.map(|(name, text, parts)| (name, text, "", parts)), &lines);
    folder.refuses_each([
        ("export table.csv v.sol --to plan.ics", "choose one of pdf"),
        ("export table.csv v.sol --to table.csv", "overwritten"),
        ("export tables v.sol --plant 6x4 --to tables/flows.csv", "overwritten"),
        ("export table.csv v.sol --to plan.csv --student s1", "--student"),
        ("export table.csv v.sol --to plan.csv --least-flow 1", "goes with pdf, svg, png only"),
        ("export sample:workshop order.sol --to plan.svg --least-flow 1", "--least-flow is for layout problems"),
        ("verify table.csv v.sol --counted-from 1", "--counted-from"),
        ("verify sample:layout-plant v.sol", "is no department of layout-plant"),
    ]);
}

#[test]
fn what_is_exported_is_read_back() {
    let folder = with_three_departments();
    let cost = &folder.run("verify table.csv h.sol --json").json()["cost"];
    let answer = folder.refused("export table.csv h.sol --to plan.doc").errors;
    let endings: Vec<&str> = answer.rsplit("choose one of ").next().unwrap().trim().split(", ").collect();
    assert_eq!(endings, ["pdf", "dxf", "svg", "png", "csv", "xlsx", "ron", "sol"]);
    let targets: Vec<String> = endings.iter().map(|ending| format!("out/a.{ending}")).collect();
    let exported = folder.done(&format!("export table.csv h.sol --to {}", targets.join(" ")));
    assert_eq!(exported.text.lines().collect::<Vec<_>>(), targets);
    for ending in ["csv", "sol", "ron"] {
        let verified = folder.run(&format!("verify table.csv out/a.{ending} --json"));
        assert_eq!((verified.code, &verified.json()["cost"]), (0, cost), "{ending}: {}", verified.errors);
        let compared = folder.run(&format!("compare table.csv h.sol out/a.{ending} --json")).json();
        assert_eq!((compared["moved"].as_array().unwrap().len(), &compared["change"]), (0, &json!(0.0)));
    }
    let read = |name: &str| std::fs::read(folder.path(name)).unwrap();
    assert!(read("out/a.pdf").starts_with(b"%PDF-") && read("out/a.png").starts_with(b"\x89PNG"));
    let drawing = String::from_utf8(read("out/a.svg")).unwrap();
    assert!(drawing.contains(">28<") && drawing.contains("2 horizontal bays"), "the cost stands above the plan");
    let dxf = String::from_utf8(read("out/a.dxf")).unwrap();
    assert!(["WALLS", "BAYS", "DEPARTMENTS", "NAMES", "FLOWS"].iter().all(|layer| dxf.contains(layer)));
    // Tables hold no more digits than mean something.
    folder.done("export table.csv v.sol --to out/v.csv");
    let table = String::from_utf8(read("out/v.csv")).unwrap();
    assert!(table.contains(",2.66667,") && !table.contains("2.666666"), "{table}");
}

/// Rectangles that are no bays have the same cost in every command, and come back from what is exported.
#[test]
fn rectangles_are_verified_compared_and_exported_as_they_lie() {
    let folder = TestFolder::new();
    folder.write("shop.csv", "# plant: 20 x 10\ndepartment,area,A,B,C\nA,50,0,10,0\nB,50,0,0,10\nC,50,10,0,0\n");
    folder.write("today.csv", "department,x,y,width,height\nA,0,0,5,10\nB,5,0,5,10\nC,15,0,5,10\n");
    let json = folder.run("verify shop.csv today.csv --json").json();
    assert_eq!((&json["cost"], &json["feasible"], &json["bays"]), (&json!(300), &json!(true), &json!(null)));
    assert_eq!(json["rectangles"][2], json!({ "department": "C", "x": 15.0, "y": 0.0, "width": 5.0, "height": 10.0 }));
    let spoken = folder.run("verify shop.csv today.csv").text;
    assert!(spoken.contains("3 rectangles, no bays"), "{spoken}");
    folder
        .done("export shop.csv today.csv --to out/a.csv out/a.ron out/a.svg out/a.pdf out/a.dxf out/a.xlsx out/a.png");
    for file in ["out/a.csv", "out/a.ron"] {
        assert_eq!(folder.run(&format!("verify shop.csv {file} --json")).json()["cost"], json!(300), "{file}");
        let compared = folder.run(&format!("compare shop.csv today.csv {file} --json")).json();
        assert_eq!(
            (&compared["a"]["cost"], &compared["b"]["cost"], &compared["change"]),
            (&json!(300.0), &json!(300.0), &json!(0.0))
        );
        assert_eq!((&compared["moved"], &compared["a"]["orientation"]), (&json!([]), &json!(null)));
    }
    assert!(std::fs::read_to_string(folder.path("out/a.svg")).unwrap().contains("3 departments · rectangles · plant"));
    let refused = folder.refused("export shop.csv today.csv --to out/a.sol");
    assert!(refused.errors.contains("write a .ron or .csv file"), "{}", refused.errors);
    // Bays are compared with today's layout.
    folder.write("bays.sol", "vertical\nA\nB\nC\n");
    let compared = folder.run("compare shop.csv today.csv bays.sol").text;
    assert!(
        compared.contains("rectangles") && compared.contains("3 vertical") && compared.contains("(−33.33 %)"),
        "{compared}"
    );
    assert!(compared.contains("at 17.5, 5") && compared.contains("→ bay 3 at 12.5, 5"), "{compared}");
    // Trees are solved, verified and run again.
    let solved = folder.run("solve shop.csv --algorithm slicing --seconds 0.2 --json --out r.ron --export plan.svg");
    assert_eq!((solved.code, &solved.json()["checked"]), (0, &json!(true)), "{}", solved.errors);
    assert_eq!(folder.run("replay r.ron").code, 0);
    folder.refuses("solve shop.csv --quiet --algorithm slicing --bays vertical", &["leave out --bays"]);
    let refused = folder.refused("solve shop.csv --quiet --algorithm slicing --backend cuda:0");
    assert!(refused.code == 3 && refused.errors.contains("slicing trees run on the CPU"), "{}", refused.errors);
}

/// Three departments and three flows: pictures draw what flows at least as much as is said.
#[test]
fn pictures_draw_what_flows_enough() {
    let folder = with_three_departments();
    let lines = |name: &str, option: &str| {
        folder.done(&format!("export table.csv h.sol --to {name} {option}"));
        std::fs::read_to_string(folder.path(name)).unwrap().len()
    };
    let (all, large, none) =
        (lines("a.svg", "--least-flow 0"), lines("b.svg", "--least-flow 3"), lines("c.svg", "--least-flow none"));
    assert!(none < large && large < all, "{none} {large} {all}");
    assert_eq!(lines("d.svg", ""), all, "few flows can all be told apart");
}

#[test]
fn compare_says_what_moved_and_what_it_costs() {
    let folder = with_three_departments();
    let json = folder.run("compare table.csv v.sol h.sol --json").json();
    let change = json["change"].as_f64().unwrap();
    assert!((change - (28.0 - 86.0 / 3.0)).abs() < 1e-9, "{change}");
    assert!((json["change_percent"].as_f64().unwrap() - 100.0 * change * 3.0 / 86.0).abs() < 1e-9);
    assert_eq!((&json["a"]["orientation"], &json["b"]["orientation"]), (&json!("vertical"), &json!("horizontal")));
    assert_eq!(json["moved"].as_array().unwrap().len(), 3);
    let spoken = folder.run("compare table.csv v.sol h.sol").text;
    for part in
        ["28.6667", "−0.6667 (−2.33 %) better", "2 vertical", "2 horizontal", "Moved: 3 departments of 3", "A – B"]
    {
        assert!(spoken.contains(part), "{part}: {spoken}");
    }
}

#[test]
fn generated_layout_problems_open_and_repeat() {
    let folder = TestFolder::new();
    for (out, options) in
        [("a.csv", "--departments 12"), ("b.ron", "--departments 12"), ("c.csv", "--preset plant --departments 30")]
    {
        let line = format!("generate layout {options} --seed 42 --out {out}");
        let made = folder.run(&line);
        assert_eq!((made.code, made.text.as_str()), (0, format!("{out}\n").as_str()), "{}", made.errors);
        let before = std::fs::read(folder.path(out)).unwrap();
        assert!(folder.refused(&line).errors.contains("is there already"));
        std::fs::remove_file(folder.path(out)).unwrap();
        assert_eq!(folder.run(&line).code, 0);
        assert_eq!(std::fs::read(folder.path(out)).unwrap(), before, "same seed");
    }
    let [table, own, plant] = ["a.csv", "b.ron", "c.csv"].map(|name| folder.run(&format!("info {name} --json")).json());
    for key in ["departments", "plant_width", "area", "flow_pairs", "total_flow", "shape_limit"] {
        assert_eq!(table[key], own[key], "{key}");
    }
    assert_eq!((&plant["departments"], &plant["shape_limit"]), (&json!(30), &json!(4.0)));
    folder.refuses_each([
        ("generate layout --departments 1 --out e.csv", "choose 2 to 1024"),
        ("generate layout --density 2 --out e.csv", "from 0 to 1"),
        ("generate layout --out e.xlsx", ".csv (one table) or .ron"),
    ]);
}

#[test]
fn small_plants_are_solved_and_run_again() {
    let folder = with_three_departments();
    let solved = folder.run("solve table.csv --threads 1 --json --out r.ron --export plan.dxf --export plan.csv");
    let json = solved.json();
    assert_eq!(
        (solved.code, &json["feasible"], &json["checked"]),
        (0, &json!(true), &json!(true)),
        "{}",
        solved.errors
    );
    assert_eq!((&json["algorithm"], &json["stop_reason"]), (&json!("enumeration"), &json!("proven")));
    assert!(json["cost"].as_f64().unwrap() <= 28.0 && json["notes"].to_string().contains("proven optimal"), "{json}");
    let verified = folder.run("verify table.csv r.ron --json").json();
    assert_eq!((&verified["cost"], &verified["bays"]), (&json["cost"], &json["bays"]));
    assert_eq!(folder.run("verify table.csv plan.csv --json").json()["cost_display"], json["cost_display"]);
    assert_eq!(folder.run("replay r.ron --json").json()["equal"], true);
    // What was said then need not be said again.
    let line = "solve tables --plant 8x4 --bays horizontal --algorithm memetic --generations 200 --set islands=2 --quiet --out b.ron";
    folder.done(line);
    let verified = folder.run("verify tables b.ron --json").json();
    assert_eq!(
        (&verified["orientation"], &verified["same_instance"]),
        (&json!("horizontal"), &Value::Null),
        "{verified}"
    );
    assert_eq!(folder.run("replay b.ron --json").json()["equal"], true);
    assert_eq!(folder.run("verify tables b.ron --plant 6x4 --json").json()["same_instance"], false);
    // Earlier versions stored the size of a plant with a decimal point, although it can be read in two ways.
    folder
        .done("solve tables --plant 8.1250x4 --algorithm memetic --generations 20 --set islands=2 --quiet --out c.ron");
    let stored = std::fs::read_to_string(folder.path("c.ron")).unwrap();
    assert!(stored.contains("8.1250x4"), "{stored}");
    folder.write("old.ron", stored.replace("8.1250x4", "8.125x4"));
    assert_eq!(folder.run("replay old.ron --json").json()["equal"], true);
    let verified = folder.run("verify tables old.ron --json").json();
    assert_eq!((&verified["feasible"], &verified["same_instance"]), (&json!(true), &Value::Null), "{verified}");
    folder.write("wrong.ron", stored.replace("8.1250x4", "8x4x2"));
    assert!(folder.refused("replay wrong.ron").errors.contains("“8x4x2” makes no sense"));
    for (line, expected) in [
        ("solve table.csv --algorithm greedy", "memetic, genetic, enumeration, slicing"),
        ("solve layout:F40 --algorithm enumeration", "use --algorithm memetic"),
        ("solve table.csv --export plan.ics", "choose one of pdf"),
    ] {
        assert!(folder.refused(line).errors.contains(expected), "{line}");
    }
}

#[test]
fn the_least_violating_layout_is_shown_as_such() {
    let folder = with_three_departments();
    let solved =
        folder.run("solve table.csv --aspect 1 --algorithm memetic --set islands=2 --generations 2 --json --out r.ron");
    let json = solved.json();
    assert_eq!(
        (solved.code, &json["feasible"], &json["checked"]),
        (1, &json!(false), &json!(true)),
        "{}",
        solved.errors
    );
    assert!(solved.errors.contains("the least violating one"), "{}", solved.errors);
    let at_fault = json["concerned"].as_array().unwrap();
    assert!(!at_fault.is_empty());
    for department in at_fault {
        let text = format!("department {} is ", department.as_str().unwrap());
        assert!(solved.errors.contains(&text) && json["notes"].to_string().contains(&text), "{}", solved.errors);
    }
    assert_eq!(folder.run("verify table.csv r.ron --json").code, 1);
}

/// Every published instance is read; what counts as best known is what can be compared with.
#[test]
#[cfg_attr(not(published_data), ignore = "needs flp/ in GRIDWRIGHT_DATA or ../shared/data")]
fn published_instances_are_read() {
    let published = gridwright_tests::published_data("flp");
    let folder = TestFolder::new();
    let info =
        |name: &str| folder.run(&format!("info {} --json", published.join(format!("{name}.json")).display())).json();
    for (name, departments, best) in [
        ("O7", 7, Some(134.1900746)),
        ("O9", 9, Some(241.0616246)),
        ("FO7", 7, Some(18.8846154)),
        ("vC10R-s", 10, Some(22899.6509524)),
        ("MB15", 15, Some(29587.3612079)),
        ("BA12", 19, Some(8264.0)),
        ("AB20-ar15", 20, Some(3928.4362)),
        ("Du62", 62, Some(3_615_914.106_6)),
        ("AEG20", 20, None),
        ("TAM30", 30, None),
    ] {
        let json = info(name);
        assert_eq!((&json["departments"], &json["best_known"]), (&json!(departments), &json!(best)), "{name}");
    }
    // From row to column, both of which count: all entries of the file add up to this.
    assert_eq!(info("AEG20")["total_flow"], 69_750.0);
    let ranges = info("TAM20")["warnings"].to_string();
    assert!(ranges.contains("height / width"), "{ranges}");
    let all = std::fs::read_dir(&published).unwrap().map(|entry| entry.unwrap().path());
    let mut count = 0;
    for path in all.filter(|path| path.extension().is_some_and(|ending| ending == "json")) {
        folder.done(&format!("info {}", path.display()));
        let instance = formats::load(&path, &LoadOptions::default()).unwrap();
        assert_eq!(Instance::of_data(&instance.to_data()).unwrap(), instance, "{}", path.display());
        count += 1;
    }
    assert!(count >= 30, "{count}");
}

/// Today's rectangles are costed as they stand by every command, also where the file names bays; no command puts bays in their place.
#[test]
fn rectangles_that_are_no_bays_keep_their_cost() {
    let folder = TestFolder::new();
    let shop = "# plant: 20 x 10\n# aspect limit: 4\ndepartment,area,A,B,C\nA,50,0,10,0\nB,50,0,0,10\nC,50,10,0,0\n";
    folder.write("shop.csv", shop);
    let head = "department,bay,place,bays,x,y,width,height\n";
    folder.write(
        "today.csv",
        format!("{head}A,1,1,vertical,0,0,5,10\nB,1,2,vertical,5,0,5,10\nC,1,3,vertical,15,0,5,10\n"),
    );
    folder.write("bays.csv", "department,bay\nA,1\nB,2\nC,3\n");
    let verified = folder.done("verify shop.csv today.csv --json").json();
    assert_eq!((&verified["cost"], &verified["bays"]), (&json!(300), &Value::Null));
    let compared = folder.done("compare shop.csv today.csv bays.csv --json").json();
    assert_eq!(
        (&compared["a"]["cost"], &compared["b"]["cost"], &compared["change"]),
        (&300.0.into(), &200.0.into(), &(-100.0).into())
    );
    folder.done("export shop.csv today.csv --to plan.csv plan.svg");
    assert_eq!(folder.done("verify shop.csv plan.csv --json").json()["cost"], json!(300));
}
