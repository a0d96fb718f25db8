use super::*;
use crate::formats::load;
use crate::{Distance, Limit, Unit};
use gridwright_core::problem::Detection;

const DEPARTMENTS_TEXT: &str =
    "\u{feff}# plant: 6 x 4\nDepartment;Area (m²);Max. aspect ratio\nA;8;5\nB;4,0;\nC;12;none\n";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn read(files: &[(&str, &str)]) -> Result<Instance> {
    let folder = folder(files);
    let name = files[0].0;
    load(&folder.path().join(name), &LoadOptions::default()).map_err(|error| {
        let text = error.to_string();
        Error::Usage(text.replace(&format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR), ""))
    })
}

#[test]
fn tables_beside_each_other_are_read_together() {
    let list = "from,to,flow\nA,B,3\nB,C,1\nA,B,0.5\n";
    let chart = ",A,B,C\nA,,3.5,\nB,0,-,1\nC,,,\n";
    let turned = "to/from\tC\tA\tB\nA\t\t\t3.5\nC\t\t\t\nB\t1\t\t\n";
    for flows in [list, chart, turned] {
        for (departments, name) in [
            ("departments.csv", "flows.csv"),
            ("shop.csv", "shop.flows.csv"),
            ("Shop-Departments.csv", "Shop-flows.csv"),
        ] {
            let instance = read(&[(departments, DEPARTMENTS_TEXT), (name, flows)]).unwrap();
            assert_eq!((instance.len(), instance.width, instance.height), (3, 6.0, 4.0));
            assert_eq!(instance.flows, [0.0, 3.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], "{flows}");
            let limits: Vec<Limit> = instance.departments.iter().map(|one| one.limit).collect();
            assert_eq!(limits, [Limit::Aspect(5.0), Limit::Aspect(4.0), Limit::None]);
            assert!(instance.warnings.is_empty(), "{:?}", instance.warnings);
        }
    }
    let folder = folder(&[("departments.csv", DEPARTMENTS_TEXT), ("flows.csv", list)]);
    let whole = load(folder.path(), &LoadOptions::default()).unwrap();
    assert_eq!(whole.name, folder.path().file_name().unwrap().to_string_lossy());
    let files = super::super::files_of(folder.path().to_str().unwrap());
    assert_eq!(
        files,
        [
            "departments.csv", "flows.csv", "closeness.csv", "plant.csv", "products.csv", "building.csv", "today.csv",
            "doors.csv", "door-flows.csv"
        ]
        .map(|name| folder.path().join(name))
    );
}

/// German headings, decimal commas, arrows and repeated visits; what products move is added to the stated flows.
#[test]
fn products_with_routes_become_flows() {
    let flows = ("flows.csv", "from,to,flow\nA,B,3\n");
    let products = "Produkt;Menge;Stück pro Fahrt;Arbeitsplan\nTisch;12,5;;A > B > A\nStuhl;40;8;A → C\n";
    let instance = read(&[("departments.csv", DEPARTMENTS_TEXT), flows, ("products.csv", products)]).unwrap();
    assert_eq!(instance.flows, [0.0, 15.5, 5.0, 12.5, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(instance.products[1].route, [0, 2]);
    assert!(instance.warnings.is_empty(), "{:?}", instance.warnings);
    // Products alone are flows enough.
    let alone = [("departments.csv", DEPARTMENTS_TEXT), ("products.csv", "product,quantity,route\nP,4,A;B;C\n")];
    assert_eq!(read(&alone).unwrap().flows, [0.0, 4.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0]);
    for (line, expected) in [
        ("P,4,A", "a route has two departments or more"),
        ("P,4,A;Z", "«Z» is no department"),
        ("P,-4,A;B", "the quantity: -4 is negative"),
        ("P,many,A;B", "the quantity: «many»"),
    ] {
        let text = format!("product,quantity,route\n{line}\n");
        let error = read(&[("departments.csv", DEPARTMENTS_TEXT), ("products.csv", &text)]).unwrap_err().to_string();
        assert!(error.contains("products.csv:2: ") && error.contains(expected), "{line}: {error}");
    }
}

#[test]
fn one_table_holds_it_all_and_is_read_as_it_is_written() {
    let text = "# plant: 6 x 4\n# distance: euclidean\n# name: three\nname,area,least side,dummy,A,B,C\nA,8,1.5,,0,3,1\nB,4,0,,0,0,2\nC,12,,yes,,,\n";
    let instance = read(&[("a.csv", text)]).unwrap();
    assert_eq!((instance.name.as_str(), instance.distance, instance.flow(1, 2)), ("three", Distance::Euclidean, 2.0));
    let limits: Vec<Limit> = instance.departments.iter().map(|one| one.limit).collect();
    assert_eq!(limits, [Limit::MinSide(1.5), Limit::None, Limit::None]);
    assert!(instance.departments[2].dummy);
    let again = read(&[("b.csv", &write(&instance).unwrap())]).unwrap();
    assert_eq!(Instance { hash: instance.hash.clone(), ..again }, instance);
    let mut rules = instance;
    rules.rules.apart.push((0, 1));
    assert!(write(&rules).unwrap_err().to_string().contains(".ron"));
    let columns = "department,area,plant width,plant height,A,B\nA,8,6,4,0,1\nB,4,,,0,0\n";
    let instance = read(&[("c.csv", columns)]).unwrap();
    assert_eq!((instance.width, instance.height), (6.0, 4.0));
}

#[test]
fn ratings_are_an_objective_of_their_own_and_never_added_to_flows() {
    let departments = ("departments.csv", DEPARTMENTS_TEXT);
    let chart = "#,ignored\n,A,B,C\nA,,A,x\nB,,,O\nC,,,\n";
    let flows = ("flows.csv", "from,to,flow\nB,A,7\n");
    let both = read(&[departments, flows, ("closeness.csv", chart)]).unwrap();
    assert_eq!(both.closeness, [(0, 1, 'A'), (0, 2, 'X'), (1, 2, 'O')]);
    assert_eq!((both.flow(0, 1), both.flow(1, 2), both.flow(0, 2)), (7.0, 0.0, 0.0));
    assert_eq!(
        (both.weights, both.rules.apart.as_slice()),
        (Weights([64.0, 16.0, 4.0, 1.0, 0.0, -64.0]), &[(0, 2)][..])
    );
    assert!(both.warnings[0].contains("the cost counts flows alone") && both.warnings[0].contains("1 pair rated X"));
    // Weights change the score and nothing else.
    let weighted = format!("# weights: A=10, O=2.5 X=0\n{chart}");
    let weighted = read(&[departments, flows, ("closeness.csv", &weighted)]).unwrap();
    assert_eq!((weighted.weights, &weighted.flows), (Weights([10.0, 16.0, 4.0, 2.5, 0.0, 0.0]), &both.flows));
    assert!(weighted.rules.apart.is_empty());
    // Without any flow the weights stand in for flows, and the reader says so.
    let alone = read(&[departments, ("closeness.csv", chart)]).unwrap();
    assert_eq!((alone.flow(0, 1), alone.flow(1, 2), alone.flow(0, 2)), (64.0, 1.0, 0.0));
    let warning = &alone.warnings[0];
    assert!(warning.contains("there are no flows") && warning.contains("A 64, E 16"), "{warning}");
    let list = "from,to,rating\nB,A,A\nA,B,a\nC,A,X\n";
    assert_eq!(read(&[departments, ("closeness.csv", list)]).unwrap().closeness, [(0, 1, 'A'), (0, 2, 'X')]);
}

#[test]
fn charts_may_promise_to_be_symmetric() {
    let departments = ("departments.csv", DEPARTMENTS_TEXT);
    let chart = |promise: &str| format!("{promise}\n,A,B,C\nA,0,3,1\nB,3,0,0\nC,1,0,0\n");
    let counted = |promise: &str| read(&[departments, ("flows.csv", &chart(promise))]).unwrap();
    let both = counted("");
    assert_eq!(both.flow(0, 1), 6.0);
    assert!(both.warnings[0].contains("symmetric"), "{:?}", both.warnings);
    let once = counted("# flows: symmetric");
    assert_eq!((once.flow(0, 1), once.flow(0, 2), once.warnings.len()), (3.0, 1.0, 0));
    let broken = chart("# flows: one per pair").replace("B,3,0,0", "B,2,0,0");
    let error = read(&[departments, ("flows.csv", &broken)]).unwrap_err().to_string();
    assert!(error.starts_with("flows.csv:4: 2 from «B» to «A» and 3 back"), "{error}");
    let upper = chart("# flows: upper triangle");
    assert!(read(&[departments, ("flows.csv", &upper)]).unwrap_err().to_string().contains("below the diagonal"));
}

#[test]
fn units_in_headers_and_names_in_any_case_are_understood() {
    let departments = "# plant: 6 x 4\nDepartment;Area [m²];Least side (m)\nGoods in;8;\nSaw;4;\nPaint;12;\n";
    let flows = "From,To,Flow (pallets/day),Trips\ngoods IN,saw,3,1\n SAW ,Paint,2,9\n";
    let instance = read(&[("departments.csv", departments), ("flows.csv", flows)]).unwrap();
    assert_eq!((instance.flow(0, 1), instance.flow(1, 2)), (3.0, 2.0));
    assert_eq!((instance.flow_unit.as_str(), instance.unit), ("pallets/day", Some(Unit::Metre)));
    assert_eq!(instance.warnings, ["flows.csv: 1 column is not used: «Trips»"]);
    let chart = ",saw,PAINT,Goods In\nSaw,,2,\nPaint,,,\nGOODS IN,3,,\n";
    let instance = read(&[("departments.csv", departments), ("flows.csv", chart)]).unwrap();
    assert_eq!((instance.flow(0, 1), instance.flow(1, 2)), (3.0, 2.0));
    let twice = departments.replace("Paint;12", "saw ;12");
    let error = read(&[("departments.csv", &twice), ("flows.csv", flows)]).unwrap_err().to_string();
    assert!(error.contains("department «saw» is there already, in line 4"), "{error}");
    let alike = departments.replace("Paint;12", "Paint;6;\nGoods-in;6");
    let flows = "From,To,Flow\nGoods in,Saw,3\nGoods-in,Paint,2\n";
    let instance = read(&[("departments.csv", &alike), ("flows.csv", flows)]).unwrap();
    assert_eq!(instance.len(), 4);
    let warning = instance.warnings.join("\n");
    assert!(warning.contains("departments.csv: 1 pair of department names differs"), "{warning}");
    assert!(warning.contains("«Goods in» and «Goods-in»; delete a line"), "{warning}");
}

#[test]
fn a_plant_may_have_a_table_of_its_own() {
    let departments = DEPARTMENTS_TEXT.replace("# plant: 6 x 4\n", "");
    let flows = ("flows.csv", "from,to,flow\nA,B,3\n");
    let with = |plant: &str| read(&[("departments.csv", &departments), flows, ("plant.csv", plant)]);
    let instance = with("Width (m);Height (m)\n6,5;4\n").unwrap();
    assert_eq!((instance.width, instance.height, instance.unit), (6.5, 4.0, Some(Unit::Metre)));
    let error = with("width,height\nwide,4\n").unwrap_err().to_string();
    assert!(error.contains("plant.csv:2: the plant width: «wide» is not a number"), "{error}");
    assert!(with("width,height\n6,4\n7,4\n").unwrap_err().to_string().contains("plant.csv:3: there is one plant"));
}

#[test]
fn the_size_of_a_plant_is_read_as_the_numbers_of_the_table() {
    let sized = |size: &str, area: &str| {
        let text = DEPARTMENTS_TEXT.replace("6 x 4", size).replace("4,0", area);
        read(&[("departments.csv", &text), ("flows.csv", "from,to,flow\nA,B,3\n")])
    };
    let size = |size: &str, area: &str| sized(size, area).map(|instance| (instance.width, instance.height)).unwrap();
    assert_eq!(size("1.200 x 800", "4,5"), (1200.0, 800.0));
    assert_eq!(size("1.200 x 800", "4.5"), (1.2, 800.0));
    let error = sized("1.200 x 800", "4").unwrap_err().to_string();
    assert!(
        error.contains("departments.csv:1: «1.200» is 1200 or 1.2") && error.contains("write 1200 or 1.2"),
        "{error}"
    );
    let mut exact = sized("8 x 8", "4").unwrap();
    (exact.width, exact.departments[1].area) = (8.125, 4.125);
    let text = write(&exact).unwrap();
    assert!(text.contains("# plant: 8.1250 x 8\n"), "{text}");
    assert_eq!(read(&[("b.csv", &text)]).unwrap().width, 8.125);
}

#[test]
fn bad_tables_are_refused_by_line_with_a_remedy() {
    let flows = "from,to,flow\nA,B,3\n";
    let with = |departments: &str, flows: &str| {
        read(&[("departments.csv", departments), ("flows.csv", flows)]).unwrap_err().to_string()
    };
    for (what, instead, expected) in [
        ("A;8;5", "A;0;5", "departments.csv:3: department «A»: the area: 0; areas must be more than 0"),
        ("A;8;5", "A;-8;5", "departments.csv:3: department «A»: the area: -8"),
        ("A;8;5", "A;;5", "the area is missing"),
        ("A;8;5\nB;4,0;", "A;1,200;5\nB;4;", "the area: «1,200» is 1.2 or 1200, and no other number tells which"),
        ("A;8;5", "A;nan;5", "«nan» is not a number"),
        ("A;8;5", "A;8;0.5", "departments.csv:3: department «A»: the aspect limit 0.5 is below 1"),
        ("A;8;5", ";8;5", "departments.csv:3: the department's name is missing"),
        ("B;4,0", "A;4,0", "departments.csv:4: department «A» is there already, in line 3"),
        ("C;12", "C;13", "departments.csv: the areas add up to 25"),
        ("# plant: 6 x 4\n", "", "--plant 7x4 (width x height; the areas add up to 24)"),
        ("6 x 4", "6 m", "departments.csv:1: «6 m» is no size of a plant"),
        ("A;8;5\nB;4,0;\nC;12;none\n", "", "no department below the header"),
    ] {
        assert!(DEPARTMENTS_TEXT.contains(what), "{what}");
        let error = with(&DEPARTMENTS_TEXT.replace(what, instead), flows);
        assert!(error.contains(expected), "{what} → {instead}: {error}");
    }
    for (flows, expected) in [
        ("from,to,flow\nA,Z,3\n", "flows.csv:2: «Z» is no department"),
        ("from,to,flow\nA,B,-3\n", "flows.csv:2: the flow: -3 is negative"),
        ("from,to,flow\nA,B,many\n", "flows.csv:2: the flow: «many» is not a number"),
        ("from,to,flow\nA,B,\n", "the flow is missing"),
        (",A,B\nA,0,1\nB,0,0\nC,0,0\n", "flows.csv:1: the chart has 2 columns for 3 departments; add one for «C»"),
        (",A,B,C\nA,0,1,1\nB,1,0,1\n", "flows.csv:3: the chart has 2 rows for 3 departments; add one for «C»"),
        (",A,B,C\nA,0,1,1\nB,0,0,1\nB,0,0,1\nC,0,0,0\n", "more than one row for «B»"),
        (",A,B,D\nA,0,1,1\nB,0,0,1\nC,0,0,0\n", "flows.csv:1: «D» is no department"),
        (",A,B,C\nA,0,1,1\nB,0,0,-1\nC,0,0,0\n", "flows.csv:3: the flow from «B» to «C»: -1 is negative"),
        (",A,B,C\nA,0,1,q\nB,0,0,1\nC,0,0,0\n", "flows.csv:2: the flow from «A» to «C»: «q» is not a number"),
        ("from,to,rating\nA,B,A\nB,A,E\n", "flows.csv:3: «A» and «B» are rated E here and A in line 2"),
        ("from,to,rating\nA,B,Q\n", "flows.csv:2: «Q» is no rating"),
        ("# weights: A=many\nfrom,to,rating\nA,B,A\n", "flows.csv:1: the weight of A: «many»"),
        ("# weights: Z=1\nfrom,to,rating\nA,B,A\n", "flows.csv:1: «Z=1» is no weight"),
        ("# weights: X=9\nfrom,to,rating\nA,B,A\n", "X=0"),
        ("# weights: E=-1\nfrom,to,rating\nA,B,A\n", "flows.csv:1: the weight of E: -1 is negative"),
    ] {
        let error = with(DEPARTMENTS_TEXT, flows);
        assert!(error.contains(expected), "{flows:?}: {error}");
    }
    let alone = read(&[("shop.csv", DEPARTMENTS_TEXT)]).unwrap_err().to_string();
    assert!(alone.contains("shop.flows.csv"), "{alone}");
    let list = read(&[("flows.csv", flows)]).unwrap_err().to_string();
    assert!(list.contains("open the table of departments"), "{list}");
    let columns = "# plant: 6 x 4\nname,area,A,B\nA,8,0,1\nB,4,0,0\nC,12,0,0\n";
    let error = read(&[("a.csv", columns)]).unwrap_err().to_string();
    assert!(error.contains("2 columns for 3 departments; add columns for «C»"), "{error}");
}

#[test]
fn workbooks_are_read_sheet_by_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.xlsx");
    let write = |flow_name: &str, area: f64| {
        let mut book = rust_xlsxwriter::Workbook::new();
        let sheet = book.add_worksheet().set_name("Notes").unwrap();
        sheet.write_string(3, 2, "Whatever").unwrap();
        let sheet = book.add_worksheet().set_name("Rooms").unwrap();
        sheet.write_string(0, 0, "# plant: 6 x 4").unwrap();
        for (row, (name, size)) in [("A", area), ("B", 4.0), ("C", 12.0)].into_iter().enumerate() {
            sheet.write_string(3 + row as u32, 1, name).unwrap();
            sheet.write_number(3 + row as u32, 2, size).unwrap();
        }
        sheet.write_string(2, 1, "Department").unwrap();
        sheet.write_string(2, 2, "Area").unwrap();
        let sheet = book.add_worksheet().set_name("From-to").unwrap();
        for (at, name) in ["A", "B", flow_name].into_iter().enumerate() {
            sheet.write_string(0, 1 + at as u16, name).unwrap();
            sheet.write_string(1 + at as u32, 0, name).unwrap();
        }
        sheet.write_number(1, 2, 3.5).unwrap();
        book.save(&path).unwrap();
    };
    write("C", 8.0);
    assert!(is_workbook(&path) && crate::formats::detection(path.to_str().unwrap(), b"PK") == Detection::Certain);
    let instance = load(&path, &LoadOptions::default()).unwrap();
    assert_eq!((instance.name.as_str(), instance.len(), instance.flow(0, 1), instance.width), ("shop", 3, 3.5, 6.0));
    assert!(instance.warnings[0].contains("Notes"), "{:?}", instance.warnings);
    write("Z", 8.0);
    let error = load(&path, &LoadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("shop.xlsx:From-to:1: «Z» is no department"), "{error}");
    write("C", 0.0);
    let error = load(&path, &LoadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("shop.xlsx:Rooms:4: department «A»"), "{error}");
    std::fs::write(&path, b"PK no workbook").unwrap();
    assert!(!is_workbook(&path) && crate::formats::detection(path.to_str().unwrap(), b"PK") == Detection::Likely);
    assert!(load(&path, &LoadOptions::default()).unwrap_err().to_string().contains("save it again"));
}

#[test]
fn numbers_are_read_as_offices_write_them() {
    for (text, value) in [
        ("3.5", 3.5),
        ("3,5", 3.5),
        ("1 200", 1200.0),
        ("1\u{2009}200", 1200.0),
        ("1.234,5", 1234.5),
        ("1,234.5", 1234.5),
        ("1,234,567", 1_234_567.0),
        ("0,125", 0.125),
        ("-2", -2.0),
        ("1e3", 1000.0),
    ] {
        assert_eq!(decimal(text), Ok(value), "{text}");
    }
    for text in ["", "x", "inf", "NaN", "1,200", "1.2.3", "--"] {
        assert!(decimal(text).is_err(), "{text}");
    }
}

/// Areas A, B, C of a table with these cells, and flows from A to B and from B to C.
fn areas(heading: &str, cells: [&str; 3], flows: [&str; 2]) -> Result<Instance> {
    let rows: String = ["A", "B", "C"].iter().zip(cells).map(|(name, cell)| format!("{name};{cell}\n")).collect();
    let shop = format!("# plant: 90 x 90\nBereich;{heading}\n{rows}");
    let list = format!("von;nach;Menge\nA;B;{}\nB;C;{}\n", flows[0], flows[1]);
    read(&[("shop.csv", shop.as_str()), ("shop.flows.csv", list.as_str())])
}

#[test]
fn the_column_decides_how_its_numbers_are_read() {
    let of = |cells| {
        let instance = areas("Fläche (m²)", cells, ["10", "1.200,0"]).unwrap();
        assert_eq!((instance.flow(1, 2), instance.unit), (1200.0, Some(Unit::Metre)));
        instance.departments.iter().map(|one| one.area).collect::<Vec<_>>()
    };
    assert_eq!(of(["1.250,50", "1.250", "900,25"]), [1250.5, 1250.0, 900.25]);
    assert_eq!(of(["1.250", "2.400", "900,5"]), [1250.0, 2400.0, 900.5]);
    assert_eq!(of(["1.250", "2.400", "900.5"]), [1.25, 2.4, 900.5]);
    assert_eq!(of(["1'250", "520,0 m²", "1.250 qm"]), [1250.0, 520.0, 1250.0]);
    let refused = |cells, flows| areas("Fläche (m²)", cells, flows).unwrap_err().to_string();
    let both = refused(["1.250", "2.400", "900"], ["1", "2"]);
    assert!(both.contains("shop.csv:3: department «A»: the area: «1.250» is 1250 or 1.25"), "{both}");
    assert!(both.contains("write 2400 or 2.4") && !both.contains("900"), "{both}");
    let mixed = refused(["1.250,50", "1.250", "85.5"], ["1", "2"]);
    assert!(mixed.contains("shop.csv:4:") && mixed.contains("decimal points and decimal commas"), "{mixed}");
    let flows = refused(["8", "4", "12"], ["10", "1.200"]);
    assert!(flows.contains("shop.flows.csv:3: the flow: «1.200» is 1200 or 1.2"), "{flows}");
    let other = refused(["8", "4 ft²", "12"], ["1", "2"]);
    assert!(other.contains("«4 ft²» is not in m², the unit of the column"), "{other}");
    for cells in [["25 %", "4", "12"], ["8", "25 %", "12 m²"], ["8 m²", "25 ‰", "12"]] {
        for heading in ["Fläche", "Fläche (m²)", "Fläche (%)"] {
            let share = areas(heading, cells, ["1", "2"]).unwrap_err().to_string();
            assert!(share.contains("is a share of another number; write the number itself"), "{heading}: {share}");
        }
    }
    // Headings and cells name the unit, brackets or not.
    for (heading, cells) in [("Fläche m²", ["8", "4", "12"]), ("Fläche", ["8 m²", "4 m²", "12"])] {
        assert_eq!(areas(heading, cells, ["1", "2"]).unwrap().unit, Some(Unit::Metre), "{heading}");
    }
    // What is written has one reading.
    let instance = areas("Fläche", ["8.1250", "4.0", "12"], ["1", "2.0625"]).unwrap();
    let again = read(&[("b.csv", &write(&instance).unwrap())]).unwrap();
    assert_eq!((again.departments[0].area, again.flows), (8.125, instance.flows));
}

#[test]
fn a_heading_of_an_amount_in_a_span_of_time_is_that_of_the_flows() {
    for (heading, unit) in
        [("Paletten/Tag", "Paletten/Tag"), ("Menge (Paletten/Tag)", "Paletten/Tag"), ("Paletten", "")]
    {
        let list = format!("von;nach;{heading}\nA;B;12,5\nB;C;3\n");
        let instance = read(&[("shop.csv", DEPARTMENTS_TEXT), ("shop.flows.csv", list.as_str())]).unwrap();
        assert_eq!(
            (instance.flow(0, 1), instance.flow(1, 2), instance.flow_unit.as_str()),
            (12.5, 3.0, unit),
            "{heading}"
        );
    }
}

#[test]
fn ratings_have_reasons_and_triangles_no_last_line() {
    let shop =
        "# plant: 10x10\nAbteilung,Fläche,Lager,Montage,Versand\nLager,30,0,5,1\nMontage,30,0,0,5\nVersand,30,0,0,0\n";
    let ratings = "Abteilung,Lager,Montage,Versand\nLager,,A/1,X (Lösemittel)\nMontage,,,E3\n";
    let instance = read(&[("arc.csv", shop), ("arc.closeness.csv", ratings)]).unwrap();
    assert_eq!(instance.closeness, [(0, 1, 'A'), (0, 2, 'X'), (1, 2, 'E')]);
    // A column of sums is none of flows, a line of sums none of departments.
    let departments = "# plant: 10x10\nAbteilung,Fläche\nLager,30\nMontage,30\nVersand,30\n";
    let chart = "von/nach,Lager,Montage,Versand,Summe\nLager,0,5,1,6\nMontage,0,0,5,5\nSumme,0,5,6,11\n";
    let summed = read(&[("arc.csv", departments), ("arc.flows.csv", chart)]).unwrap();
    assert_eq!(summed.flows, instance.flows);
    let lower = "von/nach,Lager,Montage,Versand\nLager,0,5,1\nMontage,4,0,5\n";
    let refused = read(&[("arc.csv", departments), ("arc.flows.csv", lower)]).unwrap_err().to_string();
    assert!(
        refused.contains("2 rows for 3 departments") && refused.contains("with 0 where nothing flows"),
        "{refused}"
    );
}

#[test]
fn staircases_need_neither_the_first_column_nor_the_last_row() {
    let departments = "# plant: 10x10\nAbteilung,Fläche\nLager,30\nMontage,30\nVersand,30\n";
    let rated = |chart: &str| read(&[("arc.csv", departments), ("arc.closeness.csv", chart)]);
    let expected = [(0, 1, 'A'), (0, 2, 'X'), (1, 2, 'E')];
    for chart in [
        "Abteilung,Montage,Versand\nLager,A,X\nMontage,,E\n",
        "Abteilung,Lager,Montage\nMontage,A,\nVersand,X,E\n",
        "Abteilung,Montage,Versand\nLager,A,X\nMontage,,E\nVersand,,\n",
    ] {
        assert_eq!(rated(chart).unwrap().closeness, expected, "{chart}");
    }
    let flows = "von/nach,Montage,Versand\nLager,5,1\nMontage,0,5\n";
    let read_flows = read(&[("arc.csv", departments), ("arc.flows.csv", flows)]).unwrap();
    assert_eq!(read_flows.flows, [0.0, 5.0, 1.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0]);
    // What is no triangle is refused in the words of ratings.
    for (chart, why) in [
        ("Abteilung,Montage,Versand\nLager,A,X\nMontage,I,E\n", "with empty cells where a pair has no rating"),
        ("Abteilung,Lager,Versand\nLager,,X\nMontage,A,E\n", "add one for «Montage»"),
        ("Abteilung,Lager,Montage,Versand\nLager,,A,Q\nMontage,,,E\n", "«Q» is no rating; write one of A E I O U X"),
    ] {
        let refused = rated(chart).unwrap_err().to_string();
        assert!(refused.contains(why) && !refused.contains("flow"), "{chart}: {refused}");
    }
}

#[test]
fn quadratic_assignment_problems_are_named() {
    let qap = "3\n\n0 5 2\n5 0 3\n2 3 0\n\n0 1 2\n1 0 1\n2 1 0\n";
    let refused = read(&[("qap3.dat", qap)]).unwrap_err().to_string();
    assert!(refused.contains("QAPLIB") && refused.contains("area"), "{refused}");
    assert_eq!(crate::formats::detection("qap3.dat", qap.as_bytes()), Detection::Likely);
    for other in ["3\n1 2 3\n", "0003 0005\n", "3 2\n1 2\n3 4\n5 6\n"] {
        assert!(crate::formats::detection("a.dat", other.as_bytes()) < Detection::Likely, "{other}");
    }
}
