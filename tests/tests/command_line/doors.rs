//! Layout problems with doors as ends of flows, on the command line.

use serde_json::json;

use super::test_folder::TestFolder;

/// Three squares of 2 × 2 in a row; A – C 1, and from the dock at the right end 10 to A and 4 from B.
fn row() -> TestFolder {
    let folder = TestFolder::new();
    std::fs::create_dir(folder.path("row")).unwrap();
    folder.write("row/departments.csv", "# plant: 6 x 2\n# unit: m\ndepartment,area\nA,4\nB,4\nC,4\n");
    folder.write("row/flows.csv", "from,to,flow\nA,C,1\n");
    folder.write("row/doors.csv", "door,x,y\nDock,6,1\n");
    folder.write("row/door-flows.csv", "department,door,flow,direction\nA,Dock,10,in\nB,Dock,4,out\n");
    folder
}

#[test]
fn doors_count_in_solve_verify_compare_and_exports() {
    let folder = row();
    let info = folder.run("info row --json").json();
    assert_eq!(info["doors"], json!({ "count": 1, "pairs": 2, "flow": 14.0 }));
    let solved = folder.run("solve row --json --out r.ron --export plan.csv --export plan.sol").json();
    assert_eq!((&solved["algorithm"], &solved["stop_reason"]), (&json!("enumeration"), &json!("proven")), "{solved}");
    assert_eq!((&solved["cost"], &solved["checked"]), (&json!(26), &json!(true)), "{solved}");
    assert_eq!(folder.run("replay r.ron").code, 0);
    for file in ["r.ron", "plan.csv", "plan.sol"] {
        assert_eq!(folder.run(&format!("verify row {file} --json")).json()["cost"], json!(26), "{file}");
    }
    folder.write("mirror.sol", "vertical\nA\nB\nC\n");
    let compared = folder.run("compare row r.ron mirror.sol --json").json();
    assert_eq!((&compared["b"]["cost"], &compared["mirrored"]), (&json!(66.0), &json!(false)), "{compared}");
    assert_eq!(compared["flows"][0]["departments"], json!(["A", "Dock"]));
    folder.done("export row r.ron --to out/a.svg out/a.pdf out/a.xlsx out/a.dxf");
    let drawing = std::fs::read_to_string(folder.path("out/a.dxf")).unwrap();
    assert!(drawing.contains("DOORS"), "{drawing}");
    for algorithm in ["memetic", "slicing"] {
        let found = folder.run(&format!("solve row --algorithm {algorithm} --seconds 0.3 --json")).json();
        assert_eq!((&found["cost"], &found["checked"]), (&json!(26), &json!(true)), "{algorithm}: {found}");
    }
}

#[test]
fn what_cannot_be_is_refused_with_its_line() {
    let folder = row();
    let refused = folder.refused("solve row --quiet --algorithm memetic --backend cuda:0");
    assert!(refused.code == 3 && refused.errors.contains("flows through doors are counted"), "{}", refused.errors);
    folder.refuses(
        "solve row --quiet --algorithm enumeration --distance euclidean",
        &["Euclidean distances and flows through doors", "--algorithm memetic"],
    );
    folder.refuses("info row --plant 5x4", &["door «Dock» at 6, 1 lies beyond the plant of 5 × 4"]);
    folder.write("row/doors.csv", "door,x,y\nDock,6,1\nGate,7,1\n");
    folder.refuses("info row", &["doors.csv:3", "door «Gate» at 7, 1 lies beyond the plant of 6 × 2"]);
    folder.write("row/doors.csv", "door,x,y\nDock,6,1\ndock,5,2\n");
    folder.refuses("info row", &["doors.csv:3", "door «dock» is there already, in line 2"]);
    // A file that is called so is no other table, whatever its header lacks.
    folder.write("row/doors.csv", "door,x\nDock,6\n");
    folder.refuses("info row", &["doors.csv", "«y»"]);
    folder.write("row/doors.csv", "door,x,y\nDock,6,1\n");
    folder.write("row/door-flows.csv", "department,door,flow\nA,Gate,10\n");
    folder.refuses("info row", &["door-flows.csv:2", "«Gate» is no door"]);
}
