//! Recognition of sources by name and content, over all problems.

use gridwright_core::problem::Detection;
use gridwright_core::registry::{completed, detect, is_generated, is_result};

#[test]
fn names_without_their_beginning_are_understood() {
    gridwright::register();
    let names = ["ta054", " TA001 ", "school", "workshop", "layout-plant", "f40", "backpack"];
    let full = [
        "taillard:ta054", "taillard:ta001", "sample:school", "sample:workshop", "sample:layout-plant", "layout:F40",
        "sample:backpack",
    ];
    assert_eq!(names.map(|name| completed(name).unwrap()), full);
    assert!(full.iter().all(|name| is_generated(name) && completed(name).is_none()), "nothing is left out");
    assert_eq!(["", "ta121", "moon", "school.stu", "300", "src"].map(completed), [const { None }; 6]);
}

#[test]
fn sources_are_told_apart_by_name_and_content() {
    gridwright::register();
    let folder = tempfile::tempdir().unwrap();
    let look = |source: &str| detect(source).map(|(problem, detection)| (problem.id(), detection));
    let of = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        look(path.to_str().unwrap())
    };
    let [session, shop, plant, bits] =
        ["timetabling", "flowshop", "facility", "systolic"].map(|id| Some((id, Detection::Certain)));
    assert_eq!(["sample:backpack", "knapsack:100-1000", "mmdp:300", "onemax:9", "nrp:2-5"].map(look), [bits; 5]);
    assert_eq!(of("d.csv", "# capacity: 3\nitem,profit,weight\nTent,1,2\n"), bits);
    assert_eq!(of("d.txt", "3 10\n5 4\n3 3\n9 8\n"), bits);
    assert_eq!(of("e.txt", "100\t3\n50\t2\n300\t1\n80\t0\n"), bits);
    assert_eq!(of("f.ron", "(\n    binary_problem: 1,"), bits);
    assert_eq!(["sample:school", "sample:workshop", "taillard:ta001"].map(look), [session, shop, shop]);
    assert_eq!(["sample:moon", "nowhere.txt"].map(look), [None; 2]);
    assert_eq!(look(folder.path().to_str().unwrap()), session);
    assert_eq!(of("a.stu", "2 2\n3 1\n2 4\n"), session, "the ending says it");
    assert_eq!(of("a.csv", "student,exam,job\n1,2,3\n"), session);
    assert_eq!(of("a.txt", "2 2\n3 1\n2 4\n"), shop);
    assert_eq!(of("b.csv", "job,Saw\nDesk,4\n"), shop);
    assert_eq!(of("c.csv", "job,Saw\nDesk,long\n"), Some(("flowshop", Detection::Possible)));
    assert_eq!(of("b.txt", "3 2\n1 2\n"), Some(("flowshop", Detection::Possible)));
    assert_eq!(of("c.txt", "0001 0002\n0003\n"), None);
    for huge in ["9223372036854775808", "18446744073709551615"] {
        for sizes in [format!("6 {huge}"), format!("{huge} {huge}")] {
            let claim = of("c.txt", &format!("{sizes}\n1 2\n"));
            assert!(claim.is_none_or(|claim| claim.1 == Detection::Possible), "{sizes}: {claim:?}");
        }
    }
    assert_eq!(["sample:layout-workshop", "layout:F40", "layout:F41"].map(look), [plant; 3]);
    assert_eq!(of("d.csv", "# plant: 20 x 30\nname,area\nSaw,40\n"), plant);
    assert_eq!(of("d.json", "{ \"departments\": [ { \"area\": 4 } ] }"), plant);
    assert_eq!(of("d.ron", "(\n    facility_format: 1,"), plant);
    let likely = Some(("facility", Detection::Likely));
    assert_eq!(of("e.csv", "name,area\nSaw,large\n"), likely);
    assert_eq!(of("f.csv", "from,to,flow\nSaw,Press,4\n"), likely);
    assert_eq!(of("e.ron", "(\n    layout_format: 1,"), likely);
    assert_eq!(of("f.ron", "(\n    format: 1,"), None);
    let project = Some(("flowshop", Detection::Exclusive));
    assert_eq!(of("g.gridwright", "(\n    plan_project: 1,\n    problem: \"flowshop\","), project);
    assert_eq!(of("h.gridwright", "(\n    format: 1,"), session, "projects of sessions begin otherwise");
    let tables = folder.path().join("tables");
    std::fs::create_dir(&tables).unwrap();
    assert_eq!(look(tables.to_str().unwrap()), session);
    std::fs::write(tables.join("departments.csv"), "").unwrap();
    assert_eq!(look(tables.to_str().unwrap()), Some(("facility", Detection::Exclusive)));
}

/// Files of other problems are refused with what they could be, and never opened as something else.
#[test]
fn lists_of_numbers_need_positive_evidence() {
    gridwright::register();
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        let source = gridwright_core::planning::InstanceSource::of(path.to_str().unwrap());
        match gridwright_core::planning::opening::open(&source) {
            Err(error) => error.to_string(),
            Ok(opened) => panic!("{name} is opened as {}: {}", opened.problem().id(), opened.summary()),
        }
    };
    let qap = "3\n\n0 5 2\n5 0 3\n2 3 0\n\n0 1 2\n1 0 1\n2 1 0\n";
    let late = "2 2\n1 3 2 4\n1 5 2 1\nReldue\n-1 6 -1 3\n-1 9 -1 1\n";
    let setup = "3 2\n0 54 1 79\n0 83 1 3\n0 15 1 11\nSSD\nM0\n0 3 4\n2 0 5\n1 1 0\nM1\n0 3 4\n2 0 5\n1 1 0\n";
    for (name, content, expected) in [
        ("qap3.dat", qap, "quadratic assignment problem (QAPLIB)"),
        ("pfsp-wt.txt", late, "release dates, due dates and weights"),
        ("setup.txt", setup, "set-up times"),
        ("pisinger.txt", "1 94 485 0\n2 506 326 0\n3 416 248 1\n", "neither its ending nor its content"),
        ("sizes.txt", "2\n4\n54 83 15 71\n79 3 11 99\n", "neither its ending nor its content"),
        ("fis.stu", "Name: Fis0506\nExams: 10\n\nEXAMS:\nc1 t1 6\n", "lists no exams of a student"),
    ] {
        let error = refused(name, content);
        assert!(error.contains(expected), "{name}: {error}");
    }
    let kplib = folder.path().join("kplib.kp");
    std::fs::write(&kplib, "\n4\n50\n\n60 10\n100 20\n120 30\n5 5\n").unwrap();
    let source = gridwright_core::planning::InstanceSource::of(kplib.to_str().unwrap());
    let knapsack = gridwright_core::planning::opening::open(&source).unwrap();
    assert_eq!(knapsack.problem().id(), "systolic");
}

#[test]
fn solutions_are_no_results() {
    gridwright::register();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    let is_result_with = |content: &str| {
        std::fs::write(&path, content).unwrap();
        is_result(&path)
    };
    assert!(!is_result_with(" (\n    schedule_format: 1,"));
    assert!(!is_result_with("(\n    layout_format: 1,"));
    assert!(is_result_with("(\n    format: 1,"));
    assert!(!is_result(&folder.path().join("a.csv")), "another ending");
}

#[test]
fn files_get_absolute_and_names_stay() {
    gridwright::register();
    let absolute = |source: &str| gridwright_core::registry::absolute(source).unwrap();
    assert_eq!([absolute("sample:school"), absolute("taillard:ta051")], ["sample:school", "taillard:ta051"]);
    let path = absolute("folder/a.stu");
    assert!(std::path::Path::new(&path).is_absolute() && path.ends_with("a.stu"), "{path}");
}
