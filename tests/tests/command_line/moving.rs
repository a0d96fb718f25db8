//! Layout problems with a cost of moving away from today's layout, on the command line.

use serde_json::json;

use super::test_folder::TestFolder;

/// Four squares of 2 × 2 in a plant of 12 × 2. Today A, B and C stand at the left and D at the right end: A – D 10 · 10, B – C 1 · 2.
/// A costs 38 to move by 8, beside D, and saves 80.
fn row() -> TestFolder {
    let folder = TestFolder::new();
    std::fs::create_dir(folder.path("row")).unwrap();
    folder.write(
        "row/departments.csv",
        "# plant: 12 x 2\n# unit: m\ndepartment,area,moving price,moving price per length\n\
         A,4,30,1\nB,4,60,\nC,4,60,\nD,4,500,\n",
    );
    folder.write("row/flows.csv", "from,to,flow\nA,D,10\nB,C,1\n");
    folder.write("row/today.csv", "department,x,y,width,height\nA,0,0,2,2\nB,2,0,2,2\nC,4,0,2,2\nD,10,0,2,2\n");
    folder
}

#[test]
fn moving_is_solved_verified_compared_and_exported_apart_from_transport() {
    let folder = row();
    let info = folder.run("info row --json").json();
    assert_eq!(info["today"], json!({ "places": 4, "priced": 4 }));
    let today = folder.run("verify row row/today.csv --json").json();
    assert_eq!((&today["cost"], &today["transport"]), (&json!(102), &json!(102.0)));
    assert_eq!(today["moving"], json!({ "cost": 0.0, "departments": [] }));
    let solved = folder.run("solve row --generations 30 --json --out r.ron --export plan.csv --export plan.ron");
    let json = solved.json();
    assert_eq!((solved.code, &json["algorithm"], &json["checked"]), (0, &json!("slicing"), &json!(true)), "{json}");
    assert_eq!(json["cost"], json!(60), "{json}");
    assert!(json["notes"].to_string().contains("transport 22 + moving 38 (1 department)"), "{json}");
    assert_eq!(folder.run("replay r.ron").code, 0);
    for file in ["r.ron", "plan.csv", "plan.ron"] {
        let verified = folder.run(&format!("verify row {file} --json")).json();
        assert_eq!((&verified["cost"], &verified["transport"]), (&json!(60), &json!(22.0)), "{file}");
        assert_eq!(verified["moving"], json!({ "cost": 38.0, "departments": ["A"] }), "{file}");
    }
    let spoken = folder.run("verify row r.ron").text;
    assert!(spoken.contains("60 (flow × rectilinear distance + moving)"), "{spoken}");
    assert!(spoken.contains("transport 22 + moving 38 (1 department)"), "{spoken}");
    let compared = folder.run("compare row row/today.csv r.ron");
    for words in ["Transport", "Moving", "−80", "+38", "Moved: 1 department of 4"] {
        assert!(compared.text.contains(words), "{words}: {}", compared.text);
    }
    let compared = folder.run("compare row row/today.csv r.ron --json").json();
    assert_eq!((&compared["a"]["moving"], &compared["b"]["moving"]), (&json!(0.0), &json!(38.0)));
    folder.done("export row r.ron --to out/a.svg out/a.pdf out/a.xlsx out/a.dxf");
    let picture = std::fs::read_to_string(folder.path("out/a.svg")).unwrap();
    assert!(picture.contains("transport 22 + moving 38"), "{picture}");
}

#[test]
fn what_does_not_know_moving_says_so() {
    let folder = row();
    folder.refuses("solve row --quiet --algorithm enumeration", &["prices of moving", "--algorithm slicing"]);
    let refused = folder.refused("solve row --quiet --algorithm memetic --backend cuda:0");
    assert!(refused.code == 3 && refused.errors.contains("the cost of moving is counted"), "{}", refused.errors);
    let bays = folder.run("solve row --algorithm memetic --seconds 0.2 --json").json();
    assert_eq!((&bays["checked"], &bays["best_known"]), (&json!(true), &json!(null)), "{bays}");
    // Without prices the table costs nothing, and the plant is proven as before.
    folder.write("row/departments.csv", "# plant: 12 x 2\ndepartment,area\nA,4\nB,4\nC,4\nD,4\n");
    let free = folder.run("solve row --json").json();
    assert_eq!((&free["algorithm"], &free["stop_reason"]), (&json!("enumeration"), &json!("proven")));
    folder.write("row/departments.csv", "# plant: 12 x 2\ndepartment,area,moving price\nA,4,-1\nB,4,\nC,4,\nD,4,\n");
    folder.refuses("info row", &["departments.csv:3", "the moving price: -1 is negative"]);
}
